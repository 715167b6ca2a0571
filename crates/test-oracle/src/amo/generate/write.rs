//! How numbers and lines look, in every dialect.

use super::scene::Corner;
use crate::amo::evaluate::Dialect;
use crate::random::Rng;

#[derive(Clone, Copy)]
pub(super) enum Decimals {
    /// Always so many digits behind the point, as `printf` has them.
    Fixed(usize),
    /// As many as it takes, at most six.
    Short,
    /// As before, and now and then in a form that is rare but allowed.
    Any,
}

pub(super) struct Writer<'a> {
    pub(super) dialect: Dialect,
    pub(super) rng: &'a mut Rng,
    pub(super) text: String,
    pub(super) decimals: Decimals,
    /// How many lines of a hundred get a comment, a blank line or blanks.
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

    /// Weights keep all their digits: they have to sum to 1.
    pub(super) fn weights(&mut self, values: &[f64]) -> String {
        let text = |&x: &f64| match self.decimals {
            Decimals::Fixed(digits) => format!("{x:.digits$}"),
            Decimals::Short | Decimals::Any => format!("{x}"),
        };
        values.iter().map(text).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn quaternion(&mut self, [x, y, z, w]: [f64; 4]) -> String {
        // One digit behind the point would make it another rotation.
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

    /// A line that may get a comment and other blanks.
    pub(super) fn line(&mut self, line: &str) {
        if self.rng.chance(self.noise) {
            match self.rng.below(6) {
                0 => self.text.push('\n'),
                1 => self.text.push_str("# a comment, v 1 2 3\n"),
                2 => self.text.push_str("  "),
                3 => self.text.push('\t'),
                4 => {
                    // Not in lines whose rest is a name.
                    let keyword = line.split(' ').next().unwrap();
                    if matches!(keyword, "v" | "vt" | "vn" | "vj" | "vw" | "f" | "ap" | "ar") {
                        self.text.push_str(line);
                        self.text.push_str(" # 1 2 3\n");
                        return;
                    }
                }
                _ => {
                    if let Some(vertex) = line.strip_prefix("f ") {
                        self.text.push_str("f \\\n");
                        self.text.push_str(&vertex.replacen(' ', " \\\n  ", 1));
                        self.text.push('\n');
                        return;
                    }
                    if line.starts_with("v ") {
                        self.text.push_str(&line.replace(' ', "\t "));
                        self.text.push('\n');
                        return;
                    }
                }
            }
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A number of D1's `vj` or key, or of another dialect's.
    pub(super) fn vertex_joint(&self, joint: Option<usize>, unused: i64) -> i64 {
        let first = match self.dialect {
            Dialect::Spec | Dialect::Editamo => 1,
            Dialect::Extobj | Dialect::Lines | Dialect::Counted => 0,
        };
        joint.map_or(unused, |joint| joint as i64 + first)
    }

    pub(super) fn vertex_joints(&mut self, slots: &[Option<usize>]) -> String {
        let unused = match self.dialect {
            Dialect::Editamo => 1,
            Dialect::Spec if self.rng.chance(50) => 0,
            Dialect::Spec | Dialect::Extobj | Dialect::Lines | Dialect::Counted => -1,
        };
        let text = |&slot: &Option<usize>| self.vertex_joint(slot, unused).to_string();
        slots.iter().map(text).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn extra_line(&mut self, head: &str, count: usize) {
        let line = self.extra(head, count);
        self.line(&line);
    }

    /// A keyword or a number, and so many numbers behind it.
    pub(super) fn extra(&mut self, head: &str, count: usize) -> String {
        let mut line = head.to_owned();
        for _ in 0..count {
            line.push_str(&format!(" {:.6}", self.rng.range(-2.0, 2.0)));
        }
        line
    }

    /// The block of a `.hnd` file.
    pub(super) fn hand(&mut self) {
        self.text.push_str("hnd tool\nphk 0\n");
        for keyword in ["pos", "hok 1", "hok 0", "apo", "adi", "bof"] {
            let line = self.extra(keyword, 3);
            self.text.push_str(&line);
            self.text.push_str(" \n");
        }
        self.text.push_str("end\n");
    }

    /// The text with one of the allowed line ends and encodings.
    pub(super) fn finish(self) -> Vec<u8> {
        let Self { dialect, rng, mut text, .. } = self;
        if rng.chance(10) {
            text.truncate(text.trim_end().len());
        }
        match rng.below(40) {
            0..4 => text = text.replace('\n', "\r\n"),
            4 => text = text.replace('\n', "\r"),
            5 if dialect != Dialect::Editamo => text.insert(0, '\u{feff}'),
            // What is in the names fits into Latin-1.
            6..9 => return text.chars().map(|c| c as u32 as u8).collect(),
            _ => {}
        }
        text.into_bytes()
    }
}

pub(super) fn slots(corner: &Corner) -> [Option<usize>; 5] {
    [
        Some(corner.position),
        corner.texcoord,
        corner.normal,
        corner.skin.map(|skin| skin.0),
        corner.skin.map(|skin| skin.1),
    ]
}

/// Numbers with six digits behind the point and blanks between them.
pub(super) fn joined(values: &[f64]) -> String {
    let texts: Vec<String> = values.iter().map(|x| format!("{x:.6}")).collect();
    texts.join(" ")
}
