//! Animator Controllers.

use std::collections::{HashMap, HashSet};

use anim_engines::{FromIrError, ToUnity, Unity, unity};
use anim_ir::Scene;
use anim_ir::format::Write as _;

use crate::{codes, empty, many, odd_names, robot, without_poses};

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

/// Exit times and offsets are in lengths of a state: 2 s for `scan`, 5.5 s for a round of `patrol`,
/// and 1/60 s for `stand`, where nothing moves.
#[test]
fn keys_follow_each_other_at_the_times_of_the_sequence() {
    let (file, _) = written(&robot());
    let number = |object: &str, name: &str| -> f64 {
        let line = object.lines().find_map(|line| line.strip_prefix(&format!("  {name}: ")));
        line.unwrap().parse().unwrap()
    };
    let timed = file.split("--- !u!").filter(|object| object.contains("m_HasExitTime: 1"));
    let times: Vec<[f64; 3]> = timed
        .map(|object| {
            ["m_ExitTime", "m_TransitionDuration", "m_TransitionOffset"]
                .map(|name| number(object, name))
        })
        .collect();
    let expected = [
        // `patrol`: a morph of 1.5 s to `scan`, which plays from its start, then 4 s of `scan`.
        [0.0, 1.5, 0.0],
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
