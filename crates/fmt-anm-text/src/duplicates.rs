//! Reports duplicate names of sets, and of animations within a set.

use anim_ir::diag::quote;
use anim_ir::number::index32;
use anim_ir::source::{Lines, Place};
use anim_ir::{Diagnostics, sort_by};

use crate::codes;
use crate::content::{ClipData, SetData};

/// Lists up to this length are searched linearly.
const FEW: usize = 16;

pub(crate) fn report_sets(lines: &Lines<'_>, sets: &[SetData], diagnostics: &mut Diagnostics) {
    let source = lines.source();
    let name = |set: usize| sets.get(set).map(|set| set.name).unwrap_or_default();
    for_each_repeated(source, sets.len(), name, |first, again| {
        diagnostics.push(&codes::SET_DUPLICATE, again.span(), || {
            format!(
                "duplicate set {}, first defined on line {}",
                quote(again.of(source)),
                lines.number(first.span().start)
            )
        });
    });
}

/// Reports duplicate animation names in a set.
pub(crate) fn report_clips(lines: &Lines<'_>, clips: &[ClipData], diagnostics: &mut Diagnostics) {
    let source = lines.source();
    let name = |clip: usize| clips.get(clip).map(|clip| clip.name).unwrap_or_default();
    for_each_repeated(source, clips.len(), name, |first, again| {
        diagnostics.push(&codes::CLIP_DUPLICATE, again.span(), || {
            format!(
                "duplicate animation {}, first defined on line {}",
                quote(again.of(source)),
                lines.number(first.span().start)
            )
        });
    });
}

/// Calls `visit` for each duplicate of a name, with the location of the first occurrence and that
/// of the duplicate, in order of the duplicates.
///
/// Long lists are sorted by a hash of the end of each name, where names usually differ. Only names
/// with equal hashes are compared and sorted, so no list takes quadratic time.
fn for_each_repeated(
    source: &[u8],
    count: usize,
    name: impl Fn(usize) -> Place,
    mut visit: impl FnMut(Place, Place),
) {
    let text = |index: usize| name(index).of(source);
    // Names that are numbered, or in alphabetical order, are all different.
    let key = |index: usize| (name(index).length, text(index));
    if (1..count).all(|index| key(index.wrapping_sub(1)) < key(index)) {
        return;
    }
    if count <= FEW {
        for again in 1..count {
            if let Some(first) = (0..again).find(|first| text(*first) == text(again)) {
                visit(name(first), name(again));
            }
        }
        return;
    }
    let mut names: Vec<u64> =
        (0..count).map(|index| mixed_end(text(index)) << 32 | u64::from(index32(index))).collect();
    names.sort_unstable();
    let mut repeated: Vec<(u32, u32)> = Vec::new();
    for alike in names.chunk_by_mut(|a, b| *a >> 32 == *b >> 32).filter(|alike| alike.len() > 1) {
        // Equal names keep their order.
        sort_by(alike, |a, b| text(index_of(*a)).cmp(text(index_of(*b))).then(a.cmp(b)));
        for equal in alike.chunk_by(|a, b| text(index_of(*a)) == text(index_of(*b))) {
            if let [first, again @ ..] = equal {
                repeated.extend(
                    again
                        .iter()
                        .map(|again| (index32(index_of(*again)), index32(index_of(*first)))),
                );
            }
        }
    }
    sort_by(&mut repeated, Ord::cmp);
    for (again, first) in repeated {
        visit(name(first as usize), name(again as usize));
    }
}

/// A 32-bit hash of the last eight bytes of a name.
fn mixed_end(name: &[u8]) -> u64 {
    let end = name.last_chunk().map_or_else(
        || name.iter().fold(0, |end, byte| end << 8 | u64::from(*byte)),
        |end| u64::from_le_bytes(*end),
    );
    // The high bits of a product depend on all bits of its factors. The factor is 2^64 divided by
    // the golden ratio.
    end.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

fn index_of(name: u64) -> usize {
    usize::try_from(name & u64::from(u32::MAX)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists of various lengths, with and without names that end identically.
    #[test]
    fn names_that_come_again() {
        for count in [5, 16, 17, 300] {
            for long in ["", "_and_more_than_eight_bytes"] {
                let names: Vec<String> =
                    (0..count).map(|index| format!("{}{long}", index % (count - 2))).collect();
                let source = names.concat();
                let mut end = 0;
                let mut place = |name: &String| {
                    end += name.len();
                    Place::new(end - name.len(), name.len())
                };
                let places: Vec<Place> = names.iter().map(&mut place).collect();
                let mut found = Vec::new();
                for_each_repeated(
                    source.as_bytes(),
                    count,
                    |index| places[index],
                    |first, again| found.push((first, again)),
                );
                assert_eq!(
                    found,
                    [(places[0], places[count - 2]), (places[1], places[count - 1])],
                    "{names:?}"
                );
            }
        }
    }
}
