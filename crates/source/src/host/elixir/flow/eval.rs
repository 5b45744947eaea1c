//! Evaluates an expression, given the values of the names in it.

use std::{borrow::Cow, sync::Arc};

use crate::{
    host::{
        elixir::{
            contract::{options, split},
            flow::{
                call::slices,
                expr::{Expr, Parameter},
                keys::{AgentKeys, SignatureText, ToolNames, agent_keys, names_in},
                value::Value,
            },
            lookup::Lookup,
            names::BoundAt,
            tools::Capture,
        },
        flow::{Flowing, Key, ModeText, SharedText, Source, Written},
    },
    text::TextSize,
    work,
};

/// How many names and calls are followed, so that names that are bound to each other end.
const MAX_STEPS: usize = 64;

/// How many functions and lists are looked for. A chain of names is searched from each of them.
const MAX_SEARCHES: usize = 128;

/// What `expr`, counted from `base`, evaluates to.
pub fn eval(names: &Lookup<'_>, expr: &Expr, base: TextSize) -> Option<Value> {
    Evaluation::new(names).value(expr, base)
}

/// Whether `expr`, counted from `base`, certainly evaluates to an agent. What may be a prompt does not.
pub fn is_agent(names: &Lookup<'_>, expr: &Expr, base: TextSize) -> bool {
    Evaluation::new(names).made_agent(expr, base).is_some()
}

/// The names of the tools of the agent that `expr`, counted from `base`, evaluates to, as far as they are known.
pub fn tool_names(names: &Lookup<'_>, expr: &Expr, base: TextSize) -> Arc<[String]> {
    let names = Evaluation::new(names).tool_names(expr, base);
    names.unwrap_or_default()
}

/// Makes the source of what is written in a literal.
type MakeSource = fn(SharedText, Option<ModeText>) -> Source;

struct Evaluation<'n> {
    names: &'n Lookup<'n>,
    /// How many more are followed.
    steps: usize,
    /// How many more functions and lists are looked for. What costs no steps counts, too.
    searches: usize,
}

impl<'n> Evaluation<'n> {
    fn new(names: &'n Lookup<'n>) -> Self {
        Self {
            names,
            steps: MAX_STEPS,
            searches: MAX_SEARCHES,
        }
    }

    fn value(&mut self, expr: &Expr, base: TextSize) -> Option<Value> {
        self.steps = self.steps.checked_sub(1)?;
        match expr {
            Expr::Name { binder, name, at } => {
                let bound = self.names.at(*binder, name, base + *at)?;
                self.bound(bound)
            }
            Expr::Local { name, arity, at } => {
                match self.names.function(name, *arity, base + *at) {
                    Some(bound) => self.bound(bound),
                    None => Some(Value::of_function(Capture {
                        module: None,
                        name: name.to_string(),
                        arity: *arity,
                    })),
                }
            }
            Expr::Remote(function) => Some(Value::of_function(Capture::clone(function))),
            Expr::Agent(keys) => self.agent(keys, base),
            Expr::Run {
                agent,
                overrides,
                is_step,
            } => {
                let mut run = self.run(agent, overrides, base)?;
                run.what = match is_step {
                    true => Flowing::Step,
                    false => Flowing::Outcome,
                };
                Some(run)
            }
            Expr::Execute(agent) => {
                let mut run = self.run(agent, &AgentKeys::default(), base)?;
                run.what = Flowing::Step;
                Some(run)
            }
            Expr::Compiled(agent) => {
                let mut agent = self.value(agent, base)?;
                agent.source.is_program = true;
                agent.is(Flowing::Agent).then_some(Value {
                    what: Flowing::CompiledAgent,
                    ..agent
                })
            }
            Expr::Ok(of) => self.value(of, base)?.unwrapped(),
            Expr::Wrapped(it) => {
                let value = self.value(it, base)?;
                (!value.is_wrapped).then_some(Value {
                    is_wrapped: true,
                    ..value
                })
            }
            Expr::Get(of, key) => match self.entry(of, key, base) {
                Some((value, base)) => self.elsewhere(value, base),
                None => self.value(of, base)?.under(key),
            },
            Expr::Element(of) => match self.resolved(of, base) {
                Some((Expr::Each(element) | Expr::All(element), base)) => {
                    self.elsewhere(element, base)
                }
                Some((Expr::List(elements), base)) => {
                    self.common(elements.iter().map(|it| (it, base)))
                }
                _ => self.value(of, base)?.element(),
            },
            Expr::Parameter(parameter) => {
                let given = self.given(parameter, base)?;
                self.common(given.into_iter())
            }
            Expr::Called(function) => {
                let (returned, base) = self.returned(function, base)?;
                self.elsewhere(returned, base)
            }
            Expr::Function(_)
            | Expr::Each(_)
            | Expr::All(_)
            | Expr::List(_)
            | Expr::Entry(..)
            | Expr::Other(_) => None,
        }
    }

    /// What all of these evaluate to; `None` where they differ.
    fn common<'e>(&mut self, mut all: impl Iterator<Item = (&'e Expr, TextSize)>) -> Option<Value> {
        let mut follow = |(expr, base)| self.elsewhere(expr, base);
        let first = follow(all.next()?)?;
        all.all(|it| follow(it).as_ref() == Some(&first))
            .then_some(first)
    }

    /// What all callers give for `parameter`, apart from a function that hands on its own; `None` where not all can be seen.
    fn given(&self, parameter: &Parameter, base: TextSize) -> Option<Vec<(&'n Expr, TextSize)>> {
        let mut given = self.names.given(parameter, base + parameter.at)?;
        given.retain(|(expr, start)| {
            let Expr::Name { binder, name, at } = expr else {
                return true;
            };
            let bound = self.names.at(*binder, name, *start + *at);
            let of = bound.and_then(|it| it.bound.flow());
            !matches!(of, Some(Expr::Parameter(of)) if of.is_same(parameter))
        });
        Some(given)
    }

    /// What the function returns that `expr` evaluates to, and where that is counted from.
    fn returned<'e>(&mut self, expr: &'e Expr, base: TextSize) -> Option<(&'e Expr, TextSize)>
    where
        'n: 'e,
    {
        match self.resolved(expr, base)? {
            (Expr::Function(returned), base) => Some((returned, base)),
            _ => None,
        }
    }

    /// The function or list that `expr` evaluates to, and where that is counted from.
    fn resolved<'e>(&mut self, expr: &'e Expr, base: TextSize) -> Option<(&'e Expr, TextSize)>
    where
        'n: 'e,
    {
        self.steps = self.steps.checked_sub(1)?;
        self.searches = self.searches.checked_sub(1)?;
        work::count(1);
        let bound = match expr {
            Expr::Name { binder, name, at } => self.names.at(*binder, name, base + *at)?,
            Expr::Local { name, arity, at } => self.names.function(name, *arity, base + *at)?,
            Expr::Called(function) => {
                let (returned, base) = self.returned(function, base)?;
                return self.resolved(returned, base);
            }
            Expr::Get(of, key) => {
                let (value, base) = self.entry(of, key, base)?;
                return self.resolved(value, base);
            }
            Expr::Element(of) => match self.resolved(of, base)? {
                (Expr::Each(element) | Expr::All(element), base) => {
                    return self.resolved(element, base);
                }
                (Expr::List(elements), base) if elements.len() == 1 => {
                    return self.resolved(&elements[0], base);
                }
                _ => return None,
            },
            Expr::Parameter(parameter) => match self.given(parameter, base)?.as_slice() {
                [(only, start)] => return self.resolved(only, *start),
                _ => return None,
            },
            _ => return Some((expr, base)),
        };
        self.resolved(bound.bound.flow()?, bound.start)
    }

    /// What is under `key` in the map that `of` evaluates to, and where that is counted from. What is not one costs no
    /// steps.
    fn entry<'e>(&mut self, of: &'e Expr, key: &Key, base: TextSize) -> Option<(&'e Expr, TextSize)>
    where
        'n: 'e,
    {
        let steps = self.steps;
        let Some((Expr::List(entries), base)) = self.resolved(of, base) else {
            self.steps = steps;
            return None;
        };
        let mut found = None;
        for entry in entries.iter() {
            if let Expr::Entry(it, value) = entry
                && it.is_read_by(key)
                && found.replace(&**value).is_some()
            {
                return None;
            }
        }
        Some((found?, base))
    }

    /// The call that makes the agent, compiled or not, that `expr` evaluates to, and where that is counted from.
    fn made_agent<'e>(&mut self, expr: &'e Expr, base: TextSize) -> Option<(&'e Expr, TextSize)>
    where
        'n: 'e,
    {
        match self.resolved(expr, base)? {
            made @ (Expr::Agent(_) | Expr::Compiled(_), _) => Some(made),
            (Expr::Ok(outcome), base) => {
                let made = self.resolved(outcome, base)?;
                matches!(made.0, Expr::Compiled(_)).then_some(made)
            }
            _ => None,
        }
    }

    /// The names of the tools of an agent that is not compiled.
    fn tool_names(&mut self, expr: &Expr, base: TextSize) -> Option<Arc<[String]>> {
        let (Expr::Agent(keys), base) = self.made_agent(expr, base)? else {
            return None;
        };
        let (keys, base) = self.with_options(keys, base)?;
        match keys.tools.as_ref()? {
            ToolNames::Written(names) => Some(Arc::clone(names)),
            ToolNames::Name(binder, name, at) => {
                let bound = self.names.at(*binder, name, base + *at)?;
                match bound.value().as_slice() {
                    [percent, map] if percent.text() == "%" => names_in(map),
                    _ => None,
                }
            }
        }
    }

    /// Whether `agent` is an agent, and not the prompt of one that the keys of its run describe. That costs no steps.
    fn is_made(&mut self, agent: &Expr, base: TextSize) -> bool {
        let steps = self.steps;
        let is_made =
            *agent != Expr::Agent(Box::default()) && self.made_agent(agent, base).is_some();
        self.steps = steps;
        is_made
    }

    fn bound(&mut self, bound: BoundAt<'_>) -> Option<Value> {
        self.elsewhere(bound.bound.flow()?, bound.start)
    }

    /// What an expression evaluates to that is not here, so that its keys are not.
    fn elsewhere(&mut self, expr: &Expr, base: TextSize) -> Option<Value> {
        let mut value = self.value(expr, base)?;
        value.follow_keys();
        Some(value)
    }

    /// The keys in the list that `options` is bound to; they count from the start of the document.
    fn options(&self, keys: &AgentKeys, base: TextSize) -> Option<AgentKeys> {
        let (binder, name, at) = keys.options.as_ref()?;
        let bound = self.names.at(*binder, name, base + *at)?;
        let [list] = bound.value()[..] else {
            return None;
        };
        let keys = agent_keys(&slices(&split(options(&list)?)))?;
        keys.options.is_none().then_some(keys)
    }

    /// The keys in the list that the options are bound to, if they are a name, else `keys` themselves; and what they
    /// count from.
    fn with_options<'k>(
        &self,
        keys: &'k AgentKeys,
        base: TextSize,
    ) -> Option<(Cow<'k, AgentKeys>, TextSize)> {
        match keys.options {
            Some(_) => Some((Cow::Owned(self.options(keys, base)?), TextSize::default())),
            None => Some((Cow::Borrowed(keys), base)),
        }
    }

    fn agent(&self, keys: &AgentKeys, base: TextSize) -> Option<Value> {
        let (keys, base) = self.with_options(keys, base)?;
        let (text, source): (_, MakeSource) = match (&keys.signature, &keys.prompt) {
            (Some(signature), _) => (signature, Source::here),
            (None, prompt) => (prompt.as_ref()?, Source::of_prompt),
        };
        let (content, text) = match text {
            SignatureText::Literal([_, content], text) => (base + *content, text.clone()),
            SignatureText::Name(binder, name, at) => {
                self.names.at(*binder, name, base + *at)?.shared_text()?
            }
            SignatureText::Unknown => return None,
        };
        (!text.is_dynamic()).then(|| Value::of_agent(source(text, keys.mode.clone()), content))
    }

    fn run(&mut self, agent: &Expr, overrides: &AgentKeys, base: TextSize) -> Option<Value> {
        let (overrides, start) = self.with_options(overrides, base)?;
        let mut run = match &overrides.signature {
            Some(_) if !self.is_made(agent, base) => self.agent(&overrides, start)?,
            _ => self.value(agent, base)?,
        };
        // Nobody knows what an agent without a signature returns.
        if matches!(run.source.written, Written::Prompt(_)) {
            return None;
        }
        run.source.mode = overrides.mode.clone().or(run.source.mode);
        run.is(Flowing::Agent).then_some(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        host::{HostDocument, HostKind, Roles},
        text::Text,
    };

    /// Each name of a chain is searched a few times, and not once for each name between it and the end.
    #[test]
    fn a_chain_of_names_is_searched_a_few_times() {
        let count = 56;
        let names = (0..count).map(|it| format!("%{{return: r{}}} = r{it}\n", it + 1));
        let names: String = names.collect();
        let text = format!(
            "def f do\n{{:ok, r0}} = SubAgent.run(\"x\", signature: \"() -> {{a :int}}\")\n{names}end\n"
        );
        let searched = work::counted(|| {
            HostDocument::parse(HostKind::Elixir, &Text::from(&*text), &Roles::default());
        });
        assert!(
            count < searched && searched <= 2 * MAX_SEARCHES * count,
            "{searched} searches"
        );
    }
}
