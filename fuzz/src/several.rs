//! Combining files.

use anim_formats::anim_ir::{NoFiles, Parsed, Settings};
use anim_formats::{AnyDocument, AssembleOptions, Content, Format, Part, assemble, pieces};

use crate::choice::Choices;
use crate::formats::assert_valid;
use crate::{assert_printable, edits, settings, splits, written};

/// Rebuilds files, assembles them in one format, and splits the last file's scene into the clips
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
        edits::rebuild(&document.value);
    }
    together(&documents, choices.writable(), &settings, &mut choices);
    if let [cuts, .., model] = &documents[..] {
        splits::of_documents(&cuts.value, &model.value, &settings, &mut choices);
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
