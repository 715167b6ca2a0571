//! The times at which a curve has keys.

use anim_ir::number::narrow;

/// How the fraction of an interpolator changes over time: straight lines between vertices.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// Times in seconds, which rise, and fractions.
    pub(super) vertices: Vec<(f32, f64)>,
}

/// A time, and the values shown at that time: those of key `at`, or a blend of those and the
/// next key's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment {
    pub(crate) time: f32,
    pub(crate) at: usize,
    /// The fraction of the way to the next key, below 1.
    pub(crate) part: f64,
}

impl Path {
    /// The path of a `TimeSensor`, from 0 to 1, or from 1 to 0.
    pub(super) fn of_cycle(seconds: f32, is_forwards: bool) -> Path {
        let (start, end) = if is_forwards { (0.0, 1.0) } else { (1.0, 0.0) };
        Path { vertices: vec![(0.0, start), (seconds, end)] }
    }

    /// Returns at most how many moments [`Path::moments`] returns.
    pub(super) fn moment_count(&self, keys: &[f32]) -> usize {
        let count = |(from, to): (&(f32, f64), &(f32, f64))| {
            let (low, high) = (from.1.min(to.1), from.1.max(to.1));
            let crossed = at_most(keys, high).saturating_sub(below(keys, low));
            crossed.saturating_add(2)
        };
        self.segments().map(count).fold(0, usize::saturating_add)
    }

    fn segments(&self) -> impl Iterator<Item = (&(f32, f64), &(f32, f64))> {
        self.vertices.iter().zip(self.vertices.iter().skip(1))
    }

    /// Returns the times of these keys if [`Path::moments`] are exactly the keys, as for most
    /// files: the path rises to the last key and reaches each of them at a time of its own.
    pub(super) fn times(&self, keys: &[f32]) -> Option<Vec<f32>> {
        let (&[from, to], [first, .., last]) = (self.vertices.as_slice(), keys) else {
            return None;
        };
        if f64::from(*first) < from.1 || f64::from(*last) != to.1 {
            return None;
        }
        let times: Vec<f32> = keys.iter().map(|key| time_of(*key, from, to)).collect();
        (times.last() == Some(&to.0) && times.is_sorted_by(|a, b| a < b)).then_some(times)
    }

    /// Returns the moments at which the path reaches one of these keys, which do not fall, or
    /// turns. Keys outside the path are left out; the path's ends replace them.
    pub(super) fn moments(&self, keys: &[f32], is_step: bool) -> Vec<Moment> {
        let mut out = Vec::with_capacity(keys.len().saturating_add(2));
        let turns = self.vertices.len() > 2;
        let (Some(first), Some(last)) = (keys.first(), keys.last()) else { return out };
        for (number, (from, to)) in self.segments().enumerate() {
            if turns || number > 0 || f64::from(*first) <= from.1 || is_step {
                push(&mut out, moment(keys, *from, is_step));
            }
            crossed(&mut out, keys, (*from, *to), is_step);
        }
        if is_step {
            out.dedup_by_key(|moment| moment.at);
        }
        // What moves lasts as long as the path.
        if let Some(end) = self.vertices.last()
            && (turns || f64::from(*last) > end.1 || out.len() > 1)
        {
            push(&mut out, moment(keys, *end, is_step));
        }
        out
    }
}

/// Returns the time at which a segment of the path reaches a key.
#[inline]
fn time_of(key: f32, (start, low): (f32, f64), (end, high): (f32, f64)) -> f32 {
    let part = (f64::from(key) - low) / (high - low);
    narrow(f64::from(start) + (f64::from(end) - f64::from(start)) * part)
}

/// Returns the number of keys that are at most `fraction`.
fn at_most(keys: &[f32], fraction: f64) -> usize {
    keys.partition_point(|key| f64::from(*key) <= fraction)
}

fn below(keys: &[f32], fraction: f64) -> usize {
    keys.partition_point(|key| f64::from(*key) < fraction)
}

/// Returns the moment at a vertex of the path.
fn moment(keys: &[f32], (time, fraction): (f32, f64), is_step: bool) -> Moment {
    let after = at_most(keys, fraction);
    let at = after.saturating_sub(1);
    let key = |at: usize| keys.get(at).map(|key| f64::from(*key));
    let part = match (key(at), key(after)) {
        (Some(from), Some(to)) if after > 0 && !is_step && to > from => {
            (fraction - from) / (to - from)
        }
        _ => 0.0,
    };
    Moment { time, at, part }
}

/// Adds the moments at which a segment of the path reaches keys.
fn crossed(
    out: &mut Vec<Moment>,
    keys: &[f32],
    (from, to): ((f32, f64), (f32, f64)),
    is_step: bool,
) {
    let (low, high) = (from.1, to.1);
    let rises = low < high;
    let range = if rises {
        at_most(keys, low)..at_most(keys, high)
    } else if high < low {
        below(keys, high)..below(keys, low)
    } else {
        return;
    };
    let Some(inside) = keys.get(range.clone()) else { return };
    let groups = inside.chunk_by(|a, b| a == b);
    // Equal keys are a jump: the first of them ends what is below, the last starts what is above.
    let mut reach = |group: &[f32], first: usize| {
        let Some(time) = group.first().map(|key| time_of(*key, from, to)) else { return };
        let last = first.saturating_add(group.len().saturating_sub(1));
        let (before, after) = if rises { (first, last) } else { (last, first) };
        let at = if is_step && !rises { first.saturating_sub(1) } else { after };
        if before != after && !is_step {
            push(out, Moment { time: time.next_down(), at: before, part: 0.0 });
        }
        push(out, Moment { time, at, part: 0.0 });
    };
    if rises {
        let mut at = range.start;
        for group in groups {
            reach(group, at);
            at = at.saturating_add(group.len());
        }
    } else {
        let mut at = range.end;
        for group in groups.rev() {
            at = at.saturating_sub(group.len());
            reach(group, at);
        }
    }
}

/// Adds a moment. One at the time of the last moment replaces it, so times rise.
fn push(out: &mut Vec<Moment>, moment: Moment) {
    match out.last_mut() {
        Some(last) if last.time == moment.time => *last = moment,
        Some(last) if last.time > moment.time => {}
        _ => out.push(moment),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn times_of_keys_are_those_of_moments_at_each_key(
            mut keys in prop::collection::vec(
                prop_oneof![
                    (0_u8..9).prop_map(|eighths| f32::from(eighths) / 8.0),
                    -0.2_f32..1.2,
                    Just(1.0_f32.next_down()),
                ],
                0..6,
            ),
            ends_with_the_path: bool,
            ends in (0.0_f32..1e8, 1e-3_f32..1e3),
            fractions in prop_oneof![Just((0.0, 1.0)), (0.0..1.0, 0.0..1.0)],
        ) {
            let path = Path {
                vertices: vec![(ends.0, fractions.0), (ends.0 + ends.1, fractions.1)],
            };
            if ends_with_the_path {
                keys.push(narrow(fractions.1));
            }
            keys.sort_by(f32::total_cmp);
            let moments = path.moments(&keys, false);
            let are_keys = (0..keys.len()).eq(moments.iter().map(|moment| moment.at))
                && moments.iter().all(|moment| moment.part == 0.0);
            let times: Vec<f32> = moments.iter().map(|moment| moment.time).collect();
            if let Some(found) = path.times(&keys) {
                prop_assert!(are_keys && found == times, "{keys:?} {moments:?}");
            }
        }
    }

    fn found(path: &Path, keys: &[f32], is_step: bool) -> Vec<(f32, usize, f64)> {
        let moments = path.moments(keys, is_step);
        moments.iter().map(|moment| (moment.time, moment.at, moment.part)).collect()
    }

    #[test]
    fn a_cycle_has_the_files_own_keys() {
        let cycle = Path::of_cycle(4.0, true);
        let whole = |keys: &[f32]| found(&cycle, keys, false);
        assert_eq!(whole(&[0.0, 0.25, 1.0]), [(0.0, 0, 0.0), (1.0, 1, 0.0), (4.0, 2, 0.0)]);
        // Before the first key, the value holds anyway. The last key is that of the cycle's end.
        assert_eq!(whole(&[0.25, 0.5]), [(1.0, 0, 0.0), (2.0, 1, 0.0), (4.0, 1, 0.0)]);
        assert_eq!(whole(&[0.25]), [(1.0, 0, 0.0)]);
        assert_eq!(whole(&[-1.0, 1.0, 3.0]), [(0.0, 0, 0.5), (4.0, 1, 0.0)]);
        assert_eq!(whole(&[0.5, 1.5]), [(2.0, 0, 0.0), (4.0, 0, 0.5)]);
        assert_eq!(whole(&[]), []);
    }

    #[test]
    fn times_are_those_of_keys_that_rise_to_the_end_of_the_path() {
        let times = |keys: &[f32]| Path::of_cycle(4.0, true).times(keys);
        assert_eq!(times(&[0.0, 0.25, 1.0]), Some(vec![0.0, 1.0, 4.0]));
        assert_eq!(times(&[0.5, 1.0]), Some(vec![2.0, 4.0]));
        for keys in [&[0.0, 0.5][..], &[-1.0, 1.0], &[0.0, 0.5, 0.5, 1.0], &[1.0], &[]] {
            assert_eq!(times(keys), None, "{keys:?}");
        }
    }

    #[test]
    fn equal_keys_are_a_jump() {
        let cycle = Path::of_cycle(4.0, true);
        assert_eq!(
            found(&cycle, &[0.0, 0.5, 0.5, 0.5, 1.0], false),
            [(0.0, 0, 0.0), (2.0_f32.next_down(), 1, 0.0), (2.0, 3, 0.0), (4.0, 4, 0.0)]
        );
        assert_eq!(found(&cycle, &[0.0, 0.0, 1.0], false), [(0.0, 1, 0.0), (4.0, 2, 0.0)]);
    }

    #[test]
    fn a_path_back_and_forth() {
        let path = Path { vertices: vec![(0.0, 0.0), (1.0, 1.0), (3.0, 0.0)] };
        assert_eq!(
            found(&path, &[0.0, 0.5, 1.0], false),
            [(0.0, 0, 0.0), (0.5, 1, 0.0), (1.0, 2, 0.0), (2.0, 1, 0.0), (3.0, 0, 0.0)]
        );
        assert!(path.moment_count(&[0.0, 0.5, 1.0]) >= 5);
        let half = Path { vertices: vec![(0.0, 0.25), (1.0, 0.75), (2.0, 0.75)] };
        assert_eq!(
            found(&half, &[0.0, 1.0], false),
            [(0.0, 0, 0.25), (1.0, 0, 0.75), (2.0, 0, 0.75)]
        );
    }

    /// Castle Game Engine's `fractionIncreasing FALSE`.
    #[test]
    fn a_cycle_may_run_backwards() {
        let cycle = Path::of_cycle(4.0, false);
        assert_eq!(
            found(&cycle, &[0.0, 0.25, 1.0], false),
            [(0.0, 2, 0.0), (3.0, 1, 0.0), (4.0, 0, 0.0)]
        );
        assert_eq!(
            found(&cycle, &[0.25, 0.5], false),
            [(0.0, 1, 0.0), (2.0, 1, 0.0), (3.0, 0, 0.0), (4.0, 0, 0.0)]
        );
        assert_eq!(found(&cycle, &[0.0, 0.5], true), [(0.0, 1, 0.0), (2.0, 0, 0.0), (4.0, 0, 0.0)]);
        assert_eq!(cycle.times(&[0.0, 1.0]), None);
    }

    #[test]
    fn steps_change_when_a_key_is_reached() {
        let cycle = Path::of_cycle(2.0, true);
        assert_eq!(
            found(&cycle, &[0.25, 0.5, 0.5, 1.0], true),
            [(0.0, 0, 0.0), (1.0, 2, 0.0), (2.0, 3, 0.0)]
        );
        let path = Path { vertices: vec![(0.0, 0.0), (1.0, 1.0), (3.0, 0.0)] };
        assert_eq!(
            found(&path, &[0.0, 0.5], true),
            [(0.0, 0, 0.0), (0.5, 1, 0.0), (2.0, 0, 0.0), (3.0, 0, 0.0)]
        );
    }
}
