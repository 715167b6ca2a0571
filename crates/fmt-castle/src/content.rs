//! The content of a file: animations, their frames, and the location of each frame's content.

use anim_ir::Span;

/// Default name of an animation without a `name` attribute.
pub const UNNAMED: &str = "animation";

/// Default of [`Animation::equality_epsilon`].
pub(crate) const EPSILON: f32 = 0.001;

/// The parsed content of a file.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) animations: Vec<Animation>,
    /// The prefix and name of each namespace.
    pub(crate) namespaces: Vec<(String, String)>,
}

/// An animation. Missing attributes have default values (specification, section 3).
#[derive(Clone, Debug, PartialEq)]
pub struct Animation {
    /// The name, "animation" by default.
    pub name: String,
    /// Number of scenes per second that the engine bakes between frames, 30 by default. 0 disables
    /// interpolation: each frame is held until the next one.
    pub scenes_per_time: u32,
    /// Tolerance for treating numbers in two frames as equal, 0.001 by default.
    pub equality_epsilon: f32,
    /// Whether the animation repeats.
    pub loops: bool,
    /// Whether the animation plays backwards after playing forwards.
    pub backwards: bool,
    /// The frames, at least one, in strictly increasing time order.
    pub frames: Vec<Frame>,
    /// The element's span, in bytes of [`crate::Document::text`].
    pub span: Span,
}

/// A still scene and the time at which it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Time in seconds.
    pub time: f32,
    /// The content of the frame, or its location.
    pub content: Content,
    /// The bounding box for collisions; `None` if it is missing or empty.
    pub bounding_box: Option<BoundingBox>,
    /// The element's span, in bytes of [`crate::Document::text`].
    pub span: Span,
}

/// The content of a frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// The URL of a file, relative to the animation file. XML references are resolved; percent
    /// escapes are kept.
    Url(String),
    /// An X3D XML document: the span of its `X3D` element, in bytes of [`crate::Document::text`].
    /// Kept verbatim; this crate does not parse it.
    X3d(Span),
    /// A glTF JSON document, with XML references resolved.
    Gltf(String),
    /// The content is missing or invalid.
    Missing,
}

/// An axis-aligned box in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingBox {
    /// The centre of the box.
    pub center: [f32; 3],
    /// The extent along each axis, never negative.
    pub size: [f32; 3],
}

impl Animation {
    /// Returns the times of the first and last frames, in seconds.
    pub fn range(&self) -> (f32, f32) {
        let time = |frame: Option<&Frame>| frame.map_or(0.0, |frame| frame.time);
        (time(self.frames.first()), time(self.frames.last()))
    }
}

impl BoundingBox {
    /// Whether every edge has a length. A box with a negative length is empty, as if it were
    /// missing.
    pub(crate) fn is_not_empty(&self) -> bool {
        self.size.iter().all(|edge| *edge >= 0.0)
    }

    /// Returns the smallest box around the points; `None` if there are no points.
    pub fn around(points: impl IntoIterator<Item = [f32; 3]>) -> Option<BoundingBox> {
        let mut points = points.into_iter();
        let first = points.next()?;
        let (low, high) = points.fold((first, first), |(low, high), point| {
            (pairwise(low, point, f32::min), pairwise(high, point, f32::max))
        });
        Some(BoundingBox {
            center: pairwise(low, high, |a, b| a / 2.0 + b / 2.0),
            size: pairwise(high, low, |a, b| a - b),
        })
    }
}

fn pairwise([a, b, c]: [f32; 3], [d, e, f]: [f32; 3], with: fn(f32, f32) -> f32) -> [f32; 3] {
    [with(a, d), with(b, e), with(c, f)]
}
