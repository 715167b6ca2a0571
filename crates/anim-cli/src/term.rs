//! Human-readable output: styles, messages, and the formatting of numbers and names.

use std::ffi::OsString;
use std::fmt::{self, Display};
use std::io::{self, BufWriter, Write};
use std::sync::OnceLock;

use anim_formats::anim_ir::Severity;
use anstream::adapter::StripBytes;
use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::{AnsiColor, Color, Style};
use serde::Serialize;

use crate::json;

pub(crate) use anim_viewer::{count, counts, show_name, show_path, size, thousands};

/// The style of headings.
pub(crate) const HEADING: Style = Style::new().bold();
/// The style of less important text.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// Returns the style of a severity, with the colours of annotate-snippets.
pub(crate) const fn severity_style(severity: Severity) -> Style {
    let color = match severity {
        Severity::Error => AnsiColor::BrightRed,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Note => AnsiColor::BrightGreen,
    };
    Style::new().bold().fg_color(Some(Color::Ansi(color)))
}

/// Returns text with a style. Styles are always written; the stream strips them if colours are off.
pub(crate) fn styled(style: Style, what: impl Display) -> impl Display {
    struct Styled<T>(Style, T);
    impl<T: Display> Display for Styled<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let Styled(style, what) = self;
            write!(f, "{style}{what}{style:#}")
        }
    }
    Styled(style, what)
}

/// Returns standard output for text, with or without colours.
pub(crate) fn stdout() -> Box<dyn Write> {
    if AutoStream::choice(&io::stdout()) == ColorChoice::Never {
        // anstream's own stream writes line by line, which takes longer than reading small files.
        Box::new(Plain { out: BufWriter::new(io::stdout().lock()), strip: StripBytes::new() })
    } else {
        Box::new(BufWriter::new(anstream::stdout().lock()))
    }
}

/// Strips colours.
struct Plain<W> {
    out: W,
    strip: StripBytes,
}

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.strip.strip_next(bytes).try_for_each(|plain| self.out.write_all(plain))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// How much to print besides results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// `--quiet`: errors only.
    Quiet,
    Normal,
    /// `--verbose`: also the files read and ignored.
    Verbose,
}

/// The verbosity of this run; global, like the choice of colours.
static VERBOSITY: OnceLock<Verbosity> = OnceLock::new();

/// Sets the verbosity, once, before anything is printed.
pub(crate) fn set_verbosity(verbosity: Verbosity) {
    let _ = VERBOSITY.set(verbosity);
}

pub(crate) fn verbosity() -> Verbosity {
    VERBOSITY.get().copied().unwrap_or(Verbosity::Normal)
}

/// Prints a line on standard error if `--verbose` is given.
pub(crate) fn print_verbose(line: fmt::Arguments<'_>) {
    if verbosity() == Verbosity::Verbose {
        print_line(format_args!("{}", styled(FAINT, line)));
    }
}

/// Applies `--color` before the command line is parsed, so that it also affects help and usage
/// errors. Invalid values are reported by the parser.
pub(crate) fn choose_color(arguments: &[OsString]) {
    let after = |argument: &OsString| Some(argument.to_str()?.strip_prefix("--color=")?.to_owned());
    let next = arguments.iter().skip(1);
    let separate = arguments.iter().zip(next).filter(|(option, _)| *option == "--color");
    let values = arguments.iter().filter_map(after);
    let values = values.chain(separate.filter_map(|(_, value)| value.to_str().map(str::to_owned)));
    match values.last().as_deref() {
        Some("always") => ColorChoice::Always.write_global(),
        Some("never") => ColorChoice::Never.write_global(),
        _ => {}
    }
}

/// Prints a line on standard error. Failures, such as a closed stream, are ignored.
pub(crate) fn print_line(line: fmt::Arguments<'_>) {
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}

/// Returns `help: …`.
pub(crate) fn help(advice: &str) -> String {
    format!("{}: {advice}", styled(severity_style(Severity::Note), "help"))
}

/// Prints `note: …` on standard error, unless `--quiet` is given.
pub(crate) fn print_note(note: impl Display) {
    if verbosity() > Verbosity::Quiet {
        print_line(format_args!("{}: {note}", styled(severity_style(Severity::Note), "note")));
    }
}

/// Prints `error: …` on standard error.
pub(crate) fn error(message: impl Display) {
    print_line(format_args!("{}: {message}", styled(severity_style(Severity::Error), "error")));
}

/// Prints an object as indented JSON, with a line break at the end.
pub(crate) fn print_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut json::pretty(&mut *out))?;
    writeln!(out)
}
