//! What can be said of reading and writing.

use anim_ir::EulerOrder;

/// What the option for the order of angles does, for reading and writing.
pub(crate) const ROTATION_ORDER: &str =
    "Order in which the rotation matrices about the axes are multiplied";

anim_ir::options! {
    /// How to read a file.
    pub struct ParseOptions {}
}

anim_ir::options! {
    /// How to turn a document into a scene.
    pub struct ToIr {
        /// In which order the three angles of an orientation are applied. The specification does
        /// not say; Rz · Ry · Rx, x first, otherwise.
        rotation_order (with_rotation_order): EulerOrder = EulerOrder::Zyx,
            choice("rotation-order", EulerOrder::NAMES, Some("zyx"), ROTATION_ORDER);
        /// The longest clip, in seconds, that is made for the waves of a state to repeat together.
        loop_limit (with_loop_limit): f64 = 60.0,
            positive("loop-limit", Some("60"),
                "Longest clip, in seconds, made so that the waves of a state repeat together");
    }
}

anim_ir::options! {
    /// How to write a scene. A sample, of which [`limits`](Self::limits) bounds the number, is a
    /// joint at one moment.
    pub struct FromIr {
        /// In which order the three angles of an orientation are applied.
        rotation_order (with_rotation_order): EulerOrder = EulerOrder::Zyx,
            choice("rotation-order", EulerOrder::NAMES, Some("zyx"), ROTATION_ORDER);
    }
}
