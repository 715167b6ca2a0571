//! The times at which Castle Game Engine shows frames, which differ from the times in the file.

use crate::content::Animation;

/// The engine's timing of an animation: it bakes scenes from the frames and shows each scene for
/// the same time.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineTiming {
    /// Number of scenes that the engine bakes. It is bounded only by the file, so it may exceed the
    /// available memory.
    pub scenes: u64,
    /// Total duration of all scenes in seconds, including backward playback.
    pub duration: f64,
    /// When each frame is shown during forward playback, in seconds from the start. Frames are
    /// shown earlier than in the file, since the last frame also gets a share of the time.
    pub frame_times: Vec<f64>,
    /// When each frame is shown during backward playback, in seconds from the start; empty unless
    /// the animation plays backwards.
    pub frame_times_back: Vec<f64>,
}

impl Animation {
    /// Computes the engine's timing, as observed in two generations of the engine. It bakes
    /// `max(1, round(dt · scenes_per_time))` scenes from each frame to the next and one for the
    /// last frame, all with the same duration. Halves are rounded to even. With `scenes_per_time`
    /// 0, the frame times have no effect.
    ///
    /// ```
    /// let file = br#"<animation scenes_per_time="2">
    ///   <frame time="0" url="a.x3d"/><frame time="1.5" url="b.x3d"/>
    /// </animation>"#;
    /// let document = fmt_castle::Document::parse(&file[..])?.value;
    /// let timing = document.animations()[0].engine_timing();
    /// assert_eq!((timing.scenes, timing.frame_times[1]), (4, 1.125)); // not at 1.5
    /// # Ok::<(), fmt_castle::ParseError>(())
    /// ```
    pub fn engine_timing(&self) -> EngineTiming {
        let (first, last) = self.range();
        let there = f64::from(last) - f64::from(first);
        let mut scene = 0_u64;
        let mut scene_of_frame = vec![0];
        for (a, b) in self.frames.iter().zip(self.frames.iter().skip(1)) {
            let count = (f64::from(b.time) - f64::from(a.time)) * f64::from(self.scenes_per_time);
            scene = scene.saturating_add(saturate(count.round_ties_even().max(1.0)));
            scene_of_frame.push(scene);
        }
        let scenes = scene.saturating_add(1);
        let start = |scene: u64| there * approximate(scene) / approximate(scenes);
        let back = |scene: &u64| 2.0 * there - start(scene.saturating_add(1));
        EngineTiming {
            scenes,
            duration: if self.backwards { 2.0 * there } else { there },
            frame_times: scene_of_frame.iter().map(|scene| start(*scene)).collect(),
            frame_times_back: if self.backwards {
                scene_of_frame.iter().map(back).collect()
            } else {
                Vec::new()
            },
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
const fn saturate(count: f64) -> u64 {
    count as u64
}

#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53 scenes")]
pub(crate) const fn approximate(count: u64) -> f64 {
    count as f64
}
