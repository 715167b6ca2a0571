//! Root motion: the movement of a joint, given to the object as a whole.
//!
//! `M(t)` is the joint's transform at time t of the clip, and `Y(t)` its translation and yaw.

use super::{Transform, Wrap};
use crate::math::{dot, normalized};

/// The motion of the joint that carries the object.
pub struct RootMotion<'a> {
    /// M(t).
    pub motion: &'a dyn Fn(f64) -> Transform,
    /// The duration of the clip.
    pub duration: f64,
    pub wrap: Wrap,
    /// The unit axis of the yaw, or `None` to leave the rotation in the pose.
    pub up: Option<[f64; 3]>,
}

/// Returns the yaw of a rotation about a unit axis: the twist of its swing-twist decomposition.
pub fn yaw([x, y, z, w]: [f64; 4], up: [f64; 3]) -> [f64; 4] {
    let along = dot([x, y, z], up);
    normalized([up[0] * along, up[1] * along, up[2] * along, w])
}

impl RootMotion<'_> {
    /// Returns Y(t).
    fn carried(&self, t: f64) -> Transform {
        let Transform { translation, rotation, .. } = (self.motion)(t);
        let rotation = self.up.map_or([0.0, 0.0, 0.0, 1.0], |up| yaw(rotation, up));
        Transform { translation, rotation, scale: [1.0; 3] }
    }

    /// Returns the transform that remains in the pose at a time on the clip's clock.
    pub fn remainder(&self, t: f64) -> Transform {
        self.carried(0.0).mul(&self.carried(t).rigid_inverse()).mul(&(self.motion)(t))
    }

    /// Returns the joint's transform at a position on the unfolded line, continued over all rounds
    /// of a loop without jumping back: each starts where the one before it has led.
    pub fn continued(&self, position: f64) -> Transform {
        let position = self.held(position);
        if self.wrap != Wrap::Loop || self.duration <= 0.0 {
            let stretch = (position / self.duration).floor();
            return (self.motion)(self.clock_in(stretch, position));
        }
        let round = self.carried(self.duration).mul(&self.carried(0.0).rigid_inverse());
        let rounds = (position / self.duration).floor();
        let mut moved = Transform::IDENTITY;
        for _ in 0..rounds.abs() as usize {
            moved = moved.mul(&if rounds > 0.0 { round } else { round.rigid_inverse() });
        }
        moved.mul(&(self.motion)(self.clock_in(rounds, position)))
    }

    /// Returns the delta of a step between two positions on the unfolded line, as the product of
    /// the deltas of many small parts, none of which contains an end of the clip inside.
    pub fn delta(&self, from: f64, to: f64) -> Transform {
        const PARTS: usize = 64;
        let (from, to) = (self.held(from), self.held(to));
        let mut stops = vec![from, to];
        if !matches!(self.wrap, Wrap::Once | Wrap::Unspecified) && self.duration > 0.0 {
            let (first, last) = (from.min(to), from.max(to));
            let mut round = (first / self.duration).floor();
            while round * self.duration < last {
                if round * self.duration > first {
                    stops.push(round * self.duration);
                }
                round += 1.0;
            }
        }
        stops.sort_by(f64::total_cmp);
        if from > to {
            stops.reverse();
        }
        let mut delta = Transform::IDENTITY;
        for part in stops.windows(2) {
            let round = ((part[0] + part[1]) / 2.0 / self.duration).floor();
            let clock = |part_done: usize| {
                let position = part[0] + (part[1] - part[0]) * part_done as f64 / PARTS as f64;
                self.clock_in(round, position)
            };
            for small in 0..PARTS {
                let [a, b] = [small, small + 1].map(clock);
                delta = delta.mul(&self.moved(a, b));
            }
        }
        delta
    }

    /// Returns the delta from one time of the clock to another.
    fn moved(&self, a: f64, b: f64) -> Transform {
        let start = self.carried(0.0);
        let there = start.mul(&self.carried(a).rigid_inverse()).mul(&self.carried(b));
        there.mul(&start.rigid_inverse())
    }

    fn held(&self, position: f64) -> f64 {
        match self.wrap {
            Wrap::Once => position.clamp(0.0, self.duration),
            Wrap::PingPongOnce => position.clamp(0.0, 2.0 * self.duration),
            _ => position,
        }
    }

    /// Returns the time on the clock at a position in a stretch of the line as long as the clip.
    fn clock_in(&self, stretch: f64, position: f64) -> f64 {
        let inside = position - stretch * self.duration;
        match self.wrap {
            Wrap::Once | Wrap::Unspecified => position,
            _ if self.duration <= 0.0 => 0.0,
            Wrap::Loop => inside,
            Wrap::PingPong | Wrap::PingPongOnce if stretch.rem_euclid(2.0) == 0.0 => inside,
            Wrap::PingPong | Wrap::PingPongOnce => self.duration - inside,
        }
    }
}
