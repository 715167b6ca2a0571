//! X3D and VRML detection.

use std::io::Read;

use anim_ir::{Confidence, Sniff};

use crate::parser::GZIP;
use crate::version::Version;

/// Number of bytes examined.
const HEAD: u64 = 4096;

/// Detects X3D and VRML files, optionally compressed, by their first line or their `X3D` element.
pub fn sniff(bytes: &[u8]) -> Sniff {
    let mut head = Vec::new();
    if bytes.starts_with(GZIP) {
        // Ignore errors, since only the start of the file matters.
        let _ = flate2::read::MultiGzDecoder::new(bytes).take(HEAD).read_to_end(&mut head);
    } else {
        let most = bytes.len().min(usize::try_from(HEAD).unwrap_or(usize::MAX));
        head.extend_from_slice(bytes.get(..most).unwrap_or_default());
    }
    // In UTF-16, every second byte of the relevant part is zero.
    head.retain(|byte| *byte != 0);
    let head = String::from_utf8_lossy(&head);
    match Version::of_header(head.trim_start_matches(['\u{feff}', char::REPLACEMENT_CHARACTER])) {
        Some(Version::X3dXml) if head.contains("<X3D") => {
            let inside = ["<animation", "<frame"]
                .iter()
                .any(|other| head.find(other).is_some_and(|at| Some(at) < head.find("<X3D")));
            if inside {
                Sniff::new(Confidence::No, "the X3D element is not the root element")
            } else {
                Sniff::new(Confidence::Certain, "has an X3D element")
            }
        }
        Some(Version::X3dXml) | None => Sniff::new(Confidence::No, "has no VRML or X3D header"),
        Some(version) => {
            Sniff::new(Confidence::Certain, format!("starts with the {} header", version.name()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_header_and_first_element() {
        let of = |bytes: &[u8]| sniff(bytes).confidence;
        assert_eq!(of(b"#VRML V1.0 ascii\nSeparator {}"), Confidence::Certain);
        assert_eq!(
            of(b"<?xml version='1.0'?>\n<!DOCTYPE X3D PUBLIC 'a' 'b'>\n<X3D>"),
            Confidence::Certain
        );
        assert_eq!(
            of("\u{feff}<X3D/>"
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<_>>()
                .as_slice()),
            Confidence::Certain
        );
        assert_eq!(of(b"<animation><frame><X3D/></frame></animation>"), Confidence::No);
        assert_eq!(of(b"v 0 0 0\n"), Confidence::No);
        assert_eq!(of(b"\x1f\x8b broken"), Confidence::No);
    }
}
