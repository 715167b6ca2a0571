//! Random scenes.

use super::Options;
use super::tree::{Change, Node, Value, turn};
use crate::generate::Rng;
use crate::math::{Mat4, mul, rotation, scaling, translation};

/// What a scene has had so far.
struct Made {
    options: Options,
    /// Whether only types of VRML 97 may be used.
    vrml97: bool,
    /// What can be used again.
    shapes: Vec<Node>,
    materials: Vec<Node>,
    names: usize,
}

impl Made {
    fn new(vrml97: bool, options: Options) -> Self {
        Self { options, vrml97, shapes: Vec::new(), materials: Vec::new(), names: 0 }
    }

    fn name(&mut self, start: &str) -> String {
        self.names += 1;
        format!("{start}_{}", self.names)
    }
}

/// Points three numbers each, and polygons.
struct Mesh {
    points: Vec<f64>,
    polygons: Vec<Vec<i64>>,
}

/// A sheet of quadrilaterals, some of them cut into triangles, sometimes with a polygon of more
/// corners beside it and a point that nothing uses.
fn mesh(rng: &mut Rng) -> Mesh {
    let (width, height) = (rng.between(1, 3), rng.between(1, 3));
    let mut points = Vec::new();
    for y in 0..=height {
        for x in 0..=width {
            points.extend([
                x as f64 + rng.range(-0.2, 0.2),
                y as f64 + rng.range(-0.2, 0.2),
                rng.range(-0.5, 0.5),
            ]);
        }
    }
    let mut polygons = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let first = (y * (width + 1) + x) as i64;
            let above = first + width as i64 + 1;
            if rng.chance(30) {
                polygons.push(vec![first, first + 1, above + 1]);
                polygons.push(vec![first, above + 1, above]);
            } else {
                polygons.push(vec![first, first + 1, above + 1, above]);
            }
        }
    }
    if rng.chance(40) {
        let first = points.len() / 3;
        let corners = rng.between(3, 6);
        for corner in 0..corners {
            let angle = std::f64::consts::TAU * corner as f64 / corners as f64;
            points.extend([angle.cos() - 2.0, angle.sin(), 0.25]);
        }
        polygons.push((first..first + corners).map(|point| point as i64).collect());
    }
    if rng.chance(20) {
        points.extend([0.5, 0.5, 0.5]);
    }
    Mesh { points, polygons }
}

/// The lists after each other, each ended by −1.
fn ended(lists: &[Vec<i64>]) -> Value {
    Value::Integers(lists.iter().flat_map(|list| list.iter().copied().chain([-1])).collect())
}

fn change_of_points(rng: &mut Rng) -> Change {
    if rng.chance(50) { Change::By(0.25) } else { Change::Constant }
}

fn place(most: f64, rng: &mut Rng) -> [f64; 3] {
    [0, 1, 2].map(|_| rng.range(-most, most))
}

fn factors(rng: &mut Rng) -> [f64; 3] {
    let all = rng.range(0.5, 1.8);
    match rng.below(10) {
        0..4 => [all; 3],
        4 => [-all, all, all],
        _ => [0, 1, 2].map(|_| rng.range(0.5, 1.8)),
    }
}

/// A scene of X3D, or of what X3D and VRML 97 have both.
pub(super) fn x3d(vrml97: bool, options: Options, rng: &mut Rng) -> Node {
    let mut made = Made::new(vrml97, options);
    let mut children = Vec::new();
    if rng.chance(40) {
        let kinds = Value::Texts(vec!["EXAMINE".to_owned(), "ANY".to_owned()]);
        children.push(
            Node::new("NavigationInfo").word("headlight", rng.chance(50)).with("type", kinds),
        );
    }
    if rng.chance(30) {
        children.push(Node::new("Background").vectors(
            "skyColor",
            3,
            vec![0.1, 0.2, 0.4],
            Change::Constant,
        ));
    }
    for _ in 0..rng.between(1, 3) {
        let branch = transform(0, &mut made, rng);
        children.push(branch);
    }
    // Everything else may be hidden by a Switch.
    children.push(x3d_mesh(&mut made, rng));
    if rng.chance(40) {
        let seen = Node::new("Viewpoint").vector("position", &place(5.0, rng), Change::By(1.0));
        let lit = Node::new("PointLight")
            .vector("location", &place(5.0, rng), Change::By(1.0))
            .vector("intensity", &[0.8], Change::Constant);
        children.push(Node::new("Transform").with("children", Value::Nodes(vec![seen, lit])));
    }
    Node::new("Scene").with("children", Value::Nodes(children))
}

fn transform(depth: usize, made: &mut Made, rng: &mut Rng) -> Node {
    let mut node = Node::new("Transform");
    if rng.chance(60) {
        node.def = Some(made.name("Transform"));
    }
    let by =
        |most: f64, rng: &mut Rng| if rng.chance(50) { Change::By(most) } else { Change::Constant };
    if rng.chance(85) {
        let change = by(1.5, rng);
        node = node.vector("translation", &place(3.0, rng), change);
    }
    if rng.chance(70) {
        let change = Value::Rotation { turn: turn(300.0, rng), varies: rng.chance(60) };
        node = node.with("rotation", change);
    }
    if rng.chance(60) {
        let change = if rng.chance(40) { Change::Factor } else { Change::Constant };
        node = node.vector("scale", &factors(rng), change);
    }
    if rng.chance(30) {
        let change = by(0.5, rng);
        node = node.vector("center", &place(1.5, rng), change);
    }
    if rng.chance(25) {
        let change = Value::Rotation { turn: turn(120.0, rng), varies: rng.chance(40) };
        node = node.with("scaleOrientation", change);
    }
    let children = (0..rng.pick(&[1, 1, 2])).map(|_| child(depth + 1, made, rng)).collect();
    node.with("children", Value::Nodes(children))
}

fn child(depth: usize, made: &mut Made, rng: &mut Rng) -> Node {
    let group = |kind: &'static str, children: Vec<Node>| {
        Node::new(kind).with("children", Value::Nodes(children))
    };
    match rng.below(20) {
        0..5 if depth < 3 => transform(depth, made, rng),
        5 | 6 => group("Group", vec![shape(made, rng), shape(made, rng)]),
        7 => {
            let which = rng.pick(&["0", "1", "-1"]);
            let children = vec![shape(made, rng), shape(made, rng)];
            group("Switch", children).word("whichChoice", which)
        }
        8 => {
            // The stand-in for collisions is not drawn.
            let children = vec![shape(made, rng)];
            let proxy = x3d_mesh(made, rng);
            group("Collision", children).word("enabled", rng.chance(50)).node("proxy", proxy)
        }
        9 if depth < 3 => {
            // Names do not go into the other file.
            let mut inside = Made::new(made.vrml97, made.options);
            let children = vec![transform(2, &mut inside, rng)];
            Node::new("Inline").with("url", Value::File(Box::new(group("Scene", children))))
        }
        10..14 if !made.shapes.is_empty() => rng.pick(&made.shapes),
        _ => shape(made, rng),
    }
}

/// A shape that may be used again.
fn shape(made: &mut Made, rng: &mut Rng) -> Node {
    let shape = match rng.below(10) {
        0 => x3d_lines(made, rng),
        1 => x3d_points(made, rng),
        2 if made.options.primitives => x3d_solid(made, rng),
        3 if made.options.primitives => x3d_solid(made, rng),
        _ => x3d_mesh(made, rng),
    };
    if rng.chance(35) {
        let (shape, again) = shape.defined(made.name("Shape"));
        made.shapes.push(again);
        return shape;
    }
    shape
}

fn appearance(textured: bool, made: &mut Made, rng: &mut Rng) -> Node {
    let material = if !made.materials.is_empty() && rng.chance(40) {
        rng.pick(&made.materials)
    } else {
        let change = if rng.chance(10) { Change::By(0.02) } else { Change::Constant };
        let color = [0, 1, 2].map(|_| rng.range(0.2, 0.8));
        let material = Node::new("Material").vector("diffuseColor", &color, change).vector(
            "transparency",
            &[0.0],
            Change::Constant,
        );
        let (material, again) = material.defined(made.name("Material"));
        made.materials.push(again);
        material
    };
    let appearance = Node::new("Appearance").node("material", material);
    if !textured {
        return appearance;
    }
    let url = Value::Texts(vec!["../a \"b\".png".to_owned(), "a.png".to_owned()]);
    appearance.node("texture", Node::new("ImageTexture").with("url", url))
}

fn x3d_mesh(made: &mut Made, rng: &mut Rng) -> Node {
    let Mesh { points, polygons } = mesh(rng);
    let count = points.len() / 3;
    let change = change_of_points(rng);
    let mut coordinates = Node::new("Coordinate").vectors("point", 3, points, change);
    if rng.chance(40) {
        coordinates.def = Some(made.name("coords"));
    }
    let textured = rng.chance(50);
    let of_corners = textured && rng.chance(50);
    let texcoords = |count: usize, rng: &mut Rng| {
        let values = (0..2 * count).map(|_| rng.range(-0.5, 1.5)).collect();
        Node::new("TextureCoordinate").vectors("point", 2, values, Change::Constant)
    };
    let geometry = match rng.below(12) {
        0 if !made.vrml97 => {
            let triangles: Vec<i64> =
                polygons.iter().flat_map(|polygon| [polygon[0], polygon[1], polygon[2]]).collect();
            let mut node =
                Node::new("IndexedTriangleSet").with("index", Value::Integers(triangles));
            if textured {
                node = node.node("texCoord", texcoords(count, rng));
            }
            node
        }
        1 if !made.vrml97 => {
            Node::new(rng.pick(&["IndexedTriangleFanSet", "IndexedTriangleStripSet"]))
                .with("index", ended(&polygons))
        }
        2 if !made.vrml97 && count.is_multiple_of(3) => Node::new("TriangleSet"),
        3 if !made.vrml97 => {
            let (kind, counts) =
                rng.pick(&[("TriangleFanSet", "fanCount"), ("TriangleStripSet", "stripCount")]);
            Node::new(kind).with(counts, Value::Integers(vec![count as i64]))
        }
        _ => {
            let mut node = Node::new("IndexedFaceSet");
            if rng.chance(70) {
                node = node.word("solid", rng.chance(50));
            }
            if rng.chance(20) {
                node = node.word("ccw", rng.chance(50));
            }
            if rng.chance(70) {
                node = node.vector(
                    "creaseAngle",
                    &[rng.pick(&[0.0, 0.5, 2.0, 4.0])],
                    Change::Constant,
                );
            }
            if textured && of_corners {
                let mut next = 0..;
                let numbers: Vec<Vec<i64>> = polygons
                    .iter()
                    .map(|polygon| next.by_ref().take(polygon.len()).collect())
                    .collect();
                let corners = numbers.iter().map(Vec::len).sum();
                node = node
                    .with("texCoordIndex", ended(&numbers))
                    .node("texCoord", texcoords(corners, rng));
            } else if textured {
                node = node.node("texCoord", texcoords(count, rng));
            }
            if rng.chance(10) {
                let colors = (0..3 * count).map(|_| rng.range(0.0, 1.0)).collect();
                node = node.node(
                    "color",
                    Node::new("Color").vectors("color", 3, colors, Change::Constant),
                );
            }
            node.with("coordIndex", ended(&polygons))
        }
    };
    let textured = textured && geometry.fields.iter().any(|(name, _)| *name == "texCoord");
    Node::new("Shape")
        .node("appearance", appearance(textured, made, rng))
        .node("geometry", geometry.node("coord", coordinates))
}

fn x3d_lines(made: &mut Made, rng: &mut Rng) -> Node {
    let Mesh { points, polygons } = mesh(rng);
    let count = points.len() as i64 / 3;
    let change = change_of_points(rng);
    let coordinates = Node::new("Coordinate").vectors("point", 3, points, change);
    let geometry = if !made.vrml97 && rng.chance(40) {
        Node::new("LineSet").with("vertexCount", Value::Integers(vec![2, count - 2]))
    } else {
        Node::new("IndexedLineSet").with("coordIndex", ended(&polygons))
    };
    Node::new("Shape").node("geometry", geometry.node("coord", coordinates))
}

fn x3d_points(made: &mut Made, rng: &mut Rng) -> Node {
    let points = mesh(rng).points;
    let change = change_of_points(rng);
    let coordinates = Node::new("Coordinate").vectors("point", 3, points, change);
    Node::new("Shape")
        .node("appearance", appearance(false, made, rng))
        .node("geometry", Node::new("PointSet").node("coord", coordinates))
}

fn x3d_solid(made: &mut Made, rng: &mut Rng) -> Node {
    let change = if rng.chance(50) { Change::Factor } else { Change::Constant };
    let mut size = || rng.range(0.3, 2.0);
    let (a, b, c) = (size(), size(), size());
    let geometry = match rng.below(4) {
        0 => Node::new("Box").vector("size", &[a, b, c], change),
        1 => Node::new("Sphere").vector("radius", &[a], change),
        2 => {
            let node = Node::new("Cone").vector("bottomRadius", &[a], change).vector(
                "height",
                &[b],
                change,
            );
            node.word("bottom", rng.chance(60))
        }
        _ => {
            let node =
                Node::new("Cylinder").vector("radius", &[a], change).vector("height", &[b], change);
            node.word("top", rng.chance(60)).word("bottom", rng.chance(60))
        }
    };
    Node::new("Shape").node("appearance", appearance(false, made, rng)).node("geometry", geometry)
}

/// A scene of VRML 1.0.
pub(super) fn vrml1(options: Options, rng: &mut Rng) -> Node {
    let mut made = Made::new(true, options);
    let textured = rng.chance(50);
    let mut children = Vec::new();
    for _ in 0..rng.between(1, 3) {
        let separator = separator(0, textured, &mut made, rng);
        children.push(separator);
    }
    let root =
        Node::new(rng.pick(&["Separator", "Group"])).with("children", Value::Nodes(children));
    Node::new("Scene").with("children", Value::Nodes(vec![root]))
}

fn separator(depth: usize, textured: bool, made: &mut Made, rng: &mut Rng) -> Node {
    let group = |kind: &'static str, children: Vec<Node>| {
        Node::new(kind).with("children", Value::Nodes(children))
    };
    let mut children = Vec::new();
    if rng.chance(50) {
        children.push(Node::new("Material").vectors(
            "diffuseColor",
            3,
            vec![0.7, 0.6, 0.5],
            Change::Constant,
        ));
    }
    if rng.chance(40) {
        let hints = Node::new("ShapeHints").word("vertexOrdering", "COUNTERCLOCKWISE");
        children.push(hints.vector("creaseAngle", &[rng.pick(&[0.0, 0.5, 4.0])], Change::Constant));
    }
    let moves = vrml1_moves(made, rng);
    match rng.below(6) {
        // A group leaves its state to what follows.
        0 => children.push(group("Group", moves)),
        1 => {
            let file = group("Scene", vec![group("Group", moves)]);
            children.push(
                Node::new("WWWInline")
                    .with("name", Value::File(Box::new(file)))
                    .word("separate", "FALSE"),
            );
        }
        2 => children.push(
            Node::new("Switch").word("whichChild", "-3").with("children", Value::Nodes(moves)),
        ),
        _ => children.extend(moves),
    }
    children.extend(vrml1_shapes(textured, made, rng));
    match rng.below(8) {
        0 | 1 if depth < 2 => children.push(separator(depth + 1, textured, made, rng)),
        2 => {
            // The matrix is as before afterwards, the coordinates are not.
            let mut inside = vrml1_moves(made, rng);
            inside.extend(vrml1_shapes(textured, made, rng));
            children.push(group("TransformSeparator", inside));
            children.push(
                Node::new("IndexedFaceSet").with("coordIndex", Value::Integers(vec![0, 1, 2, -1])),
            );
        }
        3 => {
            // Defined where it is not drawn, drawn where it is used.
            let (hidden, again) = separator(2, textured, made, rng).defined(made.name("Part"));
            children.push(group("Switch", vec![hidden]));
            children.push(again.clone());
            children.push(Node::new("Translation").vector(
                "translation",
                &place(2.0, rng),
                Change::By(1.0),
            ));
            children.push(again);
        }
        4 if depth < 2 => {
            let file = group(
                "Scene",
                vec![separator(2, textured, &mut Made::new(true, made.options), rng)],
            );
            children.push(Node::new("WWWInline").with("name", Value::File(Box::new(file))));
        }
        _ => {}
    }
    group("Separator", children)
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
            1 => {
                let value = Value::Rotation { turn: turn(300.0, rng), varies: rng.chance(60) };
                Node::new("Rotation").with("rotation", value)
            }
            2 => {
                let change = varies(Change::Factor, rng);
                Node::new("Scale").vector("scaleFactor", &factors(rng), change)
            }
            3 | 4 => {
                let change = varies(Change::By(1.0), rng);
                let mut node =
                    Node::new("Transform").vector("translation", &place(2.0, rng), change);
                if rng.chance(60) {
                    let value = Value::Rotation { turn: turn(300.0, rng), varies: rng.chance(50) };
                    node = node.with("rotation", value);
                }
                if rng.chance(50) {
                    let value = Value::Rotation { turn: turn(100.0, rng), varies: rng.chance(30) };
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
        [translation(place(2.0, rng)), rotation(turn(180.0, rng)), scaling(factors(rng))];
    let mut matrix = mul(&factors[0], &mul(&factors[1], &factors[2]));
    if rng.chance(30) {
        // A shear.
        matrix[1][0] += 0.3;
    }
    Node::new("MatrixTransform").vector("matrix", matrix.as_flattened(), change)
}

/// Coordinates and what is drawn with them.
fn vrml1_shapes(textured: bool, made: &Made, rng: &mut Rng) -> Vec<Node> {
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
    // Two face sets of the same coordinates.
    let (first, second) = polygons.split_at(if rng.chance(30) { polygons.len() / 2 } else { 0 });
    for part in [first, second] {
        if part.is_empty() {
            continue;
        }
        let mut node = Node::new("IndexedFaceSet").with("coordIndex", ended(part));
        if textured && rng.chance(50) {
            let numbers: Vec<Vec<i64>> = part
                .iter()
                .map(|polygon| polygon.iter().map(|_| rng.below(count) as i64).collect())
                .collect();
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
            nodes.push(Node::new("Cube").vector("width", &[0.7], Change::Factor).vector(
                "depth",
                &[1.3],
                Change::Constant,
            ))
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

/// The scene with a change that makes it another structure.
pub(super) fn altered(scene: &Node, rng: &mut Rng) -> Node {
    let mut altered = scene.clone();
    let is_faces = |node: &Node| node.kind == "IndexedFaceSet" && !node.used;
    let is_points = |node: &Node| matches!(node.kind, "Coordinate" | "Coordinate3") && !node.used;
    let way = rng.below(4);
    match (way, altered.find(&is_faces).is_some()) {
        (0, true) => {
            // The first polygon once more, in all lists.
            let faces = altered.find(&is_faces).unwrap();
            for list in ["coordIndex", "texCoordIndex", "textureCoordIndex"] {
                if let Some(numbers) = faces.integers(list) {
                    let end = numbers.iter().position(|&number| number < 0).unwrap();
                    numbers.extend_from_within(..=end);
                }
            }
        }
        (1, true) => altered.find(&is_faces).unwrap().def = Some("Renamed".to_owned()),
        (2, true) => {
            // One point more.
            if let Some((_, Value::Numbers { values, .. })) =
                altered.find(&is_points).unwrap().fields.first_mut()
            {
                values.extend([0.1, 0.2, 0.3]);
            }
        }
        _ => add_node(&mut altered, rng),
    }
    altered
}

/// Adds a mesh to the root, or in VRML 1.0 to the first Separator.
fn add_node(scene: &mut Node, rng: &mut Rng) {
    // Names that are not there yet.
    let made = &mut Made { names: 1000, ..Made::new(true, Options::default()) };
    let vrml1 = scene.find(&|node| node.kind == "Separator").is_some();
    let (holder, more) = if vrml1 {
        // In a Separator of its own, so that it leaves nothing behind.
        let more =
            Node::new("Separator").with("children", Value::Nodes(vrml1_shapes(true, made, rng)));
        (scene.find(&|node| node.kind == "Separator"), more)
    } else {
        (Some(scene), x3d_mesh(made, rng))
    };
    let children =
        holder.and_then(|node| node.fields.iter_mut().find(|(name, _)| *name == "children"));
    match children {
        Some((_, Value::Nodes(children))) => children.push(more),
        _ => panic!("a root without children"),
    }
}
