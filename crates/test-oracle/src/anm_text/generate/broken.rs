//! Files with a single error.

use super::file::{Line, Lines, Options, lay_out, line, lines};
use crate::anm_text::evaluate::Tree;
use crate::random::Rng;

cases! {
    /// The error in a line or set of a file.
    pub enum Mistake {
        /// A line that does not start with a keyword, or whose keyword has the wrong case.
        Keyword,
        /// A `bl`, `ev` or `an` line that ends too early.
        MissingField,
        /// An extra field.
        ExtraField,
        /// A `bl` line with an unknown option.
        UnknownOption,
        /// A `bl` line with the same option twice.
        RepeatedOption,
        /// A `bl` line with an option instead of the bone.
        NoBone,
        /// A time that is not a finite number.
        Time,
        /// An `an` line whose end is before its start.
        Backwards,
        /// `ev` or `an` before `bl`, `bl` after `ev` or `an`, `ev` after `an`.
        Order,
        /// A line before the first set.
        BeforeSets,
        /// A set without bones and animations, or without animations.
        IncompleteSet,
        /// A NUL character in a name.
        Nul,
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub text: String,
    /// The 1-based line of the error.
    pub line: usize,
    /// The 1-based column of the invalid field in characters, or the end of the line if it ends too
    /// early.
    pub column: usize,
    /// The expected result of parsing, as a file without the invalid parts. Its layout may differ.
    /// (A reader may also keep the valid parts of an incomplete set.)
    pub rest: String,
}

/// Generates a file as `file` does, with one error.
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

/// The line numbers at which the parts of a set start.
struct Places {
    name: usize,
    bones: usize,
    events: usize,
    animations: usize,
    /// The start of the next set.
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

/// Appends a field to one of the lines. Returns all lines and the position of the new field.
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

/// Returns the position at which to insert new lines, the lines, and the index of the invalid field
/// in the first of them.
fn insertion(
    rng: &mut Rng,
    places: &Places,
    bone: &str,
    mistake: Mistake,
) -> (usize, Vec<Line>, usize) {
    const NO_TIMES: &str = "nan inf -Infinity 1e999 1e39 0x5 5s 1,5 five 5\u{a0} --5 1e . 5-6";
    const NO_KEYWORDS: &str = "AS Bl eV AN ass bone [set] an\u{a0} // \u{2028}bl";
    let &Places { bones, events, animations, end, .. } = places;
    let time = rng.pick_of(NO_TIMES, ' ');
    let (bl, ev, an) = (line(["bl", bone]), line(["ev", "5", "x"]), line(["an", "0", "5", "x"]));
    // Lines of a kind are inserted after other lines of the same kind.
    let choices = match mistake {
        Mistake::Keyword => {
            vec![(
                rng.between(bones, end),
                line([rng.pick_of(NO_KEYWORDS, ' '), "5", "10", "x"]),
                0,
            )]
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
            panic!("{mistake:?} modifies an existing line")
        }
    };
    let (at, line, field) = rng.pick(&choices);
    (at, vec![line], field)
}
