//! A conversion that is killed at any time leaves either the old file or the new file.

#![cfg(unix)]

use std::fs;
use std::hint;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Folder, command, shell};

const RUNS: u32 = 200;
/// The size of the image. Writing it takes most of the conversion time.
const IMAGE: usize = 4 << 20;
const OLD: &[u8] = b"what was there before";

/// When to kill the conversion.
#[derive(Debug)]
enum Moment {
    /// This long after the start.
    After(Duration),
    /// When the temporary file has this many bytes.
    Written(u64),
    /// This long after the temporary file is complete: before, during or after its renaming.
    Moved(Duration),
}

/// A folder with an animation whose image is embedded in the output.
struct Setting(Folder);

impl Setting {
    fn new() -> Setting {
        let folder = Folder::with(&[
            ("octopus_arm.amo", "ok/octopus_arm.amo"),
            ("octopus_arm.mtl", "ok/octopus_arm.mtl"),
        ]);
        let chunk = |kind: &[u8], data: &[u8]| {
            [&u32::try_from(data.len()).unwrap().to_be_bytes(), kind, data, b"sum!"].concat()
        };
        let image = [
            b"\x89PNG\r\n\x1a\n".to_vec(),
            chunk(b"IHDR", &[0; 13]),
            chunk(b"IDAT", &vec![7; IMAGE]),
            chunk(b"IEND", b""),
        ]
        .concat();
        folder.write("octopus_arm.png", image);
        fs::create_dir(folder.path("out")).unwrap();
        Setting(folder)
    }

    fn output(&self) -> PathBuf {
        self.0.path("out/x.glb")
    }

    fn start(&self) -> Child {
        let mut command = command();
        let line = "convert octopus_arm.amo -o out/x.glb --force -q";
        command.args(line.split(' ')).current_dir(self.0.root());
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Returns the temporary files left by killed runs.
    fn temporary_files(&self) -> Vec<PathBuf> {
        let mut names = self.0.names("out");
        names.retain(|name| name.starts_with(".anim-") && name.ends_with(".tmp"));
        names.into_iter().map(|name| self.0.path("out").join(name)).collect()
    }
}

/// Waits until the given time, or until the conversion ends.
fn wait_for(
    moment: &Moment,
    setting: &Setting,
    left_before: &[PathBuf],
    whole: u64,
    child: &mut Child,
) {
    let started = Instant::now();
    let size = || {
        let new = setting.temporary_files().into_iter().find(|path| !left_before.contains(path));
        new.and_then(|path| path.metadata().ok()).map_or(0, |metadata| metadata.len())
    };
    // If the file no longer exists, it has been renamed.
    let is_moved = || fs::metadata(setting.output()).is_ok_and(|metadata| metadata.len() == whole);
    let wait = |time: &Duration, since: Instant| {
        while since.elapsed() < *time {
            hint::spin_loop();
        }
    };
    match moment {
        Moment::After(time) => wait(time, started),
        Moment::Written(bytes) => {
            while size() < *bytes && !is_moved() && child.try_wait().unwrap().is_none() {}
        }
        Moment::Moved(time) => {
            while size() < whole && !is_moved() && child.try_wait().unwrap().is_none() {}
            wait(time, Instant::now());
        }
    }
}

#[test]
fn either_the_old_or_the_new_file_remains() {
    let setting = Setting::new();
    let time_of_a_run = || {
        let started = Instant::now();
        assert!(setting.start().wait().unwrap().success());
        started.elapsed()
    };
    let mut lengths = [(); 9].map(|()| time_of_a_run());
    lengths.sort();
    let length = lengths[4];
    let new = fs::read(setting.output()).unwrap();
    assert!(new.len() > IMAGE && new.starts_with(b"glTF"));
    let whole = new.len() as u64;
    fs::write(setting.output(), OLD).unwrap();

    let (mut old_stayed, mut new_came, mut cut_off) = (0, 0, 0);
    for run in 0..RUNS {
        // Between 0 and 1, in thousandths: multiples of the golden ratio are evenly distributed.
        let part = run * 618 % 1000;
        let moment = match run % 4 {
            0 => Moment::After(length * part / 1000),
            1 | 2 => Moment::Written(whole * u64::from(part) / 1000),
            _ => Moment::Moved(Duration::from_micros(u64::from(part / 2))),
        };
        let left_before = setting.temporary_files();
        let mut child = setting.start();
        wait_for(&moment, &setting, &left_before, whole, &mut child);
        child.kill().unwrap();
        child.wait().unwrap();

        let found = fs::read(setting.output()).unwrap();
        if found == OLD {
            old_stayed += 1;
        } else {
            assert!(
                found == new,
                "run {run}, {moment:?}: {} bytes that are neither the old file nor the new one",
                found.len()
            );
            new_came += 1;
            fs::write(setting.output(), OLD).unwrap();
        }
        let left = setting.temporary_files();
        let names = setting.0.names("out");
        assert_eq!(names.len(), left.len() + 1, "nothing else is left: {names:?}");
        let is_cut = |path: &PathBuf| {
            !left_before.contains(path) && (1..whole).contains(&path.metadata().unwrap().len())
        };
        cut_off += u32::from(left.iter().any(is_cut));
        // Most runs find temporary files left by earlier runs.
        if run % 10 == 9 {
            left.iter().for_each(|path| fs::remove_file(path).unwrap());
        }
    }
    println!("a run takes {length:?}; old {old_stayed}, new {new_came}, cut off {cut_off}");
    assert_eq!(old_stayed + new_came, RUNS);
    assert!(
        old_stayed >= 10 && new_came >= 10 && cut_off >= 5,
        "old {old_stayed}, new {new_came}, killed while writing {cut_off}"
    );

    // Leftover files have no effect.
    for number in 0..3 {
        setting.0.write(&format!("out/.anim-{number}.tmp"), "glTF cut off");
    }
    assert!(setting.start().wait().unwrap().success());
    assert_eq!(fs::read(setting.output()).unwrap(), new);
    setting.0.run("info --json .").out_has("x.glb").out_lacks(".anim-");
}

/// SIGHUP, SIGINT and SIGTERM leave no temporary file, and the exit status is the one that shells
/// report for them.
#[test]
fn signals_leave_no_temporary_files() {
    use rustix::process::{Pid, Signal, kill_process};

    // SIGHUP is handled where it is known not to be ignored, as it is if the tests run under nohup.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let hangup = (ignored.is_some_and(|mask| mask & 1 == 0)).then_some((Signal::HUP, 129));
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143)].into_iter().chain(hangup) {
        let setting = Setting::new();
        fs::write(setting.output(), OLD).unwrap();
        // A run may end before the signal arrives. Repeat until five are interrupted.
        let (mut run, mut ended) = (0_u64, 0);
        while ended < 5 {
            assert!(run < 5000, "{signal:?}: {ended} of {run} runs were ended");
            let mut child = setting.start();
            // The handler is installed before anything is written.
            let moment = Moment::Written(IMAGE as u64 * (run % 40) / 40 + 1);
            run += 1;
            wait_for(&moment, &setting, &[], u64::MAX, &mut child);
            let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
            let _ = kill_process(pid, signal);
            let found = child.wait().unwrap().code();
            assert!(found == Some(status) || found == Some(0), "{signal:?}: {found:?}");
            ended += u32::from(found == Some(status));
            assert_eq!(setting.0.names("out"), ["x.glb"], "{signal:?}");
            if found == Some(status) && fs::read(setting.output()).unwrap() != OLD {
                // The signal arrived after the file was renamed.
                assert!(fs::read(setting.output()).unwrap().starts_with(b"glTF"));
            }
            fs::write(setting.output(), OLD).unwrap();
        }
    }
}

/// The program can be interrupted while it waits for standard input.
#[test]
fn waiting_for_input_can_be_interrupted() {
    use rustix::process::{Pid, Signal, kill_process};

    let mut command = command();
    let mut child =
        command.args(["info", "-"]).stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // Standard input stays open until the program has ended.
    let stdin = child.stdin.take();
    // By then, the handler is installed.
    std::thread::sleep(Duration::from_millis(300));
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(pid, Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(stdin);
}

/// `nohup` has SIGHUP ignored, and it stays ignored.
#[test]
fn an_ignored_hangup_does_not_end_the_program() {
    use rustix::process::{Pid, Signal, kill_process};

    let folder = Folder::with(&[("x.amo", "ok/spec.amo")]);
    let program = command().get_program().to_str().unwrap().to_owned();
    let mut shell = shell(folder.root(), &format!("trap '' HUP; exec {program} info -"));
    let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    kill_process(Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap(), Signal::HUP).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    child.stdin.take().unwrap().write_all(&folder.read("x.amo")).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A limit on the size of files is an error like a full disk: it is reported, and nothing is left.
#[test]
fn files_beyond_the_size_limit() {
    let setting = Setting::new();
    let program = command().get_program().to_str().unwrap().to_owned();
    let line = format!("ulimit -f 16; exec {program} convert octopus_arm.amo -o out/x.glb");
    let run = setting.0.shell(&line).exits(2);
    run.err_has("cannot write out/x.glb");
    assert_eq!(setting.0.names("out"), [""; 0]);
}

/// Temporary files are closed before they are renamed, so more files can be written than may be
/// open.
#[test]
fn more_files_than_may_be_open() {
    let folder = Folder::with(&[]);
    let frame = |number: u32| {
        format!("<frame time=\"{number}\"><X3D><Scene><Shape><Box/></Shape></Scene></X3D></frame>")
    };
    let frames: String = (0..60).map(frame).collect();
    let text = format!("<animations><animation name=\"a\">{frames}</animation></animations>");
    folder.write("x.kanim", text.as_bytes());
    let program = command().get_program().to_str().unwrap().to_owned();
    let line = format!("ulimit -n 40; exec {program} convert x.kanim --extract -o out/x.kanim");
    fs::create_dir(folder.root().join("out")).unwrap();
    folder.shell(&line).exits(0);
    assert_eq!(folder.names("out").len(), 61);
}
