//! What systems and people do to programs.

#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::{animfmt, command, names_in, testdata};

/// A line of the shell in the folder of the fixtures, `animfmt` being the program.
fn in_shell(line: &str) -> Command {
    let mut shell = Command::new("sh");
    let line = format!("animfmt() {{ '{}' \"$@\"; }}\n{line}", env!("CARGO_BIN_EXE_animfmt"));
    shell.args(["-c", &line]).current_dir(testdata()).stdin(Stdio::null());
    shell
}

fn shell(line: &str) -> Output {
    in_shell(line).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// X06: what never ends is read up to the limit, and no further.
#[test]
fn endless_input() {
    for (line, at_fault) in [
        ("animfmt info /dev/zero --max-input 4M", "/dev/zero"),
        ("yes | animfmt info - --max-input 4M", "<standard input>"),
        (
            "yes 'v 0 0 0' | animfmt convert - --from amo -o - --to glb --max-input 4M",
            "<standard input>",
        ),
        ("yes | animfmt sample /dev/stdin --at 0 --max-input 4M", "/dev/stdin"),
    ] {
        let output = shell(line);
        assert_eq!(output.status.code(), Some(1), "{line}\n{}", stderr(&output));
        assert!(
            stderr(&output).contains(&format!(
                "error: {at_fault}: the input has 4194305 bytes, more than the limit of 4194304"
            )),
            "{}",
            stderr(&output)
        );
        assert!(output.stdout.is_empty());
    }
}

/// The same without a word about limits, in three gigabytes of address space.
#[cfg(target_os = "linux")]
#[test]
fn endless_input_with_the_default_limit() {
    let output = shell("ulimit -v 3000000; animfmt check --json /dev/zero");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("more than the limit of 1073741824"), "{}", stderr(&output));
}

/// X07: whoever reads has read enough.
#[test]
fn closed_pipes_are_quiet() {
    let many = "ok/*.amo ok/*.amo ok/*.amo ok/*.amo ok/*.amo ok/*.amo ok/*.amo ok/*.amo";
    for line in [
        format!("animfmt info {many}"),
        format!("animfmt info --json {many}"),
        format!("animfmt check {}", many.replace("ok", "warn")),
        "animfmt sample ok/octopus_arm.amo --clip wave --fps 10000".to_owned(),
        "animfmt sample ok/octopus_arm.amo --clip wave --fps 10000 --csv".to_owned(),
        "animfmt convert ok/octopus_arm.amo -o - --to glb -q".to_owned(),
        "animfmt --help".to_owned(),
    ] {
        let mut child =
            in_shell(&line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdout.take().unwrap().read_exact(&mut [0]).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output() {
    for line in [
        "animfmt info ok/spec.amo",
        "animfmt sample ok/spec.amo --clip tip --fps 1000",
        "animfmt convert ok/spec.amo -o - --to glb -q",
    ] {
        let output = shell(&format!("{line} > /dev/full"));
        assert_eq!(output.status.code(), Some(2));
        assert!(
            stderr(&output).starts_with("error: cannot write to standard output: "),
            "{}",
            stderr(&output)
        );
    }
}

/// X03: outputs that cannot be written. What was there stays, and nothing is left beside it.
#[test]
fn outputs_that_are_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("folder.glb")).unwrap();
    fs::create_dir(path("out")).unwrap();
    fs::create_dir(path("out/spec.glb")).unwrap();
    fs::write(path("target.glb"), "old").unwrap();
    symlink("target.glb", path("link.glb")).unwrap();
    symlink("nowhere", path("dangling.glb")).unwrap();
    assert!(Command::new("mkfifo").arg(path("pipe.glb")).status().unwrap().success());
    let convert = |out: &Path| {
        animfmt([
            "convert".as_ref(),
            "ok/spec.amo".as_ref(),
            "--force".as_ref(),
            "--to".as_ref(),
            "glb".as_ref(),
            "-o".as_ref(),
            out.as_os_str(),
        ])
    };
    for (out, why) in [
        ("link.glb", "it is a symbolic link"),
        ("dangling.glb", "it is a symbolic link"),
        ("pipe.glb", "it is no regular file"),
        ("out", "/spec.glb: it is a folder"),
        ("target.glb/x.glb", "its folder does not exist"),
    ] {
        let run = convert(&path(out)).exits(2);
        assert!(
            run.stderr().starts_with("error: cannot write ") && run.stderr().contains(why),
            "{}",
            run.stderr()
        );
    }
    for out in ["/dev/null", "/dev/full"] {
        assert!(convert(Path::new(out)).exits(2).stderr().contains("it is no regular file"));
    }
    assert_eq!(fs::read(path("target.glb")).unwrap(), b"old");
    assert_eq!(
        names_in(folder.path()),
        ["dangling.glb", "folder.glb", "link.glb", "out", "pipe.glb", "target.glb"]
    );
}

/// Nobody, root neither, makes files there.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_files() {
    let run = animfmt(["convert", "ok/spec.amo", "-o", "/proc/self/x.glb"]).exits(2);
    assert!(
        run.stderr().starts_with("error: ok/spec.amo: cannot write /proc/self/x.glb: "),
        "{}",
        run.stderr()
    );
}

/// A disk that is full in the middle of a file: the old one stays, and no half one is left.
#[test]
fn a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.glb", "a.gltf", "a.bin"] {
        fs::write(folder.path().join(name), "old").unwrap();
    }
    for name in ["a.glb", "a.gltf"] {
        let out = folder.path().join(name);
        let output = shell(&format!(
            "trap '' XFSZ; ulimit -f 1; animfmt convert ok/octopus_arm.amo --force -q -o '{}'",
            out.display()
        ));
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("cannot write "), "{}", stderr(&output));
    }
    assert_eq!(names_in(folder.path()), ["a.bin", "a.glb", "a.gltf"]);
    assert!(
        names_in(folder.path())
            .iter()
            .all(|name| fs::read(folder.path().join(name)).unwrap() == b"old")
    );
}

/// X08: names from hell work, and are printed so that they do no harm.
#[test]
fn names_of_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(OsStr::from_bytes(b"new\nline \x1b[31mred\xff\xe2\x80\xae.amo"));
    fs::copy(testdata().join("err/O01_index_zero.amo"), &path).unwrap();
    let shown = r"new\u{a}line \u{1b}[31mred\xff\u{202e}.amo";
    for (command, status) in [("info", 1), ("check", 1)] {
        let run = animfmt([command.as_ref(), path.as_os_str()]).exits(status);
        assert!(run.stdout().contains(shown), "{}", run.stdout());
        assert!(!run.stdout().contains(['\u{1b}', '\u{202e}']));
    }
    let json = animfmt(["check".as_ref(), "--json".as_ref(), path.as_os_str()]).exits(1);
    assert!(json.json("check")["files"][0]["file"].as_str().unwrap().contains("new\nline"));
    fs::remove_file(&path).unwrap();
    let missing = animfmt(["info".as_ref(), path.as_os_str()]).exits(2);
    assert!(
        missing.stderr().starts_with("error: ") && missing.stderr().contains(shown),
        "{}",
        missing.stderr()
    );
    assert_eq!(missing.stderr().lines().count(), 1);
}

/// X09, X10: hostile words in files, and floods of them.
#[test]
fn messages_are_short_and_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flood.amo");
    let mut file = fs::File::create(&path).unwrap();
    writeln!(file, "ao x\nv 0 0 0").unwrap();
    for number in 0..200_000 {
        writeln!(file, "\u{1b}]0;{number}\u{7}\u{202e} 1").unwrap();
    }
    writeln!(file, "{}", "\u{9b}".repeat(1 << 20)).unwrap();
    drop(file);
    for args in [["check", "--from"], ["convert", "--from"], ["info", "--from"]] {
        let mut command = command();
        command.args(args).arg("amo").arg(&path);
        if args[0] == "convert" {
            command.args(["--to", "glb", "-o"]).arg(folder.path());
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        for stream in [&output.stdout, &output.stderr] {
            let text = std::str::from_utf8(stream).unwrap();
            assert!(text.len() < 20_000, "{}", text.len());
            assert!(
                text.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'),
                "{text}"
            );
            assert!(text.lines().all(|line| line.len() < 600), "{text}");
        }
        let both = [output.stdout.as_slice(), &output.stderr].concat();
        let count =
            if args[0] == "info" { "200001 warnings" } else { "… and 199991 more amo-keyword" };
        assert!(
            String::from_utf8_lossy(&both).contains(count),
            "{}",
            String::from_utf8_lossy(&both)
        );
    }
}
