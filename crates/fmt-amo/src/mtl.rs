//! Material libraries (`.mtl`) of Wavefront OBJ, which define the appearance of materials.

mod texture;

use std::collections::{HashMap, HashSet};

use anim_ir::address::folder_of;
use anim_ir::color::to_linear;
use anim_ir::encoding::{first_beyond_utf8, text_start};
use anim_ir::number::parse_f32;
use anim_ir::{
    AlphaMode, Code, Diagnostic, Diagnostics, Image, ImageId, Material, Parsed, ResolveError,
    Resolver, Scene, Span, diag::quote, source::locate,
};

use crate::codes;
use crate::content::Library;
use crate::tokens::{decode, line_at, spans};
use texture::{Texture, material_name};

/// Maximum number of libraries to open per file.
const LIBRARIES: usize = 100;

/// Materials by name, from one or more libraries. If two have the same name, the first is used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialLibrary {
    entries: Vec<Entry>,
    /// Whether a file's libraries were opened, and all of them. Then a material that is not in them
    /// is missing.
    is_complete: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    name: String,
    diffuse: [f32; 3],
    /// `d`, or the complement of `Tr`.
    opacity: f32,
    has_d: bool,
    /// `Ke`.
    emissive: Option<[f32; 3]>,
    metallic: f32,
    roughness: f32,
    has_pr: bool,
    /// `map_Kd`.
    image: Option<String>,
    /// `map_d`.
    opacity_image: Option<String>,
    emissive_image: Option<String>,
    normal_image: Option<String>,
    normal_scale: f32,
    /// What is in the library but not in the scene.
    dropped: Vec<String>,
}

/// Textures without a counterpart in the scene model. `Ka`, `map_Ka`, `Ks`, `Ni`, `illum` and the
/// like are not among them: most exporters write them for every material, whatever it looks like.
const DROPPED: [&str; 16] = [
    "map_Bump", "bump", "map_Disp", "disp", "decal", "refl", "map_refl", "map_Ks", "map_Ns",
    "map_Ni", "map_Tr", "map_Pr", "map_Pm", "map_Ps", "map_RMA", "map_ORM",
];

impl MaterialLibrary {
    /// Reads a library. Texture paths are relative to `folder`, the path of the library's folder
    /// relative to the model file (empty if both are in the same folder).
    ///
    /// `Kd`, `d`, `Tr`, `Ke`, `Ns`, `map_Kd` and `map_Ke` are used, and `Pr`, `Pm` and `norm` of
    /// the common extension for physically based materials. Colours are sRGB, as in the editors
    /// and engines that write libraries, and are converted to linear.
    pub fn parse(source: &[u8], folder: &str) -> Parsed<MaterialLibrary> {
        let mut diagnostics = Diagnostics::new();
        let mut reader = Reader {
            latin1: first_beyond_utf8(source).is_some(),
            folder,
            library: MaterialLibrary::default(),
            names: HashSet::new(),
            problem: None,
        };
        let mut at = text_start(source);
        while at < source.len() {
            let line = line_at(source, at);
            let invalid = reader.line(source.get(at..line.end).unwrap_or_default());
            let invalid = invalid.err().map(|message| (&codes::MTL_LINE, message));
            if let Some((code, message)) = invalid.or(reader.problem.take()) {
                diagnostics
                    .report(code, || Diagnostic::new(code, Span::new(at, line.end), message));
            }
            at = line.next;
        }
        Parsed { value: reader.library, diagnostics }
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
        let mut is_complete = !libraries.is_empty();
        for Library { path, span } in libraries.iter().take(LIBRARIES) {
            let name = quote(path.as_bytes());
            // Paths in these files are not percent-encoded, but URIs are.
            let source = match files.read(&path.replace('%', "%25")) {
                Ok(source) => source,
                Err(ResolveError::NoFiles) => return,
                Err(error @ ResolveError::Outside { .. }) => {
                    losses.push(&codes::LIBRARY, *span, || format!("{name} is ignored: {error}"));
                    is_complete = false;
                    continue;
                }
                Err(error) => {
                    losses.push(&codes::LIBRARY_MISSING, *span, || {
                        format!("cannot read the material library {name}: {error}")
                    });
                    is_complete = false;
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
        if let Some(Library { path, span }) = libraries.get(LIBRARIES) {
            is_complete = false;
            losses.push(&codes::LIBRARY_MISSING, *span, || {
                let (name, count) = (quote(path.as_bytes()), libraries.len());
                format!(
                    "only the first {LIBRARIES} of {count} material libraries are opened; {name} \
                     is the first that is not"
                )
            });
        }
        self.is_complete = is_complete;
    }

    /// Adds a material to the scene for each name, and the materials' textures unless the scene
    /// already has them. Materials that are not in the library have only a name.
    pub fn add_materials<'a>(&self, names: impl IntoIterator<Item = &'a str>, scene: &mut Scene) {
        let names = names.into_iter().map(|name| (name, None));
        self.add_to(scene, names, &mut Diagnostics::new());
    }

    /// Adds materials, each with the span of its name. Reports what the scene cannot hold, and
    /// materials that are missing.
    pub(crate) fn add_to<'a>(
        &self,
        scene: &mut Scene,
        names: impl IntoIterator<Item = (&'a str, Option<Span>)>,
        losses: &mut Diagnostics,
    ) {
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
        for (name, span) in names {
            let mut material = Material::new(name);
            if let Some(entry) = entries.get(name) {
                let mut image = |path: &Option<String>| {
                    let image = images.entry(path.clone()?);
                    let path = image.key().clone();
                    Some(*image.or_insert_with(|| scene.add_image(Image::at(path))))
                };
                let [r, g, b] = entry.diffuse.map(to_linear);
                material.base_color = [r, g, b, entry.opacity];
                material.base_color_image = image(&entry.image);
                // Without `map_d`, the alpha of the colour's texture is not used.
                if entry.opacity_image.is_some() && entry.opacity_image == entry.image {
                    material.alpha_mode = AlphaMode::Texture;
                }
                // A texture without a colour is shown as it is.
                let plain = if entry.emissive_image.is_some() { [1.0; 3] } else { [0.0; 3] };
                material.emissive = entry.emissive.unwrap_or(plain).map(to_linear);
                material.emissive_image = image(&entry.emissive_image);
                material.metallic = entry.metallic;
                material.roughness = entry.roughness;
                material.normal_image = image(&entry.normal_image);
                material.normal_scale = entry.normal_scale;
                entry.report(losses);
            } else if self.is_complete {
                losses.push(&codes::MATERIAL_MISSING, span, || {
                    format!("no material library defines {}", quote(name.as_bytes()))
                });
            }
            scene.add_material(material);
        }
    }
}

/// Reads the lines of a library.
struct Reader<'a> {
    latin1: bool,
    folder: &'a str,
    library: MaterialLibrary,
    /// The names of the materials so far.
    names: HashSet<String>,
    /// What is wrong with a line that is used nevertheless.
    problem: Option<(&'static Code, String)>,
}

impl Reader<'_> {
    /// Reads a line. Returns the message about one that is invalid.
    fn line(&mut self, text: &[u8]) -> Result<(), String> {
        let tokens: Vec<&[u8]> = spans(text).filter_map(|token| text.get(token)).collect();
        let Some((keyword, values)) = tokens.split_first() else { return Ok(()) };
        if keyword.eq_ignore_ascii_case(b"newmtl") {
            let name = decode(material_name(text), self.latin1);
            if !self.names.insert(name.clone()) {
                let shown = quote(name.as_bytes());
                self.problem =
                    Some((&codes::MTL_NAME, format!("{shown} is already the name of a material")));
            }
            self.library.entries.push(Entry::new(name));
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
        let (latin1, folder) = (self.latin1, self.folder);
        let Some(entry) = self.library.entries.last_mut() else { return Ok(()) };
        // Limits a value to what materials can have.
        let problem = &mut self.problem;
        let mut limit = |value: f32, most: f32| {
            let limited = value.clamp(0.0, most);
            if value != limited {
                let message = format!("{value} in {} is read as {limited}", quote(keyword));
                *problem = Some((&codes::MTL_RANGE, message));
            }
            limited
        };
        let texture = || Texture::read(text, values, latin1, folder);
        match keyword.to_ascii_lowercase().as_slice() {
            b"kd" => entry.diffuse = color()?.map(|component| limit(component, 1.0)),
            b"ke" => entry.emissive = Some(color()?.map(|component| limit(component, 1.0))),
            b"d" => {
                entry.opacity = limit(number(values.len().saturating_sub(1))?, 1.0);
                entry.has_d = true;
            }
            // Some exporters write the opacity again. `Tr` is not in the specification, but `d` is.
            b"tr" => {
                let opacity = 1.0 - limit(number(0)?, 1.0);
                entry.opacity = if entry.has_d { entry.opacity } else { opacity };
            }
            b"pm" => entry.metallic = limit(number(0)?, 1.0),
            b"pr" => {
                entry.roughness = limit(number(0)?, 1.0);
                entry.has_pr = true;
            }
            // For a Phong exponent n, 2 / (n + 2) is the fourth power of glTF roughness.
            b"ns" => {
                let roughness = (2.0 / (limit(number(0)?, f32::MAX) + 2.0)).sqrt().sqrt();
                entry.roughness = if entry.has_pr { entry.roughness } else { roughness };
            }
            b"map_kd" => entry.image = entry.take("map_Kd", texture()),
            b"map_ke" => entry.emissive_image = entry.take("map_Ke", texture()),
            b"map_d" => entry.opacity_image = entry.take("map_d", texture()),
            b"norm" => {
                let texture = texture();
                let strength = texture.strength;
                entry.normal_image = entry.take("norm", texture);
                entry.normal_scale = if entry.normal_image.is_some() { strength } else { 1.0 };
            }
            _ => {
                let known =
                    DROPPED.into_iter().find(|it| it.as_bytes().eq_ignore_ascii_case(keyword));
                if let Some(known) = known {
                    entry.drop_statement(format!("`{known}`"));
                }
            }
        }
        Ok(())
    }
}

impl Entry {
    fn new(name: String) -> Entry {
        Entry {
            name,
            diffuse: [1.0; 3],
            opacity: 1.0,
            has_d: false,
            emissive: None,
            metallic: 0.0,
            roughness: 1.0,
            has_pr: false,
            image: None,
            opacity_image: None,
            emissive_image: None,
            normal_image: None,
            normal_scale: 1.0,
            dropped: Vec::new(),
        }
    }

    fn drop_statement(&mut self, what: String) {
        if !self.dropped.contains(&what) {
            self.dropped.push(what);
        }
    }

    /// Returns the path of a texture, and notes its unsupported options.
    fn take(&mut self, keyword: &str, texture: Texture) -> Option<String> {
        for option in texture.dropped {
            let option =
                if option.starts_with('-') { format!("`{option}`") } else { option.into() };
            self.drop_statement(format!("{option} of `{keyword}`"));
        }
        texture.path
    }

    fn report(&self, losses: &mut Diagnostics) {
        // The alpha channel of the colour's texture is used.
        let is_own = self.opacity_image.is_some() && self.opacity_image != self.image;
        let own = is_own.then_some("`map_d`");
        let dropped: Vec<&str> = self.dropped.iter().map(String::as_str).chain(own).collect();
        if !dropped.is_empty() {
            losses.push(&codes::LOSS_TEXTURE, None, || {
                let name = quote(self.name.as_bytes());
                format!("not used in material {name}: {}", dropped.join(", "))
            });
        }
    }
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
    fn a_number_sign_before_a_digit_is_part_of_a_name() {
        let text = b"newmtl Material #25\nKd 1 0 0\nnewmtl Material #26 # blue\nKd 0 0 1\n";
        let mut scene = Scene::default();
        let names = ["Material #25", "Material #26"];
        MaterialLibrary::parse(text, "").value.add_materials(names, &mut scene);
        let colors: Vec<[f32; 4]> = scene.materials.iter().map(|it| it.base_color).collect();
        assert_eq!(colors, [[1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]]);
    }

    #[test]
    fn values_out_of_range_and_names_given_twice_are_reported() {
        let text =
            b"d 2\nnewmtl a\nKd 0.5 -1 0.5\nd -0\nTr 3\nPm 1\nPr -5\nNs -1\nKe 2\nnewmtl a\n\
                     Kd 0 0 0\nnewmtl A\n";
        let parsed = MaterialLibrary::parse(text, "");
        let mut scene = Scene::default();
        parsed.value.add_materials(["a"], &mut scene);
        let a = &scene.materials[0];
        assert_eq!(a.base_color, [to_linear(0.5), 0.0, to_linear(0.5), 0.0]);
        assert_eq!((a.metallic, a.roughness, a.emissive), (1.0, 0.0, [1.0; 3]));
        let shown = |found: &Diagnostic| {
            let line = locate(text, found.span.unwrap().start).line;
            format!("{line} {}: {}", found.code.id, found.message)
        };
        assert_eq!(
            parsed.diagnostics.iter().map(shown).collect::<Vec<_>>(),
            [
                "3 amo-material-range: -1 in `Kd` is read as 0",
                "5 amo-material-range: 3 in `Tr` is read as 1",
                "7 amo-material-range: -5 in `Pr` is read as 0",
                "8 amo-material-range: -1 in `Ns` is read as 0",
                "9 amo-material-range: 2 in `Ke` is read as 1",
                "10 amo-material-name: `a` is already the name of a material",
            ]
        );
    }

    #[test]
    fn physically_based_materials() {
        let text = b"newmtl a\nNs 0\nPr 0.25\nNs 0\nPm 0.5\nmap_Kd c.png\nnorm -bm 0.5 n.png\n\
                     map_Ke glow.png\nmap_d c.png\nd 0.5\nTr 0.5\nnewmtl b\nKe 0 0 0\n\
                     map_Ke glow.png\nTr 0.75\nd 1\n";
        let library = MaterialLibrary::parse(text, "").value;
        let (mut scene, mut losses) = (Scene::default(), Diagnostics::new());
        library.add_to(&mut scene, ["a", "b"].map(|name| (name, None)), &mut losses);
        let paths: Vec<_> = scene.images.iter().filter_map(|image| image.path.clone()).collect();
        assert_eq!(paths, ["c.png", "glow.png", "n.png"]);
        let [a, b] = scene.materials.as_slice() else { panic!() };
        assert_eq!((a.base_color[3], a.metallic, a.roughness), (0.5, 0.5, 0.25));
        let image = |number| Some(ImageId::new(number));
        assert_eq!((a.emissive, a.emissive_image), ([1.0; 3], image(1)));
        assert_eq!((a.normal_image, a.normal_scale), (image(2), 0.5));
        assert_eq!((b.emissive, b.emissive_image), ([0.0; 3], image(1)));
        assert_eq!(b.base_color[3], 1.0);
        assert!(losses.is_empty(), "{losses:?}");
    }

    #[test]
    fn what_is_not_used_is_reported() {
        let text = b"newmtl a\nKa 1 1 1\nillum 2\nmap_Kd -s 1 1 1 -o 0 -clamp on -S 2 c.png\n\
                     map_bump b.png\nMAP_BUMP b.png\nmap_d a.png\nmap_Ke -x 1 e.png\n\
                     newmtl unused\nmap_Ks s.png\n";
        let library = MaterialLibrary::parse(text, "").value;
        let (mut scene, mut losses) = (Scene::default(), Diagnostics::new());
        library.add_to(&mut scene, [("a", None)], &mut losses);
        let messages: Vec<&str> = losses.iter().map(|loss| &*loss.message).collect();
        assert_eq!(
            messages,
            ["not used in material `a`: `-clamp` of `map_Kd`, `-s` of `map_Kd`, `map_Bump`, an \
              option of `map_Ke`, `map_d`"]
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
