//! Minification of documents.

use anim_ir::EditError;

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
    /// distance of the straight line between the kept frames. Only frames that are identical apart
    /// from their numbers are compared. In an animation without interpolation, drops frames that
    /// differ from the last kept frame by no more than this.
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
    let mut before: Option<(NewFrame<'_>, Option<Skeleton>)> = None;
    for frame in frames {
        let content = skeleton(&frame);
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

/// A bundle of straight lines for each number of a frame.
struct Lines {
    time: f64,
    text: String,
    numbers: Vec<Slopes>,
}

/// The start value of a number, and the range of slopes (change per second) that are still
/// possible.
struct Slopes {
    start: f64,
    least: f64,
    most: f64,
}

impl Lines {
    fn from(time: f32, content: &Skeleton) -> Lines {
        let slopes = |number: &f32| Slopes {
            start: f64::from(*number),
            least: f64::NEG_INFINITY,
            most: f64::INFINITY,
        };
        Lines {
            time: time.into(),
            text: content.text.clone(),
            numbers: content.numbers.iter().map(slopes).collect(),
        }
    }

    /// Whether the lines to a frame pass close enough to all frames in between.
    fn reach(&self, time: f32, content: &Skeleton) -> bool {
        let duration = f64::from(time) - self.time;
        let fits = |(slopes, number): (&Slopes, &f32)| {
            let slope = (f64::from(*number) - slopes.start) / duration;
            slopes.least <= slope && slope <= slopes.most
        };
        self.text == content.text && self.numbers.iter().zip(&content.numbers).all(fits)
    }

    /// Restricts the bundles to lines that pass close enough to a frame.
    fn narrow(&mut self, time: f32, content: &Skeleton, epsilon: f64) {
        let duration = f64::from(time) - self.time;
        for (slopes, number) in self.numbers.iter_mut().zip(&content.numbers) {
            let distance = f64::from(*number) - slopes.start;
            slopes.least = slopes.least.max((distance - epsilon) / duration);
            slopes.most = slopes.most.min((distance + epsilon) / duration);
        }
    }
}
