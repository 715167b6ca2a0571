//! Unusual names and places.

#![cfg(unix)]

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::convert::glb_json;
use crate::{command, names_in, testdata};

/// What nobody should call a file, and everybody may.
const NAMES: [&[u8]; 7] = [
    b"two  words .amo",
    b"new\nline.amo",
    b"tab\t and \x1b[31mred\x1b]0;title\x07.amo",
    b"no utf-8 \xff\xfe\x80.amo",
    b"-o.amo",
    b"--help",
    b"'\"$(touch x)`;&|\\.amo",
];

fn run_in(folder: &Path, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Output {
    command().args(args).current_dir(folder).output().unwrap()
}

/// What is said has no control characters but line ends, and no bytes that are no UTF-8.
#[track_caller]
fn assert_harmless(output: &Output) {
    for stream in [&output.stdout, &output.stderr] {
        let text = std::str::from_utf8(stream).expect("UTF-8");
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    }
}

/// The same bytes with `.glb` behind.
fn glb(name: &[u8]) -> OsString {
    OsString::from_vec([name, b".glb"].concat())
}

#[test]
fn names_of_inputs_and_outputs() {
    for name in NAMES {
        let folder = tempfile::tempdir().unwrap();
        let name = OsStr::from_bytes(name);
        fs::copy(testdata().join("ok/spec.amo"), folder.path().join(name)).unwrap();
        let out = glb(name.as_bytes());
        // What follows `--` is no option, and `-o` takes whatever follows it.
        let mut equals = OsString::from("--output=");
        equals.push(&out);
        for args in [
            vec!["info".as_ref(), "--".as_ref(), name],
            vec!["check".as_ref(), "--".as_ref(), name],
            vec![
                "sample".as_ref(),
                "--at".as_ref(),
                "0".as_ref(),
                "--clip".as_ref(),
                "tip".as_ref(),
                "--".as_ref(),
                name,
            ],
            vec!["convert".as_ref(), &equals, "--".as_ref(), name],
        ] {
            let output = run_in(folder.path(), args);
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            assert_harmless(&output);
        }
        glb_json(&fs::read(folder.path().join(&out)).unwrap());
        fs::remove_file(folder.path().join(&out)).unwrap();
        // And in a folder, where it is not given at all.
        let output = run_in(folder.path(), ["convert", ".", "-o", "out", "--to", "glb"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_harmless(&output);
        assert_eq!(fs::read_dir(folder.path().join("out")).unwrap().count(), 1);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else was made");
    }
}

/// A file is not standard input because of its name.
#[test]
fn a_file_called_hyphen() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(testdata().join("ok/spec.amo"), folder.path().join("-")).unwrap();
    for given in ["./-", ".", "?"] {
        let output = run_in(folder.path(), ["info", given]);
        assert_eq!(output.status.code(), Some(0), "{given}: {output:?}");
        assert!(output.stdout.starts_with(b"./-: Animated OBJ"), "{output:?}");
    }
}

/// Names inside of files: what acts on a terminal is shown, not done, whatever shows it.
#[test]
fn control_characters_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let text = "ao evil\u{1b}[2J\u{9b}31m\u{7}\nv 0 0 0\nj bone\u{1b}]0;x\u{7} -1\na \
                clip\u{1b}[8m\u{202e}\nap 0 1 0 0 0\nap 1 1 0 1 0\nhuh\u{1b}c 1\n";
    fs::write(folder.path().join("evil.amo"), text).unwrap();
    for args in [
        ["info", "evil.amo", "--all"].as_slice(),
        &["info", "evil.amo", "--json"],
        &["check", "evil.amo"],
        &["check", "evil.amo", "--json"],
        &["sample", "evil.amo", "--at", "0"],
        &["sample", "evil.amo", "--at", "0", "--clip", "no\u{1b}[2Jsuch"],
        &["convert", "evil.amo", "-o", "x.amo"],
        &["convert", "evil.amo", "-o", "y.gltf", "--clip", "no\u{1b}[2Jsuch"],
        &["convert", "evil.amo", "-o", "z\u{1b}[2J/"],
    ] {
        let output = run_in(folder.path(), args);
        assert_harmless(&output);
        assert!(!output.stdout.is_empty() || !output.stderr.is_empty(), "{args:?}");
    }
    // Neither where colours are wanted: then there are those of the program, and no others.
    let colours = command()
        .args(["check", "evil.amo"])
        .current_dir(folder.path())
        .env("CLICOLOR_FORCE", "1")
        .output()
        .unwrap();
    let text = String::from_utf8(colours.stdout).unwrap();
    // `ESC [ 1 ; 31 m` and the like.
    let is_colour = |sequence: &str| {
        let end = sequence
            .strip_prefix('[')
            .map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';'));
        end.is_some_and(|end| end.starts_with('m'))
    };
    assert!(text.contains("\u{1b}["), "{text:?}");
    assert!(text.split('\u{1b}').skip(1).all(is_colour), "{text:?}");
    assert!(!text.contains(['\u{7}', '\u{9b}', '\u{202e}']), "{text:?}");
}

#[test]
fn no_color() {
    let coloured = |variables: &[(&str, &str)], args: &[&str]| {
        let output = command().args(args).envs(variables.iter().copied()).output().unwrap();
        output.stdout.contains(&0x1b) || output.stderr.contains(&0x1b)
    };
    for args in [
        ["info", "ok/spec.amo"].as_slice(),
        &["check", "err/O01_index_zero.amo"],
        &["info", "none"],
        &["check", "--explain", "amo-number"],
    ] {
        assert!(coloured(&[("CLICOLOR_FORCE", "1")], args), "{args:?}");
        assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], args), "{args:?}");
    }
    // Data has no colours to begin with.
    for args in [
        ["info", "ok/spec.amo", "--json"].as_slice(),
        &["sample", "ok/spec.amo", "--at", "0", "--clip", "tip"],
        &["man"],
        &["completions", "zsh"],
    ] {
        assert!(!coloured(&[("CLICOLOR_FORCE", "1")], args), "{args:?}");
    }
}

/// `head` reads a line and goes.
#[test]
fn a_closed_pipe() {
    for args in [
        "sample ok/octopus_arm.amo --clip wave --fps 5000 --csv",
        "info ok ok ok ok -j 4",
        "check warn warn warn -j 4",
        "completions zsh",
        "man",
    ] {
        let line = format!(
            "{{ '{}' {args}; echo \"status $?\" >&2; }} | head -n 1",
            env!("CARGO_BIN_EXE_animfmt")
        );
        let output =
            Command::new("sh").args(["-c", &line]).current_dir(testdata()).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "status 0\n", "{args}");
        assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 1, "{args}");
    }
}

/// An input under another name, found in a folder, is no output either.
#[test]
fn outputs_that_are_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("in/sub")).unwrap();
    fs::create_dir(path("out")).unwrap();
    fs::copy(testdata().join("ok/spec.amo"), path("in/sub/a.amo")).unwrap();
    fs::copy(testdata().join("ok/static.amo"), path("in/b.amo")).unwrap();
    fs::hard_link(path("in/sub/a.amo"), path("out/b.amo")).unwrap();
    symlink("../in/sub", path("out/sub")).unwrap();
    let before = fs::read(path("in/sub/a.amo")).unwrap();
    for out in ["in", "out"] {
        let output = run_in(folder.path(), ["convert", "in", "-o", out, "--to", "amo", "--force"]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(
            String::from_utf8_lossy(&output.stderr)
                .contains("is an input; it is never written over"),
            "{output:?}"
        );
    }
    assert_eq!(fs::read(path("in/sub/a.amo")).unwrap(), before);
    assert_eq!(
        (names_in(&path("in")), names_in(&path("out"))),
        (vec!["b.amo".into(), "sub".into()], vec!["b.amo".into(), "sub".into()])
    );
}

/// A folder that nobody may write into; root may write into any.
#[test]
fn a_folder_without_permission() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.glb"), "old").unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    let forbidden = fs::write(folder.path().join("probe"), "").is_err();
    if forbidden {
        for name in ["x.glb", "y.glb"] {
            let out = folder.path().join(name);
            let output = run_in(
                &testdata(),
                [
                    "convert".as_ref(),
                    "ok/spec.amo".as_ref(),
                    "--force".as_ref(),
                    "-o".as_ref(),
                    out.as_os_str(),
                ],
            );
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            assert!(
                String::from_utf8_lossy(&output.stderr).contains("cannot write "),
                "{output:?}"
            );
        }
        assert_eq!(names_in(folder.path()), ["x.glb"]);
        assert_eq!(fs::read(folder.path().join("x.glb")).unwrap(), b"old");
    } else {
        eprintln!("not tested as root");
    }
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

/// A disk of our own, where the system lets us have one: full, then read-only. The same with a
/// limit on the size of files, which every system has, is in `hostile.rs`.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_takes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"
        mount -t tmpfs -o size=32k none "$1" || exit 77
        printf old > "$1/a.glb"
        "$2" convert ok/octopus_arm.amo -o "$1/a.glb" --force -q; echo "full $?"
        "$2" convert ok/octopus_arm.amo ok/static.amo -o "$1" --to glb -q; echo "both $?"
        ls -A "$1"; cat "$1/a.glb"; echo
        mount -o remount,ro "$1"
        "$2" convert ok/static.amo -o "$1/a.glb" --force -q; echo "read-only $?"
        cat "$1/a.glb""#;
    let mut unshared = Command::new("unshare");
    unshared
        .args(["-rm", "sh", "-c", script, "sh"])
        .arg(folder.path())
        .arg(env!("CARGO_BIN_EXE_animfmt"));
    let output = match unshared.current_dir(testdata()).stdin(Stdio::null()).output() {
        Ok(output) if output.stdout.is_empty() => {
            return eprintln!("not tested without a disk of our own: {output:?}");
        }
        Ok(output) => output,
        Err(error) => return eprintln!("not tested without a disk of our own: {error}"),
    };
    let expected = "full 2\nboth 1\na.glb\nstatic.glb\nold\nread-only 2\nold";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{output:?}");
    let stderr = String::from_utf8(output.stderr).unwrap();
    let causes: Vec<&str> =
        stderr.lines().filter_map(|line| line.rsplit_once(": ")).map(|(_, cause)| cause).collect();
    assert!(
        stderr.lines().all(|line| line.contains("cannot write ") && !line.contains(".anim-")),
        "{stderr}"
    );
    assert!(
        matches!(
            causes.as_slice(),
            [a, b, c] if a == b && a.contains("storage space") && c.contains("read-only")
        ),
        "{stderr}"
    );
}
