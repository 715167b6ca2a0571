//! Mutated fixtures, for properties that must also hold for broken files.

use std::fmt;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use test_oracle::fixtures;

/// Fixtures up to this size are used, in bytes.
const SMALL: usize = 2 << 10;

/// Tokens that are invalid in most positions.
const TOKENS: [&str; 20] = [
    "0",
    "-1",
    "1.5",
    "1e39",
    "nan",
    "4294967295",
    "9999999999999999999999",
    "x",
    "{",
    "}",
    "{}",
    "{a}",
    "\"",
    "<",
    "/>",
    "#",
    "\\",
    "\n",
    "\r",
    "\u{e9}",
];

/// A change of one token, or a truncation.
#[derive(Clone, Debug)]
enum Mutation {
    Remove(Index),
    Repeat(Index),
    Replace(Index, usize),
    Insert(Index, usize),
    /// Replaces a token with another token of the file.
    Copy(Index, Index),
    /// Truncates the file.
    Truncate(Index),
}

/// A fixture, possibly changed.
#[derive(Clone)]
pub struct Mutated(pub Vec<u8>);

impl fmt::Debug for Mutated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

/// Returns fixtures with up to three mutations.
pub fn mutated(format: &str, extensions: &[&str]) -> impl Strategy<Value = Mutated> + use<> {
    let mut files = fixtures::all(format, extensions, 10);
    files.retain(|(_, bytes)| bytes.len() <= SMALL);
    (any::<Index>(), prop::collection::vec(mutation(), 0..=3)).prop_map(move |(file, mutations)| {
        let (_, mut bytes) = files[file.index(files.len())].clone();
        for mutation in &mutations {
            bytes = mutation.apply(&bytes);
        }
        Mutated(bytes)
    })
}

/// Makes one or more mutations. The same seed makes the same mutations.
pub fn mutate(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mutations = drawn(&prop::collection::vec(mutation(), 1..=3), seed);
    mutations.iter().fold(bytes.to_vec(), |bytes, mutation| mutation.apply(&bytes))
}

/// Returns a value that a strategy makes. The same seed makes the same value.
pub fn drawn<T: fmt::Debug>(strategy: &impl Strategy<Value = T>, seed: u64) -> T {
    let mut chacha = [0; 32];
    chacha[..8].copy_from_slice(&seed.to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &chacha);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), random);
    strategy.new_tree(&mut runner).expect("few values are rejected").current()
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let token = 0..TOKENS.len();
    prop_oneof![
        any::<Index>().prop_map(Mutation::Remove),
        any::<Index>().prop_map(Mutation::Repeat),
        (any::<Index>(), token.clone()).prop_map(|(at, token)| Mutation::Replace(at, token)),
        (any::<Index>(), token).prop_map(|(at, token)| Mutation::Insert(at, token)),
        any::<[Index; 2]>().prop_map(|[at, from]| Mutation::Copy(at, from)),
        any::<Index>().prop_map(Mutation::Truncate),
    ]
}

impl Mutation {
    fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let mut tokens = tokens(bytes);
        if tokens.is_empty() {
            return bytes.to_vec();
        }
        let count = tokens.len();
        match self {
            Mutation::Remove(at) => drop(tokens.remove(at.index(count))),
            Mutation::Repeat(at) => tokens.insert(at.index(count), tokens[at.index(count)]),
            Mutation::Replace(at, token) => tokens[at.index(count)] = TOKENS[*token].as_bytes(),
            Mutation::Insert(at, token) => {
                tokens.insert(at.index(count), TOKENS[*token].as_bytes());
            }
            Mutation::Copy(at, from) => tokens[at.index(count)] = tokens[from.index(count)],
            Mutation::Truncate(at) => tokens.truncate(at.index(count)),
        }
        tokens.concat()
    }
}

/// Splits a text into words, runs of spaces and tabs, and other single characters.
fn tokens(bytes: &[u8]) -> Vec<&[u8]> {
    let class = |byte: u8| match byte {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'+' | b'-' | b'.' | b'_' | 0x80.. => 0,
        b' ' | b'\t' => 1,
        _ => 2,
    };
    bytes.chunk_by(|a, b| class(*a) == class(*b) && class(*a) != 2).collect()
}
