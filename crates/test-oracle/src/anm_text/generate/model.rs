//! Models for the files, and names and times of both.

use crate::anm_text::evaluate::{Bone, FRAMES_PER_SECOND, Tree};
use crate::random::Rng;

/// The last frame near which there is something.
const LAST_FRAME: usize = 200;
/// What names are made of; some look like other fields, and no name begins with the sign of an
/// option.
const NAMES: [&str; 12] = [
    "lElbow",
    "Bip01_L_Hand",
    "as",
    "bl",
    "5",
    "-5",
    "#",
    "\u{e9}paule",
    "\u{a0}",
    "a/b",
    "\u{1f984}",
    "nan",
];

/// The puppet of testdata/README.md: keys at the frames 0, 10, … 100.
pub fn puppet() -> Tree {
    let bones = [
        ("root", None),
        ("spine", Some(0)),
        ("neck", Some(1)),
        ("head", Some(2)),
        ("shoulder", Some(1)),
        ("elbow", Some(4)),
        ("hand", Some(5)),
        ("thumb", Some(6)),
        ("hip", Some(0)),
        ("knee", Some(8)),
    ];
    let keys: Vec<f64> = (0_u8..=10).map(|key| f64::from(f32::from(key) * 10.0 / 24.0)).collect();
    Tree {
        bones: bones
            .map(|(name, parent)| Bone { name: name.to_owned(), parent, keys: keys.clone() })
            .into(),
    }
}

/// A model of so many bones, some of which hang from none. Bones stand in any order. Keys are at
/// whole frames, between them, and off the frames by less and by more than what a reader tolerates.
pub fn tree(rng: &mut Rng, bones: usize) -> Tree {
    // Where each bone of the hierarchy stands.
    let mut places: Vec<usize> = (0..bones).collect();
    rng.shuffle(&mut places);
    let mut tree = Tree { bones: vec![Bone::default(); bones] };
    for (number, &place) in places.iter().enumerate() {
        let parent = (number > 0 && rng.chance(85)).then(|| places[rng.below(number)]);
        let mut keys: Vec<f64> = (0..rng.below(12)).map(|_| key(rng)).collect();
        keys.sort_by(f64::total_cmp);
        keys.dedup();
        tree.bones[place] = Bone { name: name(rng, place), parent, keys };
    }
    tree
}

/// A time in seconds that is an `f32`, as it is in models.
fn key(rng: &mut Rng) -> f64 {
    let frame = quarters(rng) + rng.pick(&[0.0, 0.0, 0.0, 0.0004, -0.0004, 0.01, -0.01]);
    f64::from((frame / FRAMES_PER_SECOND).max(0.0) as f32)
}

/// A frame, mostly a whole one.
pub(super) fn quarters(rng: &mut Rng) -> f64 {
    let frame = rng.below(LAST_FRAME) as f64;
    if rng.chance(70) { frame } else { frame + rng.below(4) as f64 * 0.25 }
}

/// A name that no other number has.
pub(super) fn name(rng: &mut Rng, number: usize) -> String {
    format!("{}_{number}", rng.pick(&NAMES))
}
