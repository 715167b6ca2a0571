//! Runs the contenders of each subject in alternating rounds: A B C, A B C, …

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::contender::{Contender, Found, Subject};
use crate::growth;
use crate::process::Runner;
use crate::report::{self, Row};
use crate::subjects::subjects;

const ROUNDS: usize = 7;
/// The maximum relative difference between a contender's result and the expected one.
const TOLERANCE: f64 = 1e-5;

pub fn run(words: &[&str]) -> Result<(), Failure> {
    let (mut rounds, mut growth, mut names) = (ROUNDS, false, Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--rounds" => rounds = words.next().ok_or("--rounds needs a number")?.parse()?,
            "--growth" => growth = true,
            name if name.starts_with('-') => return Err(format!("unknown option {name}").into()),
            name => names.push(name),
        }
    }
    let wanted = |subject: &Subject| {
        names.is_empty() || names.iter().any(|name| subject.name.contains(name))
    };
    let subjects: Vec<Subject> = subjects().into_iter().filter(wanted).collect();
    if growth {
        return growth::run(&subjects, rounds);
    }
    println!("{}", report::heading()?);
    let mut verdicts = Vec::new();
    for subject in &subjects {
        let rows = of_subject(subject, rounds)?;
        for row in &rows {
            println!("{}", report::row(subject, row, &rows));
        }
        verdicts.extend(report::verdicts(subject, &rows));
    }
    println!("\n{}", report::asked(&verdicts));
    Ok(())
}

/// Returns the folder for inputs and outputs.
pub fn folder() -> Result<PathBuf, Failure> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/peers");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Generates the input of a subject. Runs in a separate process, because the peak memory of a
/// process on Linux is inherited by its children.
pub fn make(subject: &Subject, megabytes: usize) -> Result<(PathBuf, Found), Failure> {
    let path = folder()?.join(subject.input.file_name());
    let mut maker = Command::new(std::env::current_exe()?);
    maker.args(["--make", subject.input.name(), &megabytes.to_string()]).arg(&path);
    let output = maker.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok((path, serde_json::from_slice(&output.stdout)?))
}

fn of_subject<'a>(subject: &'a Subject, rounds: usize) -> Result<Vec<Row<'a>>, Failure> {
    let (input, expected) = make(subject, subject.megabytes)?;
    let units = report::units(&input, &expected)?;
    let mut runners = Vec::new();
    for contender in &subject.contenders {
        match ready(subject, contender, &input, &expected) {
            Ok(runner) => runners.push((contender, runner, Vec::new())),
            Err(error) => eprintln!("skipped: {} ({}): {error}", contender.name, subject.name),
        }
    }
    for _ in 0..rounds {
        for (_, runner, spent) in &mut runners {
            spent.push(runner.run()?);
        }
    }
    runners
        .into_iter()
        .map(|(contender, mut runner, spent)| {
            Ok(Row { contender, units, rounds: spent, memory: runner.memory()? })
        })
        .collect()
}

/// Starts a contender and checks its result.
pub fn ready(
    subject: &Subject,
    contender: &Contender,
    input: &Path,
    expected: &Found,
) -> Result<Runner, Failure> {
    let mut runner = Runner::start(subject.name, contender, input)?;
    let found = runner.check()?;
    for (name, value) in &found {
        let wanted = expected
            .get(name)
            .ok_or_else(|| format!("the input has no expected value for {name}"))?;
        let difference = (value - wanted).abs() / wanted.abs();
        if difference.is_nan() || difference > TOLERANCE {
            return Err(format!("wrong result: {name} is {value}, expected {wanted}").into());
        }
    }
    if found.is_empty() { Err("no result".into()) } else { Ok(runner) }
}
