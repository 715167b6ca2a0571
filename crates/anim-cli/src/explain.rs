//! `animfmt check --explain [CODE]`

use std::io::{self, Write};

use anim_formats::anim_ir::{Category, Code, Severity, nearest_name};
use anim_formats::{Format, all_codes};
use serde::Serialize;

use crate::status::Status;
use crate::tally::label;
use crate::term::{FAINT, HEADING, error, print_json, styled};
use anim_viewer::loss_severity;

/// The code for files that cannot be read at all.
pub(crate) static UNREADABLE: Code = Code {
    id: "unreadable",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "The file cannot be opened, its format is not supported, or none of its content could \
              be parsed.",
    example: "",
    action: "The file is skipped; the message gives the reason.",
};

/// The maximum number of suggestions.
const SUGGESTED: usize = 5;

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    codes: Vec<Explanation>,
}

#[derive(Serialize)]
struct Explanation {
    code: &'static str,
    severity: &'static str,
    category: &'static str,
    /// The formats of the crate that defines this code; empty if it may apply to any format.
    formats: Vec<&'static str>,
    meaning: &'static str,
    example: &'static str,
    action: &'static str,
}

impl Explanation {
    fn of(code: &'static Code) -> Explanation {
        let Code { id, severity, category, meaning, example, action } = *code;
        let formats = Format::all().filter(|format| has_code(*format, code));
        Explanation {
            code: id,
            severity: severity.name(),
            category: category.name(),
            formats: formats.map(Format::id).collect(),
            meaning,
            example,
            action,
        }
    }
}

/// Explains one code or lists the codes that a word selects; without a word, lists all codes.
pub(crate) fn run(wanted: Option<&str>, json: bool, out: &mut dyn Write) -> io::Result<Status> {
    let found = wanted.map(find).transpose();
    let is_one = matches!(found, Ok(Some(_)));
    let codes = match found {
        Ok(Some(code)) => vec![code],
        Ok(None) => known_codes(),
        Err(message) => {
            let codes = wanted.map(select).unwrap_or_default();
            if codes.is_empty() {
                error(message);
                return Ok(Status::Usage);
            }
            codes
        }
    };
    if json || is_one {
        explain_each(codes, json, out)?;
    } else {
        list(&codes, out)?;
    }
    Ok(Status::Fine)
}

/// Explains each of these codes.
pub(crate) fn explain_each(
    codes: Vec<&'static Code>,
    json: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    if json {
        let codes = codes.into_iter().map(Explanation::of).collect();
        return print_json(out, &Report { schema: "animfmt.explain/2", codes });
    }
    for (number, code) in codes.into_iter().enumerate() {
        if number > 0 {
            writeln!(out, "\n")?;
        }
        explain(code, out)?;
    }
    Ok(())
}

/// Returns every code that can be reported.
fn known_codes() -> Vec<&'static Code> {
    let mut codes = all_codes();
    codes.extend(anim_preview::CODES);
    codes.push(&UNREADABLE);
    codes
}

/// Returns the codes of a format, a severity or a category; for any other word, the codes whose id
/// or explanation contains it.
fn select(word: &str) -> Vec<&'static Code> {
    let word = word.to_lowercase();
    let format: Option<Format> = word.parse().ok();
    let mut codes = known_codes();
    let in_group = |code: &&'static Code| {
        let is_of = |format: Format| has_code(format, code);
        word == code.severity.name() || word == code.category.name() || format.is_some_and(is_of)
    };
    if codes.iter().any(in_group) {
        codes.retain(in_group);
    } else {
        let has_word = |text: &str| !word.is_empty() && text.to_lowercase().contains(&word);
        let texts = |code: &Code| [code.id, code.meaning, code.action];
        codes.retain(|code| texts(code).into_iter().any(has_word));
    }
    codes
}

/// Finds a code by its id.
///
/// # Errors
///
/// A message that suggests similar ids.
pub(crate) fn find(id: &str) -> Result<&'static Code, String> {
    let codes = known_codes();
    codes.iter().find(|code| code.id == id).copied().ok_or_else(|| {
        let near = suggestions(id, &codes);
        let question =
            if near.is_empty() { String::new() } else { format!("; did you mean {near}?") };
        format!("no code is named or mentions `{}`{question}", id.escape_debug())
    })
}

/// Finds a code that `--ignore` names.
pub(crate) fn parse_ignored(id: &str) -> Result<&'static Code, String> {
    if ["error", "warning", "note"].contains(&id.trim()) {
        return Err(format!("{} is a severity; name codes, as printed in brackets", id.trim()));
    }
    let unknown = |why: String| {
        if known_codes().iter().any(|code| code.id.starts_with(&format!("{}-", id.trim()))) {
            let prefix = id.trim();
            return format!(
                "expected whole codes, as printed in brackets; `{prefix}` is only a prefix"
            );
        }
        why
    };
    match find(id.trim()).map_err(unknown)? {
        code if code.id == UNREADABLE.id => Err("`unreadable` cannot be ignored".to_owned()),
        code => Ok(code),
    }
}

fn explain(code: &Code, out: &mut dyn Write) -> io::Result<()> {
    let Code { id, category, meaning, example, action, .. } = code;
    let (name, style) = label(loss_severity(code));
    writeln!(
        out,
        "{}: {} ({})",
        styled(style, format_args!("{name}[{id}]")),
        category.name(),
        category.meaning()
    )?;
    writeln!(out, "\n{meaning}")?;
    if !example.is_empty() {
        writeln!(out, "\n{}\n", styled(HEADING, "Example"))?;
        for line in example.lines() {
            writeln!(out, "    {}", styled(FAINT, line))?;
        }
    }
    writeln!(out, "\n{}\n\n{action}", styled(HEADING, "What animfmt does"))
}

fn has_code(format: Format, code: &'static Code) -> bool {
    format.info().codes.iter().any(|known| std::ptr::eq(*known, code))
}

/// Prints a line for each code, grouped by format.
fn list(codes: &[&'static Code], out: &mut dyn Write) -> io::Result<()> {
    let mut groups: Vec<(Vec<Format>, Vec<&Code>)> = vec![(Vec::new(), Vec::new())];
    for format in Format::all() {
        let has_any = codes.iter().any(|code| has_code(format, code));
        let known = groups.iter().any(|(formats, _)| formats.contains(&format));
        if has_any && !known {
            // The formats of a crate share its codes.
            let shares = |other: &Format| other.info().codes == format.info().codes;
            groups.push((Format::all().filter(shares).collect(), Vec::new()));
        }
    }
    for code in codes {
        let is_of = |formats: &[Format]| formats.iter().any(|format| has_code(*format, code));
        let place = groups.iter().position(|(formats, _)| is_of(formats)).unwrap_or_default();
        if let Some((_, listed)) = groups.get_mut(place) {
            listed.push(code);
        }
    }
    // Codes without a format come last.
    groups.rotate_left(1);
    let width = codes.iter().map(|code| code.id.len()).max().unwrap_or_default();
    for (formats, codes) in groups.iter().filter(|(_, codes)| !codes.is_empty()) {
        let titles: Vec<&str> = formats.iter().map(|format| format.title()).collect();
        let heading = if titles.is_empty() { "All formats".to_owned() } else { titles.join(", ") };
        writeln!(out, "{}", styled(HEADING, heading))?;
        for code in codes {
            // Padded before styling, since escape sequences would count towards the width.
            let id = format!("{:width$}", code.id);
            let (name, style) = label(loss_severity(code));
            let severity = styled(style, format!("{name:7}"));
            let (category, meaning) = (code.category.name(), first_sentence(code.meaning));
            writeln!(out, "  {id}  {severity}  {category:13}  {meaning}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{}", styled(HEADING, "Categories"))?;
    let is_listed = |category: &Category| codes.iter().any(|code| code.category == *category);
    for category in Category::ALL.into_iter().filter(is_listed) {
        writeln!(out, "  {:13}  {}", category.name(), category.meaning())?;
    }
    writeln!(out)?;
    writeln!(
        out,
        "Use `animfmt check --explain CODE` for details about a code, usually with an example."
    )
}

/// Returns the first sentence, without its full stop.
fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or_else(|| text.trim_end_matches('.'), |(first, _)| first)
}

/// Lists the codes that contain `id` or, if there are none, the most similar code, as text.
fn suggestions(id: &str, codes: &[&'static Code]) -> String {
    let ids = || codes.iter().map(|code| code.id);
    let mut near: Vec<&str> =
        ids().filter(|known| !id.is_empty() && known.contains(id)).take(SUGGESTED).collect();
    if near.is_empty() {
        near.extend(nearest_name(id, ids()));
    }
    match near.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
