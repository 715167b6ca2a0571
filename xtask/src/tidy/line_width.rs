//! Limits lines to 100 characters, except those with a URL.

use super::source::Source;

const MOST: usize = 100;

pub(super) fn problems(sources: &[Source]) -> Vec<String> {
    let of = |source: &Source| -> Vec<String> {
        let lines = source.text.lines().enumerate().map(|(at, line)| (at, line.chars().count()));
        let wide = lines.zip(source.text.lines()).filter(|((_, width), line)| {
            *width > MOST && !line.contains("https://") && !line.contains("http://")
        });
        wide.map(|((at, width), _)| {
            format!("{}:{}: {width} characters", source.path, at.saturating_add(1))
        })
        .collect()
    };
    sources.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_count_not_bytes() {
        let lines = ["é".repeat(100), "e".repeat(101), format!("https://{}", "e".repeat(100))];
        let source = Source { path: "a.rs".to_owned(), text: lines.join("\n") };
        assert_eq!(problems(&[source]), ["a.rs:2: 101 characters"]);
    }
}
