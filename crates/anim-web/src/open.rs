//! Opens a file: its problems, and what can be done with it.

use anim_formats::anim_ir::format::{Context, Verdict};
use anim_formats::{Format, Loaded, scene_of};
use anim_viewer::{Failure, NEEDS_MODEL, Problem, Totals, all_problems, not_kept, summary};
use serde::Serialize;

use crate::answer::answer;
use crate::options::Options;
use crate::session::{Session, name_of, stem_of};

#[derive(Serialize)]
struct Opened {
    name: String,
    format: &'static str,
    title: &'static str,
    dialect: Option<&'static str>,
    summary: String,
    diagnostics: Vec<Problem>,
    /// How many diagnostics are not listed, as sentences.
    more: Vec<String>,
    totals: Totals,
    totals_text: String,
    verdicts: Vec<VerdictReport>,
    /// Whether any problem can be repaired.
    fixable: bool,
    /// The formats that it can be converted to, likeliest first.
    writable: Vec<&'static str>,
    /// The names of its clips or states.
    clips: Vec<String>,
    /// Whether it can be shown.
    shows: bool,
    /// Why not.
    needs: Option<String>,
}

#[derive(Serialize)]
struct VerdictReport {
    judge: &'static str,
    accepts: bool,
    text: String,
}

impl Session {
    /// Checks a file like `animfmt check`, and describes it.
    pub fn open(&mut self, path: &str, options: &str) -> String {
        let opened = Options::read(options).and_then(|options| self.opened(path, &options));
        answer(Some(path), opened)
    }

    fn opened(&self, path: &str, options: &Options) -> Result<Opened, Failure> {
        let load = self.load_options(options)?;
        let (parsed, _) = self.parse(path, &load)?;
        let mut files = self.files.companions(path, &load);
        let (name, settings) = (stem_of(path), &load.settings);
        let mut context = Context { name: &name, files: &mut files, settings };
        let Loaded { document, diagnostics, scene, losses, .. } = scene_of(parsed, &mut context);
        let size = scene.check_size(&settings.limits);
        size.map_err(|error| Failure::file(error.to_string()))?;
        let found = all_problems(&document, diagnostics, losses, true);
        let format = document.format();
        let verdicts = document.verdicts(&found).into_iter();
        let verdict = |Verdict { judge, accepts, text, .. }| VerdictReport { judge, accepts, text };
        let is_alone = format.defines_clips() && options.with.is_empty();
        let needs = is_alone.then(|| NEEDS_MODEL.to_owned());
        let totals = Totals::of(&found);
        Ok(Opened {
            name: name_of(path).to_owned(),
            format: format.id(),
            title: format.title(),
            dialect: document.dialect(),
            summary: summary(format, &scene),
            diagnostics: Problem::of_document(&document, &found, None),
            more: not_kept(&found).map(|(_, line)| line).collect(),
            totals,
            totals_text: totals.to_string(),
            verdicts: verdicts.map(verdict).collect(),
            fixable: found.iter().any(|diagnostic| diagnostic.fix.is_some()),
            writable: targets(),
            clips: scene.playables().into_iter().map(|(name, _)| name.to_owned()).collect(),
            shows: needs.is_none(),
            needs,
        })
    }
}

/// Returns the formats that can be written: GLB, which every program reads, and then the others.
fn targets() -> Vec<&'static str> {
    let ids = Format::writable().map(Format::id);
    let (first, others): (Vec<&str>, Vec<&str>) = ids.partition(|id| *id == "glb");
    first.into_iter().chain(others).collect()
}
