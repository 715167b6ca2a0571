//! Test-only: independent implementations that the other crates are checked against.
//!
//! Nothing here depends on another crate of the workspace, so that an error there is not repeated
//! here. Each format has a module: it evaluates files according to the project's notes and the
//! standards (cited as "reading n" and "the table"), and its `generate` module writes random valid
//! and broken files, and large ones for benchmarks. The same arguments produce the same bytes.
//!
//! All of it computes in `f64` and prefers being obviously correct to being fast. Malformed input
//! panics, and so do options that do not fit a format.

#![allow(missing_docs, reason = "most fields and cases are self-explanatory")]
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

/// Declares an enum of cases, and `ALL` of them in order.
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
