//! Facts about a file that a scene does not represent.

use anim_ir::diag::plural;
use anim_ir::format::Fact;
use anim_ir::number::index32;
use anim_ir::{Value, insert_all};

use crate::document::Document;

/// The number of frames and the frame rate; empty without motion.
pub(crate) fn facts(document: &Document<'_>) -> Vec<Fact> {
    let frames = document.frames().len();
    if frames == 0 {
        return Vec::new();
    }
    let mut value = vec![("frames", Value::from(index32(frames)))];
    let mut line = plural(frames, "frame");
    if let Some(rate) = document.frames_per_second() {
        value.push(("rate", rate.into()));
        let rate = format!("{rate:.3}");
        let rate = rate.trim_end_matches('0').trim_end_matches('.');
        line += &format!(" at {rate} per second");
    }
    let value =
        Value::Map(insert_all(value.into_iter().map(|(key, value)| (key.to_owned(), value))));
    vec![Fact { key: "motion", clip: None, value, heading: None, rows: vec![vec![line]] }]
}
