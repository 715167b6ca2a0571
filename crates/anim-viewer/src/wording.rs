//! How numbers, names and paths are written.

use std::path::Path;

use anim_formats::anim_ir::diag::escape;

/// Escapes a path for display: control characters and invalid UTF-8 are replaced by escapes.
pub fn show_path(path: &Path) -> String {
    let mut out = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        out.push_str(&escape(chunk.valid()));
        out.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    out
}

/// Escapes a name from a file for display. An empty name becomes `(no name)`.
pub fn show_name(name: &str) -> String {
    if name.is_empty() { "(no name)".to_owned() } else { escape(name) }
}

/// Formats a count: `1 joint`, `2 joints`.
pub fn count(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Formats a list of counts: `2 joints, 1 clip`; zero counts are omitted.
pub fn counts<N: TryInto<u64>>(
    parts: impl IntoIterator<Item = (N, &'static str, &'static str)>,
) -> String {
    let parts = parts
        .into_iter()
        .map(|(number, one, many)| (number.try_into().unwrap_or(u64::MAX), one, many));
    let parts: Vec<String> = parts
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, many)| count(number, one, many))
        .collect();
    parts.join(", ")
}

/// Formats a number: `1,234,567`.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && digits.len().saturating_sub(place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats a size: `812 bytes`, `1.2 kB`, `34.5 MB`.
pub fn size(bytes: usize) -> String {
    let tenths = |unit: usize| {
        let rounded = bytes.saturating_add(unit / 20) / (unit / 10);
        format!("{}.{}", rounded / 10, rounded % 10)
    };
    match bytes {
        0..1_000 => count(bytes, "byte", "bytes"),
        1_000..999_950 => format!("{} kB", tenths(1_000)),
        999_950..999_950_000 => format!("{} MB", tenths(1_000_000)),
        _ => format!("{} GB", tenths(1_000_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_digits() {
        assert_eq!(
            [0, 999, 1_000, 123_456, 1_234_567].map(thousands),
            ["0", "999", "1,000", "123,456", "1,234,567"]
        );
    }

    #[test]
    fn sizes() {
        let sizes = [0, 1, 999, 1_000, 999_949, 999_950, 34_549_999, 1_073_741_824].map(size);
        assert_eq!(
            sizes,
            ["0 bytes", "1 byte", "999 bytes", "1.0 kB", "999.9 kB", "1.0 MB", "34.5 MB", "1.1 GB"]
        );
    }

    #[cfg(unix)]
    #[test]
    fn unusual_paths_are_escaped() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(OsStr::from_bytes(b"a\n\x1b[2J\xffz.amo"));
        assert_eq!(show_path(path), r"a\u{a}\u{1b}[2J\xffz.amo");
    }
}
