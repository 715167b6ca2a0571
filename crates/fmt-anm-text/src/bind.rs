//! Binds a document to a model: maps bones to joints, and determines when animations start and end.
//!
//! Work is shared between animations. Sets with the same bones share their joints, keys are found
//! by binary search in the tables of those joints, and events are stored once.
//! A [`Budget`] bounds how much a small file can still expand.

mod joints;
mod moments;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use anim_ir::diag::{quote, seconds as duration};
use anim_ir::{
    Budget, Clip, Converted, Diagnostics, Event, JointId, LimitError, Scene, Skeleton, Timeline,
    TimelineId, sort_by,
};

use crate::codes;
use crate::document::{self, Document, Set};
use crate::events::TOLERANCE;
use crate::frames::{FRAMES_PER_SECOND, RATE, rate, seconds};
pub use joints::Children;
use joints::{Joints, Request};
pub(crate) use moments::{Moments, Window, hull};

/// Which events in its range an animation includes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventScope {
    /// Only the events of its own set. The set becomes the group of its events and clips; see
    /// [`Clip::contains_event`].
    #[default]
    OwnSet,
    /// The events of all sets. Events have no group.
    All,
}

anim_ir::options! {
    /// Options for binding a document to a model. Each joint of a set or animation, and each search
    /// in a key table, counts as one sample towards [`limits`](Self::limits).
    #[derive(Copy)]
    pub struct BindOptions {
        /// The meaning of `+children`.
        children (with_children): Children = Children::AllDescendants;
        /// Which events an animation includes.
        events (with_events): EventScope = EventScope::OwnSet;
        /// The file's frame rate, greater than 0. `None` means 24, as specified.
        frames_per_second (with_frames_per_second): Option<f64> = Some(FRAMES_PER_SECOND),
            positive("rate", Some("24"), RATE);
        /// The maximum distance in frames at which a key or event outside a range is still
        /// included, since the times in models are often rounded.
        tolerance (with_tolerance): f64 = TOLERANCE;
    }
}

/// A document bound to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The sets in the order of the file.
    pub sets: Vec<BoundSet>,
    /// Animations in the order of the file, named `Set/clip`, with the set as their group. Their
    /// timeline is 0 until [`Bound::put_on`] is called. A mask that includes all joints is `None`.
    pub clips: Vec<Clip>,
    /// Events of all sets, sorted by time, with the set as their group unless all sets share
    /// their events ([`EventScope::All`]).
    pub events: Vec<Event>,
}

/// A set bound to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundSet {
    /// Its name.
    pub name: String,
    /// Its joints in ascending order, shared between sets with the same bones.
    pub joints: Arc<[JointId]>,
    /// The range of its animations in [`Bound::clips`].
    pub clips: Range<usize>,
}

impl Bound {
    /// Applies the result to a timeline of a scene: adds the events and replaces the timeline's
    /// clips.
    pub fn put_on(self, scene: &mut Scene, timeline: TimelineId) {
        scene.clips.retain(|clip| clip.timeline != timeline);
        scene.clips.extend(self.clips.into_iter().map(|clip| Clip { timeline, ..clip }));
        if let Some(timeline) = scene.timeline_mut(timeline) {
            timeline.events.extend(self.events);
            sort_by(&mut timeline.events, Event::by_time);
        }
    }
}

/// Binds a document to a skeleton and the timeline that animates it. Keys and times are not
/// changed.
///
/// # Errors
///
/// Returns a [`LimitError`] if the joints of the sets and animations, or the searches, exceed the
/// budget.
pub fn bind(
    document: &Document<'_>,
    skeleton: &Skeleton,
    timeline: &Timeline,
    options: &BindOptions,
) -> Result<Converted<Bound>, LimitError> {
    let moments = Moments::new(timeline);
    let mut binder = Binder {
        joints: Joints::new(skeleton),
        end: moments.end(),
        moments,
        options,
        frames_per_second: rate(options.frames_per_second),
        shared: HashMap::new(),
        budget: Budget::new(&options.limits, document.source.len()),
        losses: Diagnostics::new(),
    };
    let mut bound = Bound {
        sets: Vec::with_capacity(document.sets().len()),
        clips: Vec::new(),
        events: Vec::new(),
    };
    let all_events = if options.events == EventScope::All {
        sorted(document.sets().flat_map(|set| set.events()))
    } else {
        Vec::new()
    };
    for set in document.sets() {
        let selection = binder.select(&set)?;
        let own_events =
            if options.events == EventScope::OwnSet { sorted(set.events()) } else { Vec::new() };
        let events = if options.events == EventScope::OwnSet { &own_events } else { &all_events };
        let first = bound.clips.len();
        for clip in set.clips() {
            bound.clips.extend(binder.clip(&set, &clip, &selection, events)?);
        }
        bound.sets.push(BoundSet {
            name: set.name().into_owned(),
            joints: selection.joints,
            clips: first..bound.clips.len(),
        });
    }
    bound.events = events(document, options.events, binder.frames_per_second);
    binder.losses.sort_by_place();
    Ok(Converted { value: bound, losses: binder.losses })
}

/// The joints of a set and the tables that contain their keys.
#[derive(Clone, Debug)]
struct Selection {
    joints: Arc<[JointId]>,
    tables: Arc<[usize]>,
}

/// The name of selected joints in error messages.
const JOINTS: &str = "the joints of sets and animations";

struct Binder<'a> {
    joints: Joints<'a>,
    moments: Moments<'a>,
    /// The time of the last key or event, in seconds.
    end: Option<f32>,
    options: &'a BindOptions,
    frames_per_second: f64,
    /// Results for lists of bones that have already been resolved.
    shared: HashMap<Vec<Request>, Selection>,
    budget: Budget,
    losses: Diagnostics,
}

impl Binder<'_> {
    fn select(&mut self, set: &Set<'_>) -> Result<Selection, LimitError> {
        let requests = self.requests(set);
        if let Some(selection) = self.shared.get(&requests) {
            return Ok(selection.clone());
        }
        let ranges = self.joints.ranges(&requests, self.options.children);
        self.budget.charge_each::<JointId>(JOINTS, ranges.iter().map(Range::len).sum())?;
        let joints = self.joints.of(&ranges);
        let selection =
            Selection { tables: self.moments.tables(&joints).into(), joints: joints.into() };
        self.shared.insert(requests, selection.clone());
        Ok(selection)
    }

    /// Returns the distinct bones and options of a set.
    fn requests(&mut self, set: &Set<'_>) -> Vec<Request> {
        let mut requests = Vec::new();
        for bone in set.bones() {
            let name = bone.name();
            let Some((joint, count)) = self.joints.find(&name) else {
                self.losses
                    .report(&codes::BONE_UNKNOWN, || self.joints.unknown(&name, bone.span()));
                continue;
            };
            if count > 1 {
                self.losses.push(&codes::BONE_AMBIGUOUS, bone.span(), || {
                    format!(
                        "the model has {count} bones named {}; the first is used",
                        quote(name.as_bytes())
                    )
                });
            }
            requests.push(Request { joint, children: bone.with_children() });
            if bone.with_parent() {
                match self.joints.parent(joint) {
                    Some(parent) => requests.push(Request { joint: parent, children: false }),
                    None => self.losses.push(&codes::PARENT_OF_ROOT, bone.span(), || {
                        format!("bone {} has no parent", quote(name.as_bytes()))
                    }),
                }
            }
        }
        sort_by(&mut requests, Ord::cmp);
        requests.dedup();
        requests
    }

    /// Returns the animation, or `None` if there are no keys or events in its range. `events` are
    /// sorted times in frames.
    fn clip(
        &mut self,
        set: &Set<'_>,
        clip: &document::Clip<'_>,
        selection: &Selection,
        events: &[f32],
    ) -> Result<Option<Clip>, LimitError> {
        let fps = self.frames_per_second;
        self.budget.charge_each::<u32>("the searches for keys", selection.tables.len())?;
        let window = Window {
            start: f64::from(clip.start()),
            end: f64::from(clip.end()),
            frames_per_second: fps,
            tolerance: self.options.tolerance,
        };
        let keys = self.moments.first_and_last(&selection.tables, window);
        let events = window.first_and_last(events, |event| seconds(*event, fps));
        let found = hull([keys, events, self.moments.events(window)]);
        let whose = || quote(clip.name().as_bytes());
        // A range is often rounded up to a whole frame.
        let is_beyond = |take: &f64| f64::from(clip.end()) > take * fps + 1.0;
        let beyond = self.end.map(f64::from).filter(is_beyond).map(|take| {
            let [end, take] = [f64::from(clip.end()) / fps, take].map(duration);
            format!("the take ends at {take}, frame {} at {fps} per second is at {end}", clip.end())
        });
        let Some((start, end)) = found else {
            self.losses.push(&codes::NOTHING_FOUND, clip.span(), || {
                let [from, to] = [clip.start(), clip.end()];
                let why = match beyond {
                    Some(why) => format!("; {why} (--fps)"),
                    // Readers turn equal keys into constants.
                    None if selection.tables.is_empty() => {
                        "; its bones do not move in the take".to_owned()
                    }
                    None => String::new(),
                };
                format!("no keys or events from frame {from} to frame {to} for {}{why}", whose())
            });
            return Ok(None);
        };
        if let Some(why) = beyond {
            self.losses.push(&codes::BEYOND_TAKE, clip.span(), || {
                format!("the range of {} is cut short: {why} (--fps)", whose())
            });
        }
        let joints = if selection.joints.len() == self.joints.len() {
            None
        } else {
            self.budget.charge_each::<JointId>(JOINTS, selection.joints.len())?;
            Some(selection.joints.iter().copied().collect())
        };
        let (name, group) = (clip_name(&set.name(), &clip.name()), Some(set.name().into_owned()));
        Ok(Some(Clip { name, start, end, joints, group, ..Clip::default() }))
    }
}

/// Qualifies a clip's name with its set's, for formats with a flat list of clips; two sets may each
/// have a `walk`.
pub(crate) fn clip_name(set: &str, clip: &str) -> String {
    format!("{set}/{clip}")
}

/// Returns the events of all sets, sorted by time.
pub(crate) fn events(
    document: &Document<'_>,
    scope: EventScope,
    frames_per_second: f64,
) -> Vec<Event> {
    let of = |set: Set<'_>| {
        let group = (scope == EventScope::OwnSet).then(|| set.name());
        let event = |event: document::Event<'_>| Event {
            time: seconds(event.time(), frames_per_second),
            name: event.name().into_owned(),
            group: group.as_deref().map(str::to_owned),
            ..Event::default()
        };
        set.events().map(event).collect::<Vec<Event>>()
    };
    let mut events: Vec<Event> = document.sets().flat_map(of).collect();
    sort_by(&mut events, Event::by_time);
    events
}

/// Returns the times of events in frames, sorted.
fn sorted<'a>(events: impl Iterator<Item = document::Event<'a>>) -> Vec<f32> {
    let mut times: Vec<f32> = events.map(|event| event.time()).collect();
    times.sort_by(f32::total_cmp);
    times
}
