//! Texture statements of material libraries.

use anim_ir::number::parse_f32;

use crate::tokens::{decode, material_to_end, spans, to_end};

/// A texture statement.
pub(super) struct Texture {
    pub(super) path: Option<String>,
    /// The multiplier of `-bm`.
    pub(super) strength: f32,
    /// Options that change the result, but are not supported.
    pub(super) dropped: Vec<&'static str>,
}

/// The options of textures that have values.
const OPTIONS: [&str; 12] = [
    "-blendu", "-blendv", "-bm", "-boost", "-cc", "-clamp", "-imfchan", "-mm", "-o", "-s", "-t",
    "-texres",
];

impl Texture {
    /// Reads the path, which may contain spaces, and the options before it.
    pub(super) fn read(text: &[u8], values: &[&[u8]], latin1: bool, folder: &str) -> Texture {
        let mut texture = Texture { path: None, strength: 1.0, dropped: Vec::new() };
        let mut skip = 0;
        while let Some(option) = values.get(skip).filter(|value| value.first() == Some(&b'-')) {
            let known =
                OPTIONS.into_iter().find(|known| known.as_bytes().eq_ignore_ascii_case(option));
            let option = known.unwrap_or("an option");
            let most = match option {
                "-o" | "-s" | "-t" => 3,
                "-mm" => 2,
                _ => 1,
            };
            let following = values.iter().skip(skip + 1).take(most);
            let numbers: Vec<f32> = following.clone().map_while(|at| parse_f32(at).ok()).collect();
            let is_neutral = match option {
                "-o" | "-t" => numbers.iter().all(|number| *number == 0.0),
                "-s" => numbers.iter().all(|number| *number == 1.0),
                "-mm" => matches!(numbers[..], [] | [0.0] | [0.0, 1.0]),
                "-bm" => {
                    texture.strength = numbers.first().copied().unwrap_or(1.0);
                    true
                }
                // `m` stands for alpha, which `map_d` is read as.
                "-imfchan" => following.clone().all(|at| at.eq_ignore_ascii_case(b"m")),
                "-clamp" | "-cc" => !following.clone().any(|at| at.eq_ignore_ascii_case(b"on")),
                "-blendu" | "-blendv" | "-boost" | "-texres" => true,
                _ => false,
            };
            if !is_neutral {
                texture.dropped.push(option);
            }
            skip += 1 + if most == 1 { 1 } else { numbers.len() };
        }
        let path = behind_keyword(text);
        let start = spans(path).nth(skip).map(|first| first.start);
        let path = start.and_then(|start| path.get(start..)).unwrap_or_default();
        if !path.is_empty() {
            let path = decode(path, latin1).replace('\\', "/");
            texture.path = Some(if folder.is_empty() { path } else { format!("{folder}/{path}") });
        }
        texture
    }
}

/// Returns what follows the keyword of a statement.
fn behind_keyword(text: &[u8]) -> &[u8] {
    let rest = arguments(text);
    rest.get(to_end(rest)).unwrap_or_default()
}

/// Returns the name that follows `newmtl`.
pub(super) fn material_name(text: &[u8]) -> &[u8] {
    let rest = arguments(text);
    rest.get(material_to_end(rest)).unwrap_or_default()
}

/// Returns the rest of a line after its keyword.
fn arguments(text: &[u8]) -> &[u8] {
    let rest = spans(text).next().map_or(text.len(), |keyword| keyword.end);
    text.get(rest..).unwrap_or_default()
}
