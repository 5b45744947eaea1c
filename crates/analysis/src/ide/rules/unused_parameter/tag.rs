//! The placeholder or section that shows a parameter.

use crate::{
    ide::unit::UnitView,
    model::{Field, Fields, Primitive, Type, TypeKind, placeholders::Uses},
};

/// What shows a parameter in a prompt.
pub(in crate::ide::rules) struct Tag {
    /// Its beginning, for messages.
    pub(super) shown: String,
    /// All of it; `None` if it needs a name that is not known.
    pub(super) written: Option<String>,
}

impl Tag {
    /// What shows each of `params`, which one prompt gets together.
    pub(in crate::ide::rules) fn of_all(
        unit: &UnitView<'_>,
        params: &[(usize, &Field)],
    ) -> Vec<Self> {
        let adds_section = unit.edition.has_sections() && params.iter().any(|it| it.1.ty.optional);
        let is_filled = adds_section || unit.uses().iter().any(Uses::has_sections);
        let all = params.iter();
        all.map(|(_, it)| Self::of(unit, it, is_filled)).collect()
    }

    /// Whether it is a section.
    pub(super) fn is_section(&self) -> bool {
        self.shown.starts_with("{{#")
    }

    /// What shows `param`. In a prompt that is sent with its values, a record needs a field; in one with sections, which
    /// `is_filled`, a list needs one, too.
    fn of(unit: &UnitView<'_>, param: &Field, is_filled: bool) -> Self {
        let name = &param.name;
        let has_sections = unit.edition.has_sections();
        let needs_field = is_filled || unit.sends_values() || !has_sections;
        let section = |inside: Option<String>| Self {
            shown: format!("{{{{#{name}}}}}…"),
            written: inside.map(|it| format!("{{{{#{name}}}}}{{{{{it}}}}}{{{{/{name}}}}}")),
        };
        match &param.ty.kind {
            TypeKind::List(element) if is_filled => section(match &element.kind {
                TypeKind::Record(fields) => first_shown(fields),
                _ => is_shown(element).then(|| ".".to_owned()),
            }),
            TypeKind::Record(fields) if needs_field => {
                let field = first_shown(fields);
                let written = field.map(|it| format!("{{{{{name}.{it}}}}}"));
                let any = || format!("{{{{{name}.…}}}}");
                Self {
                    shown: written.clone().unwrap_or_else(any),
                    written,
                }
            }
            TypeKind::Primitive(Primitive::Map) if needs_field || param.ty.optional => Self {
                shown: format!("{{{{{name}.…}}}}"),
                written: None,
            },
            _ if param.ty.optional && has_sections => section(Some(name.clone())),
            _ => Self {
                shown: format!("{{{{{name}}}}}"),
                written: Some(format!("{{{{{name}}}}}")),
            },
        }
    }
}

/// Whether a placeholder shows values of the type.
fn is_shown(ty: &Type) -> bool {
    matches!(ty.kind, TypeKind::Primitive(it) if it != Primitive::Map)
}

/// The first of `fields` that a placeholder shows.
fn first_shown(fields: &Fields) -> Option<String> {
    let field = fields.iter().find(|it| is_shown(&it.ty))?;
    Some(field.name.clone())
}
