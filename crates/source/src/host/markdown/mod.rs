//! Markdown and Livebook: code blocks, each read by the host of its language.
//!
//! Top-level blocks are parsed separately. An edit is applied from a block before it up to the first block after it
//! whose start did not change: nothing after that can have changed.

mod blocks;
mod doc;
mod edit;
mod embedded;
mod facts;
mod fences;
mod iex;
mod language;
mod notebook;
mod noted;
mod programs;
mod signatures;
mod skeleton;
#[cfg(test)]
mod tests;

pub use doc::units_in_doc;
pub(in crate::host) use fences::Fence;
pub use iex::has_prompt;
pub use programs::Programs;

use std::{borrow::Cow, ops::Range, sync::Arc};

use crate::{
    host::{
        PlacedUnit, Roles, UnitChange,
        elixir::{
            module::{Facts, Module},
            places::{self, FunctionPlace},
            tools::Capture,
        },
        front_matter::{self, FrontMatter},
        markdown::{
            blocks::{Blocks, CodeBlock},
            edit::Region,
            facts::AllFacts,
            notebook::Notebook,
        },
        units::{Units, moved},
    },
    order, parallel,
    text::{Text, TextEdit, TextRange, TextSize},
};

/// A Markdown document, updated from edit to edit.
#[derive(Debug, Clone)]
pub struct Document {
    front_matter: Option<FrontMatter>,
    /// Where parsing can begin, in order: after front matter or byte order mark, and at the top-level blocks after a
    /// blank line. No construct extends over a blank line unless it is one block.
    starts: Vec<TextSize>,
    /// The code blocks of known languages, in order.
    code: Vec<CodeBlock>,
    /// Whether it is a file of Livebook.
    is_livebook: bool,
    /// The number of code blocks that install packages.
    installing: usize,
    /// The cells of a Livebook, or of a page that installs packages.
    notebook: Option<Notebook>,
    facts: AllFacts,
}

impl Document {
    /// Parses all of `text`, which is `whole` in one piece, a file of Livebook or another page.
    pub fn parse(
        text: &Text,
        whole: &str,
        roles: &Roles,
        is_livebook: bool,
    ) -> (Self, Vec<PlacedUnit>) {
        let front_matter = front_matter::find(text).filter(FrontMatter::is_closed);
        let body_start = match &front_matter {
            Some(found) => found.body_start,
            None => byte_order_mark(text),
        };
        let body = &whole[usize::from(body_start)..];
        let mut stretch = Stretch::read(body.into(), body_start);
        let installing = installing(&stretch.code);
        let is_notebook = is_livebook || installing > 0;
        let notebook =
            is_notebook.then(|| Notebook::read(&stretch.text, stretch.start, &stretch.code, roles));
        let is_cell = |block: &&CodeBlock| is_notebook && block.is_cell();
        let alone: Vec<_> = stretch.code.iter().filter(|it| !is_cell(it)).collect();
        let alone = parallel::map(&alone, |block| stretch.units(block, roles));
        let units = alone.into_iter().reduce(|mut units, more| {
            units.extend(more);
            units
        });
        let mut units = units.unwrap_or_default();
        if let Some(notebook) = &notebook {
            units.extend(notebook.units_in(TextRange::up_to(text.len()), text));
            order::by_start(&mut units, |it| it.start);
        }
        let facts = parallel::map(&stretch.code, |block| stretch.facts(block));
        for (block, facts) in stretch.code.iter_mut().zip(facts) {
            block.facts = facts;
        }
        let document = Self {
            front_matter,
            starts: stretch.starts,
            facts: AllFacts::of(&stretch.code),
            code: stretch.code,
            is_livebook,
            installing,
            notebook,
        };
        (document, units)
    }

    /// Whether it is a file of Livebook.
    pub fn is_livebook(&self) -> bool {
        self.is_livebook
    }

    /// The functions in the code; the same `Arc` as before if an edit does not change them.
    pub fn facts(&self) -> &Arc<Facts> {
        self.facts.get()
    }

    /// The code block around `offset`.
    pub fn code_at(&self, offset: TextSize) -> Option<&CodeBlock> {
        let before = self.code.partition_point(|block| block.start <= offset);
        let block = self.code.get(before.checked_sub(1)?)?;
        block.range().contains_inclusive(offset).then_some(block)
    }

    /// The blocks that an edit at `offset` of `text` makes it read again, if it changes none of their borders.
    pub fn blocks_around(&self, text: &Text, offset: TextSize) -> TextRange {
        let after = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts.get(after.saturating_sub(2)).copied();
        let end = self.starts.get(after + 1).copied();
        let end = end.unwrap_or(text.len());
        TextRange::new(start.unwrap_or_default().min(end), end)
    }

    /// The places of the function with the full name of its module.
    pub fn function_places(&self, text: &Text, function: &Capture) -> Vec<FunctionPlace> {
        let is_of_module = |it: &Arc<Module>| Some(&it.name) == function.module.as_ref();
        let defines = |block: &&CodeBlock| {
            let facts = block.facts.as_ref();
            facts.is_some_and(|it| it.modules.iter().any(is_of_module))
        };
        let blocks = self.code.iter().filter(defines);
        let places = blocks.flat_map(|block| {
            let places = places::function_places(&block.code(text), function);
            places.into_iter().map(|it| it.moved_by(block.start))
        });
        places.collect()
    }

    /// The function whose definition or spec has its name at `offset`, one per arity, and the place of the name.
    pub fn function_at(&self, text: &Text, offset: TextSize) -> Option<(TextRange, Vec<Capture>)> {
        let block = self.code_at(offset).filter(|it| it.facts.is_some())?;
        let (range, found) = places::function_at(&block.code(text), offset - block.start)?;
        Some((range + block.start, found))
    }

    /// Applies an edit; `None` if all of `text`, the document after it, has to be parsed again.
    pub fn edit(
        &mut self,
        text: &Text,
        edit: &TextEdit,
        units: &mut Units,
        roles: &Roles,
    ) -> Option<UnitChange> {
        let is_in_body = match &self.front_matter {
            Some(found) => found.sealed && found.body_start <= edit.range.start(),
            None => {
                let body_start = *self.starts.first()?;
                body_start <= edit.range.start()
                    && body_start == byte_order_mark(text)
                    && !front_matter::opens(text)
            }
        };
        if !is_in_body {
            return None;
        }
        let mut region = Region::find(&self.starts, text, edit);
        let old = blocks_in(&self.code, region.old);
        let installed = installing(&self.code[old.clone()]);
        self.installing = self.installing - installed + installing(&region.stretch.code);
        if (self.is_livebook || self.installing > 0) != self.notebook.is_some() {
            return None;
        }
        let mut changed = region.old;
        if let Some(notebook) = &mut self.notebook {
            changed = notebook.edit(text, &region, &self.code[old], edit, roles)?;
        }
        let mut new_units = Vec::new();
        let mut code = std::mem::take(&mut region.stretch.code);
        for block in &mut code {
            let same = region.same_block(&self.code, block, edit);
            block.facts = match same {
                Some(same) => same.facts.clone(),
                None => region.stretch.facts(block),
            };
            if self.notebook.is_some() && block.is_cell() {
                continue;
            }
            match same {
                Some(same) => new_units.extend(kept(units, same, edit)),
                None => new_units.extend(region.stretch.units(block, roles)),
            }
        }
        region.stretch.code = code;
        if let Some(notebook) = &self.notebook {
            let around = &self.code[blocks_in(&self.code, changed)];
            let is_kept = |it: &&CodeBlock| !it.is_cell() && !region.old.contains(it.start);
            let around = around.iter().filter(is_kept);
            new_units.extend(around.flat_map(|block| kept(units, block, edit)));
            new_units.extend(notebook.units_in(follow(changed, text, edit), text));
            order::by_start(&mut new_units, |it| it.start);
        }
        let removed = units.beginning_in(changed);
        let gone = blocks_in(&self.code, region.old);
        let around = [&self.code[..gone.start], &self.code[gone.end..]];
        self.facts
            .replace(around, &self.code[gone], &region.stretch.code)?;
        region.replace(&mut self.starts, &mut self.code, edit);
        Some(units.replace(removed, new_units, edit))
    }
}

/// The units of a block that does not change, after `edit`.
fn kept(units: &Units, block: &CodeBlock, edit: &TextEdit) -> impl Iterator<Item = PlacedUnit> {
    let kept = &units.as_slice()[units.beginning_in(block.range())];
    kept.iter().map(|unit| unit.moved(edit))
}

/// `range`, which contains `edit` and may extend beyond the end, after it; `text` is the document then.
fn follow(range: TextRange, text: &Text, edit: &TextEdit) -> TextRange {
    let end = match range.end() == TextSize::from(u32::MAX) {
        true => text.len() + TextSize::from(1),
        false => moved(range.end(), edit),
    };
    TextRange::new(range.start(), end)
}

/// The number of blocks that install packages.
fn installing(code: &[CodeBlock]) -> usize {
    code.iter().filter(|it| it.installs).count()
}

/// The indices of the blocks that begin in `range`.
fn blocks_in(code: &[CodeBlock], range: TextRange) -> Range<usize> {
    let first = code.partition_point(|it| it.start < range.start());
    let end = code.partition_point(|it| it.start < range.end());
    first..end
}

/// A range of the document that begins outside of blocks.
struct Stretch<'t> {
    start: TextSize,
    text: Cow<'t, str>,
    starts: Vec<TextSize>,
    code: Vec<CodeBlock>,
}

impl<'t> Stretch<'t> {
    fn read(text: Cow<'t, str>, start: TextSize) -> Self {
        let Blocks { starts, mut code } = blocks::scan(&text);
        for block in &mut code {
            block.start += start;
        }
        let found = starts.into_iter().map(|at| at + start);
        let starts = std::iter::once(start).chain(found.filter(|at| *at > start));
        Self {
            start,
            starts: starts.collect(),
            code,
            text,
        }
    }

    fn units(&self, block: &CodeBlock, roles: &Roles) -> Vec<PlacedUnit> {
        embedded::units(&self.text[block.range() - self.start], block, roles)
    }

    fn facts(&self, block: &CodeBlock) -> Option<Arc<Facts>> {
        embedded::facts(&self.text[block.range() - self.start], block)
    }
}

fn byte_order_mark(text: &Text) -> TextSize {
    match text.rope().chars().next() {
        Some(mark @ '\u{feff}') => TextSize::of(mark),
        _ => TextSize::from(0),
    }
}
