//! The order in which sequences can be written, and how deep they are nested.

use std::collections::{HashMap, HashSet};

use anim_ir::{Motion, Scene, Sequence, StateId, StateMachine, StatePlayer, Transition};

/// The sequences of a machine.
pub(crate) struct Tree {
    /// Every sequence after those that it plays.
    pub(crate) order: Vec<StateId>,
    /// The levels of sequences below each state, including its own; 0 for a clip.
    heights: Vec<usize>,
    /// Sequences, each with one that it plays and that plays it.
    cycles: HashSet<(StateId, StateId)>,
}

/// Returns the sequence that a state plays.
pub(crate) fn sequence(machine: &StateMachine, state: StateId) -> Option<&Sequence> {
    match machine.motion(state)? {
        Motion::Sequence(sequence) => Some(sequence),
        _ => None,
    }
}

/// Returns the number of morphs of a sequence between clips that move different joints.
pub(crate) fn uneven_morphs(scene: &Scene, machine: &StateMachine, sequence: &Sequence) -> usize {
    let joints = |key: usize| match machine.motion(sequence.keys().get(key)?.state?)? {
        Motion::Clip(clip) => Some(&scene.clip(*clip)?.joints),
        _ => None,
    };
    // Sets that were compared before are not compared again.
    let mut known: HashMap<(Option<StateId>, Option<StateId>), bool> = HashMap::new();
    let state = |key: usize| sequence.keys().get(key).and_then(|key| key.state);
    let is_uneven = |(from, to, way): &(usize, usize, Transition)| {
        way.morph
            && *known.entry((state(*from), state(*to))).or_insert_with(
                || matches!((joints(*from), joints(*to)), (Some(a), Some(b)) if a != b),
            )
    };
    sequence.ways().filter(is_uneven).count()
}

impl Tree {
    /// Orders the sequences of a machine. Takes linear time in the number of keys.
    pub(crate) fn new(machine: &StateMachine) -> Tree {
        let count = machine.states.len();
        let mut tree = Tree { order: Vec::new(), heights: vec![0; count], cycles: HashSet::new() };
        let mut is_open = vec![false; count];
        for (state, _) in machine.enumerate_states() {
            tree.visit(machine, state, &mut is_open);
        }
        tree
    }

    /// Adds a sequence after those that it plays. Does not recurse, as the input controls the
    /// depth.
    fn visit(&mut self, machine: &StateMachine, root: StateId, is_open: &mut [bool]) {
        let mut path = vec![(root, 0_usize)];
        while let Some((state, next)) = path.last_mut() {
            let (state, key) = (*state, *next);
            *next = next.saturating_add(1);
            let Some(sequence) = sequence(machine, state).filter(|_| !self.is_done(state)) else {
                path.pop();
                continue;
            };
            if let Some(open) = is_open.get_mut(state.index()) {
                *open = true;
            }
            match sequence.keys().get(key) {
                Some(key) => {
                    let Some(played) = key.state else { continue };
                    if is_open.get(played.index()) == Some(&true) && !self.is_done(played) {
                        self.cycles.insert((state, played));
                    } else {
                        path.push((played, 0));
                    }
                }
                None => {
                    self.finish(state, sequence);
                    path.pop();
                }
            }
        }
    }

    fn is_done(&self, state: StateId) -> bool {
        self.heights.get(state.index()).is_some_and(|height| *height > 0)
    }

    fn finish(&mut self, state: StateId, sequence: &Sequence) {
        let played = sequence.keys().iter().filter_map(|key| self.played(state, key.state));
        let below = played.filter_map(|played| self.heights.get(played.index()).copied()).max();
        let height = below.unwrap_or(0).saturating_add(1);
        if let Some(own) = self.heights.get_mut(state.index()) {
            *own = height;
        }
        self.order.push(state);
    }

    /// Returns the state that a key of a sequence plays; `None` if that would be a cycle or nested
    /// too deep.
    pub(crate) fn played(&self, sequence: StateId, played: Option<StateId>) -> Option<StateId> {
        let played = played?;
        let fits = |played: StateId| {
            self.heights.get(played.index()).is_some_and(|height| *height < StatePlayer::DEEPEST)
        };
        Some(played).filter(|played| fits(*played) && !self.cycles.contains(&(sequence, *played)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anim_ir::{ClipId, SequenceKey, SequenceOrder, State};

    fn machine(plays: &[&[usize]]) -> StateMachine {
        let motion = |keys: &&[usize]| {
            let key = |state: &usize| SequenceKey {
                state: Some(StateId::new(*state)),
                ..SequenceKey::default()
            };
            let keys: Vec<SequenceKey> = keys.iter().map(key).collect();
            match keys.is_empty() {
                true => Motion::Clip(ClipId::default()),
                false => Motion::Sequence(Sequence::new(SequenceOrder::LoopForwards, 0, keys)),
            }
        };
        let state = |keys| State { name: String::new(), motion: motion(keys) };
        StateMachine { states: plays.iter().map(state).collect(), ..StateMachine::default() }
    }

    fn order(tree: &Tree) -> Vec<usize> {
        tree.order.iter().map(|state| state.index()).collect()
    }

    #[test]
    fn played_sequences_come_first() {
        let tree = Tree::new(&machine(&[&[1, 2], &[3], &[1, 3], &[]]));
        assert_eq!((order(&tree), tree.heights), (vec![1, 2, 0], vec![3, 1, 2, 0]));
    }

    #[test]
    fn cycles_are_cut_at_the_key_that_closes_them() {
        let tree = Tree::new(&machine(&[&[1], &[2], &[0, 2, 3], &[]]));
        assert_eq!(order(&tree), [2, 1, 0]);
        let played = |sequence, played| {
            tree.played(StateId::new(sequence), Some(StateId::new(played))).is_some()
        };
        assert_eq!(
            [played(0, 1), played(2, 0), played(2, 2), played(2, 3)],
            [true, false, false, true]
        );
    }

    #[test]
    fn a_chain_of_100_000_sequences_is_cut_every_eighth() {
        let next: Vec<[usize; 1]> = (1..=100_000).map(|next| [next]).collect();
        let mut plays: Vec<&[usize]> = next.iter().map(|keys| &keys[..]).collect();
        plays.push(&[]);
        let tree = Tree::new(&machine(&plays));
        assert_eq!(tree.order.len(), 100_000);
        assert_eq!(tree.heights.iter().max(), Some(&8));
    }
}
