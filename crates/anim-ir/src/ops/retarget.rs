//! Retargets the motion of one scene to the joints of another, matching joints by name.

use std::collections::{HashMap, HashSet};

use crate::{Joint, JointId, JointRef, Node, NodeId, Scene, Skeleton, SkeletonId, Transform};

/// The result of [`Scene::take_motion`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retargeted {
    /// The number of joints of the motion that were found in the scene.
    pub found: usize,
    /// Joints of the motion that match no joint or node of the scene. Their tracks are dropped.
    pub missing: Vec<String>,
    /// Joints of the motion that match something that cannot be moved: a node with a skinned mesh,
    /// a joint of another skeleton, a node attached to such a joint, or a skeleton itself. Their
    /// tracks are also dropped.
    pub fixed: Vec<String>,
    /// Names shared by several joints of the skeleton. Only the first of these joints is moved.
    pub ambiguous: Vec<String>,
}

impl Scene {
    /// Adds the timelines, clips, machines and extras of another scene, and maps its joints to the
    /// joints with the same names in this scene. Track values are unchanged: they remain relative
    /// to the parent or to the rest pose.
    ///
    /// All motion is assigned to the skeleton with the most matching names. Nodes with matching
    /// names that do not have their own joint become joints.
    pub fn take_motion(&mut self, mut motion: Scene) -> Retargeted {
        let mut result = Retargeted::default();
        let names = |skeleton: Skeleton| -> Vec<String> {
            skeleton.joints.into_iter().map(|joint| joint.name).collect()
        };
        let names: Vec<Vec<String>> =
            std::mem::take(&mut motion.skeletons).into_iter().map(names).collect();
        let home = self.home(names.iter().flatten());
        let Some(mut finder) = Finder::new(self, home) else { return result };
        // Maps each joint of the motion to a joint of this scene.
        let mut joint_of: Vec<Vec<Option<JointId>>> = Vec::with_capacity(names.len());
        for names in names {
            joint_of.push(names.into_iter().map(|name| finder.find(name, &mut result)).collect());
        }
        let joint = |JointRef { skeleton, joint }: JointRef| {
            let joints = joint_of.get(skeleton.index())?;
            joints.get(joint.index()).copied().flatten()
        };
        let extras = std::mem::take(&mut motion.extras);
        // Meshes of the motion's scene are not part of this scene.
        self.append_motion(motion, |_| home, joint, |_| None);
        self.extras.extend(extras);
        result
    }

    /// Returns the skeleton with the most joints with these names. If none matches, returns the
    /// first skeleton of scene graph nodes, which is added if there is none.
    fn home<'n>(&mut self, names: impl Iterator<Item = &'n String> + Clone) -> SkeletonId {
        let matches = |skeleton: &Skeleton| {
            let here: HashSet<&str> =
                skeleton.joints.iter().map(|joint| joint.name.as_str()).collect();
            names.clone().filter(|name| here.contains(name.as_str())).count()
        };
        // In case of a tie, the first one is used.
        let most = self
            .enumerate_skeletons()
            .map(|(id, skeleton)| (id, matches(skeleton)))
            .rev()
            .max_by_key(|(_, count)| *count)
            .filter(|(_, count)| *count > 0);
        let graph = || self.skeletons.iter().position(|skeleton| !skeleton.bones);
        let found = most.map(|(id, _)| id).or_else(|| graph().map(SkeletonId::new));
        found.unwrap_or_else(|| self.add_skeleton(Skeleton::nodes("")))
    }
}

/// Finds joints by name, and turns nodes with matching names into joints.
struct Finder<'a> {
    skeleton: &'a mut Skeleton,
    home: SkeletonId,
    nodes: &'a mut Vec<Node>,
    /// The first joint with each name, and the number of joints with this name.
    joints: HashMap<String, (JointId, usize)>,
    /// The first node with each name that can become a joint.
    places: HashMap<String, NodeId>,
    /// Names of nodes that cannot become joints.
    fixed: HashSet<String>,
}

impl<'a> Finder<'a> {
    fn new(scene: &'a mut Scene, home: SkeletonId) -> Option<Finder<'a>> {
        let Scene { skeletons, nodes, .. } = scene;
        let mut fixed: HashSet<String> =
            skeletons.iter().map(|skeleton| skeleton.name.clone()).collect();
        let others = skeletons.iter().enumerate().filter(|(index, _)| *index != home.index());
        let others = others.flat_map(|(_, skeleton)| &skeleton.joints);
        fixed.extend(others.map(|joint| joint.name.clone()));
        let skeleton = skeletons.get_mut(home.index())?;
        let mut joints: HashMap<String, (JointId, usize)> = HashMap::new();
        for (id, joint) in skeleton.enumerate_joints() {
            let (_, count) = joints.entry(joint.name.clone()).or_insert((id, 0));
            *count = count.saturating_add(1);
        }
        let mut places = HashMap::new();
        for (index, node) in nodes.iter().enumerate() {
            // A skinned mesh ignores the transform of its node.
            let free =
                node.skin.is_none() && node.parent.is_none_or(|parent| parent.skeleton == home);
            if !free {
                fixed.insert(node.name.clone());
            } else if !joints.contains_key(&node.name) {
                places.entry(node.name.clone()).or_insert(NodeId::new(index));
            }
        }
        Some(Finder { skeleton, home, nodes, joints, places, fixed })
    }

    fn find(&mut self, name: String, result: &mut Retargeted) -> Option<JointId> {
        let made = || {
            let node = self.nodes.get_mut(self.places.get(&name)?.index())?;
            let parent = node.parent.map(|parent| parent.joint);
            let joint = self.skeleton.add_joint(Joint {
                rest: node.transform,
                source_index: self.skeleton.joints.len(),
                ..Joint::new(name.clone(), parent)
            });
            node.transform = Transform::IDENTITY;
            node.parent = Some(JointRef { skeleton: self.home, joint });
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
                let is_fixed = self.fixed.contains(&name);
                if is_fixed { &mut result.fixed } else { &mut result.missing }.push(name);
                None
            }
        }
    }
}
