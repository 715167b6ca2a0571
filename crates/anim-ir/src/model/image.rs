//! Image files: their format, and whether they are complete.

use crate::{Category, Code, Severity};

/// A file refers to an image outside its folder.
pub static IMAGE_OUTSIDE: Code = Code {
    id: "ir-image-outside",
    severity: Severity::Note,
    category: Category::Loss,
    meaning: "The output refers to an image outside its own folder. Programs that read files only \
from that folder, such as this one, do not find the image, and it is lost if only the folder is \
passed on.",
    example: "animfmt convert models/robot.amo -o out/robot.gltf",
    action: "The path is kept. Embed the images (`--embed`, or a `.glb`), write the output to the \
input's folder, or read it with `--root FOLDER`.",
};

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

pub(crate) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Returns the chunks of a PNG file: the type and all bytes of each chunk (PNG specification,
/// section 5.3). Stops at the first chunk that is cut off; empty for other files.
pub fn png_chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = bytes.strip_prefix(PNG).unwrap_or_default();
    std::iter::from_fn(move || {
        let length = usize::try_from(u32::from_be_bytes(*rest.first_chunk()?)).ok()?;
        // The length, the type and the checksum take up four bytes each.
        let (chunk, after) = rest.split_at_checked(length.checked_add(12)?)?;
        rest = after;
        Some((chunk.get(4..8)?, chunk))
    })
}

/// The maximum number of chunks before the pixels that are examined, each time that a material
/// uses the image.
const MOST_CHUNKS: usize = 64;

/// Returns the chunks of a PNG file before its pixels.
pub(crate) fn before_pixels(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    png_chunks(bytes).take_while(|(kind, _)| *kind != b"IDAT").take(MOST_CHUNKS)
}

/// Returns whether a PNG file has an alpha channel or transparent colours (PNG specification,
/// sections 11.2.2 and 11.3.2.1). JPEG files have none.
pub(crate) fn has_alpha(bytes: &[u8]) -> bool {
    const WITH_ALPHA: [u8; 2] = [4, 6];
    // Both chunks come before the pixels.
    before_pixels(bytes).any(|(kind, chunk)| match kind {
        // The length, the type, width and height, and the bit depth come before the colour type.
        b"IHDR" => chunk.get(17).is_some_and(|color| WITH_ALPHA.contains(color)),
        kind => kind == b"tRNS",
    })
}

/// Whether two image files have the same content. Chunks of PNG files that glTF readers ignore,
/// such as colour profiles, are not compared. Pixels are not decoded.
pub(crate) fn have_same_pixels(a: &[u8], b: &[u8]) -> bool {
    // Critical chunks have a capital first letter; `tRNS` is the transparency.
    let is_shown = |(kind, _): &(&[u8], &[u8])| {
        kind.first().is_some_and(u8::is_ascii_uppercase) || *kind == b"tRNS"
    };
    let [x, y] = [a, b].map(|bytes| png_chunks(bytes).filter(is_shown));
    a == b || is_complete_png(a) && is_complete_png(b) && x.eq(y)
}

fn is_complete_png(bytes: &[u8]) -> bool {
    png_chunks(bytes).any(|(kind, _)| kind == b"IEND")
}

/// Returns whether a PNG or JPEG file is complete, judging by its end marker. Its content is not
/// decoded.
pub fn is_complete_image(bytes: &[u8]) -> bool {
    if bytes.starts_with(PNG) { is_complete_png(bytes) } else { ends_jpeg(bytes) }
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

    #[test]
    fn ignored_chunks_do_not_change_the_pixels() {
        let file = |extra: &[u8], data: &[u8; 4]| {
            let start = b"\0\0\0\x04IHDRsize\0\0\0\0";
            let data = [&b"\0\0\0\x04IDAT"[..], data, b"\0\0\0\0"].concat();
            [PNG, start, extra, &data, b"\0\0\0\0IEND\xae\x42\x60\x82"].concat()
        };
        let plain = file(b"", b"data");
        let gamma = file(b"\0\0\0\x04gAMA\0\0\xb1\x8f\0\0\0\0", b"data");
        let transparent = file(b"\0\0\0\x02tRNS\0\0\0\0\0\0", b"data");
        assert!(have_same_pixels(&plain, &plain) && have_same_pixels(&plain, &gamma));
        for other in [&file(b"", b"Data"), &transparent, &plain[..plain.len() - 9].to_vec()] {
            assert!(!have_same_pixels(&gamma, other));
        }
    }

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
