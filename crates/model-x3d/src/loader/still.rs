//! Files of other kinds that frames and `Inline` nodes refer to.

use anim_ir::{Diagnostics, Limits, Resolver, Scene, Sniff, Span};

/// A kind of file, other than X3D and VRML, that a frame or an `Inline` may refer to.
#[derive(Clone, Copy, Debug)]
pub struct FileKind {
    /// The extensions of the files, in lowercase and without a dot.
    pub extensions: &'static [&'static str],
    /// The media types of such files in `data:` URIs, in lowercase.
    pub media_types: &'static [&'static str],
    /// Detects such files by their content, for `data:` URIs with another media type.
    pub sniff: fn(&[u8]) -> Sniff,
    /// Reads a file, or returns the reason why it cannot be shown. Addresses of companion files are
    /// relative to the file.
    pub read: ReadStill,
}

/// A function that reads a file of another kind.
pub type ReadStill = fn(Vec<u8>, &mut dyn Resolver, &Limits) -> Result<Still, String>;

/// What a file of another kind shows as a still.
#[derive(Debug)]
pub enum Still {
    /// Another file, relative to the folder of this one: the first frame of an animation.
    File(String),
    /// An `X3D` element: the first frame of an animation.
    X3d {
        /// The text of the animation file.
        text: String,
        /// The span of the element in the text.
        span: Span,
        /// The prefixes and names of the namespaces in scope.
        namespaces: Vec<(String, String)>,
    },
    /// A model, or the first frame of an animation if that is a model.
    Model(Box<Model>),
}

/// A scene that was read from a file of another format.
#[derive(Debug, Default)]
pub struct Model {
    /// The name of the format, such as `glTF`.
    pub format: &'static str,
    /// The scene, which is shown at rest.
    pub scene: Scene,
    /// See [`Graph::structure`](crate::Graph::structure).
    pub structure: u64,
    /// Problems in the file, and losses.
    pub problems: Diagnostics,
    /// The text of the file, if spans of the problems refer to it.
    pub text: String,
}
