//! The names that a prompt takes, and those among them without a value.

use super::RULE;
use crate::{
    contract::{Entry, ValueKind},
    ide::{Diagnostic, Fix},
    model::{Edition, Type, TypeKind, spelling::nearest},
};
use signature_ls_source::{
    syntax::{
        kind::SyntaxNode,
        template::ast::{Tag, tags},
    },
    text::{TextEdit, TextRange},
};

/// A name that a prompt may take.
pub(super) struct Given {
    pub(super) name: String,
    /// The names in its value, if all of them are known.
    pub(super) inside: Option<Vec<Given>>,
}

impl Given {
    /// A name whose value is not known.
    pub(super) fn unknown(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            inside: None,
        }
    }

    /// The entries of a map; `None` if there may be more.
    pub(super) fn of_map(entries: &[Entry]) -> Option<Vec<Self>> {
        let given = entries.iter().map(|it| {
            Some(Self {
                name: it.key.name.as_deref()?.to_owned(),
                inside: match &it.value.kind {
                    ValueKind::Map(entries) => Self::of_map(entries),
                    _ => None,
                },
            })
        });
        given.collect()
    }

    /// The fields of a record; `None` if there may be more.
    pub(super) fn of_record(ty: &Type) -> Option<Vec<Self>> {
        let TypeKind::Record(fields) = &ty.kind else {
            return None;
        };
        let given = fields.iter().map(|it| Self {
            name: it.name.clone(),
            inside: Self::of_record(&it.ty),
        });
        (!fields.is_empty()).then(|| given.collect())
    }
}

/// A name in a prompt without a value.
pub(super) struct Unfilled<'g> {
    pub(super) name: String,
    /// Its place in the prompt.
    pub(super) range: TextRange,
    /// The name before it, in whose value it is looked up.
    pub(super) parent: Option<String>,
    /// The most similar name with a value.
    pub(super) near: Option<&'g str>,
}

impl Unfilled<'_> {
    /// The diagnostic at `range`, the name unless that cannot be told, where `source` gives the values.
    pub(super) fn diagnose(&self, source: &str, range: TextRange) -> Diagnostic {
        let name = &self.name;
        let source = match &self.parent {
            Some(parent) => format!("`{parent}` in the {source}"),
            None => format!("The {source}"),
        };
        let Some(near) = self.near else {
            let written = format!("{{{{{}}}}}", self.path());
            let message =
                format!("{source} has no `{name}`; add it, or the model sees `{written}`.");
            return Diagnostic::new(&RULE, range, message);
        };
        let message = format!("{source} has no `{name}`; did you mean `{near}`?");
        let diagnostic = Diagnostic::new(&RULE, range, message);
        if range.len() != self.range.len() {
            return diagnostic;
        }
        let edits = vec![TextEdit::replace(range, near)];
        diagnostic.with_fix(Fix::offered(format!("Write `{near}`"), edits))
    }

    pub(super) fn path(&self) -> String {
        let parent = self.parent.iter().map(|it| format!("{it}."));
        parent.chain([self.name.clone()]).collect()
    }
}

/// The first names in the placeholders below `root` that are not among those `given`, at most so many.
pub(super) fn unfilled<'g>(
    edition: Edition,
    root: &SyntaxNode,
    given: &'g [Given],
    most: usize,
) -> Vec<Unfilled<'g>> {
    let paths = tags(root).filter_map(|tag| match tag {
        Tag::Placeholder(it) => it.path().filter(|it| !it.has_hole()),
        // Without a value, a section is omitted, as intended.
        _ => None,
    });
    let unfilled = paths.filter_map(|path| {
        let (mut given, mut parent) = (given, None);
        for segment in path.segments() {
            let name = segment.text();
            let normal = edition.normal_name(name);
            let found = given
                .iter()
                .find(|it| edition.is_normal_name(&normal, &it.name));
            let Some(found) = found else {
                return Some(Unfilled {
                    name: name.to_owned(),
                    range: segment.text_range(),
                    parent,
                    near: nearest(name, given.iter().map(|it| it.name.as_str())),
                });
            };
            given = found.inside.as_deref()?;
            parent = Some(name.to_owned());
        }
        None
    });
    unfilled.take(most).collect()
}
