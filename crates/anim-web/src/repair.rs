//! Repairs a file.

use anim_viewer::{DiffLine, Failure, Problem, Repairs, show_path};
use serde::Serialize;

use crate::answer::answer;
use crate::options::Options;
use crate::session::{Session, name_of};

#[derive(Serialize)]
struct Repaired {
    name: String,
    made: Vec<Problem>,
    left_out: Vec<Problem>,
    /// Why nothing was repaired although repairs were possible.
    refused: Option<String>,
    changed: bool,
    diff: Vec<DiffLine>,
}

impl Session {
    /// Makes the repairs of `animfmt check --fix` ([`Session::repaired`]).
    pub fn repair(&mut self, path: &str, options: &str) -> String {
        self.forget();
        let made = Options::read(options).and_then(|options| self.make_repairs(path, &options));
        answer(Some(path), made)
    }

    fn make_repairs(&mut self, path: &str, options: &Options) -> Result<Repaired, Failure> {
        let load = self.load_options(options)?;
        let (parsed, cut) = self.parse(path, &load)?;
        let repairs = Repairs::of(&parsed, cut, &load.settings);
        let repaired = Repaired {
            name: name_of(path).to_owned(),
            made: repairs.made.iter().map(Problem::of_repair).collect(),
            left_out: repairs.left_out.iter().map(Problem::of_skipped).collect(),
            diff: repairs.diff(&show_path(path.as_ref())),
            changed: repairs.changed.is_some(),
            refused: repairs.refused,
        };
        self.repaired = repairs.changed.map(|(_, after)| after).unwrap_or_default();
        Ok(repaired)
    }
}
