//! Tests of the program through its command line.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "tests fail loudly"
)]

mod advice;
mod arbitrary;
mod batch;
mod budget;
mod castle;
mod castle_files;
mod check;
mod combine;
mod command_line;
mod convert;
mod diff;
mod docs;
mod fix;
mod fixtures;
mod fmt;
mod generate;
mod gltf;
mod hostile;
mod info;
mod killed;
mod merge;
mod migrate;
mod pictures;
mod play;
mod program;
mod puppet;
mod render;
mod routes;
mod sample;
mod schema;
mod split;
mod stt;
mod terminal;
mod tmd;
mod unusual;
mod view;
mod x3d;

use program::animfmt;

#[test]
fn help() {
    let helps = [
        "--help",
        "info -h",
        "convert -h",
        "check -h",
        "sample -h",
        "play -h",
        "render -h",
        "view -h",
        "diff -h",
        "split -h",
        "migrate -h",
        "fmt -h",
        "completions -h",
        "man -h",
    ]
    .map(animfmt);
    insta::assert_snapshot!("help", helps.map(|run| run.exits(0).shown()).join("\n"));
    assert_eq!(
        animfmt("--version").exits(0).stdout(),
        concat!("animfmt ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn usage_errors_exit_with_2() {
    for args in [
        "info",
        "check",
        "jump ok/spec.amo",
        "info ok/spec.amo --from fbx",
        "info ok/spec.amo -j 0",
        "info ok/spec.amo --max-input lots",
        "check --explain amo-number ok/spec.amo",
        "check --dry-run ok/spec.amo",
        "check --fix -",
        "check --fix --explain amo-number",
        "fmt",
        "fmt --check --stdout ok/spec.amo",
        "fmt --stdout ok/spec.amo ok/static.amo",
        "fmt --force ok/spec.amo",
        "convert ok/spec.amo",
        "info -q -v ok/spec.amo",
        "info --color sometimes ok/spec.amo",
        "check --format html ok/spec.amo",
        "check --ignore unreadable ok/spec.amo",
        "sample ok/spec.amo",
        "sample ok/spec.amo --at 0 --fps 24",
        "sample ok/spec.amo --at nan",
        "sample ok/spec.amo --fps 0",
        "sample ok/spec.amo --at 0 --csv --json",
    ] {
        let run = animfmt(args).exits(2);
        assert!(run.stdout().is_empty() && run.stderr().starts_with("error: "), "{}", run.shown());
    }
}
