//! What accessors hold.

use gltf::accessor::sparse::IndexType;
use gltf::accessor::{Accessor, DataType, Dimensions};
use gltf::buffer;

/// `count` elements of `width` components each, from `offset` in a view.
fn read_elements(
    view: &buffer::View<'_>,
    offset: usize,
    count: usize,
    width: usize,
    data_type: DataType,
    normalized: bool,
    bin: &[u8],
) -> Vec<Vec<f64>> {
    let size = data_type.size();
    let stride = view.stride().unwrap_or(width * size);
    assert!(stride >= width * size, "elements overlap");
    assert_eq!((view.offset() + offset) % size, 0, "an accessor is not aligned");
    assert_eq!(stride % size, 0, "a stride is not aligned");
    assert_eq!(view.buffer().index(), 0, "more than one buffer");
    let buffer = &bin[..view.buffer().length()];
    let data = &buffer[view.offset()..view.offset() + view.length()];
    let component = |at: usize| -> f64 {
        let bytes = &data[at..at + size];
        match (data_type, normalized) {
            (DataType::F32, _) => f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
            (DataType::U32, false) => f64::from(u32::from_le_bytes(bytes.try_into().unwrap())),
            (DataType::U16, false) => f64::from(u16::from_le_bytes(bytes.try_into().unwrap())),
            (DataType::U16, true) => {
                f64::from(u16::from_le_bytes(bytes.try_into().unwrap())) / 65535.0
            }
            (DataType::I16, false) => f64::from(i16::from_le_bytes(bytes.try_into().unwrap())),
            (DataType::I16, true) => {
                (f64::from(i16::from_le_bytes(bytes.try_into().unwrap())) / 32767.0).max(-1.0)
            }
            (DataType::U8, false) => f64::from(bytes[0]),
            (DataType::U8, true) => f64::from(bytes[0]) / 255.0,
            (DataType::I8, false) => f64::from(i8::from_le_bytes([bytes[0]])),
            (DataType::I8, true) => (f64::from(i8::from_le_bytes([bytes[0]])) / 127.0).max(-1.0),
            (DataType::U32, true) => panic!("32-bit integers cannot be normalised"),
        }
    };
    (0..count)
        .map(|i| {
            let start = offset + i * stride;
            (0..width).map(|c| component(start + c * size)).collect()
        })
        .collect()
}

/// All elements of an accessor, checked to be finite numbers.
pub(super) fn read_accessor(accessor: &Accessor<'_>, bin: &[u8]) -> Vec<Vec<f64>> {
    let width = accessor.dimensions().multiplicity();
    let data_type = accessor.data_type();
    assert!(
        data_type == DataType::F32
            || !matches!(
                accessor.dimensions(),
                Dimensions::Mat2 | Dimensions::Mat3 | Dimensions::Mat4
            ),
        "matrices of integers are not supported"
    );
    let normalized = accessor.normalized();
    let count = accessor.count();
    let mut elements = match accessor.view() {
        Some(view) => {
            read_elements(&view, accessor.offset(), count, width, data_type, normalized, bin)
        }
        None => vec![vec![0.0; width]; count],
    };
    if let Some(sparse) = accessor.sparse() {
        let (indices, values) = (sparse.indices(), sparse.values());
        let index_type = match indices.index_type() {
            IndexType::U8 => DataType::U8,
            IndexType::U16 => DataType::U16,
            IndexType::U32 => DataType::U32,
        };
        let places = read_elements(
            &indices.view(),
            indices.offset(),
            sparse.count(),
            1,
            index_type,
            false,
            bin,
        );
        let replacements = read_elements(
            &values.view(),
            values.offset(),
            sparse.count(),
            width,
            data_type,
            normalized,
            bin,
        );
        for (place, replacement) in places.iter().zip(replacements) {
            elements[place[0] as usize] = replacement;
        }
    }
    assert!(
        elements.iter().flatten().all(|x| x.is_finite()),
        "an accessor holds something that is not a finite number"
    );
    elements
}

pub(super) fn arrays<const N: usize>(elements: &[Vec<f64>]) -> Vec<[f64; N]> {
    elements
        .iter()
        .map(|element| element[..].try_into().expect("elements of the expected width"))
        .collect()
}
