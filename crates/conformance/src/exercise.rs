//! Runs every operation on a file.

use std::borrow::Cow;
use std::collections::BTreeMap;

use anim_ir::format::{Context, Document, FormatInfo, Output, Read, Rewrite, Write};
use anim_ir::{
    Converted, Diagnostics, NoFiles, ParseError, Parsed, ResolveError, Resolver, Scene, Settings,
    Severity, listing, validate,
};

/// The maximum length of a message in bytes.
const LONGEST: usize = 1_000;

/// Detects, reads, writes back and formats a file, and converts it to a scene. If the file can be
/// read, returns the scene and the highest severity of the file's problems.
pub(crate) fn exercise<F: Read>(bytes: &[u8]) -> Option<(Scene, Option<Severity>)> {
    F::sniff(bytes);
    F::reach(bytes, true);
    let Parsed { value: document, diagnostics } = match parse::<F>(bytes) {
        Ok(parsed) => parsed,
        Err(error) => {
            assert_printable(&error.to_string());
            return None;
        }
    };
    assert!(document.to_bytes() == bytes, "an unedited document is written back byte for byte");
    assert_said_well::<F>(&document, &diagnostics);
    if let Some(formatted) = document.formatted() {
        let again = parse::<F>(&formatted).expect("the canonical form can be read").value;
        assert!(again.formatted().as_ref() == Some(&formatted), "formatting is idempotent");
    }
    let made = scene::<F>(&document, "name", &mut NoFiles);
    let problems = validate(&made.value);
    assert!(problems.is_empty(), "{problems:?}");
    assert_said_well::<F>(&document, &made.losses);
    Some((made.value, diagnostics.worst()))
}

/// Like [`exercise`], but also writes the scene. The output must be readable, and must have no
/// errors if the file had none. The output of a file with errors may have errors too, since a scene
/// may retain the file's content, which is then written unchanged.
pub(crate) fn exercise_and_write<F: Read + Write>(bytes: &[u8]) {
    let Some((made, worst)) = exercise::<F>(bytes) else { return };
    let Ok(written) = F::from_ir(&made, &F::FromIr::default(), "name") else { return };
    let Output { main, companions } = written.value;
    let again = parse::<F>(&main).expect("written files can be read");
    let is_as_good = again.diagnostics.worst() <= worst.max(Some(Severity::Warning));
    assert!(is_as_good, "{}", listing(&main, &again.diagnostics));
    let again = scene::<F>(&again.value, "name", &mut InMemory(companions.into_iter().collect()));
    let problems = validate(&again.value);
    assert!(problems.is_empty(), "{problems:?}");
}

fn parse<F: Read>(bytes: &[u8]) -> Result<Parsed<F::Document<'_>>, ParseError> {
    F::parse(Cow::Borrowed(bytes), &F::ParseOptions::default())
}

/// Converts a document to a scene.
pub(crate) fn scene<F: Read>(
    document: &F::Document<'_>,
    name: &str,
    files: &mut dyn Resolver,
) -> Converted<Scene> {
    let settings = Settings::default();
    F::to_ir(document, &F::ToIr::default(), &mut Context { name, files, settings: &settings })
}

/// Checks that spans are within the file, messages can be printed, and codes are declared by the
/// format.
fn assert_said_well<F: Read>(document: &F::Document<'_>, diagnostics: &Diagnostics) {
    let text = document.text();
    for found in diagnostics {
        if let Some(span) = found.span.map(|span| document.text_span(span)) {
            assert!(span.start <= span.end && span.end <= text.len(), "{found:?}");
        }
        assert_printable(&found.message);
        assert_declared(&F::INFO, found.code.id);
    }
}

fn assert_printable(message: &str) {
    let is_short = message.len() <= LONGEST;
    assert!(is_short && !message.contains(char::is_control), "{message:?}");
}

fn assert_declared(info: &FormatInfo, code: &str) {
    assert!(info.codes.iter().any(|known| known.id == code), "{code} is not in INFO.codes");
}

/// The extensions of languages that are read as X3D and written as X3D in XML.
const WRITTEN_ANEW: [&str; 5] = [".wrl", ".wrz", ".vrml", ".x3dv", ".x3dvz"];

/// Checks that an unedited document is written back unchanged, whether it borrows or owns the file.
pub(crate) fn rewrite<F: Read>(bytes: &[u8], name: &str) {
    let Ok(parsed) = parse::<F>(bytes) else { return };
    let request = Rewrite { to: F::INFO.id, is_untouched: true, way: "", stem: "name" };
    let settings = Settings::default();
    let mut context = Context { name: "name", files: &mut NoFiles, settings: &settings };
    let written = F::rewrite(&parsed.value, &request, &mut context);
    let stays = !WRITTEN_ANEW.iter().any(|extension| name.ends_with(extension));
    assert!(written.is_some() || !stays, "{name}: a document can be written in its own format");
    if let Some(written) = written {
        let written = written.unwrap();
        assert!(written.losses.is_empty(), "{name}");
        assert!(written.value == Output::alone(bytes.to_vec()), "{name}");
    }
    assert!(parsed.value.to_bytes() == bytes, "{name}");
    let owned = F::into_owned(parsed.value);
    assert!(owned.to_bytes() == bytes, "{name}");
}

/// The canonical form of a file, with the problems in the file and in its canonical form.
pub(crate) type Canonical = (Vec<u8>, [Diagnostics; 2]);

/// Checks that the canonical form of a file converts to the same scene, and that formatting it
/// again changes nothing. Returns `None` if the file cannot be read or has no canonical form.
pub(crate) fn format<F: Read>(bytes: &[u8], name: &str) -> Option<Canonical> {
    let Parsed { value: document, diagnostics: of_file } = parse::<F>(bytes).ok()?;
    let formatted = document.formatted()?;
    let of_form = {
        let again = parse::<F>(&formatted).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(dump::<F>(&document), dump::<F>(&again.value), "{name}");
        let is_same = again.value.formatted().as_ref() == Some(&formatted);
        assert!(
            is_same,
            "{name}: formatting changes the canonical form\n{}",
            String::from_utf8_lossy(&formatted)
        );
        again.diagnostics
    };
    Some((formatted, [of_file, of_form]))
}

fn dump<F: Read>(document: &F::Document<'_>) -> String {
    anim_ir::dump(&scene::<F>(document, "name", &mut NoFiles).value)
}

/// The companion files of a written file.
struct InMemory(BTreeMap<String, Vec<u8>>);

impl Resolver for InMemory {
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        self.0.get(address).cloned().ok_or(ResolveError::NotFound)
    }

    fn exists(&mut self, address: &str) -> bool {
        self.0.contains_key(address)
    }
}
