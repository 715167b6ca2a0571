//! Looks up states by name. Names are hashed, and most keys are resolved, while the text is being
//! read: in a large file, going back to a name would be a cache miss each time.

use std::cmp::Ordering;

use anim_ir::number::index32;
use anim_ir::sort_by;
use anim_ir::source::Place;

use crate::content::{Content, StateData, StateKind, UNDEFINED};

/// The hashes of the names of all states, and where to look for the state that a key shows.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// A hash in the upper half, the index of the state in the lower half.
    entries: Vec<u64>,
    /// The state after that of the previous key.
    after_key: u32,
    /// The state after the previous keyframe state.
    after_keyframe: u32,
}

impl Names {
    /// Adds the name of the next state.
    pub(crate) fn add(&mut self, name: &[u8], kind: StateKind) {
        let index = index32(self.entries.len());
        self.entries.push(hash(name) | u64::from(index));
        if let StateKind::Keyframe(_) = kind {
            self.after_keyframe = index.saturating_add(1);
        }
    }

    /// Returns a state with the given name, which may not be the first one, if it is where it
    /// usually is: keyframe states tend to show the states between the previous keyframe state and
    /// themselves, in this order.
    pub(crate) fn guess(&mut self, source: &[u8], states: &[StateData], name: &[u8]) -> u32 {
        for guess in [self.after_key, self.after_keyframe] {
            let state = states.get(guess as usize);
            if state.is_some_and(|state| state.name.of(source) == name) {
                self.after_key = guess.saturating_add(1);
                return guess;
            }
        }
        UNDEFINED
    }
}

/// The states of a file, sorted by name.
///
/// The order is that of the hashes, and only names with equal hashes are compared. A file with
/// nothing but such names takes as long as sorting by name would, not quadratic time.
pub(crate) struct ByName<'a> {
    source: &'a [u8],
    states: &'a [StateData],
    entries: Vec<u64>,
    /// The states whose name is that of an earlier state, in order, each with the first such state.
    pub(crate) repeated: Vec<(u32, u32)>,
}

impl<'a> ByName<'a> {
    pub(crate) fn new(source: &'a [u8], content: &'a Content, names: Names) -> ByName<'a> {
        let Names { mut entries, .. } = names;
        let states = content.states.as_slice();
        let text = |entry: u64| name_of(source, states, entry);
        entries.sort_unstable();
        let mut repeated = Vec::new();
        let alike = entries.chunk_by_mut(|a, b| *a & UPPER == *b & UPPER);
        for alike in alike.filter(|alike| alike.len() > 1) {
            sort_by(alike, |a, b| text(*a).cmp(text(*b)).then(a.cmp(b)));
            for equal in alike.chunk_by(|a, b| text(*a) == text(*b)) {
                if let [first, again @ ..] = equal {
                    repeated.extend(again.iter().map(|again| (index(*again), index(*first))));
                }
            }
        }
        sort_by(&mut repeated, |a: &(u32, u32), b| a.cmp(b));
        ByName { source, states, entries, repeated }
    }

    /// Returns the first state with the given name.
    pub(crate) fn find(&self, name: &[u8]) -> Option<u32> {
        self.find_hashed(hash(name), name)
    }

    fn find_hashed(&self, hash: u64, name: &[u8]) -> Option<u32> {
        let text = |entry: u64| name_of(self.source, self.states, entry);
        let before = |entry: &u64| match (*entry & UPPER).cmp(&hash) {
            Ordering::Equal => text(*entry) < name,
            order => order.is_lt(),
        };
        let entry = *self.entries.get(self.entries.partition_point(before))?;
        (entry & UPPER == hash && text(entry) == name).then_some(index(entry))
    }
}

fn name_of<'a>(source: &'a [u8], states: &[StateData], entry: u64) -> &'a [u8] {
    states.get(index(entry) as usize).map_or(&[], |state| Place::of(state.name, source))
}

fn index(entry: u64) -> u32 {
    u32::try_from(entry & !UPPER).unwrap_or(u32::MAX)
}

/// A 32-bit hash that depends on every byte of a name, in the upper half.
fn hash(name: &[u8]) -> u64 {
    // 2^64 divided by the golden ratio. The high bits of a product depend on all bits of its
    // factors.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let (chunks, rest) = name.as_chunks();
    let hash = chunks.iter().fold(0, |hash: u64, chunk| {
        (hash ^ u64::from_le_bytes(*chunk)).wrapping_mul(FACTOR).rotate_left(32)
    });
    // The length distinguishes names that end in zeros.
    let rest = rest.iter().fold(name.len() as u64, |rest, byte| rest << 8 | u64::from(*byte));
    (hash ^ rest).wrapping_mul(FACTOR) & UPPER
}

/// The bits of the hash in an entry.
const UPPER: u64 = 0xffff_ffff_0000_0000;

#[cfg(test)]
mod tests {
    use super::*;

    /// Names that are all different or repeat, with and without equal hashes.
    #[test]
    fn the_first_state_of_each_name_is_found() {
        let names: Vec<String> = (0..200).map(|number| format!("state {}", number % 150)).collect();
        let text = names.concat();
        let mut content = Content::default();
        let (mut entries, mut at) = (Names::default(), 0);
        let kind = StateKind::Keyframe(0);
        for name in &names {
            content.states.push(StateData { name: Place::new(at, name.len()), kind });
            entries.add(name.as_bytes(), kind);
            at += name.len();
        }
        for same_hash in [false, true] {
            let hash_of = |name: &[u8]| if same_hash { 0 } else { hash(name) };
            let mut entries = Names { entries: entries.entries.clone(), ..Names::default() };
            for (entry, name) in entries.entries.iter_mut().zip(&names) {
                *entry = *entry & !UPPER | hash_of(name.as_bytes());
            }
            let by_name = ByName::new(text.as_bytes(), &content, entries);
            let repeated: Vec<_> = (150..200).map(|again| (again, again - 150)).collect();
            assert_eq!(by_name.repeated, repeated);
            let found = |name: &str| by_name.find_hashed(hash_of(name.as_bytes()), name.as_bytes());
            for (index, name) in names.iter().enumerate() {
                assert_eq!(found(name), Some(index32(index % 150)));
            }
            assert_eq!(["", "state", "state 150", "statf 1"].map(found), [None; 4]);
        }
    }

    #[test]
    fn hashes_depend_on_every_byte() {
        for length in 0..20 {
            let name = vec![0_u8; length];
            let longer = [name.as_slice(), &[0]].concat();
            assert_ne!(hash(&name), hash(&longer));
            for at in 0..length {
                let mut other = name.clone();
                other[at] = 1;
                assert_ne!(hash(&name), hash(&other), "{at} of {length}");
            }
        }
    }
}
