//! The resources to migrate: which files they consist of, and which clips these become.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anim_formats::anim_ir::diag::quote;
use anim_formats::anim_ir::{Budget, LimitError, ResolveError, UniqueNames, address};
use anim_formats::castle::Resource;
use anim_formats::{LoadOptions, folder_of, read_file};
use walkdir::WalkDir;

use crate::input::Input;
use crate::status::Failure;
use crate::term::{print_note, show_path};
use anim_viewer::{numbered, sanitize};

/// The name of the files that define resources.
const FILE: &str = "resource.xml";

/// A `resource.xml`, and what it becomes.
pub(super) struct Creature {
    /// Path of the file.
    pub(super) path: PathBuf,
    /// The folder that was named on the command line, if the file was found in it.
    pub(super) named: Option<PathBuf>,
    /// The folder of the file in the output folder.
    pub(super) below: PathBuf,
    pub(super) plan: Result<Plan, Failure>,
}

/// What to do with a resource.
pub(super) enum Plan {
    Convert(Model),
    /// Nothing, for this reason.
    Leave(String),
}

/// The files that become one model.
pub(super) struct Model {
    pub(super) bytes: Vec<u8>,
    /// The name of the model, without its extension.
    pub(super) stem: String,
    /// The address of the image of an item.
    pub(super) image: Option<String>,
    /// The files that contain animations, in order.
    pub(super) files: Vec<PathBuf>,
    /// The animation in each file; empty if a single file contains the whole model.
    pub(super) animations: Vec<NewClip>,
    /// The animations in the model that the resource names already.
    pub(super) kept: Vec<(String, String)>,
    /// The new name of each animation of the resource.
    pub(super) renamed: Vec<Option<String>>,
}

/// A clip of the new model.
pub(super) struct NewClip {
    pub(super) name: String,
    /// The name of the animation in its file, if the resource has one.
    pub(super) in_file: Option<String>,
}

impl Creature {
    /// Finds the resources in the given folders, in order of their paths.
    pub(super) fn find(given: &[PathBuf], output: &Path) -> Result<Vec<Creature>, Failure> {
        let output = output.canonicalize().ok();
        let mut found = Vec::new();
        let is_output = |path: &Path| output.is_some() && path.canonicalize().ok() == output;
        for path in given {
            if is_output(path) {
                return Err(Failure::usage(format!(
                    "{}: its files would be overwritten; choose another output folder",
                    show_path(path)
                )));
            }
            if !path.is_dir() {
                if path.file_name() != Some(FILE.as_ref()) {
                    let why = format!("{}: not a folder or {FILE}", show_path(path));
                    return Err(Failure::usage(why));
                }
                found.push(Creature::at(path.clone(), None, PathBuf::new()));
                continue;
            }
            let entries = WalkDir::new(path)
                .sort_by_file_name()
                .into_iter()
                .filter_entry(|entry| !entry.file_type().is_dir() || !is_output(entry.path()));
            for entry in entries {
                let entry = entry.map_err(|error| Failure::usage(error.to_string()))?;
                if entry.file_name() != FILE || entry.file_type().is_dir() {
                    continue;
                }
                if entry.file_type().is_file() {
                    let folder = entry.path().parent().unwrap_or(path);
                    let below = folder.strip_prefix(path).unwrap_or(Path::new("")).to_owned();
                    found.push(Creature::at(entry.into_path(), Some(path.clone()), below));
                } else {
                    let what = if entry.path_is_symlink() {
                        "symbolic link"
                    } else {
                        "not a regular file"
                    };
                    print_note(format_args!("{} skipped: {what}", show_path(entry.path())));
                }
            }
        }
        if found.is_empty() {
            let folders: Vec<String> = given.iter().map(|path| show_path(path)).collect();
            return Err(Failure::usage(format!("no {FILE} in {}", folders.join(", "))));
        }
        Ok(found)
    }

    fn at(path: PathBuf, named: Option<PathBuf>, below: PathBuf) -> Creature {
        Creature { path, named, below, plan: Ok(Plan::Leave(String::new())) }
    }

    /// Reads the resource, and decides what to do with it.
    pub(super) fn read(&mut self, load: &LoadOptions) {
        self.plan = plan(&self.path, self.named.as_deref(), load);
    }

    /// Returns the resource as an input, whose folder contains the files that it names.
    pub(super) fn input(&self) -> Input<'_> {
        Input::File(&self.path, self.named.as_deref())
    }
}

impl Model {
    /// Returns the files as inputs.
    pub(super) fn inputs<'a>(&'a self, of: &'a Creature) -> impl Iterator<Item = Input<'a>> {
        let folder = of.named.as_deref().unwrap_or_else(|| folder_of(&of.path));
        self.files.iter().map(move |file| Input::File(file, Some(folder)))
    }
}

fn plan(path: &Path, named: Option<&Path>, load: &LoadOptions) -> Result<Plan, Failure> {
    let bytes = read_file(path, load)?.bytes;
    let resource = Resource::parse(&bytes).map_err(|error| Failure::file(error.to_string()))?;
    let separate: Vec<&str> = resource.animations().iter().filter_map(|it| it.url()).collect();
    let urls: Vec<&str> = resource.url().into_iter().chain(separate.iter().copied()).collect();
    let [first, ..] = urls.as_slice() else {
        return Ok(Plan::Leave("it names no model".to_owned()));
    };
    if let Some(gltf) = urls.iter().find(|url| is_gltf(url)) {
        return Ok(Plan::Leave(format!("it already uses glTF ({})", quote(gltf.as_bytes()))));
    }
    if resource.url().is_some() && !separate.is_empty() {
        let (model, other) = (quote(first.as_bytes()), separate.first().copied());
        return Err(Failure::file(format!(
            "the model is {model}, but an animation is in another file, {}: such a resource \
             cannot be migrated",
            quote(other.unwrap_or_default().as_bytes())
        )));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut resolver = Input::File(path, named).files(load)?;
    let mut file = |url: &str| {
        // The address must not lead out of the folder, or out of the data folder of the project.
        let found = resolver.head(url, 1).and_then(|_| match resolver.way(url) {
            Some(way) => Ok(way),
            None => address::relative_path(url),
        });
        found.map(|path| folder.join(path)).map_err(|error| not_found(url, &error))
    };
    let files = urls.iter().map(|url| file(url)).collect::<Result<Vec<PathBuf>, Failure>>()?;
    let repeats = charge_repeats(&files, bytes.len(), load);
    repeats.map_err(|error| Failure::file(error.to_string()))?;
    let (mut animations, mut kept, mut renamed) = (Vec::new(), Vec::new(), Vec::new());
    let mut names = UniqueNames::new();
    for animation in resource.animations() {
        let element = animation.name();
        renamed.push(None);
        if animation.url().is_some() {
            let name = names.claim_fitted(element, numbered).into_owned();
            if let Some(renamed) = renamed.last_mut() {
                *renamed = Some(name.clone());
            }
            let in_file = animation.animation().map(str::to_owned);
            animations.push(NewClip { name, in_file });
        } else if let Some(name) = animation.animation() {
            kept.push((element.to_owned(), name.to_owned()));
        }
    }
    let image = resource.image().filter(|image| !image.is_empty()).map(str::to_owned);
    let stem = name_of(folder);
    Ok(Plan::Convert(Model { stem, image, files, animations, kept, renamed, bytes }))
}

/// The memory charged for each byte of a file that is read again, for another animation.
const REPEATED_BYTES: usize = 4;

/// Charges the files that several animations of a resource name: each animation becomes a clip of
/// its own.
fn charge_repeats(
    files: &[PathBuf],
    resource: usize,
    load: &LoadOptions,
) -> Result<(), LimitError> {
    let (mut once, mut again) = (resource, 0_usize);
    let mut known = HashSet::new();
    for file in files {
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        let all = if known.insert(file) { &mut once } else { &mut again };
        *all = all.saturating_add(usize::try_from(size).unwrap_or(usize::MAX));
    }
    let budget = Budget::new(&load.settings.limits, once);
    budget.charge("the files that animations share", again.saturating_mul(REPEATED_BYTES))
}

/// Returns a name for the model of a resource: that of its folder.
fn name_of(folder: &Path) -> String {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let name = match folder.file_name() {
        Some(name) => Some(name.to_owned()),
        None => folder.canonicalize().ok().and_then(|path| path.file_name().map(ToOwned::to_owned)),
    };
    sanitize(&name.unwrap_or_default().to_string_lossy())
}

fn is_gltf(url: &str) -> bool {
    let url = url.trim().to_ascii_lowercase();
    [".gltf", ".glb"].iter().any(|extension| url.ends_with(extension))
}

fn not_found(url: &str, error: &ResolveError) -> Failure {
    Failure::file(format!("cannot open {}: {error}", quote(url.as_bytes())))
}
