//! A file of the page, and what the program reports on it.

use std::path::Path;

use anim_formats::anim_ir::{Diagnostics, Parsed};
use anim_formats::{AnyDocument, Format, LoadOptions};
use anim_viewer::{DiagnosticReport, Places};

use crate::args::ViewArgs;
use crate::convert::part;
use crate::input::{Input, shown_names};
use crate::repairs;
use crate::source::{Request, combine};
use crate::status::Failure;
use crate::tally::Refused;

/// A file that is shown.
pub(super) struct Model {
    pub(super) shown: anim_viewer::Model,
    /// The name of the file, as it was given.
    pub(super) given: String,
    pub(super) format: Format,
    /// The formats of the files of `--with`.
    others: Vec<Format>,
    pub(super) diagnostics: Diagnostics,
    pub(super) reports: Vec<DiagnosticReport>,
    /// Reports of the losses.
    pub(super) lost: Vec<DiagnosticReport>,
}

impl Model {
    /// Reads a file and those of `--with`.
    pub(super) fn read(file: &Path, args: &ViewArgs, load: &LoadOptions) -> Result<Model, Failure> {
        Model::of(file, None, args, load)
    }

    /// Reads the same file as it is after its repairs, which are not written. If nothing can be
    /// repaired, returns a sentence that says why instead.
    pub(super) fn repaired(
        &mut self,
        file: &Path,
        args: &ViewArgs,
        load: &LoadOptions,
    ) -> Result<Result<Model, String>, Failure> {
        let (parsed, repairs) = repairs::make(Input::new(file), load, true)?;
        if let Some(why) = self.shown.add_unrepaired(&repairs) {
            return Ok(Err(why));
        }
        let parsed = repairs::parse_after(&repairs, parsed.value.format(), load)?;
        let mut after = Model::of(file, parsed.as_ref(), args, load)?;
        self.shown.info.caption = Some("before the repairs");
        after.shown.info.caption = Some("after the repairs");
        after.shown.info.add_repairs(&repairs);
        Ok(Ok(after))
    }

    fn of(
        file: &Path,
        parsed: Option<&Parsed<AnyDocument<'static>>>,
        args: &ViewArgs,
        load: &LoadOptions,
    ) -> Result<Model, Failure> {
        let input = Input::new(file);
        let refused = Refused::default();
        let mut inputs = vec![input];
        let mut parts = vec![part(input, input, parsed, load, &refused)?];
        for path in &args.with {
            inputs.push(Input::new(path));
            parts.push(part(Input::new(path), input, None, load, &refused)?);
        }
        let glb: Format = "glb".parse().map_err(|_| Failure::file("GLB is not supported"))?;
        let request =
            Request { target: glb, with: &args.with, take: args.take.as_deref(), borders: true };
        let names = shown_names(&inputs);
        let source = combine(&request, parts, load);
        let source = source.map_err(|failure| failure.about(input.shown()))?;
        let name = match input {
            Input::Stdin => input.shown(),
            Input::File(path, _) => {
                path.file_name().unwrap_or_default().to_string_lossy().into_owned()
            }
        };
        let shown = anim_viewer::Model::of(name, source, &names, &load.settings)?;
        let mut formats = shown.parts.iter().map(|(document, _)| document.format());
        let format = formats.next().unwrap_or(glb);
        let others = formats.collect();
        let (mut diagnostics, mut reports) = (Diagnostics::new(), Vec::new());
        for (input, (document, found)) in inputs.iter().zip(&shown.parts) {
            let text = document.text();
            let mut places = Places::new(&text, document);
            let all = DiagnosticReport::all(found, document, &mut places);
            reports.extend(all.into_iter().map(|report| report.in_file(input.given())));
            diagnostics.append(found.clone());
        }
        let lost = shown.losses.iter().map(|loss| DiagnosticReport::of(loss, None)).collect();
        let given = input.given().into_owned();
        Ok(Model { shown, given, format, others, diagnostics, reports, lost })
    }

    /// Returns the formats of the file and of those it is combined with.
    pub(super) fn formats(&self) -> impl Iterator<Item = Format> {
        self.others.iter().copied().chain([self.format])
    }
}
