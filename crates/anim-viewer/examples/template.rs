//! Writes the page without a file, `template PAGE.html`, and prints the hashes of its script and
//! style, by which a Content Security Policy can allow them and nothing else.

use std::{env, fs, io};

use anim_viewer::template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

fn main() -> io::Result<()> {
    let page = template();
    for path in env::args_os().skip(1) {
        fs::write(path, &page)?;
    }
    for (name, start, end) in
        [("script", "<script type=\"module\">", "</script>"), ("style", "<style>", "</style>")]
    {
        let text = page.split_once(start).and_then(|(_, rest)| rest.split_once(end));
        let text = text.map_or("", |(text, _)| text);
        println!("{name} sha256-{}", STANDARD.encode(Sha256::digest(text)));
    }
    Ok(())
}
