//! The tables of measurements and of targets.

use std::fs;
use std::path::Path;

use crate::Failure;
use crate::contender::{Asked, Contender, Found, Spent, Subject};

/// The measurements of a contender.
pub struct Row<'a> {
    pub contender: &'a Contender,
    pub units: Units,
    /// The time of each round.
    pub rounds: Vec<Spent>,
    pub memory: u64,
}

/// The amount of work in a run, in millions of bytes or joint poses.
#[derive(Clone, Copy)]
pub struct Units {
    pub millions: f64,
    pub name: &'static str,
}

impl Row<'_> {
    /// Seconds of wall time.
    fn wall(spent: &Spent) -> f64 {
        spent.wall.as_secs_f64()
    }

    /// Seconds of CPU time.
    fn cpu(spent: &Spent) -> f64 {
        spent.cpu.as_secs_f64()
    }

    /// The kind of time to compare, in seconds.
    fn time(&self) -> fn(&Spent) -> f64 {
        if self.contender.threads { Self::wall } else { Self::cpu }
    }

    fn median_of(&self, of: fn(&Spent) -> f64) -> f64 {
        median(self.rounds.iter().map(of))
    }

    /// The median time in seconds.
    pub fn median_time(&self) -> f64 {
        self.median_of(self.time())
    }

    fn rate(&self) -> f64 {
        self.units.millions / self.median_time()
    }

    /// The ratio of this time to another contender's. It is the median of the ratios of all rounds,
    /// since the speed of the machine varies between rounds.
    fn ratio(&self, other: &Row<'_>, of: [fn(&Spent) -> f64; 2]) -> f64 {
        let [own, others] = of;
        let rounds = self.rounds.iter().zip(&other.rounds);
        median(rounds.map(|(spent, other)| own(spent) / others(other)))
    }

    fn time_of(&self, other: &Row<'_>) -> f64 {
        self.ratio(other, [self.time(), other.time()])
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut all: Vec<f64> = values.collect();
    all.sort_unstable_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or_default()
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
         | work | by | version | CPU time | wall time | rate | peak memory | relative time |\n\
         |---|---|---|--:|--:|--:|--:|--:|"
    ))
}

/// A row of the table. The last column is the contender's time relative to the first one's.
pub fn row(subject: &Subject, row: &Row<'_>, rows: &[Row<'_>]) -> String {
    format!(
        "| {} | {} | {} | {} | {} | {:.0} {} | {} MB | {:.2} |",
        subject.name,
        row.contender.name,
        row.contender.version.text(),
        milliseconds(row.median_of(Row::cpu)),
        milliseconds(row.median_of(Row::wall)),
        row.rate(),
        row.units.name,
        row.memory / 1_000_000,
        rows.first().map_or(1.0, |first| row.time_of(first)),
    )
}

fn milliseconds(seconds: f64) -> String {
    let milliseconds = seconds * 1e3;
    let decimals = if milliseconds < 10.0 { 2 } else { 0 };
    format!("{milliseconds:.decimals$} ms")
}

/// The targets of a subject, with the measured values.
pub fn verdicts(subject: &Subject, rows: &[Row<'_>]) -> Vec<[String; 3]> {
    let of = |name: &str| rows.iter().find(|row| row.contender.name == name);
    let verdict = |asked: &Asked| match asked {
        Asked::Faster(who, times, than) => {
            let ratio = of(than)?.time_of(of(who)?);
            Some((format!("{who}: {times} times as fast as {than}"), format!("{ratio:.2}")))
        }
        Asked::Rate(who, rate) => {
            let row = of(who)?;
            let asked = format!("{who}: {rate} {}", row.units.name);
            Some((asked, format!("{:.0}", row.rate())))
        }
        Asked::Costs { who, time, memory, than } => {
            let (row, other) = (of(who)?, of(than)?);
            Some((
                format!("{who}: at most {time} of the time and {memory} of the memory of {than}"),
                format!(
                    "{:.2} wall, {:.2} CPU, {:.2} memory",
                    row.ratio(other, [Row::wall; 2]),
                    row.ratio(other, [Row::cpu; 2]),
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
    let head = ["| work | target | measured |", "|---|---|---|"].map(str::to_owned);
    head.into_iter().chain(lines).collect::<Vec<_>>().join("\n")
}
