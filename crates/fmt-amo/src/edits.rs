//! Edits, each of which replaces only the tokens of the edited item.

use std::borrow::Cow;

use anim_ir::encoding::Encoding;
use anim_ir::number::shortest;
use anim_ir::{EditError, Limits, Span};

use crate::content::{Animation, Content, Joint, Key, KeyValue};
use crate::document::{Document, ParseOptions};
use crate::tokens::{words, words_of_line};
use crate::writer::{check_joint_name, check_name};

/// Edits. Each returns an [`EditError`] and leaves the document unchanged if the item does not
/// exist, a number is not finite, or the format cannot store the name.
#[expect(clippy::missing_errors_doc, reason = "documented once, above")]
impl Document<'_> {
    /// Replaces the value of a key with another of the same type. Changes only the key's line.
    pub fn set_key(
        &mut self,
        animation: usize,
        key: usize,
        value: KeyValue,
    ) -> Result<(), EditError> {
        let dialect = self.dialect();
        let Key { value: old, line, .. } = *self.key(animation, key)?;
        // Values follow the keyword, time and joint; in key rows, which have no keyword, their
        // position is fixed.
        let (first, numbers) = match (old, value) {
            (KeyValue::Position(_), KeyValue::Position(numbers)) => (1, numbers.to_vec()),
            (KeyValue::Rotation(_), KeyValue::Rotation([x, y, z, w])) if dialect.groups_keys() => {
                (4, vec![w, x, y, z])
            }
            (KeyValue::Rotation(_), KeyValue::Rotation(numbers)) => (4, numbers.to_vec()),
            _ => {
                let why = "is of the other type: positions and rotations are not interchangeable";
                return Err(EditError::refused(format!("key {key} {why}")));
            }
        };
        let keyword = words_of_line(&self.source, line).next();
        let keyword = keyword.and_then(|word| self.source.get(word.start..word.end));
        let first = match keyword {
            Some(b"ap" | b"ar") if dialect.groups_keys() => 2,
            Some(b"ap" | b"ar") => 3,
            _ => first,
        };
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(EditError::NotFinite("the value"));
        }
        self.replace_numbers(line, first, &numbers)?;
        self.key(animation, key)?.value = value;
        Ok(())
    }

    /// Moves a key to another time, in the file's own unit. Changes only the key's line. Returns an
    /// error in dialects that group keys, where the time is on another line.
    pub fn set_key_time(
        &mut self,
        animation: usize,
        key: usize,
        time: f32,
    ) -> Result<(), EditError> {
        let grouped = self.dialect().groups_keys();
        let found = self.key(animation, key)?;
        if !time.is_finite() {
            return Err(EditError::NotFinite("the time"));
        }
        if grouped {
            let why = "shares its time with other keys in this dialect";
            return Err(EditError::refused(format!("key {key} {why}")));
        }
        let line = found.line;
        self.replace_numbers(line, 1, &[time])?;
        self.key(animation, key)?.time = time;
        Ok(())
    }

    /// Renames a joint that has a name in the file.
    pub fn rename_joint(&mut self, joint: usize, name: &str) -> Result<(), EditError> {
        let missing = EditError::Missing { what: "named joint in the file", index: joint };
        check_joint_name(name)?;
        let declared = self.joints().get(joint).and_then(|joint| Some((&*joint.name, joint.span?)));
        let (place, bytes) = self.renaming(declared, name, missing)?;
        self.rename(place, bytes, |content| {
            if let Some(joint) = content.joints.get_mut(joint) {
                name.clone_into(&mut joint.name);
            }
        })
    }

    /// Renames an animation that has a name in the file.
    pub fn rename_animation(&mut self, animation: usize, name: &str) -> Result<(), EditError> {
        let missing = EditError::Missing { what: "named animation in the file", index: animation };
        let found = self.animations().get(animation);
        let declared = found.and_then(|found| Some((&*found.name, found.span?)));
        let (place, bytes) = self.renaming(declared, name, missing)?;
        self.rename(place, bytes, |content| {
            if let Some(animation) = content.animations.get_mut(animation) {
                name.clone_into(&mut animation.name);
            }
        })
    }

    /// Replaces a name, unless the file would then be read differently: a name may be read as a
    /// keyword or a number.
    fn rename(
        &mut self,
        place: Span,
        name: Vec<u8>,
        change: impl FnOnce(&mut Content),
    ) -> Result<(), EditError> {
        let mut edited = self.clone();
        edited.edits.replace_again(place, name)?;
        change(&mut edited.content);
        let limits = Limits {
            input_bytes: usize::MAX,
            line_bytes: usize::MAX,
            memory: Some(usize::MAX),
            ..Limits::default()
        };
        let options =
            ParseOptions::default().with_limits(limits).with_dialect(Some(self.dialect()));
        let again = Document::parse_with(edited.to_bytes(), &options)?.value;
        if !says_the_same(&again.content, &edited.content) {
            let why = "the name would be read as something else at this position";
            return Err(EditError::refused(why));
        }
        *self = edited;
        Ok(())
    }

    /// Returns the span of an item's name and the encoded new name. The name is located by its
    /// text, or by the earlier edit if the item has already been renamed.
    fn renaming(
        &self,
        declared: Option<(&str, Span)>,
        new: &str,
        missing: EditError,
    ) -> Result<(Span, Vec<u8>), EditError> {
        let Some((old, line)) = declared else { return Err(missing) };
        check_name(new)?;
        let bytes = self.encoded(new).ok_or_else(|| EditError::beyond_latin1(new))?;
        // The name is the first token in a row of a counted block, and the second elsewhere.
        let places: Vec<usize> =
            words(self.source(), line).take(2).map(|word| word.start).collect();
        let edited = |start: &usize| self.edits.starting_at(*start);
        let old = self.encoded(old).filter(|old| !old.is_empty());
        let holds = |start: &usize| {
            let place = Span::new(*start, *start + old.as_ref()?.len());
            (self.source().get(place.start..place.end) == old.as_deref()).then_some(place)
        };
        let place = places.iter().find_map(edited).or_else(|| places.iter().rev().find_map(holds));
        Ok((place.ok_or(missing)?, bytes))
    }

    /// Encodes a name in the file's encoding.
    fn encoded(&self, name: &str) -> Option<Vec<u8>> {
        let encoding = Encoding::utf8_or_latin1(self.content.latin1);
        encoding.encode(name).ok().map(Cow::into_owned)
    }

    /// Replaces the tokens of a line, starting with token `first`.
    fn replace_numbers(
        &mut self,
        line: u32,
        first: usize,
        numbers: &[f32],
    ) -> Result<(), EditError> {
        let mut words = words_of_line(&self.source, line).skip(first).zip(numbers);
        words.try_for_each(|(word, number)| self.edits.replace_again(word, shortest(*number)))
    }

    fn key(&mut self, animation: usize, key: usize) -> Result<&mut Key, EditError> {
        let animations = &mut self.content.animations;
        let found = animations
            .get_mut(animation)
            .ok_or(EditError::Missing { what: "animation", index: animation })?;
        found.keys.get_mut(key).ok_or(EditError::Missing { what: "key", index: key })
    }
}

/// Compares everything that names may affect, apart from locations.
fn says_the_same(a: &Content, b: &Content) -> bool {
    fn joint(joint: &Joint) -> (&str, Option<usize>, Option<[f32; 16]>, &[f32]) {
        (&joint.name, joint.parent, joint.rest, &joint.tail)
    }
    fn animation(animation: &Animation) -> (&str, Option<f32>, &[f32], usize) {
        let Animation { name, duration_ms, group_times, keys, .. } = animation;
        (name, *duration_ms, group_times, keys.len())
    }
    fn keys(content: &Content) -> impl Iterator<Item = (u32, f32, KeyValue)> {
        let keys = content.animations.iter().flat_map(|animation| &animation.keys);
        keys.map(|key| (key.joint, key.time, key.value))
    }
    a.joints.iter().map(joint).eq(b.joints.iter().map(joint))
        && a.animations.iter().map(animation).eq(b.animations.iter().map(animation))
        && keys(a).eq(keys(b))
        && a.vertices.counts() == b.vertices.counts()
        && a.corners.range(0..a.corners.len()).eq(b.corners.range(0..b.corners.len()))
        && a.sections == b.sections
        && a.objects
            .iter()
            .map(|object| &object.name)
            .eq(b.objects.iter().map(|object| &object.name))
        && a.materials == b.materials
        && a.kept.len() == b.kept.len()
}
