//! Objects, groups, materials, material libraries, and lines that are kept but not converted.

use std::collections::{HashMap, HashSet};

use anim_ir::number::{index32, parse_f32};
use anim_ir::{Span, diag::quote};

use crate::codes;
use crate::content::{Kept, Library, Object, ObjectKind, Section};
use crate::lines::{Keyword, Statement};
use crate::resolve::Resolver;
use crate::tokens::words;

impl Resolver<'_> {
    pub(crate) fn statements(&mut self, statements: &[Statement]) {
        let mut section = Section::default();
        let (mut materials, mut groups) = (HashMap::new(), HashMap::new());
        for statement in statements {
            match statement.keyword {
                Keyword::Object => section.object = self.object(ObjectKind::Plain, statement),
                Keyword::AnimatedObject => {
                    section.object = self.object(ObjectKind::Animated, statement)
                }
                Keyword::CollisionObject => {
                    section.object = self.object(ObjectKind::Collision, statement)
                }
                Keyword::UseMaterial => {
                    let place = self.material_words(statement);
                    let name = self.name(place);
                    section.material = place_of(name, &mut self.content.materials, &mut materials);
                    if self.content.materials.len() > self.content.material_spans.len() {
                        self.content.material_spans.push(place);
                    }
                }
                Keyword::Group => {
                    let name = self.name_to_end(statement);
                    section.group = place_of(name, &mut self.content.groups, &mut groups);
                }
                _ => {
                    self.outside_sections(statement, section.object);
                    continue;
                }
            }
            self.content.sections.push(Section { first_element: statement.elements, ..section });
        }
        let mut seen = HashSet::new();
        self.content.libraries.retain(|library| seen.insert(library.path.clone()));
    }

    fn object(&mut self, kind: ObjectKind, statement: &Statement) -> Option<u32> {
        let (name, mask) = self.name_and_integer(statement);
        self.content.objects.push(Object { kind, name, mask, span: statement.line() });
        Some(index32(self.content.objects.len() - 1))
    }

    /// Reads statements that do not begin a section.
    fn outside_sections(&mut self, statement: &Statement, object: Option<u32>) {
        match statement.keyword {
            Keyword::Smoothing => {
                let on = !matches!(self.name_to_end(statement).as_str(), "off" | "0" | "");
                self.content.smoothing |= on;
            }
            Keyword::Library => self.library(statement),
            Keyword::Texture => {
                let name = self.name_to_end(statement);
                self.content.texture = Some(name).filter(|name| !name.is_empty());
            }
            Keyword::Kept(keyword) => self.kept(keyword, statement, object),
            _ => {}
        }
    }

    /// Reads library paths: several if every word ends with `.mtl`, otherwise a single path, which
    /// may contain spaces.
    fn library(&mut self, statement: &Statement) {
        let words: Vec<Span> = self.words(statement).collect();
        let is_path = |word: &Span| self.bytes(*word).to_ascii_lowercase().ends_with(b".mtl");
        let several = words.len() > 1 && words.iter().all(is_path);
        for path in if several { words } else { vec![self.all_words(statement)] } {
            self.library_path(path);
        }
    }

    fn library_path(&mut self, span: Span) {
        let path = self.name(span).replace('\\', "/");
        if path.starts_with('/') || path.contains([':', '\0']) {
            self.diagnostics.push(&codes::LIBRARY, span, || {
                format!("{} is ignored: it is not a relative path", quote(path.as_bytes()))
            });
        } else if !path.is_empty() {
            self.content.libraries.push(Library { path, span });
        }
    }

    fn kept(&mut self, keyword: &'static str, statement: &Statement, object: Option<u32>) {
        let is_bad = |word: &Span| parse_f32(self.bytes(*word)).is_err();
        let bad = self.words(statement).find(is_bad).filter(|_| !matches!(keyword, "hnd" | "end"));
        if let Some(bad) = bad {
            let text = self.bytes(bad);
            let message = || format!("{} in `{keyword}` is not a number", quote(text));
            self.diagnostics.push(&codes::NUMBER, bad, message);
        } else {
            let object = object.map(|object| object as usize);
            self.content.kept.push(Kept { keyword, arguments: statement.arguments(), object });
        }
    }

    /// Reports the last line as truncated if it is a kept line of the Vasall engine that has no
    /// line break and too few values.
    pub(crate) fn cut_off(&mut self) {
        const NUMBERS: [(&str, usize); 6] =
            [("ih", 5), ("bb", 6), ("bp", 6), ("ne", 6), ("cv", 3), ("ci", 3)];
        let Some(last) = self.content.kept.last() else { return };
        let count = words(self.source, last.arguments).count();
        let lacks =
            |(keyword, numbers): &(&str, usize)| *keyword == last.keyword && count < *numbers;
        let (keyword, end) = (last.keyword, self.source.len());
        if last.arguments.end == end && NUMBERS.iter().any(lacks) {
            self.content.cut_off = true;
            self.diagnostics.push(&codes::CUT_OFF, Span::new(end, end), || {
                format!("the file looks cut off: it ends in the middle of a `{keyword}` line")
            });
        }
    }
}

/// Returns the index of a name in a list, appending the name if it is new. Returns `None` for an
/// empty name, which resets the current group or material.
fn place_of(
    name: String,
    list: &mut Vec<String>,
    places: &mut HashMap<String, usize>,
) -> Option<u32> {
    let add = |name: &String| {
        list.push(name.clone());
        list.len() - 1
    };
    (!name.is_empty()).then(|| index32(*places.entry(name).or_insert_with_key(add)))
}
