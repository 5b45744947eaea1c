//! The names in prompts.

use super::{AgentsSignature, Name, NameKind, Target};
use crate::{
    model::{
        Edition, Signature, Type, TypeKind,
        placeholders::{self, Use},
    },
    syntax::kind::SyntaxNode,
    text::{TextRange, TextSize},
};

impl AgentsSignature<'_> {
    /// The names in the template at `root`, or in a part of one that no section reaches out of.
    pub(super) fn in_prompt(&self, root: &SyntaxNode, known: &Signature) -> Vec<Name> {
        let uses = placeholders::resolve(root, known, self.edition);
        let mut names: Vec<_> = uses.iter().flat_map(|it| self.in_tag(it)).collect();
        names.sort_by_key(|it| it.range.start());
        names
    }

    /// The name at `offset` of that template.
    pub(super) fn at_in_prompt(
        &self,
        root: &SyntaxNode,
        known: &Signature,
        offset: TextSize,
    ) -> Option<Name> {
        let found = placeholders::resolve_at(root, known, self.edition, offset)?;
        let names = self.in_tag(&found).into_iter();
        let mut here = names.filter(|it| it.range.contains_inclusive(offset));
        here.next()
    }

    fn in_tag(&self, it: &Use) -> Vec<Name> {
        if let (true, Some(&list)) = (it.segments.is_empty(), it.declared.first()) {
            let element = self.target(list).map(|target| Name {
                range: it.range,
                kind: NameKind::Element,
                target,
            });
            return Vec::from_iter(element);
        }
        let target = |index: usize, name: &str| match it.declared.get(index) {
            Some(&declared) => self.target(declared).unwrap_or_else(|| {
                // A key beside the prompt, which no signature declares.
                Target::Context(self.edition.normal_name(name))
            }),
            None => Target::Unknown,
        };
        let mut names = Vec::new();
        for (index, (name, range)) in it.segments.iter().enumerate() {
            let closing = it.closing.get(index).copied();
            let kind = match it.is_section {
                true => NameKind::SectionOpening { closing },
                false => NameKind::Placeholder,
            };
            names.extend(segment(*range, kind, target(index, name)));
        }
        names
    }
}

/// The name of a segment, and the same in the closing tag of a section.
fn segment(range: TextRange, kind: NameKind, target: Target) -> impl Iterator<Item = Name> {
    let closing = match kind {
        NameKind::SectionOpening { closing } => closing,
        _ => None,
    };
    let closing = closing.map(|closing| Name {
        range: closing,
        kind: NameKind::SectionClosing { opening: range },
        target: target.clone(),
    });
    let opening = Name {
        range,
        kind,
        target,
    };
    std::iter::once(opening).chain(closing)
}

/// The names in a template that no signature is for. Outside of sections they are those of the context.
pub(super) fn in_unsigned(root: &SyntaxNode, edition: Edition) -> Vec<Name> {
    let nothing = Signature {
        params: Vec::new(),
        output: Type::new(TypeKind::Unknown),
    };
    let mut names = Vec::new();
    let mut sections_end = TextSize::default();
    for it in placeholders::resolve(root, &nothing, edition) {
        let is_in_section = it.range.start() < sections_end;
        if let Some(end) = it.closing.last() {
            sections_end = sections_end.max(end.end());
        }
        for (index, (name, range)) in it.segments.iter().enumerate() {
            let closing = it.closing.get(index).copied();
            let kind = match it.is_section {
                true => NameKind::SectionOpening { closing },
                false => NameKind::Placeholder,
            };
            let target = match index == 0 && !is_in_section {
                true => Target::Context(edition.normal_name(name)),
                false => Target::Unknown,
            };
            names.extend(segment(*range, kind, target));
        }
    }
    names.sort_by_key(|it| it.range.start());
    names
}
