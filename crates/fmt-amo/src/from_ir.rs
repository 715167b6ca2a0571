//! Scene to document, in the specification's dialect.

mod binding;
mod clips;
mod losses;
mod meshes;

use anim_ir::diag::quote;
use anim_ir::{
    Axes, Bake, Converted, Diagnostics, EditError, JointRef, LimitError, Limits, Mesh, Scene,
    require_valid,
};

use crate::codes;
use crate::dialect::Dialect;
use crate::document::{Document, ParseOptions};
use crate::error::FromIrError;
use crate::writer::{SpecText, check_joint_name, check_name};
use binding::Binding;

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

/// The text in the making.
pub(crate) struct Conversion<'a> {
    pub(crate) scene: &'a Scene,
    /// Keys per second, instead of the scene's own.
    pub(crate) rate: Option<f64>,
    pub(crate) limits: &'a Limits,
    pub(crate) binding: Binding,
    pub(crate) text: SpecText,
    pub(crate) losses: Diagnostics,
}

impl Conversion<'_> {
    /// A mesh is written out wherever it is used: a small scene may ask for very much.
    pub(crate) fn check_size(&self) -> Result<(), LimitError> {
        let size = |mesh: &Mesh| {
            mesh.primitives
                .iter()
                .fold(mesh.positions.len(), |sum, part| sum.saturating_add(part.indices.len()))
        };
        let meshes = self.scene.nodes.iter().filter_map(|node| self.scene.mesh(node.mesh?));
        let found = meshes.fold(0_usize, |sum, mesh| sum.saturating_add(size(mesh)));
        // A corner is a line of some bytes; what was read from a file of the greatest size fits.
        let most = self.limits.samples.saturating_mul(4);
        if found > most {
            Err(LimitError {
                what: "the meshes, counted at each use,",
                unit: "vertices and corners",
                found,
                most,
            })
        } else {
            Ok(())
        }
    }

    pub(crate) fn skeletons(&mut self) {
        for (id, skeleton) in self.scene.enumerate_skeletons() {
            self.text.gap();
            let number = |joint| JointRef { skeleton: id, joint };
            for (id, joint) in skeleton.enumerate_joints() {
                let fallback = format!("joint_{}", self.binding.number(number(id)));
                let name = if joint.name.is_empty() { &fallback } else { &joint.name };
                let name = self.name_that(name, check_joint_name);
                let parent = joint.parent.map(|parent| self.binding.number(number(parent)));
                self.text.joint(&name, parent);
            }
        }
    }

    /// A line of a keyword and a name.
    pub(crate) fn named(&mut self, keyword: &str, name: &str) {
        let name = self.name(name);
        self.text.named(keyword, &name);
    }

    /// The name as the format can hold it.
    fn name(&mut self, name: &str) -> String {
        self.name_that(name, check_name)
    }

    /// The name as a statement can hold it.
    fn name_that(&mut self, name: &str, check: fn(&str) -> Result<(), EditError>) -> String {
        if name.is_empty() || check(name).is_ok() {
            return name.to_owned();
        }
        let words = name.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty());
        let mut clean = words
            .map(|word| word.replacen('#', "_", usize::from(word.starts_with('#'))))
            .collect::<Vec<_>>()
            .join("_");
        if clean.ends_with('\\') {
            clean.push('_');
        }
        let quoted = quote(name.as_bytes());
        self.losses.push(&codes::LOSS_NAME, None, || {
            format!("the name {quoted} becomes {}", quote(clean.as_bytes()))
        });
        clean
    }
}
