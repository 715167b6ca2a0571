//! What the `TimeSensor` nodes of a scene animate.
//!
//! Routes connect the events of nodes ([`wiring`]). The events of each sensor are followed through
//! interpolators and sequencers to the fields they set ([`spread`]). A field then has a [`Drive`]
//! for each sensor, whose keys come straight from the interpolator ([`curve`]).

mod changes;
mod curve;
mod drives;
mod keyed;
mod rotations;
mod splines;
mod spread;
mod values;
mod wiring;

pub(crate) use drives::{Curve, Drive, Drives};
pub(crate) use keyed::Keyed;
pub(crate) use spread::read;
pub(crate) use values::Listed;
