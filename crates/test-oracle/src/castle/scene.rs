//! What a tree of nodes draws, in world space.

use super::nodes::{CONTENT, Node};
use crate::math::{IDENTITY, Mat4, inverse, mul, rotation, scaling, transform_point, translation};

/// A corner of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// In world space.
    pub place: [f64; 3],
    /// As the file has it (v up), where it has any.
    pub texcoord: Option<[f64; 2]>,
}

/// Everything that is drawn.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// Polygons as listed, with three corners or more.
    pub faces: Vec<Vec<Corner>>,
    /// The two ends of every line.
    pub lines: Vec<[[f64; 3]; 2]>,
    /// Single points.
    pub points: Vec<[f64; 3]>,
    /// Solids with an analytic surface.
    pub primitives: Vec<Primitive>,
}

impl Drawn {
    /// All places, and for solids the corners of the boxes around them.
    pub(super) fn all_points(&self) -> Vec<[f64; 3]> {
        let mut points: Vec<_> = self.faces.iter().flatten().map(|corner| corner.place).collect();
        points.extend(self.lines.as_flattened());
        points.extend(&self.points);
        points.extend(self.primitives.iter().flat_map(Primitive::box_corners));
        points
    }
}

/// A solid somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// Which one.
    pub solid: Solid,
    /// From its own space to the world.
    pub world: Mat4,
}

/// A solid with its centre at the origin and its axis along y.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub enum Solid {
    Box { size: [f64; 3] },
    Sphere { radius: f64 },
    Cone { bottom_radius: f64, height: f64, side: bool, bottom: bool },
    Cylinder { radius: f64, height: f64, side: bool, top: bool, bottom: bool },
}

impl Primitive {
    /// A point of the world in the solid's own space. Panics where the solid is flat.
    pub fn to_local(&self, place: [f64; 3]) -> [f64; 3] {
        transform_point(&inverse(&self.world), place)
    }

    /// How far a point of the world is from the surface, in the units of the solid's own space.
    pub fn distance_from_surface(&self, place: [f64; 3]) -> f64 {
        let [x, y, z] = self.to_local(place);
        let from_axis = x.hypot(z);
        // From a disc across the axis, and (as from / to) from a line in the plane of axis and
        // point.
        let disc = |at: f64, radius: f64| (y - at).hypot((from_axis - radius).max(0.0));
        let line = |from: [f64; 2], to: [f64; 2]| {
            let (along, way) =
                ([to[0] - from[0], to[1] - from[1]], [from_axis - from[0], y - from[1]]);
            let part = ((way[0] * along[0] + way[1] * along[1]) / along[0].hypot(along[1]).powi(2))
                .clamp(0.0, 1.0);
            (way[0] - along[0] * part).hypot(way[1] - along[1] * part)
        };
        let nearest = |parts: &[(bool, f64)]| {
            parts.iter().filter(|part| part.0).map(|part| part.1).fold(f64::INFINITY, f64::min)
        };
        match self.solid {
            Solid::Box { size } => {
                let beyond: [f64; 3] = std::array::from_fn(|i| [x, y, z][i].abs() - size[i] / 2.0);
                let outside = beyond.iter().map(|d| d.max(0.0).powi(2)).sum::<f64>().sqrt();
                let inside = beyond.iter().copied().fold(f64::NEG_INFINITY, f64::max).min(0.0);
                outside - inside
            }
            Solid::Sphere { radius } => (from_axis.hypot(y) - radius).abs(),
            Solid::Cone { bottom_radius, height, side, bottom } => {
                let half = height / 2.0;
                nearest(&[
                    (side, line([bottom_radius, -half], [0.0, half])),
                    (bottom, disc(-half, bottom_radius)),
                ])
            }
            Solid::Cylinder { radius, height, side, top, bottom } => {
                let half = height / 2.0;
                nearest(&[
                    (side, line([radius, -half], [radius, half])),
                    (top, disc(half, radius)),
                    (bottom, disc(-half, radius)),
                ])
            }
        }
    }

    /// The solid's extent along its own axes, from its centre.
    pub fn half_size(&self) -> [f64; 3] {
        match self.solid {
            Solid::Box { size } => size.map(|side| side / 2.0),
            Solid::Sphere { radius } => [radius; 3],
            Solid::Cone { bottom_radius: radius, height, .. }
            | Solid::Cylinder { radius, height, .. } => [radius, height / 2.0, radius],
        }
    }

    /// The corners of the box around the solid along its own axes, in world space.
    pub fn box_corners(&self) -> Vec<[f64; 3]> {
        let sign = |corner: usize, axis: usize| if corner >> axis & 1 == 0 { -1.0 } else { 1.0 };
        let half = self.half_size();
        let local =
            (0..8).map(|corner| std::array::from_fn(|axis| half[axis] * sign(corner, axis)));
        local.map(|corner| transform_point(&self.world, corner)).collect()
    }
}

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

struct Faces<'a> {
    world: Mat4,
    coordinates: &'a [[f64; 3]],
    texcoords: &'a [[f64; 2]],
    drawn: &'a mut Drawn,
}

impl Faces<'_> {
    fn place(&self, point: usize) -> [f64; 3] {
        transform_point(&self.world, self.coordinates[point])
    }

    /// Adds a polygon of points and texture coordinates; what has no three corners is none.
    fn add_face(&mut self, corners: &[(usize, Option<usize>)]) {
        if corners.len() >= 3 {
            let corner = |&(point, texcoord): &(usize, Option<usize>)| Corner {
                place: self.place(point),
                texcoord: texcoord.map(|i| self.texcoords[i]),
            };
            self.drawn.faces.push(corners.iter().map(corner).collect());
        }
    }

    /// Adds a polygon whose texture coordinates have the same numbers as its points.
    fn add_plain(&mut self, points: &[usize]) {
        let textured = !self.texcoords.is_empty();
        self.add_face(
            &points.iter().map(|&point| (point, textured.then_some(point))).collect::<Vec<_>>(),
        );
    }

    /// Adds polygons that end with a negative number; an empty list of texture coordinates is the
    /// list of the points.
    fn add_indexed(&mut self, points: &[i64], texcoords: &[i64]) {
        let polygons = lists(points);
        if self.texcoords.is_empty() || texcoords.is_empty() {
            return polygons.iter().for_each(|polygon| self.add_plain(polygon));
        }
        let numbers = lists(texcoords);
        assert_eq!(polygons.len(), numbers.len(), "polygons with and without texture coordinates");
        for (polygon, numbers) in polygons.iter().zip(&numbers) {
            assert_eq!(
                polygon.len(),
                numbers.len(),
                "corners with and without texture coordinates"
            );
            self.add_face(
                &polygon
                    .iter()
                    .zip(numbers)
                    .map(|(&point, &texcoord)| (point, Some(texcoord)))
                    .collect::<Vec<_>>(),
            );
        }
    }

    fn add_groups(&mut self, points: &[usize], size: usize) {
        points.chunks_exact(size).for_each(|group| self.add_plain(group));
    }

    fn add_fan(&mut self, points: &[usize]) {
        (2..points.len()).for_each(|i| self.add_plain(&[points[0], points[i - 1], points[i]]));
    }

    /// Every other triangle of a strip goes the other way round.
    fn add_strip(&mut self, points: &[usize]) {
        for (i, triangle) in points.windows(3).enumerate() {
            let [a, b, c] = [triangle[0], triangle[1], triangle[2]];
            self.add_plain(&if i.is_multiple_of(2) { [a, b, c] } else { [b, a, c] });
        }
    }

    fn add_line(&mut self, points: &[usize]) {
        for ends in points.windows(2) {
            self.drawn.lines.push([self.place(ends[0]), self.place(ends[1])]);
        }
    }

    fn add_point(&mut self, point: usize) {
        self.drawn.points.push(self.place(point));
    }
}

fn unsigned(numbers: &[i64]) -> Vec<usize> {
    numbers.iter().map(|&number| usize::try_from(number).expect("an index")).collect()
}

/// The lists that end with a negative number, or with the last number.
fn lists(numbers: &[i64]) -> Vec<Vec<usize>> {
    let mut lists: Vec<Vec<usize>> = numbers.split(|&number| number < 0).map(unsigned).collect();
    if numbers.last().is_none_or(|&last| last < 0) {
        lists.pop();
    }
    lists
}

/// So many numbers after one another.
fn counted(numbers: &[usize], counts: &[i64]) -> Vec<Vec<usize>> {
    let mut rest = numbers;
    let mut lists = Vec::new();
    for count in unsigned(counts) {
        let (list, behind) = rest.split_at(count);
        lists.push(list.to_vec());
        rest = behind;
    }
    lists
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_lists_end_with_negative_numbers() {
        assert_eq!(lists(&[0, 1, -1, 2, 3, -1]), [[0, 1], [2, 3]]);
        assert_eq!(lists(&[0, 1, -1, 2, 3]), [[0, 1], [2, 3]]);
        assert!(lists(&[]).is_empty());
        assert_eq!(lists(&[-1, 4, -1]), [vec![], vec![4]]);
    }

    #[test]
    fn distances_from_surfaces() {
        let at = |solid, place| {
            let primitive =
                Primitive { solid, world: mul(&translation([10.0, 0.0, 0.0]), &scaling([2.0; 3])) };
            primitive.distance_from_surface(place)
        };
        let unit_box = Solid::Box { size: [2.0, 4.0, 6.0] };
        assert_eq!(at(unit_box, [12.0, 4.0, 6.0]), 0.0);
        assert_eq!(at(unit_box, [10.0, 0.0, 0.0]), 1.0);
        assert_eq!(at(unit_box, [18.0, 12.0, 0.0]), 5.0);
        let sphere = Solid::Sphere { radius: 1.0 };
        assert_eq!(at(sphere, [10.0, -2.0, 0.0]), 0.0);
        assert_eq!(at(sphere, [10.0, 0.0, 5.0]), 1.5);
        let cone = Solid::Cone { bottom_radius: 1.0, height: 2.0, side: true, bottom: false };
        assert!(at(cone, [10.0, 2.0, 0.0]) < 1e-12);
        assert!(at(cone, [10.0, 0.0, 1.0]) < 1e-12);
        assert!((at(cone, [10.0, -2.0, 0.0]) - 0.8f64.sqrt()).abs() < 1e-12);
        let tube =
            Solid::Cylinder { radius: 1.0, height: 2.0, side: true, top: true, bottom: false };
        assert_eq!(at(tube, [10.0, 2.0, 1.0]), 0.0);
        assert_eq!(at(tube, [12.0, -2.0, 0.0]), 0.0);
        assert_eq!(at(tube, [10.0, -2.0, 0.0]), 1.0);
    }
}
