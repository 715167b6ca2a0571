//! Channels, each of which is a column of the motion data.

/// The type of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChannelType {
    /// `Xposition`.
    Xposition,
    /// `Yposition`.
    Yposition,
    /// `Zposition`.
    Zposition,
    /// `Xrotation`, in degrees.
    Xrotation,
    /// `Yrotation`, in degrees.
    Yrotation,
    /// `Zrotation`, in degrees.
    Zrotation,
    /// Unknown channel. Its column is kept and ignored.
    Unknown,
}

impl ChannelType {
    /// The known types: positions along x, y and z, then rotations about them.
    pub const ALL: [ChannelType; 6] = [
        ChannelType::Xposition,
        ChannelType::Yposition,
        ChannelType::Zposition,
        ChannelType::Xrotation,
        ChannelType::Yrotation,
        ChannelType::Zrotation,
    ];

    /// The name in its usual spelling; empty for [`ChannelType::Unknown`].
    pub const fn name(self) -> &'static str {
        match self {
            ChannelType::Xposition => "Xposition",
            ChannelType::Yposition => "Yposition",
            ChannelType::Zposition => "Zposition",
            ChannelType::Xrotation => "Xrotation",
            ChannelType::Yrotation => "Yrotation",
            ChannelType::Zrotation => "Zrotation",
            ChannelType::Unknown => "",
        }
    }

    /// Returns the channel with the given name, ignoring case.
    pub(crate) fn from_name(name: &[u8]) -> ChannelType {
        let found = ChannelType::ALL
            .into_iter()
            .find(|channel| channel.name().as_bytes().eq_ignore_ascii_case(name));
        found.unwrap_or(ChannelType::Unknown)
    }

    /// The axis of a position channel, 0 to 2.
    pub const fn position(self) -> Option<usize> {
        match self as usize {
            axis @ 0..=2 => Some(axis),
            _ => None,
        }
    }

    /// The axis of a rotation channel, 0 to 2.
    pub const fn rotation(self) -> Option<usize> {
        match self as usize {
            channel @ 3..=5 => Some(channel - 3),
            _ => None,
        }
    }
}
