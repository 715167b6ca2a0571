//! Repairs.

use anim_formats::anim_ir::{Diagnostics, Severity};
use anim_formats::{AnyDocument, Format, RepairError, repair};

use crate::{assert_printable, settings};

/// Checks that repairs terminate, introduce no errors, change nothing else, and leave nothing to
/// repair.
pub fn exercise(format: Format, bytes: &[u8]) {
    let settings = settings();
    let repaired = match repair(bytes.to_vec(), format, &settings) {
        Ok(repaired) => repaired,
        Err(error) => {
            assert!(!matches!(error, RepairError::Endless), "{error}");
            return assert_printable(&error.to_string());
        }
    };
    let read = |bytes: &[u8]| -> Diagnostics {
        AnyDocument::parse(bytes, format, &settings)
            .expect("repaired files can be read")
            .diagnostics
    };
    let (before, after) = (read(bytes), read(&repaired.bytes));
    for (code, count) in after.counts().iter().filter(|(code, _)| code.severity == Severity::Error)
    {
        assert!(*count <= before.count(code), "repairs introduced {}: {repaired:?}", code.id);
    }
    for (number, round) in repaired.rounds.iter().enumerate() {
        let fixes = round.repairs.iter().filter_map(|found| found.fix.as_ref());
        let (mut expected, mut end) = (Vec::<u8>::new(), 0);
        for fix in fixes {
            expected.extend(&round.before[end..fix.span.start]);
            expected.extend(fix.replacement.as_bytes());
            end = fix.span.end;
        }
        expected.extend(&round.before[end..]);
        assert!(expected == repaired.after(number + 1), "only repairs change the file: {round:?}");
    }
    if repaired.left_out.is_empty() {
        let is_left = after.iter().find(|found| found.fix.is_some());
        assert!(is_left.is_none(), "not repaired: {is_left:?}");
    }
    let again = repair(repaired.bytes, format, &settings).expect("repaired files can be read");
    assert!(again.rounds.is_empty(), "{:?}", again.rounds);
}
