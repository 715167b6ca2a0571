//! Edits change only the tokens they target and preserve every other byte.

use fmt_stt::{
    Behaviour, Channel, ChannelType, Document, EditError, NewKey, NewMotion, NewNode, NewSequence,
    NewState, Part, SequenceType, Step,
};
use test_oracle::fixtures;

const FILE: &str = "#MINDRENDER 1.1 3
{tour}KEYFRAME 2 1 {up} 1 .5 1e0 0 0 {up}
0 2 2 1 1{down}   {up} SINGLE 1 {arm} STATIC 1.50 2 3  0 0 0\t0 45 0
{down} SINGLE 1 {arm}
DYNAMIC 0 0 0 1 0 0 2.00 0 3 0 0 0 0 0 0 0 0 8 0 0 0 0 90 0 4 .5 7
";

fn document() -> Document<'static> {
    let parsed = Document::parse(FILE.as_bytes()).unwrap();
    assert!(parsed.diagnostics.is_empty());
    parsed.value.into_owned()
}

/// Applies an edit and returns the new text, after checking that reparsing it yields the same
/// document.
fn edited(edit: impl FnOnce(&mut Document<'static>) -> Result<(), EditError>) -> String {
    let mut document = document();
    edit(&mut document).unwrap();
    let again = Document::parse(document.to_bytes()).unwrap();
    assert_eq!(again.value.data(), document.data());
    assert_eq!(again.value, document, "including spans");
    String::from_utf8(document.to_bytes().to_vec()).unwrap()
}

/// Asserts that the edit replaces one unique part of the file and nothing else.
#[track_caller]
fn changes(
    edit: impl FnOnce(&mut Document<'static>) -> Result<(), EditError>,
    old: &str,
    new: &str,
) {
    assert_eq!(edited(edit), with(old, new));
}

/// Returns the file with one part replaced.
fn with(old: &str, new: &str) -> String {
    assert_eq!(FILE.matches(old).count(), 1, "{old}");
    FILE.replace(old, new)
}

fn empty() -> NewState {
    NewState { name: "new".to_owned(), motion: NewMotion::Single(Vec::new()) }
}

#[test]
fn edits_replace_only_numbers_that_change() {
    let vector = |part, value| edited(|file| file.set_vector(1, 0, part, value));
    let moved = vector(Part::Displacement, [1.5, 2.0, -0.125]);
    assert_eq!(moved, with("1.50 2 3", "1.50 2 -0.125000"));
    assert_eq!(vector(Part::Orientation, [0.0, 1e-7, 0.0]), with("0 45 0", "0 1e-7 0"));
    assert_eq!(vector(Part::Translation, [0.0; 3]), FILE);
    let kind = ChannelType::PingPongForwards;
    let old = Channel { end: [1.0, 0.0, 0.0], period: 2.0, kind, ..Channel::still([0.0; 3]) };
    let channel = |value| edited(|file| file.set_channel(2, 0, Part::Displacement, value));
    assert_eq!(channel(Channel { kind: ChannelType::Sine, ..old }), with("2.00 0 3", "2.00 0 7"));
    let later = channel(Channel { period: 3.0, offset: -1.0, ..old });
    assert_eq!(later, with("2.00 0 3", "3.000000 -1.000000 3"));
    let (end, kind) = ([0.0, 90.0, 0.0], ChannelType::Delta);
    let orientation = Channel { start: [0.0; 3], end, period: 4.0, offset: 0.5, kind };
    changes(|file| file.set_channel(2, 0, Part::Orientation, orientation), "4 .5 7", "4 .5 9");
}

#[test]
fn keys() {
    let step = |seconds, morph| Step { seconds, morph };
    changes(|file| file.set_exit(0, 0, false), "1 .5 1e0", "0 .5 1e0");
    changes(|file| file.set_exit(0, 1, true), "0 2 2", "1 2 2");
    changes(|file| file.set_forward(0, 0, step(0.5, true)), "1e0 0 0", "1e0 1 0");
    changes(|file| file.set_backward(0, 1, step(2.5, false)), "2 2 1 1", "2 2.500000 1 0");
    let kind = SequenceType::PingPongForwards;
    changes(|file| file.set_sequence_type(0, kind), "KEYFRAME 2 1", "KEYFRAME 2 3");
    changes(|file| file.set_key_state(0, 1, "up"), "1{down}", "1{up}");
    changes(|file| file.set_start(0, "down"), "1 {up} 1", "1 {down} 1");
}

#[test]
fn renaming_updates_references() {
    let renamed = FILE.replace("{up}", "{hoch é}");
    assert_eq!(renamed.matches("{hoch é}").count(), 3);
    assert_eq!(edited(|file| file.rename_state(1, "hoch é")), renamed);
    changes(|file| file.rename_state(0, ""), "{tour}", "{}");
    let mut document = document();
    assert_eq!(document.rename_node("arm", "left arm"), Ok(2));
    assert_eq!(document.to_bytes(), FILE.replace("{arm}", "{left arm}").as_bytes());
    assert_eq!(document.rename_node("Arm", "x"), Ok(0));
    assert_eq!(
        document.rename_state(1, "down"),
        Err(EditError::Taken { what: "state", name: "`down`".to_owned() })
    );
    let refused = document.rename_state(1, "a}b").unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the name `a}b` cannot be written: it must be at most 4096 bytes long, \
         without braces, line breaks or NULs"
    );
}

/// Keys refer to the first of two states with the same name.
#[test]
fn renaming_a_duplicate_state_keeps_references_to_the_first() {
    let text = "#MINDRENDER 1.1 3 {a} SINGLE 0 {a} SINGLE 0 {k} KEYFRAME 1 0 {a} 1 1 1 0 0 {a}";
    let mut document = Document::parse(text.as_bytes()).unwrap().value;
    document.rename_state(1, "b").unwrap();
    assert_eq!(document.to_bytes(), text.replacen("0 {a} S", "0 {b} S", 1).as_bytes());
    document.rename_state(0, "c").unwrap();
    assert_eq!(
        &*document.to_bytes(),
        b"#MINDRENDER 1.1 3 {c} SINGLE 0 {b} SINGLE 0 {k} KEYFRAME 1 0 {c} 1 1 1 0 0 {c}"
    );
}

#[test]
fn states_are_inserted_removed_and_replaced() {
    let counted = |text: String, count: &str| text.replace("1.1 3", count);
    let removed = with("{up} SINGLE 1 {arm} STATIC 1.50 2 3  0 0 0\t0 45 0\n", "");
    assert_eq!(edited(|file| file.remove_state(1)), counted(removed, "1.1 2"));
    let last = FILE.split_once("{down} S").unwrap().0;
    assert_eq!(edited(|file| file.remove_state(2)), counted(last.to_owned(), "1.1 2"));
    let empty = empty();
    let inserted = with("{up} SINGLE", "{new}\nSINGLE\n0\n{up} SINGLE");
    assert_eq!(edited(|file| file.insert_state(1, &empty)), counted(inserted, "1.1 4"));
    let end = format!("{}\n{{new}}\nSINGLE\n0\n", FILE.trim_end());
    assert_eq!(edited(|file| file.insert_state(3, &empty)), counted(end, "1.1 4"));
    let up = "{up} SINGLE 1 {arm} STATIC 1.50 2 3  0 0 0\t0 45 0";
    changes(|file| file.replace_state(1, &empty), up, "{new}\nSINGLE\n0");
    let mut document = document();
    for state in [2, 1, 0] {
        document.remove_state(state).unwrap();
    }
    assert_eq!(&*document.to_bytes(), b"#MINDRENDER 1.1 0\n");
    document.insert_state(0, &empty).unwrap();
    assert_eq!(&*document.to_bytes(), b"#MINDRENDER 1.1 1\n{new}\nSINGLE\n0\n");
}

/// Inserting a state resolves the keys that name it; removing it leaves them without a state.
#[test]
fn references_follow() {
    let mut document = document();
    let meant = |document: &Document<'_>| {
        let sequence = document.state(0).unwrap().sequence().unwrap();
        sequence.keys().map(|key| key.state()).collect::<Vec<_>>()
    };
    assert_eq!(meant(&document), [Some(1), Some(2)]);
    let up = document.state(1).unwrap().data();
    document.remove_state(1).unwrap();
    assert_eq!(meant(&document), [None, Some(1)]);
    document.insert_state(2, &up).unwrap();
    assert_eq!(meant(&document), [Some(2), Some(1)]);
}

#[test]
fn invalid_edits_are_rejected() {
    let mut document = document();
    let missing = |what, index| Err(EditError::Missing { what, index });
    assert_eq!(document.set_vector(2, 0, Part::Displacement, [0.0; 3]), missing("STATIC node", 0));
    assert_eq!(document.set_vector(1, 1, Part::Displacement, [0.0; 3]), missing("node", 1));
    assert_eq!(document.set_vector(0, 0, Part::Displacement, [0.0; 3]), missing("SINGLE state", 0));
    assert_eq!(
        document.set_channel(1, 0, Part::Displacement, Channel::still([0.0; 3])),
        missing("DYNAMIC node", 0)
    );
    assert_eq!(document.set_exit(0, 2, true), missing("key", 2));
    assert_eq!(document.set_start(1, "x"), missing("KEYFRAME state", 1));
    assert_eq!(document.remove_state(3), missing("state", 3));
    assert_eq!(
        document.set_vector(1, 0, Part::Displacement, [9.0, f32::NAN, 0.0]),
        Err(EditError::NotFinite("a number"))
    );
    assert_eq!(document.to_bytes(), FILE.as_bytes(), "failed edits change nothing");
}

/// A Latin-1 file stays Latin-1.
#[test]
fn other_encodings() {
    let mut document = Document::parse(&b"#MINDRENDER 1.1 1 {lev\xe9} SINGLE 0"[..]).unwrap().value;
    assert_eq!(document.state(0).unwrap().name(), "lev\u{e9}");
    document.rename_state(0, "abaiss\u{e9}").unwrap();
    assert_eq!(&*document.to_bytes(), b"#MINDRENDER 1.1 1 {abaiss\xe9} SINGLE 0");
    assert_eq!(
        document.rename_state(0, "クレーン").unwrap_err().to_string(),
        "the name `クレーン` cannot be written: the file is not UTF-8, and Latin-1 cannot represent \
         every character"
    );
    // `Ã©` in Latin-1 is `é` in UTF-8.
    let before = document.clone();
    assert!(document.rename_state(0, "Ã©").unwrap_err().to_string().contains("become valid UTF-8"));
    assert_eq!(document, before);
}

/// Editing a broken file leaves the rest of it unchanged.
#[test]
fn broken_files_can_be_edited() {
    for (name, bytes) in fixtures::all("stt", &["stt"], 200) {
        let Ok(parsed) = Document::parse(&bytes[..]) else { continue };
        for state in 0..parsed.value.states().len() {
            let mut document = parsed.value.clone();
            document.insert_state(state, &empty()).unwrap();
            assert_eq!(document.state(state).unwrap().name(), "new", "{name}");
            document.remove_state(state).unwrap();
            assert_eq!(document.data(), parsed.value.data(), "{name}");
        }
    }
}

/// Builds the example file of `docs/stt.md`.
#[test]
fn a_new_file() {
    let (start, end, kind) = ([0.0, -20.0, 0.0], [0.0, 20.0, 0.0], ChannelType::Sine);
    let (still, swing) =
        (Channel::still([0.0; 3]), Channel { start, end, period: 3.0, offset: 0.0, kind });
    let behaviour = Behaviour::Dynamic([still, still, swing]);
    let node = NewNode { name: "left eye".to_owned(), behaviour };
    let step = Step { seconds: 6.0, morph: false };
    let key = NewKey { state: "scan".to_owned(), exit: true, forward: step, backward: step };
    let patrol =
        NewSequence { kind: SequenceType::LoopForwards, start: "scan".to_owned(), keys: vec![key] };
    let states = [
        NewState { name: "patrol".to_owned(), motion: NewMotion::Keyframe(patrol) },
        NewState { name: "scan".to_owned(), motion: NewMotion::Single(vec![node]) },
    ];
    let document = Document::build(&states).unwrap();
    let page = std::fs::read_to_string(fixtures::folder("stt").join("../../docs/stt.md")).unwrap();
    let lines = page.lines().skip_while(|line| !line.starts_with("    #MINDRENDER"));
    let lines = lines.take_while(|line| !line.is_empty());
    let example: String = lines.map(|line| line[4..].to_owned() + "\n").collect();
    assert_eq!(std::str::from_utf8(&document.to_bytes()).unwrap(), example);
    let parsed = Document::parse(document.to_bytes()).unwrap();
    assert_eq!(parsed.value.data(), states);
    assert!(parsed.diagnostics.is_empty());
}

/// A state can be removed even if a later state is invalid.
#[test]
fn a_broken_state_is_removed_as_a_whole() {
    let text = "#MINDRENDER 1.1 2 {a} SINGLE 0 {b} SINGLE 1 {x} STATIC 1 oops 3 {c} SINGLE 0 {d} \
                SINGLE 0 {e} SINGLE 1 {y} STATIC 4";
    let document = Document::parse(text.as_bytes()).unwrap().value;
    let removed = |state: usize| {
        let mut document = document.clone();
        document.remove_state(state).unwrap();
        String::from_utf8(document.to_bytes().into_owned()).unwrap()
    };
    assert_eq!(
        removed(1),
        text.replace("1.1 2", "1.1 4").replace("{b} SINGLE 1 {x} STATIC 1 oops 3 ", "")
    );
    assert_eq!(removed(4), text.replace("1.1 2", "1.1 4").replace("{e} SINGLE 1 {y} STATIC 4", ""));
    let mut document = Document::parse(&b"#MINDRENDER 1.1 1 {a} SINGLE 1 {x"[..]).unwrap().value;
    let refused = document.insert_state(1, &empty()).unwrap_err().to_string();
    assert_eq!(refused, "because of errors in the file, other states would be read differently");
}
