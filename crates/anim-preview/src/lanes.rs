//! Four numbers that are computed with together.

use std::ops::{Add, Mul, Sub};

/// Such as red, green, blue and alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Lanes(pub(crate) [f32; 4]);

impl Lanes {
    pub(crate) fn zip(self, other: Lanes, join: impl Fn(f32, f32) -> f32) -> Lanes {
        let (Lanes([a, b, c, d]), Lanes([e, f, g, h])) = (self, other);
        Lanes([join(a, e), join(b, f), join(c, g), join(d, h)])
    }
}

impl From<[u16; 4]> for Lanes {
    #[inline]
    fn from(values: [u16; 4]) -> Lanes {
        Lanes(values.map(f32::from))
    }
}

impl Add for Lanes {
    type Output = Lanes;

    #[inline]
    fn add(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for Lanes {
    type Output = Lanes;

    #[inline]
    fn sub(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul for Lanes {
    type Output = Lanes;

    #[inline]
    fn mul(self, other: Lanes) -> Lanes {
        self.zip(other, |a, b| a * b)
    }
}

impl Mul<f32> for Lanes {
    type Output = Lanes;

    #[inline]
    fn mul(self, by: f32) -> Lanes {
        Lanes(self.0.map(|value| value * by))
    }
}
