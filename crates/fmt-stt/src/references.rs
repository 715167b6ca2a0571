//! References to states. They are resolved after the whole file is read, since a key may name a
//! later state.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use anim_ir::diag::quote;
use anim_ir::source::{Lines, Place};
use anim_ir::{Diagnostic, Diagnostics, Span, nearest_name};

use crate::codes;
use crate::content::{Content, UNDEFINED, with_braces};
use crate::state_names::{ByName, Names};
use crate::tokens;

/// Maximum number of names printed for a cycle.
const MOST_NAMES: usize = 10;
/// Maximum number of names to make suggestions for, and maximum number of states to compare each
/// name with.
const MOST_SUGGESTIONS: usize = 10;
const MOST_COMPARED: usize = 1_000;

/// The unreadable text, which may contain states. References to such states are not reported.
#[derive(Debug, Default)]
pub(crate) struct Unread {
    /// The spans of states that could not be read completely.
    pub(crate) spans: Vec<Span>,
    /// Whether the text may contain a state of any name, because the name of one of these states is
    /// missing or the file ends too early.
    pub(crate) has_any: bool,
}

impl Unread {
    /// Returns the names in the unreadable text.
    fn names<'a>(&self, source: &'a [u8]) -> HashSet<&'a [u8]> {
        let mut names = HashSet::new();
        for span in &self.spans {
            let mut rest = source.get(span.start..span.end).unwrap_or_default();
            while let Some(at) = memchr::memchr(b'{', rest) {
                rest = rest.get(at..).unwrap_or_default();
                let Ok(name) = tokens::name(&mut rest) else { break };
                names.insert(name);
                // An unclosed name extends to the end of the next name.
                names.extend(memchr::memrchr(b'{', name).and_then(|at| name.get(at + 1..)));
            }
        }
        names
    }
}

/// Names that no state has, each with its first reference and the number of further references.
#[derive(Default)]
struct Undefined<'a> {
    known: HashMap<&'a [u8], usize>,
    places: Vec<(Place, usize)>,
}

impl<'a> Undefined<'a> {
    fn note(&mut self, name: &'a [u8], place: Place) {
        let at = *self.known.entry(name).or_insert(self.places.len());
        match self.places.get_mut(at) {
            Some((first, others)) => {
                first.start = first.start.min(place.start);
                *others += 1;
            }
            None => self.places.push((place, 0)),
        }
    }
}

/// Resolves keys and starting keys, and finds cycles.
pub(crate) fn resolve(
    source: &[u8],
    content: &mut Content,
    names: Names,
    unread: &Unread,
    diagnostics: &mut Diagnostics,
) {
    let lost = unread.names(source);
    let is_lost = |name: &[u8]| unread.has_any || lost.contains(name);
    let mut unknown = Undefined::default();
    let mut keys = std::mem::take(&mut content.keys);
    let mut sequences = std::mem::take(&mut content.sequences);
    let by_name = ByName::new(source, content, names);
    let lines = Lines::new(source);
    for (again, first) in &by_name.repeated {
        let name = |state: u32| {
            content.states.get(state as usize).map(|state| state.name).unwrap_or_default()
        };
        let (again, first) = (name(*again), name(*first));
        diagnostics.push(&codes::STATE_DUPLICATE, with_braces(again), || {
            let line = lines.number(first.span().start);
            format!(
                "state {} is already defined on line {line}; keys refer to that definition",
                quote(again.of(source))
            )
        });
    }
    let mut is_nested = false;
    for key in &mut keys {
        // With duplicate names, the parser may have found another state than the first.
        if key.state == UNDEFINED || !by_name.repeated.is_empty() {
            key.state = by_name.find(key.name.of(source)).unwrap_or(UNDEFINED);
        }
        if key.state == UNDEFINED {
            unknown.note(key.name.of(source), key.name);
        } else if content.sequence_of(key.state as usize).is_some() {
            is_nested = true;
            diagnostics.push(&codes::NESTED, with_braces(key.name), || {
                format!("{} is a keyframe state", quote(key.name.of(source)))
            });
        }
    }
    for sequence in &mut sequences {
        if sequence.start != UNDEFINED {
            continue;
        }
        sequence.start = 0;
        let place = sequence.start_name;
        let name = place.of(source);
        if sequence.keys.count == 0 || is_lost(name) {
            continue;
        }
        if by_name.find(name).is_some() {
            diagnostics.push(&codes::START, with_braces(place), || {
                format!("no key is named {}; starting at the first key", quote(name))
            });
        } else {
            unknown.note(name, place);
        }
    }
    drop(by_name);
    (content.keys, content.sequences) = (keys, sequences);
    let mut suggestions = MOST_SUGGESTIONS;
    for (place, others) in unknown.places {
        if !is_lost(place.of(source)) {
            diagnostics.report(&codes::UNDEFINED, || {
                undefined(source, content, (place, others), &mut suggestions)
            });
        }
    }
    if is_nested {
        find_circles(source, content, diagnostics);
    }
}

fn undefined(
    source: &[u8],
    content: &Content,
    (place, others): (Place, usize),
    suggestions: &mut usize,
) -> Diagnostic {
    let name = place.of(source);
    let others = match others {
        0 => String::new(),
        1 => " (and 1 more reference)".to_owned(),
        _ => format!(" (and {others} more references)"),
    };
    let message = format!("no state is named {}{others}", quote(name));
    let diagnostic = Diagnostic::new(&codes::UNDEFINED, with_braces(place), message);
    let Some(left) = suggestions.checked_sub(1) else { return diagnostic };
    *suggestions = left;
    let text = |place: Place| place.text(source, content.latin1);
    let names: Vec<Cow<'_, str>> =
        content.states.iter().take(MOST_COMPARED).map(|state| text(state.name)).collect();
    if let Some(meant) = nearest_name(&text(place), names.iter().map(AsRef::as_ref)) {
        return diagnostic.help(format!("did you mean {}?", quote(meant.as_bytes())));
    }
    let is_node = content.nodes.iter().any(|node| node.name.of(source) == name);
    if is_node {
        diagnostic.help(format!("{} is a node; keys name states", quote(name)))
    } else {
        diagnostic
    }
}

/// A keyframe state on the current path through the keys.
#[derive(Clone, Copy)]
struct Entered {
    state: usize,
    sequence: usize,
    next_key: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    Not,
    Now,
    Done,
}

/// Follows keys from state to state, visiting each state once, and marks the keys that close a
/// cycle.
fn find_circles(source: &[u8], content: &mut Content, diagnostics: &mut Diagnostics) {
    let mut visits = vec![Visit::Not; content.sequences.len()];
    let mut way: Vec<Entered> = Vec::new();
    let set = |visits: &mut Vec<Visit>, sequence: usize, visit| {
        if let Some(slot) = visits.get_mut(sequence) {
            *slot = visit;
        }
    };
    for state in 0..content.states.len() {
        let Some(sequence) = content
            .sequence_of(state)
            .filter(|sequence| visits.get(*sequence) == Some(&Visit::Not))
        else {
            continue;
        };
        way.push(Entered { state, sequence, next_key: 0 });
        set(&mut visits, sequence, Visit::Now);
        while let Some(entered) = way.last_mut() {
            let run = content
                .sequences
                .get(entered.sequence)
                .map(|sequence| sequence.keys)
                .unwrap_or_default();
            if entered.next_key >= run.count as usize {
                set(&mut visits, entered.sequence, Visit::Done);
                way.pop();
                continue;
            }
            let index = run.index(entered.next_key);
            entered.next_key += 1;
            let Some(key) = content.keys.get(index) else { continue };
            let target = key.state as usize;
            let Some(sequence) = content.sequence_of(target) else { continue };
            match visits.get(sequence) {
                Some(Visit::Not) => {
                    way.push(Entered { state: target, sequence, next_key: 0 });
                    set(&mut visits, sequence, Visit::Now);
                }
                Some(Visit::Now) => {
                    diagnostics.push(&codes::CIRCLE, with_braces(key.name), || {
                        circle(source, content, &way, target)
                    });
                    if let Some(key) = content.keys.get_mut(index) {
                        key.closes_circle = true;
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns the names in a cycle, with the first name repeated at the end.
fn circle(source: &[u8], content: &Content, way: &[Entered], target: usize) -> String {
    let name = |state: usize| {
        content.states.get(state).map_or_else(String::new, |state| quote(state.name.of(source)))
    };
    let start = way.iter().rposition(|entered| entered.state == target).unwrap_or(0);
    let round = way.get(start..).unwrap_or_default();
    let mut names: Vec<String> =
        round.iter().take(MOST_NAMES - 1).map(|entered| name(entered.state)).collect();
    if round.len() >= MOST_NAMES {
        names.push("…".to_owned());
    }
    names.push(name(target));
    format!("keyframe states play each other: {}", names.join(" → "))
}
