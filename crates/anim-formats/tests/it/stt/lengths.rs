//! Tests the duration of a state's animation.

use anim_formats::stt::codes;
use anim_formats::{AnyDocument, Settings};
use test_oracle::fixtures::scale;
use test_oracle::stt::{Behaviour, Channel, Motion};

use super::{Case, STILL, generated, one_node};
use crate::{format, glb_of, scene_of};

/// Returns the duration of the only animation in the GLB.
fn end(text: &str) -> f64 {
    *glb_of(&Case::new(text).scene).key_times(0).last().unwrap()
}

fn both(a: &str, b: &str) -> f64 {
    end(&one_node(&format!("0 0 0  1 0 0  {a}"), &format!("0 0 0  0 1 0  {b}"), STILL))
}

#[test]
fn waves_repeat_together() {
    assert_eq!(both("2 0 7", "3 0 3"), 6.0);
    assert_eq!(both("2 0.7 7", "2 -9 1"), 2.0, "the offset does not matter");
    assert_eq!(both("0.5 0 1", "0.75 0 3"), 1.5);
    assert_eq!(both("100 0 7", "100 0 3"), 100.0);
}

/// Waves that do not repeat together within a minute last as long as the longest.
#[test]
fn waves_that_do_not_repeat_together() {
    assert_eq!(both("7 0 7", "11 0 3"), 11.0);
    assert_eq!(both("3.14259 0 7", "2 0 3"), f64::from(3.14259_f32));
    let text = one_node("0 0 0  1 0 0  7 0 7", "0 0 0  1 0 0  11 0 3", STILL);
    let long = Case::with(&text, &[("loop-limit", "80")]);
    assert_eq!(long.scene.clips[0].end, 77.0);
    let parsed = AnyDocument::parse(text.as_bytes(), format("stt"), &Settings::default());
    let losses = scene_of(&parsed.unwrap().value, &[]).losses;
    assert_eq!(losses.count(&codes::LOOP), 1, "{losses:?}");
}

#[test]
fn waves_that_do_not_repeat() {
    assert_eq!(both("5 0 5", "3 0 6"), 5.0);
    assert_eq!(both("5 1 5", "3 0 6"), 4.0, "the offset skips the first second");
    assert_eq!(end(&one_node("1 2 3  0 0 0  2.5 0 9", STILL, STILL)), 2.5, "a period of growth");
    assert_eq!(end(&one_node("1 2 3  0 0 0  0 0 9", STILL, STILL)), 1.0, "a second of growth");
    let still = end("#MINDRENDER 1.1 1 {state} SINGLE 1 {node} STATIC 1 2 3 4 5 6 7 8 9");
    assert_eq!(still, f64::from(1.0_f32 / 60.0), "an animation must have a duration");
}

/// A ping-pong sequence lasts for one round in both directions, a loop for one round, and a
/// sequence that is played once until its last key.
#[test]
fn a_round_of_a_sequence() {
    let single =
        "{s} SINGLE 1 {node} DYNAMIC 0 0 0 1 0 0 7 0 7  0 0 0 0 0 0 0 0 8  0 0 0 0 0 0 0 0 8";
    let keys = "1 1 10 1 1 {s} 1 2 20 1 1 {s} 1 4 40 1 1 {s}";
    let seconds = |kind: u8| {
        let scene = Case::new(&format!(
            "#MINDRENDER 1.1 2 {single} {{round}} KEYFRAME 3 {kind} {{s}} {keys}"
        ))
        .scene;
        let model = glb_of(&scene);
        assert_eq!(model.animation_names(), ["s", "round"]);
        *model.key_times(1).last().unwrap()
    };
    assert_eq!(
        [0, 1, 2, 3, 4, 5].map(seconds),
        [7.0, 7.0, 70.0, 63.0, 63.0, 3.0],
        "a sequence that remains at its start is as long as that state"
    );
}

/// The duration is the least common multiple of the periods if that is short enough, and otherwise
/// the longest period.
#[test]
fn generated_lengths() {
    let (mut together, mut longest) = (0, 0);
    for seed in 200..scale(260, 300) {
        let case = Case::new(&generated(seed, false));
        let singles = case.file.states.iter().filter_map(|state| match &state.motion {
            Motion::Single(nodes) => Some(nodes),
            Motion::Keyframe(_) => None,
        });
        for (clip, nodes) in case.scene.clips.iter().zip(singles) {
            let channels = nodes.iter().filter_map(|node| match node.behaviour {
                Behaviour::Dynamic(channels) => Some(channels),
                _ => None,
            });
            let moving: Vec<Channel> = channels
                .flatten()
                .filter(|channel| channel.start != channel.end && channel.period > 0.0)
                .collect();
            // Periods are multiples of an eighth of a second.
            let periods = moving
                .iter()
                .filter(|channel| matches!(channel.kind, 1..=4 | 7))
                .map(|channel| (channel.period * 8.0) as u64);
            let Some(all) = periods.clone().reduce(least_common_multiple) else { continue };
            let most = periods.max().unwrap();
            let round = if all <= 480 || all == most { all } else { most } as f64 / 8.0;
            let rounds = f64::from(clip.end) / round;
            assert!(
                rounds == rounds.round() && rounds >= 1.0,
                "seed {seed}, {:?}: {} s is not a multiple of {round} s",
                clip.name,
                clip.end
            );
            if rounds > 1.0 {
                let once = moving
                    .iter()
                    .filter(|channel| matches!(channel.kind, 5 | 6))
                    .map(|channel| channel.period - channel.offset);
                assert!(
                    once.fold(0.0, f64::max) > f64::from(clip.end) - round,
                    "seed {seed}, {:?}: {rounds} unnecessary rounds",
                    clip.name
                );
            }
            together += usize::from(all > most && all <= 480);
            longest += usize::from(all > 480);
        }
    }
    assert!(together > 20 && longest > 20, "{together} {longest}");
}

fn least_common_multiple(a: u64, b: u64) -> u64 {
    (1..=b).map(|times| a * times).find(|multiple| multiple % b == 0).unwrap()
}
