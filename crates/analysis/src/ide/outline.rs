//! What other files need to know of a document: its agents and tools, their callers, and the functions it uses.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use crate::{
    ide::{
        Asks, Candidates, Document, Listed, Symbol, SymbolKind, listing,
        names::{self, Place},
        symbols::{agent_range, first_line, symbols, symbols_in},
        unit::{NameKind, Target},
    },
    model::{Signature, render::beginning},
};
use signature_ls_source::{
    host::{
        PlacedUnit, Role, Site,
        elixir::tools::{Form, Tool},
    },
    order,
    text::{TextRange, TextSize},
};

/// What a document defines and uses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// The agents and tools with a signature; nested ones are children.
    pub symbols: Vec<Symbol>,
    /// The calls, maps and programs that use tools or have a prompt, in the order of the text.
    pub agents: Vec<Agent>,
    /// The names of tools, in the order of the text.
    pub tools: Vec<NamedTool>,
    /// The functions that are tools, in the order of the text.
    pub functions: Vec<NamedFunction>,
    /// Its questions to other files.
    pub asks: Arc<Asks>,
}

/// An agent or a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its signature, if it has one.
    pub detail: Option<String>,
    /// Whether it is only code that calls tools.
    pub is_code: bool,
    /// Its whole range, in bytes of the document.
    pub range: TextRange,
    /// The range that an editor selects, within `range`.
    pub selection: TextRange,
}

/// A registration or a call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedTool {
    /// The name as written.
    pub name: String,
    /// Its normal form, the same for all spellings.
    pub normal_name: String,
    /// The name, in bytes of the document.
    pub range: TextRange,
    /// The signature of the tool, if the document knows it.
    pub detail: Option<String>,
    /// Whether the tool is registered here, not called.
    pub is_entry: bool,
    /// Whether only the program beside it can call the tool.
    pub is_private: bool,
    /// The functions that may be the tool, by the full names of their modules.
    pub functions: Candidates,
    /// Whether it has the signature of the `@spec` of its function.
    pub has_spec: bool,
}

/// The name of a function that is a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFunction {
    /// The name, in bytes of the document.
    pub range: TextRange,
    /// The candidates for the function.
    pub functions: Candidates,
}

impl Outline {
    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it registers a tool with that normal name that others can call.
    pub fn offers(&self, tool: &str) -> bool {
        let mut shared = self.shared(tool);
        shared.any(|it| it.is_entry)
    }

    /// Whether it calls a tool with that normal name that it does not register.
    pub fn wants(&self, tool: &str) -> bool {
        let mut shared = self.shared(tool);
        shared.next().is_some() && !self.offers(tool)
    }

    /// The names of the tool with that normal name that are not private.
    pub fn shared(&self, tool: &str) -> impl Iterator<Item = &NamedTool> {
        let tools = self.tools.iter();
        tools.filter(move |it| !it.is_private && it.normal_name == tool)
    }

    /// A function that finds the innermost agent around a range. It is made once for many ranges: making it sorts all agents.
    pub fn agents_around<'a>(&'a self) -> impl Fn(TextRange) -> Option<&'a Agent> {
        let mut agents: Vec<_> = self.agents.iter().collect();
        order::outer_first(&mut agents, |it| it.range);
        let mut parents = Vec::with_capacity(agents.len());
        for (index, agent) in agents.iter().enumerate() {
            let mut around = index.checked_sub(1);
            while let Some(at) = around
                && !agents[at].range.contains_range(agent.range)
            {
                around = parents[at];
            }
            parents.push(around);
        }
        move |range| {
            let begun = agents.partition_point(|it| it.range.start() <= range.start());
            let mut around = begun.checked_sub(1);
            while let Some(at) = around
                && !agents[at].range.contains_range(range)
            {
                around = parents[at];
            }
            around.map(|at| agents[at])
        }
    }
}

/// The tool whose name is at `offset`.
pub fn tool_at(document: &Document, offset: TextSize) -> Option<NamedTool> {
    named_tools(document, names::at(document, offset)).pop()
}

/// The agent whose selection is at `offset`; of several, the innermost.
pub fn agent_at(document: &Document, offset: TextSize) -> Option<Agent> {
    let units = document
        .units_at(offset)
        .filter(|(placed, _)| is_agent(placed));
    let agents = units.map(|(placed, _)| {
        let symbols = symbols_in(document, agent_range(document, placed));
        let mut signed = Vec::new();
        symbols.iter().for_each(|it| signed_agents(it, &mut signed));
        agent(document, placed, &signed)
    });
    let agents = agents.filter(|it| it.selection.contains_inclusive(offset));
    agents.min_by_key(|it| it.range.len())
}

/// The outline of `document`.
pub fn outline(document: &Document) -> Outline {
    let symbols = symbols(document);
    Outline {
        agents: agents(document, &symbols),
        tools: named_tools(document, names::tool_names(document)),
        functions: functions(document),
        asks: Arc::clone(document.asks()),
        symbols,
    }
}

/// The tools whose names are at `places`.
fn named_tools(document: &Document, places: Vec<Place>) -> Vec<NamedTool> {
    let listed = match places.is_empty() {
        true => Vec::new(),
        false => listing(document),
    };
    let mut by_name: HashMap<&str, Vec<&Listed>> = HashMap::default();
    for it in &listed {
        if let Some(name) = &it.name {
            by_name.entry(name).or_default().push(it);
        }
    }
    let signature = |name: &str, range: TextRange| {
        let listed = by_name.get(name)?;
        let before = listed.partition_point(|it| it.range.end() <= range.start());
        Some(&listed.get(before)?.signature)
    };
    let mut by_unit = HashMap::default();
    let named = places.into_iter().filter_map(|place| {
        let Target::Tool(name) = &place.name.target else {
            return None;
        };
        let own = by_unit
            .entry(place.unit)
            .or_insert_with(|| ToolsOfUnit::of(document, place.unit));
        let normal_name = document.edition().normal_name(name);
        let (functions, has_spec) = own.functions(document, place.name.range);
        Some(NamedTool {
            range: place.name.range,
            is_entry: place.name.kind == NameKind::ToolEntry,
            detail: signature(name, place.name.range).and_then(|it| detail(it, has_spec)),
            is_private: own.private.contains(&normal_name),
            functions,
            has_spec,
            normal_name,
            name: name.clone(),
        })
    });
    named.collect()
}

/// The notation of a signature; `None` for a long one that is that of a spec. Thousands of functions may have the same
/// long type, and whoever needs one of them reads the spec.
fn detail(signature: &Signature, has_spec: bool) -> Option<String> {
    const LONGEST: usize = 2048;
    if !has_spec {
        return Some(signature.to_string());
    }
    let (text, is_whole) = beginning(signature, LONGEST);
    is_whole.then_some(text)
}

/// The tools that a unit registers.
struct ToolsOfUnit<'d> {
    /// The names of those that only the program beside them can call, in normal form.
    private: HashSet<String>,
    /// In the order of the text, with the places of their keys.
    registered: Vec<(TextRange, &'d Tool)>,
}

impl<'d> ToolsOfUnit<'d> {
    fn of(document: &'d Document, unit: usize) -> Self {
        let (placed, _) = document.unit(unit);
        let tools = placed.unit.tools.iter().flatten();
        let mut registered: Vec<_> = tools.map(|it| (it.key + placed.start, it)).collect();
        order::by_start(&mut registered, |(key, _)| key.start());
        Self {
            private: names::own_tools(document, unit).collect(),
            registered,
        }
    }

    /// The functions that may be the tool whose name is at `range`, and whether it has no other signature.
    fn functions(&self, document: &Document, range: TextRange) -> (Candidates, bool) {
        let before = self
            .registered
            .partition_point(|(key, _)| key.start() <= range.start());
        let tool = before.checked_sub(1).map(|last| self.registered[last]);
        let tool = tool.filter(|(key, _)| key.contains_range(range));
        let form = tool.map(|(_, tool)| &tool.form);
        let functions = match form {
            Some(Form::Function(Some(capture)) | Form::Described(Some(capture))) => {
                document.scope().candidates(capture)
            }
            _ => Candidates::default(),
        };
        (functions, matches!(form, Some(Form::Function(_))))
    }
}

fn functions(document: &Document) -> Vec<NamedFunction> {
    let captured = names::captured(document).into_iter();
    let named = captured.map(|(range, functions)| NamedFunction { range, functions });
    named.filter(|it| !it.functions.is_empty()).collect()
}

fn agents(document: &Document, symbols: &[Symbol]) -> Vec<Agent> {
    let mut signed = Vec::new();
    symbols.iter().for_each(|it| signed_agents(it, &mut signed));
    let units = document.units();
    let agents = units.filter(|(placed, _)| is_agent(placed));
    let agents = agents.map(|(placed, _)| agent(document, placed, &signed));
    agents.collect()
}

/// The agent of a unit. Those with a signature (`signed`) come in the order of the text.
fn agent(document: &Document, placed: &PlacedUnit, signed: &[&Symbol]) -> Agent {
    let range = agent_range(document, placed);
    let first = signed.partition_point(|it| it.range.start() < range.start());
    let signed = signed.get(first);
    let signed = signed.filter(|it| it.range.start() == range.start());
    let signed = signed.filter(|it| it.range.contains_range(range));
    let named = name(document, placed);
    let selection = named.as_ref().map(|(_, range)| *range);
    let has_role = |it: &Site| matches!(it.role, Role::Signature | Role::Prompt);
    Agent {
        is_code: named.is_none() && !placed.unit.sites.iter().any(has_role),
        detail: signed.map(|it| it.detail.clone()),
        selection: selection
            .or_else(|| signed.map(|it| it.selection))
            .unwrap_or_else(|| first_line(document, range)),
        name: named.map(|(name, _)| name).or_else(|| {
            signed
                .map(|it| it.name.clone())
                .filter(|it| it != Symbol::UNNAMED)
        }),
        range,
    }
}

fn signed_agents<'a>(symbol: &'a Symbol, into: &mut Vec<&'a Symbol>) {
    if symbol.kind == SymbolKind::Agent {
        into.push(symbol);
    }
    symbol
        .children
        .iter()
        .for_each(|it| signed_agents(it, into));
}

fn is_agent(placed: &PlacedUnit) -> bool {
    let unit = &placed.unit;
    let has = |role| unit.sites.iter().any(|it| it.role == role);
    let is_tool = has(Role::Tool) && unit.tools.is_none();
    let has_program = !unit.program().calls.is_empty() || unit.program().function.is_some();
    !is_tool && (has(Role::Signature) || has(Role::Prompt) || has_program || unit.tools.is_some())
}

/// The name of an agent, and its place.
fn name(document: &Document, placed: &PlacedUnit) -> Option<(String, TextRange)> {
    let unit = &placed.unit;
    if let Some(function) = &unit.program().function {
        return Some((function.name.clone(), function.name_range + placed.start));
    }
    let value = unit.argument("name")?.value + placed.start;
    let text = document.text().slice(value);
    let name = text.trim().trim_matches(['"', '\'']);
    let at = text.find(name)?;
    let start = value.start() + TextSize::try_from(at).ok()?;
    (!name.is_empty()).then(|| (name.to_owned(), TextRange::at(start, TextSize::of(name))))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::ide::testing::{document, located};
    use signature_ls_source::host::HostKind;

    #[track_caller]
    fn check(kind: HostKind, text: &str, expected: Expect) {
        let document = document(kind, text);
        let outline = outline(&document);
        let mut shown = String::new();
        for it in &outline.agents {
            let name = it.name.as_deref().unwrap_or("?");
            shown.push_str(&format!(
                "agent {name} {}\n",
                located(&document, it.selection)
            ));
        }
        for it in &outline.tools {
            let what = if it.is_entry { "tool" } else { "call" };
            let private = if it.is_private { " private" } else { "" };
            let names: Vec<_> = it.functions.iter().map(|it| it.name).collect();
            shown.push_str(&format!(
                "{what}{private} {} {}\n",
                located(&document, it.range),
                names.join(",")
            ));
        }
        for it in &outline.functions {
            shown.push_str(&format!("function {}\n", located(&document, it.range)));
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn agents_tools_and_functions_in_elixir() {
        check(
            HostKind::Elixir,
            r#"SubAgent.new(name: "finder", prompt: "Go.", tools: %{"search" => &MyApp.search/1, get: {&MyApp.get/2, "(id :int) -> :any"}})
Lisp.run("(tool/list {}) (tool/other {})", tools: %{"list" => &MyApp.list/1})
"#,
            expect![[r#"
                agent finder 1:21 finder
                agent ? 2:9 ("(tool/list {}) (tool/other {})", tools: %{"list" => &MyApp.list/1})
                tool 1:55 search search
                tool 1:83 get get
                call private 2:17 list 
                call 2:32 other 
                tool private 2:54 list list
                function 1:73 search
                function 1:96 get
                function 2:70 list
            "#]],
        );
    }

    #[test]
    fn agents_and_tools_of_every_host() {
        check(
            HostKind::Yaml,
            "name: triage\nsignature: '(q :string) -> :int'\nprompt: '{{q}}'\ntools:\n  search: '(q :string) -> :any'\n  get: ''\n",
            expect![[r#"
                agent triage 1:7 triage
                tool 5:3 search 
                tool 6:3 get 
            "#]],
        );
        check(
            HostKind::Json,
            r#"{"name": "triage", "signature": "(q :string) -> :int", "tools": [{"name": "search", "signature": "() -> :any"}]}"#,
            expect![[r#"
                agent triage 1:11 triage
                tool 1:76 search 
            "#]],
        );
        check(
            HostKind::Lisp,
            "{:tools {\"search\" \"(q :string) -> :any\" \"get\" get-fn}}\n(defn sum {:signature \"(a :int) -> :int\"} [a] (tool/search {:q a}))\n(tool/other {})\n",
            expect![[r#"
                agent sum 2:7 sum
                agent ? 3:1 (tool/other {})
                tool 1:11 search 
                tool 1:42 get 
                call 2:53 search 
                call 3:7 other 
            "#]],
        );
        check(
            HostKind::Catalog,
            "search(q :string) -> :any\n  Finds.\n",
            expect![[r#"
                tool 1:1 search 
            "#]],
        );
        check(
            HostKind::Markdown,
            "# Notes\n\n```clojure\n(tool/search {:q 1})\n```\n",
            expect![[r#"
                agent ? 4:1 (tool/search {:q 1})
                call 4:7 search 
            "#]],
        );
    }
}
