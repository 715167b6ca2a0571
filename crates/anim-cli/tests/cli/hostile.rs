//! Hostile environments and inputs: endless streams, full disks, closed pipes, strange names.

#![cfg(unix)]

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::process::{Output, Stdio};

use crate::program::{self, Folder, Run, animfmt, command, fixture, testdata};

/// Runs a shell command in the folder of the fixtures.
fn shell(line: &str) -> Output {
    program::shell(&testdata(), line).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// X06: endless input is only read up to the limit.
#[test]
fn endless_input() {
    for (line, at_fault) in [
        ("animfmt info /dev/zero", "/dev/zero"),
        ("yes | animfmt info -", "<standard input>"),
        ("yes 'v 0 0 0' | animfmt convert - --from amo -o - --to glb", "<standard input>"),
        ("yes | animfmt sample /dev/stdin --at 0", "/dev/stdin"),
    ] {
        let output = shell(&format!("{line} --max-input 4M"));
        assert_eq!(output.status.code(), Some(1), "{line}\n{}", stderr(&output));
        let expected = format!("error: {at_fault}: the input must not exceed 4194304 bytes\n");
        assert!(stderr(&output).contains(&expected), "{}", stderr(&output));
        assert!(output.stdout.is_empty());
    }
}

/// Endless input reaches the default limit within 3 GB of address space.
#[cfg(target_os = "linux")]
#[test]
fn endless_input_with_the_default_limit() {
    let output = shell("ulimit -v 3000000; animfmt check --json /dev/zero");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("must not exceed 1073741824"), "{}", stderr(&output));
}

/// X07: a reader that closes the pipe early causes no error.
#[test]
fn closed_pipes_cause_no_error() {
    let many = ["ok/*.amo"; 8].join(" ");
    for args in [
        &format!("info {many}"),
        &format!("info --json {many}"),
        "info ok ok ok ok -j 4",
        &format!("check {}", many.replace("ok", "warn")),
        "check warn warn warn -j 4",
        "sample ok/octopus_arm.amo --clip wave --fps 10000",
        "sample ok/octopus_arm.amo --clip wave --fps 10000 --csv",
        "play ../cookbook/lamp.stt --script ../cookbook/evening.txt --fps 10000",
        "convert ok/octopus_arm.amo -o - --to glb -q",
        "completions zsh",
        "man",
        "--help",
    ] {
        let mut shell = program::shell(&testdata(), &format!("animfmt {args}"));
        let mut child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdout.take().unwrap().read_exact(&mut [0]).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{args}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_to_a_full_disk() {
    for line in [
        "animfmt info ok/spec.amo",
        "animfmt sample ok/spec.amo --clip tip --fps 1000",
        "animfmt play ../cookbook/lamp.stt --script ../cookbook/evening.txt --json",
        "animfmt convert ok/spec.amo -o - --to glb -q",
    ] {
        let output = shell(&format!("{line} > /dev/full"));
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.starts_with("error: cannot write to standard output: "), "{said}");
    }
}

/// X03: outputs that cannot be written. Existing files are kept, and no temporary files remain.
#[test]
fn outputs_that_are_not_regular_files() {
    let folder = Folder::new();
    for name in ["folder.glb", "out/spec.glb"] {
        fs::create_dir_all(folder.path(name)).unwrap();
    }
    folder.write("target.glb", "old");
    symlink("target.glb", folder.path("link.glb")).unwrap();
    symlink("nowhere", folder.path("dangling.glb")).unwrap();
    folder.shell("mkfifo pipe.glb").exits(0);
    for (out, why) in [
        ("OUT/link.glb", "it is a symbolic link"),
        ("OUT/dangling.glb", "it is a symbolic link"),
        ("OUT/pipe.glb", "it is not a regular file"),
        ("OUT/out", "/spec.glb: it is a folder"),
        ("OUT/target.glb/x.glb", "its folder does not exist"),
        ("/dev/null", "it is not a regular file"),
        ("/dev/full", "it is not a regular file"),
    ] {
        let line = format!("convert ok/spec.amo --force --to glb -o {out}");
        folder.animfmt(&line).exits(2).err_starts("error: cannot write ").err_has(why);
    }
    assert_eq!(folder.text("target.glb"), "old");
    assert_eq!(
        folder.names(""),
        ["dangling.glb", "folder.glb", "link.glb", "out", "pipe.glb", "target.glb"]
    );
}

/// Uses a folder in which not even root can create files.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_where_files_cannot_be_created() {
    animfmt("convert ok/spec.amo -o /proc/self/x.glb")
        .exits(2)
        .err_starts("error: ok/spec.amo: cannot write /proc/self/x.glb: ");
}

/// The disk fills up while a file is written: the old file is kept, and no partial file remains.
#[test]
fn a_full_disk() {
    let folder = Folder::new();
    let names = ["a.bin", "a.glb", "a.gltf"];
    names.iter().for_each(|name| folder.write(name, "old"));
    for name in ["a.glb", "a.gltf"] {
        let output = shell(&format!(
            "trap '' XFSZ; ulimit -f 1; animfmt convert ok/octopus_arm.amo --force -q -o '{}'",
            folder.path(name).display()
        ));
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("cannot write "), "{}", stderr(&output));
    }
    assert_eq!(folder.names(""), names);
    assert!(names.iter().all(|name| folder.text(name) == "old"));
}

/// X08: unusual names are accepted, and escaped in messages.
#[test]
fn names_of_inputs() {
    let folder = Folder::new();
    let name = OsStr::from_bytes(b"new\nline \x1b[31mred\xff\xe2\x80\xae.amo");
    let path = folder.root().join(name);
    fs::write(&path, fixture("err/O01_index_zero.amo")).unwrap();
    let shown = r"new\u{a}line \u{1b}[31mred\xff\u{202e}.amo";
    let run = |line: &str| Run::of(command().args(line.split(' ')).arg(&path), line, None);
    for command in ["info", "check"] {
        run(command).exits(1).out_has(shown).out_lacks("\u{1b}").out_lacks("\u{202e}");
    }
    let json = run("check --json").exits(1).json("check");
    assert!(json["files"][0]["file"].as_str().unwrap().contains("new\nline"));
    fs::remove_file(&path).unwrap();
    let missing = run("info").exits(2);
    missing.err_starts("error: ").err_has(shown);
    assert_eq!(missing.stderr().lines().count(), 1);
}

/// X09, X10: hostile tokens in files, and floods of them, cause only short, escaped messages.
#[test]
fn messages_are_short_and_harmless() {
    let folder = Folder::new();
    let mut text = String::from("ao x\nv 0 0 0\n");
    for number in 0..200_000 {
        writeln!(text, "\u{1b}]0;{number}\u{7}\u{202e} 1").unwrap();
    }
    writeln!(text, "{}", "\u{9b}".repeat(1 << 20)).unwrap();
    folder.write("flood.amo", text);
    for (args, count) in [
        ("check flood.amo", "… and 199991 more amo-keyword"),
        ("convert flood.amo -o x.glb", "… and 199991 more amo-keyword"),
        ("info flood.amo", "200001 warnings"),
    ] {
        let said = folder.run(&format!("{args} --from amo")).exits(0).output();
        assert!(said.len() < 20_000, "{}", said.len());
        assert!(said.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'), "{said}");
        assert!(said.lines().all(|line| line.len() < 600), "{said}");
        assert!(said.contains(count), "{said}");
    }
}

/// A named pipe that nobody writes to is refused without waiting for a writer; open pipes are read.
#[cfg(unix)]
#[test]
fn named_pipes_are_not_waited_for() {
    let folder = Folder::new();
    folder.shell("mkfifo pipe.amo").exits(0);
    for line in [
        "info pipe.amo",
        "check pipe.amo",
        "fmt pipe.amo",
        "convert pipe.amo -o x.glb",
        "sample pipe.amo --at 0",
        "convert pipe.amo --with pipe.amo -o x.glb",
    ] {
        let run = folder.run(line).exits(2);
        run.err_has(
            "pipe.amo: is a named pipe; redirect it to standard input, and pass `-` instead",
        );
    }
    folder.shell("echo 'v 0 0 0' | animfmt info --from amo /dev/stdin").exits(0);
    folder.shell("(echo 'v 0 0 0' > pipe.amo) & animfmt info --from amo - < pipe.amo").exits(0);
}

/// A folder with files from elsewhere may contain links to any file of the user.
#[test]
fn links_out_of_a_folder_are_not_read() {
    let folder = Folder::new();
    folder.write("in/a.amo", "ao x\nvj 1 0 0 0\n");
    folder.write("private/b.amo", "ao y\nvj 1 0 0 0\n");
    symlink("../private/b.amo", folder.path("in/b.amo")).unwrap();
    symlink("a.amo", folder.path("in/c.amo")).unwrap();
    let note = "note: in/b.amo skipped: symbolic link to a file outside of in\n";
    folder.run("convert in --to glb -o out").exits(0).err_has(note).err_has("1 other file skipped");
    assert_eq!(folder.names("out"), ["a.glb", "c.glb"]);
    for command in ["info in", "check in", "render in -o a.png", "diff in in"] {
        folder.run(command).exits(0).err_has(note).out_lacks("b.amo");
    }
    folder.run("check in -q").exits(0).err_lacks("note");
    folder.run("info in/b.amo").exits(0);
}
