//! Checks that are too expensive to run on every read.

use anim_ir::diag::quote;
use anim_ir::{Diagnostic, Diagnostics, Limits, Mesh, NormalsVerdict, Scene, Span};

use crate::codes;
use crate::document::Document;
use crate::to_ir::meshes;
use crate::tokens::{line_at, spans, starts_like_number};

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
    let mut zero = document.normals().iter().enumerate().filter(|(_, normal)| **normal == [0.0; 3]);
    if let Some((first, _)) = zero.next() {
        found.report(&codes::ZERO_NORMAL, || {
            let message = match zero.count() {
                0 => "the normal is zero".to_owned(),
                more => format!("{} normals are zero", more + 1),
            };
            let span = normal_line(document.source(), first);
            Diagnostic::new(&codes::ZERO_NORMAL, span, message)
                .help("`convert --normals recompute` computes new normals")
        });
    }
    for mesh in &scene.meshes {
        if let Some((message, help)) = describe(mesh) {
            found.report(&codes::NORMALS, || {
                let span = normal_line(document.source(), 0);
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

/// Returns the span of the first word of the normal with this index: the `vn` keyword, or in a list
/// with a count the first number.
fn normal_line(source: &[u8], index: usize) -> Option<Span> {
    let (mut at, mut before, mut is_in_list) = (0, 0, false);
    while at < source.len() {
        let line = line_at(source, at);
        let text = source.get(at..line.end).unwrap_or_default();
        let mut words = spans(text);
        if let Some(word) = words.next() {
            let first = text.get(word.clone()).unwrap_or_default();
            let is_keyword = first == b"vn";
            let is_count = is_keyword && words.nth(1).is_none();
            let is_normal = (is_keyword && !is_count) || (is_in_list && starts_like_number(first));
            if is_normal && before == index {
                return Some(Span::new(at + word.start, at + word.end));
            }
            before += usize::from(is_normal);
            is_in_list = is_count || (is_in_list && is_normal);
        }
        at = line.next;
    }
    None
}
