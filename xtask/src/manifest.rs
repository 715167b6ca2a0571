//! What is known of files beforehand.
//!
//! Two kinds of tables stand beside files: `EXPECTED.tsv` says how bad the worst problem of a file is (`error`, `warning`, `ok`), and
//! `INVENTORY.tsv` of a collection says which dialect a file is in. Both have a heading with the names of their columns.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anim_formats::anim_ir::Severity;

use crate::Failure;

/// What a table says of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Expected {
    /// The worst severity; notes do not count.
    severity: Option<Option<Severity>>,
    /// The dialect in the words of the inventory.
    dialect: Option<String>,
}

/// What became of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// The worst severity; an error where nothing could be read.
    pub(crate) worst: Option<Severity>,
    pub(crate) dialect: Option<&'static str>,
    /// Nothing in it moves.
    pub(crate) is_static: bool,
}

impl Expected {
    /// Where the file is not what the tables say.
    pub(crate) fn compare(&self, found: Found) -> Vec<String> {
        let mut differences = Vec::new();
        let name = |severity: Option<Severity>| severity.map_or("no problem", Severity::name);
        if let Some(expected) = self.severity {
            let worst = found.worst.filter(|severity| *severity > Severity::Note);
            if worst != expected {
                differences.push(format!("expected {} as the worst, found {}", name(expected), name(worst)));
            }
        }
        if let Some(text) = &self.dialect {
            match dialects(text, found.is_static) {
                None => differences.push(format!("the inventory's dialect `{text}` is not understood")),
                Some(allowed) if found.dialect.is_some_and(|dialect| allowed.contains(&dialect)) => {}
                Some(allowed) => differences.push(format!("expected {}, found {}", allowed.join(" or "), found.dialect.unwrap_or("no dialect"))),
            }
        }
        differences
    }
}

/// The dialects that an inventory's words stand for.
fn dialects(text: &str, is_static: bool) -> Option<Vec<&'static str>> {
    let names: [(&str, &'static str); 6] =
        [("D0", "extobj"), ("D1e", "editamo"), ("D1", "spec"), ("D2", "lines"), ("D3", "counted"), ("plain OBJ", "spec")];
    let text = text.strip_prefix("HND+").unwrap_or(text);
    let (_, name) = names.into_iter().find(|(word, _)| text.starts_with(word))?;
    // Without keys and rest matrices there is nothing that only this dialect has.
    Some(if name == "lines" && is_static { vec![name, "spec"] } else { vec![name] })
}

/// The tables of folders.
#[derive(Debug, Default)]
pub(crate) struct Manifests {
    of: HashMap<PathBuf, Expected>,
}

impl Manifests {
    /// Reads one where a file is one.
    pub(crate) fn add(&mut self, path: &Path) -> Result<(), Failure> {
        let column = match path.file_name().and_then(|name| name.to_str()) {
            Some("EXPECTED.tsv") => "severity",
            Some("INVENTORY.tsv") => "dialect",
            _ => return Ok(()),
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        for [file, value] in
            columns(&fs::read_to_string(path)?, ["file", column]).ok_or_else(|| format!("{}: no columns file and {column}", path.display()))?
        {
            // Names are relative to the folder of the table, or to the one above.
            let places = [Some(folder), folder.parent()].into_iter().flatten().map(|folder| folder.join(&file));
            let place = places.into_iter().find(|place| place.is_file()).ok_or_else(|| format!("{}: there is no {file}", path.display()))?;
            let expected = self.of.entry(place).or_default();
            if column == "dialect" {
                expected.dialect = Some(value);
            } else {
                expected.severity = Some(match value.as_str() {
                    "error" => Some(Severity::Error),
                    "warning" => Some(Severity::Warning),
                    "ok" => None,
                    _ => return Err(format!("{}: `{value}` of {file} is no severity", path.display()).into()),
                });
            }
        }
        Ok(())
    }

    /// What is known of a file.
    pub(crate) fn of(&self, path: &Path) -> Option<&Expected> {
        self.of.get(path)
    }
}

/// Two columns of a table by their names.
fn columns(text: &str, names: [&str; 2]) -> Option<Vec<[String; 2]>> {
    let mut lines = text.lines();
    let heading: Vec<&str> = lines.next()?.split('\t').collect();
    let [first, second] = names.map(|name| heading.iter().position(|column| *column == name));
    let (first, second) = (first?, second?);
    let rows = lines.filter(|line| !line.trim().is_empty()).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        [first, second].map(|column| fields.get(column).map_or(String::new(), |field| (*field).to_owned()))
    });
    Some(rows.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_inventory() {
        let of = |text: &str, is_static| dialects(text, is_static).map(|names| names.join(" "));
        let texts = ["D0 extobj 0-based", "D1e editamo", "D1 spec", "D2 Vasall lines k1", "HND+D2", "HND+D3", "plain OBJ in .amo", "D9"];
        let names = ["extobj", "editamo", "spec", "lines", "lines", "counted", "spec"].map(|name| Some(name.to_owned()));
        assert_eq!(texts.map(|text| of(text, false))[..7], names);
        assert_eq!((of("D9", false), of("D2 Vasall lines", true)), (None, Some("lines spec".to_owned())));
    }

    #[test]
    fn files_against_their_tables() {
        let expected = Expected { severity: Some(None), dialect: Some("D1 spec".to_owned()) };
        let found = Found { worst: Some(Severity::Note), dialect: Some("spec"), is_static: false };
        assert!(expected.compare(found).is_empty(), "notes are fine");
        let found = Found { worst: Some(Severity::Error), dialect: Some("lines"), ..found };
        assert_eq!(expected.compare(found), ["expected no problem as the worst, found error", "expected spec, found lines"]);
    }

    #[test]
    fn tables_by_the_names_of_their_columns() {
        let rows = columns("bytes\tfile\tdialect\n1\ta.amo\tD1\n\n2\tb.amo\n", ["file", "dialect"]).unwrap();
        assert_eq!(rows, [["a.amo", "D1"], ["b.amo", ""]]);
        assert_eq!(columns("file\n", ["file", "dialect"]), None);
    }
}
