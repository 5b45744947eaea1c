//! Opening tags of sections that are damaged: such a tag and the closing tag that it leaves alone are one mistake.

use std::iter;

use super::sections::STRAY_SECTION_CLOSE;
use crate::ide::{Diagnostic, Fix};
use signature_ls_source::{
    syntax::kind::SyntaxNode,
    text::{TextEdit, TextRange, TextSize, size},
};

/// The range before a closing tag in which its opening tag is searched, in bytes.
const NEAR: TextSize = TextSize::new(4096);

/// What was probably meant to open a section.
struct Broken {
    range: TextRange,
    text: String,
    /// Whether it is a tag, as in `{{items}}`, that may be meant as it is.
    is_placeholder: bool,
}

/// Joins the errors of opening tags in the text of `root` and of the closing tags after them.
pub(super) fn join(root: &SyntaxNode, faults: &mut Vec<Diagnostic>) {
    let is_stray = |it: &&Diagnostic| it.rule.code == STRAY_SECTION_CLOSE.rule.code;
    let stray: Vec<_> = faults.iter().filter(is_stray).map(|it| it.range).collect();
    for closing in stray {
        let tag = root.covering_element(closing).to_string();
        let name = tag.trim_matches(['{', '}', '/', ' ']);
        if let Some(broken) = opening_before(root, closing, name) {
            describe(faults, closing, &broken, name);
        }
    }
}

fn describe(faults: &mut Vec<Diagnostic>, closing: TextRange, broken: &Broken, name: &str) {
    let tag = format!("{{{{#{name}}}}}");
    let edits = vec![TextEdit::replace(broken.range, tag.as_str())];
    let title = format!("Write `{tag}`");
    let at =
        |range: TextRange, faults: &[Diagnostic]| faults.iter().position(|it| it.range == range);
    if broken.is_placeholder {
        if let Some(index) = at(closing, faults) {
            faults[index].message = format!(
                "No section `{name}` is open here; open it with `{tag}`, or remove this tag."
            );
            faults[index].fixes.insert(0, Fix::offered(title, edits));
        }
        return;
    }
    let touches = |it: &&mut Diagnostic| {
        it.range != closing
            && it
                .range
                .intersect(broken.range)
                .is_some_and(|it| !it.is_empty())
    };
    let fix = Fix::safe(title, edits);
    let found = faults.iter_mut().find(touches);
    let message = format!(
        "`{}` does not open the section `{name}`; write `{tag}`.",
        broken.text
    );
    match found {
        Some(fault) => {
            (fault.message, fault.fixes) = (message, vec![fix]);
            faults.retain(|it| it.range != closing);
        }
        None => {
            if let Some(index) = at(closing, faults) {
                (faults[index].message, faults[index].fixes) = (message, vec![fix]);
            }
        }
    }
}

/// What was probably meant to open the section `name` that `closing` closes: the last tag before it that does not do so.
fn opening_before(root: &SyntaxNode, closing: TextRange, name: &str) -> Option<Broken> {
    if name.is_empty() {
        return None;
    }
    let (start, before) = text_before(root, closing.start())?;
    let found = before.rmatch_indices(name).map(|(at, _)| at);
    let mut broken = found.filter_map(|at| broken_at(&before, at, name));
    broken.next().map(|(from, text, is_placeholder)| Broken {
        range: TextRange::at(start + size(from), TextSize::of(text)),
        text: text.to_owned(),
        is_placeholder,
    })
}

/// The broken tag around `name` at `at` of `text`, with its start.
fn broken_at<'t>(text: &'t str, at: usize, name: &str) -> Option<(usize, &'t str, bool)> {
    let (before, after) = (&text[..at], &text[at + name.len()..]);
    let unsigned = before.strip_suffix(['#', '^']);
    let head = unsigned.unwrap_or(before);
    let opening = &head[head.trim_end_matches(BRACES).len()..];
    let closing = &after[..after.len() - after.trim_start_matches(BRACES).len()];
    let is_whole = (opening, closing) == ("{{", "}}");
    let is_broken = match unsigned {
        Some(_) => {
            !is_whole && (1..=MOST_BRACES).contains(&opening.len()) && closing.len() <= MOST_BRACES
        }
        None => is_whole,
    };
    let from = head.len() - opening.len();
    let to = at + name.len() + closing.len();
    is_broken.then(|| (from, &text[from..to], unsigned.is_none()))
}

const BRACES: [char; 2] = ['{', '}'];

/// The maximum number of braces on a side of a broken tag.
const MOST_BRACES: usize = 3;

/// The text of `root` directly before `end`, of about [`NEAR`] bytes, and its start.
fn text_before(root: &SyntaxNode, end: TextSize) -> Option<(TextSize, String)> {
    let last = root.token_at_offset(end).left_biased();
    let tokens = iter::successors(last, |it| it.prev_token());
    let near = tokens.take_while(|it| it.text_range().end() + NEAR > end);
    let mut tokens: Vec<_> = near.collect();
    tokens.reverse();
    let start = tokens.first()?.text_range().start();
    let text = tokens.iter().map(|it| it.text()).collect();
    Some((start, text))
}

#[cfg(test)]
mod tests {
    use crate::ide::{Document, Settings, quick_fixes, testing::applied};
    use signature_ls_source::{
        host::HostKind,
        text::{TextRange, TextSize},
    };

    fn document(prompt: &str) -> (String, Document) {
        let signature = "(items [{name :string}], tags [:string], user {id :int}) -> :int";
        let all = "{{#items}}{{name}}{{/items}}{{#tags}}{{.}}{{/tags}}{{user.id}}";
        let text =
            format!("SubAgent.new(prompt: \"é {prompt} {all}\", signature: \"{signature}\")\n");
        let document = Document::new(HostKind::Elixir, &text, Settings::default());
        (text, document)
    }

    /// An opening tag with one character too few or too many is one mistake, and its first fix repairs it.
    #[test]
    fn a_damaged_opening_tag_is_one_mistake() {
        for section in [
            "{{#items}}- {{name}}{{/items}}",
            "{{#tags}}- {{.}}{{/tags}}",
            "{{#user}}- {{id}}{{/user}}",
        ] {
            assert!(document(section).1.diagnostics().is_empty(), "{section}");
            let opening = section.find("- ").expect("a text");
            let without = (0..opening).map(|at| {
                let mut damaged = section.to_owned();
                damaged.remove(at);
                damaged
            });
            let with = (0..=opening).flat_map(|at| {
                ["{", "}", "#"].map(|sign| {
                    let mut damaged = section.to_owned();
                    damaged.insert_str(at, sign);
                    damaged
                })
            });
            for damaged in without.chain(with).filter(|it| it != section) {
                let (text, document) = document(&damaged);
                let found = document.diagnostics();
                let messages: Vec<_> = found.iter().map(|it| it.message.as_str()).collect();
                let tag = damaged.split("- ").next().unwrap_or_default();
                let name = &section[3..opening - 2];
                let is_named = ["{", "}", "#"]
                    .iter()
                    .any(|it| tag.contains(&format!("{it}{name}")));
                let is_split = tag.contains("#}");
                let is_named = is_named && !is_split;
                if !is_named || found.is_empty() {
                    continue;
                }
                assert_eq!(messages.len(), 1, "{damaged}: {messages:?}");
                let all = TextRange::up_to(TextSize::of(text.as_str()));
                let fixes = quick_fixes(&document, all);
                let first = fixes.iter().flat_map(|it| &it.fixes).next();
                let fixed = applied(&text, &first.expect(&damaged).edits);
                let again = Document::new(HostKind::Elixir, &fixed, Settings::default());
                assert!(again.diagnostics().is_empty(), "{damaged}: {fixed}");
            }
        }
    }

    #[test]
    fn a_closing_tag_alone_hides_no_other_name() {
        for (prompt, expected) in [
            (
                "{{nme}} {{/user}}",
                vec!["unknown-placeholder", "stray-section-close"],
            ),
            (
                "{{/items}} {{name}}",
                vec!["stray-section-close", "unknown-placeholder"],
            ),
            (
                "{{name}} {{/other}}",
                vec!["unknown-placeholder", "stray-section-close"],
            ),
            ("{{name}} {{/items}}", vec!["stray-section-close"]),
        ] {
            let found = document(prompt).1.diagnostics();
            let codes: Vec<_> = found.iter().map(|it| it.rule.code).collect();
            assert_eq!(codes, expected, "{prompt}");
        }
    }
}
