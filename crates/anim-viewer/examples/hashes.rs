//! Prints the hashes of the script and the style of every page, by which a Content Security Policy
//! can allow them and nothing else.

use anim_viewer::{PageInfo, html};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

fn main() {
    let page = html(&PageInfo { files: Vec::new(), watch: false, up: "Y" }, std::iter::empty());
    let page = String::from_utf8(page.unwrap_or_default()).unwrap_or_default();
    for (name, start, end) in
        [("script", "<script type=\"module\">", "</script>"), ("style", "<style>", "</style>")]
    {
        let text = page.split_once(start).and_then(|(_, rest)| rest.split_once(end));
        let text = text.map_or("", |(text, _)| text);
        println!("{name} sha256-{}", STANDARD.encode(Sha256::digest(text)));
    }
}
