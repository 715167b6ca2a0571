//! The states of a file as plain data. A scene stores them in its extras to survive a round trip
//! through other formats.
//!
//! The structure is documented in `docs/stt.md` in the repository.

use std::collections::BTreeMap;

use anim_ir::number::narrow;
use anim_ir::{EulerOrder, Extras, Parsed, Value};

use crate::document::{Document, Key, State};
use crate::motion::{Behaviour, Channel, ChannelType, SequenceType, Step};
use crate::options::ToIr;
use crate::writer::{NewKey, NewMotion, NewNode, NewSequence, NewState};

/// This format's key in the extras.
pub(crate) const STT: &str = "stt";

/// The key of the rotation order.
const ORDER: &str = "rotation_order";

/// Converts the content of a document to extras. Includes the rotation order if it is not the
/// default.
pub(crate) fn to_extras(document: &Document<'_>, order: EulerOrder) -> Extras {
    let states = document.states().map(|state| state_value(&state)).collect();
    let mut stt = BTreeMap::from([
        ("states".to_owned(), states),
        ("version".to_owned(), document.version().as_ref().into()),
    ]);
    if order != ToIr::default().rotation_order {
        stt.insert(ORDER.to_owned(), order.name().into());
    }
    Extras::from([(STT.to_owned(), Value::Map(stt))])
}

fn state_value(state: &State<'_>) -> Value {
    let name = Value::from(state.name().as_ref());
    let Some(sequence) = state.sequence() else {
        let nodes = state.nodes().map(|node| node_value(&node.name(), node.behaviour())).collect();
        return Value::from([("name", name), ("nodes", nodes)]);
    };
    let key = |key: Key<'_>| {
        Value::from([
            ("state", key.name().as_ref().into()),
            ("exit", key.exit().into()),
            ("forward", step_value(key.forward())),
            ("backward", step_value(key.backward())),
        ])
    };
    Value::from([
        ("name", name),
        ("type", integer(sequence.kind().number())),
        ("start", sequence.start_name().as_ref().into()),
        ("keys", sequence.keys().map(key).collect()),
    ])
}

fn node_value(name: &str, behaviour: Behaviour) -> Value {
    let behaviour = match behaviour {
        Behaviour::Static(vectors) => ("static", vectors.iter().map(vector).collect()),
        Behaviour::Dynamic(channels) => ("dynamic", channels.iter().map(channel_value).collect()),
    };
    Value::from([("name", name.into()), behaviour])
}

fn channel_value(channel: &Channel) -> Value {
    Value::from([
        ("start", vector(&channel.start)),
        ("end", vector(&channel.end)),
        ("period", channel.period.into()),
        ("offset", channel.offset.into()),
        ("type", integer(channel.kind.number())),
    ])
}

fn step_value(step: Step) -> Value {
    Value::from([("seconds", step.seconds.into()), ("morph", step.morph.into())])
}

fn vector(numbers: &[f32; 3]) -> Value {
    numbers.iter().copied().collect()
}

fn integer(number: i32) -> Value {
    Value::Number(f64::from(number))
}

/// Returns the rotation order used to create the scene with these extras; `None` for the default
/// order.
pub fn rotation_order(extras: &Extras) -> Option<EulerOrder> {
    let Value::Map(stt) = extras.get(STT)? else { return None };
    text(stt, ORDER)?.parse().ok()
}

/// Rebuilds the document that a scene was created from. Values are preserved; layout is not.
/// Returns `None` if the extras are incomplete, are not from an STT file, or contain a name or
/// number that cannot be written.
pub fn from_extras(extras: &Extras) -> Option<Document<'static>> {
    Some(parsed_from_extras(extras)?.value)
}

/// Like [`from_extras`], with the problems that are found when the document is read.
pub(crate) fn parsed_from_extras(extras: &Extras) -> Option<Parsed<Document<'static>>> {
    let Value::Map(stt) = extras.get(STT)? else { return None };
    let states = list(stt, "states")?
        .iter()
        .map(|state| read_state(map(state)?))
        .collect::<Option<Vec<NewState>>>()?;
    Document::build_parsed(&states).ok()
}

type Map = BTreeMap<String, Value>;

fn read_state(state: &Map) -> Option<NewState> {
    let motion = match list(state, "nodes") {
        Some(nodes) => NewMotion::Single(
            nodes.iter().map(|node| read_node(map(node)?)).collect::<Option<_>>()?,
        ),
        None => {
            let keys = list(state, "keys")?
                .iter()
                .map(|key| read_key(map(key)?))
                .collect::<Option<_>>()?;
            NewMotion::Keyframe(NewSequence {
                kind: SequenceType::from(read_integer(state, "type")?),
                start: text(state, "start")?,
                keys,
            })
        }
    };
    Some(NewState { name: text(state, "name")?, motion })
}

fn read_node(node: &Map) -> Option<NewNode> {
    let behaviour = match (list(node, "static"), list(node, "dynamic")) {
        (Some([a, b, c]), None) => {
            Behaviour::Static([read_vector(a)?, read_vector(b)?, read_vector(c)?])
        }
        (None, Some([a, b, c])) => {
            Behaviour::Dynamic([read_channel(a)?, read_channel(b)?, read_channel(c)?])
        }
        _ => return None,
    };
    Some(NewNode { name: text(node, "name")?, behaviour })
}

fn read_channel(channel: &Value) -> Option<Channel> {
    let channel = map(channel)?;
    let [start, end] = [read_vector(channel.get("start")?)?, read_vector(channel.get("end")?)?];
    let (period, offset) = (number(channel.get("period")?)?, number(channel.get("offset")?)?);
    Some(Channel {
        start,
        end,
        period,
        offset,
        kind: ChannelType::from(read_integer(channel, "type")?),
    })
}

fn read_key(key: &Map) -> Option<NewKey> {
    let Value::Bool(exit) = *key.get("exit")? else { return None };
    Some(NewKey {
        state: text(key, "state")?,
        exit,
        forward: read_step(key.get("forward")?)?,
        backward: read_step(key.get("backward")?)?,
    })
}

fn read_step(step: &Value) -> Option<Step> {
    let step = map(step)?;
    let Value::Bool(morph) = *step.get("morph")? else { return None };
    Some(Step { seconds: number(step.get("seconds")?)?, morph })
}

fn read_vector(value: &Value) -> Option<[f32; 3]> {
    let Value::List(numbers) = value else { return None };
    let [x, y, z] = numbers.as_slice() else { return None };
    Some([number(x)?, number(y)?, number(z)?])
}

fn map(value: &Value) -> Option<&Map> {
    if let Value::Map(map) = value { Some(map) } else { None }
}

fn list<'a>(map: &'a Map, name: &str) -> Option<&'a [Value]> {
    if let Value::List(list) = map.get(name)? { Some(list) } else { None }
}

fn text(map: &Map, name: &str) -> Option<String> {
    if let Value::Text(text) = map.get(name)? { Some(text.clone()) } else { None }
}

fn number(value: &Value) -> Option<f32> {
    if let Value::Number(number) = value {
        Some(narrow(*number)).filter(|number| number.is_finite())
    } else {
        None
    }
}

#[expect(clippy::cast_possible_truncation, reason = "an integer in i32's range")]
fn read_integer(map: &Map, name: &str) -> Option<i32> {
    let Value::Number(number) = *map.get(name)? else { return None };
    let fits =
        number.trunc() == number && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&number);
    fits.then_some(number as i32)
}
