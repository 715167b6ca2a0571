//! The README and the cookbook show the actual output of the program.
//!
//! After an intended change, `TRYCMD=overwrite cargo test -p anim-cli docs` updates the pages with
//! the new output.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use trycmd::TestCases;

/// Runs every command in the `console` blocks of a page, in order, in a copy of the cookbook's
/// files.
fn assert_says(page: &str, expect: impl FnOnce(&TestCases, &Path)) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = root.join(page);
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("page.md");
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("\n```console\n$ animfmt "), "{} shows no command", page.display());
    fs::write(&copy, with_line_ends(&text)).unwrap();
    // `page.in` is the folder to run in; since `page.out` exists, trycmd runs in a copy.
    fs::write(copy.with_extension("in"), root.join("testdata/cookbook").to_str().unwrap()).unwrap();
    fs::create_dir(copy.with_extension("out")).unwrap();
    let cases = TestCases::new();
    cases.register_bin("animfmt", Path::new(env!("CARGO_BIN_EXE_animfmt")));
    expect(&cases, &copy);
    cases.run();
    if std::env::var_os("TRYCMD").as_deref() == Some(OsStr::new("overwrite")) {
        fs::write(page, without_line_ends(&fs::read_to_string(copy).unwrap())).unwrap();
    }
}

/// Adds the blank line that trycmd expects after output that ends in a newline. The pages omit it.
fn with_line_ends(page: &str) -> String {
    let mut text = String::new();
    let mut is_output = false;
    for line in page.lines() {
        let is_command = line.starts_with("$ ");
        if is_output && (is_command || line.starts_with("```")) {
            text.push('\n');
            is_output = false;
        }
        is_output |= is_command;
        text.extend([line, "\n"]);
    }
    text
}

fn without_line_ends(page: &str) -> String {
    page.replace("\n\n$ ", "\n$ ").replace("\n\n```\n", "\n```\n")
}

#[test]
fn line_ends() {
    let page = "A.\n\n```console\n$ a\nb\n\nc\n$ d\n```\n\n```text\ne\n```\n";
    let with = "A.\n\n```console\n$ a\nb\n\nc\n\n$ d\n\n```\n\n```text\ne\n```\n";
    assert_eq!(with_line_ends(page), with);
    assert_eq!(without_line_ends(with), page);
}

#[test]
fn cookbook() {
    assert_says("docs/cookbook.md", |cases, page| {
        cases.case(page);
    });
}

/// The README shows a single command, which exits with an error.
#[test]
fn readme() {
    assert_says("README.md", |cases, page| {
        cases.fail(page);
    });
}
