//! Checks that are too expensive to run on every read.

use anim_ir::diag::quote;
use anim_ir::{Diagnostic, Diagnostics, Limits, Mesh, NormalsVerdict, Scene, Span};

use crate::codes;
use crate::document::Document;
use crate::to_ir::meshes;
use crate::tokens::{line_at, spans};

/// Compares the normals of each object with its faces.
pub(crate) fn inspect(document: &Document<'_>) -> Diagnostics {
    let mut found = Diagnostics::new();
    if document.normals().is_empty() {
        return found;
    }
    let mut scene = Scene::default();
    // Conversion losses are irrelevant here.
    let limits = Limits::default();
    meshes::meshes(document, &[], &limits, &mut scene, &mut Diagnostics::new());
    for mesh in &scene.meshes {
        if let Some((message, help)) = describe(mesh) {
            found.report(&codes::NORMALS, || {
                let span = first_normal(document.source());
                Diagnostic::new(&codes::NORMALS, span, message).help(help)
            });
        }
    }
    found
}

/// Returns the message and help for the normals of a mesh, or `None` if they are correct.
fn describe(mesh: &Mesh) -> Option<(String, String)> {
    let of = if mesh.name.is_empty() {
        String::new()
    } else {
        format!(" of {}", quote(mesh.name.as_bytes()))
    };
    let fixed = "`convert --normals fix`, the default, repairs this in the output";
    Some(match mesh.normals_verdict() {
        NormalsVerdict::Turned(turn) => {
            (format!("the normals{of} are {turn} relative to the faces"), fixed.to_owned())
        }
        NormalsVerdict::FacesReversed => (
            format!(
                "the faces{of} point inwards (clockwise from outside), but the normals point \
                 outwards"
            ),
            fixed.to_owned(),
        ),
        NormalsVerdict::Disagree { against, of: faces } => (
            format!(
                "the normals{of} point away from {} % of the faces",
                against.saturating_mul(100) / faces.max(1)
            ),
            "no single rotation explains this; `convert --normals recompute` computes new normals"
                .to_owned(),
        ),
        _ => return None,
    })
}

/// Returns the span of the first `vn` keyword.
fn first_normal(source: &[u8]) -> Option<Span> {
    let mut at = 0;
    while at < source.len() {
        let line = line_at(source, at);
        let text = source.get(at..line.end).unwrap_or_default();
        let keyword = spans(text).next().filter(|word| text.get(word.clone()) == Some(b"vn"));
        if let Some(word) = keyword {
            return Some(Span::new(at + word.start, at + word.end));
        }
        at = line.next;
    }
    None
}
