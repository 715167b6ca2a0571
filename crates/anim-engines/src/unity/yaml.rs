//! Unity's YAML.

use std::fmt::Write as _;

use crate::quoted::quoted;

/// The fields that all objects of a controller have.
const HEAD: &str = "  m_CorrespondingSourceObject: {fileID: 0}\n  m_PrefabInstance: {fileID: 0}\n  \
                    m_PrefabAsset: {fileID: 0}\n";
/// The ID of the controller.
const CONTROLLER: u64 = 9_100_000;
/// The parameter that selects a state.
const PARAMETER: &str = "state";

/// The kinds of objects: classes of Unity, without `Animator`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    StateTransition,
    State,
    Machine,
    Transition,
}

/// The objects of a file.
#[derive(Debug)]
pub(crate) struct Asset {
    out: String,
    count: u64,
}

/// A condition on the parameter `state`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition {
    pub(crate) equal: bool,
    pub(crate) state: usize,
}

/// A transition. Without a destination, it leads to the exit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Leaving {
    pub(crate) state: Option<u64>,
    pub(crate) machine: Option<u64>,
    pub(crate) conditions: Option<Condition>,
    /// When it starts, in lengths of the state.
    pub(crate) exit_time: Option<f64>,
    /// The duration of the blend in seconds.
    pub(crate) seconds: f32,
    /// Where the next state starts, in lengths of that state.
    pub(crate) offset: f64,
}

/// A state.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) name: String,
    pub(crate) animation: String,
    pub(crate) transitions: Vec<u64>,
}

/// A state machine.
#[derive(Debug, Default)]
pub(crate) struct Machine {
    pub(crate) name: String,
    pub(crate) states: Vec<u64>,
    /// Sub-state machines, each with the transition from its exit.
    pub(crate) machines: Vec<(u64, u64)>,
    pub(crate) entries: Vec<u64>,
    pub(crate) start: Option<u64>,
}

impl Asset {
    /// The ID of the layer's state machine.
    pub(crate) const ROOT: u64 = id(Kind::Machine, 0);

    /// Starts a controller.
    pub(crate) fn new(name: &str) -> Asset {
        let (name, root) = (text(name), Asset::ROOT);
        let out = format!(
            "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!91 &{CONTROLLER}\n\
             AnimatorController:\n  m_ObjectHideFlags: 0\n{HEAD}  m_Name: {name}\n  \
             serializedVersion: 5\n  m_AnimatorParameters:\n  - m_Name: {PARAMETER}\n    \
             m_Type: 3\n    m_DefaultFloat: 0\n    m_DefaultInt: 0\n    m_DefaultBool: 0\n    \
             m_Controller: {{fileID: {CONTROLLER}}}\n  m_AnimatorLayers:\n  \
             - serializedVersion: 5\n    m_Name: Base Layer\n    \
             m_StateMachine: {{fileID: {root}}}\n    m_Mask: {{fileID: 0}}\n    m_Motions: []\n    \
             m_Behaviours: []\n    m_BlendingMode: 0\n    m_SyncedLayerIndex: -1\n    \
             m_DefaultWeight: 0\n    m_IKPass: 0\n    m_SyncedLayerAffectsTiming: 0\n    \
             m_Controller: {{fileID: {CONTROLLER}}}\n"
        );
        Asset { out, count: 0 }
    }

    /// Returns the whole file.
    pub(crate) fn finish(self) -> String {
        self.out
    }

    /// Returns the ID of a new object.
    pub(crate) fn reserve(&mut self, kind: Kind) -> u64 {
        self.count = self.count.saturating_add(1);
        id(kind, self.count)
    }

    fn begin(&mut self, kind: Kind, id: u64, name: &str) {
        let class = match kind {
            Kind::StateTransition => "AnimatorStateTransition",
            Kind::State => "AnimatorState",
            Kind::Machine => "AnimatorStateMachine",
            Kind::Transition => "AnimatorTransition",
        };
        let number = number(kind);
        let name = text(name);
        let _ = write!(
            self.out,
            "--- !u!{number} &{id}\n{class}:\n  m_ObjectHideFlags: 1\n{HEAD}  m_Name: {name}\n"
        );
    }

    /// Writes a transition: one from a state, or one from an entry or a machine.
    pub(crate) fn leave(&mut self, kind: Kind, way: &Leaving) -> u64 {
        let id = self.reserve(kind);
        self.begin(kind, id, "");
        match way.conditions {
            None => self.out.push_str("  m_Conditions: []\n"),
            Some(Condition { equal, state }) => {
                let mode = if equal { 6 } else { 7 };
                let _ = write!(
                    self.out,
                    "  m_Conditions:\n  - m_ConditionMode: {mode}\n    \
                     m_ConditionEvent: {PARAMETER}\n    m_EventTreshold: {state}\n"
                );
            }
        }
        let [machine, state] = [way.machine, way.state].map(Option::unwrap_or_default);
        let is_exit = u8::from(machine == 0 && state == 0);
        let _ = write!(
            self.out,
            "  m_DstStateMachine: {{fileID: {machine}}}\n  m_DstState: {{fileID: {state}}}\n  \
             m_Solo: 0\n  m_Mute: 0\n  m_IsExit: {is_exit}\n"
        );
        if kind == Kind::Transition {
            self.out.push_str("  serializedVersion: 1\n");
            return id;
        }
        let (has_time, time) = (u8::from(way.exit_time.is_some()), way.exit_time.unwrap_or(0.0));
        let _ = write!(
            self.out,
            "  serializedVersion: 3\n  m_TransitionDuration: {}\n  m_TransitionOffset: {}\n  \
             m_ExitTime: {time}\n  m_HasExitTime: {has_time}\n  m_HasFixedDuration: 1\n  \
             m_InterruptionSource: 0\n  m_OrderedInterruption: 1\n  m_CanTransitionToSelf: 1\n",
            way.seconds, way.offset
        );
        id
    }

    /// Writes a state with a new ID.
    pub(crate) fn state(&mut self, state: &State) -> u64 {
        let id = self.reserve(Kind::State);
        self.state_at(id, state);
        id
    }

    /// Writes a state.
    pub(crate) fn state_at(&mut self, id: u64, state: &State) {
        self.begin(Kind::State, id, &state.name);
        self.out.push_str("  serializedVersion: 6\n  m_Speed: 1\n  m_CycleOffset: 0\n");
        self.list("m_Transitions", &state.transitions);
        let _ = write!(
            self.out,
            "  m_StateMachineBehaviours: []\n  m_Position: {{x: 50, y: 50, z: 0}}\n  m_IKOnFeet: \
             0\n  m_WriteDefaultValues: 1\n  m_Mirror: 0\n  m_SpeedParameterActive: 0\n  \
             m_MirrorParameterActive: 0\n  m_CycleOffsetParameterActive: 0\n  \
             m_TimeParameterActive: 0\n  m_Motion: {{fileID: 0}}\n  m_Tag: {}\n  \
             m_SpeedParameter: \n  m_MirrorParameter: \n  m_CycleOffsetParameter: \n  \
             m_TimeParameter: \n",
            text(&state.animation)
        );
    }

    /// Writes a state machine.
    pub(crate) fn machine(&mut self, id: u64, machine: &Machine) {
        self.begin(Kind::Machine, id, &machine.name);
        self.out.push_str("  serializedVersion: 6\n");
        let states = machine.states.iter().copied();
        self.children("m_ChildStates", "m_State", states, 0);
        let machines = machine.machines.iter().map(|(machine, _)| *machine);
        self.children("m_ChildStateMachines", "m_StateMachine", machines, machine.states.len());
        self.out.push_str("  m_AnyStateTransitions: []\n");
        self.list("m_EntryTransitions", &machine.entries);
        if machine.machines.is_empty() {
            self.out.push_str("  m_StateMachineTransitions: {}\n");
        } else {
            self.out.push_str("  m_StateMachineTransitions:\n");
            for (machine, exit) in &machine.machines {
                let _ = write!(
                    self.out,
                    "  - first: {{fileID: {machine}}}\n    second:\n    - {{fileID: {exit}}}\n"
                );
            }
        }
        let _ = write!(
            self.out,
            "  m_StateMachineBehaviours: []\n  m_AnyStatePosition: {{x: 0, y: -100, z: 0}}\n  \
             m_EntryPosition: {{x: 0, y: 0, z: 0}}\n  m_ExitPosition: {{x: 0, y: 100, z: 0}}\n  \
             m_ParentStateMachinePosition: {{x: 0, y: 200, z: 0}}\n  m_DefaultState: {{fileID: \
             {}}}\n",
            machine.start.unwrap_or_default()
        );
    }

    fn list(&mut self, name: &str, ids: &[u64]) {
        if ids.is_empty() {
            let _ = writeln!(self.out, "  {name}: []");
            return;
        }
        let _ = writeln!(self.out, "  {name}:");
        for id in ids {
            let _ = writeln!(self.out, "  - {{fileID: {id}}}");
        }
    }

    /// Writes children, in rows of eight.
    fn children(&mut self, name: &str, of: &str, ids: impl Iterator<Item = u64>, before: usize) {
        const COLUMNS: usize = 8;
        let mut ids = ids.enumerate().peekable();
        if ids.peek().is_none() {
            let _ = writeln!(self.out, "  {name}: []");
            return;
        }
        let _ = writeln!(self.out, "  {name}:");
        for (number, id) in ids {
            let place = number.saturating_add(before);
            let x = (place % COLUMNS).saturating_add(1).saturating_mul(240);
            let y = (place / COLUMNS).saturating_mul(80);
            let _ = write!(
                self.out,
                "  - serializedVersion: 1\n    {of}: {{fileID: {id}}}\n    m_Position: {{x: {x}, \
                 y: {y}, z: 0}}\n"
            );
        }
    }
}

/// Returns the class number of a kind.
const fn number(kind: Kind) -> u64 {
    match kind {
        Kind::StateTransition => 1101,
        Kind::State => 1102,
        Kind::Machine => 1107,
        Kind::Transition => 1109,
    }
}

const fn id(kind: Kind, count: u64) -> u64 {
    number(kind).saturating_mul(1_000_000_000).saturating_add(count)
}

/// Returns a scalar: plain if it can only be read as text, otherwise quoted.
fn text(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let is_word = words.contains(&text.to_ascii_lowercase().as_str());
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    // Unity writes single spaces between words without quotes.
    if text.is_empty()
        || starts
            && !is_word
            && text.split(' ').all(|word| !word.is_empty() && word.chars().all(is_plain))
    {
        return text.to_owned();
    }
    quoted(text)
}
