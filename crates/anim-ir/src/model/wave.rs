//! Waves: values that move between a start and an end, periodically or once.

use crate::math::double;
use crate::math::trig::sin_of_turns;
use crate::names::named;

/// The shape of a wave between its start and end values, defined in terms of
/// u = (time + offset) / period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WaveShape {
    /// Moves from start to end within a period, then restarts: the fractional part of u.
    #[default]
    Sawtooth,
    /// Moves from start to end and back within a period: 1 - |1 - 2 · the fractional part of u|.
    Triangle,
    /// Moves from start to end within the first period, then stays at the end: u clamped to 0..1.
    Once,
    /// Moves in a sine wave around the midpoint of start and end: (1 + sin 2πu) / 2.
    Sine,
    /// The start value times u, which grows without bound. The end value is ignored. Without a
    /// period, u is the time.
    Growth,
}

named!(WaveShape, "wave shape", {
    Sawtooth => "sawtooth",
    Triangle => "triangle",
    Once => "once",
    Sine => "sine",
    Growth => "growth",
});

/// A three-component value that is defined by a formula. It can be evaluated in f64 at any time,
/// including negative times.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wave {
    /// The shape of the wave.
    pub shape: WaveShape,
    /// Whether the wave moves from the end to the start instead. Ignored for
    /// [`WaveShape::Growth`].
    pub backwards: bool,
    /// The start value.
    pub start: [f32; 3],
    /// The end value.
    pub end: [f32; 3],
    /// Period in seconds. If it is not greater than 0, the value stays at the start, except for
    /// [`WaveShape::Growth`].
    pub period: f32,
    /// Phase offset in seconds.
    pub offset: f32,
}

impl Wave {
    /// Evaluates the wave at a time in seconds.
    #[inline]
    pub fn at(&self, time: f64) -> [f64; 3] {
        let [start, end] =
            if self.backwards { [self.end, self.start] } else { [self.start, self.end] };
        if self.shape == WaveShape::Growth {
            let u = if self.period > 0.0 { self.cycles(time) } else { time };
            return self.start.map(|number| f64::from(number) * u);
        }
        if self.period <= 0.0 {
            return self.start.map(f64::from);
        }
        let u = self.cycles(time);
        let fraction = || u - u.floor();
        let part = match self.shape {
            WaveShape::Sawtooth => fraction(),
            WaveShape::Triangle => 1.0 - (1.0 - 2.0 * fraction()).abs(),
            WaveShape::Once => u.clamp(0.0, 1.0),
            WaveShape::Sine | WaveShape::Growth => 0.5 + 0.5 * sin_of_turns(u),
        };
        double::lerp(start.map(f64::from), end.map(f64::from), part)
    }

    /// Returns the number of periods elapsed.
    fn cycles(&self, time: f64) -> f64 {
        (time + f64::from(self.offset)) / f64::from(self.period)
    }

    /// Whether the value never changes.
    pub fn is_constant(&self) -> bool {
        match self.shape {
            WaveShape::Growth => self.start == [0.0; 3],
            _ => self.period <= 0.0 || self.start == self.end,
        }
    }

    /// Returns an upper bound for the number of times that [`Wave::corners`] returns for a range.
    pub fn corner_count(&self, from: f64, to: f64) -> f64 {
        if self.is_constant() {
            return 0.0;
        }
        let periods = (to - from).max(0.0) / f64::from(self.period) + 1.0;
        match self.shape {
            WaveShape::Sawtooth => periods,
            // A sine has no corners, but its peaks need keys, or a straight line could skip one.
            WaveShape::Triangle | WaveShape::Sine => periods * 4.0,
            WaveShape::Once => 2.0,
            WaveShape::Growth => 0.0,
        }
    }

    /// Returns the times within a range at which the wave jumps or bends, in ascending order; for a
    /// sine, its peaks and midpoints. Check their number with [`Wave::corner_count`] first.
    pub fn corners(&self, from: f64, to: f64) -> Vec<f64> {
        let (period, offset) = (f64::from(self.period), f64::from(self.offset));
        let per_period = match self.shape {
            _ if self.is_constant() => return Vec::new(),
            WaveShape::Growth => return Vec::new(),
            WaveShape::Once => {
                let ends = [-offset, period - offset].into_iter();
                return ends.filter(|time| from < *time && *time < to).collect();
            }
            WaveShape::Sawtooth => 1.0,
            WaveShape::Triangle => 2.0,
            WaveShape::Sine => 4.0,
        };
        let step = period / per_period;
        let mut corners = Vec::new();
        // From 2^53, adding 1 to a step number no longer changes it, which ends the loop.
        let mut number = ((from + offset) / step).floor();
        loop {
            let time = number * step - offset;
            if time >= to || corners.len() >= MOST_CORNERS {
                return corners;
            }
            if time > from {
                corners.push(time);
            }
            let next = number + 1.0;
            if next <= number {
                return corners;
            }
            number = next;
        }
    }
}

/// The maximum length of a list returned by [`Wave::corners`].
const MOST_CORNERS: usize = 1 << 24;

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(shape: WaveShape, backwards: bool) -> Wave {
        let (start, end) = ([-50.0, 0.0, 4.0], [50.0, 10.0, 4.0]);
        Wave { shape, backwards, start, end, period: 2.0, offset: 0.5 }
    }

    /// The expected values were computed by hand from u = (t + 0.5) / 2.
    #[test]
    fn values_match_hand_computed_ones() {
        let first = |shape, backwards, times: [f64; 4]| {
            times.map(|time| wave(shape, backwards).at(time)[0])
        };
        let times = [-0.5, 0.0, 1.0, 2.5];
        assert_eq!(first(WaveShape::Sawtooth, false, times), [-50.0, -25.0, 25.0, 0.0]);
        assert_eq!(first(WaveShape::Sawtooth, true, times), [50.0, 25.0, -25.0, 0.0]);
        assert_eq!(first(WaveShape::Triangle, false, times), [-50.0, 0.0, 0.0, 50.0]);
        assert_eq!(first(WaveShape::Triangle, true, times), [50.0, 0.0, 0.0, -50.0]);
        let once = first(WaveShape::Once, false, [-9.0, 0.0, 1.5, 9.0]);
        assert_eq!(once, [-50.0, -25.0, 50.0, 50.0]);
        let [a, b, _, d] = first(WaveShape::Sine, false, times);
        assert!([a, b - 50.0, d].iter().all(|error| error.abs() < 1e-12), "{a} {b} {d}");
        assert_eq!(first(WaveShape::Growth, false, times), [0.0, -12.5, -37.5, -75.0]);
        assert_eq!(Wave { period: 0.0, ..wave(WaveShape::Growth, false) }.at(3.0)[0], -150.0);
        assert_eq!(Wave { period: -1.0, ..wave(WaveShape::Sine, true) }.at(3.0)[0], -50.0);
        assert_eq!(wave(WaveShape::Sine, false).at(1e15 + 0.25)[2], 4.0);
    }

    #[test]
    fn corners_are_at_jumps_and_bends() {
        assert_eq!(wave(WaveShape::Sawtooth, false).corners(-1.0, 4.0), [-0.5, 1.5, 3.5]);
        assert_eq!(wave(WaveShape::Triangle, false).corners(0.0, 3.5), [0.5, 1.5, 2.5]);
        assert_eq!(wave(WaveShape::Once, false).corners(-1.0, 3.0), [-0.5, 1.5]);
        assert_eq!(wave(WaveShape::Sine, false).corners(-0.5, 1.0), [0.0, 0.5]);
        let fast = Wave { period: 1e-30, ..wave(WaveShape::Sawtooth, false) };
        assert!(fast.corner_count(0.0, 1.0) > 1e29);
    }
}
