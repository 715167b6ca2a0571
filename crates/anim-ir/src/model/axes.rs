//! Which way a scene's axes point.

use crate::names::named;

/// Which way the axes point. Both are right-handed; half a turn about x makes one of the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Axes {
    /// +x right, +y up, +z towards the viewer: those of glTF. A camera looks along -z.
    #[default]
    YUp,
    /// +x right, +y down, +z into the screen, as on the PlayStation. A camera looks along +z.
    YDown,
}

named!(Axes, "direction of the axes", {
    YUp => "y up",
    YDown => "y down",
});
