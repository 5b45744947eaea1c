//! The outline of a document: its agents and tools with their parameters and fields.

use std::fmt::Display;

use crate::{
    ide::{
        Document, analysis::UnitAnalysis, fragment::KeptSymbol, listing::functions, place::Literal,
    },
    model::{Field, Signature, Type, TypeKind, render::beginning},
};
use signature_ls_source::{
    host::{HAS_SMALL_STEPS, Notation, PlacedUnit, Role, Site},
    order,
    text::{TextRange, TextSize},
};

/// An entry of the outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Its name; never empty.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// The signature or the type, cut off if it is long.
    pub detail: String,
    /// Its whole range, in bytes of the document.
    pub range: TextRange,
    /// The range that an editor selects, within `range`.
    pub selection: TextRange,
    /// Its children.
    pub children: Vec<Symbol>,
}

impl Symbol {
    /// The name of an agent without one.
    pub const UNNAMED: &str = "signature";

    /// The same symbol, moved by `offset` bytes.
    fn moved_by(&self, offset: TextSize) -> Self {
        let children = self.children.iter();
        Self {
            name: self.name.clone(),
            kind: self.kind,
            detail: self.detail.clone(),
            range: self.range + offset,
            selection: self.selection + offset,
            children: children.map(|it| it.moved_by(offset)).collect(),
        }
    }
}

/// The kinds of symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    /// An agent, or a signature on its own.
    Agent,
    /// A tool.
    Tool,
    /// A parameter.
    Parameter,
    /// A field of a record.
    Field,
}

/// The agents and tools of `document` in the order of the text; nested ones are children.
pub fn symbols(document: &Document) -> Vec<Symbol> {
    symbols_in(document, TextRange::up_to(document.text().len()))
}

/// The agents and tools that overlap `range`.
pub(super) fn symbols_in(document: &Document, range: TextRange) -> Vec<Symbol> {
    let found = found(document, range).into_iter();
    let mut names = UnitName::default();
    nested(found.map(|it| it.symbol(document, &mut names)))
}

/// The agents and tools of `document`, outer ones before inner ones: their kinds, and the ranges that an editor
/// selects.
pub(super) fn heads(document: &Document) -> impl Iterator<Item = (SymbolKind, TextRange)> {
    let all = TextRange::up_to(document.text().len());
    let found = found(document, all).into_iter();
    found.map(|it| (it.kind, it.selection))
}

/// An agent or a tool, before its details are read.
struct Found<'a> {
    kind: SymbolKind,
    range: TextRange,
    selection: TextRange,
    what: What<'a>,
}

enum What<'a> {
    Literal(Literal<'a>),
    /// A function that is a tool: its name and its signature.
    Function(String, Signature),
    /// An agent with the signature that an alias or a merge key of YAML stands for.
    Alias(&'a PlacedUnit, &'a Signature),
}

/// The agents and tools that overlap `range`, outer ones before inner ones.
fn found(document: &Document, range: TextRange) -> Vec<Found<'_>> {
    let mut found = Vec::new();
    for (placed, analysis) in document.units_in(range) {
        let literals = Literal::of_unit(placed, analysis);
        let literals = literals.filter_map(|it| of_literal(document, it));
        found.extend(literals.filter(|it| it.range.intersect(range).is_some()));
        found.extend(of_alias(placed, analysis));
        found.extend(functions(document, placed).into_iter().filter_map(|it| {
            Some(Found {
                kind: SymbolKind::Tool,
                range: it.range,
                selection: it.range,
                what: What::Function(it.name?, it.signature),
            })
        }));
    }
    order::outer_first(&mut found, |it| it.range);
    // A tool with a name may belong to several units.
    let is_tool = |it: &Found<'_>| it.kind == SymbolKind::Tool;
    found.dedup_by(|one, other| one.range == other.range && is_tool(one) && is_tool(other));
    found
}

fn of_literal<'a>(document: &Document, literal: Literal<'a>) -> Option<Found<'a>> {
    literal.fragment.lowered()?;
    let entry = literal.placed.unit.catalog_entry();
    let own = agent_range(document, literal.placed);
    let (kind, range) = match literal.site.role {
        Role::Tool if entry.is_none() => (SymbolKind::Tool, literal.literal()),
        Role::Tool => (SymbolKind::Tool, own),
        _ => (SymbolKind::Agent, own),
    };
    let entry_name = entry.and_then(|it| it.name());
    let selection = match entry_name {
        Some(name) => name.text_range() + literal.placed.start,
        None if literal.literal().end() <= range.start() => first_line(document, range),
        None => literal.literal(),
    };
    Some(Found {
        kind,
        range: range.cover(selection),
        selection,
        what: What::Literal(literal),
    })
}

fn of_alias<'a>(placed: &'a PlacedUnit, analysis: &'a UnitAnalysis) -> Option<Found<'a>> {
    let agent = placed.unit.flow.agent.as_ref()?;
    if placed.unit.notation != Notation::Yaml {
        return None;
    }
    let signature = analysis.signature(&placed.unit)?;
    Some(Found {
        kind: SymbolKind::Agent,
        range: placed.range(),
        selection: agent.range + placed.start,
        what: What::Alias(placed, signature),
    })
}

impl Found<'_> {
    fn symbol(self, document: &Document, names: &mut UnitName) -> Symbol {
        let (name, detail, children) = match self.what {
            What::Literal(literal) => {
                let kept = kept(&literal);
                // Parameters that agents share are in none of them.
                let is_inside = self.range.contains_range(literal.literal());
                let members = kept.members.iter().filter(|_| is_inside);
                let members = members.map(|it| it.moved_by(literal.start));
                (
                    name(document, &literal, names),
                    kept.detail.clone(),
                    members.collect(),
                )
            }
            What::Function(name, signature) => (name, detail(&signature), Vec::new()),
            What::Alias(placed, signature) => (
                names.of_agent(document, placed),
                detail(signature),
                Vec::new(),
            ),
        };
        Symbol {
            name,
            kind: self.kind,
            detail,
            range: self.range,
            selection: self.selection,
            children,
        }
    }
}

/// The outline of the signature in a literal.
fn kept<'a>(literal: &Literal<'a>) -> &'a KeptSymbol {
    literal.fragment.kept().symbol.get_or_init(|| {
        let lowered = literal.fragment.lowered();
        let signature =
            lowered.map_or_else(Signature::unknown, |it| Signature::clone(&it.signature));
        KeptSymbol {
            detail: detail(&signature),
            members: members(&signature),
        }
    })
}

/// The name of the unit of the last lookup: a unit may have thousands of literals and arguments.
#[derive(Default)]
struct UnitName(Option<(TextRange, Option<String>)>);

impl UnitName {
    fn of(&mut self, document: &Document, placed: &PlacedUnit) -> Option<String> {
        let unit = placed.range();
        if let Some((_, name)) = self.0.as_ref().filter(|(of, _)| *of == unit) {
            return name.clone();
        }
        let name = placed.unit.argument("name").and_then(|it| {
            let text = document.text().slice(it.value + placed.start);
            let name = text.trim().trim_matches(['"', '\'']);
            (!name.is_empty()).then(|| name.to_owned())
        });
        self.0 = Some((unit, name.clone()));
        name
    }

    fn of_agent(&mut self, document: &Document, placed: &PlacedUnit) -> String {
        let function = || {
            placed
                .unit
                .program()
                .function
                .as_ref()
                .map(|it| it.name.clone())
        };
        self.of(document, placed)
            .or_else(|| bound_name(document, placed))
            .or_else(function)
            .unwrap_or_else(|| Symbol::UNNAMED.to_owned())
    }
}

/// The range of an agent: its call, from its signature on if that precedes it for it alone.
pub(super) fn agent_range(document: &Document, placed: &PlacedUnit) -> TextRange {
    let own = placed.own_range();
    let is_before =
        |it: &&Site| it.role == Role::Signature && it.literal.end() + placed.start <= own.start();
    let Some(before) = placed.unit.sites.iter().find(is_before) else {
        return own;
    };
    let start = before.literal.start() + placed.start;
    let has_it = |other: &PlacedUnit| {
        let mut sites = other.unit.sites.iter();
        sites.any(|it| it.role == Role::Signature && it.literal.start() + other.start == start)
    };
    let users = document.units_at(start).filter(|(it, _)| has_it(it));
    match users.take(2).count() {
        1 => TextRange::new(start, own.end()),
        _ => own,
    }
}

/// The first line of `range`, without blanks at its end.
pub(super) fn first_line(document: &Document, range: TextRange) -> TextRange {
    let line = document.text().line_range(range.start());
    let first = line.intersect(range).unwrap_or(range);
    let text = document.text().slice(first);
    TextRange::at(first.start(), TextSize::of(text.trim_end()))
}

/// The name of the agent that a unit is, if it has one.
pub(super) fn agent_name(document: &Document, placed: &PlacedUnit) -> Option<String> {
    let name = UnitName::default().of_agent(document, placed);
    (name != Symbol::UNNAMED).then_some(name)
}

/// The name of an agent or tool, or another identification.
fn name(document: &Document, literal: &Literal<'_>, names: &mut UnitName) -> String {
    let own = literal.site.name.as_deref().filter(|it| !it.is_empty());
    let own = own.map(str::to_owned);
    match literal.site.role {
        Role::Tool => own.unwrap_or_else(|| Symbol::UNNAMED.to_owned()),
        _ => own.unwrap_or_else(|| names.of_agent(document, literal.placed)),
    }
}

/// The length of the text before an agent that is searched for its name, in bytes.
const LONGEST_BINDING: TextSize = TextSize::new(128);

/// The name that the text before an agent gives it: `agent = …`, `@agent …`, `"agent": …`, `(def agent …`.
fn bound_name(document: &Document, placed: &PlacedUnit) -> Option<String> {
    let end = placed.own_range().start();
    let start = end.checked_sub(LONGEST_BINDING);
    let before = TextRange::new(start.unwrap_or_default(), end);
    let before = document.text().slice(before);
    let before = before.trim_end();
    let before = before.strip_suffix('{').unwrap_or(before).trim_end();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '?' | '!');
    let last_word = |text: &str| {
        let text = text.trim_end_matches(['"', '\'']);
        let start = text.trim_end_matches(is_part).len();
        (start < text.len()).then(|| (text[start..].to_owned(), text[..start].to_owned()))
    };
    let name = match placed.unit.notation {
        Notation::Elixir => {
            let bound = |text: &str| match text.strip_suffix('=') {
                Some(pattern) => Some(last_word(pattern.trim_end())?.0),
                None => Some(last_word(text).filter(|(_, rest)| rest.ends_with('@'))?.0),
            };
            // The unit begins after the name of the call.
            let call = before.trim_end_matches(|c| is_part(c) || c == '.');
            let call = call.trim_end();
            bound(before)
                .or_else(|| bound(call))
                .or_else(|| function_name(call))?
        }
        Notation::Lisp => {
            let is_definition = |rest: &str| rest.trim_end().ends_with("(def");
            last_word(before)
                .filter(|(_, rest)| rest.ends_with(':') || is_definition(rest))?
                .0
        }
        Notation::Json | Notation::Yaml => last_word(before.strip_suffix(':')?.trim_end())?.0,
    };
    Some(name)
}

/// The name of the function whose head is at the end of `text`, as in `def agent do`.
fn function_name(text: &str) -> Option<String> {
    let head = text
        .strip_suffix("do:")
        .or_else(|| text.strip_suffix("do"))?;
    let head = head.lines().next_back()?.trim_start();
    let head = head
        .strip_prefix("def ")
        .or_else(|| head.strip_prefix("defp "))?;
    let end = head.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '?' | '!')))?;
    (end > 0).then(|| head[..end].to_owned())
}

fn members(signature: &Signature) -> Vec<Symbol> {
    let params = signature.params.iter();
    let params = params.map(|it| member(it, SymbolKind::Parameter));
    params.chain(fields(&signature.output)).collect()
}

fn member(field: &Field, kind: SymbolKind) -> Symbol {
    let selection = field.name_range;
    Symbol {
        name: field.name.clone(),
        kind,
        detail: detail(&field.ty),
        range: match field.ty.range.is_empty() {
            true => selection,
            false => selection.cover(field.ty.range),
        },
        selection,
        children: fields(&field.ty),
    }
}

fn fields(ty: &Type) -> Vec<Symbol> {
    match &ty.kind {
        TypeKind::Record(fields) => fields
            .iter()
            .map(|it| member(it, SymbolKind::Field))
            .collect(),
        TypeKind::List(element) => fields(element),
        TypeKind::Primitive(_) | TypeKind::Unknown => Vec::new(),
    }
}

/// The greatest length of a detail in bytes, without the `…` at its end. Otherwise, each record in records would repeat all those in it.
const LONGEST_DETAIL: usize = 256;

/// The beginning of what `shown` is written as.
fn detail(shown: &impl Display) -> String {
    if !HAS_SMALL_STEPS {
        return shown.to_string();
    }
    match beginning(shown, LONGEST_DETAIL) {
        (whole, true) => whole,
        (beginning, false) => beginning + "…",
    }
}

/// The maximum depth of symbols: writing and dropping them recurses.
const MOST_NESTED: usize = 64;

/// Nests each symbol in the one that contains it; outer ones come first.
fn nested(found: impl Iterator<Item = Symbol>) -> Vec<Symbol> {
    let mut open: Vec<Symbol> = Vec::new();
    let mut roots = Vec::new();
    for symbol in found {
        while open.len() == MOST_NESTED
            || open
                .last()
                .is_some_and(|it| !it.range.contains_range(symbol.range))
        {
            close(&mut open, &mut roots);
        }
        open.push(symbol);
    }
    while !open.is_empty() {
        close(&mut open, &mut roots);
    }
    roots
}

fn close(open: &mut Vec<Symbol>, roots: &mut Vec<Symbol>) {
    if let Some(symbol) = open.pop() {
        match open.last_mut() {
            Some(parent) => parent.children.push(symbol),
            None => roots.push(symbol),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::ide::testing::document;
    use signature_ls_source::host::HostKind;

    #[track_caller]
    fn check(kind: HostKind, text: &str, expected: &Expect) {
        let document = document(kind, text);
        let mut shown = String::new();
        for symbol in symbols(&document) {
            show(&symbol, 0, &document, &mut shown);
        }
        expected.assert_eq(&shown);
    }

    fn show(symbol: &Symbol, depth: usize, document: &Document, out: &mut String) {
        assert!(symbol.range.contains_range(symbol.selection), "{symbol:?}");
        let selected = document.text().slice(symbol.selection);
        let (indent, name, kind, detail) = (
            "  ".repeat(depth),
            &symbol.name,
            symbol.kind,
            &symbol.detail,
        );
        out.push_str(&format!("{indent}{name} {kind:?} {detail} | {selected}\n"));
        for child in &symbol.children {
            assert!(symbol.range.contains_range(child.range), "{symbol:?}");
            show(child, depth + 1, document, out);
        }
    }

    #[test]
    fn nested_records_are_not_repeated_at_each_level() {
        let text = |depth| {
            let (open, close) = ("[{floor ".repeat(depth), "}]".repeat(depth));
            format!("f(x {open}:int{close}) -> :int\n")
        };
        for (depth, is_cut_off) in [(1, false), (100, true)] {
            let text = text(depth);
            let symbols = symbols(&document(HostKind::Catalog, &text));
            assert_eq!(symbols[0].detail.ends_with('…'), is_cut_off, "{depth}");
            let (mut level, mut details) = (&symbols[0], 0);
            while let Some(child) = level.children.first() {
                assert!(
                    text.contains(child.detail.trim_end_matches('…')),
                    "{child:?}"
                );
                details += child.detail.len();
                level = child;
            }
            assert!(details <= (LONGEST_DETAIL + 3) * (depth + 1), "{details}");
        }
    }

    #[test]
    fn an_agent_has_the_name_that_it_is_bound_to() {
        for (kind, text) in [
            (
                HostKind::Elixir,
                "agent = SubAgent.new(prompt: \"x\", signature: \":int\")\n",
            ),
            (
                HostKind::Elixir,
                "defmodule A do\n  @agent SubAgent.new(prompt: \"x\", signature: \":int\")\nend\n",
            ),
            (
                HostKind::Elixir,
                "def agent do\n  SubAgent.new(prompt: \"x\", signature: \":int\")\nend\n",
            ),
            (
                HostKind::Yaml,
                "agents:\n  agent:\n    model: x\n    signature: :int\n    prompt: x\n",
            ),
            (
                HostKind::Yaml,
                "agents:\n  agent: {signature: ':int', prompt: x}\n",
            ),
            (
                HostKind::Json,
                "{\"agents\": {\"agent\": {\"signature\": \":int\", \"prompt\": \"x\"}}}",
            ),
            (
                HostKind::Lisp,
                "(def agent {:signature \":int\" :prompt \"x\"})\n",
            ),
            (
                HostKind::Lisp,
                "{:agents {:agent {:signature \":int\" :prompt \"x\"}}}\n",
            ),
        ] {
            let names: Vec<_> = symbols(&document(kind, text))
                .into_iter()
                .map(|it| it.name)
                .collect();
            assert_eq!(names, ["agent"], "{text}");
        }
        for text in [
            "run(SubAgent.new(prompt: \"x\", signature: \":int\"))\n",
            "x == SubAgent.new(prompt: \"x\", signature: \":int\")\n",
        ] {
            let name = symbols(&document(HostKind::Elixir, text))[0].name.clone();
            assert_eq!(name, Symbol::UNNAMED, "{text}");
        }
    }

    #[test]
    fn an_agent_has_the_signature_that_yaml_borrows_for_it() {
        check(
            HostKind::Yaml,
            "sig: &s \"(a :int) -> :int\"\nagents:\n  alpha:\n    signature: *s\n    prompt: \"Hi {{a}}\"\n    tools:\n      beta: \"(q :string) -> :int\"\n",
            &expect![[r#"
                signature Agent (a :int) -> :int | "(a :int) -> :int"
                  a Parameter :int | a
                alpha Agent (a :int) -> :int | *s
                  beta Tool (q :string) -> :int | "(q :string) -> :int"
                    q Parameter :string | q
            "#]],
        );
        check(
            HostKind::Yaml,
            "defaults: &defaults\n  signature: \":int\"\ntriage:\n  <<: *defaults\n  prompt: \"Hi {{a}}\"\n",
            &expect![[r#"
                defaults Agent () -> :int | ":int"
                triage Agent () -> :int | *defaults
            "#]],
        );
    }

    #[test]
    fn nesting_is_bounded() {
        let text = "signature: \":int\"\nprompt: x\n".repeat(500);
        let symbols = symbols(&document(HostKind::Yaml, &text));
        let mut level = &symbols;
        let mut depth = 0;
        while let Some(last) = level.iter().max_by_key(|it| it.children.len()) {
            level = &last.children;
            depth += 1;
        }
        assert!((2..=MOST_NESTED).contains(&depth), "{depth}");
    }

    #[test]
    fn tools_are_children_of_their_agent() {
        check(
            HostKind::Elixir,
            r#"
SubAgent.new(
  name: "finder",
  signature: "(q :string) -> {hits [{id :int}]}",
  tools: %{"search" => {&M.search/2, "(query :string) -> :any"}, "get" => &M.get/1}
)
"#,
            &expect![[r#"
                finder Agent (q :string) -> {hits [{id :int}]} | "(q :string) -> {hits [{id :int}]}"
                  q Parameter :string | q
                  hits Field [{id :int}] | hits
                    id Field :int | id
                  search Tool (query :string) -> :any | "(query :string) -> :any"
                    query Parameter :string | query
            "#]],
        );
        check(
            HostKind::Catalog,
            "search(q :string) -> :any\n  Finds.\n\nbroken(q :strng\n",
            &expect![[r#"
                search Tool (q :string) -> :any | search
                  q Parameter :string | q
                broken Tool (q :string) -> :any | broken
                  q Parameter :string | q
            "#]],
        );
        check(HostKind::Elixir, "def f(x), do: x\n", &expect![""]);
    }
}
