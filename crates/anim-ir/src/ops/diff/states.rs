//! Differences between the states of machines.

use crate::ops::diff::differ::Differ;
use crate::ops::diff::difference::{Difference, Side};
use crate::ops::diff::pairs::Pairs;
use crate::{Motion, SequenceKey, State};

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
            if let Some(what) = self.different_motion(x, y, &pairs) {
                self.push(Difference::State { state: pairs.label(Side::A, a), what });
            }
        }
    }

    fn different_motion(&self, x: &State, y: &State, states: &Pairs<'_>) -> Option<&'static str> {
        match (&x.motion, &y.motion) {
            (Motion::Clip(x), Motion::Clip(y)) => {
                (self.clips.partner(Side::A, x.index()) != Some(y.index())).then_some("clip")
            }
            (Motion::Sequence(x), Motion::Sequence(y)) => {
                let mut keys = x.keys().iter().zip(y.keys());
                let wholes = [
                    (x.order() != y.order(), "order"),
                    (x.start() != y.start(), "first key"),
                    (x.keys().len() != y.keys().len(), "number of keys"),
                ];
                first_of(wholes).or_else(|| {
                    keys.find_map(|(x, y)| different_key(x, y, states, self.options.seconds))
                })
            }
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
    let a_state = a.state.map(|state| states.partner(Side::A, state.index()));
    first_of([
        (a_state != b.state.map(|state| Some(state.index())), "state of a key"),
        (a.exit != b.exit, "exit of a key"),
        (apart(a.forward.seconds, b.forward.seconds), "time of a transition"),
        (apart(a.backward.seconds, b.backward.seconds), "time of a transition"),
        (a.forward.morph != b.forward.morph, "morph of a transition"),
        (a.backward.morph != b.backward.morph, "morph of a transition"),
    ])
}

/// Returns the name of the first property that differs.
fn first_of<const N: usize>(parts: [(bool, &'static str); N]) -> Option<&'static str> {
    parts.into_iter().find(|(differs, _)| *differs).map(|(_, what)| what)
}
