//! The times of frames.

use anim_ir::number::narrow;

/// The times of all frames and of the end.
#[derive(Debug, Default)]
pub(crate) struct Times {
    starts: Vec<f32>,
    /// The last run of frames with the same rate: its start in seconds, its rate, and its number of
    /// frames.
    run: (f64, f64, u32),
}

impl Times {
    /// Adds a frame. Times in a run of frames with the same rate are computed from the start of the
    /// run, so that errors do not accumulate.
    pub(crate) fn add_frame(&mut self, per_second: f32) {
        let rate = f64::from(per_second);
        if self.run.1.total_cmp(&rate).is_ne() {
            self.run = (self.seconds(), rate, 0);
        }
        self.starts.push(self.end());
        self.run.2 = self.run.2.saturating_add(1);
    }

    fn seconds(&self) -> f64 {
        let (start, rate, frames) = self.run;
        if frames == 0 { start } else { start + f64::from(frames) / rate }
    }

    /// The time from the start of the first frame to the end of the last, in seconds.
    pub(crate) fn end(&self) -> f32 {
        narrow(self.seconds()).min(f32::MAX)
    }

    /// The start of a frame in seconds.
    pub(crate) fn at(&self, frame: usize) -> f32 {
        self.starts.get(frame).copied().unwrap_or_else(|| self.end())
    }

    /// The number of frames.
    pub(crate) const fn frames(&self) -> usize {
        self.starts.len()
    }
}
