//! Number formatting.

use std::fmt::Write as _;

use anim_ir::Transform;
use anim_ir::number::{narrow, push_shortest};

/// Formats numbers, separated by spaces.
pub(super) fn list(numbers: impl IntoIterator<Item = f32>, out: &mut String) {
    for (index, number) in numbers.into_iter().enumerate() {
        if index > 0 {
            out.push(' ');
        }
        push_shortest(number, out);
    }
}

/// Formats the fields of a `Transform`.
pub(super) fn transform(transform: Transform, out: &mut String) {
    let ([x, y, z], angle) = {
        let (axis, angle) = transform.rotation.to_axis_angle();
        (axis.to_array(), narrow(angle))
    };
    for (field, numbers) in [
        ("translation", &transform.translation.to_array()[..]),
        ("rotation", &[x, y, z, angle]),
        ("scale", &transform.scale.to_array()),
    ] {
        let _ = write!(out, " {field}=\"");
        list(numbers.iter().copied(), out);
        out.push('"');
    }
}
