//! Tests keyframe states and the player with hand-computed cases.

use std::f64::consts::FRAC_1_SQRT_2;

use test_oracle::math::{rotation, transform_point};
use test_oracle::stt::{self, File, Moment, Motion, Order, Player, Pose, Sequence};

use crate::close;

/// Returns a keyframe state `k` that plays the static states a, b and c, whose node `n` is at x =
/// 0, x = 10 and x = 30. Forward transitions take 1, 2 and 3 seconds; backward transitions take 4,
/// 5 and 6 seconds. `flags` applies to all keys, and each of the `exits` to one key.
fn abc(kind: u8, start: &str, flags: &str, exits: [u8; 3]) -> File {
    let mut text = format!("#MINDRENDER 1.1 5 {{k}} KEYFRAME 3 {kind} {{{start}}}\n");
    for (exit, key) in exits.into_iter().zip(["1 4 _ {a}", "2 5 _ {b}", "3 6 _ {c}"]) {
        text += &format!("{exit} {}\n", key.replace('_', flags));
    }
    for (name, x) in [("a", 0), ("b", 10), ("c", 30), ("other", 99)] {
        text += &format!("{{{name}}} SINGLE 1 {{n}} STATIC {x} 0 0 0 0 0 0 0 0\n");
    }
    stt::parse(&text)
}

fn sequence(file: &File) -> &Sequence {
    let Motion::Keyframe(sequence) = &file.states[0].motion else { panic!("not KEYFRAME") };
    sequence
}

/// Returns the key at each time according to the closed form, and asserts that the player agrees.
fn keys_at(file: &File, times: &[f64]) -> String {
    let mut player = Player::enter(file, 0);
    let keys = times.iter().map(|&t| {
        player.advance(t - player.clock());
        let moment = stt::moment_at(sequence(file), t);
        assert_eq!(player.moment(), moment);
        assert_eq!(player.key(), moment.map(|moment| moment.key));
        moment.map_or('-', |moment| ['a', 'b', 'c'][moment.key])
    });
    keys.collect()
}

/// Returns the position of the node.
fn x_at(file: &File, t: f64) -> f64 {
    stt::pose_at(file, 0, t, Order::default())["n"].translation[0]
}

#[test]
fn each_sequence_type_has_its_order() {
    let keys =
        |kind: u8, start: &str, times: &[f64]| keys_at(&abc(kind, start, "0 0", [0; 3]), times);
    assert_eq!(keys(0, "b", &[0.0, 1.0, 1e6]), "bbb");
    // Forwards: b for 2 s, c for 3 s, a for 1 s.
    assert_eq!(
        keys(1, "b", &[0.0, 1.9, 2.0, 4.9, 5.0, 5.9, 6.0, 7.9, 8.0, 11.0, 602.0]),
        "bbccaabbcac"
    );
    // Backwards: b for 5 s, a for 4 s, c for 6 s.
    assert_eq!(keys(2, "b", &[0.0, 4.9, 5.0, 8.9, 9.0, 14.9, 15.0, 20.0]), "bbaaccba");
    // Forwards b for 2 s, backwards c for 6 s, backwards b for 5 s, forwards a for 1 s, and so on.
    assert_eq!(
        keys(3, "b", &[0.0, 1.9, 2.0, 7.9, 8.0, 12.9, 13.0, 13.9, 14.0, 16.0]),
        "bbccbbaabc"
    );
    // If playback starts at the last key, it reverses immediately.
    assert_eq!(keys(3, "c", &[0.0, 5.9, 6.0, 11.0, 12.0, 13.9, 14.0]), "ccbabbc");
    // Backwards b for 5 s, forwards a for 1 s, forwards b for 2 s, backwards c for 6 s.
    assert_eq!(keys(4, "b", &[0.0, 4.9, 5.0, 5.9, 6.0, 7.9, 8.0, 13.9, 14.0, 19.0]), "bbaabbccba");
    assert_eq!(keys(4, "a", &[0.0, 0.9, 1.0, 3.0, 9.0, 14.0]), "aabcba");
    assert_eq!(keys(4, "c", &[0.0, 5.9, 6.0]), "ccb");
    assert_eq!(keys(5, "b", &[0.0, 1.9, 2.0, 1e6]), "bbcc");
    assert_eq!(keys(5, "c", &[0.0, 1e6]), "cc");
    // If no key has the start name, the first key is used.
    assert_eq!(keys(5, "other", &[0.0, 0.9, 1.0, 3.0]), "aabc");
}

#[test]
fn playback_starts_at_the_first_key_with_the_start_name() {
    let file = stt::parse(
        "#MINDRENDER 1.1 3 {k} KEYFRAME 3 5 {b} 0 1 1 0 0 {a} 0 2 1 0 0 {b} 0 1 1 0 0 {b} {a} \
         SINGLE 0 {b} SINGLE 0",
    );
    assert_eq!(keys_at(&file, &[0.0, 1.9, 2.0]), "bbc");
}

#[test]
fn a_flag_blends_over_the_time_of_the_transition() {
    let xs = |kind: u8, start: &str, flags: &str, times: &[f64]| {
        let file = abc(kind, start, flags, [0; 3]);
        keys_at(&file, times);
        times.iter().map(|&t| x_at(&file, t)).collect::<Vec<_>>()
    };
    for (kind, flags, times, expected) in [
        // The transition from c, at 30, to a takes the last key's three seconds.
        (1, "1 0", [0.0, 1.0, 2.0, 3.0, 4.0, 5.5], [10.0, 20.0, 30.0, 20.0, 10.0, 5.0]),
        // The transition from a to c takes the first key's four seconds.
        (2, "0 1", [0.0, 2.5, 5.0, 7.0, 9.0, 12.0], [10.0, 5.0, 0.0, 15.0, 30.0, 20.0]),
        // Forward transitions switch; backward transitions blend.
        (3, "0 1", [0.0, 1.9, 2.0, 5.0, 8.0, 10.5], [10.0, 10.0, 30.0, 20.0, 10.0, 5.0]),
        (5, "1 0", [0.0, 0.5, 1.0, 1.5, 2.0, 3.0], [10.0, 15.0, 20.0, 25.0, 30.0, 30.0]),
    ] {
        close(&xs(kind, "b", flags, &times), &expected);
    }
    close(&xs(1, "b", "1 0", &[5.0]), &[0.0]);
    close(&xs(3, "b", "0 1", &[13.5]), &[0.0]);
    let file = abc(1, "a", "1 0", [0; 3]);
    let expected = Moment { key: 1, blend: Some((2, 0.25)) };
    assert_eq!(stt::moment_at(sequence(&file), 1.5), Some(expected));
}

#[test]
fn keys_without_duration_are_skipped_unless_all_are() {
    let keys = |kind: u8, a: &str, c: &str, times: &[f64]| {
        let keys = format!("{{a}} 0 {a} {{a}} 0 0 2 1 1 {{b}} 0 {c} {{c}}");
        keys_at(
            &stt::parse(&format!(
                "#MINDRENDER 1.1 4 {{k}} KEYFRAME 3 {kind} {keys} {{a}} SINGLE 0 {{b}} SINGLE 0 \
                 {{c}} SINGLE 0"
            )),
            times,
        )
    };
    // Forwards, b has zero duration: a for 1 s, c for 3 s.
    assert_eq!(keys(1, "1 0 0 0", "3 0 0 0", &[0.0, 0.9, 1.0, 3.9, 4.0, 5.0]), "aaccac");
    // All transitions have zero duration.
    for flags in ["0 0", "1 1"] {
        let none = &format!("0 5 {flags}");
        assert_eq!(keys(1, none, none, &[0.0, 9.0]), "aa");
        assert_eq!(keys(5, none, none, &[0.0, 9.0]), "cc");
    }
    // In a ping-pong, the first key's backward transition and the last key's forward transition are
    // not used, but b's backward transition is.
    assert_eq!(keys(3, "0 9 0 0", "9 0 0 0", &[0.0, 1.9, 2.0, 9.0]), "bbbb");
    // The backward transition from the start has zero duration.
    assert_eq!(keys(2, "7 0 1 1", "7 1 0 0", &[0.0, 0.9, 1.0, 2.9, 3.0]), "ccbbc");
    for kind in [3, 4] {
        let keys = "{b} 0 0 9 0 0 {a} 0 9 0 0 0 {b}";
        let timeless = stt::parse(&format!(
            "#MINDRENDER 1.1 3 {{k}} KEYFRAME 2 {kind} {keys} {{a}} SINGLE 0 {{b}} SINGLE 0"
        ));
        assert_eq!(keys_at(&timeless, &[0.0, 50.0]), "bb");
    }
}

#[test]
fn one_key_or_none_has_no_transition() {
    for kind in 0..6 {
        let one = stt::parse(&format!(
            "#MINDRENDER 1.1 2 {{k}} KEYFRAME 1 {kind} {{a}} 0 1 1 1 1 {{a}} \
             {{a}} SINGLE 1 {{n}} STATIC 5 0 0 0 0 0 0 0 0"
        ));
        assert_eq!(keys_at(&one, &[0.0, 0.5, 1.0, 7.5]), "aaaa");
        close(&[0.0, 0.5, 7.5].map(|t| x_at(&one, t)), &[5.0; 3]);
        let none = stt::parse(&format!("#MINDRENDER 1.1 1 {{k}} KEYFRAME 0 {kind} {{a}}"));
        assert_eq!(keys_at(&none, &[0.0, 1.0]), "--");
        assert_eq!(stt::pose_at(&none, 0, 1.0, Order::default()), Pose::new());
    }
}

/// Returns a keyframe state with two keys that blend in two seconds, and the nodes of its
/// states.
fn blend_of(a: &str, b: &str) -> File {
    stt::parse(&format!(
        "#MINDRENDER 1.1 3 {{k}} KEYFRAME 2 1 {{a}} 0 2 0 1 0 {{a}} 0 2 0 1 0 {{b}} {{a}} SINGLE \
         {a} {{b}} SINGLE {b}"
    ))
}

#[test]
fn blending_happens_after_composition() {
    let file = blend_of("1 {n} STATIC 0 0 0 1 0 0 0 0 0", "1 {n} STATIC 10 0 0 1 0 0 0 0 90");
    let place = |t: f64, point: [f64; 3]| {
        transform_point(&stt::pose_at(&file, 0, t, Order::default())["n"].matrix(), point)
    };
    close(&place(0.0, [0.0; 3]), &[1.0, 0.0, 0.0]);
    close(&place(2.0, [0.0; 3]), &[10.0, 1.0, 0.0]);
    // The node is halfway between the two positions. Interpolating the raw vectors would rotate it
    // by 45°, with y = 0.7.
    close(&place(1.0, [0.0; 3]), &[5.5, 0.5, 0.0]);
    // Rotated by 45°, in both directions of playback.
    let turned = [5.5 + FRAC_1_SQRT_2, 0.5 + FRAC_1_SQRT_2, 0.0];
    close(&place(1.0, [1.0, 0.0, 0.0]), &turned);
    close(&place(3.0, [1.0, 0.0, 0.0]), &turned);
    // The speed is constant: 30° after a third of the time.
    close(
        &place(2.0 / 3.0, [1.0, 0.0, 0.0]),
        &[4.0 + 30.0_f64.to_radians().cos(), 1.0 / 3.0 + 0.5, 0.0],
    );
}

#[test]
fn rotations_take_the_shorter_arc() {
    let file = blend_of("1 {n} STATIC 0 0 0 0 0 0 0 0 350", "1 {n} STATIC 0 0 0 0 0 0 0 0 20");
    let q = stt::pose_at(&file, 0, 1.0, Order::default())["n"].rotation;
    close(
        &transform_point(&rotation(q), [1.0, 0.0, 0.0]),
        &[5.0_f64.to_radians().cos(), 5.0_f64.to_radians().sin(), 0.0],
    );
}

#[test]
fn a_node_missing_from_one_state_is_posed_by_the_other() {
    let file = blend_of(
        "2 {n} STATIC 2 0 0 0 0 0 0 0 0 {a} STATIC 3 0 0 0 0 0 0 0 0",
        "2 {b} STATIC 4 0 0 0 0 0 0 0 0 {n} STATIC 6 0 0 0 0 0 0 0 0",
    );
    let xs = |state: usize, t: f64| {
        let pose = stt::pose_at(&file, state, t, Order::default());
        let nodes = pose.iter().map(|(name, node)| format!("{name}{} ", node.translation[0]));
        nodes.collect::<String>()
    };
    // The first moment of a transition has progress 0, whether or not the key is held.
    for (t, expected) in [(0.0, "n2"), (0.5, "n3"), (1.5, "n5"), (2.0, "n6")] {
        assert_eq!(xs(0, t), format!("a3 b4 {expected} "));
    }
    assert_eq!(xs(1, 0.0), "a3 n2 ");
}

#[test]
fn all_clocks_start_when_the_keyframe_state_is_entered() {
    // The two deltas are 1 and 10 per second.
    let delta =
        |x: u8| format!("1 {{n}} DYNAMIC {x} 0 0 0 0 0 0 0 9 0 0 0 0 0 0 0 0 8 0 0 0 0 0 0 0 0 8");
    let blended = blend_of(&delta(1), &delta(10));
    // Playback is halfway between the keys at 1 s and 3 s, at b at 2 s, and at a at 4 s.
    close(&[1.0, 2.0, 3.0, 4.0].map(|t| x_at(&blended, t)), &[5.5, 20.0, 16.5, 4.0]);
    let (a, b) = (delta(1), delta(10));
    let switched = stt::parse(&format!(
        "#MINDRENDER 1.1 3 {{k}} KEYFRAME 2 1 {{a}} 0 2 0 0 0 {{a}} 0 2 0 0 0 {{b}} \
         {{a}} SINGLE {a} {{b}} SINGLE {b}"
    ));
    close(&[1.0, 2.0, 3.0, 4.0].map(|t| x_at(&switched, t)), &[1.0, 20.0, 30.0, 4.0]);
}

#[test]
fn nested_keyframe_states_share_a_clock() {
    // From 2 s, the outer state plays the inner state, which shows b from 1 s and a from 3 s.
    let file = stt::parse(
        "#MINDRENDER 1.1 4 {outer} KEYFRAME 2 1 {a} 0 2 0 0 0 {a} 0 2 0 0 0 {inner}
        {inner} KEYFRAME 2 1 {a} 0 1 0 0 0 {a} 0 2 0 0 0 {b}
        {a} SINGLE 1 {n} STATIC 1 0 0 0 0 0 0 0 0 {b} SINGLE 1 {n} STATIC 7 0 0 0 0 0 0 0 0",
    );
    close(
        &[0.0, 1.5, 2.0, 2.9, 3.0, 3.9, 4.0, 6.0, 7.5].map(|t| x_at(&file, t)),
        &[1.0, 1.0, 7.0, 7.0, 1.0, 1.0, 1.0, 1.0, 7.0],
    );
}

#[test]
#[should_panic = "plays itself"]
fn a_keyframe_state_that_plays_itself_has_no_pose() {
    let file = stt::parse(
        "#MINDRENDER 1.1 2 {k} KEYFRAME 1 1 {l} 0 1 1 0 0 {l} {l} KEYFRAME 1 1 {k} 0 1 1 0 0 {k}",
    );
    stt::pose_at(&file, 0, 0.5, Order::default());
}

/// The state that the keyframe state does not play.
const OTHER: usize = 4;

/// Returns the time when a keyframe state is left if another state is requested at `asked`, in
/// seconds since it was entered.
fn left(file: &File, asked: f64) -> Option<f64> {
    let mut player = Player::enter(file, 0);
    player.advance(asked);
    player.request(OTHER);
    if player.state() != OTHER {
        assert_eq!(player.requested(), Some(OTHER));
        player.advance(100.0);
    }
    (player.state() == OTHER).then(|| {
        assert_eq!((player.requested(), player.key()), (None, None));
        asked + if player.clock() == 0.0 { 0.0 } else { 100.0 - player.clock() }
    })
}

#[test]
fn a_single_state_is_left_immediately() {
    let file = abc(1, "a", "0 0", [0; 3]);
    let mut player = Player::enter(&file, OTHER);
    player.advance(7.0);
    assert_eq!((player.state(), player.clock(), player.moment()), (OTHER, 7.0, None));
    close(&player.pose(Order::default())["n"].translation, &[99.0, 0.0, 0.0]);
    player.request(1);
    assert_eq!((player.state(), player.clock(), player.requested()), (1, 0.0, None));
    player.request(0);
    player.advance(1.5);
    assert_eq!((player.state(), player.clock(), player.key()), (0, 1.5, Some(1)));
}

#[test]
fn a_keyframe_state_is_left_at_its_exits() {
    let check = |kind, start, flags, exits, asked: &[f64], expected: &[f64]| {
        let file = abc(kind, start, flags, exits);
        let found: Vec<Option<f64>> = asked.iter().map(|&t| left(&file, t)).collect();
        let expected: Vec<Option<f64>> = expected.iter().copied().map(Some).collect();
        assert_eq!(found, expected, "{kind} {start} {flags} {exits:?}");
    };
    let never = |kind, flags, exits, t| assert_eq!(left(&abc(kind, "a", flags, exits), t), None);
    // a until 1 s, b until 3 s, c until 6 s.
    let asked = [0.0, 0.5, 1.0, 2.5, 3.0, 4.0, 6.5];
    check(1, "a", "0 0", [0, 1, 0], &asked, &[1.0, 1.0, 1.0, 2.5, 7.0, 7.0, 7.0]);
    never(1, "0 0", [0; 3], 0.5);
    // A state cannot be left during a transition, except at its start.
    let asked = [0.0, 0.5, 1.0, 1.5, 3.0];
    check(1, "a", "1 1", [0, 1, 0], &asked, &[1.0, 1.0, 1.0, 7.0, 7.0]);
    check(1, "a", "1 1", [1, 0, 0], &[0.0, 0.5], &[0.0, 6.0]);
    // At a key where the player stays, the state can be left at any time.
    for flags in ["0 0", "1 1"] {
        check(5, "a", flags, [0, 0, 1], &[0.0, 3.0, 50.0], &[3.0, 3.0, 50.0]);
        never(5, flags, [1, 1, 0], 3.5);
        check(0, "a", flags, [1, 0, 0], &[0.0, 50.0], &[0.0, 50.0]);
        never(0, flags, [0, 1, 1], 0.0);
    }
    // Backwards, then forwards: b until 5 s, a until 6 s, b until 8 s.
    check(4, "b", "0 0", [1, 0, 0], &[0.0, 5.5, 7.0], &[5.0, 5.5, 19.0]);
}

#[test]
fn a_key_without_duration_can_be_an_exit() {
    let states = "{a} SINGLE 0 {b} SINGLE 0 {c} SINGLE 0 {other} SINGLE 0";
    for flag in [0, 1] {
        let keys = format!("{{a}} 0 1 0 0 0 {{a}} 1 0 0 {flag} 0 {{b}} 0 1 0 0 0 {{c}}");
        let file = stt::parse(&format!("#MINDRENDER 1.1 5 {{k}} KEYFRAME 3 1 {keys} {states}"));
        assert_eq!(keys_at(&file, &[0.0, 0.9, 1.0, 1.9, 2.0]), "aacca");
        // A request at 1 s is too late.
        assert_eq!([0.0, 0.5, 1.0, 2.5].map(|t| left(&file, t)), [1.0, 1.0, 3.0, 3.0].map(Some));
    }
    let none = stt::parse(&format!("#MINDRENDER 1.1 5 {{k}} KEYFRAME 0 1 {{a}} {states}"));
    assert_eq!(left(&none, 0.5), Some(0.5));
}

#[test]
fn the_last_request_is_used_and_can_restart_the_state() {
    let file = abc(1, "a", "0 0", [0, 1, 0]);
    let mut player = Player::enter(&file, 0);
    player.request(OTHER);
    player.request(0);
    // The state is restarted at 1 s and reaches b again 1 s later. Playback stays at b until 4 s,
    // since no request is pending.
    player.advance(4.5);
    assert_eq!((player.state(), player.clock(), player.key()), (0, 3.5, Some(2)));
    assert_eq!(player.requested(), None);
}
