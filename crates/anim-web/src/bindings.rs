//! The module for JavaScript.

#![allow(unreachable_pub, reason = "JavaScript reaches them")]

use wasm_bindgen::prelude::wasm_bindgen;

/// Returns the version of the module.
#[wasm_bindgen]
pub fn version() -> String {
    crate::version()
}

/// Returns the formats, as JSON.
#[wasm_bindgen]
pub fn formats() -> String {
    crate::formats()
}

/// Files that a user dropped. Methods that return text return JSON.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session(crate::Session);

#[wasm_bindgen]
impl Session {
    /// Starts without files.
    #[wasm_bindgen(constructor)]
    pub fn new(limits: &str) -> Session {
        Session(crate::Session::new(limits))
    }

    /// Adds a file.
    pub fn add(&mut self, path: &str, bytes: Vec<u8>) -> String {
        self.0.add(path, bytes)
    }

    /// Removes a file.
    pub fn remove(&mut self, path: &str) {
        self.0.remove(path);
    }

    /// Removes all files.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Lists the files.
    pub fn files(&mut self) -> String {
        self.0.files()
    }

    /// Checks and describes a file.
    pub fn open(&mut self, path: &str, options: &str) -> String {
        self.0.open(path, options)
    }

    /// Makes the page that shows a file.
    pub fn view(&mut self, path: &str, options: &str, template: &str) -> String {
        self.0.view(path, options, template)
    }

    /// Takes the page.
    pub fn html(&mut self) -> Vec<u8> {
        self.0.html()
    }

    /// Takes a model of the page.
    pub fn model(&mut self, number: usize) -> Vec<u8> {
        self.0.model(number)
    }

    /// Repairs a file.
    pub fn repair(&mut self, path: &str, options: &str) -> String {
        self.0.repair(path, options)
    }

    /// Returns the repaired file.
    pub fn repaired(&self) -> Vec<u8> {
        self.0.repaired().to_vec()
    }

    /// Converts files.
    pub fn convert(&mut self, path: &str, format: &str, options: &str) -> String {
        self.0.convert(path, format, options)
    }

    /// Takes a file of the conversion.
    pub fn output(&mut self, number: usize) -> Vec<u8> {
        self.0.output(number)
    }
}
