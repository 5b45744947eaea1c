use expect_test::{Expect, expect};

use proptest::prelude::*;

use super::*;
use crate::model::{lower, parse_signature};
use signature_ls_source::{
    syntax::{
        fragment::{Escapes, Fragment},
        signature, template,
    },
    text::{TextEdit, size},
};

#[track_caller]
fn check_in(edition: Edition, signature: &str, prompt: &str, expected: Expect) {
    // Every release rejects an optional record; it is still checked as a record.
    let signature = lower(
        &SyntaxNode::new_root(signature::parse(Fragment::plain(signature))),
        edition,
    )
    .signature;
    let root = SyntaxNode::new_root(template::parse(Fragment::plain(prompt)));
    let uses = resolve(&root, &signature, edition);
    let shown: Vec<_> = uses
        .iter()
        .map(|it| format!("{}: {}", &prompt[it.range], show(&it.meaning)))
        .collect();
    expected.assert_eq(&shown.join("; "));
}

#[track_caller]
fn check(signature: &str, prompt: &str, expected: Expect) {
    check_in(Edition::V0_11, signature, prompt, expected);
}

fn show(meaning: &Meaning) -> String {
    match meaning {
        Meaning::Value {
            may_be_nil: None, ..
        } => "ok".to_owned(),
        Meaning::Value {
            may_be_nil: Some(segment),
            ..
        }
        | Meaning::Anything {
            may_be_nil: Some(segment),
        } => format!("may be nil at {segment}"),
        Meaning::Unknown {
            segment,
            candidates,
            ..
        } => format!("unknown at {segment} of {}", candidates.concat().join(" ")),
        Meaning::FieldOfScalar { segment, .. } => format!("no fields before {segment}"),
        Meaning::ListWithoutSection { segment } => format!("list at {segment}"),
        Meaning::ScalarSection { .. } => "scalar section".to_owned(),
        Meaning::DotOnCompound { .. } => "dot on a compound".to_owned(),
        Meaning::DotWithoutElement => "dot without an element".to_owned(),
        Meaning::Anything { may_be_nil: None } => "anything".to_owned(),
    }
}

#[test]
fn names_and_paths() {
    let signature = "(user {name :string, address {city :string}?, tags [:string]}, topic :string, meta :map) -> :int";
    check(
        signature,
        "{{topic}} {{user.name}} {{ meta.x.y }}",
        expect!["topic: ok; user.name: ok; meta.x.y: anything"],
    );
    check(
        signature,
        "{{usr.name}} {{user.nme}} {{topic.x}}",
        expect![
            "usr.name: unknown at 0 of user topic meta; user.nme: unknown at 1 of name address tags; topic.x: no fields before 1"
        ],
    );
    check(
        signature,
        "{{user.address.city}} {{#user.address}}{{city}} {{user.address.city}}{{/user.address}}",
        expect![
            "user.address.city: may be nil at 1; user.address: ok; city: ok; user.address.city: ok"
        ],
    );
    check(
        signature,
        "{{user.tags}} {{user.tags.x}} {{#user.tags}}{{.}} {{topic}}{{/user.tags}}",
        expect!["user.tags: ok; user.tags.x: list at 1; user.tags: ok; .: ok; topic: ok"],
    );
    check(
        signature,
        "{{#topic}}{{anything}}{{/topic}} {{.}} {{#user}}{{name}}{{.}}{{/user}}",
        expect![
            "topic: scalar section; anything: unknown at 0 of user topic meta; .: dot without an element; user: ok; name: ok; .: dot without an element"
        ],
    );
}

#[test]
fn sections_over_lists_and_conditions() {
    let signature = "(items [{name :string, note :string?, parts [{id :int}]}], loud :bool, limit :int?) -> :int";
    check(
        signature,
        "{{#items}}{{name}} {{note}} {{#note}}{{note}}{{/note}} {{nme}} {{loud}}{{/items}}",
        expect![
            "items: ok; name: ok; note: may be nil at 0; note: ok; note: ok; nme: unknown at 0 of name note parts items loud limit; loud: ok"
        ],
    );
    check(
        signature,
        "{{#items}}{{#parts}}{{id}} {{name}} {{.}}{{/parts}}{{/items}}",
        expect!["items: ok; parts: ok; id: ok; name: ok; .: dot on a compound"],
    );
    check(
        signature,
        "{{^items}}none {{name}}{{/items}} {{#loud}}!{{/loud}} {{#limit}}{{limit}}{{/limit}} {{limit}}",
        expect![
            "items: ok; name: unknown at 0 of items loud limit; loud: ok; limit: ok; limit: ok; limit: may be nil at 0"
        ],
    );
}

#[test]
fn a_condition_leaves_the_element() {
    let signature = "(tags [:string], flag :bool, note :string?) -> :string";
    check(
        signature,
        "{{#tags}}{{#flag}}{{.}}{{/flag}}{{#note}}{{.}}: {{note}}{{/note}}{{/tags}}",
        expect!["tags: ok; flag: ok; .: ok; note: ok; .: ok; note: ok"],
    );
    check(
        signature,
        "{{#flag}}{{.}}{{/flag}}",
        expect!["flag: ok; .: dot without an element"],
    );
}

#[test]
fn a_map_is_no_single_value() {
    check(
        "(recs [:map], meta :map, values [:any], x :any) -> :string",
        "{{#recs}}{{.}}{{/recs}} {{#meta}}{{.}}{{/meta}} {{#values}}{{.}}{{/values}} {{#x}}{{.}}{{/x}}",
        expect![
            "recs: ok; .: dot on a compound; meta: ok; .: dot on a compound; values: ok; .: ok; x: ok; .: anything"
        ],
    );
}

#[test]
fn hyphens_fold_from_0_5_on() {
    check(
        "(user_name :string) -> :int",
        "{{user-name}}",
        expect!["user-name: ok"],
    );
    check_in(
        Edition::V0_4,
        "(user_name :string) -> :int",
        "{{user-name}}",
        expect!["user-name: unknown at 0 of user_name"],
    );
}

#[test]
fn a_path_into_a_map_may_be_nil() {
    let signature = "(u {m :map?, n :map}, a :any?) -> :int";
    check(
        signature,
        "{{u.m.x}} {{u.n.x.y}} {{a.b.c}} {{#u}}{{m.x}}{{/u}}",
        expect![
            "u.m.x: may be nil at 1; u.n.x.y: anything; a.b.c: may be nil at 0; u: ok; m.x: may be nil at 0"
        ],
    );
    check(
        signature,
        "{{#u.m}}{{u.m.x}} {{x}}{{/u.m}} {{#u.m.x}}{{u.m.y}}{{/u.m.x}} {{#a}}{{a.b}}{{/a}}",
        expect![
            "u.m: ok; u.m.x: anything; x: anything; u.m.x: anything; u.m.y: anything; a: ok; a.b: anything"
        ],
    );
}

#[test]
fn names_in_a_section_over_a_map_may_be_its_keys() {
    check(
        "(meta :map, rows [:map], x :any, name :int, items [:int], topic :string) -> :any",
        "{{#meta}}{{name.first}} {{other}}{{/meta}} {{#rows}}{{items.x}}{{#topic}}{{/topic}}{{/rows}} {{#x}}{{#topic}}{{/topic}}{{/x}}",
        expect![
            "meta: ok; name.first: anything; other: anything; rows: ok; items.x: anything; topic: anything; x: ok; topic: anything"
        ],
    );
    let signature = lower(
        &SyntaxNode::new_root(signature::parse(Fragment::plain(
            "(meta :map, name :int) -> :any",
        ))),
        Edition::V0_11,
    )
    .signature;
    let template = template::parse(Fragment::plain("{{#meta}}{{name}} {{other}}{{/meta}}"));
    let uses = resolve(&SyntaxNode::new_root(template), &signature, Edition::V0_11);
    let params = uses.iter().map(|it| it.param);
    assert_eq!(params.collect::<Vec<_>>(), [Some(0), Some(1), None]);
}

fn uses_of(text: &str, before: Option<&Uses>) -> Uses {
    let signature = parse_signature(
        "(name :string, limit :int?, items [{name :string, id :int}], tags [:string], _x :int) -> :int",
        Edition::V0_5,
    );
    let signature = signature.0.expect("sound");
    let green = template::parse(Fragment::plain(text));
    Uses::new(
        &green,
        signature.into(),
        Gaps::default().into(),
        Edition::V0_5,
        before,
    )
}

#[test]
fn names_that_an_unclosed_section_may_hold_are_not_reported() {
    let notable = |text: &str| uses_of(text, None).notable(10).len();
    assert_eq!(notable("{{#items}}\n{{id}}\n"), 0);
    assert_eq!(notable("{{#items}}\n{{idd}}\n"), 1);
    assert_eq!(notable("{{#tags}}\n{{.}}\n"), 0);
    assert_eq!(notable("{{id}}\n{{#items}}\n{{id}}\n"), 1);
}

#[test]
fn notable_uses_that_are_not_kept_are_found() {
    for separator in ["\n", " ", "x{{"] {
        let known = ["{{#items}}", &["{{id}}", separator].concat().repeat(5_000)].concat();
        let text = [&known, "{{nme}}", separator].concat().repeat(3);
        let uses = uses_of(&text, None);
        let found = uses.notable(usize::MAX);
        let names = found.iter().map(|(start, it)| &text[it.range + *start]);
        let unknown = names.filter(|name| *name == "nme");
        assert_eq!(unknown.count(), 3, "{separator:?}");
        assert_eq!(uses.notable(2)[..], found[..2], "{separator:?}");
        // An edit goes on from what was found.
        let edited = ["{{name}}\n", &text].concat();
        let after = uses_of(&edited, Some(&uses)).notable(usize::MAX);
        assert_eq!(after.len(), found.len(), "{separator:?}");
    }
}

fn line() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "Find {{name}} and {{limit}}.\n",
        "text\n",
        "{{nme}}\n",
        "{{#items}}\n",
        "{{/items}}\n",
        "{{#items}}{{id}}{{/items}}\n",
        "{{#limit}}{{limit}}\n{{/limit}}\n",
        "{{name.x}} {{_x}} {{.}}\n",
        "{{#tags}}\n",
        "{{/tags}}\n",
        "{{id}}",
        "{{^items}}\n",
    ])
}

/// Compares the uses of each name with those of a walk through the whole template.
fn finds_what_a_walk_finds(uses: &Uses, text: &str) -> Result<(), TestCaseError> {
    let root = SyntaxNode::new_root(template::parse(Fragment::plain(text)));
    let signature = uses.signature();
    let mut all = resolve(&root, signature, Edition::V0_5);
    all.sort_by_key(|it| it.range.start());
    let named = |is_meant: &dyn Fn(&Use) -> bool| -> Vec<_> {
        all.iter().filter(|it| is_meant(it)).cloned().collect()
    };
    let declared = all
        .iter()
        .flat_map(|it| it.declared.iter().map(|it| it.start()));
    for start in declared.collect::<std::collections::BTreeSet<_>>() {
        let names_it = |it: &Use| it.declared.iter().any(|it| it.start() == start);
        prop_assert_eq!(uses.naming(&[start]), named(&names_it), "{}", text);
    }
    for index in 0..signature.params.len() {
        let begins_with_it = |it: &Use| it.param == Some(index);
        prop_assert_eq!(
            uses.of_params(&|it| it == index),
            named(&begins_with_it),
            "{}",
            text
        );
    }
    for it in all.iter().step_by(7) {
        let found = uses.at(it.range.start());
        prop_assert_eq!(found.as_ref(), Some(it), "{}", text);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// The facts after edits equal those of a template that is resolved as a whole.
    #[test]
    fn uses_are_kept_for_runs(
        lines in prop::collection::vec(line(), 0..150),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..8_usize, line()), 1..8),
    ) {
        let mut text = lines.concat();
        let mut green = template::parse(Fragment::plain(&text));
        let mut uses = uses_of(&text, None);
        for (at, len, insert) in edits {
            let start = at.index(text.len() + 1);
            let end = (start + len).min(text.len());
            let edit = TextEdit::replace(TextRange::new(size(start), size(end)), insert);
            edit.apply(&mut text);
            let edited = template::edit(&green, &edit, (Escapes::None, &[]));
            green = edited.unwrap_or_else(|| template::parse(Fragment::plain(&text)));
            let signature = uses.signature().clone().into();
            uses = Uses::new(&green, signature, Gaps::default().into(), Edition::V0_5, Some(&uses));
            let full = uses_of(&text, None);
            let notable = |uses: &Uses| -> Vec<_> {
                let notable = uses.notable(usize::MAX).into_iter();
                notable.map(|(start, it)| Use::clone(&it).moved_by(start)).collect()
            };
            let expected = notable(&full);
            prop_assert_eq!(notable(&uses), expected.clone(), "{}", text);
            prop_assert_eq!(uses.params(), full.params());
            prop_assert!(expected.is_sorted_by_key(|it| it.range.start()));
            finds_what_a_walk_finds(&uses, &text)?;
        }
    }
}

#[test]
fn the_name_at_a_place_is_the_one_of_the_whole_template() {
    let text = "(user {name :string}, items [{id :int, tags [:string]}]) -> :int";
    let fragment = Fragment::plain(text);
    let signature = lower(
        &SyntaxNode::new_root(signature::parse(fragment)),
        Edition::V0_11,
    )
    .signature;
    let part = "{{user.name}} {{#items}}{{id}} {{#tags}}{{.}}{{/tags}}\n{{usr}}{{/items}}\n{{^items}}x{{/items}}\n";
    for template in [part.to_owned(), part.repeat(40)] {
        let root = SyntaxNode::new_root(template::parse(Fragment::plain(&template)));
        let uses = resolve(&root, &signature, Edition::V0_11);
        for it in &uses {
            for range in it.closing.iter().chain([&it.range]) {
                let found = resolve_at(&root, &signature, Edition::V0_11, range.start());
                assert_eq!(found.as_ref(), Some(it), "{}", &template[*range]);
            }
        }
    }
}
