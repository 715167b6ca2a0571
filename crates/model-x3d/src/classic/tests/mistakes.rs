//! Error recovery: each text has one error, and everything else is read.

use super::parse::parse;
use crate::version::Version;

/// Each line contains the reported code, a text with marks around the reported span (`\n` is a line
/// break), and the nodes that are read. Lines that start with a space continue the previous line.
const VRML_97: &str = r#"
// Values.
x3d-count: Box { size «1 2» } Cone { } => #0 Box|#1 Cone|#0 #1
x3d-count: Box { size «1 2» # 3\n solid FALSE } => #0 Box solid=false|#0
x3d-count: Box { size «1 2 3 4» solid FALSE } => #0 Box solid=false|#0
x3d-number: Box { size 1 «x» 3 solid FALSE } => #0 Box solid=false|#0
x3d-number: Box { size 1 2 3,«5.6.7» solid FALSE } => #0 Box solid=false|#0
x3d-number: Box { size «nan» 2 3 solid FALSE } => #0 Box solid=false|#0
x3d-number: Box { size «-1.#IND» 2 3 solid FALSE } => #0 Box solid=false|#0
x3d-number: Coordinate { point [ 1 2 «1.#QNAN0» -1.#IND,1.#INF ] } Box { }
  => #0 Coordinate|#1 Box|#0 #1
x3d-number: Box { size «solid» FALSE } => #0 Box solid=false|#0
x3d-number: Box { size «"2"» solid FALSE } => #0 Box solid=false|#0
x3d-number: Box { size «}» => #0 Box|#0
x3d-number: Box { size «[» 1 2 3 ] solid FALSE } => #0 Box solid=false|#0
x3d-boolean: Box { solid «1» size 1 2 3 } => #0 Box size=[1.0, 2.0, 3.0]|#0
x3d-count: Coordinate { point «[ 1 2 3 4 ]» } Box { } => #0 Coordinate|#1 Box|#0 #1
x3d-number: Coordinate { point [ 1 2 3 «y» 5 6 ] } Box { } => #0 Coordinate|#1 Box|#0 #1
x3d-syntax: Coordinate { point [ 1 2 3 «}» Box { } => #0 Coordinate|#1 Box|#0 #1
x3d-integer: IndexedFaceSet { coordIndex [ 0 1 2 -1 «solid» FALSE }
  => #0 IndexedFaceSet solid=false|#0
x3d-integer: IndexedFaceSet { coordIndex [ 0 «1.5» ] solid FALSE }
  => #0 IndexedFaceSet solid=false|#0
x3d-string: Text { string [ "a" «b» ] solid TRUE } => #0 Text solid=true|#0
x3d-string: Inline { url «b.wrl» load FALSE } => #0 Inline load=false|#0
// Fields.
x3d-unknown-field: Box { «sise» 1 2 3 solid FALSE } => #0 Box solid=false|#0
x3d-unknown-field: Box { «a» [ 1 Cone { b [ ] } ] solid FALSE } => #0 Box solid=false|#0
x3d-unknown-field: Box { «a» DEF B Cone { height 2 } solid FALSE } => #0 Box solid=false|#0
x3d-unknown-field: Box { «a» USE B solid FALSE } => #0 Box solid=false|#0
x3d-unknown-field: Box { «a» solid FALSE } => #0 Box solid=false|#0
x3d-unknown-field: Box { «a» } => #0 Box|#0
x3d-syntax: Box { size «IS» a solid FALSE } => #0 Box solid=false|#0
x3d-repeated-field: Box { size 1 1 1 «size» 2 2 2 } => #0 Box size=[2.0, 2.0, 2.0]|#0
x3d-syntax: Box { solid TRUE «3» } => #0 Box solid=true|#0
x3d-syntax: Box { solid TRUE «"a"» size 1 1 1 } => #0 Box solid=true size=[1.0, 1.0, 1.0]|#0
// Nodes.
x3d-unknown-node: «Sphear» { radius [ 1 } Box { } => #0 Box|#0
x3d-unknown-node: Group { children [ «Sphear» { a "}" # }\n } Box { } ] }
  => #0 Group children=<#1>|#1 Box|#0
x3d-syntax: Group { «Shape» { geometry Box { } } visible FALSE } => #0 Group visible=false|#0
x3d-syntax: Group { «DEF» A Shape { } visible FALSE } => #0 Group visible=false|#0
x3d-syntax: Group { children [ Box { } «visible» FALSE }
  => #0 Group children=<#1> visible=false|#1 Box|#0
x3d-syntax: Group { children [ Box { } «}» Cone { } => #0 Group children=<#1>|#1 Box|#2 Cone|#0 #2
x3d-syntax: Group { children [ «3» Box { } ] } => #0 Group children=<#1>|#1 Box|#0
x3d-syntax: Group { children «3» visible FALSE } => #0 Group visible=false|#0
x3d-syntax: Group { children «visible» FALSE } => #0 Group visible=false|#0
x3d-count: Shape { geometry [ Box { } «Cone» { } ] } => #0 Shape geometry=<#1>|#1 Box|#2 Cone|#0
x3d-syntax: Box { } «}» Cone { } => #0 Box|#1 Cone|#0 #1
x3d-syntax: Box { } «NULL» Cone { } => #0 Box|#1 Cone|#0 #1
x3d-syntax: PROTO A [ «size» ] { Box { } } Cone { } => #0 Cone|#0
x3d-syntax: Box { } DEF Cone «{» } => #0 Box|#0
x3d-syntax: DEF «{» } => 
x3d-unclosed: Box { } Group { children «Cone» { => #0 Box|#1 Group children=<#2>|#2 Cone|#0 #1
x3d-unclosed: Box { } «Odd» { a { => #0 Box|#0
x3d-string: Inline { url «"a }» => #0 Inline|#0
"#;

const VRML_1: &str = r#"
x3d-unknown-field: Separator { «foo» 3 Cube { } } => #0 Separator children=<#1>|#1 Cube|#0
x3d-unknown-field: Separator { «foo» (A | B) Cube { } } => #0 Separator children=<#1>|#1 Cube|#0
x3d-syntax: Separator { renderCulling «Cube» { } } => #0 Separator children=<#1>|#1 Cube|#0
x3d-integer: Switch { whichChild «Cube» { } } => #0 Switch children=<#1>|#1 Cube|#0
x3d-syntax: Cube { «Sphere» { } width 3 } => #0 Cube width=[3.0]|#0
x3d-unknown-field: Group { «children» [ ] Cube { } } => #0 Group children=<#1>|#1 Cube|#0
x3d-syntax: Cone { parts «(SIDES» | BOTTOM height 3 } => #0 Cone height=[3.0]|#0
x3d-unknown-node: Separator { «Shape» { } Cube { } } => #0 Separator children=<#1>|#1 Cube|#0
x3d-count: Separator { Coordinate3 { point «[ 1 2 ]» } Cube { } }
  => #0 Separator children=<#1 #2>|#1 Coordinate3|#2 Cube|#0
x3d-string: Info { string «}» => #0 Info|#0
"#;

#[test]
fn errors_are_skipped_and_the_rest_is_read() {
    for (version, mistakes) in [(Version::Vrml97, VRML_97), (Version::Vrml1, VRML_1)] {
        for line in
            mistakes.replace("\n  ", " ").trim().lines().filter(|line| !line.starts_with("//"))
        {
            let (code, case) = line.split_once(": ").unwrap();
            let (marked, nodes) = case.split_once(" => ").unwrap();
            let marked = marked.replace("\\n", "\n");
            let [before, place, after] = *marked.split(['«', '»']).collect::<Vec<_>>() else {
                panic!("{line}")
            };
            let text = [before, place, after].concat();
            let (lines, said) = parse(&text, version);
            assert_eq!(lines.join("|"), nodes, "{line}");
            let place = &text[before.len()..before.len() + place.len()];
            let is_said = said.iter().any(|(found, at)| *found == code && std::ptr::eq(*at, place));
            assert!(is_said, "{line}: {said:?}");
        }
    }
}
