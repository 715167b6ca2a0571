//! Parses the command line, with more helpful errors than clap's.

use std::ffi::OsString;
use std::path::Path;

use clap::ArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Parses the command line. `animfmt FILE` is parsed as `animfmt info FILE`.
pub(crate) fn matches(
    program: &mut clap::Command,
    mut given: Vec<OsString>,
) -> Result<ArgMatches, clap::Error> {
    let result = program.try_get_matches_from_mut(&given);
    let names_file = |error: &clap::Error| match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(text)) => is_like_path(text),
        _ => false,
    };
    match result {
        Err(error) if names_file(&error) && !given.iter().any(|argument| argument == "help") => {
            given.insert(1, "info".into());
            program.try_get_matches_from_mut(&given)
        }
        result => result,
    }
    .map_err(|error| with_better_tip(error, &given))
}

/// Replaces unhelpful tips on an unknown option.
fn with_better_tip(mut error: clap::Error, given: &[OsString]) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let is_clip = matches!(
        error.get(ContextKind::InvalidArg),
        Some(ContextValue::String(name)) if name == "--clip"
    );
    let mut tips = Vec::new();
    if is_clip && given.iter().any(|argument| argument == "split") {
        error.remove(ContextKind::SuggestedArg);
        let tip = "`split` writes all clips; to write one of them, use `animfmt convert OUT --clip \
                   NAME -o ONE`";
        tips.push(tip.into());
    }
    // Files are hardly ever named like options, so clap's tip to pass the option as a value does
    // not help.
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    error
}

/// Returns whether an argument looks like a path rather than a misspelled subcommand.
fn is_like_path(text: &str) -> bool {
    let path = Path::new(text);
    text == "-"
        || text.contains(['/', std::path::MAIN_SEPARATOR, '*', '?', '['])
        || path.extension().is_some()
        || path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_distinguished_from_misspelled_subcommands() {
        for path in ["-", "walk.amo", "./walk", "models/walk", "*", "walk[12]", ".", "src"] {
            assert!(is_like_path(path), "{path}");
        }
        for word in ["chekc", "convrt", "jump", "nfo"] {
            assert!(!is_like_path(word), "{word}");
        }
    }
}
