//! Follows the curve of a track: the lines to draw, and the keys on them.

use std::f64::consts::{PI, TAU};

use anim_ir::{
    Channel, Curve, EulerOrder, Interpolation, Keys, Quat, Timeline, Track, Wave, WaveShape,
};

/// The order in which rotations are shown: about x first, then y, then z.
const ORDER: EulerOrder = EulerOrder::Zyx;
/// The largest angle between neighbouring points of a rotation's curve, in radians.
const STEP: f64 = 0.05;
/// How many points a curved line has between two keys at most, if it is wide enough.
const MOST_POINTS: f64 = 48.0;
/// The width of a line between two points of a curve, in pixels.
const LINE: f64 = 3.0;

/// The part of the time axis that is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// In seconds.
    pub(super) start: f64,
    pub(super) end: f64,
    /// The duration of a pixel in seconds.
    pub(super) pixel: f64,
}

/// The curve of a track.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    /// The times of its points, in seconds.
    pub(super) times: Vec<f64>,
    /// The values of each component at these times.
    pub(super) lines: Vec<Vec<f64>>,
    /// Which points are keys.
    pub(super) marks: Vec<usize>,
}

impl Trace {
    fn new(width: usize) -> Trace {
        Trace { lines: vec![Vec::new(); width], ..Trace::default() }
    }

    /// Follows a track through a window. Returns `None` if its value does not change there.
    pub(super) fn of(timeline: &Timeline, track: &Track, window: Window) -> Option<Trace> {
        let mut trace = match &track.curve {
            Curve::Wave(wave) if !wave.is_constant() => of_wave(wave, window),
            Curve::Keys { width, .. } => {
                let keys = timeline.keys(track);
                Rows::new(keys, *width, track.channel == Channel::Rotation).trace(window)
            }
            _ => return None,
        };
        let is_still = |line: &Vec<f64>| line.windows(2).all(|pair| pair.first() == pair.last());
        if trace.lines.iter().all(is_still) {
            return None;
        }
        if track.channel == Channel::Rotation {
            trace.lines = euler_angles(&trace.lines);
        }
        if matches!(track.channel, Channel::Euler(_) | Channel::Rotation) {
            let values = trace.lines.iter_mut().flatten();
            values.for_each(|value| *value = value.to_degrees());
        }
        Some(trace)
    }

    /// Adds a point.
    fn push(&mut self, time: f64, value: impl IntoIterator<Item = f64>) {
        self.times.push(time);
        self.lines.iter_mut().zip(value).for_each(|(line, value)| line.push(value));
    }

    /// Returns the lowest and the highest value.
    pub(super) fn range(&self) -> (f64, f64) {
        let values = self.lines.iter().flatten().copied();
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        if low <= high { (low, high) } else { (0.0, 0.0) }
    }
}

/// Returns Euler angles in radians for the components of quaternions. Of the angles for the same
/// rotation, those nearest to the angles before are chosen.
fn euler_angles(quaternions: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let [x, y, z, w] = quaternions else { return Vec::new() };
    let mut angles = vec![Vec::new(); 3];
    let mut last = [0.0; 3];
    for (((x, y), z), w) in x.iter().zip(y).zip(z).zip(w) {
        let [a, b, c] = Quat::from_f64([*x, *y, *z, *w]).to_euler(ORDER);
        // The other angles for the same rotation: the middle one is that about y.
        let candidates = [[a, b, c], [a + PI, PI - b, c + PI]].map(|angles| {
            let mut near = angles;
            near.iter_mut()
                .zip(last)
                .for_each(|(angle, last)| *angle -= TAU * ((*angle - last) / TAU).round());
            near
        });
        let distance = |angles: &[f64; 3]| -> f64 {
            angles.iter().zip(last).map(|(angle, last)| (angle - last).abs()).sum()
        };
        let [first, second] = candidates;
        last = if distance(&second) < distance(&first) { second } else { first };
        angles.iter_mut().zip(last).for_each(|(line, angle)| line.push(angle));
    }
    angles
}

/// The keys of a track, for access by number.
struct Rows<'a> {
    keys: Keys<'a>,
    values: Vec<&'a [f32]>,
    width: usize,
    is_rotation: bool,
}

impl<'a> Rows<'a> {
    fn new(keys: Keys<'a>, width: usize, is_rotation: bool) -> Rows<'a> {
        Rows { keys, values: keys.values().collect(), width, is_rotation }
    }

    fn time(&self, key: usize) -> f64 {
        self.keys.times.get(key).copied().map_or(0.0, f64::from)
    }

    /// Returns a part of a key: its value or, if the keys are cubic, one of its tangents as well.
    fn part(&self, key: usize, part: usize) -> impl Iterator<Item = f64> + '_ {
        let value = self.values.get(key).copied().unwrap_or_default();
        let start = part.saturating_mul(self.width);
        (0..self.width).map(move |component| {
            let number = value.get(start.saturating_add(component)).copied().unwrap_or_default();
            f64::from(number)
        })
    }

    /// Returns the value of a key.
    fn value(&self, key: usize) -> Vec<f64> {
        let part = if self.keys.interpolation == Interpolation::Cubic { 1 } else { 0 };
        self.unit(self.part(key, part).collect())
    }

    /// Normalises a rotation, as players do.
    fn unit(&self, mut value: Vec<f64>) -> Vec<f64> {
        let length = value.iter().map(|number| number * number).sum::<f64>().sqrt();
        if self.is_rotation && length > 0.0 {
            value.iter_mut().for_each(|number| *number /= length);
        }
        value
    }

    fn quat(&self, key: usize) -> Quat {
        match self.value(key).as_slice() {
            [x, y, z, w] => Quat::from_f64([*x, *y, *z, *w]),
            _ => Quat::IDENTITY,
        }
    }

    /// Returns the value between a key and the next, at a fraction of the time between them.
    fn between(&self, key: usize, share: f64) -> Vec<f64> {
        let next = key.saturating_add(1);
        match self.keys.interpolation {
            Interpolation::Step => self.value(key),
            Interpolation::Linear if self.is_rotation => {
                let share = anim_ir::number::narrow(share);
                self.quat(key).slerp(self.quat(next), share).to_f64().to_vec()
            }
            Interpolation::Linear => {
                let (a, b) = (self.value(key), self.value(next));
                // Exact at both ends.
                a.iter().zip(b).map(|(a, b)| a * (1.0 - share) + b * share).collect()
            }
            Interpolation::Cubic => {
                let seconds = self.time(next) - self.time(key);
                let (t, t2, t3) = (share, share * share, share * share * share);
                let values = self.part(key, 1).zip(self.part(next, 1));
                let tangents = self.part(key, 2).zip(self.part(next, 0));
                let curve = values.zip(tangents).map(|((a, b), (out, into))| {
                    (2.0 * t3 - 3.0 * t2 + 1.0) * a
                        + (t3 - 2.0 * t2 + t) * seconds * out
                        + (3.0 * t2 - 2.0 * t3) * b
                        + (t3 - t2) * seconds * into
                });
                self.unit(curve.collect())
            }
        }
    }

    /// Returns how many lines to draw for a part of the curve between a key and the next.
    fn lines(&self, key: usize, seconds: f64, window: Window) -> u32 {
        let most = (seconds / window.pixel / LINE).clamp(1.0, MOST_POINTS);
        let wanted = match self.keys.interpolation {
            Interpolation::Step => 1.0,
            Interpolation::Linear if self.is_rotation => {
                (self.quat(key).angle_to(self.quat(key.saturating_add(1))) / STEP).max(1.0)
            }
            Interpolation::Linear => 1.0,
            Interpolation::Cubic => MOST_POINTS,
        };
        anim_ir::number::index32(anim_ir::number::count(wanted.min(most).ceil()))
    }

    fn trace(&self, window: Window) -> Trace {
        let Window { start, end, .. } = window;
        let mut trace = Trace::new(self.width);
        let count = self.keys.times.len();
        let Some(last) = count.checked_sub(1) else { return trace };
        if start < self.time(0) {
            trace.push(start, self.value(0));
        }
        let first = self.keys.times.partition_point(|time| f64::from(*time) <= start);
        for key in first.saturating_sub(1)..count {
            let time = self.time(key);
            if time > end {
                break;
            }
            if start <= time {
                trace.marks.push(trace.times.len());
            }
            if key == last {
                trace.push(time.max(start), self.value(key));
                continue;
            }
            let seconds = self.time(key.saturating_add(1)) - time;
            let (from, to) = (time.max(start), (time + seconds).min(end));
            let lines = self.lines(key, to - from, window);
            for number in 0..=lines {
                let now = from + (to - from) * f64::from(number) / f64::from(lines);
                trace.push(now, self.between(key, (now - time) / seconds));
            }
        }
        if self.time(last) < end {
            trace.push(end, self.value(last));
        } else if self.time(0) > end {
            trace.push(end, self.value(0));
        }
        trace
    }
}

/// Follows a wave.
fn of_wave(wave: &Wave, window: Window) -> Trace {
    let Window { start, end, pixel } = window;
    let mut trace = Trace::new(3);
    let pixels = anim_ir::number::index32(anim_ir::number::count((end - start) / pixel)).max(1);
    let grid =
        (0..=pixels).map(|number| start + (end - start) * f64::from(number) / f64::from(pixels));
    if wave.corner_count(start, end) > f64::from(pixels) {
        // More than a picture can show: the area that the wave covers.
        let [low, high] = [wave.start, wave.end].map(|value| value.map(f64::from));
        for time in grid {
            trace.push(time, low);
            trace.push(time, high);
        }
        return trace;
    }
    let mut times = wave.corners(start, end);
    if wave.shape == WaveShape::Sine {
        times.extend(grid);
        times.sort_by(f64::total_cmp);
        times.into_iter().for_each(|time| trace.push(time, wave.at(time)));
        return trace;
    }
    // Straight lines between the corners. At a corner itself, rounding decides on which side of it
    // a value is, so the ends of a line follow from two points inside.
    times.push(end);
    let mut from = start;
    for to in times {
        let [a, b] = [0.25, 0.75].map(|share| wave.at(from + (to - from) * share));
        let extend = |inner: [f64; 3], outer: [f64; 3]| {
            let mut ends = inner;
            ends.iter_mut().zip(outer).for_each(|(end, other)| *end -= (other - *end) / 2.0);
            ends
        };
        trace.push(from, extend(a, b));
        trace.push(to, extend(b, a));
        from = to;
    }
    trace
}

#[cfg(test)]
mod tests {
    use super::*;
    use anim_ir::{JointId, TimelineBuilder};

    const WINDOW: Window = Window { start: 0.0, end: 2.0, pixel: 0.01 };

    fn trace(wave: Wave, window: Window) -> Trace {
        let mut builder = TimelineBuilder::new("t");
        builder.wave(JointId::new(0).into(), Channel::Translation, wave).unwrap();
        let timeline = builder.finish();
        Trace::of(&timeline, &timeline.tracks()[0], window).unwrap()
    }

    /// The times and values of the first component.
    fn points(trace: &Trace) -> Vec<(f64, f64)> {
        trace.times.iter().copied().zip(trace.lines[0].iter().copied()).collect()
    }

    #[test]
    fn rotations_are_continuous_angles_in_degrees() {
        let turn = |angle: f64| Quat::from_axis_angle([0.0, 1.0, 0.0].into(), angle.to_radians());
        let keys = [0.0, 100.0, 200.0, 300.0, 400.0].map(|angle| turn(angle).to_array());
        let mut builder = TimelineBuilder::new("t");
        let times = [0.0, 0.5, 1.0, 1.5, 2.0];
        let linear = Interpolation::Linear;
        let target = JointId::new(0).into();
        builder.keys(target, Channel::Rotation, linear, &times, keys.as_flattened()).unwrap();
        let timeline = builder.finish();
        let trace = Trace::of(&timeline, &timeline.tracks()[0], WINDOW).unwrap();
        // About y alone, through the angle where the others change sides.
        for (mark, angle) in trace.marks.iter().zip([0.0, 100.0, 200.0, 300.0, 400.0]) {
            assert!((trace.lines[1][*mark] - angle).abs() < 1e-3, "{}", trace.lines[1][*mark]);
            assert!(trace.lines[0][*mark].abs() < 1e-3 && trace.lines[2][*mark].abs() < 1e-3);
        }
        assert!(trace.lines[1].windows(2).all(|pair| (pair[1] - pair[0]).abs() < 6.5));
    }

    #[test]
    fn a_sawtooth_jumps_at_the_end_of_its_period() {
        let wave = Wave {
            shape: WaveShape::Sawtooth,
            end: [8.0, 0.0, 0.0],
            period: 1.0,
            offset: 0.5,
            ..Wave::default()
        };
        let trace = trace(wave, WINDOW);
        let line: Vec<(f64, f64)> = points(&trace);
        let expected = [(0.0, 4.0), (0.5, 8.0), (0.5, 0.0), (1.5, 8.0), (1.5, 0.0), (2.0, 4.0)];
        assert_eq!(line, expected);
    }

    #[test]
    fn a_wave_that_is_too_fast_is_an_area() {
        let wave = Wave {
            shape: WaveShape::Sine,
            start: [-1.0, 2.0, 0.0],
            end: [1.0, 3.0, 0.0],
            period: 1e-30,
            ..Wave::default()
        };
        let trace = trace(wave, WINDOW);
        assert_eq!(trace.range(), (-1.0, 3.0));
        assert_eq!(trace.lines[0].len(), 402);
    }

    #[test]
    fn values_outside_the_keys_are_held() {
        let mut builder = TimelineBuilder::new("t");
        let values = [1.0, 0.0, 0.0, 3.0, 0.0, 0.0];
        let linear = Interpolation::Linear;
        let target = JointId::new(0).into();
        builder.keys(target, Channel::Translation, linear, &[0.5, 1.5], &values).unwrap();
        let timeline = builder.finish();
        let of = |start, end| {
            Trace::of(&timeline, &timeline.tracks()[0], Window { start, end, pixel: 0.01 })
        };
        let whole = of(0.0, 2.0).unwrap();
        let x = |trace: &Trace| {
            let mut line = points(trace);
            line.dedup();
            line
        };
        let marks =
            |trace: &Trace| trace.marks.iter().map(|mark| points(trace)[*mark]).collect::<Vec<_>>();
        assert_eq!(x(&whole), [(0.0, 1.0), (0.5, 1.0), (1.5, 3.0), (2.0, 3.0)]);
        assert_eq!(marks(&whole), [(0.5, 1.0), (1.5, 3.0)]);
        let part = of(0.75, 1.0).unwrap();
        assert_eq!((x(&part), part.marks.len()), (vec![(0.75, 1.5), (1.0, 2.0)], 0));
        assert!(of(0.0, 0.5).is_none() && of(5.0, 6.0).is_none() && of(-3.0, 0.0).is_none());
    }
}
