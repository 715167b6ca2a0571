//! The font of labels: up to five dots wide and eight high, two of which are below the baseline.

/// The rows of dots of a glyph.
pub(crate) const ROWS: u32 = 8;

/// A glyph: the number of its columns, and the dots of its rows.
pub(crate) struct Glyph(u32, [u8; ROWS as usize]);

/// The glyphs of printable ASCII, from the space to the tilde.
const GLYPHS: [Glyph; 95] = [
    Glyph(2, [0, 0, 0, 0, 0, 0, 0, 0]),
    Glyph(1, [0b1, 0b1, 0b1, 0b1, 0, 0b1, 0, 0]),
    Glyph(3, [0b101, 0b101, 0, 0, 0, 0, 0, 0]),
    Glyph(5, [0b01010, 0b11111, 0b01010, 0b01010, 0b11111, 0b01010, 0, 0]),
    Glyph(3, [0b010, 0b011, 0b100, 0b010, 0b001, 0b110, 0b010, 0]),
    Glyph(3, [0b101, 0b001, 0b010, 0b010, 0b100, 0b101, 0, 0]),
    Glyph(4, [0b0100, 0b1010, 0b0100, 0b1011, 0b1010, 0b0101, 0, 0]),
    Glyph(1, [0b1, 0b1, 0, 0, 0, 0, 0, 0]),
    Glyph(2, [0b01, 0b10, 0b10, 0b10, 0b10, 0b10, 0b01, 0]),
    Glyph(2, [0b10, 0b01, 0b01, 0b01, 0b01, 0b01, 0b10, 0]),
    Glyph(3, [0, 0b101, 0b010, 0b101, 0, 0, 0, 0]),
    Glyph(3, [0, 0, 0b010, 0b111, 0b010, 0, 0, 0]),
    Glyph(2, [0, 0, 0, 0, 0, 0b01, 0b10, 0]),
    Glyph(3, [0, 0, 0, 0b111, 0, 0, 0, 0]),
    Glyph(1, [0, 0, 0, 0, 0, 0b1, 0, 0]),
    Glyph(3, [0b001, 0b001, 0b010, 0b010, 0b100, 0b100, 0, 0]),
    // Digits.
    Glyph(3, [0b010, 0b101, 0b101, 0b101, 0b101, 0b010, 0, 0]),
    Glyph(3, [0b010, 0b110, 0b010, 0b010, 0b010, 0b111, 0, 0]),
    Glyph(3, [0b110, 0b001, 0b001, 0b010, 0b100, 0b111, 0, 0]),
    Glyph(3, [0b110, 0b001, 0b010, 0b001, 0b001, 0b110, 0, 0]),
    Glyph(3, [0b101, 0b101, 0b101, 0b111, 0b001, 0b001, 0, 0]),
    Glyph(3, [0b111, 0b100, 0b110, 0b001, 0b001, 0b110, 0, 0]),
    Glyph(3, [0b011, 0b100, 0b110, 0b101, 0b101, 0b010, 0, 0]),
    Glyph(3, [0b111, 0b001, 0b001, 0b010, 0b010, 0b010, 0, 0]),
    Glyph(3, [0b010, 0b101, 0b010, 0b101, 0b101, 0b010, 0, 0]),
    Glyph(3, [0b010, 0b101, 0b101, 0b011, 0b001, 0b110, 0, 0]),
    // Punctuation.
    Glyph(1, [0, 0, 0b1, 0, 0, 0b1, 0, 0]),
    Glyph(2, [0, 0, 0b01, 0, 0, 0b01, 0b10, 0]),
    Glyph(3, [0, 0b001, 0b010, 0b100, 0b010, 0b001, 0, 0]),
    Glyph(3, [0, 0, 0b111, 0, 0b111, 0, 0, 0]),
    Glyph(3, [0, 0b100, 0b010, 0b001, 0b010, 0b100, 0, 0]),
    Glyph(3, [0b110, 0b001, 0b010, 0b010, 0, 0b010, 0, 0]),
    Glyph(5, [0b01110, 0b10001, 0b10111, 0b10111, 0b10000, 0b01110, 0, 0]),
    // Uppercase letters.
    Glyph(4, [0b0110, 0b1001, 0b1001, 0b1111, 0b1001, 0b1001, 0, 0]),
    Glyph(4, [0b1110, 0b1001, 0b1110, 0b1001, 0b1001, 0b1110, 0, 0]),
    Glyph(4, [0b0111, 0b1000, 0b1000, 0b1000, 0b1000, 0b0111, 0, 0]),
    Glyph(4, [0b1110, 0b1001, 0b1001, 0b1001, 0b1001, 0b1110, 0, 0]),
    Glyph(3, [0b111, 0b100, 0b110, 0b100, 0b100, 0b111, 0, 0]),
    Glyph(3, [0b111, 0b100, 0b110, 0b100, 0b100, 0b100, 0, 0]),
    Glyph(4, [0b0111, 0b1000, 0b1000, 0b1011, 0b1001, 0b0111, 0, 0]),
    Glyph(4, [0b1001, 0b1001, 0b1111, 0b1001, 0b1001, 0b1001, 0, 0]),
    Glyph(3, [0b111, 0b010, 0b010, 0b010, 0b010, 0b111, 0, 0]),
    Glyph(3, [0b001, 0b001, 0b001, 0b001, 0b101, 0b010, 0, 0]),
    Glyph(4, [0b1001, 0b1010, 0b1100, 0b1010, 0b1001, 0b1001, 0, 0]),
    Glyph(3, [0b100, 0b100, 0b100, 0b100, 0b100, 0b111, 0, 0]),
    Glyph(5, [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0, 0]),
    Glyph(4, [0b1001, 0b1101, 0b1101, 0b1011, 0b1011, 0b1001, 0, 0]),
    Glyph(4, [0b0110, 0b1001, 0b1001, 0b1001, 0b1001, 0b0110, 0, 0]),
    Glyph(4, [0b1110, 0b1001, 0b1001, 0b1110, 0b1000, 0b1000, 0, 0]),
    Glyph(4, [0b0110, 0b1001, 0b1001, 0b1001, 0b1011, 0b0111, 0, 0]),
    Glyph(4, [0b1110, 0b1001, 0b1001, 0b1110, 0b1010, 0b1001, 0, 0]),
    Glyph(4, [0b0111, 0b1000, 0b0110, 0b0001, 0b0001, 0b1110, 0, 0]),
    Glyph(3, [0b111, 0b010, 0b010, 0b010, 0b010, 0b010, 0, 0]),
    Glyph(4, [0b1001, 0b1001, 0b1001, 0b1001, 0b1001, 0b0110, 0, 0]),
    Glyph(5, [0b10001, 0b10001, 0b01010, 0b01010, 0b01010, 0b00100, 0, 0]),
    Glyph(5, [0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001, 0, 0]),
    Glyph(4, [0b1001, 0b1001, 0b0110, 0b0110, 0b1001, 0b1001, 0, 0]),
    Glyph(3, [0b101, 0b101, 0b101, 0b010, 0b010, 0b010, 0, 0]),
    Glyph(4, [0b1111, 0b0001, 0b0010, 0b0100, 0b1000, 0b1111, 0, 0]),
    // Punctuation.
    Glyph(2, [0b11, 0b10, 0b10, 0b10, 0b10, 0b10, 0b11, 0]),
    Glyph(3, [0b100, 0b100, 0b010, 0b010, 0b001, 0b001, 0, 0]),
    Glyph(2, [0b11, 0b01, 0b01, 0b01, 0b01, 0b01, 0b11, 0]),
    Glyph(3, [0b010, 0b101, 0, 0, 0, 0, 0, 0]),
    Glyph(3, [0, 0, 0, 0, 0, 0, 0b111, 0]),
    Glyph(2, [0b10, 0b01, 0, 0, 0, 0, 0, 0]),
    // Lowercase letters.
    Glyph(3, [0, 0, 0b011, 0b101, 0b101, 0b011, 0, 0]),
    Glyph(3, [0b100, 0b100, 0b110, 0b101, 0b101, 0b110, 0, 0]),
    Glyph(3, [0, 0, 0b011, 0b100, 0b100, 0b011, 0, 0]),
    Glyph(3, [0b001, 0b001, 0b011, 0b101, 0b101, 0b011, 0, 0]),
    Glyph(3, [0, 0, 0b010, 0b111, 0b100, 0b011, 0, 0]),
    Glyph(3, [0b001, 0b010, 0b111, 0b010, 0b010, 0b010, 0, 0]),
    Glyph(3, [0, 0, 0b011, 0b101, 0b101, 0b011, 0b001, 0b110]),
    Glyph(3, [0b100, 0b100, 0b110, 0b101, 0b101, 0b101, 0, 0]),
    Glyph(1, [0b1, 0, 0b1, 0b1, 0b1, 0b1, 0, 0]),
    Glyph(2, [0b01, 0, 0b01, 0b01, 0b01, 0b01, 0b01, 0b10]),
    Glyph(3, [0b100, 0b100, 0b101, 0b110, 0b101, 0b101, 0, 0]),
    Glyph(1, [0b1, 0b1, 0b1, 0b1, 0b1, 0b1, 0, 0]),
    Glyph(5, [0, 0, 0b11010, 0b10101, 0b10101, 0b10101, 0, 0]),
    Glyph(3, [0, 0, 0b110, 0b101, 0b101, 0b101, 0, 0]),
    Glyph(3, [0, 0, 0b010, 0b101, 0b101, 0b010, 0, 0]),
    Glyph(3, [0, 0, 0b110, 0b101, 0b101, 0b110, 0b100, 0b100]),
    Glyph(3, [0, 0, 0b011, 0b101, 0b101, 0b011, 0b001, 0b001]),
    Glyph(3, [0, 0, 0b101, 0b110, 0b100, 0b100, 0, 0]),
    Glyph(4, [0, 0, 0b0111, 0b1100, 0b0011, 0b1110, 0, 0]),
    Glyph(3, [0, 0b010, 0b111, 0b010, 0b010, 0b011, 0, 0]),
    Glyph(3, [0, 0, 0b101, 0b101, 0b101, 0b011, 0, 0]),
    Glyph(3, [0, 0, 0b101, 0b101, 0b101, 0b010, 0, 0]),
    Glyph(5, [0, 0, 0b10001, 0b10101, 0b10101, 0b01010, 0, 0]),
    Glyph(3, [0, 0, 0b101, 0b010, 0b010, 0b101, 0, 0]),
    Glyph(3, [0, 0, 0b101, 0b101, 0b101, 0b011, 0b001, 0b110]),
    Glyph(3, [0, 0, 0b111, 0b010, 0b100, 0b111, 0, 0]),
    // Punctuation.
    Glyph(3, [0b011, 0b010, 0b010, 0b100, 0b010, 0b010, 0b011, 0]),
    Glyph(1, [0b1, 0b1, 0b1, 0b1, 0b1, 0b1, 0b1, 0b1]),
    Glyph(3, [0b110, 0b010, 0b010, 0b001, 0b010, 0b010, 0b110, 0]),
    Glyph(4, [0, 0, 0b0101, 0b1010, 0, 0, 0, 0]),
];
/// A box, for all other characters.
const OTHER: Glyph = Glyph(3, [0b111, 0b101, 0b101, 0b101, 0b101, 0b111, 0, 0]);

impl Glyph {
    /// Returns the glyph of a character.
    pub(crate) fn of(character: char) -> &'static Glyph {
        let code = u32::from(character).checked_sub(u32::from(' '));
        let index = code.and_then(|code| usize::try_from(code).ok());
        index.and_then(|index| GLYPHS.get(index)).unwrap_or(&OTHER)
    }

    /// Returns the number of its columns.
    pub(crate) const fn columns(&self) -> u32 {
        self.0
    }

    /// Whether it has a dot in a column and row.
    pub(crate) fn has_dot(&self, column: u32, row: u32) -> bool {
        let bits = usize::try_from(row).ok().and_then(|row| self.1.get(row)).copied();
        let bit = self.0.checked_sub(column.saturating_add(1));
        bits.zip(bit).is_some_and(|(bits, bit)| bits >> bit & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_printable_characters_look_different_and_fit_their_columns() {
        let all: Vec<&Glyph> = (' '..='~').map(Glyph::of).collect();
        for (number, glyph) in all.iter().enumerate() {
            assert!(glyph.1.iter().all(|row| u32::from(*row) < 1 << glyph.0), "{number}");
            let is_same = |other: &&&Glyph| (other.0, other.1) == (glyph.0, glyph.1);
            assert_eq!(all.iter().filter(is_same).count(), 1, "{number}");
            assert_eq!(glyph.1.iter().all(|row| *row == 0), number == 0, "{number}");
        }
        assert_eq!(Glyph::of('é').1, OTHER.1);
    }
}
