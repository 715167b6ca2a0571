//! Tests the evaluator with handwritten files.

use std::f64::consts::FRAC_1_SQRT_2 as HALF;
use std::io::Write;

use test_oracle::castle::{self, Animation, Corner, Movie, Solid};
use test_oracle::math::translation;

pub(super) fn no_files(path: &str) -> Vec<u8> {
    panic!("unexpected request for {path}")
}

/// Returns an animation with one X3D scene per second.
fn inlined(scenes: &[&str]) -> Animation {
    let frame = |(i, scene): (usize, &&str)| {
        format!("<frame time='{i}'><X3D><Scene>{scene}</Scene></X3D></frame>")
    };
    let frames: String = scenes.iter().enumerate().map(frame).collect();
    only(castle::read(format!("<animation>{frames}</animation>").as_bytes(), &no_files))
}

/// Returns an animation with one text file per second.
fn of_files(texts: &[&str]) -> Animation {
    let frame = |i: usize| format!("<frame url='{i}' time='{i}'/>");
    let frames: String = (0..texts.len()).map(frame).collect();
    let files = |path: &str| texts[path.parse::<usize>().unwrap()].as_bytes().to_vec();
    only(castle::read(format!("<animation>{frames}</animation>").as_bytes(), &files))
}

/// Returns a VRML 1.0 file.
fn vrml1(body: &str) -> String {
    format!("#VRML V1.0 ascii\nSeparator {{ {body} }}")
}

pub(super) fn only(movie: Movie) -> Animation {
    let [animation] = movie.animations.try_into().unwrap();
    animation
}

#[track_caller]
fn close(found: &[[f64; 3]], expected: &[[f64; 3]]) {
    crate::close(found.as_flattened(), expected.as_flattened());
}

/// A triangle with corners (1 0 0), (0 1 0) and (0 0 1).
const TRIANGLE: &str = "<Shape><IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate point='1 0 0 0 1 \
                        0 0 0 1'/></IndexedFaceSet></Shape>";

fn in_transform(fields: &str) -> String {
    format!("<Transform {fields}>{TRIANGLE}</Transform>")
}

#[test]
fn a_quadrilateral_moves_in_a_straight_line() {
    let quad = |points: &str| {
        format!(
            "<Shape><IndexedFaceSet coordIndex='3, 2, 1, 0'><Coordinate \
             point='{points}'/></IndexedFaceSet></Shape>"
        )
    };
    let animation =
        inlined(&[&quad("0 0 0 1 0 0 1 1 0 0 1 0"), &quad("0 0 4, 1 0 4, 1 1 4, 0 1 8")]);
    close(
        &animation.corners_at(0.25),
        &[[0.0, 1.0, 2.0], [1.0, 1.0, 1.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]],
    );
    // Times before the first frame use the first frame, and times after the last frame use the last
    // frame.
    close(&animation.corners_at(-3.0)[..1], &[[0.0, 1.0, 0.0]]);
    close(&animation.corners_at(9.0)[..1], &[[0.0, 1.0, 8.0]]);
    assert_eq!(animation.drawn_at(0.0).faces.len(), 1);
}

#[test]
fn the_fields_of_a_transform_apply_in_the_order_of_the_standard() {
    for (fields, expected) in [
        // The point is scaled by 2 along x, rotated by 90° about z, and translated by 1 along z.
        ("translation='0 0 1' rotation='0 0 1 1.5707963267948966' scale='2 1 1'", [0.0, 2.0, 1.0]),
        // About (1 1 0): (0 −1) rotates to (1 0).
        ("center='1 1 0' rotation='0 0 1 1.5707963267948966'", [2.0, 1.0, 0.0]),
        // The centre also applies to the scale.
        ("center='0.5 0 0' scale='3 1 1'", [2.0, 0.0, 0.0]),
        // Scaled by 2 along (1 1 0). (1 0 0) has equal components parallel and perpendicular to it.
        ("scale='2 1 1' scaleOrientation='0 0 1 0.7853981633974483'", [1.5, 0.5, 0.0]),
    ] {
        close(&inlined(&[&in_transform(fields)]).corners_at(0.0)[..1], &[expected]);
    }
}

#[test]
fn rotations_take_the_shortest_arc() {
    let turn = |rotation: &str| in_transform(&format!("rotation='{rotation}'"));
    let x = |from: &str, to: &str, t| inlined(&[&turn(from), &turn(to)]).corners_at(t)[0];
    close(&[x("0 0 1 0", "0 0 1 1.5707963267948966", 0.5)], &[[HALF, HALF, 0.0]]);
    // The shortest arc from 0° to 270° runs backwards. 360° is equivalent to no rotation.
    close(&[x("0 0 1 0", "0 0 1 4.71238898038469", 0.5)], &[[HALF, -HALF, 0.0]]);
    close(&[x("0 0 1 0", "0 0 1 6.283185307179586", 0.5)], &[[1.0, 0.0, 0.0]]);
    // The axes differ and have any length. A zero axis means no rotation.
    close(&[x("0 1 0 0", "0 0 -4 -1.5707963267948966", 1.0 / 3.0)], &[[0.75f64.sqrt(), 0.5, 0.0]]);
    close(&[x("0 0 0 0", "0 0 0 1", 0.5)], &[[1.0, 0.0, 0.0]]);
}

#[test]
fn every_use_is_drawn_at_its_own_position() {
    let scene = format!(
        "{}<Transform translation='10 0 0'><Shape USE='S'/></Transform><Shape USE='S'/>",
        in_transform("translation='0 0 5'").replace("<Shape", "<Shape DEF='S'")
    );
    let corners = inlined(&[&scene]).corners_at(0.0);
    close(
        &[corners[0], corners[3], corners[6]],
        &[[1.0, 0.0, 5.0], [11.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
    );
}

#[test]
fn a_switch_shows_one_child_or_none() {
    let children = [in_transform(""), in_transform("translation='5 0 0'")].concat();
    let shown =
        |which: &str| inlined(&[&format!("<Switch {which}>{children}</Switch>")]).corners_at(0.0);
    assert!(shown("").is_empty());
    assert!(shown("whichChoice='2'").is_empty());
    assert_eq!(shown("whichChoice='1'")[0], [6.0, 0.0, 0.0]);
    let classic = "#VRML V2.0 utf8\nSwitch { whichChoice 0 choice [ Group {} Shape {} ] }";
    assert!(of_files(&[classic]).corners_at(0.0).is_empty());
}

#[test]
fn collision_proxies_are_not_drawn() {
    let scene = format!(
        "<Collision>{TRIANGLE}{}</Collision>",
        TRIANGLE.replace("<Shape", "<Shape containerField='proxy'")
    );
    assert_eq!(inlined(&[&scene]).drawn_at(0.0).faces.len(), 1);
}

#[test]
fn an_unequal_frame_is_held_until_the_next_one() {
    let (a, b) = (in_transform("translation='1 0 0'"), in_transform("translation='3 0 0'"));
    let more = format!("{b}<Group/>");
    let animation = inlined(&[&a, &b, &more, &a]);
    assert_eq!([0, 1, 2].map(|i| animation.structurally_equal(i)), [true, false, false]);
    assert_eq!(animation.difference(1), Some("Scene.children: 1 and 2 values"));
    let x = |t: f64| animation.corners_at(t)[0][0];
    assert_eq!([0.5, 1.0, 1.9, 2.9, 3.0].map(x), [3.0, 4.0, 4.0, 4.0, 2.0]);
}

#[test]
fn structure_includes_everything_except_numbers() {
    let pair = |a: &str, b: &str| inlined(&[a, b]).structurally_equal(0);
    for (from, to, is_equal) in [
        ("1 0 0 0 1 0", "7 8 9 1 2 3", true),
        // Missing numbers have default values.
        ("coordIndex", "creaseAngle='3' coordIndex", true),
        ("coordIndex", "solid='true' convex='TRUE' coordIndex", true),
        ("0 1 2 -1", " 0,1,2, -1", true),
        ("0 1 2 -1", "0 2 1 -1", false),
        ("0 1 2 -1", "0 1 2", false),
        ("coordIndex", "solid='false' coordIndex", false),
        ("0 0 1'", "0 0 1 5 5 5'", false),
        ("<Shape", "<Shape DEF='a'", false),
    ] {
        assert_eq!(pair(TRIANGLE, &TRIANGLE.replace(from, to)), is_equal, "{from} and {to}");
    }
    assert!(!pair(TRIANGLE, &format!("<Group>{TRIANGLE}</Group>")));
    assert!(!pair("<Switch whichChoice='0'/>", "<Switch whichChoice='1'/>"));
}

#[test]
fn without_scenes_per_time_nothing_is_interpolated() {
    let frame = |t: f64, x: f64| {
        let moved = in_transform(&format!("translation='{x} 0 0'"));
        format!("<frame time='{t}'><X3D><Scene>{moved}</Scene></X3D></frame>")
    };
    let text = format!(
        "<animations><animation scenes_per_time='0' name='n' loop='TRUE' backwards='1'>\
         {}{}</animation></animations>",
        frame(-1.0, 0.0),
        frame(1.0, 4.0)
    );
    let animation = only(castle::read(text.as_bytes(), &no_files));
    assert!(animation.step && animation.loops && animation.backwards);
    assert!(animation.structurally_equal(0));
    assert_eq!([-2.0, 0.9, 1.0].map(|t| animation.corners_at(t)[0][0]), [1.0, 1.0, 5.0]);
    assert_eq!((&*animation.name, animation.times), ("n", vec![-1.0, 1.0]));
}

#[test]
fn attributes_have_the_defaults_of_the_specification() {
    let text = "<?xml version='1.0'?><animation>\
                <frame time=' 1.5E-0001' bounding_box_center='1 2 3' bounding_box_size='4 5 6'>\
                <X3D><Scene/></X3D></frame>\
                <frame time='2' mime_type='' bounding_box_size='-1 -1 -1'>\
                 <X3D/></frame></animation>";
    let animation = only(castle::read(text.as_bytes(), &no_files));
    assert_eq!(
        (&*animation.name, animation.scenes_per_time, animation.equality_epsilon),
        ("animation", 30, 0.001)
    );
    assert!(!(animation.loops || animation.backwards || animation.step));
    assert_eq!(animation.times, [0.15, 2.0]);
    assert_eq!(animation.boxes, [Some([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), None]);
}

#[test]
fn a_scene_has_the_same_structure_in_every_encoding() {
    let xml = format!(
        "<?xml version='1.0'?><!DOCTYPE X3D PUBLIC 'a' 'b'><X3D><head><meta name='a' \
         content='b'/></head><Scene>{}</Scene></X3D>",
        in_transform("translation='1 0 0'")
    );
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(xml.as_bytes()).unwrap();
    let gzip = encoder.finish().unwrap();
    let body = "Transform { translation 5 0 0 children Shape { geometry IndexedFaceSet {\n\
                coord Coordinate { point [1 0 0, 0 1 0 0 0 1,] } # } \n \
                coordIndex [0,1,2,-1] } } }\n";
    let classic = format!("#X3D V3.0 utf8\nPROFILE Immersive\nMETA \"a\" \"b {{\"\n{body}");
    let vrml97 = format!("#VRML V2.0 utf8 comment\n{body}");
    let text = "<animation><frame url='a.x3d' time='0'/><frame url='b.wrl' time='1'/>\
                <frame url='./c.x3d.gz' time='2'/>\
                <frame file_name='e%20d.x3dv' time='3'/>\
                <frame time='4' url='data:model/vrml,%23VRML V2.0 utf8%0AGroup{}'/></animation>";
    let files = |path: &str| match path {
        "a.x3d" => xml.clone().into_bytes(),
        "b.wrl" => vrml97.clone().into_bytes(),
        "c.x3d.gz" => gzip.clone(),
        "e d.x3dv" => classic.clone().into_bytes(),
        path => no_files(path),
    };
    let animation = only(castle::read(text.as_bytes(), &files));
    let x = |t: f64| animation.corners_at(t)[0][0];
    assert_eq!([0.0, 0.25, 1.5, 2.0, 3.5].map(x), [2.0, 3.0, 4.0, 2.0, 6.0]);
    assert!(animation.corners_at(4.0).is_empty());
}

#[test]
fn inlined_files_are_compared_by_content_and_resolve_urls_in_their_own_folder() {
    let frame = |part: &str| {
        format!(
            "#VRML V2.0 utf8\nTransform \
             {{ translation 0 0 1 children Inline {{ url [ \"deep/{part}\" \"other\" ] }} }}"
        )
    };
    let part = |x: i32| {
        format!(
            "#VRML V2.0 utf8\nTransform \
             {{ translation {x} 0 0 children Inline {{ url \"../mesh.x3d\" }} }}"
        )
    };
    let text = "<animation><frame url='a/1.wrl' time='0'/><frame url='a/2.wrl' time='1'/><frame \
                url='b/2.wrl' time='2'/></animation>";
    let files = |path: &str| match path {
        "a/1.wrl" => frame("one.wrl"),
        "a/2.wrl" | "b/2.wrl" => frame("two.wrl"),
        "a/deep/one.wrl" => part(1),
        "a/deep/two.wrl" | "b/deep/two.wrl" => part(3),
        "a/mesh.x3d" | "b/mesh.x3d" => format!("<X3D><Scene>{TRIANGLE}</Scene></X3D>"),
        path => panic!("unexpected request for {path}"),
    };
    let animation = only(castle::read(text.as_bytes(), &|path| files(path).into_bytes()));
    assert!(animation.structurally_equal(0), "{:?}", animation.difference(0));
    close(&animation.corners_at(0.5)[..1], &[[3.0, 0.0, 1.0]]);
    assert!(!animation.structurally_equal(1), "the folders differ");
}

#[test]
fn vrml_1_state_lasts_to_the_end_of_the_separator() {
    let corners = |body: &str| of_files(&[&vrml1(body)]).corners_at(0.0);
    let coordinates = "Coordinate3 { point [ 1 0 0, 0 1 0, 0 0 1 ] }";
    let faces = "IndexedFaceSet { coordIndex [ 0, 1, 2, -1 ] }";
    for (moves, expected) in [
        ("Translation { translation 1 2 3 }", [2.0, 2.0, 3.0]),
        // Later transforms are applied to the points first.
        ("Translation { translation 1 0 0 } Scale { scaleFactor 3 1 1 }", [4.0, 0.0, 0.0]),
        ("Rotation { rotation 0 0 1 1.5707963267948966 }", [0.0, 1.0, 0.0]),
        ("Transform { center 1 0 0 scaleFactor 2 2 2 translation 0 0 7 }", [1.0, 0.0, 7.0]),
        ("MatrixTransform { matrix 2 3 4 0 0 1 0 0 0 0 1 0 10 20 30 1 }", [12.0, 23.0, 34.0]),
        ("Group { Translation { translation 1 0 0 } }", [2.0, 0.0, 0.0]),
        ("Separator { Translation { translation 1 0 0 } }", [1.0, 0.0, 0.0]),
        (
            "TransformSeparator { Translation { translation 1 0 0 } \
             Coordinate3 { point [ 9 0 0, 0 1 0, 0 0 1 ] } }",
            [9.0, 0.0, 0.0],
        ),
        ("Switch { whichChild 1 Group {} Translation { translation 5 0 0 } }", [6.0, 0.0, 0.0]),
        ("Switch { whichChild -3 Group {} Translation { translation 5 0 0 } }", [6.0, 0.0, 0.0]),
    ] {
        close(&corners(&format!("{coordinates} {moves} {faces}"))[..1], &[expected]);
    }
    // The Switch only defines the node; USE draws it.
    let used = corners(&format!(
        "{coordinates} Switch {{ DEF A Separator {{ {faces} }} }} Translation \
         {{ translation 4 0 0 }} USE A"
    ));
    assert_eq!((used.len(), used[0]), (3, [5.0, 0.0, 0.0]));
}

#[test]
fn inlined_vrml_1_files_do_not_affect_later_nodes_by_default() {
    let body = |field: &str| {
        vrml1(&format!(
            "WWWInline {{ name \"1\" {field} }} Coordinate3 {{ point [1 0 0, 0 1 0, 0 0 1] }} \
             IndexedFaceSet {{ coordIndex [0,1,2] }}"
        ))
    };
    let moved = "#VRML V1.0 ascii\nTranslation { translation 2 0 0 }";
    assert_eq!(of_files(&[&body(""), moved]).corners_at(0.0)[0], [1.0, 0.0, 0.0]);
    assert_eq!(of_files(&[&body("separate FALSE"), moved]).corners_at(0.0)[0], [3.0, 0.0, 0.0]);
}

#[test]
fn matrices_are_interpolated_element_by_element() {
    let frame = |matrix: &str, x: i32| {
        vrml1(&format!(
            "MatrixTransform {{ matrix {matrix} }} Coordinate3 {{ point [{x} 0 0, 0 1 0, 0 0 1] }} \
             IndexedFaceSet {{ coordIndex [0,1,2,-1] }}"
        ))
    };
    let animation = of_files(&[
        &frame("1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", 1),
        &frame("0 4 0 0 0 1 0 0 0 0 1 0 2 0 0 1", 3),
    ]);
    // Halfway, x is 2, and the matrix maps x to (0.5 2 0) and translates by 1.
    close(&animation.corners_at(0.5)[..1], &[[2.0, 4.0, 0.0]]);
}

#[test]
fn triangles_lines_and_points_of_all_kinds() {
    let points = "<Coordinate point='0 0 0 1 0 0 2 0 0 3 0 0 4 0 0 5 0 0'/>";
    let draw = |geometry: &str| {
        let kind = geometry.split(' ').next().unwrap();
        inlined(&[&format!("<Shape><{geometry}>{points}</{kind}></Shape>")])
    };
    let corner = |corner: &Corner| corner.place[0].to_string();
    let polygon = |face: &Vec<Corner>| face.iter().map(corner).collect::<String>();
    for (geometry, expected) in [
        ("IndexedFaceSet coordIndex='0 1 2 3 -1 5 4 3 -1 0 1 -1'", "0123 543"),
        ("IndexedTriangleSet index='2 1 0 3 4 5'", "210 345"),
        ("TriangleSet", "012 345"),
        ("IndexedTriangleFanSet index='5 1 2 3 -1 0 1 2'", "512 523 012"),
        ("TriangleFanSet fanCount='3 3'", "012 345"),
        ("IndexedTriangleStripSet index='0 1 2 3 -1'", "012 213"),
        ("TriangleStripSet stripCount='5'", "012 213 234"),
    ] {
        let found: Vec<String> = draw(geometry).drawn_at(0.0).faces.iter().map(polygon).collect();
        assert_eq!(found.join(" "), expected, "{geometry}");
    }
    for (geometry, expected) in [
        ("IndexedLineSet coordIndex='0 2 4 -1 5 1'", "022451"),
        ("LineSet vertexCount='2 3'", "012334"),
    ] {
        let ends = draw(geometry).drawn_at(0.0).lines.into_flattened();
        assert_eq!(ends.iter().map(|end| end[0].to_string()).collect::<String>(), expected);
    }
    assert_eq!(draw("PointSet").drawn_at(0.0).points.len(), 6);
}

#[test]
fn vrml_1_points_are_a_range_of_the_coordinates() {
    let points = |fields: &str| {
        let coordinates = "Coordinate3 { point [0 0 0, 1 0 0, 2 0 0, 3 0 0] }";
        let text = vrml1(&format!("{coordinates} PointSet {{ {fields} }}"));
        of_files(&[&text]).drawn_at(0.0).points.iter().map(|point| point[0]).collect::<Vec<_>>()
    };
    assert_eq!(points(""), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(points("startIndex 1 numPoints 2"), [1.0, 2.0]);
}

#[test]
fn texture_coordinates_have_their_own_indices_or_those_of_the_points() {
    let of = |animation: Animation| {
        let corners = animation.corners_with_texcoords(0.0);
        corners.iter().map(|corner| corner.1.map(|uv| uv[1])).collect::<Vec<_>>()
    };
    let texcoords = |index: &str| {
        let scene = TRIANGLE
            .replace("coordIndex", &format!("{index} coordIndex"))
            .replace("<Coordinate", "<TextureCoordinate point='0 .1 1 .2 .5 .9'/><Coordinate");
        of(inlined(&[&scene]))
    };
    assert_eq!(texcoords(""), [0.1, 0.2, 0.9].map(Some));
    assert_eq!(texcoords("texCoordIndex='2 0 1 -1'"), [0.9, 0.1, 0.2].map(Some));
    assert_eq!(of(inlined(&[TRIANGLE])), [None; 3]);
    let two = vrml1(
        "TextureCoordinate2 { point [0 .1, 1 .2, .5 .9] } \
         Coordinate3 { point [0 0 0, 1 0 0, 2 0 0] } IndexedFaceSet { coordIndex [2,1,0,-1] } \
         IndexedFaceSet { coordIndex [2,1,0,-1] textureCoordIndex [0, 0, 1, -1] }",
    );
    assert_eq!(of(of_files(&[&two])), [0.9, 0.2, 0.1, 0.1, 0.1, 0.2].map(Some));
}

#[test]
fn solids_have_a_position_and_dimensions() {
    let scene = |radius: f64| {
        format!(
            "<Transform translation='{radius} 0 0'><Shape><Sphere \
             radius='{radius}'/></Shape></Transform>"
        )
    };
    let spheres = inlined(&[&scene(1.0), &scene(3.0)]).drawn_at(0.5).primitives;
    assert_eq!(spheres[0].solid, Solid::Sphere { radius: 2.0 });
    assert_eq!(spheres[0].world, translation([2.0, 0.0, 0.0]));
    let three = vrml1(
        "Cube { width 3 depth 5 } Cone { parts SIDES } Cylinder { parts (SIDES | TOP) height 4 }",
    );
    let drawn = of_files(&[&three]).drawn_at(0.0);
    let solids: Vec<Solid> = drawn.primitives.iter().map(|primitive| primitive.solid).collect();
    let cone = Solid::Cone { bottom_radius: 1.0, height: 2.0, side: true, bottom: false };
    let tube = Solid::Cylinder { radius: 1.0, height: 4.0, side: true, top: true, bottom: false };
    assert_eq!(solids, [Solid::Box { size: [3.0, 2.0, 5.0] }, cone, tube]);
    let movie = Movie { animations: vec![inlined(&[&scene(1.0)])] };
    assert!((movie.size() - 12f64.sqrt()).abs() < 1e-12);
}
