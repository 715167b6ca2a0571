//! Reports problems with their positions in the file.

use anim_ir::diag::quote;
use anim_ir::source::Lines;
use anim_ir::text::Text;
use anim_ir::{Code, Diagnostic, Diagnostics, Fix, Span};
use roxmltree::{Attribute, Node};

use crate::codes;
use crate::envelope::Envelope;
use crate::tags::slice;

/// The text, its envelope, and the diagnostics so far.
pub(super) struct Reporter<'a> {
    pub(super) text: &'a Text<'a>,
    pub(super) lines: &'a Lines<'a>,
    pub(super) envelope: &'a Envelope,
    pub(super) diagnostics: Diagnostics,
}

impl<'a> Reporter<'a> {
    /// Reports a problem at a span of the text.
    pub(super) fn report(
        &mut self,
        code: &'static Code,
        span: Span,
        message: impl FnOnce() -> String,
    ) {
        self.diagnostics.push(code, self.text.source_span(span), message);
    }

    /// Reports a problem that replacing the span is certain to repair.
    pub(super) fn report_fix(
        &mut self,
        code: &'static Code,
        span: Span,
        replacement: impl Into<String>,
        message: impl FnOnce() -> String,
    ) {
        let span = self.text.source_span(span);
        self.diagnostics
            .report_fix(code, || Diagnostic::new(code, span, message()).fix(span, replacement));
    }

    /// Reports a problem, with a repair if one is certain.
    pub(super) fn report_maybe_fix(
        &mut self,
        code: &'static Code,
        span: Span,
        fix: Option<Fix>,
        message: impl FnOnce() -> String,
    ) {
        let Some(fix) = fix else { return self.report(code, span, message) };
        let span = self.text.source_span(span);
        self.diagnostics.report_fix(code, || Diagnostic {
            fix: Some(fix),
            ..Diagnostic::new(code, span, message())
        });
    }

    /// Reports an unexpected element.
    pub(super) fn foreign(&mut self, element: Node<'_, '_>, parent: &str) {
        self.report(&codes::ELEMENT, self.tag(element), || {
            format!(
                "unexpected element {} in `{parent}`",
                quote(element.tag_name().name().as_bytes())
            )
        });
    }

    /// Reports an unknown attribute.
    pub(super) fn unknown(
        &mut self,
        attribute: Attribute<'_, '_>,
        element: &str,
        fix: Option<Fix>,
    ) {
        self.report_maybe_fix(&codes::ATTRIBUTE, self.qname(attribute), fix, || {
            format!("`{element}` has no attribute {}", quote(attribute.name().as_bytes()))
        });
    }

    /// Reports an attribute of an animation for which the engine rejects the file.
    pub(super) fn refused(&mut self, name: Span, fix: Option<Fix>) {
        let written = self.slice(name);
        self.report_maybe_fix(&codes::ANIMATION_ATTRIBUTE, name, fix, || {
            format!(
                "`animation` has no attribute {}; Castle Game Engine rejects the file",
                quote(written.as_bytes())
            )
        });
    }

    /// Returns the repair for an attribute name that differs from a known name only in case.
    /// Returns `None` if the element already has the known attribute.
    pub(super) fn small_letters(
        &self,
        element: Node<'_, '_>,
        attribute: Attribute<'_, '_>,
        known: &[&str],
    ) -> Option<Fix> {
        let meant = known
            .iter()
            .find(|known| known.eq_ignore_ascii_case(name(attribute).unwrap_or_default()))?;
        let alike = |other: &Attribute<'_, '_>| {
            name(*other).is_some_and(|other| other.eq_ignore_ascii_case(meant))
        };
        let only = element.attributes().filter(alike).count() == 1;
        only.then(|| Fix {
            span: self.text.source_span(self.qname(attribute)),
            replacement: (*meant).to_owned(),
        })
    }

    /// Returns the text of a span.
    pub(super) fn slice(&self, span: Span) -> &'a str {
        slice(self.text.as_str(), span)
    }

    /// Returns the span of an element in the text.
    pub(super) fn span(&self, element: Node<'_, '_>) -> Span {
        self.envelope.span(element.range())
    }

    /// Returns the span of an element's `<`.
    pub(super) fn tag(&self, element: Node<'_, '_>) -> Span {
        first(self.span(element))
    }

    /// Returns the span of an attribute's name in the text.
    pub(super) fn qname(&self, attribute: Attribute<'_, '_>) -> Span {
        self.envelope.span(attribute.range_qname())
    }

    /// Returns the span of an attribute's value in the text.
    pub(super) fn value(&self, attribute: Attribute<'_, '_>) -> Span {
        self.envelope.span(attribute.range_value())
    }
}

/// Returns the name of an attribute, if it is not in a namespace.
pub(super) fn name<'a>(attribute: Attribute<'_, 'a>) -> Option<&'a str> {
    Some(attribute.name()).filter(|_| attribute.namespace().is_none())
}

pub(super) fn quoted(attribute: Attribute<'_, '_>) -> String {
    quote(attribute.value().as_bytes())
}

pub(super) fn first(span: Span) -> Span {
    Span::new(span.start, span.start + 1)
}
