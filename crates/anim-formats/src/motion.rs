//! Applies motion to a model with the same node names.

use std::collections::HashSet;

use anim_ir::diag::quote;
use anim_ir::{Diagnostic, Diagnostics, Scene, nearest_name};

use crate::codes;
use crate::parts::{AssembleError, AssembleOptions, Assembled, Content, Part, keep, load_part};
use crate::registry::AnyDocument;

/// Applies the states of one file to the nodes of another. Returns `None` if the inputs are not
/// an STT file and a model.
pub(crate) fn together(
    parts: &mut Vec<Part<'_>>,
    options: &AssembleOptions,
) -> Result<Option<Assembled>, AssembleError> {
    let is_motion = |part: &Part<'_>| matches!(part.parsed.value, AnyDocument::Stt(_));
    let [first, second] = parts.as_slice() else { return Ok(None) };
    let [a, b] = [first, second].map(|part| part.parsed.value.format());
    if !a.animates(b) && !b.animates(a) {
        return Ok(None);
    }
    let images_of = usize::from(is_motion(first));
    let mut losses = Diagnostics::new();
    let (mut model, mut motion) = (Scene::default(), Scene::default());
    let mut read = Vec::with_capacity(2);
    for (number, part) in parts.drain(..).enumerate() {
        let loaded = load_part(part, options);
        losses.append(loaded.losses);
        *(if number == images_of { &mut model } else { &mut motion }) = loaded.scene;
        read.push((loaded.document, loaded.diagnostics));
    }
    let wrong = put_motion_on(&mut model, motion);
    if let Some((_, diagnostics)) = read.get_mut(1_usize.saturating_sub(images_of)) {
        diagnostics.append(wrong);
    }
    keep(&mut model, options.animation, &options.settings)?;
    let content = Content::Scene(model.into());
    Ok(Some(Assembled { images_of, ..Assembled::new(content, read, losses) }))
}

/// The number of nodes that are listed if none has a similar name.
const LISTED: usize = 8;

/// Lists the first names, or returns `None` if there are none.
fn first_names<'n>(names: impl Iterator<Item = &'n str>) -> Option<String> {
    let mut seen = HashSet::new();
    let mut names = names.filter(|name| !name.is_empty() && seen.insert(*name));
    let first: Vec<String> =
        names.by_ref().take(LISTED).map(|name| quote(name.as_bytes())).collect();
    let more = if names.next().is_some() { ", …" } else { "" };
    (!first.is_empty()).then(|| first.join(", ") + more)
}

/// Applies motion to the nodes of a model with the same names, for example the states of an STT
/// file to a glTF model. The model's own animations are kept.
pub fn put_motion_on(model: &mut Scene, motion: Scene) -> Diagnostics {
    let mut losses = Diagnostics::new();
    let result = model.take_motion(motion);
    for name in &result.missing {
        losses.report(&codes::NODE_UNKNOWN, || {
            let message = format!("the model has no node {}", quote(name.as_bytes()));
            let diagnostic = Diagnostic::new(&codes::NODE_UNKNOWN, None, message);
            let joints = model.skeletons.iter().flat_map(|skeleton| &skeleton.joints);
            let nodes = model.nodes.iter().map(|node| node.name.as_str());
            let names = || joints.clone().map(|joint| joint.name.as_str()).chain(nodes.clone());
            match nearest_name(name, names()) {
                Some(meant) => {
                    diagnostic.help(format!("did you mean {}?", quote(meant.as_bytes())))
                }
                None => match first_names(names()) {
                    Some(names) => diagnostic.help(format!("its nodes are {names}")),
                    None => diagnostic,
                },
            }
        });
    }
    for name in &result.fixed {
        losses.push(&codes::NODE_FIXED, None, || {
            format!("the node {} of the model cannot be animated", quote(name.as_bytes()))
        });
    }
    for name in &result.ambiguous {
        losses.push(&codes::NODE_AMBIGUOUS, None, || {
            format!(
                "several nodes of the model are named {}; the first is animated",
                quote(name.as_bytes())
            )
        });
    }
    losses
}
