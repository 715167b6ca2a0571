//! TMD as a format among others.

use std::borrow::Cow;

use anim_ir::format::{Context, Format, Read};
use anim_ir::{Converted, FormatInfo, ParseError, Parsed, Scene, Sniff};

use crate::document::{Document, ParseOptions};
use crate::to_ir::ToIr;
use crate::{codes, sniff, to_ir};

/// TMD, a PlayStation model.
#[derive(Clone, Copy, Debug)]
pub struct Tmd;

impl Format for Tmd {
    const INFO: FormatInfo = FormatInfo::binary("tmd", "TMD", &["tmd"], codes::ALL);
}

impl Read for Tmd {
    type Document<'a> = Document<'a>;
    type ParseOptions = ParseOptions;
    type ToIr = ToIr;

    fn sniff(bytes: &[u8]) -> Sniff {
        sniff::sniff(bytes)
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
        to_ir::to_ir(document, options)
    }
}
