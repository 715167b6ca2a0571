//! One file to convert, and where its output goes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anim_formats::AnyDocument;
use anim_formats::anim_ir::Parsed;

use crate::input::Input;
use crate::read_files::ReadFiles;
use crate::shared_budget::SharedBudget;
use crate::status::Failure;
use crate::term::show_path;

/// One file to convert.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    pub(crate) input: Input<'a>,
    /// Inputs that are merged or combined with `input`, such as the motions of a model.
    pub(crate) others: Vec<Input<'a>>,
    /// The index of the animation to write, if each is written to its own file.
    pub(crate) animation: Option<usize>,
    /// That animation, if it has been separated from the others of `input`.
    pub(crate) separated: Option<Parsed<AnyDocument<'static>>>,
    pub(crate) output: Output,
    /// The files that are read for this job, whose size limits what is made of them.
    pub(crate) read: ReadFiles,
    /// The budget that the files of `--split` share.
    pub(crate) shared: Option<Arc<SharedBudget>>,
}

impl<'a> Job<'a> {
    pub(crate) fn new(input: Input<'a>, output: Output) -> Job<'a> {
        Job {
            input,
            others: Vec::new(),
            animation: None,
            separated: None,
            output,
            read: ReadFiles::default(),
            shared: None,
        }
    }

    /// Returns all inputs.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = Input<'a>> {
        std::iter::once(self.input).chain(self.others.iter().copied())
    }

    /// Fails if an earlier output has exceeded the shared budget.
    pub(crate) fn check_budget(&self) -> Result<(), Failure> {
        self.ask(SharedBudget::check)
    }

    /// Charges the bytes of the output to the shared budget.
    pub(crate) fn charge(&self, bytes: usize) -> Result<(), Failure> {
        let read = self.read.stored().unwrap_or_default();
        self.ask(|shared| shared.charge(bytes, read))
    }

    fn ask(&self, question: impl Fn(&SharedBudget) -> Result<(), Failure>) -> Result<(), Failure> {
        let answer = self.shared.as_deref().map_or(Ok(()), question);
        answer.map_err(|failure| failure.about(self.output.shown()))
    }
}

/// The destination of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    Stdout,
    File(PathBuf),
}

impl Output {
    /// Returns the path, or `None` for standard output.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Output::Stdout => None,
            Output::File(path) => Some(path),
        }
    }

    /// Returns the name to show in messages.
    pub(crate) fn shown(&self) -> String {
        match self {
            Output::Stdout => "<standard output>".to_owned(),
            Output::File(path) => show_path(path),
        }
    }
}

/// Fails if the output folder of an option or command is `-`, which is standard output.
pub(crate) fn check_not_stdout(folder: &Path, what: &str) -> Result<(), Failure> {
    if folder.as_os_str() != "-" {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{what} requires an output folder, but - is standard output (a folder of that name is ./-)"
    )))
}
