//! Unique names.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Makes names unique. A name that is taken gets `.001`, `.002` and so on appended, as in Blender.
///
/// Takes time linear in the number of names, even if all are equal.
///
/// ```
/// use anim_ir::UniqueNames;
///
/// let mut names = UniqueNames::new();
/// assert_eq!(["arm", "arm", "leg", "arm"].map(|name| names.claim(name)), [
///     "arm", "arm.001", "leg", "arm.002"
/// ]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct UniqueNames<'a> {
    /// Names that will be claimed later: numbering must not generate them.
    announced: HashSet<Cow<'a, str>>,
    taken: HashSet<Cow<'a, str>>,
    /// The number to try next for each name.
    next: HashMap<Cow<'a, str>, u64>,
    ignores_case: bool,
}

impl<'a> UniqueNames<'a> {
    /// Starts with no name taken. Names that differ in case are different.
    pub fn new() -> UniqueNames<'a> {
        UniqueNames::default()
    }

    /// Starts with no name taken. Names that differ only in case are equal, as in many file
    /// systems.
    pub fn ignoring_case() -> UniqueNames<'a> {
        UniqueNames { ignores_case: true, ..UniqueNames::default() }
    }

    /// Announces that a name in the source will be claimed: until then, nothing else gets it.
    pub fn announce(&mut self, name: impl Into<Cow<'a, str>>) {
        let key = self.key(name.into());
        self.announced.insert(key);
    }

    /// Claims a name of the source: returns it unchanged if it is free, otherwise numbered.
    pub fn claim(&mut self, name: impl Into<Cow<'a, str>>) -> Cow<'a, str> {
        self.claim_fitted(name, plain)
    }

    /// Invents a name for something without one. Unlike [`UniqueNames::claim`] it never returns a
    /// name that was announced.
    pub fn invent(&mut self, name: impl Into<Cow<'a, str>>) -> Cow<'a, str> {
        let name = name.into();
        if self.announced.contains(&self.key(name.clone())) {
            self.numbered(name, &plain)
        } else {
            self.claim(name)
        }
    }

    /// Like [`UniqueNames::claim`], for formats with their own rules. `fit` joins a name and a
    /// number (`.001`; empty at first) into a name that the format can hold: it may shorten the
    /// name, but must keep the number.
    pub fn claim_fitted(
        &mut self,
        name: impl Into<Cow<'a, str>>,
        fit: impl Fn(Cow<'a, str>, &str) -> Cow<'a, str>,
    ) -> Cow<'a, str> {
        let name = name.into();
        let fitted = fit(name.clone(), "");
        let key = self.key(fitted.clone());
        if self.taken.insert(key) { fitted } else { self.numbered(name, &fit) }
    }

    fn numbered(
        &mut self,
        name: Cow<'a, str>,
        fit: &impl Fn(Cow<'a, str>, &str) -> Cow<'a, str>,
    ) -> Cow<'a, str> {
        let key = self.key(fit(name.clone(), ""));
        let first = self.next.get(&key).copied().unwrap_or(1);
        // Among this many different names, one is free.
        let tries = u64::try_from(self.taken.len().saturating_add(self.announced.len()));
        let last = first.saturating_add(tries.unwrap_or(u64::MAX));
        for number in first..=last {
            let candidate = fit(name.clone(), &format!(".{number:03}"));
            let candidate_key = self.key(candidate.clone());
            if !self.announced.contains(&candidate_key) && self.taken.insert(candidate_key) {
                self.next.insert(key, number.saturating_add(1));
                return candidate;
            }
        }
        // They were not different: `fit` dropped the number.
        self.numbered(name, &plain)
    }

    /// The key that names are compared by.
    fn key(&self, name: Cow<'a, str>) -> Cow<'a, str> {
        if self.ignores_case { Cow::Owned(name.to_lowercase()) } else { name }
    }
}

/// Appends the number to the name, without further rules.
fn plain<'a>(name: Cow<'a, str>, number: &str) -> Cow<'a, str> {
    if number.is_empty() { name } else { Cow::Owned(format!("{name}{number}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_never_make_somebody_elses_name() {
        let mut names = UniqueNames::new();
        let wanted = ["bone", "bone", "bone.001", "bone", "bone.001"];
        for name in wanted {
            names.announce(name);
        }
        let claimed = wanted.map(|name| names.claim(name));
        assert_eq!(claimed, ["bone", "bone.002", "bone.001", "bone.003", "bone.001.001"]);
        assert_eq!(names.invent("bone"), "bone.004");
        assert_eq!(names.invent("made up"), "made up");
    }

    #[test]
    fn case_may_not_matter() {
        let mut names = UniqueNames::ignoring_case();
        assert_eq!(
            ["Walk", "WALK", "walk.001"].map(|name| names.claim(name)),
            ["Walk", "WALK.001", "walk.001.001"]
        );
    }

    #[test]
    fn a_format_has_its_rules() {
        let short = |name: Cow<'static, str>, number: &str| {
            let room = 6_usize.saturating_sub(number.len());
            Cow::Owned(name.chars().take(room).collect::<String>() + number)
        };
        let mut names = UniqueNames::new();
        let claimed = ["shoulder", "shoulders", "sh"].map(|name| names.claim_fitted(name, short));
        assert_eq!(claimed, ["should", "sh.001", "sh"]);
        // A rule that drops the number does not loop forever.
        let lossy = |_: Cow<'static, str>, _: &str| Cow::Borrowed("x");
        let claimed = ["a", "b"].map(|name| names.claim_fitted(name, lossy));
        assert_eq!(claimed, ["x", "b.001"]);
    }

    #[test]
    fn equal_names_cost_the_same_each() {
        let mut names = UniqueNames::new();
        let last = (0..100_000).map(|_| names.claim("x")).last();
        assert_eq!(last.as_deref(), Some("x.99999"));
        assert_eq!(names.next.get("x"), Some(&100_000), "no number was tried twice");
    }
}
