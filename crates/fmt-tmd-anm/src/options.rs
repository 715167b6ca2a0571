//! Options for reading, joining and writing files.

use anim_ir::EulerOrder;
use anim_ir::number::narrow;

// Help for options that several types share.
const RATE: &str = "Frame rate to use instead of the one in the file, if it has one (ANM text: 24 \
                    by default)";
const ROTATION_ORDER: &str = "Order in which the rotation matrices about the axes are multiplied";
const UNIT_SCALE: &str = "Factor for positions";
/// Help for the split option, for both writing scenes and joining files.
const SPLIT: &str = "Split a clip that is too long for one file across several";

anim_ir::options! {
    /// Options for reading a file.
    pub struct ParseOptions {}
}

anim_ir::options! {
    /// Options for converting documents to a scene.
    pub struct ToIr {
        /// The name of the clip.
        name (with_name): String = String::new();
        /// The number of objects in the model. Keys of other objects are dropped. `None` includes
        /// all objects that the keys refer to.
        objects (with_objects): Option<usize> = None;
        /// The order in which the three angles of a rotation are applied. The default is Rz · Ry ·
        /// Rx, with x applied first, as in existing importers.
        rotation_order (with_rotation_order): EulerOrder = EulerOrder::Zyx,
            choice("rotation-order", EulerOrder::NAMES, Some("zyx"), ROTATION_ORDER);
        /// Frames per second, instead of the file's rate. Ignored unless finite and greater than 0.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("rate", None, RATE);
        /// Whether parts that are missing from a key keep their last value. In the game they are
        /// the identity.
        hold (with_hold): bool = false,
            flag("hold",
                "Hold the last value of parts that are missing from a key instead of using the \
                 identity");
        /// Whether to interpolate linearly between frames. The game does not interpolate.
        linear (with_linear): bool = false,
            flag("linear", "Interpolate linearly between frames instead of using steps");
        /// Factor for positions. Ignored unless finite and greater than 0.
        unit (with_unit): f32 = 1.0, positive("unit-scale", Some("1"), UNIT_SCALE);
    }
}

anim_ir::options! {
    /// Options for converting a camera document to a scene.
    pub struct CameraToIr {
        /// The name of the clip.
        name (with_name): String = String::new();
        /// Frames per second, instead of the file's rate. Ignored unless finite and greater than 0.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("rate", None, RATE);
        /// Factor for positions. Ignored unless finite and greater than 0.
        unit (with_unit): f32 = 1.0, positive("unit-scale", Some("1"), UNIT_SCALE);
    }
}

anim_ir::options! {
    /// Options for writing a scene.
    pub struct FromIr {
        /// Frames per second, an integer from 1 to 32,767. `None` means the rate of the clip's
        /// timeline if it is valid, otherwise 30.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("fps", None,
                "Sampling rate, for targets that cannot store the source's keys exactly. glTF \
                 and X3D keys keep their times unless a rate is given");
        /// The order in which the three angles of a rotation are applied.
        rotation_order (with_rotation_order): EulerOrder = EulerOrder::Zyx,
            choice("rotation-order", EulerOrder::NAMES, Some("zyx"), ROTATION_ORDER);
        /// The length of the file's unit in scene units. Positions are divided by it.
        unit (with_unit): f32 = 1.0, positive("unit-scale", Some("1"), UNIT_SCALE);
        /// Whether to clamp positions and scales that are out of range. Otherwise, such a scene is
        /// an error.
        clamp (with_clamp): bool = false, flag("clamp", "Clamp values that are out of range");
        /// Whether to split a clip that does not fit in one file across several. Otherwise, such a
        /// clip is an error.
        split (with_split): bool = false, flag("split", SPLIT);
    }
}

anim_ir::options! {
    /// Options for joining files.
    pub struct JoinOptions {
        /// Frames per second of the result, an integer from 1 to 32,767. `None` means the rate of
        /// the files, which must be the same for all.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("rate", None, RATE);
        /// Whether to write several files if one is not enough. Otherwise, a result that needs
        /// several files is an error.
        split (with_split): bool = false, flag("split", SPLIT);
    }
}

/// Returns the requested rate, if valid.
pub(crate) fn asked_rate(per_second: Option<f64>) -> Option<f32> {
    positive(per_second.map(narrow))
}

/// Returns the number if it is safe to multiply or divide by.
pub(crate) fn positive(number: Option<f32>) -> Option<f32> {
    number.filter(|number| number.is_finite() && *number > 0.0)
}

/// Returns a position or scale multiplied by a unit; always finite.
pub(crate) fn scaled(number: i16, unit: f64) -> f32 {
    narrow(f64::from(number) * unit).clamp(f32::MIN, f32::MAX)
}
