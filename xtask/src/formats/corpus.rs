//! `cargo xtask test-corpus`: runs every operation on every file in the given folders.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{
    self, Category, Diagnostics, NoFiles, Output, Parsed, Pose, ResolveError, Resolver, Sampler,
    Scene, Severity, Topology, Transform, dump, validate,
};
use anim_formats::{
    AnyDocument, Format, LoadOptions, Loaded, Settings, convert, detect, folder_of, load_bytes,
    read_file,
};

use crate::manifest::{Found, Manifests};
use rayon::prelude::*;
use xtask::{Failure, files_below, root, table};

/// The maximum width of a file name in the table.
const LONGEST_NAME: usize = 70;
/// The headings of the table.
const HEADINGS: [&str; 9] = [
    "file",
    "format",
    "joints",
    "clips",
    "triangles",
    "errors",
    "warnings",
    "glb bytes",
    "verdict",
];

pub(crate) fn run(folders: &[String]) -> Result<bool, Failure> {
    let started = Instant::now();
    let folders: Vec<PathBuf> = if folders.is_empty() {
        vec![root().join("testdata")]
    } else {
        folders.iter().map(PathBuf::from).collect()
    };
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    let mut failures = Vec::new();
    let (mut fine, mut bad, mut skipped) = (0_usize, 0_usize, 0_usize);
    for folder in &folders {
        let files =
            files_below(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut manifests = Manifests::default();
        for file in &files {
            manifests.add(file)?;
        }
        let looked =
            |file: &PathBuf| look(file, manifests.of(file).and_then(|expected| expected.format));
        let seen: Vec<Option<Seen>> = files.par_iter().map(looked).collect();
        for (file, seen) in files.iter().zip(seen) {
            let Some(mut seen) = seen else {
                skipped = skipped.saturating_add(1);
                continue;
            };
            if let Some(expected) = manifests.of(file) {
                seen.failures.extend(expected.compare(seen.found));
            }
            let name = file
                .strip_prefix(folder)
                .unwrap_or(file)
                .display()
                .to_string()
                .escape_debug()
                .to_string();
            failures.extend(seen.failures.iter().map(|failure| format!("{name}: {failure}")));
            let verdict = match seen.failures.len() {
                0 if seen.found.loaded < Some(Severity::Error) => {
                    fine = fine.saturating_add(1);
                    "fine".to_owned()
                }
                0 => {
                    bad = bad.saturating_add(1);
                    seen.unreadable
                        .as_ref()
                        .map_or("rejected".to_owned(), |why| format!("rejected: {why}"))
                }
                several => format!("FAILED ({several})"),
            };
            rows.push(seen.row(&name, verdict));
        }
    }
    print!("{}", table(&rows, [false, false, true, true, true, true, true, true, false]));
    let read = rows.len().saturating_sub(1);
    let seconds = started.elapsed().as_secs_f32();
    println!(
        "\n{read} files in {seconds:.1} s: {fine} fine, {bad} bad and reported as such; {} \
         failures; {skipped} others skipped",
        failures.len()
    );
    for failure in &failures {
        println!("FAILED {failure}");
    }
    if read == 0 {
        return Err("no file with a supported format was found".into());
    }
    Ok(failures.is_empty())
}

/// Shortens a name to fit the table by removing its beginning.
fn short(name: &str) -> String {
    match name.chars().count().checked_sub(LONGEST_NAME) {
        None | Some(0) => name.to_owned(),
        Some(more) => format!("…{}", name.chars().skip(more.saturating_add(1)).collect::<String>()),
    }
}

/// The result for a file.
struct Seen {
    /// Format and dialect.
    kind: String,
    /// Joints, clips, triangles, errors, warnings, and size of the GLB in bytes.
    numbers: [Option<u64>; 6],
    found: Found,
    /// The reason why the file cannot be read.
    unreadable: Option<String>,
    failures: Vec<String>,
}

/// Tests a file. Returns `None` if it matches no readable format.
fn look(path: &Path, format: Option<Format>) -> Option<Seen> {
    let options = LoadOptions::default();
    let bytes = match read_file(path, &options) {
        Ok(file) => file.bytes,
        Err(error) => return Some(Seen::unread("-".to_owned(), error.to_string())),
    };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let format = match guarded("detection", || {
        Ok(detect(&bytes, Some(&name)).first().map(|candidate| candidate.format))
    }) {
        Ok(Some(detected)) => format.unwrap_or(detected),
        Ok(None) => return None,
        Err(failure) => {
            return Some(Seen {
                failures: vec![failure],
                ..Seen::unread("-".to_owned(), String::new())
            });
        }
    };
    let settings = &options.settings;
    let parsed = guarded("parsing", || Ok(AnyDocument::parse(bytes.as_slice(), format, settings)));
    let parsed = match parsed {
        Ok(Ok(parsed)) => parsed,
        Ok(Err(error)) => return Some(Seen::unread(format.id().to_owned(), error.to_string())),
        Err(failure) => {
            return Some(Seen {
                failures: vec![failure],
                ..Seen::unread(format.id().to_owned(), String::new())
            });
        }
    };
    Some(follow(path, &name, &bytes, format, &parsed))
}

impl Seen {
    fn unread(kind: String, why: String) -> Seen {
        let found = Found {
            worst: Some(Severity::Error),
            loaded: Some(Severity::Error),
            dialect: None,
            is_static: false,
        };
        Seen { kind, numbers: [None; 6], found, unreadable: Some(why), failures: Vec::new() }
    }

    /// Returns the table row, with the columns of [`HEADINGS`].
    fn row(self, name: &str, verdict: String) -> [String; HEADINGS.len()] {
        let [joints, clips, triangles, errors, warnings, glb] =
            self.numbers.map(|number| number.map_or("-".to_owned(), |number| number.to_string()));
        [short(name), self.kind, joints, clips, triangles, errors, warnings, glb, verdict]
    }
}

/// Runs every operation on a document.
fn follow(
    path: &Path,
    name: &str,
    bytes: &[u8],
    format: Format,
    parsed: &Parsed<AnyDocument<'_>>,
) -> Seen {
    let Parsed { value: document, diagnostics } = parsed;
    let worst = diagnostics.worst().max(document.inspect().worst());
    let dialect = document.dialect();
    let kind =
        dialect.map_or(format.id().to_owned(), |dialect| format!("{}/{dialect}", format.id()));
    let mut seen = Seen {
        kind,
        numbers: [None; 6],
        found: Found { worst, loaded: None, dialect, is_static: false },
        unreadable: None,
        failures: Vec::new(),
    };
    let mut step = |what: &str, work: &mut dyn FnMut() -> Result<(), String>| {
        if let Err(failure) = guarded(what, work) {
            seen.failures.push(failure);
        }
    };
    step("rewrite", &mut || {
        let same =
            document.to_bytes() == bytes && document.clone().into_owned().to_bytes() == bytes;
        if same { Ok(()) } else { Err("the bytes differ".to_owned()) }
    });
    step("strictness", &mut || strictness(parsed));
    step("threads", &mut || threads(bytes, format, parsed));
    let mut loaded = None;
    step("scene", &mut || {
        let options = LoadOptions::default().with_format(format);
        loaded = Some(
            load_bytes(bytes.to_vec(), Some(name), Some(folder_of(path)), &options)
                .map_err(|error| error.to_string())?,
        );
        Ok(())
    });
    let Some(Loaded { scene, mut diagnostics, losses, .. }) = loaded else { return seen };
    // Includes problems in companion files, but not losses of the conversion.
    diagnostics.append(losses.partition(|code| code.category == Category::Loss).1);
    diagnostics.append(document.inspect());
    let worst = diagnostics.worst();
    step("validation", &mut || no_errors(&validate(&scene)));
    step("dump", &mut || {
        if dump(&scene).is_empty() { Err("it is empty".to_owned()) } else { Ok(()) }
    });
    step("sampling", &mut || sampling(&scene));
    let with_errors = worst == Some(Severity::Error);
    let mut glb_bytes = None;
    for target in Format::writable() {
        step(target.id(), &mut || {
            let Some(output) = write(&scene, target, with_errors)? else { return Ok(()) };
            if target.id() == "glb" {
                check_glb(&output.main)?;
                glb_bytes = u64::try_from(output.main.len()).ok();
            }
            // Written files must be readable. Errors in the input may remain.
            let read = target.written_extensions().iter().find_map(|extension| {
                Format::with_extension(extension)
                    .find(|format| *format == target || !target.can_read())
            });
            read.map_or(Ok(()), |format| read_again(output, format, with_errors))
        });
    }
    let joints = scene
        .skeletons
        .iter()
        .fold(0_usize, |sum, skeleton| sum.saturating_add(skeleton.joints.len()));
    let triangles = scene
        .meshes
        .iter()
        .fold(0_usize, |sum, mesh| sum.saturating_add(mesh.count(Topology::Triangles)));
    let number = |number: usize| u64::try_from(number).ok();
    let [errors, warnings] =
        [Severity::Error, Severity::Warning].map(|severity| Some(diagnostics.total(severity)));
    seen.numbers =
        [number(joints), number(scene.clips.len()), number(triangles), errors, warnings, glb_bytes];
    seen.found = Found { loaded: worst, is_static: scene.clips.is_empty(), ..seen.found };
    seen
}

/// Checks that reading with four threads gives the same result as reading with one thread.
fn threads(bytes: &[u8], format: Format, parsed: &Parsed<AnyDocument<'_>>) -> Result<(), String> {
    let mut settings = Settings::default();
    if let Some(threads) = Format::option("threads") {
        settings.set(threads, "4").map_err(|error| error.to_string())?;
    }
    let again = AnyDocument::parse(bytes, format, &settings).map_err(|error| error.to_string())?;
    let scene = |document: &AnyDocument<'_>| scene_of(document, &mut NoFiles);
    let same = again.diagnostics == parsed.diagnostics
        && again.value.dialect() == parsed.value.dialect()
        && scene(&again.value) == scene(&parsed.value);
    if same {
        Ok(())
    } else {
        Err("the result with four threads differs from the result with one".to_owned())
    }
}

/// Writes a scene. Returns `None` if the format may reject it. `with_errors` is whether the file
/// has errors.
fn write(scene: &Scene, target: Format, with_errors: bool) -> Result<Option<Output>, String> {
    match convert(scene, target, &Settings::default(), "scene") {
        Ok(converted) => Ok(Some(converted.value)),
        // A file with errors may exceed the limits, and an empty scene has nothing to write.
        Err(_) if with_errors || (scene.clips.is_empty() && scene.meshes.is_empty()) => Ok(None),
        // An error is acceptable if the format cannot represent every scene.
        Err(_) if !target.takes_any_scene() => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// Checks that strict reading fails if and only if problems were reported.
fn strictness(parsed: &Parsed<AnyDocument<'_>>) -> Result<(), String> {
    for severity in [Severity::Note, Severity::Warning, Severity::Error] {
        let refused = parsed.clone().into_strict(severity).is_err();
        let there_is_one =
            parsed.diagnostics.counts().iter().any(|(code, _)| code.severity >= severity);
        if refused != there_is_one {
            let not = if refused { "" } else { "not " };
            return Err(format!("strict about {}s: the file is {not}rejected", severity.name()));
        }
    }
    Ok(())
}

/// Checks that each clip has finite poses at some times inside and outside its range.
fn sampling(scene: &Scene) -> Result<(), String> {
    for clip in &scene.clips {
        let timeline = scene.timeline(clip.timeline).ok_or("a clip has no timeline")?;
        let Some(skeleton) = scene.skeleton(timeline.skeleton) else { continue };
        let mut sampler = Sampler::for_clip(skeleton, timeline, clip);
        let mut pose = Pose::default();
        let (start, end) = (f64::from(clip.start), f64::from(clip.end));
        for time in [
            start - 1.0,
            start,
            start + (end - start) / 3.0,
            start + (end - start) / 2.0,
            end,
            end + 1.0,
        ] {
            sampler.sample(time, &mut pose);
            let finite = |transform: Transform| transform.is_finite();
            let local = skeleton
                .enumerate_joints()
                .all(|(id, joint)| finite(pose.local_transform(joint, id)));
            if !local
                || !pose.transforms.iter().copied().all(finite)
                || !pose
                    .morph_weights
                    .iter()
                    .flat_map(|(_, weights)| weights)
                    .all(|weight| weight.is_finite())
            {
                return Err(format!(
                    "clip `{}` at {time} s: a value is not finite",
                    clip.name.escape_debug()
                ));
            }
        }
    }
    Ok(())
}

fn check_glb(bytes: &[u8]) -> Result<(), String> {
    let length = bytes.get(8..12).and_then(|field| field.try_into().ok()).map(u32::from_le_bytes);
    if bytes.starts_with(b"glTF")
        && length.and_then(|length| usize::try_from(length).ok()) == Some(bytes.len())
    {
        Ok(())
    } else {
        Err("it does not start with a valid GLB header".to_owned())
    }
}

fn read_again(output: Output, format: Format, may_have_errors: bool) -> Result<(), String> {
    let Output { main, companions } = output;
    let parsed = AnyDocument::parse(main, format, &Settings::default())
        .map_err(|error| format!("the result cannot be read: {error}"))?;
    if !may_have_errors {
        no_errors(&parsed.diagnostics)?;
    }
    no_errors(&validate(&scene_of(&parsed.value, &mut Written(companions))))
}

fn scene_of(document: &AnyDocument<'_>, files: &mut dyn Resolver) -> Scene {
    document.to_scene(&mut Context { name: "", files, settings: &Settings::default() }).value
}

/// The companion files of a written file.
struct Written(Vec<(String, Vec<u8>)>);

impl Resolver for Written {
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        let found = self.0.iter().find(|(name, _)| name == address);
        found.map(|(_, bytes)| bytes.clone()).ok_or(ResolveError::NotFound)
    }
}

fn no_errors(diagnostics: &Diagnostics) -> Result<(), String> {
    match diagnostics.iter().find(|diagnostic| diagnostic.severity() == Severity::Error) {
        None => Ok(()),
        Some(anim_ir::Diagnostic { code, message, .. }) => Err(format!("{}: {message}", code.id)),
    }
}

/// Runs a step. Its error or panic is returned with the name of the step.
fn guarded<T>(what: &str, work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let result = panic::catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|payload| Err(format!("PANIC: {}", said(payload.as_ref()))));
    result.map_err(|failure| format!("{what}: {failure}"))
}

fn said(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
}
