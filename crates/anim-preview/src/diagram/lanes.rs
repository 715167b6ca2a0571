//! Parts that the diagrams with a time axis share: the axis, and lanes with clips and events.

use anim_ir::diag::seconds;
use anim_ir::{Clip, Event, LimitError, Wrap};

use super::axis::Axis;
use super::svg::{Anchor, Area, Path, Svg, text_width};

/// The height of a row of a lane, in pixels.
pub(super) const ROW: f64 = 20.0;
/// The height of a row of labels of events.
const LABEL_ROW: f64 = 14.0;
/// The maximum number of rows in a lane. Items that do not fit are drawn without a label, or
/// counted.
const MOST_ROWS: usize = 8;
/// The approximate maximum number of ticks on an axis.
const TICKS: u8 = 10;

/// The time axis: seconds below and, if the file counts frames, frames above.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    pub(super) axis: Axis,
    /// Frames per second.
    pub(super) rate: Option<f64>,
}

impl Time {
    /// Draws a vertical line at each tick.
    pub(super) fn grid(self, svg: &mut Svg, top: f64, bottom: f64) -> Result<(), LimitError> {
        for tick in self.axis.ticks(TICKS, 0.0) {
            let x = self.axis.at(tick.value);
            svg.line("g", (x, top), (x, bottom))?;
        }
        Ok(())
    }

    /// Draws the scale of frames above a place. Returns whether there is one.
    pub(super) fn frames_above(self, svg: &mut Svg, y: f64) -> Result<bool, LimitError> {
        let Some(rate) = self.rate else { return Ok(false) };
        self.scale(svg, self.axis.in_unit(rate), 1.0, (y, -4.0, -7.0), "frame")?;
        Ok(true)
    }

    /// Draws the scale of seconds below a place.
    pub(super) fn seconds_below(self, svg: &mut Svg, y: f64) -> Result<(), LimitError> {
        self.scale(svg, self.axis, 0.0, (y, 4.0, 15.0), "s")
    }

    /// Draws a scale at a height, with ticks of a length and labels at a distance.
    fn scale(
        self,
        svg: &mut Svg,
        axis: Axis,
        closest: f64,
        (y, length, label): (f64, f64, f64),
        unit: &str,
    ) -> Result<(), LimitError> {
        let (left, right) = axis.pixels();
        svg.open(&[("scale", unit)])?;
        svg.line("a", (left, y), (right, y))?;
        for tick in axis.ticks(TICKS, closest) {
            let x = axis.at(tick.value);
            svg.line("a", (x, y), (x, y + length))?;
            svg.text("s m", Anchor::Middle, (x, y + label), &tick.label, 90.0)?;
        }
        svg.text("s m", Anchor::End, (left - 10.0, y + label), unit, 60.0)?;
        svg.close()
    }
}

/// The rows of a lane, filled from the left: where each of them ends.
#[derive(Default)]
struct Rows(Vec<f64>);

impl Rows {
    /// Returns the first row in which there is room from `start` to `end`.
    fn take(&mut self, start: f64, end: f64) -> Option<usize> {
        let row = self.0.iter().position(|taken| *taken <= start);
        let row = row.or_else(|| (self.0.len() < MOST_ROWS).then_some(self.0.len()))?;
        match self.0.get_mut(row) {
            Some(taken) => *taken = end,
            None => self.0.push(end),
        }
        Some(row)
    }

    fn height(&self, row: f64) -> f64 {
        self.0.len() as f64 * row
    }
}

/// Draws events with their names. Returns the height of the lane.
pub(super) fn events<'a>(
    svg: &mut Svg,
    time: Axis,
    y: f64,
    events: impl Iterator<Item = &'a Event>,
) -> Result<f64, LimitError> {
    const MOST_WIDTH: f64 = 140.0;
    let mut rows = Rows::default();
    for event in events {
        let x = time.at(event.time.into());
        let mut mark = Path::default();
        mark.start(x, y + 2.0);
        mark.line(x, y + ROW - 6.0);
        let title = format!("{} at {}", event.name, seconds(event.time));
        svg.path("event", &mark, &title)?;
        let width = text_width(&event.name, "s").min(MOST_WIDTH);
        let (_, right) = time.pixels();
        // A label that does not fit to the right of its mark is to its left.
        let is_left = x + 4.0 + width > right + 16.0;
        let start = if is_left { x - 4.0 - width } else { x + 4.0 };
        let Some(row) = rows.take(start, start + width + 8.0) else { continue };
        let below = y + 10.0 + row as f64 * LABEL_ROW;
        svg.text("s", Anchor::Start, (start, below), &event.name, MOST_WIDTH)?;
    }
    Ok(rows.height(LABEL_ROW).max(ROW - LABEL_ROW) + 8.0)
}

/// Draws ranges of a timeline, as bars with names. Returns the height of the lane.
pub(super) fn ranges(
    svg: &mut Svg,
    time: Axis,
    y: f64,
    clips: &[&Clip],
) -> Result<f64, LimitError> {
    let mut rows = Rows::default();
    let mut left_out = 0_usize;
    for clip in clips {
        let (x, end) = (time.at(clip.start.into()), time.at(clip.end.into()));
        let (left, right) = time.pixels();
        let (x, end) =
            (x.clamp(left, right), end.clamp(left, right).max(x.clamp(left, right) + 2.0));
        let Some(row) = rows.take(x, end + 1.0) else {
            left_out = left_out.saturating_add(1);
            continue;
        };
        let area = Area { x, y: y + row as f64 * ROW, width: end - x, height: ROW - 4.0 };
        svg.rectangle("bar", area, 3.0, &range_text(clip))?;
        if end - x > 24.0 {
            let place = (x + 5.0, area.y + 12.0);
            svg.text("s", Anchor::Start, place, &clip.name, end - x - 8.0)?;
        }
    }
    let height = rows.height(ROW);
    if left_out > 0 {
        let place = (time.pixels().0, y + height + 10.0);
        svg.text("s m", Anchor::Start, place, &format!("and {left_out} more"), 200.0)?;
        return Ok(height + LABEL_ROW);
    }
    Ok(height)
}

/// Describes a clip: `walk: 0 s to 2 s, loop`.
pub(super) fn range_text(clip: &Clip) -> String {
    let wrap = match clip.wrap {
        Wrap::Unspecified => String::new(),
        wrap => format!(", {wrap}"),
    };
    format!("{}: {} to {}{wrap}", shown(&clip.name), seconds(clip.start), seconds(clip.end))
}

/// Returns a name, or a placeholder if it is empty.
pub(super) fn shown(name: &str) -> &str {
    if name.trim().is_empty() { "(no name)" } else { name }
}
