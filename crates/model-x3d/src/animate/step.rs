//! Steps: transforms of the scene and their values in one frame.

use anim_ir::{Mat4, Quat, Transform, Vec3};

use crate::graph::{Graph, Node, NodeId};
use crate::math::to_f32;
use crate::nodes::Family;

/// A transform, or a part of a transform. The fields of a `Transform` are interpolated separately,
/// so a `Transform` that is more than a translation, rotation and scale becomes a chain of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// Translation plus center, rotation, and scale unless the node has a scale orientation.
    Whole {
        /// Whether the scale is handled by [`Part::Orientation`].
        oriented: bool,
    },
    /// Scale orientation, then scale.
    Orientation,
    /// The inverse of the scale orientation.
    OrientationBack,
    /// The inverse of the translation to the center.
    CenterBack,
    /// A matrix (VRML 1.0).
    Matrix,
    /// The visibility of a node.
    Visible,
    /// The visibility of the child with this index in a `Switch`.
    Choice(u32),
}

/// A transform of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Step {
    pub(super) node: NodeId,
    pub(super) part: Part,
}

impl Step {
    /// Returns the transform of the step in one frame. For matrices, see [`Step::matrix`].
    pub(super) fn transform(self, graph: &Graph) -> Transform {
        let Some(node) = graph.node(self.node) else { return Transform::IDENTITY };
        let vector = |field: &str| Vec3::from(node.array::<3>(field));
        let of_scale = if node.kind.family == Family::Vrml1 { "scaleFactor" } else { "scale" };
        let scale = || match node.kind.field(of_scale) {
            Some(_) => vector(of_scale),
            None => Transform::IDENTITY.scale,
        };
        match (self.part, node.kind.name) {
            (Part::Whole { .. }, "Translation") => {
                Transform { translation: vector("translation"), ..Transform::IDENTITY }
            }
            (Part::Whole { .. }, "Rotation") => {
                Transform { rotation: rotation(node, "rotation"), ..Transform::IDENTITY }
            }
            (Part::Whole { .. }, "Scale") => Transform { scale: scale(), ..Transform::IDENTITY },
            (Part::Whole { oriented }, _) => {
                let (moved, center) = (vector("translation"), vector("center"));
                let sum = |a: f32, b: f32| to_f32(f64::from(a) + f64::from(b));
                let translation = Vec3::new(
                    sum(moved.x, center.x),
                    sum(moved.y, center.y),
                    sum(moved.z, center.z),
                );
                Transform {
                    translation,
                    rotation: rotation(node, "rotation"),
                    scale: if oriented { Transform::IDENTITY.scale } else { scale() },
                }
            }
            (Part::Orientation, _) => Transform {
                rotation: rotation(node, "scaleOrientation"),
                scale: scale(),
                ..Transform::IDENTITY
            },
            (Part::OrientationBack, _) => Transform {
                rotation: rotation(node, "scaleOrientation").conjugate(),
                ..Transform::IDENTITY
            },
            (Part::CenterBack, _) => {
                let center = vector("center");
                Transform {
                    translation: Vec3::new(-center.x, -center.y, -center.z),
                    ..Transform::IDENTITY
                }
            }
            (Part::Matrix | Part::Visible | Part::Choice(_), _) => Transform::IDENTITY,
        }
    }

    /// Returns whether what is below the step is visible in one frame.
    pub(super) fn is_visible(self, graph: &Graph) -> bool {
        let Some(node) = graph.node(self.node) else { return true };
        match self.part {
            Part::Visible => node.flag("visible"),
            Part::Choice(child) => is_chosen(node.ints("whichChoice").first().copied(), child),
            _ => true,
        }
    }

    /// Returns the step's matrix in one frame; `None` if the step is not a matrix.
    pub(super) fn matrix(self, graph: &Graph) -> Option<Mat4> {
        // VRML 1.0 matrices are applied to row vectors, so their rows become columns.
        (self.part == Part::Matrix).then(|| {
            graph
                .node(self.node)
                .map_or(Mat4::IDENTITY, |node| Mat4::from_columns(node.array("matrix")))
        })
    }
}

/// Whether a choice, which may be negative for none, is the child with this index.
pub(super) fn is_chosen(choice: Option<i32>, child: u32) -> bool {
    choice.is_some_and(|choice| u32::try_from(choice) == Ok(child))
}

/// Converts an axis and angle to a quaternion. A zero axis results in no rotation.
fn rotation(node: &Node, field: &str) -> Quat {
    let [x, y, z, angle] = node.array::<4>(field);
    Quat::from_axis_angle(Vec3::new(x, y, z), f64::from(angle))
}
