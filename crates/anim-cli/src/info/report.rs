//! The report of `animfmt info` on a file, and its JSON form.

use std::collections::{HashMap, HashSet};

use anim_formats::anim_ir::format::Fact;
use anim_formats::anim_ir::number::narrow;
use anim_formats::anim_ir::{
    Bounds, Budget, Camera, Channel, Clip, Curve, Event, EventIndex, Image, JointId, JointRef,
    LimitError, Material, Mesh, MeshId, Motion, Scene, Sequence, Skeleton, State, StateMachine,
    Topology, Track, UpGuess, Value, WaveShape,
    diag::{escape, seconds},
};
use anim_formats::bvh::is_end_site;
use anim_formats::{Format, LoadOptions, Loaded};
use serde::{Serialize, Serializer};

use crate::input::Input;
use crate::status::{Failure, Status};
use crate::term::show_name;
use anim_viewer::Totals;
use anim_viewer::all_problems;

/// The maximum number of keys, transitions or waves listed per state.
pub(super) const KEYS_SHOWN: usize = 8;
/// The maximum number of details of a state, one more than is shown.
const DETAILS: usize = KEYS_SHOWN + 1;

/// The JSON document.
#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) schema: &'static str,
    pub(crate) files: Vec<FileReport>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum FileReport {
    Read(Box<Info>),
    Unreadable { file: String, error: String },
}

/// The contents of a file.
#[derive(Serialize)]
pub(crate) struct Info {
    file: String,
    format: &'static str,
    #[serde(skip)]
    pub(crate) title: &'static str,
    pub(crate) dialect: Option<&'static str>,
    pub(crate) bytes: usize,
    pub(crate) skeletons: Vec<SkeletonInfo>,
    pub(crate) meshes: Vec<MeshInfo>,
    pub(crate) clips: Vec<ClipInfo>,
    /// Format-specific facts that a scene does not represent.
    #[serde(flatten)]
    pub(crate) facts: Facts,
    pub(crate) materials: Vec<MaterialInfo>,
    pub(crate) cameras: Vec<CameraInfo>,
    pub(crate) state_machines: Vec<MachineInfo>,
    /// The bounds of the meshes at rest, or of the joints in a scene without meshes; `None` if
    /// there are neither, or if they are a single point.
    pub(crate) bounds: Option<BoundsInfo>,
    /// `None` if there are neither meshes nor joints.
    pub(crate) up: Option<UpInfo>,
    pub(crate) totals: Totals,
}

/// The axis-aligned bounding box, in the file's unit.
#[derive(Serialize)]
pub(crate) struct BoundsInfo {
    pub(crate) min: [f32; 3],
    pub(crate) max: [f32; 3],
    pub(crate) size: [f32; 3],
}

/// The up axis, known or guessed.
#[derive(Serialize)]
pub(crate) struct UpInfo {
    pub(crate) axis: &'static str,
    evidence: &'static str,
    pub(crate) reason: String,
    #[serde(skip)]
    pub(crate) is_certain: bool,
}

#[derive(Serialize)]
pub(crate) struct SkeletonInfo {
    pub(crate) name: String,
    pub(crate) joints: Vec<JointInfo>,
}

#[derive(Serialize)]
pub(crate) struct JointInfo {
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    /// Whether it is an end site of a BVH file.
    #[serde(skip)]
    pub(crate) is_end_site: bool,
}

#[derive(Serialize)]
pub(crate) struct MeshInfo {
    pub(crate) name: String,
    pub(crate) vertices: usize,
    pub(crate) triangles: usize,
    pub(crate) lines: usize,
    pub(crate) points: usize,
    pub(crate) skinned: bool,
    pub(crate) morph_targets: usize,
}

#[derive(Serialize)]
pub(crate) struct ClipInfo {
    pub(crate) name: String,
    pub(crate) start: f32,
    pub(crate) end: f32,
    pub(crate) wrap: &'static str,
    pub(crate) tracks: usize,
    pub(crate) keys: usize,
    pub(crate) events: Vec<EventInfo>,
    /// Format-specific facts about the clip that a scene does not represent.
    #[serde(flatten)]
    pub(crate) facts: Facts,
}

#[derive(Serialize)]
pub(crate) struct EventInfo {
    pub(crate) time: f32,
    pub(crate) name: String,
}

#[derive(Serialize)]
pub(crate) struct MachineInfo {
    name: String,
    pub(crate) states: Vec<StateInfo>,
}

#[derive(Serialize)]
pub(crate) struct StateInfo {
    pub(crate) name: String,
    /// `clip`, or the playback order of a sequence.
    pub(crate) motion: &'static str,
    /// For sequences: the states that the sequence plays, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) keys: Option<Vec<KeyInfo>>,
    /// The duration of one cycle, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) duration: Option<f64>,
    /// The waves of a clip, or the transitions of a sequence, as text.
    #[serde(skip)]
    pub(crate) details: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct KeyInfo {
    pub(crate) state: Option<String>,
    pub(crate) exit: bool,
}

#[derive(Serialize)]
pub(crate) struct CameraInfo {
    pub(crate) name: String,
    /// The vertical field of view, in degrees.
    pub(crate) vertical_fov: f32,
}

#[derive(Serialize)]
pub(crate) struct MaterialInfo {
    pub(crate) name: String,
    pub(crate) image: Option<String>,
}

/// The memory charged for an event of a clip: its entry and its JSON. Clips may share all events.
const EVENT_BYTES: usize = 160;

/// Reads a file and reports on it.
pub(crate) fn look(
    input: Input<'_>,
    options: &LoadOptions,
    all: bool,
) -> Result<(Format, Info, Status), Failure> {
    let Loaded { document, diagnostics, scene, losses, .. } = input.load(options)?;
    let diagnostics = all_problems(&document, diagnostics, losses, input.folder().is_some());
    let mut facts: HashMap<Option<usize>, Vec<Fact>> = HashMap::new();
    for fact in document.facts(all) {
        facts.entry(fact.clip).or_default().push(fact);
    }
    let mut facts_of = |clip| Facts(facts.remove(&clip).unwrap_or_default());
    let bounds = scene.rest_bounds();
    let events = EventIndex::of(&scene);
    let budget = Budget::for_scene(&options.settings.limits, &scene);
    let skinned: HashSet<MeshId> = scene
        .nodes
        .iter()
        .filter(|node| node.skin.is_some())
        .filter_map(|node| node.mesh)
        .collect();
    let info = Info {
        file: input.given().into_owned(),
        format: document.format().id(),
        title: document.format().title(),
        dialect: document.dialect(),
        bytes: document.to_bytes().len(),
        skeletons: scene.skeletons.iter().map(SkeletonInfo::of).collect(),
        meshes: scene
            .enumerate_meshes()
            .map(|(id, mesh)| MeshInfo::of(mesh, skinned.contains(&id)))
            .collect(),
        clips: scene
            .clips
            .iter()
            .enumerate()
            .map(|(number, clip)| {
                let bytes = events.count_in(clip).saturating_mul(EVENT_BYTES);
                budget.charge("the events of clips", bytes)?;
                let events = events.events_in(clip);
                Ok(ClipInfo::of(&scene, clip, &events, facts_of(Some(number))))
            })
            .collect::<Result<_, LimitError>>()
            .map_err(|error| Failure::file(error.to_string()))?,
        facts: facts_of(None),
        materials: scene
            .materials
            .iter()
            .map(|material| MaterialInfo::of(&scene, material))
            .collect(),
        cameras: scene.cameras.iter().map(CameraInfo::of).collect(),
        state_machines: scene
            .machines
            .iter()
            .map(|machine| MachineInfo::of(&scene, machine))
            .collect(),
        up: bounds.map(|_| UpInfo::of(&scene)),
        bounds: bounds
            .filter(|bounds| bounds.size().iter().any(|length| *length > 0.0))
            .map(BoundsInfo::of),
        totals: Totals::of(&diagnostics),
    };
    Ok((document.format(), info, Status::of(&diagnostics)))
}

impl BoundsInfo {
    fn of(bounds: Bounds) -> BoundsInfo {
        let [min, max, size] =
            [bounds.min, bounds.max, bounds.size()].map(|point| point.map(narrow));
        BoundsInfo { min, max, size }
    }
}

impl UpInfo {
    fn of(scene: &Scene) -> UpInfo {
        let UpGuess { axis, evidence, reason } = scene.guess_up();
        let is_certain = evidence.decides();
        UpInfo { axis: axis.name(), evidence: evidence.name(), reason, is_certain }
    }
}

impl SkeletonInfo {
    fn of(skeleton: &Skeleton) -> SkeletonInfo {
        let joints = skeleton
            .joints
            .iter()
            .map(|joint| JointInfo {
                name: joint.name.clone(),
                parent: joint.parent.map(JointId::index),
                is_end_site: is_end_site(joint),
            })
            .collect();
        SkeletonInfo { name: skeleton.name.clone(), joints }
    }
}

impl MeshInfo {
    fn of(mesh: &Mesh, skinned: bool) -> MeshInfo {
        MeshInfo {
            name: mesh.name.clone(),
            vertices: mesh.positions.len(),
            triangles: mesh.count(Topology::Triangles),
            lines: mesh.count(Topology::Lines),
            points: mesh.count(Topology::Points),
            skinned,
            morph_targets: mesh.morph_targets.len(),
        }
    }
}

impl ClipInfo {
    /// Counts only the part of the timeline that the clip covers: tracks of its joints, and keys
    /// and events in its range.
    fn of(scene: &Scene, clip: &Clip, events: &[&Event], facts: Facts) -> ClipInfo {
        let timeline = scene.timeline(clip.timeline);
        let moved = |track: &&Track| clip.has_target(track.target);
        let tracks: Vec<&Track> =
            timeline.iter().flat_map(|timeline| timeline.tracks()).filter(moved).collect();
        let keys_of = |track: &Track| match (&track.curve, timeline) {
            (Curve::Keys { .. }, Some(timeline)) => {
                let times = timeline.keys(track).times;
                let (before, after) = (
                    times.partition_point(|time| *time < clip.start),
                    times.partition_point(|time| *time <= clip.end),
                );
                after.saturating_sub(before)
            }
            (Curve::Wave(_), _) => 0,
            _ => 1,
        };
        ClipInfo {
            name: clip.name.clone(),
            start: clip.start,
            end: clip.end,
            wrap: clip.wrap.name(),
            tracks: tracks.len(),
            keys: tracks.iter().fold(0, |sum, track| sum.saturating_add(keys_of(track))),
            events: events
                .iter()
                .map(|event| EventInfo { time: event.time, name: event.name.clone() })
                .collect(),
            facts,
        }
    }
}

impl MachineInfo {
    fn of(scene: &Scene, machine: &StateMachine) -> MachineInfo {
        let name = |id| machine.state(id).map(|state: &State| state.name.clone());
        let state = |state: &State| match &state.motion {
            Motion::Sequence(sequence) => StateInfo {
                name: state.name.clone(),
                motion: sequence.order().name(),
                keys: Some(
                    sequence
                        .keys()
                        .iter()
                        .map(|key| KeyInfo { state: key.state.and_then(name), exit: key.exit })
                        .collect(),
                ),
                duration: Some(sequence.duration()),
                details: transitions(machine, sequence),
            },
            motion => {
                let clip = if let Motion::Clip(clip) = motion { scene.clip(*clip) } else { None };
                StateInfo {
                    name: state.name.clone(),
                    motion: "clip",
                    keys: None,
                    duration: None,
                    details: clip.map_or_else(Vec::new, |clip| waves(scene, clip)),
                }
            }
        };
        MachineInfo {
            name: machine.name.clone(),
            states: machine.states.iter().map(state).collect(),
        }
    }
}

/// Describes the transitions of a sequence, for example `calm → swinging: morph over 2.5 s`.
fn transitions(machine: &StateMachine, sequence: &Sequence) -> Vec<String> {
    let played = |key: usize| {
        let state = sequence.keys().get(key).and_then(|key| machine.state(key.state?));
        state.map_or("(undefined)".to_owned(), |state| show_name(&state.name))
    };
    sequence
        .ways()
        .map(|(from, to, way)| format!("{} → {}: {way}", played(from), played(to)))
        .take(DETAILS)
        .collect()
}

/// The waves of a clip, for example `shade: rotation z from -15° to 30°, sine, period 6 s`.
fn waves(scene: &Scene, clip: &Clip) -> Vec<String> {
    let Some(timeline) = scene.timeline(clip.timeline) else { return Vec::new() };
    let wave = |track: &Track| {
        let (Curve::Wave(wave), Some(joint)) = (&track.curve, track.joint()) else { return None };
        let joint = scene.joint(JointRef { skeleton: timeline.skeleton, joint })?;
        let is_angle = matches!(track.channel, Channel::Euler(_));
        let value = |number: f32| {
            if is_angle { format!("{}°", short(number.to_degrees())) } else { short(number) }
        };
        let (from, to) = match (wave.shape, wave.backwards) {
            (WaveShape::Growth, _) => ([0.0; 3], wave.start),
            (_, true) => (wave.end, wave.start),
            (_, false) => (wave.start, wave.end),
        };
        let axes: Vec<String> = ["x", "y", "z"]
            .into_iter()
            .zip(from.into_iter().zip(to))
            .filter(|(_, (from, to))| from != to)
            .map(|(axis, (from, to))| format!("{axis} from {} to {}", value(from), value(to)))
            .collect();
        // Growth without a period has a period of 1 s; other waves without a period do not move.
        let period = match wave.shape {
            WaveShape::Growth if wave.period <= 0.0 => 1.0,
            _ => wave.period,
        };
        if axes.is_empty() || period <= 0.0 {
            return None;
        }
        Some(format!(
            "{}: {} {}, {}, period {}",
            show_name(&joint.name),
            if is_angle { Channel::Rotation.name() } else { track.channel.name() },
            axes.join(", "),
            wave.shape.name(),
            seconds(period)
        ))
    };
    let tracks = timeline.tracks().iter().filter(|track| clip.has_target(track.target));
    tracks.filter_map(wave).take(DETAILS).collect()
}

impl MaterialInfo {
    fn of(scene: &Scene, material: &Material) -> MaterialInfo {
        let shown = |image: &Image| {
            let embedded = || format!("embedded {}", image.mime_type().unwrap_or("image"));
            image.path.clone().unwrap_or_else(embedded)
        };
        let image = material.base_color_image.and_then(|image| scene.image(image)).map(shown);
        MaterialInfo { name: material.name.clone(), image }
    }
}

impl CameraInfo {
    fn of(camera: &Camera) -> CameraInfo {
        CameraInfo { name: camera.name.clone(), vertical_fov: camera.vertical_fov.to_degrees() }
    }
}

/// Format-specific facts, serialized as entries of the object they describe.
pub(crate) struct Facts(pub(crate) Vec<Fact>);

impl Facts {
    /// Returns the facts as lines of text, without headings.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        self.0.iter().flat_map(|fact| &fact.rows).map(|row| escape(&row.join("  ")))
    }
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|fact| (fact.key, Plain(&fact.value))))
    }
}

/// A value as JSON. Whole numbers are written without a fraction.
struct Plain<'a>(&'a Value);

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(number) => match whole(*number) {
                Some(whole) => serializer.serialize_i64(whole),
                None => serializer.serialize_f64(*number),
            },
            Value::Text(text) => serializer.serialize_str(text),
            Value::List(values) => serializer.collect_seq(values.iter().map(Plain)),
            Value::Map(values) => {
                serializer.collect_map(values.iter().map(|(name, value)| (name, Plain(value))))
            }
        }
    }
}

fn whole(number: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "saturates; compared below")]
    let whole = number as i64;
    #[expect(clippy::cast_precision_loss, reason = "numbers beyond 2^53 are whole anyway")]
    let same = whole as f64 == number;
    (same && number.abs() < 1e15).then_some(whole)
}

/// Formats a number with up to three decimals, or without decimals if it is large.
pub(super) fn short(number: f32) -> String {
    let decimals = if number.abs() < 100.0 { 3 } else { 0 };
    let text = format!("{number:.decimals$}");
    let text = if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
