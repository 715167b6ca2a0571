//! The JSON output of `animfmt diff`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use anim_formats::anim_ir::diff::Diff;
use anim_formats::anim_ir::{Category, Code, Diagnostics, Severity};
use anim_formats::codes::BACKWARDS;
use serde::Serialize;

use crate::input::Input;
use crate::status::{Fail as _, Failure};
use crate::term::counts;

#[derive(Serialize)]
pub(super) struct Report {
    pub(super) schema: &'static str,
    /// Both files, in the order of the command line.
    pub(super) files: [FileReport; 2],
    pub(super) same: bool,
    /// The angle about x by which the first file must be rotated to equal the second, in degrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rotated: Option<i16>,
    /// The value of `--tolerance`.
    pub(super) tolerance: f64,
    /// The value of `--seconds`.
    pub(super) seconds: f64,
    pub(super) differences: Vec<DifferenceReport>,
    /// The number of differences of each kind. Without --all, only the first ten of each kind are
    /// listed in `differences`.
    pub(super) counts: BTreeMap<&'static str, usize>,
    pub(super) compared: Compared,
}

/// The JSON document if the files could not be compared.
#[derive(Serialize)]
pub(super) struct Failed<'a> {
    schema: &'static str,
    files: [FailedFile<'a>; 2],
    error: String,
}

#[derive(Serialize)]
struct FailedFile<'a> {
    file: Cow<'a, str>,
}

impl<'a> Failed<'a> {
    pub(super) fn of(inputs: [Input<'a>; 2], failure: &Failure) -> Failed<'a> {
        let files = inputs.map(|input| FailedFile { file: input.given() });
        Failed { schema: "animfmt.diff/2", files, error: failure.with_file() }
    }
}

#[derive(Serialize)]
pub(super) struct FileReport {
    file: String,
    /// The number of meshes whose normals were repaired before the comparison (`--normals`).
    normals_fixed: u64,
    #[serde(flatten)]
    unread: Unread,
}

/// What could not be read from a file, and was therefore not compared: the number of problems by
/// code.
#[derive(Clone, Serialize)]
pub(super) struct Unread {
    errors: BTreeMap<&'static str, u64>,
    losses: BTreeMap<&'static str, u64>,
}

impl Unread {
    pub(super) fn of(diagnostics: &Diagnostics, losses: &Diagnostics) -> Unread {
        let count = |found: &Diagnostics, is_kept: fn(&Code) -> bool| {
            let counts = found.counts().iter().filter(|(code, _)| is_kept(code));
            counts.map(|(code, count)| (code.id, *count)).collect()
        };
        let is_error =
            |code: &Code| code.severity == Severity::Error && code.category != Category::Engine;
        Unread {
            errors: count(diagnostics, is_error),
            // A scene keeps the wrap mode of a ping-pong clip, so it is compared.
            losses: count(losses, |code| {
                let is_missing =
                    code.category == Category::Reference && code.severity >= Severity::Warning;
                is_missing || code.category == Category::Loss && code.id != BACKWARDS.id
            }),
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.errors.is_empty() && self.losses.is_empty()
    }

    /// `not compared: 2 losses on reading walk.kanim (x3d-not-animated)`, or `None` if everything
    /// was read.
    pub(super) fn line(&self, file: &str) -> Option<String> {
        let total = |of: &BTreeMap<_, u64>| of.values().copied().fold(0, u64::saturating_add);
        let what = counts([
            (total(&self.errors), "error", "errors"),
            (total(&self.losses), "loss", "losses"),
        ]);
        let codes: Vec<&str> = self.errors.keys().chain(self.losses.keys()).copied().collect();
        let codes = codes.join(", ");
        (!what.is_empty()).then(|| format!("not compared: {what} on reading {file} ({codes})"))
    }
}

/// The number of items present in both files.
#[derive(Serialize)]
pub(super) struct Compared {
    joints: usize,
    /// Joints of one file that are nodes without a joint in the other.
    joints_as_nodes: usize,
    clips: usize,
    states: usize,
    events: usize,
    shapes: usize,
    materials: usize,
    clips_in_part: usize,
    shapes_in_part: usize,
    /// Normals that are zero in one file, which are not compared.
    zero_normals: usize,
}

#[derive(Default, Serialize)]
pub(super) struct DifferenceReport {
    pub(super) kind: &'static str,
    pub(super) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clip: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<String>,
    /// A joint, a node with morph weights, or a morph target of the shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shape: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) material: Option<String>,
    /// The vertex attribute or material property.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) what: Option<&'static str>,
    /// The vertex in the first file that differs the most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) vertex: Option<usize>,
    /// The position of that vertex in its mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<[f32; 3]>,
    /// The size of the difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) by: Option<f64>,
    /// The values in the first and the second file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) values: Option<[String; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) event: Option<String>,
    /// The only file that contains the item; absent if both do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) only_in: Option<&'static str>,
    /// Seconds from the clip's start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<f64>,
    /// The number of keys, vertices, or elements (triangles, lines and points).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) gap: Option<GapReport>,
}

#[derive(Serialize)]
pub(super) struct GapReport {
    /// In the units of the files.
    pub(super) translation: f64,
    /// Radians.
    pub(super) rotation: f64,
    /// The difference between the scale factors.
    pub(super) scale: f64,
}

impl FileReport {
    pub(super) fn of(input: Input<'_>, normals_fixed: u64, unread: Unread) -> FileReport {
        FileReport { file: input.given().into_owned(), normals_fixed, unread }
    }
}

impl Compared {
    pub(super) fn of(found: &Diff) -> Compared {
        Compared {
            joints: found.joints,
            joints_as_nodes: found.joints_as_nodes,
            clips: found.clips,
            states: found.states,
            events: found.events,
            shapes: found.shapes,
            materials: found.materials,
            clips_in_part: found.clips_in_part,
            shapes_in_part: found.shapes_in_part,
            zero_normals: found.zero_normals,
        }
    }
}
