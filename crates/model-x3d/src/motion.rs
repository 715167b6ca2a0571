//! The shapes that one mesh takes, and how it gets from one to the next.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use anim_ir::number::narrow;
use anim_ir::{
    Channel, Diagnostics, Interpolation, Mesh, MorphTarget, Target, TimelineBuilder, Vec3,
};

use crate::animate::{Animate, Keys, Take, add_track};
use crate::bend::{Bulge, Way, baked_matrix, place, turn_faces, turn_normals};
use crate::codes;
use crate::geometry::{Built, Source, to_f32};
use crate::graph::{Graph, NodeId};
use crate::plan::PlannedShape;

/// From which times on something is shown, or not.
pub(crate) type Shown = Vec<(f32, bool)>;

/// How far a blend may be from what the file says, relative to the mesh's size, before that is
/// told.
const BLEND_ERROR: f64 = 2e-6;
/// How often the way between two frames is halved to get near.
const MOST_HALVINGS: u32 = 5;

/// The ways between frames that are no straight lines, by the frames' numbers in the variant.
type Bulges = BTreeMap<(usize, usize), Bulge>;

/// Keys on the way between two frames where weights are splines. One would do for who takes the
/// slopes of a file; Blender makes its own.
const KEYS_ON_THE_WAY: u32 = 8;

/// Characters of a clip's name in the name of a morph target.
const LONGEST_LABEL: usize = 40;

/// A mesh and the shapes that it takes.
#[derive(Debug)]
pub(crate) struct Motion {
    built: Built,
    /// All shapes, each once; the first one is that of the first frame.
    shapes: Vec<Vec<Vec3>>,
    labels: Vec<String>,
    /// For each frame of the variant its shape.
    of_frame: Vec<usize>,
    bulges: Bulges,
    /// Normals for each shape, where morph targets get any.
    normals: Vec<Vec<Vec3>>,
    /// For each take its keys, and for each key the page that is shown from it on.
    keys: Vec<Keys>,
    page_of: Vec<Vec<usize>>,
    pub(crate) pages: Vec<Page>,
}

/// A mesh of the scene to be: a shape, and those that it is blended to. One is enough unless there
/// are more shapes than a mesh may have.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    /// The first one is that of the mesh itself, the others are its morph targets.
    shapes: Vec<usize>,
    /// Morph targets behind those.
    bulges: Vec<(usize, usize)>,
    bulge_targets: usize,
}

impl Page {
    pub(crate) fn target_count(&self) -> usize {
        self.shapes.len().saturating_sub(1).saturating_add(self.bulge_targets)
    }
}

impl Motion {
    pub(crate) fn of(
        built: Built,
        shape: &PlannedShape,
        frames: &[Arc<Graph>],
        keys: &[Keys],
        takes: &[Take],
        options: &Animate,
        problems: &mut Diagnostics,
    ) -> Motion {
        let mut motion = Motion {
            built,
            shapes: Vec::new(),
            labels: Vec::new(),
            of_frame: Vec::new(),
            bulges: Bulges::new(),
            normals: Vec::new(),
            keys: keys.to_vec(),
            page_of: Vec::new(),
            pages: Vec::new(),
        };
        motion.find_shapes(shape, frames, takes, options, problems);
        if !shape.baked.is_empty() && !options.flip_book {
            motion.find_bulges(shape, frames, takes, options, problems);
        }
        motion.find_pages(takes, options);
        motion
    }

    /// Whether the mesh changes its shape.
    pub(crate) fn morphs(&self) -> bool {
        self.pages.iter().any(|page| page.target_count() > 0)
    }

    pub(crate) fn has_normals(&self) -> bool {
        !self.built.mesh.normals.is_empty()
    }

    fn find_shapes(
        &mut self,
        shape: &PlannedShape,
        frames: &[Arc<Graph>],
        takes: &[Take],
        options: &Animate,
        problems: &mut Diagnostics,
    ) {
        let labels = labels(&self.keys, takes, frames.len());
        let mut by_content: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut before: Option<&Arc<Graph>> = None;
        // A file of few points and many corners makes many vertices of few numbers, in each frame
        // again.
        let mut room = options.limits.samples;
        for (number, graph) in frames.iter().enumerate() {
            let same =
                before.replace(graph).is_some_and(|before| nodes_are_shared(before, graph, shape));
            if same {
                self.of_frame.push(self.of_frame.last().copied().unwrap_or(0));
                continue;
            }
            let read = shape
                .source
                .coordinates
                .and_then(|id| graph.node(id))
                .map_or(0, |node| node.floats("point").len());
            room = room.saturating_add(read);
            let vertices = self.built.mesh.positions.len();
            let Some(left) = room.checked_sub(vertices) else {
                problems.push(&codes::EXPANSION, None, || {
                    format!("the shapes of {} take too much room", shape.shown())
                });
                self.of_frame.push(self.of_frame.last().copied().unwrap_or(0));
                continue;
            };
            let mut positions = if number == 0 {
                std::mem::take(&mut self.built.mesh.positions)
            } else {
                self.built.positions(graph, &shape.source)
            };
            if options.morph_normals && self.has_normals() {
                self.normals.push(self.built.normals(graph, &shape.source, &positions));
            }
            if !shape.baked.is_empty() {
                let matrix = baked_matrix(&shape.baked, graph, graph, 0.0);
                positions.iter_mut().for_each(|position| *position = place(matrix, *position));
                if let Some(normals) = self.normals.last_mut() {
                    turn_normals(normals, matrix);
                }
                if number == 0 {
                    turn_normals(&mut self.built.mesh.normals, matrix);
                    turn_faces(&mut self.built.mesh, matrix);
                }
            }
            let mut hasher = DefaultHasher::new();
            bytemuck::cast_slice::<Vec3, u8>(&positions).hash(&mut hasher);
            let candidates = by_content.entry(hasher.finish()).or_default();
            let known =
                candidates.iter().copied().find(|at| self.shapes.get(*at) == Some(&positions));
            let at = known.unwrap_or(self.shapes.len());
            if known.is_some() {
                self.normals.truncate(self.shapes.len());
            } else {
                room = left;
                candidates.push(at);
                self.shapes.push(positions);
                self.labels.push(labels.get(number).cloned().unwrap_or_default());
            }
            self.of_frame.push(at);
        }
    }

    /// Bends the ways between frames that are no straight lines. Where one curve is not near
    /// enough, frames are put in between.
    fn find_bulges(
        &mut self,
        shape: &PlannedShape,
        frames: &[Arc<Graph>],
        takes: &[Take],
        options: &Animate,
        problems: &mut Diagnostics,
    ) {
        let mut worst = 0.0_f64;
        let mut room = options.limits.samples;
        for (number, _) in takes.iter().enumerate().filter(|(_, take)| !take.step) {
            let keys = self.keys.get_mut(number).map(std::mem::take).unwrap_or_default();
            let mut bent = Keys::with_capacity(keys.len());
            for (at, (time, frame)) in keys.iter().enumerate() {
                bent.push((*time, *frame));
                let Some((next_time, next)) = keys.get(at.saturating_add(1)) else { continue };
                let (Some(a), Some(b)) = (frames.get(*frame), frames.get(*next)) else { continue };
                if frame == next
                    || self.of_frame.get(*frame) == self.of_frame.get(*next) && Arc::ptr_eq(a, b)
                {
                    continue;
                }
                let way = Way {
                    shape,
                    a,
                    b,
                    times: (*time, *next_time),
                    morph_normals: options.morph_normals,
                };
                worst = worst.max(self.bend(
                    &way,
                    (*time, *frame),
                    (*next_time, *next),
                    MOST_HALVINGS,
                    &mut room,
                    &mut bent,
                ));
            }
            if let Some(keys) = self.keys.get_mut(number) {
                *keys = bent;
            }
        }
        if worst > BLEND_ERROR {
            let name = shape.shown();
            problems.push(&codes::MATRIX_BLEND, None, || {
                format!(
                    "{name} is up to {worst:.1e} of its size from where blending the matrix has it"
                )
            });
        }
    }

    /// Bends the way between two keys, and puts keys in between where that takes it. Gives the
    /// greatest error that is left.
    fn bend(
        &mut self,
        way: &Way<'_>,
        from: (f32, usize),
        to: (f32, usize),
        halvings: u32,
        room: &mut usize,
        keys: &mut Keys,
    ) -> f64 {
        let (bulge, error) = way.bulge(&self.built, way.part(from.0), way.part(to.0));
        let middle = narrow(f64::midpoint(f64::from(from.0), f64::from(to.0)));
        let vertices = bulge.bow.len();
        if error > BLEND_ERROR
            && halvings > 0
            && from.0 < middle
            && middle < to.0
            && vertices <= *room
        {
            *room = room.saturating_sub(vertices);
            let (positions, normals) = way.shape_at(&self.built, way.part(middle));
            let frame = self.of_frame.len();
            self.of_frame.push(self.shapes.len());
            self.shapes.push(positions);
            self.labels.push("between".to_owned());
            if way.morph_normals && self.has_normals() {
                self.normals.push(normals);
            }
            let first =
                self.bend(way, from, (middle, frame), halvings.saturating_sub(1), room, keys);
            keys.push((middle, frame));
            return first.max(self.bend(
                way,
                (middle, frame),
                to,
                halvings.saturating_sub(1),
                room,
                keys,
            ));
        }
        if !bulge.bow.is_empty() {
            self.bulges.insert((from.1, to.1), bulge);
        }
        error
    }

    /// Spreads the shapes over as many meshes as it takes.
    fn find_pages(&mut self, takes: &[Take], options: &Animate) {
        let most = if options.flip_book { 0 } else { options.most_morph_targets.max(4) };
        let mut pages = vec![Page { shapes: vec![0], ..Page::default() }];
        let mut last = 0_usize;
        for (keys, take) in self.keys.iter().zip(takes) {
            let mut of_key = Vec::with_capacity(keys.len());
            for (number, (_, frame)) in keys.iter().enumerate() {
                let shape = |frame: usize| self.of_frame.get(frame).copied().unwrap_or(0);
                let next = keys
                    .get(number.saturating_add(1))
                    .map(|(_, next)| *next)
                    .filter(|_| !take.step && !options.flip_book);
                let needed: Vec<usize> = std::iter::once(*frame).chain(next).map(shape).collect();
                let bulge =
                    next.map(|next| (*frame, next)).filter(|pair| self.bulges.contains_key(pair));
                let fits = |page: &Page| {
                    let new = needed.iter().enumerate().filter(|(at, shape)| {
                        !page.shapes.contains(shape)
                            && !needed.iter().take(*at).any(|s| s == *shape)
                    });
                    let bulging = bulge
                        .filter(|pair| !page.bulges.contains(pair))
                        .map_or(0, |pair| self.bulge_targets(pair));
                    let count = new.count().saturating_add(bulging);
                    (count, page.target_count().saturating_add(count) <= most || count == 0)
                };
                // The page that is shown already, one that has it all, the newest, or a new one.
                let whole = || pages.iter().position(|page| fits(page).0 == 0);
                let newest = pages.len().saturating_sub(1);
                let can = |page: usize| pages.get(page).is_some_and(|page| fits(page).1);
                let page = if can(last) {
                    Some(last)
                } else {
                    whole().or(Some(newest).filter(|page| can(*page)))
                };
                last = page.unwrap_or_else(|| {
                    pages.push(Page { shapes: vec![shape(*frame)], ..Page::default() });
                    pages.len().saturating_sub(1)
                });
                let targets = bulge.map_or(0, |pair| self.bulge_targets(pair));
                if let Some(page) = pages.get_mut(last) {
                    for shape in needed {
                        if !page.shapes.contains(&shape) {
                            page.shapes.push(shape);
                        }
                    }
                    if let Some(pair) = bulge.filter(|pair| !page.bulges.contains(pair)) {
                        page.bulges.push(pair);
                        page.bulge_targets = page.bulge_targets.saturating_add(targets);
                    }
                }
                of_key.push(last);
            }
            self.page_of.push(of_key);
        }
        self.pages = pages;
    }

    fn bulge_targets(&self, pair: (usize, usize)) -> usize {
        self.bulges.get(&pair).map_or(0, |bulge| if bulge.late.is_empty() { 1 } else { 2 })
    }

    /// When a take shows a page.
    pub(crate) fn shown(&self, page: usize, take: usize) -> Shown {
        let keys = self
            .keys
            .get(take)
            .into_iter()
            .flatten()
            .zip(self.page_of.get(take).into_iter().flatten());
        let mut shown = Shown::new();
        for ((time, _), at) in keys {
            let is = *at == page;
            if shown.last().is_none_or(|(_, last)| *last != is) {
                shown.push((*time, is));
            }
        }
        if shown.is_empty() { vec![(0.0, page == 0)] } else { shown }
    }

    /// About how many numbers all weights of all takes are.
    pub(crate) fn number_count(&self) -> usize {
        let most = self.pages.iter().map(Page::target_count).max().unwrap_or(0);
        self.keys
            .iter()
            .fold(0_usize, |sum, keys| sum.saturating_add(keys.len().saturating_mul(most)))
    }

    /// The weights of a page's morph targets in one take.
    pub(crate) fn add_weights(
        &self,
        page: &Page,
        number: usize,
        take: usize,
        step: bool,
        target: Target,
        builder: &mut TimelineBuilder,
    ) {
        let (Some(keys), Some(page_of)) = (self.keys.get(take), self.page_of.get(take)) else {
            return;
        };
        let width = page.target_count();
        let weights = |frame: usize| {
            let mut weights = vec![0.0_f32; width];
            let place = self
                .of_frame
                .get(frame)
                .and_then(|shape| page.shapes.iter().position(|at| at == shape))?;
            if let Some(weight) = place.checked_sub(1).and_then(|at| weights.get_mut(at)) {
                *weight = 1.0;
            }
            Some(weights)
        };
        // From each key on which the page is shown to the one where it no longer is.
        let on = |at: Option<usize>| at.and_then(|at| page_of.get(at)) == Some(&number);
        let mine = keys
            .iter()
            .enumerate()
            .filter(|(at, _)| on(Some(*at)) || (!step && on(at.checked_sub(1))));
        let keyed: Vec<(f32, usize, Vec<f32>)> =
            mine.filter_map(|(_, (time, frame))| Some((*time, *frame, weights(*frame)?))).collect();
        let bends = |pair: &[(f32, usize, Vec<f32>)]| matches!(pair, [(_, a, _), (_, b, _)] if page.bulges.contains(&(*a, *b)));
        if step || !keyed.windows(2).any(bends) {
            let keyed: Vec<(f32, Vec<f32>)> =
                keyed.into_iter().map(|(time, _, weights)| (time, weights)).collect();
            add_track(builder, target, Channel::MorphWeights, step, &keyed);
            return;
        }
        // Times, and before, at and after each the slopes and the value of all weights.
        let (mut times, mut values) = (Vec::new(), Vec::new());
        let mut slope_before = vec![0.0_f32; width];
        for pair in keyed.windows(2) {
            for step in 0..KEYS_ON_THE_WAY {
                let Some((time, weights, slopes)) =
                    self.on_the_way(page, pair, f64::from(step) / f64::from(KEYS_ON_THE_WAY))
                else {
                    continue;
                };
                if times.last().is_some_and(|last| *last >= time) {
                    continue;
                }
                times.push(time);
                values.extend(if step == 0 { slope_before.iter() } else { slopes.iter() });
                values.extend(weights.iter().chain(&slopes));
            }
            slope_before =
                self.on_the_way(page, pair, 1.0).map_or_else(Vec::new, |(_, _, slopes)| slopes);
        }
        if let Some((time, _, weights)) = keyed.last() {
            times.push(*time);
            values.extend(
                slope_before.iter().chain(weights).copied().chain(std::iter::repeat_n(0.0, width)),
            );
        }
        let _ = builder.keys(target, Channel::MorphWeights, Interpolation::Cubic, &times, &values);
    }

    /// Time, weights, and how fast these change a second, part of the way between two keys.
    fn on_the_way(
        &self,
        page: &Page,
        pair: &[(f32, usize, Vec<f32>)],
        part: f64,
    ) -> Option<(f32, Vec<f32>, Vec<f32>)> {
        let [(start, a, from), (end, b, to)] = pair else { return None };
        let (start, span) = (f64::from(*start), f64::from(*end) - f64::from(*start));
        let time = if part == 1.0 { *end } else { narrow(start + span * part) };
        // The key's time is rounded: the weights are those of that time.
        let u = (f64::from(time) - start) / span;
        let straight = |from: f32, to: f32| {
            (
                f64::from(from) + (f64::from(to) - f64::from(from)) * u,
                f64::from(to) - f64::from(from),
            )
        };
        let mut all: Vec<(f64, f64)> =
            from.iter().zip(to).map(|(from, to)| straight(*from, *to)).collect();
        let mut at = page.shapes.len().saturating_sub(1);
        for bulge in &page.bulges {
            let targets = self.bulge_targets(*bulge);
            if *bulge == (*a, *b) {
                let weights = match targets {
                    1 => [(u * (1.0 - u), 1.0 - 2.0 * u), (0.0, 0.0)],
                    _ => [
                        (u * (1.0 - u) * (1.0 - u), (1.0 - u) * (1.0 - 3.0 * u)),
                        (u * u * (1.0 - u), u * (2.0 - 3.0 * u)),
                    ],
                };
                for (target, weight) in weights.into_iter().enumerate().take(targets) {
                    if let Some(place) = all.get_mut(at.saturating_add(target)) {
                        *place = weight;
                    }
                }
            }
            at = at.saturating_add(targets);
        }
        let (weights, slopes) =
            all.into_iter().map(|(weight, slope)| (narrow(weight), narrow(slope / span))).unzip();
        Some((time, weights, slopes))
    }
}

/// The way from one point to another; as far as f32 goes.
fn subtract(to: Vec3, from: Vec3) -> Vec3 {
    let difference = |to: f32, from: f32| to_f32(f64::from(to) - f64::from(from));
    Vec3::new(difference(to.x, from.x), difference(to.y, from.y), difference(to.z, from.z))
}

/// For each frame of the variant the take and the number of the key that shows it first.
fn labels(keys: &[Keys], takes: &[Take], frames: usize) -> Vec<String> {
    let mut labels = vec![String::new(); frames];
    for (keys, take) in keys.iter().zip(takes) {
        for (number, (_, frame)) in keys.iter().enumerate() {
            if let Some(label) = labels.get_mut(*frame).filter(|label| label.is_empty()) {
                // One name stands in many labels, so that a long one is cut.
                let name = if takes.len() > 1 {
                    take.clip.name.chars().take(LONGEST_LABEL).collect()
                } else {
                    "frame".to_owned()
                };
                *label = format!("{name} {number}");
            }
        }
    }
    labels
}

/// Whether all that decides a shape's vertices is the same in two frames, told by what they share.
fn nodes_are_shared(a: &Graph, b: &Graph, shape: &PlannedShape) -> bool {
    let Source { geometry, coordinates, normals, .. } = &shape.source;
    let nodes = [Some(*geometry), *coordinates, *normals]
        .into_iter()
        .flatten()
        .chain(shape.baked.iter().map(|step| step.node));
    let shared = |id: NodeId| match (a.nodes.get(id.index()), b.nodes.get(id.index())) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        _ => false,
    };
    nodes.into_iter().all(shared)
}

impl Motion {
    pub(crate) fn mesh(
        &self,
        page: &Page,
        name: &str,
        material: usize,
        morph_normals: bool,
    ) -> Mesh {
        let shape = |at: &usize| self.shapes.get(*at).map_or(&[][..], Vec::as_slice);
        let normals = |at: &usize| self.normals.get(*at).map_or(&[][..], Vec::as_slice);
        let first = page.shapes.first().copied().unwrap_or(0);
        let difference = |to: &[Vec3], from: &[Vec3]| {
            to.iter().zip(from).map(|(to, from)| subtract(*to, *from)).collect::<Vec<_>>()
        };
        let mut mesh = self.built.mesh.clone();
        name.clone_into(&mut mesh.name);
        mesh.positions = shape(&first).to_vec();
        if morph_normals && first > 0 {
            mesh.normals = normals(&first).to_vec();
        }
        for part in &mut mesh.primitives {
            part.material = Some(material);
        }
        mesh.morph_targets = page
            .shapes
            .iter()
            .skip(1)
            .map(|at| MorphTarget {
                name: self.labels.get(*at).cloned().unwrap_or_default(),
                positions: difference(shape(at), shape(&first)),
                normals: if morph_normals {
                    difference(normals(at), normals(&first))
                } else {
                    Vec::new()
                },
            })
            .collect();
        for pair in &page.bulges {
            let Some(bulge) = self.bulges.get(pair) else { continue };
            let label = |what: &str| {
                let of = |frame: usize| {
                    self.of_frame
                        .get(frame)
                        .and_then(|shape| self.labels.get(*shape))
                        .map_or("", String::as_str)
                };
                format!("{} to {} {what}", of(pair.0), of(pair.1))
            };
            let normals =
                if morph_normals { vec![Vec3::ZERO; bulge.bow.len()] } else { Vec::new() };
            mesh.morph_targets.push(MorphTarget {
                name: label("bow"),
                positions: bulge.bow.clone(),
                normals: normals.clone(),
            });
            if !bulge.late.is_empty() {
                mesh.morph_targets.push(MorphTarget {
                    name: label("late bow"),
                    positions: bulge.late.clone(),
                    normals,
                });
            }
        }
        mesh
    }
}
