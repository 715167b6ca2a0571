//! An evaluator of castle-anim-frames files and their X3D and VRML scenes, directly based on the
//! format's specification, the notes on it and the standards (X3D: ISO/IEC 19775-1 and -2, 19776-1
//! and -2; VRML 97: ISO/IEC 14772-1; the VRML 1.0 specification).
//!
//! It supports the parts of the standards that the generator, the fixtures and the workspace's
//! writers use.
//!
//! A frame is a tree of nodes with all fields, including defaults. A scene between two frames is
//! evaluated by definition: all numbers in the tree are interpolated, and then the tree is
//! evaluated.

mod classic;
mod drawn;
mod load;
mod nodes;
mod scene;
mod structure;
mod xml;

pub use self::drawn::{Corner, Drawn, Primitive, Solid};
use self::load::Files;
use self::nodes::Node;
use crate::compare::diagonal;

#[derive(Clone, Debug)]
pub struct Movie {
    pub animations: Vec<Animation>,
}

/// An animation: static scenes with their times.
#[derive(Clone, Debug)]
pub struct Animation {
    /// The name; the default is "animation".
    pub name: String,
    /// The time of each frame in seconds as stored, strictly ascending.
    pub times: Vec<f64>,
    pub loops: bool,
    /// Whether the animation plays backwards after playing forwards.
    pub backwards: bool,
    /// Whether frames are not interpolated (`scenes_per_time` is 0).
    pub step: bool,
    /// The number of scenes per second that a baking player generates.
    pub scenes_per_time: u32,
    /// The difference below which a baking player may treat values as equal.
    pub equality_epsilon: f64,
    /// The centre and size of each frame's bounding box, unless the box is missing or empty.
    pub boxes: Vec<Option<[[f64; 3]; 2]>>,
    frames: Vec<Node>,
    /// For each frame except the last, the structural difference from the next frame.
    differences: Vec<Option<String>>,
}

/// Parses the text of a castle-anim-frames file. `files` returns a file's content, given its path
/// relative to the animation file, with `/` between folders.
///
/// # Panics
///
/// On invalid or unsupported content, such as malformed XML, or frames that are neither X3D nor
/// VRML.
pub fn read(text: &[u8], files: Files<'_>) -> Movie {
    let text = load::decode(text);
    let document = load::xml_document(&text);
    let root = document.root_element();
    let animations: Vec<Animation> = match root.tag_name().name() {
        "animation" => vec![animation(root, files)],
        "animations" => {
            let children = root.children().filter(|child| child.has_tag_name("animation"));
            children.map(|child| animation(child, files)).collect()
        }
        other => panic!("the root element is {other}"),
    };
    assert!(!animations.is_empty(), "no animation");
    Movie { animations }
}

fn animation(element: roxmltree::Node<'_, '_>, files: Files<'_>) -> Animation {
    let elements: Vec<_> = element.children().filter(|child| child.has_tag_name("frame")).collect();
    assert!(!elements.is_empty(), "no frame");
    let times = elements.iter().map(|frame| frame.attribute("time").expect("a time"));
    let times: Vec<f64> = times.map(|time| nodes::number(time.trim())).collect();
    // Times are binary32.
    let ascend = times.windows(2).all(|pair| (pair[0] as f32) < pair[1] as f32);
    assert!(ascend, "times do not ascend: {times:?}");
    let frames: Vec<Node> = elements.iter().map(|&frame| frame_scene(frame, files)).collect();
    let differences =
        frames.windows(2).map(|pair| structure::difference(&pair[0], &pair[1])).collect();
    let scenes_per_time = element.attribute("scenes_per_time");
    let scenes_per_time = scenes_per_time.map_or(30, |text| text.trim().parse().expect("a count"));
    let epsilon = element.attribute("equality_epsilon");
    Animation {
        name: element.attribute("name").unwrap_or("animation").to_owned(),
        times,
        loops: flag(element.attribute("loop")),
        backwards: flag(element.attribute("backwards")),
        step: scenes_per_time == 0,
        scenes_per_time,
        equality_epsilon: epsilon.map_or(0.001, |text| nodes::number(text.trim())),
        boxes: elements.iter().map(bounding_box).collect(),
        frames,
        differences,
    }
}

fn flag(text: Option<&str>) -> bool {
    match text.map(|text| text.trim().to_ascii_lowercase()).as_deref() {
        None | Some("false") => false,
        Some("true") => true,
        // The engine accepts any number.
        Some(other) => nodes::number(other) != 0.0,
    }
}

fn bounding_box(frame: &roxmltree::Node<'_, '_>) -> Option<[[f64; 3]; 2]> {
    let vector = |name: &str, otherwise: [f64; 3]| {
        frame.attribute(name).map_or(otherwise, |text| {
            let numbers: Vec<f64> = text.split_whitespace().map(nodes::number).collect();
            numbers.try_into().expect("three numbers")
        })
    };
    let (centre, size) =
        (vector("bounding_box_center", [0.0; 3]), vector("bounding_box_size", [-1.0; 3]));
    size.iter().all(|&side| side >= 0.0).then_some([centre, size])
}

fn frame_scene(frame: roxmltree::Node<'_, '_>, files: Files<'_>) -> Node {
    if let Some(url) = frame.attribute("url").or_else(|| frame.attribute("file_name")) {
        return load::scene(url, "", files);
    }
    let mime_type = frame.attribute("mime_type").unwrap_or_default();
    assert!(matches!(mime_type, "" | "model/x3d+xml"), "a frame of type {mime_type}");
    let mut children = frame.children().filter(roxmltree::Node::is_element);
    let content = children.next().expect("a frame without content");
    assert!(children.next().is_none(), "a frame with two scenes");
    xml::scene(content, "", &|url| load::scene(url, "", files))
}

impl Movie {
    /// Returns the diagonal of the bounding box of the geometry in all frames of all animations.
    pub fn size(&self) -> f64 {
        let scenes = self.animations.iter().flat_map(|animation| &animation.frames);
        let points = scenes.flat_map(|scene| scene::draw(scene).all_points());
        diagonal(&points.collect::<Vec<_>>())
    }
}

impl Animation {
    /// Whether frames `i` and `i + 1` are structurally equal: equal node types, DEF names, numbers
    /// of children and values, file folders, and values other than floating-point numbers. The
    /// content of an Inline is compared, not its URL.
    pub fn structurally_equal(&self, i: usize) -> bool {
        self.differences[i].is_none()
    }

    /// Returns the first structural difference between frames `i` and `i + 1`, for test messages.
    pub fn difference(&self, i: usize) -> Option<&str> {
        self.differences[i].as_deref()
    }

    /// Returns the scene at time `t` in seconds.
    pub fn drawn_at(&self, t: f64) -> Drawn {
        let Some(before) = self.times.iter().rposition(|&time| time <= t) else {
            return scene::draw(&self.frames[0]);
        };
        let held = self.step || before + 1 == self.times.len() || !self.structurally_equal(before);
        if held || self.times[before] == t {
            return scene::draw(&self.frames[before]);
        }
        let part = (t - self.times[before]) / (self.times[before + 1] - self.times[before]);
        scene::draw(&structure::between(&self.frames[before], &self.frames[before + 1], part))
    }

    /// Returns the corner positions of all faces at time `t`, in world space.
    pub fn corners_at(&self, t: f64) -> Vec<[f64; 3]> {
        self.drawn_at(t).faces.iter().flatten().map(|corner| corner.place).collect()
    }

    /// Like [`Self::corners_at`], with texture coordinates as stored in the file (v up).
    pub fn corners_with_texcoords(&self, t: f64) -> Vec<([f64; 3], Option<[f64; 2]>)> {
        self.drawn_at(t)
            .faces
            .iter()
            .flatten()
            .map(|corner| (corner.place, corner.texcoord))
            .collect()
    }
}
