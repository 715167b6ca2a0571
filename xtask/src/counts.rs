//! `cargo xtask counts`: counts the instructions of small workloads and compares them with a table.
//! Unlike times, counts do not depend on the load of the machine.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use xtask::{Failure, cargo, root, table};

/// The maximum allowed ratio to the count in the table. Counts vary by up to 0.2 % between runs,
/// since hash maps have random seeds.
const ROOM: f64 = 1.03;
/// With several codegen units, inlining depends on how the compiler partitions a crate, which
/// changes counts by up to 20 %.
const PROFILE: &str = "profile.release.codegen-units=1";
const HEAD: &str = "# Instructions of each workload of xtask/examples/workloads on x86-64 Linux; \
                    `cargo xtask counts --set` writes this file.";

pub(crate) fn run(arguments: &[String]) -> Result<bool, Failure> {
    let set = match arguments {
        [] => false,
        [argument] if argument == "--set" => true,
        _ => return Err("counts accepts no argument except --set".into()),
    };
    if let Some(reason) = missing()? {
        println!("skipped: {reason}");
        return Ok(!set);
    }
    let program = build()?;
    let names = success(Command::new(&program).output()?)?;
    let counted: Vec<(String, u64)> = String::from_utf8(names.stdout)?
        .lines()
        .map(|name| Ok((name.to_owned(), count(&program, name)?)))
        .collect::<Result<_, Failure>>()?;
    let path = root().join("xtask/counts.tsv");
    if set {
        let rows = counted.iter().map(|(name, count)| format!("{name}\t{count}\n"));
        fs::write(path, format!("{HEAD}\n{}", rows.collect::<String>()))?;
        return Ok(true);
    }
    let (report, fine) = compare(&counted, &read(&fs::read_to_string(path)?)?);
    print!("{report}");
    Ok(fine)
}

/// Returns the reason why instructions cannot be counted on this machine, if any.
fn missing() -> Result<Option<&'static str>, Failure> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Ok(Some("instructions can only be counted on x86-64 Linux"));
    }
    match Command::new("valgrind").arg("--version").output() {
        Ok(_) => Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Ok(Some("valgrind, which counts the instructions, is not installed"))
        }
        Err(error) => Err(error.into()),
    }
}

/// Builds the workloads and returns the path of the program.
fn build() -> Result<PathBuf, Failure> {
    let output = cargo()
        .args(["build", "--release", "--config", PROFILE, "--package", "xtask"])
        .args(["--example", "workloads", "--message-format", "json-render-diagnostics"])
        .stderr(Stdio::inherit())
        .output()?;
    let messages = String::from_utf8(success(output)?.stdout)?;
    let program = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|message| Some(PathBuf::from(message.get("executable")?.as_str()?)));
    Ok(program.ok_or("cargo reported no executable")?)
}

fn count(program: &PathBuf, name: &str) -> Result<u64, Failure> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(["--toggle-collect=*::measured*"])
        .arg(program)
        .arg(name)
        .output()?;
    let output = success(output)?;
    let report = String::from_utf8_lossy(&output.stderr);
    match collected(&report) {
        Some(count) if count > 0 => Ok(count),
        _ => Err(format!("valgrind counted no instructions in {name}:\n{report}").into()),
    }
}

fn success(output: Output) -> Result<Output, Failure> {
    if output.status.success() {
        return Ok(output);
    }
    Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)).into())
}

/// Returns the number from callgrind's line `==123== Collected : 456`.
fn collected(report: &str) -> Option<u64> {
    report.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
}

/// Parses the counts in a table.
fn read(text: &str) -> Result<BTreeMap<&str, u64>, Failure> {
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| {
        let (name, count) = line.split_once('\t').ok_or("a row of counts.tsv has no tab")?;
        Ok((name, count.parse()?))
    })
    .collect()
}

/// Returns the report, and whether all workloads are in the table and within the limit.
#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn compare(counted: &[(String, u64)], before: &BTreeMap<&str, u64>) -> (String, bool) {
    let mut rows = vec![["workload", "instructions", "before", "ratio", ""].map(str::to_owned)];
    let mut fine = true;
    for (name, count) in counted {
        let known = before.get(name.as_str());
        let ratio = known.map(|known| *count as f64 / *known as f64);
        let verdict = match ratio {
            None => "not in the table",
            Some(ratio) if ratio > ROOM => "too many",
            Some(_) => "",
        };
        fine &= verdict.is_empty();
        rows.push([
            name.clone(),
            count.to_string(),
            known.map(u64::to_string).unwrap_or_default(),
            ratio.map(|ratio| format!("{ratio:.3}")).unwrap_or_default(),
            verdict.to_owned(),
        ]);
    }
    let mut report = table(&rows, [false, true, true, true, false]);
    for name in before.keys().filter(|name| counted.iter().all(|(known, _)| known != *name)) {
        report += &format!("{name} is in the table but is not a workload\n");
        fine = false;
    }
    (report, fine)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(rows: &[(&str, u64)]) -> Vec<(String, u64)> {
        rows.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    #[test]
    fn the_count_is_found_in_a_report() {
        let report = "==7== Events    : Ir\n==7== Collected : 14584264\n==7== \n";
        assert_eq!(collected(report), Some(14_584_264));
        assert_eq!(collected("==7== Collected nothing"), None);
    }

    #[test]
    fn up_to_three_percent_more_is_fine() {
        let before = read("# head\na\t1000\nb\t1000\n").unwrap();
        assert!(compare(&counted(&[("a", 1030), ("b", 10)]), &before).1);
        let (report, fine) = compare(&counted(&[("a", 1031), ("b", 1000)]), &before);
        assert!(!fine);
        assert!(report.contains("a                 1031    1000  1.031  too many\n"), "{report}");
    }

    #[test]
    fn table_and_workloads_have_the_same_names() {
        let before = read("a\t1\n").unwrap();
        assert!(!compare(&counted(&[("a", 1), ("b", 1)]), &before).1);
        assert!(!compare(&[], &before).1);
        assert!(read("a 1\n").is_err());
    }
}
