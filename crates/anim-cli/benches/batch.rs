//! The program as a whole: a batch of 1,000 files on two threads against one, and what it costs to
//! start. `TMPDIR` says on which disk.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FILES: usize = 1_000;
/// One thread and two take turns, so that whatever else the machine does disturbs both.
const PAIRS: usize = 30;
const STARTS: u32 = 1_000;

fn main() {
    for (name, lines) in [
        ("spec.amo", ["convert in -q --to glb -o", "info in", "check in"].as_slice()),
        ("octopus_arm.amo", &["info in", "check in"]),
    ] {
        let source = fs::read_to_string(fixtures().join(name)).unwrap();
        // Without materials, which would be the same file again and again.
        let source: String = source
            .split_inclusive('\n')
            .filter(|line| !line.starts_with("mtllib") && !line.starts_with("usemtl"))
            .collect();
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("in")).unwrap();
        for number in 0..FILES {
            fs::write(folder.path().join(format!("in/{number:03}.amo")), &source).unwrap();
        }
        for line in lines {
            let mut best = [Duration::MAX; 2];
            for pair in 0..PAIRS {
                for (threads, best) in (1..).zip(&mut best) {
                    // A new folder each: ext4 is slow to make files again that have just been
                    // deleted.
                    let out = if line.ends_with("-o") {
                        format!(" out/{pair}/{threads}")
                    } else {
                        String::new()
                    };
                    *best = time(folder.path(), &format!("{line}{out} -j {threads}")).min(*best);
                }
            }
            let [one, two] = best.map(|time| time.as_secs_f64() * 1e3);
            println!(
                "{FILES} files of {} bytes, {line}: {one:.1} ms on one thread, {two:.1} ms on \
                 two, {:.2} times as fast",
                source.len(),
                one / two
            );
        }
    }
    if let Some(before) = children_user_time() {
        for _ in 0..STARTS {
            time(&fixtures(), "info spec.amo");
        }
        let spent = children_user_time().unwrap() - before;
        println!(
            "info of a small file: {:.2} ms of user time",
            spent.as_secs_f64() * 1e3 / f64::from(STARTS)
        );
    }
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/amo/ok")
}

/// How long a call of the program takes.
fn time(folder: &Path, line: &str) -> Duration {
    let mut command = Command::new(env!("CARGO_BIN_EXE_animfmt"));
    command.args(line.split(' ')).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
    let started = Instant::now();
    assert!(command.status().unwrap().success());
    started.elapsed()
}

/// User time of all children that have ended (`cutime` of proc(5), in hundredths of a second),
/// where the system says it so.
fn children_user_time() -> Option<Duration> {
    let line = fs::read_to_string("/proc/self/stat").ok()?;
    // The name in brackets may have blanks; the state behind it is the third field, and this the
    // sixteenth.
    let ticks: u64 = line.rsplit_once(')')?.1.split_whitespace().nth(13)?.parse().ok()?;
    Some(Duration::from_millis(ticks * 10))
}
