//! Tests with truncated files, flipped bits, oversized files, and files designed to be slow.

use anim_ir::{Limits, NoFiles, ParseErrorKind};
use test_oracle::{fixtures, growth};

use crate::fixtures::Fixture;
use crate::repairs::{Harm, cuts, harm_of_repairs};
use crate::suite::Suite;

/// The bits to flip in a byte. Each tested byte gets one of these masks, or all of them in a sweep.
const MASKS: [u8; 4] = [0x01, 0xff, 0x10, 0x80];

impl Suite {
    /// Truncated files do not cause panics.
    pub fn files_may_be_cut_anywhere(&self) {
        let small = self.small_fixtures();
        let stride = self.stride(&small);
        for fixture in &small {
            let from = fixture.bytes.len() % stride;
            for length in (from..=fixture.bytes.len()).step_by(stride) {
                self.try_out(fixture, &fixture.bytes[..length], "truncated to bytes", length);
            }
        }
    }

    /// Flipped bits do not cause panics.
    pub fn any_bit_may_be_flipped(&self) {
        let small = self.small_fixtures();
        let (stride, masks) = (self.stride(&small), fixtures::scale(1, MASKS.len()));
        for fixture in &small {
            let mut bytes = fixture.bytes.clone();
            for at in (bytes.len() % stride..bytes.len()).step_by(stride) {
                // Start with the next mask at each tested byte, so that every fixture is tested
                // with all masks, whatever the stride.
                let first = at / stride % MASKS.len();
                for mask in MASKS.iter().cycle().skip(first).take(masks) {
                    bytes[at] ^= mask;
                    self.try_out(fixture, &bytes, "bits flipped in byte", at);
                    bytes[at] ^= mask;
                }
            }
        }
    }

    /// Repairs to a truncated file do not change anything that is valid in the complete file.
    pub fn repairs_of_cut_files_do_no_harm(&self) {
        let small = self.small_fixtures();
        let stride = self.stride(&small);
        let mut found = Vec::new();
        for Fixture { name, bytes, subject } in &small {
            let cuts = cuts(bytes, fixtures::scale(bytes.len() / stride, bytes.len()));
            for harm in harm_of_repairs(bytes, &cuts, &subject.problems) {
                let Harm { cut, place, code, replacement } = harm;
                found.push(format!("{name} truncated to {cut}: {place}: {code} → {replacement:?}"));
            }
        }
        assert!(found.is_empty(), "{} harmful repairs:\n{}", found.len(), found.join("\n"));
    }

    fn small_fixtures(&self) -> Vec<Fixture> {
        let mut small = self.fixtures();
        small.retain(|fixture| fixture.bytes.len() < self.small);
        small
    }

    /// Returns the distance between two bytes to test, for about [`Suite::cases`] tests in all
    /// fixtures together.
    fn stride(&self, fixtures: &[Fixture]) -> usize {
        let bytes: usize = fixtures.iter().map(|fixture| fixture.bytes.len()).sum();
        fixtures::scale(bytes.div_ceil(self.cases.max(1)).max(1), 1)
    }

    fn try_out(&self, fixture: &Fixture, bytes: &[u8], what: &'static str, at: usize) {
        let _context = OnPanic { name: &fixture.name, what, at };
        self.exercise(bytes);
    }

    /// Runs every operation of all formats of the suite on a file, which may be invalid or in
    /// another format.
    pub fn exercise(&self, bytes: &[u8]) {
        for subject in &self.subjects {
            (subject.exercise)(bytes);
        }
        (self.also)(bytes);
    }

    /// A file of exactly the maximum size is read, and a larger file is rejected.
    pub fn inputs_beyond_the_limit_are_refused(&self) {
        let mut seen = 0;
        for Fixture { name, bytes, subject } in self.fixtures() {
            let parse =
                |input_bytes| (subject.parse)(&bytes, Limits { input_bytes, ..Limits::default() });
            let Ok(()) = parse(bytes.len()) else { continue };
            let error = parse(bytes.len() - 1).expect_err(&name);
            assert!(matches!(error.kind(), ParseErrorKind::Limit(_)), "{name}: {error}");
            seen += 1;
        }
        assert!(seen > self.more_than / 2, "{seen}");
    }

    /// Reading time is linear in the size of the file, whatever its content.
    pub fn time_is_linear(&self) {
        let read = self.subjects[0].read;
        let run = |bytes: &Vec<u8>| drop(read(bytes, "name", &mut NoFiles));
        for (what, count, make) in &self.growth {
            growth::assert_linear(what, make, run, *count);
        }
    }
}

/// Prints the name of the file if its test panics.
struct OnPanic<'a> {
    name: &'a str,
    what: &'static str,
    at: usize,
}

impl Drop for OnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}: {} {}", self.name, self.what, self.at);
        }
    }
}
