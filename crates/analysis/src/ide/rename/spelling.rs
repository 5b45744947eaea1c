//! The spelling of a new name at a place.

use super::Refusal;
use crate::{
    ide::{Document, names::Place, unit::NameKind},
    model::{Edition, render::kebab_name},
};
use signature_ls_source::{
    syntax::{catalog, signature::is_name},
    text::{TextRange, TextSize},
};

/// Refuses a name that cannot be written: that of a tool in a catalog, another one in a signature.
pub(super) fn refuse_invalid(name: &str, is_tool: bool) -> Result<(), Refusal> {
    // In a catalog, other characters such as emoji are tolerated.
    let is_written = |c: char| c.is_ascii() || c.is_alphanumeric();
    let rule = match is_tool {
        true if catalog::is_name(name) && name.chars().all(is_written) => return Ok(()),
        true => "use letters, digits, `_`, `-`, `.` and `/`, and `?` or `!` at the end",
        false if is_name(name) => return Ok(()),
        false => "start with a letter or `_`, then use letters, digits, `_` and `-`",
    };
    Err(Refusal(match name.is_empty() {
        true => format!("A name is needed: {rule}."),
        false => format!("`{name}` is not a name: {rule}."),
    }))
}

/// The new name at a place of `kind` with the name `old`. For a tool, and where it is typed or that is listed, it is used as
/// it is; every other place keeps its hyphens or underscores.
pub(super) fn spelled(
    kind: NameKind,
    old: &str,
    new: &str,
    is_typed: bool,
    edition: Edition,
) -> String {
    // The library compares all of a tool's name.
    let is_tool = matches!(kind, NameKind::ToolEntry | NameKind::ToolCall);
    if !edition.folds_hyphens() || is_tool || is_typed {
        return new.to_owned();
    }
    let old = old.trim_start_matches('_');
    match (old.contains('-'), old.contains('_'), kind) {
        (true, false, _) => kebab_name(new),
        (false, true, _) => new.replace('-', "_"),
        _ if is_in_code(kind) => kebab_name(new),
        _ => new.replace('-', "_"),
    }
}

/// Whether a name is a key of a program, and no symbol that binds one.
pub(super) fn is_written_key(document: &Document, place: &Place) -> bool {
    let start = place.name.range.start();
    let mark = start.checked_sub(TextSize::of(':'));
    let mark = mark.map(|it| document.text().slice(TextRange::new(it, start)));
    is_key(place.name.kind) && mark.is_some_and(|it| matches!(&*it, ":" | "\""))
}

fn is_key(kind: NameKind) -> bool {
    use NameKind::{ArgumentKey, ProgramKey, ReturnKey};
    matches!(kind, ArgumentKey | ProgramKey | ReturnKey)
}

/// Whether the name is in a program and may have hyphens there.
fn is_in_code(kind: NameKind) -> bool {
    is_key(kind) || matches!(kind, NameKind::FunctionParameter | NameKind::Local)
}

/// Whether the name `old` in a program shows neither hyphens nor underscores: then a key that is typed in the program is
/// used as it is, so that a rename back restores the text.
pub(super) fn takes_any_spelling(kind: NameKind, old: &str) -> bool {
    let is_one_word = !old.trim_start_matches('_').contains(['-', '_']);
    is_in_code(kind) && is_one_word
}

/// Whether `code` in Lisp has the symbol `word` anywhere.
pub(super) fn has_word(code: &str, word: &str) -> bool {
    let is_part = |it: char| it.is_alphanumeric() || "_-?!*+./:<>='&%$".contains(it);
    code.split(|it| !is_part(it)).any(|it| it == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ide::{
        rename,
        testing::{applied, marked},
    };
    use signature_ls_source::host::HostKind;

    #[test]
    fn a_tool_gets_every_name_that_it_can_have_in_a_catalog() {
        let text = "find$0(q :string) -> :any\n";
        for new in ["find!", "a.b", "ns/search?", "größe", "2x"] {
            let (document, offset) = marked(HostKind::Catalog, text);
            let edits = rename(&document, offset, new).unwrap().unwrap();
            let after = applied(&document.text().whole(), &edits);
            assert_eq!(after, format!("{new}(q :string) -> :any\n"));
        }
        for (text, new) in [
            (text, "a b"),
            (text, "a?b"),
            (text, "-a"),
            (text, "🎉"),
            ("find(q$0 :string) -> :any\n", "q!"),
        ] {
            let (document, offset) = marked(HostKind::Catalog, text);
            let Refusal(reason) = rename(&document, offset, new).unwrap_err();
            assert!(
                reason.starts_with(&format!("`{new}` is not a name: ")),
                "{reason}"
            );
        }
    }

    #[test]
    fn an_empty_name_is_asked_for() {
        let (document, offset) = marked(HostKind::Catalog, "find$0(q :string) -> :any\n");
        let Refusal(reason) = rename(&document, offset, "").unwrap_err();
        assert!(reason.starts_with("A name is needed: "), "{reason}");
    }

    #[test]
    fn each_place_keeps_its_spelling() {
        let cases = [
            (NameKind::ArgumentKey, "a", "b_c", "b-c"),
            (NameKind::ArgumentKey, "a_x", "b_c", "b_c"),
            (NameKind::Placeholder, "a-x", "b_c", "b-c"),
            (NameKind::Placeholder, "a", "b-c", "b_c"),
            (NameKind::Data, "_a", "_b_c", "_b_c"),
            (NameKind::Data, "a-x", "b_c", "b-c"),
            (NameKind::SampleKey, "a", "b-c", "b_c"),
            (NameKind::ToolCall, "a-x", "b_c", "b_c"),
            (NameKind::ToolEntry, "a_x", "b-c", "b-c"),
        ];
        for (kind, old, new, expected) in cases {
            let found = spelled(kind, old, new, false, Edition::V0_11);
            assert_eq!(found, expected, "{old} {new}");
        }
        let declared = spelled(NameKind::Declaration, "a_x", "b-c", true, Edition::V0_11);
        assert_eq!(declared, "b-c");
        let early = spelled(NameKind::ArgumentKey, "a-x", "b_c", false, Edition::V0_4);
        assert_eq!(early, "b_c");
    }

    #[test]
    fn names_are_those_that_signatures_have() {
        for name in ["a", "_a", "a-b", "A1_"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "1a", "-a", "a b", "ä", "a.b", "a?"] {
            assert!(!is_name(name), "{name}");
        }
    }
}
