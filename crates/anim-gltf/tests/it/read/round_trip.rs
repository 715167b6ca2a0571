//! Round trips of handwritten scenes.

use anim_gltf::FromIr;
use anim_ir::Channel::{Rotation, Scale, Translation, Visibility};
use anim_ir::Interpolation::{Cubic, Linear, Step};
use anim_ir::{
    Camera, CameraId, Clip, Event, Image, ImageId, Influences, Joint, JointId, Mat4, Material,
    Mesh, MeshId, MorphTarget, Node, PoseSpace, Scene, Skeleton, SkeletonId, Skin, TimeBase,
    Timeline, TimelineBuilder, TimelineId, Topology, Transform, Value, Vec3, Wrap, dump,
};

use super::there_and_back;
use crate::scenes::{
    self, at, below, clip, count, extras, keys, moved, moving, node, painted, part, quarter,
    quarter_turn, sheared, skin_of, skinned_triangle, weights,
};

/// Asserts that two scenes are equal. Shows differences line by line.
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

/// Returns an arm made of bones, and a stage made of nodes.
fn skeletons() -> Vec<Skeleton> {
    let mut arm = Skeleton::new("arm");
    // These joints have duplicate names and an empty name.
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
    keys(&mut wave, 1, Rotation, Linear, &[0.5, 0.75], &quarter());
    keys(&mut wave, 1, Visibility, Step, &[0.5, 0.625], &[0.0, 1.0]);
    keys(&mut wave, 0, Translation, Cubic, &[0.5, 0.75], &count(18));
    weights(&mut wave, 1, Linear, &[0.5, 0.75], &[0.0, 1.0, 0.5, 0.25]);
    wave.constant(JointId::new(2).into(), Scale, &[2.0; 3]).unwrap();
    wave.event(Event {
        time: 0.75,
        name: "clap".into(),
        group: Some("Arm".into()),
        payload: extras("volume", 0.1_f32),
    });
    let mut lift = TimelineBuilder::new("take")
        .with_skeleton(SkeletonId::new(1))
        .with_time_base(TimeBase::Progress { duration: 2.0 });
    keys(&mut lift, 1, Translation, Step, &[0.0, 2.0], &[0., 0., 0., 0., 5., 0.]);
    vec![wave.finish(), lift.finish()]
}

fn meshes() -> Vec<Mesh> {
    let joints = [0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0];
    let weights = [1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let target = |name: &str| MorphTarget {
        name: name.into(),
        positions: vec![Vec3::ONE; 3],
        normals: vec![Vec3::ZERO; 3],
    };
    let sleeve = Mesh {
        normals: vec![Vec3::new(0.0, 0.0, 1.0); 3],
        texcoords: vec![[0.0, 0.25], [0.5, 0.75], [1.0, 0.1]],
        colors: vec![[1.0, 0.5, 0.25, 1.0]; 3],
        morph_targets: ["near", "far"].map(target).into(),
        morph_weights: vec![0.0, 0.5],
        primitives: triangle("").primitives,
        extras: extras("castle", true),
        ..skinned_triangle("sleeve", 4, &joints, &weights)
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
        emissive_image: Some(ImageId::new(0)),
        metallic: 0.75,
        roughness: 0.25,
        metallic_roughness_image: Some(ImageId::new(0)),
        normal_image: Some(ImageId::new(0)),
        normal_scale: 0.5,
        occlusion_image: Some(ImageId::new(0)),
        occlusion_strength: 0.25,
        double_sided: false,
        extras: extras("amo", "wood"),
        ..Material::new("wood")
    }
}

/// Returns a scene with everything that glTF can store exactly.
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
                wrap: Wrap::PingPong,
                group: Some("Arm".into()),
                extras: extras("amo", 1.0),
                ..clip("wave", 0.5, 0.75)
            },
            Clip { timeline: TimelineId::new(1), ..clip("wave", 0.0, 2.5) },
        ],
        meshes: meshes(),
        nodes: vec![
            // A node without a transform is merged into its parent joint in a scene graph and gets
            // the joint's name.
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
            Image { name: "wood".into(), ..Image::at("wood/ä 1.png") },
            Image::embedded(png),
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
fn scenes_round_trip_exactly() {
    let scene = everything();
    // A scale of 0 would collapse the skin that a hidden bone bends.
    let by_extension = || FromIr::default().with_node_visibility(true);
    // Times with few significant bits are exact after being shifted and shifted back.
    for options in [by_extension(), by_extension().with_clips_start_at_zero(true)] {
        let back = there_and_back(&scene, &options);
        assert!(back.losses.is_empty(), "{:?}", back.losses);
        assert_same(&back.value, &scene);
    }
}

/// The reader undoes the writer's conversion of rest poses with shear, keys applied before the rest
/// pose, and joints that a skin lists twice, up to rounding.
#[test]
fn nodes_added_by_the_writer_are_removed() {
    let mut scene = sheared([1.0, 2.0, 3.0]);
    scene.skeletons[0].joints[1].visible = false;
    scene.skins = vec![Skin {
        skeleton: SkeletonId::default(),
        joints: [0, 1, 0].map(JointId::new).into(),
        inverse_bind: vec![Mat4::IDENTITY, Mat4::IDENTITY, moved(0.0, 1.0, 0.0).to_matrix()],
    }];
    let influences = Influences {
        per_vertex: 4,
        joints: vec![0, 1, 2, 0, 2, 0, 0, 0, 1, 0, 0, 0],
        weights: [0.25, 0.25, 0.5, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0].into(),
    };
    scene.meshes = vec![Mesh { influences, ..triangle("m") }];
    scene.materials = vec![Material::new("plain")];
    scene.nodes = vec![node("m", 0, Some(0))];
    let back = there_and_back(&scene, &FromIr::default());
    assert!(back.losses.is_empty());
    let mut found = back.value;
    let (joint, expected) = (&mut found.skeletons[0].joints[0], &scene.skeletons[0].joints[0]);
    assert!(joint.exact_rest.unwrap().is_near(expected.exact_rest.unwrap(), 1e-6));
    joint.clone_from(expected);
    let (read, timeline) = (&found.timelines[0], &scene.timelines[0]);
    assert_eq!(read.pose_space, PoseSpace::DeltaFromRest);
    assert_eq!(read.tracks().len(), timeline.tracks().len());
    for (track, before) in read.tracks().iter().zip(timeline.tracks()) {
        assert_eq!((track.target, track.channel), (before.target, before.channel));
        let (found, expected) = (read.keys(track), timeline.keys(before));
        let mut values = found.values().flatten().zip(expected.values().flatten()).peekable();
        assert!(values.peek().is_some());
        assert!(values.all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
    }
    found.timelines = scene.timelines.clone();
    assert_same(&found, &scene);
}

#[test]
fn clips_without_motion_survive_a_round_trip() {
    let joints = Some([JointId::new(1)].into());
    let clip = Clip {
        wrap: Wrap::PingPongOnce,
        group: Some("Leg".into()),
        extras: extras("anm", "x"),
        ..clip("walk", 1.0, 2.0)
    };
    // A clip of all joints has an animation that holds a node in the rest pose.
    for joints in [joints, None] {
        let mut skeleton = Skeleton::nodes("");
        skeleton.joints.push(Joint::new("a", None));
        skeleton.joints.push(Joint::new("b", None));
        let mut timeline = TimelineBuilder::new("take");
        timeline.event(Event { time: 1.5, name: "step".into(), ..Event::default() });
        let scene = moving(skeleton, timeline, vec![Clip { joints, ..clip.clone() }]);
        assert_same(&there_and_back(&scene, &FromIr::default()).value, &scene);
    }
    // Without a skeleton, it is the node of the mesh, which does not become a joint.
    let still = Scene {
        skeletons: vec![Skeleton::nodes("")],
        timelines: vec![TimelineBuilder::new("t").finish()],
        clips: vec![clip],
        nodes: vec![Node { name: "leaf".into(), mesh: Some(MeshId::new(0)), ..Node::default() }],
        meshes: vec![scenes::triangle("leaf")],
        ..Scene::default()
    };
    let found = there_and_back(&still, &FromIr::default()).value;
    assert_eq!((&found.clips, &found.nodes), (&still.clips, &still.nodes));
    assert_eq!(there_and_back(&Scene::default(), &FromIr::default()).value, Scene::default());
}

/// A clip that covers part of its timeline gets its own timeline. Joint masks are reduced to the
/// joints that have tracks.
#[test]
fn several_clips_on_one_timeline() {
    let mut skeleton = Skeleton::new("s");
    skeleton.joints.push(Joint::new("a", None));
    skeleton.joints.push(Joint::new("b", None));
    let mut builder = TimelineBuilder::new("take");
    for joint in 0..2 {
        keys(&mut builder, joint, Scale, Linear, &[0.0, 1.0, 2.0, 3.0], &count(12));
    }
    let second = Clip { joints: Some([JointId::new(1)].into()), ..clip("second", 2.0, 3.0) };
    let clips = vec![clip("first", 0.0, 1.0), second];
    let scene = moving(skeleton, builder, clips);
    let found = there_and_back(&scene, &FromIr::default()).value;
    let second = Clip { timeline: TimelineId::new(1), ..scene.clips[1].clone() };
    assert_eq!(found.clips, [scene.clips[0].clone(), second]);
    let timelines = found.timelines.iter();
    let timelines =
        timelines.map(|timeline| (&*timeline.name, timeline.tracks().len(), timeline.range()));
    assert!(timelines.eq([("take", 2, Some((0.0, 1.0))), ("take", 1, Some((2.0, 3.0)))]));
}

/// Reads groups in the form that older versions wrote.
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
