//! Conversion of files that contain a single scene.

use anim_ir::{Budget, Clip, Converted, Diagnostics, NoFiles, Resolver, Scene, Wrap};

use crate::animate::{Take, animate, animate_scene};
use crate::baked;
use crate::codes;
use crate::document::Document;
use crate::events::{self, Drives};
use crate::graph::{Graph, Node};
use crate::loader::{FileKind, Loader};
use crate::options::ToIr;

/// Converts a file to a scene with a clip for each `TimeSensor` that animates anything. Included
/// files are skipped, which is reported.
pub fn to_ir(document: &Document<'_>, options: &ToIr) -> Converted<Scene> {
    to_ir_with(document, options, &mut NoFiles, &[])
}

/// Converts a file and the files it includes to a scene, like [`to_ir`]. Files that are neither X3D
/// nor VRML are included only if they are of one of these kinds.
pub fn to_ir_with(
    document: &Document<'_>,
    options: &ToIr,
    files: &mut dyn Resolver,
    kinds: &'static [FileKind],
) -> Converted<Scene> {
    let mut problems = Diagnostics::within(&options.limits);
    let mut graph = document.graph().clone();
    let budget = Budget::new(&options.limits, document.to_bytes().len());
    let mut loader = Loader::new(&mut *files, &budget, document.text().len()).with_kinds(kinds);
    loader.fill(&mut graph, "", &mut problems);
    let sources = loader.into_sources();
    let mut found = Diagnostics::within(&options.limits);
    let drives = events::read(&graph, &budget, &mut found);
    let baked = baked::takes(&graph, &drives, &budget).unwrap_or_else(|error| {
        problems.push(&codes::EXPANSION, None, || error.to_string());
        None
    });
    let Converted { value: scene, losses } = if let Some(takes) = baked {
        // The routes that choose an animation are not lost.
        found.retain(|problem| problem.code.id != codes::ROUTE.id);
        animate(takes, options, &budget, files)
    } else {
        let takes = takes(&graph, &drives);
        animate_scene(graph, (takes, &drives), options, &budget, files)
    };
    problems.append(found);
    problems.append(losses);
    sources.resolve(&mut problems);
    Converted { value: scene, losses: problems }
}

/// Returns a take for each sensor that animates anything.
fn takes(graph: &Graph, drives: &Drives) -> Vec<Take> {
    let sensors = drives.sensors.iter().filter_map(|id| graph.node(*id));
    let clip = |node: &Node| {
        let cycle = node.float("cycleInterval");
        Clip {
            name: graph.label(node).as_deref().unwrap_or_default().to_owned(),
            end: if cycle > 0.0 { cycle } else { 1.0 },
            wrap: if node.flag("loop") { Wrap::Loop } else { Wrap::Once },
            ..Clip::default()
        }
    };
    sensors
        .map(|node| Take { clip: clip(node), frames: Vec::new(), step: false, tolerance: 0.0 })
        .collect()
}
