//! URI references as relative paths, and back (RFC 3986).

use anim_ir::address::percent_decoded;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Characters to encode: all except unreserved characters and the slash. The colon is encoded
/// because a drive letter could be mistaken for a scheme.
const RESERVED: AsciiSet =
    NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// Converts a relative path to a URI reference.
pub(crate) fn percent_encode(path: &str) -> String {
    utf8_percent_encode(path, &RESERVED).to_string()
}

/// Converts a URI reference to a path.
pub(crate) fn path_of(uri: &str) -> Result<String, String> {
    String::from_utf8(percent_decoded(uri).into_owned()).map_err(|_| "not valid UTF-8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_except_unreserved_characters_is_encoded() {
        assert_eq!(percent_encode("textures/wood-1_a.~png"), "textures/wood-1_a.~png");
        assert_eq!(percent_encode("a b#c?d%é:\\"), "a%20b%23c%3Fd%25%C3%A9%3A%5C");
    }
}
