//! Random VRML 1.0 scenes.

use super::{
    Change, Made, Mesh, Node, Options, Rng, Value, change_of_points, ended, factors, mesh, place,
};
use crate::math::{Mat4, mul, rotation, scaling, translation};

pub(crate) fn vrml1(options: Options, rng: &mut Rng) -> Node {
    let mut made = Made::new(true, options);
    let textured = rng.chance(50);
    let mut children = Vec::new();
    for _ in 0..rng.between(1, 3) {
        let separator = separator(0, textured, &mut made, rng);
        children.push(separator);
    }
    let root = Node::group(rng.pick(&["Separator", "Group"]), children);
    Node::group("Scene", vec![root])
}

fn separator(depth: usize, textured: bool, made: &mut Made, rng: &mut Rng) -> Node {
    let mut children = Vec::new();
    if rng.chance(50) {
        let colour = vec![0.7, 0.6, 0.5];
        children.push(Node::new("Material").vectors("diffuseColor", 3, colour, Change::Constant));
    }
    if rng.chance(40) {
        let hints = Node::new("ShapeHints").word("vertexOrdering", "COUNTERCLOCKWISE");
        children.push(hints.fixed("creaseAngle", &[rng.pick(&[0.0, 0.5, 4.0])]));
    }
    let moves = vrml1_moves(made, rng);
    match rng.below(6) {
        // A Group passes its state on to later nodes.
        0 => children.push(Node::group("Group", moves)),
        1 => children.push(inlined(Node::group("Group", moves)).word("separate", "FALSE")),
        2 => children.push(
            Node::new("Switch").word("whichChild", "-3").with("children", Value::Nodes(moves)),
        ),
        _ => children.extend(moves),
    }
    children.extend(vrml1_shapes(textured, made, rng));
    match rng.below(8) {
        0 | 1 if depth < 2 => children.push(separator(depth + 1, textured, made, rng)),
        2 => {
            // TransformSeparator restores the matrix but not the coordinates.
            let mut inside = vrml1_moves(made, rng);
            inside.extend(vrml1_shapes(textured, made, rng));
            children.push(Node::group("TransformSeparator", inside));
            let triangle = Value::Integers(vec![0, 1, 2, -1]);
            children.push(Node::new("IndexedFaceSet").with("coordIndex", triangle));
        }
        3 => {
            // Define the node where it is not drawn. USE draws it.
            let (hidden, again) = separator(2, textured, made, rng).defined(made.name("Part"));
            let aside = Node::new("Translation");
            let aside = aside.vector("translation", &place(2.0, rng), Change::By(1.0));
            children.extend([Node::group("Switch", vec![hidden]), again.clone(), aside, again]);
        }
        4 if depth < 2 => {
            let made = &mut Made::new(true, made.options);
            children.push(inlined(separator(2, textured, made, rng)));
        }
        _ => {}
    }
    Node::group("Separator", children)
}

/// Returns a node that inlines a file with this node.
fn inlined(node: Node) -> Node {
    let file = Node::group("Scene", vec![node]);
    Node::new("WWWInline").with("name", Value::File(Box::new(file)))
}

fn vrml1_moves(made: &Made, rng: &mut Rng) -> Vec<Node> {
    let varies =
        |change: Change, rng: &mut Rng| if rng.chance(50) { change } else { Change::Constant };
    let mut moves = Vec::new();
    for _ in 0..rng.between(1, 3) {
        let node = match rng.below(6) {
            0 => {
                let change = varies(Change::By(1.0), rng);
                Node::new("Translation").vector("translation", &place(2.0, rng), change)
            }
            1 => Node::new("Rotation").rotation("rotation", 300.0, 60, rng),
            2 => {
                let change = varies(Change::Factor, rng);
                Node::new("Scale").vector("scaleFactor", &factors(rng), change)
            }
            3 | 4 => {
                let change = varies(Change::By(1.0), rng);
                let mut node =
                    Node::new("Transform").vector("translation", &place(2.0, rng), change);
                if rng.chance(60) {
                    node = node.rotation("rotation", 300.0, 50, rng);
                }
                if rng.chance(50) {
                    let value = Value::Rotation { turn: rng.turn(100.0), varies: rng.chance(30) };
                    node = node
                        .vector("scaleFactor", &factors(rng), Change::Constant)
                        .with("scaleOrientation", value);
                }
                if rng.chance(50) {
                    let change = varies(Change::By(0.5), rng);
                    node = node.vector("center", &place(1.0, rng), change);
                }
                node
            }
            _ => matrix(Change::Constant, rng),
        };
        moves.push(node);
    }
    if made.options.varying_matrices && rng.chance(70) {
        moves.push(matrix(Change::Affine(0.1), rng));
    }
    moves
}

fn matrix(change: Change, rng: &mut Rng) -> Node {
    let factors: [Mat4; 3] =
        [translation(place(2.0, rng)), rotation(rng.turn(180.0)), scaling(factors(rng))];
    let mut matrix = mul(&factors[0], &mul(&factors[1], &factors[2]));
    if rng.chance(30) {
        // Add a shear.
        matrix[1][0] += 0.3;
    }
    Node::new("MatrixTransform").vector("matrix", matrix.as_flattened(), change)
}

/// Generates coordinates and geometry that uses them.
pub(crate) fn vrml1_shapes(textured: bool, made: &Made, rng: &mut Rng) -> Vec<Node> {
    let Mesh { points, polygons } = mesh(rng);
    let count = points.len() / 3;
    let change =
        if made.options.varying_matrices { Change::By(0.25) } else { change_of_points(rng) };
    let mut nodes = vec![Node::new("Coordinate3").vectors("point", 3, points, change)];
    if textured {
        nodes.push(Node::new("Texture2").with("filename", Value::Text("a.png".to_owned())));
        let values = (0..2 * count).map(|_| rng.range(0.0, 1.0)).collect();
        nodes.push(Node::new("TextureCoordinate2").vectors("point", 2, values, Change::Constant));
    }
    // Two face sets with the same coordinates.
    let (first, second) = polygons.split_at(if rng.chance(30) { polygons.len() / 2 } else { 0 });
    for part in [first, second] {
        if part.is_empty() {
            continue;
        }
        let mut node = Node::new("IndexedFaceSet").with("coordIndex", ended(part));
        if textured && rng.chance(50) {
            let mut any = |polygon: &Vec<i64>| {
                polygon.iter().map(|_| rng.below(count) as i64).collect::<Vec<i64>>()
            };
            let numbers: Vec<Vec<i64>> = part.iter().map(&mut any).collect();
            node = node.with("textureCoordIndex", ended(&numbers));
        }
        nodes.push(node);
    }
    match rng.below(8) {
        0 => nodes.push(Node::new("IndexedLineSet").with("coordIndex", ended(&polygons))),
        1 => nodes.push(
            Node::new("PointSet")
                .word("startIndex", rng.below(2))
                .word("numPoints", rng.pick(&["-1", "2"])),
        ),
        2 if made.options.primitives => {
            let cube = Node::new("Cube").vector("width", &[0.7], Change::Factor);
            nodes.push(cube.fixed("depth", &[1.3]))
        }
        3 if made.options.primitives => {
            nodes.push(Node::new("Sphere").vector("radius", &[0.6], Change::Factor))
        }
        4 if made.options.primitives => nodes.push(
            Node::new("Cone").word("parts", rng.pick(&["ALL", "(SIDES)", "(SIDES | BOTTOM)"])),
        ),
        5 if made.options.primitives => {
            nodes.push(Node::new("Cylinder").word("parts", rng.pick(&["ALL", "(SIDES|TOP)"])))
        }
        _ => {}
    }
    nodes
}
