//! Edits to a document. Each edit replaces a piece of the text, which is then parsed again.

use anim_ir::number::shortest;
use anim_ir::text::Text;
use anim_ir::xml::Tags;
use anim_ir::{EditError, Limits, Span};

use crate::content::{Animation, BoundingBox, Content, Frame};
use crate::document::{Document, ParseOptions};
use crate::tags::{attribute, slice};
use crate::writer::{
    NewFrame, Writer, escape, escaped_url, no_frame, numbers, out_of_order, unnamed,
};

impl Document<'_> {
    /// Renames an animation.
    ///
    /// # Errors
    ///
    /// [`EditError`] if the animation does not exist, or the name is empty or contains control
    /// characters.
    pub fn rename(&mut self, animation: usize, name: &str) -> Result<(), EditError> {
        if name.is_empty() {
            return Err(unnamed());
        }
        let value = escape("the name", name)?;
        self.set_animation(animation, "name", &value, |found| name.clone_into(&mut found.name))
    }

    /// Sets whether an animation repeats.
    ///
    /// # Errors
    ///
    /// [`EditError`] if the animation does not exist.
    pub fn set_loop(&mut self, animation: usize, loops: bool) -> Result<(), EditError> {
        self.set_animation(animation, "loop", &loops.to_string(), |found| found.loops = loops)
    }

    /// Sets whether an animation plays backwards after playing forwards.
    ///
    /// # Errors
    ///
    /// [`EditError`] if the animation does not exist.
    pub fn set_backwards(&mut self, animation: usize, backwards: bool) -> Result<(), EditError> {
        let value = backwards.to_string();
        self.set_animation(animation, "backwards", &value, |found| found.backwards = backwards)
    }

    /// Sets the number of scenes per second that the engine bakes between frames; 0 disables
    /// interpolation. Values above 2147483647 are clamped.
    ///
    /// # Errors
    ///
    /// [`EditError`] if the animation does not exist.
    pub fn set_scenes_per_time(&mut self, animation: usize, scenes: u32) -> Result<(), EditError> {
        let scenes = scenes.min(i32::MAX.unsigned_abs());
        let value = scenes.to_string();
        let change = |found: &mut Animation| found.scenes_per_time = scenes;
        self.set_animation(animation, "scenes_per_time", &value, change)
    }

    /// Sets the time of a frame, in seconds.
    ///
    /// # Errors
    ///
    /// [`EditError`] if the frame does not exist, or the time is not finite or not between the
    /// times of the adjacent frames.
    pub fn set_time(&mut self, animation: usize, frame: usize, time: f32) -> Result<(), EditError> {
        let found = self.animation(animation)?;
        self.frame(animation, frame)?;
        let before = frame.checked_sub(1).and_then(|before| found.frames.get(before));
        check_time(time, before, found.frames.get(frame + 1))?;
        let value = shortest(time);
        self.set_frame(animation, frame, &[("time", value)], |found| found.time = time)
    }

    /// Sets the URL of a frame. If the file stores the URL in `file_name`, that attribute is
    /// changed.
    ///
    /// # Errors
    ///
    /// [`EditError`] if the frame does not exist, its content is inline, or the URL is empty or
    /// contains control characters.
    pub fn set_url(&mut self, animation: usize, frame: usize, url: &str) -> Result<(), EditError> {
        let found = self.frame(animation, frame)?;
        let (span, value) = (found.span, escaped_url(url)?);
        if matches!(found.content, Content::X3d(_) | Content::Gltf(_)) {
            return Err(EditError::refused(format!("frame {frame} has inline content and no URL")));
        }
        let given = |name| {
            attribute(self.text(), span.start, name)
                .is_some_and(|attribute| !attribute.value.is_empty())
        };
        let name = if given("file_name") && !given("url") { "file_name" } else { "url" };
        self.set_frame(animation, frame, &[(name, value)], |found| {
            found.content = Content::Url(url.to_owned());
        })
    }

    /// Sets the bounding box of a frame.
    ///
    /// # Errors
    ///
    /// [`EditError`] if the frame does not exist, or a number is not finite.
    pub fn set_bounding_box(
        &mut self,
        animation: usize,
        frame: usize,
        bounding_box: BoundingBox,
    ) -> Result<(), EditError> {
        let [center, size] = numbers(&bounding_box)?;
        let values = [("bounding_box_center", center), ("bounding_box_size", size)];
        self.set_frame(animation, frame, &values, |found| {
            found.bounding_box = Some(bounding_box).filter(BoundingBox::is_not_empty);
        })
    }

    /// Removes a frame, including the line break and whitespace before it.
    ///
    /// # Errors
    ///
    /// [`EditError`] if the frame does not exist, or is the only frame of its animation.
    pub fn remove_frame(&mut self, animation: usize, frame: usize) -> Result<(), EditError> {
        let span = self.frame(animation, frame)?.span;
        if self.animation(animation)?.frames.len() <= 1 {
            return Err(no_frame());
        }
        let start = span.start - self.indentation(span.start).len();
        let mut text = self.text.clone();
        text.splice(Span::new(start, span.end), "");
        self.edit(text, |animations| {
            animations.get_mut(animation).map(|animation| animation.frames.remove(frame));
        })
    }

    /// Inserts a frame at the position determined by its time, on a separate line if the other
    /// frames are.
    ///
    /// # Errors
    ///
    /// [`EditError`] if the animation does not exist, a frame at that time already exists, or the
    /// format cannot store the frame.
    pub fn insert_frame(
        &mut self,
        animation: usize,
        frame: &NewFrame<'_>,
    ) -> Result<(), EditError> {
        let found = self.animation(animation)?;
        let at = found.frames.partition_point(|other| other.time < frame.time);
        let before = at.checked_sub(1).and_then(|before| found.frames.get(before));
        check_time(frame.time, before, found.frames.get(at))?;
        let neighbour = before.or(found.frames.first()).map_or(found.span, |frame| frame.span);
        let mut writer = Writer::bare();
        let content = writer.frame(frame)?;
        let element = writer.finish();
        let indentation = self.indentation(neighbour.start);
        // Insert the frame before the first frame, or after the previous frame.
        let (place, element) = match before {
            Some(before) => (before.span.end, format!("{indentation}{element}")),
            None => (neighbour.start, format!("{element}{indentation}")),
        };
        let mut text = self.text.clone();
        let length = text.splice(Span::new(place, place), &element);
        let content = match content {
            // The encoding may need character references.
            Content::X3d(_) => {
                let written = slice(text.as_str(), Span::new(place, place + length));
                Content::Gltf(x3d_in(written).to_owned())
            }
            other => other,
        };
        let NewFrame { time, bounding_box, .. } = *frame;
        let bounding_box = bounding_box.filter(BoundingBox::is_not_empty);
        let frame = Frame { time, content, bounding_box, span: NOWHERE };
        self.edit(text, |animations| {
            if let Some(animation) = animations.get_mut(animation) {
                animation.frames.insert(at, frame);
            }
        })
    }

    /// Returns the line break before an offset and the whitespace between them. Empty if the line
    /// has other text before the offset.
    fn indentation(&self, place: usize) -> &str {
        let before = self.text().get(..place).unwrap_or_default();
        let line = before.trim_end_matches([' ', '\t']);
        let end = line.strip_suffix('\n').map(|rest| rest.strip_suffix('\r').unwrap_or(rest));
        end.and_then(|end| before.get(end.len()..)).unwrap_or_default()
    }

    /// Parses an edited text. Refuses the edit if it changes the animations in any other way than
    /// `change`: for example, a new time may put frames in order that were ignored before.
    fn edit(
        &mut self,
        text: Text<'_>,
        change: impl FnOnce(&mut Vec<Animation>),
    ) -> Result<(), EditError> {
        let limits = Limits { input_bytes: usize::MAX, ..Limits::default() };
        let options = ParseOptions::default().with_limits(limits);
        let edited = Document::parse_with(text.to_bytes().into_owned(), &options)?.value;
        let mut expected = self.without_spans();
        change(&mut expected);
        if edited.without_spans() != expected {
            return Err(EditError::refused("errors in the file prevent this edit"));
        }
        *self = edited;
        Ok(())
    }

    /// Returns the animations for comparison: without spans, and with the text of X3D content.
    fn without_spans(&self) -> Vec<Animation> {
        let mut animations = self.animations.clone();
        for animation in &mut animations {
            animation.span = NOWHERE;
            for frame in &mut animation.frames {
                frame.span = NOWHERE;
                if let Content::X3d(x3d) = frame.content {
                    frame.content = Content::Gltf(self.slice(x3d).to_owned());
                }
            }
        }
        animations
    }

    fn animation(&self, index: usize) -> Result<&Animation, EditError> {
        self.animations.get(index).ok_or(EditError::Missing { what: "animation", index })
    }

    fn frame(&self, animation: usize, index: usize) -> Result<&Frame, EditError> {
        self.animation(animation)?
            .frames
            .get(index)
            .ok_or(EditError::Missing { what: "frame", index })
    }

    /// Sets an attribute of an animation to an escaped value.
    fn set_animation(
        &mut self,
        index: usize,
        name: &str,
        value: &str,
        change: impl FnOnce(&mut Animation),
    ) -> Result<(), EditError> {
        let mut text = self.text.clone();
        set(&mut text, self.animation(index)?.span, name, value);
        self.edit(text, |animations| {
            animations.get_mut(index).map(change);
        })
    }

    /// Sets attributes of a frame to escaped values.
    fn set_frame(
        &mut self,
        animation: usize,
        index: usize,
        values: &[(&str, String)],
        change: impl FnOnce(&mut Frame),
    ) -> Result<(), EditError> {
        let element = self.frame(animation, index)?.span;
        let mut text = self.text.clone();
        for (name, value) in values {
            set(&mut text, element, name, value);
        }
        self.edit(text, |animations| {
            let animation = animations.get_mut(animation);
            animation.and_then(|animation| animation.frames.get_mut(index)).map(change);
        })
    }
}

/// The span of everything when spans do not matter.
const NOWHERE: Span = Span::new(0, 0);

/// Sets an attribute to an escaped value, either in place or inserted after the element's name.
fn set(text: &mut Text<'_>, element: Span, name: &str, value: &str) {
    match attribute(text.as_str(), element.start, name) {
        Some(attribute) => text.splice(attribute.value, value),
        None => {
            let tag = slice(text.as_str(), element);
            let name_end = tag.find([' ', '\t', '\r', '\n', '/', '>']).unwrap_or(tag.len());
            let place = element.start + name_end;
            text.splice(Span::new(place, place), &format!(" {name}=\"{value}\""))
        }
    };
}

/// Returns the `X3D` element in a frame.
fn x3d_in(frame: &str) -> &str {
    let mut tags = Tags::new(frame).filter_map(Result::ok).filter(|tag| tag.depth == 2);
    let Some(first) = tags.next() else { return "" };
    let end = tags.last().map_or(first.span.end, |last| last.span.end);
    slice(frame, Span::new(first.span.start, end))
}

fn check_time(time: f32, before: Option<&Frame>, after: Option<&Frame>) -> Result<(), EditError> {
    if !time.is_finite() {
        return Err(EditError::NotFinite("the time"));
    }
    let ordered = before.is_none_or(|before| before.time < time)
        && after.is_none_or(|after| time < after.time);
    if ordered { Ok(()) } else { Err(out_of_order(time)) }
}
