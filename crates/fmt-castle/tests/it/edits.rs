//! Edits change only the text they target, in every encoding, and survive a round trip.

use fmt_castle::{Animation, BoundingBox, Content, Document, EditError, NewContent, NewFrame};

use crate::common::{self, said};

/// Checks that the content and spans of an edited document match its text.
fn check(document: &Document<'_>, name: &str) {
    let bytes = document.to_bytes();
    let again = common::document(&bytes);
    assert_eq!(said(document), said(&again), "{name}");
    assert_eq!(document.animations(), again.animations(), "{name}: spans");
}

fn good_files() -> impl Iterator<Item = (String, Vec<u8>)> {
    // No frame can be inserted between the frames of `one_ulp_apart`.
    common::fixtures()
        .into_iter()
        .filter(|(name, _)| name.starts_with("ok/") && !name.contains("one_ulp_apart"))
}

#[test]
fn every_edit_works_on_every_file() {
    let box_ = BoundingBox { center: [0.5, -1.0, 1e-7], size: [1.0, 0.0, 2.5] };
    let mut edits = 0;
    for (name, bytes) in good_files() {
        let mut document = common::document(&bytes);
        for index in 0..document.animations().len() {
            document.rename(index, &format!("<\"ä\" & '{index}'>")).unwrap();
            check(&document, &name);
            let Animation { loops, backwards, .. } = document.animations()[index];
            document.set_loop(index, !loops).unwrap();
            document.set_backwards(index, !backwards).unwrap();
            document.set_scenes_per_time(index, 17).unwrap();
            check(&document, &name);
            let frames = &document.animations()[index].frames;
            let (last, time) = (frames.len() - 1, frames[frames.len() - 1].time + 2.0);
            document.set_time(index, last, time).unwrap();
            document.set_bounding_box(index, last, box_).unwrap();
            check(&document, &name);
            if matches!(document.animations()[index].frames[last].content, Content::Url(_)) {
                document.set_url(index, last, "a&b.x3d").unwrap();
            } else {
                assert!(document.set_url(index, last, "a.x3d").is_err());
            }
            // Insert frames between, after and before the existing frames.
            let first = document.animations()[index].range().0;
            let x3d = "<?xml version='1.0'?><X3D><Scene DEF='é€'/></X3D>\n";
            for (time, content) in [
                (time - 0.5, NewContent::X3d(x3d.into())),
                (time + 1.0, NewContent::Gltf("{\"a\": \"<&>\"}".into())),
                (first - 1.0, NewContent::Url("x y.x3d".into())),
            ] {
                let frame = NewFrame { bounding_box: Some(box_), ..NewFrame::new(time, content) };
                document.insert_frame(index, &frame).unwrap();
                check(&document, &name);
            }
            document.remove_frame(index, 1).unwrap();
            check(&document, &name);
            edits += 1;
        }
    }
    assert!(edits > 100, "{edits}");
}

/// Applies small edits to one text and compares the result byte for byte.
#[test]
fn edits_change_only_their_target() {
    let text = "<animations>\r\n <animation name='a'  loop = 'TRUE'>\r\n  <frame time=' 0.50' \
                file_name='a.wrl'/>\r\n  <!-- c --><frame time='1' url=''><X3D/></frame>\r\n \
                </animation></animations>";
    type Edit = fn(&mut Document<'_>) -> Result<(), EditError>;
    fn insert(document: &mut Document<'_>, time: f32) -> Result<(), EditError> {
        document.insert_frame(0, &NewFrame::new(time, NewContent::Url("0.x3d".into())))
    }
    let edits: [(Edit, &str, &str); 9] = [
        (|d| d.rename(0, "b<"), "'a' ", "'b&lt;' "),
        (|d| d.set_loop(0, false), "TRUE", "false"),
        (|d| d.set_backwards(0, true), "<animation ", "<animation backwards=\"true\" "),
        (|d| d.set_time(0, 0, 0.25), " 0.50", "0.25"),
        (|d| d.set_url(0, 0, "b.x3d"), "a.wrl", "b.x3d"),
        (|d| d.remove_frame(0, 0), "\r\n  <frame time=' 0.50' file_name='a.wrl'/>", ""),
        (|d| d.remove_frame(0, 1), "<frame time='1' url=''><X3D/></frame>", ""),
        (|d| insert(d, 0.0), "\r\n  <frame", "\r\n  <frame url=\"0.x3d\" time=\"0\"/>\r\n  <frame"),
        (|d| insert(d, 0.75), "a.wrl'/>", "a.wrl'/>\r\n  <frame url=\"0.x3d\" time=\"0.75\"/>"),
    ];
    for (edit, before, after) in edits {
        let mut document = common::document(text.as_bytes());
        edit(&mut document).unwrap();
        assert_eq!(document.text(), text.replace(before, after));
    }
}

/// A character that Latin-1 cannot represent is written as a reference; the rest is unchanged.
#[test]
fn the_encoding_stays() {
    let bytes = b"<?xml version='1.0' encoding='iso-8859-1'?><animation name='\xe9'><frame \
                  time='0' url='\xe9'/></animation>";
    let mut document = common::document(bytes);
    document.rename(0, "\u{e8}\u{20ac}").unwrap();
    let expected = b"<?xml version='1.0' encoding='iso-8859-1'?><animation name='\xe8&#8364;'>\
                     <frame time='0' url='\xe9'/></animation>";
    assert_eq!(document.to_bytes().as_ref(), expected);
    check(&document, "Latin-1");
}

#[test]
fn invalid_edits_are_rejected_and_change_nothing() {
    let text = "<animation><frame time='0' url='a'/><frame time='1'><X3D/></frame></animation>";
    let mut document = common::document(text.as_bytes());
    let missing = |what, index| Err(EditError::Missing { what, index });
    assert_eq!(document.rename(1, "x"), missing("animation", 1));
    assert_eq!(document.set_time(0, 2, 5.0), missing("frame", 2));
    let refused = |why: &str| Err(EditError::refused(why.to_owned()));
    let order =
        |time| format!("the time {time} is not between the times of the previous and next frames");
    assert_eq!(document.rename(0, ""), refused("an animation needs a name"));
    assert_eq!(
        document.rename(0, "a\u{1b}").unwrap_err().to_string(),
        "the name `a\\u{1b}` contains a control character, which XML cannot represent"
    );
    assert_eq!(document.set_time(0, 0, f32::NAN), Err(EditError::NotFinite("the time")));
    assert_eq!(document.set_time(0, 0, 1.0), refused(&order(1)));
    assert_eq!(document.set_time(0, 1, -1.0), refused(&order(-1)));
    assert_eq!(document.set_url(0, 1, "b"), refused("frame 1 has inline content and no URL"));
    let no_x3d = |why: &str| format!("the content is not an X3D XML document: {why}");
    for (time, content, why) in [
        (1.0, NewContent::Url("b".into()), order(1)),
        (2.0, NewContent::X3d("<Scene/>".into()), no_x3d("its root element is `Scene`")),
        (2.0, NewContent::X3d("<X3D>".into()), no_x3d("the element `X3D` is not closed")),
    ] {
        assert_eq!(document.insert_frame(0, &NewFrame::new(time, content)), refused(&why));
    }
    assert_eq!(document.text(), text);
    document.remove_frame(0, 0).unwrap();
    assert_eq!(document.remove_frame(0, 0), refused("an animation needs at least one frame"));
}
