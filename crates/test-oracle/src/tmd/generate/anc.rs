//! ANC files.

use super::bytes::{MAGIC, ODD_RATES, RATES, any_i16, junk, numbers, push, put};
use crate::random::Rng;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AncOptions {
    /// The deviation from the canonical form.
    pub case: AncCase,
    /// Number of records, at least 1.
    pub records: usize,
}

impl Default for AncOptions {
    fn default() -> Self {
        Self { case: AncCase::Canonical, records: 12 }
    }
}

cases! {
    /// A deviation from the canonical form. Files are canonical otherwise.
    pub enum AncCase {
        Canonical,
        /// Some cameras look straight up or down.
        Vertical,
        /// Some cameras look at their own position.
        NoDirection,
        /// Some fields of view are zero, negative, or at least 180°.
        OddFov,
        /// The magic number is different.
        BadMagic,
        /// The rate does not occur in the game's files.
        OddRate,
        /// The file ends within its last record.
        Truncated,
        /// The file has trailing bytes.
        Trailing,
    }
}

/// Generates a file with randomly positioned cameras and any roll, including more than 360°.
pub fn anc(rng: &mut Rng, options: &AncOptions) -> Vec<u8> {
    let &AncOptions { case, records } = options;
    let mut bytes = Vec::new();
    let rate = if case == AncCase::OddRate { rng.pick(&ODD_RATES) } else { rng.pick(&RATES) };
    let count = u16::try_from(records).expect("a count that fits the header");
    push(&mut bytes, &[MAGIC as i16, rate, count as i16]);
    let level = rng.chance(30);
    let chosen = rng.below(records);
    for record in 0..records {
        let odd = record == chosen || rng.chance(30);
        let eye = numbers(rng);
        let mut look_at = numbers(rng);
        match case {
            AncCase::NoDirection if odd => look_at = eye,
            AncCase::Vertical if odd => {
                look_at = [eye[0], if eye[1] > 0 { eye[1] - 1000 } else { eye[1] + 1000 }, eye[2]];
            }
            // Other cameras do not look along y.
            _ if [look_at[0], look_at[2]] == [eye[0], eye[2]] => {
                look_at[0] = eye[0].wrapping_add(100)
            }
            _ => {}
        }
        let roll = match rng.below(4) {
            _ if level => 0,
            0 => rng.pick(&[0, 1024, -1024, 4096]),
            _ => any_i16(rng),
        };
        let fov = if case == AncCase::OddFov && odd {
            rng.pick(&[0, -1, -512, 2048, 4096, i16::MIN, i16::MAX])
        } else {
            rng.between(1, 2047) as i16
        };
        push(&mut bytes, &eye);
        push(&mut bytes, &look_at);
        push(&mut bytes, &[roll, fov]);
    }
    match case {
        AncCase::BadMagic => put(&mut bytes, 0, rng.pick(&[0x0080, 0, 0x8001])),
        AncCase::Truncated => bytes.truncate(bytes.len() - rng.between(1, 16)),
        AncCase::Trailing => bytes.extend(junk(rng.between(1, 40), rng)),
        _ => {}
    }
    bytes
}
