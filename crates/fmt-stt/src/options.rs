//! Options for reading and writing.

use anim_ir::EulerOrder;

/// Help for the rotation order option, for both reading and writing.
pub(crate) const ROTATION_ORDER: &str =
    "Order in which the rotation matrices about the axes are multiplied";

anim_ir::options! {
    /// Options for reading a file.
    pub struct ParseOptions {}
}

anim_ir::options! {
    /// Options for converting a document to a scene.
    pub struct ToIr {
        /// The order in which the rotation matrices of an orientation's three angles are
        /// multiplied, which the specification does not define. The default is Rz · Ry · Rx, which
        /// rotates about x first.
        rotation_order (with_rotation_order): EulerOrder = EulerOrder::Zyx,
            choice("rotation-order", EulerOrder::NAMES, Some("zyx"), ROTATION_ORDER);
        /// The maximum length, in seconds, of a clip extended until all waves of its state repeat
        /// together.
        loop_limit (with_loop_limit): f64 = 60.0,
            positive("loop-limit", Some("60"),
                "Maximum length, in seconds, of a clip that is made for all waves of a state to \
                 repeat together: waves of 2 s and 3 s do so every 6 s. If it would be longer, the \
                 clip lasts as long as the slowest wave, and jumps where it loops");
    }
}

anim_ir::options! {
    /// Options for writing a scene. Each joint at each time counts as one sample towards the limit
    /// in [`limits`](Self::limits).
    pub struct FromIr {
        /// The order in which the rotation matrices of an orientation's three angles are
        /// multiplied. The default is Rz · Ry · Rx, which rotates about x first.
        rotation_order (with_rotation_order): EulerOrder = EulerOrder::Zyx,
            choice("rotation-order", EulerOrder::NAMES, Some("zyx"), ROTATION_ORDER);
    }
}
