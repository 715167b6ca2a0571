//! What is written comes back.

use anim_gltf::FromIr;
use anim_ir::{
    Camera, CameraId, Channel, Clip, Event, Image, ImageId, ImageSource, Influences, Interpolation,
    Joint, JointId, Mat4, Material, Mesh, MorphTarget, Node, NodeId, PoseSpace, Scene, Skeleton,
    SkeletonId, Skin, TimeBase, Timeline, TimelineBuilder, TimelineId, Topology, Transform, Value,
    Vec3, Wrap, dump,
};

use super::there_and_back;
use crate::scenes::{
    self, LINE, at, below, extras, keys, moved, node, painted, part, quarter_turn, skin_of,
};

/// Two scenes in all that they say; what differs is shown line by line.
pub(crate) fn assert_same(found: &Scene, expected: &Scene) {
    for (found, expected) in dump(found).lines().zip(dump(expected).lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found, expected);
}

pub(crate) fn triangle(name: &str) -> Mesh {
    let painted = painted(0, part(Topology::Triangles, &[0, 1, 2]));
    Mesh { primitives: vec![painted], ..scenes::triangle(name) }
}

/// An arm of bones, and a stage of nodes.
fn skeletons() -> Vec<Skeleton> {
    let mut arm = Skeleton::new("arm");
    // Names that are taken, and none.
    arm.joints.push(Joint {
        extras: extras("amo", Value::from([("line", 12.0.into())])),
        ..Joint::new("arm", None)
    });
    arm.joints.push(Joint { rest: moved(0.0, 1.0, 0.0), visible: false, ..below(0, "") });
    arm.joints.push(Joint {
        rest: Transform { scale: Vec3::new(1.0, 2.0, 3.0), ..moved(0.5, 0.0, 0.0) },
        ..below(0, "arm")
    });
    let mut stage = Skeleton::nodes("");
    stage.joints.push(Joint { rest: moved(9.0, 0.0, 0.0), ..Joint::new("stage", None) });
    stage.joints.push(Joint {
        rest: Transform { rotation: quarter_turn(), ..Transform::IDENTITY },
        ..below(0, "lift")
    });
    vec![arm, stage]
}

fn timelines() -> Vec<Timeline> {
    let mut wave =
        TimelineBuilder::new("wave").with_time_base(TimeBase::Frames { per_second: 24.0 });
    let turn = quarter_turn().to_array();
    keys(&mut wave, 1, Channel::Rotation, LINE, &[0.5, 0.75], &[[0., 0., 0., 1.], turn].concat());
    keys(&mut wave, 1, Channel::Visibility, Interpolation::Step, &[0.5, 0.625], &[0.0, 1.0]);
    keys(
        &mut wave,
        0,
        Channel::Translation,
        Interpolation::Cubic,
        &[0.5, 0.75],
        &(0..18).map(|n| n as f32).collect::<Vec<_>>(),
    );
    wave.keys(
        NodeId::new(1).into(),
        Channel::MorphWeights,
        LINE,
        &[0.5, 0.75],
        &[0.0, 1.0, 0.5, 0.25],
    )
    .unwrap();
    wave.constant(JointId::new(2).into(), Channel::Scale, &[2.0; 3]).unwrap();
    wave.event(Event {
        time: 0.75,
        name: "clap".into(),
        group: Some("Arm".into()),
        payload: extras("volume", 0.1_f32),
    });
    let mut lift = TimelineBuilder::new("take")
        .with_skeleton(SkeletonId::new(1))
        .with_time_base(TimeBase::Progress { duration: 2.0 });
    keys(
        &mut lift,
        1,
        Channel::Translation,
        Interpolation::Step,
        &[0.0, 2.0],
        &[0., 0., 0., 0., 5., 0.],
    );
    vec![wave.finish(), lift.finish()]
}

fn meshes() -> Vec<Mesh> {
    let weights = vec![1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let sleeve = Mesh {
        influences: Influences {
            per_vertex: 4,
            joints: vec![0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0],
            weights,
        },
        normals: vec![Vec3::new(0.0, 0.0, 1.0); 3],
        texcoords: vec![[0.0, 0.25], [0.5, 0.75], [1.0, 0.1]],
        colors: vec![[1.0, 0.5, 0.25, 1.0]; 3],
        morph_targets: ["near", "far"]
            .map(|name| MorphTarget {
                name: name.into(),
                positions: vec![Vec3::ONE; 3],
                normals: vec![Vec3::ZERO; 3],
            })
            .into(),
        morph_weights: vec![0.0, 0.5],
        extras: extras("castle", true),
        ..triangle("sleeve")
    };
    let mut lines = triangle("lines");
    lines.primitives = vec![
        painted(1, part(Topology::Lines, &[0, 1, 1, 2])),
        painted(1, part(Topology::Points, &[2])),
    ];
    vec![sleeve, lines]
}

fn wood() -> Material {
    Material {
        base_color: [0.1, 0.2, 0.3, 0.5],
        base_color_image: Some(ImageId::new(0)),
        emissive: [0.5, 0.0, 0.1],
        roughness: 0.25,
        double_sided: false,
        extras: extras("amo", "wood"),
        ..Material::new("wood")
    }
}

/// Everything that glTF holds to the last bit.
pub(crate) fn everything() -> Scene {
    let skeletons = skeletons();
    let png = b"\x89PNG\r\n\x1a\n".to_vec();
    Scene {
        name: "all".into(),
        skins: vec![skin_of(&skeletons[0])],
        skeletons,
        timelines: timelines(),
        clips: vec![
            Clip {
                name: "wave".into(),
                start: 0.5,
                end: 0.75,
                wrap: Wrap::PingPong,
                group: Some("Arm".into()),
                extras: extras("amo", 1.0),
                ..Clip::default()
            },
            Clip { name: "wave".into(), timeline: TimelineId::new(1), end: 2.5, ..Clip::default() },
        ],
        meshes: meshes(),
        nodes: vec![
            // What is just where a joint of a scene graph is, is that joint's node in the file; it
            // has its name.
            Node {
                parent: at(1, 1),
                camera: Some(CameraId::new(0)),
                name: "lift".into(),
                ..Node::default()
            },
            node("sleeve", 0, Some(0)),
            Node {
                parent: at(0, 2),
                transform: moved(1.0, 2.0, 3.0),
                extras: extras("a", 1.0),
                ..node("lines", 1, None)
            },
        ],
        cameras: vec![Camera {
            aspect: Some(1.5),
            far: Some(100.0),
            extras: extras("anc", 2.0),
            ..Camera::new("lens", 0.75)
        }],
        materials: vec![wood(), Material { unlit: true, ..Material::new("glow") }],
        images: vec![
            Image { name: "wood".into(), source: ImageSource::Path("wood/ä 1.png".into()) },
            Image {
                name: String::new(),
                source: ImageSource::Embedded { mime_type: "image/png".into(), bytes: png },
            },
        ],
        extras: extras(
            "file",
            Value::from([
                ("deep", [1.0, 2.5].into_iter().collect::<Value>()),
                ("tenth", 0.1.into()),
            ]),
        ),
        ..Scene::default()
    }
}

#[test]
fn what_gltf_holds_comes_back_bit_by_bit() {
    let scene = everything();
    let by_extension = FromIr::default().with_node_visibility(true);
    for options in [FromIr::default(), by_extension] {
        let back = there_and_back(&scene, &options);
        assert!(back.losses.is_empty(), "{:?}", back.losses);
        assert_same(&back.value, &scene);
    }
    // Times that were moved are moved back, up to their last bit; these have few.
    let at_zero = FromIr::default().with_clips_start_at_zero(true);
    assert_same(&there_and_back(&scene, &at_zero).value, &scene);
}

/// Rest poses with shear, keys before the rest pose, joints that a skin names twice: what the
/// writer makes of them is undone, up to rounding.
#[test]
fn nodes_that_were_made_up_are_gone() {
    let mut skeleton = Skeleton::new("sheared");
    let shear = Mat4 {
        columns: [
            [1.0, 0.0, 0.0, 0.0],
            [0.5, 1.0, 0.0, 0.0],
            [0.0, 0.0, -2.0, 0.0],
            [3.0, 0.0, 0.0, 1.0],
        ],
    };
    skeleton.joints.push(Joint {
        exact_rest: Some(shear),
        rest: shear.to_transform(),
        ..Joint::new("sheared", None)
    });
    let uneven = Transform { scale: Vec3::new(1.0, 2.0, 3.0), ..moved(0.0, 1.0, 0.0) };
    skeleton.joints.push(Joint { rest: uneven, visible: false, ..below(0, "turned") });
    skeleton.joints.push(Joint { rest: uneven, ..below(0, "pushed") });
    let mut builder = TimelineBuilder::new("t").with_pose_space(PoseSpace::DeltaFromRest);
    let turn = [[0., 0., 0., 1.], quarter_turn().to_array()].concat();
    keys(&mut builder, 0, Channel::Rotation, LINE, &[0.0, 1.0], &turn);
    keys(&mut builder, 0, Channel::Translation, LINE, &[0.0, 1.0], &[0., 0., 0., 1., 2., 3.]);
    keys(&mut builder, 1, Channel::Rotation, LINE, &[0.0, 1.0], &turn);
    keys(&mut builder, 2, Channel::Translation, LINE, &[0.0, 1.0], &[0., 0., 0., 1., 1., 1.]);
    keys(&mut builder, 2, Channel::Scale, LINE, &[0.0, 1.0], &[1., 1., 1., 2., 2., 2.]);
    let timeline = builder.finish();
    let skin = Skin {
        skeleton: SkeletonId::default(),
        joints: [0, 1, 0].map(JointId::new).into(),
        inverse_bind: vec![Mat4::IDENTITY, Mat4::IDENTITY, moved(0.0, 1.0, 0.0).to_matrix()],
    };
    let mesh = Mesh {
        influences: Influences {
            per_vertex: 4,
            joints: vec![0, 1, 2, 0, 2, 0, 0, 0, 1, 0, 0, 0],
            weights: [0.25, 0.25, 0.5, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0].into(),
        },
        ..triangle("m")
    };
    let scene = Scene {
        skeletons: vec![skeleton],
        timelines: vec![timeline.clone()],
        clips: vec![Clip { name: "t".into(), end: 1.0, ..Clip::default() }],
        skins: vec![skin],
        meshes: vec![mesh],
        materials: vec![Material::new("plain")],
        nodes: vec![node("m", 0, Some(0))],
        ..Scene::default()
    };
    let back = there_and_back(&scene, &FromIr::default());
    assert!(back.losses.is_empty());
    let mut found = back.value;
    assert!(found.skeletons[0].joints[0].exact_rest.unwrap().is_near(shear, 1e-6));
    found.skeletons[0].joints[0] = scene.skeletons[0].joints[0].clone();
    let read = &found.timelines[0];
    assert_eq!(
        (read.pose_space, read.tracks().len()),
        (PoseSpace::DeltaFromRest, timeline.tracks().len())
    );
    for (track, before) in read.tracks().iter().zip(timeline.tracks()) {
        assert_eq!((track.target, track.channel), (before.target, before.channel));
        let values =
            read.keys(track).values().flatten().zip(timeline.keys(before).values().flatten());
        assert!(values.clone().count() > 0);
        assert!(
            values.clone().all(|(a, b)| (a - b).abs() < 1e-6),
            "{:?}",
            values.collect::<Vec<_>>()
        );
    }
    found.timelines = scene.timelines.clone();
    assert_same(&found, &scene);
}

#[test]
fn clips_without_motion_come_back() {
    let mut skeleton = Skeleton::nodes("");
    skeleton.joints.push(Joint::new("a", None));
    skeleton.joints.push(Joint::new("b", None));
    let mut timeline = TimelineBuilder::new("take");
    timeline.event(Event { time: 1.5, name: "step".into(), ..Event::default() });
    let joints = Some([JointId::new(1)].into());
    let clip = Clip {
        name: "walk".into(),
        start: 1.0,
        end: 2.0,
        wrap: Wrap::PingPongOnce,
        group: Some("Leg".into()),
        joints,
        extras: extras("anm", "x"),
        ..Clip::default()
    };
    let scene = Scene {
        skeletons: vec![skeleton],
        timelines: vec![timeline.finish()],
        clips: vec![clip],
        ..Scene::default()
    };
    assert_same(&there_and_back(&scene, &FromIr::default()).value, &scene);
    assert_eq!(there_and_back(&Scene::default(), &FromIr::default()).value, Scene::default());
}

/// A clip that is a part of its timeline becomes a timeline of its own; masks are what the tracks
/// move.
#[test]
fn several_clips_on_one_timeline() {
    let mut skeleton = Skeleton::new("s");
    skeleton.joints.push(Joint::new("a", None));
    skeleton.joints.push(Joint::new("b", None));
    let mut builder = TimelineBuilder::new("take");
    for joint in 0..2 {
        keys(
            &mut builder,
            joint,
            Channel::Scale,
            LINE,
            &[0.0, 1.0, 2.0, 3.0],
            &(0..12).map(|n| n as f32).collect::<Vec<_>>(),
        );
    }
    let clip = |name: &str, start, end, joints: Option<usize>| Clip {
        name: name.into(),
        start,
        end,
        joints: joints.map(|joint| [JointId::new(joint)].into()),
        ..Clip::default()
    };
    let clips = vec![clip("first", 0.0, 1.0, None), clip("second", 2.0, 3.0, Some(1))];
    let scene = Scene {
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips,
        ..Scene::default()
    };
    let found = there_and_back(&scene, &FromIr::default()).value;
    assert_eq!(
        found.clips.iter().map(|clip| clip.joints.clone()).collect::<Vec<_>>(),
        [None, Some([JointId::new(1)].into())]
    );
    let ranges: Vec<_> = found
        .clips
        .iter()
        .map(|clip| (clip.name.as_str(), clip.timeline.index(), clip.start, clip.end))
        .collect();
    assert_eq!(ranges, [("first", 0, 0.0, 1.0), ("second", 1, 2.0, 3.0)]);
    let timelines: Vec<_> = found
        .timelines
        .iter()
        .map(|timeline| (timeline.name.as_str(), timeline.tracks().len(), timeline.range()))
        .collect();
    assert_eq!(timelines, [("take", 2, Some((0.0, 1.0))), ("take", 1, Some((2.0, 3.0)))]);
}

/// Groups as they were written before they had an entry of their own.
#[test]
fn groups_of_older_files() {
    let set = || extras("anm-text", Value::from([("set", "Arm".into())]));
    let kept = || Value::from([("sets", 1.0.into())]);
    let mut scene = everything();
    let (clip, timeline) = (&mut scene.clips[0], &mut scene.timelines[0]);
    (clip.group, timeline.events[0].group) = (None, None);
    (clip.extras, timeline.events[0].payload) = (set(), set());
    let mut still = set();
    if let Some(Value::Map(anm_text)) = still.get_mut("anm-text") {
        anm_text.insert("line".to_owned(), kept());
    }
    scene.clips.push(Clip { joints: Some([].into()), extras: still, ..Clip::default() });
    let found = there_and_back(&scene, &FromIr::default()).value;
    let (clip, event) = (&found.clips[0], &found.timelines[0].events[0]);
    assert_eq!((clip.group.as_deref(), event.group.as_deref()), (Some("Arm"), Some("Arm")));
    assert!(clip.extras.is_empty() && event.payload.is_empty());
    let still = found.clips.last().unwrap();
    assert_eq!(still.group.as_deref(), Some("Arm"));
    assert_eq!(still.extras, extras("anm-text", Value::from([("line", kept())])));
}
