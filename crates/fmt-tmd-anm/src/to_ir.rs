//! Conversion from documents to scenes.

use std::f64::consts::TAU;

use anim_ir::diag::{plural, quote};
use anim_ir::number::narrow;
use anim_ir::{
    Axes, Budget, Channel, Clip, Converted, Diagnostics, Interpolation, Joint, Quat, Scene,
    Skeleton, Target, TimeBase, TimelineBuilder, TimelineError,
};

use crate::codes;
use crate::document::Document;
use crate::key::Key;
use crate::options::ToIr;

/// Converts a document to a clip of its frames. Equivalent to [`parts_to_ir`] with one part.
pub fn to_ir(document: &Document<'_>, options: &ToIr) -> Converted<Scene> {
    parts_to_ir(&[document], options)
}

/// Converts several documents to one clip, in order. The game splits long animations across several
/// files.
///
/// Object n becomes joint n, `object_n`, without a parent; the rest pose is that of the model. Keys
/// are placed at the start of each frame, and the last key is repeated at the end of the clip, so
/// that the last frame is shown for as long as all other frames. Objects that a frame does not draw
/// are hidden.
pub fn parts_to_ir(parts: &[&Document<'_>], options: &ToIr) -> Converted<Scene> {
    let mut losses = Diagnostics::new();
    let (objects, times) = collect(parts, options, &mut losses);
    let mut skeleton = Skeleton::nodes("objects");
    for index in 0..objects.len() {
        let joint = Joint::new(format!("object_{index}"), None);
        skeleton.add_joint(Joint { source_index: index, ..joint });
    }
    let per_second = parts.first().map_or(30.0, |document| rate(document, options));
    let mut builder =
        TimelineBuilder::new(&options.name).with_time_base(TimeBase::Frames { per_second });
    for ((joint, _), rows) in skeleton.enumerate_joints().zip(&objects) {
        let object = Object { target: joint.into(), rows, times: &times, options };
        // Cannot fail: times ascend, numbers are finite, and each property is only added once.
        let added = object.add_tracks(&mut builder);
        debug_assert_eq!(added, Ok(()));
    }
    unknown_losses(parts, &mut losses);
    let clip = Clip { name: options.name.clone(), end: times.end(), ..Clip::default() };
    let scene = Scene {
        name: options.name.clone(),
        axes: Axes::YDown,
        skeletons: vec![skeleton],
        timelines: vec![builder.finish()],
        clips: vec![clip],
        ..Scene::default()
    };
    Converted { value: scene, losses }
}

fn rate(document: &Document<'_>, options: &ToIr) -> f32 {
    asked_rate(options.frames_per_second).unwrap_or(document.frames_per_second())
}

/// Returns the requested rate, if valid.
pub(crate) fn asked_rate(per_second: Option<f64>) -> Option<f32> {
    positive(per_second.map(narrow))
}

/// Returns the number if it is safe to multiply or divide by.
pub(crate) fn positive(number: Option<f32>) -> Option<f32> {
    number.filter(|number| number.is_finite() && *number > 0.0)
}

/// Returns a position or scale multiplied by a unit; always finite.
pub(crate) fn scaled(number: i16, unit: f64) -> f32 {
    narrow(f64::from(number) * unit).clamp(f32::MIN, f32::MAX)
}

/// The memory charged for a key: its row here, and its entries in three tracks.
const KEY_BYTES: usize = 64;

/// The drawn keys of one object with their frame numbers, in order.
type Rows = Vec<(usize, Key)>;

/// Collects the keys of each object and the times of the frames.
fn collect(
    documents: &[&Document<'_>],
    options: &ToIr,
    losses: &mut Diagnostics,
) -> (Vec<Rows>, Times) {
    let mut objects: Vec<Rows> = vec![Rows::new(); options.objects.unwrap_or(0)];
    // The objects that the model lacks, and the number of frames with keys for any of them.
    let (mut missing, mut frames_missing) = ([false; 256], 0_usize);
    let mut times = Times::default();
    let input = documents.iter().map(|document| document.source.len());
    let budget = Budget::new(&options.limits, input.fold(0, usize::saturating_add));
    'documents: for document in documents {
        let per_second = rate(document, options);
        for frame in document.frames() {
            let (mut lacks_any, mut keys) = (false, 0_usize);
            for key in frame.drawn() {
                let object = usize::from(key.object);
                if options.objects.is_none() && object >= objects.len() {
                    objects.resize(object + 1, Rows::new());
                }
                match (objects.get_mut(object), missing.get_mut(object)) {
                    (Some(rows), _) => rows.push((times.frames(), key)),
                    (None, Some(missing)) => (*missing, lacks_any) = (true, true),
                    (None, None) => {}
                }
                keys = keys.saturating_add(1);
            }
            frames_missing += usize::from(lacks_any);
            times.add_frame(per_second);
            if let Err(error) = budget.charge("the keys", keys.saturating_mul(KEY_BYTES)) {
                losses.push(&codes::SCENE_LIMIT, None, || {
                    format!("{error}; frames from {} on are dropped", times.frames())
                });
                break 'documents;
            }
        }
    }
    let mut missing = (0_u16..).zip(missing).filter(|(_, is_missing)| *is_missing);
    if let Some((first, _)) = missing.next() {
        let (others, last) = missing.fold((0_u16, first), |(count, _), (at, _)| (count + 1, at));
        losses.push(&codes::OBJECT, None, || {
            let name = match options.name.as_str() {
                "" => String::new(),
                name => format!("{}: ", quote(name.as_bytes())),
            };
            let which = match others {
                0 => format!("object {first} has"),
                others if last - first == others => format!("objects {first} to {last} have"),
                others => format!("{} of objects {first} to {last} have", others + 1),
            };
            let frames = plural(frames_missing, "frame");
            let has = match objects.len() {
                0 => "the model has no objects".to_owned(),
                1 => "the model has only object 0".to_owned(),
                count => format!("the model has only objects 0 to {}", count.saturating_sub(1)),
            };
            format!("{name}{which} keys in {frames}, but {has}")
        });
    }
    (objects, times)
}

/// The times of all frames and of the end.
#[derive(Debug, Default)]
pub(crate) struct Times {
    starts: Vec<f32>,
    /// The last run of frames with the same rate: its start in seconds, its rate, and its number of
    /// frames.
    run: (f64, f64, u32),
}

impl Times {
    /// Adds a frame. Times in a run of frames with the same rate are computed from the start of the
    /// run, so that errors do not accumulate.
    pub(crate) fn add_frame(&mut self, per_second: f32) {
        let rate = f64::from(per_second);
        if self.run.1.total_cmp(&rate).is_ne() {
            self.run = (self.seconds(), rate, 0);
        }
        self.starts.push(self.end());
        self.run.2 = self.run.2.saturating_add(1);
    }

    fn seconds(&self) -> f64 {
        let (start, rate, frames) = self.run;
        if frames == 0 { start } else { start + f64::from(frames) / rate }
    }

    /// The time from the start of the first frame to the end of the last, in seconds.
    pub(crate) fn end(&self) -> f32 {
        narrow(self.seconds()).min(f32::MAX)
    }

    /// The start of a frame in seconds.
    pub(crate) fn at(&self, frame: usize) -> f32 {
        self.starts.get(frame).copied().unwrap_or_else(|| self.end())
    }

    /// The number of frames.
    pub(crate) const fn frames(&self) -> usize {
        self.starts.len()
    }
}

/// Builds the tracks of one object.
struct Object<'a> {
    target: Target,
    rows: &'a Rows,
    times: &'a Times,
    options: &'a ToIr,
}

impl Object<'_> {
    fn add_tracks(&self, builder: &mut TimelineBuilder) -> Result<(), TimelineError> {
        let moments = self.moments();
        let times: Vec<f32> = moments.iter().map(|(time, _)| *time).collect();
        let interpolation =
            if self.options.linear { Interpolation::Linear } else { Interpolation::Step };
        let unit = f64::from(positive(Some(self.options.unit)).unwrap_or(1.0));
        let rotation = |angles: [i16; 3]| {
            Quat::from_euler(
                angles.map(|angle| f64::from(angle) * TAU / 4096.0),
                self.options.rotation_order,
            )
        };
        let channels = [
            (
                Channel::Translation,
                self.values(&moments, [0.0; 3], |key| {
                    key.position.map(|vector| vector.map(|number| scaled(number, unit)))
                }),
            ),
            (
                Channel::Rotation,
                self.values(&moments, Quat::IDENTITY.to_array(), |key| {
                    key.rotation.map(|angles| rotation(angles).to_array())
                }),
            ),
            (
                Channel::Scale,
                self.values(&moments, [1.0; 3], |key| {
                    key.scale.map(|vector| vector.map(|number| scaled(number, 1.0 / 4096.0)))
                }),
            ),
        ];
        for (channel, values) in channels {
            if !values.is_empty() {
                builder.keys(self.target, channel, interpolation, &times, values)?;
            }
        }
        self.add_visibility(builder)
    }

    /// The object's keys with their times. If the object is drawn in the last frame, its last key
    /// is repeated at the end of the clip, since players end a clip at its last key.
    fn moments(&self) -> Vec<(f32, &Key)> {
        let starts = self.rows.iter().map(|(frame, key)| (self.times.at(*frame), key));
        let drawn_last = self.rows.last().filter(|(frame, _)| frame + 1 == self.times.frames());
        let mut moments: Vec<_> =
            starts.chain(drawn_last.map(|(_, key)| (self.times.end(), key))).collect();
        ascending(&mut moments);
        moments
    }

    /// The values of one part at all times; empty if no key contains the part.
    fn values<const N: usize>(
        &self,
        moments: &[(f32, &Key)],
        identity: [f32; N],
        part: impl Fn(&Key) -> Option<[f32; N]>,
    ) -> Vec<f32> {
        let mut any = false;
        let mut values = Vec::with_capacity(N * moments.len());
        let mut missing = identity;
        for (_, key) in moments {
            let value = part(key);
            any |= value.is_some();
            let value = value.unwrap_or(missing);
            if self.options.hold {
                missing = value;
            }
            values.extend(value);
        }
        if any { values } else { Vec::new() }
    }

    /// Adds steps where the object appears and disappears, unless it is always visible.
    fn add_visibility(&self, builder: &mut TimelineBuilder) -> Result<(), TimelineError> {
        if self.rows.is_empty() {
            // Two keys preserve the length of a clip in which nothing is drawn.
            return match self.times.end() {
                end if end > 0.0 => builder.keys(
                    self.target,
                    Channel::Visibility,
                    Interpolation::Step,
                    &[0.0, end],
                    &[0.0; 2],
                ),
                _ => builder.constant(self.target, Channel::Visibility, &[0.0]),
            };
        }
        let mut changes = Vec::new();
        let mut hidden_from = 0;
        for (frame, _) in self.rows {
            if *frame > hidden_from {
                changes.push((self.times.at(hidden_from), 0.0));
            }
            if *frame > hidden_from || changes.is_empty() {
                changes.push((self.times.at(*frame), 1.0));
            }
            hidden_from = frame + 1;
        }
        if hidden_from < self.times.frames() {
            changes.push((self.times.at(hidden_from), 0.0));
        }
        if changes.len() < 2 {
            return Ok(());
        }
        // Extend to the end of the clip, like other keys.
        changes.extend(changes.last().map(|(_, seen)| (self.times.end(), *seen)));
        ascending(&mut changes);
        let (times, values): (Vec<f32>, Vec<f32>) = changes.into_iter().unzip();
        builder.keys(self.target, Channel::Visibility, Interpolation::Step, &times, values)
    }
}

/// Merges entries whose times are equal in f32, keeping the last value.
fn ascending<T: Copy>(moments: &mut Vec<(f32, T)>) {
    moments.dedup_by(|later, earlier| {
        let same = later.0 <= earlier.0;
        if same {
            earlier.1 = later.1;
        }
        same
    });
}

fn unknown_losses(documents: &[&Document<'_>], losses: &mut Diagnostics) {
    let (mut bytes, mut flags) = (0, 0);
    for document in documents {
        bytes += document.gap().len() + document.trailing().len();
        for frame in document.frames() {
            let mut keys = frame.keys();
            flags += keys.by_ref().filter(|key| key.unknown_flags != 0).count();
            bytes += keys.rest().len();
        }
    }
    losses.lost(&codes::LOSS_UNKNOWN, bytes > 0, || {
        format!("{} outside of keys", plural(bytes, "byte"))
    });
    losses.lost(&codes::LOSS_UNKNOWN, flags > 0, || {
        format!("unknown bits in the flags of {}", plural(flags, "key"))
    });
}
