//! Converts files.

use std::collections::BTreeMap;

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{Category, Diagnostics, Scene, Severity};
use anim_formats::{
    AssembleOptions, Content, Format, LoadOptions, Output, Part, Settings, cuts_of, read_images,
    rebase_between, scene_of,
};
use anim_viewer::{
    Conversion, Failure, Found, OF_SEVERAL, OF_SEVERAL_CUTS, Problem, Split, Totals, advise,
    combine_parts, compress_as_named, counts_by_code, cut, first_of_each, is_counted, not_kept,
    sanitize, short, totals, write_scene,
};
use serde::Serialize;

use crate::answer::answer;
use crate::options::{Options, format_of};
use crate::session::{Session, folder_of, name_of, stem_of};

#[derive(Serialize)]
struct Converted {
    /// The main file, and those that it refers to.
    files: Vec<Written>,
    diagnostics: Vec<Problem>,
    losses: Vec<Problem>,
    /// How many problems and losses are not listed, as sentences.
    more: Vec<String>,
    counts: BTreeMap<&'static str, u64>,
    totals: AllTotals,
    totals_text: String,
    /// Whether parts of the input are missing because of errors.
    incomplete: bool,
}

#[derive(Serialize)]
struct Written {
    name: String,
    bytes: usize,
}

#[derive(Serialize)]
struct AllTotals {
    #[serde(flatten)]
    problems: Totals,
    losses: u64,
}

/// An output, and what was found on the way.
struct Outcome {
    output: Output,
    /// Whether it was written from a scene, which lacks the parts that could not be read.
    from_scene: bool,
    found: Vec<Found>,
    diagnostics: Diagnostics,
    losses: Diagnostics,
}

impl Session {
    /// Converts files like `animfmt convert` or, with an ANM text file, `animfmt split`
    /// ([`Session::output`]).
    pub fn convert(&mut self, path: &str, format: &str, options: &str) -> String {
        self.forget();
        let converted = Options::read(options)
            .and_then(|options| self.converted(path, format_of(format)?, &options));
        answer(Some(path), converted)
    }

    fn converted(
        &mut self,
        path: &str,
        target: Format,
        options: &Options,
    ) -> Result<Converted, Failure> {
        let mut load = self.load_options(options)?;
        let name = output_name(path, target, options);
        compress_as_named(&mut load.settings, name.as_ref());
        let mut inputs: Vec<String> =
            [path.to_owned()].into_iter().chain(options.with.clone()).collect();
        let parts = inputs.iter().map(|input| self.part(input, path, &load));
        let mut parts = parts.collect::<Result<Vec<Part<'_>>, Failure>>()?;
        let is_cuts = |part: &Part<'_>| cuts_of(&part.parsed.value).is_some();
        if parts.len() == 2 && parts.first().is_some_and(is_cuts) {
            // The model comes first, as on the command line.
            parts.reverse();
            inputs.reverse();
        }
        let outcome = match <[Part<'_>; 2]>::try_from(parts) {
            Ok([model, cuts]) if is_cuts(&cuts) => {
                let stem = stem_of(&name);
                self.split([model, cuts], &inputs, (target, &stem), options, &load)?
            }
            Ok(parts) => self.assemble(parts.into(), &inputs, (target, &name), options, &load)?,
            Err(parts) => self.assemble(parts, &inputs, (target, &name), options, &load)?,
        };
        Ok(self.keep(name, &inputs, outcome))
    }

    /// Combines files, and writes the result.
    fn assemble(
        &self,
        parts: Vec<Part<'_>>,
        inputs: &[String],
        (target, name): (Format, &str),
        options: &Options,
        load: &LoadOptions,
    ) -> Result<Outcome, Failure> {
        let combine = options.combinations()?;
        let settings = &load.settings;
        let mut assemble = AssembleOptions::new(target, settings.clone());
        assemble.stem = stem_of(name);
        assemble.needs_scene = options.clip.is_some() || !combine.is_empty();
        assemble.merge = options.merge;
        assemble.join.clone_from(&options.join);
        let clip = options.clip.as_deref();
        let conversion =
            Conversion { assemble, output: name, with: &options.with, clip, combine: &combine };
        let combined = combine_parts(parts, inputs, &conversion)?;
        let mut losses = combined.losses;
        let (output, from_scene) = match combined.content {
            Content::Written(made) => (made.map_err(|error| Failure::file(advise(&error)))?, false),
            Content::Scene(mut scene) => {
                conversion.choose_clips(&mut scene)?;
                let from = inputs.get(combined.images_of).or(inputs.first());
                let from = from.map(String::as_str).unwrap_or_default();
                let first = inputs.first().map(String::as_str).unwrap_or_default();
                let files = (from, first);
                let to = (target, conversion.assemble.stem.as_str());
                (written(&mut scene, files, to, settings, OF_SEVERAL, &mut losses)?, true)
            }
        };
        if options.merge {
            losses = first_of_each(&losses);
        }
        let (found, diagnostics) = (combined.found, combined.diagnostics);
        Ok(Outcome { output, from_scene, found, diagnostics, losses })
    }

    /// Splits the take of a model by an ANM text file, and writes the result.
    fn split(
        &self,
        [model, cuts]: [Part<'_>; 2],
        inputs: &[String],
        (target, stem): (Format, &str),
        options: &Options,
        load: &LoadOptions,
    ) -> Result<Outcome, Failure> {
        let settings = &load.settings;
        let Part { name, parsed, mut files, .. } = model;
        let mut context = Context { name: &name, files: files.as_mut(), settings };
        let mut loaded = scene_of(parsed, &mut context);
        let size = loaded.scene.check_size(&settings.limits);
        size.map_err(|error| Failure::file(error.to_string()))?;
        if target.takes_images() {
            loaded.losses.append(read_images(&mut loaded.scene, files.as_mut()));
        }
        let Split { scene, found, diagnostics, mut losses } =
            cut(&options.cutting(), loaded, cuts.parsed, target, &settings.limits)?;
        let mut scene = scene?;
        let model = inputs.first().map(String::as_str).unwrap_or_default();
        let (files, to) = ((model, model), (target, stem));
        let output = written(&mut scene, files, to, settings, OF_SEVERAL_CUTS, &mut losses)?;
        Ok(Outcome { output, from_scene: true, found, diagnostics, losses })
    }

    /// Keeps the output, and describes it.
    fn keep(&mut self, name: String, inputs: &[String], outcome: Outcome) -> Converted {
        let Outcome { output, from_scene, found, diagnostics, losses } = outcome;
        let several = inputs.len() > 1;
        let (mut problems, mut more) = (Vec::new(), Vec::new());
        for Found { input, document, diagnostics } in found {
            // Problems that only concern the engine are left to `open`.
            let (counted, _) = diagnostics.partition(is_counted);
            let file = input.filter(|_| several).and_then(|number| inputs.get(number));
            problems.extend(Problem::of_document(&document, &counted, file.map(String::as_str)));
            more.extend(not_kept(&counted).map(|(_, line)| line));
        }
        let mut counts = counts_by_code(&diagnostics);
        for (code, times) in counts_by_code(&losses) {
            let count = counts.entry(code).or_default();
            *count = count.saturating_add(times);
        }
        let (totals, lost) = totals(Some(&diagnostics), &losses);
        let errors = diagnostics.counts();
        let mut errors = errors.iter().filter(|(code, _)| is_counted(code));
        let has_errors = errors.any(|(code, _)| code.severity == Severity::Error);
        let totals_text = short(Some(&diagnostics), &losses);
        more.extend(not_kept(&losses).map(|(_, line)| line));
        let (losses, notes) = losses.partition(|code| code.category == Category::Loss);
        problems.extend(Problem::of_losses(&notes));
        // The main file does not refer to empty files.
        let companions = output.companions.into_iter().filter(|(_, bytes)| !bytes.is_empty());
        let files = [(name, output.main)].into_iter().chain(companions);
        let (names, outputs): (Vec<Written>, Vec<Vec<u8>>) =
            files.map(|(name, bytes)| (Written { name, bytes: bytes.len() }, bytes)).unzip();
        self.outputs = outputs;
        Converted {
            files: names,
            diagnostics: problems,
            losses: Problem::of_losses(&losses),
            more,
            counts,
            totals: AllTotals { problems: totals, losses: lost },
            totals_text,
            incomplete: from_scene && has_errors,
        }
    }
}

/// Writes a scene whose image paths are relative to the file `from`, next to the file `first`.
fn written(
    scene: &mut Scene,
    (from, first): (&str, &str),
    to: (Format, &str),
    settings: &Settings,
    of_several: &str,
    losses: &mut Diagnostics,
) -> Result<Output, Failure> {
    rebase_between(scene, &folder_of(from), &folder_of(first));
    write_scene(scene, to, settings, of_several, losses)
}

/// Returns the name of the output: that of the input with another extension, unless another was
/// asked for.
fn output_name(path: &str, target: Format, options: &Options) -> String {
    let asked = options.name.as_deref().map(name_of).filter(|name| !name.is_empty());
    asked.map(str::to_owned).unwrap_or_else(|| {
        let extension = target.written_extensions().first().copied().unwrap_or_default();
        format!("{}.{extension}", sanitize(&stem_of(path)))
    })
}
