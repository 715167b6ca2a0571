//! Motion of one scene on the joints of another, by name.

use std::collections::{HashMap, HashSet};

use crate::model::machine::Motion;
use crate::model::scene::{Node, Scene};
use crate::model::skeleton::{Joint, Skeleton};
use crate::model::timeline::Target;

/// What came of [`Scene::take_motion`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retargeted {
    /// How many joints of the motion were found.
    pub found: usize,
    /// Names of joints of the motion that the scene has no joint and no node of: their tracks are
    /// gone.
    pub missing: Vec<String>,
    /// Names of nodes that are there and do not move: their mesh follows a skin, they hang from
    /// another skeleton, or they stand above bones. Their tracks are gone too.
    pub fixed: Vec<String>,
    /// Names that several joints of the scene have: the first one moves.
    pub ambiguous: Vec<String>,
}

impl Scene {
    /// Adds the timelines, clips, machines and extras of another scene, whose joints become those
    /// of the same names here. The values of tracks stay: they are relative to the parent here too.
    ///
    /// All motion goes to one skeleton, that with the most of the names. A node that bears a name
    /// and is at no joint's place becomes a joint there.
    pub fn take_motion(&mut self, motion: Scene) -> Retargeted {
        let mut result = Retargeted::default();
        let joint_names = |skeleton: &Skeleton| {
            skeleton.joints.iter().map(|joint| joint.name.clone()).collect::<Vec<String>>()
        };
        let names: Vec<Vec<String>> = motion.skeletons.iter().map(joint_names).collect();
        let home = self.home(names.iter().flatten());
        let Some(mut finder) = Finder::new(self, home) else { return result };
        // For each joint of the motion the joint here.
        let mut joint_of: Vec<Vec<Option<usize>>> = Vec::with_capacity(names.len());
        for names in names {
            joint_of.push(names.into_iter().map(|name| finder.find(name, &mut result)).collect());
        }
        let (timelines, clips) = (self.timelines.len(), self.clips.len());
        let joint = |skeleton: usize, joint: usize| {
            joint_of.get(skeleton).and_then(|joints| joints.get(joint).copied()).flatten()
        };
        for clip in motion.clips {
            let skeleton =
                motion.timelines.get(clip.timeline).map_or(0, |timeline| timeline.skeleton);
            let joints = clip.joints.map(|joints| {
                joints.into_iter().filter_map(|number| joint(skeleton, number)).collect()
            });
            self.clips.push(crate::Clip {
                timeline: clip.timeline.saturating_add(timelines),
                joints,
                ..clip
            });
        }
        for mut timeline in motion.timelines {
            let skeleton = timeline.skeleton;
            timeline.retain_targets(|target| match target {
                Target::Joint(number) => joint(skeleton, number).map(Target::Joint),
                // Meshes of the motion's own scene are not here.
                Target::Node(_) => None,
            });
            timeline.skeleton = home;
            self.timelines.push(timeline);
        }
        for mut machine in motion.machines {
            machine.skeleton = home;
            for state in &mut machine.states {
                if let Motion::Clip(clip) = &mut state.motion {
                    *clip = clip.saturating_add(clips);
                }
            }
            self.machines.push(machine);
        }
        self.extras.extend(motion.extras);
        result
    }

    /// The skeleton with the most joints of these names; where there is none, one of nodes.
    fn home<'n>(&mut self, names: impl Iterator<Item = &'n String> + Clone) -> usize {
        let matches = |skeleton: &Skeleton| {
            let here: HashSet<&str> =
                skeleton.joints.iter().map(|joint| joint.name.as_str()).collect();
            names.clone().filter(|name| here.contains(name.as_str())).count()
        };
        // The first of several equals.
        let most = self
            .skeletons
            .iter()
            .map(matches)
            .enumerate()
            .rev()
            .max_by_key(|(_, count)| *count)
            .filter(|(_, count)| *count > 0);
        let graph = || self.skeletons.iter().position(|skeleton| !skeleton.bones);
        if let Some(index) = most.map(|(index, _)| index).or_else(graph) {
            return index;
        }
        self.skeletons.push(Skeleton::nodes(""));
        self.skeletons.len().saturating_sub(1)
    }
}

/// Finds joints by name, and makes one where a node has the name.
struct Finder<'a> {
    skeleton: &'a mut Skeleton,
    home: usize,
    nodes: &'a mut Vec<Node>,
    /// The first joint of each name, and how many have it.
    joints: HashMap<String, (usize, usize)>,
    /// The first node of each name that may become a joint.
    places: HashMap<String, usize>,
    /// Names of what is there and cannot.
    fixed: HashSet<String>,
}

impl<'a> Finder<'a> {
    fn new(scene: &'a mut Scene, home: usize) -> Option<Finder<'a>> {
        let Scene { skeletons, nodes, .. } = scene;
        let mut fixed: HashSet<String> =
            skeletons.iter().map(|skeleton| skeleton.name.clone()).collect();
        let others = skeletons.iter().enumerate().filter(|(index, _)| *index != home);
        fixed.extend(
            others.flat_map(|(_, skeleton)| &skeleton.joints).map(|joint| joint.name.clone()),
        );
        let skeleton = skeletons.get_mut(home)?;
        let mut joints: HashMap<String, (usize, usize)> = HashMap::new();
        for (index, joint) in skeleton.joints.iter().enumerate() {
            let (_, count) = joints.entry(joint.name.clone()).or_insert((index, 0));
            *count = count.saturating_add(1);
        }
        let mut places = HashMap::new();
        for (index, node) in nodes.iter().enumerate() {
            // A skin moves its mesh whatever its node does.
            let free =
                node.skin.is_none() && node.parent.is_none_or(|(skeleton, _)| skeleton == home);
            if !free {
                fixed.insert(node.name.clone());
            } else if !joints.contains_key(&node.name) {
                places.entry(node.name.clone()).or_insert(index);
            }
        }
        Some(Finder { skeleton, home, nodes, joints, places, fixed })
    }

    fn find(&mut self, name: String, result: &mut Retargeted) -> Option<usize> {
        let made = || {
            let node = self.nodes.get_mut(*self.places.get(&name)?)?;
            let joint = self.skeleton.joints.len();
            let parent = node.parent.map(|(_, joint)| joint);
            self.skeleton.joints.push(Joint {
                rest: node.transform,
                source_index: joint,
                ..Joint::new(name.clone(), parent)
            });
            node.transform = crate::Transform::IDENTITY;
            node.parent = Some((self.home, joint));
            Some((joint, 1))
        };
        match self.joints.get(&name).copied().or_else(made) {
            Some((joint, count)) => {
                result.found = result.found.saturating_add(1);
                if count > 1 {
                    result.ambiguous.push(name);
                }
                Some(joint)
            }
            None => {
                let list = if self.fixed.contains(&name) {
                    &mut result.fixed
                } else {
                    &mut result.missing
                };
                list.push(name);
                None
            }
        }
    }
}
