//! Selection ranges: from the word to the field, the record, the parameters, the signature, the string and its call;
//! in a program from form to form.

use crate::ide::{Document, place};
use signature_ls_source::{
    host::{
        Notation, PlacedUnit,
        lisp::{KeptCode, expr::Expr},
    },
    order,
    syntax::kind::{SyntaxKind, SyntaxToken},
    text::{TextRange, TextSize},
};

/// The ranges around `offset`, innermost first, each larger than the one before; empty outside of signature strings.
pub fn selection(document: &Document, offset: TextSize) -> Vec<TextRange> {
    let Some(literal) = place::literal_at(document, offset) else {
        return growing(in_program(document, offset), offset);
    };
    let mut ranges = in_program(document, offset);
    if let Some(root) = literal.root() {
        let tokens = root.token_at_offset(offset - literal.start);
        if let Some(token) = tokens.max_by_key(is_word) {
            let nodes = token.parent_ancestors();
            // Runs only balance the tree.
            let written = nodes.filter(|it| !it.kind().is_run());
            ranges.push(token.text_range() + literal.start);
            ranges.extend(written.map(|it| it.text_range() + literal.start));
        }
    }
    ranges.push(literal.content());
    ranges.push(literal.literal());
    ranges.extend(unit_and_call(document, literal.placed));
    order::by_number(&mut ranges, |it| u32::from(it.len()));
    growing(ranges, offset)
}

/// The forms around `offset`, and the ranges around the program.
fn in_program(document: &Document, offset: TextSize) -> Vec<TextRange> {
    let units: Vec<_> = document.units_at(offset).collect();
    let mut programs = units.into_iter().rev().map(|(placed, _)| placed);
    let Some(placed) =
        programs.find(|it| !it.unit.program().is_empty() && !document.leaves_out(it))
    else {
        return Vec::new();
    };
    let program = placed.unit.program();
    let mut ranges = Vec::new();
    let all = program.code.iter().flat_map(KeptCode::exprs);
    let mut next = around(all, placed.start, offset);
    while let Some(form) = next {
        ranges.push(form.range + placed.start);
        if form.as_key().is_some() {
            ranges.push(form.key_range() + placed.start);
        }
        next = around(form.parts(), placed.start, offset);
    }
    if ranges.is_empty() {
        return ranges;
    }
    ranges.reverse();
    ranges.extend(program.literal.iter().map(|it| it.content + placed.start));
    ranges.extend(unit_and_call(document, placed));
    ranges
}

/// The range of a unit, and for the arguments of a call in Elixir that of the whole call.
fn unit_and_call(document: &Document, placed: &PlacedUnit) -> [TextRange; 2] {
    /// The maximum length of the name of a function with its module.
    const LONGEST_NAME: u32 = 256;
    let unit = placed.own_range();
    let arguments = TextRange::at(unit.start(), TextSize::of('('));
    let text = document.text();
    if placed.unit.notation != Notation::Elixir || unit.is_empty() || text.slice(arguments) != "(" {
        return [unit, unit];
    }
    let earliest = unit
        .start()
        .checked_sub(LONGEST_NAME.into())
        .unwrap_or_default();
    let before = text.slice(TextRange::new(earliest, unit.start()));
    let is_in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '!' | '?');
    let name = before.rsplit(|c| !is_in_name(c)).next();
    let len = name.map_or(TextSize::default(), TextSize::of);
    [unit, TextRange::new(unit.start() - len, unit.end())]
}

/// The form at `offset`; one that begins there is preferred to one that ends there.
fn around<'t>(
    forms: impl Iterator<Item = Expr<'t>>,
    start: TextSize,
    offset: TextSize,
) -> Option<Expr<'t>> {
    forms
        .filter(|it| (it.range + start).contains_inclusive(offset))
        .last()
}

/// Those of `ranges` that are larger than the one before.
fn growing(mut ranges: Vec<TextRange>, offset: TextSize) -> Vec<TextRange> {
    let mut last = TextRange::empty(offset);
    ranges.retain(|range| {
        let grows = range.contains_range(last) && *range != last;
        if grows {
            last = *range;
        }
        grows
    });
    ranges
}

fn is_word(token: &SyntaxToken) -> bool {
    token.kind() == SyntaxKind::Ident
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::ide::{
        Settings,
        testing::{marked, shown},
    };
    use signature_ls_source::{host::HostKind, text::size};

    #[test]
    fn a_long_prompt_has_no_ranges_of_its_tree() {
        let line = |i: usize| format!("Line {i} {{{{#items}}}}{{{{name}}}}{{{{/items}}}}.\n");
        let lines: String = (0..200).map(line).collect();
        let head = "---\nsignature: \"(items [{name :string}]) -> :int\"\n---\n";
        for body in [
            lines.clone(),
            format!("{{{{#items}}}}\n{lines}{{{{/items}}}}"),
        ] {
            let text = format!("{head}{body}");
            let document = Document::new(HostKind::Prompt, &text, Settings::default());
            let tags = ["name", "{{name}}", "{{#items}}{{name}}{{/items}}"];
            let expected = tags.map(str::len).into_iter();
            let expected: Vec<_> = expected.chain([body.len(), text.len()]).collect();
            for (offset, _) in text.match_indices("name}}") {
                let ranges = selection(&document, size(offset));
                let lens = ranges.into_iter().map(|it| usize::from(it.len()));
                assert_eq!(lens.collect::<Vec<_>>(), expected, "{offset}");
            }
        }
    }

    #[track_caller]
    fn check(kind: HostKind, fixture: &str, expected: &Expect) {
        let (document, offset) = marked(kind, fixture);
        let ranges = selection(&document, offset).into_iter();
        let ranges = ranges.map(|it| shown(&document, it) + "\n");
        expected.assert_eq(&ranges.collect::<String>());
    }

    #[test]
    fn a_selection_grows_by_what_belongs_together() {
        check(
            HostKind::Elixir,
            "f()\nSubAgent.run(p, signature: \"(user {na$0me :string}) -> :int\")\n",
            &expect![[r#"
                name
                name :string
                {name :string}
                user {name :string}
                (user {name :string})
                (user {name :string}) -> :int
                "(user {name :string}) -> :int"
                (p, signature: "(user {name :string}) -> :int")
                SubAgent.run(p, signature: "(user {name :string}) -> :int")
            "#]],
        );
        check(
            HostKind::Prompt,
            "Hi {{#a}}{{b.$0c}}{{/a}}",
            &expect![[r#"
                c
                b.c
                {{b.c}}
                {{#a}}{{b.c}}{{/a}}
                Hi {{#a}}{{b.c}}{{/a}}
            "#]],
        );
        check(HostKind::Elixir, "f($0x)\n", &expect![""]);
    }

    #[test]
    fn a_selection_in_a_program_grows_from_form_to_form() {
        check(
            HostKind::Elixir,
            "Lisp.run(~S|(f (tool/get {:i$0d data/x}))|, tools: %{\"get\" => {&A.get/1, \"(id :int) -> :int\"}})\n",
            &expect![[r#"
                id
                :id
                {:id data/x}
                (tool/get {:id data/x})
                (f (tool/get {:id data/x}))
                (~S|(f (tool/get {:id data/x}))|, tools: %{"get" => {&A.get/1, "(id :int) -> :int"}})
                Lisp.run(~S|(f (tool/get {:id data/x}))|, tools: %{"get" => {&A.get/1, "(id :int) -> :int"}})
            "#]],
        );
        check(
            HostKind::Lisp,
            "(let [x (tool/get :id $0(inc 1))] x)\n",
            &expect![[r#"
                (inc 1)
                (tool/get :id (inc 1))
                [x (tool/get :id (inc 1))]
                (let [x (tool/get :id (inc 1))] x)
            "#]],
        );
        check(HostKind::Lisp, "(let [x $0(inc 1)] x)\n", &expect![""]);
    }
}
