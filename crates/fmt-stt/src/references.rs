//! References to states. They are resolved after the whole file is read, since a key may name a
//! later state.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use anim_ir::diag::quote;
use anim_ir::number::index32;
use anim_ir::source::{Place, locate};
use anim_ir::{Diagnostic, Diagnostics, Span, nearest_name};

use crate::codes;
use crate::content::{Content, UNDEFINED, with_braces};
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
    unread: &Unread,
    diagnostics: &mut Diagnostics,
) {
    let lost = unread.names(source);
    let is_lost = |name: &[u8]| unread.has_any || lost.contains(name);
    let mut unknown = Undefined::default();
    // The capacity suffices for the names of all states, so the map never reallocates.
    let mut by_name: HashMap<&[u8], u32> = HashMap::with_capacity(content.states.len());
    for (index, state) in content.states.iter().enumerate() {
        let first = *by_name.entry(state.name.of(source)).or_insert(index32(index));
        if first as usize != index {
            diagnostics.push(&codes::STATE_DUPLICATE, with_braces(state.name), || {
                let line = content
                    .states
                    .get(first as usize)
                    .map_or(0, |first| locate(source, first.name.span().start).line);
                format!(
                    "state {} is already defined on line {line}; keys refer to that definition",
                    quote(state.name.of(source))
                )
            });
        }
    }
    let mut keys = std::mem::take(&mut content.keys);
    for key in &mut keys {
        key.state = by_name.get(key.name.of(source)).copied().unwrap_or(UNDEFINED);
        let at = with_braces(key.name);
        if key.state == UNDEFINED {
            unknown.note(key.name.of(source), key.name);
        } else if content.sequence_of(key.state as usize).is_some() {
            diagnostics.push(&codes::NESTED, at, || {
                format!("{} is a keyframe state", quote(key.name.of(source)))
            });
        }
    }
    content.keys = keys;
    let mut starts = Vec::with_capacity(content.sequences.len());
    for sequence in &content.sequences {
        let place = sequence.start_name;
        let name = place.of(source);
        let keys = sequence.keys.of(&content.keys);
        let start = keys.iter().position(|key| key.name.of(source) == name);
        starts.push(index32(start.unwrap_or(0)));
        if start.is_some() || keys.is_empty() || is_lost(name) {
            continue;
        }
        if by_name.contains_key(name) {
            diagnostics.push(&codes::START, with_braces(place), || {
                format!("no key is named {}; starting at the first key", quote(name))
            });
        } else {
            unknown.note(name, place);
        }
    }
    let mut suggestions = MOST_SUGGESTIONS;
    for (place, others) in unknown.places {
        if !is_lost(place.of(source)) {
            diagnostics.report(&codes::UNDEFINED, || {
                undefined(source, content, (place, others), &mut suggestions)
            });
        }
    }
    drop(by_name);
    for (sequence, start) in content.sequences.iter_mut().zip(starts) {
        sequence.start = start;
    }
    find_circles(source, content, diagnostics);
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
