//! Resamples keys at a frame rate.

use crate::file::number::{count, narrow};
use crate::ops::cut::Column;
use crate::{
    Budget, Category, Code, Curve, Diagnostics, Interpolation, KeyTable, LimitError, Scene,
    Severity, TimeBase, Timeline,
};

/// Keys were resampled.
pub static RESAMPLED: Code = Code {
    id: "ir-resampled",
    severity: Severity::Note,
    category: Category::Compatibility,
    meaning: "An option requests a sampling rate, and the target format stores keys at any time.",
    example: "animfmt convert take.bvh take.glb --fps 30",
    action: "Linear and cubic keys are replaced with linear keys at whole frames, and at the start \
and end of tracks and clips. Stepped keys keep their times.",
};

/// The smallest distance between a frame and another key, in frames. Closer frames are omitted.
const NEAR: f64 = 1e-3;

impl Scene {
    /// Replaces linear and cubic keys with linear keys at whole frames of the given rate, and at
    /// the start and end of each track and clip. Stepped keys are kept, since they would jump at
    /// other times, as are tracks with a single key.
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if the keys exceed the budget.
    pub fn resample(&mut self, rate: f64, budget: &Budget) -> Result<Diagnostics, LimitError> {
        let keys = |scene: &Scene| {
            let counts = scene.timelines.iter().map(Timeline::key_count);
            counts.fold(0_usize, usize::saturating_add)
        };
        let before = keys(self);
        let mut borders: Vec<Vec<f32>> = vec![Vec::new(); self.timelines.len()];
        for clip in &self.clips {
            if let Some(borders) = borders.get_mut(clip.timeline.index()) {
                borders.extend([clip.start, clip.end]);
            }
        }
        let mut changed = false;
        for (timeline, mut borders) in self.timelines.iter_mut().zip(borders) {
            borders.sort_by(f32::total_cmp);
            borders.dedup();
            changed |= timeline.resample(rate, &borders, budget)?;
        }
        let mut losses = Diagnostics::new();
        losses.lost(&RESAMPLED, changed, || {
            let after = keys(self);
            let how = if after == before {
                "as many as before".to_owned()
            } else {
                format!("{after} instead of {before}")
            };
            format!("keys resampled at {rate} frames per second: {how}")
        });
        Ok(losses)
    }
}

impl Timeline {
    /// Returns whether any keys changed.
    fn resample(
        &mut self,
        rate: f64,
        borders: &[f32],
        budget: &Budget,
    ) -> Result<bool, LimitError> {
        let mut columns: Vec<Vec<Column>> = vec![Vec::new(); self.tables.len()];
        let mut ends = vec![0_usize; self.tables.len()];
        let is_smooth =
            |table: &KeyTable| table.interpolation != Interpolation::Step && table.times.len() > 1;
        for track in &mut self.tracks {
            if let Curve::Keys { table, column, width } = &mut track.curve
                && let Some(of_table) = columns.get_mut(*table)
                && self.tables.get(*table).is_some_and(is_smooth)
            {
                let end = ends.get(*table).copied().unwrap_or_default();
                let start = std::mem::replace(column, end);
                if let Some(end) = ends.get_mut(*table) {
                    *end = end.saturating_add(*width);
                }
                of_table.push(Column { channel: track.channel, start, width: *width });
            }
        }
        let mut changed = false;
        for (table, columns) in self.tables.iter_mut().zip(&columns) {
            if !columns.is_empty() {
                let resampled = table.resampled(columns, rate, borders, budget)?;
                changed |= resampled.times != table.times
                    || resampled.interpolation != table.interpolation;
                *table = resampled;
            }
        }
        let has_smooth_keys = columns.iter().any(|columns| !columns.is_empty());
        if let (TimeBase::Frames { per_second }, true) = (&mut self.time_base, has_smooth_keys) {
            *per_second = narrow(rate);
        }
        Ok(changed)
    }
}

impl KeyTable {
    fn resampled(
        &self,
        columns: &[Column],
        rate: f64,
        borders: &[f32],
        budget: &Budget,
    ) -> Result<KeyTable, LimitError> {
        let width: usize = columns.iter().map(|column| column.width).sum();
        let [first, last] = [self.times.first(), self.times.last()].map(|time| time.copied());
        let (first, last) = (first.unwrap_or_default(), last.unwrap_or_default());
        let from = borders.partition_point(|time| *time <= first);
        let to = borders.partition_point(|time| *time < last).max(from);
        let inside = borders.get(from..to).unwrap_or_default();
        let mut times = vec![first];
        times.extend_from_slice(inside);
        times.push(last);
        let frames = ((f64::from(last) - f64::from(first)) * rate).ceil();
        let rows = count(frames).saturating_add(times.len());
        let numbers = width.saturating_add(1);
        budget.charge_each::<f32>("resampled keys", rows.saturating_mul(numbers))?;
        let marks = times.clone();
        let mut frame = (f64::from(first) * rate).ceil();
        while frame / rate < f64::from(last) {
            let time = narrow(frame / rate);
            let next = marks.partition_point(|mark| *mark < time);
            let mut around = marks.iter().skip(next.saturating_sub(1)).take(2);
            let is_near = around.any(|mark| (f64::from(*mark) * rate - frame).abs() < NEAR);
            if !is_near {
                times.push(time);
            }
            // At an extreme rate or time, frames cannot be told apart.
            let following = frame + 1.0;
            if following <= frame || times.len() > rows {
                break;
            }
            frame = following;
        }
        times.sort_by(f32::total_cmp);
        times.dedup();
        let mut table = KeyTable {
            interpolation: Interpolation::Linear,
            width,
            values: Vec::with_capacity(times.len().saturating_mul(width)),
            times: Vec::new(),
        };
        let mut row = 0;
        for time in &times {
            row = self.values_at(*time, row, columns, &mut table.values);
        }
        table.times = times;
        Ok(table)
    }
}
