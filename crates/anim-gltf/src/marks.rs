//! Marks in the extras of a channel. They say what the writer added for the programs that play the
//! file, so that the reader can leave it out again.

/// `true`: the scene has no such track. The channel holds its node at rest.
pub(crate) const REST: &str = "rest";

/// `true`: the second of the two keys repeats the first, so that the animation has a length.
pub(crate) const HELD: &str = "held";

/// The keys on splines that the channel's linear keys stand for: a map of [`SAMPLER`] and
/// [`CHECKSUM`].
pub(crate) const CUBIC: &str = "cubic";

/// Index of the animation's sampler that has the keys on splines.
pub(crate) const SAMPLER: &str = "sampler";

/// [`checksum`] of the linear times and values, then of those on splines.
pub(crate) const CHECKSUM: &str = "checksum";

/// A checksum of the bits of numbers: it differs where a program has changed any of the keys.
pub(crate) fn checksum(lists: [&[f32]; 4]) -> u32 {
    // Multiplied and rotated as in FxHash; the length keeps lists apart.
    let mut sum = 0_u64;
    let mut add = |word: u64| sum = (sum.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    for list in lists {
        add(u64::try_from(list.len()).unwrap_or(u64::MAX));
        list.iter().for_each(|number| add(number.to_bits().into()));
    }
    u32::try_from(sum >> 32).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_counts_and_so_does_the_list_it_is_in() {
        let lists: [&[f32]; 4] = [&[0.0, 1.0], &[0.5, 0.25], &[0.0], &[0.5]];
        let sum = checksum(lists);
        assert_eq!(sum, checksum(lists));
        for changed in [
            [&[0.0, 1.5][..], &[0.5, 0.25], &[0.0], &[0.5]],
            [&[0.0, 1.0], &[-0.5, -0.25], &[0.0], &[0.5]],
            [&[0.0, 1.0], &[0.5], &[0.25, 0.0], &[0.5]],
            [&[0.0, 1.0], &[0.5, 0.25], &[0.0], &[]],
        ] {
            assert_ne!(checksum(changed), sum, "{changed:?}");
        }
    }
}
