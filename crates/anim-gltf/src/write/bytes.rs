//! Writing of numbers as little-endian bytes.

use bytemuck::NoUninit;

/// Appends numbers of four bytes, which is a plain copy on little-endian machines.
pub(crate) fn put_words<T: NoUninit>(out: &mut Vec<u8>, values: &[T]) {
    let start = out.len();
    out.extend_from_slice(bytemuck::cast_slice(values));
    if cfg!(target_endian = "big") {
        let words = out.get_mut(start..).unwrap_or_default().as_chunks_mut::<4>().0;
        words.iter_mut().for_each(|word| word.reverse());
    }
}

/// Appends numbers below 65536 in two bytes each. Works in blocks, since pushing single numbers is
/// slow.
pub(crate) fn put_narrow(out: &mut Vec<u8>, values: &[u32]) {
    let mut block = [[0_u8; 2]; 2048];
    for values in values.chunks(block.len()) {
        for (narrow, value) in block.iter_mut().zip(values) {
            let [low, high, ..] = value.to_le_bytes();
            *narrow = [low, high];
        }
        out.extend_from_slice(block.get(..values.len()).unwrap_or_default().as_flattened());
    }
}
