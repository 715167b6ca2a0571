//! The keys of a sequence in the order in which they are played.

use anim_ir::{Sequence, SequenceOrder};

/// A key at one point of a round. In a ping-pong sequence, a key has a visit on each way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Visit {
    pub(crate) key: usize,
    /// When the key is entered, in seconds from the start of the round. The target of a morph is
    /// entered when the morph starts.
    pub(crate) entered: f64,
    /// When the transition to the next visit starts, in seconds from the start of the round.
    pub(crate) start: f64,
    /// The duration of the transition; 0 for an immediate one.
    pub(crate) seconds: f32,
    pub(crate) morph: bool,
    /// The next visit; `None` if the sequence stays here.
    pub(crate) next: Option<usize>,
}

/// Returns the visits of a round. Transitions without a duration are skipped: what follows them is
/// reached by the transition before. Empty if the sequence has no keys.
pub(crate) fn visits(sequence: &Sequence) -> Vec<Visit> {
    let repeats = !matches!(sequence.order(), SequenceOrder::OnceForwards | SequenceOrder::Stay);
    let mut visits: Vec<Visit> = Vec::new();
    let mut now = 0.0;
    let visit =
        |key, start| Visit { key, entered: start, start, seconds: 0.0, morph: false, next: None };
    // The key that a morph ends at, and whose own transition has not been seen.
    let mut reached = None;
    for (from, to, way) in sequence.ways().filter(|(_, _, way)| way.seconds > 0.0) {
        if let Some(key) = reached.filter(|key| *key != from) {
            visits.push(visit(key, now));
        }
        visits.push(Visit { seconds: way.seconds, morph: way.morph, ..visit(from, now) });
        now += f64::from(way.seconds);
        reached = way.morph.then_some(to);
    }
    let resting = sequence.at(sequence.duration()).map(|moment| moment.key);
    let first = visits.first().map(|visit| visit.key);
    if repeats && !visits.is_empty() {
        if let Some(key) = reached.filter(|key| Some(*key) != first) {
            visits.push(visit(key, now));
        }
    } else if let Some(key) = resting {
        visits.push(visit(key, now));
    }
    link(&mut visits, repeats);
    visits
}

/// Sets which visit follows each, and when the targets of morphs are entered.
fn link(visits: &mut [Visit], repeats: bool) {
    let count = visits.len();
    let mut before: Option<Visit> = None;
    for (number, visit) in visits.iter_mut().enumerate() {
        let following = number.saturating_add(1);
        visit.next = match following < count {
            true => Some(following),
            false => Some(0).filter(|_| repeats && count > 1),
        };
        if let Some(before) = before.filter(|before| before.morph) {
            visit.entered = before.start;
        }
        before = Some(*visit);
    }
    // From the second round on, the first key is entered while the last morphs to it.
    if let (true, Some(last), Some(first)) = (repeats, before, visits.first_mut())
        && last.morph
    {
        first.entered = -f64::from(last.seconds);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anim_ir::{SequenceKey, StateId, Transition};

    fn of(order: SequenceOrder, keys: &[(f32, bool)]) -> Vec<(usize, f64, f32, Option<usize>)> {
        let key = |(seconds, morph): &(f32, bool)| {
            let way = Transition { seconds: *seconds, morph: *morph };
            SequenceKey { state: Some(StateId::default()), exit: true, forward: way, backward: way }
        };
        let sequence = Sequence::new(order, 0, keys.iter().map(key).collect());
        let visits = visits(&sequence);
        visits.iter().map(|visit| (visit.key, visit.entered, visit.seconds, visit.next)).collect()
    }

    #[test]
    fn visits_follow_the_order_of_play() {
        use SequenceOrder::{LoopForwards, OnceForwards, PingPongForwards, Stay};
        let switches = [(1.0, false), (2.0, false), (4.0, false)];
        assert_eq!(
            of(LoopForwards, &switches),
            [(0, 0.0, 1.0, Some(1)), (1, 1.0, 2.0, Some(2)), (2, 3.0, 4.0, Some(0))]
        );
        assert_eq!(
            of(PingPongForwards, &switches),
            [
                (0, 0.0, 1.0, Some(1)),
                (1, 1.0, 2.0, Some(2)),
                (2, 3.0, 4.0, Some(3)),
                (1, 7.0, 2.0, Some(0))
            ]
        );
        assert_eq!(
            of(OnceForwards, &switches),
            [(0, 0.0, 1.0, Some(1)), (1, 1.0, 2.0, Some(2)), (2, 3.0, 0.0, None)]
        );
        assert_eq!(of(Stay, &switches), [(0, 0.0, 0.0, None)]);
        assert_eq!(of(Stay, &[]), []);
    }

    #[test]
    fn the_target_of_a_morph_is_entered_at_its_start() {
        let morphs = [(1.0, true), (2.0, true)];
        assert_eq!(
            of(SequenceOrder::LoopForwards, &morphs),
            [(0, -2.0, 1.0, Some(1)), (1, 0.0, 2.0, Some(0))]
        );
    }

    #[test]
    fn transitions_without_a_duration_are_skipped() {
        use SequenceOrder::{LoopForwards, OnceForwards};
        let keys = [(1.0, true), (0.0, true), (2.0, false)];
        // The morph from 0 leads to 1, which is left at once.
        assert_eq!(
            of(LoopForwards, &keys),
            [(0, 0.0, 1.0, Some(1)), (1, 0.0, 0.0, Some(2)), (2, 1.0, 2.0, Some(0))]
        );
        assert_eq!(of(OnceForwards, &[(0.0, false); 3]), [(2, 0.0, 0.0, None)]);
        assert_eq!(of(LoopForwards, &[(1.0, false)]), [(0, 0.0, 1.0, None)]);
    }
}
