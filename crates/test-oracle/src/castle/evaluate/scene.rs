//! What a tree of nodes draws, in world space.

use super::drawn::{Drawn, Primitive, Solid};
use super::faces::{Faces, counted, lists, unsigned};
use super::nodes::{CONTENT, Node};
use crate::math::{IDENTITY, Mat4, inverse, mul, rotation, scaling, translation};

/// Evaluates a scene.
pub(super) fn draw(scene: &Node) -> Drawn {
    let mut drawn = Drawn::default();
    visit(scene, &mut State::new(IDENTITY), &mut drawn);
    drawn
}

/// What nodes of VRML 1.0 leave to those after them.
#[derive(Clone)]
struct State {
    world: Mat4,
    coordinates: Vec<[f64; 3]>,
    /// Empty until there are any.
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
    // A scene of VRML 1.0 in an Inline starts afresh, but for the place.
    let visit_all = |nodes: &[Node], world: Mat4, drawn: &mut Drawn| {
        nodes.iter().for_each(|node| visit(node, &mut State::new(world), drawn))
    };
    if !node.flag("visible", true) {
        return;
    }
    let children = node.nodes("children");
    match &*node.kind {
        "Scene" | "Group" | "StaticGroup" | "Anchor" | "Billboard" | "Collision" => {
            visit_all(children, world, drawn)
        }
        "Transform" => visit_all(children, mul(&world, &transform(node, "scale")), drawn),
        "Switch" => visit_all(choice(children, node.integers("whichChoice")[0]), world, drawn),
        "LOD" => visit_all(choice(children, 0), world, drawn),
        "Inline" => visit_all(node.nodes(CONTENT), world, drawn),
        "Shape" => {
            node.nodes("geometry").iter().for_each(|geometry| draw_geometry(geometry, world, drawn))
        }
        _ => {}
    }
}

/// The child of a number, or none.
fn choice(children: &[Node], which: i64) -> &[Node] {
    let child = usize::try_from(which).ok().and_then(|which| children.get(which));
    child.map_or(&[], std::slice::from_ref)
}

/// Translation, centre, rotation, scale along turned axes: T · C · R · SR · S · −SR · −C (ISO/IEC
/// 19775-1, 10.4.4).
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
    // A colour or a texture coordinate generator in these fields is not asked for.
    let first = |field: &str, kinds: &[&str]| {
        geometry.nodes(field).iter().find(|node| kinds.contains(&&*node.kind))
    };
    let coordinates = first("coord", &["Coordinate", "CoordinateDouble"])
        .map(|node| node.vectors("point"))
        .unwrap_or_default();
    let texcoords = first("texCoord", &["TextureCoordinate"])
        .map(|node| node.vectors("point"))
        .unwrap_or_default();
    let mut faces = Faces { world, coordinates: &coordinates, texcoords: &texcoords, drawn };
    // Without an index every point is used once.
    let all: Vec<usize> = (0..coordinates.len()).collect();
    match &*geometry.kind {
        "IndexedFaceSet" => {
            faces.add_indexed(geometry.integers("coordIndex"), geometry.integers("texCoordIndex"))
        }
        "IndexedTriangleSet" => faces.add_groups(&unsigned(geometry.integers("index")), 3),
        "IndexedQuadSet" => faces.add_groups(&unsigned(geometry.integers("index")), 4),
        "TriangleSet" => faces.add_groups(&all, 3),
        "QuadSet" => faces.add_groups(&all, 4),
        "IndexedTriangleFanSet" => {
            lists(geometry.integers("index")).iter().for_each(|fan| faces.add_fan(fan))
        }
        "IndexedTriangleStripSet" => {
            lists(geometry.integers("index")).iter().for_each(|strip| faces.add_strip(strip))
        }
        "TriangleFanSet" => {
            counted(&all, geometry.integers("fanCount")).iter().for_each(|fan| faces.add_fan(fan))
        }
        "TriangleStripSet" => counted(&all, geometry.integers("stripCount"))
            .iter()
            .for_each(|strip| faces.add_strip(strip)),
        "IndexedLineSet" => {
            lists(geometry.integers("coordIndex")).iter().for_each(|line| faces.add_line(line))
        }
        "LineSet" => counted(&all, geometry.integers("vertexCount"))
            .iter()
            .for_each(|line| faces.add_line(line)),
        "PointSet" => all.iter().for_each(|&point| faces.add_point(point)),
        "ElevationGrid" => draw_elevation_grid(geometry, world, drawn),
        "Box" => drawn
            .primitives
            .push(Primitive { solid: Solid::Box { size: geometry.vector("size") }, world }),
        "Sphere" => drawn
            .primitives
            .push(Primitive { solid: Solid::Sphere { radius: geometry.number("radius") }, world }),
        "Cone" => {
            let (bottom_radius, height) =
                (geometry.number("bottomRadius"), geometry.number("height"));
            let solid = Solid::Cone {
                bottom_radius,
                height,
                side: geometry.flag("side", true),
                bottom: geometry.flag("bottom", true),
            };
            drawn.primitives.push(Primitive { solid, world });
        }
        "Cylinder" => {
            let (radius, height) = (geometry.number("radius"), geometry.number("height"));
            let [side, top, bottom] =
                ["side", "top", "bottom"].map(|part| geometry.flag(part, true));
            drawn.primitives.push(Primitive {
                solid: Solid::Cylinder { radius, height, side, top, bottom },
                world,
            });
        }
        "Text" => {}
        other => panic!("no evaluation of {other}"),
    }
}

/// Points along x first, then along z; a quadrilateral between four neighbours.
fn draw_elevation_grid(grid: &Node, world: Mat4, drawn: &mut Drawn) {
    let [columns, rows] =
        ["xDimension", "zDimension"].map(|name| usize::try_from(grid.integers(name)[0]).unwrap());
    let (heights, dx, dz) =
        (grid.numbers("height"), grid.number("xSpacing"), grid.number("zSpacing"));
    let point = |i: usize| [dx * (i % columns) as f64, heights[i], dz * (i / columns) as f64];
    let coordinates: Vec<_> = (0..rows * columns).map(point).collect();
    let mut faces = Faces { world, coordinates: &coordinates, texcoords: &[], drawn };
    for row in 1..rows {
        for column in 1..columns {
            let last = row * columns + column;
            faces.add_face(
                &[last - columns - 1, last - 1, last, last - columns].map(|point| (point, None)),
            );
        }
    }
}

/// Nodes of VRML 1.0 go by what the nodes before them left, unless a Separator stands between.
fn visit_vrml1(node: &Node, state: &mut State, drawn: &mut Drawn) {
    let visit_all = |nodes: &[Node], state: &mut State, drawn: &mut Drawn| {
        nodes.iter().for_each(|node| visit(node, state, drawn))
    };
    let place = |state: &mut State, matrix: Mat4| state.world = mul(&state.world, &matrix);
    let children = node.nodes("children");
    match &*node.kind {
        "Scene" | "Group" => visit_all(children, state, drawn),
        "Separator" | "WWWAnchor" => visit_all(children, &mut state.clone(), drawn),
        "TransformSeparator" => {
            let world = state.world;
            visit_all(children, state, drawn);
            state.world = world;
        }
        "Switch" if node.integers("whichChild")[0] == -3 => visit_all(children, state, drawn),
        "Switch" => visit_all(choice(children, node.integers("whichChild")[0]), state, drawn),
        "LOD" => visit_all(choice(children, 0), state, drawn),
        // As a Separator, unless the engine's own field says otherwise.
        "WWWInline" if node.flag("separate", true) => {
            visit_all(node.nodes(CONTENT), &mut state.clone(), drawn)
        }
        "WWWInline" => visit_all(node.nodes(CONTENT), state, drawn),
        "Translation" => place(state, translation(node.vector("translation"))),
        "Rotation" => place(state, rotation(node.rotation("rotation"))),
        "Scale" => place(state, scaling(node.vector("scaleFactor"))),
        "Transform" => place(state, transform(node, "scaleFactor")),
        // Rows for row vectors, which are columns for column vectors.
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
    let parts =
        |part: &str| node.texts("parts")[0].split('|').any(|text| text == part || text == "ALL");
    let solid = match &*node.kind {
        "Cube" => Solid::Box { size: ["width", "height", "depth"].map(|side| node.number(side)) },
        "Sphere" => Solid::Sphere { radius: node.number("radius") },
        "Cone" => {
            let (bottom_radius, height) = (node.number("bottomRadius"), node.number("height"));
            Solid::Cone { bottom_radius, height, side: parts("SIDES"), bottom: parts("BOTTOM") }
        }
        "Cylinder" => {
            let (radius, height) = (node.number("radius"), node.number("height"));
            Solid::Cylinder {
                radius,
                height,
                side: parts("SIDES"),
                top: parts("TOP"),
                bottom: parts("BOTTOM"),
            }
        }
        _ => {
            let mut faces = Faces {
                world,
                coordinates: &state.coordinates,
                texcoords: &state.texcoords,
                drawn,
            };
            match &*node.kind {
                "IndexedFaceSet" => {
                    // The default, one negative number, is no list.
                    let texcoords = Some(node.integers("textureCoordIndex"))
                        .filter(|numbers| numbers[..] != [-1]);
                    faces.add_indexed(node.integers("coordIndex"), texcoords.unwrap_or_default());
                }
                "IndexedLineSet" => {
                    lists(node.integers("coordIndex")).iter().for_each(|line| faces.add_line(line))
                }
                "PointSet" => {
                    let start = usize::try_from(node.integers("startIndex")[0]).unwrap();
                    let end = usize::try_from(node.integers("numPoints")[0])
                        .map_or(state.coordinates.len(), |count| start + count);
                    (start..end).for_each(|point| faces.add_point(point));
                }
                _ => {}
            }
            return;
        }
    };
    drawn.primitives.push(Primitive { solid, world });
}
