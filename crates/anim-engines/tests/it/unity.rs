//! Animator Controllers.

use std::collections::{BTreeSet, HashMap, HashSet};

use anim_engines::{FromIrError, ToUnity, Unity, unity};
use anim_ir::format::Write as _;
use anim_ir::{Scene, SequenceOrder};

use crate::{add_clip, add_sequence, codes, empty, many, odd_names, robot, without_poses};

/// Returns the file and the codes of losses, after checking the file's structure.
fn written(scene: &Scene) -> (String, Vec<&'static str>) {
    let written = unity(scene, &ToUnity::default(), "robot").unwrap();
    check(&written.value);
    (written.value, codes(&written.losses))
}

/// Checks that all objects that are referred to exist and have the right class, and that all are
/// referred to.
fn check(file: &str) {
    let classes: HashMap<&str, &str> = file
        .split("--- !u!")
        .skip(1)
        .map(|object| {
            let head = object.lines().next().unwrap();
            let (class, id) = head.split_once(" &").unwrap();
            (id, class)
        })
        .collect();
    assert_eq!(classes.len(), file.matches("--- !u!").count(), "an ID occurs twice");
    let mut used = HashSet::from(["9100000"]);
    let mut list = "";
    for line in file.lines() {
        if line.starts_with("  m_") && !line.contains("{fileID") {
            list = line.trim();
        }
        let Some(id) = line.split("{fileID: ").nth(1).map(|rest| rest.trim_end_matches('}')) else {
            continue;
        };
        let key = line.trim().trim_start_matches("- ").split(':').next().unwrap();
        let expected = match key {
            _ if id == "0" => continue,
            "m_State" | "m_DstState" | "m_DefaultState" => "1102",
            "m_StateMachine" | "m_DstStateMachine" | "first" => "1107",
            "m_Controller" => "91",
            _ if list == "m_Transitions:" => "1101",
            _ => "1109",
        };
        assert_eq!(classes.get(id).copied(), Some(expected), "{list} {line}");
        used.insert(id);
    }
    assert_eq!(used.len(), classes.len());
}

#[test]
fn a_controller_with_sequences() {
    let written = unity(&robot(), &ToUnity::default(), "robot").unwrap();
    check(&written.value);
    let losses: Vec<String> =
        written.losses.iter().map(|loss| format!("{}: {}", loss.code.id, loss.message)).collect();
    insta::assert_snapshot!(format!("{}\n{}", written.value, losses.join("\n")));
}

#[test]
fn odd_names_are_quoted_and_unique() {
    let (file, losses) = written(&odd_names());
    assert_eq!(losses, ["engine-loss-name", "unity-loss-motion"]);
    let names = file.lines().filter(|line| line.starts_with("  m_Name: ") && line.len() > 10);
    insta::assert_snapshot!(names.collect::<Vec<_>>().join("\n"));
}

#[test]
fn states_without_poses_are_reported() {
    assert!(written(&without_poses()).1.contains(&"engine-loss-rest"));
}

#[test]
fn an_empty_machine_has_no_states() {
    let (file, losses) = written(&empty());
    assert_eq!((file.matches("--- ").count(), losses), (2, Vec::new()));
    assert_eq!(unity(&Scene::default(), &ToUnity::default(), ""), Err(FromIrError::NoMachine));
}

#[test]
fn many_states_take_linear_space() {
    let [small, large] = [1_000, 10_000].map(|count| written(&many(count)).0.len());
    assert!(large < small * 11, "{large} after {small}");
}

#[test]
fn the_format_is_that_of_the_function() {
    let output = Unity::from_ir(&robot(), &ToUnity::default(), "robot").unwrap().value;
    assert_eq!(String::from_utf8(output.main).unwrap(), written(&robot()).0);
}

/// Returns a field of an object.
fn number(object: &str, name: &str) -> f64 {
    let line = object.lines().find_map(|line| line.strip_prefix(&format!("  {name}: ")));
    line.unwrap().parse().unwrap()
}

/// Exit times and offsets are in lengths of a state: 2 s for `scan`, 5.5 s for a round of `patrol`,
/// and 1/60 s for `stand`, where nothing moves.
#[test]
fn keys_follow_each_other_at_the_times_of_the_sequence() {
    let (file, _) = written(&robot());
    let timed = file.split("--- !u!").filter(|object| object.contains("m_HasExitTime: 1"));
    let times: Vec<[f64; 3]> = timed
        .map(|object| {
            ["m_ExitTime", "m_TransitionDuration", "m_TransitionOffset"]
                .map(|name| number(object, name))
        })
        .collect();
    let expected = [
        // `patrol`: 4 s of `scan`, which plays from the start of the morph of 1.5 s before it.
        [5.5 / 2.0, 0.0, 0.0],
        // `salute`: 2 s of `scan`.
        [1.0, 0.0, 0.0],
        // `shift`: 5.5 s of `patrol`, then 1 s of `stand`.
        [1.0, 0.0, 0.0],
        [60.0, 0.0, 0.0],
    ];
    assert_eq!(times.len(), expected.len());
    for (found, expected) in times.iter().flatten().zip(expected.iter().flatten()) {
        assert!((found - expected).abs() < 1e-9, "{times:?}");
    }
}

/// Unity never fires a transition with an exit time of 0 and ignores one with neither an exit time
/// nor a condition.
#[test]
fn a_morph_starts_at_once_whatever_is_selected() {
    let mut scene = empty();
    add_clip(&mut scene, "shut", 0.0);
    add_clip(&mut scene, "wide", 0.0);
    let keys = [(0, false, 2.0, true), (1, true, 3.0, true)];
    add_sequence(&mut scene, "open", SequenceOrder::LoopForwards, &keys);
    let (file, _) = written(&scene);
    let conditions = |seconds: f64| -> Vec<(f64, f64)> {
        let transitions = file.split("--- !u!").filter(|object| object.starts_with("1101 "));
        let morphs = transitions.filter(|it| number(it, "m_TransitionDuration") == seconds);
        let condition = |morph: &str| {
            assert_eq!(number(morph, "m_HasExitTime"), 0.0);
            let morph = morph.replace("- m_", "  m_").replace("    m_", "  m_");
            (number(&morph, "m_ConditionMode"), number(&morph, "m_EventTreshold"))
        };
        morphs.map(condition).collect()
    };
    let (equal, not_equal) = (6.0, 7.0);
    assert_eq!(conditions(2.0), [(equal, 2.0), (not_equal, 2.0)]);
    // If another state is selected, the sequence is left at this key.
    assert_eq!(conditions(3.0), [(equal, 2.0)]);
}

/// A Unity state without an animation lasts for a second.
#[test]
fn a_key_without_an_animation_is_held_for_its_time() {
    let mut scene = empty();
    add_clip(&mut scene, "idle", 0.0);
    add_clip(&mut scene, "wave", 2.0);
    scene.clips[0].joints = Some(BTreeSet::new());
    let keys = [(0, false, 2.0, false), (1, true, 2.0, false)];
    add_sequence(&mut scene, "both", SequenceOrder::LoopForwards, &keys);
    let (file, _) = written(&scene);
    let timed = file.split("--- !u!").filter(|object| object.contains("m_HasExitTime: 1"));
    let times: Vec<f64> = timed.map(|object| number(object, "m_ExitTime")).collect();
    // 2 of 1 s, and 2 of 2 s: the wave starts where the clock of the sequence is, at 2 s.
    assert_eq!(times, [2.0, 1.0]);
}
