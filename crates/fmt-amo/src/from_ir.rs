//! Scene to document, in the specification's dialect.

use std::collections::HashMap;

use anim_ir::diag::plural;
use anim_ir::{
    Axes, Bake, Channel, Clip, Converted, Curve, Diagnostic, Diagnostics, Interpolation,
    LimitError, Limits, Mat4, Mesh, Pose, Sampler, Scene, Severity, Skeleton, Target, Timeline,
    Topology, Track, Transform, Vec3, Wrap, validate,
};

use crate::codes;
use crate::document::{Document, ParseOptions, check_name};
use crate::error::FromIrError;
use crate::writer::SpecText;

/// How to write a scene.
#[derive(Clone, Debug, Default)]
pub struct FromIr {
    /// Keys a second, instead of the scene's own. What is lost between keys gets smaller with more
    /// of them.
    pub samples_per_second: Option<f32>,
    /// Bounds on what is written.
    pub limits: Limits,
}

/// The scene as a file of the specification's dialect; what it cannot say is reported.
///
/// The specification binds vertices to joints at the origin: `v' = Σ weight · world(joint) · v`.
/// Where a scene binds a joint with another inverse bind matrix B, the joint's keys become
/// `B(parent)⁻¹ · local · B`, which moves vertices the same way.
///
/// # Errors
///
/// [`FromIrError`] where the scene is not valid ([`anim_ir::validate`]) or sampling makes more than
/// the limits allow.
pub fn from_ir(
    scene: &Scene,
    options: &FromIr,
) -> Result<Converted<Document<'static>>, FromIrError> {
    let problems = validate(scene);
    if let Some(problem) = problems.iter().find(|problem| problem.severity() == Severity::Error) {
        return Err(FromIrError::Invalid(problem.message.clone()));
    }
    // Those of glTF and most else that reads such files: y points up.
    let keyed = scene.in_keys(Axes::YUp, &Bake { limits: options.limits, ..Bake::default() })?;
    let scene = &*keyed.value;
    let mut writer = Writer {
        scene,
        options,
        losses: keyed.losses,
        text: SpecText::new(),
        joints: Vec::new(),
        first_joint: Vec::new(),
        rest: Vec::new(),
    };
    writer.check_size()?;
    writer.bind();
    writer.meshes();
    writer.skeletons();
    for clip in &scene.clips {
        writer.clip(clip)?;
    }
    writer.small_losses();
    let (bytes, losses) = (writer.text.finish(), writer.losses);
    // Not larger than the limits allow for reading: the only way to fail.
    let limits = Limits { input_bytes: usize::MAX, line_bytes: usize::MAX, ..options.limits };
    let options =
        ParseOptions { dialect: Some(crate::Dialect::Spec), limits, ..ParseOptions::default() };
    match Document::parse_with(bytes, &options) {
        Ok(parsed) => Ok(Converted { value: parsed.value, losses }),
        Err(crate::ParseError::Limit(error)) => Err(error.into()),
        Err(error) => Err(FromIrError::Invalid(error.to_string())),
    }
}

/// How a joint of the file is bound.
struct Bound {
    /// From the mesh's space to the joint's.
    bind: Mat4,
    /// Back.
    unbind: Mat4,
}

struct Writer<'a> {
    scene: &'a Scene,
    options: &'a FromIr,
    losses: Diagnostics,
    text: SpecText,
    /// All skeletons' joints, one skeleton behind the other.
    joints: Vec<Bound>,
    /// Place of each skeleton's first joint.
    first_joint: Vec<usize>,
    /// For each skeleton its joints' places at rest.
    rest: Vec<Vec<Mat4>>,
}

impl Writer<'_> {
    /// A mesh is written out wherever it is used: a small scene may ask for very much.
    fn check_size(&self) -> Result<(), LimitError> {
        let size = |mesh: &Mesh| {
            mesh.primitives
                .iter()
                .fold(mesh.positions.len(), |sum, part| sum.saturating_add(part.indices.len()))
        };
        let meshes = self.scene.nodes.iter().filter_map(|node| self.scene.meshes.get(node.mesh?));
        let found = meshes.fold(0_usize, |sum, mesh| sum.saturating_add(size(mesh)));
        // A corner is a line of some bytes; what was read from a file of the greatest size fits.
        let most = self.options.limits.samples.saturating_mul(4);
        if found > most {
            Err(LimitError {
                what: "the meshes, each where it is used,",
                unit: "vertices and corners",
                found,
                most,
            })
        } else {
            Ok(())
        }
    }

    /// How each joint is bound: by the first skin that uses it, otherwise where it rests.
    fn bind(&mut self) {
        for (number, skeleton) in self.scene.skeletons.iter().enumerate() {
            self.first_joint.push(self.joints.len());
            let mut binds: Vec<Option<Mat4>> = vec![None; skeleton.joints.len()];
            for skin in self.scene.skins.iter().filter(|skin| skin.skeleton == number) {
                for (joint, bind) in skin.joints.iter().zip(&skin.inverse_bind) {
                    match binds.get_mut(*joint) {
                        Some(slot @ None) => *slot = Some(*bind),
                        Some(Some(first)) if !first.is_near(*bind, 1e-5) => {
                            let name =
                                skeleton.joints.get(*joint).map_or("", |joint| joint.name.as_str());
                            self.losses.push(&codes::LOSS_BIND, None, || {
                                format!(
                                    "joint `{}` is bound in two ways",
                                    anim_ir::diag::escape(name)
                                )
                            });
                        }
                        _ => {}
                    }
                }
            }
            let at_rest = skeleton.rest_model_matrices();
            for (bind, rest) in binds.into_iter().zip(&at_rest) {
                let bind = bind.or_else(|| rest.inverse()).unwrap_or_default();
                self.joints.push(Bound { bind, unbind: bind.inverse().unwrap_or_default() });
            }
            self.rest.push(at_rest);
        }
    }

    fn meshes(&mut self) {
        let mut vertices_before = 0;
        let mut texcoords_before = 0;
        let mut normals_before = 0;
        let mut rows = WeightRows::default();
        for node in &self.scene.nodes {
            let Some(mesh) = node.mesh.and_then(|mesh| self.scene.meshes.get(mesh)) else {
                continue;
            };
            let skin = node
                .skin
                .and_then(|skin| self.scene.skins.get(skin))
                .filter(|_| mesh.influences.per_vertex > 0);
            let carrier = node.parent.filter(|_| skin.is_none());
            let name = self.name(&node.name);
            self.text.gap();
            self.text.named(if skin.is_some() || carrier.is_some() { "ao" } else { "o" }, &name);
            // A mesh that hangs from a joint goes to its place at rest and is bound to the joint
            // alone.
            let place = match carrier {
                Some((skeleton, joint)) => {
                    self.rest
                        .get(skeleton)
                        .and_then(|rest| rest.get(joint).copied())
                        .unwrap_or_default()
                        * node.transform.to_matrix()
                }
                None if skin.is_none() => node.transform.to_matrix(),
                None => Mat4::IDENTITY,
            };
            self.vertices(mesh, place);
            let weights: Vec<Option<usize>> = match (skin, carrier) {
                (Some(skin), _) => {
                    let first = self.first_joint.get(skin.skeleton).copied().unwrap_or_default();
                    (0..mesh.positions.len())
                        .map(|vertex| {
                            Some(self.weights(&mut rows, mesh, vertex, &skin.joints, first))
                        })
                        .collect()
                }
                (None, Some((skeleton, joint))) => {
                    let number =
                        self.first_joint.get(skeleton).copied().unwrap_or_default() + joint + 1;
                    let row = rows.add(
                        &mut self.text,
                        [
                            (u32::try_from(number).unwrap_or(u32::MAX), 1.0),
                            (0, 0.0),
                            (0, 0.0),
                            (0, 0.0),
                        ],
                    );
                    vec![Some(row); mesh.positions.len()]
                }
                (None, None) => vec![None; mesh.positions.len()],
            };
            self.elements(mesh, [vertices_before, texcoords_before, normals_before], &weights);
            vertices_before += mesh.positions.len();
            texcoords_before += mesh.texcoords.len();
            normals_before += mesh.normals.len();
            self.mesh_losses(mesh);
        }
        if !self.scene.nodes.iter().any(|node| node.mesh.is_some()) {
            // Bones only, or nothing at all: the keyword tells readers what the file is.
            let name =
                self.scene.skeletons.first().map_or(&self.scene.name, |skeleton| &skeleton.name);
            let name = self.name(name);
            self.text.named("ao", &name);
        }
    }

    fn vertices(&mut self, mesh: &Mesh, place: Mat4) {
        for position in &mesh.positions {
            self.text.numbers("v", &place.transform_point(*position).to_array());
        }
        for [u, v] in &mesh.texcoords {
            self.text.numbers("vt", &[*u, 1.0 - v]);
        }
        // Normals turn with the inverse transpose.
        let columns = place.inverse().unwrap_or_default().columns;
        for normal in &mesh.normals {
            let along =
                |axis: [f32; 4]| axis[0] * normal.x + axis[1] * normal.y + axis[2] * normal.z;
            let turned = Vec3::new(along(columns[0]), along(columns[1]), along(columns[2]));
            let turned = if place == Mat4::IDENTITY {
                *normal
            } else {
                turned.normalized().unwrap_or(turned)
            };
            self.text.numbers("vn", &turned.to_array());
        }
    }

    /// The row of a vertex' joints and weights: the four greatest.
    fn weights(
        &mut self,
        rows: &mut WeightRows,
        mesh: &Mesh,
        vertex: usize,
        skin_joints: &[usize],
        first: usize,
    ) -> usize {
        let width = mesh.influences.per_vertex;
        let start = vertex * width;
        let joints = mesh.influences.joints.get(start..start + width).unwrap_or_default();
        let weights = mesh.influences.weights.get(start..start + width).unwrap_or_default();
        let numbers = joints.iter().map(|joint| {
            skin_joints
                .get(*joint as usize)
                .map_or(0, |joint| u32::try_from(joint + first + 1).unwrap_or(u32::MAX))
        });
        let mut pairs: Vec<(u32, f32)> =
            numbers.zip(weights.iter().copied()).filter(|(_, weight)| *weight > 0.0).collect();
        if pairs.len() > 4 {
            pairs.sort_by(|(_, a), (_, b)| b.total_cmp(a));
            pairs.truncate(4);
            let sum: f32 = pairs.iter().map(|(_, weight)| weight).sum();
            pairs.iter_mut().for_each(|(_, weight)| *weight /= sum);
            self.losses.push(&codes::LOSS_INFLUENCES, None, || {
                format!("vertex {vertex} of a mesh follows more than four joints")
            });
        }
        let mut row = [(0, 0.0); 4];
        row.iter_mut().zip(pairs).for_each(|(slot, pair)| *slot = pair);
        rows.add(&mut self.text, row)
    }

    fn elements(&mut self, mesh: &Mesh, before: [usize; 3], weights: &[Option<usize>]) {
        let [vertices, texcoords, normals] = before;
        let slots = |index: &u32| {
            let vertex = *index as usize;
            let texcoord = (!mesh.texcoords.is_empty()).then_some(texcoords + vertex + 1);
            let normal = (!mesh.normals.is_empty()).then_some(normals + vertex + 1);
            let row = weights.get(vertex).copied().flatten();
            [Some(vertices + vertex + 1), texcoord, normal, row, row]
        };
        let mut material = None;
        for part in &mesh.primitives {
            if part.material != material {
                material = part.material;
                let name = material
                    .and_then(|material| self.scene.materials.get(material))
                    .map_or("", |material| material.name.as_str());
                let name = self.name(name);
                self.text.named("usemtl", &name);
            }
            let (keyword, shown) = match part.topology {
                Topology::Triangles => ("f", 5),
                Topology::Lines => ("l", 2),
                Topology::Points => ("p", 1),
            };
            for element in part.indices.chunks_exact(part.topology.corners()) {
                let corners: Vec<[Option<usize>; 5]> = element.iter().map(slots).collect();
                self.text.element(keyword, corners.iter().filter_map(|corner| corner.get(..shown)));
            }
        }
    }

    fn skeletons(&mut self) {
        for (skeleton, first) in self.scene.skeletons.iter().zip(self.first_joint.clone()) {
            self.text.gap();
            for (number, joint) in skeleton.joints.iter().enumerate() {
                let fallback = format!("joint_{}", first + number + 1);
                let name = self.name(if joint.name.is_empty() { &fallback } else { &joint.name });
                self.text.joint(&name, joint.parent.map(|parent| parent + first));
            }
        }
    }

    fn clip(&mut self, clip: &Clip) -> Result<(), FromIrError> {
        let Some(timeline) = self.scene.timelines.get(clip.timeline) else { return Ok(()) };
        self.text.gap();
        let name = self.name(&clip.name);
        self.text.named("a", &name);
        self.clip_losses(clip, timeline);
        let (Some(skeleton), Some(first)) = (
            self.scene.skeletons.get(timeline.skeleton),
            self.first_joint.get(timeline.skeleton).copied(),
        ) else {
            return Ok(());
        };
        let joints = self.joints.get(first..first + skeleton.joints.len()).unwrap_or_default();
        let mut tracks: HashMap<usize, Vec<&Track>> = HashMap::new();
        for track in timeline.tracks() {
            if let Target::Joint(joint) = track.target
                && clip.has_joint(joint)
            {
                tracks.entry(joint).or_default().push(track);
            }
        }
        let at_origin =
            |joint: usize| joints.get(joint).is_none_or(|bound| bound.bind == Mat4::IDENTITY);
        let mut rewritten = Vec::new();
        for (index, joint) in skeleton.joints.iter().enumerate() {
            let own = tracks.remove(&index).unwrap_or_default();
            let plain = at_origin(index) && joint.parent.is_none_or(at_origin);
            let untouched = plain
                && self.options.samples_per_second.is_none()
                && timeline.pose_space == anim_ir::PoseSpace::ParentRelative;
            if untouched && joint.rest == Transform::IDENTITY && joint.exact_rest.is_none() {
                for track in own {
                    write_track(&mut self.text, timeline, clip, track, first + index + 1);
                }
            } else {
                rewritten.push((index, self.key_times(timeline, clip, &own)?));
            }
        }
        self.rewrite(clip, timeline, skeleton, first, &rewritten);
        Ok(())
    }

    /// When a joint that is written anew has keys.
    fn key_times(
        &self,
        timeline: &Timeline,
        clip: &Clip,
        tracks: &[&Track],
    ) -> Result<Vec<f32>, FromIrError> {
        if let Some(rate) = self
            .options
            .samples_per_second
            .filter(|rate| rate.is_finite() && *rate > 0.0 && !tracks.is_empty())
        {
            let length = f64::from(clip.end) - f64::from(clip.start);
            let steps = (length * f64::from(rate)).ceil().max(0.0);
            let most = self.options.limits.samples;
            let count = whole(steps);
            if count >= most {
                return Err(LimitError {
                    what: "an animation",
                    unit: "samples",
                    found: count,
                    most,
                }
                .into());
            }
            let time = |step: usize| {
                anim_ir::number::narrow(
                    (f64::from(clip.start)
                        + f64::from(u32::try_from(step).unwrap_or(u32::MAX)) / f64::from(rate))
                    .min(f64::from(clip.end)),
                )
            };
            let mut times: Vec<f32> = (0..=count).map(time).collect();
            times.dedup();
            return Ok(times);
        }
        let mut times: Vec<f32> = tracks
            .iter()
            .flat_map(|track| timeline.keys(track).times)
            .copied()
            .filter(|time| inside(clip, *time))
            .collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        // A joint that rests away from where it is bound needs a key all the same.
        Ok(if times.is_empty() { vec![clip.start] } else { times })
    }

    /// Keys that move vertices as the scene's do, at the given times.
    fn rewrite(
        &mut self,
        clip: &Clip,
        timeline: &Timeline,
        skeleton: &Skeleton,
        first: usize,
        joints: &[(usize, Vec<f32>)],
    ) {
        let mut sampler = Sampler::for_clip(skeleton, timeline, clip);
        let mut pose = Pose::default();
        let bound = |joint: usize| self.joints.get(first + joint);
        let mut by_time: Vec<(f32, usize)> = joints
            .iter()
            .flat_map(|(joint, times)| times.iter().map(|time| (*time, *joint)))
            .collect();
        by_time.sort_by(|(a, i), (b, j)| a.total_cmp(b).then(i.cmp(j)));
        let moving: HashMap<usize, usize> =
            joints.iter().map(|(joint, times)| (*joint, times.len())).collect();
        let mut sampled = f32::NAN;
        let mut keys: Vec<(usize, f32, Transform)> = Vec::with_capacity(by_time.len());
        let (mut scaled, mut bent) = (false, false);
        for (time, index) in by_time {
            let Some(joint) = skeleton.joints.get(index) else { continue };
            if sampled.total_cmp(&time).is_ne() {
                sampler.sample(f64::from(time), &mut pose);
                sampled = time;
            }
            let local = pose.local_matrix(joint, index);
            let unbind =
                joint.parent.and_then(bound).map_or(Mat4::IDENTITY, |parent| parent.unbind);
            let matrix = unbind * local * bound(index).map_or(Mat4::IDENTITY, |bound| bound.bind);
            let transform = rigid(matrix, &mut scaled);
            let still = moving.get(&index) == Some(&1) && matrix.is_near(Mat4::IDENTITY, 1e-6);
            bent |= moving.get(&index).is_some_and(|keys| *keys > 1);
            if !still {
                keys.push((index, time, transform));
            }
        }
        keys.sort_by(|(i, a, _), (j, b, _)| i.cmp(j).then(a.total_cmp(b)));
        for (joint, time, transform) in &keys {
            self.text.position_key(*time, first + joint + 1, transform.translation);
        }
        for (joint, time, transform) in &keys {
            self.text.rotation_key(*time, first + joint + 1, transform.rotation);
        }
        let name = anim_ir::diag::escape(&clip.name);
        if scaled {
            self.losses.push(&codes::LOSS_SCALE, None, || {
                format!("animation `{name}` stretches joints, by keys or by their rest pose")
            });
        }
        if bent {
            self.losses.push(&codes::LOSS_PATH, None, || {
                format!("animation `{name}` is exact at its keys only")
            });
        }
    }

    fn clip_losses(&mut self, clip: &Clip, timeline: &Timeline) {
        let name = anim_ir::diag::escape(&clip.name);
        let mut note = |code, lost: bool, message: String| {
            if lost {
                self.losses.report(code, || Diagnostic::new(code, None, message));
            }
        };
        let tracks = || {
            timeline.tracks().iter().filter(
                |track| matches!(track.target, Target::Joint(joint) if clip.has_joint(joint)),
            )
        };
        let scales = |track: &Track| {
            track.channel == Channel::Scale
                && timeline
                    .keys(track)
                    .values()
                    .any(|value| value.iter().any(|factor| *factor != 1.0))
        };
        note(&codes::LOSS_SCALE, tracks().any(scales), format!("animation `{name}` scales joints"));
        let smooth = |track: &Track| {
            matches!(track.curve, Curve::Keys { .. })
                && timeline.keys(track).interpolation != Interpolation::Linear
        };
        note(
            &codes::LOSS_INTERPOLATION,
            tracks().any(smooth),
            format!("animation `{name}` has step or cubic keys"),
        );
        let morphs = timeline.tracks().iter().any(|track| track.channel == Channel::MorphWeights);
        note(&codes::LOSS_MORPH, morphs, format!("animation `{name}` moves morph targets"));
        let events = timeline.events.iter().filter(|event| clip.takes(event)).count();
        note(
            &codes::LOSS_EVENTS,
            events > 0,
            format!("animation `{name}` has {}", plural(events, "event")),
        );
        note(
            &codes::LOSS_WRAP,
            !matches!(clip.wrap, Wrap::Unspecified | Wrap::Once),
            format!("animation `{name}` repeats ({})", clip.wrap.name()),
        );
        let window =
            timeline.range().is_some_and(|(start, end)| start < clip.start || end > clip.end);
        note(
            &codes::LOSS_WINDOW,
            window,
            format!("animation `{name}` is a part of a longer timeline"),
        );
    }

    fn mesh_losses(&mut self, mesh: &Mesh) {
        let name = anim_ir::diag::escape(&mesh.name);
        if !mesh.colors.is_empty() {
            self.losses
                .push(&codes::LOSS_COLORS, None, || format!("mesh `{name}` has vertex colours"));
        }
        if !mesh.morph_targets.is_empty() {
            self.losses.push(&codes::LOSS_MORPH, None, || {
                format!("mesh `{name}` has {}", plural(mesh.morph_targets.len(), "morph target"))
            });
        }
    }

    fn small_losses(&mut self) {
        let joints = self.scene.skeletons.iter().flat_map(|skeleton| &skeleton.joints);
        let mut tracks = self.scene.timelines.iter().flat_map(|timeline| timeline.tracks());
        if joints.clone().any(|joint| !joint.visible)
            || tracks.any(|track| track.channel == Channel::Visibility)
        {
            self.losses.push(&codes::LOSS_VISIBILITY, None, || {
                "what is hidden at times is seen at all times".to_owned()
            });
        }
        if !self.scene.cameras.is_empty() {
            self.losses.push(&codes::LOSS_CAMERA, None, || {
                format!("{} left out", plural(self.scene.cameras.len(), "camera"))
            });
        }
        let plain =
            |material: &anim_ir::Material| *material == anim_ir::Material::new(&material.name);
        let materials = self.scene.materials.iter().filter(|material| !plain(material)).count();
        if materials > 0 {
            self.losses.push(&codes::LOSS_MATERIAL, None, || {
                format!("{} of which only the name is kept", plural(materials, "material"))
            });
        }
        let known = |extras: &anim_ir::Extras| {
            extras.values().all(|value| matches!(value, anim_ir::Value::Map(map) if map.keys().all(|key| key == "dialect")))
        };
        if self.scene.all_extras().any(|extras| !known(extras)) {
            self.losses.push(&codes::LOSS_EXTRAS, None, || {
                "extras of the source format are left out".to_owned()
            });
        }
    }

    /// The name as the format can hold it.
    fn name(&mut self, name: &str) -> String {
        if name.is_empty() || check_name(name).is_ok() {
            return name.to_owned();
        }
        let words = name.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty());
        let mut clean = words
            .map(|word| word.replacen('#', "_", usize::from(word.starts_with('#'))))
            .collect::<Vec<_>>()
            .join("_");
        if clean.ends_with('\\') {
            clean.push('_');
        }
        let quoted = anim_ir::diag::quote(name.as_bytes());
        self.losses.push(&codes::LOSS_NAME, None, || {
            format!("the name {quoted} becomes {}", anim_ir::diag::quote(clean.as_bytes()))
        });
        clean
    }
}

fn inside(clip: &Clip, time: f32) -> bool {
    clip.start <= time && time <= clip.end
}

/// The track's own keys.
fn write_track(text: &mut SpecText, timeline: &Timeline, clip: &Clip, track: &Track, joint: usize) {
    let keys = timeline.keys(track);
    // The value of a cubic key stands between its tangents.
    let (constant, cubic) =
        (matches!(track.curve, Curve::Constant(_)), keys.interpolation == Interpolation::Cubic);
    for (time, value) in keys.times.iter().zip(keys.values()) {
        let time = if constant { clip.start } else { *time };
        let part = value.len() / if cubic { 3 } else { 1 };
        let value = value.chunks_exact(part.max(1)).nth(usize::from(cubic)).unwrap_or_default();
        if !inside(clip, time) {
            continue;
        }
        match (track.channel, value) {
            (Channel::Translation, [x, y, z]) => {
                text.position_key(time, joint, Vec3::new(*x, *y, *z))
            }
            (Channel::Rotation, [x, y, z, w]) => {
                text.rotation_key(time, joint, [*x, *y, *z, *w].into())
            }
            _ => {}
        }
    }
}

/// Translation and rotation of a matrix; sets the flag where that is not all of it.
fn rigid(matrix: Mat4, scaled: &mut bool) -> Transform {
    let transform = matrix.to_transform();
    let rigid = Transform { scale: Vec3::ONE, ..transform };
    *scaled |= !matrix.is_near(rigid.to_matrix(), 1e-3);
    rigid
}

/// A whole number of steps; the greatest there is where it is beyond all bounds.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
const fn whole(steps: f64) -> usize {
    steps as usize
}

/// Rows of joints and weights that were written, to use each once.
#[derive(Default)]
struct WeightRows {
    rows: HashMap<[(u32, u32); 4], usize>,
}

impl WeightRows {
    /// The number of the row, from 1.
    fn add(&mut self, text: &mut SpecText, row: [(u32, f32); 4]) -> usize {
        let next = self.rows.len() + 1;
        *self.rows.entry(row.map(|(joint, weight)| (joint, weight.to_bits()))).or_insert_with(
            || {
                text.vertex_joints(row.map(|(joint, _)| joint));
                text.numbers("vw", &row.map(|(_, weight)| weight));
                next
            },
        )
    }
}
