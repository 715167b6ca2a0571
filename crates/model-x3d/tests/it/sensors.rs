//! Clips made of sensors, interpolators and routes, compared with values computed by hand.

use anim_ir::{Channel, Converted, Curve, Scene, Severity, Wrap};
use model_x3d::{Document, ToIr, codes, to_ir};
use test_oracle::fixtures::folder;

use crate::common;
use crate::frames::{assert_near, seen_at};

pub(crate) fn fixture(name: &str) -> Scene {
    let bytes = std::fs::read(folder("x3d").join(name)).unwrap();
    common::load(name, &bytes).unwrap()
}

/// Converts a classic X3D scene. Errors in the file are added to the losses.
pub(crate) fn made(content: &str) -> Converted<Scene> {
    let text = format!("#X3D V3.3 utf8\n{content}");
    let parsed = Document::parse(text.into_bytes()).unwrap();
    let mut made = to_ir(&parsed.value, &ToIr::default());
    let problems = anim_ir::validate(&made.value);
    assert!(problems.is_empty(), "{problems:?}");
    made.losses.append(parsed.diagnostics);
    made
}

/// Returns the key times of the track of a channel; empty for a constant.
pub(crate) fn times(scene: &Scene, clip: usize, channel: Channel) -> Vec<f32> {
    let timeline = &scene.timelines[scene.clips[clip].timeline.index()];
    let track = timeline.tracks().iter().find(|track| track.channel == channel).unwrap();
    match &track.curve {
        Curve::Keys { .. } => timeline.keys(track).times.to_vec(),
        _ => Vec::new(),
    }
}

#[test]
fn a_sensor_becomes_a_clip_with_the_files_own_keys() {
    for name in ["ok/sensor_transform.x3dv", "ok/sensor_transform_97.wrl"] {
        let scene = fixture(name);
        let clip = &scene.clips[0];
        assert_eq!((scene.clips.len(), clip.name.as_str()), (1, "Clock"));
        assert_eq!((clip.start, clip.end, clip.wrap), (0.0, 4.0, Wrap::Loop));
        assert_eq!(times(&scene, 0, Channel::Translation), [0.0, 1.0, 4.0]);
        // A quarter turn after 1 s, three quarters after 3 s.
        let at = |time| seen_at(&scene, 0, time);
        assert_near_within(&at(1.0), &[[2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [1.0, 0.0, 0.0]], 1e-4);
        assert_near_within(&at(3.0), &[[2.0, 4.0, 0.0], [2.0, 3.0, 0.0], [3.0, 4.0, 0.0]], 1e-4);
    }
    let scene = fixture("ok/sensor_transform.x3d");
    assert_near(&seen_at(&scene, 0, 2.5)[..1], &[[2.0, 3.0, 0.0]]);
}

#[track_caller]
fn assert_near_within(found: &[anim_ir::Vec3], expected: &[[f32; 3]], error: f32) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        let far = a.to_array().iter().zip(b).any(|(a, b)| (a - b).abs() > error);
        assert!(!far, "found {found:?}, expected {expected:?}");
    }
}

/// The formula of the standard, T·C·R·SR·S·−SR·−C (ISO/IEC 19775-1, 10.4.4), in the plane.
#[test]
fn all_fields_of_a_transform_move_exactly() {
    let scene = fixture("ok/sensor_center.x3dv");
    let turn = |[x, y]: [f64; 2], angle: f64| {
        [x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()]
    };
    for part in [0.0, 0.1, 0.25, 0.5, 0.8, 1.0] {
        let half = if part < 0.5 { part * 2.0 } else { 2.0 - part * 2.0 };
        let (center, slant) = ([1.0 - half, half], 0.5 + part);
        let place = |[x, y]: [f64; 2]| {
            let back = turn([x - center[0], y - center[1]], -slant);
            let scaled = turn([back[0] * (1.0 + 2.0 * part), back[1]], slant);
            let turned = turn(scaled, 2.0 * part);
            [turned[0] + center[0] + 4.0 * part, turned[1] + center[1]]
        };
        let expected = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
            .map(|point| place(point).map(|c| c as f32))
            .map(|[x, y]| [x, y, 0.0]);
        assert_near(&seen_at(&scene, 0, 2.0 * part), &expected);
    }
}

/// Castle Game Engine's extension: the fraction runs from 1 to 0.
#[test]
fn a_sensor_whose_fraction_falls_plays_backwards() {
    let made = made(
        "DEF T Transform { children Shape { geometry PointSet {
           coord Coordinate { point [ 0 0 0 ] } } } }
         DEF C TimeSensor { cycleInterval 2 fractionIncreasing FALSE }
         DEF P PositionInterpolator { key [ 0 0.5 1 ] keyValue [ 0 0 0, 3 0 0, 1 0 0 ] }
         ROUTE C.fraction_changed TO P.set_fraction
         ROUTE P.value_changed TO T.translation",
    );
    assert!(made.losses.is_empty(), "{:?}", made.losses);
    assert_eq!(times(&made.value, 0, Channel::Translation), [0.0, 1.0, 2.0]);
    let x = |time| seen_at(&made.value, 0, time)[0].x;
    assert_eq!([0.0, 0.5, 1.0, 1.5, 2.0].map(x), [1.0, 2.0, 3.0, 1.5, 0.0]);
}

#[test]
fn points_become_morph_targets() {
    let scene = fixture("ok/sensor_points.x3d");
    assert_eq!((scene.meshes.len(), scene.meshes[0].morph_targets.len()), (1, 2));
    assert_eq!(times(&scene, 0, Channel::MorphWeights), [0.0, 1.0, 2.0]);
    let third = |time| seen_at(&scene, 0, time)[2].to_array();
    assert_eq!(
        [0.0, 0.5, 1.0, 2.0].map(third),
        [[0.0, 1.0, 0.0], [0.0, 2.0, 0.0], [0.0, 3.0, 0.0], [0.0, 1.0, 4.0],]
    );
}

#[test]
fn humanoids_of_vrml_97_are_known_without_their_prototypes() {
    let scene = fixture("ok/humanoid_97.wrl");
    // The hip turns about (0, 1), by a quarter after 1 s.
    assert_near(&seen_at(&scene, 0, 1.0), &[[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.2, 0.0]]);
    // Another prototype of this name is not a joint.
    let bytes =
        b"#VRML V2.0 utf8\nEXTERNPROTO Joint [ field SFString wood ] \"\" Joint { wood \"oak\" }";
    let parsed = Document::parse(bytes.to_vec()).unwrap();
    let made = to_ir(&parsed.value, &ToIr::default());
    assert!(made.value.skeletons.iter().all(|skeleton| skeleton.joints.is_empty()), "{made:?}");
}

#[test]
fn parts_of_cad_models_and_layers_are_groups() {
    let scene = fixture("ok/cad_layers.x3d");
    let seen = seen_at(&scene, 0, 1.0);
    assert_near(&seen[..1], &[[2.0, 0.0, 0.0]]);
    assert_near(&seen[3..4], &[[0.0, 0.0, 2.0]]);
}

#[test]
fn a_cad_layer_hides_the_children_whose_flags_are_false() {
    let shape = |x: i32| {
        format!(
            "<Shape><IndexedTriangleSet index='0 1 2'><Coordinate point='{x} 0 0 1 1 0 0 1 0'/>\
             </IndexedTriangleSet></Shape>"
        )
    };
    let shapes: String = (5..8).map(shape).collect();
    for (visible, expected) in [
        ("", &[5.0, 6.0, 7.0][..]),
        ("visible='true false'", &[5.0, 7.0]),
        ("visible='false false false true'", &[]),
    ] {
        let text =
            format!("<X3D><Scene><CADLayer name='a' {visible}>{shapes}</CADLayer></Scene></X3D>");
        let parsed = Document::parse(text.as_bytes()).unwrap();
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        let scene = to_ir(&parsed.value, &ToIr::default()).value;
        let meshes = scene.nodes.iter().filter_map(|node| scene.mesh(node.mesh?));
        let found: Vec<f32> = meshes.map(|mesh| mesh.positions[0].x).collect();
        assert_eq!(found, expected, "{visible}");
    }
}

#[test]
fn each_sensor_is_a_clip_of_its_own() {
    let scene = fixture("ok/sensor_two.x3dv");
    let clips: Vec<_> =
        scene.clips.iter().map(|clip| (clip.name.as_str(), clip.end, clip.wrap)).collect();
    assert_eq!(clips, [("Walk", 1.0, Wrap::Once), ("Bow", 3.0, Wrap::Loop)]);
    assert_near(&seen_at(&scene, 0, 1.0)[2..], &[[7.0, 1.0, 0.0]]);
    assert_near(&seen_at(&scene, 1, 1.5)[2..], &[[0.0, 1.0, 3.0]]);
}

#[test]
fn switches_and_visibility_change_in_steps() {
    let scene = fixture("ok/sensor_switch.x3dv");
    let first = |time| seen_at(&scene, 0, time).first().map(|point| point.x);
    assert_eq!(
        [0.0, 1.9, 2.0, 2.9, 3.0, 4.0].map(first),
        [Some(0.0), Some(0.0), Some(5.0), Some(5.0), None, None]
    );
    let scene = fixture("ok/sensor_visible.x3d");
    assert_eq!([0.0, 0.9, 1.1, 2.0].map(|time| seen_at(&scene, 0, time).len()), [6, 6, 3, 3]);
    assert_eq!(scene.skeletons[0].joints.iter().filter(|joint| !joint.visible).count(), 1);
}

#[test]
fn interpolators_in_a_chain() {
    let scene = fixture("ok/sensor_chain.x3dv");
    assert_eq!(times(&scene, 0, Channel::Translation), [0.0, 1.0, 2.0, 3.0, 4.0]);
    let at = |time| seen_at(&scene, 0, time)[0].to_array();
    assert_eq!(
        [0.5, 1.0, 1.5, 2.0, 3.5].map(at),
        [[2.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 1.0, 0.0], [4.0, 2.0, 0.0], [2.0, 0.0, 0.0],]
    );
}

#[test]
fn nodes_of_other_files_are_animated() {
    for name in ["ok/sensor_inline.x3dv", "ok/sensor_inline.x3d"] {
        let scene = fixture(name);
        assert_near(&seen_at(&scene, 0, 1.0)[..1], &[[2.0, 0.0, 0.0]]);
    }
    // Only one of two copies of a file moves.
    let scene = fixture("ok/sensor_inline_twice.x3dv");
    let corners = seen_at(&scene, 0, 1.0);
    assert_near(&[corners[0], corners[3]], &[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
}

#[test]
fn joints_bend_skins() {
    let skin = fixture("ok/skin.x3dv");
    assert_eq!(skin.skins[0].joints.len(), 2);
    assert_near(&seen_at(&skin, 0, 0.0), &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_near(&seen_at(&skin, 0, 1.0), &[[0.0; 3], [1.0, 0.0, 2.0], [0.0, 1.0, 4.0]]);
    // The knee is at (0, 1, 0), so a quarter turn takes (1, 0, 0) to (1, 2, 0).
    let body = fixture("ok/humanoid.x3dv");
    assert_near(&seen_at(&body, 0, 0.0), &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_near(&seen_at(&body, 0, 1.0), &[[0.0; 3], [1.0, 2.0, 0.0], [0.0, 1.0, 0.0]]);
}

#[test]
fn baked_scenes_become_the_frames_they_were_made_of() {
    let scene = fixture("ok/baked.x3d");
    assert_eq!((scene.meshes.len(), scene.nodes.len()), (1, 1));
    assert_eq!(scene.meshes[0].morph_targets.len(), 2);
    let clips: Vec<_> =
        scene.clips.iter().map(|clip| (clip.name.as_str(), clip.end, clip.wrap)).collect();
    assert_eq!(clips, [("walk", 2.0, Wrap::Loop), ("bow", 1.0, Wrap::PingPong)]);
    assert_eq!(times(&scene, 0, Channel::Translation), [0.0, 1.0, 2.0]);
    assert_eq!(times(&scene, 1, Channel::MorphWeights), [0.0, 1.0]);
    let third = |clip, time| seen_at(&scene, clip, time)[2].to_array();
    assert_eq!(third(0, 0.5), [1.0, 1.0, 0.0]);
    assert_eq!(third(0, 1.5), [2.0, 1.0, 1.5]);
    assert_eq!(third(1, 0.5), [0.0, 1.0, 2.0]);
    let swing = fixture("ok/baked_vrml1.x3d");
    assert_eq!(times(&swing, 0, Channel::Translation), [0.0, 1.0]);
    assert_near(&seen_at(&swing, 0, 0.5)[..1], &[[0.0, 1.0, 0.0]]);
}

/// A transform that a sensor moves along x.
const MOVED: &str = "DEF Place Transform { children Shape { geometry Box { } } }
    DEF Clock TimeSensor { }
    ROUTE Clock.fraction_changed TO Path.set_fraction
    ROUTE Path.value_changed TO Place.translation\n";

#[test]
fn invalid_keys_are_used_as_far_as_they_are_valid() {
    for (path, code, expected) in [
        ("key [ 0 1 0.5 ] keyValue [ 0 0 0, 2 0 0, 9 0 0 ]", &codes::KEY_ORDER, Some(1.0)),
        ("key [ 0 0.5 1 ] keyValue [ 0 0 0, 1 0 0 ]", &codes::KEY_COUNT, Some(1.0)),
        ("key [ 0 1 ] keyValue [ 0 0 0, 2 0 0, 9 0 0, 9 0 0 ]", &codes::KEY_COUNT, Some(1.0)),
        ("key [ ] keyValue [ 0 0 0 ]", &codes::KEY_COUNT, None),
        ("key [ 0 1 ]", &codes::KEY_COUNT, None),
    ] {
        let made = made(&format!("DEF Path PositionInterpolator {{ {path} }}\n{MOVED}"));
        assert_eq!((made.losses.count(code), made.losses.worst()), (1, Some(Severity::Error)));
        let tracks = made.value.timelines[0].tracks().len();
        assert_eq!(tracks, usize::from(expected.is_some()), "{path}");
        if let Some(x) = expected {
            let middle = seen_at(&made.value, 0, 0.5)[0].x - seen_at(&made.value, 0, 0.0)[0].x;
            assert!((middle - x).abs() < 1e-6, "{path}: {middle}");
        }
    }
}

#[test]
fn losses_name_node_field_and_sensor() {
    let made = made(
        "PointLight { } DEF Lamp PointLight { } DEF Clock TimeSensor { }
        DEF Path PositionInterpolator { key [ 0 1 ] keyValue [ 0 0 0, 1 0 0 ] }
        DEF Touch TouchSensor { }
        ROUTE Clock.fraction_changed TO Path.set_fraction
        ROUTE Path.value_changed TO Lamp.location
        ROUTE Touch.touchTime TO Clock.startTime
        ROUTE Touch.isActive TO Clock.enabled",
    );
    let said = |code: &anim_ir::Code| {
        let found = made.losses.iter().filter(|loss| loss.code.id == code.id);
        found.map(|loss| loss.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        said(&codes::NOT_ANIMATED),
        ["location of PointLight `Lamp` keeps its initial value, although TimeSensor `Clock` \
          animates it"]
    );
    assert_eq!(
        said(&codes::ROUTE),
        ["TouchSensor `Touch` is left in its initial state: no TimeSensor sends it events"]
    );
}

#[test]
fn filters_pass_some_events() {
    let made = made(
        "DEF A Transform { visible FALSE children Shape { geometry Box { } } }
        DEF B Transform { children Shape { geometry Box { } } }
        DEF C Transform { children Shape { geometry Box { } } }
        DEF Clock TimeSensor { cycleInterval 4 }
        DEF Blink BooleanSequencer { key [ 0 0.25 0.5 ] keyValue [ FALSE TRUE FALSE ] }
        DEF Filter BooleanFilter { }
        ROUTE Clock.fraction_changed TO Blink.set_fraction
        ROUTE Blink.value_changed TO Filter.set_boolean
        ROUTE Filter.inputTrue TO A.visible ROUTE Filter.inputFalse TO B.visible
        ROUTE Filter.inputNegate TO C.visible",
    );
    // A is shown from 1 s on, B is hidden from the start, C is hidden from 1 s to 2 s.
    let count = |time| seen_at(&made.value, 0, time).len() / 24;
    assert_eq!([0.0, 0.9, 1.0, 1.9, 2.0, 4.0].map(count), [1, 1, 1, 1, 2, 2]);
    assert_eq!(times(&made.value, 0, Channel::Visibility).last(), Some(&4.0));
}

#[test]
fn animation_of_what_is_never_shown_is_a_loss() {
    let made = made(
        "Switch { whichChoice 0 children [
            DEF A Transform { children Shape { geometry Box { } } }
            DEF B Transform { children Shape { geometry Box { } } } ] }
        DEF Clock TimeSensor { }
        DEF Path PositionInterpolator { key [ 0 1 ] keyValue [ 0 0 0, 1 0 0 ] }
        ROUTE Clock.fraction_changed TO Path.set_fraction
        ROUTE Path.value_changed TO A.translation ROUTE Path.value_changed TO B.translation",
    );
    let losses: Vec<_> = made.losses.iter().map(|loss| loss.message.as_str()).collect();
    let expected = "translation of Transform `B`, which TimeSensor `Clock` animates, is not part \
                    of what is drawn";
    assert_eq!(losses, [expected, "skipped: 1 child node that a Switch does not show"]);
    assert!(made.losses.iter().all(|loss| loss.span.is_some()));
}

/// Routes that multiply: each of many sensors sends events along the same long chain.
#[test]
fn many_routes_take_bounded_time_and_memory() {
    let many = 100_000;
    let mut star = String::from(
        "DEF T Transform { children Shape { geometry Box { } } } DEF C TimeSensor { }
        DEF P PositionInterpolator { key [ 0 1 ] keyValue [ 0 0 0, 1 0 0 ] }\n",
    );
    star += &"ROUTE C.fraction_changed TO P.set_fraction\n".repeat(many / 2);
    star += &"ROUTE P.value_changed TO T.translation\n".repeat(many / 2);
    let scene = made(&star);
    assert_eq!(scene.value.timelines[0].tracks().len(), 1);

    let mut chain: String = (0..many / 10).map(|n| format!("DEF T{n} Transform {{ }}\n")).collect();
    chain += "DEF P PositionInterpolator { key [ 0 1 ] keyValue [ 0 0 0, 1 0 0 ] }
        ROUTE P.value_changed TO T0.translation\n";
    for n in 1..many / 10 {
        chain += &format!("ROUTE T{}.translation TO T{n}.translation\n", n - 1);
    }
    for n in 0..many / 10 {
        chain += &format!("DEF C{n} TimeSensor {{ }}\nROUTE C{n}.fraction_changed TO P.fraction\n");
    }
    let scene = made(&chain);
    assert!(scene.losses.count(&codes::EXPANSION) > 0);
}

/// Sawtooth curves that send each other's fraction multiply their keys.
#[test]
fn chains_of_interpolators_are_bounded() {
    let mut text = String::from("DEF C TimeSensor { } DEF T Transform { }\n");
    let keys: Vec<String> = (0..=100).map(|n| format!("{}", n as f32 / 100.0)).collect();
    let values: Vec<&str> = (0..=100).map(|n| if n % 2 == 0 { "0" } else { "1" }).collect();
    for n in 0..8 {
        text += &format!(
            "DEF S{n} ScalarInterpolator {{ key [ {} ] keyValue [ {} ] }}\n",
            keys.join(" "),
            values.join(" ")
        );
    }
    text += "ROUTE C.fraction_changed TO S0.set_fraction\n";
    for n in 1..8 {
        text += &format!("ROUTE S{}.value_changed TO S{n}.set_fraction\n", n - 1);
    }
    text += "DEF P PositionInterpolator { key [ 0 1 ] keyValue [ 0 0 0, 1 0 0 ] }
        ROUTE S7.value_changed TO P.set_fraction ROUTE P.value_changed TO T.translation\n";
    assert!(made(&text).losses.count(&codes::EXPANSION) > 0);
}

#[test]
fn a_ring_is_reported_once_and_the_rest_still_moves() {
    let made = made(&format!(
        "DEF Path PositionInterpolator {{ key [ 0 1 ] keyValue [ 0 0 0, 2 0 0 ] }}
        DEF A ScalarInterpolator {{ key [ 0 1 ] keyValue [ 0 1 ] }}
        DEF B ScalarInterpolator {{ key [ 0 1 ] keyValue [ 0 1 ] }}\n{MOVED}
        ROUTE Clock.fraction_changed TO A.set_fraction
        ROUTE A.value_changed TO B.set_fraction ROUTE B.value_changed TO A.set_fraction
        ROUTE B.value_changed TO B.set_fraction
        ROUTE Place.translation_changed TO Place.set_translation"
    ));
    assert_eq!(made.losses.count(&codes::ROUTE_LOOP), 1, "{:?}", made.losses);
    assert_eq!(times(&made.value, 0, Channel::Translation), [0.0, 1.0]);
}

/// The number of shown corners at a time: 24 of a box, and 3 of a triangle.
fn shown(made: &Converted<Scene>, time: f64) -> usize {
    seen_at(&made.value, 0, time).len()
}

/// ISO/IEC 19775-1, 30.4: a trigger sends its key, and a filter passes, while the sensor is active.
#[test]
fn triggers_and_filters_follow_is_active() {
    let made = made(
        "DEF S Switch { whichChoice 0 children [
            Shape { geometry IndexedFaceSet { coordIndex [ 0 1 2 ]
                coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } } }
            Shape { geometry Box { } } ] }
        DEF A Transform { children Shape { geometry Box { } } }
        DEF Clock TimeSensor { cycleInterval 4 }
        DEF Choose IntegerTrigger { integerKey 1 } DEF Filter BooleanFilter { }
        ROUTE Clock.isActive TO Choose.set_boolean
        ROUTE Choose.triggerValue TO S.set_whichChoice
        ROUTE Clock.isActive TO Filter.set_boolean ROUTE Filter.inputNegate TO A.visible",
    );
    assert!(made.losses.is_empty(), "{:?}", made.losses);
    assert_eq!([1.0, 3.0].map(|time| shown(&made, time)), [24, 24]);
}

#[test]
fn filters_after_filters_pass_what_both_pass() {
    // The value is true from 1 s to 2 s. Each row: the outputs of two filters, then whether the box
    // is shown at 0.5, 1.5 and 2.5 s. It is shown until an event arrives.
    for (first, second, expected) in [
        ("inputNegate", "inputNegate", [0, 24, 0]),
        ("inputTrue", "inputTrue", [24, 24, 24]),
        ("inputFalse", "inputFalse", [0, 0, 0]),
        ("inputFalse", "inputNegate", [24, 24, 24]),
        ("inputTrue", "inputNegate", [24, 0, 0]),
        ("inputNegate", "inputFalse", [24, 0, 0]),
        ("inputNegate", "inputTrue", [24, 24, 24]),
    ] {
        let made = made(&format!(
            "DEF A Transform {{ children Shape {{ geometry Box {{ }} }} }}
            DEF B Transform {{ }}
            DEF Clock TimeSensor {{ cycleInterval 4 }}
            DEF Blink BooleanSequencer {{ key [ 0 0.25 0.5 ] keyValue [ FALSE TRUE FALSE ] }}
            DEF Move PositionInterpolator {{ key [ 0 1 ] keyValue [ 0 0 0, 1 0 0 ] }}
            DEF F BooleanFilter {{ }} DEF G BooleanFilter {{ }}
            ROUTE Clock.fraction_changed TO Blink.set_fraction
            ROUTE Clock.fraction_changed TO Move.set_fraction
            ROUTE Move.value_changed TO B.translation
            ROUTE Blink.value_changed TO F.set_boolean
            ROUTE F.{first} TO G.set_boolean ROUTE G.{second} TO A.visible"
        ));
        let found = [0.5, 1.5, 2.5].map(|time| shown(&made, time));
        assert_eq!(found, expected, "{first}, {second}: {:?}", made.losses);
    }
}

#[test]
fn orientations_may_be_quaternions() {
    let made = made(
        "DEF T Transform { children Shape { geometry IndexedFaceSet { coordIndex [ 0 1 2 ]
            coord Coordinate { point [ 1 0 0 0 0 0 0 0 1 ] } } } }
        DEF Clock TimeSensor { cycleInterval 2 }
        DEF Turn OrientationInterpolator { keyValueQuaternions TRUE key [ 0 1 ]
            keyValue [ 0 0 0 2, 0 0 0.70710678 0.70710678 ] }
        ROUTE Clock.fraction_changed TO Turn.set_fraction
        ROUTE Turn.value_changed TO T.rotation",
    );
    // A quarter turn about z in 2 s, so 45 degrees after 1 s.
    let at = |time| seen_at(&made.value, 0, time)[0];
    let half = 0.5_f32.sqrt();
    assert_near_within(
        &[at(0.0), at(1.0), at(2.0)],
        &[[1.0, 0.0, 0.0], [half, half, 0.0], [0.0, 1.0, 0.0]],
        1e-4,
    );
}
