//! `animfmt check --explain CODE`

use std::io::{self, Write};

use anim_formats::all_codes;
use anim_formats::anim_ir::{Category, Code, Severity};
use serde::Serialize;

use crate::status::Status;
use crate::term::{FAINT, HEADING, error, print_json, severity_style, styled};

/// A file that gives nothing at all.
pub(crate) static UNREADABLE: Code = Code {
    id: "unreadable",
    severity: Severity::Error,
    category: Category::Syntax,
    meaning: "The file cannot be opened, is of no format that is known, or has nothing that could \
              be read as its format.",
    example: "",
    action: "Nothing is read; the message says why.",
};

/// As alike as a suggestion must be, from 0 to 1.
const ALIKE: f64 = 0.6;
/// How many are suggested.
const SUGGESTED: usize = 5;

#[derive(Serialize)]
struct Explanation {
    schema: &'static str,
    code: &'static str,
    severity: &'static str,
    category: &'static str,
    meaning: &'static str,
    example: &'static str,
    action: &'static str,
}

pub(crate) fn run(id: &str, json: bool, out: &mut dyn Write) -> io::Result<Status> {
    let mut codes = all_codes();
    codes.push(&UNREADABLE);
    let Some(code) = codes.iter().find(|code| code.id == id) else {
        let mut message = format!("there is no code `{}`", id.escape_debug());
        let near = suggestions(id, &codes);
        if !near.is_empty() {
            message.push_str("; did you mean ");
            message.push_str(&near.join(", "));
            message.push('?');
        }
        error(message);
        return Ok(Status::Usage);
    };
    let Code { id, severity, category, meaning, example, action } = code;
    if json {
        let category = category_name(*category);
        let explanation = Explanation {
            schema: "animfmt.explain/1",
            code: id,
            severity: severity.name(),
            category,
            meaning,
            example,
            action,
        };
        print_json(out, &explanation)?;
        return Ok(Status::Fine);
    }
    writeln!(
        out,
        "{}: {}",
        styled(severity_style(*severity), format_args!("{}[{id}]", severity.name())),
        category_name(*category)
    )?;
    writeln!(out, "\n{meaning}")?;
    if !example.is_empty() {
        writeln!(out, "\n{}\n", styled(HEADING, "Example"))?;
        for line in example.lines() {
            writeln!(out, "    {}", styled(FAINT, line))?;
        }
    }
    writeln!(out, "\n{}\n\n{action}", styled(HEADING, "What is done about it"))?;
    Ok(Status::Fine)
}

const fn category_name(category: Category) -> &'static str {
    match category {
        Category::Syntax => "syntax",
        Category::Reference => "reference",
        Category::Value => "value",
        Category::Limit => "limit",
        Category::Compatibility => "compatibility",
        Category::Engine => "engine",
        Category::Loss => "loss",
    }
}

/// Codes that contain what was asked for; where none does, those that look like it, the most alike
/// first.
fn suggestions(id: &str, codes: &[&'static Code]) -> Vec<&'static str> {
    let mut near: Vec<(f64, &str)> = codes
        .iter()
        .filter(|code| !id.is_empty() && code.id.contains(id))
        .map(|code| (1.0, code.id))
        .collect();
    if near.is_empty() {
        near.extend(
            codes
                .iter()
                .map(|code| (strsim::normalized_damerau_levenshtein(id, code.id), code.id))
                .filter(|(alike, _)| *alike >= ALIKE),
        );
        near.sort_by(|a, b| b.0.total_cmp(&a.0));
    }
    near.into_iter().take(SUGGESTED).map(|(_, id)| id).collect()
}
