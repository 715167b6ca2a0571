//! Scenes as text.

use std::fmt::Write as _;
use std::io::Write as _;

use super::tree::{Node, Value};
use crate::random::Rng;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// X3D XML.
    Xml,
    /// X3D XML, gzipped.
    Gzip,
    /// X3D classic.
    Classic,
    Vrml97,
    Vrml1,
}

/// The files so far.
#[derive(Default)]
pub(super) struct Library {
    pub(super) files: Vec<(String, Vec<u8>)>,
    /// What they hold.
    scenes: Vec<(String, Encoding, Node)>,
}

impl Library {
    /// The path of a file with the scene: a new one, or one that is there already in the same
    /// folder.
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
        let text = match encoding {
            Encoding::Xml | Encoding::Gzip => {
                let doctype = "<!DOCTYPE X3D PUBLIC \"ISO//Web3D//DTD X3D 3.0//EN\" \
                               \"http://www.web3d.org/specifications/x3d-3.0.dtd\">\n";
                let doctype = if rng.chance(50) { doctype } else { "" };
                format!(
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{doctype}{}\n",
                    x3d(scene, folder, self, rng)
                )
            }
            Encoding::Classic => self.classic(
                "#X3D V3.0 utf8\nPROFILE Interchange\nMETA \"generator\" \"a # b\"\n",
                scene,
                folder,
                encoding,
                rng,
            ),
            Encoding::Vrml97 => self.classic("#VRML V2.0 utf8\n", scene, folder, encoding, rng),
            Encoding::Vrml1 => self.classic("#VRML V1.0 ascii\n", scene, folder, encoding, rng),
        };
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

    fn classic(
        &mut self,
        header: &str,
        scene: &Node,
        folder: &str,
        encoding: Encoding,
        rng: &mut Rng,
    ) -> String {
        let mut text = header.to_owned();
        let Some((_, Value::Nodes(children))) = scene.fields.first() else {
            panic!("a scene without children")
        };
        for child in children {
            classic_node(child, 0, folder, encoding, self, &mut text, rng);
        }
        text
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

/// Attributes with a blank before each.
pub(super) fn attributes(attributes: &[(&str, String)]) -> String {
    attributes.iter().map(|(name, value)| format!(" {name}=\"{}\"", escaped(value))).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// An `X3D` element for a file in the folder.
pub(super) fn x3d(scene: &Node, folder: &str, library: &mut Library, rng: &mut Rng) -> String {
    let mut text = "<X3D version=\"3.0\" profile=\"Immersive\" \
                    xmlns:xsd=\"http://www.w3.org/2001/XMLSchema-instance\">\n"
        .to_owned();
    if rng.chance(60) {
        write!(
            text,
            "\t<head>\n\t\t<meta name=\"filename\" content=\"{}.x3d\" />\n\t</head>\n",
            rng.below(100)
        )
        .unwrap();
    }
    xml_node(scene, 1, "children", folder, library, &mut text, rng);
    text + "</X3D>"
}

fn xml_node(
    node: &Node,
    depth: usize,
    field: &str,
    folder: &str,
    library: &mut Library,
    text: &mut String,
    rng: &mut Rng,
) {
    let indent = "\t".repeat(depth);
    write!(text, "{indent}<{}", node.kind).unwrap();
    if let Some(name) = &node.def {
        write!(text, " {}=\"{name}\"", if node.used { "USE" } else { "DEF" }).unwrap();
    }
    if field == "proxy" {
        write!(text, " containerField=\"proxy\"").unwrap();
    }
    let mut children = Vec::new();
    for (name, value) in &node.fields {
        // Each attribute on a line of its own, sometimes.
        let before = if rng.chance(50) { " ".to_owned() } else { format!("\n{indent}\t") };
        match value {
            Value::Node(child) => children.push((*name, &**child)),
            Value::Nodes(nodes) => children.extend(nodes.iter().map(|child| (*name, child))),
            Value::File(scene) => {
                let path = inline(scene, folder, library, rng);
                write!(text, "{before}{name}='\"{path}\"'").unwrap();
            }
            Value::Texts(texts) => {
                let quoted: Vec<String> =
                    texts.iter().map(|text| format!("\"{}\"", text.replace('"', "\\\""))).collect();
                write!(text, "{before}{name}='{}'", quoted.join(rng.pick(&[" ", ", "]))).unwrap();
            }
            Value::Text(value) => write!(text, "{before}{name}=\"{}\"", escaped(value)).unwrap(),
            value => write!(text, "{before}{name}=\"{}\"", words(value, rng).trim()).unwrap(),
        }
    }
    if children.is_empty() && node.kind != "Scene" {
        *text += rng.pick(&["/>\n", " />\n"]);
        return;
    }
    *text += ">\n";
    for (field, child) in children {
        xml_node(child, depth + 1, field, folder, library, text, rng);
    }
    writeln!(text, "{indent}</{}>", node.kind).unwrap();
}

/// The path, as from a file in the folder, of a file with the scene.
fn inline(scene: &Node, folder: &str, library: &mut Library, rng: &mut Rng) -> String {
    let Some((_, Value::Nodes(children))) = scene.fields.first() else {
        panic!("a scene without children")
    };
    let encoding = if matches!(children[0].kind, "Separator" | "Group") {
        Encoding::Vrml1
    } else {
        rng.pick(&[Encoding::Xml, Encoding::Gzip, Encoding::Classic, Encoding::Vrml97])
    };
    // The encodings other than VRML 97 know more types of nodes.
    let encoding = if encoding == Encoding::Vrml97 && !only_vrml97(scene) {
        Encoding::Classic
    } else {
        encoding
    };
    let path = library.file(scene, &format!("{folder}part"), encoding, rng);
    path[folder.len()..].to_owned()
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

fn classic_node(
    node: &Node,
    depth: usize,
    folder: &str,
    encoding: Encoding,
    library: &mut Library,
    text: &mut String,
    rng: &mut Rng,
) {
    let indent = "  ".repeat(depth);
    if let Some(name) = &node.def {
        if node.used {
            writeln!(text, "USE {name}").unwrap();
            return;
        }
        write!(text, "DEF {name} ").unwrap();
    }
    writeln!(text, "{} {{{}", node.kind, rng.pick(&["", "", "", " # a } comment"])).unwrap();
    for (name, value) in &node.fields {
        let in_vrml97 = match (node.kind, *name) {
            ("Switch", "children") => "choice",
            ("Collision", "enabled") => "collide",
            _ => name,
        };
        let name = if encoding == Encoding::Vrml97 { in_vrml97 } else { name };
        write!(text, "{indent}  ").unwrap();
        let nodes = match value {
            Value::Node(child) => {
                write!(text, "{name} ").unwrap();
                classic_node(child, depth + 1, folder, encoding, library, text, rng);
                continue;
            }
            Value::Nodes(nodes) => nodes,
            Value::File(scene) => {
                let path = inline(scene, folder, library, rng);
                writeln!(text, "{name} \"{path}\"").unwrap();
                continue;
            }
            Value::Texts(texts) => {
                let quoted: Vec<String> =
                    texts.iter().map(|text| format!("\"{}\"", text.replace('"', "\\\""))).collect();
                writeln!(text, "{name} [ {} ]", quoted.join(", ")).unwrap();
                continue;
            }
            Value::Text(value) if encoding == Encoding::Vrml1 && rng.chance(50) => {
                writeln!(text, "{name} {value}").unwrap();
                continue;
            }
            Value::Text(value) => {
                writeln!(text, "{name} \"{value}\"").unwrap();
                continue;
            }
            Value::Integers(_) | Value::Numbers { many: true, .. } => {
                writeln!(text, "{name} [{}]", words(value, rng)).unwrap();
                continue;
            }
            Value::Word(word) if matches!(&**word, "true" | "false") => {
                writeln!(text, "{name} {}", word.to_uppercase()).unwrap();
                continue;
            }
            value => {
                writeln!(text, "{name} {}", words(value, rng)).unwrap();
                continue;
            }
        };
        // In VRML 1.0 children stand in no field.
        let (open, close) = match (encoding, nodes.len()) {
            (Encoding::Vrml1, _) => (String::new(), ""),
            (_, 1) if rng.chance(50) => (format!("{name} "), ""),
            _ => (format!("{name} [\n"), "]\n"),
        };
        *text += &open;
        for child in nodes {
            classic_node(child, depth + 1, folder, encoding, library, text, rng);
        }
        *text += close;
    }
    writeln!(text, "{indent}}}").unwrap();
}

/// Numbers and words.
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
            // A comma after the last one is allowed.
            vectors.join(between) + rng.pick(&["", " ", if between == ", " { "," } else { "" }])
        }
        Value::Rotation { turn, .. } => axis_angle(*turn).map(|x| number(x, rng)).join(" "),
        Value::Integers(integers) => {
            let between = rng.pick(&[" ", " ", ", "]);
            integers.iter().map(i64::to_string).collect::<Vec<_>>().join(between) + " "
        }
        Value::Word(word) => word.clone(),
        other => panic!("{other:?} is no words"),
    }
}

/// To six decimals, in one of the ways to write that.
fn number(x: f64, rng: &mut Rng) -> String {
    let plain = format!("{x:.6}");
    match rng.below(40) {
        0 => format!("{:e}", plain.parse::<f64>().unwrap()),
        1 => format!("{:E}", plain.parse::<f64>().unwrap()),
        2 => plain.parse::<f64>().unwrap().to_string(),
        3 if x > 0.0 => format!("+{plain}"),
        4 => plain.replacen(
            "0.",
            ".",
            usize::from(plain.starts_with("0.") || plain.starts_with("-0.")),
        ),
        _ => plain,
    }
}

/// Axis and angle in radians of a quaternion x y z w.
fn axis_angle([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    let sin = (x * x + y * y + z * z).sqrt();
    if sin < 1e-9 { [0.0, 0.0, 1.0, 0.0] } else { [x / sin, y / sin, z / sin, 2.0 * sin.atan2(w)] }
}

/// What stands in every frame of a large file before the meshes.
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

/// A mesh of so many vertices. Where nothing repeats only one in sixteen has a face, so that points
/// are most of the file.
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
    // With every second quad every vertex is used, once.
    let step = if repeat { 1 } else { 2 };
    // The same numbers of either list may be set apart in two ways.
    let gaps = if repeat {
        [" ", " "]
    } else {
        rng.pick(&[[" ", "  "], [" ", " "], ["  ", " "], [", ", " "]])
    };
    for (list, gap) in ["texCoordIndex", "coordIndex"].into_iter().zip(gaps) {
        write!(text, "\t\t\t\t\t                {list}=\"").unwrap();
        for row in (0..rows.saturating_sub(1)).step_by(step) {
            for column in (0..width - 1).step_by(step) {
                let first = row * width + column;
                write!(
                    text,
                    "{first} {} {} {} -1{gap}",
                    first + 1,
                    first + width + 1,
                    first + width
                )
                .unwrap();
            }
        }
        writeln!(text, "\"").unwrap();
    }
    write!(
        text,
        "\t\t\t\t\t                >\n\t\t\t\t\t\t<Coordinate \
                  DEF=\"coords_{name}\"\n\t\t\t\t\t\t            point=\""
    )
    .unwrap();
    for _ in 0..width * rows {
        write!(
            text,
            "{:.6} {:.6} {:.6} ",
            rng.range(-5.0, 5.0),
            rng.range(-5.0, 5.0),
            rng.range(-5.0, 5.0)
        )
        .unwrap();
    }
    text += "\"\n\t\t\t\t\t\t            />\n\t\t\t\t\t\t<TextureCoordinate point=\"";
    // What repeats depends on the mesh only.
    let own = &mut Rng::new(mesh as u64);
    let rng = if repeat { own } else { rng };
    for _ in 0..width * rows {
        write!(text, "{:.4} {:.4} ", rng.range(0.0, 1.0), rng.range(0.0, 1.0)).unwrap();
    }
    text +=
        "\" />\n\t\t\t\t\t</IndexedFaceSet>\n\t\t\t\t</Shape>\n\t\t\t</Group>\n\t\t</Transform>\n";
    text
}
