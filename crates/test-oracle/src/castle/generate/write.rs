//! Encodes scenes as text.

use std::fmt::Write as _;
use std::io::Write as _;

use super::tree::{Node, Value};
use crate::random::Rng;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Xml,
    /// X3D XML, gzipped.
    Gzip,
    Classic,
    Vrml97,
    Vrml1,
}

#[derive(Default)]
pub(super) struct Library {
    pub(super) files: Vec<(String, Vec<u8>)>,
    scenes: Vec<(String, Encoding, Node)>,
}

impl Library {
    /// Returns the path of a file that contains the scene, in the folder of `stem`: a new file, or
    /// an existing one with the same content.
    pub(super) fn file(
        &mut self,
        scene: &Node,
        stem: &str,
        encoding: Encoding,
        rng: &mut Rng,
    ) -> String {
        let folder = folder_of(stem);
        let known = self.scenes.iter().find(|(path, how, known)| {
            folder_of(path) == folder && *how == encoding && known == scene
        });
        if let Some((path, ..)) = known.filter(|_| rng.chance(70)) {
            return path.clone();
        }
        let header = match encoding {
            Encoding::Xml | Encoding::Gzip => {
                let doctype = "<!DOCTYPE X3D PUBLIC \"ISO//Web3D//DTD X3D 3.0//EN\" \
                               \"http://www.web3d.org/specifications/x3d-3.0.dtd\">\n";
                let doctype = if rng.chance(50) { doctype } else { "" };
                format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{doctype}")
            }
            Encoding::Classic => {
                "#X3D V3.0 utf8\nPROFILE Interchange\nMETA \"generator\" \"a # b\"\n".to_owned()
            }
            Encoding::Vrml97 => "#VRML V2.0 utf8\n".to_owned(),
            Encoding::Vrml1 => "#VRML V1.0 ascii\n".to_owned(),
        };
        let mut writer = Writer { library: self, folder, encoding, text: header, rng };
        if matches!(encoding, Encoding::Xml | Encoding::Gzip) {
            writer.x3d(scene);
            writer.text += "\n";
        } else {
            children_of(scene).iter().for_each(|child| writer.classic_node(child, 0));
        }
        let text = writer.text;
        let extension = match encoding {
            Encoding::Xml => "x3d",
            Encoding::Gzip => rng.pick(&["x3d.gz", "x3dz"]),
            Encoding::Classic => "x3dv",
            Encoding::Vrml97 | Encoding::Vrml1 => "wrl",
        };
        let content =
            if encoding == Encoding::Gzip { gzipped(text.as_bytes()) } else { text.into_bytes() };
        let path = format!("{stem}_{}.{extension}", self.files.len());
        self.files.push((path.clone(), content));
        self.scenes.push((path.clone(), encoding, scene.clone()));
        path
    }
}

fn folder_of(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..=slash])
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Formats attributes, each preceded by a space.
pub(super) fn attributes(attributes: &[(&str, String)]) -> String {
    attributes.iter().map(|(name, value)| format!(" {name}=\"{}\"", escaped(value))).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn quoted(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| format!("\"{}\"", text.replace('"', "\\\""))).collect()
}

fn children_of(scene: &Node) -> &[Node] {
    match scene.fields.first() {
        Some((_, Value::Nodes(children))) => children,
        _ => panic!("a scene without children"),
    }
}

/// Returns an `X3D` element for the animation file.
pub(super) fn x3d(scene: &Node, library: &mut Library, rng: &mut Rng) -> String {
    let encoding = Encoding::Xml;
    let mut writer = Writer { library, folder: "", encoding, text: String::new(), rng };
    writer.x3d(scene);
    writer.text
}

struct Writer<'a> {
    library: &'a mut Library,
    folder: &'a str,
    encoding: Encoding,
    text: String,
    rng: &'a mut Rng,
}

impl Writer<'_> {
    fn x3d(&mut self, scene: &Node) {
        self.text += "<X3D version=\"3.0\" profile=\"Immersive\" \
                      xmlns:xsd=\"http://www.w3.org/2001/XMLSchema-instance\">\n";
        if self.rng.chance(60) {
            let name = self.rng.below(100);
            let meta = format!("<meta name=\"filename\" content=\"{name}.x3d\" />");
            self.text += &format!("\t<head>\n\t\t{meta}\n\t</head>\n");
        }
        self.xml_node(scene, 1, "children");
        self.text += "</X3D>";
    }

    fn xml_node(&mut self, node: &Node, depth: usize, field: &str) {
        let indent = "\t".repeat(depth);
        write!(self.text, "{indent}<{}", node.kind).unwrap();
        if let Some(name) = &node.def {
            write!(self.text, " {}=\"{name}\"", if node.used { "USE" } else { "DEF" }).unwrap();
        }
        if field == "proxy" {
            self.text += " containerField=\"proxy\"";
        }
        let mut children = Vec::new();
        for (name, value) in &node.fields {
            // Sometimes put each attribute on its own line.
            let before = if self.rng.chance(50) { " ".to_owned() } else { format!("\n{indent}\t") };
            let value = match value {
                Value::Node(child) => {
                    children.push((*name, &**child));
                    continue;
                }
                Value::Nodes(nodes) => {
                    children.extend(nodes.iter().map(|child| (*name, child)));
                    continue;
                }
                Value::File(scene) => format!("'\"{}\"'", self.inline(scene)),
                Value::Texts(texts) => {
                    format!("'{}'", quoted(texts).join(self.rng.pick(&[" ", ", "])))
                }
                Value::Text(value) => format!("\"{}\"", escaped(value)),
                value => format!("\"{}\"", words(value, self.rng).trim()),
            };
            write!(self.text, "{before}{name}={value}").unwrap();
        }
        if children.is_empty() && node.kind != "Scene" {
            self.text += self.rng.pick(&["/>\n", " />\n"]);
            return;
        }
        self.text += ">\n";
        for (field, child) in children {
            self.xml_node(child, depth + 1, field);
        }
        writeln!(self.text, "{indent}</{}>", node.kind).unwrap();
    }

    /// Returns the path of a file that contains the scene, relative to the current folder.
    fn inline(&mut self, scene: &Node) -> String {
        let encoding = if matches!(children_of(scene)[0].kind, "Separator" | "Group") {
            Encoding::Vrml1
        } else {
            let encodings = [Encoding::Xml, Encoding::Gzip, Encoding::Classic, Encoding::Vrml97];
            self.rng.pick(&encodings)
        };
        // All other encodings support more node types than VRML 97.
        let is_too_old = encoding == Encoding::Vrml97 && !only_vrml97(scene);
        let encoding = if is_too_old { Encoding::Classic } else { encoding };
        let stem = format!("{}part", self.folder);
        let path = self.library.file(scene, &stem, encoding, self.rng);
        path[self.folder.len()..].to_owned()
    }

    fn classic_node(&mut self, node: &Node, depth: usize) {
        let indent = "  ".repeat(depth);
        if let Some(name) = &node.def {
            if node.used {
                writeln!(self.text, "USE {name}").unwrap();
                return;
            }
            write!(self.text, "DEF {name} ").unwrap();
        }
        let comment = self.rng.pick(&["", "", "", " # a } comment"]);
        writeln!(self.text, "{} {{{comment}", node.kind).unwrap();
        for (name, value) in &node.fields {
            let name = match (self.encoding, node.kind, *name) {
                (Encoding::Vrml97, "Switch", "children") => "choice",
                (Encoding::Vrml97, "Collision", "enabled") => "collide",
                _ => name,
            };
            write!(self.text, "{indent}  ").unwrap();
            let value = match value {
                Value::Node(child) => {
                    write!(self.text, "{name} ").unwrap();
                    self.classic_node(child, depth + 1);
                    continue;
                }
                Value::Nodes(nodes) => {
                    self.classic_nodes(name, nodes, depth + 1);
                    continue;
                }
                Value::File(scene) => format!("\"{}\"", self.inline(scene)),
                Value::Texts(texts) => format!("[ {} ]", quoted(texts).join(", ")),
                Value::Text(value) if self.encoding == Encoding::Vrml1 && self.rng.chance(50) => {
                    value.clone()
                }
                Value::Text(value) => format!("\"{value}\""),
                Value::Integers(_) | Value::Numbers { many: true, .. } => {
                    format!("[{}]", words(value, self.rng))
                }
                Value::Word(word) if matches!(&**word, "true" | "false") => word.to_uppercase(),
                value => words(value, self.rng),
            };
            writeln!(self.text, "{name} {value}").unwrap();
        }
        writeln!(self.text, "{indent}}}").unwrap();
    }

    /// In VRML 1.0, children are not in a field.
    fn classic_nodes(&mut self, name: &str, nodes: &[Node], depth: usize) {
        let (open, close) = match (self.encoding, nodes.len()) {
            (Encoding::Vrml1, _) => (String::new(), ""),
            (_, 1) if self.rng.chance(50) => (format!("{name} "), ""),
            _ => (format!("{name} [\n"), "]\n"),
        };
        self.text += &open;
        nodes.iter().for_each(|child| self.classic_node(child, depth));
        self.text += close;
    }
}

fn only_vrml97(node: &Node) -> bool {
    !matches!(node.kind, "LineSet")
        && !node.kind.contains("Triangle")
        && node.fields.iter().all(|(_, value)| match value {
            Value::Node(node) | Value::File(node) => only_vrml97(node),
            Value::Nodes(nodes) => nodes.iter().all(only_vrml97),
            _ => true,
        })
}

/// Formats numbers and words.
fn words(value: &Value, rng: &mut Rng) -> String {
    match value {
        Value::Numbers { values, many: false, .. } => {
            values.iter().map(|&x| number(x, rng)).collect::<Vec<_>>().join(" ")
        }
        Value::Numbers { values, size, .. } => {
            let between = rng.pick(&[" ", " ", ", ", ",\n"]);
            let vectors: Vec<String> = values
                .chunks(*size)
                .map(|vector| vector.iter().map(|&x| number(x, rng)).collect::<Vec<_>>().join(" "))
                .collect();
            // A trailing comma is allowed.
            vectors.join(between) + rng.pick(&["", " ", if between == ", " { "," } else { "" }])
        }
        Value::Rotation { turn, .. } => axis_angle(*turn).map(|x| number(x, rng)).join(" "),
        Value::Integers(integers) => {
            let between = rng.pick(&[" ", " ", ", "]);
            integers.iter().map(i64::to_string).collect::<Vec<_>>().join(between) + " "
        }
        Value::Word(word) => word.clone(),
        other => panic!("{other:?} is not made of words"),
    }
}

/// Formats a number with six decimals in one of the valid forms.
fn number(x: f64, rng: &mut Rng) -> String {
    let plain = format!("{x:.6}");
    match rng.below(40) {
        0 => format!("{:e}", plain.parse::<f64>().unwrap()),
        1 => format!("{:E}", plain.parse::<f64>().unwrap()),
        2 => plain.parse::<f64>().unwrap().to_string(),
        3 if x > 0.0 => format!("+{plain}"),
        4 if plain.trim_start_matches('-').starts_with("0.") => plain.replacen("0.", ".", 1),
        _ => plain,
    }
}

/// Converts a quaternion x y z w to an axis and an angle in radians.
fn axis_angle([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    let sin = (x * x + y * y + z * z).sqrt();
    if sin < 1e-9 { [0.0, 0.0, 1.0, 0.0] } else { [x / sin, y / sin, z / sin, 2.0 * sin.atan2(w)] }
}

/// The start of each frame of a large file, before the meshes.
pub(super) const LARGE_HEAD: &str = "\
<X3D version=\"3.0\" profile=\"Immersive\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema-instance\">
\t<head>
\t\t<meta name=\"generator\" content=\"large\" />
\t</head>
\t<Scene>
\t\t<NavigationInfo headlight=\"true\"
\t\t                visibilityLimit=\"0.0\"
\t\t                type='\"EXAMINE\", \"ANY\"'
\t\t                avatarSize=\"0.25, 1.75, 0.75\"
\t\t                />
\t\t<Background DEF=\"WO_World\"
\t\t            skyColor=\"0.051 0.051 0.051\"
\t\t            />
";

/// Generates a mesh with the given number of vertices. Without `repeat`, only every fourth quad is
/// a face, so points make up most of the file.
pub(super) fn large_mesh(mesh: usize, vertices: usize, repeat: bool, rng: &mut Rng) -> String {
    let mut text = String::new();
    let name = format!("Mesh_{mesh}");
    write!(
        text,
        "\t\t<Transform DEF=\"{name}_TRANSFORM\"\n\
         \t\t           translation=\"{:.6} 0.000000 1.000000\"\n\
         \t\t           scale=\"1.000000 1.000000 1.000000\"\n\
         \t\t           rotation=\"0.000000 0.707107 0.707107 3.141593\"\n\t\t           >\n\
         \t\t\t<Group DEF=\"group_{name}\">\n\t\t\t\t<Shape>\n\t\t\t\t\t<Appearance>\n\
         \t\t\t\t\t\t<ImageTexture DEF=\"IM_{name}\"\n\
         \t\t\t\t\t\t              url='\"../{name}.png\" \"{name}.png\"'\n\
         \t\t\t\t\t\t              />\n\
         \t\t\t\t\t\t<Material DEF=\"MA_{name}\"\n\
         \t\t\t\t\t\t          diffuseColor=\"0.800 0.800 0.800\"\n\
         \t\t\t\t\t\t          transparency=\"0.0\"\n\t\t\t\t\t\t          />\n\
         \t\t\t\t\t</Appearance>\n\
         \t\t\t\t\t<IndexedFaceSet solid=\"false\"\n\
         \t\t\t\t\t                creaseAngle=\"4.0000\"\n",
        mesh as f64 * 10.0
    )
    .unwrap();
    let width = vertices.isqrt().max(2);
    let rows = vertices / width;
    // If every other row and column of quads is skipped, each vertex is used at most once.
    let step = if repeat { 1 } else { 2 };
    // The two lists may use different separators.
    let ways = [[" ", "  "], [" ", " "], ["  ", " "], [", ", " "]];
    let gaps = if repeat { ways[1] } else { rng.pick(&ways) };
    for (list, gap) in ["texCoordIndex", "coordIndex"].into_iter().zip(gaps) {
        write!(text, "\t\t\t\t\t                {list}=\"").unwrap();
        for row in (0..rows.saturating_sub(1)).step_by(step) {
            for column in (0..width - 1).step_by(step) {
                let first = row * width + column;
                let [b, c, d] = [first + 1, first + width + 1, first + width];
                write!(text, "{first} {b} {c} {d} -1{gap}").unwrap();
            }
        }
        writeln!(text, "\"").unwrap();
    }
    let indent = "\t\t\t\t\t";
    write!(text, "{indent}                >\n{indent}\t<Coordinate DEF=\"coords_{name}\"\n")
        .unwrap();
    write!(text, "{indent}\t            point=\"").unwrap();
    for _ in 0..width * rows {
        let [x, y, z] = [0; 3].map(|_| rng.range(-5.0, 5.0));
        write!(text, "{x:.6} {y:.6} {z:.6} ").unwrap();
    }
    text += "\"\n\t\t\t\t\t\t            />\n\t\t\t\t\t\t<TextureCoordinate point=\"";
    // Repeated content only depends on the mesh.
    let own = &mut Rng::new(mesh as u64);
    let rng = if repeat { own } else { rng };
    for _ in 0..width * rows {
        write!(text, "{:.4} {:.4} ", rng.range(0.0, 1.0), rng.range(0.0, 1.0)).unwrap();
    }
    text +=
        "\" />\n\t\t\t\t\t</IndexedFaceSet>\n\t\t\t\t</Shape>\n\t\t\t</Group>\n\t\t</Transform>\n";
    text
}
