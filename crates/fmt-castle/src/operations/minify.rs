//! Minification of documents.

use anim_ir::{EditError, Quat, Vec3};

use crate::document::Document;
use crate::operations::numbers::{Skeleton, Style};
use crate::writer::{NewContent, NewFrame};

/// Options for minifying a document. The default does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Minify {
    /// Rounds fractional numbers in X3D content to this many decimal places.
    pub decimals: Option<u8>,
    /// Removes insignificant whitespace, both inside and outside X3D content.
    pub whitespace: bool,
    /// Drops frames that interpolation reproduces: those in which every number is within this
    /// distance of the straight line between the kept frames, and every rotation within this angle
    /// (radians about each axis) of the shorter arc between them. Only frames that are identical
    /// apart from their numbers are compared. In an animation without interpolation, drops frames
    /// that differ from the last kept frame by no more than this.
    pub epsilon: Option<f32>,
}

/// Minifies a document. Also removes unknown attributes, comments outside the frames' content, and
/// frames without content.
///
/// # Errors
///
/// [`EditError`] if an animation has an empty name.
pub fn minify(document: &Document<'_>, options: &Minify) -> Result<Document<'static>, EditError> {
    let style = Style { decimals: options.decimals, whitespace: options.whitespace };
    let mut animations = document.data();
    for animation in &mut animations {
        for frame in &mut animation.frames {
            if let NewContent::X3d(content) = &mut frame.content {
                *content = style.apply(content).into();
            }
        }
        // The first and the last frame are always kept.
        if let Some(epsilon) = options.epsilon.filter(|_| animation.frames.len() > 2) {
            let frames = std::mem::take(&mut animation.frames);
            let drop = if animation.scenes_per_time == 0 { drop_repeated } else { drop_straight };
            animation.frames = drop(frames, f64::from(epsilon));
        }
    }
    if options.whitespace {
        Document::build_compact(&animations)
    } else {
        Document::build(&animations)
    }
}

/// Drops frames that lie on straight lines between other frames. The run time is linear in the size
/// of the frames.
///
/// A line starts at a kept frame. For every number, each later frame narrows the range of slopes
/// with which the line passes within epsilon of that frame. The line can end at a frame as long as
/// the slopes to that frame are within these ranges.
fn drop_straight(frames: Vec<NewFrame<'_>>, epsilon: f64) -> Vec<NewFrame<'_>> {
    let mut kept = Vec::new();
    let mut line: Option<Lines> = None;
    let mut before: Option<(NewFrame<'_>, Option<Content>)> = None;
    for frame in frames {
        let content = skeleton(&frame).map(Content::of);
        let reaches =
            |line: &Lines| content.as_ref().is_some_and(|content| line.reach(frame.time, content));
        if !line.as_ref().is_some_and(reaches) {
            // Keep the previous frame, since it ends one line and starts the next.
            line = before
                .as_ref()
                .and_then(|(frame, content)| Some(Lines::from(frame.time, content.as_ref()?)))
                .filter(reaches);
            kept.extend(before.take().map(|(frame, _)| frame));
        }
        if let (Some(line), Some(content)) = (&mut line, &content) {
            line.narrow(frame.time, content, epsilon);
        }
        before = Some((frame, content));
    }
    kept.extend(before.map(|(frame, _)| frame));
    kept
}

/// Drops frames that look like the last kept frame, except the final frame, which determines when
/// the animation ends.
fn drop_repeated(frames: Vec<NewFrame<'_>>, epsilon: f64) -> Vec<NewFrame<'_>> {
    let last = frames.len().saturating_sub(1);
    let mut kept = Vec::new();
    let mut shown: Option<Skeleton> = None;
    for (index, frame) in frames.into_iter().enumerate() {
        let content = skeleton(&frame);
        let near = |(a, b): (&f32, &f32)| (f64::from(*a) - f64::from(*b)).abs() <= epsilon;
        let repeats = shown
            .as_ref()
            .zip(content.as_ref())
            .is_some_and(|(a, b)| a.text == b.text && a.numbers.iter().zip(&b.numbers).all(near));
        if !repeats || index == last {
            shown = content;
            kept.push(frame);
        }
    }
    kept
}

fn skeleton(frame: &NewFrame<'_>) -> Option<Skeleton> {
    if let NewContent::X3d(content) = &frame.content { Some(Skeleton::of(content)) } else { None }
}

/// A bundle of straight lines for each number of a frame. A rotation has lines for the components
/// of the rotation vector from its start, which interpolation along the shorter arc changes at a
/// constant rate.
struct Lines {
    time: f64,
    start: Content,
    slopes: Vec<Slopes>,
}

/// A frame: its text, the numbers that are interpolated linearly, and the rotations.
#[derive(Clone)]
struct Content {
    text: String,
    numbers: Vec<f32>,
    rotations: Vec<Quat>,
}

/// The largest angle of a rotation vector. Beyond it, the other arc may be the shorter one.
const WIDEST: f64 = 3.0;

impl Content {
    fn of(skeleton: Skeleton) -> Content {
        let Skeleton { text, numbers: all, rotations: starts } = skeleton;
        let mut rotations = Vec::with_capacity(starts.len());
        let mut numbers = Vec::with_capacity(all.len());
        let mut starts = starts.into_iter().peekable();
        let mut next = 0;
        while let [first, rest @ ..] = all.get(next..).unwrap_or_default() {
            let is_start = starts.next_if_eq(&next).is_some();
            if let [y, z, angle, ..] = rest
                && is_start
            {
                rotations.push(Quat::from_axis_angle(Vec3::new(*first, *y, *z), (*angle).into()));
                next += 4;
            } else {
                numbers.push(*first);
                next += 1;
            }
        }
        Content { text, numbers, rotations }
    }

    /// Returns the changes from another frame with the same text: of each number, and the rotation
    /// vectors. `None` if a rotation is too wide.
    fn since(&self, start: &Content) -> Option<Vec<f64>> {
        let pairs = self.numbers.iter().zip(&start.numbers);
        let mut changes: Vec<f64> =
            pairs.map(|(number, start)| f64::from(*number) - f64::from(*start)).collect();
        for (rotation, start) in self.rotations.iter().zip(&start.rotations) {
            let vector = rotation_vector(start.conjugate() * *rotation);
            let angle = vector.iter().map(|part| part * part).sum::<f64>().sqrt();
            if angle > WIDEST {
                return None;
            }
            changes.extend(vector);
        }
        Some(changes)
    }
}

/// Returns the axis of a rotation, with its angle in radians as length.
fn rotation_vector(rotation: Quat) -> [f64; 3] {
    let [x, y, z, w] = rotation.to_f64();
    let length = (x * x + y * y + z * z).sqrt();
    // The opposite quaternion is the same rotation, by an angle of at most half a turn.
    let half = length.atan2(w.abs());
    let scale = if length > 0.0 { 2.0 * half / length * w.signum() } else { 0.0 };
    [x, y, z].map(|part| part * scale)
}

/// The range of slopes (change per second) of a number that are still possible.
struct Slopes {
    least: f64,
    most: f64,
}

impl Lines {
    fn from(time: f32, content: &Content) -> Lines {
        let any = || Slopes { least: f64::NEG_INFINITY, most: f64::INFINITY };
        let count = content.numbers.len() + 3 * content.rotations.len();
        let slopes = std::iter::repeat_with(any).take(count).collect();
        Lines { time: time.into(), start: content.clone(), slopes }
    }

    /// Whether the lines to a frame pass close enough to all frames in between.
    fn reach(&self, time: f32, content: &Content) -> bool {
        let duration = f64::from(time) - self.time;
        let fits = |(slopes, change): (&Slopes, f64)| {
            let slope = change / duration;
            slopes.least <= slope && slope <= slopes.most
        };
        self.start.text == content.text
            && content
                .since(&self.start)
                .is_some_and(|changes| self.slopes.iter().zip(changes).all(fits))
    }

    /// Restricts the bundles to lines that pass close enough to a frame.
    fn narrow(&mut self, time: f32, content: &Content, epsilon: f64) {
        let duration = f64::from(time) - self.time;
        let changes = content.since(&self.start).unwrap_or_default();
        for (slopes, change) in self.slopes.iter_mut().zip(changes) {
            slopes.least = slopes.least.max((change - epsilon) / duration);
            slopes.most = slopes.most.min((change + epsilon) / duration);
        }
    }
}
