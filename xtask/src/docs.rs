//! `cargo xtask docs`: builds a website from the pages listed in docs/SUMMARY.md.
//!
//! The pages are copied unchanged to where mdBook expects them, together with the files they link
//! to and in the same folder structure, so that links work both in the repository and on the
//! website.

use std::collections::BTreeSet;
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::{Failure, cargo, root};

use crate::markdown;

const SUMMARY: &str = "docs/SUMMARY.md";
/// The version of mdBook to install in target/tools.
const MDBOOK: &str = "0.5.4";
const CONFIG: &str = r#"[book]
title = "animfmt"
src = "pages"

[build]
build-dir = "site"

[output.html]
no-section-label = true
"#;

pub(crate) fn run() -> Result<bool, Failure> {
    let folder = root().join("target/docs");
    for old in ["pages", "site"].map(|name| folder.join(name)) {
        if old.exists() {
            fs::remove_dir_all(old)?;
        }
    }
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("book.toml"), CONFIG)?;
    copy_pages(&folder.join("pages"))?;
    let built = Command::new(mdbook()?).arg("build").arg(&folder).status()?.success();
    if built {
        println!("{}", folder.join("site/index.html").display());
    }
    Ok(built)
}

/// Copies the pages listed in the summary and the files they link to.
fn copy_pages(to: &Path) -> Result<(), Failure> {
    let pages = markdown::pages()?;
    let dead = markdown::dead_links(&pages);
    if !dead.is_empty() {
        return Err(dead.join("\n").into());
    }
    let linked = |page: &Path| -> BTreeSet<PathBuf> {
        let links = pages.get(page).map(|page| page.links.as_slice()).unwrap_or_default();
        links.iter().filter_map(|(_, link)| Some(markdown::target(page, link)?.0)).collect()
    };
    let summary = linked(Path::new(SUMMARY));
    let mut files = summary.clone();
    for page in &summary {
        files.extend(linked(page));
    }
    for file in files.iter().filter(|file| root().join(file).is_file()) {
        let copy = to.join(file);
        fs::create_dir_all(copy.parent().unwrap_or(to))?;
        fs::copy(root().join(file), copy)?;
    }
    // mdBook expects the summary at the top level, so its links must not start with `../`.
    let summary = fs::read_to_string(root().join(SUMMARY))?;
    let from_the_top = summary.replace("](", "](docs/").replace("](docs/../", "](");
    fs::write(to.join("SUMMARY.md"), from_the_top)?;
    Ok(())
}

/// Returns the path of mdBook, installing it if necessary.
fn mdbook() -> Result<PathBuf, Failure> {
    let tools = root().join("target/tools");
    let program = tools.join(format!("bin/mdbook{EXE_SUFFIX}"));
    let version = Command::new(&program).arg("--version").output();
    if version.is_ok_and(|output| output.stdout.ends_with(format!(" v{MDBOOK}\n").as_bytes())) {
        return Ok(program);
    }
    println!("installing mdbook {MDBOOK} in target/tools");
    let install = ["install", "mdbook", "--locked", "--version", MDBOOK];
    let small = ["--no-default-features", "--features", "search", "--root"];
    let installed = cargo().args(install).args(small).arg(&tools).status()?.success();
    if installed { Ok(program) } else { Err("failed to install mdbook".into()) }
}
