use anim_ir::{
    Channel, Clip, ClipId, EulerOrder, Event, Interpolation, Joint, JointId, Scene, Skeleton,
    TimeBase, TimelineBuilder, Wave, WaveShape,
};
use anim_preview::{DiagramError, DiagramOptions, curves};
use roxmltree::{Document, Node};

use crate::drawn::{assert_near, axis, parsed, points, scale, seconds, texts};

const HIP: JointId = JointId::new(0);
const KNEE: JointId = JointId::new(1);

/// A scene with all interpolations, an Euler wave, constant channels, events and another clip.
pub(crate) fn scene() -> Scene {
    let mut skeleton = Skeleton::new("leg");
    let hip = skeleton.add_joint(Joint::new("hip", None));
    skeleton.add_joint(Joint::new("knee", Some(hip)));
    let mut builder =
        TimelineBuilder::new("take").with_time_base(TimeBase::Frames { per_second: 10.0 });
    let times = [0.0, 0.5, 2.0];
    let line = [0.0, 1.0, 0.0, 2.0, 1.5, 0.0, -1.0, 1.0, 0.0];
    builder.keys(HIP.into(), Channel::Translation, Interpolation::Linear, &times, &line).unwrap();
    let steps = [1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 3.0, 1.0, 1.0];
    builder.keys(HIP.into(), Channel::Scale, Interpolation::Step, &times, &steps).unwrap();
    let spline = [[0.0; 3], [0.0; 3], [4.0, 0.0, 0.0], [-4.0, 0.0, 0.0], [1.0; 3], [0.0; 3]];
    let spline = spline.as_flattened();
    let cubic = Interpolation::Cubic;
    builder.keys(KNEE.into(), Channel::Translation, cubic, &[0.0, 2.0], spline).unwrap();
    let wave = Wave {
        shape: WaveShape::Sawtooth,
        end: [0.0, 0.0, std::f32::consts::PI],
        period: 1.0,
        ..Wave::default()
    };
    builder.wave(KNEE.into(), Channel::Euler(EulerOrder::Xyz), wave).unwrap();
    builder.constant(KNEE.into(), Channel::Scale, &[2.0, 2.0, 2.0]).unwrap();
    builder.event(Event { time: 0.5, name: "step".to_owned(), ..Event::default() });
    builder.event(Event { time: 2.0, name: "last".to_owned(), ..Event::default() });
    builder.event(Event { time: 2.5, name: "later".to_owned(), ..Event::default() });
    let mut scene = Scene::default();
    let skeleton = scene.add_skeleton(skeleton);
    let timeline = scene.add_timeline(builder.with_skeleton(skeleton).finish());
    let clip = |name: &str, start, end| Clip {
        name: name.to_owned(),
        timeline,
        start,
        end,
        ..Clip::default()
    };
    scene.clips = vec![clip("walk", 0.0, 2.0), clip("part", 1.0, 3.0), clip("next", 2.0, 3.0)];
    scene
}

fn drawn(scene: &Scene, clip: usize) -> String {
    curves(scene, ClipId::new(clip), &DiagramOptions::default()).unwrap()
}

/// The panel of a channel, and where its values are.
fn panel<'a, 'b>(
    document: &'a Document<'b>,
    target: &str,
    channel: &str,
) -> (Node<'a, 'b>, impl Fn(f64) -> f64 + use<>) {
    let panel = document
        .descendants()
        .find(|node| {
            node.attribute("data-target") == Some(target)
                && node.attribute("data-channel") == Some(channel)
        })
        .unwrap();
    // A label is centred at its tick.
    let ticks: Vec<(f64, f64)> =
        texts(panel).iter().map(|(label, _, y)| (label.parse().unwrap(), y - 3.5)).collect();
    (panel, axis(&ticks))
}

/// The points of a component's curve or of its keys.
fn line(panel: Node<'_, '_>, class: &str) -> Vec<(f64, f64)> {
    let path = panel.children().find(|node| node.attribute("class") == Some(class));
    path.map(points).unwrap_or_default()
}

#[test]
fn keys_are_where_the_axes_say() {
    let svg = drawn(&scene(), 0);
    let document = parsed(&svg);
    let x = seconds(&document);
    let (hip, y) = panel(&document, "hip", "translation");
    let expected = [[0.0, 1.0, 0.0], [2.0, 1.5, 0.0], [-1.0, 1.0, 0.0]];
    for component in 0..3 {
        let keys = line(hip, &format!("k c{component}"));
        assert_eq!(keys.len(), 3);
        for ((key, time), value) in keys.iter().zip([0.0, 0.5, 2.0]).zip(expected) {
            assert_near(*key, (x(time), y(value[component])));
        }
    }
    // Ten frames are a second.
    let frames = scale(&document, "frame");
    assert!((frames(5.0) - x(0.5)).abs() < 0.02 && (frames(20.0) - x(2.0)).abs() < 0.02);
}

#[test]
fn interpolations_are_drawn_as_they_are() {
    let svg = drawn(&scene(), 0);
    let document = parsed(&svg);
    let x = seconds(&document);
    let (hip, y) = panel(&document, "hip", "scale");
    let mut steps = line(hip, "c c0");
    steps.dedup();
    let expected = [(0.0, 1.0), (0.5, 1.0), (0.5, 2.0), (2.0, 2.0), (2.0, 3.0)];
    assert_eq!(steps.len(), expected.len());
    for (found, (time, value)) in steps.iter().zip(expected) {
        assert_near(*found, (x(time), y(value)));
    }
    let (knee, y) = panel(&document, "knee", "translation");
    let mut cubic = line(knee, "c c0");
    cubic.dedup();
    assert!(cubic.len() > 40, "{}", cubic.len());
    for (found, number) in cubic.iter().zip(0_u8..) {
        // With t from 0 to 1: from 0 to 1 in 2 seconds, leaving by 4 and arriving by -4 a second.
        let t = f64::from(number) / (cubic.len() - 1) as f64;
        let value = (t.powi(3) - 2.0 * t * t + t) * 8.0
            + (3.0 * t * t - 2.0 * t.powi(3))
            + (t.powi(3) - t * t) * -8.0;
        assert_near(*found, (x(2.0 * t), y(value)));
    }
    let (knee, y) = panel(&document, "knee", "euler rotation");
    let expected = [(0.0, 0.0), (1.0, 180.0), (1.0, 0.0), (2.0, 180.0)];
    for (found, (time, value)) in line(knee, "c c2").iter().zip(expected) {
        assert_near(*found, (x(time), y(value)));
    }
    assert!(line(knee, "k c2").is_empty(), "a wave has no keys");
}

#[test]
fn events_other_clips_and_what_is_left_out_are_below() {
    let svg = drawn(&scene(), 0);
    let document = parsed(&svg);
    let all: Vec<String> = texts(document.root_element()).into_iter().map(|text| text.0).collect();
    for text in ["walk", "step", "last", "part", "left out: 1 channel that does not change"] {
        assert!(all.iter().any(|other| other == text), "{text} is missing in {all:?}");
    }
    for text in ["later", "next"] {
        assert!(all.iter().all(|other| other != text), "{text} is not in the clip");
    }
    let x = seconds(&document);
    let mark = document.descendants().find(|node| node.attribute("class") == Some("event"));
    assert!((points(mark.unwrap())[0].0 - x(0.5)).abs() < 0.02);
    let other = drawn(&scene(), 1);
    assert!(parsed(&other).descendants().all(|node| node.attribute("data-scale") != Some("none")));
}

#[test]
fn a_clip_that_does_not_exist_is_an_error() {
    let missing = curves(&scene(), ClipId::new(7), &DiagramOptions::default());
    assert_eq!(missing, Err(DiagramError::NoSuchClip(ClipId::new(7))));
    assert_eq!(missing.unwrap_err().to_string(), "the scene has no clip 7");
}

#[test]
fn a_small_fixture() {
    insta::assert_snapshot!(drawn(&scene(), 0));
    assert_eq!(drawn(&scene(), 0), drawn(&scene(), 0));
}
