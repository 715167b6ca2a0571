//! The states of an STT file, back from a glTF file that they were written to.

use std::collections::{HashMap, HashSet};

use anim_ir::{Extras, Scene, Value};
use fmt_stt::ToIr;

/// Puts waves and states into the place of the keys that were made of them. Only where each state
/// still has its animation: else somebody has changed the file, and the keys count.
pub(crate) fn restore(scene: &mut Scene, options: &ToIr) {
    let Some(document) = fmt_stt::from_extras(&scene.extras) else { return };
    let mut numbered: HashMap<(&str, Option<usize>), usize> = HashMap::new();
    for (index, clip) in scene.clips.iter().enumerate() {
        numbered.entry((&clip.name, state_number(&clip.extras))).or_insert(index);
    }
    let clip_of = |(number, state): (usize, fmt_stt::State<'_>)| {
        let number = state.sequence().is_none().then_some(number);
        numbered.get(&(&*state.name(), number)).copied()
    };
    let Some(baked) =
        document.states().enumerate().map(clip_of).collect::<Option<HashSet<usize>>>()
    else {
        return;
    };
    scene.remove_clips(|number, _| baked.contains(&number));
    let rotation_order = fmt_stt::rotation_order(&scene.extras).unwrap_or(options.rotation_order);
    let states = fmt_stt::to_ir(&document, &ToIr { rotation_order, ..options.clone() }).value;
    scene.take_motion(states);
}

/// Which state a clip was made of.
fn state_number(extras: &Extras) -> Option<usize> {
    let Value::Map(stt) = extras.get("stt")? else { return None };
    let Value::Number(number) = stt.get("state")? else { return None };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates, and no state has that number then"
    )]
    let index = *number as usize;
    Some(index)
}
