//! The arguments of `animfmt view`.

use std::path::PathBuf;

use crate::status::Failure;

#[derive(Debug, clap::Args)]
pub(crate) struct ViewArgs {
    /// File to show, or two files to show side by side; `-` is standard input.
    #[arg(required = true, num_args = 1..=2, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// HTML file to write, or `-` for standard output [default: a temporary file].
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite OUT if it exists.
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// Only write the page; do not open it.
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Serve the page on this computer, and reload it when the file or a file that it refers to
    /// changes. Stop with Ctrl+C.
    #[arg(long)]
    pub(crate) watch: bool,
    /// Show the file as it is beside the file after the repairs of `check --fix`, which are not
    /// written.
    #[arg(long)]
    pub(crate) fix: bool,
    /// Files to combine with each FILE: the model that an STT, a TMD ANM or an ANM text file
    /// animates, or motions for a model.
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,
    /// Clip of the model that an ANM text file splits, if it has several.
    #[arg(long, value_name = "NAME", requires = "with")]
    pub(crate) take: Option<String>,
}

impl ViewArgs {
    /// Checks what the arguments cannot say together.
    pub(crate) fn check(&self, json: bool) -> Result<(), Failure> {
        let stdin = self.files.iter().chain(&self.with).filter(|path| path.as_os_str() == "-");
        let stdin = stdin.count();
        if stdin > 1 {
            return Err(Failure::usage("standard input can be read only once"));
        }
        if self.fix && self.files.len() > 1 {
            return Err(Failure::usage("--fix shows one file before and after its repairs"));
        }
        if stdin > 0 && (self.watch || self.fix) {
            let option = if self.watch { "--watch" } else { "--fix" };
            return Err(Failure::usage(format!("{option} needs a file, not standard input")));
        }
        let is_stdout = self.output.as_ref().is_some_and(|path| path.as_os_str() == "-");
        if is_stdout && (self.watch || json) {
            let option = if self.watch { "--watch" } else { "--json" };
            return Err(Failure::usage(format!(
                "with {option}, the page cannot be written to standard output; name a file with -o"
            )));
        }
        Ok(())
    }
}
