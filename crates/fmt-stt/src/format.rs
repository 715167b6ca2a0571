//! The format as programs see it.

use std::borrow::Cow;

use anim_ir::format::{self, Context, Format, FormatInfo, Output};
use anim_ir::{Converted, ParseError, Parsed, Scene, Sniff};

use crate::codes;
use crate::document::Document;
use crate::error::FromIrError;
use crate::from_ir::from_ir;
use crate::options::{FromIr, ParseOptions, ToIr};
use crate::sniff::sniff;
use crate::to_ir::to_ir;

/// State transition tables of MindRender.
#[derive(Clone, Copy, Debug)]
pub struct Stt;

impl Format for Stt {
    const INFO: FormatInfo = FormatInfo::text("stt", "MindRender STT", &["stt"], codes::ALL);
}

impl format::Read for Stt {
    type Document<'a> = Document<'a>;
    type ParseOptions = ParseOptions;
    type ToIr = ToIr;

    fn sniff(bytes: &[u8]) -> Sniff {
        sniff(bytes)
    }

    fn parse<'a>(
        source: Cow<'a, [u8]>,
        options: &ParseOptions,
    ) -> Result<Parsed<Document<'a>>, ParseError> {
        Document::parse_with(source, options)
    }

    fn into_owned(document: Document<'_>) -> Document<'static> {
        document.into_owned()
    }

    fn to_ir(document: &Document<'_>, options: &ToIr, _: &mut Context<'_>) -> Converted<Scene> {
        to_ir(document, options)
    }
}

impl format::Document for Document<'_> {
    fn to_bytes(&self) -> Cow<'_, [u8]> {
        self.to_bytes()
    }

    fn formatted(&self) -> Option<Vec<u8>> {
        Some(self.formatted())
    }
}

impl format::Write for Stt {
    const EXTENSIONS: &'static [&'static str] = Stt::INFO.extensions;
    type FromIr = FromIr;
    type Error = FromIrError;

    fn from_ir(scene: &Scene, options: &FromIr, _: &str) -> Result<Converted<Output>, FromIrError> {
        let written = from_ir(scene, options)?;
        Ok(written.map(|document| Output::alone(document.source.into_owned())))
    }
}
