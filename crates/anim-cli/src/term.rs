//! Human-readable output: styles, messages, and the formatting of numbers and names.

use std::ffi::OsString;
use std::fmt::{self, Display};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::OnceLock;

use anim_formats::anim_ir::Severity;
use anim_formats::anim_ir::diag::escape;
use anstream::adapter::StripBytes;
use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::{AnsiColor, Color, Style};
use serde::Serialize;

use crate::json;

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

/// Escapes a path for display: control characters and invalid UTF-8 are replaced by escapes.
pub(crate) fn show_path(path: &Path) -> String {
    let mut out = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        out.push_str(&escape(chunk.valid()));
        out.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    out
}

/// Escapes a name from a file for display. An empty name becomes `(no name)`.
pub(crate) fn show_name(name: &str) -> String {
    if name.is_empty() { "(no name)".to_owned() } else { escape(name) }
}

/// Formats a count: `1 joint`, `2 joints`.
pub(crate) fn count(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Formats a list of counts: `2 joints, 1 clip`; zero counts are omitted.
pub(crate) fn counts<N: TryInto<u64>>(
    parts: impl IntoIterator<Item = (N, &'static str, &'static str)>,
) -> String {
    let parts = parts
        .into_iter()
        .map(|(number, one, many)| (number.try_into().unwrap_or(u64::MAX), one, many));
    let parts: Vec<String> = parts
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, many)| count(number, one, many))
        .collect();
    parts.join(", ")
}

/// Formats a number: `1,234,567`.
pub(crate) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && digits.len().saturating_sub(place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats a size: `812 bytes`, `1.2 kB`, `34.5 MB`.
pub(crate) fn size(bytes: usize) -> String {
    let tenths = |unit: usize| {
        let rounded = bytes.saturating_add(unit / 20) / (unit / 10);
        format!("{}.{}", rounded / 10, rounded % 10)
    };
    match bytes {
        0..1_000 => count(bytes, "byte", "bytes"),
        1_000..999_950 => format!("{} kB", tenths(1_000)),
        999_950..999_950_000 => format!("{} MB", tenths(1_000_000)),
        _ => format!("{} GB", tenths(1_000_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_digits() {
        assert_eq!(
            [0, 999, 1_000, 123_456, 1_234_567].map(thousands),
            ["0", "999", "1,000", "123,456", "1,234,567"]
        );
    }

    #[test]
    fn sizes() {
        let sizes = [0, 1, 999, 1_000, 999_949, 999_950, 34_549_999, 1_073_741_824].map(size);
        assert_eq!(
            sizes,
            ["0 bytes", "1 byte", "999 bytes", "1.0 kB", "999.9 kB", "1.0 MB", "34.5 MB", "1.1 GB"]
        );
    }

    #[cfg(unix)]
    #[test]
    fn unusual_paths_are_escaped() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(OsStr::from_bytes(b"a\n\x1b[2J\xffz.amo"));
        assert_eq!(show_path(path), r"a\u{a}\u{1b}[2J\xffz.amo");
    }
}
