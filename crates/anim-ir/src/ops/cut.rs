//! Extracts the part of a timeline that a clip covers as a separate timeline.

use crate::file::number::narrow;
use crate::{
    Channel, Clip, Curve, Event, Interpolation, KeyTable, PoseSpace, Quat, Scene, Target, Timeline,
    Track, Transform, Wave,
};

/// Options for extracting a clip from its timeline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cut {
    /// Adds keys at the start and end of the clip where the timeline continues but has no key, to
    /// preserve the motion exactly. Without them, a track starts at its first key in the clip, and
    /// a track without a key in the clip is at rest.
    ///
    /// Cubic rotations cannot be split at an arbitrary time because their values between keys do
    /// not have length 1. The track is then approximated with as many linear segments as necessary.
    pub borders: bool,
    /// Moves the clip's start to time 0.
    pub rebase: bool,
    /// Leaves out the events. Many clips may contain the same ones.
    pub without_events: bool,
}

impl Cut {
    /// Sets [`Cut::borders`].
    #[must_use]
    pub const fn with_borders(mut self, borders: bool) -> Cut {
        self.borders = borders;
        self
    }

    /// Sets [`Cut::rebase`].
    #[must_use]
    pub const fn with_rebase(mut self, rebase: bool) -> Cut {
        self.rebase = rebase;
        self
    }

    /// Leaves out the events.
    #[must_use]
    pub const fn without_events(mut self) -> Cut {
        self.without_events = true;
        self
    }
}

/// Maximum difference between a cubic rotation curve and its approximation with line segments, as a
/// quaternion difference; about 0.002°.
const NEAR: f32 = 1e-5;
/// Minimum number of times that the interval between two keys is halved for the approximation,
/// since a curve may rotate by up to 180° between two neighbouring times.
const HALVED_AT_LEAST: u8 = 4;
const HALVED_AT_MOST: u8 = 12;

/// The position of a track's values in the rows of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) channel: Channel,
    pub(super) start: usize,
    /// Components per value.
    pub(super) width: usize,
}

/// The rows of a table that are in a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rows {
    first: usize,
    end: usize,
    /// Whether a track could differ at the start and end of the clip if only the rows in the clip
    /// were kept.
    open: [bool; 2],
}

impl Rows {
    fn of(table: &KeyTable, clip: &Clip) -> Rows {
        let times = table.times();
        let first = times.partition_point(|time| *time < clip.start);
        let end = times.partition_point(|time| *time <= clip.end).max(first);
        let inside = times.get(first..end).unwrap_or_default();
        let at_start = inside.first() == Some(&clip.start);
        let at_end = inside.last() == Some(&clip.end);
        // Before the first key and after the last key the value is constant, so a track with a key
        // in the clip needs no extra key there.
        let open_start = !at_start && (first > 0 || first == end);
        let open_end = !at_end && 0 < end && end < times.len() && clip.end > clip.start;
        Rows { first, end, open: [open_start, open_end] }
    }
}

impl Timeline {
    /// Returns a timeline with the keys and events of a clip, for the joints of the clip. Tables
    /// and tracks keep their order; empty ones are removed.
    #[must_use]
    pub fn cut(&self, clip: &Clip, cut: Cut) -> Timeline {
        let moved = |time: f32| {
            if cut.rebase { narrow(f64::from(time) - f64::from(clip.start)) } else { time }
        };
        let kept = || self.tracks.iter().filter(|track| clip.has_target(track.target));
        // The columns of each table to copy, and the columns to sample.
        let mut columns: Vec<[Vec<Column>; 2]> = vec![Default::default(); self.tables.len()];
        let sampled: Vec<bool> =
            self.tables.iter().map(|table| cut.borders && table.is_sampled(clip)).collect();
        let part = |table: usize, channel: Channel| {
            usize::from(channel == Channel::Rotation && sampled.get(table) == Some(&true))
        };
        for track in kept() {
            if let Curve::Keys { table, column, width } = track.curve
                && let Some(parts) = columns.get_mut(table)
                && let Some(columns) = parts.get_mut(part(table, track.channel))
            {
                columns.push(Column { channel: track.channel, start: column, width });
            }
        }
        let mut tables = Vec::new();
        let mut add = |table: Option<KeyTable>| {
            tables.push(table?);
            tables.len().checked_sub(1)
        };
        let mut places: Vec<[Option<usize>; 2]> = Vec::with_capacity(self.tables.len());
        for (table, [kept, sampled]) in self.tables.iter().zip(&columns) {
            let kept = add(table.cut(kept, clip, cut.borders, moved));
            places.push([kept, add(table.sampled(sampled, clip, moved))]);
        }
        // Tracks are visited in the same order as when their columns were listed.
        let mut taken = vec![[0_usize; 2]; self.tables.len()];
        let mut curve = |track: &Track| match &track.curve {
            Curve::Constant(value) => Some(Curve::Constant(value.clone())),
            Curve::Wave(wave) => {
                let moved = narrow(f64::from(wave.offset) + f64::from(clip.start));
                let offset = if cut.rebase { moved } else { wave.offset };
                Some(Curve::Wave(Wave { offset, ..*wave }))
            }
            Curve::Keys { table, width, .. } => {
                let part = part(*table, track.channel);
                let place = (*places.get(*table)?.get(part)?)?;
                let taken = taken.get_mut(*table)?.get_mut(part)?;
                let column = *taken;
                let parts = tables.get(place)?.interpolation.values_per_key();
                *taken = taken.saturating_add(width.saturating_mul(parts));
                Some(Curve::Keys { table: place, column, width: *width })
            }
        };
        let tracks = kept()
            .filter_map(|track| Some(Track { curve: curve(track)?, ..track.clone() }))
            .collect();
        let moved = |event: &Event| Event { time: moved(event.time), ..event.clone() };
        let events = (!cut.without_events).then(|| self.events_in(clip).map(moved));
        let events = events.into_iter().flatten().collect();
        let Timeline { skeleton, time_base, pose_space, .. } = *self;
        let name = self.name.clone();
        Timeline { name, skeleton, time_base, pose_space, tables, tracks, events }
    }

    /// Returns the number of tracks that would differ at the start or end of a clip if only the
    /// keys in the clip were kept. These tracks need the keys that [`Cut::borders`] adds.
    ///
    /// The scene has the rest poses of the joints and the weights of morph targets without keys.
    pub fn open_tracks(&self, clip: &Clip, scene: &Scene) -> usize {
        let rows: Vec<Rows> = self.tables.iter().map(|table| Rows::of(table, clip)).collect();
        let is_open = |track: &&Track| match track.curve {
            Curve::Keys { table, column, width } => {
                let column = Column { channel: track.channel, start: column, width };
                let found = self.tables.get(table).zip(rows.get(table));
                let at_rest = || self.at_rest(track, scene, width);
                clip.has_target(track.target)
                    && found.is_some_and(|(table, rows)| table.is_open(*rows, column, at_rest))
            }
            Curve::Constant(_) | Curve::Wave(_) => false,
        };
        self.tracks.iter().filter(is_open).count()
    }

    /// Returns the rest value of a track, of this many components.
    fn at_rest(&self, track: &Track, scene: &Scene, width: usize) -> Vec<f32> {
        let skeleton = scene.skeleton(self.skeleton);
        let joint = track.joint().and_then(|joint| skeleton?.joint(joint));
        let mesh = match track.target {
            Target::Node(node) => scene.node(node).and_then(|node| scene.mesh(node.mesh?)),
            Target::Joint(_) => None,
        };
        let rest = match self.pose_space {
            PoseSpace::ParentRelative => joint.map(|joint| joint.rest).unwrap_or_default(),
            PoseSpace::DeltaFromRest => Transform::IDENTITY,
        };
        match track.channel {
            Channel::Translation => rest.translation.to_array().to_vec(),
            Channel::Rotation => rest.rotation.to_array().to_vec(),
            Channel::Scale => rest.scale.to_array().to_vec(),
            Channel::Visibility => vec![1.0],
            Channel::Euler(order) => rest.rotation.to_euler(order).map(narrow).to_vec(),
            Channel::Offset => vec![0.0; 3],
            Channel::MorphWeights => {
                let mut weights = mesh.map_or_else(Vec::new, |mesh| mesh.morph_weights.clone());
                weights.resize(width, 0.0);
                weights
            }
        }
    }
}

impl KeyTable {
    /// Returns the part of a table that is in a clip, or `None` if it is empty.
    fn cut(
        &self,
        columns: &[Column],
        clip: &Clip,
        borders: bool,
        moved: impl Fn(f32) -> f32,
    ) -> Option<KeyTable> {
        let parts = self.interpolation.values_per_key();
        let width = columns.iter().map(|column| column.width.saturating_mul(parts)).sum();
        let Rows { first, end, open } = Rows::of(self, clip);
        let [at_start, at_end] = open.map(|open| open && borders);
        if columns.is_empty() || (first == end && !at_start) {
            return None;
        }
        let keys = end.saturating_sub(first).saturating_add(2);
        let mut cut = KeyTable {
            interpolation: self.interpolation,
            times: Vec::with_capacity(keys),
            width,
            values: Vec::with_capacity(keys.saturating_mul(width)),
        };
        if at_start {
            cut.push(moved(clip.start), |values| {
                self.put_at(self.locate(clip.start, 0), columns, values)
            });
        }
        for (row, time) in self.times.iter().enumerate().take(end).skip(first) {
            cut.push(moved(*time), |values| {
                columns.iter().for_each(|column| values.extend_from_slice(self.key(row, *column)))
            });
        }
        if at_end {
            cut.push(moved(clip.end), |values| {
                self.put_at(self.locate(clip.end, 0), columns, values)
            });
        }
        Some(cut)
    }

    /// Whether a track would differ at the start or end of the rows without the other rows.
    fn is_open(&self, rows: Rows, column: Column, at_rest: impl FnOnce() -> Vec<f32>) -> bool {
        let value = |row: usize| {
            let first = usize::from(self.interpolation == Interpolation::Cubic);
            self.key(row, column).chunks_exact(column.width.max(1)).nth(first).unwrap_or_default()
        };
        let last = self.times.len().saturating_sub(1);
        let moves_before = |row: usize| {
            let (before, after) = (row.saturating_sub(1), row.min(last));
            before < after && self.moves_between((column.start, column.width), [before, after])
        };
        // A step holds its value up to the next key.
        let is_smooth = self.interpolation != Interpolation::Step;
        let [start, end] = rows.open;
        if rows.first == rows.end {
            let moves = is_smooth && moves_before(rows.first);
            return (start || end) && (moves || at_rest() != value(rows.first.saturating_sub(1)));
        }
        (start && moves_before(rows.first)) || (end && is_smooth && moves_before(rows.end))
    }

    /// Whether the table's rotations have to be approximated with line segments to add border keys.
    fn is_sampled(&self, clip: &Clip) -> bool {
        self.interpolation == Interpolation::Cubic && Rows::of(self, clip).open.contains(&true)
    }

    /// Returns the part of cubic rotations that is in a clip, approximated with line segments.
    fn sampled(
        &self,
        columns: &[Column],
        clip: &Clip,
        moved: impl Fn(f32) -> f32,
    ) -> Option<KeyTable> {
        let rows = Rows::of(self, clip);
        let width = columns.iter().map(|column| column.width).sum();
        if columns.is_empty() || (rows.first == rows.end && rows.open == [false; 2]) {
            return None;
        }
        let inside = self.times.iter().take(rows.end).skip(rows.first).copied();
        let mut borders: Vec<f32> =
            std::iter::once(clip.start).chain(inside).chain([clip.end]).collect();
        borders.dedup();
        let mut cut = KeyTable {
            interpolation: Interpolation::Linear,
            times: Vec::new(),
            width,
            values: Vec::new(),
        };
        let mut put = |time: f32, rotations: &[Quat]| {
            let time = moved(time);
            // Shifted times may coincide after rounding.
            if cut.times.last().is_none_or(|last| *last < time) {
                cut.push(time, |values| {
                    values.extend(rotations.iter().flat_map(|rotation| rotation.to_array()))
                });
            }
        };
        // A stack of intervals of the clip, the first on top, each with the number of times it was
        // halved.
        let parts = borders.iter().zip(borders.iter().skip(1)).rev();
        let mut open: Vec<(f32, f32, u8)> = parts.map(|(from, to)| (*from, *to, 0)).collect();
        while let Some((from, to, halved)) = open.pop() {
            let at = |part: f64| narrow(f64::from(from) + (f64::from(to) - f64::from(from)) * part);
            let [a, b] = [from, to].map(|time| self.rotations(time, columns));
            let middle = at(0.5);
            // Checking only the midpoint would miss a curve that swings across its chord.
            let far_at = |part: f64| {
                let straight = a.iter().zip(&b).map(|(a, b)| a.slerp(*b, narrow(part)));
                let pairs = straight.zip(self.rotations(at(part), columns));
                pairs.map(|(straight, exact)| straight.far_from(exact)).fold(0.0, f32::max)
            };
            let far = [0.2, 0.5, 0.8].map(far_at).into_iter().fold(0.0, f32::max);
            let is_far = halved < HALVED_AT_LEAST || (far > NEAR && halved < HALVED_AT_MOST);
            if is_far && from < middle && middle < to {
                open.push((middle, to, halved.saturating_add(1)));
                open.push((from, middle, halved.saturating_add(1)));
            } else {
                put(from, &a);
                put(to, &b);
            }
        }
        if borders.len() == 1 {
            put(clip.start, &self.rotations(clip.start, columns));
        }
        Some(cut)
    }

    /// Returns the rotations of the given columns at a time.
    fn rotations(&self, time: f32, columns: &[Column]) -> Vec<Quat> {
        let mut key = Vec::new();
        let place = self.locate(time, 0);
        let at = |column: &Column| {
            key.clear();
            self.put_at(place, std::slice::from_ref(column), &mut key);
            let value = key.get(column.width..).and_then(|value| value.first_chunk::<4>()).copied();
            value.map_or(Quat::IDENTITY, |value| Quat::from(value).normalized())
        };
        columns.iter().map(at).collect()
    }

    /// Adds a row. If its time coincides with the previous row's after rounding, it is increased by
    /// the smallest possible step.
    fn push(&mut self, time: f32, put: impl FnOnce(&mut Vec<f32>)) {
        let after = self.times.last().map_or(f32::MIN, |last| last.next_up());
        self.times.push(time.max(after));
        put(&mut self.values);
    }

    /// Returns the components of a track's key.
    fn key(&self, row: usize, column: Column) -> &[f32] {
        let numbers = column.width.saturating_mul(self.interpolation.values_per_key());
        self.row(row).get(column.start..column.start.saturating_add(numbers)).unwrap_or_default()
    }

    /// Adds the values of the given columns at a time. Returns the row before it, to be passed as
    /// `hint` for the next time.
    pub(super) fn values_at(
        &self,
        time: f32,
        hint: usize,
        columns: &[Column],
        out: &mut Vec<f32>,
    ) -> usize {
        let place = self.locate(time, hint);
        let is_cubic = self.interpolation == Interpolation::Cubic;
        let mut key = Vec::new();
        for column in columns {
            key.clear();
            self.put_at(place, std::slice::from_ref(column), &mut key);
            let value = key.get(if is_cubic { column.width } else { 0 }..).unwrap_or_default();
            match value.first_chunk::<4>() {
                Some(value) if column.channel == Channel::Rotation => {
                    out.extend(Quat::from(*value).normalized().to_array());
                }
                _ => out.extend(value.iter().take(column.width)),
            }
        }
        place.0
    }

    /// Adds the components of a key between two rows, as found by [`KeyTable::locate`].
    fn put_at(
        &self,
        (before, after, fraction): (usize, usize, f32),
        columns: &[Column],
        out: &mut Vec<f32>,
    ) {
        let at = |row: usize| self.times.get(row).copied().unwrap_or_default();
        for column in columns {
            let (a, b) = (self.key(before, *column), self.key(after, *column));
            match self.interpolation {
                Interpolation::Cubic => {
                    put_spline(a, b, column.width, fraction, at(after) - at(before), out)
                }
                Interpolation::Linear if column.channel == Channel::Rotation => {
                    if let (Some(a), Some(b)) = (a.first_chunk(), b.first_chunk()) {
                        out.extend(Quat::from(*a).slerp(Quat::from(*b), fraction).to_array());
                    }
                }
                Interpolation::Linear => {
                    out.extend(a.iter().zip(b).map(|(a, b)| a + (b - a) * fraction))
                }
                Interpolation::Step => out.extend_from_slice(a),
            }
        }
    }
}

impl Quat {
    /// Returns the largest difference between components, using the closer of the two signs of the
    /// rotation.
    fn far_from(self, other: Quat) -> f32 {
        let far = |sign: f32| {
            let pairs = self.to_array().into_iter().zip(other.to_array());
            pairs.map(|(a, b)| (a - sign * b).abs()).fold(0.0, f32::max)
        };
        far(1.0).min(far(-1.0))
    }
}

/// Adds the key of a spline at `t`. The part of a cubic curve between two points is the cubic curve
/// with the same values and slopes at these points. Where the curve is constant (`span` is 0), the
/// slopes are 0.
fn put_spline(a: &[f32], b: &[f32], width: usize, t: f32, span: f32, out: &mut Vec<f32>) {
    let part = |key: &[f32], part: usize, number: usize| {
        let at = part.saturating_mul(width).saturating_add(number);
        f64::from(key.get(at).copied().unwrap_or(0.0))
    };
    let (t, span) = (f64::from(t), f64::from(span));
    let (t2, t3) = (t * t, t * t * t);
    let (mut slopes, mut values) = (Vec::with_capacity(width), Vec::with_capacity(width));
    for number in 0..width {
        let (from, leaves) = (part(a, 1, number), part(a, 2, number) * span);
        let (to, arrives) = (part(b, 1, number), part(b, 0, number) * span);
        values.push(narrow(
            (2.0 * t3 - 3.0 * t2 + 1.0) * from
                + (t3 - 2.0 * t2 + t) * leaves
                + (3.0 * t2 - 2.0 * t3) * to
                + (t3 - t2) * arrives,
        ));
        let slope = (6.0 * t2 - 6.0 * t) * (from - to)
            + (3.0 * t2 - 4.0 * t + 1.0) * leaves
            + (3.0 * t2 - 2.0 * t) * arrives;
        slopes.push(if span > 0.0 { narrow(slope / span) } else { 0.0 });
    }
    out.extend_from_slice(&slopes);
    out.append(&mut values);
    out.append(&mut slopes);
}
