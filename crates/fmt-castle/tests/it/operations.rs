//! Operations on whole documents: build, merge, split, inline, extract, minify.

use fmt_castle::{
    BoundingBox, Document, EditError, FromIr, Merge, Minify, NewAnimation, NewContent, NewFrame,
    extract, finish, inline, merge, minify, split,
};

use test_oracle::math;

use crate::common;

fn parse(text: &str) -> Document<'_> {
    common::document(text.as_bytes())
}

/// Returns the frame times of the first animation after minification with this epsilon.
fn kept(text: &str, epsilon: f32) -> Vec<f32> {
    let options = Minify { epsilon: Some(epsilon), ..Minify::default() };
    let small = minify(&parse(text), &options).unwrap();
    small.animations()[0].frames.iter().map(|frame| frame.time).collect()
}

fn names(document: &Document<'_>) -> Vec<String> {
    document.animations().iter().map(|animation| animation.name.clone()).collect()
}

fn contents<'d>(document: &'d Document<'_>) -> Vec<&'d str> {
    let frames = document.animations().iter().flat_map(|animation| &animation.frames);
    frames.map(|frame| common::content(document, &frame.content)).collect()
}

/// Checks the exact text: attributes in the order used by exporters, omitting default values.
#[test]
fn documents_are_built_from_data() {
    let x3d = "<?xml version='1.0'?>\n<!DOCTYPE X3D><X3D>\n<Scene/></X3D>\n";
    let bounding_box = Some(BoundingBox { center: [0.0, 0.5, 0.0], size: [1.0, 1.0, 1.0] });
    let frames = vec![
        NewFrame { bounding_box, ..NewFrame::new(0.0, NewContent::X3d(x3d.into())) },
        NewFrame::new(0.04, NewContent::Url("b & c.x3d".into())),
        NewFrame::new(1e-3 + 1.0, NewContent::Gltf("{\"a\":\"<&>\"}".into())),
    ];
    let walk = NewAnimation {
        scenes_per_time: 0,
        loops: true,
        frames,
        ..NewAnimation::new("\"walk\"\n<&>")
    };
    let document = Document::build(&[walk]).unwrap();
    let text = concat!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<animations>\n",
        "\t<animation name=\"&quot;walk&quot;&#10;&lt;&amp;&gt;\" scenes_per_time=\"0\" \
         loop=\"true\">\n",
        "\t\t<frame time=\"0\" mime_type=\"model/x3d+xml\" bounding_box_center=\"0 0.5 0\" \
         bounding_box_size=\"1 1 1\">\n",
        "\t\t\t<X3D>\n<Scene/></X3D>\n\t\t</frame>\n",
        "\t\t<frame url=\"b &amp; c.x3d\" time=\"0.04\"/>\n",
        "\t\t<frame time=\"1.001\" \
         mime_type=\"model/gltf+json\">{\"a\":\"&lt;&amp;&gt;\"}</frame>\n",
        "\t</animation>\n</animations>\n",
    );
    assert_eq!(document.text(), text);
    assert_eq!(document.animations()[0].name, "\"walk\"\n<&>");
    assert_eq!(contents(&document), ["<X3D>\n<Scene/></X3D>", "b & c.x3d", "{\"a\":\"<&>\"}"]);
}

/// Covers row C31 and everything else the format cannot store.
#[test]
fn invalid_documents_are_not_built() {
    let frame = |time| NewFrame::new(time, NewContent::Url("a".into()));
    let build = |name: &'static str, frames| {
        Document::build(&[NewAnimation { frames, ..NewAnimation::new(name) }]).map(|_| ())
    };
    let refused = |why: &'static str| Err(EditError::refused(why));
    assert_eq!(build("a", vec![]), refused("an animation needs at least one frame"));
    assert_eq!(build("", vec![frame(0.0)]), refused("an animation needs a name"));
    let order = "the time 1 is not between the times of the previous and next frames";
    assert_eq!(build("a", vec![frame(1.0), frame(1.0)]), refused(order));
    assert_eq!(build("a", vec![frame(f32::INFINITY)]), Err(EditError::NotFinite("the time")));
    for name in ["\0", "\u{1b}", "\u{fffe}"] {
        assert!(matches!(build(name, vec![frame(0.0)]), Err(EditError::Text { .. })), "{name:?}");
    }
}

/// A document's content is unchanged when it is rebuilt from its data.
#[test]
fn valid_files_are_rebuilt_unchanged() {
    let mut built = 0;
    let fixtures = common::fixtures().into_iter();
    for (name, bytes) in fixtures.filter(|(name, _)| name.starts_with("ok/")) {
        let document = common::document(&bytes);
        let again = Document::build(&document.data()).unwrap();
        assert_eq!(common::said(&document), common::said(&again), "{name}");
        built += 1;
    }
    assert!(built > 100);
}

#[test]
fn merged_and_split() {
    let a = parse(
        "<animation name='walk'><frame time='0' url='0.x3d'/><frame time='1'><X3D  a='1' \
         /></frame></animation>",
    );
    let b = parse(
        "<animations><animation name='walk' loop='true'><frame time='2' url='../t.x3d'/><frame \
         time='3' url='data:,x'/></animation><animation name='walk.001'><frame time='0' \
         url='/r'/></animation></animations>",
    );
    let of = |document, folder| Merge { document, folder };
    let merged = merge(&[of(&a, ""), of(&b, "sub/dir")]).unwrap();
    assert_eq!(names(&merged.value), ["walk", "walk.001", "walk.001.001"]);
    assert_eq!(merged.losses.count(&fmt_castle::codes::MERGE_NAME), 2);
    assert_eq!(contents(&merged.value), ["0.x3d", "<X3D  a='1' />", "sub/t.x3d", "data:,x", "/r"]);
    assert!(merged.value.animations()[1].loops);

    let (of_parts, parts): (Vec<_>, Vec<_>) = split(&merged.value).unwrap().into_iter().unzip();
    assert_eq!(of_parts, names(&merged.value));
    assert_eq!(parts.iter().flat_map(contents).collect::<Vec<_>>(), contents(&merged.value));
}

/// An animation needs a name, which the engine takes from the file if there is none.
#[test]
fn an_animation_without_a_name_gets_one() {
    let document = parse(
        "<animations><animation name=''><frame time='0' url='a.x3d'/></animation>\
         <animation name='b'><frame time='0' url='b.x3d'/></animation></animations>",
    );
    let parts = split(&document).unwrap();
    let parts: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(parts, [fmt_castle::UNNAMED, "b"]);
}

#[test]
fn extracted_frames_can_be_inlined_again() {
    let text = "<animations xmlns:x='urn:x'><animation name='../up'><frame time='0'>\
         <X3D version='3.0'><a x:b=''/></X3D></frame><frame time='1' url='y.x3d'/></animation>\
         <animation name='--UP'><frame time='0' mime_type='model/gltf+json'>{\"é\":1}</frame>\
         </animation></animations>";
    let document = parse(text);
    let out = extract(&document, "").unwrap();
    let names: Vec<&str> = out.files.iter().map(|(name, _)| name.as_str()).collect();
    let plain = ["up_0001.x3d", "up-001_0001.gltf"];
    assert_eq!(names, plain, "names are plain, and unique even if case is ignored");
    assert_eq!(contents(&out.document), ["up_0001.x3d", "y.x3d", "up-001_0001.gltf"]);
    let written = finish(&document, &FromIr::default().with_extract(true), "").unwrap();
    assert_eq!(written.companions, out.files);
    let x3d = String::from_utf8(out.files[0].1.clone()).unwrap();
    let element = "<X3D xmlns:x=\"urn:x\" version='3.0'><a x:b=''/></X3D>";
    assert_eq!(x3d, format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{element}\n"));
    assert_eq!(out.files[1].1, "{\"é\":1}".as_bytes());

    let one = |url: &str| (url == plain[0]).then(|| NewContent::X3d(x3d.as_str().into()));
    let back = inline(&out.document, one).unwrap();
    assert_eq!(contents(&back), [element, "y.x3d", plain[1]]);
    assert!(inline(&out.document, |_| Some(NewContent::X3d("<svg/>".into()))).is_err());
}

/// Returns a file whose frames each contain one number.
fn frames(numbers: &[(f32, f32)], attributes: &str) -> String {
    let frame = |(time, number): &(f32, f32)| {
        format!("<frame time='{time}'><X3D><Coordinate point='{number:.6} 1'/></X3D></frame>\n")
    };
    format!("<animation {attributes}>{}</animation>", numbers.iter().map(frame).collect::<String>())
}

#[test]
fn frames_on_straight_lines_are_dropped() {
    let kept = |numbers: &[(f32, f32)], attributes: &str, epsilon: f32| {
        kept(&frames(numbers, attributes), epsilon)
    };
    let straight = [(0.0, 0.0), (1.0, 1.0), (3.0, 3.0), (4.0, 4.0)];
    assert_eq!(kept(&straight, "", 1e-6), [0.0, 4.0]);
    let corner = [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 1.0), (4.0, 0.0)];
    assert_eq!(kept(&corner, "", 1e-6), [0.0, 2.0, 4.0]);
    assert_eq!(kept(&corner, "", 3.0), [0.0, 4.0]);
    // Without interpolation, only repeated frames are dropped, and the last frame is kept.
    let steps = [(0.0, 5.0), (1.0, 5.0), (2.0, 6.0), (3.0, 6.0), (4.0, 6.0)];
    assert_eq!(kept(&steps, "scenes_per_time='0'", 0.0), [0.0, 2.0, 4.0]);
    assert_eq!(kept(&steps, "", 1e-6), [0.0, 1.0, 2.0, 4.0]);
    assert_eq!(kept(&[(0.0, 1.0)], "", 1.0), [0.0]);
}

/// The line between kept frames passes within epsilon of every dropped frame.
#[test]
fn no_number_deviates_by_more_than_epsilon() {
    for epsilon in [0.001, 0.01, 0.1] {
        let times = (0..200).map(|n| n as f32 / 25.0);
        let numbers: Vec<_> = times.map(|t| (t, (t * 2.0).sin() * (t - 3.0).abs())).collect();
        let kept = kept(&frames(&numbers, ""), epsilon);
        assert!(kept.len() < numbers.len(), "{}", kept.len());
        assert_eq!((kept.first(), kept.last()), (Some(&0.0), numbers.last().map(|(t, _)| t)));
        let value = |time: f32| numbers.iter().find(|(t, _)| *t == time).unwrap().1;
        for (time, number) in &numbers {
            let after = kept.partition_point(|other| other < time).max(1);
            let (a, b) = (kept[after - 1], kept[after]);
            let line = value(a) + (value(b) - value(a)) * (time - a) / (b - a);
            assert!((line - number).abs() <= epsilon + 2e-6, "{epsilon}: {time}");
        }
    }
}

/// Returns the quaternion of an axis and an angle.
fn quaternion([x, y, z, angle]: [f64; 4]) -> [f64; 4] {
    let length = (x * x + y * y + z * z).sqrt();
    let [sin, cos] = [(angle / 2.0).sin(), (angle / 2.0).cos()];
    [x / length * sin, y / length * sin, z / length * sin, cos]
}

/// Rotations are interpolated along the shorter arc, not as four numbers.
#[test]
fn rotations_between_kept_frames_are_reproduced() {
    let turn = std::f64::consts::TAU;
    let even = |n: u32, rate: f64| [0.0, 1.0, 0.0, rate * f64::from(n)];
    let takes: [(&str, Vec<[f64; 4]>, usize); 6] = [
        ("still", (0..9).map(|_| [1.0, 2.0, 3.0, 1.0]).collect(), 2),
        ("a third of a turn", (0..9).map(|n| even(n, turn / 24.0)).collect(), 2),
        (
            "backwards, from an angle",
            (0..9).map(|n| [1.0, 0.0, 2.0, 3.0 - f64::from(n) / 8.0]).collect(),
            2,
        ),
        ("three turns", (0..25).map(|n| even(n, turn / 8.0)).collect(), 9),
        ("quarters", (0..5).map(|n| even(n, turn / 4.0)).collect(), 5),
        (
            "a turning axis",
            (0..50)
                .map(|n| [(f64::from(n) / 90.0).cos(), 1.0, f64::from(n) / 500.0, 2.0])
                .collect(),
            30,
        ),
    ];
    for (label, rotations, most) in takes {
        let frame = |(time, [x, y, z, angle]): (usize, &[f64; 4])| {
            format!(
                "<frame time='{time}'><X3D><Transform rotation='{x} {y} {z} {angle}'/></X3D>\
                 </frame>"
            )
        };
        let frames: String = rotations.iter().enumerate().map(frame).collect();
        let kept = kept(&format!("<animation>{frames}</animation>"), 0.0005);
        assert!((2..=most).contains(&kept.len()), "{label}: {kept:?}");
        for pair in kept.windows(2) {
            let frame = |time: f32| (0..rotations.len()).find(|at| *at as f32 == time).unwrap();
            let [from, to] = [frame(pair[0]), frame(pair[1])];
            let [a, b] = [from, to].map(|at| quaternion(rotations[at]));
            for (at, rotation) in rotations.iter().enumerate().take(to + 1).skip(from) {
                let part = (at - from) as f64 / (to - from) as f64;
                let (found, expected) = (math::slerp(a, b, part), quaternion(*rotation));
                let cos: f64 = found.iter().zip(expected).map(|(a, b)| a * b).sum();
                let angle = 2.0 * cos.abs().min(1.0).acos();
                assert!(angle < 0.0015, "{label}: {angle} at {at}");
            }
        }
    }
}

/// Three decimal places would flatten a shape of a tenth of a millimetre.
#[test]
fn the_points_of_small_shapes_keep_more_decimals() {
    let text = "<animation><frame time='0'><X3D><Transform translation='0.00001234 0 0'/>\
                <Coordinate point='0.00003333 0 0.0000444'/></X3D></frame></animation>";
    let options = Minify { decimals: Some(3), ..Minify::default() };
    let small = minify(&parse(text), &options).unwrap();
    assert!(small.text().contains("point='0.0000333 0 0.0000444'"), "{}", small.text());
    assert!(small.text().contains("translation='0 0 0'"), "{}", small.text());
}

/// A frame that differs in more than its numbers is kept, as are the adjacent frames.
#[test]
fn other_content_stays() {
    let x3d = |time: u32, inside: &str| format!("<frame time='{time}'><X3D>{inside}</X3D></frame>");
    let (a, b) = ("<Coordinate point='0'/>", "<Coordinate point='0'/><Shape/>");
    let text = format!(
        "<animation>{}<frame time='4' url='x'/>{}</animation>",
        [x3d(0, a), x3d(1, a), x3d(2, b), x3d(3, a)].concat(),
        x3d(5, a)
    );
    assert_eq!(kept(&text, 1.0), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
}

#[test]
fn smaller_in_bytes() {
    let text = frames(&[(0.0, 0.123_456), (1.0, 2.0)], "");
    let options = Minify { decimals: Some(2), whitespace: true, epsilon: None };
    let small = minify(&parse(&text), &options).unwrap();
    assert_eq!(
        small.text(),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><animations><animation name=\"animation\">\
         <frame time=\"0\" mime_type=\"model/x3d+xml\"><X3D><Coordinate point='0.12 1'/></X3D>\
         </frame><frame time=\"1\" mime_type=\"model/x3d+xml\"><X3D><Coordinate point='2 1'/>\
         </X3D></frame>\
         </animation></animations>"
    );
}

/// Frames that are not X3D documents, and numbers that are not numbers.
#[test]
fn frames_without_a_document_are_not_built() {
    let build = |frame: NewFrame<'static>, equality_epsilon: f32| {
        let animation =
            NewAnimation { frames: vec![frame], equality_epsilon, ..NewAnimation::new("a") };
        Document::build(&[animation]).unwrap_err()
    };
    let x3d = |text: &'static str| NewFrame::new(0.0, NewContent::X3d(text.into()));
    let said = |text| build(x3d(text), 0.001).to_string();
    assert!(said("").contains("missing root element"), "{}", said(""));
    assert!(said("<Scene/>").contains("its root element is `Scene`"), "{}", said("<Scene/>"));
    assert_eq!(build(x3d("<X3D/>"), f32::NAN), EditError::NotFinite("the epsilon"));
    let bounding_box = Some(BoundingBox { center: [0.0; 3], size: [1.0, f32::INFINITY, 1.0] });
    let frame = NewFrame { bounding_box, ..x3d("<X3D/>") };
    assert_eq!(build(frame, 0.001), EditError::NotFinite("the bounding box"));
}
