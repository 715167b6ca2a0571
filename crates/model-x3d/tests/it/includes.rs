//! Files that a scene includes: other kinds, names in them, and what cannot be shown.

use anim_ir::{
    Budget, Clip, Confidence, Converted, Diagnostics, Limits, Mesh, Node, ResolveError, Resolver,
    Scene, Sniff, Span, TimelineBuilder, Vec3,
};
use model_x3d::{Document, FileKind, Loader, Model, Still, ToIr, codes, to_ir_with};

use crate::frames::{assert_near, seen_at};
use crate::prototypes::Files;
use crate::written::triangle;

/// Files with one word, which says what they are.
const KINDS: &[FileKind] = &[FileKind {
    extensions: &["odd"],
    media_types: &["model/odd"],
    sniff: |bytes| {
        let is_odd = bytes.starts_with(b"odd");
        Sniff::new(if is_odd { Confidence::Certain } else { Confidence::No }, "")
    },
    read: read_odd,
}];

fn read_odd(bytes: Vec<u8>, files: &mut dyn Resolver, _: &Limits) -> Result<Still, String> {
    let text = String::from_utf8(bytes).unwrap();
    let mut scene = Scene::default();
    let mesh = match text.trim_start_matches("odd ") {
        "asks" => {
            let head = files.head("b.bin", 2).map_err(|error| error.to_string())?;
            let found = (head, files.exists("b.bin"), files.exists("c.bin"));
            return Err(format!("{found:?}, {:?}, {}", files.way("b.bin"), files.limit()));
        }
        "first" => {
            let text = "<X3D><Scene><Group DEF='Place'/></Scene></X3D>".to_owned();
            let span = Span::new(0, text.len());
            return Ok(Still::X3d { text, span, namespaces: Vec::new() });
        }
        "large" => Mesh { positions: vec![Vec3::ZERO; 100_000], ..triangle() },
        _ => triangle(),
    };
    let mesh = scene.add_mesh(mesh);
    scene.add_node(Node { mesh: Some(mesh), ..Node::default() });
    let timeline = scene.add_timeline(TimelineBuilder::new("").finish());
    scene.add_clip(Clip { timeline, ..Clip::default() });
    let mut problems = Diagnostics::new();
    problems.push(&codes::TEXTURE, Span::new(4, 9), || "a problem".to_owned());
    Ok(Still::Model(Box::new(Model { format: "odd", scene, problems, text, ..Model::default() })))
}

/// Also reads `data:` URIs.
struct WithData(Files);

impl Resolver for WithData {
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        match anim_ir::address::data(address) {
            Some(bytes) => bytes,
            None => self.0.read(address),
        }
    }

    fn exists(&mut self, address: &str) -> bool {
        self.0.exists(address)
    }
}

fn shown<const N: usize>(
    content: &str,
    files: [(&'static str, &str); N],
    memory: Option<usize>,
) -> Converted<Scene> {
    let document = Document::parse(format!("#X3D V3.3 utf8\n{content}").into_bytes()).unwrap();
    let mut files = WithData(Files::from(files.map(|(name, text)| (name, text.to_owned()))));
    let options = ToIr::default().with_limits(Limits { memory, ..Limits::default() });
    let mut made = to_ir_with(&document.value, &options, &mut files, KINDS);
    made.losses.append(document.diagnostics);
    made
}

fn said(made: &Converted<Scene>) -> Vec<(&'static str, &str)> {
    made.losses.iter().map(|found| (found.code.id, found.message.as_str())).collect()
}

/// Problems of a model keep their place in its own text. Its animations are not shown.
#[test]
fn models_are_shown_at_rest() {
    let made = shown("Inline { url \"a.odd\" }", [("a.odd", "odd model")], None);
    assert_eq!(
        said(&made),
        [
            ("x3d-texture", "`a.odd`: line 1: a problem"),
            ("x3d-inline-animation", "`a.odd` is shown at rest, without its animations")
        ]
    );
    assert_eq!(made.value.meshes[0].primitives[0].indices.len(), 3);
}

#[test]
fn data_uris_are_read_as_their_media_type_says() {
    for uri in ["data:model/odd,x", "data:text/plain,odd%20x"] {
        let made = shown(&format!("Inline {{ url \"{uri}\" }}"), [], None);
        let message = "`data:…` is shown at rest, without its animations";
        assert!(said(&made).contains(&("x3d-inline-animation", message)), "{:?}", said(&made));
    }
}

/// The companion files of a model are in its own folder.
#[test]
fn models_ask_for_files_in_their_folder() {
    let files = [("parts/a.odd", "odd asks"), ("parts/b.bin", "bytes"), ("c.bin", "")];
    let made = shown("Inline { url \"parts/a.odd\" }", files, None);
    let limit = Limits::default().input_bytes;
    let message =
        format!("the file `parts/a.odd` cannot be used: ([98, 121], true, false), None, {limit}");
    assert_eq!(said(&made)[0], ("x3d-file", message.as_str()));
}

#[test]
fn large_models_are_limited() {
    let made = shown("Inline { url \"a.odd\" }", [("a.odd", "odd large")], Some(100_000));
    let found = said(&made).into_iter().find(|(code, _)| *code == "x3d-file");
    let (_, message) = found.unwrap();
    assert!(message.starts_with("`a.odd`: models in frames need"), "{message}");
    assert!(made.value.meshes.is_empty());
}

#[test]
fn a_frame_in_a_file_is_a_model() {
    let budget = Budget::new(&Limits::default(), 0);
    let mut files = Files::from([]);
    let mut loader = Loader::new(&mut files, &budget, 0);
    let mut read = |text: &str| loader.read_inline(read_odd, text.into());
    assert_eq!(read("odd first").unwrap_err(), "it is not a model");
    assert_eq!(read("odd model").unwrap().format, "odd");
}

#[test]
fn imports_need_an_export() {
    let import =
        |url: &str, name: &str| format!("DEF There Inline {{ url \"{url}\" }} IMPORT There.{name}");
    let files = [
        ("a.odd", "odd first"),
        ("b.x3dv", "#X3D V3.3 utf8\nEXPORT Inner AS Outer DEF Inner Group { }"),
    ];
    let found = shown(&import("b.x3dv", "Outer"), files, None);
    assert_eq!(said(&found), []);
    let missing = shown(&import("b.x3dv", "Inner"), files, None);
    let message = "the included file does not export `Inner`";
    assert_eq!(said(&missing), [("x3d-route-node", message)]);
    let still = shown(&import("a.odd", "Place"), files, None);
    let message = "`Place` is ignored: only the first frame of the animation is shown";
    assert!(said(&still).contains(&("x3d-route", message)), "{:?}", said(&still));
}

const TRIANGLE: &str = "#X3D V3.3 utf8\nEXPORT Inner AS Place
    DEF Inner Transform { children Shape { geometry IndexedFaceSet { coordIndex [ 0 1 2 ]
    coord Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } } } }";
/// A file that moves a node of another file.
const MOVER: &str = "DEF There Inline { url \"triangle.x3dv\" } IMPORT There.Place
    DEF Clock TimeSensor { }
    DEF Path PositionInterpolator { key [ 0 1 ] keyValue [ 0 0 0, 4 0 0 ] }
    ROUTE Clock.fraction_changed TO Path.set_fraction
    ROUTE Path.value_changed TO Place.translation";

#[test]
fn files_that_import_may_be_included() {
    let mover = format!("#X3D V3.3 utf8\n{MOVER}");
    let files = [("mover.x3dv", mover.as_str()), ("triangle.x3dv", TRIANGLE)];
    // The importing file has an import of its own.
    let content = "DEF Own Inline { url \"triangle.x3dv\" } IMPORT Own.Place AS Mine
        Inline { url \"mover.x3dv\" }";
    let made = shown(content, files, None);
    assert_eq!(said(&made), []);
    let still = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let moved = still.map(|[x, y, z]| [x + 2.0, y, z]);
    assert_near(&seen_at(&made.value, 0, 0.5), &[still, moved].concat());
}

/// A route between an instance and an imported node.
#[test]
fn prototypes_send_events_to_imported_nodes() {
    let content = "PROTO Clocks [ outputOnly SFFloat part ] {
           DEF Clock TimeSensor { fraction_changed IS part } }
         DEF Timer Clocks { } DEF There Inline { url \"triangle.x3dv\" } IMPORT There.Place
         DEF Path PositionInterpolator { key [ 0 1 ] keyValue [ 0 0 0, 4 0 0 ] }
         ROUTE Timer.part TO Path.set_fraction ROUTE Path.value_changed TO Place.translation";
    let made = shown(content, [("triangle.x3dv", TRIANGLE)], None);
    assert_eq!(said(&made), []);
    assert_near(&seen_at(&made.value, 0, 0.5)[..1], &[[2.0, 0.0, 0.0]]);
}

#[test]
fn includes_are_nested_up_to_a_limit() {
    let names: Vec<&'static str> =
        (0..20).map(|n| -> &'static str { format!("{n}.x3dv").leak() }).collect();
    let file = |n: usize| match names.get(n + 1) {
        Some(next) => format!("#X3D V3.3 utf8\nInline {{ url \"{next}\" }}"),
        None => TRIANGLE.to_owned(),
    };
    let depth = |first: usize| {
        let files: Vec<(&'static str, String)> =
            names.iter().enumerate().map(|(n, name)| (*name, file(n))).collect();
        let text = format!("#X3D V3.3 utf8\nInline {{ url \"{}\" }}", names[first]);
        let document = Document::parse(text.into_bytes()).unwrap().value;
        let files: [(&'static str, String); 20] = files.try_into().unwrap();
        to_ir_with(&document, &ToIr::default(), &mut Files::from(files), &[])
    };
    // The last 16 files are as deep as allowed.
    let made = depth(4);
    assert_eq!((said(&made), made.value.meshes.len()), (vec![], 1));
    let made = depth(3);
    let message = "`18.x3dv`: line 2: the file `19.x3dv` cannot be used: includes are nested \
                   deeper than 16";
    assert_eq!((said(&made)[0], made.value.meshes.len()), (("x3d-file", message), 0));
}

/// Files that are included again share their nodes.
#[test]
fn a_file_may_be_included_again() {
    let content = "Inline { url \"triangle.x3dv\" }
        Transform { translation 3 0 0 children Inline { url \"triangle.x3dv\" } }";
    let made = shown(content, [("triangle.x3dv", TRIANGLE)], None);
    assert_eq!((said(&made), made.value.meshes.len()), (vec![], 1));
    assert_eq!(made.value.nodes.len(), 2);
}

/// Alternative addresses, none of which can be used, are one problem.
#[test]
fn alternative_addresses_are_reported_once() {
    let inline = |urls: &str| {
        let made = shown(&format!("Inline {{ url [ {urls} ] }}"), [("a.odd", "odd large")], None);
        let found = made.losses.iter().filter(|found| found.code == &codes::FILE);
        found.map(|found| found.message.clone()).collect::<Vec<_>>()
    };
    let first = "the file `none.wrl` cannot be used: no such file";
    assert_eq!(inline("\"none.wrl\""), [first]);
    assert_eq!(
        inline("\"none.wrl\" \"\" \"http://a/none.wrl\""),
        [format!("{first}; the other address cannot be used either")]
    );
    assert_eq!(
        inline("\"none.wrl\" \"b.wrl\" \"c.wrl\""),
        [format!("{first}; the 2 other addresses cannot be used either")]
    );
    assert!(inline("\"none.wrl\" \"a.odd\"").is_empty(), "the second can be used");

    // What is said about a file that could be read is kept.
    let text = "EXTERNPROTO P [] [ \"a.odd#P\" \"none.wrl#P\" ] P { }";
    let made = shown(text, [("a.odd", "odd")], None);
    let other = "; the other address cannot be used either";
    let found = format!("`a.odd` has no prototype `P`{other}");
    let notes = "`a.odd` is shown at rest, without its animations";
    assert!(said(&made).contains(&("x3d-inline-animation", notes)), "{:?}", said(&made));
    assert!(said(&made).contains(&("x3d-proto", &found)), "{:?}", said(&made));
}

/// An instance of a prototype that another file imports has the fields of the prototype.
#[test]
fn routes_reach_fields_of_imported_instances() {
    let shape = TRIANGLE.split_once("children ").unwrap().1;
    let library = format!(
        "#X3D V3.3 utf8
         PROTO Inner [ inputOutput SFVec3f a 0 0 0 ] {{
           Transform {{ translation IS a children {shape} }}
         PROTO P [ inputOutput SFVec3f at 0 0 0 initializeOnly SFInt32 kind 0 ] {{
           Group {{ children [ Inner {{ a IS at }} Inner {{ a IS at }} ] }}
         }}
         DEF L P {{ }} EXPORT L AS Lx"
    );
    // It may be imported by way of a third file.
    let between = "#X3D V3.3 utf8\nDEF I Inline { url \"library.x3dv\" } IMPORT I.Lx AS L
        EXPORT L AS Lx";
    let files = [("library.x3dv", library.as_str()), ("between.x3dv", between)];
    let moved = |url: &str, routes: &str| {
        let content = format!(
            "DEF I Inline {{ url \"{url}\" }} IMPORT I.Lx AS LL
             DEF Other Transform {{ children {shape}
             DEF Clock TimeSensor {{ }}
             DEF Path PositionInterpolator {{ key [ 0 1 ] keyValue [ 0 0 0, 4 0 0 ] }}
             ROUTE Clock.fraction_changed TO Path.set_fraction {routes}"
        );
        shown(&content, files, None)
    };
    for (url, field) in [("library.x3dv", "at"), ("between.x3dv", "set_at")] {
        let made = moved(
            url,
            &format!(
                "ROUTE Path.value_changed TO LL.{field}
                 ROUTE LL.at_changed TO Other.translation"
            ),
        );
        assert_eq!(said(&made), []);
        let seen = seen_at(&made.value, 0, 0.5);
        assert_near(&[seen[0], seen[3], seen[6]], &[[2.0, 0.0, 0.0]; 3]);
    }
    // Nodes of the prototype are not accessible from outside.
    let made = moved("library.x3dv", "ROUTE Path.value_changed TO LL.translation");
    let message = "the imported instance of a prototype does not receive `translation`";
    assert!(said(&made).contains(&("x3d-route-field", message)), "{:?}", said(&made));
}

/// What follows `#` is a viewpoint, unless a file has that name.
#[test]
fn addresses_may_name_a_viewpoint() {
    let inline = "Inline { url \"triangle.x3dv#View\" }";
    let made = shown(inline, [("triangle.x3dv", TRIANGLE)], None);
    assert_eq!((said(&made), made.value.meshes.len()), (vec![], 1));
    let empty = ("triangle.x3dv#View", "#X3D V3.3 utf8\nGroup { }");
    let made = shown(inline, [("triangle.x3dv", TRIANGLE), empty], None);
    assert_eq!((said(&made), made.value.meshes.len()), (vec![], 0));
    let made = shown("Inline { url \"none.x3dv#View\" }", [], None);
    let message = "the file `none.x3dv` cannot be used: no such file";
    assert_eq!(said(&made)[0], ("x3d-file", message));
}
