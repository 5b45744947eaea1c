//! The types in the program of a unit.

use super::UnitView;
use crate::{
    contract::{Value, ValueKind},
    ide::fragment::Fragment,
    model::{
        Primitive, Signature, Type,
        program::{Declared, Facts, Fault, Origin, Ty, Use, World, infer},
    },
};
use signature_ls_source::{
    host::{
        HAS_SMALL_STEPS,
        lisp::{Namespace, expr::Exprs},
    },
    order,
};

impl<'a> UnitView<'a> {
    /// What cannot be right in the unit's programs, whose expressions are `exprs`.
    pub(crate) fn program_faults<'e>(&self, exprs: &'e [Exprs<'e>]) -> Vec<Fault<'e>>
    where
        'a: 'e,
    {
        self.program_facts(exprs, false).faults
    }

    /// The places in it whose types are certain.
    pub(crate) fn program_uses<'e>(&self, exprs: &'e [Exprs<'e>]) -> Vec<Use<'e>>
    where
        'a: 'e,
    {
        self.program_facts(exprs, true).uses
    }

    fn program_facts<'e>(&self, exprs: &'e [Exprs<'e>], wants_uses: bool) -> Facts<'e>
    where
        'a: 'e,
    {
        let mut facts = Facts::default();
        let program = self.program();
        if program.code.is_empty() {
            return facts;
        }
        let agent = self.agents_types();
        let inputs = self.inputs(agent.filter(|_| program.function.is_none()));
        let claims = |it| self.tools.namespaces().claims(it);
        let is_function = program.function.is_some();
        let world = World {
            edition: self.edition,
            tool: &|name| self.tools.whole(name),
            data: &|name| match is_function {
                true => Ty::Unknown,
                false => self.data(&inputs, name),
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
        for program in exprs {
            facts = infer(program, &world, facts);
        }
        facts
    }

    /// The signature of the program's agent, if no error may hide a field.
    fn agents_types(&self) -> Option<&'a Signature> {
        let signature = self.agents_signature()?;
        let mut own = self.fragments.iter().filter_map(Fragment::lowered);
        let is_whole = own.all(|it| it.gaps.has_whole_records());
        is_whole.then_some(signature)
    }

    /// The inputs, and the values of a context beside the program, by their names in normal form.
    fn inputs<'e>(&self, agent: Option<&'e Signature>) -> Vec<(String, Input<'e>)>
    where
        'a: 'e,
    {
        let params = agent.iter().flat_map(|it| &it.params);
        let params = params.map(|it| (self.edition.normal_name(&it.name), Input::Param(&it.ty)));
        let values = match self.argument_kind("context") {
            Some(ValueKind::Map(entries)) => &entries[..],
            _ => &[],
        };
        let values = values.iter().filter_map(|entry| {
            let name = self.edition.normal_name(entry.key.name.as_deref()?);
            Some((name, Input::Value(&entry.value)))
        });
        let mut inputs: Vec<_> = params.chain(values).collect();
        if HAS_SMALL_STEPS {
            order::by_name(&mut inputs, |(name, _)| name);
        }
        inputs
    }

    /// The type of the first of the `inputs` with this name.
    fn data<'e>(&self, inputs: &[(String, Input<'e>)], name: &str) -> Ty<'e> {
        let name = self.edition.normal_name(name);
        // Thousands of programs may read one of thousands of inputs.
        let first = match HAS_SMALL_STEPS {
            true => inputs.partition_point(|(it, _)| *it < name),
            false => { inputs.iter() }
                .position(|(it, _)| *it == name)
                .unwrap_or_default(),
        };
        match inputs.get(first).filter(|(it, _)| *it == name) {
            Some((_, Input::Param(ty))) => declared(ty),
            Some((_, Input::Value(value))) => self.value(value),
            None => Ty::Unknown,
        }
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

/// What gives a program a value.
enum Input<'e> {
    Param(&'e Type),
    Value(&'e Value),
}

fn declared(ty: &Type) -> Ty<'_> {
    Ty::Declared(Declared {
        ty,
        origin: Origin::Agent,
    })
}
