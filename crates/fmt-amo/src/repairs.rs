//! Fixes that normalise weights and quaternions and sort keys in the file, as conversion to a scene
//! does.

use std::collections::HashMap;

use anim_ir::number::{narrow, parse_f32, shortest};
use anim_ir::{Fix, Span, sort_by};

use crate::lines::{RawKey, RawKind, is_keyword};
use crate::tokens::{line_at, spans, words};

/// Whether a span's line ends with a line break. A number at the end of a file may be truncated.
pub(crate) fn ends_in_line(source: &[u8], span: Span) -> bool {
    source.get(span.end..).is_some_and(|rest| rest.iter().any(|byte| matches!(byte, b'\n' | b'\r')))
}

/// Returns a fix that divides four numbers by `divisor`. The spelling of zeros and everything
/// between the numbers are preserved.
pub(crate) fn divide_four(source: &[u8], span: Span, divisor: f64) -> Option<Fix> {
    let text = std::str::from_utf8(source.get(span.start..span.end)?).ok()?;
    let tokens: Vec<_> = spans(text.as_bytes()).collect();
    if tokens.len() != 4 {
        return None;
    }
    let (mut replacement, mut at) = (String::new(), 0);
    for token in tokens {
        let spelling = text.get(token.clone())?;
        let value = parse_f32(spelling.as_bytes()).ok()?;
        replacement.push_str(text.get(at..token.start)?);
        replacement.push_str(&if value == 0.0 {
            spelling.to_owned()
        } else {
            shortest(narrow(f64::from(value) / divisor))
        });
        at = token.end;
    }
    Some(Fix { span, replacement })
}

/// Returns a fix that sorts the keys of an animation by time, if each line has its own time. Keys
/// are exchanged only with keys of the same joint and type. Returns `None` if the keys are already
/// sorted, a line cannot be moved, or there is a line with an unknown keyword between them, which
/// may be meant to begin another animation.
pub(crate) fn sort_keys(source: &[u8], keys: &[RawKey]) -> Option<Fix> {
    let mut groups: HashMap<(bool, u32), Vec<usize>> = HashMap::new();
    for (index, key) in keys.iter().enumerate() {
        let whole = match key.kind {
            RawKind::Position => key.count == 5,
            RawKind::Rotation => key.count == 6,
            RawKind::Group | RawKind::Row => false,
        };
        if whole {
            let [_, joint, ..] = key.numbers;
            groups.entry((key.kind == RawKind::Rotation, joint.to_bits())).or_default().push(index);
        }
    }
    // The new key for each position.
    let mut order: Vec<usize> = (0..keys.len()).collect();
    let time = |index: usize| keys.get(index).map_or(0.0, |key| key.numbers[0]);
    for places in groups.into_values() {
        let mut sorted = places.clone();
        // Keys at the same time keep their order, and 0 and -0 are equal.
        sort_by(&mut sorted, |a, b| {
            time(*a).partial_cmp(&time(*b)).unwrap_or(std::cmp::Ordering::Equal)
        });
        for (place, key) in places.into_iter().zip(sorted) {
            *order.get_mut(place)? = key;
        }
    }
    let first = order.iter().enumerate().position(|(place, key)| place != *key)?;
    let last = order.iter().enumerate().rposition(|(place, key)| place != *key)?;
    let line = |index: usize| {
        let start = keys.get(index)?.line as usize;
        let end = line_at(source, start).end;
        Some(Span::new(start, end))
    };
    let mut replacement = Vec::new();
    let mut at = line(first)?.start;
    let start = at;
    for place in first..=last {
        let (old, new) = (line(place)?, line(*order.get(place)?)?);
        let text = source.get(new.start..new.end)?;
        // A trailing backslash would join the line with the line that follows it.
        if text.ends_with(b"\\") {
            return None;
        }
        if has_unknown_keyword(source, Span::new(at, old.start)) {
            return None;
        }
        replacement.extend_from_slice(source.get(at..old.start)?);
        replacement.extend_from_slice(text);
        at = old.end;
    }
    Some(Fix { span: Span::new(start, at), replacement: String::from_utf8(replacement).ok()? })
}

fn has_unknown_keyword(source: &[u8], part: Span) -> bool {
    let mut at = part.start;
    while at < part.end {
        let line = line_at(source, at);
        let first = words(source, Span::new(at, line.end)).next();
        let word = first.and_then(|word| source.get(word.start..word.end));
        if word.is_some_and(|word| !is_keyword(word)) {
            return true;
        }
        at = line.next;
    }
    false
}

#[cfg(test)]
mod tests {
    use anim_ir::fix;

    use crate::{Document, codes};

    /// Returns the repaired file.
    fn repaired(text: &str) -> String {
        let parsed = Document::parse(text.as_bytes()).unwrap();
        let chosen = fix::choose(&parsed.diagnostics);
        assert!(!chosen.is_empty(), "{text}");
        String::from_utf8(fix::apply(
            text.as_bytes(),
            chosen.iter().filter_map(|diagnostic| diagnostic.fix.as_ref()),
        ))
        .unwrap()
    }

    const HEAD: &str = "ao x\nv 0 0 0\nj a -1\nj b -1\na clip\n";

    #[test]
    fn keys_swap_places_with_keys_of_the_same_joint() {
        let text = format!(
            "{HEAD}ap 2 1 2 0 0 # two\n# a comment\n  ar 0 1 0 0 0 1\nap 5 2 0 0 0\r\nap 0 1 0 0 \
             0\n\nap 1 1 1 0 0\nap 0 2 0 0 0"
        );
        let sorted = format!(
            "{HEAD}ap 0 1 0 0 0\n# a comment\n  ar 0 1 0 0 0 1\nap 0 2 0 0 0\r\nap 1 1 1 0 \
             0\n\nap 2 1 2 0 0 # two\nap 5 2 0 0 0"
        );
        assert_eq!(repaired(&text), sorted);
        assert_eq!(
            Document::parse(sorted.as_bytes()).unwrap().diagnostics.count(&codes::KEY_ORDER),
            0
        );
    }

    #[test]
    fn keys_at_the_same_time_keep_their_order() {
        let text = format!("{HEAD}ap 1 1 1 0 0\nap 0 1 2 0 0\nap 1 1 3 0 0\nap -0 1 4 0 0\n");
        assert_eq!(
            repaired(&text),
            format!("{HEAD}ap 0 1 2 0 0\nap -0 1 4 0 0\nap 1 1 1 0 0\nap 1 1 3 0 0\n")
        );
    }

    #[test]
    fn a_line_that_would_swallow_another_is_not_moved() {
        let text = format!("{HEAD}ap 1 1 1 0 0\nap 0 1 2 0 0 # c\\");
        let parsed = Document::parse(text.as_bytes()).unwrap();
        let order =
            parsed.diagnostics.iter().find(|found| found.code.id == codes::KEY_ORDER.id).unwrap();
        assert_eq!(order.fix, None);
    }

    /// The line may be meant to begin another animation.
    #[test]
    fn keys_are_not_moved_across_an_unknown_keyword() {
        for line in ["Anim two", "A: two", "A two"] {
            let text = format!("{HEAD}ap 1 1 5 0 0\n{line}\nap 0 1 1 1 1\nap 0.5 1 2 2 2\n");
            let parsed = Document::parse(text.as_bytes()).unwrap();
            let order = parsed.diagnostics.iter().find(|it| it.code.id == codes::KEY_ORDER.id);
            assert_eq!(order.unwrap().fix, None, "{line}");
        }
    }

    #[test]
    fn numbers_are_divided_in_place() {
        // A key with a time identifies the dialect; the other dialects allow any sum.
        let vertices = "ao x\nv 0 0 0\nvj 1 2 0 0\nj a -1\nj b -1\na c\nap 0 1 0 0 0\n";
        assert_eq!(
            repaired(&format!("{vertices}vw 1  3 \t0.0 \\\n 0 # c\n")),
            format!("{vertices}vw 0.25  0.75 \t0.0 \\\n 0 # c\n")
        );
        assert_eq!(
            repaired(&format!("{HEAD}ar 0 1 0 0 3 4\n")),
            format!("{HEAD}ar 0 1 0 0 0.6 0.8\n")
        );
        // In dialects with key groups, w comes first.
        let groups = "ao x\nv 0 0 0\nj a -1\na clip\nk 0\n";
        assert_eq!(
            repaired(&format!("{groups}ar 1 4 0 3 0\n")),
            format!("{groups}ar 1 0.8 0 0.6 0\n")
        );
    }
}
