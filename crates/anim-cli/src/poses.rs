//! Prints poses, as `sample` and `play` do.

use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write};
use std::sync::LazyLock;

use anim_formats::anim_ir::diag::escape;
use anim_formats::anim_ir::number::{self, narrow};
use anim_formats::anim_ir::{
    Budget, JointId, Mat4, Mesh, NodeId, Pose, Scene, Skeleton, Transform,
};
use serde::Serialize;

use crate::status::Failure;
use anim_viewer::pick;

/// The memory charged for a row of the result. Rows are not kept in memory, but printing very many
/// takes a long time.
pub(crate) const ROW_BYTES: usize = 64;

/// The pose at a time.
#[derive(Serialize)]
pub(crate) struct Sample<'a> {
    time: f32,
    joints: Vec<JointSample<'a>>,
    morphs: Vec<MorphSample<'a>>,
}

#[derive(Serialize)]
struct JointSample<'a> {
    #[serde(skip)]
    id: JointId,
    name: &'a str,
    translation: [f32; 3],
    rotation: [f32; 4],
    scale: [f32; 3],
    visible: bool,
}

/// The morph weights of a node.
#[derive(Serialize)]
struct MorphSample<'a> {
    node: &'a str,
    weights: Vec<f32>,
}

/// A node whose mesh has morph targets.
#[derive(Clone, Serialize)]
pub(crate) struct Morphing<'a> {
    #[serde(skip)]
    id: NodeId,
    #[serde(skip)]
    mesh: &'a Mesh,
    node: &'a str,
    /// The names of the morph targets; a name may be empty.
    targets: Vec<&'a str>,
}

/// Returns the number of samples from start to end, including the end if a sample falls on it.
pub(crate) fn frames(start: f64, end: f64, rate: f64) -> usize {
    // The end is an f32, so allow a thousandth of a frame for rounding.
    let last = ((end - start) * rate + 1e-3).floor();
    number::count(last).saturating_add(1)
}

/// What to print of the poses of a skeleton.
pub(crate) struct Poses<'a> {
    skeleton: &'a Skeleton,
    pub(crate) morphing: Vec<Morphing<'a>>,
    /// The joints to print.
    joints: Vec<JointId>,
    /// With `--world`, the matrix of each joint from its space to model space.
    world: Option<Vec<Mat4>>,
}

impl<'a> Poses<'a> {
    /// Prints all joints, relative to their parents, and all morph weights.
    pub(crate) fn new(scene: &'a Scene, skeleton: &'a Skeleton) -> Poses<'a> {
        let joints = skeleton.enumerate_joints().map(|(id, _)| id).collect();
        Poses { skeleton, morphing: morphing(scene), joints, world: None }
    }

    /// Selects what to print: joints by name, or all, and whether relative to the model.
    pub(crate) fn show(&mut self, joints: &[String], world: bool) -> Result<(), Failure> {
        self.world = world.then(Vec::new);
        if joints.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = self.skeleton.joints.iter().map(|joint| &*joint.name).collect();
        let picked = joints.iter().map(|name| Ok(JointId::new(pick("joint", &names, Some(name))?)));
        self.joints = picked.collect::<Result<_, Failure>>()?;
        self.morphing.clear();
        Ok(())
    }

    /// Returns what the transforms are relative to.
    pub(crate) fn relative_to(&self) -> &'static str {
        if self.world.is_some() { "model" } else { "parent" }
    }

    /// Charges the rows of this many poses.
    pub(crate) fn charge(&self, count: usize, budget: &Budget) -> Result<(), Failure> {
        let weights = self.morphing.iter().map(|morphing| morphing.targets.len());
        let each = weights.fold(self.skeleton.joints.len(), usize::saturating_add).max(1);
        let bytes = count.saturating_mul(each).saturating_mul(ROW_BYTES);
        let charged = budget.charge("the joint poses and morph weights", bytes);
        charged.map_err(|error| Failure::usage(error.to_string()))
    }

    /// Returns what to print of a pose.
    pub(crate) fn sample(&mut self, time: f64, pose: &Pose) -> Sample<'a> {
        let seen = pose.effective_visibility(self.skeleton);
        if let Some(world) = &mut self.world {
            pose.model_matrices(self.skeleton, world);
        }
        let joints = self.joints.iter().filter_map(|id| {
            let joint = self.skeleton.joint(*id)?;
            let world = self.world.as_ref().and_then(|world| world.get(id.index()));
            let local = || pose.local_transform(joint, *id);
            let Transform { translation, rotation, scale } =
                world.map_or_else(local, |matrix| matrix.to_transform());
            Some(JointSample {
                id: *id,
                name: &joint.name,
                translation: translation.to_array(),
                rotation: rotation.to_array(),
                scale: scale.to_array(),
                visible: seen.get(id.index()).copied().unwrap_or(true),
            })
        });
        let morphs = self.morphing.iter().map(|Morphing { id, mesh, node, targets }| {
            let weights = pose.weights_of(*id).unwrap_or(&mesh.morph_weights);
            // Missing weights are 0.
            let weights = weights.iter().copied().chain(std::iter::repeat(0.0));
            MorphSample { node, weights: weights.take(targets.len()).collect() }
        });
        Sample { time: narrow(time), joints: joints.collect(), morphs: morphs.collect() }
    }

    /// Writes the head of a table of poses.
    pub(crate) fn write_csv_head(&self, out: &mut dyn Write) -> io::Result<()> {
        // Scenes without morph targets get no columns for them.
        let columns = if self.morphing.is_empty() { "" } else { ",target,weight" };
        writeln!(out, "time,joint,name,tx,ty,tz,rx,ry,rz,rw,sx,sy,sz,visible{columns}")
    }

    /// Writes the rows of a pose.
    pub(crate) fn write_csv(&self, sample: &Sample<'_>, out: &mut dyn Write) -> io::Result<()> {
        let empty = if self.morphing.is_empty() { "" } else { ",," };
        for JointSample { id, name, translation, rotation, scale, visible } in &sample.joints {
            write!(out, "{},{},{}", sample.time, id.index(), cell(name))?;
            for number in translation.iter().chain(rotation).chain(scale) {
                write!(out, ",{number}")?;
            }
            writeln!(out, ",{visible}{empty}")?;
        }
        for (morphing, MorphSample { node, weights }) in self.morphing.iter().zip(&sample.morphs) {
            for (number, (target, weight)) in morphing.targets.iter().zip(weights).enumerate() {
                let target = if target.is_empty() { number.to_string() } else { cell(target) };
                let node = cell(node);
                writeln!(out, "{},,{node},,,,,,,,,,,,{target},{weight}", sample.time)?;
            }
        }
        Ok(())
    }
}

/// Returns the nodes whose meshes have morph targets.
fn morphing(scene: &Scene) -> Vec<Morphing<'_>> {
    let morphing = scene.enumerate_nodes().filter_map(|(id, node)| {
        let mesh = scene.mesh(node.mesh?)?;
        let targets: Vec<&str> =
            mesh.morph_targets.iter().map(|target| target.name.as_str()).collect();
        let node = if node.name.is_empty() { &mesh.name } else { &node.name };
        (!targets.is_empty()).then_some(Morphing { id, mesh, node, targets })
    });
    morphing.collect()
}

/// Returns text as a CSV cell, quoted if necessary. CSV has no escapes for control characters, so
/// they are escaped only on a terminal; programs get them unchanged.
pub(crate) fn cell(text: &str) -> String {
    static ON_TERMINAL: LazyLock<bool> = LazyLock::new(|| io::stdout().is_terminal());
    quoted(&if *ON_TERMINAL { Cow::Owned(escape(text)) } else { Cow::Borrowed(text) })
}

/// Returns a name as a CSV cell, quoted if necessary.
fn quoted(name: &str) -> String {
    if name.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells() {
        assert_eq!(
            ["hip", "a,b", "say \"x\""].map(quoted),
            ["hip", "\"a,b\"", "\"say \"\"x\"\"\""]
        );
    }
}
