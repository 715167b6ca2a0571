//! Picks clips and states by name or number.

use anim_formats::anim_ir::{Playable, Scene, nearest_name};

use crate::failure::Failure;
use crate::wording::{count, show_name};

/// Picks a clip or state by name. Without a name, the file must have exactly one clip or state.
///
/// # Errors
///
/// Returns a [`Failure`] that lists the names to choose from.
pub fn pick_playable(scene: &Scene, wanted: Option<&str>) -> Result<Playable, Failure> {
    let (names, playables): (Vec<&str>, Vec<Playable>) = scene.playables().into_iter().unzip();
    let is_clip = |playable: &Playable| matches!(playable, Playable::Clip(_));
    let has_clips = scene.machines.is_empty() || playables.iter().any(is_clip);
    let what = if has_clips { "clip" } else { "state" };
    let number = pick(what, &names, wanted).map_err(|failure| match wanted {
        None if names.len() > 1 => {
            Failure { message: format!("{}; choose one with --clip", failure.message), ..failure }
        }
        _ => failure,
    })?;
    playables.get(number).copied().ok_or_else(|| Failure::usage(format!("the file has no {what}s")))
}

/// Picks a name and returns its index; `what` is the noun to use in messages. Without a wanted
/// name, there must be exactly one to choose from.
///
/// # Errors
///
/// Returns a [`Failure`] that lists the names to choose from.
pub fn pick(what: &str, clips: &[&str], wanted: Option<&str>) -> Result<usize, Failure> {
    let named = |name: &str| {
        let all = clips.iter().enumerate().filter(|(_, clip)| **clip == name);
        all.map(|(index, _)| index).collect::<Vec<_>>()
    };
    let Some(wanted) = wanted else {
        return match clips {
            [] => Err(Failure::usage(format!("the file has no {what}s"))),
            [_] => Ok(0),
            _ => Err(Failure::usage(format!("the file has several {what}s: {}", choices(clips)))),
        };
    };
    match named(wanted).as_slice() {
        [only] => return Ok(*only),
        [] => {}
        several => {
            let last = several.len();
            let name = show_name(wanted);
            return Err(Failure::usage(format!(
                "{last} {what}s are named `{name}`; use one of `{name}#1` to `{name}#{last}`"
            )));
        }
    }
    let numbered = wanted
        .rsplit_once('#')
        .and_then(|(name, number)| Some((name, number.parse::<usize>().ok()?.checked_sub(1)?)));
    let found = match numbered {
        Some(("", index)) if index < clips.len() => Some(index),
        Some((name, index)) => named(name).get(index).copied(),
        None => None,
    };
    // The clips of ANM text and `split` are called `SET/CLIP`.
    let is_last_part = |clip: &&str| clip.rsplit_once('/').is_some_and(|(_, last)| last == wanted);
    let only = || {
        let mut matching = clips.iter().enumerate().filter(|(_, clip)| is_last_part(clip));
        matching.next().filter(|_| matching.next().is_none()).map(|(index, _)| index)
    };
    found.or_else(only).ok_or_else(|| {
        // An out-of-range number is not a misspelled name.
        let has_number =
            wanted.rsplit_once('#').is_some_and(|(_, tail)| tail.parse::<u64>().is_ok());
        let meant = nearest_name(wanted, clips.iter().copied()).filter(|_| !has_number);
        let meant =
            meant.map_or(String::new(), |name| format!(" (did you mean `{}`?)", show_name(name)));
        let wanted = show_name(wanted);
        Failure::usage(format!(
            "no such {what}: `{wanted}`{meant}; available {what}s: {}",
            choices(clips)
        ))
    })
}

/// Lists the first twenty clips by number and name.
fn choices(clips: &[&str]) -> String {
    const LISTED: usize = 20;
    let listed = (1..).zip(clips).take(LISTED);
    let names: Vec<String> =
        listed.map(|(number, clip)| format!("#{number} {}", show_name(clip))).collect();
    match clips.len().saturating_sub(LISTED) {
        _ if names.is_empty() => "none".to_owned(),
        0 => names.join(", "),
        more => format!("{} and {}", names.join(", "), count(more, "more", "more")),
    }
}

#[cfg(test)]
mod tests {
    use anim_formats::anim_ir::{Clip, Motion, State, StateMachine};

    use super::*;

    #[test]
    fn clips_that_no_state_plays_follow_the_states() {
        let mut scene = Scene::default();
        let mut add = |name: &str| scene.add_clip(Clip { name: name.into(), ..Clip::default() });
        let (walk, both) = (add("walk"), add("both"));
        let mut machine = StateMachine::default();
        let motion = Motion::Clip(walk);
        let state = machine.add_state(State { name: "walk".into(), motion });
        let machine = scene.add_machine(machine);
        let picked =
            |wanted: &str| pick_playable(&scene, Some(wanted)).map_err(|failure| failure.message);
        assert_eq!(picked("walk"), Ok(Playable::State { machine, state }));
        assert_eq!(["both", "#2"].map(picked), [Playable::Clip(both); 2].map(Ok));
        let unknown = "no such clip: `run`; available clips: #1 walk, #2 both";
        assert_eq!(picked("run"), Err(unknown.to_owned()));
    }

    #[test]
    fn clips_by_name_and_number() {
        let all = ["walk", "run", "walk", "#1", ""];
        let picked =
            |wanted: &str| pick("clip", &all, Some(wanted)).map_err(|failure| failure.message);
        assert_eq!(
            ["run", "walk#1", "walk#2", "#1", "#3", "", "#5"].map(picked),
            [1, 0, 2, 3, 2, 4, 4].map(Ok)
        );
        assert_eq!(
            picked("walk"),
            Err("2 clips are named `walk`; use one of `walk#1` to `walk#2`".to_owned())
        );
        let none = "available clips: #1 walk, #2 run, #3 walk, #4 #1, #5 (no name)";
        for wanted in ["walk#3", "walk#0", "#0", "#6", "jump"] {
            assert_eq!(picked(wanted), Err(format!("no such clip: `{wanted}`; {none}")));
        }
        let meant = Err(format!("no such clip: `run#` (did you mean `run`?); {none}"));
        assert_eq!(picked("run#"), meant);
        assert_eq!(pick("clip", &["a"], None), Ok(0));
        let sets = ["Body/walk", "Body/run", "Arm/run"];
        assert_eq!(pick("clip", &sets, Some("walk")), Ok(0));
        assert!(
            pick("clip", &sets, Some("run")).is_err() && pick("clip", &sets, Some("")).is_err()
        );
        assert!(pick("clip", &[], None).is_err() && pick("clip", &all, None).is_err());
    }
}
