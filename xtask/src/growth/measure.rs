//! Measures a program.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use wait4::Wait4 as _;

use xtask::Failure;

/// The resources that the program may use before it is ended, in seconds of CPU time and in KiB of
/// address space.
const LIMITS: &str = "ulimit -t 10 -v 8000000; exec \"$@\"";

/// The resources that a run of the program used.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    /// CPU time, in the program and in the system.
    pub(super) time: Duration,
    /// Peak memory, in bytes.
    pub(super) memory: usize,
    /// Whether the program reported that a limit was exceeded.
    pub(super) refused: bool,
    /// How the program failed, other than by reporting errors in its input.
    pub(super) failure: Option<String>,
}

impl Reading {
    /// Keeps the lower time and the lower memory use of two runs, and any failure.
    pub(super) fn keep_lower(&mut self, other: Reading) {
        self.time = self.time.min(other.time);
        self.memory = self.memory.min(other.memory);
        self.refused |= other.refused;
        self.failure = self.failure.take().or(other.failure);
    }
}

/// Runs a program and measures the resources it uses. Its messages are written to a file.
pub(super) fn run_measured(
    program: &Path,
    arguments: &[&Path],
    messages: &Path,
) -> Result<Reading, Failure> {
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.args(["-c", LIMITS, "sh"]).arg(program);
        shell
    } else {
        Command::new(program)
    };
    let mut child = command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(messages)?)
        .spawn()?;
    let used = child.wait4()?;
    let text = fs::read(messages)?;
    let text = String::from_utf8_lossy(&text);
    // Status 1 reports errors in the input, and 2 that the command does not apply to it, unless
    // the arguments were wrong.
    let is_expected = match used.status.code() {
        Some(0 | 1) => true,
        Some(2) => !text.contains("Usage:") && !text.contains("--help"),
        _ => false,
    };
    let failure = (!is_expected).then(|| {
        let last = text.lines().rfind(|line| !line.is_empty()).unwrap_or_default();
        format!("{}: {last}", used.status)
    });
    Ok(Reading {
        time: used.rusage.utime + used.rusage.stime,
        memory: usize::try_from(used.rusage.maxrss)?,
        refused: text.contains("--max-memory") || text.contains("must not exceed"),
        failure,
    })
}
