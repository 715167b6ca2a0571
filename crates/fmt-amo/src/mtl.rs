//! Material libraries (`.mtl`) of Wavefront OBJ, which define the appearance of materials.

use std::collections::HashMap;

use anim_ir::address::folder_of;
use anim_ir::color::to_linear;
use anim_ir::encoding::{first_beyond_utf8, text_start};
use anim_ir::number::parse_f32;
use anim_ir::{
    Diagnostic, Diagnostics, Image, ImageId, Material, Parsed, ResolveError, Resolver, Scene, Span,
    diag::quote, source::locate,
};

use crate::codes;
use crate::content::Library;
use crate::tokens::{decode, line_at, spans, to_end};

/// Maximum number of libraries to open per file.
const LIBRARIES: usize = 100;

/// Materials by name, from one or more libraries. If two have the same name, the first is used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialLibrary {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    name: String,
    diffuse: [f32; 3],
    opacity: f32,
    emissive: [f32; 3],
    roughness: f32,
    image: Option<String>,
}

impl MaterialLibrary {
    /// Reads a library. Texture paths are relative to `folder`, the path of the library's folder
    /// relative to the model file (empty if both are in the same folder).
    ///
    /// `Kd`, `d`, `Tr`, `Ke`, `Ns` and `map_Kd` are used; everything else is ignored. Colours are
    /// sRGB, as in the editors and engines that write libraries, and are converted to linear.
    pub fn parse(source: &[u8], folder: &str) -> Parsed<MaterialLibrary> {
        let mut library = MaterialLibrary::default();
        let mut diagnostics = Diagnostics::new();
        let latin1 = first_beyond_utf8(source).is_some();
        let mut at = text_start(source);
        while at < source.len() {
            let line = line_at(source, at);
            let text = source.get(at..line.end).unwrap_or_default();
            if let Err(message) = library.read_line(text, latin1, folder) {
                diagnostics.report(&codes::MTL_LINE, || {
                    Diagnostic::new(&codes::MTL_LINE, Span::new(at, line.end), message)
                });
            }
            at = line.next;
        }
        Parsed { value: library, diagnostics }
    }

    /// Adds another library's materials.
    pub fn append(&mut self, other: MaterialLibrary) {
        self.entries.extend(other.entries);
    }

    /// Opens libraries and adds their materials. Problems in a library are reported without spans,
    /// which would refer to another file.
    pub(crate) fn open(
        &mut self,
        libraries: &[Library],
        files: &mut dyn Resolver,
        losses: &mut Diagnostics,
    ) {
        for Library { path, span } in libraries.iter().take(LIBRARIES) {
            let name = quote(path.as_bytes());
            // Paths in these files are not percent-encoded, but URIs are.
            let source = match files.read(&path.replace('%', "%25")) {
                Ok(source) => source,
                Err(ResolveError::NoFiles) => return,
                Err(error @ ResolveError::Outside { .. }) => {
                    losses.push(&codes::LIBRARY, *span, || format!("{name} is ignored: {error}"));
                    continue;
                }
                Err(error) => {
                    losses.push(&codes::LIBRARY_MISSING, *span, || {
                        format!("cannot read the material library {name}: {error}")
                    });
                    continue;
                }
            };
            let parsed = MaterialLibrary::parse(&source, folder_of(path));
            for Diagnostic { code, span, message, .. } in &parsed.diagnostics {
                let line = span.map(|span| locate(&source, span.start).line);
                let line = line.map_or(String::new(), |line| format!("line {line}: "));
                losses.push(code, None, || format!("{name}: {line}{message}"));
            }
            self.append(parsed.value);
        }
    }

    /// Adds a material to the scene for each name, and the materials' textures unless the scene
    /// already has them. Materials that are not in the library have only a name.
    pub fn add_materials<'a>(&self, names: impl IntoIterator<Item = &'a str>, scene: &mut Scene) {
        let mut entries: HashMap<&str, &Entry> = HashMap::new();
        for entry in &self.entries {
            entries.entry(&entry.name).or_insert(entry);
        }
        let mut images: HashMap<String, ImageId> = HashMap::new();
        for (number, image) in scene.images.iter().enumerate() {
            if let Some(path) = &image.path {
                images.entry(path.clone()).or_insert(ImageId::new(number));
            }
        }
        for name in names {
            let mut material = Material::new(name);
            if let Some(entry) = entries.get(name) {
                let [r, g, b] = entry.diffuse.map(to_linear);
                material.base_color = [r, g, b, entry.opacity];
                material.base_color_image = entry.image.as_ref().map(|path| {
                    let image = images.entry(path.clone());
                    *image.or_insert_with(|| scene.add_image(Image::at(path)))
                });
                material.emissive = entry.emissive.map(to_linear);
                material.roughness = entry.roughness;
            }
            scene.add_material(material);
        }
    }

    fn read_line(&mut self, text: &[u8], latin1: bool, folder: &str) -> Result<(), String> {
        let tokens: Vec<&[u8]> = spans(text).filter_map(|token| text.get(token)).collect();
        let Some((keyword, values)) = tokens.split_first() else { return Ok(()) };
        if keyword.eq_ignore_ascii_case(b"newmtl") {
            let name = behind_keyword(text);
            self.entries.push(Entry {
                name: decode(name, latin1),
                diffuse: [1.0; 3],
                opacity: 1.0,
                emissive: [0.0; 3],
                roughness: 1.0,
                image: None,
            });
            return Ok(());
        }
        let number = |at: usize| -> Result<f32, String> {
            let token = values.get(at).copied().unwrap_or_default();
            parse_f32(token)
                .map_err(|_| format!("{} in {} is not a number", quote(token), quote(keyword)))
        };
        // A single value applies to all three components.
        let color = || -> Result<[f32; 3], String> {
            Ok(if values.len() == 1 {
                [number(0)?; 3]
            } else {
                [number(0)?, number(1)?, number(2)?]
            })
        };
        let Some(entry) = self.entries.last_mut() else { return Ok(()) };
        match keyword.to_ascii_lowercase().as_slice() {
            b"kd" => entry.diffuse = color()?.map(|c| c.clamp(0.0, 1.0)),
            b"ke" => entry.emissive = color()?.map(|c| c.clamp(0.0, 1.0)),
            b"d" => entry.opacity = number(values.len().saturating_sub(1))?.clamp(0.0, 1.0),
            b"tr" => entry.opacity = 1.0 - number(0)?.clamp(0.0, 1.0),
            // For a Phong exponent n, 2 / (n + 2) is the fourth power of glTF roughness.
            b"ns" => {
                entry.roughness = (2.0 / (number(0)?.max(0.0) + 2.0)).sqrt().sqrt().clamp(0.0, 1.0)
            }
            b"map_kd" => {
                let path = decode(texture_path(text, values), latin1).replace('\\', "/");
                entry.image =
                    Some(if folder.is_empty() { path } else { format!("{folder}/{path}") })
                        .filter(|_| !values.is_empty());
            }
            _ => {}
        }
        Ok(())
    }
}

fn behind_keyword(text: &[u8]) -> &[u8] {
    let rest = spans(text).next().map_or(text.len(), |keyword| keyword.end);
    let rest = text.get(rest..).unwrap_or_default();
    rest.get(to_end(rest)).unwrap_or_default()
}

/// Returns the path after the options of a texture statement. It may contain spaces.
fn texture_path<'a>(text: &'a [u8], values: &[&'a [u8]]) -> &'a [u8] {
    let mut skip = 0;
    while let Some(option) = values.get(skip).filter(|value| value.first() == Some(&b'-')) {
        let most = match option.to_ascii_lowercase().as_slice() {
            b"-o" | b"-s" | b"-t" => 3,
            b"-mm" => 2,
            _ => 1,
        };
        let numbers = values
            .iter()
            .skip(skip + 1)
            .take(most)
            .take_while(|value| parse_f32(value).is_ok())
            .count();
        skip += 1 + if most == 1 { 1 } else { numbers };
    }
    let path = behind_keyword(text);
    let mut starts = spans(path).skip(skip);
    starts.next().and_then(|first| path.get(first.start..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_and_textures() {
        let text = b"newmtl red one # not the name\nKd 1 0.5 0\nd 0.25\nNs 0\nmap_Kd -s 2 2 2 \
                     -clamp on my skin.png\nnewmtl b\nTr 0.5\nKd x\n";
        let parsed = MaterialLibrary::parse(text, "mats");
        let mut scene = Scene::default();
        parsed.value.add_materials(["red one", "b", "none"], &mut scene);
        let [red, b, none] = scene.materials.as_slice() else { panic!() };
        assert_eq!(
            (red.base_color, red.roughness, red.base_color_image),
            ([1.0, to_linear(0.5), 0.0, 0.25], 1.0, Some(ImageId::new(0)))
        );
        assert_eq!(scene.images[0].path.as_deref(), Some("mats/my skin.png"));
        assert_eq!(b.base_color, [1.0, 1.0, 1.0, 0.5]);
        assert_eq!(*none, Material::new("none"));
        assert_eq!(
            parsed.diagnostics.iter().map(|d| d.message.clone()).collect::<Vec<_>>(),
            ["`x` in `Kd` is not a number"]
        );
    }

    #[test]
    fn the_first_of_a_name_and_one_image_for_each_path() {
        let text = b"newmtl a\nmap_Kd x.png\nnewmtl b\nmap_Kd y.png\nnewmtl a\nmap_Kd y.png\n";
        let mut library = MaterialLibrary::parse(text, "").value;
        library.append(MaterialLibrary::parse(b"newmtl b\nnewmtl c\nmap_Kd y.png\n", "").value);
        let mut scene = Scene::default();
        scene.add_image(Image::at("z.png"));
        scene.add_image(Image::at("y.png"));
        library.add_materials(["c", "b", "a", "c"], &mut scene);
        let images = scene.materials.iter().map(|material| material.base_color_image.unwrap());
        assert!(images.map(ImageId::index).eq([1, 1, 2, 1]));
        assert_eq!(scene.images.len(), 3);
    }

    /// A linear search through all materials for each name would take minutes.
    #[test]
    fn many_materials() {
        let names: Vec<String> = (0..100_000).map(|number| format!("m{number}")).collect();
        let text: String =
            names.iter().map(|name| format!("newmtl {name}\nmap_Kd {name}.png\n")).collect();
        let library = MaterialLibrary::parse(text.as_bytes(), "").value;
        let mut scene = Scene::default();
        library.add_materials(names.iter().map(String::as_str), &mut scene);
        assert_eq!((scene.materials.len(), scene.images.len()), (100_000, 100_000));
    }
}
