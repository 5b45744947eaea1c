//! A type in the notation of another language, as in `name: str`: one mistake.

use super::{
    syntax::{COLON_AFTER_NAME, UNION},
    unknown_type,
};
use crate::ide::Diagnostic;

/// Removes the errors of colons that the fix of the type after them moves, too.
pub(super) fn join(found: &mut Vec<Diagnostic>) {
    let moves_colon = |it: &&Diagnostic| {
        let code = it.rule.code;
        code == UNION.rule.code || (code == unknown_type::RULE.code && it.has_safe_fix())
    };
    let types = found.iter().filter(moves_colon).map(|it| it.range);
    let types: Vec<_> = types.collect();
    let is_moved = |it: &Diagnostic| types.iter().any(|ty| ty.contains_range(it.range));
    found.retain(|it| it.rule.code != COLON_AFTER_NAME.rule.code || !is_moved(it));
}

#[cfg(test)]
mod tests {
    use crate::ide::{Document, Settings, fix_all, testing::applied};
    use signature_ls_source::host::HostKind;

    /// A type in the notation of another language is one mistake, whose first fix is all that there is to do.
    #[test]
    fn a_foreign_type_is_one_mistake() {
        for (ty, expected) in [
            (": number", ":float"),
            (": str", ":string"),
            (": str?", ":string?"),
            (": string | null", ":string?"),
            (": null | int", ":int?"),
            (": int", ":int"),
            (" list[{id: int}]", "[{id :int}]"),
            (
                " Array<{id: number, tags: list[str]}>",
                "[{id :float, tags [:string]}]",
            ),
        ] {
            let text = |item: &str| format!("f({item}) -> :int\n");
            let before = text(&format!("a{ty}"));
            let document = Document::new(HostKind::Catalog, &before, Settings::default());
            let found = document.diagnostics();
            let messages: Vec<_> = found.iter().map(|it| it.message.as_str()).collect();
            assert_eq!(messages.len(), 1, "{ty}: {messages:?}");
            let fix = found[0].fixes.first().filter(|it| it.safe);
            let fixed = applied(&before, &fix.expect(ty).edits);
            assert_eq!(fixed, text(&format!("a {expected}")));
            assert_eq!(applied(&before, &fix_all(&document)), fixed);
        }
    }
}
