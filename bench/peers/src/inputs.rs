//! Generates inputs and the results expected of their readers. Shares no code with the readers of
//! this project.

mod glb;
pub mod keys;

use std::fmt::Write as _;

use test_oracle::random::Rng;
use test_oracle::{amo, anm_text, castle, stt};

use crate::Failure;
use crate::contender::{Found, found};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Input {
    Obj,
    Amo,
    /// castle-anim-frames in which most of each frame repeats the previous frame.
    Repeating,
    /// castle-anim-frames in which nothing repeats.
    Changing,
    /// Keyed joints, for sampling.
    Keys,
    Numbers,
    Glb,
    Stt,
    AnmText,
}

pub struct Made {
    pub bytes: Vec<u8>,
    pub found: Found,
}

const NAMES: [(Input, &str, &str); 9] = [
    (Input::Obj, "obj", "large.obj"),
    (Input::Amo, "amo", "large.amo"),
    (Input::Repeating, "repeating", "repeating.castle-anim-frames"),
    (Input::Changing, "changing", "changing.castle-anim-frames"),
    (Input::Keys, "keys", "keys.bin"),
    (Input::Numbers, "numbers", "numbers.txt"),
    (Input::Glb, "glb", "large.glb"),
    (Input::Stt, "stt", "large.stt"),
    (Input::AnmText, "anm-text", "large.anm"),
];

impl Input {
    pub fn named(name: &str) -> Result<Input, Failure> {
        let entry = NAMES.iter().find(|entry| entry.1 == name);
        Ok(entry.ok_or_else(|| format!("no input {name}"))?.0)
    }

    pub fn name(self) -> &'static str {
        NAMES.iter().find(|entry| entry.0 == self).map_or("", |entry| entry.1)
    }

    pub fn file_name(self) -> &'static str {
        NAMES.iter().find(|entry| entry.0 == self).map_or("", |entry| entry.2)
    }

    pub fn make(self, megabytes: usize) -> Made {
        let size = megabytes * 1_000_000;
        match self {
            Input::Obj => with(amo::generate::large_obj(size), faces),
            Input::Amo => with(amo::generate::large_amo(size), faces),
            Input::Repeating => with(castle::generate::large(size, true), elements),
            Input::Changing => with(castle::generate::large(size, false), elements),
            Input::Keys => keys::make(),
            Input::Numbers => numbers(size),
            Input::Glb => glb::make(size),
            Input::Stt => with(stt::generate::large(size, false), |text| {
                let states = text.lines().filter(|line| ["SINGLE", "KEYFRAME"].contains(line));
                found([("states", states.count() as f64)])
            }),
            Input::AnmText => with(anm_text::generate::large(size), |text| {
                let sets = text.lines().filter(|line| line.starts_with("as "));
                found([("sets", sets.count() as f64)])
            }),
        }
    }
}

fn with(bytes: Vec<u8>, found: impl Fn(&str) -> Found) -> Made {
    let found = found(std::str::from_utf8(&bytes).expect("generated text is UTF-8"));
    Made { bytes, found }
}

/// Returns the number of corners of all faces, and the sum of the absolute values of their
/// coordinates, which does not depend on how vertices are shared.
fn faces(text: &str) -> Found {
    let (mut positions, mut corners, mut sum) = (Vec::new(), 0.0, 0.0);
    for line in text.lines() {
        let mut words = line.split(' ');
        match words.next() {
            Some("v") => {
                let values = words.map(|word| word.parse::<f32>().expect("a number"));
                positions.push(values.map(|value| f64::from(value.abs())).sum::<f64>());
            }
            Some("f") => {
                for corner in words {
                    let index = corner.split('/').next().and_then(|word| word.parse().ok());
                    let index: usize = index.expect("an index");
                    corners += 1.0;
                    sum += positions[index - 1];
                }
            }
            _ => {}
        }
    }
    found([("corners", corners), ("positions", sum)])
}

/// Returns the number of XML elements and of frames.
fn elements(text: &str) -> Found {
    let is_start = |at: usize| text[at + 1..].starts_with(|next: char| next.is_ascii_alphabetic());
    let elements = text.match_indices('<').filter(|(at, _)| is_start(*at)).count();
    let frames = text.matches("<frame ").count();
    found([("elements", elements as f64), ("frames", frames as f64)])
}

/// Coordinates as exporters write them, with one to eight digits and a separator.
fn numbers(size: usize) -> Made {
    let mut rng = Rng::new(size as u64);
    let (mut text, mut count, mut sum) = (String::with_capacity(size + 16), 0.0, 0.0);
    while text.len() < size {
        let start = text.len();
        let (value, decimals) = (rng.range(-10.0, 10.0), rng.below(7));
        write!(text, "{value:.decimals$}").expect("a string");
        sum += f64::from(text[start..].parse::<f32>().expect("a number").abs());
        count += 1.0;
        text.push(if rng.below(8) == 0 { '\n' } else { ' ' });
    }
    Made { bytes: text.into_bytes(), found: found([("numbers", count), ("sum", sum)]) }
}
