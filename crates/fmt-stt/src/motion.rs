//! How nodes move, and how keyframe states play: plain values, as the file has them.

use anim_ir::{SequenceOrder, WaveShape};

macro_rules! types {
    ($(#[$doc:meta])* $name:ident {
        $($(#[$variant_doc:meta])* $variant:ident = $number:literal,)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
            /// A number that the format does not have. It does what 0 does.
            Other(i32),
        }

        impl $name {
            /// Its number in the file.
            pub const fn number(self) -> i32 {
                match self {
                    $($name::$variant => $number,)*
                    $name::Other(number) => number,
                }
            }
        }

        impl From<i32> for $name {
            fn from(number: i32) -> $name {
                match number {
                    $($number => $name::$variant,)*
                    _ => $name::Other(number),
                }
            }
        }
    };
}

types! {
    /// How a channel goes from its start S to its end E ("Dynamic node behaviour animation types").
    /// With u = (seconds + offset) / period:
    ChannelType {
        /// S.
        None = 0,
        /// S + (E − S) · fraction of u.
        LoopForwards = 1,
        /// E + (S − E) · fraction of u.
        LoopBackwards = 2,
        /// There and back in one period, from S.
        PingPongForwards = 3,
        /// There and back in one period, from E.
        PingPongBackwards = 4,
        /// From S to E in the first period, then E.
        OnceForwards = 5,
        /// From E to S in the first period, then S.
        OnceBackwards = 6,
        /// Between S and E, from their middle on towards E.
        Sine = 7,
        /// S.
        Start = 8,
        /// S · u; without a period S · seconds.
        Delta = 9,
    }
}

impl ChannelType {
    /// Whether it stays at the start where the period is not greater than 0.
    pub const fn needs_period(self) -> bool {
        matches!(self.number(), 1..=7)
    }
}

types! {
    /// The way of a keyframe state through its keys ("Keyframe animation types").
    SequenceType {
        /// Stays at the starting key.
        None = 0,
        /// Forwards; from the last key to the first.
        LoopForwards = 1,
        /// Backwards; from the first key to the last.
        LoopBackwards = 2,
        /// Forwards; turns round at both ends.
        PingPongForwards = 3,
        /// Backwards; turns round at both ends.
        PingPongBackwards = 4,
        /// Forwards; stays at the last key.
        OnceForwards = 5,
    }
}

/// One of the three vectors of a node. Its transform is T(displacement) · R(orientation) ·
/// T(translation).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// In the model's unit.
    Displacement,
    /// In the model's unit: a move before the rotation.
    Translation,
    /// Degrees about x, y and z.
    Orientation,
}

impl Part {
    /// In the order of the file.
    pub const ALL: [Part; 3] = [Part::Displacement, Part::Translation, Part::Orientation];

    /// `displacement`, `translation` or `orientation`.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Displacement => "displacement",
            Part::Translation => "translation",
            Part::Orientation => "orientation",
        }
    }

    /// Its place in the file.
    pub const fn index(self) -> usize {
        match self {
            Part::Displacement => 0,
            Part::Translation => 1,
            Part::Orientation => 2,
        }
    }
}

/// A vector that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Channel {
    /// S.
    pub start: [f32; 3],
    /// E.
    pub end: [f32; 3],
    /// Seconds.
    pub period: f32,
    /// Seconds that it is ahead.
    pub offset: f32,
    /// How it goes from S to E.
    pub kind: ChannelType,
}

impl Channel {
    /// A vector that does not move.
    pub const fn still(value: [f32; 3]) -> Channel {
        Channel { start: value, end: value, period: 0.0, offset: 0.0, kind: ChannelType::Start }
    }

    /// Whether it stays at its start for ever.
    pub fn is_still(&self) -> bool {
        match self.kind {
            ChannelType::None | ChannelType::Start | ChannelType::Other(_) => true,
            ChannelType::Delta => self.start == [0.0; 3],
            _ => self.period <= 0.0 || self.start == self.end,
        }
    }
}

/// Where a node is or how it moves: displacement, translation and orientation ([`Part`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Behaviour {
    /// `STATIC`.
    Static([[f32; 3]; 3]),
    /// `DYNAMIC`.
    Dynamic([Channel; 3]),
}

impl Behaviour {
    /// One of the three vectors.
    pub fn channel(&self, part: Part) -> Channel {
        let found = match self {
            Behaviour::Static(vectors) => vectors.get(part.index()).copied().map(Channel::still),
            Behaviour::Dynamic(channels) => channels.get(part.index()).copied(),
        };
        found.unwrap_or(Channel::still([0.0; 3]))
    }
}

/// The way from a key to the one beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// How long it takes, in seconds. What is negative counts as 0.
    pub seconds: f32,
    /// Whether the pose changes on the way. Otherwise it stays, and changes at the end.
    pub morph: bool,
}

/// The waves of the model that channels are, and whether these go from the end to the start.
pub(crate) const WAVES: [(ChannelType, WaveShape, bool); 8] = [
    (ChannelType::LoopForwards, WaveShape::Sawtooth, false),
    (ChannelType::LoopBackwards, WaveShape::Sawtooth, true),
    (ChannelType::PingPongForwards, WaveShape::Triangle, false),
    (ChannelType::PingPongBackwards, WaveShape::Triangle, true),
    (ChannelType::OnceForwards, WaveShape::Once, false),
    (ChannelType::OnceBackwards, WaveShape::Once, true),
    (ChannelType::Sine, WaveShape::Sine, false),
    (ChannelType::Delta, WaveShape::Growth, false),
];

/// The ways through keys that the model has, too.
pub(crate) const ORDERS: [(SequenceType, SequenceOrder); 6] = [
    (SequenceType::None, SequenceOrder::Stay),
    (SequenceType::LoopForwards, SequenceOrder::LoopForwards),
    (SequenceType::LoopBackwards, SequenceOrder::LoopBackwards),
    (SequenceType::PingPongForwards, SequenceOrder::PingPongForwards),
    (SequenceType::PingPongBackwards, SequenceOrder::PingPongBackwards),
    (SequenceType::OnceForwards, SequenceOrder::OnceForwards),
];
