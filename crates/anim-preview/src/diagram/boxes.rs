//! Measures the boxes of states.

use anim_ir::diag::seconds;
use anim_ir::{Clip, Motion, Scene, Sequence, StateId, StateMachine};

use super::lanes::shown;
use super::layers::Size;
use super::svg::text_width;

/// The widths of a box: with a short name, and with a long one.
const NARROW: f64 = 96.0;
pub(super) const WIDE: f64 = 340.0;
/// The height of the name of a sequence and its order.
pub(super) const TITLE: f64 = 50.0;
/// The space to the left of the keys, for the start marker and for routes around the keys.
pub(super) const SIDE: f64 = 44.0;
const KEY: f64 = 24.0;
/// The height of a line of small text.
pub(super) const LINE: f64 = 13.0;
/// What is inside the box of a state.
pub(super) struct Content<'a> {
    pub(super) name: &'a str,
    /// The second line.
    pub(super) facts: String,
    pub(super) sequence: Option<Keys<'a>>,
    pub(super) size: Size,
}

/// The keys of a sequence, with their labels.
pub(super) struct Keys<'a> {
    pub(super) sequence: &'a Sequence,
    pub(super) rows: Vec<Row<'a>>,
    /// The width of all keys.
    pub(super) width: f64,
    pub(super) around: Option<String>,
}

/// A key and the transitions between it and the next.
pub(super) struct Row<'a> {
    pub(super) name: &'a str,
    pub(super) exit: Option<String>,
    /// The distance from the top of the box.
    pub(super) top: f64,
    pub(super) height: f64,
    pub(super) forward: Option<String>,
    pub(super) backward: Option<String>,
}

impl Row<'_> {
    pub(super) fn middle(&self) -> f64 {
        self.top + self.height / 2.0
    }
}

impl<'a> Content<'a> {
    /// Measures the box of a state.
    pub(super) fn of(
        scene: &Scene,
        machine: &'a StateMachine,
        name: &'a str,
        motion: &'a Motion,
    ) -> Content<'a> {
        let name = shown(name);
        let width = |text: &str, class: &str| text_width(text, class) + 20.0;
        match motion {
            Motion::Sequence(sequence) => {
                let keys = Keys::of(machine, sequence);
                let facts = sequence.order_label();
                let inner = SIDE + keys.width + 14.0;
                let width =
                    inner.max(width(name, "").min(WIDE)).max(width(&facts, "s m").min(WIDE));
                let bottom = keys.rows.last().map_or(TITLE + KEY, |row| row.top + row.height);
                let around = if keys.around.is_some() { LINE + 4.0 } else { 0.0 };
                let size = Size { width, height: bottom + around + 12.0 };
                Content { name, facts, sequence: Some(keys), size }
            }
            Motion::Clip(clip) => {
                let clip = scene.clip(*clip);
                let duration = clip.map(Clip::duration).filter(|time| *time > 0.0);
                let facts = duration.map_or_else(|| "still".to_owned(), seconds);
                let facts = match clip.map(|clip| clip.name.as_str()) {
                    Some(own) if own != name && !own.is_empty() => format!("{own}, {facts}"),
                    _ => facts,
                };
                let width = width(name, "").max(width(&facts, "s m")).clamp(NARROW, WIDE);
                Content { name, facts, sequence: None, size: Size { width, height: 40.0 } }
            }
            _ => Content {
                name,
                facts: String::new(),
                sequence: None,
                size: Size { width: NARROW, height: 40.0 },
            },
        }
    }
}

impl<'a> Keys<'a> {
    fn of(machine: &'a StateMachine, sequence: &'a Sequence) -> Keys<'a> {
        let mut exits = sequence.exit_labels();
        let count = sequence.keys().len();
        let name = |state: Option<StateId>| {
            let state = state.and_then(|state| machine.state(state));
            state.map_or("(undefined)", |state| shown(&state.name))
        };
        let keys = sequence.keys().iter().enumerate();
        let mut rows: Vec<Row<'a>> = keys
            .map(|(number, key)| Row {
                name: name(key.state),
                exit: exits
                    .remove(&number)
                    .map(|when| format!("exit {when}"))
                    .or_else(|| key.exit.then(|| "exit, but not reached".to_owned())),
                top: 0.0,
                height: 0.0,
                forward: None,
                backward: None,
            })
            .collect();
        let mut around = None;
        for (from, to, way) in sequence.ways() {
            let text = Some(way.to_string());
            if to == from.saturating_add(1) {
                rows.get_mut(from).into_iter().for_each(|row| row.forward.clone_from(&text));
            } else if from == to.saturating_add(1) {
                rows.get_mut(to).into_iter().for_each(|row| row.backward.clone_from(&text));
            } else {
                around = text;
            }
        }
        let mut top = TITLE - 6.0;
        let mut width = NARROW;
        for (number, row) in rows.iter_mut().enumerate() {
            row.top = top;
            row.height = if row.exit.is_some() { KEY + LINE } else { KEY };
            let steps = [&row.forward, &row.backward].into_iter().flatten().count();
            let gap = if number.saturating_add(1) < count {
                10.0 + LINE * steps.max(1) as f64
            } else {
                0.0
            };
            top += row.height + gap;
            let exit = row.exit.as_deref().map_or(0.0, |exit| text_width(exit, "s m"));
            let steps = [&row.forward, &row.backward].into_iter().flatten();
            let steps = steps.map(|text| text_width(text, "s m") + 36.0).fold(0.0, f64::max);
            width = width.max(text_width(row.name, "") + 22.0).max(exit + 24.0).max(steps + 12.0);
        }
        let around_width = around.as_deref().map_or(0.0, |text| text_width(text, "s m") + 30.0);
        let width = width.max(around_width).min(WIDE);
        Keys { sequence, rows, width, around }
    }

    /// Whether the route around the keys leads from the first to the last.
    pub(super) fn is_backwards(&self) -> bool {
        let last = self.rows.len().saturating_sub(1);
        last > 0 && self.sequence.ways().any(|(from, to, _)| from == 0 && to == last)
    }
}
