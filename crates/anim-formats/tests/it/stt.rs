//! Tests state transition tables through the facade: converted to GLB, played, and written back.
//! The results are compared with an independent evaluation.

mod keys;
mod lengths;
mod played;
mod restored;
mod to_glb;
mod written;

use anim_formats::anim_ir::{EulerOrder, Scene, validate};
use anim_formats::stt::ToIr;
use anim_formats::{AnyDocument, Settings, detect};
use test_oracle::random::Rng;
use test_oracle::stt::generate::{self, Layout, Options};
use test_oracle::stt::{self, Order, Transform};

use crate::{Set, format, scene_of, settings};

/// A file, read by this project and by the oracle.
struct Case {
    scene: Scene,
    file: stt::File,
    order: Order,
}

impl Case {
    fn new(text: &str) -> Case {
        Case::with(text, &[])
    }

    fn with(text: &str, options: Set<'_>) -> Case {
        let file = stt::parse(text);
        assert_eq!(detect(text.as_bytes(), None)[0].format, format("stt"));
        let parsed = AnyDocument::parse(text.as_bytes(), format("stt"), &Settings::default());
        let scene = scene_of(&parsed.unwrap().value, options).value;
        let problems = validate(&scene);
        assert!(problems.is_empty(), "{problems:?}");
        let options: ToIr = settings(options).apply();
        let order = EulerOrder::ALL.into_iter().position(|order| order == options.rotation_order);
        Case { scene, file, order: Order::ALL[order.unwrap()] }
    }

    /// Returns the names of all nodes, in skeleton order.
    fn nodes(&self) -> impl Iterator<Item = &str> {
        self.scene.skeletons[0].joints.iter().map(|joint| joint.name.as_str())
    }

    /// Returns the transform of a node, which is at rest if the state does not list it.
    fn place(&self, state: usize, node: &str, time: f64) -> Transform {
        stt::pose_at(&self.file, state, time, self.order).get(node).copied().unwrap_or(AT_REST)
    }
}

const AT_REST: Transform = Transform { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] };

/// Generates a file with states of both kinds. `seed` also determines its layout.
fn generated(seed: u64, odd: bool) -> String {
    let layout = Layout::ALL[seed as usize % Layout::ALL.len()];
    let text = generate::file(
        &mut Rng::new(seed),
        &Options { layout, states: 6, odd, tiny_periods: false },
    );
    without_days(&text)
}

/// Replaces periods of 10⁶ seconds with periods of ten seconds without an offset, since the tests
/// of limits already cover clips of that length.
fn without_days(text: &str) -> String {
    let mut is_offset = false;
    let words = text.split_inclusive(|c: char| c.is_ascii_whitespace()).map(|word| {
        let (token, blank) = word.split_at(word.trim_ascii_end().len());
        let is_period = matches!(token, "1000000" | "1000000.000000");
        let replaced = if is_period {
            "10"
        } else if is_offset && !token.is_empty() {
            "0"
        } else {
            token
        };
        is_offset = is_period || is_offset && token.is_empty();
        format!("{replaced}{blank}")
    });
    words.collect()
}

/// Returns a file with one state and one node, whose channels are given as text: start, end,
/// period, offset and type.
fn one_node(displacement: &str, translation: &str, orientation: &str) -> String {
    format!(
        "#MINDRENDER 1.1 1 {{state}} SINGLE 1 {{node}} DYNAMIC {displacement} {translation} \
         {orientation}"
    )
}

/// A channel that remains at 0.
const STILL: &str = "0 0 0  0 0 0  0 0 8";

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// Returns the angle between two rotations in radians, accurate for small angles.
fn angle(a: [f64; 4], b: [f64; 4]) -> f64 {
    let length =
        |sign: f64| a.iter().zip(b).map(|(a, b)| (a + sign * b).powi(2)).sum::<f64>().sqrt();
    let (apart, together) = (length(-1.0), length(1.0));
    4.0 * apart.min(together).atan2(apart.max(together))
}
