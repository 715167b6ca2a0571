//! Morph target weights over time.

use anim_ir::number::narrow;
use anim_ir::{Channel, Interpolation, Target, TimelineBuilder};

use super::motion::Motion;
use super::pages::{KEYS_ON_THE_WAY, Page};
use super::tracks::add_track;
use super::variants::with_next;

/// A key of a page.
struct Key {
    time: f32,
    frame: usize,
    weights: Vec<f32>,
}

/// A sample between two keys.
struct Moment {
    time: f32,
    weights: Vec<f32>,
    /// The rate of change of the weights, per second.
    slopes: Vec<f32>,
}

impl Motion {
    /// Adds a track with the weights of a page's morph targets in one take.
    pub(super) fn add_weights(
        &self,
        page: &Page,
        (take, mine): (usize, &[usize]),
        step: bool,
        target: Target,
        builder: &mut TimelineBuilder,
    ) {
        let keyed = self.keys_of(page, take, mine, step);
        let pairs = || keyed.iter().zip(keyed.iter().skip(1));
        if step || !pairs().any(|(a, b)| page.curves.contains(&(a.frame, b.frame))) {
            let keyed: Vec<(f32, Vec<f32>)> =
                keyed.into_iter().map(|key| (key.time, key.weights)).collect();
            add_track(builder, target, Channel::MorphWeights, step, &keyed);
            return;
        }
        // The times, each with the in-tangents, values and out-tangents of all weights.
        let (mut times, mut values) = (Vec::new(), Vec::new());
        let still = vec![0.0_f32; page.target_count()];
        let mut slope_before = still.clone();
        for (from, to) in pairs() {
            for step in 0..KEYS_ON_THE_WAY {
                let part = f64::from(step) / f64::from(KEYS_ON_THE_WAY);
                let Moment { time, weights, slopes } = self.on_the_way(page, from, to, part);
                if times.last().is_some_and(|last| *last >= time) {
                    continue;
                }
                times.push(time);
                values.extend(if step == 0 { &slope_before } else { &slopes });
                values.extend(weights.iter().chain(&slopes));
            }
            slope_before = self.on_the_way(page, from, to, 1.0).slopes;
        }
        if let Some(last) = keyed.last() {
            times.push(last.time);
            values.extend(slope_before.iter().chain(&last.weights).chain(&still));
        }
        let _ = builder.keys(target, Channel::MorphWeights, Interpolation::Cubic, &times, values);
    }

    /// Returns the keys of a page in one take, from each key that shows it to the key that hides
    /// it. `mine` are the indices of the keys that show it.
    fn keys_of(&self, page: &Page, take: usize, mine: &[usize], step: bool) -> Vec<Key> {
        let Some(keys) = self.keys.get(take) else { return Vec::new() };
        let mine = if step { mine.to_vec() } else { with_next(mine) };
        let key = |(time, frame): &(f32, usize)| {
            let shape = self.shapes.of_frame.get(*frame)?;
            let place = page.shapes.iter().position(|at| at == shape)?;
            let mut weights = vec![0.0_f32; page.target_count()];
            if let Some(weight) = place.checked_sub(1).and_then(|at| weights.get_mut(at)) {
                *weight = 1.0;
            }
            Some(Key { time: *time, frame: *frame, weights })
        };
        mine.into_iter().filter_map(|at| key(keys.get(at)?)).collect()
    }

    /// Returns the sample at a fraction of the interval between two keys.
    fn on_the_way(&self, page: &Page, from: &Key, to: &Key, part: f64) -> Moment {
        let (start, end) = (f64::from(from.time), f64::from(to.time));
        let span = end - start;
        let time = if part == 1.0 { to.time } else { narrow(start + span * part) };
        // The time of the key is rounded, so evaluate the weights at the rounded time.
        let u = (f64::from(time) - start) / span;
        let straight = |(from, to): (&f32, &f32)| {
            let (from, to) = (f64::from(*from), f64::from(*to));
            (from + (to - from) * u, to - from)
        };
        let mut all: Vec<(f64, f64)> = from.weights.iter().zip(&to.weights).map(straight).collect();
        let mut at = page.shapes.len().saturating_sub(1);
        for pair in &page.curves {
            let targets = self.curves.get(pair).map_or(0, |curve| curve.target_count());
            if *pair == (from.frame, to.frame) {
                let weights = match targets {
                    1 => [(u * (1.0 - u), 1.0 - 2.0 * u), (0.0, 0.0)],
                    _ => [
                        (u * (1.0 - u) * (1.0 - u), (1.0 - u) * (1.0 - 3.0 * u)),
                        (u * u * (1.0 - u), u * (2.0 - 3.0 * u)),
                    ],
                };
                for (place, weight) in all.iter_mut().skip(at).zip(weights).take(targets) {
                    *place = weight;
                }
            }
            at = at.saturating_add(targets);
        }
        let (weights, slopes) =
            all.into_iter().map(|(weight, slope)| (narrow(weight), narrow(slope / span))).unzip();
        Moment { time, weights, slopes }
    }
}
