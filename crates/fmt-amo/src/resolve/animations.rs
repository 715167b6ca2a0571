//! Animations: `a` and `an` lines, and the assignment of keys to animations.

use std::collections::HashSet;

use anim_ir::number::{parse_f32, parse_integer};
use anim_ir::{Diagnostic, Span, diag::quote};

use crate::codes;
use crate::content::Animation;
use crate::dialect::Dialect;
use crate::lines::{Keyword, RESTORE, RawKey, RawKind, Statement};
use crate::resolve::Resolver;
use crate::resolve::keys::LastTimes;

/// The values of an `a` or `an` line.
struct Header {
    name: String,
    duration_ms: Option<f32>,
    /// The span of the number of key groups, which only `an` has.
    groups: Option<Span>,
}

impl Resolver<'_> {
    pub(crate) fn animations(&mut self, statements: &[Statement], raw: &[RawKey]) {
        let begins = |statement: &&Statement| match statement.keyword {
            Keyword::CountedAnimation => true,
            Keyword::Animation => self.announced(statement).is_none(),
            _ => false,
        };
        let starts: Vec<&Statement> = statements.iter().filter(begins).collect();
        self.animation_counts(statements);
        let first_key = |start: usize| starts.get(start).map_or(raw.len(), |s| s.keys as usize);
        let keys = |from: usize, to: usize| raw.get(from..to).unwrap_or_default();
        let mut last_times = LastTimes::default();
        let outside = keys(0, first_key(0));
        if let Some(first) = outside.first() {
            let span = self.token(first.line, 0);
            self.diagnostics.report(&codes::KEY_OUTSIDE, || {
                Diagnostic::new(&codes::KEY_OUTSIDE, span, "key before the first animation")
                    .help("begin an animation with a line `a <name>`")
            });
            self.keys(Animation::default(), outside, &mut last_times);
        }
        let mut names = HashSet::new();
        for (number, start) in starts.iter().enumerate() {
            let Header { name, duration_ms, groups } = self.header(start);
            if !names.insert(name.clone()) {
                let (place, name) = (self.all_words(start), quote(name.as_bytes()));
                let message = || format!("duplicate animation name {name}");
                self.diagnostics.push(&codes::DUPLICATE_CLIP, place, message);
            }
            let animation = Animation {
                name,
                duration_ms: duration_ms.filter(|duration| *duration >= 0.0),
                span: Some(start.line()),
                ..Animation::default()
            };
            let own = keys(first_key(number), first_key(number + 1));
            self.keys(animation, own, &mut last_times);
            if let Some(announced) = groups.filter(|_| self.content.dialect.groups_keys()) {
                self.group_count(announced, own, number + 1 == starts.len());
            }
        }
    }

    /// The number of animations that `a N` declares in a counted file.
    fn announced(&self, statement: &Statement) -> Option<i64> {
        let mut words = self.words(statement);
        let (only, more) = (words.next()?, words.next());
        let announces = self.content.dialect == Dialect::Counted && more.is_none();
        parse_integer(self.bytes(only)).ok().filter(|_| announces)
    }

    fn animation_counts(&mut self, statements: &[Statement]) {
        let mut counts: Vec<(Span, i64, i64)> = Vec::new();
        let mut open = false;
        for statement in statements {
            match (statement.keyword, counts.last_mut()) {
                (Keyword::Animation, _) => {
                    let announced = self.announced(statement);
                    open = announced.is_some();
                    counts.extend(announced.map(|count| (statement.line(), count, 0)));
                }
                (Keyword::CountedAnimation, Some((_, _, found))) if open => *found += 1,
                _ => {}
            }
        }
        let last = counts.len().saturating_sub(1);
        for (number, (span, announced, found)) in counts.into_iter().enumerate() {
            if number == last && found < announced {
                self.missing_animations(announced, found);
            } else if announced != found {
                self.diagnostics.push(&codes::BLOCK_COUNT, span, || {
                    let (noun, verb) =
                        (animations(announced), if found == 1 { "follows" } else { "follow" });
                    format!("`a` declares {announced} {noun}, but {found} {verb}")
                });
            }
        }
    }

    /// Reports a file that ends before all declared animations were read.
    fn missing_animations(&mut self, announced: i64, found: i64) {
        // This has already been reported: the file ends in the middle of the last animation.
        if self.diagnostics.count(&codes::TRUNCATED) > 0 {
            return;
        }
        let end = self.source.trim_ascii_end().len();
        self.diagnostics.report(&codes::TRUNCATED, || {
            let message = format!(
                "the file looks cut off: `a` declares {announced} {}, but the file ends after \
                 {found}",
                animations(announced)
            );
            Diagnostic::new(&codes::TRUNCATED, Span::new(end, end), message).help(RESTORE)
        });
    }

    /// Compares the number of key groups that `an` declares with the groups that follow.
    fn group_count(&mut self, announced: Span, keys: &[RawKey], is_last: bool) {
        let found = keys.iter().filter(|key| key.kind == RawKind::Group).count();
        let Ok(count) = parse_integer(self.bytes(announced)) else { return };
        // This has already been reported: the file ends in the middle of the last animation.
        let is_cut_off = is_last && self.diagnostics.count(&codes::TRUNCATED) > 0;
        if usize::try_from(count) != Ok(found) && !is_cut_off {
            self.diagnostics.push(&codes::GROUP_COUNT, announced, || {
                let follow = if found == 1 { "follows" } else { "follow" };
                format!("`an` declares {count} key groups, but {found} {follow}")
            });
        }
    }

    fn header(&mut self, statement: &Statement) -> Header {
        if statement.keyword == Keyword::Animation {
            let (name, duration) = self.name_and_integer(statement);
            let duration_ms = duration.and_then(|ms| parse_f32(ms.to_string().as_bytes()).ok());
            return Header { name, duration_ms, groups: None };
        }
        let words: Vec<Span> = self.words(statement).collect();
        let value = |word: &Span| parse_f32(self.bytes(*word)).ok();
        if let [first, middle @ .., duration, keys] = words.as_slice()
            && let (Some(duration), Some(_)) = (value(duration), value(keys))
        {
            let end = middle.last().unwrap_or(first).end;
            let name = self.name(Span::new(first.start, end));
            return Header { name, duration_ms: Some(duration), groups: Some(*keys) };
        }
        let end = self.all_words(statement).end;
        let name = self.name_to_end(statement);
        self.diagnostics.push(&codes::FIELDS, Span::new(end, end), || {
            "`an` needs a name, a duration in milliseconds and the number of key groups".to_owned()
        });
        Header { name, duration_ms: None, groups: None }
    }
}

fn animations(count: i64) -> &'static str {
    if count == 1 { "animation" } else { "animations" }
}
