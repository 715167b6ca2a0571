//! Which triangle is seen at each sample, against slow computations: in integers for corners on
//! the grid of 1/256 pixel, and by casting rays for any other.

use crate::pictures::contains;
use crate::{dot, draw, options, triangles};
use anim_ir::color::to_srgb;
use anim_ir::{Material, MaterialId, Mesh, Node, Primitive, Scene, Vec3};
use test_oracle::math::cross;
use test_oracle::random::Rng;

/// The side of the pictures.
const SIDE: u32 = 32;
/// Units per pixel.
const UNIT: i64 = 256;
const COLORS: [[f32; 4]; 4] =
    [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]];

type Corners = [[f64; 3]; 3];

fn to_f32(corners: Corners) -> [[f32; 3]; 3] {
    corners.map(|corner| corner.map(|part| part as f32))
}

/// Asserts the mean of the samples' colours. Transparent samples have no colour.
fn assert_mean(found: [u8; 4], samples: &[Option<usize>], context: &dyn std::fmt::Debug) {
    let count = samples.iter().flatten().count();
    let alpha = (count as f64 / samples.len() as f64 * 255.0).round();
    assert!((f64::from(found[3]) - alpha).abs() <= 1.0, "{found:?} {samples:?} {context:?}");
    for axis in 0..3 {
        let sum: f32 = samples.iter().flatten().map(|index| COLORS[*index][axis]).sum();
        let expected = if count == 0 { 0.0 } else { to_srgb(sum / count as f32) * 255.0 };
        let near = (f32::from(found[axis]) - expected).abs() <= 1.0;
        assert!(near, "{found:?} {samples:?} {context:?}");
    }
}

/// 1 / distance at a point in units is linear in the picture: a plane through the corners.
fn depth_at(corners: &[[i64; 2]; 3], depths: [f64; 3], [x, y]: [i64; 2]) -> f64 {
    let area = |a: [i64; 2], b: [i64; 2], c: [i64; 2]| {
        ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) as f64
    };
    let [a, b, c] = *corners;
    let parts = [area([x, y], b, c), area(a, [x, y], c), area(a, b, [x, y])];
    parts.iter().zip(depths).map(|(part, depth)| part * depth).sum::<f64>() / area(a, b, c)
}

#[test]
fn samples_show_the_nearest_of_tilted_triangles() {
    let mut rng = Rng::new(11);
    let mut compared = 0;
    for _ in 0..150 {
        // Distances are powers of two and corners on the grid, so that projecting them is exact.
        let list: Vec<_> = (0..4)
            .map(|_| {
                let corners =
                    [0; 3].map(|_| [0; 2].map(|_| rng.between(0, 60 * 256) as i64 - 14 * 256));
                (corners, [0; 3].map(|_| rng.pick(&[1.0, 2.0, 4.0])))
            })
            .collect();
        let scene = list.iter().zip(COLORS).map(|((corners, distances), color)| {
            let place = |index: usize| {
                let [x, y] = corners[index].map(|units| units as f64 / (16.0 * UNIT as f64) - 1.0);
                [x, -y, -1.0].map(|part| part * distances[index])
            };
            (to_f32([0, 1, 2].map(place)), color)
        });
        let scene = triangles(&scene.collect::<Vec<_>>());
        for side in [1, 2] {
            let picture = draw(&scene, &options().with_supersampling(side == 2));
            for (index, found) in picture.pixels.iter().enumerate() {
                let corner = [index as i64 % 32, index as i64 / 32].map(|at| at * UNIT);
                let step = UNIT / side;
                let samples = (0..side * side).map(|number| {
                    let at = [number % side, number / side].map(|at| at * step + step / 2);
                    let at = [corner[0] + at[0], corner[1] + at[1]];
                    let mut here: Vec<_> = (0..4)
                        .filter(|index| contains(list[*index].0, at))
                        .map(|index| {
                            let (corners, distances) = &list[index];
                            (depth_at(corners, distances.map(|d: f64| 1.0 / d), at), index)
                        })
                        .collect();
                    here.sort_by(|a, b| b.0.total_cmp(&a.0));
                    let is_close = here.len() > 1 && here[0].0 - here[1].0 < 1e-5;
                    (here.first().map(|(_, index)| *index), is_close)
                });
                let (samples, close): (Vec<_>, Vec<_>) = samples.unzip();
                if !close.contains(&true) {
                    assert_mean(*found, &samples, &list);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 280_000, "{compared}");
}

/// Returns 1 / distance where a ray through the picture meets a triangle. `None` within 1/50 of a
/// pixel of an edge, or of the near plane.
fn met([a, b, c]: &Corners, ray: [f64; 3], pixel: f64) -> Option<Option<f64>> {
    // The planes through the eye and an edge each have the triangle on one side.
    let volume = dot(*a, cross(*b, *c));
    let sides = [cross(*b, *c), cross(*c, *a), cross(*a, *b)];
    let mut inside = true;
    for side in sides {
        let value = dot(side, ray) * volume.signum();
        // How far the picture's plane is from the edge, in pixels.
        let slope = (side[0] * side[0] + side[1] * side[1]).sqrt() * pixel;
        if value.abs() < slope / 50.0 {
            return None;
        }
        inside &= value > 0.0;
    }
    let normal = cross([0, 1, 2].map(|i| b[i] - a[i]), [0, 1, 2].map(|i| c[i] - a[i]));
    let depth = dot(normal, ray) / dot(normal, *a);
    // The near plane is at 0.1.
    let near = 10.0;
    let is_close = (depth - near).abs() < 0.5;
    if inside && is_close {
        None
    } else {
        Some((inside && depth > 0.0 && depth < near).then_some(depth))
    }
}

fn check_by_rays(rng: &mut Rng, corner: &dyn Fn(&mut Rng) -> [f64; 3]) -> usize {
    let mut compared = 0;
    let list: Vec<Corners> = (0..3)
        .map(|_| to_f32([0; 3].map(|_| corner(rng))).map(|corner| corner.map(f64::from)))
        .collect();
    let scene: Vec<_> =
        list.iter().zip(COLORS).map(|(corners, color)| (to_f32(*corners), color)).collect();
    let picture = draw(&triangles(&scene), &options().with_supersampling(false));
    for (index, found) in picture.pixels.iter().enumerate() {
        let [x, y] = [index as u32 % SIDE, index as u32 / SIDE];
        let at = |at: u32| (f64::from(at) + 0.5) / f64::from(SIDE) * 2.0 - 1.0;
        let ray = [at(x), -at(y), -1.0];
        let met = list.iter().map(|corners| met(corners, ray, 2.0 / f64::from(SIDE)));
        let Some(met) = met.collect::<Option<Vec<_>>>() else { continue };
        let mut met: Vec<_> =
            met.iter().enumerate().filter_map(|(i, depth)| Some(((*depth)?, i))).collect();
        met.sort_by(|a, b| b.0.total_cmp(&a.0));
        if met.len() > 1 && met[0].0 - met[1].0 < met[0].0 * 0.02 {
            continue;
        }
        assert_mean(*found, &[met.first().map(|(_, index)| *index)], &(x, y, &list));
        compared += 1;
    }
    compared
}

#[test]
fn triangles_that_the_near_plane_cuts_are_where_rays_meet_them() {
    let mut rng = Rng::new(12);
    let near = |rng: &mut Rng| [rng.range(-3.0, 3.0), rng.range(-3.0, 3.0), rng.range(-4.0, 1.5)];
    let compared: usize = (0..300).map(|_| check_by_rays(&mut rng, &near)).sum();
    assert!(compared > 200_000, "{compared}");
}

#[test]
fn huge_triangles_are_where_rays_meet_them() {
    let mut rng = Rng::new(13);
    let huge = |rng: &mut Rng| {
        let size = 10_f64.powf(rng.range(1.0, 6.0));
        [rng.range(-size, size), rng.range(-size, size), rng.range(-size, size / 2.0)]
    };
    let compared: usize = (0..300).map(|_| check_by_rays(&mut rng, &huge)).sum();
    assert!(compared > 200_000, "{compared}");
}

/// Returns a scene of a triangulated sheet, half translucent, whose corners are moved at random.
fn sheet(rng: &mut Rng, corner: &dyn Fn(f64, f64) -> [f64; 3]) -> Scene {
    const SQUARES: u32 = 9;
    let mut mesh = Mesh::default();
    for row in 0..=SQUARES {
        for column in 0..=SQUARES {
            let inner = |at: u32| at > 0 && at < SQUARES;
            let mut move_by =
                || if inner(row) && inner(column) { rng.range(-0.15, 0.15) } else { 0.0 };
            let [x, y] = [column, row].map(|at| (f64::from(at) + move_by()) / f64::from(SQUARES));
            mesh.positions.push(Vec3::from_f64(corner(x, y)));
        }
    }
    let mut indices = Vec::new();
    for square in (0..SQUARES).flat_map(|row| (0..SQUARES).map(move |x| row * (SQUARES + 1) + x)) {
        let [a, b, c, d] = [square, square + 1, square + SQUARES + 1, square + SQUARES + 2];
        // Either diagonal, and any corner first.
        let pair = if rng.chance(50) { [[a, b, c], [b, d, c]] } else { [[a, b, d], [a, d, c]] };
        for mut corners in pair {
            corners.rotate_left(rng.below(3));
            indices.extend(corners);
        }
    }
    let mut scene = Scene::default();
    let material = Material { base_color: [1.0, 1.0, 1.0, 0.5], unlit: true, ..Material::new("") };
    scene.add_material(material);
    mesh.primitives.push(Primitive {
        indices,
        material: Some(MaterialId::new(0)),
        ..Primitive::default()
    });
    let mesh = scene.add_mesh(mesh);
    scene.add_node(Node { mesh: Some(mesh), ..Node::default() });
    scene
}

#[test]
fn samples_on_shared_edges_are_drawn_once() {
    let mut rng = Rng::new(14);
    for round in 0..60 {
        // Corners on the grid, so that samples are on edges; then anywhere.
        let grid = |at: f64| if round % 2 == 0 { (at * 128.0).round() / 128.0 } else { at };
        let scene = sheet(&mut rng, &|x, y| [grid(x) * 4.0 - 2.0, grid(y) * 4.0 - 2.0, -1.0]);
        for side in [1, 2] {
            let picture = draw(&scene, &options().with_supersampling(side == 2));
            assert!(picture.pixels.iter().all(|pixel| *pixel == [255, 255, 255, 128]));
        }
    }
}

/// The sheet lies below the camera and continues behind it, so the near plane cuts it.
#[test]
fn samples_on_shared_edges_that_the_near_plane_cuts_are_drawn_once() {
    let mut rng = Rng::new(15);
    for _ in 0..60 {
        let slope = rng.range(-0.2, 0.2);
        let scene = sheet(&mut rng, &|x, y| {
            let [x, z] = [x * 40.0 - 20.0, y * 40.0 - 38.0];
            [x, -1.0 + slope * x, z]
        });
        let picture = draw(&scene, &options().with_supersampling(false));
        let mut covered = 0;
        for pixel in &picture.pixels {
            assert!([[0; 4], [255, 255, 255, 128]].contains(pixel), "{pixel:?}");
            covered += usize::from(pixel[3] > 0);
        }
        // A little less than the half below the horizon.
        assert!((400..512).contains(&covered), "{covered}");
        assert!(picture.pixels[31 * 32..].iter().all(|pixel| pixel[3] == 128));
    }
}
