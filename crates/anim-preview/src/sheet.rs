//! Contact sheets.

use anim_ir::{Budget, LimitError, Limits};

use crate::font::{Glyph, ROWS};
use crate::picture::Picture;

/// The size of a dot of a glyph in pixels.
const DOT: u32 = 2;
/// The space around pictures and labels.
const GAP: u32 = 6;
/// The longest label. The rest is left out.
const MOST: usize = 40;

const PAPER: [u8; 4] = [255, 255, 255, 255];
const INK: [u8; 4] = [40, 44, 52, 255];

/// A row of a contact sheet.
#[derive(Clone, Debug, Default)]
pub struct SheetRow {
    /// The label above the row, such as the name of a clip.
    pub label: String,
    /// The pictures with a label each, such as a time. Labels may be empty.
    pub pictures: Vec<(String, Picture)>,
}

/// Arranges pictures in rows with labels. Characters that are not ASCII are boxes, and labels that
/// do not fit are cut off.
///
/// # Errors
///
/// Returns [`LimitError`] if the pixels of the sheet do not fit into the budget.
pub fn contact_sheet(rows: &[SheetRow], limits: &Limits) -> Result<Picture, LimitError> {
    let pictures = || rows.iter().flat_map(|row| &row.pictures);
    let count = rows.iter().map(|row| row.pictures.len()).max().unwrap_or_default();
    let columns = u32::try_from(count).unwrap_or(u32::MAX);
    let cell = pictures().map(|(_, picture)| picture.width).max().unwrap_or_default();
    let line = ROWS.saturating_mul(DOT).saturating_add(GAP);
    let has_names = pictures().any(|(name, _)| !name.is_empty());
    let has_labels = rows.iter().any(|row| !row.label.is_empty());
    let caption = if has_names { line } else { 0 };
    let heading = if has_labels { line } else { 0 };
    let height_of = |row: &SheetRow| {
        let tallest = row.pictures.iter().map(|(_, picture)| picture.height).max();
        let height = tallest.unwrap_or_default().saturating_add(heading);
        height.saturating_add(caption).saturating_add(GAP)
    };
    let width = columns.saturating_mul(cell.saturating_add(GAP)).saturating_add(GAP);
    let height = rows.iter().map(height_of).fold(GAP, u32::saturating_add);
    let pixels = (width as usize).saturating_mul(height as usize);
    let taken: usize = pictures().map(|(_, picture)| picture.pixels.len()).sum();
    let budget = Budget::new(limits, taken.saturating_mul(size_of::<[u8; 4]>()));
    budget.charge_each::<[u8; 4]>("the pixels of the sheet", pixels)?;
    let mut sheet = Picture { width, height, pixels: vec![PAPER; pixels] };
    let mut top = GAP;
    for row in rows {
        write(&mut sheet, &row.label, GAP, top, width);
        let tallest = row.pictures.iter().map(|(_, picture)| picture.height).max();
        let first = top.saturating_add(heading);
        let mut left = GAP;
        for (name, picture) in &row.pictures {
            sheet.put(picture, left, first);
            let below = first.saturating_add(tallest.unwrap_or_default()).saturating_add(GAP / 2);
            write(&mut sheet, name, left, below, left.saturating_add(cell));
            left = left.saturating_add(cell).saturating_add(GAP);
        }
        top = top.saturating_add(height_of(row));
    }
    Ok(sheet)
}

/// Writes a label up to a column.
fn write(sheet: &mut Picture, text: &str, left: u32, top: u32, end: u32) {
    let mut left = left;
    for glyph in text.chars().take(MOST).map(Glyph::of) {
        let columns = glyph.columns().saturating_mul(DOT);
        if left.saturating_add(columns).saturating_add(DOT) > end {
            return;
        }
        for row in 0..ROWS.saturating_mul(DOT) {
            for column in 0..columns {
                if glyph.has_dot(column / DOT, row / DOT) {
                    put(sheet, left.saturating_add(column), top.saturating_add(row));
                }
            }
        }
        left = left.saturating_add(columns).saturating_add(DOT);
    }
}

fn put(sheet: &mut Picture, x: u32, y: u32) {
    let index = (y as usize).saturating_mul(sheet.width as usize).saturating_add(x as usize);
    if x < sheet.width
        && let Some(pixel) = sheet.pixels.get_mut(index)
    {
        *pixel = INK;
    }
}
