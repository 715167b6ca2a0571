//! Expectations that `EXPECTED.tsv` describes in prose. It was written from the format notes, not
//! from the parser.

use anim_ir::ParseErrorKind;
use anim_ir::source::locate;
use fmt_anm_text::Document;
use test_oracle::fixtures;

/// Returns whether an invalid fixture has exactly one error, the default in the table.
pub(crate) fn has_one_error(name: &str) -> bool {
    let several = ["A09_plus_alone", "A26_cut_in_option", "several"];
    name.starts_with("err/") && !several.iter().any(|prefix| name.contains(prefix))
}

/// Returns the complete content of a document on one line.
fn content(folder: &str, name: &str) -> String {
    let bytes = std::fs::read(fixtures::folder("anm-text").join(folder).join(name)).unwrap();
    content_of(&Document::parse(bytes).unwrap().value)
}

fn content_of(document: &Document<'_>) -> String {
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

/// A single bad or missing line that makes other lines of its set look wrong is reported once.
#[test]
fn one_bad_line_is_one_problem() {
    const BEST: &str =
        "as A\nbl a\nev 5 x\nev 8 y\nan 0 9 w\nan 3 7 v\nas B\nbl b\nbl c\nan 0 9 z\n";
    let cases = [
        ("bl a\n", "xbl a\n", "2:1 anm-text-keyword", "A(x@5 y@8 w:0..9 v:3..7) B(b c z:0..9)"),
        ("bl a\n", "", "1:1 anm-text-incomplete", "A() B(b c z:0..9)"),
        ("as B\n", "xas B\n", "7:1 anm-text-keyword", "A(a x@5 y@8 w:0..9 v:3..7)"),
        ("bl a\n", "BL a\n", "2:1 anm-text-keyword", "A(x@5 y@8 w:0..9 v:3..7) B(b c z:0..9)"),
        ("as B\n", "", "7:1 anm-text-order", "A(a x@5 y@8 w:0..9 v:3..7 z:0..9)"),
        ("an 0 9 z\n", "xan 0 9 z\n", "10:1 anm-text-keyword", "A(a x@5 y@8 w:0..9 v:3..7) B(b c)"),
        ("an 0 9 w\n", "an 0,9 w\n", "5:4 anm-text-time", "A(a x@5 y@8 v:3..7) B(b c z:0..9)"),
    ];
    for (line, bad, found, kept) in cases {
        let text = BEST.replacen(line, bad, 1);
        let parsed = Document::parse(text.as_bytes()).unwrap();
        let problems = parsed.diagnostics.iter().map(|problem| {
            let place = locate(text.as_bytes(), problem.span.unwrap().start);
            format!("{}:{} {}", place.line, place.column, problem.code.id)
        });
        assert_eq!(problems.collect::<Vec<_>>(), [found], "{text}");
        assert_eq!(content_of(&parsed.value), kept, "{text}");
    }
    let text = BEST.replacen("as B\n", "", 1);
    let order = Document::parse(text.as_bytes()).unwrap().diagnostics;
    let message = &order.iter().next().unwrap().message;
    assert_eq!(
        message,
        "expected `an` or `as`, found `bl`; 1 more line of the set is out of order"
    );
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
