//! Long lists of numbers, which make up most of a model in text.

use crate::file::number::scan_other_word;
use crate::file::short_number::scan_short;

/// Appends the finite numbers at the start of a text, separated by commas and bytes up to a space.
/// Returns their total length, with the separators around them: less than the length of the text if
/// the word that follows is not a finite number.
///
/// ```
/// let mut numbers = Vec::new();
/// assert_eq!(anim_ir::number_list::scan_f32_list(b" 1 -2.5,3e1 x 4", &mut numbers), 12);
/// assert_eq!(numbers, [1.0, -2.5, 30.0]);
/// ```
pub fn scan_f32_list(text: &[u8], numbers: &mut Vec<f32>) -> usize {
    let mut rest = text;
    loop {
        while let [first, tail @ ..] = rest
            && is_separator(*first)
        {
            rest = tail;
        }
        let Some((value, tail)) = short(rest).or_else(|| scan_other_word(rest, is_separator))
        else {
            return text.len().wrapping_sub(rest.len());
        };
        numbers.push(value);
        rest = tail;
    }
}

/// Parses a short number that a separator follows. Returns it and the text after the separator.
#[inline(always)]
fn short(text: &[u8]) -> Option<(f32, &[u8])> {
    let window = text.first_chunk()?;
    let (value, length) = scan_short(window)?;
    let rest = text.get(length.wrapping_add(1)..)?;
    is_separator(*window.get(length)?).then_some((value, rest))
}

#[inline(always)]
const fn is_separator(byte: u8) -> bool {
    byte <= b' ' || byte == b','
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Words by the standard library.
    fn expected(text: &str) -> (Vec<u32>, usize) {
        let mut numbers = Vec::new();
        let is_blank = |c: char| c <= ' ' || c == ',';
        let mut at = 0;
        for word in text.split(is_blank) {
            let plain = word.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
            match word.parse::<f32>() {
                Ok(number) if plain && number.is_finite() => numbers.push(number.to_bits()),
                _ if word.is_empty() => {}
                _ => return (numbers, at),
            }
            at += word.len() + 1;
        }
        (numbers, text.len())
    }

    fn scanned(text: &str) -> (Vec<u32>, usize) {
        let mut numbers = Vec::new();
        let length = scan_f32_list(text.as_bytes(), &mut numbers);
        (numbers.into_iter().map(f32::to_bits).collect(), length)
    }

    #[test]
    fn words_that_are_not_numbers_end_the_list() {
        let padding = "1 ".repeat(40);
        for word in [
            "x",
            ".",
            "-",
            "+.",
            "1x",
            "1.2.3",
            "1.2345678.9",
            "12345678.1.",
            "--1",
            "1-",
            "1e",
            "nan",
            "1e99",
            "1/2",
            "1:2",
            "\u{e9}",
            "123456789012345x",
            "0x10",
            "\u{7f}1",
        ] {
            let text = format!("{padding}{word} 2 3");
            assert_eq!(scanned(&text), (vec![1_f32.to_bits(); 40], 80), "{word}");
        }
    }

    #[test]
    fn numbers_at_every_offset() {
        for shift in 0..130 {
            let text = format!("{}-12.345678 123456789012345678 5e-1", ",".repeat(shift));
            let numbers = [-12.345_678_f32, 123_456_789_012_345_678.0, 0.5].map(f32::to_bits);
            assert_eq!(scanned(&text), (numbers.to_vec(), text.len()), "{shift}");
        }
    }

    proptest! {
        #[test]
        fn lists_are_read_as_by_the_standard_library(
            words in prop::collection::vec(
                prop_oneof![
                    20 => "[+-]?[0-9]{1,12}\\\\.[0-9]{0,12}",
                    10 => "[+-]?[0-9]{0,3}\\\\.[0-9]{1,7}",
                    10 => "[+-]?[0-9]{1,20}",
                    5 => any::<f32>().prop_map(|number| number.to_string()),
                    5 => any::<f32>().prop_map(|number| format!("{number:e}")),
                    1 => "[-+.e0-9x]{0,6}",
                ],
                0..60,
            ),
            separators in prop::collection::vec("[ ,\\n\\t]{1,3}", 60),
        ) {
            let text: String =
                words.iter().zip(&separators).flat_map(|(word, blank)| [&**word, blank]).collect();
            let (numbers, length) = expected(&text);
            prop_assert_eq!(scanned(&text), (numbers, length.min(text.len())), "{:?}", text);
        }
    }
}
