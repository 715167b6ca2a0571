//! Checks a scene's internal consistency.

use thiserror::Error;

use crate::{
    CameraId, Channel, Clip, ClipId, Code, Curve, Diagnostics, ImageId, JointRef, Material,
    MaterialId, Mesh, MeshId, Node, NodeId, Scene, Severity, Skeleton, SkeletonId, Skin, SkinId,
    Target, Timeline, TimelineId, Value,
};

#[expect(unreachable_pub, reason = "the macro declares the codes as public")]
mod codes {
    crate::codes! {
        INDEX = "ir-index", Error, Reference,
            "An index in the scene is out of bounds.",
            "",
            "Writers reject the scene.";
        NOT_FINITE = "ir-not-finite", Error, Value,
            "A number in the scene is NaN or infinite.",
            "",
            "Writers reject the scene.";
        LENGTH = "ir-length", Error, Value,
            "Related arrays have different lengths.",
            "",
            "Writers reject the scene.";
        ORDER = "ir-joint-order", Error, Reference,
            "A joint comes before its parent in the skeleton.",
            "",
            "Writers reject the scene.";
        RANGE = "ir-clip-range", Error, Value,
            "A clip ends before it starts.",
            "",
            "Writers reject the scene.";
    }
}

pub use codes::ALL as CODES;
use codes::{INDEX, LENGTH, NOT_FINITE, ORDER, RANGE};

/// Checks a scene for problems that would affect writers, such as indices out of bounds, non-finite
/// values or arrays of the wrong length. Scenes created by the format crates are always valid;
/// scenes built by other code may not be.
pub fn validate(scene: &Scene) -> Diagnostics {
    let mut check = Checker { scene, found: Diagnostics::new() };
    scene.enumerate_skeletons().for_each(|(id, skeleton)| check.skeleton(id, skeleton));
    scene.enumerate_timelines().for_each(|(id, timeline)| check.timeline(id, timeline));
    scene.enumerate_clips().for_each(|(id, clip)| check.clip(id, clip));
    scene.enumerate_meshes().for_each(|(id, mesh)| check.mesh(id, mesh));
    scene.enumerate_skins().for_each(|(id, skin)| check.skin(id, skin));
    scene.enumerate_nodes().for_each(|(id, node)| check.node(id, node));
    for (id, camera) in scene.enumerate_cameras() {
        let numbers = [Some(camera.vertical_fov), camera.aspect, Some(camera.near), camera.far];
        check.finite(numbers.into_iter().flatten().all(f32::is_finite), || format!("camera {id}"));
    }
    for (id, material) in scene.enumerate_materials() {
        for image in material.images() {
            let image = image.map(ImageId::index);
            check.index(image, scene.images.len(), || format!("material {id}: image"));
        }
        let Material { metallic, roughness, normal_scale, occlusion_strength, .. } = material;
        let numbers = material.base_color.iter().chain(&material.emissive).chain([
            metallic,
            roughness,
            normal_scale,
            occlusion_strength,
        ]);
        check.finite(numbers.copied().all(f32::is_finite), || format!("material {id}"));
    }
    for extras in scene.all_extras() {
        check.finite(extras.values().all(Value::is_finite), || "a number in extras".to_owned());
    }
    check.found
}

/// The error for a scene in which [`validate`] finds a problem.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("invalid scene: {0}")]
#[non_exhaustive]
pub struct InvalidScene(
    /// The first error.
    pub String,
);

/// Returns an error if [`validate`] finds any errors. Writers call this first.
///
/// # Errors
///
/// Returns [`InvalidScene`] with the message of the first error.
pub fn require_valid(scene: &Scene) -> Result<(), InvalidScene> {
    let found = validate(scene);
    let error = found.iter().find(|problem| problem.severity() == Severity::Error);
    error.map_or(Ok(()), |problem| Err(InvalidScene(problem.message.clone())))
}

/// Checks the parts of a scene.
struct Checker<'s> {
    scene: &'s Scene,
    found: Diagnostics,
}

impl Checker<'_> {
    fn add(&mut self, code: &'static Code, message: impl FnOnce() -> String) {
        self.found.push(code, None, message);
    }

    /// Checks an optional index.
    fn index(
        &mut self,
        index: impl Into<Option<usize>>,
        count: usize,
        what: impl FnOnce() -> String,
    ) {
        if let Some(index) = index.into().filter(|index| *index >= count) {
            self.add(&INDEX, || {
                format!("{} is out of bounds: index {index}, count {count}", what())
            });
        }
    }

    fn length(&mut self, found: usize, expected: usize, what: impl FnOnce() -> String) {
        if found != expected {
            self.add(&LENGTH, || format!("{}: {found} instead of {expected}", what()));
        }
    }

    /// Checks the length of an optional array.
    fn optional(&mut self, found: usize, expected: usize, what: impl FnOnce() -> String) {
        if found > 0 {
            self.length(found, expected, what);
        }
    }

    fn finite(&mut self, finite: bool, what: impl FnOnce() -> String) {
        if !finite {
            self.add(&NOT_FINITE, || format!("{} is not finite", what()));
        }
    }

    fn joint_count(&self, skeleton: SkeletonId) -> usize {
        self.scene.skeleton(skeleton).map_or(0, |skeleton| skeleton.joints.len())
    }

    fn skeleton(&mut self, at: SkeletonId, skeleton: &Skeleton) {
        for (id, joint) in skeleton.enumerate_joints() {
            if joint.parent.is_some_and(|parent| parent >= id) {
                self.add(&ORDER, || format!("skeleton {at}: joint {id} comes before its parent"));
            }
            let exact = joint.exact_rest.is_none_or(|matrix| matrix.is_finite());
            let what = || format!("skeleton {at}: rest pose of joint {id}");
            self.finite(exact && joint.rest.is_finite(), what);
        }
    }

    fn clip(&mut self, at: ClipId, clip: &Clip) {
        let Clip { start, end, .. } = clip;
        let timelines = self.scene.timelines.len();
        self.index(clip.timeline.index(), timelines, || format!("clip {at}: timeline"));
        self.finite(start.is_finite() && end.is_finite(), || format!("clip {at}: range"));
        if end < start {
            self.add(&RANGE, || format!("clip {at} ends at {end} before it starts at {start}"));
        }
    }

    fn skin(&mut self, at: SkinId, skin: &Skin) {
        let skeletons = self.scene.skeletons.len();
        self.index(skin.skeleton.index(), skeletons, || format!("skin {at}: skeleton"));
        let joints = self.joint_count(skin.skeleton);
        for joint in &skin.joints {
            self.index(joint.index(), joints, || format!("skin {at}: joint"));
        }
        let matrices = || format!("skin {at}: inverse bind matrices");
        self.length(skin.inverse_bind.len(), skin.joints.len(), matrices);
        self.finite(skin.inverse_bind.iter().all(|matrix| matrix.is_finite()), matrices);
    }

    fn node(&mut self, at: NodeId, node: &Node) {
        let scene = self.scene;
        self.finite(node.transform.is_finite(), || format!("node {at}: transform"));
        if let Some(JointRef { skeleton, joint }) = node.parent {
            let joints = self.joint_count(skeleton);
            self.index(joint.index(), joints, || format!("node {at}: parent joint"));
        }
        for (index, count, what) in [
            (node.mesh.map(MeshId::index), scene.meshes.len(), "mesh"),
            (node.camera.map(CameraId::index), scene.cameras.len(), "camera"),
            (node.skin.map(SkinId::index), scene.skins.len(), "skin"),
        ] {
            self.index(index, count, || format!("node {at}: {what}"));
        }
        let Some(skin) = node.skin else { return };
        let joints = scene.skin(skin).map_or(0, |skin| skin.joints.len());
        let mesh = node.mesh.and_then(|mesh| scene.mesh(mesh));
        let joint = mesh.and_then(|mesh| highest(&mesh.influences.joints));
        self.index(joint, joints, || format!("node {at}: skin joint of a vertex"));
    }

    fn timeline(&mut self, at: TimelineId, timeline: &Timeline) {
        let scene = self.scene;
        let joints = self.joint_count(timeline.skeleton);
        for track in timeline.tracks() {
            let (index, count, what) = match track.target {
                Target::Joint(joint) => (joint.index(), joints, "joint"),
                Target::Node(node) => (node.index(), scene.nodes.len(), "node"),
            };
            self.index(index, count, || format!("timeline {at}: {what} of a track"));
            if let (Channel::MorphWeights, Target::Node(node)) = (track.channel, track.target) {
                let mesh = scene.node(node).and_then(|node| scene.mesh(node.mesh?));
                let width = match &track.curve {
                    Curve::Constant(value) => value.len(),
                    Curve::Keys { width, .. } => *width,
                    Curve::Wave(_) => 3,
                };
                let targets = mesh.map_or(0, |mesh| mesh.morph_targets.len());
                self.length(width, targets, || format!("timeline {at}: weights of node {node}"));
            }
        }
        let finite = timeline.events.iter().all(|event| event.time.is_finite());
        self.finite(finite, || format!("timeline {at}: time of an event"));
    }

    fn mesh(&mut self, at: MeshId, mesh: &Mesh) {
        let Mesh { positions, influences, morph_targets, .. } = mesh;
        let vertices = positions.len();
        for (length, all, what) in [
            (mesh.normals.len(), vertices, "normals"),
            (mesh.texcoords.len(), vertices, "texture coordinates"),
            (mesh.colors.len(), vertices, "colours"),
            (mesh.morph_weights.len(), morph_targets.len(), "morph weights"),
        ] {
            self.optional(length, all, || format!("mesh {at}: {what}"));
        }
        let rows = vertices.saturating_mul(influences.per_vertex);
        self.length(influences.joints.len(), rows, || {
            format!("mesh {at}: joint indices of the vertices")
        });
        self.length(influences.weights.len(), rows, || {
            format!("mesh {at}: joint weights of the vertices")
        });
        for (number, target) in morph_targets.iter().enumerate() {
            let what = |what: &str| format!("mesh {at}: {what}morph target {number}");
            self.length(target.positions.len(), vertices, || what("positions of "));
            self.optional(target.normals.len(), vertices, || what("normals of "));
            let finite = all_finite(&target.positions) && all_finite(&target.normals);
            self.finite(finite, || what(""));
        }
        for (number, part) in mesh.primitives.iter().enumerate() {
            let what = |what: &str| format!("mesh {at}: {what} of part {number}");
            self.index(highest(&part.indices), vertices, || what("vertex"));
            let rest = part.indices.len() % part.topology.corners();
            self.length(rest, 0, || what("indices") + " after the last whole element");
            let material = part.material.map(MaterialId::index);
            self.index(material, self.scene.materials.len(), || what("material"));
        }
        let finite = all_finite(positions)
            && all_finite(&mesh.normals)
            && all_finite(&mesh.texcoords)
            && all_finite(&mesh.colors)
            && all_finite(&influences.weights);
        self.finite(finite, || format!("mesh {at}: a vertex attribute"));
    }
}

/// Whether all values are finite. Uses only bit operations and no early exit, to allow
/// vectorisation, because there may be millions of values.
fn all_finite<T: bytemuck::Pod>(values: &[T]) -> bool {
    // NaN and infinity have all exponent bits set, so adding 1 to the exponent carries into the
    // cleared sign bit.
    let carried = |all: u32, bits: &u32| all | (bits & 0x7fff_ffff).wrapping_add(0x0080_0000);
    bytemuck::try_cast_slice::<T, u32>(values)
        .is_ok_and(|bits| bits.iter().fold(0, carried) & 0x8000_0000 == 0)
}

/// Returns the largest index, or `None` for an empty list. Written to allow vectorisation.
fn highest(indices: &[u32]) -> Option<usize> {
    (!indices.is_empty()).then(|| indices.iter().fold(0, |most, index| *index.max(&most)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Joint, JointId, Primitive, Topology, Vec3};

    #[test]
    fn an_empty_scene_is_valid() {
        assert!(validate(&Scene::default()).is_empty());
    }

    #[test]
    fn all_problems_are_reported() {
        let mut skeleton = Skeleton::new("s");
        skeleton.joints.push(Joint::new("a", Some(JointId::new(0))));
        let mesh = Mesh {
            positions: vec![Vec3::new(f32::NAN, 0., 0.)],
            normals: vec![Vec3::ZERO; 2],
            // Matches the number of vertices, but not the number of targets.
            morph_weights: vec![0.0],
            primitives: vec![Primitive {
                topology: Topology::Triangles,
                indices: vec![0, 1],
                material: Some(MaterialId::new(0)),
            }],
            ..Mesh::default()
        };
        let scene = Scene {
            skeletons: vec![skeleton],
            meshes: vec![mesh],
            skins: vec![Skin {
                skeleton: SkeletonId::new(1),
                joints: vec![JointId::new(0)],
                inverse_bind: vec![],
            }],
            nodes: vec![Node {
                mesh: Some(MeshId::new(1)),
                skin: Some(SkinId::new(3)),
                ..Node::default()
            }],
            clips: vec![Clip { start: 2.0, end: 1.0, ..Clip::default() }],
            extras: [("x".to_owned(), [("y", [f64::NAN].into_iter().collect())].into())].into(),
            ..Scene::default()
        };
        let found = validate(&scene);
        assert_eq!(
            require_valid(&scene).unwrap_err().to_string(),
            "invalid scene: skeleton 0: joint 0 comes before its parent"
        );
        assert_eq!(require_valid(&Scene::default()), Ok(()));
        let lines: Vec<String> =
            found.iter().map(|d| format!("{}: {}", d.code.id, d.message)).collect();
        insta::assert_snapshot!(lines.join("\n"), @r"
        ir-joint-order: skeleton 0: joint 0 comes before its parent
        ir-index: clip 0: timeline is out of bounds: index 0, count 0
        ir-clip-range: clip 0 ends at 1 before it starts at 2
        ir-length: mesh 0: normals: 2 instead of 1
        ir-length: mesh 0: morph weights: 1 instead of 0
        ir-index: mesh 0: vertex of part 0 is out of bounds: index 1, count 1
        ir-length: mesh 0: indices of part 0 after the last whole element: 2 instead of 0
        ir-index: mesh 0: material of part 0 is out of bounds: index 0, count 0
        ir-not-finite: mesh 0: a vertex attribute is not finite
        ir-index: skin 0: skeleton is out of bounds: index 1, count 1
        ir-index: skin 0: joint is out of bounds: index 0, count 0
        ir-length: skin 0: inverse bind matrices: 0 instead of 1
        ir-index: node 0: mesh is out of bounds: index 1, count 1
        ir-index: node 0: skin is out of bounds: index 3, count 1
        ir-not-finite: a number in extras is not finite
        ");
    }
}
