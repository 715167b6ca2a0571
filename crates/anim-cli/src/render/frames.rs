//! The frames of a loop.

use anim_formats::anim_ir::number::count;
use anim_formats::anim_ir::{Budget, Diagnostics, LimitError, Playable, Scene};
use anim_preview::{LOOP_RATE, Picture, PreviewOptions};

use crate::status::Failure;
use crate::term::count as counted;

/// The frame rate of loops, in frames per second, unless it is given.
const RATE: f64 = 24.0;
/// The lowest rate that is chosen for a loop that takes long to draw.
const LOWEST_RATE: f64 = 4.0;

/// The frames of a loop.
#[derive(Debug)]
pub(super) struct Frames {
    pub(super) count: usize,
    duration: f64,
    pub(super) rate: f64,
    /// Whether the rate was given, and may not be changed.
    is_given: bool,
}

impl Frames {
    /// Returns the frames at a given rate. Without one, long loops get fewer frames per second.
    ///
    /// # Errors
    ///
    /// Returns a [`Failure`] if the frames exceed the limits.
    pub(super) fn of(
        scene: &Scene,
        playable: Playable,
        rate: Option<f64>,
        options: &PreviewOptions,
    ) -> Result<Frames, Failure> {
        let duration = scene.duration_of(playable);
        let (width, height) = options.size;
        // A byte for each pixel: unchanged ones take nearly none, but all are drawn.
        let pixels = (width as usize).saturating_mul(height as usize);
        let budget = Budget::for_scene(&options.limits, scene);
        let mut frames = Frames::at_rate(duration, rate.unwrap_or(RATE));
        frames.is_given = rate.is_some();
        // Half of the budget, since encoding takes time as well.
        let most = budget.left() / pixels.max(1) / 2;
        if frames.count > most {
            frames.thin(most);
        }
        budget
            .charge("the frames of the loop", frames.count.saturating_mul(pixels))
            .map_err(|error| frames.too_many(error))?;
        Ok(frames)
    }

    fn at_rate(duration: f64, rate: f64) -> Frames {
        // The last frame would be the first one again.
        let count = count((duration * rate).round()).max(1);
        Frames { count, duration, rate, is_given: false }
    }

    /// Lowers the rate for at most `most` frames, unless it was given or would be too low to show a
    /// motion.
    fn thin(&mut self, most: usize) {
        if !self.is_given {
            let rate = (most as f64 / self.duration).floor();
            if rate >= LOWEST_RATE {
                *self = Frames::at_rate(self.duration, rate);
            }
        }
    }

    /// Draws the first picture, and compares the work that it takes with what is left. If all
    /// pictures cannot be drawn, it lowers the rate or, if that is not possible, fails before most
    /// of the work is done. `draw` gets a time in seconds from the start.
    ///
    /// # Errors
    ///
    /// Returns a [`Failure`] if the limits are exceeded.
    pub(super) fn fit(
        &mut self,
        work: &Budget,
        draw: &mut impl FnMut(f64) -> Result<Picture, LimitError>,
    ) -> Result<Picture, Failure> {
        let mut cost_of = |time: f64| {
            let before = work.spent();
            let picture = draw(time).map_err(|error| Failure::file(error.to_string()))?;
            Ok::<_, Failure>((picture, work.spent().saturating_sub(before)))
        };
        let (first, cost) = cost_of(0.0)?;
        if cost.saturating_mul(self.count) <= work.left() {
            return Ok(first);
        }
        // The first picture may show much more or less than the others.
        let (_, middle) = cost_of(self.duration / 2.0)?;
        self.thin(work.left() / 8 * 7 / cost.max(middle).max(1));
        work.check("the pictures of the loop", cost.min(middle).saturating_mul(self.count))
            .map_err(|error| self.too_many(LimitError { unit: LimitError::WORK, ..error }))?;
        Ok(first)
    }

    fn too_many(&self, error: LimitError) -> Failure {
        // A count that does not fit into an integer is not known.
        let has = match self.count {
            usize::MAX => String::new(),
            count => format!("it has {}, and ", counted(count, "frame", "frames")),
        };
        Failure::file(format!("{error}; {has}fewer or smaller ones with --fps or --size"))
    }

    /// Reports a rate that was lowered.
    pub(super) fn losses(&self) -> Diagnostics {
        let mut losses = Diagnostics::new();
        losses.lost(&LOOP_RATE, !self.is_given && self.rate < RATE, || {
            format!(
                "the loop is drawn with {} frames per second, since {RATE} would exceed the limit; \
                 see --fps, --size and --max-memory",
                self.rate
            )
        });
        losses
    }

    /// Returns the time of a frame, in seconds from the start.
    pub(super) fn time(&self, number: usize) -> f64 {
        self.duration * number as f64 / self.count as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anim_formats::anim_ir::{Clip, Limits, Skeleton, Timeline};

    /// Returns the frames of a clip from 1 s.
    fn frames(end: f32, rate: Option<f64>) -> Result<Frames, Failure> {
        let mut scene = Scene::default();
        scene.add_skeleton(Skeleton::default());
        scene.add_timeline(Timeline::default());
        let clip = scene.add_clip(Clip { start: 1.0, end, ..Clip::default() });
        Frames::of(&scene, Playable::Clip(clip), rate, &PreviewOptions::default())
    }

    fn times(end: f32, rate: f64) -> Vec<f64> {
        let frames = frames(end, Some(rate)).unwrap();
        (0..frames.count).map(|number| frames.time(number)).collect()
    }

    #[test]
    fn a_loop_ends_before_its_start_is_shown_again() {
        assert_eq!(times(2.0, 4.0), [0.0, 0.25, 0.5, 0.75]);
        assert_eq!(times(1.0, 4.0), [0.0]);
    }

    #[test]
    fn long_loops_have_fewer_frames_unless_the_rate_is_given() {
        let rate_of = |end: f32| frames(end, None).map(|frames| (frames.rate, frames.count));
        assert_eq!(rate_of(11.0).unwrap(), (24.0, 240));
        // Half of 128 MiB, a byte for each of 480 × 360 pixels.
        assert_eq!(rate_of(17.0).unwrap(), (24.0, 384));
        assert_eq!(rate_of(18.0).unwrap(), (22.0, 374));
        assert_eq!(rate_of(51.0).unwrap(), (7.0, 350));
        for error in [frames(51.0, Some(24.0)), frames(10_001.0, None)].map(Result::unwrap_err) {
            let error = error.message;
            assert!(
                error.starts_with("the frames of the loop need a memory limit of at least "),
                "{error}"
            );
            assert!(error.ends_with("0 frames, and fewer or smaller ones with --fps or --size"));
        }
    }

    /// Returns the rate after the first picture, or the error, and how many pictures were drawn.
    fn fitted(rate: Option<f64>, cost: fn(f64) -> usize) -> (Result<f64, String>, usize) {
        let work = Budget::new(&Limits { memory: Some(8000), ..Limits::default() }, 0);
        let mut frames = frames(11.0, rate).unwrap();
        let mut drawn = 0;
        let first = frames.fit(&work, &mut |time| {
            drawn += 1;
            work.charge_work("the samples", cost(time))?;
            Ok(Picture::default())
        });
        (first.map(|_| frames.rate).map_err(|error| error.message), drawn)
    }

    #[test]
    fn pictures_that_take_long_lower_the_rate_or_are_refused_early() {
        assert_eq!(fitted(None, |_| 4), (Ok(24.0), 1));
        assert_eq!(fitted(None, |_| 10), (Ok(8.0), 2));
        // Only the first picture shows much.
        assert_eq!(fitted(Some(24.0), |time| if time == 0.0 { 100 } else { 1 }), (Ok(24.0), 2));
        let needs = "the pictures of the loop take too long and need a limit of at least 20 kB; \
                     the limit is 8000 bytes (`--max-memory`); it has 240 frames, and fewer or \
                     smaller ones with --fps or --size";
        assert_eq!(fitted(Some(24.0), |_| 10), (Err(needs.to_owned()), 2));
        assert!(fitted(None, |_| 100).0.unwrap_err().starts_with("the pictures of the loop "));
    }
}
