//! `cargo xtask ci` and `cargo xtask bench`

use std::time::Instant;

use crate::{Failure, cargo, corpus, tidy};

/// What a format crate is promised to compile without.
const WITHOUT: [(&str, &[&str]); 6] = [
    ("fmt-amo", &["roxmltree", "serde"]),
    ("fmt-castle", &["winnow", "serde"]),
    ("model-x3d", &["serde"]),
    ("fmt-tmd-anm", &["roxmltree", "serde"]),
    ("model-tmd", &["roxmltree", "serde"]),
    ("fmt-stt", &["roxmltree", "serde"]),
];

pub(crate) fn run() -> Result<bool, Failure> {
    let mut steps: Vec<Step> = vec![
        Step::cargo("fmt --all --check"),
        Step::cargo("clippy --workspace --all-targets -- -D warnings"),
        Step { name: "tidy".to_owned(), work: Box::new(|| tidy::run(&[])) },
        Step::cargo("test --workspace"),
        Step { name: "test-corpus".to_owned(), work: Box::new(|| corpus::run(&[])) },
        Step { name: "doc without a warning".to_owned(), work: Box::new(document) },
    ];
    for (package, banned) in WITHOUT {
        steps.push(Step::cargo(&format!("test -p {package}")));
        steps.push(Step {
            name: format!("{package} without {}", banned.join(", ")),
            work: Box::new(move || depends_on_none(package, banned)),
        });
    }
    let features = tidy::features("anim-formats")?;
    steps.push(Step::cargo("clippy -p anim-formats --no-default-features -- -D warnings"));
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
    let mut command = cargo();
    Ok(command
        .args(["bench", "-p", "anim-bench", "-p", "anim-cli"])
        .args(arguments)
        .status()?
        .success())
}

struct Step {
    name: String,
    work: Box<dyn FnOnce() -> Result<bool, Failure>>,
}

impl Step {
    /// A call of cargo, its arguments separated by blanks.
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

/// Whether none of these crates is compiled for a user of the package.
fn depends_on_none(package: &str, banned: &[&str]) -> Result<bool, Failure> {
    let output = cargo()
        .args(["tree", "-p", package, "-e", "normal", "--prefix", "none", "--format", "{p}"])
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let tree = String::from_utf8(output.stdout)?;
    let names: Vec<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    let found: Vec<&&str> = banned.iter().filter(|name| names.contains(name)).collect();
    for name in &found {
        eprintln!("error: {package} depends on {name}");
    }
    Ok(found.is_empty() && names.contains(&package))
}
