//! An evaluator of Gillius ANM text (`.anm`), based on the project's notes on the format.
//!
//! Times in a file are in frames, rounded to `f32`; computations use `f64`. Content for which the
//! notes only specify a warning is accepted: whitespace before keywords, lone CR line breaks, a
//! byte order mark, negative times, duplicate names, and events outside all ranges. Where the notes
//! do not specify the behaviour:
//!
//! - if a bone is missing and its parent is also requested, only the missing bone is reported,
//! - models with duplicate bone names are not supported.

use std::collections::{BTreeMap, BTreeSet};

/// The frame rate of a file, whose times are in frames.
pub const FRAMES_PER_SECOND: f64 = 24.0;
/// The distance in frames by which a time may be outside a range and still belong to it.
pub const TOLERANCE_FRAMES: f64 = 0.001;

#[derive(Clone, Debug, PartialEq)]
pub struct File {
    pub sets: Vec<Set>,
}

/// A set of bones and their animations: from an `as` line to the next `as` line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Set {
    /// The name in the `as` line.
    pub name: String,
    /// The `bl` lines.
    pub bones: Vec<BoneList>,
    /// The `ev` lines.
    pub events: Vec<Event>,
    /// The `an` lines.
    pub animations: Vec<Animation>,
}

/// A `bl` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoneList {
    pub name: String,
    /// Whether its descendants are included.
    pub children: bool,
    /// Whether its parent is included.
    pub parent: bool,
}

/// An `ev` line.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The time in frames.
    pub time: f64,
    pub name: String,
}

/// An `an` line.
#[derive(Clone, Debug, PartialEq)]
pub struct Animation {
    /// The start in frames.
    pub start: f64,
    /// The end in frames, not before the start.
    pub end: f64,
    pub name: String,
}

/// Parses a file.
pub fn parse(text: &str) -> File {
    let mut sets: Vec<Set> = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    for line in text.split(['\n', '\r']) {
        let fields: Vec<&str> = line.split([' ', '\t']).filter(|field| !field.is_empty()).collect();
        let Some(&keyword) = fields.first() else { continue };
        if keyword.starts_with('#') {
            continue;
        }
        assert!(!line.contains('\0'), "NUL in {line:?}");
        if keyword == "as" {
            assert!(sets.last().is_none_or(Set::is_complete), "incomplete before {line:?}");
            let [_, name] = fields[..] else { panic!("{line:?}") };
            sets.push(Set { name: name.to_owned(), ..Set::default() });
            continue;
        }
        let set = sets.last_mut().unwrap_or_else(|| panic!("{line:?} before any set"));
        match keyword {
            "bl" => {
                assert!(set.events.is_empty() && set.animations.is_empty(), "{line:?} is too late");
                set.bones.push(bone_list(&fields));
            }
            "ev" => {
                let is_in_order = !set.bones.is_empty() && set.animations.is_empty();
                assert!(is_in_order, "{line:?} is out of order");
                let [_, time, name] = fields[..] else { panic!("{line:?}") };
                set.events.push(Event { time: frames(time), name: name.to_owned() });
            }
            "an" => {
                assert!(!set.bones.is_empty(), "{line:?} is too early");
                let [_, start, end, name] = fields[..] else { panic!("{line:?}") };
                let [start, end] = [start, end].map(frames);
                assert!(start <= end, "{line:?} ends before it starts");
                set.animations.push(Animation { start, end, name: name.to_owned() });
            }
            _ => panic!("unknown keyword in {line:?}"),
        }
    }
    assert!(sets.last().is_some_and(Set::is_complete), "the last set is not complete");
    File { sets }
}

impl Set {
    fn is_complete(&self) -> bool {
        !self.bones.is_empty() && !self.animations.is_empty()
    }
}

fn bone_list(fields: &[&str]) -> BoneList {
    let name = fields[1];
    assert!(!name.starts_with('+'), "no bone in {fields:?}");
    let mut options = BTreeSet::new();
    for option in &fields[2..] {
        assert!(matches!(*option, "+children" | "+parent"), "{option:?} is not an option");
        assert!(options.insert(*option), "duplicate option {option:?}");
    }
    BoneList {
        name: name.to_owned(),
        children: options.contains("+children"),
        parent: options.contains("+parent"),
    }
}

fn frames(text: &str) -> f64 {
    let frames: f32 = text.parse().unwrap_or_else(|_| panic!("{text:?} is not a number"));
    assert!(frames.is_finite(), "{text} is not finite");
    f64::from(frames)
}

/// The model that a file is applied to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// The bones in any order, with unique names.
    pub bones: Vec<Bone>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bone {
    /// The name, unique within the model.
    pub name: String,
    /// The index of the parent bone, which may come before or after the bone.
    pub parent: Option<usize>,
    /// Key times in seconds.
    pub keys: Vec<f64>,
}

/// Choices that the notes leave open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether `+children` only includes direct children.
    pub direct_children: bool,
    /// Whether an animation includes the events of all sets.
    pub events_of_all_sets: bool,
}

/// A set applied to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundSet {
    pub name: String,
    /// The names of its bones, in the order of the model.
    pub bones: Vec<String>,
    /// Names in `bl` lines that do not exist in the model, in file order.
    pub missing: Vec<String>,
    /// Names in `bl` lines that request the parent of a root bone, in file order.
    pub without_parent: Vec<String>,
    pub clips: Vec<Clip>,
}

/// The parts of a model that an animation uses.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    pub name: String,
    /// The indices of its keys, for each bone of the set.
    pub keys: BTreeMap<String, Vec<usize>>,
    /// The events in its range, in file order: those of its set or, with
    /// [`Options::events_of_all_sets`], those of all sets.
    pub events: Vec<Event>,
    /// The times of its first and last key or event, in seconds on the timeline. `None` if it has
    /// neither.
    pub range: Option<[f64; 2]>,
}

/// Applies a file to a model. Returns its sets in file order.
pub fn bind(file: &File, tree: &Tree, options: &Options) -> Vec<BoundSet> {
    let names: BTreeSet<&str> = tree.bones.iter().map(|bone| &*bone.name).collect();
    assert_eq!(names.len(), tree.bones.len(), "duplicate bone name");
    file.sets.iter().map(|set| bind_set(file, set, tree, options)).collect()
}

fn bind_set(file: &File, set: &Set, tree: &Tree, options: &Options) -> BoundSet {
    let mut bones = BTreeSet::new();
    let mut missing = Vec::new();
    let mut without_parent = Vec::new();
    for list in &set.bones {
        let Some(index) = tree.bones.iter().position(|bone| bone.name == list.name) else {
            missing.push(list.name.clone());
            continue;
        };
        bones.insert(index);
        if list.children {
            let hangs = |bone: &usize| tree.hangs_from(*bone, index, options.direct_children);
            bones.extend((0..tree.bones.len()).filter(hangs));
        }
        if list.parent {
            match tree.bones[index].parent {
                Some(parent) => drop(bones.insert(parent)),
                None => without_parent.push(list.name.clone()),
            }
        }
    }
    let events: Vec<Event> = if options.events_of_all_sets {
        file.sets.iter().flat_map(|set| &set.events).cloned().collect()
    } else {
        set.events.clone()
    };
    let clip = |animation: &Animation| {
        let inside = |frames: f64| {
            animation.start - TOLERANCE_FRAMES <= frames
                && frames <= animation.end + TOLERANCE_FRAMES
        };
        let events: Vec<Event> =
            events.iter().filter(|event| inside(event.time)).cloned().collect();
        let mut times: Vec<f64> =
            events.iter().map(|event| event.time / FRAMES_PER_SECOND).collect();
        let mut keys = BTreeMap::new();
        for bone in bones.iter().map(|&bone| &tree.bones[bone]) {
            let is_inside = |key: &usize| inside(bone.keys[*key] * FRAMES_PER_SECOND);
            let of_bone: Vec<usize> = (0..bone.keys.len()).filter(is_inside).collect();
            times.extend(of_bone.iter().map(|&key| bone.keys[key]));
            keys.insert(bone.name.clone(), of_bone);
        }
        times.sort_by(f64::total_cmp);
        let range = times.first().zip(times.last()).map(|(&first, &last)| [first, last]);
        Clip { name: animation.name.clone(), keys, events, range }
    };
    let clips = set.animations.iter().map(clip).collect();
    let bones = bones.iter().map(|&bone| tree.bones[bone].name.clone()).collect();
    BoundSet { name: set.name.clone(), bones, missing, without_parent, clips }
}

impl Tree {
    /// Whether a bone is a descendant of another bone, or a direct child of it if `direct` is set.
    fn hangs_from(&self, bone: usize, other: usize, direct: bool) -> bool {
        let mut above =
            std::iter::successors(self.bones[bone].parent, |&bone| self.bones[bone].parent);
        if direct {
            above.next() == Some(other)
        } else {
            above.take(self.bones.len()).any(|bone| bone == other)
        }
    }
}
