//! The sides from which a scene can be seen.

/// The direction of a camera that frames a scene, as in
/// [`Stage::camera_from`](crate::Stage::camera_from).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum View {
    /// From the front, turned to the right, and from above.
    #[default]
    ThreeQuarter,
    /// From the front.
    Front,
    /// From the right, as seen from the front.
    Side,
    /// From above, with the front at the lower edge.
    Top,
}

impl View {
    /// Returns how far the camera is turned to the right of the front, and how far it looks down,
    /// in degrees.
    pub(crate) const fn turn(self) -> (f64, f64) {
        match self {
            View::ThreeQuarter => (35.0, 18.0),
            View::Front => (0.0, 0.0),
            View::Side => (90.0, 0.0),
            View::Top => (0.0, 90.0),
        }
    }
}
