//! Marks in extras. Those of channels identify keys that the writer added for compatibility with
//! players, so that the reader can remove them.

/// `true`: the channel holds its node in the rest pose and does not correspond to a track of the
/// scene.
pub(crate) const REST: &str = "rest";

/// `true`: the second of the two keys duplicates the first, to give the animation a duration.
pub(crate) const HELD: &str = "held";

/// In the extras of an animation, `true`: the clip has no motion. The scene's extras describe it,
/// and the animation only holds a node in the rest pose, since glTF does not allow animations
/// without channels.
pub(crate) const EMPTY: &str = "empty";

/// In the scene's description of a clip without motion: the name of the animation that stands for
/// it.
pub(crate) const ANIMATION: &str = "animation";

/// Identifies the cubic keys that the channel's linear keys replace: a map with [`SAMPLER`] and
/// [`CHECKSUM`].
pub(crate) const CUBIC: &str = "cubic";

/// Index of the animation's sampler with the cubic keys.
pub(crate) const SAMPLER: &str = "sampler";

/// [`checksum`] of the linear times and values and the cubic times and values, in this order.
pub(crate) const CHECKSUM: &str = "checksum";

/// Returns a checksum of the keys' bits, for detecting changes by other programs.
pub(crate) fn checksum(lists: [&[f32]; 4]) -> u32 {
    // FxHash. Each list is preceded by its length.
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
    fn checksum_depends_on_every_number_and_its_list() {
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
