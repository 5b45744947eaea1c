//! Tags of prompt templates, except for sections.

use super::{Fault, SyntaxRule, is_invisible, say, template_rule};
use crate::ide::Fix;
use signature_ls_source::{
    syntax::{error::ErrorKind, signature::is_name, template::ast},
    text::{TextEdit, TextRange, size},
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
        let at = fault.range().start() + size(end);
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
    let start = inside.find(|c: char| !c.is_whitespace() && !matches!(c, '#' | '^' | '/'))?;
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

pub(in crate::ide::rules) const INVALID_PLACEHOLDER: SyntaxRule = SyntaxRule {
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
        let is_blank = |c: char| c.is_whitespace() || is_invisible(c);
        let path: String = text.chars().filter(|c| !is_blank(*c)).collect();
        // Programs write `data/name`, and a doubled sign opens a section.
        let path = path.strip_prefix("data/").unwrap_or(&path);
        let path = path.trim_start_matches(['#', '^', '/', ':']);
        let path = path.trim_end_matches(['{', '}', '?']);
        let is_path = path.split('.').all(is_name);
        let is_meant = is_path && path != text && !has_two_words(&text);
        let odd = text.chars().find(|c| is_blank(*c) && !c.is_ascii());
        let description = say(match odd {
            Some(odd) if is_meant => format!(
                "This name contains U+{:04X}, which is invisible or looks like a space; write `{path}`.",
                u32::from(odd)
            ),
            Some(odd) => format!(
                "This name contains U+{:04X}, which is invisible or looks like a space; names are letters, digits, `_`, `-` \
                 and dots.",
                u32::from(odd)
            ),
            None if is_meant => {
                format!("`{text}` is not the name of an input; write `{path}`.")
            }
            None if text
                .strip_suffix('.')
                .is_some_and(|it| it.split('.').all(is_name)) =>
            {
                format!("A field is missing after `{text}`; write its name, or remove the dot.")
            }
            None if text
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')) =>
            {
                format!(
                    "`{text}` is not the name of an input; names begin with a letter or `_`, also after a dot."
                )
            }
            None => format!(
                "`{text}` is not the name of an input; names are letters, digits, `_`, `-` and dots."
            ),
        });
        match is_meant {
            true => description.fix(Fix::safe(
                format!("Write `{path}`"),
                vec![fault.replace(path)],
            )),
            false => triple_braces(fault, &text)
                .or_else(|| helper(fault, &text))
                .into_iter()
                .fold(description, super::Description::fix),
        }
    },
};

fn has_two_words(text: &str) -> bool {
    text.split('.')
        .any(|part| part.split_whitespace().count() > 1)
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

/// `{{#each items}}`, a block of Handlebars: the name of the section is that of the list.
fn helper(fault: &Fault<'_>, text: &str) -> Option<Fix> {
    let (word, name) = text.split_once(char::is_whitespace)?;
    let name = name.trim();
    let is_meant = matches!(word, "each" | "if" | "with") && name.split('.').all(is_name);
    let mut around = fault.node.ancestors();
    let section = around
        .find_map(ast::Section::cast)
        .filter(|it| is_meant && it.path().is_none())?;
    let closing = section.closing_path().filter(|it| it.text() == word);
    let closing = closing.map(|it| TextEdit::replace(it.text_range(), name));
    let edits = [fault.replace(name)].into_iter().chain(closing);
    Some(Fix::offered(
        format!("Write `{{{{#{name}}}}}`"),
        edits.collect(),
    ))
}

#[cfg(test)]
mod tests {
    use crate::ide::{Document, Settings, quick_fixes, testing::applied};
    use signature_ls_source::{host::HostKind, text::TextRange};

    /// Signs and blocks of other languages around a name are removed.
    #[test]
    fn the_name_in_a_foreign_tag_is_kept() {
        let head =
            "---\nsignature: '(topic :string, rows [{id :int}], done :bool) -> :string'\n---\n";
        let all = "{{topic}} {{#rows}}{{id}}{{/rows}} {{done}}";
        for (tag, expected) in [
            ("{{topic?}}", "{{topic}}"),
            ("{{:topic}}", "{{topic}}"),
            ("{{#each rows}}{{id}}{{/each}}", "{{#rows}}{{id}}{{/rows}}"),
            ("{{#each rows}}{{id}}{{/rows}}", "{{#rows}}{{id}}{{/rows}}"),
            ("{{#if done}}x{{/if}}", "{{#done}}x{{/done}}"),
        ] {
            let text = |tag: &str| format!("{head}{all} {tag}\n");
            let document = Document::new(HostKind::Prompt, &text(tag), Settings::default());
            let found = quick_fixes(&document, TextRange::up_to(document.text().len()));
            let [only] = found.as_slice() else {
                panic!("{tag}: {found:?}");
            };
            let fix = only.fixes.first().expect(tag);
            assert_eq!(applied(&text(tag), &fix.edits), text(expected));
        }
    }

    /// What is in `{{user…name}}` besides letters, and what is said about it.
    #[test]
    fn spaces_of_other_kinds_are_named_and_removed() {
        for (path, number) in [
            ("user\u{a0}.name", "U+00A0"),
            ("user.\u{3000} name", "U+3000"),
            ("us\u{200b}er.name", "U+200B"),
            ("\u{feff}user.name", "U+FEFF"),
        ] {
            let head = "---\nsignature: '(user {name :string}) -> :string'\n---\n";
            let text = format!("{head}Greet {{{{{path}}}}}\n");
            let found = Document::new(HostKind::Prompt, &text, Settings::default()).diagnostics();
            let [only] = found.as_slice() else {
                panic!("{path:?}: {found:?}");
            };
            assert!(only.message.contains(number), "{}", only.message);
            assert!(only.message.contains("`user.name`"), "{}", only.message);
            let fixed = applied(&text, &only.fixes[0].edits);
            assert_eq!(fixed, format!("{head}Greet {{{{user.name}}}}\n"));
        }
    }
}
