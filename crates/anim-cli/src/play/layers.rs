//! Plays clips on the layers of a mixer.

use anim_formats::anim_ir::diag::seconds;
use anim_formats::anim_ir::number::narrow;
use anim_formats::anim_ir::{
    ClipId, Curve, JointMask, Layer, LayerCrossing, Mixer, Player, Pose, RootMotion, Scene,
    SkeletonId, Transform, Wrap,
};

use super::log::{Happening, Log, Moved, Stop};
use super::script::{Command, How, Line, On};
use super::stage::Stage;
use super::track::Track;
use crate::term::show_name;

/// The shortest time between two looks at whether a clip has finished, in seconds.
const SOON: f64 = 1e-6;

/// Clips that a script plays.
pub(super) struct Layers<'a> {
    scene: &'a Scene,
    mixer: Mixer<'a>,
    /// What each layer of the mixer plays.
    tracks: Vec<Track>,
    /// Whether the first layer is the one for `play` and `crossfade`.
    has_lowest: bool,
    root: Option<RootMotion>,
    moved: Transform,
    now: f64,
}

impl<'a> Layers<'a> {
    pub(super) fn new(scene: &'a Scene, skeleton: SkeletonId) -> Option<Layers<'a>> {
        Some(Layers {
            scene,
            mixer: Mixer::new(scene, skeleton)?,
            tracks: Vec::new(),
            has_lowest: false,
            root: None,
            moved: Transform::IDENTITY,
            now: 0.0,
        })
    }

    fn name(&self, clip: ClipId) -> &'a str {
        self.scene.clip(clip).map_or("", |clip| &clip.name)
    }

    fn happening(&self, time: f64, what: &'static str, clip: ClipId, rest: &str) -> Happening<'a> {
        let name = self.name(clip);
        let text = format!("{what} {}{rest}", show_name(name));
        Happening { time, what, clip: Some(name), text, ..Happening::default() }
    }

    /// Returns a player for a clip. A clip whose file does not state a wrap mode stops at its end:
    /// what follows on its timeline belongs to other clips.
    fn player(&self, clip: ClipId, how: &How) -> Option<Player<'a>> {
        let mut player = Player::new(self.scene, clip)?;
        let wrap = how.wrap.or_else(|| {
            let timeline = self.scene.timeline(self.scene.clip(clip)?.timeline)?;
            let has_waves =
                timeline.tracks().iter().any(|track| matches!(track.curve, Curve::Wave(_)));
            (player.wrap() == Wrap::Unspecified && !has_waves).then_some(Wrap::Once)
        });
        if let Some(wrap) = wrap {
            player = player.with_wrap(wrap);
        }
        Some(player.with_speed(how.speed.unwrap_or(1.0)).with_offset(how.from.unwrap_or(0.0)))
    }

    /// Returns a player for the lowest layer.
    fn lowest(&self, clip: ClipId, how: &How) -> Option<Player<'a>> {
        let player = self.player(clip, how)?;
        Some(match self.root {
            Some(root) => player.with_root_motion(root),
            None => player,
        })
    }

    fn described(player: &Player<'_>) -> String {
        let mut text = match player.wrap() {
            Wrap::Unspecified => String::new(),
            wrap => format!(" ({wrap})"),
        };
        if player.speed() != 1.0 {
            text.push_str(&format!(" at speed {}", player.speed()));
        }
        if player.time() != 0.0 {
            text.push_str(&format!(" from {}", seconds(player.time())));
        }
        text
    }

    fn play(&mut self, clip: ClipId, how: &How, log: &mut Log<'_, 'a>) -> Result<(), Stop> {
        let Some(player) = self.lowest(clip, how) else { return Ok(()) };
        let rest = Self::described(&player);
        if self.has_lowest {
            self.remove(0);
        }
        self.mixer.layers.insert(0, Layer::clip(player));
        self.tracks.insert(0, Track::new(clip));
        self.has_lowest = true;
        self.expect(0);
        log.write(&self.happening(self.now, "play", clip, &rest))
    }

    fn remove(&mut self, layer: usize) {
        if layer < self.tracks.len() {
            self.mixer.layers.remove(layer);
            self.tracks.remove(layer);
            self.has_lowest &= layer > 0;
        }
    }

    /// Looks ahead to the end of a clip that stops there.
    fn expect(&mut self, layer: usize) {
        let now = self.now;
        if self.tracks.get(layer).is_some_and(|track| track.is_synchronised) {
            // The end of the crossfade is soon enough.
            return;
        }
        let (Some(of), Some(track)) =
            (self.mixer.layers.get_mut(layer), self.tracks.get_mut(layer))
        else {
            return;
        };
        track.finishes =
            of.player_mut().filter(|player| !player.is_finished()).and_then(|player| {
                let way = match player.wrap() {
                    Wrap::Once if player.speed() < 0.0 => player.time(),
                    Wrap::Once => player.duration() - player.time(),
                    // The clip may be on its way there or back; no end is nearer than this.
                    Wrap::PingPongOnce => player.time().min(player.duration() - player.time()),
                    _ => return None,
                };
                let left = way / player.speed().abs();
                left.is_finite().then(|| now + left.max(SOON))
            });
    }

    fn layer_of(&self, clip: ClipId) -> Option<usize> {
        self.tracks.iter().rposition(|track| track.clip == clip && track.stops.is_none())
    }

    /// The layer of a clip, or the lowest one.
    fn layer_or_lowest(&self, clip: Option<ClipId>) -> Option<usize> {
        match clip {
            Some(clip) => self.layer_of(clip),
            None => Some(0).filter(|_| self.has_lowest),
        }
    }

    /// Starts a layer, or changes its weight.
    fn layer(
        &mut self,
        clip: ClipId,
        (weight, fade): (Option<f32>, f64),
        (on, how): (&On, &How),
        log: &mut Log<'_, 'a>,
    ) -> Result<(), Stop> {
        let over = usize::from(self.has_lowest);
        let known = self.layer_of(clip).filter(|layer| *layer >= over);
        let is_change = *on == On::default() && *how == How::default();
        let mut rest = String::new();
        if let Some(layer) = known.filter(|_| is_change)
            && let Some(of) = self.mixer.layers.get_mut(layer)
        {
            of.fade_to(weight.unwrap_or(1.0), fade);
            if let Some(track) = self.tracks.get_mut(layer) {
                track.fades = Some(self.now + fade);
            }
        } else {
            let Some(player) = self.player(clip, how) else { return Ok(()) };
            rest = Self::described(&player);
            let mut layer = Layer::clip(player);
            if on.is_additive {
                layer = layer.additive();
                rest.push_str(", additive");
            }
            if let Some(joint) = on.mask {
                let skeleton = self.mixer.skeleton();
                layer = layer.with_mask(JointMask::subtree(skeleton, joint));
                let name = skeleton.joint(joint).map_or("", |joint| &*joint.name);
                rest.push_str(&format!(", below {}", show_name(name)));
            }
            if fade > 0.0 {
                layer = layer.with_weight(0.0);
            }
            layer.fade_to(weight.unwrap_or(1.0), fade);
            let track = Track { fades: Some(self.now + fade), ..Track::new(clip) };
            let place = known.unwrap_or(self.tracks.len());
            if known.is_some() {
                self.remove(place);
            }
            self.mixer.layers.insert(place, layer);
            self.tracks.insert(place, track);
            self.expect(place);
        }
        let weight = weight.unwrap_or(1.0);
        rest.push_str(&format!(", weight {weight}"));
        if fade > 0.0 {
            rest.push_str(&format!(" in {}", seconds(fade)));
        }
        let seconds = Some(fade).filter(|fade| *fade > 0.0);
        let happening = self.happening(self.now, "layer", clip, &rest);
        log.write(&Happening { weight: Some(weight), seconds, ..happening })
    }

    fn crossfade(
        &mut self,
        clip: ClipId,
        (fade, is_synchronised): (f64, bool),
        how: &How,
        log: &mut Log<'_, 'a>,
    ) -> Result<(), Stop> {
        let Some(player) = self.lowest(clip, how) else { return Ok(()) };
        let (Some(of), Some(track)) = (self.mixer.layers.first_mut(), self.tracks.first_mut())
        else {
            return Ok(());
        };
        let old = track.clip;
        of.crossfade(player, fade, is_synchronised);
        let described = of.player_mut().map(|player| Self::described(player)).unwrap_or_default();
        track.clip = clip;
        track.old = (fade > 0.0).then_some((old, self.now + fade));
        (track.is_synchronised, track.finishes) = (is_synchronised && fade > 0.0, None);
        self.expect(0);
        let how = if is_synchronised { ", synchronised" } else { "" };
        let old = show_name(self.name(old));
        let rest = format!("{described}, fades out {old} in {}{how}", seconds(fade));
        let happening = self.happening(self.now, "crossfade", clip, &rest);
        log.write(&Happening { seconds: Some(fade), ..happening })
    }

    fn stop(&mut self, clip: ClipId, fade: f64, log: &mut Log<'_, 'a>) -> Result<(), Stop> {
        let Some(layer) = self.layer_of(clip) else { return Ok(()) };
        let mut rest = String::new();
        if fade > 0.0 {
            rest = format!(": fades out in {}", seconds(fade));
            if let (Some(of), Some(track)) =
                (self.mixer.layers.get_mut(layer), self.tracks.get_mut(layer))
            {
                of.fade_to(0.0, fade);
                track.stops = Some(self.now + fade);
            }
            // A clip that is played next does not end the fade.
            self.has_lowest &= layer > 0;
        } else {
            self.remove(layer);
        }
        let happening = self.happening(self.now, "stop", clip, &rest);
        log.write(&Happening { seconds: Some(fade).filter(|fade| *fade > 0.0), ..happening })
    }

    /// Changes the player of a layer.
    fn change(
        &mut self,
        clip: Option<ClipId>,
        (what, rest): (&'static str, &str),
        change: impl FnOnce(&mut Player<'a>),
        log: &mut Log<'_, 'a>,
    ) -> Result<(), Stop> {
        let Some(layer) = self.layer_or_lowest(clip) else { return Ok(()) };
        if let Some(player) = self.mixer.layers.get_mut(layer).and_then(Layer::player_mut) {
            change(player);
        }
        self.expect(layer);
        let Some(track) = self.tracks.get(layer) else { return Ok(()) };
        log.write(&self.happening(self.now, what, track.clip, rest))
    }

    fn root(&mut self, motion: RootMotion, name: &str, log: &mut Log<'_, 'a>) -> Result<(), Stop> {
        self.root = Some(motion);
        let lowest = self.mixer.layers.first_mut().filter(|_| self.has_lowest);
        if let Some(player) = lowest.and_then(Layer::player_mut) {
            *player = player.clone().with_root_motion(motion);
        }
        let yaw = if motion.yaw.is_some() { ", with its yaw" } else { "" };
        let text = format!("root {}{yaw}", show_name(name));
        log.write(&Happening { time: self.now, what: "root", text, ..Happening::default() })
    }

    /// Plays up to a time before which nothing else happens.
    fn advance(&mut self, to: f64, log: &mut Log<'_, 'a>) -> Result<(), Stop> {
        let start = self.now;
        // Within a step, weights change linearly.
        let before: Vec<f32> = self.mixer.layers.iter().map(Layer::weight).collect();
        for LayerCrossing { layer, weight, crossing } in self.mixer.advance(to - start) {
            let part = narrow(crossing.after / (to - start));
            let from = before.get(layer).copied().unwrap_or(weight);
            let weight = from + (weight - from) * part;
            let Some(track) = self.tracks.get(layer) else { continue };
            let clip = track.clip_of(self.scene, crossing.event);
            let name = self.scene.clip(clip).map_or("", |clip| &clip.name);
            let text = format!(
                "event {}: {} at {}",
                show_name(&crossing.event.name),
                show_name(name),
                seconds(crossing.time)
            );
            log.write(&Happening {
                time: start + crossing.after,
                what: "event",
                clip: Some(name),
                event: Some(&crossing.event.name),
                clock: Some(crossing.time),
                weight: Some(weight),
                text,
                ..Happening::default()
            })?;
        }
        self.now = to;
        let lowest = self.mixer.layers.first_mut().filter(|_| self.root.is_some());
        if let Some(player) = lowest.and_then(Layer::player_mut) {
            self.moved = self.moved * player.root_delta();
        }
        Ok(())
    }

    /// Reports what has ended by now.
    fn end_fades(&mut self, log: &mut Log<'_, 'a>) -> Result<(), Stop> {
        let mut layer = 0;
        while let Some(track) = self.tracks.get_mut(layer) {
            let Track { clip, old, is_synchronised, fades, stops, .. } = *track;
            let now = self.now;
            let is_past = |time: f64| time <= now;
            track.fades = fades.filter(|ends| !is_past(*ends));
            track.old = old.filter(|(_, ends)| !is_past(*ends));
            if is_synchronised && track.old.is_none() {
                (track.is_synchronised, track.finishes) = (false, Some(now));
            }
            let finishes = track.finishes;
            if let Some((old, _)) = old.filter(|(_, ends)| is_past(*ends)) {
                log.write(&self.happening(self.now, "faded", old, " out"))?;
            }
            if finishes.is_some_and(is_past) {
                self.expect(layer);
                let player = self.mixer.layers.get_mut(layer).and_then(Layer::player_mut);
                if player.is_some_and(|player| player.is_finished()) {
                    log.write(&self.happening(self.now, "finished", clip, ""))?;
                }
            }
            if stops.is_some_and(is_past) {
                self.remove(layer);
                log.write(&self.happening(self.now, "faded", clip, " out"))?;
            } else {
                layer = layer.saturating_add(1);
            }
        }
        Ok(())
    }
}

impl<'a> Stage<'a> for Layers<'a> {
    fn start(&mut self, _: Option<&Line>, _: &mut Log<'_, 'a>) -> Result<(), Stop> {
        Ok(())
    }

    fn command(&mut self, command: &Command, log: &mut Log<'_, 'a>) -> Result<(), Stop> {
        match command {
            Command::Play(clip, how) => self.play(*clip, how, log),
            Command::Crossfade { clip, seconds, is_synchronised, how } => {
                self.crossfade(*clip, (*seconds, *is_synchronised), how, log)
            }
            Command::Layer { clip, weight, fade, on, how } => {
                self.layer(*clip, (*weight, *fade), (on, how), log)
            }
            Command::Stop { clip, fade } => self.stop(*clip, *fade, log),
            Command::Speed(speed, clip) => {
                let rest = format!(": {speed}");
                self.change(*clip, ("speed", &rest), |player| player.set_speed(*speed), log)
            }
            Command::Seek(time, clip) => {
                let rest = format!(": {}", seconds(*time));
                self.change(*clip, ("seek", &rest), |player| player.seek(*time), log)
            }
            Command::Root { joint, name, yaw } => {
                self.root(RootMotion { joint: *joint, yaw: *yaw }, name, log)
            }
            _ => Ok(()),
        }
    }

    fn step(&mut self, to: f64, log: &mut Log<'_, 'a>) -> Result<(), Stop> {
        while self.now < to {
            log.charge(self.tracks.len())?;
            let nexts = self.tracks.iter().filter_map(|track| track.next(self.now));
            let next = nexts.min_by(f64::total_cmp).map_or(to, |next| next.min(to));
            self.advance(next, log)?;
            self.end_fades(log)?;
        }
        Ok(())
    }

    fn place(&mut self, what: &'static str) -> Happening<'a> {
        let mut text = format!("{what}:");
        let mut happening = Happening { time: self.now, what, ..Happening::default() };
        for (track, layer) in self.tracks.iter().zip(&mut self.mixer.layers) {
            let (weight, fading) = (layer.weight(), layer.is_crossfading());
            let Some(player) = layer.player_mut() else { continue };
            let name = self.scene.clip(track.clip).map_or("", |clip| &clip.name);
            text.push_str(&format!(" {} at {}", show_name(name), seconds(player.time())));
            if weight < 1.0 {
                text.push_str(&format!(" (weight {weight:.3})"));
            }
            if fading && let Some((_, ends)) = track.old {
                text.push_str(&format!(" (crossfade ends in {})", seconds(ends - self.now)));
            }
            text.push(',');
            if happening.clip.is_none() {
                happening.clip = Some(name);
                (happening.clock, happening.weight) = (Some(player.time()), Some(weight));
            }
        }
        happening.text = match text.strip_suffix(',') {
            Some(text) => text.to_owned(),
            None => format!("{text} nothing plays"),
        };
        if self.root.is_some() {
            let Transform { translation, rotation, .. } = self.moved;
            happening.root = Some(Moved::new(translation, rotation));
            let [x, y, z] = translation.to_array();
            happening.text.push_str(&format!("; the root has moved by {x:.3}, {y:.3}, {z:.3}"));
        }
        happening
    }

    fn pose(&mut self, pose: &mut Pose) {
        self.mixer.pose(pose);
    }
}
