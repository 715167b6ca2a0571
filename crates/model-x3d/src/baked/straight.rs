//! Finds the scenes that are more than interpolations of others.

use std::sync::Arc;

use anim_ir::number::narrow;
use anim_ir::{Quat, Vec3};

use crate::compare::unify;
use crate::graph::{Graph, Node};
use crate::math::to_f64;
use crate::nodes::FieldKind;

/// Deviations of numbers that are due to single precision, relative to the largest number of a
/// field.
const ROUNDING: f64 = 2e-6;
/// Deviations of numbers that were written with four decimals, as newer converters do.
const FOUR_DECIMALS: f64 = 1.5e-4;
/// Deviations of rotations, in radians.
const ANGLE: f64 = 2e-4;

/// Returns for each of several evenly spaced scenes whether it is needed, or equal to the
/// interpolation of the needed scenes around it. Scenes share equal nodes afterwards.
pub(super) fn knots(scenes: &mut [Arc<Graph>]) -> Vec<bool> {
    let mut continues = vec![false; scenes.len()];
    for (at, continues) in continues.iter_mut().enumerate().skip(1) {
        if let Some([before, after]) = scenes.get_mut(at.saturating_sub(1)..=at)
            && let [before, after] = [before, after]
        {
            *continues = unify(before, Arc::make_mut(after), 0.0).is_none();
        }
    }
    let scene = |at: usize| scenes.get(at).map(Arc::as_ref);
    let is_between = |from: usize, at: usize, to: usize| {
        let part = to_f64(at.saturating_sub(from)) / to_f64(to.saturating_sub(from));
        match (scene(from), scene(at), scene(to)) {
            (Some(a), Some(middle), Some(b)) => is_mix(a, middle, b, part),
            _ => false,
        }
    };
    let flows = |at: usize| continues.get(at) == Some(&true);
    let mut kept: Vec<bool> = (0..scenes.len())
        .map(|at| {
            let (before, after) = (at.wrapping_sub(1), at.saturating_add(1));
            !(flows(at) && flows(after) && is_between(before, at, after))
        })
        .collect();
    // Small deviations add up, so compare with the scenes that are left.
    let left: Vec<usize> =
        kept.iter().enumerate().filter(|(_, is_kept)| **is_kept).map(|(at, _)| at).collect();
    for (from, to) in left.iter().zip(left.iter().skip(1)) {
        for at in from.saturating_add(1)..*to {
            if let Some(place) = kept.get_mut(at).filter(|_| !is_between(*from, at, *to)) {
                *place = true;
            }
        }
    }
    kept
}

/// Whether a scene is the interpolation of two others of equal structure.
fn is_mix(a: &Graph, middle: &Graph, b: &Graph, part: f64) -> bool {
    let nodes = a.nodes.iter().zip(&middle.nodes).zip(&b.nodes);
    let mut changed =
        nodes.filter(|((a, middle), b)| !(Arc::ptr_eq(a, middle) && Arc::ptr_eq(middle, b)));
    changed.all(|((a, middle), b)| is_mix_of_nodes(a, middle, b, part))
}

fn is_mix_of_nodes(a: &Node, middle: &Node, b: &Node, part: f64) -> bool {
    middle.kind.fields.iter().all(|field| {
        let [a, middle, b] = [a, middle, b].map(|node| node.floats(field.name));
        match field.kind {
            // The engine interpolates linear colours, and colours are not animated anyway.
            FieldKind::SFColor | FieldKind::MFColor => true,
            FieldKind::SFColorRGBA | FieldKind::MFColorRGBA => true,
            FieldKind::SFRotation | FieldKind::MFRotation => {
                let quads = a.as_chunks::<4>().0.iter().zip(middle.as_chunks::<4>().0);
                quads.zip(b.as_chunks::<4>().0).all(|((a, middle), b)| {
                    let [a, middle, b] = [a, middle, b].map(rotation);
                    middle.angle_to(a.slerp(b, narrow(part))) < ANGLE
                })
            }
            _ => is_mix_of_numbers(a, middle, b, part),
        }
    })
}

fn is_mix_of_numbers(a: &[f32], middle: &[f32], b: &[f32], part: f64) -> bool {
    let all = || a.iter().chain(middle).chain(b).map(|number| f64::from(*number));
    let most = all().fold(0.0_f64, |most, number| most.max(number.abs()));
    let is_short = |number: f64| {
        let scaled = number * 1e4;
        number.abs() < 400.0 && (scaled - scaled.round()).abs() < 0.05
    };
    let allowed = if all().all(is_short) { FOUR_DECIMALS } else { most * ROUNDING };
    a.iter().zip(middle).zip(b).all(|((a, middle), b)| {
        let [a, middle, b] = [*a, *middle, *b].map(f64::from);
        (a + (b - a) * part - middle).abs() <= allowed
    })
}

fn rotation([x, y, z, angle]: &[f32; 4]) -> Quat {
    Quat::from_axis_angle(Vec3::new(*x, *y, *z), f64::from(*angle))
}
