//! Edits, each of which changes only the text it targets.

use anim_ir::encoding::Encoding;
use anim_ir::{EditError, Edits, Span};

use crate::content::{Content, JointData, Motion};
use crate::document::{Document, ParseOptions};
use crate::tokens::{Cursor, is_blank, is_line_end};
use crate::writer::{checked_name, frame_time, number};

/// Edits. Each returns an [`EditError`] and leaves the document unchanged if the item does not
/// exist, a number is not finite, or the format cannot store the name.
#[expect(clippy::missing_errors_doc, reason = "documented once, above")]
impl Document<'_> {
    /// Sets a value of a frame: a position, or an angle in degrees.
    pub fn set_value(&mut self, frame: usize, channel: usize, value: f32) -> Result<(), EditError> {
        let mut values = self.values_of(frame)?;
        let slot = values.get_mut(channel);
        *slot.ok_or(EditError::Missing { what: "channel", index: channel })? = value;
        self.set_frame(frame, &values)
    }

    /// Sets all values of a frame, one per channel. Values that do not change keep their
    /// spelling.
    pub fn set_frame(&mut self, frame: usize, values: &[f32]) -> Result<(), EditError> {
        let old = self.values_of(frame)?;
        self.check_width(values)?;
        let mut cursor = self.cursor_at_row(frame);
        let mut edits = Edits::of(&self.source);
        for (old, new) in old.iter().zip(values) {
            let word = cursor.word_to_blank();
            if old != new {
                edits.replace(word, number(*new)?)?;
            }
        }
        let why = "a later frame has an invalid value, which repeats the value of this frame";
        self.edit_as(&edits, why, |expected| {
            let first = frame.saturating_mul(values.len());
            let old = expected.values.iter_mut().skip(first);
            old.zip(values).for_each(|(old, new)| *old = *new);
        })
    }

    /// Sets the frame time in seconds, which must be positive.
    pub fn set_frame_time(&mut self, seconds: f64) -> Result<(), EditError> {
        let place = self.motion()?.time;
        if place.length == 0 {
            return Err(EditError::refused("the file has no frame time"));
        }
        let mut edits = Edits::of(&self.source);
        let text = frame_time(seconds)?;
        edits.replace(place.span(), text.clone())?;
        self.edit_as(&edits, "the frame time is followed by invalid text", |expected| {
            if let Some(motion) = &mut expected.motion {
                motion.seconds = text.parse().ok();
            }
        })
    }

    /// Sets the OFFSET of a joint or an end site.
    pub fn set_offset(&mut self, joint: usize, offset: [f32; 3]) -> Result<(), EditError> {
        let missing = EditError::Missing { what: "joint", index: joint };
        let data = *self.content.joints.get(joint).ok_or(missing)?;
        if data.offset_at == 0 {
            return Err(EditError::refused("the joint has no OFFSET"));
        }
        let mut cursor = Cursor::new(&self.source, data.offset_at as usize);
        let mut edits = Edits::of(&self.source);
        for (old, new) in data.offset.iter().zip(offset) {
            let word = cursor.word();
            if *old != new {
                edits.replace(word, number(new)?)?;
            }
        }
        self.edit_as(&edits, "the OFFSET has fewer than three numbers", |expected| {
            if let Some(joint) = expected.joints.get_mut(joint) {
                joint.offset = offset;
            }
        })
    }

    /// Renames a joint or an end site. The names of joints must be unique.
    pub fn rename(&mut self, joint: usize, name: &str) -> Result<(), EditError> {
        let missing = EditError::Missing { what: "joint", index: joint };
        let data = *self.content.joints.get(joint).ok_or(missing)?;
        let name = checked_name(name, data.is_end)?;
        let is_taken = self
            .joints()
            .enumerate()
            .any(|(index, other)| index != joint && !other.is_end_site() && other.name() == name);
        if is_taken && !data.is_end {
            let name = anim_ir::diag::quote(name.as_bytes());
            return Err(EditError::Taken { what: "joint", name });
        }
        let encoding = Encoding::utf8_or_latin1(self.content.latin1);
        let bytes = encoding.encode(name).map_err(|_| EditError::beyond_latin1(name))?;
        let span = data.name.span();
        // An empty name may directly follow the previous word.
        let before = span.start.checked_sub(1).and_then(|at| self.source.get(at));
        let needs_blank = span.is_empty()
            && !name.is_empty()
            && before.is_some_and(|byte| !byte.is_ascii_whitespace());
        let blank: &[u8] = if needs_blank { b" " } else { b"" };
        let mut edits = Edits::of(&self.source);
        edits.replace(span, [blank, &bytes].concat())?;
        let mut edited = self.clone();
        edited.edit(&edits)?;
        if edited.joint(joint).is_none_or(|joint| joint.name() != name) {
            return Err(EditError::refused("the name cannot be told apart from the adjacent text"));
        }
        *self = edited;
        Ok(())
    }

    /// Appends a frame with one value per channel. Fails if the end of the last row is ambiguous
    /// because rows have the wrong length.
    pub fn push_frame(&mut self, values: &[f32]) -> Result<(), EditError> {
        let motion = self.motion()?;
        self.check_width(values)?;
        let texts = values.iter().map(|value| number(*value)).collect::<Result<Vec<_>, _>>()?;
        let before = self.source.get(..motion.end as usize).unwrap_or_default();
        let end = before.iter().rposition(|byte| !is_blank(*byte)).map_or(0, |last| last + 1);
        let is_windows = self.source.windows(2).any(|pair| pair == b"\r\n");
        let line_end = if is_windows { "\r\n" } else { "\n" };
        let last = self.content.rows.len().checked_sub(1).map(|last| self.row_span(last));
        let is_wrapped = last.is_some_and(|span| {
            self.source
                .get(span.start..span.end)
                .unwrap_or_default()
                .iter()
                .any(|byte| is_line_end(*byte))
        });
        let row = texts.join(if is_wrapped { line_end } else { " " });
        // Move any text after the row on its last line to a new line.
        let is_cut = self.source.get(end).is_some_and(|byte| !is_line_end(*byte));
        let tail = if is_cut { line_end } else { "" };
        let mut edits = Edits::of(&self.source);
        edits.replace(Span::new(end, end), format!("{line_end}{row}{tail}"))?;
        self.change_frames(edits, motion, values, 1)
    }

    /// Removes the last frame. Fails if its end is ambiguous because rows have the wrong length.
    pub fn pop_frame(&mut self) -> Result<(), EditError> {
        let motion = self.motion()?;
        let missing = EditError::Missing { what: "frame", index: 0 };
        let last = self.content.rows.len().checked_sub(1).ok_or(missing)?;
        let span = self.row_span(last);
        let before = self.source.get(..span.start).unwrap_or_default();
        let start = before.iter().rposition(|byte| !is_blank(*byte)).map_or(0, |last| last + 1);
        let mut edits = Edits::of(&self.source);
        edits.replace(Span::new(start, span.end), "")?;
        self.change_frames(edits, motion, &[], -1)
    }

    /// Adds or removes a frame, unless this would change how other rows are read.
    fn change_frames(
        &mut self,
        mut edits: Edits<'_>,
        motion: Motion,
        added: &[f32],
        change: i8,
    ) -> Result<(), EditError> {
        if let Some(frames) = motion.frames {
            let frames = frames.saturating_add_signed(change.into()).to_string();
            edits.replace(motion.count.span(), frames)?;
        }
        let width = self.channels().len();
        let why = "the end of the last row is ambiguous because rows have the wrong length";
        self.edit_as(&edits, why, |Content { values, motion, .. }| {
            if let Some(Motion { frames: Some(frames), .. }) = motion {
                *frames = frames.saturating_add_signed(change.into());
            }
            values.truncate(values.len().saturating_sub(if change < 0 { width } else { 0 }));
            values.extend_from_slice(added);
        })
    }

    /// Applies edits. Refuses them if they change the joints, the values or the header of the
    /// motion in any other way than `change`.
    fn edit_as(
        &mut self,
        edits: &Edits<'_>,
        why_not: &'static str,
        change: impl FnOnce(&mut Content),
    ) -> Result<(), EditError> {
        let mut expected = self.content.clone();
        change(&mut expected);
        let mut edited = self.clone();
        edited.edit(edits)?;
        let essence = |joint: &JointData| {
            let JointData { parent, is_end, offset, first_channel, channel_count, .. } = *joint;
            (parent, is_end, offset, first_channel, channel_count)
        };
        let header =
            |content: &Content| content.motion.map(|motion| (motion.frames, motion.seconds));
        let after = &edited.content;
        if !after.joints.iter().map(essence).eq(expected.joints.iter().map(essence))
            || after.channels != expected.channels
            || after.values != expected.values
            || header(after) != header(&expected)
        {
            return Err(EditError::refused(why_not));
        }
        *self = edited;
        Ok(())
    }

    fn motion(&self) -> Result<Motion, EditError> {
        self.content.motion.ok_or_else(|| EditError::refused("the file has no MOTION"))
    }

    fn values_of(&self, frame: usize) -> Result<Vec<f32>, EditError> {
        let missing = EditError::Missing { what: "frame", index: frame };
        Ok(self.frame(frame).ok_or(missing)?.values().to_vec())
    }

    fn check_width(&self, values: &[f32]) -> Result<(), EditError> {
        let width = self.channels().len();
        if values.len() == width && width > 0 {
            return Ok(());
        }
        let found = values.len();
        Err(EditError::refused(format!("expected {width} values per frame, found {found}")))
    }

    fn cursor_at_row(&self, frame: usize) -> Cursor<'_> {
        let start = self.content.rows.get(frame).map_or(0, |row| row.start as usize);
        Cursor::new(&self.source, start)
    }

    /// Returns the span from the first to the last value of a row.
    fn row_span(&self, frame: usize) -> Span {
        let mut cursor = self.cursor_at_row(frame);
        let start = cursor.at;
        let mut end = start;
        for _ in self.channels() {
            end = cursor.word_to_blank().end;
        }
        Span::new(start, end)
    }

    /// Applies edits and reparses the file.
    fn edit(&mut self, edits: &Edits<'_>) -> Result<(), EditError> {
        let bytes = edits.apply_as(&self.source, self.content.latin1)?;
        let options = ParseOptions::default().with_limits(self.limits);
        *self = Document::parse_with(bytes, &options)?.value;
        Ok(())
    }
}
