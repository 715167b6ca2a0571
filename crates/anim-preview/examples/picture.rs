//! Draws a file: `cargo run -p anim-preview --example picture FILE OUT.png [CLIP]`. The picture
//! shows five times of a clip.

use std::error::Error;
use std::path::Path;

use anim_ir::{Limits, Playable};
use anim_preview::{Moment, PreviewOptions, SheetRow, Stage, contact_sheet};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (file, out) = arguments.next().zip(arguments.next()).ok_or("FILE OUT.png [CLIP]")?;
    let loaded = anim_formats::load(Path::new(&file), &anim_formats::LoadOptions::default())?;
    let scene = &loaded.scene;
    let options = PreviewOptions::default().with_size(320, 240).with_ground(true).with_axes(true);
    let mut stage = Stage::new(scene, &options)?;
    let playables = scene.playables();
    let wanted = arguments.next();
    let found = match &wanted {
        Some(name) => scene.find_playable(name),
        None => playables.first().map(|(_, playable)| *playable),
    };
    let camera = stage.camera(found)?;
    let seconds = match found {
        Some(Playable::Clip(clip)) => scene.clip(clip).map_or(0.0, anim_ir::Clip::duration),
        _ => 1.0,
    };
    let mut pictures = vec![("rest".to_owned(), stage.draw(Moment::Rest, &camera)?)];
    if let Some(playable) = found {
        for part in 0..5_u8 {
            let time = f64::from(part) / 4.0 * seconds;
            let picture = stage.draw(Moment::of(playable, time), &camera)?;
            pictures.push((format!("{time:.2} s"), picture));
        }
    }
    for loss in stage.losses() {
        eprintln!("{}", loss.message);
    }
    let label = wanted.unwrap_or_else(|| file.clone());
    let (first, second) = (pictures.drain(..3.min(pictures.len())).collect(), pictures);
    let rows =
        [SheetRow { label, pictures: first }, SheetRow { pictures: second, ..SheetRow::default() }];
    std::fs::write(out, contact_sheet(&rows, &Limits::default())?.to_png()?)?;
    Ok(())
}
