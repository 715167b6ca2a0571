//! One thing is wrong in each text, and everything else stands.

use super::parse::parse;
use crate::version::Version;

/// A text, the nodes that are read, what is reported, and the text that it points at.
type Mistake = (&'static str, &'static str, &'static str, &'static str);

const VRML_97: [Mistake; 44] = [
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
    ("Group { DEF A Shape { } visible FALSE }", "#0 Group visible=false|#0", "x3d-syntax", "DEF"),
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
];

const VRML_1: [Mistake; 10] = [
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
    ("Switch { whichChild Cube { } }", "#0 Switch children=<#1>|#1 Cube|#0", "x3d-integer", "Cube"),
    ("Cube { Sphere { } width 3 }", "#0 Cube width=[3.0]|#0", "x3d-syntax", "Sphere"),
    (
        "Group { children [ ] Cube { } }",
        "#0 Group children=<#1>|#1 Cube|#0",
        "x3d-unknown-field",
        "children",
    ),
    ("Cone { parts (SIDES | BOTTOM height 3 }", "#0 Cone height=[3.0]|#0", "x3d-syntax", "(SIDES"),
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
];

#[test]
fn what_is_wrong_is_skipped_and_the_rest_stands() {
    for (version, mistakes) in [(Version::Vrml97, &VRML_97[..]), (Version::Vrml1, &VRML_1)] {
        for (text, nodes, code, at) in mistakes {
            let (lines, said) = parse(text, version);
            assert_eq!(lines.join("|"), *nodes, "{text}");
            assert!(said.contains(&(code, at)), "{text}: {said:?}");
        }
    }
}
