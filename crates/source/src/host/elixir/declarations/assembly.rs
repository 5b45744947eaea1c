//! The facts of a whole document, declaration by declaration.

use std::{cell::RefCell, mem, sync::Arc};

use foldhash::HashMap;

use super::{All, What};
use crate::{
    host::{
        HAS_SMALL_STEPS,
        elixir::{
            makes::{self, FunctionAt, Returns},
            module::{Facts, Function, Module, Spec},
            tools::{self, Captured},
        },
    },
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
    let mut assembly = Assembly::default();
    for (place, what) in declarations.iter() {
        assembly.add(place, what);
    }
    assembly.collect()
}

/// The modules and everything else.
struct Collected {
    modules: Vec<Parts>,
    others: Facts,
}

impl Collected {
    #[inline(never)]
    fn finish(self) -> Facts {
        let modules = self.modules.into_iter();
        let modules = modules.map(|it| Module::new(it.name, it.functions, it.specs, it.types));
        Facts {
            modules: modules.map(Arc::new).collect(),
            ..self.others
        }
    }
}

#[derive(Default)]
struct Assembly<'d> {
    aliases: Vec<(String, String)>,
    imports: Vec<String>,
    modules: Vec<Parts>,
    /// The open modules, innermost last.
    open: Vec<OpenModule>,
    /// The indices of functions, by module and name.
    functions: HashMap<(usize, &'d str), Vec<usize>>,
    tools: Vec<&'d Captured>,
    /// The function of the next body.
    function: Option<FunctionAt>,
    returns: Returns<'d>,
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

impl<'d> Assembly<'d> {
    fn add(&mut self, [start, end]: [TextSize; 2], what: &'d What) {
        while self.open.pop_if(|it| it.end <= start).is_some() {}
        match what {
            What::Module(name) => self.module(name, end),
            What::Alias(alias) => {
                let (path, short) = &**alias;
                let full = self.full(path);
                self.alias(full, short.as_deref());
            }
            What::Import(name) => self.imports.push(name.to_string()),
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

    fn full(&mut self, path: &str) -> String {
        let outer = self.innermost().map(|it| it.name.clone());
        match (path.strip_prefix("__MODULE__"), outer) {
            (Some(rest), Some(outer)) => format!("{outer}{rest}"),
            _ => path.to_owned(),
        }
    }

    fn alias(&mut self, full: String, short: Option<&str>) {
        let last = full.rsplit('.').next().unwrap_or(&full);
        let short = short.unwrap_or(last).to_owned();
        self.aliases.push((short, full));
    }

    fn module(&mut self, name: &str, end: TextSize) {
        let mut full = name.to_owned();
        if let Some(outer) = self.innermost() {
            full = format!("{}.{name}", outer.name);
            self.aliases.push((name.to_owned(), full.clone()));
        }
        self.open.push(OpenModule {
            index: self.modules.len(),
            end,
            doc: None,
        });
        self.modules.push(Parts {
            name: full,
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

    fn collect(mut self) -> Collected {
        let mut modules = mem::take(&mut self.modules);
        let named = |module: usize, name: &str, arity: usize| {
            let functions = &modules[module].functions;
            let mut named = self.functions.get(&(module, name))?.iter();
            named
                .find(|&&it| functions[it].arities.contains(arity))
                .copied()
        };
        // Thousands of agents may be of one module.
        let known = RefCell::<HashMap<_, _>>::default();
        let is_agents = |name: &str| {
            let read = || makes::is_agents(name, &self.aliases);
            if !HAS_SMALL_STEPS {
                return read();
            }
            let mut known = known.borrow_mut();
            match known.get(name) {
                Some(known) => *known,
                None => *known.entry(name.to_owned()).or_insert_with(read),
            }
        };
        for ((module, function), agent) in self.returns.finish(named, is_agents) {
            let function = &mut modules[module].functions[function];
            if function.is_public() {
                Function::own(function).agent = Some(agent);
            }
        }
        let mut others = Facts {
            aliases: Arc::new(self.aliases),
            imports: Arc::new(self.imports),
            ..Facts::default()
        };
        others.set_tools(tools::all_captures(&self.tools));
        Collected { modules, others }
    }
}
