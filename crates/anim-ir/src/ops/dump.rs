//! A scene as text, for snapshots and for curious people. Long arrays are shown by their head,
//! their length and a hash.

use std::fmt::{self, Write as _};

use crate::file::diag::escape;
use crate::math::linear::Transform;
use crate::model::axes::Axes;
use crate::model::extras::{Extras, Value};
use crate::model::mesh::{ImageSource, Mesh};
use crate::model::scene::Scene;
use crate::model::timeline::{Curve, Target, Timeline};
use crate::model::wave::Wave;

/// How much of an array is shown.
const HEAD: usize = 4;

/// The scene as indented text: all names and structure, the first few elements of each array, and a
/// hash of the whole of it.
pub fn dump(scene: &Scene) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_scene(&mut out, scene);
    out
}

fn write_scene(out: &mut String, scene: &Scene) -> fmt::Result {
    let axes = if scene.axes == Axes::default() {
        String::new()
    } else {
        format!(" ({})", scene.axes.name())
    };
    writeln!(out, "scene {}{axes}", name(&scene.name))?;
    write_extras(out, 1, &scene.extras)?;
    for (at, skeleton) in scene.skeletons.iter().enumerate() {
        let kind = if skeleton.bones { "" } else { " (nodes)" };
        writeln!(
            out,
            "skeleton {at} {}{kind}: {} joints",
            name(&skeleton.name),
            skeleton.joints.len()
        )?;
        for (index, joint) in skeleton.joints.iter().enumerate() {
            let parent = joint.parent.map_or("-".to_owned(), |parent| parent.to_string());
            write!(
                out,
                "  {index} {} parent {parent} source {}",
                name(&joint.name),
                joint.source_index
            )?;
            if joint.rest != Transform::IDENTITY {
                write!(out, " rest {}", transform(&joint.rest))?;
            }
            if let Some(exact) = joint.exact_rest {
                write!(out, " exact {}", numbers(&exact.to_columns()))?;
            }
            if !joint.visible {
                write!(out, " hidden")?;
            }
            writeln!(out)?;
            write_extras(out, 2, &joint.extras)?;
        }
    }
    for (at, timeline) in scene.timelines.iter().enumerate() {
        write_timeline(out, at, timeline)?;
    }
    for (at, clip) in scene.clips.iter().enumerate() {
        write!(
            out,
            "clip {at} {} timeline {} {}..{} {}",
            name(&clip.name),
            clip.timeline,
            number(clip.start),
            number(clip.end),
            clip.wrap.name()
        )?;
        if let Some(joints) = &clip.joints {
            write!(out, " joints {joints:?}")?;
        }
        writeln!(out)?;
        write_extras(out, 1, &clip.extras)?;
    }
    for (at, mesh) in scene.meshes.iter().enumerate() {
        write_mesh(out, at, mesh)?;
    }
    for (at, skin) in scene.skins.iter().enumerate() {
        let bind: Vec<f32> =
            skin.inverse_bind.iter().flat_map(|matrix| matrix.to_columns()).collect();
        writeln!(out, "skin {at} skeleton {} joints {}", skin.skeleton, list(skin.joints.iter()))?;
        write_array(out, "inverse_bind", 16, &bind)?;
    }
    for (at, node) in scene.nodes.iter().enumerate() {
        write!(out, "node {at} {}", name(&node.name))?;
        for (what, index) in [("mesh", node.mesh), ("skin", node.skin), ("camera", node.camera)] {
            if let Some(index) = index {
                write!(out, " {what} {index}")?;
            }
        }
        if let Some((skeleton, joint)) = node.parent {
            write!(out, " on joint {joint} of skeleton {skeleton}")?;
        }
        if node.transform != Transform::IDENTITY {
            write!(out, " {}", transform(&node.transform))?;
        }
        writeln!(out)?;
        write_extras(out, 1, &node.extras)?;
    }
    for (at, camera) in scene.cameras.iter().enumerate() {
        write!(
            out,
            "camera {at} {} fov {} near {}",
            name(&camera.name),
            number(camera.vertical_fov),
            number(camera.near)
        )?;
        for (what, value) in [("aspect", camera.aspect), ("far", camera.far)] {
            if let Some(value) = value {
                write!(out, " {what} {}", number(value))?;
            }
        }
        writeln!(out)?;
        write_extras(out, 1, &camera.extras)?;
    }
    for (at, material) in scene.materials.iter().enumerate() {
        write!(
            out,
            "material {at} {} color {}",
            name(&material.name),
            numbers(&material.base_color)
        )?;
        if material.emissive != [0.0; 3] {
            write!(out, " emissive {}", numbers(&material.emissive))?;
        }
        if let Some(image) = material.base_color_image {
            write!(out, " image {image}")?;
        }
        writeln!(
            out,
            "{}{}",
            if material.double_sided { "" } else { " one-sided" },
            if material.unlit { " unlit" } else { "" }
        )?;
        write_extras(out, 1, &material.extras)?;
    }
    for (at, image) in scene.images.iter().enumerate() {
        match &image.source {
            ImageSource::Path(path) => {
                writeln!(out, "image {at} {} path {}", name(&image.name), name(path))?
            }
            ImageSource::Embedded { mime_type, bytes } => {
                writeln!(out, "image {at} {} {mime_type} {} bytes", name(&image.name), bytes.len())?
            }
        }
    }
    Ok(())
}

fn write_timeline(out: &mut String, at: usize, timeline: &Timeline) -> fmt::Result {
    writeln!(
        out,
        "timeline {at} {} skeleton {} {:?} {:?}",
        name(&timeline.name),
        timeline.skeleton,
        timeline.time_base,
        timeline.pose_space
    )?;
    for track in timeline.tracks() {
        let target = match track.target {
            Target::Joint(joint) => format!("joint {joint}"),
            Target::Node(node) => format!("node {node}"),
        };
        if let Curve::Wave(Wave { shape, backwards, start, end, period, offset }) = &track.curve {
            let way = if *backwards { " backwards" } else { "" };
            let (shape, period, offset) = (shape.name(), number(*period), number(*offset));
            writeln!(
                out,
                "  {target} {} {shape}{way} from {} to {} in {period} s, offset {offset} s",
                track.channel.name(),
                numbers(start),
                numbers(end)
            )?;
            continue;
        }
        let keys = timeline.keys(track);
        writeln!(
            out,
            "  {target} {} {:?}: {} keys",
            track.channel.name(),
            keys.interpolation,
            keys.times.len()
        )?;
        for (time, value) in keys.times.iter().zip(keys.values()).take(HEAD) {
            writeln!(out, "    {} {}", number(*time), numbers(value))?;
        }
        if keys.times.len() > HEAD {
            let all: Vec<f32> = keys
                .times
                .iter()
                .zip(keys.values())
                .flat_map(|(time, value)| [*time].into_iter().chain(value.iter().copied()))
                .collect();
            writeln!(out, "    … hash {:016x}", hash(bytemuck::cast_slice(&all)))?;
        }
    }
    for event in &timeline.events {
        writeln!(out, "  event {} {}", number(event.time), name(&event.name))?;
        write_extras(out, 2, &event.payload)?;
    }
    Ok(())
}

fn write_mesh(out: &mut String, at: usize, mesh: &Mesh) -> fmt::Result {
    writeln!(out, "mesh {at} {}: {} vertices", name(&mesh.name), mesh.positions.len())?;
    write_array(out, "positions", 3, bytemuck::cast_slice(&mesh.positions))?;
    write_array(out, "normals", 3, bytemuck::cast_slice(&mesh.normals))?;
    write_array(out, "texcoords", 2, bytemuck::cast_slice(&mesh.texcoords))?;
    write_array(out, "colors", 4, bytemuck::cast_slice(&mesh.colors))?;
    let influences = &mesh.influences;
    if influences.per_vertex > 0 {
        let joints: Vec<String> = influences
            .joints
            .chunks(influences.per_vertex)
            .take(HEAD)
            .map(|row| list(row.iter()))
            .collect();
        writeln!(out, "  joints × {}: {}", influences.per_vertex, joints.join(" | "))?;
        write_array(out, "weights", influences.per_vertex, &influences.weights)?;
    }
    for target in &mesh.morph_targets {
        writeln!(out, "  morph target {}", name(&target.name))?;
        write_array(out, "  positions", 3, bytemuck::cast_slice(&target.positions))?;
        write_array(out, "  normals", 3, bytemuck::cast_slice(&target.normals))?;
    }
    for part in &mesh.primitives {
        let material = part.material.map_or("-".to_owned(), |material| material.to_string());
        let head = list(part.indices.iter().take(HEAD * 3));
        let more = if part.indices.len() > HEAD * 3 {
            format!(" … hash {:016x}", hash(bytemuck::cast_slice(&part.indices)))
        } else {
            String::new()
        };
        writeln!(
            out,
            "  {:?} × {} material {material}: {head}{more}",
            part.topology,
            part.indices.len() / part.topology.corners()
        )?;
    }
    write_extras(out, 1, &mesh.extras)
}

fn write_array(out: &mut String, what: &str, width: usize, values: &[f32]) -> fmt::Result {
    if values.is_empty() {
        return Ok(());
    }
    let rows: Vec<String> = values.chunks(width).take(HEAD).map(numbers).collect();
    let count = values.len() / width.max(1);
    let more = if count > HEAD {
        format!(" … hash {:016x}", hash(bytemuck::cast_slice(values)))
    } else {
        String::new()
    };
    writeln!(out, "  {what} × {count}: {}{more}", rows.join(" | "))
}

fn write_extras(out: &mut String, depth: usize, extras: &Extras) -> fmt::Result {
    for (key, value) in extras {
        writeln!(
            out,
            "{:width$}extra {} = {}",
            "",
            name(key),
            show(value),
            width = depth.saturating_mul(2)
        )?;
    }
    Ok(())
}

/// Values nest only as deep as a format crate builds them.
fn show(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => name(text),
        Value::List(values) if values.len() > 16 => {
            format!(
                "[{}, … {} in all]",
                values.iter().take(HEAD).map(show).collect::<Vec<_>>().join(", "),
                values.len()
            )
        }
        Value::List(values) => {
            format!("[{}]", values.iter().map(show).collect::<Vec<_>>().join(", "))
        }
        Value::Map(map) => {
            format!(
                "{{{}}}",
                map.iter()
                    .map(|(key, value)| format!("{}: {}", escape(key), show(value)))
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        }
    }
}

fn name(text: &str) -> String {
    format!("\"{}\"", escape(text))
}

/// Six decimals at most: enough to see, stable under the last bit.
fn number(value: f32) -> String {
    let text = format!("{value:.6}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn numbers(values: &[f32]) -> String {
    values.iter().map(|value| number(*value)).collect::<Vec<_>>().join(" ")
}

fn list<T: fmt::Display>(values: impl Iterator<Item = T>) -> String {
    values.map(|value| value.to_string()).collect::<Vec<_>>().join(" ")
}

fn transform(t: &Transform) -> String {
    format!(
        "t({}) r({}) s({})",
        numbers(&t.translation.to_array()),
        numbers(&t.rotation.to_array()),
        numbers(&t.scale.to_array())
    )
}

/// FNV-1a: for telling arrays apart, nothing more.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
