//! `cargo xtask ci`, `cargo xtask sweep` and `cargo xtask bench`.

use std::time::Instant;

use xtask::{Failure, cargo, features, packages};

use crate::{browser, generators, tidy};

/// Dependencies that format crates must not have, since they parse a single format and write no
/// JSON.
const WITHOUT: [(&str, &[&str]); 2] =
    [("fmt-", &["serde", "serde_json", "clap"]), ("model-", &["serde", "serde_json", "clap"])];

pub(crate) fn run() -> Result<bool, Failure> {
    let mut steps: Vec<Step> = vec![
        Step::cargo("fmt --all --check"),
        Step::cargo("clippy --workspace --all-targets -- -D warnings"),
        Step { name: "tidy".to_owned(), work: Box::new(tidy::run) },
        Step {
            name: "generators reproduce the fixtures".to_owned(),
            work: Box::new(generators::run),
        },
        Step::cargo("test --workspace"),
        Step { name: "docs build without warnings".to_owned(), work: Box::new(document) },
        Step { name: "dependencies of format crates".to_owned(), work: Box::new(small) },
        Step { name: "the viewer in a browser".to_owned(), work: Box::new(browser::run) },
        Step { name: "the web page in a browser".to_owned(), work: Box::new(browser::web) },
        Step::cargo("check --manifest-path fuzz/Cargo.toml --no-default-features --locked"),
        Step::cargo("check --manifest-path bench/Cargo.toml --benches --locked"),
        Step::cargo("clippy -p anim-formats --no-default-features -- -D warnings"),
    ];
    let features = features("anim-formats")?;
    steps.extend(features.iter().map(|feature| {
        Step::cargo(&format!(
            "clippy -p anim-formats --no-default-features --features {feature} -- -D warnings"
        ))
    }));

    let mut times = Vec::new();
    for step in steps {
        println!("── {}", step.name);
        let started = Instant::now();
        let fine = (step.work)().unwrap_or_else(|error| {
            eprintln!("error: {error}");
            false
        });
        times.push((step.name, started.elapsed().as_secs_f32(), fine));
    }
    println!();
    for (name, seconds, fine) in &times {
        println!("{seconds:7.1} s  {}  {name}", if *fine { "fine  " } else { "FAILED" });
    }
    Ok(times.iter().all(|(_, _, fine)| *fine))
}

pub(crate) fn bench(arguments: &[String]) -> Result<bool, Failure> {
    if let [peers, arguments @ ..] = arguments
        && peers == "--peers"
    {
        let program = ["build", "--release", "--quiet", "-p", "anim-cli"];
        let run =
            ["run", "--release", "--quiet", "--manifest-path", "bench/peers/Cargo.toml", "--"];
        return Ok(cargo().args(program).status()?.success()
            && cargo().args(run).args(arguments).status()?.success());
    }
    let bench = |of: &[&str]| cargo().arg("bench").args(of).args(arguments).status();
    Ok(bench(&["--manifest-path", "bench/Cargo.toml"])?.success()
        && bench(&["-p", "anim-cli"])?.success())
}

/// `cargo xtask sweep`: runs the tests at all positions and sizes instead of a sample.
pub(crate) fn sweep() -> Result<bool, Failure> {
    Ok(cargo()
        .args(["test", "--workspace", "--no-fail-fast", "--test", "it", "--test", "memory"])
        .env("ANIM_SWEEP", "1")
        .status()?
        .success())
}

struct Step {
    name: String,
    work: Box<dyn FnOnce() -> Result<bool, Failure>>,
}

impl Step {
    /// Returns a step that runs cargo with the given arguments, separated by spaces.
    fn cargo(arguments: &str) -> Step {
        let words: Vec<String> = arguments.split(' ').map(str::to_owned).collect();
        Step {
            name: format!("cargo {arguments}"),
            work: Box::new(move || Ok(cargo().args(words).status()?.success())),
        }
    }
}

fn document() -> Result<bool, Failure> {
    Ok(cargo()
        .args(["doc", "--workspace", "--no-deps"])
        .env("RUSTDOCFLAGS", "-D warnings")
        .status()?
        .success())
}

/// Checks that format crates have no unwanted dependencies.
fn small() -> Result<bool, Failure> {
    let mut fine = true;
    for package in packages()? {
        let Some((_, banned)) = WITHOUT.iter().find(|(kind, _)| package.name.starts_with(kind))
        else {
            continue;
        };
        let arguments = ["-e", "normal", "--prefix", "none", "--format", "{p}", "-p"];
        let output = cargo().arg("tree").args(arguments).arg(&package.name).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        let tree = String::from_utf8(output.stdout)?;
        let names: Vec<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
        for name in banned.iter().filter(|name| names.contains(name)) {
            eprintln!("error: {} depends on {name}", package.name);
            fine = false;
        }
    }
    Ok(fine)
}
