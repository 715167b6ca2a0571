//! Edits, each of which replaces only the tokens or lines it targets. Comments are kept.

use std::borrow::Cow;

use anim_ir::encoding::{Encoding, text_start};
use anim_ir::source::{Place, line_bounds};
use anim_ir::{EditError, Edits, Span};

use crate::content::BoneData;
use crate::document::{Document, ParseOptions};
use crate::keyword::Keyword;
use crate::tokens::{Line, LineEnd, Token, words_of};
use crate::writer::{
    EMPTY_RANGE, NewBone, NewClip, NewEvent, NewSet, bone_line, checked_bone_name, checked_name,
    clip_line, event_line, set_text, time_text,
};

/// Edits. Each returns an [`EditError`] and changes nothing if its target does not exist, or if the
/// format cannot represent the name, time or range.
#[expect(clippy::missing_errors_doc, reason = "documented above for all of them")]
impl Document<'_> {
    /// Renames a set.
    pub fn rename_set(&mut self, set: usize, to: &str) -> Result<(), EditError> {
        let place = self.set_name(set)?;
        self.rename(&[place], checked_name(to)?)
    }

    /// Renames an animation.
    pub fn rename_clip(&mut self, set: usize, clip: usize, to: &str) -> Result<(), EditError> {
        let place = self.clip_name(set, clip)?;
        self.rename(&[place], checked_name(to)?)
    }

    /// Renames an event.
    pub fn rename_event(&mut self, set: usize, event: usize, to: &str) -> Result<(), EditError> {
        let place = self.event_name(set, event)?;
        self.rename(&[place], checked_name(to)?)
    }

    /// Renames a bone in all sets. Returns the number of lines changed.
    pub fn rename_bone(&mut self, from: &str, to: &str) -> Result<usize, EditError> {
        let to = checked_bone_name(to)?;
        let bones = self.content.bones.iter().map(|bone| bone.name);
        let places: Vec<Place> = bones.filter(|place| self.text_at(*place) == from).collect();
        self.rename(&places, to)?;
        Ok(places.len())
    }

    /// Sets the options of a bone in a set.
    pub fn set_bone_options(
        &mut self,
        set: usize,
        bone: usize,
        children: bool,
        parent: bool,
    ) -> Result<(), EditError> {
        let data = *self.bone(set, bone)?;
        let wanted = [("+children", data.children, children), ("+parent", data.parent, parent)];
        let (mut edits, mut more) = (Edits::of(&self.source), String::new());
        for (option, is, wanted) in wanted.into_iter().filter(|(_, is, wanted)| is != wanted) {
            if wanted {
                more.push_str(&format!(" {option}"));
            } else if is {
                for span in self.option_spans(data.name, option) {
                    edits.replace(span, "")?;
                }
            }
        }
        // New options are inserted after the last field.
        let last = words_of(&self.source, data.name).last();
        let end = last.map_or(data.name, |word| word.place).span().end;
        edits.replace(Span::new(end, end), more)?;
        self.edit_lines(&edits, |sets| {
            if let Some(bone) = sets.get_mut(set).and_then(|set| set.bones.get_mut(bone)) {
                (bone.children, bone.parent) = (children, parent);
            }
        })
    }

    /// Moves an event to another time, in frames.
    pub fn set_event_time(&mut self, set: usize, event: usize, time: f32) -> Result<(), EditError> {
        let name = self.event_name(set, event)?;
        let old = self.content.events_of(set).get(event).map(|event| event.time);
        self.replace_times(name, &[(old, time)])
    }

    /// Sets the range of an animation, in frames, both ends inclusive. Unchanged times keep their
    /// spelling.
    pub fn set_clip_range(
        &mut self,
        set: usize,
        clip: usize,
        start: f32,
        end: f32,
    ) -> Result<(), EditError> {
        let name = self.clip_name(set, clip)?;
        if end < start {
            return Err(EditError::refused(EMPTY_RANGE));
        }
        let old = self.content.clips_of(set).get(clip);
        let [old_start, old_end] = [old.map(|clip| clip.start), old.map(|clip| clip.end)];
        self.replace_times(name, &[(old_start, start), (old_end, end)])
    }

    /// Inserts a bone into a set before another bone, or at the end.
    pub fn insert_bone(
        &mut self,
        set: usize,
        before: usize,
        bone: &NewBone,
    ) -> Result<(), EditError> {
        let places: Vec<Place> = self.content.bones_of(set).iter().map(|bone| bone.name).collect();
        let line = bone_line(bone)?;
        let change = |set: &mut NewSet| set.bones.insert(before, bone.clone());
        self.insert_line(set, "bone", &places, before, &line, change)
    }

    /// Inserts an event into a set before another event, or at the end.
    pub fn insert_event(
        &mut self,
        set: usize,
        before: usize,
        event: &NewEvent,
    ) -> Result<(), EditError> {
        let places: Vec<Place> =
            self.content.events_of(set).iter().map(|event| event.name).collect();
        let line = event_line(event)?;
        let change = |set: &mut NewSet| set.events.insert(before, event.clone());
        self.insert_line(set, "event", &places, before, &line, change)
    }

    /// Inserts an animation into a set before another animation, or at the end.
    pub fn insert_clip(
        &mut self,
        set: usize,
        before: usize,
        clip: &NewClip,
    ) -> Result<(), EditError> {
        let places: Vec<Place> = self.content.clips_of(set).iter().map(|clip| clip.name).collect();
        let line = clip_line(clip)?;
        let change = |set: &mut NewSet| set.clips.insert(before, clip.clone());
        self.insert_line(set, "clip", &places, before, &line, change)
    }

    /// Removes a bone's line from a set.
    pub fn remove_bone(&mut self, set: usize, bone: usize) -> Result<(), EditError> {
        let place = self.bone(set, bone)?.name;
        self.remove_lines(&[self.line(place)], |sets| {
            sets.get_mut(set).map(|set| set.bones.remove(bone));
        })
    }

    /// Removes an event from a set.
    pub fn remove_event(&mut self, set: usize, event: usize) -> Result<(), EditError> {
        let place = self.event_name(set, event)?;
        self.remove_lines(&[self.line(place)], |sets| {
            sets.get_mut(set).map(|set| set.events.remove(event));
        })
    }

    /// Removes an animation from a set.
    pub fn remove_clip(&mut self, set: usize, clip: usize) -> Result<(), EditError> {
        let place = self.clip_name(set, clip)?;
        self.remove_lines(&[self.line(place)], |sets| {
            sets.get_mut(set).map(|set| set.clips.remove(clip));
        })
    }

    /// Inserts a set before another set and the comments directly above that, or at the end.
    pub fn insert_set(&mut self, before: usize, set: &NewSet) -> Result<(), EditError> {
        let end = self.line_end();
        let text = set_text(set)?.replace('\n', end);
        let (at, text) = match self.content.sets.get(before) {
            Some(next) => (self.above_comments(self.line(next.name).start), format!("{text}{end}")),
            None if before == self.content.sets.len() => {
                let open = if self.ends_in_line() { end } else { "" };
                let gap = if self.source.is_empty() { "" } else { end };
                (self.source.len(), format!("{open}{gap}{text}"))
            }
            None => return Err(EditError::Missing { what: "set", index: before }),
        };
        self.insert(at, &text, |sets| sets.insert(before, set.clone()))
    }

    /// Removes a set with all its lines, including invalid lines. Comments and empty lines are
    /// kept.
    pub fn remove_set(&mut self, set: usize) -> Result<(), EditError> {
        let first = self.line(self.set_name(set)?);
        let mut lines = vec![first];
        let mut line = Line::at(&self.source, first.end);
        while !line.is_end_of_file() {
            let start = line.offset();
            let word = line.token();
            line.next_line();
            match word {
                Ok(word) if Keyword::of(word.bytes) == Some(Keyword::As) => break,
                Ok(word) if word.bytes.first() != Some(&b'#') => {
                    lines.push(Span::new(start, line.offset()))
                }
                _ => {}
            }
        }
        self.remove_lines(&lines, |sets| drop(sets.remove(set)))
    }

    fn set_name(&self, index: usize) -> Result<Place, EditError> {
        let set = self.content.sets.get(index).ok_or(EditError::Missing { what: "set", index })?;
        Ok(set.name)
    }

    fn bone(&self, set: usize, index: usize) -> Result<&BoneData, EditError> {
        self.content.bones_of(set).get(index).ok_or(EditError::Missing { what: "bone", index })
    }

    fn event_name(&self, set: usize, index: usize) -> Result<Place, EditError> {
        let event = self.content.events_of(set).get(index);
        Ok(event.ok_or(EditError::Missing { what: "event", index })?.name)
    }

    fn clip_name(&self, set: usize, index: usize) -> Result<Place, EditError> {
        let clip = self.content.clips_of(set).get(index);
        Ok(clip.ok_or(EditError::Missing { what: "clip", index })?.name)
    }

    /// The line that contains a name, including its line ending.
    fn line(&self, name: Place) -> Span {
        let start = line_bounds(&self.source, name.span().start).0;
        let mut line = Line::at(&self.source, start);
        line.next_line();
        Span::new(start, line.offset())
    }

    /// The spans of an option in a bone's line, including the whitespace before it.
    fn option_spans(&self, name: Place, option: &str) -> Vec<Span> {
        let words: Vec<Token<'_>> = words_of(&self.source, name).collect();
        let spans = words.windows(2).filter_map(|pair| {
            let [before, word] = pair else { return None };
            let meant = word.bytes == option.as_bytes()
                || option == "+children" && word.bytes == b"+chidren";
            meant.then(|| Span::new(before.place.span().end, word.place.span().end))
        });
        spans.collect()
    }

    /// Replaces the times of a line, which follow the keyword.
    fn replace_times(
        &mut self,
        name: Place,
        times: &[(Option<f32>, f32)],
    ) -> Result<(), EditError> {
        let mut edits = Edits::of(&self.source);
        for (word, (old, new)) in words_of(&self.source, name).skip(1).zip(times) {
            let text = time_text(*new)?;
            if *old != Some(*new) {
                edits.replace(word.place.span(), text)?;
            }
        }
        self.edit(&edits)
    }

    fn rename(&mut self, places: &[Place], to: &str) -> Result<(), EditError> {
        let to = self.encoded(to)?;
        let mut edits = Edits::of(&self.source);
        for place in places {
            edits.replace(place.span(), to.as_ref())?;
        }
        self.edit(&edits)
    }

    /// Inserts a line into a set. `places` are the names on the set's lines with the same keyword;
    /// the new line is inserted before the line with index `before`, or after the last line if
    /// `before` is their number. If there are no such lines, it is inserted after the set's last
    /// event, last bone or `as` line, as the order of keywords requires.
    fn insert_line(
        &mut self,
        set: usize,
        what: &'static str,
        places: &[Place],
        before: usize,
        text: &str,
        change: impl FnOnce(&mut NewSet),
    ) -> Result<(), EditError> {
        let own = self.set_name(set)?;
        let end = self.line_end();
        let (at, text) = if let Some(next) = places.get(before) {
            (self.line(*next).start, format!("{text}{end}"))
        } else if before == places.len() {
            let bones = self.content.bones_of(set).last().map(|bone| bone.name);
            let events = self.content.events_of(set).last().map(|event| event.name);
            let earlier = match what {
                "bone" => None,
                "event" => bones,
                _ => events.or(bones),
            };
            let last = self.line(places.last().copied().or(earlier).unwrap_or(own));
            let open = last.end == self.source.len() && self.ends_in_line();
            (last.end, if open { format!("{end}{text}") } else { format!("{text}{end}") })
        } else {
            return Err(EditError::Missing { what, index: before });
        };
        self.insert(at, &text, |sets| {
            sets.get_mut(set).map(change);
        })
    }

    fn remove_lines(
        &mut self,
        lines: &[Span],
        change: impl FnOnce(&mut Vec<NewSet>),
    ) -> Result<(), EditError> {
        // A byte order mark is kept.
        let mark = text_start(&self.source);
        let mut edits = Edits::of(&self.source);
        for line in lines {
            edits.replace(Span::new(line.start.max(mark), line.end), "")?;
        }
        self.edit_lines(&edits, change)
    }

    /// The line ending used by the file's first line.
    fn line_end(&self) -> &'static str {
        match Line::at(&self.source, 0).next_line().1 {
            LineEnd::CrLf => "\r\n",
            LineEnd::Cr => "\r",
            LineEnd::Lf | LineEnd::EndOfFile => "\n",
        }
    }

    /// Returns whether the last line has no line ending.
    fn ends_in_line(&self) -> bool {
        !matches!(self.source.last(), None | Some(b'\n' | b'\r'))
    }

    /// The start of the comments directly above a line.
    fn above_comments(&self, mut start: usize) -> usize {
        while let Some(last) = start.checked_sub(1) {
            let before = line_bounds(&self.source, last).0;
            let mut line = Line::at(&self.source, before);
            line.skip_blanks();
            if line.first() != Some(b'#') {
                break;
            }
            start = before;
        }
        start
    }

    fn insert(
        &mut self,
        at: usize,
        text: &str,
        change: impl FnOnce(&mut Vec<NewSet>),
    ) -> Result<(), EditError> {
        let mut edits = Edits::of(&self.source);
        edits.replace(Span::new(at, at), self.encoded(text)?)?;
        self.edit_lines(&edits, change)
    }

    /// Applies edits that may affect how the rest of a line or other lines are read. Refuses them
    /// if they result in anything but this change.
    fn edit_lines(
        &mut self,
        edits: &Edits<'_>,
        change: impl FnOnce(&mut Vec<NewSet>),
    ) -> Result<(), EditError> {
        let mut expected = self.data();
        change(&mut expected);
        let mut edited = self.clone();
        edited.edit(edits)?;
        if edited.data() != expected {
            return Err(EditError::refused(
                "errors in the file or the order of its lines prevent this edit",
            ));
        }
        *self = edited;
        Ok(())
    }

    /// Encodes text in the encoding of the file.
    fn encoded<'t>(&self, text: &'t str) -> Result<Cow<'t, [u8]>, EditError> {
        let encoding = Encoding::utf8_or_latin1(self.content.latin1);
        encoding.encode(text).map_err(|_| EditError::beyond_latin1(text))
    }

    /// Applies edits and parses the file again.
    fn edit(&mut self, edits: &Edits<'_>) -> Result<(), EditError> {
        let bytes = edits.apply_as(&self.source, self.content.latin1)?;
        *self = Document::parse_with(bytes, &ParseOptions { limits: self.limits })?.value;
        Ok(())
    }
}
