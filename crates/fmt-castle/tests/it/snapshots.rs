//! Snapshots of the content of valid fixtures.

use std::fmt::Write as _;

use fmt_castle::{Content, Document, ToIr, to_ir};

use crate::common;

/// Describes the content of a document.
fn describe(document: &Document<'_>) -> String {
    let mut text = String::new();
    for animation in document.animations() {
        let fmt_castle::Animation { name, scenes_per_time, equality_epsilon, .. } = animation;
        let fmt_castle::Animation { loops, backwards, .. } = animation;
        write!(text, "{name:?}: {scenes_per_time} scenes per second, epsilon {equality_epsilon}, ")
            .unwrap();
        writeln!(text, "loop {loops}, backwards {backwards}").unwrap();
        for frame in &animation.frames {
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

/// File name prefixes of the fixtures to snapshot.
const SHOWN: &str = "C21_ C31_ all_attributes animations_root boxes_ gltf_ loop_and step_and \
    times_ url_and url_xml one_frame_late";

/// Compares the documents and scenes of selected fixtures, each covering a different feature.
#[test]
fn what_is_read() {
    let mut seen = 0;
    for (name, bytes) in common::fixtures() {
        let Some(file) = name.strip_prefix("ok/") else { continue };
        if !SHOWN.split(' ').any(|start| file.starts_with(start)) {
            continue;
        }
        let document = Document::parse(&bytes[..]).unwrap().value;
        let mut scene = to_ir(&document, &ToIr::default());
        scene.losses.map_spans(|span| document.text_span(span));
        assert!(anim_ir::validate(&scene.value).is_empty(), "{name}");
        let mut text = describe(&document);
        text.push_str(&common::render(document.text().as_bytes(), &scene.losses));
        text.push_str(&anim_ir::dump(&scene.value));
        insta::assert_snapshot!(format!("read_{}", file.replace(['.', '-'], "_")), text);
        seen += 1;
    }
    assert!(seen > 12);
}
