//! The format as programs see it.

use std::borrow::Cow;

use anim_ir::format::{self, Context, Format, FormatInfo};
use anim_ir::{Converted, ParseError, Parsed, Scene, Sniff};

use crate::animate::ToIr;
use crate::codes;
use crate::document::{Document, ParseOptions};
use crate::sniff::sniff;
use crate::to_ir::to_ir_with;

/// X3D and VRML scenes.
#[derive(Clone, Copy, Debug)]
pub struct X3d;

impl Format for X3d {
    const INFO: FormatInfo = FormatInfo::text(
        "x3d",
        "X3D",
        &["x3d", "x3dz", "x3dv", "x3dvz", "wrl", "wrz", "vrml"],
        codes::ALL,
    );
}

impl format::Read for X3d {
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

    fn to_ir(
        document: &Document<'_>,
        options: &ToIr,
        context: &mut Context<'_>,
    ) -> Converted<Scene> {
        to_ir_with(document, options, context.files)
    }
}

impl format::Document for Document<'_> {
    fn to_bytes(&self) -> Cow<'_, [u8]> {
        self.to_bytes()
    }

    fn text(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.text().as_bytes())
    }
}
