//! Makes the page of `animfmt view`: from the bytes of a file of about 3.5 MB to those of the HTML
//! page, in memory, on one thread. One file is a GLB with a skinned mesh and a clip, another has
//! castle-anim-frames, which become a GLB with morph targets first. Compared with copying the page.

use anim_formats::anim_ir::{
    Channel, Clip, Interpolation, Joint, JointId, Mat4, Mesh, MeshId, NoFiles, Node, Primitive,
    Scene, Settings, Skeleton, SkeletonId, Skin, SkinId, TimelineBuilder, Topology, Vec3,
};
use anim_formats::{AnyDocument, Format, Part, convert};
use anim_viewer::{Model, PageInfo, Request, combine, html, template};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use test_oracle::castle::generate;

const SIZE: usize = 3_500_000;
const JOINTS: usize = 32;
/// The columns and rows of vertices of the mesh.
const GRID: (u32, u32) = (200, 272);

/// Returns a GLB with a skinned grid: positions, normals, texture coordinates, four influences,
/// 32-bit indices, and a clip that turns each joint.
fn glb() -> Vec<u8> {
    let mut skeleton = Skeleton::new("s");
    let mut parent = None;
    for joint in 0..JOINTS {
        parent = Some(skeleton.add_joint(Joint::new(format!("j{joint}"), parent)));
    }
    let mut mesh = Mesh { name: "grid".into(), ..Mesh::default() };
    let (columns, rows) = GRID;
    for vertex in 0..columns * rows {
        let (x, y) = ((vertex % columns) as f32, (vertex / columns) as f32);
        mesh.positions.push(Vec3::new(x, y, (x * 0.1).sin()));
        mesh.normals.push(Vec3::new(0.0, 0.6, 0.8));
        mesh.texcoords.push([x / columns as f32, y / rows as f32]);
        mesh.influences.joints.extend([vertex % 31, vertex % 31 + 1, 0, 0]);
        mesh.influences.weights.extend([0.75, 0.25, 0.0, 0.0]);
    }
    mesh.influences.per_vertex = 4;
    let corners = |v: u32| [v, v + 1, v + columns, v + 1, v + columns + 1, v + columns];
    let indices = (0..columns * (rows - 1) - 1).flat_map(corners).collect();
    mesh.primitives.push(Primitive { topology: Topology::Triangles, indices, material: None });
    let joints: Vec<JointId> = (0..JOINTS).map(JointId::new).collect();
    let inverse_bind = vec![Mat4::IDENTITY; JOINTS];
    let mut builder = TimelineBuilder::new("turn");
    let times: Vec<f32> = (0..30).map(|frame| frame as f32 / 30.0).collect();
    let rows: Vec<f32> = times.iter().flat_map(|time| [0.0, 0.0, time.sin(), time.cos()]).collect();
    for joint in &joints {
        let target = (*joint).into();
        builder.keys(target, Channel::Rotation, Interpolation::Linear, &times, &rows).unwrap();
    }
    let skin = Skin { skeleton: SkeletonId::new(0), joints, inverse_bind };
    let (mesh_id, skin_id) = (Some(MeshId::new(0)), Some(SkinId::new(0)));
    let node = Node { name: "grid".into(), mesh: mesh_id, skin: skin_id, ..Node::default() };
    let mut scene = Scene {
        skeletons: vec![skeleton],
        meshes: vec![mesh],
        skins: vec![skin],
        nodes: vec![node],
        ..Scene::default()
    };
    let timeline = scene.add_timeline(builder.finish());
    scene.add_clip(Clip { name: "turn".into(), timeline, end: 1.0, ..Clip::default() });
    convert(&scene, "glb".parse().unwrap(), &Settings::default(), "").unwrap().value.main
}

/// Returns the page that shows a file.
fn page(bytes: Vec<u8>, format: Format) -> Vec<u8> {
    let settings = Settings::default();
    let parsed = AnyDocument::parse(bytes, format, &settings).unwrap();
    let part = Part { name: "file".into(), parsed, files: Box::new(NoFiles), way: String::new() };
    let target = "glb".parse().unwrap();
    let request = Request { target, with: &[], take: None, borders: true };
    let source = combine(&request, vec![part], &settings).unwrap();
    let model = Model::of("file".into(), source, &["file".into()], &settings).unwrap();
    let info = PageInfo { files: vec![&model.info], watch: false, up: model.up };
    html(&template(), &info, [model.glb.as_slice()].into_iter()).unwrap()
}

fn view(criterion: &mut Criterion) {
    // The generator stops at a whole frame.
    let frames = generate::large(SIZE + SIZE / 10, true);
    let files = [("GLB", glb(), "gltf"), ("castle-anim-frames", frames, "castle")];
    for (name, file, format) in files {
        assert!((SIZE - 250_000..SIZE + 250_000).contains(&file.len()), "{name}: {}", file.len());
        let format: Format = format.parse().unwrap();
        let made = page(file.clone(), format);
        let mut group = criterion.benchmark_group(format!("view/{name}"));
        group.throughput(Throughput::Bytes(file.len() as u64)).sample_size(20);
        group.bench_function(format!("to a page of {} kB", made.len() / 1000), |bencher| {
            bencher.iter(|| page(file.clone(), format));
        });
        group.bench_function("memcpy", |bencher| bencher.iter(|| made.clone()));
        group.finish();
    }
}

criterion_group!(benches, view);
criterion_main!(benches);
