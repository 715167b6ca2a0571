//! Finds the prototypes of instances, which may be in other files.

use std::collections::HashMap;
use std::sync::Arc;

use anim_ir::address::join;
use anim_ir::diag::{quote, quote_path};
use anim_ir::{Diagnostics, Span};

use super::{Loader, merge_errors};
use crate::codes;
use crate::graph::{Graph, Prototypes, Source};
use crate::prototypes::Expansion;

/// Maximum number of `EXTERNPROTO` statements that lead to a prototype.
const MOST_STEPS: usize = 16;

/// A prototype with nodes: the prototypes of its file, and its index.
type Found = (Arc<Prototypes>, usize);

impl Loader<'_> {
    /// Replaces the instances of prototypes with the nodes of the prototypes.
    pub(super) fn expand(
        &mut self,
        graph: &mut Graph,
        folder: &str,
        diagnostics: &mut Diagnostics,
    ) {
        if !graph.prototypes.list.is_empty() {
            Arc::make_mut(&mut graph.prototypes).folder = folder.into();
        }
        if graph.instances.is_empty() {
            return;
        }
        // The prototypes of each declaration, which `Arc`s in the values keep in place.
        let mut known: HashMap<(usize, usize), (Arc<Prototypes>, Option<Found>)> = HashMap::new();
        let mut expansion = Expansion::new(graph, self.budget);
        if let Err(error) = expansion.expose() {
            diagnostics.push(&codes::EXPANSION, None, || error.to_string());
        }
        while let Some(instance) = expansion.next() {
            let span = expansion.span(&instance);
            let declared = (&instance.prototypes, instance.index);
            let key = (Arc::as_ptr(declared.0).addr(), declared.1);
            let (_, found) = known.entry(key).or_insert_with(|| {
                let found = self.prototype(declared, span, diagnostics);
                (Arc::clone(declared.0), found)
            });
            match found {
                Some((prototypes, index)) => {
                    expansion.expand(&instance, (&*prototypes, *index), diagnostics);
                }
                None => expansion.skip(&instance),
            }
        }
        expansion.finish();
    }

    /// Finds the prototype with nodes that a declaration stands for, and reports it if there is
    /// none.
    fn prototype(
        &mut self,
        (prototypes, index): (&Arc<Prototypes>, usize),
        span: Option<Span>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Found> {
        let mut found = (Arc::clone(prototypes), index);
        for _ in 0..MOST_STEPS {
            let (prototypes, index) = &found;
            let prototype = prototypes.list.get(*index)?;
            let Source::External(urls) = &prototype.source else { return Some(found) };
            let span = span.map(|_| prototype.span);
            let mut problems = Diagnostics::within(self.budget.limits());
            let at_url = |url: &String| {
                let mut own = Diagnostics::within(self.budget.limits());
                let next = self.at_url(prototypes, url, span, &mut own);
                if next.is_some() {
                    diagnostics.append(own)
                } else {
                    problems.append(own)
                }
                next
            };
            let next = urls.iter().filter(|url| !url.is_empty()).find_map(at_url);
            let Some(next) = next else {
                if problems.is_empty() {
                    problems.push(&codes::PROTO, span, || {
                        let name = quote(prototype.name.as_bytes());
                        format!("the EXTERNPROTO {name} has no address")
                    });
                }
                let addresses = urls.iter().filter(|url| !url.is_empty()).count();
                merge_errors(&mut problems, span, addresses);
                diagnostics.append(problems);
                return None;
            };
            found = next;
        }
        diagnostics.push(&codes::PROTO, span, || {
            format!("more than {MOST_STEPS} EXTERNPROTO statements lead to the prototype")
        });
        None
    }

    /// Finds the prototype at an address of an `EXTERNPROTO`.
    fn at_url(
        &mut self,
        prototypes: &Arc<Prototypes>,
        url: &str,
        span: Option<Span>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Found> {
        if url.starts_with("urn:") {
            diagnostics.push(&codes::PROTO, span, || {
                format!("{} is not the address of a file", quote(url.as_bytes()))
            });
            return None;
        }
        let (file, name) = match url.split_once('#') {
            Some((file, name)) => (file, Some(name)),
            None => (url, None),
        };
        let there = if file.is_empty() {
            Arc::clone(prototypes)
        } else {
            let address = join(&prototypes.folder, file);
            Arc::clone(&self.load(&address, "the file", span, diagnostics)?.prototypes)
        };
        let index = there.at_address(name);
        if index.is_none() {
            diagnostics.push(&codes::PROTO, span, || match name {
                Some(name) => {
                    format!("{} has no prototype {}", quote_path(file), quote(name.as_bytes()))
                }
                None => format!("{} has no prototypes", quote_path(file)),
            });
        }
        Some((there, index?))
    }
}
