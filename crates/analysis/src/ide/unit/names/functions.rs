//! The parameters of a function with a signature.

use foldhash::HashMap;

use super::{AgentsSignature, Blind, BlindKind, Found, Name, NameKind, Owner};
use crate::{
    ide::unit::UnitView,
    model::{Field, names::record_in},
};
use signature_ls_source::{host::lisp::Parameter, text::TextRange};

impl AgentsSignature<'_> {
    /// Adds the parameters of the function that the signature describes, in its head and its body.
    pub(super) fn add_function(&self, view: &UnitView<'_>, found: &mut Found) {
        let Some(function) = &view.program().function else {
            return;
        };
        let params = self.signature().params.as_slice();
        let mut locals = HashMap::default();
        let arities = function.arities.iter();
        for (index, parameter) in arities.flat_map(|it| it.parameters.iter().enumerate()) {
            for (written, name) in self.of_parameter(view, parameter, params.get(index)) {
                locals.insert(written.to_owned(), name.target.clone());
                found.names.push(name);
            }
        }
        for local in &function.locals {
            let Some(target) = locals.get(&local.name) else {
                continue;
            };
            found.names.push(Name {
                range: local.range,
                kind: NameKind::Local,
                target: target.clone(),
            });
            if local.is_key {
                found.blind.push(Blind {
                    range: local.range,
                    what: BlindKind::Binding,
                    owner: Owner::Inputs,
                    path: vec![plain_name(&local.name)],
                });
            }
        }
    }

    /// The names in a parameter, each with its name in the body.
    fn of_parameter<'p>(
        &self,
        view: &UnitView<'_>,
        parameter: &'p Parameter,
        param: Option<&Field>,
    ) -> Vec<(&'p str, Name)> {
        let name = |range: TextRange, written: &str, field: &Field| {
            Some(Name {
                range: view.name_in(range, written)?,
                kind: NameKind::FunctionParameter,
                target: self.target(field.name_range)?,
            })
        };
        if let Some(written) = &parameter.name {
            let is_same = |it: &&Field| plain_name(&it.name) == plain_name(written);
            let fitting = param.filter(|it| is_same(it) && !parameter.is_rest);
            let name = fitting.and_then(|it| name(parameter.range, written, it));
            return name.map(|it| (written.as_str(), it)).into_iter().collect();
        }
        if parameter.keys.is_empty() {
            return Vec::new();
        }
        let fields = param.and_then(|it| record_in(&it.ty)).unwrap_or_default();
        let params = &self.signature().params;
        let mut by_name = HashMap::default();
        for field in fields.iter().chain(params) {
            by_name.entry(plain_name(&field.name)).or_insert(field);
        }
        let keys = parameter.keys.iter().filter_map(|(key, range)| {
            let field = by_name.get(&plain_name(key))?;
            Some((key.as_str(), name(*range, key, field)?))
        });
        keys.collect()
    }
}

/// A name without characters that are invalid in signatures: hyphens, and the final marks of names in Lisp.
pub(crate) fn plain_name(name: &str) -> String {
    name.trim_end_matches(['?', '!', '*', '\'', '+'])
        .replace('-', "_")
}
