//! Compares played states with the closed form and the oracle's player.

use anim_formats::anim_ir::{Answer, EulerOrder, MachineId, Pose, Scene, StateId, StatePlayer};
use test_oracle::random::Rng;
use test_oracle::stt::{Player, Pose as Expected};

use super::{AT_REST, Case, STILL, angle, distance, generated, one_node};

/// The number of seconds to play.
const LATEST: f64 = 30.0;

fn player(scene: &Scene) -> StatePlayer<'_> {
    StatePlayer::new(scene, MachineId::new(0)).unwrap()
}

/// Compares the transforms of nodes. The tolerance for positions is relative to the largest
/// coordinate, `greatest`; that for rotations is in radians.
fn compare(case: &Case, pose: &Pose, expected: &Expected, greatest: f64, label: &str) {
    for (name, found) in case.nodes().zip(&pose.transforms) {
        let place = expected.get(name).copied().unwrap_or(AT_REST);
        let moved = distance(found.translation.to_array().map(f64::from), place.translation);
        let turned = angle(found.rotation.to_array().map(f64::from), place.rotation);
        assert!(
            moved <= 1e-4 * greatest && turned <= 1e-3,
            "{label}, {name:?}: off by {moved} and {turned}: {found:?} {place:?}"
        );
    }
}

/// Returns the largest coordinate, which determines the precision of f32.
fn greatest(case: &Case) -> f64 {
    let states = 0..case.file.states.len();
    let places = states.flat_map(|state| (0..=60).map(move |half| (state, f64::from(half) / 2.0)));
    let all = places.flat_map(|(state, time)| {
        case.nodes().map(|node| case.place(state, node, time).translation).collect::<Vec<_>>()
    });
    all.flatten().fold(1.0, |most, number| most.max(number.abs()))
}

/// Evaluates states at random times that are not in order, in all rotation orders.
#[test]
fn states_at_any_moment() {
    let mut compared = 0;
    for (index, rotation_order) in EulerOrder::ALL.into_iter().enumerate() {
        for seed in 0..12 {
            let seed = 1000 + seed * 6 + index as u64;
            let order = [("rotation-order", rotation_order.name())];
            let case = Case::with(&generated(seed, seed.is_multiple_of(2)), &order);
            let greatest = greatest(&case);
            let mut player = player(&case.scene);
            let (mut pose, mut rng) = (Pose::default(), Rng::new(seed));
            for state in 0..case.file.states.len() {
                for _ in 0..50 {
                    let time = rng.range(0.0, LATEST);
                    player.enter(StateId::new(state));
                    player.advance(time);
                    player.pose(&mut pose);
                    let expected = test_oracle::stt::pose_at(&case.file, state, time, case.order);
                    let label = format!("{rotation_order:?} {seed}, state {state} at {time}");
                    compare(&case, &pose, &expected, greatest, &label);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 20_000, "{compared}");
}

/// With three rotations by 90°, the rotation order makes a difference.
#[test]
fn orders_of_rotation() {
    let text = "#MINDRENDER 1.1 1 {state} SINGLE 1 {node} STATIC 0 0 0 1 2 3 90 90 90";
    let places = EulerOrder::ALL.map(|rotation_order| {
        let case = Case::with(text, &[("rotation-order", rotation_order.name())]);
        let mut pose = Pose::default();
        player(&case.scene).pose(&mut pose);
        let expected = test_oracle::stt::pose_at(&case.file, 0, 0.0, case.order);
        compare(&case, &pose, &expected, 1.0, "three rotations by 90°");
        pose.transforms[0].translation.to_array().map(f32::round)
    });
    // Rz · Ry · Rx rotates about x first (y → z, z → -y), then about y (z → x, x → -z), then about
    // z (x → y, y → -x).
    let zyx = EulerOrder::ALL.iter().position(|order| *order == EulerOrder::Zyx).unwrap();
    assert_eq!(places[zyx], [3.0, 2.0, -1.0]);
    assert!(places.iter().any(|place| *place != places[0]));
}

/// With a negative offset, the wave is evaluated at times before the state was entered.
#[test]
fn negative_offsets() {
    let case = Case::new(&one_node("0 0 0  8 0 0  2 -0.5 1", "0 0 0  0 8 0  2 -5.5 3", STILL));
    let mut player = player(&case.scene);
    let mut pose = Pose::default();
    let mut at = |time: f64| {
        player.enter(StateId::new(0));
        player.advance(time);
        player.pose(&mut pose);
        pose.transforms[0].translation.to_array()
    };
    // u is -1/4 and -11/4 at 0 s.
    assert_eq!(
        [at(0.0), at(0.5), at(1.0), at(5.5)],
        [[6.0, 4.0, 0.0], [0.0, 8.0, 0.0], [2.0, 4.0, 0.0], [4.0, 0.0, 0.0]]
    );
}

/// Compares the steps of a game loop and its requests with the oracle's player.
#[test]
fn requests_in_a_game_loop() {
    let mut changes = 0;
    for seed in 2000..2040 {
        let case = Case::new(&generated(seed, false));
        let (mut player, mut expected) = (player(&case.scene), Player::enter(&case.file, 0));
        let (mut pose, mut rng) = (Pose::default(), Rng::new(seed));
        let greatest = greatest(&case);
        for step in 0..600 {
            if rng.chance(10) {
                let wanted = rng.below(case.file.states.len());
                if !matches!(player.request(StateId::new(wanted)), Answer::Refused(_)) {
                    expected.request(wanted);
                }
            }
            let before = expected.state();
            player.advance(1.0 / 60.0);
            expected.advance(1.0 / 60.0);
            changes += usize::from(expected.state() != before);
            assert_eq!(
                (player.state().index(), player.requested().map(StateId::index)),
                (expected.state(), expected.requested()),
                "seed {seed}, step {step}"
            );
            player.pose(&mut pose);
            let label = format!("seed {seed}, step {step}");
            compare(&case, &pose, &expected.pose(case.order), greatest, &label);
        }
    }
    assert!(changes > 40, "{changes}");
}
