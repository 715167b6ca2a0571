//! Plain-text dump of a scene, for snapshots and debugging. Most long arrays are abbreviated to the
//! first elements, the length and a hash.

use std::fmt::{self, Write as _};

use crate::file::diag::escape;
use crate::{
    AlphaMode, Axes, Camera, CameraId, Clip, ClipId, Curve, Extras, JointRef, Material, MaterialId,
    Mesh, MeshId, Node, NodeId, Primitive, Scene, Skeleton, SkeletonId, SkinId, Timeline,
    TimelineId, Transform, Value, Wave,
};

/// The number of elements of a long array to show.
const HEAD: usize = 4;

/// Dumps the scene as indented text: all names, the structure, and the first few elements of each
/// array, with a hash of longer arrays. State machines are omitted.
pub fn dump(scene: &Scene) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_scene(&mut out, scene);
    out
}

fn write_scene(out: &mut String, scene: &Scene) -> fmt::Result {
    write!(out, "scene {}", name(&scene.name))?;
    if scene.axes != Axes::default() {
        write!(out, " ({})", scene.axes)?;
    }
    writeln!(out)?;
    write_extras(out, 1, &scene.extras)?;
    for (id, skeleton) in scene.enumerate_skeletons() {
        write_skeleton(out, id, skeleton)?;
    }
    for (id, timeline) in scene.enumerate_timelines() {
        write_timeline(out, id, timeline)?;
    }
    for (id, clip) in scene.enumerate_clips() {
        write_clip(out, id, clip)?;
    }
    for (id, mesh) in scene.enumerate_meshes() {
        write_mesh(out, id, mesh)?;
    }
    for (id, skin) in scene.enumerate_skins() {
        let bind: Vec<f32> =
            skin.inverse_bind.iter().flat_map(|matrix| matrix.to_columns()).collect();
        writeln!(out, "skin {id} skeleton {} joints {}", skin.skeleton, list(" ", &skin.joints))?;
        write_array(out, "inverse_bind", 16, &bind)?;
    }
    for (id, node) in scene.enumerate_nodes() {
        write_node(out, id, node)?;
    }
    for (id, camera) in scene.enumerate_cameras() {
        write_camera(out, id, camera)?;
    }
    for (id, material) in scene.enumerate_materials() {
        write_material(out, id, material)?;
    }
    for (id, image) in scene.enumerate_images() {
        write!(out, "image {id} {}", name(&image.name))?;
        if let Some(path) = &image.path {
            write!(out, " path {}", name(path))?;
        }
        if let Some(bytes) = &image.bytes {
            let kind = image.mime_type().unwrap_or("unknown type");
            write!(out, " {kind} {} bytes", bytes.len())?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn write_skeleton(out: &mut String, id: SkeletonId, skeleton: &Skeleton) -> fmt::Result {
    let kind = if skeleton.bones { "" } else { " (nodes)" };
    let (own, count) = (name(&skeleton.name), skeleton.joints.len());
    writeln!(out, "skeleton {id} {own}{kind}: {count} joints")?;
    for (id, joint) in skeleton.enumerate_joints() {
        let parent = joint.parent.map_or("-".to_owned(), |parent| parent.to_string());
        write!(out, "  {id} {} parent {parent} source {}", name(&joint.name), joint.source_index)?;
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
    Ok(())
}

fn write_clip(out: &mut String, id: ClipId, clip: &Clip) -> fmt::Result {
    let Clip { timeline, wrap, .. } = clip;
    let (start, end) = (number(clip.start), number(clip.end));
    write!(out, "clip {id} {} timeline {timeline} {start}..{end} {wrap}", name(&clip.name))?;
    if let Some(joints) = &clip.joints {
        write!(out, " joints {{{}}}", list(", ", joints))?;
    }
    write_group(out, clip.group.as_deref())?;
    writeln!(out)?;
    write_extras(out, 1, &clip.extras)
}

fn write_group(out: &mut String, group: Option<&str>) -> fmt::Result {
    group.map_or(Ok(()), |group| write!(out, " group {}", name(group)))
}

fn write_node(out: &mut String, id: NodeId, node: &Node) -> fmt::Result {
    write!(out, "node {id} {}", name(&node.name))?;
    let parts = [
        ("mesh", node.mesh.map(MeshId::index)),
        ("skin", node.skin.map(SkinId::index)),
        ("camera", node.camera.map(CameraId::index)),
    ];
    for (what, index) in parts {
        if let Some(index) = index {
            write!(out, " {what} {index}")?;
        }
    }
    if let Some(JointRef { skeleton, joint }) = node.parent {
        write!(out, " on joint {joint} of skeleton {skeleton}")?;
    }
    if node.transform != Transform::IDENTITY {
        write!(out, " {}", transform(&node.transform))?;
    }
    writeln!(out)?;
    write_extras(out, 1, &node.extras)
}

fn write_camera(out: &mut String, id: CameraId, camera: &Camera) -> fmt::Result {
    let (fov, near) = (number(camera.vertical_fov), number(camera.near));
    write!(out, "camera {id} {} fov {fov} near {near}", name(&camera.name))?;
    for (what, value) in [("aspect", camera.aspect), ("far", camera.far)] {
        if let Some(value) = value {
            write!(out, " {what} {}", number(value))?;
        }
    }
    writeln!(out)?;
    write_extras(out, 1, &camera.extras)
}

fn write_material(out: &mut String, id: MaterialId, material: &Material) -> fmt::Result {
    let color = numbers(&material.base_color);
    write!(out, "material {id} {} color {color}", name(&material.name))?;
    if material.emissive != [0.0; 3] {
        write!(out, " emissive {}", numbers(&material.emissive))?;
    }
    let names = ["image", "emissive image", "metallic image", "normal image", "occlusion image"];
    for (what, image) in names.into_iter().zip(material.images()) {
        if let Some(image) = image {
            write!(out, " {what} {image}")?;
        }
    }
    if material.metallic != 0.0 {
        write!(out, " metallic {}", number(material.metallic))?;
    }
    match material.alpha_mode {
        AlphaMode::Colors => {}
        AlphaMode::Texture => out.push_str(" alpha by texture"),
        AlphaMode::Blend => out.push_str(" blended"),
        AlphaMode::Mask(cutoff) => write!(out, " mask {}", number(cutoff))?,
    }
    let sides = if material.double_sided { "" } else { " one-sided" };
    let unlit = if material.unlit { " unlit" } else { "" };
    writeln!(out, "{sides}{unlit}")?;
    write_extras(out, 1, &material.extras)
}

fn write_timeline(out: &mut String, id: TimelineId, timeline: &Timeline) -> fmt::Result {
    let Timeline { skeleton, time_base, pose_space, .. } = timeline;
    let own = name(&timeline.name);
    writeln!(out, "timeline {id} {own} skeleton {skeleton} {time_base:?} {pose_space:?}")?;
    for track in timeline.tracks() {
        write!(out, "  {} {} ", track.target, track.channel)?;
        if let Curve::Wave(Wave { shape, backwards, start, end, period, offset }) = &track.curve {
            let way = if *backwards { " backwards" } else { "" };
            let (start, end) = (numbers(start), numbers(end));
            let (period, offset) = (number(*period), number(*offset));
            writeln!(out, "{shape}{way} from {start} to {end} in {period} s, offset {offset} s")?;
            continue;
        }
        let keys = timeline.keys(track);
        writeln!(out, "{:?}: {} keys", keys.interpolation, keys.times.len())?;
        let rows = keys.times.iter().zip(keys.values());
        for (time, value) in rows.clone().take(HEAD) {
            writeln!(out, "    {} {}", number(*time), numbers(value))?;
        }
        if keys.times.len() > HEAD {
            let all: Vec<f32> = rows.flat_map(|(time, value)| [&[*time], value].concat()).collect();
            writeln!(out, "   {}", hash_of(&all))?;
        }
    }
    for event in &timeline.events {
        write!(out, "  event {} {}", number(event.time), name(&event.name))?;
        write_group(out, event.group.as_deref())?;
        writeln!(out)?;
        write_extras(out, 2, &event.payload)?;
    }
    Ok(())
}

fn write_mesh(out: &mut String, id: MeshId, mesh: &Mesh) -> fmt::Result {
    writeln!(out, "mesh {id} {}: {} vertices", name(&mesh.name), mesh.positions.len())?;
    write_array(out, "positions", 3, bytemuck::cast_slice(&mesh.positions))?;
    write_array(out, "normals", 3, bytemuck::cast_slice(&mesh.normals))?;
    write_array(out, "texcoords", 2, bytemuck::cast_slice(&mesh.texcoords))?;
    write_array(out, "colors", 4, bytemuck::cast_slice(&mesh.colors))?;
    let influences = &mesh.influences;
    if influences.per_vertex > 0 {
        let rows = influences.joints.chunks(influences.per_vertex).take(HEAD);
        let joints = list(" | ", rows.map(|row| list(" ", row)));
        writeln!(out, "  joints × {}: {joints}", influences.per_vertex)?;
        write_array(out, "weights", influences.per_vertex, &influences.weights)?;
    }
    for target in &mesh.morph_targets {
        writeln!(out, "  morph target {}", name(&target.name))?;
        write_array(out, "  positions", 3, bytemuck::cast_slice(&target.positions))?;
        write_array(out, "  normals", 3, bytemuck::cast_slice(&target.normals))?;
    }
    for part in &mesh.primitives {
        let Primitive { topology, indices, material } = part;
        let material = material.map_or("-".to_owned(), |material| material.to_string());
        let (count, head) = (indices.len() / topology.corners(), indices.iter().take(HEAD * 3));
        let more = if indices.len() > HEAD * 3 { hash_of(indices) } else { String::new() };
        writeln!(out, "  {topology:?} × {count} material {material}: {}{more}", list(" ", head))?;
    }
    write_extras(out, 1, &mesh.extras)
}

fn write_array(out: &mut String, what: &str, width: usize, values: &[f32]) -> fmt::Result {
    if values.is_empty() {
        return Ok(());
    }
    let rows = list(" | ", values.chunks(width).take(HEAD).map(numbers));
    let count = values.len() / width.max(1);
    let more = if count > HEAD { hash_of(values) } else { String::new() };
    writeln!(out, "  {what} × {count}: {rows}{more}")
}

fn write_extras(out: &mut String, depth: usize, extras: &Extras) -> fmt::Result {
    for (key, value) in extras {
        let indent = "  ".repeat(depth);
        writeln!(out, "{indent}extra {} = {}", name(key), show(value))?;
    }
    Ok(())
}

/// Formats a value. Recursion is bounded, since values are only nested as deeply as format crates
/// build them.
fn show(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => name(text),
        Value::List(values) if values.len() > 16 => {
            let head = list(", ", values.iter().take(HEAD).map(show));
            format!("[{head}, … {} in all]", values.len())
        }
        Value::List(values) => format!("[{}]", list(", ", values.iter().map(show))),
        Value::Map(map) => {
            let entry =
                |(key, value): (&String, &Value)| format!("{}: {}", escape(key), show(value));
            format!("{{{}}}", list(", ", map.iter().map(entry)))
        }
    }
}

fn name(text: &str) -> String {
    format!("\"{}\"", escape(text))
}

/// Formats a number with at most six decimals, which hides differences in the last bit.
fn number(value: f32) -> String {
    let text = format!("{value:.6}");
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn numbers(values: &[f32]) -> String {
    list(" ", values.iter().map(|value| number(*value)))
}

fn list<T: fmt::Display>(between: &str, values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join(between)
}

fn transform(t: &Transform) -> String {
    let [translation, scale] = [t.translation, t.scale].map(|v| numbers(&v.to_array()));
    format!("t({translation}) r({}) s({scale})", numbers(&t.rotation.to_array()))
}

/// Returns the FNV-1a hash of all elements of a long array, to detect differences in the elements
/// not shown.
fn hash_of(values: &[impl bytemuck::Pod]) -> String {
    let bytes: &[u8] = bytemuck::cast_slice(values);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!(" … hash {hash:016x}")
}
