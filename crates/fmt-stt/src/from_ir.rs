//! Conversion from scenes to documents.

mod keyed;
mod losses;
mod maker;
mod waves;

use anim_ir::diag::quote;
use anim_ir::{
    Axes, Clip, Converted, Diagnostics, Motion, Parsed, Playable, Scene, Sequence, Severity,
    StateId, Transition, require_valid,
};

use crate::codes;
use crate::document::Document;
use crate::error::FromIrError;
use crate::extras::parsed_from_extras;
use crate::motion::{ORDERS, SequenceType, Step};
use crate::options::FromIr;
use crate::writer::{NewKey, NewMotion, NewSequence, NewState};
use maker::{Maker, Moving, unique};

/// Converts the scene's clips and state machines to states, and reports losses.
///
/// If the scene was created from an STT file without errors, still has its state machine, and has
/// no other clips, the original states are written. Otherwise:
///
/// - a clip of waves and constants becomes a SINGLE state,
/// - a clip with keys becomes a SINGLE state for each key time, and a KEYFRAME state that plays
///   these states, and
/// - a sequence of a state machine becomes a KEYFRAME state.
///
/// # Errors
///
/// [`FromIrError`] if the scene is invalid ([`anim_ir::validate`]), has no clips, has a clip that
/// moves no joints, contains a value that the format cannot store, or has more samples than the
/// limits allow.
pub fn from_ir(
    scene: &Scene,
    options: &FromIr,
) -> Result<Converted<Document<'static>>, FromIrError> {
    require_valid(scene)?;
    let mut losses = Diagnostics::new();
    losses::scene_losses(scene, &mut losses);
    // A scene without its state machine has been changed since it was read. The text of a file
    // with errors is not reused; its states are written as they were parsed.
    let is_error_free = |diagnostics: &Diagnostics| diagnostics.worst() < Some(Severity::Error);
    if has_only_states(scene)
        && let Some(Parsed { value: document, diagnostics }) = parsed_from_extras(&scene.extras)
        && is_error_free(&diagnostics)
    {
        losses.push(&codes::FROM_EXTRAS, None, || {
            "writing the states of the STT file that the scene was created from".to_owned()
        });
        return Ok(Converted { value: document, losses });
    }
    losses::hierarchy_loss(scene, &mut losses);
    if scene.clips.is_empty() {
        return Err(FromIrError::Empty);
    }
    let scene = &*scene.in_axes(Axes::YUp);
    let mut maker = Maker::new(scene, options, losses);
    maker.make()?;
    Ok(Converted { value: Document::build(&maker.states)?, losses: maker.losses })
}

/// Whether there is one state machine, and it plays all clips. A scene to which others were added
/// has more than the states of its STT file.
fn has_only_states(scene: &Scene) -> bool {
    let is_clip = |(_, playable): &(&str, Playable)| matches!(playable, Playable::Clip(_));
    scene.machines.len() == 1 && !scene.playables().iter().any(is_clip)
}

/// The memory charged for visiting a joint, which allocates nothing.
const POSE_BYTES: usize = 4;

/// The content of an output state.
enum Item<'a> {
    Clip(&'a Clip),
    Sequence(usize, &'a Sequence),
    /// A reference to another output state, for a clip that is already written as that state.
    Same(String),
}

impl<'a> Maker<'a> {
    fn make(&mut self) -> Result<(), FromIrError> {
        let scene = self.scene;
        let mut items = Vec::new();
        let mut of_clips: Vec<Option<String>> = vec![None; scene.clips.len()];
        let mut of_machines = Vec::new();
        for (number, machine) in scene.machines.iter().enumerate() {
            let mut names = Vec::new();
            for state in &machine.states {
                let name = unique(&mut self.names, &state.name, &mut self.losses);
                let item = match &state.motion {
                    Motion::Sequence(sequence) => Some(Item::Sequence(number, sequence)),
                    Motion::Clip(id) => match (scene.clip(*id), of_clips.get_mut(id.index())) {
                        (Some(clip), Some(slot)) => {
                            Some(slot.clone().map_or(Item::Clip(clip), Item::Same))
                                .inspect(|_| *slot = Some(name.clone()))
                        }
                        _ => None,
                    },
                    _ => None,
                };
                names.push(Some(name.clone()).filter(|_| item.is_some()));
                items.extend(item.map(|item| (name, item)));
            }
            of_machines.push(names);
        }
        for (clip, _) in scene.clips.iter().zip(&of_clips).filter(|(_, name)| name.is_none()) {
            items.push((unique(&mut self.names, &clip.name, &mut self.losses), Item::Clip(clip)));
        }
        for (name, item) in items {
            match item {
                Item::Clip(clip) => self.clip(name, clip)?,
                Item::Sequence(machine, sequence) => self.sequence(
                    name,
                    sequence,
                    of_machines.get(machine).map_or(&[], Vec::as_slice),
                ),
                Item::Same(other) => self.same(name, other),
            }
        }
        Ok(())
    }

    fn clip(&mut self, name: String, clip: &'a Clip) -> Result<(), FromIrError> {
        let motion = self.scene.motion_of(clip);
        let (timeline, skeleton) =
            motion.ok_or_else(|| FromIrError::NoJoints(clip.name.clone()))?;
        let nodes = self.nodes.get(timeline.skeleton.index()).map_or(&[][..], Vec::as_slice);
        let moving = Moving { clip, timeline, skeleton };
        // Each clip visits all joints several times.
        let steps = skeleton.joints.len().saturating_mul(POSE_BYTES);
        self.budget.charge("the poses of clips", steps)?;
        losses::clip_losses(&moving, &self.events, &mut self.losses);
        match waves::nodes(&moving, nodes, self.options.rotation_order, &self.budget)? {
            Some(nodes) => {
                losses::scale_loss(&moving, &mut self.losses);
                self.states.push(NewState { name, motion: NewMotion::Single(nodes) });
                Ok(())
            }
            None => {
                losses::wave_loss(&moving, &mut self.losses);
                self.keyed(name, &moving)
            }
        }
    }

    /// Writes a sequence of a state machine. `names` maps each state of the machine to its name in
    /// the output, or to `None` if it is not written.
    fn sequence(&mut self, name: String, sequence: &Sequence, names: &[Option<String>]) {
        let written: Vec<_> = sequence
            .keys()
            .iter()
            .enumerate()
            .filter_map(|(index, key)| {
                let name = |state: StateId| names.get(state.index())?.clone();
                Some((index, key, key.state.and_then(name)?))
            })
            .collect();
        let lost = sequence.keys().len() - written.len();
        if lost > 0 {
            self.losses.push(&codes::LOSS_KEY, None, || {
                format!("keys of {} without a state: {lost}", quote(name.as_bytes()))
            });
        }
        let start = written.iter().position(|(index, ..)| *index == sequence.start()).unwrap_or(0);
        let mut keys: Vec<NewKey> = Vec::with_capacity(written.len());
        for (_, key, state) in written {
            keys.push(NewKey {
                state,
                exit: key.exit,
                forward: step(key.forward),
                backward: step(key.backward),
            });
        }
        let start_name = self.start_name(&mut keys, start);
        let kind = ORDERS.into_iter().find(|(_, order)| *order == sequence.order());
        let kind = kind.map_or(SequenceType::None, |(kind, _)| kind);
        self.states.push(NewState {
            name,
            motion: NewMotion::Keyframe(NewSequence { kind, start: start_name, keys }),
        });
    }

    /// Returns a name for the starting key that no earlier key has. If an earlier key shows the
    /// same state, this is the name of an additional state that plays it.
    fn start_name(&mut self, keys: &mut [NewKey], start: usize) -> String {
        let Some(state) = keys.get(start).map(|key| key.state.clone()) else {
            return String::new();
        };
        if keys.iter().take(start).all(|key| key.state != state) {
            return state;
        }
        let name = unique(&mut self.names, &state, &mut self.losses);
        self.same(name.clone(), state);
        if let Some(key) = keys.get_mut(start) {
            key.state.clone_from(&name);
        }
        name
    }

    /// Adds a state that shows another state.
    fn same(&mut self, name: String, other: String) {
        let key = NewKey {
            state: other.clone(),
            exit: true,
            forward: Step::default(),
            backward: Step::default(),
        };
        let sequence = NewSequence { kind: SequenceType::None, start: other, keys: vec![key] };
        self.states.push(NewState { name, motion: NewMotion::Keyframe(sequence) });
    }
}

const fn step(transition: Transition) -> Step {
    Step { seconds: transition.seconds, morph: transition.morph }
}
