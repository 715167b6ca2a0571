//! Readers of STT and ANM text, which no other library reads.

use anim_formats::{anm_text, stt};

use crate::contender::{Work, found, work};

pub fn stt_document(input: &'static [u8]) -> Work {
    work(
        move || stt::Document::parse(input).expect("a valid file").value,
        |document| found([("states", document.states().len() as f64)]),
    )
}

pub fn anm_document(input: &'static [u8]) -> Work {
    work(
        move || anm_text::Document::parse(input).expect("a valid file").value,
        |document| found([("sets", document.sets().len() as f64)]),
    )
}

/// Splits text into words and parses those that are numbers.
fn words(input: &'static [u8], keyword: fn(&str) -> bool, name: &'static str) -> Work {
    let run = move || {
        let text = std::str::from_utf8(input).expect("text");
        let (mut count, mut sum) = (0.0, 0.0);
        for word in text.split_ascii_whitespace() {
            match word.parse::<f32>() {
                Ok(number) => sum += number,
                Err(_) => count += f64::from(keyword(word)),
            }
        }
        (count, sum)
    };
    work(run, move |(count, _)| found([(name, *count)]))
}

pub fn stt_words(input: &'static [u8]) -> Work {
    words(input, |word| word == "SINGLE" || word == "KEYFRAME", "states")
}

pub fn anm_words(input: &'static [u8]) -> Work {
    words(input, |word| word == "as", "sets")
}
