//! `animfmt convert --merge` of files with the same skeleton.

use std::fs;

use crate::program::{Folder, distance, list, local, strings};

/// Returns a BVH take of two bones, in which the hips turn by this angle.
fn take(degrees: u32) -> String {
    format!(
        "HIERARCHY\nROOT Hips\n{{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT \
         Knee\n{{\nOFFSET 0 5 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{{\nOFFSET 0 \
         4 0\n}}\n}}\n}}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0 0 0 0\n{degrees} 0 0 0 0 0\n"
    )
}

fn takes() -> Folder {
    let folder = Folder::new();
    for (number, name) in (1..).zip(["walk", "run", "jump", "turn", "sit", "wave"]) {
        folder.write(&format!("takes/{name}.bvh"), take(10 * number));
    }
    folder
}

const NAMES: [&str; 6] = ["jump", "run", "sit", "turn", "walk", "wave"];

/// A folder whose files were merged is not compared file by file.
#[test]
fn diff_of_folders_suggests_the_merged_file() {
    let folder = Folder::new();
    for name in ["bird/walk.bvh", "bird/fly.bvh", "fish/swim.bvh", "fish/turn.bvh"] {
        folder.write(&format!("in/{name}"), take(30));
    }
    folder.convert("in --merge -o out/ --to glb -q").exits(0);
    let run = folder.run("diff in out").exits(1);
    let (_, command) = run.stdout().rsplit_once("merged file: animfmt ").expect("a help line");
    assert_eq!(command, "diff in/bird out/bird.glb\n");
    folder.run(command.trim()).exits(0);
    folder.run("diff out in").out_has("merged file: animfmt diff out/bird.glb in/bird\n");
}

/// The frames of each file are meshes of their own, and a scene has those of one file only.
#[test]
fn frames_are_not_merged_with_other_formats() {
    let folder = Folder::new();
    let frames = |name: &str, tops: &[u8]| -> String {
        let frame = |(time, top): (usize, &u8)| {
            format!(
                "<frame time='{time}'><X3D><Scene><Shape><IndexedFaceSet coordIndex='0 1 2'>\
                 <Coordinate point='0 0 0 1 0 0 0 {top} 0'/></IndexedFaceSet></Shape></Scene>\
                 </X3D></frame>"
            )
        };
        let frames: String = tops.iter().enumerate().map(frame).collect();
        format!("<animation name='{name}'>{frames}</animation>")
    };
    folder.write("a.kanim", frames("a", &[1, 2]));
    folder.write("b.kanim", frames("b", &[1, 3, 2]));
    folder.run("convert b.kanim -o c.x3d -q").exits(0);
    folder.run("convert a.kanim b.kanim --merge -o two.glb").exits(0).err_has("2 merged");
    let run = folder.run("convert a.kanim b.kanim c.x3d --merge -o all.glb").exits(2);
    run.err_has(
        "the frames of `a` can only be merged with other castle-anim-frames, but `c` is X3D",
    );
    assert!(!folder.path("all.glb").exists());
    folder.run("convert . --from castle --merge -o castle.glb").exits(0).err_has("2 merged");
}

#[test]
fn takes_become_clips_of_one_skeleton() {
    let folder = takes();
    let run = folder.convert("takes --merge -o all.glb").exits(0);
    run.err_has("6 files: 6 merged");
    let info = folder.info("all.glb");
    assert_eq!(strings(&info["clips"], "name"), NAMES);
    assert_eq!(list(&info["skeletons"]).len(), 1);
    assert_eq!(list(&info["skeletons"][0]["joints"]).len(), 3);
    // Each clip has the motion of its own file.
    for name in NAMES {
        folder.convert(&format!("all.glb one.glb --clip {name} --force -q")).exits(0);
        folder.run(&format!("diff takes/{name}.bvh one.glb")).exits(0);
    }
    // The same works from GLB files, and to other formats.
    folder.convert("takes -o glb --to glb -q").exits(0);
    folder.convert("glb --merge -o again.glb -q").exits(0);
    folder.run("diff all.glb again.glb").exits(0);
    folder.convert("takes --merge -o all.amo -q").exits(0);
    assert_eq!(strings(&folder.info("all.amo")["clips"], "name"), NAMES);
    folder.convert("takes --merge -o all.bvh").exits(1).err_has("choose one with --clip");
    folder.convert("takes --merge --clip sit -o sit.bvh -q").exits(0);
    folder.run("diff takes/sit.bvh sit.bvh").exits(0);
}

/// A model and takes for its skeleton become one animated model; clips with the same name are named
/// after their files.
#[test]
fn models_and_takes_are_merged() {
    let folder = Folder::with(&[
        ("a.amo", "ok/octopus_arm.amo"),
        ("octopus_arm.mtl", "ok/octopus_arm.mtl"),
        ("octopus_arm.png", "ok/octopus_arm.png"),
    ]);
    let text = folder.text("a.amo");
    let clips: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("a ")).collect();
    assert!(clips.len() == 2 && clips[0] == "wave");
    folder.write("b.amo", &text);
    let vertex = text.lines().find(|line| line.starts_with("v ")).unwrap();
    let other = text.replacen(vertex, "v 9 9 9", 1);
    folder.write("c.amo", other.replace("\na wave\n", "\na greet\n"));
    let run = folder.convert("a.amo b.amo c.amo --merge -o all.glb").exits(0);
    run.err_has("note[merge-clip-name]: b.amo: another file also has a clip named `wave`");
    run.err_has("[merge-meshes]: c.amo: the meshes, materials or cameras differ");
    run.err_lacks("[merge-meshes]: b.amo");
    let info = folder.info("all.glb");
    let named = |file: &str, clip: usize| format!("{file}_{}", clips[clip]);
    let names =
        [named("a", 0), named("a", 1), named("b", 0), named("b", 1), "greet".into(), named("c", 1)];
    assert_eq!(strings(&info["clips"], "name"), names);
    assert_eq!(list(&info["skeletons"]).len(), 1);
    assert_eq!(list(&info["meshes"]).len(), 1);
    let json = folder.convert("a.amo b.amo c.amo --merge -o x.glb --json").exits(0).json("convert");
    let codes = strings(&json["files"][0]["losses"], "code");
    assert!(codes.contains(&"merge-meshes"), "{codes:?}");
}

/// The states of STT files become clips, which is reported for the file.
#[test]
fn states_become_clips() {
    let folder = Folder::with(&[("lamp.stt", "../cookbook/lamp.stt")]);
    folder.convert("lamp.stt moves.glb -q").exits(0);
    let states = list(&folder.info("lamp.stt")["state_machines"][0]["states"]).len();
    assert!(states > 1);
    let run = folder.convert("lamp.stt moves.glb --merge -o all.glb").exits(0);
    run.err_has("[merge-states]: lamp.stt: the states become clips");
    assert_eq!(list(&folder.info("all.glb")["clips"]).len(), 2 * states);
}

/// Problems in the inputs are reported and counted for their own file.
#[test]
fn problems_are_those_of_their_file() {
    let folder = takes();
    folder.write("takes/sit.bvh", take(5).replace("Frames: 2", "Frames: 9"));
    let run = folder.convert("takes --merge -o all.glb");
    assert!(run.stderr().contains("takes/sit.bvh:"), "{}", run.shown());
    assert_eq!(list(&folder.info("all.glb")["clips"]).len(), 6);
}

/// The error for different skeletons lists the files that can be merged, and how they differ.
#[test]
fn files_that_can_be_merged_are_listed() {
    let folder = takes();
    for name in ["swim", "dive"] {
        folder.write(&format!("takes/{name}.bvh"), take(5).replace("Knee", "Fin"));
    }
    folder.write("takes/tall.bvh", take(5).replace("OFFSET 0 5 0", "OFFSET 0 9 0"));
    let run = folder.convert("takes --merge -o all.glb").exits(2);
    run.err_has("takes/jump.bvh: cannot be merged with takes/dive.bvh, because the skeletons");
    run.err_has(
        "files that can be merged with each other:\n  2 files: dive.bvh, swim.bvh\n  6 files: \
         jump.bvh, run.bvh, sit.bvh, turn.bvh, … (compared with dive.bvh: joint `Knee` ",
    );
    run.err_has("\n  1 file: tall.bvh (compared with jump.bvh: joint `Knee` has a different ");
    // Two files that differ form no groups.
    let two = folder.convert("takes/dive.bvh takes/sit.bvh --merge -o all.glb").exits(2);
    two.err_lacks("files that can be merged");
}

/// With a folder as output, the files of each folder become one file.
#[test]
fn folders_are_merged_separately() {
    let folder = takes();
    folder.write("takes/animals/swim.bvh", take(5).replace("Knee", "Fin"));
    folder.write("takes/animals/dive.bvh", take(9).replace("Knee", "Fin"));
    let run = folder.convert("takes --merge --to glb -o out/").exits(0);
    run.err_has("8 files: 8 merged").err_lacks("help: ");
    assert_eq!(folder.names("out"), ["animals.glb", "takes.glb"]);
    assert_eq!(strings(&folder.info("out/takes.glb")["clips"], "name"), NAMES);
    assert_eq!(strings(&folder.info("out/animals.glb")["clips"], "name"), ["dive", "swim"]);
    // Several folders cannot become one file without an extension.
    folder.convert("takes --merge --to glb -o new -q").exits(0);
    assert_eq!(folder.names("new"), ["animals.glb", "takes.glb"]);
    fs::remove_file(folder.path("takes/animals/dive.bvh")).unwrap();
    fs::write(folder.path("takes/animals/swim.bvh"), take(5)).unwrap();
    let one = folder.convert("takes --merge -o one.glb").exits(0);
    one.err_has("help: the inputs are in several folders; use -o FOLDER/ to write a file for each");
}

/// A merged file is compared with the files it was made from, clip by clip.
#[test]
fn clips_are_compared_with_a_merged_file() {
    let folder = takes();
    folder.convert("takes --merge -o all.glb -q").exits(0);
    let alone = folder.run("diff takes/walk.bvh all.glb").exits(1);
    alone.out_has("clip `run`: only in all.glb").out_has("help: use --clip NAME");
    let one = folder.run("diff takes/walk.bvh all.glb --clip walk").exits(0);
    one.out_has("no differences (tolerance 0.001); 3 joints, 1 clip in both").out_lacks("help");
    folder.run("diff takes/walk.bvh all.glb --clip run").exits(1).out_has("only in all.glb");
    folder.run("diff takes/walk.bvh all.glb --clip wal").exits(2).err_has("did you mean `walk`?");

    let all = folder.run("diff takes all.glb").exits(0);
    all.out_has("walk.bvh: no differences").out_has("6 files: 6 equal");
    folder.run("diff all.glb takes").exits(0).out_has("6 files: 6 equal");
    folder.convert("takes --merge -o takes/all.glb -q").exits(0);
    folder.run("diff takes takes/all.glb").exits(0).out_has("6 files: 6 equal");
    fs::remove_file(folder.path("takes/all.glb")).unwrap();

    folder.write("takes/run.bvh", take(33));
    fs::remove_file(folder.path("takes/sit.bvh")).unwrap();
    folder.write("takes/still.amo", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let run = folder.run("diff takes all.glb").exits(1);
    run.out_has("run.bvh: 1 difference: clip `run`: `Hips`: pose differs most at 0.5 s");
    run.out_has("clip `sit`: only in all.glb");
    run.out_has("6 files: 4 equal, 1 without clips, 1 different; 1 clip only in all.glb");
    let json = folder.run("diff takes all.glb --json").exits(1).json("diff_folders");
    assert_eq!(json["only"], serde_json::json!([[], ["sit"]]));
    assert_eq!(list(&json["pairs"]).len(), 5);
}

#[test]
fn merged_clips_are_named() {
    let folder = takes();
    folder.convert("takes/run.bvh takes/sit.bvh --merge -o two.glb -q").exits(0);
    let inputs = "takes/walk.bvh two.glb --merge";
    for to in ["glb", "amo"] {
        let run = folder.convert(&format!("{inputs} --clip-names stroll,home -o all.{to}"));
        run.exits(0).err_lacks("no effect");
        let info = folder.info(&format!("all.{to}"));
        assert_eq!(strings(&info["clips"], "name"), ["stroll", "home_run", "home_sit"]);
    }
    for names in ["stroll", "stroll,", "a,b,c"] {
        let run = folder.convert(&format!("{inputs} --clip-names {names} -o x.glb")).exits(2);
        run.err_has("for 2 files; with --merge, list one name for each file, in this order: ");
    }
    folder.convert(&format!("{inputs} --clip-names x_{{clip}} -o x.glb -q")).exits(0);
    assert_eq!(strings(&folder.info("x.glb")["clips"], "name"), ["x_walk", "x_run", "x_sit"]);
}

/// `--fps` resamples the keys of a GLB; the motion stays the same.
#[test]
fn keys_of_a_glb_are_resampled() {
    let folder = Folder::new();
    let text = take(40).replace("Frames: 2\nFrame Time: 0.5\n", "Frames: 13\nFrame Time: 0.1\n");
    let rows: String = (0..11).map(|row| format!("{} 0 0 0 {row} 0\n", row * 3)).collect();
    folder.write("take.bvh", text + &rows);
    folder.convert("take.bvh -o whole.glb -q").exits(0);
    let run = folder.convert("take.bvh -o few.glb --fps 5").exits(0);
    run.err_has("note[ir-resampled]: keys resampled at 5 frames per second: ");
    run.err_lacks("no effect");
    let keys = |file: &str| folder.info(file)["clips"][0]["keys"].as_u64().unwrap();
    // 13 and 7 keys for each rotation.
    assert_eq!((keys("whole.glb") / 13, keys("whole.glb") % 13), (keys("few.glb") / 7, 0));
    assert_eq!(keys("few.glb") % 7, 0);
    let sample = |file: &str, at: &str| {
        let run = folder.run(&format!("sample {file} --at {at}")).exits(0);
        run.json("sample")["files"][0]["samples"][0]["joints"].clone()
    };
    for at in ["0", "0.4", "1.2"] {
        let [a, b] = ["whole.glb", "few.glb"].map(|file| sample(file, at));
        for (a, b) in list(&a).iter().zip(list(&b)) {
            assert!(distance(&local(a), &local(b)) < 1e-5, "{at}: {a} {b}");
        }
    }
    let length = |file: &str| folder.info(file)["clips"][0]["end"].as_f64().unwrap();
    assert_eq!(length("few.glb"), length("whole.glb"));
}
