//! Reads a GLB with a skinned mesh of 5 MB and four animations of 64 joints on all three channels
//! into a scene. Compared with copying the bytes, and with the gltf crate: parsing the GLB and
//! reading all of its accessors into vectors.

use anim_formats::anim_ir::{
    Channel, Clip, Interpolation, Joint, JointId, Mat4, Mesh, MeshId, Node, Primitive, Scene,
    Skeleton, SkeletonId, Skin, SkinId, TimelineBuilder, Topology, Vec3,
};
use anim_formats::gltf::{Document, FromIr, ToIr, to_glb_in, to_ir};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gltf::animation::util::ReadOutputs;

const JOINTS: usize = 64;
const ANIMATIONS: usize = 4;
const KEYS: u16 = 600;

fn scene(vertices: u32) -> Scene {
    let mut skeleton = Skeleton::new("s");
    let mut parent = None;
    for joint in 0..JOINTS {
        parent = Some(skeleton.add_joint(Joint::new(format!("j{joint}"), parent)));
    }
    let mut mesh = Mesh { name: "grid".into(), ..Mesh::default() };
    for vertex in 0..vertices {
        let (x, y) = ((vertex % 1000) as f32, (vertex / 1000) as f32);
        mesh.positions.push(Vec3::new(x, y, (x * 0.1).sin()));
        mesh.normals.push(Vec3::new(0.0, 0.6, 0.8));
        mesh.texcoords.push([x / 1000.0, y / 1000.0]);
        mesh.influences.joints.extend([vertex % 63, vertex % 63 + 1, 0, 0]);
        mesh.influences.weights.extend([0.75, 0.25, 0.0, 0.0]);
    }
    mesh.influences.per_vertex = 4;
    let indices =
        (0..vertices - 1001).flat_map(|v| [v, v + 1, v + 1000, v + 1, v + 1001, v + 1000]);
    let indices = indices.collect();
    mesh.primitives.push(Primitive { topology: Topology::Triangles, indices, material: None });
    let skin = Skin {
        skeleton: SkeletonId::new(0),
        joints: (0..JOINTS).map(JointId::new).collect(),
        inverse_bind: vec![Mat4::IDENTITY; JOINTS],
    };
    let (mesh_id, skin_id) = (Some(MeshId::new(0)), Some(SkinId::new(0)));
    let node = Node { name: "grid".into(), mesh: mesh_id, skin: skin_id, ..Node::default() };
    let mut scene = Scene {
        skeletons: vec![skeleton],
        meshes: vec![mesh],
        skins: vec![skin],
        nodes: vec![node],
        ..Scene::default()
    };
    for animation in 0..ANIMATIONS {
        add_animation(&mut scene, animation);
    }
    scene
}

fn add_animation(scene: &mut Scene, number: usize) {
    let times: Vec<f32> = (0..KEYS).map(|key| f32::from(key) / 30.0).collect();
    let mut builder = TimelineBuilder::new("");
    for joint in 0..JOINTS {
        let angle = |time: f32| time + joint as f32 + number as f32;
        let places = times.iter().flat_map(|time| [angle(*time).sin(), 1.0, *time]);
        let turns =
            times.iter().flat_map(|time| [angle(*time).sin(), 0.0, 0.0, angle(*time).cos()]);
        let sizes = times.iter().flat_map(|time| [1.0, 1.5 + angle(*time).sin(), 1.0]);
        for (channel, values) in [
            (Channel::Translation, places.collect::<Vec<f32>>()),
            (Channel::Rotation, turns.collect()),
            (Channel::Scale, sizes.collect()),
        ] {
            let target = JointId::new(joint).into();
            builder.keys(target, channel, Interpolation::Linear, &times, values).unwrap();
        }
    }
    let timeline = scene.add_timeline(builder.finish());
    let end = times[times.len() - 1];
    scene.add_clip(Clip { name: format!("take {number}"), timeline, end, ..Clip::default() });
}

fn this_project(glb: &[u8]) -> Scene {
    to_ir(&Document::parse(glb).unwrap().value, &ToIr::default()).value
}

/// Reads all accessors with the gltf crate and returns the number of values.
fn gltf_crate(glb: &[u8]) -> usize {
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(glb).unwrap();
    let blob = blob.unwrap();
    let mut count = 0;
    for mesh in document.meshes() {
        for primitive in mesh.primitives() {
            let reader = primitive.reader(|_| Some(&blob));
            count += reader.read_positions().unwrap().collect::<Vec<_>>().len();
            count += reader.read_normals().unwrap().collect::<Vec<_>>().len();
            count += reader.read_tex_coords(0).unwrap().into_f32().collect::<Vec<_>>().len();
            count += reader.read_joints(0).unwrap().into_u16().collect::<Vec<_>>().len();
            count += reader.read_weights(0).unwrap().into_f32().collect::<Vec<_>>().len();
            count += reader.read_indices().unwrap().into_u32().collect::<Vec<_>>().len();
        }
    }
    for skin in document.skins() {
        let reader = skin.reader(|_| Some(&blob));
        count += reader.read_inverse_bind_matrices().unwrap().collect::<Vec<_>>().len();
    }
    for channel in document.animations().flat_map(|animation| animation.channels()) {
        let reader = channel.reader(|_| Some(&blob));
        count += reader.read_inputs().unwrap().collect::<Vec<_>>().len();
        count += match reader.read_outputs().unwrap() {
            ReadOutputs::Translations(values) => values.collect::<Vec<_>>().len(),
            ReadOutputs::Rotations(values) => values.into_f32().collect::<Vec<_>>().len(),
            ReadOutputs::Scales(values) => values.collect::<Vec<_>>().len(),
            ReadOutputs::MorphTargetWeights(values) => values.into_f32().collect::<Vec<_>>().len(),
        };
    }
    count
}

fn read_gltf(criterion: &mut Criterion) {
    let mut glb = Vec::new();
    to_glb_in(&mut glb, &scene(64_000), &FromIr::default()).unwrap();
    let keys = usize::from(KEYS) * JOINTS * 3 * ANIMATIONS;
    let read = this_project(&glb);
    assert_eq!(read.timelines.iter().map(|timeline| timeline.key_count()).sum::<usize>(), keys);
    assert!(gltf_crate(&glb) > 2 * keys);
    let mut group = criterion.benchmark_group("read_gltf");
    group.throughput(Throughput::Bytes(glb.len() as u64)).sample_size(20);
    group.bench_function("memcpy", |bencher| bencher.iter(|| glb.clone()));
    group.bench_function("bytes to scene", |bencher| bencher.iter(|| this_project(&glb)));
    group.bench_function("gltf crate", |bencher| bencher.iter(|| gltf_crate(&glb)));
    group.finish();
}

criterion_group!(benches, read_gltf);
criterion_main!(benches);
