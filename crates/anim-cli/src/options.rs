//! Turns the options declared by formats into command-line arguments.

use anim_formats::anim_ir::format::options::{OptionInfo, OptionKind};
use anim_formats::{Format, Settings};
use clap::builder::{ArgPredicate, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Command};

/// The help heading for options shared by all commands.
pub(crate) const COMMON: &str = "Common options";

/// Returns a format's reading or writing options.
type OptionsOf = fn(Format) -> Vec<&'static OptionInfo>;

/// Returns the kinds of format options that a command accepts: for reading, for writing, or both.
fn option_lists(command: &str) -> &'static [OptionsOf] {
    match command {
        "convert" | "split" => &[Format::reading_options, Format::writing_options],
        "sample" | "diff" => &[Format::reading_options],
        _ => &[],
    }
}

/// Adds the options of all formats to the command line. A command's own argument of the same name
/// takes precedence.
pub(crate) fn augment(program: Command) -> Command {
    let mut program = program;
    let taken = names(&program);
    for (option, formats) in Format::options(Format::parsing_options) {
        if is_new(&taken, &option) {
            let argument = argument(&option, &formats, true);
            program = program.arg(argument.help_heading(COMMON).global(true));
        }
    }
    let own = names(&program);
    let commands: Vec<String> =
        program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in commands {
        program = program.mut_subcommand(&name, |command| {
            let taken: Vec<String> = own.iter().cloned().chain(names(&command)).collect();
            add_groups(command, option_lists(&name), &taken)
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

fn add_groups(mut command: Command, lists: &[OptionsOf], taken: &[String]) -> Command {
    // Options shared by unrelated formats come first, and reading options before writing options.
    let mut groups = vec![Group { family: None, options: Vec::new() }];
    for format in Format::all() {
        if !groups.iter().any(|group| group.family == Some(format.family())) {
            groups.push(Group { family: Some(format.family()), options: Vec::new() });
        }
    }
    let mut seen: Vec<&str> = Vec::new();
    for (number, of) in lists.iter().enumerate() {
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
        let (heading, titles) = group.heading();
        for (option, formats, _) in &group.options {
            let names_formats = titles.is_none_or(|titles| formats.len() < titles);
            let argument = argument(option, formats, names_formats);
            command = command.arg(argument.help_heading(heading.clone()).hide_short_help(true));
        }
    }
    command
}

impl Group {
    /// Returns the heading, e.g. `Animated OBJ options`, and the number of formats it names.
    fn heading(&self) -> (String, Option<usize>) {
        if self.family.is_none() {
            return ("Options for several formats".to_owned(), None);
        }
        let has_any =
            |format: &Format| self.options.iter().any(|(_, formats, _)| formats.contains(format));
        let titles: Vec<&str> = Format::all().filter(has_any).map(Format::title).collect();
        let output = if self.options.iter().all(|(.., writes)| *writes) { " output" } else { "" };
        (format!("{}{output} options", listed(&titles)), Some(titles.len()))
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

/// Turns an option into an argument. Its help starts with the names of the formats, unless the
/// heading already lists them.
fn argument(option: &OptionInfo, formats: &[Format], names_formats: bool) -> Arg {
    let titles: Vec<&str> = formats.iter().map(|format| format.title()).collect();
    let help = if names_formats {
        format!("{}: {}", titles.join(", "), lower(option.help))
    } else {
        option.help.to_owned()
    };
    let argument = Arg::new(option.name)
        .long(option.name)
        .help(help)
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

/// Returns the settings given on the command line, without default values.
pub(crate) fn settings(program: &ArgMatches) -> Settings {
    let mut settings = Settings::default();
    let command = program.subcommand();
    let matches = command.map_or(program, |(_, matches)| matches);
    let lists = command.map_or(&[][..], |(name, _)| option_lists(name));
    let parsing: OptionsOf = Format::parsing_options;
    for of in std::iter::once(&parsing).chain(lists) {
        for (option, _) in Format::options(of) {
            let given = matches.try_contains_id(option.name).is_ok()
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
