//! The visible geometry of a node tree, in world space.

use super::drawn::{Drawn, Faces, Primitive, Solid, counted, lists, unsigned};
use super::nodes::{CONTENT, Node};
use crate::math::{IDENTITY, Mat4, inverse, mul, rotation, scaling, translation};

pub(super) fn draw(scene: &Node) -> Drawn {
    let mut drawn = Drawn::default();
    visit(scene, &mut State::new(IDENTITY), &mut drawn);
    drawn
}

/// State that nodes of VRML 1.0 pass on to later nodes.
#[derive(Clone)]
struct State {
    world: Mat4,
    coordinates: Vec<[f64; 3]>,
    /// The texture coordinates; empty until set.
    texcoords: Vec<[f64; 2]>,
}

impl State {
    fn new(world: Mat4) -> Self {
        Self { world, coordinates: vec![[0.0; 3]], texcoords: Vec::new() }
    }
}

fn visit(node: &Node, state: &mut State, drawn: &mut Drawn) {
    if node.vrml1 { visit_vrml1(node, state, drawn) } else { visit_x3d(node, state.world, drawn) }
}

fn visit_x3d(node: &Node, world: Mat4, drawn: &mut Drawn) {
    // A VRML 1.0 scene in an Inline starts with fresh state, except for the transform.
    let visit_all = |nodes: &[Node], world: Mat4, drawn: &mut Drawn| {
        nodes.iter().for_each(|node| visit(node, &mut State::new(world), drawn))
    };
    if !node.flag("visible", true) {
        return;
    }
    let children = node.nodes("children");
    match &*node.kind {
        "Scene" | "Group" | "Collision" => visit_all(children, world, drawn),
        "Transform" => visit_all(children, mul(&world, &transform(node, "scale")), drawn),
        "Switch" => visit_all(choice(children, node.integers("whichChoice")[0]), world, drawn),
        "Inline" => visit_all(node.nodes(CONTENT), world, drawn),
        "Shape" => {
            node.nodes("geometry").iter().for_each(|geometry| draw_geometry(geometry, world, drawn))
        }
        _ => {}
    }
}

/// Returns the child with this index, if any.
fn choice(children: &[Node], which: i64) -> &[Node] {
    let child = usize::try_from(which).ok().and_then(|which| children.get(which));
    child.map_or(&[], std::slice::from_ref)
}

/// Returns the matrix for translation, centre, rotation and scale along rotated axes: T · C · R ·
/// SR · S · −SR · −C (ISO/IEC 19775-1, 10.4.4).
fn transform(node: &Node, scale: &str) -> Mat4 {
    let (centre, orientation) =
        (node.vector("center"), rotation(node.rotation("scaleOrientation")));
    let factors = [
        translation(node.vector("translation")),
        translation(centre),
        rotation(node.rotation("rotation")),
        orientation,
        scaling(node.vector(scale)),
        inverse(&orientation),
        translation(centre.map(|x| -x)),
    ];
    factors.iter().fold(IDENTITY, |product, factor| mul(&product, factor))
}

fn draw_geometry(geometry: &Node, world: Mat4, drawn: &mut Drawn) {
    let points_of = |field: &str| geometry.nodes(field).first();
    let coordinates = points_of("coord").map(|node| node.vectors("point")).unwrap_or_default();
    let texcoords = points_of("texCoord").map(|node| node.vectors("point")).unwrap_or_default();
    let mut faces = Faces { world, coordinates: &coordinates, texcoords: &texcoords, drawn };
    // Without an index list, each point is used once.
    let all: Vec<usize> = (0..coordinates.len()).collect();
    let integers = |field: &str| geometry.integers(field);
    match &*geometry.kind {
        "IndexedFaceSet" => faces.add_indexed(integers("coordIndex"), integers("texCoordIndex")),
        "IndexedTriangleSet" => faces.add_triangles(&unsigned(integers("index"))),
        "TriangleSet" => faces.add_triangles(&all),
        "IndexedTriangleFanSet" => faces.each(lists(integers("index")), Faces::add_fan),
        "IndexedTriangleStripSet" => faces.each(lists(integers("index")), Faces::add_strip),
        "TriangleFanSet" => faces.each(counted(&all, integers("fanCount")), Faces::add_fan),
        "TriangleStripSet" => faces.each(counted(&all, integers("stripCount")), Faces::add_strip),
        "IndexedLineSet" => faces.each(lists(integers("coordIndex")), Faces::add_line),
        "LineSet" => faces.each(counted(&all, integers("vertexCount")), Faces::add_line),
        "PointSet" => all.iter().for_each(|&point| faces.add_point(point)),
        kind => {
            let solid = solid(geometry, &|part| geometry.flag(part, true))
                .unwrap_or_else(|| panic!("{kind} is not supported"));
            drawn.primitives.push(Primitive { solid, world });
        }
    }
}

/// Returns the solid of a node, if any. `shows` returns whether its side, top or bottom is visible.
fn solid(node: &Node, shows: &dyn Fn(&str) -> bool) -> Option<Solid> {
    let number = |field: &str| node.number(field);
    Some(match &*node.kind {
        "Box" => Solid::Box { size: node.vector("size") },
        "Cube" => Solid::Box { size: ["width", "height", "depth"].map(number) },
        "Sphere" => Solid::Sphere { radius: number("radius") },
        "Cone" => Solid::Cone {
            bottom_radius: number("bottomRadius"),
            height: number("height"),
            side: shows("side"),
            bottom: shows("bottom"),
        },
        "Cylinder" => Solid::Cylinder {
            radius: number("radius"),
            height: number("height"),
            side: shows("side"),
            top: shows("top"),
            bottom: shows("bottom"),
        },
        _ => return None,
    })
}

/// Visits a VRML 1.0 node, which depends on the state set by earlier nodes, up to the end of the
/// Separator.
fn visit_vrml1(node: &Node, state: &mut State, drawn: &mut Drawn) {
    let visit_all = |nodes: &[Node], state: &mut State, drawn: &mut Drawn| {
        nodes.iter().for_each(|node| visit(node, state, drawn))
    };
    let place = |state: &mut State, matrix: Mat4| state.world = mul(&state.world, &matrix);
    let children = node.nodes("children");
    match &*node.kind {
        "Scene" | "Group" => visit_all(children, state, drawn),
        "Separator" => visit_all(children, &mut state.clone(), drawn),
        "TransformSeparator" => {
            let world = state.world;
            visit_all(children, state, drawn);
            state.world = world;
        }
        "Switch" if node.integers("whichChild")[0] == -3 => visit_all(children, state, drawn),
        "Switch" => visit_all(choice(children, node.integers("whichChild")[0]), state, drawn),
        // The node acts like a Separator, unless the engine's `separate` field disables this.
        "WWWInline" if node.flag("separate", true) => {
            visit_all(node.nodes(CONTENT), &mut state.clone(), drawn)
        }
        "WWWInline" => visit_all(node.nodes(CONTENT), state, drawn),
        "Translation" => place(state, translation(node.vector("translation"))),
        "Rotation" => place(state, rotation(node.rotation("rotation"))),
        "Scale" => place(state, scaling(node.vector("scaleFactor"))),
        "Transform" => place(state, transform(node, "scaleFactor")),
        // The matrix is stored for row vectors, so its rows are columns for column vectors.
        "MatrixTransform" => {
            place(state, std::array::from_fn(|column| node.vectors("matrix")[column]))
        }
        "Coordinate3" => state.coordinates = node.vectors("point"),
        "TextureCoordinate2" => state.texcoords = node.vectors("point"),
        _ => draw_vrml1(node, state, drawn),
    }
}

fn draw_vrml1(node: &Node, state: &State, drawn: &mut Drawn) {
    let world = state.world;
    // A word in the list starts with the name of the part, such as `SIDES`.
    let shows = |part: &str| {
        let mut words = node.texts("parts")[0].split('|');
        words.any(|word| word == "ALL" || word.starts_with(&part.to_uppercase()))
    };
    if let Some(solid) = solid(node, &shows) {
        return drawn.primitives.push(Primitive { solid, world });
    }
    let State { coordinates, texcoords, .. } = state;
    let mut faces = Faces { world, coordinates, texcoords, drawn };
    match &*node.kind {
        "IndexedFaceSet" => {
            // The default, a single negative number, does not count as a list.
            let texcoords =
                Some(node.integers("textureCoordIndex")).filter(|numbers| numbers[..] != [-1]);
            faces.add_indexed(node.integers("coordIndex"), texcoords.unwrap_or_default());
        }
        "IndexedLineSet" => faces.each(lists(node.integers("coordIndex")), Faces::add_line),
        "PointSet" => {
            let start = usize::try_from(node.integers("startIndex")[0]).unwrap();
            let end = usize::try_from(node.integers("numPoints")[0])
                .map_or(coordinates.len(), |count| start + count);
            (start..end).for_each(|point| faces.add_point(point));
        }
        _ => {}
    }
}
