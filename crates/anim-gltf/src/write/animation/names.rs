//! Animation names from a template such as `{set}_{clip}`.

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
    pub(crate) fn parse(text: &str, clips: usize) -> Result<NameTemplate, String> {
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
                "`{text}` would give {clips} clips the same name; add `{{clip}}` for the \
                 clip's name, as in `{text}_{{clip}}`"
            ));
        }
        Ok(template)
    }

    /// Whether the name depends on that of the clip.
    pub(crate) fn has_clip(&self) -> bool {
        self.0.contains(&Piece::Clip)
    }

    /// Returns the name for a clip. Text between two placeholders is omitted if either is empty.
    pub(crate) fn name(&self, clip: &str, set: &str) -> String {
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
