//! Exit statuses and failures.

use std::process::ExitCode;

use anim_formats::LoadError;
use anim_formats::anim_ir::{Diagnostics, Severity};

use crate::term::error;

/// The exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// 0: success.
    Fine,
    /// 1: the file has errors, or a file of a batch failed.
    Errors,
    /// 2: a usage or I/O error.
    Usage,
}

impl Status {
    /// Returns the status for a file that could be read, at least in part.
    pub(crate) fn of(diagnostics: &Diagnostics) -> Status {
        if diagnostics.worst() >= Some(Severity::Error) { Status::Errors } else { Status::Fine }
    }

    /// Returns the status for several files. A missing file in a batch counts as a failed file, not
    /// as a usage error.
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

/// The reason why a file has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    /// The message, without the file name.
    pub(crate) message: String,
    /// The file to blame, if it is not the first input.
    pub(crate) about: Option<String>,
}

impl Failure {
    /// Returns a failure caused by the file.
    pub(crate) fn file(message: impl Into<String>) -> Failure {
        Failure { status: Status::Errors, message: message.into(), about: None }
    }

    /// Returns a usage error or a failure caused by the system.
    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure { status: Status::Usage, message: message.into(), about: None }
    }

    /// Names the file to blame.
    pub(crate) fn about(self, file: impl Into<String>) -> Failure {
        Failure { about: Some(file.into()), ..self }
    }

    /// Reports the failure of this file, or of another file that the failure blames.
    pub(crate) fn report_for(&self, file: &str) -> Status {
        let file = self.about.as_deref().unwrap_or(file);
        error(format_args!("{file}: {}", self.message));
        self.status
    }

    /// Reports a failure of the whole run.
    pub(crate) fn report(&self) -> Status {
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
