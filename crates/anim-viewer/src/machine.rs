//! The state machines of a scene as the page plays them.

use anim_formats::anim_ir::{
    Clip, Curve, Motion, Scene, Sequence, SequenceKey, StateMachine, Transition, WaveShape,
};
use serde::Serialize;

/// The states of a machine, as JSON for the page.
#[derive(Serialize)]
pub struct Machine {
    /// Its name; may be empty.
    name: String,
    states: Vec<State>,
}

#[derive(Serialize)]
struct State {
    name: String,
    /// The index of the clip; `None` for a sequence.
    clip: Option<usize>,
    /// The length of the clip, in seconds.
    duration: f64,
    repeat: Option<Repeat>,
    sequence: Option<States>,
}

/// The part of a clip that repeats after its end, in seconds from its start.
#[derive(Clone, Copy, Serialize)]
struct Repeat {
    from: f64,
    length: f64,
}

/// A sequence of states.
#[derive(Serialize)]
struct States {
    order: &'static str,
    start: usize,
    keys: Vec<Key>,
}

#[derive(Serialize)]
struct Key {
    state: Option<usize>,
    exit: bool,
    forward: Way,
    backward: Way,
}

#[derive(Serialize)]
struct Way {
    seconds: f64,
    morph: bool,
}

/// The time for which motion that never repeats is shown, in seconds.
const SHOWN: f64 = 60.0;
/// The largest number of periods of the slowest wave that are tried as the period of all.
const MOST_PERIODS: u16 = 10_000;

impl Machine {
    /// Describes the state machines of a scene. Clips are extended to show how their waves go on
    /// after the end of the clip.
    pub(crate) fn all(scene: &mut Scene) -> Vec<Machine> {
        let machines = scene.machines.clone();
        let described = machines.iter().map(|machine| Machine::of(machine, scene));
        let mut described: Vec<Machine> = described.collect();
        for (machine, described) in machines.iter().zip(&mut described) {
            extend(machine, scene, &mut described.states);
        }
        described
    }

    fn of(machine: &StateMachine, scene: &Scene) -> Machine {
        let states = machine.states.iter().map(|state| {
            let mut described = State {
                name: state.name.clone(),
                clip: None,
                duration: 0.0,
                repeat: None,
                sequence: None,
            };
            match &state.motion {
                Motion::Clip(clip) => {
                    described.clip = Some(clip.index());
                    described.duration = scene.clip(*clip).map_or(0.0, Clip::duration);
                }
                Motion::Sequence(sequence) => described.sequence = Some(States::of(sequence)),
                _ => {}
            }
            described
        });
        Machine { name: machine.name.clone(), states: states.collect() }
    }

    /// Forgets what repeats, for clips that are not extended.
    pub(crate) fn forget_repeats(&mut self) {
        self.states.iter_mut().for_each(|state| state.repeat = None);
    }
}

/// Extends the clips of states.
fn extend(machine: &StateMachine, scene: &mut Scene, states: &mut [State]) {
    for (state, described) in machine.states.iter().zip(states) {
        let Motion::Clip(id) = state.motion else { continue };
        let Some(clip) = scene.clip(id) else { continue };
        let (repeat, end) = continuation(scene, clip);
        described.repeat = repeat;
        if let Some(clip) = scene.clip_mut(id)
            && end > clip.duration()
        {
            #[expect(clippy::cast_possible_truncation, reason = "at most some minutes")]
            let extended = (f64::from(clip.start) + end) as f32;
            clip.end = extended;
        }
    }
}

/// Returns what repeats after the end of a clip, and the length that the clip must have to show it.
fn continuation(scene: &Scene, clip: &Clip) -> (Option<Repeat>, f64) {
    let duration = clip.duration();
    let Some(timeline) = scene.timeline(clip.timeline) else { return (None, duration) };
    let start = f64::from(clip.start);
    let mut periods: Vec<f64> = Vec::new();
    let (mut settles, mut grows) = (0.0_f64, false);
    for track in timeline.tracks().iter().filter(|track| clip.has_target(track.target)) {
        let Curve::Wave(wave) = &track.curve else { continue };
        match wave.shape {
            _ if wave.is_constant() => {}
            WaveShape::Once => {
                settles = settles.max(f64::from(wave.period) - f64::from(wave.offset) - start);
            }
            WaveShape::Growth => grows = true,
            _ => periods.push(f64::from(wave.period)),
        }
    }
    if grows {
        return (None, duration.max(SHOWN));
    }
    let Some(length) = common_period(&periods) else {
        let end = if periods.is_empty() { settles } else { SHOWN };
        return (None, duration.max(end.min(SHOWN)));
    };
    let repeat = Repeat { from: settles, length };
    (Some(repeat), duration.max(settles + length))
}

/// Returns the shortest time in which all waves repeat together, within limits.
fn common_period(periods: &[f64]) -> Option<f64> {
    let longest = periods.iter().copied().reduce(f64::max)?;
    let repeats = |length: f64, period: f64| {
        let rounds = length / period;
        (rounds - rounds.round()).abs() < 1e-6 * rounds.max(1.0)
    };
    (1..=MOST_PERIODS)
        .map(|count| f64::from(count) * longest)
        .take_while(|length| *length <= SHOWN.max(longest))
        .find(|length| periods.iter().all(|period| repeats(*length, *period)))
}

impl States {
    fn of(sequence: &Sequence) -> States {
        let way = |Transition { seconds, morph }: Transition| Way {
            seconds: if seconds.is_finite() { f64::from(seconds).max(0.0) } else { 0.0 },
            morph,
        };
        let key = |key: &SequenceKey| Key {
            state: key.state.map(|state| state.index()),
            exit: key.exit,
            forward: way(key.forward),
            backward: way(key.backward),
        };
        States {
            order: sequence.order().name(),
            start: sequence.start(),
            keys: sequence.keys().iter().map(key).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_repeat_together_after_a_multiple_of_the_longest_period() {
        assert_eq!(common_period(&[2.0, 3.0, 4.0]), Some(12.0));
        assert_eq!(common_period(&[0.5]), Some(0.5));
        assert_eq!(common_period(&[]), None);
        assert_eq!(common_period(&[2.0, 2.0_f64.sqrt()]), None, "they never do");
    }
}
