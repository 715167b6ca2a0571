//! X3D and VRML tests: the common conformance suite, and the conversion of frames.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "tests fail loudly"
)]

mod animate;
mod baked;
mod common;
mod costs;
mod events;
mod expected;
mod frames;
mod includes;
mod kept;
mod looks;
mod many_clips;
mod names;
mod of_scene;
mod prototypes;
mod robustness;
mod sensors;
mod skins;
mod splines;
mod text_size;
mod written;
mod written_skins;

use conformance::Reading;
use model_x3d::X3d;

conformance::suite! {
    folder: "x3d",
    subjects: vec![Subject::written::<X3d>()],
    more_than: 200,
    table: Table::Coarse,
    losses_count: true,
    opens_files: true,
    row: |name| ["err", "warn"].into_iter().find(|folder| name.starts_with(folder)),
    said: said,
    is_shown: |file| SHOWN.split_whitespace().any(|shown| shown == file),
    shown: |reading| said(reading) + &anim_ir::dump(&reading.scene),
    also: robustness::two_frames,
}

/// Files that each cover a different feature.
const SHOWN: &str = "
    castle_fields.x3dv
    colour_per_face_indexed.x3d crease_slanted_sides.x3d def_use.x3d image_texture_generated.x3d
    indexed_line_set_colour_per_line.x3d inline_1.wrl material.x3d material_per_vertex_1.wrl
    matrix_transform_sheared_1.wrl no_appearance.x3d point_set_colours.x3d
    shape_hints_clockwise_1.wrl texture_transform.x3d transform_all_fields.x3d
    transforms_accumulate_1.wrl viewpoint.x3d
";

/// Returns the diagnostics of a file and the files it includes, which are read with its scene.
fn said(reading: &Reading) -> String {
    let mut diagnostics = reading.diagnostics.clone();
    diagnostics.append(reading.losses.clone());
    reading.listing(&diagnostics)
}
