//! Builds documents from data: one statement per line, blocks indented with tabs, one line per
//! frame.

use std::fmt::Write as _;

use anim_ir::number::{count, parse_f32, shortest};
use anim_ir::{EditError, Limits};

use crate::channel::ChannelType;
use crate::document::{Document, ParseOptions};
use crate::rate;

/// Maximum indentation. Without a limit, a chain of a million joints would be mostly tabs.
const DEEPEST_INDENT: usize = 32;

/// A joint or end site to write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewJoint {
    /// The name; may be empty for an end site.
    pub name: String,
    /// The index of the parent; `None` for a root.
    pub parent: Option<usize>,
    /// Whether this is an `End Site`.
    pub is_end_site: bool,
    /// The position relative to the parent.
    pub offset: [f32; 3],
    /// Its channels.
    pub channels: Vec<ChannelType>,
}

/// Frames to write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewMotion {
    /// Seconds per frame.
    pub frame_time: f64,
    /// The number of frames.
    pub frames: usize,
    /// One value per channel, frame by frame.
    pub values: Vec<f32>,
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decimals {
    /// This many decimals.
    Fixed(u32),
    /// As many decimals as needed to read back as the same f32.
    Exact,
}

impl Document<'_> {
    /// Builds a document from joints in depth-first order and frames.
    ///
    /// # Errors
    ///
    /// Returns an [`EditError`] if the format cannot store the data: if numbers are not finite,
    /// names contain line breaks or braces, joints are not in depth-first order, or rows have the
    /// wrong length.
    pub fn build(
        joints: &[NewJoint],
        motion: Option<&NewMotion>,
        decimals: Decimals,
    ) -> Result<Document<'static>, EditError> {
        let mut writer = Writer { out: String::new(), depth: 0, decimals };
        writer.hierarchy(joints)?;
        let mut bytes = writer.out.into_bytes();
        if let Some(motion) = motion {
            let width =
                joints.iter().fold(0_usize, |sum, joint| sum.saturating_add(joint.channels.len()));
            push_motion(motion, width, decimals, &mut bytes)?;
        }
        // The parser creates the flat arrays.
        let limits = Limits { input_bytes: usize::MAX, ..Limits::default() };
        let options = ParseOptions::default().with_limits(limits);
        Ok(Document::parse_with(bytes, &options)?.value)
    }
}

/// The text written so far.
struct Writer {
    out: String,
    depth: usize,
    decimals: Decimals,
}

impl Writer {
    fn hierarchy(&mut self, joints: &[NewJoint]) -> Result<(), EditError> {
        self.line(format_args!("HIERARCHY"));
        let mut open: Vec<usize> = Vec::new();
        for (index, joint) in joints.iter().enumerate() {
            while open.last().copied() != joint.parent {
                if open.pop().is_none() {
                    return Err(EditError::refused("the joints are not in depth-first order"));
                }
                self.close();
            }
            open.push(index);
            let name = checked_name(&joint.name, joint.is_end_site)?;
            match (joint.is_end_site, joint.parent) {
                (true, _) if name.is_empty() => self.line(format_args!("End Site")),
                (true, _) => self.line(format_args!("End Site {name}")),
                (false, None) => self.line(format_args!("ROOT {name}")),
                (false, Some(_)) => self.line(format_args!("JOINT {name}")),
            }
            self.line(format_args!("{{"));
            self.depth = self.depth.saturating_add(1);
            let [x, y, z] = joint.offset;
            let offset = [self.number(x)?, self.number(y)?, self.number(z)?];
            self.line(format_args!("OFFSET {}", offset.join(" ")));
            if !joint.is_end_site || !joint.channels.is_empty() {
                let names: Vec<&str> =
                    joint.channels.iter().map(|channel| channel.name()).collect();
                if names.contains(&"") {
                    return Err(EditError::refused("a channel of unknown type cannot be written"));
                }
                let text = format!("CHANNELS {} {}", names.len(), names.join(" "));
                self.line(format_args!("{}", text.trim_end()));
            }
        }
        for _ in open {
            self.close();
        }
        Ok(())
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.line(format_args!("}}"));
    }

    fn number(&self, value: f32) -> Result<String, EditError> {
        let finite = finite(value)?;
        Ok(match self.decimals {
            Decimals::Exact => shortest(finite),
            Decimals::Fixed(decimals) => fixed(finite, decimals),
        })
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        indent(&mut self.out, self.depth);
        // Writing to a String cannot fail.
        let _ = writeln!(self.out, "{line}");
    }
}

/// Appends the section MOTION. Most of a file is its rows, so their numbers are written in place.
fn push_motion(
    motion: &NewMotion,
    width: usize,
    decimals: Decimals,
    out: &mut Vec<u8>,
) -> Result<(), EditError> {
    if motion.frames.checked_mul(width) != Some(motion.values.len()) {
        return Err(EditError::refused("the rows do not have one value per channel"));
    }
    let time = frame_time(motion.frame_time)?;
    let head = format!("MOTION\nFrames: {}\nFrame Time: {time}\n", motion.frames);
    out.extend_from_slice(head.as_bytes());
    if width == 0 {
        return Ok(());
    }
    out.reserve(motion.values.len().saturating_mul(TYPICAL_NUMBER));
    for row in motion.values.chunks_exact(width) {
        for (column, value) in row.iter().enumerate() {
            if column > 0 {
                out.push(b' ');
            }
            let finite = finite(*value)?;
            match decimals {
                Decimals::Exact => out.extend_from_slice(shortest(finite).as_bytes()),
                Decimals::Fixed(decimals) => push_fixed(finite, decimals, out),
            }
        }
        out.push(b'\n');
    }
    Ok(())
}

/// The length of most numbers in rows, in bytes, with the space after them.
const TYPICAL_NUMBER: usize = 10;

/// Writes the indentation of a line.
pub(crate) fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n('\t', depth.min(DEEPEST_INDENT)));
}

fn finite(value: f32) -> Result<f32, EditError> {
    if value.is_finite() { Ok(value) } else { Err(EditError::NotFinite("a number")) }
}

/// Formats a value with the given number of decimals. Negative zero is written as zero.
fn fixed(value: f32, decimals: u32) -> String {
    let mut text = Vec::new();
    push_fixed(value, decimals, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

/// Powers of ten by which the product with an f32 is exact: 24 bits times at most 21, apart from
/// powers of two.
const SCALES: [f64; 10] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/// Appends what [`fixed`] returns.
fn push_fixed(value: f32, decimals: u32, out: &mut Vec<u8>) {
    let places = usize::try_from(decimals).unwrap_or(usize::MAX);
    let scaled = SCALES.get(places).map(|scale| (f64::from(value) * scale).round_ties_even());
    if let Some(scaled) = scaled.filter(|scaled| scaled.abs() < 1e15) {
        if scaled < 0.0 {
            out.push(b'-');
        }
        // At most 15 digits and the point, from the last to the first.
        let mut text = [b'.'; 16];
        let units = if places > 0 { places.saturating_add(1) } else { 0 };
        let (mut rest, mut unwritten) = (count(scaled.abs()), text.len());
        for (place, byte) in text.iter_mut().rev().enumerate() {
            if place.saturating_add(1) == units {
                unwritten = unwritten.saturating_sub(1);
                continue;
            }
            if rest == 0 && place > units {
                break;
            }
            *byte = b'0'.saturating_add(u8::try_from(rest % 10).unwrap_or_default());
            rest /= 10;
            unwritten = unwritten.saturating_sub(1);
        }
        return out.extend_from_slice(text.get(unwritten..).unwrap_or_default());
    }
    let text = format!("{value:.*}", places.min(60));
    let zero = text.strip_prefix('-');
    let zero = zero.filter(|digits| digits.bytes().all(|byte| matches!(byte, b'0' | b'.')));
    out.extend_from_slice(zero.unwrap_or(&text).as_bytes());
}

/// Writes six decimals, or as many as needed if six would lose precision.
pub(crate) fn number(value: f32) -> Result<String, EditError> {
    let six = fixed(finite(value)?, 6);
    Ok(if parse_f32(six.as_bytes()) == Ok(value) { six } else { shortest(value) })
}

/// Writes a frame time with six decimals if they give the same rate, otherwise with as many as
/// needed.
pub(crate) fn frame_time(seconds: f64) -> Result<String, EditError> {
    if !(seconds.is_finite() && seconds > 0.0) {
        return Err(EditError::refused(format!(
            "invalid frame time {seconds}: it must be positive"
        )));
    }
    let six = format!("{seconds:.6}");
    let rounded = six.parse::<f64>().unwrap_or(0.0);
    let is_same =
        rounded > 0.0 && (rate::of_text(six.as_bytes(), rounded) * seconds - 1.0).abs() < 1e-7;
    Ok(if is_same { six } else { seconds.to_string() })
}

/// Checks that a name can be read back.
pub(crate) fn checked_name(text: &str, may_be_empty: bool) -> Result<&str, EditError> {
    let is_cut = text.contains(['{', '}', '\n', '\r', '\0']) || text.trim() != text;
    if is_cut || text.len() > Limits::default().name_bytes || (text.is_empty() && !may_be_empty) {
        let rule = "cannot be written: names must be 1 to 4096 bytes long, without braces, line \
        breaks, NUL, or leading or trailing whitespace";
        return Err(EditError::name(text, rule));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn fixed_numbers_are_those_of_the_standard_library(
            bits: u32, quarters: i16, decimals in 0_u32..12,
        ) {
            // Quarters are often in the middle between two numbers with few decimals.
            for value in [f32::from_bits(bits), f32::from(quarters) * 0.25] {
                prop_assume!(value.is_finite());
                let expected = format!("{value:.*}", decimals as usize);
                let zero = expected.bytes().all(|byte| b"-.0".contains(&byte));
                let expected = if zero { expected.trim_start_matches('-') } else { &*expected };
                prop_assert_eq!(fixed(value, decimals), expected);
            }
        }
    }

    #[test]
    fn numbers_and_frame_times() {
        let text = |value| number(value).unwrap();
        assert_eq!(
            [50.0, -0.5, -1e-9, 0.1].map(text),
            ["50.000000", "-0.500000", "-1e-9", "0.100000"]
        );
        assert_eq!((fixed(-1e-9, 6), fixed(-0.0, 0)), ("0.000000".to_owned(), "0".to_owned()));
        assert!(number(f32::NAN).is_err());
        let time = |rate: f64| frame_time(1.0 / rate).unwrap();
        assert_eq!([30.0, 120.0, 25.0].map(time), ["0.033333", "0.008333", "0.040000"]);
        assert_eq!(time(70.0), "0.014286");
        assert_eq!(time(23.976), "0.04170837504170838");
        assert!(frame_time(0.0).is_err() && frame_time(f64::NAN).is_err());
    }

    #[test]
    fn names_that_cannot_be_written() {
        for text in ["", " a", "a\t", "a{", "}", "a\nb", "a\rb", "\0", &"x".repeat(4097)] {
            assert!(checked_name(text, false).is_err(), "{text:?}");
        }
        assert_eq!(checked_name("mixamorig:Left  Arm", false), Ok("mixamorig:Left  Arm"));
        assert_eq!(checked_name("", true), Ok(""));
    }
}
