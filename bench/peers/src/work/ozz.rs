//! A sampler that only a nightly compiler builds.

use half::f16;
use ozz_animation_rs::{Animation, SamplingContext, SamplingJobRef, SoaTransform};
use serde_json::json;

use crate::contender::Work;
use crate::inputs::keys::{self, JOINTS, KEYS, Key, RATE};
use crate::work::sampling::{Sample, at_times};

/// Keys in the layout of ozz-animation, which compresses them: half floats, and the three smaller
/// components of rotations with 15 bits each.
struct Ozz {
    animation: Animation,
    context: SamplingContext,
    output: Vec<SoaTransform>,
}

impl Ozz {
    fn new() -> Ozz {
        let keys = keys::all();
        // All joints have keys at the same times; keys are sorted by time, then joint.
        let sorted: Vec<Key> = (0..KEYS)
            .flat_map(|key| (0..JOINTS).map(move |joint| joint * KEYS + key))
            .map(|at| keys[at])
            .collect();
        let halves = |first: usize| -> Vec<[u16; 3]> {
            let three = |key: &Key| [0, 1, 2].map(|at| f16::from_f32(key[first + at]).to_bits());
            sorted.iter().map(three).collect()
        };
        let last = (KEYS - 1) as f64;
        let timepoints: Vec<f64> = (0..KEYS).map(|key| key as f64 / last).collect();
        let ratios: Vec<usize> = (0..sorted.len()).map(|at| at / JOINTS).collect();
        let previouses: Vec<usize> =
            (0..sorted.len()).map(|at| if at < JOINTS { 0 } else { JOINTS }).collect();
        let none: [u32; 0] = [];
        let mut raw = json!({
            "duration": last / RATE, "num_tracks": JOINTS, "name": "", "timepoints": timepoints,
            "translations": halves(0), "scales": halves(7),
            "rotations": sorted.iter().map(|key| compressed([key[3], key[4], key[5], key[6]]))
                .collect::<Vec<_>>(),
        });
        for channel in ["t", "r", "s"] {
            raw[format!("{channel}_ratios")] = json!(ratios);
            raw[format!("{channel}_previouses")] = json!(previouses);
            // Without intermediate frames: longer than the animation.
            raw[format!("{channel}_iframe_interval")] = json!(2.0);
            raw[format!("{channel}_iframe_entries")] = json!(none);
            raw[format!("{channel}_iframe_desc")] = json!(none);
        }
        let animation: Animation = serde_json::from_value(raw).expect("an animation");
        let context = SamplingContext::from_animation(&animation);
        let output = vec![SoaTransform::IDENTITY; JOINTS / 4];
        Ozz { animation, context, output }
    }
}

fn compressed(rotation: [f32; 4]) -> [u16; 3] {
    let largest = (0..4).max_by(|a, b| rotation[*a].abs().total_cmp(&rotation[*b].abs()));
    let largest = largest.unwrap_or_default();
    let negative = rotation[largest] < 0.0;
    let mut bits = largest as u64 | u64::from(negative) << 2;
    for (place, at) in (0..4).filter(|at| *at != largest).enumerate() {
        let unit = f64::from(rotation[at]) / std::f64::consts::SQRT_2 + 0.5;
        bits |= ((unit * 32767.0).round() as u64) << (3 + 15 * place);
    }
    [0, 16, 32].map(|shift| (bits >> shift) as u16)
}

impl Sample for Ozz {
    fn sample(&mut self, time: f64) {
        let mut job = SamplingJobRef::default();
        job.set_ratio((time / f64::from(self.animation.duration())) as f32);
        job.set_animation(&self.animation);
        job.set_context(&mut self.context);
        job.set_output(&mut self.output);
        job.run().expect("a valid job");
    }

    fn values(&self) -> Vec<f32> {
        let values = |at: usize| {
            let joint = self.output[at / 4].transform(at % 4);
            let [translation, scale] = [joint.translation, joint.scale].map(|v| v.to_array());
            translation.into_iter().chain(joint.rotation.to_array()).chain(scale)
        };
        (0..JOINTS).flat_map(values).collect()
    }
}

pub fn playing(_: &'static [u8]) -> Work {
    at_times(true, Ozz::new())
}

pub fn at_random(_: &'static [u8]) -> Work {
    at_times(false, Ozz::new())
}
