//! The budget of an operation.

use std::cell::Cell;

use super::limits::{LimitError, Limits};
use crate::model::scene::Scene;

/// What an operation may allocate for content that its input implies but does not contain.
///
/// A small file can expand to a lot of data: a mesh that is used a thousand times, events that lie
/// in a thousand ranges, a wave that has to be sampled. Code that multiplies in this way charges
/// the budget first, in bytes, with an upper estimate of what it is about to allocate. Work that
/// allocates nothing, such as the evaluation of a pose, is charged as well, as a few bytes per
/// step. Content that the input does contain is not charged.
///
/// Each operation has a budget of its own, which grows with the size of its input. Converting a
/// document to a scene may take 32 MiB plus four times the input; an operation on a scene may take
/// 128 MiB plus twice the [size of the scene](Scene::size); neither may take more than 1 GiB. If
/// [`Limits::memory`] is set, they may take an eighth and half of it instead, so the default for an
/// empty input is that of 256 MiB. If [`Limits::stored`] is set, an operation on a scene may take
/// at most 128 MiB plus 16 times that. The files that one input is split into share a budget of
/// that size ([`Budget::for_files`]).
///
/// ```
/// use anim_ir::{Budget, Limits};
///
/// let budget = Budget::new(&Limits::default(), 1000);
/// let mut times: Vec<f32> = budget.list("the key times", 100)?;
/// times.extend((0_u8..100).map(f32::from));
/// assert!(budget.charge_each::<f32>("the key times", usize::MAX).is_err());
/// # Ok::<(), anim_ir::LimitError>(())
/// ```
#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    /// The part of [`Limits::memory`] that the operation may take, as a divisor.
    part: usize,
    /// What was spent before, if this is a part of another budget, in bytes of [`Limits::memory`].
    before: usize,
    most: Cell<usize>,
    spent: Cell<usize>,
}

/// The budget of a kind of operation.
struct Kind {
    /// The budget for an empty input.
    base: usize,
    /// The factor for the size of the input.
    times: usize,
    /// The part of [`Limits::memory`] that the operation may take, as a divisor. The parts of all
    /// kinds leave the rest for the input, and for content that grows in proportion to it.
    part: usize,
}

const DOCUMENT: Kind = Kind { base: 32 << 20, times: 4, part: 8 };
/// Writers sample motion, which takes more memory than the keys that describe it.
const SCENE: Kind = Kind { base: 128 << 20, times: 2, part: 2 };
/// A triangle takes about ten times as much memory in a picture as in a mesh.
const PICTURE: Kind = Kind { times: 10, ..SCENE };
/// Files are written one by one, so they take more time than memory.
const FILES: Kind = Kind { times: OF_STORED, ..SCENE };
/// The factor for [`Limits::stored`].
const OF_STORED: usize = 16;
/// The largest budget, unless the limits specify one.
const MOST: usize = 1 << 30;

impl Budget {
    /// Creates the budget for converting a document of `input` bytes to a scene.
    pub fn new(limits: &Limits, input: usize) -> Budget {
        Budget::of(limits, input, DOCUMENT)
    }

    /// Creates the budget of an operation on a scene, such as writing it.
    pub fn for_scene(limits: &Limits, scene: &Scene) -> Budget {
        Budget::for_scenes(limits, [scene])
    }

    /// Creates the budget for drawing a scene.
    pub fn for_picture(limits: &Limits, scene: &Scene) -> Budget {
        Budget::of_scene(limits, scene.size(), PICTURE)
    }

    /// Creates the budget shared by all files that an input of `stored` bytes is split into:
    /// 128 MiB plus 16 times the input, but at most 1 GiB; or half of [`Limits::memory`], if that
    /// is set.
    pub fn for_files(limits: &Limits, stored: usize) -> Budget {
        Budget::of(limits, stored, FILES)
    }

    /// Creates the budget of an operation on several scenes.
    pub(crate) fn for_scenes<'a>(
        limits: &Limits,
        scenes: impl IntoIterator<Item = &'a Scene>,
    ) -> Budget {
        let size = scenes.into_iter().map(Scene::size).fold(0, usize::saturating_add);
        Budget::of_scene(limits, size, SCENE)
    }

    fn of_scene(limits: &Limits, size: usize, kind: Kind) -> Budget {
        let stored = limits.stored.unwrap_or(usize::MAX).saturating_mul(OF_STORED);
        Budget::of(limits, size.min(stored / kind.times), kind)
    }

    fn of(limits: &Limits, input: usize, Kind { base, times, part }: Kind) -> Budget {
        let most = match limits.memory {
            Some(memory) => memory.checked_div(part).unwrap_or_default(),
            None => input.saturating_mul(times).saturating_add(base).min(MOST),
        };
        Budget { limits: *limits, part, before: 0, most: Cell::new(most), spent: Cell::new(0) }
    }

    /// Returns how many bytes of an output a scene pays for, so that they need not be charged:
    /// `times` its size, but at most that of the files it was read from ([`Limits::stored`]).
    /// Clips that were combined or split make a scene larger without paying.
    pub fn paid_by(scene: &Scene, limits: &Limits, times: usize) -> usize {
        scene.size().min(limits.stored.unwrap_or(usize::MAX)).saturating_mul(times)
    }

    /// Returns the limits that the budget was made from.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Adds the size of a companion file that was read during the conversion of a document.
    pub fn add_input(&self, bytes: usize) {
        if self.limits.memory.is_none() {
            let more = bytes.saturating_mul(DOCUMENT.times);
            self.most.set(self.most.get().saturating_add(more).min(MOST));
        }
    }

    /// Charges bytes. `what` names the content they are for, as a plural subject for the error
    /// message.
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if the bytes exceed the budget. Nothing is charged in that case,
    /// so smaller items may still fit. The error names the [`Limits::memory`] with which they would
    /// fit.
    pub fn charge(&self, what: &'static str, bytes: usize) -> Result<(), LimitError> {
        self.check(what, bytes)?;
        self.spent.set(self.spent.get().saturating_add(bytes));
        Ok(())
    }

    /// Charges work that allocates nothing, as bytes that would take as long to fill.
    ///
    /// # Errors
    ///
    /// See [`charge`](Self::charge). The error speaks of work instead of memory.
    pub fn charge_work(&self, what: &'static str, bytes: usize) -> Result<(), LimitError> {
        self.charge(what, bytes).map_err(|error| LimitError { unit: LimitError::WORK, ..error })
    }

    /// Checks that bytes fit into the budget without charging them, for memory that is soon freed.
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if they do not fit.
    pub fn check(&self, what: &'static str, bytes: usize) -> Result<(), LimitError> {
        let (found, most) = (self.spent.get().saturating_add(bytes), self.most.get());
        if found > most {
            let memory = |bytes: usize| bytes.saturating_mul(self.part).saturating_add(self.before);
            let [found, most] = [found, most].map(memory);
            return Err(LimitError { what, unit: LimitError::MEMORY, found, most });
        }
        Ok(())
    }

    /// Charges the size of `count` values of a type.
    ///
    /// # Errors
    ///
    /// See [`charge`](Self::charge).
    pub fn charge_each<T>(&self, what: &'static str, count: usize) -> Result<(), LimitError> {
        self.charge(what, count.saturating_mul(size_of::<T>()))
    }

    /// Charges a list of `count` values and returns it empty, with that capacity.
    ///
    /// # Errors
    ///
    /// See [`charge`](Self::charge).
    pub fn list<T>(&self, what: &'static str, count: usize) -> Result<Vec<T>, LimitError> {
        self.charge_each::<T>(what, count)?;
        Ok(Vec::with_capacity(count))
    }

    /// Returns a budget of half the remaining bytes, for a part of the operation that must leave
    /// memory for later parts. The caller then charges the bytes that were [spent](Self::spent).
    pub fn half(&self) -> Budget {
        let before = self.spent().saturating_mul(self.part).saturating_add(self.before);
        let part = self.part.saturating_mul(2);
        Budget { part, before, most: Cell::new(self.left() / 2), ..self.renewed() }
    }

    /// Returns limits under which the conversion of another document may take as much as is left.
    pub fn limits_of_part(&self) -> Limits {
        Limits { memory: Some(self.left().saturating_mul(DOCUMENT.part)), ..self.limits }
    }

    /// Returns a budget of the same size with nothing spent.
    pub(crate) fn renewed(&self) -> Budget {
        let Budget { limits, part, before, most, .. } = self;
        Budget {
            limits: *limits,
            part: *part,
            before: *before,
            most: most.clone(),
            spent: Cell::new(0),
        }
    }

    /// Returns how many bytes have been charged.
    pub fn spent(&self) -> usize {
        self.spent.get()
    }

    /// Returns how many bytes are left.
    pub fn left(&self) -> usize {
        self.most.get().saturating_sub(self.spent.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_input_pays_for_the_budget() {
        let limits = Limits::default();
        assert_eq!(Budget::new(&limits, 0).left(), 32 << 20);
        assert_eq!(Budget::new(&limits, 1000).left(), (32 << 20) + 4000);
        assert_eq!(Budget::new(&limits, usize::MAX).left(), 1 << 30);
        let budget = Budget::new(&limits, 0);
        budget.add_input(250);
        assert_eq!(budget.left(), (32 << 20) + 1000);
        let fixed = Budget::new(&Limits { memory: Some(8000), ..limits }, 1 << 20);
        fixed.add_input(250);
        assert_eq!(fixed.left(), 1000);
    }

    #[test]
    fn a_large_scene_of_a_small_file_pays_for_little() {
        let scene = Scene { nodes: vec![crate::Node::default(); 1000], ..Scene::default() };
        let left = |stored| {
            let limits = Limits { stored, ..Limits::default() };
            [Budget::for_scene(&limits, &scene), Budget::for_picture(&limits, &scene)]
                .map(|budget| budget.left() - (128 << 20))
        };
        let size = scene.size();
        assert_eq!(left(None), [2 * size, 10 * size]);
        assert_eq!(left(Some(size)), [2 * size, 10 * size]);
        assert_eq!(left(Some(100)), [1600, 1600]);
    }

    #[test]
    fn a_scene_pays_for_what_was_read() {
        let scene = Scene { nodes: vec![crate::Node::default(); 10], ..Scene::default() };
        let paid = |stored| Budget::paid_by(&scene, &Limits { stored, ..Limits::default() }, 4);
        assert_eq!([paid(None), paid(Some(100))], [4 * scene.size(), 400]);
    }

    #[test]
    fn a_refused_charge_is_not_counted() {
        let budget = Budget::new(&Limits { memory: Some(800), ..Limits::default() }, 0);
        budget.charge("the keys", 60).unwrap();
        let error = budget.charge_each::<u64>("the keys", 6).unwrap_err();
        assert_eq!((error.what, error.found, error.most), ("the keys", 864, 800));
        assert_eq!((budget.left(), budget.half().left()), (40, 20));
        assert_eq!(budget.list::<u64>("the keys", 5).unwrap().capacity(), 5);
        assert_eq!((budget.left(), budget.spent()), (0, 100));
        budget.charge("the keys", usize::MAX).unwrap_err();
        let error = budget.charge_work("the samples", 100).unwrap_err();
        assert_eq!((error.unit, error.found, error.most), (LimitError::WORK, 1600, 800));
    }

    #[test]
    fn the_error_of_half_a_budget_names_the_memory_for_the_whole() {
        let half_of = |memory: usize| {
            let budget = Budget::new(&Limits { memory: Some(memory), ..Limits::default() }, 0);
            budget.charge("the keys", 60).unwrap();
            budget.half()
        };
        let error = half_of(800).charge("the nodes", 70).unwrap_err();
        assert_eq!((error.found, error.most), (1600, 800));
        half_of(error.found).charge("the nodes", 70).unwrap();
        half_of(error.found - 8).charge("the nodes", 70).unwrap_err();
    }
}
