//! Implementations of the common format traits.

use std::borrow::Cow;

use anim_ir::format::{self, Context, Fact, Format, FormatInfo, Output, Reading};
use anim_ir::{Confidence, Converted, Parsed, Scene};

use crate::camera::CameraDocument;
use crate::camera_to_ir::camera_to_ir;
use crate::document::Document;
use crate::error::{FromIrError, SPLIT_HELP};
use crate::from_ir::from_ir;
use crate::header::{Header, addressable};
use crate::join::output;
use crate::options::{CameraToIr, FromIr, ParseOptions, ToIr};
use crate::sniff::{sniff, sniff_camera};
use crate::to_ir::to_ir;
use crate::{codes, parser};

/// TMD ANM: frames that transform the objects of a TMD model.
#[derive(Clone, Copy, Debug)]
pub struct TmdAnm;

/// TMD ANC: a camera animation.
#[derive(Clone, Copy, Debug)]
pub struct TmdAnc;

anim_ir::document!(Document, TmdAnm);
anim_ir::document!(CameraDocument, TmdAnc);

impl Format for TmdAnm {
    const INFO: FormatInfo = FormatInfo::binary("tmd-anm", "TMD ANM", &["anm"], codes::ALL);
}

impl Format for TmdAnc {
    const INFO: FormatInfo = FormatInfo::binary("tmd-anc", "TMD ANC", &["anc"], codes::ALL);
}

impl format::Read for TmdAnm {
    anim_ir::reads!(Document { source }, ParseOptions, ToIr, sniff);

    fn parse<'a>(source: Cow<'a, [u8]>, options: &ParseOptions) -> Reading<Document<'a>> {
        parser::parse(source, options)
    }

    fn to_ir(
        document: &Document<'_>,
        options: &ToIr,
        context: &mut Context<'_>,
    ) -> Converted<Scene> {
        to_ir(document, &options.clone().with_name(context.name.to_owned()))
    }

    fn reach(head: &[u8], is_named: bool) -> Option<usize> {
        let least = if is_named { Confidence::Possible } else { Confidence::Likely };
        (sniff(head).confidence >= least).then(|| addressable(head).saturating_add(1))
    }
}

impl format::Read for TmdAnc {
    anim_ir::reads!(CameraDocument { source }, ParseOptions, CameraToIr, sniff_camera);

    fn parse<'a>(source: Cow<'a, [u8]>, options: &ParseOptions) -> Reading<CameraDocument<'a>> {
        let header = Header::parse(&source, &options.limits)?;
        let document = CameraDocument { source };
        let diagnostics = document.check(header, &options.limits);
        Ok(Parsed { value: document, diagnostics })
    }

    fn to_ir(
        document: &CameraDocument<'_>,
        options: &CameraToIr,
        context: &mut Context<'_>,
    ) -> Converted<Scene> {
        camera_to_ir(document, &options.clone().with_name(context.name.to_owned()))
    }

    fn reach(head: &[u8], is_named: bool) -> Option<usize> {
        // An ANC is identified by its length, or only by its name if it is too long.
        let is_ours = is_named && sniff_camera(head).confidence > Confidence::No;
        is_ours.then(|| addressable(head).saturating_add(1))
    }
}

impl format::Document for Document<'_> {
    fn is_named_after_file(&self) -> bool {
        true
    }

    /// The last frame is as long as the others.
    fn stated_rate(&self) -> Option<(usize, f64)> {
        Some((self.frames().len(), f64::from(self.frames_per_second())))
    }

    fn to_bytes(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.source)
    }

    fn facts(&self, all: bool) -> Vec<Fact> {
        self.facts(all)
    }
}

impl format::Document for CameraDocument<'_> {
    fn to_bytes(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.source)
    }

    fn facts(&self, _: bool) -> Vec<Fact> {
        self.facts()
    }
}

impl format::Write for TmdAnm {
    const HOLDS_ONE_CLIP: bool = true;
    type FromIr = FromIr;
    type Error = FromIrError;

    fn help(error: &FromIrError) -> Option<&'static str> {
        match error {
            FromIrError::Write { .. } => Some(SPLIT_HELP),
            FromIrError::Value { .. } => Some("use --clamp to limit it to the range"),
            _ => None,
        }
    }

    fn from_ir(
        scene: &Scene,
        options: &FromIr,
        stem: &str,
    ) -> Result<Converted<Output>, FromIrError> {
        Ok(from_ir(scene, options)?.map(|files| output(files, stem)))
    }
}
