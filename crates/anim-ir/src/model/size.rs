//! The memory that a scene takes.

use super::camera::Camera;
use super::scene::Scene;
use super::skeleton::Skeleton;
use super::timeline::Timeline;
use crate::{Image, LimitError, Limits, Material, Mesh, MorphTarget, Node, Skin};

/// The memory that reading, converting and writing a scene need, as a multiple of its size.
const WORK: usize = 4;

impl Scene {
    /// Checks the scene's [size](Scene::size).
    ///
    /// # Errors
    ///
    /// Returns [`LimitError`] if the size exceeds a quarter of [`Limits::memory`]: the document it
    /// was read from, and what is written from it, can be as large.
    pub fn check_size(&self, limits: &Limits) -> Result<(), LimitError> {
        // Determining the size takes time.
        if limits.memory.is_none() {
            return Ok(());
        }
        limits.check_memory("the contents of the file", self.size().saturating_mul(WORK))
    }

    /// Estimates the memory that the scene takes, in bytes: most of its lists and the bytes of its
    /// images, but neither names nor extras. This is the input size of the
    /// [`Budget`](crate::Budget) for writing the scene.
    pub fn size(&self) -> usize {
        let sizes = [
            sum(&self.skeletons, |skeleton: &Skeleton| size(&skeleton.joints)),
            sum(&self.timelines, Timeline::size),
            size(&self.clips),
            sum(&self.machines, |machine| size(&machine.states)),
            sum(&self.meshes, Mesh::size),
            sum(&self.skins, |skin: &Skin| {
                size(&skin.joints).saturating_add(size(&skin.inverse_bind))
            }),
            self.nodes.len().saturating_mul(size_of::<Node>()),
            self.cameras.len().saturating_mul(size_of::<Camera>()),
            self.materials.len().saturating_mul(size_of::<Material>()),
            sum(&self.images, |image: &Image| image.bytes.as_ref().map_or(0, |bytes| bytes.len())),
        ];
        sum(&sizes, |size| *size)
    }
}

impl Timeline {
    /// Estimates the memory that the timeline takes, in bytes: its keys, tracks and events.
    pub fn size(&self) -> usize {
        let tables = sum(self.tables(), |table| {
            let keys = table.times.len().saturating_mul(table.width().saturating_add(1));
            keys.saturating_mul(size_of::<f32>())
        });
        tables.saturating_add(size(self.tracks())).saturating_add(size(&self.events))
    }
}

impl Mesh {
    /// Estimates the memory that the mesh takes, in bytes.
    pub fn size(&self) -> usize {
        let sizes = [
            size(&self.positions),
            size(&self.normals),
            size(&self.texcoords),
            size(&self.colors),
            size(&self.influences.joints),
            size(&self.influences.weights),
            sum(&self.primitives, |part| size(&part.indices)),
            sum(&self.morph_targets, |target: &MorphTarget| {
                size(&target.positions).saturating_add(size(&target.normals))
            }),
        ];
        sum(&sizes, |size| *size)
    }
}

const fn size<T>(list: &[T]) -> usize {
    size_of_val(list)
}

fn sum<T>(list: &[T], size: impl Fn(&T) -> usize) -> usize {
    list.iter().map(size).fold(0, usize::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_count_towards_the_memory() {
        let limits = |memory| Limits { memory: Some(memory), ..Limits::default() };
        let scene = Scene { nodes: vec![Node::default(); 1000], ..Scene::default() };
        let needed = 4 * scene.size();
        assert!(needed > 4000 && scene.check_size(&limits(needed)).is_ok());
        assert!(scene.check_size(&limits(needed - 1)).unwrap_err().is_about_memory());
        assert!(scene.check_size(&Limits::default()).is_ok());
    }
}
