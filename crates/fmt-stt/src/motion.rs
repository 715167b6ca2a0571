//! The motion of nodes and keyframe states as plain data, with the values of the file.

use anim_ir::{SequenceOrder, WaveShape};

macro_rules! types {
    ($(#[$doc:meta])* $name:ident {
        $($(#[$variant_doc:meta])* $variant:ident = $number:literal,)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)*
            /// A type that the format does not define. It behaves like type 0.
            Other(i32),
        }

        impl $name {
            /// Returns the number in the file.
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
    /// How a channel moves from its start S to its end E ("Dynamic node behaviour animation
    /// types"). With u = (seconds + offset) / period:
    ChannelType {
        /// Stays at S.
        None = 0,
        /// S + (E − S) · fraction of u.
        LoopForwards = 1,
        /// E + (S − E) · fraction of u.
        LoopBackwards = 2,
        /// From S to E and back in one period.
        PingPongForwards = 3,
        /// From E to S and back in one period.
        PingPongBackwards = 4,
        /// From S to E in the first period, then E.
        OnceForwards = 5,
        /// From E to S in the first period, then S.
        OnceBackwards = 6,
        /// A sine between S and E that starts at their midpoint, moving towards E.
        Sine = 7,
        /// Stays at S.
        Start = 8,
        /// S · u, or S · seconds if the period is not positive.
        Delta = 9,
    }
}

impl ChannelType {
    /// Whether this type requires a period greater than 0. If the period is not positive, the
    /// channel stays at S.
    pub const fn needs_period(self) -> bool {
        matches!(self.number(), 1..=7)
    }
}

types! {
    /// The order in which a keyframe state plays its keys ("Keyframe animation types").
    SequenceType {
        /// Stays at the starting key.
        None = 0,
        /// Forwards, returning to the first key after the last.
        LoopForwards = 1,
        /// Backwards, returning to the last key after the first.
        LoopBackwards = 2,
        /// Starts forwards and reverses at both ends.
        PingPongForwards = 3,
        /// Starts backwards and reverses at both ends.
        PingPongBackwards = 4,
        /// Forwards, stopping at the last key.
        OnceForwards = 5,
    }
}

/// One of the three vectors of a node. Its transform is T(displacement) · R(orientation) ·
/// T(translation).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// In the model's unit.
    Displacement,
    /// In the model's unit; applied before the rotation.
    Translation,
    /// Degrees about x, y and z.
    Orientation,
}

impl Part {
    /// The parts in file order.
    pub const ALL: [Part; 3] = [Part::Displacement, Part::Translation, Part::Orientation];

    /// `displacement`, `translation` or `orientation`.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Displacement => "displacement",
            Part::Translation => "translation",
            Part::Orientation => "orientation",
        }
    }

    /// Returns the part's index in file order.
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
    /// The start value S.
    pub start: [f32; 3],
    /// The end value E.
    pub end: [f32; 3],
    /// The period in seconds.
    pub period: f32,
    /// The offset added to the time, in seconds.
    pub offset: f32,
    /// How the vector moves from S to E.
    pub kind: ChannelType,
}

impl Channel {
    /// Creates a channel for a vector that does not move.
    pub const fn still(value: [f32; 3]) -> Channel {
        Channel { start: value, end: value, period: 0.0, offset: 0.0, kind: ChannelType::Start }
    }

    /// Whether the channel stays at its start value forever.
    pub fn is_still(&self) -> bool {
        match self.kind {
            ChannelType::None | ChannelType::Start | ChannelType::Other(_) => true,
            ChannelType::Delta => self.start == [0.0; 3],
            _ => self.period <= 0.0 || self.start == self.end,
        }
    }
}

/// A node's position and orientation, or how they change: displacement, translation and orientation
/// ([`Part`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Behaviour {
    /// `STATIC`.
    Static([[f32; 3]; 3]),
    /// `DYNAMIC`.
    Dynamic([Channel; 3]),
}

impl Behaviour {
    /// Returns the motion of one of the three vectors.
    pub fn channel(&self, part: Part) -> Channel {
        let found = match self {
            Behaviour::Static(vectors) => vectors.get(part.index()).copied().map(Channel::still),
            Behaviour::Dynamic(channels) => channels.get(part.index()).copied(),
        };
        found.unwrap_or(Channel::still([0.0; 3]))
    }
}

/// The step from a key to an adjacent key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// The duration in seconds. Negative values are treated as 0.
    pub seconds: f32,
    /// Whether the pose is interpolated. If false, it is held until the end of the step.
    pub morph: bool,
}

/// The wave shape for each channel type, and whether the wave runs from the end to the start.
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

/// The sequence types with an equivalent in a scene.
pub(crate) const ORDERS: [(SequenceType, SequenceOrder); 6] = [
    (SequenceType::None, SequenceOrder::Stay),
    (SequenceType::LoopForwards, SequenceOrder::LoopForwards),
    (SequenceType::LoopBackwards, SequenceOrder::LoopBackwards),
    (SequenceType::PingPongForwards, SequenceOrder::PingPongForwards),
    (SequenceType::PingPongBackwards, SequenceOrder::PingPongBackwards),
    (SequenceType::OnceForwards, SequenceOrder::OnceForwards),
];
