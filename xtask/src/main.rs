//! Development tasks for this repository. `cargo xtask` lists them.

mod browser;
mod ci;
mod counts;
mod docs;
mod generators;
mod growth;
mod markdown;
mod serve;
mod tidy;
mod web;

use std::env;
use std::process::ExitCode;

use xtask::{Failure, cargo};

/// The tasks: name, arguments, description.
const CHORES: [(&str, &str, &str); 13] = [
    (
        "test-corpus",
        "[DIR…]",
        "runs every operation on every file in the folders (default: testdata/) and prints a table",
    ),
    (
        "test-damage",
        "[--places N] [DIR…]",
        "truncates every file in the folders (default: testdata/) at N offsets (default: 200) to \
        check that repairs do no harm, and counts the problems that a single damaged line causes",
    ),
    ("tidy", "", "checks the rules of ARCHITECTURE.md"),
    ("ci", "", "runs everything that CI runs"),
    ("codegen", "[--check]", "generates the tables of formats and codes in documents and schemas"),
    ("docs", "", "builds the documentation website in target/docs/site"),
    ("sweep", "", "runs the tests at all positions and sizes instead of a sample"),
    (
        "growth",
        "[NAME…]",
        "runs the program on generated files of growing size (all, or those with NAME in their \
        name) and measures CPU time and memory",
    ),
    (
        "counts",
        "[--set]",
        "counts the instructions of small workloads and compares them with xtask/counts.tsv; --set \
        writes that file",
    ),
    ("viewer", "", "tests the page of `animfmt view` in a browser, if there is one"),
    (
        "web",
        "[--no-serve|--test]",
        "builds the page that runs the formats as WebAssembly in target/web, and serves it on this \
        computer, or tests it in a browser, if there is one",
    ),
    ("bench", "[ARG…]", "runs the benchmarks with these arguments"),
    (
        "bench --peers",
        "[--rounds N] [--growth] [NAME…]",
        "compares this project with other programs and libraries and prints a table; with \
        --growth, measures this project at four input sizes",
    ),
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
        Some("growth") => growth::run(&rest),
        Some("counts") => counts::run(&rest),
        Some("viewer") => browser::run(),
        Some("web") if rest == ["--test"] => browser::web(),
        Some("web") => web::run(&rest),
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

/// Runs a task in the program that depends on the formats. This program does not, so that it builds
/// quickly.
fn formats(chore: &str, arguments: &[String]) -> Result<bool, Failure> {
    let run = ["run", "--quiet", "--package", "xtask", "--bin", "xtask-formats", "--", chore];
    // Folders are relative to the current directory, not to the repository.
    Ok(cargo().current_dir(".").args(run).args(arguments).status()?.success())
}
