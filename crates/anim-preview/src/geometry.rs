//! The shapes of a picture: meshes, bones, ground and axes, in camera space.

use anim_ir::number::narrow;
use anim_ir::{
    Bounds, Budget, Deformer, LimitError, Mat4, Mesh, Node, NodeId, Scene, Topology, Vec3, double,
};

use crate::camera::Camera;
use crate::moment::Poses;
use crate::raster::{Attributes, Corner, Drawing};

/// The width of lines, and of the squares that points are drawn as, in pixels.
const LINE: f64 = 1.25;
const POINT: f64 = 3.0;
/// The widths of bones at the joint and at its child, and of joints without children.
const BONE: [f64; 2] = [5.0, 1.5];
const JOINT: f64 = 5.0;
/// The number of squares of the ground from the middle to each side.
const SQUARES: i16 = 10;

/// The mesh of a node in a pose.
pub(crate) struct Posed<'a> {
    pub(crate) mesh: &'a Mesh,
    pub(crate) mesh_index: usize,
    pub(crate) deformer: &'a Deformer,
    /// From the space of the deformed mesh to the scene.
    pub(crate) place: Mat4,
}

/// Deforms the meshes of all visible nodes, one after the other.
///
/// # Errors
///
/// Returns [`LimitError`] if the vertices and joints of all nodes together exceed the budget, and
/// the error of `each`.
pub(crate) fn for_each_mesh(
    scene: &Scene,
    poses: &Poses,
    budget: &Budget,
    mut each: impl FnMut(Posed<'_>) -> Result<(), LimitError>,
) -> Result<(), LimitError> {
    let (mut deformer, mut skinning) = (Deformer::default(), Vec::new());
    for (id, node) in scene.enumerate_nodes() {
        let found = node.mesh.and_then(|mesh| Some((mesh.index(), scene.mesh(mesh)?)));
        let Some((mesh_index, mesh)) = found else { continue };
        if mesh.primitives.is_empty() || !poses.is_visible(node.parent) {
            continue;
        }
        budget.charge_each::<Vec3>("the vertices of instances", mesh.positions.len())?;
        let skin = node.skin.and_then(|skin| scene.skin(skin));
        budget.charge_each::<Mat4>("the skins of instances", skin.map_or(0, |s| s.joints.len()))?;
        let place = deform(scene, poses, (id, node, mesh), &mut deformer, &mut skinning);
        each(Posed { mesh, mesh_index, deformer: &deformer, place })?;
    }
    Ok(())
}

/// Deforms a mesh and returns its matrix.
fn deform(
    scene: &Scene,
    poses: &Poses,
    (id, node, mesh): (NodeId, &Node, &Mesh),
    deformer: &mut Deformer,
    skinning: &mut Vec<Mat4>,
) -> Mat4 {
    skinning.clear();
    let skin = node.skin.and_then(|skin| scene.skin(skin));
    if let Some(skin) = skin
        && let Some(model) = poses.model.get(skin.skeleton.index())
    {
        skin.matrices(model, skinning);
    }
    deformer.deform(mesh, poses.weights_of(id).unwrap_or(&mesh.morph_weights), skinning);
    if skin.is_some() { Mat4::IDENTITY } else { place_of(node, poses) }
}

/// Returns the matrix of a node.
pub(crate) fn place_of(node: &Node, poses: &Poses) -> Mat4 {
    poses.matrix(node.parent) * node.transform.to_matrix()
}

/// The bytes that are charged for the work of projecting a triangle.
const WORK_PER_TRIANGLE: usize = 20;

/// Adds shapes to a drawing.
pub(crate) struct Shapes<'a, 'b> {
    pub(crate) drawing: &'b mut Drawing<'a>,
    pub(crate) camera: &'b Camera,
    pub(crate) budget: &'b Budget,
    pub(crate) work: &'b Budget,
}

impl Shapes<'_, '_> {
    /// Charges the work of projecting triangles.
    fn charge(&self, triangles: usize) -> Result<(), LimitError> {
        self.work.charge_work("the triangles", triangles.saturating_mul(WORK_PER_TRIANGLE))
    }

    /// Adds a mesh. `surfaces` has a surface for each primitive.
    pub(crate) fn add_mesh(
        &mut self,
        posed: &Posed<'_>,
        surfaces: &[usize],
    ) -> Result<(), LimitError> {
        let Posed { mesh, deformer, place, .. } = posed;
        let positions = deformer.positions();
        self.budget.check("the vertices", positions.len().saturating_mul(size_of::<Corner>()))?;
        let turned = place.normal_matrix();
        let normal = |index: usize| {
            let normal = *deformer.normals().get(index)?;
            let normal = turned.map_or(normal, |matrix| matrix.transform_vector(normal));
            Some(double::unit(self.camera.turn(normal.to_f64()))?.map(narrow))
        };
        let corner = |(index, position): (usize, &Vec3)| Corner {
            at: self.camera.to_view(place.transform_point(*position)),
            attributes: Attributes {
                normal: normal(index).unwrap_or_default(),
                texcoord: mesh.texcoords.get(index).copied().unwrap_or_default(),
                color: mesh.colors.get(index).copied().unwrap_or([1.0; 4]),
            },
        };
        let corners: Vec<Corner> = positions.iter().enumerate().map(corner).collect();
        let is_mirrored = place.determinant() < 0.0;
        for (primitive, surface) in mesh.primitives.iter().zip(surfaces) {
            let count = primitive.indices.len() / primitive.topology.corners();
            let most = if primitive.topology == Topology::Triangles { 1 } else { 2 };
            self.charge(count.saturating_mul(most))?;
            let vertex = |index: &u32| corners.get(*index as usize).copied();
            match primitive.topology {
                Topology::Points => {
                    for at in primitive.indices.iter().filter_map(vertex) {
                        self.point(at, POINT, *surface);
                    }
                }
                Topology::Lines => {
                    for [a, b] in primitive.indices.as_chunks().0 {
                        if let (Some(a), Some(b)) = (vertex(a), vertex(b)) {
                            self.line([a, b], [LINE; 2], *surface);
                        }
                    }
                }
                Topology::Triangles => {
                    for [a, b, c] in primitive.indices.as_chunks().0 {
                        let (b, c) = if is_mirrored { (c, b) } else { (b, c) };
                        if let (Some(a), Some(b), Some(c)) = (vertex(a), vertex(b), vertex(c)) {
                            self.drawing.add([a, b, c], *surface);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds a stick from each visible joint to its children, and a square for each joint without.
    pub(crate) fn add_bones(
        &mut self,
        scene: &Scene,
        poses: &Poses,
        surface: usize,
    ) -> Result<(), LimitError> {
        let skeletons = scene.skeletons.iter().zip(poses.model.iter().zip(&poses.visible));
        for (skeleton, (model, visible)) in skeletons {
            self.charge(model.len().saturating_mul(2))?;
            let place = |joint: usize| {
                let matrix = model.get(joint).filter(|_| visible.get(joint) == Some(&true))?;
                Some(matrix.transform_point(Vec3::ZERO))
            };
            let mut has_child = vec![false; skeleton.joints.len()];
            for (index, joint) in skeleton.joints.iter().enumerate().rev() {
                let Some(at) = place(index) else { continue };
                let parent = joint.parent.map(anim_ir::JointId::index);
                if let Some(has) = parent.and_then(|parent| has_child.get_mut(parent)) {
                    *has = true;
                }
                if let Some(from) = parent.and_then(place) {
                    let ends = [from, at].map(|end| self.corner(end));
                    self.line(ends, BONE, surface);
                }
                if has_child.get(index) == Some(&false) {
                    let at = self.corner(at);
                    self.point(at, JOINT, surface);
                }
            }
        }
        Ok(())
    }

    /// Adds a grid on the plane through the lowest point of a box.
    pub(crate) fn add_ground(
        &mut self,
        bounds: &Bounds,
        [up, front, right]: [[f64; 3]; 3],
        surface: usize,
    ) {
        let heights = bounds.corners().map(|corner| double::dot(corner.to_f64(), up));
        let height = heights.fold(f64::INFINITY, f64::min);
        let [width, depth, _] =
            [right, front, up].map(|axis| double::dot(bounds.size(), axis.map(f64::abs)));
        let square = round_length(width.max(depth).max(size_of_box(bounds) / 4.0) * 2.0)
            / f64::from(SQUARES);
        let middle = double::lerp(bounds.min, bounds.max, 0.5);
        let snapped = |axis| (double::dot(middle, axis) / square).round() * square;
        let (across, along) = (snapped(right), snapped(front));
        let at = |x: f64, y: f64| {
            let place = [0, 1, 2].map(|axis| {
                let part = |v: [f64; 3]| v.get(axis).copied().unwrap_or_default();
                part(right) * (across + x) + part(front) * (along + y) + part(up) * height
            });
            Vec3::from_f64(place)
        };
        let reach = f64::from(SQUARES) * square;
        for number in -SQUARES..=SQUARES {
            let place = f64::from(number) * square;
            for [a, b] in
                [[at(place, -reach), at(place, reach)], [at(-reach, place), at(reach, place)]]
            {
                let ends = [a, b].map(|end| self.corner(end));
                self.line(ends, [1.0; 2], surface);
            }
        }
    }

    /// Adds the axes at the origin, with a surface for each.
    pub(crate) fn add_axes(&mut self, bounds: &Bounds, surfaces: [usize; 3]) {
        let length = narrow(round_length(size_of_box(bounds)) / 2.0);
        let ends =
            [Vec3::new(length, 0.0, 0.0), Vec3::new(0.0, length, 0.0), Vec3::new(0.0, 0.0, length)];
        for (end, surface) in ends.into_iter().zip(surfaces) {
            let ends = [Vec3::ZERO, end].map(|end| self.corner(end));
            self.line(ends, [2.0; 2], surface);
        }
    }

    fn corner(&self, at: Vec3) -> Corner {
        let attributes = Attributes { color: [1.0; 4], ..Attributes::default() };
        Corner { at: self.camera.to_view(at), attributes }
    }

    /// Adds a square that faces the camera, of a size in pixels.
    fn point(&mut self, corner: Corner, size: f64, surface: usize) {
        let [x, y, z] = corner.at;
        if z >= -self.drawing.viewport().near {
            return;
        }
        let [across, up] = self.drawing.viewport().pixel().map(|pixel| pixel * -z * size / 2.0);
        let to = |right: f64, above: f64| Corner {
            at: [x + across * right, y + up * above, z],
            ..corner
        };
        self.quad([to(-1.0, -1.0), to(1.0, -1.0), to(1.0, 1.0), to(-1.0, 1.0)], surface);
    }

    /// Adds a line with a width in pixels at each end.
    fn line(&mut self, ends: [Corner; 2], widths: [f64; 2], surface: usize) {
        let near = self.drawing.viewport().near;
        let Some([a, b]) = in_front_of(ends, near) else { return };
        let pixel = self.drawing.viewport().pixel();
        let place = |at: [f64; 3]| [at[0] / -at[2] / pixel[0], at[1] / -at[2] / pixel[1]];
        let (from, to) = (place(a.at), place(b.at));
        let along = double::unit([to[0] - from[0], to[1] - from[1], 0.0]);
        let Some([x, y, _]) = along else { return self.point(a, widths[0], surface) };
        let beside = |end: Corner, width: f64, side: f64| {
            let half = -end.at[2] * width * side / 2.0;
            let [ex, ey, ez] = end.at;
            Corner { at: [ex - y * half * pixel[0], ey + x * half * pixel[1], ez], ..end }
        };
        let [thick, thin] = widths;
        self.quad(
            [
                beside(a, thick, -1.0),
                beside(b, thin, -1.0),
                beside(b, thin, 1.0),
                beside(a, thick, 1.0),
            ],
            surface,
        );
    }

    fn quad(&mut self, [a, b, c, d]: [Corner; 4], surface: usize) {
        self.drawing.add([a, b, c], surface);
        self.drawing.add([a, c, d], surface);
    }
}

/// Clips a line against the near plane. Returns `None` if no part of it is visible.
fn in_front_of([a, b]: [Corner; 2], near: f64) -> Option<[Corner; 2]> {
    let [ahead_a, ahead_b] = [a, b].map(|end| -end.at[2] - near);
    let cut = || {
        let at = double::lerp(a.at, b.at, ahead_a / (ahead_a - ahead_b));
        Some(Corner { at: [at[0], at[1], -near], ..if ahead_a < 0.0 { a } else { b } })
    };
    match (ahead_a >= 0.0, ahead_b >= 0.0) {
        (true, true) => Some([a, b]),
        (true, false) => Some([a, cut()?]),
        (false, true) => Some([cut()?, b]),
        (false, false) => None,
    }
}

fn size_of_box(bounds: &Bounds) -> f64 {
    bounds.size().into_iter().fold(0.0, f64::max)
}

/// Rounds a length to 1, 2 or 5 times a power of ten.
fn round_length(length: f64) -> f64 {
    if !length.is_finite() || length <= 0.0 {
        return 1.0;
    }
    let power = 10.0_f64.powf(length.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| power * factor >= length);
    power * factor.unwrap_or(10.0)
}
