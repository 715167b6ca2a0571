//! Implementation of the common format traits.

use std::borrow::Cow;

use anim_ir::format::{self, Context, Format, FormatInfo, Reading};
use anim_ir::{Budget, Converted, Scene};

use crate::codes;
use crate::document::{Document, ParseOptions};
use crate::options::ToIr;
use crate::sniff::sniff;
use crate::to_ir::to_ir_with;

/// X3D and VRML scenes.
#[derive(Clone, Copy, Debug)]
pub struct X3d;

anim_ir::document!(Document, X3d);

impl Format for X3d {
    const INFO: FormatInfo = FormatInfo::text(
        "x3d",
        "X3D",
        &["x3d", "x3dz", "x3dv", "x3dvz", "wrl", "wrz", "vrml"],
        codes::ALL,
    );
}

impl format::Read for X3d {
    anim_ir::reads!(Document { source }, ParseOptions, ToIr, sniff);

    fn parse<'a>(source: Cow<'a, [u8]>, options: &ParseOptions) -> Reading<Document<'a>> {
        let budget = Budget::new(&options.limits, source.len());
        Document::parse_within(source, &budget)
    }

    fn to_ir(
        document: &Document<'_>,
        options: &ToIr,
        context: &mut Context<'_>,
    ) -> Converted<Scene> {
        to_ir_with(document, options, context.files, &[])
    }
}

impl format::Document for Document<'_> {
    fn to_bytes(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.source)
    }

    fn text(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.text().as_bytes())
    }
}
