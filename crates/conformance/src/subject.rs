//! A type-erased format for use in the suite.

use std::borrow::Cow;
use std::fmt::{Debug, Write as _};

use anim_ir::fix::Wanted;
use anim_ir::format::{Document, FormatInfo, Read, Verdict, Write};
use anim_ir::{
    Converted, Diagnostics, Limits, Options, ParseError, Resolver, Scene, Sniff, listing,
};

use crate::declarations::Declared;
use crate::exercise::{self, Canonical, scene};

/// A format under test.
#[derive(Clone, Copy)]
pub struct Subject {
    pub(crate) info: FormatInfo,
    pub(crate) extensions: &'static [&'static str],
    pub(crate) sniff: fn(&[u8]) -> Sniff,
    pub(crate) read: fn(&[u8], &str, &mut dyn Resolver) -> Result<Reading, ParseError>,
    pub(crate) parse: fn(&[u8], Limits) -> Result<(), ParseError>,
    pub(crate) problems: fn(&[u8], Wanted) -> Option<Diagnostics>,
    pub(crate) rewrite: fn(&[u8], &str),
    pub(crate) format: fn(&[u8], &str) -> Option<Canonical>,
    pub(crate) exercise: fn(&[u8]),
    pub(crate) declared: fn() -> Declared,
}

/// The result of reading a file with default options.
pub struct Reading {
    /// Whether positions are shown as offsets.
    pub is_binary: bool,
    /// The text that spans of diagnostics refer to.
    pub text: Vec<u8>,
    /// The file's dialect, if the format has dialects.
    pub dialect: Option<&'static str>,
    /// The problems in the file.
    pub diagnostics: Diagnostics,
    /// The verdicts of the format's readers.
    pub verdicts: Vec<Verdict>,
    /// The scene to which the file was converted.
    pub scene: Scene,
    /// Losses from converting the document to a scene.
    pub losses: Diagnostics,
}

impl Subject {
    /// Returns a read-only format.
    pub fn read<F>() -> Subject
    where
        F: Read<ParseOptions: Debug, ToIr: Debug>,
    {
        Subject {
            info: F::INFO,
            extensions: F::INFO.extensions,
            sniff: F::sniff,
            read: read::<F>,
            parse: parse::<F>,
            problems: problems::<F>,
            rewrite: exercise::rewrite::<F>,
            format: exercise::format::<F>,
            exercise: |bytes| drop(exercise::exercise::<F>(bytes)),
            declared: || Declared::default().with::<F::ParseOptions>().with::<F::ToIr>(),
        }
    }

    /// Returns a format that can be read and written.
    pub fn written<F>() -> Subject
    where
        F: Read<ParseOptions: Debug, ToIr: Debug> + Write<FromIr: Debug>,
    {
        Subject {
            exercise: exercise::exercise_and_write::<F>,
            declared: || (Subject::read::<F>().declared)().with::<F::FromIr>(),
            ..Subject::read::<F>()
        }
    }

    /// Overrides the extensions of fixtures.
    #[must_use]
    pub const fn with_extensions(self, extensions: &'static [&'static str]) -> Subject {
        Subject { extensions, ..self }
    }
}

fn read<F: Read>(
    bytes: &[u8],
    name: &str,
    files: &mut dyn Resolver,
) -> Result<Reading, ParseError> {
    let parsed = F::parse(Cow::Borrowed(bytes), &F::ParseOptions::default())?;
    let (document, mut diagnostics) = (parsed.value, parsed.diagnostics);
    let Converted { value: scene, mut losses } = scene::<F>(&document, name, files);
    diagnostics.append(document.inspect());
    diagnostics.sort_by_place();
    let verdicts = document.verdicts(&diagnostics);
    diagnostics.map_spans(|span| document.text_span(span));
    losses.map_spans(|span| document.text_span(span));
    Ok(Reading {
        is_binary: F::INFO.is_binary,
        text: document.text().into_owned(),
        dialect: document.dialect(),
        diagnostics,
        verdicts,
        scene,
        losses,
    })
}

fn parse<F: Read>(bytes: &[u8], limits: Limits) -> Result<(), ParseError> {
    let mut options = F::ParseOptions::default();
    *options.limits_mut() = limits;
    F::parse(Cow::Borrowed(bytes), &options).map(drop)
}

/// Returns the problems in a file. This is the reader for [`crate::repairs`].
fn problems<F: Read>(bytes: &[u8], wanted: Wanted) -> Option<Diagnostics> {
    let mut options = F::ParseOptions::default();
    if wanted == Wanted::Repairs {
        options.limits_mut().fixes = 100_000;
    }
    let parsed = F::parse(Cow::Borrowed(bytes), &options).ok()?;
    (parsed.value.text() == bytes).then_some(parsed.diagnostics)
}

impl Reading {
    /// Returns diagnostics of this file as text.
    pub fn listing(&self, diagnostics: &Diagnostics) -> String {
        if self.is_binary { hex_listing(diagnostics) } else { listing(&self.text, diagnostics) }
    }
}

/// Returns one diagnostic per line, with its span in hexadecimal.
pub fn hex_listing(diagnostics: &Diagnostics) -> String {
    let mut out = String::new();
    for found in diagnostics {
        let place = found
            .span
            .map_or(String::new(), |span| format!(" 0x{:02x}..0x{:02x}", span.start, span.end));
        let severity = found.severity().name();
        writeln!(out, "{severity}[{}]{place}: {}", found.code.id, found.message).unwrap();
        if let Some(help) = &found.help {
            writeln!(out, "  help: {help}").unwrap();
        }
    }
    for (code, count) in diagnostics.counts() {
        if let Some(more) = count.checked_sub(Diagnostics::KEPT_PER_CODE).filter(|more| *more > 0) {
            writeln!(out, "… {more} more {}", code.id).unwrap();
        }
    }
    out
}
