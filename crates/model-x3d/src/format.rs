//! Implementation of the common format traits.

use std::borrow::Cow;
use std::io::Read as _;

use anim_ir::format::options::OptionValue;
use anim_ir::format::{self, Context, Format, FormatInfo, Output, Reading, Rewrite, Written};
use anim_ir::{Budget, Converted, Options as _, Scene, Settings};
use flate2::Compression;
use flate2::read::GzEncoder;

use crate::codes;
use crate::document::{Document, ParseOptions};
use crate::from_ir::{FromIr, FromIrError, GZIP, from_ir_within};
use crate::options::ToIr;
use crate::parser;
use crate::sniff::sniff;
use crate::to_ir::to_ir_with;
use crate::version::Version;
use crate::writer::Encoding;

/// X3D and VRML scenes. Written as XML.
#[derive(Clone, Copy, Debug)]
pub struct X3d;

anim_ir::document!(Document, X3d);

impl Format for X3d {
    const INFO: FormatInfo = FormatInfo::text(
        "x3d",
        "X3D",
        &["x3d", "x3dz", "x3dv", "x3dvz", "wrl", "wrz", "vrml"],
        codes::ALL,
    )
    .with_dialects(Version::DIALECTS);
}

impl format::Read for X3d {
    anim_ir::reads!(Document { text }, ParseOptions, ToIr, sniff);

    fn parse<'a>(source: Cow<'a, [u8]>, options: &ParseOptions) -> Reading<Document<'a>> {
        let budget = Budget::new(&options.limits, source.len());
        parser::parse(source, &budget)
    }

    fn to_ir(
        document: &Document<'_>,
        options: &ToIr,
        context: &mut Context<'_>,
    ) -> Converted<Scene> {
        to_ir_with(document, options, context.files, &[])
    }

    fn rewrite(
        document: &Document<'_>,
        request: &Rewrite<'_>,
        context: &mut Context<'_>,
    ) -> Option<Written> {
        let same = match document.version() {
            Version::X3dXml => X3d::INFO.id,
            Version::X3dClassic => X3dv::INFO.id,
            Version::Vrml1 | Version::Vrml97 => "",
        };
        // In another folder, the addresses of other files would no longer be valid.
        let stays = request.way.is_empty() || !document.graph().refers_to_files();
        let is_untouched = request.is_untouched || asks_only_for_gzip(context.settings);
        (request.to == same && is_untouched && stays).then(|| {
            let gzip = context.settings.get(GZIP).map(OptionValue::flag);
            let bytes = match (gzip, &document.compressed) {
                (Some(true), None) => packed(&document.text.to_bytes()),
                (Some(false), Some(_)) => document.text.to_bytes().into_owned(),
                _ => document.to_bytes().into_owned(),
            };
            Ok(Converted::lossless(Output::alone(bytes)))
        })
    }
}

/// Whether compressing or unpacking is all that the options ask for, which needs no scene.
fn asks_only_for_gzip(settings: &Settings) -> bool {
    let mut options = ToIr::infos().chain(FromIr::infos());
    options.all(|option| option.name == GZIP || settings.get(option.name).is_none())
}

impl format::Document for Document<'_> {
    fn to_bytes(&self) -> Cow<'_, [u8]> {
        self.compressed.as_deref().map_or_else(|| self.text.to_bytes(), Cow::Borrowed)
    }

    fn text(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.text().as_bytes())
    }

    fn dialect(&self) -> Option<&'static str> {
        Some(self.version().dialect())
    }
}

impl format::Write for X3d {
    const EXTENSIONS: &'static [&'static str] = &["x3d", "x3dz"];
    const TAKES_IMAGES: bool = true;
    type FromIr = FromIr;
    type Error = FromIrError;

    fn from_ir(scene: &Scene, options: &FromIr, _: &str) -> Result<Converted<Output>, FromIrError> {
        written(scene, options, Encoding::Xml)
    }
}

/// X3D in the classic encoding, which is read as [`X3d`].
#[derive(Clone, Copy, Debug)]
pub struct X3dv;

impl Format for X3dv {
    const INFO: FormatInfo =
        FormatInfo::text("x3dv", "X3D classic", &["x3dv", "x3dvz"], codes::ALL);
}

impl format::Write for X3dv {
    const TAKES_IMAGES: bool = true;
    type FromIr = FromIr;
    type Error = FromIrError;

    fn from_ir(scene: &Scene, options: &FromIr, _: &str) -> Result<Converted<Output>, FromIrError> {
        written(scene, options, Encoding::Classic)
    }
}

/// The bytes of text that each byte of a scene pays for. A number has four bytes in a scene, and
/// rarely more than twelve as text.
const PAID_BYTES: usize = 4;

/// What is charged for compressing a byte, which takes time.
const COMPRESSION_BYTES: usize = 2;

fn written(
    scene: &Scene,
    options: &FromIr,
    encoding: Encoding,
) -> Result<Converted<Output>, FromIrError> {
    let budget = Budget::for_scene(&options.limits, scene);
    let Converted { value: graph, mut losses } = from_ir_within(scene, options, &budget)?;
    let paid = Budget::paid_by(scene, &options.limits, PAID_BYTES);
    budget.charge("the numbers in the file", graph.text_size().saturating_sub(paid))?;
    let mut bytes = graph.write(encoding, &mut losses).into_bytes();
    if options.gzip {
        let excess = bytes.len().saturating_sub(paid);
        budget.charge("the compressed bytes", excess.saturating_mul(COMPRESSION_BYTES))?;
        bytes = packed(&bytes);
    }
    Ok(Converted { value: Output::alone(bytes), losses })
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut compressed = Vec::new();
    // Better compression of keys takes three times as long. Reading from memory cannot fail.
    let _ = GzEncoder::new(bytes, Compression::fast()).read_to_end(&mut compressed);
    compressed
}
