//! Compares files that other writers might produce with expected results and with an evaluator that
//! shares no code with the reader.

use anim_gltf::{Document, FromIr, ToIr, codes, from_ir, sniff, to_gltf, to_ir, to_ir_with};
use anim_ir::{
    CameraId, Category, Channel, Clip, Confidence, Converted, Curve, Diagnostic, ImageId,
    Interpolation, Mat4, ResolveError, Resolver, Scene, Severity, SkeletonId, TimelineBuilder,
    Vec3, validate,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use test_oracle::glb::Model;

use super::hostile::glb;
use super::{fixtures, testdata};
use crate::evaluate::{draw, pose};
use crate::read;
use crate::scenes::{arm, at, clip, moving, node, skin_of, skinned_triangle, triangle, waving};

fn load(name: &str) -> Converted<Scene> {
    let bytes = std::fs::read(testdata().join(name)).unwrap();
    read(&bytes).unwrap()
}

#[test]
fn fixtures_match_the_expected_results() {
    let table = std::fs::read_to_string(testdata().join("EXPECTED.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|row| row.split('\t').collect()).collect();
    let mut wrong = Vec::new();
    for (name, bytes) in fixtures() {
        let Some(row) = rows.iter().find(|row| row[0].strip_prefix("gltf/") == Some(&*name)) else {
            panic!("{name} is not in EXPECTED.tsv")
        };
        let (severity, code, place) = (row[1], row[2], row[3]);
        let found = judge(&name, &bytes);
        let fits = |(found, of, message): &(&str, &str, String)| {
            (*found, *of) == (severity, code) && (place == "-" || message.contains(place))
        };
        if !found.iter().any(fits) {
            wrong.push(format!("{name}: expected {severity} {code} {place}, found {found:?}"));
        }
    }
    assert_eq!(rows.len(), fixtures().len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the most severe diagnostics of a file: severity, code and message.
fn judge(name: &str, bytes: &[u8]) -> Vec<(&'static str, &'static str, String)> {
    let read = match read(bytes) {
        Ok(read) => read,
        Err(error) => return vec![("refused", "-", error.to_string())],
    };
    assert!(validate(&read.value).is_empty(), "{name}: {:?}", validate(&read.value));
    // Losses due to the scene model are not errors of the file.
    let faults = read.losses.iter().filter(|found| found.code.category != Category::Loss);
    let worst = faults.map(|found| found.severity()).max().filter(|worst| *worst > Severity::Note);
    let severity = worst.map_or("ok", Severity::name);
    let of_worst = |found: &&Diagnostic| worst.is_none_or(|worst| found.severity() == worst);
    let worst_found = read.losses.iter().filter(of_worst);
    let worst_found = worst_found.map(|found| (severity, found.code.id, found.message.clone()));
    worst_found.chain(worst.is_none().then(|| ("ok", "-", String::new()))).collect()
}

/// Reads a glTF with the oracle, which expects the buffer separately instead of as a `data:` URI.
fn oracle(bytes: &[u8]) -> Model {
    let mut json: serde_json::Value = serde_json::from_slice(bytes).unwrap();
    let uri = json["buffers"][0].as_object_mut().unwrap().remove("uri").unwrap();
    let bin = BASE64.decode(uri.as_str().unwrap().split_once(',').unwrap().1).unwrap();
    test_oracle::glb::read_parts(&serde_json::to_vec(&json).unwrap(), &bin)
}

fn near(found: &[Vec3], expected: &[[f64; 3]]) -> bool {
    let same = |found: &Vec3, expected: &[f64; 3]| {
        found.to_f64().iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4)
    };
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| same(found, expected))
}

/// All visible geometry matches the oracle, at rest and at many times of each animation.
#[test]
fn geometry_matches_the_oracle() {
    // Not supported by the oracle: required extensions, cameras, visibility and material
    // animation. The last file has weights for each node, which the scene model has per mesh.
    const UNKNOWN: [&str; 7] = [
        "quantized",
        "camera",
        "camera_with_excessive_angle",
        "camera_with_near_far_plane",
        "visibility",
        "pointer_to_material",
        "weights_of_two_nodes",
    ];
    let is_known = |name: &str| {
        let name = name.strip_prefix("ok/").and_then(|name| name.strip_suffix(".gltf"));
        name.is_some_and(|name| !UNKNOWN.contains(&name))
    };
    let mut judged = 0;
    for (name, bytes) in fixtures().into_iter().filter(|(name, _)| is_known(name)) {
        let oracle = oracle(&bytes);
        let scene = load(&name).value;
        let mut moments = vec![(None, 0.0)];
        let clips = oracle.animation_names();
        for number in 0..clips.len() {
            moments.extend((0..=20).map(|tenth| (Some(number), f64::from(tenth) * 0.1)));
        }
        for (animation, time) in moments {
            let clip = animation.map(|number| clips[number].as_str());
            let found = draw(&scene, clip, time);
            let (lines, triangles) =
                (oracle.lines_at(animation, time), oracle.triangles_at(animation, time));
            let same = near(&found.points, &oracle.points_at(animation, time))
                && near(found.lines.as_flattened(), lines.as_flattened())
                && near(found.triangles.as_flattened(), triangles.as_flattened());
            assert!(same, "{name} at {time} of {clip:?}: {found:?}\n{lines:?}\n{triangles:?}");
            judged += found.points.len() + found.lines.len() + found.triangles.len();
        }
    }
    assert!(judged > 1_000, "{judged}");
}

/// The geometry of a scene that has been read is the same after it is written and read back.
#[test]
fn parsed_scenes_round_trip() {
    let mut compared = 0;
    for (name, bytes) in fixtures() {
        let Ok(first) = read(&bytes) else { continue };
        let written = from_ir(&first.value, &FromIr::default()).unwrap().value;
        let second = read(&written).unwrap().value;
        let written_too = |clip: &&Clip| second.clips.iter().any(|other| other.name == clip.name);
        let clips = first.value.clips.iter().filter(written_too);
        for clip in clips.map(|clip| Some(clip.name.as_str())).chain([None]) {
            for time in [0.0, 0.3, 1.0, 1.7] {
                let (a, b) = (draw(&first.value, clip, time), draw(&second, clip, time));
                for (a, b) in [
                    (&a.points[..], &b.points[..]),
                    (a.lines.as_flattened(), b.lines.as_flattened()),
                    (a.triangles.as_flattened(), b.triangles.as_flattened()),
                ] {
                    let b: Vec<_> = b.iter().map(|place| place.to_f64()).collect();
                    assert!(near(a, &b), "{name}");
                }
                compared += a.triangles.len();
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn vertex_attributes_are_preserved() {
    let strided = load("ok/stride.gltf").value.meshes.remove(0);
    assert_eq!(strided.normals, [Vec3::new(0.0, 0.0, 1.0); 5]);
    assert_eq!(strided.texcoords[4], [64_000.0 / 65_535.0, 1.0]);
    assert_eq!(load("ok/colors_u8.gltf").value.meshes[0].colors[0], [1.0, 128.0 / 255.0, 0.0, 1.0]);
    assert_eq!(load("ok/colors_rgb_u16.gltf").value.meshes[0].colors[4], [1.0, 0.0, 0.2, 1.0]);
    let parts = load("ok/parts_of_their_own.gltf").value.meshes.remove(0);
    // The third primitive shares the vertices of the first.
    assert_eq!((parts.positions.len(), parts.primitives.len()), (8, 3));
    assert_eq!((parts.colors[0], parts.colors[7]), ([0.5, 0.5, 0.5, 1.0], [1.0; 4]));
    assert_eq!((parts.normals[0], parts.normals[7]), (Vec3::ZERO, Vec3::new(0.0, 0.0, 1.0)));
    assert_eq!(parts.primitives[1].indices, [5, 6, 7]);
    let quantized = load("ok/quantized.gltf").value;
    let drawn = draw(&quantized, None, 0.0).triangles[0];
    assert!(near(&drawn, &[[0.0; 3], [1.0, -1.0, 327.67], [-327.68, 0.07, 0.01]]));
    let skinned = load("ok/skin.gltf").value.meshes.remove(0).influences;
    assert_eq!((skinned.per_vertex, skinned.weights[12], skinned.joints[5]), (4, 51.0 / 255.0, 1));
    let morphed = load("ok/weights_float.gltf").value.meshes.remove(0);
    assert!(morphed.morph_targets.iter().map(|target| &*target.name).eq(["big", "shiny"]));
    assert_eq!((morphed.morph_weights, morphed.extras.len()), (vec![0.5, 0.0], 0));
    assert_eq!(load("ok/weights_of_node.gltf").value.meshes[0].morph_weights, [0.25, 1.0]);
}

/// Each vertex gets the four influences of the first set, followed by those of the other sets.
#[test]
fn sets_of_joints_are_merged() {
    let bytes = std::fs::read(testdata().join("ok/skin.gltf")).unwrap();
    let mut json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let attributes = &mut json["meshes"][0]["primitives"][0]["attributes"];
    for set in 1..3 {
        attributes[format!("JOINTS_{set}")] = attributes["JOINTS_0"].clone();
        attributes[format!("WEIGHTS_{set}")] = attributes["WEIGHTS_0"].clone();
    }
    let found = read(&serde_json::to_vec(&json).unwrap()).unwrap();
    assert_eq!(found.losses.count(&codes::ATTRIBUTE), 0);
    let found = &found.value.meshes[0].influences;
    assert_eq!((found.per_vertex, found.joints.len()), (12, 60));
    assert_eq!(found.joints[12..24], [0, 1, 0, 0].repeat(3));
    assert_eq!(found.weights[12..24], [0.0, 1.0, 0.0, 0.0].repeat(3));
}

/// Returns a file of this crate after a change to its JSON.
pub(super) fn changed(
    scene: &Scene,
    change: impl FnOnce(&mut serde_json::Value),
) -> Converted<Scene> {
    let bytes = from_ir(scene, &FromIr::default()).unwrap().value;
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let (json, bin) = bytes[20..].split_at(length);
    let mut json: serde_json::Value = serde_json::from_slice(json).unwrap();
    change(&mut json);
    let mut text = json.to_string();
    text += &" ".repeat(text.len().next_multiple_of(4) - text.len());
    let found = read(&glb(&text, bin.get(8..).unwrap_or_default())).unwrap();
    assert!(validate(&found.value).is_empty());
    found
}

/// What the scene model cannot store is reported, and the copyright notice is kept.
#[test]
fn nothing_is_lost_silently() {
    let scene =
        Scene { meshes: vec![triangle("m")], nodes: vec![node("n", 0, None)], ..Scene::default() };
    let found = changed(&scene, |json| {
        json["asset"]["copyright"] = "(c) Jane".into();
        json["asset"]["extras"] = serde_json::json!({"license": "CC-BY"});
        json["samplers"] = serde_json::json!([{"wrapS": 33_071}, {}]);
        json["textures"] =
            serde_json::json!([{"sampler": 0}, {"sampler": 1}, {"extras": {"t": 1}}]);
        json["extras"] = serde_json::json!({"file": 1});
        let part = &mut json["meshes"][0]["primitives"][0];
        let accessor = part["attributes"]["POSITION"].clone();
        part["targets"] = serde_json::json!([{"POSITION": accessor, "TEXCOORD_0": accessor}]);
        part["extras"] = serde_json::json!({"part": 5});
    });
    let said: Vec<(&str, &str)> =
        found.losses.iter().map(|it| (it.code.id, it.message.as_str())).collect();
    let expected = [
        ("gltf-extras", "/textures/2/extras: not supported"),
        ("gltf-extras", "/meshes/0/primitives/0/extras: not supported"),
        ("gltf-extras", "/extras: not supported"),
        ("gltf-extras", "/asset/extras: not supported"),
        ("gltf-material", "/textures/0: the wrap modes and filters of its sampler are ignored"),
        ("gltf-attribute", "/meshes/0: morphed `TEXCOORD_0` are not supported"),
    ];
    assert_eq!(said, expected);
    let again = changed(&found.value, |json| {
        assert_eq!(json["asset"]["copyright"], "(c) Jane");
        assert!(json["scenes"][0]["extras"].get("gltf").is_none());
    });
    assert_eq!(again.value.extras, found.value.extras);
    assert_eq!(again.value.extras.len(), 1);
    let moving = changed(&waving(), |json| {
        json["skins"][0]["extras"] = serde_json::json!({"skin": 1});
        json["animations"][0]["channels"][1]["extras"] = serde_json::json!({"channel": 1});
        json["animations"][0]["samplers"][2]["extras"] = serde_json::json!({"sampler": 1});
    });
    let said: Vec<&str> = moving.losses.iter().map(|it| it.message.as_str()).collect();
    let expected = ["/skins/0", "/animations/0/channels/1", "/animations/0/samplers/2"];
    assert_eq!(said, expected.map(|place| format!("{place}/extras: not supported")));
}

/// An animation moves a bone, and a node whose mesh morphs: two skeletons.
#[test]
fn morph_weights_are_in_the_clip_of_their_node() {
    let floats = [
        &[0.0, 1.0][..],
        &[0.0, 0.0, 0.0, 3.0, 0.0, 0.0],
        &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        // Three rows of joint indices, which are 0.
        &[0.0; 3],
        &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
        Mat4::IDENTITY.columns.as_flattened(),
    ];
    let bin: Vec<u8> = floats.concat().into_iter().flat_map(f32::to_le_bytes).collect();
    let accessor = |offset: u32, kind: u32, count: u32, element: &str| {
        serde_json::json!({
            "bufferView": 0, "byteOffset": offset, "componentType": kind, "count": count,
            "type": element
        })
    };
    let channel = |sampler: u32, node: u32, path: &str| {
        let target = serde_json::json!({"node": node, "path": path});
        serde_json::json!({"sampler": sampler, "target": target})
    };
    let samplers = serde_json::json!([{"input": 0, "output": 1}, {"input": 0, "output": 0}]);
    let (bone, face) = (channel(0, 1, "translation"), channel(0, 0, "translation"));
    let weights = channel(1, 0, "weights");
    let skinned = serde_json::json!({"POSITION": 2, "JOINTS_0": 3, "WEIGHTS_0": 4});
    let json = serde_json::json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1, 2]}],
        "nodes": [{"name": "face", "mesh": 0}, {"name": "bone"}, {"mesh": 1, "skin": 0}],
        "meshes": [
            {"primitives": [{"attributes": {"POSITION": 2}, "targets": [{"POSITION": 2}]}]},
            {"primitives": [{"attributes": skinned}]}
        ],
        "skins": [{"joints": [1], "inverseBindMatrices": 5}],
        "animations": [
            {"samplers": samplers, "channels": [bone, weights, face]},
            {"samplers": samplers, "channels": [face, weights, bone]}
        ],
        "accessors": [
            accessor(0, 5126, 2, "SCALAR"), accessor(8, 5126, 2, "VEC3"),
            accessor(32, 5126, 3, "VEC3"), accessor(68, 5121, 3, "VEC4"),
            accessor(80, 5126, 3, "VEC4"), accessor(128, 5126, 1, "MAT4")
        ],
        "bufferViews": [{"buffer": 0, "byteLength": bin.len()}],
        "buffers": [{"byteLength": bin.len()}]
    });
    let mut text = json.to_string();
    text += &" ".repeat(text.len().next_multiple_of(4) - text.len());
    let scene = read(&glb(&text, &bin)).unwrap().value;
    let of_face = scene.find_joint("face").unwrap().skeleton;
    assert_eq!((scene.clips.len(), scene.skeletons.len()), (4, 2));
    let morphs = scene.timelines.iter().filter(|timeline| {
        timeline.tracks().iter().any(|track| track.channel == Channel::MorphWeights)
    });
    let skeletons: Vec<SkeletonId> = morphs.map(|timeline| timeline.skeleton).collect();
    assert_eq!(skeletons, [of_face; 2]);
}

/// A mesh has one list of joint indices, so skins that number their joints differently cannot share
/// it.
#[test]
fn skins_with_other_numbers_cannot_share_a_mesh() {
    let skeleton = arm();
    // The third vertex has no weights, so the writer adds a joint that stays at rest.
    let scene = Scene {
        skins: vec![skin_of(&skeleton)],
        meshes: vec![skinned_triangle("m", 1, &[0, 1, 0], &[1.0, 1.0, 0.0])],
        nodes: vec![node("n", 0, Some(0))],
        skeletons: vec![skeleton],
        ..Scene::default()
    };
    let mut number = 0;
    let found = changed(&scene, |json| {
        let mut skin = json["skins"][0].clone();
        let joints = skin["joints"].as_array_mut().unwrap();
        assert_eq!(joints.len(), 3);
        joints.remove(0);
        let nodes = json["nodes"].as_array_mut().unwrap();
        let mut second = nodes.iter().find(|node| node.get("skin").is_some()).unwrap().clone();
        second["skin"] = 1.into();
        number = nodes.len();
        nodes.push(second);
        json["scenes"][0]["nodes"].as_array_mut().unwrap().push(number.into());
        json["skins"].as_array_mut().unwrap().push(skin);
    });
    let said: Vec<_> =
        found.losses.iter().filter(|it| it.code == &codes::SKIN).map(|it| &it.message).collect();
    let message = format!("/nodes/{number}/skin: another node uses the mesh with a different skin");
    assert_eq!(said, [&message]);
    let skins: Vec<bool> = found.value.nodes.iter().map(|node| node.skin.is_some()).collect();
    assert_eq!(skins, [true, false]);
}

/// The clips without motion are also listed in the extras of the scene. If another program removes
/// the extras of an animation, its clip is still read once.
#[test]
fn a_clip_without_motion_is_read_once() {
    let scene = moving(arm(), TimelineBuilder::new("still"), vec![clip("stand", 0.0, 2.0)]);
    let names = |found: &Converted<Scene>| {
        found.value.clips.iter().map(|clip| clip.name.clone()).collect::<Vec<_>>()
    };
    let kept = changed(&scene, |_| {});
    assert_eq!((names(&kept), kept.value.clips[0].duration()), (vec!["stand".to_owned()], 2.0));
    let removed = changed(&scene, |json| {
        let animation = json["animations"][0].as_object_mut().unwrap();
        assert!(animation.remove("extras").is_some());
    });
    assert_eq!(names(&removed), ["stand"]);
}

#[test]
fn nodes_become_joints_if_necessary() {
    for (file, name, bones, joints) in [
        ("ok/skin.gltf", "Armature", true, &["hip", "knee"][..]),
        ("ok/skin_below_a_moved_node.gltf", "bones", true, &["Armature", "hip", "knee"]),
        ("ok/translation_linear.gltf", "", false, &["arm", "hand"]),
    ] {
        let found = load(file).value.skeletons.remove(0);
        assert_eq!((&*found.name, found.bones), (name, bones), "{file}");
        assert!(found.joints.iter().map(|joint| &*joint.name).eq(joints.iter().copied()));
    }
    assert_eq!(load("ok/translation_linear.gltf").value.nodes[0].parent, at(0, 1));
    let two = load("ok/two_armatures.gltf").value;
    assert_eq!((two.skeletons.len(), two.timelines.len()), (2, 2));
    assert_eq!(two.clips[0].name, two.clips[1].name);
    // A mesh at the origin does not need a joint.
    let plain = load("ok/mode_triangles.gltf").value;
    assert!(plain.skeletons.is_empty() && plain.nodes[0].parent.is_none());
    let shear = load("ok/matrix_with_shear.gltf").value;
    assert_eq!(shear.skeletons[0].joints[0].exact_rest.unwrap().columns[1], [0.5, 1.0, 0.0, 0.0]);
}

#[test]
fn keys_are_preserved() {
    let scene = load("ok/two_animations.gltf").value;
    let clips = scene.clips.iter();
    let clips = clips.map(|clip| (&*clip.name, clip.timeline.index(), clip.start, clip.end));
    assert!(clips.eq([("move", 0, 0.0, 2.0), ("other", 1, 0.0, 1.0)]));
    let timeline = &scene.timelines[0];
    let kinds = timeline.tracks().iter().map(|track| timeline.keys(track).interpolation);
    assert!(kinds.eq([Interpolation::Cubic, Interpolation::Linear, Interpolation::Step]));
    // A single key after the start keeps its time.
    assert_eq!(timeline.keys(&timeline.tracks()[2]).times, [1.0]);
    let shown = load("ok/visibility.gltf").value;
    assert!(!shown.skeletons[0].joints[1].visible);
    let seen = [0.5, 1.5, 2.5].map(|time| pose(&shown, Some("move"), time).0[0].visible[1]);
    assert_eq!(seen, [false, true, false]);
    assert!(matches!(shown.timelines[0].tracks()[0].curve, Curve::Keys { .. }));
}

#[test]
fn surfaces_cameras_and_images() {
    let scene = load("ok/material.gltf").value;
    let look = &scene.materials[0];
    assert_eq!((look.base_color, look.emissive), ([0.5, 0.25, 1.0, 0.5], [0.0, 0.5, 0.0]));
    assert_eq!(look.base_color_image, Some(ImageId::new(1)));
    assert_eq!((look.roughness, look.double_sided, look.unlit), (0.5, true, false));
    assert_eq!(scene.images[1].path.as_deref(), Some("textures/a b.png"));
    let length = scene.images[0].bytes.as_ref().map(|bytes| bytes.len());
    assert_eq!((scene.images[0].mime_type(), length), (Some("image/png"), Some(67)));
    assert_eq!(scene.images[2].bytes, scene.images[0].bytes);
    let scene = load("ok/camera.gltf").value;
    let [camera] = &scene.cameras[..] else { panic!() };
    assert_eq!((camera.vertical_fov, camera.near), (0.5, 0.25));
    let cameras = scene.nodes.iter().map(|node| (&*node.name, node.camera));
    assert!(cameras.eq([("flat", None), ("eye", Some(CameraId::default()))]));
}

#[test]
fn another_scene() {
    let bytes = std::fs::read(testdata().join("ok/two_scenes.gltf")).unwrap();
    let document = Document::parse(&bytes[..]).unwrap().value;
    let of = |scene| to_ir(&document, &ToIr::default().with_scene(Some(scene)));
    let scene = of(1).value;
    assert_eq!((&*scene.name, &*scene.skeletons[0].joints[0].name), ("second", "alone"));
    let nothing = of(2);
    assert_eq!((nothing.losses.count(&codes::REFERENCE), nothing.value), (1, Scene::default()));
}

/// Each companion file is requested once, by its URI in the file.
#[test]
fn buffers_in_companion_files() {
    struct Folder(Vec<u8>, Vec<String>);
    impl Resolver for Folder {
        fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
            self.1.push(address.to_owned());
            Ok(self.0.clone())
        }
    }
    let scene = load("ok/skin.gltf").value;
    let mut files = to_gltf(&scene, &FromIr::default(), "data/a b").unwrap().value;
    let mut json: serde_json::Value = serde_json::from_slice(&files.main).unwrap();
    let buffer = json["buffers"][0].clone();
    json["buffers"].as_array_mut().unwrap().push(buffer);
    let mut folder = Folder(files.companions.remove(0).1, Vec::new());
    let document = Document::parse(serde_json::to_vec(&json).unwrap()).unwrap().value;
    let found = to_ir_with(&document, &ToIr::default(), &mut folder);
    assert!(found.losses.is_empty());
    assert_eq!(folder.1, ["data/a%20b.bin"]);
    assert_eq!(found.value.meshes[0].positions, scene.meshes[0].positions);
    assert_eq!(found.value.timelines, scene.timelines);
}

#[test]
fn files_are_recognised_by_their_content() {
    let long = format!("{{\"extras\": \"{}\", \"asset\": {{}}}}", "x".repeat(1 << 20));
    assert_eq!(sniff(long.as_bytes()).confidence, Confidence::Possible, "`asset` may follow");
    assert_eq!(sniff(b"glTF\x02\0\0\0").confidence, Confidence::Certain);
    assert_eq!(
        [&b"{\"version\": 2}"[..], b""].map(|bytes| sniff(bytes).confidence),
        [Confidence::No; 2]
    );
}
