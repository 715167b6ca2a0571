#![allow(clippy::string_slice)]

use std::time::{Duration, Instant};

use super::*;

/// One line a node: number, type, name, fields; then the nodes at the top.
fn show(graph: &Graph) -> Vec<String> {
    let ids =
        |ids: &[NodeId]| ids.iter().map(|id| format!("#{}", id.0)).collect::<Vec<_>>().join(" ");
    let node = |(at, node): (usize, &Arc<Node>)| {
        let name = node.name.as_ref().map_or(String::new(), |name| format!(" {name}"));
        let fields = node.fields.iter().map(|(index, value)| {
            let field = node.kind.fields[usize::from(*index)].name;
            match value {
                Value::Bool(flag) => format!(" {field}={flag}"),
                Value::Ints(numbers) => format!(" {field}={numbers:?}"),
                Value::Floats(numbers) => format!(" {field}={numbers:?}"),
                Value::Strings(strings) => format!(" {field}={strings:?}"),
                Value::Nodes(nodes) => format!(" {field}=<{}>", ids(nodes)),
            }
        });
        format!("#{at} {}{name}{}", node.kind.name, fields.collect::<String>())
    };
    graph.nodes.iter().enumerate().map(node).chain([ids(&graph.roots)]).collect()
}

/// What is made of a text, and what is said: codes, each with the text that it points at.
fn parse(text: &str, version: Version) -> (Vec<String>, Vec<(&'static str, &str)>) {
    let mut diagnostics = Diagnostics::new();
    let graph = read(text, version, &Limits::default(), &mut diagnostics);
    let said = diagnostics
        .iter()
        .map(|d| (d.code.id, &text[d.span.unwrap().start..d.span.unwrap().end]))
        .collect();
    (show(&graph), said)
}

#[track_caller]
fn check(text: &str, version: Version, expected: &[&str], said: &[(&str, &str)]) {
    assert_eq!(
        parse(text, version),
        (expected.iter().map(|line| (*line).to_owned()).collect(), said.to_vec()),
        "{text}"
    );
}

const SAMPLE_1: &str = r#"#VRML V1.0 ascii
# a scene
Separator {
    renderCulling OFF
    Switch { whichChild -1 DEF Faces Separator {
        Texture2 { filename //../../textures/a#1.jpg wrapS CLAMP image 1 1 1 0xFF }
        Coordinate3 { point [ 0 0 0, # the first
            1 0 0,
            0 1 0, ] }
        IndexedFaceSet { coordIndex [ 0, 1, 2, -1 ] }
    } }
    MatrixTransform { matrix 1 0 0 0  0 1 0 0  0 0 1 0  5 6 7 1 }
    Cone { parts (SIDES | BOTTOM) height 3 }
    Cylinder { parts ALL }
    Odd { fields [ SFFloat a, MFNode b ] isA [ "Cone" ] a 3 Cube { } }
    PointLight { on 0 }
    AsciiText { string [ "a b", c ] }
    WWWInline { name "b.wrl" separate FALSE }
    USE Faces
}
Cube.001"#;

const SAMPLE_97: &str = r#"#VRML V2.0 utf8
PROTO P [ field MFNode x [ Box { } ] eventIn SFBool go ] { Group { children IS x } }
EXTERNPROTO Q [ field SFFloat a ] "q.wrl#Q"
DEF T Transform {
    translation 1 -2.5 +3e1
    rotation 0 1 0 1.5 # a quarter
    children [
        DEF S Shape {
            appearance Appearance { material Material { diffuseColor 1, 0, 0 } texture ImageTexture { url "a \"b\".png" } }
            geometry IndexedFaceSet { solid FALSE coordIndex [ 0 1 2 -1 ] coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } }
        }
        P { x [ Sphere { } ] }
        USE S
    ]
    ROUTE A.b TO C.d
}
Script { url [ "x" "y" ] field SFNode t USE T eventIn SFBool go field MFFloat f [ 1 2 ] field SFString s "}" directOutput TRUE eventOut SFTime end }
Switch { whichChoice 0 choice Group { } }
"#;

const SAMPLE_X3D: &str = r#"#X3D V3.3 utf8
PROFILE Interchange
COMPONENT Geometry3D:4
META "title" "a } b"
UNIT length feet 0.3048
NavigationInfo { type [ "FLY", "ANY" ] headlight false avatarSize 0.25 }
Inline { url "b.x3dv" load TRUE }
IMPORT I.a AS b
EXPORT T AS u
Shape { geometry NULL metadata MetadataInteger { name "n" value [ 0x10 -7 ] } }
"#;

/// Each with the start of its last node at the top.
const SAMPLES: [(&str, Version, &str); 3] = [
    (SAMPLE_1, Version::Vrml1, "\nSeparator {"),
    (SAMPLE_97, Version::Vrml97, "\nSwitch {"),
    (SAMPLE_X3D, Version::X3dClassic, "\nShape {"),
];

#[test]
fn vrml_1() {
    check(
        SAMPLE_1,
        Version::Vrml1,
        &[
            r##"#0 Separator renderCulling=["OFF"] children=<#1 #6 #7 #8 #9 #10 #11 #2>"##,
            "#1 Switch whichChild=[-1] children=<#2>",
            "#2 Separator Faces children=<#3 #4 #5>",
            r##"#3 Texture2 filename=["//../../textures/a#1.jpg"] wrapS=["CLAMP"] image=[1, 1, 1, 255]"##,
            "#4 Coordinate3 point=[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]",
            "#5 IndexedFaceSet coordIndex=[0, 1, 2, -1]",
            "#6 MatrixTransform matrix=[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, \
             0.0, 5.0, 6.0, 7.0, 1.0]",
            r##"#7 Cone parts=["SIDES", "BOTTOM"] height=[3.0]"##,
            r##"#8 Cylinder parts=["ALL"]"##,
            "#9 PointLight on=false",
            r##"#10 AsciiText string=["a b", "c"]"##,
            r##"#11 WWWInline name=["b.wrl"] separate=false"##,
            "#0",
        ],
        &[("x3d-unknown-node", "Odd"), ("x3d-syntax", "Cube.001")],
    );
}

#[test]
fn vrml_97() {
    check(
        SAMPLE_97,
        Version::Vrml97,
        &[
            "#0 Transform T translation=[1.0, -2.5, 30.0] rotation=[0.0, 1.0, 0.0, 1.5] \
             children=<#1 #1>",
            "#1 Shape S appearance=<#2> geometry=<#5>",
            "#2 Appearance material=<#3> texture=<#4>",
            "#3 Material diffuseColor=[1.0, 0.0, 0.0]",
            r##"#4 ImageTexture url=["a \"b\".png"]"##,
            "#5 IndexedFaceSet solid=false coordIndex=[0, 1, 2, -1] coord=<#6>",
            "#6 Coordinate point=[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]",
            r##"#7 Script url=["x", "y"] directOutput=true"##,
            "#8 Switch whichChoice=[0] children=<#9>",
            "#9 Group",
            "#0 #7 #8",
        ],
        &[
            ("x3d-proto", "PROTO"),
            ("x3d-proto", "EXTERNPROTO"),
            ("x3d-unknown-node", "P"),
            ("x3d-route", "ROUTE"),
        ],
    );
}

#[test]
fn x3d_classic() {
    check(
        SAMPLE_X3D,
        Version::X3dClassic,
        &[
            r##"#0 NavigationInfo type=["FLY", "ANY"] headlight=false avatarSize=[0.25]"##,
            r##"#1 Inline url=["b.x3dv"] load=true"##,
            "#2 Shape metadata=<#3>",
            r##"#3 MetadataInteger name=["n"] value=[16, -7]"##,
            "#0 #1 #2",
        ],
        &[("x3d-route", "IMPORT"), ("x3d-route", "EXPORT")],
    );
}

#[test]
fn names_hold_from_the_end_of_their_node_on() {
    let v97 = Version::Vrml97;
    check("DEF A Group { children USE A }", v97, &["#0 Group A", "#0"], &[("x3d-use", "A")]);
    check(
        "Group { children USE A } DEF A Group { }",
        v97,
        &["#0 Group", "#1 Group A", "#0 #1"],
        &[("x3d-use", "A")],
    );
    check(
        "DEF A Box { } DEF A Cone { } USE A DEF B Group { children [ USE A ] }",
        v97,
        &["#0 Box A", "#1 Cone A", "#2 Group B children=<#1>", "#0 #1 #1 #2"],
        &[("x3d-repeated-name", "A")],
    );
    // What a node is called inside of one that is skipped is not known outside.
    check(
        "Nothing { a DEF A Box { } } USE A",
        v97,
        &[""],
        &[("x3d-unknown-node", "Nothing"), ("x3d-use", "A")],
    );
    let limits = Limits { name_bytes: 3, ..Limits::default() };
    let mut diagnostics = Diagnostics::new();
    let graph = read("DEF long Box { } DEF abc Box { }", v97, &limits, &mut diagnostics);
    assert_eq!(show(&graph), ["#0 Box", "#1 Box abc", "#0 #1"]);
    assert_eq!(diagnostics.count(&codes::NAME), 1);
}

/// One thing is wrong in each, and everything else stands.
#[test]
fn what_is_wrong_is_skipped_and_the_rest_stands() {
    for (text, nodes, code, at) in [
        // Values.
        ("Box { size 1 2 } Cone { }", "#0 Box|#1 Cone|#0 #1", "x3d-count", "1 2"),
        ("Box { size 1 2 # 3\n solid FALSE }", "#0 Box solid=false|#0", "x3d-count", "1 2"),
        ("Box { size 1 2 3 4 solid FALSE }", "#0 Box solid=false|#0", "x3d-count", "1 2 3 4"),
        ("Box { size 1 x 3 solid FALSE }", "#0 Box solid=false|#0", "x3d-number", "x"),
        ("Box { size 1 2 3,5.6.7 solid FALSE }", "#0 Box solid=false|#0", "x3d-number", "5.6.7"),
        ("Box { size nan 2 3 solid FALSE }", "#0 Box solid=false|#0", "x3d-number", "nan"),
        ("Box { size solid FALSE }", "#0 Box solid=false|#0", "x3d-number", "solid"),
        ("Box { size \"2\" solid FALSE }", "#0 Box solid=false|#0", "x3d-number", "\"2\""),
        ("Box { size }", "#0 Box|#0", "x3d-number", "}"),
        ("Box { size [ 1 2 3 ] solid FALSE }", "#0 Box solid=false|#0", "x3d-number", "["),
        ("Box { solid 1 size 1 2 3 }", "#0 Box size=[1.0, 2.0, 3.0]|#0", "x3d-boolean", "1"),
        (
            "Coordinate { point [ 1 2 3 4 ] } Box { }",
            "#0 Coordinate|#1 Box|#0 #1",
            "x3d-count",
            "[ 1 2 3 4 ]",
        ),
        (
            "Coordinate { point [ 1 2 3 y 5 6 ] } Box { }",
            "#0 Coordinate|#1 Box|#0 #1",
            "x3d-number",
            "y",
        ),
        ("Coordinate { point [ 1 2 3 } Box { }", "#0 Coordinate|#1 Box|#0 #1", "x3d-syntax", "}"),
        (
            "IndexedFaceSet { coordIndex [ 0 1 2 -1 solid FALSE }",
            "#0 IndexedFaceSet solid=false|#0",
            "x3d-integer",
            "solid",
        ),
        (
            "IndexedFaceSet { coordIndex [ 0 1.5 ] solid FALSE }",
            "#0 IndexedFaceSet solid=false|#0",
            "x3d-integer",
            "1.5",
        ),
        ("Text { string [ \"a\" b ] solid TRUE }", "#0 Text solid=true|#0", "x3d-string", "b"),
        ("Inline { url b.wrl load FALSE }", "#0 Inline load=false|#0", "x3d-string", "b.wrl"),
        // Fields.
        ("Box { sise 1 2 3 solid FALSE }", "#0 Box solid=false|#0", "x3d-unknown-field", "sise"),
        (
            "Box { a [ 1 Cone { b [ ] } ] solid FALSE }",
            "#0 Box solid=false|#0",
            "x3d-unknown-field",
            "a",
        ),
        (
            "Box { a DEF B Cone { height 2 } solid FALSE }",
            "#0 Box solid=false|#0",
            "x3d-unknown-field",
            "a",
        ),
        ("Box { a USE B solid FALSE }", "#0 Box solid=false|#0", "x3d-unknown-field", "a"),
        ("Box { a solid FALSE }", "#0 Box solid=false|#0", "x3d-unknown-field", "a"),
        ("Box { a }", "#0 Box|#0", "x3d-unknown-field", "a"),
        ("Box { size IS a solid FALSE }", "#0 Box solid=false|#0", "x3d-syntax", "IS"),
        (
            "Box { size 1 1 1 size 2 2 2 }",
            "#0 Box size=[2.0, 2.0, 2.0]|#0",
            "x3d-repeated-field",
            "size",
        ),
        ("Box { solid TRUE 3 }", "#0 Box solid=true|#0", "x3d-syntax", "3"),
        (
            "Box { solid TRUE \"a\" size 1 1 1 }",
            "#0 Box solid=true size=[1.0, 1.0, 1.0]|#0",
            "x3d-syntax",
            "\"a\"",
        ),
        // Nodes.
        ("Sphear { radius [ 1 } Box { }", "#0 Box|#0", "x3d-unknown-node", "Sphear"),
        (
            "Group { children [ Sphear { a \"}\" # }\n } Box { } ] }",
            "#0 Group children=<#1>|#1 Box|#0",
            "x3d-unknown-node",
            "Sphear",
        ),
        (
            "Group { Shape { geometry Box { } } visible FALSE }",
            "#0 Group visible=false|#0",
            "x3d-syntax",
            "Shape",
        ),
        (
            "Group { DEF A Shape { } visible FALSE }",
            "#0 Group visible=false|#0",
            "x3d-syntax",
            "DEF",
        ),
        (
            "Group { children [ Box { } visible FALSE }",
            "#0 Group children=<#1> visible=false|#1 Box|#0",
            "x3d-syntax",
            "visible",
        ),
        (
            "Group { children [ Box { } } Cone { }",
            "#0 Group children=<#1>|#1 Box|#2 Cone|#0 #2",
            "x3d-syntax",
            "}",
        ),
        ("Group { children [ 3 Box { } ] }", "#0 Group children=<#1>|#1 Box|#0", "x3d-syntax", "3"),
        ("Group { children 3 visible FALSE }", "#0 Group visible=false|#0", "x3d-syntax", "3"),
        ("Group { children visible FALSE }", "#0 Group visible=false|#0", "x3d-syntax", "visible"),
        (
            "Shape { geometry [ Box { } Cone { } ] }",
            "#0 Shape geometry=<#1>|#1 Box|#2 Cone|#0",
            "x3d-count",
            "Cone",
        ),
        ("Box { } } Cone { }", "#0 Box|#1 Cone|#0 #1", "x3d-syntax", "}"),
        ("Box { } DEF Cone { }", "#0 Box|#0", "x3d-syntax", "{"),
        ("DEF { }", "", "x3d-syntax", "{"),
        (
            "Box { } Group { children Cone {",
            "#0 Box|#1 Group children=<#2>|#2 Cone|#0 #1",
            "x3d-unclosed",
            "Cone",
        ),
        ("Box { } Odd { a {", "#0 Box|#0", "x3d-unclosed", "Odd"),
        ("Inline { url \"a }", "#0 Inline|#0", "x3d-string", "\"a }"),
    ] {
        let (lines, said) = parse(text, Version::Vrml97);
        assert_eq!(lines.join("|"), nodes, "{text}");
        assert!(said.contains(&(code, at)), "{text}: {said:?}");
    }
    for (text, nodes, code, at) in [
        (
            "Separator { foo 3 Cube { } }",
            "#0 Separator children=<#1>|#1 Cube|#0",
            "x3d-unknown-field",
            "foo",
        ),
        (
            "Separator { foo (A | B) Cube { } }",
            "#0 Separator children=<#1>|#1 Cube|#0",
            "x3d-unknown-field",
            "foo",
        ),
        (
            "Separator { renderCulling Cube { } }",
            "#0 Separator children=<#1>|#1 Cube|#0",
            "x3d-syntax",
            "Cube",
        ),
        (
            "Switch { whichChild Cube { } }",
            "#0 Switch children=<#1>|#1 Cube|#0",
            "x3d-integer",
            "Cube",
        ),
        ("Cube { Sphere { } width 3 }", "#0 Cube width=[3.0]|#0", "x3d-syntax", "Sphere"),
        (
            "Group { children [ ] Cube { } }",
            "#0 Group children=<#1>|#1 Cube|#0",
            "x3d-unknown-field",
            "children",
        ),
        (
            "Cone { parts (SIDES | BOTTOM height 3 }",
            "#0 Cone height=[3.0]|#0",
            "x3d-syntax",
            "(SIDES",
        ),
        (
            "Separator { Shape { } Cube { } }",
            "#0 Separator children=<#1>|#1 Cube|#0",
            "x3d-unknown-node",
            "Shape",
        ),
        (
            "Separator { Coordinate3 { point [ 1 2 ] } Cube { } }",
            "#0 Separator children=<#1 #2>|#1 Coordinate3|#2 Cube|#0",
            "x3d-count",
            "[ 1 2 ]",
        ),
        ("Info { string }", "#0 Info|#0", "x3d-string", "}"),
    ] {
        let (lines, said) = parse(text, Version::Vrml1);
        assert_eq!(lines.join("|"), nodes, "{text}");
        assert!(said.contains(&(code, at)), "{text}: {said:?}");
    }
}

#[test]
fn legal_variety() {
    let v97 = Version::Vrml97;
    check("\u{feff}#VRML V2.0 utf8\r\nBox{solid FALSE}", v97, &["#0 Box solid=false", "#0"], &[]);
    check("Box{size 1,2 3}#end", v97, &["#0 Box size=[1.0, 2.0, 3.0]", "#0"], &[]);
    check(
        "Color{color[1 0 0#red\r0 1 0]}",
        v97,
        &["#0 Color color=[1.0, 0.0, 0.0, 0.0, 1.0, 0.0]", "#0"],
        &[],
    );
    check("Coordinate { point 1 2 3 }", v97, &["#0 Coordinate point=[1.0, 2.0, 3.0]", "#0"], &[]);
    check("Coordinate { point [ ] }", v97, &["#0 Coordinate point=[]", "#0"], &[]);
    check("Group { children [ ] }", v97, &["#0 Group children=<>", "#0"], &[]);
    check("DEF Größe.001 Group { } USE Größe.001", v97, &["#0 Group Größe.001", "#0 #0"], &[]);
    check("", v97, &[""], &[]);
    check("# nothing", v97, &[""], &[]);
}

#[test]
fn a_node_of_the_other_language_is_told() {
    let mut diagnostics = Diagnostics::new();
    read("Shape { }", Version::Vrml1, &Limits::default(), &mut diagnostics);
    assert_eq!(diagnostics.iter().next().unwrap().help.as_deref(), Some("VRML 97 and X3D have it"));
}

#[test]
fn samples_may_end_anywhere() {
    for (text, version, last) in SAMPLES {
        let whole = parse(text, version).0.len();
        let inside = text.find(last).unwrap() + last.len()..=text.rfind('}').unwrap();
        assert!(!inside.is_empty());
        for end in 0..=text.len() {
            let (lines, said) = parse(&text[..end], version);
            assert!(lines.len() <= whole, "{version:?} {end}");
            let unclosed = said.iter().any(|(code, _)| *code == "x3d-unclosed");
            assert!(unclosed || !inside.contains(&end), "{version:?} {end}: {said:?}");
        }
    }
}

#[test]
fn any_byte_may_be_another() {
    for (text, version, _) in SAMPLES {
        let whole = parse(text, version).0.len();
        for at in 0..text.len() {
            for other in ["{", "}", "[", "]", "\"", "#", "(", " ", "-", "é", ""] {
                // What was skipped may now be read: no more than that.
                let (lines, _) =
                    parse(&format!("{}{other}{}", &text[..at], &text[at + 1..]), version);
                assert!(lines.len() <= whole + 6, "{version:?} {at} {other}");
            }
        }
    }
}

#[test]
fn depth_is_limited() {
    let text = format!("{}{}", "Group { children ".repeat(100_000), "}".repeat(100_000));
    let (lines, said) = parse(&text, Version::Vrml97);
    assert_eq!((lines.len(), said), (DEPTH + 1, vec![("x3d-depth", "Group")]));
    let text = "Separator{".repeat(100_000);
    let (lines, said) = parse(&text, Version::Vrml1);
    assert_eq!(
        (lines.len(), said),
        (DEPTH + 1, vec![("x3d-depth", "Separator"), ("x3d-unclosed", "Separator")])
    );
}

/// This would take minutes if a part of a file were read again and again.
#[test]
fn time_is_linear() {
    let long = |text: &str| text.repeat(300_000 / text.len());
    let start = Instant::now();
    let nodes = parse(&"Box { }\n".repeat(1_000_000), Version::X3dClassic).0;
    assert_eq!(nodes.len(), 1_000_001);
    for piece in [
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\\"",
        "(",
        "|",
        "#",
        "DEF ",
        "USE a ",
        "Box{",
        "Odd{",
        "Coordinate{point[",
        "DEF a Box{}",
        "Text{string[\"",
        "PROTO[",
        "Script{field",
        "a ",
    ] {
        for version in [Version::Vrml1, Version::Vrml97, Version::X3dClassic] {
            parse(&long(piece), version);
            parse(&format!("Group {{ children [ {}", long(piece)), version);
            parse(&format!("Separator {{ {}", long(piece)), version);
            parse(&format!("Cone {{ parts {}", long(piece)), version);
        }
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
