//! Implementation of the common format traits.

use std::borrow::Cow;

use anim_ir::format::{self, Context, Fact, Format, FormatInfo, Output, Reading, Verdict};
use anim_ir::text::Text;
use anim_ir::{Converted, Diagnostics, Parsed, Scene, Span};

use crate::content::Parts;
use crate::document::{Document, ParseOptions};
use crate::error::FromIrError;
use crate::facts::facts;
use crate::from_ir::{FromIr, from_ir};
use crate::operations::finish;
use crate::sniff::sniff;
use crate::to_ir::{ToIr, to_ir};
use crate::verdicts::verdicts;
use crate::{codes, parser};

/// Castle Game Engine's castle-anim-frames format.
#[derive(Clone, Copy, Debug)]
pub struct Castle;

anim_ir::document!(Document, Castle);

impl Format for Castle {
    const INFO: FormatInfo = FormatInfo::text(
        "castle",
        "castle-anim-frames",
        &["castle-anim-frames", "kanim"],
        codes::ALL,
    );
}

impl format::Read for Castle {
    anim_ir::reads!(Document { text }, ParseOptions, ToIr, sniff);

    fn parse<'a>(source: Cow<'a, [u8]>, options: &ParseOptions) -> Reading<Document<'a>> {
        options.limits.check_input(source.len())?;
        let text = Text::of_xml(source)?;
        let (Parts { animations, namespaces }, diagnostics) =
            parser::parse(&text, &options.limits)?;
        Ok(Parsed { value: Document { text, animations, namespaces }, diagnostics })
    }

    fn to_ir(document: &Document<'_>, options: &ToIr, _: &mut Context<'_>) -> Converted<Scene> {
        to_ir(document, options)
    }
}

impl format::Document for Document<'_> {
    fn is_named_after_file(&self) -> bool {
        matches!(self.animations(), [only] if only.name == crate::UNNAMED)
    }

    fn to_bytes(&self) -> Cow<'_, [u8]> {
        self.text.to_bytes()
    }

    fn text(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.text().as_bytes())
    }

    fn text_span(&self, span: Span) -> Span {
        self.text_span(span)
    }

    fn formatted(&self) -> Option<Vec<u8>> {
        Some(self.formatted())
    }

    fn facts(&self, _: bool) -> Vec<Fact> {
        facts(self)
    }

    fn verdicts(&self, diagnostics: &Diagnostics) -> Vec<Verdict> {
        verdicts(diagnostics).into()
    }
}

impl format::Write for Castle {
    const HOLDS_PING_PONG: bool = true;
    type FromIr = FromIr;
    type Error = FromIrError;

    fn from_ir(
        scene: &Scene,
        options: &FromIr,
        stem: &str,
    ) -> Result<Converted<Output>, FromIrError> {
        let Converted { value, losses } = from_ir(scene, options)?;
        Ok(Converted { value: finish(&value, options, stem)?, losses })
    }
}
