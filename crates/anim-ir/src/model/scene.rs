//! All of a file.

use std::collections::BTreeSet;

use crate::math::linear::Transform;
use crate::model::axes::Axes;
use crate::model::camera::Camera;
use crate::model::clip::Clip;
use crate::model::extras::Extras;
use crate::model::machine::StateMachine;
use crate::model::mesh::{Image, Material, Mesh, Skin};
use crate::model::skeleton::Skeleton;
use crate::model::timeline::Timeline;

/// Puts a mesh or a camera into the scene. The only hierarchy is that of the skeletons: a node
/// hangs from a joint or from nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Name in the file.
    pub name: String,
    /// Skeleton and joint that the node hangs from; `None`: the model's space.
    pub parent: Option<(usize, usize)>,
    /// Relative to the parent. Without effect where there is a skin.
    pub transform: Transform,
    /// Index of the mesh in the scene.
    pub mesh: Option<usize>,
    /// Index of the skin in the scene that moves the mesh.
    pub skin: Option<usize>,
    /// Index of the camera in the scene that looks from here.
    pub camera: Option<usize>,
    /// What the format says beyond this.
    pub extras: Extras,
}

/// What a file holds, in terms that all formats share. Indices point into the vectors here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Name of the whole; may be empty.
    pub name: String,
    /// Which way all axes here point.
    pub axes: Axes,
    /// Joints.
    pub skeletons: Vec<Skeleton>,
    /// Keys.
    pub timelines: Vec<Timeline>,
    /// Named windows on timelines.
    pub clips: Vec<Clip>,
    /// States that play the clips.
    pub machines: Vec<StateMachine>,
    /// Geometry.
    pub meshes: Vec<Mesh>,
    /// How geometry is bound to joints.
    pub skins: Vec<Skin>,
    /// Where geometry and cameras are.
    pub nodes: Vec<Node>,
    /// What cameras see.
    pub cameras: Vec<Camera>,
    /// What surfaces look like.
    pub materials: Vec<Material>,
    /// Pictures.
    pub images: Vec<Image>,
    /// What the format says beyond this.
    pub extras: Extras,
}

/// Something of a scene that can be played: see [`Scene::playables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playable {
    /// A clip, by its number.
    Clip(usize),
    /// A state of a machine, by their numbers.
    State {
        /// Index in the scene.
        machine: usize,
        /// Index in the machine.
        state: usize,
    },
}

impl Scene {
    /// What can be played, with names: the states of all machines, or, without any, the clips.
    pub fn playables(&self) -> Vec<(&str, Playable)> {
        let states = self.machines.iter().enumerate().flat_map(|(machine, states)| {
            states.states.iter().enumerate().map(move |(state, named)| {
                (named.name.as_str(), Playable::State { machine, state })
            })
        });
        let clips = self
            .clips
            .iter()
            .enumerate()
            .map(|(index, clip)| (clip.name.as_str(), Playable::Clip(index)));
        if self.machines.is_empty() { clips.collect() } else { states.collect() }
    }

    /// What formats say beyond this model: the extras of the scene and of everything in it that has
    /// any, but for what goes with events.
    pub fn all_extras(&self) -> impl Iterator<Item = &Extras> {
        let joints =
            self.skeletons.iter().flat_map(|skeleton| &skeleton.joints).map(|joint| &joint.extras);
        let motion = self
            .clips
            .iter()
            .map(|clip| &clip.extras)
            .chain(self.machines.iter().map(|machine| &machine.extras));
        let nodes = self
            .nodes
            .iter()
            .map(|node| &node.extras)
            .chain(self.cameras.iter().map(|camera| &camera.extras));
        let looks = self
            .meshes
            .iter()
            .map(|mesh| &mesh.extras)
            .chain(self.materials.iter().map(|material| &material.extras));
        [&self.extras]
            .into_iter()
            .chain(joints)
            .chain(motion)
            .chain(nodes)
            .chain(looks)
            .filter(|extras| !extras.is_empty())
    }

    /// Takes all clips out but one, all timelines but that clip's, and all machines. Nothing is
    /// left where there is no clip of that number.
    pub fn keep_clip(&mut self, index: usize) {
        self.machines.clear();
        self.clips = self.clips.get(index).cloned().into_iter().collect();
        let timeline = self.clips.first().and_then(|clip| self.timelines.get(clip.timeline));
        self.timelines = timeline.cloned().into_iter().collect();
        for clip in &mut self.clips {
            clip.timeline = 0;
        }
    }

    /// Takes clips out, by their numbers, and timelines that were theirs alone. No state of a
    /// machine may play them.
    pub fn remove_clips(&mut self, is_gone: impl Fn(usize, &Clip) -> bool) {
        let mut left = BTreeSet::new();
        let mut number = 0_usize;
        self.clips.retain(|clip| {
            let gone = is_gone(number, clip);
            number = number.saturating_add(1);
            if gone {
                left.insert(clip.timeline);
            }
            !gone
        });
        self.forget_timelines(|timeline| left.contains(&timeline));
    }

    /// Takes out those of some timelines that no clip is on, and numbers the others anew.
    pub(crate) fn forget_timelines(&mut self, may_go: impl Fn(usize) -> bool) {
        let used: BTreeSet<usize> = self.clips.iter().map(|clip| clip.timeline).collect();
        let mut new_index = Vec::with_capacity(self.timelines.len());
        let mut kept = Vec::new();
        for (index, timeline) in std::mem::take(&mut self.timelines).into_iter().enumerate() {
            new_index.push(kept.len());
            if used.contains(&index) || !may_go(index) {
                kept.push(timeline);
            }
        }
        self.timelines = kept;
        for clip in &mut self.clips {
            clip.timeline = new_index.get(clip.timeline).copied().unwrap_or(usize::MAX);
        }
    }
}
