//! Tests with well-formed and malformed documents, including the locations of errors.

use std::fmt::Write as _;

use crate::Span;
use crate::file::xml::{
    Attribute, ErrorKind, MAX_ATTRIBUTES, MAX_DEPTH, MAX_NAMESPACES, TagKind, Tags, check,
    unescaped,
};

fn error(text: &str) -> (ErrorKind, usize, String) {
    let error = check(text).unwrap_err();
    assert!(text.get(error.span.start..error.span.end).is_some(), "{error:?}");
    (error.kind, error.span.start, error.message)
}

#[test]
fn well_formed_documents_are_accepted() {
    for text in [
        "<a/>",
        "\u{feff}<?xml version='1.0'?>\n<!DOCTYPE a SYSTEM \"[>\" >\n<!-- - -->\n<a b = \
         'x>\"' c=\"&#65;&#x1F600;&amp;'\" >t&lt;<![CDATA[<&]]]><?p <?></a >\n<!---->",
        "<é:ö é='ü'></é:ö>",
        "<a xmlns='x' xmlns:b='y'><b:c/></a>",
    ] {
        assert_eq!(check(text), Ok(()), "{text}");
    }
}

#[test]
fn malformed_documents_are_rejected_with_a_location() {
    for (text, at, message) in [
        ("", 0, "missing root element"),
        ("<!-- x -->", 10, "missing root element"),
        ("x<a/>", 0, "text outside the root element"),
        ("<a/> &amp;", 5, "text outside the root element"),
        ("<a/><b/>", 4, "a second root element"),
        ("<a><b></a>", 8, "expected the closing tag of `b`, found the closing tag of `a`"),
        ("</a>", 2, "closing tag of `a` without an opening tag"),
        ("<a><b/>", 1, "the element `a` is not closed"),
        ("<a", 1, "the tag of `a` is not closed"),
        ("<a b='x'c='y'/>", 8, "expected whitespace or `>`, found `c`"),
        ("<a // b/>", 3, "expected an attribute, found `/`"),
        ("<a b/>", 4, "expected `=` after the attribute `b`, found `/`"),
        ("<a b=x/>", 5, "expected a quoted value for `b`, found `x`"),
        ("<a b='x/>", 5, "the value of `b` is not closed"),
        ("<a b='' c='' b=''/>", 13, "duplicate attribute `b`"),
        ("<a b='<'/>", 6, "`<` in the value of `b` must be written `&lt;`"),
        ("<a b='c & d'/>", 8, "`&` does not start a reference and must be written `&amp;`"),
        ("<a>&nbsp;</a>", 3, "unknown entity `nbsp`"),
        (
            "<a b='&#0;'/>",
            6,
            "the reference `&#0;` does not refer to a character allowed in XML 1.0",
        ),
        (
            "<a b='&#x1b;'/>",
            6,
            "the reference `&#x1b;` does not refer to a character allowed in XML 1.0",
        ),
        (
            "<a b='&#+65;'/>",
            6,
            "the reference `&#+65;` does not refer to a character allowed in XML 1.0",
        ),
        ("<a b='\u{1}'/>", 6, "`\\u{1}` is not allowed in XML 1.0"),
        ("<a>\0</a>", 3, "`\\u{0}` is not allowed in XML 1.0"),
        ("<a><!-- -- --></a>", 8, "`--` is not allowed inside a comment"),
        ("<a><!-- </a>", 3, "the comment is not closed"),
        ("<a><![CDATA[ </a>", 3, "the CDATA section is not closed"),
        (
            "<a><?xml version='1.0'?></a>",
            5,
            "an XML declaration is only allowed at the start of the document",
        ),
        ("<a><!DOCTYPE a></a>", 3, "expected an element"),
        ("<!DOCTYPE a <b/>", 0, "the DOCTYPE is not closed"),
        ("<é<", 3, "expected whitespace or `>`, found `<`"),
        ("<a \u{1F600}='", 8, "the value of `\u{1F600}` is not closed"),
    ] {
        let (kind, place, found) = error(text);
        assert_eq!((kind, place, found.as_str()), (ErrorKind::Syntax, at, message), "{text}");
    }
}

#[test]
fn internal_dtd_subsets_are_rejected() {
    for text in [
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        "<!DOCTYPE a SYSTEM 'x.dtd' [ <!ENTITY % p SYSTEM 'file:///etc/passwd'> %p; ]><a/>",
        "<?xml version='1.0'?><!DOCTYPE a[]><a/>",
    ] {
        assert_eq!(error(text).0, ErrorKind::Dtd, "{text}");
    }
}

/// The limits also apply to castle-anim-frames files: rows C17 to C19 of their list of invalid
/// inputs.
#[test]
fn limits() {
    let nested = |depth: usize| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
    assert_eq!(check(&nested(MAX_DEPTH)), Ok(()));
    assert_eq!((error(&nested(1_000_000)).0, error(&nested(1_000_000)).1), (ErrorKind::Limit, 768));

    let attributes = |count: usize| {
        format!("<a{}/>", (0..count).fold(String::new(), |text, n| text + &format!(" b{n}=''")))
    };
    assert_eq!(check(&attributes(MAX_ATTRIBUTES)), Ok(()));
    assert_eq!(error(&attributes(MAX_ATTRIBUTES + 1)).0, ErrorKind::Limit);

    let namespaces = |count: usize| {
        (0..count).fold(String::from("<a>"), |text, n| text + &format!("<b xmlns='{n}'/>")) + "</a>"
    };
    assert_eq!(check(&namespaces(MAX_NAMESPACES)), Ok(()));
    assert_eq!(error(&namespaces(MAX_NAMESPACES + 1)).0, ErrorKind::Limit);
    // Declarations that are repeated on every element count once.
    assert_eq!(
        check(&format!("<a>{}</a>", "<X3D xmlns:xsd='x' xmlns='y'/>".repeat(100_000))),
        Ok(())
    );
    // All declarations are on the root, and one is repeated on each of many children: an XML parser
    // would compare all of them for each child.
    let mut text =
        (0..200).fold(String::from("<a"), |text, n| text + &format!(" xmlns:n{n}='x'")) + ">";
    (0..100_000).for_each(|_| text.push_str("<b xmlns:n0='x'/>"));
    assert_eq!(error(&text).0, ErrorKind::Limit);
}

#[test]
fn tags_have_depths_and_attributes() {
    let text = "<a b='1'><c/>text</a>";
    let mut tags = Tags::new(text);
    let open = tags.next().unwrap().unwrap();
    assert_eq!((open.kind, open.depth, open.span), (TagKind::Open, 1, Span::new(0, 9)));
    assert_eq!(tags.attributes(), [Attribute { name: Span::new(3, 4), value: Span::new(6, 7) }]);
    assert_eq!(tags.by_ref().map(|tag| tag.unwrap().depth).collect::<Vec<_>>(), [2, 1]);
    assert!(tags.next().is_none());
}

#[test]
fn bare_characters_may_be_tolerated() {
    let text = "<a name='x & y <z> &amp;'/>";
    let mut tags = Tags::tolerant(text);
    assert!(tags.by_ref().all(|tag| tag.is_ok()));
    let bare: Vec<_> = tags
        .bare()
        .iter()
        .map(|bare| (bare.error.span.start, text.get(bare.attribute.start..bare.attribute.end)))
        .collect();
    assert_eq!(bare, [(11, Some("name")), (15, Some("name"))]);
    assert_eq!(check(text).as_ref().err(), tags.bare().first().map(|bare| &bare.error));
    let mut tags = Tags::tolerant("<a b='<'><c/></a>");
    assert!(tags.by_ref().take(2).all(|tag| tag.is_ok()) && tags.bare().is_empty());
    assert!(Tags::tolerant("<a name='&#0;'/>").any(|tag| tag.is_err()), "an invalid reference");
    assert!(Tags::tolerant("<a name='x>&</a>").any(|tag| tag.is_err()), "an unclosed value");
}

#[test]
fn a_truncated_document_is_an_error() {
    let mut text = String::from("<?xml version='1.0'?><!DOCTYPE a><a b='&lt;é'>");
    write!(text, "<!-- c --><d e=\"f\"/>x<![CDATA[y]]></a>").unwrap();
    assert_eq!(check(&text), Ok(()));
    for length in 0..text.len() {
        if let Some(cut) = text.get(..length) {
            error(cut);
        }
    }
}

#[test]
fn references_are_resolved() {
    for (text, expected) in [
        ("plain", "plain"),
        ("", ""),
        ("&quot;", "\""),
        ("{&quot;a&quot;:&#x31;&#050;}", "{\"a\":12}"),
        ("&lt;&gt;&amp;amp;&apos;é&#233;", "<>&amp;'éé"),
        ("a & b", "a & b"),
        ("&quot;&nothing;", "\"&nothing;"),
    ] {
        assert_eq!(unescaped(text), expected, "{text}");
    }
}
