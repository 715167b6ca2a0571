//! `cargo xtask growth`: runs the program on generated files that repeat one structure n, 2n, 4n
//! and 8n times, and measures CPU time and peak memory. The generators share no code with the
//! readers.
//!
//! CPU time varies with the load of the machine, so a measurement that exceeds a limit is repeated,
//! and only the lowest reading of each size counts.

mod amo;
mod anm;
mod family;
mod gltf;
mod measure;
mod tmd;
mod x3d;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use xtask::{Failure, cargo, root, table};

use family::Family;
use measure::{Reading, run_measured};

/// The approximate size of the smallest file of a family, in bytes.
const SMALLEST: usize = 32 << 10;
/// The size of the files, as multiples of the smallest.
const SCALES: [usize; 4] = [1, 2, 4, 8];
/// Maximum ratio of the CPU times of the two largest files, one of which is twice the other.
const MOST_GROWTH: f64 = 2.5;
/// Shorter times are dominated by noise and by starting the program.
const MEASURABLE: Duration = Duration::from_millis(30);
/// Maximum CPU time in seconds: a constant for what the budget of an operation allows to any file,
/// and an amount per megabyte.
const MOST_TIME: (f64, f64) = (0.5, 2.0);
/// Maximum peak memory: a constant, and a multiple of the files' size.
const MOST_MEMORY: (usize, usize) = (256 << 20, 32);
/// How often an excessive measurement is repeated.
const REPEATS: usize = 3;

/// What is run on each family: the arguments before the input, and the extension of the output of a
/// conversion.
const OPERATIONS: [(&str, &[&str], Option<&str>); 13] = [
    ("info", &["info", "--json"], None),
    ("check", &["check"], None),
    ("fmt", &["fmt", "--check"], None),
    ("diff", &["diff"], None),
    ("sample", &["sample", "--at", "0.5"], None),
    ("to GLB", &["convert"], Some("glb")),
    ("to AMO", &["convert"], Some("amo")),
    ("to castle", &["convert"], Some("castle-anim-frames")),
    ("to X3D", &["convert"], Some("x3dvz")),
    ("to STT", &["convert"], Some("stt")),
    ("to BVH", &["convert"], Some("bvh")),
    ("to Cast", &["convert"], Some("cast")),
    ("to ANM", &["convert"], Some("anm")),
];

/// Operations that evaluate every joint at every frame, or write it (BVH has no other way), up to
/// the budget of an operation. Only the limits on time and memory apply to them, not the limit on
/// growth.
const MULTIPLYING: [(&str, &str); 2] =
    [("castle changing frames", "to BVH"), ("castle frames of new names", "diff")];

/// Runs all families, or those whose names contain one of `names`.
pub(crate) fn run(names: &[String]) -> Result<bool, Failure> {
    let program = build()?;
    let families: Vec<Family> = families()
        .into_iter()
        .filter(|family| names.is_empty() || names.iter().any(|name| family.name.contains(name)))
        .collect();
    let (next, rows) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || -> Result<(), String> {
        while let Some(family) = families.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = of_family(&program, family).map_err(|error| error.to_string())?;
            for row in &found {
                let Some(problem) = &row.problem else { continue };
                let operation = row.operation;
                eprintln!("{}, {operation}: {problem}", family.name);
            }
            rows.lock().map_err(|error| error.to_string())?.push((family.name, found));
        }
        Ok(())
    };
    let threads = thread::available_parallelism()?.get();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or(Err("panicked".into())))
    })?;
    let mut rows = rows.into_inner()?;
    rows.sort_by_key(|(name, _)| families.iter().position(|family| family.name == *name));
    Ok(report(&rows))
}

fn families() -> Vec<Family> {
    [amo::families(), anm::families(), x3d::families(), gltf::families(), tmd::families()]
        .into_iter()
        .flatten()
        .collect()
}

/// Builds the program and returns its path.
fn build() -> Result<PathBuf, Failure> {
    let built =
        cargo().args(["build", "--release", "--quiet", "--package", "anim-cli"]).status()?;
    if !built.success() {
        return Err("the program does not build".into());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), |target| root().join(target));
    Ok(target.join("release").join("animfmt").with_extension(std::env::consts::EXE_EXTENSION))
}

/// The result of an operation on the files of a family.
struct Row {
    operation: &'static str,
    readings: Vec<Reading>,
    /// What is wrong, if anything.
    problem: Option<String>,
}

/// Writes the files of a family, and runs every operation on them.
fn of_family(program: &Path, family: &Family) -> Result<Vec<Row>, Failure> {
    let folder = root().join("target/growth").join(family.name.replace(' ', "-"));
    // The number of repetitions for the smallest file.
    let probe: usize = family.files(500).iter().map(|(_, bytes)| bytes.len()).sum();
    let count = (500 * SMALLEST / probe.max(1)).max(10);
    let mut inputs = Vec::new();
    for scale in SCALES {
        let folder = folder.join(scale.to_string());
        fs::create_dir_all(&folder)?;
        let files = family.files(count * scale);
        for (name, bytes) in &files {
            fs::write(folder.join(name), bytes)?;
        }
        let taken = if family.together { files.len() } else { 1 };
        let paths = files.iter().take(taken).map(|(name, _)| folder.join(name)).collect();
        inputs.push(Input { paths, bytes: files.iter().map(|(_, bytes)| bytes.len()).sum() });
    }
    let mut rows = Vec::new();
    for (operation, arguments, output) in OPERATIONS {
        let output = output.map(|extension| folder.join("output").with_extension(extension));
        let mut readings: Vec<Reading> = Vec::new();
        let mut problem = None;
        for _ in 0..=REPEATS {
            for (place, input) in inputs.iter().enumerate() {
                let reading = measure(program, arguments, input, output.as_deref())?;
                match readings.get_mut(place) {
                    Some(lowest) => lowest.keep_lower(reading),
                    None => readings.push(reading),
                }
            }
            let may_multiply = MULTIPLYING.contains(&(family.name, operation));
            problem = judge(&inputs, &readings)
                .or_else(|| if may_multiply { None } else { judge_growth(&readings) });
            if problem.is_none() || readings.iter().any(|reading| reading.failure.is_some()) {
                break;
            }
        }
        rows.push(Row { operation, readings, problem });
    }
    if rows.iter().all(|row| row.problem.is_none()) {
        fs::remove_dir_all(&folder)?;
    }
    Ok(rows)
}

/// The files of one size.
struct Input {
    /// The files that are passed to the program.
    paths: Vec<PathBuf>,
    /// The size of these files and of those that they refer to.
    bytes: usize,
}

fn measure(
    program: &Path,
    arguments: &[&str],
    input: &Input,
    output: Option<&Path>,
) -> Result<Reading, Failure> {
    let mut all: Vec<&Path> = arguments.iter().map(Path::new).collect();
    let first = input.paths.first().map(PathBuf::as_path);
    match (arguments.first(), output) {
        (Some(&"diff"), _) => all.extend(first.into_iter().chain(first)),
        (_, Some(output)) => {
            all.extend(input.paths.iter().map(PathBuf::as_path));
            all.extend([Path::new("--force"), Path::new("-o"), output]);
        }
        _ => all.extend(first),
    }
    let messages = first.ok_or("no input")?.with_file_name("messages.txt");
    let reading = run_measured(program, &all, &messages)?;
    if let Some(output) = output.filter(|output| output.exists()) {
        fs::remove_file(output)?;
    }
    Ok(reading)
}

/// Returns the first failure, or the first limit on memory or time that a reading exceeds, if any.
fn judge(inputs: &[Input], readings: &[Reading]) -> Option<String> {
    for (input, reading) in inputs.iter().zip(readings) {
        if let Some(failure) = &reading.failure {
            return Some(failure.clone());
        }
        let (base, factor) = MOST_MEMORY;
        if reading.memory > base + factor * input.bytes {
            return Some(format!("{} MB for {} KB", reading.memory >> 20, input.bytes >> 10));
        }
        let (time, (constant, per_megabyte)) = (reading.time.as_secs_f64(), MOST_TIME);
        if time > constant + per_megabyte * megabytes(input) {
            return Some(format!("{time:.1} s for {} KB", input.bytes >> 10));
        }
    }
    None
}

/// Returns a message if CPU time grows faster than [`MOST_GROWTH`] allows.
fn judge_growth(readings: &[Reading]) -> Option<String> {
    let growth = growth(readings);
    (growth > MOST_GROWTH).then(|| format!("{growth:.1} times the CPU time for twice the input"))
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
fn megabytes(input: &Input) -> f64 {
    input.bytes as f64 / 1e6
}

/// Returns the ratio of the CPU times for the largest input and for half of it.
fn growth(readings: &[Reading]) -> f64 {
    let time = |reading: Option<&Reading>| {
        reading.map_or(MEASURABLE, |reading| reading.time.max(MEASURABLE)).as_secs_f64()
    };
    time(readings.last()) / time(readings.iter().rev().nth(1))
}

/// Prints the slowest operation of each family, and the number of problems. Returns whether there
/// are none.
fn report(families: &[(&'static str, Vec<Row>)]) -> bool {
    let head = ["family", "slowest", "n", "2n", "4n", "8n", "growth", "memory", "refused"];
    let mut lines = vec![head.map(str::to_owned)];
    let (mut problems, mut runs) = (Vec::new(), 0);
    for (name, rows) in families {
        runs += rows.iter().map(|row| row.readings.len()).sum::<usize>();
        let time = |row: &&Row| row.readings.last().map(|reading| reading.time);
        let Some(slowest) = rows.iter().max_by_key(time) else { continue };
        let mut times =
            slowest.readings.iter().map(|reading| format!("{:.2} s", reading.time.as_secs_f64()));
        let mut time = || times.next().unwrap_or_default();
        let memory = rows.iter().flat_map(|row| &row.readings).map(|reading| reading.memory);
        let refused = rows.iter().filter(|row| row.readings.iter().any(|reading| reading.refused));
        let refused: Vec<&str> = refused.map(|row| row.operation).collect();
        lines.push([
            (*name).to_owned(),
            slowest.operation.to_owned(),
            time(),
            time(),
            time(),
            time(),
            format!("{:.1}", growth(&slowest.readings)),
            format!("{} MB", memory.max().unwrap_or_default() >> 20),
            refused.join(", "),
        ]);
        for row in rows {
            let operation = row.operation;
            problems.extend(
                row.problem.iter().map(|problem| format!("{name}, {operation}: {problem}")),
            );
        }
    }
    print!("{}", table(&lines, [false, false, true, true, true, true, true, true, false]));
    println!("\n{} families, {runs} runs, {} problems", families.len(), problems.len());
    problems.is_empty()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn input() -> Input {
        Input { paths: Vec::new(), bytes: 500_000 }
    }

    fn readings(milliseconds: [u64; 4]) -> Vec<Reading> {
        let reading = |time| Reading {
            time: Duration::from_millis(time),
            memory: 0,
            refused: false,
            failure: None,
        };
        milliseconds.map(reading).into_iter().collect()
    }

    fn judged(milliseconds: [u64; 4]) -> Option<String> {
        let readings = readings(milliseconds);
        judge(&[input(), input(), input(), input()], &readings).or_else(|| judge_growth(&readings))
    }

    #[test]
    fn there_are_at_least_100_families_with_different_names() {
        let families = families();
        let names: HashSet<&str> = families.iter().map(|family| family.name).collect();
        assert_eq!(names.len(), families.len());
        assert!(names.len() >= 100, "{}", names.len());
    }

    #[test]
    fn files_of_a_family_grow_with_the_number_of_repetitions() {
        for family in families() {
            let [small, large] = [100, 400].map(|count| {
                family.files(count).iter().map(|(_, bytes)| bytes.len()).sum::<usize>()
            });
            assert!(large > small, "{}", family.name);
        }
    }

    #[test]
    fn quadratic_time_is_a_problem_and_linear_time_is_not() {
        assert_eq!(judged([50, 100, 200, 400]), None);
        assert!(judged([5, 20, 80, 320]).unwrap().contains("4.0 times"));
        // Readings that are too short prove nothing.
        assert_eq!(judged([1, 4, 16, 64]), None);
    }

    #[test]
    fn limits_on_memory_and_time_apply_to_every_size() {
        assert_eq!(judged([1450; 4]), None);
        assert_eq!(judged([1550; 4]).unwrap(), "1.6 s for 488 KB");
        let mut large = readings([1; 4]);
        large[1].memory = 300 << 20;
        assert!(
            judge(&[input(), input(), input(), input()], &large).unwrap().starts_with("300 MB")
        );
        large[0].failure = Some("crashed".to_owned());
        assert_eq!(judge(&[input(), input(), input(), input()], &large).unwrap(), "crashed");
    }
}
