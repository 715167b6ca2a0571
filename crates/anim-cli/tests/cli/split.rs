//! A long take cut into the clips of an ANM text: `animfmt split`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use test_oracle::anm_text::generate::{self, Layout};
use test_oracle::anm_text::{self, Bone, FRAMES_PER_SECOND, Tree};
use test_oracle::glb;
use test_oracle::random::Rng;

use crate::convert::glb_json;
use crate::{Run, assert_runs, command, names_in, testdata};

/// A folder for the files of a test.
pub(crate) struct Folder(pub(crate) tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    pub(crate) fn model(&self, name: &str) -> glb::Model {
        glb::read(&self.read(name))
    }

    /// Runs the program in the folder, with arguments in one string.
    pub(crate) fn run(&self, args: &str) -> Run {
        Run {
            line: args.to_owned(),
            output: command().args(args.split(' ')).current_dir(self.0.path()).output().unwrap(),
        }
    }
}

/// Keys of one property of a bone.
#[derive(Clone)]
pub(crate) struct Keys {
    bone: usize,
    path: &'static str,
    interpolation: &'static str,
    times: Vec<f32>,
    values: Vec<f32>,
}

impl Keys {
    pub(crate) fn random(
        rng: &mut Rng,
        bone: usize,
        path: &'static str,
        interpolation: &'static str,
        times: Vec<f32>,
    ) -> Keys {
        let tangent = if interpolation == "CUBICSPLINE" { width(path) } else { 0 };
        let mut values = Vec::new();
        for _ in &times {
            let mut numbers = |count: usize, most: f64| {
                (0..count).map(|_| rng.range(-most, most)).collect::<Vec<f64>>()
            };
            let mut value = numbers(width(path), 0.5);
            if path == "rotation" {
                value[3] = 1.0;
                let length = value.iter().map(|x| x * x).sum::<f64>().sqrt();
                value.iter_mut().for_each(|x| *x /= length);
            }
            values.extend(
                [numbers(tangent, 2.0), value, numbers(tangent, 2.0)]
                    .concat()
                    .into_iter()
                    .map(|x| x as f32),
            );
        }
        Keys { bone, path, interpolation, times, values }
    }

    /// Bits of times and values, of some keys. One alone has no tangents: glTF takes no curve of
    /// one key.
    fn bits(&self, keys: impl Fn(f32) -> bool, moved: impl Fn(f32) -> f32) -> Bits {
        let size = self.values.len() / self.times.len();
        let kept: Vec<usize> = (0..self.times.len()).filter(|key| keys(self.times[*key])).collect();
        let numbers = if kept.len() == 1 && size > width(self.path) {
            width(self.path)..2 * width(self.path)
        } else {
            0..size
        };
        let values = kept.iter().flat_map(|key| &self.values[key * size..][numbers.clone()]);
        (
            kept.iter().map(|key| moved(self.times[*key]).to_bits()).collect(),
            values.map(|x| x.to_bits()).collect(),
        )
    }
}

const fn width(path: &str) -> usize {
    if path.len() == "rotation".len() { 4 } else { 3 }
}

/// Bones and takes, written as glTF without the code under test.
pub(crate) struct Puppet {
    /// Names and parents.
    pub(crate) bones: Vec<(String, Option<usize>)>,
    pub(crate) takes: Vec<(&'static str, Vec<Keys>)>,
}

impl Puppet {
    /// Of the fixtures' puppet.
    pub(crate) fn new(takes: Vec<(&'static str, Vec<Keys>)>) -> Puppet {
        let bones = generate::puppet().bones.into_iter().map(|bone| (bone.name, bone.parent));
        Puppet { bones: bones.collect(), takes }
    }

    /// Rotations and translations of all bones of the puppet; each bone has keys at frames of its
    /// own.
    pub(crate) fn sparse(interpolation: &'static str) -> Puppet {
        Puppet::moving(interpolation, &["rotation", "translation"])
    }

    /// The same for these properties.
    fn moving(interpolation: &'static str, paths: &[&'static str]) -> Puppet {
        let mut rng = Rng::new(7);
        let times = |bone: usize, first: usize| {
            (0..)
                .map(|key| first + key * (3 + bone))
                .take_while(|frame| *frame <= 110)
                .map(at_frame)
                .collect()
        };
        let tracks = (0..generate::puppet().bones.len())
            .flat_map(|bone| paths.iter().enumerate().map(move |path| (bone, path)));
        let keys = tracks.map(|(bone, (number, path))| {
            Keys::random(&mut rng, bone, path, interpolation, times(bone, number * bone))
        });
        Puppet::new(vec![("take", keys.collect())])
    }

    /// Where its bones are and when those of a take have keys.
    fn tree(&self, take: usize) -> Tree {
        let bone = |(index, (name, parent)): (usize, &(String, Option<usize>))| {
            let keys = self.takes[take]
                .1
                .iter()
                .filter(|keys| keys.bone == index)
                .flat_map(|keys| &keys.times);
            let mut keys: Vec<f64> = keys.map(|time| f64::from(*time)).collect();
            keys.sort_by(f64::total_cmp);
            keys.dedup();
            Bone { name: name.clone(), parent: *parent, keys }
        };
        Tree { bones: self.bones.iter().enumerate().map(bone).collect() }
    }

    /// A `.gltf` file, with a buffer at that address.
    pub(crate) fn gltf(&self, uri: &str) -> (String, Vec<u8>) {
        let (mut document, bin) = self.document();
        document["buffers"][0]["uri"] = uri.into();
        (document.to_string(), bin)
    }

    pub(crate) fn glb(&self) -> Vec<u8> {
        let (document, bin) = self.document();
        let mut json = document.to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let u32 = |n: usize| u32::try_from(n).unwrap().to_le_bytes();
        let lengths = [&u32(12 + 8 + json.len() + 8 + bin.len())[..], &u32(json.len())].concat();
        [b"glTF\x02\0\0\0", &lengths[..], b"JSON", &json, &u32(bin.len()), b"BIN\0", &bin].concat()
    }

    /// Below a node `rig` that does nothing, with a triangle that hangs from the last bone.
    fn document(&self) -> (Value, Vec<u8>) {
        let mut content = Content::default();
        let last = u8::try_from(self.bones.len() - 1).unwrap();
        let positions = content.add("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        let joints = content.add_bytes(
            &[last, 0, 0, 0].repeat(3),
            json!({"componentType": 5121, "type": "VEC4", "count": 3}),
        );
        let weights = content.add("VEC4", 4, &[1.0, 0.0, 0.0, 0.0].repeat(3));
        let rig = self.bones.len();
        let mut nodes: Vec<Value> = self
            .bones
            .iter()
            .map(|(name, _)| json!({"name": name, "translation": [0, 1, 0]}))
            .collect();
        nodes.extend([json!({"name": "rig"}), json!({"name": "sleeve", "mesh": 0, "skin": 0})]);
        for (bone, (_, parent)) in self.bones.iter().enumerate() {
            let children = &mut nodes[parent.unwrap_or(rig)]["children"];
            match children {
                Value::Array(children) => children.push(bone.into()),
                _ => *children = json!([bone]),
            }
        }
        let animations: Vec<Value> =
            self.takes.iter().map(|(name, take)| content.animation(name, take)).collect();
        let mut document = json!({
            "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [rig, rig + 1]}],
            "nodes": nodes,
            "meshes": [{"name": "sleeve", "primitives": [{
                "attributes": {"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights},
                "material": 0,
            }]}],
            "materials": [{"name": "cloth", "pbrMetallicRoughness": {
                "baseColorFactor": [1.0, 0.5, 0.0, 1.0], "metallicFactor": 0.0,
            }}],
            "skins": [{"skeleton": rig, "joints": (0..rig).collect::<Vec<_>>()}],
            "buffers": [{"byteLength": content.bin.len()}], "bufferViews": content.views,
            "accessors": content.accessors,
        });
        if !animations.is_empty() {
            document["animations"] = animations.into();
        }
        (document, content.bin)
    }
}

/// Accessors, each with a view of its own.
#[derive(Default)]
struct Content {
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Content {
    fn add(&mut self, kind: &str, width: usize, values: &[f32]) -> usize {
        let column = |column: usize| values.iter().skip(column).step_by(width).copied();
        let bounds = |of: fn(f32, f32) -> f32| {
            (0..width).map(|c| column(c).reduce(of).unwrap()).collect::<Vec<f32>>()
        };
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        let (min, max) = (bounds(f32::min), bounds(f32::max));
        let accessor = json!({
            "componentType": 5126, "type": kind, "count": values.len() / width,
            "min": min, "max": max,
        });
        self.add_bytes(&bytes, accessor)
    }

    fn add_bytes(&mut self, bytes: &[u8], mut accessor: Value) -> usize {
        accessor["bufferView"] = self.views.len().into();
        self.views
            .push(json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len()}));
        self.accessors.push(accessor);
        self.bin.extend(bytes);
        self.accessors.len() - 1
    }

    fn animation(&mut self, name: &str, take: &[Keys]) -> Value {
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for keys in take {
            let input = self.add("SCALAR", 1, &keys.times);
            let output = self.add(
                if width(keys.path) == 4 { "VEC4" } else { "VEC3" },
                width(keys.path),
                &keys.values,
            );
            let target = json!({"node": keys.bone, "path": keys.path});
            channels.push(json!({"sampler": samplers.len(), "target": target}));
            samplers.push(
                json!({"input": input, "output": output, "interpolation": keys.interpolation}),
            );
        }
        json!({"name": name, "samplers": samplers, "channels": channels})
    }
}

/// Times and values of a channel, bit for bit.
type Bits = (Vec<u32>, Vec<u32>);

/// Of a GLB's animation what it does, by node and property.
pub(crate) fn channels(glb: &[u8], animation: &Value) -> BTreeMap<(String, String), Bits> {
    let json = glb_json(glb);
    let bin = &glb[20 + u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize + 8..];
    let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
    let bits = |accessor: &Value| -> Vec<u32> {
        let accessor = &json["accessors"][number(accessor)];
        let view = &json["bufferViews"][number(&accessor["bufferView"])];
        assert_eq!(
            (&accessor["componentType"], view.get("byteStride")),
            (&5126.into(), None),
            "floats, one behind the other"
        );
        let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        let width = ["SCALAR", "", "VEC3", "VEC4"]
            .iter()
            .position(|kind| accessor["type"] == *kind)
            .unwrap()
            + 1;
        let bytes = &bin[start..start + number(&accessor["count"]) * width * 4];
        bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
    };
    let channel = |channel: &Value| {
        let sampler = &animation["samplers"][number(&channel["sampler"])];
        let node = &json["nodes"][number(&channel["target"]["node"])]["name"];
        let key = [node, &channel["target"]["path"]].map(|name| name.as_str().unwrap().to_owned());
        (key.into(), (bits(&sampler["input"]), bits(&sampler["output"])))
    };
    animation["channels"].as_array().unwrap().iter().map(channel).collect()
}

fn at_frame(frame: usize) -> f32 {
    (frame as f64 / FRAMES_PER_SECOND) as f32
}

/// Animations by name, and what the extras of the scene say of clips in which nothing moves.
fn clips(glb: &[u8]) -> BTreeMap<String, Value> {
    let json = glb_json(glb);
    let named = |value: &Value| (value["name"].as_str().unwrap().to_owned(), value.clone());
    let moving = json["animations"].as_array().into_iter().flatten().map(named);
    let still =
        json["scenes"][0]["extras"]["anim_formats"]["clips"].as_array().into_iter().flatten();
    moving.chain(still.map(named)).collect()
}

/// What `anim_formats` says of a clip, wherever it stands.
fn notes(clip: &Value) -> &Value {
    clip.pointer("/extras/anim_formats").unwrap_or(clip)
}

/// Compares a GLB with what the oracle makes of the text. How many keys and events there were.
fn assert_cut(
    puppet: &Puppet,
    text: &str,
    options: anm_text::Options,
    rebased: bool,
    glb: &[u8],
) -> (usize, usize) {
    let bound = anm_text::bind(&anm_text::parse(text), &puppet.tree(0), &options);
    let mut found = clips(glb);
    let (mut keys, mut events) = (0, 0);
    for (set, clip) in bound.iter().flat_map(|set| set.clips.iter().map(move |clip| (set, clip))) {
        let name = format!("{}/{}", set.name, clip.name);
        let Some(range) = clip.range else {
            assert!(!found.contains_key(&name), "{name} has nothing\n{text}");
            continue;
        };
        let cut = found.remove(&name).unwrap_or_else(|| panic!("{name} is missing\n{text}"));
        let start = range[0] as f32;
        let moved =
            |time: f32| if rebased { (f64::from(time) - f64::from(start)) as f32 } else { time };
        let mut expected = BTreeMap::new();
        for track in &puppet.takes[0].1 {
            let bone = &self::bone(puppet, track).0;
            let Some(kept) = clip.keys.get(bone) else { continue };
            let all = &puppet.tree(0).bones[track.bone].keys;
            let times: BTreeSet<u64> = kept.iter().map(|key| all[*key].to_bits()).collect();
            let bits = track.bits(|time| times.contains(&f64::from(time).to_bits()), moved);
            if !bits.0.is_empty() {
                keys += bits.0.len();
                expected.insert((bone.clone(), track.path.to_owned()), bits);
            }
        }
        let found = if expected.is_empty() { BTreeMap::new() } else { channels(glb, &cut) };
        assert!(found == expected, "{name}\n{:?}\n{:?}\n{text}", found.keys(), expected.keys());
        let seconds =
            |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{name}: {cut}")) as f32;
        let expected_range = range.map(|time| moved(time as f32).to_bits());
        assert_eq!(
            [&notes(&cut)["start"], &notes(&cut)["end"]].map(|time| seconds(time).to_bits()),
            expected_range,
            "{name}\n{text}"
        );
        let event = |event: &Value| {
            (seconds(&event["time"]).to_bits(), event["name"].as_str().unwrap().to_owned())
        };
        let mut happens: Vec<_> =
            notes(&cut)["events"].as_array().into_iter().flatten().map(event).collect();
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

fn bone<'a>(puppet: &'a Puppet, keys: &Keys) -> &'a (String, Option<usize>) {
    &puppet.bones[keys.bone]
}

fn example() -> String {
    fs::read_to_string(testdata().join("../anm-text/ok/example.anm")).unwrap()
}

/// The puppet and the example.
fn workshop(interpolation: &'static str) -> (Folder, Puppet) {
    let (folder, puppet) = (Folder::new(), Puppet::sparse(interpolation));
    folder.write("puppet.glb", puppet.glb());
    folder.write("cuts.anm", example());
    (folder, puppet)
}

/// Keys keep the bits of their times and values, whatever is between them.
#[test]
fn the_example_on_a_puppet() {
    for interpolation in ["STEP", "LINEAR", "CUBICSPLINE"] {
        let (folder, puppet) = workshop(interpolation);
        folder.run("split puppet.glb cuts.anm -o cut.glb").exits(0);
        let (keys, events) = assert_cut(
            &puppet,
            &example(),
            anm_text::Options::default(),
            false,
            &folder.read("cut.glb"),
        );
        assert!(keys > 200, "{keys}");
        assert_eq!(events, 3);
        assert_eq!(
            folder.model("cut.glb").animation_names(),
            ["Arm/lift", "Arm/wave", "Head/nod", "Legs/walk", "Legs/trot", "Legs/run"]
        );
    }
}

/// A model for a tree of the generator. The keys of a bone are divided between two properties.
fn puppet_of(rng: &mut Rng, tree: &Tree) -> Puppet {
    let mut take = Vec::new();
    for (bone, Bone { keys, .. }) in tree.bones.iter().enumerate() {
        let times: Vec<f32> = keys.iter().map(|key| *key as f32).collect();
        let (some, others) = times.split_at(times.len() / 2);
        for (path, times) in [("translation", some), ("rotation", others)]
            .into_iter()
            .filter(|(_, times)| !times.is_empty())
        {
            let interpolation = rng.pick(&["STEP", "LINEAR", "CUBICSPLINE"]);
            // A step alone at the start of a take is read as a constant, which has no time.
            let interpolation = if times.len() == 1 { "LINEAR" } else { interpolation };
            take.push(Keys::random(rng, bone, path, interpolation, times.to_vec()));
        }
    }
    Puppet {
        bones: tree.bones.iter().map(|bone| (bone.name.clone(), bone.parent)).collect(),
        takes: vec![("take", take)],
    }
}

#[test]
fn generated_cuts_of_generated_takes() {
    let folder = Folder::new();
    let (mut cut, mut keys, mut events) = (0, 0, 0);
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let tree = generate::tree(&mut rng, 2 + seed as usize % 15);
        let text = generate::file(
            &mut rng,
            &tree,
            &generate::Options { layout: Layout::ALL[seed as usize % 3], ..Default::default() },
        );
        let puppet = puppet_of(&mut rng, &tree);
        if puppet.takes[0].1.is_empty() {
            continue;
        }
        folder.write("puppet.glb", puppet.glb());
        folder.write("cuts.anm", &text);
        let options =
            anm_text::Options { direct_children: seed % 4 == 1, events_of_all_sets: seed % 4 == 2 };
        let rebased = seed % 3 == 0;
        let switches = [
            (options.direct_children, " --direct-children"),
            (options.events_of_all_sets, " --all-events"),
            (rebased, " --rebase"),
        ];
        let switches: String =
            switches.into_iter().filter(|(on, _)| *on).map(|(_, switch)| switch).collect();
        folder.run(&format!("split puppet.glb cuts.anm -o cut.glb --force{switches}")).exits(0);
        let found = assert_cut(&puppet, &text, options, rebased, &folder.read("cut.glb"));
        (cut, keys, events) = (cut + 1, keys + found.0, events + found.1);
    }
    assert!(cut > 190 && keys > 4_000 && events > 2_000, "{cut} {keys} {events}");
}

/// How far bones of the puppet in one place are from those in another, in any number of their
/// matrices. A place is an animation of a model at a time.
fn distance(places: [(&glb::Model, usize, f64); 2]) -> f64 {
    let bones = generate::puppet().bones;
    let far = |bone: &Bone| {
        let [a, b] =
            places.map(|(model, animation, t)| model.node_world(Some(animation), &bone.name, t));
        a.as_flattened()
            .iter()
            .zip(b.as_flattened())
            .fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
    };
    bones.iter().map(far).fold(0.0, f64::max)
}

const WHOLE: &str =
    "as All\nbl root +children\nan 0 20 begin\nan 33 61 middle\nan 40 40 moment\nan 58 200 end\n";

/// Where all bones have their keys at the same times, nothing is lost at them.
#[test]
fn at_keys_the_pose_is_that_of_the_take() {
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
        let run = folder.run("split puppet.glb cuts.anm -o cut.glb").exits(0);
        assert!(!run.stderr().contains("split-open"), "{}", run.stderr());
        let (take, cut) = (folder.model("puppet.glb"), folder.model("cut.glb"));
        let keys: Vec<Vec<f64>> = (0..4).map(|animation| cut.key_times(animation)).collect();
        assert_eq!(keys.iter().map(Vec::len).collect::<Vec<_>>(), [5, 6, 1, 9]);
        for (animation, t) in keys
            .iter()
            .enumerate()
            .flat_map(|(animation, keys)| keys.iter().map(move |t| (animation, *t)))
        {
            assert!(
                distance([(&take, 0, t), (&cut, animation, t)]) < 1e-6,
                "{interpolation}, {animation} at {t}"
            );
        }
    }
}

/// Keys at the borders make each moment what it is in the take.
#[test]
fn with_borders_every_pose_is_that_of_the_take() {
    let both = ["rotation", "translation"];
    assert_poses_stay(&Puppet::moving("STEP", &both), 1e-5);
    assert_poses_stay(&Puppet::moving("LINEAR", &both), 1e-5);
    assert_poses_stay(&Puppet::moving("CUBICSPLINE", &["translation"]), 1e-5);
}

/// A part of a cubic curve of rotations has an end that is no unit quaternion, but glTF takes no
/// other. What is written instead must be near.
#[test]
fn with_borders_cubic_rotations_are_near_those_of_the_take() {
    assert_poses_stay(&Puppet::moving("CUBICSPLINE", &["rotation"]), 1e-3);
    // Keys of one rotation and its negative in turn: the curve between goes past zero, as some
    // exporters write it.
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
    let run = folder.run("split puppet.glb cuts.anm --borders -o cut.glb").exits(0);
    assert!(
        !run.stderr().contains("border"),
        "nothing is left to say of borders: {}",
        run.stderr()
    );
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
            assert!(far(&cut, t) < tolerance, "{animation} at {t}: {}", far(&cut, t));
            // Moved keys are rounded, and so come a moment earlier or later.
            assert!(
                far(&rebased, t - start) < tolerance + 1e-4,
                "{animation} at {t}: {}",
                far(&rebased, t - start)
            );
            off = off.max(far(&open, t));
        }
    }
    assert!(off > 0.1, "without them it is not: {off}");
}

/// What is not asked for is not done; what is not as in the take is told.
#[test]
fn clips_without_keys_at_their_borders_are_told() {
    let (folder, _) = workshop("LINEAR");
    let run = folder.run("split puppet.glb cuts.anm -o cut.glb").exits(0);
    assert!(run.stderr().contains("loss[split-open]: animation `Arm/wave`"), "{}", run.stderr());
}

/// Two bones, keys at frames 0, 12, … 72; the second has them six frames later.
fn two_bones() -> Puppet {
    let mut rng = Rng::new(5);
    let bones = [("arm".to_owned(), None), ("hand".to_owned(), Some(0))];
    let keys = |bone: usize, rng: &mut Rng| {
        Keys::random(
            rng,
            bone,
            "rotation",
            "LINEAR",
            (0..=6).map(|key| at_frame(key * 12 + bone * 6)).collect(),
        )
    };
    let take = vec![keys(0, &mut rng), keys(1, &mut rng)];
    Puppet { bones: bones.into(), takes: vec![("long", take)] }
}

fn two_bones_with(cuts: &str) -> Folder {
    let folder = Folder::new();
    folder.write("arm.glb", two_bones().glb());
    folder.write("cuts.anm", cuts);
    folder
}

/// The first key or event that is found is at 0 then, and all else as much earlier.
#[test]
fn rebase() {
    let folder = two_bones_with(
        "as A\nbl arm\nev 20 early\nev 30 late\nan 18 50 key_first\nan 21 50 event_last\nan 61 71 \
         nothing\nan 19 23 event_only\n",
    );
    let clip = |glb: &str, name: &str| {
        let clip = clips(&folder.read(glb))[name].clone();
        let animated = if clip.get("channels").is_some() {
            channels(&folder.read(glb), &clip)
        } else {
            BTreeMap::new()
        };
        let times = animated
            .into_values()
            .flat_map(|(times, _)| times)
            .map(|bits| (f32::from_bits(bits) * 24.0).round());
        let times: Vec<f32> = times.collect();
        let frames = |value: &Value| (value.as_f64().unwrap() * 24.0).round();
        let events: Vec<f64> = notes(&clip)["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| frames(&event["time"]))
            .collect();
        ([frames(&notes(&clip)["start"]), frames(&notes(&clip)["end"])], times, events)
    };
    folder.run("split arm.glb cuts.anm -o there.glb").exits(0);
    assert_eq!(
        clip("there.glb", "A/key_first"),
        ([20.0, 48.0], vec![24.0, 36.0, 48.0], vec![20.0, 30.0])
    );
    folder.run("split arm.glb cuts.anm --rebase -o rebased.glb").exits(0);
    assert_eq!(
        clip("rebased.glb", "A/key_first"),
        ([0.0, 28.0], vec![4.0, 16.0, 28.0], vec![0.0, 10.0])
    );
    assert_eq!(
        clip("rebased.glb", "A/event_last"),
        ([0.0, 24.0], vec![0.0, 12.0, 24.0], vec![6.0])
    );
    assert_eq!(clip("rebased.glb", "A/event_only"), ([0.0, 0.0], vec![], vec![0.0]));
}

/// Frames a second, which bones are children, whose events: each option changes what it is there to
/// change.
#[test]
fn options_reach_the_clips() {
    let (folder, _) = workshop("LINEAR");
    folder.write(
        "cuts.anm",
        "as A\nbl shoulder +children\nan 0 30 a\nas B\nbl neck\nev 6 x\nan 0 30 b\n",
    );
    let made = |options: &str| {
        folder
            .run(format!("split puppet.glb cuts.anm -o cut.glb --force -q {options}").trim_end())
            .exits(0);
        clips(&folder.read("cut.glb"))["A/a"].clone()
    };
    let bones = |clip: &Value| {
        let bones: BTreeSet<String> =
            channels(&folder.read("cut.glb"), clip).into_keys().map(|(bone, _)| bone).collect();
        bones.into_iter().collect::<Vec<_>>()
    };
    let plain = made("");
    assert_eq!(
        (bones(&plain), &notes(&plain)["end"], notes(&plain).get("events")),
        (["elbow", "hand", "shoulder", "thumb"].map(str::to_owned).into(), &1.25.into(), None)
    );
    assert_eq!(bones(&made("--direct-children")), ["elbow", "shoulder"]);
    assert_eq!(notes(&made("--all-events"))["events"], json!([{"time": 0.25, "name": "x"}]));
    // Keys of the bones up to frame 24 of 24 a second.
    assert_eq!(notes(&made("--fps 30"))["end"], 1.0);
    for refused in ["--fps 0", "--fps nan", "--fps -24"] {
        folder.run(&format!("split puppet.glb cuts.anm -o x.glb {refused}")).exits(2);
    }
}

/// Where there are several takes, one has to be named; the others stay as they are.
#[test]
fn takes() {
    let folder = two_bones_with("as A\nbl arm +children\nan 0 24 cut\n");
    let mut puppet = two_bones();
    let take = puppet.takes[0].1.clone();
    puppet.takes = vec![("first", take.clone()), ("second", take)];
    folder.write("two.glb", puppet.glb());
    let refused = folder.run("split two.glb cuts.anm -o x.glb").exits(2);
    assert!(
        ["first", "second", "--take"].iter().all(|part| refused.stderr().contains(part)),
        "{}",
        refused.stderr()
    );
    let refused = folder.run("split two.glb cuts.anm --take third -o x.glb").exits(2);
    assert!(
        ["first", "second", "third"].iter().all(|part| refused.stderr().contains(part)),
        "{}",
        refused.stderr()
    );
    assert!(!folder.path("x.glb").exists());
    folder.run("split two.glb cuts.anm --take second -o cut.glb").exits(0);
    assert_eq!(folder.model("cut.glb").animation_names(), ["first", "A/cut"]);
    assert_eq!(folder.model("cut.glb").key_times(0), folder.model("two.glb").key_times(0));
    folder.run("split two.glb cuts.anm --take #1 -o numbered.glb").exits(0);
    assert_eq!(folder.model("numbered.glb").animation_names(), ["second", "A/cut"]);
    // One needs no name, and may have it.
    folder.run("split arm.glb cuts.anm --take long -o one.glb").exits(0);
}

/// A model of another format, one with a file beside it, one from a pipe.
#[test]
fn models_of_other_kinds() {
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
    assert_eq!(
        (model.animation_names(), model.key_times(0)),
        (vec!["A/cut".to_owned()], vec![0.0, 1.0])
    );
    assert_eq!(model.triangles_at(Some(0), 2.0)[0][0], [0.0, 5.0, 0.0]);
}

#[test]
fn outputs_of_other_kinds() {
    let folder = two_bones_with("as A\nbl arm +children\nan 0 24 one\n");
    folder.write("two.anm", "as A\nbl arm +children\nan 0 24 one\nan 30 60 two\n");
    folder.run("split arm.glb cuts.anm -o file.glb").exits(0);
    let piped = folder.run("split arm.glb cuts.anm -o - --to glb -q").exits(0);
    assert_eq!(piped.output.stdout, folder.read("file.glb"));
    folder.run("split arm.glb cuts.anm -o cut.gltf").exits(0);
    assert_eq!(
        glb::read_parts(&folder.read("cut.gltf"), &folder.read("cut.bin")).animation_names(),
        ["A/one"]
    );
    folder.run("split arm.glb cuts.anm -o one.cast").exits(0);
    assert!(folder.read("one.cast").starts_with(b"cast"));
    let refused = folder.run("split arm.glb two.anm -o two.cast").exits(1);
    assert!(
        ["A/one", "A/two"].iter().all(|part| refused.stderr().contains(part)),
        "{}",
        refused.stderr()
    );
    // What is advised is to be had.
    for option in refused.stderr().split([' ', ';', ',']).filter(|word| word.starts_with("--")) {
        assert!(
            folder.run("split --help").stdout().contains(option.trim_end()),
            "{option}: {}",
            refused.stderr()
        );
    }
    assert!(!folder.path("two.cast").exists());
    folder.run("split arm.glb two.anm -o two.amo").exits(0);
    let info = folder.run("info --json two.amo").exits(0).json("info");
    assert_eq!(info["clips"].as_array().unwrap().len(), 2);
    folder.run("split arm.glb cuts.anm -o told.glb --json").exits(0).json("convert");
}

/// Nothing is written over that is not to be.
#[test]
fn outputs_are_guarded() {
    let folder = two_bones_with("as A\nbl arm +children\nan 0 24 one\n");
    folder.write("there.glb", "mine");
    folder.run("split arm.glb cuts.anm -o there.glb").exits(2);
    assert_eq!(folder.text("there.glb"), "mine");
    let before = ["arm.glb", "cuts.anm"].map(|name| folder.read(name));
    for output in ["arm.glb", "./arm.glb", "cuts.anm --to glb"] {
        let refused = folder.run(&format!("split arm.glb cuts.anm --force -o {output}")).exits(2);
        assert!(refused.stderr().contains("is an input"), "{}", refused.stderr());
    }
    assert_eq!(["arm.glb", "cuts.anm"].map(|name| folder.read(name)), before);
    folder.run("split arm.glb cuts.anm --force -o there.glb").exits(0);
    assert_eq!(names_in(folder.0.path()), ["arm.glb", "cuts.anm", "there.glb"]);
}

/// What cannot be cut, and what says so: each message is of the file that it names.
#[test]
fn what_cannot_be_cut() {
    let folder = two_bones_with("as A\nbl arm +children\nan 0 24 one\n");
    folder.write("still.glb", Puppet { takes: Vec::new(), ..two_bones() }.glb());
    folder.write("ini.anm", "[Animation]\nframes = 12\n");
    folder.write("empty.anm", "");
    folder.write("late.anm", "as A\nbl arm\nan 500 600 never\nan 700 800 neither\n");
    folder.write("states.stt", "#MINDRENDER 1.1 1 {s} SINGLE 1 {arm} STATIC 1 2 3 4 5 6 40 50 60");
    folder.write("objects.tmd", fs::read(testdata().join("../tmd/ok/ten_objects.tmd")).unwrap());
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
        assert!(!last.contains("--take"), "no take would help {model}: {last}");
    }
    assert!(!folder.path("x.glb").exists());
}

/// Problems of the text and of its use with the model, each with its place; the rest is cut.
#[test]
fn problems_have_their_places() {
    let text = "as A\nbl nobody +children\nbl arm +parent\nbl hand\nev 7 x\nan 0 24 one\nan 500 \
                600 never\nan 5 oops wrong\n";
    let folder = two_bones_with(text);
    assert_runs!(
        "split_problems",
        Some(folder.0.path()),
        [
            folder.run("split arm.glb cuts.anm -o cut.glb").exits(1),
            folder.run("split arm.glb cuts.anm -o strict.glb --strict").exits(1),
            folder.run("split arm.glb cuts.anm -o quiet.glb --quiet").exits(1),
        ]
    );
    assert!(!folder.path("strict.glb").exists());
    assert_eq!(folder.model("cut.glb").animation_names(), ["A/one"]);
    let json = folder.run("split arm.glb cuts.anm -o told.glb --json").exits(1).json("convert");
    assert_eq!(
        json["conversions"][0]["diagnostics"],
        json!({"errors": 2, "warnings": 2, "notes": 0})
    );
}

/// Clips and their events are read back.
#[test]
fn info_of_what_was_cut() {
    let (folder, _) = workshop("LINEAR");
    folder.run("split puppet.glb cuts.anm -o cut.glb -q").exits(0);
    let info = folder.run("info --json cut.glb").exits(0).json("info");
    let clips = info["clips"].as_array().unwrap();
    let told: Vec<(&str, usize)> = clips
        .iter()
        .map(|clip| (clip["name"].as_str().unwrap(), clip["events"].as_array().map_or(0, Vec::len)))
        .collect();
    let expected = [
        ("Arm/lift", 1),
        ("Arm/wave", 0),
        ("Head/nod", 0),
        ("Legs/walk", 2),
        ("Legs/trot", 0),
        ("Legs/run", 0),
    ];
    assert_eq!(told, expected);
    let text = folder.run("info cut.glb").exits(0);
    assert!(text.stdout().contains("wave_begins at 2 s"), "{}", text.stdout());
}

/// What was cut says where it was cut: the ANM text that comes out of it cuts the take in the same
/// places.
#[test]
fn anm_text_of_what_was_cut() {
    let (folder, puppet) = workshop("LINEAR");
    let cut = |text: &str| {
        anm_text::bind(&anm_text::parse(text), &puppet.tree(0), &anm_text::Options::default())
    };
    folder.run("split puppet.glb cuts.anm -o again.anm --to anm-text").exits(0);
    assert_eq!(
        cut(&folder.text("again.anm")),
        cut(&example()),
        "without a GLB between\n{}",
        folder.text("again.anm")
    );
    folder.run("split puppet.glb cuts.anm -o cut.glb").exits(0);
    folder.run("convert cut.glb -o back.anm --to anm-text").exits(0);
    assert_eq!(cut(&folder.text("back.anm")), cut(&example()), "{}", folder.text("back.anm"));
}
