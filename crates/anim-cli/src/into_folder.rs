//! Plans conversions into a folder: one output for each input, or for each motion of a model.

use std::collections::{BTreeMap, HashSet};
use std::path::{Component, Path, PathBuf};

use anim_formats::{Format, LoadOptions, folder_of};

use crate::files::{By, Files, Found};
use crate::input::Input;
use crate::term::show_path;
use anim_viewer::{caseless, sanitize};

/// The maximum number of notes about output names that several inputs share.
const MOST_NOTES: usize = 10;

/// The conversions into a folder.
pub(crate) struct Planned<'a> {
    /// The inputs and their outputs.
    pub(crate) outputs: Vec<(Input<'a>, PathBuf)>,
    /// The model to combine with each of the inputs.
    pub(crate) model: Option<Input<'a>>,
    /// What to print if the conversions are carried out.
    pub(crate) notes: Vec<String>,
}

/// Plans an output for each file. Files from folders and patterns keep their relative paths. If the
/// files are a model and its motions, plans an output for each motion, with the model.
pub(crate) fn into_folder<'a>(
    files: &'a Files,
    target: Format,
    folder: &Path,
    load: &LoadOptions,
) -> Planned<'a> {
    let model = model_of(&files.found, load);
    let others = (0..).zip(&files.found).filter(|(number, _)| Some(*number) != model);
    let others: Vec<&Found> = others.map(|(_, file)| file).collect();
    let mut notes = Vec::new();
    let kept = named_folders(&others);
    if let Some((common, _)) = &kept {
        let common = if common.as_os_str().is_empty() { "/".into() } else { show_path(common) };
        notes.push(format!(
            "several inputs have the same name, so the outputs keep their folders below {common}"
        ));
    }
    let below = kept.map_or_else(|| below(&others), |(_, below)| below);
    let (outputs, shared) = outputs_of(&others, &below, target, folder);
    let model = model.and_then(|number| files.found.get(number)).map(Found::input);
    if let Some(model) = model {
        notes.push(format!("{} is written with each of its motions", model.shown()));
    }
    let listed = |numbers: &[usize], name: &dyn Fn(usize) -> Option<String>| {
        numbers.iter().filter_map(|number| name(*number)).collect::<Vec<_>>().join(" and ")
    };
    notes.extend(shared.iter().take(MOST_NOTES).map(|numbers| {
        let inputs = listed(numbers, &|number| Some(others.get(number)?.input().shown()));
        let outputs = listed(numbers, &|number| Some(show_path(outputs.get(number)?)));
        format!(
            "{inputs} would have the same output name, so their outputs keep the input's \
             extension: {outputs}"
        )
    }));
    if let Some(more) = shared.len().checked_sub(MOST_NOTES).filter(|more| *more > 0) {
        notes.push(format!("… and {more} more output names that inputs share"));
    }
    let inputs = others.iter().map(|file| file.input());
    Planned { outputs: inputs.zip(outputs).collect(), model, notes }
}

/// Returns the index of the model if the inputs are a single model and motions for it.
fn model_of(files: &[Found], load: &LoadOptions) -> Option<usize> {
    // Unreadable files are reported when they are converted.
    let format = |file: &Found| file.input().peek_format(load);
    let [first, _, ..] = files else { return None };
    let first = format(first)?;
    let (number, model) = if Format::readable().any(|model| first.animates(model)) {
        let is_model = |found: Option<Format>| found.filter(|model| first.animates(*model));
        let found = files.iter().enumerate();
        found.skip(1).find_map(|(number, file)| Some((number, is_model(format(file))?)))?
    } else {
        (0, first)
    };
    let mut others = files.iter().enumerate().filter(|(other, _)| *other != number);
    others.all(|(_, file)| format(file).is_some_and(|it| it.animates(model))).then_some(number)
}

/// Returns the folder of each file that its output keeps.
fn below(files: &[&Found]) -> Vec<PathBuf> {
    files.iter().map(|file| file.below.clone()).collect()
}

/// Returns the folders that outputs keep if several files named one by one have the same name:
/// those below the folder that they have in common, and this folder.
fn named_folders(files: &[&Found]) -> Option<(PathBuf, Vec<PathBuf>)> {
    let is_named = |file: &&&Found| file.by == By::Name && !matches!(file.input(), Input::Stdin);
    let mut names = HashSet::new();
    let named = files.iter().filter(is_named);
    if named
        .clone()
        .all(|file| names.insert(file.path.file_name().map(|name| caseless(name.as_ref()))))
    {
        return None;
    }
    let parent = |file: &Found| {
        let parent = folder_of(&file.path);
        let path = std::path::absolute(parent).ok()?;
        let is_plain = path.components().all(|part| part != Component::ParentDir);
        if is_plain { Some(path) } else { path.canonicalize().ok() }
    };
    let parents: Vec<PathBuf> = named.map(|file| parent(file)).collect::<Option<_>>()?;
    let common = parents.iter().skip(1).fold(parents.first()?.clone(), |common, path| {
        let same = common.components().zip(path.components()).take_while(|(a, b)| a == b);
        same.map(|(part, _)| part).collect()
    });
    let mut parents = parents.iter();
    let below = files.iter().map(|file| {
        let path = if is_named(&file) { parents.next()? } else { return Some(file.below.clone()) };
        path.strip_prefix(&common).ok().map(Path::to_owned)
    });
    Some((common.clone(), below.collect::<Option<_>>()?))
}

/// Returns the outputs of files, and the indices of files whose names differ only in the extension.
/// All of these keep it, so that the names do not depend on the order.
fn outputs_of(
    files: &[&Found],
    below: &[PathBuf],
    target: Format,
    folder: &Path,
) -> (Vec<PathBuf>, Vec<Vec<usize>>) {
    let extension = target.written_extensions().first().copied().unwrap_or_default();
    let output = |((file, below), keeps): ((&&Found, &PathBuf), &bool)| {
        let stem = match file.input() {
            Input::File(path, _) if *keeps => {
                path.file_name().unwrap_or_default().to_string_lossy()
            }
            input => input.stem(),
        };
        folder.join(below).join(format!("{}.{extension}", sanitize(&stem)))
    };
    let (mut shared, mut keep) = (Vec::new(), vec![false; files.len()]);
    loop {
        let outputs: Vec<PathBuf> = files.iter().zip(below).zip(&keep).map(output).collect();
        let mut by_output: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (number, path) in outputs.iter().enumerate() {
            by_output.entry(caseless(path)).or_default().push(number);
        }
        let before = shared.len();
        // `a.x3d.glb` can be the output of both `a.x3d` and `a.x3d.amo`, so this is repeated until
        // no names clash.
        for numbers in by_output.into_values().filter(|numbers| numbers.len() > 1) {
            let mut is_new = false;
            for number in &numbers {
                is_new |=
                    keep.get_mut(*number).is_some_and(|keeps| !std::mem::replace(keeps, true));
            }
            if is_new {
                shared.push(numbers);
            }
        }
        if shared.len() == before {
            return (outputs, shared);
        }
    }
}
