//! Scenes: the whole content of a file.

use crate::model::ids::items;
use crate::names::named;
use crate::{
    Camera, CameraId, Clip, ClipId, Extras, Image, ImageId, Joint, JointRef, MachineId, Material,
    MaterialId, Mesh, MeshId, Motion, NodeId, Skeleton, SkeletonId, Skin, SkinId, State, StateId,
    StateMachine, Timeline, TimelineId, Transform,
};

/// The orientation of the axes. Both are right-handed; rotating by 180° about x converts one to the
/// other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Axes {
    /// +x right, +y up, +z towards the viewer, as in glTF. A camera looks along -z.
    #[default]
    YUp,
    /// +x right, +y down, +z into the screen, as on the PlayStation. A camera looks along +z.
    YDown,
}

named!(Axes, "direction of the axes", {
    YUp => "y up",
    YDown => "y down",
});

/// The up axis as stated by a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StatedUp {
    /// The format prescribes the up axis of [`Scene::axes`].
    #[default]
    ByFormat,
    /// The file does not state an up axis. [`Scene::guess_up`] looks for evidence.
    Nowhere,
    /// The dialect is z-up, for this reason (a clause without a full stop). Values are kept as in
    /// the file, without conversion.
    Z(&'static str),
}

/// Places a mesh or a camera in the scene. Skeletons are the only hierarchy: nodes have no
/// children, and are attached to a joint or to the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Name in the file.
    pub name: String,
    /// The joint that the node is attached to; `None` for the scene itself. If there is a skin, the
    /// joint does not place the mesh, but it may hide it.
    pub parent: Option<JointRef>,
    /// The transform relative to the parent. Ignored if there is a skin.
    pub transform: Transform,
    /// The mesh.
    pub mesh: Option<MeshId>,
    /// The skin that moves the mesh.
    pub skin: Option<SkinId>,
    /// The camera.
    pub camera: Option<CameraId>,
    /// Format-specific data.
    pub extras: Extras,
}

/// The format-independent content of a file. Ids are indices into the vectors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Name of the scene; may be empty.
    pub name: String,
    /// The orientation of the axes in the whole scene.
    pub axes: Axes,
    /// The up axis as stated by the file.
    pub up: StatedUp,
    /// Skeletons.
    pub skeletons: Vec<Skeleton>,
    /// Timelines with keys and events.
    pub timelines: Vec<Timeline>,
    /// Named ranges of timelines.
    pub clips: Vec<Clip>,
    /// State machines that play the clips.
    pub machines: Vec<StateMachine>,
    /// Geometry.
    pub meshes: Vec<Mesh>,
    /// Bindings of meshes to joints.
    pub skins: Vec<Skin>,
    /// Placements of meshes and cameras.
    pub nodes: Vec<Node>,
    /// Cameras.
    pub cameras: Vec<Camera>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Images.
    pub images: Vec<Image>,
    /// Format-specific data.
    pub extras: Extras,
}

/// A playable clip or state; see [`Scene::playables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Playable {
    /// A clip.
    Clip(ClipId),
    /// A state of a machine.
    State {
        /// The machine.
        machine: MachineId,
        /// The state of the machine.
        state: StateId,
    },
}

impl Scene {
    /// Returns everything that can be played, with names: the states of all machines, then the
    /// clips that no state plays.
    pub fn playables(&self) -> Vec<(&str, Playable)> {
        let mut playables = Vec::new();
        for (machine, states) in self.enumerate_machines() {
            for (state, State { name, .. }) in states.enumerate_states() {
                playables.push((name.as_str(), Playable::State { machine, state }));
            }
        }
        for ((id, clip), is_state) in self.enumerate_clips().zip(self.clips_of_states()) {
            if !is_state {
                playables.push((&clip.name, Playable::Clip(id)));
            }
        }
        playables
    }

    /// Returns for each clip whether a state plays it.
    pub(crate) fn clips_of_states(&self) -> Vec<bool> {
        let mut is_state = vec![false; self.clips.len()];
        for State { motion, .. } in self.machines.iter().flat_map(|machine| &machine.states) {
            if let Motion::Clip(clip) = motion
                && let Some(is_state) = is_state.get_mut(clip.index())
            {
                *is_state = true;
            }
        }
        is_state
    }

    /// Returns the duration in seconds of a clip, or of the clip or [`Sequence`](crate::Sequence)
    /// that a state plays. Returns 0 if it does not exist, or if its duration is not finite.
    pub fn duration_of(&self, playable: Playable) -> f64 {
        let of_clip = |clip: ClipId| self.clip(clip).map(Clip::duration);
        let seconds = match playable {
            Playable::Clip(clip) => of_clip(clip),
            Playable::State { machine, state } => {
                match self.machine(machine).and_then(|machine| machine.motion(state)) {
                    Some(Motion::Clip(clip)) => of_clip(*clip),
                    Some(Motion::Sequence(sequence)) => Some(sequence.duration()),
                    None => None,
                }
            }
        };
        seconds.filter(|seconds| seconds.is_finite()).unwrap_or_default()
    }

    /// Finds the first clip or state with this name in [`Scene::playables`].
    pub fn find_playable(&self, name: &str) -> Option<Playable> {
        self.playables().into_iter().find(|(own, _)| *own == name).map(|(_, playable)| playable)
    }

    /// Returns a joint of a skeleton.
    pub fn joint(&self, joint: JointRef) -> Option<&Joint> {
        self.skeleton(joint.skeleton)?.joint(joint.joint)
    }

    /// Finds the first joint with this name, in the order of the skeletons.
    pub fn find_joint(&self, name: &str) -> Option<JointRef> {
        self.enumerate_skeletons().find_map(|(skeleton, found)| {
            Some(JointRef { skeleton, joint: found.find_joint(name)? })
        })
    }

    /// Returns the timeline of a clip and the skeleton that it moves.
    pub fn motion_of(&self, clip: &Clip) -> Option<(&Timeline, &Skeleton)> {
        let timeline = self.timeline(clip.timeline)?;
        Some((timeline, self.skeleton(timeline.skeleton)?))
    }

    /// Iterates over all format-specific data: the extras of the scene and of all items in it that
    /// are not empty, but not the payloads of events.
    pub fn all_extras(&self) -> impl Iterator<Item = &Extras> {
        let joints = self.skeletons.iter().flat_map(|skeleton| &skeleton.joints);
        [&self.extras]
            .into_iter()
            .chain(joints.map(|joint| &joint.extras))
            .chain(self.clips.iter().map(|clip| &clip.extras))
            .chain(self.machines.iter().map(|machine| &machine.extras))
            .chain(self.nodes.iter().map(|node| &node.extras))
            .chain(self.cameras.iter().map(|camera| &camera.extras))
            .chain(self.meshes.iter().map(|mesh| &mesh.extras))
            .chain(self.materials.iter().map(|material| &material.extras))
            .filter(|extras| !extras.is_empty())
    }
}

items! {
    Scene {
        "skeleton", skeletons: Skeleton as SkeletonId =>
            skeleton, skeleton_mut, add_skeleton, enumerate_skeletons, find_skeleton;
        "timeline", timelines: Timeline as TimelineId =>
            timeline, timeline_mut, add_timeline, enumerate_timelines, find_timeline;
        "clip", clips: Clip as ClipId =>
            clip, clip_mut, add_clip, enumerate_clips, find_clip;
        "state machine", machines: StateMachine as MachineId =>
            machine, machine_mut, add_machine, enumerate_machines, find_machine;
        "mesh", meshes: Mesh as MeshId =>
            mesh, mesh_mut, add_mesh, enumerate_meshes, find_mesh;
        "skin", skins: Skin as SkinId =>
            skin, skin_mut, add_skin, enumerate_skins;
        "node", nodes: Node as NodeId =>
            node, node_mut, add_node, enumerate_nodes, find_node;
        "camera", cameras: Camera as CameraId =>
            camera, camera_mut, add_camera, enumerate_cameras, find_camera;
        "material", materials: Material as MaterialId =>
            material, material_mut, add_material, enumerate_materials, find_material;
        "image", images: Image as ImageId =>
            image, image_mut, add_image, enumerate_images, find_image;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JointId, Motion, State};

    #[test]
    fn items_are_found_by_name() {
        let mut scene = Scene::default();
        let mut skeleton = Skeleton::new("body");
        let hip = skeleton.add_joint(Joint::new("hip", None));
        skeleton.add_joint(Joint::new("knee", Some(hip)));
        scene.add_skeleton(Skeleton::new("empty"));
        let body = scene.add_skeleton(skeleton);
        let walk = scene.add_clip(Clip { name: "walk".into(), ..Clip::default() });
        let other = scene.add_clip(Clip { name: "walk".into(), ..Clip::default() });
        let knee = scene.find_joint("knee").unwrap();
        assert_eq!(knee, JointRef { skeleton: body, joint: JointId::new(1) });
        assert_eq!(scene.joint(knee).and_then(|joint| joint.parent), Some(hip));
        assert_eq!(scene.find_clip("walk"), Some(walk), "the first match");
        assert_eq!((scene.find_clip("run"), scene.clip(ClipId::new(2))), (None, None));
        assert_eq!(scene.find_playable("walk"), Some(Playable::Clip(walk)));
        let mut machine = StateMachine { name: "moves".into(), ..StateMachine::default() };
        let state = machine.add_state(State { name: "go".into(), motion: Motion::Clip(walk) });
        let machine = scene.add_machine(machine);
        assert_eq!(scene.find_machine("moves"), Some(machine));
        let go = Playable::State { machine, state };
        assert_eq!(scene.find_playable("go"), Some(go));
        scene.clip_mut(walk).unwrap().end = 1.5;
        let nothing = Playable::State { machine, state: StateId::new(1) };
        let durations = [go, Playable::Clip(walk), nothing, Playable::Clip(ClipId::new(2))];
        assert_eq!(durations.map(|playable| scene.duration_of(playable)), [1.5, 1.5, 0.0, 0.0]);
        // The first clip of this name is played by its state.
        assert_eq!(scene.playables(), [("go", go), ("walk", Playable::Clip(other))]);
        scene.remove_clips(|id, _| id == other);
        assert_eq!(scene.find_playable("walk"), None);
        let ids: Vec<SkeletonId> = scene.enumerate_skeletons().map(|(id, _)| id).collect();
        assert_eq!(ids, [SkeletonId::new(0), body]);
        scene.clip_mut(walk).unwrap().timeline = scene.add_timeline(Timeline::default());
        assert!(scene.motion_of(&scene.clips[0]).is_some());
    }
}
