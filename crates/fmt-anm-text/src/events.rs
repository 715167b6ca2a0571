//! Reports events outside the ranges of all animations of their set.

use anim_ir::diag::quote;
use anim_ir::{Diagnostic, Diagnostics, sort_by};

use crate::codes;
use crate::content::{ClipData, EventData};
use crate::tokens::words_of;

/// The maximum distance in frames at which a key or event outside a range is still included, since
/// the times in models are often rounded.
pub(crate) const TOLERANCE: f64 = 0.001;

/// Reports the events of a set that are outside all of its animations.
pub(crate) fn report_outside(
    source: &[u8],
    events: &[EventData],
    clips: &[ClipData],
    diagnostics: &mut Diagnostics,
) {
    if events.is_empty() || clips.is_empty() || are_inside_in_order(events, clips) {
        return;
    }
    let ranges = Ranges::new(clips.iter().map(range));
    let mut near = 0;
    for event in
        events.iter().filter(|event| !ranges.contain_near(&mut near, f64::from(event.time)))
    {
        diagnostics.report(&codes::EVENT_OUTSIDE, || {
            let span = words_of(source, event.name).nth(1).map(|time| time.place.span());
            let message = format!(
                "event {} at frame {} is outside all animations of the set",
                quote(event.name.of(source)),
                event.time
            );
            Diagnostic::new(&codes::EVENT_OUTSIDE, span, message)
        });
    }
}

fn range(clip: &ClipData) -> (f64, f64) {
    (f64::from(clip.start) - TOLERANCE, f64::from(clip.end) + TOLERANCE)
}

/// Whether each event is inside an animation that is, in file order, that of the event before it or
/// a later one. This is usually so, and needs neither sorting nor memory.
fn are_inside_in_order(events: &[EventData], clips: &[ClipData]) -> bool {
    let mut clips = clips.iter().map(range);
    let mut current = clips.next();
    events.iter().all(|event| {
        let time = f64::from(event.time);
        while let Some((start, end)) = current {
            if (start..=end).contains(&time) {
                return true;
            }
            current = clips.next();
        }
        false
    })
}

/// Sorted, disjoint time ranges.
#[derive(Debug)]
pub(crate) struct Ranges(Vec<(f64, f64)>);

impl Ranges {
    /// Returns the union of closed ranges, given in any order.
    pub(crate) fn new(ranges: impl Iterator<Item = (f64, f64)>) -> Ranges {
        let mut list: Vec<(f64, f64)> = ranges.collect();
        sort_by(&mut list, |a, b| a.0.total_cmp(&b.0));
        list.dedup_by(|next, kept| {
            let overlap = next.0 <= kept.1;
            if overlap {
                kept.1 = kept.1.max(next.1);
            }
            overlap
        });
        Ranges(list)
    }

    pub(crate) fn contain(&self, time: f64) -> bool {
        self.contain_near(&mut 0, time)
    }

    /// Like `contain`, but starts at `near`, the last range found, since times are usually in
    /// order.
    fn contain_near(&self, near: &mut usize, time: f64) -> bool {
        let Ranges(list) = self;
        let starts = |at: usize| list.get(at).is_some_and(|(start, _)| *start <= time);
        // The last range that starts at or before the time.
        let last = [*near, *near + 1].into_iter().find(|at| starts(*at) && !starts(at + 1));
        let Some(last) =
            last.or_else(|| list.partition_point(|(start, _)| *start <= time).checked_sub(1))
        else {
            return false;
        };
        *near = last;
        list.get(last).is_some_and(|(_, end)| time <= *end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_and_animations_in_the_same_order() {
        let is_inside = |times: &[f32], ranges: &[(f32, f32)]| {
            let name = Default::default();
            let clip = |&(start, end)| ClipData { start, end, name };
            let events: Vec<_> = times.iter().map(|time| EventData { time: *time, name }).collect();
            let clips: Vec<_> = ranges.iter().map(clip).collect();
            let is_inside = are_inside_in_order(&events, &clips);
            let ranges = Ranges::new(clips.iter().map(range));
            let all = times.iter().all(|time| ranges.contain(f64::from(*time)));
            assert!(all || !is_inside, "{times:?} {clips:?}");
            is_inside
        };
        assert!(is_inside(&[0.0, 1.0, 1.0, 8.0005], &[(0.0, 1.0), (3.0, 4.0), (5.0, 8.0)]));
        assert!(is_inside(&[6.0, 5.0, 1.0], &[(5.0, 6.0), (0.0, 2.0)]));
        assert!(!is_inside(&[6.0, 1.0], &[(0.0, 2.0), (5.0, 6.0)]), "in another order");
        for outside in [-1.0, 2.5, 7.0, f32::MAX] {
            assert!(!is_inside(&[outside], &[(0.0, 2.0), (5.0, 6.0)]));
        }
    }

    #[test]
    fn ranges_in_any_order() {
        let ranges = Ranges::new([(5.0, 6.0), (0.0, 4.0), (1.0, 2.0), (6.0, 7.0)].into_iter());
        let times = [-0.1, 0.0, 3.0, 4.5, 5.0, 6.5, 7.1];
        let expected = [false, true, true, false, true, true, false];
        assert_eq!(times.map(|time| ranges.contain(time)), expected);
        for start in 0..3 {
            let mut near = start;
            assert_eq!(times.map(|time| ranges.contain_near(&mut near, time)), expected);
        }
    }
}
