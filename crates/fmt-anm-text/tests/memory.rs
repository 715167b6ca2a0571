//! Memory use while reading is bounded by a multiple of the file size.
#![allow(clippy::unwrap_used, reason = "tests fail loudly")]

use allocation_counter::measure;
use fmt_anm_text::Document;
use test_oracle::anm_text::generate;

/// Returns the peak heap usage in bytes while reading a file.
fn peak(bytes: &[u8]) -> u64 {
    measure(|| assert!(Document::parse(bytes).is_ok())).bytes_max
}

#[test]
fn reading_takes_at_most_eight_times_the_file_size() {
    let many = |what: &str| what.repeat(300_000).into_bytes();
    let in_set = |what: &str| format!("as a\nbl a\n{}", what.repeat(300_000)).into_bytes();
    let named = |what: &str| {
        (0..300_000).map(|number| what.replace('N', &number.to_string())).collect::<String>()
    };
    let files = [
        ("large", generate::large(4_000_000)),
        ("sets", many("as a\n")),
        ("sets with distinct names", named("as N\n").into_bytes()),
        ("bones", in_set("bl a\n")),
        ("events", in_set("ev 0 a\n")),
        ("animations", in_set("an 0 0 a\n")),
        (
            "animations with distinct names",
            format!("as a\nbl a\n{}", named("an 0 0 N\n")).into_bytes(),
        ),
        ("small sets", many("as a\nbl a\nev 0 a\nan 0 0 a\n")),
        ("errors", in_set("ev\n")),
        ("comments", in_set("#\n")),
    ];
    for (what, bytes) in files {
        #[expect(clippy::cast_precision_loss, reason = "the ratio is only used in a message")]
        let times = peak(&bytes) as f64 / bytes.len() as f64;
        println!("{what}: {times:.2}");
        assert!(times <= 8.0, "{what}: {times:.2} times the file size");
    }
}
