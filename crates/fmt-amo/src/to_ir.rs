//! Document to scene.

use std::collections::HashMap;

use anim_ir::diag::plural;
use anim_ir::{
    Channel, Clip, Converted, Diagnostic, Diagnostics, Extras, Image, ImageSource, Influences,
    Interpolation, Limits, Mat4, Material, Mesh, Node, PoseSpace, Primitive, Quat, Scene, Skeleton,
    Skin, Span, Target, TimeBase, TimelineBuilder, Topology, Value, Vec3, Wrap, number::parse_f32,
    triangulate,
};

use crate::codes;
use crate::dialect::Dialect;
use crate::document::{Animation, Corner, Document, KeyValue, Object, ObjectKind, Section};
use crate::lines::ElementKind;
use crate::mtl::MaterialLibrary;
use crate::tokens::{spans, to_end};

/// What the values of keys are taken for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyReading {
    /// Deltas from the rest pose where the file has rest matrices, the joint's place relative to
    /// its parent where it has none.
    #[default]
    Auto,
    /// The joint's place relative to its parent.
    ParentRelative,
    /// Applied before the rest pose: local = rest · T · R.
    DeltaFromRest,
}

/// How to turn a document into a scene.
#[derive(Clone, Debug, Default)]
pub struct ToIr<'a> {
    /// What the values of keys are taken for.
    pub keys: KeyReading,
    /// What the materials look like, from the libraries that the document names; without it they
    /// keep their names only.
    pub materials: Option<&'a MaterialLibrary>,
    /// Bounds on polygons.
    pub limits: Limits,
}

/// A matrix that differs from translation · rotation · scale by no more than this part of its
/// longest axis has six decimals, not shear.
const ROUNDING: f32 = 4e-6;

/// The document's joints, animations, meshes and materials.
///
/// Times become seconds, quaternions are normalised, keys sorted (of two at one time the last one
/// stays), weights brought to a sum of 1, polygons cut into triangles, texture coordinates turned
/// so that v points down. Axes stay the file's. What has no place in a scene goes into extras under
/// `amo`, or is reported.
pub fn to_ir(document: &Document<'_>, options: &ToIr<'_>) -> Converted<Scene> {
    let mut conversion = Conversion {
        document,
        options,
        losses: Diagnostics::new(),
        scene: Scene::default(),
        joints: Vec::new(),
    };
    conversion.skeleton();
    for animation in document.animations() {
        conversion.animation(animation);
    }
    conversion.materials();
    conversion.meshes();
    conversion.extras();
    conversion.small_losses();
    Converted { value: conversion.scene, losses: conversion.losses }
}

struct Conversion<'a> {
    document: &'a Document<'a>,
    options: &'a ToIr<'a>,
    losses: Diagnostics,
    scene: Scene,
    /// For each joint of the document, its place in the skeleton.
    joints: Vec<usize>,
}

impl Conversion<'_> {
    fn skeleton(&mut self) {
        let joints = self.document.joints();
        let parents: Vec<Option<usize>> = joints.iter().map(|joint| joint.parent).collect();
        // The parser sees to it that parents exist and make no circle.
        let order = Skeleton::parents_first(&parents).unwrap_or_default();
        self.joints = vec![0; joints.len()];
        for (place, joint) in order.iter().enumerate() {
            if let Some(slot) = self.joints.get_mut(*joint) {
                *slot = place;
            }
        }
        // Not the object's own name, which its mesh has already.
        let name = self
            .document
            .objects()
            .first()
            .map(|object| object.name.as_str())
            .filter(|name| !name.is_empty());
        let mut skeleton =
            Skeleton::new(name.map_or("rig".to_owned(), |name| format!("{name}_rig")));
        for index in &order {
            let Some(joint) = joints.get(*index) else { continue };
            let parent = joint.parent.and_then(|parent| self.joints.get(parent).copied());
            let mut made = anim_ir::Joint::new(&joint.name, parent);
            made.source_index = *index;
            if let Some(rest) = joint.rest {
                let exact = Mat4::from_columns(rest);
                made.rest = exact.to_transform();
                if !exact.is_near(made.rest.to_matrix(), ROUNDING) {
                    made.exact_rest = Some(exact);
                }
            }
            if !joint.tail.is_empty() {
                made.extras.insert(
                    "amo".into(),
                    Value::from([("tail", joint.tail.iter().copied().collect())]),
                );
            }
            skeleton.joints.push(made);
        }
        if skeleton.joints.is_empty() {
            return;
        }
        let has_rest = joints.iter().any(|joint| joint.rest.is_some());
        let mut inverse_bind = Vec::with_capacity(skeleton.joints.len());
        for (matrix, index) in skeleton.rest_model_matrices().into_iter().zip(&order) {
            // Without rest matrices the bind pose is the identity, whatever the joints do.
            let inverse = if has_rest { matrix.inverse() } else { Some(Mat4::IDENTITY) };
            if inverse.is_none() {
                let (span, name) = joints
                    .get(*index)
                    .map_or((None, ""), |joint| (joint.span, joint.name.as_str()));
                self.losses.push(&codes::REST_SINGULAR, span, || {
                    format!(
                        "the rest pose of joint `{}` cannot be inverted",
                        anim_ir::diag::escape(name)
                    )
                });
            }
            inverse_bind.push(inverse.unwrap_or_default());
        }
        self.scene.skins.push(Skin {
            skeleton: 0,
            joints: (0..skeleton.joints.len()).collect(),
            inverse_bind,
        });
        self.scene.skeletons.push(skeleton);
    }

    fn pose_space(&self) -> PoseSpace {
        match self.options.keys {
            KeyReading::ParentRelative => PoseSpace::ParentRelative,
            KeyReading::DeltaFromRest => PoseSpace::DeltaFromRest,
            KeyReading::Auto if self.document.joints().iter().any(|joint| joint.rest.is_some()) => {
                PoseSpace::DeltaFromRest
            }
            KeyReading::Auto => PoseSpace::ParentRelative,
        }
    }

    fn animation(&mut self, animation: &Animation) {
        let dialect = self.document.dialect();
        let duration = animation
            .duration_ms
            .filter(|_| dialect.groups_keys())
            .map(|_| self.document.seconds(animation, 1.0));
        let time_base = match (dialect, duration) {
            (Dialect::Spec | Dialect::Editamo, _) => TimeBase::Seconds,
            (_, Some(duration)) => TimeBase::Progress { duration },
            (Dialect::Counted, None) => TimeBase::Progress { duration: 1.0 },
            (Dialect::Extobj | Dialect::Lines, None) => TimeBase::Frames { per_second: 24.0 },
        };
        let mut builder = TimelineBuilder::new(&animation.name)
            .time_base(time_base)
            .pose_space(self.pose_space());
        let mut groups: Vec<f32> = animation
            .group_times
            .iter()
            .map(|time| self.document.seconds(animation, *time))
            .collect();
        groups.sort_by(f32::total_cmp);
        groups.dedup();
        for (joint, keys) in keys_by_joint(self.document, animation) {
            let target =
                Target::Joint(self.joints.get(joint as usize).copied().unwrap_or_default());
            let sorted = |keys: Vec<(f32, [f32; 4])>, identity: [f32; 4]| {
                if dialect.groups_keys() {
                    fill(&groups, keys, identity)
                } else {
                    last_at_each_time(keys)
                }
            };
            let positions = sorted(keys.positions, [0.0; 4]);
            let rotations = sorted(keys.rotations, Quat::IDENTITY.to_array());
            let times: Vec<f32> = positions.iter().map(|(time, _)| *time).collect();
            let values: Vec<f32> =
                positions.iter().flat_map(|(_, value)| value.iter().take(3).copied()).collect();
            // Times are finite, sorted and told apart above: the builder refuses nothing but an
            // empty track.
            let _ =
                builder.keys(target, Channel::Translation, Interpolation::Linear, &times, &values);
            let times: Vec<f32> = rotations.iter().map(|(time, _)| *time).collect();
            let values: Vec<f32> = rotations
                .iter()
                .flat_map(|(_, value)| Quat::from(*value).normalized().to_array())
                .collect();
            let _ = builder.keys(target, Channel::Rotation, Interpolation::Linear, &times, &values);
        }
        let timeline = builder.finish();
        let (start, end) = match (duration, timeline.range()) {
            (Some(duration), range) => (
                range.map_or(0.0, |(start, _)| start.min(0.0)),
                range.map_or(duration, |(_, end)| end.max(duration)),
            ),
            (None, range) => range.unwrap_or_default(),
        };
        let clip = Clip {
            name: animation.name.clone(),
            timeline: self.scene.timelines.len(),
            start,
            end,
            wrap: Wrap::Unspecified,
            ..Clip::default()
        };
        self.scene.timelines.push(timeline);
        self.scene.clips.push(clip);
    }

    fn materials(&mut self) {
        let texture = self.document.content.texture.as_deref();
        let mut materials: Vec<Material> = Vec::new();
        for name in self.document.materials() {
            materials.push(
                self.options
                    .materials
                    .and_then(|library| library.material(name, &mut self.scene.images))
                    .unwrap_or_else(|| Material::new(name)),
            );
        }
        if let Some(path) = texture {
            // The draft's `t` paints everything.
            let image = self.scene.images.len();
            self.scene.images.push(Image {
                name: String::new(),
                source: ImageSource::Path(path.replace('\\', "/")),
            });
            if materials.is_empty() {
                materials.push(Material::new(path));
            }
            for material in &mut materials {
                material.base_color_image = material.base_color_image.or(Some(image));
            }
        }
        self.scene.materials = materials;
    }

    /// One mesh for each object that has elements.
    fn meshes(&mut self) {
        let content = &self.document.content;
        let mut builders: Vec<(Option<u32>, MeshBuilder)> = Vec::new();
        let mut by_object: HashMap<Option<u32>, usize> = HashMap::new();
        let mut sections = content.sections.iter().peekable();
        let mut section = Section::default();
        for (number, (kind, corners)) in (0_u32..).zip(self.document.elements()) {
            while let Some(next) = sections.next_if(|next| next.first_element <= number) {
                section = *next;
            }
            let at = *by_object.entry(section.object).or_insert_with(|| {
                builders.push((section.object, MeshBuilder::default()));
                builders.len() - 1
            });
            let Some((_, builder)) = builders.get_mut(at) else { continue };
            if let Some(group) = section.group
                && !builder.groups.contains(&group)
                && builder.groups.len() < 1000
            {
                builder.groups.push(group);
            }
            let material = section
                .material
                .map(|material| material as usize)
                .or(content.texture.is_some().then_some(0));
            if let Err(error) =
                builder.add(self.document, kind, corners, material, &self.options.limits)
            {
                self.losses.push(&codes::LOSS_POLYGON, None, || error.to_string());
            }
        }
        if builders.is_empty() && !content.positions.is_empty() {
            let count = content.positions.len();
            self.losses.push(&codes::LOSS_VERTICES, None, || {
                format!("{count} vertices are used by no face, line or point")
            });
        }
        let table = InfluenceTable::new(self.document, &self.joints);
        for (object, builder) in builders {
            let object = object.and_then(|object| content.objects.get(object as usize));
            let (mesh, skinned) = builder.finish(self.document, object, &table);
            let name = mesh.name.clone();
            let skin = (skinned && !self.scene.skins.is_empty()).then_some(0);
            self.scene.nodes.push(Node {
                name,
                mesh: Some(self.scene.meshes.len()),
                skin,
                ..Node::default()
            });
            self.scene.meshes.push(mesh);
        }
    }

    fn extras(&mut self) {
        let mut amo = vec![("dialect".to_owned(), Value::from(self.document.dialect().name()))];
        // Lines of one keyword in a row are one entry.
        let mut entries: Vec<Value> = Vec::new();
        let mut run: Option<(&str, Option<usize>, Vec<Value>)> = None;
        let entry = |(keyword, object, rows): (&str, Option<usize>, Vec<Value>)| {
            let mut map = vec![
                ("keyword".to_owned(), Value::from(keyword)),
                ("rows".to_owned(), Value::List(rows)),
            ];
            if let Some(object) = object.and_then(|object| self.document.objects().get(object)) {
                map.push(("object".to_owned(), Value::from(object.name.as_str())));
            }
            Value::Map(map.into_iter().collect())
        };
        for kept in self.document.kept() {
            let row = self.kept_row(kept.arguments);
            match &mut run {
                Some((keyword, object, rows))
                    if *keyword == kept.keyword && *object == kept.object =>
                {
                    rows.push(row)
                }
                _ => {
                    entries.extend(run.take().map(entry));
                    run = Some((kept.keyword, kept.object, vec![row]));
                }
            }
        }
        entries.extend(run.map(entry));
        if !entries.is_empty() {
            amo.push(("statements".to_owned(), Value::List(entries)));
        }
        self.scene.extras.insert("amo".to_owned(), Value::Map(amo.into_iter().collect()));
    }

    /// Numbers where all are, text otherwise.
    fn kept_row(&self, arguments: Span) -> Value {
        let text = self.document.source().get(arguments.start..arguments.end).unwrap_or_default();
        let numbers: Result<Vec<f32>, _> =
            spans(text).map(|token| parse_f32(text.get(token).unwrap_or_default())).collect();
        match numbers {
            Ok(numbers) => numbers.into_iter().collect(),
            Err(_) => Value::from(crate::document::decode(
                text.get(to_end(text)).unwrap_or_default(),
                self.document.content.latin1,
            )),
        }
    }

    fn small_losses(&mut self) {
        let content = &self.document.content;
        let mut note = |code, many: bool, message: String| {
            if many {
                self.losses.report(code, || Diagnostic::new(code, None, message));
            }
        };
        let ignored = usize::try_from(content.ignored_components).unwrap_or(usize::MAX);
        note(
            &codes::LOSS_COORDINATE,
            ignored > 0,
            format!(
                "{} `v` or `vt` with a component that has no use here",
                plural(ignored, "line")
            ),
        );
        note(
            &codes::LOSS_SMOOTHING,
            content.smoothing,
            "smoothing groups are left out; normals are kept".to_owned(),
        );
        let groups = content.groups.len();
        note(
            &codes::LOSS_GROUPS,
            groups > 0,
            format!("{} (`g`) listed by name in the meshes' extras", plural(groups, "group")),
        );
    }
}

#[derive(Default)]
struct JointKeys {
    positions: Vec<(f32, [f32; 4])>,
    rotations: Vec<(f32, [f32; 4])>,
}

/// Keys in seconds by joint of the document, in the order of the file.
fn keys_by_joint(document: &Document<'_>, animation: &Animation) -> Vec<(u32, JointKeys)> {
    let mut joints: Vec<(u32, JointKeys)> = Vec::new();
    let mut places: HashMap<u32, usize> = HashMap::new();
    for key in &animation.keys {
        let at = *places.entry(key.joint).or_insert_with(|| {
            joints.push((key.joint, JointKeys::default()));
            joints.len() - 1
        });
        let Some((_, keys)) = joints.get_mut(at) else { continue };
        let time = document.seconds(animation, key.time);
        match key.value {
            KeyValue::Position([x, y, z]) => keys.positions.push((time, [x, y, z, 0.0])),
            KeyValue::Rotation(rotation) => keys.rotations.push((time, rotation)),
        }
    }
    joints
}

/// Sorted by time; of several at one time the last in the file.
fn last_at_each_time(mut keys: Vec<(f32, [f32; 4])>) -> Vec<(f32, [f32; 4])> {
    keys.sort_by(|(a, _), (b, _)| (a + 0.0).total_cmp(&(b + 0.0)));
    let mut sorted: Vec<(f32, [f32; 4])> = Vec::with_capacity(keys.len());
    for key in keys {
        match sorted.last_mut() {
            Some(last) if last.0 >= key.0 => *last = key,
            _ => sorted.push(key),
        }
    }
    sorted
}

/// In grouped dialects a joint that a group leaves out has the identity there. A joint without any
/// key of a kind stays without.
fn fill(groups: &[f32], keys: Vec<(f32, [f32; 4])>, identity: [f32; 4]) -> Vec<(f32, [f32; 4])> {
    if keys.is_empty() {
        return keys;
    }
    let keys = last_at_each_time(keys);
    let mut next = keys.into_iter().peekable();
    groups
        .iter()
        .map(|time| next.next_if(|(at, _)| at <= time).unwrap_or((*time, identity)))
        .collect()
}

/// Vertices told apart by all five indices.
#[derive(Default)]
struct MeshBuilder {
    vertices: Vec<Corner>,
    by_corner: HashMap<Corner, u32>,
    primitives: Vec<Primitive>,
    by_part: HashMap<(ElementKind, Option<usize>), usize>,
    groups: Vec<u32>,
}

impl MeshBuilder {
    fn add(
        &mut self,
        document: &Document<'_>,
        kind: ElementKind,
        corners: &[Corner],
        material: Option<usize>,
        limits: &Limits,
    ) -> Result<(), anim_ir::LimitError> {
        let triangles = match (kind, corners.len()) {
            (ElementKind::Face, 0..=2) => return Ok(()),
            (ElementKind::Face, 3) => vec![[0, 1, 2]],
            (ElementKind::Face, _) => {
                let positions: Vec<Vec3> =
                    corners.iter().map(|corner| position(document, *corner)).collect();
                triangulate(&positions, limits)?
            }
            _ => Vec::new(),
        };
        let vertices: Vec<u32> = corners.iter().map(|corner| self.vertex(*corner)).collect();
        let at = *self.by_part.entry((kind, material)).or_insert_with(|| {
            let topology = match kind {
                ElementKind::Face => Topology::Triangles,
                ElementKind::Line => Topology::Lines,
                ElementKind::Points => Topology::Points,
            };
            self.primitives.push(Primitive { topology, indices: Vec::new(), material });
            self.primitives.len() - 1
        });
        let Some(part) = self.primitives.get_mut(at) else { return Ok(()) };
        match kind {
            ElementKind::Face => part
                .indices
                .extend(triangles.iter().flatten().filter_map(|corner| vertices.get(*corner))),
            ElementKind::Line => part.indices.extend(vertices.windows(2).flatten()),
            ElementKind::Points => part.indices.extend(&vertices),
        }
        Ok(())
    }

    fn vertex(&mut self, corner: Corner) -> u32 {
        *self.by_corner.entry(corner).or_insert_with(|| {
            self.vertices.push(corner);
            crate::lines::narrow(self.vertices.len() - 1)
        })
    }

    fn finish(
        self,
        document: &Document<'_>,
        object: Option<&Object>,
        table: &InfluenceTable<'_>,
    ) -> (Mesh, bool) {
        let content = &document.content;
        let name = object.map_or(String::new(), |object| object.name.clone());
        let any = |has: fn(&Corner) -> bool| self.vertices.iter().any(has);
        let mut mesh = Mesh {
            name,
            positions: self.vertices.iter().map(|corner| position(document, *corner)).collect(),
            ..Mesh::default()
        };
        if any(|corner| corner.normal().is_some()) {
            let normal = |corner: &Corner| {
                corner
                    .normal()
                    .and_then(|index| content.normals.get(index))
                    .map_or(Vec3::ZERO, |normal| Vec3::from(*normal))
            };
            mesh.normals = self.vertices.iter().map(normal).collect();
        }
        if any(|corner| corner.texcoord().is_some()) {
            // Files of editamo hold glTF's values; the others have v up.
            let flips = document.dialect() != Dialect::Editamo;
            let texcoord = |corner: &Corner| {
                let [u, v] = corner
                    .texcoord()
                    .and_then(|index| content.texcoords.get(index))
                    .copied()
                    .unwrap_or_default();
                [u, if flips { 1.0 - v } else { v }]
            };
            mesh.texcoords = self.vertices.iter().map(texcoord).collect();
        }
        if !content.colors.is_empty() {
            let color = |corner: &Corner| {
                let at = content
                    .colors
                    .binary_search_by_key(&corner.position(), |(index, _)| *index as usize)
                    .ok();
                at.and_then(|at| content.colors.get(at)).map_or([1.0; 4], |(_, color)| *color)
            };
            mesh.colors = self.vertices.iter().map(color).collect();
        }
        let skinned = any(|corner| corner.joints().is_some() && corner.weights().is_some());
        if skinned {
            mesh.influences = table.influences(&self.vertices);
        }
        mesh.primitives = self.primitives;
        let mut extras: Vec<(String, Value)> = Vec::new();
        if let Some(object) = object {
            if object.kind == ObjectKind::Collision {
                extras.push(("kind".into(), Value::from("collision")));
            }
            if let Some(mask) = object.mask.and_then(|mask| u32::try_from(mask).ok()) {
                extras.push(("mask".into(), Value::from(mask)));
            }
        }
        if !self.groups.is_empty() {
            let names =
                self.groups.iter().filter_map(|group| content.groups.get(*group as usize)).cloned();
            extras.push(("groups".into(), names.collect()));
        }
        if !extras.is_empty() {
            mesh.extras =
                Extras::from([("amo".to_owned(), Value::Map(extras.into_iter().collect()))]);
        }
        (mesh, skinned)
    }
}

fn position(document: &Document<'_>, corner: Corner) -> Vec3 {
    document.positions().get(corner.position()).map_or(Vec3::ZERO, |position| Vec3::from(*position))
}

/// The evaluated view of `vj` and `vw` rows.
struct InfluenceTable<'a> {
    document: &'a Document<'a>,
    joints: &'a [usize],
    per_vertex: usize,
}

impl<'a> InfluenceTable<'a> {
    fn new(document: &'a Document<'a>, joints: &'a [usize]) -> InfluenceTable<'a> {
        let five = !document.content.fifth_joints.is_empty()
            && document.content.fifth_weights.iter().any(|(_, weight)| *weight != 0.0);
        InfluenceTable { document, joints, per_vertex: if five { 5 } else { 4 } }
    }

    fn influences(&self, vertices: &[Corner]) -> Influences {
        let size = vertices.len() * self.per_vertex;
        let (mut joints, mut weights) = (Vec::with_capacity(size), Vec::with_capacity(size));
        for corner in vertices {
            let mut row = [(0_u32, 0.0_f64); 5];
            if let (Some(vj), Some(vw)) = (corner.joints(), corner.weights()) {
                let pairs = self.document.vertex_joints(vj).zip(self.document.vertex_weights(vw));
                for (slot, (joint, weight)) in row.iter_mut().zip(pairs) {
                    // An unused joint has no weight, a negative weight is none.
                    if let Some(joint) =
                        joint.and_then(|joint| self.joints.get(joint)).filter(|_| weight > 0.0)
                    {
                        *slot = (crate::lines::narrow(*joint), f64::from(weight));
                    }
                }
            }
            let sum: f64 = row.iter().map(|(_, weight)| weight).sum();
            for (joint, weight) in row.iter().take(self.per_vertex) {
                joints.push(*joint);
                weights.push(if sum > 0.0 { anim_ir::number::narrow(weight / sum) } else { 0.0 });
            }
        }
        Influences { per_vertex: self.per_vertex, joints, weights }
    }
}
