//! Round trips: parsed files are written back, and written files are parsed.

use fmt_anm_text::{Document, NewBone, NewClip, NewEvent, NewSet};
use test_oracle::anm_text::generate::{self, Options};
use test_oracle::fixtures;
use test_oracle::random::Rng;

/// Random data is unchanged after writing and parsing, and is then written identically.
#[test]
fn random_documents_round_trip() {
    let count = fixtures::scale(10_000, 100_000);
    let (mut events, mut bytes) = (0, 0);
    for seed in 0..count as u64 {
        let mut rng = Rng::new(seed);
        let sets = sets(&mut rng);
        let printed = Document::build(&sets).unwrap();
        let parsed = Document::parse(printed.to_bytes()).unwrap().value;
        assert_eq!(parsed.data(), sets, "{}", String::from_utf8_lossy(&printed.to_bytes()));
        assert_eq!(Document::build(&parsed.data()).unwrap().to_bytes(), printed.to_bytes());
        events += sets.iter().map(|set| set.events.len()).sum::<usize>();
        bytes += printed.to_bytes().len();
    }
    assert!(events > count && bytes > 100 * count, "{events} {bytes}");
}

/// Files in other layouts are rewritten in the standard layout with the same data. Writing them
/// again changes nothing.
#[test]
fn other_layouts_are_normalised() {
    let mut changed = 0;
    for seed in 0..2_000 {
        let mut rng = Rng::new(seed);
        let tree = generate::tree(&mut rng, 8);
        // The writer rejects names that begin with `#`.
        let text = generate::file(&mut rng, &tree, &Options::default()).replace('#', "number");
        let Ok(parsed) = Document::parse(text.as_bytes()) else { continue };
        let plain = Document::build(&parsed.value.data()).unwrap();
        assert_eq!(plain.data(), parsed.value.data(), "{text}");
        assert_eq!(Document::build(&plain.data()).unwrap().to_bytes(), plain.to_bytes());
        changed += usize::from(plain.to_bytes() != text.as_bytes());
    }
    assert!(changed > 1_500, "{changed}");
}

fn sets(rng: &mut Rng) -> Vec<NewSet> {
    let set = |rng: &mut Rng| NewSet {
        name: name(rng),
        bones: list(rng, 1, |rng| NewBone {
            name: name(rng),
            children: rng.chance(50),
            parent: rng.chance(50),
        }),
        events: list(rng, 0, |rng| NewEvent { time: time(rng), name: name(rng) }),
        clips: list(rng, 1, |rng| {
            let (a, b) = (time(rng), time(rng));
            NewClip { start: a.min(b), end: a.max(b), name: name(rng) }
        }),
    };
    list(rng, 1, set)
}

fn list<T>(rng: &mut Rng, least: usize, mut make: impl FnMut(&mut Rng) -> T) -> Vec<T> {
    (0..rng.between(least, 4)).map(|_| make(rng)).collect()
}

/// Returns a random name of valid characters that does not start with `+` or `#`.
fn name(rng: &mut Rng) -> String {
    let first = rng.pick(&["a", "as", "bl", "0", "-1", "/", "é", "\u{a0}", "\u{1f984}", "\u{1b}"]);
    (0..rng.below(6)).fold(first.to_owned(), |name, _| {
        name + rng.pick(&["b", "#", "+", "5", ".", "\"", "é", "\u{2028}", "頭", "\x7f"])
    })
}

/// Returns a random finite time.
fn time(rng: &mut Rng) -> f32 {
    let bits = u32::try_from(rng.next_u64() >> 32).unwrap();
    match rng.below(3) {
        0 => f32::from(u16::try_from(bits >> 22).unwrap()),
        1 => Some(f32::from_bits(bits)).filter(|time| time.is_finite()).unwrap_or(f32::MAX),
        _ => f32::from(u16::try_from(bits >> 16).unwrap()) / 24.0 - 100.0,
    }
}
