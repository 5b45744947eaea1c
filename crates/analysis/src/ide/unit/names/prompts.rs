//! The names in prompts.

use std::sync::LazyLock;

use rowan::WalkEvent;

use super::{AgentsSignature, Name, NameKind, Target, UnitNames};
use crate::{
    ide::unit::UnitView,
    model::{
        Edition, Fields, Signature, Type, TypeKind,
        placeholders::{self, Use},
    },
};
use signature_ls_source::{
    order,
    syntax::{
        kind::{SyntaxKind, SyntaxNode},
        template::ast::Section,
    },
    text::{TextRange, TextSize},
};

/// The signature of a prompt without one.
static NOTHING: LazyLock<Signature> = LazyLock::new(|| Signature {
    params: Fields::default(),
    output: Type::new(TypeKind::Unknown),
});

impl UnitNames {
    /// The names in the prompts of the unit in `view` whose target `is_meant`. Only runs with one are read.
    pub(crate) fn in_prompts(view: &UnitView<'_>, is_meant: impl Fn(&Target) -> bool) -> Vec<Name> {
        if view.prompts().next().is_none() {
            return Vec::new();
        }
        let Some(signature) = AgentsSignature::of(view) else {
            let names = view
                .prompts()
                .flat_map(|it| in_unsigned(&it.root, it.start, view.edition));
            return names.filter(|it| is_meant(&it.target)).collect();
        };
        let mut names = Vec::new();
        for (prompt, uses) in view.prompts().zip(view.uses()) {
            let uses = uses.naming(&signature.declared(uses.signature(), &is_meant));
            let found = uses.iter().flat_map(|it| signature.in_tag(it));
            let found = found.filter(|it| is_meant(&it.target));
            names.extend(found.map(|it| it.moved_by(prompt.start)));
            let range = prompt.root.text_range() + prompt.start;
            names.extend(signature.mentioned(view, range, &is_meant));
        }
        names
    }

    /// The name at `offset` in a prompt of the unit in `view`. Only the text around it is read.
    pub(crate) fn at_in_prompts(view: &UnitView<'_>, offset: TextSize) -> Option<Name> {
        let mut prompts = view.prompts().enumerate();
        let (index, prompt) = prompts.find(|(_, it)| {
            let range = it.root.text_range() + it.start;
            range.contains_inclusive(offset)
        })?;
        let at = offset - prompt.start;
        let Some(signature) = AgentsSignature::of(view) else {
            let names = in_unsigned_at(&prompt.root, view.edition, at)?.into_iter();
            let mut here = names.filter(|it| it.range.contains_inclusive(at));
            return Some(here.next()?.moved_by(prompt.start));
        };
        let Some(tag) = view.uses().get(index)?.at(at) else {
            let text = prompt.root.text_range() + prompt.start;
            let line = view.line_around(offset).intersect(text)?;
            let mut names = signature.mentioned(view, line, |_| true).into_iter();
            return names.find(|it| it.range.contains_inclusive(offset));
        };
        let names = signature.in_tag(&tag);
        let mut here = names.into_iter();
        let name = here.find(|it| it.range.contains_inclusive(at))?;
        Some(name.moved_by(prompt.start))
    }
}
impl AgentsSignature<'_> {
    /// The declarations of the targets that `are_meant`, ascending: those of the signature, and those of `known` that
    /// are keys beside a prompt.
    fn declared(&self, known: &Signature, are_meant: impl Fn(&Target) -> bool) -> Vec<TextSize> {
        let own = self.declared_targets();
        let keys = known
            .params
            .iter()
            .filter(|it| self.target(it.name_range).is_none());
        let keys = keys.map(|it| {
            let name = self.edition.normal_name(&it.name);
            (it.name_range.start(), Target::Context(name))
        });
        let meant = own.chain(keys).filter(|(_, target)| are_meant(target));
        let mut declared: Vec<_> = meant.map(|(start, _)| start).collect();
        declared.sort_unstable();
        declared.dedup();
        declared
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

/// The names in a prompt without a signature. Outside of sections they are those of the context.
fn in_unsigned(root: &SyntaxNode, start: TextSize, edition: Edition) -> Vec<Name> {
    let uses = placeholders::resolve(root, &NOTHING, edition);
    let sections = outermost_sections(root);
    let names = uses.iter().flat_map(|it| {
        let before = sections.partition_point(|(section, _)| section.start() <= it.range.start());
        let around = sections[..before].last();
        let is_in_section = around
            .is_some_and(|(section, path)| section.end() > it.range.start() && *path != it.range);
        unsigned(it, is_in_section, edition)
    });
    let mut names: Vec<_> = names.map(|it| it.moved_by(start)).collect();
    order::by_start(&mut names, |it| it.range.start());
    names
}

/// The names of the tag at `offset` of the template at `root`, which has no signature.
fn in_unsigned_at(root: &SyntaxNode, edition: Edition, offset: TextSize) -> Option<Vec<Name>> {
    let found = placeholders::resolve_at(root, &NOTHING, edition, offset)?;
    let is_in_section = is_in_section(root, found.range);
    Some(unsigned(&found, is_in_section, edition).collect())
}

/// The closed sections of a template that are in no other one, with the paths in their tags, in the order of the text: to look
/// for the section around each of 100,000 names takes half a second.
fn outermost_sections(root: &SyntaxNode) -> Vec<(TextRange, TextRange)> {
    let mut found = Vec::new();
    let mut events = root.preorder();
    while let Some(event) = events.next() {
        let WalkEvent::Enter(node) = event else {
            continue;
        };
        if node.kind() == SyntaxKind::Placeholder {
            events.skip_subtree();
            continue;
        }
        let range = node.text_range();
        let closed = Section::cast(node).filter(|it| !it.is_unclosed());
        if let Some(path) = closed.and_then(|it| it.path()) {
            found.push((range, path.text_range()));
            events.skip_subtree();
        }
    }
    found
}

/// Whether the path at `range` of a template is in a section, other than one whose tag it is.
fn is_in_section(root: &SyntaxNode, range: TextRange) -> bool {
    let token = root.token_at_offset(range.start()).right_biased();
    let around = token.into_iter().flat_map(|it| it.parent_ancestors());
    let mut sections = around.filter_map(Section::cast);
    sections.any(|it| !it.is_unclosed() && it.path().is_some_and(|it| it.text_range() != range))
}

fn unsigned(it: &Use, is_in_section: bool, edition: Edition) -> impl Iterator<Item = Name> {
    let segments = it.segments.iter().enumerate();
    segments.flat_map(move |(index, (name, range))| {
        let closing = it.closing.get(index).copied();
        let kind = match it.is_section {
            true => NameKind::SectionOpening { closing },
            false => NameKind::Placeholder,
        };
        let target = match index == 0 && !is_in_section {
            true => Target::Context(edition.normal_name(name)),
            false => Target::Unknown,
        };
        segment(*range, kind, target)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use signature_ls_source::syntax::{fragment::Fragment, template};

    #[test]
    fn names_are_in_the_same_sections_as_if_each_is_looked_for() {
        let parts = [
            "{{#a}}", "{{/a}}", "{{^b}}", "{{/b}}", "{{c}}", "{{#}}", "\n", "{{a}}",
        ];
        for number in 0..parts.len().pow(4) {
            let chosen = (0..4).map(|it| parts[number / parts.len().pow(it) % parts.len()]);
            let text = chosen.collect::<String>();
            let root = SyntaxNode::new_root(template::parse(Fragment::plain(&text)));
            let all = in_unsigned(&root, 0.into(), Edition::default());
            let uses = placeholders::resolve(&root, &NOTHING, Edition::default());
            let mut each: Vec<_> = uses
                .iter()
                .flat_map(|it| unsigned(it, is_in_section(&root, it.range), Edition::default()))
                .collect();
            order::by_start(&mut each, |it| it.range.start());
            assert_eq!(all, each, "{text:?}");
        }
    }
}
