//! The names of a document: the definition of the name at a place, and its other occurrences.

mod chains;
mod connected;
mod places;
mod returned;
mod signatures;
mod tools;
mod unseen;

use foldhash::HashSet;

use crate::{
    ide::{
        Candidates, Document,
        mentions::Mention,
        unit::{Name, NameKind, Target},
    },
    model::{Edition, FieldId, Lowered},
};
use signature_ls_source::{
    host::{
        Notation, Role,
        elixir::tools::{Capture, Form},
    },
    order,
    text::{TextRange, TextSize, size},
};

pub(crate) use connected::{connected, names_only, symbols_at};
pub(crate) use places::{places, places_in};
pub use returned::Returned;
pub(crate) use returned::{declared, returned_with};
#[cfg(test)]
pub(crate) use signatures::units_using;
pub(crate) use signatures::{declaration, path_of, signature_at, signatures_of};
pub(crate) use unseen::unseen;

use places::{in_unit, units_with_tool};
use signatures::member_of;

/// The maximum distance of the key of a tool before its unit, without the name.
const LONGEST_GAP: TextSize = TextSize::new(256);

/// A name of a document, with ranges in bytes of the document.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// The index of its unit.
    pub(crate) unit: usize,
    pub(crate) name: Name,
}

/// What a name refers to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Symbol {
    /// A parameter or field.
    Field {
        /// The start of its signature, in bytes of the document.
        signature: TextSize,
        field: FieldId,
    },
    /// A value in the context of one unit, which no signature declares.
    Context {
        /// The index of the unit.
        unit: usize,
        /// Its name in normal form.
        name: String,
    },
    /// A tool.
    Tool {
        /// The index of the unit, if only its program can call the tool.
        unit: Option<usize>,
        /// The agent that has it, if others have different tools of that name.
        agent: Option<TextSize>,
        /// Its name in normal form.
        name: String,
    },
    /// A parameter or field of a tool whose signature is not in the document.
    Member {
        /// The index of the unit, if only its program can call the tool.
        unit: Option<usize>,
        member: Member,
    },
    /// A parameter or field of the agent that a function of another file returns.
    Returned(Returned),
    /// A function.
    Function(Capture),
}

/// A parameter of a tool, or a field of its parameters or its output.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Member {
    /// The tool's name in normal form.
    pub tool: String,
    /// Whether it is an input.
    pub is_input: bool,
    /// Its path, in normal form.
    pub path: Vec<String>,
}

impl Member {
    /// Its own name, in normal form.
    pub fn name(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    /// The parameter or field that it is in a signature of the tool.
    fn declared(&self, lowered: &Lowered, edition: Edition) -> Option<FieldId> {
        let (names, signature) = (&lowered.names, &lowered.signature);
        match self.is_input {
            true => names.input(signature, &self.path, edition),
            false => names.output(signature, &self.path, edition),
        }
    }
}

/// The names at `offset`; several if a literal belongs to several units.
pub(crate) fn at(document: &Document, offset: TextSize) -> Vec<Place> {
    let units = document.host().units_around(offset);
    let mut places: Vec<_> = units
        .into_iter()
        .filter_map(|unit| {
            let (placed, analysis) = document.unit(unit);
            let name = document.name_at(placed, analysis, offset - placed.start)?;
            let name = name.moved_by(placed.start);
            Some(Place { unit, name })
        })
        .collect();
    if places.is_empty() {
        places.extend(key_at(document, offset));
    }
    let weight = |it: &Place| (it.name.range.end() == offset, it.name.range.len());
    if let Some(best) = places.iter().min_by_key(|it| weight(it)) {
        let range = best.name.range;
        places.retain(|it| it.name.range == range);
    }
    places
}

/// The key of a tool at `offset`, which is before the unit of the tool.
fn key_at(document: &Document, offset: TextSize) -> Option<Place> {
    let line_end = document.text().line_range(offset).end();
    // In YAML, the keys of a tool are below its name.
    let next_line = document.text().line_range(line_end);
    let units = document
        .host()
        .units_in(TextRange::new(offset, next_line.end()));
    let mut keys = units.filter_map(|unit| key_before(document, unit));
    keys.find(|it| it.name.range.contains_inclusive(offset))
}

/// The key of a tool before its unit, as in `"search": {"signature": …}`.
fn key_before(document: &Document, unit: usize) -> Option<Place> {
    let (placed, analysis) = document.unit(unit);
    let is_map = placed.unit.notation != Notation::Elixir && placed.unit.catalog_entry().is_none();
    let mut fragments = analysis.fragments.iter();
    let fragment = fragments.find(|it| it.role == Role::Tool)?;
    let name = fragment.name.as_deref().filter(|_| is_map)?;
    let is_registered = |it: &Name| it.kind == NameKind::ToolEntry;
    let names = document.names_of(placed, analysis);
    if names.iter().any(|it| is_registered(&it)) {
        return None;
    }
    let longest = TextSize::of(name) + LONGEST_GAP;
    let start = placed.start.checked_sub(longest).unwrap_or_default();
    let before = document.text().slice(TextRange::new(start, placed.start));
    let key = before.trim_end().trim_end_matches(':').trim_end();
    let key = key.strip_suffix(['"', '\'']).unwrap_or(key);
    let at = key.strip_suffix(name)?.len();
    let start = placed.start - TextSize::of(&*before) + size(at);
    Some(Place {
        unit,
        name: Name {
            range: TextRange::at(start, TextSize::of(name)),
            kind: NameKind::ToolEntry,
            target: Target::Tool(name.to_owned()),
        },
    })
}

/// The place of the name of the tool whose signature or function begins at `offset`.
pub(crate) fn of_tool_at(document: &Document, offset: TextSize) -> Option<TextSize> {
    let units = document.host().units_around(offset).into_iter();
    let mut names = units.filter_map(|unit| {
        let (placed, analysis) = document.unit(unit);
        let at = offset - placed.start;
        let mut sites = placed.unit.sites.iter();
        let site = sites.find(|it| it.role == Role::Tool && it.literal.start() == at);
        let mut tools = placed.unit.tools.iter().flatten();
        let mut tool = || tools.find(|it| it.key.cover(it.range).contains(at));
        let name = match site {
            Some(site) => site.name.as_deref()?,
            None => tool()?.name.as_deref()?,
        };
        let target = Target::Tool(name.to_owned());
        let is_it = |it: &Name| it.kind == NameKind::ToolEntry && it.target == target;
        let own = document.names_of(placed, analysis).iter().find(is_it);
        let own = own.map(|it| it.range.start() + placed.start);
        own.or_else(|| Some(key_before(document, unit)?.name.range.start()))
    });
    names.next()
}

/// What a name refers to; several symbols if several tools have the same name.
pub(crate) fn symbols(document: &Document, place: &Place) -> Vec<Symbol> {
    let normal = |name: &str| document.edition().normal_name(name);
    match &place.name.target {
        Target::Field { fragment, field } => {
            let (placed, analysis) = document.unit(place.unit);
            let signature = placed.start + analysis.fragments[*fragment].start;
            vec![Symbol::Field {
                signature,
                field: *field,
            }]
        }
        Target::Elsewhere { source, field } => {
            let (placed, _) = document.unit(place.unit);
            if let Some(signature) = placed.origin(*source) {
                return vec![Symbol::Field {
                    signature,
                    field: *field,
                }];
            }
            let returned = returned::of_source(document, place.unit, *source, *field);
            let symbols = returned
                .into_iter()
                .map(|it| match declared(document, &it) {
                    Some(symbol) => symbol,
                    None => Symbol::Returned(it),
                });
            symbols.collect()
        }
        Target::Context(name) => vec![Symbol::Context {
            unit: place.unit,
            name: name.clone(),
        }],
        Target::Tool(name) => vec![Symbol::Tool {
            unit: unit_with_own(document, place.unit, name),
            agent: tools::agent(document, place.unit, &normal(name)),
            name: normal(name),
        }],
        Target::Argument { tool, path } => members(document, place.unit, tool, path, true),
        Target::Result { tool, path } => members(document, place.unit, tool, path, false),
        Target::Function(capture) => vec![Symbol::Function(capture.clone())],
        Target::Unknown => Vec::new(),
    }
}

/// The unit itself, if it contains a program and its tools, and `tool` is one of them.
fn unit_with_own(document: &Document, unit: usize, tool: &str) -> Option<usize> {
    let tool = document.edition().normal_name(tool);
    let mut tools = own_tools(document, unit);
    tools.any(|it| it == tool).then_some(unit)
}

/// The names of the tools that only the program beside them in `unit` can call, in normal form.
pub(crate) fn own_tools(document: &Document, unit: usize) -> impl Iterator<Item = String> {
    let unit = &document.unit(unit).0.unit;
    let tools = unit.tools.iter().flatten();
    let tools = tools.filter(|_| unit.program_literal().is_some());
    let names = tools.filter_map(|it| it.name.as_deref());
    names.map(|it| document.edition().normal_name(it))
}

fn members(
    document: &Document,
    unit: usize,
    tool: &str,
    path: &[String],
    is_input: bool,
) -> Vec<Symbol> {
    let unit = unit_with_own(document, unit, tool);
    let member = Member {
        tool: document.edition().normal_name(tool),
        is_input,
        path: path.to_vec(),
    };
    let fields = declared_members(document, unit, &member);
    match fields.is_empty() {
        true => vec![Symbol::Member { unit, member }],
        false => fields,
    }
}

/// What signatures of the document declare `member`.
fn declared_members(document: &Document, unit: Option<usize>, member: &Member) -> Vec<Symbol> {
    let signatures = signatures_of(document, unit, &member.tool).into_iter();
    let fields = signatures.filter_map(|(signature, lowered)| {
        let field = member.declared(lowered, document.edition())?;
        Some(Symbol::Field { signature, field })
    });
    fields.collect()
}

/// The names of all tools, at their registrations and calls, in the order of the text.
pub(crate) fn tool_names(document: &Document) -> Vec<Place> {
    let is_tool = |it: &Target| matches!(it, Target::Tool(_));
    let units = document.units().enumerate();
    let units = units.filter(|(_, (placed, analysis))| {
        !analysis.tools.is_empty() || !placed.unit.program().calls.is_empty()
    });
    let names = units.flat_map(|(unit, _)| {
        let named = in_unit(document, unit, is_tool).into_iter();
        named.chain(key_before(document, unit))
    });
    in_order(names.collect())
}

/// The functions that are tools, each with its candidates, in the order of the text.
pub(crate) fn captured(document: &Document) -> Vec<(TextRange, Candidates)> {
    let is_function = |it: &Target| matches!(it, Target::Function(_));
    let units = document.naming_functions();
    let names = units.flat_map(|unit| in_unit(document, unit, is_function));
    let mut captured: Vec<_> = names
        .filter_map(|place| match &place.name.target {
            Target::Function(it) => Some((place.name.range, document.scope().candidates(it))),
            _ => None,
        })
        .collect();
    order::by_start(&mut captured, |(range, _)| range.start());
    captured.dedup_by_key(|(range, _)| *range);
    captured
}

/// What a field of a signature is for programs in other documents: a member of the tool that they call.
pub(crate) fn shared_member(
    document: &Document,
    signature: TextSize,
    field: FieldId,
) -> Option<Member> {
    let member = member_of(document, signature, field)?;
    let mut shared = signatures_of(document, None, &member.tool).into_iter();
    let is_shared = shared.any(|(start, _)| start == signature);
    is_shared.then_some(member)
}

/// The meaning of a member of a tool in programs without tools of their own.
pub(crate) fn of_member(document: &Document, member: &Member) -> Vec<Symbol> {
    let used = Symbol::Member {
        unit: None,
        member: member.clone(),
    };
    let declared = declared_members(document, None, member).into_iter();
    declared.chain([used]).collect()
}

/// The unit whose program alone can call the tool of a name.
pub(crate) fn owner(document: &Document, place: &Place) -> Option<usize> {
    match &place.name.target {
        Target::Tool(tool) | Target::Argument { tool, .. } | Target::Result { tool, .. } => {
            unit_with_own(document, place.unit, tool)
        }
        _ => None,
    }
}

/// All occurrences of the name at `offset`, in the order of the text.
pub(crate) fn all_places(document: &Document, offset: TextSize) -> Vec<Place> {
    let here = at(document, offset);
    let symbols = here.iter().flat_map(|it| symbols(document, it));
    let symbols = connected(document, symbols.collect());
    places_of_all(document, &symbols)
}

/// The occurrences of `symbols`, in the order of the text.
pub(crate) fn places_of_all(document: &Document, symbols: &[Symbol]) -> Vec<Place> {
    let all = symbols.iter().flat_map(|it| places(document, it));
    in_order(all.collect())
}

/// `places` in the order of the text, each name once.
fn in_order(mut places: Vec<Place>) -> Vec<Place> {
    order::by_start_in(&mut places, |it| (it.name.range.start(), it.unit));
    places.dedup_by_key(|it| it.name.range);
    places
}

/// Whether a name is a declaration.
pub(crate) fn is_definition(place: &Place) -> bool {
    let is_context = matches!(place.name.target, Target::Context(_));
    place.name.kind.is_definition() || (is_context && place.name.kind == NameKind::SampleKey)
}

/// The functions that are registered as the only tool with the name that `unit` calls.
pub(crate) fn captures_of(document: &Document, unit: usize, tool: &str) -> Vec<Capture> {
    registered_as(document, unit_with_own(document, unit, tool), tool)
}

/// The functions that are registered as the tool: in the unit `own`, if that is given.
pub(crate) fn registered_as(document: &Document, own: Option<usize>, tool: &str) -> Vec<Capture> {
    let edition = document.edition();
    let normal = edition.normal_name(tool);
    let units = document.mentioning(Mention::tool(&normal));
    let units = units.filter(|index| own.is_none_or(|own| own == *index));
    let tools = units.flat_map(|index| document.unit(index).0.unit.tools.iter().flatten());
    let named = tools.filter(|it| {
        let name = it.name.as_deref().map(|it| edition.normal_name(it));
        name.as_ref() == Some(&normal)
    });
    let captures = named.filter_map(|it| match &it.form {
        Form::Function(capture) => capture.as_deref().cloned(),
        _ => None,
    });
    let captures: HashSet<_> = captures.collect();
    captures.into_iter().collect()
}

/// The existing symbol that conflicts with renaming `symbol` to `new`.
pub(crate) fn beside(document: &Document, symbol: &Symbol, new: &str) -> Option<&'static str> {
    let edition = document.edition();
    let new = edition.normal_name(new);
    match symbol {
        Symbol::Field { signature, field } => {
            let lowered = signature_at(document, *signature)?;
            let own = lowered.names.get(*field)?.range;
            let siblings = lowered.names.siblings(&lowered.signature, *field)?;
            let mut others = siblings.iter().filter(|it| it.name_range != own);
            let is_taken = others.any(|it| edition.is_normal_name(&new, &it.name));
            is_taken.then_some("a parameter or field beside it has that name")
        }
        Symbol::Context { unit, name } => {
            let is_meant = |it: &Target| matches!(it, Target::Context(it) if *it == new);
            let is_taken = !in_unit(document, *unit, is_meant).is_empty();
            (new != *name && is_taken).then_some("the context has a value of that name")
        }
        Symbol::Tool { unit, agent, name } => {
            let units = units_with_tool(document, &new).into_iter();
            let mut units = units.filter(|it| {
                let may_have = |agent| tools::may_have(document, (agent, name), (*it, &new));
                unit_with_own(document, *it, &new) == *unit && agent.is_none_or(may_have)
            });
            (new != *name && units.next().is_some()).then_some("another tool has that name")
        }
        Symbol::Returned(returned) => {
            let mut units = document.naming_functions();
            let is_meant = |it: &Target| matches!(it, Target::Context(it) if *it == new);
            let is_taken = returned.is_input
                && units.any(|unit| !in_unit(document, unit, is_meant).is_empty());
            is_taken.then_some("a context has a value of that name")
        }
        Symbol::Member { .. } | Symbol::Function(_) => None,
    }
}
