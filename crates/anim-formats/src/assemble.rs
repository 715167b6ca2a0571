//! Combines several files into one output, or converts a single file.
//!
//! Supported combinations: a TMD model and its motion, the parts of one motion, an STT file and the
//! model that it animates, and files with the same skeleton to merge. This module decides which of
//! these applies; each combination is implemented in a separate module.

use anim_ir::format::Context;
use anim_ir::format::options::Settings;
use anim_ir::{Diagnostics, NoFiles, Output, Parsed};

use crate::codes;
use crate::convert::rewrite;
use crate::document::{Loaded, problems_of};
use crate::images::look_up_images;
use crate::joins;
use crate::merge::{merge, report_apart};
use crate::parts::{
    AssembleError, AssembleOptions, Assembled, Content, Merged, Part, keep, load_part,
    report_elsewhere, report_through_scene,
};

/// Combines related files into one output, or converts a single file.
///
/// # Errors
///
/// Returns an [`AssembleError`] if the files cannot be combined.
pub fn assemble(
    mut parts: Vec<Part<'_>>,
    options: &AssembleOptions,
) -> Result<Assembled, AssembleError> {
    if parts.is_empty() {
        return Err(AssembleError::Apart(0));
    }
    if options.merge && options.join.is_some() {
        return Err(AssembleError::NotJoined);
    }
    if options.merge
        && let Some(Merged { part, losses, origins, in_frames }) =
            joins::merge_documents(&mut parts, options)?
    {
        let merged = one((part, losses), Some(in_frames), options)?;
        return Ok(Assembled { origins, ..merged });
    }
    let together = match parts.len() {
        2.. if options.merge => Some(merge_scenes(std::mem::take(&mut parts), options)?),
        _ => joins::together(&mut parts, options)?,
    };
    if let Some(Assembled { content: Content::Scene(scene), .. }) = &together {
        scene.check_size(&options.settings.limits)?;
    }
    let mut assembled = match together {
        Some(assembled) => assembled,
        None => {
            let count = parts.len();
            match (parts.pop(), parts.is_empty()) {
                (Some(part), true) => one((part, Diagnostics::new()), None, options)?,
                _ => return Err(AssembleError::Apart(count)),
            }
        }
    };
    if matches!(assembled.content, Content::Scene(_)) {
        let Assembled { parts, losses, .. } = &mut assembled;
        joins::report_alone(parts.iter().map(|(document, _)| document), options.to, losses);
    }
    Ok(assembled)
}

/// Merges the scenes of files. The frames of a file are morph targets of its own meshes, and the
/// merged scene has the meshes of one file only, so frames and files of other formats are refused
/// if their motion would be lost.
fn merge_scenes(
    parts: Vec<Part<'_>>,
    options: &AssembleOptions,
) -> Result<Assembled, AssembleError> {
    let mixed = joins::frames_and_other(&parts).map(|[frames, other]| AssembleError::Frames {
        frames: frames.name.clone(),
        other: other.name.clone(),
        format: other.parsed.value.format().title(),
    });
    let merged = merge(parts, options);
    let is_lost = match &merged {
        Ok(merged) => merged.losses_of.iter().any(|lost| lost.count(&codes::MERGED_WEIGHTS) > 0),
        Err(error) => matches!(error, AssembleError::Merge(_)),
    };
    mixed.filter(|_| is_lost).map_or(merged, Err)
}

/// Converts one file. `losses` contains the losses of earlier steps; `in_frames` contains the
/// problems that were found by converting the file to a scene, if it has been converted.
fn one(
    (mut part, mut losses): (Part<'_>, Diagnostics),
    in_frames: Option<Diagnostics>,
    options: &AssembleOptions,
) -> Result<Assembled, AssembleError> {
    let is_merged = in_frames.is_some();
    let mut animation = options.animation;
    if let Some(number) = animation
        && let Some(only) = joins::only_animation(&part.parsed, number)?
    {
        part.parsed = only;
        animation = None;
    }
    let mut context =
        Context { name: &part.name, files: part.files.as_mut(), settings: &options.settings };
    if !options.needs_scene && animation.is_none() {
        let place = (options.way.as_str(), options.stem.as_str());
        let document = &part.parsed.value;
        match rewrite(document, options.to, place, &mut context) {
            Ok(None) => {}
            written => {
                let written = written.map(|written| {
                    written.map_or_else(Output::default, |converted| {
                        losses.append(converted.losses);
                        converted.value
                    })
                });
                // The rule for errors in the input is the same whether a scene is needed or not.
                let wrong = in_frames.unwrap_or_else(|| {
                    let (scene, _, wrong) = problems_of(document, &mut context);
                    look_up_images(&scene, context.files);
                    wrong
                });
                let Parsed { value, mut diagnostics } = part.parsed;
                diagnostics.append(wrong);
                let content = Content::Written(written);
                return Ok(Assembled::new(content, vec![(value, diagnostics)], losses));
            }
        }
    }
    // If the document would have been written unchanged without any options, going through a scene
    // is reported.
    let plain = Settings::default();
    let is_copied = |settings: &Settings| {
        let mut context = Context { name: &part.name, files: &mut NoFiles, settings };
        matches!(rewrite(&part.parsed.value, options.to, ("", ""), &mut context), Ok(Some(_)))
    };
    if is_copied(&plain) {
        let is_asked = options.needs_scene || options.animation.is_some();
        if is_asked || options.way.is_empty() || !is_copied(&options.settings) {
            report_through_scene(&mut losses);
        } else {
            report_elsewhere(&mut losses);
        }
    }
    let Loaded { document, diagnostics, mut scene, losses: lost } = load_part(part, options);
    losses.append(lost);
    scene.check_size(&options.settings.limits)?;
    if is_merged {
        report_apart(&scene, &mut losses);
    }
    keep(&mut scene, animation, &options.settings)?;
    let content = Content::Scene(scene.into());
    Ok(Assembled::new(content, vec![(document, diagnostics)], losses))
}
