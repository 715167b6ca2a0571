//! Prints failures.

pub(crate) use anim_viewer::{Failure, Status};

use crate::term::error;

/// Failures that end a command, or the work on a file.
pub(crate) trait Fail {
    /// Reports the failure of this file, or of another file that the failure blames.
    fn report_for(&self, file: &str) -> Status;

    /// Reports a failure of the whole run.
    fn report(&self) -> Status;
}

impl Fail for Failure {
    fn report_for(&self, file: &str) -> Status {
        let file = self.about.as_deref().unwrap_or(file);
        error(format_args!("{file}: {}", self.message));
        self.status
    }

    fn report(&self) -> Status {
        match &self.about {
            Some(file) => self.report_for(file),
            None => {
                error(&self.message);
                self.status
            }
        }
    }
}
