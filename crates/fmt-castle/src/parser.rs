//! Parses text into animations and diagnostics.

mod frames;
mod reporter;
mod values;

use std::collections::HashMap;

use anim_ir::diag::{escape, quote};
use anim_ir::encoding::starts_with_mark;
use anim_ir::source::{Lines, locate};
use anim_ir::text::Text;
use anim_ir::{Diagnostics, Limits, ParseError, Span};
use roxmltree::{Document, Node, ParsingOptions};

use crate::codes;
use crate::content::{Animation, EPSILON, Parts, UNNAMED};
use crate::envelope::Envelope;
use crate::tags::{attribute, attributes, tags};
use reporter::{Reporter, name};

const ANIMATION_ATTRIBUTES: [&str; 5] =
    ["name", "scenes_per_time", "equality_epsilon", "loop", "backwards"];

/// Parses a file into its content and diagnostics.
pub(crate) fn parse(text: &Text<'_>, limits: &Limits) -> Result<(Parts, Diagnostics), ParseError> {
    let broken = |span: Span, problem: String| {
        let place = locate(text.as_str().as_bytes(), span.start);
        ParseError::structure(text.source_span(span), problem).at(place)
    };
    let envelope =
        Envelope::of(text.as_str()).map_err(|error| broken(error.span, error.message))?;
    // A DOCTYPE with declarations has already been rejected.
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let tree = Document::parse_with_options(&envelope.text, options).map_err(|error| {
        let at = offset(&envelope.text, error.pos());
        // The message quotes the offending character.
        broken(envelope.span(at..at), escape(&error.to_string()))
    })?;
    let root = tree.root_element();
    let diagnostics = Diagnostics::within(limits);
    let lines = Lines::new(text.as_str().as_bytes());
    let reporter = Reporter { text, lines: &lines, envelope: &envelope, diagnostics };
    let tag = reporter.tag(root);
    // Take the name from the text, since the tree strips its prefix.
    let name = tags(&envelope.text).next().and_then(Result::ok).map_or("", |tag| tag.name);
    if !matches!(name, "animations" | "animation") {
        let root = quote(name.as_bytes());
        let message = format!("the root element is {root}, not `animations` or `animation`");
        return Err(ParseError::format(text.source_span(tag), message));
    }
    let mut parser = Parser { reporter, parts: Parts::default(), names: HashMap::new() };
    let reporter = &mut parser.reporter;
    for repair in &envelope.repairs {
        if repair.replacement.is_empty() {
            reporter.report_fix(&codes::BOM, repair.span, "", || starts_with_mark(repair.span.end));
            continue;
        }
        let bare = reporter.slice(repair.span);
        reporter.report_fix(&codes::NAME_ESCAPE, repair.span, repair.replacement.as_str(), || {
            format!("unescaped `{bare}` in the name of an animation")
        });
    }
    if let Some(namespace) = root.tag_name().namespace() {
        reporter.report(&codes::NAMESPACE, tag, || {
            format!("the root element is in the namespace {}", quote(namespace.as_bytes()))
        });
    }
    match name {
        "animation" => parser.animation(root),
        _ => parser.animations(root),
    }
    parser.namespaces(&tree);
    let Parser { reporter: Reporter { mut diagnostics, .. }, parts, .. } = parser;
    diagnostics.sort_by_place();
    Ok((parts, diagnostics))
}

struct Parser<'a> {
    reporter: Reporter<'a>,
    parts: Parts,
    /// The names in use, with their offsets.
    names: HashMap<String, usize>,
}

impl Parser<'_> {
    fn animations(&mut self, root: Node<'_, '_>) {
        for attribute in root.attributes() {
            self.reporter.unknown(attribute, "animations", None);
        }
        let mut any = false;
        for element in root.children().filter(Node::is_element) {
            if element.tag_name().name() == "animation" {
                any = true;
                self.animation(element);
            } else {
                self.reporter.foreign(element, "animations");
            }
        }
        if !any {
            self.reporter.report(&codes::NO_ANIMATION, self.reporter.tag(root), || {
                "the file has no animations".to_owned()
            });
        }
    }

    fn animation(&mut self, element: Node<'_, '_>) {
        let (mut animation, name_span) = self.attributes(element);
        let reporter = &mut self.reporter;
        let mut any = false;
        for child in element.children().filter(Node::is_element) {
            if child.tag_name().name() != "frame" {
                reporter.foreign(child, "animation");
                continue;
            }
            any = true;
            let frame = reporter.frame(child, animation.frames.last());
            animation.frames.extend(frame);
        }
        let tag = reporter.tag(element);
        if !any {
            reporter.report(&codes::NO_FRAME, tag, || {
                format!("the animation {} has no frames", quote(animation.name.as_bytes()))
            });
        }
        self.judge(&animation, name_span, tag);
        if !animation.frames.is_empty() {
            self.parts.animations.push(animation);
        }
    }

    /// Reads an animation without its frames. Also returns the span of its name, or of its tag if
    /// it has no name.
    fn attributes(&mut self, element: Node<'_, '_>) -> (Animation, Span) {
        let reporter = &mut self.reporter;
        let mut animation = Animation {
            name: UNNAMED.to_owned(),
            scenes_per_time: 30,
            equality_epsilon: EPSILON,
            loops: false,
            backwards: false,
            frames: Vec::new(),
            span: reporter.span(element),
        };
        let mut name_span = reporter.tag(element);
        for attribute in element.attributes() {
            match name(attribute) {
                Some("name") => {
                    attribute.value().clone_into(&mut animation.name);
                    name_span = reporter.value(attribute);
                }
                Some("scenes_per_time") => {
                    animation.scenes_per_time =
                        reporter.scenes_per_time(attribute).unwrap_or(animation.scenes_per_time)
                }
                Some("equality_epsilon") => {
                    animation.equality_epsilon =
                        reporter.epsilon(attribute).unwrap_or(animation.equality_epsilon)
                }
                Some("loop") => animation.loops = reporter.boolean(attribute),
                Some("backwards") => animation.backwards = reporter.boolean(attribute),
                // Old files contain this attribute. It has no effect.
                Some("optimization") => {}
                _ => {
                    let fix = reporter.small_letters(element, attribute, &ANIMATION_ATTRIBUTES);
                    reporter.refused(reporter.qname(attribute), fix);
                }
            }
        }
        // The engine treats a namespace declaration as an attribute, but the tree does not.
        if element.namespaces().len() > 0 {
            for (name, at) in attributes(reporter.text.as_str(), animation.span.start) {
                if name.starts_with("xmlns") {
                    reporter.refused(at.name, None);
                }
            }
        }
        (animation, name_span)
    }

    /// Checks an animation as a whole.
    fn judge(&mut self, animation: &Animation, name: Span, tag: Span) {
        if animation.name.is_empty() {
            self.reporter
                .report(&codes::NAME_EMPTY, name, || "the animation has an empty name".to_owned());
        }
        match self.names.get(&animation.name).copied() {
            Some(first) => {
                let lines = self.reporter.lines;
                let message = || {
                    let line = lines.number(first);
                    let name = quote(animation.name.as_bytes());
                    format!("the name {name} is already used by the animation on line {line}")
                };
                self.reporter.report(&codes::NAME_DUPLICATE, name, message);
            }
            None => drop(self.names.insert(animation.name.clone(), animation.span.start)),
        }
        let Some(first) = animation.frames.first() else { return };
        if first.time < 0.0 {
            let time = attribute(self.reporter.text.as_str(), first.span.start, "time");
            let span = time.map_or(tag, |time| time.value);
            self.reporter.report(&codes::TIME_NEGATIVE, span, || {
                format!("the animation starts at {}, before time 0", first.time)
            });
        }
        if animation.frames.iter().all(|frame| frame.bounding_box.is_none()) {
            let message = || {
                format!(
                    "no frame of {} has a bounding box, so nothing collides with it in Castle Game \
                     Engine",
                    quote(animation.name.as_bytes())
                )
            };
            self.reporter.report(&codes::NO_BOUNDING_BOX, tag, message);
        }
    }

    /// Collects the namespaces that are declared outside the frames' content and in scope inside
    /// it.
    fn namespaces(&mut self, tree: &Document<'_>) {
        // An element inherits the namespaces of its parent and adds its own.
        let declares = |node: &Node<'_, '_>| {
            node.namespaces().len() > node.parent().map_or(0, |parent| parent.namespaces().len())
        };
        for node in tree.descendants().filter(|node| node.is_element() && declares(node)) {
            for namespace in node.namespaces() {
                let prefix = namespace.name().unwrap_or_default();
                let known = &mut self.parts.namespaces;
                // This search is linear, but the filter above lets only few namespaces through.
                if prefix != "xml" && !known.iter().any(|(other, _)| other == prefix) {
                    known.push((prefix.to_owned(), namespace.uri().to_owned()));
                }
            }
        }
    }
}

/// Converts a line and column (in characters) to a byte offset.
fn offset(text: &str, place: roxmltree::TextPos) -> usize {
    let [row, column] = [place.row, place.col].map(|count| (count as usize).saturating_sub(1));
    let start = text.split_inclusive('\n').take(row).map(str::len).sum();
    let line = text.get(start..).unwrap_or_default();
    start + line.char_indices().nth(column).map_or(line.len(), |(at, _)| at)
}
