//! The JSON output of `animfmt migrate`.

use serde::Serialize;

use crate::conversion::ConversionReport;

/// The version of the JSON output.
pub(super) const SCHEMA: &str = "animfmt.migrate/1";

#[derive(Serialize)]
pub(super) struct Report {
    pub(super) schema: &'static str,
    pub(super) resources: Vec<Entry>,
}

/// A resource, and what became of it.
#[derive(Serialize)]
pub(super) struct Entry {
    /// The path of the `resource.xml`.
    pub(super) resource: String,
    pub(super) result: Verdict,
    /// Why it was left as it is, or could not be migrated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    /// The files that belong to the migrated resource, whether they were written or unchanged.
    pub(super) outputs: Vec<String>,
    pub(super) clips: Vec<Clip>,
    /// The conversion of the model, in the form of `animfmt convert --json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<ConversionReport>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Verdict {
    Migrated,
    /// All outputs existed with the same content.
    Unchanged,
    /// Left as it is, on purpose.
    Left,
    Failed,
}

/// A clip of the model.
#[derive(Clone, Serialize)]
pub(super) struct Clip {
    pub(super) name: String,
    /// The file that contained it; `None` if the whole model is one file.
    pub(super) file: Option<String>,
    /// Length in seconds.
    pub(super) duration: f32,
}
