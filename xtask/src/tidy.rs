//! `cargo xtask tidy`: checks those rules of ARCHITECTURE.md that can be checked mechanically.

mod circles;
mod feature_lists;
mod file_length;
mod formats_matched;
mod items;
mod line_width;
mod multiplication;
mod source;
mod tokens;

use std::collections::BTreeSet;
use std::fs;

use xtask::{Failure, Package, files_below, packages, root};

use self::source::Source;
use crate::markdown;

/// Libraries whose types must not be in public interfaces.
const PRIVATE: [&str; 3] = ["winnow", "roxmltree", "glam"];
/// Paths that access files or the network.
const INPUT_OUTPUT: [&str; 5] = ["std::fs", "std::net", "File::", "fs::", "cap_std"];
/// Where I/O is allowed: in the facade's `load` module, in programs, and in crates used only by
/// tests.
const MAY_DO_IO: [&str; 5] = [
    "crates/anim-formats/src/load",
    "crates/anim-cli/",
    "crates/conformance/",
    "crates/test-oracle/",
    "xtask/",
];
/// Development leftovers, each split in two so that this file does not contain them.
const LEFTOVERS: [(&str, &str); 6] = [
    ("to", "do!"),
    ("unimple", "mented!"),
    ("#[ig", "nore"),
    ("FIX", "ME"),
    ("XX", "X"),
    ("db", "g!"),
];

/// A rule for Rust files, defined in a separate module: its title, and a function that lists
/// violations.
type Rule = (&'static str, fn(&[Source]) -> Vec<String>);

const RULES: [Rule; 6] = [
    ("files over 500 lines", file_length::problems),
    ("lines over 100 characters", line_width::problems),
    ("import cycles", circles::problems),
    ("lists of features", feature_lists::problems),
    ("formats matched outside of joins", formats_matched::problems),
    ("multiplications without a budget", multiplication::problems),
];

pub(crate) fn run() -> Result<bool, Failure> {
    let packages = packages()?;
    let sources = sources(&packages)?;
    let mut problems = problems(&packages, &sources)?;
    for (title, rule) in RULES {
        let found = rule(&sources);
        println!("{:4} {title}", found.len());
        problems.extend(found);
    }
    let dead = markdown::dead_links(&markdown::pages()?);
    println!("{:4} dead links in documents", dead.len());
    problems.extend(dead);
    for problem in &problems {
        eprintln!("error: {problem}");
    }
    println!("{:4} broken rules", problems.len());
    Ok(problems.is_empty())
}

/// Returns all Rust files.
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

/// Returns all violations of the rules defined in this module.
fn problems(packages: &[Package], sources: &[Source]) -> Result<Vec<String>, Failure> {
    let mut problems = edges(packages);
    for package in packages {
        problems.extend(manifest(package)?);
    }
    for source in sources {
        problems.extend(contents(source));
    }
    Ok(problems)
}

/// Checks the dependencies between crates.
fn edges(packages: &[Package]) -> Vec<String> {
    let ours: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let mut problems = Vec::new();
    for Package { name, dependencies, .. } in packages {
        for (to, for_tests) in dependencies.iter().filter(|(to, _)| ours.contains(to.as_str())) {
            let allowed = match name.as_str() {
                // The oracle must not share code with what it checks.
                "test-oracle" => false,
                // Tests may depend on the oracle.
                "conformance" => true,
                // xtask is not published, and exercises files in the same way as the tests.
                "xtask" => true,
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

/// Checks that each Cargo.toml has the required lines.
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

/// Checks a Rust file for development leftovers, I/O, and private dependencies in its public
/// interface.
fn contents(source: &Source) -> Vec<String> {
    let Source { path: name, text } = source;
    let mut problems = Vec::new();
    for (first, second) in LEFTOVERS {
        let word = format!("{first}{second}");
        let lines = text.lines().enumerate().filter(|(_, line)| line.contains(&word));
        problems
            .extend(lines.map(|(number, _)| {
                format!("{name}:{}: leftover {word}", number.saturating_add(1))
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
                    "{name}: a type from a private dependency is in the public interface: {}",
                    item.split_whitespace().collect::<Vec<_>>().join(" ")
                )
            },
        ),
    );
    problems
}

/// Returns the names of private libraries and of the types that a file imports from them.
fn private_names(text: &str) -> BTreeSet<String> {
    let uses = text.split(';').filter_map(|statement| statement.rsplit_once("use "));
    let taken = uses
        .map(|(_, what)| what)
        .filter(|what| PRIVATE.iter().any(|library| what.starts_with(&format!("{library}::"))));
    // Modules, such as `token`, are not types.
    let types = taken.flat_map(words).filter(|word| word.starts_with(char::is_uppercase));
    PRIVATE.into_iter().chain(types).map(str::to_owned).collect()
}

/// Returns the public items, each from `pub` to its body or the end of the statement.
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
            // Fields and constants. For types, only the rest of the line is returned.
            _ => &['{', ';', '\n'],
        };
        item.get(..item.find(ends).unwrap_or(item.len()))
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_in_interfaces() {
        // Each line is a separate string, since this file is also checked.
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
}
