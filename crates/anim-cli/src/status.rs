//! Prints failures.

use std::io::{self, Write};

pub(crate) use anim_viewer::{Failure, Status};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::term::{error, print_json};

/// Failures that end a command, or the work on a file.
pub(crate) trait Fail {
    /// Reports the failure of this file, or of another file that the failure blames.
    fn report_for(&self, file: &str) -> Status;

    /// Returns the message, after the name of the file that it is about, if any.
    fn with_file(&self) -> String;

    /// Reports a failure of the whole run.
    fn report(&self) -> Status;

    /// Reports a failure of the whole run. With `as_json`, also prints a JSON object with the
    /// schema, an empty list of the given name, and the error.
    fn report_run(
        &self,
        run: (&'static str, &'static str),
        as_json: bool,
        out: &mut dyn Write,
    ) -> io::Result<Status>;
}

impl Fail for Failure {
    fn report_for(&self, file: &str) -> Status {
        let file = self.about.as_deref().unwrap_or(file);
        error(format_args!("{file}: {}", self.message));
        self.status
    }

    fn with_file(&self) -> String {
        match &self.about {
            Some(file) => format!("{file}: {}", self.message),
            None => self.message.clone(),
        }
    }

    fn report(&self) -> Status {
        error(self.with_file());
        self.status
    }

    fn report_run(
        &self,
        (schema, list): (&'static str, &'static str),
        as_json: bool,
        out: &mut dyn Write,
    ) -> io::Result<Status> {
        if as_json {
            let fields = [
                ("schema", Value::from(schema)),
                (list, Value::Array(Vec::new())),
                ("error", Value::from(self.with_file())),
            ];
            print_json(out, &Fields(fields))?;
        }
        Ok(self.report())
    }
}

/// The fields of a JSON object, in order.
struct Fields([(&'static str, Value); 3]);

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
