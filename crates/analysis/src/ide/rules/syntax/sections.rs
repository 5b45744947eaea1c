//! Sections of prompt templates.

use super::{Description, Fault, SyntaxRule, say, template_rule};
use crate::ide::{Diagnostic, Fix, rules::missing::listed};
use signature_ls_source::{
    syntax::{error::ErrorKind, kind::SyntaxNode, template::ast},
    text::{TextEdit, TextRange, TextSize},
};

pub(in crate::ide::rules) const UNCLOSED_SECTION: SyntaxRule = SyntaxRule {
    kind: ErrorKind::UnclosedSection,
    rule: template_rule(
        "unclosed-section",
        "Unclosed section",
        "`{{#items}}` needs `{{/items}}` after the text that it repeats.",
        "(items [:string]) -> :string",
        "List {{#items}}{{.}}",
        "List {{#items}}{{.}}{{/items}}",
    ),
    describe: |fault| match fault.parent().and_then(ast::Section::cast) {
        Some(section) if name_of(&section).is_empty() => {
            say("This section is never closed and has no valid name; fix its name first.")
        }
        Some(section) => never_closed(&[section]),
        None => say("This section is never closed; write its closing tag."),
    },
};

/// Removes the errors of closing tags whose opening tag has an invalid name, which is the mistake.
pub(super) fn leave_closing_to_name(nodes: &mut Vec<(ErrorKind, SyntaxNode)>) {
    nodes.retain(|(kind, node)| {
        let section = node.parent().and_then(ast::Section::cast);
        *kind != ErrorKind::MismatchedSectionClose
            || section.is_none_or(|it| !name_of(&it).is_empty())
    });
}

/// Joins the errors of sections that are open until the end of the text of `root`: each is inside the one before it,
/// so they are one mistake.
pub(super) fn join_open(root: &SyntaxNode, faults: &mut Vec<Diagnostic>) {
    let open_at = |fault: &Diagnostic| {
        let is_unclosed = fault.rule.code == UNCLOSED_SECTION.rule.code;
        is_unclosed.then(|| open_section(root, fault.range))?
    };
    let open: Vec<_> = faults.iter().filter_map(open_at).collect();
    if open.len() < 2 {
        return;
    }
    let Description { message, fixes } = never_closed(&open);
    let mut joined = Some((message, fixes));
    faults.retain_mut(|fault| {
        if open_at(fault).is_none() {
            return true;
        }
        let Some((message, fixes)) = joined.take() else {
            return false;
        };
        fault.message = message;
        fault.fixes = fixes;
        true
    });
}

/// The section that the tag at `tag` opens, if it and all around it are open until the end of the text.
fn open_section(root: &SyntaxNode, tag: TextRange) -> Option<ast::Section> {
    let mut around = root.covering_element(tag).ancestors();
    let section = around.find_map(ast::Section::cast)?;
    let mut around = around.filter_map(ast::Section::cast);
    let is_joined = section.is_unclosed() && !name_of(&section).is_empty();
    (is_joined && around.all(|it| it.is_unclosed())).then_some(section)
}

/// The description of nested `sections` that no tag closes.
fn never_closed(sections: &[ast::Section]) -> Description {
    let names: Vec<_> = sections.iter().map(name_of).collect();
    let quoted: Vec<_> = names.iter().map(|it| format!("`{it}`")).collect();
    let tags: Vec<_> = names.iter().map(|it| format!("{{{{/{it}}}}}")).collect();
    let quoted_tags: Vec<_> = tags.iter().rev().map(|it| format!("`{it}`")).collect();
    let (subject, title) = match sections.len() {
        1 => ("The section", "Close the section at the end of its line"),
        _ => (
            "The sections",
            "Close the sections at the ends of their lines",
        ),
    };
    let are = if sections.len() == 1 { "is" } else { "are" };
    let mut edits: Vec<TextEdit> = Vec::new();
    for (section, tag) in sections.iter().zip(&tags).rev() {
        let at = end_of_text(section.syntax());
        match edits.last_mut().filter(|it| it.range.start() == at) {
            Some(edit) => edit.insert.push_str(tag),
            None => edits.push(TextEdit::insert(at, tag.clone())),
        }
    }
    say(format!(
        "{subject} {} {are} never closed; add {}.",
        listed(&quoted),
        listed(&quoted_tags)
    ))
    .fix(Fix::offered(title, edits))
}

/// The name of `section`.
fn name_of(section: &ast::Section) -> String {
    section.path().map(|path| path.text()).unwrap_or_default()
}

/// Where `node` ends, without line ends.
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
        let message = match name.is_empty() {
            true => "No section is open here; remove this tag.".to_owned(),
            false => format!(
                "No section `{name}` is open here; remove this tag, or open it with `{{{{#{name}}}}}`."
            ),
        };
        say(message).fix(Fix::offered("Remove it", vec![fault.delete()]))
    },
};

pub(in crate::ide::rules) const MISMATCHED_SECTION_CLOSE: SyntaxRule = SyntaxRule {
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

/// The name of the section around the error.
fn section_name(fault: &Fault<'_>) -> String {
    let section = fault.parent().and_then(ast::Section::cast);
    section.as_ref().map(name_of).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::{ide::rules::syntax::describe_all, model::Edition};
    use signature_ls_source::syntax::{fragment::Fragment, kind::SyntaxNode, template};

    #[test]
    fn sections_that_are_open_until_the_end_are_one_fault() {
        for (prompt, expected) in [
            (
                "{{#a}}\n{{#b}}\n- {{x}}\n",
                &["The sections `a` and `b` are never closed; add `{{/b}}` and `{{/a}}`."][..],
            ),
            (
                "{{#a}}{{#b}}{{#c}}x",
                &[
                    "The sections `a`, `b` and `c` are never closed; add `{{/c}}`, `{{/b}}` and `{{/a}}`.",
                ],
            ),
            (
                "{{#if a}}\n{{#b}}x",
                &[
                    "This section is never closed and has no valid name; fix its name first.",
                    "`if a` is not the name of an input; names are letters, digits, `_`, `-` and dots.",
                    "The section `b` is never closed; add `{{/b}}`.",
                ],
            ),
            ("x {{/}}", &["No section is open here; remove this tag."]),
            (
                "{{#a}}x\n{{#b}}{{#c}}x{{/b}}",
                &[
                    "The section `a` is never closed; add `{{/a}}`.",
                    "The section `c` is never closed; add `{{/c}}`.",
                ],
            ),
        ] {
            let root = SyntaxNode::new_root(template::parse(Fragment::plain(prompt)));
            let found = describe_all(&root, Edition::default());
            let messages: Vec<_> = found.iter().map(|it| it.message.as_str()).collect();
            assert_eq!(messages, expected, "{prompt}");
        }
    }
}
