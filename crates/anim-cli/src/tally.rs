//! Counts the problems of a batch by code, and suggests what to do about them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anim_formats::anim_ir::address::{castle_data, relative_path};
use anim_formats::anim_ir::diag::plural;
use anim_formats::anim_ir::{Diagnostics, ResolveError, Resolver, Severity};
use anim_formats::codes::{BACKWARDS, NORMALS_ODD, Z_UP};
use anim_viewer::{is_counted, loss_label, loss_severity};
use clap::builder::styling::Style;

use crate::input::Input;
use crate::term::{
    FAINT, Verbosity, help, print_line, severity_style, show_path, styled, thousands, verbosity,
};
use anim_viewer::Totals;

/// The number of occurrences of a code, and of files in which it occurs.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    times: u64,
    files: usize,
}

/// The problems of many files, counted by code.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Keyed by severity, worst first and losses last, and by code.
    counts: BTreeMap<(std::cmp::Reverse<Option<Severity>>, &'static str), Count>,
}

impl Tally {
    /// Adds the problems of a file.
    pub(crate) fn add(&mut self, diagnostics: Option<&Diagnostics>, losses: &Diagnostics) {
        // Problems that only concern the engine are reported by `check`.
        let problems = diagnostics.into_iter().flat_map(Diagnostics::counts);
        let problems = problems.filter(|(code, _)| is_counted(code));
        let problems = problems.map(|(code, count)| (Some(code.severity), code.id, *count));
        let losses =
            losses.counts().iter().map(|(code, count)| (loss_severity(code), code.id, *count));
        for (severity, id, times) in problems.chain(losses) {
            let count = self.counts.entry((std::cmp::Reverse(severity), id)).or_default();
            count.times = count.times.saturating_add(times);
            count.files = count.files.saturating_add(1);
        }
    }

    /// Prints a line for each code.
    pub(crate) fn report(&self) {
        for ((severity, id), Count { times, files }) in &self.counts {
            let (name, style) = label(severity.0);
            let times = thousands(usize::try_from(*times).unwrap_or(usize::MAX));
            print_line(format_args!(
                "{}: {times} in {}{}",
                styled(style, format_args!("{name}[{id}]")),
                plural(*files, "file"),
                remedy(id)
            ));
        }
        if !self.counts.is_empty() {
            let hint = if verbosity() == Verbosity::Verbose {
                "use `animfmt check --explain CODE` to explain a code"
            } else {
                "use --verbose to list each problem, and `animfmt check --explain CODE` to explain \
                 a code"
            };
            print_line(format_args!("{}", styled(FAINT, hint)));
        }
    }
}

/// Returns advice that applies to all problems with this code, to append to their count; empty if
/// there is none.
fn remedy(id: &str) -> &'static str {
    if id == Z_UP.id {
        "; not rotated: --up z rotates them, --up auto only those that are certain"
    } else if id == NORMALS_ODD.id {
        "; use --normals recompute to replace them"
    } else if id == BACKWARDS.id {
        "; use --bake-backwards to append the way back"
    } else {
        ""
    }
}

/// Returns the label printed before a code, and its style. `None` is a loss.
pub(crate) fn label(severity: Option<Severity>) -> (&'static str, Style) {
    (loss_label(severity), severity_style(severity.unwrap_or(Severity::Note)))
}

/// Warns that a file has errors, for commands that continue with the parts that could be read.
pub(crate) fn warn_of_errors(input: Input<'_>, diagnostics: &Diagnostics) {
    if verbosity() > Verbosity::Quiet && diagnostics.worst() >= Some(Severity::Error) {
        let problems = Totals::of(diagnostics);
        print_line(format_args!(
            "{}: {}: {problems}; run `animfmt check` for details",
            styled(severity_style(Severity::Warning), "warning"),
            input.shown()
        ));
    }
}

/// Files that exist but were not opened, since they are outside the folders that may be read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refused(Arc<Mutex<Paths>>);

#[derive(Debug, Default)]
struct Paths {
    files: BTreeSet<PathBuf>,
    /// The folders of the inputs that refer to these files.
    folders: BTreeSet<PathBuf>,
}

impl Refused {
    /// Wraps a resolver so that files it refuses to open are recorded.
    pub(crate) fn watch<'f>(
        &self,
        files: Box<dyn Resolver + 'f>,
        folder: Option<&Path>,
    ) -> Box<dyn Resolver + 'f> {
        match folder.and_then(|folder| folder.canonicalize().ok()) {
            Some(folder) => Box::new(Watched { files, folder, refused: self.clone() }),
            None => files,
        }
    }

    fn add(&self, folder: &Path, address: &str) {
        let Ok(path) = relative_path(address) else { return };
        let Ok(path) = folder.join(path).canonicalize() else { return };
        let mut paths = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        paths.files.insert(path);
        paths.folders.insert(folder.to_owned());
    }

    /// Prints a hint on how to allow access to the refused files.
    pub(crate) fn report(&self) {
        if let Some(advice) = self.help() {
            print_line(format_args!("{}", help(&advice)));
        }
    }

    /// Returns a hint: `43 files outside the inputs' own folders were not opened; use --root data`.
    fn help(&self) -> Option<String> {
        let paths = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let folders = paths.files.iter().filter_map(|file| file.parent());
        let root = common(folders.chain(paths.folders.iter().map(PathBuf::as_path)))?;
        let here = std::env::current_dir().and_then(|here| here.canonicalize()).ok();
        let shown = match here.as_deref().map(|here| root.strip_prefix(here)) {
            Some(Ok(below)) if below.as_os_str().is_empty() => PathBuf::from("."),
            Some(Ok(below)) => below.to_owned(),
            _ => root,
        };
        let number = paths.files.len();
        let (files, were) = (plural(number, "file"), if number == 1 { "was" } else { "were" });
        let shown = show_path(&shown);
        let shown = if shown.contains(' ') { format!("\"{shown}\"") } else { shown };
        Some(format!(
            "{files} outside the inputs' own folders {were} not opened; use --root {shown}"
        ))
    }
}

/// Returns the deepest folder that contains all of the given folders, or `None` if only the root
/// does.
fn common<'p>(mut folders: impl Iterator<Item = &'p Path>) -> Option<PathBuf> {
    let mut parts: Vec<Component<'_>> = folders.next()?.components().collect();
    for folder in folders {
        let same = parts.iter().zip(folder.components()).take_while(|(a, b)| *a == b).count();
        parts.truncate(same);
    }
    Some(parts.into_iter().collect()).filter(|root: &PathBuf| root.components().count() > 1)
}

/// A resolver whose refusals are recorded.
struct Watched<'f> {
    files: Box<dyn Resolver + 'f>,
    folder: PathBuf,
    refused: Refused,
}

impl Watched<'_> {
    fn look<T>(&self, address: &str, result: Result<T, ResolveError>) -> Result<T, ResolveError> {
        // `--root` does not help for the data folder of a project.
        let is_data = castle_data(address).is_some();
        if matches!(result, Err(ResolveError::Outside { .. })) && !is_data {
            self.refused.add(&self.folder, address);
        }
        result
    }
}

impl Resolver for Watched<'_> {
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        let result = self.files.read(address);
        self.look(address, result)
    }

    fn head(&mut self, address: &str, most: usize) -> Result<Vec<u8>, ResolveError> {
        let result = self.files.head(address, most);
        self.look(address, result)
    }

    fn exists(&mut self, address: &str) -> bool {
        self.files.exists(address)
    }

    fn pick(&mut self, addresses: &[&str]) -> usize {
        self.files.pick(addresses)
    }

    fn way(&mut self, address: &str) -> Option<String> {
        self.files.way(address)
    }

    fn limit(&self) -> usize {
        self.files.limit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_common_folder() {
        let of = |paths: &[&str]| common(paths.iter().map(Path::new));
        assert_eq!(of(&["/data/a/b", "/data/a/c", "/data/a"]), Some("/data/a".into()));
        assert_eq!(of(&["/data/a/b"]), Some("/data/a/b".into()));
        assert_eq!(of(&["/data", "/home"]), None, "the root is never suggested");
        assert_eq!(of(&[]), None);
    }
}
