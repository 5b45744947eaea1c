//! The agents that functions return, for other files: read statement by statement, without what other statements say.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::{
    call::Callee,
    contract::items,
    flow::{
        call::slices,
        keys::{AgentKeys, SignatureText, agent_keys, signature_text},
        reader::AGENTS,
    },
    literal::only_string,
    module::Facts,
    names::{Binder, is_branch_word},
};
use crate::{
    host::{
        evidence,
        flow::{ModeText, Source},
        roles::LIBRARY,
        token_tree::{Element, Kind},
    },
    text::TextSize,
};

/// How many attributes and functions are followed, so that those that refer to each other end.
const MAX_STEPS: usize = 16;

/// A statement in the body of a function, or an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Made {
    binds: Binds,
    value: Value,
}

/// Which variables a statement binds.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Binds {
    Nothing,
    Name(String),
    Others,
    /// What is after it does not follow on the statements before it: `rescue` and the like.
    Branch,
}

/// What a statement evaluates to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Agent(Arc<New>),
    /// A string that reads as a signature.
    Text(Arc<Source>),
    Name(Binder, String),
    /// A call of a function of the same module.
    Call(String, usize),
    Other,
}

/// A call of `new` in a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct New {
    /// The module as written.
    module: String,
    signature: SignatureOf,
    mode: Option<ModeText>,
}

/// Where the signature of an agent is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SignatureOf {
    Text(Arc<Source>),
    Name(Binder, String),
    Unknown,
}

impl Made {
    /// Reads the statement `code`.
    pub(super) fn of(code: &[Element<'_>]) -> Self {
        let other = |binds| Self {
            binds,
            value: Value::Other,
        };
        match code {
            [name, equals, value @ ..] if name.kind() == Kind::Symbol && equals.text() == "=" => {
                Self {
                    binds: Binds::Name(name.text().to_owned()),
                    value: Value::of(value),
                }
            }
            [word, ..] if is_branch_word(word) => other(Binds::Branch),
            code if code.iter().any(|it| it.text() == "=") => other(Binds::Others),
            code => Self {
                binds: Binds::Nothing,
                value: Value::of(code),
            },
        }
    }

    /// The function of the same module whose result its value depends on.
    pub(super) fn function(&self) -> Option<&str> {
        match &self.value {
            Value::Call(name, _) | Value::Name(Binder::Function, name) => Some(name),
            Value::Agent(new) => match &new.signature {
                SignatureOf::Name(Binder::Function, name) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// The attribute of the same module that its value depends on.
    pub(super) fn attribute(&self) -> Option<&str> {
        match &self.value {
            Value::Name(Binder::Attribute, name) => Some(name),
            Value::Agent(new) => match &new.signature {
                SignatureOf::Name(Binder::Attribute, name) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it evaluates to neither an agent nor a signature, nor to a name or call that may.
    pub(super) fn is_other(&self) -> bool {
        self.value == Value::Other
    }
}

impl Value {
    /// Whether it may be an agent; `is_function` tells whether the document has a function of that name and arity.
    pub(super) fn may_be_agent(&self, is_function: impl Fn(&str, usize) -> bool) -> bool {
        match self {
            Self::Agent(_) | Self::Name(..) => true,
            Self::Call(name, arity) => is_function(name, *arity),
            Self::Text(_) | Self::Other => false,
        }
    }

    fn of(code: &[Element<'_>]) -> Self {
        Self::read(code).unwrap_or(Self::Other)
    }

    fn read(code: &[Element<'_>]) -> Option<Self> {
        match code {
            [sign, name] if sign.text() == "@" => {
                Some(Self::Name(Binder::Attribute, name.text().to_owned()))
            }
            [name] if name.kind() == Kind::Symbol => {
                Some(Self::Name(Binder::Variable, name.text().to_owned()))
            }
            [path @ .., parens] if parens.kind() == Kind::Parens => {
                let callee = Callee::ending(path).filter(|it| it.path().len() == path.len())?;
                let mut names: Vec<_> = callee.segments().collect();
                let function = names.pop()?;
                let arguments = items(parens);
                if names.is_empty() {
                    return Some(Self::Call(function.to_owned(), arguments.len()));
                }
                let keys = agent_keys(&slices(&arguments)).filter(|_| function == "new")?;
                let AgentKeys {
                    signature, mode, ..
                } = keys;
                Some(Self::Agent(Arc::new(New {
                    module: names.join("."),
                    signature: signature_of(signature?),
                    mode,
                })))
            }
            code => {
                let string = only_string(code)?;
                let SignatureText::Literal(_, text) = signature_text(&string) else {
                    return None;
                };
                evidence::of_signature(&text)?;
                let is_known = !text.is_dynamic();
                is_known.then(|| Self::Text(Arc::new(Source::here(text, None))))
            }
        }
    }
}

fn signature_of(signature: SignatureText) -> SignatureOf {
    match signature {
        SignatureText::Literal(_, text) if text.is_dynamic() => SignatureOf::Unknown,
        SignatureText::Literal(_, text) => SignatureOf::Text(Arc::new(Source::here(text, None))),
        SignatureText::Name(binder, name, _) => SignatureOf::Name(binder, name),
        SignatureText::Unknown => SignatureOf::Unknown,
    }
}

/// A function by the index of its module and its own in that.
pub(super) type FunctionAt = (usize, usize);

/// What the functions of a document return, as its statements come one by one.
#[derive(Default)]
pub(super) struct Returns<'d> {
    open: Option<OpenBody>,
    /// What each function returns.
    functions: HashMap<FunctionAt, Value>,
    /// Those that have several clauses.
    unclear: HashSet<FunctionAt>,
    /// The attributes of each module; `None` where there are several of a name.
    attributes: HashMap<(usize, &'d str), Option<&'d Made>>,
}

struct OpenBody {
    function: FunctionAt,
    end: TextSize,
    body: Body,
}

/// The statements of a body so far.
#[derive(Default)]
struct Body {
    variables: HashMap<String, Value>,
    last: Option<Value>,
    is_unclear: bool,
}

/// What a body of these statements returns; `None` where it branches.
pub(super) fn returned<'d>(statements: impl Iterator<Item = &'d Made>) -> Option<Value> {
    let mut body = Body::default();
    statements.for_each(|made| body.add(made));
    body.returned()
}

impl<'d> Returns<'d> {
    /// Adds one more clause of a function that has some.
    pub(super) fn add_clause(&mut self, function: FunctionAt) {
        self.unclear.insert(function);
    }

    /// Adds an attribute of a module.
    pub(super) fn add_attribute(&mut self, module: usize, name: &'d str, made: &'d Made) {
        let entry = self.attributes.entry((module, name));
        entry
            .and_modify(|it| *it = None)
            .or_insert_with(|| Some(made));
    }

    /// Begins the body of a function.
    pub(super) fn open(&mut self, function: FunctionAt, end: TextSize) {
        self.close();
        self.open = Some(OpenBody {
            function,
            end,
            body: Body::default(),
        });
    }

    /// Adds the statement at `start`.
    pub(super) fn add(&mut self, start: TextSize, made: &Made) {
        if let Some(open) = self.open.as_mut().filter(|it| start < it.end) {
            open.body.add(made);
        }
    }

    fn close(&mut self) {
        if let Some(OpenBody { function, body, .. }) = self.open.take()
            && let Some(value) = body.returned()
            && value != Value::Other
        {
            self.functions.insert(function, value);
        }
    }

    /// The agents that functions return. `is_agents` says whether a module is the one of agents.
    pub(super) fn finish(
        mut self,
        named: impl Fn(usize, &str, usize) -> Option<usize>,
        is_agents: impl Fn(&str) -> bool,
    ) -> Vec<(FunctionAt, Arc<Source>)> {
        self.close();
        let value = |at: FunctionAt| {
            let value = self.functions.get(&at).cloned();
            value.filter(|_| !self.unclear.contains(&at))
        };
        let agent = |at: FunctionAt| {
            let (module, _) = at;
            let meanings = Meanings {
                call: &|name, arity| value((module, named(module, name, arity)?)),
                attribute: &|name| *self.attributes.get(&(module, name))?,
                is_agents: &is_agents,
            };
            Some((at, meanings.agent(value(at)?)?))
        };
        self.functions.keys().filter_map(|at| agent(*at)).collect()
    }
}

/// What names mean in a module.
pub(super) struct Meanings<'a, 'd> {
    /// What the function with this name and arity returns, if it has one clause.
    pub(super) call: &'a dyn Fn(&str, usize) -> Option<Value>,
    /// The attribute of this name, if there is one.
    pub(super) attribute: &'a dyn Fn(&str) -> Option<&'d Made>,
    /// Whether a module is the one of agents.
    pub(super) is_agents: &'a dyn Fn(&str) -> bool,
}

impl Meanings<'_, '_> {
    /// The signature of the agent that `value` is.
    pub(super) fn agent(&self, mut value: Value) -> Option<Arc<Source>> {
        for _ in 0..MAX_STEPS {
            value = match value {
                Value::Agent(new) if (self.is_agents)(&new.module) => {
                    let source = Source::clone(self.signature(&new.signature)?);
                    return Some(Arc::new(source.with_mode(new.mode.clone())));
                }
                Value::Name(Binder::Attribute, name) => (self.attribute)(&name)?.value.clone(),
                Value::Call(name, arity) => (self.call)(&name, arity)?,
                _ => return None,
            };
        }
        None
    }

    fn signature<'s>(&'s self, signature: &'s SignatureOf) -> Option<&'s Source> {
        match signature {
            SignatureOf::Text(source) => Some(source),
            SignatureOf::Name(Binder::Attribute, name) => match &(self.attribute)(name)?.value {
                Value::Text(source) => Some(source),
                _ => None,
            },
            SignatureOf::Name(..) | SignatureOf::Unknown => None,
        }
    }
}

impl Body {
    fn add(&mut self, made: &Made) {
        let value = self.known(&made.value);
        match &made.binds {
            Binds::Nothing => {}
            Binds::Name(name) => {
                self.variables.insert(name.clone(), value.clone());
            }
            Binds::Others => self.variables.clear(),
            Binds::Branch => self.is_unclear = true,
        }
        self.last = Some(value);
    }

    fn returned(self) -> Option<Value> {
        let value = self.last.unwrap_or(Value::Other);
        (!self.is_unclear).then_some(value)
    }

    /// `value` with what its variables are bound to.
    fn known(&self, value: &Value) -> Value {
        match value {
            Value::Name(Binder::Variable, name) => {
                let bound = self.variables.get(name);
                // A word alone may be a call too.
                bound
                    .cloned()
                    .unwrap_or_else(|| Value::Call(name.clone(), 0))
            }
            Value::Agent(new) => {
                let SignatureOf::Name(Binder::Variable, name) = &new.signature else {
                    return value.clone();
                };
                let signature = match self.variables.get(name) {
                    Some(Value::Text(source)) => SignatureOf::Text(Arc::clone(source)),
                    _ => SignatureOf::Unknown,
                };
                Value::Agent(Arc::new(New {
                    signature,
                    ..New::clone(new)
                }))
            }
            value => value.clone(),
        }
    }
}

/// Whether a module of that name is the one of agents in a document with these `facts`.
pub(super) fn is_agents(name: &str, facts: &Facts) -> bool {
    let is_full = |name: &str| {
        let rest = name.strip_prefix(LIBRARY);
        rest.and_then(|it| it.strip_prefix('.')) == Some(AGENTS)
    };
    match facts.aliases_of(name) {
        [] => name == AGENTS || is_full(name),
        [only] => is_full(only),
        _ => false,
    }
}
