//! The fuzz targets: what each does with an input, and the layout of its inputs.

use crate::input::{file, records};
use crate::{
    companions, comparison, detection, edits, formats, mutate, repairs, scenes, several, splits,
};

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of its binary.
    pub name: &'static str,
    /// The number of [records](crate::input::Record) in an input at most; 0 for other bytes.
    pub records: usize,
    /// Runs an input.
    pub run: fn(&[u8]),
}

/// All targets.
pub const ALL: [Target; 9] =
    [FORMATS, SEVERAL, EDITS, REPAIRS, COMPARISON, SPLITS, COMPANIONS, SCENES, DETECTION];

/// Every operation on a file.
pub const FORMATS: Target = Target {
    name: "formats",
    records: 1,
    run: |input| {
        if let Some((format, bytes)) = file(input) {
            formats::exercise(format, bytes);
        }
    },
};

/// Two files that may be related.
pub const SEVERAL: Target = Target {
    name: "several",
    records: 2,
    run: |input| {
        let records = records(input, 2);
        let files: Vec<_> =
            records.iter().map(|record| (record.format(), &record.bytes[..])).collect();
        several::exercise(&files);
    },
};

/// Edits of a file.
pub const EDITS: Target = Target {
    name: "edits",
    records: 1,
    run: |input| {
        if let Some((format, bytes)) = file(input) {
            edits::exercise(format, bytes);
        }
    },
};

/// Repairs of a file.
pub const REPAIRS: Target = Target {
    name: "repairs",
    records: 1,
    run: |input| {
        if let Some((format, bytes)) = file(input) {
            repairs::exercise(format, bytes);
        }
    },
};

/// A comparison of a file with itself and with a variant.
pub const COMPARISON: Target = Target {
    name: "comparison",
    records: 1,
    run: |input| {
        if let Some((format, bytes)) = file(input) {
            comparison::exercise(format, bytes);
        }
    },
};

/// An ANM text file, and a model to split.
pub const SPLITS: Target = Target {
    name: "splits",
    records: 2,
    run: |input| {
        if let [cuts, model] = &records(input, 2)[..] {
            splits::exercise(&cuts.bytes, model.format(), &model.bytes);
        }
    },
};

/// A file and the files that it refers to.
pub const COMPANIONS: Target = Target {
    name: "companions",
    records: companions::MOST,
    run: |input| companions::exercise(&records(input, companions::MOST)),
};

/// A scene to change and write.
pub const SCENES: Target = Target { name: "scenes", records: 0, run: scenes::exercise };

/// A file to detect.
pub const DETECTION: Target = Target {
    name: "detection",
    records: 1,
    run: |input| {
        if let Some((_, bytes)) = file(input) {
            detection::exercise(bytes);
        }
    },
};

impl Target {
    /// Mutates an input. Returns the new length. `plain` mutates bytes, like libFuzzer's
    /// `fuzzer_mutate`.
    pub fn mutate(
        self,
        data: &mut [u8],
        size: usize,
        most: usize,
        seed: u32,
        plain: mutate::Plain,
    ) -> usize {
        match self.records {
            0 => plain(data, size, most),
            1 => mutate::one(data, size, most, seed, plain),
            records => mutate::several(data, size, most, records, seed, plain),
        }
    }
}

/// Defines a fuzz target.
#[macro_export]
macro_rules! fuzz {
    ($target:ident) => {
        libfuzzer_sys::fuzz_target!(|input: &[u8]| ($crate::targets::$target.run)(input));

        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, most: usize, seed: u32| {
            $crate::targets::$target.mutate(data, size, most, seed, libfuzzer_sys::fuzzer_mutate)
        });
    };
}
