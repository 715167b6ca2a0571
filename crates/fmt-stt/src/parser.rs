//! Parses tokens into content in one pass. After an error, reading continues at the next state.

mod words;

use anim_ir::diag::{plural, quote};
use anim_ir::encoding::{is_latin1, refuse_wide, text_start};
use anim_ir::number::index32;
use anim_ir::source::{Lines, Place, locate};
use anim_ir::{Diagnostics, Limits, ParseError, Span};

use crate::codes;
use crate::content::{
    Content, KeyData, NodeData, NodeKind, Run, SequenceData, StateData, StateKind, UNDEFINED,
    with_braces,
};
use crate::motion::{Channel, ChannelType, Part, SequenceType};
use crate::references::{self, Unread};
use crate::state_names::Names;
use crate::tokens;
use words::{Parser, Stop};

pub(crate) const HEADER: &[u8] = b"#MINDRENDER";

/// The shortest state: `{}SINGLE 0`.
const SHORTEST_STATE: usize = 10;
/// Lists up to this length are searched linearly for duplicate names.
const FEW: usize = 16;

/// Parses a file and reports any problems.
pub(crate) fn parse(source: &[u8], limits: &Limits) -> Result<(Content, Diagnostics), ParseError> {
    limits.check_input(source.len())?;
    refuse_wide(source)?;
    let text = source.trim_ascii_end();
    let rest = text.get(text_start(text)..).unwrap_or_default();
    let diagnostics = Diagnostics::within(limits);
    let mut parser = Parser {
        source: text,
        lines: Lines::new(text),
        rest,
        limits,
        content: Content::default(),
        diagnostics,
        unread: Unread::default(),
        names: Names::default(),
        unique: Run::default(),
    };
    parser.content.latin1 = is_latin1(text, &codes::BOM, &codes::ENCODING, &mut parser.diagnostics);
    let states = parser.header()?;
    parser.states(states);
    let Parser { mut content, mut diagnostics, unread, names, .. } = parser;
    references::resolve(text, &mut content, names, &unread, &mut diagnostics);
    diagnostics.sort_by_place();
    diagnostics.withhold_fixes(&codes::TRUNCATED);
    diagnostics.withhold_fixes(&codes::UNCLOSED);
    Ok((content, diagnostics))
}

impl<'a> Parser<'a> {
    /// Reads `#MINDRENDER`, the version, and the state count.
    fn header(&mut self) -> Result<u32, ParseError> {
        let word = tokens::word(&mut self.rest);
        let at = self.span_before(word);
        if word != Ok(HEADER) {
            return Err(self.refusal(at, "#MINDRENDER"));
        }
        let word = tokens::word(&mut self.rest);
        let at = self.span_before(word);
        let version = word.map_err(|_| self.refusal(at, "the version"))?;
        self.content.version = Place::new(at.start, at.len());
        self.check_version(version, at);
        let before = self.rest;
        let word = tokens::word(&mut self.rest);
        let at = self.span_before(word);
        let count =
            tokens::integer(&mut { before }).ok().and_then(|count| u32::try_from(count).ok());
        let count = count
            .ok_or_else(|| self.refusal(at, "the number of states, a non-negative integer"))?;
        self.content.count = Place::new(at.start, at.len());
        if count == 0 {
            self.push(&codes::EMPTY, at, |_| "the file has 0 states".to_owned());
        }
        Ok(count)
    }

    fn refusal(&self, at: Span, expected: &'static str) -> ParseError {
        let message = format!("expected {expected}, found {}", self.found(at));
        ParseError::format(at, message).at(locate(self.source, at.start))
    }

    fn check_version(&mut self, version: &[u8], at: Span) {
        let minor = version
            .strip_prefix(b"1.")
            .filter(|minor| !minor.is_empty() && minor.iter().all(u8::is_ascii_digit));
        let code = match minor {
            Some(b"1") => return,
            Some(_) => &codes::VERSION_MINOR,
            None => &codes::VERSION,
        };
        self.push(code, at, |_| format!("version {}, expected `1.1`", quote(version)));
    }

    fn states(&mut self, count: u32) {
        let room = self.rest.len() / SHORTEST_STATE;
        self.content.states.reserve_exact(room.min(count as usize));
        // After skipping ahead to another state, the number of states read is unknown.
        let mut counting = true;
        loop {
            tokens::skip_blanks(&mut self.rest);
            if counting && self.content.states_met == count {
                return self.check_end(count);
            }
            if self.rest.is_empty() {
                if counting {
                    self.unread.has_any = true;
                    let end = Span::new(self.source.len(), self.source.len());
                    let next = u64::from(self.content.states_met).saturating_add(1);
                    self.push(&codes::COUNT, end, |_| {
                        format!("expected state {next} of {count}, found the end of the file")
                    });
                }
                return;
            }
            let start = self.offset(self.rest.len());
            let index = index32(self.content.states.len());
            self.content.states_met = self.content.states_met.saturating_add(1);
            if let Err(Stop { resume }) = self.state() {
                counting = false;
                let is_over = !self.recover(resume);
                if is_over {
                    self.rest = &[];
                }
                // Some states are dropped entirely.
                if self.content.states.len() > index as usize {
                    let next = self.offset(self.rest.len());
                    let text = self.source.get(..next).unwrap_or_default().trim_ascii_end();
                    let unread = Place::new(resume, text.len().saturating_sub(resume));
                    self.content.broken.push((index, unread));
                }
                // Include the name of the next state, since an unclosed name runs into it.
                let end = if is_over { self.source.len() } else { self.token(self.rest.len()).end };
                self.unread.spans.push(Span::new(start, end));
            }
        }
    }

    fn check_end(&mut self, count: u32) {
        if self.rest.is_empty() {
            return;
        }
        let at = self.token(self.rest.len());
        self.push(&codes::TRAILING, at, |parser| {
            format!("{} after state {count} of {count}", parser.found(at))
        });
    }

    /// Skips to the next name followed by SINGLE or KEYFRAME. Returns whether there is one.
    fn recover(&mut self, from: usize) -> bool {
        self.rest = self.source.get(from..).unwrap_or_default();
        while let Some(at) = memchr::memchr(b'{', self.rest) {
            let start = self.rest.get(at..).unwrap_or_default();
            self.rest = start;
            if tokens::name(&mut self.rest).is_err() {
                return false;
            }
            if matches!(tokens::word(&mut { self.rest }), Ok(b"SINGLE" | b"KEYFRAME")) {
                self.rest = start;
                return true;
            }
        }
        false
    }

    fn state(&mut self) -> Result<(), Stop> {
        let name = self.name(|parser| parser.more("the name of a state in braces"));
        self.unread.has_any |= name.is_err();
        let name = name?;
        let word = tokens::word(&mut self.rest);
        let keyword = self.keyword(word, ["SINGLE", "KEYFRAME"], |parser| {
            let more = matches!(word, Ok(b"STATIC" | b"DYNAMIC"));
            if more { parser.more("SINGLE or KEYFRAME") } else { "SINGLE or KEYFRAME".to_owned() }
        })?;
        if keyword == "SINGLE" { self.single(name) } else { self.keyframe(name) }
    }

    /// Describes the token expected after a state, with the state's declared count. If something
    /// else follows, the state may have more nodes or keys than declared.
    fn more(&self, expected: &str) -> String {
        let Some(StateData { name, kind }) = self.content.states.last() else {
            return expected.to_owned();
        };
        let (count, what) = match kind {
            StateKind::Single(nodes) => (nodes.count, "node"),
            StateKind::Keyframe(_) => {
                (self.content.sequences.last().map_or(0, |sequence| sequence.keys.count), "key")
            }
        };
        let (count, name) = (plural(count as usize, what), quote(name.of(self.source)));
        format!("{expected} (state {name} has {count})")
    }

    fn single(&mut self, name: Place) -> Result<(), Stop> {
        let count = self.count("node", name)?;
        let first = self.content.nodes.len();
        let result = (0..count).try_for_each(|index| self.node(index, count, name));
        let nodes = Run {
            first: index32(first),
            count: index32(self.content.nodes.len().saturating_sub(first)),
        };
        self.push_state(name, StateKind::Single(nodes));
        self.check_nodes(nodes);
        result
    }

    /// Reads the node or key count of a state.
    fn count(&mut self, what: &str, state: Place) -> Result<u32, Stop> {
        let expected = |parser: &Parser<'_>| {
            format!(
                "the number of {what}s of state {}, a non-negative integer",
                quote(state.of(parser.source))
            )
        };
        let before = self.rest;
        let word = tokens::word(&mut self.rest);
        let count =
            tokens::integer(&mut { before }).ok().and_then(|count| u32::try_from(count).ok());
        let Some(count) = count else {
            return Err(self.wrong_word(word, &codes::COUNT_RANGE, expected));
        };
        if count == 0 {
            let at = self.span_before(word);
            self.push(&codes::EMPTY, at, |parser| {
                format!("state {} has 0 {what}s", quote(state.of(parser.source)))
            });
        }
        Ok(count)
    }

    fn node(&mut self, index: u32, count: u32, state: Place) -> Result<(), Stop> {
        let item = |parser: &Parser<'_>| {
            format!(
                "node {} of {count} of state {}",
                u64::from(index).saturating_add(1),
                quote(state.of(parser.source))
            )
        };
        let (name, is_static) = match self.plain_node() {
            Some(node) => node,
            None => self.any_node(item)?,
        };
        let kind = if is_static {
            let [a, b, c, d, e, f, g, h, i] = self.numbers(|index| {
                format!("number {} of 9 ({})", index + 1, place_in_static(index))
            })?;
            self.content.vectors.push([[a, b, c], [d, e, f], [g, h, i]]);
            NodeKind::Static(index32(self.content.vectors.len() - 1))
        } else {
            let [displacement, translation, orientation] = Part::ALL;
            let channels = [
                self.channel(displacement)?,
                self.channel(translation)?,
                self.channel(orientation)?,
            ];
            self.content.channels.push(channels);
            NodeKind::Dynamic(index32(self.content.channels.len() - 1))
        };
        self.content.nodes.push(NodeData { name, kind });
        Ok(())
    }

    /// Reads the name and the keyword of a node, if there is nothing to report about them. Returns
    /// whether the keyword is STATIC.
    #[inline(always)]
    fn plain_node(&mut self) -> Option<(Place, bool)> {
        let mut rest = self.rest;
        let name = tokens::plain_name(&mut rest, self.limits.name_bytes)?;
        let end = self.offset(rest.len());
        let is_static = tokens::this_word(&mut rest, b"STATIC");
        if !is_static && !tokens::this_word(&mut rest, b"DYNAMIC") {
            return None;
        }
        self.rest = rest;
        // The name is before the brace.
        Some((Place::new(end.wrapping_sub(name.len()).wrapping_sub(1), name.len()), is_static))
    }

    /// Reads the name and the keyword of any node, like [`Parser::plain_node`].
    #[inline(never)]
    fn any_node(&mut self, item: impl Fn(&Parser<'_>) -> String) -> Result<(Place, bool), Stop> {
        tokens::skip_blanks(&mut self.rest);
        let before = self.rest;
        let name = tokens::name(&mut self.rest);
        let next_state =
            name.is_ok() && matches!(tokens::word(&mut { self.rest }), Ok(b"SINGLE" | b"KEYFRAME"));
        if before.is_empty() || next_state {
            return Err(self.missing(before, item));
        }
        let name =
            self.checked_name(name, |parser| format!("the name of {} in braces", item(parser)))?;
        let word = tokens::word(&mut self.rest);
        let expected = |_: &Parser<'_>| "STATIC or DYNAMIC".to_owned();
        let keyword = self.keyword(word, ["STATIC", "DYNAMIC"], expected)?;
        Ok((name, keyword == "STATIC"))
    }

    fn channel(&mut self, part: Part) -> Result<Channel, Stop> {
        let before = self.rest;
        let [a, b, c, d, e, f, period, offset] = self.numbers(|index| {
            format!(
                "the {} of the {}",
                CHANNEL_NUMBERS.get(index).unwrap_or(&"number"),
                part.name()
            )
        })?;
        let (rest, number) = self.integer(|_| {
            format!("the animation type of the {}, an integer from 0 to 9", part.name())
        })?;
        let kind = ChannelType::from(number);
        if let ChannelType::Other(_) = kind {
            let span = self.token(rest);
            self.push(&codes::CHANNEL_TYPE, span, |parser| {
                format!(
                    "the animation type of the {} is {}; it must be 0 to 9",
                    part.name(),
                    parser.found(span)
                )
            });
        }
        if kind.needs_period() && period <= 0.0 {
            let span = self.word_behind(before, 6);
            self.push(&codes::PERIOD, span, |parser| {
                format!(
                    "the period of the {} is {}; animation type {number} requires a \
                     period greater than 0",
                    part.name(),
                    parser.found(span)
                )
            });
        }
        Ok(Channel { start: [a, b, c], end: [d, e, f], period, offset, kind })
    }

    /// Reports nodes with duplicate names.
    fn check_nodes(&mut self, run: Run) {
        let source = self.source;
        let nodes = run.of(&self.content.nodes);
        // The states of a file usually have the same nodes in the same order.
        let unique = self.unique.of(&self.content.nodes);
        let same = |(node, other): (&NodeData, &NodeData)| is_same(source, node.name, other.name);
        if nodes.len() <= unique.len() && nodes.iter().zip(unique).all(same) {
            return;
        }
        let mut is_unique = true;
        let (diagnostics, lines) = (&mut self.diagnostics, &self.lines);
        let mut report = |first: Place, second: Place| {
            is_unique = false;
            node_twice(diagnostics, lines, first, second);
        };
        if nodes.len() <= FEW {
            for (index, node) in nodes.iter().enumerate() {
                let mut before = nodes.iter().take(index);
                if let Some(first) = before.find(|other| is_same(source, other.name, node.name)) {
                    report(first.name, node.name);
                }
            }
        } else {
            let mut seen = std::collections::HashMap::with_capacity(nodes.len());
            for (index, node) in nodes.iter().enumerate() {
                let first: usize = *seen.entry(node.name.of(source)).or_insert(index);
                if let Some(first) = nodes.get(first).filter(|_| first != index) {
                    report(first.name, node.name);
                }
            }
        }
        if is_unique {
            self.unique = run;
        }
    }

    fn keyframe(&mut self, name: Place) -> Result<(), Stop> {
        let count = self.count("key", name)?;
        let (rest, number) = self.integer(|parser| {
            format!(
                "the animation type of state {}, an integer from 0 to 5",
                quote(name.of(parser.source))
            )
        })?;
        let kind = SequenceType::from(number);
        if let SequenceType::Other(_) = kind {
            let span = self.token(rest);
            self.push(&codes::SEQUENCE_TYPE, span, |parser| {
                format!(
                    "the animation type of state {} is {}; it must be 0 to 5",
                    quote(name.of(parser.source)),
                    parser.found(span)
                )
            });
        }
        let start_name = self.name(|_| "the name of the starting key in braces".to_owned())?;
        let first = self.content.keys.len();
        let result = (0..count).try_for_each(|index| self.key(index, count, name));
        let keys = Run {
            first: index32(first),
            count: index32(self.content.keys.len().saturating_sub(first)),
        };
        let start_of = |key: &KeyData| key.name.of(self.source) == start_name.of(self.source);
        let start = keys.of(&self.content.keys).iter().position(start_of);
        let start = start.map_or(UNDEFINED, index32);
        self.push_state(name, StateKind::Keyframe(index32(self.content.sequences.len())));
        self.content.sequences.push(SequenceData { kind, start_name, start, keys });
        result
    }

    fn push_state(&mut self, name: Place, kind: StateKind) {
        self.content.states.push(StateData { name, kind });
        self.names.add(name.of(self.source), kind);
    }

    fn key(&mut self, index: u32, count: u32, state: Place) -> Result<(), Stop> {
        tokens::skip_blanks(&mut self.rest);
        if matches!(self.rest, [] | [b'{', ..]) {
            return Err(self.missing(self.rest, |parser| {
                format!(
                    "key {} of {count} of state {}",
                    u64::from(index).saturating_add(1),
                    quote(state.of(parser.source))
                )
            }));
        }
        let exit = self.flag("exit flag")?;
        let forward_seconds = self.seconds("forward time")?;
        let backward_seconds = self.seconds("backward time")?;
        let forward_morph = self.flag("forward flag")?;
        let backward_morph = self.flag("backward flag")?;
        let name = self.name(|_| "the name of a state in braces".to_owned())?;
        let state = self.names.guess(self.source, &self.content.states, name.of(self.source));
        let closes_circle = false;
        let key = KeyData {
            name,
            state,
            exit,
            closes_circle,
            forward_morph,
            backward_morph,
            forward_seconds,
            backward_seconds,
        };
        self.content.keys.push(key);
        Ok(())
    }

    fn flag(&mut self, what: &str) -> Result<bool, Stop> {
        let (rest, number) = self.integer(|_| format!("the {what}, 0 or 1"))?;
        if !matches!(number, 0 | 1) {
            let span = self.token(rest);
            self.push(&codes::FLAG, span, |parser| {
                format!("the {what} is {}; it must be 0 or 1", parser.found(span))
            });
        }
        Ok(number != 0)
    }

    fn seconds(&mut self, what: &str) -> Result<f32, Stop> {
        let before = self.rest;
        let [seconds] = self.numbers(|_| format!("the {what} in seconds"))?;
        if seconds < 0.0 {
            let span = self.word_behind(before, 0);
            self.push(&codes::TIME_NEGATIVE, span, |parser| {
                format!("the {what} is {}; it must not be negative", parser.found(span))
            });
        }
        Ok(seconds)
    }
}

fn is_same(source: &[u8], a: Place, b: Place) -> bool {
    a.length == b.length && a.of(source) == b.of(source)
}

fn node_twice(diagnostics: &mut Diagnostics, lines: &Lines<'_>, first: Place, second: Place) {
    diagnostics.push(&codes::NODE_DUPLICATE, with_braces(second), || {
        let line = lines.number(first.span().start);
        format!(
            "node {} is already defined on line {line}; the last definition is used",
            quote(second.of(lines.source()))
        )
    });
}

const CHANNEL_NUMBERS: [&str; 8] =
    ["start x", "start y", "start z", "end x", "end y", "end z", "period", "offset"];

fn place_in_static(index: usize) -> String {
    let part = Part::ALL.get(index / 3).map_or("", |part| part.name());
    let axis = ["x", "y", "z"].get(index % 3).unwrap_or(&"");
    format!("{part} {axis}")
}
