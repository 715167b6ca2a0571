#![allow(clippy::string_slice)]

mod mistakes;
mod parse;
mod samples;
mod syntax;
