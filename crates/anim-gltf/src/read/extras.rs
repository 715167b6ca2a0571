//! Reports extras that cannot be represented.

use crate::codes;
use crate::json::extras::JsonExtras;
use crate::read::source::Source;

pub(crate) fn report_odd_extras(source: &mut Source<'_>) {
    let root = source.root;
    let of = |name: &'static str, odd: Vec<usize>| {
        odd.into_iter().map(move |number| format!("/{name}/{number}/extras: not an object"))
    };
    fn odd<'a>(extras: impl Iterator<Item = &'a JsonExtras<'a>>) -> Vec<usize> {
        extras.enumerate().filter(|(_, extras)| extras.is_odd).map(|(number, _)| number).collect()
    }
    let messages = of("scenes", odd(root.scenes.iter().map(|item| &item.extras)))
        .chain(of("nodes", odd(root.nodes.iter().map(|item| &item.extras))))
        .chain(of("meshes", odd(root.meshes.iter().map(|item| &item.extras))))
        .chain(of("materials", odd(root.materials.iter().map(|item| &item.extras))))
        .chain(of("cameras", odd(root.cameras.iter().map(|item| &item.extras))))
        .chain(of("animations", odd(root.animations.iter().map(|item| &item.extras))));
    for message in messages {
        source.found.push(&codes::EXTRAS, None, || message);
    }
}
