//! Makes nodes from parts of a scene: the start of a [`Graph`](crate::Graph) that is not parsed.

mod looks;
mod nodes;
mod shapes;

pub(crate) use nodes::{Maker, NODE_BYTES, axis_angle, floats, transform};
pub(crate) use shapes::{VertexLists, Vertices, drawn};
