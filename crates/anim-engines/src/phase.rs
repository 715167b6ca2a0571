//! Where in its animation a visit starts.

use anim_ir::{Motion, Scene, SequenceOrder, StateId, StateMachine};

use crate::names;
use crate::visits::Visit;

/// How long what a state plays lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    /// The duration in seconds; 0 if nothing moves.
    pub(crate) seconds: f64,
    pub(crate) repeats: bool,
}

/// Returns the span of a state; `None` if it has no motion.
pub(crate) fn span(scene: &Scene, machine: &StateMachine, state: Option<StateId>) -> Option<Span> {
    match machine.lasting(machine.motion(state?)?)? {
        Motion::Clip(clip) => {
            let clip = scene.clip(*clip)?;
            Some(Span { seconds: clip.duration(), repeats: names::repeats(clip) })
        }
        Motion::Sequence(sequence) => Some(Span {
            seconds: sequence.duration(),
            repeats: sequence.order() != SequenceOrder::OnceForwards,
        }),
        _ => None,
    }
}

/// Whether two spans stay in phase once they are.
pub(crate) fn same_pace(a: Option<Span>, b: Option<Span>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a == b && a.repeats && a.seconds > 0.0,
        _ => false,
    }
}

/// Returns the time in the animation at which a visit starts, in seconds, and whether that holds
/// for every round. `round` is the duration of a round, or `None` if there is only one.
pub(crate) fn phase(visit: &Visit, span: Span, round: Option<f64>) -> (f64, bool) {
    if span.seconds <= 0.0 {
        return (0.0, true);
    }
    if !span.repeats {
        let start = visit.entered.clamp(0.0, span.seconds);
        return (start, round.is_none());
    }
    let returns = round.is_none_or(|round| is_multiple(round, span.seconds));
    // The first key starts at 0 when the sequence is entered.
    let start = visit.entered.max(0.0);
    let holds = returns && (visit.entered >= 0.0 || is_multiple(visit.entered, span.seconds));
    let start = if is_multiple(start, span.seconds) { 0.0 } else { start.rem_euclid(span.seconds) };
    (start, holds)
}

/// Whether a time is a multiple of a duration, within 10 µs.
fn is_multiple(time: f64, of: f64) -> bool {
    let rest = time.rem_euclid(of);
    rest.min(of - rest) < 1e-5
}
