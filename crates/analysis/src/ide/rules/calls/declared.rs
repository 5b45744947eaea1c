//! The declarations of the tool and the parameters, as related places.

use std::cell::OnceCell;

use super::{Call, argument_without_value, missing_argument, unknown_argument};
use crate::{
    ide::{
        Diagnostic,
        diagnostic::{Elsewhere, Outside},
        rules::related::{MOST_DECLARATIONS, declaration, declared_in, missing_in},
    },
    model::{Field, Signature, names::Names, spelling::nearest},
};
use signature_ls_source::{
    host::lisp::{Arguments, NamedArgument},
    text::{TextRange, TextSize},
};

/// Adds the related places to the diagnostics of a call.
pub(super) fn add(call: &Call<'_>, found: &mut [Diagnostic]) {
    for diagnostic in found {
        let elsewhere = of_arguments(call, diagnostic);
        diagnostic.elsewhere.extend(elsewhere);
    }
}

/// The place of the tool `name`.
pub(super) fn tool(name: &str) -> Elsewhere {
    Elsewhere {
        outside: Outside::ToolName(name.to_owned()),
        range: TextRange::up_to(TextSize::of(name)),
        message: format!("The tool `{name}` is declared here."),
    }
}

/// The parameters and fields that a diagnostic about arguments refers to.
fn of_arguments(call: &Call<'_>, found: &Diagnostic) -> Vec<Elsewhere> {
    let Some(known) = call.signature() else {
        return Vec::new();
    };
    let names = OnceCell::new();
    let place = |field: &Field| {
        // Those of a spec are nowhere.
        let written = Some(field.name_range).filter(|it| !it.is_empty())?;
        names
            .get_or_init(|| Names::new(&known.signature))
            .at(written)
    };
    let fields = fields(call, &known.signature, found).into_iter();
    let elsewhere = fields.map(|field| Elsewhere {
        outside: Outside::Parameter {
            tool: call.call.name.clone(),
            field: place(field),
            name: field.name.clone(),
        },
        range: TextRange::up_to(field.name_range.len()),
        message: declaration(field),
    });
    elsewhere.take(MOST_DECLARATIONS).collect()
}

fn fields<'s>(call: &Call<'_>, signature: &'s Signature, found: &Diagnostic) -> Vec<&'s Field> {
    let params = &signature.params;
    let code = found.rule.code;
    let given = named(&call.call.arguments);
    let argument = { given.iter() }.find(|it| {
        it.key == found.range || it.value.is_some_and(|it| it.contains_range(found.range))
    });
    let param = |argument: &NamedArgument| {
        let name = call.normal(&argument.name);
        params.iter().find(|it| call.normal(&it.name) == name)
    };
    if code == missing_argument::RULE.code {
        let is_given = |field: &&Field| {
            let name = call.normal(&field.name);
            given.iter().any(|it| call.normal(&it.name) == name)
        };
        let missing = params.iter().filter(|it| !it.ty.optional && !is_given(it));
        return missing.collect();
    }
    let Some(argument) = argument else {
        return match &call.call.arguments {
            Arguments::Positional(_) => params.iter().collect(),
            _ => Vec::new(),
        };
    };
    if code == unknown_argument::RULE.code {
        let names = params.iter().map(|it| it.name.as_str());
        let near = nearest(&call.normal(&argument.name), names);
        return { params.iter() }
            .filter(|it| Some(it.name.as_str()) == near)
            .collect();
    }
    let Some(param) = param(argument) else {
        return Vec::new();
    };
    let value = argument.value.and_then(|it| call.unit.program_value(it));
    match value {
        _ if code == argument_without_value::RULE.code => vec![param],
        Some(value) if code == super::values::MISSING_VALUE.code => {
            missing_in(&value, found.range, param, call.unit.edition)
        }
        Some(value) => declared_in(&value, found.range, param, call.unit.edition)
            .into_iter()
            .collect(),
        None => Vec::new(),
    }
}

fn named(arguments: &Arguments) -> &[NamedArgument] {
    match arguments {
        Arguments::Pairs(entries) | Arguments::Map { entries, .. } => entries,
        _ => &[],
    }
}
