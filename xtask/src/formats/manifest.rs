//! Reads and checks expectations about files.
//!
//! `EXPECTED.tsv` lists the highest severity of each file in its folder (`refused`, `error`,
//! `warning`, `note`, `ok`), and the `INVENTORY.tsv` of a collection lists the dialect of each
//! file. Both start with a header row. In a folder named after a format, the files in a table are
//! read as that format instead of being detected, unless they have another format's extension.
//!
//! A file with companion files has two severities: that of the file alone, in the column
//! `severity`, and that including its companion files, in the column `loaded`. Without the column
//! `loaded`, `severity` is that of the file alone. For X3D and glTF, whose geometry is checked
//! during the conversion to a scene, it also includes that conversion.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anim_formats::Format;
use anim_formats::anim_ir::Severity;

use xtask::Failure;

/// The formats whose geometry is checked during the conversion to a scene.
const LOOKED_INTO: [&str; 2] = ["x3d", "gltf"];

/// The expectations for a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Expected {
    /// The format to read the file as.
    pub(crate) format: Option<Format>,
    /// The highest severity of the file alone, ignoring notes.
    severity: Option<Option<Severity>>,
    /// The highest severity including the companion files.
    loaded: Option<Option<Severity>>,
    /// The dialect, as listed in the inventory.
    dialect: Option<String>,
}

/// The result of reading a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// The highest severity of the file alone; an error if the file cannot be read.
    pub(crate) worst: Option<Severity>,
    /// The highest severity including the companion files.
    pub(crate) loaded: Option<Severity>,
    pub(crate) dialect: Option<&'static str>,
    /// Whether the file has no animation.
    pub(crate) is_static: bool,
}

impl Expected {
    /// Returns the differences between the file and the tables.
    pub(crate) fn compare(&self, found: Found) -> Vec<String> {
        let mut differences = Vec::new();
        let name = |severity: Option<Severity>| severity.map_or("no problem", Severity::name);
        for (expected, worst, when) in
            [(self.severity, found.worst, ""), (self.loaded, found.loaded, ", once loaded")]
        {
            let worst = worst.filter(|severity| *severity > Severity::Note);
            if let Some(expected) = expected.filter(|expected| worst != *expected) {
                differences.push(format!(
                    "expected {} as the highest severity, found {}{when}",
                    name(expected),
                    name(worst)
                ));
            }
        }
        if let Some(text) = &self.dialect {
            match dialects(text, found.is_static) {
                None => differences.push(format!("unknown dialect `{text}` in the inventory")),
                Some(allowed)
                    if found.dialect.is_some_and(|dialect| allowed.contains(&dialect)) => {}
                Some(allowed) => differences.push(format!(
                    "expected {}, found {}",
                    allowed.join(" or "),
                    found.dialect.unwrap_or("no dialect")
                )),
            }
        }
        differences
    }
}

/// Returns the dialects that match an inventory entry.
fn dialects(text: &str, is_static: bool) -> Option<Vec<&'static str>> {
    let names: [(&str, &'static str); 6] = [
        ("D0", "extobj"),
        ("D1e", "editamo"),
        ("D1", "spec"),
        ("D2", "lines"),
        ("D3", "counted"),
        ("plain OBJ", "spec"),
    ];
    let text = text.strip_prefix("HND+").unwrap_or(text);
    let (_, name) = names.into_iter().find(|(word, _)| text.starts_with(word))?;
    // A file without keys and rest matrices has no features specific to this dialect.
    Some(if name == "lines" && is_static { vec![name, "spec"] } else { vec![name] })
}

/// The tables of all folders.
#[derive(Debug, Default)]
pub(crate) struct Manifests {
    of: HashMap<PathBuf, Expected>,
}

impl Manifests {
    /// Reads the expectations in a file if it is a table.
    pub(crate) fn add(&mut self, path: &Path) -> Result<(), Failure> {
        let wanted: &[&str] = match path.file_name().and_then(OsStr::to_str) {
            Some("EXPECTED.tsv") => &["severity", "loaded"],
            Some("INVENTORY.tsv") => &["dialect"],
            _ => return Ok(()),
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let format = folder.file_name().and_then(OsStr::to_str).and_then(Format::from_id);
        let table = columns(&fs::read_to_string(path)?);
        let of = |name: &str| {
            table.iter().find(|(heading, _)| heading == name).map(|(_, values)| values.as_slice())
        };
        let files = of("file").filter(|_| wanted.first().is_some_and(|name| of(name).is_some()));
        let files = files.ok_or_else(|| {
            format!("{}: the columns file and {} are required", path.display(), wanted.join(", "))
        })?;
        for (row, file) in files.iter().enumerate() {
            // Names are relative to the folder of the table or to its parent.
            let places = [Some(folder), folder.parent()]
                .into_iter()
                .flatten()
                .map(|folder| folder.join(file));
            let place = places
                .into_iter()
                .find(|place| place.is_file())
                .ok_or_else(|| format!("{}: {file} does not exist", path.display()))?;
            let named: Vec<Format> = place
                .extension()
                .and_then(OsStr::to_str)
                .into_iter()
                .flat_map(Format::with_extension)
                .collect();
            let format = format.map(|format| {
                if named.contains(&format) {
                    format
                } else {
                    named.first().copied().unwrap_or(format)
                }
            });
            let expected = self.of.entry(place).or_default();
            expected.format = format;
            for name in wanted {
                let Some(value) = of(name).and_then(|values| values.get(row)) else { continue };
                let severity = || match value.as_str() {
                    "error" | "refused" => Ok(Some(Severity::Error)),
                    "warning" => Ok(Some(Severity::Warning)),
                    // Notes are ignored.
                    "note" | "ok" => Ok(None),
                    _ => Err(format!(
                        "{}: `{value}` is not a valid severity for {file}",
                        path.display()
                    )),
                };
                match *name {
                    "dialect" => expected.dialect = Some(value.clone()),
                    "severity"
                        if !format.is_some_and(|format| LOOKED_INTO.contains(&format.id())) =>
                    {
                        expected.severity = Some(severity()?)
                    }
                    _ => expected.loaded = Some(severity()?),
                }
            }
        }
        Ok(())
    }

    /// Returns the expectations for a file.
    pub(crate) fn of(&self, path: &Path) -> Option<&Expected> {
        self.of.get(path)
    }
}

/// Returns the columns of a table, as headings and values. All columns have the same length.
fn columns(text: &str) -> Vec<(String, Vec<String>)> {
    let mut lines = text.lines();
    let headings = lines.next().unwrap_or_default().split('\t').map(str::to_owned);
    let rows: Vec<Vec<&str>> = lines
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.split('\t').collect())
        .collect();
    let below = |column: usize| {
        rows.iter()
            .map(|row| row.get(column).map_or(String::new(), |value| (*value).to_owned()))
            .collect()
    };
    headings.enumerate().map(|(column, heading)| (heading, below(column))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dialects_in_the_inventory() {
        let of = |text: &str, is_static| dialects(text, is_static).map(|names| names.join(" "));
        let texts = [
            "D0 extobj 0-based",
            "D1e editamo",
            "D1 spec",
            "D2 Vasall lines k1",
            "HND+D2",
            "HND+D3",
            "plain OBJ in .amo",
            "D9",
        ];
        let names = ["extobj", "editamo", "spec", "lines", "lines", "counted", "spec"]
            .map(|name| Some(name.to_owned()));
        assert_eq!(texts.map(|text| of(text, false))[..7], names);
        assert_eq!(
            (of("D9", false), of("D2 Vasall lines", true)),
            (None, Some("lines spec".to_owned()))
        );
    }

    #[test]
    fn files_are_compared_with_their_tables() {
        let expected = Expected {
            severity: Some(None),
            loaded: Some(Some(Severity::Error)),
            dialect: Some("D1 spec".to_owned()),
            format: None,
        };
        let found = Found {
            worst: Some(Severity::Note),
            loaded: Some(Severity::Error),
            dialect: Some("spec"),
            is_static: false,
        };
        assert!(expected.compare(found).is_empty(), "notes are ignored");
        let found =
            Found { worst: Some(Severity::Error), loaded: None, dialect: Some("lines"), ..found };
        let differences = [
            "expected no problem as the highest severity, found error",
            "expected error as the highest severity, found no problem, once loaded",
            "expected spec, found lines",
        ];
        assert_eq!(expected.compare(found), differences);
    }

    #[test]
    fn columns_are_found_by_name() {
        let columns = columns("file\tdialect\na.amo\tD1\n\nb.amo\n");
        let strings = |values: [&str; 2]| values.map(str::to_owned).to_vec();
        assert_eq!(
            columns,
            [
                ("file".to_owned(), strings(["a.amo", "b.amo"])),
                ("dialect".to_owned(), strings(["D1", ""]))
            ]
        );
    }
}
