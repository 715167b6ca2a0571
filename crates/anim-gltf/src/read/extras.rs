//! Extras that cannot be represented, and the copyright notice, which is part of them in a scene.

use anim_ir::{Extras, LimitError, Value};

use crate::codes;
use crate::json::extras::{COPYRIGHT, GLTF, JsonExtras};
use crate::json::{Channel, HasExtras};
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

/// Reports extras that are not objects, and those of objects for which the scene has none.
pub(crate) fn report_odd_extras(source: &mut Source<'_>) {
    const ODD: &str = "not an object";
    const UNKNOWN: &str = "not supported";
    fn odd<'a>(extras: impl Iterator<Item = &'a JsonExtras<'a>>) -> Vec<usize> {
        numbers(extras.map(|extras| extras.is_odd))
    }
    fn any(extras: impl Iterator<Item = HasExtras>) -> Vec<usize> {
        numbers(extras.map(|extras| extras.0))
    }
    let Source { root, found, .. } = source;
    let mut report = |path: &str, why: &str, numbers: Vec<usize>| {
        for number in numbers {
            found.push(&codes::EXTRAS, None, || format!("{path}/{number}/extras: {why}"));
        }
    };
    report("/scenes", ODD, odd(root.scenes.iter().map(|item| &item.extras)));
    report("/nodes", ODD, odd(root.nodes.iter().map(|item| &item.extras)));
    report("/meshes", ODD, odd(root.meshes.iter().map(|item| &item.extras)));
    report("/materials", ODD, odd(root.materials.iter().map(|item| &item.extras)));
    report("/cameras", ODD, odd(root.cameras.iter().map(|item| &item.extras)));
    report("/animations", ODD, odd(root.animations.iter().map(|item| &item.extras)));
    report("/skins", UNKNOWN, any(root.skins.iter().map(|item| item.extras)));
    report("/textures", UNKNOWN, any(root.textures.iter().map(|item| item.extras)));
    report("/images", UNKNOWN, any(root.images.iter().map(|item| item.extras)));
    for (number, mesh) in root.meshes.iter().enumerate() {
        let parts = any(mesh.primitives.iter().map(|part| part.extras));
        report(&format!("/meshes/{number}/primitives"), UNKNOWN, parts);
    }
    for (number, animation) in root.animations.iter().enumerate() {
        let has_own =
            |channel: &Channel<'_>| channel.extras.is_odd || !channel.extras.own.is_empty();
        let channels = numbers(animation.channels.iter().map(has_own));
        report(&format!("/animations/{number}/channels"), UNKNOWN, channels);
        let samplers = any(animation.samplers.iter().map(|sampler| sampler.extras));
        report(&format!("/animations/{number}/samplers"), UNKNOWN, samplers);
    }
    let of_asset = root.asset.as_ref().is_some_and(|asset| asset.extras.0);
    for (path, _) in [("", root.extras.0), ("/asset", of_asset)].iter().filter(|(_, has)| *has) {
        found.push(&codes::EXTRAS, None, || format!("{path}/extras: {UNKNOWN}"));
    }
}

/// Returns the indices of the true flags.
fn numbers(flags: impl Iterator<Item = bool>) -> Vec<usize> {
    flags.enumerate().filter(|(_, flag)| *flag).map(|(number, _)| number).collect()
}
