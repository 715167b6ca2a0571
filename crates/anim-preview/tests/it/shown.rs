//! What pictures show: lines, points, bones, hidden joints, cameras of the scene, images; and a
//! committed picture.

use std::path::Path;

use crate::{dot, draw, options, unit};
use anim_formats::{Format, LoadOptions, Settings, convert, load_bytes};
use anim_ir::{
    Image, ImageId, Joint, JointId, JointRef, Material, MaterialId, Mesh, Node, Primitive, Quat,
    Scene, Skeleton, SkeletonId, Topology, Transform, Vec3,
};
use anim_preview::{Background, Bones, CODES, Camera, Moment, Picture, PreviewOptions, Stage};
use test_oracle::glb;
use test_oracle::math::cross;
use test_oracle::random::Rng;
use test_oracle::tmd;

const BONE: [u8; 4] = [60, 90, 150, 255];

fn joint(name: &str, parent: Option<usize>, at: [f32; 3]) -> Joint {
    let [x, y, z] = at;
    let rest = Transform { translation: Vec3::new(x, y, z), ..Transform::default() };
    Joint { rest, ..Joint::new(name, parent.map(JointId::new)) }
}

fn of_joint(joint: usize) -> Option<JointRef> {
    Some(JointRef { skeleton: SkeletonId::new(0), joint: JointId::new(joint) })
}

/// A skeleton in front of the camera, which sees -2 to 2 at its distance.
fn arm() -> Scene {
    let mut skeleton = Skeleton::new("arm");
    skeleton.add_joint(joint("root", None, [-1.0, -1.0, -2.0]));
    skeleton.add_joint(joint("elbow", Some(0), [2.0, 0.0, 0.0]));
    skeleton.add_joint(joint("hand", Some(1), [0.0, 2.0, 0.0]));
    let mut scene = Scene::default();
    scene.add_skeleton(skeleton);
    scene
}

/// A square around the origin of its node.
fn square(side: f32, material: Option<MaterialId>) -> Mesh {
    let at = |x: f32, y: f32| Vec3::new(x * side / 2.0, y * side / 2.0, 0.0);
    Mesh {
        positions: vec![at(-1.0, 1.0), at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0)],
        texcoords: vec![[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]],
        primitives: vec![Primitive {
            indices: vec![0, 1, 2, 0, 2, 3],
            material,
            ..Primitive::default()
        }],
        ..Mesh::default()
    }
}

fn unlit(image: Option<usize>) -> Material {
    Material { unlit: true, base_color_image: image.map(ImageId::new), ..Material::new("") }
}

/// Returns a scene with a square that fills the picture.
fn filled(image: Image) -> Scene {
    let mut scene = Scene::default();
    scene.images.push(image);
    let material = Some(scene.add_material(unlit(Some(0))));
    let mesh = scene.add_mesh(square(4.0, material));
    let transform = Transform { translation: Vec3::new(0.0, 0.0, -2.0), ..Transform::default() };
    scene.add_node(Node { mesh: Some(mesh), transform, ..Node::default() });
    scene
}

#[test]
fn bones_are_sticks_from_joints_to_their_children() {
    let picture = draw(&arm(), &options().with_supersampling(false));
    // Pixels 8 and 24 are at -1 and 1.
    for x in 8..24 {
        assert_eq!(picture.pixel(x, 24), Some(BONE), "{x}");
        assert_eq!(picture.pixel(x - 3, 12), Some([0; 4]), "{x}");
    }
    for y in 9..24 {
        assert_eq!(picture.pixel(24, y), Some(BONE), "{y}");
        assert_eq!(picture.pixel(14, y - 4), Some([0; 4]), "{y}");
    }
    let none = draw(&arm(), &options().with_bones(Bones::Never));
    assert!(none.pixels.iter().all(|pixel| *pixel == [0; 4]));
}

#[test]
fn hidden_joints_hide_their_bones_and_meshes() {
    let mut scene = arm();
    let mesh = scene.add_mesh(square(0.5, None));
    scene.add_node(Node { mesh: Some(mesh), parent: of_joint(2), ..Node::default() });
    let shown = |scene: &Scene, bones| {
        let picture = draw(scene, &options().with_bones(bones).with_supersampling(false));
        let is_shown = |x, y| picture.pixel(x, y).unwrap()[3] > 0;
        (is_shown(16, 24), is_shown(24, 8))
    };
    assert_eq!(shown(&scene, Bones::Auto), (false, true));
    assert_eq!(shown(&scene, Bones::Always), (true, true));
    scene.skeletons[0].joints[2].visible = false;
    assert_eq!(shown(&scene, Bones::Always), (true, false));
    scene.skeletons[0].joints[0].visible = false;
    assert_eq!(shown(&scene, Bones::Always), (false, false));
}

#[test]
fn a_camera_of_the_scene_sees_what_the_same_camera_sees_by_itself() {
    let mut scene = arm();
    let mesh = scene.add_mesh(square(0.7, None));
    scene.add_node(Node { mesh: Some(mesh), parent: of_joint(2), ..Node::default() });
    scene.cameras.push(anim_ir::Camera { near: 0.25, ..anim_ir::Camera::new("lens", 1.1) });
    // On the elbow, turned by 90° about y: it looks along -x, and scales do not matter.
    let turn = Quat::from_axis_angle(Vec3::new(0.0, 1.0, 0.0), std::f64::consts::FRAC_PI_2);
    let scale = Vec3::new(2.0, 2.0, 2.0);
    let transform = Transform { translation: Vec3::new(3.0, 1.5, 0.5), rotation: turn, scale };
    let camera = Some(anim_ir::CameraId::new(0));
    scene.add_node(Node {
        name: "eye".into(),
        camera,
        parent: of_joint(1),
        transform,
        ..Node::default()
    });
    let options = options().with_bones(Bones::Always);
    let mut stage = Stage::new(&scene, &options).unwrap();
    assert_eq!(stage.scene_cameras().collect::<Vec<_>>(), ["eye"]);
    assert!(stage.scene_camera("lens", Moment::Rest).is_none());
    let own = stage.scene_camera("eye", Moment::Rest).unwrap();
    let (eye, target) = (Vec3::new(4.0, 0.5, -1.5), Vec3::new(0.0, 0.5, -1.5));
    let fov = f64::from(1.1_f32);
    let same = Camera::looking_at(eye, target, Vec3::new(0.0, 1.0, 0.0), fov, 0.25);
    let pictures = [own, same].map(|camera| stage.draw(Moment::Rest, &camera).unwrap());
    assert!(pictures[0].pixels.iter().any(|pixel| pixel[3] > 0));
    assert_near(&pictures[0], &pictures[1]);
}

/// Colours may differ by 1 of 255, as between machines.
#[track_caller]
fn assert_near(a: &Picture, b: &Picture) {
    assert_eq!((a.width, a.height), (b.width, b.height));
    for (index, (a, b)) in a.pixels.iter().zip(&b.pixels).enumerate() {
        assert!(a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= 1), "pixel {index}: {a:?} {b:?}");
    }
}

#[test]
fn jpeg_images_are_shown() {
    let bytes = include_bytes!("data/two_colors.jpg");
    let scene = filled(Image::embedded(&bytes[..]));
    let stage = Stage::new(&scene, &options()).unwrap();
    assert!(stage.losses().is_empty());
    let picture = draw(&scene, &options());
    // Left red and right blue, within what the compression changes.
    for (x, expected) in [(4, [200, 40, 30]), (27, [20, 90, 210])] {
        let found = picture.pixel(x, 16).unwrap();
        let near = found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 3);
        assert!(near && found[3] == 255, "{found:?}");
    }
}

#[test]
fn missing_images_are_a_checker_pattern_and_reported() {
    for (image, id) in [(Image::at("gone.png"), 0), (Image::at("unused.png"), 7)] {
        let mut scene = filled(image);
        scene.materials[0].base_color_image = Some(ImageId::new(id));
        let stage = Stage::new(&scene, &options()).unwrap();
        assert_eq!(stage.losses().count(CODES[0]), u64::from(id == 0));
        let picture = draw(&scene, &options().with_supersampling(false));
        // 16 texels, in squares of 4, on 32 pixels: pixels in the middles of squares.
        for (x, y) in (0..4).flat_map(|y| (0..4).map(move |x| (x, y))) {
            let expected = if (x + y) % 2 == 0 { [214, 60, 190, 255] } else { [70, 70, 78, 255] };
            assert_eq!(picture.pixel(x * 8 + 4, y * 8 + 4), Some(expected), "{x} {y}");
        }
    }
}

/// Where the lines and points of a TMD model are in a picture, in pixels, apart from the crate.
fn ends_in_picture(
    scene: &Scene,
    [eye, target]: [Vec3; 2],
    (width, height): (u32, u32),
) -> Vec<[[f64; 3]; 2]> {
    let glb: Format = "glb".parse().unwrap();
    let model = glb::read(&convert(scene, glb, &Settings::default(), "").unwrap().value.main);
    let lines = model.lines_at(None, 0.0).into_iter();
    let points = model.points_at(None, 0.0).into_iter().map(|point| [point; 2]);
    let back = unit([0, 1, 2].map(|i| eye.to_f64()[i] - target.to_f64()[i]));
    // The file's y axis points down.
    let right = unit(cross([0.0, -1.0, 0.0], back));
    let up = cross(back, right);
    let project = |point: [f64; 3]| {
        let place = tmd::point_to_gltf(point);
        let from = [0, 1, 2].map(|i| place[i] - eye.to_f64()[i]);
        let away = -dot(from, back);
        let scale = f64::from(height) / 2.0 / away;
        let middle = [width, height].map(|side| f64::from(side) / 2.0);
        [dot(from, right) * scale + middle[0], middle[1] - dot(from, up) * scale, away]
    };
    lines.chain(points).map(|ends| ends.map(project)).collect()
}

#[test]
fn lines_and_points_of_tmd_models_are_drawn_where_they_are() {
    let size = (120, 90);
    let mut on = 0;
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let bytes = tmd::generate::model(&mut rng, &tmd::generate::ModelOptions::default());
        let loaded = load_bytes(bytes, Some("a.tmd"), None, &LoadOptions::default()).unwrap();
        let mut scene = loaded.scene;
        for mesh in &mut scene.meshes {
            mesh.primitives.retain(|part| part.topology != Topology::Triangles);
        }
        let Some(bounds) = scene.rest_bounds() else { continue };
        let middle = [0, 1, 2].map(|i| f64::midpoint(bounds.min[i], bounds.max[i]));
        let reach = bounds.size().into_iter().fold(0.0, f64::max) * 1.5 + 1.0;
        let away = rng.direction();
        let eye = Vec3::from_f64([0, 1, 2].map(|i| middle[i] + away[i] * reach));
        let target = Vec3::from_f64(middle);
        let up = Vec3::new(0.0, -1.0, 0.0);
        let camera = Camera::looking_at(eye, target, up, std::f64::consts::FRAC_PI_2, reach / 1e4);
        let options = PreviewOptions::default()
            .with_size(size.0, size.1)
            .with_background(Background::Transparent)
            .with_bones(Bones::Never);
        let picture = Stage::new(&scene, &options).unwrap().draw(Moment::Rest, &camera).unwrap();
        let elements = ends_in_picture(&scene, [eye, target], size);
        assert!(elements.iter().flatten().all(|[.., away]| *away > 0.0));
        // In front of the camera, lines are straight in the picture.
        for [a, b] in &elements {
            // At their ends, lines need not cover a sample of the pixel.
            for step in 1..8 {
                let part = f64::from(step) / 8.0;
                let [x, y] = [0, 1].map(|i| a[i] + (b[i] - a[i]) * part);
                if (1.0..119.0).contains(&x) && (1.0..89.0).contains(&y) {
                    let found = picture.pixel(x as u32, y as u32).unwrap();
                    assert!(found[3] > 0, "{seed}: {x} {y} {part} {a:?} {b:?}");
                    on += 1;
                }
            }
        }
        for (index, _) in picture.pixels.iter().enumerate().filter(|(_, pixel)| pixel[3] > 0) {
            let at = [index % 120, index / 120].map(|at| at as f64 + 0.5);
            let nearest = elements.iter().map(|[a, b]| distance(at, [a[0], a[1]], [b[0], b[1]]));
            // Half the diagonal of a point and of a pixel.
            let nearest = nearest.fold(f64::INFINITY, f64::min);
            assert!(nearest < 1.5 * 1.5 + 0.75, "{seed}: {at:?} is {nearest} away");
        }
    }
    assert!(on > 1000, "{on}");
}

/// The distance of a point from the part of a line between its ends.
fn distance(at: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (along, from) = ([b[0] - a[0], b[1] - a[1]], [at[0] - a[0], at[1] - a[1]]);
    let square = along[0] * along[0] + along[1] * along[1];
    let part = ((from[0] * along[0] + from[1] * along[1]) / square.max(1e-9)).clamp(0.0, 1.0);
    (from[0] - along[0] * part).hypot(from[1] - along[1] * part)
}

/// A scene with all kinds of things: textures, light, translucent triangles, lines, points, bones.
fn all_kinds() -> Scene {
    let mut rng = Rng::new(31);
    let mut scene = arm();
    let stripes =
        (0..64).map(|at: u32| if at % 8 < 4 { [230, 120, 40, 255] } else { [40, 60, 90, 255] });
    let stripes = Picture { width: 8, height: 8, pixels: stripes.collect() };
    scene.images.push(Image::embedded(stripes.to_png().unwrap()));
    let textured = scene.add_material(Material { unlit: false, ..unlit(Some(0)) });
    let glass = Material { base_color: [0.2, 0.6, 0.9, 0.4], ..Material::new("glass") };
    let glass = scene.add_material(glass);
    for (material, at, turn) in
        [(textured, [0.2, 0.3, -2.5], 0.8), (glass, [-0.4, 0.0, -2.0], -0.4)]
    {
        let mesh = scene.add_mesh(square(1.8, Some(material)));
        let rotation = Quat::from_axis_angle(Vec3::new(0.3, 1.0, 0.1), turn);
        let transform =
            Transform { translation: Vec3::from_f64(at), rotation, ..Transform::default() };
        scene.add_node(Node { mesh: Some(mesh), transform, ..Node::default() });
    }
    let mut mesh = Mesh::default();
    for _ in 0..12 {
        let at = [rng.range(-1.5, 1.5), rng.range(-1.5, 1.5), rng.range(-3.0, -1.5)];
        mesh.positions.push(Vec3::from_f64(at));
        mesh.colors.push([rng.range(0.0, 1.0) as f32, rng.range(0.0, 1.0) as f32, 0.2, 1.0]);
    }
    let part = |topology, indices| Primitive { topology, indices, material: None };
    mesh.primitives = vec![
        part(Topology::Lines, (0..6).collect()),
        part(Topology::Points, (6..9).collect()),
        part(Topology::Triangles, (9..12).collect()),
    ];
    let mesh = scene.add_mesh(mesh);
    scene.add_node(Node { mesh: Some(mesh), ..Node::default() });
    scene
}

fn with_all() -> PreviewOptions {
    PreviewOptions::default()
        .with_size(96, 72)
        .with_bones(Bones::Always)
        .with_ground(true)
        .with_axes(true)
}

#[test]
fn threads_do_not_change_any_kind_of_picture() {
    let scene = all_kinds();
    for supersampling in [false, true] {
        let options = with_all().with_size(150, 110).with_supersampling(supersampling);
        let with = |threads| draw(&scene, &options.clone().with_threads(Some(threads)));
        let one = with(1);
        assert!([2, 4, 1].into_iter().all(|threads| with(threads) == one));
    }
}

/// After an intended change, `INSTA_UPDATE=always` draws the picture again. Look at it.
#[test]
fn the_committed_picture_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/all_kinds.png");
    let picture = draw(&all_kinds(), &with_all());
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        std::fs::write(&path, picture.to_png().unwrap()).unwrap();
    }
    let decoder = png::Decoder::new(std::io::Cursor::new(std::fs::read(path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    let pixels = pixels.as_chunks().0.to_vec();
    assert_near(&picture, &Picture { width: info.width, height: info.height, pixels });
}
