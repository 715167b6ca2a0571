//! End sites with other spellings, and blocks with unknown keywords.

use anim_ir::fix;
use fmt_bvh::{Document, codes};

/// Returns a file with a block in its only joint.
fn with(block: &str) -> String {
    format!(
        "HIERARCHY\nROOT a\n{{\nOFFSET 0 -4 0\nCHANNELS 0\n{block}\n{{\nOFFSET 0 -9 7\n}}\n}}\n\
         MOTION\nFrames: 0\nFrame Time: 0.1\n"
    )
}

#[test]
fn an_end_site_in_one_word_is_read_and_repaired() {
    for spelling in ["End_Site", "EndSite", "ENDSITE"] {
        let text = with(spelling);
        let parsed = Document::parse(text.as_bytes()).unwrap();
        let offsets: Vec<[f32; 3]> = parsed.value.joints().map(|joint| joint.offset()).collect();
        assert_eq!(offsets, [[0.0, -4.0, 0.0], [0.0, -9.0, 7.0]], "{spelling}");
        assert_eq!(parsed.diagnostics.iter().count(), 1, "{spelling}");
        let fixes = fix::choose(&parsed.diagnostics);
        let fixes = fixes.iter().filter_map(|diagnostic| diagnostic.fix.as_ref());
        assert_eq!(fix::apply(text.as_bytes(), fixes), with("End Site").into_bytes());
    }
}

#[test]
fn the_offset_of_an_unknown_block_is_not_that_of_the_joint() {
    let text = with("Marker");
    let document = Document::parse(text.as_bytes()).unwrap().value;
    let offsets: Vec<[f32; 3]> = document.joints().map(|joint| joint.offset()).collect();
    assert_eq!(offsets, [[0.0, -4.0, 0.0]]);
}

#[test]
fn values_with_commas_are_reported_once() {
    let text = with("End Site").replace("0 -4 0", "0,-4,0");
    let parsed = Document::parse(text.as_bytes()).unwrap();
    let found: Vec<&str> = parsed.diagnostics.iter().map(|found| found.code.id).collect();
    assert_eq!(found, [codes::NUMBER.id]);
}
