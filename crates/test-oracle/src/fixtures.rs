//! The files of `testdata/`, and what its tables `EXPECTED.tsv` say of them. `testdata/README.md`
//! explains both.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Whether long sweeps were asked for: `ANIM_SWEEP=1`, which `cargo xtask sweep` sets.
pub fn sweep() -> bool {
    std::env::var_os("ANIM_SWEEP").is_some_and(|value| value == "1")
}

/// How many cases a test takes: `usual` ones, or `long` ones in a sweep.
pub fn scale<T>(usual: T, long: T) -> T {
    if sweep() { long } else { usual }
}

/// The fixtures of a format.
pub fn folder(format: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(format)
}

/// All fixtures of a format as (`ok/example.anm`, bytes), in order of their names: more than so
/// many files with one of these extensions.
pub fn all(format: &str, extensions: &[&str], more_than: usize) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for severity in ["ok", "warn", "err"] {
        for entry in fs::read_dir(folder(format).join(severity)).unwrap() {
            let path = entry.unwrap().path();
            if extensions
                .iter()
                .any(|extension| path.extension().is_some_and(|other| other == *extension))
            {
                let name = format!("{severity}/{}", path.file_name().unwrap().to_string_lossy());
                found.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(found.len() > more_than, "the fixtures are there: {}", found.len());
    found
}

/// What is found in a file, to be held against the table.
pub struct Judgement {
    /// `ok`, `note`, `warning`, `error` or `refused`.
    pub severity: &'static str,
    /// Places of the worst problems, as the table has them.
    pub places: Vec<String>,
    /// Everything, for a person.
    pub text: String,
}

/// Holds what is found in each file of a format's table against its columns `severity` and (the
/// fourth) the place. Gives the number of files.
pub fn hold_against_table(format: &str, judge: impl Fn(&str, &[u8]) -> Judgement) -> usize {
    let table = fs::read_to_string(folder(format).join("EXPECTED.tsv")).unwrap();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [file, _, severity, expected, ..] = fields.as_slice() else { panic!("{row}") };
        let bytes = fs::read(folder("").join(file)).unwrap();
        seen += 1;
        let Judgement { severity: found, places, text } = judge(file, &bytes);
        // Of what is fine there is no place.
        if found != *severity || !(places.iter().any(|place| place == expected) || found == "ok") {
            wrong.push(format!(
                "{file}: expected {severity} at {expected}, found {found} at {places:?}\n{text}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {seen}:\n{}", wrong.len(), wrong.join("\n"));
    seen
}

/// What is said of the fixtures of each row of the list of bad inputs: those whose names begin with
/// the row, such as `S04_`, as one text each.
pub fn by_row(
    fixtures: &[(String, Vec<u8>)],
    is_row: impl Fn(&str) -> bool,
    said: impl Fn(&str, &[u8]) -> String,
) -> BTreeMap<String, String> {
    let mut rows: BTreeMap<String, String> = BTreeMap::new();
    for (name, bytes) in fixtures {
        let (_, file) = name.split_once('/').unwrap();
        if let Some((row, _)) = file.split_once('_').filter(|(row, _)| is_row(row)) {
            *rows.entry(row.to_owned()).or_default() +=
                &format!("== {name}\n{}\n", said(name, bytes));
        }
    }
    rows
}
