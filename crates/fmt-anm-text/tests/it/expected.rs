//! Expectations that `EXPECTED.tsv` describes in prose. It was written from the format notes, not
//! from the parser.

use anim_ir::ParseErrorKind;
use fmt_anm_text::Document;
use test_oracle::fixtures;

/// Returns whether an invalid fixture has exactly one error, the default in the table.
pub(crate) fn has_one_error(name: &str) -> bool {
    let several =
        ["A05_no_bones", "A09_plus_alone", "A26_cut_in_keyword", "A26_cut_in_option", "several"];
    name.starts_with("err/") && !several.iter().any(|prefix| name.contains(prefix))
}

/// Returns the complete content of a document on one line.
fn content(folder: &str, name: &str) -> String {
    let bytes = std::fs::read(fixtures::folder("anm-text").join(folder).join(name)).unwrap();
    let document = Document::parse(bytes).unwrap().value;
    let set = |set: fmt_anm_text::Set<'_>| {
        let bones = set.bones().map(|bone| {
            let (children, parent) = (
                if bone.with_children() { "+c" } else { "" },
                if bone.with_parent() { "+p" } else { "" },
            );
            format!("{}{children}{parent}", bone.name())
        });
        let events = set.events().map(|event| format!("{}@{}", event.name(), event.time()));
        let clips =
            set.clips().map(|clip| format!("{}:{}..{}", clip.name(), clip.start(), clip.end()));
        format!(
            "{}({})",
            set.name(),
            bones.chain(events).chain(clips).collect::<Vec<_>>().join(" ")
        )
    };
    document.sets().map(set).collect::<Vec<_>>().join(" ")
}

/// The valid content next to an error, which `EXPECTED.tsv` describes in prose.
#[test]
fn valid_content_next_to_an_error_is_kept() {
    let arm = "Arm(shoulder+c wave_begins@48 lift:0..50 wave:56..100)";
    let head = "Head(neck nod:0..50)";
    let both = format!("{arm} {head}");
    let cases = [
        ("A02_no_set_at_all", ""),
        ("A03_an_before_bl", &both),
        ("A04_bl_after_an", &both),
        ("A05_no_bones", "Arm() Head(neck nod:0..50)"),
        ("A05_nothing_before_as", &format!("Empty() {both}")),
        ("A06_end_before_start", &both),
        ("A09_capitals", &both.replace("+c", "")),
        ("A09_chidren", &both),
        ("A10_only_option", &both),
        ("A11_first_as_misspelt", head),
        ("A11_second_as", "Arm(shoulder+c wave_begins@48 lift:0..50 wave:56..100 nod:0..24)"),
        ("A12_an_five", &both),
        ("A12_as_no_name", head),
        ("A12_as_two_names", &both.replace("Arm", "Left")),
        ("A12_bl_comment", &both),
        ("A12_second_as_no_name", arm),
        ("A16_nul_in_animation", &both.replace("wave_begins@48 ", "")),
        ("A16_nul_in_set", head),
        ("A26_cut_in_time", "Arm(shoulder lift:0..50)"),
        ("several", "Arm(shoulder+c wave_begins@48 lift:0..50) Head(neck nod:0..50)"),
    ];
    for (name, expected) in cases {
        assert_eq!(content("err", &format!("{name}.anm")), expected, "{name}");
    }
}

#[test]
fn fatal_errors_state_the_reason() {
    let refusal = |bytes: &[u8]| Document::parse(bytes).unwrap_err();
    assert_eq!(refusal(b"\xff\xfea\0").kind(), ParseErrorKind::Encoding);
    assert_eq!(
        refusal(b"# nothing\n \t\n").to_string(),
        "the file is empty: at least one animation set is needed"
    );
    let other = refusal(b"[info]\nas a\nname=b\n");
    assert_eq!(other.kind(), ParseErrorKind::Format);
    assert_eq!(
        other.to_string(),
        "the file is not ANM text: 1 of 3 lines start with `as`, `bl`, `ev` or `an`"
    );
}
