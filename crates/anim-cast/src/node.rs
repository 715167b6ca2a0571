//! Serialisation of nodes and properties, all little-endian (Cast README, "File structure").

use anim_ir::LimitError;

/// Size of a node header in bytes: kind, size, hash, property count and child count.
const HEADER: u64 = 24;
/// The magic number: `cast`.
const MAGIC: u32 = 0x7473_6163;
const VERSION: u32 = 1;

/// The kind of a node: four letters, the first in the lowest byte.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub(crate) enum Kind {
    Root = 0x746F_6F72,
    Metadata = 0x6174_656D,
    Model = 0x6C64_6F6D,
    Skeleton = 0x6C65_6B73,
    Bone = 0x656E_6F62,
    Animation = 0x6D69_6E61,
    Curve = 0x7672_7563,
    NotificationTrack = 0x6669_746E,
}

/// A node with its properties, which are already serialised.
#[derive(Debug)]
pub(crate) struct Node {
    kind: Kind,
    properties: Vec<u8>,
    property_count: u32,
    pub(crate) children: Vec<Node>,
}

impl Node {
    pub(crate) fn new(kind: Kind) -> Node {
        Node { kind, properties: Vec::new(), property_count: 0, children: Vec::new() }
    }

    /// Adds a NUL-terminated UTF-8 string.
    pub(crate) fn text(&mut self, name: &str, text: &str) {
        self.property(name, *b"s\0", 1, text.bytes().filter(|byte| *byte != 0).chain([0]));
    }

    pub(crate) fn bytes(&mut self, name: &str, list: &[u8]) {
        self.property(name, *b"b\0", list.len(), list.iter().copied());
    }

    /// Adds integers of one, two or four bytes, depending on the largest value.
    pub(crate) fn frames(&mut self, name: &str, list: &[u32]) {
        let most = list.iter().copied().max().unwrap_or_default();
        if u8::try_from(most).is_ok() {
            let byte = |value: &u32| u8::try_from(*value).unwrap_or(u8::MAX);
            self.property(name, *b"b\0", list.len(), list.iter().map(byte));
        } else if u16::try_from(most).is_ok() {
            let short = |value: &u32| u16::try_from(*value).unwrap_or(u16::MAX).to_le_bytes();
            self.property(name, *b"h\0", list.len(), list.iter().flat_map(short));
        } else {
            self.integers(name, list);
        }
    }

    pub(crate) fn integers(&mut self, name: &str, list: &[u32]) {
        self.property(name, *b"i\0", list.len(), list.iter().flat_map(|value| value.to_le_bytes()));
    }

    pub(crate) fn floats(&mut self, name: &str, list: &[f32]) {
        self.property(name, *b"f\0", list.len(), list.iter().flat_map(|value| value.to_le_bytes()));
    }

    /// Adds vectors with three or four components, of type `v3` or `v4`. The digit comes first in
    /// the file, because the two characters are stored as a little-endian integer.
    pub(crate) fn vectors<const N: usize>(&mut self, name: &str, list: &[[f32; N]]) {
        let kind = if N == 3 { *b"3v" } else { *b"4v" };
        let bytes = list.iter().flatten().flat_map(|value| value.to_le_bytes());
        self.property(name, kind, list.len(), bytes);
    }

    fn property(
        &mut self,
        name: &str,
        kind: [u8; 2],
        length: usize,
        data: impl Iterator<Item = u8>,
    ) {
        let name_length = u16::try_from(name.len()).unwrap_or(u16::MAX);
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        self.properties.extend(kind);
        self.properties.extend(name_length.to_le_bytes());
        self.properties.extend(length.to_le_bytes());
        self.properties.extend(name.bytes());
        self.properties.extend(data);
        self.property_count = self.property_count.saturating_add(1);
    }

    /// Returns the size in bytes of the node and all its descendants. The recursion is bounded,
    /// since nodes are nested at most four deep.
    fn size(&self) -> u64 {
        let children = self.children.iter().map(Node::size).fold(0, u64::saturating_add);
        HEADER
            .saturating_add(u64::try_from(self.properties.len()).unwrap_or(u64::MAX))
            .saturating_add(children)
    }

    fn write(&self, hash: &mut u64, out: &mut Vec<u8>) {
        out.extend((self.kind as u32).to_le_bytes());
        out.extend(u32::try_from(self.size()).unwrap_or(u32::MAX).to_le_bytes());
        // Each node gets a unique hash.
        *hash = hash.saturating_add(1);
        out.extend(hash.to_le_bytes());
        out.extend(self.property_count.to_le_bytes());
        out.extend(u32::try_from(self.children.len()).unwrap_or(u32::MAX).to_le_bytes());
        out.extend(&self.properties);
        for child in &self.children {
            child.write(hash, out);
        }
    }
}

/// Serialises a file with one root node.
pub(crate) fn file(root: &Node) -> Result<Vec<u8>, LimitError> {
    let size = usize::try_from(root.size()).unwrap_or(usize::MAX);
    let most = u32::MAX as usize;
    if size > most {
        return Err(LimitError { what: "the file", unit: "bytes", found: size, most });
    }
    let mut out = Vec::with_capacity(size.saturating_add(16));
    for number in [MAGIC, VERSION, 1, 0] {
        out.extend(number.to_le_bytes());
    }
    root.write(&mut 0, &mut out);
    Ok(out)
}
