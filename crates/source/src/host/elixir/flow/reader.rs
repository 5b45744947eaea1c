//! Reads expressions from the elements of a statement or a list.

use std::sync::Arc;

use super::{
    access,
    call::{Call, slices},
    expr::{Expr, MapKey},
    facts::{EXECUTE, agent_at},
    takers,
};
use crate::{
    host::{
        elixir::{
            call::Callee,
            contract::{items, only_item, options, split},
            literal::{key_text, only_string},
            modules::{LibraryCall, Modules},
            names::{Binder, CAPTURED},
            statement::{ends_between, is_separator},
            tools::Capture,
        },
        flow::{Key, KeyForm},
        token_tree::{Element, Kind},
    },
    text::{TextRange, TextSize, size},
};

/// The module of the library whose agents are followed.
pub const AGENTS: &str = "SubAgent";

/// How deep groups and calls in one another are read.
const MAX_DEPTH: usize = 16;

/// How many keys, calls and pipes may follow one another. Whoever follows an expression recurses.
const MAX_LINKS: usize = 64;

/// The elements of a list or map with more bytes are not followed.
pub const LONGEST_LIST: TextSize = TextSize::new(4096);

/// Whether a call that begins with `word` may read what is under a key.
pub fn is_accessor(word: &str) -> bool {
    matches!(
        word,
        "Map"
            | "Access"
            | "is_map_key"
            | "get_in"
            | "put_in"
            | "update_in"
            | "get_and_update_in"
            | "pop_in"
            | "hd"
            | "List"
            | "Enum"
            | "Stream"
            | "tap"
            | "dbg"
            | "IO"
    )
}

/// An expression and the index of the first element after it.
pub struct Parsed {
    /// The expression.
    pub expr: Arc<Expr>,
    /// The index.
    pub end: usize,
}

/// Reads expressions.
#[derive(Clone, Copy)]
pub struct Reader<'m> {
    modules: &'m Modules,
    depth: usize,
}

impl<'m> Reader<'m> {
    /// A reader of code in which modules mean what `modules` say.
    pub fn new(modules: &'m Modules) -> Self {
        Self { modules, depth: 0 }
    }

    /// The expression that all of `elements` is.
    pub fn whole(self, elements: &[Element<'_>]) -> Option<Arc<Expr>> {
        let parsed = self.chain(elements, 0)?;
        (parsed.end == elements.len()).then_some(parsed.expr)
    }

    /// The longest expression that begins at `at` of `elements`.
    pub fn chain(self, elements: &[Element<'_>], at: usize) -> Option<Parsed> {
        self.chain_with(elements, at, |_| {})
    }

    /// The same. Calls `mapped` with the lists in it that are piped into `Enum.map` and the like: the expression does not
    /// contain them.
    pub fn chain_with(
        self,
        elements: &[Element<'_>],
        at: usize,
        mut mapped: impl FnMut(Arc<Expr>),
    ) -> Option<Parsed> {
        let mut parsed = self.primary(elements, at)?;
        let mut links = 0;
        while let Some(next) = self.postfix(elements, &parsed) {
            links += 1;
            if links > MAX_LINKS {
                return None;
            }
            if matches!(*next.expr, Expr::Each(_)) {
                mapped(parsed.expr);
            }
            parsed = next;
        }
        Some(parsed)
    }

    fn deeper(self) -> Option<Self> {
        (self.depth < MAX_DEPTH).then_some(Self {
            depth: self.depth + 1,
            ..self
        })
    }

    fn primary(self, elements: &[Element<'_>], at: usize) -> Option<Parsed> {
        let first = elements.get(at)?;
        let start = first.range.start();
        match first.kind() {
            Kind::Operator if first.text() == "&" => {
                let number = elements.get(at + 1)?;
                let is_first = number.text() == "1" && touch(first, number);
                is_first.then(|| Parsed {
                    expr: Arc::new(Expr::Name {
                        binder: Binder::Variable,
                        name: CAPTURED.to_owned(),
                        at: start,
                    }),
                    end: at + 2,
                })
            }
            Kind::Operator if first.text() == "@" => {
                let name = elements
                    .get(at + 1)
                    .filter(|it| it.kind() == Kind::Symbol)?;
                Some(Parsed {
                    expr: Arc::new(Expr::Name {
                        binder: Binder::Attribute,
                        name: name.text().to_owned(),
                        at: start,
                    }),
                    end: at + 2,
                })
            }
            Kind::Operator if first.text() == "%" => {
                let map = elements
                    .get(at + 1)
                    .filter(|it| it.kind() == Kind::Braces)?;
                let is_short = map.range.len() <= LONGEST_LIST;
                let entries = is_short.then(|| items(map))?;
                Some(Parsed {
                    expr: Arc::new(self.map(map, entries)?),
                    end: at + 2,
                })
            }
            Kind::FnBlock => {
                let body = self.deeper()?.whole(&returned(first)?)?;
                Some(Parsed {
                    expr: Arc::new(Expr::Function(body)),
                    end: at + 1,
                })
            }
            Kind::Brackets => {
                // What follows does not depend on the elements, if it gives each to a function.
                let is_piped = elements.get(at + 1).is_some_and(|it| it.text() == "|>");
                let unknown = || is_piped.then(|| Expr::List(Arc::new([])));
                Some(Parsed {
                    expr: Arc::new(self.list(first).or_else(unknown)?),
                    end: at + 1,
                })
            }
            Kind::Parens => {
                let only = only_item(first)?;
                let expr = self.deeper()?.whole(&only)?;
                Some(Parsed { expr, end: at + 1 })
            }
            Kind::Symbol | Kind::Alias => match call_at(elements, at) {
                Some((name, parens)) => {
                    let end = parens + 1;
                    let arguments = items(&elements[parens]);
                    let call = Call {
                        path: &elements[at..=name],
                        arguments: slices(&arguments),
                        piped: None,
                    };
                    let expr = self.call(&call)?;
                    Some(Parsed { expr, end })
                }
                None if first.kind() == Kind::Symbol && is_variable(first.text()) => Some(Parsed {
                    expr: Arc::new(Expr::Name {
                        binder: Binder::Variable,
                        name: first.text().to_owned(),
                        at: start,
                    }),
                    end: at + 1,
                }),
                None => None,
            },
            _ => None,
        }
    }

    fn list(self, list: &Element<'_>) -> Option<Expr> {
        let reader = self.deeper()?;
        if list.range.len() > LONGEST_LIST {
            return None;
        }
        if let Some(entries) = options(list) {
            return self.map(list, split(entries));
        }
        let mut elements = Vec::new();
        for item in items(list) {
            elements.push(Expr::clone(&*reader.whole(&item)?));
        }
        (!elements.is_empty()).then(|| Expr::List(elements.into()))
    }

    /// The values that are expressions of ours in a map or keyword list of these `entries`.
    fn map(self, map: &Element<'_>, entries: Vec<Vec<Element<'_>>>) -> Option<Expr> {
        let reader = self.deeper()?;
        let is_update = || entries.iter().flatten().any(|it| it.text() == "|");
        if !map.is_closed() || is_update() {
            return None;
        }
        let mut known = Vec::new();
        for item in entries {
            if let Some((key, value)) = MapKey::of(&item)
                && let Some(value) = reader.whole(value)
            {
                known.push(Expr::Entry(Box::new(key), value));
            }
        }
        (!known.is_empty()).then(|| Expr::List(known.into()))
    }

    fn postfix(self, elements: &[Element<'_>], base: &Parsed) -> Option<Parsed> {
        let next = elements.get(base.end)?;
        let last = elements.get(base.end.checked_sub(1)?)?;
        if next.kind() == Kind::Brackets && touch(last, next) {
            let items = items(next);
            let mut key = match items.as_slice() {
                [item] => key_of(item)?,
                _ => return None,
            };
            let after = elements.get(base.end + 1);
            key.may_be_atom = after.is_some_and(|it| it.text() == "||");
            return Some(Parsed {
                expr: Arc::new(base.expr.get(key)),
                end: base.end + 1,
            });
        }
        match next.text() {
            "." => self.after_dot(elements, base),
            "|>" => self.after_pipe(elements, base),
            _ => None,
        }
    }

    fn after_dot(self, elements: &[Element<'_>], base: &Parsed) -> Option<Parsed> {
        let name = elements.get(base.end + 1)?;
        if name.kind() == Kind::Parens {
            let expr = match &*base.expr {
                // `compiled.execute.(arguments)`
                Expr::Get(agent, key) => {
                    let is_execute =
                        key.form == KeyForm::Dot && key.name.as_deref() == Some(EXECUTE);
                    is_execute.then(|| Expr::Execute(Arc::clone(agent)))?
                }
                _ => Expr::Called(Arc::clone(&base.expr)),
            };
            return Some(Parsed {
                expr: Arc::new(expr),
                end: base.end + 2,
            });
        }
        let after = elements.get(base.end + 2);
        let is_called = after.is_some_and(|it| it.kind() == Kind::Parens && touch(name, it));
        if name.kind() != Kind::Symbol || is_called {
            return None;
        }
        let key = Key {
            name: Some(name.text().to_owned()),
            name_range: name.range,
            range: name.range,
            form: KeyForm::Dot,
            may_be_atom: false,
            may_be_missing: false,
        };
        Some(Parsed {
            expr: Arc::new(base.expr.get(key)),
            end: base.end + 2,
        })
    }

    fn after_pipe(self, elements: &[Element<'_>], base: &Parsed) -> Option<Parsed> {
        let at = base.end + 1;
        let (name, parens) = match call_at(elements, at) {
            Some((name, parens)) => (name, Some(parens)),
            None => (name_at(elements, at)?, None),
        };
        let arguments = parens.map_or(Vec::new(), |it| items(&elements[it]));
        let call = Call {
            path: &elements[at..=name],
            arguments: slices(&arguments),
            piped: Some(Arc::clone(&base.expr)),
        };
        Some(Parsed {
            expr: self.call(&call)?,
            end: parens.unwrap_or(name) + 1,
        })
    }

    fn call(self, call: &Call<'_, '_>) -> Option<Arc<Expr>> {
        let reader = self.deeper()?;
        let callee = Callee::ending(call.path)?;
        if let Some(library) = self.modules.call(&callee) {
            return match call.options() {
                Some(options) => reader.library_call(library, &call.with_options(&options)),
                None => reader.library_call(library, call),
            };
        }
        let path: Vec<_> = callee.segments().collect();
        match path.as_slice() {
            ["Map" | "Access", "get" | "get_lazy" | "fetch!"] => reader.get(call).map(Arc::new),
            ["Map" | "Access", "fetch"] => {
                Some(Arc::new(Expr::Wrapped(Arc::new(reader.get(call)?))))
            }
            [
                "Map" | "Access",
                "pop" | "pop!" | "pop_lazy" | "replace!" | "update!" | "get_and_update!",
            ] => Some(Arc::new(Expr::Other([reader.get(call)?].into()))),
            ["Map", "has_key?"] | ["is_map_key"] => reader.has_key(call),
            ["Map", "take" | "split"] => reader.take(call),
            [access::GET] => reader.get_in(call),
            [name] if access::changes(name) => reader.change_in(name, call),
            ["elem"] => reader.elem(call),
            ["hd"] | ["List", "first" | "last"] => reader.element(call),
            [
                "Enum",
                "at" | "fetch!" | "find" | "max_by" | "min_by" | "random",
            ] => reader.element(call),
            ["Enum" | "Stream", name] if takers::keeps_elements(name) => reader.argument(call, 0),
            ["Enum" | "Stream", "chunk_by" | "chunk_every"] if call.after_first(2).is_none() => {
                Some(Arc::new(Expr::All(reader.argument(call, 0)?)))
            }
            ["tap" | "dbg"] | ["IO", "inspect"] | ["Task", "async"] => reader.argument(call, 0),
            ["Task", "await"] => Some(Arc::new(Expr::Called(reader.argument(call, 0)?))),
            ["Task", "await_many"] => {
                let task = Arc::new(Expr::Element(reader.argument(call, 0)?));
                Some(Arc::new(Expr::Each(Arc::new(Expr::Called(task)))))
            }
            ["Enum" | "Stream", "map"] | ["Task", "async_stream"] => {
                let returned = reader.function(call, 1)?;
                let element = match path[0] {
                    "Task" => Arc::new(Expr::Wrapped(returned)),
                    _ => returned,
                };
                Some(Arc::new(Expr::Each(element)))
            }
            [name] if call.piped.is_none() => Some(Arc::new(Expr::Local {
                name: (*name).into(),
                arity: call.arguments.len(),
                at: call.path.first()?.range.start(),
            })),
            [module @ .., name] if call.piped.is_none() && is_module(module) => {
                Some(Arc::new(Expr::Remote(Box::new(Capture {
                    module: Some(module.join(".")),
                    name: (*name).to_owned(),
                    arity: call.arguments.len(),
                }))))
            }
            _ => None,
        }
    }

    fn library_call(self, library: LibraryCall<'_>, call: &Call<'_, '_>) -> Option<Arc<Expr>> {
        if !matches!(library.module, AGENTS | "PtcRunner" | "CompiledAgent") {
            return None;
        }
        let run = |is_step| {
            let at = agent_at(library.function)?;
            Some(Arc::new(Expr::Run {
                agent: self.agent(call, at)?,
                overrides: Box::new(call.keys(at + 1)?),
                is_step,
            }))
        };
        match library.function {
            "new" => Some(Arc::new(Expr::Agent(Box::new(call.keys(0)?)))),
            "run" | "then" => run(false),
            "run!" | "then!" => run(true),
            "compile" => Some(Arc::new(Expr::Compiled(self.argument(call, 0)?))),
            _ => None,
        }
    }

    /// The argument at `index`, where it is an expression of ours.
    pub fn argument(self, call: &Call<'_, '_>, index: usize) -> Option<Arc<Expr>> {
        match (&call.piped, index) {
            (Some(piped), 0) => Some(Arc::clone(piped)),
            (_, index) => self.whole(call.written(index)?),
        }
    }

    /// What the function returns that is the argument at `index`.
    fn function(self, call: &Call<'_, '_>, index: usize) -> Option<Arc<Expr>> {
        let item = call.after_first(index.checked_sub(1)?)?;
        match item {
            [and, body @ ..] if and.text() == "&" => self.whole(body),
            [only] if only.kind() == Kind::FnBlock => self.whole(&returned(only)?),
            _ => None,
        }
    }

    /// The agent that is the argument at `index`: one that a prompt alone makes has the keys of the call.
    pub fn agent(self, call: &Call<'_, '_>, index: usize) -> Option<Arc<Expr>> {
        let item = match (&call.piped, index) {
            (Some(piped), 0) => return Some(Arc::clone(piped)),
            (_, index) => call.written(index)?,
        };
        if only_string(item).is_some() {
            return Some(Arc::new(Expr::Agent(Box::default())));
        }
        self.whole(item)
    }

    fn get(self, call: &Call<'_, '_>) -> Option<Expr> {
        let base = self.argument(call, 0)?;
        let key = key_of(call.after_first(0)?)?;
        Some(base.get(key))
    }

    fn has_key(self, call: &Call<'_, '_>) -> Option<Arc<Expr>> {
        let base = self.argument(call, 0)?;
        let key = key_of(call.after_first(0)?)?;
        Some(Arc::new(Expr::Other([base.get(key)].into())))
    }

    /// A map of the entries with the keys in a list, which are all written alike.
    fn take(self, call: &Call<'_, '_>) -> Option<Arc<Expr>> {
        let base = self.argument(call, 0)?;
        let keys = keys_in(call.after_first(0)?)?;
        let keys: Option<Vec<_>> = keys.iter().map(|item| key_of(item)).collect();
        let keys = keys?;
        let form = keys.first()?.form;
        let parts = keys.into_iter().map(|key| {
            let is_alike = key.form == form;
            is_alike.then(|| base.get(key))
        });
        Some(Arc::new(Expr::Other(parts.collect::<Option<_>>()?)))
    }

    /// An element of the list that is the first argument; one that is given instead of it has any type.
    fn element(self, call: &Call<'_, '_>) -> Option<Arc<Expr>> {
        let list = self.argument(call, 0)?;
        let has_default = call.after_first(1).is_some();
        (!has_default).then(|| Arc::new(Expr::Element(list)))
    }

    fn elem(self, call: &Call<'_, '_>) -> Option<Arc<Expr>> {
        let tuple = self.argument(call, 0)?;
        let [index] = call.after_first(0)? else {
            return None;
        };
        (index.text() == "1").then(|| Arc::new(Expr::Ok(tuple)))
    }
}

/// Whether `path` names a module.
fn is_module(path: &[&str]) -> bool {
    let is_alias = |it: &&str| it.starts_with(|first: char| first.is_uppercase());
    !path.is_empty() && path.iter().all(|it| is_alias(it) || *it == "__MODULE__")
}

/// The items of the list of keys that `argument` is.
pub(super) fn keys_in<'t>(argument: &[Element<'t>]) -> Option<Vec<Vec<Element<'t>>>> {
    let [list] = argument else {
        return None;
    };
    let keys = items(list);
    (list.kind() == Kind::Brackets && keys.len() <= MAX_LINKS).then_some(keys)
}

/// The key that `item` is.
pub fn key_of(item: &[Element<'_>]) -> Option<Key> {
    let (first, last) = (item.first()?, item.last()?);
    let range = first.range.cover(last.range);
    let (name, form) = match item {
        [only] if matches!(only.kind(), Kind::Atom | Kind::QuotedAtom) => {
            (key_text(only), KeyForm::Atom)
        }
        [only] if only.kind() == Kind::String => (key_text(only), KeyForm::String),
        _ => (None, KeyForm::String),
    };
    Some(Key {
        name: name.map(str::to_owned),
        name_range: name.map_or(range, |name| name_in(range, name)),
        range,
        form,
        may_be_atom: false,
        may_be_missing: false,
    })
}

/// The place of `name` in a key at `range`: before it are a colon (`:a`), a quote (`"a"`) or both (`:"a"`).
fn name_in(range: TextRange, name: &str) -> TextRange {
    let before = match usize::from(range.len()).saturating_sub(name.len()) {
        0 => 0,
        1 | 2 => 1,
        _ => 2,
    };
    TextRange::at(range.start() + size(before), TextSize::of(name))
}

/// The last statement of a function of one clause, `fn … -> … end`, which is what it returns.
fn returned<'t>(function: &Element<'t>) -> Option<Vec<Element<'t>>> {
    let mut statement: Vec<Element<'t>> = Vec::new();
    let mut arrows = 0;
    let mut is_line_end = false;
    for element in function.elements() {
        if element.kind().is_trivia() {
            is_line_end |= element.kind() == Kind::Newline;
            continue;
        }
        arrows += usize::from(element.text() == "->");
        let after = (element.kind(), element.text());
        let ends =
            |last: &Element<'_>| ends_between((last.kind(), last.text()), after, is_line_end);
        // What closes the function ends the last statement.
        if statement.last().is_some_and(ends) && element.kind() != Kind::End {
            statement.clear();
        }
        if !is_separator(after) {
            statement.push(element);
        }
        is_line_end = false;
    }
    (arrows == 1 && !statement.is_empty()).then_some(statement)
}

/// The index of the last name of a path that begins at `at`.
fn name_at(elements: &[Element<'_>], at: usize) -> Option<usize> {
    let mut name = at;
    loop {
        match elements.get(name)?.kind() {
            Kind::Symbol => return Some(name),
            Kind::Alias if elements.get(name + 1)?.text() == "." => name += 2,
            _ => return None,
        }
    }
}

/// The indices of a function's name and its parentheses, where a call begins at `at`.
fn call_at(elements: &[Element<'_>], at: usize) -> Option<(usize, usize)> {
    let name = name_at(elements, at)?;
    let parens = elements.get(name + 1)?;
    (parens.kind() == Kind::Parens && touch(&elements[name], parens)).then_some((name, name + 1))
}

fn touch(before: &Element<'_>, after: &Element<'_>) -> bool {
    before.range.end() == after.range.start()
}

fn is_variable(word: &str) -> bool {
    !matches!(
        word,
        "nil"
            | "true"
            | "false"
            | "not"
            | "and"
            | "or"
            | "in"
            | "when"
            | "case"
            | "cond"
            | "if"
            | "unless"
            | "with"
            | "for"
            | "try"
            | "receive"
            | "quote"
            | "do"
            | "else"
            | "rescue"
            | "after"
            | "catch"
    )
}
