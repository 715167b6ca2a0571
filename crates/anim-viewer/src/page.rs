//! Puts the page together: one HTML file with its style, its script, and the models.
//!
//! The script consists of ES modules. In the page, they share one scope: imports and the word
//! `export` are left out, so that names at the top level must be unique, and a module may use only
//! those before it when it starts.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::description::PageInfo;
use crate::failure::Failure;

const FRAME: &str = include_str!("page/index.html");
const STYLE: &str = include_str!("page/style.css");

/// The modules of the page, each after those that it imports.
const MODULES: [(&str, &str); 17] = [
    ("math.js", include_str!("page/math.js")),
    ("glb.js", include_str!("page/glb.js")),
    ("animation.js", include_str!("page/animation.js")),
    ("player.js", include_str!("page/player.js")),
    ("states.js", include_str!("page/states.js")),
    ("shaders.js", include_str!("page/shaders.js")),
    ("lines.js", include_str!("page/lines.js")),
    ("renderer.js", include_str!("page/renderer.js")),
    ("camera.js", include_str!("page/camera.js")),
    ("stage.js", include_str!("page/stage.js")),
    ("timeline.js", include_str!("page/timeline.js")),
    ("panel.js", include_str!("page/panel.js")),
    ("keyboard.js", include_str!("page/keyboard.js")),
    ("diagnostics.js", include_str!("page/diagnostics.js")),
    ("page.js", include_str!("page/page.js")),
    ("embed.js", include_str!("page/embed.js")),
    ("main.js", include_str!("page/main.js")),
];

/// Returns the length of bytes in base64.
pub(crate) const fn encoded_length(bytes: usize) -> usize {
    bytes.div_ceil(3).saturating_mul(4)
}

/// Returns the page with its style and script, but without files: what [`html`] fills in.
pub fn template() -> String {
    let script = script();
    filled(FRAME, FRAME.len() + STYLE.len() + script.len(), |name, out| match name {
        "style" => out.push_str(STYLE.trim_end()),
        "script" => out.push_str(script.trim_end()),
        other => {
            out.push_str("{{");
            out.push_str(other);
            out.push_str("}}");
        }
    })
}

/// Writes the page: one HTML file that shows the models, each a GLB, and needs nothing else. A page
/// without models waits until the window that contains it posts them.
///
/// `template` is that of [`template`], which need not be part of the same program.
///
/// # Errors
///
/// Returns a [`Failure`] if the description cannot be written as JSON.
pub fn html<'a>(
    template: &str,
    info: &PageInfo<'_>,
    models: impl ExactSizeIterator<Item = &'a [u8]> + Clone,
) -> Result<Vec<u8>, Failure> {
    let json = serde_json::to_string(info).map_err(|error| Failure::file(error.to_string()))?;
    let mut names: Vec<&str> = info.files.iter().map(|file| file.name.as_str()).collect();
    names.dedup();
    let title = escaped(&names.join(" and "));
    // The page of --watch is served, and waits for changes.
    let connect = if info.watch { "'self'" } else { "'none'" };
    let long = models.clone().map(|model| encoded_length(model.len()).saturating_add(100));
    let long = long.fold(template.len().saturating_add(json.len()), usize::saturating_add);
    let page = filled(template, long, |name, out| match name {
        "connect" => out.push_str(connect),
        "title" => out.push_str(&title),
        // Nothing in the data may end the script that contains it.
        "info" => out.push_str(&json.replace('<', "\\u003c")),
        "models" => models.clone().enumerate().for_each(|(number, model)| {
            let id = format!("model-{number}");
            out.push_str("<script type=\"application/octet-stream\" id=\"");
            out.push_str(&id);
            out.push_str("\">");
            STANDARD.encode_string(model, out);
            out.push_str("</script>\n");
        }),
        _ => {}
    });
    Ok(page.into_bytes())
}

/// Replaces each `{{name}}` of a text by what `fill` appends for the name.
fn filled(text: &str, length: usize, fill: impl Fn(&str, &mut String)) -> String {
    let mut out = String::with_capacity(length);
    let mut rest = text;
    while let Some((before, (name, after))) =
        rest.split_once("{{").and_then(|(before, after)| Some((before, after.split_once("}}")?)))
    {
        out.push_str(before);
        fill(name, &mut out);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Returns all modules as one.
fn script() -> String {
    let mut script = String::new();
    for (_, text) in MODULES {
        for line in text.lines().filter(|line| !line.starts_with("import ")) {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
    }
    script
}

/// Escapes text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The names that a line declares at the top level of a module.
    fn declared(line: &str) -> Option<&str> {
        let line = line.strip_prefix("export ").unwrap_or(line);
        let line = line.strip_prefix("async ").unwrap_or(line);
        let kinds = ["const ", "let ", "function ", "class "];
        let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
        rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
    }

    #[test]
    fn modules_import_what_earlier_modules_export() {
        let mut exported: Vec<(&str, BTreeSet<&str>)> = Vec::new();
        let mut all = BTreeSet::new();
        for (module, text) in MODULES {
            for line in text.lines().filter(|line| line.starts_with("import")) {
                let (names, from) = line
                    .strip_prefix("import { ")
                    .and_then(|rest| rest.strip_suffix("';"))
                    .and_then(|rest| rest.split_once(" } from './"))
                    .unwrap_or_else(|| panic!("{module}: an import of another form: {line}"));
                let known = exported.iter().find(|(name, _)| *name == from);
                let (_, known) = known.unwrap_or_else(|| panic!("{module}: {from} comes later"));
                for name in names.split(", ") {
                    assert!(known.contains(name), "{module}: {from} does not export {name}");
                }
            }
            for name in text.lines().filter_map(declared) {
                assert!(all.insert(name), "{module}: {name} is declared twice");
            }
            let exports = text.lines().filter(|line| line.starts_with("export "));
            let exports: BTreeSet<&str> = exports.filter_map(declared).collect();
            assert!(!text.contains("export default") && !text.contains("export {"), "{module}");
            exported.push((module, exports));
        }
    }

    #[test]
    fn the_page_without_a_model_is_at_most_150_kb_and_refers_to_nothing() {
        let info = PageInfo { files: Vec::new(), watch: false, up: "Y" };
        let page = html(&template(), &info, std::iter::empty()).unwrap();
        assert!(page.len() <= 150_000, "{} bytes", page.len());
        let text = String::from_utf8(page).unwrap();
        for wrong in ["http:", "https:", "{{", "import ", "\nexport ", "innerHTML", "eval("] {
            assert!(!text.contains(wrong), "{wrong}");
        }
        assert_eq!(text.matches("<script").count(), text.matches("</script>").count());
    }
}
