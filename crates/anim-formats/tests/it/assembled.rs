//! Tests combining several files with the facade, without the program.

use anim_formats::anim_ir::{Motion, Scene, Severity};
use anim_formats::{
    AnyDocument, AssembleError, AssembleOptions, Assembled, Content, LoadOptions, Output, Part,
    Pieces, assemble, open_folder, parse_bytes, pieces,
};

use crate::{Set, assert_said, format, settings, testdata};

/// Returns a file from the cookbook as a part.
fn part(name: &str) -> Part<'static> {
    let path = testdata("cookbook").join(name);
    let parsed = parse_bytes(std::fs::read(&path).unwrap(), path.to_str(), &LoadOptions::default());
    Part {
        name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
        parsed: parsed.unwrap(),
        files: open_folder(path.parent().unwrap(), &LoadOptions::default()).unwrap(),
        way: String::new(),
    }
}

/// Returns options for a format, modified by `change`.
fn options(to: &str, set: Set<'_>, change: impl FnOnce(&mut AssembleOptions)) -> AssembleOptions {
    let mut options = AssembleOptions::new(format(to), settings(set));
    options.stem = "OUT".to_owned();
    change(&mut options);
    options
}

fn made(names: &[&str], options: &AssembleOptions) -> Result<Assembled, AssembleError> {
    assemble(names.iter().map(|name| part(name)).collect(), options)
}

/// Combines files and returns the scene.
fn scene(names: &[&str], options: &AssembleOptions) -> (Scene, Assembled) {
    let mut made = made(names, options).unwrap();
    assert_eq!(made.parts.len(), names.len());
    match std::mem::replace(&mut made.content, Content::Written(Ok(Output::default()))) {
        Content::Scene(scene) => (*scene, made),
        Content::Written(written) => panic!("{written:?}"),
    }
}

fn written(names: &[&str], options: &AssembleOptions) -> Output {
    match made(names, options).unwrap().content {
        Content::Written(written) => written.unwrap(),
        Content::Scene(_) => panic!("{names:?} went through a scene"),
    }
}

fn names(scene: &Scene) -> Vec<&str> {
    scene.playables().into_iter().map(|(name, _)| name).collect()
}

/// Returns the number of frames of a motion.
fn frames(bytes: &[u8]) -> usize {
    anim_formats::tmd_anm::Document::parse(bytes).unwrap().value.frames().len()
}

#[test]
fn a_model_and_its_motions() {
    let glb = options("glb", &[], |_| ());
    for order in [["RABBIT.TMD", "WALK.ANM", "RUN.ANM"], ["WALK.ANM", "RABBIT.TMD", "RUN.ANM"]] {
        let (scene, assembled) = scene(&order, &glb);
        assert_eq!(names(&scene), ["WALK", "RUN"]);
        assert!(!scene.meshes.is_empty() && scene.skeletons.len() == 1);
        for (name, (document, diagnostics)) in order.iter().zip(&assembled.parts) {
            assert_eq!(document.to_bytes(), part(name).parsed.value.to_bytes());
            assert!(diagnostics.worst() < Some(Severity::Warning), "{diagnostics:?}");
        }
    }
    let one = options("glb", &[], |options| options.animation = Some(1));
    assert_eq!(names(&scene(&["RABBIT.TMD", "WALK.ANM", "RUN.ANM"], &one).0), ["RUN"]);
}

/// Its parts are boxes around their origins, which players that draw only front faces must show
/// from outside.
#[test]
fn the_faces_of_the_model_point_outwards() {
    let (scene, _) = scene(&["RABBIT.TMD"], &options("glb", &[], |_| ()));
    for mesh in &scene.meshes {
        let indices: Vec<u32> =
            mesh.primitives.iter().flat_map(|part| part.indices.clone()).collect();
        assert_eq!(indices.len(), 6 * 2 * 3);
        for corners in indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| mesh.positions[corners[corner] as usize]);
            assert!((b - a).cross(c - a).dot(a) > 0.0, "{a:?} {b:?} {c:?}");
        }
    }
}

/// Motions are joined into one clip or one file.
#[test]
fn motions_that_become_one() {
    let both = ["WALK.ANM", "RUN.ANM"];
    let seconds = |names: &[&str], options: &AssembleOptions| {
        let (scene, _) = scene(names, options);
        scene.clips.iter().map(|clip| (clip.name.clone(), clip.duration())).collect::<Vec<_>>()
    };
    let apart = seconds(&both, &options("glb", &[], |_| ()));
    let joined = options("glb", &[], |options| options.join = Some("ALL".to_owned()));
    let joined = seconds(&["WALK.ANM", "RABBIT.TMD", "RUN.ANM"], &joined);
    let [(name, all)] = &joined[..] else { panic!("{joined:?}") };
    assert_eq!(name, "ALL");
    assert!((all - apart[0].1 - apart[1].1).abs() < 1e-6, "{joined:?} {apart:?}");

    let whole = written(&both, &options("tmd-anm", &[("rate", "30")], |_| ()));
    let parts = both.map(|name| frames(&part(name).parsed.value.to_bytes()));
    assert_eq!((frames(&whole.main), whole.companions.len()), (parts.iter().sum(), 0));
    // A model among the inputs, or selecting one motion, requires a scene.
    let one = options("tmd-anm", &[], |options| options.animation = Some(0));
    assert_eq!(names(&scene(&["RABBIT.TMD", "WALK.ANM", "RUN.ANM"], &one).0), ["WALK"]);
}

#[test]
fn states_and_the_model_that_they_animate() {
    let glb = options("glb", &[], |_| ());
    for (order, model) in [(["lamp.stt", "lamp.gltf"], 1), (["lamp.gltf", "lamp.stt"], 0)] {
        let (scene, assembled) = scene(&order, &glb);
        assert_eq!(assembled.images_of, model);
        assert!(!scene.meshes.is_empty() && scene.machines.len() == 1);
        assert!(
            scene.machines[0].states.iter().any(|state| matches!(state.motion, Motion::Clip(_)))
        );
        assert!(assembled.parts.iter().all(|(_, diagnostics)| diagnostics.is_empty()));
    }
    // A missing node is reported as a problem in the states, in any order of inputs.
    for (order, states) in [(["lamp.stt", "robot.gltf"], 0), (["robot.gltf", "lamp.stt"], 1)] {
        let (_, assembled) = scene(&order, &glb);
        let said = assembled.parts[states].1.iter().map(|diagnostic| diagnostic.code.id);
        assert!(said.clone().count() > 0 && said.clone().all(|id| id == "motion-node-unknown"));
        assert!(assembled.parts[1 - states].1.is_empty());
    }
}

#[test]
fn frames_that_are_merged() {
    let folder = testdata("cookbook/animations/knight");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| format!("animations/knight/{}", file.unwrap().file_name().to_str().unwrap()))
        .filter(|file| file.ends_with(".castle-anim-frames"))
        .collect();
    files.sort();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let expected: Vec<String> = files.iter().map(|file| part(file).name).collect();
    assert!(files.len() > 1);
    let merge = |to: &str| options(to, &[], |options| options.merge = true);

    let merged = written(&files, &merge("castle")).main;
    let document = anim_formats::castle::Document::parse(&merged[..]).unwrap().value;
    let found: Vec<&str> =
        document.animations().iter().map(|animation| animation.name.as_str()).collect();
    assert_eq!(found, expected);
    let made = made(&files, &merge("glb")).unwrap();
    let Content::Scene(scene) = made.content else { panic!() };
    assert_eq!(names(&scene), expected);

    // Selects one of the merged animations by index.
    let second = options("castle", &[], |options| {
        (options.merge, options.animation) = (true, Some(1));
    });
    let one = written(&files, &second).main;
    let document = anim_formats::castle::Document::parse(&one[..]).unwrap().value;
    assert_eq!(document.animations().len(), 1);
    assert_eq!(document.animations()[0].name, expected[1]);
}

/// Selecting one clip of a file needs a scene.
#[test]
fn a_single_clip_of_a_file_can_be_selected() {
    let options = options("gltf", &[], |options| options.animation = Some(0));
    let (scene, made) = scene(&["robot.gltf"], &options);
    assert_eq!(names(&scene).len(), 1);
    assert_said(&made.losses, "convert-through-scene", "");
}

#[test]
fn unrelated_files_are_rejected() {
    let plain = options("glb", &[], |_| ());
    let merge = options("castle", &[], |options| options.merge = true);
    let far = options("glb", &[], |options| options.animation = Some(1000));
    let join = options("glb", &[], |options| options.join = Some("ALL".to_owned()));
    let apart = "2 inputs need a folder";
    let both = options("glb", &[], |options| {
        (options.join, options.merge) = (Some("ALL".to_owned()), true);
    });
    for (names, options, is_usage, says) in [
        (["reed.amo"].as_slice(), &join, true, "only TMD ANM files can be joined"),
        (&["reed.amo", "WALK.ANM"], &join, true, "only TMD ANM files can be joined"),
        (&["WALK.ANM", "RUN.ANM"], &both, true, "only TMD ANM files can be joined"),
        (&["reed.amo", "reed.amo"], &plain, true, apart),
        (&["RABBIT.TMD", "reed.amo"], &plain, true, apart),
        (&["lamp.stt", "lamp.stt"], &plain, true, apart),
        (&[], &merge, true, "0 inputs"),
        (&["reed.amo", "lamp.stt"], &merge, true, "exists only in this file"),
        (&["RABBIT.TMD", "RABBIT.TMD"], &plain, true, "2 of the inputs are models"),
        (&["RABBIT.TMD"], &options("tmd-anm", &[], |_| ()), false, "add a TMD ANM"),
        (&["RABBIT.TMD"], &join, false, "add a TMD ANM"),
        (&["robot.gltf"], &far, false, "no such animation"),
        (&["WALK.ANM"], &far, false, "no such animation"),
        (&["animations/door.castle-anim-frames"], &far, false, "no such animation"),
    ] {
        let error = made(names, options).unwrap_err();
        assert_eq!(error.is_usage(), is_usage, "{error}");
        assert!(error.to_string().contains(says), "{error}");
    }
    // Different rates are a conversion error rather than a usage error, and the error suggests an
    // option.
    let mut parts = vec![part("WALK.ANM"), part("WALK.ANM")];
    let mut other = parts[0].parsed.value.to_bytes().into_owned();
    other[2] += 1;
    parts[1].parsed = parse_bytes(other, Some("x.anm"), &LoadOptions::default()).unwrap();
    let made = assemble(parts, &options("tmd-anm", &[], |_| ())).unwrap();
    let Content::Written(Err(error)) = made.content else { panic!() };
    assert_eq!(error.help(), Some("set the rate of the result with --rate"), "{error}");
}

/// Checks which parts are written to separate files if the output is a folder.
#[test]
fn pieces_of_files() {
    let pieces_of = |names: &[&str], to: &str, join: Option<&str>| {
        let parts: Vec<Part<'_>> = names.iter().map(|name| part(name)).collect();
        let documents: Vec<(&str, &AnyDocument<'_>)> =
            parts.iter().map(|part| (part.name.as_str(), &part.parsed.value)).collect();
        pieces(&documents, format(to), join)
    };
    let all = ["RABBIT.TMD", "WALK.ANM", "RUN.ANM"];
    let each = Pieces::Each(vec!["WALK".to_owned(), "RUN".to_owned()]);
    assert_eq!(pieces_of(&all, "tmd-anm", None), Some(each));
    let packed = |name: &str| Some(Pieces::Packed(name.to_owned()));
    assert_eq!(pieces_of(&all, "tmd-anm", Some("ALL")), packed("ALL"));
    assert_eq!(pieces_of(&all[1..], "tmd-anm", None), packed("WALK"));
    assert_eq!(pieces_of(&all, "glb", None), None);
    assert_eq!(pieces_of(&["reed.amo"], "amo", None), None);
    let door = pieces_of(&["animations/door.castle-anim-frames"], "castle", None);
    let Some(Pieces::Each(names)) = door else { panic!("{door:?}") };
    assert!(!names.is_empty());
}
