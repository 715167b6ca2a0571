//! Loads scenes from files, including the files they refer to with `Inline`.

use std::collections::HashMap;
use std::sync::Arc;

use anim_ir::address::{folder_of, is_data, join};
use anim_ir::diag::{quote, quote_path};
use anim_ir::{Diagnostics, Limits, ResolveError, Resolver, Span};

use crate::codes;
use crate::document::{Document, ParseOptions};
use crate::graph::{Graph, NodeId};
use crate::sources::Sources;

/// Maximum depth of includes.
const DEEPEST: usize = 16;
/// Maximum number of includes in a scene. Repeated includes of the same file all count.
const MOST_FILES: usize = 10_000;

/// Loads scenes. Reads each file only once.
pub struct Loader<'f> {
    files: &'f mut dyn Resolver,
    limits: Limits,
    known: HashMap<String, Option<Arc<Graph>>>,
    /// The files being read, outermost first.
    open: Vec<String>,
    taken_in: usize,
    sources: Sources,
}

impl<'f> Loader<'f> {
    /// Creates a loader without any files. `text_len` is the length of the text that refers to the
    /// files; positions up to this length are in that text.
    pub fn new(files: &'f mut dyn Resolver, limits: Limits, text_len: usize) -> Loader<'f> {
        Loader {
            files,
            limits,
            known: HashMap::new(),
            open: Vec::new(),
            taken_in: 0,
            sources: Sources::new(text_len),
        }
    }

    /// Reads a file that is not a scene.
    ///
    /// # Errors
    ///
    /// See [`Resolver::read`].
    pub fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        self.files.read(address)
    }

    /// Adds the text of a file that contains scenes but is not a scene itself. `named_at` is the
    /// span of the reference to the file. Returns the offset of the text's first position.
    pub fn add_source(&mut self, address: &str, text: &str, named_at: Option<Span>) -> usize {
        self.sources.add(address, text, named_at)
    }

    /// Returns the files read so far, for mapping positions back to files.
    pub fn into_sources(self) -> Sources {
        self.sources
    }

    /// Loads the scene in a file, including the files it includes. Reports a problem and returns
    /// `None` if it cannot be read. For diagnostics, `what` describes the reference to the file and
    /// `span` is its position. Spans of diagnostics are positions across all files, which
    /// [`Loader::into_sources`] maps back to files.
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
                    format!("{what} {} cannot be used: see above", quote(address.as_bytes()))
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
        let options = ParseOptions::default().with_limits(self.limits);
        let parsed =
            self.files.read(address).map_err(|error| error.to_string()).and_then(|bytes| {
                Document::parse_with(bytes, &options).map_err(|error| error.to_string())
            });
        let parsed = match parsed {
            Ok(parsed) => parsed,
            Err(error) => {
                diagnostics.push(&codes::FILE, span, || {
                    let shown = if is_data(address) {
                        "`data:…`".to_owned()
                    } else {
                        quote_path(address)
                    };
                    format!("{what} {shown} cannot be used: {error}")
                });
                return None;
            }
        };
        let base = self.sources.add(address, parsed.value.text(), span);
        let mut found = parsed.diagnostics;
        found.map_spans(|span| moved(span, base));
        diagnostics.append(found);
        let mut graph = parsed.value.into_graph();
        for node in graph.nodes.iter_mut().map(Arc::make_mut) {
            node.span = moved(node.span, base);
        }
        graph.folders = vec![(NodeId(0), folder_of(address).into())];
        self.open.push(address.to_owned());
        self.fill(&mut graph, folder_of(address), diagnostics);
        self.open.pop();
        Some(Arc::new(graph))
    }

    /// Replaces `Inline` nodes with the scenes they refer to. `folder` is the folder of the
    /// scene's file.
    pub fn fill(&mut self, graph: &mut Graph, folder: &str, diagnostics: &mut Diagnostics) {
        let inlines: Vec<(NodeId, Vec<String>, Span)> = graph
            .ids()
            .filter_map(|(id, node)| {
                let addresses = match node.kind.name {
                    // An `Inline` with `load` FALSE (ISO/IEC 19775-1, 9.4.2) is not reported as
                    // missing.
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
                    format!(
                        "includes are nested deeper than {DEEPEST} or exceed {MOST_FILES} in total"
                    )
                });
                continue;
            }
            // The first usable URL is used. Problems with unusable URLs are reported only if no URL
            // is usable.
            let mut problems = Diagnostics::within(&self.limits);
            let mut found = None;
            for address in addresses.iter().filter(|address| !address.is_empty()) {
                let address = join(folder, address);
                if self.open.contains(&address) {
                    problems.push(&codes::FILE, span, || {
                        format!("the file {} includes itself", quote(address.as_bytes()))
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

const fn moved(span: Span, by: usize) -> Span {
    Span::new(span.start.saturating_add(by), span.end.saturating_add(by))
}
