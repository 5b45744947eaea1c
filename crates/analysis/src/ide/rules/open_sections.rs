//! Sections that no tag closes: where they should end, and what is said about names that they guard.

use super::{optional_placeholder, syntax::UNCLOSED_SECTION};
use crate::{
    ide::{Diagnostic, unit::UnitView},
    model::{Type, TypeKind},
};
use signature_ls_source::{
    syntax::{
        kind::{SyntaxKind, SyntaxNode, SyntaxToken},
        template::ast,
    },
    text::{TextRange, TextSize, size},
};

/// The range after an opening tag in which the end of its section is searched, in bytes.
const NEAR: TextSize = TextSize::new(4096);

/// Improves the fixes of unclosed sections, and removes what is said about values that they guard.
pub(super) fn join(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let is_open = |it: &&mut Diagnostic| it.rule.code == UNCLOSED_SECTION.rule.code;
    let mut guards = Vec::new();
    for fault in found.iter_mut().filter(is_open) {
        let Some((root, start)) = unit.tree_around(fault.range) else {
            continue;
        };
        let open = Open::at(unit, &root, fault.range - start);
        let Some(open) = open.filter(|it| !it.path.is_empty()) else {
            continue;
        };
        guards.push((
            root.text_range() + start,
            fault.range.end(),
            open.last_name(),
        ));
        let Some(fix) = fault.fixes.first_mut() else {
            continue;
        };
        // Others are closed by the same fix.
        let is_alone =
            matches!(fix.edits.as_slice(), [it] if it.insert == format!("{{{{/{}}}}}", open.path));
        if let Some((end, title)) = open.end().filter(|_| is_alone) {
            fix.title = title.to_owned();
            fix.edits[0].range = TextRange::empty(end + start);
        }
    }
    let is_guarded = |it: &Diagnostic| {
        let mut guards = guards.iter();
        guards.any(|(within, tag, name)| {
            within.contains_range(it.range)
                && it.range.start() > *tag
                && unit.edition.is_same_name(&unit.code(it.range), name)
        })
    };
    found.retain(|it| it.rule.code != optional_placeholder::RULE.code || !is_guarded(it));
}

/// An opening tag that no tag closes.
struct Open<'u> {
    unit: &'u UnitView<'u>,
    /// The name in it, as written.
    path: String,
    /// The type of its value, if that is known.
    ty: Option<&'u Type>,
    /// The tokens after it, up to [`NEAR`].
    tokens: Vec<SyntaxToken>,
    /// Its end, in bytes of the template.
    start: TextSize,
}

impl<'u> Open<'u> {
    fn at(unit: &'u UnitView<'u>, root: &SyntaxNode, tag: TextRange) -> Option<Self> {
        let mut around = root.covering_element(tag).ancestors();
        let path = around.find_map(ast::Section::cast)?.path()?;
        let mut fields = unit.signature().map(|it| &it.params);
        let mut ty = None;
        for name in path.segments() {
            ty = fields.and_then(|it| Some(&it.named(name.text(), unit.edition)?.ty));
            fields = match ty.map(|it| &it.kind) {
                Some(TypeKind::Record(fields)) => Some(fields),
                _ => None,
            };
        }
        let first = root.token_at_offset(tag.end()).right_biased();
        let tokens = std::iter::successors(first, SyntaxToken::next_token);
        let is_near = |it: &SyntaxToken| it.text_range().start() < tag.end() + NEAR;
        Some(Self {
            unit,
            path: path.text(),
            ty,
            tokens: tokens.take_while(is_near).collect(),
            start: tag.end(),
        })
    }

    fn last_name(&self) -> String {
        let last = self.path.rsplit('.').next();
        last.unwrap_or_default().to_owned()
    }

    /// Where the section should end if that is below the line of its tag, and the title of the fix.
    fn end(&self) -> Option<(TextSize, &'static str)> {
        let text: String = self.tokens.iter().map(|it| it.text()).collect();
        let uses = self.tokens.iter().filter_map(|it| self.use_at(it));
        let (from, title) = match uses.max() {
            Some(last) => {
                let from = usize::from(last.checked_sub(self.start)?);
                (from, "Close the section after the last use of its names")
            }
            None => (
                paragraph(&text),
                "Close the section at the end of its paragraph",
            ),
        };
        let rest = text.get(from..)?;
        let line = rest.split('\n').next().unwrap_or_default().trim_end();
        let end = from + line.len();
        let is_below = text[..end].contains('\n');
        is_below.then(|| (self.start + size(end), title))
    }

    /// Where the tag or the section around `token` ends, if the token begins a name that is one in the open section.
    fn use_at(&self, token: &SyntaxToken) -> Option<TextSize> {
        let path = token.parent().filter(|it| it.kind() == SyntaxKind::Path)?;
        if path.first_token()? != *token {
            return None;
        }
        let is_whole = |it: &SyntaxNode| it.text_range().start() >= self.start;
        let sections = path.ancestors().filter_map(ast::Section::cast);
        let sections = sections.filter(|it| !it.is_unclosed() && is_whole(it.syntax()));
        let outermost = sections.last();
        let is_use = match token.text() {
            "." => outermost.is_none() && matches!(self.element()?.kind, TypeKind::Primitive(_)),
            name => self.has(name) || path.text() == self.path.as_str(),
        };
        let whole = outermost.map(|it| it.syntax().text_range().end());
        is_use.then(|| whole.unwrap_or(path.text_range().end()))
    }

    fn element(&self) -> Option<&'u Type> {
        match &self.ty?.kind {
            TypeKind::List(element) => Some(&**element),
            _ => self.ty,
        }
    }

    /// Whether the elements have a field `name`.
    fn has(&self, name: &str) -> bool {
        match self.element().map(|it| &it.kind) {
            Some(TypeKind::Record(fields)) => fields.named(name, self.unit.edition).is_some(),
            _ => false,
        }
    }
}

/// Where the first paragraph of `text` ends.
fn paragraph(text: &str) -> usize {
    let mut end = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let is_blank = line.trim().is_empty();
        if is_blank && end > 0 {
            break;
        }
        at += line.len();
        if !is_blank {
            end = at - (line.len() - line.trim_end().len());
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use crate::ide::{Document, Settings, quick_fixes, testing::applied};
    use signature_ls_source::{host::HostKind, text::TextRange};

    /// A section that was not closed is one mistake, and its first fix closes it below everything that it is about.
    #[test]
    fn sections_are_closed_after_what_they_are_about() {
        let signature =
            "(rows [{id :int, tags [:string]}], note :string?, done :bool, a :int) -> :any";
        let all = "{{#rows}}{{id}}{{/rows}}{{#note}}x{{/note}}{{#done}}x{{/done}}{{a}}";
        for (prompt, expected) in [
            (
                "{{#rows}}\n- {{id}}\n\n## Next",
                "{{#rows}}\n- {{id}}{{/rows}}\n\n## Next",
            ),
            (
                "{{#rows}}\n- {{id}}\n\n- {{#tags}}{{.}}{{/tags}}!\nx",
                "{{#rows}}\n- {{id}}\n\n- {{#tags}}{{.}}{{/tags}}!{{/rows}}\nx",
            ),
            (
                "{{#note}}\nNote: {{note}}\n\n{{a}}",
                "{{#note}}\nNote: {{note}}{{/note}}\n\n{{a}}",
            ),
            (
                "{{#done}}\nWe are\ndone.\n\n{{a}}",
                "{{#done}}\nWe are\ndone.{{/done}}\n\n{{a}}",
            ),
            (
                "{{#done}}\n\nWe are\n\n{{a}}",
                "{{#done}}\n\nWe are{{/done}}\n\n{{a}}",
            ),
            ("{{#rows}}{{id}}\nx", "{{#rows}}{{id}}{{/rows}}\nx"),
        ] {
            let text = |prompt: &str| {
                format!("---\nsignature: \"{signature}\"\n---\n{all}\n\né {prompt}\n")
            };
            let before = text(prompt);
            let document = Document::new(HostKind::Prompt, &before, Settings::default());
            let found = quick_fixes(&document, TextRange::up_to(document.text().len()));
            let codes: Vec<_> = found.iter().map(|it| it.rule.code).collect();
            assert_eq!(codes, ["unclosed-section"], "{prompt}");
            let fix = found[0].fixes.first().expect(prompt);
            assert_eq!(applied(&before, &fix.edits), text(expected));
        }
    }
}
