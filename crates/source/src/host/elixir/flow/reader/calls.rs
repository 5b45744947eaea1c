//! Reads calls: of the library, and of functions that take values out of others.

use std::sync::Arc;

use super::{
    super::{access, call::Call, expr::Expr, facts::agent_at, takers},
    AGENTS, Reader, key_of, keys_in, returned,
};
use crate::host::{
    elixir::{call::Callee, literal::only_string, modules::LibraryCall, tools::Capture},
    token_tree::Kind,
};

impl Reader<'_> {
    pub(super) fn call(self, call: &Call<'_, '_>) -> Option<Arc<Expr>> {
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
