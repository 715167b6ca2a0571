//! The error for scenes that cannot be merged.

use std::fmt;

use thiserror::Error;

use crate::file::diag::quote;
use crate::ops::diff::Gap;

/// The largest difference between rest poses that counts as rounding. For translations, it is
/// relative to the largest distance between a joint and its parent; for rotations, in radians.
pub(super) const ROUNDING: f64 = 1e-4;

/// The first joint that differs between an input of [`merge`](crate::merge) and the first one.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("joint {} {mismatch}", quote(joint.as_bytes()))]
#[non_exhaustive]
pub struct MergeError {
    /// The index of the input.
    pub input: usize,
    /// The name of the joint.
    pub joint: String,
    /// How the joint differs.
    pub mismatch: Mismatch,
    /// The inputs that can be merged with each other; the group of the first input comes first.
    pub groups: Vec<MergeGroup>,
    /// The number of inputs in no group, because the number of groups is limited.
    pub ungrouped: usize,
}

/// Inputs of a merge that have the same skeletons.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MergeGroup {
    /// The indices of the inputs.
    pub inputs: Vec<usize>,
    /// Why the inputs cannot be merged with those of the most similar group before. `None` for the
    /// group of the first input.
    pub mismatch: Option<GroupMismatch>,
}

/// The first joint that differs between two groups.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GroupMismatch {
    /// The index of the first input of the other group.
    pub other: usize,
    /// The name of the joint.
    pub joint: String,
    /// How the joint differs from that of the other group.
    pub mismatch: Mismatch,
}

/// How a joint differs from the joint with the same name in the first input of a merge.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Mismatch {
    /// Only the first input has the joint.
    Missing,
    /// The first input does not have the joint.
    Added,
    /// The joints have different parents: in this input, and in the first.
    Parent([Option<String>; 2]),
    /// The joints of one skeleton belong to several skeletons in the first input.
    Skeleton,
    /// The rest poses differ by more than rounding.
    Rest(Gap),
}

impl Mismatch {
    /// Ranks mismatches: the lower, the more similar are the skeletons.
    pub(super) const fn rank(&self) -> usize {
        match self {
            Mismatch::Rest(_) => 0,
            Mismatch::Parent(_) => 1,
            Mismatch::Skeleton => 2,
            Mismatch::Missing => 3,
            Mismatch::Added => 4,
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Missing => f.write_str("is missing"),
            Mismatch::Added => f.write_str("exists only in this file"),
            Mismatch::Parent(parents) => {
                let [here, there] = parents.each_ref().map(|parent| match parent {
                    Some(name) => format!("below {}", quote(name.as_bytes())),
                    None => "a root".to_owned(),
                });
                write!(f, "is {here} here, but {there} there")
            }
            Mismatch::Skeleton => f.write_str("is in a different skeleton"),
            Mismatch::Rest(Gap { translation, rotation, scale }) => {
                let parts = [
                    ("translation", *translation, ""),
                    ("rotation", rotation.to_degrees(), "°"),
                    ("scale", *scale, ""),
                ];
                // A part without any difference to show says nothing.
                let parts: Vec<String> = parts
                    .into_iter()
                    .map(|(what, by, unit)| (what, format!("{by:.4}"), unit))
                    .filter(|(_, by, _)| by.as_str() != "0.0000")
                    .map(|(what, by, unit)| format!("{what} differs by {by}{unit}"))
                    .collect();
                if parts.is_empty() {
                    return f.write_str("has a slightly different rest pose");
                }
                write!(f, "has a different rest pose: {}", parts.join(", "))
            }
        }
    }
}
