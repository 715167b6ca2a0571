//! Deterministic random Biovision hierarchies without errors, and large files for benchmarks.

use std::fmt::Write as _;

use crate::random::Rng;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub layout: Layout,
    /// Number of joints, not counting end sites; at least 1.
    pub joints: usize,
    pub frames: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { layout: Layout::Usual, joints: 8, frames: 5 }
    }
}

cases! {
    pub enum Layout {
        /// Single spaces, LF, six decimals, one line per frame.
        Usual,
        /// Any case, any whitespace, names with spaces, all forms of numbers, leading comments.
        Mixed,
        /// Like [`Layout::Mixed`], with the values of each frame split across several lines.
        Wrapped,
        /// Like [`Layout::Mixed`], with a random number of values per line, independent of frames.
        Stream,
    }
}

const ROTATIONS: [&str; 3] = ["Xrotation", "Yrotation", "Zrotation"];
const POSITIONS: [&str; 3] = ["Xposition", "Yposition", "Zposition"];
/// Names, some of which look like keywords or numbers.
const NAMES: [&str; 8] =
    ["Hips", "mixamorig:LeftArm", "two words", "JOINT", "v1.5", "Offset", "\u{e9}paule", "-1"];
const TIMES: &str = "0.0333333 0.033333 0.0083333 .008333 0.04 0.0416667 1.6666667e-2 0.0123";

pub fn bvh(options: &Options, rng: &mut Rng) -> String {
    let mut text = Text { out: String::new(), layout: options.layout };
    if options.layout != Layout::Usual && rng.chance(30) {
        text.out.push_str("# exported by hand\r\n\n#\n");
    }
    text.words(&["HIERARCHY"], rng);
    let mut channels = Vec::new();
    let mut depth = 0;
    for number in 0..options.joints {
        // Go back up to any ancestor, or to the top level for another root.
        let closed = if number == 0 || !rng.chance(40) { 0 } else { rng.between(1, depth) };
        if closed > 0 {
            end_site(&mut text, rng);
        }
        for _ in 0..closed {
            text.line("}", rng);
            depth -= 1;
        }
        let keyword = if depth == 0 { "ROOT" } else { "JOINT" };
        let name = match options.layout {
            Layout::Usual => format!("joint{number}"),
            _ => format!("{} {number}", rng.pick(&NAMES)),
        };
        text.open(keyword, &name, rng);
        let own = of_joint(depth == 0, rng);
        let offset = text.vector(20.0, rng);
        let mut words = vec!["CHANNELS".to_owned(), own.len().to_string()];
        words.extend(own.iter().map(|name| text.cased(name, rng)));
        let mut statements = vec![words, [vec!["OFFSET".to_owned()], offset].concat()];
        if options.layout == Layout::Usual || rng.chance(80) {
            statements.reverse();
        }
        for statement in statements {
            let words: Vec<&str> = statement.iter().map(String::as_str).collect();
            text.words(&words, rng);
        }
        channels.extend(own);
        depth += 1;
    }
    end_site(&mut text, rng);
    for _ in 0..depth {
        text.line("}", rng);
    }
    motion(&mut text, &channels, options, rng);
    text.out
}

/// Returns random channels for a joint, in any number and order.
fn of_joint(is_root: bool, rng: &mut Rng) -> Vec<&'static str> {
    let (mut positions, mut rotations) = (POSITIONS.to_vec(), ROTATIONS.to_vec());
    rng.shuffle(&mut positions);
    rng.shuffle(&mut rotations);
    let kept = match rng.below(10) {
        _ if is_root => (3, 3),
        0 => (0, 0),
        1 => (0, 1),
        2 => (0, 2),
        3 => (1, 3),
        4..6 => (3, 3),
        _ => (0, 3),
    };
    positions.truncate(kept.0);
    rotations.truncate(kept.1);
    if rng.chance(5) {
        // Repeat an axis, as some exporters of Euler angles do.
        let again = rotations.first().copied();
        rotations.extend(again);
    }
    let mut channels = [positions, rotations].concat();
    if rng.chance(20) {
        channels.reverse();
    }
    if rng.chance(10) {
        rng.shuffle(&mut channels);
    }
    channels
}

fn end_site(text: &mut Text, rng: &mut Rng) {
    if text.layout != Layout::Usual && rng.chance(20) {
        return;
    }
    let name = if text.layout != Layout::Usual && rng.chance(30) { "tip" } else { "" };
    text.open("End Site", name, rng);
    let offset = text.vector(5.0, rng).join(" ");
    text.words(&["OFFSET", &offset], rng);
    text.line("}", rng);
}

fn motion(text: &mut Text, channels: &[&str], options: &Options, rng: &mut Rng) {
    text.words(&["MOTION"], rng);
    let colon = if text.layout == Layout::Usual { ": " } else { rng.pick(&[":", ":\t", " : "]) };
    let labels = [text.cased("Frames", rng), text.cased("Frame Time", rng)];
    let time = rng.pick_of(TIMES, ' ');
    let _ = writeln!(text.out, "{}{colon}{}", labels[0], options.frames);
    let _ = writeln!(text.out, "{}{colon}{time}", labels[1]);
    let mut values: Vec<f64> = channels.iter().map(|_| rng.range(-180.0, 180.0)).collect();
    let mut on_line = 0;
    let per_line = rng.between(1, channels.len().max(2) - 1);
    for _ in 0..options.frames {
        for column in 0..values.len() {
            // Steps are well under 180°, so that the shorter arc is unambiguous. Some steps cross
            // ±180°.
            values[column] += rng.range(-25.0, 25.0);
            if values[column] > 180.0 && channels[column].ends_with("rotation") {
                values[column] -= 360.0;
            }
            let number = text.number(values[column], rng);
            text.out.push_str(&number);
            on_line += 1;
            let is_last = column + 1 == values.len();
            let is_broken = match text.layout {
                Layout::Usual | Layout::Mixed => is_last,
                Layout::Wrapped => is_last || on_line == per_line,
                Layout::Stream => on_line == per_line,
            };
            text.out.push_str(if is_broken { "\n" } else { " " });
            on_line = if is_broken { 0 } else { on_line };
        }
        if text.layout != Layout::Usual && rng.chance(10) {
            text.out.push_str(" \n");
        }
    }
}

struct Text {
    out: String,
    layout: Layout,
}

impl Text {
    fn line(&mut self, line: &str, rng: &mut Rng) {
        let ends: &[&str] =
            if self.layout == Layout::Usual { &["\n"] } else { &["\n", "\r\n", "\r", "\n\n\t"] };
        let _ = write!(self.out, "{line}{}", rng.pick(ends));
    }

    fn words(&mut self, words: &[&str], rng: &mut Rng) {
        let keyword = self.cased(words[0], rng);
        let blanks: &[&str] =
            if self.layout == Layout::Usual { &[" "] } else { &[" ", "\t", "  "] };
        let mut line = keyword;
        for word in &words[1..] {
            let _ = write!(line, "{}{word}", rng.pick(blanks));
        }
        self.line(&line, rng);
    }

    fn open(&mut self, keyword: &str, name: &str, rng: &mut Rng) {
        let keyword = self.cased(keyword, rng);
        let line = format!("{keyword} {name}");
        if self.layout == Layout::Usual || rng.chance(50) {
            self.line(line.trim_end(), rng);
            self.line("{", rng);
        } else {
            self.line(&format!("{line}{{"), rng);
        }
    }

    fn cased(&self, word: &str, rng: &mut Rng) -> String {
        match self.layout {
            Layout::Usual => word.to_owned(),
            _ => rng.pick(&[word.to_owned(), word.to_lowercase(), word.to_uppercase()]),
        }
    }

    fn vector(&self, limit: f64, rng: &mut Rng) -> Vec<String> {
        (0..3).map(|_| self.number(rng.range(-limit, limit), rng)).collect()
    }

    fn number(&self, value: f64, rng: &mut Rng) -> String {
        if self.layout == Layout::Usual {
            return format!("{value:.6}");
        }
        match rng.below(6) {
            0 => format!("{value:.0}."),
            1 => format!("{value:.3}"),
            2 => format!("{value:e}"),
            3 => format!("{value:+}"),
            4 => format!("{value:.9}"),
            _ => format!("{value:.6}"),
        }
    }
}

/// Returns a file of approximately the given size in bytes, for benchmarks: 30 joints in the usual
/// layout.
pub fn large(bytes: usize) -> Vec<u8> {
    let mut rng = Rng::new(bytes as u64);
    let options = Options { joints: 30, frames: 1, ..Options::default() };
    let one = bvh(&options, &mut rng);
    let row = one.lines().last().unwrap_or_default().len() + 1;
    let frames = (bytes / row).max(1);
    bvh(&Options { frames, ..options }, &mut Rng::new(bytes as u64)).into_bytes()
}
