//! The signatures that flow into a unit, and the types of values that are read from results.

use std::sync::Arc;

use super::UnitView;
use crate::model::{Edition, Field, Lowered, Type, TypeKind, lower, spelling::is_slip};
use signature_ls_source::{
    host::flow::{Flow, Flowing, Given, Key, KeyForm, ModeText, Part, Source, Written},
    syntax::{kind::SyntaxNode, signature},
};

/// The signature of `source`; `None` if it is in another file, or there is none.
pub(super) fn lowered(source: &Source, edition: Edition) -> Option<Arc<Lowered>> {
    let Written::Here(text) = &source.written else {
        return None;
    };
    let green = signature::parse(text.fragment());
    Some(Arc::new(lower(&SyntaxNode::new_root(green), edition)))
}

impl<'a> UnitView<'a> {
    /// The signatures that flow into the unit.
    pub(crate) fn flow(&self) -> &'a Flow {
        &self.unit.flow
    }

    /// The signature that flows into the unit from a source.
    pub(crate) fn source(&self, index: usize) -> Option<&'a Lowered> {
        self.sources.get(index)?.as_deref()
    }

    /// The signature of the agent that the unit runs, if it is elsewhere.
    pub(super) fn agent(&self) -> Option<&'a Lowered> {
        self.source(self.flow().agent.as_ref()?.source)
    }

    /// The mode of that agent.
    pub(super) fn agents_mode(&self) -> Option<&'a ModeText> {
        let agent = self.flow().agent.as_ref()?;
        let source = self.flow().sources.get(agent.source)?;
        let of_agent = || self.scope.source(source)?.mode.as_ref();
        source.mode.as_ref().or_else(of_agent)
    }

    /// The type of a result, or of a part of it; `None` if that is uncertain.
    pub(crate) fn type_of(&self, given: &Given) -> Option<&'a Type> {
        let mut ty = self.type_before_keys(given)?;
        for key in &given.keys {
            ty = self.field(ty, key.name.as_deref()?)?.1;
        }
        Some(ty)
    }

    /// The type of the value that the keys of `given` are read from.
    pub(crate) fn type_before_keys(&self, given: &Given) -> Option<&'a Type> {
        if !matches!(given.what, Flowing::Data | Flowing::Step) {
            return None;
        }
        let mut ty = &self.source(given.source)?.signature.output;
        for part in &given.path {
            ty = match (part, &ty.kind) {
                (Part::Key(name), _) => self.field(ty, name.as_deref()?)?.1,
                (Part::Element, TypeKind::List(element)) => element,
                (Part::Element, _) => return None,
            };
        }
        Some(ty)
    }

    /// The field of a record under the key `name`, and its type.
    pub(crate) fn field<'t>(&self, ty: &'t Type, name: &str) -> Option<(&'t Field, &'t Type)> {
        let TypeKind::Record(fields) = &ty.kind else {
            return None;
        };
        let field = fields.named(name, self.edition)?;
        Some((field, &field.ty))
    }

    /// Whether an error in the signature of `given` may hide the field `name` of the record `ty`, which is most
    /// similar to the field `near`.
    pub(crate) fn may_have_field(
        &self,
        given: &Given,
        ty: &Type,
        name: &str,
        near: Option<&str>,
    ) -> bool {
        let normal = self.edition.normal_name(name);
        let is_slip = || near.is_some_and(|near| is_slip(&normal, near));
        self.source(given.source).is_none_or(|source| {
            let gap = source.gaps.record(ty.range.start());
            gap.may_hold(&normal, is_slip)
        })
    }

    /// Whether the keys of the value in `given` are strings in this edition, and `key` is not one.
    pub(crate) fn is_atom(&self, given: &Given, key: &Key) -> bool {
        let source = self.flow().sources.get(given.source);
        let has_strings = self.edition >= Edition::V0_5 && source.is_some_and(|it| !it.is_program);
        has_strings && key.form != KeyForm::String && !key.may_be_atom
    }
}
