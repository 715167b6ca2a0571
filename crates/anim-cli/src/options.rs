//! The options that formats declare, as arguments of the commands.

use anim_formats::anim_ir::format::options::{OptionInfo, OptionKind};
use anim_formats::{Format, Settings};
use clap::builder::{ArgPredicate, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Command};

/// A heading of a command's help, and the options below it.
type Group = (&'static str, fn(Format) -> Vec<&'static OptionInfo>);

const PARSING: Group = ("Options of all commands", Format::parsing_options);
const READING: Group = ("Interpretation options", Format::reading_options);
const WRITING: Group = ("Output options of formats", Format::writing_options);

/// Which options a command has beyond its own.
fn groups(command: &str) -> &'static [Group] {
    match command {
        "convert" | "split" => &[READING, WRITING],
        "sample" | "diff" => &[READING],
        _ => &[],
    }
}

/// The command line with the options of all formats. Where a command has an argument of its own of
/// the same name, that one counts.
pub(crate) fn augment(program: Command) -> Command {
    let own: Vec<String> = names(&program);
    let mut program = program;
    for option in Format::options(PARSING.1).into_iter().filter(|(option, _)| is_new(&own, option))
    {
        program = program.arg(argument(PARSING.0, &option.0, &option.1).global(true));
    }
    let commands: Vec<String> =
        program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in commands {
        program = program.mut_subcommand(&name, |mut command| {
            for (heading, of) in groups(&name) {
                let taken: Vec<String> = own.iter().cloned().chain(names(&command)).collect();
                for (option, formats) in Format::options(of) {
                    if is_new(&taken, &option) {
                        command = command.arg(argument(heading, &option, &formats));
                    }
                }
            }
            command
        });
    }
    program
}

fn names(command: &Command) -> Vec<String> {
    command.get_arguments().map(|argument| argument.get_id().as_str().to_owned()).collect()
}

fn is_new(taken: &[String], option: &OptionInfo) -> bool {
    // Arguments of structures are called after fields.
    let field = option.name.replace('-', "_");
    !taken.iter().any(|name| *name == field || name == option.name)
}

fn argument(heading: &'static str, option: &OptionInfo, formats: &[Format]) -> Arg {
    let titles: Vec<&str> = formats.iter().map(|format| format.title()).collect();
    let argument = Arg::new(option.name)
        .long(option.name)
        .help(format!("{}: {}", titles.join(", "), lower(option.help)))
        .help_heading(heading)
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

/// The first letter in lower case, where it begins an ordinary word.
fn lower(help: &str) -> String {
    let mut characters = help.chars();
    match (characters.next(), characters.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() || second == ' ' => {
            first.to_lowercase().chain(characters).collect()
        }
        _ => help.to_owned(),
    }
}

/// What was set on the command line. A value that is there by default sets nothing.
pub(crate) fn settings(program: &ArgMatches) -> Settings {
    let mut settings = Settings::default();
    let command = program.subcommand();
    let matches = command.map_or(program, |(_, matches)| matches);
    let groups = command.map_or(&[][..], |(name, _)| groups(name));
    for (_, of) in [PARSING].iter().chain(groups) {
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
            // The parser of the argument has looked at it already.
            let _ = settings.set(&option, value);
        }
    }
    settings
}
