//! A test suite for the guarantees that all format crates make.
//!
//! The `tests/it/main.rs` of a format crate calls [`suite!`] once, with a [`Suite`] that describes
//! the specifics of the format and otherwise uses [`Suite::default`]. The macro expands to one test
//! per guarantee, and to tests with snapshots, which are stored in the format crate. For example:
//!
//! ```text
//! conformance::suite! {
//!     folder: "stt",
//!     subjects: vec![Subject::written::<Stt>()],
//!     also: exercise,
//!     growth: vec![("states", 10_000, generate::states)],
//! }
//! ```
//!
//! By default, a test takes up to about two seconds in a debug build. With `ANIM_SWEEP=1`, each
//! file is truncated at every byte, and several bits are flipped in every byte.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::missing_panics_doc,
    reason = "tests may panic"
)]

pub mod bad_lines;
mod damage;
mod declarations;
mod exercise;
mod fixtures;
pub mod mutations;
pub mod repairs;
mod subject;
mod suite;

pub use subject::{Reading, Subject, hex_listing};
pub use suite::{Growth, Suite, Table};

/// Generates the tests of a format, one per guarantee, at the root of its crate's integration
/// tests. See the [crate documentation](crate) for an example.
#[macro_export]
macro_rules! suite {
    ($($field:ident: $value:expr),+ $(,)?) => {
        fn conformance() -> $crate::Suite {
            #[allow(unused_imports, reason = "used by the fields of the suite")]
            use $crate::{Subject, Table};
            #[allow(clippy::needless_update, reason = "fields may be added to the suite")]
            $crate::Suite { $($field: $value,)+ ..$crate::Suite::default() }
        }

        $crate::promises! {
            options_and_codes_are_declared_well,
            fixtures_are_judged_as_their_table_says,
            fixtures_are_detected,
            fixtures_are_written_as_they_were,
            the_canonical_form_says_the_same,
            inputs_beyond_the_limit_are_refused,
            files_may_be_cut_anywhere,
            any_bit_may_be_flipped,
            repairs_of_cut_files_do_no_harm,
            time_is_linear,
        }

        #[test]
        fn diagnostics_of_every_row() {
            for (name, text) in conformance().diagnostics_of_every_row() {
                insta::assert_snapshot!(name, text);
            }
        }

        #[test]
        fn scenes_of_good_files() {
            for (name, text) in conformance().scenes_of_good_files() {
                insta::assert_snapshot!(name, text);
            }
        }
    };
}

/// Generates the tests that do not use snapshots.
#[doc(hidden)]
#[macro_export]
macro_rules! promises {
    ($($promise:ident,)+) => {
        $(
            #[test]
            fn $promise() {
                conformance().$promise();
            }
        )+
    };
}
