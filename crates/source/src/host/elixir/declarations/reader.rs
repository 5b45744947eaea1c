//! Reads declarations, statement by statement.

use std::sync::Arc;

use crate::{
    host::{
        elixir::{
            contract::{each_item, is_long},
            find::{is_interpolation, part},
            head,
            makes::Made,
            module::{Arities, Function, Spec, first_line},
            pieces::pieces,
            statement::{ends_between, is_separator},
            tools::captured::captured,
        },
        token_tree::{Element, Kind, Level},
    },
    parallel::{self, HAS_THREADS},
    syntax::room::make_room,
    text::{TextRange, TextSize},
};

use super::{Alias, All, Scope, What};

/// The declarations in the statements of `block` in `region`; those of modules only if `block` is the body of one.
pub(super) fn read(block: Element<'_>, region: TextRange, scope: Scope) -> All {
    Reader::default().read(block, region, scope)
}

#[derive(Default)]
pub(super) struct Reader<'t> {
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
    /// Reads blocks of more than two pieces of that length on several threads.
    pub(super) fn in_pieces(piece: TextSize) -> Self {
        Self {
            piece: Some(piece),
            ..Self::default()
        }
    }

    /// Reads a document that is not edited: the clauses of a function that follow one another are one.
    pub(super) fn once() -> Self {
        Self {
            is_once: true,
            ..Self::default()
        }
    }

    /// The declarations in the statements of `block` in `region`.
    pub(super) fn read(mut self, block: Element<'t>, region: TextRange, scope: Scope) -> All {
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
        for (place, captured) in captured(elements) {
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
