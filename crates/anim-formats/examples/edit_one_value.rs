//! Changes one value of a file and nothing else: comments, order and spelling are kept.
//!
//! `cargo run -p anim-formats --example edit_one_value [FILE.amo]`

use anim_formats::amo::{Document, KeyValue};

/// The default file.
pub(crate) const DEFAULT: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/cookbook/reed.amo");

/// Prints the changed line and returns the whole file.
pub(crate) fn run(path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let bytes = std::fs::read(path)?;
    let mut document = Document::parse(&bytes)?.value;
    assert_eq!(*document.to_bytes(), *bytes); // unedited: byte for byte

    let is_place = |value: &KeyValue| matches!(value, KeyValue::Position(_));
    let keys = &document.animations().first().ok_or("the file has no animation")?.keys;
    let key = keys.iter().position(|key| is_place(&key.value)).ok_or("no position key")?;
    document.set_key(0, key, KeyValue::Position([0.0, 0.25, 0.0]))?;

    let (before, after) = (String::from_utf8(bytes.clone())?, document.to_bytes().into_owned());
    let after = String::from_utf8(after)?;
    for (number, (before, after)) in before.lines().zip(after.lines()).enumerate() {
        if before != after {
            println!("line {}:\n- {before}\n+ {after}", number + 1);
        }
    }
    Ok(after) // ready to be written
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run(&std::env::args().nth(1).unwrap_or_else(|| DEFAULT.to_owned())).map(drop)
}
