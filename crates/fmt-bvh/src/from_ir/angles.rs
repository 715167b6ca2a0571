//! Conversion of rotations to Euler angles that are continuous from frame to frame.

use std::f64::consts::{PI, TAU};

use anim_ir::{EulerOrder, Quat};

/// The axes of an order, in the order of the product.
pub(super) fn axes(order: EulerOrder) -> [usize; 3] {
    let mut axes = [0; 3];
    for (slot, letter) in axes.iter_mut().zip(order.name().bytes()) {
        *slot = usize::from(letter.saturating_sub(b'x'));
    }
    axes
}

/// Returns the Euler angles of a rotation that are closest to those of the previous frame. Every
/// rotation has two sets of angles, and any multiple of 360° can be added to each angle.
pub(super) fn nearest(rotation: Quat, order: EulerOrder, before: Option<[f64; 3]>) -> [f64; 3] {
    let angles = rotation.to_euler(order);
    let Some(before) = before else { return angles };
    let [first, middle, last] = axes(order).map(|axis| at(angles, axis));
    let before = axes(order).map(|axis| at(before, axis));
    let mut found = [first, middle, last];
    if middle.cos().abs() < 1e-5 && last == 0.0 {
        // In gimbal lock, keep the last angle and solve for the first.
        let [axis, next, _] = axes(order);
        let is_cyclic = (axis + 1) % 3 == next;
        let sign = if is_cyclic == (middle > 0.0) { 1.0 } else { -1.0 };
        found = [first - sign * before[2], middle, before[2]];
    }
    let [first, middle, last] = found;
    let flipped = [first + PI, PI - middle, last + PI];
    let [found, flipped] = [found, flipped].map(|angles| unwound(angles, before));
    let best = if distance(flipped, before) < distance(found, before) { flipped } else { found };
    let mut angles = [0.0; 3];
    for (axis, angle) in axes(order).into_iter().zip(best) {
        if let Some(slot) = angles.get_mut(axis) {
            *slot = angle;
        }
    }
    angles
}

/// Adds multiples of 360° to bring each angle as close as possible to the previous one.
fn unwound([a, b, c]: [f64; 3], before: [f64; 3]) -> [f64; 3] {
    let near = |angle: f64, before: f64| angle + TAU * ((before - angle) / TAU).round();
    [near(a, before[0]), near(b, before[1]), near(c, before[2])]
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.into_iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

fn at(angles: [f64; 3], axis: usize) -> f64 {
    angles.get(axis).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_continuous_through_turns_and_quarter_turns() {
        for order in EulerOrder::ALL {
            let [_, middle, _] = axes(order);
            let mut before = None;
            for step in 0..400 {
                let turn = f64::from(step) * 0.05;
                let mut angles = [turn, 0.5 - 0.7 * turn, 0.3 + 0.2 * turn];
                angles.swap(1, middle);
                // The middle angle passes through 90°, and sometimes stays there.
                if step % 100 > 80 {
                    angles[middle] = std::f64::consts::FRAC_PI_2;
                }
                let rotation = Quat::from_euler(angles, order);
                let found = nearest(rotation, order, before);
                let again = Quat::from_euler(found, order);
                assert!(rotation.angle_to(again) < 1e-5, "{order} {step}: {found:?}");
                if let Some(before) = before
                    && step % 100 < 80
                    && step % 100 > 1
                {
                    let jump = distance(found, before).sqrt();
                    assert!(jump < 0.2, "{order} {step}: {before:?} to {found:?}");
                }
                before = Some(found);
            }
        }
    }
}
