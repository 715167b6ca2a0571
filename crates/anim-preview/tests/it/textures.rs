//! Textures and colours of vertices, against exact formulas.

use crate::{dot, draw, options};
use anim_ir::color::{to_linear, to_srgb};
use anim_ir::{
    AlphaMode, Image, ImageId, Material, MaterialId, Mesh, Node, Primitive, Scene, Vec3,
};
use anim_preview::{Picture, PreviewOptions};
use test_oracle::math::cross;
use test_oracle::random::Rng;

const SIDE: usize = 32;

/// The texture's pixels, sRGB with straight alpha.
struct Pixels {
    width: usize,
    height: usize,
    bytes: Vec<[u8; 4]>,
}

impl Pixels {
    fn random(rng: &mut Rng, width: usize, height: usize) -> Pixels {
        let pixel = |rng: &mut Rng| [0; 4].map(|_| rng.below(256) as u8);
        Pixels { width, height, bytes: (0..width * height).map(|_| pixel(rng)).collect() }
    }

    fn opaque(mut self) -> Pixels {
        self.bytes.iter_mut().for_each(|pixel| pixel[3] = 255);
        self
    }

    fn image(&self) -> Image {
        let [width, height] = [self.width, self.height].map(|side| side as u32);
        let picture = Picture { width, height, pixels: self.bytes.clone() };
        Image::embedded(picture.to_png().unwrap())
    }

    /// The linear colour and the alpha of a texel, which repeat.
    fn texel(&self, x: i64, y: i64) -> [f64; 4] {
        let [x, y] = [x.rem_euclid(self.width as i64), y.rem_euclid(self.height as i64)];
        let [red, green, blue, alpha] = self.bytes[y as usize * self.width + x as usize];
        let linear = |byte: u8| f64::from(to_linear(f32::from(byte) / 255.0));
        [linear(red), linear(green), linear(blue), f64::from(alpha) / 255.0]
    }

    /// The middles of texels are at halves.
    fn bilinear(&self, [u, v]: [f64; 2]) -> [f64; 4] {
        let [x, y] = [u * self.width as f64 - 0.5, v * self.height as f64 - 0.5];
        let (left, top) = (x.floor(), y.floor());
        let mut sum = [0.0; 4];
        for (right, down) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let part = |at: f64, from: f64, next: i64| {
                if next == 1 { at - from } else { 1.0 - (at - from) }
            };
            let weight = part(x, left, right) * part(y, top, down);
            let texel = self.texel(left as i64 + right, top as i64 + down);
            (0..4).for_each(|axis| sum[axis] += weight * texel[axis]);
        }
        sum
    }
}

/// A square in front of the camera: a corner and two sides.
struct Square {
    corner: [f64; 3],
    across: [f64; 3],
    down: [f64; 3],
}

/// Fills the picture.
const FACING: Square =
    Square { corner: [-1.0, 1.0, -1.0], across: [2.0, 0.0, 0.0], down: [0.0, -2.0, 0.0] };

impl Square {
    fn mesh(&self) -> Mesh {
        let at = |x: f64, y: f64| {
            [0, 1, 2].map(|i| self.corner[i] + self.across[i] * x + self.down[i] * y)
        };
        let corners = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)];
        Mesh {
            positions: corners.map(Vec3::from_f64).to_vec(),
            primitives: vec![Primitive {
                indices: vec![0, 3, 2, 0, 2, 1],
                material: Some(MaterialId::new(0)),
                ..Primitive::default()
            }],
            ..Mesh::default()
        }
    }

    /// Where a ray through the middle of a pixel meets the square's plane, in sides.
    fn place(&self, x: usize, y: usize) -> [f64; 2] {
        let at = |at: usize| (at as f64 + 0.5) / SIDE as f64 * 2.0 - 1.0;
        let ray = [at(x), -at(y), -1.0];
        // corner + a · across + b · down = t · ray, by Cramer's rule.
        let volume = dot(ray, cross(self.across, self.down));
        let away = self.corner.map(|part| -part);
        let along = dot(ray, cross(away, self.down)) / volume;
        let down = dot(ray, cross(self.across, away)) / volume;
        [along, down]
    }
}

fn scene(mesh: Mesh, material: Material, images: Vec<Image>) -> Scene {
    let mut scene = Scene { images, ..Scene::default() };
    scene.add_material(material);
    let mesh = scene.add_mesh(mesh);
    scene.add_node(Node { mesh: Some(mesh), ..Node::default() });
    scene
}

fn unlit() -> Material {
    Material { unlit: true, base_color_image: Some(ImageId::new(0)), ..Material::new("") }
}

fn plain() -> PreviewOptions {
    options().with_supersampling(false)
}

#[track_caller]
fn assert_color(found: [u8; 4], expected: [f64; 4], context: &dyn std::fmt::Debug) {
    let [red, green, blue, alpha] = expected;
    let srgb = |part: f64| f64::from(to_srgb(part as f32));
    for (found, expected) in found.into_iter().zip([srgb(red), srgb(green), srgb(blue), alpha]) {
        let near = (f64::from(found) - expected * 255.0).abs() <= 1.01;
        assert!(near, "{found} is not {}, {context:?}", expected * 255.0);
    }
}

#[test]
fn textures_are_interpolated_between_texels_and_repeat() {
    let mut rng = Rng::new(21);
    for (width, height) in [(4, 4), (1, 1), (2, 8), (5, 3), (7, 1)] {
        let pixels = Pixels::random(&mut rng, width, height).opaque();
        for _ in 0..10 {
            // Fewer texels than pixels, from anywhere.
            let [scale_u, scale_v] =
                [width, height].map(|side| rng.range(-16.0, 16.0) / side as f64);
            let [u, v] = [0; 2].map(|_| rng.range(-3.0, 3.0));
            let mut mesh = FACING.mesh();
            let at = |x: f64, y: f64| [u + scale_u * x, v + scale_v * y];
            let corners = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)];
            mesh.texcoords = corners.map(|corner| corner.map(|part| part as f32)).to_vec();
            let picture = draw(&scene(mesh, unlit(), vec![pixels.image()]), &plain());
            for (index, found) in picture.pixels.iter().enumerate() {
                let [x, y] = FACING.place(index % SIDE, index / SIDE);
                let place = [u + scale_u * x, v + scale_v * y];
                assert_color(*found, pixels.bilinear(place), &(place, width, height));
            }
        }
    }
}

#[test]
fn texture_coordinates_are_interpolated_in_perspective() {
    let mut rng = Rng::new(22);
    let mut compared = 0;
    for _ in 0..40 {
        let pixels = Pixels::random(&mut rng, 3, 3).opaque();
        // From near to far, beyond the edges of the picture.
        let square = Square {
            corner: [rng.range(-3.0, -1.5), rng.range(0.5, 2.0), rng.range(-1.5, -1.0)],
            across: [rng.range(3.0, 6.0), rng.range(-0.5, 0.5), rng.range(-3.0, -0.5)],
            down: [rng.range(-0.5, 0.5), rng.range(-5.0, -2.0), rng.range(-3.0, -0.5)],
        };
        let mut mesh = square.mesh();
        mesh.texcoords = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let picture = draw(&scene(mesh, unlit(), vec![pixels.image()]), &plain());
        for (index, found) in picture.pixels.iter().enumerate() {
            let place = square.place(index % SIDE, index / SIDE);
            let next = square.place(index % SIDE + 1, index / SIDE + 1);
            // The contrast of random texels is high: corners are rounded to 1/256 of a pixel.
            let moves = (0..2).map(|axis| (next[axis] - place[axis]).abs()).fold(0.0, f64::max);
            if found[3] == 0 || moves * 3.0 > 0.5 {
                continue;
            }
            let expected = pixels.bilinear(place);
            for axis in 0..3 {
                let expected = f64::from(to_srgb(expected[axis] as f32)) * 255.0;
                let room = 1.5 + moves * 3.0 * 20.0;
                assert!(
                    (f64::from(found[axis]) - expected).abs() < room,
                    "{found:?} {expected} {place:?}"
                );
            }
            compared += 1;
        }
    }
    assert!(compared > 10_000, "{compared}");
}

#[test]
fn small_textures_are_means_of_their_texels() {
    let mut rng = Rng::new(23);
    for level in 1..=3 {
        let block = 1 << level;
        let pixels = Pixels::random(&mut rng, SIDE * block, SIDE * block).opaque();
        let mut mesh = FACING.mesh();
        mesh.texcoords = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let picture = draw(&scene(mesh, unlit(), vec![pixels.image()]), &plain());
        for (index, found) in picture.pixels.iter().enumerate() {
            let [x, y] = [index % SIDE * block, index / SIDE * block].map(|at| at as i64);
            let mut mean = [0.0; 4];
            for (right, down) in (0..block * block).map(|at| (at % block, at / block)) {
                let texel = pixels.texel(x + right as i64, y + down as i64);
                (0..4).for_each(|axis| mean[axis] += texel[axis] / (block * block) as f64);
            }
            assert_color(*found, mean, &level);
        }
    }
}

#[test]
fn alpha_of_textures_counts_only_in_translucent_materials() {
    let mut rng = Rng::new(24);
    let pixels = Pixels::random(&mut rng, 4, 4);
    for alpha in [1.0, 0.5] {
        let mut mesh = FACING.mesh();
        mesh.texcoords = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let material = Material { base_color: [1.0, 1.0, 1.0, alpha], ..unlit() };
        let picture = draw(&scene(mesh, material, vec![pixels.image()]), &plain());
        for (index, found) in picture.pixels.iter().enumerate() {
            let [red, green, blue, own] = pixels.bilinear(FACING.place(index % SIDE, index / SIDE));
            let shown = if alpha < 1.0 { own * f64::from(alpha) } else { 1.0 };
            if shown > 0.05 {
                assert_color(*found, [red, green, blue, shown], &index);
            }
        }
    }
}

#[test]
fn modes_of_alpha() {
    let mut rng = Rng::new(27);
    let pixels = Pixels::random(&mut rng, 4, 4);
    let cutoff = 0.4;
    let modes = [AlphaMode::Colors, AlphaMode::Texture, AlphaMode::Blend, AlphaMode::Mask(cutoff)];
    for alpha in modes {
        let mut mesh = FACING.mesh();
        mesh.texcoords = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let material = Material { alpha_mode: alpha, ..unlit() };
        let picture = draw(&scene(mesh, material, vec![pixels.image()]), &plain());
        for (index, found) in picture.pixels.iter().enumerate() {
            let place = FACING.place(index % SIDE, index / SIDE);
            let [red, green, blue, own] = pixels.bilinear(place);
            let shown = match alpha {
                AlphaMode::Colors => 1.0,
                // Some of the pixels are translucent.
                AlphaMode::Blend | AlphaMode::Texture => own,
                AlphaMode::Mask(_) => {
                    let from = f64::from(cutoff);
                    // Too close to say.
                    if (own - from).abs() < 0.01 {
                        continue;
                    }
                    f64::from(u8::from(own >= from))
                }
            };
            if shown > 0.05 {
                assert_color(*found, [red, green, blue, shown], &(alpha, index));
            } else {
                assert!(f64::from(found[3]) <= shown * 255.0 + 1.01, "{alpha:?} {found:?}");
            }
        }
    }
}

/// Two squares that intersect cannot be drawn one after the other.
#[test]
fn masks_that_hide_nothing_have_depth() {
    let pixels = Pixels::random(&mut Rng::new(28), 4, 4).opaque();
    let mut mesh = FACING.mesh();
    let other = Square { corner: [-1.0, 1.0, -0.8], across: [2.0, 0.0, -0.5], ..FACING }.mesh();
    mesh.positions.extend(other.positions);
    mesh.texcoords = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].repeat(2);
    mesh.primitives[0].indices.extend([4, 7, 6, 4, 6, 5]);
    let draw = |alpha_mode| {
        let material = Material { alpha_mode, ..unlit() };
        draw(&scene(mesh.clone(), material, vec![pixels.image()]), &plain()).pixels
    };
    let opaque = draw(AlphaMode::Colors);
    assert!(draw(AlphaMode::Mask(0.5)) == opaque && draw(AlphaMode::Texture) == opaque);
}

#[test]
fn colors_of_vertices_are_interpolated_in_perspective_and_multiply_the_material() {
    let mut rng = Rng::new(25);
    for _ in 0..20 {
        let square = Square {
            corner: [-2.0, 1.5, rng.range(-1.5, -1.0)],
            across: [rng.range(4.0, 6.0), 0.0, rng.range(-3.0, 0.0)],
            down: [0.0, rng.range(-5.0, -3.0), rng.range(-3.0, 0.0)],
        };
        let color = [0; 3].map(|_| rng.range(0.2, 1.0));
        let [start, right, down] = [0; 3].map(|_| [0; 3].map(|_| rng.range(0.0, 0.3)));
        // Linear in the square, so that both triangles agree.
        let at = |x: f64, y: f64| [0, 1, 2].map(|i| start[i] + right[i] * x + down[i] * y);
        let mut mesh = square.mesh();
        let corners = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)];
        let opaque = |[r, g, b]: [f64; 3]| [r as f32, g as f32, b as f32, 1.0];
        mesh.colors = corners.map(opaque).to_vec();
        let material = Material { base_color: opaque(color), base_color_image: None, ..unlit() };
        let picture = draw(&scene(mesh, material, Vec::new()), &plain());
        for (index, found) in picture.pixels.iter().enumerate().filter(|(_, pixel)| pixel[3] > 0) {
            let [x, y] = square.place(index % SIDE, index / SIDE);
            let [r, g, b] = [0, 1, 2].map(|i| at(x, y)[i] * color[i]);
            assert_color(*found, [r, g, b, 1.0], &(x, y));
        }
    }
}

#[test]
fn emission_is_added_to_lit_materials_only() {
    let pixels = Pixels { width: 1, height: 1, bytes: vec![[255, 128, 0, 255]] };
    let glow = [0.5, 0.5, 0.5];
    for unlit in [false, true] {
        let mut mesh = FACING.mesh();
        mesh.texcoords = vec![[0.0; 2]; 4];
        let material = Material {
            base_color: [0.0, 0.0, 0.0, 1.0],
            emissive: glow,
            emissive_image: Some(ImageId::new(0)),
            unlit,
            ..Material::new("")
        };
        let picture = draw(&scene(mesh, material, vec![pixels.image()]), &plain());
        let half = f64::from(to_linear(128.0 / 255.0));
        let expected = if unlit { [0.0, 0.0, 0.0, 1.0] } else { [0.5, half / 2.0, 0.0, 1.0] };
        picture.pixels.iter().for_each(|pixel| assert_color(*pixel, expected, &unlit));
    }
}

#[test]
fn pixels_at_an_edge_have_the_color_of_the_part_that_is_covered() {
    let mut rng = Rng::new(26);
    let pixels = Pixels::random(&mut rng, 4, 4).opaque();
    // The right edge goes through the middle of column 20, the lower edge through that of row 10.
    let [width, height] = [20.5, 10.5].map(|side| side / 16.0);
    let square = Square { across: [width, 0.0, 0.0], down: [0.0, -height, 0.0], ..FACING };
    let mut mesh = square.mesh();
    mesh.texcoords = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let picture = draw(&scene(mesh, unlit(), vec![pixels.image()]), &options());
    for (index, found) in picture.pixels.iter().enumerate() {
        let at = [index % SIDE, index / SIDE];
        // The samples of a pixel are a quarter from its edges.
        let part = |at: usize, last: usize| match at.cmp(&last) {
            std::cmp::Ordering::Less => (0.5, 1.0),
            std::cmp::Ordering::Equal => (0.25, 0.5),
            std::cmp::Ordering::Greater => (0.0, 0.0),
        };
        let ((right, covered), (down, rows)) = (part(at[0], 20), part(at[1], 10));
        let covered = covered * rows;
        if covered > 0.0 {
            let place = [(at[0] as f64 + right) / 20.5, (at[1] as f64 + down) / 10.5];
            // On the diagonal, the colour is the mean of two triangles.
            if (place[0] - place[1]).abs() > 0.1 {
                let [red, green, blue, _] = pixels.bilinear(place);
                assert_color(*found, [red, green, blue, covered], &at);
            }
        } else {
            assert_eq!(*found, [0; 4], "{at:?}");
        }
    }
}
