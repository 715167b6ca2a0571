//! The [`format`] traits for ANM text.

use std::borrow::Cow;

use anim_ir::format::{self, ByExtension, Context, Fact, Format, FormatInfo, Output, Reading};
use anim_ir::{Converted, Parsed, Scene};

use crate::document::{Document, ParseOptions};
use crate::error::FromIrError;
use crate::from_ir::{FromIr, from_ir};
use crate::sniff::sniff;
use crate::to_ir::{ToIr, to_ir};
use crate::{codes, parser};

/// Gillius ANM text, which divides a model's timeline into animations.
#[derive(Clone, Copy, Debug)]
pub struct AnmText;

anim_ir::document!(Document, AnmText);

impl Format for AnmText {
    const INFO: FormatInfo = FormatInfo::text("anm-text", "ANM text", &["anm"], codes::ALL)
        .with_by_extension(ByExtension::Text);
}

impl format::Read for AnmText {
    anim_ir::reads!(Document { source }, ParseOptions, ToIr, sniff);

    fn parse<'a>(source: Cow<'a, [u8]>, options: &ParseOptions) -> Reading<Document<'a>> {
        let (content, diagnostics) = parser::parse(&source, &options.limits)?;
        Ok(Parsed { value: Document { source, content, limits: options.limits }, diagnostics })
    }

    fn to_ir(document: &Document<'_>, options: &ToIr, _: &mut Context<'_>) -> Converted<Scene> {
        to_ir(document, options)
    }
}

impl format::Document for Document<'_> {
    fn to_bytes(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.source)
    }

    fn formatted(&self) -> Option<Vec<u8>> {
        Some(self.formatted())
    }

    fn facts(&self, all: bool) -> Vec<Fact> {
        self.facts(all)
    }
}

impl format::Write for AnmText {
    type FromIr = FromIr;
    type Error = FromIrError;

    fn from_ir(scene: &Scene, options: &FromIr, _: &str) -> Result<Converted<Output>, FromIrError> {
        Ok(from_ir(scene, options)?.map(|document| Output::alone(document.source.into_owned())))
    }
}
