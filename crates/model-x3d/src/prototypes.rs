//! Prototypes: node types that a file declares (ISO/IEC 19775-1, 4.4.4).

mod declare;
mod expand;

pub(crate) use declare::Declarations;
pub(crate) use expand::{Expansion, bare};
