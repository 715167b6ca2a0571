//! Deterministic random castle-anim-frames files and the files they refer to, and large files for
//! benchmarks.
//!
//! The same arguments always produce the same bytes. Rotations between interpolated frames are less
//! than 170°, so the shortest arc is unambiguous. Cases that the notes leave open are not
//! generated.

mod scenes;
mod tree;
mod write;

use std::fmt::Write as _;

use self::scenes::Made;
pub use self::scenes::Options;
use self::scenes::vrml1::{vrml1, vrml1_shapes};
use self::scenes::x3d::{x3d, x3d_mesh};
use self::tree::{Node, Value};
use self::write::{Encoding, Library};
use crate::random::Rng;

/// An animation file and the files to which it refers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The content of the animation file.
    pub text: Vec<u8>,
    /// The paths, relative to the animation file, and contents of all other files.
    pub files: Vec<(String, Vec<u8>)>,
}

impl Generated {
    /// Returns the content of a file at a path as requested by [`crate::castle::read`]. Panics if
    /// the file does not exist.
    pub fn file(&self, path: &str) -> Vec<u8> {
        let found = self.files.iter().find(|(name, _)| name == path);
        found.unwrap_or_else(|| panic!("no file {path}")).1.clone()
    }
}

/// Generates a random valid file, different for every seed, without the content that [`Options`]
/// enables.
///
/// Each of these features occurs in some of the files: one to three animations of one to six
/// frames, inlined or in separate files (X3D XML, gzipped, classic, VRML 97, VRML 1.0), nested
/// Transforms with all fields, constant or varying, shapes used twice, meshes with texture
/// coordinates and various crease angles, lines and points, Switch, Inline, frames that are not
/// structurally equal to the previous frame, frames that repeat the previous or an earlier frame,
/// first times other than 0, steps, loops, and bounding boxes (which do not match the content).
pub fn castle(seed: u64) -> Generated {
    castle_with(seed, Options::default())
}

/// Like [`castle`], with the content that the options enable.
pub fn castle_with(seed: u64, options: Options) -> Generated {
    let salt = u64::from(options.varying_matrices) * 2 + u64::from(options.primitives);
    let mut rng = Rng::new(seed.wrapping_mul(4).wrapping_add(salt) ^ 0xca57_1e00);
    let mut library = Library::default();
    let count = rng.pick(&[1, 1, 2, 3]);
    let xml = "<?xml version=\"1.0\"?>\n";
    let utf8 = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    let mut text = rng.pick(&["", "\u{feff}", xml, utf8]).to_owned();
    let bare = count == 1 && rng.chance(40);
    if !bare {
        text += "<animations>\n";
    }
    let mut last: Option<(Node, Form)> = None;
    for number in 0..count {
        // Animations in one file often show the same objects.
        let (scene, form) =
            last.filter(|_| rng.chance(60)).unwrap_or_else(|| new_scene(options, &mut rng));
        text += &animation(number, &scene, form, &mut library, &mut rng);
        last = Some((scene, form));
    }
    if !bare {
        text += "</animations>\n";
    }
    Generated { text: text.into_bytes(), files: library.files }
}

/// Where frames are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Inlined,
    /// In separate files with one encoding.
    Files(Encoding),
    /// In separate files with all encodings that support the same node types.
    Mixed,
}

fn new_scene(options: Options, rng: &mut Rng) -> (Node, Form) {
    let form = match rng.below(10) {
        _ if options.varying_matrices => Form::Files(Encoding::Vrml1),
        0..4 => Form::Inlined,
        4 => Form::Files(Encoding::Xml),
        5 => Form::Files(Encoding::Gzip),
        6 => Form::Files(Encoding::Classic),
        7 => Form::Files(Encoding::Vrml97),
        8 => Form::Files(Encoding::Vrml1),
        _ => Form::Mixed,
    };
    let scene = match form {
        Form::Files(Encoding::Vrml1) => vrml1(options, rng),
        Form::Files(Encoding::Vrml97) | Form::Mixed => x3d(true, options, rng),
        _ => x3d(false, options, rng),
    };
    (scene, form)
}

fn animation(
    number: usize,
    scene: &Node,
    form: Form,
    library: &mut Library,
    rng: &mut Rng,
) -> String {
    let names = ["walk", "Idle", "a b", "x&y", "\"quoted\"", "\u{17c}\u{f3}\u{142}w"];
    let mut attributes = vec![("name", format!("{}_{number}", rng.pick(&names)))];
    let mut maybe = |percent: usize, name: &'static str, values: &[&str], rng: &mut Rng| {
        if rng.chance(percent) {
            attributes.push((name, rng.pick(values).to_owned()));
        }
    };
    maybe(60, "scenes_per_time", &["30", "30", "25", "1", "0"], rng);
    maybe(30, "equality_epsilon", &["0.001", "0", "1e-3"], rng);
    maybe(60, "loop", &["true", "false", "TRUE"], rng);
    maybe(60, "backwards", &["true", "false", "False"], rng);
    if number == 0 && rng.chance(10) {
        // Use the default name.
        attributes.remove(0);
    }
    rng.shuffle(&mut attributes);
    let mut text = format!("  <animation{}>\n", write::attributes(&attributes));

    let folder = rng.pick(&["", "", "", "frames/", "more frames/"]);
    let with_boxes = rng.chance(30);
    let mut time = rng.pick(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2, 1.5, 40.0, -0.5]);
    let count = rng.pick(&[1, 2, 2, 3, 3, 4, 5, 6]);
    for (frame, (pose, elsewhere)) in poses(scene, count, rng).into_iter().enumerate() {
        let mut attributes = vec![("time", time_text(time, rng))];
        time += 0.04 * rng.between(1, 20) as f64;
        if with_boxes {
            let size = rng.pick(&["120.000000 100.000000 90.000000", "-1 -1 -1"]);
            attributes.push(("bounding_box_center", "1.000000 -2.000000 0.500000".to_owned()));
            attributes.push(("bounding_box_size", size.to_owned()));
        }
        let encoding = match form {
            Form::Inlined => {
                if rng.chance(50) {
                    attributes.push(("mime_type", rng.pick(&["model/x3d+xml", ""]).to_owned()));
                }
                rng.shuffle(&mut attributes);
                let content = write::x3d(&pose, library, rng);
                let attributes = write::attributes(&attributes);
                writeln!(text, "    <frame{attributes}>\n{content}\n    </frame>").unwrap();
                continue;
            }
            Form::Files(encoding) => encoding,
            Form::Mixed => {
                rng.pick(&[Encoding::Xml, Encoding::Gzip, Encoding::Classic, Encoding::Vrml97])
            }
        };
        let folder = if elsewhere { "elsewhere/" } else { folder };
        let path = library.file(&pose, &format!("{folder}{number}_{frame}"), encoding, rng);
        let url = path.replace(' ', "%20");
        let name = rng.pick(&["url", "url", "file_name"]);
        attributes.push((name, format!("{}{url}", rng.pick(&["", "", "./"]))));
        rng.shuffle(&mut attributes);
        let end = rng.pick(&["/>", " />", "></frame>"]);
        writeln!(text, "    <frame{}{end}", write::attributes(&attributes)).unwrap();
    }
    text += "  </animation>\n";
    text
}

/// Returns the scene of each frame, and whether the frame is in a different folder from the others.
fn poses(scene: &Node, count: usize, rng: &mut Rng) -> Vec<(Node, bool)> {
    let mut poses = vec![scene.clone()];
    let mut frames = Vec::new();
    for _ in 0..count {
        let pose = poses.last().unwrap();
        // Only this frame has a different structure. The next frame continues from `pose`.
        let odd = rng.chance(12);
        let elsewhere = odd && rng.chance(15);
        let shown = if odd && !elsewhere { altered(pose, rng) } else { pose.clone() };
        frames.push((shown, elsewhere));
        let next = match rng.below(10) {
            0 => pose.clone(),
            1 | 2 => Some(rng.pick(&poses))
                .filter(|earlier| tree::greatest_turn(pose, earlier) < 170.0)
                .unwrap_or_else(|| pose.clone()),
            _ => tree::moved(pose, rng),
        };
        poses.push(next);
    }
    frames
}

/// Returns the scene with a change to its structure.
fn altered(scene: &Node, rng: &mut Rng) -> Node {
    let mut altered = scene.clone();
    let is_faces = |node: &Node| node.kind == "IndexedFaceSet" && !node.used;
    let is_points = |node: &Node| matches!(node.kind, "Coordinate" | "Coordinate3") && !node.used;
    let way = rng.below(4);
    match (way, altered.find(&is_faces).is_some()) {
        (0, true) => {
            // Repeat the first polygon in every index list.
            let faces = altered.find(&is_faces).unwrap();
            for list in ["coordIndex", "texCoordIndex", "textureCoordIndex"] {
                if let Some(numbers) = faces.integers(list) {
                    let end = numbers.iter().position(|&number| number < 0).unwrap();
                    numbers.extend_from_within(..=end);
                }
            }
        }
        (1, true) => altered.find(&is_faces).unwrap().def = Some("Renamed".to_owned()),
        (2, true) => {
            // Add a point.
            let points = altered.find(&is_points).unwrap().fields.first_mut();
            if let Some((_, Value::Numbers { values, .. })) = points {
                values.extend([0.1, 0.2, 0.3]);
            }
        }
        _ => add_node(&mut altered, rng),
    }
    altered
}

/// Adds a mesh to the root, or in VRML 1.0 to the first Separator.
fn add_node(scene: &mut Node, rng: &mut Rng) {
    // Use names that are not in use yet.
    let mut made = Made::new(true, Options::default());
    made.names = 1000;
    let vrml1 = scene.find(&|node| node.kind == "Separator").is_some();
    let (holder, more) = if vrml1 {
        // Put the mesh in a separate Separator, so that it does not affect later nodes.
        let more = Node::group("Separator", vrml1_shapes(true, &made, rng));
        (scene.find(&|node| node.kind == "Separator"), more)
    } else {
        (Some(scene), x3d_mesh(&mut made, rng))
    };
    let children =
        holder.and_then(|node| node.fields.iter_mut().find(|(name, _)| *name == "children"));
    match children {
        Some((_, Value::Nodes(children))) => children.push(more),
        _ => panic!("a root without children"),
    }
}

fn time_text(time: f64, rng: &mut Rng) -> String {
    match rng.below(8) {
        0 => format!("{:.2}", time),
        // Old exporters write times in this form.
        1 => format!(" {time:.16E}"),
        _ => format!("{time:.6}"),
    }
}

/// Generates a file of approximately the given size in bytes, with inlined frames in the style of
/// Blender's exporter. If `repeat` is set, less than 30 % of the bytes of a frame differ from the
/// previous frame: the points of one of four meshes. Otherwise all points and texture coordinates
/// differ. All frames are structurally equal.
pub fn large(bytes: usize, repeat: bool) -> Vec<u8> {
    const FRAMES: usize = 12;
    const MESHES: usize = 4;
    let mut rng = Rng::new(bytes as u64);
    // The number of bytes per vertex is nearly the same in all meshes.
    let sample = write::large_mesh(0, 4096, repeat, &mut rng.clone()).len();
    let vertices = (bytes / FRAMES / MESHES * 4096 / sample).max(16);
    let mut text = String::with_capacity(bytes + bytes / 8);
    text += "<?xml version=\"1.0\"?>\n<animations>\n\t<animation name=\"large\" \
             scenes_per_time=\"30\">\n";
    let mut meshes = vec![String::new(); MESHES];
    for frame in 0..FRAMES {
        for (number, mesh) in meshes.iter_mut().enumerate() {
            if frame == 0 || number == 0 || !repeat {
                *mesh = write::large_mesh(number, vertices, repeat, &mut rng);
            }
        }
        let boxes = "bounding_box_center=\"0.000000 0.000000 0.000000\" \
                     bounding_box_size=\"40.000000 40.000000 40.000000\"";
        let time = frame as f64 / 25.0;
        write!(text, "\t\t<frame time=\"{time:.6}\" mime_type=\"model/x3d+xml\" {boxes}>\n\n\n")
            .unwrap();
        text += write::LARGE_HEAD;
        meshes.iter().for_each(|mesh| text += mesh);
        text += "\t</Scene>\n</X3D>\n\t\t</frame>\n";
    }
    text += "\t</animation>\n</animations>\n";
    text.into_bytes()
}

/// Generates an animation of 300 frames, each of which is inlined glTF of about 100 KB whose
/// positions and normals differ from those of the previous frame. All frames are structurally
/// equal.
pub fn large_gltf() -> Vec<u8> {
    const FRAMES: usize = 300;
    const VERTICES: usize = 2400;
    let mut rng = Rng::new(300);
    let mut text = String::from("<?xml version=\"1.0\"?>\n<animation name=\"large\">\n");
    for frame in 0..FRAMES {
        let mut bytes: Vec<u8> = Vec::with_capacity(VERTICES * 30);
        for _ in 0..VERTICES * 6 {
            let number = rng.below(2001) as f32 / 1000.0 - 1.0;
            bytes.extend(number.to_le_bytes());
        }
        for corner in 0..VERTICES as u16 * 3 {
            bytes.extend((corner % VERTICES as u16).to_le_bytes());
        }
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
"nodes":[{{"name":"body","mesh":0}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"NORMAL":1}},"indices":2}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":{VERTICES},"type":"VEC3",
"min":[-1,-1,-1],"max":[1,1,1]}},
{{"bufferView":1,"componentType":5126,"count":{VERTICES},"type":"VEC3"}},
{{"bufferView":2,"componentType":5123,"count":{},"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":{view}}},
{{"buffer":0,"byteOffset":{view},"byteLength":{view}}},
{{"buffer":0,"byteOffset":{},"byteLength":{}}}],
"buffers":[{{"byteLength":{},"uri":"data:application/octet-stream;base64,{}"}}]}}"#,
            VERTICES * 3,
            VERTICES * 24,
            VERTICES * 6,
            bytes.len(),
            base64(&bytes),
            view = VERTICES * 12,
        );
        let time = frame as f64 / 25.0;
        let json = json.replace('"', "&quot;");
        writeln!(text, "<frame time=\"{time}\" mime_type=\"model/gltf+json\">{json}</frame>")
            .unwrap();
    }
    text += "</animation>\n";
    text.into_bytes()
}

/// Encodes bytes, of which there are a multiple of three (RFC 4648, section 4).
pub(super) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = |three: &[u8]| {
        let bits = three.iter().fold(0, |bits, byte| bits << 8 | usize::from(*byte));
        [18, 12, 6, 0].map(|shift| char::from(DIGITS[bits >> shift & 63]))
    };
    bytes.chunks(3).flat_map(digits).collect()
}

/// Generates an X3D scene of approximately the given size in bytes, nearly all of which are the
/// values of interpolators that move and turn 32 shapes.
pub fn large_interpolators(bytes: usize) -> Vec<u8> {
    const SHAPES: usize = 32;
    // A key has one number for its time, three for a position and, with another, four for a
    // rotation.
    let keys = (bytes / SHAPES / 9 / 9).max(2);
    let mut rng = Rng::new(bytes as u64);
    let mut text = String::with_capacity(bytes + bytes / 8);
    text += "<X3D version=\"3.3\" profile=\"Immersive\"><Scene>\n\
             <TimeSensor DEF=\"Clock\" cycleInterval=\"60\" loop=\"true\"/>\n";
    for shape in 0..SHAPES {
        let name = format!("Shape{shape}");
        writeln!(text, "<Transform DEF=\"{name}\"><Shape><Box/></Shape></Transform>").unwrap();
        for (kind, width) in [("Position", 3), ("Orientation", 4)] {
            write!(text, "<{kind}Interpolator DEF=\"{name}{kind}\" key=\"").unwrap();
            for key in 0..keys {
                write!(text, "{:.6} ", key as f64 / (keys - 1) as f64).unwrap();
            }
            text += "\" keyValue=\"";
            for _ in 0..keys {
                // Turns between two keys are less than 90°.
                let angle = rng.below(1_570_000) as f64 / 1e6;
                match width {
                    4 => write!(text, "0 0 1 {angle:.6} ").unwrap(),
                    _ => write!(text, "{angle:.6} {:.6} 1.234567 ", angle * 2.0).unwrap(),
                }
            }
            text += "\"/>\n";
            let field = if width == 3 { "translation" } else { "rotation" };
            write!(
                text,
                "<ROUTE fromNode=\"Clock\" fromField=\"fraction_changed\" \
                 toNode=\"{name}{kind}\" toField=\"set_fraction\"/>\n\
                 <ROUTE fromNode=\"{name}{kind}\" fromField=\"value_changed\" \
                 toNode=\"{name}\" toField=\"set_{field}\"/>\n"
            )
            .unwrap();
        }
    }
    text += "</Scene></X3D>\n";
    text.into_bytes()
}
