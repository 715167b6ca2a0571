//! Options that a format declares, so that programs can offer them without knowing the format.
//!
//! [`options!`](crate::options) makes a type of one declaration: its fields with their defaults, a
//! builder method for each, and the options that programs offer.
//!
//! ```
//! use anim_ir::format::options::{Options, Settings};
//! use anim_ir::EulerOrder;
//!
//! anim_ir::options! {
//!     /// How to make a scene of a document.
//!     pub struct ToIr {
//!         /// The order in which the angles of a rotation are applied.
//!         rotation_order (with_rotation_order): EulerOrder = EulerOrder::Zyx,
//!             choice("rotation-order", EulerOrder::NAMES, Some("zyx"),
//!                 "Order in which the rotation matrices about the axes are multiplied");
//!         /// Samples per second; `None`: the file's own keys.
//!         frames_per_second (with_frames_per_second): Option<f64> = None,
//!             positive("fps", None, "Sampling rate");
//!         /// Whether to move keys to whole frames, which takes a rate.
//!         snap (with_snap): bool = false,
//!             flag("snap", "Move keys to whole frames").requires("fps");
//!         /// Name of the clip: for code, no option of programs.
//!         name (with_name): String = String::new();
//!     }
//! }
//!
//! let options = ToIr::default().with_rotation_order(EulerOrder::Xyz).with_snap(true);
//! assert_eq!((options.rotation_order, options.frames_per_second), (EulerOrder::Xyz, None));
//!
//! let mut settings = Settings::default();
//! for (info, value) in ToIr::infos().zip(["xyz", "24", "true"]) {
//!     settings.set(info, value)?;
//! }
//! let options: ToIr = settings.apply();
//! assert_eq!((options.frames_per_second, options.snap), (Some(24.0), true));
//! assert_eq!(options.limits, settings.limits);
//! # Ok::<(), anim_ir::format::options::OptionError>(())
//! ```

use std::collections::BTreeMap;

use thiserror::Error;

use crate::file::limits::Limits;

/// A type whose values say how to read or write.
pub trait Options: Clone + Default + 'static {
    /// The options that programs offer; there may be fields beyond them, for code.
    const OPTIONS: &'static [OptionSpec<Self>];

    /// The bounds on what a file may ask for, which all options have.
    fn limits_mut(&mut self) -> &mut Limits;

    /// The options, for programs.
    fn infos() -> impl Iterator<Item = &'static OptionInfo> {
        Self::OPTIONS.iter().map(|spec| &spec.info)
    }
}

/// An option and how it is put into the type that has it.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec<T> {
    /// The option, for programs.
    pub info: OptionInfo,
    /// Takes a value of the kind that `info` says.
    pub set: fn(&mut T, &OptionValue),
}

/// An option, as programs show it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct OptionInfo {
    /// Its name, in lower case with hyphens. Options of one name are one option for a program, even
    /// where several formats have them, and have the same kind.
    pub name: &'static str,
    /// Which values it takes.
    pub kind: OptionKind,
    /// The value without the option, as it would be written; `None` where that is no value at all.
    pub default: Option<&'static str>,
    /// What it does, as the part of a sentence, without the name of the format.
    pub help: &'static str,
    /// The option without which this one has no effect.
    pub requires: Option<&'static str>,
    /// An option that contradicts this one.
    pub conflicts: Option<&'static str>,
}

/// Which values an option takes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum OptionKind {
    /// Present or not.
    Flag,
    /// A finite number greater than 0.
    Positive,
    /// A finite number of 0 or more.
    NonNegative,
    /// A whole number in a range, its ends included.
    Integer {
        /// The least value.
        min: u32,
        /// The greatest value.
        max: u32,
    },
    /// One of these names.
    Choice(&'static [&'static str]),
    /// Any text.
    Text,
}

/// A type of fields that options set.
pub trait OptionField: Sized {
    /// What a value of the option's kind says; `None` where the option is of another kind.
    fn from_value(value: &OptionValue) -> Option<Self>;
}

/// A value of an option, known to be of the option's kind.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionValue {
    text: String,
    number: f64,
}

/// A value that an option does not take.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("invalid value `{value}` for {name}: expected {expected}")]
pub struct OptionError {
    /// Name of the option.
    pub name: &'static str,
    /// What was given.
    pub value: String,
    /// What it takes.
    pub expected: String,
}

impl OptionInfo {
    /// The value that a text stands for.
    ///
    /// # Errors
    ///
    /// [`OptionError`] where the option does not take it.
    pub fn parse(&self, text: &str) -> Result<OptionValue, OptionError> {
        let trimmed = text.trim();
        let number = trimmed.parse::<f64>().ok().filter(|number| number.is_finite());
        let number = match self.kind {
            OptionKind::Flag => {
                matches!(trimmed, "" | "true" | "false").then_some(f64::from(trimmed != "false"))
            }
            OptionKind::Positive => number.filter(|number| *number > 0.0),
            OptionKind::NonNegative => number.filter(|number| *number >= 0.0),
            OptionKind::Integer { min, max } => trimmed
                .parse::<u32>()
                .ok()
                .filter(|number| (min..=max).contains(number))
                .map(f64::from),
            OptionKind::Choice(names) => names.contains(&trimmed).then_some(0.0),
            OptionKind::Text => Some(0.0),
        };
        let text = if self.kind == OptionKind::Text { text } else { trimmed };
        match number {
            Some(number) => Ok(OptionValue { text: text.to_owned(), number }),
            None => Err(OptionError {
                name: self.name,
                value: text.to_owned(),
                expected: self.kind.expected(),
            }),
        }
    }
}

impl OptionKind {
    /// What values must be, for messages.
    pub fn expected(self) -> String {
        match self {
            OptionKind::Flag => "`true` or `false`".to_owned(),
            OptionKind::Positive => "a number greater than 0".to_owned(),
            OptionKind::NonNegative => "a number of 0 or more".to_owned(),
            OptionKind::Integer { min, max: u32::MAX } => format!("a whole number from {min}"),
            OptionKind::Integer { min, max } => format!("a whole number from {min} to {max}"),
            OptionKind::Choice(names) => format!("one of {}", names.join(", ")),
            OptionKind::Text => "a text".to_owned(),
        }
    }
}

impl OptionValue {
    /// Whether a flag is set.
    pub fn flag(&self) -> bool {
        self.number != 0.0
    }

    /// The number; 0 for what is none.
    pub const fn number(&self) -> f64 {
        self.number
    }

    /// The text as it was given, for choices and texts.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Sets a field of options.
    pub fn put<T: OptionField>(&self, field: &mut T) {
        if let Some(value) = T::from_value(self) {
            *field = value;
        }
    }
}

/// Declares a type of options: its fields, each with the name of its builder method, a default and,
/// where programs offer it, its option as [`OptionSpec`](crate::OptionSpec) makes it, without the
/// last argument. The field `limits` is in all of them. See [`options`](crate::format::options).
#[macro_export]
macro_rules! options {
    (
        $(#[$doc:meta])*
        pub struct $options:ident {$(
            $(#[$field_doc:meta])*
            $field:ident ($with:ident): $type:ty = $default:expr
            $(, $kind:ident($($argument:expr),+ $(,)?) $(.$but:ident($other:expr))*)?;
        )*}
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub struct $options {
            $($(#[$field_doc])* pub $field: $type,)*
            /// Bounds on what files may ask for.
            pub limits: $crate::Limits,
        }

        impl Default for $options {
            fn default() -> $options {
                $options { $($field: $default,)* limits: $crate::Limits::default() }
            }
        }

        impl $options {
            $(
                #[doc = concat!(
                    "The same with another [`", stringify!($field), "`](Self::",
                    stringify!($field), ").",
                )]
                #[must_use]
                pub fn $with(mut self, $field: $type) -> $options {
                    self.$field = $field;
                    self
                }
            )*

            /// The same with other [`limits`](Self::limits).
            #[must_use]
            pub fn with_limits(mut self, limits: $crate::Limits) -> $options {
                self.limits = limits;
                self
            }
        }

        impl $crate::Options for $options {
            const OPTIONS: &'static [$crate::OptionSpec<$options>] = &[$($(
                $crate::OptionSpec::<$options>::$kind(
                    $($argument,)+
                    |options, value| value.put(&mut options.$field)
                )
                    $(.$but($other))*,
            )?)*];

            fn limits_mut(&mut self) -> &mut $crate::Limits {
                &mut self.limits
            }
        }
    };
}

/// Fields whose value is a function of the option's.
macro_rules! fields {
    ($($type:ty: $value:ident => $of:expr;)+) => {$(
        impl OptionField for $type {
            fn from_value($value: &OptionValue) -> Option<$type> {
                $of
            }
        }
    )+};
}

fields! {
    bool: value => Some(value.flag());
    f64: value => Some(value.number);
    f32: value => Some(crate::file::number::narrow(value.number));
    u32: value => value.text.parse().ok();
    usize: value => value.text.parse().ok();
    String: value => Some(value.text.clone());
}

impl<T: OptionField> OptionField for Option<T> {
    fn from_value(value: &OptionValue) -> Option<Option<T>> {
        T::from_value(value).map(Some)
    }
}

impl<T> OptionSpec<T> {
    const fn new(
        name: &'static str,
        kind: OptionKind,
        default: Option<&'static str>,
        help: &'static str,
        set: fn(&mut T, &OptionValue),
    ) -> OptionSpec<T> {
        OptionSpec {
            info: OptionInfo { name, kind, default, help, requires: None, conflicts: None },
            set,
        }
    }

    /// Something that is done or not.
    pub const fn flag(
        name: &'static str,
        help: &'static str,
        set: fn(&mut T, &OptionValue),
    ) -> OptionSpec<T> {
        OptionSpec::new(name, OptionKind::Flag, None, help, set)
    }

    /// A number greater than 0.
    pub const fn positive(
        name: &'static str,
        default: Option<&'static str>,
        help: &'static str,
        set: fn(&mut T, &OptionValue),
    ) -> OptionSpec<T> {
        OptionSpec::new(name, OptionKind::Positive, default, help, set)
    }

    /// A number of 0 or more.
    pub const fn non_negative(
        name: &'static str,
        default: Option<&'static str>,
        help: &'static str,
        set: fn(&mut T, &OptionValue),
    ) -> OptionSpec<T> {
        OptionSpec::new(name, OptionKind::NonNegative, default, help, set)
    }

    /// A whole number in a range, its ends included.
    pub const fn integer(
        name: &'static str,
        (min, max): (u32, u32),
        default: Option<&'static str>,
        help: &'static str,
        set: fn(&mut T, &OptionValue),
    ) -> OptionSpec<T> {
        OptionSpec::new(name, OptionKind::Integer { min, max }, default, help, set)
    }

    /// One of several names.
    pub const fn choice(
        name: &'static str,
        names: &'static [&'static str],
        default: Option<&'static str>,
        help: &'static str,
        set: fn(&mut T, &OptionValue),
    ) -> OptionSpec<T> {
        OptionSpec::new(name, OptionKind::Choice(names), default, help, set)
    }

    /// Any text.
    pub const fn text(
        name: &'static str,
        help: &'static str,
        set: fn(&mut T, &OptionValue),
    ) -> OptionSpec<T> {
        OptionSpec::new(name, OptionKind::Text, None, help, set)
    }

    /// The same without an effect unless another option is given.
    #[must_use]
    pub const fn requires(mut self, other: &'static str) -> OptionSpec<T> {
        self.info.requires = Some(other);
        self
    }

    /// The same, which contradicts another option.
    #[must_use]
    pub const fn conflicts(mut self, other: &'static str) -> OptionSpec<T> {
        self.info.conflicts = Some(other);
        self
    }
}

/// The options that somebody set, whichever formats they are for.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    values: BTreeMap<&'static str, OptionValue>,
    /// Bounds on what files may ask for.
    pub limits: Limits,
}

impl Settings {
    /// Sets an option.
    ///
    /// # Errors
    ///
    /// [`OptionError`] where it does not take the value.
    pub fn set(&mut self, option: &OptionInfo, value: &str) -> Result<(), OptionError> {
        self.values.insert(option.name, option.parse(value)?);
        Ok(())
    }

    /// The value of an option that was set.
    pub fn get(&self, name: &str) -> Option<&OptionValue> {
        self.values.get(name)
    }

    /// A type's options with what was set of them. Options of other formats have no effect.
    pub fn apply<T: Options>(&self) -> T {
        let mut options = T::default();
        *options.limits_mut() = self.limits;
        for spec in T::OPTIONS {
            if let Some(value) = self.values.get(spec.info.name) {
                (spec.set)(&mut options, value);
            }
        }
        options
    }
}
