//! Events that nodes send and receive, apart from their fields (ISO/IEC 19775-1:2023).

use super::types::{Family, FieldKind, NodeType};

/// An event that a node sends or receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Event {
    /// The value of the field with this index.
    Field(u8),
    /// An event without a field, by its name in the standard.
    Only(&'static str),
}

/// The direction of an event, seen from its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Out,
    In,
}

use Direction::{In, Out};

/// The events without a field: the node types that have them (a `*` stands for any beginning),
/// their direction, name and type.
const EVENTS: &[(&str, Direction, &str, FieldKind)] = &[
    ("*Interpolator *Interpolator2D *Sequencer EaseInEaseOut", In, "set_fraction", SF_FLOAT),
    ("*Sequencer", In, "next", SF_BOOL),
    ("*Sequencer", In, "previous", SF_BOOL),
    ("BooleanSequencer", Out, "value_changed", SF_BOOL),
    ("IntegerSequencer", Out, "value_changed", FieldKind::SFInt32),
    ("ColorInterpolator", Out, "value_changed", FieldKind::SFColor),
    ("CoordinateInterpolator NormalInterpolator", Out, "value_changed", FieldKind::MFVec3f),
    ("CoordinateInterpolator2D", Out, "value_changed", FieldKind::MFVec2f),
    ("*OrientationInterpolator", Out, "value_changed", FieldKind::SFRotation),
    ("*PositionInterpolator", Out, "value_changed", FieldKind::SFVec3f),
    ("*PositionInterpolator2D", Out, "value_changed", FieldKind::SFVec2f),
    ("*ScalarInterpolator", Out, "value_changed", SF_FLOAT),
    ("EaseInEaseOut", Out, "modifiedFraction_changed", SF_FLOAT),
    ("TimeSensor", Out, "fraction_changed", SF_FLOAT),
    ("TimeSensor", Out, "time", SF_TIME),
    ("TimeSensor", Out, "cycleTime", SF_TIME),
    ("TimeSensor AudioClip MovieTexture", Out, "elapsedTime", SF_TIME),
    ("TimeSensor AudioClip MovieTexture", Out, "isPaused", SF_BOOL),
    ("*Sensor AudioClip MovieTexture", Out, "isActive", SF_BOOL),
    ("AudioClip MovieTexture", Out, "duration_changed", SF_TIME),
    ("ProximitySensor VisibilitySensor", Out, "enterTime", SF_TIME),
    ("ProximitySensor VisibilitySensor", Out, "exitTime", SF_TIME),
    ("ProximitySensor", Out, "centerOfRotation_changed", SF_VEC3F),
    ("ProximitySensor", Out, "orientation_changed", FieldKind::SFRotation),
    ("ProximitySensor", Out, "position_changed", SF_VEC3F),
    ("TouchSensor", Out, "hitNormal_changed", SF_VEC3F),
    ("TouchSensor", Out, "hitPoint_changed", SF_VEC3F),
    ("TouchSensor", Out, "hitTexCoord_changed", FieldKind::SFVec2f),
    ("TouchSensor", Out, "touchTime", SF_TIME),
    ("TouchSensor PlaneSensor SphereSensor CylinderSensor", Out, "isOver", SF_BOOL),
    ("PlaneSensor SphereSensor CylinderSensor", Out, "trackPoint_changed", SF_VEC3F),
    ("PlaneSensor", Out, "translation_changed", SF_VEC3F),
    ("SphereSensor CylinderSensor", Out, "rotation_changed", FieldKind::SFRotation),
    ("KeySensor", Out, "keyPress", FieldKind::SFString),
    ("KeySensor", Out, "keyRelease", FieldKind::SFString),
    ("KeySensor", Out, "actionKeyPress", FieldKind::SFInt32),
    ("KeySensor", Out, "actionKeyRelease", FieldKind::SFInt32),
    ("KeySensor", Out, "altKey", SF_BOOL),
    ("KeySensor", Out, "controlKey", SF_BOOL),
    ("KeySensor", Out, "shiftKey", SF_BOOL),
    ("StringSensor", Out, "enteredText", FieldKind::SFString),
    ("StringSensor", Out, "finalText", FieldKind::SFString),
    ("LoadSensor", Out, "isLoaded", SF_BOOL),
    ("LoadSensor", Out, "loadTime", SF_TIME),
    ("LoadSensor", Out, "progress", SF_FLOAT),
    ("BooleanFilter BooleanToggle IntegerTrigger TimeTrigger", In, "set_boolean", SF_BOOL),
    ("BooleanFilter", Out, "inputTrue", SF_BOOL),
    ("BooleanFilter", Out, "inputFalse", SF_BOOL),
    ("BooleanFilter", Out, "inputNegate", SF_BOOL),
    ("BooleanTrigger", In, "set_triggerTime", SF_TIME),
    ("BooleanTrigger", Out, "triggerTrue", SF_BOOL),
    ("IntegerTrigger", Out, "triggerValue", FieldKind::SFInt32),
    ("TimeTrigger", Out, "triggerTime", SF_TIME),
    ("*Background *Fog *Viewpoint ViewpointGroup NavigationInfo", In, "set_bind", SF_BOOL),
    ("*Background *Fog *Viewpoint ViewpointGroup NavigationInfo", Out, "bindTime", SF_TIME),
    ("*Background *Fog *Viewpoint ViewpointGroup NavigationInfo", Out, "isBound", SF_BOOL),
    ("NavigationInfo", Out, "transitionComplete", SF_BOOL),
    ("LOD", Out, "level_changed", FieldKind::SFInt32),
    ("Collision", Out, "collideTime", SF_TIME),
    ("Collision", Out, "isActive", SF_BOOL),
    ("Indexed*Set ElevationGrid", In, "set_colorIndex", FieldKind::MFInt32),
    ("Indexed*Set", In, "set_coordIndex", FieldKind::MFInt32),
    ("Indexed*Set", In, "set_normalIndex", FieldKind::MFInt32),
    ("Indexed*Set", In, "set_texCoordIndex", FieldKind::MFInt32),
    (GROUPS, In, "addChildren", FieldKind::MFNode),
    (GROUPS, In, "removeChildren", FieldKind::MFNode),
    // Castle Game Engine.
    ("*Viewpoint", Out, "cameraMatrix", FieldKind::SFMatrix4f),
    ("*Viewpoint", Out, "cameraInverseMatrix", FieldKind::SFMatrix4f),
    ("*Viewpoint", Out, "cameraRotationMatrix", FieldKind::SFMatrix3f),
    ("*Viewpoint", Out, "cameraRotationInverseMatrix", FieldKind::SFMatrix3f),
];

const GROUPS: &str = "Anchor Billboard CADAssembly CADLayer CADPart Collision Group HAnimJoint \
                      HAnimSegment HAnimSite LOD Layer PickableGroup StaticGroup Switch Transform";
const SF_BOOL: FieldKind = FieldKind::SFBool;
const SF_FLOAT: FieldKind = FieldKind::SFFloat;
const SF_TIME: FieldKind = FieldKind::SFTime;
const SF_VEC3F: FieldKind = FieldKind::SFVec3f;

impl NodeType {
    /// Looks up an event by the name in a route. For a field, `set_` before the name and
    /// `_changed` after it are optional (ISO/IEC 19775-1, 4.4.2.2).
    pub(crate) fn event(&self, name: &str, direction: Direction) -> Option<(Event, FieldKind)> {
        let field = |name: &str| {
            let (index, field) = self.indexed_field(name)?;
            Some((Event::Field(index), field.kind))
        };
        let bare = match direction {
            In => name.strip_prefix("set_"),
            Out => name.strip_suffix("_changed"),
        };
        let full = |known: &str| match direction {
            In => known.strip_prefix("set_") == Some(name),
            Out => known.strip_suffix("_changed") == Some(name),
        };
        let known = EVENTS.iter().find(|(kinds, of, known, _)| {
            *of == direction && (*known == name || full(known)) && self.is_one_of(kinds)
        });
        let event = known.map(|(_, _, name, kind)| (Event::Only(name), *kind));
        field(name).or(event).or_else(|| field(bare?))
    }

    /// Whether the type has an event or a field with this name.
    pub(crate) fn has_event(&self, name: &str) -> bool {
        [In, Out].into_iter().any(|direction| self.event(name, direction).is_some())
    }

    /// Whether the type has events that this crate does not know.
    pub(crate) fn has_own_events(&self) -> bool {
        self.is_skipped || self.name == "Script" || self.family == Family::Vrml1
    }

    /// Whether the type is one of these, separated by spaces. A `*` stands for any part of a name.
    fn is_one_of(&self, kinds: &str) -> bool {
        kinds.split(' ').any(|kind| match kind.split_once('*') {
            Some((start, end)) => self.name.starts_with(start) && self.name.ends_with(end),
            None => self.name == kind,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nodes::find;

    #[test]
    fn events_are_found_by_all_their_names() {
        for (node, name, direction, kind) in [
            ("Transform", "translation", In, SF_VEC3F),
            ("Transform", "set_translation", In, SF_VEC3F),
            ("Transform", "translation_changed", Out, SF_VEC3F),
            ("PositionInterpolator", "set_fraction", In, SF_FLOAT),
            ("PositionInterpolator", "fraction", In, SF_FLOAT),
            ("PositionInterpolator", "value", Out, SF_VEC3F),
            ("CoordinateInterpolator", "value_changed", Out, FieldKind::MFVec3f),
            ("TimeSensor", "isActive", Out, SF_BOOL),
            ("TimeSensor", "set_startTime", In, SF_TIME),
            ("Switch", "set_choice", In, FieldKind::MFNode),
            ("Switch", "whichChoice", In, FieldKind::SFInt32),
            ("Group", "addChildren", In, FieldKind::MFNode),
        ] {
            let found = find(node, Family::X3d).unwrap().event(name, direction);
            assert_eq!(found.map(|(_, kind)| kind), Some(kind), "{node}.{name}");
        }
        for (node, name, direction) in [
            ("Transform", "translation_changed", In),
            ("Transform", "set_translation", Out),
            ("PositionInterpolator", "value_changed", In),
            ("TimeSensor", "fraction_changed", In),
            ("Box", "fraction_changed", Out),
        ] {
            assert_eq!(find(node, Family::X3d).unwrap().event(name, direction), None, "{name}");
        }
    }
}
