//! What `info` tells of the frames of TMD ANM and ANC.

use anim_formats::AnyDocument;
use serde::Serialize;

use crate::term::count;

/// Runs of frames that are shown without `--all`.
const SHOWN: usize = 20;

/// The frames of a file.
#[derive(Serialize)]
pub(crate) struct FrameList {
    frames: usize,
    /// Frames a second, as the file says; 0 or less: it does not say.
    rate: i16,
    /// For each frame, how many objects are drawn; absent for a camera.
    #[serde(skip_serializing_if = "Option::is_none")]
    drawn: Option<Vec<usize>>,
}

impl FrameList {
    /// `None` for other formats.
    pub(crate) fn of(document: &AnyDocument<'_>) -> Option<FrameList> {
        match document {
            AnyDocument::TmdAnm(document) => Some(FrameList {
                frames: document.frame_count(),
                rate: document.rate(),
                drawn: Some(document.frames().map(|frame| frame.drawn().count()).collect()),
            }),
            AnyDocument::TmdAnc(document) => Some(FrameList {
                frames: document.frame_count(),
                rate: document.rate(),
                drawn: None,
            }),
            _ => None,
        }
    }

    /// `20 frames at 15 a second`, and runs of frames in which as many objects are drawn.
    pub(crate) fn lines(&self, all: bool) -> Vec<String> {
        let rate =
            if self.rate > 0 { format!(" at {} a second", self.rate) } else { String::new() };
        let mut lines = vec![format!("{}{rate}", count(self.frames, "frame", "frames"))];
        let drawn = self.drawn.as_deref().unwrap_or_default();
        let runs: Vec<&[usize]> = drawn.chunk_by(|a, b| a == b).collect();
        let mut first = 0_usize;
        let shown = if all { usize::MAX } else { SHOWN };
        for run in runs.iter().take(shown) {
            let last = first.saturating_add(run.len()).saturating_sub(1);
            let frames = if last > first {
                format!("frames {first}–{last}")
            } else {
                format!("frame {first}")
            };
            lines.push(format!(
                "{frames}: {} drawn",
                count(run.first().copied().unwrap_or(0), "object", "objects")
            ));
            first = last.saturating_add(1);
        }
        if runs.len() > shown {
            lines.push(format!(
                "… and {} more (--all shows them)",
                runs.len().saturating_sub(shown)
            ));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_frames() {
        let motion = FrameList { frames: 5, rate: 15, drawn: Some(vec![3, 3, 3, 1, 0]) };
        assert_eq!(
            motion.lines(false),
            [
                "5 frames at 15 a second",
                "frames 0–2: 3 objects drawn",
                "frame 3: 1 object drawn",
                "frame 4: 0 objects drawn"
            ]
        );
        let busy = FrameList { frames: 30, rate: 0, drawn: Some((0..30).collect()) };
        assert_eq!((busy.lines(false).len(), busy.lines(true).len()), (22, 31));
        assert_eq!(FrameList { frames: 1, rate: 0, drawn: None }.lines(false), ["1 frame"]);
    }
}
