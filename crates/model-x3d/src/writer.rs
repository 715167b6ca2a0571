//! Writes a [`Graph`] as a file, in either encoding.

mod classic;
mod file;
mod names;
mod xml;

use anim_ir::Diagnostics;

use crate::graph::Graph;
pub(crate) use names::Names;

/// The encodings in which X3D is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// XML (ISO/IEC 19776-1), as in `.x3d`.
    Xml,
    /// Classic VRML (ISO/IEC 19776-2), as in `.x3dv`.
    Classic,
}

impl Graph {
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
