//! Output that depends on whether a stream is a terminal.

#![cfg(unix)]

use std::fs::File;
use std::io::Read as _;
use std::process::Stdio;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::program::{Folder, command};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stream {
    Out,
    Err,
}

/// Returns the program's output to a stream that is connected to a terminal.
fn on_terminal(stream: Stream, folder: &Folder, line: &str) -> String {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
    let terminal = File::options().read(true).write(true).open(name).unwrap();
    tcsetwinsize(&terminal, Winsize { ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 })
        .unwrap();
    let mut command = command();
    command
        .args(line.split(' '))
        .current_dir(folder.path(""))
        .env("TERM", "xterm")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    match stream {
        Stream::Out => command.stdout(terminal),
        Stream::Err => command.stderr(terminal),
    };
    let mut child = command.spawn().unwrap();
    // The command keeps the terminal open, so reading would never end.
    drop(command);
    let mut text = Vec::new();
    // Some systems report an error when the other end is closed.
    let _ = File::from(master).read_to_end(&mut text);
    assert!(child.wait().unwrap().code().is_some());
    String::from_utf8(text).unwrap()
}

#[test]
fn the_progress_bar_does_not_mix_with_messages() {
    let names: Vec<String> = (0..30).map(|number| format!("in/{number:02}.amo")).collect();
    let folder = Folder::with(
        &names.iter().map(|name| (name.as_str(), "ok/octopus_arm.amo")).collect::<Vec<_>>(),
    );
    let bar = " of 30 files, ";
    let shown = on_terminal(Stream::Err, &folder, "convert in -o out --to glb");
    assert!(shown.contains(bar), "{shown:?}");
    // Each line contains either the bar or a message, never both.
    let plain = shown.replace("\u{1b}[1m", "").replace("\u{1b}[0m", "").replace("\u{1b}[2K", "\r");
    let lines: Vec<&str> = plain.split(['\r', '\n']).collect();
    let written =
        |line: &&&str| line.starts_with("wrote out/") && line.ends_with(" kB): 1 warning");
    assert_eq!(lines.iter().filter(written).count(), 30, "{shown:?}");
    assert!(lines.contains(&"30 files: 30 converted"), "{shown:?}");
    for line in ["check in", "info in --json", "convert in -o out --to glb --force --json"] {
        assert!(
            on_terminal(Stream::Err, &folder, line).contains(bar),
            "{line}: standard output is not a terminal"
        );
    }
    for line in [
        "convert in -o out --to glb --force -q",
        "convert in/00.amo -o out/00.glb --force",
        "info in/00.amo",
    ] {
        assert!(!on_terminal(Stream::Err, &folder, line).contains(" files, "), "{line}");
    }
    folder.run("convert in -o out --to glb --force").exits(0).err_lacks(bar).err_lacks("\u{1b}");
}

/// Names in CSV are escaped on a terminal, and unchanged otherwise.
#[test]
fn names_in_csv() {
    let folder = Folder::new();
    folder.write(
        "evil.amo",
        "ao x\nv 0 0 0\nj bone\u{1b}]0;x\u{7} -1\na clip\nap 0 1 0 0 0\nap 1 1 0 1 0\n",
    );
    let line = "sample evil.amo --at 0 --csv";
    folder.run(line).exits(0).out_has(",bone\u{1b}]0;x\u{7},");
    let shown = on_terminal(Stream::Out, &folder, line);
    assert!(
        shown.contains(r",bone\u{1b}]0;x\u{7},") && !shown.contains(['\u{1b}', '\u{7}']),
        "{shown:?}"
    );
}
