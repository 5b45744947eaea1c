//! Sections whose opening tag is misspelled, but not their closing tag: one mistake.

use super::{syntax::MISMATCHED_SECTION_CLOSE, unknown_placeholder};
use crate::ide::{Diagnostic, unit::UnitView};
use signature_ls_source::{syntax::template::ast, text::TextRange};

/// Removes the errors of closing tags that have the name which their opening tags should have.
pub(super) fn join(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let is_closing = |it: &&Diagnostic| it.rule.code == MISMATCHED_SECTION_CLOSE.rule.code;
    let closing: Vec<_> = found.iter().filter(is_closing).map(|it| it.range).collect();
    for closing in closing {
        let Some((opening, name)) = names_of(unit, closing) else {
            continue;
        };
        let meant = found.iter_mut().find(|it| corrects(it, &opening, &name));
        if let Some(fix) = meant.and_then(|it| it.fixes.first_mut()) {
            fix.safe = true;
            found.retain(|it| it.range != closing);
        }
    }
}

/// Whether the first fix of an unknown name in the path `opening` writes the path `name`.
fn corrects(it: &Diagnostic, (opening, range): &(String, TextRange), name: &str) -> bool {
    let is_unknown = it.rule.code == unknown_placeholder::RULE.code;
    let Some([edit]) = it.fixes.first().map(|fix| fix.edits.as_slice()) else {
        return false;
    };
    if !is_unknown || !range.contains_range(edit.range) {
        return false;
    }
    let mut corrected = opening.clone();
    let within = edit.range - range.start();
    corrected.replace_range(std::ops::Range::<usize>::from(within), &edit.insert);
    corrected == name
}

/// The name in the opening tag of the section that the tag at `closing` closes, with its range, and that in this tag.
fn names_of(unit: &UnitView<'_>, closing: TextRange) -> Option<((String, TextRange), String)> {
    let (root, start) = unit.tree_around(closing)?;
    let around = root.covering_element(closing - start);
    let section = around.ancestors().find_map(ast::Section::cast)?;
    let (opening, closing) = (section.path()?, section.closing_path()?);
    let place = opening.text_range() + start;
    Some(((opening.text(), place), closing.text()))
}

#[cfg(test)]
mod tests {
    use crate::ide::{Document, Settings, testing::applied};
    use signature_ls_source::host::HostKind;

    /// Whichever of the two names of a section is misspelled, that is one mistake, and its fix is safe.
    #[test]
    fn one_misspelled_tag_of_a_section_is_one_mistake() {
        let signature = "(items [{id :int}], user {tags [:string]}, done :bool) -> :string";
        let all = "{{#items}}{{id}}{{/items}}{{#user.tags}}{{.}}{{/user.tags}}{{done}}";
        let text = |prompt: &str| format!("---\nsignature: {signature:?}\n---\né {prompt} {all}\n");
        for section in [
            "{{#items}}{{id}}{{/items}}",
            "{{#user.tags}}{{.}}{{/user.tags}}",
            "{{^done}}x{{/done}}",
            "{{#items}}{{^done}}{{id}}{{/done}}{{/items}}",
            "{{#done}}{{#items}}{{id}}{{/items}}{{/done}}",
        ] {
            let letters = section.char_indices().filter(|(at, it)| {
                let in_tag = section[..*at].rfind("{{").is_some_and(|tag| {
                    section[tag..*at].starts_with("{{#")
                        || section[tag..*at].starts_with("{{^")
                        || section[tag..*at].starts_with("{{/")
                });
                in_tag && it.is_ascii_alphabetic() && !section[..*at].ends_with("}}")
            });
            for (at, letter) in letters {
                let mut misspelled = section.to_owned();
                misspelled.insert(at, letter);
                let before = text(&misspelled);
                let document = Document::new(HostKind::Prompt, &before, Settings::default());
                let found = document.diagnostics();
                let messages: Vec<_> = found.iter().map(|it| it.message.as_str()).collect();
                assert_eq!(messages.len(), 1, "{misspelled}: {messages:?}");
                let fix = found[0].fixes.first().filter(|it| it.safe);
                let fixed = applied(&before, &fix.expect(&misspelled).edits);
                assert_eq!(fixed, text(section), "{misspelled}");
            }
        }
    }

    /// Names that are not alike stay two mistakes: either tag may be the wrong one.
    #[test]
    fn different_names_of_a_section_are_two_mistakes() {
        let prompt = "{{#rows}}x{{/items}}";
        let text = format!("---\nsignature: \"(items [:int]) -> :int\"\n---\n{prompt}\n");
        let found = Document::new(HostKind::Prompt, &text, Settings::default()).diagnostics();
        let codes: Vec<_> = found.iter().map(|it| it.rule.code).collect();
        let expected = ["unknown-placeholder", "mismatched-section-close"];
        assert_eq!(codes, expected);
    }
}
