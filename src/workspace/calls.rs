//! Call hierarchy: the agents and programs that use a tool, and the tools that an agent uses.

use std::{path::Path, sync::Arc};

use foldhash::HashMap;

use super::{FileId, Here, View, symbols::agent_name, view::ViewedFile};
use signature_ls_analysis::ide::{Agent, NamedTool, Outline, Shared, agent_at, shared_at, tool_at};
use signature_ls_source::{
    host::elixir::tools::Capture,
    text::{Text, TextRange, TextSize},
};

/// An agent, a tool or a function.
#[derive(Debug, Clone)]
pub struct CallItem {
    /// Its kind.
    pub kind: CallKind,
    /// Its name.
    pub name: String,
    /// Its signature, or another description.
    pub detail: Option<String>,
    /// The file.
    pub file: FileId,
    /// The path of the file.
    pub path: Arc<Path>,
    /// The text that the ranges refer to.
    pub text: Text,
    /// Its whole range, in bytes of the text.
    pub range: TextRange,
    /// Its name, or the range that an editor selects, within `range`.
    pub selection: TextRange,
}

/// The kinds of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CallKind {
    /// An agent or a program.
    Agent,
    /// A tool.
    Tool,
    /// A function that is a tool.
    Function,
}

/// A call.
#[derive(Debug, Clone)]
pub struct Call {
    /// The other end.
    pub item: CallItem,
    /// The places of the calls, in bytes of the caller's text.
    pub ranges: Vec<TextRange>,
}

impl View {
    /// The entry at `offset`: a tool, a function that is one, or an agent.
    pub fn call_items(&self, here: Here<'_>, offset: TextSize) -> Vec<CallItem> {
        if let Some(tool) = tool_at(here.document, offset) {
            let file = self.file(here.file);
            return file.map_or(Vec::new(), |file| {
                let agent_around = file.outline.agents_around();
                let known = Entries::of(&file.outline, &agent_around);
                self.entries(&file, &tool, &known, agent_around(tool.range))
            });
        }
        if let Some((_, shared)) = shared_at(here.document, offset) {
            let functions = shared.iter().filter_map(|it| match it {
                Shared::Function(function) => Some(function),
                _ => None,
            });
            let functions = functions.filter(|it| self.is_tool(it));
            let items = functions.filter_map(|it| self.function_item(here.file, it));
            return items.collect();
        }
        let item = agent_at(here.document, offset).and_then(|agent| {
            let path = self.path(here.file)?;
            let text = here.document.text().clone();
            Some(agent_item(here.file, path, &agent, text))
        });
        item.into_iter().collect()
    }

    /// The callees of the agent or tool at a place.
    pub fn outgoing_calls(&self, file: FileId, kind: CallKind, selection: TextSize) -> Vec<Call> {
        let Some(file) = &self.file(file) else {
            return Vec::new();
        };
        let outline = &file.outline;
        let mut calls = Calls::default();
        match kind {
            CallKind::Agent => {
                let agents = outline.agents.iter();
                let Some(agent) = agents.clone().find(|it| it.selection.start() == selection)
                else {
                    return Vec::new();
                };
                let inside = outline.tools.iter();
                let inside = inside.filter(|it| agent.range.contains_range(it.range));
                let agent_around = outline.agents_around();
                let used = inside.filter(|it| agent_around(it.range) == Some(agent));
                let known = Entries::of(outline, &agent_around);
                let mut items = HashMap::default();
                for tool in used {
                    // A program calls a tool again and again.
                    let key = (
                        &tool.normal_name,
                        tool.is_private,
                        tool.is_entry.then_some(tool.range),
                    );
                    let found = || self.entries(file, tool, &known, Some(agent));
                    for item in items.entry(key).or_insert_with(found) {
                        calls.add(item, tool.range);
                    }
                }
            }
            CallKind::Tool => {
                let mut tools = outline.tools.iter();
                let tool = tools.find(|it| it.range.start() == selection);
                for function in tool.into_iter().flat_map(|it| it.functions.iter()) {
                    if let Some(item) = self.function_item(file.file, &function) {
                        let named = outline.functions.iter();
                        let mut named = named.filter(|it| it.functions.contains(&function));
                        let range = named.next().map(|it| it.range);
                        calls.add(&item, range.unwrap_or_default());
                    }
                }
            }
            CallKind::Function => {}
        }
        calls.all
    }

    /// The callers of the tool or function at a place.
    pub fn incoming_calls(&self, file: FileId, kind: CallKind, selection: TextSize) -> Vec<Call> {
        match kind {
            CallKind::Agent => Vec::new(),
            CallKind::Tool => self.users_of_tool(file, selection),
            CallKind::Function => self.users_of_function(file, selection),
        }
    }

    fn users_of_tool(&self, file: FileId, selection: TextSize) -> Vec<Call> {
        let files = self.files_and_open();
        let Some(own) = files.iter().find(|it| it.file == file) else {
            return Vec::new();
        };
        let mut tools = own.outline.tools.iter();
        let Some(tool) = tools.find(|it| it.range.start() == selection) else {
            return Vec::new();
        };
        let mut calls = Calls::default();
        for file in &files {
            let users = users(own, tool, file);
            let Some(text) = (!users.is_empty()).then(|| self.text(file.file)).flatten() else {
                continue;
            };
            let agent_around = file.outline.agents_around();
            for user in users {
                if let Some(agent) = agent_around(user.range) {
                    let item = agent_item(file.file, &file.path, agent, text.clone());
                    calls.add(&item, user.range);
                }
            }
        }
        calls.all
    }

    fn users_of_function(&self, file: FileId, selection: TextSize) -> Vec<Call> {
        let document = self.document(file).map(|it| it.document);
        let found = document.and_then(|it| it.host().function_at(it.text(), selection));
        let Some((_, functions)) = found else {
            return Vec::new();
        };
        let mut calls = Calls::default();
        for file in &self.files_and_open() {
            for tool in &file.outline.tools {
                let is_it = functions.iter().any(|it| tool.functions.contains(it));
                if let Some(item) = is_it.then(|| self.tool_item(file, tool)).flatten() {
                    calls.add(&item, tool.range);
                }
            }
        }
        calls.all
    }

    /// The entries of the tool that `agent` registers or calls in `file`, whose entries are `known`; the first ones where many
    /// have its name.
    fn entries(
        &self,
        file: &ViewedFile,
        tool: &NamedTool,
        known: &Entries<'_>,
        agent: Option<&Agent>,
    ) -> Vec<CallItem> {
        if tool.is_entry {
            return Vec::from_iter(self.tool_item(file, tool));
        }
        let own = known.named(&tool.normal_name);
        if tool.is_private {
            let own = own.filter(|(_, around)| *around == agent);
            let items = own.filter_map(|(it, _)| self.tool_item(file, it));
            return items.take(MOST_ENTRIES).collect();
        }
        let mut shared = own.filter(|(it, _)| !it.is_private).peekable();
        if shared.peek().is_some() {
            let items = shared.filter_map(|(it, _)| self.tool_item(file, it));
            return items.take(MOST_ENTRIES).collect();
        }
        let offering = self.reach(&tool.normal_name).offering;
        let items = offering.iter().flat_map(|file| {
            let entries = file.outline.shared(&tool.normal_name);
            let entries = entries.filter(|it| it.is_entry);
            entries.filter_map(|it| self.tool_item(file, it))
        });
        items.take(MOST_ENTRIES).collect()
    }

    fn tool_item(&self, file: &ViewedFile, tool: &NamedTool) -> Option<CallItem> {
        Some(CallItem {
            kind: CallKind::Tool,
            name: tool.name.clone(),
            detail: tool.detail.clone(),
            file: file.file,
            path: Arc::clone(&file.path),
            text: self.text(file.file)?,
            range: tool.range,
            selection: tool.range,
        })
    }

    /// Whether a function is a tool somewhere.
    fn is_tool(&self, function: &Capture) -> bool {
        let files = self.files_and_open();
        let mut functions = files.iter().flat_map(|it| &it.outline.functions);
        functions.any(|it| it.functions.contains(function))
    }

    /// A function that `file` names.
    fn function_item(&self, file: FileId, function: &Capture) -> Option<CallItem> {
        let found = self.function_around(file, function)?;
        let range = found.places.first()?.name;
        Some(CallItem {
            kind: CallKind::Function,
            name: function.name.clone(),
            detail: function.module.clone(),
            file: found.file,
            path: found.path,
            text: found.text,
            range,
            selection: range,
        })
    }
}

/// The number of entries with one name that are shown: more are mistakes.
const MOST_ENTRIES: usize = 64;

/// The tools that a file registers, by their normal names, each with the agent around it.
struct Entries<'o>(HashMap<&'o str, Vec<(&'o NamedTool, Option<&'o Agent>)>>);

impl<'o> Entries<'o> {
    fn of(outline: &'o Outline, agent_around: &dyn Fn(TextRange) -> Option<&'o Agent>) -> Self {
        let mut entries: HashMap<_, Vec<_>> = HashMap::default();
        for tool in outline.tools.iter().filter(|it| it.is_entry) {
            let named = entries.entry(&*tool.normal_name).or_default();
            named.push((tool, agent_around(tool.range)));
        }
        Self(entries)
    }

    fn named(&self, name: &str) -> impl Iterator<Item = (&'o NamedTool, Option<&'o Agent>)> {
        self.0.get(name).into_iter().flatten().copied()
    }
}

/// The names in `file` that refer to `tool` of the file `own`.
fn users<'a>(own: &ViewedFile, tool: &NamedTool, file: &'a ViewedFile) -> Vec<&'a NamedTool> {
    let outline = &file.outline;
    let is_own = file.file == own.file;
    let name = &tool.normal_name;
    if tool.is_private {
        if !is_own {
            return Vec::new();
        }
        let agent_around = outline.agents_around();
        let agent = agent_around(tool.range);
        let named = outline
            .tools
            .iter()
            .filter(|it| it.is_private && it.normal_name == *name);
        let of_agent = named.filter(|it| agent_around(it.range) == agent);
        return of_agent.collect();
    }
    if !is_own && !outline.wants(name) {
        return Vec::new();
    }
    let named = outline.shared(name);
    // Another entry with that name is another tool.
    named
        .filter(|it| !it.is_entry || it.range == tool.range)
        .collect()
}

fn agent_item(file: FileId, path: &Arc<Path>, agent: &Agent, text: Text) -> CallItem {
    CallItem {
        kind: CallKind::Agent,
        name: agent_name(agent.name.as_deref(), path),
        detail: agent.detail.clone(),
        file,
        path: Arc::clone(path),
        text,
        range: agent.range,
        selection: agent.selection,
    }
}

/// Calls, grouped by the other end.
#[derive(Default)]
struct Calls {
    all: Vec<Call>,
    /// The indices of the calls.
    known: HashMap<(FileId, TextRange, CallKind), usize>,
}

impl Calls {
    fn add(&mut self, item: &CallItem, range: TextRange) {
        let key = (item.file, item.selection, item.kind);
        if let Some(&index) = self.known.get(&key) {
            return self.all[index].ranges.push(range);
        }
        self.known.insert(key, self.all.len());
        let ranges = vec![range];
        self.all.push(Call {
            item: item.clone(),
            ranges,
        });
    }
}
