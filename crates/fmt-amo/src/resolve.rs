//! The second pass, which resolves indices and names once the dialect is known.

mod animations;
mod faces;
mod joints;
mod keys;
mod missing;
mod rigging;
mod statements;
mod weights;

use std::collections::HashMap;

use anim_ir::number::parse_integer;
use anim_ir::{Diagnostics, Limits, Span, diag::plural, diag::quote};

use crate::codes;
use crate::content::Content;
use crate::dialect::Dialect;
use crate::lines::{Part, Statement};
use crate::tokens::{decode, material_to_end, to_end, words, words_of_line};

/// Properties of a file that are known before the second pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) dialect: Dialect,
    /// Whether the dialect is certain: identified by the file, or specified by the caller.
    pub(crate) is_certain: bool,
    pub(crate) latin1: bool,
}

/// Resolves the statements recorded by the first pass.
pub(crate) fn resolve(
    source: &[u8],
    part: Part,
    known: Known,
    limits: &Limits,
) -> (Content, Diagnostics) {
    let Known { dialect, is_certain: is_dialect_certain, latin1 } = known;
    let Part { vertices, joint_lines, weight_lines, geometry, statements, keys, .. } = part;
    let mut resolver = Resolver {
        source,
        limits,
        content: Content { dialect, is_dialect_certain, latin1, vertices, ..Content::default() },
        diagnostics: part.diagnostics,
        declared: 0,
        ends_in_joints: false,
        has_upper_joints: part.has_upper_joints,
        made_up: HashMap::new(),
    };
    resolver.statements(&statements);
    resolver.joints(&statements);
    resolver.missing_joints(&statements, &joint_lines);
    resolver.joint_rows(&joint_lines);
    resolver.weight_rows(&weight_lines);
    resolver.animations(&statements, &keys);
    resolver.missing_faces(&statements, &geometry);
    resolver.elements(geometry);
    resolver.rigging(&joint_lines);
    resolver.cut_off();
    (resolver.content, resolver.diagnostics)
}

/// The state of the second pass.
pub(crate) struct Resolver<'a> {
    pub(crate) source: &'a [u8],
    pub(crate) limits: &'a Limits,
    pub(crate) content: Content,
    pub(crate) diagnostics: Diagnostics,
    /// The number of joints with a `j` line.
    pub(crate) declared: usize,
    /// Whether the file ends before or within the joints that its vertices are bound to.
    pub(crate) ends_in_joints: bool,
    /// Whether any joint line starts with `J` instead of `j`, which is reported.
    pub(crate) has_upper_joints: bool,
    /// Joints without a `j` line, keyed by zero-based index.
    pub(crate) made_up: HashMap<usize, usize>,
}

impl<'a> Resolver<'a> {
    pub(crate) fn bytes(&self, span: Span) -> &'a [u8] {
        self.source.get(span.start..span.end).unwrap_or_default()
    }

    /// Returns the tokens of a statement's arguments.
    pub(crate) fn words(&self, statement: &Statement) -> impl Iterator<Item = Span> + use<'a> {
        words(self.source, statement.arguments())
    }

    /// Returns token `number` of a line (0 is the keyword), or an empty span at the end of the last
    /// token if there are fewer.
    pub(crate) fn token(&self, line: u32, number: usize) -> Span {
        let mut end = line as usize;
        for (at, token) in words_of_line(self.source, line).enumerate() {
            if at == number {
                return token;
            }
            end = token.end;
        }
        Span::new(end, end)
    }

    /// Returns value `entry` of a line, with or without a keyword.
    pub(crate) fn value_token(&self, line: u32, entry: usize) -> Span {
        self.token(line, entry + usize::from(!self.is_row(line)))
    }

    /// Whether a line has no keyword.
    pub(crate) fn is_row(&self, line: u32) -> bool {
        let text = self.source.get(line as usize..).unwrap_or_default();
        let first = text.trim_ascii_start().first();
        !first.is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == 0xef)
    }

    /// Decodes a name, truncates it if it is too long, and reports its problems.
    pub(crate) fn name(&mut self, span: Span) -> String {
        let most = self.limits.name_bytes;
        let mut bytes = self.bytes(span);
        if bytes.len() > most {
            self.diagnostics.push(&codes::NAME, span, || {
                format!("a name of {} is truncated to {most}", plural(bytes.len(), "byte"))
            });
            bytes = bytes.get(..most).unwrap_or_default();
        }
        if let Some(at) = bytes.iter().position(|byte| byte.is_ascii_control()) {
            let place = Span::new(span.start + at, span.start + at + 1);
            self.diagnostics.push(&codes::CONTROL, place, || {
                format!("the name {} contains a control character", quote(bytes))
            });
        }
        decode(bytes, self.content.latin1)
    }

    /// Returns the range from the first token of the arguments to the last.
    pub(crate) fn all_words(&self, statement: &Statement) -> Span {
        let arguments = statement.arguments();
        let range = to_end(self.bytes(arguments));
        Span::new(arguments.start + range.start, arguments.start + range.end)
    }

    /// Returns the range of the name of a material.
    pub(crate) fn material_words(&self, statement: &Statement) -> Span {
        let arguments = statement.arguments();
        let range = material_to_end(self.bytes(arguments));
        Span::new(arguments.start + range.start, arguments.start + range.end)
    }

    /// Returns the name that extends to the end of the arguments.
    pub(crate) fn name_to_end(&mut self, statement: &Statement) -> String {
        self.name(self.all_words(statement))
    }

    /// Returns a name, and the integer after it in the Vasall engine's dialects.
    pub(crate) fn name_and_integer(&mut self, statement: &Statement) -> (String, Option<i64>) {
        let words: Vec<Span> = self.words(statement).collect();
        if let [first, middle @ .., last] = words.as_slice()
            && self.content.dialect.groups_keys()
            && let Ok(integer) = parse_integer(self.bytes(*last))
        {
            let end = middle.last().unwrap_or(first).end;
            return (self.name(Span::new(first.start, end)), Some(integer));
        }
        (self.name_to_end(statement), None)
    }

    /// Returns a joint's name for use in messages.
    pub(crate) fn joint_name(&self, joint: usize) -> String {
        let joint = self.content.joints.get(joint);
        joint.map_or(String::new(), |joint| quote(joint.name.as_bytes()))
    }
}
