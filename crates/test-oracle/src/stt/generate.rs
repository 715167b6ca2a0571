//! Deterministic random state transition tables, and large files for benchmarks.
//!
//! The same generator state and options always produce the same bytes. The generator avoids what
//! the notes define as errors (references to missing states, duplicate state names, keyframe states
//! that play themselves, negative times) and duplicate node names in a state.

use std::fmt::Write as _;

use crate::random::Rng;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub layout: Layout,
    pub states: usize,
    /// Whether to include content that should cause warnings: periods of 0 and below on moving
    /// channels, nested keyframe states, missing start keys, states without nodes or keys, and
    /// labels that are empty or contain tabs.
    pub odd: bool,
    /// Whether to include periods so short (down to 1e-30 s) that evaluators may disagree.
    pub tiny_periods: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { layout: Layout::Published, states: 8, odd: false, tiny_periods: false }
    }
}

cases! {
    pub enum Layout {
        /// One vector, label or keyword per line, numbers with six decimals.
        Published,
        /// One token per line, all forms of numbers.
        Tokens,
        /// Everything on one line, all forms of numbers.
        Line,
        /// Any whitespace between tokens, all forms of numbers.
        Mixed,
    }
}

/// Names of states and nodes, separated by slashes. Some look like other tokens.
const NAMES: &str =
    "walk/Left Arm/two  blanks/SINGLE/1.5/#MINDRENDER/-/\u{e9}t\u{e9}/a,b;c/\u{1f984} (2)";
const ODD_NAMES: [&str; 2] = ["", "a\tb"];
/// Forms of numbers other than `1.500000`.
const FORMS: &str =
    "0 -0 1 -7 .5 1. +1 -.25 1e-400 2E1 1.25e+1 0.1000000000000000055511151231257827";

/// Generates a file with states and nodes of both kinds and animations of all types. Some nodes are
/// missing from some of the states. About a third of the states are keyframe states, which may play
/// states before and after them in the file; they only play other keyframe states if the options
/// request odd content.
pub fn file(rng: &mut Rng, options: &Options) -> String {
    assert!(options.states >= 1);
    let names: Vec<String> =
        (0..options.states).map(|number| name("s", number, options, rng)).collect();
    let nodes: Vec<String> =
        (0..rng.between(1, 5)).map(|number| name("n", number, options, rng)).collect();
    // Keyframe states only play states that precede them in this order.
    let mut order: Vec<usize> = (0..options.states).collect();
    rng.shuffle(&mut order);
    let mut states = vec![Text::default(); options.states];
    let mut playable = Vec::new();
    for number in order {
        let state = &mut states[number];
        state.line([label(&names[number])]);
        let keyframe = !playable.is_empty() && rng.chance(35);
        if keyframe {
            sequence(state, &playable, options, rng);
        } else {
            nodes_of_single(state, &nodes, options, rng);
        }
        if !keyframe || options.odd {
            playable.push(names[number].clone());
        }
    }
    let mut text = Text::default();
    text.line(["#MINDRENDER".to_owned(), "1.1".to_owned()]);
    text.line([options.states.to_string()]);
    text.lines.extend(states.into_iter().flat_map(|state| state.lines));
    text.laid_out(options.layout, rng)
}

/// Tokens, grouped by line of the published layout.
#[derive(Clone, Default)]
struct Text {
    lines: Vec<Vec<String>>,
}

impl Text {
    fn line<const N: usize>(&mut self, tokens: [String; N]) {
        self.lines.push(tokens.into());
    }

    fn laid_out(self, layout: Layout, rng: &mut Rng) -> String {
        let separated = |separator: &str| self.lines.concat().join(separator);
        match layout {
            Layout::Published => self.lines.iter().map(|line| line.join(" ") + "\n").collect(),
            Layout::Tokens => separated("\n") + "\n",
            Layout::Line => separated(" "),
            Layout::Mixed => {
                let separators = [" ", " ", "\n", "\r\n", "\r", "\t", "\x0c", "  \n\n "];
                let tokens = self.lines.concat();
                tokens.iter().map(|token| format!("{token}{}", rng.pick(&separators))).collect()
            }
        }
    }
}

fn label(name: &str) -> String {
    format!("{{{name}}}")
}

/// Returns a unique name for each number. Leading and trailing spaces are part of the name.
fn name(prefix: &str, number: usize, options: &Options, rng: &mut Rng) -> String {
    if options.odd && number < ODD_NAMES.len() && rng.chance(20) {
        return ODD_NAMES[number].to_owned();
    }
    match rng.below(10) {
        0..5 => format!("{prefix}{number}"),
        5 => format!(" {prefix}{number} "),
        _ => format!("{} {number}", rng.pick_of(NAMES, '/')),
    }
}

/// Formats a number with enough digits to keep it from becoming 0.
fn exact(value: f64, options: &Options) -> String {
    if options.layout == Layout::Published { format!("{value:.6}") } else { value.to_string() }
}

/// Formats an approximation of the value.
fn number(value: f64, options: &Options, rng: &mut Rng) -> String {
    if options.layout == Layout::Published {
        return format!("{value:.6}");
    }
    match rng.below(6) {
        0 => format!("{value:.0}."),
        1 => format!("{value:.3}"),
        2 => format!("{value:e}"),
        3 => format!("{value:.5E}"),
        4 => format!("{value:+}"),
        _ => format!("{value:.6}"),
    }
}

fn vector(limit: f64, options: &Options, rng: &mut Rng) -> [String; 3] {
    [0; 3].map(|_| match rng.below(8) {
        0 => number(0.0, options, rng),
        1 if options.layout != Layout::Published => rng.pick_of(FORMS, ' ').to_owned(),
        _ => number(rng.range(-limit, limit), options, rng),
    })
}

fn nodes_of_single(text: &mut Text, names: &[String], options: &Options, rng: &mut Rng) {
    /// Largest displacement and translation (in model units) and orientation (in degrees).
    const LIMITS: [f64; 3] = [100.0, 20.0, 400.0];
    let mut names = names.to_vec();
    rng.shuffle(&mut names);
    let count = if options.odd && rng.chance(10) { 0 } else { rng.between(1, names.len()) };
    text.line(["SINGLE".to_owned()]);
    text.line([count.to_string()]);
    for name in &names[..count] {
        text.line([label(name)]);
        let dynamic = rng.chance(60);
        text.line([if dynamic { "DYNAMIC" } else { "STATIC" }.to_owned()]);
        for limit in LIMITS {
            text.line(vector(limit, options, rng));
            if dynamic {
                text.line(vector(limit, options, rng));
                text.line(wave(options, rng));
            }
        }
    }
}

/// Returns the period, offset and type of a channel.
fn wave(options: &Options, rng: &mut Rng) -> [String; 3] {
    let kind = rng.below(10);
    let moves = !matches!(kind, 0 | 8);
    let period = match rng.below(10) {
        0 if options.tiny_periods => {
            let period = format!("1e-{}", rng.between(6, 30));
            return [period, number(rng.range(0.0, 9.0), options, rng), kind.to_string()];
        }
        1..3 if !moves || options.odd => rng.pick(&[0.0, -0.0, -2.0]),
        3 => 1e6,
        _ => rng.between(1, 40) as f64 * 0.125,
    };
    let offset = match rng.below(4) {
        0 => 0.0,
        1 => -rng.range(0.0, 3.0) * period.abs(),
        2 => rng.range(1.0, 9.0) * period.abs(),
        _ => rng.range(0.0, 1.0),
    };
    [exact(period, options), number(offset, options, rng), kind.to_string()]
}

fn sequence(text: &mut Text, playable: &[String], options: &Options, rng: &mut Rng) {
    let count = if options.odd && rng.chance(10) { 0 } else { rng.between(1, 6) };
    let keys: Vec<String> = (0..count).map(|_| rng.pick(playable)).collect();
    let start = if keys.is_empty() || options.odd && rng.chance(20) {
        rng.pick(playable)
    } else {
        rng.pick(&keys)
    };
    text.line(["KEYFRAME".to_owned()]);
    text.line([count.to_string()]);
    text.line([rng.below(6).to_string()]);
    text.line([label(&start)]);
    // In some files, an entire cycle has zero duration.
    let timeless = rng.chance(10);
    for key in keys {
        let mut bit = || rng.below(2).to_string();
        let (exit, flags) = (bit(), [bit(), bit()]);
        text.line([exit]);
        text.line([0; 2].map(|_| {
            let zero = timeless || rng.chance(15);
            exact(if zero { 0.0 } else { rng.range(0.05, 4.0) }, options)
        }));
        text.line(flags);
        text.line([label(&key)]);
    }
}

/// Generates a file of approximately the given size in bytes for benchmarks, in the published
/// layout or on a single line. It has states with eight nodes, half of them dynamic, and one
/// keyframe state for every seven of these.
pub fn large(bytes: usize, one_line: bool) -> Vec<u8> {
    let mut rng = Rng::new(bytes as u64);
    let mut states = String::with_capacity(bytes + 8192);
    let mut count = 0;
    while states.len() < bytes {
        if count % 8 == 7 {
            write!(states, "{{play_{count}}}\nKEYFRAME\n7\n1\n{{state_{}}}\n", count - 7).unwrap();
            for key in count - 7..count {
                let [forward, backward] = [0; 2].map(|_| rng.range(0.1, 4.0));
                let [there, back] = [0; 2].map(|_| rng.below(2));
                write!(states, "1\n{forward:.6} {backward:.6}\n{there} {back}\n{{state_{key}}}\n")
                    .unwrap();
            }
        } else {
            write!(states, "{{state_{count}}}\nSINGLE\n8\n").unwrap();
            (0..8).for_each(|node| large_node(&mut states, node, &mut rng));
        }
        count += 1;
    }
    let text = format!("#MINDRENDER 1.1\n{count}\n{states}");
    if one_line { text.trim_end().replace('\n', " ").into_bytes() } else { text.into_bytes() }
}

fn large_node(text: &mut String, node: usize, rng: &mut Rng) {
    let dynamic = node.is_multiple_of(2);
    write!(text, "{{node_{node}}}\n{}\n", if dynamic { "DYNAMIC" } else { "STATIC" }).unwrap();
    for kind in [3, 8, 7] {
        for _ in 0..if dynamic { 2 } else { 1 } {
            let [x, y, z] = [0; 3].map(|_| rng.range(-180.0, 180.0));
            writeln!(text, "{x:.6} {y:.6} {z:.6}").unwrap();
        }
        if dynamic {
            writeln!(text, "{:.6} {:.6} {kind}", rng.range(0.1, 8.0), rng.range(0.0, 1.0)).unwrap();
        }
    }
}

/// Generates a file with `count` SINGLE states without nodes, each with a unique name.
pub fn states(count: usize) -> Vec<u8> {
    let mut text = format!("#MINDRENDER 1.1\n{count}\n");
    for number in 0..count {
        writeln!(text, "{{s{number}}} SINGLE 0").unwrap();
    }
    text.into_bytes()
}
