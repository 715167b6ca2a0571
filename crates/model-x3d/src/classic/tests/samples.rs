//! A sample of each language: complete, truncated and corrupted.

use super::parse::{check, parse};
use crate::version::Version;

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
            appearance Appearance {
                material Material { diffuseColor 1, 0, 0 }
                texture ImageTexture { url "a \"b\".png" }
            }
            geometry IndexedFaceSet {
                solid FALSE coordIndex [ 0 1 2 -1 ]
                coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] }
            }
        }
        P { x [ Sphere { } ] }
        USE S
    ]
    ROUTE A.b TO C.d
}
Script {
    url [ "x" "y" ] field SFNode t USE T eventIn SFBool go field MFFloat f [ 1 2 ]
    field SFString s "}" directOutput TRUE eventOut SFTime end
}
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

/// Each sample with the start of its last root node.
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
            "#3 Texture2 filename=[\"//../../textures/a#1.jpg\"] wrapS=[\"CLAMP\"] image=[1, 1, 1, \
             255]",
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
             children=<#1 #7 #1>",
            "#1 Shape S appearance=<#2> geometry=<#5>",
            "#2 Appearance material=<#3> texture=<#4>",
            "#3 Material diffuseColor=[1.0, 0.0, 0.0]",
            r##"#4 ImageTexture url=["a \"b\".png"]"##,
            "#5 IndexedFaceSet solid=false coordIndex=[0, 1, 2, -1] coord=<#6>",
            "#6 Coordinate point=[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]",
            "#7 ProtoInstance ?=<#8>",
            "#8 Sphere",
            r##"#9 Script url=["x", "y"] directOutput=true"##,
            "#10 Switch whichChoice=[0] children=<#11>",
            "#11 Group",
            "#0 #9 #10",
        ],
        &[("x3d-route-node", "ROUTE A.b TO C.d")],
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
            "#4 Transform scale=[0.3048, 0.3048, 0.3048] children=<#0 #1 #2>",
            "#4",
        ],
        &[("x3d-route-node", "IMPORT I.a AS b"), ("x3d-route-node", "EXPORT T AS u")],
    );
}

#[test]
fn truncated_samples_are_read() {
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
fn corrupted_samples_are_read() {
    for (text, version, _) in SAMPLES {
        let whole = parse(text, version).0.len();
        for at in 0..text.len() {
            for other in ["{", "}", "[", "]", "\"", "#", "(", " ", "-", "é", ""] {
                // The corruption may cause previously skipped content to be read.
                let (lines, _) =
                    parse(&format!("{}{other}{}", &text[..at], &text[at + 1..]), version);
                assert!(lines.len() <= whole + 6, "{version:?} {at} {other}");
            }
        }
    }
}
