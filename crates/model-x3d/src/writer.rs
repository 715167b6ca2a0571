//! Writes a [`Graph`] as a file, in either encoding.

mod classic;
mod file;
mod names;
mod xml;

use anim_ir::Diagnostics;

use crate::graph::{Graph, Value};
pub(crate) use names::Names;

/// The encodings in which X3D is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// XML (ISO/IEC 19776-1), as in `.x3d`.
    Xml,
    /// Classic VRML (ISO/IEC 19776-2), as in `.x3dv`.
    Classic,
}

/// The length of a number and of the separator after it. Few numbers are longer.
const NUMBER_BYTES: usize = 12;

impl Graph {
    /// Returns the approximate length of all numbers in the file.
    pub(crate) fn text_size(&self) -> usize {
        let numbers = self.ids().flat_map(|(_, node)| &node.fields).map(|(_, value)| match value {
            Value::Floats(numbers) => numbers.len(),
            Value::Ints(numbers) => numbers.len(),
            _ => 0,
        });
        numbers.fold(0, usize::saturating_add).saturating_mul(NUMBER_BYTES)
    }

    /// Writes the nodes and routes of a graph without prototypes and imports as a file. Names are
    /// made valid and unique, and a name that changes is reported.
    pub fn write(&self, encoding: Encoding, losses: &mut Diagnostics) -> String {
        let names = Names::of(self, losses);
        match encoding {
            Encoding::Xml => xml::write(self, &names),
            Encoding::Classic => classic::write(self, &names),
        }
    }
}
