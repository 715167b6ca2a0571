//! The fixtures against what `EXPECTED.tsv` says of them, which was written from the format notes
//! before there was a parser.
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
use fmt_stt::{Document, ParseError, sniff};
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
        Err(error) => Judgement {
            severity: "refused",
            places: vec![place(bytes, error.span())],
            text: error.to_string(),
        },
    }
}

#[test]
fn every_fixture_is_judged_as_the_notes_say() {
    let seen = fixtures::hold_against_table("stt", |_, bytes| judge(bytes));
    assert!(seen > 200);
}

/// One mistake makes one error, where nothing says otherwise.
#[test]
fn errors_do_not_come_in_crowds() {
    let several = ["S13_two_broken_states", "S22_", "S16_two"];
    let mut seen = 0;
    for (name, bytes) in
        fixtures::all("stt", &["stt"], 200).iter().filter(|(name, _)| name.starts_with("err/"))
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
    assert!(seen > 90, "{seen}");
}

/// `EXPECTED.tsv` says in words which states stand behind an error.
#[test]
fn what_is_not_wrong_stands() {
    let read = |name: &str| {
        let bytes = std::fs::read(fixtures::folder("stt").join("err").join(name)).unwrap();
        let document = Document::parse(bytes).unwrap().value;
        let items = |state: fmt_stt::State<'_>| {
            state.sequence().map_or(state.nodes().len(), |sequence| sequence.keys().len())
        };
        document
            .states()
            .map(|state| format!("{} {}", state.name(), items(state)))
            .collect::<Vec<_>>()
    };
    assert_eq!(read("S04_keys_4294967295.stt"), ["raised 1", "cycle 1"]);
    assert_eq!(read("S04_nodes_4294967295.stt"), ["raised 1", "lowered 1"]);
    assert_eq!(read("S05_nodes_minus_one.stt"), ["lowered 1"]);
    assert_eq!(read("S06_one_key_more_before_a_state.stt"), ["cycle 1", "raised 1"]);
    assert_eq!(read("S08_node_name_without_braces.stt"), ["raised 1", "lowered 1"]);
    assert_eq!(read("S08_unclosed_node_to_end.stt"), ["raised 1", "lowered 0"]);
    assert_eq!(read("S08_unclosed_up_to_next_brace.stt"), ["raised 1", "parked 1"]);
    assert_eq!(read("S11_nul_in_state_name.stt"), ["lowered 1"]);
    assert_eq!(read("S12_two_states_of_one_name.stt"), ["cycle 1", "raised 1", "raised 1"]);
    assert_eq!(read("S13_two_broken_states.stt"), ["lowered 1", "parked 1", "stowed 1"]);
    assert_eq!(read("S15_static_eight_numbers.stt"), ["raised 1", "lowered 1"]);
    assert_eq!(read("S17_channel_type_99.stt"), ["raised 1", "lowered 1"]);
    assert_eq!(read("S17_channel_type_2_0.stt"), ["raised 0", "lowered 1"]);
    assert_eq!(read("S22_exit_2.stt"), ["cycle 2", "raised 1", "lowered 1"]);
}

#[test]
fn refusals_say_what_is_missing() {
    let refusal = |bytes: &[u8]| Document::parse(bytes).unwrap_err();
    assert_eq!(refusal(b"\xff\xfe#\0"), ParseError::Utf16);
    assert_eq!(
        refusal(b"#MINDRENDER 1.1\n{a}").to_string(),
        "line 2, column 1: expected the number of states, an integer from 0 on, found `{a}`"
    );
    assert_eq!(
        refusal(b"#MINDRENDER").to_string(),
        "line 1, column 12: expected the version, found the end of the file"
    );
}

/// Files that are fine are known by their content, and what has no state is not.
#[test]
fn good_fixtures_are_detected() {
    for (name, bytes) in fixtures::all("stt", &["stt"], 200) {
        let expected = match Document::parse(&bytes[..]) {
            Err(_) => Confidence::No,
            Ok(_) if name.starts_with("ok/") => Confidence::Certain,
            Ok(_) => continue,
        };
        assert_eq!(sniff(&bytes).confidence, expected, "{name}");
    }
}
