//! Test-only: what the other crates are checked against.
//!
//! Nothing here depends on another crate of the workspace, so that a mistake made there is not made
//! here as well. A format is a module: what stands in it evaluates files by the project's notes and
//! the standards (cited as "reading n" and "the table"), and its `generate` writes random files,
//! well-formed and broken ones, and big ones for measurements: the same bytes for the same
//! arguments.
//!
//! All of it computes in `f64` and prefers being obviously right to being fast. Input that is not
//! well-formed panics, and so do options that do not fit a format.

#![allow(missing_docs, reason = "the names of most fields and cases say what they are")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "test code, which should fail loudly"
)]

/// An enum of cases, and `ALL` of them in order.
macro_rules! cases {
    ($(#[$of_enum:meta])* pub enum $name:ident { $($(#[$of_case:meta])* $case:ident,)+ }) => {
        $(#[$of_enum])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$of_case])* $case,)+
        }

        impl $name {
            pub const ALL: [Self; [$(Self::$case),+].len()] = [$(Self::$case),+];
        }
    };
}

pub mod compare;
pub mod fixtures;
pub mod glb;
pub mod growth;
pub mod math;
pub mod random;

/// Animated OBJ (`.amo`).
pub mod amo {
    mod evaluate;
    pub mod generate;
    pub use self::evaluate::{read::*, *};
}

/// Gillius ANM text, alone and with a model.
pub mod anm_text {
    mod evaluate;
    pub mod generate;
    pub use self::evaluate::*;
}

/// Biovision hierarchies (`.bvh`).
pub mod bvh {
    mod evaluate;
    pub mod generate;
    pub use self::evaluate::*;
}

/// castle-anim-frames with its X3D and VRML frames.
pub mod castle {
    mod evaluate;
    pub mod generate;
    pub use self::evaluate::*;
}

/// State transition tables (`.stt`).
pub mod stt {
    mod evaluate;
    pub mod generate;
    pub use self::evaluate::{parse::*, play::*, pose::*, *};
}

/// The PlayStation files ANM, ANC and TMD.
pub mod tmd {
    mod evaluate;
    pub mod generate;
    pub use self::evaluate::{anc::*, anm::*, model::*, *};
}
