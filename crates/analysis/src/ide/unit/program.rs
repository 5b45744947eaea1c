//! The types in the program of a unit.

use super::UnitView;
use crate::{
    contract::{Value, ValueKind},
    ide::fragment::Fragment,
    model::{
        Field, Primitive, Signature, Type,
        program::{Declared, Facts, Fault, Origin, Ty, Use, World, infer},
    },
};
use signature_ls_source::host::lisp::{Namespace, expr::Exprs};

impl<'a> UnitView<'a> {
    /// What cannot be right in the unit's program, whose expressions are `exprs`.
    pub(crate) fn program_faults<'e>(&self, exprs: &'e Exprs<'e>) -> Vec<Fault<'e>>
    where
        'a: 'e,
    {
        self.program_facts(exprs, false).faults
    }

    /// The places in it whose types are certain.
    pub(crate) fn program_uses<'e>(&self, exprs: &'e Exprs<'e>) -> Vec<Use<'e>>
    where
        'a: 'e,
    {
        self.program_facts(exprs, true).uses
    }

    fn program_facts<'e>(&self, exprs: &'e Exprs<'e>, wants_uses: bool) -> Facts<'e>
    where
        'a: 'e,
    {
        let program = self.program();
        if program.code.is_empty() {
            return Facts::default();
        }
        let agent = self.agents_types();
        let context = self.context_values();
        let claims = |it| self.tools.namespaces().claims(it);
        let is_function = program.function.is_some();
        let world = World {
            edition: self.edition,
            tool: &|name| self.tools.whole(name),
            data: &|name| match is_function {
                true => Ty::Unknown,
                false => self.data(agent, &context, name),
            },
            namespace: &|name| {
                let namespace = match name {
                    "tool" => Namespace::Tool,
                    "data" => Namespace::Data,
                    "ctx" => Namespace::Context,
                    _ => return None,
                };
                (!claims(namespace)).then_some(namespace)
            },
            params: agent
                .filter(|_| is_function && self.knows_all_params())
                .map(|it| it.params.as_slice()),
            output: agent.map(|it| &it.output),
            returns_last: program.literal.is_some(),
            wants_uses,
        };
        infer(exprs, &world)
    }

    /// The signature of the program's agent, if no error may hide a field.
    fn agents_types(&self) -> Option<&'a Signature> {
        let signature = self.agents_signature()?;
        let mut own = self.fragments.iter().filter_map(Fragment::lowered);
        let is_whole = own.all(|it| it.gaps.has_whole_records());
        is_whole.then_some(signature)
    }

    /// The values of a context beside the program.
    fn context_values(&self) -> Vec<(String, &'a Value)> {
        let Some(ValueKind::Map(entries)) = self.argument_kind("context") else {
            return Vec::new();
        };
        let named = entries.iter().filter_map(|entry| {
            let name = self.edition.normal_name(entry.key.name.as_deref()?);
            Some((name, &entry.value))
        });
        named.collect()
    }

    /// The type of an input or of a value of the context.
    fn data<'e>(
        &self,
        agent: Option<&'e Signature>,
        context: &[(String, &Value)],
        name: &str,
    ) -> Ty<'e> {
        let name = self.edition.normal_name(name);
        let mut params = agent.iter().flat_map(|it| &it.params);
        let is_named = |it: &&Field| self.edition.is_normal_name(&name, &it.name);
        if let Some(param) = params.find(is_named) {
            return declared(&param.ty);
        }
        let mut values = context.iter();
        let value = values.find(|(it, _)| *it == name);
        value.map_or(Ty::Unknown, |(_, value)| self.value(value))
    }

    /// The type of a value in code.
    fn value<'e>(&self, value: &Value) -> Ty<'e> {
        match &value.kind {
            ValueKind::Null => Ty::Nil,
            ValueKind::Bool(_) => Ty::Primitive(Primitive::Bool),
            ValueKind::Int(_) | ValueKind::BigInt(_) => Ty::Primitive(Primitive::Int),
            ValueKind::Float(_) => Ty::Primitive(Primitive::Float),
            ValueKind::String(_) => Ty::Primitive(Primitive::String),
            ValueKind::List(items) => Ty::tuple(items.iter().map(|it| self.value(it)).collect()),
            ValueKind::Map(entries) => {
                let fields = entries.iter().map(|entry| {
                    let name = self.edition.normal_name(entry.key.name.as_deref()?);
                    Some((name.into_boxed_str(), self.value(&entry.value)))
                });
                let fields: Option<Vec<_>> = fields.collect();
                fields.map_or(Ty::Unknown, Ty::record)
            }
            ValueKind::Keyword(_) | ValueKind::Datetime(_) | ValueKind::Dynamic => Ty::Unknown,
        }
    }
}

fn declared(ty: &Type) -> Ty<'_> {
    Ty::Declared(Declared {
        ty,
        origin: Origin::Agent,
    })
}
