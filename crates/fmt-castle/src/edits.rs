//! Edits to a document. Each edit replaces a piece of the text and shifts the spans after it.

use anim_ir::number::shortest;
use anim_ir::xml::Tags;
use anim_ir::{EditError, Edits, Span};

use crate::content::{Animation, BoundingBox, Content, Frame};
use crate::document::Document;
use crate::tags::attribute;
use crate::writer::{NewFrame, Writer, escape, no_frame, numbers, out_of_order, unnamed};

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
        self.animation(animation)?;
        let value = escape("the name", name)?;
        name.clone_into(&mut self.set_animation(animation, "name", &value)?.name);
        Ok(())
    }

    /// Sets whether an animation repeats.
    ///
    /// # Errors
    ///
    /// [`EditError`] if the animation does not exist.
    pub fn set_loop(&mut self, animation: usize, loops: bool) -> Result<(), EditError> {
        self.set_animation(animation, "loop", &loops.to_string())?.loops = loops;
        Ok(())
    }

    /// Sets whether an animation plays backwards after playing forwards.
    ///
    /// # Errors
    ///
    /// [`EditError`] if the animation does not exist.
    pub fn set_backwards(&mut self, animation: usize, backwards: bool) -> Result<(), EditError> {
        self.set_animation(animation, "backwards", &backwards.to_string())?.backwards = backwards;
        Ok(())
    }

    /// Sets the number of scenes per second that the engine bakes between frames; 0 disables
    /// interpolation. Values above 2147483647 are clamped.
    ///
    /// # Errors
    ///
    /// [`EditError`] if the animation does not exist.
    pub fn set_scenes_per_time(&mut self, animation: usize, scenes: u32) -> Result<(), EditError> {
        let scenes = scenes.min(i32::MAX.unsigned_abs());
        self.set_animation(animation, "scenes_per_time", &scenes.to_string())?.scenes_per_time =
            scenes;
        Ok(())
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
        self.set_frame(animation, frame, "time", &shortest(time))?.time = time;
        Ok(())
    }

    /// Sets the URL of a frame. If the file stores the URL in `file_name`, that attribute is
    /// changed.
    ///
    /// # Errors
    ///
    /// [`EditError`] if the frame does not exist, its content is inline, or the URL contains
    /// control characters.
    pub fn set_url(&mut self, animation: usize, frame: usize, url: &str) -> Result<(), EditError> {
        let found = self.frame(animation, frame)?;
        let (span, value) = (found.span, escape("the url", url)?);
        if matches!(found.content, Content::X3d(_) | Content::Gltf(_)) {
            return Err(EditError::refused(format!("frame {frame} has inline content and no URL")));
        }
        let given = |name| {
            attribute(self.text(), span.start, name)
                .is_some_and(|attribute| !attribute.value.is_empty())
        };
        let name = if given("file_name") && !given("url") { "file_name" } else { "url" };
        self.set_frame(animation, frame, name, &value)?.content = Content::Url(url.to_owned());
        Ok(())
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
        self.frame(animation, frame)?;
        let [center, size] = numbers(&bounding_box)?;
        self.set_frame(animation, frame, "bounding_box_center", &center)?;
        let empty = bounding_box.size.iter().any(|edge| *edge < 0.0);
        self.set_frame(animation, frame, "bounding_box_size", &size)?.bounding_box =
            Some(bounding_box).filter(|_| !empty);
        Ok(())
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
        self.animation_mut(animation)?.frames.remove(frame);
        self.splice(Span::new(start, span.end), "");
        Ok(())
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
        let indentation = self.indentation(neighbour.start).to_owned();
        // Insert the frame before the first frame, or after the previous frame.
        let (place, text, start) = match before {
            Some(before) => (
                before.span.end,
                format!("{indentation}{element}"),
                before.span.end + indentation.len(),
            ),
            None => (neighbour.start, format!("{element}{indentation}"), neighbour.start),
        };
        let length = self.splice(Span::new(place, place), &text);
        let span = Span::new(start, start + length - indentation.len());
        let content = match content {
            // In Latin-1, character references change the length, so look up the offset again.
            Content::X3d(_) => self.x3d_in(span).map_or(Content::Missing, Content::X3d),
            other => other,
        };
        let NewFrame { time, bounding_box, .. } = *frame;
        let frame = Frame { time, content, bounding_box, span };
        self.animation_mut(animation)?.frames.insert(at, frame);
        Ok(())
    }

    fn x3d_in(&self, frame: Span) -> Option<Span> {
        let mut tags =
            Tags::new(self.slice(frame)).filter_map(Result::ok).filter(|tag| tag.depth == 2);
        let (start, end) = (tags.next()?.span, tags.last());
        let end = end.map_or(start.end, |tag| tag.span.end);
        Some(Span::new(frame.start + start.start, frame.start + end))
    }

    /// Returns the line break before an offset and the whitespace between them. Empty if the line
    /// has other text before the offset.
    fn indentation(&self, place: usize) -> &str {
        let before = self.text().get(..place).unwrap_or_default();
        let line = before.trim_end_matches([' ', '\t']);
        let end = line.strip_suffix('\n').map(|rest| rest.strip_suffix('\r').unwrap_or(rest));
        end.and_then(|end| before.get(end.len()..)).unwrap_or_default()
    }

    /// Sets an attribute to an escaped value, either in place or inserted after the element's name.
    fn set(&mut self, element: Span, name: &str, value: &str) {
        match attribute(self.text(), element.start, name) {
            Some(attribute) => self.splice(attribute.value, value),
            None => {
                let tag = self.slice(element);
                let name_end = tag.find([' ', '\t', '\r', '\n', '/', '>']).unwrap_or(tag.len());
                let place = element.start + name_end;
                self.splice(Span::new(place, place), &format!(" {name}=\"{value}\""))
            }
        };
    }

    /// Replaces a piece of the text and returns the length of the replacement.
    fn splice(&mut self, span: Span, replacement: &str) -> usize {
        let mut edits = Edits::of_length(self.text().len());
        let length = self.text.splice(span, replacement);
        let put_in = self.text.as_str().get(span.start..span.start + length).unwrap_or_default();
        // The span is valid: it is that of an element or an attribute, or an empty span next to
        // it.
        let _ = edits.replace(span, put_in);
        let shift = |element: &mut Span| *element = edits.moved(*element);
        for animation in &mut self.animations {
            shift(&mut animation.span);
            for frame in &mut animation.frames {
                shift(&mut frame.span);
                if let Content::X3d(element) = &mut frame.content {
                    shift(element);
                }
            }
        }
        length
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
    ) -> Result<&mut Animation, EditError> {
        self.set(self.animation(index)?.span, name, value);
        self.animation_mut(index)
    }

    /// Sets an attribute of a frame to an escaped value.
    fn set_frame(
        &mut self,
        animation: usize,
        index: usize,
        name: &str,
        value: &str,
    ) -> Result<&mut Frame, EditError> {
        self.set(self.frame(animation, index)?.span, name, value);
        let found = self.animation_mut(animation)?.frames.get_mut(index);
        found.ok_or(EditError::Missing { what: "frame", index })
    }

    fn animation_mut(&mut self, index: usize) -> Result<&mut Animation, EditError> {
        self.animations.get_mut(index).ok_or(EditError::Missing { what: "animation", index })
    }
}

fn check_time(time: f32, before: Option<&Frame>, after: Option<&Frame>) -> Result<(), EditError> {
    if !time.is_finite() {
        return Err(EditError::NotFinite("the time"));
    }
    let ordered = before.is_none_or(|before| before.time < time)
        && after.is_none_or(|after| time < after.time);
    if ordered { Ok(()) } else { Err(out_of_order(time)) }
}
