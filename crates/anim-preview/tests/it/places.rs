//! Where vertices are in pictures: random scenes with skins, morph targets and clips, written as
//! GLB and evaluated and projected apart from the crate.

use crate::{dot, unit};
use anim_formats::{Format, Settings, convert};
use anim_ir::color::to_linear;
use anim_ir::{
    Channel, Clip, ClipId, Influences, Interpolation, Joint, JointId, JointRef, Mat4, Mesh,
    MorphTarget, Node, NodeId, Primitive, Quat, Scene, Skeleton, SkeletonId, Skin, Target,
    TimelineBuilder, Topology, Transform, Vec3,
};
use anim_preview::{Background, Camera, Moment, Picture, PreviewOptions, Stage};
use test_oracle::glb;
use test_oracle::math::cross;
use test_oracle::random::Rng;

const SIZE: (u32, u32) = (96, 72);
const VERTICES: usize = 12;
/// Half the side of the square that a point is drawn as, in pixels.
const REACH: f64 = 1.5;

fn vector(rng: &mut Rng, reach: f64) -> Vec3 {
    Vec3::from_f64([0; 3].map(|_| rng.range(-reach, reach)))
}

fn place(rng: &mut Rng) -> Transform {
    let [x, y, z, w] = rng.turn(180.0).map(|part| part as f32);
    let scale = [0; 3].map(|_| rng.range(0.5, 1.4));
    Transform {
        translation: vector(rng, 1.2),
        rotation: Quat::new(x, y, z, w),
        scale: Vec3::from_f64(scale),
    }
}

/// The sRGB colour of a vertex, which tells vertices apart.
fn bytes(mesh: usize, vertex: usize) -> [u8; 4] {
    [40 + 15 * vertex as u8, 60 + 90 * mesh as u8, 250 - 7 * vertex as u8, 255]
}

fn points(rng: &mut Rng, mesh: usize) -> Mesh {
    let offsets = |rng: &mut Rng| (0..VERTICES).map(|_| vector(rng, 1.0)).collect();
    let target = |rng: &mut Rng| MorphTarget { positions: offsets(rng), ..MorphTarget::default() };
    let color = |vertex: usize| {
        bytes(mesh, vertex)
            .map(|byte| if byte == 255 { 1.0 } else { to_linear(f32::from(byte) / 255.0) })
    };
    Mesh {
        positions: offsets(rng),
        colors: (0..VERTICES).map(color).collect(),
        morph_targets: vec![target(rng), target(rng)],
        morph_weights: vec![rng.range(0.0, 1.0) as f32, rng.range(0.0, 1.0) as f32],
        primitives: vec![Primitive {
            topology: Topology::Points,
            indices: (0..VERTICES as u32).collect(),
            ..Primitive::default()
        }],
        ..Mesh::default()
    }
}

/// Returns a scene with points of a skinned and of a rigid mesh, and a clip that moves all.
fn scene(rng: &mut Rng) -> Scene {
    let mut scene = Scene::default();
    let mut skeleton = Skeleton::new("s");
    let joints = rng.between(1, 6);
    for joint in 0..joints {
        let parent = (joint > 0).then(|| JointId::new(rng.below(joint)));
        let mut joint = Joint::new(format!("j{joint}"), parent);
        joint.rest = place(rng);
        skeleton.add_joint(joint);
    }
    scene.add_skeleton(skeleton);
    let mut skinned = points(rng, 0);
    let mut influences = Influences { per_vertex: 2, ..Influences::default() };
    for _ in 0..VERTICES {
        let weight = rng.range(0.0, 1.0) as f32;
        influences.joints.extend([0; 2].map(|_| rng.below(joints) as u32));
        influences.weights.extend([weight, 1.0 - weight]);
    }
    skinned.influences = influences;
    let inverse_bind: Vec<Mat4> = (0..joints).map(|_| place(rng).to_matrix()).collect();
    scene.skins.push(Skin {
        skeleton: SkeletonId::new(0),
        joints: (0..joints).map(JointId::new).collect(),
        inverse_bind,
    });
    let rigid = points(rng, 1);
    let (skinned, rigid) = (scene.add_mesh(skinned), scene.add_mesh(rigid));
    let skin = Some(anim_ir::SkinId::new(0));
    scene.add_node(Node { name: "skinned".into(), mesh: Some(skinned), skin, ..Node::default() });
    let joint = JointId::new(rng.below(joints));
    let parent = Some(JointRef { skeleton: SkeletonId::new(0), joint });
    let transform = place(rng);
    scene.add_node(Node {
        name: "rigid".into(),
        mesh: Some(rigid),
        parent,
        transform,
        ..Node::default()
    });
    let mut builder = TimelineBuilder::new("t");
    let times = [0.0, 0.5, 1.25];
    for joint in 0..joints {
        let keys = [0; 3].map(|_| place(rng));
        let mut add = |channel, values: Vec<f32>| {
            let target = Target::Joint(JointId::new(joint));
            builder.keys(target, channel, Interpolation::Linear, &times, values).unwrap();
        };
        let three = |of: fn(&Transform) -> Vec3| {
            keys.iter().flat_map(|key| of(key).to_f64()).map(|value| value as f32).collect()
        };
        add(Channel::Translation, three(|key| key.translation));
        add(Channel::Rotation, keys.iter().flat_map(|key| key.rotation.to_array()).collect());
        add(Channel::Scale, three(|key| key.scale));
    }
    for node in 0..2 {
        let weights: Vec<f32> = (0..6).map(|_| rng.range(-0.2, 1.0) as f32).collect();
        let target = Target::Node(NodeId::new(node));
        let line = Interpolation::Linear;
        builder.keys(target, Channel::MorphWeights, line, &times, weights).unwrap();
    }
    let timeline = scene.add_timeline(builder.finish());
    scene.add_clip(Clip { name: "clip".into(), timeline, end: 1.25, ..Clip::default() });
    scene
}

/// A point in the picture: its place in pixels, its distance, and its colour.
struct Point {
    at: [f64; 2],
    distance: f64,
    color: [u8; 4],
}

/// Projects the points of a GLB.
fn projected(
    glb: &[u8],
    time: Option<f64>,
    eye: [f64; 3],
    target: [f64; 3],
    fov: f64,
) -> Vec<Point> {
    let model = glb::read(glb);
    let drawn = model.drawn_at(time.map(|_| 0), time.unwrap_or_default());
    let names = model.node_names();
    let back = unit([0, 1, 2].map(|axis| eye[axis] - target[axis]));
    let right = unit(cross([0.0, 1.0, 0.0], back));
    let up = cross(back, right);
    let scale = f64::from(SIZE.1) / 2.0 / (fov / 2.0).tan();
    let mut points = Vec::new();
    for part in &drawn {
        let mesh = usize::from(names[part.node] == "rigid");
        assert_eq!(part.points.len(), VERTICES);
        for (vertex, point) in part.points.iter().enumerate() {
            let from = [0, 1, 2].map(|axis| point.place[axis] - eye[axis]);
            let distance = -dot(from, back);
            let [x, y] = [dot(from, right), -dot(from, up)].map(|part| part / distance * scale);
            let at = [x + f64::from(SIZE.0) / 2.0, y + f64::from(SIZE.1) / 2.0];
            points.push(Point { at, distance, color: bytes(mesh, vertex) });
        }
    }
    assert_eq!(points.len(), 2 * VERTICES);
    points
}

/// Compares all pixels except those whose middle is at the edge of a square. Returns how many
/// pixels show points.
fn compare(picture: &Picture, points: &[Point]) -> usize {
    let mut count = 0;
    for y in 0..SIZE.1 {
        for x in 0..SIZE.0 {
            let away = |point: &Point| {
                let [right, down] =
                    [f64::from(x) + 0.5 - point.at[0], f64::from(y) + 0.5 - point.at[1]];
                right.abs().max(down.abs())
            };
            let visible = || points.iter().filter(|point| point.distance > 0.1);
            if visible().any(|point| (away(point) - REACH).abs() < 0.02) {
                continue;
            }
            let nearest = visible()
                .filter(|point| away(point) < REACH)
                .min_by(|a, b| a.distance.total_cmp(&b.distance));
            let found = picture.pixel(x, y).unwrap();
            assert_eq!(found, nearest.map_or([0; 4], |point| point.color), "pixel {x}, {y}");
            count += usize::from(nearest.is_some());
        }
    }
    count
}

#[test]
fn vertices_of_random_scenes_are_where_an_independent_evaluation_projects_them() {
    let mut count = 0;
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let scene = scene(&mut rng);
        let glb: Format = "glb".parse().unwrap();
        let glb = convert(&scene, glb, &Settings::default(), "").unwrap().value.main;
        let eye = rng.direction().map(|part| part * rng.range(4.0, 9.0));
        let target = vector(&mut rng, 1.0);
        let fov = rng.range(0.5, 1.4);
        // As the camera has them.
        let eye = Vec3::from_f64(eye);
        let camera = Camera::looking_at(eye, target, Vec3::new(0.0, 1.0, 0.0), fov, 0.1);
        let options = PreviewOptions::default()
            .with_size(SIZE.0, SIZE.1)
            .with_background(Background::Transparent)
            .with_supersampling(false);
        let mut stage = Stage::new(&scene, &options).unwrap();
        for time in [None, Some(rng.range(0.0, 1.25))] {
            let moment = time.map_or(Moment::Rest, |time| Moment::Clip(ClipId::new(0), time));
            let picture = stage.draw(moment, &camera).unwrap();
            count += compare(&picture, &projected(&glb, time, eye.to_f64(), target.to_f64(), fov));
        }
    }
    assert!(count > 40_000, "{count}");
}
