//! URI references (RFC 3986) to other files, relative to a folder.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{self, GeneralPurpose, GeneralPurposeConfig};

use crate::ResolveError;
use crate::file::diag::quote;

/// The characters that need no percent-encoding in the names of files, besides letters and digits.
const IN_PATHS: &str = "-._~!$&'()*+,;=@";

/// Returns the scheme of a URI, such as `http` or `data`.
fn scheme(address: &str) -> Option<&str> {
    let (scheme, _) = address.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    is_scheme.then_some(scheme)
}

/// Whether a URI reference is a `data:` URI (RFC 2397), which contains the data itself.
pub fn is_data(address: &str) -> bool {
    scheme(address).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data"))
}

/// Returns the part of a `castle-data:` URI after the scheme and slashes: the path of a file below
/// the folder `data` of a Castle Game Engine project. Returns `None` for any other URI reference.
pub fn castle_data(address: &str) -> Option<&str> {
    let (scheme, path) = address.split_once(':')?;
    scheme.eq_ignore_ascii_case("castle-data").then(|| path.trim_start_matches('/'))
}

/// Returns the content of a `data:` URI (RFC 2397), ignoring its media type, or `None` for any
/// other URI reference. Base64 data may lack padding and may contain whitespace.
pub fn data(address: &str) -> Option<Result<Vec<u8>, ResolveError>> {
    const LENIENT: GeneralPurposeConfig =
        general_purpose::PAD.with_decode_padding_mode(DecodePaddingMode::Indifferent);
    const BASE64: GeneralPurpose = GeneralPurpose::new(&base64::alphabet::STANDARD, LENIENT);
    let (_, rest) = address.split_once(':').filter(|_| is_data(address))?;
    let Some((head, content)) = rest.split_once(',') else {
        let why = "the `data:` URI has no comma before its data";
        return Some(Err(ResolveError::Unsupported(why.into())));
    };
    let mut parameters = head.split(';').skip(1);
    if !parameters.any(|parameter| parameter.eq_ignore_ascii_case("base64")) {
        return Some(Ok(percent_decoded(content).into_owned()));
    }
    // Nearly all data has neither whitespace nor percent-encoding.
    if let Ok(decoded) = BASE64.decode(content) {
        return Some(Ok(decoded));
    }
    let mut bytes = percent_decoded(content).into_owned();
    bytes.retain(|byte| !byte.is_ascii_whitespace());
    let decoded = BASE64.decode(bytes);
    Some(decoded.map_err(|_| ResolveError::Unsupported("its base64 data is invalid".into())))
}

/// Joins a folder and a relative URI reference, removing empty segments and `.`, and resolving `..`
/// where possible. A reference with a scheme or an absolute path is returned as written. Whitespace
/// around the reference is removed.
pub fn join(folder: &str, address: &str) -> String {
    let address = address.trim();
    if scheme(address).is_some() || address.starts_with(['/', '\\']) {
        return address.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(address.split('/')) {
        match part {
            "" | "." => {}
            // A scheme is not a folder.
            ".." if parts.last().is_some_and(|last| *last != ".." && !last.ends_with(':')) => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts.join("/")
}

/// Returns the folder part of a URI reference, or an empty string if it has none.
pub fn folder_of(address: &str) -> &str {
    if is_data(address) { "" } else { address.rsplit_once('/').map_or("", |(folder, _)| folder) }
}

/// Converts a URI reference to a path relative to the file, with forward slashes and with
/// percent-encoding decoded. The path may still contain `../`. Whether to follow it is up to the
/// [`Resolver`](crate::Resolver).
///
/// # Errors
///
/// Returns [`ResolveError::Unsupported`] if the reference is not a relative path with forward
/// slashes, is not valid UTF-8 when decoded, or contains a null byte.
pub fn relative_path(address: &str) -> Result<String, ResolveError> {
    let unsupported = |why: String| Err(ResolveError::Unsupported(why.into()));
    // A single letter is a Windows drive letter.
    if let Some(scheme) = scheme(address).filter(|scheme| scheme.len() > 1) {
        let scheme = quote(format!("{scheme}:").as_bytes());
        return unsupported(format!(
            "only local files are supported, not {scheme} URIs; put the file next to this one"
        ));
    }
    let Ok(path) = String::from_utf8(percent_decoded(address).into_owned()) else {
        return unsupported("its URI is not valid UTF-8".to_owned());
    };
    if path.contains('\0') {
        return unsupported("its URI contains a null byte".to_owned());
    }
    if path.contains('\\') || path.starts_with('/') || matches!(path.as_bytes(), [_, b':', ..]) {
        return unsupported("only relative paths with forward slashes are supported".to_owned());
    }
    Ok(path)
}

/// Returns a relative URI reference to a file in the same folder. Percent-encodes the characters
/// that a path must not contain (RFC 3986, section 3.3), and the colon, before which a name would
/// be a scheme. Characters other than ASCII stay readable (RFC 3987).
pub fn of_file(file: &str) -> String {
    let is_allowed = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || IN_PATHS.contains(c);
    let mut address = String::with_capacity(file.len());
    for c in file.chars() {
        if is_allowed(c) {
            address.push(c);
        } else {
            address.push_str(&format!("%{:02X}", u32::from(c)));
        }
    }
    address
}

/// Decodes percent-encoding, such as `%41` to `A` (RFC 3986, section 2.1). A percent sign that is
/// not followed by two hexadecimal digits is kept.
pub fn percent_decoded(address: &str) -> Cow<'_, [u8]> {
    if !address.contains('%') {
        return Cow::Borrowed(address.as_bytes());
    }
    let mut out = Vec::with_capacity(address.len());
    let mut rest = address.as_bytes();
    while let [byte, tail @ ..] = rest {
        let escaped = match rest {
            [b'%', high, low, ..] => digit(*high).zip(digit(*low)),
            _ => None,
        };
        match escaped {
            Some((high, low)) => {
                out.push(high << 4 | low);
                rest = rest.get(3..).unwrap_or_default();
            }
            None => {
                out.push(*byte);
                rest = tail;
            }
        }
    }
    Cow::Owned(out)
}

fn digit(hexadecimal: u8) -> Option<u8> {
    char::from(hexadecimal).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_of_data_uris() {
        let decoded = |uri| data(uri).map(|found| found.ok());
        assert_eq!(decoded("data:application/octet-stream;base64,AAEC"), Some(Some(vec![0, 1, 2])));
        assert_eq!(decoded("DATA:;charset=x;BASE64,AA"), Some(Some(vec![0])));
        assert_eq!(decoded("data:;base64,AA\n%20EC"), Some(Some(vec![0, 1, 2])));
        assert_eq!(decoded("data:,a%20b"), Some(Some(b"a b".to_vec())));
        assert_eq!(decoded("data:base64,AAEC"), Some(Some(b"AAEC".to_vec())), "a media type");
        assert_eq!(
            (decoded("data:;base64,!"), decoded("data:AA"), decoded("a.bin")),
            (Some(None), Some(None), None)
        );
    }

    #[test]
    fn addresses_are_relative_to_a_folder() {
        assert_eq!(join("a/b", " c/d.wrl "), "a/b/c/d.wrl");
        assert_eq!(
            [("", "./a/../b"), ("x", "../../y"), ("x/y", ".././z")]
                .map(|(folder, address)| join(folder, address)),
            ["b", "../y", "x/z"]
        );
        for absolute in ["http://x/y", "data:,x", "/etc/passwd", "\\\\host", "C:\\x"] {
            assert_eq!(join("f", absolute), absolute);
        }
        assert_eq!(["a/b/c.wrl", "c.wrl", "data:a/b,c"].map(folder_of), ["a/b", "", ""]);
    }

    #[test]
    fn only_relative_paths_are_accepted() {
        let path = |address| relative_path(address).map_err(|error| error.to_string());
        assert_eq!(path("../a%20b/50%.png").as_deref(), Ok("../a b/50%.png"));
        assert_eq!(
            path("http://x/y").unwrap_err(),
            "only local files are supported, not `http:` URIs; put the file next to this one"
        );
        for address in ["/etc/passwd", "%2fetc", "a\\b", "C:/x", "c%3a/x", "a%00", "%ff"] {
            assert!(path(address).is_err(), "{address}");
        }
    }
}
