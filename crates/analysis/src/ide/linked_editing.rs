//! Linked editing: the two tags of a section.

use crate::ide::{Document, names, unit::NameKind};
use signature_ls_source::text::{TextRange, TextSize};

/// The name at `offset` in the opening and the closing tag of its section, if both have the same spelling.
pub fn linked_ranges(document: &Document, offset: TextSize) -> Option<[TextRange; 2]> {
    let place = names::at(document, offset).into_iter().next()?;
    let ranges = match place.name.kind {
        NameKind::SectionOpening { closing } => [place.name.range, closing?],
        NameKind::SectionClosing { opening } => [opening, place.name.range],
        _ => return None,
    };
    let [opening, closing] = ranges.map(|it| document.text().slice(it));
    (opening == closing).then_some(ranges)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::ide::testing::{located, marked};
    use signature_ls_source::host::HostKind;

    #[track_caller]
    fn check(fixture: &str, expected: Expect) {
        let (document, offset) = marked(HostKind::Prompt, fixture);
        let ranges = linked_ranges(&document, offset);
        let shown = ranges.map(|it| it.map(|it| located(&document, it)).join("; "));
        expected.assert_eq(&shown.unwrap_or_default());
    }

    #[test]
    fn both_tags_of_a_section() {
        let signed = "---\nsignature: \"(user {tags [:string]}) -> :any\"\n---\n";
        check(
            &format!("{signed}{{{{#user.ta$0gs}}}}x{{{{/user.tags}}}}"),
            expect!["4:9 tags; 4:24 tags"],
        );
        check(
            &format!("{signed}{{{{#use$0r.tags}}}}x{{{{/user.tags}}}}"),
            expect!["4:4 user; 4:19 user"],
        );
        check(
            "---\nname: a\n---\n{{^ items }}{{#x}}{{/x}}{{/items$0}}",
            expect!["4:5 items; 4:28 items"],
        );
    }

    #[test]
    fn nothing_where_the_tags_differ_or_there_is_one() {
        let signed = "---\nsignature: \"(a_b [:string], c :int) -> :any\"\n---\n";
        for rest in [
            "{{#a_$0b}}x{{/a-b}}",
            "{{#a_$0b}}x",
            "{{$0c}}",
            "{{#a_b}}$0 x{{/a_b}}",
        ] {
            check(&format!("{signed}{rest}"), expect![""]);
        }
    }
}
