//! Deterministic random files: small files in every dialect, which cover the notes' table and
//! readings, and large files for benchmarks.
//!
//! The same arguments always produce the same bytes. Cases that the notes leave open are not
//! generated: clips without keys, comments after names, joints that have rotations but only a
//! position in some `k`, two `k` at the same time that omit different joints, and two rotations of
//! a joint that are 180° apart.

mod large;
mod lines;
mod scene;
mod write;

pub use self::large::{large_amo, large_obj};
use self::scene::Scene;
use self::write::Writer;
use crate::amo::evaluate::Dialect;
use crate::random::Rng;

/// Generates a random valid file in a dialect, different for every seed.
///
/// Each feature in the notes' table and readings occurs in some of the files: one to eight joints
/// (none in one of twelve [`Dialect::Counted`] files) in any order, several clips, position and
/// rotation keys at different times, keys of only one kind, unsorted and duplicate keys, unused
/// joints, weights that do not sum to 1 (D2, D3) or are all 0, rest matrices with scale and shear
/// (D2, D3), five weights (D2), polygons with three to six corners and negative indices (not in
/// D3), the other lines of D2 and D3, comments, and all kinds of line breaks.
pub fn amo(dialect: Dialect, seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed.wrapping_mul(8).wrapping_add(dialect as u64));
    let scene = Scene::new(dialect, &mut rng);
    let mut writer = Writer::new(dialect, &mut rng);
    if dialect == Dialect::Counted {
        writer.counted(&scene);
    } else {
        writer.lines(&scene);
    }
    writer.finish()
}
