//! Errors in scripts.

use anim_formats::anim_ir::{Code, Diagnostic, Span};

/// An error in a script.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Problem {
    pub(super) code: &'static Code,
    diagnostic: Box<Diagnostic>,
    /// The time of the line, if only the command is wrong.
    pub(super) time: Option<(f64, Span)>,
}

impl Problem {
    pub(super) fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Problem {
        Problem { code, diagnostic: Diagnostic::new(code, Some(span), message).into(), time: None }
    }

    pub(super) fn help(self, help: impl Into<String>) -> Problem {
        Problem { diagnostic: Box::new(self.diagnostic.help(help)), ..self }
    }

    /// Sets the time of the line.
    pub(super) fn at(self, time: (f64, Span)) -> Problem {
        Problem { time: Some(time), ..self }
    }

    pub(super) fn into_diagnostic(self) -> Diagnostic {
        *self.diagnostic
    }
}
