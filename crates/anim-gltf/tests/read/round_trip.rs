//! What is written comes back.

use anim_gltf::WriteOptions;
use anim_ir::{
    Camera, Channel, Clip, Event, Extras, Image, ImageSource, Influences, Interpolation, Joint,
    Mat4, Material, Mesh, MorphTarget, Node, PoseSpace, Primitive, Quat, Scene, Skeleton, Skin,
    Target, TimeBase, TimelineBuilder, Topology, Transform, Value, Vec3, Wrap, dump,
};
use proptest::prelude::*;

use crate::evaluate::{Drawn, draw, pose};
use crate::there_and_back;

const LINE: Interpolation = Interpolation::Linear;

/// Two scenes in all that they say; what differs is shown line by line.
fn assert_same(found: &Scene, expected: &Scene) {
    for (found, expected) in dump(found).lines().zip(dump(expected).lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found, expected);
}

fn quarter_turn() -> Quat {
    Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), std::f64::consts::FRAC_PI_2)
}

fn moved(x: f32, y: f32, z: f32) -> Transform {
    Transform { translation: Vec3::new(x, y, z), ..Transform::IDENTITY }
}

fn extras(name: &str, value: impl Into<Value>) -> Extras {
    Extras::from([(name.to_owned(), value.into())])
}

fn triangle(name: &str) -> Mesh {
    let material = Some(0);
    Mesh {
        name: name.into(),
        positions: vec![Vec3::ZERO, Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0)],
        primitives: vec![Primitive {
            topology: Topology::Triangles,
            indices: vec![0, 1, 2],
            material,
        }],
        ..Mesh::default()
    }
}

/// Everything that glTF holds to the last bit.
pub(crate) fn everything() -> Scene {
    let mut arm = Skeleton::new("arm");
    // Names that are taken, and none.
    arm.joints.push(Joint {
        extras: extras("amo", Value::from([("line", 12.0.into())])),
        ..Joint::new("arm", None)
    });
    arm.joints.push(Joint {
        rest: moved(0.0, 1.0, 0.0),
        visible: false,
        ..Joint::new("", Some(0))
    });
    arm.joints.push(Joint {
        rest: Transform { scale: Vec3::new(1.0, 2.0, 3.0), ..moved(0.5, 0.0, 0.0) },
        ..Joint::new("arm", Some(0))
    });
    let mut stage = Skeleton::nodes("");
    stage.joints.push(Joint { rest: moved(9.0, 0.0, 0.0), ..Joint::new("stage", None) });
    stage.joints.push(Joint {
        rest: Transform { rotation: quarter_turn(), ..Transform::IDENTITY },
        ..Joint::new("lift", Some(0))
    });
    let rest = arm.rest_model_matrices();

    let mut wave = TimelineBuilder::new("wave").time_base(TimeBase::Frames { per_second: 24.0 });
    let turn = quarter_turn().to_array();
    wave.keys(
        Target::Joint(1),
        Channel::Rotation,
        LINE,
        &[0.5, 0.75],
        &[[0., 0., 0., 1.], turn].concat(),
    )
    .unwrap();
    wave.keys(
        Target::Joint(1),
        Channel::Visibility,
        Interpolation::Step,
        &[0.5, 0.625],
        &[0.0, 1.0],
    )
    .unwrap();
    wave.keys(
        Target::Joint(0),
        Channel::Translation,
        Interpolation::Cubic,
        &[0.5, 0.75],
        &(0..18).map(|n| n as f32).collect::<Vec<_>>(),
    )
    .unwrap();
    wave.keys(Target::Node(1), Channel::MorphWeights, LINE, &[0.5, 0.75], &[0.0, 1.0, 0.5, 0.25])
        .unwrap();
    wave.constant(Target::Joint(2), Channel::Scale, &[2.0; 3]).unwrap();
    wave.event(Event { time: 0.75, name: "clap".into(), payload: extras("volume", 0.1_f32) });
    let mut lift =
        TimelineBuilder::new("take").skeleton(1).time_base(TimeBase::Progress { duration: 2.0 });
    lift.keys(
        Target::Joint(1),
        Channel::Translation,
        Interpolation::Step,
        &[0.0, 2.0],
        &[0., 0., 0., 0., 5., 0.],
    )
    .unwrap();

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
        Primitive { topology: Topology::Lines, indices: vec![0, 1, 1, 2], material: Some(1) },
        Primitive { topology: Topology::Points, indices: vec![2], material: Some(1) },
    ];
    let wood = Material {
        base_color: [0.1, 0.2, 0.3, 0.5],
        base_color_image: Some(0),
        emissive: [0.5, 0.0, 0.1],
        roughness: 0.25,
        double_sided: false,
        extras: extras("amo", "wood"),
        ..Material::new("wood")
    };
    let png = b"\x89PNG\r\n\x1a\n".to_vec();
    Scene {
        name: "all".into(),
        skins: vec![Skin {
            skeleton: 0,
            joints: vec![0, 1, 2],
            inverse_bind: rest.iter().map(|m| m.inverse().unwrap()).collect(),
        }],
        skeletons: vec![arm, stage],
        timelines: vec![wave.finish(), lift.finish()],
        clips: vec![
            Clip {
                name: "wave".into(),
                start: 0.5,
                end: 0.75,
                wrap: Wrap::PingPong,
                extras: extras("amo", 1.0),
                ..Clip::default()
            },
            Clip { name: "wave".into(), timeline: 1, end: 2.5, ..Clip::default() },
        ],
        meshes: vec![sleeve, lines],
        nodes: vec![
            // What is just where a joint of a scene graph is, is that joint's node in the file; it
            // has its name.
            Node { name: "lift".into(), camera: Some(0), parent: Some((1, 1)), ..Node::default() },
            Node { name: "sleeve".into(), mesh: Some(0), skin: Some(0), ..Node::default() },
            Node {
                name: "lines".into(),
                mesh: Some(1),
                parent: Some((0, 2)),
                transform: moved(1.0, 2.0, 3.0),
                extras: extras("a", 1.0),
                ..Node::default()
            },
        ],
        cameras: vec![Camera {
            aspect: Some(1.5),
            far: Some(100.0),
            extras: extras("anc", 2.0),
            ..Camera::new("lens", 0.75)
        }],
        materials: vec![wood, Material { unlit: true, ..Material::new("glow") }],
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
    let mut by_extension = WriteOptions::default();
    by_extension.node_visibility = true;
    for options in [WriteOptions::default(), by_extension] {
        let back = there_and_back(&scene, &options);
        assert!(back.losses.is_empty(), "{:?}", back.losses);
        assert_same(&back.value, &scene);
    }
    // Times that were moved are moved back, up to their last bit; these have few.
    let mut at_zero = WriteOptions::default();
    at_zero.clips_start_at_zero = true;
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
    skeleton.joints.push(Joint { rest: uneven, visible: false, ..Joint::new("turned", Some(0)) });
    skeleton.joints.push(Joint { rest: uneven, ..Joint::new("pushed", Some(0)) });
    let mut builder = TimelineBuilder::new("t").pose_space(PoseSpace::DeltaFromRest);
    let turn = [[0., 0., 0., 1.], quarter_turn().to_array()].concat();
    builder.keys(Target::Joint(0), Channel::Rotation, LINE, &[0.0, 1.0], &turn).unwrap();
    builder
        .keys(Target::Joint(0), Channel::Translation, LINE, &[0.0, 1.0], &[0., 0., 0., 1., 2., 3.])
        .unwrap();
    builder.keys(Target::Joint(1), Channel::Rotation, LINE, &[0.0, 1.0], &turn).unwrap();
    builder
        .keys(Target::Joint(2), Channel::Translation, LINE, &[0.0, 1.0], &[0., 0., 0., 1., 1., 1.])
        .unwrap();
    builder
        .keys(Target::Joint(2), Channel::Scale, LINE, &[0.0, 1.0], &[1., 1., 1., 2., 2., 2.])
        .unwrap();
    let timeline = builder.finish();
    let skin = Skin {
        skeleton: 0,
        joints: vec![0, 1, 0],
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
        nodes: vec![Node { name: "m".into(), mesh: Some(0), skin: Some(0), ..Node::default() }],
        ..Scene::default()
    };
    let back = there_and_back(&scene, &WriteOptions::default());
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
    timeline.event(Event { time: 1.5, name: "step".into(), payload: Extras::new() });
    let joints = Some([1].into());
    let clip = Clip {
        name: "walk".into(),
        start: 1.0,
        end: 2.0,
        wrap: Wrap::Loop,
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
    assert_same(&there_and_back(&scene, &WriteOptions::default()).value, &scene);
    assert_eq!(there_and_back(&Scene::default(), &WriteOptions::default()).value, Scene::default());
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
        builder
            .keys(
                Target::Joint(joint),
                Channel::Scale,
                LINE,
                &[0.0, 1.0, 2.0, 3.0],
                &(0..12).map(|n| n as f32).collect::<Vec<_>>(),
            )
            .unwrap();
    }
    let clip = |name: &str, start, end, joints: Option<usize>| Clip {
        name: name.into(),
        start,
        end,
        joints: joints.map(|joint| [joint].into()),
        ..Clip::default()
    };
    let clips = vec![clip("first", 0.0, 1.0, None), clip("second", 2.0, 3.0, Some(1))];
    let scene = Scene {
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips,
        ..Scene::default()
    };
    let found = there_and_back(&scene, &WriteOptions::default()).value;
    assert_eq!(
        found.clips.iter().map(|clip| clip.joints.clone()).collect::<Vec<_>>(),
        [None, Some([1].into())]
    );
    let ranges: Vec<_> = found
        .clips
        .iter()
        .map(|clip| (clip.name.as_str(), clip.timeline, clip.start, clip.end))
        .collect();
    assert_eq!(ranges, [("first", 0, 0.0, 1.0), ("second", 1, 2.0, 3.0)]);
    let timelines: Vec<_> = found
        .timelines
        .iter()
        .map(|timeline| (timeline.name.as_str(), timeline.tracks().len(), timeline.range()))
        .collect();
    assert_eq!(timelines, [("take", 2, Some((0.0, 1.0))), ("take", 1, Some((2.0, 3.0)))]);
}

fn numbers(range: std::ops::Range<f32>) -> impl Strategy<Value = [f32; 3]> {
    prop::array::uniform3(range)
}

fn rotation() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0f32..1.0).prop_map(|q| Quat::from(q).normalized())
}

fn transform() -> impl Strategy<Value = Transform> {
    (numbers(-1.0..1.0), rotation(), numbers(0.5..1.5)).prop_map(|(t, r, s)| Transform {
        translation: t.into(),
        rotation: r,
        scale: s.into(),
    })
}

type Tracks = [Option<(Interpolation, Vec<f32>)>; 4];
/// Parent, rest pose, a matrix in its place, whether it is seen, tracks.
type JointRecipe = (Option<prop::sample::Index>, Transform, Option<[[f32; 3]; 3]>, bool, Tracks);

#[derive(Clone, Debug)]
struct Recipe {
    joints: Vec<JointRecipe>,
    names: Vec<String>,
    delta: bool,
    bones: bool,
    vertices: Vec<([f32; 3], prop::sample::Index, u8)>,
    offset: f32,
    hung: Option<prop::sample::Index>,
}

fn recipe(exact: bool) -> impl Strategy<Value = Recipe> {
    let kind = prop::sample::select(vec![Interpolation::Step, LINE, Interpolation::Cubic]);
    let track = || prop::option::of((kind.clone(), prop::collection::vec(-1.0f32..1.0, 48)));
    let tracks = [track(), track(), track(), track()];
    let matrix = prop::option::weighted(0.3, prop::array::uniform3(numbers(-1.0..1.0)))
        .prop_map(move |matrix| matrix.filter(|_| exact));
    let joint = (
        prop::option::of(any::<prop::sample::Index>()),
        transform(),
        matrix,
        any::<bool>(),
        tracks,
    );
    (
        prop::collection::vec(joint, 1..5),
        prop::collection::vec(
            prop::sample::select(vec!["", "a", "b", "a.001", "a.rest"]).prop_map(str::to_owned),
            8,
        ),
        any::<bool>(),
        any::<bool>(),
        prop::collection::vec((numbers(-1.0..1.0), any::<prop::sample::Index>(), 0u8..=4), 1..6),
        prop::sample::select(vec![0.0f32, 0.25, -0.5]),
        prop::option::of(any::<prop::sample::Index>()),
    )
        .prop_map(move |(joints, names, delta, bones, vertices, offset, hung)| Recipe {
            joints,
            names,
            delta: delta && exact,
            bones,
            vertices,
            offset,
            hung,
        })
}

fn build(recipe: &Recipe) -> Scene {
    let mut skeleton = Skeleton {
        bones: recipe.bones,
        ..Skeleton::new(if recipe.bones { "skeleton" } else { "" })
    };
    let mut builder = TimelineBuilder::new("timeline").pose_space(if recipe.delta {
        PoseSpace::DeltaFromRest
    } else {
        PoseSpace::ParentRelative
    });
    let times = [0.0, 0.5, 1.25, 2.0].map(|time| time + recipe.offset);
    for (index, ((parent, rest, exact, visible, tracks), name)) in
        recipe.joints.iter().zip(&recipe.names).enumerate()
    {
        let parent = parent.filter(|_| index > 0).map(|parent| parent.index(index));
        let mut joint =
            Joint { rest: *rest, visible: *visible, ..Joint::new(name.as_str(), parent) };
        if let Some([a, b, c]) = exact {
            let column = |[x, y, z]: [f32; 3]| [x, y, z, 0.0];
            let matrix =
                Mat4 { columns: [column(*a), column(*b), column(*c), [1.0, 2.0, 3.0, 1.0]] };
            (joint.rest, joint.exact_rest) = (matrix.to_transform(), Some(matrix));
        }
        skeleton.joints.push(joint);
        for (channel, track) in
            [Channel::Translation, Channel::Rotation, Channel::Scale, Channel::Visibility]
                .into_iter()
                .zip(tracks)
        {
            let Some((interpolation, values)) = track else { continue };
            let (width, interpolation) = if channel == Channel::Visibility {
                (1, Interpolation::Step)
            } else {
                (channel.width().unwrap(), *interpolation)
            };
            let parts = interpolation.values_per_key();
            let mut numbers: Vec<f32> = values[..times.len() * width * parts].to_vec();
            for (number, value) in numbers.chunks_mut(width).enumerate() {
                match channel {
                    Channel::Visibility => value[0] = f32::from(u8::from(value[0] > 0.0)),
                    Channel::Rotation if parts == 1 || number % 3 == 1 => {
                        let unit = Quat::new(value[0] * 0.3, value[1] * 0.3, value[2] * 0.3, 1.0)
                            .normalized();
                        value.copy_from_slice(&unit.to_array());
                    }
                    _ => {}
                }
            }
            builder.keys(Target::Joint(index), channel, interpolation, &times, &numbers).unwrap();
        }
    }
    let joints = skeleton.joints.len();
    let count = recipe.vertices.len();
    let mut influences = Influences { per_vertex: 4, ..Influences::default() };
    for (_, joint, weight) in &recipe.vertices {
        let (joint, weight) = (joint.index(joints), f32::from(*weight) * 0.25);
        // All of one joint, two halves, or nothing.
        let other = (joint + 1) % joints;
        let (weight, rest) = if joints == 1 || weight == 0.0 {
            (weight.ceil(), 0.0)
        } else {
            (weight, 1.0 - weight)
        };
        influences.joints.extend([
            if weight > 0.0 { joint as u32 } else { 0 },
            if rest > 0.0 { other as u32 } else { 0 },
            0,
            0,
        ]);
        influences.weights.extend([weight, rest, 0.0, 0.0]);
    }
    let mesh = Mesh {
        name: "mesh".into(),
        positions: recipe.vertices.iter().map(|(place, ..)| Vec3::from(*place)).collect(),
        influences: if recipe.bones { influences } else { Influences::default() },
        primitives: vec![Primitive {
            topology: Topology::Points,
            indices: (0..count as u32).collect(),
            material: Some(0),
        }],
        ..Mesh::default()
    };
    let skin = Skin {
        skeleton: 0,
        joints: (0..joints).collect(),
        inverse_bind: skeleton
            .rest_model_matrices()
            .iter()
            .map(|m| m.inverse().unwrap_or_default())
            .collect(),
    };
    let mut nodes =
        vec![Node { name: "skinned".into(), mesh: Some(0), skin: Some(0), ..Node::default() }];
    let hung = recipe.hung.map(|joint| Node {
        name: "hung".into(),
        parent: Some((0, joint.index(joints))),
        mesh: Some(0),
        ..Node::default()
    });
    if recipe.bones {
        nodes.extend(hung.map(|node| Node {
            mesh: Some(1),
            transform: moved(1.0, 0.0, 0.0),
            ..node
        }));
    } else {
        // It becomes the joint's own node, with its name.
        nodes = hung
            .into_iter()
            .map(|node| Node { name: skeleton.joints[node.parent.unwrap().1].name.clone(), ..node })
            .collect();
    }
    let timelines = vec![builder.finish()];
    let empty = timelines[0].tracks().is_empty();
    Scene {
        skins: if recipe.bones { vec![skin] } else { vec![] },
        skeletons: vec![skeleton],
        timelines: if empty { vec![] } else { timelines },
        clips: if empty {
            vec![]
        } else {
            vec![Clip { name: "clip".into(), start: times[0], end: times[3], ..Clip::default() }]
        },
        meshes: if recipe.bones { vec![mesh, triangle("more")] } else { vec![mesh] },
        materials: vec![Material::new("m")],
        nodes,
        ..Scene::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn plain_scenes_come_back_bit_by_bit(recipe in recipe(false), by_extension in any::<bool>()) {
        let scene = build(&recipe);
        let mut options = WriteOptions::default();
        options.node_visibility = by_extension;
        let back = there_and_back(&scene, &options);
        prop_assert!(back.losses.is_empty(), "{:?}", back.losses);
        assert_same(&back.value, &scene);
    }

    /// With shear and keys before the rest pose: everything is where it was.
    #[test]
    fn poses_come_back(recipe in recipe(true), time in 0.0f64..2.0) {
        let scene = build(&recipe);
        let back = there_and_back(&scene, &WriteOptions::default()).value;
        prop_assert_eq!(back.skeletons[0].joints.len(), scene.skeletons[0].joints.len());
        for time in [time, 0.0, 0.5, 2.0].map(|time| time + f64::from(recipe.offset)) {
            let clip = scene.clips.first().map(|clip| clip.name.as_str());
            let (expected, found) = (pose(&scene, clip, time).0.remove(0), pose(&back, clip, time).0.remove(0));
            let size = expected.model.iter().flat_map(|m| m.to_columns()).fold(1.0f32, |most, e| most.max(e.abs()));
            let near = |a: f32, b: f32| (a - b).abs() <= 2e-4 * size;
            for (a, b) in expected.model.iter().zip(&found.model) {
                prop_assert!(a.to_columns().into_iter().zip(b.to_columns()).all(|(a, b)| near(a, b)), "{:?} {:?} at {}", a, b, time);
            }
            prop_assert_eq!(expected.visible, found.visible);
            let (expected, found) = (draw(&scene, clip, time), draw(&back, clip, time));
            prop_assert_eq!((expected.points.len(), expected.triangles.len()), (found.points.len(), found.triangles.len()));
            let places = |drawn: Drawn| drawn.points.into_iter().chain(drawn.triangles.into_iter().flatten());
            for (a, b) in places(expected).zip(places(found)) {
                prop_assert!(a.to_array().into_iter().zip(b.to_array()).all(|(a, b)| near(a * 0.2, b * 0.2)), "{:?} {:?} at {}", a, b, time);
            }
        }
    }
}
