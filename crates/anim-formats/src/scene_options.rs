//! Options that apply to the scenes of all formats.

use anim_ir::diag::quote;
use anim_ir::{Converted, Diagnostics, Mesh, Normals, NormalsVerdict, Options as _, Scene};
use anim_ir::{Settings, StatedUp, UpAxis};

use crate::codes;
use crate::registry::Format;

anim_ir::options! {
    /// Changes made to a scene after reading, for all formats.
    pub struct SceneOptions {
        /// How to treat normals that disagree with the faces. `None` means [`Normals::Fix`] for
        /// Animated OBJ, since many of its exporters rotated them, and [`Normals::Keep`] for other
        /// formats.
        normals (with_normals): Option<Normals> = None,
            choice("normals", Normals::NAMES, None,
                "Keep the normals, fix them if rotating or mirroring them, or reversing the faces, \
                 corrects nearly all normals of a mesh, or recompute them from the faces [default: \
                 fix for Animated OBJ, otherwise keep]");
    }
}

/// Returns whether any option that changes scenes is set.
pub(crate) fn any_set(settings: &Settings) -> bool {
    SceneOptions::infos().any(|option| settings.get(option.name).is_some())
}

/// Applies the options to a scene. `usual` is the default treatment of normals.
pub(crate) fn apply(
    usual: Normals,
    settings: &Settings,
    mut made: Converted<Scene>,
) -> Converted<Scene> {
    let options: SceneOptions = settings.apply();
    let normals = options.normals.unwrap_or(usual);
    for (mesh, verdict) in made.value.treat_normals(normals) {
        report(made.value.mesh(mesh), verdict, &mut made.losses);
    }
    made
}

/// Reports changed or suspicious normals of a mesh.
fn report(mesh: Option<&Mesh>, verdict: NormalsVerdict, losses: &mut Diagnostics) {
    let name = mesh.map(|mesh| mesh.name.as_bytes()).filter(|name| !name.is_empty());
    let of = name.map_or(String::new(), |name| format!(" of {}", quote(name)));
    let keep = "use --normals keep to prevent this";
    match verdict {
        NormalsVerdict::Turned(turn) => losses.push(&codes::NORMALS_FIXED, None, || {
            format!("the normals{of} were {turn} to agree with the faces; {keep}")
        }),
        NormalsVerdict::FacesReversed => losses.push(&codes::NORMALS_FIXED, None, || {
            format!(
                "the faces{of} were reversed because they faced inwards and the normals outwards; \
                 {keep}"
            )
        }),
        NormalsVerdict::Disagree { against, of: faces } => {
            losses.push(&codes::NORMALS_ODD, None, || {
                let percent = against.saturating_mul(100) / faces.max(1);
                format!(
                    "the normals{of} point away from {percent} % of the faces; \
                     use --normals recompute to replace them"
                )
            });
        }
        _ => {}
    }
}

/// Reports a scene that appears to be z-up (`convert-z-up`) if the output is y-up and is written
/// without the option `up`, or one that the writer rotates with `up` = `auto`
/// (`convert-rotated-up`). Does not rotate the scene.
pub fn note_up(scene: &Scene, format: Format, settings: &Settings) -> Diagnostics {
    let mut losses = Diagnostics::new();
    let turns = format.writing_options().iter().any(|option| option.name == UP);
    if !turns || scene.up == StatedUp::ByFormat {
        return losses;
    }
    let given = settings.get(UP).map(|value| value.text().to_owned());
    if !matches!(given.as_deref(), None | Some("auto")) {
        return losses;
    }
    let guess = scene.guess_up();
    if guess.axis != UpAxis::Z {
        return losses;
    }
    let is_turned = given.is_some() && guess.evidence.decides();
    let reason = guess.reason;
    if is_turned {
        losses.push(&codes::TURNED_UP, None, || format!("rotated from z up to y up ({reason})"));
    } else {
        losses.push(&codes::Z_UP, None, || {
            format!("the scene appears to be z-up ({reason}); use --up z to rotate it")
        });
    }
    losses
}

/// Reports an output without content (`convert-empty`): the scene has neither vertices nor motion,
/// nor anything else that the format holds. A skeleton of bones, a camera or a state machine is
/// content; for a format that only defines clips, so are clips.
pub fn note_empty(scene: &Scene, format: Format) -> Diagnostics {
    let has_content = scene.meshes.iter().any(|mesh| !mesh.positions.is_empty())
        || scene.timelines.iter().any(|timeline| !timeline.tracks().is_empty())
        || scene.skeletons.iter().any(|skeleton| skeleton.bones && !skeleton.joints.is_empty())
        || !scene.cameras.is_empty()
        || !scene.machines.is_empty()
        || (format.defines_clips() && !scene.clips.is_empty());
    let mut losses = Diagnostics::new();
    losses.lost(&codes::EMPTY, !has_content, || {
        "nothing in the input could be converted; the output is empty".to_owned()
    });
    losses
}

/// The name of the option of writers for y-up formats.
const UP: &str = "up";
