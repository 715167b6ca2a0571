//! Compares files and models with an independent implementation that shares no code with this
//! crate.

use std::collections::{BTreeMap, BTreeSet};

use anim_ir::{
    Channel, Clip, Diagnostics, Event, Interpolation, Joint, JointId, Scene, Severity, Skeleton,
    Timeline, TimelineBuilder, TimelineId, listing,
};
use fmt_anm_text::{
    BindOptions, Children, Document, EventScope, FromIr, NewBone, NewClip, NewEvent, NewSet, bind,
    codes, from_ir,
};
use test_oracle::anm_text::generate::{self, Layout, Mistake, Options};
use test_oracle::anm_text::{self, Tree};
use test_oracle::fixtures;
use test_oracle::random::Rng;

/// Returns the model with parents before their children, and the joint index of each of the
/// oracle's bones.
fn model(tree: &Tree) -> (Skeleton, Timeline, Vec<usize>) {
    let parents: Vec<Option<usize>> = tree.bones.iter().map(|bone| bone.parent).collect();
    let order = Skeleton::parents_first(&parents).unwrap();
    let place: BTreeMap<usize, usize> =
        order.iter().enumerate().map(|(place, bone)| (*bone, place)).collect();
    let mut skeleton = Skeleton::new("model");
    let mut builder = TimelineBuilder::new("take");
    for bone in order.iter().map(|bone| &tree.bones[*bone]) {
        let parent = bone.parent.map(|parent| JointId::new(place[&parent]));
        let joint = skeleton.add_joint(Joint::new(&*bone.name, parent));
        let times: Vec<f32> = bone.keys.iter().map(|key| *key as f32).collect();
        // The keys of one bone are in two tables.
        let (some, others) = times.split_at(times.len() / 2);
        for (times, channel) in [(some, Channel::Translation), (others, Channel::Scale)] {
            if !times.is_empty() {
                let (line, ones) = (Interpolation::Linear, vec![1.0; times.len() * 3]);
                builder.keys(joint.into(), channel, line, times, &ones).unwrap();
            }
        }
    }
    (skeleton, builder.finish(), (0..tree.bones.len()).map(|bone| place[&bone]).collect())
}

fn scene_of(skeleton: &Skeleton, timeline: &Timeline) -> Scene {
    let (skeletons, timelines) = (vec![skeleton.clone()], vec![timeline.clone()]);
    Scene { skeletons, timelines, ..Scene::default() }
}

/// The document in the oracle's representation.
fn as_file(document: &Document<'_>) -> anm_text::File {
    let bone = |NewBone { name, children, parent }| anm_text::BoneList { name, children, parent };
    let event = |NewEvent { time, name }| anm_text::Event { time: time.into(), name };
    let animation = |NewClip { start, end, name }| {
        let [start, end] = [start, end].map(f64::from);
        anm_text::Animation { start, end, name }
    };
    let set = |set: NewSet| anm_text::Set {
        name: set.name,
        bones: set.bones.into_iter().map(bone).collect(),
        events: set.events.into_iter().map(event).collect(),
        animations: set.clips.into_iter().map(animation).collect(),
    };
    anm_text::File { sets: document.data().into_iter().map(set).collect() }
}

#[test]
fn files_are_read_as_by_the_oracle() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let tree = generate::tree(&mut rng, 12);
        let odd = seed % 3 == 0;
        let layout = Layout::ALL[seed as usize % 3];
        let text = generate::file(&mut rng, &tree, &Options { layout, odd, ..Options::default() });
        let parsed = Document::parse(text.as_bytes()).unwrap();
        let listed = listing(text.as_bytes(), &parsed.diagnostics);
        assert!(odd || listed.is_empty(), "{listed}");
        assert_eq!(parsed.diagnostics.total(Severity::Error), 0);
        assert_eq!(as_file(&parsed.value), anm_text::parse(&text), "{text}");
        assert_eq!(parsed.value.to_bytes(), text.as_bytes());
        if let Ok(built) = Document::build(&parsed.value.data()) {
            let built = String::from_utf8(built.to_bytes().to_vec()).unwrap();
            assert_eq!(anm_text::parse(&built), as_file(&parsed.value));
        }
    }
}

#[test]
fn errors_have_the_effects_described_in_the_notes() {
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let tree = generate::tree(&mut rng, 6);
        let mistake = Mistake::ALL[seed as usize % Mistake::ALL.len()];
        let broken = generate::broken(&mut rng, &tree, &Options::default(), mistake);
        let parsed = Document::parse(broken.text.as_bytes()).unwrap();
        let all = listing(broken.text.as_bytes(), &parsed.diagnostics);
        let what = format!("{mistake:?}\n{all}{}", broken.text);
        let mut found = parsed.diagnostics.iter();
        let first = found.find(|found| found.severity() == Severity::Error).expect(&what);
        let place = anim_ir::source::locate(broken.text.as_bytes(), first.span.unwrap().start);
        assert_eq!((place.line, place.column), (broken.line, broken.column), "{what}");
        assert_eq!(parsed.diagnostics.total(Severity::Error), 1, "{what}");
        if mistake != Mistake::IncompleteSet {
            assert_eq!(as_file(&parsed.value), anm_text::parse(&broken.rest), "{what}");
        }
    }
}

/// The skeleton and timeline that a document is bound to, and the joint index of each of the
/// oracle's bones.
struct Model<'a> {
    tree: &'a Tree,
    skeleton: Skeleton,
    timeline: Timeline,
    places: Vec<usize>,
}

impl<'a> Model<'a> {
    fn new(tree: &'a Tree) -> Model<'a> {
        let (skeleton, timeline, places) = model(tree);
        Model { tree, skeleton, timeline, places }
    }

    /// Binds a file with each option changed in turn and compares the results with the oracle's.
    /// Returns the number of clips and the number of events in clips.
    fn check(&self, text: &str) -> (usize, usize) {
        let document = Document::parse(text.as_bytes()).unwrap().value;
        let (mut clips, mut events) = (0, 0);
        for (children, scope) in [
            (Children::AllDescendants, EventScope::OwnSet),
            (Children::Direct, EventScope::OwnSet),
            (Children::AllDescendants, EventScope::All),
        ] {
            let options = BindOptions::default().with_children(children).with_events(scope);
            let bound = bind(&document, &self.skeleton, &self.timeline, &options).unwrap();
            let options = anm_text::Options {
                direct_children: children == Children::Direct,
                events_of_all_sets: scope == EventScope::All,
            };
            let expected = anm_text::bind(&anm_text::parse(text), self.tree, &options);
            check_losses(&bound.losses, &expected);
            assert_eq!(bound.value.sets.len(), expected.len());
            let all_events: usize = document.sets().map(|set| set.events().len()).sum();
            assert_eq!(bound.value.events.len(), all_events, "each event is stored once");
            let mut scene = scene_of(&self.skeleton, &self.timeline);
            let sets = bound.value.sets.clone();
            bound.value.put_on(&mut scene, TimelineId::new(0));
            assert!(scene.timelines[0].events.is_sorted_by_key(|event| event.time));
            for (set, expected) in sets.iter().zip(&expected) {
                let is_in = |bone: &usize| expected.bones.contains(&self.tree.bones[*bone].name);
                let joints: BTreeSet<JointId> = (0..self.tree.bones.len())
                    .filter(is_in)
                    .map(|bone| JointId::new(self.places[bone]))
                    .collect();
                assert_eq!(set.name, expected.name, "{text}");
                assert!(set.joints.iter().eq(&joints), "{text}");
                // Events of two sets with the same name cannot be distinguished.
                let is_only = sets.iter().filter(|other| other.name == set.name).count() == 1;
                let found = &scene.clips[set.clips.clone()];
                let expected: Vec<&anm_text::Clip> =
                    expected.clips.iter().filter(|clip| clip.range.is_some()).collect();
                assert_eq!(found.len(), expected.len());
                for (clip, expected) in found.iter().zip(expected) {
                    assert_eq!(clip.name, format!("{}/{}", set.name, expected.name));
                    let what = format!("{}\n{text}", clip.name);
                    let range = expected.range.unwrap().map(|seconds| seconds as f32);
                    assert_eq!([clip.start, clip.end], range, "{what}");
                    let is_whole = joints.len() == self.skeleton.joints.len();
                    assert_eq!(clip.joints, Some(&joints).filter(|_| !is_whole).cloned());
                    assert_eq!(self.keys(clip), self.expected_keys(expected), "{what}");
                    if is_only {
                        let found = events_of(clip, &scene.timelines[0]);
                        assert_eq!(found, expected_events(expected), "{what}");
                        events += expected.events.len();
                    }
                    clips += 1;
                }
            }
        }
        (clips, events)
    }

    /// Returns the joints of a clip with the times of their keys in its range.
    fn keys(&self, clip: &Clip) -> Vec<(usize, u32)> {
        let tracks = self.timeline.tracks().iter().filter_map(|track| {
            let joint = track.joint().filter(|joint| clip.has_joint(*joint))?;
            Some((joint.index(), self.timeline.keys(track).times))
        });
        let inside = |time: &&f32| clip.start <= **time && **time <= clip.end;
        let mut keys: Vec<_> = tracks
            .flat_map(|(joint, times)| {
                times.iter().filter(inside).map(move |time| (joint, time.to_bits()))
            })
            .collect();
        keys.sort_unstable();
        keys
    }

    fn expected_keys(&self, clip: &anm_text::Clip) -> Vec<(usize, u32)> {
        let bones = self
            .tree
            .bones
            .iter()
            .zip(&self.places)
            .filter_map(|(bone, joint)| Some((bone, joint, clip.keys.get(&bone.name)?)));
        let mut keys: Vec<_> = bones
            .flat_map(|(bone, joint, keys)| {
                keys.iter().map(|key| (*joint, (bone.keys[*key] as f32).to_bits()))
            })
            .collect();
        keys.sort_unstable();
        keys
    }
}

/// Asserts that everything that could not be bound is reported, once per occurrence.
fn check_losses(losses: &Diagnostics, expected: &[anm_text::BoundSet]) {
    let sum = |count: &dyn Fn(&anm_text::BoundSet) -> usize| {
        expected.iter().map(count).sum::<usize>() as u64
    };
    let nothing =
        |set: &anm_text::BoundSet| set.clips.iter().filter(|clip| clip.range.is_none()).count();
    assert_eq!(losses.count(&codes::PARENT_OF_ROOT), sum(&|set| set.without_parent.len()));
    assert_eq!(losses.count(&codes::BONE_UNKNOWN), sum(&|set| set.missing.len()));
    assert_eq!(losses.count(&codes::NOTHING_FOUND), sum(&nothing));
}

fn events_of(clip: &Clip, timeline: &Timeline) -> Vec<(u32, String)> {
    let mut events: Vec<_> = timeline
        .events
        .iter()
        .filter(|event| clip.contains_event(event))
        .map(|event| (event.time.to_bits(), event.name.clone()))
        .collect();
    events.sort();
    events
}

fn expected_events(clip: &anm_text::Clip) -> Vec<(u32, String)> {
    let seconds = |frames: f64| ((frames / anm_text::FRAMES_PER_SECOND) as f32).to_bits();
    let mut events: Vec<_> =
        clip.events.iter().map(|event| (seconds(event.time), event.name.clone())).collect();
    events.sort();
    events
}

#[test]
fn generated_files_on_models() {
    let (mut clips, mut events) = (0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let tree = generate::tree(&mut rng, 1 + seed as usize % 15);
        let text =
            generate::file(&mut rng, &tree, &Options { odd: seed % 5 == 0, ..Options::default() });
        let seen = Model::new(&tree).check(&text);
        (clips, events) = (clips + seen.0, events + seen.1);
    }
    assert!(clips > 4_000 && events > 4_000, "{clips} {events}");
}

/// The example from the notes, and the files that distinguish the possible interpretations.
#[test]
fn fixtures_on_the_puppet() {
    let tree = generate::puppet();
    let puppet = Model::new(&tree);
    let mut seen = BTreeMap::new();
    for (name, bytes) in fixtures::all("anm-text", &["anm"], 100) {
        if name.starts_with("ok/") {
            seen.insert(name, puppet.check(std::str::from_utf8(&bytes).unwrap()));
        }
    }
    // Six animations, interpreted in three ways.
    assert_eq!(seen["ok/example.anm"].0, 18);
    let with_events = seen.values().filter(|(_, events)| *events > 0).count();
    assert!(seen.len() > 25 && with_events > 10, "{seen:?}");
}

/// A scene that is split by a file, written to a file and split again has the same clips.
#[test]
fn a_split_scene_round_trips() {
    let mut seen = 0;
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let mut tree = generate::tree(&mut rng, 10);
        // The writer rejects names that begin with `#`.
        tree.bones.iter_mut().for_each(|bone| bone.name = bone.name.replace('#', "number"));
        let options = Options { layout: Layout::Plain, ..Options::default() };
        let text = generate::file(&mut rng, &tree, &options).replace('#', "number");
        let (skeleton, timeline, _) = model(&tree);
        let document = Document::parse(text.as_bytes()).unwrap().value;
        let bound = bind(&document, &skeleton, &timeline, &BindOptions::default()).unwrap().value;
        let mut scene = scene_of(&skeleton, &timeline);
        bound.clone().put_on(&mut scene, TimelineId::new(0));
        let Ok(written) = from_ir(&scene, &FromIr::default()) else { continue };
        let again =
            bind(&written.value, &skeleton, &timeline, &BindOptions::default()).unwrap().value;
        let key = |clips: &[Clip]| {
            let key = |clip: &Clip| {
                let [start, end] = [clip.start, clip.end].map(f32::to_bits);
                (clip.name.clone(), start, end, clip.joints.clone())
            };
            let mut keys: Vec<_> = clips.iter().map(key).collect();
            keys.sort();
            keys
        };
        let of_sets_with_clips = |event: &&Event| {
            let is_its = |name: &str| event.group.as_deref() == Some(name);
            bound.sets.iter().any(|set| is_its(&set.name) && !set.clips.is_empty())
        };
        assert_eq!(key(&again.clips), key(&bound.clips), "{text}");
        assert_eq!(again.events.len(), bound.events.iter().filter(of_sets_with_clips).count());
        seen += 1;
    }
    assert!(seen > 150, "{seen}");
}
