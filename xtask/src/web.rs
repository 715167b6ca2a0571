//! `cargo xtask web`: the page that runs the formats as WebAssembly, as a folder that any host can
//! serve.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::env;
use std::fs;
use std::hash::Hasher as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::{Failure, cargo, files_below, root};

use crate::serve::serve;

/// Compiler flags, separated by the unit separator of ASCII.
const FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";
const TARGET: &str = "wasm32-unknown-unknown";
/// Maximum size of the module in bytes, so that it does not grow unnoticed.
const LARGEST_MODULE: u64 = 2_940_000;
/// What samples are not: programs that make them, and scripts for `play`.
const NO_SAMPLES: [&str; 2] = ["py", "txt"];
/// What the page takes from the viewer: its look, and how it lists problems.
const SHARED: [&str; 3] = ["panel.js", "diagnostics.js", "style.css"];

pub(crate) fn run(arguments: &[String]) -> Result<bool, Failure> {
    let only_build = match arguments {
        [] => false,
        [only] if only == "--no-serve" => true,
        _ => return Err("usage: cargo xtask web [--no-serve | --test]".into()),
    };
    let Some(folder) = build()? else { return Ok(false) };
    if only_build {
        return Ok(true);
    }
    serve(&folder).map(|()| true)
}

/// Builds the page, and returns its folder. Without the target, says how to install it.
pub(crate) fn build() -> Result<Option<PathBuf>, Failure> {
    if !has_target()? {
        println!("skipped: no {TARGET}; install it with `rustup target add {TARGET}`");
        return Ok(None);
    }
    let folder = root().join("target/web");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    // As an `rlib`, which the crate also is, it would be built without link-time optimization.
    let library = ["rustc", "--package", "anim-web", "--lib", "--crate-type", "cdylib"];
    let mut module = cargo();
    module
        .args(library)
        .args(["--profile", "wasm", "--target", TARGET])
        .env(FLAGS, without_folders()?);
    done(&mut module)?;
    let bindings = ["run", "--quiet", "--target-dir", "target/bindings", "--manifest-path"];
    let module = root().join("target").join(TARGET).join("wasm/anim_web.wasm");
    done(
        cargo().args(bindings).args(["xtask/bindings/Cargo.toml", "--"]).arg(module).arg(&folder),
    )?;
    let pages = root().join("web");
    if pages.exists() {
        copy(&pages, &folder, &[])?;
    }
    let viewer = root().join("crates/anim-viewer/src/page");
    fs::create_dir(folder.join("viewer"))?;
    for name in SHARED {
        fs::copy(viewer.join(name), folder.join("viewer").join(name))?;
    }
    let hashes = write_template(&folder.join("viewer/page.html"))?;
    copy(&root().join("testdata/cookbook"), &folder.join("samples"), &NO_SAMPLES)?;
    fill_in(&folder, hashes)?;
    let module = fs::metadata(folder.join("animfmt_bg.wasm"))?.len();
    println!("built {} (the module has {module} bytes)", folder.display());
    if module > LARGEST_MODULE {
        return Err(format!("the module is larger than {LARGEST_MODULE} bytes").into());
    }
    Ok(Some(folder))
}

/// Compiler flags that leave this machine's folders out of the module, which contains the paths of
/// sources for panics. The same sources then make the same module anywhere.
fn without_folders() -> Result<String, Failure> {
    let Some(home) = env::var_os("CARGO_HOME") else { return Ok(String::new()) };
    let sources = Path::new(&home).join("registry/src");
    let mut flags = Vec::new();
    for registry in fs::read_dir(sources).into_iter().flatten() {
        flags.push(format!("--remap-path-prefix={}=", registry?.path().display()));
    }
    Ok(flags.join("\u{1f}"))
}

fn has_target() -> Result<bool, Failure> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).current_dir(root()).output()?;
    let sysroot = String::from_utf8(output.stdout)?;
    Ok(Path::new(sysroot.trim()).join("lib/rustlib").join(TARGET).join("lib").exists())
}

fn done(command: &mut Command) -> Result<(), Failure> {
    if command.status()?.success() { Ok(()) } else { Err("the build failed".into()) }
}

/// Copies a folder, except files with these extensions.
fn copy(from: &Path, to: &Path, without: &[&str]) -> Result<(), Failure> {
    for file in files_below(from)? {
        let extension = file.extension().and_then(|extension| extension.to_str());
        if extension.is_some_and(|extension| without.contains(&extension)) {
            continue;
        }
        let target = to.join(file.strip_prefix(from)?);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(&file, &target)?;
    }
    Ok(())
}

/// Fills in what the page and its service worker need to know about the build.
fn fill_in(folder: &Path, mut values: BTreeMap<String, String>) -> Result<(), Failure> {
    const WORKER: &str = "sw.js";
    values.insert("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    let mut hasher = DefaultHasher::new();
    let mut paths = Vec::new();
    for file in files_below(folder)? {
        let path = file.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
        hasher.write(path.as_bytes());
        hasher.write(&fs::read(&file)?);
        match path.as_str() {
            WORKER => {}
            "index.html" => paths.push("./".to_owned()),
            _ => paths.push(path),
        }
    }
    values.values().for_each(|value| hasher.write(value.as_bytes()));
    values.insert("build".to_owned(), format!("{:016x}", hasher.finish()));
    values.insert("files".to_owned(), serde_json::to_string(&paths)?);
    for name in ["index.html", WORKER] {
        let path = folder.join(name);
        if path.exists() {
            let mut text = fs::read_to_string(&path)?;
            for (key, value) in &values {
                text = text.replace(&format!("{{{{{key}}}}}"), value);
            }
            fs::write(path, text)?;
        }
    }
    Ok(())
}

/// Writes the page that shows a model, without one, and returns the hashes of its script and style.
fn write_template(path: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let example = ["run", "--quiet", "--package", "anim-viewer", "--example", "template", "--"];
    let output = cargo().args(example).arg(path).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    Ok(pairs.map(|(name, hash)| (format!("viewer-{name}"), hash.to_owned())).collect())
}
