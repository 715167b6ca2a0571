//! The program as people and other programs see it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "tests fail loudly"
)]

mod batch;
mod castle;
mod check;
mod convert;
mod diff;
mod docs;
mod fix;
mod fmt;
mod generate;
mod gltf;
mod hostile;
mod info;
mod killed;
mod sample;
mod schema;
mod split;
mod stt;
mod terminal;
mod tmd;
mod unusual;

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The fixtures.
fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/amo")
}

/// The program, run in the folder of the fixtures, so that what it prints names no other folder.
fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_animfmt"));
    command.current_dir(testdata()).stdin(Stdio::null());
    // What the terminal of whoever runs the tests is like.
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(variable);
    }
    command
}

/// One call and what came of it.
struct Run {
    line: String,
    output: Output,
}

/// Runs the program.
fn animfmt<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Run {
    let args: Vec<_> = args.into_iter().map(|arg| arg.as_ref().to_owned()).collect();
    let line: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
    Run { line: line.join(" "), output: command().args(&args).output().unwrap() }
}

impl Run {
    fn status(&self) -> i32 {
        self.output.status.code().expect("no signal ended it")
    }

    fn stdout(&self) -> &str {
        std::str::from_utf8(&self.output.stdout).unwrap()
    }

    fn stderr(&self) -> &str {
        std::str::from_utf8(&self.output.stderr).unwrap()
    }

    /// Checks the exit status.
    #[track_caller]
    fn exits(self, status: i32) -> Run {
        assert_eq!(
            self.status(),
            status,
            "{}\n{}\n{}",
            self.line,
            String::from_utf8_lossy(&self.output.stdout),
            self.stderr()
        );
        self
    }

    /// The output as JSON that follows the schema of that name.
    #[track_caller]
    fn json(&self, schema: &str) -> serde_json::Value {
        let value = serde_json::from_slice(&self.output.stdout)
            .unwrap_or_else(|error| panic!("{}: {error}", self.line));
        schema::assert_valid(schema, &value);
        value
    }

    /// Everything, for a snapshot.
    fn shown(&self) -> String {
        let mut text = format!("$ animfmt {}\n", self.line);
        for (name, bytes) in [("stdout", self.stdout()), ("stderr", self.stderr())] {
            if !bytes.is_empty() {
                write!(text, "--- {name}\n{bytes}").unwrap();
            }
        }
        writeln!(text, "--- exit status {}", self.status()).unwrap();
        text
    }
}

/// A snapshot of several calls, with names of temporary folders taken out.
macro_rules! assert_runs {
    ($name:literal, $folder:expr, [$($run:expr),* $(,)?]) => {{
        let folder: Option<&std::path::Path> = $folder;
        let folder = folder.map_or("no folder".into(), |folder| folder.to_string_lossy());
        let runs: Vec<String> = [$($run.shown()),*]
            .into_iter()
            .map(|run| run.replace(&*folder, "[OUT]"))
            .collect();
        // How large a file gets is the business of those who write it.
        insta::with_settings!({ filters => [(r"(?m)^(wrote .*) \([\d.]+ \w+\)$", "$1")] }, {
            insta::assert_snapshot!($name, runs.join("\n"));
        });
    }};
}
use assert_runs;

/// Names of the files in a folder, in order.
fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn help() {
    let helps = [
        ["--help"].as_slice(),
        &["info", "-h"],
        &["check", "-h"],
        &["fmt", "-h"],
        &["convert", "-h"],
        &["sample", "-h"],
    ];
    let text: Vec<String> = helps.into_iter().map(|args| animfmt(args).exits(0).shown()).collect();
    insta::assert_snapshot!("help", text.join("\n"));
    assert_eq!(
        animfmt(["--version"]).exits(0).stdout(),
        concat!("animfmt ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn wrong_usage_is_2() {
    for args in [
        ["info"].as_slice(),
        &["check"],
        &["jump", "ok/spec.amo"],
        &["info", "ok/spec.amo", "--from", "fbx"],
        &["info", "ok/spec.amo", "-j", "0"],
        &["info", "ok/spec.amo", "--max-input", "lots"],
        &["check", "--explain", "amo-number", "ok/spec.amo"],
        &["check", "--dry-run", "ok/spec.amo"],
        &["check", "--fix", "-"],
        &["check", "--fix", "--explain", "amo-number"],
        &["fmt"],
        &["fmt", "--check", "--stdout", "ok/spec.amo"],
        &["fmt", "--stdout", "ok/spec.amo", "ok/static.amo"],
        &["fmt", "--json", "--stdout", "ok/spec.amo"],
        &["fmt", "--force", "ok/spec.amo"],
        &["convert", "ok/spec.amo"],
        &["sample", "ok/spec.amo"],
        &["sample", "ok/spec.amo", "--at", "0", "--fps", "24"],
        &["sample", "ok/spec.amo", "--at", "nan"],
        &["sample", "ok/spec.amo", "--fps", "0"],
        &["sample", "ok/spec.amo", "--at", "0", "--csv", "--json"],
    ] {
        let run = animfmt(args).exits(2);
        assert!(run.stdout().is_empty() && run.stderr().starts_with("error: "), "{}", run.shown());
    }
}
