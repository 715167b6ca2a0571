//! What is measured, and against what.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::Failure;
use crate::child::Watch;
use crate::inputs::Input;
use crate::versions::Version;

/// Sums and counts of what was read, by name.
pub type Found = BTreeMap<String, f64>;

/// Measures one run; if asked to, also returns what was found.
pub type Work = Box<dyn FnMut(bool) -> (Spent, Found)>;

/// One kind of work, by several contenders.
pub struct Subject {
    pub name: &'static str,
    pub input: Input,
    pub megabytes: usize,
    pub contenders: Vec<Contender>,
    pub asked: Vec<Asked>,
}

pub struct Contender {
    pub name: &'static str,
    pub version: Version,
    pub how: How,
    /// Whether it works on more than one thread: then wall time counts, otherwise CPU time.
    pub threads: bool,
}

pub enum How {
    /// A library for Rust.
    Library(fn(&'static [u8]) -> Work),
    /// What should be here, but cannot be built, and why.
    Missing(&'static str),
    /// A C++ program in `cpp/`, and what the linker needs.
    Cpp(&'static str, &'static [&'static str]),
    /// A command that converts a file to a GLB.
    Program(fn(&Path, &Path) -> Result<Command, Failure>),
}

/// What a run has used.
#[derive(Clone, Copy, Default)]
pub struct Spent {
    pub wall: Duration,
    pub cpu: Duration,
}

/// What this project wants to reach.
pub enum Asked {
    /// A contender is so many times as fast as another one.
    Faster(&'static str, f64, &'static str),
    /// A contender takes at most so many times the wall time and CPU time, and the memory, of
    /// another one.
    Costs { who: &'static str, time: f64, memory: f64, than: &'static str },
    /// A contender does so many millions of units in a second.
    Rate(&'static str, f64),
}

impl Contender {
    pub fn library(name: &'static str, version: Version, run: fn(&'static [u8]) -> Work) -> Self {
        let how = How::Library(run);
        Contender { name, version, how, threads: false }
    }

    pub fn missing(name: &'static str, version: Version, reason: &'static str) -> Self {
        let how = How::Missing(reason);
        Contender { name, version, how, threads: false }
    }

    pub fn program(
        name: &'static str,
        version: Version,
        command: fn(&Path, &Path) -> Result<Command, Failure>,
    ) -> Self {
        let how = How::Program(command);
        Contender { name, version, how, threads: true }
    }

    pub fn cpp(name: &'static str, version: Version, links: &'static [&'static str]) -> Self {
        let how = How::Cpp(name, links);
        Contender { name, version, how, threads: false }
    }

    pub fn on_threads(self) -> Self {
        Contender { threads: true, ..self }
    }
}

/// Measures `run`, and the release of its result, but not `found`.
pub fn work<T>(
    mut run: impl FnMut() -> T + 'static,
    found: impl Fn(&T) -> Found + 'static,
) -> Work {
    Box::new(move |check| {
        let watch = Watch::start();
        let result = run();
        let made = watch.stop();
        let found = if check { found(&result) } else { Found::new() };
        let watch = Watch::start();
        drop(result);
        let released = watch.stop();
        (Spent { wall: made.wall + released.wall, cpu: made.cpu + released.cpu }, found)
    })
}

/// Makes a table of what was found.
pub fn found<const N: usize>(entries: [(&str, f64); N]) -> Found {
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
