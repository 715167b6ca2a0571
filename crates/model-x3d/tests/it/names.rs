//! Names that several nodes have: both encodings read them alike.

use model_x3d::Document;
use model_x3d::graph::End;

use crate::sensors;

/// Returns the codes of problems, and the types of the nodes at the ends of routes.
fn read(text: &str) -> (Vec<&'static str>, Vec<&'static str>) {
    let parsed = Document::parse(text.as_bytes()).unwrap();
    let codes = parsed.diagnostics.iter().map(|problem| problem.code.id).collect();
    let graph = parsed.value.into_graph();
    let kind = |end: End| match end {
        End::Node(id) => graph.node(id).unwrap().kind.name,
        End::Imported(_) | End::Outside(_) => panic!("nothing is imported"),
    };
    let ends = graph.links.routes.iter().map(|route| kind(route.to));
    (codes, ends.collect())
}

/// A node is named from its `DEF` on (ISO/IEC 19775-1, 4.4.3), before its parts are.
#[test]
fn a_name_refers_to_the_node_whose_def_came_last() {
    const ROUTE: [&str; 2] = [
        "<ROUTE fromNode='t' fromField='isActive' toNode='B' toField='x'/>",
        "ROUTE t.isActive TO B.x ",
    ];
    let repeated = "x3d-repeated-name";
    let none: &[&str] = &[];
    for (name, [xml, classic], codes, ends) in [
        (
            "inside",
            [
                "<Transform DEF='B'><Shape DEF='B'/></Transform>R",
                "DEF B Transform { children DEF B Shape { } } R",
            ],
            &[repeated][..],
            &["Shape"][..],
        ),
        (
            "after",
            ["<Group DEF='B'/>R<Switch DEF='B'/>", "DEF B Group { } R DEF B Switch { }"],
            &[repeated],
            &["Group"],
        ),
        (
            "before both",
            ["R<Group DEF='B'/><Switch DEF='B'/>", "R DEF B Group { } DEF B Switch { }"],
            &[repeated],
            &["Switch"],
        ),
        (
            "used in the second",
            [
                "<Group DEF='B'/><Group DEF='B'><Group USE='B'/></Group>",
                "DEF B Group { } DEF B Group { children USE B }",
            ],
            &[repeated, "x3d-use"],
            none,
        ),
        (
            "used after the part",
            [
                "<Group DEF='B'><Group DEF='B'/><Group USE='B'/></Group>",
                "DEF B Group { children [ DEF B Group { } USE B ] }",
            ],
            &[repeated],
            none,
        ),
        (
            "skipped",
            [
                "<Script DEF='B'/><Group DEF='B'/><PointLight DEF='B'/>R",
                "DEF B Script { } DEF B Group { } DEF B PointLight { } R",
            ],
            &[repeated, repeated],
            &["PointLight"],
        ),
    ] {
        let xml = xml.replace('R', ROUTE[0]);
        let xml = format!("<X3D><Scene><TimeSensor DEF='t'/>{xml}</Scene></X3D>");
        let classic = classic.replace('R', ROUTE[1]);
        let classic = format!("#X3D V3.3 utf8\nDEF t TimeSensor {{ }} {classic}");
        for text in [xml, classic] {
            assert_eq!(read(&text), (codes.to_vec(), ends.to_vec()), "{name}: {text}");
        }
    }
}

/// Programs look for the names of ISO/IEC 19774-1, which `DEF` often changes to be unique.
#[test]
fn parts_of_humanoids_and_cad_models_have_names_of_their_own() {
    let shape = "Shape { geometry PointSet { coord Coordinate { point [ 0 0 0 ] } } }";
    let made = sensors::made(&format!(
        "HAnimHumanoid {{ name \"Bob\" skeleton DEF hanim_root HAnimJoint {{
           name \"humanoid_root\" children DEF hanim_l_hip HAnimJoint {{
             name \"l_hip\" children HAnimSegment {{ name \"l_thigh\" children {shape} }} }} }} }}
         CADPart {{ name \"bolt\" children DEF Face CADFace {{ name \"f\" shape {shape} }} }}
         DEF Nut CADPart {{ name \"nut\" }} DEF Odd HAnimJoint {{ name \"\" }}"
    ));
    let joints = made.value.skeletons[0].joints.iter();
    let names: Vec<&str> = joints.map(|joint| joint.name.as_str()).collect();
    let own = ["Bob", "humanoid_root", "l_hip", "l_thigh", "bolt", "Nut", "Odd"];
    assert_eq!(names, own);
    let nodes = made.value.nodes.iter();
    assert_eq!(nodes.map(|node| node.name.as_str()).collect::<Vec<_>>(), ["l_thigh", "Face"]);
}
