//! Reproducible random numbers.

use crate::math::{cross, dot};

/// A small pseudo-random number generator (splitmix64).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator. The same seed produces the same numbers.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns an integer below `end`, which must not be 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next_u64()) * end as u128) >> 64) as usize
    }

    /// Returns an integer from `start` to `end`, inclusive.
    pub fn between(&mut self, start: usize, end: usize) -> usize {
        start + self.below(end - start + 1)
    }

    /// Returns true with a probability of `percent` %.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns a number from `start` (inclusive) to `end` (exclusive).
    pub fn range(&mut self, start: f64, end: f64) -> f64 {
        let unit = (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        start + (end - start) * unit
    }

    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// Returns a random item of a separated list.
    pub fn pick_of(&mut self, text: &'static str, separator: char) -> &'static str {
        let parts: Vec<&str> = text.split(separator).collect();
        self.pick(&parts)
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// Returns a random unit vector.
    pub fn direction(&mut self) -> [f64; 3] {
        loop {
            let v = [0, 1, 2].map(|_| self.range(-1.0, 1.0));
            let length = dot(v, v).sqrt();
            if length > 0.1 && length <= 1.0 {
                return v.map(|x| x / length);
            }
        }
    }

    /// Returns a random unit vector orthogonal to another vector.
    pub fn direction_across(&mut self, other: [f64; 3]) -> [f64; 3] {
        loop {
            let v = cross(other, self.direction());
            let length = dot(v, v).sqrt();
            if length > 0.2 {
                return v.map(|x| x / length);
            }
        }
    }

    /// Returns a quaternion x y z w that rotates by up to `degrees` about a random axis.
    pub fn turn(&mut self, degrees: f64) -> [f64; 4] {
        let [x, y, z] = self.direction();
        let (sin, cos) = (self.range(0.0, degrees).to_radians() / 2.0).sin_cos();
        [x * sin, y * sin, z * sin, cos]
    }
}
