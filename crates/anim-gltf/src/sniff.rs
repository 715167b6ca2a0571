//! Detection of glTF files by content.

use anim_ir::encoding::text_start;
use anim_ir::{Confidence, Sniff};

use crate::glb::is_glb;

/// Detects glTF files from their first bytes.
pub fn sniff(bytes: &[u8]) -> Sniff {
    /// Number of bytes to search for `asset` and `version`, which are required in every file.
    const HEAD: usize = 1 << 16;
    if is_glb(bytes) {
        return Sniff::new(Confidence::Certain, "it starts with `glTF`");
    }
    let text = bytes.get(text_start(bytes)..).unwrap_or_default().trim_ascii_start();
    let head = text.get(..HEAD).unwrap_or(text);
    let asset = head.starts_with(b"{")
        && head.windows(7).any(|word| word == b"\"asset\"")
        && head.windows(9).any(|word| word == b"\"version\"");
    match (asset, head.starts_with(b"{")) {
        (true, _) => Sniff::new(Confidence::Likely, "it is JSON with `asset` and `version`"),
        (false, true) if text.len() > HEAD => {
            Sniff::new(Confidence::Possible, "it starts like JSON")
        }
        (false, _) => Sniff::new(Confidence::No, "neither a GLB nor JSON with `asset`"),
    }
}
