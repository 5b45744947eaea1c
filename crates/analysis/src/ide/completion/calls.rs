//! In PTC-Lisp: tools, the keys of their arguments, context data, and the keys of results.

use std::borrow::Cow;

use foldhash::HashSet;

use super::{
    Completion, CompletionKind, Completions, Documentation, Place, not_given, reads, values,
};
use crate::{
    ide::{
        Document,
        analysis::UnitAnalysis,
        hover,
        scan::{Keys, Open, Scan, keys_in_turn, scan},
        tools::Tools,
    },
    model::{
        Edition, Field, Signature, Type, TypeKind,
        render::{lisp_key, prompt_entry},
    },
};
use signature_ls_source::{
    host::{HostKind, Notation, PlacedUnit},
    syntax::{
        decode::decode,
        fragment::{Fragment, foreign_within},
    },
    text::{Text, TextRange, TextSize},
};

/// The completions in the program around the place.
pub(super) fn complete(document: &Document, place: &Place<'_>) -> Option<Completions> {
    let mut units = document.innermost_at(place.offset);
    let (program, (placed, analysis)) =
        units.find_map(|unit| Some((program_before(unit.0, place.text, place.offset)?, unit)))?;
    let scan = scan(&program, Notation::Lisp)?;
    let replaced = place.symbol(scan.word.len());
    let context = Context {
        given: place.entries_after(replaced.end(), Notation::Lisp).keys,
        edition: document.edition(),
        tools: &document.tools_of(placed),
        document,
        placed,
        analysis,
    };
    let items = context.items(&scan);
    let items = items.or_else(|| reads::items(document, &scan, replaced))?;
    Some(Completions { replaced, items })
}

/// The program around `offset` up to there, without the escapes of its literal.
pub(in crate::ide) fn program_before<'t>(
    placed: &PlacedUnit,
    text: &'t Text,
    offset: TextSize,
) -> Option<Cow<'t, str>> {
    let program = placed.unit.program();
    let Some(literal) = &program.literal else {
        let is_in_site = |range: TextRange| (range + placed.start).contains_inclusive(offset);
        if placed.unit.sites.iter().any(|it| is_in_site(it.content)) {
            return in_fence(text, offset);
        }
        if placed.unit.notation != Notation::Lisp || program.is_empty() {
            return None;
        }
        let top_level = top_level(text, offset).unwrap_or(placed.start);
        let start = placed.start.min(top_level);
        return Some(text.slice(TextRange::new(start, offset)));
    };
    let content = literal.content + placed.start;
    if !content.contains_inclusive(offset) {
        return None;
    }
    let range = TextRange::new(content.start(), offset);
    let raw = text.slice(range);
    let decoded = foreign_within(&literal.foreign, range - content.start()).and_then(|foreign| {
        decode(Fragment {
            text: &raw,
            escapes: literal.escapes,
            foreign: &foreign,
        })
    });
    // After an interpolation, only the source is known.
    Some(decoded.map_or(raw, Cow::Owned))
}

/// The number of lines of a code block or before a form that are read.
const LONGEST_BLOCK: usize = 1_000;

/// The program before `offset` in a code block of a prompt.
fn in_fence(text: &Text, offset: TextSize) -> Option<Cow<'_, str>> {
    let mut line = text.line_range(offset);
    for _ in 0..LONGEST_BLOCK {
        let end = line.start();
        line = text.line_range(end.checked_sub(TextSize::from(1))?);
        let content = text.slice(line);
        if let Some(info) = content.trim_start().strip_prefix("```") {
            let word = info.split_whitespace().next()?;
            let is_program = HostKind::from_fence(word) == Some(HostKind::Lisp);
            return is_program.then(|| text.slice(TextRange::new(end, offset)));
        }
    }
    None
}

/// Where the last top-level form begins before the place, at the start of a line; `None` if it is far away.
fn top_level(text: &Text, offset: TextSize) -> Option<TextSize> {
    let mut start = text.line_range(offset).start();
    for _ in 0..LONGEST_BLOCK {
        let is_form = text.rope().get_byte(start.into()) == Some(b'(');
        if is_form || start == TextSize::from(0) {
            return Some(start);
        }
        start = text.line_range(start - TextSize::from(1)).start();
    }
    None
}

struct Context<'a> {
    /// The keys after the place.
    given: Vec<String>,
    edition: Edition,
    tools: &'a Tools,
    document: &'a Document,
    placed: &'a PlacedUnit,
    analysis: &'a UnitAnalysis,
}

impl Context<'_> {
    fn items(&self, scan: &Scan) -> Option<Vec<Completion>> {
        let innermost = scan.open.last()?;
        let word = scan.word.as_str();
        if word.starts_with('"') {
            return None;
        }
        if let Some(items) = self.arguments(scan) {
            return Some(items);
        }
        let namespace = self.edition.tool_namespace();
        let is_head = innermost.bracket == '(' && innermost.items.is_empty();
        let begins = |name: &str| name.starts_with(word) || word.starts_with(&format!("{name}/"));
        let mut items = Vec::new();
        if is_head && begins(namespace) {
            items.extend(self.tool_names(namespace));
        }
        let data = self.edition.context_namespace();
        if !word.is_empty() && !is_head && begins(data) {
            items.extend(self.data_names(data));
        }
        (!items.is_empty()).then_some(items)
    }

    fn tool_names(&self, namespace: &str) -> Vec<Completion> {
        let mut names: Vec<_> = self.tools.names().filter(|it| !it.is_empty()).collect();
        names.sort_unstable();
        let item = |name: &str| {
            let item = Completion::new(format!("{namespace}/{name}"), CompletionKind::Tool);
            match self.tools.signature(name) {
                Some(signature) => {
                    item.detail(signature)
                        .documentation(Documentation::Text(hover::code(&prompt_entry(
                            name,
                            signature,
                            None,
                            self.edition,
                        ))))
                }
                None => item,
            }
        };
        names.into_iter().map(item).collect()
    }

    /// The inputs of the program, and the keys in the `context:` of its call, as they are given: some are not found by
    /// another spelling.
    fn data_names(&self, namespace: &str) -> Vec<Completion> {
        let mut names: Vec<(String, Option<String>)> = Vec::new();
        if let Some(signature) = self.signature() {
            let params = signature.params.iter();
            names.extend(params.map(|it| (it.name.clone(), Some(it.ty.to_string()))));
        }
        let given = values::keys_of_argument(self.document, self.placed, "context");
        names.extend(given.into_iter().map(|name| (name, None)));
        let mut seen = HashSet::default();
        names.retain(|(name, _)| seen.insert(self.edition.normal_name(name)));
        let item = |(name, ty): (String, Option<String>)| {
            let item = Completion::new(format!("{namespace}/{name}"), CompletionKind::Parameter);
            match ty {
                Some(ty) => item.detail(ty),
                None => item,
            }
        };
        names.into_iter().map(item).collect()
    }

    fn signature(&self) -> Option<&Signature> {
        self.analysis.signature(&self.placed.unit)
    }

    /// The missing keys of the arguments or of the result around the place.
    fn arguments(&self, scan: &Scan) -> Option<Vec<Completion>> {
        let call = scan.open.iter().rposition(|it| it.bracket == '(')?;
        let (open, inner) = (&scan.open[call], &scan.open[call + 1..]);
        let root = self.callee_type(open)?;
        let items: Vec<_> = open.items.iter().map(String::as_str).collect();
        let skipped = if items.first() == Some(&"call") { 2 } else { 1 };
        let own = items.get(skipped..)?;
        let Some((innermost, outer)) = inner.split_last() else {
            // Alternating keywords and values are in the call itself.
            let keys = keys_in_turn(own.to_vec());
            let is_call = items.first() != Some(&"return");
            let is_asked = is_call
                && keys.of_value.is_none()
                && (scan.word.is_empty() || scan.word.starts_with(':') || !own.is_empty());
            return is_asked.then(|| self.keys(&root, &keys));
        };
        let mut ty = root;
        if !own.is_empty() {
            let of_value = keys_in_turn(own.to_vec()).of_value?;
            ty = self.field(&ty, &of_value)?;
        }
        for open in outer {
            ty = match open.bracket {
                '[' => element(ty)?,
                _ => self.field(&ty, &open.keys(Notation::Lisp).of_value?)?,
            };
        }
        if innermost.bracket != '{' {
            return None;
        }
        let keys = innermost.keys(Notation::Lisp);
        keys.of_value.is_none().then(|| self.keys(&ty, &keys))
    }

    /// The type of the arguments of a call, or of the result.
    fn callee_type(&self, call: &Open) -> Option<Type> {
        let head = call.items.first()?;
        if head == "return" {
            return Some(self.signature()?.output.clone());
        }
        let name = match head.split_once('/') {
            Some((namespace, name)) => {
                (namespace == self.edition.tool_namespace()).then_some(name)?
            }
            None if head == "call" => call.items.get(1)?.trim_matches('"'),
            None => return None,
        };
        let signature = self.tools.signature(name)?;
        Some(Type::new(TypeKind::Record(signature.params.clone())))
    }

    fn field(&self, ty: &Type, name: &str) -> Option<Type> {
        let TypeKind::Record(fields) = &ty.kind else {
            return None;
        };
        let field = fields.named(name, self.edition)?;
        Some(field.ty.clone())
    }

    fn keys(&self, ty: &Type, keys: &Keys) -> Vec<Completion> {
        let TypeKind::Record(fields) = &ty.kind else {
            return Vec::new();
        };
        let mut given = keys.given.iter().chain(&self.given);
        let fields = not_given(fields, &mut given, self.edition);
        let item = |field: &Field| {
            let label = format!(":{}", self.spelled(&field.name));
            let text = format!("{label} ");
            Completion::new(label, CompletionKind::Key)
                .detail(&field.ty)
                .text(text)
        };
        fields.into_iter().map(item).collect()
    }

    fn spelled(&self, name: &str) -> String {
        lisp_key(name, self.edition).into_owned()
    }
}

fn element(ty: Type) -> Option<Type> {
    match ty.kind {
        TypeKind::List(element) => Some(*element),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A completion reads no text that is far away.
    #[test]
    fn the_form_around_a_call_is_near() {
        for (lines, expected) in [(0, Some(10)), (100, Some(10)), (100_000, None)] {
            let text = format!("(def x 1)\n(tool/a\n{}  b", "; c\n".repeat(lines));
            let found = top_level(&Text::from(text.as_str()), TextSize::of(text.as_str()));
            assert_eq!(found, expected.map(TextSize::from), "{lines}");
        }
    }
}
