//! Layers of clips.

use std::collections::BTreeSet;

use anim_ir::{
    Clip, ClipId, Joint, JointId, JointMask, JointRef, Layer, Mesh, Mixer, MorphTarget, Node,
    NodeId, Player, Pose, PoseSpace, Scene, Skeleton, SkeletonId, TimelineBuilder, Wrap,
};
use test_oracle::play::clip::Keys;
use test_oracle::play::mixer::{self as oracle, Kind, Motion, Rig, faded, synchronised_rounds};
use test_oracle::play::{self, Transform};
use test_oracle::random::Rng;

use super::root_motion::transform;
use super::takes::{Take, random_transform, single};
use super::{distance, wrap};

/// What is mixed, for the implementation and for the oracle.
pub(super) struct World {
    pub(super) scene: Scene,
    pub(super) rig: Rig,
    pub(super) takes: Vec<Take>,
    /// The joints that each clip moves.
    pub(super) moves: Vec<Vec<bool>>,
    /// Whether the values of each clip are relative to the rest pose.
    pub(super) deltas: Vec<bool>,
}

impl World {
    pub(super) fn random(rng: &mut Rng, takes: usize) -> World {
        let joints = rng.between(1, 6);
        let mut rig = Rig { rest: Vec::new(), visible: Vec::new(), nodes: Vec::new() };
        let mut scene = Scene::default();
        let mut skeleton = Skeleton::new("s");
        for joint in 0..joints {
            let parent = (joint > 0 && rng.chance(80)).then(|| JointId::new(rng.below(joint)));
            let (rest, visible) = (random_transform(rng), rng.chance(85));
            skeleton.add_joint(Joint {
                rest: transform(&rest),
                visible,
                ..Joint::new("j", parent)
            });
            rig.rest.push(rest);
            rig.visible.push(visible);
        }
        let skeleton = scene.add_skeleton(skeleton);
        for _ in 0..rng.below(4) {
            let joint = rng.chance(60).then(|| rng.below(joints));
            let weights: Vec<f64> =
                (0..rng.between(1, 3)).map(|_| single(rng.range(0.0, 1.0))).collect();
            let mesh = scene.add_mesh(Mesh {
                morph_targets: vec![MorphTarget::default(); weights.len()],
                morph_weights: weights.iter().map(|weight| *weight as f32).collect(),
                ..Mesh::default()
            });
            let parent = joint.map(|joint| JointRef { skeleton, joint: JointId::new(joint) });
            scene.add_node(Node { parent, mesh: Some(mesh), ..Node::default() });
            rig.nodes.push(oracle::Node { joint, weights });
        }
        let mut world =
            World { scene, rig, takes: Vec::new(), moves: Vec::new(), deltas: Vec::new() };
        let deltas = rng.pick(&[0, 0, 0, 50, 100]);
        for _ in 0..takes {
            let deltas = rng.chance(deltas);
            world.add_take(rng, deltas);
        }
        world
    }

    fn add_take(&mut self, rng: &mut Rng, deltas: bool) {
        let joints = self.rig.rest.len();
        let targets: Vec<usize> = self.rig.nodes.iter().map(|node| node.weights.len()).collect();
        let take = Take::random(rng, joints, &targets);
        // The clip names the joints that it moves, or moves those that have keys.
        let names_joints = rng.chance(50);
        let moves = |joint: usize| {
            let Keys { translation, rotation, scale, visible } = &take.joints[joint];
            let keys = translation.len() + rotation.len() + scale.len() + visible.len();
            if names_joints { rng.chance(60) } else { keys > 0 }
        };
        let moves: Vec<bool> = (0..joints).map(moves).collect();
        let space = if deltas { PoseSpace::DeltaFromRest } else { PoseSpace::ParentRelative };
        let mut builder = TimelineBuilder::new("t").with_pose_space(space);
        take.add_to(&mut builder);
        let timeline = self.scene.add_timeline(builder.finish());
        let moved = (0..joints).filter(|joint| moves[*joint]).map(JointId::new);
        let moved: BTreeSet<JointId> = moved.collect();
        let joints = names_joints.then_some(moved);
        let (end, wrap) = (take.duration as f32, Wrap::Loop);
        self.scene.add_clip(Clip { timeline, end, wrap, joints, ..Clip::default() });
        self.takes.push(take);
        self.moves.push(moves);
        self.deltas.push(deltas);
    }

    /// Returns what a clip shows at a time on its clock.
    pub(super) fn motion(&self, clip: usize, clock: f64) -> Motion {
        let (take, moves) = (&self.takes[clip], self.moves[clip].clone());
        let mut pose = oracle::Pose {
            transforms: Vec::new(),
            visible: Vec::new(),
            weights: take.weights_at(clock),
        };
        for (joint, keys) in take.joints.iter().enumerate() {
            let rest = self.rig.rest[joint];
            let base = if self.deltas[clip] { Transform::IDENTITY } else { rest };
            let visible = self.rig.visible[joint];
            if moves[joint] {
                pose.transforms.push(keys.at(clock, &base));
                pose.visible.push(keys.visible_at(clock, visible));
            } else {
                pose.transforms.push(base);
                pose.visible.push(visible);
            }
        }
        Motion { pose, moves, deltas: self.deltas[clip] }
    }

    /// Checks a pose of the mixer against the oracle's, and returns the largest difference.
    pub(super) fn compare(&self, pose: &Pose, expected: &oracle::Mixed, context: &str) -> f64 {
        let deltas = pose.space == PoseSpace::DeltaFromRest;
        assert_eq!(deltas, expected.deltas, "{context}");
        let visible: Vec<bool> = (0..self.rig.rest.len())
            .map(|joint| pose.visible.get(joint).copied().unwrap_or(true))
            .collect();
        assert_eq!(visible, expected.pose.visible);
        assert_eq!(pose.transforms.len(), expected.pose.transforms.len());
        let transforms = pose.transforms.iter().zip(&expected.pose.transforms);
        let mut largest = transforms.map(|(a, b)| distance(a, b)).fold(0.0, f64::max);
        for (node, expected) in &expected.pose.weights {
            let own = &self.scene.meshes[self.scene.nodes[*node].mesh.unwrap().index()];
            let found = pose.weights_of(NodeId::new(*node)).unwrap_or(&own.morph_weights);
            assert_eq!(found.len(), expected.len());
            let apart = found.iter().zip(expected).map(|(a, b)| (f64::from(*a) - b).abs());
            largest = apart.fold(largest, f64::max);
        }
        largest
    }
}

/// A clip that is being played.
#[derive(Clone, Copy, Debug)]
struct Playing {
    clip: usize,
    wrap: play::Wrap,
    start: f64,
    speed: f64,
}

/// A layer and what happens to it after the first step.
#[derive(Clone, Debug)]
struct Script {
    playing: Playing,
    weight: f64,
    mask: Option<Vec<bool>>,
    kind: Kind,
    /// The new weight and the duration of a fade.
    fade: Option<(f64, f64)>,
    crossfade: Option<Crossfade>,
}

#[derive(Clone, Copy, Debug)]
struct Crossfade {
    to: Playing,
    seconds: f64,
    synchronised: bool,
}

fn random_playing(rng: &mut Rng, world: &World) -> Playing {
    let clip = rng.below(world.takes.len());
    let start = rng.below(16) as f64 / 16.0 * world.takes[clip].duration;
    let wrap = if rng.chance(60) { play::Wrap::Loop } else { rng.pick(&play::Wrap::ALL) };
    Playing { clip, wrap, start, speed: rng.pick(&[1.0, 1.0, 0.5, 2.0, -1.0]) }
}

fn random_script(rng: &mut Rng, world: &World) -> Script {
    let joints = world.rig.rest.len();
    let weight = |rng: &mut Rng| rng.pick(&[0.0, 0.25, 0.5, 0.75, 1.0, 1.0]);
    let seconds = |rng: &mut Rng| rng.pick(&[0.0, 0.25, 0.5, 2.0]);
    let reference = |rng: &mut Rng| {
        let transforms: Vec<Transform> = (0..joints).map(|_| random_transform(rng)).collect();
        let weights = world.rig.nodes.iter().enumerate();
        let weights = weights.filter(|(node, _)| node % 2 == 0);
        let weights = weights.map(|(node, of)| (node, vec![0.25; of.weights.len()])).collect();
        let pose = oracle::Pose { transforms, visible: vec![true; joints], weights };
        oracle::Reference { pose, deltas: world.deltas[rng.below(world.deltas.len())] }
    };
    let kind = match rng.below(4) {
        0 => Kind::Additive(None),
        1 => Kind::Additive(Some(reference(rng))),
        _ => Kind::Override,
    };
    let playing = random_playing(rng, world);
    let crossfade = rng.chance(40).then(|| {
        let to = random_playing(rng, world);
        let loops = [playing, to].iter().all(|playing| playing.wrap == play::Wrap::Loop);
        Crossfade { to, seconds: seconds(rng), synchronised: loops && rng.chance(60) }
    });
    Script {
        playing,
        weight: weight(rng),
        mask: rng.chance(40).then(|| (0..joints).map(|_| rng.chance(60)).collect()),
        kind,
        fade: rng.chance(40).then(|| (weight(rng), seconds(rng))),
        crossfade,
    }
}

impl Script {
    fn layer<'a>(&self, world: &'a World) -> Layer<'a> {
        let mut layer = Layer::clip(player(world, self.playing)).with_weight(self.weight as f32);
        if let Some(mask) = &self.mask {
            let joints = (0..mask.len()).filter(|joint| mask[*joint]).map(JointId::new);
            layer = layer.with_mask(JointMask::of(&world.scene.skeletons[0], joints));
        }
        match &self.kind {
            Kind::Override => layer,
            Kind::Additive(None) => layer.additive(),
            Kind::Additive(Some(reference)) => layer.additive_to(pose(reference)),
        }
    }

    /// Returns the layer some seconds after the first step, which took `first` seconds. `None` if
    /// rounding decides on which side of an end or of a key it is.
    fn expected(&self, world: &World, first: f64, since: f64) -> Option<oracle::Layer> {
        let at = |playing: Playing, seconds: f64| {
            let duration = world.takes[playing.clip].duration;
            let position = playing.start + playing.speed * seconds;
            world.motion(playing.clip, clock(playing.wrap, duration, position))
        };
        let old = self.playing;
        let fade = self.fade.map(|(to, seconds)| faded(self.weight, to, seconds, since));
        let mut layer = oracle::Layer {
            motion: at(old, first + since),
            fading_to: None,
            weight: fade.unwrap_or(self.weight),
            mask: self.mask.clone(),
            kind: self.kind.clone(),
        };
        let Some(Crossfade { to, seconds, synchronised }) = self.crossfade else {
            return Some(layer);
        };
        let share = faded(0.0, 1.0, seconds, since);
        let mut new = at(to, since);
        if synchronised {
            let [before, after] = [old, to].map(|playing| world.takes[playing.clip].duration);
            let rates = [old.speed / before, to.speed / after];
            let rounds = synchronised_rounds(rates, seconds, since);
            let began = old.start + old.speed * first;
            let phase = began.rem_euclid(before) / before;
            let old_clock = (began + rounds * before).rem_euclid(before);
            let new_clock = ((phase + rounds) * after).rem_euclid(after);
            let near_key = |clock: f64| (clock * 8.0 - (clock * 8.0).round()).abs() < 1e-6;
            if since > 0.0 && (near_key(old_clock) || near_key(new_clock)) {
                return None;
            }
            layer.motion = world.motion(old.clip, old_clock);
            new = world.motion(to.clip, new_clock);
        }
        if share >= 1.0 {
            layer.motion = new;
        } else {
            layer.fading_to = Some((new, share));
        }
        Some(layer)
    }
}

/// Returns the time on the clock of a clip at a position on the line of all rounds.
fn clock(wrap: play::Wrap, duration: f64, position: f64) -> f64 {
    let there_and_back = |position: f64| duration - (duration - position).abs();
    match wrap {
        play::Wrap::Unspecified => position,
        play::Wrap::Once => position.clamp(0.0, duration),
        play::Wrap::Loop => position.rem_euclid(duration),
        play::Wrap::PingPong => there_and_back(position.rem_euclid(2.0 * duration)),
        play::Wrap::PingPongOnce => there_and_back(position.clamp(0.0, 2.0 * duration)),
    }
}

fn player(world: &World, playing: Playing) -> Player<'_> {
    let player = Player::new(&world.scene, ClipId::new(playing.clip)).unwrap();
    let mut player = player.with_wrap(wrap(playing.wrap)).with_speed(playing.speed);
    player.seek(playing.start);
    player
}

fn pose(oracle::Reference { pose: of, deltas }: &oracle::Reference) -> Pose {
    let weights = |(node, weights): (&usize, &Vec<f64>)| {
        (NodeId::new(*node), weights.iter().map(|weight| *weight as f32).collect())
    };
    Pose {
        transforms: of.transforms.iter().map(transform).collect(),
        visible: of.visible.clone(),
        morph_weights: of.weights.iter().map(weights).collect(),
        space: if *deltas { PoseSpace::DeltaFromRest } else { PoseSpace::ParentRelative },
    }
}

#[test]
fn a_thousand_random_stacks_match_the_oracle() {
    let (mut largest, mut compared, mut skipped) = (0.0_f64, 0, 0);
    for seed in 0..1000 {
        let mut rng = Rng::new(seed);
        let world = World::random(&mut rng, 3);
        let layers: Vec<Script> =
            (0..rng.between(1, 4)).map(|_| random_script(&mut rng, &world)).collect();
        let mut mixer = Mixer::new(&world.scene, SkeletonId::new(0)).unwrap();
        mixer.layers.extend(layers.iter().map(|script| script.layer(&world)));
        let first = rng.below(40) as f64 / 16.0;
        let _ = mixer.advance(first);
        for (layer, script) in mixer.layers.iter_mut().zip(&layers) {
            if let Some((weight, seconds)) = script.fade {
                layer.fade_to(weight as f32, seconds);
            }
            if let Some(Crossfade { to, seconds, synchronised }) = script.crossfade {
                layer.crossfade(player(&world, to), seconds, synchronised);
            }
        }
        let mut since = 0.0;
        let mut pose = Pose::default();
        for step in 0..3 {
            if step > 0 {
                let seconds = rng.below(20) as f64 / 16.0;
                let _ = mixer.advance(seconds);
                since += seconds;
            }
            mixer.pose(&mut pose);
            let expected: Option<Vec<_>> =
                layers.iter().map(|layer| layer.expected(&world, first, since)).collect();
            let expected = expected.map(|layers| oracle::mix(&world.rig, &layers));
            // If rotations are nearly opposite, rounding decides which arc is shorter.
            let Some(expected) = expected.filter(|mixed| mixed.clarity > 0.02) else {
                skipped += 1;
                continue;
            };
            let error = world.compare(
                &pose,
                &expected,
                &format!(
                    "stack {seed}, step {step}, {first} + {since}: {layers:?} {:?}",
                    world.deltas
                ),
            );
            assert!(
                error < 1e-5,
                "stack {seed}, step {step}, {first} + {since} s: {error}\n{layers:#?}"
            );
            largest = largest.max(error);
            compared += 1;
        }
    }
    assert!(compared > 2500, "{compared} compared, {skipped} skipped, error {largest:e}");
}

/// During a crossfade from values relative to the parent to values relative to the rest pose, and
/// after it, with an additive layer over it whose reference is relative to the rest pose.
#[test]
fn the_pose_space_depends_on_what_the_layers_play_now() {
    let mut rng = Rng::new(1);
    let mut world = World::random(&mut rng, 0);
    world.add_take(&mut rng, true);
    world.add_take(&mut rng, false);
    let at = |clip: usize| {
        player(&world, Playing { clip, wrap: play::Wrap::Loop, start: 0.0, speed: 1.0 })
    };
    let mut reference = Pose::default();
    at(0).pose(&mut reference);
    assert_eq!(reference.space, PoseSpace::DeltaFromRest);
    let mut mixer = Mixer::new(&world.scene, SkeletonId::new(0)).unwrap();
    mixer.layers.extend([Layer::clip(at(1)), Layer::clip(at(0)).additive_to(reference)]);
    let mut pose = Pose::default();
    let mut space = |mixer: &mut Mixer<'_>, seconds: f64| {
        let _ = mixer.advance(seconds);
        mixer.pose(&mut pose);
        pose.space
    };
    assert_eq!(space(&mut mixer, 0.25), PoseSpace::ParentRelative);
    mixer.layers[0].crossfade(at(0), 0.5, false);
    assert_eq!(space(&mut mixer, 0.25), PoseSpace::ParentRelative);
    assert_eq!(space(&mut mixer, 0.25), PoseSpace::DeltaFromRest, "the crossfade is over");
}
