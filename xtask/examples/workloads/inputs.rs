//! Inputs for the workloads. They are identical on every machine, since generating them only uses
//! basic arithmetic. Changing an input changes the counts.

use std::array;
use std::fmt::Write as _;

use anim_formats::anim_ir::{
    Channel, Clip, Image, ImageId, Interpolation, Joint, JointId, Material, MaterialId, Mesh, Node,
    Primitive, Scene, Skeleton, TimelineBuilder, Vec3,
};
use anim_preview::Picture;

const JOINTS: usize = 16;
/// The number of vertices per row of a sheet.
const WIDTH: usize = 40;

/// A pseudorandom number generator.
struct Numbers(u64);

impl Numbers {
    /// Returns the next number, from -1 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 32) as f64 / f64::from(1_u32 << 31) - 1.0
    }

    fn three(&mut self) -> [f64; 3] {
        array::from_fn(|_| self.next())
    }
}

/// Returns the sine and cosine of an angle, given the tangent `t` of half the angle.
fn turn(t: f64) -> [f64; 2] {
    [2.0 * t / (1.0 + t * t), (1.0 - t * t) / (1.0 + t * t)]
}

/// Returns the triangles of a sheet: two for each vertex outside the last row.
fn triangles(vertices: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..vertices.saturating_sub(WIDTH + 1))
        .flat_map(|at| [[at, at + 1, at + WIDTH + 1], [at, at + WIDTH + 1, at + WIDTH]])
}

/// Returns an Animated OBJ file of a skinned sheet with keys for every joint in every frame.
pub(crate) fn amo(vertices: usize, frames: usize) -> String {
    let mut numbers = Numbers(1);
    let mut text = "# A sheet.\nao sheet\n".to_owned();
    for vertex in 0..vertices {
        let [x, y, z] = numbers.three();
        let [sine, cosine] = turn(x);
        let (joint, weight) = (vertex % JOINTS + 1, 0.5 + 0.5 * y * y);
        write!(text, "v {x:.6} {y:.6} {z:.6}\nvt {:.6} {:.6}\n", x * x, y * y).unwrap();
        writeln!(text, "vn {sine:.6} 0.0 {cosine:.6}").unwrap();
        writeln!(text, "vj {joint} {} 0 0", joint % JOINTS + 1).unwrap();
        writeln!(text, "vw {weight:.6} {:.6} 0 0", 1.0 - weight).unwrap();
    }
    for corners in triangles(vertices) {
        text += "f";
        corners.iter().map(|corner| corner + 1).for_each(|n| {
            write!(text, " {n}/{n}/{n}/{n}/{n}").unwrap();
        });
        text += "\n";
    }
    text += "j joint_1 -1\n";
    (2..=JOINTS).for_each(|joint| writeln!(text, "j joint_{joint} {}", joint / 2).unwrap());
    text += "a clip\n";
    for frame in 0..frames {
        let time = frame as f64 / 32.0;
        for joint in 1..=JOINTS {
            let [x, y, z] = numbers.three();
            let [sine, cosine] = turn(x);
            writeln!(text, "ap {time} {joint} {x:.6} {y:.6} {z:.6}").unwrap();
            writeln!(text, "ar {time} {joint} 0 {sine:.8} 0 {cosine:.8}").unwrap();
        }
    }
    text
}

/// Returns an ANM text file of bone sets with events and clips.
pub(crate) fn anm_text(sets: usize) -> String {
    let mut text = String::new();
    for set in 0..sets {
        writeln!(text, "# set {set}\nas Set_{set}").unwrap();
        (0..20).for_each(|bone| writeln!(text, "bl bone_{bone} +children").unwrap());
        for number in 0..100 {
            writeln!(text, "ev {} event_{number}", number * 24 + 12).unwrap();
        }
        for number in 0..100 {
            writeln!(text, "an {} {} clip_{number}", number * 24, number * 24 + 23).unwrap();
        }
    }
    text
}

/// Returns an STT file of states with eight nodes, half of which move. Every eighth state plays the
/// seven states before it.
pub(crate) fn stt(sevens: usize) -> String {
    let mut numbers = Numbers(2);
    let mut text = format!("#MINDRENDER 1.1\n{}\n", sevens * 8);
    for seven in 0..sevens {
        for state in 0..7 {
            write!(text, "{{state_{seven}_{state}}}\nSINGLE\n8\n").unwrap();
            for node in 0..8 {
                let waves = node % 2 == 0;
                let kind = if waves { "DYNAMIC" } else { "STATIC" };
                write!(text, "{{node_{node}}}\n{kind}\n").unwrap();
                for shape in [3, 8, 7] {
                    for _ in 0..if waves { 2 } else { 1 } {
                        let [x, y, z] = numbers.three().map(|number| number * 180.0);
                        writeln!(text, "{x:.6} {y:.6} {z:.6}").unwrap();
                    }
                    if waves {
                        let period = 2.5 + numbers.next();
                        writeln!(text, "{period:.6} {:.6} {shape}", numbers.next()).unwrap();
                    }
                }
            }
        }
        write!(text, "{{play_{seven}}}\nKEYFRAME\n7\n1\n{{state_{seven}_0}}\n").unwrap();
        (0..7).for_each(|state| {
            write!(text, "1\n0.500000 1.250000\n1 0\n{{state_{seven}_{state}}}\n").unwrap();
        });
    }
    text
}

/// Returns a TMD ANM file with keys for every object in every frame. The set of channels differs
/// between objects.
pub(crate) fn tmd_anm(frames: u16, objects: u8) -> Vec<u8> {
    let mut numbers = Numbers(3);
    let mut starts = vec![4 + frames];
    let mut body: Vec<u8> = Vec::new();
    for _ in 0..frames {
        for object in 0..objects {
            let flags = object % 7 + 1;
            body.extend([object, flags]);
            for _ in 0..3 * flags.count_ones() {
                body.extend(((numbers.next() * 4096.0) as i16).to_le_bytes());
            }
        }
        starts.push(4 + frames + u16::try_from(body.len() / 2).unwrap());
    }
    let head = [0x8000, 30, frames].into_iter().chain(starts);
    head.flat_map(u16::to_le_bytes).chain(body).collect()
}

/// Returns a castle-anim-frames file whose frames are four sheets in X3D. The points of the first
/// sheet, or of all if the frames do not repeat, change in every frame.
pub(crate) fn castle(frames: usize, vertices: usize, repeats: bool) -> String {
    let mut numbers = Numbers(4);
    let mut sheet = || {
        let mut text = String::new();
        (0..vertices).for_each(|_| {
            let [x, y, z] = numbers.three();
            write!(text, "{x:.6} {y:.6} {z:.6}, ").unwrap();
        });
        text
    };
    let mut sheets = [sheet(), sheet(), sheet(), sheet()];
    let mut indices = String::new();
    triangles(vertices).for_each(|[a, b, c]| write!(indices, "{a} {b} {c} -1 ").unwrap());
    let mut text =
        "<?xml version=\"1.0\"?>\n<animations>\n<animation name=\"sheets\">\n".to_owned();
    for frame in 0..frames {
        let time = frame as f64 / 32.0;
        writeln!(text, "<frame time=\"{time}\" mime_type=\"model/x3d+xml\">").unwrap();
        text += "<X3D version=\"3.0\" profile=\"Immersive\"><Scene>\n";
        for (number, points) in sheets.iter().enumerate() {
            writeln!(
                text,
                "<Transform DEF=\"t{number}\" translation=\"{number} 0.0 {time}\"><Shape>\
                 <Appearance><Material diffuseColor=\"0.8 0.6 0.4\" /></Appearance>\
                 <IndexedFaceSet solid=\"false\" coordIndex=\"{indices}\">\
                 <Coordinate point=\"{points}\" /></IndexedFaceSet></Shape></Transform>"
            )
            .unwrap();
        }
        text += "</Scene></X3D></frame>\n";
        let changed = if repeats { 1 } else { sheets.len() };
        sheets.iter_mut().take(changed).for_each(|points| *points = sheet());
    }
    text + "</animation>\n</animations>\n"
}

/// Returns a scene of joints with keys on all three channels, moved by `offset`.
pub(crate) fn keyed(joints: usize, keys: u16, offset: f32) -> Scene {
    let mut numbers = Numbers(6);
    let mut builder = TimelineBuilder::new("");
    let mut skeleton = Skeleton::new("s");
    let times: Vec<f32> = (0..keys).map(|key| f32::from(key) / 32.0).collect();
    for joint in 0..joints {
        let parent = joint.checked_sub(1).map(JointId::new);
        let target = skeleton.add_joint(Joint::new(format!("j{joint}"), parent)).into();
        let mut of_keys = |value: &dyn Fn(f32) -> Vec<f32>| -> Vec<f32> {
            times.iter().flat_map(|_| value(numbers.next() as f32)).collect()
        };
        let places = of_keys(&|number| vec![number + offset, 2.0 * number, 1.0]);
        let turns = of_keys(&|number| {
            let [sine, cosine] = turn(number.into());
            vec![sine as f32, 0.0, 0.0, cosine as f32]
        });
        let sizes = of_keys(&|number| vec![1.0, 2.0 + number, 1.0]);
        for (channel, values) in
            [(Channel::Translation, places), (Channel::Rotation, turns), (Channel::Scale, sizes)]
        {
            builder.keys(target, channel, Interpolation::Linear, &times, values).unwrap();
        }
    }
    let mut scene = Scene::default();
    scene.add_skeleton(skeleton);
    let timeline = scene.add_timeline(builder.finish());
    let end = f32::from(keys - 1) / 32.0;
    scene.add_clip(Clip { name: "walk".into(), timeline, end, ..Clip::default() });
    scene
}

/// Returns a VRML 97 file of sheets, with names and comments.
pub(crate) fn vrml(shapes: usize, vertices: usize) -> String {
    let mut numbers = Numbers(5);
    let mut text = "#VRML V2.0 utf8\n".to_owned();
    for shape in 0..shapes {
        write!(
            text,
            "# sheet {shape}\nDEF s{shape} Transform {{\n  translation {shape} 0 -1.5\n  children \
             Shape {{\n    geometry IndexedFaceSet {{\n      coord Coordinate {{\n        point [\n"
        )
        .unwrap();
        for _ in 0..vertices {
            let [x, y, z] = numbers.three();
            writeln!(text, "          {x:.6} {y:.3} {z:e},").unwrap();
        }
        text += "        ]\n      }\n      coordIndex [\n";
        triangles(vertices)
            .for_each(|[a, b, c]| writeln!(text, "        {a}, {b}, {c}, -1,").unwrap());
        text += "      ]\n    }\n  }\n}\n";
    }
    text
}

/// Returns a scene of a rippled sheet with a texture, about one unit in front of the origin.
pub(crate) fn textured_sheet(rows: usize) -> Scene {
    let mut numbers = Numbers(6);
    let mut mesh = Mesh::default();
    for at in 0..rows * WIDTH {
        let [x, y] = [(at % WIDTH, WIDTH), (at / WIDTH, rows)];
        let [x, y] = [x, y].map(|(at, count)| at as f64 / (count - 1) as f64 * 2.0 - 1.0);
        let [side, _, ripple] = numbers.three();
        let [sine, cosine] = turn(side * 0.2);
        mesh.positions.push(Vec3::from_f64([x, y, ripple * 0.02 - 1.0]));
        mesh.normals.push(Vec3::from_f64([sine, 0.0, cosine]));
        mesh.texcoords.push([x as f32 * 2.0, y as f32 * 2.0]);
    }
    let inside = triangles(rows * WIDTH).filter(|[at, ..]| at % WIDTH < WIDTH - 1);
    let indices = inside.flatten().map(|index| u32::try_from(index).unwrap()).collect();
    let material = Some(MaterialId::new(0));
    mesh.primitives.push(Primitive { indices, material, ..Primitive::default() });
    let pixel = |_| numbers.three().map(|number| (number * 127.0 + 128.0) as u8);
    let pixels = (0..64 * 64).map(pixel).map(|[red, green, blue]| [red, green, blue, 255]);
    let picture = Picture { width: 64, height: 64, pixels: pixels.collect() };
    let mut scene = Scene::default();
    scene.images.push(Image::embedded(picture.to_png().unwrap()));
    let image = Some(ImageId::new(0));
    scene.add_material(Material { base_color_image: image, ..Material::new("") });
    let mesh = scene.add_mesh(mesh);
    scene.add_node(Node { mesh: Some(mesh), ..Node::default() });
    scene
}
