//! The arguments for the output and its format.

use std::path::{Path, PathBuf};

use anim_formats::Format;
use anim_formats::anim_ir::Code;

use crate::explain::parse_ignored;
use crate::term::show_path;
use crate::values::named;

/// The position in the help of options that do not affect a normal run. Other options are listed
/// in declaration order.
pub(crate) const LAST: usize = 900;

/// The output arguments shared by all commands that write files.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// Output file or folder, or `-` for standard output. With --to, an OUT without an extension is
    /// a file for one output, and a folder for several; `OUT/` is always a folder.
    #[arg(short = 'o', long = "output", value_name = "OUT")]
    given: Option<PathBuf>,
    /// OUT, given as an option or as the last file.
    #[arg(skip)]
    pub(crate) output: PathBuf,
    /// Whether OUT is the second of two files.
    #[arg(skip)]
    pub(crate) is_second: bool,
    /// Output format, instead of the one implied by OUT's extension.
    #[arg(long, value_name = "FORMAT", value_parser = named(Format::writable()))]
    pub(crate) to: Option<Format>,
    /// Overwrite existing outputs.
    #[arg(long, display_order = LAST)]
    pub(crate) force: bool,
    /// Write no output whose inputs have warnings or errors. Losses are allowed.
    #[arg(long, display_order = LAST)]
    pub(crate) strict: bool,
    /// With --strict: allow problems with these codes; may be repeated.
    #[arg(
        long,
        value_name = "CODE,…",
        value_delimiter = ',',
        value_parser = parse_ignored,
        requires = "strict",
        display_order = LAST + 1
    )]
    pub(crate) ignore: Vec<&'static Code>,
}

impl OutputArgs {
    /// Returns the arguments for writing into a folder.
    pub(crate) fn into_folder(
        output: PathBuf,
        force: bool,
        strict: bool,
        ignore: Vec<&'static Code>,
    ) -> OutputArgs {
        OutputArgs { given: None, output, is_second: false, to: None, force, strict, ignore }
    }

    /// Sets the output to the value of `-o`, or to a positional argument.
    pub(crate) fn take(&mut self, plain: Option<PathBuf>) -> Result<(), String> {
        let given = self.given.take().or(plain);
        self.output = given.ok_or("missing output: name the file to write, or use -o OUT")?;
        Ok(())
    }

    /// Sets the output to the value of `-o`, or to the second of two files.
    pub(crate) fn take_last(&mut self, files: &mut Vec<PathBuf>) -> Result<(), String> {
        if self.given.is_some() || files.len() < 2 {
            return self.take(None);
        }
        if let [_, last] = files.as_slice()
            && self.may_be_output(last)
        {
            let last = files.pop();
            self.is_second = true;
            return self.take(last);
        }
        Err(match files.as_slice() {
            [_, last] => format!(
                "missing output: {} looks like another input; name the output with -o OUT",
                show_path(last)
            ),
            _ => format!("missing output: {} inputs require -o OUT", files.len()),
        })
    }

    /// Returns whether the second of two files can be the output. If the shell expanded `*.amo` to
    /// both files, the second is an input, and exists.
    fn may_be_output(&self, file: &Path) -> bool {
        let extension = file.extension().and_then(|extension| extension.to_str());
        let (Some(extension), Some(to)) = (extension, self.to) else { return true };
        let is_written = to.written_extensions().contains(&extension.to_lowercase().as_str());
        is_written || Format::with_extension(extension).next().is_none() || !file.exists()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(
        files: &[&str],
        given: Option<&str>,
        to: Option<&str>,
    ) -> Result<(String, usize), String> {
        let mut out = OutputArgs {
            given: given.map(PathBuf::from),
            output: PathBuf::new(),
            is_second: false,
            to: to.map(|to| to.parse().unwrap()),
            force: false,
            strict: false,
            ignore: Vec::new(),
        };
        let mut files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
        out.take_last(&mut files)?;
        Ok((out.output.to_str().unwrap().to_owned(), files.len()))
    }

    #[test]
    fn the_last_of_two_files_is_the_output() {
        let last = |files: &[&str], to| settled(files, None, to).map(|(out, _)| out);
        assert_eq!(last(&["a.amo", "b.glb"], None), Ok("b.glb".into()));
        assert_eq!(last(&["a.amo", "out"], Some("glb")), Ok("out".into()));
        assert_eq!(last(&["a.amo", "b.GLB"], Some("glb")), Ok("b.GLB".into()));
        assert_eq!(last(&["a.amo", "-"], Some("glb")), Ok("-".into()));
        assert_eq!(last(&["a.amo", "new.amo"], Some("glb")), Ok("new.amo".into()));
        assert_eq!(settled(&["a.amo", "b.amo"], Some("o"), None), Ok(("o".into(), 2)));
        for (files, to) in [
            (&["a.amo"][..], None),
            (&["a.amo", "../../testdata/amo/ok/cr.amo"], Some("glb")),
            (&["a.amo", "b.amo", "c.glb"], None),
        ] {
            let why = last(files, to).unwrap_err();
            assert!(why.starts_with("missing output: ") && why.contains("-o OUT"), "{why}");
        }
    }
}
