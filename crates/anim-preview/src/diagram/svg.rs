//! Writes SVG.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anim_ir::diag::escape;
use anim_ir::xml::{push_attribute, push_text};
use anim_ir::{Budget, LimitError, Limits, Scene};

/// The font size of each class of text, in pixels. `STYLE` has the same sizes.
const SIZES: [(&str, f64); 3] = [("h", 15.0), ("s", 10.0), ("s m", 10.0)];
/// The size of all other text.
const SIZE: f64 = 12.0;
/// The fraction of its width that bold type adds to a heading.
const BOLD: f64 = 1.08;

/// Colours for a light and a dark background: class, property, light, dark.
const COLORS: [(&str, &str, &str, &str); 28] = [
    (".bg", "fill", "#ffffff", "#0d1117"),
    ("text", "fill", "#1f2328", "#e6edf3"),
    ("text.m", "fill", "#59636e", "#9198a1"),
    (".f", "stroke", "#d1d9e0", "#3d444d"),
    (".g", "stroke", "#e8ecf0", "#262c36"),
    (".a", "stroke", "#818b98", "#656c76"),
    (".c0", "stroke", "#cf222e", "#ff7b72"),
    (".c1", "stroke", "#1a7f37", "#3fb950"),
    (".c2", "stroke", "#0969da", "#58a6ff"),
    (".c3", "stroke", "#6e7781", "#9198a1"),
    (".c4", "stroke", "#9a6700", "#d29922"),
    (".c5", "stroke", "#8250df", "#bc8cff"),
    (".c6", "stroke", "#bf3989", "#f778ba"),
    (".c7", "stroke", "#1b7c83", "#39c5cf"),
    (".bar", "fill", "#c8e1ff", "#1f3a5f"),
    (".bar", "stroke", "#54aeff", "#388bfd"),
    (".keys", "fill", "#818b98", "#9198a1"),
    (".keys", "stroke", "#818b98", "#9198a1"),
    (".event", "fill", "#bc4c00", "#f0883e"),
    (".event", "stroke", "#bc4c00", "#f0883e"),
    (".box", "fill", "#f6f8fa", "#151b23"),
    (".box", "stroke", "#818b98", "#656c76"),
    (".key", "fill", "#ddf4ff", "#12304f"),
    (".key", "stroke", "#0969da", "#58a6ff"),
    (".start", "stroke", "#1f2328", "#e6edf3"),
    (".way", "stroke", "#1f2328", "#e6edf3"),
    (".head", "fill", "#1f2328", "#e6edf3"),
    (".plays", "stroke", "#8c959f", "#7d8590"),
];

/// Everything about the look but colours.
const STYLE: &str = "text{font-family:sans-serif;font-size:12px}text.h{font-size:15px;\
                     font-weight:bold}text.s{font-size:10px}.f,.g,.a,.bar,.box,.key,.plays,.way,\
                     .event{stroke-width:1}.f,.c,.k,.way,.plays{fill:none}.c{stroke-width:1.5;\
                     stroke-linejoin:round}.k{stroke-linecap:round}.dash{stroke-dasharray:5 4}\
                     .plays{stroke-dasharray:2 3}";

/// The part of a text that its position refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The bytes charged for a byte of SVG: making it takes time, and a viewer many times its size.
const BYTES_PER_BYTE: usize = 4;

/// A rectangle: its upper left corner and its size, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    pub(super) fn right(self) -> f64 {
        self.x + self.width
    }

    pub(super) fn bottom(self) -> f64 {
        self.y + self.height
    }
}

/// A drawing. Its elements are charged to the budget.
pub(super) struct Svg {
    body: String,
    pub(super) budget: Budget,
}

impl Svg {
    /// Creates an empty drawing of a scene.
    pub(super) fn new(scene: &Scene, limits: &Limits) -> Svg {
        Svg { body: String::new(), budget: Budget::for_scene(limits, scene) }
    }

    fn push(&mut self, element: &str) -> Result<(), LimitError> {
        let bytes = element.len().saturating_mul(BYTES_PER_BYTE);
        self.budget.charge("the elements of the diagram", bytes)?;
        self.body.push_str(element);
        Ok(())
    }

    /// Draws a straight line.
    pub(super) fn line(
        &mut self,
        class: &str,
        from: (f64, f64),
        to: (f64, f64),
    ) -> Result<(), LimitError> {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(number);
        self.push(&format!(
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>\n"
        ))
    }

    /// Draws a rectangle with rounded corners. A title that is not empty is shown when the pointer
    /// is on it.
    pub(super) fn rectangle(
        &mut self,
        class: &str,
        area: Area,
        radius: f64,
        title: &str,
    ) -> Result<(), LimitError> {
        let [x, y, width, height] = [area.x, area.y, area.width, area.height].map(number);
        let radius = number(radius);
        let mut element = format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             rx=\"{radius}\""
        );
        close(&mut element, "rect", title);
        self.push(&element)
    }

    /// Draws a path. A title that is not empty is shown when the pointer is on it.
    pub(super) fn path(&mut self, class: &str, path: &Path, title: &str) -> Result<(), LimitError> {
        let mut element = format!("<path class=\"{class}\" d=\"{}\"", path.0);
        close(&mut element, "path", title);
        self.push(&element)
    }

    /// Draws dots of a diameter, all in one element.
    pub(super) fn dots(
        &mut self,
        class: &str,
        diameter: f64,
        path: &Path,
    ) -> Result<(), LimitError> {
        let diameter = number(diameter);
        self.push(&format!(
            "<path class=\"{class}\" stroke-width=\"{diameter}\" d=\"{}\"/>\n",
            path.0
        ))
    }

    /// Writes text, shortened to a width in pixels. What is left out is shown when the pointer is
    /// on it.
    pub(super) fn text(
        &mut self,
        class: &str,
        anchor: Anchor,
        (x, y): (f64, f64),
        text: &str,
        width: f64,
    ) -> Result<(), LimitError> {
        let text = escape(text);
        let shown = shortened(&text, class, width);
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let mut element = format!("<text{class}{anchor} x=\"{}\" y=\"{}\">", number(x), number(y));
        if shown.len() < text.len() {
            element.push_str("<title>");
            push_text(&text, &mut element);
            element.push_str("</title>");
        }
        push_text(&shown, &mut element);
        element.push_str("</text>\n");
        self.push(&element)
    }

    /// Opens a group with attributes that say what it shows.
    pub(super) fn open(&mut self, attributes: &[(&str, &str)]) -> Result<(), LimitError> {
        let mut element = "<g".to_owned();
        for (name, value) in attributes {
            let _ = write!(element, " data-{name}=\"");
            push_attribute(&escape(value), &mut element);
            element.push('"');
        }
        element.push_str(">\n");
        self.push(&element)
    }

    /// Returns the current position in the drawing order, for [`Svg::move_to_back`].
    pub(super) const fn mark(&self) -> usize {
        self.body.len()
    }

    /// Moves the elements drawn since `start` to the back: below those drawn since `mark`.
    pub(super) fn move_to_back(&mut self, mark: usize, start: usize) {
        let moved = self.body.split_off(start.min(self.body.len()));
        self.body.insert_str(mark.min(self.body.len()), &moved);
    }

    /// Closes the last group.
    pub(super) fn close(&mut self) -> Result<(), LimitError> {
        self.push("</g>\n")
    }

    /// Returns the text of the file.
    pub(super) fn finish(self, width: f64, height: f64, title: &str) -> String {
        let (width, height) = (number(width), number(height));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>"
        );
        push_text(&escape(title), &mut out);
        out.push_str("</title>\n<style>");
        out.push_str(STYLE);
        for (class, property, light, _) in COLORS {
            let _ = write!(out, "{class}{{{property}:{light}}}");
        }
        out.push_str("@media(prefers-color-scheme:dark){");
        for (class, property, _, dark) in COLORS {
            let _ = write!(out, "{class}{{{property}:{dark}}}");
        }
        out.push_str("}</style>\n<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n");
        out.push_str(&self.body);
        out.push_str("</svg>\n");
        out
    }
}

/// Closes an element, with a title if there is one.
fn close(element: &mut String, name: &str, title: &str) {
    if title.is_empty() {
        element.push_str("/>\n");
    } else {
        element.push_str("><title>");
        push_text(&escape(title), element);
        let _ = writeln!(element, "</title></{name}>");
    }
}

/// The data of a path.
#[derive(Clone, Debug, Default)]
pub(super) struct Path(String);

impl Path {
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Moves to a point, without a line.
    pub(super) fn start(&mut self, x: f64, y: f64) {
        let _ = write!(self.0, "M{} {}", number(x), number(y));
    }

    /// Draws a line to a point.
    pub(super) fn line(&mut self, x: f64, y: f64) {
        let _ = write!(self.0, "L{} {}", number(x), number(y));
    }

    /// Draws a vertical line in each of these pixel columns. Adjacent lines become one rectangle,
    /// so dense marks take no more space than sparse ones.
    pub(super) fn marks(&mut self, columns: BTreeSet<usize>, top: f64, height: f64) {
        let (top, height) = (number(top), number(height));
        let mut columns = columns.into_iter().peekable();
        while let Some(first) = columns.next() {
            let mut last = first;
            while let Some(next) = columns.next_if(|next| *next == last.saturating_add(1)) {
                last = next;
            }
            let _ = if first == last {
                write!(self.0, "M{first} {top}v{height}")
            } else {
                write!(self.0, "M{first} {top}H{last}v{height}H{first}z")
            };
        }
    }

    /// Draws a cubic curve to a point.
    pub(super) fn curve(&mut self, a: (f64, f64), b: (f64, f64), to: (f64, f64)) {
        let [ax, ay, bx, by, x, y] = [a.0, a.1, b.0, b.1, to.0, to.1].map(number);
        let _ = write!(self.0, "C{ax} {ay} {bx} {by} {x} {y}");
    }

    /// Adds a point that is drawn as a dot if the line has round caps.
    pub(super) fn dot(&mut self, x: f64, y: f64) {
        self.start(x, y);
        self.0.push_str("h0");
    }
}

/// Returns a coordinate to a hundredth of a pixel. Coordinates that a viewer could not represent
/// are moved into its range.
pub(super) fn number(value: f64) -> String {
    const MOST: f64 = 1e7;
    let value = if value.is_finite() { value.clamp(-MOST, MOST) } else { 0.0 };
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Estimates the width of a text in pixels.
pub(super) fn text_width(text: &str, class: &str) -> f64 {
    let size = SIZES.iter().find(|(name, _)| *name == class).map_or(SIZE, |(_, size)| *size);
    let bold = if class == "h" { BOLD } else { 1.0 };
    text.chars().map(letter_width).sum::<f64>() * size * bold
}

/// Estimates the width of a character, as a fraction of the font size.
fn letter_width(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' => 0.27,
        ' ' | '.' | ',' | ':' | ';' | '!' | 'f' | 't' | 'r' | 'I' | '/' | '(' | ')' | '[' | ']' => {
            0.36
        }
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.92,
        'A'..='Z' => 0.72,
        '\0'..='\u{10ff}' => 0.6,
        _ => 1.0,
    }
}

/// Returns the start of a text that fits into a width, followed by an ellipsis if it is not all.
fn shortened(text: &str, class: &str, width: f64) -> String {
    if text_width(text, class) <= width {
        return text.to_owned();
    }
    let left = width - text_width("…", class);
    let mut taken = 0.0;
    let fits = |c: &char| {
        taken += text_width(c.encode_utf8(&mut [0; 4]), class);
        taken <= left
    };
    let mut shown: String = text.chars().take_while(fits).collect();
    shown.push('…');
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short_and_finite() {
        let values = [0.0, -0.001, 1.5, 2.0 / 3.0, 100.0, f64::NAN, f64::INFINITY, -1e300];
        let texts = values.map(number).join(" ");
        assert_eq!(texts, "0 0 1.5 0.67 100 0 0 -10000000");
    }

    #[test]
    fn marks_next_to_each_other_are_one_rectangle() {
        let mut path = Path::default();
        path.marks(BTreeSet::from([3, 7, 8, 9, 11]), 1.5, 4.0);
        assert_eq!(path.0, "M3 1.5v4M7 1.5H9v4H7zM11 1.5v4");
    }

    #[test]
    fn long_text_is_shortened_and_kept_in_the_title() {
        let mut svg = Svg::new(&Scene::default(), &Limits::default());
        svg.text("", Anchor::Start, (1.0, 2.0), &"ab".repeat(5000), 60.0).unwrap();
        svg.text("m", Anchor::End, (1.0, 2.0), "a<\u{1b}\u{ffff}", 600.0).unwrap();
        let text = svg.finish(10.0, 20.0, "&");
        let document = roxmltree::Document::parse(&text).unwrap();
        let mut texts = document.descendants().filter(|node| node.has_tag_name("text"));
        let first = texts.next().unwrap();
        assert_eq!(first.first_element_child().unwrap().text(), Some(&*"ab".repeat(5000)));
        assert_eq!(first.last_child().unwrap().text(), Some("ababab…"));
        assert_eq!(texts.next().unwrap().text(), Some("a<\\u{1b}\u{fffd}"));
    }
}
