//! Folding ranges: records and lists over several lines, sections, front matter and catalog entries.

use crate::ide::{Document, place};
use signature_ls_source::{
    cancel,
    host::{FrontMatter, HostKind, front_matter},
    order,
    syntax::kind::SyntaxKind,
    text::TextRange,
};

/// A folding range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    /// From the first line, which remains visible, to the last one, in bytes of the document.
    pub range: TextRange,
    /// Whether the last line closes the first one and remains visible too.
    pub shows_last_line: bool,
}

/// The folding ranges of the document, outer ones before inner ones.
///
/// Only the front matter of prompt files is folded; servers for Markdown fold the rest.
pub fn folding(document: &Document) -> Vec<Fold> {
    let mut folds = Vec::new();
    for literal in place::literals(document) {
        let own = literal.fragment.kept().folds.get_or_init(|| {
            let root = literal.root();
            let root = root.filter(|_| is_over_lines(document, literal.content()));
            let nodes = root.into_iter().flat_map(|it| it.descendants());
            let nodes = nodes.inspect(|_| cancel::check());
            let foldable = nodes.filter(|it| is_foldable(it.kind()));
            let ranges = foldable.map(|it| it.text_range());
            let ranges = ranges.filter(|it| is_over_lines(document, *it + literal.start));
            ranges.collect()
        });
        folds.extend(own.iter().map(|it| Fold {
            range: *it + literal.start,
            shows_last_line: true,
        }));
    }
    for (placed, _) in document.units() {
        let entry = placed.unit.catalog_entry();
        let range = entry.and_then(|it| {
            let (name, description) = (it.name()?, it.description()?);
            let range = name.text_range().cover(description.text_range()) + placed.start;
            is_over_lines(document, range).then_some(range)
        });
        folds.extend(range.map(|range| Fold {
            range,
            shows_last_line: false,
        }));
    }
    let front_matter = own_front_matter(document).map(|it| TextRange::up_to(it.yaml.end()));
    let front_matter = front_matter.filter(|it| is_over_lines(document, *it));
    folds.extend(front_matter.map(|range| Fold {
        range,
        shows_last_line: true,
    }));
    order::outer_first(&mut folds, |it| it.range);
    folds.dedup();
    folds
}

fn is_foldable(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::ParamList
            | SyntaxKind::RecordType
            | SyntaxKind::ListType
            | SyntaxKind::Section
            | SyntaxKind::CommentTag
    )
}

fn own_front_matter(document: &Document) -> Option<FrontMatter> {
    let is_prompt = document.host().kind() == HostKind::Prompt;
    let found = front_matter(document.text()).filter(|_| is_prompt)?;
    found.is_closed().then_some(found)
}

fn is_over_lines(document: &Document, range: TextRange) -> bool {
    !document
        .text()
        .line_range(range.start())
        .contains_inclusive(range.end())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::ide::testing::{self, shown};

    #[track_caller]
    fn check(kind: HostKind, text: &str, expected: &Expect) {
        let document = testing::document(kind, text);
        let folds = folding(&document).into_iter();
        let folds = folds.map(|it| shown(&document, it.range) + "\n");
        expected.assert_eq(&folds.collect::<String>());
    }

    #[test]
    fn what_spans_lines_folds() {
        check(
            HostKind::Prompt,
            "---\nsignature: |\n  (a {\n    b :int\n  }, c {d :int}) -> :int\n---\n{{#a}}\n{{b}}\n{{/a}}{{#a}}x{{/a}}\n",
            &expect![[r#"
                ---⏎signature: |⏎  (a {⏎    b :int⏎  }, c {d :int}) -> :int⏎
                (a {⏎    b :int⏎  }, c {d :int})
                {⏎    b :int⏎  }
                {{#a}}⏎{{b}}⏎{{/a}}
            "#]],
        );
        check(
            HostKind::Catalog,
            "a() -> :int\nb() -> :int\n  Does\n  it.\n",
            &expect![[r#"
                b() -> :int⏎  Does⏎  it.
            "#]],
        );
        check(HostKind::Elixir, "def f do\n  %{\n  }\nend\n", &expect![""]);
    }
}
