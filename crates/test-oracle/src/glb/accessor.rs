//! The content of accessors.

use gltf::accessor::sparse::IndexType;
use gltf::accessor::{Accessor, DataType, Dimensions};
use gltf::buffer;

/// The component type of an element.
#[derive(Clone, Copy)]
struct Element {
    width: usize,
    data_type: DataType,
    normalized: bool,
}

impl Element {
    /// Reads `count` elements from `offset` in a view.
    fn read(
        self,
        view: &buffer::View<'_>,
        offset: usize,
        count: usize,
        bin: &[u8],
    ) -> Vec<Vec<f64>> {
        let size = self.data_type.size();
        let stride = view.stride().unwrap_or(self.width * size);
        assert!(stride >= self.width * size, "elements overlap");
        assert_eq!((view.offset() + offset) % size, 0, "an accessor is not aligned");
        assert_eq!(stride % size, 0, "a stride is not aligned");
        assert_eq!(view.buffer().index(), 0, "more than one buffer");
        let buffer = &bin[..view.buffer().length()];
        let data = &buffer[view.offset()..view.offset() + view.length()];
        let element = |start: usize| {
            (0..self.width).map(|c| self.component(&data[start + c * size..][..size])).collect()
        };
        (0..count).map(|i| element(offset + i * stride)).collect()
    }

    fn component(self, bytes: &[u8]) -> f64 {
        let two = || bytes.try_into().unwrap();
        let four = || bytes.try_into().unwrap();
        // The value, and its divisor if it is normalised.
        let (number, one) = match self.data_type {
            DataType::F32 => return f64::from(f32::from_le_bytes(four())),
            DataType::U32 => {
                assert!(!self.normalized, "32-bit integers cannot be normalised");
                (f64::from(u32::from_le_bytes(four())), 1.0)
            }
            DataType::U16 => (f64::from(u16::from_le_bytes(two())), 65535.0),
            DataType::I16 => (f64::from(i16::from_le_bytes(two())), 32767.0),
            DataType::U8 => (f64::from(bytes[0]), 255.0),
            DataType::I8 => (f64::from(i8::from_le_bytes([bytes[0]])), 127.0),
        };
        if self.normalized { (number / one).max(-1.0) } else { number }
    }
}

/// Reads all elements of an accessor. Panics on non-finite values.
pub(super) fn read_accessor(accessor: &Accessor<'_>, bin: &[u8]) -> Vec<Vec<f64>> {
    let element = Element {
        width: accessor.dimensions().multiplicity(),
        data_type: accessor.data_type(),
        normalized: accessor.normalized(),
    };
    let is_matrix =
        matches!(accessor.dimensions(), Dimensions::Mat2 | Dimensions::Mat3 | Dimensions::Mat4);
    assert!(
        element.data_type == DataType::F32 || !is_matrix,
        "matrices of integers are not supported"
    );
    let mut elements = match accessor.view() {
        Some(view) => element.read(&view, accessor.offset(), accessor.count(), bin),
        None => vec![vec![0.0; element.width]; accessor.count()],
    };
    if let Some(sparse) = accessor.sparse() {
        let (indices, values, count) = (sparse.indices(), sparse.values(), sparse.count());
        let data_type = match indices.index_type() {
            IndexType::U8 => DataType::U8,
            IndexType::U16 => DataType::U16,
            IndexType::U32 => DataType::U32,
        };
        let index = Element { width: 1, data_type, normalized: false };
        let places = index.read(&indices.view(), indices.offset(), count, bin);
        let replacements = element.read(&values.view(), values.offset(), count, bin);
        for (place, replacement) in places.iter().zip(replacements) {
            elements[place[0] as usize] = replacement;
        }
    }
    assert!(
        elements.iter().flatten().all(|x| x.is_finite()),
        "an accessor contains a non-finite value"
    );
    elements
}

pub(super) fn arrays<const N: usize>(elements: &[Vec<f64>]) -> Vec<[f64; N]> {
    let array = |element: &Vec<f64>| element[..].try_into().expect("elements of that width");
    elements.iter().map(array).collect()
}
