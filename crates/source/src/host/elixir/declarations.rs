//! The declarations of an Elixir document: modules, aliases, specs, types and functions, statement by statement,
//! updated from edit to edit.
//!
//! An edit replaces the declarations of the statements that it touches. What the others say of the same names is looked
//! up, and only the facts about these names are computed again.

mod assembly;
mod change;
mod modules;

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use crate::{
    host::{
        HAS_SMALL_STEPS,
        moving::{Keyed, Moving},
        token_tree::{Element, Kind, Level},
        units::moved,
    },
    parallel::{self, HAS_THREADS},
    syntax::room::make_room,
    text::{TextEdit, TextRange, TextSize},
};

use assembly::{assemble, assemble_once};
use change::Change;

use super::{
    contract::{each_item, is_long},
    find::{is_interpolation, part},
    head, lookup,
    makes::{self, Made},
    module::{Arities, Facts, Function, Spec, first_line},
    names::Binder,
    pieces::pieces,
    places::Named,
    statement::{ends_between, is_separator},
    tools::{self, Captured},
};

/// The declarations of a document, in the order of the text.
#[derive(Debug, Clone, Default)]
pub(super) struct Declarations {
    /// The start of each; for a module up to the end of its body.
    all: All,
    /// The facts, computed on request.
    facts: OnceLock<Arc<Facts>>,
    /// The last computed facts, while they are out of date.
    before: Arc<Facts>,
}

type All = Moving<What, 2>;

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    /// A module with its name as written.
    Module(Arc<String>),
    Alias(Box<Alias>),
    Import(Arc<String>),
    Doc(Option<Arc<String>>),
    Spec(Arc<Spec>),
    Type(Arc<String>),
    /// A clause of a function.
    Clause(Arc<Function>),
    Tools(Box<Captured>),
    /// An attribute that may be a signature or an agent.
    Attribute(Box<(String, Made)>),
    /// The body of the previous function.
    Body,
    /// A statement in a body.
    Statement(Box<Made>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Alias {
    /// The full name as written.
    path: Box<str>,
    /// The short name if it is written.
    short: Option<Box<str>>,
}

impl Alias {
    /// The short name and the full one in the module `outer`.
    #[inline(never)]
    fn pair(&self, outer: &str) -> (String, String) {
        let full = match self.path.strip_prefix(MODULE) {
            Some(rest) if !outer.is_empty() => format!("{outer}{rest}"),
            _ => self.path.to_string(),
        };
        let short = self.short.as_deref().unwrap_or_else(|| last_name(&full));
        (short.to_owned(), full)
    }
}

/// The last part of the name of a module.
#[inline(never)]
fn last_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The kind of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Module,
    /// The body of a function.
    Body,
    Other,
}

/// The key of modules.
const MODULES: lookup::Key = 0;

impl Keyed for What {
    fn keys(&self) -> impl Iterator<Item = lookup::Key> {
        let key = match self {
            Self::Module(_) => Some(MODULES),
            Self::Clause(it) => Some(lookup::key(Binder::Function, &it.name)),
            Self::Spec(it) => Some(lookup::key(Binder::Function, &it.name)),
            Self::Attribute(it) => Some(lookup::key(Binder::Attribute, &it.0)),
            Self::Tools(it) => match &**it {
                Captured::Name(name) => Some(tools_key(name)),
                Captured::Bound(name, _) => Some(bound_key(name)),
                Captured::Tools(_) => None,
            },
            _ => None,
        };
        let captures = match self {
            Self::Tools(it) => it.captures(),
            _ => &[],
        };
        let used = self.made().and_then(Made::function);
        let read = self.made().filter(|_| HAS_SMALL_STEPS);
        let read = read.and_then(Made::attribute);
        let read = read.map(|name| lookup::key(Binder::Attribute, name));
        let short = match self {
            Self::Module(name) => Some(name.as_str()),
            Self::Alias(it) => it.short.as_deref().or_else(|| {
                let last = last_name(&it.path);
                // As in `__MODULE__ E`, whose short name depends on the module.
                Some(match last.starts_with(MODULE) {
                    true => MODULE,
                    false => last,
                })
            }),
            _ => None,
        };
        let short = short.filter(|_| HAS_SMALL_STEPS).map(alias_key);
        let captures = captures.iter().map(|it| it.name.as_str());
        key.into_iter()
            .chain(read)
            .chain(short)
            .chain(captures.chain(used).map(lookup::calls_of))
    }
}

/// The name of the module around it.
const MODULE: &str = "__MODULE__";

/// The key of what this short name of a module may stand for.
fn alias_key(short: &str) -> lookup::Key {
    lookup::key(Binder::Function, short)
}

/// The key of the places where tools are given this name.
fn tools_key(name: &str) -> lookup::Key {
    lookup::key(Binder::Variable, name)
}

/// The key of the maps of tools that are bound to this name.
fn bound_key(name: &str) -> lookup::Key {
    lookup::key(Binder::Function, &format!("{name} ="))
}

impl What {
    /// The value of a statement or an attribute.
    fn made(&self) -> Option<&Made> {
        match self {
            Self::Statement(made) => Some(made),
            Self::Attribute(it) => Some(&it.1),
            _ => None,
        }
    }

    /// The function that it declares at `start` of `module`.
    fn named<'d>(&'d self, start: TextSize, module: &'d str) -> Option<Named<'d>> {
        let (name, arity, is_spec) = match self {
            Self::Clause(it) => (&it.name, (it.arities.least(), it.arities.most()), false),
            Self::Spec(it) => (&it.name, (it.arity, it.arity), true),
            _ => return None,
        };
        Some(Named {
            start,
            module,
            name,
            arity,
            is_spec,
        })
    }
}

impl Declarations {
    /// Reads a whole document.
    pub(super) fn read(root: Element<'_>) -> Self {
        Self {
            all: read(root, root.range, Scope::Module),
            ..Self::default()
        }
    }

    /// The same, where blocks of more than two pieces of that length are read on several threads.
    pub(super) fn read_in_pieces(root: Element<'_>, piece: TextSize) -> Self {
        let reader = Reader {
            piece: Some(piece),
            ..Reader::default()
        };
        Self {
            all: reader.read(root, root.range, Scope::Module),
            ..Self::default()
        }
    }

    /// The same for a document that is not edited: the clauses of a function that follow one another are one.
    pub(super) fn read_once(root: Element<'_>) -> Self {
        let reader = Reader {
            is_once: true,
            ..Reader::default()
        };
        Self {
            all: reader.read(root, root.range, Scope::Module),
            ..Self::default()
        }
    }

    /// The facts, of a text of which nothing else is kept.
    pub(super) fn into_facts(self) -> Facts {
        assemble_once(self.all)
    }

    /// Those of a text of which only the `facts` are known.
    pub(super) fn of_facts(facts: Facts) -> Self {
        Self {
            facts: OnceLock::from(Arc::new(facts)),
            ..Self::default()
        }
    }

    /// The facts. The same `Arc` as before if an edit does not change them.
    pub(super) fn facts(&self) -> &Arc<Facts> {
        self.facts.get_or_init(|| {
            let facts = assemble(&self.all);
            match facts == *self.before {
                true => Arc::clone(&self.before),
                false => Arc::new(facts),
            }
        })
    }

    /// The last facts, if they are up to date.
    pub(super) fn known_facts(&self) -> Option<&Arc<Facts>> {
        self.facts.get()
    }

    /// Calls `each` for the clauses and specs of functions, in the order of the text.
    pub(super) fn each_function(&self, each: &mut impl FnMut(Named<'_>)) {
        let mut open: Vec<(String, TextSize)> = Vec::new();
        for ([start, end], what) in self.all.iter() {
            while open.pop_if(|(_, end)| *end <= start).is_some() {}
            let module = open.last().map_or("", |(name, _)| name.as_str());
            match what {
                What::Module(name) if module.is_empty() => open.push((name.to_string(), end)),
                What::Module(name) => open.push((format!("{module}.{name}"), end)),
                other => other.named(start, module).into_iter().for_each(&mut *each),
            }
        }
    }

    /// The last clause or spec that begins at or before `offset`, without its module.
    pub(super) fn function_before(&self, offset: TextSize) -> Option<Named<'_>> {
        let mut before = self.all.slice(0..self.all.up_to(offset)).rev();
        before.find_map(|([start, _], what)| what.named(start, ""))
    }

    /// The clause whose body contains `offset`, without its module.
    pub(super) fn clause_around(&self, offset: TextSize) -> Option<Named<'_>> {
        let mut before = self.all.slice(0..self.all.up_to(offset)).rev();
        before.find(|([_, end], what)| matches!(what, What::Body) && offset < *end)?;
        before.find_map(|([start, _], what)| what.named(start, "").filter(|it| !it.is_spec))
    }

    /// The bodies of the clauses that `are_meant`, in the order of the text.
    pub(super) fn bodies(&self, are_meant: impl Fn(&Named<'_>) -> bool) -> Vec<TextRange> {
        let mut starts = Vec::new();
        self.each_function(&mut |named| {
            if !named.is_spec && are_meant(&named) {
                starts.push(named.start);
            }
        });
        let bodies = starts.into_iter().filter_map(|start| {
            let mut after = self.all.slice(self.all.up_to(start)..self.all.len());
            let ([start, end], what) = after.next()?;
            matches!(what, What::Body).then(|| TextRange::new(start, end))
        });
        bodies.collect()
    }

    /// The full name of the module around `offset`; empty outside of modules.
    pub(super) fn module_around(&self, offset: TextSize) -> String {
        module_around(&self.all, offset)
    }

    /// Applies `edit`, which touched the statements in `old`; they are those in `new` of `block` now.
    pub(super) fn edit(
        &mut self,
        block: Element<'_>,
        (old, new): (TextRange, TextRange),
        edit: &TextEdit,
    ) {
        if self.facts.get().is_some() {
            self.before = Arc::default();
        }
        let start = block.range.start();
        let body = self.all.before(start)..self.all.up_to(start);
        let scope = |it: &What| match it {
            What::Module(_) => Some(Scope::Module),
            What::Body => Some(Scope::Body),
            _ => None,
        };
        let scope = match block.kind() {
            Kind::Root => Scope::Module,
            _ => self
                .all
                .items(body.clone())
                .find_map(scope)
                .unwrap_or(Scope::Other),
        };
        let read = read(block, new, scope);
        let gone = self.all.beginning_in(old);
        let end = |[_, end]: [TextSize; 2], what: &What| {
            let has_inside = matches!(what, What::Module(_) | What::Body);
            has_inside.then_some(end)
        };
        let before = self.all.slice(gone.clone());
        let before = before.map(|(place, what)| (end(place.map(|it| moved(it, edit)), what), what));
        let mut before: Vec<_> = before.collect();
        let after = read.iter().map(|(place, what)| (end(place, what), what));
        let mut after: Vec<_> = after.collect();
        let is_same = before == after;
        for said in [&mut before, &mut after] {
            said.retain(|(_, what)| !matches!(what, What::Statement(_)));
        }
        let is_alike = !is_same && before == after;
        let bodies = |len: usize| match scope {
            Scope::Body => body.clone(),
            Scope::Module | Scope::Other => gone.start..gone.start + len,
        };
        let before = is_alike.then(|| self.returned_by(bodies(gone.len())));
        let facts = self.facts.get().filter(|_| HAS_SMALL_STEPS && !is_same);
        let change = facts.and_then(|facts| {
            let inside = block.range.start() + TextSize::from(1);
            Change::new(&self.all, inside, gone.clone(), &read, facts)
        });
        self.all.replace(gone.clone(), &read, edit);
        let after = is_alike.then(|| self.returned_by(bodies(read.len())));
        let says_as_much = is_same || (is_alike && before == after);
        if says_as_much {
            return;
        }
        let Some(facts) = self.facts.take() else {
            return;
        };
        match change.and_then(|it| it.apply(&self.all, &facts)) {
            Some(changed) if changed == *facts => self.facts = OnceLock::from(facts),
            Some(changed) => self.facts = OnceLock::from(Arc::new(changed)),
            None => self.before = facts,
        }
    }

    /// The results of the bodies among the items in `range`, as far as they may be agents. A word that is being typed is
    /// usually a call of a function that does not exist.
    #[inline(never)]
    fn returned_by(&self, range: Range<usize>) -> Vec<Option<makes::Value>> {
        let is_function = |name: &str, arity| {
            let Some(facts) = self.facts.get() else {
                return true;
            };
            let mut modules = facts.modules.iter();
            modules.any(|module| module.function(name, arity).is_some())
        };
        let is_body = |index: &usize| matches!(self.all.item(*index), What::Body);
        let values = range
            .filter(is_body)
            .map(|body| last_of_body(&self.all, body));
        let values = values.map(|value| value.filter(|it| it.may_be_agent(is_function)));
        values.collect()
    }
}

/// The full name of the module around `offset`; empty outside of modules.
#[inline(never)]
fn module_around(all: &All, offset: TextSize) -> String {
    let around = all.around(TextRange::empty(offset), (0, 1));
    let around = around.filter_map(|(_, (_, what))| match what {
        What::Module(name) => Some(name.as_str()),
        _ => None,
    });
    around.collect::<Vec<_>>().join(".")
}

/// The value of the last statement of the body at an index.
fn last_of_body(all: &All, body: usize) -> Option<makes::Value> {
    let [_, end] = all.place(body);
    let inside = all.slice(body + 1..all.len());
    let inside =
        inside.take_while(|([start, _], what)| *start < end && !matches!(what, What::Body));
    let statements = inside.filter_map(|(_, what)| match what {
        What::Statement(made) => Some(&**made),
        _ => None,
    });
    makes::returned(statements)
}

/// The declarations in the statements of `block` in `region`; those of modules only if `block` is the body of one.
fn read(block: Element<'_>, region: TextRange, scope: Scope) -> All {
    Reader::default().read(block, region, scope)
}

#[derive(Default)]
struct Reader<'t> {
    all: All,
    /// Nodes to visit.
    left: Vec<(Element<'t>, Scope)>,
    /// The length of the pieces in which longer blocks are read on several threads.
    piece: Option<TextSize>,
    /// Whether the document is not edited.
    is_once: bool,
    /// The clause that the next statement may continue.
    clause: Option<(TextRange, Function)>,
    /// What is in the body of that clause.
    inside: Vec<(TextRange, What)>,
}

impl<'t> Reader<'t> {
    fn read(mut self, block: Element<'t>, region: TextRange, scope: Scope) -> All {
        self.block(block, region, scope);
        self.all.sort();
        self.all
    }

    /// Visits the nodes that were found after the first `count` ones.
    fn visit_left(&mut self, count: usize) {
        while self.left.len() > count
            && let Some((node, scope)) = self.left.pop()
        {
            self.node(node, scope);
        }
    }

    fn node(&mut self, node: Element<'t>, scope: Scope) {
        if node.kind().is_block() {
            return self.block(node, node.range, scope);
        }
        if node.kind().is_string() {
            let before = self.left.len();
            for code in node.elements().filter(is_interpolation) {
                self.left.push((code, Scope::Other));
                self.visit_left(before);
            }
            return;
        }
        if node.kind().is_group() && is_long(&node) {
            // All of its elements together take more room than what they declare.
            return each_item(&node, &mut |item| {
                self.tools(item);
                let before = self.left.len();
                self.visit_later(item, None);
                drop(std::mem::take(item));
                self.visit_left(before);
            });
        }
        let inside = node.elements().filter(|it| !it.kind().is_trivia());
        let elements: Vec<_> = inside.collect();
        self.tools(&elements);
        self.visit_later(&elements, None);
    }

    fn block(&mut self, block: Element<'t>, region: TextRange, scope: Scope) {
        let len = block.range.intersect(region).unwrap_or_default().len();
        let piece = self.piece.filter(|it| HAS_THREADS && len > *it + *it);
        let pieces = piece.map(|it| pieces((block, region), false, it));
        match pieces.filter(|it| it.len() > 1) {
            Some(pieces) => self.pieces(block, &pieces, scope),
            None => self.statements(block, region, scope),
        }
    }

    fn pieces(&mut self, block: Element<'t>, pieces: &[TextRange], scope: Scope) {
        // What is in a piece is sorted, so that nested long blocks must not all be read in pieces.
        let inside = self.piece.map(|it| it + it);
        let parts = parallel::map_long(pieces, |piece| {
            let reader = Reader {
                piece: inside,
                ..Reader::default()
            };
            reader.read(block, *piece, scope)
        });
        for part in parts {
            self.all.append(part);
        }
    }

    fn statements(&mut self, block: Element<'t>, region: TextRange, scope: Scope) {
        let mut statement: Vec<Element<'t>> = Vec::new();
        let mut is_line_end = false;
        if scope == Scope::Module {
            self.end_clauses();
        }
        // What follows the sign of an attribute.
        let mut rest = None;
        let mut elements = block.elements_in(region);
        while let Some(element) = elements.next() {
            if element.kind().is_trivia() {
                is_line_end |= element.kind() == Kind::Newline;
                continue;
            }
            let ends = |last: &Element<'_>| ends_between(part(last), part(&element), is_line_end);
            if statement.last().is_some_and(ends) {
                self.statement(&statement, rest.take(), scope);
                statement.clear();
            }
            if !is_separator(part(&element)) {
                if scope == Scope::Module && statement.is_empty() && element.text() == "@" {
                    rest = Some(elements.clone());
                }
                let read = element.range.end().checked_sub(region.start());
                let read = read.unwrap_or_default();
                make_room(&mut statement, read.into(), region.len().into());
                statement.push(element);
            }
            is_line_end = false;
        }
        self.statement(&statement, rest, scope);
        if scope == Scope::Module {
            self.end_clauses();
        }
    }

    /// Reads a statement without white space. `rest` is what follows the sign of an attribute, up to the end of the
    /// block.
    fn statement(&mut self, code: &[Element<'t>], rest: Option<Level<'t>>, scope: Scope) {
        self.tools(code);
        let body = match scope {
            Scope::Module => self.of_module(code, rest),
            Scope::Body => {
                self.made(code);
                None
            }
            Scope::Other => None,
        };
        let before = self.left.len();
        self.visit_later(code, body);
        // Not after the whole block, whose nodes are many.
        self.visit_left(before);
    }

    /// Adds a statement in the body of a function.
    fn made(&mut self, code: &[Element<'t>]) {
        if let Some(first) = code.first() {
            self.add(first.range, What::Statement(Box::new(Made::of(code))));
        }
    }

    fn visit_later(&mut self, elements: &[Element<'t>], body: Option<(TextRange, Scope)>) {
        let has_code = |it: &Element<'_>| it.elements().any(|it| is_interpolation(&it));
        let is_node = |it: &&Element<'_>| {
            it.kind().is_group() || it.kind().is_string() && has_code(it) || is_interpolation(it)
        };
        let nodes = elements.iter().filter(is_node);
        self.left.extend(nodes.map(|it| match body {
            Some((range, scope)) if range == it.range => (*it, scope),
            _ => (*it, Scope::Other),
        }));
    }

    fn tools(&mut self, elements: &[Element<'t>]) {
        for (place, captured) in tools::captured(elements) {
            self.add(place, What::Tools(Box::new(captured)));
        }
    }

    fn add(&mut self, range: TextRange, what: What) {
        let is_inside = matches!(what, What::Body | What::Statement(_) | What::Tools(_));
        if is_inside && self.clause.is_some() {
            return self.inside.push((range, what));
        }
        self.end_clauses();
        self.push(range, what);
    }

    fn push(&mut self, range: TextRange, what: What) {
        // A function is a spec, a clause, a body and a statement.
        self.all.push_alike([range.start(), range.end()], what, 4);
    }

    /// Reads a statement of a module; returns its body.
    fn of_module(
        &mut self,
        code: &[Element<'t>],
        rest: Option<Level<'t>>,
    ) -> Option<(TextRange, Scope)> {
        let place = code.first()?.range;
        match code {
            [first, name @ .., body]
                if first.text() == "defmodule" && body.kind() == Kind::DoBlock =>
            {
                self.add(body.range, What::Module(path(name)?.into()));
                return Some((body.range, Scope::Module));
            }
            [first, rest @ ..] if first.text() == "alias" => self.alias(place, rest),
            [first, rest @ ..] if first.text() == "import" => {
                let name = rest.split(|it| it.kind() == Kind::Comma).next();
                if let Some(name) = name.and_then(path) {
                    self.add(place, What::Import(name.into()));
                }
            }
            [at, name, value @ ..] if at.text() == "@" => match name.text() {
                "doc" => self.add(place, What::Doc(value.first().and_then(first_line))),
                "spec" => self.spec(place, value, text_of(code, rest)),
                "type" | "typep" | "opaque" => {
                    self.add(place, What::Type(text_of(code, rest).into()))
                }
                attribute => {
                    let made = Made::of(value);
                    if !made.is_other() {
                        let attribute = (attribute.to_owned(), made);
                        self.add(place, What::Attribute(Box::new(attribute)));
                    }
                }
            },
            [first, name, rest @ ..] if matches!(first.text(), "def" | "defp") => {
                return match self.clause(first, name, rest) {
                    true => self.body(rest),
                    false => None,
                };
            }
            _ => {}
        }
        None
    }

    /// `alias A.B`, `alias A.B, as: C` or `alias A.{B, C}`.
    fn alias(&mut self, place: TextRange, elements: &[Element<'t>]) {
        match elements {
            [prefix @ .., dot, group] if dot.text() == "." && group.kind() == Kind::Braces => {
                let Some(prefix) = path(prefix) else {
                    return;
                };
                each_item(group, &mut |name| {
                    if let Some(name) = path(name) {
                        self.add_alias(place, format!("{prefix}.{name}"), None);
                    }
                });
            }
            [name @ .., comma, key, short]
                if comma.kind() == Kind::Comma && key.text() == "as:" =>
            {
                if let Some(name) = path(name) {
                    self.add_alias(place, name, Some(short.text().into()));
                }
            }
            name => {
                if let Some(name) = path(name) {
                    self.add_alias(place, name, None);
                }
            }
        }
    }

    fn add_alias(&mut self, place: TextRange, path: String, short: Option<Box<str>>) {
        let path = path.into();
        self.add(place, What::Alias(Box::new(Alias { path, short })));
    }

    fn spec(&mut self, place: TextRange, value: &[Element<'t>], text: String) {
        let [name, parameters, ..] = value else {
            return;
        };
        let arity = match parameters.kind() {
            Kind::Parens => arities(parameters).1,
            _ => 0,
        };
        let spec = Spec {
            name: name.text().into(),
            arity,
            text: text.into(),
        };
        self.add(place, What::Spec(Arc::new(spec)));
    }

    /// Adds a clause; returns whether its body may count.
    fn clause(&mut self, word: &Element<'t>, name: &Element<'t>, rest: &[Element<'t>]) -> bool {
        if name.text().is_empty() {
            return true;
        }
        let parameters = rest.first().filter(|it| it.kind() == Kind::Parens);
        let (least, most) = parameters.map(arities).unwrap_or_default();
        let text = parameters.map(Element::full_text).unwrap_or_default();
        let atom_key = parameters.and_then(first_atom_key);
        let string_keys = parameters.map(string_keys).unwrap_or_default();
        let function = Function {
            name: name.text().into(),
            arities: Arities::new(least, most),
            head: format!("{} {}{text}", word.text(), name.text()).into(),
            doc: None,
            matches_strings: atom_key.is_none() && !string_keys.is_empty(),
            atom_key,
            string_keys: string_keys.into(),
            clauses: 1,
            agent: None,
        };
        match &mut self.clause {
            Some((_, before)) if before.is_continued_by(&function) => {
                before.add_clause(&function);
                false
            }
            _ => {
                self.end_clauses();
                self.clause = Some((word.range, function));
                if !self.is_once {
                    self.end_clauses();
                }
                true
            }
        }
    }

    /// Adds the clause that others might have continued.
    fn end_clauses(&mut self) {
        if let Some((range, function)) = self.clause.take() {
            self.push(range, What::Clause(Arc::new(function)));
            for (range, what) in std::mem::take(&mut self.inside) {
                self.push(range, what);
            }
        }
    }

    /// Reads the body of a function; returns it if it is a block.
    fn body(&mut self, rest: &[Element<'t>]) -> Option<(TextRange, Scope)> {
        let last = rest.last()?;
        if last.kind() == Kind::DoBlock {
            self.add(last.range, What::Body);
            return Some((last.range, Scope::Body));
        }
        let at = rest.iter().position(|it| it.text() == "do:")?;
        self.add(rest[at].range.cover(last.range), What::Body);
        self.made(&rest[at + 1..]);
        None
    }
}

fn first_atom_key(parameters: &Element<'_>) -> Option<Box<str>> {
    let text = parameters.full_text();
    let key = *head::keys_in(parameters).first()?;
    let name = text[key - parameters.range.start()].trim_end_matches(':');
    Some(name.into())
}

fn string_keys(parameters: &Element<'_>) -> Vec<String> {
    let text = parameters.full_text();
    let keys = head::string_keys_in(parameters).into_iter();
    let keys = keys.map(|key| {
        text[key - parameters.range.start()]
            .trim_matches('"')
            .to_owned()
    });
    keys.collect()
}

/// The name in elements, such as `MyApp.Search`.
fn path(elements: &[Element<'_>]) -> Option<String> {
    let is_part =
        |it: &Element<'_>| it.kind() == Kind::Alias || matches!(it.text(), "." | "__MODULE__");
    let all = !elements.is_empty() && elements.iter().all(is_part);
    all.then(|| elements.iter().map(Element::text).collect())
}

/// The elements of each argument in a pair of brackets.
pub(super) fn arguments<'t>(group: &Element<'t>) -> Vec<Vec<Element<'t>>> {
    let is_code = |it: &Element<'_>| {
        !it.kind().is_trivia() && !matches!(it.kind(), Kind::LParen | Kind::RParen)
    };
    let elements: Vec<_> = group.elements().filter(is_code).collect();
    let items = elements.split(|it| it.kind() == Kind::Comma);
    items
        .filter(|item| !item.is_empty())
        .map(<[_]>::to_vec)
        .collect()
}

/// The least and the greatest number of arguments that a function with these parameters takes.
fn arities(parameters: &Element<'_>) -> (usize, usize) {
    let (mut least, mut most) = (0, 0);
    each_item(parameters, &mut |item| {
        let has_default = item.iter().any(|it| it.text() == "\\\\");
        most += usize::from(!item.is_empty());
        least += usize::from(!item.is_empty() && !has_default);
    });
    (least, most)
}

/// The text of an attribute up to its first block; an edit in that does not affect the attribute. `rest` is what follows
/// its sign.
fn text_of(code: &[Element<'_>], rest: Option<Level<'_>>) -> String {
    let block = code.iter().position(|it| it.kind() == Kind::DoBlock);
    let Some([first, .., last]) = code.get(..block.unwrap_or(code.len())) else {
        return String::new();
    };
    let end = last.range.end();
    let mut text = String::with_capacity((end - first.range.start()).into());
    text.push_str(first.text());
    let rest = rest.into_iter().flatten();
    for element in rest.take_while(|it| it.range.end() <= end) {
        match element.as_node() {
            Some(_) => text.push_str(&element.full_text()),
            None => text.push_str(element.text()),
        }
    }
    text
}

#[cfg(test)]
mod tests;
