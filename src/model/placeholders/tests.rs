use expect_test::{Expect, expect};

use super::*;
use crate::{
    model::lower,
    syntax::{fragment::Fragment, signature, template},
};

#[track_caller]
fn check_in(edition: Edition, signature: &str, prompt: &str, expected: Expect) {
    // An optional record is refused by every release and still checked as what it says.
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
fn what_leads_into_a_map_may_be_nil() {
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
