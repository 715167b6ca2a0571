//! Benchmarks this project against other programs and libraries in a single run:
//! `cargo xtask bench --peers [--rounds N] [--growth] [NAME…]`.
//!
//! Every contender runs in its own process, so that its peak memory can be measured. Rust libraries
//! run in a child process of this program; C++ libraries in a small C++ program, which is compiled
//! if the library is installed. Both load the input into memory once and then process it on
//! command. Before timing starts, each contender's result is checked against sums computed by the
//! generator of the input.

mod child;
mod contender;
mod driver;
mod growth;
mod inputs;
mod process;
mod report;
mod subjects;
mod versions;
mod work;

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

use inputs::Input;

/// Any error; most come from the operating system.
pub type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--make", input, megabytes, path] => {
            let mut made = Input::named(input)?.make(megabytes.parse()?);
            made.found.insert("bytes".to_owned(), made.bytes.len() as f64);
            fs::write(path, made.bytes)?;
            println!("{}", serde_json::to_string(&made.found)?);
            Ok(())
        }
        ["--contend", subject, contender, path] => {
            child::serve(subjects::work(subject, contender, Path::new(path))?)
        }
        ["--found-in", path] => {
            println!("{}", serde_json::to_string(&work::gltf::found_in_file(Path::new(path))?)?);
            Ok(())
        }
        _ => driver::run(&words),
    }
}
