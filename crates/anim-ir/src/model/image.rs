//! Image files: their format, and whether they are complete.

/// Detects the media type of an image file from its first bytes: `image/png` or `image/jpeg`.
pub fn image_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(PNG) {
        Some("image/png")
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        Some("image/jpeg")
    } else {
        None
    }
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Returns whether a PNG or JPEG file is complete, judging by its end marker. Its content is not
/// decoded.
pub fn is_complete_image(bytes: &[u8]) -> bool {
    match bytes.strip_prefix(PNG) {
        Some(chunks) => ends_png(chunks),
        None => ends_jpeg(bytes),
    }
}

/// Returns whether the chunks of a PNG file are complete up to the `IEND` chunk (PNG specification,
/// section 5.3).
fn ends_png(mut rest: &[u8]) -> bool {
    while let [a, b, c, d, kind @ ..] = rest {
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        // The length, the type and the checksum take up four bytes each.
        let Some(next) = rest.get(length.saturating_add(12)..) else { return false };
        if kind.starts_with(b"IEND") {
            return true;
        }
        rest = next;
    }
    false
}

/// Returns whether the segments of a JPEG file are complete up to the `EOI` marker (ITU-T T.81,
/// annex B).
fn ends_jpeg(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while let Some(at) = memchr::memchr(0xff, rest) {
        rest = rest.get(at + 1..).unwrap_or_default();
        let [marker, after @ ..] = rest else { return false };
        match marker {
            0xd9 => return true,
            // A fill byte, which may precede a marker.
            0xff => {}
            // An escaped byte of compressed data, or a marker without a segment.
            0x00 | 0x01 | 0xd0..=0xd8 => rest = after,
            _ => {
                let [high, low, ..] = after else { return false };
                let length = usize::from(u16::from_be_bytes([*high, *low]));
                let Some(next) = after.get(length..) else { return false };
                rest = next;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Truncated anywhere, an image is incomplete; bytes after its end do not matter.
    #[test]
    fn truncated_images_are_incomplete() {
        let png = [
            PNG,
            b"\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\0\0\0\0",
            b"\0\0\0\x04IDATIEND\0\0\0\0",
            b"\0\0\0\0IEND\xae\x42\x60\x82",
        ]
        .concat();
        // The comment contains an end marker, and the compressed data an escaped 0xff and a
        // restart marker.
        let jpeg =
            b"\xff\xd8\xff\xfe\0\x04\xff\xd9\xff\xda\0\x02\x12\xff\0\xff\xd0\x34\xff\xff\xd9";
        for whole in [&png[..], jpeg] {
            assert!(is_complete_image(whole));
            assert!(is_complete_image(&[whole, b"more"].concat()));
            for length in 0..whole.len() {
                assert!(!is_complete_image(&whole[..length]), "{length} of {}", whole.len());
            }
        }
    }
}
