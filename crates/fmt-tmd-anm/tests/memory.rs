//! Reading never allocates memory for declared counts, and allocates little for actual content.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail loudly")]

use allocation_counter::measure;
use fmt_tmd_anm::{CameraDocument, Document, Key, NewFrame, Sequence, ToIr, to_ir};

/// Returns the peak heap size in bytes while running a function.
fn peak<T>(make: impl FnOnce() -> T) -> u64 {
    measure(|| drop(make())).bytes_max
}

#[test]
fn memory_is_bounded_by_the_content() {
    // T05: the header declares 65,535 frames or records, but nothing follows.
    let claims = [0, 0x80, 30, 0, 0xff, 0xff];
    assert!(peak(|| Document::parse(&claims[..])) <= 4 << 10);
    assert!(peak(|| CameraDocument::parse(&claims[..])) <= 4 << 10);

    // T22 and T23: the maximum number of frames, and of keys.
    let empty = vec![NewFrame::default(); 65_531];
    let one = vec![NewFrame::new(vec![Key::default(); 65_530])];
    let many = vec![NewFrame::new(vec![Key::default()]); 32_765];
    for frames in [empty, one, many] {
        let document = Sequence { rate: 30, frames, trailing: Vec::new() }.write().unwrap();
        let bytes = document.to_bytes();
        assert!(bytes.len() > 131_000);
        let parse = || Document::parse(&bytes[..]).unwrap();
        assert!(peak(|| parse().value) <= 4 << 10, "only views and a few diagnostics allocate");
        let most = 40 * bytes.len() as u64;
        assert!(peak(|| to_ir(&parse().value, &ToIr::default())) <= most);
        assert!(peak(|| Sequence::of(&parse().value)) <= most);
    }
}
