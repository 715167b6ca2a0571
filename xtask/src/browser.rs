//! The tests of pages in a browser: `scripts/viewer` and `scripts/web`.

use std::path::Path;
use std::process::{Command, Stdio};

use xtask::{Failure, cargo, root};

use crate::web;

/// Where Debian and others install Chromium.
const BROWSERS: [&str; 3] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/// Tests the page of `animfmt view`, if there are a browser and Node.js.
pub(crate) fn run() -> Result<bool, Failure> {
    let Some(browser) = browser()? else { return Ok(true) };
    test(browser, &["viewer/run.mjs"])
}

/// Builds the page that runs the formats as WebAssembly, and tests it.
pub(crate) fn web() -> Result<bool, Failure> {
    let Some(browser) = browser()? else { return Ok(true) };
    let Some(site) = web::build()? else { return Ok(true) };
    test(browser, &["web/run.mjs", "--site", &site.to_string_lossy()])
}

/// Finds a browser and prepares the scripts. Prints what is missing and returns `None` if either
/// fails.
fn browser() -> Result<Option<&'static str>, Failure> {
    let Some(browser) = BROWSERS.into_iter().find(|path| Path::new(path).exists()) else {
        println!("skipped: Chromium not found (on Debian: apt-get install chromium)");
        return Ok(None);
    };
    let scripts = root().join("scripts");
    if !has("node") || !has("npm") {
        println!("skipped: Node.js not found (on Debian: apt-get install nodejs npm)");
        return Ok(None);
    }
    if !scripts.join("node_modules/puppeteer-core").exists()
        && !Command::new("npm").arg("ci").current_dir(&scripts).status()?.success()
    {
        println!("skipped: the dependencies of scripts/ cannot be installed");
        return Ok(None);
    }
    Ok(Some(browser))
}

/// Runs a script with a browser and the program.
fn test(browser: &str, script: &[&str]) -> Result<bool, Failure> {
    let built = cargo().args(["build", "--package", "anim-cli"]).status()?.success();
    let mut node = Command::new("node");
    node.args(script).args(["--chromium", browser, "--animfmt"]);
    node.arg(root().join("target/debug/animfmt")).current_dir(root().join("scripts"));
    Ok(built && node.status()?.success())
}

/// Whether a program can be run.
fn has(program: &str) -> bool {
    let quiet = || Stdio::null();
    let run = Command::new(program).arg("--version").stdout(quiet()).stderr(quiet()).status();
    run.is_ok_and(|status| status.success())
}
