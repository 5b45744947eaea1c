//! Tags of prompt templates.

use super::{Fault, SyntaxRule, say, template_rule};
use crate::{
    ide::Fix,
    syntax::{
        error::ErrorKind,
        kind::{SyntaxKind, SyntaxNode},
        template::ast,
    },
    text::{TextEdit, TextRange, TextSize},
};

pub(super) const UNCLOSED_TAG: SyntaxRule = SyntaxRule {
    kind: ErrorKind::UnclosedTag,
    rule: template_rule(
        "unclosed-tag",
        "Unclosed tag",
        "A tag runs from `{{` to `}}`. The reference reads on to the next `}}`, wherever it is, and swallows the \
         text between.",
        "(name :string) -> :string",
        "Greet {{name",
        "Greet {{name}}",
    ),
    describe: |fault| {
        let text = fault.text();
        let Some(end) = name_end(&text) else {
            return say("`{{` is never closed; add `}}`, or write one brace if none is meant.");
        };
        let braces = if text.ends_with('}') && text.len() == end + 1 {
            "}"
        } else {
            "}}"
        };
        let at = fault.range().start() + crate::text::size(end);
        let name = text[2..end].trim();
        say(format!(
            "`{{{{{name}` is never closed; write `{{{{{name}}}}}`."
        ))
        .fix(Fix::safe(
            "Close the placeholder",
            vec![TextEdit::insert(at, braces)],
        ))
    },
};

/// Where the name after the opening braces ends.
fn name_end(text: &str) -> Option<usize> {
    let inside = text.get(2..)?;
    let start = inside.find(|c: char| !c.is_ascii_whitespace() && !matches!(c, '#' | '^' | '/'))?;
    let name = &inside[start..];
    let len = name
        .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '.'))
        .unwrap_or(name.len());
    (len > 0).then_some(2 + start + len)
}

pub(super) const EMPTY_PLACEHOLDER: SyntaxRule = SyntaxRule {
    kind: ErrorKind::EmptyPlaceholder,
    rule: template_rule(
        "empty-placeholder",
        "Placeholder without a name",
        "`{{}}` has no value to insert. Write the name of a parameter.",
        "(name :string) -> :string",
        "Greet {{}} {{name}}",
        "Greet {{name}}",
    ),
    describe: |fault| {
        say("This placeholder is empty; write the name of an input, such as `{{name}}`.")
            .fix(Fix::offered("Remove it", vec![fault.delete()]))
    },
};

pub(super) const EMPTY_SECTION_NAME: SyntaxRule = SyntaxRule {
    kind: ErrorKind::EmptySectionName,
    rule: template_rule(
        "empty-section-name",
        "Section without a name",
        "`{{#}}` has nothing to iterate over or test. Write the name of a list, a record or a condition.",
        "(items [:string]) -> :string",
        "List {{#}} {{#items}}{{.}}{{/items}}",
        "List {{#items}}{{.}}{{/items}}",
    ),
    describe: |fault| {
        say("This section has no name; write one, such as `{{#items}}`.")
            .fix(Fix::offered("Remove it", vec![fault.delete()]))
    },
};

pub(super) const INVALID_PLACEHOLDER: SyntaxRule = SyntaxRule {
    kind: ErrorKind::InvalidPlaceholder,
    rule: template_rule(
        "invalid-placeholder",
        "Invalid placeholder",
        "A placeholder is a name or a path. Names begin with a letter or `_`; a dot enters a record. There are no \
         expressions, partials or triple braces. Literal double braces cannot be escaped: put a space between \
         them.",
        "(user {name :string}) -> :string",
        "Greet {{user .name}}",
        "Greet {{user.name}}",
    ),
    describe: |fault| {
        let text = fault.text();
        let description = say(format!(
            "`{text}` is not the name of an input; names are letters, digits, `_`, `-` and dots."
        ));
        let path: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
        let is_path = path.split('.').all(is_name);
        match is_path && path != text && !has_two_words(&text) {
            true => description.fix(Fix::safe(
                format!("Write `{path}`"),
                vec![fault.replace(path)],
            )),
            false => triple_braces(fault, &text)
                .into_iter()
                .fold(description, super::Description::fix),
        }
    },
};

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

fn has_two_words(text: &str) -> bool {
    text.split('.')
        .any(|part| part.split_ascii_whitespace().count() > 1)
}

/// `{{{name}}}`: one brace too many on each side.
fn triple_braces(fault: &Fault<'_>, text: &str) -> Option<Fix> {
    let name = text
        .strip_prefix('{')
        .filter(|name| name.split('.').all(is_name))?;
    let tag = fault.parent()?;
    let brace = tag
        .next_sibling_or_token()
        .and_then(|it| it.into_token())
        .filter(|it| it.text().starts_with('}'))?;
    let second = TextEdit::delete(TextRange::at(brace.text_range().start(), 1.into()));
    Some(Fix::safe(
        format!("Write `{{{{{name}}}}}`"),
        vec![fault.replace(name), second],
    ))
}

pub(super) const UNCLOSED_SECTION: SyntaxRule = SyntaxRule {
    kind: ErrorKind::UnclosedSection,
    rule: template_rule(
        "unclosed-section",
        "Unclosed section",
        "`{{#items}}` needs `{{/items}}` after the text that it repeats.",
        "(items [:string]) -> :string",
        "List {{#items}}{{.}}",
        "List {{#items}}{{.}}{{/items}}",
    ),
    describe: |fault| {
        let name = section_name(fault);
        let description = say(format!(
            "The section `{name}` is never closed; add `{{{{/{name}}}}}`."
        ));
        match fault.parent().filter(|it| it.kind() == SyntaxKind::Section) {
            Some(section) => {
                let at = end_of_text(&section);
                let edit = TextEdit::insert(at, format!("{{{{/{name}}}}}"));
                description.fix(Fix::offered(
                    "Close the section at the end of its line",
                    vec![edit],
                ))
            }
            None => description,
        }
    },
};

/// Where `node` ends but for line ends.
fn end_of_text(node: &SyntaxNode) -> TextSize {
    let tokens = std::iter::successors(node.last_token(), |it| it.prev_token());
    for token in tokens.take_while(|it| node.text_range().contains_range(it.text_range())) {
        let text = token.text().trim_end_matches(['\r', '\n']);
        if !text.is_empty() {
            return token.text_range().start() + TextSize::of(text);
        }
    }
    node.text_range().end()
}

pub(super) const STRAY_SECTION_CLOSE: SyntaxRule = SyntaxRule {
    kind: ErrorKind::StraySectionClose,
    rule: template_rule(
        "stray-section-close",
        "Closing tag without a section",
        "`{{/items}}` needs `{{#items}}` before it.",
        "(name :string) -> :string",
        "Greet {{name}}{{/name}}",
        "Greet {{name}}",
    ),
    describe: |fault| {
        let text = fault.text();
        let name = text
            .trim_start_matches(['{', '/', ' '])
            .trim_end_matches(['}', ' ']);
        say(format!(
            "No section `{name}` is open here; remove this tag, or open it with `{{{{#{name}}}}}`."
        ))
        .fix(Fix::offered("Remove it", vec![fault.delete()]))
    },
};

pub(super) const MISMATCHED_SECTION_CLOSE: SyntaxRule = SyntaxRule {
    kind: ErrorKind::MismatchedSectionClose,
    rule: template_rule(
        "mismatched-section-close",
        "Closing tag of another section",
        "Close sections in the reverse order in which they were opened.",
        "(items [:string]) -> :string",
        "List {{#items}}{{.}}{{/item}}",
        "List {{#items}}{{.}}{{/items}}",
    ),
    describe: |fault| {
        let name = section_name(fault);
        if name.is_empty() {
            return say("The section that is open here has no valid name; fix that first.");
        }
        let tag = format!("{{{{/{name}}}}}");
        say(format!(
            "The section that is open here is `{name}`; close it with `{tag}`."
        ))
        .fix(Fix::safe(
            format!("Write `{tag}`"),
            vec![fault.replace(tag)],
        ))
    },
};

/// The name of the section that the fault is in.
fn section_name(fault: &Fault<'_>) -> String {
    let section = fault.parent().and_then(ast::Section::cast);
    section
        .and_then(|it| it.path())
        .map(|path| path.text())
        .unwrap_or_default()
}
