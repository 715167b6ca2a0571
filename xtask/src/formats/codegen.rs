//! `cargo xtask codegen`: generates the format tables in documents and schemas from the registry.

mod codes;
mod schemas;

use std::fmt::Write as _;
use std::fs;

use anim_formats::Format;
use anim_formats::anim_ir::format::options::{OptionInfo, OptionKind};

use xtask::{Failure, packages, root};

/// Writes outdated files. With `check`, reports them and fails instead.
pub(crate) fn run(check: bool) -> Result<bool, Failure> {
    let mut fresh = true;
    for (file, text) in files()? {
        let path = root().join(file);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        if check {
            eprintln!("error: {file} is out of date; run `cargo xtask codegen`");
            fresh = false;
        } else {
            fs::write(&path, text)?;
            println!("wrote {file}");
        }
    }
    Ok(fresh)
}

/// Returns all files with generated parts, with their up-to-date content.
fn files() -> Result<Vec<(&'static str, String)>, Failure> {
    let read = |file: &str| fs::read_to_string(root().join(file));
    let mut files = vec![
        ("README.md", replaced(&read("README.md")?, "formats", &formats())?),
        ("ARCHITECTURE.md", replaced(&read("ARCHITECTURE.md")?, "crates", &crates()?)?),
        ("docs/conversions.md", replaced(&read("docs/conversions.md")?, "options", &options())?),
        ("docs/codes.md", codes::page()),
        ("docs/schemas.md", schemas::page()?),
    ];
    for schema in [
        "crates/anim-cli/schemas/check.json",
        "crates/anim-cli/schemas/convert.json",
        "crates/anim-cli/schemas/fmt.json",
        "crates/anim-cli/schemas/info.json",
    ] {
        files.push((schema, with_formats(&read(schema)?)));
    }
    Ok(files)
}

/// Replaces the text between the markers with this name.
fn replaced(text: &str, name: &str, new: &str) -> Result<String, Failure> {
    let start = format!("<!-- {name}: written by `cargo xtask codegen` -->\n");
    let end = "<!-- end -->";
    let (before, rest) = text.split_once(&start).ok_or_else(|| format!("no marker `{start}`"))?;
    let (_, after) = rest.split_once(end).ok_or_else(|| format!("no `{end}` after {name}"))?;
    Ok(format!("{before}{start}\n{new}\n{end}{after}"))
}

/// Returns the table of formats for README.md.
fn formats() -> String {
    let mut out = String::from("| format | files | read | written |\n|---|---|---|---|\n");
    for format in Format::all() {
        let title = match format!("docs/{}.md", format.id()) {
            page if root().join(&page).is_file() => format!("[{}]({page})", format.title()),
            _ => format.title().to_owned(),
        };
        let mut extensions = format.info().extensions.to_vec();
        let more = format.written_extensions().iter().filter(|name| !extensions.contains(name));
        let more: Vec<&str> = more.copied().collect();
        extensions.extend(more);
        let extensions: Vec<String> = extensions.iter().map(|name| format!("`.{name}`")).collect();
        let dialects = match format.info().dialects {
            [] => String::new(),
            names => format!(": {}", names.join(", ")),
        };
        let (read, written) = (mark(format.can_read()), mark(format.can_write()));
        // Writing to a `String` cannot fail.
        let _ =
            writeln!(out, "| {title} | {} | {read}{dialects} | {written} |", extensions.join(", "));
    }
    out
}

const fn mark(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "–" }
}

/// Returns the table of crates for ARCHITECTURE.md.
fn crates() -> Result<String, Failure> {
    let mut packages = packages()?;
    packages.sort_by_key(|package| package.name.clone());
    let names: Vec<String> = packages.iter().map(|package| package.name.clone()).collect();
    let mut out = String::from("| crate | description | workspace dependencies |\n|---|---|---|\n");
    for package in &packages {
        let on: Vec<String> = package
            .dependencies
            .iter()
            .filter(|(name, for_tests)| !for_tests && names.contains(name))
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        let on = if on.is_empty() { "–".to_owned() } else { on.join(", ") };
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "| `{}` | {} | {on} |", package.name, package.description);
    }
    Ok(out)
}

/// Returns the table of options declared by the formats.
fn options() -> String {
    let mut out =
        String::from("| option | applies to | value | description |\n|---|---|---|---|\n");
    type Of = fn(Format) -> Vec<&'static OptionInfo>;
    let kinds: [(&str, Of); 3] = [
        ("", Format::parsing_options),
        ("reading ", Format::reading_options),
        ("writing ", Format::writing_options),
    ];
    for (kind, of) in kinds {
        for (option, formats) in Format::options(of) {
            let titles: Vec<&str> = formats.iter().map(|format| format.title()).collect();
            let default =
                option.default.map_or(String::new(), |value| format!("; `{value}` by default"));
            // Writing to a `String` cannot fail.
            let _ = writeln!(
                out,
                "| `--{}` | {kind}{} | {}{default} | {} |",
                option.name,
                titles.join(", "),
                value(option.kind),
                option.help
            );
        }
    }
    out
}

fn value(kind: OptionKind) -> String {
    match kind {
        OptionKind::Flag => "–".to_owned(),
        OptionKind::Choice(names) => format!("`{}`", names.join("`, `")),
        other => other.expected(),
    }
}

/// Updates the lists of formats in a schema. A list with a write-only format becomes the list of
/// writable formats; other lists become the list of readable formats.
fn with_formats(schema: &str) -> String {
    let mut out = String::new();
    let mut rest = schema;
    while let Some((before, list)) = rest.split_once("\"enum\": [") {
        let (items, after) = list.split_once(']').unwrap_or((list, ""));
        out.push_str(before);
        out.push_str("\"enum\": [");
        if items.contains("\"tmd-anm\"") {
            out.push_str(&listed(items));
        } else {
            out.push_str(items);
        }
        out.push(']');
        rest = after;
    }
    out.push_str(rest);
    out
}

fn listed(items: &str) -> String {
    let written = items.contains("\"mermaid\"");
    let formats: Vec<Format> =
        if written { Format::writable().collect() } else { Format::readable().collect() };
    // Keep the layout: one item per line, or all items on one line.
    let indent: String = items
        .strip_prefix('\n')
        .map_or(String::new(), |line| line.chars().take_while(|c| *c == ' ').collect());
    let close: String = items.rsplit_once('\n').map_or("", |(_, close)| close).to_owned();
    let between = if indent.is_empty() { ", ".to_owned() } else { format!(",\n{indent}") };
    let mut names: Vec<String> =
        formats.iter().map(|format| format!("\"{}\"", format.id())).collect();
    if items.contains("null") {
        names.push("null".to_owned());
    }
    let names = names.join(&between);
    if indent.is_empty() { names } else { format!("\n{indent}{names}\n{close}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_between_marks_is_replaced() {
        let text = "a\n<!-- x: written by `cargo xtask codegen` -->\nold\n<!-- end -->\nb\n";
        let new = replaced(text, "x", "new\n").unwrap();
        assert!(new.contains("\nnew\n") && !new.contains("old") && new.ends_with("b\n"));
        assert_eq!(replaced(&new, "x", "new\n").unwrap(), new);
        assert!(replaced(text, "y", "").is_err());
    }

    #[test]
    fn lists_of_schemas_keep_their_layout() {
        let schema = "{ \"enum\": [\"amo\", \"tmd-anm\", null], \"enum\": [\"a\"] }";
        let new = with_formats(schema);
        assert!(new.contains("\"tmd-anm\"") && new.contains(", null], \"enum\": [\"a\"] }"));
        assert_eq!(with_formats(&new), new);
        let lines = "{\n  \"enum\": [\n    \"mermaid\",\n    \"tmd-anm\"\n  ]\n}";
        let new = with_formats(lines);
        assert!(new.contains("[\n    \"amo\",\n") && new.ends_with("\"\n  ]\n}"), "{new}");
    }
}
