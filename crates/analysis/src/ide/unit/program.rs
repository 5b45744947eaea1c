//! The types in the program of a unit.

use foldhash::HashSet;

use super::UnitView;
use crate::{
    contract::{Value, ValueKind},
    ide::fragment::Fragment,
    model::{
        Primitive, Signature, Type, TypeKind,
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
    /// Looks at each of the unit's programs with what cannot be right in it. Thousands of programs are never in memory
    /// together.
    pub(crate) fn look_at_programs(&self, mut look: impl FnMut(&Exprs<'_>, &[Fault<'_>])) {
        let inputs = self.inputs();
        for part in self.program().parts() {
            let exprs = part.exprs();
            let facts = self.program_facts(&exprs, &inputs, false, Facts::default());
            look(&exprs, &facts.faults);
        }
    }

    /// The places in the unit's programs, whose expressions are `exprs`, whose types are certain.
    pub(crate) fn program_uses<'e>(&self, exprs: &'e [Exprs<'e>]) -> Vec<Use<'e>>
    where
        'a: 'e,
    {
        let inputs = self.inputs();
        let mut facts = Facts::default();
        for exprs in exprs {
            facts = self.program_facts(exprs, &inputs, true, facts);
        }
        facts.uses
    }

    /// Adds what is certain of one program to the `facts` about others.
    fn program_facts<'e>(
        &self,
        exprs: &'e Exprs<'e>,
        inputs: &[(String, Input<'e>)],
        wants_uses: bool,
        facts: Facts<'e>,
    ) -> Facts<'e>
    where
        'a: 'e,
    {
        let program = self.program();
        let agent = self.agents_types();
        let claims = |it| self.tools.namespaces().claims(it);
        let is_function = program.function.is_some();
        let world = World {
            edition: self.edition,
            tool: &|name| self.tools.whole(name),
            data: &|name| match is_function {
                true => Ty::Unknown,
                false => self.data(inputs, name),
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
                .map(|it| &it.params),
            output: agent.map(|it| &it.output),
            returns_last: program.literal.is_some(),
            wants_uses,
        };
        infer(exprs, &world, facts)
    }

    /// The signature of the program's agent, if no error may hide a field.
    fn agents_types(&self) -> Option<&'a Signature> {
        let signature = self.agents_signature()?;
        let mut own = self.fragments.iter().filter_map(Fragment::lowered);
        let is_whole = own.all(|it| it.gaps.has_whole_records());
        is_whole.then_some(signature)
    }

    /// The inputs, and the values of a context beside the program, by their names in normal form.
    fn inputs<'e>(&self) -> Vec<(String, Input<'e>)>
    where
        'a: 'e,
    {
        let program = self.program();
        if program.code.is_empty() {
            return Vec::new();
        }
        let agent = self.agents_types().filter(|_| program.function.is_none());
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

    /// The names in normal form of the inputs that are certainly lists or maps.
    pub(crate) fn collections(&self) -> HashSet<String> {
        let inputs = self.inputs().into_iter();
        let collections = inputs.filter(|(_, input)| match input {
            Input::Param(ty) => matches!(
                ty.kind,
                TypeKind::List(_) | TypeKind::Record(_) | TypeKind::Primitive(Primitive::Map)
            ),
            Input::Value(value) => matches!(value.kind, ValueKind::List(_) | ValueKind::Map(_)),
        });
        collections.map(|(name, _)| name).collect()
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
