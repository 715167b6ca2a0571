//! D3: counted blocks of rows.

use super::scene::{Clip, Scene, Value};
use super::write::{KEYWORDS, Writer, counts, joined, slots};

impl Writer<'_> {
    pub(super) fn counted(&mut self, scene: &Scene) {
        if self.rng.chance(15) {
            self.hand();
        }
        self.line("ao figure 4321");
        for (kind, count) in counts(scene).into_iter().enumerate().filter(|kind| kind.1 > 0) {
            self.line(&format!("{} {count}", KEYWORDS[kind]));
            for i in 0..count {
                let row = self.element(scene, kind, i);
                self.line(&row);
            }
        }
        self.line(&format!("f {}", scene.faces.len()));
        for face in &scene.faces {
            let indices = face.iter().flat_map(slots).flatten();
            self.line(&indices.map(|index| format!("{index} ")).collect::<String>());
        }
        if !scene.joints.is_empty() {
            self.line(&format!("j {}", scene.joints.len()));
            for joint in &scene.joints {
                let parent = joint.parent.map_or(-1, |parent| parent as i64);
                let rest = joined(&joint.rest.unwrap());
                self.line(&format!("{} {parent} {rest} ", joint.name));
            }
            self.line(&format!("a {}", scene.clips.len()));
            for clip in &scene.clips {
                self.counted_clip(clip);
            }
        }
        self.other_blocks(scene);
        self.line("end");
    }

    fn counted_clip(&mut self, clip: &Clip) {
        let duration = clip.duration.unwrap();
        self.line(&format!("an {} {duration} {}", clip.name, clip.moments.len()));
        for moment in &clip.moments {
            // Both kinds of a joint are in one row.
            let mut rows = Vec::new();
            for &(joint, value) in &moment.keys {
                let Value::Position(position) = value else { continue };
                let rotation = moment.keys.iter().find_map(|&(of, value)| match value {
                    Value::Rotation(rotation) if of == joint => Some(rotation),
                    _ => None,
                });
                let rotation = self.quaternion(rotation.unwrap());
                rows.push(format!("{joint} {} {rotation}", joined(&position)));
            }
            self.line(&format!("k {} {}", moment.time, rows.len()));
            for row in rows {
                self.line(&row);
            }
        }
    }

    /// What D3 has besides, none of which moves anything.
    fn other_blocks(&mut self, scene: &Scene) {
        if self.rng.chance(30) && !scene.joints.is_empty() {
            self.line("hk 1");
            self.extra_line("0 0", 22);
        }
        if self.rng.chance(40) {
            self.extra_line("bb", 6);
        }
        if self.rng.chance(40) {
            self.extra_line("ne", 6);
        }
        if self.rng.chance(30) {
            self.line("cv 3");
            for position in scene.positions.iter().take(3) {
                self.line(&joined(position));
            }
            self.line("ci 1");
            self.line("2 1 0 ");
        }
        if self.rng.chance(30) && !scene.joints.is_empty() {
            self.line("rb 1");
            self.extra_line("0", 15);
        }
    }
}
