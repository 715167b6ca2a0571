//! What the reader says of every fixture, as a person reads it; and what it makes of those that are
//! fine.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    reason = "tests fail loudly"
)]

mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fmt_castle::{Content, Document, Verdicts, to_ir};

/// One snapshot for each row of the list of bad inputs: all its cases, each with its diagnostics
/// and the two verdicts.
#[test]
fn diagnostics_of_every_row() {
    let mut rows: BTreeMap<String, String> = BTreeMap::new();
    for (name, bytes) in common::fixtures() {
        let Some((_, file)) = name.split_once('/') else { panic!("{name}") };
        let row = file
            .split_once('_')
            .map(|(row, _)| row)
            .filter(|row| row.starts_with(['C', 'X']) && row.len() == 3);
        let text = rows.entry(row.unwrap_or("other").to_owned()).or_default();
        writeln!(text, "== {name}").unwrap();
        match Document::parse(&bytes[..]) {
            Ok(parsed) => {
                text.push_str(&common::render(&bytes, &parsed.diagnostics));
                let Verdicts { specification, engine } = Verdicts::of(&parsed.diagnostics);
                let verdict = |accepts: bool| if accepts { "accepts" } else { "refuses" };
                writeln!(
                    text,
                    "specification {}, engine {}",
                    verdict(specification),
                    verdict(engine)
                )
                .unwrap();
            }
            Err(error) => writeln!(text, "nothing can be read: {error}").unwrap(),
        }
        text.push('\n');
    }
    assert!(rows.len() > 20);
    for (row, text) in rows {
        insta::assert_snapshot!(format!("row_{row}"), text);
    }
}

/// Everything a document says.
fn describe(document: &Document<'_>) -> String {
    let mut text = String::new();
    for animation in document.animations() {
        let fmt_castle::Animation {
            name,
            scenes_per_time,
            equality_epsilon,
            loops,
            backwards,
            frames,
            ..
        } = animation;
        writeln!(
            text,
            "{name:?}: {scenes_per_time} scenes a second, epsilon {equality_epsilon}, \
                        loop {loops}, backwards {backwards}"
        )
        .unwrap();
        for frame in frames {
            let content = match &frame.content {
                Content::Url(url) => format!("{url:?}"),
                Content::X3d(element) => format!("X3D, {} bytes", element.len()),
                Content::Gltf(json) => format!("glTF, {} bytes", json.len()),
                Content::Missing => "nothing".to_owned(),
            };
            write!(text, "  {} s: {content}", frame.time).unwrap();
            if let Some(found) = frame.bounding_box {
                write!(text, ", {:?} around {:?}", found.size, found.center).unwrap();
            }
            text.push('\n');
        }
        writeln!(text, "  engine: {:?}", animation.engine_timing()).unwrap();
    }
    text
}

/// The documents and scenes of fixtures that each show something else.
#[test]
fn what_is_read() {
    let mut seen = 0;
    for (name, bytes) in common::fixtures() {
        let Some(file) = name.strip_prefix("ok/") else { continue };
        let shown = [
            "C21_",
            "C31_",
            "all_attributes",
            "animations_root",
            "boxes_",
            "gltf_",
            "loop_and",
            "step_and",
            "times_",
            "url_and",
            "url_xml",
            "one_frame_late",
        ];
        if !shown.iter().any(|start| file.starts_with(start)) {
            continue;
        }
        let document = Document::parse(&bytes[..]).unwrap().value;
        let scene = to_ir(&document);
        assert!(anim_ir::validate(&scene.value).is_empty(), "{name}");
        let mut text = describe(&document);
        text.push_str(&common::render(&bytes, &scene.losses));
        text.push_str(&anim_ir::dump(&scene.value));
        insta::assert_snapshot!(format!("read_{}", file.replace(['.', '-'], "_")), text);
        seen += 1;
    }
    assert!(seen > 12);
}
