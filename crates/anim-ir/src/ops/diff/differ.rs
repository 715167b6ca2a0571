//! Comparison of two scenes.

use std::borrow::Cow;

use crate::ops::diff::clip_start::at_clip_start;
use crate::ops::diff::difference::Options;
use crate::ops::diff::difference::{Diff, Difference, Gap, Side};
use crate::ops::diff::pairs::Pairs;
use crate::ops::diff::placing::{Followed, joints, starts};
use crate::ops::diff::shape_pairs::ShapePairs;
use crate::{Bake, Budget, Channel, LimitError, Scene, Track, Vec3};

/// Compares two scenes with the same axes.
pub(super) fn compare(a: &Scene, b: &Scene, options: &Options) -> Result<Diff, LimitError> {
    let bake = Bake::default().with_limits(options.limits);
    let plain = |scene: &Scene| -> Result<Scene, LimitError> {
        let mut scene = scene.baked(&bake)?.value.into_owned();
        scene.machines.clear();
        Ok(scene)
    };
    let (a, b) = match (a.machines.is_empty(), b.machines.is_empty()) {
        (true, false) => (Cow::Borrowed(a), Cow::Owned(plain(b)?)),
        (false, true) => (Cow::Owned(plain(a)?), Cow::Borrowed(b)),
        _ => (Cow::Borrowed(a), Cow::Borrowed(b)),
    };
    let mut differ = Differ::new([&a, &b], options);
    if options.motion {
        differ.compare_joints();
        differ.compare_states();
        differ.compare_clips();
        differ.compare_events_outside();
        if differ.is_decided() {
            return Ok(differ.found);
        }
    }
    if options.shapes || options.materials {
        if options.whole {
            differ.compare_shapes();
        } else {
            let [a, b] = [&*a, &*b].map(at_clip_start);
            let mut of_shapes = Differ::new([&a, &b], options);
            of_shapes.found = std::mem::take(&mut differ.found);
            of_shapes.compare_shapes();
            differ.found = of_shapes.found;
        }
    }
    let all = options.motion && options.shapes && options.materials && options.whole;
    if all && differ.found.counts.is_empty() {
        differ.compare_extras();
    }
    Ok(differ.found)
}

/// The two scenes to compare, and the differences found so far.
pub(super) struct Differ<'a> {
    pub(super) scenes: [&'a Scene; 2],
    pub(super) joints: Pairs<'a>,
    /// For each skeleton, the index of its first joint among the joints of all skeletons.
    pub(super) starts: [Vec<usize>; 2],
    pub(super) clips: Pairs<'a>,
    pub(super) shapes: ShapePairs<'a>,
    /// The nodes of both scenes. Formats may name nodes differently, so those of matched shapes
    /// belong together.
    pub(super) nodes: Pairs<'a>,
    pub(super) followed: Followed,
    pub(super) options: &'a Options,
    /// The largest coordinate, which the tolerance for translations is relative to.
    pub(super) length: f64,
    pub(super) budget: Budget,
    pub(super) found: Diff,
}

impl<'a> Differ<'a> {
    pub(super) fn new(scenes: [&'a Scene; 2], options: &'a Options) -> Differ<'a> {
        let length = scenes.map(greatest_coordinate).into_iter().fold(0.0, f64::max);
        let joints = Pairs::of(scenes.map(|scene| joints(scene).map(|joint| joint.name.as_str())));
        let budget = budget(scenes, options);
        let shapes = ShapePairs::of(scenes, options.whole, budget.left() / 2);
        Differ {
            scenes,
            followed: Followed::of(scenes, &joints),
            joints,
            clips: Pairs::of(scenes.map(|scene| scene.clips.iter().map(|clip| clip.name.as_str()))),
            nodes: shapes.nodes(scenes),
            shapes,
            starts: scenes.map(starts),
            options,
            length: if length > 0.0 { length } else { 1.0 },
            budget,
            found: Diff::default(),
        }
    }

    /// Charges samples of joints, keys, events or vertices. A comparison does not store them, so
    /// each is charged as one byte. Returns whether they fit into the budget.
    pub(super) fn affords(&self, samples: usize) -> bool {
        self.budget.charge("samples", samples).is_ok()
    }

    /// Returns how many more samples fit into the budget.
    pub(super) fn left(&self) -> usize {
        self.budget.left()
    }

    /// Starts the comparison of shapes, which has a budget of its own.
    pub(super) fn renew_budget(&mut self) {
        self.budget = self.budget.renewed();
    }

    pub(super) fn push(&mut self, difference: Difference) {
        let count = self.found.counts.entry(difference.kind()).or_default();
        *count = count.saturating_add(1);
        if *count <= self.options.kept {
            self.found.differences.push(difference);
        }
    }

    /// Whether nothing else matters: the scenes differ, and no difference is to be kept.
    pub(super) fn is_decided(&self) -> bool {
        self.options.kept == 0 && !self.found.counts.is_empty()
    }

    pub(super) fn exceeds(&self, gap: &Gap) -> bool {
        gap.excess(self.length, self.options.tolerance) > 1.0
    }

    pub(super) fn same_time(&self, a: f64, b: f64) -> bool {
        (a - b).abs() <= self.options.seconds
    }

    /// Compares the extras of the scene, joints and clips; only used if nothing else differs.
    /// Extras of a format that only one of the scenes has are ignored, since the other scene may
    /// store the same data as extras of another format.
    pub(super) fn compare_extras(&mut self) {
        let [a, b] = self.scenes;
        let mut all = vec![("the scene".to_owned(), [&a.extras, &b.extras])];
        let [of_a, of_b] =
            self.scenes.map(|scene| joints(scene).map(|joint| &joint.extras).collect::<Vec<_>>());
        for [x, y] in &self.joints.both {
            if let (Some(a), Some(b)) = (of_a.get(*x), of_b.get(*y)) {
                all.push((format!("joint {}", self.joints.label(Side::A, *x)), [*a, *b]));
            }
        }
        for [x, y] in &self.clips.both {
            if let (Some(a), Some(b)) = (a.clips.get(*x), b.clips.get(*y)) {
                let of = format!("clip {}", self.clips.label(Side::A, *x));
                all.push((of, [&a.extras, &b.extras]));
            }
        }
        for (of, [x, y]) in all {
            for (format, value) in x {
                if y.get(format).is_some_and(|other| other != value) {
                    self.push(Difference::Extras { of: of.clone(), format: format.clone() });
                }
            }
        }
    }
}

fn budget(scenes: [&Scene; 2], options: &Options) -> Budget {
    Budget::for_scenes(&options.limits, scenes)
}

/// Returns the largest absolute coordinate in rest poses, vertices and keys.
fn greatest_coordinate(scene: &Scene) -> f64 {
    let rest = joints(scene).map(|joint| joint.rest.translation);
    let vertices = scene.meshes.iter().flat_map(|mesh| &mesh.positions).copied();
    let numbers = rest.chain(vertices).flat_map(Vec3::to_array);
    let keys = scene.timelines.iter().flat_map(|timeline| {
        let moves =
            |track: &&Track| matches!(track.channel, Channel::Translation | Channel::Offset);
        let tracks = timeline.tracks().iter().filter(moves);
        tracks.flat_map(|track| timeline.keys(track).values().flatten().copied())
    });
    let sizes = numbers.chain(keys).map(|number| f64::from(number.abs()));
    sizes.filter(|number| number.is_finite()).fold(0.0, f64::max)
}
