//! Seed inputs of the fuzz targets, made from ordinary files.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anim_formats::{LoadOptions, detect, load};
use flate2::read::GzDecoder;

use crate::companions::{self, COMPRESSED};
use crate::input::{Record, join};
use crate::targets::Target;

/// Larger files are left out, since the fuzzer works best with small inputs.
const SMALL: usize = 8 << 10;

/// Returns seeds for a target, by name.
pub fn seeds(target: Target, files: &[(PathBuf, Vec<u8>)]) -> BTreeMap<String, Vec<u8>> {
    let known: Vec<(&Path, Record)> = files
        .iter()
        .filter(|(_, bytes)| bytes.len() <= SMALL)
        .filter_map(|(path, bytes)| {
            let format = detect(bytes, path.to_str()).first()?.format;
            Some((path.as_path(), Record::new(format, bytes.clone())))
        })
        .collect();
    let mut seeds = BTreeMap::new();
    for (number, (path, file)) in known.iter().enumerate() {
        // A file of any format.
        let other = &known[number.wrapping_mul(97) % known.len()].1;
        let records = match target.name {
            "several" => vec![file.clone(), other.clone()],
            "splits" => {
                let cuts = known.iter().filter(|(_, record)| record.format().defines_clips());
                let cuts: Vec<&Record> = cuts.map(|(_, record)| record).collect();
                let Some(cuts) = cuts.get(number % cuts.len().max(1)) else { continue };
                vec![(*cuts).clone(), file.clone()]
            }
            "companions" => with_companions(path, file),
            "scenes" => {
                let bytes = (0..64_usize).map(|at| (at * 29 + number * 113) as u8);
                seeds.insert(format!("{number}"), bytes.collect());
                continue;
            }
            _ => vec![file.clone()],
        };
        if let Some(input) = join(&records, target.records) {
            seeds.insert(format!("{number}"), input);
        }
    }
    seeds
}

/// Returns a file and the files that are read with it, in this order.
fn with_companions(path: &Path, file: &Record) -> Vec<Record> {
    let read = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&read);
    let options = LoadOptions::default().with_format(file.format()).with_on_read(move |path| {
        seen.lock().expect("a single thread").push(path.to_owned());
    });
    let _ = load(path, &options);
    let mut records = vec![file.clone()];
    for companion in read.lock().expect("a single thread").iter().skip(1) {
        let Ok(bytes) = std::fs::read(companion) else { continue };
        let mut plain = Vec::new();
        records.push(match GzDecoder::new(&bytes[..]).read_to_end(&mut plain) {
            Ok(_) => Record { choice: COMPRESSED, bytes: plain },
            Err(_) => Record { choice: 0, bytes },
        });
    }
    records.truncate(companions::MOST);
    records
}
