//! The versions of contenders.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The source of a version number.
#[derive(Clone, Copy)]
pub enum Version {
    /// This checkout.
    This,
    /// A crate in the lock file.
    Crate(&'static str),
    /// A package of Debian.
    Debian(&'static str),
    /// A package in `node_modules`.
    Npm(&'static str),
    /// The standard library.
    Std,
}

impl Version {
    pub fn text(self) -> String {
        match self {
            Version::This => "this checkout".to_owned(),
            Version::Crate(name) => locked(name),
            Version::Debian(package) => {
                output(Command::new("dpkg-query").args(["-W", "-f", "${Version}", package]))
            }
            Version::Npm(name) => installed(name),
            Version::Std => output(Command::new("rustc").arg("--version")),
        }
    }
}

/// Returns the first line that a command writes.
pub fn output(command: &mut Command) -> String {
    let output = command.output().map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&output).lines().next().unwrap_or("?").trim().to_owned()
}

fn locked(name: &str) -> String {
    let lock = include_str!("../Cargo.lock");
    let entry = format!("name = \"{name}\"\nversion = \"");
    let version = lock.split_once(&entry).and_then(|(_, rest)| rest.split('"').next());
    version.unwrap_or("?").to_owned()
}

fn installed(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules").join(name);
    let text = fs::read_to_string(path.join("package.json")).unwrap_or_default();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    json["version"].as_str().unwrap_or("?").to_owned()
}
