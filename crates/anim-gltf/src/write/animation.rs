//! Animations: clips with their channels. Keys are not resampled, except cubic keys of morph
//! weights.

mod cut;
mod description;
mod linear;
mod names;
mod planner;
mod rest;
mod sampler;
mod target;
mod window;

use std::collections::HashSet;

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, Extras, Scene, UniqueNames, Value, insert_all};

use crate::codes;
use crate::error::FromIrError;
use crate::json;
use crate::marks;
use crate::write::accessor::Accessors;
use crate::write::extras::{extras, shallow};
use crate::write::hierarchy::Hierarchy;
pub(crate) use planner::Options;

use description::description;
use names::ClipNames;
use planner::{Planned, Planner};
use window::{Window, report_outside, windows};

/// The extras of an animation whose clip is described elsewhere.
static NO_EXTRAS: Extras = Extras::new();

/// Animations, and descriptions of clips without channels.
#[derive(Debug, Default)]
pub(crate) struct Animations<'a> {
    pub(crate) list: Vec<json::Animation<'a>>,
    /// Clips without motion, for the scene's extras.
    pub(crate) empty: Vec<Value>,
}

/// Plans the animations of a scene with the nodes in `tree` and the meshes in `meshes`.
pub(crate) fn plan<'a>(
    scene: &'a Scene,
    options: &Options<'_>,
    (tree, meshes): (&Hierarchy<'_>, &[json::Mesh<'_>]),
    accessors: &mut Accessors<'a>,
    losses: &mut Diagnostics,
) -> Result<Animations<'a>, FromIrError> {
    let windows = windows(scene);
    let given = options.names.map(|text| ClipNames::parse(text, windows.len())).transpose();
    let given = given.map_err(FromIrError::ClipNames)?;
    report_outside(scene, &windows, losses);
    let mut planner = Planner::new(scene, options, (tree, meshes), accessors, losses);
    planner.charge_channels(&windows)?;
    let mut planned = Vec::with_capacity(windows.len());
    for window in windows {
        let Some(timeline) = scene.timeline(window.timeline) else { continue };
        let events = planner.events(&window, timeline)?;
        let clip = planner.plan_window(&window, timeline)?;
        planned.push(Planned { window, timeline, events, clip });
    }
    if options.rest_keys {
        planner.add_rest_keys(&mut planned)?;
    }
    let mut held = HashSet::new();
    for (number, planned) in planned.iter_mut().enumerate() {
        // Partial clips must not affect other joints.
        let is_empty = planned.clip.channels.is_empty() && planned.window.joints.is_none();
        if options.rest_keys && is_empty && planner.hold(&mut planned.clip)? {
            held.insert(number);
        }
    }
    planner.finish()?;
    let mut names = UniqueNames::new();
    let named: Vec<String> = planned
        .iter()
        .enumerate()
        .map(|(number, Planned { window, .. })| name(scene, (number, window), given.as_ref()))
        .collect();
    for name in &named {
        names.announce(name.as_str());
    }
    let mut animations = Animations::default();
    for (number, (planned, own)) in planned.into_iter().zip(&named).enumerate() {
        // Given names rename clips for good; names that are only made unique are restored.
        let restored = if given.is_some() { own.as_str() } else { planned.window.name };
        if planned.clip.channels.is_empty() {
            let entry = without_motion(scene, &planned, restored, losses);
            animations.empty.push(Value::Map(entry));
            losses.push(&codes::EMPTY_ANIMATION, None, || {
                format!("{} contains no motion, only the rest pose", whose(&planned.window))
            });
            continue;
        }
        let name =
            if own.is_empty() { names.invent("animation") } else { names.claim(own.as_str()) };
        let name = name.into_owned();
        let extras = if held.contains(&number) {
            let mut entry = without_motion(scene, &planned, restored, losses);
            entry.insert(marks::ANIMATION.to_owned(), name.as_str().into());
            animations.empty.push(Value::Map(entry));
            let mark = vec![(marks::EMPTY, true.into())];
            extras(&NO_EXTRAS, mark, losses, || whose(&planned.window))
        } else {
            let Planned { window, timeline, events, clip } = &planned;
            let mut ours = description(window, restored, timeline, clip.offset, events, losses);
            if window.joints.is_some() {
                ours.push(("partial", true.into()));
            }
            if name != restored {
                ours.push(("name", restored.into()));
            }
            extras(window.extras, ours, losses, || whose(window))
        };
        let (channels, samplers) = (planned.clip.channels, planned.clip.samplers);
        animations.list.push(json::Animation { name: name.into(), channels, samplers, extras });
    }
    Ok(animations)
}

/// Returns the name of a clip's animation, before it is made unique.
fn name(
    scene: &Scene,
    (number, window): (usize, &Window<'_>),
    given: Option<&ClipNames>,
) -> String {
    let own = window.name_or_timelines(scene);
    given.map_or_else(
        || own.to_owned(),
        |names| {
            let short = window.name_in_group.unwrap_or(own);
            names.name(number, own, short, window.group.unwrap_or_default())
        },
    )
}

fn whose(window: &Window<'_>) -> String {
    format!("clip {}", quote(window.name.as_bytes()))
}

/// Returns the scene's extras entry for a clip without motion.
fn without_motion(
    scene: &Scene,
    planned: &Planned<'_>,
    name: &str,
    losses: &mut Diagnostics,
) -> Extras {
    let Planned { window, timeline, events, clip } = planned;
    let mut ours = description(window, name, timeline, clip.offset, events, losses);
    ours.push(("name", name.into()));
    if let Some(joints) = window.joints {
        let skeleton = scene.skeleton(timeline.skeleton);
        let names = joints.iter().filter_map(|joint| Some(skeleton?.joint(*joint)?.name.as_str()));
        ours.push(("joints", names.collect()));
    }
    if !window.extras.is_empty() {
        let kept = shallow(window.extras, losses, || whose(window));
        ours.push(("extras", Value::Map(kept)));
    }
    insert_all(ours.into_iter().map(|(name, value)| (name.to_owned(), value)))
}
