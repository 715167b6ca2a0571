//! State machines for Godot.

use std::collections::{BTreeSet, HashSet};

use anim_engines::{FromIrError, Godot, ToGodot, godot};
use anim_ir::format::{Format as _, Write as _};
use anim_ir::{Channel, JointId, Scene, SequenceOrder, TimelineBuilder, Wave};

use crate::{add_clip, add_sequence, codes, empty, many, odd_names, robot, without_poses};

/// Returns the file and the codes of losses, after checking the file's structure.
fn written(scene: &Scene) -> (String, Vec<&'static str>) {
    let written = godot(scene, &ToGodot::default()).unwrap();
    check(&written.value);
    (written.value, codes(&written.losses))
}

/// Checks that resources are numbered in order and defined before they are used.
fn check(file: &str) {
    let mut defined = 0_usize;
    for line in file.lines() {
        if let Some(rest) = line.strip_prefix("[sub_resource ") {
            defined += 1;
            assert!(rest.ends_with(&format!(" id={defined}]")), "{line}");
        }
        for used in line.split("SubResource( ").skip(1) {
            let number: usize = used.split(' ').next().unwrap().parse().unwrap();
            assert!((1..=defined).contains(&number), "{line}");
        }
    }
    let steps = format!("load_steps={} format=2]", defined + 1);
    assert!(file.lines().next().unwrap().ends_with(&steps));
}

/// Returns the transitions of the last machine in a file: names of states.
fn transitions(file: &str) -> Vec<(String, String)> {
    let root = file.split("[resource]").nth(1).unwrap();
    let Some(line) = root.lines().find_map(|line| line.strip_prefix("transitions = [ ")) else {
        return Vec::new();
    };
    let line = line.replace(r"\\", "|").replace(r#"\""#, "'");
    let names: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
    names.chunks(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned())).collect()
}

#[test]
fn a_machine_with_sequences() {
    let written = godot(&robot(), &ToGodot::default()).unwrap();
    check(&written.value);
    let losses: Vec<String> =
        written.losses.iter().map(|loss| format!("{}: {}", loss.code.id, loss.message)).collect();
    insta::assert_snapshot!(format!("{}\n{}", written.value, losses.join("\n")));
}

#[test]
fn animations_that_repeat_have_a_suffix_if_asked_for() {
    let options = ToGodot::default().with_loop_suffix(true);
    let written = godot(&robot(), &options).unwrap();
    let animations: BTreeSet<&str> =
        written.value.lines().filter_map(|line| line.strip_prefix("animation = ")).collect();
    let expected = ["\"patrol-loop\"", "\"scan-loop\"", "\"stand\""];
    assert_eq!(animations.into_iter().collect::<Vec<_>>(), expected);
    assert!(!codes(&written.losses).contains(&"godot-loss-loop"));
}

#[test]
fn states_lead_to_all_others_if_they_can_be_left() {
    let mut scene = empty();
    add_clip(&mut scene, "a", 0.0);
    add_sequence(&mut scene, "b", SequenceOrder::LoopForwards, &[(0, false, 1.0, true); 2]);
    let (file, losses) = written(&scene);
    assert_eq!(transitions(&file), [("a".to_owned(), "b".to_owned())]);
    assert_eq!(losses, ["godot-loss-exit"]);
}

#[test]
fn odd_names_are_escaped_and_unique() {
    let (file, losses) = written(&odd_names());
    assert_eq!(losses, ["engine-loss-name", "godot-loss-animation"]);
    let root = file.split("[resource]").nth(1).unwrap();
    insta::assert_snapshot!(
        root.lines().filter(|line| line.contains("/node")).collect::<Vec<_>>().join("\n")
    );
    let names: HashSet<(String, String)> = transitions(&file).into_iter().collect();
    assert_eq!(names.len(), 10 * 9);
}

#[test]
fn states_without_poses_are_reported() {
    let (file, losses) = written(&without_poses());
    assert!(losses.contains(&"engine-loss-rest"));
    assert_eq!(file.matches("AnimationNodeBlendTree").count(), 1);
}

#[test]
fn an_empty_machine_has_no_states() {
    let (file, losses) = written(&empty());
    assert_eq!((file.lines().count(), losses), (3, Vec::new()));
    assert_eq!(godot(&Scene::default(), &ToGodot::default()), Err(FromIrError::NoMachine));
}

#[test]
fn other_machines_are_reported() {
    let mut scene = robot();
    scene.machines.push(scene.machines[0].clone());
    assert!(written(&scene).1.contains(&"engine-loss-machines"));
}

#[test]
fn many_states_take_linear_space() {
    let [small, large] = [1_000, 10_000].map(|count| written(&many(count)));
    assert_eq!(large.1, ["godot-loss-transitions"]);
    assert!(large.0.len() < small.0.len() * 11, "{} after {}", large.0.len(), small.0.len());
}

#[test]
fn an_animation_that_starts_elsewhere_is_reported() {
    let clock = |seconds| {
        let mut scene = empty();
        add_clip(&mut scene, "still", 0.0);
        add_clip(&mut scene, "wave-loop", 2.0);
        let keys = [(0, true, seconds, false), (1, true, 2.0, false)];
        add_sequence(&mut scene, "s", SequenceOrder::LoopForwards, &keys);
        written(&scene).1.contains(&"engine-loss-clock")
    };
    assert!(!clock(4.0));
    assert!(clock(3.0));
}

#[test]
fn the_format_is_that_of_the_function() {
    let output = Godot::from_ir(&robot(), &ToGodot::default(), "robot").unwrap().value;
    assert_eq!(String::from_utf8(output.main).unwrap(), written(&robot()).0);
    assert_eq!(Godot::INFO.extensions, ["tres"]);
}

/// A GLB has a rest key for a joint that another state moves.
#[test]
fn a_state_that_stands_like_the_model_plays_its_animation() {
    let mut scene = empty();
    add_clip(&mut scene, "move", 0.0);
    add_clip(&mut scene, "rest", 0.0);
    for (clip, x) in scene.clips.iter_mut().zip([1.0, 0.0]) {
        let mut builder = TimelineBuilder::new("");
        let place = [x, 0.0, 0.0];
        let wave = Wave { start: place, end: place, ..Wave::default() };
        builder.wave(JointId::new(0).into(), Channel::Translation, wave).unwrap();
        clip.joints = Some(BTreeSet::from([JointId::new(0)]));
        scene.timelines[clip.timeline.index()] = builder.finish();
    }
    let (file, losses) = written(&scene);
    assert_eq!(losses, [""; 0]);
    assert_eq!(file.matches("AnimationNodeAnimation").count(), 2);
}

/// Godot leaves a joint in the previous state's pose if an animation has no key for it.
#[test]
fn states_that_move_different_joints_are_reported() {
    let mut scene = empty();
    add_clip(&mut scene, "bend", 2.0);
    add_clip(&mut scene, "rest", 2.0);
    for (joint, clip) in [0, 1].into_iter().zip(&mut scene.clips) {
        let mut builder = TimelineBuilder::new("");
        let wave = Wave { end: [1.0, 0.0, 0.0], period: 2.0, ..Wave::default() };
        builder.wave(JointId::new(joint).into(), Channel::Translation, wave).unwrap();
        clip.joints = Some(BTreeSet::from([JointId::new(joint)]));
        scene.timelines[clip.timeline.index()] = builder.finish();
    }
    let losses = godot(&scene, &ToGodot::default()).unwrap().losses;
    let found = losses.iter().filter(|loss| loss.code.id == "godot-loss-pose");
    assert_eq!(found.count(), 2);
    for clip in &mut scene.clips {
        clip.joints = None;
    }
    assert!(!written(&scene).1.contains(&"godot-loss-pose"));
}
