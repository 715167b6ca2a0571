//! The transform of a joint, and how far it moves.

use crate::file::number::narrow;
use crate::math::double;
use crate::{Channel, Quat, Transform};

/// The transform of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    translation: [f64; 3],
    rotation: Quat,
    scale: [f64; 3],
}

impl Place {
    pub(super) fn of(Transform { translation, rotation, scale }: Transform) -> Place {
        Place { translation: translation.to_f64(), rotation, scale: scale.to_f64() }
    }

    /// Interpolates towards another transform.
    pub(super) fn toward(&self, other: &Place, part: f64) -> Place {
        Place {
            translation: double::lerp(self.translation, other.translation, part),
            rotation: self.rotation.slerp(other.rotation, narrow(part)),
            scale: double::lerp(self.scale, other.scale, part),
        }
    }

    /// Returns the difference between two transforms in a channel: in length units, in radians, or
    /// between the scale factors.
    pub(super) fn distance(&self, other: &Place, channel: Channel) -> f64 {
        match channel {
            Channel::Translation => double::distance(self.translation, other.translation),
            Channel::Scale => double::distance(self.scale, other.scale),
            _ => {
                let [a, b] = [self.rotation, other.rotation].map(Quat::to_f64);
                let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                let sign = if dot < 0.0 { -1.0 } else { 1.0 };
                let chord: f64 = a.iter().zip(b).map(|(a, b)| (a - b * sign).powi(2)).sum();
                4.0 * (chord.sqrt() * 0.5).min(1.0).asin()
            }
        }
    }

    pub(super) fn numbers(&self, channel: Channel) -> Numbers {
        match channel {
            Channel::Translation => Numbers::Three(self.translation.map(narrow)),
            Channel::Scale => Numbers::Three(self.scale.map(narrow)),
            _ => Numbers::Four(self.rotation.to_array()),
        }
    }
}

/// The value of a channel.
#[derive(Clone, Copy, Debug)]
pub(super) enum Numbers {
    Three([f32; 3]),
    Four([f32; 4]),
}

impl Numbers {
    pub(super) const fn as_slice(&self) -> &[f32] {
        match self {
            Numbers::Three(numbers) => numbers,
            Numbers::Four(numbers) => numbers,
        }
    }
}

/// The range of a joint's motion, estimated from its transforms at corners and at times between
/// them.
#[derive(Debug, Default)]
pub(super) struct Range {
    moves: f64,
    turns: f64,
    grows: f64,
    /// The largest magnitude. Differences below its f32 precision are insignificant.
    greatest: f64,
}

impl Range {
    pub(super) fn of(pieces: &[[(f64, Place); 2]], mut at: impl FnMut(f64) -> Place) -> Range {
        let mut range = Range::default();
        let Some([(_, first), _]) = pieces.first() else { return range };
        for [start, end] in pieces {
            let between = [0.25, 0.5, 0.75].map(|part| at(start.0 + (end.0 - start.0) * part));
            for place in between.iter().chain([&start.1, &end.1]) {
                range.moves = range.moves.max(first.distance(place, Channel::Translation));
                range.turns = range.turns.max(first.distance(place, Channel::Rotation));
                range.grows = range.grows.max(first.distance(place, Channel::Scale));
                let numbers = place.translation.iter().chain(&place.scale);
                range.greatest = numbers.fold(range.greatest, |most, n| most.max(n.abs()));
            }
        }
        range
    }

    pub(super) fn tolerance(&self, channel: Channel, part: f64) -> f64 {
        let (range, least) = match channel {
            Channel::Translation => (self.moves, self.greatest * f64::from(f32::EPSILON)),
            Channel::Scale => (self.grows, self.greatest * f64::from(f32::EPSILON)),
            _ => (self.turns, 2e-6),
        };
        // The factor leaves some tolerance for the rounding of keys and for the motion between the
        // sampled times.
        (range * part * 0.7).max(least)
    }
}
