//! The text in the making: its skeletons and names.

use anim_ir::diag::quote;
use anim_ir::{Diagnostics, JointRef, LimitError, Limits, Mesh, Scene};

use crate::codes;
use crate::from_ir::binding::Binding;
use crate::writer::{SpecText, check_name};

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
                what: "the meshes, each where it is used,",
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
                let name = self.name(if joint.name.is_empty() { &fallback } else { &joint.name });
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
        if name.is_empty() || check_name(name).is_ok() {
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
