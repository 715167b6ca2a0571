//! An edit of any document changes only what it targets.

use anim_ir::Span;
use fmt_castle::{
    Animation, BoundingBox as Bounds, Content, Document, EditError, Frame, NewContent, NewFrame,
};
use proptest::prelude::*;

/// An edit whose indices may be out of range.
#[derive(Clone, Debug)]
pub(crate) enum AnyEdit {
    Rename(usize, String),
    Loop(usize, bool),
    Backwards(usize, bool),
    ScenesPerTime(usize, u32),
    Time(usize, usize, f32),
    Url(usize, usize, String),
    BoundingBox(usize, usize, Bounds),
    RemoveFrame(usize, usize),
    InsertFrame(usize, f32, NewContent<'static>, Option<Bounds>),
}

fn any_edit() -> impl Strategy<Value = AnyEdit> {
    use AnyEdit::*;
    let animation = || 0..2_usize;
    let frame = || 0..3_usize;
    let number = || prop_oneof![any::<f32>(), -1.0_f32..5.0];
    let text = || prop_oneof!["[a-e]", "\\PC{0,6}", "[<>&'\" \t\n\r%]{1,4}"];
    let bounds = || {
        prop::array::uniform2(prop::array::uniform3(number()))
            .prop_map(|[center, size]| Bounds { center, size })
    };
    let x3d = "\n<X3D><Scene DEF='\u{e9}'/></X3D> ";
    let content = prop_oneof![
        text().prop_map(|url| NewContent::Url(url.into())),
        text().prop_map(|json| NewContent::Gltf(json.into())),
        Just(NewContent::X3d(x3d.into())),
    ];
    prop_oneof![
        (animation(), text()).prop_map(|(animation, to)| Rename(animation, to)),
        (animation(), any::<bool>()).prop_map(|(animation, to)| Loop(animation, to)),
        (animation(), any::<bool>()).prop_map(|(animation, to)| Backwards(animation, to)),
        (animation(), any::<u32>()).prop_map(|(animation, to)| ScenesPerTime(animation, to)),
        (animation(), frame(), number()).prop_map(|(animation, at, to)| Time(animation, at, to)),
        (animation(), frame(), text()).prop_map(|(animation, at, to)| Url(animation, at, to)),
        (animation(), frame(), bounds())
            .prop_map(|(animation, at, to)| BoundingBox(animation, at, to)),
        (animation(), frame()).prop_map(|(animation, at)| RemoveFrame(animation, at)),
        (animation(), number(), content, prop::option::of(bounds())).prop_map(
            |(animation, time, content, bounds)| InsertFrame(animation, time, content, bounds)
        ),
    ]
}

/// Describes the content of a frame, or its location.
pub(crate) fn content<'d>(document: &'d Document<'_>, content: &'d Content) -> &'d str {
    match content {
        Content::Url(text) | Content::Gltf(text) => text,
        Content::X3d(element) => &document.text()[element.start..element.end],
        Content::Missing => "",
    }
}

/// Returns the animations with the text of their content and without spans.
fn said(document: &Document<'_>) -> Vec<Animation> {
    let mut animations = document.animations().to_vec();
    for animation in &mut animations {
        animation.span = Span::new(0, 0);
        for frame in &mut animation.frames {
            frame.span = Span::new(0, 0);
            if let Content::X3d(_) = frame.content {
                frame.content = Content::Url(format!("x3d {}", content(document, &frame.content)));
            }
        }
    }
    animations
}

impl AnyEdit {
    /// Edits a document.
    fn apply(&self, document: &mut Document<'_>) -> Result<(), EditError> {
        use AnyEdit::*;
        match self.clone() {
            Rename(animation, to) => document.rename(animation, &to),
            Loop(animation, to) => document.set_loop(animation, to),
            Backwards(animation, to) => document.set_backwards(animation, to),
            ScenesPerTime(animation, to) => document.set_scenes_per_time(animation, to),
            Time(animation, at, to) => document.set_time(animation, at, to),
            Url(animation, at, to) => document.set_url(animation, at, &to),
            BoundingBox(animation, at, to) => document.set_bounding_box(animation, at, to),
            RemoveFrame(animation, at) => document.remove_frame(animation, at),
            InsertFrame(animation, time, content, bounding_box) => {
                let frame = NewFrame { bounding_box, ..NewFrame::new(time, content) };
                document.insert_frame(animation, &frame)
            }
        }
    }

    /// Makes the same change to the animations of a document.
    fn model(self, animations: &mut [Animation]) {
        use AnyEdit::*;
        let not_empty = |bounds: &Bounds| bounds.size.iter().all(|edge| *edge >= 0.0);
        match self {
            Rename(animation, to) => animations[animation].name = to,
            Loop(animation, to) => animations[animation].loops = to,
            Backwards(animation, to) => animations[animation].backwards = to,
            ScenesPerTime(animation, to) => {
                animations[animation].scenes_per_time = to.min(i32::MAX.unsigned_abs());
            }
            Time(animation, at, to) => animations[animation].frames[at].time = to,
            Url(animation, at, to) => animations[animation].frames[at].content = Content::Url(to),
            BoundingBox(animation, at, to) => {
                animations[animation].frames[at].bounding_box = Some(to).filter(not_empty);
            }
            RemoveFrame(animation, at) => drop(animations[animation].frames.remove(at)),
            InsertFrame(animation, time, content, bounding_box) => {
                let frames = &mut animations[animation].frames;
                let at = frames.partition_point(|frame| frame.time < time);
                let content = match content {
                    NewContent::Url(url) => Content::Url(url.into_owned()),
                    NewContent::Gltf(json) => Content::Gltf(json.into_owned()),
                    NewContent::X3d(x3d) => Content::Url(format!("x3d {}", x3d.trim())),
                };
                let bounding_box = bounding_box.filter(not_empty);
                frames.insert(at, Frame { time, content, bounding_box, span: Span::new(0, 0) });
            }
        }
    }
}

/// Asserts that an edit changes only what it targets, and that the edited file is read back as the
/// edited document. The fuzz target `edits` calls this with other files.
pub(crate) fn change_what_they_name(
    bytes: Vec<u8>,
    edits: Vec<AnyEdit>,
) -> Result<(), TestCaseError> {
    let Ok(parsed) = Document::parse(bytes) else { return Ok(()) };
    let mut document = parsed.value;
    for edit in edits {
        let (before, mut expected) = (document.clone(), said(&document));
        match edit.apply(&mut document) {
            Ok(()) => edit.model(&mut expected),
            Err(_) => prop_assert_eq!(document.to_bytes(), before.to_bytes()),
        }
        prop_assert_eq!(said(&document), expected);
        let bytes = document.to_bytes();
        let again = Document::parse(&*bytes).unwrap().value;
        prop_assert_eq!(again.animations(), document.animations());
    }
    Ok(())
}

/// Returns a few edits.
pub(crate) fn edits() -> impl Strategy<Value = Vec<AnyEdit>> {
    prop::collection::vec(any_edit(), 1..4)
}

#[cfg(test)]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(test_oracle::fixtures::scale(2_000, 10_000)))]

    #[test]
    fn edits_change_what_they_name(
        file in conformance::mutations::mutated("castle", &["castle-anim-frames", "kanim"]),
        edits in edits(),
    ) {
        change_what_they_name(file.0, edits)?;
    }
}
