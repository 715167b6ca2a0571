//! Addresses in files.

/// Whether an address says all by itself: it has a scheme, or starts at the top.
fn is_absolute(address: &str) -> bool {
    let scheme = address.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    });
    scheme || address.starts_with(['/', '\\'])
}

/// An address relative to a folder, without `.` and as few `..` as can be.
pub fn resolve(folder: &str, address: &str) -> String {
    let address = address.trim();
    if is_absolute(address) {
        return address.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(address.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            other => parts.push(other),
        }
    }
    parts.join("/")
}

/// The folder part of an address; empty where there is none.
pub fn folder_of(address: &str) -> &str {
    if address.starts_with("data:") {
        ""
    } else {
        address.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_folders() {
        assert_eq!(resolve("a/b", " c/d.wrl "), "a/b/c/d.wrl");
        assert_eq!(
            [("", "./a/../b"), ("x", "../../y"), ("x/y", ".././z")]
                .map(|(folder, address)| resolve(folder, address)),
            ["b", "../y", "x/z"]
        );
        assert_eq!(
            ["http://x/y", "data:,x", "/etc/passwd", "\\\\host", "C:\\x"].map(|a| resolve("f", a)),
            ["http://x/y", "data:,x", "/etc/passwd", "\\\\host", "C:\\x"]
        );
        assert_eq!(
            (folder_of("a/b/c.wrl"), folder_of("c.wrl"), folder_of("data:a/b,c")),
            ("a/b", "", "")
        );
    }
}
