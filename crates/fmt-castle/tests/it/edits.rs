//! An edit changes the text it names and nothing else, in every encoding, and is read back as it
//! was made.

use fmt_castle::{Animation, BoundingBox, Content, Document, EditError, NewContent, NewFrame};

use crate::common;

/// What the document says, but for places in the text.
fn said(document: &Document<'_>) -> String {
    let content = |content: &Content| match content {
        Content::X3d(element) => document.text()[element.start..element.end].to_owned(),
        other => format!("{other:?}"),
    };
    let frames = |animation: &Animation| {
        animation
            .frames
            .iter()
            .map(|frame| {
                format!("{} {:?} {}", frame.time, frame.bounding_box, content(&frame.content))
            })
            .collect::<Vec<_>>()
    };
    document
        .animations()
        .iter()
        .map(|a| {
            format!(
                "{} {} {} {} {} {:?}\n",
                a.name,
                a.scenes_per_time,
                a.equality_epsilon,
                a.loops,
                a.backwards,
                frames(a)
            )
        })
        .collect()
}

/// An edited document says what its text says, and so do its spans.
fn check(document: &Document<'_>, name: &str) {
    let bytes = document.to_bytes().into_owned();
    let again = Document::parse(&bytes[..]).unwrap().value;
    assert_eq!(said(document), said(&again), "{name}");
    assert_eq!(document.animations(), again.animations(), "{name}: spans");
}

fn good_files() -> impl Iterator<Item = (String, Vec<u8>)> {
    // There is no room between the times of one of them.
    common::fixtures()
        .into_iter()
        .filter(|(name, _)| name.starts_with("ok/") && !name.contains("one_ulp_apart"))
}

#[test]
fn every_edit_of_every_file() {
    let box_ = BoundingBox { center: [0.5, -1.0, 1e-7], size: [1.0, 0.0, 2.5] };
    let mut edits = 0;
    for (name, bytes) in good_files() {
        let original = Document::parse(&bytes[..]).unwrap().value;
        let mut document = original.clone();
        for index in 0..original.animations().len() {
            document.rename(index, &format!("<\"ä\" & '{index}'>")).unwrap();
            check(&document, &name);
            let Animation { loops, backwards, .. } = document.animations()[index];
            document.set_loop(index, !loops).unwrap();
            document.set_backwards(index, !backwards).unwrap();
            document.set_scenes_per_time(index, 17).unwrap();
            check(&document, &name);
            let last = document.animations()[index].frames.len() - 1;
            let time = document.animations()[index].frames[last].time + 2.0;
            document.set_time(index, last, time).unwrap();
            document.set_bounding_box(index, last, box_).unwrap();
            check(&document, &name);
            if matches!(document.animations()[index].frames[last].content, Content::Url(_)) {
                document.set_url(index, last, "a&b.x3d").unwrap();
            } else {
                assert!(document.set_url(index, last, "a.x3d").is_err());
            }
            // Between, behind and before.
            let first = document.animations()[index].range().0;
            for (time, content) in [
                (
                    time - 0.5,
                    NewContent::X3d("<?xml version='1.0'?><X3D><Scene DEF='é€'/></X3D>\n".into()),
                ),
                (time + 1.0, NewContent::Gltf("{\"a\": \"<&>\"}".into())),
                (first - 1.0, NewContent::Url("x y.x3d".into())),
            ] {
                document
                    .insert_frame(
                        index,
                        &NewFrame { bounding_box: Some(box_), ..NewFrame::new(time, content) },
                    )
                    .unwrap();
                check(&document, &name);
            }
            document.remove_frame(index, 1).unwrap();
            check(&document, &name);
            edits += 1;
        }
    }
    assert!(edits > 100, "{edits}");
}

/// Small edits of one text, to the byte.
#[test]
fn only_what_is_named_changes() {
    let text = "<animations>\r\n <animation name='a'  loop = 'TRUE'>\r\n  <frame time=' 0.50' \
                file_name='a.wrl'/>\r\n  <!-- c --><frame time='1' url=''><X3D/></frame>\r\n \
                </animation></animations>";
    let edited = |edit: &dyn Fn(&mut Document<'_>) -> Result<(), EditError>| {
        let mut document = Document::parse(text.as_bytes()).unwrap().value;
        edit(&mut document).unwrap();
        document.text().to_owned()
    };
    assert_eq!(edited(&|d| d.rename(0, "b<")), text.replace("'a' ", "'b&lt;' "));
    assert_eq!(edited(&|d| d.set_loop(0, false)), text.replace("TRUE", "false"));
    assert_eq!(
        edited(&|d| d.set_backwards(0, true)),
        text.replace("<animation ", "<animation backwards=\"true\" ")
    );
    assert_eq!(edited(&|d| d.set_time(0, 0, 0.25)), text.replace(" 0.50", "0.25"));
    assert_eq!(edited(&|d| d.set_url(0, 0, "b.x3d")), text.replace("a.wrl", "b.x3d"));
    assert_eq!(
        edited(&|d| d.remove_frame(0, 0)),
        text.replace("\r\n  <frame time=' 0.50' file_name='a.wrl'/>", "")
    );
    assert_eq!(
        edited(&|d| d.remove_frame(0, 1)),
        text.replace("<frame time='1' url=''><X3D/></frame>", "")
    );
    let url = |url: &'static str| NewContent::Url(url.into());
    assert_eq!(
        edited(&|d| d.insert_frame(0, &NewFrame::new(0.0, url("0.x3d")))),
        text.replace(
            "  <frame time=' 0.50'",
            "  <frame url=\"0.x3d\" time=\"0\"/>\r\n  <frame time=' 0.50'"
        )
    );
    assert_eq!(
        edited(&|d| d.insert_frame(0, &NewFrame::new(0.75, url("0.x3d")))),
        text.replace("a.wrl'/>", "a.wrl'/>\r\n  <frame url=\"0.x3d\" time=\"0.75\"/>")
    );
}

/// Latin-1 lacks a character: it is written as a reference, and the rest stays as it was.
#[test]
fn the_encoding_stays() {
    let bytes = b"<?xml version='1.0' encoding='iso-8859-1'?><animation name='\xe9'><frame \
                  time='0' url='\xe9'/></animation>";
    let mut document = Document::parse(&bytes[..]).unwrap().value;
    document.rename(0, "\u{e8}\u{20ac}").unwrap();
    assert_eq!(
        document.to_bytes().as_ref(),
        b"<?xml version='1.0' encoding='iso-8859-1'?><animation name='\xe8&#8364;'><frame \
          time='0' url='\xe9'/></animation>"
    );
    check(&document, "Latin-1");
}

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    let text = "<animation><frame time='0' url='a'/><frame time='1'><X3D/></frame></animation>";
    let mut document = Document::parse(text.as_bytes()).unwrap().value;
    let missing = |what, index| Err(EditError::Missing { what, index });
    assert_eq!(document.rename(1, "x"), missing("animation", 1));
    assert_eq!(document.set_time(0, 2, 5.0), missing("frame", 2));
    let refused = |why: &str| Err(EditError::refused(why.to_owned()));
    let order =
        |time| format!("the time {time} is not between those of the frames before and after");
    assert_eq!(document.rename(0, ""), refused("an animation needs a name"));
    assert_eq!(
        document.rename(0, "a\u{1b}").unwrap_err().to_string(),
        "the name `a\\u{1b}` has a control character, which XML cannot hold"
    );
    assert_eq!(document.set_time(0, 0, f32::NAN), Err(EditError::NotFinite("the time")));
    assert_eq!(document.set_time(0, 0, 1.0), refused(&order(1)));
    assert_eq!(document.set_time(0, 1, -1.0), refused(&order(-1)));
    assert_eq!(document.set_url(0, 1, "b"), refused("frame 1 has its content inline and no url"));
    for (frame, why) in [
        (NewFrame::new(1.0, NewContent::Url("b".into())), order(1)),
        (
            NewFrame::new(2.0, NewContent::X3d("<Scene/>".into())),
            "the content is no X3D document in XML: its root element is `Scene`".into(),
        ),
        (
            NewFrame::new(2.0, NewContent::X3d("<X3D>".into())),
            "the content is no X3D document in XML: the element `X3D` is not closed".into(),
        ),
    ] {
        assert_eq!(document.insert_frame(0, &frame), refused(&why));
    }
    assert_eq!(document.text(), text);
    document.remove_frame(0, 0).unwrap();
    assert_eq!(document.remove_frame(0, 0), refused("an animation needs at least one frame"));
}
