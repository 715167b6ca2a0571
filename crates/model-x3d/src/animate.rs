//! Frames to motion: what moves becomes keys and morph targets, what stays is there once.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use anim_ir::diag::{plural, quote};
use anim_ir::{
    Channel, Clip, Converted, Diagnostic, Diagnostics, Interpolation, Joint, Limits, Node, Scene,
    Skeleton, Span, Target, TimelineBuilder, Transform,
};

use crate::codes;
use crate::compare::{changed_fields, structure_hash, unify};
use crate::geometry::Source;
use crate::graph::{Graph, NodeId};
use crate::look::{Looks, PickImage};
use crate::motion::{Motion, Shown};
use crate::plan::{Part, Plan, PlannedJoint, PlannedShape, Step, plan, versions};
use crate::pool::MeshPool;

/// One still.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Seconds; each frame's is greater than the one's before.
    pub time: f32,
    /// The scene.
    pub graph: Arc<Graph>,
    /// Whether the places of its nodes are places in the file that the diagnostics are about, and
    /// not in another one.
    pub in_file: bool,
    /// Where the frame itself stands in that file.
    pub span: Option<Span>,
}

/// An animation: stills and their times.
#[derive(Clone, Debug)]
pub struct Take {
    /// Its name, range, wrap and extras.
    pub clip: Clip,
    /// In order of time.
    pub frames: Vec<Frame>,
    /// Each frame is shown until the next one, without anything between them.
    pub step: bool,
}

/// How to make motion of stills.
#[derive(Clone, Copy, Debug)]
pub struct Animate {
    /// Shows each shape of a mesh as a mesh of its own, one after the other, instead of blending
    /// between them: for players that know no morph targets.
    pub flip_book: bool,
    /// Gives morph targets normals. Without them a mesh that changes keeps the shading of its first
    /// shape, but the file is half as large.
    pub morph_normals: bool,
    /// Most morph targets that a mesh gets; what needs more becomes several meshes, shown one after
    /// the other. Bevy takes 256.
    pub most_morph_targets: usize,
    /// Bounds on what is made.
    pub limits: Limits,
}

impl Default for Animate {
    fn default() -> Animate {
        Animate {
            flip_book: false,
            morph_normals: false,
            most_morph_targets: 256,
            limits: Limits::default(),
        }
    }
}

/// Frames of equal structure, of all takes. What is drawn is planned once for all of them.
#[derive(Debug, Default)]
struct Variant {
    frames: Vec<Arc<Graph>>,
    /// Whether the places of the nodes of the first frame are in the file.
    in_file: bool,
}

/// Frames of one take that follow each other and have equal structure.
#[derive(Clone, Copy, Debug)]
struct Run {
    variant: usize,
    /// Index of its first frame in the take, and in the variant.
    first: usize,
    first_in_variant: usize,
    count: usize,
}

/// The frames of a take as one variant shows them: time, and frame of the variant.
pub(crate) type Keys = Vec<(f32, usize)>;

/// Makes a scene of animations by frames. All takes move the same scene: what is equal in them is
/// there once, and each hides what belongs to others only.
///
/// Consecutive frames of equal structure are blended: transforms field by field, as the
/// interpolation of `Transform` nodes is; coordinates of vertices as morph targets. What is not
/// made of the same parts is shown until the next frame's time, and then switched.
pub fn animate(mut takes: Vec<Take>, options: &Animate, pick: PickImage<'_>) -> Converted<Scene> {
    let mut losses = Diagnostics::new();
    let mut variants: Vec<Variant> = Vec::new();
    let mut by_structure: HashMap<u64, Vec<usize>> = HashMap::new();
    let runs: Vec<Vec<Run>> = takes
        .iter_mut()
        .map(|take| find_runs(take, &mut variants, &mut by_structure, &mut losses))
        .collect();

    let mut stage = Stage {
        options,
        skeleton: Skeleton::nodes("scene"),
        nodes: Vec::new(),
        pool: MeshPool::default(),
        looks: Looks::default(),
        builders: takes.iter().map(|take| TimelineBuilder::new(take.clip.name.clone())).collect(),
        dropped: BTreeMap::new(),
        room: options.limits.samples,
        losses,
    };
    let several = variants.len() > 1;
    for (index, variant) in variants.iter().enumerate() {
        let keys: Vec<Keys> =
            takes.iter().zip(&runs).map(|(take, runs)| keys_of(take, runs, index)).collect();
        let root = several.then(|| {
            let shown: Vec<Shown> =
                takes.iter().zip(&runs).map(|(take, runs)| shown_of(take, runs, index)).collect();
            stage.add_switch(
                format!("frames {}", index.saturating_add(1)),
                None,
                index == 0,
                &shown,
            )
        });
        stage.add_variant(variant, &keys, &takes, root, pick);
    }
    stage.finish(takes)
}

/// Divides a take into runs, and finds their variants.
fn find_runs(
    take: &mut Take,
    variants: &mut Vec<Variant>,
    by_structure: &mut HashMap<u64, Vec<usize>>,
    losses: &mut Diagnostics,
) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut before: Option<Arc<Graph>> = None;
    for (number, frame) in take.frames.iter_mut().enumerate() {
        let difference = match &before {
            None => None,
            Some(before) if Arc::ptr_eq(before, &frame.graph) => None,
            Some(before) => unify(before, Arc::make_mut(&mut frame.graph)),
        };
        let starts = before.is_none() || difference.is_some();
        if let Some(difference) = difference {
            losses.report(&codes::FRAMES_DIFFER, || {
                let what = format!(
                    "frame {number} of clip {} is not made of the same parts as the one before",
                    quote(take.clip.name.as_bytes())
                );
                let span = difference.span.filter(|_| frame.in_file).or(frame.span);
                Diagnostic::new(&codes::FRAMES_DIFFER, span, format!("{what}: {}", difference.what))
            });
        }
        if starts {
            let variant = find_variant(frame, variants, by_structure);
            let first_in_variant = variants.get(variant).map_or(0, |variant| variant.frames.len());
            runs.push(Run { variant, first: number, first_in_variant, count: 0 });
        }
        if let Some(run) = runs.last_mut() {
            run.count = run.count.saturating_add(1);
            if let Some(variant) = variants.get_mut(run.variant) {
                variant.frames.push(Arc::clone(&frame.graph));
            }
        }
        before = Some(Arc::clone(&frame.graph));
    }
    runs
}

fn find_variant(
    frame: &mut Frame,
    variants: &mut Vec<Variant>,
    by_structure: &mut HashMap<u64, Vec<usize>>,
) -> usize {
    let candidates = by_structure.entry(structure_hash(&frame.graph)).or_default();
    for candidate in candidates.iter() {
        let Some(known) = variants.get(*candidate).and_then(|variant| variant.frames.first())
        else {
            continue;
        };
        if Arc::ptr_eq(known, &frame.graph)
            || unify(known, Arc::make_mut(&mut frame.graph)).is_none()
        {
            return *candidate;
        }
    }
    variants.push(Variant { frames: Vec::new(), in_file: frame.in_file });
    let index = variants.len().saturating_sub(1);
    candidates.push(index);
    index
}

/// When a take shows a variant, and which of its frames.
fn keys_of(take: &Take, runs: &[Run], variant: usize) -> Keys {
    let mut keys = Keys::new();
    let mut mine = runs.iter().enumerate().filter(|(_, run)| run.variant == variant).peekable();
    while let Some((number, run)) = mine.next() {
        let times = take.frames.iter().skip(run.first).take(run.count).map(|frame| frame.time);
        keys.extend(times.zip(run.first_in_variant..));
        // Until it is hidden, the last frame is held: the next key of this variant is that of
        // another run.
        let hidden =
            runs.get(number.saturating_add(1)).and_then(|next| take.frames.get(next.first));
        if let (Some(hidden), Some(_), Some((last, frame))) =
            (hidden, mine.peek(), keys.last().copied())
            && hidden.time.next_down() > last
        {
            keys.push((hidden.time.next_down(), frame));
        }
    }
    keys
}

/// When a take shows a variant: true and false from a time on.
fn shown_of(take: &Take, runs: &[Run], variant: usize) -> Shown {
    let mut shown = Shown::new();
    for run in runs {
        let is = run.variant == variant;
        if shown.last().is_none_or(|(_, last)| *last != is) {
            shown.push((take.frames.get(run.first).map_or(0.0, |frame| frame.time), is));
        }
    }
    if shown.is_empty() { vec![(take.clip.start, false)] } else { shown }
}

/// What a shape is made of, which others may be made of too.
struct Model {
    motion: Motion,
    material: usize,
    /// The mesh of each page, once it is there.
    meshes: Vec<usize>,
}

/// The scene while it is put together.
struct Stage<'o> {
    options: &'o Animate,
    skeleton: Skeleton,
    nodes: Vec<Node>,
    pool: MeshPool,
    looks: Looks,
    builders: Vec<TimelineBuilder>,
    dropped: BTreeMap<&'static str, (usize, Option<Span>)>,
    /// Numbers that may yet be written for nodes that are used again: each use has keys of its own.
    room: usize,
    losses: Diagnostics,
}

impl Stage<'_> {
    fn finish(mut self, takes: Vec<Take>) -> Converted<Scene> {
        for (kind, (count, span)) in &self.dropped {
            self.losses.push(&codes::DROPPED, *span, || {
                format!("{} not carried over", plural_nodes(*count, kind))
            });
        }
        let clips = takes
            .into_iter()
            .enumerate()
            .map(|(index, take)| Clip { timeline: index, ..take.clip })
            .collect();
        let scene = Scene {
            skeletons: vec![self.skeleton],
            timelines: self.builders.into_iter().map(TimelineBuilder::finish).collect(),
            clips,
            meshes: self.pool.meshes,
            nodes: self.nodes,
            materials: self.looks.materials,
            images: self.looks.images,
            ..Scene::default()
        };
        Converted { value: scene, losses: self.losses }
    }

    /// A joint that shows and hides what hangs from it.
    fn add_switch(
        &mut self,
        name: String,
        parent: Option<usize>,
        at_rest: bool,
        shown: &[Shown],
    ) -> usize {
        let index = self.skeleton.joints.len();
        self.skeleton.joints.push(Joint {
            visible: at_rest,
            source_index: index,
            ..Joint::new(name, parent)
        });
        for (builder, shown) in self.builders.iter_mut().zip(shown) {
            let times: Vec<f32> = shown.iter().map(|(time, _)| *time).collect();
            let values: Vec<f32> =
                shown.iter().map(|(_, shown)| if *shown { 1.0 } else { 0.0 }).collect();
            let target = Target::Joint(index);
            // A take without frames has no times, and shows nothing new.
            let _ = match values.as_slice() {
                [] => Ok(()),
                [value] => builder.constant(target, Channel::Visibility, &[*value]),
                values => {
                    builder.keys(target, Channel::Visibility, Interpolation::Step, &times, values)
                }
            };
        }
        index
    }

    /// Whether a node that is used again may have so many numbers for its keys.
    fn has_room(&mut self, numbers: usize) -> bool {
        let left = self.room.checked_sub(numbers);
        if left.is_none() {
            self.losses.push(&codes::EXPANSION, None, || {
                "nodes that are used again and again move, and their keys take too much room"
                    .to_owned()
            });
        }
        self.room = left.unwrap_or(self.room);
        left.is_some()
    }

    fn add_variant(
        &mut self,
        variant: &Variant,
        keys: &[Keys],
        takes: &[Take],
        root: Option<usize>,
        pick: PickImage<'_>,
    ) {
        let Some(first) = variant.frames.first() else { return };
        let mut problems = Diagnostics::new();
        let planned = plan(&variant.frames, &self.options.limits, &mut problems);
        for (kind, (count, span)) in &planned.dropped {
            let (most, _) =
                self.dropped.entry(kind).or_insert((0, Some(*span).filter(|_| variant.in_file)));
            *most = (*most).max(*count);
        }
        let joints: Vec<usize> = self.add_joints(&planned, variant, keys, takes, root);
        let mut built: Vec<Option<Model>> = Vec::new();
        let mut known: HashMap<ModelKey<'_>, usize> = HashMap::new();
        for shape in &planned.shapes {
            let key =
                ModelKey(&shape.source, &shape.baked, shape.look.material, shape.look.texture);
            let at = *known.entry(key).or_insert_with(|| {
                built.push(self.build(shape, variant, first, keys, takes, &mut problems, pick));
                built.len().saturating_sub(1)
            });
            let parent = shape.joint.and_then(|joint| joints.get(joint).copied()).or(root);
            if let Some(Some(model)) = built.get_mut(at) {
                self.add_shape(shape, model, parent, keys, takes);
            }
        }
        if variant.in_file {
            self.losses.append(problems);
        } else {
            // Places in other files are none here.
            for problem in &problems {
                self.losses.push(problem.code, None, || problem.message.clone());
            }
        }
    }

    /// The joints of a variant, with their tracks. Gives their numbers in the skeleton.
    fn add_joints(
        &mut self,
        planned: &Plan,
        variant: &Variant,
        keys: &[Keys],
        takes: &[Take],
        root: Option<usize>,
    ) -> Vec<usize> {
        let base = self.skeleton.joints.len();
        let Some(first) = variant.frames.first() else { return Vec::new() };
        let key_count: usize = keys.iter().fold(0, |sum, keys| sum.saturating_add(keys.len()));
        let mut known: HashSet<Step> = HashSet::new();
        for joint in &planned.joints {
            let parent = joint.parent.map(|parent| parent.saturating_add(base)).or(root);
            let index = self.skeleton.joints.len();
            let mut made = Joint { source_index: index, ..Joint::new(joint.name.clone(), parent) };
            if let Some(matrix) = joint.step.matrix(first) {
                made.rest = matrix.to_transform();
                made.exact_rest = Some(matrix);
            } else {
                made.rest = joint.step.transform(first);
            }
            let varies = joint.step.part != Part::Matrix
                && versions(&variant.frames, joint.step.node).nth(1).is_some();
            let is_first = varies && known.insert(joint.step);
            if varies && (is_first || self.has_room(key_count.saturating_mul(10))) {
                self.report_turns(joint, variant);
                let values: Vec<Transform> =
                    variant.frames.iter().map(|graph| joint.step.transform(graph)).collect();
                self.add_joint_tracks(index, &made.rest, &values, keys, takes);
            }
            self.skeleton.joints.push(made);
        }
        (base..self.skeleton.joints.len()).collect()
    }

    /// Tells of turns of half a circle or more between two frames: the shorter way is another one,
    /// or none.
    fn report_turns(&mut self, joint: &PlannedJoint, variant: &Variant) {
        let turn = |node: &crate::graph::Node| node.array::<4>("rotation");
        let mut before: Option<[f32; 4]> = None;
        for node in versions(&variant.frames, joint.step.node)
            .filter(|_| matches!(joint.step.part, Part::Whole { .. }))
        {
            let [x, y, z, angle] = turn(node);
            let last = before.replace([x, y, z, angle]);
            if let Some([a, b, c, from]) = last
                && [a, b, c] == [x, y, z]
                && (f64::from(angle) - f64::from(from)).abs() > std::f64::consts::PI + 1e-3
            {
                let message = || {
                    format!(
                        "{} turns from {from} to {angle} rad, and takes the shorter way round",
                        quote(joint.name.as_bytes())
                    )
                };
                self.losses.push(
                    &codes::LONG_TURN,
                    Some(node.span).filter(|_| variant.in_file),
                    message,
                );
            }
        }
    }

    fn add_joint_tracks(
        &mut self,
        joint: usize,
        rest: &Transform,
        values: &[Transform],
        keys: &[Keys],
        takes: &[Take],
    ) {
        let numbers = |channel: Channel, transform: &Transform| match channel {
            Channel::Rotation => transform.rotation.to_array().to_vec(),
            Channel::Scale => transform.scale.to_array().to_vec(),
            _ => transform.translation.to_array().to_vec(),
        };
        for channel in [Channel::Translation, Channel::Rotation, Channel::Scale] {
            let at_rest = numbers(channel, rest);
            if values.iter().all(|value| numbers(channel, value) == at_rest) {
                continue;
            }
            for ((builder, keys), take) in self.builders.iter_mut().zip(keys).zip(takes) {
                let keyed: Vec<(f32, Vec<f32>)> = keys
                    .iter()
                    .filter_map(|(time, frame)| {
                        Some((*time, numbers(channel, values.get(*frame)?)))
                    })
                    .collect();
                add_track(builder, Target::Joint(joint), channel, take.step, &keyed);
            }
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "a step of the work on a variant, whose parts these are"
    )]
    fn build(
        &mut self,
        shape: &PlannedShape,
        variant: &Variant,
        first: &Graph,
        keys: &[Keys],
        takes: &[Take],
        problems: &mut Diagnostics,
        pick: PickImage<'_>,
    ) -> Option<Model> {
        let built = crate::geometry::build(first, &shape.source, &self.options.limits, problems)?;
        let material =
            self.looks.add(first, &shape.look, &built.mesh, built.double_sided, pick, problems);
        let motion = Motion::of(built, shape, &variant.frames, keys, takes, self.options, problems);
        report_unmoved(shape, &motion, variant, self.options, problems);
        Some(Model { motion, material, meshes: Vec::new() })
    }

    /// A shape where it is drawn: one node, or one for each page.
    fn add_shape(
        &mut self,
        shape: &PlannedShape,
        model: &mut Model,
        parent: Option<usize>,
        keys: &[Keys],
        takes: &[Take],
    ) {
        let Model { motion, material, meshes } = model;
        let mut moves = true;
        if meshes.is_empty() {
            meshes.extend(motion.pages.iter().map(|page| {
                self.pool.add(motion, page, &shape.name, *material, self.options.morph_normals)
            }));
        } else {
            moves = motion.number_count() == 0 || self.has_room(motion.number_count());
        }
        for (number, page) in motion.pages.iter().enumerate() {
            let several = motion.pages.len() > 1;
            let joint = if several {
                let shown: Vec<Shown> =
                    (0..takes.len()).map(|take| motion.shown(number, take)).collect();
                Some(self.add_switch(
                    format!("{} page {}", shape.name, number.saturating_add(1)),
                    parent,
                    number == 0,
                    &shown,
                ))
            } else {
                parent
            };
            let mesh = meshes.get(number).copied();
            let node = self.nodes.len();
            self.nodes.push(Node {
                name: shape.name.clone(),
                parent: joint.map(|joint| (0, joint)),
                mesh,
                ..Node::default()
            });
            if moves && page.target_count() > 0 {
                for (take, (builder, _)) in self.builders.iter_mut().zip(keys).enumerate() {
                    let step = takes.get(take).is_some_and(|take| take.step);
                    motion.add_weights(page, number, take, step, Target::Node(node), builder);
                }
            }
        }
    }
}

/// What decides the vertices of a shape: shapes that agree in it are built once.
#[derive(PartialEq, Eq, Hash)]
struct ModelKey<'p>(&'p Source, &'p [Step], Option<NodeId>, Option<NodeId>);

/// A track for keys that may all be the same.
pub(crate) fn add_track(
    builder: &mut TimelineBuilder,
    target: Target,
    channel: Channel,
    step: bool,
    keyed: &[(f32, Vec<f32>)],
) {
    let Some((_, value)) = keyed.first() else { return };
    // What the file gives is finite, and its times were checked: what cannot be a track is left out
    // there with a message.
    let _ = if keyed.iter().all(|(_, other)| other == value) {
        builder.constant(target, channel, value)
    } else {
        let times: Vec<f32> = keyed.iter().map(|(time, _)| *time).collect();
        let values: Vec<f32> = keyed.iter().flat_map(|(_, value)| value.iter().copied()).collect();
        builder.keys(
            target,
            channel,
            if step { Interpolation::Step } else { Interpolation::Linear },
            &times,
            &values,
        )
    };
}

fn plural_nodes(count: usize, kind: &str) -> String {
    format!("{} {}", plural(count, &format!("{kind} node")), if count == 1 { "is" } else { "are" })
}

/// Fields that decide where vertices are.
const MOVING: [(&str, &[&str]); 12] = [
    ("Coordinate", &["point"]),
    ("CoordinateDouble", &["point"]),
    ("Coordinate3", &["point"]),
    ("Box", &["size"]),
    ("Cube", &["width", "height", "depth"]),
    ("Sphere", &["radius"]),
    ("Cone", &["bottomRadius", "height"]),
    ("Cylinder", &["radius", "height"]),
    ("ElevationGrid", &["height", "xSpacing", "zSpacing"]),
    ("Extrusion", &["spine", "crossSection", "orientation", "scale"]),
    ("MatrixTransform", &["matrix"]),
    ("Transform", &["translation"]),
];

/// Tells of what changes from frame to frame and cannot be shown: colours, texture coordinates and
/// so on, and normals that stay.
fn report_unmoved(
    shape: &PlannedShape,
    motion: &Motion,
    variant: &Variant,
    options: &Animate,
    problems: &mut Diagnostics,
) {
    let source = &shape.source;
    let single = [
        Some(source.geometry),
        source.coordinates,
        source.normals,
        source.colors,
        source.texcoords,
        source.material,
    ];
    let looks = [shape.look.material, shape.look.texture];
    let nodes =
        single.into_iter().chain(looks).flatten().chain(source.texture_transform.iter().copied());
    let mut seen: Vec<NodeId> = Vec::new();
    for id in nodes {
        if seen.contains(&id) {
            continue;
        }
        seen.push(id);
        let Some(first) = variant.frames.first().and_then(|graph| graph.node(id)) else { continue };
        let moving = MOVING
            .iter()
            .find(|(kind, _)| *kind == first.kind.name)
            .map_or(&[][..], |(_, fields)| fields);
        let normals = first.kind.name == "Normal" && options.morph_normals;
        let mut changed: Vec<&str> = versions(&variant.frames, id)
            .flat_map(|node| changed_fields(first, node))
            .filter(|field| !moving.contains(field) && !normals)
            .collect();
        changed.sort_unstable();
        changed.dedup();
        for field in changed {
            problems.push(&codes::NOT_ANIMATED, first.span, || {
                let name = first
                    .name
                    .as_ref()
                    .map_or(String::new(), |name| format!(" {}", quote(name.as_bytes())));
                format!(
                    "{field} of {}{name} changes between frames, and stays as it is in the \
                         first one",
                    first.kind.name
                )
            });
        }
    }
    if motion.morphs() && motion.has_normals() && !options.morph_normals {
        problems.push(&codes::MORPH_NORMALS, None, || {
            format!("the normals of {} stay those of its first shape", shape.shown())
        });
    }
}
