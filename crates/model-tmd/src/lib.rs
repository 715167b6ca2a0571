//! Reader for TMD (`.TMD`), the 3D model format of the PlayStation: objects made of polygons and
//! lines, without a hierarchy.
//!
//! The models are drawn by Sony's library; in games such as Vib-Ribbon, ANM files animate their
//! objects. `docs/tmd-anm.md` in the repository describes the layout and documents every choice of
//! interpretation and the reason for it.
//!
//! ```
//! // Object table at 0x0C: two vertices at 28, no normals, one packet at 44 (from the table).
//! let words: [u32; 10] = [0x41, 0, 1, 28, 2, 0, 0, 44, 1, 0];
//! let vertices: [i16; 8] = [0, 0, 0, 0, 100, -50, 0, 0];
//! // A white line (mode 0x40) of two words: colour, two vertices.
//! let packet = [3, 2, 1, 0x40, 255, 255, 255, 0x40, 0, 0, 1, 0];
//! let mut file: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
//! file.extend(vertices.iter().flat_map(|component| component.to_le_bytes()));
//! file.extend(packet);
//!
//! let parsed = model_tmd::Document::parse(&file[..])?;
//! assert!(parsed.diagnostics.is_empty());
//! let document = parsed.value;
//! let object = &document.objects()[0];
//! assert_eq!(document.vertex(object, 1).map(|vertex| vertex.xyz), Some([100, -50, 0]));
//! let packet = document.packets(object).next().ok_or("no packet")?;
//! assert!(matches!(packet.body, model_tmd::Body::Line(_)));
//!
//! let scene = model_tmd::to_ir(&document, &model_tmd::ToIr::default()).value;
//! assert_eq!(scene.skeletons[0].joints[0].name, "object_0");
//! assert_eq!(scene.meshes[0].count(anim_ir::Topology::Lines), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is preserved
//!
//! A [`Document`] stores the bytes of the file and provides views of them. Reading continues after
//! an error; incomplete items are missing from the document's objects, but remain in its bytes and
//! are reported.
//!
//! A scene ([`to_ir`]) does not preserve sprites, packets of unknown type, colours that brighten a
//! texture, or blend modes; each loss is reported. Images are not part of a TMD
//! file. The scene does not contain unused vertices and normals, or bytes without meaning.

pub mod codes;
mod document;
mod format;
mod materials;
mod mesh;
mod packet;
mod parser;
mod sniff;
mod to_ir;

pub use anim_ir::ParseError;
pub use document::{Document, Fixp, Object, ParseOptions, Vector};
pub use format::Tmd;
pub use packet::{Body, Corner, Line, Packet, Polygon, Texture};
pub use sniff::sniff;
pub use to_ir::{ToIr, to_ir};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
