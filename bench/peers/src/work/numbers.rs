//! Parsers of lists of numbers.

use anim_formats::anim_ir::number_list::scan_f32_list;

use crate::contender::{Work, found, work};

fn numbers(run: impl Fn() -> Vec<f32> + 'static) -> Work {
    work(run, |numbers| {
        let sum = numbers.iter().map(|number| f64::from(number.abs())).sum();
        found([("numbers", numbers.len() as f64), ("sum", sum)])
    })
}

pub fn ours(input: &'static [u8]) -> Work {
    numbers(move || {
        let mut numbers = Vec::new();
        scan_f32_list(input, &mut numbers);
        numbers
    })
}

/// Parses a list with `parse`, which parses the number at the start of a text and returns its
/// length.
fn one_by_one(input: &'static [u8], parse: impl Fn(&[u8]) -> (f32, usize) + 'static) -> Work {
    numbers(move || {
        let (mut numbers, mut rest) = (Vec::new(), input);
        loop {
            while let [b' ' | b'\n', after @ ..] = rest {
                rest = after;
            }
            if rest.is_empty() {
                return numbers;
            }
            let (number, length) = parse(rest);
            numbers.push(number);
            rest = &rest[length..];
        }
    })
}

pub fn fast_float2(input: &'static [u8]) -> Work {
    one_by_one(input, |rest| fast_float2::parse_partial(rest).expect("a number"))
}

pub fn lexical(input: &'static [u8]) -> Work {
    one_by_one(input, |rest| lexical_core::parse_partial(rest).expect("a number"))
}

pub fn std(input: &'static [u8]) -> Work {
    numbers(move || {
        let text = std::str::from_utf8(input).expect("text");
        text.split_ascii_whitespace().map(|word| word.parse().expect("a number")).collect()
    })
}
