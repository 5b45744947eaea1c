//! The agents, tools, parameters and functions of all files, by name.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

use super::{FileId, View, view::ViewedFile};
use signature_ls_analysis::ide::{Agent, Outline, Symbol, SymbolKind};
use signature_ls_source::{
    cancel,
    host::elixir::tools::Capture,
    order,
    text::{Text, TextRange},
};

/// A named symbol in a file.
#[derive(Debug, Clone)]
pub struct FoundSymbol {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: FoundKind,
    /// Its container: the agent or tool of a parameter, the module of a function.
    pub container: Option<String>,
    /// The file.
    pub file: FileId,
    /// The path of the file.
    pub path: Arc<Path>,
    /// The text that the range refers to.
    pub text: Text,
    /// The name, in bytes of the text, or the range that an editor selects.
    pub range: TextRange,
}

/// The kinds of symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundKind {
    /// An agent or a program.
    Agent,
    /// A tool.
    Tool,
    /// A parameter of an agent or a tool.
    Parameter,
    /// A function that is a tool.
    Function,
}

/// A named symbol in one file.
struct Named {
    name: String,
    kind: FoundKind,
    container: Option<String>,
    range: TextRange,
}

/// The maximum number of symbols in an answer. Nobody reads more, and the files of all are read.
const MOST_SYMBOLS: usize = 1_000;

impl View {
    /// The agents, tools, parameters and functions whose names contain the letters of `query` in that order, ignoring
    /// case; file by file, in the order of the text. If there are too many, those whose names are nearest.
    pub fn symbols(&self, query: &str) -> Vec<FoundSymbol> {
        let files = self.files_and_open();
        let named = files.iter().flat_map(|file| {
            cancel::check();
            let named = named(file, query).into_iter();
            named.map(move |it| (file, it))
        });
        let named = nearest(named.collect(), |(_, it)| distance(&it.name, query));
        let mut found = Vec::new();
        for named in named.chunk_by(|(one, _), (other, _)| one.file == other.file) {
            cancel::check();
            let Some((file, _)) = named.first() else {
                continue;
            };
            // A recent change is found the next time.
            let Some(text) = self.text(file.file) else {
                continue;
            };
            found.extend(named.iter().map(|(_, it)| FoundSymbol {
                name: it.name.clone(),
                kind: it.kind,
                container: it.container.clone(),
                file: file.file,
                path: Arc::clone(&file.path),
                text: text.clone(),
                range: it.range,
            }));
        }
        found.extend(self.functions_named(&files, query));
        nearest(found, |it| distance(&it.name, query))
    }

    /// The functions that are tools somewhere in `files`.
    fn functions_named(&self, files: &[ViewedFile], query: &str) -> Vec<FoundSymbol> {
        let mut functions: BTreeSet<(usize, Capture)> = BTreeSet::new();
        for file in files {
            let Some(project) = self.project_around(&file.path) else {
                continue;
            };
            let named = file.outline.functions.iter().map(|it| &it.functions);
            let wanted = named.filter(|it| matches(it.name(), query));
            let (_, index) = &self.functions[project];
            let wanted = wanted.flat_map(|it| it.iter());
            let known = wanted.filter(|it| self.file_of(index, it).is_some());
            functions.extend(known.map(|it| (project, it)));
        }
        let functions = functions.into_iter().collect();
        let functions = nearest(functions, |(_, it): &(_, Capture)| {
            distance(&it.name, query)
        });
        // Each file is read once.
        let mut by_file: BTreeMap<FileId, Vec<(usize, &Capture)>> = BTreeMap::new();
        for (at, (project, function)) in functions.iter().enumerate() {
            let (_, index) = &self.functions[*project];
            if let Some(file) = self.file_of(index, function) {
                by_file.entry(file).or_default().push((at, function));
            }
        }
        let mut found = Vec::new();
        for (file, functions) in by_file {
            cancel::check();
            found.extend(self.functions_in(file, &functions));
        }
        order::by_number(&mut found, |(at, _)| *at as u64);
        found.into_iter().map(|(_, it)| it).collect()
    }

    /// The `functions` that `file` defines, each with its number.
    fn functions_in(
        &self,
        file: FileId,
        functions: &[(usize, &Capture)],
    ) -> Vec<(usize, FoundSymbol)> {
        let captures: Vec<_> = functions.iter().map(|(_, it)| *it).collect();
        let names = self.names_of(file, &captures);
        let (Some((text, names)), Some(path)) = (names, self.path(file)) else {
            return Vec::new();
        };
        let mut known = BTreeSet::new();
        let named = functions.iter().zip(names);
        let named = named.filter_map(|(function, range)| Some((function, range?)));
        // Functions with default arguments have several arities.
        let first = named.filter(|(_, range)| known.insert(range.start()));
        let symbols = first.map(|((at, function), range)| {
            let symbol = FoundSymbol {
                name: function.name.clone(),
                kind: FoundKind::Function,
                container: function.module.clone(),
                file,
                path: Arc::clone(path),
                text: text.clone(),
                range,
            };
            (*at, symbol)
        });
        symbols.collect()
    }
}

/// The first [`MOST_SYMBOLS`] of those with the smallest `distance`, in the order of `symbols`.
fn nearest<T>(symbols: Vec<T>, distance: impl Fn(&T) -> Distance) -> Vec<T> {
    if symbols.len() <= MOST_SYMBOLS {
        return symbols;
    }
    let mut numbered: Vec<_> = symbols.into_iter().enumerate().collect();
    numbered.sort_by_cached_key(|(_, it)| {
        cancel::check();
        distance(it)
    });
    numbered.truncate(MOST_SYMBOLS);
    order::by_number(&mut numbered, |(at, _)| *at as u64);
    numbered.into_iter().map(|(_, it)| it).collect()
}

/// How near a name is to a query that it matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    Equal,
    Begins,
    Contains,
    Matches,
}

fn distance(name: &str, query: &str) -> Distance {
    let (name, query) = (name.to_lowercase(), query.to_lowercase());
    match name.find(&query) {
        Some(_) if name == query => Distance::Equal,
        Some(0) => Distance::Begins,
        Some(_) => Distance::Contains,
        None => Distance::Matches,
    }
}

/// The symbols of a file that match `query`.
fn named(file: &ViewedFile, query: &str) -> Vec<Named> {
    let Outline {
        symbols,
        agents,
        tools,
        ..
    } = &*file.outline;
    let mut found = Vec::new();
    // Otherwise every call in a program would be a symbol.
    let of_file = name_of_file(&file.path);
    let name_of = |agent: &Agent| agent.name.clone().unwrap_or_else(|| of_file.clone());
    for agent in agents.iter().filter(|it| !it.is_code) {
        if matches(agent.name.as_ref().unwrap_or(&of_file), query) {
            found.push(Named {
                name: name_of(agent),
                kind: FoundKind::Agent,
                container: None,
                range: agent.selection,
            });
        }
    }
    let agent_around = file.outline.agents_around();
    let entries = tools.iter().filter(|it| it.is_entry);
    for tool in entries.filter(|it| matches(&it.name, query)) {
        found.push(Named {
            name: tool.name.clone(),
            kind: FoundKind::Tool,
            container: agent_around(tool.range).map(name_of),
            range: tool.range,
        });
    }
    for symbol in symbols {
        add_parameters(symbol, query, &of_file, &mut found);
    }
    order::by_start(&mut found, |it| it.range.start());
    found
}

fn add_parameters(symbol: &Symbol, query: &str, of_file: &str, into: &mut Vec<Named>) {
    let container = match symbol.name == Symbol::UNNAMED {
        true => of_file,
        false => &symbol.name,
    };
    for child in &symbol.children {
        match child.kind {
            SymbolKind::Parameter if matches(&child.name, query) => into.push(Named {
                name: child.name.clone(),
                kind: FoundKind::Parameter,
                container: Some(container.to_owned()),
                range: child.selection,
            }),
            SymbolKind::Agent | SymbolKind::Tool => add_parameters(child, query, of_file, into),
            SymbolKind::Parameter | SymbolKind::Field => {}
        }
    }
}

/// The name of an agent or a tool: its own name, else that of its file.
pub fn agent_name(own: Option<&str>, path: &Path) -> String {
    own.map_or_else(|| name_of_file(path), str::to_owned)
}

/// The name of an agent without one: the first word of its file's name.
fn name_of_file(path: &Path) -> String {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = file
        .split('.')
        .find(|part| !part.is_empty())
        .unwrap_or("agent");
    let is_part = |char: char| char.is_ascii_alphanumeric() || char == '-';
    stem.chars()
        .map(|char| if is_part(char) { char } else { '_' })
        .collect()
}

/// Whether `name` contains the letters of `query` in that order.
fn matches(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    let mut wanted = query.chars().flat_map(char::to_lowercase);
    wanted.all(|it| letters.any(|letter| letter == it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_called_after_its_file() {
        let cases = [
            ("agents/triage.prompt.md", "triage"),
            ("lib/my_app/order-count.ex", "order-count"),
            ("a b.yaml", "a_b"),
            (".hidden.yaml", "hidden"),
            ("é.prompt", "_"),
        ];
        for (path, name) in cases {
            assert_eq!(name_of_file(Path::new(path)), name);
        }
    }

    #[test]
    fn of_too_many_the_nearest_are_found_in_their_order() {
        let mut names: Vec<_> = (0..MOST_SYMBOLS).map(|it| format!("g{it}et")).collect();
        names.extend(["xget", "get_user", "GET", "other_get"].map(str::to_owned));
        let found = nearest(names, |it| distance(it, "get"));
        assert_eq!(found.len(), MOST_SYMBOLS);
        assert_eq!(
            found[MOST_SYMBOLS - 5..],
            ["g995et", "xget", "get_user", "GET", "other_get"]
        );
    }

    #[test]
    fn letters_are_searched_in_their_order() {
        for (query, expected) in [("", true), ("GU", true), ("getuser", true), ("ug", false)] {
            assert_eq!(matches("get_user", query), expected, "{query}");
        }
    }
}
