//! Models, files for them, and large files.

use std::fmt::Write as _;

use crate::anm_text::evaluate::{Bone, FRAMES_PER_SECOND, Tree};
use crate::random::Rng;

/// The upper bound of key times and of the starts of ranges, in frames.
const LAST_FRAME: usize = 200;
/// Parts of names, separated by spaces. Some look like other fields, but none starts like an
/// option.
const NAMES: &str = "lElbow Bip01_L_Hand as bl 5 -5 # \u{e9}paule \u{a0} a/b \u{1f984} nan";

/// Returns the puppet described in testdata/README.md, with keys at frames 0, 10, … 100.
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

/// Generates a model with the given number of bones in any order; some are roots. Some keys are
/// exactly on frames, some are off by less than a reader's tolerance, and some by more.
pub fn tree(rng: &mut Rng, bones: usize) -> Tree {
    // The index in `bones` of each bone, parents before children.
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

/// Returns a time in seconds that is representable as `f32`, as in models.
fn key(rng: &mut Rng) -> f64 {
    let frame = quarters(rng) + rng.pick(&[0.0, 0.0, 0.0, 0.0004, -0.0004, 0.01, -0.01]);
    f64::from((frame / FRAMES_PER_SECOND).max(0.0) as f32)
}

/// Returns a frame number, usually an integer.
fn quarters(rng: &mut Rng) -> f64 {
    let frame = rng.below(LAST_FRAME) as f64;
    if rng.chance(70) { frame } else { frame + rng.below(4) as f64 * 0.25 }
}

/// Returns a unique name for each number.
fn name(rng: &mut Rng, number: usize) -> String {
    format!("{}_{number}", rng.pick_of(NAMES, ' '))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub layout: Layout,
    /// Number of animation sets, at least 1.
    pub sets: usize,
    /// Whether to include content that should cause warnings: whitespace before keywords, lone CR
    /// line breaks, negative times, duplicate names, control characters in names, and events
    /// outside all ranges of their set.
    pub odd: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { layout: Layout::Mixed, sets: 4, odd: false }
    }
}

cases! {
    pub enum Layout {
        /// One space between fields, LF, shortest form of numbers.
        Plain,
        /// Like `Plain`, with CRLF.
        Crlf,
        /// Any number of spaces and tabs, comments, blank lines, LF and CRLF, all forms of numbers.
        Mixed,
    }
}

/// The fields of a line.
pub(super) type Line = Vec<String>;

/// The lines of a set.
pub(super) struct Lines {
    pub(super) name: Line,
    pub(super) bones: Vec<Line>,
    pub(super) events: Vec<Line>,
    pub(super) animations: Vec<Line>,
}

/// Generates a file for a model. It causes no diagnostics unless the options request odd content.
/// All of its bones exist in the model.
pub fn file(rng: &mut Rng, tree: &Tree, options: &Options) -> String {
    let lines = lines(rng, tree, options).into_iter().flat_map(Lines::in_order).collect::<Vec<_>>();
    lay_out(rng, &lines, options, None).0
}

impl Lines {
    pub(super) fn count(&self) -> usize {
        1 + self.bones.len() + self.events.len() + self.animations.len()
    }

    pub(super) fn in_order(self) -> impl Iterator<Item = Line> {
        [self.name].into_iter().chain(self.bones).chain(self.events).chain(self.animations)
    }
}

pub(super) fn line<const N: usize>(fields: [&str; N]) -> Line {
    fields.map(str::to_owned).into()
}

pub(super) fn lines(rng: &mut Rng, tree: &Tree, options: &Options) -> Vec<Lines> {
    assert!(options.sets >= 1 && !tree.bones.is_empty());
    (0..options.sets).map(|number| set(rng, number, tree, options)).collect()
}

fn set(rng: &mut Rng, number: usize, tree: &Tree, options: &Options) -> Lines {
    let named = |rng: &mut Rng, number: usize| match rng.below(8) {
        0 if options.odd => "twice".to_owned(),
        1 if options.odd => format!("\x1b[31m{number}"),
        _ => name(rng, number),
    };
    let bones = (0..rng.between(1, 5)).map(|_| bone_list(rng, tree)).collect();
    let ranges: Vec<[f64; 2]> = (0..rng.between(1, 5)).map(|_| range(rng, options)).collect();
    let event = |number: usize, rng: &mut Rng| {
        let [start, end] = rng.pick(&ranges);
        let inside = [start, end, f64::midpoint(start, end), start - 0.0004, end + 0.0004];
        let time = match rng.below(6) {
            5 if options.odd => quarters(rng) - 20.0,
            5 => start,
            choice => inside[choice],
        };
        let time = spelled(rng, if options.odd { time } else { time.max(0.0) }, options);
        line(["ev", &time, &named(rng, number)])
    };
    let events = (0..rng.below(6)).map(|number| event(number, rng)).collect();
    let animations = ranges.iter().enumerate().map(|(number, range)| {
        let [start, end] = range.map(|frames| spelled(rng, frames, options));
        line(["an", &start, &end, &named(rng, number)])
    });
    let animations = animations.collect();
    Lines { name: line(["as", &named(rng, number)]), bones, events, animations }
}

fn bone_list(rng: &mut Rng, tree: &Tree) -> Line {
    let mut line = line(["bl", &rng.pick(&tree.bones).name]);
    let mut options = ["+children", "+parent"];
    rng.shuffle(&mut options);
    line.extend(options.iter().filter(|_| rng.chance(35)).map(|option| (*option).to_owned()));
    line
}

fn range(rng: &mut Rng, options: &Options) -> [f64; 2] {
    let start = if options.odd && rng.chance(20) { -quarters(rng) } else { quarters(rng) };
    let length = if rng.chance(15) { 0.0 } else { quarters(rng) / 4.0 };
    [start, start + length]
}

/// Formats a number without loss of significant digits.
fn spelled(rng: &mut Rng, value: f64, options: &Options) -> String {
    if options.layout != Layout::Mixed {
        return value.to_string();
    }
    let whole = value.fract() == 0.0;
    match rng.below(8) {
        0 => format!("{value:.4}"),
        1 => format!("{value:+}"),
        2 => format!("{value:e}"),
        3 => format!("{}E-1", value * 10.0),
        4 if whole => format!("{value}."),
        5 if whole => format!("{value:05}"),
        6 if value.abs() < 1.0 => value.to_string().replacen("0.", ".", 1),
        _ => value.to_string(),
    }
}

/// Formats lines. Returns the text, and the 1-based line and column of `field`, given as the
/// indices of its line and of the field in it. If the second index is past the last field, this is
/// the position of the end of the line.
pub(super) fn lay_out(
    rng: &mut Rng,
    lines: &[Line],
    options: &Options,
    field: Option<(usize, usize)>,
) -> (String, [usize; 2]) {
    let mixed = options.layout == Layout::Mixed;
    let (mut text, mut row, mut place) = (String::new(), 1, [0, 0]);
    for (number, line) in lines.iter().enumerate() {
        while mixed && rng.chance(15) {
            // After a lone CR, a single LF would not be a separate line break.
            let empty = if text.ends_with('\r') { "\r\n" } else { "\n" };
            text +=
                rng.pick(&[empty, "  \t\n", "\r\n", "# a comment\n", "\t # as Other\r\n", "#\n"]);
            row += 1;
        }
        let indent = if options.odd && rng.chance(10) { rng.pick(&[" ", "\t"]) } else { "" };
        let mut written = indent.to_owned();
        for (index, item) in line.iter().enumerate() {
            if index > 0 {
                written += if mixed { rng.pick(&[" ", " ", "  ", "\t", " \t "]) } else { " " };
            }
            if field == Some((number, index)) {
                place = [row, written.chars().count() + 1];
            }
            written += item;
        }
        if field == Some((number, line.len())) {
            place = [row, written.chars().count() + 1];
        }
        written += if mixed && rng.chance(20) { rng.pick(&[" ", "\t", "  "]) } else { "" };
        written += match options.layout {
            Layout::Plain => "\n",
            Layout::Crlf => "\r\n",
            Layout::Mixed if number + 1 == lines.len() && rng.chance(30) => "",
            Layout::Mixed if options.odd && rng.chance(10) => "\r",
            Layout::Mixed => rng.pick(&["\n", "\r\n"]),
        };
        text += &written;
        row += 1;
    }
    (text, place)
}

/// Generates a file of approximately the given size in bytes for benchmarks. Each set has 20 bones,
/// 100 events and 100 animations.
pub fn large(bytes: usize) -> Vec<u8> {
    let mut text = String::with_capacity(bytes + 8192);
    let mut set = 0;
    while text.len() < bytes {
        writeln!(text, "# set {set}\nas Set_{set}").unwrap();
        for bone in 0..20 {
            let children = if bone % 4 == 0 { " +children" } else { "" };
            writeln!(text, "bl bone_{bone}{children}").unwrap();
        }
        for number in 0..100 {
            writeln!(text, "ev {} event_{number}", number * 24 + 12).unwrap();
        }
        for number in 0..100 {
            writeln!(text, "an {} {} animation_{number}", number * 24, number * 24 + 23).unwrap();
        }
        set += 1;
    }
    text.into_bytes()
}
