//! Writes a scene and reads it back.

use std::collections::BTreeMap;

use anim_formats::anim_ir::format::{Context, Output};
use anim_formats::anim_ir::{
    Confidence, ResolveError, Resolver, Scene, Settings, Severity, listing,
};
use anim_formats::{Format, bake_of, convert, detect};

use crate::formats::assert_valid;
use crate::{assert_printable, read_again, settings};

/// Writes a scene. `worst` is the highest severity in the file that the scene was converted from.
pub(crate) fn exercise(scene: &Scene, to: Format, settings: &Settings, worst: Option<Severity>) {
    let mut one_clip = None;
    if to.holds_one_clip()
        && let [(_, first), _, ..] = scene.playables()[..]
    {
        let mut kept = scene.clone();
        if kept.keep(first, &bake_of(settings)).is_err() {
            return;
        }
        assert_valid(&kept);
        one_clip = Some(kept);
    }
    match convert(one_clip.as_ref().unwrap_or(scene), to, settings, "name") {
        Ok(written) => read(written.value, to, worst),
        Err(error) => {
            let message = error.to_string();
            assert_printable(&message);
            assert!(!message.starts_with("invalid scene"), "as {to}: {message}");
            // Format errors have no common type.
            let is_allowed = ["more than", "the limit is", "than the limit of", "invalid clip names"]
                .iter()
                .any(|cause| message.contains(cause));
            assert!(is_allowed || !to.takes_any_scene(), "as {to}: {message}");
        }
    }
}

/// Checks that a written file is detected, is read without new errors, and converts to a valid
/// scene. The copy of a file with problems, such as a wrong magic number, need not be detected.
pub(crate) fn read(written: Output, to: Format, worst: Option<Severity>) {
    let Output { main, companions } = written;
    let name = to.written_extensions().first().map(|extension| format!("name.{extension}"));
    let mut found = detect(&main, name.as_deref()).into_iter();
    let format = if to.can_read() {
        let is_detected = found.any(|candidate| candidate.format == to);
        assert!(is_detected || worst >= Some(Severity::Warning), "{to} is not detected");
        to
    } else {
        // GLB files are detected as glTF.
        match found.next().filter(|candidate| candidate.confidence == Confidence::Certain) {
            Some(candidate) => candidate.format,
            None => return,
        }
    };
    let settings = settings();
    let Some(parsed) = read_again(&main, format, &settings) else { return };
    // A scene may retain the document it was converted from, which is then written unchanged,
    // including its errors.
    let is_as_good = parsed.diagnostics.worst() <= worst.max(Some(Severity::Warning));
    assert!(is_as_good, "as {to}: {}", listing(&parsed.value.text(), &parsed.diagnostics));
    let mut files = InMemory(companions.into_iter().collect());
    let mut context = Context { name: "name", files: &mut files, settings: &settings };
    assert_valid(&parsed.value.to_scene(&mut context).value);
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
