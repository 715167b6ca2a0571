//! Cleans PNG files for glTF: removes colour profiles, non-square pixel sizes and animation, which
//! readers must ignore and the validator warns about (glTF 2.0, 3.8.3).

use anim_ir::png_chunks;

/// The PNG signature.
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Chunks with colour space information, pixel dimensions or animation frames (PNG, third edition,
/// 11.3).
const LEFT_OUT: [&[u8; 4]; 9] =
    [b"iCCP", b"cHRM", b"gAMA", b"sRGB", b"cICP", b"pHYs", b"acTL", b"fcTL", b"fdAT"];

/// The gamma of sRGB in `gAMA`, and its white point and primaries in `cHRM` (PNG, third edition,
/// 11.3.2.5).
const SRGB_GAMMA: [u8; 4] = 45_455_u32.to_be_bytes();
const SRGB_COLORS: [u32; 8] = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];

/// Whether a PNG file has another colour space than sRGB, animation or non-square pixels, which the
/// validator warns about. Does not decode pixels.
pub(crate) fn is_odd(bytes: &[u8]) -> bool {
    for (kind, chunk) in png_chunks(bytes) {
        match kind {
            b"iCCP" | b"acTL" => return true,
            b"gAMA" if chunk.get(8..12) != Some(&SRGB_GAMMA) => return true,
            b"cHRM"
                if chunk.get(8..40) != Some(SRGB_COLORS.map(u32::to_be_bytes).as_flattened()) =>
            {
                return true;
            }
            b"pHYs" if chunk.get(8..12) != chunk.get(12..16) => return true,
            b"IDAT" | b"IEND" => return false,
            _ => {}
        }
    }
    false
}

/// Removes the chunks that glTF readers ignore. The first invalid chunk and everything after it
/// are kept.
pub(crate) fn cleaned(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    out.extend_from_slice(&SIGNATURE);
    let mut read = SIGNATURE.len();
    for (kind, chunk) in png_chunks(bytes) {
        read = read.saturating_add(chunk.len());
        if !LEFT_OUT.iter().any(|left_out| left_out.as_slice() == kind) {
            out.extend_from_slice(chunk);
        }
    }
    out.extend_from_slice(bytes.get(read..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
        // `cleaned` does not verify checksums.
        [&u32::try_from(data.len()).unwrap().to_be_bytes()[..], kind, data, b"sum!"].concat()
    }

    #[test]
    fn ignored_chunks_are_removed() {
        let pixels = [chunk(b"IDAT", b"pixels"), chunk(b"IEND", b"")].concat();
        let with =
            |extra: &[u8]| [&SIGNATURE[..], &chunk(b"IHDR", &[0; 13]), extra, &pixels].concat();
        let square = chunk(b"pHYs", &[0, 0, 1, 0, 0, 0, 1, 0, 1]);
        let flat = chunk(b"pHYs", &[0, 0, 1, 0, 0, 0, 2, 0, 1]);
        let (profile, text) = (chunk(b"iCCP", b"a profile"), chunk(b"tEXt", b"a text"));
        let gamma = |gamma: u32| chunk(b"gAMA", &gamma.to_be_bytes());
        let colors = |white: u32| {
            let colors = [white, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];
            chunk(b"cHRM", colors.map(u32::to_be_bytes).as_flattened())
        };
        for (extra, odd) in [
            (&[][..], false),
            (&square, false),
            (&text, false),
            (&gamma(45_455), false),
            (&colors(31_270), false),
            (&flat, true),
            (&profile, true),
            (&gamma(100_000), true),
            (&colors(31_271), true),
        ] {
            let bytes = with(&[&text, extra].concat());
            assert_eq!(is_odd(&bytes), odd);
            if odd {
                assert_eq!(cleaned(&bytes), with(&text));
            }
        }
        let cut = with(&profile);
        for length in 0..cut.len() {
            let _ = (is_odd(&cut[..length]), cleaned(&cut[..length]));
        }
    }
}
