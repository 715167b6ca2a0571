//! Reads the writer's output with a small, independent reader that follows the format's
//! documentation.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests fail loudly"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Neg;

use anim_cast::{Cast, FromIr, FromIrError, from_ir};
use anim_ir::Interpolation::{Cubic, Linear, Step};
use anim_ir::format::{SeveralClips, Write};
use anim_ir::{
    Axes, Channel, Clip, EulerOrder, Event, Extras, Interpolation, Joint, JointId, Limits, Mat4,
    Mesh, MorphTarget, NodeId, PoseSpace, Quat, Scene, Skeleton, StatedUp, Target, TimeBase,
    TimelineBuilder, Transform, Value, Vec3, Wave, WaveShape, Wrap,
};

/// A property's elements.
#[derive(Clone, Debug, PartialEq)]
enum Data {
    Text(String),
    Integers(Vec<u64>),
    Floats(Vec<f32>),
}

#[derive(Debug)]
struct Node {
    id: [u8; 4],
    hash: u64,
    properties: BTreeMap<String, Data>,
    children: Vec<Node>,
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take(&mut self, count: usize) -> Vec<u8> {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken.to_vec()
    }

    fn number(&mut self, bytes: usize) -> u64 {
        self.take(bytes).iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
    }

    fn size(&mut self) -> usize {
        usize::try_from(self.number(4)).unwrap()
    }

    fn floats(&mut self, count: usize) -> Data {
        let mut float = || f32::from_le_bytes(self.take(4).try_into().unwrap());
        Data::Floats((0..count).map(|_| float()).collect())
    }

    fn integers(&mut self, count: usize, bytes: usize) -> Data {
        Data::Integers((0..count).map(|_| self.number(bytes)).collect())
    }

    fn property(&mut self) -> (String, Data) {
        let kind = self.take(2);
        let name_length = usize::try_from(self.number(2)).unwrap();
        let length = self.size();
        let name = String::from_utf8(self.take(name_length)).unwrap();
        let data = match kind.as_slice() {
            b"f\0" => self.floats(length),
            b"3v" => self.floats(length * 3),
            b"4v" => self.floats(length * 4),
            b"b\0" => self.integers(length, 1),
            b"h\0" => self.integers(length, 2),
            b"i\0" => self.integers(length, 4),
            b"s\0" => {
                assert_eq!(length, 1);
                let end = self.0.iter().position(|byte| *byte == 0).unwrap();
                let text = String::from_utf8(self.take(end)).unwrap();
                self.take(1);
                Data::Text(text)
            }
            other => panic!("{other:?}"),
        };
        (name, data)
    }

    fn node(&mut self) -> Node {
        let before = self.0.len();
        let id = self.take(4).try_into().unwrap();
        let size = self.size();
        let hash = self.number(8);
        let (properties, children) = (self.size(), self.size());
        let properties = (0..properties).map(|_| self.property()).collect();
        let children = (0..children).map(|_| self.node()).collect();
        assert_eq!(before - self.0.len(), size, "of {id:?}");
        Node { id, hash, properties, children }
    }
}

impl Node {
    fn all(&self, id: &[u8; 4]) -> Vec<&Node> {
        self.children.iter().filter(|node| &node.id == id).collect()
    }

    fn text(&self, name: &str) -> &str {
        let Data::Text(text) = &self.properties[name] else { panic!("{name}") };
        text
    }

    fn integers(&self, name: &str) -> &[u64] {
        let Data::Integers(list) = &self.properties[name] else { panic!("{name}") };
        list
    }

    fn floats(&self, name: &str) -> &[f32] {
        let Data::Floats(list) = &self.properties[name] else { panic!("{name}") };
        list
    }

    fn hashes(&self) -> Vec<u64> {
        self.children.iter().flat_map(Node::hashes).chain([self.hash]).collect()
    }
}

fn read(bytes: &[u8]) -> Node {
    let mut reader = Reader(bytes);
    assert_eq!(reader.take(4), b"cast");
    assert_eq!((reader.number(4), reader.number(4), reader.number(4)), (1, 1, 0));
    let root = reader.node();
    assert!(reader.0.is_empty());
    assert_eq!(&root.id, b"root");
    let hashes = root.hashes();
    assert_eq!(hashes.iter().collect::<BTreeSet<_>>().len(), hashes.len(), "unique hashes");
    root
}

/// Returns the frames and values of the curve of a bone's property.
fn curve<'a>(root: &'a Node, bone: &str, property: &str) -> (&'a [u64], &'a [f32]) {
    let animation = root.all(b"anim")[0];
    let found: Vec<&Node> = animation
        .all(b"curv")
        .into_iter()
        .filter(|curve| curve.text("nn") == bone && curve.text("kp") == property)
        .collect();
    assert_eq!(found.len(), 1, "{bone} {property}");
    assert_eq!(found[0].text("m"), "absolute");
    (found[0].integers("kb"), found[0].floats("kv"))
}

const HALF_TURN: [f32; 8] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0];

/// Returns a scene with two bones, a timeline at 24 frames per second, and a clip from 1 s to 2 s.
fn scene(add: impl FnOnce(&mut TimelineBuilder)) -> Scene {
    let mut skeleton = Skeleton::new("arm");
    let rest = Transform { translation: Vec3::new(0.0, 1.5, 0.0), ..Transform::IDENTITY };
    skeleton.joints = vec![
        Joint::new("shoulder", None),
        Joint { rest, ..Joint::new("elbow", Some(JointId::new(0))) },
    ];
    let mut builder =
        TimelineBuilder::new("take").with_time_base(TimeBase::Frames { per_second: 24.0 });
    add(&mut builder);
    let clip =
        Clip { name: "wave".to_owned(), start: 1.0, end: 2.0, wrap: Wrap::Loop, ..Clip::default() };
    Scene {
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips: vec![clip],
        ..Scene::default()
    }
}

/// Returns the written file and the codes of the reported losses.
fn written(scene: &Scene, options: &FromIr) -> (Node, Vec<&'static str>) {
    let written = from_ir(scene, options).unwrap();
    (read(&written.value), written.losses.iter().map(|loss| loss.code.id).collect())
}

fn keys(
    builder: &mut TimelineBuilder,
    channel: Channel,
    interpolation: Interpolation,
    times: &[f32],
    values: &[f32],
) {
    builder.keys(JointId::new(1).into(), channel, interpolation, times, values).unwrap();
}

/// Returns the [`scene`] with a track for the second bone.
fn moving(channel: Channel, interpolation: Interpolation, times: &[f32], values: &[f32]) -> Scene {
    scene(|builder| keys(builder, channel, interpolation, times, values))
}

/// The times of two keys: 1 s and 2 s.
const SECOND: [f32; 2] = [1.0, 2.0];

/// Coordinates are not changed, so the file says which axis is up.
#[test]
fn the_up_axis_is_that_of_the_scene() {
    let up = |up: StatedUp, axes: Axes| {
        let scene = Scene { up, ..moving(Channel::Translation, Linear, &SECOND, &[0.0; 6]) };
        let root = written(&scene.in_axes(axes), &FromIr::default()).0;
        root.all(b"meta")[0].text("up").to_owned()
    };
    assert_eq!(up(StatedUp::Z("of its dialect"), Axes::YUp), "z");
    assert_eq!(up(StatedUp::ByFormat, Axes::YUp), "y");
    // Scenes with y down are rotated to y up.
    assert_eq!(up(StatedUp::ByFormat, Axes::YDown), "y");
}

#[test]
fn keys_on_whole_frames_are_written_unchanged() {
    let seconds = [1.0, 1.0 + 7.0 / 24.0, 2.0];
    let scene = scene(|builder| {
        let moves = [0.0, 1.0, 2.0, 0.5, 1.0, 2.0, 4.0, 5.0, 6.0];
        keys(builder, Channel::Translation, Linear, &seconds, &moves);
        keys(builder, Channel::Rotation, Linear, &SECOND, &HALF_TURN);
        builder.constant(JointId::new(0).into(), Channel::Scale, &[1.0, 2.0, 3.0]).unwrap();
        let payload = Extras::from([("x".to_owned(), Value::Bool(true))]);
        builder.event(Event { time: 1.5, name: "step".to_owned(), payload, group: None });
        for (time, name) in [(2.0, "step"), (1.01, "hop"), (2.1, "later")] {
            builder.event(Event { time, name: name.to_owned(), ..Event::default() });
        }
    });
    let (root, losses) = written(&scene, &FromIr::default());
    assert_eq!(losses, ["cast-event-moved", "cast-loss-payload"]);
    assert_eq!(root.all(b"meta")[0].text("up"), "y");
    let bones = root.all(b"modl")[0].all(b"skel")[0].all(b"bone");
    let parents: Vec<(&str, &[u64])> =
        bones.iter().map(|bone| (bone.text("n"), bone.integers("p"))).collect();
    assert_eq!(parents, [("shoulder", &[0xffff_ffff][..]), ("elbow", &[0])]);
    assert_eq!(
        (bones[1].floats("lp"), bones[1].floats("lr"), bones[1].floats("s")),
        (&[0.0, 1.5, 0.0][..], &[0.0, 0.0, 0.0, 1.0][..], &[1.0; 3][..])
    );
    assert_eq!(bones[1].integers("ssc"), [0]);
    let animation = root.all(b"anim")[0];
    assert_eq!(
        (animation.text("n"), animation.floats("fr"), animation.integers("lo")),
        ("wave", &[24.0][..], &[1][..])
    );
    assert_eq!(curve(&root, "elbow", "tx"), (&[0, 7, 24][..], &[0.0, 0.5, 4.0][..]));
    assert_eq!(curve(&root, "elbow", "tz"), (&[0, 7, 24][..], &[2.0, 2.0, 6.0][..]));
    assert_eq!(curve(&root, "elbow", "rq"), (&[0, 24][..], &HALF_TURN[..]));
    assert_eq!(curve(&root, "shoulder", "sy"), (&[0][..], &[2.0][..]));
    assert_eq!(animation.all(b"curv").len(), 3 + 1 + 3);
    let tracks = animation.all(b"ntif");
    let events: Vec<(&str, &[u64])> =
        tracks.iter().map(|track| (track.text("n"), track.integers("kb"))).collect();
    assert_eq!(events, [("hop", &[0][..]), ("step", &[12, 24])]);
    let (alone, _) = written(&scene, &FromIr::default().with_skeleton(false));
    assert!(alone.all(b"modl").is_empty() && alone.all(b"anim").len() == 1);
}

/// Events of other groups on the same timeline are not part of the clip.
#[test]
fn only_events_of_the_clips_group_are_written() {
    let mut scene = scene(|builder| {
        keys(builder, Channel::Translation, Linear, &SECOND, &[0.0; 6]);
        for (name, group) in [("all", None), ("arm", Some("Arm")), ("leg", Some("Leg"))] {
            let group = group.map(str::to_owned);
            builder.event(Event { time: 1.5, name: name.to_owned(), group, ..Event::default() });
        }
        builder.wave(JointId::new(0).into(), Channel::Scale, Wave::default()).unwrap();
    });
    let mut names = |group: Option<&str>| {
        scene.clips[0].group = group.map(str::to_owned);
        let (root, losses) = written(&scene, &FromIr::default());
        assert!(!losses.contains(&"cast-loss-extras"));
        let tracks = root.all(b"anim")[0].all(b"ntif");
        tracks.iter().map(|track| track.text("n").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(Some("Arm")), ["all", "arm"]);
    assert_eq!(names(None), ["all", "arm", "leg"], "a clip without a group contains all events");
}

/// A clip that covers part of its timeline gets keys at its start and end, and none outside.
#[test]
fn a_clip_inside_a_timeline_has_keys_at_its_start_and_end() {
    let moves = [0.0, 0.0, 0.0, 4.0, 0.0, 8.0];
    let scene = moving(Channel::Translation, Linear, &[0.0, 4.0], &moves);
    let (root, losses) = written(&scene, &FromIr::default());
    assert!(losses.is_empty());
    assert_eq!(curve(&root, "elbow", "tx"), (&[0, 24][..], &[1.0, 2.0][..]));
    assert_eq!(curve(&root, "elbow", "tz"), (&[0, 24][..], &[2.0, 4.0][..]));
}

#[test]
fn steps_hold_until_the_previous_frame() {
    let scene = scene(|builder| {
        let moves = [1.0, 2.0, 3.0].map(|x| [x, 0.0, 0.0]).concat();
        keys(builder, Channel::Translation, Step, &[0.5, 1.5, 2.0], &moves);
        keys(builder, Channel::Visibility, Step, &[1.0, 1.5], &[1.0, 0.0]);
    });
    let (root, losses) = written(&scene, &FromIr::default());
    assert!(losses.is_empty());
    let steps = (&[0, 11, 12, 23, 24][..], &[1.0, 1.0, 2.0, 2.0, 3.0][..]);
    assert_eq!(curve(&root, "elbow", "tx"), steps);
    let curves = root.all(b"anim")[0].all(b"curv");
    let seen = curves.iter().find(|curve| curve.text("kp") == "vb").unwrap();
    assert_eq!((seen.integers("kb"), seen.integers("kv")), (&[0, 11, 12][..], &[1, 1, 0][..]));
}

#[test]
fn keys_between_frames_are_sampled() {
    let moves = [0.0, 5.1, 10.0].map(|x| [x, 0.0, 0.0]).concat();
    let between = moving(Channel::Translation, Linear, &[1.0, 1.51, 2.0], &moves);
    let (root, losses) = written(&between, &FromIr::default());
    assert_eq!(losses, ["cast-sampled"]);
    let (frames, values) = curve(&root, "elbow", "tx");
    assert!(frames.iter().copied().eq(0..=24));
    let mut apart =
        frames.iter().zip(values).map(|(frame, value)| f64::from(*value) - *frame as f64 / 2.4);
    assert!(apart.all(|apart| apart.abs() < 1e-5), "{values:?}");
    // At another rate, the same keys are on whole frames.
    let (root, losses) = written(&between, &FromIr::default().with_frames_per_second(Some(100.0)));
    assert!(losses.is_empty());
    assert_eq!(curve(&root, "elbow", "tx"), (&[0, 51, 100][..], &[0.0, 5.1, 10.0][..]));
    let spline = moving(Channel::Scale, Cubic, &SECOND, &[1.0; 18]);
    assert_eq!(written(&spline, &FromIr::default()).1, ["cast-sampled"]);
    let mut short = moving(Channel::Scale, Linear, &SECOND, &[1.0; 6]);
    short.clips[0].end = 1.99;
    assert_eq!(written(&short, &FromIr::default()).1, ["cast-range"]);
}

/// Angles and waves are baked first, and axes are converted.
#[test]
fn other_forms_of_motion_are_baked() {
    let mut scene = scene(|builder| {
        let (shape, end) = (WaveShape::Sine, [0.0, 2.0, 0.0]);
        let wave = Wave { shape, end, period: 1.0, ..Wave::default() };
        builder.wave(JointId::new(0).into(), Channel::Translation, wave).unwrap();
        let turns = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
        keys(builder, Channel::Euler(EulerOrder::Zyx), Linear, &SECOND, &turns);
    });
    let (root, losses) = written(&scene, &FromIr::default());
    assert!(losses.contains(&"ir-baked"), "{losses:?}");
    let (frames, values) = curve(&root, "elbow", "rq");
    let last = &values[values.len() - 4..];
    assert_eq!(frames.last(), Some(&24));
    assert!((last[0] - 0.5_f32.sin()).abs() < 1e-5, "{last:?}");
    let upright = curve(&root, "shoulder", "ty").1.to_vec();
    scene.axes = Axes::YDown;
    let (turned, _) = written(&scene, &FromIr::default());
    let turned = curve(&turned, "shoulder", "ty").1;
    assert!(upright.iter().any(|y| *y > 1.0));
    assert_eq!(turned.len(), upright.len());
    assert!(turned.iter().zip(&upright).all(|(turned, upright)| turned == &-upright));
}

/// Consecutive quaternions of a rotation are in the same hemisphere.
#[test]
fn quaternions_do_not_jump() {
    let turn = |angle: f64| Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), angle).to_array();
    let values = [0.0, 2.0, 4.0, 6.0, 8.0].map(turn);
    let values =
        [values[0], values[1].map(Neg::neg), values[2], values[3].map(Neg::neg), values[4]];
    let times = [1.0, 1.25, 1.5, 1.75, 2.0];
    let scene = moving(Channel::Rotation, Linear, &times, values.as_flattened());
    let (root, _) = written(&scene, &FromIr::default());
    let (frames, values) = curve(&root, "elbow", "rq");
    assert_eq!(frames, [0, 6, 12, 18, 24]);
    for pair in values.chunks(4).collect::<Vec<_>>().windows(2) {
        assert!(pair[0].iter().zip(pair[1]).map(|(a, b)| a * b).sum::<f32>() > 0.0);
    }
}

/// Writes a clip that moves only some joints of a skeleton with duplicate names, with frame numbers
/// above 255.
#[test]
fn joint_masks_duplicate_names_and_long_clips_are_written() {
    let mut scene = scene(|builder| {
        let times = [1.0, 1.0 + 300.0 / 24.0, 1.0 + 70_000.0 / 24.0];
        keys(builder, Channel::Scale, Linear, &times, &[1.0; 9]);
        builder.constant(JointId::new(0).into(), Channel::Scale, &[1.0; 3]).unwrap();
    });
    scene.skeletons[0].joints[0].name = "Elbow".to_owned();
    scene.clips[0].joints = Some(BTreeSet::from([JointId::new(1)]));
    scene.clips[0].end = 1.0 + 70_000.0 / 24.0;
    let (root, losses) = written(&scene, &FromIr::default());
    assert_eq!(losses, ["cast-loss-name"]);
    assert_eq!(curve(&root, "elbow.001", "sx"), (&[0, 300, 70_000][..], &[1.0; 3][..]));
    assert_eq!(root.all(b"anim")[0].all(b"curv").len(), 3);
    scene.clips[0].end = 1.0 + 300.0 / 24.0;
    assert_eq!(curve(&written(&scene, &FromIr::default()).0, "elbow.001", "sx").0, [0, 300]);
}

#[test]
fn scenes_that_cannot_be_written_are_rejected() {
    let mut scene = moving(Channel::Scale, Cubic, &SECOND, &[1.0; 18]);
    for rate in [0.0, -1.0, 1e-99, f64::NAN, f64::INFINITY] {
        let options = FromIr::default().with_frames_per_second(Some(rate));
        assert!(matches!(from_ir(&scene, &options), Err(FromIrError::Rate(_))), "{rate}");
    }
    let few = Limits { memory: Some(4 * 64 * 2), ..Limits::default() };
    let few = FromIr::default().with_limits(few);
    assert!(matches!(from_ir(&scene, &few), Err(FromIrError::Limit(_))));
    scene.clips[0].end = f32::MAX;
    assert!(matches!(from_ir(&scene, &FromIr::default()), Err(FromIrError::Limit(_))));
    scene.clips[0].end = f32::NAN;
    assert!(matches!(from_ir(&scene, &FromIr::default()), Err(FromIrError::Invalid(_))));
    let scene = Scene { skeletons: Vec::new(), ..scene_without_tracks() };
    assert_eq!(from_ir(&scene, &FromIr::default()), Err(FromIrError::NoSkeleton));
}

fn scene_without_tracks() -> Scene {
    scene(|_| {})
}

/// The format declares that a file can hold only one clip, and the writer rejects several.
#[test]
fn one_clip_per_file() {
    let mut scene = scene_without_tracks();
    let alone = Cast::from_ir(&scene, &FromIr::default(), "name").unwrap().value;
    assert_eq!(alone.main, from_ir(&scene, &FromIr::default()).unwrap().value);
    scene.clips.push(Clip { name: "run".to_owned(), ..scene.clips[0].clone() });
    let several = SeveralClips(vec!["wave".to_owned(), "run".to_owned()]);
    const { assert!(Cast::HOLDS_ONE_CLIP) };
    assert_eq!(from_ir(&scene, &FromIr::default()), Err(FromIrError::SeveralClips(several)));
    scene.clips.clear();
    assert_eq!(from_ir(&scene, &FromIr::default()), Err(FromIrError::Empty));
}

/// Clips play once or in a loop.
#[test]
fn clips_that_swing_are_reported() {
    let mut scene = moving(Channel::Translation, Linear, &SECOND, &[0.0; 6]);
    let mut losses = |wrap| {
        scene.clips[0].wrap = wrap;
        written(&scene, &FromIr::default()).1
    };
    assert_eq!(losses(Wrap::Loop), [""; 0]);
    assert_eq!(losses(Wrap::PingPong), ["cast-loss-wrap"]);
    assert_eq!(losses(Wrap::PingPongOnce), ["cast-loss-wrap"]);
}

/// No joint is evaluated at the keys of another, so a scene can have many joints with keys at
/// different times.
#[test]
fn many_joints_with_keys_at_different_times_are_written() {
    let in_turn = |count: usize| {
        let mut scene = scene_without_tracks();
        let joint = |number: usize| Joint::new(format!("j{number}"), None);
        scene.skeletons[0].joints = (0..count).map(joint).collect();
        let mut builder = TimelineBuilder::new("in turn");
        for number in 0..count {
            let times = [0, 1].map(|after| (number + after) as f32 / 30.0);
            let target = JointId::new(number).into();
            let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
            builder.keys(target, Channel::Translation, Linear, &times, &values[..]).unwrap();
        }
        scene.timelines = vec![builder.finish()];
        (scene.clips[0].start, scene.clips[0].end) = (0.0, count as f32 / 30.0);
        from_ir(&scene, &FromIr::default())
    };
    let root = read(&in_turn(8000).unwrap().value);
    assert_eq!(root.all(b"anim")[0].all(b"curv").len(), 3 * 8000);
    assert_eq!(curve(&root, "j7999", "tx"), (&[7999, 8000][..], &[0.0, 1.0][..]));
}

/// Bones have translation, rotation and scale, and no shapes to morph.
#[test]
fn shear_and_morph_weights_are_reported() {
    let mut scene = moving(Channel::Rotation, Linear, &SECOND, &HALF_TURN);
    let losses = |scene: &Scene| written(scene, &FromIr::default()).1;
    assert_eq!(losses(&scene), [""; 0]);
    let mut columns = Transform::IDENTITY.to_matrix().to_columns();
    columns[4] = 0.5;
    scene.skeletons[0].joints[1].exact_rest = Some(Mat4::from_columns(columns));
    assert_eq!(losses(&scene), ["cast-loss-shear"]);
    scene.skeletons[0].joints[1].exact_rest = None;
    // Keys that turn before an uneven scale at rest shear what is below.
    scene.skeletons[0].joints[1].rest.scale = Vec3::new(1.0, 2.0, 1.0);
    assert_eq!(losses(&scene), [""; 0]);
    scene.timelines[0].pose_space = PoseSpace::DeltaFromRest;
    assert!(losses(&scene).contains(&"cast-loss-shear"), "{:?}", losses(&scene));

    let mesh = Mesh {
        positions: vec![Vec3::ZERO],
        morph_targets: vec![MorphTarget { positions: vec![Vec3::ONE], ..MorphTarget::default() }],
        morph_weights: vec![0.0],
        ..Mesh::default()
    };
    let mut scene = self::scene(|builder| {
        let target = Target::Node(NodeId::new(0));
        builder.keys(target, Channel::MorphWeights, Linear, &SECOND, &[0.0, 1.0]).unwrap();
    });
    let mesh = Some(scene.add_mesh(mesh));
    scene.add_node(anim_ir::Node { mesh, ..anim_ir::Node::default() });
    let (root, losses) = written(&scene, &FromIr::default());
    assert!(losses.contains(&"cast-loss-morph"), "{losses:?}");
    assert!(root.all(b"anim")[0].all(b"curv").is_empty());
}
