//! Paths as URIs.

/// A relative path as a URI reference (RFC 3986): all but unreserved characters and `/` is
/// percent-encoded, colons too, so that a drive letter is never taken for a scheme.
pub(crate) fn percent_encode(path: &str) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let digit =
                |value: u8| char::from(HEX.get(usize::from(value)).copied().unwrap_or(b'0'));
            out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::percent_encode;

    #[test]
    fn everything_but_the_unreserved() {
        assert_eq!(percent_encode("textures/wood-1_a.~png"), "textures/wood-1_a.~png");
        assert_eq!(percent_encode("a b#c?d%é:\\"), "a%20b%23c%3Fd%25%C3%A9%3A%5C");
    }
}
