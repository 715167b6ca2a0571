//! URIs: relative paths (RFC 3986) and data URIs (RFC 2397).

use anim_ir::address::{is_data, percent_decoded};
use base64::Engine as _;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::engine::{DecodePaddingMode, general_purpose};
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

/// The content of a data URI (RFC 2397); `None` for any other URI.
pub(crate) fn data_uri(uri: &str) -> Option<Result<Vec<u8>, String>> {
    // Padding is often omitted.
    const LENIENT: GeneralPurposeConfig =
        general_purpose::PAD.with_decode_padding_mode(DecodePaddingMode::Indifferent);
    const BASE64: GeneralPurpose = GeneralPurpose::new(&base64::alphabet::STANDARD, LENIENT);
    let (_, rest) = uri.split_once(':').filter(|_| is_data(uri))?;
    let Some((head, payload)) = rest.split_once(',') else {
        return Some(Err("a data URI without a comma".to_owned()));
    };
    // Skip the media type; the content is more reliable.
    let mut parameters = head.split(';').skip(1);
    let decoded = percent_decoded(payload);
    if !parameters.any(|parameter| parameter.eq_ignore_ascii_case("base64")) {
        return Some(Ok(decoded.into_owned()));
    }
    Some(BASE64.decode(decoded).map_err(|error| format!("invalid base64: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_except_unreserved_characters_is_encoded() {
        assert_eq!(percent_encode("textures/wood-1_a.~png"), "textures/wood-1_a.~png");
        assert_eq!(percent_encode("a b#c?d%é:\\"), "a%20b%23c%3Fd%25%C3%A9%3A%5C");
    }

    #[test]
    fn data_uris() {
        let decoded = |uri| data_uri(uri).map(|found| found.ok());
        assert_eq!(decoded("data:application/octet-stream;base64,AAEC"), Some(Some(vec![0, 1, 2])));
        assert_eq!(decoded("DATA:;charset=x;BASE64,AA"), Some(Some(vec![0])));
        assert_eq!(decoded("data:,a%20b"), Some(Some(b"a b".to_vec())));
        assert_eq!(
            (decoded("data:;base64,!"), decoded("data:AA"), decoded("a.bin")),
            (Some(None), Some(None), None)
        );
    }
}
