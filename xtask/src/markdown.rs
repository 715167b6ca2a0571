//! Checks the links between the Markdown pages of this repository.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use xtask::{Failure, files_below, packages, root};

/// A Markdown page.
#[derive(Debug)]
pub(crate) struct Page {
    /// Its links and images, with their line numbers.
    pub(crate) links: Vec<(usize, String)>,
    /// The anchors that a link can refer to after a `#`.
    anchors: BTreeSet<String>,
}

/// Returns all pages, keyed by path in the repository.
pub(crate) fn pages() -> Result<BTreeMap<PathBuf, Page>, Failure> {
    let root = root();
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in root.read_dir()? {
        files.push(entry?.path());
    }
    files.extend(files_below(&root.join("docs"))?);
    files.extend(["testdata/README.md", "scripts/README.md"].map(|page| root.join(page)));
    for package in packages()? {
        files.extend(["README.md", "examples/README.md"].map(|page| package.folder.join(page)));
    }
    files.retain(|file| file.extension().is_some_and(|name| name == "md") && file.is_file());
    let mut pages = BTreeMap::new();
    for file in files {
        let page = Page::new(&fs::read_to_string(&file)?);
        pages.insert(file.strip_prefix(&root)?.to_path_buf(), page);
    }
    Ok(pages)
}

/// Reports dead links, which refer to a missing file or heading, or to a folder. Links to the web
/// are not checked.
pub(crate) fn dead_links(pages: &BTreeMap<PathBuf, Page>) -> Vec<String> {
    let mut dead = Vec::new();
    for (path, page) in pages {
        for (line, link) in &page.links {
            let problem = match target(path, link) {
                None => continue,
                Some((file, _)) if !root().join(&file).exists() => "no such file",
                // The website has no folder listings.
                Some((file, _)) if root().join(&file).is_dir() => "a folder; link to a file in it",
                Some((file, Some(anchor)))
                    if pages.get(&file).is_some_and(|page| !page.anchors.contains(anchor)) =>
                {
                    "no such heading"
                }
                Some(_) => continue,
            };
            dead.push(format!("{}:{line}: dead link to {link}: {problem}", path.display()));
        }
    }
    dead
}

/// Returns the file in the repository that a link refers to, and the heading in it. `None` for
/// links to the web.
pub(crate) fn target<'a>(page: &Path, link: &'a str) -> Option<(PathBuf, Option<&'a str>)> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = match link.split_once('#') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (link, None),
    };
    if file.is_empty() {
        return Some((page.to_path_buf(), anchor));
    }
    let mut path = page.parent().map(Path::to_path_buf).unwrap_or_default();
    for component in Path::new(file).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if path.pop() => {}
            // A path outside the repository is kept, and reported as missing.
            other => path.push(other),
        }
    }
    Some((path, anchor))
}

impl Page {
    fn new(text: &str) -> Page {
        let mut page = Page { links: Vec::new(), anchors: BTreeSet::new() };
        let mut heading: Option<String> = None;
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
        for (event, span) in Parser::new_ext(text, options).into_offset_iter() {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    let line = text.get(..span.start).unwrap_or_default().split('\n').count();
                    page.links.push((line, dest_url.into_string()));
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    if let Some(title) = heading.take() {
                        page.add_anchor(&title);
                    }
                }
                Event::Text(part) | Event::Code(part) => {
                    if let Some(title) = &mut heading {
                        title.push_str(&part);
                    }
                }
                _ => {}
            }
        }
        page
    }

    /// Adds the anchor of a heading. Repeated headings are numbered.
    fn add_anchor(&mut self, title: &str) {
        let slug = slug(title);
        let mut number = 0_usize;
        let mut anchor = slug.clone();
        while !self.anchors.insert(anchor) {
            number = number.saturating_add(1);
            anchor = format!("{slug}-{number}");
        }
    }
}

/// Returns the anchor that code hosting sites and mdBook generate for a heading.
fn slug(title: &str) -> String {
    let kept = |c: char| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        c => c.is_alphanumeric().then_some(c),
    };
    title.to_lowercase().chars().filter_map(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_files_and_headings() {
        let text = "# One, `two`\n\n# One, `two`\n\n[a](../b.md#c) ![d](e.png) <https://f>\n";
        let page = Page::new(text);
        assert_eq!(page.anchors, ["one-two", "one-two-1"].map(str::to_owned).into());
        let links: Vec<(usize, &str)> =
            page.links.iter().map(|(line, link)| (*line, link.as_str())).collect();
        assert_eq!(links, [(5, "../b.md#c"), (5, "e.png"), (5, "https://f")]);
        let at = |link| target(Path::new("docs/x/y.md"), link);
        assert_eq!(at("../b.md#c"), Some(("docs/b.md".into(), Some("c"))));
        assert_eq!(at("#c"), Some(("docs/x/y.md".into(), Some("c"))));
        assert_eq!(at("https://f"), None);
    }

    #[test]
    fn dead_links_are_found() {
        let text = "# Here\n\n[a](#here) [b](#there) [c](missing.md) [d](README.md) [e](docs)\n";
        let pages = BTreeMap::from([(PathBuf::from("README.md"), Page::new(text))]);
        assert_eq!(
            dead_links(&pages),
            [
                "README.md:3: dead link to #there: no such heading",
                "README.md:3: dead link to missing.md: no such file",
                "README.md:3: dead link to docs: a folder; link to a file in it",
            ]
        );
    }

    #[test]
    fn no_link_of_this_repository_is_dead() {
        assert_eq!(dead_links(&pages().unwrap()), [""; 0]);
    }
}
