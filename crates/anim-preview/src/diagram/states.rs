//! State machines as boxes and arrows.

use anim_ir::diag::plural;
use anim_ir::{LimitError, Scene, StateId, StateMachine, require_valid};

use super::boxes::{Content, Keys, LINE, Row, SIDE, TITLE, WIDE};
use super::layers::{Arrow, Layout, Route, Size, entry, layout};
use super::svg::{Anchor, Area, Path, Svg};
use super::{DiagramError, DiagramOptions};

const MARGIN: f64 = 20.0;
/// The width of a diagram, unless its layers need more.
const WIDTH: f64 = 900.0;
/// The distance between two arrows that go around everything.
const AROUND: f64 = 8.0;

/// Draws all state machines of a scene as SVG.
///
/// A state that plays a clip is a box with its name and duration. A sequence is a box with its keys
/// below each other and the transitions between them: solid if they morph, dashed if they switch. A
/// dot marks the start key, and a double border a key at which the sequence can be left. Dotted
/// arrows lead from keys to the states that they play.
///
/// # Errors
///
/// See [`DiagramError`]: the scene has no state machine, the scene is inconsistent, or the diagram
/// exceeds the limits.
pub fn states(scene: &Scene, options: &DiagramOptions) -> Result<String, DiagramError> {
    require_valid(scene)?;
    if scene.machines.is_empty() {
        return Err(DiagramError::NoMachine);
    }
    let mut drawing =
        Drawing { svg: Svg::new(scene, &options.limits), scene, y: 28.0, width: WIDTH };
    for machine in &scene.machines {
        drawing.machine(machine)?;
    }
    let (width, height) = (drawing.width, drawing.y);
    Ok(drawing.svg.finish(width, height, "States"))
}

struct Drawing<'a> {
    svg: Svg,
    scene: &'a Scene,
    /// Where the next machine begins.
    y: f64,
    width: f64,
}

impl<'a> Drawing<'a> {
    fn machine(&mut self, machine: &'a StateMachine) -> Result<(), LimitError> {
        let contents: Vec<Content<'a>> = machine
            .states
            .iter()
            .map(|state| Content::of(self.scene, machine, &state.name, &state.motion))
            .collect();
        let mut arrows = Vec::new();
        for (from, content) in contents.iter().enumerate() {
            let Some(keys) = &content.sequence else { continue };
            for (key, row) in keys.sequence.keys().iter().zip(&keys.rows) {
                let Some(to) = key.state.map(StateId::index).filter(|to| *to < contents.len())
                else {
                    continue;
                };
                arrows.push(Arrow { from, port: row.middle(), to });
            }
        }
        self.heading(machine, &contents)?;
        // States that no arrow touches are below the layers.
        let mut is_connected = vec![false; contents.len()];
        for index in arrows.iter().flat_map(|arrow| [arrow.from, arrow.to]) {
            if let Some(is_connected) = is_connected.get_mut(index) {
                *is_connected = true;
            }
        }
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            (0..contents.len()).partition(|index| is_connected.get(*index) == Some(&true));
        let mut numbers = vec![0; contents.len()];
        for (number, index) in inside.iter().enumerate() {
            if let Some(place) = numbers.get_mut(*index) {
                *place = number;
            }
        }
        let number = |index: usize| numbers.get(index).copied().unwrap_or_default();
        for arrow in &mut arrows {
            (arrow.from, arrow.to) = (number(arrow.from), number(arrow.to));
        }
        let inside: Vec<&Content<'a>> =
            inside.iter().filter_map(|index| contents.get(*index)).collect();
        let sizes: Vec<Size> = inside.iter().map(|content| content.size).collect();
        let layout = layout(&sizes, &arrows, &self.svg.budget)?;
        self.layers(&inside, &arrows, &layout)?;
        self.grid(outside.iter().filter_map(|index| contents.get(*index)))?;
        self.y += 24.0;
        Ok(())
    }

    fn heading(
        &mut self,
        machine: &StateMachine,
        contents: &[Content<'a>],
    ) -> Result<(), LimitError> {
        let name = if machine.name.is_empty() { "States" } else { &machine.name };
        let width = WIDTH - 2.0 * MARGIN;
        self.svg.text("h", Anchor::Start, (MARGIN, self.y), name, width)?;
        let mut facts = vec![plural(machine.states.len(), "state")];
        let sequences = || contents.iter().filter_map(|content| content.sequence.as_ref());
        if sequences().next().is_some() {
            facts.push("solid: morphs".to_owned());
            facts.push("dashed: switches".to_owned());
            facts.push("dotted: plays".to_owned());
        }
        if sequences().any(|keys| keys.rows.iter().any(|row| row.exit.is_some())) {
            facts.push("double border: can be left".to_owned());
        }
        facts.push("a state that plays a clip can be left at any time".to_owned());
        let facts = facts.join(" · ");
        self.svg.text("m", Anchor::Start, (MARGIN, self.y + 19.0), &facts, width)?;
        self.y += 40.0;
        Ok(())
    }

    /// Draws the states that arrows connect, and the arrows.
    fn layers(
        &mut self,
        contents: &[&Content<'a>],
        arrows: &[Arrow],
        layout: &Layout,
    ) -> Result<(), LimitError> {
        if contents.is_empty() {
            return Ok(());
        }
        let (left, top) = (MARGIN + AROUND, self.y);
        for (content, (x, y)) in contents.iter().zip(&layout.places) {
            self.state(content, left + x, top + y)?;
        }
        let mut around = 0.0;
        for (arrow, route) in arrows.iter().zip(&layout.routes) {
            let place = |index: usize| layout.places.get(index).copied().unwrap_or_default();
            let size = |index: usize| contents.get(index).map_or(NO_SIZE, |content| content.size);
            let ((x, y), (to_x, to_y)) = (place(arrow.from), place(arrow.to));
            // From the border of the key.
            let keys = contents.get(arrow.from).and_then(|content| content.sequence.as_ref());
            let width = keys.map_or(0.0, |keys| keys.width);
            let start = (left + x + SIDE + width, top + y + arrow.port);
            let end = (left + to_x, top + to_y + entry(size(arrow.to).height));
            let mut path = Path::default();
            path.start(start.0, start.1);
            // Beside wider boxes of the same layer.
            let beside = left + layout.ends.get(arrow.from).copied().unwrap_or_default();
            match route {
                Route::Forwards(through) => {
                    let mut last = (beside, start.1);
                    path.line(last.0, last.1);
                    let ends = through
                        .iter()
                        .map(|(enter, leave, y)| (left + enter, left + leave, top + y));
                    for (enter, leave, y) in ends.chain([(end.0 - 6.0, end.0, end.1)]) {
                        let half = (enter - last.0) / 2.0;
                        path.curve((last.0 + half, last.1), (enter - half, y), (enter, y));
                        if leave > enter && y != end.1 {
                            path.line(leave, y);
                        }
                        last = (leave, y);
                    }
                }
                Route::Back => {
                    let below = top + layout.size.height + 14.0 + around * AROUND;
                    let (out, back) =
                        (beside + 10.0 + around % 6.0 * 4.0, end.0 - 14.0 - around % 3.0 * 3.0);
                    for (x, y) in [(out, start.1), (out, below), (back, below), (back, end.1)] {
                        path.line(x, y);
                    }
                    path.line(end.0 - 6.0, end.1);
                    around += 1.0;
                }
            }
            self.svg.path("plays", &path, "")?;
            self.head(end, (1.0, 0.0))?;
        }
        self.y += layout.size.height + if around > 0.0 { 20.0 + around * AROUND } else { 8.0 };
        self.width = self.width.max(left + layout.size.width + 2.0 * MARGIN + AROUND);
        Ok(())
    }

    /// Draws states in rows.
    fn grid<'c>(
        &mut self,
        contents: impl Iterator<Item = &'c Content<'a>>,
    ) -> Result<(), LimitError>
    where
        'a: 'c,
    {
        let (mut x, mut y, mut height) = (MARGIN, self.y + 8.0, 0.0);
        for content in contents {
            if x > MARGIN && x + content.size.width > self.width - MARGIN {
                (x, y, height) = (MARGIN, y + height + 16.0, 0.0);
            }
            self.state(content, x, y)?;
            x += content.size.width + 16.0;
            height = f64::max(height, content.size.height);
        }
        self.y = y + height;
        Ok(())
    }

    /// Draws the box of a state.
    fn state(&mut self, content: &Content<'a>, x: f64, y: f64) -> Result<(), LimitError> {
        let Size { width, height } = content.size;
        self.svg.open(&[("state", content.name)])?;
        self.svg.rectangle("box", Area { x, y, width, height }, 8.0, "")?;
        let middle = x + width / 2.0;
        self.svg.text("", Anchor::Middle, (middle, y + 17.0), content.name, width - 12.0)?;
        self.svg.text("s m", Anchor::Middle, (middle, y + 31.0), &content.facts, width - 8.0)?;
        match &content.sequence {
            Some(keys) if keys.rows.is_empty() => {
                self.svg.text(
                    "s m",
                    Anchor::Middle,
                    (middle, y + TITLE + 14.0),
                    "no keys",
                    width,
                )?;
            }
            Some(keys) => self.keys(keys, x + SIDE, y)?,
            None => {}
        }
        self.svg.close()
    }

    /// Draws the keys of a sequence.
    fn keys(&mut self, keys: &Keys<'a>, x: f64, y: f64) -> Result<(), LimitError> {
        for (number, row) in keys.rows.iter().enumerate() {
            let area = Area { x, y: y + row.top, width: keys.width, height: row.height };
            self.svg.rectangle("key", area, 6.0, "")?;
            if let Some(exit) = &row.exit {
                let inner = Area {
                    x: area.x + 3.0,
                    y: area.y + 3.0,
                    width: area.width - 6.0,
                    height: area.height - 6.0,
                };
                self.svg.rectangle("key", inner, 4.0, "")?;
                let place = (x + 10.0, area.bottom() - 8.0);
                self.svg.text("s m", Anchor::Start, place, exit, keys.width - 16.0)?;
            }
            let place = (x + 10.0, area.y + 16.0);
            self.svg.text("", Anchor::Start, place, row.name, keys.width - 16.0)?;
            if number == keys.sequence.start() {
                // Beside the arrow that goes around to this key.
                let side = match keys.around {
                    Some(_) if number == 0 => row.height - 7.0,
                    Some(_) => 7.0,
                    None => row.height / 2.0,
                };
                let middle = y + row.top + side;
                let mut dot = Path::default();
                dot.dot(x - 18.0, middle);
                self.svg.dots("k start", 8.0, &dot)?;
                self.svg.line("way", (x - 18.0, middle), (x - 5.0, middle))?;
                self.head((x, middle), (1.0, 0.0))?;
            }
        }
        for pair in keys.rows.windows(2) {
            let [row, next] = pair else { continue };
            self.steps(row, (x, y + row.top + row.height), y + next.top)?;
        }
        self.around(keys, x, y)
    }

    /// Draws the transitions between a key and the next.
    fn steps(&mut self, row: &Row<'a>, (x, from): (f64, f64), to: f64) -> Result<(), LimitError> {
        let both = row.forward.is_some() && row.backward.is_some();
        let steps = [(&row.forward, from, to, 1.0, "↓ "), (&row.backward, to, from, -1.0, "↑ ")];
        let (mut line, mut arrow) = (from + 13.0, x + 16.0);
        let label = if both { x + 42.0 } else { x + 26.0 };
        for (text, start, end, way, sign) in steps {
            let Some(text) = text else { continue };
            let mut path = Path::default();
            path.start(arrow, start);
            path.line(arrow, end - way * 6.0);
            self.svg.path(style(text), &path, "")?;
            self.head((arrow, end), (0.0, way))?;
            let sign = if both { sign } else { "" };
            self.svg.text("s m", Anchor::Start, (label, line), &format!("{sign}{text}"), WIDE)?;
            line += LINE;
            arrow += 14.0;
        }
        Ok(())
    }

    /// Draws the transition from one end of the keys to the other.
    fn around(&mut self, keys: &Keys<'a>, x: f64, y: f64) -> Result<(), LimitError> {
        let (Some(text), Some(last), Some(first)) =
            (&keys.around, keys.rows.last(), keys.rows.first())
        else {
            return Ok(());
        };
        let ends = [y + last.top + last.height - 7.0, y + first.top + 7.0];
        let [from, to] = if keys.is_backwards() { [ends[1], ends[0]] } else { ends };
        let mut path = Path::default();
        path.start(x, from);
        path.line(x - 26.0, from);
        path.line(x - 26.0, to);
        path.line(x - 6.0, to);
        self.svg.path(style(text), &path, "")?;
        self.head((x, to), (1.0, 0.0))?;
        let place = (x - 26.0, y + last.top + last.height + LINE + 2.0);
        self.svg.text("s m", Anchor::Start, place, &format!("around: {text}"), keys.width + 24.0)
    }

    /// Draws the head of an arrow.
    fn head(&mut self, tip: (f64, f64), way: (f64, f64)) -> Result<(), LimitError> {
        const LENGTH: f64 = 7.0;
        let base = (tip.0 - way.0 * LENGTH, tip.1 - way.1 * LENGTH);
        let side = (way.1 * LENGTH / 2.0, way.0 * LENGTH / 2.0);
        let mut path = Path::default();
        path.start(tip.0, tip.1);
        path.line(base.0 + side.0, base.1 + side.1);
        path.line(base.0 - side.0, base.1 - side.1);
        self.svg.path("head", &path, "")
    }
}

const NO_SIZE: Size = Size { width: 0.0, height: 0.0 };

/// Returns the classes of a transition with this label.
fn style(label: &str) -> &'static str {
    if label.starts_with("morph") { "way" } else { "way dash" }
}
