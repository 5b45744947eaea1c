//! Renames a tool, or an argument of one, across files.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use super::{
    FileId, Here, View, outlines,
    view::{ViewedDocument, ViewedFile},
};
use signature_ls_analysis::ide::{
    Document, Meaning, Refusal, Renamable, Returned, Shared, Taker, declared_by_functions,
    declares, functions_at, places_of, prepare_rename, prepare_shared, rename, rename_shared,
    shared_by_rename, shared_with, takers_at, takers_of,
};
use signature_ls_source::{
    host::elixir::tools::Capture,
    text::{Text, TextEdit, TextSize},
};

/// The edits of a file.
#[derive(Debug, Clone)]
pub struct FileEdits {
    /// The file.
    pub file: FileId,
    /// Its path, unless only an editor has it.
    pub path: Option<Arc<Path>>,
    /// The text that the edits apply to.
    pub text: Text,
    /// The edits, in the order of the text.
    pub edits: Vec<TextEdit>,
}

/// The other files to change, with everything that is renamed.
#[derive(Debug, Default)]
struct Extent {
    shared: Vec<Shared>,
    /// Those that were read first would depend on what happened before.
    others: BTreeMap<Arc<Path>, (FileId, Arc<Document>)>,
}

impl View {
    /// The name that can be renamed at `offset`, in this file or in several; `None` outside of signature strings.
    pub fn prepare_rename(
        &self,
        here: Here<'_>,
        offset: TextSize,
    ) -> Result<Option<Renamable>, Refusal> {
        refuse_function(here.document, offset)?;
        let extent = self.extent(here, offset)?;
        self.refuse_read(here.file, takers_at(here.document, offset))?;
        match extent.others.is_empty() {
            true => prepare_rename(here.document, offset),
            false => prepare_shared(here.document, &extent.shared, offset),
        }
    }

    /// The edits that rename the name at `offset` to `new`, in all files that refer to it; `None` outside of signature
    /// strings.
    pub fn rename(
        &self,
        here: Here<'_>,
        offset: TextSize,
        new: &str,
    ) -> Result<Option<Vec<FileEdits>>, Refusal> {
        refuse_function(here.document, offset)?;
        let extent = self.extent(here, offset)?;
        let own = |edits| FileEdits {
            file: here.file,
            path: self.path(here.file).cloned(),
            text: here.document.text().clone(),
            edits,
        };
        self.refuse_read(here.file, takers_at(here.document, offset))?;
        if extent.others.is_empty() {
            let edits = rename(here.document, offset, new)?;
            return Ok(edits.map(|edits| vec![own(edits)]));
        }
        self.refuse_taken(&extent, here, new)?;
        let edits = rename_shared(here.document, &extent.shared, Some(offset), new)?;
        let mut all = vec![own(edits)];
        for (path, (file, document)) in extent.others {
            self.refuse_read(file, takers_of(&document, &extent.shared))?;
            let edits = rename_shared(&document, &extent.shared, None, new);
            let edits = edits.map_err(|Refusal(reason)| in_file(&self.shown(&path), &reason))?;
            all.push(FileEdits {
                file,
                path: Some(path),
                text: document.text().clone(),
                edits,
            });
        }
        all.retain(|it| !it.edits.is_empty());
        Ok(Some(all))
    }

    /// The other files that a rename at `offset` affects.
    fn extent(&self, here: Here<'_>, offset: TextSize) -> Result<Extent, Refusal> {
        let mut extent = Extent {
            shared: shared_by_rename(here.document, offset),
            others: BTreeMap::new(),
        };
        let mut next = 0;
        // A name in one of these files may refer to something else there, which other files refer to.
        while let Some(shared) = extent.shared.get(next).cloned() {
            next += 1;
            for file in self.reached(here, &shared)? {
                if extent.others.contains_key(&file.path) {
                    continue;
                }
                let document = self.current_document(&file)?;
                for found in shared_with(&document, std::slice::from_ref(&shared)) {
                    if !extent.shared.contains(&found) {
                        extent.shared.push(found);
                    }
                }
                extent.others.insert(file.path, (file.file, document));
            }
        }
        Ok(extent)
    }

    /// The other files with a shared name, which must be defined in exactly one.
    fn reached(&self, here: Here<'_>, shared: &Shared) -> Result<Vec<ViewedFile>, Refusal> {
        if let Some(returned) = shared.returned() {
            return self.reached_by_calls(here, returned);
        }
        let Some(tool) = shared.tool() else {
            return Ok(Vec::new());
        };
        let reach = self.reach(tool);
        let is_here = |it: &ViewedFile| it.file == here.file;
        // The calls of a tool that no file has are renamed together.
        let is_lost = reach.offering.is_empty() && matches!(shared, Shared::Member(_));
        if reach.wanting.is_empty() || is_lost {
            return Ok(Vec::new());
        }
        self.refuse_incomplete()?;
        if let [_, second, ..] = reach.offering.as_slice() {
            let other = reach.offering.iter().find(|it| !is_here(it));
            let other = other.unwrap_or(second);
            let caller = &reach.wanting[0];
            return Err(Refusal(format!(
                "`{}` calls a tool `{tool}`, and several files have one, such as `{}`: which is called cannot be seen.",
                self.shown(&caller.path),
                self.shown(&other.path),
            )));
        }
        if let Some(offering) = reach.offering.first() {
            self.refuse_undeclared(offering, here, shared)?;
        }
        let all = reach.offering.into_iter().chain(reach.wanting);
        Ok(all.filter(|it| !is_here(it)).collect())
    }

    /// The other files with a parameter or field of the agent that a function returns.
    fn reached_by_calls(
        &self,
        here: Here<'_>,
        returned: &Returned,
    ) -> Result<Vec<ViewedFile>, Refusal> {
        let Some(definer) = self.definer(here.file, returned) else {
            return Ok(Vec::new());
        };
        let mut files = self.running(here.file, returned);
        files.retain(|it| it.file != here.file);
        if files.is_empty() {
            return Ok(files);
        }
        self.refuse_incomplete()?;
        let is_declared = match definer.file == here.file {
            true => declares(here.document, returned),
            false => declares(&*self.current_document(&definer)?, returned),
        };
        if is_declared {
            return Ok(files);
        }
        let Capture { name, arity, .. } = &returned.function;
        Err(Refusal(format!(
            "Cannot see which signature in `{}` the agent of `{name}/{arity}` has.",
            self.shown(&definer.path)
        )))
    }

    /// Refuses if a function in another file than `file` reads the parameter that it gets as a tool.
    fn refuse_read(&self, file: FileId, takers: Vec<Taker>) -> Result<(), Refusal> {
        for taker in takers {
            let found = self.function_around(file, &taker.function);
            let Some(found) = found.filter(|it| it.file != file) else {
                continue;
            };
            let text = found.text.whole();
            let settings = self.document(file).map(|it| it.document.settings().clone());
            let document = outlines::document(&found.path, &text, &settings.unwrap_or_default());
            let read = document.map_or(Ok(()), |it| taker.refuse_read(&it));
            read.map_err(|Refusal(reason)| in_file(&self.shown(&found.path), &reason))?;
        }
        Ok(())
    }

    fn refuse_incomplete(&self) -> Result<(), Refusal> {
        match self.is_complete() {
            true => Ok(()),
            false => Err(Refusal(
                "Cannot see all uses: reading the workspace was canceled.".to_owned(),
            )),
        }
    }

    /// Refuses if the signature that declares an argument is not in the file of the tool.
    fn refuse_undeclared(
        &self,
        offering: &ViewedFile,
        here: Here<'_>,
        shared: &Shared,
    ) -> Result<(), Refusal> {
        let Shared::Member(member) = shared else {
            return Ok(());
        };
        let is_declared = |document: &Document| {
            let places = places_of(document, shared);
            places.iter().any(|it| it.is_definition)
        };
        let other;
        let document = match offering.file == here.file {
            true => here.document,
            false => {
                other = self.current_document(offering)?;
                &*other
            }
        };
        if is_declared(document) {
            return Ok(());
        }
        if let Some(declared) = declared_by_functions(document, shared).first() {
            let Capture { name, arity, .. } = declared.function();
            return Err(Refusal(format!(
                "`{}` has its name from the function `{name}/{arity}`; rename it there.",
                member.name()
            )));
        }
        Err(Refusal(format!(
            "No signature in `{}` declares `{}` of the tool `{}`.",
            self.shown(&offering.path),
            member.name(),
            member.tool
        )))
    }

    /// Refuses if another file has a tool with the new name, which the calls would also refer to.
    fn refuse_taken(&self, extent: &Extent, here: Here<'_>, new: &str) -> Result<(), Refusal> {
        let renames_tool = extent.shared.iter().any(|it| matches!(it, Shared::Tool(_)));
        let normal = here.document.edition().normal_name(new);
        let is_same = |it: &Shared| matches!(it, Shared::Tool(name) if *name == normal);
        if !renames_tool || extent.shared.iter().any(is_same) {
            return Ok(());
        }
        match self.reach(&normal).offering.first() {
            Some(file) => Err(Refusal(format!(
                "`{new}` is taken: `{}` has a tool of that name.",
                self.shown(&file.path)
            ))),
            None => Ok(()),
        }
    }

    /// The path of a file relative to its folder.
    fn shown(&self, path: &Path) -> String {
        let mut areas = self.areas.iter();
        let below = areas.find_map(|it| path.strip_prefix(it).ok());
        below.unwrap_or(path).display().to_string()
    }

    fn current_document(&self, file: &ViewedFile) -> Result<Arc<Document>, Refusal> {
        match self.document(file.file) {
            Some(ViewedDocument {
                document,
                is_current: true,
            }) => Ok(document),
            _ => Err(in_file(
                &self.shown(&file.path),
                "The file was just changed; try again.",
            )),
        }
    }
}

/// Refuses to rename a function, because its other callers are not known, and what only a function declares.
fn refuse_function(document: &Document, offset: TextSize) -> Result<(), Refusal> {
    for link in functions_at(document, offset) {
        let (name, arity) = (&link.function.name, link.function.arity);
        let reason = match &link.meaning {
            Meaning::Function => {
                format!(
                    "`{name}` is a function of Elixir, and the code that calls it cannot be seen."
                )
            }
            Meaning::Parameter(parameter) => {
                format!(
                    "`{parameter}` has its name from the function `{name}/{arity}`; rename it there."
                )
            }
            Meaning::Key | Meaning::Returned => continue,
        };
        return Err(Refusal(reason));
    }
    Ok(())
}

fn in_file(path: &str, reason: &str) -> Refusal {
    Refusal(format!("`{path}`: {reason}"))
}
