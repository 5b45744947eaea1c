//! Parameters and fields of the agents that functions return, which code elsewhere runs.

use super::{
    Place, Symbol,
    places::in_unit,
    signatures::{path_of, signature_at, text_at},
    unseen::{blind, may_hold},
};
use crate::{
    ide::{
        Document,
        analysis::UnitAnalysis,
        unit::{Blind, BlindKind, Owner, Target},
    },
    model::{FieldId, Lowered},
};
use signature_ls_source::{
    host::{
        PlacedUnit, Role,
        elixir::{module::Function, tools::Capture},
        flow::{Source, Written},
    },
    text::{TextRange, TextSize},
};

/// A parameter or field of the agent that a function returns.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Returned {
    /// The function, with the full name of its module.
    pub function: Capture,
    /// Whether it is an input of the agent, not a field of its output.
    pub is_input: bool,
    /// Its path, in normal form.
    pub path: Vec<String>,
}

impl Returned {
    fn field_in(&self, lowered: &Lowered, document: &Document) -> Option<FieldId> {
        let (names, edition) = (&lowered.names, document.edition());
        match self.is_input {
            true => names.input(&lowered.signature, &self.path, edition),
            false => names.output(&lowered.signature, &self.path, edition),
        }
    }
}

/// What a field of the signature that flows into `unit` from `source` is, if a function returns its agent.
pub(super) fn of_source(
    document: &Document,
    unit: usize,
    source: usize,
    field: FieldId,
) -> Vec<Returned> {
    let (placed, analysis) = document.unit(unit);
    let sources = &placed.unit.flow.sources;
    let Some(function) = sources.get(source).and_then(Source::function) else {
        return Vec::new();
    };
    let found = document.with_view(placed, analysis, |view| {
        let lowered = view.source(source)?;
        let path = path_of(lowered, field, document.edition())?;
        Some((lowered.names.is_input(field), path))
    });
    let functions = document.scope().full_names(function).into_iter();
    let returned = found.into_iter().flat_map(|(is_input, path)| {
        functions.clone().map(move |function| Returned {
            function,
            is_input,
            path: path.clone(),
        })
    });
    returned.collect()
}

/// What a field of a signature of the document is to the callers of the functions that may return its agent.
pub(crate) fn returned_with(
    document: &Document,
    signature: TextSize,
    field: FieldId,
) -> Vec<Returned> {
    let text = text_at(document, signature);
    let lowered = signature_at(document, signature);
    let path = lowered.and_then(|it| path_of(it, field, document.edition()));
    let (Some(text), Some(lowered), Some(path)) = (text, lowered, path) else {
        return Vec::new();
    };
    let returns = |function: &Function| {
        let agent = function.agent.as_deref().and_then(written);
        agent == Some(&*text)
    };
    let functions = match returning(document, signature, &returns) {
        around if !around.is_empty() => around,
        _ => all_returning(document, &returns),
    };
    let returned = functions.into_iter().map(|function| Returned {
        function,
        is_input: lowered.names.is_input(field),
        path: path.clone(),
    });
    returned.collect()
}

/// The function around `offset` if it `returns` what is meant, one per arity.
fn returning(
    document: &Document,
    offset: TextSize,
    returns: &dyn Fn(&Function) -> bool,
) -> Vec<Capture> {
    let mut around = document.host().function_around(offset);
    around.retain(|it| {
        let function = document.scope().own().function(it);
        function.is_some_and(returns)
    });
    around
}

/// All functions of the document that `return` what is meant, one per arity.
fn all_returning(document: &Document, returns: &dyn Fn(&Function) -> bool) -> Vec<Capture> {
    let modules = document.scope().own().modules.iter();
    let functions = modules.flat_map(|module| {
        let functions = module.functions().filter(|it| returns(it));
        functions.flat_map(|function| {
            function.arities.all().map(|arity| Capture {
                module: Some(module.name.clone()),
                name: function.name.to_string(),
                arity,
            })
        })
    });
    functions.collect()
}

fn written(source: &Source) -> Option<&str> {
    match &source.written {
        Written::Here(text) => Some(text),
        Written::Prompt(_) | Written::Function(_) => None,
    }
}

/// The field that a function of the document returns; `None` if several signatures read like that of its agent.
pub(crate) fn declared(document: &Document, returned: &Returned) -> Option<Symbol> {
    let function = &returned.function;
    let known = document.scope().own().function(function)?;
    let text = written(known.agent.as_deref()?)?;
    let bodies = document.host().bodies_of(function);
    let inside = bodies.iter().flat_map(|it| document.units_in(*it));
    let mut starts = signatures_reading(document, inside, text);
    starts.retain(|start| bodies.iter().any(|it| it.contains(*start)));
    if starts.is_empty() {
        starts = signatures_reading(document, document.units(), text);
    }
    let [signature] = starts[..] else {
        return None;
    };
    let lowered = signature_at(document, signature)?;
    let field = returned.field_in(lowered, document)?;
    Some(Symbol::Field { signature, field })
}

/// The starts of the signatures in `units` that read `text`.
fn signatures_reading<'a>(
    document: &Document,
    units: impl Iterator<Item = (&'a PlacedUnit, &'a UnitAnalysis)>,
    text: &str,
) -> Vec<TextSize> {
    let len = TextSize::of(text);
    let starts = units.flat_map(|(placed, _)| {
        let sites = placed.unit.sites.iter();
        let sites = sites.filter(|it| it.role == Role::Signature && it.content.len() == len);
        let contents = sites.map(|it| it.content + placed.start);
        let same = contents.filter(|it| document.text().slice(*it) == text);
        same.map(TextRange::start)
    });
    let mut starts: Vec<_> = starts.collect();
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// The names that refer to `returned` by the function.
pub(super) fn places(
    document: &Document,
    returned: &Returned,
    wanted: &dyn Fn(usize, &Target) -> bool,
) -> Vec<Place> {
    let sources = sources(document, returned).into_iter();
    let places = sources.flat_map(|(unit, source)| {
        let (placed, analysis) = document.unit(unit);
        let field = document.with_view(placed, analysis, |view| {
            returned.field_in(view.source(source)?, document)
        });
        let target = field.map(|field| Target::Elsewhere { source, field });
        in_unit(document, unit, |it| {
            Some(it) == target.as_ref() && wanted(unit, it)
        })
    });
    places.collect()
}

/// The units that an agent of the function flows into, each with the index of its signature there.
fn sources(document: &Document, returned: &Returned) -> Vec<(usize, usize)> {
    let scope = document.scope();
    let is_it = |it: &Source| {
        let function = it.function();
        function.is_some_and(|it| scope.candidates(it).contains(&returned.function))
    };
    let units = document.naming_functions();
    let sources = units.flat_map(|unit| {
        let sources = document.unit(unit).0.unit.flow.sources.iter().enumerate();
        let returned = sources.filter(|(_, it)| is_it(it));
        returned.map(move |(source, _)| (unit, source))
    });
    sources.collect()
}

/// A place that may refer to `returned` and cannot be read.
pub(super) fn unseen(document: &Document, returned: &Returned) -> Option<(TextRange, BlindKind)> {
    let owner = match returned.is_input {
        true => Owner::Inputs,
        false => Owner::Output,
    };
    let mut sources = sources(document, returned).into_iter();
    sources.find_map(|(unit, source)| {
        let (placed, _) = document.unit(unit);
        let flow = &placed.unit.flow;
        let runs = flow.agent.as_ref().is_some_and(|it| it.source == source);
        let context = flow.context.as_deref();
        let is_chained = match returned.is_input {
            true => runs,
            false => context.is_some_and(|it| it.source == source),
        };
        if let Some(context) = context.filter(|_| is_chained) {
            return Some((context.range + placed.start, BlindKind::Chain));
        }
        let is_meant = |it: &Blind| runs && it.owner == owner && may_hold(it, &returned.path);
        blind(document, unit, is_meant)
    })
}
