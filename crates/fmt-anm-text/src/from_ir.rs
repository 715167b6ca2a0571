//! Converts a scene to a document: the clips of a timeline become animations, and joints that move
//! together become a set.

mod bones;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use anim_ir::diag::{plural, quote, seconds as in_seconds};
use anim_ir::encoding::truncate;
use anim_ir::number::narrow;
use anim_ir::{
    Budget, Clip, Converted, Diagnostics, Event, JointId, LimitError, Scene, Skeleton, Timeline,
    TimelineId, Wrap, require_valid, sort_by,
};

use crate::bind::{Moments, Window, hull};
use crate::codes;
use crate::document::Document;
use crate::error::FromIrError;
use crate::events::{Ranges, TOLERANCE};
use crate::frames::{rate, seconds};
use crate::writer::{NewBone, NewClip, NewEvent, NewSet, is_name};
use bones::Bones;

anim_ir::options! {
    /// Options for writing a scene. Each event, and each joint of a set, counts as one sample
    /// towards [`limits`](Self::limits).
    pub struct FromIr {
        /// The file's frame rate, greater than 0. `None` means 24, as specified.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("fps", None,
                "Sampling rate, for targets that cannot store the source's keys exactly. glTF \
                 and X3D keys keep their times unless a rate is given");
    }
}

/// Writes the clips that animate the same skeleton as the first clip, and reports what the format
/// cannot represent. Timelines with the same name are treated as parts of one timeline, since some
/// formats have one timeline per clip.
///
/// Clips of the same group form a set with the name of the group and the joints of all of them.
/// Other clips form a set if they have the same joints and the same name before the first `/`;
/// without a `/`, the set is named `all`. An event is written to the set of its group or, if it has
/// none, to every set with an animation that contains it. The bones of a scene without joints are
/// read from the extras written by [`crate::to_ir()`].
///
/// # Errors
///
/// Returns a [`FromIrError`] if the scene is invalid ([`anim_ir::validate`]), has no clips that can
/// be written, contains a value that the format cannot represent, or exceeds the limits.
pub fn from_ir(
    scene: &Scene,
    options: &FromIr,
) -> Result<Converted<Document<'static>>, FromIrError> {
    require_valid(scene)?;
    let first = scene.clips.first().ok_or(FromIrError::Empty)?;
    let timeline = scene.timeline(first.timeline).ok_or(FromIrError::Empty)?;
    let empty = Skeleton::default();
    let skeleton = scene.skeleton(timeline.skeleton).unwrap_or(&empty);
    let mut maker = Maker {
        scene,
        skeleton,
        timeline,
        frames_per_second: rate(options.frames_per_second),
        budget: Budget::for_scene(&options.limits, scene),
        losses: Diagnostics::new(),
    };
    maker.report_what_is_elsewhere();
    let mut sets = maker.sets()?;
    maker.add_events(&mut sets)?;
    maker.report_ranges(&sets);
    let sets: Vec<NewSet> = sets.into_iter().map(|set| set.lines).collect();
    if sets.is_empty() {
        return Err(FromIrError::Empty);
    }
    Ok(Converted { value: Document::build(&sets)?, losses: maker.losses })
}

/// A set under construction.
struct Group<'a> {
    lines: NewSet,
    clips: Vec<&'a Clip>,
}

struct Maker<'a> {
    scene: &'a Scene,
    skeleton: &'a Skeleton,
    /// A timeline of the first clip's skeleton.
    timeline: &'a Timeline,
    frames_per_second: f64,
    budget: Budget,
    losses: Diagnostics,
}

impl<'a> Maker<'a> {
    /// Returns the timeline of a clip, if it animates the skeleton.
    fn timeline_of(&self, clip: &Clip) -> Option<&'a Timeline> {
        let timeline = self.scene.timeline(clip.timeline);
        timeline.filter(|timeline| timeline.skeleton == self.timeline.skeleton)
    }

    fn report_what_is_elsewhere(&mut self) {
        let Scene { skeletons, timelines, meshes, machines, clips, .. } = self.scene;
        let keys = timelines.iter().map(Timeline::key_count).fold(0, usize::saturating_add);
        let has_model = keys > 0 || !skeletons.is_empty() || !meshes.is_empty();
        self.losses.lost(&codes::LOSS_MOTION, has_model, || {
            format!(
                "the model and {} are not written: they are stored in a separate file",
                plural(keys, "key")
            )
        });
        self.losses.lost(&codes::LOSS_MACHINE, !machines.is_empty(), || {
            plural(machines.len(), "state machine")
        });
        for clip in clips {
            let name = || quote(clip.name.as_bytes());
            match self.timeline_of(clip) {
                None => self.losses.push(&codes::LOSS_TIMELINE, None, || {
                    format!("animation {} animates a different skeleton", name())
                }),
                Some(own)
                    if std::ptr::eq(own, self.timeline)
                        || (own.name == self.timeline.name && !own.name.is_empty()) => {}
                Some(_) => self.losses.push(&codes::LOSS_TIMELINE, None, || {
                    format!("animation {} has its own timeline", name())
                }),
            }
        }
        for clip in clips.iter().filter(|clip| clip.wrap != Wrap::Unspecified) {
            self.losses.push(&codes::LOSS_WRAP, None, || {
                let name = quote(clip.name.as_bytes());
                format!("animation {name} has the wrap mode `{}`", clip.wrap.name())
            });
        }
    }

    /// Groups clips into sets by their joints and by their group, or the name before the `/`.
    fn sets(&mut self) -> Result<Vec<Group<'a>>, FromIrError> {
        let bones = Bones::new(self.scene, self.skeleton);
        let mut groups: Vec<Option<Group<'a>>> = Vec::new();
        let mut numbers = HashMap::new();
        let scene = self.scene;
        let joints_of_sets = self.joints_of_sets();
        for clip in &scene.clips {
            if self.timeline_of(clip).is_none() {
                continue;
            }
            let (set, name) = parts(clip);
            let of_group = clip.group.as_deref().and_then(|group| joints_of_sets.get(group));
            let joints = of_group.unwrap_or(&clip.joints);
            let number = *numbers.entry((set, joints)).or_insert(groups.len());
            if number == groups.len() {
                let group =
                    self.group(&bones, set, &Clip { joints: joints.clone(), ..clip.clone() })?;
                groups.push(group);
            }
            let Some(Some(group)) = groups.get_mut(number) else {
                self.losses.push(&codes::LOSS_BONES, None, || {
                    format!("animation {} has no bones", quote(clip.name.as_bytes()))
                });
                continue;
            };
            let (start, end) = (self.frames(clip.start), self.frames(clip.end));
            group.lines.clips.push(NewClip { start, end, name: self.name(name) });
            group.clips.push(clip);
        }
        Ok(groups.into_iter().flatten().collect())
    }

    /// Returns all joints of the clips in each group, or `None` if one of its clips animates all
    /// joints. A single clip that was split from a take may list only the joints with keys in its
    /// range, so a set needs the joints of all its clips.
    fn joints_of_sets(&self) -> JointsOfSets<'a> {
        let mut joints_of = JointsOfSets::default();
        for clip in self.scene.clips.iter().filter(|clip| self.timeline_of(clip).is_some()) {
            let Some(set) = clip.group.as_deref() else { continue };
            let JointsOfSets { places, joints } = &mut joints_of;
            let place = *places.entry(set).or_insert(joints.len());
            if place == joints.len() {
                joints.push(Some(BTreeSet::new()));
            }
            let Some(all) = joints.get_mut(place) else { continue };
            match (all.as_mut(), &clip.joints) {
                (Some(all), Some(joints)) => all.extend(joints),
                _ => *all = None,
            }
        }
        joints_of
    }

    /// Creates a set with the bones of a clip, or returns `None` if the clip has no bones.
    fn group(
        &mut self,
        bones: &Bones<'_>,
        set: Option<&str>,
        clip: &Clip,
    ) -> Result<Option<Group<'a>>, LimitError> {
        self.budget.charge_each::<NewBone>("the bones of sets", self.skeleton.joints.len())?;
        let mut bones = bones.of(clip, set.unwrap_or_default(), &mut self.losses);
        if bones.is_empty() {
            return Ok(None);
        }
        for bone in &mut bones {
            bone.name = self.bone_name(&bone.name);
        }
        let name = set.map_or_else(|| "all".to_owned(), |set| self.name(set));
        Ok(Some(Group {
            lines: NewSet { name, bones, events: Vec::new(), clips: Vec::new() },
            clips: Vec::new(),
        }))
    }

    fn add_events(&mut self, sets: &mut [Group<'_>]) -> Result<(), LimitError> {
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        let mut ranges = Vec::with_capacity(sets.len());
        let mut on: BTreeMap<TimelineId, Vec<usize>> = BTreeMap::new();
        for (number, set) in sets.iter().enumerate() {
            by_name.entry(set.lines.name.clone()).or_default().push(number);
            ranges.push(Ranges::new(
                set.clips.iter().map(|clip| (f64::from(clip.start), f64::from(clip.end))),
            ));
            for clip in &set.clips {
                let sets = on.entry(clip.timeline).or_default();
                if sets.last() != Some(&number) {
                    sets.push(number);
                }
            }
        }
        let mut events: Vec<(&Event, &Vec<usize>)> = Vec::new();
        // If a timeline was split, an event at the boundary is in both parts.
        let mut seen = HashSet::new();
        for (timeline, sets) in &on {
            let from = events.len();
            let timeline = self.scene.timeline(*timeline);
            let own = timeline.into_iter().flat_map(|timeline| &timeline.events);
            events.extend(
                own.filter(|event| !seen.contains(&identity(event))).map(|event| (event, sets)),
            );
            seen.extend(events.iter().skip(from).map(|(event, _)| identity(event)));
        }
        sort_by(&mut events, |(a, _), (b, _)| a.time.total_cmp(&b.time));
        for (event, all) in events {
            let named = event.group.as_deref().and_then(|name| by_name.get(name));
            let candidates = named.unwrap_or(all);
            self.budget.charge_each::<u32>("the sets of events", candidates.len())?;
            let takes = |set: &usize| {
                ranges.get(*set).is_some_and(|ranges| ranges.contain(f64::from(event.time)))
            };
            let mut takers: Vec<usize> = candidates.iter().copied().filter(takes).collect();
            if takers.is_empty() {
                // A set keeps all its events, including those outside its ranges.
                takers.extend(named.and_then(|sets| sets.first()));
            }
            self.report_event(event, takers.is_empty());
            if !takers.is_empty() {
                let line = NewEvent { time: self.frames(event.time), name: self.name(&event.name) };
                for set in takers {
                    sets.get_mut(set)
                        .into_iter()
                        .for_each(|set| set.lines.events.push(line.clone()));
                }
            }
        }
        Ok(())
    }

    fn report_event(&mut self, event: &Event, lost: bool) {
        let more = !event.payload.is_empty();
        self.losses.lost(&codes::LOSS_EVENT, lost || more, || {
            let name = quote(event.name.as_bytes());
            if lost {
                format!("event {name} at {} is outside all animations", in_seconds(event.time))
            } else {
                format!("event {name} has data in addition to its name")
            }
        });
    }

    /// Reports animations whose times will be different when read back.
    fn report_ranges(&mut self, sets: &[Group<'_>]) {
        let mut moments: HashMap<TimelineId, Moments<'_>> = HashMap::new();
        let fps = self.frames_per_second;
        for set in sets {
            let Some(like) = set.clips.first() else { continue };
            let joints = self.skeleton.enumerate_joints().map(|(id, _)| id);
            let joints: Vec<JointId> = joints.filter(|joint| like.has_joint(*joint)).collect();
            let mut tables_of: HashMap<TimelineId, Vec<usize>> = HashMap::new();
            for (clip, line) in set.clips.iter().zip(&set.lines.clips) {
                let window = Window {
                    start: f64::from(line.start),
                    end: f64::from(line.end),
                    frames_per_second: fps,
                    tolerance: TOLERANCE,
                };
                let Some(timeline) =
                    self.timeline_of(clip).filter(|timeline| !timeline.tracks().is_empty())
                else {
                    continue;
                };
                let moments =
                    moments.entry(clip.timeline).or_insert_with(|| Moments::new(timeline));
                let tables =
                    tables_of.entry(clip.timeline).or_insert_with(|| moments.tables(&joints));
                let keys = moments.first_and_last(tables, window);
                let events =
                    window.first_and_last(&set.lines.events, |event| seconds(event.time, fps));
                let found = hull([keys, events]);
                let near = |a: f32, b: f32| f64::from((a - b).abs()) * fps <= TOLERANCE;
                if !found.is_some_and(|(start, end)| near(start, clip.start) && near(end, clip.end))
                {
                    self.losses.push(&codes::LOSS_RANGE, None, || {
                        let read = found.map_or("as empty".to_owned(), |(start, end)| {
                            format!("from {} to {}", in_seconds(start), in_seconds(end))
                        });
                        format!(
                            "animation {} from {} to {} reads back {read}",
                            quote(clip.name.as_bytes()),
                            in_seconds(clip.start),
                            in_seconds(clip.end)
                        )
                    });
                }
            }
        }
    }

    /// Converts seconds to frames, removing rounding errors from whole numbers.
    fn frames(&self, seconds: f32) -> f32 {
        let frames = f64::from(seconds) * self.frames_per_second;
        narrow(if (frames - frames.round()).abs() <= TOLERANCE / 10.0 {
            frames.round()
        } else {
            frames
        })
    }

    /// Returns the nearest name that the format can represent, and reports a loss if it differs.
    fn name(&mut self, name: &str) -> String {
        if is_name(name) {
            return name.to_owned();
        }
        let written = writable(name);
        self.losses.push(&codes::LOSS_NAME, None, || {
            format!(
                "the name {} is written as {}",
                quote(name.as_bytes()),
                quote(written.as_bytes())
            )
        });
        written
    }

    fn bone_name(&mut self, name: &str) -> String {
        match name.strip_prefix('+') {
            Some(rest) => self.name(&format!("_{rest}")),
            None => self.name(name),
        }
    }
}

/// Splits the name of a clip into its set and its name in that set.
fn parts(clip: &Clip) -> (Option<&str>, &str) {
    clip.group
        .as_deref()
        .zip(clip.name_in_group())
        .or_else(|| clip.name.split_once('/'))
        .map_or((None, clip.name.as_str()), |(set, name)| (Some(set), name))
}

/// The key used to merge equal events.
fn identity(event: &Event) -> (u32, &str, Option<&str>) {
    (event.time.to_bits(), &event.name, event.group.as_deref())
}

/// Returns the nearest name that can be written.
fn writable(name: &str) -> String {
    const LONGEST: usize = 4000;
    let mut out: String = name
        .chars()
        .map(|c| if matches!(c, ' ' | '\t' | '\n' | '\r' | '\0') { '_' } else { c })
        .collect();
    truncate(&mut out, LONGEST);
    if out.is_empty() || out.starts_with('#') {
        out.insert(0, '_');
    }
    out
}

/// The joints that the clips of each set animate; `None` for all joints.
#[derive(Default)]
struct JointsOfSets<'a> {
    /// The index of each set in `joints`, by its name.
    places: HashMap<&'a str, usize>,
    joints: Vec<Option<BTreeSet<JointId>>>,
}

impl JointsOfSets<'_> {
    fn get(&self, set: &str) -> Option<&Option<BTreeSet<JointId>>> {
        self.joints.get(*self.places.get(set)?)
    }
}
