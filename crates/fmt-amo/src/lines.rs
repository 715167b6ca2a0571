//! The first pass: lines to flat arrays, without knowing the dialect yet.
//!
//! What there are many of (vertices, faces, keys) is read here, once. What there are few of is only
//! noted, in order, and read when the whole file is known (`resolve`). A part of a file can be read
//! on its own: parts are joined afterwards.

use std::ops::Range;

use anim_ir::{Diagnostic, Diagnostics, LimitError, Limits, Span, diag::plural, diag::quote};

use crate::codes;
use crate::dialect::Evidence;
use crate::document::Corner;
use crate::fast;
use crate::tokens::{
    ABSENT, Input, Reason, Reject, corner, integer, integers, next_token, number, numbers, spans,
    word,
};

/// A statement that is only noted: where it stands among the others, and its arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Statement {
    pub(crate) keyword: Keyword,
    /// Offset of the line, of the arguments, and of the line's end.
    pub(crate) line: u32,
    pub(crate) arguments: u32,
    pub(crate) end: u32,
    /// How many elements and keys came before it.
    pub(crate) elements: u32,
    pub(crate) keys: u32,
}

/// The statements that are only noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keyword {
    Object,
    AnimatedObject,
    CollisionObject,
    Group,
    Smoothing,
    UseMaterial,
    Library,
    Texture,
    Joint,
    JointParent,
    Animation,
    /// `an`, the header of an animation in counted files.
    CountedAnimation,
    /// Boxes, hooks, collision meshes, handles: kept as numbers under their own names.
    Kept(&'static str),
}

/// A line of an animation: `ap`, `ar`, `k`, or a bare row of a counted key group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawKey {
    pub(crate) line: u32,
    pub(crate) kind: RawKind,
    /// How many numbers the line has; only the first eight are kept, which is all that a row has.
    pub(crate) count: u8,
    pub(crate) numbers: [f32; 8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RawKind {
    Position,
    Rotation,
    Group,
    Row,
}

/// What an element of the geometry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementKind {
    /// A polygon, three corners or more.
    Face,
    /// A line through two corners or more.
    Line,
    /// Points, one or more.
    Points,
}

/// A face, a line or a group of points: the corners from `first_corner` to the next element's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    pub(crate) first_corner: u32,
    pub(crate) line: u32,
    pub(crate) kind: ElementKind,
}

/// An index that counts back from the last element before it. `value` is the index from 1 within
/// the part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relative {
    pub(crate) corner: u32,
    pub(crate) slot: u8,
    pub(crate) value: i64,
}

/// What the first pass makes of a part of a file.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) positions: Vec<[f32; 3]>,
    /// For positions with six or seven numbers: which, and their colour.
    pub(crate) colors: Vec<(u32, [f32; 4])>,
    /// How many positions have a fourth component and texture coordinates a third.
    pub(crate) ignored_components: u64,
    /// Positions whose line could not be read.
    pub(crate) unusable: Vec<u32>,
    pub(crate) texcoords: Vec<[f32; 2]>,
    pub(crate) normals: Vec<[f32; 3]>,
    pub(crate) joints: Vec<[i32; 4]>,
    pub(crate) joint_lines: Vec<u32>,
    /// For the rows with five entries: which, and the fifth.
    pub(crate) fifth_joints: Vec<(u32, i32)>,
    pub(crate) weights: Vec<[f32; 4]>,
    pub(crate) weight_lines: Vec<u32>,
    pub(crate) fifth_weights: Vec<(u32, f32)>,
    pub(crate) elements: Vec<Element>,
    /// Indices from 1, or ABSENT.
    pub(crate) corners: Vec<Corner>,
    /// The greatest index of each slot, and whether any is 0: where all is in range, corners need
    /// not be looked at again.
    pub(crate) greatest: [i32; 5],
    pub(crate) zero_index: bool,
    pub(crate) relative: Vec<Relative>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) keys: Vec<RawKey>,
    pub(crate) evidence: Evidence,
    pub(crate) known_lines: u64,
    /// Whether a line has bytes beyond ASCII. Plain lines of numbers have none.
    pub(crate) beyond_ascii: bool,
    pub(crate) diagnostics: Diagnostics,
}

/// What to make of a line with one integer where several numbers belong, followed by bare rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocks {
    /// Stop: the file must be read with blocks.
    Detect,
    /// The line announces a block.
    Read,
    /// The line lacks numbers, as any other would.
    Ignore,
}

/// Stands for a `vw` row that could not be read, until `resolve` makes it zeros: no row that was
/// read holds NaN.
pub(crate) const UNREADABLE_WEIGHTS: [f32; 5] = [f32::NAN; 5];

/// How the first pass ended.
pub(crate) enum Pass {
    Done(Box<Part>),
    /// A block with a count was met while reading a file without blocks.
    Counted,
    Limit(LimitError),
}

/// Makes room at the first of a kind, by a guess at how many of them the rest of the file may have:
/// growing again and again costs a fifth of the time. Room that is not used is address space, not
/// memory.
#[inline]
fn room<T>(list: &mut Vec<T>, guess: usize) -> &mut Vec<T> {
    if list.capacity() == 0 {
        list.reserve(guess);
    }
    list
}

/// The rows that a counted block still has to come.
struct Block {
    keyword: &'static str,
    kind: BlockKind,
    /// The count in the header.
    count: Span,
    announced: usize,
    found: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BlockKind {
    Position,
    Texcoord,
    Normal,
    Joints,
    Weights,
    Face,
    Joint,
    Key,
    Kept,
}

/// Reads the lines that start in `range`. Room is made for what may come up to `room_for`.
pub(crate) fn read(
    source: &[u8],
    range: Range<usize>,
    room_for: usize,
    blocks: Blocks,
    limits: &Limits,
) -> Pass {
    let part = Part { diagnostics: Diagnostics::with_fixes(limits.fixes), ..Part::default() };
    let mut reader =
        Reader { source, part, blocks, block: None, room_for, line: 0, end: 0, refused: false };
    let mut at = range.start;
    while at < range.end {
        if let Some(length) = reader.plain_line(at) {
            at += length;
            continue;
        }
        let Line { end, next } = line_at(source, at);
        if end - at > limits.line_bytes {
            return Pass::Limit(LimitError {
                what: "a line",
                unit: "bytes",
                found: end - at,
                most: limits.line_bytes,
            });
        }
        reader.line = at;
        reader.end = end;
        reader.read_line(next);
        if reader.refused {
            return Pass::Counted;
        }
        at = next;
    }
    reader.close_block();
    Pass::Done(Box::new(reader.part))
}

/// A line, continuations included: where its text ends and where the next one starts.
pub(crate) struct Line {
    pub(crate) end: usize,
    pub(crate) next: usize,
}

/// The line that starts at `start`. Lines end with LF, CR LF or CR; a `\` before that joins the
/// next line to it.
pub(crate) fn line_at(source: &[u8], start: usize) -> Line {
    let mut from = start;
    loop {
        let rest = source.get(from..).unwrap_or_default();
        let Some(length) = memchr::memchr2(b'\n', b'\r', rest) else {
            return Line { end: source.len(), next: source.len() };
        };
        let end = from + length;
        let next = if source.get(end..end + 2) == Some(b"\r\n") { end + 2 } else { end + 1 };
        let continued = end > start && source.get(end - 1) == Some(&b'\\');
        if !continued || source.get(start) == Some(&b'#') {
            return Line { end, next };
        }
        from = next;
    }
}

/// u32 offsets are enough: the input's size is checked before.
pub(crate) fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

struct Reader<'a> {
    source: &'a [u8],
    part: Part,
    blocks: Blocks,
    /// Up to where the rest of the file is to have room.
    room_for: usize,
    block: Option<Block>,
    /// The current line.
    line: usize,
    end: usize,
    refused: bool,
}

impl<'a> Reader<'a> {
    /// Takes the short way where the line is plain; gives its length.
    #[inline]
    fn plain_line(&mut self, at: usize) -> Option<usize> {
        if self.block.is_some() {
            return None;
        }
        let part = &mut self.part;
        let text = self.source.get(at..)?;
        let left = self.room_for.saturating_sub(at);
        let (keyword, length) = match text {
            [b'v', b' ', values @ ..] => (
                2,
                fast::push_filled(room(&mut part.positions, left / 80), [0.0; 3], |row| {
                    fast::numbers(values, row)
                })?,
            ),
            [b'f', b' ', corners @ ..] => (2, self.plain_face(at, corners)?),
            [b'v', b't', b' ', values @ ..] => (
                3,
                fast::push_filled(room(&mut part.texcoords, left / 80), [0.0; 2], |row| {
                    fast::numbers(values, row)
                })?,
            ),
            [b'v', b'n', b' ', values @ ..] => (
                3,
                fast::push_filled(room(&mut part.normals, left / 80), [0.0; 3], |row| {
                    fast::numbers(values, row)
                })?,
            ),
            [b'v', b'j', b' ', values @ ..] => {
                let length =
                    fast::push_filled(room(&mut part.joints, left / 100), [0; 4], |row| {
                        fast::integers(values, row)
                    })?;
                room(&mut part.joint_lines, left / 100).push(narrow(at));
                (3, length)
            }
            [b'v', b'w', b' ', values @ ..] => {
                let length =
                    fast::push_filled(room(&mut part.weights, left / 100), [0.0; 4], |row| {
                        fast::numbers(values, row)
                    })?;
                room(&mut part.weight_lines, left / 100).push(narrow(at));
                (3, length)
            }
            [b'a', b'p', b' ', values @ ..] => {
                (3, self.plain_key::<5>(at, RawKind::Position, values)?)
            }
            [b'a', b'r', b' ', values @ ..] => {
                (3, self.plain_key::<6>(at, RawKind::Rotation, values)?)
            }
            _ => return None,
        };
        self.part.known_lines += 1;
        Some(keyword + length)
    }

    /// A key with a time, of `N` numbers.
    #[inline]
    fn plain_key<const N: usize>(
        &mut self,
        at: usize,
        kind: RawKind,
        values: &[u8],
    ) -> Option<usize> {
        let left = self.room_for.saturating_sub(at);
        let key =
            RawKey { line: narrow(at), kind, count: u8::try_from(N).ok()?, numbers: [0.0; 8] };
        let length = fast::push_filled(room(&mut self.part.keys, left / 150), key, |key| {
            fast::numbers(values, key.numbers.first_chunk_mut::<N>()?)
        })?;
        self.part.evidence.key_with_time = true;
        Some(length)
    }

    /// A face of plain corners; gives the length of them all and the line's end.
    #[inline]
    fn plain_face(&mut self, at: usize, text: &[u8]) -> Option<usize> {
        let part = &mut self.part;
        let left = self.room_for.saturating_sub(at);
        room(&mut part.elements, left / 110);
        room(&mut part.corners, left / 35);
        let first = part.corners.len();
        let mut zero = false;
        let mut rest = text;
        let after = loop {
            if let Some(after) = fast::line_end(rest) {
                break Some(after);
            }
            let greatest = &mut part.greatest;
            let fill =
                |corner: &mut Corner| fast::corner(rest, &mut corner.slots, greatest, &mut zero);
            match fast::push_filled(&mut part.corners, Corner { slots: [ABSENT; 5] }, fill) {
                Some(length) => rest = rest.get(length..)?,
                None => break None,
            }
        };
        match after {
            Some(after) if part.corners.len() >= first + 3 && !zero => {
                part.elements.push(Element {
                    first_corner: narrow(first),
                    line: narrow(at),
                    kind: ElementKind::Face,
                });
                Some(text.len() - after.len())
            }
            // An index of 0 says something of the dialect, or is wrong: the long way looks at it.
            _ => {
                part.corners.truncate(first);
                None
            }
        }
    }

    fn read_line(&mut self, next_line: usize) {
        let mut input = self.source.get(self.line..self.end).unwrap_or_default();
        self.part.beyond_ascii |= !input.is_ascii();
        if !next_token(&mut input) {
            let header =
                self.line == 0 || (self.line == 3 && self.source.starts_with(b"\xef\xbb\xbf"));
            if header && input.starts_with(b"#Generated by editamo") {
                self.part.evidence.editamo_header = true;
            }
            return;
        }
        if self.block.is_some() && self.read_row(input) {
            self.part.known_lines += 1;
            return;
        }
        self.part.known_lines += 1;
        // What there are many of is told by its first bytes; the rest by its first word.
        match input {
            [b'v', b' ' | b'\t', values @ ..] => return self.position(values, next_line),
            [b'f', b' ' | b'\t', corners @ ..] => return self.face(corners, next_line),
            [b'v', b't', b' ' | b'\t', values @ ..] => return self.texcoord(values, next_line),
            [b'v', b'n', b' ' | b'\t', values @ ..] => return self.normal(values, next_line),
            [b'v', b'j', b' ' | b'\t', values @ ..] => return self.joints(values, next_line),
            [b'v', b'w', b' ' | b'\t', values @ ..] => return self.weights(values, next_line),
            [b'a', b'p', b' ' | b'\t', values @ ..] => return self.key(RawKind::Position, values),
            [b'a', b'r', b' ' | b'\t', values @ ..] => return self.key(RawKind::Rotation, values),
            _ => {}
        }
        let token = input;
        let Ok(keyword) = word(&mut input) else { return };
        match keyword {
            // Without any value, or with a continuation right behind the keyword.
            b"v" => self.position(input, next_line),
            b"vt" => self.texcoord(input, next_line),
            b"vn" => self.normal(input, next_line),
            b"vj" => self.joints(input, next_line),
            b"vw" => self.weights(input, next_line),
            b"f" => self.face(input, next_line),
            b"ap" => self.key(RawKind::Position, input),
            b"ar" => self.key(RawKind::Rotation, input),
            b"l" => self.element(ElementKind::Line, input),
            b"p" => self.element(ElementKind::Points, input),
            b"k" => self.group(input),
            b"o" => self.note(Keyword::Object, input),
            b"ao" => self.note(Keyword::AnimatedObject, input),
            b"cl" => self.note_of_engine(Keyword::CollisionObject, input),
            b"g" => self.note(Keyword::Group, input),
            b"s" => self.note(Keyword::Smoothing, input),
            b"usemtl" => self.note(Keyword::UseMaterial, input),
            b"mtllib" => self.note(Keyword::Library, input),
            b"t" => {
                self.part.evidence.draft_keyword = true;
                self.note(Keyword::Texture, input);
            }
            b"jp" => {
                self.part.evidence.draft_keyword = true;
                self.note(Keyword::JointParent, input);
            }
            b"j" => {
                if self.blocks == Blocks::Read && self.open_block(BlockKind::Joint, "j", input) {
                    return;
                }
                self.part.evidence.rest_matrix |= spans(input).nth(17).is_some();
                self.note(Keyword::Joint, input);
            }
            b"a" => self.note(Keyword::Animation, input),
            b"an" => self.note_of_engine(Keyword::CountedAnimation, input),
            b"hk" | b"rb" | b"cv" | b"ci"
                if self.blocks == Blocks::Read
                    && self.open_block(
                        BlockKind::Kept,
                        kept(keyword).unwrap_or_default(),
                        input,
                    ) => {}
            _ => match kept(keyword) {
                Some(name) => self.note_of_engine(Keyword::Kept(name), input),
                None => self.unknown(keyword, token),
            },
        }
    }

    /// Notes a statement.
    fn note(&mut self, keyword: Keyword, arguments: Input<'a>) {
        let statement = Statement {
            keyword,
            line: narrow(self.line),
            arguments: narrow(self.end - arguments.len()),
            end: narrow(self.end),
            elements: narrow(self.part.elements.len()),
            keys: narrow(self.part.keys.len()),
        };
        self.part.statements.push(statement);
    }

    fn note_of_engine(&mut self, keyword: Keyword, arguments: Input<'a>) {
        self.part.evidence.engine_keyword = true;
        self.note(keyword, arguments);
    }

    fn position(&mut self, mut input: Input<'a>, next_line: usize) {
        let (values, mut row) = (input, [0.0; 7]);
        let index = narrow(self.part.positions.len());
        let result = numbers(&mut input, &mut row);
        if result == Ok(1) && self.opens_block(BlockKind::Position, "v", values, next_line) {
            return;
        }
        let [x, y, z, extra @ ..] = row;
        self.part.positions.push([x, y, z]);
        match result {
            Ok(3) => {}
            Ok(4) => self.part.ignored_components += 1,
            Ok(6) => self.part.colors.push((index, [row[3], row[4], row[5], 1.0])),
            Ok(7) => self.part.colors.push((index, extra)),
            Ok(count) => {
                let most = if count == 5 { 4 } else { 7 };
                self.wrong_count(
                    "v",
                    "3 coordinates (4 with a weight, 6 or 7 with a colour)",
                    count,
                    most,
                );
                self.part.unusable.push(index);
            }
            Err(reject) => {
                self.reject("v", reject);
                self.part.unusable.push(index);
            }
        }
    }

    fn texcoord(&mut self, mut input: Input<'a>, next_line: usize) {
        let (values, mut row) = (input, [0.0; 3]);
        match numbers(&mut input, &mut row) {
            Ok(1) if self.opens_block(BlockKind::Texcoord, "vt", values, next_line) => return,
            Ok(1 | 2) => {}
            Ok(3) => self.part.ignored_components += u64::from(row[2] != 0.0),
            Ok(count) => self.wrong_count("vt", "1 to 3 coordinates", count, 3),
            Err(reject) => self.reject("vt", reject),
        }
        self.part.texcoords.push([row[0], row[1]]);
    }

    fn normal(&mut self, mut input: Input<'a>, next_line: usize) {
        let (values, mut row) = (input, [0.0; 3]);
        match numbers(&mut input, &mut row) {
            Ok(3) => {}
            Ok(1) if self.opens_block(BlockKind::Normal, "vn", values, next_line) => return,
            Ok(count) => self.wrong_count("vn", "3 coordinates", count, 3),
            Err(reject) => self.reject("vn", reject),
        }
        self.part.normals.push(row);
    }

    fn joints(&mut self, mut input: Input<'a>, next_line: usize) {
        let (values, mut row) = (input, [-1; 5]);
        let index = narrow(self.part.joints.len());
        match integers(&mut input, &mut row) {
            Ok(4) => {}
            Ok(5) => self.part.fifth_joints.push((index, row[4])),
            Ok(1) if self.opens_block(BlockKind::Joints, "vj", values, next_line) => return,
            Ok(count) => {
                self.wrong_count("vj", "4 joint numbers", count, 4);
                row = [-1; 5];
            }
            Err(reject) => {
                self.reject("vj", reject);
                row = [-1; 5];
            }
        }
        let [first @ .., _] = row;
        self.part.joints.push(first);
        self.part.joint_lines.push(narrow(self.line));
    }

    fn weights(&mut self, mut input: Input<'a>, next_line: usize) {
        let (values, mut row) = (input, [0.0; 5]);
        let index = narrow(self.part.weights.len());
        match numbers(&mut input, &mut row) {
            Ok(4) => {}
            Ok(5) => self.part.fifth_weights.push((index, row[4])),
            Ok(1) if self.opens_block(BlockKind::Weights, "vw", values, next_line) => return,
            Ok(count) => {
                self.wrong_count("vw", "4 weights", count, 4);
                row = UNREADABLE_WEIGHTS;
            }
            Err(reject) => {
                self.reject("vw", reject);
                row = UNREADABLE_WEIGHTS;
            }
        }
        let [first @ .., _] = row;
        self.part.weights.push(first);
        self.part.weight_lines.push(narrow(self.line));
    }

    fn face(&mut self, input: Input<'a>, next_line: usize) {
        // Faces without a slash are rare enough for a closer look.
        if !input.contains(&b'/')
            && spans(input).nth(1).is_none()
            && self.opens_block(BlockKind::Face, "f", input, next_line)
        {
            return;
        }
        self.element(ElementKind::Face, input);
    }

    fn element(&mut self, kind: ElementKind, mut input: Input<'a>) {
        let first = self.part.corners.len();
        let before = self.part.relative.len();
        let result = self.corners(&mut input);
        let count = self.part.corners.len() - first;
        let fewest = match kind {
            ElementKind::Face => 3,
            ElementKind::Line => 2,
            ElementKind::Points => 1,
        };
        if result.is_ok() && count >= fewest {
            self.part.elements.push(Element {
                first_corner: narrow(first),
                line: narrow(self.line),
                kind,
            });
            return;
        }
        self.part.corners.truncate(first);
        self.part.relative.truncate(before);
        let name = match kind {
            ElementKind::Face => "face",
            ElementKind::Line => "line",
            ElementKind::Points => "point",
        };
        match result {
            Err(reject) => {
                let (span, token) = self.rejected(reject);
                let message = match reject.reason {
                    Reason::ManySlots => format!("corner {token} has more than five indices"),
                    Reason::NoPosition => format!("corner {token} names no position"),
                    _ => format!("{token} is not a corner"),
                };
                let help = "a corner is position, position/texcoord/normal or \
                            position/texcoord/normal/joints/weights";
                self.part.diagnostics.report(&codes::CORNER, || {
                    Diagnostic::new(&codes::CORNER, span, message).help(help)
                });
            }
            Ok(()) => {
                let span = self.keyword_span();
                self.part.diagnostics.push(&codes::FACE_CORNERS, span, || {
                    format!("a {name} of {}: it needs {fewest}", plural(count, "corner"))
                });
            }
        }
    }

    fn corners(&mut self, input: &mut Input<'a>) -> Result<(), Reject> {
        while next_token(input) {
            let mut slots = corner(input)?;
            if slots.iter().any(|slot| *slot < 0 && *slot != ABSENT) {
                self.relative(&mut slots);
            }
            self.push_corner(slots);
        }
        Ok(())
    }

    fn push_corner(&mut self, slots: [i32; 5]) {
        for (greatest, slot) in self.part.greatest.iter_mut().zip(slots) {
            *greatest = slot.max(*greatest);
        }
        self.part.zero_index |= slots.contains(&0);
        self.part.evidence.zero_in_face |= slots[3] == 0 || slots[4] == 0;
        self.part.corners.push(Corner { slots });
    }

    /// Notes indices that count back; they are put in when the counts of the parts before are
    /// known.
    fn relative(&mut self, slots: &mut [i32; 5]) {
        let part = &mut self.part;
        let counts = [
            part.positions.len(),
            part.texcoords.len(),
            part.normals.len(),
            part.joints.len(),
            part.weights.len(),
        ];
        for ((number, slot), count) in (0_u8..).zip(slots).zip(counts) {
            if *slot < 0 && *slot != ABSENT {
                let value = i64::from(narrow(count)) + i64::from(*slot) + 1;
                part.relative.push(Relative {
                    corner: narrow(part.corners.len()),
                    slot: number,
                    value,
                });
                // In range wherever anything is.
                *slot = 1;
            }
        }
    }

    /// `ap` and `ar`: with a time or, in grouped dialects, without.
    fn key(&mut self, kind: RawKind, mut input: Input<'a>) {
        let mut row = [0.0; 8];
        match numbers(&mut input, &mut row) {
            Ok(count) => {
                let without_time = if kind == RawKind::Position { 4 } else { 5 };
                self.part.evidence.key_without_time |= count == without_time;
                self.part.evidence.key_with_time |= count == without_time + 1;
                self.push_key(kind, count, row);
            }
            Err(reject) => self.reject(if kind == RawKind::Position { "ap" } else { "ar" }, reject),
        }
    }

    fn push_key(&mut self, kind: RawKind, count: usize, numbers: [f32; 8]) {
        let count = u8::try_from(count).unwrap_or(u8::MAX);
        self.part.keys.push(RawKey { line: narrow(self.line), kind, count, numbers });
    }

    /// `k`: begins a group of keys.
    fn group(&mut self, mut input: Input<'a>) {
        self.part.evidence.key_group = true;
        let mut row = [0.0; 8];
        let start = input;
        match numbers(&mut input, &mut row) {
            Ok(count) => {
                self.push_key(RawKind::Group, count, row);
                let mut announced = start;
                if self.blocks == Blocks::Read
                    && count == 2
                    && next_token(&mut announced)
                    && number(&mut announced).is_ok()
                {
                    self.open_block(BlockKind::Key, "k", announced);
                }
            }
            Err(reject) => self.reject("k", reject),
        }
    }

    /// Whether a line with one value is the header of a block, which it opens in a counted file.
    fn opens_block(
        &mut self,
        kind: BlockKind,
        keyword: &'static str,
        values: Input<'a>,
        next_line: usize,
    ) -> bool {
        if self.block.is_some() || !self.announces(values) {
            return false;
        }
        match self.blocks {
            Blocks::Read => self.open_block(kind, keyword, values),
            Blocks::Detect => {
                self.refused = self.starts_with_number(next_line);
                self.refused
            }
            Blocks::Ignore => false,
        }
    }

    fn announces(&self, mut input: Input<'a>) -> bool {
        next_token(&mut input) && integer(&mut input).is_ok_and(|count| count >= 0)
    }

    fn starts_with_number(&self, line: usize) -> bool {
        let mut input = self.source.get(line..line_at(self.source, line).end).unwrap_or_default();
        next_token(&mut input) && number(&mut input).is_ok()
    }

    /// Opens a block where the arguments are one integer.
    fn open_block(&mut self, kind: BlockKind, keyword: &'static str, mut input: Input<'a>) -> bool {
        if !next_token(&mut input) {
            return false;
        }
        let start = self.end - input.len();
        let Ok(announced) = integer(&mut input) else { return false };
        let Ok(announced) = usize::try_from(announced) else { return false };
        let count = Span::new(start, self.end - input.len());
        if next_token(&mut input) {
            return false;
        }
        self.close_block();
        self.block = Some(Block { keyword, kind, count, announced, found: 0 });
        true
    }

    /// Reads a row of the open block; says whether the line was one.
    fn read_row(&mut self, input: Input<'a>) -> bool {
        let Some(block) = &mut self.block else { return false };
        let mut first = input;
        let is_row = match block.kind {
            // Rows of joints start with a name; nothing else in these files is as long as their
            // matrix.
            BlockKind::Joint => spans(input).nth(16).is_some(),
            _ => {
                !matches!(
                    number(&mut first),
                    Err(Reject { reason: Reason::Number | Reason::Integer | Reason::Word, .. })
                ) || starts_like_number(input)
            }
        };
        if !is_row {
            self.close_block();
            return false;
        }
        block.found += 1;
        if block.found > block.announced {
            let span = Span::new(self.end - input.len(), self.end);
            if block.found == block.announced + 1 {
                let message = format!(
                    "a row beyond the {} that `{}` announces",
                    block.announced, block.keyword
                );
                self.part.diagnostics.push(&codes::BLOCK_COUNT, span, || message);
            }
            return true;
        }
        let (kind, keyword) = (block.kind, block.keyword);
        match kind {
            BlockKind::Position => self.position(input, self.end),
            BlockKind::Texcoord => self.texcoord(input, self.end),
            BlockKind::Normal => self.normal(input, self.end),
            BlockKind::Joints => self.joints(input, self.end),
            BlockKind::Weights => self.weights(input, self.end),
            BlockKind::Face => self.face_row(input),
            BlockKind::Joint => self.note(Keyword::Joint, input),
            BlockKind::Key => self.key_row(input),
            BlockKind::Kept => self.note(Keyword::Kept(keyword), input),
        }
        true
    }

    /// Fifteen integers (rigged) or nine, from 0.
    fn face_row(&mut self, mut input: Input<'a>) {
        let mut row = [0; 15];
        let first = narrow(self.part.corners.len());
        // From 1, as elsewhere; -1 becomes 0, which is an index that nothing has.
        let from_one = |index: &i32| index.checked_add(1).filter(|index| *index >= 0).unwrap_or(0);
        match integers(&mut input, &mut row) {
            Ok(15) => row
                .as_chunks::<5>()
                .0
                .iter()
                .for_each(|corner| self.push_corner(corner.each_ref().map(from_one))),
            Ok(9) => {
                let triples = row.as_chunks::<3>().0.iter().take(3);
                triples.for_each(|[v, vt, vn]| {
                    self.push_corner([from_one(v), from_one(vt), from_one(vn), ABSENT, ABSENT])
                });
            }
            Ok(count) => {
                return self.wrong_count(
                    "a face row",
                    "9 indices, or 15 with joints and weights",
                    count,
                    15,
                );
            }
            Err(reject) => return self.reject("a face row", reject),
        }
        self.part.elements.push(Element {
            first_corner: first,
            line: narrow(self.line),
            kind: ElementKind::Face,
        });
    }

    /// Joint, position, rotation w first.
    fn key_row(&mut self, mut input: Input<'a>) {
        let mut row = [0.0; 8];
        match numbers(&mut input, &mut row) {
            Ok(8) => self.push_key(RawKind::Row, 8, row),
            Ok(count) => {
                self.wrong_count("a key row", "8 numbers (joint, position, rotation)", count, 8)
            }
            Err(reject) => self.reject("a key row", reject),
        }
    }

    fn close_block(&mut self) {
        if let Some(block) = self.block.take()
            && block.found < block.announced
        {
            let announced = String::from_utf8_lossy(
                self.source.get(block.count.start..block.count.end).unwrap_or_default(),
            );
            self.part.diagnostics.push(&codes::BLOCK_COUNT, block.count, || {
                format!(
                    "`{}` announces {announced} rows, but {} follow",
                    block.keyword, block.found
                )
            });
        }
    }

    fn unknown(&mut self, keyword: &'a [u8], token: Input<'a>) {
        self.part.known_lines -= 1;
        let start = self.end - token.len();
        let span = Span::new(start, start + keyword.len());
        if starts_like_number(token) {
            self.part.diagnostics.push(&codes::STRAY_ROW, span, || {
                format!("{} starts a line outside of any block", quote(keyword))
            });
            return;
        }
        if matches!(keyword, b"call" | b"csh") {
            self.part.diagnostics.push(&codes::COMMAND, span, || {
                format!("{} is ignored: nothing is run or read for it", quote(keyword))
            });
            return;
        }
        if FREE_FORM.contains(&keyword) {
            let help = "curves, surfaces and display settings of Wavefront OBJ are kept in the \
                        document, but not converted";
            let message = || format!("{} is not read", quote(keyword));
            self.part.diagnostics.report(&codes::KEYWORD, || {
                Diagnostic::new(&codes::KEYWORD, span, message()).help(help)
            });
            return;
        }
        let lower = keyword.to_ascii_lowercase();
        let unknown = || {
            Diagnostic::new(&codes::KEYWORD, span, format!("unknown keyword {}", quote(keyword)))
        };
        match KNOWN
            .iter()
            .find(|known| known.as_bytes() == lower.as_slice() && keyword != lower.as_slice())
        {
            None => self.part.diagnostics.report(&codes::KEYWORD, unknown),
            Some(known) => {
                let helpful = || unknown().help(format!("keywords are lower case: `{known}`"));
                if is_certain(known, token.get(keyword.len()..).unwrap_or_default()) {
                    self.part
                        .diagnostics
                        .report_fix(&codes::KEYWORD, || helpful().fix(span, *known));
                } else {
                    self.part.diagnostics.report(&codes::KEYWORD, helpful);
                }
            }
        }
    }

    /// The whole keyword, or the first token of a row.
    fn keyword_span(&self) -> Span {
        let line = self.source.get(self.line..self.end).unwrap_or_default();
        let token = spans(line).next().unwrap_or(0..0);
        Span::new(self.line + token.start, self.line + token.end)
    }

    fn rejected(&self, reject: Reject) -> (Span, String) {
        let start = self.end - reject.rest;
        let mut input = self.source.get(start..self.end).unwrap_or_default();
        let token = word(&mut input).unwrap_or_default();
        (Span::new(start, start + token.len()), quote(token))
    }

    fn reject(&mut self, what: &str, reject: Reject) {
        let (span, token) = self.rejected(reject);
        let what = if what.contains(' ') { what.to_owned() } else { format!("`{what}`") };
        match reject.reason {
            Reason::Integer => self
                .part
                .diagnostics
                .push(&codes::INTEGER, span, || format!("{token} in {what} is not an integer")),
            Reason::NotFinite => self
                .part
                .diagnostics
                .push(&codes::NUMBER, span, || format!("{token} in {what} is not a finite number")),
            _ => self
                .part
                .diagnostics
                .push(&codes::NUMBER, span, || format!("{token} in {what} is not a number")),
        }
    }

    /// Points at the first value too many, or behind the last where some are missing.
    fn wrong_count(&mut self, what: &str, expected: &str, found: usize, most: usize) {
        let line = self.source.get(self.line..self.end).unwrap_or_default();
        let what = if what.contains(' ') { what.to_owned() } else { format!("`{what}`") };
        let values = spans(line).skip(usize::from(!starts_like_number(line.trim_ascii_start())));
        let (last, extra) = values.enumerate().fold((None, None), |(_, extra), (at, span)| {
            let extra = extra.or((at >= most).then(|| span.clone()));
            (Some(span), extra)
        });
        let place = extra.or(last.map(|last| last.end..last.end)).unwrap_or_else(|| {
            let end = spans(line).last().map_or(0, |token| token.end);
            end..end
        });
        let span = Span::new(self.line + place.start, self.line + place.end);
        self.part
            .diagnostics
            .push(&codes::FIELDS, span, || format!("{what} needs {expected}, found {found}"));
    }
}

/// Whether a line begins as numbers do.
pub(crate) fn starts_like_number(input: Input<'_>) -> bool {
    matches!(input, [b'0'..=b'9', ..] | [b'-' | b'+' | b'.', b'0'..=b'9' | b'.', ..])
}

/// Keywords of the Vasall engine that are kept as they are, under their own names.
fn kept(keyword: &[u8]) -> Option<&'static str> {
    const KEPT: [&str; 18] = [
        "bb", "bc", "bp", "ne", "cv", "ci", "rb", "ih", "hh", "hk", "hnd", "phk", "hok", "pos",
        "apo", "adi", "bof", "end",
    ];
    KEPT.into_iter().find(|known| known.as_bytes() == keyword)
}

/// Whether a keyword is one of those.
pub(crate) fn is_kept(keyword: &[u8]) -> bool {
    kept(keyword).is_some()
}

/// Keywords for the hint on upper and lower case.
const KNOWN: [&str; 19] = [
    "v", "vt", "vn", "vj", "vw", "f", "l", "p", "o", "ao", "g", "s", "usemtl", "mtllib", "j", "a",
    "ap", "ar", "k",
];

/// Statements of Wavefront OBJ that have no meaning here.
const FREE_FORM: [&[u8]; 31] = [
    b"vp",
    b"deg",
    b"bmat",
    b"step",
    b"cstype",
    b"curv",
    b"curv2",
    b"surf",
    b"parm",
    b"trim",
    b"hole",
    b"scrv",
    b"sp",
    b"con",
    b"mg",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"lod",
    b"maplib",
    b"usemap",
    b"shadow_obj",
    b"trace_obj",
    b"ctech",
    b"stech",
    b"bsp",
    b"bzp",
    b"cdc",
    b"cdp",
    b"res",
    b"fo",
];

/// Whether a word in capitals that stands before these arguments can only be that keyword: a
/// sentence may begin with `A`, a row of numbers is no sentence.
fn is_certain(keyword: &str, arguments: &[u8]) -> bool {
    let arguments = arguments.split(|byte| *byte == b'#').next().unwrap_or_default();
    let words: Vec<&[u8]> = spans(arguments).filter_map(|span| arguments.get(span)).collect();
    match (keyword, words.as_slice()) {
        ("usemtl" | "mtllib", words) => !words.is_empty(),
        ("j", [_, parent]) => {
            std::str::from_utf8(parent).is_ok_and(|parent| parent.parse::<i64>().is_ok())
        }
        (_, words) => !words.is_empty() && words.iter().all(|word| starts_like_number(word)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> Vec<String> {
        let mut at = 0;
        let mut found = Vec::new();
        while at < text.len() {
            let line = line_at(text, at);
            found.push(String::from_utf8_lossy(&text[at..line.end]).into_owned());
            at = line.next;
        }
        found
    }

    #[test]
    fn every_line_end_and_continuations() {
        assert_eq!(lines(b"a\nb\r\nc\rd\n\ne"), ["a", "b", "c", "d", "", "e"]);
        assert_eq!(lines(b"v 1 \\\n2\\\r\n3\nx\\"), ["v 1 \\\n2\\\r\n3", "x\\"]);
        assert_eq!(lines(b"# a \\\nb"), ["# a \\", "b"]);
    }
}
