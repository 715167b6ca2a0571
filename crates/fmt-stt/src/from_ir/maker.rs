//! What writing a scene has in hand.

use anim_ir::{Clip, Diagnostics, Samples, Scene, Skeleton, Timeline, UniqueNames};

use super::names::unique;
use crate::options::FromIr;
use crate::writer::NewState;

pub(super) struct Maker<'a> {
    pub(super) scene: &'a Scene,
    pub(super) options: &'a FromIr,
    pub(super) states: Vec<NewState>,
    pub(super) names: UniqueNames<'static>,
    /// For each skeleton the names of its joints as they are written.
    pub(super) nodes: Vec<Vec<String>>,
    pub(super) samples: Samples<'a>,
    pub(super) losses: Diagnostics,
}

impl<'a> Maker<'a> {
    /// Nodes are told apart by their names alone.
    pub(super) fn new(scene: &'a Scene, options: &'a FromIr, mut losses: Diagnostics) -> Maker<'a> {
        let mut names = UniqueNames::new();
        let mut name = |name: &str| unique(&mut names, name, &mut losses);
        let skeletons = scene.skeletons.iter();
        let nodes = skeletons
            .map(|skeleton| skeleton.joints.iter().map(|joint| name(&joint.name)).collect())
            .collect();
        Maker {
            scene,
            options,
            states: Vec::new(),
            names: UniqueNames::new(),
            nodes,
            samples: options.limits.count_samples("the animation"),
            losses,
        }
    }
}

/// A clip and what it moves.
pub(super) struct Moving<'a> {
    pub(super) clip: &'a Clip,
    pub(super) timeline: &'a Timeline,
    pub(super) skeleton: &'a Skeleton,
}

impl Moving<'_> {
    /// Whether no joint hangs from another.
    pub(super) fn is_flat(&self) -> bool {
        self.skeleton.joints.iter().all(|joint| joint.parent.is_none())
    }
}
