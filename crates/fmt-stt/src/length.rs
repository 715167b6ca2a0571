//! The clip length of a SINGLE state: the time after which all its waves repeat together.

use anim_ir::number::narrow;

use crate::motion::{Behaviour, Channel, ChannelType, Part};

/// Ticks per second. With ticks of one microsecond, periods of up to six decimals are exact.
const TICKS: f64 = 1e6;

/// The length of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Length {
    pub(crate) seconds: f32,
    /// Whether the clip loops, because any wave repeats.
    pub(crate) repeats: bool,
    /// Whether the clip loops without a jump. Also true if it does not loop.
    pub(crate) repeats_exactly: bool,
}

/// The combined properties of a state's channels.
struct Round {
    /// Least common multiple of the periods of all repeating waves, in ticks; `None` if that number
    /// cannot be represented.
    ticks: Option<u64>,
    /// Whether all periods are whole numbers of ticks.
    whole: bool,
    shortest: f32,
    longest: f32,
    /// The time in seconds when the last one-way wave ends.
    once_until: f64,
    grows: bool,
    /// The longest period of the waves that grow forever, or one second.
    growth: f32,
}

impl Length {
    pub(crate) fn of<'a>(behaviours: impl Iterator<Item = &'a Behaviour>, limit: f64) -> Length {
        let mut round = Round {
            ticks: Some(1),
            whole: true,
            shortest: f32::INFINITY,
            longest: 0.0,
            once_until: 0.0,
            grows: false,
            growth: 0.0,
        };
        for behaviour in behaviours {
            Part::ALL
                .map(|part| behaviour.channel(part))
                .iter()
                .filter(|channel| !channel.is_still())
                .for_each(|channel| round.add(channel));
        }
        round.length(limit)
    }
}

/// Rounds a period to ticks; `None` if the result is zero or too large.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 2^63")]
fn ticks(seconds: f64) -> Option<u64> {
    let ticks = (seconds * TICKS).round();
    (1.0..9e18).contains(&ticks).then_some(ticks as u64)
}

#[expect(clippy::cast_precision_loss, reason = "rounded to f32 anyway")]
fn seconds(ticks: u64) -> f64 {
    ticks as f64 / TICKS
}

impl Round {
    fn add(&mut self, channel: &Channel) {
        let period = channel.period;
        match channel.kind {
            ChannelType::OnceForwards | ChannelType::OnceBackwards => {
                self.once_until =
                    self.once_until.max(f64::from(period) - f64::from(channel.offset));
            }
            ChannelType::Delta => {
                self.grows = true;
                self.growth = self.growth.max(if period > 0.0 { period } else { 1.0 });
            }
            _ => {
                let own = ticks(f64::from(period));
                self.ticks =
                    self.ticks.zip(own).and_then(|(all, own)| least_common_multiple(all, own));
                self.whole &=
                    own.is_some_and(|own| narrow(seconds(own)).total_cmp(&period).is_eq());
                (self.shortest, self.longest) =
                    (self.shortest.min(period), self.longest.max(period));
            }
        }
    }

    fn length(self, limit: f64) -> Length {
        let longest = f64::from(self.longest);
        if longest == 0.0 {
            let seconds = if self.once_until > 0.0 || !self.grows {
                narrow(self.once_until)
            } else {
                self.growth
            };
            return Length {
                seconds: seconds.min(f32::MAX),
                repeats: false,
                repeats_exactly: true,
            };
        }
        let (round, exact) =
            if self.shortest.total_cmp(&self.longest).is_eq() {
                (longest, true)
            } else {
                // The longest period may exceed the limit if all other periods divide it.
                match self.ticks.map(seconds).filter(|round| {
                    *round <= limit || narrow(*round).total_cmp(&self.longest).is_eq()
                }) {
                    Some(round) => (round, self.whole),
                    None => (longest, false),
                }
            };
        // Add full cycles until all one-way waves have ended.
        let rounds = (self.once_until / round).ceil().max(1.0);
        let rounds = if round * rounds <= limit { rounds } else { 1.0 };
        let seconds = narrow(round * rounds).min(f32::MAX);
        Length {
            seconds,
            repeats: true,
            repeats_exactly: exact && !self.grows && self.once_until <= 0.0,
        }
    }
}

fn least_common_multiple(a: u64, b: u64) -> Option<u64> {
    let (mut divisor, mut rest) = (a, b);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (a / divisor.max(1)).checked_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(channels: &[(ChannelType, f32, f32)]) -> Length {
        let channel = |(kind, period, offset)| Channel {
            start: [1.0; 3],
            end: [2.0; 3],
            period,
            offset,
            kind,
        };
        let still = Channel::still([5.0; 3]);
        let behaviours: Vec<_> = channels
            .iter()
            .map(|values| Behaviour::Dynamic([still, channel(*values), still]))
            .collect();
        Length::of(behaviours.iter(), 60.0)
    }

    fn exactly(seconds: f32, repeats: bool) -> Length {
        Length { seconds, repeats, repeats_exactly: true }
    }

    #[test]
    fn waves_repeat_together() {
        use ChannelType::{Delta, LoopForwards, OnceForwards, PingPongForwards, Sine, Start};
        assert_eq!(length(&[(PingPongForwards, 2.0, 0.3), (Sine, 3.0, 0.0)]), exactly(6.0, true));
        assert_eq!(length(&[(LoopForwards, 0.1, 0.0), (Sine, 0.15, 0.0)]), exactly(0.3, true));
        assert_eq!(
            length(&[(Sine, 100.0, 0.0)]),
            exactly(100.0, true),
            "a single wave may exceed the limit"
        );
        for [a, b] in [[2.0, 100.0], [100.0, 2.0]] {
            assert_eq!(
                length(&[(Sine, a, 0.0), (Sine, b, 0.0)]),
                exactly(100.0, true),
                "the cycle is the longest period"
            );
        }
        for odd in [1.0 / 3.0, 1e-30, 1e30] {
            assert_eq!(
                length(&[(Sine, odd, 0.0), (LoopForwards, odd, 1.0)]),
                exactly(odd, true),
                "the cycle is the only period, even if it is long"
            );
        }
        assert_eq!(length(&[(Start, 7.0, 0.0)]), exactly(0.0, false));
        assert_eq!(
            length(&[(OnceForwards, 4.0, 1.0), (OnceForwards, 2.0, -2.0)]),
            exactly(4.0, false)
        );
        assert_eq!(
            length(&[(OnceForwards, 4.0, 9.0)]),
            exactly(0.0, false),
            "the wave ends before the start of the clip"
        );
        assert_eq!(
            [length(&[(Delta, 4.0, 0.0)]), length(&[(Delta, 0.0, 0.0)])],
            [exactly(4.0, false), exactly(1.0, false)]
        );
    }

    #[test]
    fn waves_that_do_not_repeat_together() {
        use ChannelType::{Delta, OnceForwards, Sine};
        let cut = |seconds| Length { seconds, repeats: true, repeats_exactly: false };
        assert_eq!(length(&[(Sine, 7.0, 0.0), (Sine, 11.0, 0.0)]), cut(11.0), "77 s is too long");
        assert_eq!(length(&[(Sine, 7.0, 0.0), (Sine, 11.0, 0.0), (Sine, 13.0, 0.0)]), cut(13.0));
        assert_eq!(length(&[(Sine, 1e-30, 0.0), (Sine, 2.0, 0.0)]), cut(2.0));
        assert_eq!(
            length(&[(Sine, 1.0 / 3.0, 0.0), (Sine, 1.0, 0.0)]),
            cut(1.0),
            "rounded to 0.333333 s, which does not divide 1 s"
        );
        assert_eq!(length(&[(Sine, 2.0, 0.0), (Delta, 0.0, 0.0)]), cut(2.0));
        assert_eq!(
            length(&[(Sine, 2.0, 0.0), (OnceForwards, 3.0, 0.0)]),
            cut(4.0),
            "all waves end within two cycles"
        );
    }
}
