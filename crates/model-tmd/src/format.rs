//! Implementation of the common format traits.

use std::borrow::Cow;

use anim_ir::format::{self, Context, Format, FormatInfo, Read, Reading};
use anim_ir::{Converted, Scene};

use crate::document::{Document, ParseOptions};
use crate::to_ir::ToIr;
use crate::{codes, parser, sniff, to_ir};

/// TMD, a PlayStation model.
#[derive(Clone, Copy, Debug)]
pub struct Tmd;

anim_ir::document!(Document, Tmd);

impl Format for Tmd {
    const INFO: FormatInfo = FormatInfo::binary("tmd", "TMD", &["tmd"], codes::ALL);
}

impl Read for Tmd {
    anim_ir::reads!(Document { source }, ParseOptions, ToIr, sniff::sniff);

    fn parse<'a>(source: Cow<'a, [u8]>, options: &ParseOptions) -> Reading<Document<'a>> {
        parser::parse(source, options)
    }

    fn to_ir(document: &Document<'_>, options: &ToIr, _: &mut Context<'_>) -> Converted<Scene> {
        to_ir::to_ir(document, options)
    }
}

impl format::Document for Document<'_> {
    fn to_bytes(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.source)
    }
}
