//! `cargo xtask test-damage`: truncates files and damages single lines.

use std::path::{Path, PathBuf};

use anim_formats::anim_ir::Diagnostics;
use anim_formats::anim_ir::fix::Wanted;
use anim_formats::{AnyDocument, Format, LoadOptions, Settings, detect, read_file};
use conformance::bad_lines::{BadLine, bad_lines, usual_most};
use conformance::repairs::{Harm, cuts, harm_of_repairs};
use rayon::prelude::*;

use xtask::{Failure, files_below, root, table};

/// The default number of positions at which to damage each file.
const PLACES: usize = 200;
/// The maximum number of repairs to collect per file.
const REPAIRS: usize = 100_000;
const HEADINGS: [&str; 6] = ["file", "format", "truncations", "harmful repairs", "95 %", "worst"];

/// The result for a file.
struct Seen {
    format: &'static str,
    cuts: usize,
    harm: Vec<Harm>,
    lines: Vec<BadLine>,
}

/// Truncates every file in the folders and makes all repairs to the results. Also damages single
/// lines and counts the diagnostics.
pub(crate) fn run(arguments: &[String]) -> Result<bool, Failure> {
    let (places, folders) = match arguments {
        [option, places, folders @ ..] if option == "--places" => (places.parse()?, folders),
        folders => (PLACES, folders),
    };
    let folders: Vec<PathBuf> = if folders.is_empty() {
        vec![root().join("testdata")]
    } else {
        folders.iter().map(PathBuf::from).collect()
    };
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    let (mut harmful, mut all_lines) = (Vec::new(), Vec::new());
    for folder in &folders {
        let files = files_below(folder)?;
        let seen: Vec<Option<Seen>> = files.par_iter().map(|file| look(file, places)).collect();
        for (file, seen) in files.iter().zip(seen) {
            let Some(Seen { format, cuts, harm, lines }) = seen else { continue };
            let name = file.strip_prefix(folder).unwrap_or(file).display().to_string();
            let worst = lines.first().map_or(String::new(), |BadLine { problems, line, text }| {
                format!("{problems} on line {line}: {text}")
            });
            rows.push([
                name.clone(),
                format.to_owned(),
                cuts.to_string(),
                harm.len().to_string(),
                usual_most(&lines).to_string(),
                worst,
            ]);
            harmful.extend(harm.into_iter().map(|Harm { cut, place, code, replacement }| {
                format!("{name} truncated to {cut}: {place}: {code} → {replacement:?}")
            }));
            all_lines.extend(lines);
        }
    }
    print!("{}", table(&rows, [false, false, true, true, true, false]));
    all_lines.sort_unstable_by(|a, b| b.cmp(a));
    println!(
        "\n{} files, {} bad lines: 95 % cause at most {} problems, the worst causes {}; {} harmful \
         repairs",
        rows.len().saturating_sub(1),
        all_lines.len(),
        usual_most(&all_lines),
        all_lines.first().map_or(0, |line| line.problems),
        harmful.len(),
    );
    harmful.iter().for_each(|harm| println!("HARMFUL {harm}"));
    Ok(harmful.is_empty())
}

/// Tests a file. Returns `None` if it matches no format or cannot be read.
fn look(path: &Path, places: usize) -> Option<Seen> {
    let bytes = read_file(path, &LoadOptions::default()).ok()?.bytes;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let format = detect(&bytes, name.as_deref()).first()?.format;
    let read = |bytes: &[u8], wanted: Wanted| problems(bytes, format, wanted);
    read(&bytes, Wanted::Problems)?;
    let cuts = cuts(&bytes, places);
    let harm = harm_of_repairs(&bytes, &cuts, &read);
    let lines = if format.info().is_binary { Vec::new() } else { bad_lines(&bytes, places, &read) };
    Some(Seen { format: format.id(), cuts: cuts.len(), harm, lines })
}

fn problems(bytes: &[u8], format: Format, wanted: Wanted) -> Option<Diagnostics> {
    let mut settings = Settings::default();
    if wanted == Wanted::Repairs {
        settings.limits.fixes = REPAIRS;
    }
    let parsed = AnyDocument::parse(bytes, format, &settings).ok()?;
    (parsed.value.text() == bytes).then_some(parsed.diagnostics)
}
