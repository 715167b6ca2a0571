//! Content-based detection of BVH.

use anim_ir::encoding::text_start;
use anim_ir::{Confidence, Sniff};

use crate::tokens::Cursor;

/// Detects the format from the first words.
pub fn sniff(source: &[u8]) -> Sniff {
    let mut cursor = Cursor::new(source, text_start(source));
    cursor.skip_comments();
    let mut is_next = |word: &[u8]| {
        let span = cursor.word();
        cursor.text(span).eq_ignore_ascii_case(word)
    };
    match (is_next(b"HIERARCHY"), is_next(b"ROOT")) {
        (true, true) => Sniff::new(Confidence::Certain, "starts with HIERARCHY and ROOT"),
        (true, false) => Sniff::new(Confidence::Likely, "starts with HIERARCHY"),
        (false, _) => Sniff::new(Confidence::No, "does not start with HIERARCHY"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_itself_from_others() {
        let confidence = |text: &[u8]| sniff(text).confidence;
        let certain = b"\xef\xbb\xbf# exported\r\n\r\nhierarchy\r\nROOT Hips\r\n{";
        assert_eq!(confidence(certain), Confidence::Certain);
        assert_eq!(confidence(b"HIERARCHY"), Confidence::Likely);
        for text in ["", "HIERARCHYROOT", "# HIERARCHY", "MOTION", "ROOT Hips {"] {
            assert_eq!(confidence(text.as_bytes()), Confidence::No, "{text}");
        }
    }
}
