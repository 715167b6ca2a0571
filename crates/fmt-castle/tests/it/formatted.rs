//! The canonical form preserves the content of the file and is idempotent.

use anim_ir::text::Text;
use anim_ir::{Diagnostics, Severity};
use fmt_castle::{Document, codes};
use test_oracle::castle::generate;

use crate::common;

/// Describes the content of a document, with normalised line breaks.
fn said(document: &Document<'_>) -> Vec<String> {
    let lines = |text: String| text.replace("\r\n", "\n").replace('\r', "\n");
    let said = common::said(document).into_iter().map(lines);
    said.chain([format!("{:?}", document.namespaces())]).collect()
}

/// Strips whitespace and quotes, which formatting changes, and converts empty frames to their
/// short form.
fn characters(text: &str) -> String {
    let text: String = text
        .trim_start_matches('\u{feff}')
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '"' | '\''))
        .collect();
    text.replace("></frame>", "/>")
}

/// Counts the diagnostics, except those for extra byte order marks, which formatting removes.
fn counts(diagnostics: &Diagnostics) -> Vec<(&'static str, u64)> {
    let counts = diagnostics.counts().iter().map(|(code, count)| (code.id, *count));
    counts.filter(|(code, _)| *code != codes::BOM.id).collect()
}

#[track_caller]
fn check(name: &str, bytes: &[u8]) -> String {
    let parsed = Document::parse(bytes).unwrap();
    let formatted = parsed.value.formatted();
    let again = Document::parse(&formatted[..])
        .unwrap_or_else(|error| panic!("{name}: {error}\n{}", String::from_utf8_lossy(&formatted)));
    assert_eq!(said(&parsed.value), said(&again.value), "{name}");
    assert_eq!(counts(&parsed.diagnostics), counts(&again.diagnostics), "{name}");
    assert_eq!(characters(parsed.value.text()), characters(again.value.text()), "{name}");
    let encoding = |bytes| Text::of_xml(bytes).unwrap().encoding();
    assert_eq!(encoding(bytes), encoding(&formatted), "{name}");
    assert!(again.value.formatted() == formatted, "{name}: again\n{}", again.value.text());
    again.value.text().to_owned()
}

#[test]
fn every_fixture() {
    let mut formatted = 0;
    for (name, bytes) in common::fixtures() {
        if let Ok(parsed) = Document::parse(&bytes[..]) {
            formatted += usize::from(check(&name, &bytes) != parsed.value.text());
        }
    }
    assert!(formatted > 100, "{formatted}");
}

#[test]
fn generated_files() {
    for seed in 0..100 {
        let generated = generate::castle(seed);
        check(&seed.to_string(), &generated.text);
        let parsed = Document::parse(&generated.text[..]).unwrap();
        assert!(parsed.diagnostics.worst() < Some(Severity::Error), "{seed}");
        let built = Document::build(&parsed.value.data()).unwrap();
        assert_eq!(
            String::from_utf8(built.formatted()).unwrap(),
            built.text().replace(">\n<X3D", ">\n\t\t\t<X3D"),
            "formatting only indents the output of the writer"
        );
    }
}

#[test]
fn each_element_is_on_a_separate_line() {
    let text = "\u{feff}<?xml version='1.0'?><!-- a --><animations>\r\n\r\n\r\n \
        <animation  name = 'say \"x\"'><!-- b --><frame time='0'\n url='a.x3d' ></frame> \
        <!-- c\n  d --> text  <frame time='1'><!-- e --><X3D>\n <Scene/> </X3D>\n\n\
        </frame>\n\n\n<?f?></animation></animations>";
    let expected = "\u{feff}<?xml version='1.0'?> <!-- a -->
<animations>
\t<animation name='say \"x\"'> <!-- b -->
\t\t<frame time=\"0\" url=\"a.x3d\"/> <!-- c\n  d -->
\t\ttext
\t\t<frame time=\"1\"> <!-- e -->
\t\t\t<X3D>\n <Scene/> </X3D>
\t\t</frame>

\t\t<?f?>
\t</animation>
</animations>\n";
    assert_eq!(check("lines", text.as_bytes()), expected);
}

/// JSON is text, so its whitespace may be significant.
#[test]
fn text_in_frames_is_kept_verbatim() {
    let text = "<animation><frame time='0' mime_type='model/gltf+json'>\n {\"asset\": \"a  b\"} \
                <!-- c --></frame></animation>";
    let expected = "<animation>\n\t<frame time=\"0\" mime_type=\"model/gltf+json\">\n \
                    {\"asset\": \"a  b\"} <!-- c --></frame>\n</animation>\n";
    assert_eq!(check("json", text.as_bytes()), expected);
}

/// XML has only four whitespace characters.
#[test]
fn other_spaces_are_text() {
    let text = "<animation>\u{a0}<frame time='0' url='a.x3d'/>\u{2003} </animation>";
    let formatted = String::from_utf8(common::document(text.as_bytes()).formatted()).unwrap();
    let counts = ['\u{a0}', '\u{2003}'].map(|space| formatted.matches(space).count());
    assert_eq!(counts, [1, 1], "{formatted}");
}
