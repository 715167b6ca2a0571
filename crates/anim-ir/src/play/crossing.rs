//! The events of clips, and those that a step crosses.

use std::ops::Range;

use crate::play::step::{Leg, Legs};
use crate::{Clip, Event, Timeline};

/// An event that a step crosses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing<'a> {
    /// The event.
    pub event: &'a Event,
    /// The time of the event, in seconds from the start of the clip.
    pub time: f64,
    /// When in the step the event occurs, in seconds from its start.
    pub after: f64,
    /// Whether the clip plays backwards at that moment.
    pub backwards: bool,
}

/// Bounds that no time lies between.
const NO_GAP: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);

/// The events of a clip, and which of them the last step crosses.
#[derive(Clone, Debug)]
pub(super) struct ClipEvents<'a> {
    /// Seconds from the start of the clip, in ascending order.
    times: Vec<f64>,
    events: Vec<&'a Event>,
    /// Where the last search ended. Most steps cross no event, so the next one ends there as well.
    hint: usize,
    /// The bounds around the current position between which the clock meets neither an event nor a
    /// turn, if all events of the last step have been taken.
    gap: (f64, f64),
    /// Whether the step stays in the gap. The fields below are then those of an earlier step.
    is_quiet: bool,
    legs: Legs,
    /// The leg whose events are being taken, and those that are left.
    leg: Option<(Leg, Range<usize>)>,
    /// The time that the clock takes for a second of the clip.
    pace: f64,
}

impl<'a> ClipEvents<'a> {
    pub(super) fn of(timeline: &'a Timeline, clip: &Clip) -> ClipEvents<'a> {
        let start = f64::from(clip.start);
        let (times, events) =
            timeline.events_in(clip).map(|event| (f64::from(event.time) - start, event)).unzip();
        ClipEvents {
            times,
            events,
            hint: 0,
            gap: NO_GAP,
            is_quiet: true,
            legs: Legs::none_at(0.0),
            leg: None,
            pace: 0.0,
        }
    }

    /// Forgets what the last step found, after the clock has jumped or got another course.
    pub(super) fn forget(&mut self) {
        (self.gap, self.is_quiet) = (NO_GAP, true);
    }

    /// Starts a step, given whether it passes an end of the clip. Events of the last step that were
    /// not taken are left out.
    #[inline]
    pub(super) fn start(&mut self, legs: Legs, passes_end: bool, pace: f64) {
        let ((_, to), (before, after)) = (legs.ends(), self.gap);
        // The step starts in the gap. No branches in between, since most steps are quiet.
        self.is_quiet = self.events.is_empty() || !passes_end & (before < to) & (to < after);
        if !self.is_quiet {
            self.gap = NO_GAP;
            (self.legs, self.leg, self.pace) = (legs, None, pace);
        }
    }

    /// Takes the next event that the step crosses.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Crossing<'a>> {
        // Without this, a step of very many rounds would take very long to find no events.
        if self.is_quiet { None } else { self.next_of_some() }
    }

    fn next_of_some(&mut self) -> Option<Crossing<'a>> {
        loop {
            if let Some((leg, left)) = &mut self.leg
                && let Some(index) = if leg.backwards { left.next_back() } else { left.next() }
                && let (Some(time), Some(event)) = (self.times.get(index), self.events.get(index))
            {
                let way = leg.before + (time - leg.from).abs();
                return Some(Crossing {
                    event,
                    time: *time,
                    after: way * self.pace,
                    backwards: leg.backwards,
                });
            }
            let leg = self.legs.next()?;
            self.leg = Some((leg, self.crossed(&leg)));
            // The position differs from the time of the clip after a turn.
            if self.legs.is_done() && leg.to == self.legs.ends().1 {
                self.gap = self.gap_at_hint();
            }
        }
    }

    /// Returns the indices of the events that a leg crosses.
    fn crossed(&mut self, leg: &Leg) -> Range<usize> {
        let Leg { from, to, includes_from, .. } = *leg;
        let start = self.count(from, leg.backwards == includes_from);
        let end = self.count(to, !leg.backwards);
        if leg.backwards { end..start.max(end) } else { start..end.max(start) }
    }

    /// Returns the number of events before a time, or up to and including it.
    #[inline]
    fn count(&mut self, time: f64, inclusive: bool) -> usize {
        let is_before = |own: f64| own < time || inclusive && own == time;
        let last = self.hint.checked_sub(1).and_then(|last| self.times.get(last));
        if !last.is_none_or(|own| is_before(*own))
            || self.times.get(self.hint).is_some_and(|own| is_before(*own))
        {
            self.hint = self.times.partition_point(|own| is_before(*own));
        }
        self.hint
    }

    fn gap_at_hint(&self) -> (f64, f64) {
        let last = self.hint.checked_sub(1).and_then(|last| self.times.get(last));
        let next = self.times.get(self.hint).copied().unwrap_or(f64::INFINITY);
        (last.copied().unwrap_or(f64::NEG_INFINITY), next.min(self.legs.course().fold()))
    }
}
