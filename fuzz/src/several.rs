//! Operations that differ between formats: combining files, and editing.

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{NoFiles, Parsed, Settings, dump};
use anim_formats::{
    AnyDocument, AssembleOptions, Content, Format, Part, SplitOptions, assemble, cuts_of, pieces,
    split, stt, takes, tmd_anm,
};

use crate::choice::Choices;
use crate::formats::assert_valid;
use crate::{FEW, assert_printable, settings, written};

/// Edits files, assembles them in every format, and splits the last file's scene into the clips
/// that the first file defines.
pub fn exercise(files: &[(Format, &[u8])]) {
    let mut choices = Choices::of(files.iter().map(|(_, bytes)| *bytes).collect::<Vec<_>>());
    let mut settings = settings();
    let mut documents = Vec::new();
    for (format, bytes) in files {
        let Ok(parsed) = AnyDocument::parse(*bytes, *format, &settings) else { return };
        documents
            .push(Parsed { value: parsed.value.into_owned(), diagnostics: parsed.diagnostics });
    }
    if choices.below(2) == 0 {
        choices.set_options(&mut settings);
    }
    for document in &documents {
        edit(document.value.clone());
    }
    for to in Format::writable() {
        together(&documents, to, &settings, &mut choices);
    }
    if let [cuts, .., model] = &documents[..] {
        cut(&cuts.value, &model.value, &settings, &mut choices);
    }
}

/// Combines several files into one output.
fn together(
    documents: &[Parsed<AnyDocument<'static>>],
    to: Format,
    settings: &Settings,
    choices: &mut Choices,
) {
    let mut options = AssembleOptions::new(to, settings.clone());
    options.stem = "name".to_owned();
    options.way = choices.one(&["", "../elsewhere"]).to_owned();
    options.needs_scene = choices.below(4) == 0;
    options.animation = choices.one(&[None, None, Some(0), Some(1)]);
    options.merge = choices.below(4) == 0;
    options.join = choices.one(&[None, Some("joined")]).map(str::to_owned);
    let named: Vec<(&str, &AnyDocument<'_>)> =
        documents.iter().map(|document| ("name", &document.value)).collect();
    pieces(&named, to, options.join.as_deref());
    let part = |document: &Parsed<AnyDocument<'static>>| Part {
        name: "name".to_owned(),
        parsed: Parsed { value: document.value.clone(), diagnostics: document.diagnostics.clone() },
        files: Box::new(NoFiles),
        way: String::new(),
    };
    let worst = documents.iter().filter_map(|document| document.diagnostics.worst()).max();
    match assemble(documents.iter().map(part).collect(), &options) {
        Ok(assembled) => match assembled.content {
            Content::Scene(scene) => {
                assert_valid(&scene);
                written::exercise(&scene, to, settings, worst);
            }
            Content::Written(Ok(output)) => written::read(output, to, worst),
            Content::Written(Err(error)) => assert_printable(&error.to_string()),
        },
        Err(error) => assert_printable(&error.to_string()),
    }
}

/// Splits a model's takes into the clips that an ANM text file defines.
fn cut(
    cuts: &AnyDocument<'_>,
    model: &AnyDocument<'_>,
    settings: &Settings,
    choices: &mut Choices,
) {
    let Some(cuts) = cuts_of(cuts) else { return };
    let mut context = Context { name: "name", files: &mut NoFiles, settings };
    let scene = model.to_scene(&mut context).value;
    for take in takes(&scene).iter().take(FEW) {
        let mut options = SplitOptions::default();
        options.bind = settings.apply();
        options.cut.borders = choices.below(2) == 0;
        options.cut.rebase = choices.below(2) == 0;
        let mut parts = scene.clone();
        match split(&mut parts, take, cuts, &options) {
            Ok(_) => assert_valid(&parts),
            Err(error) => {
                assert_printable(&error.to_string());
                assert!(dump(&parts) == dump(&scene), "the scene is unchanged");
            }
        }
    }
}

/// Edits documents, or rebuilds them from their content.
fn edit(document: AnyDocument<'static>) {
    match document {
        AnyDocument::Stt(mut document) => {
            let data = document.data();
            if let Ok(built) = stt::Document::build(&data) {
                assert_eq!(built.data(), data);
            }
            let states = document.states().len().min(FEW);
            for state in (0..states).rev() {
                // After an edit, an invalid file may be parsed as fewer states.
                let is_there = state < document.states().len();
                assert_eq!(document.remove_state(state).is_ok(), is_there);
            }
        }
        AnyDocument::AnmText(mut document) => {
            let sets = document.sets().len().min(FEW);
            for set in (0..sets).rev() {
                // The last set cannot be removed.
                let _ = document.remove_set(set);
            }
        }
        AnyDocument::Castle(mut document) => {
            let animations = document.animations().len().min(FEW);
            for animation in (0..animations).rev() {
                let _ = document.rename(animation, "a \"<&>\" name");
                let _ = document.set_backwards(animation, true);
                let _ = document.remove_frame(animation, 0);
            }
        }
        AnyDocument::TmdAnm(document) => {
            let sequence = tmd_anm::Sequence::of(&document);
            if let Ok(parts) = sequence.split() {
                let parts: Vec<&tmd_anm::Document<'_>> = parts.iter().collect();
                let joined =
                    tmd_anm::Sequence::join(&parts, None).expect("all parts have the same rate");
                assert_eq!(joined.value, sequence);
            }
        }
        AnyDocument::TmdAnc(document) => {
            let sequence = tmd_anm::CameraSequence::of(&document);
            sequence.write().expect("the number of records does not exceed the number read");
        }
        _ => {}
    }
}
