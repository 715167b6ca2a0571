//! How to read, join and write files.

use anim_ir::EulerOrder;

// What the options do that several types have.
const RATE: &str = "Frame rate of the file, instead of the one it states";
const ROTATION_ORDER: &str = "Order in which the rotation matrices about the axes are multiplied";
const UNIT_SCALE: &str = "Factor for positions";
/// What the option for several files does, for scenes and for files that are joined.
const SPLIT: &str = "Write a clip that is too long for one file to several";

anim_ir::options! {
    /// How to read a file.
    pub struct ParseOptions {}
}

anim_ir::options! {
    /// How to turn documents into a scene. A sample, of which [`limits`](Self::limits) bounds the
    /// number, is a key.
    pub struct ToIr {
        /// Name of the clip.
        name (with_name): String = String::new();
        /// How many objects the model has: keys of others are left out. `None`: as many as the
        /// keys name.
        objects (with_objects): Option<usize> = None;
        /// In which order the three angles of a rotation are applied; Rz · Ry · Rx, x first, in
        /// the importers that there are.
        rotation_order (with_rotation_order): EulerOrder = EulerOrder::Zyx,
            choice("rotation-order", EulerOrder::NAMES, Some("zyx"), ROTATION_ORDER);
        /// Frames a second, instead of the file's rate. A number that is not finite or not greater
        /// than 0 is none.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("rate", None, RATE);
        /// Whether a part that a key does not have stays as it was. In the game it is the identity.
        hold (with_hold): bool = false,
            flag("hold",
                "Keep the last value where a key leaves a part out, instead of the identity");
        /// Whether there are straight lines between frames. In the game there is nothing.
        linear (with_linear): bool = false,
            flag("linear", "Interpolate linearly between frames, instead of steps");
        /// Positions are multiplied by this. A number that is not finite or not greater than 0 is
        /// taken for 1.
        unit (with_unit): f32 = 1.0, positive("unit-scale", Some("1"), UNIT_SCALE);
    }
}

anim_ir::options! {
    /// How to turn a camera's document into a scene.
    pub struct CameraToIr {
        /// Name of the clip.
        name (with_name): String = String::new();
        /// Frames a second, instead of the file's rate. A number that is not finite or not greater
        /// than 0 is none.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("rate", None, RATE);
        /// Positions are multiplied by this. A number that is not finite or not greater than 0 is
        /// taken for 1.
        unit (with_unit): f32 = 1.0, positive("unit-scale", Some("1"), UNIT_SCALE);
    }
}

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

anim_ir::options! {
    /// How to join files.
    pub struct JoinOptions {
        /// Frames a second of what is written, a whole number from 1 to 32,767. `None`: those of
        /// the files, which must be the same in all of them.
        frames_per_second (with_frames_per_second): Option<f64> = None,
            positive("rate", None, RATE);
        /// Whether what does not fit one file becomes several. Otherwise it is refused.
        split (with_split): bool = false, flag("split", SPLIT);
    }
}
