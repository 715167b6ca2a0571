//! How to write a scene.

use anim_ir::EulerOrder;

use crate::join::SPLIT;
use crate::to_ir::{ROTATION_ORDER, UNIT_SCALE};

anim_ir::options! {
    /// How to write a scene. A sample, of which [`limits`](Self::limits) bounds the number, is a
    /// joint in one frame.
    pub struct FromIr {
        /// Frames a second, a whole number from 1 to 32,767. `None`: those of the clip's timeline
        /// where they are such a number, otherwise 30.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("fps", None,
                "Sampling rate, for targets that cannot store the source's keys exactly");
        /// In which order the three angles of a rotation are applied.
        rotation_order (with_rotation_order): EulerOrder = EulerOrder::Zyx,
            choice("rotation-order", EulerOrder::NAMES, Some("zyx"), ROTATION_ORDER);
        /// Length of the files' unit in the scene's: positions are divided by it.
        unit (with_unit): f32 = 1.0, positive("unit-scale", Some("1"), UNIT_SCALE);
        /// Whether positions and scales that do not fit become the nearest that do. Otherwise the
        /// scene is refused.
        clamp (with_clamp): bool = false, flag("clamp", "Clamp values that are out of range");
        /// Whether a clip that does not fit one file becomes several. Otherwise the scene is
        /// refused.
        split (with_split): bool = false, flag("split", SPLIT);
    }
}
