//! Plays a state machine.

use anim_formats::anim_ir::diag::seconds;
use anim_formats::anim_ir::{
    Answer, Crossing, MachineId, Moment, Motion, Pose, Refusal, Scene, Sequence, SequenceOrder,
    StateId, StateMachine, StatePlayer,
};

use super::log::{Happening, Log, Stop};
use super::script::{Command, Line};
use super::stage::Stage;
use crate::term::show_name;

/// A state machine that a script plays.
pub(super) struct States<'a> {
    machine: &'a StateMachine,
    player: StatePlayer<'a>,
    keys: Keys<'a>,
    now: f64,
    /// The state before the current one.
    before: Option<StateId>,
    /// Why the requested state will be entered.
    granted: Option<String>,
    has_started: bool,
}

impl<'a> States<'a> {
    pub(super) fn new(scene: &'a Scene, machine: MachineId) -> Option<States<'a>> {
        let player = StatePlayer::new(scene, machine)?;
        let machine = scene.machine(machine)?;
        let keys = Keys::of(machine, player.state());
        let (now, before, granted, has_started) = (0.0, None, None, false);
        Some(States { machine, player, keys, now, before, granted, has_started })
    }

    fn name(&self, state: StateId) -> &'a str {
        self.machine.state(state).map_or("", |state| &state.name)
    }

    fn shown(&self, state: StateId) -> String {
        show_name(self.name(state))
    }

    /// A key with the name of its state: `key 2 (look)`.
    fn shown_key(&self, key: usize) -> String {
        let state = self.keys.sequence.and_then(|sequence| sequence.keys().get(key)?.state);
        let name = state.map_or("missing state".to_owned(), |state| self.shown(state));
        format!("key {} ({name})", key.saturating_add(1))
    }

    fn happening(&self, time: f64, what: &'static str, text: String) -> Happening<'a> {
        let state = Some(self.name(self.player.state()));
        Happening { time, what, state, text, ..Happening::default() }
    }

    /// Reports that a state has been entered, and its first key.
    fn entered(
        &mut self,
        time: f64,
        (from, to): (Option<StateId>, StateId),
        why: &str,
        log: &mut Log<'_, 'a>,
    ) -> Result<(), Stop> {
        if from.is_some_and(|from| from != to) {
            self.before = from;
        }
        self.has_started = true;
        self.keys = Keys::of(self.machine, to);
        log.charge(self.keys.ends.len())?;
        let text = format!("enter {}: {why}", self.shown(to));
        log.write(&Happening {
            state: Some(self.name(to)),
            clock: Some(0.0),
            ..self.happening(time, "enter", text)
        })?;
        self.report_key(time, to, 0.0, log)
    }

    /// Reports the key that a state plays from a time on its clock.
    fn report_key(
        &mut self,
        time: f64,
        state: StateId,
        clock: f64,
        log: &mut Log<'_, 'a>,
    ) -> Result<(), Stop> {
        let Some((moment, until)) = self.keys.from(clock) else { return Ok(()) };
        let shows = (moment.key, moment.blend.map(|(next, _)| next));
        if self.keys.shown == Some(shows) {
            return Ok(());
        }
        self.keys.shown = Some(shows);
        let (key, next) = shows;
        let lasts = until.map(|until| until - clock);
        let text = match (next, lasts) {
            (Some(next), lasts) => format!(
                "{}: morphs to {} in {}",
                self.shown_key(key),
                self.shown_key(next),
                seconds(lasts.unwrap_or_default())
            ),
            (None, Some(lasts)) => format!("{}: for {}", self.shown_key(key), seconds(lasts)),
            (None, None) => format!("{}: stays", self.shown_key(key)),
        };
        log.write(&Happening {
            state: Some(self.name(state)),
            key: Some(key.saturating_add(1)),
            next: next.map(|next| next.saturating_add(1)),
            clock: Some(clock),
            seconds: lasts,
            ..self.happening(time, "key", text)
        })
    }

    /// Reports the keys and events of a state between two times on its clock, which started at
    /// `since`.
    fn play(
        &mut self,
        state: StateId,
        (mut clock, to): (f64, f64),
        since: f64,
        crossings: &[Crossing<'a>],
        log: &mut Log<'_, 'a>,
    ) -> Result<(), Stop> {
        let mut crossings = crossings.iter().peekable();
        while let Some(next) = self.keys.next_after(clock).filter(|next| *next <= to) {
            while let Some(crossing) = crossings.next_if(|crossing| crossing.time < next) {
                self.report_event(state, since, crossing, log)?;
            }
            log.charge(1)?;
            self.report_key(since + next, state, next, log)?;
            clock = next;
        }
        crossings.try_for_each(|crossing| self.report_event(state, since, crossing, log))
    }

    fn report_event(
        &self,
        state: StateId,
        since: f64,
        crossing: &Crossing<'a>,
        log: &mut Log<'_, 'a>,
    ) -> Result<(), Stop> {
        let Crossing { event, time, .. } = *crossing;
        let (name, of) = (show_name(&event.name), self.shown(state));
        let text = format!("event {name}: {of} at {}", seconds(time));
        log.write(&Happening {
            state: Some(self.name(state)),
            event: Some(&event.name),
            clock: Some(time),
            ..self.happening(since + time, "event", text)
        })
    }

    fn request(
        &mut self,
        wanted: StateId,
        what: &'static str,
        log: &mut Log<'_, 'a>,
    ) -> Result<(), Stop> {
        let from = self.player.state();
        let answer = self.player.request(wanted);
        let line = match what {
            "leave" => format!("leave for {}", self.shown(wanted)),
            _ => format!("request {}", self.shown(wanted)),
        };
        let mut happening = self.happening(self.now, what, String::new());
        happening.state = Some(self.name(wanted));
        let (short, text) = match answer {
            Answer::Entered => ("granted", format!("{line}: granted")),
            Answer::Waiting { key, seconds: left } => {
                (happening.key, happening.seconds) = (Some(key.saturating_add(1)), Some(left));
                let key = self.shown_key(key);
                let (of, at) = (self.shown(from), seconds(self.now));
                self.granted = Some(format!("requested at {at}, and {of} can be left at {key}"));
                ("waiting", format!("{line}: waits for {key}, in {}", seconds(left)))
            }
            Answer::Refused(why) => (refusal(why), format!("{line}: refused: {why}")),
        };
        (happening.answer, happening.text) = (Some(short), text);
        log.write(&happening)?;
        if answer == Answer::Entered {
            self.granted = None;
            self.entered(self.now, (Some(from), wanted), "requested", log)?;
        }
        Ok(())
    }
}

const fn refusal(why: Refusal) -> &'static str {
    match why {
        Refusal::UnknownState => "unknown state",
        Refusal::NoExit => "no exit",
        Refusal::NoExitAhead => "no exit ahead",
    }
}

impl<'a> Stage<'a> for States<'a> {
    /// The first state is entered at once, unless the script does it.
    fn start(&mut self, first: Option<&Line>, log: &mut Log<'_, 'a>) -> Result<(), Stop> {
        if matches!(first, Some(Line { time: 0.0, command: Command::Enter(_), .. })) {
            return Ok(());
        }
        self.entered(0.0, (None, self.player.state()), "the first state", log)
    }

    fn command(&mut self, command: &Command, log: &mut Log<'_, 'a>) -> Result<(), Stop> {
        let from = self.player.state();
        match command {
            Command::Enter(state) => {
                self.player.enter(*state);
                self.granted = None;
                let from = Some(from).filter(|_| self.has_started);
                self.entered(self.now, (from, *state), "by the script", log)
            }
            Command::Request(state) => self.request(*state, "request", log),
            Command::Leave => match self.before {
                Some(before) => self.request(before, "leave", log),
                None => {
                    let text = "leave: refused: no previous state to return to".to_owned();
                    let answer = Some("no state before");
                    log.write(&Happening { answer, ..self.happening(self.now, "leave", text) })
                }
            },
            _ => Ok(()),
        }
    }

    fn step(&mut self, to: f64, log: &mut Log<'_, 'a>) -> Result<(), Stop> {
        let (start, from, began) = (self.now, self.player.state(), self.player.clock());
        if to <= start {
            return Ok(());
        }
        let step = self.player.advance(to - start);
        let entered = step.entered();
        let until = began + entered.map_or(to - start, |(_, exit)| exit);
        // A state has each of its events once.
        let crossings: Vec<Crossing<'a>> = step.collect();
        self.now = to;
        let is_new = |crossing: &Crossing<'_>| {
            entered.is_some_and(|(_, exit)| {
                crossing.after > exit || crossing.after == exit && crossing.time < until
            })
        };
        let first_new = crossings.iter().position(is_new).unwrap_or(crossings.len());
        let (old, new) = crossings.split_at(first_new);
        self.play(from, (began, until), start - began, old, log)?;
        let Some((state, exit)) = entered else { return Ok(()) };
        let at = start + exit;
        let why = self.granted.take().unwrap_or_default();
        self.entered(at, (Some(from), state), &why, log)?;
        self.play(state, (0.0, to - at), at, new, log)
    }

    fn place(&mut self, what: &'static str) -> Happening<'a> {
        let clock = self.player.clock();
        let name = self.shown(self.player.state());
        let text = format!("{what}: {name} for {}", seconds(clock));
        let mut happening = self.happening(self.now, what, text);
        happening.clock = Some(clock);
        if let Some(Moment { key, blend }) = self.player.moment() {
            happening.key = Some(key.saturating_add(1));
            happening.text.push_str(&format!(", {}", self.shown_key(key)));
            if let Some((next, part)) = blend {
                happening.next = Some(next.saturating_add(1));
                happening.progress = Some(part);
                let next = self.shown_key(next);
                happening.text.push_str(&format!(", {:.0} % of the morph to {next}", part * 100.0));
            }
        }
        happening
    }

    fn pose(&mut self, pose: &mut Pose) {
        self.player.pose(pose);
    }
}

/// The keys that a state plays.
struct Keys<'a> {
    /// `None` in a state that plays a clip.
    sequence: Option<&'a Sequence>,
    /// When a key ends, in seconds from the start of a round.
    ends: Vec<f64>,
    /// The key that was reported last, and the next if it morphs.
    shown: Option<(usize, Option<usize>)>,
}

impl<'a> Keys<'a> {
    fn of(machine: &'a StateMachine, state: StateId) -> Keys<'a> {
        let sequence = match machine.motion(state) {
            Some(Motion::Sequence(sequence)) => Some(sequence),
            _ => None,
        };
        let ends = sequence.into_iter().flat_map(Sequence::boundaries).filter(|end| *end > 0.0);
        Keys { sequence, ends: ends.collect(), shown: None }
    }

    /// Returns when the next key begins after a time on the clock of the state.
    fn next_after(&self, clock: f64) -> Option<f64> {
        let (sequence, last) = (self.sequence?, *self.ends.last()?);
        let rounds = (clock / last).floor();
        // Rounding may place the clock in the round before.
        let began = match sequence.order() {
            SequenceOrder::OnceForwards => [0.0, 0.0],
            _ => [rounds * last, (rounds + 1.0) * last],
        };
        began.into_iter().find_map(|began| {
            let place = self.ends.partition_point(|end| began + end <= clock);
            self.ends.get(place).map(|end| began + end).filter(|next| next.is_finite())
        })
    }

    /// Returns the position from a time on, and until when that key is played.
    fn from(&self, clock: f64) -> Option<(Moment, Option<f64>)> {
        let until = self.next_after(clock);
        // In between, because a key begins at a rounded time.
        let within = until.map_or(clock + 1.0, |until| clock + (until - clock) / 2.0);
        Some((self.sequence?.at(within)?, until))
    }
}
