//! Deterministic random files: small ones of every dialect that use everything in the notes' table
//! and readings, and large ones for benchmarks.
//!
//! The same arguments always produce the same bytes. What the notes leave open is not written: a
//! clip without keys, a comment after a name, a joint that a `k` gives a position but no rotation
//! although it has rotations elsewhere, two `k` at the same time that omit different joints, two
//! rotations of a joint that are 180° apart.

mod large;
mod lines;
mod scene;
mod write;

pub use self::large::{large_amo, large_obj};
use self::scene::Scene;
use self::write::Writer;
use crate::amo::evaluate::Dialect;
use crate::random::Rng;

/// A random valid file of a dialect, different for every seed.
///
/// All features of the notes' table and readings occur, each in some of the files: one to eight
/// joints (none in one of twelve [`Dialect::Counted`] files) in any order, several clips, keys of
/// either kind at their own times or of one kind only, unsorted and duplicate ones, unused joints,
/// weights that do not sum to 1 (D2, D3) or are all 0, rest matrices with scale and shear (D2, D3),
/// five weights (D2), polygons of three to six corners and negative indices (not in D3), the other
/// lines of D2 and D3, comments, all kinds of line breaks.
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
