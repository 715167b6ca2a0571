//! The tasks that need the formats: `cargo xtask test-corpus`, `test-damage` and `codegen`. This is
//! a separate program because it takes minutes to build, while the other tasks take seconds.

mod codegen;
mod corpus;
mod damage;
#[cfg(test)]
mod fixtures;
mod manifest;

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.split_first() {
        Some((chore, folders)) if chore == "test-corpus" => corpus::run(folders),
        Some((chore, arguments)) if chore == "test-damage" => damage::run(arguments),
        Some((chore, [])) if chore == "codegen" => codegen::run(false),
        Some((chore, [check])) if chore == "codegen" && check == "--check" => codegen::run(true),
        _ => Err("expected `test-corpus [DIR…]`, `test-damage [--places N] [DIR…]` or `codegen \
                  [--check]`"
            .into()),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_tables_are_current() {
        assert!(codegen::run(true).unwrap());
    }

    #[test]
    fn every_fixture_matches_its_table() {
        assert!(corpus::run(&[]).unwrap());
    }

    #[test]
    fn every_fixture_is_in_its_table_and_its_folder() {
        assert_eq!(fixtures::problems().unwrap(), [""; 0]);
    }
}
