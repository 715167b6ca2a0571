//! Conversion of scenes from other formats.

use anim_ir::format::SeveralClips;
use anim_ir::{
    Axes, Channel, Clip, EulerOrder, Interpolation, Joint, JointId, JointRef, Mesh, Node,
    PoseSpace, Quat, Sampler, Scene, Skeleton, SkeletonId, TimeBase, TimelineBuilder, Vec3, Wrap,
};
use fmt_bvh::{ChannelType, Document, FromIr, FromIrError, ToIr, from_ir, to_ir};
use test_oracle::growth::assert_linear;
use test_oracle::random::Rng;

use crate::oracle::matrices;

const LINE: Interpolation = Interpolation::Linear;

/// A branching skeleton with rotated rest poses, and 30 keys per second.
fn scene(rng: &mut Rng, scales: bool) -> Scene {
    let mut skeleton = Skeleton::new("s");
    // The joints are not in depth-first order.
    for (index, parent) in
        [None, Some(0), Some(0), Some(1), None, Some(2), Some(1)].into_iter().enumerate()
    {
        let mut joint = Joint::new(format!("j{index}"), parent.map(JointId::new));
        joint.rest.translation = Vec3::from_f64([0; 3].map(|_| rng.range(-5.0, 5.0)));
        joint.rest.rotation = Quat::from_f64(rng.turn(180.0));
        if scales && index == 0 {
            joint.rest.scale = Vec3::new(0.01, 0.01, 0.01);
        }
        skeleton.add_joint(joint);
    }
    let mut builder = TimelineBuilder::new("t")
        .with_time_base(TimeBase::Frames { per_second: 30.0 })
        .with_pose_space(if rng.chance(50) {
            PoseSpace::DeltaFromRest
        } else {
            PoseSpace::ParentRelative
        });
    let times: Vec<f32> = (0..20).map(|frame| frame as f32 / 30.0).collect();
    for index in [0, 1, 3, 4] {
        let turns: Vec<f32> =
            times.iter().flat_map(|_| Quat::from_f64(rng.turn(180.0)).to_array()).collect();
        builder.keys(JointId::new(index).into(), Channel::Rotation, LINE, &times, &turns).unwrap();
    }
    let places: Vec<f32> = (0..60).map(|_| rng.range(-5.0, 5.0) as f32).collect();
    builder.keys(JointId::new(3).into(), Channel::Translation, LINE, &times, &places).unwrap();
    let mut scene = Scene { skeletons: vec![skeleton], ..Scene::default() };
    let timeline = scene.add_timeline(builder.finish());
    scene.add_clip(Clip { name: "c".to_owned(), timeline, end: times[19], ..Clip::default() });
    scene
}

fn ids(losses: &anim_ir::Diagnostics) -> Vec<&'static str> {
    losses.iter().map(|loss| loss.code.id).collect()
}

#[test]
fn poses_are_preserved_for_any_joint_and_rotation_order() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let scales = seed % 2 == 1;
        let scene = scene(&mut rng, scales);
        let order = rng.pick(&EulerOrder::ALL);
        let written =
            from_ir(&scene, &FromIr::default().with_order(Some(order)).with_exact(true)).unwrap();
        assert_eq!(ids(&written.losses).contains(&"bvh-loss-scale"), scales);
        let text = written.value.to_bytes().into_owned();
        let parsed = Document::parse(&text[..]).unwrap();
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        let again = to_ir(&parsed.value, &ToIr::default()).value;
        assert_eq!(again.clips[0].end, scene.clips[0].end);
        let (old, new) = (&scene.skeletons[0], &again.skeletons[0]);
        for frame in 0..20 {
            let (a, b) = (matrices(&scene, frame.into()), matrices(&again, frame.into()));
            for (id, joint) in old.enumerate_joints() {
                let other = new.find_joint(&joint.name).unwrap();
                let (a, b) = (a[id.index()], b[other.index()]);
                if scales {
                    assert!((0..3).all(|row| (a.columns[3][row] - b.columns[3][row]).abs() < 1e-4));
                } else {
                    assert!(a.is_near(b, 1e-4), "seed {seed}, frame {frame}, {}", joint.name);
                }
            }
        }
    }
}

#[test]
fn roots_and_joints_that_leave_their_offset_have_position_channels() {
    let scene = scene(&mut Rng::new(7), false);
    let written = from_ir(&scene, &FromIr::default()).unwrap();
    let positions = |name: &str| {
        let joint = written.value.joint(written.value.find(name).unwrap()).unwrap();
        (joint.channels().contains(&ChannelType::Xposition), joint.channels().len())
    };
    assert_eq!(
        ["j0", "j4", "j3", "j1", "j5"].map(positions),
        [(true, 6), (true, 6), (true, 6), (false, 3), (false, 3)]
    );
    let zxy = [ChannelType::Zrotation, ChannelType::Xrotation, ChannelType::Yrotation];
    assert_eq!(written.value.joint(1).unwrap().channels(), zxy);
    assert_eq!(ids(&written.losses), ["bvh-loss-rest"]);
    // All values are written with six decimals.
    let text = String::from_utf8(written.value.to_bytes().into_owned()).unwrap();
    assert!(text.contains("Frames: 20\nFrame Time: 0.033333\n"), "{text}");
    let row = text.lines().last().unwrap();
    assert!(row.split(' ').all(|number| number.split_once('.').unwrap().1.len() == 6), "{row}");
}

/// Keys between frames are reported. Keys that are on frames within the precision of f32 are not.
#[test]
fn sampling_is_reported_unless_all_keys_are_on_frames() {
    let losses = |shift: f32| {
        let mut scene = scene(&mut Rng::new(7), false);
        let times: Vec<f32> = (0..20)
            .map(|frame| frame as f32 / 30.0 + if frame == 5 { shift } else { 0.0 })
            .collect();
        let mut builder =
            TimelineBuilder::new("t").with_time_base(TimeBase::Frames { per_second: 30.0 });
        let turns = Quat::IDENTITY.to_array().repeat(20);
        builder.keys(JointId::new(1).into(), Channel::Rotation, LINE, &times, &turns).unwrap();
        scene.timelines = vec![builder.finish()];
        ids(&from_ir(&scene, &FromIr::default()).unwrap().losses).contains(&"bvh-loss-sampled")
    };
    assert_eq!([0.0, 1e-8, 1e-3, 0.01].map(losses), [false, false, true, true]);
}

/// Frames are counted from the start of the clip, wherever it is on the timeline. A step that is
/// late by a rounding error still takes effect in its frame.
#[test]
fn frames_begin_with_the_clip() {
    let late = 0.325_f32.next_up();
    let mut scene = scene(&mut Rng::new(7), false);
    let mut builder = TimelineBuilder::new("t");
    let (times, x) = ([0.125, 0.225, late], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 9.0, 0.0, 0.0]);
    let root = JointId::new(0).into();
    builder.keys(root, Channel::Translation, Interpolation::Step, &times, &x).unwrap();
    scene.timelines = vec![builder.finish()];
    (scene.clips[0].start, scene.clips[0].end) = (0.125, 0.525);
    let options = FromIr::default().with_frames_per_second(Some(10.0));
    let written = from_ir(&scene, &options).unwrap();
    let x: Vec<f32> = written.value.frames().map(|frame| frame.values()[0]).collect();
    assert_eq!(x, [0.0, 1.0, 9.0, 9.0, 9.0]);
    // Linear keys on these frames are exact.
    let mut builder = TimelineBuilder::new("t");
    let places = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 9.0, 0.0, 0.0];
    builder.keys(root, Channel::Translation, LINE, &[0.125, 0.225, 0.525], &places).unwrap();
    scene.timelines = vec![builder.finish()];
    let written = from_ir(&scene, &options).unwrap();
    assert!(!ids(&written.losses).contains(&"bvh-loss-sampled"), "{:?}", ids(&written.losses));
}

#[test]
fn end_sites_are_added_to_chains() {
    let mut scene = scene(&mut Rng::new(1), false);
    scene.add_mesh(Mesh {
        positions: vec![
            Vec3::new(0.0, 0.5, 0.0),
            Vec3::new(0.0, 3.0, 4.0),
            Vec3::new(1.0, 0.0, 0.0),
        ],
        ..Mesh::default()
    });
    // The second node shares the mesh.
    for joint in [5, 6] {
        let parent = Some(JointRef { skeleton: SkeletonId::new(0), joint: JointId::new(joint) });
        scene.add_node(Node { parent, mesh: Some(anim_ir::MeshId::new(0)), ..Node::default() });
    }
    let written = from_ir(&scene, &FromIr::default().with_exact(true)).unwrap().value;
    let joints: Vec<_> = written.joints().collect();
    let ends: Vec<_> = joints.iter().filter(|joint| joint.is_end_site()).collect();
    assert_eq!(ends.len(), 4, "j3, j4, j5 and j6 have no children");
    for end in ends {
        let parent = &joints[end.parent().unwrap()];
        let expected = match &*parent.name() {
            "j5" | "j6" => [0.0, 3.0, 4.0],
            _ => parent.offset().map(|x| x / 10.0),
        };
        for (found, expected) in end.offset().iter().zip(expected) {
            assert!((found - expected).abs() < 1e-4, "{}: {:?}", parent.name(), end.offset());
        }
    }
}

#[test]
fn a_mesh_of_many_nodes_takes_linear_time() {
    let make = |count: usize| {
        let mut scene = Scene::default();
        let mut skeleton = Skeleton::new("s");
        skeleton.joints = (0..count).map(|at| Joint::new(format!("j{at}"), None)).collect();
        let skeleton = scene.add_skeleton(skeleton);
        let mesh = scene.add_mesh(Mesh {
            positions: (0..count).map(|at| Vec3::new(at as f32, 1.0, 2.0)).collect(),
            ..Mesh::default()
        });
        for joint in 0..count {
            let parent = Some(JointRef { skeleton, joint: JointId::new(joint) });
            scene.add_node(Node { parent, mesh: Some(mesh), ..Node::default() });
        }
        scene
    };
    let run = |scene: &Scene| drop(from_ir(scene, &FromIr::default()).unwrap());
    assert_linear("a mesh of many nodes", make, run, 1_000);
}

#[test]
fn round_trips_preserve_rotation_orders_and_end_sites() {
    let file = "HIERARCHY\nROOT a\n{\n\tOFFSET 0.000000 1.000000 0.000000\n\tCHANNELS 6 Xposition \
                Yposition Zposition Yrotation Zrotation Xrotation\n\tJOINT b\n\t{\n\t\tOFFSET \
                1.000000 0.000000 0.000000\n\t\tCHANNELS 3 Xrotation Zrotation Yrotation\n\t\tEnd \
                Site\n\t\t{\n\t\t\tOFFSET 0.500000 0.000000 0.000000\n\t\t}\n\t}\n}\nMOTION\n\
                Frames: 2\nFrame Time: 0.008333\n0.000000 1.000000 0.000000 10.000000 20.000000 \
                30.000000 1.000000 2.000000 3.000000\n0.500000 1.000000 0.000000 11.000000 \
                21.000000 31.000000 4.000000 5.000000 6.000000\n";
    let document = Document::parse(file.as_bytes()).unwrap().value;
    let scene = to_ir(&document, &ToIr::default()).value;
    let written = from_ir(&scene, &FromIr::default().with_decimals(3)).unwrap();
    assert!(written.losses.is_empty(), "{:?}", ids(&written.losses));
    let again = String::from_utf8(written.value.to_bytes().into_owned()).unwrap();
    let expected = file.replace("000 ", " ").replace("000\n", "\n");
    assert_eq!(again, expected);

    let named = file.replace("End Site", "End Site tip");
    let document = Document::parse(named.as_bytes()).unwrap().value;
    let scene = to_ir(&document, &ToIr::default()).value;
    let written = from_ir(&scene, &FromIr::default()).unwrap().value.to_bytes().into_owned();
    assert!(String::from_utf8(written).unwrap().contains("End Site tip\n"));
}

#[test]
fn curves_have_no_jumps() {
    // Three full rotations about y, with the middle angle passing through 90°.
    let mut skeleton = Skeleton::new("s");
    let root = skeleton.add_joint(Joint::new("a", None));
    let mut builder =
        TimelineBuilder::new("t").with_time_base(TimeBase::Frames { per_second: 60.0 });
    let times: Vec<f32> = (0..120).map(|frame| frame as f32 / 60.0).collect();
    let turns: Vec<f32> = (0..120)
        .flat_map(|frame| {
            let angle = f64::from(frame) * 0.157;
            Quat::from_euler([0.4 * angle, angle, 0.1], EulerOrder::Zxy).to_array()
        })
        .collect();
    builder.keys(root.into(), Channel::Rotation, LINE, &times, &turns).unwrap();
    let mut scene = Scene { skeletons: vec![skeleton], ..Scene::default() };
    let timeline = scene.add_timeline(builder.finish());
    scene.add_clip(Clip { timeline, end: times[119], ..Clip::default() });
    let written = from_ir(&scene, &FromIr::default()).unwrap().value;
    let rows: Vec<&[f32]> = written.frames().map(|frame| frame.values()).collect();
    for (before, after) in rows.iter().zip(&rows[1..]) {
        for (a, b) in before.iter().zip(*after).skip(3) {
            assert!((a - b).abs() < 12.0, "{before:?} {after:?}");
        }
    }
}

#[test]
fn losses_are_reported() {
    let mut scene = scene(&mut Rng::new(3), false);
    scene.clips[0].wrap = Wrap::Loop;
    scene.clips[0].end = 0.615;
    scene.timelines[0].events.push(anim_ir::Event::default());
    scene.skeletons[0].joints[0].visible = false;
    scene.skeletons[0].joints[1].name = "j{0}".to_owned();
    scene.skeletons[0].joints[2].name = "j0".to_owned();
    scene.add_mesh(Mesh::default());
    scene.add_skeleton(Skeleton::new("other"));
    scene.clips[0].extras.insert("amo".to_owned(), true.into());
    let written = from_ir(&scene, &FromIr::default()).unwrap();
    let mut found = ids(&written.losses);
    found.sort_unstable();
    let expected = "duration events extras meshes names rest skeletons visibility wrap";
    assert_eq!(found.join(" ").replace("bvh-loss-", ""), expected);
    assert!(written.value.find("j_0_").is_some() && written.value.find("j0.001").is_some());
    scene.axes = Axes::YDown;
    assert!(from_ir(&scene, &FromIr::default()).is_ok());
}

#[test]
fn unsupported_scenes_are_rejected() {
    let error = |scene: &Scene, options: &FromIr| from_ir(scene, options).unwrap_err();
    let usual = FromIr::default();
    assert_eq!(error(&Scene::default(), &usual), FromIrError::NoSkeleton);
    let mut two = scene(&mut Rng::new(1), false);
    two.add_clip(two.clips[0].clone());
    let names = vec!["c".to_owned(), "c".to_owned()];
    assert_eq!(error(&two, &usual), FromIrError::SeveralClips(SeveralClips(names)));
    let one = scene(&mut Rng::new(1), false);
    let at = |rate| error(&one, &usual.clone().with_frames_per_second(Some(rate)));
    assert!(matches!(at(1e12), FromIrError::Limit(_)));
    for rate in [0.0, -1.0, 1e-50, f64::NAN, f64::INFINITY] {
        assert!(matches!(at(rate), FromIrError::Rate(_)), "{rate}");
    }
}

#[test]
fn a_skeleton_without_a_clip_is_written_in_its_rest_pose() {
    let mut alone = scene(&mut Rng::new(5), false);
    alone.clips.clear();
    alone.timelines.clear();
    let written = from_ir(&alone, &FromIr::default().with_exact(true)).unwrap().value;
    assert_eq!(written.frames().len(), 1);
    let again = to_ir(&written, &ToIr::default()).value;
    let rest = alone.skeletons[0].rest_model_matrices();
    let (skeleton, found) = (&again.skeletons[0], matrices(&again, 0.0));
    for (joint, expected) in alone.skeletons[0].joints.iter().zip(rest) {
        assert!(found[skeleton.find_joint(&joint.name).unwrap().index()].is_near(expected, 1e-4));
    }
    Sampler::new(skeleton, &again.timelines[0]);
}

/// A joint whose translation differs from its offset by rounding errors only has no position
/// channels.
#[test]
fn rounding_errors_do_not_move_a_joint() {
    let channels = |x: f32| {
        let mut skeleton = Skeleton::new("s");
        let root = skeleton.add_joint(Joint::new("root", None));
        let mut tip = Joint::new("tip", Some(root));
        tip.rest.translation = Vec3::new(1.0, 0.0, 0.0);
        let tip = skeleton.add_joint(tip);
        let mut builder = TimelineBuilder::new("t");
        builder.constant(tip.into(), Channel::Translation, &[x, 0.0, 0.0]).unwrap();
        let mut scene = Scene { skeletons: vec![skeleton], ..Scene::default() };
        let timeline = scene.add_timeline(builder.finish());
        scene.add_clip(Clip { timeline, end: 1.0, ..Clip::default() });
        let options = FromIr::default().with_exact(true);
        let document = from_ir(&scene, &options).unwrap().value;
        document.joints().nth(1).unwrap().channels().len()
    };
    let hair = 4.0 * f32::EPSILON;
    assert_eq!([1.0, 1.0 - hair, 1.0 - 1.25 * hair].map(channels), [3, 3, 6]);
}
