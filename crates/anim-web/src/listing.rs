//! Which files belong together, and which to open first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{Resolver as _, sort_by};
use anim_formats::{Format, LoadOptions, format_of, scene_of};
use anim_viewer::Failure;
use serde::Serialize;

use crate::answer::answer;
use crate::options::Options;
use crate::session::{Session, folder_of, name_of, stem_of};

/// The most files that a file is said to go with.
const LISTED: usize = 8;
/// The largest size of files that are read to learn which others they refer to, and of those
/// others, in bytes together. A file counts as often as it is read.
const SEARCHED: usize = 64 << 20;

#[derive(Serialize)]
struct Listing {
    /// The file to open first.
    main: Option<String>,
    /// The files to combine it with.
    with: Vec<String>,
    files: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    path: String,
    bytes: usize,
    format: Option<&'static str>,
    title: Option<&'static str>,
    /// Why the format is unknown.
    why: Option<String>,
    /// The files that refer to it.
    companion_of: Vec<String>,
    /// The files that it can be combined with, likeliest first.
    goes_with: Vec<String>,
    #[serde(skip)]
    known: Option<Format>,
}

impl Session {
    /// Lists the files, with their formats and what belongs together.
    pub fn files(&mut self) -> String {
        answer(None, self.listing())
    }

    fn listing(&self) -> Result<Listing, Failure> {
        let load = self.load_options(&Options::default())?;
        let listed = self.files.iter().map(|(path, bytes)| {
            let found = format_of(bytes, Some(name_of(path)), &load);
            let (known, why) = match found {
                Ok(format) => (Some(format), None),
                Err(error) => (None, Some(Failure::from(error).message)),
            };
            Listed {
                path: path.to_owned(),
                bytes: bytes.len(),
                format: known.map(Format::id),
                title: known.map(Format::title),
                why,
                companion_of: Vec::new(),
                goes_with: Vec::new(),
                known,
            }
        });
        let mut files: Vec<Listed> = listed.collect();
        let uses = self.uses(&files, &load);
        let formats: Vec<(String, Format)> =
            files.iter().filter_map(|file| Some((file.path.clone(), file.known?))).collect();
        for file in &mut files {
            file.companion_of = uses.get(&file.path).cloned().unwrap_or_default();
            if let Some(format) = file.known {
                file.goes_with = partners(&file.path, format, &formats);
            }
        }
        let moves = |format: Format| format.defines_clips() || animates_any(format);
        let is_companion = |file: &Listed| file.companion_of.iter().any(|path| *path != file.path);
        let candidates = files.iter().filter(|file| file.known.is_some() && !is_companion(file));
        let main = candidates.min_by_key(|file| {
            let leads = !file.goes_with.is_empty() && file.known.is_some_and(moves);
            (!leads, file.path.matches('/').count(), file.path.as_str())
        });
        let with = main.filter(|file| file.known.is_some_and(moves));
        let with = with.and_then(|file| file.goes_with.first()).cloned();
        let main = main.map(|file| file.path.clone());
        Ok(Listing { main, with: with.into_iter().collect(), files })
    }

    /// Returns the files that refer to each file.
    fn uses(&self, files: &[Listed], load: &LoadOptions) -> BTreeMap<String, Vec<String>> {
        let mut uses: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut left = if files.len() > 1 { SEARCHED } else { 0 };
        for Listed { path, bytes, .. } in files.iter().filter(|file| file.known.is_some()) {
            let Some(rest) = left.checked_sub(*bytes) else { continue };
            left = rest;
            let read: Arc<Mutex<BTreeSet<String>>> = Arc::default();
            let recorded = Arc::clone(&read);
            let mut load = load.clone().with_on_read(move |path| {
                let mut read = recorded.lock().unwrap_or_else(PoisonError::into_inner);
                read.insert(path.to_string_lossy().into_owned());
            });
            let Ok((parsed, _)) = self.parse(path, &load) else { continue };
            load.settings.limits.input_bytes = left;
            let mut companions = self.files.companions(path, &load);
            let (name, settings) = (stem_of(path), &load.settings);
            scene_of(parsed, &mut Context { name: &name, files: &mut companions, settings });
            left = companions.limit();
            let read = std::mem::take(&mut *read.lock().unwrap_or_else(PoisonError::into_inner));
            for used in read.into_iter().filter(|used| used != path) {
                uses.entry(used).or_default().push(path.clone());
            }
        }
        uses
    }
}

/// Returns whether a format is motion for models.
fn animates_any(format: Format) -> bool {
    Format::readable().any(|model| format.animates(model))
}

/// Returns the files that a file can be combined with, those in its folder and with its name first.
fn partners(path: &str, format: Format, files: &[(String, Format)]) -> Vec<String> {
    let cuts = |cuts: Format, model: Format| {
        cuts.defines_clips() && Format::readable().any(|motion| motion.animates(model))
    };
    let fits = |other: Format| {
        format.animates(other)
            || other.animates(format)
            || cuts(format, other)
            || cuts(other, format)
    };
    let fitting = files.iter().filter(|(other, found)| other != path && fits(*found));
    let mut found: Vec<&str> = fitting.map(|(other, _)| other.as_str()).collect();
    let key = |other: &str| (folder_of(other) != folder_of(path), stem_of(other) != stem_of(path));
    sort_by(&mut found, |a, b| key(a).cmp(&key(b)).then(a.cmp(b)));
    found.into_iter().take(LISTED).map(str::to_owned).collect()
}
