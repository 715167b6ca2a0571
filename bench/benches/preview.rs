//! Draws a frame of 480×360 pixels with 2×2 samples each: 5,000 textured triangles of a rippled
//! sheet, which nearly fills the picture, lit and, beside euc, without light. Euc has neither supersampling
//! nor mipmaps: it draws four times the pixels, which are averaged, and reads the same texture.
//! The pictures are compared first.
//!
//! Then 48 such frames, drawn and encoded as an animated PNG and as a GIF on two threads.

use anim_formats::anim_ir::color::{to_linear, to_srgb};
use anim_formats::anim_ir::{
    Image, ImageId, Material, MaterialId, Mesh, Node, Primitive, Scene, Vec3,
};
use anim_preview::{Camera, Moment, Picture, PreviewOptions, Stage, animated_png, gif};
use criterion::{Criterion, criterion_group, criterion_main};
use euc::{Pipeline, buffer::Buffer2d, rasterizer};

/// Squares along a side of the sheet.
const SQUARES: u16 = 50;
const TEXTURE: u16 = 256;
const SIZE: (u32, u32) = (480, 360);
const FRAMES: usize = 48;
const FOV: f64 = 0.8;
const NEAR: f64 = 0.1;

/// The pixels of the texture: soft stripes, so that pictures of it can be compared.
fn texel(x: u16, y: u16) -> [u8; 4] {
    let wave = |at: u16, waves: f64| {
        let turns = f64::from(at) / f64::from(TEXTURE) * waves;
        (128.0 + 100.0 * (turns * std::f64::consts::TAU).sin()) as u8
    };
    [wave(x, 3.0), wave(y, 2.0), wave(x.wrapping_add(y), 1.0), 255]
}

fn texture() -> Vec<[u8; 4]> {
    (0..TEXTURE).flat_map(|y| (0..TEXTURE).map(move |x| texel(x, y))).collect()
}

fn scene(unlit: bool) -> Scene {
    let mut scene = Scene::default();
    let side = u32::from(TEXTURE);
    let image = Picture { width: side, height: side, pixels: texture() };
    scene.images.push(Image::embedded(image.to_png().unwrap()));
    let image = Some(ImageId::new(0));
    scene.add_material(Material { base_color_image: image, unlit, ..Material::new("") });
    let mut mesh = Mesh::default();
    for row in 0..=SQUARES {
        for column in 0..=SQUARES {
            let [x, y] = [column, row].map(|at| f64::from(at) / f64::from(SQUARES));
            let height = ((x * 9.0).sin() + (y * 7.0).cos()) * 0.08;
            let slope = [(x * 9.0).cos() * 0.72 / 4.0, (y * 7.0).sin() * 0.56 / 3.0];
            let length = (slope[0].powi(2) + slope[1].powi(2) + 1.0).sqrt();
            let normal = [-slope[0] / length, -slope[1] / length, 1.0 / length];
            mesh.positions.push(Vec3::from_f64([x * 4.0 - 2.0, 1.5 - y * 3.0, height]));
            mesh.normals.push(Vec3::from_f64(normal));
            mesh.texcoords.push([x as f32 * 4.0, y as f32 * 3.0]);
        }
    }
    let width = u32::from(SQUARES) + 1;
    let squares = (0..u32::from(SQUARES))
        .flat_map(|row| (0..u32::from(SQUARES)).map(move |column| row * width + column));
    let indices = squares
        .flat_map(|at| [at, at + width, at + width + 1, at, at + width + 1, at + 1])
        .collect();
    mesh.primitives.push(Primitive {
        indices,
        material: Some(MaterialId::new(0)),
        ..Primitive::default()
    });
    let mesh = scene.add_mesh(mesh);
    scene.add_node(Node { mesh: Some(mesh), ..Node::default() });
    scene
}

const EYE: [f64; 3] = [0.3, 0.2, 3.8];

/// Returns the camera of a frame of a loop.
fn camera(frame: usize) -> Camera {
    let aside = (frame as f64 / FRAMES as f64 * std::f64::consts::TAU).sin() * 0.3;
    let eye = Vec3::from_f64([EYE[0] + aside, EYE[1], EYE[2]]);
    Camera::looking_at(eye, Vec3::ZERO, Vec3::new(0.0, 1.0, 0.0), FOV, NEAR)
}

fn options(threads: usize) -> PreviewOptions {
    PreviewOptions::default().with_size(SIZE.0, SIZE.1).with_threads(Some(threads))
}

/// The texture as euc's fragments read it.
struct Peer {
    texels: Vec<[f32; 3]>,
    /// The axes of the picture: right, up, towards the viewer.
    axes: [[f32; 3]; 3],
}

impl Peer {
    fn new() -> Peer {
        let linear = |part: u8| to_linear(f32::from(part) / 255.0);
        let texels = texture().into_iter().map(|[r, g, b, _]| [r, g, b].map(linear)).collect();
        let unit = |v: [f64; 3]| {
            let length = v.map(|part| part * part).iter().sum::<f64>().sqrt();
            v.map(|part| part / length)
        };
        let cross = |[a, b, c]: [f64; 3], [x, y, z]: [f64; 3]| {
            [b * z - c * y, c * x - a * z, a * y - b * x]
        };
        let back = unit(EYE);
        let right = unit(cross([0.0, 1.0, 0.0], back));
        let axes = [right, cross(back, right), back];
        Peer { texels, axes: axes.map(|axis| axis.map(|part| part as f32)) }
    }

    /// Draws triangles at twice the width and height, and averages the pixels.
    fn draw(&self, vertices: &[([f32; 3], [f32; 2])], background: [u8; 3]) -> Picture {
        let [width, height] = [SIZE.0 as usize * 2, SIZE.1 as usize * 2];
        let background = background.map(|part| to_linear(f32::from(part) / 255.0));
        let mut color = Buffer2d::new([width, height], background);
        let mut depth = Buffer2d::new([width, height], f32::INFINITY);
        type All<'a> =
            rasterizer::Triangles<'a, Buffer2d<f32>, rasterizer::BackfaceCullingDisabled>;
        Pipeline::draw::<All<'_>, _>(self, vertices, &mut color, Some(&mut depth));
        let table: Vec<u8> = (0..=4096_u16)
            .map(|step| (to_srgb(f32::from(step) / 4096.0) * 255.0).round() as u8)
            .collect();
        let (samples, mut pixels) = (color.as_ref(), Vec::new());
        for y in 0..SIZE.1 as usize {
            let rows = [0, 1].map(|row| &samples[(y * 2 + row) * width..][..width]);
            for x in 0..SIZE.0 as usize {
                let of = [rows[0][x * 2], rows[0][x * 2 + 1], rows[1][x * 2], rows[1][x * 2 + 1]];
                let mean = |axis: usize| of.iter().map(|sample| sample[axis]).sum::<f32>() / 4.0;
                let [r, g, b] = [0, 1, 2].map(|axis| table[(mean(axis) * 4096.0) as usize]);
                pixels.push([r, g, b, 255]);
            }
        }
        Picture { width: SIZE.0, height: SIZE.1, pixels }
    }
}

impl Pipeline for Peer {
    type Vertex = ([f32; 3], [f32; 2]);
    type VsOut = (f32, f32);
    type Pixel = [f32; 3];

    fn vert(&self, (at, [u, v]): &Self::Vertex) -> ([f32; 4], (f32, f32)) {
        let away = [0, 1, 2].map(|axis| at[axis] - EYE[axis] as f32);
        let [x, y, z] = self
            .axes
            .map(|axis| axis.iter().zip(away).map(|(axis, part)| axis * part).sum::<f32>());
        let (scale, aspect) = (1.0 / (FOV / 2.0).tan() as f32, SIZE.0 as f32 / SIZE.1 as f32);
        ([x * scale / aspect, y * scale, -z, -z], (*u, *v))
    }

    fn frag(&self, (u, v): &(f32, f32)) -> [f32; 3] {
        let side = usize::from(TEXTURE);
        let place = |at: f32| {
            let at = (at - at.floor()) * f32::from(TEXTURE) - 0.5 + f32::from(TEXTURE);
            (at as usize % side, (at as usize + 1) % side, at.fract())
        };
        let ((x, next_x, right), (y, next_y, down)) = (place(*u), place(*v));
        let row = |y: usize| [self.texels[y * side + x], self.texels[y * side + next_x]];
        let ([a, b], [c, d]) = (row(y), row(next_y));
        [0, 1, 2].map(|axis| {
            let mix = |from: f32, to: f32, part: f32| from + (to - from) * part;
            mix(mix(a[axis], b[axis], right), mix(c[axis], d[axis], right), down)
        })
    }
}

/// The corners of all triangles of the scene.
fn corners(scene: &Scene) -> Vec<([f32; 3], [f32; 2])> {
    let mesh = &scene.meshes[0];
    let corner = |index: &u32| {
        let index = *index as usize;
        (mesh.positions[index].to_f64().map(|part| part as f32), mesh.texcoords[index])
    };
    mesh.primitives[0].indices.iter().map(corner).collect()
}

/// Checks that two pictures look alike: edges of the sheet may differ by a sample.
fn compare(a: &Picture, b: &Picture) {
    let differs = |(a, b): (&[u8; 4], &[u8; 4])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 3);
    let count = a.pixels.iter().zip(&b.pixels).filter(|pair| differs(*pair)).count();
    assert!(count * 100 < a.pixels.len(), "{count} of {} pixels differ", a.pixels.len());
}

fn frame(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("preview/frame");
    let lit = scene(false);
    for (name, threads) in [("one thread", 1), ("two threads", 2)] {
        let mut stage = Stage::new(&lit, &options(threads)).unwrap();
        group.bench_function(name, |bencher| {
            bencher.iter(|| stage.draw(Moment::Rest, &camera(0)).unwrap());
        });
    }
    let unlit = scene(true);
    let mut stage = Stage::new(&unlit, &options(1)).unwrap();
    let (peer, vertices) = (Peer::new(), corners(&unlit));
    let background = [232, 234, 237];
    let own = stage.draw(Moment::Rest, &camera(0)).unwrap();
    compare(&own, &peer.draw(&vertices, background));
    group.bench_function("without light, one thread", |bencher| {
        bencher.iter(|| stage.draw(Moment::Rest, &camera(0)).unwrap());
    });
    group.bench_function("without light, euc", |bencher| {
        bencher.iter(|| peer.draw(&vertices, background));
    });
    group.finish();
}

fn draw_all(stage: &mut Stage<'_>) -> impl ExactSizeIterator<Item = Picture> {
    (0..FRAMES).map(|frame| stage.draw(Moment::Rest, &camera(frame)).unwrap())
}

fn loops(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("preview/48 frames");
    group.sample_size(10);
    let scene = scene(false);
    let mut stage = Stage::new(&scene, &options(2)).unwrap();
    let frames: Vec<Picture> = draw_all(&mut stage).collect();
    group.bench_function("APNG", |bencher| {
        bencher.iter(|| animated_png(draw_all(&mut stage), 25.0).unwrap());
    });
    group.bench_function("APNG, encoding alone", |bencher| {
        bencher.iter(|| animated_png(frames.iter().cloned(), 25.0).unwrap());
    });
    group.bench_function("GIF", |bencher| {
        bencher.iter(|| gif(draw_all(&mut stage), 25.0).unwrap());
    });
    group.bench_function("GIF, encoding alone", |bencher| {
        bencher.iter(|| gif(frames.iter().cloned(), 25.0).unwrap());
    });
    group.finish();
}

criterion_group!(benches, frame, loops);
criterion_main!(benches);
