//! No input makes the reader panic, and none costs more than its size: cut files, flipped bytes,
//! files of a million of everything.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    reason = "tests fail loudly"
)]

mod common;

use std::time::{Duration, Instant};

use anim_ir::{Limits, Severity};
use fmt_castle::{
    Content, Document, Minify, ParseError, ParseOptions, extract, minify, split, to_ir,
};
use proptest::prelude::*;

/// Everything that can be done with a file: read, write back, make a scene, take apart, make
/// smaller.
fn exercise(bytes: &[u8]) -> bool {
    let Ok(parsed) = Document::parse(bytes) else { return false };
    let document = parsed.value;
    assert_eq!(document.to_bytes(), bytes, "unedited, every byte");
    for diagnostic in &parsed.diagnostics {
        if let Some(span) = diagnostic.span {
            assert!(span.start <= span.end && span.end <= bytes.len(), "{diagnostic:?}");
        }
        assert!(diagnostic.message.len() <= 500, "{}", diagnostic.message);
    }
    let formatted = document.formatted();
    let again = Document::parse(&formatted[..]).unwrap().value;
    assert_eq!(again.animations().len(), document.animations().len());
    assert_eq!(again.formatted(), formatted);
    for animation in document.animations() {
        assert!(
            !animation.frames.is_empty() && animation.frames.is_sorted_by(|a, b| a.time < b.time)
        );
        animation.engine_timing();
        for frame in &animation.frames {
            assert!(document.text()[frame.span.start..frame.span.end].starts_with("<frame"));
            if let Content::X3d(element) = frame.content {
                assert!(document.text()[element.start..element.end].starts_with("<X3D"));
            }
        }
    }
    assert!(anim_ir::validate(&to_ir(&document).value).is_empty());
    if document.animations().iter().all(|animation| !animation.name.is_empty()) {
        split(&document).unwrap();
        extract(&document).unwrap();
        minify(&document, &Minify { decimals: Some(2), whitespace: true, epsilon: Some(0.01) })
            .unwrap();
    }
    true
}

fn small_fixtures() -> impl Iterator<Item = (String, Vec<u8>)> {
    common::fixtures().into_iter().filter(|(_, bytes)| bytes.len() < 16 << 10)
}

#[test]
fn every_truncation_of_every_small_file() {
    for (name, bytes) in small_fixtures() {
        let read = (0..bytes.len()).filter(|length| exercise(&bytes[..*length])).count();
        // Row C13: only what stands behind the root element may be cut off.
        assert!(read <= 8, "{name}: {read}");
    }
}

#[test]
fn every_byte_flipped() {
    let (mut read, mut tried) = (0, 0);
    for (_, mut bytes) in small_fixtures() {
        for at in 0..bytes.len() {
            for mask in [0x01, 0x10, 0xff] {
                bytes[at] ^= mask;
                read += u32::from(exercise(&bytes));
                tried += 1;
                bytes[at] ^= mask;
            }
        }
    }
    assert!(read > tried / 4, "many of them are still files: {read} of {tried}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Pieces of the right shape in any order.
    #[test]
    fn pieces_in_any_order(pieces in prop::collection::vec(prop::sample::select(vec![
        "<animations>", "</animations>", "<animation>", "<animation name='a'>", "<animation \
            loop='1' fps='2' xmlns='x'>", "</animation>", "<frame time='0' url='a'/>",
        "<frame time='1'>", "<frame time='2' \
                             mime_type='model/gltf+json'>", "</frame>", "<X3D>", "</X3D>", "<X3D/>", "{}", "<![CDATA[{}]]>", "<!-- - -->", "&lt;", "&", "<a:b/>", "é",
    ]), 0..20)) {
        exercise(pieces.concat().as_bytes());
        exercise(format!("<animations>{}</animations>", pieces.concat()).as_bytes());
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        exercise(&bytes);
    }
}

fn quick(text: &str) -> Result<anim_ir::Parsed<Document<'_>>, ParseError> {
    let start = Instant::now();
    let parsed = Document::parse(text.as_bytes());
    // Without optimisation and on a busy machine: still far from what a quadratic step would take.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    parsed
}

/// Rows C17 to C19: what would be expensive is refused where it gets out of hand, not after it was
/// read.
#[test]
fn bombs() {
    let frame = |inside: &str| format!("<animation><frame time='0'>{inside}</frame></animation>");
    let nested =
        frame(&format!("<X3D>{}{}</X3D>", "<a>".repeat(1_000_000), "</a>".repeat(1_000_000)));
    assert_eq!(
        quick(&nested).unwrap_err().to_string(),
        "line 1, column 792: elements are nested deeper than 256"
    );
    let attributes = format!(
        "<animation {}/>",
        (0..1_000_000).fold(String::new(), |text, n| text + &format!(" a{n}=''"))
    );
    assert!(quick(&attributes).unwrap_err().to_string().contains("more than 256 attributes"));
    let namespaces = frame(
        &(0..100_000).fold(String::new(), |text, n| text + &format!("<X3D xmlns:n{n}='{n}'/>")),
    );
    assert!(quick(&namespaces).unwrap_err().to_string().contains("namespace declarations"));
}

/// Row C20: JSON is text here, however deep.
#[test]
fn json_is_not_read() {
    let text = format!(
        "<animation><frame time='0' mime_type='model/gltf+json'>{}</frame></animation>",
        "[".repeat(100_000)
    );
    assert!(
        matches!(&quick(&text).unwrap().value.animations()[0].frames[0].content, Content::Gltf(json) if json.len() == 100_000)
    );
}

/// Row C30, with a smaller limit so that the test needs no gigabytes.
#[test]
fn files_beyond_the_limits() {
    let options = ParseOptions { limits: Limits { input_bytes: 1 << 20, ..Limits::default() } };
    let text = format!("<animation name='{}'/>", "a".repeat(2 << 20));
    assert_eq!(
        Document::parse_with(text.as_bytes(), &options).unwrap_err().to_string(),
        "the input has 2097172 bytes, more than the limit of 1048576"
    );
}

/// A million of each: counted, not kept, and in linear time.
#[test]
fn a_million_of_everything() {
    let animation = |inside: &str, count: usize| {
        format!("<animations><animation>{}</animation></animations>", inside.repeat(count))
    };
    let many = 300_000;
    let frames = (0..many).fold(String::from("<animation>"), |text, n| {
        text + &format!("<frame time='{n}' url='{n}.x3d'/>")
    }) + "</animation>";
    assert_eq!(quick(&frames).unwrap().value.animations()[0].frames.len(), many);
    for (text, worst) in [
        (animation("<frame time='0' url='a'/>", many), Severity::Error),
        (animation("<frame time='x'/>", many), Severity::Error),
        (animation("<frame/>", many), Severity::Error),
        (animation("<other/>", many), Severity::Error),
        (animation("<frame time='0'><X3D/><X3D/></frame>", many), Severity::Error),
        (
            format!(
                "<animations>{}</animations>",
                "<animation><frame time='-1' url='a'/></animation>".repeat(many)
            ),
            Severity::Warning,
        ),
        (
            format!(
                "<animations>{}</animations>",
                "<animation name='&' xmlns:x='y' loop='1'/>".repeat(many)
            ),
            Severity::Error,
        ),
    ] {
        let parsed = quick(&text).unwrap();
        assert!(parsed.diagnostics.iter().count() <= 60);
        assert_eq!(parsed.diagnostics.worst(), Some(worst));
        assert!(
            parsed.diagnostics.total(worst) >= u64::try_from(many).unwrap() - 1,
            "{}",
            &text[..100]
        );
    }
}

/// One frame with a million things in it has one thing wrong.
#[test]
fn a_million_contents() {
    for inside in ["<X3D/>", "<svg/>"] {
        let text =
            format!("<animation><frame time='0'>{}</frame></animation>", inside.repeat(300_000));
        assert_eq!(quick(&text).unwrap().diagnostics.total(Severity::Error), 1);
    }
}

/// Namespaces on the root hold in every frame: no frame pays for them.
#[test]
fn namespaces_of_the_root() {
    let declarations = (0..250).fold(String::new(), |text, n| text + &format!(" xmlns:n{n}='{n}'"));
    let text = format!(
        "<animations{declarations}>{}</animations>",
        "<animation><frame time='0' url='a'/></animation>".repeat(20_000)
    );
    assert_eq!(quick(&text).unwrap().value.namespaces().len(), 250);
}

/// Two sizes: eight times the input must not take much more than eight times as long.
#[test]
fn time_is_linear() {
    let text = |frames: usize| {
        let shape = "<Shape><Coordinate point='0.5 0.25 1'/></Shape>".repeat(20);
        (0..frames).fold(String::from("<animation>"), |text, n| {
            text + &format!("<frame time='{n}'><X3D>{shape}</X3D></frame>")
        }) + "</animation>"
    };
    let time = |frames: usize| {
        let text = text(frames);
        let start = Instant::now();
        let document = Document::parse(text.as_bytes()).unwrap().value;
        minify(&document, &Minify { decimals: Some(1), whitespace: true, epsilon: Some(0.1) })
            .unwrap();
        start.elapsed().as_secs_f64()
    };
    time(200);
    let (small, great) = (
        (0..3).map(|_| time(500)).fold(f64::MAX, f64::min),
        (0..3).map(|_| time(4_000)).fold(f64::MAX, f64::min),
    );
    assert!(great < small * 8.0 * 4.0, "{small} s and {great} s");
}
