//! Random X3D and VRML 97 scenes.

use super::{
    Change, Made, Mesh, Node, Options, Rng, Value, change_of_points, ended, factors, mesh, place,
};

/// Generates a scene in X3D, or in the common subset of X3D and VRML 97.
pub(crate) fn x3d(vrml97: bool, options: Options, rng: &mut Rng) -> Node {
    let mut made = Made::new(vrml97, options);
    let mut children = Vec::new();
    if rng.chance(40) {
        let kinds = Value::Texts(vec!["EXAMINE".to_owned(), "ANY".to_owned()]);
        children.push(
            Node::new("NavigationInfo").word("headlight", rng.chance(50)).with("type", kinds),
        );
    }
    if rng.chance(30) {
        let sky = vec![0.1, 0.2, 0.4];
        children.push(Node::new("Background").vectors("skyColor", 3, sky, Change::Constant));
    }
    for _ in 0..rng.between(1, 3) {
        let branch = transform(0, &mut made, rng);
        children.push(branch);
    }
    // Add a mesh that is always visible, since a Switch may hide all others.
    children.push(x3d_mesh(&mut made, rng));
    if rng.chance(40) {
        let seen = Node::new("Viewpoint").vector("position", &place(5.0, rng), Change::By(1.0));
        let lit = Node::new("PointLight")
            .vector("location", &place(5.0, rng), Change::By(1.0))
            .fixed("intensity", &[0.8]);
        children.push(Node::group("Transform", vec![seen, lit]));
    }
    Node::group("Scene", children)
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
        node = node.rotation("rotation", 300.0, 60, rng);
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
        node = node.rotation("scaleOrientation", 120.0, 40, rng);
    }
    let children = (0..rng.pick(&[1, 1, 2])).map(|_| child(depth + 1, made, rng)).collect();
    node.with("children", Value::Nodes(children))
}

fn child(depth: usize, made: &mut Made, rng: &mut Rng) -> Node {
    match rng.below(20) {
        0..5 if depth < 3 => transform(depth, made, rng),
        5 | 6 => Node::group("Group", vec![shape(made, rng), shape(made, rng)]),
        7 => {
            let which = rng.pick(&["0", "1", "-1"]);
            let children = vec![shape(made, rng), shape(made, rng)];
            Node::group("Switch", children).word("whichChoice", which)
        }
        8 => {
            // The collision proxy is not drawn.
            let children = vec![shape(made, rng)];
            let proxy = x3d_mesh(made, rng);
            Node::group("Collision", children).word("enabled", rng.chance(50)).node("proxy", proxy)
        }
        9 if depth < 3 => {
            // Names are local to a file.
            let mut inside = Made::new(made.vrml97, made.options);
            let file = Node::group("Scene", vec![transform(2, &mut inside, rng)]);
            Node::new("Inline").with("url", Value::File(Box::new(file)))
        }
        10..14 if !made.shapes.is_empty() => rng.pick(&made.shapes),
        _ => shape(made, rng),
    }
}

/// Returns a shape that may be reused.
fn shape(made: &mut Made, rng: &mut Rng) -> Node {
    let shape = match rng.below(10) {
        0 => x3d_lines(made, rng),
        1 => x3d_points(made, rng),
        2 | 3 if made.options.primitives => x3d_solid(made, rng),
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
        let material = Node::new("Material").vector("diffuseColor", &color, change);
        let material = material.fixed("transparency", &[0.0]);
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

pub(crate) fn x3d_mesh(made: &mut Made, rng: &mut Rng) -> Node {
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
            let node = Node::new("IndexedTriangleSet").with("index", Value::Integers(triangles));
            if textured { node.node("texCoord", texcoords(count, rng)) } else { node }
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
                node = node.fixed("creaseAngle", &[rng.pick(&[0.0, 0.5, 2.0, 4.0])]);
            }
            if textured && of_corners {
                let mut next = 0..;
                let own = |polygon: &Vec<i64>| next.by_ref().take(polygon.len()).collect();
                let numbers: Vec<Vec<i64>> = polygons.iter().map(own).collect();
                let corners = numbers.iter().map(Vec::len).sum();
                node = node
                    .with("texCoordIndex", ended(&numbers))
                    .node("texCoord", texcoords(corners, rng));
            } else if textured {
                node = node.node("texCoord", texcoords(count, rng));
            }
            if rng.chance(10) {
                let colors = (0..3 * count).map(|_| rng.range(0.0, 1.0)).collect();
                let color = Node::new("Color").vectors("color", 3, colors, Change::Constant);
                node = node.node("color", color);
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
            let node = Node::new("Cone").vector("bottomRadius", &[a], change);
            node.vector("height", &[b], change).word("bottom", rng.chance(60))
        }
        _ => {
            let node = Node::new("Cylinder").vector("radius", &[a], change);
            let node = node.vector("height", &[b], change).word("top", rng.chance(60));
            node.word("bottom", rng.chance(60))
        }
    };
    Node::new("Shape").node("appearance", appearance(false, made, rng)).node("geometry", geometry)
}
