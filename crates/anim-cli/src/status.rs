//! How it went, for the shell.

use std::process::ExitCode;

use anim_formats::LoadError;
use anim_formats::anim_ir::{Diagnostics, Severity};

use crate::term::error;

/// What the exit status says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// 0
    Fine,
    /// 1: the file has errors, or a batch had a file that failed.
    Errors,
    /// 2: wrong usage, or something that cannot be opened or written.
    Usage,
}

impl Status {
    /// The status for a file of which something stands.
    pub(crate) fn of(diagnostics: &Diagnostics) -> Status {
        if diagnostics.worst() >= Some(Severity::Error) { Status::Errors } else { Status::Fine }
    }

    /// The status for all of several files. A batch in which one file is missing did what it could.
    pub(crate) fn of_all(statuses: &[Status]) -> Status {
        match statuses {
            [only] => *only,
            all if all.iter().all(|status| *status == Status::Fine) => Status::Fine,
            _ => Status::Errors,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Fine => 0,
            Status::Errors => 1,
            Status::Usage => 2,
        })
    }
}

/// Why there is nothing to show for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    /// Without the name of the file.
    pub(crate) message: String,
    /// The file, where it is another one than the first of those that were asked for.
    pub(crate) about: Option<String>,
}

impl Failure {
    /// The file is to blame.
    pub(crate) fn file(message: impl Into<String>) -> Failure {
        Failure { status: Status::Errors, message: message.into(), about: None }
    }

    /// The call or the system is.
    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure { status: Status::Usage, message: message.into(), about: None }
    }

    /// Blames one of several files.
    pub(crate) fn about(self, file: impl Into<String>) -> Failure {
        Failure { about: Some(file.into()), ..self }
    }

    /// Says why nothing came of a file: this one, unless the failure blames another.
    pub(crate) fn tell_of(&self, file: &str) -> Status {
        let file = self.about.as_deref().unwrap_or(file);
        error(format_args!("{file}: {}", self.message));
        self.status
    }

    /// Says why nothing was done at all.
    pub(crate) fn tell(&self) -> Status {
        error(&self.message);
        self.status
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Failure {
        match &error {
            LoadError::Io(_) => Failure::usage(error.to_string()),
            LoadError::Ambiguous(_) => Failure::file(format!("{error} with --from")),
            _ => Failure::file(error.to_string()),
        }
    }
}
