//! The description of an animation.

cases! {
    /// What a frame is written as.
    pub enum Kind {
        Gltf,
        Obj,
        X3d,
    }
}

/// The kinds of frames in a movie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// All frames have this kind.
    Only(Kind),
    /// Runs of frames of all kinds.
    All,
}

/// What is generated.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The number of frames; random if `None`.
    pub frames: Option<usize>,
    pub mix: Mix,
    /// Whether all frames have the same structure.
    pub even: bool,
    /// Whether the scene has only nodes with translation, rotation and scale, and triangles.
    pub simple: bool,
}

/// An animation: what each frame shows, and when.
#[derive(Clone, Debug)]
pub struct Movie {
    /// In seconds, as in the file.
    pub times: Vec<f64>,
    pub frames: Vec<Frame>,
}

#[derive(Clone, Debug)]
pub struct Frame {
    pub kind: Kind,
    pub(crate) scene: Scene,
}

/// A glTF scene. Node 0 and later are in no particular order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub(crate) roots: Vec<usize>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) meshes: Vec<Mesh>,
    pub(crate) skin: Option<Skin>,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) children: Vec<usize>,
    pub(crate) translation: [f64; 3],
    pub(crate) rotation: [f64; 4],
    pub(crate) scale: [f64; 3],
    pub(crate) mesh: Option<usize>,
    /// Whether the mesh is skinned, by the only skin.
    pub(crate) skinned: bool,
    /// Morph weights instead of those of the mesh.
    pub(crate) weights: Option<Vec<f64>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Mesh {
    pub(crate) primitives: Vec<Primitive>,
    /// The default weight of each morph target.
    pub(crate) weights: Vec<f64>,
}

#[derive(Clone, Debug)]
pub(crate) struct Primitive {
    /// The mode in glTF: 0 is points, 1 to 3 are lines, 4 to 6 are triangles.
    pub(crate) mode: usize,
    pub(crate) points: Vec<[f64; 3]>,
    /// Whether the points are those of the mesh's first primitive, also in the file.
    pub(crate) shares: bool,
    pub(crate) normals: bool,
    pub(crate) targets: Vec<Vec<[f64; 3]>>,
    pub(crate) indices: Option<Vec<usize>>,
    /// For each point, four joints and their weights in 255ths.
    pub(crate) joints: Option<Vec<[(usize, u8); 4]>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Skin {
    pub(crate) joints: Vec<usize>,
    /// Inverse bind matrices; the identity if `None`.
    pub(crate) inverses: Option<Vec<crate::math::Mat4>>,
}
