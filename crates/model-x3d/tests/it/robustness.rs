//! Robustness tests: arbitrary words, bytes and changes to frames never cause a panic, and the fast
//! path for reading a frame gives the same result as the slow path.

use std::io::Write as _;
use std::sync::Arc;

use anim_ir::{Budget, Clip, Diagnostics, Limits, NoFiles, ResolveError, Resolver, validate, xml};
use flate2::Compression;
use flate2::write::GzEncoder;
use model_x3d::graph::Node;
use model_x3d::{
    Document, Frame, FrameReader, Graph, ParseOptions, Take, ToIr, animate, codes, to_ir,
    to_ir_with,
};
use proptest::prelude::*;

/// Converts an animation with this file as both of its frames.
pub(crate) fn two_frames(bytes: &[u8]) {
    let Ok(parsed) = Document::parse(bytes) else { return };
    let length = parsed.value.text().len();
    let graph = Arc::new(parsed.value.into_graph());
    let frame = |time| Frame { time, graph: Arc::clone(&graph), span: None };
    let frames = vec![frame(0.0), frame(1.0)];
    let take =
        Take { clip: Clip { end: 1.0, ..Clip::default() }, frames, step: false, tolerance: 0.0 };
    let budget = Budget::new(&Limits::default(), bytes.len());
    let made = animate(vec![take], &ToIr::default(), &budget, &mut NoFiles);
    let mut spans = made.losses.iter().filter_map(|loss| loss.span);
    assert!(spans.all(|span| span.start <= span.end && span.end <= length));
    let problems = validate(&made.value);
    assert!(problems.is_empty(), "{problems:?}");
}

fn exercise(bytes: &[u8]) {
    crate::conformance().exercise(bytes);
}

/// Returns a scene with a placeholder for each attribute value: fields of all kinds, names, and
/// ignored attributes.
fn scene(values: &[String; 10], quote: char) -> String {
    let [def, moved, turned, class, index, solid, points, text, used, colors] =
        values.each_ref().map(|value| format!("{quote}{value}{quote}"));
    format!(
        "<X3D version={quote}3.0{quote}><Scene><!-- a --><Transform DEF={def} \
         translation={moved} rotation={turned} class={class}><Shape>\
         <IndexedFaceSet coordIndex={index} solid={solid}><Coordinate point={points}/>\
         <Color color={colors} /></IndexedFaceSet></Shape></Transform>\
         <WorldInfo title={text}/><MetadataString value={text}/><Group USE={used}/>\
         <Sparkle glow={text}><Box size={moved}/></Sparkle></Scene></X3D>"
    )
}

/// Possible values of each attribute: a valid value, followed by values that are easily confused
/// with it (longer or shorter, with a common prefix, quotes, references or invalid characters).
const VALUES: [&str; 10] = [
    "here|her|here2||h&#101;re|there",
    "1 2 3|1 2 33|1 2|1 2 3 4|1 2 nan||1,2,3|1 2 3 |-1e-3 0 0|1 2 &#51;|1 2 x",
    "0 0 1 1|0 0 1 1.5|0 0 1|0 0 1 1e999| 0 0 1 1",
    TEXTS,
    "0 1 2 -1|0 1 2|0 2 1 -1|0 1 2 -1 0 1 2|0 1 2 -|0 1 9 -1",
    "true|false|TRUE|yes|tru|",
    "0 0 0 1 0 0 0 1 0|0 0 0 1 0 0 0 1 0.5|0 0 0 1 0 0 0 1|0 0 0, 1 0 0, 0 1 0|\
     0 0 0 1 0 0 0 1 0 5 5 5|",
    TEXTS,
    "here|her|there|nothing|",
    "1 0 0 1 0 0 1 0 0|1 0 0 1 0 0 1 0 1|1 0 0|red",
];
const TEXTS: &str = "a b||a|ab|it's|&quot;a&quot;|&#97;|a&amp;b|a&b|a<b|é|a/>|a\nb|a=| ";

/// Returns a scene without errors.
fn plain_scene() -> String {
    scene(&VALUES.map(|values| values.split('|').next().unwrap().to_owned()), '"')
}

fn values() -> impl Strategy<Value = [String; 10]> {
    VALUES.map(|values| {
        prop::sample::select(values.split('|').collect::<Vec<_>>()).prop_map(str::to_owned)
    })
}

/// Reads a text. Returns its scene, and each message with its position.
fn read<'t>(reader: &mut FrameReader<'t>, text: &'t str) -> (Option<Graph>, Vec<String>) {
    let mut diagnostics = Diagnostics::new();
    let graph = reader.read(text, 1000, &[], &mut diagnostics);
    let said = diagnostics
        .iter()
        .map(|diagnostic| format!("{} at {:?}", diagnostic.message, diagnostic.span));
    (graph, said.collect())
}

/// Both paths must return the same scene with the same spans, except that nodes shared with the
/// previous frame keep their spans. Both must report the same problems in changed values. Problems
/// in unchanged values were already reported for the previous frame.
fn both_ways_agree(texts: &[String]) {
    let mut reader = FrameReader::default();
    let mut before = Graph::default();
    let mut said_before: Vec<String> = Vec::new();
    for text in texts {
        // Malformed text never reaches the reader.
        if xml::check(text).is_err() {
            continue;
        }
        let (quick, quick_said) = read(&mut reader, text);
        let (fresh, fresh_said) = read(&mut FrameReader::default(), text);
        assert_eq!(quick.is_some(), fresh.is_some(), "{text}");
        let (Some(quick), Some(fresh)) = (quick, fresh) else { continue };
        assert_eq!((quick.nodes.len(), &quick.roots), (fresh.nodes.len(), &fresh.roots), "{text}");
        for (at, (quick, fresh)) in quick.nodes.iter().zip(&fresh.nodes).enumerate() {
            let shared = before.nodes.get(at).is_some_and(|before| Arc::ptr_eq(before, quick));
            let span = if shared { fresh.span } else { quick.span };
            assert_eq!(in_order(&Node { span, ..(**quick).clone() }), in_order(fresh), "{text}");
        }
        assert!(
            quick_said.iter().all(|message| fresh_said.contains(message)),
            "{quick_said:?} of {fresh_said:?} in {text}"
        );
        let words = |message: &str| message.split_once(" at ").map(|(words, _)| words.to_owned());
        let known =
            |message: &String| said_before.iter().any(|before| words(before) == words(message));
        assert!(
            fresh_said.iter().all(|message| quick_said.contains(message) || known(message)),
            "{quick_said:?} of {fresh_said:?} in {text}"
        );
        said_before = fresh_said;
        before = quick;
    }
}

/// Sorts a node's fields into the order of its type.
fn in_order(node: &Node) -> Node {
    let mut node = node.clone();
    node.fields.sort_by_key(|(index, _)| *index);
    node
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_fast_path_agrees_with_the_slow_path(
        first in values(),
        changes in prop::collection::vec((0..10_usize, values()), 1..6),
        quotes in prop::collection::vec(prop::sample::select(vec!['"', '"', '"', '\'']), 7),
    ) {
        // Most frames differ from the previous frame in one value.
        let mut texts = vec![scene(&first, quotes[0])];
        let mut values = first;
        for ((slot, other), quote) in changes.into_iter().zip(&quotes[1..]) {
            values[slot] = other[slot].clone();
            texts.push(scene(&values, *quote));
        }
        both_ways_agree(&texts);
    }

    #[test]
    fn any_text_after_any_other(texts in prop::collection::vec(
        "<X3D[ a-z='\"]{0,8}><Scene>(<(Box|Shape|Group|b)( \
         (size|DEF|USE|x)=['\"][0-9 a&;<>]{0,5}['\"]){0,2}/?>){0,4}\
         (</(Shape|Group)>){0,2}</Scene></X3D>",
        1..5,
    )) {
        both_ways_agree(&texts);
    }

    #[test]
    fn any_words_after_a_header(header in prop::sample::select(vec![
        "#VRML V1.0 ascii\n", "#VRML V2.0 utf8\n", "#X3D V3.0 utf8\n",
    ]), words in prop::collection::vec(prop::sample::select(vec![
        "Separator", "Group", "Shape", "Transform", "children", "geometry", "Box", "Cube",
        "IndexedFaceSet", "coord", "Coordinate", "Coordinate3", "point", "coordIndex",
        "{", "}", "{", "}", "[", "]", "[", "]", "DEF", "USE", "a", "b", "0", "1", "-1", "2.5",
        "1e39", "nan", "0x7fffffff", "\"s\"", "\"", "#\n", ",", "TRUE", "NULL", "PROTO", "IS",
        "ROUTE", "a.b", "TO", "MatrixTransform", "matrix", "Material", "diffuseColor",
        "MaterialBinding", "value", "PER_FACE", "(", "|", ")", "Switch", "whichChild", "-3",
        "Script", "field",
    ]), 0..60)) {
        exercise(format!("{header}{}", words.join(" ")).as_bytes());
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        exercise(&bytes);
        exercise(&[b"#VRML V2.0 utf8\n", &bytes[..]].concat());
        exercise(&[b"\x1f\x8b\x08\0\0\0\0\0\0\0", &bytes[..]].concat());
    }
}

/// Tests frames in which one character is replaced.
#[test]
fn any_character_may_change() {
    let text = plain_scene();
    let mut compared = 0;
    for at in 0..text.len() {
        for other in ["", "\"", "'", "&amp;", "&", "<", ">", "/", "=", " ", "2", "x", "é"] {
            let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
            let inserted = format!("{}{other}{}", &text[..at], &text[at..]);
            for changed in [changed, inserted] {
                compared += usize::from(xml::check(&changed).is_ok());
                both_ways_agree(&[text.clone(), changed, text.clone()]);
            }
        }
    }
    assert!(compared > 2000, "{compared}");
}

/// The fast path shares unchanged values.
#[test]
fn frames_share_unchanged_values() {
    let first = plain_scene();
    let second = first.replace("1 2 3", "1 2 30");
    let mut reader = FrameReader::default();
    let (a, b) = (read(&mut reader, &first).0.unwrap(), read(&mut reader, &second).0.unwrap());
    let shared = a.nodes.iter().zip(&b.nodes).filter(|(a, b)| Arc::ptr_eq(a, b)).count();
    assert_eq!((a.nodes.len(), shared), (6, 5));
}

/// Problems of a single node or field; the rest of the scene is read.
#[test]
fn small_mistakes_are_reported() {
    let said = |text: &str| {
        let parsed = Document::parse(text.as_bytes()).unwrap();
        let said = parsed.diagnostics.iter();
        said.map(|found| format!("{}: {}", found.code.id, found.message)).collect::<Vec<_>>()
    };
    let classic = |text: &str| said(&format!("#X3D V3.3 utf8\n{text}"));
    assert_eq!(classic("BooleanSequencer { key [0 1] keyValue [TRUE FALSE] }"), [""; 0]);
    assert_eq!(classic("BooleanSequencer { keyValue [TRUE 3] }").len(), 1);
    assert_eq!(
        classic("TextureCoordinate3D { point [0 0 0]"),
        ["x3d-unclosed: TextureCoordinate3D has no closing brace"]
    );
    let document = Document::parse(&b"<X3D><Scene/></X3D>"[..]).unwrap().value;
    assert_eq!(document.version().name(), "X3D XML");
    let xml = |text: &str| said(&format!("<X3D><Scene>{text}</Scene></X3D>"));
    assert_eq!(xml("<Shape><Box/></Shape>"), [""; 0]);
    assert_eq!(
        xml("<Shape geometry='Box'/>"),
        ["x3d-unknown-field: `geometry` of Shape contains nodes, which must be child elements \
             in XML"]
    );
    assert_eq!(
        xml("<Shape><Box/><Sphere/></Shape>"),
        ["x3d-count: Shape already has a node in geometry"]
    );
}

/// Includes are counted and charged, even if they are all of the same file.
#[test]
fn includes_are_limited() {
    struct Same;
    impl Resolver for Same {
        fn read(&mut self, _: &str) -> Result<Vec<u8>, ResolveError> {
            Ok(b"<X3D><Scene><Shape><Box/></Shape></Scene></X3D>".to_vec())
        }
        fn exists(&mut self, _: &str) -> bool {
            true
        }
    }
    let said = |count: usize, options: &ToIr| {
        let text: String = (0..count).map(|n| format!("<Inline url='\"{n}.x3d\"'/>")).collect();
        let text = format!("<X3D><Scene>{text}</Scene></X3D>");
        let document = Document::parse(text.as_bytes()).unwrap().value;
        let losses = to_ir_with(&document, options, &mut Same, &[]).losses;
        let files = losses.iter().filter(|loss| loss.code == &codes::FILE);
        files.map(|loss| loss.message.clone()).collect::<Vec<_>>()
    };
    let most = ToIr::default();
    assert_eq!(said(10_000, &most), [""; 0]);
    assert_eq!(said(10_002, &most), ["the scene has more than 10000 includes in total"; 2]);
    let limits = Limits { memory: Some(1000), ..Limits::default() };
    let few = said(100, &most.with_limits(limits));
    assert!(few.iter().any(|message| message.contains("included files")), "{few:?}");
}

/// Triangulating a concave polygon takes more than linear time, so its size is limited. The other
/// faces are kept.
#[test]
fn concave_polygons_are_limited() {
    let text = "<X3D><Scene><Shape><IndexedFaceSet convex='false' coordIndex='0 1 2 3 4 -1 0 1 2 \
                -1'><Coordinate point='0 0 0 2 0 0 2 2 0 1 0.5 0 0 2 0'/></IndexedFaceSet></Shape>\
                </Scene></X3D>";
    let document = Document::parse(text.as_bytes()).unwrap().value;
    let read = |concave_corners| {
        let limits = Limits { concave_corners, ..Limits::default() };
        let read = to_ir(&document, &ToIr::default().with_limits(limits));
        let limited = read.losses.count(&codes::GEOMETRY_LIMIT);
        (limited, read.value.meshes[0].primitives[0].indices.len() / 3)
    };
    assert_eq!((read(5), read(4)), ((0, 4), (1, 1)));
}

/// A short file may use the points of a `Coordinate` in many sets without indices, or a geometry in
/// many shapes with different materials. What is used once, and small sets, are always affordable.
#[test]
fn geometries_that_many_shapes_repeat_are_limited() {
    let read = |first: &str, shape: &dyn Fn(u32) -> String, count: u32| {
        let points = "0 0 0 1 0 0 1 1 0 0 1 0 ".repeat(2500);
        let index = "0 1 2 3 -1 ".repeat(2500);
        let first = first.replace("POINTS", &points).replace("INDEX", &index);
        let shapes: String = (0..count).map(shape).collect();
        let text = format!("<X3D><Scene><Shape>{first}</Shape>{shapes}</Scene></X3D>");
        let document = Document::parse(text.as_bytes()).unwrap().value;
        let read = to_ir(&document, &ToIr::default());
        let refused = read.losses.count(&codes::GEOMETRY_LIMIT);
        assert_eq!(refused + read.value.nodes.len() as u64, u64::from(count) + 1, "all or told");
        refused
    };
    // 32 MB and four times the file, at 8 bytes a corner, are 4.2 million corners.
    let quads = "<QuadSet DEF='g'><Coordinate DEF='c' point='POINTS'/></QuadSet>";
    let sharing = |_| "<Shape><QuadSet><Coordinate USE='c'/></QuadSet></Shape>".to_owned();
    assert!((550..600).contains(&read(quads, &sharing, 1000)));
    assert_eq!(read(quads, &sharing, 400), 0);
    let lines =
        |_| "<Shape><LineSet vertexCount='4'><Coordinate USE='c'/></LineSet></Shape>".to_owned();
    assert_eq!(read(quads, &lines, 1000), 0);
    let colored = |node: &'static str| {
        move |number: u32| {
            let red = f64::from(number) / 1000.0;
            let look = format!("<Appearance><Material diffuseColor='{red} 0 0'/></Appearance>");
            format!("<Shape>{look}<{node} USE='g'/></Shape>")
        }
    };
    assert!((550..600).contains(&read(quads, &colored("QuadSet"), 1000)));
    assert_eq!(read(quads, &colored("QuadSet"), 400), 0);
    let faces = "<IndexedFaceSet DEF='g' coordIndex='INDEX'><Coordinate point='POINTS'/>\
                 </IndexedFaceSet>";
    assert!((600..700).contains(&read(faces, &colored("IndexedFaceSet"), 1000)));
    assert_eq!(read(faces, &colored("IndexedFaceSet"), 300), 0);
}

fn compressed(text: &str) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

/// The size limit is that of the text, however small it is compressed.
#[test]
fn compressed_text_is_limited() {
    let bytes = compressed(&format!("<X3D><Scene/></X3D>{}", " ".repeat(100_000)));
    let parse = |input_bytes| {
        let limits = Limits { input_bytes, ..Limits::default() };
        Document::parse_with(bytes.as_slice(), &ParseOptions::default().with_limits(limits))
    };
    let error = parse(10_000).unwrap_err().to_string();
    assert!(error.starts_with("the unpacked file must not exceed 10000 bytes"), "{error}");
    assert!(parse(200_000).is_ok());
}

/// The error states the memory that the whole text needs, although unpacking stops at the limit.
#[test]
fn the_memory_for_compressed_text_is_known() {
    let bytes = compressed(&format!("<X3D><Scene/></X3D>{}", " ".repeat(999_981)));
    let parse = |memory| {
        let limits = Limits { memory: Some(memory), ..Limits::default() };
        Document::parse_with(bytes.as_slice(), &ParseOptions::default().with_limits(limits))
    };
    let error = parse(2_000_000).unwrap_err().to_string();
    assert!(
        error.starts_with("the unpacked bytes need a memory limit of at least 16 MB"),
        "{error}"
    );
    assert!(parse(17_000_000).is_ok());
}

/// Nodes and strings that are all alike take little compressed, but as much memory as any others.
#[test]
fn compressed_nodes_and_strings_are_limited() {
    let nodes = |count: usize| format!("<X3D><Scene>{}</Scene></X3D>", "<Group/>".repeat(count));
    let strings =
        |count: usize| format!("#X3D V3.3 utf8\nWorldInfo {{ info [{}] }}", "\"\"".repeat(count));
    for (few, many, what) in [
        (nodes(100_000), nodes(600_000), "the unpacked nodes"),
        (strings(2_000_000), strings(6_000_000), "the unpacked strings"),
    ] {
        assert!(Document::parse(compressed(&few)).is_ok(), "{what}");
        let error = Document::parse(compressed(&many)).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    }
}

/// A reference is longer than the character it stands for.
#[test]
fn errors_after_references_are_in_their_place() {
    let text = "<X3D><Scene><Shape><IndexedFaceSet>\
        <Coordinate point='0 0 0&#10;1 0 0\r\n &amp; 0 1 0'/>\
        </IndexedFaceSet></Shape></Scene></X3D>";
    let parsed = Document::parse(text.as_bytes()).unwrap();
    let found: Vec<_> = parsed.diagnostics.iter().map(|found| found.span.unwrap()).collect();
    let [span] = found[..] else { panic!("{found:?}") };
    assert_eq!((&text[span.start..span.end], span.start), ("&amp;", text.find("&amp;").unwrap()));
}
