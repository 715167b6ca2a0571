//! What a page asks for, as JSON.

use std::collections::BTreeMap;

use anim_formats::{Format, LoadOptions};
use anim_viewer::{CUTS_RATE, Combination, Cutting, Failure};
use serde::Deserialize;

/// The limits of a session.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Limits {
    /// The largest size of all files together, in bytes.
    pub(crate) input_bytes: Option<usize>,
    /// The memory of an operation, in bytes.
    pub(crate) memory: Option<usize>,
}

/// What a page asks for, named like the options of the program.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Options {
    /// The files to combine with the first.
    pub(crate) with: Vec<String>,
    /// The format to read the first file as.
    from: Option<String>,
    /// The options of the formats.
    settings: BTreeMap<String, String>,
    /// The clip that an ANM text file splits.
    pub(crate) take: Option<String>,
    /// The name of the output.
    pub(crate) name: Option<String>,
    /// The only clip to write.
    pub(crate) clip: Option<String>,
    /// Whether to merge the files into one.
    pub(crate) merge: bool,
    /// The name of the clip that all motions are joined into.
    pub(crate) join: Option<String>,
    /// The clips to add, each as `NAME=CLIP+CLIP`.
    combine: Vec<String>,
    /// The frame rate of ANM text, in frames per second.
    fps: Option<f64>,
    rebase: bool,
    borders: bool,
    direct_children: bool,
    all_events: bool,
    /// Whether to show a file beside what the repairs make of it.
    pub(crate) fix: bool,
    /// Whether the page contains its models.
    pub(crate) models: Option<bool>,
}

impl Options {
    /// Reads options. No text asks for nothing special.
    pub(crate) fn read(json: &str) -> Result<Options, Failure> {
        if json.trim().is_empty() {
            return Ok(Options::default());
        }
        let wrong = |error| Failure::usage(format!("the options cannot be read: {error}"));
        serde_json::from_str(json).map_err(wrong)
    }

    /// Returns the options for reading, within limits.
    pub(crate) fn load(
        &self,
        limits: anim_formats::anim_ir::Limits,
    ) -> Result<LoadOptions, Failure> {
        let mut load = LoadOptions::default();
        load.settings.limits = limits;
        for (name, value) in &self.settings {
            let option = Format::option(name);
            let option = option.ok_or_else(|| Failure::usage(format!("no option `{name}`")))?;
            let set = load.settings.set(option, value);
            set.map_err(|error| Failure::usage(error.to_string()))?;
        }
        let from = self.from.as_deref().map(format_of).transpose()?;
        Ok(load.with_format(from))
    }

    pub(crate) fn combinations(&self) -> Result<Vec<Combination>, Failure> {
        let parsed = self.combine.iter().map(|text| Combination::parse(text));
        parsed.collect::<Result<_, _>>().map_err(Failure::usage)
    }

    pub(crate) fn cutting(&self) -> Cutting<'_> {
        let fps = self.fps.filter(|fps| fps.is_finite() && *fps > 0.0).unwrap_or(CUTS_RATE);
        let Options { rebase, borders, direct_children, all_events, .. } = *self;
        let take = self.take.as_deref();
        Cutting { take, fps, rebase, borders, direct_children, all_events }
    }
}

/// Returns the format with this identifier.
pub(crate) fn format_of(id: &str) -> Result<Format, Failure> {
    id.parse().map_err(|error| Failure::usage(format!("{error}")))
}
