//! Edits only change the tokens and lines they target; every other byte is unchanged.

use fmt_anm_text::{Document, EditError, NewBone, NewClip, NewEvent, NewSet};
use test_oracle::fixtures;

const FILE: &str = "# A puppet.
as Arm
bl  shoulder\t+children
bl hand
ev 48 wave_begins # no comment
# the long one
an 0.50 50 lift

# Now the head.
as Head
bl neck +parent +chidren
an 0 5e1 nod";

fn document() -> Document<'static> {
    Document::parse(FILE.as_bytes()).unwrap().value.into_owned()
}

/// Returns the file after an edit, and asserts that parsing it yields the same document.
fn edited(edit: impl FnOnce(&mut Document<'static>) -> Result<(), EditError>) -> String {
    let mut document = document();
    edit(&mut document).unwrap();
    let again = Document::parse(document.to_bytes()).unwrap();
    assert_eq!(again.value, document);
    String::from_utf8(document.to_bytes().to_vec()).unwrap()
}

/// Asserts that the edit replaces only `old`, which occurs once in the file.
#[track_caller]
fn changes(
    edit: impl FnOnce(&mut Document<'static>) -> Result<(), EditError>,
    old: &str,
    new: &str,
) {
    assert_eq!(edited(edit), with(old, new));
}

/// Returns the file with `old` replaced.
fn with(old: &str, new: &str) -> String {
    assert_eq!(FILE.matches(old).count(), 1, "{old}");
    FILE.replace(old, new)
}

fn bone(name: &str) -> NewBone {
    NewBone { name: name.to_owned(), children: true, parent: true }
}

fn clip(start: f32, end: f32, name: &str) -> NewClip {
    NewClip { start, end, name: name.to_owned() }
}

fn event(time: f32, name: &str) -> NewEvent {
    NewEvent { time, name: name.to_owned() }
}

#[test]
fn names_can_be_edited() {
    changes(|file| file.rename_set(0, "Ärmel"), "as Arm", "as Ärmel");
    changes(|file| file.rename_clip(1, 0, "as"), "5e1 nod", "5e1 as");
    changes(|file| file.rename_event(0, 0, "x"), "wave_begins", "x");
    let mut document = document();
    assert_eq!(document.rename_bone("hand", "fist"), Ok(1));
    assert_eq!(document.rename_bone("Hand", "x"), Ok(0));
    assert_eq!(document.to_bytes(), with("bl hand", "bl fist").as_bytes());
    for name in ["", "a b", "#a", "a\nan 0 1 evil"] {
        assert!(matches!(document.rename_set(0, name), Err(EditError::Text { .. })), "{name:?}");
    }
    assert!(matches!(document.rename_bone("neck", "+x"), Err(EditError::Text { .. })));
}

#[test]
fn only_edited_times_change() {
    changes(|file| file.set_event_time(0, 0, 47.5), "ev 48", "ev 47.5");
    changes(|file| file.set_clip_range(0, 0, 0.5, 60.0), "0.50 50", "0.50 60");
    changes(|file| file.set_clip_range(1, 0, -1.0, 50.0), "an 0 5e1", "an -1 5e1");
    let mut document = document();
    assert_eq!(
        document.set_clip_range(0, 0, 5.0, 4.0),
        Err(EditError::refused("the clip ends before it starts"))
    );
    assert_eq!(document.set_event_time(0, 0, f32::NAN), Err(EditError::NotFinite("the time")));
    assert_eq!(
        document.set_event_time(1, 0, 1.0),
        Err(EditError::Missing { what: "event", index: 0 })
    );
    assert_eq!(document.to_bytes(), FILE.as_bytes(), "rejected edits change nothing");
}

#[test]
fn bone_options_can_be_edited() {
    let options = |set, bone, children, parent| {
        edited(|file| file.set_bone_options(set, bone, children, parent))
    };
    assert_eq!(options(0, 0, false, false), with("shoulder\t+children", "shoulder"));
    assert_eq!(options(0, 1, true, true), with("bl hand", "bl hand +children +parent"));
    assert_eq!(options(0, 0, false, true), with("shoulder\t+children", "shoulder +parent"));
    assert_eq!(options(1, 0, false, true), with("+parent +chidren", "+parent"));
    assert_eq!(options(1, 0, true, true), FILE);
}

#[test]
fn lines_can_be_inserted_and_removed() {
    changes(
        |file| file.insert_bone(0, 1, &bone("elbow")),
        "bl hand",
        "bl elbow +children +parent\nbl hand",
    );
    changes(
        |file| file.insert_bone(0, 2, &bone("x")),
        "bl hand\n",
        "bl hand\nbl x +children +parent\n",
    );
    changes(|file| file.insert_event(0, 0, &event(1.5, "x")), "ev 48", "ev 1.5 x\nev 48");
    changes(|file| file.insert_event(1, 0, &event(1.0, "x")), "+chidren\n", "+chidren\nev 1 x\n");
    assert_eq!(
        edited(|file| file.insert_clip(1, 1, &clip(0.0, 9.0, "x"))),
        FILE.to_owned() + "\nan 0 9 x"
    );
    changes(|file| file.remove_bone(0, 0), "bl  shoulder\t+children\n", "");
    changes(|file| file.remove_event(0, 0), "ev 48 wave_begins # no comment\n", "");
    changes(|file| file.remove_clip(0, 0), "an 0.50 50 lift\n", "");
    assert_eq!(
        document().insert_clip(0, 2, &clip(0.0, 1.0, "x")),
        Err(EditError::Missing { what: "clip", index: 2 })
    );
}

#[test]
fn whole_sets_can_be_inserted_and_removed() {
    let new = NewSet {
        name: "New".to_owned(),
        bones: vec![bone("b")],
        events: vec![event(2.0, "e")],
        clips: vec![clip(0.0, 2.25, "c")],
    };
    let text = "as New\nbl b +children +parent\nev 2 e\nan 0 2.25 c\n";
    let before_head = with("# Now the head.", &format!("{text}\n# Now the head."));
    assert_eq!(edited(|file| file.insert_set(1, &new)), before_head, "above the comment");
    assert_eq!(edited(|file| file.insert_set(2, &new)), format!("{FILE}\n\n{text}"));
    assert_eq!(
        edited(|file| file.remove_set(0)),
        "# A puppet.\n# the long one\n\n# Now the head.\nas Head\nbl neck +parent +chidren\nan 0 \
         5e1 nod"
    );
    let mut document = document();
    document.remove_set(1).unwrap();
    let unreadable = document.remove_set(0).unwrap_err();
    assert!(matches!(unreadable, EditError::Unreadable(_)));
    assert_eq!(unreadable.to_string(), "the file is empty: at least one animation set is needed");
    let incomplete = NewSet { clips: Vec::new(), ..new };
    assert_eq!(
        document.insert_set(0, &incomplete),
        Err(EditError::refused("the set `New` has no clips"))
    );
}

/// The file's line breaks, byte order mark and encoding are preserved.
#[test]
fn line_breaks_and_encoding_are_preserved() {
    let mut document =
        Document::parse(&b"\xef\xbb\xbfas A\r\nbl b\r\nan 0 1 c\r\n"[..]).unwrap().value;
    document.insert_clip(0, 0, &clip(3.0, 4.0, "d")).unwrap();
    document.rename_set(0, "B").unwrap();
    assert_eq!(*document.to_bytes(), *b"\xef\xbb\xbfas B\r\nbl b\r\nan 3 4 d\r\nan 0 1 c\r\n");
    let mut document = Document::parse(&b"as Lev\xe9\nbl b\nan 0 1 c\n"[..]).unwrap().value;
    assert_eq!(document.set(0).unwrap().name(), "Lev\u{e9}");
    document.rename_clip(0, 0, "\u{e9}t\u{e9}").unwrap();
    assert_eq!(*document.to_bytes(), *b"as Lev\xe9\nbl b\nan 0 1 \xe9t\xe9\n");
    assert_eq!(document.rename_set(0, "頭"), Err(EditError::beyond_latin1("頭")));
    // Without `Lev\xe9`, the file would be UTF-8 and the animation would be called `é`.
    let mut document = Document::parse(&b"as Lev\xe9\nbl b\nan 0 1 \xc3\xa9\n"[..]).unwrap().value;
    let before = document.clone();
    assert!(document.rename_set(0, "x").unwrap_err().to_string().contains("become valid UTF-8"));
    assert_eq!(document, before);
}

/// Editing an invalid file leaves the rest of it unchanged.
#[test]
fn broken_files_can_be_edited() {
    let mut seen = 0;
    for (name, bytes) in fixtures::all("anm-text", &["anm"], 100) {
        let Ok(parsed) = Document::parse(&bytes[..]) else { continue };
        for set in 0..parsed.value.sets().len() {
            let mut document = parsed.value.clone();
            if document.set(set).unwrap().clips().len() == 0 {
                continue;
            }
            document.insert_clip(set, 0, &clip(0.0, 7.0, "new")).unwrap();
            assert_eq!(document.set(set).unwrap().clips().next().unwrap().name(), "new", "{name}");
            document.remove_clip(set, 0).unwrap();
            assert_eq!(document.data(), parsed.value.data(), "{name}");
            seen += 1;
        }
    }
    assert!(seen > 150, "{seen}");
}

/// Builds the example file in the format's documentation from scratch.
#[test]
fn a_new_file_can_be_built() {
    let set =
        |name: &str, bones: &[(&str, bool)], events: Vec<NewEvent>, clips: Vec<NewClip>| NewSet {
            name: name.to_owned(),
            bones: bones
                .iter()
                .map(|(name, children)| NewBone {
                    name: (*name).to_owned(),
                    children: *children,
                    parent: false,
                })
                .collect(),
            events,
            clips,
        };
    let sets = [
        set(
            "Arm",
            &[("shoulder", true)],
            vec![event(48.0, "wave_begins")],
            vec![clip(0.0, 50.0, "lift"), clip(56.0, 100.0, "wave")],
        ),
        set("Head", &[("neck", false), ("head", false)], Vec::new(), vec![clip(0.0, 50.0, "nod")]),
    ];
    let document = Document::build(&sets).unwrap();
    let page = std::fs::read_to_string(fixtures::folder("anm-text").join("../../docs/anm-text.md"))
        .unwrap();
    let (_, example) = page.split_once("    # A puppet.\n").unwrap();
    let example: String = example
        .lines()
        .take_while(|line| line.is_empty() || line.starts_with("    "))
        .map(|line| line.trim_start().to_owned() + "\n")
        .collect();
    assert_eq!(
        std::str::from_utf8(&document.to_bytes()).unwrap(),
        example.trim_end().to_owned() + "\n"
    );
    assert_eq!(document.data(), sets);
}
