//! Local transforms of nodes.

use anim_ir::{Mat4, Quat, Transform};

use crate::codes;
use crate::json;
use crate::math::{SAME, finite_all, unit};
use crate::read::source::Source;

/// A node's local transform, and its exact matrix if the transform is only an approximation.
pub(crate) type Rest = (Transform, Option<Mat4>);

/// Returns the local transforms of all nodes. Invalid transforms become the identity.
pub(crate) fn rests(source: &mut Source<'_>) -> Vec<Rest> {
    let mut rests = Vec::with_capacity(source.root.nodes.len());
    for (number, node) in source.root.nodes.iter().enumerate() {
        let rest = match node.matrix {
            None => {
                let rotation = node.rotation.map_or(Quat::IDENTITY, |rotation| {
                    finite_all(unit(rotation.map(f64::from))).into()
                });
                let (translation, scale) = (
                    node.translation.unwrap_or_default().into(),
                    node.scale.unwrap_or([1.0; 3]).into(),
                );
                (Transform { translation, rotation, scale }, None)
            }
            Some(matrix) => near(Mat4::from_columns(matrix)),
        };
        let affine = node.matrix.is_none_or(|matrix| {
            Mat4::from_columns(matrix).columns.map(|[.., last]| last) == [0.0, 0.0, 0.0, 1.0]
        });
        if affine && is_finite(&rest) {
            rests.push(rest);
        } else {
            source.found.push(&codes::TRANSFORM, None, || {
                format!("/nodes/{number}: the transform is not finite, or its matrix is not affine")
            });
            rests.push((Transform::IDENTITY, None));
        }
    }
    rests
}

/// Whether a node's transform is the identity and the node does not specify its visibility.
pub(crate) fn is_at_origin(node: &json::Node<'_>, rest: &Rest) -> bool {
    *rest == (Transform::IDENTITY, None) && node.extensions.visibility.is_none()
}

pub(crate) fn is_finite((transform, exact): &Rest) -> bool {
    transform.is_finite() && exact.is_none_or(Mat4::is_finite)
}

/// Converts a matrix to a transform. Also returns the matrix if the transform cannot represent it.
pub(crate) fn near(matrix: Mat4) -> Rest {
    let rest = matrix.to_transform();
    (rest, Some(matrix).filter(|matrix| !matrix.is_near(rest.to_matrix(), SAME)))
}
