//! Detection of STT files.

use anim_ir::encoding::text_start;
use anim_ir::{Confidence, Sniff};

use crate::parser::HEADER;
use crate::tokens;

/// Examines the first words. The header alone is not sufficient, since files in Themekit's model
/// format ODT start with the same word.
pub fn sniff(source: &[u8]) -> Sniff {
    let mut input = source.get(text_start(source)..).unwrap_or_default();
    if tokens::word(&mut input) != Ok(HEADER) {
        return Sniff::new(Confidence::No, "does not start with #MINDRENDER");
    }
    let counted = tokens::word(&mut input).is_ok()
        && tokens::integer(&mut input).is_ok_and(|count| u32::try_from(count).is_ok());
    if !counted {
        return Sniff::new(
            Confidence::No,
            "starts with #MINDRENDER, as other formats do, but has no state count",
        );
    }
    let named = tokens::name(&mut input).is_ok();
    match tokens::word(&mut input) {
        Ok(b"SINGLE" | b"KEYFRAME") if named => {
            Sniff::new(Confidence::Certain, "starts with #MINDRENDER, followed by a state")
        }
        _ => Sniff::new(
            Confidence::Possible,
            "starts with #MINDRENDER and a number, but no state follows",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_formats_are_not_detected() {
        let confidence = |text: &[u8]| sniff(text).confidence;
        assert_eq!(
            confidence(b"\xef\xbb\xbf #MINDRENDER 1.1\r\n1{a}\nKEYFRAME"),
            Confidence::Certain
        );
        assert_eq!(confidence(b"#MINDRENDER 1.1 0"), Confidence::Possible);
        assert_eq!(confidence(b"#MINDRENDER 1.1 1 {a} {b}"), Confidence::Possible);
        for text in [
            "#MINDRENDER 1.1",
            "#MINDRENDER 1.1 {crane}",
            "#MINDRENDER1.1 1 {a} SINGLE",
            "#mindrender 1.1 1 {a} SINGLE",
            "#VRML V2.0 utf8",
            "",
        ] {
            assert_eq!(confidence(text.as_bytes()), Confidence::No, "{text}");
        }
    }
}
