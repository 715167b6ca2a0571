//! Helpers to run the program, check its output, and set up folders with files.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use test_oracle::glb;
use test_oracle::math::{Mat4, mul, rotation, scaling, translation};
use walkdir::WalkDir;

use crate::schema;

const PROGRAM: &str = env!("CARGO_BIN_EXE_animfmt");

/// Returns the folder of the Animated OBJ fixtures, the working directory of most runs.
pub(crate) fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/amo")
}

/// Reads a fixture; the path is relative to their folder.
pub(crate) fn fixture(name: &str) -> Vec<u8> {
    fs::read(testdata().join(name)).unwrap()
}

/// Returns a command that runs the program in the folder of the fixtures, so that its output does
/// not depend on the location of the repository.
pub(crate) fn command() -> Command {
    let mut command = Command::new(PROGRAM);
    command.current_dir(testdata()).stdin(Stdio::null());
    // The environment that the tests run in must not affect the output.
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(variable);
    }
    command
}

/// Runs the program in the folder of the fixtures, with arguments in one string.
pub(crate) fn animfmt(line: impl AsRef<str>) -> Run {
    Run::of(command().args(line.as_ref().split(' ')), line.as_ref(), None)
}

/// Returns a shell command in a folder, where `animfmt` runs the program.
pub(crate) fn shell(folder: &Path, line: &str) -> Command {
    let mut shell = Command::new("sh");
    let line = format!("animfmt() {{ '{PROGRAM}' \"$@\"; }}\n{line}");
    shell.args(["-c", &line]).current_dir(folder).stdin(Stdio::null());
    shell
}

/// Returns the size of a PNG file and its RGBA pixels.
pub(crate) fn pixels(png: &[u8]) -> ((u32, u32), Vec<[u8; 4]>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgba);
    ((info.width, info.height), bytes.as_chunks().0.to_vec())
}

/// A run of the program and its output.
pub(crate) struct Run {
    line: String,
    pub(crate) output: Output,
    /// The folder of the test, whose name is different in each run.
    folder: Option<String>,
}

impl Run {
    pub(crate) fn of(command: &mut Command, line: &str, folder: Option<&Folder>) -> Run {
        let folder = folder.map(|folder| folder.root().to_str().unwrap().to_owned());
        Run { line: line.to_owned(), output: command.output().unwrap(), folder }
    }

    /// Runs a command with data on standard input. The command need not read all of it.
    pub(crate) fn fed(command: &mut Command, line: &str, input: &[u8]) -> Run {
        let command = command.args(line.split(' ')).stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input);
        Run { line: line.to_owned(), output: child.wait_with_output().unwrap(), folder: None }
    }

    pub(crate) fn status(&self) -> i32 {
        self.output.status.code().expect("terminated by a signal")
    }

    pub(crate) fn stdout(&self) -> &str {
        std::str::from_utf8(&self.output.stdout).unwrap()
    }

    pub(crate) fn stderr(&self) -> &str {
        std::str::from_utf8(&self.output.stderr).unwrap()
    }

    /// Returns standard output and standard error.
    pub(crate) fn output(&self) -> String {
        [self.stdout(), self.stderr()].concat()
    }

    /// Checks the exit status.
    #[track_caller]
    pub(crate) fn exits(self, status: i32) -> Run {
        assert_eq!(
            self.status(),
            status,
            "{}\n{}\n{}",
            self.line,
            String::from_utf8_lossy(&self.output.stdout),
            self.stderr()
        );
        self
    }

    /// Checks that standard output contains the given text.
    #[track_caller]
    pub(crate) fn out_has(&self, part: impl AsRef<str>) -> &Run {
        assert!(self.stdout().contains(part.as_ref()), "{}: {}", part.as_ref(), self.shown());
        self
    }

    /// Checks that standard error contains the given text.
    #[track_caller]
    pub(crate) fn err_has(&self, part: impl AsRef<str>) -> &Run {
        assert!(self.stderr().contains(part.as_ref()), "{}: {}", part.as_ref(), self.shown());
        self
    }

    #[track_caller]
    pub(crate) fn err_starts(&self, part: impl AsRef<str>) -> &Run {
        assert!(self.stderr().starts_with(part.as_ref()), "{}: {}", part.as_ref(), self.shown());
        self
    }

    #[track_caller]
    pub(crate) fn out_lacks(&self, part: &str) -> &Run {
        assert!(!self.stdout().contains(part), "{part:?}: {}", self.shown());
        self
    }

    #[track_caller]
    pub(crate) fn err_lacks(&self, part: &str) -> &Run {
        assert!(!self.stderr().contains(part), "{part:?}: {}", self.shown());
        self
    }

    /// Parses the output as JSON and validates it against the named schema.
    #[track_caller]
    pub(crate) fn json(&self, schema: &str) -> Value {
        let value = serde_json::from_slice(&self.output.stdout)
            .unwrap_or_else(|error| panic!("{}: {error}", self.line));
        schema::assert_valid(schema, &value);
        value
    }

    /// Returns the entry for the only file in the JSON output.
    #[track_caller]
    pub(crate) fn only(&self, schema: &str) -> Value {
        let json = self.json(schema);
        let [only] = list(&json["files"]) else { panic!("{}: {json}", self.line) };
        only.clone()
    }

    /// Returns the command, its output and exit status for a snapshot, with the test's folder
    /// replaced.
    pub(crate) fn shown(&self) -> String {
        let mut text = format!("$ animfmt {}\n", self.line);
        for (name, bytes) in [("stdout", self.stdout()), ("stderr", self.stderr())] {
            if !bytes.is_empty() {
                text += &format!("--- {name}\n{bytes}");
            }
        }
        text += &format!("--- exit status {}\n", self.status());
        match &self.folder {
            Some(folder) => text.replace(folder, "[OUT]"),
            None => text,
        }
    }
}

/// Asserts a snapshot of several runs.
macro_rules! assert_runs {
    ($name:literal, $runs:expr) => {{
        let runs: Vec<String> = $runs.into_iter().map(|run| run.shown()).collect();
        // File sizes are tested by the crates that write the files.
        insta::with_settings!({ filters => [(r"(?m)^(wrote .*) \([\d.]+ \w+\)", "$1")] }, {
            insta::assert_snapshot!($name, runs.join("\n"));
        });
    }};
}
pub(crate) use assert_runs;

/// A temporary folder with the files of a test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    /// Returns a folder with these files: copies of fixtures, or a few words if no fixture is
    /// given.
    pub(crate) fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder::new();
        for (name, from) in files {
            let words = || b"a few words".to_vec();
            folder.write(name, if from.is_empty() { words() } else { fixture(from) });
        }
        folder
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// Writes a file, and creates its parent folders.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    #[track_caller]
    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// Parses a GLB with an independent reader.
    pub(crate) fn model(&self, name: &str) -> glb::Model {
        glb::read(&self.read(name))
    }

    /// Returns the JSON in a GLB.
    pub(crate) fn glb_json(&self, name: &str) -> Value {
        glb_json(&self.read(name))
    }

    /// Returns the sorted names of the entries of a subfolder.
    pub(crate) fn names(&self, below: &str) -> Vec<String> {
        names_in(&self.path(below))
    }

    /// Returns the sorted relative paths of all files in a subfolder, recursively.
    pub(crate) fn files(&self, below: &str) -> Vec<String> {
        let root = self.path(below);
        let entries = WalkDir::new(&root).sort_by_file_name().into_iter().map(Result::unwrap);
        let files = entries.filter(|entry| !entry.file_type().is_dir());
        files
            .map(|file| file.path().strip_prefix(&root).unwrap().to_str().unwrap().to_owned())
            .collect()
    }

    /// Runs the program in this folder, with arguments in one string.
    pub(crate) fn run(&self, line: &str) -> Run {
        Run::of(command().args(line.split(' ')).current_dir(self.root()), line, Some(self))
    }

    pub(crate) fn convert(&self, args: &str) -> Run {
        self.run(&format!("convert {args}"))
    }

    /// Runs the program in the folder of the fixtures; `OUT` is replaced by this folder.
    pub(crate) fn animfmt(&self, line: &str) -> Run {
        let line = line.replace("OUT", self.root().to_str().unwrap());
        Run::of(command().args(line.split(' ')), &line, Some(self))
    }

    /// Runs a shell command in this folder.
    pub(crate) fn shell(&self, line: &str) -> Run {
        Run::of(&mut shell(self.root(), line), line, Some(self))
    }

    /// Returns the `info --json` report on a file.
    #[track_caller]
    pub(crate) fn info(&self, args: &str) -> Value {
        self.run(&format!("info --json {args}")).only("info")
    }
}

/// Returns the sorted names of the entries of a folder.
pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Returns the JSON in a GLB.
pub(crate) fn glb_json(bytes: &[u8]) -> Value {
    assert_eq!((&bytes[..4], &bytes[16..20]), (b"glTF".as_slice(), b"JSON".as_slice()));
    assert_eq!(u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize, bytes.len());
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

/// Returns the elements of a JSON array.
#[track_caller]
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value}"))
}

/// Returns the strings in a field of each element of a JSON array.
#[track_caller]
pub(crate) fn strings<'a>(value: &'a Value, field: &str) -> Vec<&'a str> {
    list(value).iter().map(|element| element[field].as_str().unwrap()).collect()
}

/// Returns the numbers in a JSON array.
#[track_caller]
pub(crate) fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    let found: Vec<f64> = list(value).iter().map(|number| number.as_f64().unwrap()).collect();
    found.try_into().unwrap()
}

/// Returns the entry of a joint in a sample.
#[track_caller]
pub(crate) fn joint<'a>(sample: &'a Value, name: &str) -> &'a Value {
    list(&sample["joints"]).iter().find(|joint| joint["name"] == name).unwrap()
}

/// Returns the matrix `T · R · S` of a joint in a sample, relative to its parent.
pub(crate) fn local(joint: &Value) -> Mat4 {
    let moved = translation(numbers(&joint["translation"]));
    mul(&moved, &mul(&rotation(numbers(&joint["rotation"])), &scaling(numbers(&joint["scale"]))))
}

/// Returns the largest difference between the elements of two matrices.
pub(crate) fn distance(a: &Mat4, b: &Mat4) -> f64 {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
