//! Parses text.

use super::{Behaviour, Channel, File, Key, Motion, Node, Sequence, State, Way};

/// Parses a file.
///
/// # Panics
///
/// On violations of the grammar in the notes, non-finite numbers, types, flags and times out of
/// range, and text after the last state.
pub fn parse(text: &str) -> File {
    let mut tokens = Tokens(text);
    assert_eq!(tokens.word(), "#MINDRENDER");
    let version = tokens.word().to_owned();
    let states = tokens.list(Tokens::state);
    assert_eq!(tokens.rest(), "", "text after the last state");
    File { version, states }
}

/// The rest of the text.
struct Tokens<'a>(&'a str);

impl<'a> Tokens<'a> {
    /// Returns the rest, without leading whitespace.
    fn rest(&mut self) -> &'a str {
        self.0 = self.0.trim_ascii_start();
        self.0
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_ascii_whitespace() || c == '{').unwrap_or(rest.len());
        assert_ne!(end, 0, "no word");
        let (word, rest) = rest.split_at(end);
        self.0 = rest;
        word
    }

    fn label(&mut self) -> String {
        let (label, rest) = self
            .rest()
            .strip_prefix('{')
            .expect("a label")
            .split_once('}')
            .expect("the end of a label");
        self.0 = rest;
        label.to_owned()
    }

    fn number(&mut self) -> f64 {
        let number: f32 = self.word().parse().unwrap();
        assert!(number.is_finite());
        f64::from(number)
    }

    fn vector(&mut self) -> [f64; 3] {
        [0; 3].map(|_| self.number())
    }

    fn flag(&mut self) -> bool {
        match self.word() {
            "0" => false,
            "1" => true,
            other => panic!("{other} is not a flag"),
        }
    }

    /// Parses an animation type.
    fn kind(&mut self, last: u8) -> u8 {
        let kind = self.word().parse().unwrap();
        assert!(kind <= last, "type {kind}");
        kind
    }

    /// Parses a count, followed by that many items.
    fn list<T>(&mut self, item: impl Fn(&mut Self) -> T) -> Vec<T> {
        let count: usize = self.word().parse().unwrap();
        (0..count).map(|_| item(self)).collect()
    }

    fn state(&mut self) -> State {
        let name = self.label();
        let motion = match self.word() {
            "SINGLE" => Motion::Single(self.list(Self::node)),
            "KEYFRAME" => Motion::Keyframe(self.sequence()),
            other => panic!("{other} is not a kind of state"),
        };
        State { name, motion }
    }

    fn node(&mut self) -> Node {
        let name = self.label();
        let behaviour = match self.word() {
            "STATIC" => Behaviour::Static([0; 3].map(|_| self.vector())),
            "DYNAMIC" => Behaviour::Dynamic([0; 3].map(|_| self.channel())),
            other => panic!("{other} is not a kind of node"),
        };
        Node { name, behaviour }
    }

    fn channel(&mut self) -> Channel {
        Channel {
            start: self.vector(),
            end: self.vector(),
            period: self.number(),
            offset: self.number(),
            kind: self.kind(9),
        }
    }

    /// Parses a sequence, whose key count does not directly precede the keys.
    fn sequence(&mut self) -> Sequence {
        let count: usize = self.word().parse().unwrap();
        let kind = self.kind(5);
        let start = self.label();
        Sequence { kind, start, keys: (0..count).map(|_| self.key()).collect() }
    }

    fn key(&mut self) -> Key {
        let exit = self.flag();
        let times = [0; 2].map(|_| self.number());
        assert!(times.iter().all(|&time| time >= 0.0), "a negative time");
        let morphs = [0; 2].map(|_| self.flag());
        let [forward, backward] = std::array::from_fn(|i| Way { time: times[i], morph: morphs[i] });
        Key { state: self.label(), exit, forward, backward }
    }
}
