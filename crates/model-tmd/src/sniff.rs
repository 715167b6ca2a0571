//! Detection of TMD files.

use anim_ir::{Confidence, ParseErrorKind, Sniff};

use crate::parser::{fixp, head};

/// Detects the format from the header, the object table, and the location of the first object,
/// since the magic number alone is too common.
pub fn sniff(source: &[u8]) -> Sniff {
    let head = match head(source) {
        Ok(head) => head,
        Err(error)
            if error.kind() == ParseErrorKind::Structure && source.starts_with(b"\x41\0\0\0") =>
        {
            return Sniff::new(
                Confidence::No,
                "starts like a TMD file, but its object table is truncated",
            );
        }
        Err(_) => return Sniff::new(Confidence::No, "does not start like a TMD file"),
    };
    match head.entries.first() {
        _ if head.flags > 1 => {
            Sniff::new(Confidence::No, "starts like a TMD file, but has unknown flags")
        }
        None => Sniff::new(Confidence::No, "starts like a TMD file, but has no objects"),
        Some(first) if first.fits(fixp(&head, source), source) => {
            Sniff::new(Confidence::Certain, "has a TMD header and a valid first object")
        }
        Some(_) => Sniff::new(Confidence::Likely, "has a TMD header"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(flags: u32, objects: u32, offset: u32, count: u32, tail: usize) -> Vec<u8> {
        let words = [0x41, flags, objects, offset, count, 0, 0, 0, 0, 0];
        words.iter().flat_map(|word| word.to_le_bytes()).chain(vec![0; tail]).collect()
    }

    #[test]
    fn tells_itself_from_others() {
        let confidence = |bytes: &[u8]| sniff(bytes).confidence;
        assert_eq!(confidence(&file(0, 1, 28, 2, 16)), Confidence::Certain);
        assert_eq!(confidence(&file(1, 1, 40, 2, 16)), Confidence::Certain);
        assert_eq!(confidence(&file(1, 1, 0x8010_0000, 2, 16)), Confidence::Certain);
        assert_eq!(confidence(&file(0, 1, 28, 2, 15)), Confidence::Likely);
        assert_eq!(confidence(&file(2, 1, 28, 2, 16)), Confidence::No);
        assert_eq!(confidence(&file(0, 0, 0, 0, 0)), Confidence::No);
        assert_eq!(confidence(&file(0, 2, 28, 2, 16)), Confidence::No);
        assert_eq!(confidence(b"\x41\0\0\0"), Confidence::No);
        assert_eq!(confidence(b"A"), Confidence::No);
    }
}
