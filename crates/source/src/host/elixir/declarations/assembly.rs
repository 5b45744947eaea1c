//! The facts of a whole document, declaration by declaration.

use std::{mem, sync::Arc};

use foldhash::HashMap;

use super::{All, MODULE, What};
use crate::{
    host::elixir::{
        makes::{self, FunctionAt, Returns},
        module::{Facts, Function, Module, Spec},
        tools::captured::{Captured, all_captures},
    },
    order,
    text::TextSize,
};

/// Collects the declarations of a document.
pub(super) fn assemble(declarations: &All) -> Facts {
    collected(declarations).finish()
}

/// The same, if nothing else needs the declarations. The facts take their room.
pub(super) fn assemble_once(declarations: All) -> Facts {
    let collected = collected(&declarations);
    drop(declarations);
    collected.finish()
}

#[inline(never)]
fn collected(declarations: &All) -> Collected {
    let mut assembly = Assembly::within(String::new(), &mut declarations.iter());
    let mut others = mem::take(&mut assembly.names);
    others.set_tools(all_captures(&assembly.tools));
    Collected {
        modules: assembly.parts(&others),
        others,
    }
}

/// The modules and everything else.
struct Collected {
    modules: Vec<Parts>,
    others: Facts,
}

impl Collected {
    #[inline(never)]
    fn finish(self) -> Facts {
        Facts {
            modules: finished(self.modules),
            ..self.others
        }
    }
}

#[inline(never)]
fn finished(modules: Vec<Parts>) -> Vec<Arc<Module>> {
    let modules = modules.into_iter();
    let modules = modules.map(|it| Module::new(it.name, it.functions, it.specs, it.types));
    modules.map(Arc::new).collect()
}

#[derive(Default)]
pub(super) struct Assembly<'d> {
    /// The aliases and imports.
    names: Facts,
    /// The aliases in the order of the text.
    aliases: Vec<Alias<'d>>,
    modules: Vec<Parts>,
    /// The number of modules that begin before the declarations.
    outer: usize,
    /// The open modules, innermost last.
    open: Vec<OpenModule>,
    /// The indices of functions, by module and name.
    functions: HashMap<(usize, &'d str), Vec<usize>>,
    tools: Vec<&'d Captured>,
    /// The function of the next body.
    function: Option<FunctionAt>,
    returns: Returns<'d>,
}

/// An alias. There may be one for every few bytes.
enum Alias<'d> {
    /// One that says its full name.
    Full(&'d super::Alias),
    /// The name of a module as written, and the index of the module.
    Module(&'d String, u32),
    /// A short name and a full one.
    Other(Box<(String, String)>),
}

/// What a module consists of.
#[derive(Default)]
struct Parts {
    name: String,
    functions: Vec<Arc<Function>>,
    specs: Vec<Arc<Spec>>,
    types: Vec<String>,
}

struct OpenModule {
    index: usize,
    end: TextSize,
    /// The documentation of the next function.
    doc: Option<Arc<String>>,
}

impl Alias<'_> {
    /// The full name, where these are the modules.
    fn full<'a>(&'a self, modules: &'a [Parts]) -> &'a str {
        match self {
            Self::Full(alias) => &alias.path,
            Self::Module(_, module) => &modules[*module as usize].name,
            Self::Other(pair) => &pair.1,
        }
    }

    /// The short name and the full one.
    fn pair(self, modules: &[Parts]) -> (String, String) {
        match self {
            Self::Full(alias) => alias.pair(""),
            Self::Module(name, module) => (name.clone(), modules[module as usize].name.clone()),
            Self::Other(pair) => *pair,
        }
    }
}

impl<'d> Assembly<'d> {
    /// Those of some `declarations` in the module with this full name; it is empty outside of modules.
    #[inline(never)]
    pub(super) fn within(
        outer: String,
        declarations: &mut dyn Iterator<Item = ([TextSize; 2], &'d What)>,
    ) -> Self {
        let mut assembly = Self::default();
        if !outer.is_empty() {
            assembly.begin(outer, TextSize::new(u32::MAX));
            assembly.outer = 1;
        }
        declarations.for_each(|(place, what)| assembly.add(place, what));
        let mut aliases = mem::take(&mut assembly.aliases);
        // Each follows those of the same short name then, so that none of these is moved.
        order::by_name_in(&mut aliases, &assembly.modules[..], Alias::full);
        for alias in aliases {
            let (short, full) = alias.pair(&assembly.modules);
            assembly.names.set_alias(&short, &full, true);
        }
        assembly
    }

    /// The aliases and imports.
    pub(super) fn names(&self) -> &Facts {
        &self.names
    }

    /// The types of the module around them.
    pub(super) fn outer_types(&self) -> impl Iterator<Item = &String> {
        self.modules[..self.outer].iter().flat_map(|it| &it.types)
    }

    /// The number of modules in them.
    pub(super) fn count(&self) -> usize {
        self.modules.len() - self.outer
    }

    /// The modules in them, of a document with the aliases of `facts`.
    pub(super) fn finish(self, facts: &Facts) -> Vec<Arc<Module>> {
        let outer = self.outer;
        let mut parts = self.parts(facts);
        parts.drain(..outer);
        finished(parts)
    }

    fn add(&mut self, [start, end]: [TextSize; 2], what: &'d What) {
        while self.open.pop_if(|it| it.end <= start).is_some() {}
        match what {
            What::Module(name) => self.module(name, end),
            What::Alias(alias) => {
                let alias = match alias.path.starts_with(MODULE) {
                    true => {
                        let outer = self.innermost().map_or("", |it| &it.name);
                        Alias::Other(Box::new(alias.pair(outer)))
                    }
                    false => Alias::Full(alias),
                };
                self.aliases.push(alias);
            }
            What::Import(name) => Arc::make_mut(&mut self.names.imports).push(name.to_string()),
            What::Doc(doc) => {
                if let Some(open) = self.open.last_mut() {
                    open.doc.clone_from(doc);
                }
            }
            What::Spec(spec) => {
                if let Some(module) = self.innermost() {
                    module.specs.push(Arc::clone(spec));
                }
            }
            What::Type(text) => {
                if let Some(module) = self.innermost() {
                    module.types.push(text.to_string());
                }
            }
            What::Clause(function) => self.clause(function),
            What::Tools(captured) => self.tools.push(captured),
            What::Attribute(attribute) => {
                if let Some(open) = self.open.last() {
                    let (name, made) = &**attribute;
                    self.returns.add_attribute(open.index, name, made);
                }
            }
            What::Body => {
                if let Some(function) = self.function.take() {
                    self.returns.open(function, end);
                }
            }
            What::Statement(made) => self.returns.add(start, made),
        }
    }

    fn innermost(&mut self) -> Option<&mut Parts> {
        self.modules.get_mut(self.open.last()?.index)
    }

    fn module(&mut self, name: &'d String, end: TextSize) {
        let mut full = name.to_owned();
        if let Some(outer) = self.innermost() {
            full = format!("{}.{name}", outer.name);
            self.aliases
                .push(Alias::Module(name, self.modules.len() as u32));
        }
        self.begin(full, end);
    }

    fn begin(&mut self, name: String, end: TextSize) {
        self.open.push(OpenModule {
            index: self.modules.len(),
            end,
            doc: None,
        });
        self.modules.push(Parts {
            name,
            ..Parts::default()
        });
    }

    fn clause(&mut self, clause: &'d Arc<Function>) {
        let Some(open) = self.open.last_mut() else {
            return;
        };
        let doc = open.doc.take();
        let module = open.index;
        let functions = &mut self.modules[open.index].functions;
        let named = self
            .functions
            .entry((open.index, &clause.name))
            .or_insert_with(|| Vec::with_capacity(1));
        let most = clause.arities.most();
        let known = named
            .iter()
            .find(|&&it| functions[it].arities.contains(most));
        match known {
            Some(&known) => {
                self.returns.add_clause((module, known));
                self.function = None;
                Function::own(&mut functions[known]).add_clause(clause);
            }
            None => {
                let function = (module, functions.len());
                named.push(functions.len());
                self.function = Some(function);
                if clause.clauses > 1 {
                    self.returns.add_clause(function);
                }
                functions.push(Function::with_doc(clause, doc));
            }
        }
    }

    /// What the modules consist of, in a document with the aliases of `facts`.
    #[inline(never)]
    fn parts(mut self, facts: &Facts) -> Vec<Parts> {
        let mut modules = mem::take(&mut self.modules);
        let named = |module: usize, name: &str, arity: usize| {
            let functions = &modules[module].functions;
            let mut named = self.functions.get(&(module, name))?.iter();
            named
                .find(|&&it| functions[it].arities.contains(arity))
                .copied()
        };
        let is_agents = |name: &str| makes::is_agents(name, facts);
        for ((module, function), agent) in self.returns.finish(named, is_agents) {
            let function = &mut modules[module].functions[function];
            if function.is_public() {
                Function::own(function).agent = Some(agent);
            }
        }
        modules
    }
}
