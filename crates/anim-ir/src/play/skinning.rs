//! Skinning and morphing on the CPU.

use crate::math::double;
use crate::{Influences, Mat4, Mesh, NodeId, Pose, Scene, SkeletonId, Vec3};

/// Deforms meshes on the CPU. Morph targets are applied before skinning. Memory is reused across
/// meshes.
///
/// ```
/// use anim_ir::{
///     Channel, Deformer, Influences, Joint, Mat4, Mesh, Node, Pose, Sampler, Scene, Skeleton,
///     Skin, TimelineBuilder, Vec3,
/// };
///
/// let mut scene = Scene::default();
/// let mut skeleton = Skeleton::new("rig");
/// let bone = skeleton.add_joint(Joint::new("bone", None));
/// let mut builder = TimelineBuilder::new("lift");
/// builder.constant(bone.into(), Channel::Translation, &[0.0, 2.0, 0.0])?;
/// let timeline = builder.finish();
/// let mut pose = Pose::default();
/// Sampler::new(&skeleton, &timeline).sample(0.0, &mut pose);
///
/// let skeleton = scene.add_skeleton(skeleton);
/// let mesh = scene.add_mesh(Mesh {
///     positions: vec![Vec3::new(1.0, 0.0, 0.0)],
///     influences: Influences { per_vertex: 1, joints: vec![0], weights: vec![1.0] },
///     ..Mesh::default()
/// });
/// let skin = Skin { skeleton, joints: vec![bone], inverse_bind: vec![Mat4::IDENTITY] };
/// let skin = scene.add_skin(skin);
/// let node = scene.add_node(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
///
/// let mut deformer = Deformer::default();
/// deformer.deform_node(&scene, node, skeleton, &pose);
/// assert_eq!(deformer.positions(), [Vec3::new(1.0, 2.0, 0.0)]);
/// # Ok::<(), anim_ir::TimelineError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Deformer {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    model: Vec<Mat4>,
    skinning: Vec<Mat4>,
}

impl Deformer {
    /// Returns the vertex positions of the last deformed mesh.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Returns the unit normals of the last deformed mesh; zero for vertices without a normal.
    /// Empty if the mesh has no normals.
    pub fn normals(&self) -> &[Vec3] {
        &self.normals
    }

    /// Deforms the mesh of a node with a pose of a skeleton. The result is in model space if the
    /// node has a skin for that skeleton, otherwise in mesh space. Returns whether the node has a
    /// mesh.
    pub fn deform_node(
        &mut self,
        scene: &Scene,
        node: NodeId,
        skeleton: SkeletonId,
        pose: &Pose,
    ) -> bool {
        let found = scene.node(node).and_then(|node| Some((node.skin, scene.mesh(node.mesh?)?)));
        let Some((skin, mesh)) = found else {
            self.positions.clear();
            self.normals.clear();
            return false;
        };
        let weights = pose.weights_of(node).unwrap_or(&mesh.morph_weights);
        self.skinning.clear();
        if let Some(skin) = skin.and_then(|skin| scene.skin(skin))
            && skin.skeleton == skeleton
            && let Some(skeleton) = scene.skeleton(skeleton)
        {
            pose.model_matrices(skeleton, &mut self.model);
            skin.matrices(&self.model, &mut self.skinning);
        }
        let skinning = std::mem::take(&mut self.skinning);
        self.deform(mesh, weights, &skinning);
        self.skinning = skinning;
        true
    }

    /// Deforms a mesh. `weights` contains the weights of the morph targets; missing weights are 0.
    /// `skinning` contains a matrix for each joint of the skin ([`crate::Skin::matrices`]). If it
    /// is empty, vertices stay in mesh space.
    pub fn deform(&mut self, mesh: &Mesh, weights: &[f32], skinning: &[Mat4]) {
        self.morph(mesh, weights);
        if !skinning.is_empty() && mesh.influences.per_vertex > 0 {
            self.skin(&mesh.influences, skinning);
        }
    }

    fn morph(&mut self, mesh: &Mesh, weights: &[f32]) {
        self.positions.clone_from(&mesh.positions);
        self.normals.clone_from(&mesh.normals);
        let mut is_bent = false;
        for (target, weight) in mesh.morph_targets.iter().zip(weights) {
            if *weight != 0.0 {
                add(&mut self.positions, &target.positions, *weight);
                add(&mut self.normals, &target.normals, *weight);
                is_bent |= !target.normals.is_empty();
            }
        }
        if is_bent {
            self.normals
                .iter_mut()
                .for_each(|normal| *normal = normal.normalized().unwrap_or(Vec3::ZERO));
        }
    }

    fn skin(&mut self, influences: &Influences, skinning: &[Mat4]) {
        let width = influences.per_vertex;
        let rows = influences.joints.chunks_exact(width);
        let rows = rows.zip(influences.weights.chunks_exact(width));
        let matrix = |joint: u32| skinning.get(joint as usize).unwrap_or(&Mat4::IDENTITY);
        let mut normals = self.normals.iter_mut();
        for (position, (joints, weights)) in self.positions.iter_mut().zip(rows) {
            let normal = normals.next();
            let mut blended = [[0.0; 4]; 4];
            let mut total = 0.0;
            for (joint, weight) in joints.iter().zip(weights).filter(|(_, weight)| **weight != 0.0)
            {
                for (sum, column) in blended.iter_mut().zip(&matrix(*joint).columns) {
                    add_scaled(sum, column, *weight);
                }
                total += weight;
            }
            // A vertex without influences does not move.
            if total == 0.0 {
                continue;
            }
            let [x_axis, y_axis, z_axis, mut moved] = blended;
            for (axis, number) in [x_axis, y_axis, z_axis].iter().zip(position.to_array()) {
                add_scaled(&mut moved, axis, number);
            }
            let [x, y, z, _] = moved;
            *position = Vec3::new(x, y, z);
            if let Some(normal) = normal {
                *normal = turned(Mat4 { columns: blended }.axes(), *normal);
            }
        }
    }
}

/// Adds a column of a matrix times a number, which compilers do in a vector register.
#[inline]
fn add_scaled(sum: &mut [f32; 4], column: &[f32; 4], factor: f32) {
    for (sum, number) in sum.iter_mut().zip(column) {
        *sum += number * factor;
    }
}

fn add(vectors: &mut [Vec3], deltas: &[Vec3], weight: f32) {
    vectors.iter_mut().zip(deltas).for_each(|(vector, delta)| *vector += *delta * weight);
}

/// Transforms a normal by the inverse transpose of a matrix and normalises it. If the matrix
/// flattens the shape to a plane, returns the normal of the plane.
fn turned(matrix: double::Mat3, normal: Vec3) -> Vec3 {
    let sign = if double::determinant(matrix) < 0.0 { -1.0 } else { 1.0 };
    let turned = double::transform(double::cofactors(matrix), normal.to_f64()).map(|c| c * sign);
    double::unit(turned).map_or(Vec3::ZERO, Vec3::from_f64)
}
