//! State machine playback.

use std::collections::HashMap;

use thiserror::Error;

use crate::file::number::narrow;
use crate::model::machine::DEEPEST;
use crate::play::crossing::Crossing;
use crate::play::posed::Posed;
use crate::play::state_events::StateEvents;
use crate::{
    ClipId, MachineId, Moment, Motion, Pose, PoseSpace, Sampler, Scene, Sequence, Skeleton,
    StateId, StateMachine,
};

/// Maximum number of cached samplers. A full cache is cleared before the next sampler is added.
const KEPT: usize = 64;

/// Plays a state machine. In a game loop, call `advance`, then `pose`. Once every state has been
/// played, these methods no longer allocate, unless the states play more than 64 different clips.
#[derive(Clone, Debug)]
pub struct StatePlayer<'a> {
    scene: &'a Scene,
    machine: &'a StateMachine,
    skeleton: &'a Skeleton,
    state: StateId,
    clock: f64,
    requested: Option<StateId>,
    /// Whether the events at the current time are still to come.
    is_fresh: bool,
    events: StateEvents<'a>,
    samplers: HashMap<ClipId, Sampler<'a>>,
    spare: Vec<Posed>,
}

/// The answer of a [`StatePlayer`] to the request for a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// The state has been entered.
    Entered,
    /// The state will be entered when the current sequence reaches a key that allows it.
    Waiting {
        /// The index of the key.
        key: usize,
        /// The time until then, in seconds.
        seconds: f64,
    },
    /// The request has no effect.
    Refused(Refusal),
}

/// Why a [`StatePlayer`] refuses a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The machine does not have the requested state.
    #[error("unknown state")]
    UnknownState,
    /// No key of the current sequence has an exit.
    #[error("no key of the sequence has an exit")]
    NoExit,
    /// The current sequence does not reach a key with an exit any more: it plays once, forwards,
    /// and has passed the last one, or it stays at a key without.
    #[error("the sequence does not reach another key with an exit")]
    NoExitAhead,
}

/// A step of a [`StatePlayer`]: the events that it crosses, in the order in which they occur. Those
/// that are not taken before the next step are left out.
#[derive(Debug)]
pub struct StateStep<'p, 'a> {
    player: &'p mut StatePlayer<'a>,
    entered: Option<(StateId, f64)>,
}

impl StateStep<'_, '_> {
    /// Returns the requested state, if this step enters it, and how many seconds after the start of
    /// the step. Events before that are those of the previous state.
    pub const fn entered(&self) -> Option<(StateId, f64)> {
        self.entered
    }
}

impl<'a> Iterator for StateStep<'_, 'a> {
    type Item = Crossing<'a>;

    fn next(&mut self) -> Option<Crossing<'a>> {
        self.player.next_crossing()
    }
}

impl<'a> StatePlayer<'a> {
    /// Maximum nesting depth of sequences, where a sequence of clips is one level. Deeper sequences
    /// show the rest pose.
    pub const DEEPEST: usize = DEEPEST;

    /// Creates a player in the first state of a machine. Returns `None` if the machine or its
    /// skeleton does not exist in the scene.
    pub fn new(scene: &'a Scene, machine: MachineId) -> Option<StatePlayer<'a>> {
        let machine = scene.machine(machine)?;
        let skeleton = scene.skeleton(machine.skeleton)?;
        Some(StatePlayer {
            scene,
            machine,
            skeleton,
            state: StateId::default(),
            clock: 0.0,
            requested: None,
            is_fresh: true,
            events: StateEvents::of(scene, machine),
            samplers: HashMap::new(),
            spare: Vec::new(),
        })
    }

    /// Enters a state immediately, whatever is playing. The state's clock starts at 0.
    pub fn enter(&mut self, state: StateId) {
        (self.state, self.clock, self.requested) = (state, 0.0, None);
        self.is_fresh = true;
    }

    /// Returns the current state.
    pub const fn state(&self) -> StateId {
        self.state
    }

    /// Returns the time since the current state was entered, in seconds.
    pub const fn clock(&self) -> f64 {
        self.clock
    }

    /// Returns the requested state, if it has not been entered yet.
    pub const fn requested(&self) -> Option<StateId> {
        self.requested
    }

    /// Returns the position in the current sequence, or `None` in a state that plays a clip.
    pub fn moment(&self) -> Option<Moment> {
        self.sequence()?.at(self.clock)
    }

    fn sequence(&self) -> Option<&'a Sequence> {
        match self.machine.motion(self.state)? {
            Motion::Sequence(sequence) => Some(sequence),
            Motion::Clip(_) => None,
        }
    }

    /// Requests a state. A clip is left immediately, a sequence at the next key that allows it. A
    /// later request replaces an earlier one, unless it is refused.
    pub fn request(&mut self, state: StateId) -> Answer {
        if self.machine.state(state).is_none() {
            return Answer::Refused(Refusal::UnknownState);
        }
        let sequence = self.sequence().filter(|sequence| !sequence.may_leave_at(self.clock));
        let Some(sequence) = sequence else {
            self.enter(state);
            return Answer::Entered;
        };
        match sequence.next_exit(self.clock, f64::INFINITY) {
            Some((time, key)) => {
                self.requested = Some(state);
                Answer::Waiting { key, seconds: time - self.clock }
            }
            None if sequence.has_exit() => Answer::Refused(Refusal::NoExitAhead),
            None => Answer::Refused(Refusal::NoExit),
        }
    }

    /// Advances the time. If the requested state is entered at an exit key, it plays for the
    /// remaining time. Negative and non-finite values count as 0.
    ///
    /// Returns the events that the step crosses: those of the clips that the states show when they
    /// occur, with the time of the state's clock. As in [`crate::Player::advance`], events at the
    /// start of the step only occur if the state has just been entered.
    pub fn advance(&mut self, seconds: f64) -> StateStep<'_, 'a> {
        let seconds = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        let until = self.clock + seconds;
        let exit = match (self.requested, self.sequence()) {
            (Some(state), Some(sequence)) => {
                sequence.next_exit(self.clock, until).map(|(exit, _)| (state, exit))
            }
            _ => None,
        };
        self.events.clear();
        let from = self.clock;
        let end = exit.map_or(until, |(_, exit)| exit);
        self.play(end, 0.0);
        let Some((state, exit)) = exit else { return StateStep { player: self, entered: None } };
        self.enter(state);
        self.play(until - exit, exit - from);
        StateStep { player: self, entered: Some((state, exit - from)) }
    }

    /// Plays the current state up to a time on its clock, `begins` seconds after the start of the
    /// step.
    fn play(&mut self, until: f64, begins: f64) {
        if until > self.clock {
            self.events.add(self.state, (self.clock, until), self.is_fresh, begins);
            self.is_fresh = false;
        }
        self.clock = until;
    }

    pub(super) fn next_crossing(&mut self) -> Option<Crossing<'a>> {
        self.events.next()
    }

    /// Computes the current pose.
    pub fn pose(&mut self, pose: &mut Pose) {
        let mut made = self.spare.pop().unwrap_or_default();
        std::mem::swap(&mut made.pose, pose);
        self.posed(&mut made);
        std::mem::swap(&mut made.pose, pose);
        self.spare.push(made);
    }

    /// Computes the current pose and the joints that belong to it.
    pub(super) fn posed(&mut self, into: &mut Posed) {
        self.fill(self.state, self.clock, DEEPEST, into);
    }

    /// Computes the pose of a state at a time on the state's clock.
    fn fill(&mut self, state: StateId, time: f64, depth: usize, into: &mut Posed) {
        match self.machine.motion(state) {
            Some(Motion::Clip(clip)) => self.fill_clip(*clip, time, into),
            Some(Motion::Sequence(sequence)) if depth > 0 => {
                let Some(Moment { key, blend }) = sequence.at(time) else {
                    return self.fill_rest(into);
                };
                self.fill_key(sequence.state_of(key), time, depth, into);
                let Some((next, part)) = blend else { return };
                let mut other = self.spare.pop().unwrap_or_default();
                self.fill_key(sequence.state_of(next), time, depth, &mut other);
                into.blend(&mut other, narrow(part), self.skeleton);
                self.spare.push(other);
            }
            _ => self.fill_rest(into),
        }
    }

    fn fill_key(&mut self, state: Option<StateId>, time: f64, depth: usize, into: &mut Posed) {
        match state {
            Some(state) => self.fill(state, time, depth.saturating_sub(1), into),
            None => self.fill_rest(into),
        }
    }

    fn fill_clip(&mut self, id: ClipId, time: f64, into: &mut Posed) {
        let scene = self.scene;
        let found = scene.clip(id).and_then(|clip| Some((clip, scene.timeline(clip.timeline)?)));
        let Some((clip, timeline)) = found else { return self.fill_rest(into) };
        if self.samplers.len() >= KEPT && !self.samplers.contains_key(&id) {
            self.samplers.clear();
        }
        let skeleton = self.skeleton;
        let sampler =
            self.samplers.entry(id).or_insert_with(|| Sampler::for_clip(skeleton, timeline, clip));
        sampler.sample(f64::from(clip.start) + time, &mut into.pose);
        into.moved.clear();
        into.moved.extend(skeleton.enumerate_joints().map(|(joint, _)| clip.has_joint(joint)));
    }

    fn fill_rest(&self, into: &mut Posed) {
        let Pose { transforms, space, visible, morph_weights } = &mut into.pose;
        transforms.clear();
        transforms.extend(self.skeleton.joints.iter().map(|joint| joint.rest));
        *space = PoseSpace::ParentRelative;
        visible.clear();
        morph_weights.clear();
        into.moved.clear();
        into.moved.resize(self.skeleton.joints.len(), false);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{
        Channel, Clip, Event, Joint, JointId, SequenceKey, SequenceOrder, State, TimelineBuilder,
        Transition, Vec3, Wave,
    };

    const JOINTS: [JointId; 2] = [JointId::new(0), JointId::new(1)];
    /// The state in [`scene`] that plays the other states.
    const ALL: StateId = StateId::new(3);

    fn key(state: usize, exit: bool, seconds: f32, morph: bool) -> SequenceKey {
        let way = Transition { seconds, morph };
        SequenceKey { state: Some(StateId::new(state)), exit, forward: way, backward: way }
    }

    /// Returns a scene with three states, each with joint 0 at a different x, and a state that
    /// plays these three as a sequence.
    fn scene(order: SequenceOrder, morph: bool) -> Scene {
        let mut skeleton = Skeleton::nodes("s");
        skeleton.joints.push(Joint::new("a", None));
        skeleton.joints.push(Joint::new("b", None));
        let mut scene = Scene { skeletons: vec![skeleton], ..Scene::default() };
        let mut states = Vec::new();
        for number in 0..3_u8 {
            let mut builder = TimelineBuilder::new("");
            let x = f32::from(number) * 10.0;
            let (start, end) = ([x, 0.0, 0.0], [x, 8.0, 0.0]);
            let wave = Wave { start, end, period: 8.0, ..Wave::default() };
            builder.wave(JOINTS[0].into(), Channel::Translation, wave).unwrap();
            let mut joints = BTreeSet::from([JOINTS[0]]);
            if number == 1 {
                joints.insert(JOINTS[1]);
                builder.constant(JOINTS[1].into(), Channel::Translation, &[7.0, 0.0, 0.0]).unwrap();
            }
            let (joints, timeline) = (Some(joints), scene.add_timeline(builder.finish()));
            let clip = scene.add_clip(Clip { timeline, joints, ..Clip::default() });
            states.push(State { name: number.to_string(), motion: Motion::Clip(clip) });
        }
        let keys =
            vec![key(0, false, 1.0, morph), key(1, true, 2.0, morph), key(2, false, 4.0, morph)];
        let motion = Motion::Sequence(Sequence::new(order, 0, keys));
        states.push(State { name: "all".to_owned(), motion });
        scene.machines.push(StateMachine { states, ..StateMachine::default() });
        scene
    }

    fn places(player: &mut StatePlayer<'_>) -> [Vec3; 2] {
        let mut pose = Pose::default();
        player.pose(&mut pose);
        [pose.transforms[0].translation, pose.transforms[1].translation]
    }

    #[test]
    fn states_of_a_sequence_follow_its_clock() {
        let scene = scene(SequenceOrder::LoopForwards, true);
        let mut player = StatePlayer::new(&scene, MachineId::default()).unwrap();
        player.enter(ALL);
        player.advance(0.25);
        // The transition from the first state (x = 0) to the second (x = 10) is a quarter
        // complete. In all states, y is the number of seconds on the clock of the sequence. Joint 1
        // only moves in the second state.
        assert_eq!(places(&mut player), [Vec3::new(2.5, 0.25, 0.0), Vec3::new(7.0, 0.0, 0.0)]);
        player.advance(7.0);
        assert_eq!(places(&mut player), [Vec3::new(2.5, 7.25, 0.0), Vec3::new(7.0, 0.0, 0.0)]);
        player.enter(StateId::new(9));
        assert_eq!(places(&mut player), [Vec3::ZERO; 2]);
    }

    #[test]
    fn a_sequence_is_left_at_an_exit_key() {
        let scene = scene(SequenceOrder::LoopForwards, true);
        let mut player = StatePlayer::new(&scene, MachineId::default()).unwrap();
        player.request(ALL);
        assert_eq!((player.state(), player.requested()), (ALL, None), "a clip is left immediately");
        player.advance(0.5);
        player.request(StateId::new(2));
        assert_eq!((player.state(), player.requested()), (ALL, Some(StateId::new(2))));
        player.advance(0.25);
        assert_eq!(player.state(), ALL);
        player.advance(1.0);
        let now = (player.state(), player.clock(), player.requested());
        assert_eq!(now, (StateId::new(2), 0.75, None), "the exit key was reached at 1 s");
        player.enter(ALL);
        player.advance(1.5);
        player.request(StateId::new(0));
        player.advance(100.0);
        let now = (player.state(), player.clock());
        assert_eq!(now, (StateId::new(0), 93.5), "the exit key was reached again at 8 s");
    }

    #[test]
    fn an_exit_key_can_be_left_while_it_is_held() {
        let scene = scene(SequenceOrder::OnceForwards, false);
        let mut player = StatePlayer::new(&scene, MachineId::default()).unwrap();
        player.enter(ALL);
        player.advance(2.0);
        player.request(StateId::new(1));
        assert_eq!(player.state(), StateId::new(1));
        player.enter(ALL);
        player.advance(50.0);
        let answer = player.request(StateId::new(1));
        assert_eq!(answer, Answer::Refused(Refusal::NoExitAhead), "the last key has no exit");
        assert_eq!((player.state(), player.requested()), (ALL, None));
    }

    #[test]
    fn requests_are_answered() {
        let mut scene = scene(SequenceOrder::LoopForwards, true);
        let keys = vec![key(0, false, 1.0, true), key(1, false, 1.0, true)];
        let motion = Motion::Sequence(Sequence::new(SequenceOrder::LoopForwards, 0, keys));
        scene.machines[0].states.push(State { name: "closed".to_owned(), motion });
        let mut player = StatePlayer::new(&scene, MachineId::default()).unwrap();
        let refused = |refusal| Answer::Refused(refusal);
        let unknown = player.request(StateId::new(9));
        assert_eq!(unknown, refused(Refusal::UnknownState));
        assert_eq!(player.request(ALL), Answer::Entered, "a clip is left immediately");
        player.advance(0.25);
        let waiting = Answer::Waiting { key: 1, seconds: 0.75 };
        assert_eq!(player.request(StateId::new(2)), waiting);
        assert_eq!(player.request(StateId::new(9)), refused(Refusal::UnknownState));
        assert_eq!(player.requested(), Some(StateId::new(2)), "a refusal changes nothing");
        let step = player.advance(1.0);
        assert_eq!(step.entered(), Some((StateId::new(2), 0.75)));
        player.enter(StateId::new(4));
        assert_eq!(player.request(ALL), refused(Refusal::NoExit));
    }

    #[test]
    fn a_sequence_fires_the_events_of_what_it_shows() {
        let mut scene = scene(SequenceOrder::LoopForwards, false);
        for (timeline, name) in scene.timelines.iter_mut().zip(["first", "second", "third"]) {
            for time in [0.0, 0.5, 1.0, 2.0, 3.0, 7.5, 8.0] {
                timeline.events.push(Event { time, name: name.to_owned(), ..Event::default() });
            }
        }
        scene.clips.iter_mut().for_each(|clip| clip.end = 10.0);
        let mut player = StatePlayer::new(&scene, MachineId::default()).unwrap();
        let fired = |step: StateStep<'_, '_>| -> Vec<(String, f64, f64)> {
            step.map(|crossing| (crossing.event.name.clone(), crossing.time, crossing.after))
                .collect()
        };
        let named = |name: &str, time: f64, after: f64| (name.to_owned(), time, after);
        player.enter(ALL);
        assert_eq!(fired(player.advance(0.0)), []);
        assert_eq!(
            fired(player.advance(2.0)),
            [
                named("first", 0.0, 0.0),
                named("first", 0.5, 0.5),
                named("second", 1.0, 1.0),
                named("second", 2.0, 2.0),
            ]
        );
        assert_eq!(fired(player.advance(0.5)), []);
        // The second round: the first state again, until the exit at the second.
        player.advance(5.0);
        assert_eq!(player.request(StateId::new(2)), Answer::Waiting { key: 1, seconds: 0.5 });
        let step = player.advance(1.0);
        assert_eq!(step.entered(), Some((StateId::new(2), 0.5)));
        assert_eq!(
            fired(step),
            [named("second", 8.0, 0.5), named("third", 0.0, 0.5), named("third", 0.5, 1.0)]
        );
    }

    #[test]
    fn sequences_that_contain_themselves_terminate() {
        let mut scene = scene(SequenceOrder::LoopForwards, true);
        let keys = vec![key(3, true, 1.0, true); 2];
        let own = Sequence::new(SequenceOrder::LoopForwards, 0, keys);
        scene.machines[0].states[3].motion = Motion::Sequence(own);
        let mut player = StatePlayer::new(&scene, MachineId::default()).unwrap();
        player.enter(ALL);
        player.advance(0.5);
        assert_eq!(places(&mut player), [Vec3::ZERO; 2]);
    }
}
