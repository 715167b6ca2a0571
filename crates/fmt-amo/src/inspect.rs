//! Checks that are too expensive to run on every read.

use std::ops::Range;

use anim_ir::diag::quote;
use anim_ir::encoding::text_start;
use anim_ir::{Diagnostic, Diagnostics, Limits, Mesh, NormalsVerdict, Scene, Span};

use crate::codes;
use crate::document::Document;
use crate::to_ir::meshes::{self, parts_of_objects};
use crate::tokens::{line_at, spans, starts_like_number, words};

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
    let source = document.source();
    let lines = document.normals().iter().zip(normal_lines(source));
    let mut zero = lines
        .filter(|(normal, place)| **normal == [0.0; 3] && is_written_as_zero(source, *place))
        .map(|(_, [first, _])| first);
    if let Some(first) = zero.next() {
        found.report(&codes::ZERO_NORMAL, || {
            let message = match zero.count() {
                0 => "the normal is zero".to_owned(),
                more => format!("{} normals are zero", more + 1),
            };
            Diagnostic::new(&codes::ZERO_NORMAL, Some(first), message)
                .help("`convert --normals recompute` computes new normals")
        });
    }
    // Each object with elements is a mesh.
    for ((_, parts), mesh) in parts_of_objects(&document.content).iter().zip(&scene.meshes) {
        if let Some((message, help)) = describe(mesh) {
            found.report(&codes::NORMALS, || {
                let parts = parts.iter().map(|(_, elements)| elements);
                let mut corners = parts.flat_map(|elements| document.content.corners_of(elements));
                let corner = |at| document.content.corners.get(at);
                let normal = corners.find_map(|at| corner(at)?.normal());
                let place = normal.and_then(|normal| normal_lines(source).nth(normal));
                let span = place.map(|[first, _]| first);
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

/// Returns the spans of the first and the last word of each normal, in order. The first word is the
/// `vn` keyword, or in a list with a count the first number.
fn normal_lines(source: &[u8]) -> impl Iterator<Item = [Span; 2]> {
    let (mut at, mut is_in_list) = (text_start(source), false);
    std::iter::from_fn(move || {
        while at < source.len() {
            let line = line_at(source, at);
            let text = source.get(at..line.end).unwrap_or_default();
            let mut words = spans(text);
            let start = std::mem::replace(&mut at, line.next);
            let Some(word) = words.next() else { continue };
            let first = text.get(word.clone()).unwrap_or_default();
            let is_keyword = first == b"vn";
            let last = words.last();
            let is_count = is_keyword && spans(text).nth(2).is_none();
            let is_normal = (is_keyword && !is_count) || (is_in_list && starts_like_number(first));
            is_in_list = is_count || (is_in_list && is_normal);
            if is_normal {
                let span = |word: Range<usize>| Span::new(start + word.start, start + word.end);
                return Some([span(word.clone()), span(last.unwrap_or(word))]);
            }
        }
        None
    })
}

/// Whether numbers that could not be read are not what made a normal zero.
fn is_written_as_zero(source: &[u8], [first, last]: [Span; 2]) -> bool {
    let words = words(source, Span::new(first.start, last.end));
    let words = words.filter_map(|word| source.get(word.start..word.end));
    let numbers = words.filter(|word| *word != b"vn");
    let is_zero = |word: &[u8]| str::from_utf8(word).is_ok_and(|text| text.parse() == Ok(0.0_f32));
    numbers.take(3).filter(|word| is_zero(word)).count() == 3
}
