//! Tests grouping clips into takes, and splitting models with several skeletons or takes. The
//! content of the resulting clips is checked by the tests of the program.

use anim_formats::anim_ir::{
    Channel, Clip, ClipId, Diagnostics, Interpolation, Joint, JointId, Scene, Skeleton, SkeletonId,
    StateMachine, TimelineBuilder,
};
use anim_formats::anm_text::Document;
use anim_formats::{SplitError, SplitOptions, split, takes};

use crate::assert_said;

/// Returns a scene with a skeleton for each number in `clips`. Each skeleton has the joints `a` and
/// `b`, suffixed with its number, with keys at 0, 1 and 2 s.
fn scene(clips: &[(&str, usize)]) -> Scene {
    let mut scene = Scene::default();
    for number in 0..=clips.iter().map(|(_, skeleton)| *skeleton).max().unwrap() {
        let mut skeleton = Skeleton::new(format!("s{number}"));
        skeleton.joints =
            ["a", "b"].map(|name| Joint::new(format!("{name}{number}"), None)).to_vec();
        scene.skeletons.push(skeleton);
    }
    for (name, skeleton) in clips {
        let mut builder = TimelineBuilder::new(*name).with_skeleton(SkeletonId::new(*skeleton));
        for joint in 0..2 {
            builder
                .keys(
                    JointId::new(joint).into(),
                    Channel::Translation,
                    Interpolation::Linear,
                    &[0.0, 1.0, 2.0],
                    &[0.5; 9],
                )
                .unwrap();
        }
        let timeline = scene.add_timeline(builder.finish());
        scene.add_clip(Clip { name: (*name).to_owned(), timeline, end: 2.0, ..Clip::default() });
    }
    scene
}

fn cut(scene: &mut Scene, take: usize, text: &str) -> Result<Diagnostics, SplitError> {
    let document = Document::parse(text.as_bytes()).unwrap().value;
    let take = takes(scene)[take].clone();
    split(scene, &take, &document, &SplitOptions::default())
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.clips.iter().map(|clip| clip.name.as_str()).collect()
}

#[test]
fn clips_with_the_same_name_for_several_skeletons_are_one_take() {
    let of = |clips: &[(&str, usize)]| {
        takes(&scene(clips))
            .into_iter()
            .map(|take| take.clips.into_iter().map(ClipId::index).collect())
            .collect::<Vec<Vec<usize>>>()
    };
    assert_eq!(of(&[("walk", 0), ("walk", 1), ("run", 0)]), [vec![0, 1], vec![2]]);
    assert_eq!(
        of(&[("walk", 0), ("walk", 0)]),
        [[0], [1]],
        "a skeleton cannot have two motions at once"
    );
    assert_eq!(of(&[("walk", 0), ("run", 0), ("walk", 1)]), [[0], [1], [2]]);
    assert!(takes(&Scene::default()).is_empty());
}

#[test]
fn the_skeleton_with_the_bones_is_cut() {
    let mut both = scene(&[("walk", 0), ("walk", 1)]);
    let losses = cut(&mut both, 0, "as S\nbl a1\nbl b1\nbl a0\nan 0 24 step\n").unwrap();
    assert_eq!(names(&both), ["walk", "S/step"]);
    let clip = both.clip(both.find_clip("S/step").unwrap()).unwrap();
    assert_eq!(both.timeline(clip.timeline).unwrap().skeleton, SkeletonId::new(1));
    assert_said(&losses, "split-elsewhere", "`s0`");
    assert!(anim_formats::anim_ir::validate(&both).is_empty());
}

#[test]
fn other_takes_are_unchanged() {
    let mut two = scene(&[("walk", 0), ("run", 0)]);
    let run = two.timelines[1].clone();
    cut(&mut two, 0, "as S\nbl a0\nan 0 24 step\nan 24 48 stop\n").unwrap();
    assert_eq!(names(&two), ["run", "S/step", "S/stop"]);
    assert_eq!(two.timeline(two.clips[0].timeline), Some(&run));
}

#[test]
fn if_nothing_is_cut_nothing_changes() {
    let whole = scene(&[("walk", 0)]);
    for text in ["as S\nbl a0\nan 100 200 late\n", "as S\nbl nobody\nan 0 24 walk\n"] {
        let mut refused = whole.clone();
        assert!(matches!(cut(&mut refused, 0, text), Err(SplitError::Nothing(1))), "{text}");
        assert_eq!(refused, whole);
    }
    let mut states = whole.clone();
    states.machines.push(StateMachine::default());
    assert!(matches!(cut(&mut states, 0, "as S\nbl a0\nan 0 24 step\n"), Err(SplitError::States)));
    assert_eq!(names(&states), ["walk"]);
}
