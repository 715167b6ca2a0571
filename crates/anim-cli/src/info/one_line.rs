//! The short form of `animfmt info`: one line per file.

use anim_formats::anim_ir::diag::seconds;

use super::report::Info;
use crate::term::{count, counts};

/// Returns the format, the number of clips, the length of the longest clip, the numbers of joints
/// and triangles, and the problems. Cells for zero counts are empty.
pub(crate) fn cells(info: &Info) -> Vec<String> {
    let some = |number: usize, one, many| match number {
        0 => String::new(),
        number => count(number, one, many),
    };
    let lengths = info.clips.iter().map(|clip| f64::from(clip.end) - f64::from(clip.start));
    let longest = lengths.fold(0.0, f64::max);
    let joints = || info.skeletons.iter().flat_map(|skeleton| &skeleton.joints);
    // Without a hierarchy, motion rarely looks right.
    let roots = joints().filter(|joint| joint.parent.is_none()).count();
    let [joint, all_joints] = match joints().count() {
        2.. if joints().count() == roots => ["root joint", "root joints"],
        _ => ["joint", "joints"],
    };
    let triangles = info.meshes.iter().map(|mesh| mesh.triangles);
    let problems = counts([
        (info.totals.errors, "error", "errors"),
        (info.totals.warnings, "warning", "warnings"),
    ]);
    vec![
        info.title.to_owned(),
        some(info.clips.len(), "clip", "clips"),
        if longest > 0.0 { seconds(longest) } else { String::new() },
        some(joints().count(), joint, all_joints),
        some(triangles.fold(0, usize::saturating_add), "triangle", "triangles"),
        problems,
    ]
}
