//! Detection of ANM and ANC files.
//!
//! Both start with the same six-byte header. The length of an ANC is determined by its number of
//! records; the first entry in the table of an ANM is the end of that table.

use anim_ir::{Confidence, Sniff};

use crate::document::Document;
use crate::header::{HEADER, Header, MAGIC, RECORD, is_swapped};

/// Detects an ANM from the whole file. Other formats also use the extension `.anm`, but none of
/// them start with this magic number followed by a valid table.
pub fn sniff(source: &[u8]) -> Sniff {
    let header = match header(source) {
        Ok(header) => header,
        Err(no) => return no,
    };
    match (starts_with_its_end(source, header), is_as_long_as_its_records(source, header)) {
        (true, false) => Sniff::new(
            Confidence::Certain,
            "starts with 0x8000 and a table whose first entry is the offset of its end",
        ),
        (true, true) => Sniff::new(
            Confidence::Likely,
            "starts with 0x8000 and has an ANM table, but also the length of an ANC",
        ),
        (false, _) if has_places(source) => {
            Sniff::new(Confidence::Likely, "starts with 0x8000 and a table of valid offsets")
        }
        (false, _) => Sniff::new(Confidence::Possible, "starts with 0x8000"),
    }
}

/// Detects an ANC from the whole file.
pub fn sniff_camera(source: &[u8]) -> Sniff {
    let header = match header(source) {
        Ok(header) => header,
        Err(no) => return no,
    };
    match (is_as_long_as_its_records(source, header), starts_with_its_end(source, header)) {
        (true, false) => Sniff::new(
            Confidence::Certain,
            "starts with 0x8000, and its length matches the number of camera records",
        ),
        (true, true) => Sniff::new(
            Confidence::Likely,
            "starts with 0x8000 and has the length of an ANC, but also an ANM table",
        ),
        (false, _) => Sniff::new(Confidence::Possible, "starts with 0x8000"),
    }
}

/// Returns the header if the magic number is correct.
fn header(source: &[u8]) -> Result<Header, Sniff> {
    let no = |reason: String| Err(Sniff::new(Confidence::No, reason));
    let Some(magic) = source.first_chunk().map(|bytes| u16::from_le_bytes(*bytes)) else {
        return no("is shorter than two bytes".to_owned());
    };
    if is_swapped(magic) {
        return no("starts with the word 0x0080: 0x8000 with swapped bytes".to_owned());
    }
    if magic != MAGIC {
        return no(format!("starts with the word 0x{magic:04x} instead of 0x8000"));
    }
    Header::read(source)
        .map_or_else(|| no(format!("is {} bytes long, shorter than a header", source.len())), Ok)
}

fn starts_with_its_end(source: &[u8], header: Header) -> bool {
    let first = source
        .get(HEADER..)
        .and_then(|table| table.first_chunk())
        .map(|bytes| u16::from_le_bytes(*bytes));
    first.is_some() && first == header.frames.checked_add(4)
}

fn is_as_long_as_its_records(source: &[u8], header: Header) -> bool {
    source.len() == HEADER + RECORD * usize::from(header.frames)
}

/// Whether the table is complete, ascending, and all offsets are after the table and within the
/// file.
fn has_places(source: &[u8]) -> bool {
    let Ok(parsed) = Document::parse(source) else { return false };
    let document = parsed.value;
    let places = || document.table().map(|place| usize::from(place) * 2);
    places().next() >= Some(document.table_end())
        && places().is_sorted()
        && places().next_back() <= Some(source.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use Confidence::{Certain, Likely, No, Possible};

    fn both(source: &[u8]) -> (Confidence, Confidence) {
        (sniff(source).confidence, sniff_camera(source).confidence)
    }

    #[test]
    fn anm_and_anc_are_distinguished() {
        let header = [0, 0x80, 30, 0, 1, 0];
        let record = [[9, 0], [1, 0], [0; 2], [0; 2], [0; 2], [0; 2], [0; 2], [0; 2]];
        let anc = [&header[..], record.as_flattened()].concat();
        assert_eq!(both(&anc), (Possible, Certain));
        assert_eq!(both(&[&header[..], &[5, 0, 6, 0, 7, 0]].concat()), (Certain, Possible));
        let like_both = [&header[..], &[5, 0, 6, 0], &[0; 12]].concat();
        assert_eq!(both(&like_both), (Likely, Likely));
        // A gap after the table; a table that points beyond the file.
        assert_eq!(both(&[&header[..], &[6, 0, 7, 0, 1, 1, 7, 0]].concat()), (Likely, Possible));
        assert_eq!(both(&[&header[..], &[6, 0, 70, 0, 1, 1, 7, 0]].concat()), (Possible, Possible));
        // Files without frames or records.
        assert_eq!(both(&[0, 0x80, 30, 0, 0, 0]), (Possible, Certain));
        assert_eq!(both(&[0, 0x80, 30, 0, 0, 0, 4, 0]), (Certain, Possible));
        assert_eq!(both(&[0, 0x80, 30, 0, 0xff, 0xff]), (Possible, Possible));
    }

    #[test]
    fn other_formats_are_rejected_with_the_word_found() {
        let others: [&[u8]; 9] = [
            b"",
            b"\x00",
            b"as Legs\nbl lHip\n",
            b"FORM\0\0\x10\0ANIM",
            b"animVersion 1.1;\n",
            b"r3d2anmd\x04\0\0\0",
            b"\x89PNG\r\n\x1a\n",
            b"ao flag\nv 0 0 0\n",
            b"\x00\x80\x1e\x00\x01",
        ];
        for other in others {
            assert_eq!(both(other), (No, No), "{other:?}");
        }
        assert!(sniff(b"as Legs").reason.contains("0x7361"));
        assert!(sniff(&[0x80, 0x00, 0, 30, 0, 1, 0, 5]).reason.contains("swapped"));
    }
}
