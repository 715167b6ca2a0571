//! Files made by hand.

use std::f64::consts::FRAC_1_SQRT_2 as HALF;
use std::io::Write;

use test_oracle::castle::{self, Animation, Movie, Solid};
use test_oracle::math::translation;

pub(super) fn no_files(path: &str) -> Vec<u8> {
    panic!("{path} is asked for")
}

/// An animation of frames one second apart, each an X3D scene.
fn inlined(scenes: &[&str]) -> Animation {
    let frame = |(i, scene): (usize, &&str)| {
        format!("<frame time='{i}'><X3D><Scene>{scene}</Scene></X3D></frame>")
    };
    let frames: String = scenes.iter().enumerate().map(frame).collect();
    only(castle::read(format!("<animation>{frames}</animation>").as_bytes(), &no_files))
}

/// An animation of frames one second apart, each a file of one text.
fn of_files(texts: &[&str]) -> Animation {
    let frame = |i: usize| format!("<frame url='{i}' time='{i}'/>");
    let frames: String = (0..texts.len()).map(frame).collect();
    let files = |path: &str| texts[path.parse::<usize>().unwrap()].as_bytes().to_vec();
    only(castle::read(format!("<animation>{frames}</animation>").as_bytes(), &files))
}

pub(super) fn only(movie: Movie) -> Animation {
    let [animation] = movie.animations.try_into().unwrap();
    animation
}

#[track_caller]
fn close(found: &[[f64; 3]], expected: &[[f64; 3]]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    let near =
        found.as_flattened().iter().zip(expected.as_flattened()).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(near, "{found:?} is not {expected:?}");
}

/// A triangle at (1 0 0), (0 1 0) and (0 0 1).
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
    // The first before, the last after.
    close(&animation.corners_at(-3.0)[..1], &[[0.0, 1.0, 0.0]]);
    close(&animation.corners_at(9.0)[..1], &[[0.0, 1.0, 8.0]]);
    assert_eq!(animation.faces_at(0.0).len(), 1);
}

#[test]
fn the_fields_of_a_transform_apply_in_the_order_of_the_standard() {
    let at = |fields: &str| inlined(&[&in_transform(fields)]).corners_at(0.0)[0];
    // Twice as long in x, a quarter turn about z, one up.
    close(
        &[at("translation='0 0 1' rotation='0 0 1 1.5707963267948966' scale='2 1 1'")],
        &[[0.0, 2.0, 1.0]],
    );
    // About (1 1 0): (0 −1) turns to (1 0).
    close(&[at("center='1 1 0' rotation='0 0 1 1.5707963267948966'")], &[[2.0, 1.0, 0.0]]);
    // The middle of scaling is the centre, too.
    close(&[at("center='0.5 0 0' scale='3 1 1'")], &[[2.0, 0.0, 0.0]]);
    // Twice as long along (1 1 0): (1 0 0) is a half of it and a half across.
    close(&[at("scale='2 1 1' scaleOrientation='0 0 1 0.7853981633974483'")], &[[1.5, 0.5, 0.0]]);
}

#[test]
fn rotations_go_the_shortest_way() {
    let turn = |rotation: &str| in_transform(&format!("rotation='{rotation}'"));
    let x = |from: &str, to: &str, t| inlined(&[&turn(from), &turn(to)]).corners_at(t)[0];
    close(&[x("0 0 1 0", "0 0 1 1.5707963267948966", 0.5)], &[[HALF, HALF, 0.0]]);
    // From 0 to 270° backwards; 360° is no way at all.
    close(&[x("0 0 1 0", "0 0 1 4.71238898038469", 0.5)], &[[HALF, -HALF, 0.0]]);
    close(&[x("0 0 1 0", "0 0 1 6.283185307179586", 0.5)], &[[1.0, 0.0, 0.0]]);
    // Another axis, of any length; no axis is no rotation.
    close(&[x("0 1 0 0", "0 0 -4 -1.5707963267948966", 1.0 / 3.0)], &[[0.75f64.sqrt(), 0.5, 0.0]]);
    close(&[x("0 0 0 0", "0 0 0 1", 0.5)], &[[1.0, 0.0, 0.0]]);
}

#[test]
fn every_use_is_drawn_where_it_is() {
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
fn what_only_collides_is_not_drawn() {
    let scene = format!(
        "<Collision>{TRIANGLE}{}</Collision>",
        TRIANGLE.replace("<Shape", "<Shape containerField='proxy'")
    );
    assert_eq!(inlined(&[&scene]).faces_at(0.0).len(), 1);
}

#[test]
fn an_unequal_frame_is_held_until_the_next_one() {
    let (a, b) = (in_transform("translation='1 0 0'"), in_transform("translation='3 0 0'"));
    let more = format!("{b}<Group/>");
    let animation = inlined(&[&a, &b, &more, &a]);
    assert!(
        animation.structurally_equal(0)
            && !animation.structurally_equal(1)
            && !animation.structurally_equal(2)
    );
    assert_eq!(animation.difference(1), Some("Scene.children: 1 and 2 values"));
    let x = |t: f64| animation.corners_at(t)[0][0];
    assert_eq!([0.5, 1.0, 1.9, 2.9, 3.0].map(x), [3.0, 4.0, 4.0, 4.0, 2.0]);
}

#[test]
fn structure_is_everything_but_numbers() {
    let pair = |a: &str, b: &str| inlined(&[a, b]).structurally_equal(0);
    let faces = TRIANGLE;
    assert!(pair(faces, &faces.replace("1 0 0 0 1 0", "7 8 9 1 2 3")));
    assert!(
        pair(faces, &faces.replace("coordIndex", "creaseAngle='3' coordIndex")),
        "a missing number is its default"
    );
    assert!(pair(faces, &faces.replace("coordIndex", "solid='true' convex='TRUE' coordIndex")));
    assert!(pair(faces, &faces.replace("0 1 2 -1", " 0,1,2, -1")));
    assert!(!pair(faces, &faces.replace("0 1 2 -1", "0 2 1 -1")));
    assert!(!pair(faces, &faces.replace("0 1 2 -1", "0 1 2")));
    assert!(!pair(faces, &faces.replace("coordIndex", "solid='false' coordIndex")));
    assert!(!pair(faces, &faces.replace("0 0 1'", "0 0 1 5 5 5'")));
    assert!(!pair(faces, &faces.replace("<Shape", "<Shape DEF='a'")));
    assert!(!pair(faces, &format!("<Group>{faces}</Group>")));
    assert!(!pair("<Switch whichChoice='0'/>", "<Switch whichChoice='1'/>"));
}

#[test]
fn without_scenes_per_time_nothing_is_interpolated() {
    let frame = |t: f64, x: f64| {
        format!(
            "<frame time='{t}'><X3D><Scene>{}</Scene></X3D></frame>",
            in_transform(&format!("translation='{x} 0 0'"))
        )
    };
    let text = format!(
        "<animations><animation scenes_per_time='0' name='n' loop='TRUE' \
         backwards='1'>{}{}</animation></animations>",
        frame(-1.0, 0.0),
        frame(1.0, 4.0)
    );
    let animation = only(castle::read(text.as_bytes(), &no_files));
    assert!(
        animation.step && animation.loops && animation.backwards && animation.structurally_equal(0)
    );
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
fn one_scene_in_every_encoding_is_one_structure() {
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
                coordIndex [0,1,2,-1] } } } ROUTE a.b TO c.d\n";
    let classic =
        format!("#X3D V3.0 utf8\nPROFILE Immersive\nCOMPONENT H:1 META \"a\" \"b {{\"\n{body}");
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
fn inlined_files_are_compared_by_content_and_stand_in_their_own_folder() {
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
        path => panic!("{path} is asked for"),
    };
    let animation = only(castle::read(text.as_bytes(), &|path| files(path).into_bytes()));
    assert!(animation.structurally_equal(0), "{:?}", animation.difference(0));
    close(&animation.corners_at(0.5)[..1], &[[3.0, 0.0, 1.0]]);
    assert!(!animation.structurally_equal(1), "another folder");
}

#[test]
fn state_of_vrml_1_lasts_to_the_end_of_the_separator() {
    let corners = |body: &str| {
        of_files(&[&format!("#VRML V1.0 ascii\nSeparator {{ {body} }}")]).corners_at(0.0)
    };
    let coordinates = "Coordinate3 { point [ 1 0 0, 0 1 0, 0 0 1 ] }";
    let faces = "IndexedFaceSet { coordIndex [ 0, 1, 2, -1 ] }";
    let first = |moves: &str| corners(&format!("{coordinates} {moves} {faces}"))[0];
    assert_eq!(first("Translation { translation 1 2 3 }"), [2.0, 2.0, 3.0]);
    // What comes later is applied to the points first.
    assert_eq!(
        first("Translation { translation 1 0 0 } Scale { scaleFactor 3 1 1 }"),
        [4.0, 0.0, 0.0]
    );
    close(&[first("Rotation { rotation 0 0 1 1.5707963267948966 }")], &[[0.0, 1.0, 0.0]]);
    assert_eq!(
        first("Transform { center 1 0 0 scaleFactor 2 2 2 translation 0 0 7 }"),
        [1.0, 0.0, 7.0]
    );
    assert_eq!(
        first("MatrixTransform { matrix 2 3 4 0 0 1 0 0 0 0 1 0 10 20 30 1 }"),
        [12.0, 23.0, 34.0]
    );
    assert_eq!(first("Group { Translation { translation 1 0 0 } }"), [2.0, 0.0, 0.0]);
    assert_eq!(first("Separator { Translation { translation 1 0 0 } }"), [1.0, 0.0, 0.0]);
    assert_eq!(
        first(
            "TransformSeparator \
             { Translation { translation 1 0 0 } Coordinate3 { point [ 9 0 0, 0 1 0, 0 0 1 ] } }"
        ),
        [9.0, 0.0, 0.0]
    );
    assert_eq!(
        first("Switch { whichChild 1 Group {} Translation { translation 5 0 0 } }"),
        [6.0, 0.0, 0.0]
    );
    assert_eq!(
        first("Switch { whichChild -3 Group {} Translation { translation 5 0 0 } }"),
        [6.0, 0.0, 0.0]
    );
    // Only named by the Switch, drawn by the USE.
    let used = corners(&format!(
        "{coordinates} Switch {{ DEF A Separator {{ {faces} }} }} Translation \
         {{ translation 4 0 0 }} USE A"
    ));
    assert_eq!((used.len(), used[0]), (3, [5.0, 0.0, 0.0]));
}

#[test]
fn inlined_files_of_vrml_1_leave_nothing_unless_told() {
    let body = |field: &str| {
        format!(
            "#VRML V1.0 ascii\nSeparator \
             {{ WWWInline {{ name \"1\" {field} }} Coordinate3 {{ point [1 0 0, 0 1 0, 0 0 1] \
             }} IndexedFaceSet {{ coordIndex [0,1,2] }} }}"
        )
    };
    let moved = "#VRML V1.0 ascii\nTranslation { translation 2 0 0 }";
    assert_eq!(of_files(&[&body(""), moved]).corners_at(0.0)[0], [1.0, 0.0, 0.0]);
    assert_eq!(of_files(&[&body("separate FALSE"), moved]).corners_at(0.0)[0], [3.0, 0.0, 0.0]);
}

#[test]
fn matrices_are_interpolated_element_by_element() {
    let frame = |matrix: &str, x: i32| {
        format!(
            "#VRML V1.0 ascii\nSeparator \
             {{ MatrixTransform {{ matrix {matrix} }} Coordinate3 {{ point [{x} 0 0, 0 1 0, 0 \
             0 1] }} IndexedFaceSet {{ coordIndex [0,1,2,-1] }} }}"
        )
    };
    let animation = of_files(&[
        &frame("1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", 1),
        &frame("0 4 0 0 0 1 0 0 0 0 1 0 2 0 0 1", 3),
    ]);
    // Half way x is 2, and the matrix takes x to (0.5 2 0) and moves by 1.
    close(&animation.corners_at(0.5)[..1], &[[2.0, 4.0, 0.0]]);
}

#[test]
fn triangles_lines_and_points_of_all_kinds() {
    let points = "<Coordinate point='0 0 0 1 0 0 2 0 0 3 0 0 4 0 0 5 0 0'/>";
    let draw = |geometry: &str| {
        inlined(&[&format!(
            "<Shape><{geometry}>{points}</{}></Shape>",
            geometry.split(' ').next().unwrap()
        )])
    };
    let faces = |geometry: &str| -> Vec<Vec<f64>> {
        let faces = draw(geometry).faces_at(0.0);
        faces.iter().map(|face| face.iter().map(|corner| corner.place[0]).collect()).collect()
    };
    assert_eq!(
        faces("IndexedFaceSet coordIndex='0 1 2 3 -1 5 4 3 -1 0 1 -1'"),
        [vec![0.0, 1.0, 2.0, 3.0], vec![5.0, 4.0, 3.0]]
    );
    assert_eq!(faces("IndexedTriangleSet index='2 1 0 3 4 5'"), [[2.0, 1.0, 0.0], [3.0, 4.0, 5.0]]);
    assert_eq!(faces("TriangleSet"), [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]);
    assert_eq!(
        faces("IndexedTriangleFanSet index='5 1 2 3 -1 0 1 2'"),
        [[5.0, 1.0, 2.0], [5.0, 2.0, 3.0], [0.0, 1.0, 2.0]]
    );
    assert_eq!(faces("TriangleFanSet fanCount='3 3'"), [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]);
    assert_eq!(
        faces("IndexedTriangleStripSet index='0 1 2 3 -1'"),
        [[0.0, 1.0, 2.0], [2.0, 1.0, 3.0]]
    );
    assert_eq!(
        faces("TriangleStripSet stripCount='5'"),
        [[0.0, 1.0, 2.0], [2.0, 1.0, 3.0], [2.0, 3.0, 4.0]]
    );
    assert_eq!(faces("QuadSet"), [[0.0, 1.0, 2.0, 3.0]]);
    let ends = |geometry: &str| {
        draw(geometry).line_ends_at(0.0).iter().map(|end| end[0]).collect::<Vec<_>>()
    };
    assert_eq!(ends("IndexedLineSet coordIndex='0 2 4 -1 5 1'"), [0.0, 2.0, 2.0, 4.0, 5.0, 1.0]);
    assert_eq!(ends("LineSet vertexCount='2 3'"), [0.0, 1.0, 2.0, 3.0, 3.0, 4.0]);
    assert_eq!(draw("PointSet").points_at(0.0).len(), 6);
    let grid = "<Shape><ElevationGrid xDimension='2' zDimension='2' xSpacing='3' zSpacing='5' \
                height='0 1 2 4'/></Shape>";
    close(
        &inlined(&[grid]).corners_at(0.0),
        &[[0.0, 0.0, 0.0], [0.0, 2.0, 5.0], [3.0, 4.0, 5.0], [3.0, 1.0, 0.0]],
    );
}

#[test]
fn points_of_vrml_1_are_a_part_of_the_coordinates() {
    let points = |fields: &str| {
        let text = format!(
            "#VRML V1.0 ascii\nSeparator \
             {{ Coordinate3 {{ point [0 0 0, 1 0 0, 2 0 0, 3 0 0] }} PointSet {{ {fields} }} }}"
        );
        of_files(&[&text]).points_at(0.0).iter().map(|point| point[0]).collect::<Vec<_>>()
    };
    assert_eq!(points(""), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(points("startIndex 1 numPoints 2"), [1.0, 2.0]);
}

#[test]
fn texture_coordinates_have_their_own_numbers_or_those_of_the_points() {
    let texcoords = |index: &str| {
        let scene = TRIANGLE
            .replace("coordIndex", &format!("{index} coordIndex"))
            .replace("<Coordinate", "<TextureCoordinate point='0 .1 1 .2 .5 .9'/><Coordinate");
        inlined(&[&scene])
            .corners_with_texcoords(0.0)
            .iter()
            .map(|corner| corner.1.unwrap()[1])
            .collect::<Vec<_>>()
    };
    assert_eq!(texcoords(""), [0.1, 0.2, 0.9]);
    assert_eq!(texcoords("texCoordIndex='2 0 1 -1'"), [0.9, 0.1, 0.2]);
    assert!(
        inlined(&[TRIANGLE]).corners_with_texcoords(0.0).iter().all(|corner| corner.1.is_none())
    );
    let vrml1 = "#VRML V1.0 ascii\nSeparator { TextureCoordinate2 { point [0 .1, 1 .2, .5 .9] } \
                 Coordinate3 { point [0 0 0, 1 0 0, 2 0 0] } \
                 IndexedFaceSet { coordIndex [2,1,0,-1] } \
                 IndexedFaceSet { coordIndex [2,1,0,-1] textureCoordIndex [0, 0, 1, -1] } }";
    let found: Vec<f64> = of_files(&[vrml1])
        .corners_with_texcoords(0.0)
        .iter()
        .map(|corner| corner.1.unwrap()[1])
        .collect();
    assert_eq!(found, [0.9, 0.2, 0.1, 0.1, 0.1, 0.2]);
}

#[test]
fn solids_have_their_place_and_dimensions() {
    let scene = |radius: f64| {
        format!(
            "<Transform translation='{radius} 0 0'><Shape><Sphere \
             radius='{radius}'/></Shape></Transform>"
        )
    };
    let spheres = inlined(&[&scene(1.0), &scene(3.0)]).primitives_at(0.5);
    assert_eq!(spheres[0].solid, Solid::Sphere { radius: 2.0 });
    assert_eq!(spheres[0].world, translation([2.0, 0.0, 0.0]));
    let vrml1 = "#VRML V1.0 ascii\nSeparator \
                 { Cube { width 3 depth 5 } Cone { parts SIDES } Cylinder { parts (SIDES | \
                 TOP) height 4 } }";
    let solids: Vec<Solid> =
        of_files(&[vrml1]).primitives_at(0.0).iter().map(|primitive| primitive.solid).collect();
    let cone = Solid::Cone { bottom_radius: 1.0, height: 2.0, side: true, bottom: false };
    let tube = Solid::Cylinder { radius: 1.0, height: 4.0, side: true, top: true, bottom: false };
    assert_eq!(solids, [Solid::Box { size: [3.0, 2.0, 5.0] }, cone, tube]);
    let text = format!(
        "<animation><frame time='0'><X3D><Scene>{}</Scene></X3D></frame></animation>",
        scene(1.0)
    );
    assert!((castle::read(text.as_bytes(), &no_files).size() - 12f64.sqrt()).abs() < 1e-12);
}
