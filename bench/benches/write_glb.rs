//! Writing a GLB of about 50 MB to memory, against copying as many bytes.

use anim_formats::anim_ir::{Mat4, Mesh, Node, Primitive, Scene, Skeleton, Skin, Topology, Vec3};
use anim_formats::{ConvertOptions, Target, convert};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// A skinned grid: positions, normals, texture coordinates, four influences, 32-bit indices.
fn scene(vertices: usize) -> Scene {
    let mut skeleton = Skeleton::new("s");
    skeleton.joints.extend(
        (0..32_usize).map(|joint| {
            anim_formats::anim_ir::Joint::new(format!("j{joint}"), joint.checked_sub(1))
        }),
    );
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
    let skin =
        Skin { skeleton: 0, joints: (0..32).collect(), inverse_bind: vec![Mat4::IDENTITY; 32] };
    let node = Node { name: "grid".into(), mesh: Some(0), skin: Some(0), ..Node::default() };
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
    let written = convert(&scene, Target::Glb, &ConvertOptions::default()).unwrap().value.main;
    let mut group = criterion.benchmark_group("write_glb");
    group.throughput(Throughput::Bytes(written.len() as u64)).sample_size(20);
    group.bench_function(format!("{} MB", written.len() >> 20), |bencher| {
        bencher.iter(|| convert(&scene, Target::Glb, &ConvertOptions::default()).unwrap());
    });
    group.bench_function("memcpy", |bencher| bencher.iter(|| written.clone()));
    // Without new memory for each file, as a batch does it: the system's work to hand out pages is
    // most of the time above.
    let mut out = Vec::new();
    group.bench_function("into the same memory", |bencher| {
        bencher.iter(|| {
            anim_formats::gltf::to_glb_in(
                &mut out,
                &scene,
                &anim_formats::gltf::WriteOptions::default(),
            )
            .unwrap()
        });
    });
    let mut out = Vec::new();
    group.bench_function("memcpy into the same memory", |bencher| {
        bencher.iter(|| out.clone_from(&written))
    });
    group.finish();
}

criterion_group!(benches, write_glb);
criterion_main!(benches);
