//! The packages of the workspace, from `cargo metadata`.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{Failure, cargo};

/// A package in the workspace.
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its description from the manifest, or empty.
    pub description: String,
    /// The folder of its manifest.
    pub folder: PathBuf,
    /// The names of its dependencies, and whether each is a dev-dependency.
    pub dependencies: Vec<(String, bool)>,
    features: Vec<String>,
}

/// Lists the packages of the workspace.
///
/// # Errors
///
/// Returns an error if cargo cannot be run, or fails.
pub fn packages() -> Result<Vec<Package>, Failure> {
    let output = cargo().args(["metadata", "--no-deps", "--format-version", "1"]).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let list = metadata
        .get("packages")
        .and_then(Value::as_array)
        .ok_or("cargo metadata lists no packages")?;
    list.iter()
        .map(|package| {
            Package::of(package).ok_or_else(|| "unexpected output of cargo metadata".into())
        })
        .collect()
}

impl Package {
    fn of(package: &Value) -> Option<Package> {
        let dependency = |dependency: &Value| {
            Some((
                dependency.get("name")?.as_str()?.to_owned(),
                dependency.get("kind")?.as_str() == Some("dev"),
            ))
        };
        Some(Package {
            name: package.get("name")?.as_str()?.to_owned(),
            description: package
                .get("description")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            folder: Path::new(package.get("manifest_path")?.as_str()?).parent()?.to_owned(),
            dependencies: package
                .get("dependencies")?
                .as_array()?
                .iter()
                .map(dependency)
                .collect::<Option<_>>()?,
            features: package
                .get("features")?
                .as_object()?
                .keys()
                .filter(|name| *name != "default")
                .cloned()
                .collect(),
        })
    }
}

/// Lists the features of a package, except `default`.
///
/// # Errors
///
/// Returns the errors of [`packages`], or an error if the package does not exist.
pub fn features(name: &str) -> Result<Vec<String>, Failure> {
    let package = packages()?.into_iter().find(|package| package.name == name);
    Ok(package.ok_or_else(|| format!("no package named {name}"))?.features)
}
