//! Edits: each replaces a piece of the text and moves the spans behind it.

use anim_ir::Span;
use anim_ir::number::shortest;
use anim_ir::xml::{Attribute, Tags};

use crate::document::{Animation, BoundingBox, Content, Document, Frame};
use crate::error::EditError;
use crate::writer::{NewFrame, Writer, escape};

/// An attribute of the element that a span begins with, in bytes of the text.
pub(crate) fn attribute(text: &str, element: Span, name: &str) -> Option<Attribute> {
    let tag = text.get(element.start..element.end)?;
    let mut tags = Tags::new(tag).repairing("animation", "name");
    let _ = tags.next();
    let found = tags
        .attributes()
        .iter()
        .find(|attribute| tag.get(attribute.name.start..attribute.name.end) == Some(name))?;
    let moved = |span: Span| Span::new(element.start + span.start, element.start + span.end);
    Some(Attribute { name: moved(found.name), value: moved(found.value) })
}

impl Document<'_> {
    /// Gives an animation another name.
    ///
    /// # Errors
    ///
    /// [`EditError`] where there is no such animation, or the name is empty or has control
    /// characters.
    pub fn rename(&mut self, animation: usize, name: &str) -> Result<(), EditError> {
        if name.is_empty() {
            return Err(EditError::EmptyName);
        }
        let span = self.animation(animation)?.span;
        self.set(span, "name", &escape("the name", name)?);
        self.update(animation, |found| name.clone_into(&mut found.name))
    }

    /// Makes an animation repeat, or not.
    ///
    /// # Errors
    ///
    /// [`EditError`] where there is no such animation.
    pub fn set_loop(&mut self, animation: usize, loops: bool) -> Result<(), EditError> {
        let span = self.animation(animation)?.span;
        self.set(span, "loop", if loops { "true" } else { "false" });
        self.update(animation, |found| found.loops = loops)
    }

    /// Makes an animation play back after forth, or not.
    ///
    /// # Errors
    ///
    /// [`EditError`] where there is no such animation.
    pub fn set_backwards(&mut self, animation: usize, backwards: bool) -> Result<(), EditError> {
        let span = self.animation(animation)?.span;
        self.set(span, "backwards", if backwards { "true" } else { "false" });
        self.update(animation, |found| found.backwards = backwards)
    }

    /// Says how many scenes a second are baked between frames; 0 for none. What is greater than
    /// 2147483647 becomes that.
    ///
    /// # Errors
    ///
    /// [`EditError`] where there is no such animation.
    pub fn set_scenes_per_time(&mut self, animation: usize, scenes: u32) -> Result<(), EditError> {
        let scenes = scenes.min(i32::MAX.unsigned_abs());
        let span = self.animation(animation)?.span;
        self.set(span, "scenes_per_time", &scenes.to_string());
        self.update(animation, |found| found.scenes_per_time = scenes)
    }

    /// Moves a frame to another time, in seconds.
    ///
    /// # Errors
    ///
    /// [`EditError`] where there is no such frame, or the time is not finite or not between those
    /// of its neighbours.
    pub fn set_time(&mut self, animation: usize, frame: usize, time: f32) -> Result<(), EditError> {
        let found = self.animation(animation)?;
        let span = self.frame(animation, frame)?.span;
        let before = frame.checked_sub(1).and_then(|before| found.frames.get(before));
        check_time(time, before, found.frames.get(frame + 1))?;
        self.set(span, "time", &shortest(time));
        self.update_frame(animation, frame, |found| found.time = time)
    }

    /// Gives a frame another URL. A URL that the file spells `file_name` stays spelled so.
    ///
    /// # Errors
    ///
    /// [`EditError`] where there is no such frame, its content is inside, or the URL has control
    /// characters.
    pub fn set_url(&mut self, animation: usize, frame: usize, url: &str) -> Result<(), EditError> {
        let found = self.frame(animation, frame)?;
        let (span, value) = (found.span, escape("the url", url)?);
        if matches!(found.content, Content::X3d(_) | Content::Gltf(_)) {
            return Err(EditError::Inline(frame));
        }
        let given = |name| {
            attribute(self.text(), span, name).is_some_and(|attribute| !attribute.value.is_empty())
        };
        let name = if given("file_name") && !given("url") { "file_name" } else { "url" };
        self.set(span, name, &value);
        self.update_frame(animation, frame, |found| found.content = Content::Url(url.to_owned()))
    }

    /// Sets the bounding box of a frame.
    ///
    /// # Errors
    ///
    /// [`EditError`] where there is no such frame, or a number is not finite.
    pub fn set_bounding_box(
        &mut self,
        animation: usize,
        frame: usize,
        bounding_box: BoundingBox,
    ) -> Result<(), EditError> {
        let span = self.frame(animation, frame)?.span;
        if !bounding_box.center.iter().chain(&bounding_box.size).all(|number| number.is_finite()) {
            return Err(EditError::NotFinite("the bounding box"));
        }
        self.set(span, "bounding_box_center", &bounding_box.center.map(shortest).join(" "));
        // The first edit moved nothing but the end.
        self.set(span, "bounding_box_size", &bounding_box.size.map(shortest).join(" "));
        let empty = bounding_box.size.iter().any(|edge| *edge < 0.0);
        self.update_frame(animation, frame, |found| {
            found.bounding_box = Some(bounding_box).filter(|_| !empty)
        })
    }

    /// Takes a frame out, with the line end and the blanks before it.
    ///
    /// # Errors
    ///
    /// [`EditError`] where there is no such frame, or no other one is left.
    pub fn remove_frame(&mut self, animation: usize, frame: usize) -> Result<(), EditError> {
        let span = self.frame(animation, frame)?.span;
        if self.animation(animation)?.frames.len() <= 1 {
            return Err(EditError::LastFrame);
        }
        let start = span.start - self.indentation(span.start).len();
        self.update(animation, |found| drop(found.frames.remove(frame)))?;
        self.splice(Span::new(start, span.end), "");
        Ok(())
    }

    /// Puts a frame in, where its time belongs, on a line of its own if the others have that.
    ///
    /// # Errors
    ///
    /// [`EditError`] where there is no such animation, there is a frame at that time, or the format
    /// cannot hold the frame.
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
        // Before the first frame, or behind the one before.
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
            // Of Latin-1 the length of references counts as well: found anew.
            Content::X3d(_) => self.x3d_in(span).map_or(Content::Missing, Content::X3d),
            other => other,
        };
        let bounding_box = frame.bounding_box;
        self.update(animation, |found| {
            found.frames.insert(at, Frame { time: frame.time, content, bounding_box, span })
        })
    }

    fn x3d_in(&self, frame: Span) -> Option<Span> {
        let mut tags =
            Tags::new(self.slice(frame)).filter_map(Result::ok).filter(|tag| tag.depth == 2);
        let (start, end) = (tags.next()?.span, tags.last());
        let end = end.map_or(start.end, |tag| tag.span.end);
        Some(Span::new(frame.start + start.start, frame.start + end))
    }

    /// The line end before a place and the blanks that follow it; empty where something else stands
    /// on the line.
    fn indentation(&self, place: usize) -> &str {
        let before = self.text().get(..place).unwrap_or_default();
        let line = before.trim_end_matches([' ', '\t']);
        let end = line.strip_suffix('\n').map(|rest| rest.strip_suffix('\r').unwrap_or(rest));
        end.and_then(|end| before.get(end.len()..)).unwrap_or_default()
    }

    /// Sets an attribute of an element to an escaped value: in place, or behind the element's name.
    fn set(&mut self, element: Span, name: &str, value: &str) {
        match attribute(self.text(), element, name) {
            Some(attribute) => self.splice(attribute.value, value),
            None => {
                let tag = self.slice(element);
                let name_end = tag.find([' ', '\t', '\r', '\n', '/', '>']).unwrap_or(tag.len());
                let place = element.start + name_end;
                self.splice(Span::new(place, place), &format!(" {name}=\"{value}\""))
            }
        };
    }

    /// Replaces a piece of the text; gives the length of what was put in.
    fn splice(&mut self, span: Span, replacement: &str) -> usize {
        let length = self.text.splice(span, replacement);
        let moved = |place: usize| (place + length).saturating_sub(span.len());
        let shift = |element: &mut Span| {
            if element.end > span.start {
                element.end = moved(element.end);
            }
            if element.start >= span.end {
                element.start = moved(element.start);
            }
        };
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

    fn update(
        &mut self,
        index: usize,
        change: impl FnOnce(&mut Animation),
    ) -> Result<(), EditError> {
        self.animations
            .get_mut(index)
            .map(change)
            .ok_or(EditError::Missing { what: "animation", index })
    }

    fn update_frame(
        &mut self,
        animation: usize,
        index: usize,
        change: impl FnOnce(&mut Frame),
    ) -> Result<(), EditError> {
        let found =
            self.animations.get_mut(animation).and_then(|found| found.frames.get_mut(index));
        found.map(change).ok_or(EditError::Missing { what: "frame", index })
    }
}

fn check_time(time: f32, before: Option<&Frame>, after: Option<&Frame>) -> Result<(), EditError> {
    if !time.is_finite() {
        return Err(EditError::NotFinite("the time"));
    }
    let ordered = before.is_none_or(|before| before.time < time)
        && after.is_none_or(|after| time < after.time);
    if ordered { Ok(()) } else { Err(EditError::Order(time)) }
}
