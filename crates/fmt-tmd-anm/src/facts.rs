//! Facts about a file's frames for display, in addition to its scene.

use anim_ir::Value;
use anim_ir::diag::plural;
use anim_ir::format::Fact;
use anim_ir::number::index32;

use crate::camera::CameraDocument;
use crate::document::Document;

/// The number of runs of frames shown by default.
const SHOWN: usize = 20;

impl Document<'_> {
    /// The number of frames, the frame rate, and the number of objects drawn in each frame.
    /// Consecutive frames with the same number of objects form a run; `all` lists all runs.
    pub fn facts(&self, all: bool) -> Vec<Fact> {
        let drawn: Vec<usize> = self.frames().map(|frame| frame.drawn().count()).collect();
        let mut lines = vec![headline(self.frame_count(), self.rate())];
        lines.extend(runs(&drawn, if all { usize::MAX } else { SHOWN }));
        let drawn = drawn.into_iter().map(index32).collect();
        vec![motion(self.frame_count(), self.rate(), Some(drawn), lines)]
    }
}

impl CameraDocument<'_> {
    /// The number of frames and the frame rate.
    pub fn facts(&self) -> Vec<Fact> {
        let (frames, rate) = (self.frame_count(), self.rate());
        vec![motion(frames, rate, None, vec![headline(frames, rate)])]
    }
}

fn motion(frames: usize, rate: i16, drawn: Option<Value>, lines: Vec<String>) -> Fact {
    let frames = ("frames", index32(frames).into());
    let rate = ("rate", f64::from(rate).into());
    let value = match drawn {
        Some(drawn) => Value::from([frames, rate, ("drawn", drawn)]),
        None => Value::from([frames, rate]),
    };
    let rows = lines.into_iter().map(|line| vec![line]).collect();
    Fact { key: "motion", clip: None, value, heading: None, rows }
}

/// Returns a summary such as `20 frames at 15 per second`.
fn headline(frames: usize, rate: i16) -> String {
    let rate = if rate > 0 { format!(" at {rate} per second") } else { String::new() };
    plural(frames, "frame") + &rate
}

/// Describes runs of frames in which the same number of objects is drawn.
fn runs(drawn: &[usize], shown: usize) -> Vec<String> {
    let runs: Vec<&[usize]> = drawn.chunk_by(|a, b| a == b).collect();
    let (mut lines, mut first) = (Vec::new(), 0_usize);
    for run in runs.iter().take(shown) {
        let last = first.saturating_add(run.len()).saturating_sub(1);
        let frames = if last > first {
            format!("frames {first}–{last}")
        } else {
            format!("frame {first}")
        };
        let drawn = run.first().copied().unwrap_or(0);
        lines.push(format!("{frames}: {} drawn", plural(drawn, "object")));
        first = last.saturating_add(1);
    }
    if let Some(more) = runs.len().checked_sub(shown).filter(|more| *more > 0) {
        lines.push(format!("… and {more} more (--all shows them)"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_frames() {
        assert_eq!(
            runs(&[3, 3, 3, 1, 0], SHOWN),
            ["frames 0–2: 3 objects drawn", "frame 3: 1 object drawn", "frame 4: 0 objects drawn"]
        );
        let busy: Vec<usize> = (0..30).collect();
        assert_eq!((runs(&busy, SHOWN).len(), runs(&busy, usize::MAX).len()), (21, 30));
        assert_eq!(headline(5, 15), "5 frames at 15 per second");
        assert_eq!(headline(1, 0), "1 frame");
    }
}
