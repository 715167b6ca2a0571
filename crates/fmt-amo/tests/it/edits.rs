//! Edits change only their own tokens in every dialect, and the result can be read back.

use fmt_amo::{Animation, Document, EditError, KeyValue};

use crate::fixtures;

/// The number of lines that differ between `a` and `b`.
fn changed_lines(a: &[u8], b: &[u8]) -> usize {
    let [a, b] = [a, b].map(|text| text.split(|byte| *byte == b'\n').collect::<Vec<_>>());
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).filter(|(a, b)| a != b).count()
}

fn read(bytes: &[u8]) -> Document<'_> {
    Document::parse(bytes).unwrap().value
}

fn good_files() -> impl Iterator<Item = (String, Vec<u8>)> {
    // Files with lone carriage returns are excluded, since the test does not count them as line
    // breaks.
    fixtures().into_iter().filter(|(name, _)| name.starts_with("ok/") && !name.contains("cr."))
}

#[test]
fn a_changed_key_changes_only_its_line() {
    let mut edited = 0;
    for (name, bytes) in good_files() {
        let original = read(&bytes);
        for (number, animation) in original.animations().iter().enumerate() {
            for (at, key) in animation.keys.iter().enumerate().take(20) {
                let mut document = original.clone();
                let value = match key.value {
                    KeyValue::Position(_) => KeyValue::Position([0.125, -2.5, 1e-7]),
                    KeyValue::Rotation(_) => KeyValue::Rotation([0.5, -0.5, 0.5, 0.25]),
                };
                document.set_key(number, at, value).unwrap();
                let written = document.to_bytes().into_owned();
                let changed = changed_lines(&bytes, &written);
                assert_eq!(changed, 1, "{name}, animation {number}, key {at}");
                let again = read(&written);
                assert_eq!(again.animations()[number].keys[at].value, value, "{name}");
                // Offsets are excluded, since they change if the new text is longer.
                let keys = |animation: &Animation| -> Vec<_> {
                    animation.keys.iter().map(|key| (key.joint, key.time, key.value)).collect()
                };
                let others = |document: &Document<'_>| -> Vec<_> {
                    let mut animations = document.animations().to_vec();
                    animations[number].keys[at].value = value;
                    animations.iter().map(keys).collect()
                };
                assert_eq!(others(&again), others(&original), "{name}");
                // A later edit of the same key replaces the earlier one.
                document.set_key(number, at, key.value).unwrap();
                document.set_key(number, at, value).unwrap();
                assert_eq!(document.to_bytes(), written);
                edited += 1;
            }
        }
    }
    assert!(edited > 300, "{edited}");
}

#[test]
fn times_and_names() {
    let mut renamed = 0;
    for (name, bytes) in good_files() {
        let original = read(&bytes);
        for number in 0..original.animations().len() {
            let mut document = original.clone();
            let name_in = |document: &Document<'_>| {
                read(&document.to_bytes()).animations()[number].name.clone()
            };
            if let Err(error) = document.rename_animation(number, "new Name.01x") {
                let animation = &original.animations()[number];
                let is_nameless = animation.span.is_none() || animation.name.is_empty();
                assert!(is_nameless, "{name}: {error}");
                continue;
            }
            assert_eq!(changed_lines(&bytes, &document.to_bytes()), 1, "{name}");
            assert_eq!(name_in(&document), "new Name.01x", "{name}");
            document.rename_animation(number, "again").unwrap();
            assert_eq!(name_in(&document), "again", "{name}");
            renamed += 1;
        }
        for number in 0..original.joints().len() {
            let mut document = original.clone();
            if document.rename_joint(number, "Käse").is_ok() {
                assert_eq!(changed_lines(&bytes, &document.to_bytes()), 1, "{name}");
                let bytes = document.to_bytes();
                assert_eq!(read(&bytes).joints()[number].name, "Käse", "{name}");
                renamed += 1;
            }
        }
    }
    assert!(renamed > 60, "{renamed}");

    let text = "ao x\nv 0 0 0\nj root -1\na walk\nap 0 1 0 0 0\n\tar  0.5   1 0 0 0 1 # stay\n";
    let mut document = read(text.as_bytes());
    document.set_key_time(0, 1, 0.75).unwrap();
    assert_eq!(document.to_bytes(), text.replace("0.5", "0.75").as_bytes());
}

#[test]
fn invalid_edits_are_refused() {
    let mut document = read(b"ao x\nv 0 0 0\nj root -1\na walk\nap 0 1 0 0 0\n");
    let before = document.to_bytes().into_owned();
    let other = "key 0 is of the other type: positions and rotations are not interchangeable";
    for (key, value, expected) in [
        (9, KeyValue::Position([0.0; 3]), EditError::Missing { what: "key", index: 9 }),
        (0, KeyValue::Rotation([0.0; 4]), EditError::refused(other)),
        (0, KeyValue::Position([f32::NAN; 3]), EditError::NotFinite("the value")),
    ] {
        assert_eq!(document.set_key(0, key, value), Err(expected));
    }
    assert_eq!(document.set_key_time(0, 0, f32::INFINITY), Err(EditError::NotFinite("the time")));
    for name in ["", " x", "a\nb", "a #b", "b\\", "#"] {
        let renamed = document.rename_animation(0, name);
        assert!(matches!(renamed, Err(EditError::Text { .. })), "{name:?}");
    }
    assert_eq!(document.to_bytes(), before);
    let mut grouped = read(b"ao x\nv 0 0 0\nj root -1\na walk\nk 1\nap 1 0 0 0\n");
    let shared = EditError::refused("key 0 shares its time with other keys in this dialect");
    assert_eq!(grouped.set_key_time(0, 0, 2.0), Err(shared));
    let mut latin1 = read(b"ao x\xe9\nv 0 0 0\na walk\n");
    assert_eq!(latin1.rename_animation(0, "日本"), Err(EditError::beyond_latin1("日本")));
    latin1.rename_animation(0, "é").unwrap();
    assert_eq!(latin1.to_bytes(), b"ao x\xe9\nv 0 0 0\na \xe9\n".as_slice());
}

/// Counted files may have keys on `ap` and `ar` lines instead of rows.
#[test]
fn keys_of_counted_files_may_have_keywords() {
    let text = "ao x\nv 1\n0 0 0\nj 1\nr -1\na 1\nan turn 500 1\nk 0 1\nar 1 1 0 0 0\n";
    let mut document = read(text.as_bytes());
    assert_eq!(document.dialect(), fmt_amo::Dialect::Counted);
    document.set_key(0, 0, KeyValue::Rotation([0.0, 0.0, 0.5, 0.25])).unwrap();
    assert_eq!(document.to_bytes(), text.replace("ar 1 1 0 0 0", "ar 1 0.25 0 0 0.5").as_bytes());
}

/// In a row of a block, a name is the first word. If the row is incomplete, a keyword ends the
/// block.
#[test]
fn names_that_are_keywords_are_refused_in_broken_rows() {
    let text = "ao x\nv 1\n0 0 0\nj 1\nroot 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\na 1\nan turn 500 1\n\
                k 0 1\n1 0 0 0 1 0 0 0\n";
    let mut document = read(text.as_bytes());
    let why = "the name would be read as something else at this position";
    assert_eq!(document.rename_joint(0, "a"), Err(EditError::refused(why)));
    assert_eq!(document.to_bytes(), text.as_bytes());
}
