//! Facts about the timing of animations, both in the file and in Castle Game Engine.

use anim_ir::Value;
use anim_ir::diag::plural;
use anim_ir::format::Fact;
use anim_ir::number::index32;

use crate::content::{Animation, EPSILON};
use crate::document::Document;
use crate::timing::{EngineTiming, approximate};

/// Describes each animation's timing in the file and its timing in the engine.
pub(crate) fn facts(document: &Document<'_>) -> Vec<Fact> {
    let fact = |(number, animation)| {
        let timing = Animation::engine_timing(animation);
        Fact {
            key: "timing",
            clip: Some(number),
            value: Value::from([("file", in_file(animation)), ("engine", in_engine(&timing))]),
            heading: None,
            rows: vec![vec![file_line(animation)], vec![engine_line(&timing)]],
        }
    };
    document.animations().iter().enumerate().map(fact).collect()
}

fn in_file(animation: &Animation) -> Value {
    let times = animation.frames.iter().map(|frame| frame.time);
    Value::from([
        ("frames", index32(animation.frames.len()).into()),
        ("frame_times", times.collect()),
        ("scenes_per_time", animation.scenes_per_time.into()),
        ("step", (animation.scenes_per_time == 0).into()),
        ("equality_epsilon", animation.equality_epsilon.into()),
        ("loop", animation.loops.into()),
        ("backwards", animation.backwards.into()),
        ("bounding_box", has_box(animation).into()),
    ])
}

fn in_engine(timing: &EngineTiming) -> Value {
    Value::from([
        ("scenes", approximate(timing.scenes).into()),
        ("duration", timing.duration.into()),
        ("frame_times", timing.frame_times.iter().copied().collect()),
        ("frame_times_back", timing.frame_times_back.iter().copied().collect()),
    ])
}

fn file_line(animation: &Animation) -> String {
    let (start, end) = animation.range();
    let frames = plural(animation.frames.len(), "frame");
    let between = match animation.scenes_per_time {
        0 => "step".to_owned(),
        1 => "1 scene per second".to_owned(),
        scenes => format!("{scenes} scenes per second"),
    };
    let loops = if animation.loops { ", loop" } else { "" };
    let backwards = if animation.backwards { ", backwards" } else { "" };
    let epsilon = match animation.equality_epsilon {
        EPSILON => String::new(),
        other => format!(", equality epsilon {other}"),
    };
    let no = if has_box(animation) { "" } else { "no " };
    format!(
        "file: {start}–{end} s, {frames}, {between}{loops}{backwards}{epsilon}, {no}bounding box"
    )
}

fn engine_line(timing: &EngineTiming) -> String {
    let EngineTiming { scenes, duration, frame_times, frame_times_back } = timing;
    let noun = if *scenes == 1 { "scene" } else { "scenes" };
    let mut line = format!("engine: {scenes} {noun} in {} s", milliseconds(*duration));
    if let [_, .., last] = frame_times.as_slice() {
        line.push_str(&format!(", last frame from {} s", milliseconds(*last)));
    }
    if let [first, .., _] = frame_times_back.as_slice() {
        line.push_str(&format!(", back at the first from {} s", milliseconds(*first)));
    }
    line
}

/// Whether any frame has a bounding box. The engine merges all boxes into one; without a box,
/// nothing collides.
fn has_box(animation: &Animation) -> bool {
    animation.frames.iter().any(|frame| frame.bounding_box.is_some())
}

/// Formats seconds, rounded to milliseconds.
fn milliseconds(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(attributes: &str, times: &[&str]) -> [String; 2] {
        let frames: String =
            times.iter().map(|time| format!("<frame time='{time}' url='a.x3d'/>")).collect();
        let file = format!("<animation {attributes}>{frames}</animation>");
        let document = Document::parse(file.as_bytes()).unwrap().value;
        let [fact] = facts(&document).try_into().unwrap();
        [0, 1].map(|row: usize| fact.rows[row].concat())
    }

    #[test]
    fn file_and_engine_timing_are_separate_lines() {
        let [file, engine] = lines("", &["0", "0.5", "1"]);
        assert_eq!(file, "file: 0–1 s, 3 frames, 30 scenes per second, no bounding box");
        assert_eq!(engine, "engine: 31 scenes in 1 s, last frame from 0.968 s");
        // Three scenes play forwards and three backwards, for a third of a second each. The first
        // frame is shown in the first and the last of these six scenes.
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
