//! Clips as sensors, interpolators and routes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use anim_ir::diag::quote;
use anim_ir::number::narrow;
use anim_ir::{
    Channel, Clip, Cut, Deformer, Diagnostics, Joint, JointRef, LimitError, NodeId as SceneNodeId,
    PoseSpace, Quat, Target, Timeline, Track, Vec3, Wrap,
};

use super::binds::even;
use super::joints::{Placed, Tree};
use super::keys::Lines;
use super::moving::Block;
use super::skinned::Skinned;
use super::vertices::{Bent, rows};
use crate::codes;
use crate::graph::{End, NodeId, Route, Value};
use crate::make::{Maker, axis_angle, floats};

/// The memory charged for a route.
const ROUTE_BYTES: usize = 128;
/// The length of a clip without one, in seconds.
const INSTANT: f64 = 1.0;

/// Converts clips.
pub(super) struct Clips<'s, 't> {
    pub(super) maker: Maker<'s>,
    pub(super) tree: &'t Tree<'t>,
    /// How often skins are sampled, in frames per second; `None` for as often as necessary.
    pub(super) rate: Option<f64>,
    pub(super) routes: Vec<Route>,
    pub(super) losses: Diagnostics,
    /// The joints that have been reported as sheared.
    sheared: HashSet<JointRef>,
    /// The nodes that set what a clip does not move to its value at rest. Clips share them.
    resting: HashMap<Block, Vec<NodeId>>,
}

/// A clip that is being written.
struct Take<'c> {
    name: &'c str,
    /// What interpolators get their fractions from: the sensor or a relay, and its output.
    driver: (NodeId, &'static str),
    /// In seconds.
    length: f64,
    /// The keys of the clip, from 0 s.
    timeline: &'c Timeline,
    /// The nodes made for the clip.
    nodes: Vec<NodeId>,
}

impl Take<'_> {
    fn fractions(&self, times: impl IntoIterator<Item = f32>) -> Vec<f32> {
        let fraction = |time: f32| narrow((f64::from(time) / self.length).clamp(0.0, 1.0));
        times.into_iter().map(fraction).collect()
    }
}

impl<'s, 't> Clips<'s, 't> {
    pub(super) fn new(
        maker: Maker<'s>,
        tree: &'t Tree<'t>,
        rate: Option<f64>,
        losses: Diagnostics,
    ) -> Clips<'s, 't> {
        let (sheared, resting) = (HashSet::new(), HashMap::new());
        Clips { maker, tree, rate, routes: Vec::new(), losses, sheared, resting }
    }

    /// Adds the nodes and routes of a clip. Returns the nodes. The first clip plays from the start
    /// if it loops.
    pub(super) fn clip(&mut self, clip: &Clip, is_first: bool) -> Result<Vec<NodeId>, LimitError> {
        let Some(timeline) = self.maker.scene.timeline(clip.timeline) else {
            return Ok(Vec::new());
        };
        let cut = Cut::default().with_borders(true).with_rebase(true).without_events();
        let timeline = timeline.cut(clip, cut);
        let loops = matches!(clip.wrap, Wrap::Loop | Wrap::PingPong | Wrap::Unspecified);
        let backwards = matches!(clip.wrap, Wrap::PingPong | Wrap::PingPongOnce);
        self.losses.lost(&codes::LOSS_WRAP, backwards, || {
            format!("{} is played forwards only", quote(clip.name.as_bytes()))
        });
        let is_instant = clip.duration() == 0.0;
        self.losses.lost(&codes::LOSS_LENGTH, is_instant, || {
            format!("{} has no duration and is written as {INSTANT} s", quote(clip.name.as_bytes()))
        });
        self.losses.lost(&codes::LOSS_START, clip.start != 0.0, || {
            format!("{} starts at {} s", quote(clip.name.as_bytes()), clip.start)
        });
        let length = if is_instant { INSTANT } else { clip.duration() };
        let mut fields = vec![("cycleInterval", floats([narrow(length)]))];
        fields.push(("loop", Value::Bool(loops)));
        if !is_first {
            // A sensor starts with the file unless it has been stopped since it started. Time 0 is
            // in 1970 (ISO/IEC 19775-1, 4.4.8) or, in some programs, when the file is opened.
            fields.extend([("startTime", floats([-2.0])), ("stopTime", floats([-1.0]))]);
        }
        let name = if clip.name.is_empty() { "animation" } else { &clip.name };
        let sensor = self.maker.add("TimeSensor", name, fields)?;
        let driver = (sensor, "fraction_changed");
        let mut take = Take { name, driver, length, timeline: &timeline, nodes: vec![sensor] };
        for track in timeline.tracks() {
            match track.target {
                Target::Joint(joint) => {
                    let at = JointRef { skeleton: timeline.skeleton, joint };
                    self.joint(&mut take, at, track)?;
                }
                Target::Node(node) => self.weights(&mut take, node, track)?,
                _ => {}
            }
        }
        let tree = self.tree;
        self.rest(&mut take, clip)?;
        for node in tree.moving.skinned.get(&timeline.skeleton).into_iter().flatten() {
            if let Some(bent) = tree.bent.get(node).filter(|bent| bent.skin.is_some()) {
                self.skin(&mut take, bent)?;
            }
        }
        Ok(take.nodes)
    }

    /// Sets what other clips move, but this one does not, to its value at rest. In X3D, it would
    /// otherwise stay as the last clip left it.
    fn rest(&mut self, take: &mut Take<'_>, clip: &Clip) -> Result<(), LimitError> {
        let tracks = take.timeline.tracks().iter();
        let own = tracks.map(|track| (track.target, track.channel)).collect();
        let moving = self.tree.moving;
        let name = std::mem::replace(&mut take.name, "rest");
        for of in [Some(take.timeline.skeleton), None] {
            for range in moving.by_others(of, clip, &own) {
                for block in Block::cover(of, range) {
                    self.rest_block(take, block)?;
                }
            }
        }
        take.name = name;
        Ok(())
    }

    /// Sets a block to its values at rest, by the nodes that another clip set it with, if any.
    fn rest_block(&mut self, take: &mut Take<'_>, block: Block) -> Result<(), LimitError> {
        if let Some(known) = self.resting.get(&block) {
            let (from, output) = take.driver;
            for node in known.clone() {
                self.route(from, output, node, "set_fraction")?;
            }
            return Ok(());
        }
        let made = if block.size > 1 {
            let whole = || floats([0.0, 1.0]);
            let fields = vec![("key", whole()), ("keyValue", whole())];
            let relay = self.maker.add("ScalarInterpolator", take.name, fields)?;
            self.drive(take, relay)?;
            let driver = std::mem::replace(&mut take.driver, (relay, "value_changed"));
            for part in block.parts() {
                self.rest_block(take, part)?;
            }
            take.driver = driver;
            vec![relay]
        } else {
            let before = take.nodes.len();
            if let Some((target, channel)) = self.tree.moving.of_skeleton(block.of).get(block.start)
            {
                self.rest_channel(take, *target, *channel)?;
            }
            take.nodes.get(before..).unwrap_or_default().to_vec()
        };
        self.resting.insert(block, made);
        Ok(())
    }

    fn rest_channel(
        &mut self,
        take: &mut Take<'_>,
        target: Target,
        channel: Channel,
    ) -> Result<(), LimitError> {
        match target {
            Target::Joint(joint) => {
                let at = JointRef { skeleton: take.timeline.skeleton, joint };
                let rest = self.maker.scene.joint(at).map(|joint| at_rest(joint, channel));
                self.moves(take, at, channel, &Lines::constant(rest.unwrap_or_default()), None)
            }
            Target::Node(node) => self.shapes(take, node, Lines::constant(Vec::new())),
            _ => Ok(()),
        }
    }

    /// Adds the interpolators of a joint's track.
    fn joint(
        &mut self,
        take: &mut Take<'_>,
        at: JointRef,
        track: &Track,
    ) -> Result<(), LimitError> {
        let Some(joint) = self.maker.scene.joint(at) else { return Ok(()) };
        let lines = self.lines(take, track)?;
        let is_delta = take.timeline.pose_space == PoseSpace::DeltaFromRest;
        let is_sheared = is_delta && even(joint.rest_matrix()).is_none() && self.sheared.insert(at);
        self.losses.lost(&codes::LOSS_SHEAR, is_sheared, || {
            format!(
                "joint {} is sheared, or scaled unevenly, before it moves",
                quote(joint.name.as_bytes())
            )
        });
        self.moves(take, at, track.channel, &lines, is_delta.then_some(joint))
    }

    /// Adds the interpolators of a joint's channel. The values follow the rest of the joint
    /// `before`, if there is one.
    fn moves(
        &mut self,
        take: &mut Take<'_>,
        at: JointRef,
        channel: Channel,
        lines: &Lines,
        before: Option<&Joint>,
    ) -> Result<(), LimitError> {
        let (tree, scene) = (self.tree, self.maker.scene);
        let Some(joint) = scene.joint(at) else { return Ok(()) };
        let name = format!("{}_{}_{}", take.name, joint.name, channel.name());
        if channel == Channel::Visibility {
            let choice = |value: &[f32]| if value.first() == Some(&0.0) { -1 } else { 0 };
            let keys = floats(take.fractions(lines.times.iter().copied()));
            let choices = Value::Ints(Arc::new(lines.values().map(choice).collect()));
            let fields = vec![("key", keys), ("keyValue", choices)];
            let node = self.maker.add("IntegerSequencer", &name, fields)?;
            self.drive(take, node)?;
            for switch in tree.switches.get(&at).into_iter().flatten() {
                self.route(node, "value_changed", *switch, "set_whichChoice")?;
            }
            return Ok(());
        }
        let (kind, input) = match channel {
            Channel::Translation => ("PositionInterpolator", "set_translation"),
            Channel::Rotation => ("OrientationInterpolator", "set_rotation"),
            Channel::Scale => ("PositionInterpolator", "set_scale"),
            _ => return Ok(()),
        };
        for placed in tree.placed(at.skeleton, at.joint) {
            let place = Place { before, placed };
            let keys = floats(take.fractions(lines.times.iter().copied()));
            let fields = vec![("key", keys), ("keyValue", floats(place.values(channel, lines)))];
            let node = self.maker.add(kind, &name, fields)?;
            self.drive(take, node)?;
            self.route(node, "value_changed", placed.node, input)?;
        }
        Ok(())
    }

    fn lines(&mut self, take: &Take<'_>, track: &Track) -> Result<Lines, LimitError> {
        let lines = Lines::of(take.timeline, track, self.maker.budget)?;
        self.losses.lost(&codes::LOSS_SPLINE, lines.approximate, || {
            format!("{} has cubic keys", quote(take.name.as_bytes()))
        });
        Ok(lines)
    }

    /// Adds the interpolators of a mesh whose morph weights change.
    fn weights(
        &mut self,
        take: &mut Take<'_>,
        node: SceneNodeId,
        track: &Track,
    ) -> Result<(), LimitError> {
        let lines = self.lines(take, track)?;
        self.shapes(take, node, lines)
    }

    /// Adds the interpolators of a mesh with these weights.
    fn shapes(
        &mut self,
        take: &mut Take<'_>,
        node: SceneNodeId,
        lines: Lines,
    ) -> Result<(), LimitError> {
        let (tree, scene) = (self.tree, self.maker.scene);
        let Some(bent) = tree.bent.get(&node) else { return Ok(()) };
        let skin = bent.skin.and_then(|skin| scene.skin(skin));
        if skin.is_some_and(|skin| skin.skeleton == take.timeline.skeleton) {
            // Sampled with the joints.
            return Ok(());
        }
        let at_rest = self.maker.skin_at_rest(bent.skin);
        // No weights stand for those at rest.
        let mesh = scene.node(node).and_then(|node| scene.mesh(node.mesh?));
        let rest = mesh.map(|mesh| &*mesh.morph_weights).unwrap_or_default();
        let poses = lines.values().map(|weights| {
            let weights = if weights.is_empty() { rest } else { weights };
            (weights.to_vec(), at_rest.clone())
        });
        self.vertices(take, bent, &lines.times, poses)
    }

    /// Adds the interpolators of a mesh whose skin is sampled.
    fn skin(&mut self, take: &mut Take<'_>, bent: &Bent) -> Result<(), LimitError> {
        let scene = self.maker.scene;
        let Some(mut skinned) = Skinned::new(scene, take.timeline, take.length, bent) else {
            return Ok(());
        };
        let times = skinned.times(self.rate, self.maker.budget)?;
        skinned.charge_poses(times.len(), self.maker.budget)?;
        self.vertices(take, bent, &times, times.iter().map(|time| skinned.pose(*time)))
    }

    /// Adds interpolators for the vertices of a mesh with the given weights and skin matrices.
    fn vertices(
        &mut self,
        take: &mut Take<'_>,
        bent: &Bent,
        times: &[f32],
        poses: impl Iterator<Item = (Vec<f32>, Vec<anim_ir::Mat4>)>,
    ) -> Result<(), LimitError> {
        let scene = self.maker.scene;
        let Some(node) = scene.node(bent.node) else { return Ok(()) };
        let Some(mesh) = node.mesh.and_then(|mesh| scene.mesh(mesh)) else { return Ok(()) };
        let bends_normals = bent.skin.is_some()
            || mesh.morph_targets.iter().any(|target| !target.normals.is_empty());
        let normals = bent.normals.filter(|_| bends_normals);
        let lists = bent.points.len().saturating_add(usize::from(normals.is_some()));
        let numbers = mesh.positions.len().saturating_mul(3).saturating_mul(times.len());
        self.maker
            .budget
            .check("vertices × keys", numbers.saturating_mul(lists.saturating_mul(4)))?;
        let mut points: Vec<Vec<f32>> = vec![Vec::new(); bent.points.len()];
        let mut vectors: Vec<f32> = Vec::new();
        let mut deformer = Deformer::default();
        for (weights, matrices) in poses {
            deformer.deform(mesh, &weights, &matrices);
            let positions: &[f32] = bytemuck::cast_slice(deformer.positions());
            for (list, (_, of)) in points.iter_mut().zip(&bent.points) {
                list.extend_from_slice(&rows(positions, of.as_deref()));
            }
            if normals.is_some() {
                vectors.extend_from_slice(bytemuck::cast_slice::<Vec3, f32>(deformer.normals()));
            }
        }
        let name = if node.name.is_empty() { &mesh.name } else { &node.name };
        let name = format!("{}_{name}_vertices", take.name);
        let to_points = points.into_iter().zip(&bent.points);
        let to_points = to_points
            .map(|(list, (target, _))| ("CoordinateInterpolator", list, *target, "set_point"));
        let to_normals =
            normals.map(|target| ("NormalInterpolator", vectors, target, "set_vector"));
        for (kind, list, target, input) in to_points.chain(to_normals) {
            let keys = floats(take.fractions(times.iter().copied()));
            let fields = vec![("key", keys), ("keyValue", floats(list))];
            let node = self.maker.add(kind, &name, fields)?;
            self.drive(take, node)?;
            self.route(node, "value_changed", target, input)?;
        }
        Ok(())
    }

    /// Connects an interpolator or sequencer to what drives it.
    fn drive(&mut self, take: &mut Take<'_>, node: NodeId) -> Result<(), LimitError> {
        take.nodes.push(node);
        let (from, output) = take.driver;
        self.route(from, output, node, "set_fraction")
    }

    fn route(
        &mut self,
        from: NodeId,
        output: &str,
        to: NodeId,
        input: &str,
    ) -> Result<(), LimitError> {
        self.maker.budget.charge("routes", ROUTE_BYTES)?;
        self.routes.push(Route {
            from: End::Node(from),
            output: output.into(),
            to: End::Node(to),
            input: input.into(),
            span: self.maker.span,
        });
        Ok(())
    }
}

/// What becomes of a track's values at a node.
struct Place<'p> {
    /// The joint whose rest the values follow.
    before: Option<&'p Joint>,
    placed: &'p Placed,
}

impl Place<'_> {
    /// Returns the values of a channel's keys, one after another.
    fn values(&self, channel: Channel, lines: &Lines) -> Vec<f32> {
        let width = if channel == Channel::Rotation { 4 } else { 3 };
        let mut all = Vec::with_capacity(lines.times.len().saturating_mul(width));
        for value in lines.values() {
            if channel == Channel::Rotation {
                all.extend(self.rotation(value));
            } else {
                all.extend(self.vector(channel, value));
            }
        }
        all
    }

    /// Returns a rotation as an axis and an angle.
    fn rotation(&self, value: &[f32]) -> [f32; 4] {
        let own = value.first_chunk::<4>().map_or(Quat::IDENTITY, |value| Quat::from(*value));
        let local = self.before.map_or(own, |joint| joint.rest.rotation * own);
        axis_angle(self.placed.bind.as_deref().map_or(local, |bind| bind.rotation(local)))
    }

    fn vector(&self, channel: Channel, value: &[f32]) -> [f32; 3] {
        let rest = self.before.map(|joint| joint.rest);
        let bind = self.placed.bind.as_deref();
        let own = value.first_chunk::<3>().map_or(Vec3::ZERO, |[x, y, z]| Vec3::new(*x, *y, *z));
        let placed = if channel == Channel::Scale {
            let local = rest.map_or(own, |rest| rest.scale * own);
            bind.map_or(local, |bind| bind.scale(local))
        } else {
            let local = rest.map_or(own, |rest| rest.transform_point(own));
            bind.map_or(local, |bind| bind.translation(local))
        };
        placed.to_array()
    }
}

/// Returns the value of a joint's channel at rest.
fn at_rest(joint: &Joint, channel: Channel) -> Vec<f32> {
    match channel {
        Channel::Translation => joint.rest.translation.to_array().to_vec(),
        Channel::Rotation => joint.rest.rotation.to_array().to_vec(),
        Channel::Scale => joint.rest.scale.to_array().to_vec(),
        _ => vec![if joint.visible { 1.0 } else { 0.0 }],
    }
}
