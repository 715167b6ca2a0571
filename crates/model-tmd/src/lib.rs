//! TMD.
