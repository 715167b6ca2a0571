//! The tests of the page of `animfmt view` in a browser: `scripts/viewer`.

use std::path::Path;
use std::process::{Command, Stdio};

use xtask::{Failure, cargo, root};

/// Where Debian and others install Chromium.
const BROWSERS: [&str; 3] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/// Runs the tests if there are a browser and Node.js; otherwise says what is missing, which is no
/// error.
pub(crate) fn run() -> Result<bool, Failure> {
    let Some(browser) = BROWSERS.iter().find(|path| Path::new(path).exists()) else {
        println!("skipped: Chromium not found (on Debian: apt-get install chromium)");
        return Ok(true);
    };
    let scripts = root().join("scripts");
    if !has("node") || !has("npm") {
        println!("skipped: Node.js not found (on Debian: apt-get install nodejs npm)");
        return Ok(true);
    }
    if !scripts.join("node_modules/puppeteer-core").exists()
        && !Command::new("npm").arg("ci").current_dir(&scripts).status()?.success()
    {
        println!("skipped: the dependencies of scripts/ cannot be installed");
        return Ok(true);
    }
    let built = cargo().args(["build", "--package", "anim-cli"]).status()?.success();
    let animfmt = root().join("target/debug/animfmt");
    let tests = ["viewer/run.mjs", "--chromium", browser, "--animfmt"];
    Ok(built
        && Command::new("node").args(tests).arg(animfmt).current_dir(&scripts).status()?.success())
}

/// Whether a program can be run.
fn has(program: &str) -> bool {
    let quiet = || Stdio::null();
    let run = Command::new(program).arg("--version").stdout(quiet()).stderr(quiet()).status();
    run.is_ok_and(|status| status.success())
}
