//! `animfmt split`: splits a long take into the clips of an ANM text.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use test_oracle::anm_text::generate::{self, Layout};
use test_oracle::anm_text::{self, Bone, FRAMES_PER_SECOND, Tree};
use test_oracle::glb;
use test_oracle::random::Rng;

use crate::program::{self, Folder, assert_runs, fixture, list, strings};
use crate::puppet::{Keys, Puppet, at_frame, channels, clips, notes};

/// Compares a GLB with the result of the oracle. Returns the key and event counts.
fn assert_cut(
    puppet: &Puppet,
    text: &str,
    options: anm_text::Options,
    rebased: bool,
    glb: &[u8],
) -> (usize, usize) {
    let tree = puppet.tree();
    let bound = anm_text::bind(&anm_text::parse(text), &tree, &options);
    let mut found = clips(glb);
    let (mut keys, mut events) = (0, 0);
    for (set, clip) in bound.iter().flat_map(|set| set.clips.iter().map(move |clip| (set, clip))) {
        let name = format!("{}/{}", set.name, clip.name);
        let Some(range) = clip.range else {
            assert!(!found.contains_key(&name), "{name} has no content, but was written\n{text}");
            continue;
        };
        let cut = found.remove(&name).unwrap_or_else(|| panic!("{name} is missing\n{text}"));
        let start = f64::from(range[0] as f32);
        let moved = |time: f32| if rebased { (f64::from(time) - start) as f32 } else { time };
        let mut expected = BTreeMap::new();
        for track in &puppet.takes[0].1 {
            let Bone { name, keys: all, .. } = &tree.bones[track.bone];
            let Some(kept) = clip.keys.get(name) else { continue };
            let times: BTreeSet<u64> = kept.iter().map(|key| all[*key].to_bits()).collect();
            let bits = track.bits(|time| times.contains(&f64::from(time).to_bits()), moved);
            if !bits.0.is_empty() {
                keys += bits.0.len();
                expected.insert((name.clone(), track.path.to_owned()), bits);
            }
        }
        let found = if expected.is_empty() { BTreeMap::new() } else { channels(glb, &cut) };
        assert!(found == expected, "{name}\n{:?}\n{:?}\n{text}", found.keys(), expected.keys());
        let seconds = |value: &Value| (value.as_f64().unwrap() as f32).to_bits();
        assert_eq!(
            [&notes(&cut)["start"], &notes(&cut)["end"]].map(seconds),
            range.map(|time| moved(time as f32).to_bits()),
            "{name}\n{text}"
        );
        let happens = notes(&cut)["events"].as_array().into_iter().flatten();
        let mut happens: Vec<_> = happens
            .map(|event| (seconds(&event["time"]), event["name"].as_str().unwrap().to_owned()))
            .collect();
        let time_of =
            |event: &anm_text::Event| moved((event.time / FRAMES_PER_SECOND) as f32).to_bits();
        let mut expected: Vec<_> =
            clip.events.iter().map(|event| (time_of(event), event.name.clone())).collect();
        happens.sort();
        expected.sort();
        assert_eq!(happens, expected, "{name}\n{text}");
        events += expected.len();
    }
    assert!(found.is_empty(), "{:?}\n{text}", found.keys());
    (keys, events)
}

fn example() -> String {
    String::from_utf8(fixture("../anm-text/ok/example.anm")).unwrap()
}

/// Returns a folder with a puppet and the example text, and the puppet.
fn workshop(interpolation: &'static str) -> (Folder, Puppet) {
    let (folder, puppet) = (Folder::new(), Puppet::sparse(interpolation));
    folder.write("puppet.glb", puppet.glb());
    folder.write("cuts.anm", example());
    (folder, puppet)
}

/// Keys keep the bits of their times and values, with any interpolation.
#[test]
fn the_example_on_a_puppet() {
    for interpolation in ["STEP", "LINEAR", "CUBICSPLINE"] {
        let (folder, puppet) = workshop(interpolation);
        let run = folder.run("split puppet.glb cuts.anm -o cut.glb").exits(0);
        // Differences from the take are reported.
        run.err_has("loss[split-open]: animation `Arm/wave`");
        let options = anm_text::Options::default();
        let (keys, events) =
            assert_cut(&puppet, &example(), options, false, &folder.read("cut.glb"));
        assert!(keys > 200 && events == 3, "{keys} {events}");
        assert_eq!(
            folder.model("cut.glb").animation_names(),
            ["Arm/lift", "Arm/wave", "Head/nod", "Legs/walk", "Legs/trot", "Legs/run"]
        );
    }
}

/// Returns a model for a generated tree. The keys of a bone are divided between two properties.
fn puppet_of(rng: &mut Rng, tree: &Tree) -> Puppet {
    let mut take = Vec::new();
    for (bone, Bone { keys, .. }) in tree.bones.iter().enumerate() {
        let times: Vec<f32> = keys.iter().map(|key| *key as f32).collect();
        let (some, others) = times.split_at(times.len() / 2);
        for (path, times) in [("translation", some), ("rotation", others)] {
            if times.is_empty() {
                continue;
            }
            let interpolation = rng.pick(&["STEP", "LINEAR", "CUBICSPLINE"]);
            // A single step key at the start of a take is read as a constant, which has no time.
            let interpolation = if times.len() == 1 { "LINEAR" } else { interpolation };
            take.push(Keys::random(rng, bone, path, interpolation, times.to_vec()));
        }
    }
    let bones = tree.bones.iter().map(|bone| (bone.name.clone(), bone.parent));
    Puppet { bones: bones.collect(), takes: vec![("take", take)] }
}

#[test]
fn generated_cuts_of_generated_takes() {
    let folder = Folder::new();
    let (mut cut, mut keys, mut events) = (0, 0, 0);
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let tree = generate::tree(&mut rng, 2 + seed as usize % 15);
        let layout = Layout::ALL[seed as usize % 3];
        let layout = generate::Options { layout, ..Default::default() };
        let text = generate::file(&mut rng, &tree, &layout);
        let puppet = puppet_of(&mut rng, &tree);
        if puppet.takes[0].1.is_empty() {
            continue;
        }
        folder.write("puppet.glb", puppet.glb());
        folder.write("cuts.anm", &text);
        let options =
            anm_text::Options { direct_children: seed % 4 == 1, events_of_all_sets: seed % 4 == 2 };
        let rebased = seed % 3 == 0;
        let mut line = "split puppet.glb cuts.anm -o cut.glb --force".to_owned();
        for (on, switch) in [
            (options.direct_children, " --direct-children"),
            (options.events_of_all_sets, " --all-events"),
            (rebased, " --rebase"),
        ] {
            line += if on { switch } else { "" };
        }
        folder.run(&line).exits(0);
        let found = assert_cut(&puppet, &text, options, rebased, &folder.read("cut.glb"));
        (cut, keys, events) = (cut + 1, keys + found.0, events + found.1);
    }
    assert!(cut > 190 && keys > 4_000 && events > 2_000, "{cut} {keys} {events}");
}

/// Returns the largest difference between the bone matrices of the puppet in two poses. A pose is
/// given by a model, an animation and a time.
fn distance(places: [(&glb::Model, usize, f64); 2]) -> f64 {
    let far = |bone: Bone| {
        let [a, b] =
            places.map(|(model, animation, t)| model.node_world(Some(animation), &bone.name, t));
        program::distance(&a, &b)
    };
    generate::puppet().bones.into_iter().map(far).fold(0.0, f64::max)
}

const WHOLE: &str =
    "as All\nbl root +children\nan 0 20 begin\nan 33 61 middle\nan 40 40 moment\nan 58 200 end\n";

/// If all bones have keys at the same times, the poses at these times are exact.
#[test]
fn poses_at_keys_match_the_take() {
    for interpolation in ["STEP", "LINEAR", "CUBICSPLINE"] {
        let folder = Folder::new();
        let mut rng = Rng::new(3);
        let times: Vec<f32> = (0..=20).map(|key| at_frame(key * 5)).collect();
        let keys = (0..20).map(|track| {
            let path = if track % 2 == 0 { "rotation" } else { "translation" };
            Keys::random(&mut rng, track / 2, path, interpolation, times.clone())
        });
        folder.write("puppet.glb", Puppet::new(vec![("take", keys.collect())]).glb());
        folder.write("cuts.anm", WHOLE);
        folder.run("split puppet.glb cuts.anm -o cut.glb").exits(0).err_lacks("split-open");
        let (take, cut) = (folder.model("puppet.glb"), folder.model("cut.glb"));
        let mut keys: Vec<Vec<f64>> = (0..4).map(|animation| cut.key_times(animation)).collect();
        assert_eq!(keys.iter().map(Vec::len).collect::<Vec<_>>(), [5, 6, 2, 9]);
        // The pose is held, so that the animation has a duration.
        keys[2].truncate(1);
        for (animation, keys) in keys.iter().enumerate() {
            for t in keys {
                let far = distance([(&take, 0, *t), (&cut, animation, *t)]);
                assert!(far < 1e-6, "{interpolation}, {animation} at {t}");
            }
        }
    }
}

/// With keys at the borders, the clip matches the take at all times.
#[test]
fn with_borders_every_pose_matches_the_take() {
    let both = ["rotation", "translation"];
    assert_poses_stay(&Puppet::moving("STEP", &both), 1e-5);
    assert_poses_stay(&Puppet::moving("LINEAR", &both), 1e-5);
    assert_poses_stay(&Puppet::moving("CUBICSPLINE", &["translation"]), 1e-5);
}

/// A part of a cubic rotation curve can end at a quaternion that is not of unit length, which glTF
/// does not allow. The curve written instead must be close.
#[test]
fn with_borders_cubic_rotations_are_close_to_the_take() {
    assert_poses_stay(&Puppet::moving("CUBICSPLINE", &["rotation"]), 1e-3);
    // Keys that alternate between a quaternion and its negative, as written by some exporters:
    // the curve between them passes near zero.
    let mut puppet = Puppet::moving("CUBICSPLINE", &["rotation"]);
    for keys in &mut puppet.takes[0].1 {
        keys.values.chunks_exact_mut(12).step_by(2).flatten().for_each(|x| *x = -*x);
    }
    assert_poses_stay(&puppet, 1e-3);
}

fn assert_poses_stay(puppet: &Puppet, tolerance: f64) {
    let folder = Folder::new();
    folder.write("puppet.glb", puppet.glb());
    folder.write("cuts.anm", WHOLE);
    // No border problems remain.
    folder.run("split puppet.glb cuts.anm --borders -o cut.glb").exits(0).err_lacks("border");
    // In a folder, the output is named after the model.
    folder.run("split puppet.glb cuts.anm --borders -o into/ --to glb").exits(0);
    assert_eq!(folder.read("into/puppet.glb"), folder.read("cut.glb"));
    folder.run("split puppet.glb cuts.anm --borders --rebase -o rebased.glb").exits(0);
    folder.run("split puppet.glb cuts.anm -o open.glb").exits(0);
    let [take, cut, rebased, open] =
        ["puppet.glb", "cut.glb", "rebased.glb", "open.glb"].map(|name| folder.model(name));
    let mut rng = Rng::new(1);
    let mut off = 0.0_f64;
    for animation in [0, 1, 3] {
        let keys = cut.key_times(animation);
        let (start, end) = (keys[0], keys[keys.len() - 1]);
        for t in (0..200).map(|_| rng.range(start, end)) {
            let far = |model, t_there| distance([(&take, 0, t), (model, animation, t_there)]);
            // The times of moved keys are rounded, so they may be slightly earlier or later.
            for (far, most) in
                [(far(&cut, t), tolerance), (far(&rebased, t - start), tolerance + 1e-4)]
            {
                assert!(far < most, "{animation} at {t}: {far}");
            }
            off = off.max(far(&open, t));
        }
    }
    assert!(off > 0.1, "without borders, the clip does not match the take: {off}");
}

/// Returns two bones: one with keys at frames 0, 12, … 72, the other with keys six frames later.
fn two_bones() -> Puppet {
    let mut rng = Rng::new(5);
    let bones = [("arm".to_owned(), None), ("hand".to_owned(), Some(0))];
    let take = [0, 1].map(|bone| {
        let times = (0..=6).map(|key| at_frame(key * 12 + bone * 6)).collect();
        Keys::random(&mut rng, bone, "rotation", "LINEAR", times)
    });
    Puppet { bones: bones.into(), takes: vec![("long", take.into())] }
}

fn two_bones_with(cuts: &str) -> Folder {
    let folder = Folder::new();
    folder.write("arm.glb", two_bones().glb());
    folder.write("cuts.anm", cuts);
    folder
}

/// `--rebase` moves the first key or event to 0, and everything else by the same amount.
#[test]
fn rebase() {
    let folder = two_bones_with(
        "as A\nbl arm\nev 20 early\nev 30 late\nan 18 50 key_first\nan 21 50 event_last\nan 61 71 \
         nothing\nan 19 23 event_only\n",
    );
    folder.run("split arm.glb cuts.anm -o there.glb").exits(0);
    folder.run("split arm.glb cuts.anm --rebase -o rebased.glb").exits(0);
    for (glb, name, range, keys, events) in [
        (
            "there",
            "A/key_first",
            [20.0, 48.0],
            [24.0, 36.0, 48.0].as_slice(),
            [20.0, 30.0].as_slice(),
        ),
        ("rebased", "A/key_first", [0.0, 28.0], &[4.0, 16.0, 28.0], &[0.0, 10.0]),
        ("rebased", "A/event_last", [0.0, 24.0], &[0.0, 12.0, 24.0], &[6.0]),
        ("rebased", "A/event_only", [0.0, 0.0], &[], &[0.0]),
    ] {
        let glb = folder.read(&format!("{glb}.glb"));
        let clip = &clips(&glb)[name];
        let frame = |seconds: f64| (seconds * 24.0).round();
        let [start, end] = ["start", "end"].map(|field| notes(clip)[field].as_f64().unwrap());
        assert_eq!([start, end].map(frame), range, "{name}");
        let animated = clip.get("channels").map(|_| channels(&glb, clip)).unwrap_or_default();
        let times = animated.into_values().flat_map(|(times, _)| times);
        let times: Vec<f64> = times.map(|bits| frame(f32::from_bits(bits).into())).collect();
        assert_eq!(times, keys, "{name}");
        let times = list(&notes(clip)["events"]).iter();
        let times: Vec<f64> = times.map(|event| frame(event["time"].as_f64().unwrap())).collect();
        assert_eq!(times, events, "{name}");
    }
}

/// Tests the options for the frame rate, the children of bones, and the scope of events.
#[test]
fn options_affect_the_clips() {
    let (folder, _) = workshop("LINEAR");
    folder.write(
        "cuts.anm",
        "as A\nbl shoulder +children\nan 0 30 a\nas B\nbl neck\nev 6 x\nan 0 30 b\n",
    );
    // Returns the animated bones and the extras of the clip.
    let made = |options: &str| {
        let line = format!("split puppet.glb cuts.anm -o cut.glb --force -q{options}");
        folder.run(&line).exits(0);
        let glb = folder.read("cut.glb");
        let clip = &clips(&glb)["A/a"];
        let bones: BTreeSet<String> =
            channels(&glb, clip).into_keys().map(|(bone, _)| bone).collect();
        (Vec::from_iter(bones).join(" "), notes(clip).clone())
    };
    let (bones, plain) = made("");
    assert_eq!(bones, "elbow hand shoulder thumb");
    assert_eq!((&plain["end"], plain.get("events")), (&1.25.into(), None));
    assert_eq!(made(" --direct-children").0, "elbow shoulder");
    assert_eq!(made(" --all-events").1["events"], json!([{"time": 0.25, "name": "x"}]));
    // At 30 frames per second, the 30 frames of the clip last for one second.
    assert_eq!(made(" --fps 30").1["end"], 1.0);
    for refused in ["--fps 0", "--fps nan", "--fps -24"] {
        folder.run(&format!("split puppet.glb cuts.anm -o x.glb {refused}")).exits(2);
    }
}

/// If the model has several takes, one must be named; the other takes are kept.
#[test]
fn takes() {
    let folder = two_bones_with("as A\nbl arm +children\nan 0 24 cut\n");
    let mut puppet = two_bones();
    let take = puppet.takes[0].1.clone();
    puppet.takes = vec![("first", take.clone()), ("second", take)];
    folder.write("two.glb", puppet.glb());
    let refused = folder.run("split two.glb cuts.anm -o x.glb").exits(2);
    refused.err_has("first").err_has("second").err_has("--take");
    let refused = folder.run("split two.glb cuts.anm --take third -o x.glb").exits(2);
    refused.err_has("first").err_has("second").err_has("third");
    assert!(!folder.path("x.glb").exists());
    folder.run("split two.glb cuts.anm --take second -o cut.glb").exits(0);
    assert_eq!(folder.model("cut.glb").animation_names(), ["first", "A/cut"]);
    assert_eq!(folder.model("cut.glb").key_times(0), folder.model("two.glb").key_times(0));
    folder.run("split two.glb cuts.anm --take #1 -o numbered.glb").exits(0);
    assert_eq!(folder.model("numbered.glb").animation_names(), ["second", "A/cut"]);
    // If there is only one take, naming it is optional.
    folder.run("split arm.glb cuts.anm --take long -o one.glb").exits(0);
}

/// Splits a model in another format, a model with a companion file, and a model from standard
/// input.
#[test]
fn models_of_other_formats() {
    let folder = two_bones_with("as A\nbl arm\nan 0 24 cut\n");
    let (json, bin) = two_bones().gltf("arm.bin");
    folder.write("arm.gltf", json);
    folder.write("arm.bin", bin);
    folder.run("split arm.gltf cuts.anm -o from_gltf.glb").exits(0);
    folder.run("split arm.glb cuts.anm -o from_glb.glb").exits(0);
    assert_eq!(folder.read("from_gltf.glb"), folder.read("from_glb.glb"));
    let model = "ao flag\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvj 1 0 0 0\nvw 1 0 0 0\nf 1///1/1 2///1/1 \
                 3///1/1\nj arm -1\n";
    folder.write("flag.amo", format!("{model}a wave\nap 0 1 0 0 0\nap 1 1 0 5 0\nap 2 1 0 9 0\n"));
    folder.run("split flag.amo cuts.anm -o from_amo.glb").exits(0);
    let model = folder.model("from_amo.glb");
    assert_eq!(model.animation_names(), ["A/cut"]);
    assert_eq!(model.key_times(0), [0.0, 1.0]);
    assert_eq!(model.triangles_at(Some(0), 2.0)[0][0], [0.0, 5.0, 0.0]);
}

#[test]
fn outputs_in_other_formats() {
    let folder = two_bones_with("as A\nbl arm +children\nan 0 24 one\n");
    folder.write("two.anm", "as A\nbl arm +children\nan 0 24 one\nan 30 60 two\n");
    folder.run("split arm.glb cuts.anm -o file.glb").exits(0);
    let piped = folder.run("split arm.glb cuts.anm -o - --to glb -q").exits(0);
    assert_eq!(piped.output.stdout, folder.read("file.glb"));
    folder.run("split arm.glb cuts.anm -o cut.gltf").exits(0);
    let cut = glb::read_parts(&folder.read("cut.gltf"), &folder.read("cut.bin"));
    assert_eq!(cut.animation_names(), ["A/one"]);
    folder.run("split arm.glb cuts.anm -o one.cast").exits(0);
    assert!(folder.read("one.cast").starts_with(b"cast"));
    let refused = folder.run("split arm.glb two.anm -o two.cast").exits(1);
    refused.err_has("A/one").err_has("A/two");
    // The suggested options exist.
    for option in refused.stderr().split([' ', ';', ',']).filter(|word| word.starts_with("--")) {
        folder.run("split --help").out_has(option.trim_end());
    }
    assert!(!folder.path("two.cast").exists());
    folder.run("split arm.glb two.anm -o two.amo").exits(0);
    assert_eq!(list(&folder.info("two.amo")["clips"]).len(), 2);
    folder.run("split arm.glb cuts.anm -o split.glb --json").exits(0).json("convert");
}

/// Inputs and existing files are not overwritten.
#[test]
fn outputs_are_guarded() {
    let folder = two_bones_with("as A\nbl arm +children\nan 0 24 one\n");
    folder.write("there.glb", "mine");
    folder.run("split arm.glb cuts.anm -o there.glb").exits(2);
    assert_eq!(folder.text("there.glb"), "mine");
    let before = ["arm.glb", "cuts.anm"].map(|name| folder.read(name));
    for output in ["arm.glb", "./arm.glb", "cuts.anm --to glb"] {
        let line = format!("split arm.glb cuts.anm --force -o {output}");
        folder.run(&line).exits(2).err_has("is an input");
    }
    assert_eq!(["arm.glb", "cuts.anm"].map(|name| folder.read(name)), before);
    folder.run("split arm.glb cuts.anm --force -o there.glb").exits(0);
    assert_eq!(folder.names(""), ["arm.glb", "cuts.anm", "there.glb"]);
}

/// Inputs that cannot be split: each message names the file to blame.
#[test]
fn inputs_that_cannot_be_split() {
    let folder = two_bones_with("as A\nbl arm +children\nan 0 24 one\n");
    folder.write("still.glb", Puppet { takes: Vec::new(), ..two_bones() }.glb());
    folder.write("ini.anm", "[Animation]\nframes = 12\n");
    folder.write("empty.anm", "");
    folder.write("late.anm", "as A\nbl arm\nan 500 600 never\nan 700 800 neither\n");
    folder.write("states.stt", "#MINDRENDER 1.1 1 {s} SINGLE 1 {arm} STATIC 1 2 3 4 5 6 40 50 60");
    folder.write("objects.tmd", fixture("../tmd/ok/ten_objects.tmd"));
    for (model, cuts, status, at_fault) in [
        ("arm.glb", "ini.anm", 1, "ini.anm"),
        ("arm.glb", "empty.anm", 1, "empty.anm"),
        ("arm.glb", "none.anm", 2, "none.anm"),
        ("arm.glb", "arm.glb", 1, "arm.glb"),
        ("arm.glb", "late.anm", 1, "arm.glb"),
        ("none.glb", "cuts.anm", 2, "none.glb"),
        ("still.glb", "cuts.anm", 1, "still.glb"),
        ("objects.tmd", "cuts.anm", 1, "objects.tmd"),
        ("states.stt", "cuts.anm", 1, "states.stt"),
    ] {
        let run = folder.run(&format!("split {model} {cuts} -o x.glb")).exits(status);
        let last = run.stderr().lines().last().unwrap();
        assert!(last.starts_with(&format!("error: {at_fault}: ")), "{model} {cuts}: {last}");
        assert!(!last.contains("--take"), "choosing a take does not help {model}: {last}");
    }
    assert!(!folder.path("x.glb").exists());
}

/// Problems in the text, or in applying it to the model, have locations; the rest is split.
#[test]
fn problems_have_locations() {
    let text = "as A\nbl nobody +children\nbl arm +parent\nbl hand\nev 7 x\nan 0 24 one\nan 500 \
                600 never\nan 5 oops wrong\n";
    let folder = two_bones_with(text);
    assert_runs!(
        "split_problems",
        [
            "split arm.glb cuts.anm -o cut.glb",
            "split arm.glb cuts.anm -o strict.glb --strict",
            "split arm.glb cuts.anm -o quiet.glb --quiet",
        ]
        .map(|line| folder.run(line).exits(1))
    );
    assert!(!folder.path("strict.glb").exists());
    assert_eq!(folder.model("cut.glb").animation_names(), ["A/one"]);
    let json = folder.run("split arm.glb cuts.anm -o split.glb --json").exits(1).only("convert");
    let counts = &json["totals"];
    assert_eq!(*counts, json!({"errors": 2, "warnings": 2, "notes": 0, "losses": 1}));
}

/// `info` shows the clips and their events.
#[test]
fn info_shows_cut_clips() {
    let (folder, _) = workshop("LINEAR");
    folder.run("split puppet.glb cuts.anm -o cut.glb -q").exits(0);
    let clips = &folder.info("cut.glb")["clips"];
    assert_eq!(
        strings(clips, "name"),
        ["Arm/lift", "Arm/wave", "Head/nod", "Legs/walk", "Legs/trot", "Legs/run"]
    );
    let events = list(clips).iter().map(|clip| clip["events"].as_array().map_or(0, Vec::len));
    assert_eq!(events.collect::<Vec<_>>(), [1, 0, 0, 2, 0, 0]);
    folder.run("info cut.glb").exits(0).out_has("wave_begins at 2 s");
}

/// Clips record their ranges: converted back to ANM text, they split the take at the same times.
#[test]
fn cut_clips_convert_back_to_anm_text() {
    let (folder, puppet) = workshop("LINEAR");
    let cut = |text: &str| {
        anm_text::bind(&anm_text::parse(text), &puppet.tree(), &anm_text::Options::default())
    };
    folder.run("split puppet.glb cuts.anm -o again.anm --to anm-text").exits(0);
    folder.run("split puppet.glb cuts.anm -o cut.glb").exits(0);
    folder.run("convert cut.glb -o back.anm --to anm-text").exits(0);
    // Written directly, and converted from a GLB.
    for name in ["again.anm", "back.anm"] {
        assert_eq!(cut(&folder.text(name)), cut(&example()), "{}", folder.text(name));
    }
}

/// A template renames clips for this program as for others, as its help and docs/gltf.md say.
#[test]
fn clip_names_follow_a_template() {
    let folder = Folder::with(&[
        ("robot.gltf", "../cookbook/robot.gltf"),
        ("cuts.anm", "../cookbook/cuts.anm"),
        ("lamp.stt", "../cookbook/lamp.stt"),
    ]);
    let help = folder.run("convert --help").exits(0);
    let help = help.stdout().split_whitespace().collect::<Vec<_>>().join(" ");
    let docs = String::from_utf8(fixture("../../docs/gltf.md")).unwrap();
    folder.run("split robot.gltf cuts.anm robot.glb -q").exits(0);
    for (option, of_set, alone) in [
        (None, ["Body/walk", "Arm/wave"], "calm"),
        (Some("{clip}"), ["walk", "wave"], "calm"),
        (Some("{set}_{clip}"), ["Body_walk", "Arm_wave"], "calm"),
        (Some("robot_{clip}"), ["robot_walk", "robot_wave"], "robot_calm"),
    ] {
        let template = option.map_or(String::new(), |text| format!(" --clip-names {text}"));
        folder.run(&format!("split robot.gltf cuts.anm r.glb -q --force{template}")).exits(0);
        assert_eq!(folder.model("r.glb").animation_names(), of_set);
        let info = folder.info("r.glb");
        assert_eq!(strings(&info["clips"], "name"), of_set);
        folder.run(&format!("sample r.glb --clip {} --at 0", of_set[0])).exits(0);
        folder.run("diff robot.glb r.glb").exits(i32::from(option.is_some()));
        folder.convert(&format!("lamp.stt lamp.glb -q{template} --force")).exits(0);
        assert_eq!(folder.model("lamp.glb").animation_names()[0], alone);
        assert_eq!(folder.info("lamp.glb")["clips"][0]["name"], alone);

        let shown = option.map_or("none".to_owned(), |text| format!("`{text}`"));
        let without = alone.replace("calm", "walk");
        let row = format!("| {shown} | `{}` | `{without}` |", of_set[0]);
        assert!(docs.contains(&row), "{row}");
        if let Some(text) = option.filter(|text| *text != "{clip}") {
            let (_, after) = help.split_once(&format!("'{text}'")).unwrap();
            assert!(
                after.contains(&format!("`{}`", of_set[0])) && after.contains(&without),
                "{help}"
            );
        }
    }
}

/// A single clip needs no placeholder in the template.
#[test]
fn a_single_clip_can_be_named() {
    let folder = Folder::with(&[("robot.gltf", "../cookbook/robot.gltf")]);
    folder.convert("robot.gltf one.glb --clip-names stroll -q").exits(0);
    assert_eq!(folder.model("one.glb").animation_names(), ["stroll"]);
    assert_eq!(strings(&folder.info("one.glb")["clips"], "name"), ["stroll"]);
    folder.write("cuts.anm", fixture("../cookbook/cuts.anm"));
    let several = folder.run("split robot.gltf cuts.anm two.glb --clip-names stroll").exits(1);
    several.err_has("invalid clip names: `stroll` would give 2 clips the same name; list 2 names");
    several.err_has("or add `{clip}` for the clip's name, as in `stroll_{clip}`");
    folder.run("split robot.gltf cuts.anm two.glb --clip-names march,greet -q").exits(0);
    assert_eq!(folder.model("two.glb").animation_names(), ["march", "greet"]);
    let three = "split robot.gltf cuts.anm x.glb --clip-names a,b,c";
    folder.run(three).exits(1).err_has("`a,b,c` is not a list of 2 names, one for each clip");
}

/// A clip that starts late is pointed out, except where it is not late.
#[test]
fn late_clips_are_noted() {
    let folder = Folder::with(&[
        ("robot.gltf", "../cookbook/robot.gltf"),
        ("cuts.anm", "../cookbook/cuts.anm"),
    ]);
    let run = folder.run("split robot.gltf cuts.anm late.glb").exits(0);
    run.err_has("note[split-starts-late]: `Arm/wave` starts at 2.25 s, and players show a still");
    run.err_has("use --rebase to start each clip at 0 s");
    for args in ["early.glb --rebase", "again.anm"] {
        folder.run(&format!("split robot.gltf cuts.anm {args}")).err_lacks("split-starts-late");
    }
}

/// A range that ends after the take, and one that begins there, are usually counted at another
/// rate.
#[test]
fn ranges_beyond_the_take() {
    let folder = Folder::with(&[("robot.gltf", "../cookbook/robot.gltf")]);
    // The take lasts 4.25 s, or 102 frames.
    folder.write("cuts.anm", "as Body\nbl hip +children\nan 0 103 whole\nan 60 480 stop\n");
    let run = folder.run("split robot.gltf cuts.anm cut.glb").exits(0);
    run.err_has(
        "warning[anm-text-beyond-take]: cuts.anm:4:11: the range of `stop` is cut short: the take \
         ends at 4.25 s, frame 480 at 24 per second is at 20 s (--fps)",
    );
    run.err_lacks("`whole`");
    folder.run("split robot.gltf cuts.anm fast.glb --fps 120").exits(0).err_lacks("beyond");
    folder.write("cuts.anm", "as Body\nbl hip +children\nan 0 100 whole\nan 480 500 late\n");
    let run = folder.run("split robot.gltf cuts.anm late.glb").exits(0);
    run.err_has(
        "no keys or events from frame 480 to frame 500 for `late`; the take ends at 4.25 s",
    );
}

/// A folder for an output that could not be written is not left behind.
#[test]
fn a_failed_split_leaves_no_folder() {
    let folder = Folder::with(&[("arm.amo", "ok/octopus_arm.amo")]);
    folder.write("cuts.anm", "as Arm\nbl nothing\nan 0 1 wave\n");
    folder.run("split arm.amo cuts.anm -o out/ --to bvh").exits(2).err_has("several takes");
    assert!(!folder.path("out").exists());
}
