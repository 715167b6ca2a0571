//! Examples at the end of each command's help and man page.

use std::fmt::Write as _;

use clap::Command;
use clap::builder::StyledStr;
use clap::builder::styling::Styles;

/// A description and a command line.
pub(crate) type Example = (&'static str, &'static str);

/// Returns the examples of a command, or of the program itself if given its name.
pub(crate) const fn of(command: &str) -> &'static [Example] {
    match command.as_bytes() {
        b"animfmt" => &[
            ("Show the contents of a file", "animfmt walk.amo"),
            ("Convert it to glTF", "animfmt convert walk.amo walk.glb"),
            ("Check it for problems", "animfmt check walk.amo"),
        ],
        b"info" => &[
            ("Show the contents of a file", "animfmt info walk.amo"),
            ("Show all files of one format in a folder", "animfmt info 'animations/*.kanim'"),
            ("Print the contents as JSON", "animfmt info --json walk.amo"),
        ],
        b"convert" => &[
            ("Convert a file to a GLB", "animfmt convert walk.amo walk.glb"),
            ("Convert all files in a folder", "animfmt convert animations --to glb -o glb"),
            (
                "Combine a model and its motions",
                "animfmt convert RABBIT.TMD WALK.ANM RUN.ANM -o rabbit.glb",
            ),
        ],
        b"check" => &[
            ("Report problems and their locations", "animfmt check walk.amo"),
            ("Preview the repairs", "animfmt check --fix --dry-run walk.amo"),
            (
                "Fail a build on warnings, except for one code",
                "animfmt check --strict --ignore amo-weight-sum --format github models",
            ),
        ],
        b"sample" => &[
            ("Print poses at three times", "animfmt sample walk.amo --at 0,0.5,1"),
            (
                "Print the path of a joint as CSV, 30 times per second",
                "animfmt sample walk.amo --clip run --joint hand --world --fps 30 --csv",
            ),
            (
                "Print the pose of a state after 12.5 seconds",
                "animfmt sample lamp.stt --clip swinging --at 12.5",
            ),
        ],
        b"play" => &[
            ("Walk through the states of a file", "animfmt play lamp.stt --script walk.txt"),
            (
                "Read the script from standard input, and print CSV",
                "animfmt play robot.glb --script - --csv",
            ),
            (
                "Play the clips of an ANM text file on its model, with 30 poses per second",
                "animfmt play cuts.anm --with robot.glb --script walk.txt --fps 30 --json",
            ),
        ],
        b"view" => &[
            ("Show a file in the browser", "animfmt view walk.amo"),
            ("Compare a file with its conversion", "animfmt view walk.amo walk.glb"),
            (
                "Show a file before and after its repairs",
                "animfmt view --fix broken.amo -o before-after.html",
            ),
        ],
        b"render" => &[
            ("Draw a sheet with all clips", "animfmt render walk.amo -o walk.png"),
            (
                "Draw a loop of a clip on a white background",
                "animfmt render walk.amo --clip run --size 320x240 --background white -o run.gif",
            ),
            ("Draw the states of a file", "animfmt render lamp.stt -o states.svg"),
        ],
        b"diff" => &[
            ("Check that a conversion preserved the motion", "animfmt diff walk.amo walk.glb"),
            ("Compare a folder with its conversion", "animfmt diff models/ converted/"),
            (
                "Compare animations with the file they were merged into",
                "animfmt diff ghost/ ghost.glb",
            ),
        ],
        b"split" => &[
            ("Split a take into clips", "animfmt split robot.glb cuts.anm clips.glb"),
            (
                "Split one of several takes, at 30 frames per second",
                "animfmt split robot.glb cuts.anm -o clips.glb --take 'Take 001' --fps 30",
            ),
            (
                "Write self-contained clips that start at 0",
                "animfmt split robot.glb cuts.anm -o clips.glb --rebase --borders",
            ),
        ],
        b"migrate" => &[
            ("Migrate all creatures of a project", "animfmt migrate data/creatures -o migrated"),
            ("Migrate one", "animfmt migrate data/creatures/ghost/resource.xml -o migrated"),
            (
                "Allow textures that lie beside the folder",
                "animfmt migrate data/creatures -o migrated --root data",
            ),
        ],
        b"fmt" => &[
            ("Rewrite a file in place", "animfmt fmt lamp.stt"),
            ("Check that all files in a folder are formatted", "animfmt fmt --check states"),
            ("Print the canonical form", "animfmt fmt --stdout lamp.stt"),
        ],
        b"completions" => &[
            (
                "bash",
                "animfmt completions bash > ~/.local/share/bash-completion/completions/animfmt",
            ),
            ("zsh, with ~/.zfunc in $fpath", "animfmt completions zsh > ~/.zfunc/_animfmt"),
            ("fish", "animfmt completions fish > ~/.config/fish/completions/animfmt.fish"),
        ],
        b"man" => &[
            ("Read the man page", "animfmt man | man -l -"),
            ("Install all man pages", "animfmt man ~/.local/share/man/man1"),
            ("Update them", "animfmt man --force ~/.local/share/man/man1"),
        ],
        _ => &[],
    }
}

/// Adds the examples to the help of each command.
pub(crate) fn append(mut program: Command) -> Command {
    let names: Vec<String> =
        program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    for name in names {
        program = program.mut_subcommand(&name, |command| command.after_help(shown(of(&name))));
    }
    let examples = shown(of(program.get_name()));
    program.after_help(examples)
}

/// Renders the examples as help text.
fn shown(examples: &[Example]) -> StyledStr {
    let style = Styles::styled();
    let header = style.get_header();
    let mut text = StyledStr::new();
    // Writing to a string cannot fail.
    let _ = write!(text, "{header}Examples:{header:#}");
    for (what, line) in examples {
        let literal = style.get_literal();
        let _ = write!(text, "\n  {what}:\n    {literal}{line}{literal:#}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Args;

    /// Returns the words of a line up to the first shell operator.
    fn words(line: &str) -> Vec<String> {
        let command = line.split(['>', '|']).next().unwrap();
        let mut words = Vec::new();
        for (number, part) in command.split('\'').enumerate() {
            match number % 2 {
                0 => words.extend(part.split_whitespace().map(str::to_owned)),
                _ => words.push(part.to_owned()),
            }
        }
        words
    }

    #[test]
    fn each_command_has_three_valid_examples() {
        let mut program = Args::program();
        let names: Vec<String> =
            program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        for name in names.iter().map(String::as_str).chain(["animfmt"]) {
            assert_eq!(of(name).len(), 3, "{name}");
            for (_, line) in of(name) {
                assert!(line.starts_with("animfmt ") && line.contains(name), "{line}");
                let words = words(line);
                let parsed = program.try_get_matches_from_mut(&words);
                // `animfmt FILE` is handled outside the clap parser.
                assert!(parsed.is_ok() || words.len() == 2, "{line}: {parsed:?}");
            }
        }
    }
}
