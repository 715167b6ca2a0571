//! Conversion of files that contain a single still to scenes.

use std::sync::Arc;

use anim_ir::{Budget, Clip, Converted, Diagnostics, NoFiles, Resolver, Scene};

use crate::animate::{Frame, Take, animate};
use crate::document::Document;
use crate::loader::{Animations, Loader};
use crate::options::ToIr;

/// Converts a file to a scene without clips. Included files are skipped, which is
/// reported.
pub fn to_ir(document: &Document<'_>, options: &ToIr) -> Converted<Scene> {
    to_ir_with(document, options, &mut NoFiles, None)
}

/// Converts a file and the files it includes to a scene without clips. Animations are included only
/// if `animations` can read them.
pub fn to_ir_with(
    document: &Document<'_>,
    options: &ToIr,
    files: &mut dyn Resolver,
    animations: Option<Animations>,
) -> Converted<Scene> {
    let mut problems = Diagnostics::within(&options.limits);
    let mut graph = document.graph().clone();
    let budget = Budget::new(&options.limits, document.source.len());
    let mut loader =
        Loader::new(&mut *files, &budget, document.text().len()).with_animations(animations);
    loader.fill(&mut graph, "", &mut problems);
    let sources = loader.into_sources();
    let frame = Frame { time: 0.0, graph: Arc::new(graph), span: None };
    let still = Take { clip: Clip::default(), frames: vec![frame], step: false };
    let Converted { value: scene, losses } = animate(vec![still], options, &budget, files);
    problems.append(losses);
    sources.resolve(&mut problems);
    let scene = Scene { clips: Vec::new(), timelines: Vec::new(), ..scene };
    Converted { value: scene, losses: problems }
}
