//! The options of pictures.

use anim_ir::Limits;

/// The background of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Background {
    /// No background: alpha is 0 where nothing is drawn.
    Transparent,
    /// An opaque sRGB colour.
    Color([u8; 3]),
}

/// Whether bones are drawn as sticks from each joint to its children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bones {
    /// If the scene has no mesh.
    #[default]
    Auto,
    /// In front of everything else.
    Always,
    /// Never.
    Never,
}

/// How pictures are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreviewOptions {
    /// Width and height in pixels. A picture without pixels is not an error.
    pub size: (u32, u32),
    /// The background.
    pub background: Background,
    /// Whether a grid is drawn on the ground: the plane through the lowest point of the scene in
    /// its rest pose.
    pub ground: bool,
    /// Whether the axes are drawn at the origin: x in red, y in green, z in blue.
    pub axes: bool,
    /// Whether bones are drawn.
    pub bones: Bones,
    /// Whether each pixel is the average of 2×2 samples. Otherwise edges are not smooth.
    pub supersampling: bool,
    /// The number of threads that draw a picture; `None` for as many as the processor runs at once.
    /// The picture does not depend on it.
    pub threads: Option<usize>,
    /// The limits of memory.
    pub limits: Limits,
}

impl Default for PreviewOptions {
    /// Returns 480×360 pixels on light grey with 2×2 samples, without ground and axes.
    fn default() -> PreviewOptions {
        PreviewOptions {
            size: (480, 360),
            background: Background::Color([232, 234, 237]),
            ground: false,
            axes: false,
            bones: Bones::Auto,
            supersampling: true,
            threads: None,
            limits: Limits::default(),
        }
    }
}

macro_rules! with {
    ($($(#[$doc:meta])* $name:ident $field:ident: $type:ty;)+) => {
        impl PreviewOptions {$(
            $(#[$doc])*
            #[must_use]
            pub fn $name(mut self, $field: $type) -> PreviewOptions {
                self.$field = $field;
                self
            }
        )+}
    };
}

with! {
    /// Sets the background.
    with_background background: Background;
    /// Sets whether a ground grid is drawn.
    with_ground ground: bool;
    /// Sets whether the axes are drawn.
    with_axes axes: bool;
    /// Sets whether bones are drawn.
    with_bones bones: Bones;
    /// Sets whether each pixel is the average of 2×2 samples.
    with_supersampling supersampling: bool;
    /// Sets the number of threads.
    with_threads threads: Option<usize>;
    /// Sets the limits.
    with_limits limits: Limits;
}

impl PreviewOptions {
    /// Sets the width and the height in pixels.
    #[must_use]
    pub fn with_size(mut self, width: u32, height: u32) -> PreviewOptions {
        self.size = (width, height);
        self
    }
}
