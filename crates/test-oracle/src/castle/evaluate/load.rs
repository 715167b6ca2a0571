//! Loads scenes from URLs.

use std::io::Read;

use super::nodes::Node;
use super::{classic, xml};

/// Returns the content of a file. Paths are relative to the animation file.
pub(super) type Files<'a> = &'a dyn Fn(&str) -> Vec<u8>;

/// Loads the scene at `url`, relative to the folder `base` ("" or ending with `/`).
pub(super) fn scene(url: &str, base: &str, files: Files<'_>) -> Node {
    if let Some(data) = url.strip_prefix("data:") {
        let (head, content) = data.split_once(',').expect("data after a comma");
        let content =
            if head.ends_with(";base64") { base64(content) } else { percent_decoded(content) };
        return scene_of_bytes(&content, base, files);
    }
    let path = joined(base, url);
    let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
    scene_of_bytes(&files(&path), folder, files)
}

/// Detects the kind of file from the content; the extension is ignored.
fn scene_of_bytes(bytes: &[u8], base: &str, files: Files<'_>) -> Node {
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut content = Vec::new();
        flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut content).expect("gzip");
        return scene_of_bytes(&content, base, files);
    }
    let text = decode(bytes);
    let inlined = &|url: &str| scene(url, base, files);
    if text.starts_with("#VRML V1.0") {
        classic::scene(&text, true, base, inlined)
    } else if text.starts_with("#VRML V2.0") || text.starts_with("#X3D") {
        classic::scene(&text, false, base, inlined)
    } else {
        xml::scene(xml_document(&text).root_element(), base, inlined)
    }
}

/// Parses XML. A DOCTYPE is allowed and ignored.
pub(super) fn xml_document(text: &str) -> roxmltree::Document<'_> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    roxmltree::Document::parse_with_options(text, options).expect("well-formed XML")
}

/// Decodes UTF-16 with a BOM, UTF-8, or any other text as Latin-1, and removes the BOM.
pub(super) fn decode(bytes: &[u8]) -> String {
    let utf16 = |unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> =
            bytes[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        String::from_utf16(&units).expect("UTF-16")
    };
    match bytes {
        [0xfe, 0xff, ..] => utf16(u16::from_be_bytes),
        [0xff, 0xfe, ..] => utf16(u16::from_le_bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
            Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
        },
    }
}

/// Resolves a URL relative to the folder `base` to a path.
fn joined(base: &str, url: &str) -> String {
    let url = String::from_utf8(percent_decoded(url)).expect("a path in UTF-8");
    let mut parts = Vec::new();
    let path = format!("{base}{url}");
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if !matches!(parts.last(), None | Some(&"..")) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let mut decoded = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let hex = behind
            .get(..2)
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        match hex {
            Some(value) if byte == b'%' => {
                decoded.push(value);
                rest = &behind[2..];
            }
            _ => {
                decoded.push(byte);
                rest = behind;
            }
        }
    }
    decoded
}

fn base64(text: &str) -> Vec<u8> {
    let sextet = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => panic!("not base64"),
    };
    let (mut bits, mut count, mut bytes) = (0u32, 0, Vec::new());
    for c in text.bytes().filter(|c| !c.is_ascii_whitespace() && *c != b'=') {
        bits = (bits << 6 | u32::from(sextet(c))) & 0xff_ffff;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_joined_with_the_folder_of_their_file() {
        assert_eq!(joined("", "a.x3d"), "a.x3d");
        assert_eq!(joined("sub/", "./a%20b.x3d"), "sub/a b.x3d");
        assert_eq!(joined("sub/deep/", "../a.x3d"), "sub/a.x3d");
        assert_eq!(joined("", "../a.x3d"), "../a.x3d");
        assert_eq!(joined("../b/", "../../a.x3d"), "../../a.x3d");
        assert_eq!(joined("", "100%.x3d"), "100%.x3d");
    }

    #[test]
    fn base64_is_decoded_with_any_padding() {
        assert_eq!(base64("TQ=="), b"M");
        assert_eq!(base64("TWE="), b"Ma");
        assert_eq!(base64("TWFu+/8="), b"Man\xfb\xff");
    }

    #[test]
    fn encodings_are_distinguished() {
        assert_eq!(decode(b"\xef\xbb\xbf<a/>"), "<a/>");
        assert_eq!(decode(b"\xff\xfe<\0a\0"), "<a");
        assert_eq!(decode(b"\xfe\xff\0<\0a"), "<a");
        assert_eq!(decode(b"\xe9"), "\u{e9}");
    }
}
