//! Unusual file names, locations and file systems.

#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use crate::program::{Folder, Run, command, glb_json, testdata};

/// Unusual but valid file names.
const NAMES: [&[u8]; 7] = [
    b"two  words .amo",
    b"new\nline.amo",
    b"tab\t and \x1b[31mred\x1b]0;title\x07.amo",
    b"no utf-8 \xff\xfe\x80.amo",
    b"-o.amo",
    b"--help",
    b"'\"$(touch x)`;&|\\.amo",
];

fn run_in(folder: &Folder, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Run {
    Run::of(command().args(args).current_dir(folder.root()), "", Some(folder))
}

/// Checks that the output is valid UTF-8 without control characters other than line breaks.
#[track_caller]
fn assert_harmless(run: &Run) {
    let text = run.output();
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
}

#[test]
fn names_of_inputs_and_outputs() {
    for name in NAMES {
        let folder = Folder::with(&[("x", "ok/spec.amo")]);
        fs::rename(folder.path("x"), folder.root().join(OsStr::from_bytes(name))).unwrap();
        let out = folder.root().join(OsStr::from_bytes(&[name, b".glb"].concat()));
        // Arguments after `--` are not options, and `-o` accepts any value.
        let output = [b"--output=", name, b".glb"].concat();
        for args in [
            ["info"].as_slice(),
            &["check"],
            &["sample", "--at", "0", "--clip", "tip"],
            &["convert"],
        ] {
            let mut args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
            if args[0] == "convert" {
                args.push(OsStr::from_bytes(&output));
            }
            args.extend([OsStr::new("--"), OsStr::from_bytes(name)]);
            assert_harmless(&run_in(&folder, args).exits(0));
        }
        glb_json(&fs::read(&out).unwrap());
        fs::remove_file(&out).unwrap();
        // Processes the same file as part of a folder, without naming it on the command line.
        assert_harmless(&folder.run("convert . -o out --to glb").exits(0));
        assert_eq!(fs::read_dir(folder.path("out")).unwrap().count(), 1);
        assert_eq!(fs::read_dir(folder.root()).unwrap().count(), 2, "nothing else was created");
    }
}

/// A file named `-` is not mistaken for standard input.
#[test]
fn a_file_called_hyphen() {
    let folder = Folder::with(&[("-", "ok/spec.amo")]);
    for given in ["./-", ".", "?"] {
        let run = folder.run(&format!("info {given}")).exits(0);
        assert!(run.stdout().starts_with("./-: Animated OBJ"), "{}", run.shown());
    }
}

/// Control characters in names inside files are escaped in all output.
#[test]
fn control_characters_in_files() {
    let folder = Folder::new();
    let text = "ao evil\u{1b}[2J\u{9b}31m\u{7}\nv 0 0 0\nj bone\u{1b}]0;x\u{7} -1\na \
                clip\u{1b}[8m\u{202e}\nap 0 1 0 0 0\nap 1 1 0 1 0\nhuh\u{1b}c 1\n";
    folder.write("evil.amo", text);
    for line in [
        "info evil.amo --all",
        "info evil.amo --json",
        "check evil.amo",
        "check evil.amo --json",
        "sample evil.amo --at 0",
        "sample evil.amo --at 0 --clip no\u{1b}[2Jsuch",
        "convert evil.amo -o x.amo",
        "convert evil.amo -o y.gltf --clip no\u{1b}[2Jsuch",
        "convert evil.amo -o z\u{1b}[2J/",
    ] {
        let run = folder.run(line);
        assert_harmless(&run);
        assert!(!run.output().is_empty(), "{line}");
    }
    // With `--color always`, the only escape sequences are those of the program.
    let mut colours = command();
    colours.args(["check", "evil.amo"]).current_dir(folder.root()).env("CLICOLOR_FORCE", "1");
    let text = String::from_utf8(colours.output().unwrap().stdout).unwrap();
    // E.g. `ESC [ 1 ; 31 m`.
    let is_colour = |sequence: &str| {
        let numbers = |c: char| c.is_ascii_digit() || c == ';';
        let end = sequence.strip_prefix('[').map(|rest| rest.trim_start_matches(numbers));
        end.is_some_and(|end| end.starts_with('m'))
    };
    assert!(text.contains("\u{1b}["), "{text:?}");
    assert!(text.split('\u{1b}').skip(1).all(is_colour), "{text:?}");
    assert!(!text.contains(['\u{7}', '\u{9b}', '\u{202e}']), "{text:?}");
}

#[test]
fn no_color() {
    let coloured = |variables: &[(&str, &str)], line: &str| {
        let mut command = command();
        let output =
            command.args(line.split(' ')).envs(variables.iter().copied()).output().unwrap();
        output.stdout.contains(&0x1b) || output.stderr.contains(&0x1b)
    };
    for line in [
        "info ok/spec.amo",
        "check err/O01_index_zero.amo",
        "info none",
        "check --explain amo-number",
    ] {
        assert!(!coloured(&[], line), "{line}: no terminal");
        assert!(coloured(&[("CLICOLOR_FORCE", "1")], line), "{line}");
        assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], line), "{line}");
    }
    // Data never contains colours.
    for line in [
        "info ok/spec.amo --json",
        "sample ok/spec.amo --at 0 --clip tip",
        "man",
        "completions zsh",
    ] {
        assert!(!coloured(&[("CLICOLOR_FORCE", "1")], line), "{line}");
    }
}

/// An input that was found in a folder is not overwritten, even under another path.
#[test]
fn outputs_that_are_inputs() {
    let folder = Folder::with(&[("in/sub/a.amo", "ok/spec.amo"), ("in/b.amo", "ok/static.amo")]);
    fs::create_dir(folder.path("out")).unwrap();
    fs::hard_link(folder.path("in/sub/a.amo"), folder.path("out/b.amo")).unwrap();
    symlink("../in/sub", folder.path("out/sub")).unwrap();
    let before = folder.read("in/sub/a.amo");
    for out in ["in", "out"] {
        let run = folder.run(&format!("convert in -o {out} --to amo --force")).exits(2);
        run.err_has("is an input, and inputs are never overwritten");
        assert_eq!(folder.names(out), ["b.amo", "sub"]);
    }
    assert_eq!(folder.read("in/sub/a.amo"), before);
}

/// An output must not be a buffer that the input references, under its own name or through links.
#[test]
fn companion_files_that_were_read_are_never_overwritten() {
    let folder = Folder::with(&[("a.amo", "ok/spec.amo")]);
    folder.run("convert a.amo -o w.gltf").exits(0);
    fs::rename(folder.path("w.gltf"), folder.path("v.gltf")).unwrap();
    let buffer = folder.read("w.bin");
    let refused = |line: &str, why: &str| {
        folder.run(line).exits(2).err_has(why);
        assert_eq!(folder.read("w.bin"), buffer);
    };
    let was_read = "was read for this output, and is never overwritten";
    refused("convert v.gltf -o w.gltf --force --up z", was_read);
    fs::hard_link(folder.path("w.bin"), folder.path("hard.bin")).unwrap();
    refused("convert v.gltf -o hard.gltf --force --up z", was_read);
    symlink("w.bin", folder.path("soft.bin")).unwrap();
    refused("convert v.gltf -o soft.gltf --force --up z", "link");
    folder.run("convert v.gltf -o x.gltf --up z").exits(0);
    folder.run("convert v.gltf -o x.gltf --force --up z").exits(0);

    let frames = "<animation><frame time='0' url='still.x3d'/></animation>";
    folder.write("a.kanim", frames);
    folder.write("still.x3d", "<X3D><Scene/></X3D>");
    folder.run("fmt a.kanim -o still.x3d --force").exits(2).err_has(was_read);
    assert_eq!(folder.text("still.x3d"), "<X3D><Scene/></X3D>");
    folder.run("fmt a.kanim -o b.kanim --force").exits(0);
}

#[test]
fn a_file_of_a_folder_that_cannot_be_split_is_named() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).unwrap();
    folder.write("in/bad.bvh", "MOTION");
    let run = folder.run("convert in --to tmd-anm --split -o out/").exits(1);
    run.err_has("error: in/bad.bvh: line 1, column 1: ");
}

/// The output still refers to the image, so it must not replace it.
#[test]
fn images_that_an_unchanged_copy_refers_to_are_never_overwritten() {
    let folder = Folder::new();
    folder.write("t.png", "image");
    let gltf = r#"{"asset":{"version":"2.0"},"images":[{"uri":"t.png"}],"textures":[{"source":0}],
        "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}]}"#;
    folder.write("m.gltf", gltf);
    let x3d = "<X3D><Scene><Shape><Appearance><ImageTexture url='\"t.png\"'/></Appearance>\
               <Sphere/></Shape></Scene></X3D>";
    folder.write("m.x3d", x3d);
    for (input, format) in [("m.gltf", "gltf"), ("m.x3d", "x3d")] {
        let run = folder.run(&format!("convert {input} -o t.png --to {format} --force")).exits(2);
        run.err_has("was read for this output, and is never overwritten");
        assert_eq!(folder.text("t.png"), "image");
    }
}

/// Tests a read-only folder. Root can write to any folder, so the test is skipped for root.
#[test]
fn a_folder_without_permission() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    let set_mode =
        |mode| fs::set_permissions(folder.root(), fs::Permissions::from_mode(mode)).unwrap();
    folder.write("x.glb", "old");
    set_mode(0o555);
    if fs::write(folder.path("probe"), "").is_err() {
        for name in ["x.glb", "y.glb"] {
            let line = format!("convert ok/spec.amo --force -o OUT/{name}");
            folder.animfmt(&line).exits(2).err_has("cannot write ");
        }
        assert_eq!(folder.names(""), ["x.glb"]);
        assert_eq!(folder.text("x.glb"), "old");
    } else {
        eprintln!("skipped when run as root");
    }
    set_mode(0o755);
}

/// Tests a separate file system, if the system allows mounting one: full, then read-only. A test
/// with a limit on file sizes, which works on every system, is in `hostile.rs`.
/// With one thread, a file that does not fit is gone before the next one is written.
#[cfg(target_os = "linux")]
#[test]
fn a_full_or_read_only_disk() {
    let folder = Folder::new();
    let script = r#"
        mount -t tmpfs -o size=32k none "$1" || exit 77
        printf old > "$1/a.glb"
        "$2" convert ok/octopus_arm.amo -o "$1/a.glb" --force -q; echo "full $?"
        "$2" convert ok/octopus_arm.amo ok/static.amo -o "$1" --to glb -j 1 -q; echo "both $?"
        ls -A "$1"; cat "$1/a.glb"; echo
        mount -o remount,ro "$1"
        "$2" convert ok/static.amo -o "$1/a.glb" --force -q; echo "read-only $?"
        cat "$1/a.glb""#;
    let mut unshared = Command::new("unshare");
    unshared
        .args(["-rm", "sh", "-c", script, "sh"])
        .arg(folder.root())
        .arg(env!("CARGO_BIN_EXE_animfmt"));
    let output = match unshared.current_dir(testdata()).stdin(Stdio::null()).output() {
        Ok(output) if output.stdout.is_empty() => {
            return eprintln!("skipped: cannot mount a separate file system: {output:?}");
        }
        Ok(output) => output,
        Err(error) => return eprintln!("skipped: cannot mount a separate file system: {error}"),
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
