//! Robustness tests: no input causes a panic or takes more than linear time. Inputs include pieces
//! in arbitrary order and files with a million items of each kind.

use anim_ir::{Parsed, Severity};
use fmt_castle::{Content, Document, Minify, extract, minify, split};
use proptest::prelude::*;
use test_oracle::growth::assert_linear;

use crate::common;

/// Checks a file's content and spans, then formats, splits, extracts and minifies it.
pub(crate) fn also(bytes: &[u8]) {
    let Ok(parsed) = Document::parse(bytes) else { return };
    let document = parsed.value;
    let again = Document::parse(document.formatted()).unwrap().value;
    assert_eq!(again.animations().len(), document.animations().len());
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
    if document.animations().iter().all(|animation| !animation.name.is_empty()) {
        split(&document).unwrap();
        extract(&document, "").unwrap();
        minify(&document, &Minify { decimals: Some(2), whitespace: true, epsilon: Some(0.01) })
            .unwrap();
    }
}

fn exercise(bytes: &[u8]) {
    crate::conformance().exercise(bytes);
}

/// Row C13: a truncated file is rejected unless its root element is complete.
#[test]
fn truncated_files_are_rejected() {
    let fixtures = common::fixtures();
    for (name, bytes) in fixtures.iter().filter(|(_, bytes)| bytes.len() < 16 << 10) {
        let is_read = |length: &usize| Document::parse(&bytes[..*length]).is_ok();
        let read = (0..bytes.len()).filter(is_read).count();
        assert!(read <= 8, "{name}: {read}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Generates well-formed pieces in arbitrary order.
    #[test]
    fn pieces_in_any_order(pieces in prop::collection::vec(prop::sample::select(vec![
        "<animations>", "</animations>", "<animation>", "<animation name='a'>",
        "<animation loop='1' fps='2' xmlns='x'>", "</animation>", "<frame time='0' url='a'/>",
        "<frame time='1'>", "<frame time='2' mime_type='model/gltf+json'>", "</frame>", "<X3D>",
        "</X3D>", "<X3D/>", "{}", "<![CDATA[{}]]>", "<!-- - -->", "&lt;", "&", "<a:b/>", "é",
    ]), 0..20)) {
        exercise(pieces.concat().as_bytes());
        exercise(format!("<animations>{}</animations>", pieces.concat()).as_bytes());
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        exercise(&bytes);
    }
}

/// Rows C17 to C19: expensive input is rejected as soon as it exceeds a limit, not after it has
/// been read.
#[test]
fn bombs() {
    let frame = |inside: &str| format!("<animation><frame time='0'>{inside}</frame></animation>");
    let nested = |count: usize| {
        frame(&format!("<X3D>{}{}</X3D>", "<a>".repeat(count), "</a>".repeat(count)))
    };
    let numbered = |count: usize, one: fn(usize) -> String| (0..count).map(one).collect::<String>();
    let attributes = |count| format!("<animation {}/>", numbered(count, |n| format!(" a{n}=''")));
    let namespaces = |count| frame(&numbered(count, |n| format!("<X3D xmlns:n{n}='{n}'/>")));
    let bombs: [(&str, &(dyn Fn(usize) -> String + Sync)); 3] = [
        ("line 1, column 792: elements are nested deeper than 256", &nested),
        ("more than 256 attributes", &attributes),
        ("namespace declarations", &namespaces),
    ];
    for (message, bomb) in bombs {
        let refuse = |text: &String| {
            let error = Document::parse(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        };
        refuse(&bomb(1_000_000));
        assert_linear(message, bomb, refuse, 50_000);
    }
}

#[test]
fn control_characters_are_escaped_in_messages() {
    let error = Document::parse(&b"<animations><a\x7f/></animations>"[..]).unwrap_err();
    assert!(error.message().contains("\\u{7f}"), "{error}");
}

/// Row C20: JSON is treated as text, however deeply nested.
#[test]
fn json_is_not_parsed() {
    let text = format!(
        "<animation><frame time='0' mime_type='model/gltf+json'>{}</frame></animation>",
        "[".repeat(100_000)
    );
    assert!(matches!(
        &parse(&text).value.animations()[0].frames[0].content,
        Content::Gltf(json) if json.len() == 100_000
    ));
}

fn parse(text: &str) -> Parsed<Document<'_>> {
    Document::parse(text.as_bytes()).unwrap()
}

/// Diagnostics for a million items of each kind are counted but not stored.
#[test]
fn a_million_items_of_each_kind_take_linear_time() {
    let many = 300_000;
    let frames = |count: usize| {
        let frame = |n| format!("<frame time='{n}' url='{n}.x3d'/>");
        format!("<animation>{}</animation>", (0..count).map(frame).collect::<String>())
    };
    assert_eq!(parse(&frames(many)).value.animations()[0].frames.len(), many);
    assert_linear("frames", frames, |text| drop(parse(text)), 20_000);

    let animation = |inside: &str| format!("<animation>{inside}</animation>");
    for (around, piece, worst) in [
        (true, "<frame time='0' url='a'/>", Severity::Error),
        (true, "<frame time='x'/>", Severity::Error),
        (true, "<frame/>", Severity::Error),
        (true, "<other/>", Severity::Error),
        (true, "<frame time='0'><X3D/><X3D/></frame>", Severity::Error),
        (false, "<animation><frame time='-1' url='a'/></animation>", Severity::Warning),
        (false, "<animation name='&' xmlns:x='y' loop='1'/>", Severity::Error),
    ] {
        let text = |count: usize| {
            let inside = piece.repeat(count);
            let inside = if around { animation(&inside) } else { inside };
            format!("<animations>{inside}</animations>")
        };
        let whole = text(many);
        let Parsed { diagnostics, .. } = parse(&whole);
        assert!(diagnostics.iter().count() <= 60);
        assert_eq!(diagnostics.worst(), Some(worst));
        assert!(diagnostics.total(worst) >= u64::try_from(many).unwrap() - 1, "{piece}");
        assert_linear(piece, text, |text| drop(parse(text)), 20_000);
    }
}

/// A frame with a million elements causes a single error.
#[test]
fn a_million_contents() {
    for inside in ["<X3D/>", "<svg/>"] {
        let text = |count| {
            let inside = inside.repeat(count);
            format!("<animation><frame time='0'>{inside}</frame></animation>")
        };
        let judge = |text: &String| {
            assert_eq!(parse(text).diagnostics.total(Severity::Error), 1);
        };
        judge(&text(300_000));
        assert_linear(inside, text, judge, 50_000);
    }
}

/// Namespaces declared on the root are in scope in every frame, at no cost per frame.
#[test]
fn root_namespaces_cost_nothing_per_frame() {
    let declarations: String = (0..250).map(|n| format!(" xmlns:n{n}='{n}'")).collect();
    let text = |count| {
        let animations = "<animation><frame time='0' url='a'/></animation>".repeat(count);
        format!("<animations{declarations}>{animations}</animations>")
    };
    let read = |text: &String| assert_eq!(parse(text).value.namespaces().len(), 250);
    assert_linear("namespaces", text, read, 5_000);
}

#[test]
fn time_is_linear() {
    let text = |frames: usize| {
        let shape = "<Shape><Coordinate point='0.5 0.25 1'/></Shape>".repeat(20);
        let frame = |n| format!("<frame time='{n}'><X3D>{shape}</X3D></frame>");
        format!("<animation>{}</animation>", (0..frames).map(frame).collect::<String>())
    };
    let read = |text: &String| {
        let options = Minify { decimals: Some(1), whitespace: true, epsilon: Some(0.1) };
        minify(&parse(text).value, &options).unwrap();
    };
    assert_linear("frames", text, read, 1000);
}
