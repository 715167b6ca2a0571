//! The implementation of the format traits.

use std::borrow::Cow;

use anim_ir::format::{self, Context, Fact, Format, FormatInfo, Output, Reading, Rewrite, Written};
use anim_ir::{Converted, Scene};

use crate::codes;
use crate::document::{Document, ParseOptions};
use crate::error::FromIrError;
use crate::from_ir::{FromIr, from_ir, to_gltf};
use crate::sniff::sniff;
use crate::to_ir::{ToIr, to_ir_with};

/// glTF 2.0: reads GLB and `.gltf`, writes `.gltf` with a binary buffer file.
#[derive(Clone, Copy, Debug)]
pub struct Gltf;

/// glTF 2.0 in a single binary file. Write-only: [`Gltf`] reads both kinds.
#[derive(Clone, Copy, Debug)]
pub struct Glb;

anim_ir::document!(Document, Gltf);

impl Format for Gltf {
    const INFO: FormatInfo = FormatInfo::text("gltf", "glTF 2.0", &["glb", "gltf"], codes::ALL);
}

impl Format for Glb {
    const INFO: FormatInfo = FormatInfo::text("glb", "GLB", &["glb"], codes::ALL);
}

impl format::Read for Gltf {
    anim_ir::reads!(Document { bytes }, ParseOptions, ToIr, sniff);

    fn parse<'a>(source: Cow<'a, [u8]>, options: &ParseOptions) -> Reading<Document<'a>> {
        Document::read(source, options)
    }

    fn to_ir(
        document: &Document<'_>,
        options: &ToIr,
        context: &mut Context<'_>,
    ) -> Converted<Scene> {
        to_ir_with(document, options, context.files)
    }

    fn rewrite(
        document: &Document<'_>,
        request: &Rewrite<'_>,
        _: &mut Context<'_>,
    ) -> Option<Written> {
        let same = if document.is_glb() { Glb::INFO.id } else { Gltf::INFO.id };
        // In another folder, the relative paths of its companion files would no longer be valid.
        let stays = request.way.is_empty() || !document.has_companions();
        (request.to == same && request.is_untouched && stays)
            .then(|| Ok(Converted::lossless(Output::alone(document.to_bytes().into_owned()))))
    }
}

impl format::Document for Document<'_> {
    fn to_bytes(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.bytes)
    }

    /// The names of the animations, as other programs see them. The scene's clips have the names
    /// stored in extras and include the motionless clips that extras describe.
    fn facts(&self, _: bool) -> Vec<Fact> {
        let names = || self.root().animations.iter().map(|animation| &*animation.name);
        let heading = Some((
            "animation in the file, as other programs see it",
            "animations in the file, as other programs see them",
        ));
        let rows = names().map(|name| vec![name.to_owned()]).collect();
        vec![Fact { key: "animations", clip: None, value: names().collect(), heading, rows }]
    }
}

impl format::Write for Gltf {
    const EXTENSIONS: &'static [&'static str] = &["gltf"];
    const TAKES_ANY_SCENE: bool = true;
    const TAKES_IMAGES: bool = true;
    type FromIr = FromIr;
    type Error = FromIrError;

    fn from_ir(
        scene: &Scene,
        options: &FromIr,
        stem: &str,
    ) -> Result<Converted<Output>, FromIrError> {
        to_gltf(scene, options, stem)
    }
}

impl format::Write for Glb {
    const TAKES_ANY_SCENE: bool = true;
    const TAKES_IMAGES: bool = true;
    type FromIr = FromIr;
    type Error = FromIrError;

    fn from_ir(scene: &Scene, options: &FromIr, _: &str) -> Result<Converted<Output>, FromIrError> {
        Ok(from_ir(scene, options)?.map(Output::alone))
    }
}
