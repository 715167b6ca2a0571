//! `animfmt info` as text.

use std::io::{self, Write};

use anim_formats::anim_ir::Wrap;
use anim_formats::anim_ir::diag::{escape, seconds};
use anim_formats::anim_ir::format::Fact;

use super::report::{
    CameraInfo, ClipInfo, Info, JointInfo, KEYS_SHOWN, KeyInfo, MachineInfo, MaterialInfo,
    MeshInfo, SkeletonInfo, StateInfo, short,
};
use super::table::{Row, list, section};
use crate::input::Input;
use crate::term::{
    FAINT, HEADING, count, counts, severity_style, show_name, size, styled, thousands,
};

/// The maximum number of events listed per clip.
const EVENTS_SHOWN: usize = 6;
/// The maximum depth of indentation in a tree.
const LEVELS: usize = 30;

/// Renders the report on a file as text, with the first `shown` rows of each list.
pub(crate) fn text(input: Input<'_>, info: &Info, shown: usize) -> String {
    let mut out = Vec::new();
    // Writing to memory cannot fail.
    let _ = print(input, info, shown, &mut out);
    String::from_utf8_lossy(&out).into_owned()
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
        print_skeleton(skeleton, shown, out)?;
    }
    section("clip", "clips", &info.clips, shown, out, clip_row)?;
    let clips: Vec<&str> = info.clips.iter().map(|clip| clip.name.as_str()).collect();
    let is_known = |fact: &Fact| fact.key == "animations" && fact.rows.concat() == clips;
    print_facts(info.facts.0.iter().filter(|fact| !is_known(fact)), shown, out)?;
    for MachineInfo { states, .. } in &info.state_machines {
        section("state", "states", states, shown, out, state_row)?;
    }
    section("mesh", "meshes", &info.meshes, shown, out, mesh_row)?;
    section("material", "materials", &info.materials, shown, out, material_row)?;
    section("camera", "cameras", &info.cameras, shown, out, camera_row)?;
    if let Some(bounds) = &info.bounds {
        let [size, min, max] = [bounds.size, bounds.min, bounds.max].map(|point| point.map(short));
        writeln!(
            out,
            "{} {}, from ({}) to ({})",
            styled(HEADING, "size at rest:"),
            size.join(" × "),
            min.join(", "),
            max.join(", ")
        )?;
    }
    if let Some(up) = &info.up {
        let probably = if up.is_certain { "" } else { "probably " };
        writeln!(out, "{} {probably}{} ({})", styled(HEADING, "up:"), up.axis, up.reason)?;
    }
    let hint = if info.totals.is_empty() { "" } else { "; run `animfmt check` for details" };
    writeln!(
        out,
        "{}{}",
        styled(severity_style(info.totals.severity()), info.totals),
        styled(FAINT, hint)
    )
}

fn print_skeleton(skeleton: &SkeletonInfo, shown: usize, out: &mut dyn Write) -> io::Result<()> {
    let name = if skeleton.name.is_empty() {
        String::new()
    } else {
        format!(" {}", show_name(&skeleton.name))
    };
    let joints = count(skeleton.joints.len(), "joint", "joints");
    let ends = match skeleton.joints.iter().filter(|joint| joint.is_end_site).count() {
        0 => String::new(),
        1 => ", 1 of them an end site".to_owned(),
        many => format!(", {} of them end sites", thousands(many)),
    };
    writeln!(out, "{}", styled(HEADING, format_args!("skeleton{name}: {joints}{ends}")))?;
    let joints = depth_first(&skeleton.joints);
    list(&joints, "joint", "joints", shown, out, |(joint, level)| {
        let deep = if *level > LEVELS { format!("(level {level}) ") } else { String::new() };
        let name =
            skeleton.joints.get(*joint).map_or(String::new(), |joint| show_name(&joint.name));
        let indent = level.min(&LEVELS).saturating_mul(2);
        vec![format!("{:indent$}{deep}{name}", "")].into()
    })
}

fn print_facts<'a>(
    facts: impl Iterator<Item = &'a Fact>,
    shown: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    for fact in facts {
        match fact.heading {
            Some((one, many)) => section(one, many, &fact.rows, shown, out, |row| {
                row.iter().map(|cell| show_name(cell)).collect::<Vec<_>>().into()
            })?,
            None => {
                for row in &fact.rows {
                    writeln!(out, "    {}", escape(&row.join("  ")))?;
                }
            }
        }
    }
    Ok(())
}

fn clip_row(clip: &ClipInfo) -> Row {
    let events = counts([(clip.events.len(), "event", "events")]);
    let wrap = if clip.wrap == Wrap::Unspecified.name() { "" } else { clip.wrap };
    let cells = vec![
        show_name(&clip.name),
        format!("{}–{}", seconds(clip.start).trim_end_matches(" s"), seconds(clip.end)),
        count(clip.tracks, "track", "tracks"),
        count(clip.keys, "key", "keys"),
        join_nonempty([wrap, &events]),
    ];
    let events = clip
        .events
        .iter()
        .take(EVENTS_SHOWN)
        .map(|event| format!("{} at {}", show_name(&event.name), seconds(event.time)));
    let events: Vec<String> =
        events.chain((clip.events.len() > EVENTS_SHOWN).then(|| "…".to_owned())).collect();
    let events = (!events.is_empty()).then(|| events.join(", "));
    Row { cells, below: clip.facts.lines().chain(events).collect() }
}

fn state_row(state: &StateInfo) -> Row {
    let keys = state.keys.as_deref().unwrap_or_default();
    let names = |mut keys: &mut dyn Iterator<Item = &KeyInfo>| {
        let name = |key: &KeyInfo| key.state.as_deref().map_or("(undefined)".to_owned(), show_name);
        let shown: Vec<_> = (&mut keys).take(KEYS_SHOWN).map(name).collect();
        format!("{}{}", shown.join(", "), if keys.next().is_some() { ", …" } else { "" })
    };
    let exits = names(&mut keys.iter().filter(|key| key.exit));
    let length = state.duration.map_or(String::new(), seconds);
    let cells =
        vec![show_name(&state.name), state.motion.to_owned(), length, names(&mut keys.iter())];
    let mut below: Vec<String> = state.details.iter().take(KEYS_SHOWN).cloned().collect();
    below.extend((state.details.len() > KEYS_SHOWN).then(|| "…".to_owned()));
    below.extend((!keys.is_empty()).then(|| match exits.as_str() {
        "" => "can never be left".to_owned(),
        exits => format!("can only be left at: {exits}"),
    }));
    Row { cells, below }
}

fn mesh_row(mesh: &MeshInfo) -> Row {
    let elements = counts([
        (mesh.triangles, "triangle", "triangles"),
        (mesh.lines, "line", "lines"),
        (mesh.points, "point", "points"),
    ]);
    let morph = counts([(mesh.morph_targets, "morph target", "morph targets")]);
    vec![
        show_name(&mesh.name),
        count(mesh.vertices, "vertex", "vertices"),
        elements,
        join_nonempty([if mesh.skinned { "skinned" } else { "" }, &morph]),
    ]
    .into()
}

fn material_row(material: &MaterialInfo) -> Row {
    vec![show_name(&material.name), material.image.as_deref().map_or(String::new(), show_name)]
        .into()
}

fn camera_row(camera: &CameraInfo) -> Row {
    vec![show_name(&camera.name), format!("{:.1}° vertical field of view", camera.vertical_fov)]
        .into()
}

fn join_nonempty(texts: [&str; 2]) -> String {
    texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Returns the index and depth of each joint, in depth-first order.
fn depth_first(joints: &[JointInfo]) -> Vec<(usize, usize)> {
    let mut children: Vec<Vec<usize>> = joints.iter().map(|_| Vec::new()).collect();
    let mut open = Vec::new();
    for (index, joint) in joints.iter().enumerate().rev() {
        // Pushed in reverse, since joints are popped from the end.
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
