//! Names across files: the definition and the references of a tool, an argument or a function.
//!
//! A program without tools of its own may call those of any file around it. So its calls refer to all tools with that
//! name, and if there is exactly one, both are renamed together.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use super::{FileId, View, outlines, view::ViewedFile};
use signature_ls_analysis::ide::{
    Declaration, Document, FunctionSignatures, Member, NamedTool, Returned, Shared, declared_at,
    declared_by_functions, places_of, shared_at,
};
use signature_ls_source::{
    host::elixir::tools::Capture,
    order,
    text::{Text, TextRange, TextSize},
};

/// Places in a file.
#[derive(Debug, Clone)]
pub struct FilePlaces {
    /// The file.
    pub file: FileId,
    /// Its path.
    pub path: Arc<Path>,
    /// The text that the places refer to.
    pub text: Text,
    /// The places, in bytes of that text.
    pub ranges: Vec<TextRange>,
}

/// A document as a reader has it, and its file.
#[derive(Debug, Clone, Copy)]
pub struct Here<'a> {
    /// The file.
    pub file: FileId,
    /// Its document.
    pub document: &'a Document,
}

/// The files that register a tool, and those that call it without registering it.
#[derive(Debug, Default)]
pub(super) struct Reach {
    pub(super) offering: Vec<ViewedFile>,
    pub(super) wanting: Vec<ViewedFile>,
}

impl View {
    /// The definition in other files of the name at `offset`: a tool that is called here, or its argument.
    pub fn definitions(&self, here: Here<'_>, offset: TextSize) -> Vec<FilePlaces> {
        let mut found = Vec::new();
        for shared in shared_in(here, offset) {
            if let Some(tool) = shared.tool() {
                let reach = self.reach(tool);
                if !reach.offers(here.file) {
                    for file in &reach.offering {
                        let places = self.places(file, &shared, Wanted::Definitions);
                        let of_functions = || self.in_functions(file, &shared);
                        found.extend(places.map_or_else(of_functions, |it| vec![it]));
                    }
                }
            }
            if let Some(returned) = shared.returned() {
                let definer = self.definer(here.file, returned);
                let definer = definer.filter(|it| it.file != here.file);
                let places = definer.and_then(|it| self.places(&it, &shared, Wanted::Definitions));
                found.extend(places);
            }
        }
        found
    }

    /// The declarations of a member of a tool by the functions that a file registers as that tool.
    fn in_functions(&self, file: &ViewedFile, shared: &Shared) -> Vec<FilePlaces> {
        let Some(viewed) = self.document(file.file) else {
            return Vec::new();
        };
        let here = Here {
            file: file.file,
            document: &viewed.document,
        };
        let declared = declared_by_functions(here.document, shared).into_iter();
        declared.filter_map(|it| self.declared(here, &it)).collect()
    }

    /// The occurrences in other files of the name at `offset`, and those of the same names in this one.
    pub fn references(
        &self,
        here: Here<'_>,
        offset: TextSize,
        includes_definitions: bool,
    ) -> Vec<FilePlaces> {
        let wanted = match includes_definitions {
            true => Wanted::All,
            false => Wanted::References,
        };
        let mut found = Vec::new();
        for shared in shared_in(here, offset) {
            match &shared {
                Shared::Function(function) => {
                    found.extend(self.function_references(here, function, includes_definitions));
                }
                Shared::Returned(returned) => {
                    let files = self.running(here.file, returned).into_iter();
                    let files = files.filter(|it| it.file != here.file);
                    found.extend(files.filter_map(|it| self.places(&it, &shared, wanted)));
                }
                Shared::Tool(tool) | Shared::Member(Member { tool, .. }) => {
                    let mut files = self.reach(tool).around(here.file);
                    // A program in another file makes the tools of different agents one.
                    let own = self.file(here.file).filter(|_| !files.is_empty());
                    files.extend(own);
                    found.extend(
                        files
                            .iter()
                            .filter_map(|it| self.places(it, &shared, wanted)),
                    );
                }
            }
        }
        merged(found)
    }

    /// Where a declaration is that a diagnostic of `here` refers to: in the file of its function. A closed file is read
    /// from the disk.
    pub fn declared(&self, here: Here<'_>, declaration: &Declaration) -> Option<FilePlaces> {
        let function = declaration.function();
        let is_own = here.document.facts().function(function).is_some();
        let file = match is_own {
            true => here.file,
            false => {
                let index = self.index_around(self.path(here.file)?)?;
                index.module(function.module.as_deref()?)?.0
            }
        };
        let path = Arc::clone(self.path(file)?);
        let found = |document: &Document| {
            Some(FilePlaces {
                file,
                path: Arc::clone(&path),
                text: document.text().clone(),
                ranges: vec![declared_at(document, declaration)?],
            })
        };
        if is_own {
            return found(here.document);
        }
        if let Some(document) = self.open_document(file) {
            return found(document);
        }
        let text = outlines::text_of(&path)?;
        found(&outlines::document(&path, &text, here.document.settings())?)
    }

    /// The tools in other files that programs can call, each with its signature.
    pub fn tools(&self) -> Vec<(String, Option<String>)> {
        let files = self.files_and_open();
        let tools = files
            .iter()
            .flat_map(|file| file.outline.tools.iter().map(move |it| (file, it)));
        let shared = tools.filter(|(_, it)| it.is_entry && !it.is_private);
        let of_functions = FunctionSignatures::default();
        let signed = shared.map(|(file, it)| {
            let signature = it.detail.clone();
            let signature = signature.or_else(|| self.signature_of(&of_functions, file, it));
            (it.name.clone(), signature)
        });
        signed.collect()
    }

    /// The signature of a tool of a closed file, from the spec of its function in another file.
    fn signature_of(
        &self,
        of_functions: &FunctionSignatures,
        file: &ViewedFile,
        tool: &NamedTool,
    ) -> Option<String> {
        let function = tool.functions.only().filter(|_| tool.has_spec)?;
        let index = self.index_around(&file.path)?;
        let (_, module) = index.module(function.module.as_deref()?)?;
        of_functions.of(module, &function)
    }

    /// The files that register a tool and those that call it.
    pub(super) fn reach(&self, tool: &str) -> Reach {
        let mut reach = Reach::default();
        for file in self.files() {
            if file.outline.offers(tool) {
                reach.offering.push(file.clone());
            } else if file.outline.wants(tool) {
                reach.wanting.push(file.clone());
            }
        }
        reach
    }

    /// The file of the function that returns an agent, as `file` names it.
    pub(super) fn definer(&self, file: FileId, returned: &Returned) -> Option<ViewedFile> {
        let document = self.document(file)?.document;
        if document.facts().function(&returned.function).is_some() {
            return self.file(file);
        }
        let index = self.index_around(self.path(file)?)?;
        let (definer, _) = index.module(returned.function.module.as_deref()?)?;
        self.file(definer)
    }

    /// The file of the function that returns an agent, and those that ask for its module.
    pub(super) fn running(&self, file: FileId, returned: &Returned) -> Vec<ViewedFile> {
        let definer = self.definer(file, returned);
        let module = returned.function.module.as_ref();
        let asks = |it: &ViewedFile| {
            let is_definer = definer
                .as_ref()
                .is_some_and(|definer| definer.file == it.file);
            let modules = &it.outline.asks.modules;
            !is_definer && module.is_some_and(|module| modules.contains(module))
        };
        let asking: Vec<_> = self.files().iter().filter(|it| asks(it)).cloned().collect();
        definer.into_iter().chain(asking).collect()
    }

    fn places(&self, file: &ViewedFile, shared: &Shared, wanted: Wanted) -> Option<FilePlaces> {
        let document = self.document(file.file)?.document;
        let places = places_of(&document, shared).into_iter();
        let places = places.filter(|it| wanted.includes(it.is_definition));
        let ranges: Vec<_> = places.map(|it| it.range).collect();
        (!ranges.is_empty()).then(|| FilePlaces {
            file: file.file,
            path: Arc::clone(&file.path),
            text: document.text().clone(),
            ranges,
        })
    }

    /// The places of a function that is a tool somewhere, this file's own included.
    fn function_references(
        &self,
        here: Here<'_>,
        function: &Capture,
        includes_definitions: bool,
    ) -> Vec<FilePlaces> {
        let shared = Shared::Function(function.clone());
        let captured = self.files().iter().filter(|file| {
            let mut functions = file.outline.functions.iter();
            functions.any(|it| it.functions.contains(function))
        });
        let found = captured.filter_map(|it| self.places(it, &shared, Wanted::References));
        let mut found: Vec<_> = found.collect();
        if found.is_empty() || !includes_definitions {
            return found;
        }
        if let Some(defined) = self.function_around(here.file, function) {
            found.push(FilePlaces {
                file: defined.file,
                path: defined.path,
                text: defined.text,
                ranges: defined.places.iter().map(|it| it.name).collect(),
            });
        }
        found
    }
}

/// Which places are wanted.
#[derive(Clone, Copy)]
enum Wanted {
    All,
    Definitions,
    References,
}

impl Wanted {
    fn includes(self, is_definition: bool) -> bool {
        match self {
            Self::All => true,
            Self::Definitions => is_definition,
            Self::References => !is_definition,
        }
    }
}

impl Reach {
    pub(super) fn offers(&self, file: FileId) -> bool {
        self.offering.iter().any(|it| it.file == file)
    }

    /// The other files that mention a tool that a file registers or calls.
    fn around(self, file: FileId) -> Vec<ViewedFile> {
        let offers = self.offers(file);
        let offering = self.offering.into_iter().filter(|_| !offers);
        let all = offering.chain(self.wanting);
        all.filter(|it| it.file != file).collect()
    }
}

fn shared_in(here: Here<'_>, offset: TextSize) -> Vec<Shared> {
    let found = shared_at(here.document, offset);
    found.map(|(_, shared)| shared).unwrap_or_default()
}

/// The same places without duplicates, grouped by file, in the order of the text.
fn merged(found: Vec<FilePlaces>) -> Vec<FilePlaces> {
    let mut merged: BTreeMap<Arc<Path>, FilePlaces> = BTreeMap::new();
    for places in found {
        match merged.get_mut(&places.path) {
            Some(known) => known.ranges.extend(places.ranges),
            None => drop(merged.insert(Arc::clone(&places.path), places)),
        }
    }
    let mut merged: Vec<_> = merged.into_values().collect();
    for places in &mut merged {
        order::by_start(&mut places.ranges, |it| it.start());
        places.ranges.dedup();
    }
    merged
}
