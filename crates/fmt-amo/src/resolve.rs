//! The second pass: the parts joined, the dialect known, indices and names resolved.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use anim_ir::number::{self, parse_f32, parse_i64};
use anim_ir::{
    Diagnostic, Diagnostics, Limits, Skeleton, SkeletonError, Span, diag::plural, diag::quote,
};

use crate::codes;
use crate::dialect::{Dialect, Evidence};
use crate::document::{
    Animation, Content, Corner, Joint, Kept, Key, KeyValue, Object, ObjectKind, ParseOptions,
    Section, decode, token_spans,
};
use crate::lines::{
    Element, ElementKind, Keyword, Part, RawKey, RawKind, Relative, Statement, narrow,
};
use crate::repairs;
use crate::tokens::{ABSENT, spans, to_end};

/// Most joints that are made up for numbers without a `j` line.
const MADE_UP_JOINTS: usize = 1 << 16;

/// A time of the file in seconds.
pub(crate) fn seconds(dialect: Dialect, duration_ms: Option<f32>, time: f32) -> f32 {
    const FRAMES_PER_SECOND: f64 = 24.0;
    let time = f64::from(time);
    number::narrow(match (dialect, duration_ms) {
        (Dialect::Spec | Dialect::Editamo, _) => time,
        (Dialect::Extobj, _) | (Dialect::Lines, None) => time / FRAMES_PER_SECOND,
        (Dialect::Lines | Dialect::Counted, Some(duration)) => time * f64::from(duration) / 1000.0,
        // Nothing says how long the animation is: a second.
        (Dialect::Counted, None) => time,
    })
}

/// Joins the parts and resolves what they only noted.
pub(crate) fn resolve(
    source: &[u8],
    parts: Vec<Part>,
    counted: bool,
    latin1: bool,
    options: &ParseOptions,
) -> (Content, Diagnostics) {
    let evidence = parts.iter().fold(Evidence::default(), |all, part| all.join(part.evidence));
    let dialect =
        options.dialect.unwrap_or(if counted { Dialect::Counted } else { evidence.dialect() });
    let (mut content, raw) = join(parts, options.limits.fixes);
    content.dialect = Some(dialect);
    content.latin1 = latin1;
    let mut resolver = Resolver {
        source,
        limits: &options.limits,
        dialect,
        content,
        diagnostics: raw.diagnostics,
        declared: 0,
        parents_from: dialect.first_joint_of_parents(),
        made_up: HashMap::new(),
    };
    resolver.statements(&raw.statements);
    resolver.joint_rows(&raw.joint_lines);
    resolver.weight_rows(&raw.weight_lines);
    resolver.animations(&raw.statements, &raw.keys);
    resolver.elements(raw.geometry);
    resolver.rigging(&raw.joint_lines);
    resolver.cut_off();
    (resolver.content, resolver.diagnostics)
}

/// What the content has no place for.
#[derive(Default)]
struct Raw {
    joint_lines: Vec<u32>,
    weight_lines: Vec<u32>,
    geometry: Geometry,
    statements: Vec<Statement>,
    keys: Vec<RawKey>,
    diagnostics: Diagnostics,
}

/// Elements whose indices are not checked yet.
#[derive(Default)]
struct Geometry {
    elements: Vec<Element>,
    corners: Vec<Corner>,
    greatest: [i32; 5],
    zero_index: bool,
    relative: Vec<Relative>,
    /// Positions that could not be read, from 1.
    unusable: HashSet<i32>,
}

/// Appends the parts to each other; what counts elements is moved by the counts before.
fn join(parts: Vec<Part>, fixes: usize) -> (Content, Raw) {
    let (mut content, mut raw) =
        (Content::default(), Raw { diagnostics: Diagnostics::with_fixes(fixes), ..Raw::default() });
    for part in parts {
        let counts = [
            content.positions.len(),
            content.texcoords.len(),
            content.normals.len(),
            content.vertex_joints.len(),
            content.vertex_weights.len(),
        ];
        let [positions, _, _, joints, weights] = counts.map(narrow);
        let (corners, elements, keys) = (
            narrow(raw.geometry.corners.len()),
            narrow(raw.geometry.elements.len()),
            narrow(raw.keys.len()),
        );
        raw.geometry.unusable.extend(
            part.unusable.iter().filter_map(|index| i32::try_from(index + positions + 1).ok()),
        );
        content
            .colors
            .extend(part.colors.into_iter().map(|(index, color)| (index + positions, color)));
        content
            .fifth_joints
            .extend(part.fifth_joints.into_iter().map(|(index, joint)| (index + joints, joint)));
        content.fifth_weights.extend(
            part.fifth_weights.into_iter().map(|(index, weight)| (index + weights, weight)),
        );
        content.ignored_components += part.ignored_components;
        raw.geometry.relative.extend(part.relative.into_iter().map(|relative| {
            Relative {
                corner: relative.corner + corners,
                value: relative.value
                    + counts
                        .get(usize::from(relative.slot))
                        .map_or(0, |count| i64::from(narrow(*count))),
                ..relative
            }
        }));
        raw.statements.extend(part.statements.into_iter().map(|s| Statement {
            elements: s.elements + elements,
            keys: s.keys + keys,
            ..s
        }));
        append(&mut content.positions, part.positions);
        append(&mut content.texcoords, part.texcoords);
        append(&mut content.normals, part.normals);
        append(&mut content.vertex_joints, part.joints);
        append(&mut content.vertex_weights, part.weights);
        append(&mut raw.joint_lines, part.joint_lines);
        append(&mut raw.weight_lines, part.weight_lines);
        append(&mut raw.geometry.corners, part.corners);
        append(&mut raw.keys, part.keys);
        let mut moved = part.elements;
        if corners > 0 {
            moved.iter_mut().for_each(|element| element.first_corner += corners);
        }
        append(&mut raw.geometry.elements, moved);
        raw.geometry
            .greatest
            .iter_mut()
            .zip(part.greatest)
            .for_each(|(all, own)| *all = own.max(*all));
        raw.geometry.zero_index |= part.zero_index;
        raw.diagnostics.append(part.diagnostics);
    }
    (content, raw)
}

/// Takes the other vector's memory where this one has none.
fn append<T>(to: &mut Vec<T>, mut from: Vec<T>) {
    if to.is_empty() {
        *to = from;
    } else {
        to.append(&mut from);
    }
}

struct Resolver<'a> {
    source: &'a [u8],
    limits: &'a Limits,
    dialect: Dialect,
    content: Content,
    diagnostics: Diagnostics,
    /// How many joints have a `j` line.
    declared: usize,
    /// Number of the first joint where parents are named.
    parents_from: i64,
    /// Joints without a `j` line, by index from 0.
    made_up: HashMap<usize, usize>,
}

impl<'a> Resolver<'a> {
    fn bytes(&self, span: Span) -> &'a [u8] {
        self.source.get(span.start..span.end).unwrap_or_default()
    }

    fn arguments(&self, statement: &Statement) -> Span {
        Span::new(statement.arguments as usize, statement.end as usize)
    }

    fn line(&self, statement: &Statement) -> Span {
        Span::new(statement.line as usize, statement.end as usize)
    }

    /// The `number`-th token of a line (0 is the keyword), or the end of the last one.
    fn token(&self, line: u32, number: usize) -> Span {
        let tokens = token_spans(self.source, line);
        let end = tokens.last().map_or(line as usize, |token| token.end);
        tokens.get(number).copied().unwrap_or(Span::new(end, end))
    }

    fn name(&mut self, span: Span) -> String {
        let most = self.limits.name_bytes;
        let mut bytes = self.bytes(span);
        if bytes.len() > most {
            self.diagnostics.push(&codes::NAME, span, || {
                format!("a name of {} is cut to {most}", plural(bytes.len(), "byte"))
            });
            bytes = bytes.get(..most).unwrap_or_default();
        }
        if let Some(at) = bytes.iter().position(|byte| byte.is_ascii_control()) {
            let place = Span::new(span.start + at, span.start + at + 1);
            self.diagnostics.push(&codes::CONTROL, place, || {
                format!("the name {} holds a control character", quote(bytes))
            });
        }
        decode(bytes, self.content.latin1)
    }

    /// The name that runs to the end of the arguments, and where it stands.
    fn name_to_end(&mut self, statement: &Statement) -> (String, Span) {
        let arguments = self.arguments(statement);
        let range = to_end(self.bytes(arguments));
        let span = Span::new(arguments.start + range.start, arguments.start + range.end);
        (self.name(span), span)
    }

    /// A name, and the integer behind it that the Vasall engine's dialects have.
    fn name_and_integer(&mut self, statement: &Statement) -> (String, Option<i64>) {
        let arguments = self.arguments(statement);
        let text = self.bytes(arguments);
        let tokens: Vec<Range<usize>> = spans(text).collect();
        if let [first, middle @ .., last] = tokens.as_slice()
            && self.dialect.groups_keys()
            && let Some(integer) = text.get(last.clone()).and_then(parse_i64)
        {
            let end = middle.last().unwrap_or(first).end;
            return (
                self.name(Span::new(arguments.start + first.start, arguments.start + end)),
                Some(integer),
            );
        }
        (self.name_to_end(statement).0, None)
    }

    /// The arguments, where they are one integer.
    fn only_integer(&self, statement: &Statement) -> Option<i64> {
        let text = self.bytes(self.arguments(statement));
        let mut tokens = spans(text);
        match (tokens.next(), tokens.next()) {
            (Some(only), None) => parse_i64(text.get(only)?),
            _ => None,
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        let mut section = Section::default();
        let mut materials = HashMap::new();
        let mut groups = HashMap::new();
        let mut joints = Vec::new();
        for statement in statements {
            section.first_element = statement.elements;
            match statement.keyword {
                Keyword::Object | Keyword::AnimatedObject | Keyword::CollisionObject => {
                    let kind = match statement.keyword {
                        Keyword::Object => ObjectKind::Plain,
                        Keyword::AnimatedObject => ObjectKind::Animated,
                        _ => ObjectKind::Collision,
                    };
                    let span = self.line(statement);
                    let (name, mask) = self.name_and_integer(statement);
                    section.object = Some(narrow(self.content.objects.len()));
                    self.content.objects.push(Object { kind, name, mask, span });
                    self.content.sections.push(section);
                }
                Keyword::UseMaterial => {
                    let (name, _) = self.name_to_end(statement);
                    // Without a name: back to none.
                    section.material = (!name.is_empty()).then(|| {
                        *materials.entry(name.clone()).or_insert_with(|| {
                            self.content.materials.push(name);
                            narrow(self.content.materials.len() - 1)
                        })
                    });
                    self.content.sections.push(section);
                }
                Keyword::Group => {
                    let (name, _) = self.name_to_end(statement);
                    section.group = (!name.is_empty()).then(|| {
                        *groups.entry(name.clone()).or_insert_with(|| {
                            self.content.groups.push(name);
                            narrow(self.content.groups.len() - 1)
                        })
                    });
                    self.content.sections.push(section);
                }
                Keyword::Smoothing => {
                    let on = !matches!(self.name_to_end(statement).0.as_str(), "off" | "0" | "");
                    self.content.smoothing |= on;
                }
                Keyword::Library => self.library(statement),
                Keyword::Texture => {
                    let (name, _) = self.name_to_end(statement);
                    self.content.texture = Some(name).filter(|name| !name.is_empty());
                }
                Keyword::Joint | Keyword::JointParent => joints.push(*statement),
                Keyword::Animation | Keyword::CountedAnimation => {}
                Keyword::Kept(keyword) => self.kept(keyword, statement, section.object),
            }
        }
        self.joints(&joints);
    }

    /// One path, which may hold blanks; or several, where every word ends as such paths do.
    fn library(&mut self, statement: &Statement) {
        let arguments = self.arguments(statement);
        let words: Vec<Range<usize>> = spans(self.bytes(arguments)).collect();
        let text = self.bytes(arguments);
        let is_path = |word: &Range<usize>| {
            text.get(word.clone()).is_some_and(|word| word.to_ascii_lowercase().ends_with(b".mtl"))
        };
        let paths =
            if words.len() > 1 && words.iter().all(is_path) { words } else { vec![to_end(text)] };
        for path in paths {
            self.library_path(Span::new(arguments.start + path.start, arguments.start + path.end));
        }
    }

    fn library_path(&mut self, span: Span) {
        let path = self.name(span).replace('\\', "/");
        let leaves = path.starts_with('/')
            || path.contains(':')
            || path.split('/').any(|part| part == "..")
            || path.contains('\0');
        if leaves {
            let message = || {
                format!(
                    "{} lies outside the folder of this file and is ignored",
                    quote(path.as_bytes())
                )
            };
            self.diagnostics.push(&codes::LIBRARY, span, message);
        } else if !path.is_empty() && !self.content.libraries.contains(&path) {
            self.content.libraries.push(path);
        }
    }

    fn kept(&mut self, keyword: &'static str, statement: &Statement, object: Option<u32>) {
        let arguments = self.arguments(statement);
        let text = self.bytes(arguments);
        if !matches!(keyword, "hnd" | "end") {
            let bad = spans(text).find(|token| {
                text.get(token.clone()).is_some_and(|token| parse_f32(token).is_err())
            });
            if let Some(bad) = bad {
                let span = Span::new(arguments.start + bad.start, arguments.start + bad.end);
                let message = || {
                    format!(
                        "{} in `{keyword}` is not a number",
                        quote(text.get(bad).unwrap_or_default())
                    )
                };
                self.diagnostics.push(&codes::NUMBER, span, message);
                return;
            }
        }
        self.content.kept.push(Kept {
            keyword,
            arguments,
            object: object.map(|object| object as usize),
        });
    }

    /// The last line of a file that was cut off lacks its line end and some of its numbers.
    fn cut_off(&mut self) {
        const NUMBERS: [(&str, usize); 6] =
            [("ih", 5), ("bb", 6), ("bp", 6), ("ne", 6), ("cv", 3), ("ci", 3)];
        let Some(last) = self.content.kept.last() else { return };
        let count = spans(self.bytes(last.arguments)).count();
        let needed = NUMBERS
            .iter()
            .find(|(keyword, _)| *keyword == last.keyword)
            .map_or(0, |(_, needed)| *needed);
        if last.arguments.end == self.source.len() && count < needed {
            let (keyword, end) = (last.keyword, self.source.len());
            self.content.cut_off = true;
            self.diagnostics.push(&codes::CUT_OFF, Span::new(end, end), || {
                format!("the file ends in the middle of a `{keyword}` line")
            });
        }
    }

    // Joints.

    fn joints(&mut self, statements: &[Statement]) {
        self.declared = statements.len();
        // Parents as the file numbers them, with the place of the number.
        let mut parents: Vec<(Option<i64>, Span)> = Vec::with_capacity(statements.len());
        let mut names: HashMap<String, usize> = HashMap::new();
        for (index, statement) in statements.iter().enumerate() {
            let (joint, parent, place) = self.joint(index, statement);
            if let Some(first) = names.get(&joint.name) {
                let (line, name) = (joint.span, quote(joint.name.as_bytes()));
                let first = first + 1;
                self.diagnostics.push(&codes::DUPLICATE_JOINT, line.map(|_| place.0), || {
                    format!("the name {name} is joint {first}'s already")
                });
            } else {
                names.insert(joint.name.clone(), index);
            }
            parents.push((parent, place.1));
            self.content.joints.push(joint);
        }
        self.find_parent_base(&parents);
        let count = i64::from(narrow(parents.len()));
        let mut resolved = Vec::with_capacity(parents.len());
        for (parent, place) in &parents {
            let index = parent.map(|parent| parent - self.parents_from);
            let valid = index.filter(|index| (0..count).contains(index));
            if let (Some(parent), None) = (parent.filter(|parent| *parent != -1), valid) {
                let first = self.parents_from;
                let help = format!(
                    "parents are numbered {first} to {}; -1 means no parent",
                    count - 1 + first
                );
                let message = || format!("there is no joint {parent} to be the parent");
                self.diagnostics.report(&codes::PARENT, || {
                    Diagnostic::new(&codes::PARENT, *place, message()).help(help)
                });
            }
            resolved.push(
                valid.filter(|_| *parent != Some(-1)).and_then(|index| usize::try_from(index).ok()),
            );
        }
        self.break_cycles(&mut resolved, &parents);
        for (joint, parent) in self.content.joints.iter_mut().zip(resolved) {
            joint.parent = parent;
        }
    }

    /// A joint, the number of its parent, and the places of its name and of that number.
    fn joint(&mut self, index: usize, statement: &Statement) -> (Joint, Option<i64>, (Span, Span)) {
        let line = self.line(statement);
        let arguments = self.arguments(statement);
        let text = self.bytes(arguments);
        let tokens: Vec<Range<usize>> = spans(text).collect();
        let at = |range: &Range<usize>| {
            Span::new(arguments.start + range.start, arguments.start + range.end)
        };
        let value = |range: &Range<usize>| parse_f32(text.get(range.clone()).unwrap_or_default());
        let integer = |range: &Range<usize>| parse_i64(text.get(range.clone()).unwrap_or_default());
        let end = tokens.last().map_or(arguments.start, |last| arguments.start + last.end);
        let mut joint = Joint {
            name: String::new(),
            parent: None,
            rest: None,
            tail: Vec::new(),
            span: Some(line),
        };

        // From the right: three numbers of unknown meaning, the rest matrix, the parent, the name.
        let numbers_behind_parent = [19_usize, 16].into_iter().find(|count| {
            let split = tokens.len().checked_sub(count + 1).filter(|split| *split >= 1);
            split.is_some_and(|split| {
                let (parent, numbers) =
                    (tokens.get(split), tokens.get(split + 1..).unwrap_or_default());
                parent.is_some_and(|parent| integer(parent).is_some())
                    && numbers.iter().all(|number| value(number).is_ok())
            })
        });
        let mut behind = numbers_behind_parent.unwrap_or(0);
        if numbers_behind_parent.is_none() && tokens.len() >= 18 && self.dialect.groups_keys() {
            behind = 16;
            let bad = tokens.iter().skip(tokens.len() - 16).find(|number| value(number).is_err());
            if let Some(bad) = bad {
                let message = || {
                    format!(
                        "{} in the rest matrix is not a finite number",
                        quote(text.get(bad.clone()).unwrap_or_default())
                    )
                };
                self.diagnostics.push(&codes::NUMBER, at(bad), message);
            }
        }
        let numbers: Vec<f32> = tokens
            .iter()
            .skip(tokens.len() - behind)
            .filter_map(|number| value(number).ok())
            .collect();
        joint.rest = numbers.first_chunk::<16>().copied();
        joint.tail = numbers.get(16..).unwrap_or_default().to_vec();

        let nameless = statement.keyword == Keyword::JointParent;
        let split = tokens.len() - behind;
        let parent = tokens.get(split.wrapping_sub(1)).filter(|_| nameless || split >= 2);
        let number = parent.and_then(integer);
        let name_end = if number.is_some() { split.saturating_sub(1) } else { split };
        let name = match (tokens.first(), tokens.get(name_end.wrapping_sub(1))) {
            (Some(first), Some(last)) if !nameless => {
                Some(Span::new(at(first).start, at(last).end))
            }
            _ => None,
        };
        joint.name = match name {
            Some(span) => self.name(span),
            None => {
                format!("joint_{}", i64::from(narrow(index)) + self.dialect.first_joint_of_keys())
            }
        };
        if number.is_none() {
            let (place, message) = match parent {
                Some(parent) => (
                    at(parent),
                    format!(
                        "{} is not the number of a joint",
                        quote(text.get(parent.clone()).unwrap_or_default())
                    ),
                ),
                None => (Span::new(end, end), "a joint needs the number of its parent".to_owned()),
            };
            let help = "-1 means no parent";
            self.diagnostics.report(&codes::PARENT, || {
                Diagnostic::new(&codes::PARENT, place, message).help(help)
            });
        }
        let place = parent.map_or(line, at);
        (joint, number, (name.unwrap_or(line), place))
    }

    /// In files of the specification's dialect parents count from 1 or from 0, and the file itself
    /// tells which.
    fn find_parent_base(&mut self, parents: &[(Option<i64>, Span)]) {
        let count = i64::from(narrow(parents.len()));
        let reads = |first: i64| {
            let numbers =
                parents.iter().filter_map(|(parent, _)| *parent).filter(|parent| *parent != -1);
            let exist = numbers.clone().all(|parent| (first..count + first).contains(&parent));
            let indices: Vec<Option<usize>> = parents
                .iter()
                .map(|(parent, _)| {
                    parent.filter(|parent| *parent != -1).map(|parent| parent - first)
                })
                .map(|index| {
                    index
                        .filter(|index| (0..count).contains(index))
                        .and_then(|index| usize::try_from(index).ok())
                })
                .collect();
            (exist, Skeleton::parents_first(&indices).is_ok())
        };
        let zero = parents.iter().find(|(parent, _)| *parent == Some(0));
        match (self.dialect, zero) {
            (Dialect::Spec, Some((_, place))) => {
                self.parents_from = 0;
                self.diagnostics.push(&codes::PARENT_BASE, *place, || {
                    "parents count from 0 here, since one of them is 0".to_owned()
                });
            }
            (Dialect::Spec | Dialect::Editamo, None) => {
                let (usual, other) = (self.parents_from, 1 - self.parents_from);
                // Where the usual reading makes a tree nothing else is looked at.
                if !reads(usual).1 && reads(other) == (true, true) {
                    self.parents_from = other;
                    let place = parents
                        .iter()
                        .find(|(parent, _)| parent.is_some_and(|parent| parent != -1))
                        .map(|(_, place)| *place);
                    let message = || {
                        format!(
                            "parents count from {other} here: counted from {usual}, a joint would \
                             be its own ancestor"
                        )
                    };
                    self.diagnostics.push(&codes::PARENT_BASE, place, message);
                }
            }
            _ => {}
        }
    }

    /// Makes the first joint of every circle a root.
    fn break_cycles(&mut self, parents: &mut [Option<usize>], places: &[(Option<i64>, Span)]) {
        let Err(SkeletonError::Cycle(suspects)) = Skeleton::parents_first(parents) else { return };
        let mut seen = vec![0_u32; parents.len()];
        for (round, start) in (1_u32..).zip(suspects) {
            let mut at = Some(start);
            while let Some(joint) = at.filter(|joint| seen.get(*joint) == Some(&0)) {
                if let Some(mark) = seen.get_mut(joint) {
                    *mark = round;
                }
                at = parents.get(joint).copied().flatten();
            }
            // Back at a joint of this round: it is on a circle.
            let Some(on_circle) = at.filter(|joint| seen.get(*joint) == Some(&round)) else {
                continue;
            };
            let mut circle = vec![on_circle];
            let mut next = parents.get(on_circle).copied().flatten();
            while let Some(joint) = next.filter(|joint| *joint != on_circle) {
                circle.push(joint);
                next = parents.get(joint).copied().flatten();
            }
            let Some(first) =
                circle.iter().enumerate().min_by_key(|(_, joint)| **joint).map(|(at, _)| at)
            else {
                continue;
            };
            circle.rotate_left(first);
            let Some(root) = circle.first().copied() else { continue };
            if let Some(parent) = parents.get_mut(root) {
                *parent = None;
            }
            let path: Vec<String> = circle
                .iter()
                .take(10)
                .map(|joint| {
                    self.content
                        .joints
                        .get(*joint)
                        .map_or(String::new(), |j| quote(j.name.as_bytes()))
                })
                .collect();
            let more = if circle.len() > 10 {
                format!(" → … ({} joints)", circle.len())
            } else {
                format!(" → {}", path.first().cloned().unwrap_or_default())
            };
            let place = places.get(root).map(|(_, place)| *place);
            self.diagnostics.push(&codes::CYCLE, place, || {
                format!("joints are their own ancestors: {}{more}", path.join(" → "))
            });
        }
    }

    /// The joint of that index, made up where no line declares it; `None` beyond all bounds.
    fn joint_index(
        &mut self,
        index: usize,
        number: i64,
        place: impl FnOnce(&Self) -> Span,
    ) -> Option<usize> {
        if index < self.declared {
            return Some(index);
        }
        if let Some(joint) = self.made_up.get(&index) {
            return Some(*joint);
        }
        if self.made_up.len() >= MADE_UP_JOINTS {
            return None;
        }
        let declared = self.declared;
        if declared > 0 {
            let place = place(self);
            self.diagnostics.report(&codes::UNDECLARED_JOINT, || {
                let help = format!(
                    "the file declares {}; a root joint is made up",
                    plural(declared, "joint")
                );
                Diagnostic::new(
                    &codes::UNDECLARED_JOINT,
                    place,
                    format!("no `j` line declares joint {number}"),
                )
                .help(help)
            });
        } else if self.made_up.is_empty() {
            // Where none is declared at all, once is enough.
            let place = place(self);
            self.diagnostics.report(&codes::UNDECLARED_JOINT, || {
                let message = format!("no `j` line declares joint {number}, nor any other");
                Diagnostic::new(&codes::UNDECLARED_JOINT, place, message).help(
                    "root joints are made up for all numbers: how they hang together is not known",
                )
            });
        }
        let joint = self.content.joints.len();
        self.content.joints.push(Joint {
            name: format!("joint_{number}"),
            parent: None,
            rest: None,
            tail: Vec::new(),
            span: None,
        });
        self.made_up.insert(index, joint);
        Some(joint)
    }

    // Joints and weights of vertices.

    fn joint_rows(&mut self, lines: &[u32]) {
        let first = self.dialect.first_joint_of_vertices();
        let mut rows = std::mem::take(&mut self.content.vertex_joints);
        for (row, line) in rows.iter_mut().zip(lines) {
            for (entry, joint) in row.iter_mut().enumerate() {
                *joint = self.vertex_joint(*joint, first, *line, entry);
            }
        }
        self.content.vertex_joints = rows;
        let mut fifth = std::mem::take(&mut self.content.fifth_joints);
        for (row, joint) in &mut fifth {
            let line = lines.get(*row as usize).copied().unwrap_or_default();
            if self.dialect == Dialect::Lines {
                *joint = self.vertex_joint(*joint, first, line, 4);
            } else {
                *joint = -1;
                self.fifth_entry(line, "vj");
            }
        }
        self.content.fifth_joints = fifth;
    }

    fn vertex_joint(&mut self, number: i32, first: i64, line: u32, entry: usize) -> i32 {
        let Ok(index) = usize::try_from(i64::from(number) - first) else { return -1 };
        let place = |this: &Self| this.value_token(line, entry);
        self.joint_index(index, i64::from(number), place)
            .and_then(|joint| i32::try_from(joint).ok())
            .unwrap_or(-1)
    }

    /// The `entry`-th value of a line, with or without a keyword before it.
    fn value_token(&self, line: u32, entry: usize) -> Span {
        let keyword = self
            .source
            .get(line as usize..)
            .and_then(|text| text.trim_ascii_start().first().copied())
            .is_some_and(|byte| byte.is_ascii_alphabetic());
        self.token(line, entry + usize::from(keyword))
    }

    /// All values of a line.
    fn values_span(&self, line: u32) -> Span {
        Span::new(self.value_token(line, 0).start, self.token(line, usize::MAX).end)
    }

    fn fifth_entry(&mut self, line: u32, keyword: &str) {
        let span = self.value_token(line, 4);
        let what = if keyword == "vj" { "joint numbers" } else { "weights" };
        self.diagnostics
            .push(&codes::FIELDS, span, || format!("`{keyword}` needs 4 {what}, found 5"));
    }

    fn weight_rows(&mut self, lines: &[u32]) {
        // The engine's dialects do not normalise to a sum of 1.
        let sums = !self.dialect.groups_keys();
        let fifth = std::mem::take(&mut self.content.fifth_weights);
        let mut fifths = fifth.iter().peekable();
        let mut rows = std::mem::take(&mut self.content.vertex_weights);
        for ((index, row), line) in (0_u32..).zip(&mut rows).zip(lines) {
            if row.iter().any(|weight| weight.is_nan()) {
                *row = [0.0; 4];
                continue;
            }
            let extra = fifths.next_if(|(at, _)| *at == index).map_or(0.0, |(_, weight)| *weight);
            let sum = row.iter().sum::<f32>() + extra;
            if row.iter().any(|weight| *weight < 0.0) || extra < 0.0 {
                let entry = row.iter().position(|weight| *weight < 0.0).unwrap_or(4);
                let span = self.value_token(*line, entry);
                self.diagnostics.push(&codes::WEIGHT_NEGATIVE, span, || {
                    format!("weight {} is negative", entry + 1)
                });
            } else if sum == 0.0 {
                let span = self.values_span(*line);
                self.diagnostics.push(&codes::WEIGHT_ZERO, span, || {
                    "all weights are 0: the vertices stay at rest".to_owned()
                });
            } else if sums && (sum - 1.0).abs() > 1e-3 {
                let span = self.values_span(*line);
                // In 64 bits no sum is too great.
                let exact: f64 = row.iter().map(|weight| f64::from(*weight)).sum();
                let (source, rounded) = (self.source, number::shortest((sum * 1e4).round() / 1e4));
                self.diagnostics.report_fix(&codes::WEIGHT_SUM, || {
                    let message = format!("the weights sum to {rounded}, not 1");
                    let diagnostic = Diagnostic::new(&codes::WEIGHT_SUM, span, message)
                        .help("they are normalised when evaluated");
                    // A fifth weight is an error of its own.
                    let fix =
                        if extra == 0.0 { repairs::divide_four(source, span, exact) } else { None };
                    Diagnostic { fix, ..diagnostic }
                });
            }
        }
        self.content.vertex_weights = rows;
        if self.dialect != Dialect::Lines {
            for (row, _) in &fifth {
                self.fifth_entry(lines.get(*row as usize).copied().unwrap_or_default(), "vw");
            }
        }
        self.content.fifth_weights = fifth
            .into_iter()
            .map(|(row, weight)| (row, if self.dialect == Dialect::Lines { weight } else { 0.0 }))
            .collect();
    }

    // Animations.

    fn animations(&mut self, statements: &[Statement], raw: &[RawKey]) {
        let begins = |statement: &&Statement| match statement.keyword {
            Keyword::CountedAnimation => true,
            Keyword::Animation => {
                self.dialect != Dialect::Counted || self.only_integer(statement).is_none()
            }
            _ => false,
        };
        let starts: Vec<&Statement> = statements.iter().filter(begins).collect();
        self.animation_counts(statements);
        let outside = raw
            .get(..starts.first().map_or(raw.len(), |start| start.keys as usize))
            .unwrap_or_default();
        let mut last_times = LastTimes::default();
        if let Some(first) = outside.first() {
            let span = self.token(first.line, 0);
            self.diagnostics.report(&codes::KEY_OUTSIDE, || {
                Diagnostic::new(&codes::KEY_OUTSIDE, span, "a key before the first animation")
                    .help("begin one with a line `a <name>`")
            });
            let animation = self.keys(Animation::default(), outside, &mut last_times);
            self.content.animations.push(animation);
        }
        let mut names = HashSet::new();
        for (number, start) in starts.iter().enumerate() {
            let (name, duration_ms) = match start.keyword {
                Keyword::CountedAnimation => self.counted_header(start),
                _ => {
                    let (name, duration) = self.name_and_integer(start);
                    (name, duration.and_then(|ms| parse_f32(ms.to_string().as_bytes()).ok()))
                }
            };
            let duration_ms = duration_ms.filter(|duration| *duration >= 0.0);
            if !names.insert(name.clone()) {
                let (span, name) = (self.line(start), quote(name.as_bytes()));
                let keyword_end = self.arguments(start);
                let place = Span::new(keyword_end.start, span.end);
                let range = to_end(self.bytes(place));
                let place = Span::new(place.start + range.start, place.start + range.end);
                self.diagnostics.push(&codes::DUPLICATE_CLIP, place, || {
                    format!("a second animation is called {name}")
                });
            }
            let end = starts.get(number + 1).map_or(raw.len(), |next| next.keys as usize);
            let keys = raw.get(start.keys as usize..end).unwrap_or_default();
            let animation = Animation {
                name,
                duration_ms,
                span: Some(self.line(start)),
                ..Animation::default()
            };
            let animation = self.keys(animation, keys, &mut last_times);
            self.content.animations.push(animation);
        }
    }

    /// `a N` announces how many animations follow.
    fn animation_counts(&mut self, statements: &[Statement]) {
        if self.dialect != Dialect::Counted {
            return;
        }
        let mut open: Option<(Span, i64, i64)> = None;
        let mut mismatches = Vec::new();
        for statement in statements {
            match statement.keyword {
                Keyword::Animation => {
                    mismatches.extend(open.take());
                    open =
                        self.only_integer(statement).map(|count| (self.line(statement), count, 0));
                }
                Keyword::CountedAnimation => {
                    if let Some((_, _, found)) = &mut open {
                        *found += 1;
                    }
                }
                _ => {}
            }
        }
        mismatches.extend(open);
        for (span, announced, found) in
            mismatches.into_iter().filter(|(_, announced, found)| announced != found)
        {
            self.diagnostics.push(&codes::BLOCK_COUNT, span, || {
                format!("`a` announces {announced} animations, but {found} follow")
            });
        }
    }

    /// `an name duration keys`
    fn counted_header(&mut self, statement: &Statement) -> (String, Option<f32>) {
        let arguments = self.arguments(statement);
        let text = self.bytes(arguments);
        let tokens: Vec<Range<usize>> = spans(text).collect();
        let value =
            |range: &Range<usize>| parse_f32(text.get(range.clone()).unwrap_or_default()).ok();
        if let [first, middle @ .., duration, keys] = tokens.as_slice()
            && let (Some(duration), Some(_)) = (value(duration), value(keys))
        {
            let end = middle.last().unwrap_or(first).end;
            return (
                self.name(Span::new(arguments.start + first.start, arguments.start + end)),
                Some(duration),
            );
        }
        let (name, span) = self.name_to_end(statement);
        let message = || {
            "`an` needs a name, a duration in milliseconds and the number of key groups".to_owned()
        };
        self.diagnostics.push(&codes::FIELDS, Span::new(span.end, span.end), message);
        (name, None)
    }

    fn keys(
        &mut self,
        mut animation: Animation,
        raw: &[RawKey],
        last_times: &mut LastTimes,
    ) -> Animation {
        let grouped = self.dialect.groups_keys();
        let mut group = None;
        let mut unsorted = false;
        // Keys at the time of the one before, which are all that repeat a time where keys are
        // sorted.
        let mut repeated = Vec::new();
        let mut last_group = f32::NEG_INFINITY;
        animation.keys.reserve(raw.len());
        last_times.next_animation();
        for key in raw {
            let [a, b, c, d, e, f, g, h] = key.numbers;
            let (joint_at, time, joint, values) = match (key.kind, grouped) {
                (RawKind::Group, true) => {
                    if !(1..=2).contains(&key.count) {
                        self.key_fields(key, "k", "a time and perhaps a number of joints", 2);
                        continue;
                    }
                    if animation.duration_ms.is_some() && !(0.0..=1.0).contains(&a) {
                        let span = self.token(key.line, 1);
                        self.diagnostics.push(&codes::PROGRESS, span, || {
                            format!("the progress {} is not between 0 and 1", number::shortest(a))
                        });
                    } else if a < 0.0 {
                        self.negative_time(key, a);
                    }
                    if a < last_group {
                        let span = self.token(key.line, 1);
                        self.diagnostics
                            .push(&codes::KEY_ORDER, span, || order_message(a, last_group));
                    }
                    last_group = a;
                    group = Some(a);
                    animation.group_times.push(a);
                    continue;
                }
                (RawKind::Position, true) if key.count == 4 => {
                    (1, group, a, [Some(KeyValue::Position([b, c, d])), None])
                }
                (RawKind::Rotation, true) if key.count == 5 => {
                    (1, group, a, [Some(KeyValue::Rotation([c, d, e, b])), None])
                }
                (RawKind::Row, true) => (
                    0,
                    group,
                    a,
                    [Some(KeyValue::Position([b, c, d])), Some(KeyValue::Rotation([f, g, h, e]))],
                ),
                (RawKind::Position, false) if key.count == 5 => {
                    (2, Some(a), b, [Some(KeyValue::Position([c, d, e])), None])
                }
                (RawKind::Rotation, false) if key.count == 6 => {
                    (2, Some(a), b, [Some(KeyValue::Rotation([c, d, e, f])), None])
                }
                (RawKind::Position, true) => {
                    self.key_fields(key, "ap", "a joint and 3 coordinates", 4);
                    continue;
                }
                (RawKind::Rotation, true) => {
                    self.key_fields(key, "ar", "a joint and a quaternion of 4", 5);
                    continue;
                }
                (RawKind::Position, false) => {
                    self.key_fields(key, "ap", "a time, a joint and 3 coordinates", 5);
                    continue;
                }
                (RawKind::Rotation, false) => {
                    self.key_fields(key, "ar", "a time, a joint and a quaternion of 4", 6);
                    continue;
                }
                // Where the dialect was forced: a group has no meaning.
                (RawKind::Group | RawKind::Row, false) => {
                    let span = self.token(key.line, 0);
                    self.diagnostics.push(&codes::KEYWORD, span, || {
                        "key groups do not belong to this dialect".to_owned()
                    });
                    continue;
                }
            };
            let Some(joint) = self.key_joint(key, joint, joint_at) else { continue };
            let Some(time) = time else {
                let span = self.token(key.line, 0);
                self.diagnostics.push(&codes::KEY_WITHOUT_GROUP, span, || {
                    "a key before the first `k` of its animation".to_owned()
                });
                continue;
            };
            for value in values.into_iter().flatten() {
                if !grouped {
                    if time < 0.0 {
                        self.negative_time(key, time);
                    }
                    let last =
                        last_times.replace(joint, matches!(value, KeyValue::Rotation(_)), time);
                    if last > time {
                        let (span, source) = (self.token(key.line, 1), self.source);
                        let message =
                            || Diagnostic::new(&codes::KEY_ORDER, span, order_message(time, last));
                        if unsorted {
                            self.diagnostics.report(&codes::KEY_ORDER, message);
                        } else {
                            // The first of an animation has the repair of all.
                            self.diagnostics.report_fix(&codes::KEY_ORDER, || Diagnostic {
                                fix: repairs::sort_keys(source, raw),
                                ..message()
                            });
                        }
                        unsorted = true;
                    } else if last.total_cmp(&time).is_eq() {
                        repeated.push((key.line, joint, time));
                    }
                }
                if let KeyValue::Rotation(rotation) = value {
                    self.quaternion(key, rotation, joint_at);
                }
                animation.keys.push(Key { joint: narrow(joint), time, value, line: key.line });
            }
        }
        if unsorted || grouped {
            self.duplicates(&animation);
        } else {
            repeated
                .into_iter()
                .for_each(|(line, joint, time)| self.duplicate_key(line, joint, time));
        }
        let earliest = animation.keys.iter().min_by(|a, b| a.time.total_cmp(&b.time));
        if let Some(earliest) = earliest.filter(|key| !grouped && key.time > 0.0) {
            let (span, time, name) =
                (self.token(earliest.line, 1), earliest.time, quote(animation.name.as_bytes()));
            let message = || {
                format!(
                    "the animation {name} has no key at time 0: its first is at {}",
                    number::shortest(time)
                )
            };
            self.diagnostics.report(&codes::FIRST_KEY, || {
                Diagnostic::new(&codes::FIRST_KEY, span, message())
                    .help("the first key holds before its time")
            });
        }
        animation
    }

    fn key_fields(&mut self, key: &RawKey, keyword: &str, expected: &str, most: usize) {
        let count = usize::from(key.count);
        let span = if count > most {
            self.token(key.line, most + 1)
        } else {
            self.token(key.line, usize::MAX)
        };
        self.diagnostics.push(&codes::FIELDS, span, || {
            format!("`{keyword}` needs {expected}, found {count} values")
        });
    }

    fn key_joint(&mut self, key: &RawKey, number: f32, at: usize) -> Option<usize> {
        let first = self.dialect.first_joint_of_keys();
        let line = key.line;
        // A small whole number is exact as f32; for any other the text is read again.
        let small = number.trunc().total_cmp(&number).is_eq() && number.abs() < 16_777_216.0;
        let joint = if small {
            Some(small_integer(number))
        } else {
            parse_i64(self.bytes(self.token(line, at)))
        };
        let Some(joint) = joint else {
            let span = self.token(line, at);
            let token = quote(self.bytes(span));
            self.diagnostics
                .push(&codes::INTEGER, span, || format!("{token} is not the number of a joint"));
            return None;
        };
        let Ok(index) = usize::try_from(joint - first) else {
            let span = self.token(line, at);
            let message = || format!("there is no joint {joint}: joints are numbered from {first}");
            self.diagnostics.push(&codes::JOINT_NUMBER, span, message);
            return None;
        };
        self.joint_index(index, joint, |this| this.token(line, at))
    }

    fn negative_time(&mut self, key: &RawKey, time: f32) {
        let span = self.token(key.line, 1);
        self.diagnostics.push(&codes::KEY_NEGATIVE, span, || {
            format!("a key at the negative time {}", number::shortest(time))
        });
    }

    fn quaternion(&mut self, key: &RawKey, rotation: [f32; 4], joint_at: usize) {
        let square: f64 = rotation.iter().map(|c| f64::from(*c) * f64::from(*c)).sum();
        if (0.4899..=1.02).contains(&square) {
            return;
        }
        let first = if key.kind == RawKind::Row { 4 } else { joint_at + 1 };
        let (from, to) = (self.token(key.line, first), self.token(key.line, first + 3));
        let span = Span::new(from.start, to.end);
        if square == 0.0 {
            self.diagnostics.push(&codes::QUATERNION_ZERO, span, || {
                "a quaternion of length 0 is taken as no rotation".to_owned()
            });
        } else {
            let (source, length) = (self.source, square.sqrt());
            self.diagnostics.report_fix(&codes::QUATERNION_LENGTH, || {
                let rounded = number::shortest(number::narrow((length * 1e4).round() / 1e4));
                let diagnostic = Diagnostic::new(
                    &codes::QUATERNION_LENGTH,
                    span,
                    format!("a quaternion of length {rounded}, not 1"),
                );
                Diagnostic { fix: repairs::divide_four(source, span, length), ..diagnostic }
            });
        }
    }

    /// Keys of one joint, kind and time, where comparing neighbours is not enough.
    fn duplicates(&mut self, animation: &Animation) {
        let key_of =
            |key: &Key| (key.joint, matches!(key.value, KeyValue::Rotation(_)), key.time.to_bits());
        let mut seen = HashSet::with_capacity(animation.keys.len());
        for key in &animation.keys {
            if !seen.insert(key_of(key)) {
                self.duplicate_key(key.line, key.joint as usize, key.time);
            }
        }
    }

    fn duplicate_key(&mut self, line: u32, joint: usize, time: f32) {
        if self.diagnostics.count(&codes::KEY_DUPLICATE) >= Diagnostics::KEPT_PER_CODE {
            self.diagnostics.push(&codes::KEY_DUPLICATE, None, String::new);
            return;
        }
        let span = self.token(line, if self.dialect.groups_keys() { 0 } else { 1 });
        let name = self
            .content
            .joints
            .get(joint)
            .map_or(String::new(), |joint| quote(joint.name.as_bytes()));
        let message = || {
            format!(
                "a second key of this kind for joint {name} at {}: the last one counts",
                number::shortest(time)
            )
        };
        self.diagnostics.push(&codes::KEY_DUPLICATE, span, message);
    }

    // Faces, lines, points.

    fn elements(&mut self, geometry: Geometry) {
        let Geometry { elements, mut corners, greatest, zero_index, relative, unusable } = geometry;
        if self.dialect == Dialect::Extobj {
            // The draft counts joints and weights from 0.
            for slot in corners.iter_mut().flat_map(|corner| corner.slots.iter_mut().skip(3)) {
                *slot = if *slot == ABSENT { ABSENT } else { slot.saturating_add(1) };
            }
        }
        for place in &relative {
            if let Some(slot) = corners
                .get_mut(place.corner as usize)
                .and_then(|corner| corner.slots.get_mut(usize::from(place.slot)))
            {
                *slot = i32::try_from(place.value.max(0)).unwrap_or(0);
            }
        }
        let counts = self.counts();
        let in_range = greatest.iter().zip(counts).all(|(greatest, count)| {
            *greatest <= 0 || usize::try_from(*greatest).is_ok_and(|index| index <= count)
        });
        self.content.elements = elements;
        self.content.corners = corners;
        if !in_range
            || zero_index
            || !relative.is_empty()
            || !unusable.is_empty()
            || self.dialect == Dialect::Extobj
        {
            self.check_indices(&unusable);
        }
    }

    /// How many of each a corner can name.
    fn counts(&self) -> [usize; 5] {
        let content = &self.content;
        [
            content.positions.len(),
            content.texcoords.len(),
            content.normals.len(),
            content.vertex_joints.len(),
            content.vertex_weights.len(),
        ]
    }

    /// Looks at every index, and takes out the elements that cannot do without one.
    fn check_indices(&mut self, unusable: &HashSet<i32>) {
        let counts = self.counts();
        let (elements, mut corners) =
            (std::mem::take(&mut self.content.elements), std::mem::take(&mut self.content.corners));
        let mut sections = std::mem::take(&mut self.content.sections);
        let mut kept: Vec<Element> = Vec::with_capacity(elements.len());
        let (mut kept_corners, mut next_section) = (0, 0);
        for (number, element) in (0_u32..).zip(&elements) {
            while let Some(section) =
                sections.get_mut(next_section).filter(|section| section.first_element <= number)
            {
                section.first_element = narrow(kept.len());
                next_section += 1;
            }
            let first = element.first_corner as usize;
            let end = elements
                .get(number as usize + 1)
                .map_or(corners.len(), |next| next.first_corner as usize);
            let mut drop = false;
            for (at, corner) in
                corners.get_mut(first..end).unwrap_or_default().iter_mut().enumerate()
            {
                let fine = corner
                    .slots
                    .iter()
                    .zip(counts)
                    .all(|(slot, count)| *slot == ABSENT || is_index(*slot, count));
                if !fine {
                    drop |= self.out_of_range(element, at, &mut corner.slots, counts);
                }
                if !drop && unusable.contains(&corner.slots[0]) {
                    let (span, vertex) = (self.corner_span(element, at), corner.slots[0]);
                    self.diagnostics.push(&codes::UNUSABLE, span, || {
                        format!("vertex {vertex} could not be read")
                    });
                    drop = true;
                }
            }
            if !drop {
                kept.push(Element { first_corner: narrow(kept_corners), ..*element });
                corners.copy_within(first..end, kept_corners);
                kept_corners += end - first;
            }
        }
        corners.truncate(kept_corners);
        let rest = narrow(kept.len());
        sections.iter_mut().skip(next_section).for_each(|section| section.first_element = rest);
        self.content.sections = sections;
        self.content.elements = kept;
        self.content.corners = corners;
    }

    /// Corners of rigged files: joints and weights that do not fit each other, and faces that lack
    /// them.
    fn rigging(&mut self, joint_lines: &[u32]) {
        let content = &self.content;
        if content.vertex_joints.is_empty()
            && !content.joints.iter().any(|joint| joint.span.is_some())
        {
            return;
        }
        let pairs = PairCheck::new(content);
        let (elements, corners) =
            (std::mem::take(&mut self.content.elements), std::mem::take(&mut self.content.corners));
        let mut reported = HashSet::new();
        let mut section = 0;
        for (number, element) in (0_u32..).zip(&elements) {
            let end = elements
                .get(number as usize + 1)
                .map_or(corners.len(), |next| next.first_corner as usize);
            while self
                .content
                .sections
                .get(section)
                .is_some_and(|next| next.first_element <= number)
            {
                section += 1;
            }
            let mut lacking = None;
            for (at, corner) in corners
                .get(element.first_corner as usize..end)
                .unwrap_or_default()
                .iter()
                .enumerate()
            {
                let [_, _, _, joints, weights] = corner.slots;
                if joints == ABSENT || weights == ABSENT {
                    lacking = lacking.or(Some(at));
                } else if let Some(broken) = pairs.check(*corner)
                    && reported.insert((joints, weights))
                {
                    self.broken_pair(element, at, *corner, broken, joint_lines);
                }
            }
            if let Some(at) = lacking.filter(|_| element.kind == ElementKind::Face) {
                self.unskinned(element, at, section);
            }
        }
        self.content.elements = elements;
        self.content.corners = corners;
    }

    /// Reports the indices of a corner that point at nothing and clears those that can be done
    /// without; says whether the face must go.
    fn out_of_range(
        &mut self,
        element: &Element,
        at: usize,
        corner: &mut [i32; 5],
        counts: [usize; 5],
    ) -> bool {
        const NAMES: [(&str, &str); 5] = [
            ("position", "v"),
            ("texture coordinate", "vt"),
            ("normal", "vn"),
            ("row of joints", "vj"),
            ("row of weights", "vw"),
        ];
        let zero_based = [
            self.dialect == Dialect::Counted,
            matches!(self.dialect, Dialect::Counted | Dialect::Extobj),
        ];
        let mut drop = false;
        for (number, ((slot, count), (name, keyword))) in
            corner.iter_mut().zip(counts).zip(NAMES).enumerate()
        {
            if *slot == ABSENT || is_index(*slot, count) {
                continue;
            }
            let code = if number == 0 { &codes::POSITION_INDEX } else { &codes::ATTRIBUTE_INDEX };
            if self.diagnostics.count(code) >= Diagnostics::KEPT_PER_CODE {
                self.diagnostics.push(code, None, String::new);
            } else {
                let span = self.slot_span(element, at, number);
                let text = number_text(self.bytes(span));
                let from_zero = if number < 3 { zero_based[0] } else { zero_based[1] };
                let range = match (count, from_zero) {
                    (0, _) => format!("the file has no `{keyword}`"),
                    (_, true) => format!("`{keyword}` is numbered 0 to {}", count - 1),
                    (_, false) => format!("`{keyword}` is numbered 1 to {count}"),
                };
                self.diagnostics.push(code, span, || format!("there is no {name} {text}: {range}"));
            }
            // Not ABSENT: it was there, and this has been reported.
            *slot = 0;
            drop |= number == 0;
        }
        drop
    }

    /// The tokens of a corner: one with slashes, or five or three of a bare row.
    fn corner_span(&self, element: &Element, at: usize) -> Span {
        if self.is_row(element) {
            return self.slot_span(element, at, 0);
        }
        self.token(element.line, at + 1)
    }

    fn is_row(&self, element: &Element) -> bool {
        let first = self
            .source
            .get(element.line as usize..)
            .and_then(|text| text.trim_ascii_start().first().copied());
        !first.is_some_and(|byte| byte.is_ascii_alphabetic() || byte == 0xef)
    }

    fn slot_span(&self, element: &Element, at: usize, slot: usize) -> Span {
        if self.is_row(element) {
            let stride = if token_spans(self.source, element.line).len() == 9 { 3 } else { 5 };
            return self.token(element.line, at * stride + slot);
        }
        let token = self.token(element.line, at + 1);
        let mut start = token.start;
        for (number, piece) in self.bytes(token).split(|byte| *byte == b'/').enumerate() {
            if number == slot {
                return Span::new(start, start + piece.len());
            }
            start += piece.len() + 1;
        }
        token
    }

    fn broken_pair(
        &mut self,
        element: &Element,
        at: usize,
        corner: Corner,
        broken: BrokenPair,
        joint_lines: &[u32],
    ) {
        match broken {
            BrokenPair::Unused(entry) => {
                let line = corner.joints().and_then(|row| joint_lines.get(row)).copied();
                let span = line.map(|line| self.value_token(line, entry));
                let face = anim_ir::source::locate(self.source, element.line as usize).line;
                let message = || {
                    format!(
                        "this joint is unused, but the face in line {face} pairs it with a weight \
                         that is not 0"
                    )
                };
                // What the engine's exporters write is not normalised, and its unused entries are
                // not always 0.
                let code = if self.dialect.groups_keys() {
                    &codes::WEIGHT_DROPPED
                } else {
                    &codes::WEIGHT_UNUSED
                };
                self.diagnostics.push(code, span, message);
            }
            BrokenPair::Length => {
                let span = self.slot_span(element, at, 4);
                self.diagnostics.push(&codes::WEIGHT_PAIR, span, || {
                    "these weights and the joints they belong to differ in number".to_owned()
                });
            }
        }
    }

    fn unskinned(&mut self, element: &Element, at: usize, next_section: usize) {
        let sections = &self.content.sections;
        let object = sections
            .get(next_section.wrapping_sub(1))
            .and_then(|section| section.object)
            .and_then(|object| self.content.objects.get(object as usize));
        if object.is_some_and(|object| object.kind == ObjectKind::Animated) {
            let span = self.corner_span(element, at);
            let message = || {
                "a corner of an animated object without joints and weights: it stays at rest"
                    .to_owned()
            };
            self.diagnostics.push(&codes::UNSKINNED, span, message);
        }
    }
}

/// Whether an index from 1 is one of so many.
fn is_index(slot: i32, count: usize) -> bool {
    usize::try_from(slot).is_ok_and(|index| (1..=count).contains(&index))
}

/// A number for a message: as it is written, or quoted where it is long.
fn number_text(token: &[u8]) -> String {
    if token.len() <= 12 { String::from_utf8_lossy(token).into_owned() } else { quote(token) }
}

/// An f32 below 2^24 that is whole.
#[expect(clippy::cast_possible_truncation, reason = "the caller sees to it that nothing is lost")]
fn small_integer(number: f32) -> i64 {
    number as i64
}

fn order_message(time: f32, last: f32) -> String {
    format!("a key at {} stands behind one at {}", number::shortest(time), number::shortest(last))
}

/// For each joint and kind of key, the time of the last key in the current animation.
#[derive(Default)]
struct LastTimes {
    times: Vec<(u32, f32)>,
    animation: u32,
}

impl LastTimes {
    fn next_animation(&mut self) {
        self.animation += 1;
    }

    /// The last time, negative infinity where there was none, and puts this one in its place.
    fn replace(&mut self, joint: usize, rotation: bool, time: f32) -> f32 {
        let at = joint * 2 + usize::from(rotation);
        if at >= self.times.len() {
            self.times.resize(at + 1, (0, 0.0));
        }
        let Some(slot) = self.times.get_mut(at) else { return f32::NEG_INFINITY };
        let (animation, last) = std::mem::replace(slot, (self.animation, time));
        if animation == self.animation { last } else { f32::NEG_INFINITY }
    }
}

#[derive(Clone, Copy)]
enum BrokenPair {
    /// Which entry.
    Unused(usize),
    Length,
}

/// Which joints of a `vj` row are unused and which weights of a `vw` row are not 0, as bits, to
/// test a pair with one `&`.
struct PairCheck {
    unused: Vec<u8>,
    weighted: Vec<u8>,
}

impl PairCheck {
    /// The bit for a row of five.
    const FIVE: u8 = 1 << 7;

    fn new(content: &Content) -> PairCheck {
        let bits = |row: [bool; 4]| {
            row.into_iter().rev().fold(0_u8, |bits, bit| bits << 1 | u8::from(bit))
        };
        let mut unused: Vec<u8> =
            content.vertex_joints.iter().map(|row| bits(row.map(|joint| joint < 0))).collect();
        let mut weighted: Vec<u8> = content
            .vertex_weights
            .iter()
            .map(|row| bits(row.map(|weight| weight != 0.0)))
            .collect();
        if content.dialect == Some(Dialect::Lines) {
            for (row, joint) in &content.fifth_joints {
                if let Some(bits) = unused.get_mut(*row as usize) {
                    *bits |= PairCheck::FIVE | u8::from(*joint < 0) << 4;
                }
            }
            for (row, weight) in &content.fifth_weights {
                if let Some(bits) = weighted.get_mut(*row as usize) {
                    *bits |= PairCheck::FIVE | u8::from(*weight != 0.0) << 4;
                }
            }
        }
        PairCheck { unused, weighted }
    }

    fn check(&self, corner: Corner) -> Option<BrokenPair> {
        let unused = self.unused.get(corner.joints()?)?;
        let weighted = self.weighted.get(corner.weights()?)?;
        if (unused ^ weighted) & PairCheck::FIVE != 0 {
            Some(BrokenPair::Length)
        } else {
            let both = unused & weighted & !PairCheck::FIVE;
            (both != 0).then(|| BrokenPair::Unused(both.trailing_zeros() as usize))
        }
    }
}
