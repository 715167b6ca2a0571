//! Splits a text into statements. Some of their numbers can only be interpreted once the whole text
//! has been read.

use super::Dialect;
use crate::math::Mat4;

/// Decodes a text as UTF-8 or otherwise Latin-1, without a BOM, with all line breaks normalised to
/// `\n` and continuation lines joined.
pub(super) fn decode(text: &[u8]) -> String {
    let text = match std::str::from_utf8(text) {
        Ok(text) => text.trim_start_matches('\u{feff}').to_owned(),
        Err(_) => text.iter().map(|&byte| char::from(byte)).collect(),
    };
    text.replace("\r\n", "\n").replace('\r', "\n").replace("\\\n", " ")
}

pub(super) struct Line<'a> {
    pub(super) keyword: &'a str,
    /// The text after the keyword, without surrounding whitespace.
    rest: &'a str,
    /// `rest` split at whitespace.
    args: Vec<&'a str>,
}

impl<'a> Line<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        let line = without_comment(line).trim();
        let (keyword, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Self { keyword, rest: rest.trim(), args: rest.split_whitespace().collect() }
    }

    /// Returns all tokens, for rows without a keyword.
    fn row(&self) -> Vec<&'a str> {
        let mut row = vec![self.keyword];
        row.extend(&self.args);
        row
    }
}

/// Strips a comment. A `#` only starts a comment at the start of a token.
fn without_comment(line: &str) -> &str {
    let mut after_blank = true;
    for (at, c) in line.char_indices() {
        if c == '#' && after_blank {
            return &line[..at];
        }
        after_blank = c.is_whitespace();
    }
    line
}

fn number(token: &str) -> f64 {
    let number: f64 = token.parse().unwrap_or_else(|_| panic!("not a number: {token}"));
    assert!(number.is_finite(), "not a finite number: {token}");
    number
}

fn integer(token: &str) -> i64 {
    token.parse().unwrap_or_else(|_| panic!("not an integer: {token}"))
}

fn numbers<const N: usize>(tokens: &[&str]) -> [f64; N] {
    std::array::from_fn(|i| number(tokens[i]))
}

/// Reorders w x y z to x y z w.
fn scalar_last([w, x, y, z]: [f64; 4]) -> [f64; 4] {
    [x, y, z, w]
}

pub(super) struct RawJoint {
    pub(super) name: String,
    /// The parent as stored in the file.
    pub(super) parent: i64,
    pub(super) rest: Option<Mat4>,
}

/// The keys at one time: one `ap` or `ar` in D0 and D1, one `k` in D2 and D3.
#[derive(Default)]
pub(super) struct Keyframe {
    /// The time in seconds.
    pub(super) time: f64,
    pub(super) positions: Vec<(usize, [f64; 3])>,
    pub(super) rotations: Vec<(usize, [f64; 4])>,
}

pub(super) struct RawClip {
    pub(super) name: String,
    /// Seconds per unit of the key times.
    pub(super) time_unit: f64,
    pub(super) keyframes: Vec<Keyframe>,
}

#[derive(Default)]
pub(super) struct Raw {
    pub(super) dialect: Dialect,
    pub(super) editamo_header: bool,
    pub(super) positions: Vec<[f64; 3]>,
    pub(super) texcoords: Vec<[f64; 2]>,
    pub(super) normals: usize,
    pub(super) vertex_joints: Vec<Vec<Option<usize>>>,
    pub(super) vertex_weights: Vec<Vec<f64>>,
    /// The slots of each corner: 0-based, but not yet checked against the rest of the file.
    pub(super) faces: Vec<Vec<[Option<i64>; 5]>>,
    pub(super) joints: Vec<RawJoint>,
    pub(super) clips: Vec<RawClip>,
}

impl Raw {
    pub(super) fn read_line(&mut self, line: &Line<'_>) {
        let args = &line.args[..];
        match line.keyword {
            "v" | "vt" | "vn" | "vj" | "vw" => self.vertex_row(line.keyword, args),
            "f" => self.face_line(args),
            "j" => self.joint_row(args),
            "jp" => self.joint_row(&args[..1]),
            "a" => self.clip_line(line),
            "k" => self.begin_keyframe(args[0]),
            "ap" | "ar" => {
                let in_lines = self.dialect == Dialect::Lines;
                if !in_lines {
                    self.begin_keyframe(args[0]);
                }
                let args = if in_lines { args } else { &args[1..] };
                let joint = self.key_joint(args[0]);
                let keyframe = self.keyframe();
                if line.keyword == "ap" {
                    keyframe.positions.push((joint, numbers(&args[1..])));
                } else {
                    let turn = numbers(&args[1..]);
                    keyframe
                        .rotations
                        .push((joint, if in_lines { scalar_last(turn) } else { turn }));
                }
            }
            _ => {}
        }
    }

    pub(super) fn read_counted(&mut self, lines: &[Line<'_>]) {
        let mut lines = lines.iter();
        while let Some(line) = lines.next() {
            match line.keyword {
                "v" | "vt" | "vn" | "vj" | "vw" | "f" | "j" | "hk" | "cv" | "ci" | "rb" => {
                    for _ in 0..integer(line.args[0]) {
                        let row = lines.next().expect("a block's row").row();
                        match line.keyword {
                            "f" => self.face_row(&row),
                            "j" => self.joint_row(&row),
                            "hk" | "cv" | "ci" | "rb" => {}
                            _ => self.vertex_row(line.keyword, &row),
                        }
                    }
                }
                // The name consists of all tokens except the last two.
                "an" => {
                    let (name, _keys) = split_last(line.rest);
                    let (name, duration) = split_last(name);
                    self.begin_clip(name, number(duration) / 1000.0);
                }
                "k" => {
                    self.begin_keyframe(line.args[0]);
                    for _ in 0..integer(line.args[1]) {
                        let row = lines.next().expect("a key's row").row();
                        let joint = self.key_joint(row[0]);
                        self.keyframe().positions.push((joint, numbers(&row[1..])));
                        self.keyframe().rotations.push((joint, scalar_last(numbers(&row[4..]))));
                    }
                }
                _ => {}
            }
        }
    }

    fn vertex_row(&mut self, keyword: &str, args: &[&str]) {
        match keyword {
            "v" => self.positions.push(numbers(args)),
            "vt" => self
                .texcoords
                .push([number(args[0]), args.get(1).map_or(0.0, |token| number(token))]),
            "vn" => self.normals += 1,
            "vj" => {
                let joints = args.iter().map(|token| self.vertex_joint(token)).collect();
                self.vertex_joints.push(joints);
            }
            "vw" => self.vertex_weights.push(args.iter().map(|token| number(token)).collect()),
            _ => panic!("not a vertex keyword: {keyword}"),
        }
    }

    /// Parses a joint index in `vj` (the table's row `vj`, and reading 2).
    fn vertex_joint(&self, token: &str) -> Option<usize> {
        let first = match self.dialect {
            Dialect::Spec | Dialect::Editamo => 1,
            Dialect::Extobj | Dialect::Lines | Dialect::Counted => 0,
        };
        usize::try_from(integer(token) - first).ok()
    }

    /// Parses a joint index in a key (the table's row `animation`).
    fn key_joint(&self, token: &str) -> usize {
        let first = match self.dialect {
            Dialect::Spec | Dialect::Editamo | Dialect::Lines => 1,
            Dialect::Extobj | Dialect::Counted => 0,
        };
        usize::try_from(integer(token) - first).expect("a joint's number")
    }

    /// Parses the corners of an `f` line, whose slots are separated by slashes. Negative indices
    /// count back from the elements read so far.
    fn face_line(&mut self, args: &[&str]) {
        let counts = [
            self.positions.len(),
            self.texcoords.len(),
            self.normals,
            self.vertex_joints.len(),
            self.vertex_weights.len(),
        ];
        let corner = |token: &&str| {
            let mut slots = [None; 5];
            for (slot, text) in token.split('/').enumerate() {
                if text.is_empty() {
                    continue;
                }
                let index = integer(text);
                let first = i64::from(self.dialect != Dialect::Extobj || slot < 3);
                slots[slot] =
                    Some(if index < 0 { counts[slot] as i64 + index } else { index - first });
            }
            slots
        };
        self.faces.push(args.iter().map(corner).collect());
    }

    /// Parses three face corners with either five or three 0-based integers each.
    fn face_row(&mut self, row: &[&str]) {
        let width = match row.len() {
            15 => 5,
            9 => 3,
            other => panic!("a face row of {other} integers"),
        };
        let corner = |tokens: &[&str]| {
            let mut slots = [None; 5];
            for (slot, token) in slots.iter_mut().zip(tokens) {
                *slot = Some(integer(token));
            }
            slots
        };
        self.faces.push(row.chunks(width).map(corner).collect());
    }

    /// Parses `name parent`, followed by a matrix in D2 and D3, from right to left (reading 4).
    /// One published file has three more numbers after the matrix.
    fn joint_row(&mut self, args: &[&str]) {
        let has_matrix =
            matches!(self.dialect, Dialect::Lines | Dialect::Counted) && args.len() >= 18;
        let has_point = has_matrix
            && args.len() >= 21
            && args[args.len() - 20].parse::<i64>().is_ok()
            && args[args.len() - 19..].iter().all(|token| token.parse::<f64>().is_ok());
        let args = if has_point { &args[..args.len() - 3] } else { args };
        let (args, rest) = if has_matrix {
            let (args, matrix) = args.split_at(args.len() - 16);
            let column = |c: usize| numbers(&matrix[4 * c..]);
            (args, Some([column(0), column(1), column(2), column(3)]))
        } else {
            (args, None)
        };
        let (parent, name) = args.split_last().expect("a joint's parent");
        self.joints.push(RawJoint { name: name.join(" "), parent: integer(parent), rest });
    }

    fn clip_line(&mut self, line: &Line<'_>) {
        let mut name = line.rest;
        let mut time_unit = self.default_time_unit();
        if self.dialect == Dialect::Lines && line.args.len() > 1 {
            let (before, duration) = split_last(line.rest);
            if let Ok(milliseconds) = duration.parse::<f64>() {
                name = before;
                time_unit = milliseconds / 1000.0;
            }
        }
        self.begin_clip(name, time_unit);
    }

    fn begin_clip(&mut self, name: &str, time_unit: f64) {
        self.clips.push(RawClip { name: name.to_owned(), time_unit, keyframes: Vec::new() });
    }

    /// Returns the default unit of time in seconds: frames of 1/24 s in D0 and in D2 without a
    /// duration, otherwise 1 s.
    fn default_time_unit(&self) -> f64 {
        match self.dialect {
            Dialect::Extobj | Dialect::Lines => 1.0 / 24.0,
            Dialect::Spec | Dialect::Editamo | Dialect::Counted => 1.0,
        }
    }

    /// Returns the current clip, or a new unnamed one if there is none (reading 8).
    fn clip(&mut self) -> &mut RawClip {
        if self.clips.is_empty() {
            self.begin_clip("", self.default_time_unit());
        }
        self.clips.last_mut().unwrap()
    }

    fn begin_keyframe(&mut self, time: &str) {
        let clip = self.clip();
        let time = number(time) * clip.time_unit;
        clip.keyframes.push(Keyframe { time, ..Keyframe::default() });
    }

    /// Returns the current keyframe: in D2 and D3, the last `k`.
    fn keyframe(&mut self) -> &mut Keyframe {
        self.clip().keyframes.last_mut().expect("a `k` line before the keys")
    }
}

/// Splits the last token off a text.
fn split_last(text: &str) -> (&str, &str) {
    let (before, last) = text.rsplit_once(char::is_whitespace).unwrap_or(("", text));
    (before.trim(), last)
}
