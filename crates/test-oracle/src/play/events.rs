//! The events that a step of a clip crosses.
//!
//! The clock is unfolded to a line of whole ticks: position 0 is the start of the clip when it was
//! first played, and every round has its own stretch of the line. All numbers are integers, so
//! nothing is rounded. There are two evaluations: [`Playback::advance`] lists the events of all
//! rounds on the line and keeps those in the step, and [`Playback::walk`] moves tick by tick and
//! looks which events are at each.

use super::Wrap;

/// A clip. Times are in ticks since its start.
#[derive(Clone, Debug)]
pub struct Clip {
    pub duration: i64,
    pub wrap: Wrap,
    /// The group whose events occur; `None` for all groups.
    pub group: Option<usize>,
    /// The events in file order, which is ascending order of time.
    pub events: Vec<Event>,
}

/// An event. Its time may be outside of the clip.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    pub time: i64,
    /// The group of clips in which it occurs; `None` for all.
    pub group: Option<usize>,
}

/// A speed as a fraction: numerator and positive denominator.
pub type Speed = (i64, i64);

/// An event that occurs in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Occurrence {
    /// The index of the event in the clip.
    pub event: usize,
    /// The time on the clip's clock, in ticks.
    pub time: i64,
    /// Ticks since the start of the step, before they are multiplied by the speed.
    pub after: f64,
    /// Whether the clip's clock runs backwards at that moment.
    pub backwards: bool,
}

/// A clip that is being played.
#[derive(Clone, Debug)]
pub struct Playback<'a> {
    clip: &'a Clip,
    position: i64,
    /// The number of rounds completed before the last seek, less those before its position.
    earlier_rounds: i64,
    /// Whether the next step is the first since the start or a seek.
    fresh: bool,
}

/// An event in one of the rounds.
struct Place {
    event: usize,
    position: i64,
    /// Whether the event is at the end of a round of a loop. The start of the next round has the
    /// same position, but comes later.
    ends_round: bool,
}

impl Place {
    /// Returns the order on the line.
    fn order(&self) -> (i64, bool) {
        (self.position, !self.ends_round)
    }
}

/// A step on the line.
#[derive(Clone, Copy)]
struct Step {
    from: i64,
    to: i64,
    /// The movement of a tick: 1 or -1.
    tick: i64,
    speed: Speed,
}

impl Clip {
    /// Returns the events that can occur.
    fn inside(&self) -> impl DoubleEndedIterator<Item = (usize, i64)> {
        let of_group = |event: &Event| {
            event.group.is_none() || self.group.is_none() || event.group == self.group
        };
        let events = self.events.iter().enumerate().filter(move |(_, event)| of_group(event));
        let inside = events.filter(|(_, event)| (0..=self.duration).contains(&event.time));
        inside.map(|(index, event)| (index, event.time))
    }

    /// Returns the positions at which a clip that stops is held.
    fn ends(&self) -> Option<(i64, i64)> {
        match self.wrap {
            Wrap::Once => Some((0, self.duration)),
            Wrap::PingPongOnce => Some((0, 2 * self.duration)),
            // It cannot move.
            Wrap::Loop | Wrap::PingPong if self.duration == 0 => Some((0, 0)),
            _ => None,
        }
    }

    /// Returns the time on the clock at a position.
    fn clock(&self, position: i64) -> i64 {
        let duration = self.duration;
        match self.wrap {
            Wrap::Unspecified | Wrap::Once => position,
            _ if duration == 0 => 0,
            Wrap::Loop => position.rem_euclid(duration),
            Wrap::PingPong | Wrap::PingPongOnce => {
                duration - (duration - position.rem_euclid(2 * duration)).abs()
            }
        }
    }
}

impl<'a> Playback<'a> {
    pub fn new(clip: &'a Clip) -> Self {
        Self { clip, position: 0, earlier_rounds: 0, fresh: true }
    }

    /// Moves the clock to a time from 0 to the duration. The number of rounds stays the same.
    pub fn seek(&mut self, time: i64) {
        assert!((0..=self.clip.duration).contains(&time));
        let rounds = self.rounds();
        (self.position, self.fresh) = (time, true);
        self.earlier_rounds += rounds - self.rounds();
    }

    /// Returns the time on the clip's clock.
    pub fn clock(&self) -> i64 {
        self.clip.clock(self.position)
    }

    /// Returns the position on the line.
    pub fn position(&self) -> i64 {
        self.position
    }

    /// Returns how many rounds of a clip that repeats have been completed.
    pub fn rounds(&self) -> i64 {
        let Clip { duration, wrap, .. } = *self.clip;
        let since_seek = match wrap {
            _ if duration == 0 => 0,
            Wrap::Loop => self.position.div_euclid(duration),
            Wrap::PingPong => self.position.div_euclid(2 * duration),
            Wrap::Once | Wrap::PingPongOnce | Wrap::Unspecified => 0,
        };
        self.earlier_rounds + since_seek
    }

    /// Whether a clip that stops has reached the end towards which it is played.
    pub fn is_finished(&self, backwards: bool) -> bool {
        matches!(self.clip.wrap, Wrap::Once | Wrap::PingPongOnce)
            && self
                .clip
                .ends()
                .is_some_and(|(first, last)| self.position == if backwards { first } else { last })
    }

    /// Advances by some ticks times the speed, whose product must be a whole number. Returns the
    /// events in order.
    pub fn advance(&mut self, ticks: i64, speed: Speed) -> Vec<Occurrence> {
        let Some(step) = self.step(ticks, speed) else { return Vec::new() };
        let fresh = std::mem::take(&mut self.fresh);
        self.position = step.to;
        // A player is never before the start of a round and after the end of the previous one.
        let (a, b) = ((step.from, true), (step.to, true));
        let mut places = self.places(step.from.min(step.to), step.from.max(step.to));
        places.retain(|place| {
            let at = place.order();
            let crossed = if step.tick > 0 { a < at && at <= b } else { a > at && at >= b };
            crossed || (fresh && at == a)
        });
        places.sort_by(|one, other| {
            let order = one.order().cmp(&other.order());
            let order = if step.tick > 0 { order } else { order.reverse() };
            // Equal places are in the order of the file, unless the clock runs backwards.
            let in_file = one.event.cmp(&other.event);
            let backwards = self.is_backwards(one.position, step);
            order.then(if backwards { in_file.reverse() } else { in_file })
        });
        places.iter().map(|place| self.occurrence(place.event, place.position, step)).collect()
    }

    /// Does the same as [`Playback::advance`] by moving a tick at a time.
    pub fn walk(&mut self, ticks: i64, speed: Speed) -> Vec<Occurrence> {
        let Some(step) = self.step(ticks, speed) else { return Vec::new() };
        let duration = self.clip.duration;
        let looping = self.clip.wrap == Wrap::Loop && duration > 0;
        let mut found = Vec::new();
        let mut at = |time: i64, position: i64| {
            let mut here: Vec<usize> =
                self.clip.inside().filter(|of| of.1 == time).map(|of| of.0).collect();
            if self.is_backwards(position, step) {
                here.reverse();
            }
            found.extend(here.into_iter().map(|event| self.occurrence(event, position, step)));
        };
        let mut position = step.from;
        if self.fresh {
            at(self.clip.clock(position), position);
        }
        while position != step.to {
            if looping && step.tick < 0 && self.clip.clock(position) == 0 {
                at(duration, position);
            }
            position += step.tick;
            if looping && step.tick > 0 && self.clip.clock(position) == 0 {
                at(duration, position);
            }
            at(self.clip.clock(position), position);
        }
        (self.position, self.fresh) = (position, false);
        found
    }

    /// Returns the next step, unless it moves the clock by 0.
    fn step(&self, ticks: i64, speed: Speed) -> Option<Step> {
        let product = ticks * speed.0;
        assert!(speed.1 > 0 && product % speed.1 == 0, "a part of a tick");
        let (from, mut to) = (self.position, self.position + product / speed.1);
        if let Some((first, last)) = self.clip.ends() {
            to = to.clamp(first, last);
        }
        (product != 0).then_some(Step { from, to, tick: product.signum(), speed })
    }

    /// Lists all events in the rounds that contain these positions, and in their neighbours.
    fn places(&self, first: i64, last: i64) -> Vec<Place> {
        let Clip { duration, wrap, .. } = *self.clip;
        let round = match wrap {
            Wrap::Loop => duration,
            Wrap::PingPong | Wrap::PingPongOnce => 2 * duration,
            Wrap::Once | Wrap::Unspecified => 0,
        };
        // The starts of the rounds.
        let starts: Vec<i64> = if round == 0 {
            vec![0]
        } else {
            (first.div_euclid(round) - 1..=last.div_euclid(round) + 1).map(|k| k * round).collect()
        };
        let mut places = Vec::new();
        for start in starts {
            for (event, time) in self.clip.inside() {
                let ends_round = wrap == Wrap::Loop && duration > 0 && time == duration;
                places.push(Place { event, position: start + time, ends_round });
                // On the way back, but not at the turning points.
                if round == 2 * duration && 0 < time && time < duration {
                    places.push(Place { event, position: start + round - time, ends_round: false });
                }
            }
        }
        places
    }

    /// Whether the clock runs backwards when a step reaches a position, or leaves it if it is where
    /// the step starts.
    fn is_backwards(&self, position: i64, step: Step) -> bool {
        match self.clip.wrap {
            Wrap::PingPong | Wrap::PingPongOnce if self.clip.duration > 0 => {
                let clock = |position: i64| self.clip.clock(position);
                let (before, after) = if position == step.from {
                    (position, position + step.tick)
                } else {
                    (position - step.tick, position)
                };
                let beyond = self.clip.ends().is_some_and(|(first, last)| {
                    !(first..=last).contains(&before) || !(first..=last).contains(&after)
                });
                if beyond { step.tick < 0 } else { clock(after) < clock(before) }
            }
            _ => step.tick < 0,
        }
    }

    fn occurrence(&self, event: usize, position: i64, step: Step) -> Occurrence {
        let distance = (position - step.from).abs();
        Occurrence {
            event,
            time: self.clip.events[event].time,
            after: distance as f64 * step.speed.1 as f64 / step.speed.0.abs() as f64,
            backwards: self.is_backwards(position, step),
        }
    }
}
