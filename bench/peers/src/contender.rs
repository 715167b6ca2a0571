//! Subjects and contenders.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::Failure;
use crate::child::Watch;
use crate::inputs::Input;
use crate::versions::Version;

/// A contender's result, reduced to named sums and counts.
pub type Found = BTreeMap<String, f64>;

/// Measures one run; also returns its result if the argument is true.
pub type Work = Box<dyn FnMut(bool) -> (Spent, Found)>;

/// A task, with the contenders that perform it.
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
    /// Whether it uses more than one thread, so that wall time is compared instead of CPU time.
    pub threads: bool,
}

pub enum How {
    /// A Rust library.
    Library(fn(&'static [u8]) -> Work),
    /// A library that cannot be built, with the reason.
    Missing(&'static str),
    /// A C++ program in `cpp/`, with arguments for the linker.
    Cpp(&'static str, &'static [&'static str]),
    /// A command that converts a file to a GLB.
    Program(fn(&Path, &Path) -> Result<Command, Failure>),
}

/// The time that a run took.
#[derive(Clone, Copy, Default)]
pub struct Spent {
    pub wall: Duration,
    pub cpu: Duration,
}

/// A performance target of this project.
pub enum Asked {
    /// The minimum speed of a contender relative to another.
    Faster(&'static str, f64, &'static str),
    /// The maximum wall time, CPU time and memory of a contender relative to another.
    Costs { who: &'static str, time: f64, memory: f64, than: &'static str },
    /// The minimum rate of a contender, in millions of units per second.
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

/// Measures `run` and dropping its result, but not `found`.
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

/// Builds a result.
pub fn found<const N: usize>(entries: [(&str, f64); N]) -> Found {
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
