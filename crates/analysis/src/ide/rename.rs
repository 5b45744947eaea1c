//! Renames a parameter, a field, a tool or a value of the context in all places.
//!
//! Each place keeps its spelling, with hyphens or with underscores. The result is verified: the names after the edits
//! refer to the same symbols as before, or the rename is refused with the reason.

mod spelling;

use foldhash::{HashMap, HashSet};

use self::spelling::{is_written_key, refuse_invalid, spelled, takes_any_spelling};
use crate::{
    ide::{
        Document, Reported, Severity,
        names::{self, Place, Symbol},
        shared::{Shared, shared, symbols_of},
        unit::{BlindKind, NameKind},
    },
    model::render::kebab_name,
};
use signature_ls_source::{
    host::{
        HostKind, Notation,
        elixir::{
            head::strings,
            tools::{Capture, Form},
        },
    },
    order,
    text::{TextEdit, TextRange, TextSize, size},
};

/// A name that can be renamed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamable {
    /// The name there, in bytes of the document.
    pub range: TextRange,
    /// The name as it is written there.
    pub name: String,
}

/// Why a rename is refused: a sentence for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub String);

/// The name that can be renamed at `offset`; `None` outside of signature strings.
pub fn prepare_rename(document: &Document, offset: TextSize) -> Result<Option<Renamable>, Refusal> {
    let Some(renaming) = Renaming::at(document, offset) else {
        return Ok(None);
    };
    renaming.prepare().map(Some)
}

/// The edits that rename the name at `offset` to `new`; `None` outside of signature strings.
pub fn rename(
    document: &Document,
    offset: TextSize,
    new: &str,
) -> Result<Option<Vec<TextEdit>>, Refusal> {
    let Some(renaming) = Renaming::at(document, offset) else {
        return Ok(None);
    };
    renaming.run(new).map(Some)
}

/// The meaning of the name at `offset` for other files, if it can be renamed, with everything that is renamed with it.
pub fn shared_by_rename(document: &Document, offset: TextSize) -> Vec<Shared> {
    let renaming = Renaming::at(document, offset);
    renaming.map(|it| it.shared()).unwrap_or_default()
}

/// What else is renamed in `document` together with `shared`.
pub fn shared_with(document: &Document, shared: &[Shared]) -> Vec<Shared> {
    let renaming = Renaming::of(document, shared, None);
    renaming.map(|it| it.shared()).unwrap_or_default()
}

/// The name at `offset` that refers to `shared`, if it can be renamed in this document and in others.
pub fn prepare_shared(
    document: &Document,
    shared: &[Shared],
    offset: TextSize,
) -> Result<Option<Renamable>, Refusal> {
    let renaming = Renaming::of(document, shared, Some(offset));
    renaming.map(|it| it.prepare()).transpose()
}

/// The edits of `document` that rename all of `shared` to `new`. `origin` is the place of the request, if it was in
/// this document.
pub fn rename_shared(
    document: &Document,
    shared: &[Shared],
    origin: Option<TextSize>,
    new: &str,
) -> Result<Vec<TextEdit>, Refusal> {
    match Renaming::of(document, shared, origin) {
        Some(renaming) => renaming.run(new),
        // No visible name refers to it.
        None => {
            let symbols = shared.iter().flat_map(|it| symbols_of(document, it));
            refuse_unseen_of_all(document, &symbols.collect::<Vec<_>>())?;
            Ok(Vec::new())
        }
    }
}

/// A function that gets a parameter as a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taker {
    /// The function, with the full name of its module.
    pub function: Capture,
    /// The name of the parameter.
    pub name: String,
    /// Whether the function matches it in its head.
    is_matched: bool,
}

impl Taker {
    /// Refuses if the function reads the parameter: in its head, or in its body, if `document` defines it.
    pub fn refuse_read(&self, document: &Document) -> Result<(), Refusal> {
        let mut bodies = document.host().bodies_of(&self.function).into_iter();
        let is_read = |body| {
            let code = document.text().slice(body);
            let mut strings = strings(&code).into_iter();
            strings.any(|it| code[it].trim_matches('"') == self.name)
        };
        let place = match self.is_matched {
            true => "head",
            false if bodies.any(is_read) => "body",
            false => return Ok(()),
        };
        let Capture { name, arity, .. } = &self.function;
        Err(Refusal(format!(
            "The {place} of `{name}/{arity}` reads `{}`, which is not renamed; change it there first.",
            self.name
        )))
    }
}

/// The functions that get the parameter at `offset` as tools.
pub fn takers_at(document: &Document, offset: TextSize) -> Vec<Taker> {
    let renaming = Renaming::at(document, offset);
    renaming.map(|it| it.all_takers()).unwrap_or_default()
}

/// The functions that get one of `shared` as tools.
pub fn takers_of(document: &Document, shared: &[Shared]) -> Vec<Taker> {
    let renaming = Renaming::of(document, shared, None);
    renaming.map(|it| it.all_takers()).unwrap_or_default()
}

/// A symbol to rename.
struct Renaming<'a> {
    document: &'a Document,
    /// The place of the request, or one of the occurrences.
    origin: Place,
    /// Whether that is the place of the request.
    is_asked: bool,
    /// Whether other documents are searched for declarations.
    is_shared: bool,
    /// In the order in which the text leads from one to the next.
    symbols: Vec<Symbol>,
}

impl<'a> Renaming<'a> {
    fn at(document: &'a Document, offset: TextSize) -> Option<Self> {
        let origin = names::at(document, offset).into_iter().next()?;
        if origin.name.kind == NameKind::Element {
            return None;
        }
        let symbols = names::connected(document, names::symbols_at(document, origin.name.range));
        let is_ours = |it: &Symbol| !matches!(it, Symbol::Function(_));
        let is_named = symbols.iter().any(|it| is_place_of(document, &origin, it));
        (is_named && symbols.iter().all(is_ours)).then_some(Self {
            document,
            origin,
            is_asked: true,
            is_shared: false,
            symbols,
        })
    }

    fn of(document: &'a Document, shared: &[Shared], asked: Option<TextSize>) -> Option<Self> {
        let symbols = shared.iter().flat_map(|it| symbols_of(document, it));
        let symbols = names::connected(document, symbols.collect());
        let places = names::places_of_all(document, &symbols);
        let is_asked =
            |it: &&Place| asked.is_some_and(|asked| it.name.range.contains_inclusive(asked));
        let origin = places.iter().find(is_asked);
        Some(Self {
            document,
            origin: origin.or(places.first())?.clone(),
            is_asked: origin.is_some(),
            is_shared: true,
            symbols,
        })
    }

    fn shared(&self) -> Vec<Shared> {
        let symbols = self.symbols.iter().cloned();
        let shared = symbols.flat_map(|it| shared(self.document, it));
        shared.collect()
    }

    fn prepare(&self) -> Result<Renamable, Refusal> {
        self.refuse_unseen()?;
        let range = self.origin.name.range;
        Ok(Renamable {
            range,
            name: self.document.text().slice(range).into_owned(),
        })
    }

    fn run(&self, new: &str) -> Result<Vec<TextEdit>, Refusal> {
        let is_tool = |it: &Symbol| matches!(it, Symbol::Tool { .. });
        let is_catalog = self.document.host().kind() == HostKind::Catalog;
        refuse_invalid(new, is_catalog && self.symbols.iter().all(is_tool))?;
        self.refuse_unseen()?;
        let places = names::places_of_all(self.document, &self.symbols);
        self.refuse_taken(&places, new)?;
        let edits = self.edits(&places, new);
        self.verify(&places, &edits, new)?;
        Ok(edits)
    }

    /// Refuses if a place may contain the name and cannot be read.
    fn refuse_unseen(&self) -> Result<(), Refusal> {
        for symbol in &self.symbols {
            if let (Symbol::Member { member, .. }, false) = (symbol, self.is_shared) {
                return Err(Refusal(format!(
                    "The signature that declares `{}` of the tool `{}` is not in this document; rename it there.",
                    member.name(),
                    member.tool
                )));
            }
            if let (Symbol::Returned(it), false) = (symbol, self.is_shared) {
                let Capture { name, arity, .. } = &it.function;
                return Err(Refusal(format!(
                    "The signature that declares the key is in `{name}/{arity}`; rename it there."
                )));
            }
            if let Symbol::Field { signature, .. } = symbol
                && names::signature_at(self.document, *signature).is_none()
            {
                return Err(Refusal(
                    "Cannot see all uses: the signature is only known by its anchor.".to_owned(),
                ));
            }
            self.refuse_undefined(symbol)?;
            self.refuse_read(symbol)?;
        }
        refuse_unseen_of_all(self.document, &self.symbols)
    }

    /// Refuses if a separate program names a value that it gets from elsewhere.
    fn refuse_undefined(&self, symbol: &Symbol) -> Result<(), Refusal> {
        let Symbol::Context { unit, name } = symbol else {
            return Ok(());
        };
        let (placed, _) = self.document.unit(*unit);
        let is_given_elsewhere = placed.unit.notation == Notation::Lisp
            && !names::places(self.document, symbol)
                .iter()
                .any(names::is_definition);
        match is_given_elsewhere {
            true => Err(Refusal(format!(
                "Cannot see all uses: the code that gives `{name}` its value is not beside the program."
            ))),
            false => Ok(()),
        }
    }

    /// Refuses if the function of a tool reads the key, where no edit changes it.
    fn refuse_read(&self, symbol: &Symbol) -> Result<(), Refusal> {
        let mut takers = self.takers(symbol).into_iter();
        takers.try_for_each(|it| it.refuse_read(self.document))
    }

    fn all_takers(&self) -> Vec<Taker> {
        self.symbols.iter().flat_map(|it| self.takers(it)).collect()
    }

    /// The functions that get a parameter as tools.
    fn takers(&self, symbol: &Symbol) -> Vec<Taker> {
        let Symbol::Field { signature, field } = symbol else {
            return Vec::new();
        };
        let known = names::signature_at(self.document, *signature);
        let param = known.filter(|it| it.names.ancestry(*field).len() == 1);
        let param = param.filter(|it| it.names.is_input(*field));
        let Some(param) = param.and_then(|it| it.names.field(&it.signature, *field)) else {
            return Vec::new();
        };
        let units = self.document.units_at(*signature);
        let tools = units.filter_map(|(placed, _)| {
            let tools = placed.unit.tools.iter().flatten();
            let mut own = tools.filter(|it| {
                let literal = it.signature();
                literal.is_some_and(|it| it.content.start() + placed.start == *signature)
            });
            own.next()
        });
        let edition = self.document.edition();
        let name = edition.normal_name(&param.name);
        let takers = tools.filter_map(|it| {
            let Form::Described(Some(capture)) = &it.form else {
                return None;
            };
            let scope = self.document.scope();
            let mut keys = scope.resolve(capture)?.function.string_keys.iter();
            Some(Taker {
                function: scope.full_name(capture)?,
                name: param.name.clone(),
                is_matched: keys.any(|it| edition.is_normal_name(&name, it)),
            })
        });
        takers.collect()
    }

    /// Refuses if a sibling has the name already.
    fn refuse_taken(&self, places: &[Place], new: &str) -> Result<(), Refusal> {
        let taken = |what: &str| Err(Refusal(format!("`{new}` is taken: {what}.")));
        for symbol in &self.symbols {
            if let Some(what) = names::beside(self.document, symbol, new) {
                return taken(what);
            }
        }
        let in_code =
            |it: &&Place| matches!(it.name.kind, NameKind::Local | NameKind::FunctionParameter);
        let in_code = places.iter().filter(in_code).map(|it| it.unit);
        for unit in in_code.collect::<HashSet<_>>() {
            let (placed, _) = self.document.unit(unit);
            let range = placed.range();
            let code = self.document.text().slice(range);
            let is_used = |it: &str| spelling::has_word(&code, it);
            if is_used(&kebab_name(new)) || is_used(new) {
                return taken("the function uses it for something else");
            }
        }
        Ok(())
    }

    fn edits(&self, places: &[Place], new: &str) -> Vec<TextEdit> {
        let edition = self.document.edition();
        let named = places.iter().filter(|it| it.name.kind != NameKind::Element);
        let is_key_typed = self.is_asked && is_written_key(self.document, &self.origin);
        let edits = named.filter_map(|place| {
            let range = place.name.range;
            let old = self.document.text().slice(range);
            let is_typed = self.is_asked
                && self.origin.name.kind.is_definition()
                && (range == self.origin.name.range || place.name.kind == NameKind::Listed);
            let is_typed = is_typed || (is_key_typed && takes_any_spelling(place.name.kind, &old));
            let new = spelled(place.name.kind, &old, new, is_typed, edition);
            (new != old).then(|| TextEdit::replace(range, new))
        });
        edits.collect()
    }

    /// Refuses if the names after the edits would not refer to the same symbols as before.
    fn verify(&self, places: &[Place], edits: &[TextEdit], new: &str) -> Result<(), Refusal> {
        let is_elsewhere = |it: &Symbol| matches!(it, Symbol::Returned(_));
        if self.symbols.iter().all(is_elsewhere) {
            // Here nothing declares the new name: the other file changes too.
            return Ok(());
        }
        let after = self.document.with_edits(edits);
        // The growth of the text up to each edit.
        let grown: Vec<i64> = std::iter::once(0)
            .chain(edits.iter().map(growth).scan(0, |sum, it| {
                *sum += it;
                Some(*sum)
            }))
            .collect();
        let moved = |range: TextRange| {
            let before = edits.partition_point(|it| it.range.end() <= range.start());
            let grown = grown[before];
            let own = edits.get(before).filter(|it| it.range == range);
            let len = own.map_or(range.len(), |it| TextSize::of(it.insert.as_str()));
            let start = i64::from(u32::from(range.start())) + grown;
            TextRange::at(size(usize::try_from(start).unwrap_or_default()), len)
        };
        let expected: Vec<_> = places.iter().map(|it| moved(it.name.range)).collect();
        // Without the others, not all of them are connected within the document.
        let starts = match self.is_shared {
            true => expected.clone(),
            false => vec![moved(self.origin.name.range)],
        };
        let mut seen: HashSet<TextRange> = HashSet::default();
        for start in starts {
            if !seen.contains(&start) {
                let symbols = names::connected(&after, names::symbols_at(&after, start));
                seen.extend(
                    names::places_of_all(&after, &symbols)
                        .iter()
                        .map(|it| it.name.range),
                );
            }
        }
        let mut found: Vec<_> = seen.iter().copied().collect();
        order::by_start(&mut found, |it| it.start());
        if found == expected {
            return self.refuse_new_finding(&after, new);
        }
        let known: HashSet<TextRange> = expected.iter().copied().collect();
        let differs = |range: &&TextRange| !known.contains(*range) || !seen.contains(*range);
        let place = expected.iter().chain(&found).find(differs);
        let line = place.map_or(1, |it| {
            after.text().rope().byte_to_line(it.start().into()) + 1
        });
        Err(Refusal(format!(
            "`{new}` is taken: in line {line} it would stand for something else."
        )))
    }

    /// Refuses if the document would have one more diagnostic. That is unknown where only other files declare the name.
    fn refuse_new_finding(&self, after: &Document, new: &str) -> Result<(), Refusal> {
        let is_declared = |it: &Symbol| match it {
            Symbol::Returned(it) => names::declared(self.document, it).is_some(),
            _ => true,
        };
        let is_field = |it: &Symbol| matches!(it, Symbol::Field { .. });
        let declares = self.symbols.iter().any(is_field) && self.symbols.iter().all(is_declared);
        if self.is_shared && !declares {
            return Ok(());
        }
        let mut left: HashMap<_, usize> = HashMap::default();
        for it in self.document.reported() {
            *left.entry(it.code()).or_default() += 1;
        }
        let mut is_new = |it: &Reported| match left.get_mut(it.code()) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        };
        let reported = after.reported().into_iter();
        let mut added = reported.filter(|it| is_new(it)).map(|it| it.diagnostic());
        let added = added.find(|it| it.severity > Severity::Hint);
        match added {
            Some(found) => Err(Refusal(format!(
                "`{new}` would cause a diagnostic in line {}: {}",
                after.text().rope().byte_to_line(found.range.start().into()) + 1,
                found.message
            ))),
            None => Ok(()),
        }
    }
}

/// Refuses if a place may refer to `symbol` and cannot be read.
pub(super) fn refuse_unseen_uses(document: &Document, symbol: &Symbol) -> Result<(), Refusal> {
    refuse_unseen_of_all(document, std::slice::from_ref(symbol))
}

/// The same for several symbols: the first such place in the text.
fn refuse_unseen_of_all(document: &Document, symbols: &[Symbol]) -> Result<(), Refusal> {
    let unseen = symbols.iter().filter_map(|it| names::unseen(document, it));
    let Some((range, what)) = unseen.min_by_key(|(range, _)| range.start()) else {
        return Ok(());
    };
    let why = match what {
        BlindKind::Interpolation => "the prompt has an interpolation that may name it",
        BlindKind::Value => "a value is only known at run time and may name it",
        BlindKind::Arguments => "the arguments of a call are only known at run time",
        BlindKind::Prompt => "the prompt is only known at run time",
        BlindKind::Program => "the program is only known at run time",
        BlindKind::Signature => "the signature is only known at run time or is written elsewhere",
        BlindKind::Chain => "a result flows from one agent to another by the names of its fields",
        BlindKind::Anchor => "the text has an anchor, so other places may use it",
        BlindKind::Binding => "`:keys` binds it again",
        BlindKind::Key => "the function of the tool may read it",
    };
    let line = document.text().rope().byte_to_line(range.start().into()) + 1;
    Err(Refusal(format!(
        "Cannot see all uses: in line {line} {why}."
    )))
}

fn growth(edit: &TextEdit) -> i64 {
    let len = |it: TextSize| i64::from(u32::from(it));
    len(TextSize::of(edit.insert.as_str())) - len(edit.range.len())
}

/// Whether `place` refers to `symbol`.
fn is_place_of(document: &Document, place: &Place, symbol: &Symbol) -> bool {
    if names::names_only(&place.name.target, symbol) {
        return true;
    }
    let places = names::places_in(document, symbol, &|it, _| it == place.unit);
    places.iter().any(|it| it.name.range == place.name.range)
}

#[cfg(test)]
mod tests;
