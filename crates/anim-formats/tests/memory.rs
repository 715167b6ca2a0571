//! The memory used for reading is at most a few times the size of the input, whatever the file
//! declares.
#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

use allocation_counter::measure;
use anim_formats::amo::Document;
use test_oracle::amo::generate;
use test_oracle::fixtures::scale;

/// Returns the peak heap usage while reading, including the input, as a multiple of its size.
fn peak(text: &[u8]) -> f64 {
    let heap = measure(|| drop(Document::parse(text))).bytes_max;
    #[expect(clippy::cast_precision_loss, reason = "a ratio")]
    let ratio = 1.0 + heap as f64 / text.len() as f64;
    ratio
}

#[test]
fn memory_use_is_at_most_four_times_the_input() {
    let length = scale(1 << 20, 8 << 20);
    for (name, text) in [("amo", generate::large_amo(length)), ("obj", generate::large_obj(length))]
    {
        let ratio = peak(&text);
        assert!(ratio <= 4.0, "{name}: {ratio}");
    }
    // Lines that declare large counts without content, and lines of minimal length.
    let claims = "v 2000000000\n0 0 0\nvj 2000000000\n0 0 0 0\nf 2000000000\nj 2000000000\na \
                  2000000000\nk 0 2000000000\n"
        .repeat(1000);
    assert!(peak(claims.as_bytes()) <= 40.0, "{}", peak(claims.as_bytes()));
    for line in
        ["f 1 1 1\n", "a\n", "k 0\n", "j\n", "o\n", "g x\n", "v\n", "p 1\n", "0\n", "vj\n", "bb\n"]
    {
        let text = format!("ao x\nv 0 0 0\n{}", line.repeat(scale(10_000, 200_000)));
        let ratio = peak(text.as_bytes());
        // A two-byte line becomes a statement, or a joint with a name. The memory is a large
        // multiple of the input, but the factor does not depend on the number of lines.
        assert!(ratio <= 300.0, "{line}: {ratio}");
    }
}
