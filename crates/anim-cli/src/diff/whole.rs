//! Compares the clips of each file in a folder with those of a single file, such as the one that
//! `convert --merge` made of them.

use std::collections::{BTreeMap, BTreeSet};

use anim_formats::anim_ir::diff::Side;
use anim_formats::anim_ir::{Bake, Clip, Scene, Timeline, TimelineId, merged_name};
use anim_formats::{LoadOptions, bake_of};

use super::comparison::{
    Comparison, Facts, Read, bake_states, compare_scenes, limit, names, rename,
};
use crate::args::{Common, DiffArgs};
use crate::input::Input;
use crate::status::Failure;

/// The single file. Its clips are stored apart from the rest of the scene, because each comparison
/// needs only a few of them. Copying all clips for each file would take quadratic time.
pub(super) struct Whole {
    /// The scene without its clips, and without the timelines that they use.
    rest: Scene,
    clips: Vec<Clip>,
    /// All timelines; those that no clip uses are also in `rest`.
    timelines: Vec<Timeline>,
    /// The indices of the clips with each name.
    by_name: BTreeMap<String, Vec<usize>>,
    /// The names of all clips or states.
    names: Vec<String>,
    is_unnamed: bool,
    facts: Facts,
}

impl Whole {
    pub(super) fn of(read: Read, bake: &Bake) -> Result<Whole, Failure> {
        let Read { scene: mut rest, facts, is_unnamed, .. } = read;
        let names = names(&rest);
        bake_states(&mut rest, bake).map_err(limit)?;
        let (clips, timelines) = (rest.clips.clone(), rest.timelines.clone());
        rest.remove_clips(|_, _| true);
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, clip) in clips.iter().enumerate() {
            by_name.entry(clip.name.clone()).or_default().push(index);
        }
        Ok(Whole { rest, clips, timelines, by_name, names, is_unnamed, facts })
    }

    /// Returns the names of all clips and states.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the scene with only these clips.
    fn with_clips(&self, names: &[String]) -> Scene {
        let mut scene = self.rest.clone();
        let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        let wanted = names.into_iter().filter_map(|name| self.by_name.get(name));
        let wanted: BTreeSet<usize> = wanted.flatten().copied().collect();
        let mut new_ids: BTreeMap<TimelineId, TimelineId> = BTreeMap::new();
        for clip in wanted.into_iter().filter_map(|index| self.clips.get(index)) {
            let timeline = *new_ids.entry(clip.timeline).or_insert_with(|| {
                let id = TimelineId::new(scene.timelines.len());
                scene.timelines.extend(self.timelines.get(clip.timeline.index()).cloned());
                id
            });
            scene.clips.push(Clip { timeline, ..clip.clone() });
        }
        scene
    }
}

/// The comparison of a pair of files.
pub(super) struct Part {
    /// `None` if there are no clips to compare.
    pub(super) comparison: Option<Comparison>,
    /// The names of all clips and states of the pair, except those of the single file.
    pub(super) names: Vec<String>,
}

/// Compares the clips of a file in the folder with those of the single file, which is on the given
/// side.
pub(super) fn compare_part(
    inputs: [Input<'_>; 2],
    (single, whole): (Side, &Whole),
    part: Read,
    args: &DiffArgs,
    common: &Common,
    load_options: &LoadOptions,
) -> Result<Part, Failure> {
    let Read { mut scene, facts, is_unnamed, .. } = part;
    if is_unnamed || whole.is_unnamed {
        rename(&mut scene.clips, &whole.clips);
    }
    name_as_merged(single.other().of(inputs), &mut scene, whole);
    let names = names(&scene);
    let mut wanted = names.clone();
    wanted.retain(|name| args.clip.is_empty() || args.clip.contains(name));
    if wanted.is_empty() {
        return Ok(Part { comparison: None, names });
    }
    bake_states(&mut scene, &bake_of(&load_options.settings)).map_err(limit)?;
    if !args.clip.is_empty() {
        scene.remove_clips(|_, clip| !wanted.contains(&clip.name));
    }
    let whole_scene = whole.with_clips(&wanted);
    let [of_whole, of_part] = [(&whole_scene, &whole.facts), (&scene, &facts)];
    let scenes = match single {
        Side::A => [of_whole, of_part],
        Side::B => [of_part, of_whole],
    };
    let comparison = Some(compare_scenes(inputs, scenes, false, args, common)?);
    Ok(Part { comparison, names })
}

/// Gives the clips of a file the names that `convert --merge` gave them because another file has
/// clips of the same names: those of the file, if the merged file has clips with such names.
fn name_as_merged(file: Input<'_>, scene: &mut Scene, whole: &Whole) {
    let (stem, count) = (file.stem(), scene.clips.len());
    for clip in &mut scene.clips {
        let name = merged_name(&stem, &clip.name, count);
        if whole.by_name.contains_key(&name) {
            clip.name = name;
        }
    }
}
