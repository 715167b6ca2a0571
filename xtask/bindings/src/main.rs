//! Makes the JavaScript bindings of a WebAssembly module: `bindings MODULE.wasm FOLDER`.

use std::env;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        eprintln!("usage: bindings MODULE.wasm FOLDER");
        return ExitCode::from(2);
    };
    let made = Bindgen::new()
        .input_path(module)
        .web(true)
        .map(|bindgen| {
            bindgen
                .out_name("animfmt")
                .typescript(false)
                .remove_name_section(true)
                .remove_producers_section(true)
        })
        .and_then(|bindgen| bindgen.generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:?}");
            ExitCode::FAILURE
        }
    }
}
