//! Writes a GLB of about 50 MB to memory, compared with copying the same number of bytes.

use anim_formats::anim_ir::{
    Joint, JointId, Mat4, Mesh, MeshId, Node, Primitive, Scene, Settings, Skeleton, SkeletonId,
    Skin, SkinId, Topology, Vec3,
};
use anim_formats::{Format, convert};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Returns a skinned grid: positions, normals, texture coordinates, four influences, 32-bit
/// indices.
fn scene(vertices: usize) -> Scene {
    let mut skeleton = Skeleton::new("s");
    let mut parent = None;
    for joint in 0..32 {
        parent = Some(skeleton.add_joint(Joint::new(format!("j{joint}"), parent)));
    }
    let mut mesh = Mesh { name: "grid".into(), ..Mesh::default() };
    for vertex in 0..vertices {
        let (x, y) = ((vertex % 1000) as f32, (vertex / 1000) as f32);
        mesh.positions.push(Vec3::new(x, y, (x * 0.1).sin()));
        mesh.normals.push(Vec3::new(0.0, 0.6, 0.8));
        mesh.texcoords.push([x / 1000.0, y / 1000.0]);
        mesh.influences.joints.extend([vertex as u32 % 31, vertex as u32 % 31 + 1, 0, 0]);
        mesh.influences.weights.extend([0.75, 0.25, 0.0, 0.0]);
    }
    mesh.influences.per_vertex = 4;
    let indices = (0..vertices as u32 - 1001)
        .flat_map(|v| [v, v + 1, v + 1000, v + 1, v + 1001, v + 1000])
        .collect();
    mesh.primitives.push(Primitive { topology: Topology::Triangles, indices, material: None });
    let skin = Skin {
        skeleton: SkeletonId::new(0),
        joints: (0..32).map(JointId::new).collect(),
        inverse_bind: vec![Mat4::IDENTITY; 32],
    };
    let (mesh_id, skin_id) = (Some(MeshId::new(0)), Some(SkinId::new(0)));
    let node = Node { name: "grid".into(), mesh: mesh_id, skin: skin_id, ..Node::default() };
    Scene {
        skeletons: vec![skeleton],
        meshes: vec![mesh],
        skins: vec![skin],
        nodes: vec![node],
        ..Scene::default()
    }
}

fn write_glb(criterion: &mut Criterion) {
    let scene = scene(680_000);
    let (glb, settings): (Format, _) = ("glb".parse().unwrap(), Settings::default());
    let written = convert(&scene, glb, &settings, "").unwrap().value.main;
    let mut group = criterion.benchmark_group("write_glb");
    group.throughput(Throughput::Bytes(written.len() as u64)).sample_size(20);
    group.bench_function(format!("{} MB", written.len() >> 20), |bencher| {
        bencher.iter(|| convert(&scene, glb, &settings, "").unwrap());
    });
    group.bench_function("memcpy", |bencher| bencher.iter(|| written.clone()));
    // Reuses the memory, as a batch does. In the benchmarks above, the system's allocation of pages
    // takes most of the time.
    let mut out = Vec::new();
    group.bench_function("into reused memory", |bencher| {
        bencher.iter(|| {
            let options = anim_formats::gltf::FromIr::default();
            anim_formats::gltf::to_glb_in(&mut out, &scene, &options).unwrap()
        });
    });
    let mut out = Vec::new();
    group.bench_function("memcpy into reused memory", |bencher| {
        bencher.iter(|| out.clone_from(&written))
    });
    group.finish();
}

criterion_group!(benches, write_glb);
criterion_main!(benches);
