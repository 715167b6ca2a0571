//! castle-anim-frames, X3D and VRML.
//!
//! Long because it is a table.

use super::family::Content::Text;
use super::family::Family;
use super::family::Part::{Each, Once};
use super::family::{Part, Row};

const HEAD: &str = "<X3D version=\"3.3\" profile=\"Immersive\"><Scene>";
const TAIL: &str = "</Scene></X3D>";
const MESH: &str = "<IndexedFaceSet coordIndex=\"0 1 2 -1\"><Coordinate point=\"0 0 0, 1 0 0, 0 1 \
                    0\"/></IndexedFaceSet>";
const CASTLE: &str = "<animations><animation name=\"a\">";
const END: &str = "</animation></animations>";
const FRAME: &str = "<frame time=\"0\"><X3D version=\"3.0\"><Scene>";
const NEXT: &str = "</Scene></X3D></frame><frame time=\"1\"><X3D version=\"3.0\"><Scene>";
const LAST: &str = "</Scene></X3D></frame>";
/// A file that another one includes.
const INLINED: &[Part] = &[Once("<X3D><Scene><Shape><Box/></Shape></Scene></X3D>")];
const BOX: &str = "<Shape><Box/></Shape>";
/// A shape with the points of the coordinate node C.
const SHAPE_OF_C: &str = "<Shape><IndexedFaceSet coordIndex=\"0 1 2 -1\"><Coordinate USE=\"C\"/>\
                          </IndexedFaceSet></Shape>";
const SEPARATOR: &str =
    "#VRML V1.0 ascii\nSeparator {\nCoordinate3 { point [0 0 0, 1 0 0, 0 1 0] }\n";
const TRIANGLE: &str = "geometry IndexedFaceSet { coord Coordinate { point [0 0 0, 1 0 0, 0 1 0] } \
                        coordIndex [0 1 2 -1] }";

/// A sensor that drives the interpolator `I`.
const SENSOR: &str = "<TimeSensor DEF=\"S\"/><ROUTE fromNode=\"S\" \
                      fromField=\"fraction_changed\" toNode=\"I\" toField=\"set_fraction\"/>";
const SENSOR_OF_MANY: &str = "<TimeSensor DEF=\"S$i\"/><ROUTE fromNode=\"S$i\" \
                              fromField=\"fraction_changed\" toNode=\"I\" \
                              toField=\"set_fraction\"/>";
/// An interpolator of points, up to its keys, and its target after its values.
const SWAYING: &str = "<CoordinateInterpolator DEF=\"I\" key=\"";
const SWAYED: &str = "\"/><Shape><IndexedFaceSet coordIndex=\"0 1 2 -1\"><Coordinate DEF=\"C\" \
                      point=\"0 0 0 1 0 0 0 1 0\"/></IndexedFaceSet></Shape><ROUTE fromNode=\"I\" \
                      fromField=\"value_changed\" toNode=\"C\" toField=\"point\"/>";

const CASTLE_ROWS: [Row; 17] = [
    (
        "castle animations",
        "kanim",
        &[
            Once("<animations>"),
            Each(
                "<animation name=\"a$i\"><frame time=\"0\"><X3D><Scene><Shape><IndexedFaceSet \
                 coordIndex=\"0 1 2 -1\"><Coordinate point=\"0 0 0, 1 0 0, 0 1 \
                 0\"/></IndexedFaceSet></Shape></Scene></X3D></frame><frame \
                 time=\"1\"><X3D><Scene><Shape><IndexedFaceSet coordIndex=\"0 1 2 -1\"><Coordinate \
                 point=\"$i 0 0, 1 0 0, 0 1 0\"/></IndexedFaceSet></Shape></Scene></X3D></frame>\
                 </animation>",
            ),
            Once("</animations>"),
        ],
    ),
    (
        "castle equal animations",
        "kanim",
        &[
            Once("<animations>"),
            Each(
                "<animation><frame time=\"0\"><X3D><Scene><Shape><Box/></Shape></Scene></X3D>\
                 </frame><frame time=\"1\"><X3D><Scene><Shape><Sphere/></Shape></Scene></X3D>\
                 </frame></animation>",
            ),
            Once("</animations>"),
        ],
    ),
    (
        "castle moving frames",
        "kanim",
        &[
            Once(CASTLE),
            Each(
                "<frame time=\"$i\"><X3D><Scene><Transform translation=\"$i 0 0\"><Shape><Box/>\
                 </Shape></Transform></Scene></X3D></frame>",
            ),
            Once(END),
        ],
    ),
    (
        "castle changing frames",
        "kanim",
        &[
            Once(CASTLE),
            Each(
                "<frame time=\"$i\"><X3D><Scene><Shape><IndexedFaceSet coordIndex=\"0 1 2 -1\">\
                 <Coordinate point=\"$i 0 0, 1 0 0, 0 1 0\"/></IndexedFaceSet></Shape></Scene>\
                 </X3D></frame>",
            ),
            Once(END),
        ],
    ),
    (
        "castle frames of a changing matrix",
        "kanim",
        &[
            Once(CASTLE),
            Each(
                "<frame time=\"$i\"><X3D><Scene><MatrixTransform matrix=\"1 0.$i 0 0 0 1 0 0 0 0 1 \
                 0 0 0 0 1\"><Transform rotation=\"0 0 1 0.$i\" translation=\"$i 0 0\"><Shape>\
                 <IndexedFaceSet coordIndex=\"0 1 2 -1\"><Coordinate point=\"0 0 0 1 1 0 0 2 \
                 $i\"/></IndexedFaceSet></Shape></Transform></MatrixTransform></Scene></X3D>\
                 </frame>",
            ),
            Once(END),
        ],
    ),
    (
        "castle frames of two structures",
        "kanim",
        &[
            Once(CASTLE),
            Each(
                "<frame time=\"$i\"><X3D><Scene><Shape><Box/></Shape></Scene></X3D></frame><frame \
                 time=\"$i.5\"><X3D><Scene><Group><Shape><Box/></Shape></Group></Scene></X3D>\
                 </frame>",
            ),
            Once(END),
        ],
    ),
    (
        "castle frames of new names",
        "kanim",
        &[
            Once(CASTLE),
            Each(
                "<frame time=\"$i\"><X3D><Scene><Shape DEF=\"s$i\"><Box/></Shape></Scene></X3D>\
                 </frame>",
            ),
            Once(END),
        ],
    ),
    ("castle empty frames", "kanim", &[Once(CASTLE), Each("<frame time=\"$i\"/>"), Once(END)]),
    (
        "castle frames at one time",
        "kanim",
        &[
            Once(CASTLE),
            Each("<frame time=\"1\"><X3D><Scene><Shape><Box/></Shape></Scene></X3D></frame>"),
            Once(END),
        ],
    ),
    (
        "castle shapes in two frames",
        "kanim",
        &[
            Once(CASTLE),
            Once(FRAME),
            Each("<Transform DEF=\"t$i\" translation=\"0 $i 0\"><Shape><Box/></Shape></Transform>"),
            Once(NEXT),
            Each("<Transform DEF=\"t$i\" translation=\"1 $i 0\"><Shape><Box/></Shape></Transform>"),
            Once(LAST),
            Once(END),
        ],
    ),
    (
        "castle shapes in one frame",
        "kanim",
        &[Once(CASTLE), Once(FRAME), Once(NEXT), Each(BOX), Once(LAST), Once(END)],
    ),
    (
        "castle points in two frames",
        "kanim",
        &[
            Once(CASTLE),
            Once(FRAME),
            Once("<Shape><IndexedFaceSet coordIndex=\"0 1 2 -1\"><Coordinate point=\""),
            Each("$i 0 1 "),
            Once("\"/></IndexedFaceSet></Shape>"),
            Once(NEXT),
            Once("<Shape><IndexedFaceSet coordIndex=\"0 1 2 -1\"><Coordinate point=\""),
            Each("$i 1 1 "),
            Once("\"/></IndexedFaceSet></Shape>"),
            Once(LAST),
            Once(END),
        ],
    ),
    (
        "castle uses in two frames",
        "kanim",
        &[
            Once(CASTLE),
            Once(FRAME),
            Once("<Shape DEF=\"s\"><Box/></Shape>"),
            Each("<Transform translation=\"0 $i 0\"><Shape USE=\"s\"/></Transform>"),
            Once(NEXT),
            Once("<Shape DEF=\"s\"><Box/></Shape>"),
            Each("<Transform translation=\"1 $i 0\"><Shape USE=\"s\"/></Transform>"),
            Once(LAST),
            Once(END),
        ],
    ),
    (
        "castle comments",
        "kanim",
        &[Once("<animations>"), Each("<!-- $i --><?p $i?>"), Once("<animation/></animations>")],
    ),
    (
        "castle attributes",
        "kanim",
        &[Once("<animations><animation"), Each(" a$i=\"x\""), Once("/></animations>")],
    ),
    ("castle unknown elements", "kanim", &[Once(CASTLE), Each("<x$i/>"), Once(END)]),
    (
        "castle boxes",
        "kanim",
        &[
            Once(CASTLE),
            Each(
                "<frame time=\"$i\" bounding_box_center=\"0 0 0\" bounding_box_size=\"1 1 1\">\
                 <X3D><Scene><Shape><Box/></Shape></Scene></X3D></frame>",
            ),
            Once(END),
        ],
    ),
];

const X3D_ROWS: [Row; 45] = [
    (
        "x3d points and shapes",
        "x3d",
        &[
            Once(HEAD),
            Once("<Shape><IndexedFaceSet><Coordinate DEF=\"C\" point=\""),
            Each("$i 0 0 "),
            Once("\"/></IndexedFaceSet></Shape>"),
            Each(SHAPE_OF_C),
            Once(TAIL),
        ],
    ),
    (
        "x3d shapes",
        "x3d",
        &[
            Once(HEAD),
            Each("<Transform DEF=\"t$i\" translation=\"$i 0 0\"><Shape><Box/></Shape></Transform>"),
            Once(TAIL),
        ],
    ),
    ("x3d unnamed shapes", "x3d", &[Once(HEAD), Each(BOX), Once(TAIL)]),
    (
        "x3d uses",
        "x3d",
        &[
            Once(HEAD),
            Once("<Shape DEF=\"s\">"),
            Once(MESH),
            Once("</Shape>"),
            Each("<Transform translation=\"$i 0 0\"><Shape USE=\"s\"/></Transform>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d uses of a group that grows",
        "x3d",
        &[
            Once(HEAD),
            Once("<Group DEF=\"g\">"),
            Each(BOX),
            Once("</Group>"),
            Each("<Group USE=\"g\"/>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d sets of shared points",
        "x3d",
        &[
            Once(HEAD),
            Once("<Shape><QuadSet><Coordinate DEF=\"c\" point=\""),
            Each("$i 0 0 "),
            Once("\"/></QuadSet></Shape>"),
            Each("<Shape><QuadSet><Coordinate USE=\"c\"/></QuadSet></Shape>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d one geometry in many colours",
        "x3d",
        &[
            Once(HEAD),
            Once("<Shape><IndexedFaceSet DEF=\"g\" coordIndex=\""),
            Each("0 1 $i -1 "),
            Once("\"><Coordinate point=\"0 0 0 "),
            Each("$i 0 0 "),
            Once("\"/></IndexedFaceSet></Shape>"),
            Each(
                "<Shape><Appearance><Material diffuseColor=\"0.$i 0 0\"/></Appearance>\
                 <IndexedFaceSet USE=\"g\"/></Shape>",
            ),
            Once(TAIL),
        ],
    ),
    (
        "x3d uses of a layer that hides its children",
        "x3d",
        &[
            Once(HEAD),
            Once("<CADLayer DEF=\"g\" visible=\""),
            Each("false "),
            Once("\">"),
            Each("<Group/>"),
            Once("</CADLayer>"),
            Each("<CADLayer USE=\"g\"/>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d equal names",
        "x3d",
        &[Once(HEAD), Each("<Transform DEF=\"t\"/><Group USE=\"t\"/>"), Once(TAIL)],
    ),
    ("x3d uses of unknown names", "x3d", &[Once(HEAD), Each("<Group USE=\"u$i\"/>"), Once(TAIL)]),
    (
        "x3d chain of uses",
        "x3d",
        &[
            Once(HEAD),
            Once("<Group DEF=\"g0\"><Shape><Box/></Shape></Group>"),
            Each("<Group DEF=\"g$j\"><Group USE=\"g$i\"/></Group>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d nested transforms",
        "x3d",
        &[
            Once(HEAD),
            Each("<Transform translation=\"$i 0 0\">"),
            Once(BOX),
            Each("</Transform>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d materials",
        "x3d",
        &[
            Once(HEAD),
            Each(
                "<Shape><Appearance DEF=\"a$i\"><Material diffuseColor=\"0.$i 0 0\"/>\
                 <ImageTexture url=\"t$i.png\"/></Appearance><Box/></Shape>",
            ),
            Once(TAIL),
        ],
    ),
    (
        "x3d data URLs",
        "x3d",
        &[
            Once(HEAD),
            Each(
                "<Shape><Appearance><ImageTexture url=\"data:image/png;base64,iVBORw0KGgo$i\"/>\
                 </Appearance><Box/></Shape>",
            ),
            Once(TAIL),
        ],
    ),
    (
        "x3d interpolators",
        "x3d",
        &[
            Once(HEAD),
            Each(
                "<TimeSensor DEF=\"T$i\" cycleInterval=\"$j\" loop=\"true\"/><PositionInterpolator \
                 DEF=\"P$i\" key=\"0 1\" keyValue=\"0 0 0 1 0 0\"/><Transform DEF=\"X$i\"><Shape>\
                 <Box/></Shape></Transform><ROUTE fromNode=\"T$i\" fromField=\"fraction_changed\" \
                 toNode=\"P$i\" toField=\"set_fraction\"/><ROUTE fromNode=\"P$i\" \
                 fromField=\"value_changed\" toNode=\"X$i\" toField=\"translation\"/>",
            ),
            Once(TAIL),
        ],
    ),
    (
        "x3d sensors of one interpolator",
        "x3d",
        &[
            Once(HEAD),
            Once("<PositionInterpolator DEF=\"I\" key=\""),
            Each("$ie-6 "),
            Once("\" keyValue=\""),
            Each("$i 0 0 "),
            Once("\"/><Transform DEF=\"X\"><Shape><Box/></Shape></Transform>"),
            Once(
                "<ROUTE fromNode=\"I\" fromField=\"value_changed\" toNode=\"X\" \
                 toField=\"translation\"/>",
            ),
            Each(SENSOR_OF_MANY),
            Once(TAIL),
        ],
    ),
    (
        "x3d sensors of one interpolator of points",
        "x3d",
        &[
            Once(HEAD),
            Once(SWAYING),
            Each("$ie-6 "),
            Once("\" keyValue=\""),
            Each("0 0 0 $i 0 0 0 1 0 "),
            Once(SWAYED),
            Each(SENSOR_OF_MANY),
            Once(TAIL),
        ],
    ),
    (
        "x3d shapes with the same moving points",
        "x3d",
        &[
            Once(HEAD),
            Once(SWAYING),
            Each("$ie-6 "),
            Once("\" keyValue=\""),
            Each("0 0 0 $i 0 0 0 1 0 "),
            Once(SWAYED),
            Once(SENSOR),
            Each(SHAPE_OF_C),
            Once(TAIL),
        ],
    ),
    (
        "x3d switches of one sequencer",
        "x3d",
        &[
            Once(HEAD),
            Once("<IntegerSequencer DEF=\"I\" key=\""),
            Each("$i.0e-6 $i.5e-6 "),
            Once("\" keyValue=\""),
            Each("0 1 "),
            Once("\"/>"),
            Once(SENSOR),
            Each(
                "<Switch DEF=\"W$i\"><Shape><Box/></Shape><Shape><Box/></Shape></Switch>\
                 <ROUTE fromNode=\"I\" fromField=\"value_changed\" toNode=\"W$i\" \
                 toField=\"whichChoice\"/>",
            ),
            Once(TAIL),
        ],
    ),
    (
        "x3d keys",
        "x3d",
        &[
            Once(HEAD),
            Once("<PositionInterpolator key=\""),
            Each("$i "),
            Once("\" keyValue=\""),
            Each("0 0 $i "),
            Once("\"/>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d prototypes",
        "x3d",
        &[
            Once(HEAD),
            Each(
                "<ProtoDeclare name=\"p$i\"><ProtoBody><Shape><Box/></Shape></ProtoBody>\
                 </ProtoDeclare><ProtoInstance name=\"p$i\"/>",
            ),
            Once(TAIL),
        ],
    ),
    (
        "x3d prototype instances",
        "x3d",
        &[
            Once(HEAD),
            Once("<ProtoDeclare name=\"p\"><ProtoBody>"),
            Once(BOX),
            Once("</ProtoBody></ProtoDeclare>"),
            Each("<ProtoInstance name=\"p\"/>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d scripts",
        "x3d",
        &[
            Once(HEAD),
            Each(
                "<Script DEF=\"s$i\" url=\"javascript:\"><field name=\"f\" type=\"SFBool\"/></Scr\
                ipt>",
            ),
            Once(TAIL),
        ],
    ),
    (
        "x3d fields of a script",
        "x3d",
        &[
            Once(HEAD),
            Once("<Script>"),
            Each("<field name=\"f$i\" type=\"SFBool\" accessType=\"inputOnly\"/>"),
            Once("</Script>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d points",
        "x3d",
        &[
            Once(HEAD),
            Once("<Shape><IndexedFaceSet coordIndex=\"0 1 2 -1\"><Coordinate point=\""),
            Each("$i 0 1 "),
            Once("\"/></IndexedFaceSet></Shape>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d faces",
        "x3d",
        &[
            Once(HEAD),
            Once("<Shape><IndexedFaceSet creaseAngle=\"1\" coordIndex=\""),
            Each("0 1 2 -1 "),
            Once("\"><Coordinate point=\"0 0 0 1 0 0 0 1 0\"/></IndexedFaceSet></Shape>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d faces of their own points",
        "x3d",
        &[
            Once(HEAD),
            Once("<Shape><TriangleSet><Coordinate point=\""),
            Each("$i 0 0 $j 0 0 $i 1 0 "),
            Once("\"/></TriangleSet></Shape>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d one polygon",
        "x3d",
        &[
            Once(HEAD),
            Once("<Shape><IndexedFaceSet coordIndex=\""),
            Each("$i "),
            Once("-1\"><Coordinate point=\""),
            Each("$i 0.$r 0 "),
            Once("\"/></IndexedFaceSet></Shape>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d colours",
        "x3d",
        &[
            Once(HEAD),
            Once("<Shape><IndexedFaceSet colorPerVertex=\"false\" coordIndex=\""),
            Each("0 1 2 -1 "),
            Once("\"><Coordinate point=\"0 0 0 1 0 0 0 1 0\"/><Color color=\""),
            Each("1 0 0.$i "),
            Once("\"/></IndexedFaceSet></Shape>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d extrusion",
        "x3d",
        &[
            Once(HEAD),
            Once("<Shape><Extrusion spine=\""),
            Each("0 $i 0 "),
            Once("\"/></Shape>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d extrusion of a long section",
        "x3d",
        &[
            Once(HEAD),
            Once("<Shape><Extrusion crossSection=\""),
            Each("0.$i $i "),
            Once("\" spine=\""),
            Each("0 $i 0 "),
            Once("\"/></Shape>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d elevation grid",
        "x3d",
        &[
            Once(HEAD),
            Once("<Shape><ElevationGrid xDimension=\"2\" zDimension=\"$n\" height=\""),
            Each("0 0.$i "),
            Once("\"/></Shape>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d spheres",
        "x3d",
        &[Once(HEAD), Each("<Shape><Sphere radius=\"$j\"/></Shape>"), Once(TAIL)],
    ),
    (
        "x3d texts",
        "x3d",
        &[Once(HEAD), Each("<Shape><Text string='\"t$i\"'/></Shape>"), Once(TAIL)],
    ),
    (
        "x3d attributes",
        "x3d",
        &[Once(HEAD), Once("<Group"), Each(" a$i=\"\""), Once("/>"), Once(TAIL)],
    ),
    ("x3d unknown nodes", "x3d", &[Once(HEAD), Each("<Node$i/>"), Once(TAIL)]),
    ("x3d comments", "x3d", &[Once(HEAD), Each("<!-- $i -->"), Once(BOX), Once(TAIL)]),
    (
        "x3d character data",
        "x3d",
        &[Once(HEAD), Each("<![CDATA[$i]]>&amp;"), Once(BOX), Once(TAIL)],
    ),
    (
        "x3d long name",
        "x3d",
        &[Once(HEAD), Once("<Group DEF=\""), Each("x$i"), Once("\"/>"), Once(TAIL)],
    ),
    (
        "x3d routes",
        "x3d",
        &[
            Once(HEAD),
            Each("<ROUTE fromNode=\"a$i\" fromField=\"b\" toNode=\"c\" toField=\"d\"/>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d lights and viewpoints",
        "x3d",
        &[Once(HEAD), Each("<PointLight/><Viewpoint DEF=\"v$i\"/>"), Once(TAIL)],
    ),
    (
        "x3d metadata",
        "x3d",
        &[Once(HEAD), Each("<MetadataString name=\"m$i\" value='\"v\"'/>"), Once(TAIL)],
    ),
    (
        "x3d children of a switch",
        "x3d",
        &[Once(HEAD), Once("<Switch whichChoice=\"1\">"), Each(BOX), Once("</Switch>"), Once(TAIL)],
    ),
    (
        "x3d line set",
        "x3d",
        &[
            Once(HEAD),
            Once("<Shape><IndexedLineSet coordIndex=\""),
            Each("0 1 -1 "),
            Once("\"><Coordinate point=\"0 0 0 1 0 0\"/></IndexedLineSet></Shape>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d inline of missing files",
        "x3d",
        &[Once(HEAD), Each("<Inline url='\"f$i.x3d\"'/>"), Once(TAIL)],
    ),
];

const VRML_ROWS: [Row; 20] = [
    (
        "wrl shapes",
        "wrl",
        &[
            Once("#VRML V2.0 utf8\n"),
            Each("DEF t$i Transform { translation $i 0 0 children Shape { geometry Box { } } }\n"),
        ],
    ),
    (
        "wrl meshes",
        "wrl",
        &[Once("#VRML V2.0 utf8\n"), Each("Shape { "), Once(TRIANGLE), Each(" }\n")],
    ),
    (
        "wrl nested transforms",
        "wrl",
        &[
            Once("#VRML V2.0 utf8\n"),
            Each("Transform { children "),
            Once("Shape { geometry Box { } }"),
            Each(" }"),
        ],
    ),
    (
        "wrl uses",
        "wrl",
        &[
            Once("#VRML V2.0 utf8\nDEF s Shape { geometry Box { } }\n"),
            Each("Transform { translation $i 0 0 children USE s }\n"),
        ],
    ),
    (
        "wrl prototypes",
        "wrl",
        &[
            Once("#VRML V2.0 utf8\n"),
            Each("PROTO P$i [ field SFFloat x 0 ] { Shape { geometry Box { } } }\nP$i { x 1 }\n"),
        ],
    ),
    (
        "wrl named nodes in a script",
        "wrl",
        &[
            Once("#VRML V2.0 utf8\nScript {\n"),
            Each("field SFNode f$i DEF n$i Group { }\n"),
            Once("}\nGroup { children [\n"),
            Each("USE n$i\n"),
            Once("] }\n"),
        ],
    ),
    (
        "wrl named nodes in an unknown node",
        "wrl",
        &[
            Once("#VRML V2.0 utf8\nNothing {\n"),
            Each("a { DEF n$i Shape { geometry Box { } } DEF m$i Nothing { } }\n"),
            Once("}\nGroup { children [\n"),
            Each("USE n$i USE m$i\n"),
            Once("] }\n"),
        ],
    ),
    (
        "x3d named nodes in physics",
        "x3d",
        &[
            Once(HEAD),
            Once("<RigidBodyCollection>"),
            Each(
                "<RigidBody><CollidableShape DEF=\"c$i\"><Shape><Box/></Shape></CollidableShape>\
                  </RigidBody>",
            ),
            Once("</RigidBodyCollection>"),
            Each("<CollidableShape USE=\"c$i\"/>"),
            Once(TAIL),
        ],
    ),
    (
        "x3d geometry outside of shapes",
        "x3d",
        &[Once(HEAD), Each("<Box containerField=\"children\" DEF=\"b$i\"/>"), Once(TAIL)],
    ),
    (
        "x3d rings",
        "x3d",
        &[Once(HEAD), Each("<Shape><Disk2D innerRadius=\"0.$i\"/></Shape>"), Once(TAIL)],
    ),
    (
        "wrl fields of a script",
        "wrl",
        &[Once("#VRML V2.0 utf8\nScript {\n"), Each("eventIn SFBool f$i\n"), Once("}\n")],
    ),
    ("wrl comments", "wrl", &[Once("#VRML V2.0 utf8\n"), Each("# $i\n"), Once("Group { }\n")]),
    ("wrl unknown nodes", "wrl", &[Once("#VRML V2.0 utf8\n"), Each("N$i { a [ 1 2 ] b { } }\n")]),
    (
        "wrl routes",
        "wrl",
        &[Once("#VRML V2.0 utf8\nDEF a Group { }\n"), Each("ROUTE a.x$i TO a.y\n")],
    ),
    (
        "wrl points",
        "wrl",
        &[
            Once("#VRML V2.0 utf8\nShape { geometry IndexedFaceSet { coord Coordinate { point [\n"),
            Each("$i 0 1,\n"),
            Once("] } coordIndex [ 0 1 2 -1 ] } }\n"),
        ],
    ),
    (
        "vrml 1 shapes",
        "wrl",
        &[
            Once(SEPARATOR),
            Each(
                "Separator { Translation { translation $i 0 0 } IndexedFaceSet { coordIndex [0, 1, \
                 2, -1] } }\n",
            ),
            Once("}\n"),
        ],
    ),
    (
        "vrml 1 shapes after one another",
        "wrl",
        &[
            Once(SEPARATOR),
            Each(
                "Translation { translation $i 0 0 } Material { diffuseColor 0.$i 0 0 } \
                 IndexedFaceSet { coordIndex [0, 1, 2, -1] }\n",
            ),
            Once("}\n"),
        ],
    ),
    (
        "vrml 1 points and shapes",
        "wrl",
        &[
            Once("#VRML V1.0 ascii\nSeparator { Coordinate3 { point [\n"),
            Each("$i 0 0,\n"),
            Once("] }\n"),
            Each("IndexedFaceSet { coordIndex [0, 1, 2, -1] }\n"),
            Once("}\n"),
        ],
    ),
    (
        "vrml 1 nested separators",
        "wrl",
        &[Once("#VRML V1.0 ascii\n"), Each("Separator { Cube { }\n"), Each("}\n")],
    ),
    (
        "vrml 1 materials",
        "wrl",
        &[
            Once("#VRML V1.0 ascii\nSeparator { Material { diffuseColor [\n"),
            Each("1 0 0.$i,\n"),
            Once("] } Cube { } }\n"),
        ],
    ),
];

pub(super) fn families() -> Vec<Family> {
    let companions = [
        Family::of((
            "castle frames in one file",
            "kanim",
            &[Once(CASTLE), Each("<frame time=\"$i\" url=\"f.x3d\"/>"), Once(END)],
        )),
        Family::of((
            "x3d inline of one file",
            "x3d",
            &[Once(HEAD), Each("<Inline url='\"f.x3d\"'/>"), Once(TAIL)],
        )),
    ];
    let rows = CASTLE_ROWS.into_iter().chain(X3D_ROWS).chain(VRML_ROWS).map(Family::of);
    rows.chain(companions.map(|family| family.with_companion("f.x3d", Text(INLINED)))).collect()
}
