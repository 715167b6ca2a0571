//! Extras that cannot be represented, and the copyright notice, which is part of them in a scene.

use anim_ir::{Extras, LimitError, Value};

use crate::codes;
use crate::json::extras::{COPYRIGHT, GLTF, JsonExtras};
use crate::read::source::Source;

/// Adds the copyright notice of a file to the extras of its scene.
pub(crate) fn read_copyright(
    source: &mut Source<'_>,
    extras: &mut Extras,
) -> Result<(), LimitError> {
    let asset = source.root.asset.as_ref();
    let Some(notice) = asset.and_then(|asset| asset.copyright.as_ref()) else { return Ok(()) };
    source.spend(notice.len())?;
    let entry = extras.entry(GLTF.to_owned()).or_insert_with(|| Value::Map(Extras::new()));
    if let Value::Map(entries) = entry {
        entries.insert(COPYRIGHT.to_owned(), Value::Text(notice.clone()));
    } else {
        source.found.push(&codes::EXTRAS, None, || {
            format!("/asset/copyright: the scene's extras already have an entry `{GLTF}`")
        });
    }
    Ok(())
}

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
    let asset = root.asset.iter().filter(|asset| asset.has_extras);
    let of_asset = asset.map(|_| "/asset/extras: not supported".to_owned());
    let of_primitives = root.meshes.iter().enumerate().flat_map(|(number, mesh)| {
        let parts = mesh.primitives.iter().enumerate().filter(|(_, part)| part.has_extras);
        parts.map(move |(at, _)| format!("/meshes/{number}/primitives/{at}/extras: not supported"))
    });
    for message in messages.chain(of_asset).chain(of_primitives) {
        source.found.push(&codes::EXTRAS, None, || message);
    }
}
