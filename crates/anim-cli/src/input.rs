//! Inputs: files and standard input.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Once;

use anim_formats::anim_ir::format::Context;
use anim_formats::anim_ir::{NoFiles, Parsed, Resolver};
use anim_formats::{
    AnyDocument, FileBytes, Format, LoadError, LoadOptions, Loaded, folder_of, format_of,
    open_folder, parse_bytes, read_file, read_stream, scene_of,
};

use crate::read_files::STDIN;
use crate::status::Failure;
use crate::term::{print_note, print_verbose, show_path};

/// The number of bytes to read to detect a format: more than a TMD ANM file can have, since its
/// detection depends on its length.
const PEEK: u64 = 256 << 10;

const ROOT_OF_STDIN: &str =
    "--root has no effect on standard input: addresses cannot be resolved without a folder";

/// A file or standard input.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input<'a> {
    /// `-`
    Stdin,
    /// A path, and the folder named on the command line that it was found in, if any.
    File(&'a Path, Option<&'a Path>),
}

/// Returns whether a path contains wildcards.
pub(crate) fn is_pattern(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().iter().any(|byte| b"*?[".contains(byte))
}

/// Returns the names to show in messages.
pub(crate) fn shown_names(inputs: &[Input<'_>]) -> Vec<String> {
    inputs.iter().map(|input| input.shown()).collect()
}

impl<'a> Input<'a> {
    /// Interprets a command-line argument.
    pub(crate) fn new(path: &'a Path) -> Input<'a> {
        if path.as_os_str() == "-" { Input::Stdin } else { Input::File(path, None) }
    }

    /// Returns the name to show in messages.
    pub(crate) fn shown(self) -> String {
        match self {
            Input::Stdin => "<standard input>".to_owned(),
            Input::File(path, _) => show_path(path),
        }
    }

    /// Returns the name to use in JSON, as given on the command line.
    pub(crate) fn given(self) -> Cow<'a, str> {
        match self {
            Input::Stdin => Cow::Borrowed("-"),
            Input::File(path, _) => path.to_string_lossy(),
        }
    }

    /// Returns the folder that images and libraries are relative to.
    pub(crate) fn folder(self) -> Option<&'a Path> {
        match self {
            Input::Stdin => None,
            Input::File(path, _) => Some(folder_of(path)),
        }
    }

    /// Reads the bytes, subject to the limits.
    pub(crate) fn read(self, options: &LoadOptions) -> Result<FileBytes, Failure> {
        let read = match self {
            Input::Stdin => {
                options.on_read.call(Path::new(STDIN));
                read_stream(io::stdin().lock(), options)
            }
            Input::File(path, _) => read_file(path, options),
        };
        read.map_err(|error| match (self, &error) {
            // Neither the shell nor `Files::find` found a match for the pattern.
            (Input::File(path, _), LoadError::Io(why))
                if why.kind() == io::ErrorKind::NotFound && is_pattern(path) =>
            {
                Failure::usage("no files match this pattern")
            }
            _ => Failure::from(error),
        })
    }

    /// Detects the format without parsing the file.
    pub(crate) fn format(self, options: &LoadOptions) -> Result<Format, Failure> {
        let file = self.read(options)?;
        Ok(format_of(&file.bytes, self.name().as_deref(), options)?)
    }

    /// Detects the format of a file from its first bytes. Returns `None` if detection fails.
    pub(crate) fn peek_format(self, options: &LoadOptions) -> Option<Format> {
        let Input::File(path, _) = self else { return None };
        // A pipe can be read only once, and reading some files that claim to be empty waits.
        let metadata = path.metadata().ok()?;
        let has_bytes = metadata.is_file() && metadata.len() > 0;
        let file = has_bytes.then(|| File::open(path).ok()).flatten()?;
        let mut head = Vec::new();
        file.take(PEEK).read_to_end(&mut head).ok()?;
        format_of(&head, self.name().as_deref(), options).ok()
    }

    /// Reads and parses the file, without building a scene.
    pub(crate) fn parse(
        self,
        options: &LoadOptions,
    ) -> Result<Parsed<AnyDocument<'static>>, Failure> {
        Ok(self.parse_whole(options)?.0)
    }

    /// Like [`parse`](Self::parse). The flag is true if only part of the file was read.
    pub(crate) fn parse_whole(
        self,
        options: &LoadOptions,
    ) -> Result<(Parsed<AnyDocument<'static>>, bool), Failure> {
        let (parsed, cut) = self.parse_ahead(options)?;
        self.report_read(parsed.value.format(), parsed.value.dialect());
        Ok((parsed, cut))
    }

    /// Prints what the file was read as, if asked for.
    pub(crate) fn report_read(self, format: Format, dialect: Option<&str>) {
        let dialect = dialect.map_or(String::new(), |dialect| format!(" ({dialect})"));
        print_verbose(format_args!("read {} as {}{dialect}", self.shown(), format.title()));
    }

    /// Like [`parse_whole`](Self::parse_whole), for a file that will be read again: prints nothing.
    pub(crate) fn parse_ahead(
        self,
        options: &LoadOptions,
    ) -> Result<(Parsed<AnyDocument<'static>>, bool), Failure> {
        let file = self.read(options)?;
        let mut parsed = parse_bytes(file.bytes, self.name().as_deref(), options)?;
        let cut = !file.diagnostics.is_empty();
        parsed.diagnostics.append(file.diagnostics);
        Ok((parsed, cut))
    }

    /// Builds the scene of a document read from this input.
    pub(crate) fn scene_of(
        self,
        parsed: Parsed<AnyDocument<'static>>,
        options: &LoadOptions,
    ) -> Result<Loaded, Failure> {
        let mut files = self.files(options)?;
        let name = self.stem();
        let settings = &options.settings;
        let mut context = Context { name: &name, files: files.as_mut(), settings };
        let loaded = scene_of(parsed, &mut context);
        let size = loaded.scene.check_size(&settings.limits);
        size.map_err(|error| Failure::file(error.to_string()))?;
        Ok(loaded)
    }

    /// Opens the folder of companion files. Without `--root`, they may be anywhere in the folder
    /// that the user named.
    pub(crate) fn files(self, options: &LoadOptions) -> Result<Box<dyn Resolver>, Failure> {
        let Input::File(path, named) = self else {
            static NOTED: Once = Once::new();
            if options.root.is_some() {
                NOTED.call_once(|| print_note(ROOT_OF_STDIN));
            }
            return Ok(Box::new(NoFiles));
        };
        let options = options.clone().with_folder(named.map(Path::to_owned));
        open_folder(folder_of(path), &options).map_err(|error| Failure::usage(error.to_string()))
    }

    /// Reads and parses the file, and builds its scene.
    pub(crate) fn load(self, options: &LoadOptions) -> Result<Loaded, Failure> {
        self.scene_of(self.parse(options)?, options)
    }

    /// Returns the file name without its extension, used to name clips.
    pub(crate) fn stem(self) -> Cow<'a, str> {
        match self {
            Input::Stdin => Cow::Borrowed("stdin"),
            Input::File(path, _) => path.file_stem().unwrap_or_default().to_string_lossy(),
        }
    }

    /// Returns the file name, which may indicate the format.
    fn name(self) -> Option<Cow<'a, str>> {
        match self {
            Input::Stdin => None,
            Input::File(path, _) => path.file_name().map(OsStr::to_string_lossy),
        }
    }
}
