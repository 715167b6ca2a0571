//! The joints, times and values of an animation's keys.

use std::collections::HashSet;

use anim_ir::diag::{plural, quote};
use anim_ir::number::{index32, narrow, parse_integer, shortest};
use anim_ir::{Diagnostic, Span};

use crate::codes;
use crate::content::{Animation, Key, KeyValue};
use crate::lines::{RawKey, RawKind};
use crate::repairs;
use crate::resolve::Resolver;

/// A key line as interpreted in a dialect.
struct Reading {
    /// The index of the token with the joint number.
    joint_at: usize,
    time: Option<f32>,
    joint: f32,
    values: [Option<KeyValue>; 2],
}

/// The state of the preceding keys.
struct Before {
    /// The time of the current group.
    group: Option<f32>,
    unsorted: bool,
    /// Keys with the same time as the preceding key of the same joint and type. If the keys are
    /// sorted, these are all the duplicates.
    repeated: Vec<Key>,
}

impl Resolver<'_> {
    /// Adds an animation with its keys.
    pub(crate) fn keys(
        &mut self,
        mut animation: Animation,
        raw: &[RawKey],
        last_times: &mut LastTimes,
    ) {
        let grouped = self.content.dialect.groups_keys();
        let mut before = Before { group: None, unsorted: false, repeated: Vec::new() };
        // The line of the first key before the first group, and the number of such keys.
        let mut outside_groups = None;
        animation.keys.reserve(raw.len());
        last_times.next_animation();
        for key in raw {
            if key.kind == RawKind::Group && grouped {
                if let Some(time) = self.group(key, &animation, before.group) {
                    before.group = Some(time);
                    animation.group_times.push(time);
                }
                continue;
            }
            let Some(reading) = self.reading(key, before.group) else { continue };
            let Some(joint) = self.key_joint(key.line, &reading) else { continue };
            let Some(time) = reading.time else {
                outside_groups.get_or_insert((key.line, 0_usize)).1 += 1;
                continue;
            };
            for value in reading.values.iter().flatten().copied() {
                let new = Key { joint: index32(joint), time, value, line: key.line };
                if !grouped {
                    self.order(new, last_times, &mut before, raw);
                }
                if let KeyValue::Rotation(rotation) = value {
                    self.quaternion(key, rotation, reading.joint_at);
                }
                animation.keys.push(new);
            }
        }
        if let Some((line, count)) = outside_groups {
            self.outside_groups(line, count);
        }
        if before.unsorted || grouped {
            self.duplicates(repeated(&animation));
        } else {
            self.duplicates(before.repeated);
        }
        if !grouped {
            self.first_key(&animation);
        }
        self.content.animations.push(animation);
    }

    /// Returns the time of a `k` line.
    fn group(&mut self, key: &RawKey, animation: &Animation, last: Option<f32>) -> Option<f32> {
        if !(1..=2).contains(&key.count) {
            self.key_fields(key, "`k` needs a time and optionally a number of joints", 2);
            return None;
        }
        let time = key.numbers[0];
        if animation.duration_ms.is_some() && !(0.0..=1.0).contains(&time) {
            let span = self.token(key.line, 1);
            self.diagnostics.push(&codes::PROGRESS, span, || {
                format!("the progress {} is not between 0 and 1", shortest(time))
            });
        } else if time < 0.0 {
            self.negative_time(key.line, time);
        }
        if let Some(last) = last.filter(|last| time < *last) {
            let span = self.token(key.line, 1);
            self.diagnostics.push(&codes::KEY_ORDER, span, || order_message(time, last));
        }
        Some(time)
    }

    /// Interprets the values of a line. Returns `None` if there are too many or too few.
    fn reading(&mut self, key: &RawKey, group: Option<f32>) -> Option<Reading> {
        let grouped = self.content.dialect.groups_keys();
        let [a, b, c, d, e, f, g, h] = key.numbers;
        let (joint_at, time, joint, values) = match (key.kind, grouped, key.count) {
            (RawKind::Position, true, 4) => {
                (1, group, a, [Some(KeyValue::Position([b, c, d])), None])
            }
            (RawKind::Rotation, true, 5) => {
                (1, group, a, [Some(KeyValue::Rotation([c, d, e, b])), None])
            }
            (RawKind::Row, true, _) => (
                0,
                group,
                a,
                [Some(KeyValue::Position([b, c, d])), Some(KeyValue::Rotation([f, g, h, e]))],
            ),
            (RawKind::Position, false, 5) => {
                (2, Some(a), b, [Some(KeyValue::Position([c, d, e])), None])
            }
            (RawKind::Rotation, false, 6) => {
                (2, Some(a), b, [Some(KeyValue::Rotation([c, d, e, f])), None])
            }
            _ => {
                self.no_reading(key, grouped);
                return None;
            }
        };
        Some(Reading { joint_at, time, joint, values })
    }

    fn no_reading(&mut self, key: &RawKey, grouped: bool) {
        let (needs, most) = match (key.kind, grouped) {
            (RawKind::Position, true) => ("`ap` needs a joint and 3 coordinates", 4),
            (RawKind::Rotation, true) => ("`ar` needs a joint and 4 quaternion components", 5),
            (RawKind::Position, false) => ("`ap` needs a time, a joint and 3 coordinates", 5),
            (RawKind::Rotation, false) => {
                ("`ar` needs a time, a joint and 4 quaternion components", 6)
            }
            // The caller requested a dialect without groups.
            (RawKind::Group | RawKind::Row, _) => {
                let span = self.token(key.line, 0);
                return self
                    .diagnostics
                    .push(&codes::KEYWORD, span, || "this dialect has no key groups".to_owned());
            }
        };
        self.key_fields(key, needs, most);
    }

    fn key_fields(&mut self, key: &RawKey, needs: &str, most: usize) {
        let count = usize::from(key.count);
        let span = self.token(key.line, if count > most { most + 1 } else { usize::MAX });
        let message = || format!("{needs}, found {}", plural(count, "value"));
        self.diagnostics.push(&codes::FIELDS, span, message);
    }

    fn key_joint(&mut self, line: u32, reading: &Reading) -> Option<usize> {
        let Reading { joint_at: at, joint: number, .. } = *reading;
        let first = self.content.dialect.first_joint_of_keys();
        // Small integers are exact as f32; any other number is parsed again from the text.
        let small = number.trunc().total_cmp(&number).is_eq() && number.abs() < 16_777_216.0;
        let joint = if small {
            Some(small_integer(number))
        } else {
            parse_integer(self.bytes(self.token(line, at))).ok()
        };
        let Some(joint) = joint else {
            let span = self.token(line, at);
            let text = self.bytes(span);
            let message = || format!("{} is not a joint number", quote(text));
            self.diagnostics.push(&codes::INTEGER, span, message);
            return None;
        };
        let Ok(index) = usize::try_from(joint - first) else {
            let span = self.token(line, at);
            let message = || format!("invalid joint {joint}: joints are numbered from {first}");
            self.diagnostics.push(&codes::JOINT_NUMBER, span, message);
            return None;
        };
        self.joint_index(index, joint, |this| this.token(line, at))
    }

    fn negative_time(&mut self, line: u32, time: f32) {
        let span = self.token(line, 1);
        self.diagnostics
            .push(&codes::KEY_NEGATIVE, span, || format!("negative key time {}", shortest(time)));
    }

    /// Compares the time of a key with the preceding key of the same joint and type.
    fn order(&mut self, key: Key, last: &mut LastTimes, before: &mut Before, raw: &[RawKey]) {
        let time = key.time;
        if time < 0.0 {
            self.negative_time(key.line, time);
        }
        let last = last.replace(&key);
        if last > time {
            let (span, source) = (self.token(key.line, 1), self.source);
            let message = || Diagnostic::new(&codes::KEY_ORDER, span, order_message(time, last));
            if before.unsorted {
                self.diagnostics.report(&codes::KEY_ORDER, message);
            } else {
                // The first diagnostic of an animation includes the fix for all its keys.
                self.diagnostics.report_fix(&codes::KEY_ORDER, || Diagnostic {
                    fix: repairs::sort_keys(source, raw),
                    ..message()
                });
            }
            before.unsorted = true;
        } else if last.total_cmp(&time).is_eq() {
            before.repeated.push(key);
        }
    }

    fn quaternion(&mut self, key: &RawKey, rotation: [f32; 4], joint_at: usize) {
        let square: f64 = rotation.iter().map(|c| f64::from(*c) * f64::from(*c)).sum();
        if (0.4899..=1.02).contains(&square) {
            return;
        }
        let first = if key.kind == RawKind::Row { 4 } else { joint_at + 1 };
        let (from, to) = (self.token(key.line, first), self.token(key.line, first + 3));
        let span = Span::new(from.start, to.end);
        if square == 0.0 {
            self.diagnostics.push(&codes::QUATERNION_ZERO, span, || {
                "a zero-length quaternion is read as the identity".to_owned()
            });
            return;
        }
        let (source, length) = (self.source, square.sqrt());
        self.diagnostics.report_fix(&codes::QUATERNION_LENGTH, || {
            let rounded = shortest(narrow((length * 1e4).round() / 1e4));
            let message = format!("the quaternion has length {rounded}, not 1");
            let diagnostic = Diagnostic::new(&codes::QUATERNION_LENGTH, span, message);
            let is_whole = repairs::ends_in_line(source, span);
            let fix = is_whole.then(|| repairs::divide_four(source, span, length)).flatten();
            Diagnostic { fix, ..diagnostic }
        });
    }

    /// Reports an animation's keys before its first `k` line together, since only one line is
    /// missing.
    fn outside_groups(&mut self, line: u32, count: usize) {
        let span = self.token(line, 0);
        self.diagnostics.push(&codes::KEY_WITHOUT_GROUP, span, || match count {
            1 => "key before the first `k` of the animation".to_owned(),
            _ => format!("{count} keys before the first `k` of the animation"),
        });
    }

    /// Reports duplicate keys of the same joint and type. Duplicates at the same time are reported
    /// together, since every joint is duplicated if two groups have the same time.
    fn duplicates(&mut self, keys: Vec<Key>) {
        let is_of_one_time = |a: &Key, b: &Key| a.time.total_cmp(&b.time).is_eq();
        for same in keys.chunk_by(is_of_one_time) {
            if let Some((first, more)) = same.split_first() {
                self.duplicate(*first, more.len());
            }
        }
    }

    fn duplicate(&mut self, key: Key, more: usize) {
        if self.diagnostics.is_full(&codes::KEY_DUPLICATE) {
            self.diagnostics.push(&codes::KEY_DUPLICATE, None, String::new);
            return;
        }
        let grouped = self.content.dialect.groups_keys();
        let span = self.token(key.line, usize::from(!grouped));
        let (name, time) = (self.joint_name(key.joint as usize), shortest(key.time));
        self.diagnostics.push(&codes::KEY_DUPLICATE, span, || {
            let more =
                if more > 0 { format!(" (and {more} more at this time)") } else { String::new() };
            format!("duplicate key for joint {name} at time {time}; the last one is used{more}")
        });
    }

    /// Reports an animation without a key at time 0, which the specification requires.
    fn first_key(&mut self, animation: &Animation) {
        let earliest = animation.keys.iter().min_by(|a, b| a.time.total_cmp(&b.time));
        let Some(key) = earliest.filter(|key| key.time > 0.0) else { return };
        let span = self.token(key.line, 1);
        self.diagnostics.report(&codes::FIRST_KEY, || {
            let (name, time) = (quote(animation.name.as_bytes()), shortest(key.time));
            let message =
                format!("the animation {name} has no key at time 0; the first is at {time}");
            Diagnostic::new(&codes::FIRST_KEY, span, message)
                .help("before the time of the first key, the value of that key is used")
        });
    }
}

/// Returns the keys with the same joint, type and time as an earlier key.
fn repeated(animation: &Animation) -> Vec<Key> {
    let mut seen = HashSet::with_capacity(animation.keys.len());
    let mut is_known = |key: &Key| !seen.insert((key.joint, key.is_rotation(), key.time.to_bits()));
    animation.keys.iter().copied().filter(|key| is_known(key)).collect()
}

/// Converts an integral f32 below 2^24 to an integer.
#[expect(clippy::cast_possible_truncation, reason = "the caller ensures that the value is exact")]
const fn small_integer(number: f32) -> i64 {
    number as i64
}

fn order_message(time: f32, last: f32) -> String {
    format!("keys out of order: {} after {}", shortest(time), shortest(last))
}

/// The time of the last key in the current animation, per joint and key type.
#[derive(Default)]
pub(crate) struct LastTimes {
    times: Vec<(u32, f32)>,
    animation: u32,
}

impl LastTimes {
    fn next_animation(&mut self) {
        self.animation += 1;
    }

    /// Returns the last time, or negative infinity for the first key, and replaces it with the
    /// key's time.
    fn replace(&mut self, key: &Key) -> f32 {
        let at = key.joint as usize * 2 + usize::from(key.is_rotation());
        if at >= self.times.len() {
            self.times.resize(at + 1, (0, 0.0));
        }
        let Some(slot) = self.times.get_mut(at) else { return f32::NEG_INFINITY };
        let (animation, last) = std::mem::replace(slot, (self.animation, key.time));
        if animation == self.animation { last } else { f32::NEG_INFINITY }
    }
}
