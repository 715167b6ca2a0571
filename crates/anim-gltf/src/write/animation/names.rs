//! Animation names from a template such as `{set}_{clip}`, or from a list.

/// The names of all animations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ClipNames {
    Template(NameTemplate),
    /// A name for each clip, in order.
    List(Vec<String>),
}

impl ClipNames {
    /// Parses a template, or a list with a name for each of this number of clips. The error is a
    /// message for the user.
    pub(crate) fn parse(text: &str, clips: usize) -> Result<ClipNames, String> {
        let names: Vec<&str> = text.split(',').map(str::trim).collect();
        if clips <= 1 || names.len() == 1 || text.contains('{') {
            return NameTemplate::parse(text, clips).map(ClipNames::Template);
        }
        if names.len() != clips || names.contains(&"") {
            return Err(format!("`{text}` is not a list of {clips} names, one for each clip"));
        }
        Ok(ClipNames::List(names.into_iter().map(str::to_owned).collect()))
    }

    /// Returns the name of a clip. `own` is the full name of the clip, `short` its name in its set.
    pub(crate) fn name(&self, number: usize, own: &str, short: &str, set: &str) -> String {
        match self {
            ClipNames::List(names) => names.get(number).map_or(own, String::as_str).to_owned(),
            ClipNames::Template(template) if !own.is_empty() || !template.has_clip() => {
                template.name(short, set)
            }
            ClipNames::Template(_) => own.to_owned(),
        }
    }
}

/// A template for animation names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NameTemplate(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Clip,
    Set,
}

impl NameTemplate {
    /// Parses a template for the names of this number of clips. A single clip can have a name
    /// without `{clip}`. The error is a message for the user.
    fn parse(text: &str, clips: usize) -> Result<NameTemplate, String> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (before, after) = rest.split_once('{').unwrap_or((rest, ""));
            if !before.is_empty() {
                pieces.push(Piece::Text(before.to_owned()));
            }
            if before.len() == rest.len() {
                break;
            }
            let Some((name, after)) = after.split_once('}') else {
                return Err("`{` without `}`".to_owned());
            };
            pieces.push(match name {
                "clip" => Piece::Clip,
                "set" => Piece::Set,
                _ => {
                    return Err(format!(
                        "unknown placeholder `{{{name}}}`; use `{{clip}}` or `{{set}}`"
                    ));
                }
            });
            rest = after;
        }
        if pieces.is_empty() {
            return Err("it is empty".to_owned());
        }
        let template = NameTemplate(pieces);
        if clips > 1 && !template.has_clip() {
            return Err(format!(
                "`{text}` would give {clips} clips the same name; list {clips} names, or add \
                 `{{clip}}` for the clip's name, as in `{text}_{{clip}}`"
            ));
        }
        Ok(template)
    }

    /// Whether the name depends on that of the clip.
    fn has_clip(&self) -> bool {
        self.0.contains(&Piece::Clip)
    }

    /// Returns the name for a clip. Text between two placeholders is omitted if either is empty.
    fn name(&self, clip: &str, set: &str) -> String {
        let value = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Clip => clip.to_owned(),
            Piece::Set => set.to_owned(),
        };
        let values: Vec<String> = self.0.iter().map(value).collect();
        let neighbour = |at: Option<usize>| at.and_then(|at| values.get(at));
        let mut name = String::new();
        for (at, (piece, value)) in self.0.iter().zip(&values).enumerate() {
            let sides = [neighbour(at.checked_sub(1)), neighbour(at.checked_add(1))];
            let joins = matches!(piece, Piece::Text(_)) && !sides.contains(&None);
            if !(joins && sides.into_iter().flatten().any(String::is_empty)) {
                name.push_str(value);
            }
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced() {
        let name = |template: &str, clip: &str, set: &str| {
            NameTemplate::parse(template, 2).unwrap().name(clip, set)
        };
        assert_eq!(name("{set}_{clip}", "walk", "Leg"), "Leg_walk");
        assert_eq!(name("{set}_{clip}", "walk", ""), "walk", "nothing to join");
        assert_eq!(name("{clip} ({set})", "walk", "Leg"), "walk (Leg)");
        assert_eq!(name("knight-{clip}", "walk", "Leg"), "knight-walk");
        assert_eq!(
            name("{clip}", "a{set}b", "Leg"),
            "a{set}b",
            "placeholders in names are not expanded"
        );
    }

    #[test]
    fn invalid_templates_are_rejected() {
        for (template, expected) in [
            ("", "it is empty"),
            ("{clip", "`{` without `}`"),
            ("{clip}{name}", "unknown placeholder `{name}`; use `{clip}` or `{set}`"),
        ] {
            assert_eq!(NameTemplate::parse(template, 1), Err(expected.to_owned()));
        }
    }

    #[test]
    fn names_can_be_listed() {
        let names = ClipNames::parse("run, walk", 2).unwrap();
        assert_eq!([0, 1].map(|clip| names.name(clip, "old", "old", "")), ["run", "walk"]);
        for (list, clips) in [("run,walk", 3), ("run,", 2), ("a,b,c", 2)] {
            let why = ClipNames::parse(list, clips).unwrap_err();
            assert_eq!(why, format!("`{list}` is not a list of {clips} names, one for each clip"));
        }
        let comma = ClipNames::parse("run, fast", 1).unwrap();
        assert_eq!(comma.name(0, "old", "old", ""), "run, fast");
        let unnamed = ClipNames::parse("{set}_{clip}", 2).unwrap();
        assert_eq!(unnamed.name(0, "", "", "Legs"), "");
    }

    #[test]
    fn only_a_single_clip_can_do_without_its_own_name() {
        for template in ["stroll", "{set}"] {
            let named = NameTemplate::parse(template, 1).unwrap();
            assert_eq!(named.name("walk", "stroll"), "stroll");
            let why = NameTemplate::parse(template, 3).unwrap_err();
            assert!(
                why.contains("give 3 clips") && why.ends_with(&format!("`{template}_{{clip}}`"))
            );
        }
    }
}
