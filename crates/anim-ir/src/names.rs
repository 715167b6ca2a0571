//! Names for enum variants, and parsing of such names.

use thiserror::Error;

/// The error for a name that does not match any variant of an enum.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown {what} `{name}`")]
pub struct UnknownName {
    /// The kind of name expected.
    pub what: &'static str,
    /// The unknown name.
    pub name: String,
}

/// Implements names for a fieldless enum: `ALL`, `NAMES`, `name`, `Display` and `FromStr`. Also
/// allows using it as a choice in [`options!`](crate::options).
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Keys {
///     Parent,
///     Delta,
/// }
///
/// anim_ir::named!(Keys, "key space", { Parent => "parent", Delta => "delta" });
/// assert_eq!(("delta".parse(), Keys::Parent.name()), (Ok(Keys::Delta), Keys::NAMES[0]));
/// ```
#[macro_export]
macro_rules! named {
    ($type:ident, $what:literal, { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $type {
            /// All variants, in declaration order.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$variant),+];

            /// The names of all variants, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            #[doc = concat!("The name of this ", $what, ", which [`str::parse`] accepts:")]
            #[doc = concat!($("`", $name, "` "),+)]
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<$type, Self::Err> {
                let found = $type::ALL.into_iter().find(|value| value.name() == name);
                found.ok_or_else(|| $crate::UnknownName {
                    what: $what,
                    name: name.to_owned(),
                })
            }
        }

        impl $crate::format::options::OptionField for $type {
            fn from_value(value: &$crate::format::options::OptionValue) -> Option<$type> {
                value.text().parse().ok()
            }
        }
    };
}

pub(crate) use named;

#[cfg(test)]
mod tests {
    use crate::{Axes, EulerOrder, Interpolation, SequenceOrder, Topology, WaveShape, Wrap};

    #[test]
    fn names_round_trip() {
        fn check<T, const N: usize>(all: [T; N])
        where
            T: std::fmt::Display + std::str::FromStr + PartialEq + std::fmt::Debug,
        {
            for value in all {
                assert_eq!(value.to_string().parse::<T>().ok(), Some(value));
            }
            assert!("none of them".parse::<T>().is_err());
        }
        check(Wrap::ALL);
        check(Axes::ALL);
        check(EulerOrder::ALL);
        check(Interpolation::ALL);
        check(WaveShape::ALL);
        check(SequenceOrder::ALL);
        check(Topology::ALL);
        assert_eq!("twice".parse::<Wrap>().unwrap_err().to_string(), "unknown wrap mode `twice`");
        assert_eq!(format!("{:>6}", EulerOrder::Zyx), "   zyx");
    }
}
