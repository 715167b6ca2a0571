//! `animfmt check --format github`: annotations that GitHub Actions shows in diffs.

use anim_formats::anim_ir::{Diagnostics, Severity};

use anim_viewer::{Place, Places};

/// Renders the diagnostics of a file as annotations, one line each. Spans are offsets into the
/// file's text.
pub(crate) fn annotations(
    file: &str,
    places: &mut Places<'_>,
    diagnostics: &Diagnostics,
) -> String {
    let mut out = String::new();
    for found in diagnostics {
        let place = found.span.map(|span| places.locate(span.start));
        let (at, before) = match place {
            Some(Place::Line(place)) => {
                (format!(",line={},col={}", place.line, place.column), String::new())
            }
            Some(place @ Place::Offset(_)) => (String::new(), format!("at {place}: ")),
            None => (String::new(), String::new()),
        };
        let help = found.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {help}"));
        let message = format!("{before}{}{help}", found.message);
        out.push_str(&annotation(found.severity(), file, &at, found.code.id, &message));
    }
    for (code, more) in diagnostics.not_kept() {
        let message = format!("{more} more {}; use --all to report them", code.id);
        out.push_str(&annotation(code.severity, file, "", code.id, &message));
    }
    out
}

/// Formats one annotation; `at` contains further properties, each preceded by a comma.
pub(crate) fn annotation(
    severity: Severity,
    file: &str,
    at: &str,
    title: &str,
    message: &str,
) -> String {
    let command = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    format!(
        "::{command} file={}{at},title={}::{}\n",
        property(file),
        property(title),
        data(message)
    )
}

/// Escapes a message: line breaks and the escape character itself.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property: like a message, plus the characters that separate properties.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_escaped() {
        assert_eq!(
            annotation(Severity::Note, "C:\\a,b%.amo", ",line=2,col=3", "x", "50 %: a,\r\nb"),
            "::notice file=C%3A\\a%2Cb%25.amo,line=2,col=3,title=x::50 %25: a,%0D%0Ab\n"
        );
    }
}
