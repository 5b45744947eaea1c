//! An invalid name in a signature that placeholders repeat: one mistake.

use super::syntax::{INVALID_NAME, INVALID_PLACEHOLDER};
use crate::ide::{Diagnostic, unit::UnitView};
use signature_ls_source::{order, text::TextEdit};

/// Removes the errors of placeholders with an invalid name of the signature. The fix of the name corrects them too.
pub(super) fn join(unit: &UnitView<'_>, found: &mut Vec<Diagnostic>) {
    let is_repeated = |it: &&Diagnostic| it.rule.code == INVALID_PLACEHOLDER.rule.code;
    let repeated: Vec<_> = found
        .iter()
        .filter(is_repeated)
        .map(|it| it.range)
        .collect();
    for range in repeated {
        let name = unit.code(range);
        let mut names = found.iter_mut();
        let declared =
            names.find(|it| it.rule.code == INVALID_NAME.rule.code && unit.code(it.range) == name);
        let Some(fix) = declared.and_then(|it| it.fixes.first_mut()) else {
            continue;
        };
        let insert = fix.edits.first().map(|it| it.insert.clone());
        fix.edits
            .extend(insert.map(|it| TextEdit::replace(range, it)));
        order::by_start(&mut fix.edits, |it| it.range.start());
        found.retain(|it| it.range != range);
    }
}

#[cfg(test)]
mod tests {
    use crate::ide::{Document, Settings, testing::applied};
    use signature_ls_source::host::HostKind;

    #[test]
    fn an_invalid_name_that_the_prompt_repeats_is_one_mistake() {
        for (name, valid) in [
            ("größe", "groesse"),
            ("café", "cafe"),
            ("cafe\u{301}", "cafe"),
            ("naïve-ñ", "naive-n"),
        ] {
            let text = |name: &str| {
                format!(
                    "[prompt: \"{{{{{name}}}}} {{{{b}}}}\", signature: \"({name} :int, b :int) -> :int\"]\n"
                )
            };
            let before = text(name);
            let found = Document::new(HostKind::Elixir, &before, Settings::default()).diagnostics();
            let messages: Vec<_> = found.iter().map(|it| it.message.as_str()).collect();
            assert_eq!(messages.len(), 1, "{messages:?}");
            let fixed = applied(&before, &found[0].fixes[0].edits);
            assert_eq!(fixed, text(valid));
        }
    }

    #[test]
    fn an_invalid_name_is_not_said_to_be_missing() {
        let text = |name: &str| {
            format!("[signature: \"(user.name :int) -> :int\", prompt: \"x {{{{{name}}}}}\"]\n")
        };
        let found = |name: &str| {
            Document::new(HostKind::Elixir, &text(name), Settings::default())
                .diagnostics()
                .into_iter()
                .map(|it| it.message)
                .collect::<Vec<_>>()
        };
        assert_eq!(found("user.name").len(), 1);
        assert_eq!(
            found("b")[1],
            "`b` is not an input of the signature; add `b :any` to it."
        );
    }
}
