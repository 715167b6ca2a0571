//! Generates docs/schemas.md: the schemas of the program's JSON output.

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;
use xtask::{Failure, files_below, root};

const FOLDER: &str = "crates/anim-cli/schemas";
const HEAD: &str = "\
<!-- Written by `cargo xtask codegen`. -->

# JSON schemas

The `schema` field of `--json` output identifies its schema. New fields may be added to a version;
removing or changing a field requires a new version.

| output | version | description |
|---|---|---|
";

pub(super) fn page() -> Result<String, Failure> {
    let mut out = HEAD.to_owned();
    for file in files_below(&root().join(FOLDER))? {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let schema: Value = serde_json::from_str(&fs::read_to_string(&file)?)?;
        let text = |field: &str| {
            schema.get(field).and_then(Value::as_str).ok_or_else(|| format!("{name}: no `{field}`"))
        };
        let (title, id, what) = (text("title")?, text("$id")?, text("description")?);
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "| [`{title}`](../{FOLDER}/{name}) | `{id}` | {what} |");
    }
    Ok(out)
}
