//! `animfmt completions` and `animfmt man`

use std::fs;
use std::process::Command;

use crate::{animfmt, names_in};

const COMMANDS: [&str; 9] =
    ["info", "check", "fmt", "convert", "sample", "split", "diff", "completions", "man"];

#[test]
fn completions_know_commands_and_options() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = animfmt(["completions", shell]).exits(0);
        assert!(run.stderr().is_empty());
        for word in COMMANDS.into_iter().chain(["rotation-order", "castle", "animfmt"]) {
            assert!(run.stdout().contains(word), "{shell}: {word}");
        }
    }
    let run = animfmt(["completions", "tcsh"]).exits(2);
    assert!(run.stdout().is_empty() && run.stderr().contains("possible values"), "{}", run.shown());
}

/// In the shell itself, where there is one.
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
    match Command::new("bash")
        .args(["--norc", "-c", script])
        .env("ANIMFMT", env!("CARGO_BIN_EXE_animfmt"))
        .output()
    {
        Ok(output) => {
            assert_eq!(String::from_utf8_lossy(&output.stdout), "convert\nglb gltf\n", "{output:?}")
        }
        Err(error) => eprintln!("not tested without bash: {error}"),
    }
}

#[test]
fn the_page_of_the_program() {
    let run = animfmt(["man"]).exits(0);
    for part in
        [".TH animfmt 1", ".SH NAME", ".SH SYNOPSIS", "Exit status: 0 fine", "animfmt\\-convert(1)"]
    {
        assert!(run.stdout().contains(part), "{part}\n{}", run.stdout());
    }
}

#[test]
fn a_page_for_each_command() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("share/man1");
    let man = |force: &[&str]| {
        animfmt(
            ["man".as_ref(), pages.as_os_str()].into_iter().chain(force.iter().map(AsRef::as_ref)),
        )
    };
    assert!(man(&[]).exits(0).stdout().is_empty());
    let mut expected: Vec<String> =
        COMMANDS.iter().map(|command| format!("animfmt-{command}.1")).collect();
    expected.push("animfmt.1".to_owned());
    expected.sort();
    assert_eq!(names_in(&pages), expected);
    let page = |name: &str| fs::read_to_string(pages.join(name)).unwrap();
    assert_eq!(page("animfmt.1"), animfmt(["man"]).exits(0).stdout());
    for command in COMMANDS {
        let page = page(&format!("animfmt-{command}.1"));
        assert!(
            page.contains(&format!(".TH animfmt-{command} 1"))
                && page.contains(&format!("\\fBanimfmt {command}\\fR")),
            "{page}"
        );
    }
    assert!(page("animfmt-convert.1").contains("\\fB\\-\\-morph\\-targets\\fR"));

    fs::write(pages.join("animfmt-info.1"), "mine").unwrap();
    assert!(man(&[]).exits(2).stderr().contains("--force"));
    assert_eq!(page("animfmt-info.1"), "mine");
    man(&["--force"]).exits(0);
    assert_ne!(page("animfmt-info.1"), "mine");
    assert!(
        animfmt(["man", "/dev/null/x"])
            .exits(2)
            .stderr()
            .starts_with("error: cannot make the folder ")
    );
}
