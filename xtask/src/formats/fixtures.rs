//! Checks the fixtures against their tables.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anim_formats::detect;
use xtask::{Failure, files_below, root};

/// Checks that every fixture is listed and is in the folder for its severity. Companion files are
/// in separate folders and are not listed.
pub(crate) fn problems() -> Result<Vec<String>, Failure> {
    let mut problems = Vec::new();
    let testdata = root().join("testdata");
    for table in files_below(&testdata)?.into_iter().filter(|path| path.ends_with("EXPECTED.tsv")) {
        let text = fs::read_to_string(&table)?;
        let rows: BTreeMap<&str, Vec<&str>> = text
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once('\t'))
            .map(|(name, row)| (name, row.split('\t').collect()))
            .collect();
        let headings: Vec<&str> =
            text.lines().next().unwrap_or_default().split('\t').skip(1).collect();
        let column = |name: &str| headings.iter().position(|heading| *heading == name);
        let folder = table.parent().unwrap_or(&testdata);
        for path in files_below(folder)?
            .into_iter()
            .filter(|path| path.parent().and_then(Path::parent) == Some(folder))
        {
            let name =
                path.strip_prefix(&testdata).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            // Images, libraries and scripts are not fixtures.
            if detect(&fs::read(&path)?, Some(&name)).is_empty() {
                continue;
            }
            let severity = |heading| rows.get(name.as_str())?.get(column(heading)?).copied();
            let belongs_in = match (severity("severity"), severity("loaded")) {
                (Some("error" | "refused"), _) => "err",
                (Some("warning"), _) => "warn",
                (Some("ok" | "note"), None | Some("ok")) => "ok",
                (Some("ok"), _) => "load",
                _ => {
                    problems.push(format!("testdata/{name} is not listed in EXPECTED.tsv"));
                    continue;
                }
            };
            if !path.parent().is_some_and(|parent| parent.ends_with(belongs_in)) {
                problems.push(format!(
                    "testdata/{name} is not in the folder for its expected severity"
                ));
            }
        }
    }
    Ok(problems)
}
