//! `animfmt info`

use std::fmt::Write as _;
use std::io::{self, Write};

use anim_formats::anim_ir::number::narrow;
use anim_formats::anim_ir::{
    Camera, Clip, Curve, ImageSource, Material, Mesh, Motion, Scene, Skeleton, State, StateMachine,
    Target, Topology, Track, Wrap,
};
use anim_formats::{LoadOptions, Loaded};
use serde::Serialize;

use crate::args::{Common, InfoArgs};
use crate::batch::{guarded, share_threads, summary};
use crate::files::{Files, Found};
use crate::input::Input;
use crate::motion::FrameList;
use crate::progress::Progress;
use crate::sets::BoneSet;
use crate::status::{Failure, Status};
use crate::term::{
    FAINT, HEADING, count, error, print_json, severity_style, show_name, size, styled,
};
use crate::timing::Timing;
use crate::totals::Totals;

/// Rows of a list that are shown without `--all`.
const SHOWN: usize = 60;
/// Events of a clip that are named.
const EVENTS_SHOWN: usize = 6;
/// Keys of a state that are named.
const KEYS_SHOWN: usize = 8;
/// Levels of a tree that are indented.
const LEVELS: usize = 30;
/// Characters of a cell that the cells beside it make room for.
const WIDEST: usize = 40;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    #[serde(flatten)]
    files: Reports,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Reports {
    One(FileReport),
    Several { files: Vec<FileReport> },
}

#[derive(Serialize)]
#[serde(untagged)]
enum FileReport {
    Read(Box<Info>),
    Unreadable { file: String, error: String },
}

#[derive(Serialize)]
struct Info {
    file: String,
    format: &'static str,
    #[serde(skip)]
    title: &'static str,
    dialect: Option<&'static str>,
    bytes: usize,
    skeletons: Vec<SkeletonInfo>,
    meshes: Vec<MeshInfo>,
    clips: Vec<ClipInfo>,
    /// TMD ANM and ANC only.
    #[serde(skip_serializing_if = "Option::is_none")]
    motion: Option<FrameList>,
    /// ANM text only.
    #[serde(skip_serializing_if = "Option::is_none")]
    bone_sets: Option<Vec<BoneSet>>,
    materials: Vec<MaterialInfo>,
    cameras: Vec<CameraInfo>,
    state_machines: Vec<MachineInfo>,
    diagnostics: Totals,
}

#[derive(Serialize)]
struct SkeletonInfo {
    name: String,
    joints: Vec<JointInfo>,
}

#[derive(Serialize)]
struct JointInfo {
    name: String,
    parent: Option<usize>,
}

#[derive(Serialize)]
struct MeshInfo {
    name: String,
    vertices: usize,
    triangles: usize,
    lines: usize,
    points: usize,
    skinned: bool,
    morph_targets: usize,
}

#[derive(Serialize)]
struct ClipInfo {
    name: String,
    start: f32,
    end: f32,
    wrap: &'static str,
    tracks: usize,
    keys: usize,
    events: Vec<EventInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<Timing>,
}

#[derive(Serialize)]
struct EventInfo {
    time: f32,
    name: String,
}

#[derive(Serialize)]
struct MachineInfo {
    name: String,
    states: Vec<StateInfo>,
}

#[derive(Serialize)]
struct StateInfo {
    name: String,
    /// `clip`, or in which order a sequence is played.
    motion: &'static str,
    /// Of a sequence: the states that it plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    keys: Option<Vec<KeyInfo>>,
    /// Seconds that a round takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<f64>,
}

#[derive(Serialize)]
struct KeyInfo {
    state: Option<String>,
    exit: bool,
}

#[derive(Serialize)]
struct CameraInfo {
    name: String,
    /// From the lower to the upper border, in degrees.
    vertical_fov: f32,
}

#[derive(Serialize)]
struct MaterialInfo {
    name: String,
    image: Option<String>,
}

pub(crate) fn run(args: &InfoArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let files = match Files::find(&args.files, common.from, None) {
        Ok(files) => files,
        Err(failure) => return Ok(failure.tell()),
    };
    let mut options = common.load_options();
    let threads = share_threads(&mut options, files.found.len());
    let progress = Progress::new(files.found.len(), Progress::has_place());
    let shown = if args.all { usize::MAX } else { SHOWN };
    let mut statuses = Vec::new();
    let mut reports = Vec::new();
    let mut unreadable = 0_usize;
    let work = |file: &Found| {
        let (info, status) = look(file.input(), &options)?;
        let shown = if common.json {
            Shown::Report(Box::new(info))
        } else {
            Shown::Text(text(file.input(), &info, shown))
        };
        Ok((shown, status))
    };
    guarded(&files.found, threads, &progress, work, |file, looked| {
        let between = if statuses.is_empty() { "" } else { "\n" };
        match looked {
            Ok((shown, status)) => {
                statuses.push(status);
                match shown {
                    Shown::Text(text) => write!(out, "{between}{text}")?,
                    Shown::Report(info) => reports.push(FileReport::Read(info)),
                }
            }
            Err(Failure { status, message, .. }) => {
                // What was told before comes first, also on a terminal.
                out.flush()?;
                progress.aside(|| error(format_args!("{}: {message}", file.input().shown())));
                statuses.push(status);
                unreadable = unreadable.saturating_add(1);
                reports.push(FileReport::Unreadable {
                    file: file.input().given().into_owned(),
                    error: message,
                });
            }
        }
        Ok(())
    })?;
    drop(progress);
    if common.json {
        let files = match reports.pop() {
            Some(only) if !files.several => Reports::One(only),
            last => Reports::Several { files: reports.into_iter().chain(last).collect() },
        };
        print_json(out, &Report { schema: "animfmt.info/1", files })?;
    } else if files.several {
        let fine = statuses.iter().filter(|status| **status == Status::Fine).count();
        let with_errors = statuses.len().saturating_sub(fine).saturating_sub(unreadable);
        let counts = [(fine, "fine"), (with_errors, "with errors"), (unreadable, "unreadable")];
        writeln!(out, "\n{}", styled(HEADING, summary(&files, &counts)))?;
    }
    Ok(Status::of_all(&statuses))
}

/// What is in a file, as it is told.
enum Shown {
    Text(String),
    Report(Box<Info>),
}

fn text(input: Input<'_>, info: &Info, shown: usize) -> String {
    let mut out = Vec::new();
    // Writing to memory cannot fail.
    let _ = print(input, info, shown, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

fn look(input: Input<'_>, options: &LoadOptions) -> Result<(Info, Status), Failure> {
    let Loaded { document, diagnostics, scene, .. } = input.load(options)?;
    // A clip is made of each animation, in their order.
    let mut timings = Timing::all(&document).into_iter();
    let info = Info {
        file: input.given().into_owned(),
        format: document.format().name(),
        title: document.format().title(),
        dialect: document.dialect(),
        bytes: document.to_bytes().len(),
        skeletons: scene.skeletons.iter().map(SkeletonInfo::of).collect(),
        meshes: scene
            .meshes
            .iter()
            .enumerate()
            .map(|(index, mesh)| MeshInfo::of(&scene, index, mesh))
            .collect(),
        clips: scene.clips.iter().map(|clip| ClipInfo::of(&scene, clip, timings.next())).collect(),
        motion: FrameList::of(&document),
        bone_sets: BoneSet::all(&document),
        materials: scene
            .materials
            .iter()
            .map(|material| MaterialInfo::of(&scene, material))
            .collect(),
        cameras: scene.cameras.iter().map(CameraInfo::of).collect(),
        state_machines: scene.machines.iter().map(MachineInfo::of).collect(),
        diagnostics: Totals::of(&diagnostics),
    };
    Ok((info, Status::of(&diagnostics)))
}

impl SkeletonInfo {
    fn of(skeleton: &Skeleton) -> SkeletonInfo {
        let joints = skeleton
            .joints
            .iter()
            .map(|joint| JointInfo { name: joint.name.clone(), parent: joint.parent })
            .collect();
        SkeletonInfo { name: skeleton.name.clone(), joints }
    }
}

impl MeshInfo {
    fn of(scene: &Scene, index: usize, mesh: &Mesh) -> MeshInfo {
        MeshInfo {
            name: mesh.name.clone(),
            vertices: mesh.positions.len(),
            triangles: mesh.count(Topology::Triangles),
            lines: mesh.count(Topology::Lines),
            points: mesh.count(Topology::Points),
            skinned: scene.nodes.iter().any(|node| node.mesh == Some(index) && node.skin.is_some()),
            morph_targets: mesh.morph_targets.len(),
        }
    }
}

impl ClipInfo {
    /// Of the timeline what lies in the clip: tracks of its joints, keys and events in its range.
    fn of(scene: &Scene, clip: &Clip, timing: Option<Timing>) -> ClipInfo {
        let timeline = scene.timelines.get(clip.timeline);
        let moved = |track: &&Track| match track.target {
            Target::Joint(joint) => clip.has_joint(joint),
            Target::Node(_) => true,
        };
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
        let events =
            timeline.iter().flat_map(|timeline| &timeline.events).filter(|event| clip.takes(event));
        ClipInfo {
            name: clip.name.clone(),
            start: clip.start,
            end: clip.end,
            wrap: clip.wrap.name(),
            tracks: tracks.len(),
            keys: tracks.iter().fold(0, |sum, track| sum.saturating_add(keys_of(track))),
            events: events
                .map(|event| EventInfo { time: event.time, name: event.name.clone() })
                .collect(),
            timing,
        }
    }
}

impl MachineInfo {
    fn of(machine: &StateMachine) -> MachineInfo {
        let name = |index: usize| machine.states.get(index).map(|state| state.name.clone());
        let state = |state: &State| match &state.motion {
            Motion::Clip(_) => {
                StateInfo { name: state.name.clone(), motion: "clip", keys: None, duration: None }
            }
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
            },
        };
        MachineInfo {
            name: machine.name.clone(),
            states: machine.states.iter().map(state).collect(),
        }
    }
}

impl MaterialInfo {
    fn of(scene: &Scene, material: &Material) -> MaterialInfo {
        let image =
            material.base_color_image.and_then(|image| scene.images.get(image)).map(|image| {
                match &image.source {
                    ImageSource::Path(path) => path.clone(),
                    ImageSource::Embedded { mime_type, .. } => format!("embedded {mime_type}"),
                }
            });
        MaterialInfo { name: material.name.clone(), image }
    }
}

impl CameraInfo {
    fn of(camera: &Camera) -> CameraInfo {
        CameraInfo { name: camera.name.clone(), vertical_fov: camera.vertical_fov.to_degrees() }
    }
}

fn print(input: Input<'_>, info: &Info, shown: usize, out: &mut dyn Write) -> io::Result<()> {
    let dialect = info.dialect.map_or(String::new(), |dialect| format!(", dialect {dialect}"));
    writeln!(
        out,
        "{}: {}{dialect}, {}",
        styled(HEADING, input.shown()),
        info.title,
        size(info.bytes)
    )?;
    for skeleton in &info.skeletons {
        let name = if skeleton.name.is_empty() {
            String::new()
        } else {
            format!(" {}", show_name(&skeleton.name))
        };
        writeln!(
            out,
            "{}",
            styled(
                HEADING,
                format_args!("skeleton{name}: {}", count(skeleton.joints.len(), "joint", "joints"))
            )
        )?;
        let joints = depth_first(&skeleton.joints);
        list(&joints, "joint", "joints", shown, out, |(joint, level)| {
            let deep = if *level > LEVELS { format!("(level {level}) ") } else { String::new() };
            let name =
                skeleton.joints.get(*joint).map_or(String::new(), |joint| show_name(&joint.name));
            vec![format!(
                "{:indent$}{deep}{name}",
                "",
                indent = level.min(&LEVELS).saturating_mul(2)
            )]
            .into()
        })?;
    }
    section("clip", "clips", &info.clips, shown, out, |clip| {
        let events = if clip.events.is_empty() {
            String::new()
        } else {
            count(clip.events.len(), "event", "events")
        };
        let wrap = if clip.wrap == Wrap::Unspecified.name() { "" } else { clip.wrap };
        let extra = [wrap, &events]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join(", ");
        let range = format!("{}–{} s", clip.start, clip.end);
        let cells = vec![
            show_name(&clip.name),
            range,
            count(clip.tracks, "track", "tracks"),
            count(clip.keys, "key", "keys"),
            extra,
        ];
        let events = clip
            .events
            .iter()
            .take(EVENTS_SHOWN)
            .map(|event| format!("{} at {} s", show_name(&event.name), event.time));
        let events: Vec<String> =
            events.chain((clip.events.len() > EVENTS_SHOWN).then(|| "…".to_owned())).collect();
        let events = (!events.is_empty()).then(|| events.join(", "));
        Row { cells, below: clip.timing.iter().flat_map(Timing::lines).chain(events).collect() }
    })?;
    section(
        "bone set",
        "bone sets",
        info.bone_sets.as_deref().unwrap_or_default(),
        shown,
        out,
        |set| set.cells(shown == usize::MAX).into(),
    )?;
    for line in info.motion.iter().flat_map(|motion| motion.lines(shown == usize::MAX)) {
        writeln!(out, "    {line}")?;
    }
    for machine in &info.state_machines {
        section("state", "states", &machine.states, shown, out, |state| {
            let keys = state.keys.as_deref().unwrap_or_default();
            let played = keys
                .iter()
                .map(|key| key.state.as_deref().map_or("(undefined)".to_owned(), show_name))
                .take(KEYS_SHOWN)
                .collect::<Vec<_>>();
            let more = if keys.len() > KEYS_SHOWN { ", …" } else { "" };
            let length =
                state.duration.map_or(String::new(), |seconds| format!("{} s", narrow(seconds)));
            vec![
                show_name(&state.name),
                state.motion.to_owned(),
                length,
                format!("{}{more}", played.join(", ")),
            ]
            .into()
        })?;
    }
    section("mesh", "meshes", &info.meshes, shown, out, |mesh| {
        let elements = [
            (mesh.triangles, "triangle", "triangles"),
            (mesh.lines, "line", "lines"),
            (mesh.points, "point", "points"),
        ];
        let elements: Vec<String> = elements
            .into_iter()
            .filter(|(number, ..)| *number > 0)
            .map(|(number, one, many)| count(number, one, many))
            .collect();
        let morph = if mesh.morph_targets > 0 {
            count(mesh.morph_targets, "morph target", "morph targets")
        } else {
            String::new()
        };
        let extra = [if mesh.skinned { "skinned" } else { "" }, &morph]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join(", ");
        vec![
            show_name(&mesh.name),
            count(mesh.vertices, "vertex", "vertices"),
            elements.join(", "),
            extra,
        ]
        .into()
    })?;
    section("material", "materials", &info.materials, shown, out, |material| {
        vec![show_name(&material.name), material.image.as_deref().map_or(String::new(), show_name)]
            .into()
    })?;
    section("camera", "cameras", &info.cameras, shown, out, |camera| {
        vec![show_name(&camera.name), format!("{:.1}° from top to bottom", camera.vertical_fov)]
            .into()
    })?;
    let hint = if info.diagnostics.is_empty() { "" } else { "; `animfmt check` shows them" };
    writeln!(
        out,
        "{}{}",
        styled(severity_style(info.diagnostics.severity()), info.diagnostics),
        styled(FAINT, hint)
    )
}

/// Joints in the order of a tree, each with its level.
fn depth_first(joints: &[JointInfo]) -> Vec<(usize, usize)> {
    let mut children: Vec<Vec<usize>> = joints.iter().map(|_| Vec::new()).collect();
    let mut open = Vec::new();
    for (index, joint) in joints.iter().enumerate().rev() {
        // From the last to the first, so that the first is taken first from the end of a list.
        match joint.parent.and_then(|parent| children.get_mut(parent)) {
            Some(siblings) => siblings.push(index),
            None => open.push((index, 0_usize)),
        }
    }
    let mut order = Vec::with_capacity(joints.len());
    while let Some((joint, level)) = open.pop() {
        order.push((joint, level));
        let below = children.get_mut(joint).map(std::mem::take).unwrap_or_default();
        open.extend(below.into_iter().map(|child| (child, level.saturating_add(1))));
    }
    order
}

/// A heading and a list; nothing where there is nothing.
fn section<T>(
    one: &str,
    many: &str,
    items: &[T],
    shown: usize,
    out: &mut dyn Write,
    row: impl Fn(&T) -> Row,
) -> io::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", styled(HEADING, count(items.len(), one, many)))?;
    list(items, one, many, shown, out, row)
}

/// What is said of an item of a list.
struct Row {
    /// Each in a column of its own.
    cells: Vec<String>,
    /// Lines below.
    below: Vec<String>,
}

impl From<Vec<String>> for Row {
    fn from(cells: Vec<String>) -> Row {
        Row { cells, below: Vec::new() }
    }
}

/// Items in columns, the first so many.
fn list<T>(
    items: &[T],
    one: &str,
    many: &str,
    shown: usize,
    out: &mut dyn Write,
    row: impl Fn(&T) -> Row,
) -> io::Result<()> {
    let rows: Vec<Row> = items.iter().take(shown).map(row).collect();
    let columns = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.cells.get(column))
            .map(|cell| cell.chars().count().min(WIDEST))
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.cells.iter().zip(&widths) {
            // Writing to a String cannot fail.
            let _ = write!(line, "  {cell:width$}");
        }
        writeln!(out, "{}", line.trim_end())?;
        for line in &row.below {
            writeln!(out, "    {line}")?;
        }
    }
    match items.len().saturating_sub(shown) {
        0 => Ok(()),
        more => writeln!(
            out,
            "  {}",
            styled(
                FAINT,
                format_args!(
                    "… and {} (--all shows them)",
                    count(more, &format!("more {one}"), &format!("more {many}"))
                )
            )
        ),
    }
}
