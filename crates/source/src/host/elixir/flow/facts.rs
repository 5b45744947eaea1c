//! What a call or an expression takes from elsewhere, before it is known what names are bound to.

use std::sync::Arc;

use crate::{
    host::{
        HAS_SMALL_STEPS, Origins,
        elixir::{
            call::Callee,
            contract::each_item,
            flow::{
                call::Call,
                eval::{eval, is_agent, tool_names},
                expr::Expr,
                reader::Reader,
                value::Value,
            },
            literal::key_text,
            lookup::Lookup,
            modules::Modules,
        },
        flow::{Flow, Flowing, Given, ModeText},
        token_tree::{Element, Kind, range_of},
    },
    text::{TextRange, TextSize},
};

/// The field of a compiled agent that runs it.
pub const EXECUTE: &str = "execute";

/// The function that shows what an agent would be sent, and validates nothing.
const PREVIEW: &str = "preview_prompt";

/// The expressions of a call or of a place that reads a result. Places count from where it begins. A text may have a
/// place in each line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uses {
    call: Option<Box<CallUses>>,
    read: Option<Use>,
}

/// The expressions of a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct CallUses {
    /// The agent that is run, where no prompt makes it.
    agent: Option<Use>,
    /// Whether the call runs it, and does not just look at it.
    is_run: bool,
    /// Whether it shows the agent's prompt.
    is_preview: bool,
    /// What takes the place of the whole context.
    context: Option<Use>,
    /// Whether that is the step of `then`.
    is_then: bool,
    /// The values in the map of the context.
    values: Vec<Use>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Use {
    range: TextRange,
    expr: Arc<Expr>,
    how: How,
}

/// How a place uses what an expression evaluates to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// It takes the value and reads all keys.
    Read,
    /// It reads the last key, as a pattern does.
    Matched,
    /// It binds a name to the value.
    Bound,
}

impl Uses {
    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.call.is_none() && self.read.is_none()
    }

    /// One place that reads `expr`.
    pub fn read(range: TextRange, expr: Arc<Expr>, how: How) -> Self {
        Self {
            call: None,
            read: Some(Use { range, expr, how }),
        }
    }

    /// What the call of the function `name` of the library takes.
    pub fn of_call(reader: Reader<'_>, name: &str, call: &Call<'_, '_>) -> Self {
        let uses = match name {
            EXECUTE => CallUses::of_execute(reader, call),
            _ => CallUses::new(reader, name, call),
        };
        Self {
            call: uses.filter(|it| it.all().next().is_some()).map(Box::new),
            read: None,
        }
    }

    /// Whether the agent of a call that begins at `start` is one already, so that the call does not describe it.
    pub fn runs_agent(&self, names: &Lookup<'_>, start: TextSize) -> bool {
        let agent = self.call.as_ref().and_then(|it| it.agent.as_ref());
        agent.is_some_and(|it| is_agent(names, &it.expr, start))
    }

    /// The names of the tools of the agent that a call that begins at `start` runs, as far as they are known.
    pub fn tool_names(&self, names: &Lookup<'_>, start: TextSize) -> Arc<[String]> {
        let run = self.call.as_ref().filter(|it| it.is_run);
        let agent = run.and_then(|it| it.agent.as_ref());
        agent.map_or_else(Arc::default, |it| tool_names(names, &it.expr, start))
    }

    /// The same, counted from `base`.
    pub fn rebased(&self, base: TextSize) -> Self {
        Self {
            call: self.call.as_ref().map(|it| Box::new(it.rebased(base))),
            read: self.read.as_ref().map(|it| it.rebased(base)),
        }
    }

    /// Takes parts of `other` in place of equal ones: programs read a result again and again.
    pub fn share_with(&mut self, other: &Self) {
        if let (Some(own), Some(other)) = (&mut self.read, &other.read)
            && let Some(expr) = Arc::get_mut(&mut own.expr)
        {
            expr.share_with(&other.expr);
        }
    }

    /// Where the first of them begins.
    pub fn start(&self) -> Option<TextSize> {
        let uses = self.call.iter().flat_map(|it| it.all()).chain(&self.read);
        let places = uses.map(|it| it.range.start().min(it.expr.start()));
        places.min()
    }

    /// What flows into a call or place that begins at `start`, and where the signatures begin.
    pub fn flow(&self, names: &Lookup<'_>, start: TextSize) -> (Flow, Origins) {
        let mut flow = Flow::default();
        let mut origins = Origins::new();
        let mut given = |it: &Use| it.given(names, start, &mut flow, &mut origins);
        let call = self.call.as_deref().unwrap_or(CallUses::NONE);
        let agent = call.agent.as_ref().and_then(&mut given);
        if let (true, Some(source)) = (call.is_preview, flow.sources.first_mut()) {
            // What is missing stays a placeholder.
            source.mode = Some(ModeText::Dynamic);
        }
        let mut given = |it: &Use| it.given(names, start, &mut flow, &mut origins);
        let context = call.context.as_ref().and_then(&mut given);
        let values = call.values.iter().filter_map(&mut given).collect();
        let read = self.read.as_ref().and_then(&mut given);
        flow.agent = agent.filter(|it| it.what == Flowing::Agent).map(Box::new);
        flow.is_then = call.is_then && context.is_some();
        flow.context = context.map(Box::new);
        flow.values = values;
        flow.reads.extend(read);
        if HAS_SMALL_STEPS {
            flow.shrink();
        }
        (flow, origins)
    }
}

impl CallUses {
    const NONE: &'static Self = &Self {
        agent: None,
        is_run: false,
        is_preview: false,
        context: None,
        is_then: false,
        values: Vec::new(),
    };

    fn new(reader: Reader<'_>, name: &str, call: &Call<'_, '_>) -> Option<Self> {
        let agent_at = agent_at(name)?;
        let mut uses = Self::default();
        if let Some(agent) = reader.agent(call, agent_at)
            && *agent != Expr::Agent(Box::default())
        {
            let place = match (&call.piped, call.arguments.get(agent_at)) {
                (None, Some(item)) => range_of(item),
                (Some(_), _) if agent_at == 1 => call.arguments.first().and_then(|it| range_of(it)),
                _ => range_of(call.path),
            };
            uses.agent = place.map(|range| Use {
                range,
                expr: agent,
                how: How::Read,
            });
        }
        uses.is_run = is_run(name);
        uses.is_preview = name == PREVIEW;
        uses.is_then = takes_step(name);
        if uses.is_then {
            uses.add_step(reader, name, call);
        } else {
            uses.add_context(reader, call.value("context"));
        }
        Some(uses)
    }

    /// What a compiled agent takes, whose path is that of `call`.
    fn of_execute(reader: Reader<'_>, call: &Call<'_, '_>) -> Option<Self> {
        let (expr, range) = reader.whole(call.path).zip(range_of(call.path))?;
        let agent = Use {
            range,
            expr,
            how: How::Read,
        };
        let mut uses = Self {
            agent: Some(agent),
            ..Self::default()
        };
        uses.add_context(reader, call.arguments.first().copied());
        Some(uses)
    }

    /// The step before `then`, which is the context.
    fn add_step(&mut self, reader: Reader<'_>, name: &str, call: &Call<'_, '_>) {
        let Some(mut expr) = reader.argument(call, 0) else {
            return;
        };
        if name == "then" {
            expr = Arc::new(Expr::Ok(expr));
        }
        let range = match (&call.piped, call.arguments.first()) {
            (None, Some(first)) => range_of(first),
            _ => range_of(call.path),
        };
        self.context = range.map(|range| Use {
            range,
            expr,
            how: How::Read,
        });
    }

    /// What the agent is given.
    fn add_context(&mut self, reader: Reader<'_>, context: Option<&[Element<'_>]>) {
        match context {
            Some([percent, map]) if percent.text() == "%" && map.kind() == Kind::Braces => {
                each_item(map, &mut |item| self.values.extend(entry(reader, item)));
            }
            Some(value) => {
                self.context = reader
                    .whole(value)
                    .zip(range_of(value))
                    .map(|(expr, range)| Use {
                        range,
                        expr,
                        how: How::Read,
                    });
            }
            None => {}
        }
    }

    fn rebased(&self, base: TextSize) -> Self {
        Self {
            agent: self.agent.as_ref().map(|it| it.rebased(base)),
            is_run: self.is_run,
            is_preview: self.is_preview,
            context: self.context.as_ref().map(|it| it.rebased(base)),
            is_then: self.is_then,
            values: self.values.iter().map(|it| it.rebased(base)).collect(),
        }
    }

    fn all(&self) -> impl Iterator<Item = &Use> {
        self.agent.iter().chain(&self.context).chain(&self.values)
    }
}

impl Use {
    fn rebased(&self, base: TextSize) -> Self {
        Self {
            range: self.range - base,
            expr: Arc::new(self.expr.rebased(base)),
            how: self.how,
        }
    }

    fn given(
        &self,
        names: &Lookup<'_>,
        start: TextSize,
        flow: &mut Flow,
        origins: &mut Origins,
    ) -> Option<Given> {
        let mut value = eval(names, &self.expr, start).filter(Value::is_plain)?;
        let source = add(flow, origins, &value);
        if self.how == How::Matched {
            let last = value.keys.pop();
            value.follow_keys();
            value.keys.extend(last);
        }
        Some(Given {
            range: self.range,
            source,
            what: value.what,
            path: value.path,
            keys: value.keys,
            is_binding: self.how == How::Bound,
        })
    }
}

/// The index of the signature that `value` comes from.
fn add(flow: &mut Flow, origins: &mut Origins, value: &Value) -> usize {
    let mut known = flow.sources.iter().zip(origins.iter());
    let at = known.position(|(source, origin)| *source == value.source && *origin == value.origin);
    at.unwrap_or_else(|| {
        flow.sources.push(value.source.clone());
        origins.push(value.origin);
        origins.len() - 1
    })
}

/// The value of an entry of a map.
fn entry(reader: Reader<'_>, item: &[Element<'_>]) -> Option<Use> {
    let value = match item {
        [key, value @ ..] if matches!(key.kind(), Kind::Key | Kind::QuotedKey) => {
            key_text(key)?;
            value
        }
        [_, arrow, value @ ..] if arrow.text() == "=>" => value,
        _ => return None,
    };
    Some(Use {
        range: range_of(value)?,
        expr: reader.whole(value)?,
        how: How::Read,
    })
}

/// The function of the library that runs an agent and is called by `callee`.
pub fn runner<'a>(modules: &'a Modules, callee: &Callee<'_, 'a>) -> Option<&'a str> {
    let call = modules.call(callee)?;
    let only_runs = !matches!(call.function, "compile" | PREVIEW);
    let is_runner = call.module == "SubAgent" || call.module == "PtcRunner" && only_runs;
    agent_at(call.function).filter(|_| is_runner)?;
    Some(call.function)
}

/// Whether a function of the library passes a step to an agent, in place of any other context.
pub fn takes_step(function: &str) -> bool {
    matches!(function, "then" | "then!")
}

/// Whether a function of the library runs an agent with the context that the call gives.
fn is_run(function: &str) -> bool {
    matches!(function, "run" | "run!")
}

/// Which argument of a function of the library is the agent that it runs or looks at.
pub fn agent_at(function: &str) -> Option<usize> {
    match function {
        "run" | "run!" | "compile" | PREVIEW => Some(0),
        _ if takes_step(function) => Some(1),
        _ => None,
    }
}
