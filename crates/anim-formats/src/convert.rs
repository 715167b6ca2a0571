//! Scenes to files.

use anim_ir::{Converted, Limits, Scene};
use thiserror::Error;

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Target {
    /// glTF 2.0 in one binary file.
    Glb,
    /// glTF 2.0 as JSON and a `.bin` beside it.
    Gltf,
    /// Animated OBJ, in the specification's dialect.
    Amo,
    /// castle-anim-frames, with X3D in it.
    Castle,
    /// TMD ANM.
    TmdAnm,
    /// MindRender STT.
    Stt,
    /// ANM text: the ranges and events of a timeline, without its keys.
    AnmText,
    /// Cast: a clip with its skeleton and its events.
    Cast,
    /// A drawing of states, in Graphviz DOT.
    Dot,
    /// A drawing of states, for Mermaid.
    Mermaid,
}

impl Target {
    /// All targets.
    pub const ALL: [Target; 10] = [
        Target::Glb,
        Target::Gltf,
        Target::Amo,
        Target::Castle,
        Target::TmdAnm,
        Target::Stt,
        Target::AnmText,
        Target::Cast,
        Target::Dot,
        Target::Mermaid,
    ];

    /// Its name: `glb`, `gltf`, `amo`, `castle`, `tmd-anm`, `stt`, `anm-text`, `cast`,
    /// `dot`, `mermaid`.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Glb => "glb",
            Target::Gltf => "gltf",
            Target::Amo => "amo",
            Target::Castle => "castle",
            Target::TmdAnm => "tmd-anm",
            Target::Stt => "stt",
            Target::AnmText => "anm-text",
            Target::Cast => "cast",
            Target::Dot => "dot",
            Target::Mermaid => "mermaid",
        }
    }

    /// Extensions of its files, without a dot; the first one is that of files that are written.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Target::Glb => &["glb"],
            Target::Gltf => &["gltf"],
            Target::Amo => &["amo"],
            Target::Castle => &["castle-anim-frames", "kanim"],
            Target::TmdAnm | Target::AnmText => &["anm"],
            Target::Stt => &["stt"],
            Target::Cast => &["cast"],
            Target::Dot => &["dot", "gv"],
            Target::Mermaid => &["mmd", "mermaid"],
        }
    }

    /// The target of that name.
    pub fn from_name(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|target| target.name() == name)
    }

    /// The targets of files with that extension, without a dot, in upper or lower case: `.anm` is
    /// two.
    pub fn with_extension(extension: &str) -> impl Iterator<Item = Target> {
        let extension = extension.to_ascii_lowercase();
        Target::ALL
            .into_iter()
            .filter(move |target| target.extensions().contains(&extension.as_str()))
    }
}

/// Which way is up in the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// As it is: nothing is turned.
    #[default]
    Keep,
    /// z, which is turned to y by a quarter turn about x where the target has y up.
    Z,
}

/// How to write.
#[derive(Clone, Debug, Default)]
pub struct ConvertOptions {
    /// Which way is up in the scene.
    pub up: Up,
    /// Name of the output file without its extension, which the files beside it get too; `scene`
    /// where empty.
    pub stem: String,
    /// glTF: shows and hides with `KHR_node_visibility` instead of with a scale of 0.
    pub node_visibility: bool,
    /// How TMD ANM is written.
    #[cfg(feature = "tmd")]
    pub tmd: crate::TmdOutput,
    /// What is done to castle-anim-frames before they are written.
    #[cfg(feature = "castle")]
    pub castle: crate::CastleOutput,
    /// STT: how the three angles of a rotation are multiplied; Rz · Ry · Rx where this is `None`.
    pub rotation_order: Option<anim_ir::EulerOrder>,
    /// How far keys made of waves may be from them, as a part of how far a joint moves; a
    /// thousandth where this is `None`.
    pub tolerance: Option<f64>,
    /// Keys (or frames) a second, for targets that cannot say exactly what the scene's keys say.
    pub samples_per_second: Option<f32>,
    /// Bounds on what is made.
    pub limits: Limits,
}

/// A written file and what lies beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// The file itself.
    pub main: Vec<u8>,
    /// Names and contents of files beside it.
    pub companions: Vec<(String, Vec<u8>)>,
}

/// Why nothing was written.
#[derive(Debug, Error)]
pub enum ConvertError {
    /// The scene cannot be glTF.
    #[cfg(feature = "gltf")]
    #[error(transparent)]
    Gltf(#[from] anim_gltf::WriteError),
    /// The scene cannot be Animated OBJ.
    #[cfg(feature = "amo")]
    #[error(transparent)]
    Amo(#[from] fmt_amo::FromIrError),
    /// The scene cannot be castle-anim-frames.
    #[cfg(feature = "castle")]
    #[error(transparent)]
    Castle(#[from] fmt_castle::FromIrError),
    /// A document cannot be written as was asked.
    #[cfg(feature = "castle")]
    #[error(transparent)]
    CastleEdit(#[from] fmt_castle::EditError),
    /// The scene cannot be TMD ANM.
    #[cfg(feature = "tmd")]
    #[error(transparent)]
    TmdAnm(#[from] fmt_tmd_anm::FromIrError),
    /// Files do not fit into one.
    #[cfg(feature = "tmd")]
    #[error(transparent)]
    TmdJoin(#[from] fmt_tmd_anm::JoinError),
    /// A motion does not fit into a file.
    #[cfg(feature = "tmd")]
    #[error(transparent)]
    TmdWrite(#[from] fmt_tmd_anm::WriteError),
    /// The scene cannot be STT.
    #[cfg(feature = "stt")]
    #[error(transparent)]
    Stt(#[from] fmt_stt::FromIrError),
    /// The scene cannot be ANM text.
    #[cfg(feature = "anm-text")]
    #[error(transparent)]
    AnmText(#[from] fmt_anm_text::FromIrError),
    /// The scene cannot be a Cast file.
    #[cfg(feature = "cast")]
    #[error(transparent)]
    Cast(#[from] anim_cast::CastError),
    /// There are no states to draw.
    #[error("there is no state machine to draw; STT files have one")]
    NoMachine,
    /// A file of the format holds one clip.
    #[error("the scene has {} clips, and a file holds one: {}", .0.len(), .0.join(", "))]
    SeveralClips(Vec<String>),
    /// This build does not write the format.
    #[error("this build cannot write {}", .0.name())]
    Unsupported(Target),
}

/// Writes a scene.
///
/// # Errors
///
/// [`ConvertError`] where the target cannot hold the scene at all; what is lost on the way is in
/// the result.
pub fn convert(
    scene: &Scene,
    target: Target,
    options: &ConvertOptions,
) -> Result<Converted<Output>, ConvertError> {
    match target {
        #[cfg(feature = "gltf")]
        Target::Glb => {
            let written = anim_gltf::to_glb(scene, &gltf_options(options))?;
            Ok(alone(written.value, written.losses))
        }
        #[cfg(feature = "gltf")]
        Target::Gltf => {
            let bin_name = format!("{}.bin", stem(options));
            let written = anim_gltf::to_gltf(scene, &gltf_options(options), &bin_name)?;
            let companions = vec![(bin_name, written.value.bin)];
            Ok(Converted {
                value: Output { main: written.value.json, companions },
                losses: written.losses,
            })
        }
        #[cfg(feature = "amo")]
        Target::Amo => {
            let options = fmt_amo::FromIr {
                samples_per_second: options.samples_per_second,
                limits: options.limits,
            };
            let written = fmt_amo::from_ir(scene, &options)?;
            Ok(alone(written.value.to_bytes().into_owned(), written.losses))
        }
        #[cfg(feature = "castle")]
        Target::Castle => {
            let default = fmt_castle::FromIr::default();
            let frames_per_second = options.samples_per_second.unwrap_or(default.frames_per_second);
            let made = fmt_castle::from_ir(
                scene,
                &fmt_castle::FromIr { frames_per_second, limits: options.limits, ..default },
            )?;
            Ok(Converted {
                value: crate::castle_output::finish(&made.value, &options.castle)?,
                losses: made.losses,
            })
        }
        #[cfg(feature = "stt")]
        Target::Stt => {
            let rotation_order = options.rotation_order.unwrap_or(anim_ir::EulerOrder::Zyx);
            let written = fmt_stt::from_ir(
                scene,
                &fmt_stt::FromIr { rotation_order, limits: options.limits },
            )?;
            Ok(alone(written.value.to_bytes().to_owned(), written.losses))
        }
        #[cfg(feature = "anm-text")]
        Target::AnmText => {
            let frames_per_second =
                options.samples_per_second.map_or(fmt_anm_text::FRAMES_PER_SECOND, f64::from);
            let written = fmt_anm_text::from_ir(
                scene,
                &fmt_anm_text::FromIr { frames_per_second, limits: options.limits },
            )?;
            Ok(alone(written.value.to_bytes().to_owned(), written.losses))
        }
        #[cfg(feature = "cast")]
        Target::Cast => {
            check_alone(scene)?;
            let options = anim_cast::CastOptions {
                frames_per_second: options.samples_per_second,
                limits: options.limits,
                ..Default::default()
            };
            let written = anim_cast::to_cast(scene, 0, &options)?;
            Ok(alone(written.value, written.losses))
        }
        Target::Dot => {
            let drawn = crate::diagram::to_dot(scene).ok_or(ConvertError::NoMachine)?;
            Ok(alone(drawn.value, drawn.losses))
        }
        Target::Mermaid => {
            let drawn = crate::diagram::to_mermaid(scene).ok_or(ConvertError::NoMachine)?;
            Ok(alone(drawn.value, drawn.losses))
        }
        #[cfg(feature = "tmd")]
        Target::TmdAnm => {
            if options.tmd.clip.is_none() {
                check_alone(scene)?;
            }
            let crate::TmdOutput { clip, rotation_order, unit, clamp, split } = options.tmd;
            let (frames_per_second, limits) = (options.samples_per_second, options.limits);
            let made = fmt_tmd_anm::from_ir(
                scene,
                &fmt_tmd_anm::FromIr {
                    clip,
                    frames_per_second,
                    rotation_order,
                    unit,
                    clamp,
                    split,
                    limits,
                },
            )?;
            let parts = made.value.iter().map(|written| written.document.to_bytes().to_owned());
            Ok(Converted {
                value: crate::tmd_files::numbered(parts, stem(options)),
                losses: made.losses,
            })
        }
        #[cfg(not(all(
            feature = "amo",
            feature = "anm-text",
            feature = "cast",
            feature = "castle",
            feature = "gltf",
            feature = "stt",
            feature = "tmd"
        )))]
        other => {
            let _ = (scene, options);
            Err(ConvertError::Unsupported(other))
        }
    }
}

/// For files that hold one clip.
#[cfg(any(feature = "cast", feature = "tmd"))]
fn check_alone(scene: &Scene) -> Result<(), ConvertError> {
    let playables = scene.playables();
    let names = || playables.iter().map(|(name, _)| (*name).to_owned()).collect();
    if playables.len() > 1 { Err(ConvertError::SeveralClips(names())) } else { Ok(()) }
}

/// A file with nothing beside it.
fn alone(main: Vec<u8>, losses: anim_ir::Diagnostics) -> Converted<Output> {
    Converted { value: Output { main, companions: Vec::new() }, losses }
}

/// What the files beside the output are called after.
#[cfg(any(feature = "gltf", feature = "tmd"))]
fn stem(options: &ConvertOptions) -> &str {
    if options.stem.is_empty() { "scene" } else { &options.stem }
}

#[cfg(feature = "gltf")]
fn gltf_options(options: &ConvertOptions) -> anim_gltf::WriteOptions {
    let turn = match options.up {
        Up::Keep => anim_ir::Quat::IDENTITY,
        Up::Z => anim_ir::Quat::from_axis_angle(
            anim_ir::Vec3::new(1.0, 0.0, 0.0),
            -std::f64::consts::FRAC_PI_2,
        ),
    };
    let mut written = anim_gltf::WriteOptions::default();
    written.turn = turn;
    written.node_visibility = options.node_visibility;
    written.bake.limits = options.limits;
    written.bake.tolerance = options.tolerance.unwrap_or(written.bake.tolerance);
    written
}
