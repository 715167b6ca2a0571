//! Implementation of the common format traits.

use std::borrow::Cow;

use anim_ir::format::{self, Context, Format, FormatInfo, Output, Reading};
use anim_ir::{Converted, Parsed, Scene};

use crate::document::Document;
use crate::error::FromIrError;
use crate::from_ir::from_ir;
use crate::options::{FromIr, ParseOptions, ToIr};
use crate::sniff::sniff;
use crate::to_ir::to_ir;
use crate::{codes, parser};

/// State transition tables of MindRender.
#[derive(Clone, Copy, Debug)]
pub struct Stt;

anim_ir::document!(Document, Stt);

impl Format for Stt {
    const INFO: FormatInfo = FormatInfo::text("stt", "MindRender STT", &["stt"], codes::ALL);
}

impl format::Read for Stt {
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
}

impl format::Write for Stt {
    const HOLDS_PING_PONG: bool = true;
    type FromIr = FromIr;
    type Error = FromIrError;

    fn from_ir(scene: &Scene, options: &FromIr, _: &str) -> Result<Converted<Output>, FromIrError> {
        Ok(from_ir(scene, options)?.map(|document| Output::alone(document.source.into_owned())))
    }
}
