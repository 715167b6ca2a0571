//! Skinned meshes whose vertices are sampled.

use anim_ir::double::length;
use anim_ir::number::{count, index32, narrow};
use anim_ir::{
    Bounds, Budget, Clip, Deformer, Interpolation, LimitError, Mat4, Mesh, Pose, Sampler, Scene,
    Skeleton, Skin, Timeline, Vec3,
};

use super::vertices::Bent;

/// The largest distance of a vertex from the line between two samples, relative to the size of the
/// mesh.
const NEAR: f64 = 1e-3;
/// How often the interval between two keys is halved.
const HALVED_AT_LEAST: u8 = 1;
const HALVED_AT_MOST: u8 = 10;

/// The work of evaluating the pose of a joint, in bytes ([`Budget::charge_work`]).
const WORK_PER_JOINT: usize = 48;

/// A mesh whose skin a timeline moves.
pub(super) struct Skinned<'s> {
    skeleton: &'s Skeleton,
    timeline: &'s Timeline,
    /// The length of the timeline, in seconds.
    length: f64,
    bent: &'s Bent,
    mesh: &'s Mesh,
    skin: &'s Skin,
    sampler: Sampler<'s>,
    pose: Pose,
    /// The model matrices of the joints.
    model: Vec<Mat4>,
    deformer: Deformer,
}

/// The vertices at a time.
struct Sample {
    time: f32,
    positions: Vec<Vec3>,
}

impl<'s> Skinned<'s> {
    pub(super) fn new(
        scene: &'s Scene,
        timeline: &'s Timeline,
        length: f64,
        bent: &'s Bent,
    ) -> Option<Skinned<'s>> {
        let skeleton = scene.skeleton(timeline.skeleton)?;
        let clip = Clip { end: narrow(length), ..Clip::default() };
        Some(Skinned {
            skeleton,
            timeline,
            length,
            bent,
            mesh: scene.node(bent.node).and_then(|node| scene.mesh(node.mesh?))?,
            skin: scene.skin(bent.skin?)?,
            sampler: Sampler::for_clip(skeleton, timeline, &clip),
            pose: Pose::default(),
            model: Vec::new(),
            deformer: Deformer::default(),
        })
    }

    /// Returns the morph weights and the matrices of the skin at a time.
    pub(super) fn pose(&mut self, time: f32) -> (Vec<f32>, Vec<Mat4>) {
        self.sampler.sample(f64::from(time), &mut self.pose);
        let weights = self.pose.weights_of(self.bent.node).unwrap_or(&self.mesh.morph_weights);
        self.pose.model_matrices(self.skeleton, &mut self.model);
        let mut matrices = Vec::new();
        self.skin.matrices(&self.model, &mut matrices);
        (weights.to_vec(), matrices)
    }

    /// Charges the work for a number of poses.
    pub(super) fn charge_poses(&self, count: usize, budget: &Budget) -> Result<(), LimitError> {
        let joints = count.saturating_mul(self.skeleton.joints.len());
        budget.charge_work("the poses of skins", joints.saturating_mul(WORK_PER_JOINT))
    }

    fn sample(&mut self, time: f32, budget: &Budget) -> Result<Sample, LimitError> {
        budget.charge_each::<Vec3>("sampled skins", self.mesh.positions.len())?;
        self.charge_poses(1, budget)?;
        let (weights, matrices) = self.pose(time);
        self.deformer.deform(self.mesh, &weights, &matrices);
        Ok(Sample { time, positions: self.deformer.positions().to_vec() })
    }

    /// Returns the times at which the vertices are sampled: those of all keys, immediately before
    /// jumps, and in between at a rate, or as often as necessary.
    pub(super) fn times(
        &mut self,
        rate: Option<f64>,
        budget: &Budget,
    ) -> Result<Vec<f32>, LimitError> {
        let end = narrow(self.length);
        let mut times = vec![0.0, end];
        for table in self.timeline.tables() {
            times.extend_from_slice(table.times());
            if table.interpolation() == Interpolation::Step {
                times.extend(table.times().iter().map(|time| time.next_down()));
            }
        }
        if let Some(rate) = rate {
            let frames = count((self.length * rate).ceil());
            budget.charge_each::<f32>("sampled skins", frames)?;
            times.extend((0..frames).map(|at| narrow(f64::from(index32(at)) / rate)));
        }
        times.retain(|time| (0.0..=end).contains(time));
        times.sort_by(f32::total_cmp);
        times.dedup();
        if rate.is_none() { self.refined(&times, budget) } else { Ok(times) }
    }

    /// Adds times between others until vertices are near the lines between their positions.
    fn refined(&mut self, times: &[f32], budget: &Budget) -> Result<Vec<f32>, LimitError> {
        let bounds = Bounds::of(self.mesh.positions.iter().copied());
        let near = NEAR * bounds.map_or(0.0, |bounds| length(bounds.size()));
        let mut refined = Vec::with_capacity(times.len());
        let Some((first, rest)) = times.split_first() else { return Ok(refined) };
        let mut before = self.sample(*first, budget)?;
        refined.push(*first);
        for time in rest {
            // The ends of intervals, the first on top, and how often they have been halved.
            let mut open = vec![(self.sample(*time, budget)?, 0_u8)];
            while let Some((after, halved)) = open.pop() {
                let [start, end] = [before.time, after.time].map(f64::from);
                let time = narrow((start + end) * 0.5);
                if before.time < time && time < after.time && halved < HALVED_AT_MOST {
                    let middle = self.sample(time, budget)?;
                    let is_far = far(&before, &middle, &after) > near;
                    if is_far || halved < HALVED_AT_LEAST {
                        let halved = halved.saturating_add(1);
                        open.push((after, halved));
                        open.push((middle, halved));
                        continue;
                    }
                }
                refined.push(after.time);
                before = after;
            }
        }
        Ok(refined)
    }
}

/// Returns the largest distance of a vertex from the middle between two others.
fn far(before: &Sample, middle: &Sample, after: &Sample) -> f64 {
    let ends = before.positions.iter().zip(&after.positions);
    let distances = ends
        .zip(&middle.positions)
        .map(|((a, b), middle)| length((*middle - (*a + *b) * 0.5).to_f64()));
    distances.fold(0.0, f64::max)
}
