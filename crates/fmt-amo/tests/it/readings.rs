//! Interpretations that are not covered by fixtures.

use anim_ir::{MaterialId, Span, StatedUp};
use fmt_amo::{Dialect, Document, MaterialLibrary, ToIr, to_ir};

#[test]
fn several_libraries_in_one_line() {
    let libraries = |line: &str| {
        Document::parse(format!("{line}\nv 0 0 0\n").into_bytes())
            .unwrap()
            .value
            .material_libraries()
            .iter()
            .map(|library| library.path.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(libraries("mtllib a.mtl b.MTL"), ["a.mtl", "b.MTL"]);
    assert_eq!(libraries("mtllib my colours.mtl"), ["my colours.mtl"]);
    assert_eq!(libraries("mtllib sub\\a.mtl # comment"), ["sub/a.mtl"]);
    assert!(libraries("mtllib").is_empty());
    assert_eq!(libraries("mtllib ../up.mtl"), ["../up.mtl"], "the resolver decides");
    for absolute in ["/etc/a.mtl", "\\\\host\\a.mtl", "C:\\a.mtl", "http://host/a.mtl"] {
        assert!(libraries(&format!("mtllib {absolute}")).is_empty(), "{absolute}");
    }
}

#[test]
fn usemtl_without_a_name_resets_the_material() {
    let text =
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\nusemtl\nf 1 2 3\nusemtl red\nf 1 2 3\n";
    let document = Document::parse(&text[..]).unwrap().value;
    let library = MaterialLibrary::parse(b"newmtl red\nKd 1 0 0\n", "").value;
    let scene = to_ir(&document, &ToIr::default().with_materials(library)).value;
    let parts: Vec<_> =
        scene.meshes[0].primitives.iter().map(|part| (part.material, part.indices.len())).collect();
    assert_eq!(parts, [(Some(MaterialId::default()), 6), (None, 3)]);
    assert_eq!(scene.materials[0].base_color, [1.0, 0.0, 0.0, 1.0]);
}

/// Rows are numbered from zero where the dialect does.
#[test]
fn missing_rows_are_reported_with_the_numbers_of_the_dialect() {
    let start = "ao x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nj root -1\nvj 0\nvw 1\n";
    let said = |face: &str| {
        let text = format!("{start}{face}\n");
        let parsed = Document::parse(text.as_bytes()).unwrap();
        let found = parsed.diagnostics.iter().map(|one| one.message.clone());
        (parsed.value.dialect(), found.collect::<Vec<_>>().join("\n"))
    };
    let (dialect, message) = said("f 1///0/0 2///0/0 3///1/0");
    assert_eq!(dialect, Dialect::Extobj);
    assert!(message.contains("joint row 1 does not exist: `vj` is numbered 0 to 0"), "{message}");
    let (dialect, message) = said("f 1///1/1 2///1/1 3///2/1");
    assert_eq!(dialect, Dialect::Spec);
    assert!(message.contains("joint row 2 does not exist: `vj` is numbered 1 to 1"), "{message}");
}

/// In the engine's dialects, a name may be followed by an integer.
#[test]
fn masks_and_durations() {
    let document =
        Document::parse(&b"ao a b 7\nv 0 0 0\nj x -1\na walk on 1500\nk 0.5\nap 1 0 0 0\n"[..])
            .unwrap()
            .value;
    assert_eq!((document.objects()[0].name.as_str(), document.objects()[0].mask), ("a b", Some(7)));
    let animation = &document.animations()[0];
    assert_eq!((animation.name.as_str(), animation.duration_ms), ("walk on", Some(1500.0)));
    assert_eq!(document.seconds(animation, 0.5), 0.75);
    let scene = to_ir(&document, &ToIr::default()).value;
    assert_eq!((scene.clips[0].start, scene.clips[0].end), (0.0, 1.5));
}

#[test]
fn key_groups_are_compared_with_their_declared_number() {
    let row = "0 0 0 0 1 0 0 0\n";
    let head = "ao x\nv 3\n0 0 0\n1 0 0\n0 1 0\nj 1\nroot 0 -1 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\n";
    let check = |walk: &str, run: &str| {
        let text = format!(
            "{head}a 2\nan walk {walk}\nk 0 1\n{row}k 1 1\n{row}an run {run}\nk 0 1\n{row}"
        );
        let parsed = Document::parse(text.as_bytes()).unwrap();
        let found = parsed.diagnostics.iter().map(|found| {
            assert_eq!((found.code, &found.fix), (&fmt_amo::codes::GROUP_COUNT, &None));
            let span = found.span.unwrap();
            (text[span.start..span.end].to_owned(), found.message.clone())
        });
        assert_eq!(parsed.value.animations()[0].group_times, [0.0, 1.0], "all groups are kept");
        found.collect::<Vec<_>>()
    };
    let said = |count: &str, message: &str| (count.to_owned(), message.to_owned());
    assert_eq!(check("1000 2", "500 1"), []);
    assert_eq!(
        check("1000 1", "500 3"),
        [
            said("1", "`an` declares 1 key groups, but 2 follow"),
            said("3", "`an` declares 3 key groups, but 1 follows"),
        ]
    );
}

/// A duplicate key is reported once, whether or not keys are sorted.
#[test]
fn duplicate_keys_are_reported_once() {
    let count = |keys: &str| {
        let text = format!("ao x\nv 0 0 0\nj a -1\na walk\n{keys}");
        let parsed = Document::parse(text.as_bytes()).unwrap();
        parsed.diagnostics.count(&fmt_amo::codes::KEY_DUPLICATE)
    };
    assert_eq!(count("ap 0 1 0 0 0\nap 0 1 1 0 0\n"), 1);
    assert_eq!(count("ap 1 1 0 0 0\nap 0 1 0 0 0\nap 0 1 1 0 0\n"), 1);
    assert_eq!(count("ap 0 1 0 0 0\nap 1 1 0 0 0\nap 0 1 1 0 0\n"), 1);
    assert_eq!(count("ap 0 1 0 0 0\nar 0 1 0 0 0 1\nap 1 1 0 0 0\n"), 0);
}

/// Up to three problems of a kind are listed, and more are counted.
#[test]
fn many_problems_of_a_kind_are_reported_as_one() {
    let start =
        "ao x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nj root -1\nvj 1 0 0 0\nvw 1 0 0 0\nvw 0.5 0.5 0 0\n";
    let said = |faces: String| {
        let parsed = Document::parse(format!("{start}{faces}").into_bytes()).unwrap();
        parsed.diagnostics.iter().map(|one| one.message.clone()).collect::<Vec<_>>()
    };
    let missing = |faces: usize| {
        said((0..faces).map(|face| format!("f 1///1/1 2///1/1 3///1/{}\n", face + 3)).collect())
    };
    let row = |row: usize, note: &str| {
        format!("weight row {row} does not exist: `vw` is numbered 1 to 2{note}")
    };
    assert_eq!(missing(3), [row(3, ""), row(4, ""), row(5, "")]);
    assert_eq!(missing(4), [row(3, " (3 others like it; the first of 4 corners)")]);
    // Every face pairs the same joints with weights of its own.
    let pairs = |faces: usize| {
        let face = |row: usize| format!("f 1///1/1 2///1/1 3///1/{}\n", row + 3);
        said("vw 0.5 0.5 0 0\n".repeat(faces) + &(0..faces).map(face).collect::<String>())
    };
    let unused = "this joint is unused, but the face on line";
    assert_eq!(pairs(3).iter().filter(|said| said.starts_with(unused)).count(), 3);
    let many = "assigns it a non-zero weight (the first of 4 such pairs)";
    assert_eq!(pairs(4), [format!("{unused} 13 {many}")]);
}

/// Faces without joints and weights are counted for each object.
#[test]
fn unskinned_faces_are_reported_once_per_object() {
    let face = "f 1 2 3\n";
    let text = format!(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nvj 1 0 0 0\nvw 1 0 0 0\nj root -1\nao a\n{face}{face}ao \
         b\n{face}"
    );
    let parsed = Document::parse(text.into_bytes()).unwrap();
    let found: Vec<&str> = parsed.diagnostics.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(
        found,
        [
            "2 faces of an animated object have corners without joints or weights, which stay at \
             rest; this is the first",
            "this corner of an animated object has no joints or weights and stays at rest",
        ]
    );
}

/// Of two groups of keys, only an earlier one after a later one is out of order.
#[test]
fn key_groups_out_of_order() {
    let row = "ap 1 0 0 0\n";
    let count = |first: f32, second: f32| {
        let text = format!("ao x\nv 0 0 0\nj a -1\na walk 1000\nk {first}\n{row}k {second}\n{row}");
        let parsed = Document::parse(text.into_bytes()).unwrap();
        parsed.diagnostics.count(&fmt_amo::codes::KEY_ORDER)
    };
    assert_eq!((count(0.0, 0.5), count(0.5, 0.5), count(0.5, 0.0)), (0, 0, 1));
}

/// The axis that points up follows from the dialect, and where it does not, from what came with
/// that axis.
#[test]
fn the_up_axis_of_dialects() {
    let matrix = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1";
    let is_z = |text: String| {
        let document = Document::parse(text.into_bytes()).unwrap().value;
        let scene = to_ir(&document, &ToIr::default()).value;
        (document.dialect(), matches!(scene.up, StatedUp::Z(_)))
    };
    let counted = format!("ao x\nv 3\n0 0 0\n1 0 0\n0 1 0\nj 1\nroot 0 -1 {matrix}\n");
    assert_eq!(is_z(counted), (Dialect::Counted, true));
    let lines =
        |rest: &str| format!("ao x\nv 0 0 0\nj x -1{rest}\na walk 1500\nk 0.5\nap 1 0 0 0\n");
    assert_eq!(is_z(lines(&format!(" {matrix}"))), (Dialect::Lines, true));
    assert_eq!(is_z(lines("")), (Dialect::Lines, false));
    assert_eq!(
        is_z("ao x\nv 0 0 0\nj x -1\na walk\nap 0 1 0 0 0\n".to_owned()),
        (Dialect::Spec, false)
    );
}

/// A word in a rest matrix that is not a number is named.
#[test]
fn a_word_in_a_rest_matrix() {
    let text =
        "ao x\nv 0 0 0\nj x -1 1 0 0 0 0 1 0 0 0 nan 1 0 0 0 0 1\na walk 1500\nk 0.5\nap 1 0 0 0\n";
    let parsed = Document::parse(text.as_bytes()).unwrap();
    let found: Vec<&str> = parsed.diagnostics.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(found, ["`nan` in the rest matrix is not a finite number"]);
}

#[test]
fn curves_of_wavefront_obj_are_not_converted() {
    let parsed = Document::parse(&b"v 0 0 0\ncstype bezier\ncurv 0 1 1 1\n"[..]).unwrap();
    let said: Vec<&str> = parsed.diagnostics.iter().map(|found| &*found.message).collect();
    assert_eq!(said, ["`cstype` is not supported", "`curv` is not supported"]);
    let help = parsed.diagnostics.iter().next().unwrap().help.clone().unwrap();
    assert!(help.contains("kept in the document, but not converted"), "{help}");
}

#[test]
fn materials_that_glow() {
    let text = b"newmtl red\nKa 1 1 1\nillum 2\nKe 1 0 2\nnewmtl grey\nKe 1\n";
    let library = MaterialLibrary::parse(text, "");
    // Other keywords are ignored.
    let messages: Vec<&str> = library.diagnostics.iter().map(|it| &*it.message).collect();
    assert_eq!(messages, ["2 in `Ke` is read as 1"]);
    let mut scene = anim_ir::Scene::default();
    library.value.add_materials(["red", "grey"], &mut scene);
    let glow: Vec<[f32; 3]> = scene.materials.iter().map(|material| material.emissive).collect();
    assert_eq!(glow, [[1.0, 0.0, 1.0], [1.0; 3]]);
}

/// The only normal is on the first line, behind a byte order mark.
#[test]
fn wrong_normals_behind_a_byte_order_mark() {
    let points: String = (0..20).map(|n| format!("v {n} 0 0\nv {n} 1 0\n")).collect();
    let faces = (1..20).map(|n| 2 * n - 1);
    let faces = faces.map(|at| format!("f {at}//1 {}//1 {}//1\n", at + 2, at + 1));
    let text = format!("\u{feff}vn 0 0 -1\n{points}{}", faces.collect::<String>());
    let document = Document::parse(text.into_bytes()).unwrap().value;
    let found = anim_ir::format::Document::inspect(&document);
    let found: Vec<_> = found.iter().map(|it| (it.code.id, it.span)).collect();
    assert_eq!(found, [("amo-normals", Some(Span::new(3, 5)))]);
}

/// Two strips of faces, of which the second has normals that point away.
#[test]
fn wrong_normals_are_reported_where_their_mesh_uses_one() {
    let points: String = (0..20).map(|n| format!("v {n} 0 0\nv {n} 1 0\n")).collect();
    let strip = |normal: u32| -> String {
        let faces = (1..20).map(|n| 2 * n - 1);
        let of = |at| format!("f {at}//{normal} {}//{normal} {}//{normal}\n", at + 2, at + 1);
        faces.map(of).collect()
    };
    let normals = "vn 0 0 1\nvn 1 0 0\nvn 0 0 -1\n";
    let text = format!("{points}{normals}o good\n{}o bad\n{}", strip(1), strip(3));
    let document = Document::parse(text.as_bytes()).unwrap().value;
    let found = anim_ir::format::Document::inspect(&document);
    let found: Vec<_> = found.iter().map(|it| (it.code.id, it.span.unwrap().start)).collect();
    assert_eq!(found, [("amo-normals", text.find("vn 0 0 -1").unwrap())]);
}

#[test]
fn zero_normals_are_counted() {
    for (normals, message) in [
        ("vn 0 0 1\nvn 0 0 0\n", "the normal is zero"),
        ("vn 0 0 0\nvn 0 0 1\nvn 0 -0 0\nvn 0 0 0\n", "3 normals are zero"),
    ] {
        let text = format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{normals}f 1//1 2//1 3//1\n");
        let document = Document::parse(text.as_bytes()).unwrap().value;
        let found = anim_ir::format::Document::inspect(&document);
        let zero = found.iter().find(|it| it.code.id == "amo-zero-normal").unwrap();
        assert_eq!(zero.message, message);
        let span = zero.span.unwrap();
        assert_eq!(span.start, text.find("vn 0 0 0").unwrap());
    }
}

/// Numbers may be anywhere in a line, also across the ends of the parts that are read at once.
#[test]
fn numbers_after_many_spaces() {
    for spaces in 1..140 {
        let gap = " ".repeat(spaces);
        let text = format!("v{gap}12345.5 2 3\nv 0{gap}-67{gap}0.25\nv 0 1 0\nf{gap}1 2{gap}3\n");
        let document = Document::parse(text.as_bytes()).unwrap();
        assert!(document.diagnostics.is_empty(), "{spaces}: {:?}", document.diagnostics);
        let scene = to_ir(&document.value, &ToIr::default()).value;
        let found = scene.meshes[0].positions.iter().map(|point| point.to_array());
        let expected = [[12345.5, 2.0, 3.0], [0.0, -67.0, 0.25], [0.0, 1.0, 0.0]];
        assert!(found.eq(expected), "{spaces}: {:?}", scene.meshes[0].positions);
    }
}

/// A file with nothing but vertices is shown as points.
#[test]
fn point_clouds() {
    let read = |text: &str| {
        let document = Document::parse(text.as_bytes()).unwrap().value;
        to_ir(&document, &ToIr::default())
    };
    let cloud = read("o scan\nv 0 0 0 1 0 0\nv 1 2 3\nv 0 1 0 0 0 1\nvn 0 0 1\n");
    let [mesh] = cloud.value.meshes.as_slice() else { panic!() };
    assert_eq!(mesh.name, "scan");
    assert_eq!(mesh.positions[1].to_array(), [1.0, 2.0, 3.0]);
    assert_eq!(mesh.colors, [[1.0, 0.0, 0.0, 1.0], [1.0; 4], [0.0, 0.0, 1.0, 1.0]]);
    let [part] = mesh.primitives.as_slice() else { panic!() };
    assert_eq!((part.topology, &*part.indices), (anim_ir::Topology::Points, &[0, 1, 2][..]));
    let losses = |cloud: &anim_ir::Converted<anim_ir::Scene>| -> Vec<String> {
        cloud.losses.iter().map(|loss| loss.message.clone()).collect()
    };
    assert_eq!(losses(&cloud), ["not kept in the point cloud: normals"]);
    let cloud = read("o a\nusemtl red\nv 0 0 0\no b\nusemtl blue\nv 1 0 0\n");
    assert_eq!(cloud.value.meshes[0].primitives[0].material, Some(anim_ir::MaterialId::new(0)));
    let expected =
        "not kept in the point cloud: the names of several objects, all materials but the first";
    assert_eq!(losses(&cloud), [expected]);
    assert!(anim_ir::validate(&cloud.value).is_empty());
    // The vertices of a file with a skeleton are to be skinned, not shown.
    let cut_off = read("v 0 0 0\nv 1 2 3\nv 0 1 0\nj 0 root -1\n");
    assert!(cut_off.value.meshes.is_empty());
}
