//! Splitting takes into clips.

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{NoFiles, Scene, Settings, Severity, dump};
use anim_formats::anm_text::{self, NewBone, NewClip, NewEvent, NewSet};
use anim_formats::{
    AnyDocument, Format, SplitOptions, Take, cuts_of, note_late_clips, split, takes,
};

use crate::choice::Choices;
use crate::formats::assert_valid;
use crate::{FEW, assert_printable, comparison, played, settings, written};

/// Splits the takes of a model into the clips that an ANM text file defines, and into clips of the
/// model's own bones. Writes the result.
pub fn exercise(cuts: &[u8], format: Format, model: &[u8]) {
    let mut choices = Choices::of((cuts, model));
    let mut settings = settings();
    if choices.below(2) == 0 {
        choices.set_options(&mut settings);
    }
    let Ok(model) = AnyDocument::parse(model, format, &settings) else { return };
    let mut context = Context { name: "name", files: &mut NoFiles, settings: &settings };
    let scene = model.value.to_scene(&mut context).value;
    let read = anm_text::Document::parse(cuts).ok().map(|parsed| parsed.value);
    let made = fitting(&scene, &mut choices);
    for cuts in read.into_iter().chain(made) {
        for parts in clips(&scene, &cuts, &settings, &mut choices) {
            note_late_clips(&parts);
            played::exercise(&parts);
            comparison::equals_itself(&parts);
            let to = choices.writable();
            written::exercise(&parts, to, &settings, Some(Severity::Error));
        }
    }
}

/// Returns sets of clips for the bones of a scene.
fn fitting(scene: &Scene, choices: &mut Choices) -> Option<anm_text::Document<'static>> {
    let names: Vec<&str> = scene
        .skeletons
        .iter()
        .flat_map(|skeleton| &skeleton.joints)
        .map(|joint| joint.name.as_str())
        .collect();
    let ends: Vec<f32> = scene.clips.iter().flat_map(|clip| [clip.start, clip.end]).collect();
    if names.is_empty() || ends.is_empty() {
        return None;
    }
    let mut sets = Vec::new();
    for _ in 0..=choices.below(2) {
        // Times in seconds or in frames.
        let mut time = || {
            let between = choices.one(&[0.0, 0.25, 0.5, 1.0]);
            let (from, to) = (choices.one(&ends), choices.one(&ends));
            (from + (to - from) * between) * choices.one(&[1.0, 1.0, 24.0, 30.0])
        };
        let ranges = [(time(), time()), (time(), time())];
        let events = vec![NewEvent { time: time(), name: "event".into() }];
        let clips = ranges.iter().zip(["first", "second"]).map(|((a, b), name)| NewClip {
            start: a.min(*b),
            end: a.max(*b),
            name: name.into(),
        });
        let clips = clips.collect();
        let bone = NewBone {
            name: choices.one(&names).into(),
            children: choices.below(2) == 0,
            parent: choices.below(2) == 0,
        };
        sets.push(NewSet { name: "set".into(), bones: vec![bone], events, clips });
    }
    // Some names cannot be written.
    anm_text::Document::build(&sets).ok()
}

/// Splits the takes of a scene, each in a copy.
pub(crate) fn clips(
    scene: &Scene,
    cuts: &anm_text::Document<'_>,
    settings: &Settings,
    choices: &mut Choices,
) -> Vec<Scene> {
    let mut split = Vec::new();
    for take in takes(scene).iter().take(FEW) {
        split.extend(clips_of(scene, take, cuts, settings, choices));
    }
    split
}

fn clips_of(
    scene: &Scene,
    take: &Take,
    cuts: &anm_text::Document<'_>,
    settings: &Settings,
    choices: &mut Choices,
) -> Option<Scene> {
    let mut options = SplitOptions::default();
    options.bind = settings.apply();
    options.cut.borders = choices.below(2) == 0;
    options.cut.rebase = choices.below(2) == 0;
    let mut parts = scene.clone();
    match split(&mut parts, take, cuts, &options) {
        Ok(_) => {
            assert_valid(&parts);
            Some(parts)
        }
        Err(error) => {
            assert_printable(&error.to_string());
            assert!(dump(&parts) == dump(scene), "the scene is unchanged");
            None
        }
    }
}

/// Splits the takes of a document into the clips that another document defines.
pub(crate) fn of_documents(
    cuts: &AnyDocument<'_>,
    model: &AnyDocument<'_>,
    settings: &Settings,
    choices: &mut Choices,
) {
    let Some(cuts) = cuts_of(cuts) else { return };
    let mut context = Context { name: "name", files: &mut NoFiles, settings };
    clips(&model.to_scene(&mut context).value, cuts, settings, choices);
}
