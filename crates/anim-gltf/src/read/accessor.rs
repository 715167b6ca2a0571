//! Accessors (glTF 2.0, section 3.6.2).

use std::borrow::Cow;

use bytemuck::{Pod, Zeroable};

use crate::json::{self, gl};
use crate::read::fault::Fault;
use crate::read::source::Source;

/// The byte range of an accessor's elements, and the stride between them.
#[derive(Clone, Copy)]
struct Covered<'b> {
    bytes: &'b [u8],
    stride: usize,
}

/// The elements of an accessor, tightly packed.
struct Packed<'b> {
    bytes: Cow<'b, [u8]>,
    component: u32,
    normalized: bool,
}

impl<'a> Source<'a> {
    fn accessor(&self, number: usize) -> Result<&'a json::Accessor, Fault> {
        let accessor = self.root.accessors.get(number);
        accessor.ok_or_else(|| wrong(number, "", "the accessor does not exist"))
    }

    /// Returns the number of components of an element.
    pub(crate) fn width(&self, number: usize) -> Result<usize, Fault> {
        let element = &self.accessor(number)?.element;
        width_of(element).ok_or_else(|| {
            wrong(number, "/type", "expected SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4")
        })
    }

    /// Reads an accessor as finite floating-point numbers with `width` components per element. `T`
    /// is an element, a component, or anything in between. Integers are converted, and divided by
    /// their maximum value if they are normalised.
    pub(crate) fn floats<T: Pod>(&mut self, number: usize, width: usize) -> Result<Vec<T>, Fault> {
        let count = self.check(number, width)?;
        let packed = self.packed(number, width)?;
        let mut values = vec![
            T::zeroed();
            count.saturating_mul(width).saturating_mul(4) / size_of::<T>().max(1)
        ];
        let numbers: &mut [f32] = bytemuck::cast_slice_mut(&mut values);
        let bytes = &*packed.bytes;
        // The two smallest signed integers both become -1, since the smallest has no positive
        // counterpart.
        let normalized = packed.normalized;
        let share = |value: f32, most: f32| {
            if normalized { (value / most).max(-1.0) } else { value }
        };
        match packed.component {
            gl::FLOAT => copy_words(bytes, numbers),
            gl::UNSIGNED_BYTE => fill(numbers, bytes, |[byte]| share(byte.into(), 255.0)),
            gl::BYTE => fill(numbers, bytes, |byte| share(i8::from_le_bytes(byte).into(), 127.0)),
            gl::UNSIGNED_SHORT => {
                fill(numbers, bytes, |short| share(u16::from_le_bytes(short).into(), 65535.0))
            }
            gl::SHORT => {
                fill(numbers, bytes, |short| share(i16::from_le_bytes(short).into(), 32767.0))
            }
            other => {
                let message = format!("component type {other} cannot hold floating-point numbers");
                return Err(wrong(number, "/componentType", message));
            }
        }
        if let Some(at) = not_finite(numbers) {
            return Err(wrong(number, "", format!("component {at} is not finite")));
        }
        Ok(values)
    }

    /// Reads an accessor with `width` unsigned integers per element.
    pub(crate) fn integers(&mut self, number: usize, width: usize) -> Result<Vec<u32>, Fault> {
        let count = self.check(number, width)?;
        let packed = self.packed(number, width)?;
        let mut values = vec![0_u32; count.saturating_mul(width)];
        let bytes = &*packed.bytes;
        match packed.component {
            gl::UNSIGNED_INT => copy_words(bytes, &mut values),
            gl::UNSIGNED_SHORT => fill(&mut values, bytes, |it| u16::from_le_bytes(it).into()),
            gl::UNSIGNED_BYTE => fill(&mut values, bytes, |[byte]| byte.into()),
            other => {
                let message = format!("component type {other} cannot hold unsigned integers");
                return Err(wrong(number, "/componentType", message));
            }
        }
        Ok(values)
    }

    /// Returns the number of elements of an accessor. Checks that they have `width` components and
    /// are within the buffer view, and charges four bytes per component to the budget.
    fn check(&mut self, number: usize, width: usize) -> Result<usize, Fault> {
        let accessor = self.accessor(number)?;
        if self.width(number)? != width {
            let message =
                format!("expected elements with {width} components, found {}", accessor.element);
            return Err(wrong(number, "/type", message));
        }
        self.covered(number, width)?;
        self.spend(accessor.count.saturating_mul(width).saturating_mul(4))?;
        Ok(accessor.count)
    }

    /// Returns the byte range of an accessor's elements, or `None` if it has no buffer view, which
    /// means that all components are zero.
    fn covered(&self, number: usize, width: usize) -> Result<Option<Covered<'_>>, Fault> {
        let accessor = self.accessor(number)?;
        let component = accessor.component_type;
        let size = size_of_component(component).ok_or_else(|| {
            wrong(number, "/componentType", format!("invalid component type {component}"))
        })?;
        let element = size.saturating_mul(width);
        let Some(view) = accessor.buffer_view else { return Ok(None) };
        let content = self.view(view)?;
        let stride =
            self.root.buffer_views.get(view).and_then(|view| view.byte_stride).unwrap_or(element);
        if stride < element {
            return Err(Fault::new(
                format!("/bufferViews/{view}/byteStride"),
                format!("a stride of {stride} bytes, less than the element size of {element}"),
            ));
        }
        let needed = match accessor.count {
            0 => 0,
            count => count.saturating_sub(1).saturating_mul(stride).saturating_add(element),
        };
        let bytes = accessor
            .byte_offset
            .checked_add(needed)
            .and_then(|end| content.get(accessor.byte_offset..end));
        let bytes = bytes.ok_or_else(|| {
            let message = format!(
                "{} elements need {needed} bytes at offset {}, but the view has {}",
                accessor.count,
                accessor.byte_offset,
                content.len()
            );
            wrong(number, "/count", message)
        })?;
        Ok(Some(Covered { bytes, stride }))
    }

    /// Packs the elements of an accessor tightly and substitutes sparse elements.
    fn packed(&mut self, number: usize, width: usize) -> Result<Packed<'_>, Fault> {
        let accessor = self.accessor(number)?;
        let element = size_of_component(accessor.component_type).unwrap_or(0).saturating_mul(width);
        let length = accessor.count.saturating_mul(element);
        let gaps = self.covered(number, width)?.is_none_or(|covered| covered.stride != element);
        if gaps || accessor.sparse.is_some() {
            self.spend(length)?;
        }
        let mut bytes = match self.covered(number, width)? {
            None => Cow::Owned(vec![0; length]),
            Some(covered) if gaps => {
                let mut packed = Vec::with_capacity(length);
                covered.bytes.chunks(covered.stride).for_each(|chunk| {
                    packed.extend_from_slice(chunk.get(..element).unwrap_or_default())
                });
                Cow::Owned(packed)
            }
            Some(covered) => Cow::Borrowed(covered.bytes),
        };
        if let Some(sparse) = &accessor.sparse {
            self.put_sparse(number, sparse, element, bytes.to_mut())?;
        }
        Ok(Packed { bytes, component: accessor.component_type, normalized: accessor.normalized })
    }

    /// Substitutes the elements of a sparse accessor.
    fn put_sparse(
        &self,
        number: usize,
        sparse: &json::Sparse,
        element: usize,
        into: &mut [u8],
    ) -> Result<(), Fault> {
        let part = |view: usize, offset: usize, size: usize, field: &str| {
            let content = self.view(view)?;
            let end = sparse.count.checked_mul(size).and_then(|length| length.checked_add(offset));
            end.and_then(|end| content.get(offset..end)).ok_or_else(|| {
                wrong(number, field, format!("{} elements do not fit in the view", sparse.count))
            })
        };
        let kind = sparse.indices.component_type;
        let size = match kind {
            gl::UNSIGNED_BYTE | gl::UNSIGNED_SHORT | gl::UNSIGNED_INT => {
                size_of_component(kind).unwrap_or(1)
            }
            _ => {
                let message = format!("component type {kind} is not valid for indices");
                return Err(wrong(number, "/sparse/indices/componentType", message));
            }
        };
        let indices =
            part(sparse.indices.buffer_view, sparse.indices.byte_offset, size, "/sparse/indices")?;
        let values =
            part(sparse.values.buffer_view, sparse.values.byte_offset, element, "/sparse/values")?;
        for (index, value) in indices.chunks_exact(size).zip(values.chunks_exact(element)) {
            let index =
                index.iter().rev().fold(0_usize, |index, byte| index << 8 | usize::from(*byte));
            let place = index
                .checked_mul(element)
                .and_then(|start| into.get_mut(start..)?.get_mut(..element));
            let place = place.ok_or_else(|| {
                let message = format!("index {index} is out of range");
                wrong(number, "/sparse/indices", message)
            })?;
            place.copy_from_slice(value);
        }
        Ok(())
    }
}

fn wrong(number: usize, field: &str, message: impl Into<String>) -> Fault {
    Fault::new(format!("/accessors/{number}{field}"), message)
}

/// Returns the number of components of an element.
fn width_of(element: &str) -> Option<usize> {
    Some(match element {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return None,
    })
}

fn size_of_component(component: u32) -> Option<usize> {
    Some(match component {
        gl::BYTE | gl::UNSIGNED_BYTE => 1,
        gl::SHORT | gl::UNSIGNED_SHORT => 2,
        gl::UNSIGNED_INT | gl::FLOAT => 4,
        _ => return None,
    })
}

fn fill<const N: usize, T>(values: &mut [T], bytes: &[u8], make: impl Fn([u8; N]) -> T) {
    for (value, bytes) in values.iter_mut().zip(bytes.as_chunks().0) {
        *value = make(*bytes);
    }
}

/// Copies little-endian 32-bit values.
fn copy_words<T: Pod + Zeroable>(bytes: &[u8], values: &mut [T]) {
    let target: &mut [u8] = bytemuck::cast_slice_mut(values);
    let length = target.len().min(bytes.len());
    if let (Some(target), Some(bytes)) = (target.get_mut(..length), bytes.get(..length)) {
        target.copy_from_slice(bytes);
        if cfg!(target_endian = "big") {
            target.as_chunks_mut::<4>().0.iter_mut().for_each(|word| word.reverse());
        }
    }
}

/// Returns the index of the first NaN or infinite value. First checks all values without branches,
/// since non-finite values are rare.
fn not_finite(numbers: &[f32]) -> Option<usize> {
    let carried = numbers
        .iter()
        .fold(0, |all, number| all | (number.to_bits() & 0x7fff_ffff).wrapping_add(0x0080_0000));
    if carried & 0x8000_0000 == 0 {
        None
    } else {
        numbers.iter().position(|number| !number.is_finite())
    }
}
