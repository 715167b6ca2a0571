//! The up axis, which files do not state.

use anim_ir::{Diagnostic, Diagnostics, Skeleton};

use crate::codes;
use crate::document::Document;

/// How many times longer along z than along y a z-up skeleton is.
const CLEARLY: f64 = 2.0;

/// Reports a skeleton that seems to be z-up: at rest it is at least twice as long along z as along
/// y, and in the first frame the root is up there, too.
pub(super) fn note(document: &Document<'_>, skeleton: &Skeleton, losses: &mut Diagnostics) {
    let mut places: Vec<[f64; 3]> = Vec::with_capacity(skeleton.joints.len());
    let mut bounds = [[0.0_f64; 2]; 3];
    let Some(root) = document.joint(0) else { return };
    for joint in &skeleton.joints {
        let parent = joint.parent.and_then(|parent| places.get(parent.index()).copied());
        // The root's own offset places the figure and is not part of it.
        let own = if parent.is_some() { joint.rest.translation.to_f64() } else { [0.0; 3] };
        let [x, y, z] = parent.unwrap_or_default();
        let place = [x + own[0], y + own[1], z + own[2]];
        for ([low, high], at) in bounds.iter_mut().zip(place) {
            (*low, *high) = (low.min(at), high.max(at));
        }
        places.push(place);
    }
    let [_, y, z] = bounds.map(|[low, high]| high - low);
    let [_, root_y, root_z] = start(document, &root);
    if z > CLEARLY * y && root_z > CLEARLY * root_y.abs() && root_z > z / 4.0 {
        losses.report(&codes::Z_UP, || {
            let message = format!("the skeleton is {z:.1} long along z, {y:.1} along y");
            Diagnostic::new(&codes::Z_UP, root.span(), message)
                .help("if z points up, `--up z` turns it for outputs with y up")
        });
    }
}

/// Position of the root in the first frame.
fn start(document: &Document<'_>, root: &crate::Joint<'_>) -> [f64; 3] {
    let mut place = root.offset().map(f64::from);
    let row = document.frame(0).map(|frame| frame.values()).unwrap_or_default();
    let row = row.get(root.first_channel()..).unwrap_or_default();
    for (channel, value) in root.channels().iter().zip(row) {
        if let Some(slot) = channel.position().and_then(|axis| place.get_mut(axis)) {
            *slot = f64::from(*value);
        }
    }
    place
}
