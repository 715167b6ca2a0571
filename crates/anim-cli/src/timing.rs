//! When the frames of a castle-anim-frames file are shown: by the file, and by Castle Game Engine.

use anim_formats::AnyDocument;
use anim_formats::castle::{Animation, EngineTiming};
use serde::Serialize;

use crate::term::count;

/// Both timings of one animation.
#[derive(Serialize)]
pub(crate) struct Timing {
    file: FileTiming,
    engine: EngineReport,
}

#[derive(Serialize)]
struct FileTiming {
    frames: usize,
    frame_times: Vec<f32>,
    scenes_per_time: u32,
    /// Each frame is shown until the next one, without a blend.
    step: bool,
    #[serde(rename = "loop")]
    loops: bool,
    backwards: bool,
    /// Whether any frame has a box. The engine makes one of all, and without it nothing collides.
    bounding_box: bool,
}

#[derive(Serialize)]
struct EngineReport {
    scenes: u64,
    duration: f64,
    frame_times: Vec<f64>,
    frame_times_back: Vec<f64>,
}

impl Timing {
    /// Those of a document's animations, in their order; none for other formats.
    pub(crate) fn all(document: &AnyDocument<'_>) -> Vec<Timing> {
        match document {
            AnyDocument::Castle(document) => document.animations().iter().map(Timing::of).collect(),
            _ => Vec::new(),
        }
    }

    fn of(animation: &Animation) -> Timing {
        let EngineTiming { scenes, duration, frame_times, frame_times_back } =
            animation.engine_timing();
        Timing {
            file: FileTiming {
                frames: animation.frames.len(),
                frame_times: animation.frames.iter().map(|frame| frame.time).collect(),
                scenes_per_time: animation.scenes_per_time,
                step: animation.scenes_per_time == 0,
                loops: animation.loops,
                backwards: animation.backwards,
                bounding_box: animation.frames.iter().any(|frame| frame.bounding_box.is_some()),
            },
            engine: EngineReport { scenes, duration, frame_times, frame_times_back },
        }
    }

    /// A line each.
    pub(crate) fn lines(&self) -> [String; 2] {
        let FileTiming {
            frames, frame_times, scenes_per_time, loops, backwards, bounding_box, ..
        } = &self.file;
        let (start, end) = (
            frame_times.first().copied().unwrap_or_default(),
            frame_times.last().copied().unwrap_or_default(),
        );
        let between = if self.file.step {
            "step".to_owned()
        } else {
            format!("{} a second", count(*scenes_per_time, "scene", "scenes"))
        };
        let mut file =
            format!("file: {start}–{end} s, {}, {between}", count(*frames, "frame", "frames"));
        for (is_so, what) in [
            (*loops, ", loop"),
            (*backwards, ", backwards"),
            (*bounding_box, ", bounding box"),
            (!*bounding_box, ", no bounding box"),
        ] {
            file.push_str(if is_so { what } else { "" });
        }
        let EngineReport { scenes, duration, frame_times, frame_times_back } = &self.engine;
        let mut engine = format!(
            "engine: {} in {} s",
            count(*scenes, "scene", "scenes"),
            milliseconds(*duration)
        );
        if let [_, .., last] = frame_times.as_slice() {
            engine.push_str(&format!(", last frame from {} s", milliseconds(*last)));
        }
        if let [first, .., _] = frame_times_back.as_slice() {
            engine.push_str(&format!(", back at the first from {} s", milliseconds(*first)));
        }
        [file, engine]
    }
}

/// Seconds, as near as a thousandth.
fn milliseconds(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use anim_formats::castle::Document;

    fn lines(attributes: &str, times: &[&str]) -> [String; 2] {
        let frames: String =
            times.iter().map(|time| format!("<frame time='{time}' url='a.x3d'/>")).collect();
        let file = format!("<animation {attributes}>{frames}</animation>");
        Timing::of(&Document::parse(file.as_bytes()).unwrap().value.animations()[0]).lines()
    }

    #[test]
    fn a_line_each() {
        let [file, engine] = lines("", &["0", "0.5", "1"]);
        assert_eq!(file, "file: 0–1 s, 3 frames, 30 scenes a second, no bounding box");
        assert_eq!(engine, "engine: 31 scenes in 1 s, last frame from 0.968 s");
        // Three scenes there and three back, a third of a second each: the first frame has the
        // first of these and the last.
        let [file, engine] =
            lines("scenes_per_time='0' backwards='true' loop='true'", &["-1", "-0.9", "0"]);
        assert_eq!(file, "file: -1–0 s, 3 frames, step, loop, backwards, no bounding box");
        assert_eq!(
            engine,
            "engine: 3 scenes in 2 s, last frame from 0.667 s, back at the first from 1.667 s"
        );
        let [_, engine] = lines("", &["4"]);
        assert_eq!(engine, "engine: 1 scene in 0 s");
    }
}
