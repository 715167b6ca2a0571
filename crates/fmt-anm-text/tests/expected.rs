//! The fixtures against what `EXPECTED.tsv` says of them, which was written from the format notes
//! and not from the parser.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "tests fail loudly"
)]

use anim_ir::source::locate;
use anim_ir::{Confidence, Severity, Span, listing};
use fmt_anm_text::{Document, ParseError, sniff};
use test_oracle::fixtures::{self, Judgement};

/// `line:column`, where the place is one.
fn place(bytes: &[u8], span: Option<Span>) -> String {
    span.map_or("-".to_owned(), |span| locate(bytes, span.start).to_string())
}

/// What is said of a file, with the places of the worst.
fn judge(bytes: &[u8]) -> Judgement {
    match Document::parse(bytes) {
        Ok(parsed) => {
            let worst = parsed.diagnostics.worst();
            let places = parsed
                .diagnostics
                .iter()
                .filter(|found| Some(found.severity()) == worst)
                .map(|found| place(bytes, found.span))
                .collect();
            Judgement {
                severity: worst.map_or("ok", Severity::name),
                places,
                text: listing(bytes, &parsed.diagnostics),
            }
        }
        Err(error) => {
            Judgement { severity: "refused", places: vec!["-".to_owned()], text: error.to_string() }
        }
    }
}

#[test]
fn every_fixture_is_judged_as_the_notes_say() {
    let seen = fixtures::hold_against_table("anm-text", |_, bytes| judge(bytes));
    assert_eq!(seen, fixtures::all("anm-text", &["anm"], 100).len(), "each fixture has its row");
}

/// One mistake makes one error, where the table says nothing else.
#[test]
fn errors_do_not_come_in_crowds() {
    let several =
        ["A05_no_bones", "A09_plus_alone", "A26_cut_in_keyword", "A26_cut_in_option", "several"];
    let mut seen = 0;
    for (name, bytes) in
        fixtures::all("anm-text", &["anm"], 100).iter().filter(|(name, _)| name.starts_with("err/"))
    {
        let Ok(parsed) = Document::parse(&bytes[..]) else { continue };
        if !several.iter().any(|prefix| name.contains(prefix)) {
            assert_eq!(
                parsed.diagnostics.total(Severity::Error),
                1,
                "{name}\n{}",
                listing(bytes, &parsed.diagnostics)
            );
            seen += 1;
        }
    }
    assert!(seen > 70, "{seen}");
}

/// All that the document says, in one line.
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

/// `EXPECTED.tsv` says in words what stands beside an error.
#[test]
fn what_is_not_wrong_stands() {
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

/// Files that are fine are known by their content.
#[test]
fn good_fixtures_are_detected() {
    for (name, bytes) in fixtures::all("anm-text", &["anm"], 100) {
        let expected = match Document::parse(&bytes[..]) {
            Err(_) => Confidence::No,
            Ok(_) if name.starts_with("ok/") => Confidence::Likely,
            Ok(_) => continue,
        };
        assert_eq!(sniff(&bytes).confidence, expected, "{name}");
    }
}

#[test]
fn refusals_say_why() {
    let refusal = |bytes: &[u8]| Document::parse(bytes).unwrap_err();
    assert_eq!(refusal(b"\xff\xfea\0"), ParseError::Utf16);
    assert_eq!(refusal(b"# nothing\n \t\n"), ParseError::Empty);
    let other = refusal(b"[info]\nas a\nname=b\n");
    assert_eq!(other, ParseError::NotAnmText { known: 1, lines: 3 });
    assert_eq!(
        other.to_string(),
        "the file is something else than ANM text: 1 of 3 lines begin with `as`, `bl`, `ev` or `an`"
    );
}
