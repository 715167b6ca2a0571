//! From urls to scenes.

use std::io::Read;

use super::nodes::Node;
use super::{classic, xml};

/// Gives the content of a file by its path relative to the animation file.
pub(super) type Files<'a> = &'a dyn Fn(&str) -> Vec<u8>;

/// The scene at `url`, which stands in a file of the folder `base` ("" or ending with `/`).
pub(super) fn scene(url: &str, base: &str, files: Files<'_>) -> Node {
    let path = joined(base, url);
    let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
    scene_of_bytes(&files(&path), folder, files)
}

/// What kind of file it is stands at its start, so no extension is asked.
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

/// Parses XML; a DOCTYPE is allowed and never followed.
pub(super) fn xml_document(text: &str) -> roxmltree::Document<'_> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    roxmltree::Document::parse_with_options(text, options).expect("well-formed XML")
}

/// UTF-8 without BOM.
pub(super) fn decode(bytes: &[u8]) -> String {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    text.trim_start_matches('\u{feff}').to_owned()
}

/// The path that a url means in a file of the folder `base`.
fn joined(base: &str, url: &str) -> String {
    // No other character is escaped.
    let url = url.replace("%20", " ");
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
}
