//! The results of the first pass for a part of a file, and joining of parts.

use anim_ir::number::index32;
use anim_ir::{Diagnostics, Limits, Span};

use crate::content::{Element, Vertices};
use crate::corners::{Corners, append};
use crate::dialect::Evidence;

/// The results of the first pass for a part of a file.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) vertices: Vertices,
    /// Offsets of the `vj` and `vw` rows.
    pub(crate) joint_lines: Vec<u32>,
    pub(crate) weight_lines: Vec<u32>,
    pub(crate) geometry: Geometry,
    pub(crate) statements: Vec<Statement>,
    pub(crate) keys: Vec<RawKey>,
    pub(crate) evidence: Evidence,
    pub(crate) known_lines: u64,
    /// Whether any line contains non-ASCII bytes. Plain lines of numbers never do.
    pub(crate) beyond_ascii: bool,
    /// Whether any joint line starts with `J` instead of `j`, which is reported.
    pub(crate) has_upper_joints: bool,
    pub(crate) diagnostics: Diagnostics,
}

/// Elements whose indices have not been checked yet.
#[derive(Debug, Default)]
pub(crate) struct Geometry {
    pub(crate) elements: Vec<Element>,
    /// One-based indices, or `ABSENT`.
    pub(crate) corners: Corners,
    /// The largest index of each slot, and whether any index is 0. If all are in range, corners
    /// need not be checked individually.
    pub(crate) greatest: [i32; 5],
    pub(crate) zero_index: bool,
    pub(crate) relative: Vec<Relative>,
    /// Zero-based indices of positions whose line is invalid.
    pub(crate) unusable: Vec<u32>,
}

/// A negative index, which counts back from the most recent row. `value` is the one-based index
/// within the part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relative {
    pub(crate) corner: u32,
    pub(crate) slot: u8,
    pub(crate) value: i64,
}

/// A recorded statement, with its position in file order and its arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Statement {
    pub(crate) keyword: Keyword,
    /// Offsets of the line, of its arguments, and of its end.
    pub(crate) line: u32,
    pub(crate) arguments: u32,
    pub(crate) end: u32,
    /// The number of elements and keys before the statement.
    pub(crate) elements: u32,
    pub(crate) keys: u32,
}

/// The keywords of statements that are only recorded.
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
    /// Boxes, hooks, collision meshes, handles; kept under their own names.
    Kept(&'static str),
}

impl Keyword {
    /// Whether the statement begins an object.
    pub(crate) fn is_object(self) -> bool {
        matches!(self, Keyword::Object | Keyword::AnimatedObject | Keyword::CollisionObject)
    }

    /// Whether the statement begins an animation.
    pub(crate) fn is_animation(self) -> bool {
        matches!(self, Keyword::Animation | Keyword::CountedAnimation)
    }
}

/// A line of an animation: `ap`, `ar`, `k`, or a bare row of a counted key group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawKey {
    pub(crate) line: u32,
    pub(crate) kind: RawKind,
    /// The number of values in the line. Only the first eight are kept, which is the length of a
    /// row.
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

impl Statement {
    /// The span of the arguments.
    pub(crate) const fn arguments(&self) -> Span {
        Span::new(self.arguments as usize, self.end as usize)
    }

    /// The same statement in another text, where its line starts at `line`.
    pub(crate) const fn moved_to(self, line: u32) -> Statement {
        let [arguments, end] = [self.arguments - self.line, self.end - self.line];
        Statement { line, arguments: line + arguments, end: line + end, ..self }
    }

    /// The span of the whole line.
    pub(crate) const fn line(&self) -> Span {
        Span::new(self.line as usize, self.end as usize)
    }
}

impl Part {
    /// An empty part, which keeps as many diagnostics as the limits allow.
    pub(crate) fn within(limits: &Limits) -> Part {
        Part { diagnostics: Diagnostics::within(limits), ..Part::default() }
    }

    /// Appends the next part, offsetting its row, element and key counts.
    pub(crate) fn append(&mut self, next: Part) {
        let counts = self.vertices.counts().map(index32);
        let [elements, keys] = [self.geometry.elements.len(), self.keys.len()].map(index32);
        self.geometry.append(next.geometry, counts);
        self.statements.extend(next.statements.into_iter().map(|statement| Statement {
            elements: statement.elements + elements,
            keys: statement.keys + keys,
            ..statement
        }));
        append_vertices(&mut self.vertices, next.vertices, counts);
        append(&mut self.joint_lines, next.joint_lines);
        append(&mut self.weight_lines, next.weight_lines);
        append(&mut self.keys, next.keys);
        self.evidence = self.evidence.join(next.evidence);
        self.known_lines += next.known_lines;
        self.beyond_ascii |= next.beyond_ascii;
        self.has_upper_joints |= next.has_upper_joints;
        self.diagnostics.append(next.diagnostics);
    }
}

impl Geometry {
    fn append(&mut self, mut next: Geometry, counts: [u32; 5]) {
        let corners = index32(self.corners.len());
        next.elements.iter_mut().for_each(|element| element.first_corner += corners);
        for relative in &mut next.relative {
            relative.corner += corners;
            relative.value += counts.get(usize::from(relative.slot)).map_or(0, |c| i64::from(*c));
        }
        next.unusable.iter_mut().for_each(|position| *position += counts[0]);
        append(&mut self.elements, next.elements);
        self.corners.append(next.corners);
        append(&mut self.relative, next.relative);
        append(&mut self.unusable, next.unusable);
        self.zero_index |= next.zero_index;
        for (all, own) in self.greatest.iter_mut().zip(next.greatest) {
            *all = own.max(*all);
        }
    }
}

fn append_vertices(all: &mut Vertices, next: Vertices, counts: [u32; 5]) {
    fn moved<T>(mut rows: Vec<(u32, T)>, by: u32) -> Vec<(u32, T)> {
        rows.iter_mut().for_each(|(row, _)| *row += by);
        rows
    }
    let [positions, _, _, joints, weights] = counts;
    append(&mut all.colors, moved(next.colors, positions));
    append(&mut all.fifth_joints, moved(next.fifth_joints, joints));
    append(&mut all.fifth_weights, moved(next.fifth_weights, weights));
    append(&mut all.positions, next.positions);
    append(&mut all.texcoords, next.texcoords);
    append(&mut all.normals, next.normals);
    append(&mut all.joints, next.joints);
    append(&mut all.weights, next.weights);
    all.ignored_components += next.ignored_components;
}
