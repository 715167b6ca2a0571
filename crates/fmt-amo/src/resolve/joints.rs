//! `j` lines (names, parents and rest matrices), and joints created for joint numbers without a
//! `j` line.

use std::collections::HashMap;

use anim_ir::number::{index32, parse_f32, parse_integer};
use anim_ir::{Diagnostic, Skeleton, SkeletonError, Span, diag::plural, diag::quote};

use crate::codes;
use crate::content::Joint;
use crate::dialect::Dialect;
use crate::lines::{Keyword, RESTORE, Statement};
use crate::resolve::Resolver;

/// Maximum number of joints created for joint numbers without a `j` line.
const MADE_UP_JOINTS: usize = 1 << 16;
/// Maximum number of joints listed in the message about a cycle.
const NAMED: usize = 10;

/// The parent of a joint, as numbered in the file, and its span.
#[derive(Clone, Copy)]
struct Parent {
    number: Option<i64>,
    place: Span,
}

impl Parent {
    /// The index of the parent if joints are numbered from `first`; `None` for a root, or if there
    /// is no such joint.
    fn index(self, first: i64, count: usize) -> Option<usize> {
        let number = self.number.filter(|number| *number != -1)?;
        usize::try_from(number - first).ok().filter(|index| *index < count)
    }

    /// Whether the parent does not exist.
    fn is_missing(self, first: i64, count: usize) -> bool {
        self.number.is_some_and(|number| number != -1) && self.index(first, count).is_none()
    }
}

impl Resolver<'_> {
    pub(crate) fn joints(&mut self, statements: &[Statement]) {
        let is_joint = |statement: &&Statement| {
            matches!(statement.keyword, Keyword::Joint | Keyword::JointParent)
        };
        let mut parents: Vec<Parent> = Vec::new();
        let mut names: HashMap<String, usize> = HashMap::new();
        for (index, statement) in statements.iter().filter(is_joint).enumerate() {
            let (joint, place, parent) = self.joint(index, statement);
            if let Some(first) = names.get(&joint.name) {
                let name = quote(joint.name.as_bytes());
                let message = || format!("the name {name} is already used by joint {}", first + 1);
                self.diagnostics.push(&codes::DUPLICATE_JOINT, place, message);
            } else {
                names.insert(joint.name.clone(), index);
            }
            parents.push(parent);
            self.content.joints.push(joint);
        }
        let count = parents.len();
        self.declared = count;
        let first = self.parent_base(&parents);
        let missing = parents.iter().filter(|parent| parent.is_missing(first, count));
        for Parent { number, place } in missing.copied() {
            let number = number.unwrap_or_default();
            self.diagnostics.report(&codes::PARENT, || {
                let message = format!("parent joint {number} does not exist");
                let last = i64::from(index32(count)) - 1 + first;
                Diagnostic::new(&codes::PARENT, place, message)
                    .help(format!("parents are numbered {first} to {last}; -1 means no parent"))
            });
        }
        let mut indices: Vec<_> = parents.iter().map(|parent| parent.index(first, count)).collect();
        self.break_cycles(&mut indices, &parents);
        for (joint, parent) in self.content.joints.iter_mut().zip(indices) {
            joint.parent = parent;
        }
    }

    /// A joint, the span of its name, and its parent.
    fn joint(&mut self, index: usize, statement: &Statement) -> (Joint, Span, Parent) {
        let words: Vec<Span> = self.words(statement).collect();
        let split = words.len() - self.numbers_behind_parent(&words);
        let (words, numbers) = words.split_at_checked(split).unwrap_or_default();
        let numbers: Vec<f32> =
            numbers.iter().filter_map(|number| parse_f32(self.bytes(*number)).ok()).collect();
        let nameless = statement.keyword == Keyword::JointParent;
        let parent = words.last().copied().filter(|_| nameless || split >= 2);
        let number = parent.and_then(|parent| parse_integer(self.bytes(parent)).ok());
        let line = statement.line();
        let name = match words.get(..split - usize::from(number.is_some())).unwrap_or_default() {
            [first, .., last] if !nameless => Some(Span::new(first.start, last.end)),
            [only] if !nameless => Some(*only),
            _ => None,
        };
        let joint = Joint {
            name: match name {
                Some(span) => self.name(span),
                None => {
                    let first = self.content.dialect.first_joint_of_keys();
                    format!("joint_{}", i64::from(index32(index)) + first)
                }
            },
            parent: None,
            rest: numbers.first_chunk().copied(),
            tail: numbers.get(16..).unwrap_or_default().to_vec(),
            span: Some(line),
        };
        if number.is_none() {
            self.no_parent(parent, words.last().map_or(statement.arguments().start, |w| w.end));
        }
        (joint, name.unwrap_or(line), Parent { number, place: parent.unwrap_or(line) })
    }

    /// Counts the values after the parent on a `j` line. From right to left, such a line consists
    /// of optionally three values of unknown meaning, the rest matrix, the parent and the name.
    fn numbers_behind_parent(&mut self, words: &[Span]) -> usize {
        let is_number = |word: &Span| parse_f32(self.bytes(*word)).is_ok();
        for count in [19, 16] {
            if words.len() >= count + 2
                && let Some((parent, numbers)) =
                    words.get(words.len() - count - 1..).and_then(<[Span]>::split_first)
                && parse_integer(self.bytes(*parent)).is_ok()
                && numbers.iter().all(is_number)
            {
                return count;
            }
        }
        if words.len() < 18 || !self.content.dialect.groups_keys() {
            return 0;
        }
        if let Some(bad) = words.iter().skip(words.len() - 16).find(|word| !is_number(word)) {
            let text = self.bytes(*bad);
            let message = || format!("{} in the rest matrix is not a finite number", quote(text));
            self.diagnostics.push(&codes::NUMBER, *bad, message);
        }
        16
    }

    fn no_parent(&mut self, parent: Option<Span>, end: usize) {
        let text = parent.map(|parent| self.bytes(parent));
        self.diagnostics.report(&codes::PARENT, || {
            let message = match text {
                Some(text) => format!("{} is not a joint number", quote(text)),
                None => "missing parent number".to_owned(),
            };
            let place = parent.unwrap_or(Span::new(end, end));
            Diagnostic::new(&codes::PARENT, place, message).help("-1 means no parent")
        });
    }

    /// The number of the first joint in parent references. In the dialects [`Dialect::Spec`] and
    /// [`Dialect::Editamo`], it is 1 or 0, depending on the parents themselves.
    fn parent_base(&mut self, parents: &[Parent]) -> i64 {
        let dialect = self.content.dialect;
        let usual = dialect.first_joint_of_parents();
        let zero = parents.iter().find(|parent| parent.number == Some(0));
        match (dialect, zero) {
            (Dialect::Spec, Some(zero)) => {
                self.diagnostics.push(&codes::PARENT_BASE, zero.place, || {
                    "parents are numbered from 0 in this file, since one of them is 0".to_owned()
                });
                return 0;
            }
            (Dialect::Spec | Dialect::Editamo, None) => {}
            _ => return usual,
        }
        let count = parents.len();
        let makes_tree = |first: i64| {
            let indices: Vec<_> = parents.iter().map(|parent| parent.index(first, count)).collect();
            Skeleton::parents_first(&indices).is_ok()
        };
        let other = 1 - usual;
        // Keep the usual numbering if it gives a tree, or if the other numbering does not.
        if makes_tree(usual)
            || parents.iter().any(|parent| parent.is_missing(other, count))
            || !makes_tree(other)
        {
            return usual;
        }
        let named = parents.iter().find(|parent| parent.number.is_some_and(|number| number != -1));
        self.diagnostics.push(&codes::PARENT_BASE, named.map(|parent| parent.place), || {
            format!(
                "parents are numbered from {other} in this file: from {usual}, a joint would be \
                 its own ancestor"
            )
        });
        other
    }

    /// Makes the first joint of every cycle a root.
    fn break_cycles(&mut self, parents: &mut [Option<usize>], places: &[Parent]) {
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
            // A joint already visited in this round is part of a cycle.
            let Some(on_circle) = at.filter(|joint| seen.get(*joint) == Some(&round)) else {
                continue;
            };
            let mut circle = vec![on_circle];
            let mut next = parents.get(on_circle).copied().flatten();
            while let Some(joint) = next.filter(|joint| *joint != on_circle) {
                circle.push(joint);
                next = parents.get(joint).copied().flatten();
            }
            let first = (0..circle.len()).min_by_key(|at| circle.get(*at)).unwrap_or_default();
            circle.rotate_left(first);
            let Some(root) = circle.first().copied() else { continue };
            if let Some(parent) = parents.get_mut(root) {
                *parent = None;
            }
            self.cycle(&circle, places.get(root).map(|parent| parent.place));
        }
    }

    fn cycle(&mut self, circle: &[usize], place: Option<Span>) {
        let mut path: Vec<String> =
            circle.iter().take(NAMED).map(|joint| self.joint_name(*joint)).collect();
        path.push(if circle.len() > NAMED {
            format!("… ({} joints)", circle.len())
        } else {
            path.first().cloned().unwrap_or_default()
        });
        self.diagnostics.push(&codes::CYCLE, place, || {
            format!("cycle in the joint hierarchy: {}", path.join(" → "))
        });
    }

    /// Detects a file that ends before or within its joints: its vertices are bound to joints that
    /// it does not declare, and it has no animations.
    pub(crate) fn missing_joints(&mut self, statements: &[Statement], joint_lines: &[u32]) {
        let is_animated = statements.iter().any(|statement| statement.keyword.is_animation());
        if is_animated || joint_lines.is_empty() {
            return;
        }
        let first = i64::from(self.content.dialect.first_joint_of_vertices());
        let greatest = self.content.vertices.joints.iter().flatten().max().copied();
        let last = greatest.map_or(-1, i64::from);
        let declared = i64::from(index32(self.declared));
        if last - first < declared {
            return;
        }
        self.ends_in_joints = true;
        if self.diagnostics.count(&codes::TRUNCATED) > 0 {
            return;
        }
        let end = self.source.trim_ascii_end().len();
        self.diagnostics.report(&codes::CUT_OFF, || {
            let message = if declared == 0 {
                "the file looks cut off: its vertices are bound to joints, but it has no `j` line"
                    .to_owned()
            } else {
                let declared = plural(self.declared, "joint");
                format!(
                    "the file looks cut off: its vertices are bound to joints up to {last}, but it \
                     ends after {declared}"
                )
            };
            Diagnostic::new(&codes::CUT_OFF, Span::new(end, end), message)
                .help(format!("{RESTORE}; until then, missing joints are read as roots"))
        });
    }

    /// Returns the joint with the given index, creating it if no line declares it. Returns `None`
    /// if too many joints have been created.
    pub(crate) fn joint_index(
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
        // One diagnostic is enough if no joint is declared. A file that is truncated, or whose
        // joint lines start with `J`, already has one.
        let is_explained = self.ends_in_joints || self.has_upper_joints;
        if !is_explained && (self.declared > 0 || self.made_up.is_empty()) {
            let (place, declared) = (place(self), self.declared);
            self.diagnostics.report(&codes::UNDECLARED_JOINT, || {
                let mut message = format!("no `j` line declares joint {number}");
                let help = if declared > 0 {
                    format!(
                        "the file declares {}; a root joint is created",
                        plural(declared, "joint")
                    )
                } else {
                    message += "; the file declares no joints";
                    "a root joint is created for each number, since the hierarchy is unknown; \
                     animations may look wrong"
                        .to_owned()
                };
                Diagnostic::new(&codes::UNDECLARED_JOINT, place, message).help(help)
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
}
