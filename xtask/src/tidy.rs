//! `cargo xtask tidy`: the rules that ARCHITECTURE.md gives itself, as far as a program can check
//! them.

mod circles;
mod feature_lists;
mod file_length;
mod formats_matched;
mod items;
mod line_width;
mod source;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anim_formats::{all_codes, detect};
use serde_json::Value;

use crate::{Failure, cargo, files_below, root};

use self::source::Source;

/// Libraries whose types are no part of an interface here.
const PRIVATE: [&str; 3] = ["winnow", "roxmltree", "glam"];
/// Ways to files and the network.
const INPUT_OUTPUT: [&str; 5] = ["std::fs", "std::net", "File::", "fs::", "cap_std"];
/// Where they are allowed: the facade's module for loading, programs, and what only tests depend
/// on.
const MAY_DO_IO: [&str; 5] = [
    "crates/anim-formats/src/load",
    "crates/anim-cli/",
    "crates/conformance/",
    "crates/test-oracle/",
    "xtask/",
];
/// What is left over from work. In two parts each, so that this file has none of them.
const LEFTOVERS: [(&str, &str); 6] = [
    ("to", "do!"),
    ("unimple", "mented!"),
    ("#[ig", "nore"),
    ("FIX", "ME"),
    ("XX", "X"),
    ("db", "g!"),
];

/// A rule about Rust files, in a module of its own.
struct Rule {
    /// What breaks it, for the summary.
    title: &'static str,
    /// Whether it is enforced. Otherwise only `tidy --all` prints what breaks it.
    enforced: bool,
    problems: fn(&[Source]) -> Vec<String>,
}

const RULES: [Rule; 5] = [
    Rule { title: "files over 500 lines", enforced: true, problems: file_length::problems },
    Rule { title: "lines over 100 characters", enforced: true, problems: line_width::problems },
    Rule { title: "circles of files", enforced: true, problems: circles::problems },
    Rule { title: "lists of features", enforced: true, problems: feature_lists::problems },
    Rule { title: "formats told apart", enforced: true, problems: formats_matched::problems },
];

pub(crate) fn run(arguments: &[String]) -> Result<bool, Failure> {
    let all = match arguments {
        [] => false,
        [argument] if argument == "--all" => true,
        _ => return Err("tidy takes no argument but --all".into()),
    };
    let packages = packages()?;
    let sources = sources(&packages)?;
    let mut problems = problems(&packages, &sources)?;
    for rule in RULES {
        let found = (rule.problems)(&sources);
        let remark = if rule.enforced { "" } else { " (not enforced yet)" };
        println!("{:4} {}{remark}", found.len(), rule.title);
        if rule.enforced || all {
            problems.extend(found);
        }
    }
    for problem in &problems {
        eprintln!("error: {problem}");
    }
    println!("{:4} broken rules", problems.len());
    Ok(problems.is_empty())
}

/// All Rust files.
fn sources(packages: &[Package]) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    for package in packages {
        for path in files_below(&package.folder)? {
            if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path)?;
                let path = path.strip_prefix(root()).unwrap_or(&path);
                sources.push(Source { path: path.to_string_lossy().replace('\\', "/"), text });
            }
        }
    }
    Ok(sources)
}

/// Everything that breaks the rules of this module.
fn problems(packages: &[Package], sources: &[Source]) -> Result<Vec<String>, Failure> {
    let mut problems = edges(packages);
    let mut codes = BTreeMap::new();
    for package in packages {
        problems.extend(manifest(package)?);
    }
    for source in sources {
        problems.extend(contents(source, &mut codes));
    }
    let known: Vec<&str> = all_codes().iter().map(|code| code.id).collect();
    let unique: BTreeSet<&str> = known.iter().copied().collect();
    if unique.len() < known.len() {
        problems.push("two codes of diagnostics have one id".to_owned());
    }
    problems.extend(
        codes
            .iter()
            .filter(|(id, _)| !unique.contains(id.as_str()))
            .map(|(id, path)| format!("{path}: the code {id} is in no list")),
    );
    problems.extend(fixtures()?);
    Ok(problems)
}

/// A package of the workspace.
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) description: String,
    folder: PathBuf,
    /// Name, and whether it is for tests only.
    pub(crate) dependencies: Vec<(String, bool)>,
    features: Vec<String>,
}

pub(crate) fn packages() -> Result<Vec<Package>, Failure> {
    let output = cargo().args(["metadata", "--no-deps", "--format-version", "1"]).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let list = metadata
        .get("packages")
        .and_then(Value::as_array)
        .ok_or("cargo metadata lists no packages")?;
    list.iter()
        .map(|package| {
            Package::of(package)
                .ok_or_else(|| "cargo metadata has another form than expected".into())
        })
        .collect()
}

impl Package {
    fn of(package: &Value) -> Option<Package> {
        let dependency = |dependency: &Value| {
            Some((
                dependency.get("name")?.as_str()?.to_owned(),
                dependency.get("kind")?.as_str() == Some("dev"),
            ))
        };
        Some(Package {
            name: package.get("name")?.as_str()?.to_owned(),
            description: package
                .get("description")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            folder: Path::new(package.get("manifest_path")?.as_str()?).parent()?.to_owned(),
            dependencies: package
                .get("dependencies")?
                .as_array()?
                .iter()
                .map(dependency)
                .collect::<Option<_>>()?,
            features: package
                .get("features")?
                .as_object()?
                .keys()
                .filter(|name| *name != "default")
                .cloned()
                .collect(),
        })
    }
}

/// The features of a package, but for the default.
pub(crate) fn features(name: &str) -> Result<Vec<String>, Failure> {
    let package = packages()?.into_iter().find(|package| package.name == name);
    Ok(package.ok_or_else(|| format!("there is no package {name}"))?.features)
}

/// Who knows whom.
fn edges(packages: &[Package]) -> Vec<String> {
    let ours: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let mut problems = Vec::new();
    for Package { name, dependencies, .. } in packages {
        for (to, for_tests) in dependencies.iter().filter(|(to, _)| ours.contains(to.as_str())) {
            let allowed = match name.as_str() {
                // What judges must share nothing with what it judges.
                "test-oracle" => false,
                // Tests may ask it.
                "conformance" => true,
                _ if to == "test-oracle" || to == "conformance" => *for_tests,
                "anim-ir" => false,
                format
                    if format.starts_with("fmt-")
                        || format.starts_with("model-")
                        || format == "anim-gltf" =>
                {
                    to == "anim-ir"
                }
                _ => true,
            };
            if !allowed {
                problems.push(format!("{name} must not depend on {to}"));
            }
        }
    }
    problems
}

/// What each Cargo.toml must say.
fn manifest(package: &Package) -> Result<Vec<String>, Failure> {
    let text = fs::read_to_string(package.folder.join("Cargo.toml"))?;
    let needed = [
        "version.workspace = true",
        "edition.workspace = true",
        "rust-version.workspace = true",
        "license.workspace = true",
        "[lints]\nworkspace = true",
    ];
    let missing = needed.iter().filter(|line| !text.contains(**line));
    Ok(missing
        .map(|line| format!("{}: Cargo.toml lacks `{}`", package.name, line.replace('\n', " ")))
        .collect())
}

/// What each file of Rust must not say. Collects ids of codes.
fn contents(source: &Source, codes: &mut BTreeMap<String, String>) -> Vec<String> {
    let Source { path: name, text } = source;
    let mut problems = Vec::new();
    for (first, second) in LEFTOVERS {
        let word = format!("{first}{second}");
        let lines = text.lines().enumerate().filter(|(_, line)| line.contains(&word));
        problems.extend(lines.map(|(number, _)| {
            format!("{name}:{}: {word} is left over", number.saturating_add(1))
        }));
    }
    if !source.is_compiled_in() {
        return problems;
    }
    if !MAY_DO_IO.iter().any(|place| name.starts_with(place)) {
        let lines = text
            .lines()
            .enumerate()
            .filter(|(_, line)| INPUT_OUTPUT.iter().any(|way| line.contains(way)));
        problems.extend(lines.map(|(number, line)| {
            format!(
                "{name}:{}: only the facade's load.rs may do I/O: {}",
                number.saturating_add(1),
                line.trim()
            )
        }));
    }
    let private = private_names(text);
    problems.extend(
        public_items(text).filter(|item| words(item).any(|word| private.contains(word))).map(
            |item| {
                format!(
                    "{name}: a type of a private dependency is in the interface: {}",
                    item.split_whitespace().collect::<Vec<_>>().join(" ")
                )
            },
        ),
    );
    if name.ends_with("/codes.rs") {
        for id in ids(text) {
            if let Some(other) = codes.insert(id.to_owned(), name.clone()) {
                problems.push(format!("{name}: the code {id} is in {other} too"));
            }
        }
    }
    problems
}

/// The private libraries, and what a file takes from them.
fn private_names(text: &str) -> BTreeSet<String> {
    let uses = text.split(';').filter_map(|statement| statement.rsplit_once("use "));
    let taken = uses
        .map(|(_, what)| what)
        .filter(|what| PRIVATE.iter().any(|library| what.starts_with(&format!("{library}::"))));
    // Modules such as `token` are no types.
    let types = taken.flat_map(words).filter(|word| word.starts_with(char::is_uppercase));
    PRIVATE.into_iter().chain(types).map(str::to_owned).collect()
}

/// What is public: from `pub` to the body or the end of the statement.
fn public_items(text: &str) -> impl Iterator<Item = &str> {
    let starts = text.match_indices("pub ").map(|(at, _)| at).filter(|at| {
        let line_so_far =
            text.get(..*at).and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
        line_so_far.trim().is_empty()
    });
    starts.filter_map(|at| {
        let item = text.get(at..)?;
        let ends: &[char] = match item {
            item if item.starts_with("pub use") => &[';'],
            item if item.starts_with("pub fn") || item.starts_with("pub const fn") => &['{', ';'],
            // Fields and constants; of types, what stands on the line.
            _ => &['{', ';', '\n'],
        };
        item.get(..item.find(ends).unwrap_or(item.len()))
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Ids of codes: `id: "amo-number"`, or `NAME = "gltf-names"` in a macro.
fn ids(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text.split('"').zip(text.split('"').skip(1));
    let ids = pieces
        .filter(|(before, _)| before.ends_with("id: ") || before.ends_with(" = "))
        .map(|(_, id)| id);
    ids.filter(|id| {
        id.contains('-')
            && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    })
}

/// Every fixture has its line, and lies in the folder for its severity. What fixtures refer to lies
/// in folders of its own, and has none.
fn fixtures() -> Result<Vec<String>, Failure> {
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
            // Images, libraries and scripts are no fixtures of their own.
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
                    problems.push(format!("testdata/{name} has no line in EXPECTED.tsv"));
                    continue;
                }
            };
            if !path.parent().is_some_and(|parent| parent.ends_with(belongs_in)) {
                problems.push(format!(
                    "testdata/{name} does not lie in the folder for what is expected of it"
                ));
            }
        }
    }
    Ok(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_tidy() {
        let packages = packages().unwrap();
        let sources = sources(&packages).unwrap();
        let rules = RULES.iter().filter(|rule| rule.enforced);
        let mut problems = problems(&packages, &sources).unwrap();
        problems.extend(rules.flat_map(|rule| (rule.problems)(&sources)));
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }

    #[test]
    fn types_in_interfaces() {
        // Each line in quotes of its own: this file is looked at too.
        let text = [
            "use winnow::{Parser, token::take};",
            "/// pub fn no(p: Parser)",
            "pub(crate) fn fine(p: Parser) {}",
            "pub struct Open {",
            "    pub a: u8,",
            "    pub parser: Parser,",
            "}",
            "pub fn wide(",
            "    a: u8,",
            ") -> winnow::Result<u8> { Parser }",
            "pub use glam::Vec3;",
            "pub fn fine_too() -> u8 { take::<Parser>() }",
        ]
        .join("\n");
        let private = private_names(&text);
        assert_eq!(
            private.iter().map(String::as_str).collect::<Vec<_>>(),
            ["Parser", "Vec3", "glam", "roxmltree", "winnow"]
        );
        let found: Vec<&str> = public_items(&text)
            .filter(|item| words(item).any(|word| private.contains(word)))
            .collect();
        assert_eq!(
            found,
            [
                "pub parser: Parser,",
                "pub fn wide(\n    a: u8,\n) -> winnow::Result<u8> ",
                "pub use glam::Vec3"
            ]
        );
    }

    #[test]
    fn ids_of_codes() {
        let text = "Code { id: \"amo-number\", meaning: \"a-b\" }\n    EMPTY = \"gltf-empty\", \
                    Note, \"x-y\"";
        assert_eq!(ids(text).collect::<Vec<_>>(), ["amo-number", "gltf-empty"]);
    }
}
