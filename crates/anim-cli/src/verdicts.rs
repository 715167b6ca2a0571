//! What the specification and Castle Game Engine say of a castle-anim-frames file.

use anim_formats::AnyDocument;
use anim_formats::anim_ir::{Code, Diagnostics, Severity};
use anim_formats::castle::{self, ENGINE_REFUSES, SPECIFICATION_REFUSES};
use anim_formats::x3d;
use serde::Serialize;

use crate::term::{HEADING, severity_style, styled};

/// Of the animation file alone: frames that lie in files of their own are not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Verdicts {
    specification: bool,
    engine: bool,
}

impl Verdicts {
    /// `None` for a format that has one judge only.
    pub(crate) fn of(document: &AnyDocument<'_>, diagnostics: &Diagnostics) -> Option<Verdicts> {
        let AnyDocument::Castle(_) = document else { return None };
        let castle::Verdicts { specification, engine } = castle::Verdicts::of(diagnostics);
        Some(Verdicts { specification, engine })
    }

    /// A line each, with the first reason for a refusal.
    pub(crate) fn lines(self, file: &str, diagnostics: &Diagnostics) -> [String; 2] {
        let fine = if diagnostics.count(&x3d::codes::FILE) > 0 {
            "fine but for the files it names"
        } else {
            "fine"
        };
        let line = |judge: &str, accepts: bool, refuses: &[&Code]| {
            let verdict = if accepts { fine.to_owned() } else { refusal(refuses, diagnostics) };
            let severity = if accepts { Severity::Note } else { Severity::Error };
            format!(
                "{}: {judge}: {}",
                styled(HEADING, file),
                styled(severity_style(severity), verdict)
            )
        };
        [
            line("specification", self.specification, SPECIFICATION_REFUSES),
            line("Castle Game Engine", self.engine, ENGINE_REFUSES),
        ]
    }
}

fn refusal(refuses: &[&Code], diagnostics: &Diagnostics) -> String {
    let reason = diagnostics
        .iter()
        .find(|diagnostic| refuses.iter().any(|code| code.id == diagnostic.code.id));
    reason.map_or("refuses it".to_owned(), |reason| format!("refuses it ({})", reason.message))
}
