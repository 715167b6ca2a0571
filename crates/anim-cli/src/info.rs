//! `animfmt info`

mod one_line;
mod print;
mod report;
mod table;

use std::io::{self, Write};

use anim_formats::LoadOptions;

use self::print::text;
use self::report::{FileReport, Info, Report, look};
use self::table::{Row, columns};
use crate::args::{Common, InfoArgs};
use crate::batch::{each_file, summary};
use crate::files::{By, Files};
use crate::input::Input;
use crate::status::{Fail as _, Status};
use crate::term::{FAINT, HEADING, Verbosity, print_json, show_path, styled, verbosity};

/// The number of rows of a list that are shown without `--all`.
const SHOWN: usize = 60;
/// With more files than this, only one line per file is printed, unless `--all` is given. A full
/// report can be long: a skeleton of a hundred joints takes a hundred lines.
const MANY: usize = 3;

/// The version of the JSON output.
const SCHEMA: &str = "animfmt.info/2";

pub(crate) fn run(args: &InfoArgs, common: &Common, out: &mut dyn Write) -> io::Result<Status> {
    let files = match Files::find(&args.files, common.from, None) {
        Ok(files) => files,
        Err(failure) => return failure.report_run((SCHEMA, "files"), common.json, out),
    };
    let one_line = args.one_line || (files.found.len() > MANY && !args.all);
    let shown = if args.all { usize::MAX } else { SHOWN };
    let mut statuses = Vec::new();
    let mut reports = Vec::new();
    let mut rows = Vec::new();
    // The files with warnings, but no errors.
    let (mut warned, mut unreadable) = (0_usize, 0_usize);
    let work = |input: Input<'_>, options: &LoadOptions| {
        let (format, info, status) = look(input, options, args.all)?;
        let has_warnings = info.totals.warnings > 0;
        let shown = if common.json {
            Shown::Report(Box::new(info))
        } else if one_line {
            Shown::Cells(one_line::cells(&info))
        } else {
            Shown::Text(text(input, &info, shown))
        };
        Ok((format, (shown, status, has_warnings)))
    };
    each_file(&files, common, work, |file, looked, progress| {
        let between = if statuses.is_empty() { "" } else { "\n" };
        match looked {
            Ok((shown, status, has_warnings)) => {
                statuses.push(status);
                warned = warned.saturating_add(usize::from(status == Status::Fine && has_warnings));
                match shown {
                    Shown::Text(text) => write!(out, "{between}{text}")?,
                    Shown::Cells(mut cells) => {
                        // In a folder, the folder's own path would be repeated on each line.
                        let is_within = args.files.len() == 1 && file.by != By::Name;
                        let name = file.path.file_name().filter(|_| is_within);
                        // Names come last, since long ones would widen any other column.
                        cells.push(name.map_or_else(
                            || file.input().shown(),
                            |name| show_path(&file.below.join(name)),
                        ));
                        rows.push(Row::from(cells));
                    }
                    Shown::Report(info) => reports.push(FileReport::Read(info)),
                }
            }
            Err(failure) => {
                statuses.push(progress.report_failure(&failure, file.input(), out)?);
                unreadable = unreadable.saturating_add(1);
                let (file, error) = (file.input().given().into_owned(), failure.message);
                reports.push(FileReport::Unreadable { file, error });
            }
        }
        Ok(())
    })?;
    if common.json {
        print_json(out, &Report { schema: SCHEMA, files: reports })?;
        return Ok(Status::of_all(&statuses));
    }
    columns(&rows, out)?;
    if one_line && !args.one_line && verbosity() > Verbosity::Quiet {
        let hint = "one line per file; use --all for full reports";
        writeln!(out, "\n{}", styled(FAINT, hint))?;
    }
    if files.several && verbosity() > Verbosity::Quiet {
        let fine = statuses.iter().filter(|status| **status == Status::Fine).count();
        let with_errors = statuses.len().saturating_sub(fine).saturating_sub(unreadable);
        let counts = [
            (fine.saturating_sub(warned), "fine"),
            (warned, "with warnings"),
            (with_errors, "with errors"),
            (unreadable, "unreadable"),
        ];
        writeln!(out, "\n{}", styled(HEADING, summary(&files, &counts)))?;
    }
    Ok(Status::of_all(&statuses))
}

/// The report on a file, in the requested form.
enum Shown {
    Text(String),
    Cells(Vec<String>),
    Report(Box<Info>),
}
