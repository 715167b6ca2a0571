//! glTF as an input of every command, and as the model that other files animate.

use std::fs;

use serde_json::{Value, json};
use test_oracle::anm_text::generate;
use test_oracle::math::{Mat4, mul, rotation, transform_point, translation};
use test_oracle::stt::{self, Order};
use test_oracle::{amo, castle, compare, glb};

use crate::program::{Folder, animfmt, assert_runs, distance, joint, list, local};
use crate::puppet::Puppet;

/// Returns a folder with an animated puppet.
fn puppet(interpolation: &'static str) -> Folder {
    let folder = Folder::new();
    folder.write("puppet.glb", Puppet::sparse(interpolation).glb());
    folder
}

/// Times in the puppet's take: before, at and after its keys.
const MOMENTS: [f64; 6] = [0.0, 0.3, 1.0, 1.77, 3.5, 9.0];

#[test]
fn info_shows_the_contents() {
    assert_runs!(
        "gltf_info",
        [
            "info ../gltf/ok/skin.gltf",
            "info ../gltf/ok/two_animations.gltf",
            "info ../gltf/ok/two_armatures.gltf",
            "info ../gltf/ok/camera.gltf",
            "info ../gltf/ok/weights_float.gltf",
            "info ../gltf/ok/material.gltf",
            "info ../gltf/err/cycle.gltf",
            "info ../gltf/err/path.gltf"
        ]
        .map(animfmt)
    );
    let folder = puppet("LINEAR");
    let info = folder.info("puppet.glb");
    let clip = &info["clips"][0];
    assert_eq!([&clip["name"], &info["format"]], ["take", "gltf"]);
    assert_eq!(clip["tracks"], 20);
}

#[test]
fn problems_are_shown() {
    let names = [
        "accessor_beyond_view",
        "animated_node_missing",
        "buffer_missing",
        "buffer_short",
        "cycle",
        "ext_meshopt_compression",
        "interpolation",
        "key_nan",
        "no_asset",
        "no_header",
        "no_keys",
        "path",
        "skin_without_joints",
        "times_stand_still",
        "two_parents",
        "version_1",
    ];
    assert_runs!("gltf_check", names.map(|name| animfmt(format!("check ../gltf/err/{name}.gltf"))));
}

/// A GLB that is truncated, too long or has a wrong length in its header is rejected as a whole,
/// and nothing is written.
#[test]
fn broken_glbs() {
    let folder = puppet("LINEAR");
    let whole = folder.read("puppet.glb");
    let mut longer = whole.clone();
    longer[8] ^= 0x10;
    let mut chunk = whole.clone();
    chunk[15] = 0x7f;
    for (name, bytes) in [
        ("empty", &whole[..0]),
        ("magic", &whole[..4]),
        ("head", &whole[..20]),
        ("half", &whole[..whole.len() / 2]),
        ("length", &longer),
        ("chunk", &chunk),
    ] {
        folder.write(&format!("{name}.glb"), bytes);
        for command in ["check", "info", "sample --at 0", "convert -o x.amo"] {
            let run = folder.run(&format!("{command} {name}.glb")).exits(1);
            let output = if command == "check" { run.output() } else { run.stderr().to_owned() };
            assert!(output.contains(&format!("error: {name}.glb: ")), "{command} {name}: {output}");
        }
    }
    assert!(!folder.path("x.amo").exists());
}

/// Returns the world positions of the puppet's bones, from the relative transforms printed by
/// `sample`.
fn sampled(sample: &Value) -> Vec<Mat4> {
    let mut places: Vec<Mat4> = Vec::new();
    for bone in generate::puppet().bones {
        let local = local(joint(sample, &bone.name));
        // Parents come first in the puppet.
        places.push(bone.parent.map_or(local, |parent| mul(&places[parent], &local)));
    }
    places
}

#[test]
fn samples_match_another_reader() {
    for interpolation in ["STEP", "LINEAR", "CUBICSPLINE"] {
        let folder = puppet(interpolation);
        let at = MOMENTS.map(|t| t.to_string()).join(",");
        let samples = folder.run(&format!("sample puppet.glb --at {at}")).exits(0).only("sample");
        let model = folder.model("puppet.glb");
        for (t, sample) in MOMENTS.into_iter().zip(list(&samples["samples"])) {
            for (bone, found) in generate::puppet().bones.iter().zip(sampled(sample)) {
                let expected = model.node_world(Some(0), &bone.name, t);
                let far = distance(&found, &expected);
                assert!(far < 1e-5, "{interpolation}: {} at {t}: {far}", bone.name);
            }
        }
    }
}

/// Returns the positions of the corners of a model's triangles.
fn corners(model: &glb::Model, t: f64) -> Vec<[f64; 3]> {
    model.triangles_at(Some(0), t).into_flattened()
}

#[track_caller]
fn assert_near(found: &[[f64; 3]], expected: &[[f64; 3]], tolerance: f64, label: &str) {
    assert!(!expected.is_empty());
    let far = compare::max_distance_between_sets(found, expected);
    assert!(far < tolerance, "{label}: {far}");
}

/// Converting glTF to glTF, as one file or two, preserves the content, including all keys.
#[test]
fn to_gltf_again() {
    for interpolation in ["STEP", "LINEAR", "CUBICSPLINE"] {
        let folder = puppet(interpolation);
        folder.run("convert puppet.glb -o one.glb").exits(0);
        folder.run("convert puppet.glb -o two.gltf").exits(0);
        let before = folder.model("puppet.glb");
        let two = glb::read_parts(&folder.read("two.gltf"), &folder.read("two.bin"));
        for after in [folder.model("one.glb"), two] {
            assert_eq!(
                (after.animation_names(), after.key_times(0)),
                (before.animation_names(), before.key_times(0))
            );
            for t in MOMENTS {
                assert_near(&corners(&after, t), &corners(&before, t), 1e-6, interpolation);
            }
        }
        let json = folder.glb_json("one.glb");
        let names = [&json["meshes"][0]["name"], &json["materials"][0]["name"]];
        assert_eq!(names, ["sleeve", "cloth"]);
        // Reading and writing the output again yields the same bytes.
        folder.run("convert one.glb -o again.glb").exits(0);
        assert_eq!(folder.read("again.glb"), folder.read("one.glb"));
    }
}

/// Animated OBJ has only linear interpolation; at keys, the pose matches the model's.
#[test]
fn to_animated_obj() {
    let folder = puppet("LINEAR");
    folder.run("convert puppet.glb -o puppet.amo").exits(0);
    let model = folder.model("puppet.glb");
    let written = amo::read(&folder.read("puppet.amo"), amo::Dialect::Spec);
    assert_eq!(written.clips.len(), 1);
    for frame in [0, 9, 36, 90] {
        let t = f64::from(frame as f32 / 24.0);
        let found = written.face_corners_at(0, t).concat();
        assert_near(&found, &corners(&model, t), 1e-4, &format!("frame {frame}"));
    }
}

/// Each frame matches the model at the time of the frame.
#[test]
fn to_castle_anim_frames() {
    let folder = puppet("LINEAR");
    folder.run("convert puppet.glb -o puppet.kanim --fps 10").exits(0);
    let model = folder.model("puppet.glb");
    let text = folder.read("puppet.kanim");
    let movie = castle::read(&text, &|name| panic!("the output refers to {name}"));
    for frame in [0, 7, 21, 40] {
        let t = f64::from(frame) / 10.0;
        let found = movie.animations[0].corners_at(t);
        assert_near(&found, &corners(&model, t), 1e-3, &format!("{t} s"));
    }
}

/// The buffer of a `.gltf` must be in the file's folder or below it.
#[test]
fn buffers_beside_the_file() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("in/below")).unwrap();
    let (_, bin) = Puppet::sparse("LINEAR").gltf("");
    let link = folder.path("in/link.bin");
    for name in ["outside.bin", "in/beside.bin", "in/below/a b.bin"] {
        folder.write(name, &bin);
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path("outside.bin"), &link).unwrap();
    let absolute = folder.path("outside.bin").to_string_lossy().into_owned();
    let refused = [
        "missing.bin",
        "../outside.bin",
        "below/../../outside.bin",
        "link.bin",
        &absolute,
        "file:///outside.bin",
        "http://127.0.0.1/beside.bin",
    ];
    for (uri, found) in [("beside.bin", true), ("below/a%20b.bin", true)]
        .into_iter()
        .chain(refused.map(|uri| (uri, false)))
    {
        folder.write("in/puppet.gltf", Puppet::sparse("LINEAR").gltf(uri).0);
        let run = folder.run("check in/puppet.gltf").exits(i32::from(!found));
        assert_eq!(run.stdout().contains("error[gltf-buffer]"), !found, "{uri}\n{}", run.stdout());
        folder.run("convert in/puppet.gltf -o x.glb --force").exits(i32::from(!found));
        let moves = !folder.model("x.glb").animation_names().is_empty();
        assert_eq!(moves, found, "{uri}");
        let strict = "convert in/puppet.gltf -o strict.glb --strict --force";
        folder.run(strict).exits(i32::from(!found));
    }
    // `--root` allows buffers elsewhere.
    folder.write("in/puppet.gltf", Puppet::sparse("LINEAR").gltf("../outside.bin").0);
    folder.run("check in/puppet.gltf --root .").exits(0);
}

/// An STT whose first state positions three nodes, and whose second state moves them.
const TABLE: &str = "#MINDRENDER 1.1 2 \
                     {still} SINGLE 2 {shoulder} STATIC 1 2 3 4 5 6 40 50 60 \
                     {nobody} STATIC 1 2 3 4 5 6 40 50 60 \
                     {swing} SINGLE 1 {elbow} DYNAMIC 0 0 0 1 0 0 2 0 7 0 0 0 0 1 0 4 0 7 \
                     10 20 30 40 50 60 2 0 8";

/// States animate the nodes with the same names; the model and its animations are unchanged.
#[test]
fn states_on_a_model() {
    let folder = puppet("LINEAR");
    folder.write("table.stt", TABLE);
    for args in ["table.stt --with puppet.glb", "table.stt puppet.glb", "puppet.glb table.stt"] {
        folder
            .run(&format!("convert {args} -o moved.glb --force"))
            .exits(0)
            .err_has("no node `nobody`")
            .err_lacks("no node `shoulder`");
        let mut names = folder.model("moved.glb").animation_names();
        names.sort();
        assert_eq!(names, ["still", "swing", "take"], "{args}");
    }
    let [before, after] = ["puppet.glb", "moved.glb"].map(|name| folder.glb_json(name));
    for part in
        ["/meshes/0/name", "/materials/0/name", "/materials/0/pbrMetallicRoughness/baseColorFactor"]
    {
        assert_eq!(before.pointer(part), after.pointer(part), "{part}");
    }
    let [before, after] = ["puppet.glb", "moved.glb"].map(|name| folder.model(name));
    for t in MOMENTS {
        assert_near(&corners(&after, t), &corners(&before, t), 1e-6, "the model's own take");
    }
    let number = |name: &str| after.animation_names().iter().position(|other| other == name);
    let file = stt::parse(TABLE);
    for (state, node, times) in
        [("still", "shoulder", [0.0, 1.0, 2.0]), ("swing", "elbow", [0.3, 1.9, 3.7])]
    {
        for t in times {
            let expected = &stt::pose_at(&file, file.find(state), t, Order::Zyx)[node];
            let expected = mul(&translation(expected.translation), &rotation(expected.rotation));
            let bones = generate::puppet().bones;
            let bone = bones.iter().find(|bone| bone.name == node).unwrap();
            let parent = &bones[bone.parent.unwrap()].name;
            let expected = mul(&after.node_world(number(state), parent, t), &expected);
            let found = after.node_world(number(state), node, t);
            let near = [[0.0; 3], [1.0, 2.0, 3.0]].iter().all(|point| {
                let [a, b] = [&found, &expected].map(|place| transform_point(place, *point));
                (0..3).all(|i| (a[i] - b[i]).abs() < 0.02)
            });
            assert!(near, "{state} at {t}: {found:?} {expected:?}");
        }
    }
}

/// States animate nodes with a mesh instead of bones, at the origin and elsewhere, alone and in a
/// group.
#[test]
fn states_on_nodes_with_meshes() {
    let folder = Folder::new();
    let positions = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
    folder.write(
        "doors.gltf",
        json!({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1, 2, 4]}],
            "buffers": [{
                "byteLength": 36,
                "uri": format!("data:application/octet-stream;base64,{positions}"),
            }],
            "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "accessors": [{
                "bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3,
                "min": [0, 0, 0], "max": [1, 1, 0],
            }],
            "meshes": [{"name": "door", "primitives": [{"attributes": {"POSITION": 0}}]}],
            "nodes": [
                {"name": "Door", "mesh": 0},
                {"name": "Moved", "mesh": 0, "translation": [5, 0, 0]},
                {"name": "Group", "translation": [0, 7, 0], "children": [3]},
                {"name": "In", "mesh": 0},
                {"name": "Still", "mesh": 0},
            ],
        })
        .to_string(),
    );
    let place = "STATIC 1 2 3 0 0 0 0 0 0";
    folder.write(
        "open.stt",
        format!(
            "#MINDRENDER 1.1 1 {{open}} SINGLE 3 {{Door}} {place} {{Moved}} {place} {{In}} {place}"
        ),
    );
    folder.run("convert open.stt --with doors.gltf -o open.glb").exits(0).err_lacks("warning");
    let model = folder.model("open.glb");
    let first_corner = |triangle: &[[f64; 3]; 3]| triangle[0].map(|x| (x * 1e3).round() / 1e3);
    let places = |animation| {
        let mut places: Vec<[f64; 3]> =
            model.triangles_at(animation, 0.0).iter().map(first_corner).collect();
        places.sort_by(|a, b| a.partial_cmp(b).unwrap());
        places
    };
    assert_eq!(
        places(Some(0)),
        [[0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 9.0, 3.0]]
    );
    // Without the states, nothing moves.
    assert_eq!(places(None), [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 7.0, 0.0], [5.0, 0.0, 0.0]]);
}

/// A node that exists in the model is not reported as missing, even if states cannot animate it.
#[test]
fn nodes_that_states_cannot_move() {
    let folder = puppet("LINEAR");
    let place = "STATIC 1 2 3 4 5 6 40 50 60";
    let states = ["rig", "sleeve", "arm_of_nobody"].map(|node| format!("{{{node}}} {place}"));
    folder.write("odd.stt", format!("#MINDRENDER 1.1 1 {{s}} SINGLE 3 {}", states.join(" ")));
    let run = folder.run("convert odd.stt --with puppet.glb -o moved.glb").exits(0);
    run.err_has("no node `arm_of_nobody`");
    // The node of a skinned mesh cannot be animated, but it exists; so does the root of the bones.
    run.err_lacks("no node `sleeve`").err_lacks("no node `rig`");
}

/// If the model is missing, the message names the model, not the STT file.
#[test]
fn a_missing_model_is_named() {
    let folder = puppet("LINEAR");
    folder.write("table.stt", TABLE);
    folder
        .run("convert table.stt --with none.glb -o x.glb")
        .exits(2)
        .err_starts("error: none.glb: ");
    folder.run("convert table.stt --with puppet.glb -o puppet.glb --force").exits(2);
    assert!(folder.read("puppet.glb").starts_with(b"glTF"));
}
