//! Reduces the size of a module, especially after compression. Merges identical functions, and
//! sorts functions by name, so that instances of a generic function are adjacent: gzip only finds
//! repetitions within 32 kB.

use std::collections::HashMap;
use std::convert::Infallible;
use std::error::Error;

use wasm_encoder::reencode::{Error as Invalid, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, FunctionBody, FunctionSectionReader, KnownCustom, Name,
    NameSectionReader, Parser, Payload, TypeRef,
};

type Result<T> = std::result::Result<T, Invalid<Infallible>>;
/// Encoded functions, by their number.
type Bodies = HashMap<u32, Vec<u8>>;

/// Returns the rearranged module, without function names.
pub(crate) fn arranged(module: &[u8]) -> std::result::Result<Vec<u8>, Box<dyn Error>> {
    let functions = Functions::read(module)?;
    let (same, bodies) = functions.merged()?;
    let order = functions.order(&same, &bodies);
    let mut numbers: Vec<u32> = (0..functions.imported).collect();
    numbers.resize(same.len(), 0);
    for (number, function) in (functions.imported..).zip(&order) {
        numbers[*function as usize] = number;
    }
    let numbers = same.iter().map(|function| numbers[*function as usize]).collect();
    let mut arranged = Module::new();
    Arranger { functions: &functions, order, numbers }.parse_core_module(
        &mut arranged,
        Parser::new(0),
        module,
    )?;
    Ok(arranged.finish())
}

/// The functions of a module. Their numbers follow those of imported functions.
struct Functions<'a> {
    imported: u32,
    types: Vec<u32>,
    bodies: Vec<FunctionBody<'a>>,
    names: HashMap<u32, &'a str>,
}

impl<'a> Functions<'a> {
    fn read(module: &'a [u8]) -> Result<Functions<'a>> {
        let mut functions =
            Functions { imported: 0, types: vec![], bodies: vec![], names: HashMap::new() };
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        let is_function = matches!(import?.ty, TypeRef::Func(_));
                        functions.imported += u32::from(is_function);
                    }
                }
                Payload::FunctionSection(types) => {
                    functions.types = types.into_iter().collect::<std::result::Result<_, _>>()?;
                }
                Payload::CodeSectionEntry(body) => functions.bodies.push(body),
                Payload::CustomSection(section) => {
                    if let KnownCustom::Name(names) = section.as_known() {
                        functions.read_names(names)?;
                    }
                }
                _ => {}
            }
        }
        Ok(functions)
    }

    fn read_names(&mut self, sections: NameSectionReader<'a>) -> Result<()> {
        for section in sections {
            if let Name::Function(names) = section? {
                for name in names {
                    let name = name?;
                    self.names.insert(name.index, name.name);
                }
            }
        }
        Ok(())
    }

    /// Returns, for each function, the function that replaces it, and the bodies of those that are
    /// left. Repeats until nothing changes, since merging callees may make their callers identical.
    fn merged(&self) -> Result<(Vec<u32>, Bodies)> {
        let mut same: Vec<u32> = (0..self.imported).collect();
        same.extend((self.imported..).zip(&self.bodies).map(|(number, _)| number));
        loop {
            let mut known: HashMap<(u32, Vec<u8>), u32> = HashMap::new();
            let mut replacement = same.clone();
            for ((number, ty), body) in (self.imported..).zip(&self.types).zip(&self.bodies) {
                if same[number as usize] == number {
                    let body = Renumbered(&same).body(body)?;
                    replacement[number as usize] = *known.entry((*ty, body)).or_insert(number);
                }
            }
            if replacement == same {
                let bodies = known.into_iter().map(|((_, body), number)| (number, body));
                return Ok((same, bodies.collect()));
            }
            for function in &mut same {
                *function = replacement[*function as usize];
            }
        }
    }

    /// Returns the functions that are left, by name and content.
    fn order(&self, same: &[u32], bodies: &Bodies) -> Vec<u32> {
        let own = (self.imported..).zip(&self.bodies).map(|(number, _)| number);
        let mut order: Vec<u32> = own.filter(|number| same[*number as usize] == *number).collect();
        order.sort_by_cached_key(|number| {
            (self.names.get(number).map(|name| without_hash(name)), &bodies[number])
        });
        order
    }
}

/// Returns a name without the hash that the compiler appends.
fn without_hash(name: &str) -> &str {
    name.rsplit_once("::h").filter(|(_, hash)| hash.len() == 16).map_or(name, |(name, _)| name)
}

/// Encodes functions with other numbers of the functions that they refer to.
struct Renumbered<'a>(&'a [u32]);

impl Renumbered<'_> {
    fn body(&mut self, body: &FunctionBody<'_>) -> Result<Vec<u8>> {
        let mut function = self.new_function_with_parsed_locals(body)?;
        let mut reader = body.get_operators_reader()?;
        while !reader.eof() {
            function.instruction(&self.parse_instruction(&mut reader)?);
        }
        Ok(function.into_raw_body())
    }
}

impl Reencode for Renumbered<'_> {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32> {
        Ok(self.0[function as usize])
    }
}

/// Writes a module with its functions in another order.
struct Arranger<'a> {
    functions: &'a Functions<'a>,
    order: Vec<u32>,
    numbers: Vec<u32>,
}

impl Arranger<'_> {
    /// Returns the places of the functions among those of the module, in the new order.
    fn places(&self) -> impl Iterator<Item = usize> {
        self.order.iter().map(|number| (number - self.functions.imported) as usize)
    }
}

impl Reencode for Arranger<'_> {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32> {
        Ok(self.numbers[function as usize])
    }

    fn parse_function_section(
        &mut self,
        section: &mut FunctionSection,
        _: FunctionSectionReader<'_>,
    ) -> Result<()> {
        for place in self.places() {
            section.function(self.functions.types[place]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        section: &mut CodeSection,
        _: CodeSectionReader<'_>,
    ) -> Result<()> {
        for place in self.places() {
            section.raw(&Renumbered(&self.numbers).body(&self.functions.bodies[place])?);
        }
        Ok(())
    }

    fn parse_custom_section(&mut self, _: &mut Module, _: CustomSectionReader<'_>) -> Result<()> {
        Ok(())
    }
}
