//! Writes the output of `convert` and `split`.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anim_formats::anim_ir::{Category, Code, Diagnostics, Parsed, Scene, Severity};
use anim_formats::{AnyDocument, Format, LoadOptions, folder_of, rebase_images};
use anim_viewer::{look_closer, write_scene};

use crate::args::OutputArgs;
use crate::input::Input;
use crate::job::{Job, Output};
use crate::read_files::ReadFiles;
use crate::status::Failure;
use crate::term::show_path;
use crate::write::{check_new, is_equal, write_all};
use anim_viewer::Totals;
use anim_viewer::caseless;

/// State shared by all files of a run.
pub(crate) struct Writer<'a> {
    pub(crate) args: &'a OutputArgs,
    pub(crate) target: Format,
    /// The format options, and the folder that images may be opened from.
    pub(crate) load: LoadOptions,
    /// The files that were read with `load`. Outputs never overwrite them.
    pub(crate) read: ReadFiles,
    /// The [`caseless`] output paths of all files. Companion files never overwrite them.
    pub(crate) outputs: HashSet<String>,
    /// The hash of the content of each companion file that was written, by its [`caseless`] path.
    pub(crate) companions: Mutex<HashMap<String, u64>>,
    /// Set if outputs are left alone that exist with the same content. Locked while outputs are
    /// compared and written: inputs that are converted at the same time may share one.
    pub(crate) keeps_equal: Option<Mutex<()>>,
    /// Advice to append to the error for a scene with several clips, if the format holds only one.
    pub(crate) of_several: &'static str,
}

/// A result that has been written, or is about to be written to standard output.
pub(crate) struct Written {
    pub(crate) bytes: usize,
    /// The bytes for standard output.
    pub(crate) data: Vec<u8>,
    /// Whether the output already existed with the same content, and was not written.
    pub(crate) is_unchanged: bool,
    /// Whether it was written from a scene, which lacks the parts that could not be read.
    pub(crate) from_scene: bool,
}

impl OutputArgs {
    /// Fails if there are problems that `--strict` does not allow: in the inputs, or warnings about
    /// their images and normals. Losses and the codes of `--ignore` are allowed.
    pub(crate) fn check_strict(
        &self,
        diagnostics: &Diagnostics,
        losses: &Diagnostics,
    ) -> Result<(), Failure> {
        let is_ignored = |code: &Code| self.ignore.iter().any(|ignored| ignored.id == code.id);
        let (warnings, _) = losses.clone().partition(|code| code.category != Category::Loss);
        let mut all = diagnostics.clone();
        all.append(warnings);
        let counted = all.partition(is_ignored).1;
        let totals = Totals::of(&counted);
        if self.strict && totals.severity() >= Severity::Warning {
            let codes = counted.counts().iter().map(|(code, _)| code);
            let codes = codes.filter(|code| code.severity >= Severity::Warning);
            let codes: Vec<&str> = codes.map(|code| code.id).collect();
            return Err(Failure::file(format!(
                "{totals}; nothing was written because of --strict ({})",
                codes.join(", ")
            )));
        }
        Ok(())
    }

    /// With `--strict`, adds the problems that only a closer look at a file finds.
    pub(crate) fn look_closer(&self, Parsed { value, diagnostics }: &mut Parsed<AnyDocument<'_>>) {
        if self.strict {
            look_closer(value, diagnostics);
        }
    }
}

impl Writer<'_> {
    /// Writes the scene of a job. Its image paths are relative to the given input.
    pub(crate) fn write(
        &self,
        images_of: Input<'_>,
        job @ Job { output, read, .. }: &Job<'_>,
        mut scene: Scene,
        losses: &mut Diagnostics,
    ) -> Result<Written, Failure> {
        if let Some(folder) = images_of.folder().filter(|_| !scene.images.is_empty()) {
            // Standard output is usually redirected to a file in the current folder.
            let to = output.file().map_or(Path::new("."), folder_of);
            rebase_images(&mut scene, folder, to).map_err(|error| {
                Failure::usage(format!("the output cannot refer to the images: {error}"))
            })?;
        }
        let stem = output_stem(output);
        let to = (self.target, stem.as_str());
        let mut settings = self.load.settings.clone();
        settings.limits.stored = read.stored();
        let made = write_scene(&scene, to, &settings, self.of_several, losses)?;
        Ok(Written { from_scene: true, ..self.put(job, made)? })
    }

    /// Writes the output of a job to its destination.
    pub(crate) fn put(
        &self,
        job: &Job<'_>,
        made: anim_formats::Output,
    ) -> Result<Written, Failure> {
        let anim_formats::Output { main, companions } = made;
        let bytes = companions
            .iter()
            .fold(main.len(), |sum, (_, companion)| sum.saturating_add(companion.len()));
        job.charge(bytes)?;
        let mut is_unchanged = false;
        let data = match &job.output {
            Output::Stdout if companions.iter().any(|(_, bytes)| !bytes.is_empty()) => {
                return Err(Failure::usage(format!(
                    "this {} output consists of several files, which cannot be written to \
                     standard output",
                    self.target.title()
                )));
            }
            Output::Stdout => main,
            Output::File(path) => {
                // The files that the main file references are written first. It does not reference
                // empty files.
                let companions = companions.iter().filter(|(_, bytes)| !bytes.is_empty());
                let companions =
                    companions.map(|(name, bytes)| (path.with_file_name(name), bytes.as_slice()));
                let files: Vec<(PathBuf, &[u8])> =
                    companions.chain([(path.clone(), main.as_slice())]).collect();
                for (companion, bytes) in files.iter().filter(|(file, _)| file != path) {
                    self.check_companion(companion, bytes)?;
                }
                is_unchanged = !self.put_files(&files)?;
                Vec::new()
            }
        };
        Ok(Written { bytes, data, from_scene: false, is_unchanged })
    }

    /// Writes files, the last of which refers to the others. Returns false if all exist with the
    /// same content and were left alone.
    pub(crate) fn put_files(&self, files: &[(PathBuf, &[u8])]) -> Result<bool, Failure> {
        let _alone = self.alone();
        let is_new = self.is_new(files)?;
        if is_new {
            write_all(files, self.args.force)?;
        }
        Ok(is_new)
    }

    /// Checks that files may be written. Returns false if all exist with the same content and are
    /// to be left alone.
    pub(crate) fn check_files(&self, files: &[(PathBuf, &[u8])]) -> Result<bool, Failure> {
        let _alone = self.alone();
        self.is_new(files)
    }

    fn alone(&self) -> Option<MutexGuard<'_, ()>> {
        self.keeps_equal.as_ref().map(|it| it.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_new(&self, files: &[(PathBuf, &[u8])]) -> Result<bool, Failure> {
        files.iter().try_for_each(|(path, _)| self.read.check_output(path))?;
        if self.keeps_equal.is_some() {
            if files.iter().all(|(path, bytes)| is_equal(path, bytes)) {
                return Ok(false);
            }
            files.iter().try_for_each(|(path, _)| check_new(path, self.args.force))?;
        }
        Ok(true)
    }

    /// Checks that a companion file overwrites neither another output, other companion files nor,
    /// without `--force`, an existing file.
    fn check_companion(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let mut hasher = DefaultHasher::new();
        hasher.write(bytes);
        let hash = hasher.finish();
        let mut written = self.companions.lock().unwrap_or_else(PoisonError::into_inner);
        let is_other = *written.entry(caseless(path)).or_insert(hash) != hash;
        drop(written);
        if is_other || self.outputs.contains(&caseless(path)) {
            return Err(Failure::usage(format!(
                "{} would be written twice; write the outputs to different folders",
                show_path(path)
            )));
        }
        check_new(path, self.args.force)
    }
}

/// Returns the file stem for companion files.
pub(crate) fn output_stem(output: &Output) -> String {
    match output {
        Output::File(path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        Output::Stdout => String::new(),
    }
}
