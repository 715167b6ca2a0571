//! `animfmt completions` and `animfmt man`

use std::process::Command;

use crate::program::{Folder, animfmt};

const COMMANDS: [&str; 13] = [
    "info",
    "check",
    "fmt",
    "convert",
    "sample",
    "play",
    "render",
    "view",
    "split",
    "diff",
    "completions",
    "man",
    "migrate",
];

#[test]
fn completions_include_commands_and_options() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = animfmt(format!("completions {shell}")).exits(0);
        assert!(run.stderr().is_empty());
        for word in COMMANDS.into_iter().chain(["rotation-order", "castle", "animfmt"]) {
            run.out_has(word);
        }
    }
    let run = animfmt("completions tcsh").exits(2);
    assert!(run.stdout().is_empty() && run.stderr().contains("possible values"), "{}", run.shown());
}

/// Tests the completions in bash itself, if it is installed.
#[test]
fn bash_completes() {
    let script = "
        source <(\"$ANIMFMT\" completions bash)
        COMP_WORDS=(animfmt con) COMP_CWORD=1
        _animfmt animfmt con animfmt
        echo \"${COMPREPLY[@]}\"
        COMP_WORDS=(animfmt convert --to g) COMP_CWORD=3
        _animfmt animfmt g --to
        echo \"${COMPREPLY[@]}\"";
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", script]).env("ANIMFMT", env!("CARGO_BIN_EXE_animfmt"));
    match bash.output() {
        Ok(output) => {
            assert_eq!(
                String::from_utf8_lossy(&output.stdout),
                "convert\nglb gltf godot\n",
                "{output:?}"
            )
        }
        Err(error) => eprintln!("skipped: cannot run bash: {error}"),
    }
}

#[test]
fn the_man_page_of_the_program() {
    let run = animfmt("man").exits(0);
    for part in [
        ".TH animfmt 1",
        ".SH NAME",
        ".SH SYNOPSIS",
        "Exit status: 0 on success",
        ".SH EXAMPLES",
        "animfmt\\-convert(1)",
    ] {
        run.out_has(part);
    }
}

#[test]
fn a_man_page_for_each_command() {
    let folder = Folder::new();
    assert!(folder.run("man share/man1").exits(0).stdout().is_empty());
    let page = |name: &str| folder.text(&format!("share/man1/{name}.1"));
    let names = COMMANDS.map(|command| format!("animfmt-{command}"));
    let mut expected: Vec<String> = names.iter().map(|name| format!("{name}.1")).collect();
    expected.push("animfmt.1".to_owned());
    expected.sort();
    assert_eq!(folder.names("share/man1"), expected);
    assert_eq!(page("animfmt"), animfmt("man").exits(0).stdout());
    for (command, name) in COMMANDS.iter().zip(&names) {
        let page = page(name);
        assert!(page.contains(&format!(".TH {name} 1")), "{page}");
        assert!(page.contains(&format!("\\fBanimfmt {command}\\fR")), "{page}");
    }
    assert!(page("animfmt-convert").contains("\\fB\\-\\-morph\\-targets\\fR"));

    folder.write("share/man1/animfmt-info.1", "mine");
    folder.run("man share/man1").exits(2).err_has("--force");
    assert_eq!(page("animfmt-info"), "mine");
    folder.run("man share/man1 --force").exits(0);
    assert_ne!(page("animfmt-info"), "mine");
    animfmt("man /dev/null/x").exits(2).err_starts("error: cannot create the folder ");
}
