//! Answers as JSON.

use anim_viewer::Failure;
use serde::Serialize;

/// A failure.
#[derive(Serialize)]
struct Wrong<'a> {
    error: &'a str,
    /// The file to blame.
    file: Option<&'a str>,
}

/// Returns a result or a failure as JSON. `file` is the file to blame, unless the failure names
/// another.
pub(crate) fn answer<T: Serialize>(file: Option<&str>, result: Result<T, Failure>) -> String {
    let written = match &result {
        Ok(answer) => serde_json::to_string(answer),
        Err(failure) => serde_json::to_string(&Wrong {
            error: &failure.message,
            file: failure.about.as_deref().or(file),
        }),
    };
    // Cannot fail: all keys are strings.
    written.unwrap_or_else(|error| format!("{{\"error\":\"{error}\",\"file\":null}}"))
}
