//! The evaluator and the player of state transition tables on cases computed by hand, and on what
//! the generator writes.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "test code, which should fail loudly"
)]

use std::collections::BTreeSet;
use std::f64::consts::FRAC_1_SQRT_2;

use test_oracle::generate::Rng;
use test_oracle::generate_stt::{self, Layout, Options};
use test_oracle::math::{Mat4, mul, rotation, transform_point, translation};
use test_oracle::stt::{
    self, Behaviour, Channel, File, Moment, Motion, Order, Player, Pose, Sequence, Vectors,
};

#[track_caller]
fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    assert!(
        found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9),
        "{found:?} is not {expected:?}"
    );
}

const STATIC_EXAMPLE: &str = "#MINDRENDER 1.1
1
{my_first_state}
SINGLE
1
{my_static_node}
STATIC
0.000000 50.000000 0.000000
0.000000 0.000000 0.000000
0.000000 45.000000 0.000000
";

const DYNAMIC_EXAMPLE: &str =
    "#MINDRENDER 1.1 1 {my_second_state} SINGLE 1 {my_dynamic_node} DYNAMIC
0.000000 -50.000000 0.000000 0.000000 50.000000 0.000000 2.000000 0.000000 3
0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 8
0.000000 -80.000000 0.000000 0.000000 180.000000 0.000000 4.000000 0.000000 7";

const KEYFRAME_EXAMPLE: &str = "#MINDRENDER 1.1 3
{my_keyframe_state} KEYFRAME 2 3 {my_first_state}
1 4.000000 4.000000 0 0 {my_second_state}
1 4.000000 4.000000 0 0 {my_first_state}
{my_first_state} SINGLE 1 {my_dynamic_node} STATIC
0.000000 50.000000 0.000000 0.000000 0.000000 0.000000 0.000000 45.000000 0.000000
{my_second_state} SINGLE 1 {my_dynamic_node} DYNAMIC
0.000000 -50.000000 0.000000 0.000000 50.000000 0.000000 2.000000 0.000000 3
0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 8
0.000000 -80.000000 0.000000 0.000000 180.000000 0.000000 4.000000 0.000000 7";

/// What the only node of a state has at a time.
fn vectors(file: &File, t: f64) -> Vectors {
    let nodes = stt::single(file, 0, t);
    assert_eq!(nodes.len(), 1);
    nodes[0].1
}

#[test]
fn the_first_example_is_one_still_node() {
    let file = stt::parse(STATIC_EXAMPLE);
    assert_eq!(
        (&*file.version, file.states.len(), &*file.states[0].name),
        ("1.1", 1, "my_first_state")
    );
    let Motion::Single(nodes) = &file.states[0].motion else { panic!() };
    assert_eq!(nodes[0].name, "my_static_node");
    assert_eq!(
        nodes[0].behaviour,
        Behaviour::Static([[0.0, 50.0, 0.0], [0.0; 3], [0.0, 45.0, 0.0]])
    );
    let expected = Vectors {
        displacement: [0.0, 50.0, 0.0],
        translation: [0.0; 3],
        orientation: [0.0, 45.0, 0.0],
    };
    assert_eq!([-3.0, 0.0, 7.5].map(|t| vectors(&file, t)), [expected; 3]);
    let pose = &stt::pose_at(&file, 0, 0.0, Order::default())["my_static_node"];
    // An eighth of a turn about y takes z towards x.
    close(&transform_point(&pose.matrix(), [0.0, 0.0, 1.0]), &[FRAC_1_SQRT_2, 50.0, FRAC_1_SQRT_2]);
}

#[test]
fn the_second_example_swings_and_goes_up_and_down() {
    let file = stt::parse(DYNAMIC_EXAMPLE);
    let expected = [
        // The displacement is back after two seconds, the orientation after four.
        (0.0, -50.0, 50.0),
        (0.5, 0.0, 50.0 + 130.0 * FRAC_1_SQRT_2),
        (1.0, 50.0, 180.0),
        (1.5, 0.0, 50.0 + 130.0 * FRAC_1_SQRT_2),
        (2.0, -50.0, 50.0),
        (3.0, 50.0, -80.0),
        (4.0, -50.0, 50.0),
    ];
    for (t, up, turned) in expected {
        let at = vectors(&file, t);
        assert_eq!(at.translation, [0.0; 3]);
        close(&at.displacement, &[0.0, up, 0.0]);
        close(&at.orientation, &[0.0, turned, 0.0]);
    }
}

#[test]
fn the_third_example_switches_every_four_seconds() {
    let file = stt::parse(KEYFRAME_EXAMPLE);
    let Motion::Keyframe(sequence) = &file.states[0].motion else { panic!() };
    assert_eq!((sequence.kind, sequence.start_key()), (3, Some(1)));
    let height =
        |t: f64| stt::pose_at(&file, 0, t, Order::default())["my_dynamic_node"].translation[1];
    close(&[0.0, 3.9, 8.0, 11.9, 16.5].map(height), &[50.0; 5]);
    // The second state's ping-pong, whose clock ran before it was shown.
    close(&[4.0, 4.5, 5.0, 7.9, 12.25].map(height), &[-50.0, 0.0, 50.0, -40.0, -25.0]);
    assert_eq!([0.0, 4.0, 8.0].map(|t| stt::moment_at(sequence, t).unwrap().key), [1, 0, 1]);
}

#[test]
fn tokens_need_no_lines() {
    let words = "#MINDRENDER\t1.1\r1\x0c{ two\n words } SINGLE 1{SINGLE}STATIC .5 1. +1 -0 1e-400 \
                 2E1 0.1 16777217 -1e0";
    let file = stt::parse(words);
    assert_eq!(file.states[0].name, " two\n words ");
    let Motion::Single(nodes) = &file.states[0].motion else { panic!() };
    assert_eq!(nodes[0].name, "SINGLE");
    // Rounded to f32.
    let Behaviour::Static(vectors) = nodes[0].behaviour else { panic!() };
    assert_eq!(
        vectors,
        [[0.5, 1.0, 1.0], [0.0, 0.0, 20.0], [f64::from(0.1_f32), 16_777_216.0, -1.0]]
    );
}

#[test]
fn a_file_with_an_error_panics() {
    let fails = |from: &str, to: &str| {
        let text = KEYFRAME_EXAMPLE.replacen(from, to, 1);
        assert_ne!(text, KEYFRAME_EXAMPLE);
        std::panic::catch_unwind(|| stt::parse(&text)).is_err()
    };
    assert!(fails("#MIND", "#"));
    assert!(fails("1.1 3", "1.1 2") && fails("1.1 3", "1.1 4") && fails("1.1 3", "1.1 -1"));
    assert!(fails("KEYFRAME 2 3", "KEYFRAME 2 6") && fails(" 7", " 10"));
    assert!(fails("0 0 {", "0 2 {") && fails("1 4.0", "1 -4.0"));
    assert!(fails("-80.000000", "nan") && fails("-80.000000", "1e39") && fails("-80.000000", ""));
    assert!(fails("{my_first_state}", "my_first_state}"));
    assert!(!fails("-80.000000", "-180.000000"));
}

/// A channel from (10, 0, −4) to (20, 0, 4) that is a second ahead.
fn moving(kind: u8, period: f64) -> Channel {
    Channel { start: [10.0, 0.0, -4.0], end: [20.0, 0.0, 4.0], period, offset: 1.0, kind }
}

/// u = 1/8, 3/4, 3/2, −1/4 and −1 of a period of 4 s.
const TIMES: [f64; 5] = [-0.5, 2.0, 5.0, -2.0, -5.0];

#[test]
fn each_type_of_channel_follows_the_table() {
    let sine = 5.0 * FRAC_1_SQRT_2;
    let expected = [
        [10.0, 10.0, 10.0, 10.0, 10.0],
        [11.25, 17.5, 15.0, 17.5, 10.0],
        [18.75, 12.5, 15.0, 12.5, 20.0],
        [12.5, 15.0, 20.0, 15.0, 10.0],
        [17.5, 15.0, 10.0, 15.0, 20.0],
        [11.25, 17.5, 20.0, 10.0, 10.0],
        [18.75, 12.5, 10.0, 20.0, 20.0],
        [15.0 + sine, 10.0, 15.0, 10.0, 15.0],
        [10.0, 10.0, 10.0, 10.0, 10.0],
        [1.25, 7.5, 15.0, -2.5, -10.0],
    ];
    for (kind, expected) in expected.into_iter().enumerate() {
        let channel = moving(kind as u8, 4.0);
        close(&TIMES.map(|t| stt::channel(&channel, t)[0]), &expected);
        assert_eq!(TIMES.map(|t| stt::channel(&channel, t)[1]), [0.0; 5]);
        // The last component is −4 where the first one is 10, and 4 where that is 20; a delta has
        // no end.
        let third = |x: f64| if kind == 9 { -0.4 * x } else { (x - 15.0) * 0.8 };
        close(&TIMES.map(|t| stt::channel(&channel, t)[2]), &expected.map(third));
    }
}

#[test]
fn an_offset_below_zero_is_a_delay() {
    let late =
        |kind: u8, t: f64| stt::channel(&Channel { offset: -3.0, ..moving(kind, 4.0) }, t)[0];
    close(&[0.0, 3.0, 4.0].map(|t| late(1, t)), &[12.5, 10.0, 12.5]);
    close(&[0.0, 3.0, 4.0, 7.0].map(|t| late(5, t)), &[10.0, 10.0, 12.5, 20.0]);
    close(&[0.0, 3.0, 5.0].map(|t| late(9, t)), &[-7.5, 0.0, 5.0]);
}

#[test]
fn without_a_period_all_but_the_delta_stay_at_the_start() {
    for period in [0.0, -0.0, -4.0] {
        for kind in 0..9 {
            assert_eq!(
                TIMES.map(|t| stt::channel(&moving(kind, period), t)),
                [[10.0, 0.0, -4.0]; 5]
            );
        }
        // Without the offset.
        assert_eq!(
            TIMES.map(|t| stt::channel(&moving(9, period), t)[0]),
            [-5.0, 20.0, 50.0, -20.0, -50.0]
        );
    }
}

#[test]
fn a_node_is_moved_then_turned_then_moved() {
    let vectors = Vectors {
        displacement: [10.0, 20.0, 30.0],
        translation: [1.0, 0.0, 0.0],
        orientation: [90.0, 90.0, 0.0],
    };
    let place =
        |order: Order, point: [f64; 3]| transform_point(&vectors.compose(order).matrix(), point);
    // (1 1 0), about x to (1 0 1), about y to (1 0 −1).
    close(&place(Order::Zyx, [0.0, 1.0, 0.0]), &[11.0, 20.0, 29.0]);
    // (1 1 0), about y to (0 1 −1), about x to (0 1 1).
    close(&place(Order::Xyz, [0.0, 1.0, 0.0]), &[10.0, 21.0, 31.0]);
    assert_eq!(Order::default(), Order::Zyx);
}

#[test]
fn each_order_is_the_product_that_its_name_says() {
    let vectors = Vectors {
        displacement: [1.0, -2.0, 3.0],
        translation: [4.0, 5.0, -6.0],
        orientation: [200.0, -70.0, 33.0],
    };
    // Without quaternions.
    let about = |axis: usize| -> Mat4 {
        let (sin, cos) = vectors.orientation[axis].to_radians().sin_cos();
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut m = translation([0.0; 3]);
        (m[next][next], m[next][last], m[last][next], m[last][last]) = (cos, sin, -sin, cos);
        m
    };
    let mut seen = BTreeSet::new();
    for order in Order::ALL {
        let turns = format!("{order:?}")
            .bytes()
            .map(|letter| about(usize::from(letter.to_ascii_lowercase() - b'x')))
            .collect::<Vec<_>>();
        let turned = mul(&turns[0], &mul(&turns[1], &turns[2]));
        let expected = mul(
            &translation(vectors.displacement),
            &mul(&turned, &translation(vectors.translation)),
        );
        close(vectors.compose(order).matrix().as_flattened(), expected.as_flattened());
        seen.insert(format!("{:.6?}", expected));
    }
    assert_eq!(seen.len(), 6);
}

/// A keyframe state `k` that plays the still states a, b and c, whose node `n` is at x = 0, 10 and
/// 30. The times of the ways on are 1, 2 and 3 seconds, of those back 4, 5 and 6.
/// `flags` are those of all keys; `exits` of each.
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

/// The key at each time by the closed form, which the player must agree with.
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

/// Where the node is.
fn x_at(file: &File, t: f64) -> f64 {
    stt::pose_at(file, 0, t, Order::default())["n"].translation[0]
}

#[test]
fn each_type_of_keyframes_goes_its_way() {
    let keys =
        |kind: u8, start: &str, times: &[f64]| keys_at(&abc(kind, start, "0 0", [0; 3]), times);
    assert_eq!(keys(0, "b", &[0.0, 1.0, 1e6]), "bbb");
    // On: b 2, c 3, a 1.
    assert_eq!(
        keys(1, "b", &[0.0, 1.9, 2.0, 4.9, 5.0, 5.9, 6.0, 7.9, 8.0, 11.0, 602.0]),
        "bbccaabbcac"
    );
    // Back: b 5, a 4, c 6.
    assert_eq!(keys(2, "b", &[0.0, 4.9, 5.0, 8.9, 9.0, 14.9, 15.0, 20.0]), "bbaaccba");
    // On b 2, back c 6, back b 5, on a 1, again.
    assert_eq!(
        keys(3, "b", &[0.0, 1.9, 2.0, 7.9, 8.0, 12.9, 13.0, 13.9, 14.0, 16.0]),
        "bbccbbaabc"
    );
    // At the last key it turns at once.
    assert_eq!(keys(3, "c", &[0.0, 5.9, 6.0, 11.0, 12.0, 13.9, 14.0]), "ccbabbc");
    // Back b 5, on a 1, on b 2, back c 6.
    assert_eq!(keys(4, "b", &[0.0, 4.9, 5.0, 5.9, 6.0, 7.9, 8.0, 13.9, 14.0, 19.0]), "bbaabbccba");
    assert_eq!(keys(4, "a", &[0.0, 0.9, 1.0, 3.0, 9.0, 14.0]), "aabcba");
    assert_eq!(keys(4, "c", &[0.0, 5.9, 6.0]), "ccb");
    assert_eq!(keys(5, "b", &[0.0, 1.9, 2.0, 1e6]), "bbcc");
    assert_eq!(keys(5, "c", &[0.0, 1e6]), "cc");
    // A name that is not in the list: the first key.
    assert_eq!(keys(5, "other", &[0.0, 0.9, 1.0, 3.0]), "aabc");
}

#[test]
fn of_keys_of_one_name_the_first_starts() {
    let file = stt::parse(
        "#MINDRENDER 1.1 3 {k} KEYFRAME 3 5 {b} 0 1 1 0 0 {a} 0 2 1 0 0 {b} 0 1 1 0 0 {b} {a} \
         SINGLE 0 {b} SINGLE 0",
    );
    assert_eq!(keys_at(&file, &[0.0, 1.9, 2.0]), "bbc");
}

#[test]
fn a_flag_blends_over_the_time_of_the_way() {
    let xs = |kind: u8, start: &str, flags: &str, times: &[f64]| {
        let file = abc(kind, start, flags, [0; 3]);
        keys_at(&file, times);
        times.iter().map(|&t| x_at(&file, t)).collect::<Vec<_>>()
    };
    // From c, at 30, to a in the last key's three seconds.
    close(
        &xs(1, "b", "1 0", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 5.5]),
        &[10.0, 20.0, 30.0, 20.0, 10.0, 0.0, 5.0],
    );
    // From a to c in the first key's four.
    close(
        &xs(2, "b", "0 1", &[0.0, 2.5, 5.0, 7.0, 9.0, 12.0]),
        &[10.0, 5.0, 0.0, 15.0, 30.0, 20.0],
    );
    // There switching, back blending.
    close(
        &xs(3, "b", "0 1", &[0.0, 1.9, 2.0, 5.0, 8.0, 10.5, 13.5]),
        &[10.0, 10.0, 30.0, 20.0, 10.0, 5.0, 0.0],
    );
    close(&xs(5, "b", "1 0", &[1.0, 2.0, 3.0]), &[20.0, 30.0, 30.0]);
    let file = abc(1, "a", "1 0", [0; 3]);
    assert_eq!(
        stt::moment_at(sequence(&file), 1.5),
        Some(Moment { key: 1, blend: Some((2, 0.25)) })
    );
}

#[test]
fn no_time_is_skipped_unless_there_is_no_other() {
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
    // On, b takes no time: a 1, c 3.
    assert_eq!(keys(1, "1 0 0 0", "3 0 0 0", &[0.0, 0.9, 1.0, 3.9, 4.0, 5.0]), "aaccac");
    // No way takes time.
    for flags in ["0 0", "1 1"] {
        let none = &format!("0 5 {flags}");
        assert_eq!(keys(1, none, none, &[0.0, 9.0]), "aa");
        assert_eq!(keys(5, none, none, &[0.0, 9.0]), "cc");
    }
    // There and back, neither the first key's way back nor the last one's way on counts, but b's
    // back does.
    assert_eq!(keys(3, "0 9 0 0", "9 0 0 0", &[0.0, 1.9, 2.0, 9.0]), "bbbb");
    // Back from the start takes no time.
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
fn one_key_or_none_is_no_way() {
    for kind in 0..6 {
        let one = format!(
            "#MINDRENDER 1.1 2 {{k}} KEYFRAME 1 {kind} {{a}} 0 1 1 1 1 {{a}} {{a}} SINGLE 1 {{n}} \
             STATIC 5 0 0 0 0 0 0 0 0"
        );
        let one = stt::parse(&one);
        assert_eq!(keys_at(&one, &[0.0, 0.5, 1.0, 7.5]), "aaaa");
        close(&[0.0, 0.5, 7.5].map(|t| x_at(&one, t)), &[5.0; 3]);
        let none = stt::parse(&format!("#MINDRENDER 1.1 1 {{k}} KEYFRAME 0 {kind} {{a}}"));
        assert_eq!(keys_at(&none, &[0.0, 1.0]), "--");
        assert_eq!(stt::pose_at(&none, 0, 1.0, Order::default()), Pose::new());
    }
}

/// A keyframe state of two keys that blend forwards in two seconds, and the nodes of its states.
fn blend_of(a: &str, b: &str) -> File {
    stt::parse(&format!(
        "#MINDRENDER 1.1 3 {{k}} KEYFRAME 2 1 {{a}} 0 2 0 1 0 {{a}} 0 2 0 1 0 {{b}} {{a}} SINGLE \
         {a} {{b}} SINGLE {b}"
    ))
}

#[test]
fn what_is_blended_is_composed() {
    let file = blend_of("1 {n} STATIC 0 0 0 1 0 0 0 0 0", "1 {n} STATIC 10 0 0 1 0 0 0 0 90");
    let place = |t: f64, point: [f64; 3]| {
        transform_point(&stt::pose_at(&file, 0, t, Order::default())["n"].matrix(), point)
    };
    close(&place(0.0, [0.0; 3]), &[1.0, 0.0, 0.0]);
    close(&place(2.0, [0.0; 3]), &[10.0, 1.0, 0.0]);
    // Half-way between the two places; the raw vectors would be turned by 45° and give y = 0.7.
    close(&place(1.0, [0.0; 3]), &[5.5, 0.5, 0.0]);
    // Turned by 45°, and on the way back too.
    let turned = [5.5 + FRAC_1_SQRT_2, 0.5 + FRAC_1_SQRT_2, 0.0];
    close(&place(1.0, [1.0, 0.0, 0.0]), &turned);
    close(&place(3.0, [1.0, 0.0, 0.0]), &turned);
    // At constant speed: a third of the way is 30°.
    close(
        &place(2.0 / 3.0, [1.0, 0.0, 0.0]),
        &[4.0 + 30.0_f64.to_radians().cos(), 1.0 / 3.0 + 0.5, 0.0],
    );
}

#[test]
fn rotations_take_the_shorter_way() {
    let file = blend_of("1 {n} STATIC 0 0 0 0 0 0 0 0 350", "1 {n} STATIC 0 0 0 0 0 0 0 0 20");
    let q = stt::pose_at(&file, 0, 1.0, Order::default())["n"].rotation;
    close(
        &transform_point(&rotation(q), [1.0, 0.0, 0.0]),
        &[5.0_f64.to_radians().cos(), 5.0_f64.to_radians().sin(), 0.0],
    );
}

#[test]
fn a_node_that_one_state_lacks_is_where_the_other_has_it() {
    let file = blend_of(
        "2 {n} STATIC 2 0 0 0 0 0 0 0 0 {a} STATIC 3 0 0 0 0 0 0 0 0",
        "2 {b} STATIC 4 0 0 0 0 0 0 0 0 {n} STATIC 6 0 0 0 0 0 0 0 0",
    );
    let xs = |t: f64| {
        let pose = stt::pose_at(&file, 0, t, Order::default());
        pose.into_iter()
            .map(|(name, transform)| format!("{name}{}", transform.translation[0]))
            .collect::<Vec<_>>()
            .join(" ")
    };
    // Held or not, a way's first moment is a part 0 of it.
    assert_eq!([0.0, 0.5, 1.5, 2.0].map(xs), ["a3 b4 n2", "a3 b4 n3", "a3 b4 n5", "a3 b4 n6"]);
    assert_eq!(
        stt::pose_at(&file, 1, 0.0, Order::default()).into_keys().collect::<Vec<_>>(),
        ["a", "n"]
    );
}

#[test]
fn all_clocks_run_since_the_keyframe_state_was_entered() {
    // Two deltas, of 1 and of 10 a second.
    let delta =
        |x: u8| format!("1 {{n}} DYNAMIC {x} 0 0 0 0 0 0 0 9 0 0 0 0 0 0 0 0 8 0 0 0 0 0 0 0 0 8");
    let blended = blend_of(&delta(1), &delta(10));
    // Half-way at 1 s and 3 s, at b at 2 s, at a at 4 s.
    close(&[1.0, 2.0, 3.0, 4.0].map(|t| x_at(&blended, t)), &[5.5, 20.0, 16.5, 4.0]);
    let text = format!(
        "#MINDRENDER 1.1 3 {{k}} KEYFRAME 2 1 {{a}} 0 2 0 0 0 {{a}} 0 2 0 0 0 {{b}} {{a}} SINGLE \
         {} {{b}} SINGLE {}",
        delta(1),
        delta(10)
    );
    let switched = stt::parse(&text);
    close(&[1.0, 2.0, 3.0, 4.0].map(|t| x_at(&switched, t)), &[1.0, 20.0, 30.0, 4.0]);
}

#[test]
fn a_keyframe_state_in_another_one_has_the_same_clock() {
    // The outer one plays the inner one from 2 s on, which shows b from 1 s on and a from 3 s on.
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

/// The state other than the played one.
const OTHER: usize = 4;

/// When a keyframe state is left that is asked to at a time, in seconds since it was entered.
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
fn a_single_state_is_left_at_once() {
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
    // a until 1, b until 3, c until 6.
    let switched = abc(1, "a", "0 0", [0, 1, 0]);
    assert_eq!(
        [0.0, 0.5, 1.0, 2.5, 3.0, 4.0, 6.5].map(|t| left(&switched, t)),
        [1.0, 1.0, 1.0, 2.5, 7.0, 7.0, 7.0].map(Some)
    );
    assert_eq!(left(&abc(1, "a", "0 0", [0; 3]), 0.5), None);
    // On the way to another key there is no exit, but in the moment in which it begins.
    let blended = abc(1, "a", "1 1", [0, 1, 0]);
    assert_eq!(
        [0.0, 0.5, 1.0, 1.5, 3.0].map(|t| left(&blended, t)),
        [1.0, 1.0, 1.0, 7.0, 7.0].map(Some)
    );
    assert_eq!([0.0, 0.5].map(|t| left(&abc(1, "a", "1 1", [1, 0, 0]), t)), [0.0, 6.0].map(Some));
    // Where nothing goes on there is time.
    for flags in ["0 0", "1 1"] {
        assert_eq!(
            [0.0, 3.0, 50.0].map(|t| left(&abc(5, "a", flags, [0, 0, 1]), t)),
            [3.0, 3.0, 50.0].map(Some)
        );
        assert_eq!(left(&abc(5, "a", flags, [1, 1, 0]), 3.5), None);
        assert_eq!(
            [0.0, 50.0].map(|t| left(&abc(0, "a", flags, [1, 0, 0]), t)),
            [0.0, 50.0].map(Some)
        );
        assert_eq!(left(&abc(0, "a", flags, [0, 1, 1]), 0.0), None);
    }
    // Back and there: b until 5, a until 6, b until 8.
    assert_eq!(
        [0.0, 5.5, 7.0].map(|t| left(&abc(4, "b", "0 0", [1, 0, 0]), t)),
        [5.0, 5.5, 19.0].map(Some)
    );
}

#[test]
fn a_key_that_takes_no_time_is_an_exit() {
    let states = "{a} SINGLE 0 {b} SINGLE 0 {c} SINGLE 0 {other} SINGLE 0";
    for flag in [0, 1] {
        let keys = format!("{{a}} 0 1 0 0 0 {{a}} 1 0 0 {flag} 0 {{b}} 0 1 0 0 0 {{c}}");
        let file = stt::parse(&format!("#MINDRENDER 1.1 5 {{k}} KEYFRAME 3 1 {keys} {states}"));
        assert_eq!(keys_at(&file, &[0.0, 0.9, 1.0, 1.9, 2.0]), "aacca");
        // One that is asked at 1 s is too late.
        assert_eq!([0.0, 0.5, 1.0, 2.5].map(|t| left(&file, t)), [1.0, 1.0, 3.0, 3.0].map(Some));
    }
    let none = stt::parse(&format!("#MINDRENDER 1.1 5 {{k}} KEYFRAME 0 1 {{a}} {states}"));
    assert_eq!(left(&none, 0.5), Some(0.5));
}

#[test]
fn the_last_request_counts_and_begins_anew() {
    let file = abc(1, "a", "0 0", [0, 1, 0]);
    let mut player = Player::enter(&file, 0);
    player.request(OTHER);
    player.request(0);
    // It is left at 1 s for itself, is at b again 1 s later, where nothing is asked any more, and
    // until 4 s.
    player.advance(4.5);
    assert_eq!(
        (player.state(), player.clock(), player.key(), player.requested()),
        (0, 3.5, Some(2), None)
    );
}

fn files(options: Options) -> impl Iterator<Item = (Rng, File)> {
    (0..150).map(move |seed| {
        let mut rng = Rng::new(seed);
        let text = generate_stt::file(&mut rng, &options);
        assert_eq!(text, generate_stt::file(&mut Rng::new(seed), &options));
        let file = stt::parse(&text);
        assert_eq!((&*file.version, file.states.len()), ("1.1", options.states));
        (rng, file)
    })
}

fn sequences(file: &File) -> impl Iterator<Item = &Sequence> {
    file.states.iter().filter_map(|state| {
        if let Motion::Keyframe(sequence) = &state.motion { Some(sequence) } else { None }
    })
}

fn channels(file: &File) -> Vec<Channel> {
    let nodes = file.states.iter().filter_map(|state| {
        if let Motion::Single(nodes) = &state.motion { Some(nodes) } else { None }
    });
    let dynamic = nodes.flatten().filter_map(|node| {
        if let Behaviour::Dynamic(channels) = node.behaviour { Some(channels) } else { None }
    });
    dynamic.flatten().collect()
}

#[test]
fn the_player_agrees_with_the_closed_form() {
    let (mut blends, mut turns) = (0, 0);
    for odd in [false, true] {
        for (mut rng, file) in files(Options { odd, layout: Layout::Mixed, ..Options::default() }) {
            for (state, _) in file
                .states
                .iter()
                .enumerate()
                .filter(|(_, state)| matches!(state.motion, Motion::Keyframe(_)))
            {
                let order = rng.pick(&Order::ALL);
                let mut player = Player::enter(&file, state);
                for _ in 0..30 {
                    let pose = player.pose(order);
                    let expected = stt::pose_at(&file, state, player.clock(), order);
                    assert!(pose.keys().eq(expected.keys()));
                    for (found, expected) in pose.values().zip(expected.values()) {
                        let (found, expected) = (found.matrix(), expected.matrix());
                        let far = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-6 * (1.0 + b.abs());
                        assert!(
                            !found.as_flattened().iter().zip(expected.as_flattened()).any(far),
                            "{found:?} is not {expected:?}"
                        );
                    }
                    blends +=
                        usize::from(player.moment().is_some_and(|moment| moment.blend.is_some()));
                    let key = player.key();
                    player.advance(rng.range(0.0, 1.5));
                    turns += usize::from(player.key() != key);
                }
            }
        }
    }
    assert!(blends > 1000 && turns > 1000, "{blends} {turns}");
}

#[test]
fn files_have_every_type_and_what_is_asked_for() {
    for odd in [false, true] {
        let files: Vec<File> =
            files(Options { odd, ..Options::default() }).map(|(_, file)| file).collect();
        let channels: Vec<Channel> = files.iter().flat_map(channels).collect();
        let sequences: Vec<&Sequence> = files.iter().flat_map(sequences).collect();
        assert_eq!(
            channels.iter().map(|channel| channel.kind).collect::<BTreeSet<_>>(),
            (0..10).collect()
        );
        assert_eq!(
            sequences.iter().map(|sequence| sequence.kind).collect::<BTreeSet<_>>(),
            (0..6).collect()
        );
        assert!(
            channels.iter().any(|channel| channel.offset < 0.0)
                && channels.iter().any(|channel| channel.offset > channel.period.abs())
        );
        assert!(
            channels.iter().any(|channel| channel.period == 0.0)
                && channels.iter().any(|channel| channel.period < 0.0)
        );
        assert!(!channels.iter().any(|channel| 0.0 < channel.period && channel.period < 0.1));

        let keys = || sequences.iter().flat_map(|sequence| &sequence.keys);
        assert!(keys().any(|key| key.exit) && keys().any(|key| !key.exit));
        assert!(
            keys().any(|key| key.forward.time == 0.0) && keys().any(|key| key.forward.time > 0.0)
        );
        assert!(keys().any(|key| key.backward.morph != key.forward.morph));
        assert!(sequences.iter().any(|sequence| sequence.start_key().is_some_and(|key| key > 0)));
        let names: Vec<&str> =
            files.iter().flat_map(|file| &file.states).map(|state| &*state.name).collect();
        assert!(
            names.iter().any(|name| name.starts_with(' '))
                && names.iter().any(|name| name.contains("two  blanks"))
        );

        // What is odd.
        let still = channels
            .iter()
            .filter(|channel| !matches!(channel.kind, 0 | 8) && channel.period <= 0.0)
            .count();
        let unknown = sequences
            .iter()
            .filter(|sequence| sequence.keys.iter().all(|key| key.state != sequence.start))
            .count();
        let is_keyframe = |file: &File, name: &str| {
            matches!(file.states[file.find(name)].motion, Motion::Keyframe(_))
        };
        let nested = files
            .iter()
            .map(|file| sequences_playing(file, |name| is_keyframe(file, name)))
            .sum::<usize>();
        let single = |motion: &Motion| {
            if let Motion::Single(nodes) = motion { nodes.is_empty() } else { false }
        };
        let empty = files
            .iter()
            .flat_map(|file| &file.states)
            .filter(|state| single(&state.motion))
            .count();
        let no_keys = sequences.iter().filter(|sequence| sequence.keys.is_empty()).count();
        let nameless = names.iter().filter(|name| name.is_empty()).count();
        let found = [
            still,
            unknown,
            nested,
            empty,
            no_keys,
            nameless,
            names.iter().filter(|name| name.contains('\t')).count(),
        ];
        assert!(found.iter().all(|&count| (count > 0) == odd), "{found:?}");
    }
    let tiny = files(Options { tiny_periods: true, ..Options::default() })
        .flat_map(|(_, file)| channels(&file));
    assert!(tiny.filter(|channel| 0.0 < channel.period && channel.period < 1e-5).count() > 100);
}

fn sequences_playing(file: &File, test: impl Fn(&str) -> bool) -> usize {
    sequences(file).filter(|sequence| sequence.keys.iter().any(|key| test(&key.state))).count()
}

#[test]
fn files_name_no_state_twice_and_play_only_what_there_is() {
    for (_, file) in files(Options { odd: true, states: 40, ..Options::default() }) {
        let names: BTreeSet<&str> = file.states.iter().map(|state| &*state.name).collect();
        assert_eq!(names.len(), 40);
        let played = || {
            sequences(&file).flat_map(|sequence| {
                sequence.keys.iter().map(|key| &*key.state).chain([&*sequence.start])
            })
        };
        assert!(played().count() > 0 && played().all(|name| names.contains(name)));
        for state in 0..40 {
            stt::pose_at(&file, state, 1.0, Order::default());
        }
    }
}

#[test]
fn layouts_are_what_they_are_called() {
    let text =
        |layout| generate_stt::file(&mut Rng::new(3), &Options { layout, ..Options::default() });
    let published = text(Layout::Published);
    // Numbers with a point have six decimals, and a vector has a line.
    let with_point = |word: &&str| word.contains('.') && word.parse::<f64>().is_ok();
    let numbers: Vec<&str> =
        published.lines().skip(1).flat_map(str::split_whitespace).filter(with_point).collect();
    assert!(
        numbers.len() > 50
            && numbers.iter().all(|number| number.rsplit_once('.').unwrap().1.len() == 6),
        "{published}"
    );
    assert!(published.lines().any(|line| line.split(' ').filter(with_point).count() == 3));
    assert!(text(Layout::Tokens).lines().all(|line| line.starts_with('{') || !line.contains(' ')));
    assert!(!text(Layout::Line).contains(['\n', '\r']));
    assert!(text(Layout::Mixed).contains('\x0c') && text(Layout::Mixed).contains("\r\n"));
    assert!(text(Layout::Line).contains('e') && text(Layout::Line).contains('+'));
}

#[test]
fn big_files_are_as_big_as_asked() {
    for one_line in [false, true] {
        let bytes = generate_stt::large(100_000, one_line);
        assert!((100_000..110_000).contains(&bytes.len()), "{}", bytes.len());
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text.contains('\n'), !one_line);
        let file = stt::parse(&text);
        assert!(sequences(&file).count() > 2 && channels(&file).len() > 100);
        assert!(
            sequences(&file)
                .flat_map(|sequence| &sequence.keys)
                .all(|key| file.find(&key.state) < file.states.len())
        );
    }
    let file = stt::parse(&String::from_utf8(generate_stt::states(1000)).unwrap());
    let names: BTreeSet<&str> = file.states.iter().map(|state| &*state.name).collect();
    assert!(
        names.len() == 1000
            && file.states.iter().all(|state| state.motion == Motion::Single(Vec::new()))
    );
}
