//! Reads a sequence of similar scenes from one file.

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, Span};

use crate::codes;
use crate::graph::Graph;
use crate::xml::{Template, read};

/// Reads a sequence of XML scenes. If a scene differs from the previous scene only in attribute
/// values, only those values are parsed and everything else is shared.
#[derive(Debug, Default)]
pub struct FrameReader<'t> {
    before: Option<(Template<'t>, Graph)>,
}

impl<'t> FrameReader<'t> {
    /// Reads a scene from an `X3D` element. `start` is the offset of its text in the file that
    /// diagnostics refer to. `namespaces` are the prefixes and names of the namespaces in scope.
    /// Reports an error and returns `None` if the text is not well-formed.
    pub fn read(
        &mut self,
        text: &'t str,
        start: usize,
        namespaces: &[(String, String)],
        diagnostics: &mut Diagnostics,
    ) -> Option<Graph> {
        if let Some((template, graph)) = &self.before
            && let Some((graph, template)) = template.follow(graph, text, start, diagnostics)
        {
            self.before = Some((template, graph.clone()));
            return Some(graph);
        }
        match read(text, start, namespaces, diagnostics) {
            Ok((graph, template)) => {
                self.before = Some((template, graph.clone()));
                Some(graph)
            }
            Err((span, message)) => {
                let shown = text
                    .get(span.start.saturating_sub(start)..)
                    .unwrap_or_default()
                    .lines()
                    .next()
                    .unwrap_or_default();
                diagnostics.push(&codes::XML, Some(Span::new(span.start, span.start)), || {
                    format!("{message} at {}", quote(shown.as_bytes()))
                });
                None
            }
        }
    }
}
