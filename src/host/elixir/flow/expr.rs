//! Expressions that evaluate to an agent, a step or a part of what a step returned.

use std::sync::Arc;

use super::{facts::EXECUTE, takers};
use crate::{
    host::{
        elixir::{
            call::{Argument, Callee},
            contract::{items, options, split},
            literal::{key_text, literal, only_string},
            modules::{LibraryCall, Modules},
            names::{Binder, CAPTURED},
            statement::{ends_between, is_separator},
        },
        flow::{Key, KeyForm, ModeText},
        object::Literal,
        token_tree::{Element, Kind},
    },
    text::{TextRange, TextSize, size},
};

/// The module of the library whose agents are followed.
pub const AGENTS: &str = "SubAgent";

/// A prompt with more bytes is not compared with the context of runs elsewhere.
const MOST_PROMPT: usize = 4096;

/// How deep groups and calls in one another are read.
const MAX_DEPTH: usize = 16;

/// How many keys, calls and pipes may follow one another. Whoever follows an expression recurses.
const MAX_LINKS: usize = 64;

/// The elements of a list or map with more bytes are not followed.
const LONGEST_LIST: TextSize = TextSize::new(4096);

/// The words with which calls begin that may evaluate to what is under a key.
pub const ACCESSORS: [&str; 8] = ["Map", "get_in", "hd", "List", "Enum", "tap", "dbg", "IO"];

/// An expression. Its places count from where the statement or value that it is part of is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// A variable or an attribute.
    Name {
        /// What binds it.
        binder: Binder,
        /// Its name, without a sign.
        name: String,
        /// Where it begins.
        at: TextSize,
    },
    /// A call of a function of the same module.
    Local {
        /// The function's name.
        name: String,
        /// The number of its arguments.
        arity: usize,
        /// Where it begins.
        at: TextSize,
    },
    /// A call of a function of another module.
    Remote {
        /// The module as written.
        module: String,
        /// The function's name.
        name: String,
        /// The number of its arguments.
        arity: usize,
    },
    /// `SubAgent.new(…)`, or the agent that a prompt alone makes in `SubAgent.run("…", …)`.
    Agent(AgentKeys),
    /// A call that runs an agent.
    Run {
        /// The agent.
        agent: Arc<Expr>,
        /// What the call says in the place of what the agent says.
        overrides: AgentKeys,
        /// Whether it evaluates to a step, or to a tuple of one.
        is_step: bool,
    },
    /// `SubAgent.compile(agent, …)`
    Compiled(Arc<Expr>),
    /// `compiled.execute.(…)`
    Execute(Arc<Expr>),
    /// The second element of `{:ok, …}`.
    Ok(Arc<Expr>),
    /// `{:ok, …}`
    Wrapped(Arc<Expr>),
    /// What is under a key.
    Get(Arc<Expr>, Key),
    /// Any element of a list.
    Element(Arc<Expr>),
    /// A function, which returns that.
    Function(Arc<Expr>),
    /// What a function returns, or the task that calls it.
    Called(Arc<Expr>),
    /// A list, each element of which is that.
    Each(Arc<Expr>),
    /// A list of these elements.
    List(Arc<[Expr]>),
    /// A map or keyword list with these values among others.
    Map(Arc<[(MapKey, Expr)]>),
    /// What a private function is given.
    Parameter(Parameter),
}

/// A key of a map as it is when the code runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MapKey {
    /// An atom.
    Atom(String),
    /// A string.
    String(String),
}

/// A parameter of a private function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The function's name.
    pub function: String,
    /// The number of its arguments.
    pub arity: usize,
    /// Which argument it is, from 0.
    pub index: usize,
    /// Where the function is defined.
    pub at: TextSize,
}

/// What the keys of a call say of an agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentKeys {
    /// Its signature.
    pub signature: Option<SignatureText>,
    /// Its prompt.
    pub prompt: Option<SignatureText>,
    /// Its mode of validation.
    pub mode: Option<ModeText>,
    /// The name of the list in place of the keys, and where it begins.
    pub options: Option<(Binder, String, TextSize)>,
}

/// Where a signature or a prompt is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignatureText {
    /// In a string.
    Literal(Literal, String),
    /// In what a name is bound to.
    Name(Binder, String, TextSize),
    /// Where nobody can see it.
    Unknown,
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
        let mut parsed = self.primary(elements, at)?;
        let mut links = 0;
        while let Some(next) = self.postfix(elements, &parsed) {
            links += 1;
            if links > MAX_LINKS {
                return None;
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
        match first.kind {
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
                let name = elements.get(at + 1).filter(|it| it.kind == Kind::Symbol)?;
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
                let map = elements.get(at + 1).filter(|it| it.kind == Kind::Braces)?;
                Some(Parsed {
                    expr: Arc::new(self.map(map, items(map))?),
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
                let items = items(first);
                let [only] = items.as_slice() else {
                    return None;
                };
                let expr = self.deeper()?.whole(only)?;
                Some(Parsed { expr, end: at + 1 })
            }
            Kind::Symbol | Kind::Alias => match call_at(elements, at) {
                Some((name, parens)) => {
                    let end = parens + 1;
                    let call = Call {
                        path: &elements[at..=name],
                        arguments: items(&elements[parens]),
                        piped: None,
                    };
                    let expr = self.call(&call)?;
                    Some(Parsed { expr, end })
                }
                None if first.kind == Kind::Symbol && is_variable(first.text()) => Some(Parsed {
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
        if map.range.len() > LONGEST_LIST || !map.is_closed() || is_update() {
            return None;
        }
        let entries = entries.iter().filter_map(|item| {
            let (key, value) = MapKey::of(item)?;
            Some((key, Expr::clone(&*reader.whole(value)?)))
        });
        let entries: Arc<[_]> = entries.collect();
        (!entries.is_empty()).then_some(Expr::Map(entries))
    }

    fn postfix(self, elements: &[Element<'_>], base: &Parsed) -> Option<Parsed> {
        let next = elements.get(base.end)?;
        let last = elements.get(base.end.checked_sub(1)?)?;
        if next.kind == Kind::Brackets && touch(last, next) {
            let items = items(next);
            let mut key = match items.as_slice() {
                [item] => key_of(item)?,
                _ => return None,
            };
            let after = elements.get(base.end + 1);
            key.may_be_atom = after.is_some_and(|it| it.text() == "||");
            return Some(Parsed {
                expr: Arc::new(Expr::Get(Arc::clone(&base.expr), key)),
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
        if name.kind == Kind::Parens {
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
        let is_called = after.is_some_and(|it| it.kind == Kind::Parens && touch(name, it));
        if name.kind != Kind::Symbol || is_called {
            return None;
        }
        let key = Key {
            name: Some(name.text().to_owned()),
            name_range: name.range,
            range: name.range,
            form: KeyForm::Dot,
            may_be_atom: false,
        };
        Some(Parsed {
            expr: Arc::new(Expr::Get(Arc::clone(&base.expr), key)),
            end: base.end + 2,
        })
    }

    fn after_pipe(self, elements: &[Element<'_>], base: &Parsed) -> Option<Parsed> {
        let at = base.end + 1;
        let (name, parens) = match call_at(elements, at) {
            Some((name, parens)) => (name, Some(parens)),
            None => (name_at(elements, at)?, None),
        };
        let call = Call {
            path: &elements[at..=name],
            arguments: parens.map_or(Vec::new(), |it| items(&elements[it])),
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
            return match call.with_options() {
                Some(call) => reader.library_call(library, &call),
                None => reader.library_call(library, call),
            };
        }
        let path: Vec<_> = callee.segments().collect();
        match path.as_slice() {
            ["Map", "get" | "fetch!"] => reader.get(call).map(Arc::new),
            ["Map", "fetch"] => Some(Arc::new(Expr::Wrapped(Arc::new(reader.get(call)?)))),
            ["get_in"] => reader.get_in(call),
            ["elem"] => reader.elem(call),
            ["hd"] | ["List", "first" | "last"] => reader.element(call),
            [
                "Enum",
                "at" | "fetch!" | "find" | "max_by" | "min_by" | "random",
            ] => reader.element(call),
            ["Enum", name] if takers::keeps_elements(name) => reader.argument(call, 0),
            ["tap" | "dbg"] | ["IO", "inspect"] | ["Task", "async"] => reader.argument(call, 0),
            ["Task", "await"] => Some(Arc::new(Expr::Called(reader.argument(call, 0)?))),
            ["Task", "await_many"] => {
                let task = Arc::new(Expr::Element(reader.argument(call, 0)?));
                Some(Arc::new(Expr::Each(Arc::new(Expr::Called(task)))))
            }
            ["Enum", "map"] | ["Task", "async_stream"] => {
                let returned = reader.function(call, 1)?;
                let element = match path[0] {
                    "Task" => Arc::new(Expr::Wrapped(returned)),
                    _ => returned,
                };
                Some(Arc::new(Expr::Each(element)))
            }
            [name] if call.piped.is_none() => Some(Arc::new(Expr::Local {
                name: (*name).to_owned(),
                arity: call.arguments.len(),
                at: call.path.first()?.range.start(),
            })),
            [module @ .., name] if call.piped.is_none() && is_module(module) => {
                Some(Arc::new(Expr::Remote {
                    module: module.join("."),
                    name: (*name).to_owned(),
                    arity: call.arguments.len(),
                }))
            }
            _ => None,
        }
    }

    fn library_call(self, library: LibraryCall<'_>, call: &Call<'_, '_>) -> Option<Arc<Expr>> {
        if !matches!(library.module, AGENTS | "PtcRunner" | "CompiledAgent") {
            return None;
        }
        let run = |is_step| {
            let agent = self.agent(call, 0)?;
            Some(Arc::new(Expr::Run {
                agent,
                overrides: call.keys(1)?,
                is_step,
            }))
        };
        let then = |is_step| {
            let agent = self.agent(call, 1)?;
            Some(Arc::new(Expr::Run {
                agent,
                overrides: call.keys(2)?,
                is_step,
            }))
        };
        match library.function {
            "new" => Some(Arc::new(Expr::Agent(call.keys(0)?))),
            "run" => run(false),
            "run!" => run(true),
            "then" => then(false),
            "then!" => then(true),
            "compile" => Some(Arc::new(Expr::Compiled(self.argument(call, 0)?))),
            _ => None,
        }
    }

    /// The argument at `index`, where it is an expression of ours.
    pub fn argument(self, call: &Call<'_, '_>, index: usize) -> Option<Arc<Expr>> {
        match (&call.piped, index) {
            (Some(piped), 0) => Some(Arc::clone(piped)),
            (piped, index) => {
                let item = call
                    .arguments
                    .get(index - usize::from(piped.is_some()).min(index))?;
                self.whole(item)
            }
        }
    }

    /// What the function returns that is the argument at `index`.
    fn function(self, call: &Call<'_, '_>, index: usize) -> Option<Arc<Expr>> {
        let item = call.after_first(index.checked_sub(1)?)?;
        match item.as_slice() {
            [and, body @ ..] if and.text() == "&" => self.whole(body),
            [only] if only.kind == Kind::FnBlock => self.whole(&returned(only)?),
            _ => None,
        }
    }

    /// The agent that is the argument at `index`: one that a prompt alone makes has the keys of the call.
    pub fn agent(self, call: &Call<'_, '_>, index: usize) -> Option<Arc<Expr>> {
        let item = match (&call.piped, index) {
            (Some(piped), 0) => return Some(Arc::clone(piped)),
            (piped, index) => call
                .arguments
                .get(index - usize::from(piped.is_some()).min(index))?,
        };
        if only_string(item).is_some() {
            return Some(Arc::new(Expr::Agent(AgentKeys::default())));
        }
        self.whole(item)
    }

    fn get(self, call: &Call<'_, '_>) -> Option<Expr> {
        let base = self.argument(call, 0)?;
        let key = key_of(call.after_first(0)?)?;
        Some(Expr::Get(base, key))
    }

    fn get_in(self, call: &Call<'_, '_>) -> Option<Arc<Expr>> {
        let mut expr = self.argument(call, 0)?;
        let [list] = call.after_first(0)?.as_slice() else {
            return None;
        };
        if list.kind != Kind::Brackets {
            return None;
        }
        let keys = items(list);
        if keys.len() > MAX_LINKS {
            return None;
        }
        for item in keys {
            expr = Arc::new(Expr::Get(expr, key_of(&item)?));
        }
        Some(expr)
    }

    /// An element of the list that is the first argument; one that is given instead of it has any type.
    fn element(self, call: &Call<'_, '_>) -> Option<Arc<Expr>> {
        let list = self.argument(call, 0)?;
        let has_default = call.after_first(1).is_some();
        (!has_default).then(|| Arc::new(Expr::Element(list)))
    }

    fn elem(self, call: &Call<'_, '_>) -> Option<Arc<Expr>> {
        let tuple = self.argument(call, 0)?;
        let [index] = call.after_first(0)?.as_slice() else {
            return None;
        };
        (index.text() == "1").then(|| Arc::new(Expr::Ok(tuple)))
    }
}

/// A call as it is written.
pub struct Call<'s, 't> {
    /// The function's name with its module.
    pub path: &'s [Element<'t>],
    /// What is between its parentheses.
    pub arguments: Vec<Vec<Element<'t>>>,
    /// What is piped into it.
    pub piped: Option<Arc<Expr>>,
}

impl<'t> Call<'_, 't> {
    /// The same call with its options out of their brackets; `None` if there are none.
    fn with_options(&self) -> Option<Self> {
        let (last, arguments) = self.arguments.split_last()?;
        let [list] = last.as_slice() else {
            return None;
        };
        let mut arguments = arguments.to_vec();
        arguments.extend(split(options(list)?));
        Some(Self {
            path: self.path,
            arguments,
            piped: self.piped.clone(),
        })
    }

    /// The argument `index` places after the first one.
    fn after_first(&self, index: usize) -> Option<&Vec<Element<'t>>> {
        let piped = usize::from(self.piped.is_some());
        self.arguments.get(index + 1 - piped)
    }

    /// The value of the keyed argument `key`.
    pub fn value(&self, key: &str) -> Option<&[Element<'t>]> {
        self.arguments
            .iter()
            .find_map(|item| match item.as_slice() {
                [it, value @ ..] if it.kind == Kind::Key && key_text(it) == Some(key) => {
                    Some(value)
                }
                _ => None,
            })
    }

    /// What the keys from the argument at `first` on say; `None` where more may be said than can be seen.
    pub fn keys(&self, first: usize) -> Option<AgentKeys> {
        let piped = usize::from(self.piped.is_some());
        let items = self.arguments.get(first.saturating_sub(piped)..)?;
        agent_keys(items)
    }
}

impl MapKey {
    /// The key of an entry, and its value.
    fn of<'s, 't>(entry: &'s [Element<'t>]) -> Option<(Self, &'s [Element<'t>])> {
        match entry {
            [key, value @ ..] if matches!(key.kind, Kind::Key | Kind::QuotedKey) => {
                Some((Self::Atom(key_text(key)?.to_owned()), value))
            }
            [key, arrow, value @ ..] if arrow.text() == "=>" => {
                let text = key_text(key)?.to_owned();
                match key.kind {
                    Kind::String => Some((Self::String(text), value)),
                    Kind::Atom | Kind::QuotedAtom => Some((Self::Atom(text), value)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether `key` reads what is under it.
    pub fn is_read_by(&self, key: &Key) -> bool {
        let (name, is_string) = match self {
            Self::Atom(name) => (name, false),
            Self::String(name) => (name, true),
        };
        key.name.as_ref() == Some(name) && (key.form == KeyForm::String) == is_string
    }
}

/// What the keys of a call say; `None` where more may be said than can be seen.
pub fn agent_keys(items: &[Vec<Element<'_>>]) -> Option<AgentKeys> {
    let mut keys = AgentKeys::default();
    if let [only] = items
        && let Some(Argument::Name(binder, name)) = Argument::of(only)
    {
        keys.options = Some((binder, name.to_owned(), only.first()?.range.start()));
        return Some(keys);
    }
    for item in items {
        let [key, value @ ..] = item.as_slice() else {
            continue;
        };
        if !matches!(key.kind, Kind::Key | Kind::QuotedKey) {
            return None;
        }
        match key_text(key)? {
            "signature" if keys.signature.is_none() => keys.signature = Some(signature_of(value)),
            "prompt" if keys.prompt.is_none() => keys.prompt = prompt_of(value),
            "signature_validation" | "validation" if keys.mode.is_none() => {
                keys.mode = Some(match value {
                    [atom] if atom.kind == Kind::Atom => {
                        ModeText::Named(atom.text().trim_start_matches(':').to_owned())
                    }
                    _ => ModeText::Dynamic,
                });
            }
            _ => {}
        }
    }
    Some(keys)
}

fn signature_of(value: &[Element<'_>]) -> SignatureText {
    let Some(first) = value.first() else {
        return SignatureText::Unknown;
    };
    match Argument::of(value) {
        Some(Argument::String(string)) => signature_text(&string),
        Some(Argument::Name(binder, name)) => {
            SignatureText::Name(binder, name.to_owned(), first.range.start())
        }
        None => SignatureText::Unknown,
    }
}

/// The prompt that a run of the agent is checked against; `None` where it names nothing, or is too long to be kept with
/// each run.
fn prompt_of(value: &[Element<'_>]) -> Option<SignatureText> {
    match signature_of(value) {
        SignatureText::Literal(literal, text) => {
            let is_kept = text.len() <= MOST_PROMPT && text.contains("{{");
            is_kept.then_some(SignatureText::Literal(literal, text))
        }
        other => Some(other),
    }
}

/// The signature that `string` holds.
pub fn signature_text(string: &Element<'_>) -> SignatureText {
    let literal = literal(string);
    let text = string.full_text();
    let content = text[literal.content - string.range.start()].to_owned();
    SignatureText::Literal(literal, content)
}

/// Whether `path` names a module.
fn is_module(path: &[&str]) -> bool {
    let is_alias = |it: &&str| it.starts_with(|first: char| first.is_uppercase());
    !path.is_empty() && path.iter().all(|it| is_alias(it) || *it == "__MODULE__")
}

/// The key that `item` is.
pub fn key_of(item: &[Element<'_>]) -> Option<Key> {
    let (first, last) = (item.first()?, item.last()?);
    let range = first.range.cover(last.range);
    let (name, form) = match item {
        [only] if matches!(only.kind, Kind::Atom | Kind::QuotedAtom) => {
            (key_text(only), KeyForm::Atom)
        }
        [only] if only.kind == Kind::String => (key_text(only), KeyForm::String),
        _ => (None, KeyForm::String),
    };
    Some(Key {
        name: name.map(str::to_owned),
        name_range: name.map_or(range, |name| name_in(range, name)),
        range,
        form,
        may_be_atom: false,
    })
}

/// The place of `name` in a key at `range`: before it are a colon, a quote or both.
pub fn name_in(range: TextRange, name: &str) -> TextRange {
    let around = usize::from(range.len()).saturating_sub(name.len());
    let before = if around == 2 { 1 } else { around.min(2) };
    let before = if around == 3 { 2 } else { before };
    TextRange::at(range.start() + size(before), TextSize::of(name))
}

/// The last statement of a function of one clause, `fn … -> … end`, which is what it returns.
fn returned<'t>(function: &Element<'t>) -> Option<Vec<Element<'t>>> {
    let mut statement: Vec<Element<'t>> = Vec::new();
    let mut arrows = 0;
    let mut is_line_end = false;
    for element in function.elements() {
        if element.kind.is_trivia() {
            is_line_end |= element.kind == Kind::Newline;
            continue;
        }
        arrows += usize::from(element.text() == "->");
        let after = (element.kind, element.text());
        let ends = |last: &Element<'_>| ends_between((last.kind, last.text()), after, is_line_end);
        // What closes the function ends the last statement.
        if statement.last().is_some_and(ends) && element.kind != Kind::End {
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
        match elements.get(name)?.kind {
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
    (parens.kind == Kind::Parens && touch(&elements[name], parens)).then_some((name, name + 1))
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

impl Expr {
    /// The same expression, counted from `base`.
    pub fn rebased(&self, base: TextSize) -> Self {
        let on = |it: &Arc<Self>| Arc::new(it.rebased(base));
        match self {
            Self::Name { binder, name, at } => Self::Name {
                binder: *binder,
                name: name.clone(),
                at: *at - base,
            },
            Self::Local { name, arity, at } => Self::Local {
                name: name.clone(),
                arity: *arity,
                at: *at - base,
            },
            Self::Remote { .. } => self.clone(),
            Self::Agent(keys) => Self::Agent(keys.rebased(base)),
            Self::Run {
                agent,
                overrides,
                is_step,
            } => Self::Run {
                agent: on(agent),
                overrides: overrides.rebased(base),
                is_step: *is_step,
            },
            Self::Compiled(agent) => Self::Compiled(on(agent)),
            Self::Execute(agent) => Self::Execute(on(agent)),
            Self::Ok(of) => Self::Ok(on(of)),
            Self::Wrapped(it) => Self::Wrapped(on(it)),
            Self::Get(of, key) => {
                let mut key = key.clone();
                key.map_ranges(&|range| range - base);
                Self::Get(on(of), key)
            }
            Self::Element(of) => Self::Element(on(of)),
            Self::Function(body) => Self::Function(on(body)),
            Self::Called(of) => Self::Called(on(of)),
            Self::Each(of) => Self::Each(on(of)),
            Self::List(elements) => {
                Self::List(elements.iter().map(|it| it.rebased(base)).collect())
            }
            Self::Map(entries) => {
                let entries = entries.iter();
                Self::Map(
                    entries
                        .map(|(key, it)| (key.clone(), it.rebased(base)))
                        .collect(),
                )
            }
            Self::Parameter(parameter) => Self::Parameter(Parameter {
                at: parameter.at - base,
                ..parameter.clone()
            }),
        }
    }

    /// The least place in it.
    pub fn start(&self) -> TextSize {
        match self {
            Self::Name { at, .. } | Self::Local { at, .. } => *at,
            Self::Remote { .. } => TextSize::from(u32::MAX),
            Self::Agent(keys) => keys.start(),
            Self::Run {
                agent, overrides, ..
            } => agent.start().min(overrides.start()),
            Self::Compiled(of)
            | Self::Execute(of)
            | Self::Ok(of)
            | Self::Wrapped(of)
            | Self::Element(of)
            | Self::Function(of)
            | Self::Called(of)
            | Self::Each(of) => of.start(),
            Self::Get(of, key) => of.start().min(key.range.start()),
            Self::List(elements) => {
                let starts = elements.iter().map(Self::start);
                starts.min().unwrap_or(TextSize::from(u32::MAX))
            }
            Self::Map(entries) => {
                let starts = entries.iter().map(|(_, it)| it.start());
                starts.min().unwrap_or(TextSize::from(u32::MAX))
            }
            Self::Parameter(parameter) => parameter.at,
        }
    }
}

impl Parameter {
    /// Whether `other` is the same parameter, perhaps of another clause.
    pub fn is_same(&self, other: &Self) -> bool {
        self.function == other.function && self.arity == other.arity && self.index == other.index
    }
}

impl AgentKeys {
    fn start(&self) -> TextSize {
        let texts = self.signature.iter().chain(&self.prompt);
        let starts = texts.filter_map(|it| match it {
            SignatureText::Literal(literal, _) => Some(literal.literal.start()),
            SignatureText::Name(.., at) => Some(*at),
            SignatureText::Unknown => None,
        });
        let options = self.options.iter().map(|(.., at)| *at);
        starts.chain(options).min().unwrap_or(TextSize::from(u32::MAX))
    }

    /// The same keys, counted from `base`.
    pub fn rebased(&self, base: TextSize) -> Self {
        let on = |it: SignatureText| match it {
            SignatureText::Literal(mut literal, text) => {
                literal.literal -= base;
                literal.content -= base;
                SignatureText::Literal(literal, text)
            }
            SignatureText::Name(binder, name, at) => SignatureText::Name(binder, name, at - base),
            SignatureText::Unknown => SignatureText::Unknown,
        };
        Self {
            signature: self.signature.clone().map(on),
            prompt: self.prompt.clone().map(on),
            mode: self.mode.clone(),
            options: { self.options.clone() }.map(|(binder, name, at)| (binder, name, at - base)),
        }
    }
}
