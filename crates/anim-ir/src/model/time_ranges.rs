//! Ranges of time.

/// Disjoint time ranges in ascending order.
#[derive(Clone, Debug, Default)]
pub struct TimeRanges(Vec<(f32, f32)>);

impl TimeRanges {
    /// Adds a range that starts no earlier than the previous ones. Overlapping ranges are merged.
    pub fn add(&mut self, start: f32, end: f32) {
        match self.0.last_mut() {
            Some((_, last)) if start <= *last => *last = last.max(end),
            _ => self.0.push((start, end)),
        }
    }

    /// Returns whether a time is in a range or at its border.
    pub fn contain(&self, time: f32) -> bool {
        let next = self.0.partition_point(|(start, _)| *start <= time);
        next.checked_sub(1).and_then(|at| self.0.get(at)).is_some_and(|(_, end)| time <= *end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_and_gaps() {
        let mut ranges = TimeRanges::default();
        for (start, end) in [(0.0, 2.0), (1.0, 1.5), (2.0, 3.0), (4.0, 4.0), (6.0, 5.0)] {
            ranges.add(start, end);
        }
        let inside = [-0.1, 0.0, 1.8, 3.0, 3.5, 4.0, 5.5, 6.0].map(|time| ranges.contain(time));
        assert_eq!(inside, [false, true, true, true, false, true, false, false]);
    }
}
