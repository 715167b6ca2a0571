//! Axes with ticks at round numbers.

use std::ops::RangeInclusive;

/// Maps values to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

/// A value with a label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

impl Axis {
    /// Creates an axis from pixel `from` to pixel `to`. An empty range of values is widened.
    pub(super) fn new(values: RangeInclusive<f64>, from: f64, to: f64) -> Axis {
        let (low, high) = values.into_inner();
        // A smaller range could not be divided into pixels.
        let least = low.abs().max(high.abs()) * 1e-9;
        if high - low > least {
            return Axis { low, high, from, to };
        }
        let more = (low.abs() * 0.1).max(0.5);
        Axis { low: low - more, high: high + more, from, to }
    }

    /// Returns the axis with a margin at both ends, as a fraction of the range.
    pub(super) fn with_margin(self, share: f64) -> Axis {
        let more = (self.high - self.low) * share;
        Axis { low: self.low - more, high: self.high + more, ..self }
    }

    /// Returns the lowest and the highest value.
    pub(super) const fn range(self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Returns the first and the last pixel.
    pub(super) const fn pixels(self) -> (f64, f64) {
        (self.from, self.to)
    }

    /// Returns the pixel of a value.
    pub(super) fn at(self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Returns the same axis in another unit: `factor` of them are one unit of this axis.
    pub(super) fn in_unit(self, factor: f64) -> Axis {
        Axis { low: self.low * factor, high: self.high * factor, ..self }
    }

    /// Returns up to about `most` ticks at round numbers, no closer than `closest`.
    pub(super) fn ticks(self, most: u8, closest: f64) -> Vec<Tick> {
        let raw = ((self.high - self.low) / f64::from(most.max(1))).max(closest);
        let mut exponent = raw.log10().floor();
        let base = 10_f64.powf(exponent);
        let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * base >= raw * 0.999);
        let factor = factor.unwrap_or(10.0);
        if factor == 10.0 {
            exponent += 1.0;
        }
        let step = factor * base;
        let mut number = (self.low / step).ceil();
        let mut ticks = Vec::new();
        while ticks.len() <= usize::from(most) * 2 {
            let value = number * step;
            // The last tick may miss the end of the range by a rounding error.
            if value > self.high + step * 1e-6 || !value.is_finite() {
                break;
            }
            ticks.push(Tick { value, label: label(value, exponent) });
            number += 1.0;
        }
        ticks
    }
}

/// Returns the label of a multiple of a step with this exponent.
fn label(value: f64, exponent: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.abs() >= 1e7 || exponent < -6.0 {
        let text = format!("{value:.3e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        return format!("{digits}e{power}");
    }
    let decimals = anim_ir::number::count((-exponent).max(0.0));
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, most: u8) -> String {
        let ticks = Axis::new(low..=high, 0.0, 100.0).ticks(most, 0.0);
        ticks.into_iter().map(|tick| tick.label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(0.0, 2.0, 8), "0 0.5 1.0 1.5 2.0");
        assert_eq!(labels(-1.0, 1.0, 4), "-1.0 -0.5 0 0.5 1.0");
        assert_eq!(labels(0.3, 0.7, 4), "0.3 0.4 0.5 0.6 0.7");
        assert_eq!(labels(-30.0, 1000.0, 5), "0 500 1000");
        assert_eq!(labels(0.0, 1e-9, 4), "0 5e-10 1e-9");
        assert_eq!(labels(-3e38, 3e38, 3), "-2e38 0 2e38");
        assert_eq!(labels(5.0, 5.0, 4), "4.5 5.0 5.5");
    }

    #[test]
    fn values_are_mapped_linearly() {
        let axis = Axis::new(-1.0..=3.0, 100.0, 20.0);
        assert_eq!([-1.0, 0.0, 3.0].map(|value| axis.at(value)), [100.0, 80.0, 20.0]);
        assert_eq!(axis.in_unit(24.0).at(0.0), 80.0);
        assert_eq!(axis.with_margin(0.5).range(), (-3.0, 5.0));
        for value in [0.0, 1e30, -7.0] {
            let axis = Axis::new(value..=value, 0.0, 100.0);
            assert!((axis.at(value) - 50.0).abs() < 1e-6, "an empty range is widened");
        }
    }
}
