//! Converts a scene to a document in the specification's dialect.

mod binding;
mod clips;
mod losses;
mod meshes;

use std::cell::Cell;
use std::collections::HashSet;

use anim_ir::diag::quote;
use anim_ir::encoding::truncate;
use anim_ir::{
    Axes, Bake, Budget, Converted, Diagnostics, EditError, EventIndex, JointRef, LimitError,
    Limits, Scene, require_valid,
};

use crate::codes;
use crate::dialect::Dialect;
use crate::document::{Document, ParseOptions};
use crate::error::FromIrError;
use crate::writer::{SpecText, check_joint_name, check_name};
use binding::Binding;

/// The option that selects the dialect.
pub(crate) const TO_DIALECT: &str = "to-dialect";

anim_ir::options! {
    /// Options for writing a scene.
    pub struct FromIr {
        /// Sampling rate in keys per second; `None` to write the scene's own keys. More keys reduce
        /// the error between keys.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("fps", None,
                "Sampling rate, for targets that cannot store the source's keys exactly. glTF \
                 and X3D keys keep their times unless a rate is given");
        /// The dialect to write; only [`Dialect::Spec`] is supported.
        dialect (with_dialect): Dialect = Dialect::Spec,
            choice(TO_DIALECT, &[Dialect::Spec.name()], Some(Dialect::Spec.name()),
                "Dialect to write");
    }
}

/// Converts a scene to a file in the specification's dialect and reports what the file cannot
/// store.
///
/// The specification binds vertices to joints at the origin: `v' = Σ weight · world(joint) · v`.
/// If a scene binds a joint with another inverse bind matrix B, the joint's keys become
/// `B(parent)⁻¹ · local · B`, which gives the same vertex positions.
///
/// # Errors
///
/// Returns a [`FromIrError`] if the scene is not valid ([`anim_ir::validate`]), exceeds the limits,
/// or is too large to be read back, or if the dialect cannot be written.
pub fn from_ir(
    scene: &Scene,
    options: &FromIr,
) -> Result<Converted<Document<'static>>, FromIrError> {
    if options.dialect != Dialect::Spec {
        return Err(FromIrError::Dialect(options.dialect));
    }
    require_valid(scene)?;
    // The y axis points up, as in glTF and most software that reads such files.
    let budget = Budget::for_scene(&options.limits, scene);
    let keyed = scene.in_keys(Axes::YUp, &Bake::default(), &budget)?;
    let scene = &*keyed.value;
    let mut losses = keyed.losses;
    let binding = Binding::new(scene, &mut losses);
    let mut conversion = Conversion {
        scene,
        rate: options.frames_per_second,
        budget: &budget,
        binding,
        events: EventIndex::of(scene),
        text: SpecText::new(),
        losses,
        paid: Cell::new(Budget::paid_by(scene, &options.limits, PAID_BYTES)),
    };
    conversion.check_size()?;
    conversion.meshes();
    conversion.skeletons();
    for clip in &scene.clips {
        conversion.clip(clip)?;
    }
    conversion.scene_losses();
    let (bytes, losses) = (conversion.text.finish(), conversion.losses);
    // The text is valid, so parsing can only fail because of its size.
    let limits = Limits { input_bytes: usize::MAX, line_bytes: usize::MAX, ..options.limits };
    limits.check_input(bytes.len())?;
    // The scene has already paid for its joints and clips.
    let limits = Limits { memory: Some(usize::MAX), ..limits };
    let options = ParseOptions::default().with_dialect(Some(Dialect::Spec)).with_limits(limits);
    Ok(Converted { value: Document::parse_with(bytes, &options)?.value, losses })
}

/// The memory charged for a vertex or a corner of a mesh: its text, its entry in the document, and
/// the copies made while both are built.
const ITEM_BYTES: usize = 160;

/// The memory for keys that each byte of a scene pays for: a rotation and its time have 20 bytes in
/// a scene, and take 320 until they are written.
const PAID_BYTES: usize = 16;

/// The state of a conversion, with the text written so far.
pub(crate) struct Conversion<'a> {
    pub(crate) scene: &'a Scene,
    /// Sampling rate in keys per second; `None` to write the scene's own keys.
    pub(crate) rate: Option<f64>,
    pub(crate) budget: &'a Budget,
    pub(crate) binding: Binding,
    pub(crate) events: EventIndex<'a>,
    pub(crate) text: SpecText,
    pub(crate) losses: Diagnostics,
    /// The memory for keys that the scene still pays for.
    pub(crate) paid: Cell<usize>,
}

impl Conversion<'_> {
    /// Charges repeated meshes. A mesh is written once per use, so even a small scene can produce a
    /// huge file.
    pub(crate) fn check_size(&self) -> Result<(), LimitError> {
        let mut used = HashSet::new();
        for id in self.scene.nodes.iter().filter_map(|node| node.mesh) {
            let Some(mesh) = self.scene.mesh(id).filter(|_| !used.insert(id)) else { continue };
            let corners = mesh.primitives.iter().map(|part| part.indices.len());
            let items = corners.fold(mesh.positions.len(), usize::saturating_add);
            self.budget.charge("repeated meshes", items.saturating_mul(ITEM_BYTES))?;
        }
        Ok(())
    }

    pub(crate) fn skeletons(&mut self) {
        for (id, skeleton) in self.scene.enumerate_skeletons() {
            self.text.gap();
            let number = |joint| JointRef { skeleton: id, joint };
            for (id, joint) in skeleton.enumerate_joints() {
                let fallback = format!("joint_{}", self.binding.number(number(id)));
                let mut name = self.name_that(&joint.name, check_joint_name);
                // A name may consist of nothing but whitespace.
                if name.is_empty() {
                    name = fallback;
                }
                let parent = joint.parent.map(|parent| self.binding.number(number(parent)));
                self.text.joint(&name, parent);
            }
        }
    }

    /// Writes a line with a keyword and a name.
    pub(crate) fn named(&mut self, keyword: &str, name: &str) {
        let name = self.name(name);
        self.text.named(keyword, &name);
    }

    /// Returns the name in a form that the format can store.
    fn name(&mut self, name: &str) -> String {
        self.name_that(name, check_name)
    }

    /// Returns the name in a form that passes `check`.
    fn name_that(&mut self, name: &str, check: fn(&str) -> Result<(), EditError>) -> String {
        let longest = Limits::default().name_bytes;
        if name.is_empty() || name.len() <= longest && check(name).is_ok() {
            return name.to_owned();
        }
        let words = name.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty());
        let mut clean = words
            .map(|word| word.replacen('#', "_", usize::from(word.starts_with('#'))))
            .collect::<Vec<_>>()
            .join("_");
        truncate(&mut clean, longest - 1);
        if clean.ends_with('\\') {
            clean.push('_');
        }
        let quoted = quote(name.as_bytes());
        self.losses.push(&codes::LOSS_NAME, None, || {
            format!("the name {quoted} is written as {}", quote(clean.as_bytes()))
        });
        clean
    }
}
