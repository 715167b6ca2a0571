//! Tests waves and sequences that are converted to keys, which must match the file's motion within
//! the tolerance at any time.

use anim_formats::anim_ir::EulerOrder;
use test_oracle::fixtures::scale;
use test_oracle::glb;
use test_oracle::math::Mat4;
use test_oracle::random::Rng;
use test_oracle::stt::{Behaviour, Motion, Transform};

use super::{AT_REST, Case, angle, distance, generated};
use crate::{glb_of, glb_with};

/// The number of comparisons, of those that match only on the other side of a jump, of keys, and of
/// nodes that move.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    moments: usize,
    beside_jumps: usize,
    keys: usize,
    moving: usize,
}

impl Seen {
    fn add(&mut self, other: Seen) {
        self.moments += other.moments;
        self.beside_jumps += other.beside_jumps;
        self.keys += other.keys;
        self.moving += other.moving;
    }
}

/// The range of a node's motion and rotation relative to its start, and its largest coordinate.
#[derive(Clone, Copy, Debug, Default)]
struct Range {
    moves: f64,
    turns: f64,
    greatest: f64,
}

impl Range {
    fn of(case: &Case, state: usize, node: &str, end: f64) -> Range {
        let first = case.place(state, node, 0.0);
        let mut range = Range::default();
        for step in 0..=1000 {
            let place = case.place(state, node, end * f64::from(step) / 1000.0);
            range.moves = range.moves.max(distance(first.translation, place.translation));
            range.turns = range.turns.max(angle(first.rotation, place.rotation));
            range.greatest = place
                .translation
                .iter()
                .fold(range.greatest, |most, number| most.max(number.abs()));
        }
        range
    }

    /// Returns whether a matrix matches a transform within the tolerance and the precision of f32.
    fn is_near(&self, found: &Mat4, place: &Transform, tolerance: f64) -> bool {
        let [x, y, z] = [0, 1, 2].map(|axis| found[3][axis]);
        let moved = distance([x, y, z], place.translation);
        // For two matrices that differ by an angle, the squared differences sum to 8 sin² of half
        // of it.
        let expected = place.matrix();
        let squares: f64 = (0..3)
            .flat_map(|column| (0..3).map(move |row| (column, row)))
            .map(|(c, r)| (found[c][r] - expected[c][r]).powi(2))
            .sum();
        let turned = 2.0 * (squares / 8.0).sqrt().min(1.0).asin();
        moved <= (tolerance * self.moves).max(2e-6 * self.greatest + 1e-30)
            && turned <= (tolerance * self.turns).max(4e-6)
    }
}

/// Returns times just before and after this time, at two distances. The near ones account for key
/// times being f32, the far ones for the limited number of bisections when locating a jump.
fn beside(time: f64, end: f64) -> [f64; 4] {
    let digits = 4.0 * (f64::from((time as f32).next_up()) - f64::from(time as f32));
    let more = digits + end * 2e-5;
    [-more, -digits, digits, more].map(|away| (time + away).max(0.0))
}

/// Compares each state with the animation of the same name, at the given number of times.
fn judge(case: &Case, model: &glb::Model, tolerance: f64, moments: usize, label: &str) -> Seen {
    let mut seen = Seen::default();
    let names = model.animation_names();
    let mut rng = Rng::new(moments as u64);
    for (state, said) in case.file.states.iter().enumerate() {
        let label = format!("{label}, state {state} {:?}", said.name);
        let called = if said.name.is_empty() { "animation" } else { &said.name };
        let Some(animation) = names.iter().position(|name| name == called) else {
            // A state at rest is not an animation in glTF.
            let still = (0..20).all(|step| {
                case.nodes().all(|node| case.place(state, node, f64::from(step)) == AT_REST)
            });
            assert!(still, "{label} has no animation");
            continue;
        };
        let keys = model.key_times(animation);
        // A state without a duration is held for the minimum duration of an animation.
        let end = Some(keys[keys.len() - 1]).filter(|end| *end != f64::from(1.0_f32 / 60.0));
        let end = end.unwrap_or(0.0);
        seen.keys += keys.len();
        let times: Vec<f64> = (0..moments).map(|_| rng.range(0.0, end)).collect();
        for (number, node) in case.nodes().enumerate() {
            let range = Range::of(case, state, node, end);
            let shown = if node.is_empty() { format!("joint_{number}") } else { node.to_owned() };
            seen.moving += usize::from(range.moves > 0.0 || range.turns > 0.0);
            for time in &times {
                let found = model.node_world(Some(animation), &shown, *time);
                seen.moments += 1;
                if !range.is_near(&found, &case.place(state, node, *time), tolerance) {
                    let fits = beside(*time, end).into_iter().any(|time| {
                        range.is_near(&found, &case.place(state, node, time), tolerance)
                    });
                    assert!(
                        fits,
                        "{label}, {node:?} at {time} of {end}: {found:?} is not {:?}, {range:?}",
                        case.place(state, node, *time).matrix()
                    );
                    seen.beside_jumps += 1;
                }
            }
        }
    }
    seen
}

/// Covers all types, layouts and rotation orders, with and without content that causes warnings.
#[test]
fn every_state_is_an_animation_within_the_tolerance() {
    let mut seen = Seen::default();
    let (mut channels, mut sequences) = ([0; 10], [0; 6]);
    for seed in 0..60 {
        let rotation_order = EulerOrder::ALL[seed as usize % 6];
        let case = Case::with(
            &generated(seed, seed % 2 == 1),
            &[("rotation-order", rotation_order.name()), ("loop-limit", "20")],
        );
        let label = format!("generated {seed}");
        seen.add(judge(&case, &glb_of(&case.scene), 0.001, scale(500, 1000), &label));
        for state in &case.file.states {
            match &state.motion {
                Motion::Keyframe(sequence) => sequences[usize::from(sequence.kind)] += 1,
                Motion::Single(nodes) => nodes.iter().for_each(|node| {
                    let Behaviour::Dynamic(moving) = node.behaviour else { return };
                    moving.iter().for_each(|channel| channels[usize::from(channel.kind)] += 1);
                }),
            }
        }
    }
    assert!(seen.moments > scale(250_000, 500_000) && seen.moving > 400, "{seen:?}");
    assert!(
        channels.iter().chain(&sequences).all(|count| *count > 5),
        "{channels:?} {sequences:?}"
    );
    assert!(seen.beside_jumps * 1000 < seen.moments, "{seen:?}");
    // A second of motion has a few dozen keys rather than a sample for every frame of every node.
    assert!(seen.keys < 500_000, "{seen:?}");
}

/// A smaller tolerance is respected and needs more keys; a larger tolerance needs fewer.
#[test]
fn the_requested_tolerance_is_respected() {
    let mut keys = Vec::new();
    for tolerance in ["0.1", "0.01", "0.0001"] {
        let mut seen = Seen::default();
        for seed in 100..112 {
            let case = Case::with(&generated(seed, false), &[("loop-limit", "20")]);
            let label = format!("tolerance {tolerance} {seed}");
            let model = glb_with(&case.scene, &[("tolerance", tolerance)]);
            seen.add(judge(&case, &model, tolerance.parse().unwrap(), 200, &label));
        }
        assert!(seen.beside_jumps * 1000 < seen.moments, "{tolerance}: {seen:?}");
        keys.push(seen.keys);
    }
    assert!(keys[1] > 2 * keys[0] && keys[2] > 5 * keys[1], "{keys:?}");
}
