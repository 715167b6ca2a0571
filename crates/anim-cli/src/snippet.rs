//! Renders a diagnostic like a compiler's: message, location, and the source line with the span
//! underlined.

use anim_formats::anim_ir::{Diagnostic, Severity, Span};
use anim_viewer::{Excerpt, Place, Places, row_of};
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use clap::builder::styling::{AnsiColor, Color, Style};

use crate::term::{HEADING, styled};

/// Renders a diagnostic with colours, without a trailing line break.
pub(crate) fn render(file: &str, places: &mut Places<'_>, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.id);
    let mut group = match diagnostic.span.map(|span| (span, places.locate(span.start))) {
        None => title.element(Origin::path(file)),
        Some((span, Place::Line(place))) => {
            let excerpt = Excerpt::cut(places.source(), span);
            // The location refers to the file; the excerpt may be only a part of its line.
            let line = Snippet::source(excerpt.text)
                .line_start(place.line)
                .annotation(AnnotationKind::Primary.span(excerpt.marked));
            title
                .element(Origin::path(file).line(place.line).char_column(place.column))
                .element(line)
        }
        Some((span, place @ Place::Offset(_))) => {
            let head = Renderer::styled()
                .render(&[title.element(Origin::path(format!("{file}:{place}")))]);
            // Indented like a snippet with line numbers.
            let head = head.replacen('\n', "\n    ", 1);
            let help = diagnostic.help.iter().map(|help| {
                format!("\n     {} {}: {help}", styled(GUTTER, "="), styled(HEADING, "help"))
            });
            return format!(
                "{head}\n{}{}",
                hex_row(places.source(), span),
                help.collect::<String>()
            );
        }
    };
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let text = Renderer::styled().render(&[group]);
    // After an explicit origin, annotate-snippets labels the snippet as part of another file (`:::`
    // on the fourth line). That line is removed, since the snippet is from the same file.
    let lines =
        text.split('\n').enumerate().filter(|(number, line)| *number != 3 || !line.contains(":::"));
    lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n")
}

/// The colour of the left border in annotate-snippets.
const GUTTER: Style = Style::new().bold().fg_color(Some(Color::Ansi(AnsiColor::BrightBlue)));

/// Returns the row of 16 bytes that contains the start of a span, with the bytes of the span
/// underlined.
fn hex_row(source: &[u8], span: Span) -> String {
    let (bytes, before, marked) = row_of(source, span);
    let row = span.start.min(source.len()).saturating_sub(before);
    let hex: String = bytes.iter().map(|byte| format!(" {byte:02x}")).collect();
    // Each byte takes two digits and a space. An empty span, such as at the end of the file, is
    // underlined like one byte.
    let underline = "^".repeat(marked.saturating_mul(3).saturating_sub(1).max(2));
    let indent = before.saturating_mul(3).saturating_add(1);
    let bar = styled(GUTTER, "|");
    format!(
        "{:5}{bar}\n{} {bar}{hex}\n{:5}{bar}{:indent$}{}",
        "",
        styled(GUTTER, format_args!("{row:04x}")),
        "",
        "",
        styled(GUTTER, underline)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_in_rows() {
        let bytes: Vec<u8> = (0..40).collect();
        let row = |start, end| {
            let styled = hex_row(&bytes, Span::new(start, end));
            styled
                .split('\u{1b}')
                .map(|part| {
                    part.split_once('m')
                        .filter(|_| part.starts_with('['))
                        .map_or(part, |(_, text)| text)
                })
                .collect::<String>()
        };
        assert_eq!(
            row(17, 19),
            "     |\n0010 | 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f\n     |    ^^^^^"
        );
        assert_eq!(
            row(39, 90),
            "     |\n0020 | 20 21 22 23 24 25 26 27\n     |                      ^^"
        );
        assert_eq!(
            row(40, 40),
            "     |\n0020 | 20 21 22 23 24 25 26 27\n     |                         ^^"
        );
    }
}
