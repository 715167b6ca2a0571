//! An evaluator of Biovision hierarchies (`.bvh`), based on the project's notes on the format.
//!
//! Numbers are parsed as `f64`. Where the notes do not specify the behaviour:
//!
//! - a name extends to the end of its line, or to a brace,
//! - frame values are read in sequence, regardless of line breaks,
//! - if two channels set the same coordinate, the last channel is used.

use std::collections::VecDeque;

use crate::math::{
    Mat4, about, lerp, mul, normalized, quaternion_product, rotation, slerp, translation,
};

/// A valid file.
#[derive(Clone, Debug)]
pub struct File {
    /// Joints and end sites in file order.
    pub joints: Vec<Joint>,
    /// Seconds between frames; 0 without motion.
    pub frame_time: f64,
    /// One value per channel for each frame.
    pub frames: Vec<Vec<f64>>,
}

/// A joint or an end site.
#[derive(Clone, Debug)]
pub struct Joint {
    pub name: String,
    pub parent: Option<usize>,
    pub is_end: bool,
    /// The offset from the parent.
    pub offset: [f64; 3],
    /// Lowercase channel names with their columns.
    pub channels: Vec<(String, usize)>,
}

/// Parses a valid file.
pub fn parse(text: &str) -> File {
    let mut lines: VecDeque<String> = VecDeque::new();
    for line in text.trim_start_matches('\u{feff}').split(['\n', '\r']) {
        // Put each brace on its own line.
        let line = line.replace('{', "\n{\n").replace('}', "\n}\n");
        lines.extend(line.split('\n').map(|line| line.trim().to_owned()));
    }
    lines.retain(|line| !line.is_empty() && !line.starts_with('#'));
    let mut file = File { joints: Vec::new(), frame_time: 0.0, frames: Vec::new() };
    let (mut open, mut columns) = (Vec::new(), 0);
    let mut words: VecDeque<String> = VecDeque::new();
    // Consume a line word by word. A name consumes the rest of its line.
    while !(words.is_empty() && lines.is_empty()) {
        let keyword = next(&mut words, &mut lines).to_lowercase();
        match keyword.as_str() {
            "hierarchy" | "{" => {}
            "}" => drop(open.pop().unwrap()),
            "root" | "joint" | "end" => {
                let is_end = keyword == "end";
                if is_end {
                    assert_eq!(words.pop_front().unwrap().to_lowercase(), "site");
                }
                if words.is_empty() && lines[0] != "{" {
                    words.push_back(lines.pop_front().unwrap());
                }
                let name = Vec::from(std::mem::take(&mut words)).join(" ");
                let (parent, offset) = (open.last().copied(), [0.0; 3]);
                open.push(file.joints.len());
                file.joints.push(Joint { name, parent, is_end, offset, channels: Vec::new() });
            }
            "offset" => {
                let joint = &mut file.joints[*open.last().unwrap()];
                joint.offset = [0; 3].map(|_| next(&mut words, &mut lines).parse().unwrap());
            }
            "channels" => {
                let count: usize = next(&mut words, &mut lines).parse().unwrap();
                for _ in 0..count {
                    let name = next(&mut words, &mut lines).to_lowercase();
                    file.joints[*open.last().unwrap()].channels.push((name, columns));
                    columns += 1;
                }
            }
            "motion" => {
                motion(&mut file, Vec::from(std::mem::take(&mut lines)).join("\n"), columns);
            }
            other => panic!("{other} is not a keyword"),
        }
    }
    file
}

fn next(words: &mut VecDeque<String>, lines: &mut VecDeque<String>) -> String {
    while words.is_empty() {
        let line = lines.pop_front().unwrap();
        *words = line.split_whitespace().map(str::to_owned).collect();
    }
    words.pop_front().unwrap()
}

fn motion(file: &mut File, text: String, columns: usize) {
    let (head, rest) = text.split_once(':').unwrap();
    assert_eq!(head.trim().to_lowercase(), "frames");
    let (head, rest) = rest.split_once(':').unwrap();
    let head: Vec<&str> = head.split_whitespace().collect();
    let [count, frame, time] = head.as_slice() else { panic!("{head:?}") };
    assert_eq!(format!("{frame}{time}").to_lowercase(), "frametime");
    let mut numbers = rest.split_whitespace().map_while(|word| word.parse::<f64>().ok());
    file.frame_time = numbers.next().unwrap();
    for _ in 0..count.parse::<usize>().unwrap() {
        file.frames.push((0..columns).map(|_| numbers.next().unwrap()).collect());
    }
}

impl File {
    /// Returns the matrix of each joint to model space at a frame or between two frames. Positions
    /// are interpolated linearly, rotations along the shorter arc. If `adds` is set, positions are
    /// added to offsets. Without frames, returns the rest pose.
    pub fn model_matrices(&self, frame: f64, adds: bool) -> Vec<Mat4> {
        let last = self.frames.len().saturating_sub(1);
        let before = (frame.floor() as usize).min(last);
        let (after, part) = ((before + 1).min(last), frame - frame.floor());
        let mut matrices: Vec<Mat4> = Vec::new();
        for joint in &self.joints {
            let local = match (self.frames.get(before), self.frames.get(after)) {
                (Some(a), Some(b)) => {
                    let at = lerp(joint.position(a, adds), joint.position(b, adds), part);
                    let turn = slerp(joint.turn(a), joint.turn(b), part);
                    mul(&translation(at), &rotation(turn))
                }
                _ => translation(joint.offset),
            };
            let model = joint.parent.map_or(local, |parent| mul(&matrices[parent], &local));
            matrices.push(model);
        }
        matrices
    }
}

impl Joint {
    fn position(&self, row: &[f64], adds: bool) -> [f64; 3] {
        let mut position = self.offset;
        for (name, column) in &self.channels {
            if let Some(axis) = axis(name, "position") {
                position[axis] = row[*column] + if adds { self.offset[axis] } else { 0.0 };
            }
        }
        position
    }

    /// Returns the product of the rotations in file order.
    fn turn(&self, row: &[f64]) -> [f64; 4] {
        let mut turn = [0.0, 0.0, 0.0, 1.0];
        for (name, column) in &self.channels {
            if let Some(axis) = axis(name, "rotation") {
                turn = quaternion_product(turn, about(axis, row[*column].to_radians()));
            }
        }
        normalized(turn)
    }
}

/// Returns the axis of a lowercase channel name of this kind (`position` or `rotation`).
fn axis(name: &str, kind: &str) -> Option<usize> {
    ["x", "y", "z"].iter().position(|axis| name == format!("{axis}{kind}"))
}
