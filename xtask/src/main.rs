//! Development tasks of this repository: `cargo xtask` lists them.

mod ci;
mod counts;
mod docs;
mod markdown;
mod tidy;

use std::env;
use std::process::ExitCode;

use xtask::{Failure, cargo};

/// The tasks: name, arguments, description.
const CHORES: [(&str, &str, &str); 9] = [
    (
        "test-corpus",
        "[DIR…]",
        "takes every file of the folders (testdata/ otherwise) through everything there is, and \
         prints a table",
    ),
    (
        "test-damage",
        "[--places N] [DIR…]",
        "cuts every file of the folders (testdata/ otherwise) at 200 places, and damages as many \
         single lines: repairs must do no harm, and one mistake should be reported once",
    ),
    ("tidy", "", "checks the rules of ARCHITECTURE.md"),
    ("ci", "", "runs everything that CI runs"),
    ("codegen", "[--check]", "generates the tables of formats and codes in documents and schemas"),
    ("docs", "", "builds the documentation site in target/docs/site"),
    ("sweep", "", "runs the tests that sample positions and sizes with all of them"),
    (
        "counts",
        "[--set]",
        "counts the instructions of small workloads and compares them with xtask/counts.tsv; with \
         --set, writes that file",
    ),
    ("bench", "[ARG…]", "runs the benchmarks; arguments are passed on"),
];

fn main() -> ExitCode {
    let mut args = env::args().skip(1);
    let chore = args.next();
    let rest: Vec<String> = args.collect();
    let done = match chore.as_deref() {
        None => {
            print_chores();
            return ExitCode::SUCCESS;
        }
        Some(chore @ ("test-corpus" | "test-damage" | "codegen")) => formats(chore, &rest),
        Some("tidy") => tidy::run(),
        Some("ci") => ci::run(),
        Some("docs") => docs::run(),
        Some("sweep") => ci::sweep(),
        Some("counts") => counts::run(&rest),
        Some("bench") => ci::bench(&rest),
        Some(other) => {
            eprintln!("error: unknown task `{other}`\n");
            print_chores();
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print_chores() {
    println!("Development tasks:\n");
    for (name, arguments, what) in CHORES {
        println!("  cargo xtask {:<22}{what}", format!("{name} {arguments}"));
    }
}

/// Runs a task of the program with the formats. This program does not depend on them, so that it
/// builds quickly.
fn formats(chore: &str, arguments: &[String]) -> Result<bool, Failure> {
    let run = ["run", "--quiet", "--package", "xtask", "--bin", "xtask-formats", "--", chore];
    // Folders are relative to the current directory, not to the repository.
    Ok(cargo().current_dir(".").args(run).args(arguments).status()?.success())
}
