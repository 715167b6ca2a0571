//! The implementation of the format traits.

use anim_ir::format::{Format, FormatInfo, Output, Write};
use anim_ir::{Converted, Scene};

use crate::codes;
use crate::error::FromIrError;
use crate::godot::{ToGodot, godot};
use crate::unity::{ToUnity, unity};

/// A state machine for Godot's `AnimationTree` (write-only).
#[derive(Clone, Copy, Debug)]
pub struct Godot;

impl Format for Godot {
    const INFO: FormatInfo =
        FormatInfo::text("godot", "Godot AnimationTree", &["tres"], codes::ALL);
}

impl Write for Godot {
    const NEEDS_STATES: bool = true;
    type FromIr = ToGodot;
    type Error = FromIrError;

    fn from_ir(
        scene: &Scene,
        options: &ToGodot,
        _: &str,
    ) -> Result<Converted<Output>, FromIrError> {
        Ok(godot(scene, options)?.map(|text| Output::alone(text.into_bytes())))
    }
}

/// A Unity Animator Controller (write-only).
#[derive(Clone, Copy, Debug)]
pub struct Unity;

impl Format for Unity {
    const INFO: FormatInfo =
        FormatInfo::text("unity", "Unity Animator Controller", &["controller"], codes::ALL);
}

impl Write for Unity {
    const NEEDS_STATES: bool = true;
    type FromIr = ToUnity;
    type Error = FromIrError;

    fn from_ir(
        scene: &Scene,
        options: &ToUnity,
        stem: &str,
    ) -> Result<Converted<Output>, FromIrError> {
        Ok(unity(scene, options, stem)?.map(|text| Output::alone(text.into_bytes())))
    }
}
