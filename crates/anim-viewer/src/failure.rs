//! Failures, and the statuses of a run.

use std::process::ExitCode;

use anim_formats::LoadError;
use anim_formats::anim_ir::{Diagnostics, Severity};

/// The result of a run, and the exit status that stands for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// 0: success.
    Fine,
    /// 1: the file has errors, or a file of a batch failed.
    Errors,
    /// 2: a usage or I/O error.
    Usage,
}

impl Status {
    /// Returns the status for a file that could be read, at least in part.
    pub fn of(diagnostics: &Diagnostics) -> Status {
        if diagnostics.worst() >= Some(Severity::Error) { Status::Errors } else { Status::Fine }
    }

    /// Returns the status for several files. A missing file in a batch counts as a failed file, not
    /// as a usage error.
    pub fn of_all(statuses: &[Status]) -> Status {
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
pub struct Failure {
    /// Who is to blame.
    pub status: Status,
    /// The message, without the file name.
    pub message: String,
    /// The file to blame, if it is not the first input.
    pub about: Option<String>,
}

impl Failure {
    /// Returns a failure caused by the file.
    pub fn file(message: impl Into<String>) -> Failure {
        Failure { status: Status::Errors, message: message.into(), about: None }
    }

    /// Returns a usage error or a failure caused by the system.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { status: Status::Usage, message: message.into(), about: None }
    }

    /// Names the file to blame.
    pub fn about(self, file: impl Into<String>) -> Failure {
        Failure { about: Some(file.into()), ..self }
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
