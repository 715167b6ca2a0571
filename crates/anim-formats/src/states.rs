//! Restores the states of an STT file from a glTF file that was converted from it.

use std::collections::{HashMap, HashSet};

use anim_gltf::Gltf;
use anim_ir::format::{Context, Read as _};
use anim_ir::{ClipId, Converted, Extras, Scene, Value};
use fmt_stt::ToIr;

/// Converts a file to a scene, restoring the states it was converted from.
pub(crate) fn to_scene(
    document: &anim_gltf::Document<'_>,
    context: &mut Context<'_>,
) -> Converted<Scene> {
    let mut made = Gltf::to_ir(document, &context.settings.apply(), context);
    restore(&mut made.value, &context.settings.apply());
    made
}

/// Replaces keys with the waves and states they were baked from, provided that each state still has
/// its animation. Otherwise, the file has been edited, and the keys take precedence.
fn restore(scene: &mut Scene, options: &ToIr) {
    let Some(document) = fmt_stt::from_extras(&scene.extras) else { return };
    let mut numbered: HashMap<(&str, Option<usize>), ClipId> = HashMap::new();
    for (id, clip) in scene.enumerate_clips() {
        numbered.entry((&clip.name, state_number(&clip.extras))).or_insert(id);
    }
    let clip_of = |(number, state): (usize, fmt_stt::State<'_>)| {
        let number = state.sequence().is_none().then_some(number);
        numbered.get(&(&*state.name(), number)).copied()
    };
    let Some(baked) =
        document.states().enumerate().map(clip_of).collect::<Option<HashSet<ClipId>>>()
    else {
        return;
    };
    scene.remove_clips(|number, _| baked.contains(&number));
    let rotation_order = fmt_stt::rotation_order(&scene.extras).unwrap_or(options.rotation_order);
    let mut options = options.clone();
    options.rotation_order = rotation_order;
    let states = fmt_stt::to_ir(&document, &options).value;
    scene.take_motion(states);
}

/// Returns the index of the state that a clip was converted from.
fn state_number(extras: &Extras) -> Option<usize> {
    let Value::Map(stt) = extras.get("stt")? else { return None };
    let Value::Number(number) = stt.get("state")? else { return None };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates to an index that no state has"
    )]
    let index = *number as usize;
    Some(index)
}
