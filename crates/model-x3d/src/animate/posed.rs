//! Shapes whose points an interpolator sets: each key becomes a pose.

use std::borrow::Cow;

use anim_ir::diag::plural;
use anim_ir::{Budget, Diagnostics, LimitError};

use super::plan::PlannedShape;
use super::stage::Stage;
use super::variants::{Played, Pose};
use crate::codes;
use crate::events::{Curve, Drive, Listed};

/// The memory charged for a pose whose points have been used before: the pose, its key, its name
/// and its place among the shapes.
const POSE_BYTES: usize = 192;
/// How error messages refer to poses.
const POSES: &str = "the poses of reused points";

impl Stage<'_> {
    /// Returns the keys and poses of a shape whose points change.
    pub(super) fn posed<'v>(
        &mut self,
        shape: &PlannedShape,
        played: &Played<'v>,
        problems: &mut Diagnostics,
    ) -> Option<Played<'v>> {
        let graph = played.frames.first()?;
        let id = shape.source.coordinates?;
        let node = graph.node(id)?;
        let width = node.floats("point").len();
        let drives = played.drives.of(id, node, "point");
        if drives.is_empty() {
            return None;
        }
        self.shown.insert(id);
        let mut posed = Played::still(played.frames, played.drives);
        // The weights of the poses need memory as well.
        let budget = self.budget.half();
        for (number, drive) in drives {
            let (Some(take), Drive::Curve(curve)) = (played.all_takes.get(*number), drive) else {
                continue;
            };
            let is_given = !self.used_curves.contains(&curve.node);
            if is_given {
                check_count(curve, width, played, problems);
            }
            let lists = match self.lists(curve, width, played, &budget) {
                Ok(lists) => lists,
                Err(error) => {
                    problems.push(&codes::EXPANSION, node.span, || {
                        format!("{}: {error}", shape.shown())
                    });
                    // The other sensors would exceed the budget one by one.
                    break;
                }
            };
            let first = posed.frame_count();
            let times: Vec<f32> = lists.iter().map(|(time, _)| *time).collect();
            let normals = self.posed_normals(shape, played, (*number, &times), (&budget, problems));
            let mut normals = normals.into_iter();
            posed.keys.push(times.into_iter().zip(first..).collect());
            posed.poses.extend(lists.into_iter().map(|(_, points)| {
                let normals = normals.next();
                Pose { points, normals, is_given }
            }));
            posed.takes.push((*number, take));
        }
        // Cannot fail, since at most half of the remaining budget was spent.
        let _ = self.budget.charge(POSES, budget.spent());
        posed.is_of_many = posed.takes.len() > 1;
        Some(posed)
    }

    /// Returns the keys of a list of points or normals. Their first use is not charged, since the
    /// file contains the numbers.
    fn lists<'v>(
        &mut self,
        curve: &Curve,
        width: usize,
        played: &Played<'v>,
        budget: &Budget,
    ) -> Result<Vec<Listed<'v>>, LimitError> {
        let Some(graph) = played.frames.first() else { return Ok(Vec::new()) };
        if !self.used_curves.insert(curve.node) {
            let bytes = played.drives.key_bound(graph, curve, width).saturating_mul(POSE_BYTES);
            budget.charge(POSES, bytes)?;
        }
        played.drives.lists(graph, curve, width, budget)
    }

    /// Returns the normals that an interpolator sets at the same times as the points. Empty if none
    /// does, so that the normals of the first shape are kept, which is reported.
    fn posed_normals<'v>(
        &mut self,
        shape: &PlannedShape,
        played: &Played<'v>,
        (take, times): (usize, &[f32]),
        (budget, problems): (&Budget, &mut Diagnostics),
    ) -> Vec<Cow<'v, [f32]>> {
        let source = || {
            let id = shape.source.normals?;
            let node = played.frames.first()?.node(id)?;
            let drives = played.drives.of(id, node, "vector");
            match drives.iter().find(|(number, _)| *number == take)? {
                (_, Drive::Curve(curve)) => Some((id, node, curve)),
                _ => None,
            }
        };
        let Some((id, node, curve)) = source() else { return Vec::new() };
        match self.lists(curve, node.floats("vector").len(), played, budget) {
            Ok(lists) if lists.iter().map(|(time, _)| time).eq(times) => {
                self.shown.insert(id);
                lists.into_iter().map(|(_, normals)| normals).collect()
            }
            Ok(_) => Vec::new(),
            Err(error) => {
                self.shown.insert(id);
                problems.push(&codes::EXPANSION, node.span, || error.to_string());
                Vec::new()
            }
        }
    }
}

/// Checks that an interpolator has a list of points for each key.
fn check_count(curve: &Curve, width: usize, played: &Played<'_>, problems: &mut Diagnostics) {
    let Some(graph) = played.frames.first() else { return };
    let Some(node) = graph.node(curve.node) else { return };
    let (keys, numbers) = (node.floats("key").len(), node.floats("keyValue").len());
    if keys.saturating_mul(width) != numbers {
        problems.push(&codes::KEY_COUNT, node.span, || {
            format!(
                "{} has {} for {}, but its target has {}",
                graph.shown(curve.node),
                plural(numbers / 3, "point"),
                plural(keys, "key"),
                plural(width / 3, "point")
            )
        });
    }
}
