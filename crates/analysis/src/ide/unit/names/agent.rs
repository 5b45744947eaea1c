//! The signature of an agent, and the names of its values: samples, context, results.

use foldhash::{HashMap, HashMapExt};

use super::{Blind, BlindKind, Found, Name, NameKind, Owner, Target};
use crate::{
    contract::{Direction, Entry, Value, ValueKind},
    ide::unit::UnitView,
    model::{Edition, Field, Lowered, Signature, Type, TypeKind, names::record_in},
};
use signature_ls_source::{
    host::{Notation, lisp::Namespace},
    text::{TextRange, TextSize},
};

/// The place of a signature.
#[derive(Clone, Copy)]
enum SignaturePlace {
    /// In the unit, in the fragment with that index.
    Fragment(usize),
    /// Elsewhere; the index among those that flow into the unit.
    Source(usize),
}

/// The signature of the prompts, samples and programs of a unit.
pub(super) struct AgentsSignature<'a> {
    place: SignaturePlace,
    lowered: &'a Lowered,
    /// The first parameter of each name in normal form.
    pub(super) params: HashMap<String, &'a Field>,
    pub(super) edition: Edition,
}

impl<'a> AgentsSignature<'a> {
    pub(super) fn of(view: &UnitView<'a>) -> Option<Self> {
        let mut fragments = view.fragments.iter().enumerate();
        let own = fragments
            .find_map(|(index, it)| Some((SignaturePlace::Fragment(index), it.lowered()?)));
        let (place, lowered) = own.or_else(|| {
            let source = view.flow().agent.as_ref()?.source;
            Some((SignaturePlace::Source(source), view.source(source)?))
        })?;
        Some(Self {
            place,
            lowered,
            params: by_name(&lowered.signature.params, view.edition),
            edition: view.edition,
        })
    }

    pub(super) fn signature(&self) -> &'a Signature {
        &self.lowered.signature
    }

    pub(super) fn target(&self, declared: TextRange) -> Option<Target> {
        let field = self.lowered.names.at(declared)?;
        Some(match self.place {
            SignaturePlace::Fragment(fragment) => Target::Field { fragment, field },
            SignaturePlace::Source(source) => Target::Elsewhere { source, field },
        })
    }

    /// The parameters and fields, each with the start of its declaration.
    pub(super) fn declared_targets(&self) -> impl Iterator<Item = (TextSize, Target)> {
        let declared = self.lowered.names.iter().map(|(_, it)| it.range);
        declared.filter_map(|range| Some((range.start(), self.target(range)?)))
    }

    /// Adds the names of the keys in `value`, whose type is `ty`.
    fn add_value(
        &self,
        view: &UnitView<'_>,
        value: &Value,
        ty: &Type,
        place: (NameKind, Owner),
        found: &mut Found,
    ) {
        let (kind, owner) = place;
        let mut walk = Walk {
            signature: self,
            view,
            kind,
            owner,
            path: Vec::new(),
            found,
        };
        walk.value(value, ty);
    }

    /// Adds the keys of what a program returns.
    pub(super) fn add_returns(&self, view: &UnitView<'_>, found: &mut Found) {
        let returned = view.program().returns.iter().filter_map(|it| it.value);
        let output = &self.signature().output;
        for range in returned {
            let value = view.program_value(range);
            let value = value.unwrap_or_else(|| Value::new(ValueKind::Dynamic, range));
            let place = (NameKind::ReturnKey, Owner::Output);
            self.add_value(view, &value, output, place, found);
        }
    }
}

/// Walks through a value and its type.
struct Walk<'a> {
    signature: &'a AgentsSignature<'a>,
    view: &'a UnitView<'a>,
    kind: NameKind,
    owner: Owner,
    /// The path, in normal form.
    path: Vec<String>,
    found: &'a mut Found,
}

impl Walk<'_> {
    fn value(&mut self, value: &Value, ty: &Type) {
        match (&value.kind, &ty.kind) {
            (ValueKind::List(values), TypeKind::List(element)) => {
                for value in values {
                    self.value(value, element);
                }
            }
            (ValueKind::Map(entries), TypeKind::Record(fields)) => {
                let fields = by_name(fields, self.signature.edition);
                for entry in entries {
                    self.entry(entry, &fields);
                }
            }
            (ValueKind::Dynamic, _) if record_in(ty).is_some_and(|it| !it.is_empty()) => {
                self.blind(value.range);
            }
            _ => {}
        }
    }

    fn entry(&mut self, entry: &Entry, fields: &HashMap<String, &Field>) {
        let Some(name) = entry.key.name.as_deref() else {
            return self.blind(entry.key.range);
        };
        let normal = self.signature.edition.normal_name(name);
        let Some(field) = fields.get(&normal) else {
            return;
        };
        let range = self.view.name_in(entry.key.range, name);
        let target = self.signature.target(field.name_range);
        if let (Some(range), Some(target)) = (range, target) {
            self.found.names.push(Name {
                range,
                kind: self.kind,
                target,
            });
        }
        self.path.push(normal);
        self.value(&entry.value, &field.ty);
        self.path.pop();
    }

    fn blind(&mut self, range: TextRange) {
        self.found.blind.push(Blind {
            range,
            what: BlindKind::Value,
            owner: self.owner.clone(),
            path: self.path.clone(),
        });
    }
}

/// The first field of each name in normal form.
pub(super) fn by_name(fields: &[Field], edition: Edition) -> HashMap<String, &Field> {
    let mut by_name = HashMap::with_capacity(fields.len());
    for field in fields {
        let name = edition.normal_name(&field.name);
        by_name.entry(name).or_insert(field);
    }
    by_name
}

/// Adds the keys of samples and of `context:`.
pub(super) fn add_samples(
    view: &UnitView<'_>,
    signature: Option<&AgentsSignature<'_>>,
    found: &mut Found,
) {
    for sample in view.samples() {
        let value = sample.placed();
        if sample.direction == Direction::Input {
            add_context(view, &value, signature, found);
        }
        let Some(signature) = signature else {
            continue;
        };
        let (ty, owner) = match sample.direction {
            Direction::Input => (signature.inputs(), Owner::Inputs),
            Direction::Output | Direction::Returned => {
                (signature.signature().output.clone(), Owner::Output)
            }
        };
        let place = (NameKind::SampleKey, owner);
        signature.add_value(view, &value, &ty, place, found);
    }
    if let Some(signature) = signature {
        let output = signature.signature().output.clone();
        for (key, ty, owner) in [
            ("field_descriptions", output, Owner::Output),
            ("context_descriptions", signature.inputs(), Owner::Inputs),
        ] {
            let described = view.argument_value(key);
            if let Some(value) = described.filter(|it| matches!(it.kind, ValueKind::Map(_))) {
                let place = (NameKind::SampleKey, owner);
                signature.add_value(view, &value, &ty, place, found);
            }
        }
    }
    if view.notation() == Notation::Elixir {
        found.blind.extend(unseen_context(view));
    }
}

/// The context of a call, if it is only known at run time.
fn unseen_context(view: &UnitView<'_>) -> Option<Blind> {
    let range = view.unit.argument("context")?.value;
    let value = view.argument_kind("context");
    let is_step = view.flow().context.as_ref().and_then(|it| view.type_of(it));
    let is_seen = is_step.is_some_and(|it| record_in(it).is_some())
        || matches!(value, Some(ValueKind::Map(_)));
    (!is_seen).then_some(Blind {
        range,
        what: BlindKind::Value,
        owner: Owner::Inputs,
        path: Vec::new(),
    })
}

impl AgentsSignature<'_> {
    fn inputs(&self) -> Type {
        Type::new(TypeKind::Record(self.signature().params.clone()))
    }
}

/// Adds the keys of a context that `signature` does not declare.
fn add_context(
    view: &UnitView<'_>,
    context: &Value,
    signature: Option<&AgentsSignature<'_>>,
    found: &mut Found,
) {
    let ValueKind::Map(entries) = &context.kind else {
        return;
    };
    let names = entries.iter().filter_map(|entry| {
        let written = entry.key.name.as_deref()?;
        let range = view.name_in(entry.key.range, written)?;
        let name = view.edition.normal_name(written);
        let is_declared = signature.is_some_and(|it| it.params.contains_key(&name));
        (!is_declared).then_some(Name {
            range,
            kind: NameKind::SampleKey,
            target: Target::Context(name),
        })
    });
    found.names.extend(names);
}

/// Adds the names of context data in a program.
pub(super) fn add_data(
    view: &UnitView<'_>,
    signature: Option<&AgentsSignature<'_>>,
    found: &mut Found,
) {
    let is_data = |it: Namespace| matches!(it, Namespace::Data | Namespace::Context);
    let references = view.program().references.iter();
    let names = references.filter(|it| is_data(it.namespace)).map(|it| {
        let name = view.edition.normal_name(&it.name);
        let declared = signature.and_then(|signature| {
            let param = signature.params.get(&name)?;
            signature.target(param.name_range)
        });
        Name {
            range: it.name_range,
            kind: NameKind::Data,
            target: declared.unwrap_or(Target::Context(name)),
        }
    });
    found.names.extend(names);
}
