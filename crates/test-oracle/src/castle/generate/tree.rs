//! Scenes, independent of their encoding.

use crate::math::{normalized, slerp};
use crate::random::Rng;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) kind: &'static str,
    pub(super) def: Option<String>,
    /// Whether the node is a USE of an earlier DEF.
    pub(super) used: bool,
    pub(super) fields: Vec<(&'static str, Value)>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Vectors with this number of components.
    Numbers {
        values: Vec<f64>,
        size: usize,
        many: bool,
        change: Change,
    },
    /// A quaternion x y z w.
    Rotation {
        turn: [f64; 4],
        varies: bool,
    },
    Integers(Vec<i64>),
    /// An integer, boolean or enumerated value.
    Word(String),
    Text(String),
    Texts(Vec<String>),
    Node(Box<Node>),
    Nodes(Vec<Node>),
    /// The scene of an inlined file.
    File(Box<Node>),
}

/// How values vary from frame to frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    Constant,
    /// Values change by at most this amount.
    By(f64),
    /// Values change by at most this amount, except for the last row of a matrix.
    Affine(f64),
    /// Values change by a factor near 1.
    Factor,
}

impl Node {
    pub(super) fn new(kind: &'static str) -> Self {
        Self { kind, def: None, used: false, fields: Vec::new() }
    }

    /// Returns a node with children.
    pub(super) fn group(kind: &'static str, children: Vec<Self>) -> Self {
        Self::new(kind).with("children", Value::Nodes(children))
    }

    pub(super) fn with(mut self, name: &'static str, value: Value) -> Self {
        self.fields.push((name, value));
        self
    }

    pub(super) fn word(self, name: &'static str, value: impl ToString) -> Self {
        self.with(name, Value::Word(value.to_string()))
    }

    pub(super) fn vector(self, name: &'static str, values: &[f64], change: Change) -> Self {
        let (values, size) = (values.to_vec(), values.len());
        self.with(name, Value::Numbers { values, size, many: false, change })
    }

    /// Adds a vector that is the same in all frames.
    pub(super) fn fixed(self, name: &'static str, values: &[f64]) -> Self {
        self.vector(name, values, Change::Constant)
    }

    /// Adds a rotation by up to `degrees` that varies with a probability of `percent` %.
    pub(super) fn rotation(
        self,
        name: &'static str,
        degrees: f64,
        percent: usize,
        rng: &mut Rng,
    ) -> Self {
        let (turn, varies) = (rng.turn(degrees), rng.chance(percent));
        self.with(name, Value::Rotation { turn, varies })
    }

    /// Adds vectors with the given number of components.
    pub(super) fn vectors(
        self,
        name: &'static str,
        size: usize,
        values: Vec<f64>,
        change: Change,
    ) -> Self {
        self.with(name, Value::Numbers { values, size, many: true, change })
    }

    pub(super) fn node(self, name: &'static str, node: Self) -> Self {
        self.with(name, Value::Node(Box::new(node)))
    }

    /// Returns the node with a DEF name, and a USE of it.
    pub(super) fn defined(mut self, name: String) -> (Self, Self) {
        self.def = Some(name);
        let again = Self { used: true, fields: Vec::new(), ..self.clone() };
        (self, again)
    }

    /// Returns the first matching node of the tree.
    pub(super) fn find(&mut self, wanted: &dyn Fn(&Self) -> bool) -> Option<&mut Self> {
        if wanted(self) {
            return Some(self);
        }
        self.fields.iter_mut().find_map(|(_, value)| match value {
            Value::Node(node) | Value::File(node) => node.find(wanted),
            Value::Nodes(nodes) => nodes.iter_mut().find_map(|node| node.find(wanted)),
            _ => None,
        })
    }

    pub(super) fn integers(&mut self, name: &str) -> Option<&mut Vec<i64>> {
        self.fields.iter_mut().find_map(|(field, value)| match value {
            Value::Integers(integers) if *field == name => Some(integers),
            _ => None,
        })
    }
}

/// Returns the scene at a later time. Most of the varying values have changed.
pub(super) fn moved(scene: &Node, rng: &mut Rng) -> Node {
    let mut scene = scene.clone();
    change(&mut scene, rng);
    scene
}

fn change(node: &mut Node, rng: &mut Rng) {
    for (_, value) in &mut node.fields {
        match value {
            Value::Node(node) | Value::File(node) => change(node, rng),
            Value::Nodes(nodes) => nodes.iter_mut().for_each(|node| change(node, rng)),
            _ if rng.chance(15) => {}
            Value::Numbers { values, change: Change::By(most), .. } => {
                values.iter_mut().for_each(|x| *x += rng.range(-*most, *most))
            }
            Value::Numbers { values, change: Change::Affine(most), .. } => {
                let rows = values.iter_mut().enumerate().filter(|(i, _)| i % 4 < 3);
                rows.for_each(|(_, x)| *x += rng.range(-*most, *most));
            }
            Value::Numbers { values, change: Change::Factor, .. } => {
                values.iter_mut().for_each(|x| *x *= rng.range(0.6, 1.6))
            }
            Value::Rotation { turn: from, varies: true } => {
                // Rotate about a random axis, or about its own axis towards twice its angle.
                let to = rng.turn(359.0);
                let to = if rng.chance(30) { about_the_same_axis(*from, rng) } else { to };
                *from = slerp(*from, to, (150.0 / angle(*from, to)).min(1.0));
            }
            _ => {}
        }
    }
}

fn about_the_same_axis([x, y, z, w]: [f64; 4], rng: &mut Rng) -> [f64; 4] {
    let length = (x * x + y * y + z * z).sqrt();
    if length < 1e-3 {
        return [x, y, z, w];
    }
    let (sin, cos) = rng.range(0.0, 3.1).sin_cos();
    [x / length * sin, y / length * sin, z / length * sin, cos]
}

/// Returns the angle between two rotations, in degrees.
fn angle(a: [f64; 4], b: [f64; 4]) -> f64 {
    let (a, b) = (normalized(a), normalized(b));
    let dot: f64 = (0..4).map(|i| a[i] * b[i]).sum();
    (2.0 * dot.abs().min(1.0).acos()).to_degrees().max(1e-6)
}

/// Returns the largest angle in degrees between corresponding rotations of two scenes that differ
/// only in numeric values.
pub(super) fn greatest_turn(a: &Node, b: &Node) -> f64 {
    let of_values = |(a, b): (&(&str, Value), &(&str, Value))| match (&a.1, &b.1) {
        (Value::Rotation { turn: a, .. }, Value::Rotation { turn: b, .. }) => angle(*a, *b),
        (Value::Node(a) | Value::File(a), Value::Node(b) | Value::File(b)) => greatest_turn(a, b),
        (Value::Nodes(a), Value::Nodes(b)) => {
            a.iter().zip(b).map(|(a, b)| greatest_turn(a, b)).fold(0.0, f64::max)
        }
        _ => 0.0,
    };
    a.fields.iter().zip(&b.fields).map(of_values).fold(0.0, f64::max)
}
