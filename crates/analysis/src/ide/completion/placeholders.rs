//! In a prompt: parameters and, in sections, the fields of the element; sections and their closing tags.

use foldhash::HashSet;

use super::{Completion, CompletionKind, Completions, Place, last_name};
use crate::{
    ide::{
        Document,
        place::{self, Literal},
    },
    model::{Edition, Field, Fields, Primitive, Signature, Type, TypeKind},
};
use signature_ls_source::{
    host::Role,
    syntax::{kind::SyntaxNode, template::ast},
    text::{TextRange, TextSize, size},
};

/// The completions in the tag around the place.
pub(super) fn complete(document: &Document, place: &Place<'_>) -> Option<Completions> {
    let literal = place::literal_at(document, place.offset)?;
    if literal.site.role != Role::Prompt {
        return None;
    }
    // A tag ends with its line at the latest.
    let line = place.text.line_range(place.offset).start();
    let before = place.after(line.max(literal.start));
    let tag = before.rsplit_once("{{");
    let Some((_, tag)) = tag.filter(|(_, it)| !it.contains("}}")) else {
        return inputs(document, place, &literal, &before);
    };
    let edition = document.edition();
    let start = place.offset - size("{{".len() + tag.len());
    let root = literal.root()?;
    let sections = open_sections(&root, start - literal.start);
    let signature = literal.analysis.signature(&literal.placed.unit);
    let scopes = signature.map(|it| Scopes::new(it, edition, &sections));
    let rest = place.rest();
    let tag = tag.trim_start();
    let (sigil, path) = match tag.chars().next() {
        Some(sigil @ ('#' | '^' | '/')) => (Some(sigil), tag[1..].trim_start()),
        Some('!') => return None,
        _ => (None, tag),
    };
    let word = last_name(path);
    let is_plain = path.chars().all(|c| super::is_name_part(c) || c == '.');
    if !is_plain {
        return None;
    }
    let end = closing_braces(&rest);
    let mut items = match sigil {
        Some('/') => closing(sections.last()),
        _ => {
            let parent = path[..path.len() - word.len()].strip_suffix('.');
            let scopes = scopes.as_ref()?;
            let names = match parent {
                Some(path) => scopes.fields_of(path),
                None => scopes.names(),
            };
            let names = names
                .into_iter()
                .filter(|(field, _)| !edition.hides(&field.name));
            names
                .filter(|(field, _)| sigil.is_none() || can_be_section(&field.ty))
                .map(name)
                .collect()
        }
    };
    if sigil.is_none() && path.is_empty() && scopes.as_ref().is_some_and(Scopes::has_dot) {
        items.insert(
            0,
            Completion::new(".", CompletionKind::Field).detail("the element itself"),
        );
    }
    let replaced = match sigil {
        Some('/') => place.word(path.len()),
        _ => place.word(word.len()),
    };
    let opens = matches!(sigil, Some('#' | '^'))
        && end != "}"
        && !is_closed(&root, start - literal.start, &rest, sections.last());
    if !opens {
        items.iter_mut().for_each(|item| item.text.push_str(end));
        return Some(Completions { replaced, items });
    }
    let parent = &path[..path.len() - word.len()];
    for item in &mut items {
        item.text.push_str("}}");
        let name = &item.label;
        item.snippet = Some(format!("{name}}}}}$0{{{{/{parent}{name}}}}}"));
    }
    // The braces of the tag, which an editor may have added, are in the new text.
    let braces = rest.find("}}").filter(|_| end.is_empty());
    let tag_end = braces.map_or(replaced.end(), |at| place.offset + size(at + "}}".len()));
    let replaced = TextRange::new(replaced.start(), tag_end);
    Some(Completions { replaced, items })
}

/// The inputs after `data/` at the end of `before`.
fn inputs(
    document: &Document,
    place: &Place<'_>,
    literal: &Literal<'_>,
    before: &str,
) -> Option<Completions> {
    let edition = document.edition();
    let namespace = format!("{}/", edition.context_namespace());
    let (text, name) = before.rsplit_once(&namespace)?;
    // In a string, an escape such as `\\n` may precede it.
    let word = last_name(text).len();
    let is_separate = word == 0 || (word == 1 && text[..text.len() - 1].ends_with('\\'));
    if !is_separate || !name.chars().all(super::is_name_part) {
        return None;
    }
    let signature = literal.analysis.signature(&literal.placed.unit)?;
    let item = |it: &Field| {
        let label = format!("{namespace}{}", it.name);
        Completion::new(label, CompletionKind::Parameter).detail(&it.ty)
    };
    Some(Completions {
        replaced: place.word(namespace.len() + name.len()),
        items: signature.params.iter().map(item).collect(),
    })
}

/// Whether the section that the tag at `start` of a template opens is closed. `rest` is the rest of its line, and
/// `outer` the section around it.
fn is_closed(
    root: &SyntaxNode,
    start: TextSize,
    rest: &str,
    outer: Option<&(String, bool)>,
) -> bool {
    let tag = root.token_at_offset(start).right_biased();
    let mut around = tag.into_iter().flat_map(|it| it.parent_ancestors());
    let section = around.find_map(ast::Section::cast);
    match section.filter(|it| it.syntax().text_range().start() == start) {
        Some(section) => !section.is_unclosed(),
        None => closes_before_end(rest, outer),
    }
}

/// Whether a tag in `rest`, the rest of a line, closes a section that begins before it, other than `outer`.
fn closes_before_end(rest: &str, outer: Option<&(String, bool)>) -> bool {
    let mut depth = 0_usize;
    for (at, braces) in rest.match_indices("{{") {
        let tag = rest[at + braces.len()..].trim_start();
        match tag.strip_prefix('/') {
            _ if tag.starts_with(['#', '^']) => depth += 1,
            Some(_) if depth > 0 => depth -= 1,
            Some(tag) => {
                let name = tag.split("}}").next().unwrap_or_default().trim();
                return outer.is_none_or(|(outer, _)| outer != name);
            }
            None => {}
        }
    }
    false
}

/// The missing braces after a tag; `rest` is the rest of the line.
fn closing_braces(rest: &str) -> &'static str {
    let following = rest.trim_start_matches(|c| super::is_name_part(c) || c == '.' || c == ' ');
    match following.as_bytes() {
        [b'}', b'}', ..] => "",
        [b'}', ..] => "}",
        _ => "}}",
    }
}

/// The sections that are open at `offset` of a template, innermost last: the name and whether it is inverted.
fn open_sections(root: &SyntaxNode, offset: TextSize) -> Vec<(String, bool)> {
    let sections = ast::sections_open_at(root, offset).into_iter();
    let named = sections.filter_map(|it| Some((it.path()?.text(), it.is_inverted())));
    named.collect()
}

fn closing(section: Option<&(String, bool)>) -> Vec<Completion> {
    let item = |(name, _): &(String, bool)| {
        Completion::new(name.as_str(), CompletionKind::Parameter).detail("closes the section")
    };
    section.map(item).into_iter().collect()
}

fn name((field, is_param): (&Field, bool)) -> Completion {
    let kind = match is_param {
        true => CompletionKind::Parameter,
        false => CompletionKind::Field,
    };
    Completion::new(field.name.as_str(), kind).detail(&field.ty)
}

fn can_be_section(ty: &Type) -> bool {
    let scalar = matches!(ty.kind, TypeKind::Primitive(it) if !matches!(it, Primitive::Bool | Primitive::Map | Primitive::Any));
    ty.optional || !scalar
}

/// The scopes at a place: the parameters, and what each open section is over.
struct Scopes<'a> {
    edition: Edition,
    /// The parameters first, the innermost section last. Each list is there once, as the innermost one counts, and
    /// thousands of sections may be open.
    fields: Vec<&'a Fields>,
    /// Whether the innermost section is over a list of scalars.
    is_over_values: bool,
}

impl<'a> Scopes<'a> {
    fn new(signature: &'a Signature, edition: Edition, sections: &[(String, bool)]) -> Self {
        let mut scopes = Self {
            edition,
            fields: vec![&signature.params],
            is_over_values: false,
        };
        for (path, is_inverted) in sections {
            if *is_inverted {
                continue;
            }
            let ty = scopes.find(path);
            let element = ty.map(|ty| match &ty.kind {
                TypeKind::List(element) => &**element,
                _ => ty,
            });
            scopes.is_over_values = matches!(ty.map(|it| &it.kind), Some(TypeKind::List(_)))
                && !matches!(
                    element.map(|it| &it.kind),
                    Some(TypeKind::Record(_) | TypeKind::List(_))
                );
            let fields = element.and_then(fields_in);
            if let Some(fields) = fields.filter(|it| !it.is_empty()) {
                scopes.fields.retain(|it| !std::ptr::eq(*it, fields));
                scopes.fields.push(fields);
            }
        }
        scopes
    }

    fn has_dot(&self) -> bool {
        self.is_over_values
    }

    /// All names, the innermost first, and whether each is a parameter.
    fn names(&self) -> Vec<(&'a Field, bool)> {
        let mut names: Vec<(&Field, bool)> = Vec::new();
        let mut known = HashSet::default();
        for (depth, fields) in self.fields.iter().enumerate().rev() {
            for field in *fields {
                if known.insert(self.edition.normal_name(&field.name)) {
                    names.push((field, depth == 0));
                }
            }
        }
        names
    }

    /// The fields of the value at `path`.
    fn fields_of(&self, path: &str) -> Vec<(&'a Field, bool)> {
        let fields = self.find(path).and_then(fields_in);
        fields
            .unwrap_or_default()
            .iter()
            .map(|it| (it, false))
            .collect()
    }

    /// The type of the value at `path`.
    fn find(&self, path: &str) -> Option<&'a Type> {
        let mut names = path.split('.').map(str::trim);
        let first = names.next()?;
        let frames = self.fields.iter().rev();
        let mut ty = frames
            .copied()
            .find_map(|fields| self.field(fields, first))?;
        for name in names {
            ty = self.field(fields_in(ty)?, name)?;
        }
        Some(ty)
    }

    fn field(&self, fields: &'a Fields, name: &str) -> Option<&'a Type> {
        fields.named(name, self.edition).map(|it| &it.ty)
    }
}

fn fields_in(ty: &Type) -> Option<&Fields> {
    match &ty.kind {
        TypeKind::Record(fields) => Some(fields),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ide::Settings;
    use signature_ls_source::host::HostKind;

    #[test]
    fn sections_that_repeat_are_one_scope() {
        let text = "---\nsignature: \"(a [{b :int}]) -> :int\"\n---\n";
        let document = Document::new(HostKind::Prompt, text, Settings::default());
        let literal = place::literal_at(&document, size(text.find("(a").expect("it")));
        let literal = literal.expect("a signature");
        let signature = literal.analysis.signature(&literal.placed.unit);
        let sections: Vec<_> = (0..1_000)
            .flat_map(|_| ["a", "b", "c"].map(|it| (it.to_owned(), false)))
            .collect();
        let scopes = Scopes::new(signature.expect("it"), document.edition(), &sections);
        assert_eq!(scopes.fields.len(), 2);
        let names = scopes.names().into_iter();
        let names: Vec<_> = names.map(|(it, _)| it.name.as_str()).collect();
        assert_eq!(names, ["b", "a"]);
    }
}
