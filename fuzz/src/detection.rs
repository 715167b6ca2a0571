//! Detecting formats.

use anim_formats::anim_ir::Confidence;
use anim_formats::{Format, detect, why_unknown};

use crate::assert_printable;

/// Detects the format of a file without a name, and with every extension.
pub fn exercise(bytes: &[u8]) {
    let unnamed = order(bytes, None);
    for extension in Format::all().flat_map(|format| format.info().extensions) {
        let name = format!("folder/name.{extension}");
        let named = order(bytes, Some(&name));
        // The name only decides between equally likely formats, and adds unlikely ones.
        for (format, confidence) in &unnamed {
            let found = named.iter().find(|(other, _)| other == format);
            assert!(found.is_some_and(|(_, other)| other == confidence), "{format} as {name}");
        }
        for (format, confidence) in &named {
            let is_likely = *confidence > Confidence::Possible;
            assert!(!is_likely || unnamed.iter().any(|(other, _)| other == format), "{format}");
        }
        assert_printable(&why_unknown(bytes, Some(&name)));
    }
    assert_printable(&why_unknown(bytes, None));
}

/// Returns the candidates. Checks that the most likely is first, and that no format is repeated.
fn order(bytes: &[u8], name: Option<&str>) -> Vec<(Format, Confidence)> {
    let found = detect(bytes, name);
    found.iter().for_each(|candidate| assert_printable(&candidate.reason));
    let found: Vec<_> =
        found.into_iter().map(|candidate| (candidate.format, candidate.confidence)).collect();
    assert!(found.is_sorted_by_key(|(_, confidence)| std::cmp::Reverse(*confidence)), "{found:?}");
    for (number, (format, _)) in found.iter().enumerate() {
        assert!(!found[..number].iter().any(|(other, _)| other == format), "{format} twice");
    }
    found
}
