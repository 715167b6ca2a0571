//! Merges the scenes of several files with the same skeleton into one.

use std::collections::BTreeSet;

use anim_ir::diag::quote;
use anim_ir::{
    ClipId, Diagnostics, JointRef, MergeChanges, Merged, Player, Pose, Scene, Topology, insert_all,
    merged_name,
};

use crate::codes;
use crate::parts::{
    AssembleError, AssembleOptions, Assembled, Content, Part, bake_of, keep, load_part,
    report_through_scene,
};

/// Merges the clips of all files. Losses are returned for each file.
pub(crate) fn merge(
    parts: Vec<Part<'_>>,
    options: &AssembleOptions,
) -> Result<Assembled, AssembleError> {
    let mut scenes = Vec::with_capacity(parts.len());
    let (mut read, mut losses_of) = (Vec::new(), Vec::new());
    for part in parts {
        let name = part.name.clone();
        let mut loaded = load_part(part, options);
        if loaded.document.format() == options.to {
            report_through_scene(&mut loaded.losses);
        }
        states_to_clips(&mut loaded.scene, options, &mut loaded.losses)?;
        if let Some(name) = options.clip_names.get(scenes.len()) {
            let clips = loaded.scene.clips.len();
            for clip in &mut loaded.scene.clips {
                clip.name = merged_name(name, &clip.name, clips);
            }
        }
        scenes.push((name, loaded.scene));
        read.push((loaded.document, loaded.diagnostics));
        losses_of.push(loaded.losses);
    }
    let Merged { mut scene, meshes_of, changes, .. } = anim_ir::merge(scenes)?;
    for (changes, losses) in changes.iter().zip(&mut losses_of) {
        report(changes, losses);
    }
    keep(&mut scene, options.animation, &options.settings)?;
    let assembled = Assembled::new(Content::Scene(scene.into()), read, Diagnostics::new());
    Ok(Assembled { images_of: meshes_of, losses_of, ..assembled })
}

/// The maximum number of poses times joints that are sampled to find meshes in common.
const MOST_SAMPLES: usize = 1 << 22;

/// Reports if the clips of merged frames show different meshes. Each clip is compared with the
/// first.
pub(crate) fn report_apart(scene: &Scene, losses: &mut Diagnostics) {
    let joints = scene.skeletons.iter().map(|skeleton| skeleton.joints.len());
    let each = joints.fold(scene.nodes.len(), usize::saturating_add);
    let most = MOST_SAMPLES / each.max(1);
    let mut clips = (0..scene.clips.len().min(most)).map(ClipId::new).filter_map(|clip| {
        let name = quote(scene.clip(clip)?.name.as_bytes());
        Some((name, shown_at_start(scene, clip)?))
    });
    let Some((first, shown)) = clips.next() else { return };
    let apart = clips
        .find(|(_, others)| !shown.is_empty() && !others.is_empty() && shown.is_disjoint(others));
    if let Some((other, _)) = apart {
        losses.push(&codes::MERGED_APART, None, || {
            format!(
                "{other} shows none of the meshes that {first} shows; if they are animations of \
                 different models, merge those of each model separately"
            )
        });
    }
}

/// Returns the number of triangles, lines and points of each mesh that is visible at the start of a
/// clip. Meshes that differ in these are never frames of the same model; vertices may be split
/// differently in each frame.
fn shown_at_start(scene: &Scene, clip: ClipId) -> Option<BTreeSet<[usize; 3]>> {
    let timeline = scene.timeline(scene.clip(clip)?.timeline)?;
    let skeleton = scene.skeleton(timeline.skeleton)?;
    let mut pose = Pose::default();
    Player::new(scene, clip)?.pose(&mut pose);
    let visible = pose.effective_visibility(skeleton);
    let is_seen = |joint: JointRef| visible.get(joint.joint.index()).copied().unwrap_or(true);
    let shown = scene.nodes.iter().filter(|node| node.parent.is_none_or(is_seen));
    let meshes = shown.filter_map(|node| scene.mesh(node.mesh?));
    let counts = [Topology::Triangles, Topology::Lines, Topology::Points];
    Some(insert_all(meshes.map(|mesh| counts.map(|topology| mesh.count(topology)))))
}

/// Replaces states with clips, since the states of one file cannot refer to clips of other files.
fn states_to_clips(
    scene: &mut Scene,
    options: &AssembleOptions,
    losses: &mut Diagnostics,
) -> Result<(), AssembleError> {
    if scene.machines.is_empty() {
        return Ok(());
    }
    let baked = scene.baked(&bake_of(&options.settings))?;
    losses.append(baked.losses);
    *scene = baked.value.into_owned();
    scene.machines.clear();
    // The extras describe the states.
    scene.extras.clear();
    losses.push(&codes::MERGED_STATES, None, || {
        "the states become clips, and their transitions are not written".to_owned()
    });
    Ok(())
}

fn report(changes: &MergeChanges, losses: &mut Diagnostics) {
    for [old, new] in &changes.renamed {
        losses.push(&codes::MERGED_NAME, None, || {
            let [old, new] = [old, new].map(|name| quote(name.as_bytes()));
            format!("another file also has a clip named {old}; this one becomes {new}")
        });
    }
    losses.lost(&codes::MERGED_MESHES, changes.has_other_meshes, || {
        "the meshes, materials or cameras differ from those of the file whose meshes are written"
            .to_owned()
    });
    for node in &changes.nodes {
        losses.push(&codes::MERGED_WEIGHTS, None, || {
            let node = quote(node.as_bytes());
            format!("the morph weights of {node} have no counterpart in the merged file")
        });
    }
    for joint in &changes.shown {
        losses.push(&codes::MERGED_VISIBILITY, None, || {
            let joint = quote(joint.as_bytes());
            format!(
                "{joint} is visible at rest in either this file or the first, but not in both, and \
                 some clips of this file show it as in the first"
            )
        });
    }
    losses.lost(&codes::MERGED_EXTRAS, changes.has_other_extras, || {
        "the format-specific data differs from that of the first file".to_owned()
    });
}
