//! Checks a scene's internal consistency.

use thiserror::Error;

use crate::file::diag::{Category, Code, Diagnostic, Diagnostics, Severity};
use crate::model::clip::Clip;
use crate::model::ids::{ClipId, JointRef, MeshId, NodeId, SkeletonId, SkinId, TimelineId};
use crate::model::mesh::{Mesh, Skin};
use crate::model::scene::{Node, Scene};
use crate::model::skeleton::Skeleton;
use crate::model::timeline::Timeline;
use crate::model::track::{Channel, Curve, Target};

/// An index points at nothing.
static INDEX: Code = Code {
    id: "ir-index",
    severity: Severity::Error,
    category: Category::Reference,
    meaning: "An index in the scene points at something that is not there.",
    example: "",
    action: "Writers leave the item out.",
};

/// NaN or infinity.
static NOT_FINITE: Code = Code {
    id: "ir-not-finite",
    severity: Severity::Error,
    category: Category::Value,
    meaning: "A number in the scene is NaN or infinite.",
    example: "",
    action: "Writers refuse the scene.",
};

/// Arrays that should be of one length are not.
static LENGTH: Code = Code {
    id: "ir-length",
    severity: Severity::Error,
    category: Category::Value,
    meaning: "Arrays that belong together differ in length.",
    example: "",
    action: "Writers leave the item out.",
};

/// A parent that does not come before its child.
static ORDER: Code = Code {
    id: "ir-joint-order",
    severity: Severity::Error,
    category: Category::Reference,
    meaning: "A joint's parent must stand before it in the skeleton.",
    example: "",
    action: "Writers refuse the scene.",
};

/// A clip that ends before it starts.
static RANGE: Code = Code {
    id: "ir-clip-range",
    severity: Severity::Error,
    category: Category::Value,
    meaning: "A clip ends before it starts.",
    example: "",
    action: "Writers leave the clip out.",
};

/// All codes of [`validate`].
pub static CODES: [&Code; 5] = [&INDEX, &NOT_FINITE, &LENGTH, &ORDER, &RANGE];

/// Everything that makes a scene unfit for a writer: indices that point at nothing, numbers that
/// are not finite, arrays of the wrong length. What the format crates make is valid; what a program
/// puts together itself may not be.
pub fn validate(scene: &Scene) -> Diagnostics {
    let mut check = Checker { found: Diagnostics::new() };
    for (id, skeleton) in scene.enumerate_skeletons() {
        check_skeleton(&mut check, id, skeleton);
    }
    for (id, timeline) in scene.enumerate_timelines() {
        check_timeline(&mut check, scene, id, timeline);
    }
    for (id, clip) in scene.enumerate_clips() {
        check_clip(&mut check, scene, id, clip);
    }
    for (id, mesh) in scene.enumerate_meshes() {
        check_mesh(&mut check, scene, id, mesh);
    }
    for (id, skin) in scene.enumerate_skins() {
        check_skin(&mut check, scene, id, skin);
    }
    for (id, node) in scene.enumerate_nodes() {
        check_node(&mut check, scene, id, node);
    }
    for (id, camera) in scene.enumerate_cameras() {
        let numbers = [Some(camera.vertical_fov), camera.aspect, Some(camera.near), camera.far];
        check.finite(numbers.into_iter().flatten().all(f32::is_finite), || format!("camera {id}"));
    }
    for (id, material) in scene.enumerate_materials() {
        if let Some(image) = material.base_color_image {
            check.index(image.index(), scene.images.len(), || format!("material {id}: image"));
        }
        let numbers =
            material.base_color.iter().chain(&material.emissive).chain([&material.roughness]);
        check.finite(numbers.copied().all(f32::is_finite), || format!("material {id}"));
    }
    check.found
}

/// A scene that [`validate`] finds an error in.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("invalid scene: {0}")]
#[non_exhaustive]
pub struct InvalidScene(
    /// The first error.
    pub String,
);

/// What writers begin with: [`validate`], where nothing but errors counts.
///
/// # Errors
///
/// [`InvalidScene`] with the message of the first error.
pub fn require_valid(scene: &Scene) -> Result<(), InvalidScene> {
    let found = validate(scene);
    match found.iter().find(|problem| problem.severity() == Severity::Error) {
        Some(problem) => Err(InvalidScene(problem.message.clone())),
        None => Ok(()),
    }
}

fn check_skeleton(check: &mut Checker, at: SkeletonId, skeleton: &Skeleton) {
    for (id, joint) in skeleton.enumerate_joints() {
        if joint.parent.is_some_and(|parent| parent >= id) {
            check.add(&ORDER, || format!("skeleton {at}: joint {id} stands before its parent"));
        }
        let exact = joint.exact_rest.is_none_or(|matrix| matrix.is_finite());
        check.finite(exact && joint.rest.is_finite(), || {
            format!("skeleton {at}: rest pose of joint {id}")
        });
    }
}

fn check_clip(check: &mut Checker, scene: &Scene, at: ClipId, clip: &Clip) {
    check.index(clip.timeline.index(), scene.timelines.len(), || format!("clip {at}: timeline"));
    check.finite(clip.start.is_finite() && clip.end.is_finite(), || format!("clip {at}: range"));
    if clip.end < clip.start {
        check.add(&RANGE, || {
            format!("clip {at} ends at {} before it starts at {}", clip.end, clip.start)
        });
    }
}

fn check_skin(check: &mut Checker, scene: &Scene, at: SkinId, skin: &Skin) {
    check.index(skin.skeleton.index(), scene.skeletons.len(), || format!("skin {at}: skeleton"));
    let joints = joint_count(scene, skin.skeleton);
    for joint in &skin.joints {
        check.index(joint.index(), joints, || format!("skin {at}: joint"));
    }
    check.length(skin.inverse_bind.len(), skin.joints.len(), || {
        format!("skin {at}: inverse bind matrices")
    });
    check.finite(skin.inverse_bind.iter().all(|matrix| matrix.is_finite()), || {
        format!("skin {at}: inverse bind matrices")
    });
}

fn check_node(check: &mut Checker, scene: &Scene, at: NodeId, node: &Node) {
    check.finite(node.transform.is_finite(), || format!("node {at}: transform"));
    if let Some(JointRef { skeleton, joint }) = node.parent {
        check.index(joint.index(), joint_count(scene, skeleton), || {
            format!("node {at}: parent joint")
        });
    }
    if let Some(mesh) = node.mesh {
        check.index(mesh.index(), scene.meshes.len(), || format!("node {at}: mesh"));
    }
    if let Some(camera) = node.camera {
        check.index(camera.index(), scene.cameras.len(), || format!("node {at}: camera"));
    }
    let Some(skin) = node.skin else { return };
    check.index(skin.index(), scene.skins.len(), || format!("node {at}: skin"));
    let joints = scene.skin(skin).map_or(0, |skin| skin.joints.len());
    let mesh = node.mesh.and_then(|mesh| scene.mesh(mesh));
    if let Some(joint) = mesh.and_then(|mesh| highest(&mesh.influences.joints)) {
        check.index(joint as usize, joints, || format!("node {at}: joint of a vertex in its skin"));
    }
}

fn joint_count(scene: &Scene, skeleton: SkeletonId) -> usize {
    scene.skeleton(skeleton).map_or(0, |skeleton| skeleton.joints.len())
}

fn check_timeline(check: &mut Checker, scene: &Scene, at: TimelineId, timeline: &Timeline) {
    let joints = joint_count(scene, timeline.skeleton);
    for track in timeline.tracks() {
        match track.target {
            Target::Joint(joint) => {
                check.index(joint.index(), joints, || format!("timeline {at}: joint of a track"))
            }
            Target::Node(node) => {
                let count = scene.nodes.len();
                check.index(node.index(), count, || format!("timeline {at}: node of a track"))
            }
        }
        if let (Channel::MorphWeights, Target::Node(node)) = (track.channel, track.target) {
            let mesh = scene.node(node).and_then(|node| scene.mesh(node.mesh?));
            let width = match &track.curve {
                Curve::Constant(value) => value.len(),
                Curve::Keys { width, .. } => *width,
                Curve::Wave(_) => 3,
            };
            check.length(width, mesh.map_or(0, |mesh| mesh.morph_targets.len()), || {
                format!("timeline {at}: weights of node {node}")
            });
        }
    }
    check.finite(timeline.events.iter().all(|event| event.time.is_finite()), || {
        format!("timeline {at}: time of an event")
    });
}

fn check_mesh(check: &mut Checker, scene: &Scene, at: MeshId, mesh: &Mesh) {
    let vertices = mesh.positions.len();
    let optional = [
        ("normals", mesh.normals.len()),
        ("texture coordinates", mesh.texcoords.len()),
        ("colours", mesh.colors.len()),
        (
            "morph weights",
            if mesh.morph_weights.len() == mesh.morph_targets.len() {
                0
            } else {
                mesh.morph_weights.len()
            },
        ),
    ];
    for (what, length) in optional {
        if length > 0 {
            check.length(length, vertices, || format!("mesh {at}: {what}"));
        }
    }
    let influences = &mesh.influences;
    let rows =
        if influences.per_vertex == 0 { 0 } else { vertices.saturating_mul(influences.per_vertex) };
    check.length(influences.joints.len(), rows, || format!("mesh {at}: joints of vertices"));
    check.length(influences.weights.len(), rows, || format!("mesh {at}: weights of vertices"));
    for (number, target) in mesh.morph_targets.iter().enumerate() {
        check.length(target.positions.len(), vertices, || {
            format!("mesh {at}: positions of morph target {number}")
        });
        if !target.normals.is_empty() {
            check.length(target.normals.len(), vertices, || {
                format!("mesh {at}: normals of morph target {number}")
            });
        }
        check.finite(all_finite(&target.positions) && all_finite(&target.normals), || {
            format!("mesh {at}: morph target {number}")
        });
    }
    for (number, part) in mesh.primitives.iter().enumerate() {
        if let Some(highest) = highest(&part.indices) {
            check.index(highest as usize, vertices, || {
                format!("mesh {at}: vertex of part {number}")
            });
        }
        let corners = part.topology.corners();
        check.length(part.indices.len() % corners, 0, || {
            format!("mesh {at}: indices of part {number} beyond whole elements")
        });
        if let Some(material) = part.material {
            check.index(material.index(), scene.materials.len(), || {
                format!("mesh {at}: material of part {number}")
            });
        }
    }
    let numbers = [
        all_finite(&mesh.positions),
        all_finite(&mesh.normals),
        all_finite(&mesh.texcoords),
        all_finite(&mesh.colors),
        all_finite(&influences.weights),
    ];
    check.finite(numbers.iter().all(|finite| *finite), || {
        format!("mesh {at}: a number of a vertex")
    });
}

/// Quick for millions of numbers: no early end and nothing but bits, so that processors take many
/// numbers at a time.
fn all_finite<T: bytemuck::Pod>(values: &[T]) -> bool {
    // NaN and infinity have all bits of the exponent set; one more then carries into the sign's
    // place, which was cleared.
    let carried = |all: u32, bits: &u32| all | (bits & 0x7fff_ffff).wrapping_add(0x0080_0000);
    bytemuck::try_cast_slice::<T, u32>(values)
        .is_ok_and(|bits| bits.iter().fold(0, carried) & 0x8000_0000 == 0)
}

/// The greatest index, in a form that processors take many numbers at a time for; `None` without
/// indices.
fn highest(indices: &[u32]) -> Option<u32> {
    (!indices.is_empty()).then(|| indices.iter().fold(0, |most, index| *index.max(&most)))
}

struct Checker {
    found: Diagnostics,
}

impl Checker {
    fn add(&mut self, code: &'static Code, message: impl FnOnce() -> String) {
        self.found.report(code, || Diagnostic::new(code, None, message()));
    }

    fn index(&mut self, index: usize, count: usize, what: impl FnOnce() -> String) {
        if index >= count {
            self.add(&INDEX, || format!("{} is number {index} of {count}", what()));
        }
    }

    fn length(&mut self, found: usize, expected: usize, what: impl FnOnce() -> String) {
        if found != expected {
            self.add(&LENGTH, || format!("{}: {found} where {expected} belong", what()));
        }
    }

    fn finite(&mut self, finite: bool, what: impl FnOnce() -> String) {
        if !finite {
            self.add(&NOT_FINITE, || format!("{} is not finite", what()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::vec3::Vec3;
    use crate::model::ids::{JointId, MaterialId};
    use crate::model::mesh::{Primitive, Topology};
    use crate::model::skeleton::Joint;

    #[test]
    fn an_empty_scene_is_valid() {
        assert!(validate(&Scene::default()).is_empty());
    }

    #[test]
    fn everything_that_can_be_wrong_is_named() {
        let mut skeleton = Skeleton::new("s");
        skeleton.joints.push(Joint::new("a", Some(JointId::new(0))));
        let mesh = Mesh {
            positions: vec![Vec3::new(f32::NAN, 0., 0.)],
            normals: vec![Vec3::ZERO; 2],
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
            ..Scene::default()
        };
        let found = validate(&scene);
        assert_eq!(
            require_valid(&scene).unwrap_err().to_string(),
            "invalid scene: skeleton 0: joint 0 stands before its parent"
        );
        assert_eq!(require_valid(&Scene::default()), Ok(()));
        let lines: Vec<String> =
            found.iter().map(|d| format!("{}: {}", d.code.id, d.message)).collect();
        insta::assert_snapshot!(lines.join("\n"), @r"
        ir-joint-order: skeleton 0: joint 0 stands before its parent
        ir-index: clip 0: timeline is number 0 of 0
        ir-clip-range: clip 0 ends at 1 before it starts at 2
        ir-length: mesh 0: normals: 2 where 1 belong
        ir-index: mesh 0: vertex of part 0 is number 1 of 1
        ir-length: mesh 0: indices of part 0 beyond whole elements: 2 where 0 belong
        ir-index: mesh 0: material of part 0 is number 0 of 0
        ir-not-finite: mesh 0: a number of a vertex is not finite
        ir-index: skin 0: skeleton is number 1 of 1
        ir-index: skin 0: joint is number 0 of 0
        ir-length: skin 0: inverse bind matrices: 0 where 1 belong
        ir-index: node 0: mesh is number 1 of 1
        ir-index: node 0: skin is number 3 of 1
        ");
    }
}
