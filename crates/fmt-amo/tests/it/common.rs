//! What the tests share.

use test_oracle::fixtures;

/// All fixtures as (`ok/spec.amo`, bytes), in order of their names.
pub(crate) fn fixtures() -> Vec<(String, Vec<u8>)> {
    fixtures::all("amo", &["amo", "hnd"], 100)
}
