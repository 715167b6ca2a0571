//! The tables: what was measured, and what was asked.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::Failure;
use crate::contender::{Asked, Contender, Found, Spent, Subject};

/// The medians of a contender.
pub struct Row<'a> {
    pub contender: &'a Contender,
    pub units: Units,
    pub spent: Spent,
    pub memory: u64,
}

/// How much work a run is, in millions: bytes, unless the generator counts something else.
#[derive(Clone, Copy)]
pub struct Units {
    pub millions: f64,
    pub name: &'static str,
}

impl Row<'_> {
    /// The time that counts.
    pub fn time(&self) -> Duration {
        if self.contender.threads { self.spent.wall } else { self.spent.cpu }
    }

    fn rate(&self) -> f64 {
        self.units.millions / self.time().as_secs_f64()
    }
}

pub fn units(input: &Path, expected: &Found) -> Result<Units, Failure> {
    Ok(match expected.get("joint poses") {
        Some(poses) => Units { millions: poses / 1e6, name: "M/s" },
        None => Units { millions: fs::metadata(input)?.len() as f64 / 1e6, name: "MB/s" },
    })
}

pub fn heading() -> Result<String, Failure> {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpus.lines().find_map(|line| line.strip_prefix("model name"));
    let cpu = cpu.unwrap_or("unknown").trim_start_matches([' ', '\t', ':']);
    let threads = std::thread::available_parallelism()?;
    Ok(format!(
        "{cpu}, {threads} threads\n\n\
         | work | by | version | CPU time | wall time | rate | peak memory | of the first |\n\
         |---|---|---|--:|--:|--:|--:|--:|"
    ))
}

/// A line of the table. The last column is how much longer the contender takes than the first one.
pub fn row(subject: &Subject, row: &Row<'_>, rows: &[Row<'_>]) -> String {
    let first = rows.first().map_or(row.time(), Row::time);
    format!(
        "| {} | {} | {} | {} | {} | {:.0} {} | {} MB | {:.2} |",
        subject.name,
        row.contender.name,
        row.contender.version.text(),
        milliseconds(row.spent.cpu),
        milliseconds(row.spent.wall),
        row.rate(),
        row.units.name,
        row.memory / 1_000_000,
        row.time().as_secs_f64() / first.as_secs_f64(),
    )
}

fn milliseconds(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1e3;
    let decimals = if milliseconds < 10.0 { 2 } else { 0 };
    format!("{milliseconds:.decimals$} ms")
}

/// What was asked of a subject, and what was reached.
pub fn verdicts(subject: &Subject, rows: &[Row<'_>]) -> Vec<[String; 3]> {
    let of = |name: &str| rows.iter().find(|row| row.contender.name == name);
    let verdict = |asked: &Asked| match asked {
        Asked::Faster(who, times, than) => {
            let ratio = of(than)?.time().as_secs_f64() / of(who)?.time().as_secs_f64();
            Some((format!("{who}: {times} times as fast as {than}"), format!("{ratio:.2}")))
        }
        Asked::Rate(who, rate) => {
            let row = of(who)?;
            let asked = format!("{who}: {rate} {}", row.units.name);
            Some((asked, format!("{:.0}", row.rate())))
        }
        Asked::Costs { who, time, memory, than } => {
            let (row, other) = (of(who)?, of(than)?);
            let ratio = |of: fn(&Spent) -> Duration| {
                of(&row.spent).as_secs_f64() / of(&other.spent).as_secs_f64()
            };
            Some((
                format!("{who}: at most {time} of the time and {memory} of the memory of {than}"),
                format!(
                    "{:.2} wall, {:.2} CPU, {:.2} memory",
                    ratio(|spent| spent.wall),
                    ratio(|spent| spent.cpu),
                    row.memory as f64 / other.memory as f64
                ),
            ))
        }
    };
    let lines = subject.asked.iter().filter_map(verdict);
    lines.map(|(asked, reached)| [subject.name.to_owned(), asked, reached]).collect()
}

pub fn asked(verdicts: &[[String; 3]]) -> String {
    let lines = verdicts.iter().map(|line| format!("| {} |", line.join(" | ")));
    let head = ["| work | asked | reached |", "|---|---|---|"].map(str::to_owned);
    head.into_iter().chain(lines).collect::<Vec<_>>().join("\n")
}
