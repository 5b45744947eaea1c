use expect_test::expect;
use proptest::prelude::*;

use super::*;
use crate::model::{parse_signature, testing::signatures};

fn signature(text: &str) -> Signature {
    let (signature, problems) = parse_signature(text, Edition::V0_11);
    signature.unwrap_or_else(|| panic!("{problems:?}"))
}

#[test]
fn the_canonical_text_has_one_space_where_one_is_needed() {
    let cases = [
        (":any", "() -> :any"),
        ("() -> :any", "() -> :any"),
        ("{}", "() -> {}"),
        ("[{}]", "() -> [{}]"),
        ("{count:int}", "() -> {count :int}"),
        (
            " ( user{id :int,name :string},limit\n:int? )->[ {order_id :int} ] ",
            "(user {id :int, name :string}, limit :int?) -> [{order_id :int}]",
        ),
        ("(flag :boolean) -> :datetime", "(flag :bool) -> :datetime"),
    ];
    for (text, canonical) in cases {
        assert_eq!(signature(text).to_string(), canonical);
    }
}

#[test]
fn a_listing_is_what_a_model_is_shown() {
    let search = signature("(query :string, limit :int) -> [{id :int, title :string}]");
    let user = signature("(id :int) -> {name :string, email :string?}");
    let listing = [
        prompt_entry(
            "search",
            &search,
            Some("Search for items matching query."),
            Edition::V0_11,
        ),
        prompt_entry(
            "get_user",
            &user,
            Some("  Fetch user by ID.\n\n    Email may be null.  \n"),
            Edition::V0_11,
        ),
        prompt_entry(
            "get_user",
            &user,
            Some("\n\nOne of:\r\n\r\n  - a\n    more\n\n"),
            Edition::V0_11,
        ),
        prompt_entry("plain", &user, None, Edition::V0_11),
        prompt_entry("blank", &user, Some(" \n"), Edition::V0_11),
    ];
    expect![[r#"
        search(query :string, limit :int) -> [{id :int, title :string}]
          Search for items matching query.
        get_user(id :int) -> {name :string, email :string?}
          Fetch user by ID.

            Email may be null.
        get_user(id :int) -> {name :string, email :string?}
          One of:

            - a
              more
        plain(id :int) -> {name :string, email :string?}
        blank(id :int) -> {name :string, email :string?}"#]]
    .assert_eq(&listing.join("\n"));
}

#[test]
fn lisp_writes_names_with_hyphens() {
    let cases = [
        ("q1_total", "q1-total"),
        ("_email_ids", "_email-ids"),
        ("__a_b", "_-a-b"),
        ("name", "name"),
        ("_", "_"),
    ];
    for (name, kebab) in cases {
        assert_eq!(kebab_name(name), kebab);
    }
    let orders = signature("(user_id :int, _raw_data :map?) -> {order_count :int, tags [:string]}");
    let mut table = String::new();
    for edition in Edition::ALL {
        let entry = lisp_entry("get_orders", &orders, Some("All\n  orders."), edition);
        table.push_str(&format!("{edition}\n{}\n{entry}\n", lisp(&orders, edition)));
    }
    expect![[r#"
        0.4
        (user_id :int) -> {order_count :int, tags [:string]}
        ctx/get_orders(user_id int) -> {order_count int, tags [string]}  ; All orders.
        0.5
        (user-id :int) -> {order-count :int, tags [:string]}
        tool/get_orders(user-id int) -> {order-count int, tags [string]}  ; All orders.
        0.11
        (user-id :int, _raw-data :map?) -> {order-count :int, tags [:string]}
        tool/get_orders(user-id int, _raw-data map?) -> {order-count int, tags [string]}  ; All orders.
        next
        (user-id :int, _raw-data :map?) -> {order-count :int, tags [:string]}
        tool/get_orders(user-id int, _raw-data map?) -> {order-count int, tags [string]}  ; All orders.
    "#]].assert_eq(&table);
    assert_eq!(
        lisp_entry("get-inventory", &signature(":map"), None, Edition::V0_11),
        "tool/get-inventory() -> map"
    );
}

#[test]
fn the_firewall_hides_names_at_every_depth() {
    let text = "(q :string, _token :string) -> {summary :string, _raw [:map], rows [{id :int, _at :int}], meta {_x :int}}";
    let shown = |edition| prompt_entry("agent", &signature(text), None, edition);
    let hidden = "agent(q :string) -> {summary :string, rows [{id :int}], meta {}}";
    assert_eq!(shown(Edition::V0_4), hidden);
    assert_eq!(shown(Edition::V0_5), hidden);
    assert_eq!(shown(Edition::V0_11), format!("agent{text}"));
    assert_eq!(signature(text).to_string(), text);
}

proptest! {
    #[test]
    fn the_canonical_text_reads_back(signature in signatures()) {
        let text = signature.to_string();
        let (read, problems) = parse_signature(&text, Edition::V0_11);
        prop_assert_eq!(read.as_ref(), Some(&signature), "{} {:?}", text, problems);
        prop_assert_eq!(read.map(|read| read.to_string()), Some(text));
    }
}
