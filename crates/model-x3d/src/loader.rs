//! Loads scenes from files, including the files they refer to with `Inline`.

mod imports;
mod prototypes;
mod still;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use anim_ir::address::{data, folder_of, is_data, join};
use anim_ir::diag::{quote, quote_path};
use anim_ir::{Budget, Diagnostic, Diagnostics, ResolveError, Resolver, Span, insert_all};

use crate::codes;
use crate::frames::FrameReader;
use crate::graph::{Graph, NodeId};
use crate::graph_files::of_file;
use crate::parser;
use crate::sniff::sniff;
use crate::sources::Sources;
use crate::units::to_own_unit;
pub use still::{FileKind, Model, ReadStill, Still};

/// Maximum depth of includes.
const DEEPEST: usize = 16;
/// The memory charged for a node or route of an included file, since each including file copies it.
const NODE_BYTES: usize = 128;
/// Maximum number of includes in a scene. Repeated includes of the same file all count.
const MOST_FILES: usize = 10_000;

/// Loads scenes. Reads each file only once.
pub struct Loader<'f> {
    files: &'f mut dyn Resolver,
    kinds: &'static [FileKind],
    budget: &'f Budget,
    known: HashMap<String, Option<Arc<Graph>>>,
    /// The files being read, outermost first.
    open: Vec<String>,
    taken_in: usize,
    sources: Sources,
}

impl<'f> Loader<'f> {
    /// Creates a loader without any files. `text_len` is the length of the text that refers to the
    /// files; positions up to this length are in that text.
    pub fn new(files: &'f mut dyn Resolver, budget: &'f Budget, text_len: usize) -> Loader<'f> {
        Loader {
            files,
            kinds: &[],
            budget,
            known: HashMap::new(),
            open: Vec::new(),
            taken_in: 0,
            sources: Sources::new(text_len),
        }
    }

    /// Also loads files of these kinds, which are otherwise not supported.
    #[must_use]
    pub const fn with_kinds(mut self, kinds: &'static [FileKind]) -> Loader<'f> {
        self.kinds = kinds;
        self
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
        if self.open.contains(address) {
            diagnostics.push(&codes::FILE, span, || {
                format!("the file {} includes itself", quote(address.as_bytes()))
            });
            return None;
        }
        if let Some(known) = self.known.get(address) {
            if known.is_none() {
                diagnostics.push(&codes::FILE, span, || {
                    let name = quote(address.as_bytes());
                    format!("{what} {name} cannot be used; see the error at its first use")
                });
            }
            return known.clone();
        }
        self.open.push(address.to_owned());
        let loaded = self.load_new(address, what, span, diagnostics);
        self.open.pop();
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
        let mut refuse = |error: String| {
            diagnostics.push(&codes::FILE, span, || {
                format!("{what} {} cannot be used: {error}", shown(address))
            });
            None
        };
        if self.open.len() > DEEPEST {
            return refuse(format!("includes are nested deeper than {DEEPEST}"));
        }
        let bytes = match self.files.read(address) {
            Ok(bytes) => bytes,
            Err(error) => return refuse(error.to_string()),
        };
        self.budget.add_input(bytes.len());
        if let Some(kind) = self.kind(address) {
            return match self.read_still(kind.read, bytes, folder_of(address)) {
                Ok(still) => self.load_still(address, still, span, diagnostics),
                Err(error) => refuse(error),
            };
        }
        let parsed = match parser::parse(bytes.into(), self.budget) {
            Ok(parsed) => parsed,
            Err(error) => return refuse(error.to_string()),
        };
        let base = self.sources.add(address, parsed.value.text(), span);
        let mut found = parsed.diagnostics;
        found.map_spans(|span| moved(span, base));
        diagnostics.append(found);
        let mut graph = parsed.value.into_graph();
        let prototypes = Arc::make_mut(&mut graph.prototypes).spans();
        prototypes.for_each(|span| *span = moved(*span, base));
        graph.spans().for_each(|span| *span = moved(*span, base));
        Some(self.filled(graph, address, diagnostics))
    }

    /// Returns the kind of a file by its extension, or that of a `data:` URI.
    fn kind(&self, address: &str) -> Option<&'static FileKind> {
        if is_data(address) {
            return self.kind_of_data(address);
        }
        let (_, extension) = address.rsplit_once('.')?;
        let is_known = |known: &&str| extension.eq_ignore_ascii_case(known);
        self.kinds.iter().find(|kind| kind.extensions.iter().any(is_known))
    }

    /// Returns the kind of a `data:` URI by its media type, or else by its content.
    fn kind_of_data(&self, uri: &str) -> Option<&'static FileKind> {
        let media_type = uri.split_once(':')?.1.split([';', ',']).next()?.trim();
        let is_named = |known: &&str| media_type.eq_ignore_ascii_case(known);
        let named = self.kinds.iter().find(|kind| kind.media_types.iter().any(is_named));
        if named.is_some() {
            return named;
        }
        let bytes = data(uri)?.ok()?;
        let confidence = |kind: &&FileKind| (kind.sniff)(&bytes).confidence;
        let best = self.kinds.iter().max_by_key(confidence)?;
        (confidence(&best) > sniff(&bytes).confidence).then_some(best)
    }

    /// Reads a file of another kind, whose companion files are relative to `folder`.
    fn read_still(
        &mut self,
        read: ReadStill,
        bytes: Vec<u8>,
        folder: &str,
    ) -> Result<Still, String> {
        let limits = self.budget.limits_of_part();
        let mut files = InFolder { folder, files: &mut *self.files, budget: self.budget };
        read(bytes, &mut files, &limits)
    }

    /// Reads a model inside the outermost file.
    ///
    /// # Errors
    ///
    /// Returns the reason why it cannot be shown.
    pub fn read_inline(&mut self, read: ReadStill, bytes: Vec<u8>) -> Result<Model, String> {
        match self.read_still(read, bytes, "")? {
            Still::Model(model) => Ok(*model),
            _ => Err("it is not a model".to_owned()),
        }
    }

    fn load_still(
        &mut self,
        address: &str,
        still: Still,
        span: Option<Span>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Arc<Graph>> {
        match still {
            Still::File(file) => {
                let file = join(folder_of(address), &file);
                self.load(&file, "the frame", span, diagnostics)
            }
            Still::X3d { text, span: place, namespaces } => {
                let base = self.sources.add(address, &text, span);
                let text = text.get(place.start..place.end)?;
                let start = base.saturating_add(place.start);
                let graph = FrameReader::default().read(text, start, &namespaces, diagnostics)?;
                Some(self.filled(graph, address, diagnostics))
            }
            Still::Model(model) => {
                let base = self.sources.add(address, &model.text, span);
                self.add_model(*model, (address, Some(base)), span, diagnostics)
            }
        }
    }

    /// Converts a model to nodes. `address` is that of its file, with the offset of the file's
    /// text; without one, spans of its problems become `span`. Reports a problem and returns `None`
    /// if that exceeds the memory limit.
    pub fn add_model(
        &mut self,
        model: Model,
        (address, base): (&str, Option<usize>),
        span: Option<Span>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Arc<Graph>> {
        let Model { format, scene, structure, mut problems, .. } = model;
        let shown = if base.is_some() { shown(address) } else { "the frame".to_owned() };
        for problem in problems.iter_mut() {
            problem.span = match (problem.span, base) {
                (Some(own), Some(base)) => Some(moved(own, base)),
                _ => {
                    problem.message = format!("{shown}: {}", problem.message);
                    span
                }
            };
            problem.fix = None;
        }
        diagnostics.append(problems);
        if !scene.clips.is_empty() {
            diagnostics.push(&codes::INLINE_ANIMATION, span, || {
                format!("{shown} is shown at rest, without its animations")
            });
        }
        let size = self.budget.charge("models in frames", scene.size());
        let of_scene =
            |()| Graph::of_scene(&scene, (format, span.unwrap_or_default()), self.budget);
        match size.and_then(of_scene) {
            Ok(mut graph) => {
                graph.folders = vec![(NodeId(0), folder_of(address).into())];
                graph.structure = structure;
                Some(Arc::new(graph))
            }
            Err(error) => {
                diagnostics.push(&codes::FILE, span, || format!("{shown}: {error}"));
                None
            }
        }
    }

    /// Returns an address in a folder, without the name of a viewpoint after `#` (ISO/IEC 19775-1,
    /// 4.3.3), unless that is part of the name of a file.
    fn without_fragment(&mut self, folder: &str, address: &str) -> String {
        let whole = join(folder, address);
        match address.split_once('#') {
            Some((file, _)) if !file.is_empty() && !is_data(&whole) => {
                if self.files.exists(&whole) { whole } else { join(folder, file) }
            }
            _ => whole,
        }
    }

    /// Whether a scene is the first frame of an animation.
    fn is_animation(&self, address: &str, scene: &Graph) -> bool {
        self.kind(address).is_some() && scene.format.is_empty()
    }

    /// Fills the `Inline` nodes of the scene in a file.
    fn filled(
        &mut self,
        mut graph: Graph,
        address: &str,
        diagnostics: &mut Diagnostics,
    ) -> Arc<Graph> {
        graph.folders = vec![(NodeId(0), folder_of(address).into())];
        self.fill(&mut graph, folder_of(address), diagnostics);
        Arc::new(graph)
    }

    /// Replaces instances of prototypes with the nodes of the prototypes, and `Inline` nodes with
    /// the scenes they refer to. `folder` is the folder of the scene's file.
    pub fn fill(&mut self, graph: &mut Graph, folder: &str, diagnostics: &mut Diagnostics) {
        self.expand(graph, folder, diagnostics);
        let copies = graph.folders.clone();
        let inlines: Vec<(NodeId, Vec<String>, Span)> = graph
            .ids()
            .map(|(id, node)| (id, node.inlined().to_vec(), node.span))
            .filter(|(_, addresses, _)| addresses.iter().any(|address| !address.is_empty()))
            .collect();
        let own_imports = graph.links.imports.clone();
        let own_routes = graph.links.routes.len();
        // Routes may change the nodes of an `Inline` that names are imported from, so it has nodes
        // of its own.
        let imported: BTreeSet<NodeId> = insert_all(own_imports.iter().map(|import| import.inline));
        // The first `Inline` of each file that the graph includes. Repeated includes of a file
        // share its nodes, like `USE`.
        let mut included: HashMap<String, NodeId> = HashMap::new();
        // The `Inline` nodes that show the first frame of an animation.
        let mut of_frames = BTreeSet::new();
        'inlines: for (id, addresses, span) in inlines {
            self.taken_in = self.taken_in.saturating_add(1);
            if self.taken_in > MOST_FILES {
                diagnostics.push(&codes::FILE, span, || {
                    format!("the scene has more than {MOST_FILES} includes in total")
                });
                continue;
            }
            // The first usable URL is used. Problems with unusable URLs are reported only if no URL
            // is usable.
            let mut problems = Diagnostics::within(self.budget.limits());
            let (mut found, mut tried) = (None, 0_usize);
            for address in addresses.iter().filter(|address| !address.is_empty()) {
                let folder = of_file(&copies, id).map_or(folder, |folder| folder);
                let address = self.without_fragment(folder, address);
                if let Some(first) = included.get(&address)
                    && !imported.contains(&id)
                {
                    graph.include_again(id, *first);
                    continue 'inlines;
                }
                let mut own = Diagnostics::within(self.budget.limits());
                if let Some(scene) = self.load(&address, "the file", Some(span), &mut own) {
                    if self.is_animation(&address, &scene) {
                        own.push(&codes::INLINE_ANIMATION, span, || {
                            format!(
                                "only the first frame of {} is shown, without its motion; convert \
                                 that file to get its clips",
                                shown(&address)
                            )
                        });
                    }
                    diagnostics.append(own);
                    found = Some((address, scene));
                    break;
                }
                problems.append(own);
                tried = tried.saturating_add(1);
            }
            let Some((address, scene)) = found else {
                merge_errors(&mut problems, Some(span), tried);
                diagnostics.append(problems);
                continue;
            };
            let copied = scene.nodes.len().saturating_add(scene.links.routes.len());
            match self.budget.charge("included files", copied.saturating_mul(NODE_BYTES)) {
                Ok(()) => {
                    graph.put_in(id, &scene);
                    to_own_unit(graph, id);
                    if self.is_animation(&address, &scene) {
                        of_frames.insert(id);
                    }
                    if !imported.contains(&id) {
                        included.insert(address, id);
                    }
                }
                Err(error) => diagnostics.push(&codes::FILE, span, || error.to_string()),
            }
        }
        imports::report(graph, &own_imports, &of_frames, diagnostics);
        if let Err(error) = imports::connect(graph, own_routes, self.budget, diagnostics) {
            diagnostics.push(&codes::EXPANSION, None, || error.to_string());
        }
    }
}

/// Merges the errors of alternative addresses, none of which can be used, into the first of them.
/// Problems in files that could be read are kept.
fn merge_errors(problems: &mut Diagnostics, span: Option<Span>, addresses: usize) {
    let others = match addresses {
        0 | 1 => return,
        2 => "; the other address cannot be used either".to_owned(),
        _ => format!("; the {} other addresses cannot be used either", addresses.saturating_sub(1)),
    };
    let is_error = |problem: &Diagnostic| {
        problem.span == span && (problem.code == &codes::FILE || problem.code == &codes::PROTO)
    };
    let mut is_first = true;
    problems.retain(|problem| !is_error(problem) || std::mem::take(&mut is_first));
    if let Some(first) = problems.iter_mut().find(|problem| is_error(problem)) {
        first.message += &others;
    }
}

/// Returns an address to show in messages.
fn shown(address: &str) -> String {
    if is_data(address) { "`data:…`".to_owned() } else { quote_path(address) }
}

const fn moved(span: Span, by: usize) -> Span {
    Span::new(span.start.saturating_add(by), span.end.saturating_add(by))
}

/// Opens the companion files of a model, whose addresses are relative to its folder.
struct InFolder<'f> {
    folder: &'f str,
    files: &'f mut dyn Resolver,
    budget: &'f Budget,
}

impl Resolver for InFolder<'_> {
    fn read(&mut self, address: &str) -> Result<Vec<u8>, ResolveError> {
        let bytes = self.files.read(&join(self.folder, address))?;
        self.budget.add_input(bytes.len());
        Ok(bytes)
    }

    fn head(&mut self, address: &str, most: usize) -> Result<Vec<u8>, ResolveError> {
        self.files.head(&join(self.folder, address), most)
    }

    fn exists(&mut self, address: &str) -> bool {
        self.files.exists(&join(self.folder, address))
    }

    fn way(&mut self, address: &str) -> Option<String> {
        self.files.way(address)
    }

    fn limit(&self) -> usize {
        self.files.limit()
    }
}
