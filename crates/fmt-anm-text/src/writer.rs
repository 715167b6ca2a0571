//! Builds documents from data: one line per item, and an empty line between sets.

use std::fmt::Write as _;

use anim_ir::diag::quote;
use anim_ir::number::shortest;
use anim_ir::{EditError, Limits};

use crate::document::{Bone, Document, ParseOptions, Set};

/// A set to write.
#[derive(Clone, Debug, PartialEq)]
pub struct NewSet {
    /// Its name.
    pub name: String,
    /// Its bones; at least one is required.
    pub bones: Vec<NewBone>,
    /// Its events.
    pub events: Vec<NewEvent>,
    /// Its animations; at least one is required.
    pub clips: Vec<NewClip>,
}

/// A bone to write.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBone {
    /// The name of the bone in the model.
    pub name: String,
    /// Whether the set includes its children.
    pub children: bool,
    /// Whether the set includes its parent.
    pub parent: bool,
}

/// An event to write.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvent {
    /// Time on the model's timeline, in frames (24 per second).
    pub time: f32,
    /// Its name.
    pub name: String,
}

/// An animation to write.
#[derive(Clone, Debug, PartialEq)]
pub struct NewClip {
    /// Time on the model's timeline, in frames (24 per second).
    pub start: f32,
    /// Time on the model's timeline, in frames, inclusive.
    pub end: f32,
    /// Its name.
    pub name: String,
}

impl Document<'_> {
    /// Builds a UTF-8 document from these sets.
    ///
    /// # Errors
    ///
    /// Returns an [`EditError`] for anything the format cannot represent: names that would not be
    /// read back unchanged, times that are not finite, clips that end before they start, and sets
    /// without bones or clips.
    pub fn build(sets: &[NewSet]) -> Result<Document<'static>, EditError> {
        let texts = sets.iter().map(set_text).collect::<Result<Vec<String>, EditError>>()?;
        // The parser builds the flat arrays.
        let limits =
            Limits { input_bytes: usize::MAX, line_bytes: usize::MAX, ..Limits::default() };
        Ok(Document::parse_with(texts.join("\n").into_bytes(), &ParseOptions { limits })?.value)
    }

    /// Returns the content as data that can be changed and rebuilt, or compared.
    pub fn data(&self) -> Vec<NewSet> {
        self.sets().map(|set| set.data()).collect()
    }
}

impl Set<'_> {
    /// Returns the set as data that can be changed and written.
    pub fn data(&self) -> NewSet {
        let event = |event: crate::Event<'_>| NewEvent {
            time: event.time(),
            name: event.name().into_owned(),
        };
        let clip = |clip: crate::Clip<'_>| NewClip {
            start: clip.start(),
            end: clip.end(),
            name: clip.name().into_owned(),
        };
        NewSet {
            name: self.name().into_owned(),
            bones: self.bones().map(|bone| bone.data()).collect(),
            events: self.events().map(event).collect(),
            clips: self.clips().map(clip).collect(),
        }
    }
}

impl Bone<'_> {
    /// Returns the bone's line as data that can be changed and written.
    pub fn data(&self) -> NewBone {
        NewBone {
            name: self.name().into_owned(),
            children: self.with_children(),
            parent: self.with_parent(),
        }
    }
}

/// Returns the lines of a set.
pub(crate) fn set_text(set: &NewSet) -> Result<String, EditError> {
    let incomplete = |what| {
        let name = quote(set.name.as_bytes());
        Err(EditError::refused(format!("the set {name} has no {what}")))
    };
    if set.bones.is_empty() {
        return incomplete("bones");
    }
    if set.clips.is_empty() {
        return incomplete("clips");
    }
    let mut out = format!("as {}\n", checked_name(&set.name)?);
    for line in set
        .bones
        .iter()
        .map(bone_line)
        .chain(set.events.iter().map(event_line))
        .chain(set.clips.iter().map(clip_line))
    {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{}", line?);
    }
    Ok(out)
}

pub(crate) fn bone_line(bone: &NewBone) -> Result<String, EditError> {
    checked_bone_name(&bone.name)?;
    Ok(format!("bl {}", bone_words(bone)))
}

/// Returns a bone's name and options, as written in a line.
pub(crate) fn bone_words(bone: &NewBone) -> String {
    let NewBone { name, children, parent } = bone;
    let option = |given: bool, option: &'static str| if given { option } else { "" };
    format!("{name}{}{}", option(*children, " +children"), option(*parent, " +parent"))
}

pub(crate) fn event_line(event: &NewEvent) -> Result<String, EditError> {
    Ok(format!("ev {} {}", time_text(event.time)?, checked_name(&event.name)?))
}

pub(crate) fn clip_line(clip: &NewClip) -> Result<String, EditError> {
    let (start, end) = (time_text(clip.start)?, time_text(clip.end)?);
    if clip.end < clip.start {
        return Err(EditError::refused(EMPTY_RANGE));
    }
    Ok(format!("an {start} {end} {}", checked_name(&clip.name)?))
}

/// The rules for names.
const NAME_RULE: &str = "cannot be written: names are 1 to 4096 bytes long, contain no spaces, \
tabs, line endings or NUL, and do not start with `#` (or `+`, for bones)";
pub(crate) const EMPTY_RANGE: &str = "the clip ends before it starts";

/// Checks that a name can be read back.
pub(crate) fn checked_name(name: &str) -> Result<&str, EditError> {
    if is_name(name) { Ok(name) } else { Err(EditError::name(name, NAME_RULE)) }
}

/// Checks that the name of a bone can be read back, and is not read as an option.
pub(crate) fn checked_bone_name(name: &str) -> Result<&str, EditError> {
    checked_name(name).and_then(|name| {
        if name.starts_with('+') { Err(EditError::name(name, NAME_RULE)) } else { Ok(name) }
    })
}

pub(crate) fn is_name(name: &str) -> bool {
    let longest = Limits::default().name_bytes;
    (1..=longest).contains(&name.len())
        && !name.starts_with('#')
        && !name.contains([' ', '\t', '\n', '\r', '\0'])
}

/// Returns the shortest decimal that is read back as the same time.
pub(crate) fn time_text(time: f32) -> Result<String, EditError> {
    if time.is_finite() { Ok(shortest(time)) } else { Err(EditError::NotFinite("the time")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_cannot_be_written() {
        for name in ["", "a b", "a\tb", "a\nb", "a\rb", "a\0", "#a", &"x".repeat(4097)] {
            assert!(checked_name(name).is_err(), "{name:?}");
        }
        for name in ["a#", "+a", "é", "a\u{a0}b", "\x1b", "as", &"x".repeat(4096)] {
            assert!(checked_name(name).is_ok(), "{name:?}");
        }
        assert!(checked_bone_name("+a").is_err());
    }
}
