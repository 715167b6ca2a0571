//! Writing text as XML.

use super::cursor::is_character;

/// Appends text that is to stand between tags (XML 1.0, section 2.4). Characters that XML cannot
/// represent ([`is_character`]) become U+FFFD.
///
/// ```
/// use anim_ir::xml::{push_attribute, push_text};
///
/// let mut xml = String::new();
/// push_text("a < \"b\"", &mut xml);
/// push_attribute(" & 'c'\n", &mut xml);
/// assert_eq!(xml, "a &lt; \"b\" &amp; &apos;c&apos;&#10;");
/// ```
pub fn push_text(text: &str, out: &mut String) {
    text.chars().for_each(|c| push(c, out));
}

/// Appends text that is to stand in an attribute value, within quotes of either kind (XML 1.0,
/// section 2.3). Line breaks and tabs become character references, since XML parsers convert them
/// to spaces.
pub fn push_attribute(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\t' => out.push_str("&#9;"),
            '\n' => out.push_str("&#10;"),
            c => push(c, out),
        }
    }
}

fn push(c: char, out: &mut String) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        // XML parsers would convert it to a line feed.
        '\r' => out.push_str("&#13;"),
        c if is_character(c) => out.push(c),
        _ => out.push(char::REPLACEMENT_CHARACTER),
    }
}
