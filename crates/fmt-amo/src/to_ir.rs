//! Converts a document to a scene.

mod animations;
mod cloud;
pub(crate) mod meshes;
mod skeleton;
mod vertices;

use anim_ir::diag::plural;
use anim_ir::{
    Converted, Diagnostics, Image, Material, PoseSpace, Scene, Span, StatedUp, Value, insert_all,
    number::parse_f32,
};

use crate::codes;
use crate::dialect::Dialect;
use crate::document::Document;
use crate::mtl::MaterialLibrary;
use crate::tokens::{decode, spans, to_end};

/// The interpretation of key values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyReading {
    /// Deltas from the rest pose if the file contains rest matrices, otherwise transforms relative
    /// to the parent.
    #[default]
    Auto,
    /// The joint's transform relative to its parent.
    ParentRelative,
    /// A delta from the rest pose: local = rest · T · R.
    DeltaFromRest,
}

anim_ir::named!(KeyReading, "interpretation of keys", {
    Auto => "auto",
    ParentRelative => "parent",
    DeltaFromRest => "delta",
});

anim_ir::options! {
    /// Options for converting a document to a scene.
    pub struct ToIr {
        /// The interpretation of key values.
        keys (with_keys): KeyReading = KeyReading::Auto,
            choice("amo-keys", KeyReading::NAMES, Some("auto"),
                "How to interpret the values of keys");
        /// The materials from the document's libraries. All other materials have only a name.
        materials (with_materials): MaterialLibrary = MaterialLibrary::default();
    }
}

/// Converts the document's joints, animations, meshes and materials.
///
/// Times are converted to seconds and colours to linear, quaternions and weights are normalised,
/// keys are sorted (if two have the same time, the last one is kept), polygons are triangulated,
/// and texture coordinates are flipped so that v points down. Axes and normals are not changed.
/// Data that a scene cannot represent is stored in extras under `amo`, or reported.
pub fn to_ir(document: &Document<'_>, options: &ToIr) -> Converted<Scene> {
    let mut losses = Diagnostics::new();
    let mut scene = Scene { up: stated_up(document), ..Scene::default() };
    let joints = skeleton::skeleton(document, &mut scene, &mut losses);
    let pose_space = pose_space(document, options.keys);
    for animation in document.animations() {
        animations::animation(document, animation, pose_space, &joints, &mut scene);
    }
    materials(document, &options.materials, &mut scene, &mut losses);
    let listed_groups = if cloud::is_cloud(document) {
        cloud::add(document, &mut scene, &mut losses);
        0
    } else {
        meshes::meshes(document, &joints, &options.limits, &mut scene, &mut losses)
    };
    scene.extras.insert("amo".to_owned(), extras(document));
    small_losses(document, listed_groups, &mut losses);
    Converted { value: scene, losses }
}

/// Returns the up axis implied by the dialect and the statements that came with it. Files of the
/// Vasall engine have been z-up since October 2020; older files have neither rest matrices nor the
/// engine's own statements.
fn stated_up(document: &Document<'_>) -> StatedUp {
    let has_rest = || document.joints().iter().any(|joint| joint.rest.is_some());
    match document.dialect() {
        Dialect::Counted => StatedUp::Z("files of this dialect are z-up"),
        Dialect::Lines if has_rest() => {
            StatedUp::Z("files of this dialect with rest matrices are z-up; older ones do not say")
        }
        Dialect::Lines if !document.kept().is_empty() => {
            StatedUp::Z("files of this dialect with boxes or hooks are z-up; older ones do not say")
        }
        _ => StatedUp::Nowhere,
    }
}

fn pose_space(document: &Document<'_>, keys: KeyReading) -> PoseSpace {
    match keys {
        KeyReading::ParentRelative => PoseSpace::ParentRelative,
        KeyReading::DeltaFromRest => PoseSpace::DeltaFromRest,
        KeyReading::Auto if document.joints().iter().any(|joint| joint.rest.is_some()) => {
            PoseSpace::DeltaFromRest
        }
        KeyReading::Auto => PoseSpace::ParentRelative,
    }
}

fn materials(
    document: &Document<'_>,
    library: &MaterialLibrary,
    scene: &mut Scene,
    losses: &mut Diagnostics,
) {
    let spans = document.content.material_spans.iter().copied().map(Some);
    library.add_to(scene, document.materials().iter().map(String::as_str).zip(spans), losses);
    let Some(path) = &document.content.texture else { return };
    // The draft's `t` applies to all meshes.
    let image = scene.add_image(Image::at(path.replace('\\', "/")));
    if scene.materials.is_empty() {
        scene.add_material(Material::new(path));
    }
    for material in &mut scene.materials {
        material.base_color_image = material.base_color_image.or(Some(image));
    }
}

/// Returns the dialect and the lines that are not converted. Consecutive lines with the same
/// keyword form one entry.
fn extras(document: &Document<'_>) -> Value {
    let mut amo = vec![("dialect".to_owned(), Value::from(document.dialect().name()))];
    let runs = document.kept().chunk_by(|a, b| (a.keyword, a.object) == (b.keyword, b.object));
    let entries = runs.filter_map(|run| {
        let first = run.first()?;
        let rows = run.iter().map(|kept| kept_row(document, kept.arguments)).collect();
        let mut map = vec![
            ("keyword".to_owned(), Value::from(first.keyword)),
            ("rows".to_owned(), Value::List(rows)),
        ];
        if let Some(object) = first.object.and_then(|object| document.objects().get(object)) {
            map.push(("object".to_owned(), Value::from(object.name.as_str())));
        }
        Some(Value::Map(map.into_iter().collect()))
    });
    let entries: Vec<Value> = entries.collect();
    if !entries.is_empty() {
        amo.push(("statements".to_owned(), Value::List(entries)));
    }
    Value::Map(insert_all(amo))
}

/// Returns the arguments as numbers if all of them are numbers, otherwise as text.
fn kept_row(document: &Document<'_>, arguments: Span) -> Value {
    let text = document.source().get(arguments.start..arguments.end).unwrap_or_default();
    let numbers: Result<Vec<f32>, _> =
        spans(text).map(|token| parse_f32(text.get(token).unwrap_or_default())).collect();
    match numbers {
        Ok(numbers) => numbers.into_iter().collect(),
        Err(_) => {
            Value::from(decode(text.get(to_end(text)).unwrap_or_default(), document.content.latin1))
        }
    }
}

fn small_losses(document: &Document<'_>, listed_groups: usize, losses: &mut Diagnostics) {
    let content = &document.content;
    let ignored = usize::try_from(content.vertices.ignored_components).unwrap_or(usize::MAX);
    losses.lost(&codes::LOSS_COORDINATE, ignored > 0, || {
        format!("{} (`v` or `vt`) with a component that is not converted", plural(ignored, "line"))
    });
    losses.lost(&codes::LOSS_SMOOTHING, content.smoothing, || {
        "smoothing groups are dropped; normals are kept".to_owned()
    });
    let groups = content.groups.len();
    losses.lost(&codes::LOSS_GROUPS, groups > 0, || {
        let all = plural(groups, "group");
        match listed_groups {
            0 => format!("{all} (`g`) without faces dropped"),
            listed if listed == groups => {
                format!("{all} (`g`) listed by name in the meshes' extras")
            }
            listed => format!("{all} (`g`), {listed} of them listed by name in the meshes' extras"),
        }
    });
}
