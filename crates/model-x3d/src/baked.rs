//! Animations that Castle Game Engine's converter has baked into an X3D file.
//!
//! The converter writes a `TimeSensor`, an `IntegerSequencer` and a `Switch` with a child for every
//! scene, up to 30 of them for each second of the original animation. Its keys are k/N. The scenes
//! at the original frames are among them; those in between were interpolated. Leaving out the
//! latter restores the frames of the original animation. In between, they are interpolated again.

mod extract;
mod straight;

use std::sync::Arc;

use anim_ir::number::narrow;
use anim_ir::{Budget, Clip, LimitError, Wrap};

use crate::animate::{Frame, Take};
use crate::events::{Drive, Drives};
use crate::graph::{Graph, Node, NodeId};
use crate::math::to_f64;
use extract::Extractor;

/// Node types that the converter writes around the scenes. Nothing else may be drawn.
const AROUND: [&str; 6] =
    ["Collision", "Group", "IntegerSequencer", "Switch", "TimeSensor", "ValueTrigger"];
/// The suffix by which the converter names the `Switch` of an animation. Other flip books are not
/// interpolated: each scene is held from its key on.
const MARK: &str = "_Switch_ChooseAnimationFrame";
/// Deviation from k/N that is due to decimal notation.
const KEY_ERROR: f64 = 1e-4;

/// Returns the animations that a file was made of, if it is the converter's.
pub(crate) fn takes(
    graph: &Graph,
    drives: &Drives,
    budget: &Budget,
) -> Result<Option<Vec<Take>>, LimitError> {
    let mut switches = Vec::with_capacity(drives.sensors.len());
    for (take, sensor) in drives.sensors.iter().enumerate() {
        match (baked_switch(graph, drives, take), graph.node(*sensor)) {
            (Some(found), Some(sensor)) => switches.push((sensor, found)),
            _ => return Ok(None),
        }
    }
    if switches.is_empty() || !is_alone(graph, &switches) {
        return Ok(None);
    }
    let mut extractor = Extractor::new(graph, budget);
    let mut takes = Vec::with_capacity(switches.len());
    for (sensor, found) in switches {
        takes.push(take(sensor, &found, &mut extractor)?);
    }
    Ok(Some(takes))
}

/// A `Switch` whose children are the scenes of an animation.
struct Baked {
    switch: NodeId,
    /// The scenes in order, without the way back.
    scenes: Vec<NodeId>,
    is_backwards: bool,
}

/// Returns the `Switch` that is the only thing that a sensor animates.
fn baked_switch(graph: &Graph, drives: &Drives, take: usize) -> Option<Baked> {
    let (switch, field, drive) = drives.only_field_of(take)?;
    let node = graph.node(switch)?;
    let Drive::Curve(curve) = drive else { return None };
    let sequencer = graph.node(curve.node)?;
    let (keys, values) = (sequencer.floats("key"), sequencer.ints("keyValue"));
    let is_even = |(at, key): (usize, &f32)| {
        let wanted = to_f64(at) / to_f64(keys.len());
        (f64::from(*key) - wanted).abs() < KEY_ERROR
    };
    let is_baked = node.kind.name == "Switch"
        && node.name.as_ref().is_some_and(|name| name.contains(MARK))
        && node.kind.field_name(field) == "whichChoice"
        && sequencer.kind.name == "IntegerSequencer"
        && graph.node(*drives.sensors.get(take)?)?.flag("fractionIncreasing")
        && keys.len() == values.len()
        && keys.len() > 1
        && keys.iter().enumerate().all(is_even);
    if !is_baked {
        return None;
    }
    let half = values.len() / 2;
    let (there, back) = values.split_at(half);
    let is_backwards = values.len().is_multiple_of(2) && there.iter().eq(back.iter().rev());
    let values = if is_backwards { there } else { values };
    let children = graph.children(switch, "children");
    let scene = |value: &i32| children.get(usize::try_from(*value).ok()?).copied();
    let scenes: Option<Vec<NodeId>> = values.iter().map(scene).collect();
    Some(Baked { switch, scenes: scenes?, is_backwards })
}

/// Whether nothing is drawn except the scenes.
fn is_alone(graph: &Graph, switches: &[(&Node, Baked)]) -> bool {
    let mut left = graph.roots.clone();
    // A node that is used many times is visited as often, so limit the visits.
    let mut visits = graph.nodes.len();
    while let Some(id) = left.pop() {
        if switches.iter().any(|(_, baked)| baked.switch == id) {
            continue;
        }
        let is_around = graph.node(id).is_some_and(|node| AROUND.contains(&node.kind.name));
        if !is_around || visits == 0 {
            return false;
        }
        visits = visits.saturating_sub(1);
        left.extend(graph.children(id, "children"));
    }
    true
}

fn take(sensor: &Node, baked: &Baked, extractor: &mut Extractor<'_>) -> Result<Take, LimitError> {
    let mut cycle = sensor.float("cycleInterval");
    if cycle <= 0.0 {
        cycle = 1.0;
    }
    let end = if baked.is_backwards { cycle / 2.0 } else { cycle };
    // The engine shows scene k of N at k/N of the cycle, although it is the scene at k/(N - 1).
    let steps = to_f64(baked.scenes.len().saturating_sub(1).max(1));
    let time = |at: usize| narrow(f64::from(end) * to_f64(at) / steps);
    let mut graphs: Vec<Arc<Graph>> = Vec::with_capacity(baked.scenes.len());
    for scene in &baked.scenes {
        let reference = graphs.first().map(Arc::as_ref);
        let graph = extractor.scene(*scene, reference)?;
        graphs.push(Arc::new(graph));
    }
    let kept = straight::knots(&mut graphs);
    let frames = graphs.into_iter().enumerate().zip(kept).filter(|(_, is_kept)| *is_kept);
    let frames = frames.map(|((at, graph), _)| Frame { time: time(at), graph, span: None });
    let clip = Clip {
        name: sensor.name.as_deref().unwrap_or_default().to_owned(),
        end,
        wrap: match (sensor.flag("loop"), baked.is_backwards) {
            (true, true) => Wrap::PingPong,
            (true, false) => Wrap::Loop,
            (false, true) => Wrap::PingPongOnce,
            (false, false) => Wrap::Once,
        },
        ..Clip::default()
    };
    Ok(Take { clip, frames: frames.collect(), step: false, tolerance: 0.0 })
}
