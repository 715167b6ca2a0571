//! Scene to document, in the specification's dialect.

mod binding;
mod clips;
mod conversion;
mod losses;
mod meshes;

use anim_ir::{Axes, Bake, Converted, Limits, Scene, require_valid};

use crate::dialect::Dialect;
use crate::document::Document;
use crate::error::FromIrError;
use crate::parser::ParseOptions;
use crate::writer::SpecText;
use binding::Binding;
use conversion::Conversion;

/// The option that names the dialect.
pub(crate) const TO_DIALECT: &str = "to-dialect";

anim_ir::options! {
    /// How to write a scene.
    pub struct FromIr {
        /// Keys per second, instead of the scene's own. What is lost between keys gets smaller with
        /// more of them.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("fps", None,
                "Sampling rate, for targets that cannot store the source's keys exactly");
        /// The dialect to write: only [`Dialect::Spec`] can be.
        dialect (with_dialect): Dialect = Dialect::Spec,
            choice(TO_DIALECT, &[Dialect::Spec.name()], Some(Dialect::Spec.name()),
                "Dialect to write");
    }
}

/// The scene as a file of the specification's dialect; what it cannot say is reported.
///
/// The specification binds vertices to joints at the origin: `v' = Σ weight · world(joint) · v`.
/// Where a scene binds a joint with another inverse bind matrix B, the joint's keys become
/// `B(parent)⁻¹ · local · B`, which moves vertices the same way.
///
/// # Errors
///
/// [`FromIrError`] where the scene is not valid ([`anim_ir::validate`]), sampling makes more than
/// the limits allow, or the dialect cannot be written.
pub fn from_ir(
    scene: &Scene,
    options: &FromIr,
) -> Result<Converted<Document<'static>>, FromIrError> {
    if options.dialect != Dialect::Spec {
        return Err(FromIrError::Dialect(options.dialect));
    }
    require_valid(scene)?;
    // Those of glTF and most else that reads such files: y points up.
    let keyed = scene.in_keys(Axes::YUp, &Bake::default().with_limits(options.limits))?;
    let scene = &*keyed.value;
    let mut losses = keyed.losses;
    let binding = Binding::new(scene, &mut losses);
    let mut conversion = Conversion {
        scene,
        rate: options.frames_per_second,
        limits: &options.limits,
        binding,
        text: SpecText::new(),
        losses,
    };
    conversion.check_size()?;
    conversion.meshes();
    conversion.skeletons();
    for clip in &scene.clips {
        conversion.clip(clip)?;
    }
    conversion.scene_losses();
    let (bytes, losses) = (conversion.text.finish(), conversion.losses);
    // Not larger than the limits allow for reading: the only way to fail.
    let limits = Limits { input_bytes: usize::MAX, line_bytes: usize::MAX, ..options.limits };
    let options = ParseOptions::default().with_dialect(Some(Dialect::Spec)).with_limits(limits);
    Ok(Converted { value: Document::parse_with(bytes, &options)?.value, losses })
}
