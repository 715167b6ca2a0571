//! A file as the page shows it: a GLB, and what is known about the file.

use anim_formats::anim_ir::format::options::Settings;
use anim_formats::anim_ir::{Budget, Clip, Diagnostics, Scene, StateMachine, Topology, UpAxis};
use anim_formats::{AnyDocument, Format, convert};

use crate::convert::advise;
use crate::description::FileInfo;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::page;
use crate::problems::all_problems;
use crate::repairs::Repairs;
use crate::source::Source;
use crate::wording::count;

/// The deviation of baked keys from waves, relative to the range of motion: finer than in files for
/// other programs, since nobody keeps the page.
const TOLERANCE: &str = "0.0001";

/// A file that is shown.
pub struct Model {
    /// The model.
    pub glb: Vec<u8>,
    /// What the page knows about the file.
    pub info: FileInfo,
    /// The axis that points up: `Y` or `Z`.
    pub up: &'static str,
    /// The document and all problems of the file and of each that it is combined with.
    pub parts: Vec<(AnyDocument<'static>, Diagnostics)>,
    /// What the page does not show.
    pub losses: Diagnostics,
}

impl Model {
    /// Makes the model of a scene for GLB. `files` are the names of its files, for messages.
    ///
    /// # Errors
    ///
    /// Returns a [`Failure`] if the scene cannot be written as GLB, or a limit is exceeded.
    pub fn of(
        name: String,
        source: Source,
        files: &[String],
        settings: &Settings,
    ) -> Result<Model, Failure> {
        let Source { mut scene, parts, mut losses, .. } = source;
        let glb: Format = "glb".parse().map_err(|_| Failure::file("GLB is not supported"))?;
        let format = parts.first().map_or(glb, |(document, _)| document.format());
        let summary = summary(format, &scene);
        let up = up_of(&scene);
        let (bytes, machines, lost) = glb_of(&mut scene, glb, settings)?;
        losses.append(lost);
        let (diagnostics, more) = (Vec::new(), Vec::new());
        let names = scene.clips.iter().map(|clip| clip.name.clone());
        let clips = if machines.is_empty() { Vec::new() } else { names.collect() };
        let mut info =
            FileInfo { name, caption: None, summary, diagnostics, more, machines, clips };
        let several = parts.len() > 1;
        let all = parts.into_iter().map(|(document, found)| {
            let found = all_problems(&document, found, Diagnostics::new(), true);
            (document, found)
        });
        let parts: Vec<(AnyDocument<'static>, Diagnostics)> = all.collect();
        for ((document, found), name) in parts.iter().zip(files) {
            info.add_problems(document, found, several.then_some(name.as_str()));
        }
        info.add_losses(&losses);
        Ok(Model { glb: bytes, info, up, parts, losses })
    }

    /// Adds what the repairs of the file could not change, if they changed nothing. Returns a
    /// sentence that says why, or `None` if there is a repaired file to show as well.
    pub fn add_unrepaired(&mut self, repairs: &Repairs) -> Option<String> {
        let has_problems = self.parts.first().is_some_and(|(_, found)| !found.is_empty());
        let why = repairs.nothing(has_problems)?;
        self.info.add_repairs(repairs);
        self.info.more.push(why.clone());
        Some(why)
    }
}

/// Writes a scene as GLB, and describes its states. The page is charged to the budget of the scene.
fn glb_of(
    scene: &mut Scene,
    glb: Format,
    settings: &Settings,
) -> Result<(Vec<u8>, Vec<Machine>, Diagnostics), Failure> {
    let mut settings = settings.clone();
    if settings.get("tolerance").is_none()
        && let Some(option) = Format::option("tolerance")
    {
        // The value is valid.
        let _ = settings.set(option, TOLERANCE);
    }
    let ends: Vec<f32> = scene.clips.iter().map(|clip| clip.end).collect();
    let mut machines = Machine::all(scene);
    let write = |scene: &Scene| convert(scene, glb, &settings, "");
    let is_longer = scene.clips.iter().zip(&ends).any(|(clip, end)| clip.end != *end);
    let written = match write(scene) {
        // What follows the end of the clips may be too much.
        Err(_) if is_longer => {
            machines.iter_mut().for_each(Machine::forget_repeats);
            scene.clips.iter_mut().zip(ends).for_each(|(clip, end)| clip.end = end);
            write(scene)
        }
        written => written,
    };
    let written = written.map_err(|error| Failure::file(advise(&error)))?;
    let bytes = written.value.main;
    let budget = Budget::for_scene(&settings.limits, scene);
    let charged = budget.charge("the page", page::encoded_length(bytes.len()));
    charged.map_err(|error| Failure::file(error.to_string()))?;
    Ok((bytes, machines, written.losses))
}

/// Returns the axis that points up after the conversion to GLB, which turns scenes that are y-down.
fn up_of(scene: &Scene) -> &'static str {
    match scene.guess_up().axis {
        UpAxis::Z => "Z",
        _ => "Y",
    }
}

/// Returns the format and the size of what is shown: `Animated OBJ · 3 joints · 1 clip · 2 s`.
pub fn summary(format: Format, scene: &Scene) -> String {
    let joints = scene.skeletons.iter().map(|skeleton| skeleton.joints.len()).sum::<usize>();
    let machines = scene.machines.iter();
    let states = machines.map(|machine: &StateMachine| machine.states.len()).sum::<usize>();
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
