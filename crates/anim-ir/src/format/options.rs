//! Options declared by formats, which programs can offer without knowing the format.
//!
//! [`options!`](crate::options) generates a type from a declaration: the fields with their
//! defaults, a builder method for each field, and the options that programs offer.
//!
//! ```
//! use anim_ir::format::options::{Options, Settings};
//! use anim_ir::EulerOrder;
//!
//! anim_ir::options! {
//!     /// Options for converting a document to a scene.
//!     pub struct ToIr {
//!         /// The order of Euler angles.
//!         rotation_order (with_rotation_order): EulerOrder = EulerOrder::Zyx,
//!             choice("rotation-order", EulerOrder::NAMES, Some("zyx"),
//!                 "Order in which the rotation matrices are multiplied");
//!         /// Samples per second; `None` uses the file's own keys.
//!         frames_per_second (with_frames_per_second): Option<f64> = None,
//!             positive("fps", None, "Sampling rate");
//!         /// Whether to snap keys to whole frames; requires a frame rate.
//!         snap (with_snap): bool = false,
//!             flag("snap", "Snap keys to whole frames").requires("fps");
//!         /// Name of the clip; not offered by programs.
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

/// Options for reading or writing.
pub trait Options: Clone + Default + 'static {
    /// The options that programs offer. Other fields can only be set in code.
    const OPTIONS: &'static [OptionSpec<Self>];

    /// Returns the limits on untrusted input, which all option types include.
    fn limits_mut(&mut self) -> &mut Limits;

    /// Returns the descriptions of the options.
    fn infos() -> impl Iterator<Item = &'static OptionInfo> {
        Self::OPTIONS.iter().map(|spec| &spec.info)
    }
}

/// An option, with a function that stores its value in the declaring type.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec<T> {
    /// The description of the option.
    pub info: OptionInfo,
    /// Stores a value of the kind that `info` declares.
    pub set: fn(&mut T, &OptionValue),
}

/// The description of an option.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct OptionInfo {
    /// The name, in lower case with hyphens. Programs treat options of different formats with the
    /// same name as a single option; these have the same kind.
    pub name: &'static str,
    /// The kind of value.
    pub kind: OptionKind,
    /// The default, as a user would write it, or `None` if it cannot be expressed as a value.
    pub default: Option<&'static str>,
    /// A description for help texts: a sentence fragment without the name of the format.
    pub help: &'static str,
    /// An option that is required for this one to have an effect.
    pub requires: Option<&'static str>,
    /// An option that conflicts with this one.
    pub conflicts: Option<&'static str>,
}

/// The kind of value that an option accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum OptionKind {
    /// A flag, which is present or absent.
    Flag,
    /// A finite number greater than 0.
    Positive,
    /// A finite number, at least 0.
    NonNegative,
    /// An integer within an inclusive range.
    Integer {
        /// The smallest value.
        min: u32,
        /// The largest value.
        max: u32,
    },
    /// One of the given names.
    Choice(&'static [&'static str]),
    /// Arbitrary text.
    Text,
}

/// A type of field that options can set.
pub trait OptionField: Sized {
    /// Converts a value. Returns `None` if the type cannot represent it.
    fn from_value(value: &OptionValue) -> Option<Self>;
}

/// A valid value of an option.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionValue {
    text: String,
    number: f64,
}

/// The error for a value that an option does not accept.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("invalid value `{value}` for {name}: expected {expected}")]
pub struct OptionError {
    /// Name of the option.
    pub name: &'static str,
    /// The invalid value.
    pub value: String,
    /// A description of valid values.
    pub expected: String,
}

impl OptionInfo {
    /// Parses a value.
    ///
    /// # Errors
    ///
    /// Returns [`OptionError`] if the option does not accept it.
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
    /// Describes the valid values, for messages.
    pub fn expected(self) -> String {
        match self {
            OptionKind::Flag => "`true` or `false`".to_owned(),
            OptionKind::Positive => "a number greater than 0".to_owned(),
            OptionKind::NonNegative => "a non-negative number".to_owned(),
            OptionKind::Integer { min, max: u32::MAX } => format!("an integer of at least {min}"),
            OptionKind::Integer { min, max } => format!("an integer from {min} to {max}"),
            OptionKind::Choice(names) => format!("one of {}", names.join(", ")),
            OptionKind::Text => "text".to_owned(),
        }
    }
}

impl OptionValue {
    /// Whether a flag is set.
    pub fn flag(&self) -> bool {
        self.number != 0.0
    }

    /// Returns the number; for a flag, 1 if it is set; otherwise 0.
    pub const fn number(&self) -> f64 {
        self.number
    }

    /// Returns the text, for choices and text options.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Stores the value in an options field.
    pub fn put<T: OptionField>(&self, field: &mut T) {
        if let Some(value) = T::from_value(self) {
            *field = value;
        }
    }
}

/// Declares an options type. Each field has the name of its builder method, a default and, if
/// programs offer it, a call of an [`OptionSpec`](crate::OptionSpec) constructor without the last
/// argument. The type also gets a `limits` field. See [`options`](crate::format::options).
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
            /// Limits on untrusted input.
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
                    "Sets [`", stringify!($field), "`](Self::",
                    stringify!($field), ").",
                )]
                #[must_use]
                pub fn $with(mut self, $field: $type) -> $options {
                    self.$field = $field;
                    self
                }
            )*

            /// Sets [`limits`](Self::limits).
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

/// Implements [`OptionField`] using a function of the option's value.
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

    /// Declares a flag.
    pub const fn flag(
        name: &'static str,
        help: &'static str,
        set: fn(&mut T, &OptionValue),
    ) -> OptionSpec<T> {
        OptionSpec::new(name, OptionKind::Flag, None, help, set)
    }

    /// Declares an option for a number greater than 0.
    pub const fn positive(
        name: &'static str,
        default: Option<&'static str>,
        help: &'static str,
        set: fn(&mut T, &OptionValue),
    ) -> OptionSpec<T> {
        OptionSpec::new(name, OptionKind::Positive, default, help, set)
    }

    /// Declares an option for a non-negative number.
    pub const fn non_negative(
        name: &'static str,
        default: Option<&'static str>,
        help: &'static str,
        set: fn(&mut T, &OptionValue),
    ) -> OptionSpec<T> {
        OptionSpec::new(name, OptionKind::NonNegative, default, help, set)
    }

    /// Declares an option for an integer within an inclusive range.
    pub const fn integer(
        name: &'static str,
        (min, max): (u32, u32),
        default: Option<&'static str>,
        help: &'static str,
        set: fn(&mut T, &OptionValue),
    ) -> OptionSpec<T> {
        OptionSpec::new(name, OptionKind::Integer { min, max }, default, help, set)
    }

    /// Declares an option for one of several names.
    pub const fn choice(
        name: &'static str,
        names: &'static [&'static str],
        default: Option<&'static str>,
        help: &'static str,
        set: fn(&mut T, &OptionValue),
    ) -> OptionSpec<T> {
        OptionSpec::new(name, OptionKind::Choice(names), default, help, set)
    }

    /// Declares an option for arbitrary text.
    pub const fn text(
        name: &'static str,
        help: &'static str,
        set: fn(&mut T, &OptionValue),
    ) -> OptionSpec<T> {
        OptionSpec::new(name, OptionKind::Text, None, help, set)
    }

    /// Declares that this option has no effect without another option.
    #[must_use]
    pub const fn requires(mut self, other: &'static str) -> OptionSpec<T> {
        self.info.requires = Some(other);
        self
    }

    /// Declares that this option conflicts with another option.
    #[must_use]
    pub const fn conflicts(mut self, other: &'static str) -> OptionSpec<T> {
        self.info.conflicts = Some(other);
        self
    }
}

/// The options set by a user, for any format.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    values: BTreeMap<&'static str, OptionValue>,
    /// Limits on untrusted input.
    pub limits: Limits,
}

impl Settings {
    /// Sets an option.
    ///
    /// # Errors
    ///
    /// Returns [`OptionError`] if the option does not accept the value.
    pub fn set(&mut self, option: &OptionInfo, value: &str) -> Result<(), OptionError> {
        self.values.insert(option.name, option.parse(value)?);
        Ok(())
    }

    /// Returns the value of an option, if set.
    pub fn get(&self, name: &str) -> Option<&OptionValue> {
        self.values.get(name)
    }

    /// Removes the value of an option.
    pub fn unset(&mut self, name: &str) {
        self.values.remove(name);
    }

    /// Creates the options of a type from the values set. Options of other formats are ignored.
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
