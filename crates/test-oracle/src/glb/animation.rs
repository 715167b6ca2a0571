//! Animations.

use gltf::accessor::DataType;
use gltf::animation::{Interpolation, Property};

use super::accessor::read_accessor;
use super::mesh::{Local, Node};
use crate::math::{lerp, slerp};

#[derive(Clone, Debug)]
pub(super) struct Animation {
    /// The name; empty if missing.
    pub(super) name: String,
    pub(super) channels: Vec<Channel>,
}

#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) node: usize,
    pub(super) property: Property,
    pub(super) interpolation: Interpolation,
    pub(super) times: Vec<f64>,
    /// One value per time. Cubic splines have three: in-tangent, value, out-tangent.
    pub(super) values: Vec<Vec<f64>>,
}

impl Animation {
    pub(super) fn new(animation: &gltf::Animation<'_>, nodes: &[Node], bin: &[u8]) -> Self {
        let channels: Vec<Channel> =
            animation.channels().map(|channel| Channel::new(&channel, nodes, bin)).collect();
        for (i, a) in channels.iter().enumerate() {
            let same = |b: &Channel| a.node == b.node && a.property == b.property;
            assert!(!channels[..i].iter().any(same), "two channels have the same target");
            let has_parts = matches!(nodes[a.node].local, Local::Parts { .. });
            let is_morph = a.property == Property::MorphTargetWeights;
            assert!(is_morph || has_parts, "a node with a matrix is animated");
        }
        Self { name: animation.name().unwrap_or_default().to_owned(), channels }
    }

    /// Returns the value of a node's property at `t` seconds, if a channel animates it.
    pub(super) fn at(&self, node: usize, property: Property, t: f64) -> Option<Vec<f64>> {
        let is_asked = |channel: &&Channel| (channel.node, channel.property) == (node, property);
        self.channels.iter().find(is_asked).map(|channel| channel.at(t))
    }
}

impl Channel {
    pub(super) fn new(channel: &gltf::animation::Channel<'_>, nodes: &[Node], bin: &[u8]) -> Self {
        let sampler = channel.sampler();
        let node = channel.target().node().index();
        let property = channel.target().property();
        let targets = nodes[node].weights.len();
        let interpolation = sampler.interpolation();
        assert_eq!(sampler.input().data_type(), DataType::F32, "times are not floats");
        let times: Vec<f64> =
            read_accessor(&sampler.input(), bin).iter().map(|time| time[0]).collect();
        assert!(!times.is_empty(), "an animation without keys");
        assert!(times[0] >= 0.0, "a key before the start");
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "times are not strictly ascending");
        let mut values = read_accessor(&sampler.output(), bin);
        if property == Property::MorphTargetWeights {
            let flat: Vec<f64> = values.into_iter().flatten().collect();
            values = flat.chunks(targets).map(<[f64]>::to_vec).collect();
        }
        let width = match property {
            Property::Translation | Property::Scale => 3,
            Property::Rotation => 4,
            Property::MorphTargetWeights => targets,
        };
        assert!(values.iter().all(|value| value.len() == width), "values of the wrong width");
        let per_key = match interpolation {
            Interpolation::CubicSpline => 3,
            Interpolation::Linear | Interpolation::Step => 1,
        };
        assert_eq!(values.len(), per_key * times.len(), "the numbers of values and times differ");
        Self { node, property, interpolation, times, values }
    }

    /// Returns the value at a key.
    fn value(&self, key: usize) -> &[f64] {
        match self.interpolation {
            Interpolation::CubicSpline => &self.values[3 * key + 1],
            Interpolation::Linear | Interpolation::Step => &self.values[key],
        }
    }

    pub(super) fn at(&self, t: f64) -> Vec<f64> {
        let last = self.times.len() - 1;
        if t <= self.times[0] {
            return self.value(0).to_vec();
        }
        if t >= self.times[last] {
            return self.value(last).to_vec();
        }
        let next = self.times.iter().position(|&time| time > t).unwrap();
        let before = next - 1;
        let duration = self.times[next] - self.times[before];
        let u = (t - self.times[before]) / duration;
        let (a, b) = (self.value(before), self.value(next));
        match self.interpolation {
            Interpolation::Step => a.to_vec(),
            Interpolation::Linear if self.property == Property::Rotation => {
                slerp(a.try_into().unwrap(), b.try_into().unwrap(), u).to_vec()
            }
            Interpolation::Linear => (0..a.len()).map(|i| lerp([a[i]], [b[i]], u)[0]).collect(),
            Interpolation::CubicSpline => {
                let out_tangent = &self.values[3 * before + 2];
                let in_tangent = &self.values[3 * next];
                let (u2, u3) = (u * u, u * u * u);
                (0..a.len())
                    .map(|i| {
                        (2.0 * u3 - 3.0 * u2 + 1.0) * a[i]
                            + duration * (u3 - 2.0 * u2 + u) * out_tangent[i]
                            + (3.0 * u2 - 2.0 * u3) * b[i]
                            + duration * (u3 - u2) * in_tangent[i]
                    })
                    .collect()
            }
        }
    }
}
