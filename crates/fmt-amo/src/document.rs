//! Everything an Animated OBJ file says, in its own terms, with the bytes it was read from.

use std::borrow::Cow;
use std::collections::BTreeMap;

use anim_ir::number::shortest;
use anim_ir::{Limits, Parsed, Span, diag::quote};

use crate::dialect::Dialect;
use crate::error::{EditError, ParseError};
use crate::lines::{Element, ElementKind, line_at};
use crate::tokens::spans;
use crate::{parser, resolve};

/// How to read.
#[derive(Clone, Debug)]
pub struct ParseOptions {
    /// Takes the file for this dialect, whatever it looks like.
    pub dialect: Option<Dialect>,
    /// Threads to read with; more than one helps from a megabyte on.
    pub threads: usize,
    /// Bounds on what the file may ask for.
    pub limits: Limits,
}

impl Default for ParseOptions {
    fn default() -> ParseOptions {
        ParseOptions { dialect: None, threads: 1, limits: Limits::default() }
    }
}

/// A file, read. Borrows the bytes where they are given as a slice, owns them where they are given
/// as a `Vec`.
///
/// Written back without an edit it gives the same bytes. An edit changes the tokens it names and
/// nothing else.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    source: Cow<'a, [u8]>,
    /// Replaced ranges of the source, by their start: end and new bytes.
    edits: BTreeMap<usize, (usize, Vec<u8>)>,
    pub(crate) content: Content,
}

/// What the file says, with indices from 0 and names decoded. The spelling of everything is in the
/// source.
#[derive(Clone, Debug, Default)]
pub(crate) struct Content {
    pub(crate) dialect: Option<Dialect>,
    pub(crate) latin1: bool,
    /// Whether the file ends in the middle of a line.
    pub(crate) cut_off: bool,
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) colors: Vec<(u32, [f32; 4])>,
    pub(crate) ignored_components: u64,
    pub(crate) texcoords: Vec<[f32; 2]>,
    pub(crate) normals: Vec<[f32; 3]>,
    /// Joint indices from 0, -1 where unused.
    pub(crate) vertex_joints: Vec<[i32; 4]>,
    pub(crate) fifth_joints: Vec<(u32, i32)>,
    pub(crate) vertex_weights: Vec<[f32; 4]>,
    pub(crate) fifth_weights: Vec<(u32, f32)>,
    /// Their corners follow each other.
    pub(crate) elements: Vec<Element>,
    pub(crate) corners: Vec<Corner>,
    pub(crate) sections: Vec<Section>,
    pub(crate) objects: Vec<Object>,
    pub(crate) groups: Vec<String>,
    pub(crate) smoothing: bool,
    pub(crate) materials: Vec<String>,
    pub(crate) libraries: Vec<String>,
    pub(crate) texture: Option<String>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) animations: Vec<Animation>,
    pub(crate) kept: Vec<Kept>,
}

/// A corner of a face: indices from 0, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Corner {
    /// Position, texture coordinate, normal, joints, weights; from 1, less where there is none.
    pub(crate) slots: [i32; 5],
}

impl Corner {
    /// Index of the position.
    pub fn position(self) -> usize {
        self.slot::<0>().unwrap_or_default()
    }

    /// Index of the texture coordinate.
    pub fn texcoord(self) -> Option<usize> {
        self.slot::<1>()
    }

    /// Index of the normal.
    pub fn normal(self) -> Option<usize> {
        self.slot::<2>()
    }

    /// Index of the `vj` row.
    pub fn joints(self) -> Option<usize> {
        self.slot::<3>()
    }

    /// Index of the `vw` row.
    pub fn weights(self) -> Option<usize> {
        self.slot::<4>()
    }

    fn slot<const N: usize>(self) -> Option<usize> {
        self.slots.get(N).and_then(|slot| usize::try_from(slot.checked_sub(1)?).ok())
    }
}

/// Elements from `first_element` on belong to this object, material and group, until the next
/// section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) first_element: u32,
    pub(crate) object: Option<u32>,
    pub(crate) material: Option<u32>,
    pub(crate) group: Option<u32>,
}

/// With which keyword an object begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// `o`
    Plain,
    /// `ao`
    Animated,
    /// `cl`, an obstacle of the Vasall engine.
    Collision,
}

/// An object of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Its keyword.
    pub kind: ObjectKind,
    /// Its name; may be empty.
    pub name: String,
    /// The bits that the Vasall engine's files have behind the name.
    pub mask: Option<i64>,
    /// The line.
    pub span: Span,
}

/// A joint, or one that was made up because something names it.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// Index of the parent, from 0.
    pub parent: Option<usize>,
    /// Rest matrix relative to the parent, column-major, where the dialect has one.
    pub rest: Option<[f32; 16]>,
    /// Numbers behind the rest matrix, of unknown meaning.
    pub tail: Vec<f32>,
    /// The line; `None` for a joint that the file does not declare.
    pub span: Option<Span>,
}

/// A value of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyValue {
    /// x, y, z in the file's unit.
    Position([f32; 3]),
    /// A quaternion x, y, z, w as the file has it, not normalised.
    Rotation([f32; 4]),
}

/// A key of an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Index of the joint, from 0.
    pub joint: u32,
    /// Time as the file has it: seconds, frames or a fraction of the duration.
    pub time: f32,
    /// Where the joint goes.
    pub value: KeyValue,
    pub(crate) line: u32,
}

/// An animation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// Its name; may be empty.
    pub name: String,
    /// Duration in milliseconds, where the dialect has one.
    pub duration_ms: Option<f32>,
    /// Times of the key groups, in dialects that have them, in the order of the file.
    pub group_times: Vec<f32>,
    /// Keys in the order of the file.
    pub keys: Vec<Key>,
    /// The line that begins it; `None` for keys before any.
    pub span: Option<Span>,
}

/// A line with no meaning for geometry or animation, kept under its keyword: boxes, hooks,
/// collision meshes, handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The keyword; for the rows of a block that of its header.
    pub keyword: &'static str,
    /// What follows it.
    pub arguments: Span,
    /// Index of the object it stands in.
    pub object: Option<usize>,
}

impl<'a> Document<'a> {
    /// Reads a file of any dialect with default options.
    ///
    /// # Errors
    ///
    /// [`ParseError`] where nothing can be read at all; what is wrong in places is a diagnostic.
    pub fn parse(source: impl Into<Cow<'a, [u8]>>) -> Result<Parsed<Document<'a>>, ParseError> {
        Document::parse_with(source, &ParseOptions::default())
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`ParseError`] where nothing can be read at all; what is wrong in places is a diagnostic.
    pub fn parse_with(
        source: impl Into<Cow<'a, [u8]>>,
        options: &ParseOptions,
    ) -> Result<Parsed<Document<'a>>, ParseError> {
        let source = source.into();
        let (content, diagnostics) = parser::parse(&source, options)?;
        Ok(Parsed { value: Document { source, edits: BTreeMap::new(), content }, diagnostics })
    }

    /// The file as it was read, with the edits made since.
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        if self.edits.is_empty() {
            return Cow::Borrowed(&self.source);
        }
        let mut out = Vec::with_capacity(self.source.len());
        let mut at = 0;
        for (start, (end, replacement)) in &self.edits {
            out.extend_from_slice(self.source.get(at..*start).unwrap_or_default());
            out.extend_from_slice(replacement);
            at = *end;
        }
        out.extend_from_slice(self.source.get(at..).unwrap_or_default());
        Cow::Owned(out)
    }

    /// The bytes that were read.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// A document that owns its bytes.
    pub fn into_owned(self) -> Document<'static> {
        Document {
            source: Cow::Owned(self.source.into_owned()),
            edits: self.edits,
            content: self.content,
        }
    }

    /// The dialect that was found, or the one that was asked for.
    pub fn dialect(&self) -> Dialect {
        self.content.dialect.unwrap_or(Dialect::Spec)
    }

    /// Objects in the order of the file.
    pub fn objects(&self) -> &[Object] {
        &self.content.objects
    }

    /// Vertex positions.
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.content.positions
    }

    /// Texture coordinates as the file has them: v up, but v down in files of editamo.
    pub fn texcoords(&self) -> &[[f32; 2]] {
        &self.content.texcoords
    }

    /// Normals as the file has them, of any length.
    pub fn normals(&self) -> &[[f32; 3]] {
        &self.content.normals
    }

    /// Faces, lines and points in the order of the file. What could not be read is missing.
    pub fn elements(&self) -> impl Iterator<Item = (ElementKind, &[Corner])> {
        let (elements, corners) = (&self.content.elements, &self.content.corners);
        let ends =
            elements.iter().skip(1).map(|next| next.first_corner as usize).chain([corners.len()]);
        elements.iter().zip(ends).map(|(element, end)| {
            (element.kind, corners.get(element.first_corner as usize..end).unwrap_or_default())
        })
    }

    /// A `vj` row: joint indices from 0, `None` where unused; five entries where the file has five.
    pub fn vertex_joints(&self, row: usize) -> impl Iterator<Item = Option<usize>> {
        let fifth = sparse(&self.content.fifth_joints, row);
        let first = self.content.vertex_joints.get(row).into_iter().flatten().copied();
        first.chain(fifth).map(|joint| usize::try_from(joint).ok())
    }

    /// A `vw` row as the file has it; five entries where the file has five.
    pub fn vertex_weights(&self, row: usize) -> impl Iterator<Item = f32> {
        let fifth = sparse(&self.content.fifth_weights, row);
        self.content.vertex_weights.get(row).into_iter().flatten().copied().chain(fifth)
    }

    /// Joints in the order of the file, those that were made up behind them.
    pub fn joints(&self) -> &[Joint] {
        &self.content.joints
    }

    /// Animations in the order of the file.
    pub fn animations(&self) -> &[Animation] {
        &self.content.animations
    }

    /// Names of the materials that faces use.
    pub fn materials(&self) -> &[String] {
        &self.content.materials
    }

    /// Paths of the material libraries (`mtllib`) that lie below the file's own folder.
    pub fn material_libraries(&self) -> &[String] {
        &self.content.libraries
    }

    /// Lines that are kept without a meaning for geometry or animation.
    pub fn kept(&self) -> &[Kept] {
        &self.content.kept
    }

    /// A key's time in seconds.
    pub fn seconds(&self, animation: &Animation, time: f32) -> f32 {
        resolve::seconds(self.dialect(), animation.duration_ms, time)
    }

    /// Gives a key another value of the same kind. Only its line changes.
    ///
    /// # Errors
    ///
    /// [`EditError`] where there is no such key, it is of the other kind, or a number is not
    /// finite.
    pub fn set_key(
        &mut self,
        animation: usize,
        key: usize,
        value: KeyValue,
    ) -> Result<(), EditError> {
        let (found, grouped) = (self.key(animation, key)?, self.dialect().groups_keys());
        let numbers = match (found.value, value) {
            (KeyValue::Position(_), KeyValue::Position(numbers)) => numbers.to_vec(),
            (KeyValue::Rotation(_), KeyValue::Rotation([x, y, z, w])) => {
                if grouped {
                    vec![w, x, y, z]
                } else {
                    vec![x, y, z, w]
                }
            }
            _ => return Err(EditError::Kind(key)),
        };
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(EditError::NotFinite("the value"));
        }
        let line = self.tokens(found.line);
        // Behind keyword, time and joint, or as far as the row of the counted dialect goes.
        let first = match (self.dialect(), value) {
            (Dialect::Counted, KeyValue::Position(_)) => 1,
            (Dialect::Counted, KeyValue::Rotation(_)) => 4,
            (Dialect::Lines, _) => 2,
            _ => 3,
        };
        for (span, number) in line.iter().skip(first).zip(numbers) {
            self.edits.insert(span.start, (span.end, shortest(number).into_bytes()));
        }
        if let Some(key) = self
            .content
            .animations
            .get_mut(animation)
            .and_then(|animation| animation.keys.get_mut(key))
        {
            key.value = value;
        }
        Ok(())
    }

    /// Moves a key to another time, in the file's own unit. Only its line changes.
    ///
    /// # Errors
    ///
    /// [`EditError`] where there is no such key, the time is not finite, or the dialect keeps the
    /// time elsewhere.
    pub fn set_key_time(
        &mut self,
        animation: usize,
        key: usize,
        time: f32,
    ) -> Result<(), EditError> {
        let found = self.key(animation, key)?;
        if !time.is_finite() {
            return Err(EditError::NotFinite("the time"));
        }
        if self.dialect().groups_keys() {
            return Err(EditError::SharedTime(key));
        }
        if let Some(span) = self.tokens(found.line).get(1).copied() {
            self.edits.insert(span.start, (span.end, shortest(time).into_bytes()));
        }
        if let Some(key) = self
            .content
            .animations
            .get_mut(animation)
            .and_then(|animation| animation.keys.get_mut(key))
        {
            key.time = time;
        }
        Ok(())
    }

    /// Gives a joint another name.
    ///
    /// # Errors
    ///
    /// [`EditError`] where the file declares no such joint with a name, or the format cannot hold
    /// the name.
    pub fn rename_joint(&mut self, joint: usize, name: &str) -> Result<(), EditError> {
        let missing = EditError::Missing { what: "named joint in the file", index: joint };
        let declared = self
            .content
            .joints
            .get(joint)
            .and_then(|joint| Some((joint.name.clone(), joint.span?)));
        let Some((old, span)) = declared else { return Err(missing) };
        self.replace_name(span, &old, name, missing)?;
        if let Some(joint) = self.content.joints.get_mut(joint) {
            name.clone_into(&mut joint.name);
        }
        Ok(())
    }

    /// Gives an animation another name.
    ///
    /// # Errors
    ///
    /// [`EditError`] where there is no such animation, or the format cannot hold the name.
    pub fn rename_animation(&mut self, animation: usize, name: &str) -> Result<(), EditError> {
        let missing = EditError::Missing { what: "named animation in the file", index: animation };
        let declared = self
            .content
            .animations
            .get(animation)
            .and_then(|animation| Some((animation.name.clone(), animation.span?)));
        let Some((old, span)) = declared else { return Err(missing) };
        self.replace_name(span, &old, name, missing)?;
        if let Some(animation) = self.content.animations.get_mut(animation) {
            name.clone_into(&mut animation.name);
        }
        Ok(())
    }

    /// Replaces the name in a line. The first edit finds it by its text; later ones replace the
    /// edit.
    fn replace_name(
        &mut self,
        line: Span,
        old: &str,
        new: &str,
        missing: EditError,
    ) -> Result<(), EditError> {
        check_name(new)?;
        let refused = |why| EditError::Name { name: quote(new.as_bytes()), why };
        let bytes = if self.content.latin1 {
            to_latin1(new).ok_or_else(|| refused("has characters that Latin-1 lacks"))?
        } else {
            new.as_bytes().to_vec()
        };
        let text = self.source.get(line.start..line.end).unwrap_or_default();
        // In a row of a counted block the name is the first token, elsewhere the second.
        let places: Vec<usize> = spans(text).take(2).map(|span| line.start + span.start).collect();
        let edited =
            places.iter().find_map(|start| self.edits.get(start).map(|(end, _)| (*start, *end)));
        let span = edited.or_else(|| {
            let old = if self.content.latin1 { to_latin1(old)? } else { old.as_bytes().to_vec() };
            let holds = |start: &usize| {
                !old.is_empty() && self.source.get(*start..*start + old.len()) == Some(&old)
            };
            places.into_iter().rev().find(holds).map(|start| (start, start + old.len()))
        });
        let Some((start, end)) = span else { return Err(missing) };
        self.edits.insert(start, (end, bytes));
        Ok(())
    }

    fn key(&self, animation: usize, key: usize) -> Result<Key, EditError> {
        let found = self
            .content
            .animations
            .get(animation)
            .ok_or(EditError::Missing { what: "animation", index: animation })?;
        found.keys.get(key).copied().ok_or(EditError::Missing { what: "key", index: key })
    }

    fn tokens(&self, line: u32) -> Vec<Span> {
        token_spans(&self.source, line)
    }
}

fn to_latin1(text: &str) -> Option<Vec<u8>> {
    text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect()
}

/// Text of the file: UTF-8, or Latin-1 where the file is not UTF-8.
pub(crate) fn decode(bytes: &[u8], latin1: bool) -> String {
    if latin1 {
        bytes.iter().map(|byte| char::from(*byte)).collect()
    } else {
        String::from_utf8_lossy(bytes).into_owned()
    }
}

/// The tokens of the line that starts at `line`, keyword included, as ranges of the source.
pub(crate) fn token_spans(source: &[u8], line: u32) -> Vec<Span> {
    let start = line as usize;
    let end = line_at(source, start).end;
    let text = source.get(start..end).unwrap_or_default();
    let skip = if start == 0 && text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    spans(text.get(skip..).unwrap_or_default())
        .map(|span| Span::new(start + skip + span.start, start + skip + span.end))
        .collect()
}

/// Whether a name can stand in a line of the format and is read back as it is.
pub(crate) fn check_name(name: &str) -> Result<(), EditError> {
    let refused = |why| Err(EditError::Name { name: quote(name.as_bytes()), why });
    if name.is_empty() {
        return refused("is empty");
    }
    if name.contains(['\n', '\r']) {
        return refused("has a line end");
    }
    if name.starts_with([' ', '\t']) || name.ends_with([' ', '\t']) {
        return refused("begins or ends with a blank");
    }
    if name.ends_with('\\') {
        return refused("ends with a backslash, which would join the next line to it");
    }
    if name.split([' ', '\t']).any(|token| token.starts_with('#')) {
        return refused("has a word that begins with `#`, which would begin a comment");
    }
    Ok(())
}

fn sparse<T: Copy>(rows: &[(u32, T)], row: usize) -> Option<T> {
    let at = rows.binary_search_by_key(&row, |(index, _)| *index as usize).ok()?;
    rows.get(at).map(|(_, value)| *value)
}
