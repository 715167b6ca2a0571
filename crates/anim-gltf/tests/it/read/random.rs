//! Round trips of random scenes.

use anim_gltf::FromIr;
use anim_ir::{
    Channel, Influences, Interpolation, Joint, JointId, Mat4, Material, Mesh, Node, PoseSpace,
    Quat, Scene, Skeleton, Target, TimelineBuilder, Topology, Transform, Vec3,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::round_trip::{assert_same, triangle};
use super::there_and_back;
use crate::evaluate::{Drawn, draw, pose};
use crate::scenes::{at, clip, moved, moving, node, painted, part, skin_of};
use crate::write::random::{numbers, rotation};

fn transform() -> impl Strategy<Value = Transform> {
    (numbers(-1.0..1.0), rotation(), numbers(0.5..1.5)).prop_map(|(t, rotation, s)| Transform {
        translation: t.into(),
        rotation,
        scale: s.into(),
    })
}

type Tracks = [Option<(Interpolation, Vec<f32>)>; 4];

/// Parent, rest pose, a matrix that overrides the rest pose, visibility, tracks.
type JointRecipe = (Option<Index>, Transform, Option<[[f32; 3]; 3]>, bool, Tracks);

#[derive(Clone, Debug)]
struct Recipe {
    joints: Vec<JointRecipe>,
    names: Vec<&'static str>,
    delta: bool,
    bones: bool,
    vertices: Vec<([f32; 3], Index, u8)>,
    offset: f32,
    hung: Option<Index>,
}

fn joint(exact: bool) -> impl Strategy<Value = JointRecipe> {
    let kind = select(vec![Interpolation::Step, Interpolation::Linear, Interpolation::Cubic]);
    let track = || prop::option::of((kind.clone(), vec(-1.0f32..1.0, 48)));
    let tracks = [track(), track(), track(), track()];
    let matrix = prop::option::weighted(0.3, prop::array::uniform3(numbers(-1.0..1.0)))
        .prop_map(move |matrix| matrix.filter(|_| exact));
    (prop::option::of(any::<Index>()), transform(), matrix, any::<bool>(), tracks)
}

prop_compose! {
    fn recipe(exact: bool)(
        joints in vec(joint(exact), 1..5),
        names in vec(select(vec!["", "a", "b", "a.001", "a.rest"]), 8),
        delta in any::<bool>(),
        bones in any::<bool>(),
        vertices in vec((numbers(-1.0..1.0), any::<Index>(), 0u8..=4), 1..6),
        offset in select(vec![0.0f32, 0.25, -0.5]),
        hung in prop::option::of(any::<Index>()),
    ) -> Recipe {
        Recipe { joints, names, delta: delta && exact, bones, vertices, offset, hung }
    }
}

fn add_tracks(builder: &mut TimelineBuilder, target: Target, tracks: &Tracks, times: &[f32]) {
    let channels = [Channel::Translation, Channel::Rotation, Channel::Scale, Channel::Visibility];
    for (channel, track) in channels.into_iter().zip(tracks) {
        let Some((interpolation, values)) = track else { continue };
        let is_flag = channel == Channel::Visibility;
        let interpolation = if is_flag { Interpolation::Step } else { *interpolation };
        let width = channel.width().unwrap();
        let parts = interpolation.values_per_key();
        let mut numbers: Vec<f32> = values[..times.len() * width * parts].to_vec();
        for (number, value) in numbers.chunks_mut(width).enumerate() {
            match channel {
                Channel::Visibility => value[0] = f32::from(u8::from(value[0] > 0.0)),
                Channel::Rotation if parts == 1 || number % 3 == 1 => {
                    let unit =
                        Quat::new(value[0] * 0.3, value[1] * 0.3, value[2] * 0.3, 1.0).normalized();
                    value.copy_from_slice(&unit.to_array());
                }
                _ => {}
            }
        }
        builder.keys(target, channel, interpolation, times, &numbers).unwrap();
    }
}

fn mesh(recipe: &Recipe, joints: usize) -> Mesh {
    let indices: Vec<u32> = (0..recipe.vertices.len() as u32).collect();
    let mut influences = Influences { per_vertex: 4, ..Influences::default() };
    for (_, joint, weight) in &recipe.vertices {
        let (joint, weight) = (joint.index(joints), f32::from(*weight) * 0.25);
        // One joint with a weight of 1, two joints whose weights sum to 1, or none.
        let other = (joint + 1) % joints;
        let alone = joints == 1 || weight == 0.0;
        let (weight, rest) = if alone { (weight.ceil(), 0.0) } else { (weight, 1.0 - weight) };
        let used = |joint: usize, weight: f32| if weight > 0.0 { joint as u32 } else { 0 };
        influences.joints.extend([used(joint, weight), used(other, rest), 0, 0]);
        influences.weights.extend([weight, rest, 0.0, 0.0]);
    }
    Mesh {
        name: "mesh".into(),
        positions: recipe.vertices.iter().map(|(place, ..)| Vec3::from(*place)).collect(),
        influences: if recipe.bones { influences } else { Influences::default() },
        primitives: vec![painted(0, part(Topology::Points, &indices))],
        ..Mesh::default()
    }
}

fn build(recipe: &Recipe) -> Scene {
    let mut skeleton = if recipe.bones { Skeleton::new("skeleton") } else { Skeleton::nodes("") };
    let mut builder = TimelineBuilder::new("timeline");
    if recipe.delta {
        builder = builder.with_pose_space(PoseSpace::DeltaFromRest);
    }
    let times = [0.0, 0.5, 1.25, 2.0].map(|time| time + recipe.offset);
    for (index, ((parent, rest, exact, visible, tracks), name)) in
        recipe.joints.iter().zip(&recipe.names).enumerate()
    {
        let parent = parent.filter(|_| index > 0).map(|parent| JointId::new(parent.index(index)));
        let mut joint = Joint { rest: *rest, visible: *visible, ..Joint::new(*name, parent) };
        if let Some([a, b, c]) = exact {
            let column = |[x, y, z]: [f32; 3]| [x, y, z, 0.0];
            let mut columns = [column(*a), column(*b), column(*c), [1.0, 2.0, 3.0, 1.0]];
            if recipe.bones {
                // A skin inverts the rest matrix: the rounding errors of a pose grow by its
                // condition number. A dominant diagonal bounds that.
                for (index, column) in columns[..3].iter_mut().enumerate() {
                    *column = column.map(|entry| entry * 0.5);
                    column[index] += 1.5;
                }
            }
            let matrix = Mat4 { columns };
            (joint.rest, joint.exact_rest) = (matrix.to_transform(), Some(matrix));
        }
        skeleton.joints.push(joint);
        add_tracks(&mut builder, JointId::new(index).into(), tracks, &times);
    }
    let joints = skeleton.joints.len();
    let mesh = mesh(recipe, joints);
    let skin = skin_of(&skeleton);
    let hung = recipe.hung.map(|joint| joint.index(joints));
    let (skins, meshes, nodes);
    if recipe.bones {
        (skins, meshes) = (vec![skin], vec![mesh, triangle("more")]);
        let transform = moved(1.0, 0.0, 0.0);
        let hang = |joint| Node { parent: at(0, joint), transform, ..node("hung", 1, None) };
        nodes = [node("skinned", 0, Some(0))].into_iter().chain(hung.map(hang)).collect();
    } else {
        // The node is merged into the joint's own node and gets its name.
        let own = |joint: usize| Node {
            parent: at(0, joint),
            ..node(&skeleton.joints[joint].name, 0, None)
        };
        (skins, meshes, nodes) = (vec![], vec![mesh], hung.into_iter().map(own).collect());
    }
    let materials = vec![Material::new("m")];
    let mut scene = Scene {
        skins,
        meshes,
        materials,
        nodes,
        ..moving(skeleton, builder, vec![clip("clip", times[0], times[3])])
    };
    if scene.timelines[0].tracks().is_empty() {
        (scene.timelines, scene.clips) = (vec![], vec![]);
    }
    scene
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn plain_scenes_round_trip_exactly(recipe in recipe(false), by_extension in any::<bool>()) {
        let scene = build(&recipe);
        // A scale of 0 would collapse the skin that bones bend.
        let options = FromIr::default().with_node_visibility(by_extension || recipe.bones);
        let back = there_and_back(&scene, &options);
        prop_assert!(back.losses.is_empty(), "{:?}", back.losses);
        assert_same(&back.value, &scene);
    }

    /// Poses survive a round trip, even with shear and keys applied before the rest pose.
    #[test]
    fn poses_survive_a_round_trip(recipe in recipe(true), time in 0.0f64..2.0) {
        let scene = build(&recipe);
        let options = FromIr::default().with_node_visibility(recipe.bones);
        let back = there_and_back(&scene, &options).value;
        prop_assert_eq!(back.skeletons[0].joints.len(), scene.skeletons[0].joints.len());
        for time in [time, 0.0, 0.5, 2.0].map(|time| time + f64::from(recipe.offset)) {
            let clip = scene.clips.first().map(|clip| clip.name.as_str());
            let expected = pose(&scene, clip, time).0.remove(0);
            let found = pose(&back, clip, time).0.remove(0);
            let entries = expected.model.iter().flat_map(|m| m.to_columns());
            let size = entries.fold(1.0f32, |most, e| most.max(e.abs()));
            let near = |a: f32, b: f32| (a - b).abs() <= 2e-4 * size;
            for (a, b) in expected.model.iter().zip(&found.model) {
                let mut pairs = a.to_columns().into_iter().zip(b.to_columns());
                prop_assert!(pairs.all(|(a, b)| near(a, b)), "{a:?} {b:?} at {time}");
            }
            prop_assert_eq!(expected.visible, found.visible);
            let (expected, found) = (draw(&scene, clip, time), draw(&back, clip, time));
            prop_assert_eq!(expected.points.len(), found.points.len());
            prop_assert_eq!(expected.triangles.len(), found.triangles.len());
            let places = |drawn: Drawn| {
                drawn.points.into_iter().chain(drawn.triangles.into_iter().flatten())
            };
            for (a, b) in places(expected).zip(places(found)) {
                let mut pairs = a.to_array().into_iter().zip(b.to_array());
                prop_assert!(pairs.all(|(a, b)| near(a * 0.2, b * 0.2)), "{a:?} {b:?} at {time}");
            }
        }
    }
}
