//! Labels for drawings of sequences.

use std::collections::BTreeMap;

use crate::diag::seconds;
use crate::{Sequence, SequenceOrder, insert_all};

impl Sequence {
    /// Returns the order in words, and whether the sequence is never left: `loop forwards, never
    /// left`.
    pub fn order_label(&self) -> String {
        let keys = self.keys();
        let is_closed = !keys.is_empty() && keys.iter().all(|key| !key.exit);
        let never = if is_closed { ", never left" } else { "" };
        format!("{}{never}", self.order().name())
    }

    /// Returns the keys at which the sequence can be left, and when, in seconds since it was
    /// entered: `from 0 s to 2 s, again every 8 s`. A key can be left while it is held, but not
    /// while it morphs.
    pub fn exit_labels(&self) -> BTreeMap<usize, String> {
        let mut times: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        let may_leave = |key: usize| self.keys().get(key).is_some_and(|key| key.exit);
        let mut now = 0.0;
        for (from, _, way) in self.ways() {
            let end = now + f64::from(way.seconds);
            if may_leave(from) {
                times.entry(from).or_default().push(match way.morph || way.seconds == 0.0 {
                    true => format!("at {}", seconds(now)),
                    false => format!("from {} to {}", seconds(now), seconds(end)),
                });
            }
            now = end;
        }
        let round = match self.order() {
            SequenceOrder::OnceForwards | SequenceOrder::Stay => None,
            _ => Some(now).filter(|round| *round > 0.0),
        };
        let resting = self.at(now).map(|moment| moment.key).filter(|key| may_leave(*key));
        if let (Some(key), None) = (resting, round) {
            times.entry(key).or_default().push(format!("from {}", seconds(now)));
        }
        let again =
            round.map_or_else(String::new, |round| format!(", again every {}", seconds(round)));
        let text = |times: Vec<String>| format!("{}{again}", times.join(", "));
        insert_all(times.into_iter().map(|(key, times)| (key, text(times))))
    }
}
