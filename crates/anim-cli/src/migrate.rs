//! `animfmt migrate`: resources of Castle Game Engine with an animation file for each animation
//! become resources with a single GLB.

mod creature;
mod report;

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anim_formats::anim_ir::diag::quote;
use anim_formats::anim_ir::{Diagnostic, address};
use anim_formats::castle::Resource;
use anim_formats::codes::{RESOURCE_ANIMATION, RESOURCE_IMAGE};
use anim_formats::{Format, Part, animation_of, folder_of};

use crate::args::{Common, ConvertArgs, set};
use crate::batch::{guarded, share_threads};
use crate::check::ALL;
use crate::conversion::ConversionReport;
use crate::convert::Converter;
use crate::job::{Job, Output, check_not_stdout};
use crate::migrate_arguments::MigrateArgs;
use crate::options::{MIGRATED, warn_of_useless};
use crate::outcome::{Outcome, Reported};
use crate::output::Writer;
use crate::output_argument::OutputArgs;
use crate::progress::Progress;
use crate::read_files::ReadFiles;
use crate::status::{Fail as _, Failure, Status};
use crate::tally::{Refused, Tally};
use crate::term::{HEADING, counts, print_json, print_line, show_name, show_path, styled};
use anim_viewer::caseless;

use creature::{Creature, Model, NewClip, Plan};
use report::{Clip, Entry, Report, SCHEMA, Verdict};

/// The JSON schema, and the name of its list.
const RUN: (&str, &str) = (SCHEMA, "resources");

/// A resource, and the conversion of its model.
struct Item<'a> {
    creature: &'a Creature,
    /// The output folder of the resource.
    folder: PathBuf,
    model: Option<(&'a Model, Job<'a>)>,
}

/// The files that belong to a model: the image of an item, and the new resource.
struct Others {
    files: Vec<(PathBuf, Vec<u8>)>,
    /// Why the image is not copied.
    not_copied: Option<String>,
}

/// What became of a resource.
struct Migrated {
    /// `None` if it was left as it is.
    outcome: Option<Outcome>,
    clips: Vec<Clip>,
    /// The files that belong to the resource.
    outputs: Vec<PathBuf>,
    /// Whether any of them was written.
    is_new: bool,
}

pub(crate) fn run(args: &MigrateArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let found = check_not_stdout(&args.output, "migrate")
        .and_then(|()| Creature::find(&args.inputs, &args.output));
    let mut creatures = match found {
        Ok(creatures) => creatures,
        Err(failure) => return failure.report_run(RUN, common.json, out),
    };
    let read = ReadFiles::default();
    let mut load = read.watch(common.load_options());
    // The way back of ping-pong animations would otherwise be lost.
    set(&mut load.settings, "bake-backwards", "true");
    load.settings.limits.diagnostics = ALL;
    let threads = share_threads(&mut load, creatures.len());
    creatures.iter_mut().for_each(|creature| creature.read(&load));
    let items: Vec<Item<'_>> = creatures.iter().map(|it| Item::of(it, &args.output)).collect();
    let outputs = match outputs_of(&items) {
        Ok(outputs) => outputs,
        Err(failure) => return failure.report_run(RUN, common.json, out),
    };
    let convert = convert_args(args);
    let target: Format = match MIGRATED.parse() {
        Ok(target) => target,
        Err(error) => return Failure::usage(error.to_string()).report_run(RUN, common.json, out),
    };
    let writer = Writer {
        args: &convert.out,
        target,
        load,
        read,
        outputs,
        companions: Mutex::default(),
        keeps_equal: Some(Mutex::default()),
        of_several: "",
    };
    let refused = Refused::default();
    let converter = Converter { args: &convert, writer, clip_names: Vec::new(), refused };
    let (reported, several) = (Reported::of(common), items.len() > 1);
    let progress = Progress::new(items.len(), reported == Reported::Everything);
    let (mut statuses, mut entries) = (Vec::new(), Vec::new());
    let (mut tally, mut formats) = (Tally::default(), HashSet::new());
    let work = |item: &Item<'_>| item.migrate(&converter);
    guarded(&items, threads, &progress, work, |item, result| {
        let migrated = result.unwrap_or_else(Migrated::failed);
        progress.aside(|| item.print(&migrated, reported, several, out))?;
        if let Some(outcome) = &migrated.outcome {
            statuses.push(outcome.status());
            tally.add(outcome.diagnostics.as_ref(), &outcome.losses);
            formats.extend(&outcome.read);
        }
        entries.push(item.entry(migrated, target));
        Ok(())
    })?;
    drop(progress);
    warn_of_useless(common.given(), &formats, Some(target));
    if reported == Reported::Everything {
        if several {
            tally.report();
        }
        converter.refused.report();
        print_line(format_args!("{}", summary(&entries)));
    }
    if common.json {
        print_json(out, &Report { schema: SCHEMA, resources: entries })?;
    }
    Ok(Status::of_all(&statuses))
}

/// Returns the arguments of `convert` that write a GLB from all files of a resource.
fn convert_args(args: &MigrateArgs) -> ConvertArgs {
    let MigrateArgs { output, force, strict, ignore, .. } = args;
    ConvertArgs {
        inputs: Vec::new(),
        out: OutputArgs::into_folder(output.clone(), *force, *strict, ignore.clone()),
        clip: None,
        merge: true,
        split: false,
        with: Vec::new(),
        join: None,
        combine: Vec::new(),
    }
}

/// Returns all paths that are written. Fails if two files have the same output, or if a resource
/// would be overwritten.
fn outputs_of(items: &[Item<'_>]) -> Result<HashSet<String>, Failure> {
    let mut outputs = HashSet::new();
    for item in items {
        let Some((_, job)) = &item.model else { continue };
        let Some(model) = job.output.file() else { continue };
        let resource = item.resource();
        if resource
            .canonicalize()
            .is_ok_and(|path| item.creature.path.canonicalize().ok() == Some(path))
        {
            return Err(Failure::usage(format!(
                "{} would be overwritten; choose another output folder",
                show_path(&resource)
            )));
        }
        for path in [model, &resource] {
            if !outputs.insert(caseless(path)) {
                return Err(Failure::usage(format!(
                    "{} would be written twice; migrate the folders separately",
                    show_path(path)
                )));
            }
        }
    }
    let mut images: HashMap<String, &Item<'_>> = HashMap::new();
    for item in items {
        // Images that cannot be copied are reported later.
        let Some(Ok(Some(image))) = item.model.as_ref().map(|(model, _)| item.image(model)) else {
            continue;
        };
        let key = caseless(&image);
        // Outputs from the same input folder have the same path only if their inputs do.
        let is_other = |other: &Item<'_>| other.creature.named != item.creature.named;
        if outputs.contains(&key) || images.get(&key).is_some_and(|other| is_other(other)) {
            return Err(Failure::usage(format!(
                "{} would be written twice: the image in {} has the name of another output; rename \
                 the image",
                show_path(&image),
                show_path(&item.creature.path)
            )));
        }
        images.insert(key, item);
    }
    outputs.extend(images.into_keys());
    Ok(outputs)
}

impl<'a> Item<'a> {
    fn of(creature: &'a Creature, output: &Path) -> Item<'a> {
        let folder = output.join(&creature.below);
        let model = match &creature.plan {
            Ok(Plan::Convert(model)) => {
                let path = folder.join(format!("{}.{MIGRATED}", model.stem));
                let mut inputs = model.inputs(creature);
                inputs.next().map(|input| {
                    let others = inputs.collect();
                    (model, Job { others, ..Job::new(input, Output::File(path)) })
                })
            }
            _ => None,
        };
        Item { creature, folder, model }
    }

    /// Returns the path of the new resource.
    fn resource(&self) -> PathBuf {
        self.folder.join(self.creature.path.file_name().unwrap_or_default())
    }

    fn migrate(&self, converter: &Converter<'_>) -> Result<Migrated, Failure> {
        let Some((model, job)) = &self.model else {
            return match &self.creature.plan {
                Err(failure) => Err(failure.clone()),
                Ok(_) => Ok(Migrated::left()),
            };
        };
        let mut parts = converter.parts(job)?;
        if !model.animations.is_empty() {
            let files = model.files.iter().zip(&model.animations);
            let animation = |(part, (file, clip)): (Part<'static>, (&PathBuf, &NewClip))| {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                let found = animation_of(part.parsed, &name, clip.in_file.as_deref());
                let parsed = found.map_err(|error| {
                    let clip = quote(clip.name.as_bytes());
                    Failure::file(format!("clip {clip}: {error}")).about(show_path(file))
                })?;
                Ok(Part { parsed, ..part })
            };
            parts = parts.into_iter().zip(files).map(animation).collect::<Result<_, Failure>>()?;
        }
        let names: Vec<String> = model.animations.iter().map(|clip| clip.name.clone()).collect();
        // The model is written first, so whatever prevents the others from being written is found
        // before.
        let others = self.others(model, job, converter)?;
        let is_created = !self.folder.exists();
        create_folder(&self.folder)?;
        let outcome = converter.convert_parts(job, parts, &names);
        let migrated =
            outcome.and_then(|outcome| self.finish(model, job, outcome, others, converter));
        if is_created && !matches!(&migrated, Ok(Migrated { outputs, .. }) if !outputs.is_empty()) {
            // Only an empty folder can be removed.
            let _ = std::fs::remove_dir(&self.folder);
        }
        migrated
    }

    /// Makes the files that belong to a model, and checks that they may be written.
    fn others(
        &self,
        model: &Model,
        job: &Job<'_>,
        converter: &Converter<'_>,
    ) -> Result<Others, Failure> {
        let path = job.output.file().unwrap_or(Path::new(""));
        let url = address::of_file(&path.file_name().unwrap_or_default().to_string_lossy());
        let resource = Resource::parse(&model.bytes)
            .map_err(|error| Failure::file(error.to_string()))?
            .with_model(&url, &model.renamed)
            .map_err(|error| Failure::file(error.to_string()))?;
        let (image, not_copied) = match self.read_image(model, converter) {
            Ok(image) => (image, None),
            Err(why) => (None, Some(why)),
        };
        let files: Vec<_> = image.into_iter().chain([(self.resource(), resource)]).collect();
        for (path, bytes) in &files {
            check_folders(folder_of(path), &converter.args.out.output)?;
            converter.writer.check_files(&[(path.clone(), bytes)])?;
        }
        Ok(Others { files, not_copied })
    }

    /// Writes the files that belong to a model.
    fn finish(
        &self,
        model: &Model,
        job: &Job<'_>,
        mut outcome: Outcome,
        others: Others,
        converter: &Converter<'_>,
    ) -> Result<Migrated, Failure> {
        let Ok(written) = &outcome.result else {
            return Ok(Migrated { outcome: Some(outcome), ..Migrated::left() });
        };
        let mut is_new = !written.is_unchanged;
        let clips: HashSet<&str> = outcome.clips.iter().map(|clip| clip.name.as_str()).collect();
        let mut report = |code, message| {
            let file = Some(show_path(&self.creature.path));
            let problem = || Diagnostic { file, ..Diagnostic::new(code, None, message) };
            outcome.losses.report(code, problem);
        };
        for (element, name) in &model.kept {
            if !clips.contains(name.as_str()) {
                let (element, name) = (quote(element.as_bytes()), quote(name.as_bytes()));
                let message = format!("{element} plays {name}, which the model does not contain");
                report(&RESOURCE_ANIMATION, message);
            }
        }
        if let Some(why) = others.not_copied {
            report(&RESOURCE_IMAGE, why);
        }
        let mut outputs = vec![job.output.file().unwrap_or(Path::new("")).to_owned()];
        for (path, bytes) in others.files {
            create_folder(folder_of(&path))?;
            is_new |= converter.writer.put_files(&[(path.clone(), &bytes)])?;
            outputs.push(path);
        }
        let clips = clips_of(&outcome, model);
        Ok(Migrated { outcome: Some(outcome), clips, outputs, is_new })
    }

    /// Returns where to copy the image of an item.
    fn image(&self, model: &Model) -> Result<Option<PathBuf>, String> {
        // The address of a file in the data folder of the project stays valid.
        let image = model.image.as_deref().filter(|image| address::castle_data(image).is_none());
        let Some(image) = image else { return Ok(None) };
        let shown = quote(image.as_bytes());
        let path = address::relative_path(image).map_err(|error| format!("{shown}: {error}"))?;
        let path = address::join("", &path);
        if path.starts_with("..") {
            return Err(format!("the image {shown} is outside the folder, so it is not copied"));
        }
        Ok(Some(self.folder.join(path)))
    }

    /// Returns the image of an item, and where to copy it.
    fn read_image(
        &self,
        model: &Model,
        converter: &Converter<'_>,
    ) -> Result<Option<(PathBuf, Vec<u8>)>, String> {
        let (Some(image), Some(path)) = (&model.image, self.image(model)?) else { return Ok(None) };
        let shown = quote(image.as_bytes());
        let files = self.creature.input().files(&converter.writer.load);
        let read = files.map_err(|failure| failure.message)?.read(image);
        let bytes = read.map_err(|error| format!("the image {shown} is not copied: {error}"))?;
        Ok(Some((path, bytes)))
    }

    fn print(
        &self,
        migrated: &Migrated,
        reported: Reported,
        several: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let resource = show_path(&self.creature.path);
        let Some(outcome) = &migrated.outcome else {
            if let (Ok(Plan::Leave(why)), Reported::Everything) = (&self.creature.plan, reported) {
                let left = styled(HEADING, "left");
                print_line(format_args!("{left} {resource} as it is: {why}"));
            }
            return Ok(());
        };
        let Some((_, job)) = &self.model else {
            if let Err(failure) = &outcome.result {
                failure.report_for(&resource);
            }
            return Ok(());
        };
        outcome.report(job, reported, several, out)?;
        if reported == Reported::Everything {
            for Clip { name, file, duration } in &migrated.clips {
                let file =
                    file.as_deref().map_or(String::new(), |file| format!("{}, ", show_name(file)));
                print_line(format_args!("  {}: {file}{duration} s", show_name(name)));
            }
        }
        Ok(())
    }

    fn entry(&self, migrated: Migrated, target: Format) -> Entry {
        let Migrated { outcome, clips, outputs, is_new } = migrated;
        let (result, reason) = match (&outcome, &self.creature.plan) {
            (Some(Outcome { result: Err(failure), .. }), _) => {
                (Verdict::Failed, Some(failure.message.clone()))
            }
            (Some(_), _) if is_new => (Verdict::Migrated, None),
            (Some(_), _) => (Verdict::Unchanged, None),
            (None, Ok(Plan::Leave(why))) => (Verdict::Left, Some(why.clone())),
            (None, _) => (Verdict::Left, None),
        };
        let model = self.model.as_ref().zip(outcome);
        Entry {
            resource: self.creature.path.to_string_lossy().into_owned(),
            result,
            reason,
            outputs: outputs.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
            clips,
            model: model.map(|((_, job), outcome)| ConversionReport::of(job, target, outcome)),
        }
    }
}

fn create_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::usage(format!("cannot create the folder {}: {error}", show_path(folder)))
    })
}

/// Checks that a folder can be created in the output folder: everything on the way to it is a
/// folder or does not exist. A link might lead out of the output folder.
fn check_folders(folder: &Path, output: &Path) -> Result<(), Failure> {
    for folder in folder.ancestors().take_while(|folder| *folder != output) {
        let what = match folder.symlink_metadata() {
            Ok(metadata) if metadata.is_symlink() => "is a symbolic link",
            Ok(metadata) if !metadata.is_dir() => "is not a folder",
            _ => continue,
        };
        return Err(Failure::usage(format!("cannot write to {}: it {what}", show_path(folder))));
    }
    Ok(())
}

/// Returns the clips of a model, with the files that contained them.
fn clips_of(outcome: &Outcome, model: &Model) -> Vec<Clip> {
    let files: HashMap<&str, &PathBuf> =
        model.animations.iter().map(|clip| clip.name.as_str()).zip(&model.files).collect();
    let file = |name: &str| {
        let name = files.get(name)?.file_name()?;
        Some(name.to_string_lossy().into_owned())
    };
    let clips = outcome.clips.iter();
    clips
        .map(|clip| Clip { name: clip.name.clone(), file: file(&clip.name), duration: clip.length })
        .collect()
}

impl Migrated {
    fn left() -> Migrated {
        Migrated { outcome: None, clips: Vec::new(), outputs: Vec::new(), is_new: false }
    }

    fn failed(failure: Failure) -> Migrated {
        Migrated { outcome: Some(Outcome::nothing(failure)), ..Migrated::left() }
    }
}

/// Returns the number of resources by result.
fn summary(entries: &[Entry]) -> String {
    let number = |wanted| entries.iter().filter(|entry| entry.result == wanted).count();
    let results = counts([
        (number(Verdict::Migrated), "migrated", "migrated"),
        (number(Verdict::Unchanged), "unchanged", "unchanged"),
        (number(Verdict::Left), "left as it is", "left as they are"),
        (number(Verdict::Failed), "failed", "failed"),
    ]);
    format!("{}: {results}", crate::term::count(entries.len(), "resource", "resources"))
}
