//! Expectations that `EXPECTED.tsv` describes in prose: how many errors a mistake causes, and which
//! items are still read.

use anim_ir::ParseErrorKind;
use fmt_stt::Document;
use test_oracle::fixtures;

/// Whether the mistake in a fixture causes a single error. Most mistakes do.
pub(crate) fn has_one_error(name: &str) -> bool {
    let several = ["S13_two_broken_states", "S22_", "S16_two"];
    name.starts_with("err/") && !several.iter().any(|prefix| name.contains(prefix))
}

/// `EXPECTED.tsv` describes in prose which states are read despite an error.
#[test]
fn valid_states_are_kept() {
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
fn rejections_name_the_missing_part() {
    let refusal = |bytes: &[u8]| Document::parse(bytes).unwrap_err();
    for utf16 in [&b"\xff\xfe#\0"[..], b"#\0M\0I\0", b"\0#\0M\0I"] {
        let error = refusal(utf16);
        assert_eq!(error.kind(), ParseErrorKind::Encoding);
        assert_eq!(error.to_string(), "the file looks like UTF-16, which is not supported");
    }
    assert_eq!(
        refusal(b"#MINDRENDER 1.1\n{a}").to_string(),
        "line 2, column 1: expected the number of states, a non-negative integer, found `{a}`"
    );
    assert_eq!(
        refusal(b"#MINDRENDER").to_string(),
        "line 1, column 12: expected the version, found the end of the file"
    );
}
