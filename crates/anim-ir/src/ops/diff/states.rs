//! What differs in the states of machines.

use crate::model::machine::{Motion, State};
use crate::model::sequence::SequenceKey;
use crate::ops::diff::differ::Differ;
use crate::ops::diff::difference::{Difference, Side};
use crate::ops::diff::pairs::Pairs;

impl Differ<'_> {
    pub(super) fn compare_states(&mut self) {
        let states = self.scenes.map(|scene| {
            scene.machines.iter().flat_map(|machine| &machine.states).collect::<Vec<_>>()
        });
        let pairs = Pairs::of(
            states.each_ref().map(|states| states.iter().map(|state| state.name.as_str())),
        );
        for (side, state) in pairs.alone() {
            self.push(Difference::StateOnly { state: pairs.label(side, state), side });
        }
        self.found.states = pairs.both.len();
        for [a, b] in pairs.both.iter().copied() {
            let [x, y] = &states;
            let (Some(x), Some(y)) = (x.get(a), y.get(b)) else { continue };
            let what = self.different_motion(x, y, &pairs);
            if let Some(what) = what {
                self.push(Difference::State { state: pairs.label(Side::A, a), what });
            }
        }
    }

    fn different_motion(&self, x: &State, y: &State, states: &Pairs<'_>) -> Option<&'static str> {
        match (&x.motion, &y.motion) {
            (Motion::Clip(x), Motion::Clip(y)) => {
                (self.clips.partner(Side::A, x.index()) != Some(y.index())).then_some("clip")
            }
            (Motion::Sequence(x), Motion::Sequence(y)) if x.order() != y.order() => Some("order"),
            (Motion::Sequence(x), Motion::Sequence(y)) if x.start() != y.start() => {
                Some("first key")
            }
            (Motion::Sequence(x), Motion::Sequence(y)) if x.keys().len() != y.keys().len() => {
                Some("number of keys")
            }
            (Motion::Sequence(x), Motion::Sequence(y)) => x
                .keys()
                .iter()
                .zip(y.keys())
                .find_map(|(x, y)| different_key(x, y, states, self.options.seconds)),
            _ => Some("kind"),
        }
    }
}

fn different_key(
    a: &SequenceKey,
    b: &SequenceKey,
    states: &Pairs<'_>,
    seconds: f64,
) -> Option<&'static str> {
    let apart = |a: f32, b: f32| (f64::from(a) - f64::from(b)).abs() > seconds;
    if a.state.map(|state| states.partner(Side::A, state.index()))
        != b.state.map(|state| Some(state.index()))
    {
        Some("state of a key")
    } else if a.exit != b.exit {
        Some("exit of a key")
    } else if apart(a.forward.seconds, b.forward.seconds)
        || apart(a.backward.seconds, b.backward.seconds)
    {
        Some("time of a transition")
    } else if (a.forward.morph, a.backward.morph) != (b.forward.morph, b.backward.morph) {
        Some("morph of a transition")
    } else {
        None
    }
}
