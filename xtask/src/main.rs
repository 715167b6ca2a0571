//! Chores of this repository: `cargo xtask` lists them.

mod ci;
mod codegen;
mod corpus;
mod counts;
mod manifest;
mod table;
mod tidy;

use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, io};

/// What went wrong, for people.
type Failure = Box<dyn Error>;

/// What there is to do: name, arguments, what it does.
const CHORES: [(&str, &str, &str); 7] = [
    (
        "test-corpus",
        "[DIR…]",
        "takes every file of the folders (testdata/ otherwise) through everything there is, and \
         prints a table",
    ),
    (
        "tidy",
        "[--all]",
        "checks the rules that ARCHITECTURE.md gives itself; with --all, also those that are not \
         enforced yet",
    ),
    ("ci", "", "does all that CI does"),
    ("codegen", "[--check]", "writes the tables of formats in documents and schemas"),
    ("sweep", "", "runs the tests with every place of every fixture, in release"),
    (
        "counts",
        "[--set]",
        "counts the instructions of small workloads and compares them with xtask/counts.tsv; with \
         --set, writes that file",
    ),
    ("bench", "[ARG…]", "runs the benchmarks; arguments go to them"),
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
        Some("test-corpus") => corpus::run(&rest),
        Some("tidy") => tidy::run(&rest),
        Some("ci") => ci::run(),
        Some("codegen") => codegen::run(rest.iter().any(|argument| argument == "--check")),
        Some("sweep") => ci::sweep(),
        Some("counts") => counts::run(&rest),
        Some("bench") => ci::bench(&rest),
        Some(other) => {
            eprintln!("error: there is no chore `{other}`\n");
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
    println!("Chores of this repository:\n");
    for (name, arguments, what) in CHORES {
        println!("  cargo xtask {:<22}{what}", format!("{name} {arguments}"));
    }
}

/// The repository.
fn root() -> PathBuf {
    let here = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or(here.clone(), Path::to_path_buf)
}

/// The cargo that runs this, in the repository.
fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(root());
    command
}

/// All files below a folder, in order of their paths. Links are not followed.
fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in folder.read_dir()? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                open.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}
