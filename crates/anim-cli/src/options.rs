//! Turns the options declared by formats into command-line arguments.

use std::collections::{BTreeSet, HashSet};

use anim_formats::anim_ir::Severity;
use anim_formats::anim_ir::format::options::{OptionInfo, OptionKind};
use anim_formats::{Format, Settings};
use anim_viewer::OFTEN_NEEDED;
use clap::builder::{ArgPredicate, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Command};

use crate::term::{Verbosity, print_line, severity_style, styled, verbosity};

/// The help heading for options shared by all commands.
pub(crate) const COMMON: &str = "Common options";

/// The option that names clips: a template or, with `--merge`, a name for each input.
pub(crate) const CLIP_NAMES: &str = "clip-names";

/// The format of the models that `migrate` writes, and their extension.
pub(crate) const MIGRATED: &str = "glb";

/// What options are for, and a function that returns those of a format.
type Purpose = (&'static str, fn(Format) -> Vec<&'static OptionInfo>);

const PARSING: Purpose = ("reading", Format::parsing_options);
const READING: Purpose = ("reading", Format::reading_options);
const WRITING: Purpose = ("writing", Format::writing_options);
const MIGRATING: Purpose = ("writing", migrating_options);

/// Returns the options for the models that `migrate` writes. The names of their clips are those
/// that the resource refers to.
fn migrating_options(format: Format) -> Vec<&'static OptionInfo> {
    if format.id() != MIGRATED {
        return Vec::new();
    }
    let options = format.writing_options().into_iter();
    options.filter(|option| option.name != CLIP_NAMES).collect()
}

/// Returns the purposes of the format options that a command accepts.
fn purposes(command: &str) -> &'static [Purpose] {
    match command {
        "convert" | "split" => &[READING, WRITING],
        "migrate" => &[READING, MIGRATING],
        "sample" | "play" | "view" | "render" | "diff" => &[READING],
        _ => &[],
    }
}

/// Whether a format has this option for this purpose.
fn has((_, of): &Purpose, format: Format, name: &str) -> bool {
    of(format).iter().any(|option| option.name == name)
}

/// Describes what an option applies to: `reading TMD ANM; writing STT, TMD ANM`.
fn applies_to(name: &str, purposes: &[Purpose]) -> String {
    let uses = purposes.iter().filter_map(|purpose| {
        let formats = Format::all().filter(|format| has(purpose, *format, name));
        let titles: Vec<&str> = formats.map(Format::title).collect();
        (!titles.is_empty()).then(|| format!("{} {}", purpose.0, titles.join(", ")))
    });
    uses.collect::<Vec<String>>().join("; ")
}

/// Warns about each given option that applies neither to a format that was read nor to the one that
/// was written.
pub(crate) fn warn_of_useless(given: &Settings, read: &HashSet<Format>, written: Option<Format>) {
    if verbosity() == Verbosity::Quiet || read.is_empty() {
        return;
    }
    let all = [PARSING, READING, WRITING];
    let names: BTreeSet<&str> = all
        .iter()
        .flat_map(|(_, of)| Format::options(of))
        .map(|(option, _)| option.name)
        .filter(|name| given.get(name).is_some())
        .collect();
    for name in names {
        let is_read =
            |format: &Format| has(&PARSING, *format, name) || has(&READING, *format, name);
        let is_used =
            read.iter().any(is_read) || written.is_some_and(|format| has(&WRITING, format, name));
        if !is_used {
            print_line(format_args!(
                "{}: `--{name}` has no effect here: it applies to {}",
                styled(severity_style(Severity::Warning), "warning"),
                applies_to(name, &all)
            ));
        }
    }
}

/// Adds the options of all formats to the command line. A command's own argument of the same name
/// takes precedence.
pub(crate) fn augment(program: Command) -> Command {
    let mut program = program;
    let taken = names(&program);
    for (option, formats) in Format::options(Format::parsing_options) {
        if is_new(&taken, &option) {
            let titles: Vec<&str> = formats.iter().map(|format| format.title()).collect();
            let argument = argument(&option, &titles.join(", "));
            program = program.arg(argument.help_heading(COMMON).global(true));
        }
    }
    let own = names(&program);
    let commands: Vec<String> =
        program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in commands {
        program = program.mut_subcommand(&name, |command| {
            let taken: Vec<String> = own.iter().cloned().chain(names(&command)).collect();
            add_groups(command, purposes(&name), &taken)
        });
    }
    hide_where_useless(program)
}

/// Options listed under one heading.
struct Group {
    /// The family of the formats; `None` for options shared by unrelated formats.
    family: Option<&'static str>,
    options: Vec<(OptionInfo, Vec<Format>, bool)>,
}

fn add_groups(mut command: Command, purposes: &[Purpose], taken: &[String]) -> Command {
    // Options shared by unrelated formats come first, and reading options before writing options.
    let mut groups = vec![Group { family: None, options: Vec::new() }];
    for format in Format::all() {
        if !groups.iter().any(|group| group.family == Some(format.family())) {
            groups.push(Group { family: Some(format.family()), options: Vec::new() });
        }
    }
    let mut seen: Vec<&str> = Vec::new();
    for (number, (_, of)) in purposes.iter().enumerate() {
        for (option, formats) in Format::options(of) {
            if !is_new(taken, &option) || seen.contains(&option.name) {
                continue;
            }
            seen.push(option.name);
            let family = formats.first().map(|format| format.family());
            let family =
                family.filter(|family| formats.iter().all(|format| format.family() == *family));
            if let Some(group) = groups.iter_mut().find(|group| group.family == family) {
                group.options.push((option, formats, number > 0));
            }
        }
    }
    for group in groups {
        let heading = group.heading();
        for (option, ..) in &group.options {
            let argument = argument(option, &applies_to(option.name, purposes));
            // The short help (`-h`) leaves out what few need.
            let is_rare = !OFTEN_NEEDED.contains(&option.name);
            command = command.arg(argument.help_heading(heading.clone()).hide_short_help(is_rare));
        }
    }
    command
}

impl Group {
    /// Returns the heading, e.g. `Animated OBJ options`.
    fn heading(&self) -> String {
        if self.family.is_none() {
            return "Options for several formats".to_owned();
        }
        let has_any =
            |format: &Format| self.options.iter().any(|(_, formats, _)| formats.contains(format));
        let titles: Vec<&str> = Format::all().filter(has_any).map(Format::title).collect();
        let output = if self.options.iter().all(|(.., writes)| *writes) { " output" } else { "" };
        format!("{}{output} options", listed(&titles))
    }
}

/// Joins titles: `GLB`, `GLB and glTF 2.0`, `TMD ANM, TMD ANC and TMD`.
fn listed(titles: &[&str]) -> String {
    match titles {
        [before @ .., _, last] if !before.is_empty() => {
            let first = titles.get(..titles.len().saturating_sub(1)).unwrap_or_default();
            format!("{} and {last}", first.join(", "))
        }
        _ => titles.join(" and "),
    }
}

/// Hides common options from the help of commands that do not read files.
fn hide_where_useless(mut program: Command) -> Command {
    let common: Vec<Arg> =
        program.get_arguments().filter(|argument| argument.is_global_set()).cloned().collect();
    for name in ["completions", "man"] {
        program = program.mut_subcommand(name, |command| {
            let is_useful = |argument: &&Arg| argument.get_id() == "color";
            let hidden = common.iter().filter(|argument| !is_useful(argument));
            command.args(hidden.map(|argument| argument.clone().hide(true)))
        });
    }
    program
}

fn names(command: &Command) -> Vec<String> {
    command.get_arguments().map(|argument| argument.get_id().as_str().to_owned()).collect()
}

fn is_new(taken: &[String], option: &OptionInfo) -> bool {
    // The ids of derived arguments are the names of their fields, with underscores.
    let field = option.name.replace('-', "_");
    !taken.iter().any(|name| *name == field || name == option.name)
}

/// Turns an option into an argument. Its help starts with what it applies to; the short help is the
/// first sentence.
fn argument(option: &OptionInfo, applies_to: &str) -> Arg {
    let help = format!("{applies_to}: {}", lower(option.help));
    let first = help.split(". ").next().unwrap_or_default().to_owned();
    let argument = Arg::new(option.name)
        .long(option.name)
        .help(first)
        .long_help(help)
        .requires_ifs(option.requires.map(|other| (ArgPredicate::IsPresent, other)))
        .conflicts_with_all(option.conflicts);
    let argument = match option.kind {
        OptionKind::Flag => return argument.action(ArgAction::SetTrue),
        OptionKind::Choice(names) => argument
            .value_name("NAME")
            .value_parser(PossibleValuesParser::new(names.iter().copied())),
        kind => {
            let value = match kind {
                OptionKind::Integer { .. } => "N",
                OptionKind::Text => "TEXT",
                _ => "X",
            };
            let option = *option;
            argument.value_name(value).allow_negative_numbers(true).value_parser(
                move |text: &str| match option.parse(text) {
                    Ok(_) => Ok(text.to_owned()),
                    Err(error) => Err(format!("expected {}", error.expected)),
                },
            )
        }
    };
    argument.default_value(option.default)
}

/// Lowercases the first letter, unless it starts an acronym.
fn lower(help: &str) -> String {
    let mut characters = help.chars();
    match (characters.next(), characters.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() || second == ' ' => {
            first.to_lowercase().chain(characters).collect()
        }
        _ => help.to_owned(),
    }
}

/// Returns the format options given on the command line, without default values.
pub(crate) fn settings(program: &Command, matches: &ArgMatches) -> Settings {
    let mut settings = Settings::default();
    let command = matches.subcommand();
    let matches = command.map_or(matches, |(_, matches)| matches);
    let name = command.map_or("", |(name, _)| name);
    // Only the command's own arguments have no heading.
    let is_own = |option: &OptionInfo| {
        let mut all = program.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
        all.any(|argument| {
            argument.get_id() == option.name && argument.get_help_heading().is_none()
        })
    };
    for (_, of) in std::iter::once(&PARSING).chain(purposes(name)) {
        for (option, _) in Format::options(of) {
            let given = matches.try_contains_id(option.name).is_ok()
                && !is_own(&option)
                && matches.value_source(option.name)
                    == Some(clap::parser::ValueSource::CommandLine);
            if !given {
                continue;
            }
            let value = match option.kind {
                OptionKind::Flag => "true",
                _ => matches
                    .try_get_one::<String>(option.name)
                    .ok()
                    .flatten()
                    .map_or("", String::as_str),
            };
            // The argument's parser has already validated the value.
            let _ = settings.set(&option, value);
        }
    }
    settings
}
