//! Memory use while reading is bounded by a multiple of the file size.
#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

use allocation_counter::measure;
use fmt_bvh::Document;
use test_oracle::bvh::generate;

/// Returns the peak heap usage in bytes while reading a file.
fn peak(bytes: &[u8]) -> u64 {
    measure(|| assert!(Document::parse(bytes).is_ok())).bytes_max
}

/// While a vector grows, both its old and new allocations count.
#[test]
fn reading_takes_at_most_24_times_the_file_size() {
    const ONE: &str = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n";
    let many = |what: &str| format!("HIERARCHY\n{}", what.repeat(30_000)).into_bytes();
    let rows = |frames: &str, what: &str| {
        let rows = what.repeat(50_000);
        format!("{ONE}MOTION\nFrames: {frames}\nFrame Time: 0.1\n{rows}").into_bytes()
    };
    let files = [
        ("large", generate::large(1_000_000)),
        ("joints", many("ROOT a{OFFSET 0 0 0\n}\n")),
        ("bare joints", many("ROOT a{}")),
        ("channels", many("channels 9 xrotation\n")),
        ("rows", rows("50000", "1\n")),
        ("more rows than declared", rows("1", "1\n")),
        ("fewer rows than declared", rows("1000000000000", "1\n")),
        ("two values per row", rows("100000", "1 2\n")),
        ("words", rows("50000", "x1\n")),
        ("text", rows("50000", "x\n")),
    ];
    for (what, bytes) in files {
        #[expect(clippy::cast_precision_loss, reason = "the ratio is only used in a message")]
        let times = peak(&bytes) as f64 / bytes.len() as f64;
        println!("{what}: {times:.2}");
        assert!(times <= 24.0, "{what}: {times:.2} times the file size");
    }
    let claims = format!("{ONE}MOTION\nFrames: 1000000000\nFrame Time: 0.1\n1\n2\n");
    assert!(peak(claims.as_bytes()) < 4096);
}
