//! Pictures are compared with independent computations; diagrams are parsed, and what they show is
//! compared with the scene.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "test code, which may panic"
)]

mod coverage;
mod curves;
mod drawn;
mod encoded;
mod hostile;
mod hostile_diagrams;
mod pictures;
mod places;
mod shown;
mod states;
mod textures;
mod timeline;

use anim_ir::{Material, MaterialId, Mesh, Node, Primitive, Scene, Vec3};
use anim_preview::{Background, Camera, Moment, Picture, PreviewOptions, Stage};

/// Returns a scene of triangles in front of [`camera`], each with an unlit material of a colour.
fn triangles(list: &[([[f32; 3]; 3], [f32; 4])]) -> Scene {
    let mut scene = Scene::default();
    let mut mesh = Mesh::default();
    for (index, (corners, color)) in list.iter().enumerate() {
        let material = Material { base_color: *color, unlit: true, ..Material::new("") };
        scene.add_material(material);
        let first = mesh.positions.len() as u32;
        mesh.positions.extend(corners.map(|[x, y, z]| Vec3::new(x, y, z)));
        mesh.primitives.push(Primitive {
            indices: vec![first, first + 1, first + 2],
            material: Some(MaterialId::new(index)),
            ..Primitive::default()
        });
    }
    let mesh = scene.add_mesh(mesh);
    scene.add_node(Node { mesh: Some(mesh), ..Node::default() });
    scene
}

/// A camera at the origin that looks along -z and sees -z to z at distance z.
fn camera() -> Camera {
    let (ahead, up) = (Vec3::new(0.0, 0.0, -1.0), Vec3::new(0.0, 1.0, 0.0));
    Camera::looking_at(Vec3::ZERO, ahead, up, std::f64::consts::FRAC_PI_2, 0.1)
}

fn options() -> PreviewOptions {
    PreviewOptions::default().with_size(32, 32).with_background(Background::Transparent)
}

fn draw(scene: &Scene, options: &PreviewOptions) -> Picture {
    Stage::new(scene, options).unwrap().draw(Moment::Rest, &camera()).unwrap()
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = dot(v, v).sqrt();
    v.map(|part| part / length)
}
