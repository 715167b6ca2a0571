//! Implementation of the format traits.

use std::borrow::Cow;
use std::io;

use anim_ir::diag::quote;
use anim_ir::format::options::{OptionInfo, Options};
use anim_ir::format::{
    self, Context, Format, FormatInfo, InBlocks, Output, Reading, Rewrite, Written,
};
use anim_ir::{Converted, Diagnostics, Edits, Parsed, Scene, Settings};

use crate::dialect::Dialect;
use crate::document::{Document, ParseOptions};
use crate::error::FromIrError;
use crate::from_ir::{FromIr, TO_DIALECT, from_ir};
use crate::inspect::inspect;
use crate::sniff::sniff;
use crate::to_ir::{ToIr, to_ir};
use crate::{blocks, codes, parser};

/// Animated OBJ.
#[derive(Clone, Copy, Debug)]
pub struct Amo;

anim_ir::document!(Document, Amo);

impl Format for Amo {
    const INFO: FormatInfo = FormatInfo::text("amo", "Animated OBJ", &["amo", "hnd"], codes::ALL)
        .with_dialects(Dialect::NAMES)
        .whole_alone();
}

impl format::Read for Amo {
    anim_ir::reads!(Document { source }, ParseOptions, ToIr, sniff);

    fn parse<'a>(source: Cow<'a, [u8]>, options: &ParseOptions) -> Reading<Document<'a>> {
        let (content, diagnostics) = parser::parse(&source, options)?;
        let edits = Edits::of(&source);
        Ok(Parsed { value: Document { source, edits, content }, diagnostics })
    }

    /// Converts the document, after reading its material libraries. A single animation without a
    /// name is named after the file.
    fn to_ir(
        document: &Document<'_>,
        options: &ToIr,
        context: &mut Context<'_>,
    ) -> Converted<Scene> {
        let mut losses = Diagnostics::new();
        let mut options = options.clone();
        options.materials.open(document.material_libraries(), context.files, &mut losses);
        let Converted { value: mut scene, losses: own } = to_ir(document, &options);
        losses.append(own);
        if let [only] = scene.clips.as_mut_slice()
            && only.name.is_empty()
        {
            context.name.clone_into(&mut only.name);
        }
        Converted { value: scene, losses }
    }

    fn scene_in_blocks(
        file: &mut dyn io::Read,
        length: usize,
        (parse, to_ir): (&ParseOptions, &ToIr),
        context: &mut Context<'_>,
    ) -> io::Result<Option<InBlocks>> {
        let Some(excerpt) = blocks::read(file, length, parse)? else { return Ok(None) };
        let mut converted = <Amo as format::Read>::to_ir(&excerpt.document, to_ir, context);
        converted.losses.map_spans(|span| excerpt.in_file(span));
        Ok(Some(InBlocks { converted, dialect: Some(excerpt.document.dialect().name()) }))
    }

    /// Leaves the file unchanged if no options are set, or if the only option requests the file's
    /// own dialect.
    fn rewrite(
        document: &Document<'_>,
        request: &Rewrite<'_>,
        context: &mut Context<'_>,
    ) -> Option<Written> {
        let stays = request.is_untouched || asks_only_for(document.dialect(), context.settings);
        (request.to == Amo::INFO.id && stays).then(|| {
            let mut losses = Diagnostics::new();
            let libraries = document.material_libraries();
            for library in libraries.iter().filter(|_| !request.way.is_empty()) {
                losses.push(&codes::LOSS_LIBRARY, library.span, || {
                    let path = quote(library.path.as_bytes());
                    format!("the material library {path} is not copied to the new folder")
                });
            }
            let value = Output::alone(document.to_bytes().into_owned());
            Ok(Converted { value, losses })
        })
    }
}

/// Whether the only format option that is set requests this dialect.
fn asks_only_for(dialect: Dialect, settings: &Settings) -> bool {
    let is_set = |info: &OptionInfo| settings.get(info.name).is_some();
    let others = || ToIr::infos().chain(FromIr::infos()).filter(|info| info.name != TO_DIALECT);
    settings.get(TO_DIALECT).is_some_and(|asked| asked.text() == dialect.name())
        && !others().any(is_set)
}

impl format::Document for Document<'_> {
    fn is_named_after_file(&self) -> bool {
        matches!(self.animations(), [only] if only.name.is_empty())
    }

    fn to_bytes(&self) -> Cow<'_, [u8]> {
        self.edits.apply(&self.source)
    }

    fn formatted(&self) -> Option<Vec<u8>> {
        Some(self.formatted())
    }

    fn inspect(&self) -> Diagnostics {
        inspect(self)
    }

    fn dialect(&self) -> Option<&'static str> {
        Some(self.dialect().name())
    }
}

impl format::Write for Amo {
    const EXTENSIONS: &'static [&'static str] = &["amo"];
    const TAKES_ANY_SCENE: bool = true;
    type FromIr = FromIr;
    type Error = FromIrError;

    fn from_ir(scene: &Scene, options: &FromIr, _: &str) -> Result<Converted<Output>, FromIrError> {
        Ok(from_ir(scene, options)?.map(|document| Output::alone(document.source.into_owned())))
    }
}
