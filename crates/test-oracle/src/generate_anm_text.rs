//! Deterministic random files of Gillius ANM text with models for them, broken ones, and big ones
//! for measurements.
//!
//! The same generator state and options always give the same text.

use std::fmt::Write as _;

use crate::anm_text::{Bone, FRAMES_PER_SECOND, Tree};
use crate::generate::Rng;

/// What is asked of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How the text looks.
    pub layout: Layout,
    /// How many animation sets it has, at least 1.
    pub sets: usize,
    /// Whether it has what a reader should warn of: blanks before keywords, lone CR line ends,
    /// times below 0, names that come twice, control characters in names, events that no range of
    /// their set takes.
    pub odd: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { layout: Layout::Mixed, sets: 4, odd: false }
    }
}

/// How the text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One blank between fields, LF, numbers of the shortest form.
    Plain,
    /// The same with CRLF.
    Crlf,
    /// Any number of blanks and tabs, comments, blank lines, LF and CRLF, numbers of all forms.
    Mixed,
}

impl Layout {
    /// Each of them.
    pub const ALL: [Layout; 3] = [Layout::Plain, Layout::Crlf, Layout::Mixed];
}

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
fn quarters(rng: &mut Rng) -> f64 {
    let frame = rng.below(LAST_FRAME) as f64;
    if rng.chance(70) { frame } else { frame + rng.below(4) as f64 * 0.25 }
}

/// A name that no other number has.
fn name(rng: &mut Rng, number: usize) -> String {
    format!("{}_{number}", rng.pick(&NAMES))
}

/// The fields of a line.
type Line = Vec<String>;

/// A set by its lines.
struct Lines {
    name: Line,
    bones: Vec<Line>,
    events: Vec<Line>,
    animations: Vec<Line>,
}

/// A file for a model: a reader has nothing to say about it, unless it is asked to be odd. All
/// bones are those of the model.
///
/// # Panics
///
/// Without sets and for a model without bones.
pub fn file(rng: &mut Rng, tree: &Tree, options: &Options) -> String {
    let lines = lines(rng, tree, options).into_iter().flat_map(Lines::in_order).collect::<Vec<_>>();
    lay_out(rng, &lines, options, None).0
}

impl Lines {
    fn count(&self) -> usize {
        1 + self.bones.len() + self.events.len() + self.animations.len()
    }

    fn in_order(self) -> impl Iterator<Item = Line> {
        [self.name].into_iter().chain(self.bones).chain(self.events).chain(self.animations)
    }
}

fn line<const N: usize>(fields: [&str; N]) -> Line {
    fields.map(str::to_owned).into()
}

fn lines(rng: &mut Rng, tree: &Tree, options: &Options) -> Vec<Lines> {
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
        line([
            "ev",
            &spelled(rng, if options.odd { time } else { time.max(0.0) }, options),
            &named(rng, number),
        ])
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

/// A number without loss of digits that matter here.
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

/// The text, and line and column of a field, both from 1. Beyond the last field is the end of the
/// line.
fn lay_out(
    rng: &mut Rng,
    lines: &[Line],
    options: &Options,
    field: Option<(usize, usize)>,
) -> (String, [usize; 2]) {
    let mixed = options.layout == Layout::Mixed;
    let (mut text, mut row, mut place) = (String::new(), 1, [0, 0]);
    for (number, line) in lines.iter().enumerate() {
        while mixed && rng.chance(15) {
            // Behind a lone CR an LF would be no line of its own.
            let empty = if text.ends_with('\r') { "\r\n" } else { "\n" };
            text +=
                rng.pick(&[empty, "  \t\n", "\r\n", "# a comment\n", "\t # as Other\r\n", "#\n"]);
            row += 1;
        }
        let mut written = if options.odd && rng.chance(10) {
            rng.pick(&[" ", "\t"]).to_owned()
        } else {
            String::new()
        };
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

/// What one line of a file, or one set, has wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A line that begins with none of the keywords, or with one in another case.
    Keyword,
    /// A `bl`, `ev` or `an` line that ends too early.
    MissingField,
    /// A field too many.
    ExtraField,
    /// A `bl` line with an option that there is not.
    UnknownOption,
    /// A `bl` line with the same option twice.
    RepeatedOption,
    /// A `bl` line with an option in the place of the bone.
    NoBone,
    /// A time that is not a number, or not a finite one.
    Time,
    /// An `an` line that ends before it begins.
    Backwards,
    /// `ev` or `an` before `bl`, `bl` after `ev` or `an`, `ev` after `an`.
    Order,
    /// A line before the first set.
    BeforeSets,
    /// A set without bones and animations, or without animations.
    IncompleteSet,
    /// NUL in a name.
    Nul,
}

impl Mistake {
    /// Each of them.
    pub const ALL: [Mistake; 12] = [
        Mistake::Keyword,
        Mistake::MissingField,
        Mistake::ExtraField,
        Mistake::UnknownOption,
        Mistake::RepeatedOption,
        Mistake::NoBone,
        Mistake::Time,
        Mistake::Backwards,
        Mistake::Order,
        Mistake::BeforeSets,
        Mistake::IncompleteSet,
        Mistake::Nul,
    ];
}

/// A file with one mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The file.
    pub text: String,
    /// Where the mistake is, from 1.
    pub line: usize,
    /// The character of the line where the wrong field begins, or where the line ends too early,
    /// from 1.
    pub column: usize,
    /// What a reader should get of it, as a file of its own layout: what is wrong is taken out. (Of
    /// an incomplete set a reader may also keep what there is.)
    pub rest: String,
}

/// A file as [`file()`] gives it, but for one mistake.
///
/// # Panics
///
/// As [`file()`] does.
pub fn broken(rng: &mut Rng, tree: &Tree, options: &Options, mistake: Mistake) -> Broken {
    let sets = lines(rng, tree, options);
    let chosen = rng.below(sets.len());
    let before: usize = sets[..chosen].iter().map(Lines::count).sum();
    let places = Places::of(&sets[chosen], before);
    let mut rest: Vec<Line> = sets.into_iter().flat_map(Lines::in_order).collect();
    let (wrong, field) = match mistake {
        Mistake::ExtraField | Mistake::UnknownOption | Mistake::RepeatedOption => {
            append(rng, &mut rest, &places, mistake)
        }
        _ => {
            let (at, added, field) = insertion(rng, &places, &tree.bones[0].name, mistake);
            let mut wrong = rest.clone();
            wrong.splice(at..at, added);
            (wrong, (at, field))
        }
    };
    let (text, [line, column]) = lay_out(rng, &wrong, options, Some(field));
    Broken { text, line, column, rest: lay_out(rng, &rest, options, None).0 }
}

/// Where the parts of a set begin among the lines of a file.
struct Places {
    name: usize,
    bones: usize,
    events: usize,
    animations: usize,
    /// Of the next set.
    end: usize,
}

impl Places {
    fn of(set: &Lines, name: usize) -> Self {
        let bones = name + 1;
        let events = bones + set.bones.len();
        let animations = events + set.events.len();
        Self { name, bones, events, animations, end: animations + set.animations.len() }
    }
}

/// A field at the end of one of the lines. Gives all lines with it, and which field of which line
/// it is.
fn append(
    rng: &mut Rng,
    lines: &mut [Line],
    places: &Places,
    mistake: Mistake,
) -> (Vec<Line>, (usize, usize)) {
    let any_line = places.name..places.end;
    let bone_lists = places.bones..places.events;
    let of = if mistake == Mistake::ExtraField { any_line } else { bone_lists };
    let at = rng.between(of.start, of.end - 1);
    let field = match mistake {
        Mistake::ExtraField => rng.pick(&["#", "too", "5", "parent"]).to_owned(),
        Mistake::UnknownOption => {
            rng.pick(&["+child", "+CHILDREN", "+", "+parents", "+children+parent"]).to_owned()
        }
        _ => {
            if lines[at].len() == 2 {
                lines[at].push(rng.pick(&["+children", "+parent"]).to_owned());
            }
            rng.pick(&lines[at][2..])
        }
    };
    let mut wrong = lines.to_vec();
    wrong[at].push(field);
    let last = wrong[at].len() - 1;
    (wrong, (at, last))
}

/// Before which line of a file others go in, and which field of the first of them is wrong.
fn insertion(
    rng: &mut Rng,
    places: &Places,
    bone: &str,
    mistake: Mistake,
) -> (usize, Vec<Line>, usize) {
    const NO_TIMES: [&str; 14] = [
        "nan",
        "inf",
        "-Infinity",
        "1e999",
        "1e39",
        "0x5",
        "5s",
        "1,5",
        "five",
        "5\u{a0}",
        "--5",
        "1e",
        ".",
        "5-6",
    ];
    const NO_KEYWORDS: [&str; 10] =
        ["AS", "Bl", "eV", "AN", "ass", "bone", "[set]", "an\u{a0}", "//", "\u{2028}bl"];
    let &Places { bones, events, animations, end, .. } = places;
    let time = rng.pick(&NO_TIMES);
    let (bl, ev, an) = (line(["bl", bone]), line(["ev", "5", "x"]), line(["an", "0", "5", "x"]));
    // Lines of a kind go in behind those of the same kind.
    let choices = match mistake {
        Mistake::Keyword => {
            vec![(rng.between(bones, end), line([rng.pick(&NO_KEYWORDS), "5", "10", "x"]), 0)]
        }
        Mistake::MissingField => vec![
            (events, line(["bl"]), 1),
            (animations, line(["ev"]), 1),
            (animations, line(["ev", "5"]), 2),
            (end, line(["an"]), 1),
            (end, line(["an", "0"]), 2),
            (end, line(["an", "0", "5"]), 3),
        ],
        Mistake::NoBone => {
            vec![(events, line(["bl", "+children"]), 1), (events, line(["bl", "+parent"]), 1)]
        }
        Mistake::Time => {
            vec![
                (animations, line(["ev", time, "x"]), 1),
                (end, line(["an", time, "5", "x"]), 1),
                (end, line(["an", "5", time, "x"]), 2),
            ]
        }
        Mistake::Backwards => vec![(end, line(["an", "50.25", "50", "x"]), 1)],
        Mistake::Order => {
            let behind_events = if events < animations { animations } else { end };
            vec![
                (bones, ev.clone(), 0),
                (bones, an, 0),
                (behind_events, bl.clone(), 0),
                (animations + 1, bl, 0),
                (animations + 1, ev, 0),
            ]
        }
        Mistake::BeforeSets => vec![(0, bl, 0), (0, ev, 0), (0, an, 0)],
        Mistake::IncompleteSet => {
            let mut set = vec![line(["as", "incomplete"])];
            set.extend(rng.chance(50).then_some(bl));
            return (end, set, 0);
        }
        Mistake::Nul => vec![
            (events, line(["bl", "a\0b"]), 1),
            (animations, line(["ev", "5", "\0"]), 2),
            (end, line(["an", "0", "5", "x\0"]), 3),
        ],
        Mistake::ExtraField | Mistake::UnknownOption | Mistake::RepeatedOption => {
            panic!("{mistake:?} goes into a line that is there")
        }
    };
    let (at, line, field) = rng.pick(&choices);
    (at, vec![line], field)
}

/// A file of about so many bytes, for measurements: sets of 20 bones, 100 events and 100
/// animations.
pub fn large(bytes: usize) -> Vec<u8> {
    let mut text = String::with_capacity(bytes + 8192);
    let mut set = 0;
    while text.len() < bytes {
        writeln!(text, "# set {set}\nas Set_{set}").unwrap();
        for bone in 0..20 {
            writeln!(text, "bl bone_{bone}{}", if bone % 4 == 0 { " +children" } else { "" })
                .unwrap();
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
