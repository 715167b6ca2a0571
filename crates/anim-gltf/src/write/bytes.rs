//! Little-endian output.

use bytemuck::NoUninit;

/// Appends 32-bit values. This is a plain copy on little-endian machines.
pub(crate) fn put_words<T: NoUninit>(out: &mut Vec<u8>, values: &[T]) {
    let start = out.len();
    out.extend_from_slice(bytemuck::cast_slice(values));
    if cfg!(target_endian = "big") {
        let words = out.get_mut(start..).unwrap_or_default().as_chunks_mut::<4>().0;
        words.iter_mut().for_each(|word| word.reverse());
    }
}

/// Appends values below 65536 as 16-bit values. Works in blocks, since pushing single values is
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
