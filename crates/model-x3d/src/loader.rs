//! Scenes in files of their own, and those that they take in with `Inline`.

use std::collections::HashMap;
use std::sync::Arc;

use anim_ir::address::{folder_of, is_data, join};
use anim_ir::diag::quote;
use anim_ir::{Diagnostics, Limits, ResolveError, Resolver, Span, source};

use crate::codes;
use crate::document::{Document, ParseOptions};
use crate::graph::{Graph, NodeId};

/// How deep files may take in others.
const DEEPEST: usize = 16;
/// Most files that a scene may take in, the same one counted each time.
const MOST_FILES: usize = 10_000;

/// Reads scenes, each file once.
pub struct Loader<'f> {
    files: &'f mut dyn Resolver,
    limits: Limits,
    known: HashMap<String, Option<Arc<Graph>>>,
    /// Files that are being read, the outermost first.
    open: Vec<String>,
    taken_in: usize,
}

impl<'f> Loader<'f> {
    /// None yet.
    pub fn new(files: &'f mut dyn Resolver, limits: Limits) -> Loader<'f> {
        Loader { files, limits, known: HashMap::new(), open: Vec::new(), taken_in: 0 }
    }

    /// The bounds that it was made with.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The content of a file that is no scene.
    ///
    /// # Errors
    ///
    /// As [`Resolver::read`].
    pub fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        self.files.read(address)
    }

    /// The scene in a file, with what it takes in. `what` is what names it and `span` where, for
    /// problems; `None` where it is not to be had, which was reported.
    pub fn load(
        &mut self,
        address: &str,
        what: &str,
        span: Option<Span>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Arc<Graph>> {
        let address = &join("", address);
        if let Some(known) = self.known.get(address) {
            if known.is_none() {
                diagnostics.push(&codes::FILE, span, || {
                    format!("{what} {} cannot be used, as was said", quote(address.as_bytes()))
                });
            }
            return known.clone();
        }
        let loaded = self.load_new(address, what, span, diagnostics);
        self.known.insert(address.to_owned(), loaded.clone());
        loaded
    }

    fn load_new(
        &mut self,
        address: &str,
        what: &str,
        span: Option<Span>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Arc<Graph>> {
        let shown = || {
            if is_data(address) { "`data:…`".to_owned() } else { quote(address.as_bytes()) }
        };
        let options = ParseOptions::default().with_limits(self.limits);
        let parsed =
            self.files.read(address).map_err(|error| error.to_string()).and_then(|bytes| {
                Document::parse_with(bytes, &options).map_err(|error| error.to_string())
            });
        let parsed = match parsed {
            Ok(parsed) => parsed,
            Err(error) => {
                diagnostics.push(&codes::FILE, span, || {
                    format!("{what} {} cannot be used: {error}", shown())
                });
                return None;
            }
        };
        // Its diagnostics point into that file, not into the one that these are about.
        let text = parsed.value.text();
        for diagnostic in &parsed.diagnostics {
            let place =
                diagnostic.span.map(|span| source::locate(text.as_bytes(), span.start).line);
            let place = place.map_or(String::new(), |line| format!("line {line}: "));
            diagnostics.push(diagnostic.code, span, || {
                format!("{}: {place}{}", shown(), diagnostic.message)
            });
        }
        let mut graph = parsed.value.into_graph();
        graph.folders = vec![(NodeId(0), folder_of(address).into())];
        self.open.push(address.to_owned());
        let mut inside = Diagnostics::within(&self.limits);
        self.fill(&mut graph, folder_of(address), &mut inside);
        self.open.pop();
        for diagnostic in &inside {
            diagnostics
                .push(diagnostic.code, span, || format!("{}: {}", shown(), diagnostic.message));
        }
        Some(Arc::new(graph))
    }

    /// Puts the scenes that `Inline` nodes name in their places. `folder` is that of the scene's
    /// file. Places in the diagnostics are those of the nodes in the scene's text.
    pub fn fill(&mut self, graph: &mut Graph, folder: &str, diagnostics: &mut Diagnostics) {
        let inlines: Vec<(NodeId, Vec<String>, Span)> = graph
            .ids()
            .filter_map(|(id, node)| {
                let addresses = match node.kind.name {
                    // What is not to be loaded (ISO/IEC 19775-1, 9.4.2) is not missed.
                    "Inline" if node.flag("load") => node.strings("url"),
                    "WWWInline" => node.strings("name"),
                    _ => return None,
                };
                Some((id, addresses.to_vec(), node.span))
                    .filter(|(_, addresses, _)| addresses.iter().any(|address| !address.is_empty()))
            })
            .collect();
        for (id, addresses, span) in inlines {
            self.taken_in = self.taken_in.saturating_add(1);
            if self.open.len() >= DEEPEST || self.taken_in > MOST_FILES {
                diagnostics.push(&codes::FILE, span, || {
                    format!("files take in others more than {DEEPEST} deep or {MOST_FILES} times")
                });
                continue;
            }
            // The first address that can be used counts; what is wrong with those before it is told
            // where none can.
            let mut problems = Diagnostics::within(&self.limits);
            let mut found = None;
            for address in addresses.iter().filter(|address| !address.is_empty()) {
                let address = join(folder, address);
                if self.open.contains(&address) {
                    problems.push(&codes::FILE, span, || {
                        format!("the file {} takes in itself", quote(address.as_bytes()))
                    });
                    continue;
                }
                let mut own = Diagnostics::within(&self.limits);
                found = self.load(&address, "the file", Some(span), &mut own);
                if found.is_some() {
                    diagnostics.append(own);
                    break;
                }
                problems.append(own);
            }
            match found {
                Some(scene) => graph.put_in(id, &scene),
                None => diagnostics.append(problems),
            }
        }
    }
}
