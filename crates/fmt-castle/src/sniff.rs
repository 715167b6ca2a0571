//! Format detection.

use anim_ir::text::Text;
use anim_ir::xml::Tags;
use anim_ir::{Confidence, Sniff};

/// Number of bytes examined.
const LOOK: usize = 64 << 10;

/// Examines the first tags. A root `animations` followed by an `animation`, or a root `animation`
/// followed by a `frame`, is conclusive.
pub fn sniff(source: &[u8]) -> Sniff {
    let head = source.get(..source.len().min(LOOK)).unwrap_or_default();
    // Truncation may split a character, so try again without the last one to three bytes.
    let text = [0, 1, 2, 3]
        .into_iter()
        .find_map(|cut| Text::of_xml(head.get(..head.len().checked_sub(cut)?)?).ok());
    let Some(text) = text else {
        return Sniff::new(Confidence::No, "is not text in an XML encoding");
    };
    let mut names = Tags::new(text.as_str()).map_while(Result::ok).map(|tag| tag.name);
    match (names.next(), names.next()) {
        (Some("animations"), Some("animation")) => {
            Sniff::new(Confidence::Certain, "has an `animations` root element")
        }
        (Some("animation"), Some("frame")) => {
            Sniff::new(Confidence::Certain, "has an `animation` root element with frames")
        }
        (Some("animations"), _) => {
            Sniff::new(Confidence::Likely, "has an `animations` root element")
        }
        (Some("animation"), _) => Sniff::new(Confidence::Likely, "has an `animation` root element"),
        _ => Sniff::new(Confidence::No, "has no `animations` or `animation` root element"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_formats_are_not_detected() {
        let confidence = |text: &[u8]| sniff(text).confidence;
        assert_eq!(
            confidence(b"<?xml version='1.0'?><!-- x --><animations><animation name='x'>"),
            Confidence::Certain
        );
        assert_eq!(
            confidence(b"<animation loop='true'>\n <frame time='0' url='a'/>"),
            Confidence::Certain
        );
        assert_eq!(confidence(b"<animation/>"), Confidence::Likely);
        assert_eq!(confidence(b"<animations><animation name='"), Confidence::Likely);
        assert_eq!(confidence(b"<animations fps="), Confidence::No);
        let utf16: Vec<u8> =
            "\u{feff}<animation><frame/>".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(confidence(&utf16), Confidence::Certain);
        assert_eq!(confidence(b"<X3D><Scene/></X3D>"), Confidence::No);
        assert_eq!(confidence(b"<svg><animation/></svg>"), Confidence::No);
        assert_eq!(confidence(b"as Legs\nbl lHip\n"), Confidence::No);
        assert_eq!(confidence(b"\x89PNG\r\n\x1a\n"), Confidence::No);
        assert_eq!(confidence(b""), Confidence::No);
    }

    #[test]
    fn a_character_may_be_split_by_truncation() {
        let text = format!("<animations><animation name='{}", "é€".repeat(LOOK));
        assert_eq!(
            sniff(text.as_bytes()).confidence,
            Confidence::Likely,
            "the second tag is truncated"
        );
        let text = format!("<animations><animation/><!-- {}", "é€".repeat(LOOK));
        for shift in ["", "x", "xx", "xxx"] {
            assert_eq!(
                sniff(text.replacen("<!-- ", &format!("<!-- {shift}"), 1).as_bytes()).confidence,
                Confidence::Certain
            );
        }
    }
}
