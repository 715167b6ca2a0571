//! Reads fixtures and compares the results with their tables.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anim_ir::source::locate;
use anim_ir::{Confidence, NoFiles, ParseError, ResolveError, Resolver, Severity, Span, validate};
use test_oracle::fixtures;

use crate::subject::{Reading, Subject};
use crate::suite::{Suite, Table};

/// The result of reading a file, to compare with the table.
struct Judgement {
    /// `ok`, `note`, `warning`, `error` or `refused`.
    severity: &'static str,
    /// Locations of the most severe problems, in the notation of the table.
    places: Vec<String>,
    /// All diagnostics, for display.
    text: String,
}

/// A fixture.
pub(crate) struct Fixture {
    /// Path in the folder of fixtures, such as `ok/lamp.stt`.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) subject: Subject,
}

impl Suite {
    /// Returns all fixtures, sorted by name.
    pub(crate) fn fixtures(&self) -> Vec<Fixture> {
        let is_known = |name: &str| self.subject_of(name).is_some();
        let found = fixtures::files(self.folder, self.severities, is_known, self.more_than);
        let fixture = |(name, bytes): (String, Vec<u8>)| {
            let subject = self.subject_of(&name).unwrap();
            Fixture { name, bytes, subject }
        };
        found.into_iter().map(fixture).collect()
    }

    /// Returns the format of a file, based on its extension.
    fn subject_of(&self, name: &str) -> Option<Subject> {
        let (_, extension) = name.rsplit_once('.')?;
        self.subjects.iter().find(|subject| subject.extensions.contains(&extension)).copied()
    }

    /// Reads a fixture. `name` includes its folder, such as `ok/lamp.stt`.
    fn read(&self, name: &str, bytes: &[u8]) -> Result<Reading, ParseError> {
        let subject = self.subject_of(name).unwrap_or_else(|| panic!("{name}: unknown format"));
        let (folder, file) = name.split_once('/').unwrap();
        let stem = file.split_once('.').map_or(file, |(stem, _)| stem);
        let mut beside = Beside(fixtures::folder(self.folder).join(folder));
        let files: &mut dyn Resolver = if self.opens_files { &mut beside } else { &mut NoFiles };
        (subject.read)(bytes, stem, files)
    }

    /// The highest severity of each fixture's problems, and the location of a problem with this
    /// severity, match the table.
    pub fn fixtures_are_judged_as_their_table_says(&self) {
        let table = fs::read_to_string(fixtures::folder(self.folder).join("EXPECTED.tsv")).unwrap();
        let mut wrong = Vec::new();
        let mut seen = 0;
        for row in table.lines().skip(1).filter(|row| !row.trim().is_empty()) {
            let fields: Vec<&str> = row.split('\t').collect();
            let [file, _, severity, place, ..] = fields.as_slice() else { panic!("{row}") };
            let (_, name) = file.split_once('/').unwrap();
            seen += 1;
            if (self.is_unjudged)(name) {
                continue;
            }
            let bytes = fs::read(fixtures::folder("").join(file)).unwrap();
            let Judgement { severity: found, places, text } = self.judge(name, &bytes);
            let is_as_bad = *severity == found
                || self.table == Table::Coarse
                    && matches!((*severity, found), ("ok", "note") | ("error", "refused"));
            let is_there =
                *place == "-" || *severity == "ok" || places.iter().any(|found| found == place);
            if !is_as_bad || !is_there {
                wrong.push(format!(
                    "{file}: expected {severity} at {place}, found {found} at {places:?}\n{text}"
                ));
            }
        }
        assert!(wrong.is_empty(), "{} of {seen}:\n{}", wrong.len(), wrong.join("\n"));
        assert!(seen > self.more_than, "{seen}");
    }

    /// Returns the severity of a fixture and the locations of its most severe problems.
    fn judge(&self, name: &str, bytes: &[u8]) -> Judgement {
        let mut reading = match self.read(name, bytes) {
            Ok(reading) => reading,
            Err(error) => {
                let place = match error.location() {
                    Some(location) => location.to_string(),
                    None => self.place(name, bytes, error.span()),
                };
                let text = error.to_string();
                return Judgement { severity: "refused", places: vec![place], text };
            }
        };
        if self.losses_count {
            reading.diagnostics.append(std::mem::take(&mut reading.losses));
        }
        if (self.has_one_error)(name) {
            let text = (self.said)(&reading);
            assert_eq!(reading.diagnostics.total(Severity::Error), 1, "{name}\n{text}");
        }
        let worst = reading.diagnostics.worst();
        let of_worst = reading.diagnostics.iter().filter(|found| Some(found.severity()) == worst);
        Judgement {
            severity: worst.map_or("ok", Severity::name),
            places: of_worst.map(|found| self.place(name, &reading.text, found.span)).collect(),
            text: (self.said)(&reading),
        }
    }

    /// Returns a location in the notation of the tables.
    fn place(&self, name: &str, text: &[u8], span: Option<Span>) -> String {
        let is_binary = self.subject_of(name).is_some_and(|subject| subject.info.is_binary);
        match span {
            Some(span) if is_binary => format!("0x{:02X}", span.start),
            Some(span) => locate(text, span.start).to_string(),
            None => "-".to_owned(),
        }
    }

    /// Returns the diagnostics of the fixtures in each row ([`Suite::row`]), as a map from the
    /// names of snapshots to their texts.
    pub fn diagnostics_of_every_row(&self) -> BTreeMap<String, String> {
        let mut rows: BTreeMap<String, String> = BTreeMap::new();
        for Fixture { name, bytes, .. } in self.fixtures() {
            let Some(row) = (self.row)(&name) else { continue };
            let said = match self.read(&name, &bytes) {
                Ok(reading) => (self.said)(&reading),
                Err(error) => format!("nothing can be read: {error}\n"),
            };
            *rows.entry(format!("row_{row}")).or_default() += &format!("== {name}\n{said}\n");
        }
        rows
    }

    /// Returns the scenes of the valid fixtures that [`Suite::is_shown`] selects, as a map from the
    /// names of snapshots to their texts. The scenes of all valid fixtures must be consistent.
    pub fn scenes_of_good_files(&self) -> BTreeMap<String, String> {
        let mut scenes = BTreeMap::new();
        for Fixture { name, bytes, .. } in self.fixtures() {
            let Some(file) = name.strip_prefix("ok/") else { continue };
            let reading =
                self.read(&name, &bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            let problems = validate(&reading.scene);
            assert!(problems.is_empty(), "{name}: {problems:?}");
            if (self.is_shown)(file) {
                let key = format!("scene_{}", file.replace(['.', '-'], "_"));
                scenes.insert(key, (self.shown)(&reading));
            }
        }
        scenes
    }

    /// Files are detected by content with the expected confidence. If their format is certain, no
    /// other format of the suite is.
    pub fn fixtures_are_detected(&self) {
        let mut seen = 0;
        for Fixture { name, bytes, subject } in self.fixtures() {
            let is_refused = (subject.parse)(&bytes, anim_ir::Limits::default()).is_err();
            let Some(expected) = (self.confidence)(&name, is_refused) else { continue };
            assert_eq!((subject.sniff)(&bytes).confidence, expected, "{name}");
            if expected == Confidence::Certain {
                let others = self.subjects.iter().filter(|other| other.info.id != subject.info.id);
                for other in others {
                    assert!((other.sniff)(&bytes).confidence < expected, "{name}");
                }
            }
            seen += 1;
        }
        assert!(seen > 0);
    }

    /// Unedited files are written back unchanged.
    pub fn fixtures_are_written_as_they_were(&self) {
        for Fixture { name, bytes, subject } in self.fixtures() {
            (subject.rewrite)(&bytes, &name);
        }
    }

    /// The canonical form of a file has the same content.
    pub fn the_canonical_form_says_the_same(&self) {
        for Fixture { name, bytes, .. } in self.fixtures() {
            self.canonical(&name, &bytes);
        }
    }

    /// Returns the canonical form of a file, which must have the same content, or `None` if the
    /// file cannot be read or its format has no canonical form. A file without a known extension is
    /// read as the first format.
    pub fn canonical(&self, name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        let subject = self.subject_of(name).unwrap_or(self.subjects[0]);
        let (formatted, diagnostics) = (subject.format)(bytes, name)?;
        if let Some(gone) = &self.gone {
            let [file, form] = diagnostics.map(|found| -> BTreeMap<&str, u64> {
                let counts = found.counts().iter().map(|(code, count)| (code.id, *count));
                counts.filter(|(code, _)| !gone.contains(code)).collect()
            });
            assert_eq!(file, form, "{name}");
        }
        (self.in_common)(bytes, &formatted);
        Some(formatted)
    }
}

/// The companion files of a fixture.
struct Beside(PathBuf);

impl Resolver for Beside {
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        fs::read(self.0.join(address)).map_err(|_| ResolveError::NotFound)
    }

    fn exists(&mut self, address: &str) -> bool {
        self.0.join(address).exists()
    }
}
