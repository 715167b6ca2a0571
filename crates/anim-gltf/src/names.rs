//! Names that are unique.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Hands out each name once. The first to claim a name that was announced gets it as it is; others
/// get a number behind it, and never one that makes it somebody else's name.
#[derive(Debug, Default)]
pub(crate) struct Names<'a> {
    announced: HashSet<&'a str>,
    taken: HashSet<Cow<'a, str>>,
    /// The number to try next for each name, so that a million equal names cost linear time.
    next: HashMap<Cow<'a, str>, u64>,
}

impl<'a> Names<'a> {
    /// A name that somebody has in the source: nobody gets it by numbering.
    pub(crate) fn announce(&mut self, name: &'a str) {
        self.announced.insert(name);
    }

    /// The name itself where it is still free, else with `.001`, `.002`, … behind it.
    pub(crate) fn claim(
        &mut self,
        wanted: impl Into<Cow<'a, str>>,
        announced: bool,
    ) -> Cow<'a, str> {
        let wanted = wanted.into();
        if (announced || !self.announced.contains(wanted.as_ref()))
            && self.taken.insert(wanted.clone())
        {
            return wanted;
        }
        let next = self.next.entry(wanted.clone()).or_insert(1);
        loop {
            let candidate: Cow<'a, str> = Cow::Owned(format!("{wanted}.{next:03}"));
            *next = next.saturating_add(1);
            if !self.announced.contains(candidate.as_ref()) && self.taken.insert(candidate.clone())
            {
                return candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_never_make_somebody_elses_name() {
        let mut names = Names::default();
        let wanted = ["bone", "bone", "bone.001", "bone", "bone.001"];
        for name in wanted {
            names.announce(name);
        }
        let claimed = wanted.map(|name| names.claim(name, true));
        assert_eq!(claimed, ["bone", "bone.002", "bone.001", "bone.003", "bone.001.001"]);
        assert_eq!(names.claim("bone", false), "bone.004");
        assert_eq!(names.claim("made up", false), "made up");
    }
}
