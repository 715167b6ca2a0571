//! Independent implementations for testing the other crates.
//!
//! This crate does not depend on other crates of the workspace, so it does not share their errors.
//! Each format has a module that evaluates files according to the standards and the project's notes
//! (cited as "reading n" and "the table"). Its `generate` module writes random valid and invalid
//! files, and large files for benchmarks. The same arguments always produce the same bytes.
//!
//! Computations use `f64` and favour obvious correctness over speed. Malformed input and options
//! that do not apply to a format cause panics.

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
    reason = "test code, which may panic"
)]

/// Declares an enum of cases, and a constant `ALL` with all cases in order.
macro_rules! cases {
    ($(#[$of_enum:meta])* $of:vis enum $name:ident { $($(#[$of_case:meta])* $case:ident,)+ }) => {
        $(#[$of_enum])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $of enum $name {
            $($(#[$of_case])* $case,)+
        }

        impl $name {
            $of const ALL: [Self; [$(Self::$case),+].len()] = [$(Self::$case),+];
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

/// Gillius ANM text, with or without a model.
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
    pub mod models;
    pub use self::evaluate::*;
}

/// Playback of clips: events, root motion, layers and state machines.
pub mod play {
    pub mod clip;
    pub mod events;
    pub mod machine;
    pub mod mixer;
    pub mod root_motion;
    mod transform;
    pub use self::transform::{Transform, Wrap};
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

/// Returns a random file with a scene, and the id of its format. There are six kinds of files.
pub fn random_file(kind: usize, seed: u64) -> (&'static str, Vec<u8>) {
    let mut rng = random::Rng::new(seed);
    match kind {
        0 => {
            let dialects = [
                amo::Dialect::Spec,
                amo::Dialect::Lines,
                amo::Dialect::Counted,
                amo::Dialect::Editamo,
            ];
            ("amo", amo::generate::amo(rng.pick(&dialects), seed))
        }
        1 => ("castle", castle::generate::castle(seed).text),
        2 => ("stt", stt::generate::file(&mut rng, &Default::default()).into_bytes()),
        3 => ("bvh", bvh::generate::bvh(&Default::default(), &mut rng).into_bytes()),
        4 => ("tmd", tmd::generate::model(&mut rng, &Default::default())),
        _ => ("tmd-anm", tmd::generate::anm(&mut rng, &Default::default())),
    }
}
