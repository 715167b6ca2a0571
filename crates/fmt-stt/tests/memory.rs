//! Reading allocates no memory for items that a file declares but does not contain, and little for
//! those that it contains.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail loudly")]

use allocation_counter::measure;
use fmt_stt::Document;
use test_oracle::stt::generate;

/// Returns the peak heap size in bytes while a file is read.
fn peak(bytes: &[u8]) -> u64 {
    measure(|| assert!(Document::parse(bytes).is_ok())).bytes_max
}

fn file(states: &str) -> Vec<u8> {
    format!("#MINDRENDER 1.1 4000000000 {states}").into_bytes()
}

#[test]
fn at_most_eight_times_the_file_size() {
    // Row S04: billions of missing states, nodes or keys.
    for claims in ["", "{a} SINGLE 4294967295", "{a} KEYFRAME 4294967295 1 {b}"] {
        assert!(peak(&file(claims)) <= 16 << 10, "{claims}");
    }
    let many = |what: &str, count: usize| file(&what.repeat(count));
    let nodes =
        |node: &str, count: usize| file(&format!("{{a}}SINGLE {count} {}", node.repeat(count)));
    let named: String = (0..100_000).map(|number| format!("{{{number}}}SINGLE 0")).collect();
    let files = [
        ("published", generate::large(4_000_000, false)),
        ("one line", generate::large(4_000_000, true)),
        ("states", generate::states(300_000)),
        ("shortest states", many("{}SINGLE 0", 300_000)),
        ("shortest states with distinct names", file(&named)),
        ("broken states", many("{a}SINGLE 1{", 100_000)),
        ("shortest STATIC nodes", nodes("{}STATIC 0 0 0 0 0 0 0 0 0", 100_000)),
        ("shortest DYNAMIC nodes", nodes(&format!("{{}}DYNAMIC{}", " 0".repeat(27)), 50_000)),
        (
            "shortest keys",
            file(&format!("{{a}}KEYFRAME 300000 1{{}}{}", "0 0 0 0 0{}".repeat(300_000))),
        ),
        ("shortest KEYFRAME states", many("{}KEYFRAME 0 0{}", 200_000)),
    ];
    for (what, bytes) in files {
        #[expect(clippy::cast_precision_loss, reason = "a ratio for a message")]
        let times = peak(&bytes) as f64 / bytes.len() as f64;
        println!("{what}: {times:.2}");
        assert!(times <= 8.0, "{what}: {times:.2} times the file size");
    }
}
