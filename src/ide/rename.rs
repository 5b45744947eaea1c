//! Renaming a parameter, a field, a tool or a value of the context, wherever it is named.
//!
//! Each place keeps its own spelling, with hyphens or with underscores. The result is verified: the names
//! after the edits stand for the same as before, or the renaming is refused with the reason.

mod spelling;

use std::collections::HashSet;

use self::spelling::{is_name, spelled};
use crate::{
    ide::{
        Document,
        names::{self, Place, Symbol},
        unit::{BlindKind, NameKind},
    },
    model::render::kebab_name,
    text::{TextEdit, TextRange, TextSize, size},
};

/// What can be renamed at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamable {
    /// The name there, in bytes of the document.
    pub range: TextRange,
    /// The name as it is written there.
    pub name: String,
}

/// Why something is not renamed: a sentence for the person who asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub String);

/// What can be renamed at `offset`; `None` where there is nothing of ours.
pub fn prepare_rename(document: &Document, offset: TextSize) -> Result<Option<Renamable>, Refusal> {
    let Some(renaming) = Renaming::at(document, offset) else {
        return Ok(None);
    };
    renaming.refuse_unseen()?;
    let range = renaming.origin.name.range;
    Ok(Some(Renamable {
        range,
        name: document.text().slice(range).into_owned(),
    }))
}

/// The edits that give the name at `offset` the name `new`; `None` where there is nothing of ours.
pub fn rename(
    document: &Document,
    offset: TextSize,
    new: &str,
) -> Result<Option<Vec<TextEdit>>, Refusal> {
    let Some(renaming) = Renaming::at(document, offset) else {
        return Ok(None);
    };
    if !is_name(new) {
        return Err(Refusal(format!(
            "`{new}` is not a name: start with a letter or `_`, then use letters, digits, `_` and `-`."
        )));
    }
    renaming.refuse_unseen()?;
    renaming.refuse_taken(new)?;
    let edits = renaming.edits(new);
    renaming.verify(&edits, new)?;
    Ok(Some(edits))
}

/// Something that is to get another name.
struct Renaming<'a> {
    document: &'a Document,
    /// Where somebody asked for it.
    origin: Place,
    symbols: HashSet<Symbol>,
    /// All that names it.
    places: Vec<Place>,
}

impl<'a> Renaming<'a> {
    fn at(document: &'a Document, offset: TextSize) -> Option<Self> {
        let origin = names::at(document, offset).into_iter().next()?;
        if origin.name.kind == NameKind::Element {
            return None;
        }
        let (symbols, places) = connected(document, &origin);
        let is_ours = |it: &Symbol| !matches!(it, Symbol::Function(_));
        let has_places = places.iter().any(|it| it.name.range == origin.name.range);
        (has_places && symbols.iter().all(is_ours)).then_some(Self {
            document,
            origin,
            symbols,
            places,
        })
    }

    fn line(&self, offset: TextSize) -> usize {
        self.document.text().rope().byte_to_line(offset.into()) + 1
    }

    /// Refuses where a place may hold the name and cannot be read.
    fn refuse_unseen(&self) -> Result<(), Refusal> {
        for symbol in &self.symbols {
            if let Symbol::Argument { tool, path, .. } = symbol {
                let name = path.last().map_or("", String::as_str);
                return Err(Refusal(format!(
                    "The signature that declares `{name}` of the tool `{tool}` is not in this document; rename it there."
                )));
            }
            let Some((range, what)) = names::unseen(self.document, symbol) else {
                continue;
            };
            let why = match what {
                BlindKind::Interpolation => "the prompt has an interpolation that may name it",
                BlindKind::Value => "a value is only known at run time and may name it",
                BlindKind::Arguments => "the arguments of a call are only known at run time",
                BlindKind::Binding => "`:keys` binds it again",
            };
            let line = self.line(range.start());
            return Err(Refusal(format!(
                "Cannot see all uses: in line {line} {why}."
            )));
        }
        Ok(())
    }

    /// Refuses where something beside it has the name already.
    fn refuse_taken(&self, new: &str) -> Result<(), Refusal> {
        let taken = |what: &str| Err(Refusal(format!("`{new}` is taken: {what}.")));
        for symbol in &self.symbols {
            if let Some(what) = names::beside(self.document, symbol, new) {
                return taken(what);
            }
        }
        let in_code =
            |it: &&Place| matches!(it.name.kind, NameKind::Local | NameKind::FunctionParameter);
        let units: HashSet<_> = self
            .places
            .iter()
            .filter(in_code)
            .map(|it| it.unit)
            .collect();
        for unit in units {
            let (placed, _) = self.document.unit(unit);
            let range = TextRange::at(placed.start, placed.unit.len);
            let code = self.document.text().slice(range);
            if spelling::has_word(&code, &kebab_name(new)) {
                return taken("the function uses it for something else");
            }
        }
        Ok(())
    }

    fn edits(&self, new: &str) -> Vec<TextEdit> {
        let edition = self.document.edition();
        let named = self
            .places
            .iter()
            .filter(|it| it.name.kind != NameKind::Element);
        let edits = named.map(|place| {
            let range = place.name.range;
            let old = self.document.text().slice(range);
            let is_origin = range == self.origin.name.range;
            let new = spelled(place.name.kind, &old, new, is_origin, edition);
            TextEdit::replace(range, new)
        });
        edits.collect()
    }

    /// Refuses where the names after the edits would not stand for the same as before.
    fn verify(&self, edits: &[TextEdit], new: &str) -> Result<(), Refusal> {
        let mut after = self.document.clone();
        for edit in edits.iter().rev() {
            after.edit(edit);
        }
        let moved = |range: TextRange| {
            let before = edits.partition_point(|it| it.range.end() <= range.start());
            let grown: i64 = edits[..before].iter().map(growth).sum();
            let own = edits.get(before).filter(|it| it.range == range);
            let len = own.map_or(range.len(), |it| TextSize::of(it.insert.as_str()));
            let start = i64::from(u32::from(range.start())) + grown;
            TextRange::at(size(usize::try_from(start).unwrap_or_default()), len)
        };
        let expected: Vec<_> = self.places.iter().map(|it| moved(it.name.range)).collect();
        let origin = moved(self.origin.name.range);
        let found = names::at(&after, origin.start()).into_iter().next();
        let found = found.map(|it| connected(&after, &it).1).unwrap_or_default();
        let found: Vec<_> = found.iter().map(|it| it.name.range).collect();
        if found == expected {
            return Ok(());
        }
        let differs = |range: &&TextRange| !expected.contains(range) || !found.contains(range);
        let place = expected.iter().chain(&found).find(differs);
        let line = place.map_or(1, |it| {
            after.text().rope().byte_to_line(it.start().into()) + 1
        });
        Err(Refusal(format!(
            "`{new}` is taken: in line {line} it would stand for something else."
        )))
    }
}

fn growth(edit: &TextEdit) -> i64 {
    let len = |it: TextSize| i64::from(u32::from(it));
    len(TextSize::of(edit.insert.as_str())) - len(edit.range.len())
}

/// All that `origin` stands for, and all places that name one of these. A literal that several calls use
/// connects the signatures of these calls.
fn connected(document: &Document, origin: &Place) -> (HashSet<Symbol>, Vec<Place>) {
    let mut symbols = HashSet::new();
    let mut places = Vec::new();
    let mut left = vec![origin.name.range];
    let mut seen: HashSet<TextRange> = HashSet::new();
    while let Some(range) = left.pop() {
        if !seen.insert(range) {
            continue;
        }
        let here = names::at(document, range.start()).into_iter();
        for place in here.filter(|it| it.name.range == range) {
            let mut named = names::symbols(document, &place);
            while let Some(symbol) = named.pop() {
                if symbols.insert(symbol.clone()) {
                    named.extend(names::chained(document, &symbol));
                    let named = names::places(document, &symbol);
                    left.extend(named.iter().map(|it| it.name.range));
                    places.extend(named);
                }
            }
        }
    }
    places.sort_by_key(|it: &Place| (it.name.range.start(), it.unit));
    places.dedup_by_key(|it| it.name.range);
    (symbols, places)
}

#[cfg(test)]
mod tests;
