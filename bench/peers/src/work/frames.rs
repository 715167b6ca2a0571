//! Readers of castle-anim-frames. The other libraries parse XML, but not its numbers.

use anim_formats::AnyDocument;
use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{NoFiles, Scene, Settings};
use anim_formats::castle::Document;
use quick_xml::events::Event;

use crate::contender::{Work, found, work};

fn scene(input: &'static [u8]) -> Scene {
    let document = AnyDocument::Castle(Document::parse(input).expect("a valid file").value);
    let settings = Settings::default();
    let mut context = Context { name: "", files: &mut NoFiles, settings: &settings };
    document.to_scene(&mut context).value
}

pub fn scenes(input: &'static [u8]) -> Work {
    work(
        move || scene(input),
        |scene| {
            // Each frame after the first is a morph target.
            let targets = scene.meshes.iter().map(|mesh| mesh.morph_targets.len()).max();
            found([("frames", targets.map_or(0.0, |targets| targets as f64 + 1.0))])
        },
    )
}

fn text(input: &'static [u8]) -> &'static str {
    std::str::from_utf8(input).expect("a valid file")
}

pub fn roxmltree(input: &'static [u8]) -> Work {
    work(
        move || roxmltree::Document::parse(text(input)).expect("a valid file"),
        |tree| {
            let count = tree.descendants().filter(roxmltree::Node::is_element).count();
            found([("elements", count as f64)])
        },
    )
}

/// Visits all attributes, which make up nearly all of the text.
pub fn quick_xml(input: &'static [u8]) -> Work {
    let run = move || {
        let mut reader = quick_xml::Reader::from_str(text(input));
        let (mut elements, mut bytes) = (0, 0);
        loop {
            match reader.read_event().expect("a valid file") {
                Event::Start(element) | Event::Empty(element) => {
                    elements += 1;
                    let attributes = element.attributes().map(|one| one.expect("an attribute"));
                    bytes += attributes.map(|attribute| attribute.value.len()).sum::<usize>();
                }
                Event::Eof => return (elements, bytes),
                _ => {}
            }
        }
    };
    work(run, |(elements, _)| found([("elements", f64::from(*elements))]))
}

pub fn simdxml(input: &'static [u8]) -> Work {
    work(
        move || simdxml::parse(input).expect("a valid file"),
        |index| {
            use simdxml::index::TagType::{Open, SelfClose};
            let is_element = |at: &usize| matches!(index.tag_type(*at), Open | SelfClose);
            let count = (0..index.tag_count()).filter(is_element).count();
            found([("elements", count as f64)])
        },
    )
}
