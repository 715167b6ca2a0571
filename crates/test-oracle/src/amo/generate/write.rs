//! Formatting of numbers and lines in each dialect.

use super::scene::{Corner, Scene};
use crate::amo::evaluate::Dialect;
use crate::random::Rng;

#[derive(Clone, Copy)]
pub(super) enum Decimals {
    /// A fixed number of decimals, as written by `printf`.
    Fixed(usize),
    /// As many decimals as necessary, up to six.
    Short,
    /// Like `Short`, but sometimes in a rare but valid form.
    Any,
}

pub(super) struct Writer<'a> {
    pub(super) dialect: Dialect,
    pub(super) rng: &'a mut Rng,
    pub(super) text: String,
    pub(super) decimals: Decimals,
    /// Percentage of lines with a comment, a blank line or extra whitespace.
    pub(super) noise: usize,
}

impl<'a> Writer<'a> {
    pub(super) fn new(dialect: Dialect, rng: &'a mut Rng) -> Self {
        let decimals = match dialect {
            Dialect::Extobj | Dialect::Spec => Decimals::Any,
            Dialect::Editamo => Decimals::Short,
            Dialect::Lines => Decimals::Fixed(rng.pick(&[4, 6])),
            Dialect::Counted => Decimals::Fixed(6),
        };
        let noise = if dialect == Dialect::Counted { 0 } else { rng.pick(&[0, 5, 30]) };
        Self { dialect, rng, text: String::new(), decimals, noise }
    }

    pub(super) fn number(&mut self, x: f64) -> String {
        let short = |x: f64| format!("{}", (x * 1e6).round() / 1e6);
        match self.decimals {
            Decimals::Fixed(digits) => format!("{x:.digits$}"),
            Decimals::Short => short(x),
            Decimals::Any => match self.rng.below(20) {
                0 => format!("{:e}", (x * 1e4).round() / 1e4),
                1 if x > 0.0 => format!("+{x:.5}"),
                2 if x > 0.0 && x < 1.0 => format!("{x:.4}").trim_start_matches('0').to_owned(),
                3 => format!("{x:.6}"),
                _ => short(x),
            },
        }
    }

    pub(super) fn numbers(&mut self, values: &[f64]) -> String {
        let texts: Vec<String> = values.iter().map(|&x| self.number(x)).collect();
        texts.join(" ")
    }

    /// Formats weights. Unless the number of decimals is fixed, they keep all digits, so that they
    /// sum to 1.
    pub(super) fn weights(&mut self, values: &[f64]) -> String {
        let text = |&x: &f64| match self.decimals {
            Decimals::Fixed(digits) => format!("{x:.digits$}"),
            Decimals::Short | Decimals::Any => format!("{x}"),
        };
        values.iter().map(text).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn quaternion(&mut self, [x, y, z, w]: [f64; 4]) -> String {
        // The rare forms have too few decimals for rotations.
        let decimals = self.decimals;
        if matches!(decimals, Decimals::Any) {
            self.decimals = Decimals::Short;
        }
        let text = match self.dialect {
            Dialect::Lines | Dialect::Counted => self.numbers(&[w, x, y, z]),
            Dialect::Extobj | Dialect::Spec | Dialect::Editamo => self.numbers(&[x, y, z, w]),
        };
        self.decimals = decimals;
        text
    }

    /// Writes a line, sometimes with a comment and extra whitespace.
    pub(super) fn line(&mut self, line: &str) {
        // Lines that end with a name cannot have a comment.
        let keyword = line.split(' ').next().unwrap();
        let is_of_numbers = matches!(keyword, "v" | "vt" | "vn" | "vj" | "vw" | "f" | "ap" | "ar");
        let way = if self.rng.chance(self.noise) { self.rng.below(6) } else { 6 };
        self.text += &match way {
            0 => format!("\n{line}"),
            1 => format!("# a comment, v 1 2 3\n{line}"),
            2 => format!("  {line}"),
            3 => format!("\t{line}"),
            4 if is_of_numbers => format!("{line} # 1 2 3"),
            5 if keyword == "f" => {
                format!("f \\\n{}", line[2..].replacen(' ', " \\\n  ", 1))
            }
            5 if keyword == "v" => line.replace(' ', "\t "),
            _ => line.to_owned(),
        };
        self.text.push('\n');
    }

    pub(super) fn vertex_joints(&mut self, slots: &[Option<usize>]) -> String {
        let unused = match self.dialect {
            Dialect::Editamo => 1,
            Dialect::Spec if self.rng.chance(50) => 0,
            Dialect::Spec | Dialect::Extobj | Dialect::Lines | Dialect::Counted => -1,
        };
        let first = i64::from(matches!(self.dialect, Dialect::Spec | Dialect::Editamo));
        let number = |joint: &Option<usize>| joint.map_or(unused, |joint| joint as i64 + first);
        slots.iter().map(|slot| number(slot).to_string()).collect::<Vec<_>>().join(" ")
    }

    /// Formats an element without its keyword.
    pub(super) fn element(&mut self, scene: &Scene, kind: usize, i: usize) -> String {
        let plain = !matches!(self.dialect, Dialect::Extobj | Dialect::Spec);
        match kind {
            0 if plain || self.rng.chance(90) => self.numbers(&scene.positions[i]),
            0 => {
                let more = self.rng.pick(&[" 1.0", " 0.5 0.25 1"]);
                self.numbers(&scene.positions[i]) + more
            }
            1 => {
                let more = if plain || self.rng.chance(90) { "" } else { " 0.5" };
                self.numbers(&scene.texcoords[i]) + more
            }
            2 => self.numbers(&scene.normals[i]),
            3 => self.vertex_joints(&scene.vertex_joints[i]),
            _ => self.weights(&scene.vertex_weights[i]),
        }
    }

    pub(super) fn extra_line(&mut self, head: &str, count: usize) {
        let line = self.extra(head, count);
        self.line(&line);
    }

    /// Formats a keyword or a number, followed by `count` numbers.
    pub(super) fn extra(&mut self, head: &str, count: usize) -> String {
        let mut line = head.to_owned();
        for _ in 0..count {
            line.push_str(&format!(" {:.6}", self.rng.range(-2.0, 2.0)));
        }
        line
    }

    /// Writes the block of a `.hnd` file.
    pub(super) fn hand(&mut self) {
        self.text.push_str("hnd tool\nphk 0\n");
        for keyword in ["pos", "hok 1", "hok 0", "apo", "adi", "bof"] {
            let line = self.extra(keyword, 3) + " \n";
            self.text += &line;
        }
        self.text.push_str("end\n");
    }

    /// Returns the text with one of the valid line breaks and encodings.
    pub(super) fn finish(self) -> Vec<u8> {
        let Self { dialect, rng, mut text, .. } = self;
        if rng.chance(10) {
            text.truncate(text.trim_end().len());
        }
        match rng.below(40) {
            0..4 => text = text.replace('\n', "\r\n"),
            4 => text = text.replace('\n', "\r"),
            5 if dialect != Dialect::Editamo => text.insert(0, '\u{feff}'),
            // The names only contain Latin-1 characters.
            6..9 => return text.chars().map(|c| c as u32 as u8).collect(),
            _ => {}
        }
        text.into_bytes()
    }
}

/// The keywords of elements.
pub(super) const KEYWORDS: [&str; 5] = ["v", "vt", "vn", "vj", "vw"];

/// Returns the number of elements of each kind.
pub(super) fn counts(scene: &Scene) -> [usize; 5] {
    [
        scene.positions.len(),
        scene.texcoords.len(),
        scene.normals.len(),
        scene.vertex_joints.len(),
        scene.vertex_weights.len(),
    ]
}

/// Returns the elements that a corner refers to, by kind.
pub(super) fn slots(corner: &Corner) -> [Option<usize>; 5] {
    [
        Some(corner.position),
        corner.texcoord,
        corner.normal,
        corner.skin.map(|skin| skin.0),
        corner.skin.map(|skin| skin.1),
    ]
}

/// Formats numbers with six decimals, separated by spaces.
pub(super) fn joined(values: &[f64]) -> String {
    let texts: Vec<String> = values.iter().map(|x| format!("{x:.6}")).collect();
    texts.join(" ")
}
