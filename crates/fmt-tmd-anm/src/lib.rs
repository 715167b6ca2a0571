//! TMD ANM.
