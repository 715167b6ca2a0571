//! Lists the files whose code multiplies content. Each must charge the budget of its operation
//! (`anim_ir::Budget`), and files that are not listed must not charge one.

use std::collections::BTreeSet;

use super::source::Source;

/// Each file that multiplies content, and the content it multiplies.
const PLACES: [(&str, &str); 62] = [
    ("anim-cast/src/curves.rs", "sampled keys"),
    ("anim-cli/src/info/report.rs", "events of overlapping clips"),
    ("anim-cli/src/migrate/creature.rs", "files that several animations share"),
    ("anim-cli/src/plan/split.rs", "files that are split and read again"),
    ("anim-cli/src/shared_budget.rs", "the files of `--split`"),
    ("anim-cli/src/play/log.rs", "happenings of short loops"),
    ("anim-cli/src/poses.rs", "printed poses"),
    ("anim-cli/src/render/frames.rs", "frames of loops"),
    ("anim-cli/src/render/picture.rs", "pictures of sheets"),
    ("anim-formats/src/split.rs", "keys and events of overlapping ranges"),
    ("anim-gltf/src/document.rs", "nodes and materials without content"),
    ("anim-gltf/src/read/source.rs", "shared and sparse accessors"),
    ("anim-gltf/src/write/animation/linear.rs", "linear keys in place of splines"),
    ("anim-gltf/src/write/animation/planner.rs", "channels, events and rest keys of clips"),
    ("anim-gltf/src/write/hierarchy/below.rs", "skins × joints"),
    ("anim-ir/src/model/transparency.rs", "compressed pixels"),
    ("anim-ir/src/ops/bake/baker.rs", "baked keys"),
    ("anim-ir/src/ops/diff/differ.rs", "compared samples"),
    ("anim-ir/src/ops/resample.rs", "resampled keys"),
    ("anim-preview/src/diagram/layers.rs", "arrows × layers"),
    ("anim-preview/src/diagram/svg.rs", "elements of diagrams"),
    ("anim-preview/src/geometry.rs", "triangles of repeated meshes"),
    ("anim-preview/src/raster.rs", "samples of overlapping triangles"),
    ("anim-preview/src/sheet.rs", "space around pictures"),
    ("anim-preview/src/stage.rs", "pixels"),
    ("anim-preview/src/texture.rs", "compressed pixels"),
    ("anim-viewer/src/model.rs", "the model as text in a page"),
    ("fmt-amo/src/from_ir.rs", "repeated meshes"),
    ("fmt-amo/src/from_ir/clips.rs", "sampled keys, poses"),
    ("fmt-amo/src/parser.rs", "objects, joints and animations of a few bytes"),
    ("fmt-anm-text/src/bind.rs", "joints of sets × animations"),
    ("fmt-anm-text/src/from_ir.rs", "joints × sets, events × sets"),
    ("fmt-bvh/src/from_ir.rs", "joints × frames"),
    ("fmt-castle/src/from_ir.rs", "stills"),
    ("fmt-stt/src/from_ir.rs", "joints × clips"),
    ("fmt-stt/src/from_ir/keyed.rs", "nodes × static states"),
    ("fmt-stt/src/from_ir/waves.rs", "nodes × clips"),
    ("fmt-tmd-anm/src/from_ir.rs", "objects × frames"),
    ("fmt-tmd-anm/src/to_ir.rs", "keys of overlapping frames"),
    ("model-x3d/src/animate.rs", "reused nodes, repeated frames"),
    ("model-x3d/src/animate/curves.rs", "shapes between frames"),
    ("model-x3d/src/animate/driven.rs", "keys of reused interpolators"),
    ("model-x3d/src/animate/joints.rs", "keys of long turns"),
    ("model-x3d/src/animate/mesh_pool.rs", "generated meshes"),
    ("model-x3d/src/animate/posed.rs", "poses of reused points"),
    ("model-x3d/src/animate/shapes.rs", "vertices × frames"),
    ("model-x3d/src/animate/skins.rs", "points × joints"),
    ("model-x3d/src/animate/stage.rs", "keys of reused nodes"),
    ("model-x3d/src/animate/walk.rs", "visits and names of reused nodes"),
    ("model-x3d/src/baked/extract.rs", "scenes that share nodes"),
    ("model-x3d/src/events/keyed.rs", "lines in place of splines"),
    ("model-x3d/src/events/spread.rs", "events of sensors × routes"),
    ("model-x3d/src/events/values.rs", "keys that chains of interpolators multiply"),
    ("model-x3d/src/format.rs", "sampled keys as text, compressed"),
    ("model-x3d/src/from_ir/clips.rs", "routes, vertices × keys"),
    ("model-x3d/src/from_ir/keys.rs", "lines in place of splines"),
    ("model-x3d/src/from_ir/skinned.rs", "vertices × samples"),
    ("model-x3d/src/geometry/read.rs", "points of extrusions"),
    ("model-x3d/src/loader/imports.rs", "routes to imported instances of prototypes"),
    ("model-x3d/src/make/nodes.rs", "nodes, and the meshes that skins bend"),
    ("model-x3d/src/prototypes/expand.rs", "copies of prototypes, and their routes"),
    ("model-x3d/src/writer/names.rs", "names as metadata"),
];

/// Files that charge for reading input: included and compressed files.
const INPUT: [&str; 2] = ["model-x3d/src/loader.rs", "model-x3d/src/parser.rs"];

pub(super) fn problems(sources: &[Source]) -> Vec<String> {
    let listed: BTreeSet<&str> = PLACES.iter().map(|(path, _)| *path).chain(INPUT).collect();
    let charging: BTreeSet<&str> = sources
        .iter()
        .filter(|source| source.is_compiled_in() && charges(&source.text))
        .filter_map(|source| source.path.strip_prefix("crates/"))
        .filter(|path| *path != "anim-ir/src/file/budget.rs")
        .collect();
    let forgotten = listed
        .difference(&charging)
        .map(|path| format!("crates/{path}: multiplies content, but does not charge a budget"));
    let unlisted = charging.difference(&listed).map(|path| {
        format!("crates/{path}: charges a budget, but is not listed in tidy/multiplication.rs")
    });
    forgotten.chain(unlisted).collect()
}

/// Whether the code charges a budget directly.
fn charges(text: &str) -> bool {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let calls =
        ["charge(", "charge_each(", "charge_each::<", "charge_work(", "list(", "list::<", "check("];
    let compact: String = code.split_whitespace().collect();
    calls.iter().any(|call| compact.contains(&format!("budget.{call}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_charges_and_no_other() {
        let source = |path: &str, text: &str| Source {
            path: format!("crates/{path}"),
            text: text.to_owned(),
        };
        let code = "self\n    .budget\n    .charge_each::<f32>(\"keys\", count)?;";
        let mut sources: Vec<Source> = PLACES.iter().map(|(path, _)| source(path, code)).collect();
        sources.extend(INPUT.map(|path| source(path, code)));
        assert_eq!(problems(&sources), Vec::<String>::new());
        sources[0].text = format!("fn keys() {{}}\n#[cfg(test)]\nmod tests {{ {code} }}");
        sources.push(source("fmt-x/src/new.rs", code));
        assert_eq!(
            problems(&sources),
            [
                "crates/anim-cast/src/curves.rs: multiplies content, but does not charge a budget",
                "crates/fmt-x/src/new.rs: charges a budget, but is not listed in \
                 tidy/multiplication.rs",
            ]
        );
    }
}
