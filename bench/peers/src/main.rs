//! Measures this project beside other programs and libraries that do the same, in turn and in one
//! run: `cargo xtask bench --peers [--rounds N] [--growth] [NAME…]`.
//!
//! Every contender is a process of its own, so that each has its own peak memory. A library is run
//! by this program, started again with the contender's name, or by a small C++ program, which is
//! compiled if the library is installed. These read the input into memory once, and then parse it
//! whenever they are told to. Before anything is timed, what each contender has found is compared
//! with sums that the generator of the input has computed.

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

/// What can go wrong: mostly the system.
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
