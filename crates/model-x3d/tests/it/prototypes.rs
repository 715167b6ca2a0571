//! Instances of prototypes, compared with values computed by hand.

use std::collections::BTreeMap;

use anim_ir::{Converted, ResolveError, Resolver, Scene};
use model_x3d::{Document, ToIr, codes, to_ir_with};

use crate::common::Measures;
use crate::frames::{assert_near, seen_at};
use crate::sensors::made;

/// A triangle at the origin, as the nodes below a grouping node.
const TRIANGLE: &str = "Shape { geometry IndexedFaceSet { coordIndex [ 0 1 2 ]
    coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } } }";
const CLOCK: &str = "DEF Clock TimeSensor { cycleInterval 2 loop TRUE }
    DEF Path PositionInterpolator { key [ 0 1 ] keyValue [ 0 0 0 4 0 0 ] }
    ROUTE Clock.fraction_changed TO Path.set_fraction";

pub(crate) struct Files(BTreeMap<&'static str, String>);

impl<const N: usize> From<[(&'static str, String); N]> for Files {
    fn from(files: [(&'static str, String); N]) -> Files {
        Files(BTreeMap::from(files))
    }
}

impl Resolver for Files {
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        self.0.get(address).map(|text| text.clone().into_bytes()).ok_or(ResolveError::NotFound)
    }

    fn exists(&mut self, address: &str) -> bool {
        self.0.contains_key(address)
    }
}

/// Converts a VRML 97 scene with other files beside it.
fn beside<const N: usize>(content: &str, files: [(&'static str, &str); N]) -> Converted<Scene> {
    let text = |content: &str| format!("#VRML V2.0 utf8\n{content}");
    let document = Document::parse(text(content).into_bytes()).unwrap();
    let files = files.map(|(name, content)| (name, text(content)));
    let mut files = Files(BTreeMap::from(files));
    let mut made = to_ir_with(&document.value, &ToIr::default(), &mut files, &[]);
    made.losses.append(document.diagnostics);
    made
}

fn said(made: &Converted<Scene>) -> Vec<(&'static str, &str)> {
    made.losses.iter().map(|found| (found.code.id, found.message.as_str())).collect()
}

#[test]
fn names_are_those_of_a_body_and_each_instance_has_its_own_nodes() {
    let made = made(&format!(
        "DEF T Transform {{ translation 0 0 9 children DEF S {TRIANGLE} }}
         PROTO P [ inputOutput SFVec3f at 1 0 0 ] {{
           Group {{ children [
             DEF T Transform {{ translation IS at children DEF S {TRIANGLE} }}
             Transform {{ translation 0 5 0 children USE T }}
           ] }}
         }}
         DEF A P {{ }} DEF B P {{ at 2 0 0 }} USE T {CLOCK}
         ROUTE Path.value_changed TO A.set_at"
    ));
    assert!(made.losses.is_empty(), "{:?}", said(&made));
    // After a second, the first instance is at 2 in both places, and the second at 2 as well.
    let corners = |time| {
        let found = seen_at(&made.value, 0, time);
        found.chunks(3).map(|corners| corners[0]).collect::<Vec<_>>()
    };
    let rest = [[0.0, 0.0, 9.0], [2.0, 0.0, 0.0], [2.0, 5.0, 0.0], [0.0, 0.0, 9.0]];
    for (time, at) in [(0.0, 0.0), (0.5, 1.0), (1.75, 3.5)] {
        let first = [[at, 0.0, 0.0], [at, 5.0, 0.0]];
        let expected = [&rest[..1], &first, &rest[1..]].concat();
        assert_near(&corners(time), &expected);
    }
}

#[test]
fn routes_reach_fields_through_nested_prototypes() {
    let made = made(&format!(
        "PROTO Inner [ inputOutput SFVec3f a 0 0 0 ] {{
           Transform {{ translation IS a children {TRIANGLE} }}
         }}
         PROTO Outer [ inputOutput SFVec3f b 0 0 0 ] {{ Inner {{ a IS b }} }}
         DEF O Outer {{ b 7 0 0 }} {CLOCK} ROUTE Path.value_changed TO O.b"
    ));
    assert!(made.losses.is_empty(), "{:?}", said(&made));
    assert_near(&seen_at(&made.value, 0, 1.5)[..1], &[[3.0, 0.0, 0.0]]);
    assert_eq!(Measures::of(&made.value).bounds(), Some([7.0, 0.0, 0.0, 8.0, 1.0, 0.0]));
}

#[test]
fn sensors_in_prototypes_become_clips() {
    let made = made(&format!(
        "PROTO Mover [ ] {{
           DEF T Transform {{ children {TRIANGLE} }} {CLOCK}
           ROUTE Path.value_changed TO T.translation
         }}
         Mover {{ }} Transform {{ translation 0 0 1 children Mover {{ }} }}"
    ));
    assert!(made.losses.is_empty(), "{:?}", said(&made));
    assert_eq!(made.value.clips.len(), 2);
    let first = |clip| {
        let seen = seen_at(&made.value, clip, 0.5);
        [seen[0], seen[3]]
    };
    assert_near(&first(0), &[[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    assert_near(&first(1), &[[0.0, 0.0, 0.0], [1.0, 0.0, 1.0]]);
}

#[test]
fn prototypes_in_other_files_are_read_below_their_folder() {
    let made = beside(
        "EXTERNPROTO P [ field SFVec3f at ] \"a/p.wrl\" P { at 3 0 0 }",
        [
            ("a/p.wrl", "EXTERNPROTO P [ field SFVec3f at ] \"b/q.wrl#Q\""),
            (
                "a/b/q.wrl",
                &format!(
                    "PROTO Q [ field SFVec3f at 0 0 0 ] {{ Group {{ children [
                       Transform {{ translation IS at children {TRIANGLE} }}
                       Inline {{ url \"c.wrl\" }}
                     ] }} }}"
                ),
            ),
            ("a/b/c.wrl", TRIANGLE),
        ],
    );
    assert!(made.losses.is_empty(), "{:?}", said(&made));
    assert_eq!(Measures::of(&made.value).bounds(), Some([0.0, 0.0, 0.0, 4.0, 1.0, 0.0]));
}

#[test]
fn prototypes_that_cannot_be_found_are_reported_once() {
    for (url, code) in [
        ("\"urn:x\"", "x3d-proto"),
        ("\"p.wrl#Other\"", "x3d-proto"),
        ("[ ]", "x3d-proto"),
        ("\"missing.wrl\"", "x3d-file"),
    ] {
        let made = beside(
            &format!("EXTERNPROTO P [ ] {url} P {{ }} P {{ }} {TRIANGLE}"),
            [("p.wrl", "PROTO P [ ] { Group { } }")],
        );
        let said = said(&made);
        let codes: Vec<_> = said.iter().map(|(code, _)| *code).collect();
        assert_eq!(codes, [code, "x3d-dropped"], "{said:?}");
        assert_eq!(Measures::of(&made.value).triangles, 1);
    }
}

#[test]
fn prototypes_that_contain_each_other_are_reported() {
    let made = beside(
        "EXTERNPROTO P [ ] \"p.wrl#P\" P { }",
        [
            ("p.wrl", "EXTERNPROTO Q [ ] \"q.wrl#Q\" PROTO P [ ] { Group { children Q { } } }"),
            ("q.wrl", "EXTERNPROTO P [ ] \"p.wrl#P\" PROTO Q [ ] { Group { children P { } } }"),
        ],
    );
    assert_eq!(made.losses.count(&codes::PROTO), 1, "{:?}", said(&made));
    let made = beside("PROTO P [ ] { Group { children P { } } } P { }", []);
    assert_eq!(said(&made), [("x3d-unknown-node", "unknown node type `P`")]);
}

/// Each prototype has two instances of the one before it.
#[test]
fn nested_copies_are_limited() {
    let levels = (1..60).map(|n| {
        let inner = n - 1;
        format!("PROTO P{n} [ ] {{ Group {{ children [ P{inner} {{ }} P{inner} {{ }} ] }} }}\n")
    });
    let levels: String = levels.collect();
    let made = beside(&format!("PROTO P0 [ ] {{ {TRIANGLE} }}\n{levels} P59 {{ }}"), []);
    assert_eq!(made.losses.count(&codes::EXPANSION), 1, "{:?}", said(&made));
}

#[test]
fn a_node_cannot_contain_itself_through_a_default() {
    let made = beside(
        "PROTO P [ field MFNode x Group { children IS x } ] { Group { children IS x } } P { }",
        [],
    );
    assert_eq!(made.losses.count(&codes::SYNTAX), 1, "{:?}", said(&made));
    let xml = "<X3D><Scene><ProtoDeclare name='P'><ProtoInterface><field name='x' type='MFNode'/>
        </ProtoInterface><ProtoBody><Group><IS><connect nodeField='children' protoField='x'/></IS>
        </Group></ProtoBody></ProtoDeclare><ProtoInstance DEF='A' name='P'><fieldValue name='x'>
        <ProtoInstance USE='A' name='P'/></fieldValue></ProtoInstance></Scene></X3D>";
    let parsed = Document::parse(xml.as_bytes()).unwrap();
    assert_eq!(parsed.diagnostics.count(&codes::USE), 1);
}

#[test]
fn unusual_interfaces_are_reported() {
    for (text, code) in [
        ("PROTO P [ field MFOdd x [ 1 2 ] ] { Group { } } P { }", "x3d-proto-field"),
        (
            "PROTO P [ field SFBool x TRUE field SFBool x TRUE ] { Group { } } P { }",
            "x3d-proto-field",
        ),
        ("PROTO P [ ] { Group { children IS x } } P { }", "x3d-proto-field"),
        ("PROTO P [ field SFBool x TRUE ] { Group { odd IS x } } P { }", "x3d-unknown-field"),
        ("PROTO P [ ] { Group { } } P { x 1 }", "x3d-unknown-field"),
        ("PROTO P [ ] { } P { }", "x3d-proto"),
        ("PROTO P [ ] { Group { }", "x3d-unclosed"),
        ("PROTO P [ field SFBool x TRUE { Group { } }", "x3d-syntax"),
        ("PROTO P Group { }", "x3d-syntax"),
    ] {
        let made = beside(text, []);
        let said = said(&made);
        assert!(said.iter().any(|(found, _)| *found == code), "{text}: {said:?}");
    }
}

#[test]
fn a_field_sets_all_that_stand_for_it_and_outputs_leave_through_their_names() {
    let made = made(&format!(
        "PROTO Pair [ inputOutput SFVec3f at 0 0 0 ] {{ Group {{ children [
           Transform {{ translation IS at children {TRIANGLE} }}
           Transform {{ translation 9 9 9 translation IS at children Transform {{
             translation 0 5 0 children {TRIANGLE} }} }} ] }} }}
         PROTO Mover [ outputOnly SFVec3f moved ] {{
           Group {{ }} DEF Clock TimeSensor {{ cycleInterval 2 }}
           DEF Path PositionInterpolator {{
             key [ 0 1 ] keyValue [ 0 0 0 4 0 0 ] value_changed IS moved }}
           ROUTE Clock.fraction_changed TO Path.set_fraction
         }}
         DEF M Mover {{ }} DEF P Pair {{ }} ROUTE M.moved TO P.at"
    ));
    assert!(made.losses.count(&codes::ROUTE) == 0, "{:?}", said(&made));
    let seen = seen_at(&made.value, 0, 0.5);
    assert_near(&[seen[0], seen[3]], &[[1.0, 0.0, 0.0], [1.0, 5.0, 0.0]]);
}

#[test]
fn routes_to_fields_that_stand_for_nothing_are_reported() {
    let made = made(&format!(
        "PROTO P [ inputOutput SFVec3f at 0 0 0 inputOutput SFVec3f idle 0 0 0 ] {{
           Transform {{ translation IS at children {TRIANGLE} }} }}
         DEF A P {{ }} {CLOCK} ROUTE Path.value_changed TO A.idle
         ROUTE Path.value_changed TO A.other ROUTE Path.value_changed TO A.at"
    ));
    let expected = [
        ("x3d-route", "the route is ignored: `idle` of `P` stands for no field that can be set"),
        ("x3d-route-field", "the prototype `P` has no field `other`"),
    ];
    assert_eq!(said(&made), expected);
    assert_near(&seen_at(&made.value, 0, 0.5)[..1], &[[1.0, 0.0, 0.0]]);
}

#[test]
fn fields_of_an_extern_prototype_are_matched_by_name_and_type() {
    let file = format!(
        "PROTO P [ field SFVec3f at 1 0 0 field SFVec3f size 1 1 1 ] {{
           Transform {{ translation IS at scale IS size children {TRIANGLE} }} }}"
    );
    let show = |text: &str| beside(text, [("p.wrl", &file)]);
    let ok = show(
        "EXTERNPROTO P [ field SFVec3f size field SFVec3f at ] \"p.wrl\" P { size 2 2 2 at 3 0 0 }",
    );
    assert!(ok.losses.is_empty(), "{:?}", said(&ok));
    assert_eq!(Measures::of(&ok.value).bounds(), Some([3.0, 0.0, 0.0, 5.0, 2.0, 0.0]));
    let other = show("EXTERNPROTO P [ field SFFloat at ] \"p.wrl\" P { at 3 }");
    let message = "the file of the prototype `P` declares no field `at` of this type";
    assert_eq!(said(&other), [("x3d-proto-field", message)]);
    assert_eq!(Measures::of(&other.value).bounds(), Some([1.0, 0.0, 0.0, 2.0, 1.0, 0.0]));
}

#[test]
fn an_extern_prototype_that_leads_nowhere_is_reported() {
    for (url, message) in [
        ("#P", "more than 16 EXTERNPROTO statements"),
        ("empty.wrl", "`empty.wrl` has no prototypes"),
    ] {
        let made =
            beside(&format!("EXTERNPROTO P [ ] \"{url}\" P {{ }}"), [("empty.wrl", "Group { }")]);
        let said = said(&made);
        assert!(
            said.iter().any(|(code, text)| *code == "x3d-proto" && text.starts_with(message)),
            "{said:?}"
        );
    }
}

#[test]
fn the_depth_and_the_number_of_fields_are_limited() {
    let classic = |depth: usize| {
        format!("{}Group {{ }}{} {TRIANGLE}", "PROTO P [ ] { ".repeat(depth), " }".repeat(depth))
    };
    let xml = |depth: usize| {
        let open = "<ProtoDeclare name='P'><ProtoBody>".repeat(depth);
        let close = "</ProtoBody></ProtoDeclare>".repeat(depth);
        format!("<X3D><Scene>{open}<Group/>{close}<Group DEF='After'/></Scene></X3D>")
    };
    for depth in [3, 500] {
        let made = beside(&classic(depth), []);
        assert_eq!(made.losses.count(&codes::DEPTH) > 0, depth == 500, "{:?}", said(&made));
        assert_eq!(Measures::of(&made.value).triangles, 1);
    }
    for depth in [3, 40] {
        let parsed = Document::parse(xml(depth).into_bytes()).unwrap();
        assert_eq!(parsed.diagnostics.count(&codes::DEPTH) > 0, depth == 40);
    }
    let fields = |count: usize| (0..count).map(|n| format!("field SFBool f{n} TRUE ")).collect();
    for (count, problems) in [(256, 0), (258, 2)] {
        let fields: String = fields(count);
        let made = beside(&format!("PROTO P [ {fields} ] {{ Group {{ }} }}"), []);
        assert_eq!(made.losses.count(&codes::PROTO_FIELD), problems);
    }
}

#[test]
fn xml_prototypes_with_mistakes_keep_the_rest() {
    let is = "<IS><connect nodeField='translation' protoField='at'/></IS>";
    let field = "<field name='at' type='SFVec3f' accessType='inputOutput'/>";
    let shape = "<Shape><IndexedFaceSet coordIndex='0 1 2'>
        <Coordinate point='0 0 0 1 0 0 0 1 0'/></IndexedFaceSet></Shape>";
    let text = format!(
        "<X3D><Scene><ProtoDeclare><ProtoBody><Group/></ProtoBody></ProtoDeclare>
         <ExternProtoDeclare name='P' url='\"p.x3d\"'>{field}</ExternProtoDeclare>
         <Transform>{is}{shape}</Transform>
         <ProtoDeclare name='One'><ProtoInterface><field name='node' type='SFNode'/>
         </ProtoInterface><ProtoBody><Group><IS><connect nodeField='children' protoField='node'/>
         </IS></Group></ProtoBody></ProtoDeclare>
         <ProtoInstance name='One'><fieldValue name='node'>{shape}{shape}</fieldValue>
         </ProtoInstance>
         <ProtoInstance name='P'><fieldValue name='at' value='9 9 9'/>
         <fieldValue name='at' value='0 0 4'/></ProtoInstance></Scene></X3D>"
    );
    let file = format!(
        "<X3D><Scene><ProtoDeclare name='P'><ProtoInterface>{field}</ProtoInterface><ProtoBody>
         <Transform translation='7 7 7'>{is}{shape}</Transform></ProtoBody></ProtoDeclare></Scene>
         </X3D>"
    );
    let document = Document::parse(text.into_bytes()).unwrap();
    let found: Vec<_> = document.diagnostics.iter().map(|found| found.code.id).collect();
    // `children` cannot stand for a single node.
    assert_eq!(found, ["x3d-syntax", "x3d-syntax", "x3d-proto-field", "x3d-count"]);
    let mut files = Files(BTreeMap::from([("p.x3d", file)]));
    let made = to_ir_with(&document.value, &ToIr::default(), &mut files, &[]);
    // The transform, and the instance of `P`, whose last value holds.
    assert_eq!(Measures::of(&made.value).triangles, 2, "{:?}", said(&made));
    assert_eq!(Measures::of(&made.value).bounds(), Some([0.0, 0.0, 0.0, 1.0, 1.0, 4.0]));
}

/// Metadata is allowed anywhere. A prototype needs an address, and an `EXPORT` a name.
#[test]
fn xml_statements_that_lack_an_attribute() {
    let said = |content: &str| {
        let text = format!("<X3D><Scene>{content}</Scene></X3D>");
        let parsed = Document::parse(text.into_bytes()).unwrap();
        let found = parsed.diagnostics.iter();
        found.map(|found| format!("{}: {}", found.code.id, found.message)).collect::<Vec<_>>()
    };
    let declare = |interface: &str| {
        said(&format!(
            "<ProtoDeclare name='P'><ProtoInterface>{interface}</ProtoInterface><ProtoBody>\
             <Group/></ProtoBody></ProtoDeclare>"
        ))
    };
    assert_eq!(declare("<MetadataString name='about' value='x'/>"), [""; 0]);
    assert_eq!(declare("<Group/>"), ["x3d-unknown-node: unexpected element `Group`"]);
    assert_eq!(
        said("<Group DEF='A'/><EXPORT AS='B'/>"),
        ["x3d-route-syntax: EXPORT needs the attributes localDEF"]
    );
    let text = "<X3D><Scene><ExternProtoDeclare name='P'/><ProtoInstance name='P'/></Scene></X3D>";
    let document = Document::parse(text.as_bytes()).unwrap();
    let made = to_ir_with(&document.value, &ToIr::default(), &mut Files::from([]), &[]);
    assert!(made.losses.count(&codes::PROTO) > 0, "{:?}", made.losses);
}

/// A route from one instance to another is a route of both.
#[test]
fn routes_between_instances_may_precede_others() {
    let made = made(&format!(
        "PROTO P [ inputOutput SFVec3f at 0 0 0 inputOutput SFVec3f size 1 1 1 ] {{
           Transform {{ translation IS at scale IS size children {TRIANGLE} }}
         }}
         DEF A P {{ }} DEF B P {{ }} {CLOCK}
         DEF Grow PositionInterpolator {{ key [ 0 1 ] keyValue [ 1 1 1, 3 1 1 ] }}
         ROUTE Clock.fraction_changed TO Grow.set_fraction
         ROUTE Path.value_changed TO A.at ROUTE A.at_changed TO B.at
         ROUTE Grow.value_changed TO B.size"
    ));
    assert_eq!(said(&made), []);
    let a = [[2.0, 0.0, 0.0], [3.0, 0.0, 0.0], [2.0, 1.0, 0.0]];
    let b = [[2.0, 0.0, 0.0], [4.0, 0.0, 0.0], [2.0, 1.0, 0.0]];
    assert_near(&seen_at(&made.value, 0, 1.0), &[a, b].concat());
}

/// A route becomes one for each node that a field stands for, at either end.
#[test]
fn routes_between_fields_of_an_instance() {
    let made = made(&format!(
        "PROTO P [ inputOutput SFVec3f a 0 0 0 inputOutput SFVec3f b 0 0 0 ] {{
           Group {{ children [
             Transform {{ translation IS a children {TRIANGLE} }}
             Transform {{ translation IS a children {TRIANGLE} }}
             Transform {{ translation IS b children {TRIANGLE} }}
           ] }}
         }}
         DEF A P {{ }} {CLOCK} ROUTE Path.value_changed TO A.a ROUTE A.a_changed TO A.b"
    ));
    assert_eq!(said(&made), []);
    let seen = seen_at(&made.value, 0, 1.0);
    assert_near(&[seen[0], seen[3], seen[6]], &[[2.0, 0.0, 0.0]; 3]);
}
