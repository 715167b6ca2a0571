//! Implementation of the [`format`] traits for BVH.

use std::borrow::Cow;

use anim_ir::format::{self, Context, Fact, Format, FormatInfo, Output, Reading};
use anim_ir::{Converted, Parsed, Scene};

use crate::document::{Document, ParseOptions};
use crate::error::FromIrError;
use crate::facts::facts;
use crate::from_ir::{FromIr, from_ir};
use crate::sniff::sniff;
use crate::to_ir::{ToIr, to_ir};
use crate::{codes, parser};

/// BVH, the Biovision hierarchy: skeletons and motion.
#[derive(Clone, Copy, Debug)]
pub struct Bvh;

anim_ir::document!(Document, Bvh);

impl Format for Bvh {
    const INFO: FormatInfo = FormatInfo::text("bvh", "BVH", &["bvh"], codes::ALL);
}

impl format::Read for Bvh {
    anim_ir::reads!(Document { source }, ParseOptions, ToIr, sniff);

    fn parse<'a>(source: Cow<'a, [u8]>, options: &ParseOptions) -> Reading<Document<'a>> {
        let (content, diagnostics) = parser::parse(&source, &options.limits)?;
        Ok(Parsed { value: Document { source, content, limits: options.limits }, diagnostics })
    }

    fn to_ir(
        document: &Document<'_>,
        options: &ToIr,
        context: &mut Context<'_>,
    ) -> Converted<Scene> {
        to_ir(document, &options.clone().with_name(context.name.to_owned()))
    }
}

impl format::Document for Document<'_> {
    fn is_named_after_file(&self) -> bool {
        true
    }

    /// Returns the number of intervals between frames, and the frame rate.
    fn stated_rate(&self) -> Option<(usize, f64)> {
        let intervals = self.frames().next_back()?.number();
        Some((intervals, self.frames_per_second()?))
    }

    fn to_bytes(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.source)
    }

    fn formatted(&self) -> Option<Vec<u8>> {
        Some(self.formatted())
    }

    fn facts(&self, _: bool) -> Vec<Fact> {
        facts(self)
    }
}

impl format::Write for Bvh {
    const HOLDS_ONE_CLIP: bool = true;
    type FromIr = FromIr;
    type Error = FromIrError;

    fn from_ir(scene: &Scene, options: &FromIr, _: &str) -> Result<Converted<Output>, FromIrError> {
        Ok(from_ir(scene, options)?.map(|document| Output::alone(document.source.into_owned())))
    }
}
