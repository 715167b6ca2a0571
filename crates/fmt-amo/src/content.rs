//! The content of a file in flat arrays, with zero-based indices and decoded names.

use std::ops::Range;

use anim_ir::Span;

use crate::corners::Corners;
use crate::dialect::Dialect;

/// The content of a file. The original spelling is found only in the source.
#[derive(Clone, Debug, Default)]
pub(crate) struct Content {
    pub(crate) dialect: Dialect,
    pub(crate) latin1: bool,
    /// Whether the dialect is certain: identified by the file, or specified by the caller.
    pub(crate) is_dialect_certain: bool,
    /// Whether the file ends in the middle of a line.
    pub(crate) cut_off: bool,
    pub(crate) vertices: Vertices,
    /// Faces, lines and points. Their corners are contiguous, in the same order.
    pub(crate) elements: Vec<Element>,
    pub(crate) corners: Corners,
    pub(crate) sections: Vec<Section>,
    pub(crate) objects: Vec<Object>,
    pub(crate) groups: Vec<String>,
    pub(crate) smoothing: bool,
    pub(crate) materials: Vec<String>,
    /// Where each material is used first.
    pub(crate) material_spans: Vec<Span>,
    pub(crate) libraries: Vec<Library>,
    pub(crate) texture: Option<String>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) animations: Vec<Animation>,
    pub(crate) kept: Vec<Kept>,
}

impl Content {
    /// The range of the corners of a range of elements.
    pub(crate) fn corners_of(&self, elements: &Range<usize>) -> Range<usize> {
        let first = |element: usize| {
            let element = self.elements.get(element);
            element.map_or(self.corners.len(), |element| element.first_corner as usize)
        };
        first(elements.start)..first(elements.end)
    }
}

/// The attribute rows that corners refer to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vertices {
    pub(crate) positions: Vec<[f32; 3]>,
    /// Colours of positions with six or seven components, with the index of the position.
    pub(crate) colors: Vec<(u32, [f32; 4])>,
    /// Total number of positions with a fourth component and texture coordinates with a third.
    pub(crate) ignored_components: u64,
    pub(crate) texcoords: Vec<[f32; 2]>,
    pub(crate) normals: Vec<[f32; 3]>,
    /// Zero-based joint indices, or -1 if unused; in the first pass, joint numbers as in the file.
    pub(crate) joints: Vec<[i32; 4]>,
    /// The fifth entries of rows with five entries, with the index of the row.
    pub(crate) fifth_joints: Vec<(u32, i32)>,
    pub(crate) weights: Vec<[f32; 4]>,
    pub(crate) fifth_weights: Vec<(u32, f32)>,
}

impl Vertices {
    /// The number of rows of each attribute, in the order of a corner's slots.
    pub(crate) fn counts(&self) -> [usize; 5] {
        [
            self.positions.len(),
            self.texcoords.len(),
            self.normals.len(),
            self.joints.len(),
            self.weights.len(),
        ]
    }
}

/// The type of a geometry element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementKind {
    /// A polygon with at least three corners.
    Face,
    /// A polyline through at least two corners.
    Line,
    /// One or more points.
    Points,
}

/// A face, a line or a group of points: the corners from `first_corner` up to the next element's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    pub(crate) first_corner: u32,
    pub(crate) line: u32,
    pub(crate) kind: ElementKind,
}

/// The elements, each with the range of its corners.
pub(crate) fn with_corners(
    elements: &[Element],
    corners: usize,
) -> impl Iterator<Item = (&Element, Range<usize>)> {
    let ends = elements.iter().skip(1).map(|next| next.first_corner as usize).chain([corners]);
    elements.iter().zip(ends).map(|(element, end)| (element, element.first_corner as usize..end))
}

/// Consecutive elements with the same object, material and group, from `first_element` to the
/// start of the next section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) first_element: u32,
    pub(crate) object: Option<u32>,
    pub(crate) material: Option<u32>,
    pub(crate) group: Option<u32>,
}

/// The keyword that begins an object.
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
    /// The bit mask after the name in files of the Vasall engine.
    pub mask: Option<i64>,
    /// The line.
    pub span: Span,
}

/// A joint declared in the file, or created by the reader because the file refers to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// Zero-based index of the parent.
    pub parent: Option<usize>,
    /// Rest matrix relative to the parent, column-major, if the dialect supports it.
    pub rest: Option<[f32; 16]>,
    /// Values after the rest matrix, of unknown meaning.
    pub tail: Vec<f32>,
    /// The joint's line; `None` if the file does not declare the joint.
    pub span: Option<Span>,
}

/// The value of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeyValue {
    /// x, y, z in the file's unit.
    Position([f32; 3]),
    /// A quaternion, x, y, z, w, as written in the file; not normalised.
    Rotation([f32; 4]),
}

/// A key of an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Zero-based index of the joint.
    pub joint: u32,
    /// Time in the file's unit: seconds, frames or a fraction of the duration.
    pub time: f32,
    /// Position or rotation of the joint.
    pub value: KeyValue,
    pub(crate) line: u32,
}

impl Key {
    pub(crate) const fn is_rotation(&self) -> bool {
        matches!(self.value, KeyValue::Rotation(_))
    }
}

/// An animation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    /// Its name; may be empty.
    pub name: String,
    /// Duration in milliseconds, if specified.
    pub duration_ms: Option<f32>,
    /// Times of the key groups, in file order; empty in dialects without groups.
    pub group_times: Vec<f32>,
    /// Keys in file order.
    pub keys: Vec<Key>,
    /// The line that begins the animation; `None` for the animation of keys before the first `a`.
    pub span: Option<Span>,
}

/// A material library that a file refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// The path relative to the file, with forward slashes. It may lead outside the file's folder.
    pub path: String,
    /// The path in the file.
    pub span: Span,
}

/// A line that is neither geometry nor animation, kept under its keyword: boxes, hooks, collision
/// meshes, handles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The keyword; for a row of a block, the keyword of the block's header.
    pub keyword: &'static str,
    /// The arguments.
    pub arguments: Span,
    /// Index of the object that the line is part of.
    pub object: Option<usize>,
}
