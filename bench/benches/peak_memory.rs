//! Peak memory when parsing 50 MB, as reported by the system: at most four times the input,
//! including the input itself.

fn main() {
    // A counting allocator would need `unsafe`, which this workspace forbids.
    let status = || std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kilobytes = |name: &str| {
        status()
            .lines()
            .find(|line| line.starts_with(name))
            .and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok())
    };
    for (name, text) in [
        ("amo", test_oracle::amo::generate::large_amo(50 << 20)),
        ("obj", test_oracle::amo::generate::large_obj(50 << 20)),
    ] {
        let text = text.into_boxed_slice();
        // Writing 5 to this file resets the peak.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        let before = kilobytes("VmRSS:");
        let parsed = anim_formats::amo::Document::parse(&text[..]);
        let peak = kilobytes("VmHWM:");
        drop(parsed);
        match before.zip(peak) {
            Some((before, peak)) => {
                let used = (peak.saturating_sub(before)) * 1024 + text.len() as u64;
                println!(
                    "peak_memory/{name}: {:.2} times the input of {} MB, including the input",
                    used as f64 / text.len() as f64,
                    text.len() >> 20
                );
            }
            None => println!("peak_memory/{name}: not available on this system"),
        }
    }
}
