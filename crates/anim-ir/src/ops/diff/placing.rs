//! The space in which two shapes are compared, and the joints that influence them.

use crate::ops::diff::difference::{Gap, Side};
use crate::ops::diff::pairs::Pairs;
use crate::ops::diff::shape::Shape;
use crate::{Joint, JointRef, Mat4, Scene, SkeletonId, Skin, Vec3, sort_by};

/// Returns, for each skeleton, the index of its first joint among the joints of all skeletons.
pub(super) fn starts(scene: &Scene) -> Vec<usize> {
    let lengths = scene.skeletons.iter().map(|skeleton| skeleton.joints.len());
    let starts = lengths.scan(0_usize, |next, length| {
        let start = *next;
        *next = next.saturating_add(length);
        Some(start)
    });
    starts.collect()
}

/// Returns the joints of all skeletons.
pub(super) fn joints(scene: &Scene) -> impl Iterator<Item = &Joint> {
    scene.skeletons.iter().flat_map(|skeleton| &skeleton.joints)
}

/// The joints of both scenes, with common indices.
pub(super) struct Followed {
    /// The index of each skeleton's first joint among the joints of all skeletons.
    starts: [Vec<usize>; 2],
    /// The index of each joint in the first scene. For a joint that exists in only one scene, this
    /// is the index of its nearest ancestor in both.
    shared: [Vec<Option<usize>>; 2],
    /// Whether the joint itself is in both scenes.
    paired: [Vec<bool>; 2],
    /// The rest matrix of each joint, in model space.
    rest: [Vec<Mat4>; 2],
}

impl Followed {
    pub(super) fn of(scenes: [&Scene; 2], pairs: &Pairs<'_>) -> Followed {
        let starts = scenes.map(starts);
        let paired = Side::BOTH.map(|side| {
            let count = joints(side.of(scenes)).count();
            (0..count).map(|joint| pairs.partner(side, joint).is_some()).collect::<Vec<_>>()
        });
        let shared = Side::BOTH.map(|side| {
            let mut shared: Vec<Option<usize>> = Vec::new();
            for skeleton in &side.of(scenes).skeletons {
                let start = shared.len();
                for (place, joint) in skeleton.joints.iter().enumerate() {
                    let number = start.saturating_add(place);
                    let own = match side {
                        Side::A => pairs.partner(side, number).map(|_| number),
                        Side::B => pairs.partner(side, number),
                    };
                    let above = joint.parent.map(|parent| parent.index().saturating_add(start));
                    shared.push(own.or_else(|| shared.get(above?).copied().flatten()));
                }
            }
            shared
        });
        let rest = scenes.map(|scene| {
            scene.skeletons.iter().flat_map(crate::Skeleton::rest_model_matrices).collect()
        });
        Followed { starts, shared, paired, rest }
    }

    fn number(&self, side: Side, skeleton: SkeletonId, joint: usize) -> Option<usize> {
        side.of(self.starts.each_ref()).get(skeleton.index())?.checked_add(joint)
    }

    /// Returns the common index of a joint.
    fn shared(&self, side: Side, JointRef { skeleton, joint }: JointRef) -> Option<usize> {
        let number = self.number(side, skeleton, joint.index())?;
        side.of(self.shared.each_ref()).get(number).copied().flatten()
    }

    fn is_paired(&self, side: Side, JointRef { skeleton, joint }: JointRef) -> bool {
        let number = self.number(side, skeleton, joint.index());
        number.and_then(|number| side.of(self.paired.each_ref()).get(number)) == Some(&true)
    }

    fn rest(&self, side: Side, JointRef { skeleton, joint }: JointRef) -> Mat4 {
        let number = self.number(side, skeleton, joint.index());
        let found = number.and_then(|number| side.of(self.rest.each_ref()).get(number));
        found.copied().unwrap_or_default()
    }

    /// Returns the common indices of the joints that influence a vertex, with their weights.
    /// Weights of 0 are omitted, as are joints that exist in only one scene and have no ancestor in
    /// both.
    pub(super) fn influences(
        &self,
        side: Side,
        scene: &Scene,
        Shape { node, mesh, .. }: Shape<'_>,
        vertex: usize,
        out: &mut Vec<(usize, f64)>,
    ) {
        out.clear();
        let Some(skin) = node.skin.and_then(|skin| scene.skin(skin)) else {
            let joint = node.parent.and_then(|parent| self.shared(side, parent));
            out.extend(joint.map(|joint| (joint, 1.0)));
            return;
        };
        for (joint, weight) in mesh.influences.of_vertex(vertex) {
            let joint = skin.joints.get(joint as usize).copied();
            let joint = joint
                .and_then(|joint| self.shared(side, JointRef { skeleton: skin.skeleton, joint }));
            out.extend(joint.filter(|_| weight != 0.0).map(|joint| (joint, f64::from(weight))));
        }
        sort_by(out, |(a, _), (b, _)| a.cmp(b));
        out.dedup_by(|(joint, weight), (kept, sum)| {
            let same = joint == kept;
            *sum += if same { *weight } else { 0.0 };
            same
        });
    }
}

/// The space in which the vertices of a shape are compared.
pub(super) enum Placing {
    /// Mesh space, because both meshes have the same placement or one of the placements flattens
    /// its mesh. With the same placement, this avoids reporting a difference in the rest pose again
    /// for each shape attached to the joint.
    Own,
    /// Model space in the rest pose.
    AtRest(Box<[Frame; 2]>),
}

impl Placing {
    /// Returns the space in which to compare two shapes, given whether they are
    /// [placed alike](are_placed_alike).
    pub(super) fn of(
        scenes: [&Scene; 2],
        shapes: [Shape<'_>; 2],
        followed: &Followed,
        alike: bool,
    ) -> Placing {
        if alike { Placing::Own } else { Placing::at_rest(scenes, shapes, followed) }
    }

    /// Determines the placement in model space in the rest pose.
    fn at_rest(scenes: [&Scene; 2], shapes: [Shape<'_>; 2], followed: &Followed) -> Placing {
        let [a, b] = [(Side::A, scenes[0], shapes[0]), (Side::B, scenes[1], shapes[1])]
            .map(|(side, scene, shape)| Frame::of(side, scene, shape, followed));
        match (a, b) {
            (Some(a), Some(b)) => Placing::AtRest(Box::new([a, b])),
            // A matrix without an inverse, such as one with a scale of 0, flattens the shape. Its
            // vertices can only be told apart in mesh space.
            _ => Placing::Own,
        }
    }

    /// Whether exactly one of the two mappings to the space of comparison mirrors. The winding of
    /// triangles is then opposite.
    pub(super) fn mirrors_one(&self) -> bool {
        let mirrors = |side: Side| self.frame(side).is_some_and(Frame::mirrors);
        mirrors(Side::A) != mirrors(Side::B)
    }

    /// Returns the mapping of a side's vertices to the space of comparison, or `None` for mesh
    /// space.
    pub(super) fn frame(&self, side: Side) -> Option<&Frame> {
        match self {
            Placing::Own => None,
            Placing::AtRest(frames) => Some(side.of(frames.each_ref())),
        }
    }
}

/// The mapping from mesh space to model space in the rest pose.
pub(super) enum Frame {
    /// A matrix for positions and a matrix for normals, which apply to all vertices.
    All([Mat4; 2]),
    /// One matrix per vertex, for skinned meshes.
    Each(Vec<Mat4>),
}

impl Frame {
    /// Returns `None` if a matrix has no inverse.
    fn of(side: Side, scene: &Scene, shape: Shape<'_>, followed: &Followed) -> Option<Frame> {
        let Shape { node, mesh, .. } = shape;
        let Some(skin) = node.skin.and_then(|skin| scene.skin(skin)) else {
            let parent = node.parent.map_or(Mat4::IDENTITY, |parent| followed.rest(side, parent));
            let matrix = parent * node.transform.to_matrix();
            return Some(Frame::All([matrix, matrix.normal_matrix()?]));
        };
        let bones = skin.joints.iter().zip(&skin.inverse_bind).map(|(joint, bind)| {
            followed.rest(side, JointRef { skeleton: skin.skeleton, joint: *joint }) * *bind
        });
        let bones: Vec<Mat4> = bones.collect();
        if bones.iter().any(|bone| bone.determinant() == 0.0) {
            return None;
        }
        let blend = |vertex: usize| {
            let (mut sum, mut total) = ([0.0_f32; 16], 0.0);
            for (joint, weight) in mesh.influences.of_vertex(vertex) {
                let bone = bones.get(joint as usize).copied().unwrap_or_default();
                for (sum, number) in sum.iter_mut().zip(bone.to_columns()) {
                    *sum += number * weight;
                }
                total += weight;
            }
            // A vertex without influences does not move.
            if total == 0.0 { Mat4::IDENTITY } else { Mat4::from_columns(sum) }
        };
        Some(Frame::Each((0..mesh.positions.len()).map(blend).collect()))
    }

    fn mirrors(&self) -> bool {
        self.matrix(0).determinant() < 0.0
    }

    fn matrix(&self, vertex: usize) -> Mat4 {
        match self {
            Frame::All([matrix, _]) => *matrix,
            Frame::Each(matrices) => matrices.get(vertex).copied().unwrap_or_default(),
        }
    }

    pub(super) fn point(&self, vertex: usize, point: Vec3) -> Vec3 {
        self.matrix(vertex).transform_point(point)
    }

    pub(super) fn vector(&self, vertex: usize, vector: Vec3) -> Vec3 {
        self.matrix(vertex).transform_vector(vector)
    }

    pub(super) fn normal(&self, vertex: usize, normal: Vec3) -> Vec3 {
        let matrix = match self {
            Frame::All([_, normals]) => *normals,
            Frame::Each(_) => self.matrix(vertex).normal_matrix().unwrap_or_default(),
        };
        matrix.transform_vector(normal)
    }
}

/// Whether both meshes have the same transform relative to the same joint, or the same bind pose
/// if skinned.
pub(super) fn are_placed_alike(
    [a, b]: [&Scene; 2],
    [x, y]: [Shape<'_>; 2],
    followed: &Followed,
    tolerance: f64,
) -> bool {
    let skin_a = x.node.skin.and_then(|skin| a.skin(skin));
    let skin_b = y.node.skin.and_then(|skin| b.skin(skin));
    match (skin_a, skin_b) {
        (Some(a), Some(b)) => are_bound_alike([a, b], followed, tolerance),
        (None, None) => {
            let gap = Gap::between(x.node.transform, y.node.transform);
            let length = Vec3::distance(x.node.transform.translation, Vec3::ZERO).max(1.0);
            let same_joint = match (x.node.parent, y.node.parent) {
                (None, None) => true,
                (Some(x), Some(y)) => {
                    followed.is_paired(Side::A, x)
                        && followed.is_paired(Side::B, y)
                        && followed.shared(Side::A, x) == followed.shared(Side::B, y)
                }
                _ => false,
            };
            same_joint && gap.excess(length, tolerance) <= 1.0
        }
        _ => false,
    }
}

fn are_bound_alike([a, b]: [&Skin; 2], followed: &Followed, tolerance: f64) -> bool {
    let binds = |side: Side, skin: &Skin| {
        let joints = skin.joints.iter().zip(&skin.inverse_bind);
        let mut binds: Vec<(Option<usize>, Mat4)> = joints
            .map(|(joint, bind)| {
                let joint = JointRef { skeleton: skin.skeleton, joint: *joint };
                (followed.shared(side, joint), *bind)
            })
            .collect();
        sort_by(&mut binds, |(a, _), (b, _)| a.cmp(b));
        binds
    };
    let (a, b) = (binds(Side::A, a), binds(Side::B, b));
    let tolerance = crate::number::narrow(tolerance);
    // Both lists are sorted. Joints in only one skin are ignored.
    let mut others = b.iter().peekable();
    a.iter().all(|(joint, bind)| {
        while others.next_if(|(other, _)| other < joint).is_some() {}
        match others.peek() {
            Some((other, found)) if other == joint => bind.is_near(*found, tolerance),
            _ => true,
        }
    })
}
