//! Draws diagrams.

use std::path::Path;

use anim_formats::anim_ir::{ClipId, Limits, Motion, Playable, Scene};
use anim_preview::{DiagramOptions, curves, states, timeline};

use crate::render_arguments::Diagram;
use crate::status::Failure;
use anim_viewer::{pick, pick_playable};

impl Diagram {
    /// Returns the diagram that the name of an output ends with: `walk.curves.svg`.
    pub(super) fn of_name(output: &Path) -> Option<Diagram> {
        let stem = output.file_stem()?.to_str()?.to_lowercase();
        let named = [
            ("curves", Diagram::Curves),
            ("timeline", Diagram::Timeline),
            ("states", Diagram::States),
        ];
        named.into_iter().find(|(name, _)| stem.ends_with(name)).map(|(_, diagram)| diagram)
    }

    /// Returns the diagram that shows the most of a scene, or of one of its clips.
    fn of_content(scene: &Scene, clip: Option<&str>) -> Diagram {
        match scene.clips.len() {
            _ if clip.is_some() => Diagram::Curves,
            _ if !scene.machines.is_empty() => Diagram::States,
            0 | 1 => Diagram::Curves,
            _ => Diagram::Timeline,
        }
    }
}

/// Draws a diagram of a scene as SVG.
pub(super) fn draw(
    scene: &Scene,
    diagram: Option<Diagram>,
    clip: Option<&str>,
    limits: Limits,
) -> Result<Vec<u8>, Failure> {
    let diagram = diagram.unwrap_or_else(|| Diagram::of_content(scene, clip));
    let options = DiagramOptions::default().with_limits(limits);
    if clip.is_some() && diagram != Diagram::Curves {
        return Err(Failure::usage(
            "--clip is for --diagram curves; the timeline and the states are those of the whole \
             file",
        ));
    }
    let drawn = match diagram {
        Diagram::Curves => curves(scene, pick_clip(scene, clip)?, &options),
        Diagram::Timeline => timeline(scene, &options),
        Diagram::States => states(scene, &options),
    };
    match drawn {
        Ok(svg) => Ok(svg.into_bytes()),
        Err(error) => Err(Failure::file(error.to_string())),
    }
}

/// Picks the clip to draw: by its own name, or by that of a state that plays it.
fn pick_clip(scene: &Scene, wanted: Option<&str>) -> Result<ClipId, Failure> {
    match pick_playable(scene, wanted) {
        Ok(Playable::Clip(clip)) => Ok(clip),
        Ok(Playable::State { machine, state }) => {
            match scene.machine(machine).and_then(|machine| machine.motion(state)) {
                Some(Motion::Clip(clip)) => Ok(*clip),
                _ => Err(Failure::usage(
                    "this state plays a sequence of other states, which has no curves of its own; \
                     draw it with --diagram states, or choose one of those that it plays",
                )),
            }
        }
        Ok(_) => Err(Failure::usage("only clips have curves")),
        // The clip of a state may have another name than the state.
        Err(failure) => {
            let names: Vec<&str> = scene.clips.iter().map(|clip| clip.name.as_str()).collect();
            let picked = wanted.and_then(|wanted| pick("clip", &names, Some(wanted)).ok());
            picked.map(ClipId::new).ok_or(failure)
        }
    }
}
