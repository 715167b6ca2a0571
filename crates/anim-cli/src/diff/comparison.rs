//! Compares two files.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use anim_formats::anim_ir::diag::quote;
use anim_formats::anim_ir::diff::{Diff, Options, diff};
use anim_formats::anim_ir::{Bake, Clip, Diagnostics, LimitError, Scene, Value, Wrap};
use anim_formats::codes::NORMALS_FIXED;
use anim_formats::{Format, LoadOptions, Loaded, bake_of, read_images};

use super::report::{Compared, DifferenceReport, FileReport, Report, Unread};
use crate::args::{Aspect, Common, DiffArgs};
use crate::input::{Input, shown_names};
use crate::status::Failure;
use crate::term::{count, thousands};
use anim_viewer::pick;
use anim_viewer::short_names;

/// The number of differences of each kind that are shown without `--all`.
const SHOWN: usize = 10;
/// The maximum number of differences of each kind that are kept with `--all`.
const ALL: usize = 1_000_000;

/// Advice on files converted with `--bake-backwards`.
pub(super) const BAKED: &str = "ping-pong clips of one file have the way back appended in the \
                                other; use --bake-backwards to append it in both";

/// The result of comparing two files, and what was found on reading them.
pub(super) struct Comparison {
    /// The names of the files to show in messages.
    pub(super) names: [String; 2],
    pub(super) found: Diff,
    /// The differences found.
    pub(super) differences: Vec<DifferenceReport>,
    pub(super) same: bool,
    pub(super) facts: [Facts; 2],
    /// Whether a ping-pong clip of one file has the way back appended in the other.
    pub(super) is_baked: bool,
}

/// What was found on reading a file.
#[derive(Clone)]
pub(super) struct Facts {
    pub(super) format: Format,
    /// The number of meshes whose normals were repaired.
    pub(super) repaired: u64,
    unread: Unread,
}

/// A file that was read for a comparison.
pub(super) struct Read {
    pub(super) scene: Scene,
    pub(super) facts: Facts,
    pub(super) diagnostics: Diagnostics,
    /// Whether the only clip is named after the file.
    pub(super) is_unnamed: bool,
}

impl Read {
    pub(super) fn of(
        input: Input<'_>,
        args: &DiffArgs,
        options: &LoadOptions,
    ) -> Result<Read, Failure> {
        let about = |failure: Failure| failure.about(input.shown());
        let Loaded { document, diagnostics, mut scene, mut losses, .. } =
            input.load(options).map_err(about)?;
        if compares(args, Aspect::Materials) {
            let mut files = input.files(options).map_err(about)?;
            losses.append(read_images(&mut scene, files.as_mut()));
        }
        forget_places(&mut scene);
        let facts = Facts {
            format: document.format(),
            repaired: losses.count(&NORMALS_FIXED),
            unread: Unread::of(&diagnostics, &losses),
        };
        let is_unnamed = document.is_named_after_file();
        Ok(Read { scene, facts, diagnostics, is_unnamed })
    }
}

/// Compares all clips of two files, or those given with `--clip`, after [`name_alike`].
pub(super) fn compare(
    inputs: [Input<'_>; 2],
    [mut a, mut b]: [Read; 2],
    args: &DiffArgs,
    common: &Common,
    load_options: &LoadOptions,
) -> Result<Comparison, Failure> {
    if !args.clip.is_empty() {
        let bake = bake_of(&load_options.settings);
        for read in [&mut a, &mut b] {
            keep_clips(&mut read.scene, &args.clip, &bake).map_err(limit)?;
        }
    }
    let scenes = [(&a.scene, &a.facts), (&b.scene, &b.facts)];
    compare_scenes(inputs, scenes, args.clip.is_empty(), args, common)
}

/// Compares two scenes. If they are not `whole`, shapes are compared as they are in the first clip.
pub(super) fn compare_scenes(
    inputs: [Input<'_>; 2],
    [(a, facts_a), (b, facts_b)]: [(&Scene, &Facts); 2],
    whole: bool,
    args: &DiffArgs,
    common: &Common,
) -> Result<Comparison, Failure> {
    let compares = |aspect| compares(args, aspect);
    let options = Options::default()
        .with_motion(compares(Aspect::Motion))
        .with_key_times(!args.ignore_keys)
        .with_whole(whole)
        .with_shapes(compares(Aspect::Shapes))
        .with_materials(compares(Aspect::Materials))
        .with_seconds(args.seconds)
        .with_tolerance(args.tolerance)
        .with_kept(if args.all { ALL } else { SHOWN })
        .with_limits(common.limits());
    let found = diff(a, b, &options).map_err(limit)?;
    let names = <[String; 2]>::try_from(short_names(&shown_names(&inputs)))
        .unwrap_or_else(|_| inputs.map(Input::shown));
    let of = |difference| DifferenceReport::of(difference, &names);
    let facts = [facts_a, facts_b].map(Clone::clone);
    let is_rotated = args.ignore_rotation && found.rotated.is_some();
    let is_whole = found.zero_normals == 0 && facts.iter().all(|of| of.unread.is_empty());
    Ok(Comparison {
        differences: found.differences.iter().map(of).collect(),
        same: (found.is_same() || is_rotated)
            && !is_nothing(&found)
            && facts.iter().all(|of| !of.unread.has_errors())
            && (is_whole || !args.strict),
        is_baked: is_baked(a, b) || is_baked(b, a),
        names,
        found,
        facts,
    })
}

pub(super) fn limit(error: LimitError) -> Failure {
    Failure::file(error.to_string())
}

fn compares(args: &DiffArgs, aspect: Aspect) -> bool {
    args.only.is_empty() || args.only.contains(&aspect)
}

impl Comparison {
    /// Returns the JSON document.
    pub(super) fn report(self, [a, b]: [Input<'_>; 2], args: &DiffArgs) -> Report {
        let Comparison { found, facts: [of_a, of_b], .. } = self;
        let file = |input, of: Facts| FileReport::of(input, of.repaired, of.unread);
        Report {
            schema: "animfmt.diff/2",
            files: [file(a, of_a), file(b, of_b)],
            same: self.same,
            rotated: found.rotated,
            tolerance: args.tolerance,
            seconds: args.seconds,
            compared: Compared::of(&found),
            // A rotation explains all differences.
            differences: if found.rotated.is_some() { Vec::new() } else { self.differences },
            counts: if found.rotated.is_some() { BTreeMap::new() } else { found.counts },
        }
    }

    /// Returns what was found, such as `no differences` or `2 differences`.
    pub(super) fn verdict(&self, args: &DiffArgs) -> String {
        let found = &self.found;
        if let Some(angle) = found.rotated {
            let how = if angle == 180 { "" } else { ", as between y up and z up" };
            return format!("rotated by {angle}° about x{how}; nothing else differs");
        }
        if is_nothing(found) {
            return format!("nothing to compare: neither file has {}", aspects(&args.only));
        }
        match found.counts.values().fold(0_usize, |sum, number| sum.saturating_add(*number)) {
            0 if !found.is_same() => "no differences found".to_owned(),
            0 => "no differences".to_owned(),
            1 => "1 difference".to_owned(),
            many => format!("{} differences", thousands(many)),
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        self.facts.iter().any(|of| of.unread.has_errors())
    }

    /// Returns a line for each file of which parts could not be read, and for normals that have no
    /// direction, which are not compared.
    pub(super) fn not_compared(&self) -> impl Iterator<Item = String> {
        let unread = self.names.iter().zip(&self.facts);
        let zero = Some(self.found.zero_normals).filter(|zero| *zero > 0).map(|zero| {
            let normals = count(zero, "normal that is", "normals that are");
            format!("not compared: {normals} zero in one of the files")
        });
        unread.filter_map(|(name, of)| of.unread.line(name)).chain(zero)
    }
}

/// Removes the names of files from extras: that which a clip without a name is named after, and
/// those of frames. A copy of the file under another name, or with extracted frames, has others.
fn forget_places(scene: &mut Scene) {
    for extras in scene.clips.iter_mut().flat_map(|clip| clip.extras.values_mut()) {
        let Value::Map(entries) = extras else { continue };
        entries.remove("named_after_file");
        let Some(Value::List(frames)) = entries.get_mut("frames") else { continue };
        for frame in frames {
            if let Value::Map(frame) = frame {
                frame.remove("url");
            }
        }
    }
}

/// If both files have a single clip, and one of them is named after its file, gives it the name of
/// the other.
pub(super) fn name_alike([a, b]: &mut [Read; 2]) {
    if b.is_unnamed {
        rename(&mut b.scene.clips, &a.scene.clips);
    } else if a.is_unnamed {
        rename(&mut a.scene.clips, &b.scene.clips);
    }
}

/// Gives a clip the name of another, if both are the only ones.
pub(super) fn rename(clips: &mut [Clip], others: &[Clip]) {
    if let ([clip], [other]) = (clips, others) {
        clip.name.clone_from(&other.name);
    }
}

/// Whether a scene has a ping-pong clip that has the way back appended in the other.
fn is_baked(plain: &Scene, baked: &Scene) -> bool {
    let has_way_back = |clip: &Clip| match clip.extras.get("castle") {
        Some(Value::Map(entries)) => entries.get("baked_backwards") == Some(&Value::Bool(true)),
        _ => false,
    };
    let names: HashSet<&str> = baked
        .clips
        .iter()
        .filter(|clip| has_way_back(clip))
        .map(|clip| clip.name.as_str())
        .collect();
    plain.clips.iter().any(|clip| {
        matches!(clip.wrap, Wrap::PingPong | Wrap::PingPongOnce)
            && names.contains(clip.name.as_str())
    })
}

/// Returns the names of all clips and states.
pub(super) fn names(scene: &Scene) -> Vec<String> {
    scene.playables().into_iter().map(|(name, _)| name.to_owned()).collect()
}

/// Checks that at least one of the files has each of these clips. `known` are the names in both.
pub(super) fn check_names(wanted: &[String], known: Vec<String>) -> Result<(), Failure> {
    let known: BTreeSet<String> = known.into_iter().collect();
    let Some(missing) = wanted.iter().find(|name| !known.contains(*name)) else {
        return Ok(());
    };
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    pick("clip", &known, Some(missing))?;
    // Numbers and parts of names, which select clips elsewhere, would refer to other clips in each
    // file.
    Err(Failure::usage(format!(
        "neither file has a clip named {}; clips are compared by their full names, and all clips \
         with the same name in order",
        quote(missing.as_bytes())
    )))
}

/// Removes all other clips. States become clips.
fn keep_clips(scene: &mut Scene, names: &[String], bake: &Bake) -> Result<(), LimitError> {
    bake_states(scene, bake)?;
    scene.remove_clips(|_, clip| !names.contains(&clip.name));
    Ok(())
}

/// Replaces states by clips.
pub(super) fn bake_states(scene: &mut Scene, bake: &Bake) -> Result<(), LimitError> {
    if !scene.machines.is_empty() {
        *scene = scene.baked(bake)?.value.into_owned();
        scene.machines.clear();
    }
    Ok(())
}

/// Whether neither file has anything that was to be compared.
pub(super) fn is_nothing(found: &Diff) -> bool {
    let Diff { joints, joints_as_nodes, clips, states, events, shapes, materials, .. } = *found;
    let sizes = [joints, joints_as_nodes, clips, states, events, shapes, materials];
    found.is_same() && sizes == [0; 7]
}

/// Lists what is compared: `motion, shapes or materials`.
fn aspects(only: &[Aspect]) -> String {
    let all =
        [(Aspect::Motion, "motion"), (Aspect::Shapes, "shapes"), (Aspect::Materials, "materials")];
    let compared = all.iter().filter(|(aspect, _)| only.is_empty() || only.contains(aspect));
    let names: Vec<&str> = compared.map(|(_, name)| *name).collect();
    match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        names => names.concat(),
    }
}
