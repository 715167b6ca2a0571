//! Names, permitted syntax, and the cost of large texts.

use anim_ir::{Diagnostics, Limits};
use test_oracle::growth::assert_linear;

use super::parse::{check, parse, show};
use crate::classic::nodes::DEPTH;
use crate::classic::read;
use crate::codes;
use crate::version::Version;

#[test]
fn names_are_defined_at_the_end_of_their_node() {
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
    // Nodes with names inside skipped nodes may be used outside of them.
    check(
        "Nothing { a { DEF A Box { size 1 1 1 } } b DEF B Group { } Box { } } USE A",
        v97,
        &["#0 Box A size=[1.0, 1.0, 1.0]", "#1 Group B", "#0"],
        &[("x3d-unknown-node", "Nothing")],
    );
    // If these are unknown, too, only their types are errors.
    check(
        "DEF A Nothing { DEF B None { } DEF } USE A USE B USE C",
        v97,
        &[""],
        &[("x3d-unknown-node", "Nothing"), ("x3d-use", "C")],
    );
    let limits = Limits { name_bytes: 3, ..Limits::default() };
    let mut diagnostics = Diagnostics::new();
    let graph = read("DEF long Box { } DEF abc Box { }", v97, &limits, &mut diagnostics);
    assert_eq!(show(&graph), ["#0 Box", "#1 Box abc", "#0 #1"]);
    assert_eq!(diagnostics.count(&codes::NAME), 1);
}

/// A script may refer to itself and to nodes that contain it; that is not a cycle.
#[test]
fn scripts_may_refer_to_nodes_that_contain_them() {
    let v97 = Version::Vrml97;
    check("DEF S Script { field SFNode a USE S }", v97, &["#0 Script S", "#0"], &[]);
    check(
        "DEF T Transform { children Script { field MFNode a [ Group { children USE T } USE T ] } }",
        v97,
        &["#0 Transform T children=<#1>", "#1 Script", "#2 Group", "#0"],
        &[],
    );
    check(
        "Script { field SFNode a DEF T Group { children Group { children USE T } } }",
        v97,
        &["#0 Script", "#1 Group T children=<#2>", "#2 Group", "#0"],
        &[("x3d-use", "T")],
    );
}

#[test]
fn the_colon_of_a_component_may_be_surrounded_by_whitespace() {
    let odd = ["NURBS", "\"NURBS:4\""];
    for component in ["NURBS:4", "NURBS: 4", "NURBS :4", "NURBS : 4"].into_iter().chain(odd) {
        let text = format!("PROFILE Interchange COMPONENT {component} COMPONENT A:1 Box {{ }}");
        check(&text, Version::X3dClassic, &["#0 Box", "#0"], &[]);
    }
}

#[test]
fn unusual_but_valid_syntax_is_read() {
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
fn a_node_of_the_other_language_is_reported() {
    let mut diagnostics = Diagnostics::new();
    read("Shape { }", Version::Vrml1, &Limits::default(), &mut diagnostics);
    assert_eq!(
        diagnostics.iter().next().unwrap().help.as_deref(),
        Some("it is a node type of VRML 97 and X3D")
    );
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

/// No part of a file is read repeatedly, regardless of its content.
#[test]
fn time_is_linear() {
    let nodes = parse(&"Box { }\n".repeat(1_000_000), Version::X3dClassic).0;
    assert_eq!(nodes.len(), 1_000_001);
    let read = |text: &String| drop(parse(text, Version::X3dClassic));
    assert_linear("nodes", |count| "Box { }\n".repeat(count), read, 20_000);
    let marks = ["{", "}", "[", "]", "\"", "\\\"", "(", "|", "#"];
    let words = ["DEF ", "USE a ", "Box{", "Odd{", "PROTO[", "a "];
    let begun = ["Coordinate{point[", "DEF a Box{}", "Text{string[\"", "Script{field"];
    for piece in [&marks[..], &words, &begun].concat() {
        let texts = |bytes: usize| {
            ["", "Group { children [ ", "Separator { ", "Cone { parts "]
                .map(|before| format!("{before}{}", piece.repeat(bytes / piece.len())))
        };
        let read = |texts: &[String; 4]| {
            for version in [Version::Vrml1, Version::Vrml97, Version::X3dClassic] {
                texts.iter().for_each(|text| drop(parse(text, version)));
            }
        };
        assert_linear(piece, texts, read, 40_000);
    }
}
