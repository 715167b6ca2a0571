//! Makes the JavaScript bindings of a WebAssembly module: `bindings MODULE.wasm FOLDER`.

mod arrange;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        eprintln!("usage: bindings MODULE.wasm FOLDER");
        return ExitCode::from(2);
    };
    match make(Path::new(module), Path::new(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:?}");
            ExitCode::FAILURE
        }
    }
}

fn make(module: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    const NAME: &str = "animfmt";
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .out_name(NAME)
        .typescript(false)
        .remove_producers_section(true)
        .generate(folder)?;
    let path = folder.join(format!("{NAME}_bg.wasm"));
    let arranged = arrange::arranged(&fs::read(&path)?)?;
    fs::write(path, arranged)?;
    Ok(())
}
