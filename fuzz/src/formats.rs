//! Operations on a single file.

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{
    Diagnostics, NoFiles, Parsed, Scene, Settings, dump, listing, validate,
};
use anim_formats::{AnyDocument, Format, detect, rewrite};

use crate::choice::Choices;
use crate::{assert_printable, comparison, played, read_again, repairs, settings, written};

/// Runs every operation on arbitrary bytes, with and without options, and writes the scene in one
/// format each: writing all formats would take most of the time.
pub fn exercise(format: Format, bytes: &[u8]) {
    detect(bytes, None);
    let mut choices = Choices::of(bytes);
    let mut settings = settings();
    read(format, bytes, &settings, &mut choices);
    repairs::exercise(format, bytes);
    choices.set_options(&mut settings);
    read(format, bytes, &settings, &mut choices);
}

fn read(format: Format, bytes: &[u8], settings: &Settings, choices: &mut Choices) {
    let Parsed { value: document, diagnostics } = match AnyDocument::parse(bytes, format, settings)
    {
        Ok(parsed) => parsed,
        Err(error) => return assert_printable(&error.to_string()),
    };
    assert!(document.format() == format);
    assert!(document.to_bytes() == bytes, "an unedited document is written back byte for byte");
    assert_said_well(&document, &diagnostics);
    listing(&document.text(), &diagnostics);
    document.dialect();
    document.facts(true);
    document.inspect();
    for verdict in document.verdicts(&diagnostics) {
        assert_printable(&verdict.text);
    }
    let scene = scene_of(&document, settings);
    stays(&document, settings);
    formatted(&document, &scene, settings);
    played::exercise(&scene);
    comparison::equals_itself(&scene);
    written::exercise(&scene, choices.writable(), settings, diagnostics.worst());
    assert!(document.into_owned().to_bytes() == bytes);
}

/// Checks that codes are declared, spans are within the file, and messages can be displayed.
pub(crate) fn assert_said_well(document: &AnyDocument<'_>, diagnostics: &Diagnostics) {
    let text = document.text();
    let codes = anim_formats::all_codes();
    for found in diagnostics {
        assert!(codes.iter().any(|code| code.id == found.code.id), "{}", found.code.id);
        assert_printable(&found.message);
        if let Some(span) = found.span.map(|span| document.text_span(span)) {
            assert!(span.start <= span.end && span.end <= text.len(), "{found:?}");
        }
    }
}

fn scene_of(document: &AnyDocument<'_>, settings: &Settings) -> Scene {
    let made = document.to_scene(&mut Context { name: "name", files: &mut NoFiles, settings });
    assert_valid(&made.value);
    assert_said_well(document, &made.losses);
    made.value
}

#[track_caller]
pub(crate) fn assert_valid(scene: &Scene) {
    let problems = validate(scene);
    assert!(problems.is_empty(), "{problems:?}");
}

/// Checks that a document without options is written unchanged in its own format and in no other,
/// and that files written with options can be read.
fn stays(document: &AnyDocument<'_>, settings: &Settings) {
    let write = |to: Format, settings: &Settings| {
        let mut context = Context { name: "name", files: &mut NoFiles, settings };
        rewrite(document, to, ("", "name"), &mut context)
    };
    let mut stayed = 0;
    for to in Format::all() {
        if let Some(copy) = write(to, &Settings::default()).expect("no options are set") {
            assert!(copy.value.main == *document.to_bytes(), "as {to}");
            assert!(copy.value.companions.is_empty() && copy.losses.is_empty(), "as {to}");
            stayed += 1;
        }
        match write(to, settings) {
            Ok(Some(changed)) => {
                read_again(&changed.value.main, document.format(), &crate::settings());
            }
            Ok(None) => {}
            Err(error) => assert_printable(&error.to_string()),
        }
    }
    assert_eq!(stayed, 1, "exactly one format is the document's own");
}

/// Checks that formatting is idempotent and preserves the content.
fn formatted(document: &AnyDocument<'_>, scene: &Scene, settings: &Settings) {
    let Some(bytes) = document.formatted() else { return };
    let Some(again) = read_again(&bytes, document.format(), settings) else { return };
    let again = again.value;
    assert!(again.formatted().as_ref() == Some(&bytes), "formatting is idempotent");
    let again = dump(&scene_of(&again, settings));
    assert!(dump(scene) == again, "the canonical form has the same content");
}
