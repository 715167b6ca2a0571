//! Runs a contender in this process, on commands from standard input.

use std::fs;
use std::io::{self, BufRead as _, Write as _};
use std::time::Instant;

use cpu_time::ProcessTime;

use crate::Failure;
use crate::contender::{Spent, Work};

/// Measures wall time and the CPU time of all threads.
pub struct Watch(Instant, ProcessTime);

impl Watch {
    pub fn start() -> Watch {
        Watch(Instant::now(), ProcessTime::now())
    }

    pub fn stop(&self) -> Spent {
        Spent { wall: self.0.elapsed(), cpu: self.1.elapsed() }
    }
}

/// Responds to `check` with the contender's result as JSON, to `run` with wall and CPU time in
/// nanoseconds, and to `memory` with the peak memory since the check in bytes.
pub fn serve(mut work: Work) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        match line?.as_str() {
            "check" => {
                let (_, found) = work(true);
                // Resets the peak, if the system supports it.
                let _ = fs::write("/proc/self/clear_refs", "5");
                writeln!(output, "{}", serde_json::to_string(&found)?)?;
            }
            "run" => {
                let (spent, _) = work(false);
                writeln!(output, "{} {}", spent.wall.as_nanos(), spent.cpu.as_nanos())?;
            }
            "memory" => writeln!(output, "{}", peak_memory())?,
            other => return Err(format!("unknown command {other:?}").into()),
        }
        output.flush()?;
    }
    Ok(())
}

/// Returns the peak memory in bytes; 0 if the system does not report it.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or_default() * 1024
}
