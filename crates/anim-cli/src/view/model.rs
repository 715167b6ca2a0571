//! A file as the page shows it: a GLB, and what is known about the file.

use std::path::Path;

use anim_formats::anim_ir::format::options::Settings;
use anim_formats::anim_ir::{
    Budget, Clip, Diagnostics, Parsed, Scene, StateMachine, Topology, UpAxis,
};
use anim_formats::{AnyDocument, Format, LoadOptions, convert};

use super::description::FileInfo;
use super::machine::Machine;
use super::page;
use crate::args::{Common, ViewArgs, set};
use crate::check::all_problems;
use crate::convert::part;
use crate::input::Input;
use crate::output::Writer;
use crate::places::Places;
use crate::repairs;
use crate::report::DiagnosticReport;
use crate::source::{Request, Source, combine};
use crate::status::Failure;
use crate::tally::Refused;
use crate::term::count;

/// The deviation of baked keys from waves, relative to the range of motion: finer than in files for
/// other programs, since nobody keeps the page.
const TOLERANCE: &str = "0.0001";

/// A file that is shown.
pub(super) struct Model {
    pub(super) glb: Vec<u8>,
    pub(super) info: FileInfo,
    /// The name of the file, as it was given.
    pub(super) given: String,
    pub(super) format: Format,
    /// The formats of the files of `--with`.
    others: Vec<Format>,
    pub(super) up: &'static str,
    pub(super) diagnostics: Diagnostics,
    pub(super) losses: Diagnostics,
    pub(super) reports: Vec<DiagnosticReport>,
    /// Reports of the losses.
    pub(super) lost: Vec<DiagnosticReport>,
}

impl Model {
    /// Reads a file and those of `--with`.
    pub(super) fn read(
        file: &Path,
        args: &ViewArgs,
        common: &Common,
        load: &LoadOptions,
    ) -> Result<Model, Failure> {
        Model::of(file, None, args, common, load)
    }

    /// Reads a file and repairs it, without writing it.
    pub(super) fn repaired(
        file: &Path,
        args: &ViewArgs,
        common: &Common,
        load: &LoadOptions,
    ) -> Result<Model, Failure> {
        let (parsed, repairs) = repairs::make(Input::new(file), load, true)?;
        let mut model = Model::of(file, Some(&parsed), args, common, load)?;
        model.info.caption = Some("after the repairs");
        model.info.add_repairs(&repairs);
        Ok(model)
    }

    fn of(
        file: &Path,
        parsed: Option<&Parsed<AnyDocument<'static>>>,
        args: &ViewArgs,
        common: &Common,
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
        let Source { mut scene, parts, mut losses, .. } =
            combine(&request, common, inputs, parts, load)
                .map_err(|failure| failure.about(input.shown()))?;
        let formats = parts.iter().map(|(_, document, _)| document.format());
        let formats: Vec<Format> = formats.collect();
        let name = match input {
            Input::Stdin => input.shown(),
            Input::File(path, _) => {
                path.file_name().unwrap_or_default().to_string_lossy().into_owned()
            }
        };
        let format = formats.first().copied().unwrap_or(glb);
        let mut info = FileInfo {
            name,
            caption: None,
            summary: summary(format, &scene),
            diagnostics: Vec::new(),
            more: Vec::new(),
            machine: None,
        };
        let up = up_of(&scene);
        let (bytes, machine, lost) = glb_of(&mut scene, glb, &load.settings)?;
        losses.append(lost);
        info.machine = machine;
        let several = parts.len() > 1;
        let (mut diagnostics, mut reports) = (Diagnostics::new(), Vec::new());
        for (input, document, found) in parts {
            let found = all_problems(input, &document, found, Diagnostics::new());
            let name = input.shown();
            info.add_problems(&document, &found, several.then_some(name.as_str()));
            let text = document.text();
            let mut places = Places::new(&text, &document);
            let all = DiagnosticReport::all(&found, &document, &mut places);
            reports.extend(all.into_iter().map(|report| report.in_file(input)));
            diagnostics.append(found);
        }
        info.add_losses(&losses);
        let lost = losses.iter().map(|loss| DiagnosticReport::of(loss, None)).collect();
        Ok(Model {
            glb: bytes,
            info,
            given: input.given().into_owned(),
            format,
            others: formats.into_iter().skip(1).collect(),
            up,
            diagnostics,
            losses,
            reports,
            lost,
        })
    }

    /// Returns the formats of the file and of those it is combined with.
    pub(super) fn formats(&self) -> impl Iterator<Item = Format> {
        self.others.iter().copied().chain([self.format])
    }
}

/// Writes a scene as GLB, and describes its states. The page is charged to the budget of the scene.
fn glb_of(
    scene: &mut Scene,
    glb: Format,
    settings: &Settings,
) -> Result<(Vec<u8>, Option<Machine>, Diagnostics), Failure> {
    let mut settings = settings.clone();
    if settings.get("tolerance").is_none() {
        set(&mut settings, "tolerance", TOLERANCE);
    }
    let ends: Vec<f32> = scene.clips.iter().map(|clip| clip.end).collect();
    let mut machine = Machine::of(scene);
    let write = |scene: &Scene| convert(scene, glb, &settings, "");
    let written = match (write(scene), &mut machine) {
        // What follows the end of the clips may be too much.
        (Err(_), Some(machine)) => {
            machine.forget_repeats();
            scene.clips.iter_mut().zip(ends).for_each(|(clip, end)| clip.end = end);
            write(scene)
        }
        (written, _) => written,
    };
    let written = written.map_err(|error| Failure::file(Writer::advise(&error)))?;
    let bytes = written.value.main;
    let budget = Budget::for_scene(&settings.limits, scene);
    let charged = budget.charge("the page", page::encoded_length(bytes.len()));
    charged.map_err(|error| Failure::file(error.to_string()))?;
    Ok((bytes, machine, written.losses))
}

/// Returns the axis that points up after the conversion to GLB, which turns scenes that are y-down.
fn up_of(scene: &Scene) -> &'static str {
    match scene.guess_up().axis {
        UpAxis::Z => "Z",
        _ => "Y",
    }
}

/// Returns the format and the size of what is shown.
fn summary(format: Format, scene: &Scene) -> String {
    let joints = scene.skeletons.iter().map(|skeleton| skeleton.joints.len()).sum::<usize>();
    let states = scene.machines.first().map_or(0, |machine: &StateMachine| machine.states.len());
    let clips = if states > 0 { 0 } else { scene.clips.len() };
    let longest = scene.clips.iter().map(Clip::duration).fold(0.0, f64::max);
    let triangles = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let triangles = triangles.filter(|part| part.topology == Topology::Triangles);
    let triangles = triangles.map(|part| part.indices.len() / 3).fold(0, usize::saturating_add);
    let counted = [
        (joints, "joint", "joints"),
        (clips, "clip", "clips"),
        (states, "state", "states"),
        (triangles, "triangle", "triangles"),
    ];
    let mut parts = vec![format.title().to_owned()];
    parts.extend(
        counted
            .into_iter()
            .filter(|(found, ..)| *found > 0)
            .map(|(n, one, all)| count(n, one, all)),
    );
    if clips > 0 && longest > 0.0 {
        parts.push(anim_formats::anim_ir::diag::seconds(longest));
    }
    parts.join(" · ")
}
