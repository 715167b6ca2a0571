//! Conversion from documents to scenes.

use std::collections::{BTreeMap, HashMap};

use anim_ir::diag::quote;
use anim_ir::number::{index32, narrow};
use anim_ir::{
    Channel, Clip, Converted, Diagnostics, EulerOrder, Extras, Joint, JointId, Motion, Scene,
    Sequence, SequenceKey, SequenceOrder, Skeleton, State, StateId, StateMachine, StatePlayer,
    Target, TimelineBuilder, TimelineError, Transition, Value, Wave, WaveShape, Wrap, insert_all,
};

use crate::document::Document;
use crate::extras::{STT, to_extras};
use crate::length::Length;
use crate::motion::{Behaviour, ChannelType, ORDERS, Part, Step, WAVES};
use crate::options::ToIr;
use crate::{codes, document};

/// Converts a document to a skeleton with a joint for each node name, a clip for each SINGLE state,
/// and a state machine of all states.
///
/// Displacement becomes the joint's translation, orientation its rotation by three angles, and
/// translation its offset: T · R · offset. Channels that move become waves, which continue beyond
/// the clip's end. The scene's extras contain the original states; see [`crate::from_extras`].
pub fn to_ir(document: &Document<'_>, options: &ToIr) -> Converted<Scene> {
    let mut losses = Diagnostics::new();
    let (skeleton, joints) = skeleton(document);
    let mut scene = Scene {
        skeletons: vec![skeleton],
        extras: to_extras(document, options.rotation_order),
        ..Scene::default()
    };
    let mut states = Vec::with_capacity(document.states().len());
    for (index, state) in document.states().enumerate() {
        let motion = match state.sequence() {
            Some(sequence) => Motion::Sequence(play(&sequence)),
            None => {
                let behaviours = behaviours(&state, &joints);
                let mut builder = TimelineBuilder::new(state.name());
                let added = behaviours.iter().try_for_each(|(joint, behaviour)| {
                    add_tracks(&mut builder, (*joint).into(), behaviour, options.rotation_order)
                });
                // Cannot fail: all numbers are finite, and the tracks of each joint are added only
                // once.
                debug_assert_eq!(added, Ok(()));
                let length = Length::of(behaviours.values(), options.loop_limit);
                if !length.repeats_exactly {
                    losses.push(&codes::LOOP, state.span(), || {
                        format!(
                            "the waves of state {} do not repeat within {} s; the clip lasts {} s",
                            quote(state.name().as_bytes()),
                            options.loop_limit,
                            length.seconds
                        )
                    });
                }
                let timeline = scene.add_timeline(builder.finish());
                Motion::Clip(scene.add_clip(Clip {
                    name: state.name().into_owned(),
                    timeline,
                    end: length.seconds,
                    wrap: if length.repeats { Wrap::Loop } else { Wrap::Once },
                    joints: Some(behaviours.into_keys().collect()),
                    extras: Extras::from([(
                        STT.to_owned(),
                        Value::from([("state", Value::Number(index_number(index)))]),
                    )]),
                    ..Clip::default()
                }))
            }
        };
        states.push(State { name: state.name().into_owned(), motion });
    }
    if let Some((state, levels)) =
        deepest(&states).filter(|(_, levels)| *levels > StatePlayer::DEEPEST)
    {
        losses.push(&codes::NESTING, document.state(state).map(|state| state.span()), || {
            let name =
                document.state(state).map_or(String::new(), |state| quote(state.name().as_bytes()));
            format!(
                "state {name} nests keyframe states {levels} levels deep; states deeper than {} \
                show the rest pose",
                StatePlayer::DEEPEST
            )
        });
    }
    scene.machines.push(StateMachine { states, ..StateMachine::default() });
    Converted { value: scene, losses }
}

/// Returns the most deeply nested state and its depth. A state that plays only clips has depth 1.
fn deepest(states: &[State]) -> Option<(usize, usize)> {
    let played = |state: usize| match states.get(state).map(|state| &state.motion) {
        Some(Motion::Sequence(sequence)) => Some(sequence.keys()),
        _ => None,
    };
    // The depth of each visited state, if known. This map also terminates cycles.
    let mut levels: Vec<Option<usize>> = vec![None; states.len()];
    let mut open: Vec<(usize, usize)> = Vec::new();
    for start in 0..states.len() {
        open.push((start, 0));
        while let Some((state, next)) = open.pop() {
            let Some(keys) = played(state) else { continue };
            let Some(slot) = levels.get_mut(state) else { continue };
            if next == 0 && slot.is_some() {
                continue;
            }
            let own = slot.get_or_insert(1);
            if let Some(inner) = next.checked_sub(1).and_then(|key| keys.get(key)?.state) {
                let own = *own;
                let below = levels.get(inner.index()).copied().flatten().unwrap_or(0);
                if let Some(slot) = levels.get_mut(state) {
                    *slot = Some(own.max(below.saturating_add(1)));
                }
            }
            if let Some(key) = keys.get(next) {
                open.push((state, next.saturating_add(1)));
                open.extend(key.state.map(|inner| (inner.index(), 0)));
            }
        }
    }
    levels
        .into_iter()
        .enumerate()
        .filter_map(|(state, levels)| Some((state, levels?)))
        .max_by_key(|(_, levels)| *levels)
}

/// Converts an index to an exact `f64`. There are fewer than 2^32 states.
fn index_number(index: usize) -> f64 {
    f64::from(index32(index))
}

/// Builds a skeleton with a joint for each name, in order of first appearance, and a map from names
/// to joints.
fn skeleton<'a>(document: &'a Document<'_>) -> (Skeleton, HashMap<&'a [u8], JointId>) {
    let mut skeleton = Skeleton::nodes("");
    let mut joints = HashMap::new();
    for node in document.states().flat_map(|state| state.nodes()) {
        joints.entry(node.name_bytes()).or_insert_with(|| {
            let source_index = skeleton.joints.len();
            skeleton.add_joint(Joint { source_index, ..Joint::new(node.name(), None) })
        });
    }
    (skeleton, joints)
}

/// Maps each joint that a SINGLE state sets to its behaviour. If two nodes have the same name, the
/// last one is used.
fn behaviours(
    state: &document::State<'_>,
    joints: &HashMap<&[u8], JointId>,
) -> BTreeMap<JointId, Behaviour> {
    let behaviour =
        |node: document::Node<'_>| Some((*joints.get(node.name_bytes())?, node.behaviour()));
    insert_all(state.nodes().filter_map(behaviour))
}

fn add_tracks(
    builder: &mut TimelineBuilder,
    target: Target,
    behaviour: &Behaviour,
    order: EulerOrder,
) -> Result<(), TimelineError> {
    for part in Part::ALL {
        let channel = match part {
            Part::Displacement => Channel::Translation,
            Part::Translation => Channel::Offset,
            Part::Orientation => Channel::Euler(order),
        };
        let in_scene =
            |value: [f32; 3]| if part == Part::Orientation { value.map(radians) } else { value };
        match behaviour.channel(part) {
            moving if moving.is_still() => {
                builder.constant(target, channel, &in_scene(moving.start))?
            }
            moving => {
                let Some((shape, backwards)) = shape(moving.kind) else { continue };
                let (start, end) = (in_scene(moving.start), in_scene(moving.end));
                builder.wave(
                    target,
                    channel,
                    Wave {
                        shape,
                        backwards,
                        start,
                        end,
                        period: moving.period,
                        offset: moving.offset,
                    },
                )?;
            }
        }
    }
    Ok(())
}

fn radians(degrees: f32) -> f32 {
    narrow(f64::from(degrees).to_radians())
}

/// Returns the wave shape of a type, and whether the wave runs from the end to the start; `None` if
/// the channel stays at its start value.
fn shape(kind: ChannelType) -> Option<(WaveShape, bool)> {
    let (_, shape, backwards) = WAVES.into_iter().find(|(own, ..)| *own == kind)?;
    Some((shape, backwards))
}

fn play(sequence: &document::Sequence<'_>) -> Sequence {
    let order = ORDERS.into_iter().find(|(kind, _)| *kind == sequence.kind());
    let order = order.map_or(SequenceOrder::Stay, |(_, order)| order);
    let transition = |step: Step| Transition { seconds: step.seconds.max(0.0), morph: step.morph };
    let key = |key: document::Key<'_>| SequenceKey {
        state: key.state().filter(|_| !key.closes_circle()).map(StateId::new),
        exit: key.exit(),
        forward: transition(key.forward()),
        backward: transition(key.backward()),
    };
    Sequence::new(order, sequence.start(), sequence.keys().map(key).collect())
}
