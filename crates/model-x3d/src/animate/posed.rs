//! Shapes whose points an interpolator sets: each key becomes a pose.

use std::borrow::Cow;

use anim_ir::Diagnostics;
use anim_ir::diag::plural;

use super::plan::PlannedShape;
use super::stage::Stage;
use super::variants::{Played, Pose};
use crate::codes;
use crate::events::{Curve, Drive};

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
        for (number, drive) in drives {
            let (Some(take), Drive::Curve(curve)) = (played.all_takes.get(*number), drive) else {
                continue;
            };
            let is_given = self.used_curves.insert(curve.node);
            if is_given {
                check_count(curve, width, played, problems);
            }
            let lists = match played.drives.lists(graph, curve, width, self.budget) {
                Ok(lists) => lists,
                Err(error) => {
                    problems.push(&codes::EXPANSION, node.span, || error.to_string());
                    continue;
                }
            };
            let first = posed.frame_count();
            let times: Vec<f32> = lists.iter().map(|(time, _)| *time).collect();
            let mut normals = self.posed_normals(shape, played, *number, &times).into_iter();
            posed.keys.push(times.into_iter().zip(first..).collect());
            posed.poses.extend(lists.into_iter().map(|(_, points)| {
                let normals = normals.next();
                Pose { points, normals, is_given }
            }));
            posed.takes.push((*number, take));
        }
        posed.is_of_many = posed.takes.len() > 1;
        Some(posed)
    }

    /// Returns the normals that an interpolator sets at the same times as the points. Empty if none
    /// does, so that the normals of the first shape are kept, which is reported.
    fn posed_normals<'v>(
        &mut self,
        shape: &PlannedShape,
        played: &Played<'v>,
        take: usize,
        times: &[f32],
    ) -> Vec<Cow<'v, [f32]>> {
        let found = || {
            let graph = played.frames.first()?;
            let id = shape.source.normals?;
            let node = graph.node(id)?;
            let width = node.floats("vector").len();
            let drives = played.drives.of(id, node, "vector");
            let (_, Drive::Curve(curve)) = drives.iter().find(|(number, _)| *number == take)?
            else {
                return None;
            };
            let lists = played.drives.lists(graph, curve, width, self.budget).ok()?;
            let is_at_once = lists.iter().map(|(time, _)| time).eq(times);
            is_at_once.then_some((id, lists))
        };
        let Some((id, lists)) = found() else { return Vec::new() };
        self.shown.insert(id);
        lists.into_iter().map(|(_, normals)| normals).collect()
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
