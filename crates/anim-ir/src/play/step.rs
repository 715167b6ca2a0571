//! The way of a clip's clock during a step: the legs between the ends of its rounds.

/// A part of a step in which the clock of a clip moves in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leg {
    /// Seconds on the clock of the clip.
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) backwards: bool,
    /// Whether what happens at `from` belongs to this leg. It always does at `to`.
    pub(super) includes_from: bool,
    /// The way of the clock in this step before the leg, in seconds.
    pub(super) before: f64,
}

/// Where the clock of a clip goes at the ends of the clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Course {
    /// It continues, or has been clamped.
    Straight,
    /// It turns around at this time, once.
    ThereAndBack(f64),
    /// It continues at the other end, this many seconds away.
    Loop(f64),
    /// It turns around at 0 and at this time.
    PingPong(f64),
}

impl Course {
    /// The time at which the clock turns around, beyond which it is counted on.
    pub(super) const fn fold(self) -> f64 {
        match self {
            Course::ThereAndBack(fold) | Course::PingPong(fold) => fold,
            Course::Straight | Course::Loop(_) => f64::INFINITY,
        }
    }

    /// The length of a round.
    pub(super) const fn period(self) -> f64 {
        match self {
            Course::Loop(duration) => duration,
            Course::PingPong(fold) => 2.0 * fold,
            Course::Straight | Course::ThereAndBack(_) => f64::INFINITY,
        }
    }
}

/// The legs of a step, computed as they are taken, since a long step may have any number of them.
///
/// While a clip turns around, its position counts on: beyond the fold, the clock runs backwards.
#[derive(Clone, Debug)]
pub(super) struct Legs {
    course: Course,
    /// The position at which the next leg starts.
    at: f64,
    /// The position at which the step ends.
    end: f64,
    /// The number of ends of rounds that are yet to be passed.
    rounds: f64,
    backwards: bool,
    includes_from: bool,
    before: f64,
    is_done: bool,
}

impl Legs {
    /// No legs at a position.
    pub(super) fn none_at(position: f64) -> Legs {
        let none = Legs::new(Course::Straight, (position, position), 0.0, false, false);
        Legs { is_done: true, ..none }
    }

    /// Returns the legs of a step from a position, which ends at a position after `rounds` ends of
    /// rounds.
    pub(super) fn new(
        course: Course,
        (mut at, end): (f64, f64),
        mut rounds: f64,
        backwards: bool,
        includes_from: bool,
    ) -> Legs {
        // A clip that turns around at 0 leaves it forwards.
        if backwards && at == 0.0 && rounds > 0.0 && matches!(course, Course::PingPong(_)) {
            at = course.period();
            rounds -= 1.0;
        }
        let before = 0.0;
        Legs { course, at, end, rounds, backwards, includes_from, before, is_done: false }
    }

    /// The positions at the start and at the end of the remaining step.
    pub(super) const fn ends(&self) -> (f64, f64) {
        (self.at, self.end)
    }

    pub(super) const fn is_done(&self) -> bool {
        self.is_done
    }

    pub(super) const fn course(&self) -> Course {
        self.course
    }

    /// How many ends of rounds the remaining step passes, negative if backwards.
    pub(super) const fn rounds(&self) -> f64 {
        if self.backwards { -self.rounds } else { self.rounds }
    }
}

impl Iterator for Legs {
    type Item = Leg;

    fn next(&mut self) -> Option<Leg> {
        if self.is_done {
            return None;
        }
        let (fold, period) = (self.course.fold(), self.course.period());
        let bound = match self.backwards {
            true if self.at > fold => fold,
            // Only a step that goes on beyond 0 in another round stops there.
            true if period.is_finite() => 0.0,
            true => f64::NEG_INFINITY,
            false if self.at < fold => fold.min(period),
            false => period,
        };
        let is_inside = if self.backwards { self.end >= bound } else { self.end <= bound };
        let is_last = self.rounds == 0.0 && is_inside;
        let to = if is_last { self.end } else { bound };
        let is_folded = self.at.max(to) > fold;
        let local = |position: f64| if is_folded { 2.0 * fold - position } else { position };
        let leg = Leg {
            from: local(self.at),
            to: local(to),
            backwards: self.backwards != is_folded,
            includes_from: self.includes_from,
            before: self.before,
        };
        self.before += (to - self.at).abs();
        self.is_done = is_last;
        (self.at, self.includes_from) = (to, false);
        if !is_last && to != fold {
            self.rounds -= 1.0;
            self.at = if self.backwards { period } else { 0.0 };
            // A loop continues at its other end; a clip that turns around stays where it is.
            self.includes_from = matches!(self.course, Course::Loop(_));
        }
        Some(leg)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Plain = (f64, f64, bool);

    fn legs(course: Course, at: f64, end: f64, rounds: f64, backwards: bool) -> Vec<Plain> {
        let legs = Legs::new(course, (at, end), rounds, backwards, false);
        legs.map(|leg| (leg.from, leg.to, leg.includes_from)).collect()
    }

    #[test]
    fn legs_by_hand() {
        use Course::{Loop, PingPong, Straight, ThereAndBack};
        assert_eq!(legs(Straight, 1.0, 2.0, 0.0, false), [(1.0, 2.0, false)]);
        assert_eq!(legs(Straight, 1.0, -2.0, 0.0, true), [(1.0, -2.0, false)]);
        let there_and_back = [(2.0, 3.0, false), (3.0, 1.0, false)];
        assert_eq!(legs(ThereAndBack(3.0), 2.0, 5.0, 0.0, false), there_and_back);
        assert_eq!(
            legs(ThereAndBack(3.0), 5.0, 0.5, 0.0, true),
            [(1.0, 3.0, false), (3.0, 0.5, false)]
        );
        let twice = [(2.0, 3.0, false), (0.0, 3.0, true), (0.0, 1.0, true)];
        assert_eq!(legs(Loop(3.0), 2.0, 1.0, 2.0, false), twice);
        let back = [(2.0, 0.0, false), (3.0, 0.0, true), (3.0, 1.0, true)];
        assert_eq!(legs(Loop(3.0), 2.0, 1.0, 2.0, true), back);
        assert_eq!(legs(Loop(3.0), 2.0, 0.0, 1.0, false), [(2.0, 3.0, false), (0.0, 0.0, true)]);
        assert_eq!(legs(Loop(3.0), 2.0, 0.0, 0.0, true), [(2.0, 0.0, false)]);
        let swings = [(2.0, 3.0, false), (3.0, 0.0, false), (0.0, 1.0, false)];
        assert_eq!(legs(PingPong(3.0), 2.0, 1.0, 1.0, false), swings);
        let turned = [(1.0, 0.0, false), (0.0, 3.0, false), (3.0, 2.0, false)];
        assert_eq!(legs(PingPong(3.0), 1.0, 2.0, 1.0, true), turned);
        assert_eq!(legs(PingPong(3.0), 3.0, 3.0, 0.0, false), [(3.0, 3.0, false)]);
        assert_eq!(legs(PingPong(3.0), 0.0, 5.0, 1.0, true), [(0.0, 1.0, false)]);
    }

    #[test]
    fn a_leg_knows_its_direction_and_the_way_before_it() {
        let legs = Legs::new(Course::PingPong(3.0), (2.0, 1.0), 1.0, false, true);
        let found: Vec<_> =
            legs.map(|leg| (leg.backwards, leg.before, leg.includes_from)).collect();
        assert_eq!(found, [(false, 0.0, true), (true, 1.0, false), (false, 4.0, false)]);
    }
}
