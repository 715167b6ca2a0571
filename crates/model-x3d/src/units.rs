//! `UNIT` statements, which say how lengths and angles of a file are measured (ISO/IEC 19775-1,
//! 7.2.5.11). Other units, such as those of mass, do not affect a model.

use std::sync::Arc;

use anim_ir::Span;
use anim_ir::diag::quote;
use anim_ir::number::{index32, parse_f32};

use crate::graph::{Graph, Node, NodeId, Value};
use crate::math::to_f32;
use crate::nodes::{Family, FieldKind, find};

/// The units of a file, as multiples of metres and radians.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    length: f32,
    angle: f32,
}

impl Default for Units {
    fn default() -> Units {
        Units { length: 1.0, angle: 1.0 }
    }
}

impl Units {
    /// Sets the unit of a category.
    ///
    /// # Errors
    ///
    /// A message if the factor is not a positive number.
    pub(crate) fn set(&mut self, category: &str, factor: &str) -> Result<(), String> {
        let unit = match category {
            "length" => &mut self.length,
            "angle" => &mut self.angle,
            _ => return Ok(()),
        };
        let number = parse_f32(factor.trim().as_bytes()).ok();
        *unit = number.filter(|number| number.is_normal() && *number > 0.0).ok_or_else(|| {
            let factor = quote(factor.as_bytes());
            format!("expected a positive number for the unit of {category}, found {factor}")
        })?;
        Ok(())
    }

    /// Whether the values of a field change.
    pub(crate) fn affect(self, field: &str, kind: FieldKind) -> bool {
        self.angle != 1.0 && (is_rotation(kind) || is_angle(field, kind))
    }

    /// Converts the angles in a field to radians. In a field of a prototype, which has no name
    /// here, these are the rotations.
    pub(crate) fn convert(self, field: &str, kind: FieldKind, value: &mut Value) {
        let Value::Floats(numbers) = value else { return };
        if !self.affect(field, kind) {
            return;
        }
        let width = if is_rotation(kind) { 4 } else { 1 };
        for angle in Arc::make_mut(numbers).chunks_exact_mut(width).filter_map(<[f32]>::last_mut) {
            *angle = to_f32(f64::from(*angle) * f64::from(self.angle));
        }
    }

    /// Scales the scene of a file to metres.
    pub(crate) fn scale(self, graph: &mut Graph) {
        if self.length != 1.0 {
            graph.length_unit = Some(self.length);
            let roots = std::mem::take(&mut graph.roots);
            graph.roots = vec![scaled(graph, roots, self.length)];
        }
    }
}

/// Scales the content of an `Inline` node, which is in metres, to the unit of the scene.
pub(crate) fn to_own_unit(graph: &mut Graph, inline: NodeId) {
    let Some(unit) = graph.length_unit else { return };
    let roots = graph.inlined.remove(&inline).unwrap_or_default();
    let scaled = scaled(graph, roots, 1.0 / unit);
    graph.inlined.insert(inline, vec![scaled]);
}

/// Adds a transform that scales nodes.
fn scaled(graph: &mut Graph, nodes: Vec<NodeId>, by: f32) -> NodeId {
    let first = nodes.first().and_then(|id| graph.node(*id));
    let span = first.map_or(Span::default(), |node| node.span);
    let id = NodeId(index32(graph.nodes.len()));
    let Some(kind) = find("Transform", Family::X3d) else { return id };
    let fields =
        [("scale", Value::Floats(Arc::new(vec![by; 3]))), ("children", Value::Nodes(nodes))];
    let fields =
        fields.into_iter().filter_map(|(name, value)| Some((kind.field_index(name)?, value)));
    graph.nodes.push(Arc::new(Node { kind, name: None, fields: fields.collect(), span }));
    id
}

const fn is_rotation(kind: FieldKind) -> bool {
    matches!(kind, FieldKind::SFRotation | FieldKind::MFRotation)
}

/// Whether a field holds angles. That of an `OrthoViewpoint` has the same name as that of a
/// `Viewpoint`, but holds lengths, and is a list.
fn is_angle(field: &str, kind: FieldKind) -> bool {
    match field {
        "beamWidth" | "creaseAngle" | "cutOffAngle" | "diskAngle" | "endAngle" | "groundAngle"
        | "maxAngle" | "minAngle" | "projectionAngle" | "skyAngle" | "startAngle" => true,
        "fieldOfView" | "rotation" => kind == FieldKind::SFFloat,
        _ => false,
    }
}
