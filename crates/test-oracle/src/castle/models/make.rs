//! Makes random movies.

use super::scene::{Frame, Kind, Mesh, Mix, Movie, Node, Options, Primitive, Scene, Skin};
use crate::math::{inverse, quaternion_product};
use crate::random::Rng;

/// Names that need escapes, and one that occurs more than once.
const NAMES: [&str; 6] = ["a b", "x&y", "say \"hi\"", "\u{17c}\u{f3}\u{142}w", "body", "body"];

pub(super) fn movie(count: usize, options: Options, rng: &mut Rng) -> Movie {
    let mut kind = match options.mix {
        Mix::Only(kind) => kind,
        Mix::All => rng.pick(&Kind::ALL),
    };
    // X3D and OBJ frames hold only simple scenes.
    let simple = options.simple || options.mix != Mix::Only(Kind::Gltf);
    let mut pose = scene(simple, rng);
    let mut time = rng.pick(&[0.0, 0.0, 0.0, 1.5, 40.0, -0.5]);
    let mut movie = Movie { times: Vec::new(), frames: Vec::new() };
    for _ in 0..count {
        let odd = !options.even && rng.chance(10);
        // Only this frame has a different structure.
        let shown = if odd { altered(&pose, kind, rng) } else { pose.clone() };
        movie.frames.push(Frame { kind, scene: kind.held(&shown) });
        movie.times.push(time);
        time += 0.04 * rng.between(1, 20) as f64;
        if options.mix == Mix::All && rng.chance(25) {
            kind = rng.pick(&Kind::ALL);
        }
        if rng.chance(80) {
            moved(&mut pose, rng);
        }
    }
    movie
}

/// Rounds to a value that an accessor can hold.
fn rounded<const N: usize>(v: [f64; N]) -> [f64; N] {
    v.map(|x| f64::from(x as f32))
}

fn place(far: f64, rng: &mut Rng) -> [f64; 3] {
    rounded([0, 1, 2].map(|_| rng.range(-far, far)))
}

/// Returns a rotation by less than this number of degrees.
fn turn(degrees: f64, rng: &mut Rng) -> [f64; 4] {
    let [x, y, z] = rng.direction();
    let half = rng.range(0.0, degrees / 2.0).to_radians();
    [x * half.sin(), y * half.sin(), z * half.sin(), half.cos()]
}

fn pose_node(node: &mut Node, rng: &mut Rng) {
    if rng.chance(60) {
        node.translation = place(3.0, rng);
    }
    if rng.chance(60) {
        node.rotation = turn(359.0, rng);
    }
    if rng.chance(40) {
        node.scale = [0, 1, 2].map(|_| rng.range(0.3, 2.0));
    }
}

fn scene(simple: bool, rng: &mut Rng) -> Scene {
    let mut scene = Scene::default();
    for _ in 0..rng.between(1, 3) {
        let mesh = mesh(simple, None, rng);
        scene.meshes.push(mesh);
    }
    for number in 0..rng.between(1, 6) {
        let name = if simple || rng.chance(60) {
            format!("part{number}")
        } else {
            rng.pick(&NAMES).to_owned()
        };
        let mut node = Node::new(name);
        pose_node(&mut node, rng);
        if number == 0 || rng.chance(60) {
            let mesh = rng.below(scene.meshes.len());
            let targets = scene.meshes[mesh].weights.len();
            node.mesh = Some(mesh);
            node.weights = (targets > 0 && rng.chance(40)).then(|| weights(targets, rng));
        }
        add(&mut scene, node, rng);
    }
    // The reader reports and ignores weights of a node whose mesh other nodes use.
    for number in 0..scene.nodes.len() {
        let mesh = scene.nodes[number].mesh;
        if scene.nodes.iter().filter(|node| node.mesh == mesh).count() > 1 {
            scene.nodes[number].weights = None;
        }
    }
    if !simple && rng.chance(45) {
        add_skin(&mut scene, rng);
    }
    scene
}

/// Adds a node as a root or below another.
fn add(scene: &mut Scene, node: Node, rng: &mut Rng) -> usize {
    let number = scene.nodes.len();
    if rng.chance(60) && number > 0 {
        let above = rng.below(number);
        return below(scene, above, node);
    }
    scene.roots.push(number);
    scene.nodes.push(node);
    number
}

fn below(scene: &mut Scene, above: usize, node: Node) -> usize {
    let number = scene.nodes.len();
    scene.nodes[above].children.push(number);
    scene.nodes.push(node);
    number
}

fn add_skin(scene: &mut Scene, rng: &mut Rng) {
    let count = rng.between(2, 4);
    let mut joints: Vec<usize> = Vec::new();
    for number in 0..count {
        let mut joint = Node::new(format!("bone{number}"));
        pose_node(&mut joint, rng);
        // Joints have a common root.
        joints.push(match number {
            0 => add(scene, joint, rng),
            _ => below(scene, joints[rng.below(number)], joint),
        });
    }
    let worlds = scene.worlds();
    let inverses = rng.chance(75).then(|| {
        let bound = joints.iter().map(|joint| inverse(&worlds[*joint]));
        bound.map(|matrix| matrix.map(rounded)).collect()
    });
    scene.skin = Some(Skin { joints, inverses });
    let skinned = mesh(false, Some(count), rng);
    let mut node = Node::new("skinned".to_owned());
    // The transform of the node of a skinned mesh has no effect.
    pose_node(&mut node, rng);
    (node.mesh, node.skinned) = (Some(scene.meshes.len()), true);
    scene.meshes.push(skinned);
    add(scene, node, rng);
}

/// Weights are often equal to those of another node or frame.
fn weights(count: usize, rng: &mut Rng) -> Vec<f64> {
    (0..count).map(|_| rng.pick(&[0.0, 0.5, 1.0, 0.25, -0.5])).collect()
}

fn mesh(simple: bool, joints: Option<usize>, rng: &mut Rng) -> Mesh {
    let targets = if simple { 0 } else { rng.pick(&[0, 0, 1, 2, 3]) };
    let mut primitives: Vec<Primitive> = Vec::new();
    for _ in 0..rng.pick(&[1, 1, 2, 3]) {
        let mut made = primitive(simple, targets, joints, rng);
        if let Some(first) = primitives.first().filter(|_| joints.is_none() && rng.chance(30)) {
            // With the same targets, and without joints, which may be stored in different ways:
            // otherwise the points at rest would be the same in some frames only.
            made = Primitive { shares: true, ..first.clone() };
        }
        primitives.push(made);
    }
    Mesh { primitives, weights: weights(targets, rng) }
}

fn primitive(simple: bool, targets: usize, joints: Option<usize>, rng: &mut Rng) -> Primitive {
    let count = 6 * rng.between(1, 4);
    let mode = if simple { 4 } else { rng.pick(&[4, 4, 4, 5, 6, 0, 1, 2, 3]) };
    let points = |rng: &mut Rng| (0..count).map(|_| place(1.0, rng)).collect::<Vec<_>>();
    let indices = rng.chance(70).then(|| {
        // Any six consecutive indices differ, so no triangle of a strip is empty.
        let start = rng.below(count);
        (0..6 * rng.between(1, 6)).map(|number| (start + number * 5) % count).collect::<Vec<_>>()
    });
    let weighted = |rng: &mut Rng, joints: usize| {
        let first = rng.between(1, 255) as u8;
        let second = rng.below(256 - usize::from(first)) as u8;
        let rest = 255 - first - second;
        // A joint occurs at most once.
        let [a, b] = [rng.below(joints), rng.below(joints - 1)];
        let b = if b >= a { b + 1 } else { b };
        [(a, first), (b, second + rest), (0, 0), (0, 0)]
    };
    Primitive {
        mode,
        points: points(rng),
        shares: false,
        normals: mode >= 4 && rng.chance(50),
        targets: (0..targets).map(|_| points(rng)).collect(),
        indices,
        joints: joints.map(|joints| (0..count).map(|_| weighted(rng, joints)).collect()),
    }
}

/// Changes numbers, but not the structure.
fn moved(scene: &mut Scene, rng: &mut Rng) {
    for node in &mut scene.nodes {
        if rng.chance(30) {
            node.translation = if rng.chance(20) { [0.0; 3] } else { place(3.0, rng) };
        }
        if rng.chance(30) {
            let turned = quaternion_product(turn(165.0, rng), node.rotation);
            let sign = if rng.chance(30) { -1.0 } else { 1.0 };
            node.rotation = turned.map(|x| x * sign);
        }
        if rng.chance(20) {
            let even = rng.chance(30);
            node.scale = [0, 1, 2].map(|_| if even { 1.0 } else { rng.range(0.3, 2.0) });
        }
        if let Some(own) = node.weights.as_mut().filter(|_| rng.chance(40)) {
            *own = weights(own.len(), rng);
        }
    }
    for mesh in &mut scene.meshes {
        if rng.chance(30) {
            mesh.weights = weights(mesh.weights.len(), rng);
        }
        for primitive in &mut mesh.primitives {
            if rng.chance(40) {
                primitive.points.iter_mut().for_each(|point| *point = place(1.0, rng));
            }
        }
        let first = mesh.primitives[0].points.clone();
        let sharing = mesh.primitives.iter_mut().filter(|primitive| primitive.shares);
        sharing.for_each(|primitive| primitive.points.clone_from(&first));
    }
}

/// Changes the structure.
fn altered(scene: &Scene, kind: Kind, rng: &mut Rng) -> Scene {
    let mut altered = scene.clone();
    let mesh = &mut altered.meshes[scene.nodes[0].mesh.unwrap()];
    let is_shared = mesh.primitives.iter().any(|primitive| primitive.shares);
    let primitive = &mut mesh.primitives[0];
    match rng.below(4) {
        0 => altered.nodes[0].name = "renamed".to_owned(),
        1 if !is_shared && primitive.indices.is_some() && primitive.mode == 4 => {
            let more = [primitive.points.len(), 0, 1];
            primitive.indices.as_mut().unwrap().extend(more);
            primitive.points.push(place(1.0, rng));
            for target in &mut primitive.targets {
                target.push(place(1.0, rng));
            }
        }
        // The reader of OBJ numbers vertices in the order of their use.
        2 if primitive.indices.is_some() && kind != Kind::Obj => {
            primitive.indices.as_mut().unwrap().rotate_left(1);
        }
        _ => {
            let mut node = Node::new("added".to_owned());
            node.mesh = scene.nodes[0].mesh;
            altered.nodes[0].weights = None;
            pose_node(&mut node, rng);
            add(&mut altered, node, rng);
        }
    }
    altered
}
