//! The implementation of the format traits.

use anim_ir::format::{Format, FormatInfo, Output, Write};
use anim_ir::{Converted, Scene};

use crate::codes;
use crate::error::FromIrError;
use crate::from_ir::{FromIr, from_ir};

/// Cast (write-only).
#[derive(Clone, Copy, Debug)]
pub struct Cast;

impl Format for Cast {
    const INFO: FormatInfo = FormatInfo::binary("cast", "Cast", &["cast"], codes::ALL);
}

impl Write for Cast {
    const HOLDS_ONE_CLIP: bool = true;
    type FromIr = FromIr;
    type Error = FromIrError;

    fn from_ir(scene: &Scene, options: &FromIr, _: &str) -> Result<Converted<Output>, FromIrError> {
        Ok(from_ir(scene, options)?.map(Output::alone))
    }
}
