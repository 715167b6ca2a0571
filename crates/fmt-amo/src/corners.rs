//! Corners of faces, lines and points.

use std::ops::Range;

use crate::tokens::ABSENT;

/// A corner of a face, line or point, with an index for each attribute present. The accessors
/// return zero-based indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Corner {
    /// Position, texture coordinate, normal, joints, weights; one-based, or less than 1 if missing.
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

    /// A corner without indices.
    pub(crate) const NONE: Corner = Corner { slots: [ABSENT; 5] };

    fn slot<const N: usize>(self) -> Option<usize> {
        self.slots.get(N).and_then(|slot| usize::try_from(slot.checked_sub(1)?).ok())
    }
}

/// A list of corners. Joints and weights are stored separately, since most files have none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Corners {
    /// The first three slots of each corner.
    surface: Vec<[i32; 3]>,
    /// The other two. May be shorter; the rest are absent.
    binding: Vec<[i32; 2]>,
}

const UNBOUND: [i32; 2] = [ABSENT; 2];

impl Corners {
    pub(crate) fn len(&self) -> usize {
        self.surface.len()
    }

    pub(crate) fn is_unallocated(&self) -> bool {
        self.surface.capacity() == 0
    }

    pub(crate) fn reserve(&mut self, corners: usize) {
        self.surface.reserve(corners);
    }

    /// Returns the first three slots of a corner.
    #[inline]
    pub(crate) fn surface(&self, at: usize) -> [i32; 3] {
        self.surface.get(at).copied().unwrap_or([ABSENT; 3])
    }

    /// The last two slots of the first corners. Those of the others are absent.
    pub(crate) fn bindings(&self) -> &[[i32; 2]] {
        &self.binding
    }

    /// Whether two corners have the same joints and weights.
    #[inline]
    pub(crate) fn have_same_binding(&self, one: usize, other: usize) -> bool {
        let binding = |at: usize| self.binding.get(at).copied().unwrap_or(UNBOUND);
        self.binding.is_empty() || binding(one) == binding(other)
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<Corner> {
        let [position, texcoord, normal] = *self.surface.get(at)?;
        let [joints, weights] = self.binding.get(at).copied().unwrap_or(UNBOUND);
        Some(Corner { slots: [position, texcoord, normal, joints, weights] })
    }

    /// Returns the corners in a range that is inside the list.
    pub(crate) fn range(
        &self,
        range: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = Corner> + ExactSizeIterator + Clone {
        range.map(|at| self.get(at).unwrap_or(Corner::NONE))
    }

    pub(crate) fn push(&mut self, Corner { slots }: Corner) {
        let [position, texcoord, normal, joints, weights] = slots;
        self.surface.push([position, texcoord, normal]);
        if [joints, weights] != UNBOUND {
            self.bind_last([joints, weights]);
        }
    }

    /// Adds a corner without indices, and returns its first three slots.
    #[inline]
    pub(crate) fn push_surface(&mut self) -> Option<&mut [i32; 3]> {
        self.surface.push([ABSENT; 3]);
        self.surface.last_mut()
    }

    /// Sets the other slots of the last corner, which must not have been set.
    #[inline]
    pub(crate) fn bind_last(&mut self, binding: [i32; 2]) {
        self.binding.resize(self.surface.len().saturating_sub(1), UNBOUND);
        self.binding.push(binding);
    }

    pub(crate) fn set(&mut self, at: usize, Corner { slots }: Corner) {
        let [position, texcoord, normal, joints, weights] = slots;
        if let Some(surface) = self.surface.get_mut(at) {
            *surface = [position, texcoord, normal];
        }
        if let Some(binding) = self.binding.get_mut(at) {
            *binding = [joints, weights];
        }
    }

    /// Moves a range towards the start of the list.
    pub(crate) fn move_to(&mut self, start: usize, range: Range<usize>) {
        for (to, from) in (start..).zip(range) {
            if let Some(corner) = self.get(from) {
                self.set(to, corner);
            }
        }
    }

    pub(crate) fn truncate(&mut self, length: usize) {
        self.surface.truncate(length);
        self.binding.truncate(length);
    }

    /// Appends corners, or takes their memory if this list is empty.
    pub(crate) fn append(&mut self, next: Corners) {
        if !next.binding.is_empty() {
            self.binding.resize(self.surface.len(), UNBOUND);
            append(&mut self.binding, next.binding);
        }
        append(&mut self.surface, next.surface);
    }

    /// Adds 1 to all indices of joints and weights.
    pub(crate) fn renumber_bindings(&mut self) {
        for slot in self.binding.as_flattened_mut() {
            *slot = if *slot == ABSENT { ABSENT } else { slot.saturating_add(1) };
        }
    }
}

/// Appends a vector, or takes its allocation if this vector is empty.
pub(crate) fn append<T>(to: &mut Vec<T>, mut from: Vec<T>) {
    if to.is_empty() {
        *to = from;
    } else {
        to.append(&mut from);
    }
}
