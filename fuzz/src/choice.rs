//! Pseudorandom choices that depend only on the input, so that findings are reproducible.

use std::hash::{DefaultHasher, Hash, Hasher};

use anim_formats::Format;
use anim_formats::anim_ir::Settings;
use anim_formats::anim_ir::format::options::{OptionInfo, OptionKind};

/// A sequence of numbers generated from a seed.
pub(crate) struct Choices {
    seed: u64,
    count: u64,
}

impl Choices {
    /// Returns the choices for an input.
    pub(crate) fn of(input: impl Hash) -> Choices {
        let mut hasher = DefaultHasher::new();
        input.hash(&mut hasher);
        Choices { seed: hasher.finish(), count: 0 }
    }

    /// Returns any number.
    pub(crate) fn number(&mut self) -> u64 {
        self.count += 1;
        let mut hasher = DefaultHasher::new();
        (self.seed, self.count).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns a number below `end`, which must not be 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.number() % end as u64).expect("less than a usize")
    }

    /// Returns an element of the slice, which must not be empty.
    pub(crate) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Returns a format that can be written.
    pub(crate) fn writable(&mut self) -> Format {
        self.one(&Format::writable().collect::<Vec<_>>())
    }

    /// Sets some of the options of all formats, avoiding options that conflict.
    pub(crate) fn set_options(&mut self, settings: &mut Settings) {
        let of: [fn(Format) -> Vec<&'static OptionInfo>; 3] =
            [Format::parsing_options, Format::reading_options, Format::writing_options];
        for (option, _) in of.into_iter().flat_map(Format::options) {
            let is_set = |name| settings.get(name).is_some();
            if self.below(4) == 0 && !option.conflicts.is_some_and(is_set) {
                let value = self.value(option.kind);
                settings.set(&option, &value).expect("the value is valid for the option");
            }
        }
    }

    fn value(&mut self, kind: OptionKind) -> String {
        match kind {
            OptionKind::Flag => "true".to_owned(),
            OptionKind::Positive => self.one(&["1e-6", "0.01", "1", "24", "29.97", "1e6"]).into(),
            OptionKind::NonNegative => self.one(&["0", "1e-6", "0.5", "100"]).into(),
            OptionKind::Integer { min, max } => {
                self.one(&[min, min.saturating_add(1), max.min(16)]).max(min).to_string()
            }
            OptionKind::Choice(names) => self.one(names).to_owned(),
            _ => self.one(&["text", "text_{clip}"]).to_owned(),
        }
    }
}
