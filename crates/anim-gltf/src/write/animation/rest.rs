//! Rest keys: a key for each channel that is animated by other clips of the skeleton but not by the
//! clip itself. Babylon and Blender would otherwise keep the pose of the previous clip. A partial
//! clip has them for its own joints only.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use anim_ir::diag::{plural, quote};
use anim_ir::{Channel, JointId, JointRef, SkeletonId, insert_all};

use super::planner::{Planned, PlannedClip, Planner, Slot};
use crate::codes;
use crate::error::FromIrError;
use crate::json;
use crate::marks;
use crate::write::hierarchy::JointNodes;
use crate::write::keys::KeyMap;

/// Maximum number of rest keys per channel of a skeleton's clips, in addition to [`ANYWAY`]. There
/// could otherwise be as many as clips times channels.
const PER_CHANNEL: usize = 16;

/// Number of rest keys that the clips of a skeleton may have, however few channels they have.
const ANYWAY: usize = 4096;

/// The same number if any of the skeleton's clips show or hide joints. Without rest keys, parts of
/// the previous clip stay visible.
const ANYWAY_HIDING: usize = 1 << 16;

impl<'a> Planner<'a, '_> {
    /// Adds rest keys to all clips, except for skeletons that would need too many.
    pub(crate) fn add_rest_keys(&mut self, planned: &mut [Planned<'a>]) -> Result<(), FromIrError> {
        // Clips of the same name that move different skeletons are parts of one animation, and only
        // one of them has the weights of a morphed node.
        let mut weights: HashMap<(&str, Slot), SkeletonId> = HashMap::new();
        for Planned { timeline, window, clip, .. } in &*planned {
            let slots = clip.slots.iter().filter(|(_, channel)| *channel == Channel::MorphWeights);
            let slots = slots.filter(|_| !window.name.is_empty());
            weights.extend(slots.map(|slot| ((window.name, *slot), timeline.skeleton)));
        }
        let mut skeletons: BTreeMap<SkeletonId, Vec<&mut Planned<'a>>> = BTreeMap::new();
        for planned in planned {
            skeletons.entry(planned.timeline.skeleton).or_default().push(planned);
        }
        // Clips share the values of rest keys for the same channel.
        let mut outputs: HashMap<Slot, usize> = HashMap::new();
        for (skeleton, planned) in skeletons.into_iter().filter(|(_, clips)| clips.len() > 1) {
            let mut seen = HashSet::new();
            let slots = planned.iter().flat_map(|planned| &planned.clip.slots);
            let all: Vec<Slot> = slots.copied().filter(|slot| seen.insert(*slot)).collect();
            let hides = all.iter().any(|(_, channel)| *channel == Channel::Visibility);
            let anyway = if hides { ANYWAY_HIDING } else { ANYWAY };
            let channels = planned.iter().fold(anyway, |sum, planned| {
                sum.saturating_add(planned.clip.slots.len().saturating_mul(PER_CHANNEL))
            });
            let own = self.slots_of_partial(skeleton, &planned, &all);
            let missing = planned.iter().zip(&own).fold(0_usize, |sum, (planned, own)| {
                let wanted = own.as_ref().map_or(all.len(), Vec::len);
                sum.saturating_add(wanted.saturating_sub(planned.clip.slots.len()))
            });
            if missing > channels {
                self.losses.push(&codes::REST_KEYS, None, || {
                    let name = self.targets.scene.skeleton(skeleton);
                    let name = quote(name.map_or("", |skeleton| &skeleton.name).as_bytes());
                    let clips = plural(planned.len(), "clip");
                    format!("the {clips} of skeleton {name} would need {missing} rest keys")
                });
                continue;
            }
            for (planned, own) in planned.into_iter().zip(own) {
                let is_elsewhere = |slot: &Slot| {
                    let of = weights.get(&(planned.window.name, *slot));
                    of.is_some_and(|of| *of != skeleton)
                };
                let all = own.as_ref().unwrap_or(&all);
                self.add_open(&mut planned.clip, all, is_elsewhere, &mut outputs)?;
            }
        }
        Ok(())
    }

    /// Returns, for each partial clip, the slots of its joints that any clip animates.
    fn slots_of_partial(
        &self,
        skeleton: SkeletonId,
        planned: &[&mut Planned<'a>],
        all: &[Slot],
    ) -> Vec<Option<Vec<Slot>>> {
        let mut by_node: HashMap<usize, Vec<Slot>> = HashMap::new();
        if planned.iter().any(|planned| planned.window.joints.is_some()) {
            for slot in all {
                by_node.entry(slot.0).or_default().push(*slot);
            }
        }
        let slots = |joints: &BTreeSet<JointId>| {
            let nodes = joints
                .iter()
                .filter_map(|joint| self.targets.tree.joint(JointRef { skeleton, joint: *joint }));
            let nodes = nodes.flat_map(JointNodes::all);
            insert_all(nodes.filter_map(|node| by_node.get(&node)).flatten().copied())
        };
        planned.iter().map(|planned| planned.window.joints.map(slots)).collect()
    }

    /// Gives a clip without channels one that holds a node in the rest pose. Returns false if there
    /// is no such node.
    pub(crate) fn hold(&mut self, clip: &mut PlannedClip<'a>) -> Result<bool, FromIrError> {
        let Some(node) = self.targets.tree.roots.first().copied() else { return Ok(false) };
        self.charge("the rest keys", 1)?;
        let slot = (node, Channel::Translation);
        let (value, map) = self.rest(slot);
        let sampler = self.samplers.held_value(clip.range, slot.1, value, map);
        self.channel(clip, slot, sampler, Vec::new());
        Ok(true)
    }

    /// Adds a rest key for each slot that a clip does not animate, unless another part of the
    /// animation does.
    fn add_open(
        &mut self,
        clip: &mut PlannedClip<'a>,
        all: &[Slot],
        is_elsewhere: impl Fn(&Slot) -> bool,
        outputs: &mut HashMap<Slot, usize>,
    ) -> Result<(), FromIrError> {
        let own: HashSet<Slot> = clip.slots.iter().copied().collect();
        let open = || all.iter().filter(|slot| !own.contains(slot) && !is_elsewhere(slot));
        let missing = open().count();
        self.charge("the rest keys", missing)?;
        for slot in open() {
            let mut marks = vec![(marks::REST, true.into())];
            let sampler = if clip.channels.is_empty() {
                // A clip with only rest keys also needs a duration.
                marks.push((marks::HELD, true.into()));
                let (value, map) = self.rest(*slot);
                self.samplers.held_value(clip.range, slot.1, value, map)
            } else if let Some(output) = outputs.get(slot) {
                self.samplers.key_of(clip.range.0, *output)
            } else {
                let (value, map) = self.rest(*slot);
                let sampler = self.samplers.one_key(clip.range.0, slot.1, value, map);
                outputs.insert(*slot, sampler.output);
                sampler
            };
            self.channel(clip, *slot, sampler, marks);
        }
        Ok(())
    }

    /// Returns the value of a slot in the rest pose.
    fn rest(&self, (node, channel): Slot) -> (Vec<f32>, KeyMap) {
        let none = json::Node::default();
        let is_flagged = self.targets.tree.is_flagged(node);
        let node = self.targets.tree.nodes.get(node).unwrap_or(&none);
        let shown = node.extensions.visibility;
        match channel {
            Channel::Translation => (node.translation.unwrap_or_default().to_vec(), KeyMap::Copy),
            Channel::Rotation => {
                (node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]).to_vec(), KeyMap::Copy)
            }
            Channel::MorphWeights => {
                let mesh = node.mesh.and_then(|mesh| self.meshes.get(mesh));
                (mesh.map(|mesh| mesh.weights.to_vec()).unwrap_or_default(), KeyMap::Copy)
            }
            Channel::Visibility if is_flagged => {
                let is_hidden = shown.is_some_and(|shown| !shown.visible);
                (vec![if is_hidden { 0.0 } else { 1.0 }], KeyMap::Flag)
            }
            // A hidden joint has a scale of 0.
            _ => (node.scale.unwrap_or([1.0; 3]).to_vec(), KeyMap::Copy),
        }
    }
}
