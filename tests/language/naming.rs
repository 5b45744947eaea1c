//! Naming: underscores in signatures, hyphens in programs.

use signature_ls_analysis::model::Edition;
use signature_ls_source::host::HostKind;

use crate::harness::{codes, fixed, in_signature};

const EDITION: Edition = Edition::V0_11;

#[test]
fn a_hyphen_in_a_signature_gets_a_hint() {
    let found = in_signature("(user-id :int) -> {order-count :int}", EDITION);
    assert_eq!(found, ["hyphen-in-name", "hyphen-in-name"]);
    let found = in_signature("(user_id :int) -> {order_count :int}", EDITION);
    assert_eq!(found, [] as [&str; 0]);
}

#[test]
fn the_fix_of_a_hyphen_renames_the_placeholders_too() {
    let before = "order-id {{order-id}} {{#user.home-town}}{{.}}{{/user.home-town}}";
    let agents = [
        (
            HostKind::Elixir,
            "SubAgent.new(prompt: \"PROMPT\", signature: \"SIGNATURE\")\n",
        ),
        (
            HostKind::Lisp,
            "{:signature \"SIGNATURE\" :prompt \"PROMPT\"}\n",
        ),
        (
            HostKind::Json,
            "{\"signature\": \"SIGNATURE\", \"prompt\": \"PROMPT\"}\n",
        ),
        (
            HostKind::Yaml,
            "signature: \"SIGNATURE\"\nprompt: |\n  PROMPT\n",
        ),
        (
            HostKind::Prompt,
            "---\nsignature: \"SIGNATURE\"\n---\nPROMPT\n",
        ),
    ];
    for (kind, form) in agents {
        let agent = |order: &str, town: &str| {
            let signature = format!("({order} :int, user {{{town} :bool}}) -> :int");
            let prompt = before.replace("{{order-id}}", &format!("{{{{{order}}}}}"));
            let prompt = prompt.replace("home-town", town);
            form.replace("SIGNATURE", &signature)
                .replace("PROMPT", &prompt)
        };
        let mut text = agent("order-id", "home-town");
        for _ in 0..2 {
            let fixes = fixed(kind, EDITION, &text, "hyphen-in-name");
            text = fixes.into_iter().next().expect("a fix");
        }
        assert_eq!(text, agent("order_id", "home_town"), "{kind:?}");
    }
}

#[test]
fn key_normalization() {
    for (key, field) in [
        (":order-count", "order_count"),
        (":is-active", "is_active"),
        (":user-id", "user_id"),
        (":user-name", "user_name"),
        (":created-at", "created_at"),
        (":order_count", "order_count"),
    ] {
        let tools = format!("{{:tools {{\"t\" \"({field} :any) -> {{{field} :any}}\"}}}}\n");
        let text = format!("{tools}(tool/t {{{key} 1}})\n");
        assert_eq!(
            codes(HostKind::Lisp, EDITION, &text),
            [] as [&str; 0],
            "{key}"
        );
        let returned =
            format!("(defn f {{:signature \"{{{field} :int}}\"}} [] (return {{{key} 1}}))\n");
        assert_eq!(
            codes(HostKind::Lisp, EDITION, &returned),
            [] as [&str; 0],
            "{key}"
        );
    }
}

#[test]
fn deep_nesting_gets_a_hint() {
    let found = in_signature("{a {b {c {d {e :int}}}}}", EDITION);
    assert_eq!(found, ["deep-nesting"]);
    assert_eq!(
        in_signature("{user {profile :map}}", EDITION),
        [] as [&str; 0]
    );
}
