//! Suggestions for unknown names, and recognition of misspelt keywords.

use strsim::osa_distance;

/// Maximum number of names to compare, since a file may define any number of them.
const MOST_NAMES: usize = 1_000;
/// Maximum length of a compared name in bytes. The cost of a comparison is the product of the two
/// lengths.
const LONGEST: usize = 64;

/// Suggests a known name that is similar to an unknown one: equal except for case, surrounding
/// whitespace and underscores, or within an edit distance of a third of the name's length (rounded
/// up), but at most 3. Returns the closest match; on a tie, the first.
///
/// ```
/// use anim_ir::nearest_name;
///
/// assert_eq!(nearest_name("Wave", ["walk", "wave"]), Some("wave"));
/// assert_eq!(nearest_name("wvae", ["walk", "wave"]), Some("wave"));
/// assert_eq!(nearest_name("jump", ["walk", "wave"]), None);
/// ```
pub fn nearest_name<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = fold(wrong);
    if folded.is_empty() {
        return None;
    }
    let most = folded.chars().count().div_ceil(3).min(3);
    let distance = |name: &str| {
        let name = fold(name);
        // A difference of more than 12 bytes is more than three characters.
        if name == folded {
            Some(0)
        } else if name.len().max(folded.len()) > LONGEST || name.len().abs_diff(folded.len()) > 12 {
            None
        } else {
            Some(osa_distance(&folded, &name)).filter(|distance| *distance <= most)
        }
    };
    let near = known.into_iter().take(MOST_NAMES).filter(|name| *name != wrong);
    near.filter_map(|name| Some((distance(name)?, name)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Whether a word is a keyword with at most `most` typing errors (edit distance), ignoring case.
/// For repairs; suggestions come from [`nearest_name`].
///
/// ```
/// use anim_ir::is_misspelt;
///
/// assert!(is_misspelt(b"Kyeframe", "KEYFRAME", 1));
/// assert!(!is_misspelt(b"key", "KEYFRAME", 2));
/// ```
pub fn is_misspelt(word: &[u8], keyword: &str, most: usize) -> bool {
    // For ASCII words, the difference in length is a lower bound for the distance.
    if word.len().abs_diff(keyword.len()) > most {
        return false;
    }
    std::str::from_utf8(word).is_ok_and(|word| {
        osa_distance(&word.to_ascii_lowercase(), &keyword.to_ascii_lowercase()) <= most
    })
}

/// Normalises the most common differences: case, surrounding whitespace and underscores.
fn fold(name: &str) -> String {
    name.trim().chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_may_differ_in_a_limited_number_of_letters() {
        let within = |word: &str| [0, 1, 2].map(|most| is_misspelt(word.as_bytes(), "JOINT", most));
        assert_eq!(within("joint"), [true; 3]);
        assert_eq!(within("jonit"), [false, true, true]);
        assert_eq!(within("joins_"), [false, false, true]);
        assert_eq!(within("join_ts_"), [false; 3]);
        assert_eq!(within("jöint"), [false, true, true], "a letter, not its two bytes");
        assert!(!is_misspelt(b"jo\xffnt", "JOINT", 2));
    }

    #[test]
    fn similar_names_are_suggested() {
        let known = ["idle", "walk_fast", "walk", "Ärger"];
        for (wrong, meant) in [
            ("Idle", Some("idle")),
            (" idle ", Some("idle")),
            ("WalkFast", Some("walk_fast")),
            ("wlak", Some("walk")),
            ("wak", Some("walk")),
            ("ÄRGER", Some("Ärger")),
            ("run", None),
            ("", None),
            ("_", None),
        ] {
            assert_eq!(nearest_name(wrong, known), meant, "{wrong}");
        }
        assert_eq!(nearest_name("walk", ["walk"]), None, "an exact match is not a suggestion");
        let long = "x".repeat(100_000);
        assert_eq!(nearest_name(&format!("{long}y"), [long.as_str()]), None);
        assert_eq!(nearest_name(&long.to_uppercase(), [long.as_str()]), Some(long.as_str()));
    }
}
