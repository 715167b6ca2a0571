//! Conversion of frames to motion: visibility over time, and sharing.

use anim_ir::{Channel, Interpolation};
use model_x3d::{Take, ToIr};

use crate::frames::{assert_near, clean, files, make, restless, scene, seen_at, take, triangle};

/// The corners of a triangle.
const FLAT: &str = "0 0 0 1 0 0 0 1 0";

#[test]
fn transforms_become_keys_and_points_become_morph_targets() {
    let frames = [
        triangle("0 0 0", FLAT),
        triangle("2 0 0", "0 0 4 1 0 0 0 1 0"),
        triangle("2 6 0", "0 0 4 1 0 0 0 1 0"),
    ];
    let made = clean(vec![take("walk", &frames)], &ToIr::default());
    assert_eq!(
        (made.meshes.len(), made.meshes[0].morph_targets.len(), made.skeletons[0].joints.len()),
        (1, 1, 1)
    );
    assert_near(&seen_at(&made, 0, 0.0), &[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_near(&seen_at(&made, 0, 0.5), &[[1.0, 0.0, 2.0], [2.0, 0.0, 0.0], [1.0, 1.0, 0.0]]);
    assert_near(&seen_at(&made, 0, 1.5), &[[2.0, 3.0, 4.0], [3.0, 3.0, 0.0], [2.0, 4.0, 0.0]]);
}

/// Two alternating poses result in one mesh and one morph target.
#[test]
fn repeated_shapes_are_reused() {
    let poses = [triangle("0 0 0", FLAT), triangle("0 0 0", "0 0 1 1 0 0 0 1 0")];
    let frames: Vec<String> = (0..9).map(|n| poses[n % 2].clone()).collect();
    let made = clean(vec![take("flap", &frames)], &ToIr::default());
    assert_eq!(made.meshes[0].morph_targets.len(), 1);
    assert_eq!(
        [0.0, 1.0, 2.5, 7.0, 8.0].map(|time| seen_at(&made, 0, time)[0].z),
        [0.0, 1.0, 0.5, 1.0, 0.0]
    );
}

#[test]
fn takes_share_common_parts() {
    let rest = triangle("0 0 0", FLAT);
    let walk = take("walk", &[rest.clone(), triangle("3 0 0", FLAT)]);
    let wave = take("wave", &[rest, triangle("0 0 0", "0 0 2 1 0 0 0 1 0")]);
    let made = clean(vec![walk, wave], &ToIr::default());
    assert_eq!(
        (made.meshes.len(), made.nodes.len(), made.clips.len(), made.timelines.len()),
        (1, 1, 2, 2)
    );
    assert_near(&seen_at(&made, 0, 1.0)[..1], &[[3.0, 0.0, 0.0]]);
    // Parts that only the other take moves stay in place.
    assert_near(&seen_at(&made, 1, 1.0)[..1], &[[0.0, 0.0, 2.0]]);
}

#[test]
fn a_take_hides_parts_of_other_takes() {
    let square = scene(
        "<Shape><IndexedFaceSet coordIndex='0 1 2 3 -1'><Coordinate point='9 0 0 10 0 0 10 1 0 9 \
         1 0'/></IndexedFaceSet></Shape>",
    );
    let takes = vec![take("a", &[triangle("0 0 0", FLAT)]), take("b", &[square])];
    let made = clean(takes, &ToIr::default());
    assert_eq!([0, 1].map(|clip| seen_at(&made, clip, 0.0).len()), [3, 4]);
    let switches = made.skeletons[0].joints.iter().filter(|joint| joint.name.starts_with("frames"));
    assert_eq!(switches.map(|joint| joint.visible).collect::<Vec<_>>(), [true, false]);
}

/// The third frame has an additional face. It is not blended with the frames around it, and the
/// second frame is held until the third starts.
#[test]
fn a_frame_with_a_different_structure_replaces_the_previous_frame() {
    let [first, last] = ["0 0 0", "8 0 0"].map(|place| triangle(place, FLAT));
    let other = last.replace("0 1 2 -1", "0 1 2 -1 2 1 0 -1").replace("8 0 0", "4 0 0");
    let texts = [first, triangle("2 0 0", FLAT), other, last];
    let made = make(vec![take("hop", &texts)], &ToIr::default());
    let first_x = |time: f64| seen_at(&made.value, 0, time)[0].x;
    assert_eq!([0.5, 1.0, 1.5, 1.99].map(first_x), [1.0, 2.0, 2.0, 2.0]);
    assert_eq!([2.0, 2.5, 3.0, 9.0].map(first_x), [4.0, 4.0, 8.0, 8.0]);
    assert_eq!(made.losses.count(&model_x3d::codes::FRAMES_DIFFER), 2);
    // The difference is reported at the node of the later frame, elsewhere in the file.
    let whole = texts.concat();
    let said: Vec<&str> =
        made.losses.iter().map(|loss| &whole[loss.span.unwrap().start..]).collect();
    assert!(said.iter().all(|node| node.starts_with("IndexedFaceSet coordIndex")), "{said:?}");
    assert!(said[0].contains("2 1 0 -1") && !said[1].contains("2 1 0 -1"), "{said:?}");
    let message = &made.losses.iter().next().unwrap().message;
    assert_eq!(
        message,
        "frame 2 of clip `hop` differs in structure from the previous frame: coordIndex of \
         IndexedFaceSet"
    );
}

#[test]
fn stepped_frames_are_held_until_the_next_frame() {
    let frames = [triangle("0 0 0", FLAT), triangle("2 0 0", "0 0 4 1 0 0 0 1 0")];
    let stepping = Take { step: true, ..take("tick", &frames) };
    let made = clean(vec![stepping], &ToIr::default());
    let interpolations = made.timelines[0].tables().iter().map(anim_ir::KeyTable::interpolation);
    assert!(interpolations.eq([Interpolation::Step]));
    assert_near(&seen_at(&made, 0, 0.99)[..1], &[[0.0, 0.0, 0.0]]);
    assert_near(&seen_at(&made, 0, 1.0)[..1], &[[2.0, 0.0, 4.0]]);
}

/// If there are more shapes than a mesh may have targets, there are several meshes, only one of
/// which is visible at any time.
#[test]
fn pages() {
    let options = ToIr::default().with_morph_targets(10);
    let made = clean(vec![take("long", &restless(50))], &options);
    assert!(made.meshes.len() >= 5, "{}", made.meshes.len());
    assert!(made.meshes.iter().all(|mesh| mesh.morph_targets.len() <= 10));
    for time in (0..490).map(|tenth| f64::from(tenth) / 10.0) {
        let seen = seen_at(&made, 0, time);
        assert_near(&seen, &[[time as f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, time as f32]]);
    }
}

/// A flip book is for players without morph target support.
#[test]
fn a_flip_book_has_a_mesh_for_each_shape() {
    let made = clean(vec![take("flip", &restless(5))], &ToIr::default().with_flip_book(true));
    assert!(made.meshes.len() == 5 && made.meshes.iter().all(|mesh| mesh.morph_targets.is_empty()));
    assert_eq!(
        [0.0, 0.9, 1.0, 3.5, 4.0].map(|time| seen_at(&made, 0, time)[0].x),
        [0.0, 0.0, 1.0, 3.0, 4.0]
    );
    assert!(made.timelines[0].tracks().iter().all(|track| track.channel != Channel::MorphWeights));
}

/// With `long_turns`, the angle changes evenly, whatever the arc. Other axes take the shorter arc.
#[test]
fn long_turns_are_made_if_asked() {
    let turned = |rotation: &str| {
        let points = "1 0 0 0 0 1 0 0 2";
        let triangle = triangle("0 0 0", points);
        triangle.replace("translation='0 0 0'", &format!("DEF='Hip' rotation='{rotation}'"))
    };
    let rotations = ["0 0 1 0", "0 0 1 6.2831853", "0 0 1 -3.1415927", "0 1 0 -3.1415927"];
    let frames: Vec<String> = rotations.into_iter().map(turned).collect();
    let options = ToIr::default().with_long_turns(true);
    let scene = clean(vec![take("spin", &frames)], &options);
    for time in (0..=200).map(|percent| f64::from(percent) / 100.0) {
        let angle = match time {
            ..=1.0 => std::f64::consts::TAU * time,
            _ => std::f64::consts::TAU - (time - 1.0) * 3.0 * std::f64::consts::PI,
        };
        let first = [angle.cos() as f32, angle.sin() as f32, 0.0];
        assert_near(&seen_at(&scene, 0, time)[..1], &[first]);
    }
    assert_near(&seen_at(&scene, 0, 3.0)[..1], &[[-1.0, 0.0, 0.0]]);
    // A step shows frames only.
    let stepping = Take { step: true, ..take("tick", &frames) };
    assert_eq!(clean(vec![stepping], &options).timelines[0].tables()[0].times().len(), 4);
}

/// Turns of less than 180° take the shorter arc in any case, and what scales does not turn.
#[test]
fn only_long_turns_of_rotations_get_keys_in_between() {
    let placed = |fields: &str| {
        let triangle = triangle("0 0 0", "1 0 0 0 0 1 0 0 2");
        triangle.replace("translation='0 0 0'", fields)
    };
    let options = ToIr::default().with_long_turns(true);
    let spin =
        |from: &str, to: &str| clean(vec![take("spin", &[placed(from), placed(to)])], &options);
    let short = spin("rotation='0 0 1 0'", "rotation='0 0 1 1.5'");
    assert_near(&seen_at(&short, 0, 0.5)[..1], &[[0.75_f32.cos(), 0.75_f32.sin(), 0.0]]);
    assert_eq!(short.timelines[0].tables()[0].times().len(), 2);
    // The scale is along x in both frames.
    let scaled = |turn: &str| format!("scale='3 1 1' scaleOrientation='0 0 1 {turn}'");
    let whole = spin(&scaled("0"), &scaled("6.2831853"));
    assert_near(&seen_at(&whole, 0, 0.5)[..1], &[[3.0, 0.0, 0.0]]);
}

/// An absurd angle takes no more memory than the budget allows.
#[test]
fn absurd_turns_are_bounded() {
    let turned = |angle: &str| {
        triangle("0 0 0", FLAT).replace("translation='0 0 0'", &format!("rotation='0 0 1 {angle}'"))
    };
    let take = take("spin", &[turned("0"), turned("1e30")]);
    let made = make(vec![take], &ToIr::default().with_long_turns(true));
    let [found] = made.losses.iter().collect::<Vec<_>>().try_into().unwrap();
    assert!(
        found.message.starts_with("keys of turns need more memory than the limit of"),
        "{found:?}"
    );
    assert_eq!(made.value.timelines[0].tables()[0].times().len(), 2);
}

/// Changes up to the tolerance are none; the value stays that of the last frame that changed.
#[test]
fn a_tolerance_freezes_slow_motion() {
    let frames: Vec<String> = [0.0, 0.0004, 0.0008, 0.0012, 1.0]
        .into_iter()
        .map(|x: f32| triangle(&format!("{x} 0 0"), &format!("{x} 0 0 1 0 0 0 1 0")))
        .collect();
    let at = |tolerance: f32, time: f64| {
        let scene = clean(vec![Take { tolerance, ..take("creep", &frames) }], &ToIr::default());
        seen_at(&scene, 0, time)[0].x
    };
    let near = |found: f32, expected: f32| assert!((found - expected).abs() < 1e-6, "{found}");
    near(at(0.0, 1.0), 0.0008);
    near(at(0.001, 1.0), 0.0);
    near(at(0.001, 2.0), 0.0);
    near(at(0.001, 3.0), 0.0024);
    near(at(0.001, 4.0), 2.0);
}

/// Rotations are interpolated along the shorter arc, so frames more than half a turn apart are
/// reported.
#[test]
fn long_turns_are_reported() {
    let turned = |angle: f32| {
        let shape = "<Shape><Box/></Shape>";
        scene(&format!("<Transform DEF='Hip' rotation='0 0 1 {angle}'>{shape}</Transform>"))
    };
    let said = |angles: &[f32]| {
        let frames: Vec<String> = angles.iter().copied().map(turned).collect();
        let made = make(vec![take("spin", &frames)], &ToIr::default());
        made.losses.iter().map(|loss| loss.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(said(&[0.0, 3.0, 1.0]), [""; 0]);
    assert_eq!(
        said(&[0.0, 4.0, 10.283_185]),
        [
            "`Hip` rotates from 0 to 4 rad, interpolated along the shorter arc",
            "`Hip` rotates from 4 to 10.283185 rad, interpolated along the shorter arc: a full \
             turn shows no motion"
        ]
    );
}

/// A value that is written out where it is the default changes nothing.
#[test]
fn default_values_may_be_written() {
    let text = |attributes: &str| {
        let shape = "<Shape><Box/></Shape>";
        scene(&format!("<NavigationInfo {attributes}/>{shape}"))
    };
    let differences = |attributes: &str| {
        let frames = [text(""), text(attributes), text("")];
        let made = make(vec![take("a", &frames)], &ToIr::default());
        made.losses.count(&model_x3d::codes::FRAMES_DIFFER)
    };
    assert_eq!(differences("type='\"EXAMINE\" \"ANY\"'"), 0);
    assert_eq!(differences("type='\"WALK\"'"), 2);
}

/// Many vertices from few points in every frame: the frames that exceed the budget are left out.
#[test]
fn morph_targets_are_charged() {
    let faces = "0 1 2 -1 ".repeat(300);
    let colors: String = (0..300).map(|n| format!("{} 0 0 ", n as f32 / 300.0)).collect();
    let frame = |n: usize| {
        scene(&format!(
            "<Shape DEF='Flag'><IndexedFaceSet colorPerVertex='false' coordIndex='{faces}'><Color \
             color='{colors}'/><Coordinate point='{n} 0 0 1 0 0 0 1 0'/></IndexedFaceSet></Shape>"
        ))
    };
    let frames: Vec<String> = (0..40).map(frame).collect();
    let within = |memory| {
        let limits = anim_ir::Limits { memory: Some(memory), ..anim_ir::Limits::default() };
        let made = make(vec![take("wave", &frames)], &ToIr::default().with_limits(limits));
        let said = made.losses.iter().filter(|loss| loss.code == &model_x3d::codes::EXPANSION);
        (made.value.meshes.len(), said.map(|loss| loss.message.clone()).collect::<Vec<_>>())
    };
    assert_eq!(within(100 << 20), (1, vec![]));
    let (_, said) = within(4 << 20);
    assert!(said[0].starts_with("`Flag`: morph targets"), "{said:?}");
}

/// Where an object turns below a VRML 1.0 matrix that changes, points move along curves, with
/// weights at eight times between frames, unless the frames are too close for that.
#[test]
fn curves_between_frames_at_almost_the_same_time() {
    let frame = |matrix: &str, angle: f32| {
        format!(
            "#VRML V1.0 ascii\nSeparator {{ MatrixTransform {{ matrix {matrix} 0 0 0 1 0 0 0 0 1 \
             }} Rotation {{ rotation 0 0 1 {angle} }} Cube {{ }} }}"
        )
    };
    let (straight, wide) = ("1 0 0 0 0 1 0", "3 0 0 0 0 1 0");
    let mut take = files([frame(straight, 0.0), frame(wide, 1.0), frame(straight, 2.0)]);
    let first = 1.0_f32;
    for (frame, time) in take.frames.iter_mut().zip([first, first.next_up(), 2.0]) {
        frame.time = time;
    }
    (take.clip.start, take.clip.end) = (1.0, 2.0);
    let made = make(vec![take], &ToIr::default());
    let timeline = &made.value.timelines[0];
    let track = timeline.tracks().iter().find(|it| it.channel == Channel::MorphWeights).unwrap();
    let keys = timeline.keys(track);
    assert_eq!(keys.interpolation, Interpolation::Cubic);
    assert!(keys.times.is_sorted_by(|a, b| a < b), "{:?}", keys.times);
    // The second frame adds one key, and the second after it eight for each part of a turn.
    assert_eq!(keys.times[..2], [first, first.next_up()]);
    assert_eq!((keys.times.len() - 2) % 8, 0);
    // In the last frame, the cube is turned by two radians.
    let corner = seen_at(&made.value, 0, 2.0)[1];
    let (sin, cos) = 2.0_f32.sin_cos();
    assert_near(&[corner], &[[cos + sin, sin - cos, 1.0]]);
}

#[test]
fn children_that_are_not_shown_are_a_loss_unless_used_elsewhere() {
    let losses = |text: &str| {
        let made = make(vec![files([text.to_owned()])], &ToIr::default());
        let losses = made.losses.iter().map(|loss| loss.message.clone()).collect::<Vec<_>>();
        (made.value.nodes.len(), losses)
    };
    let shape = "Shape { geometry Box { } }";
    let text = format!(
        "#VRML V2.0 utf8
        Switch {{ choice [ DEF A Group {{ children {shape} }} DEF B {shape} {shape} ] }}
        LOD {{ level [ USE A {shape} {shape} ] }}
        Transform {{ children USE B }}"
    );
    let skipped = [
        "skipped: 2 coarser levels of an LOD",
        "skipped: 1 child node that a Switch does not show",
    ];
    assert_eq!(losses(&text), (2, skipped.map(str::to_owned).to_vec()));
    let text = format!(
        "#X3D V4.0 utf8\nPROFILE Full CADLayer {{ visible [ FALSE ] children [ {shape} {shape} ] }}"
    );
    let skipped = "skipped: 1 child node that a CADLayer does not show".to_owned();
    assert_eq!(losses(&text), (1, vec![skipped]));
    let text = "#VRML V1.0 ascii\nSwitch { whichChild -3 Cube { } Sphere { } } \
                Switch { whichChild 1 Cube { } Sphere { } }";
    let skipped = "skipped: 1 child node that a Switch does not show".to_owned();
    assert_eq!(losses(text), (3, vec![skipped]));
}

/// A matrix that changes between frames moves the vertices instead of a joint.
#[test]
fn hidden_transforms_stay_hidden_in_all_frames() {
    let hidden = |fields: &str| {
        format!("#X3D V4.0 utf8\nPROFILE Full {fields} children Shape {{ geometry Box {{ }} }} }}")
    };
    let matrix = |x: f32| {
        hidden(&format!(
            "MatrixTransform {{ visible FALSE matrix 1 0 0 0 0 1 0 0 0 0 1 0 {x} 0 0 1"
        ))
    };
    let moved = |x: f32| hidden(&format!("Transform {{ visible FALSE translation {x} 0 0"));
    for frames in [[matrix(0.0), matrix(1.0)], [moved(0.0), moved(1.0)]] {
        let made = make(vec![files(frames)], &ToIr::default());
        assert_eq!(made.value.nodes.len(), 1);
        for time in [0.0, 0.5, 1.0] {
            assert_eq!(seen_at(&made.value, 0, time), []);
        }
    }
}
