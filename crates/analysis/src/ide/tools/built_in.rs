//! The library's own tools.

use std::sync::{Arc, LazyLock};

use super::ToolSignature;
use crate::model::{Edition, Signature, gaps::Gap, parse_signature};

/// The tools that an agent can enable, `call`, which calls the tool of another server, and `servers`, which lists these.
const NAMES: &[&str] = &["call", "grep", "grep_n", "llm_query", "servers"];

/// `call` takes only its parameters.
static CALL: LazyLock<Option<ToolSignature>> =
    LazyLock::new(|| Some(read("(server :string, tool :string, args :map?) -> :any")?.into()));

/// The other arguments of `llm_query` are values of its prompt.
static LLM_QUERY: LazyLock<Option<ToolSignature>> = LazyLock::new(|| {
    Some(ToolSignature {
        signature: Arc::new(read("(prompt :string) -> :any")?),
        gap: Gap::open().into(),
    })
});

/// Whether the library has a tool with that normal name.
pub(super) fn has(name: &str) -> bool {
    NAMES.contains(&name)
}

/// The signature of the library's tool with that normal name, if a call with these `arguments` certainly means it.
pub(crate) fn signature<'a>(
    name: &str,
    arguments: impl Iterator<Item = &'a str>,
) -> Option<&'static ToolSignature> {
    match name {
        "call" => {
            let tool = CALL.as_ref()?;
            let is_param = |it: &&str| tool.signature.params.iter().any(|param| param.name == **it);
            // Other programs may have a tool with that name.
            (arguments.filter(is_param).count() >= 2).then_some(tool)
        }
        "llm_query" => LLM_QUERY.as_ref(),
        _ => None,
    }
}

fn read(text: &str) -> Option<Signature> {
    parse_signature(text, Edition::V0_11).0
}

#[cfg(test)]
mod tests {
    use crate::{ide::testing::found_in, model::Edition};
    use signature_ls_source::host::HostKind;

    #[test]
    fn calls_of_the_librarys_own_tools_are_checked() {
        for (call, expected) in [
            (
                "(tool/call {:server \"crm\" :tool \"get\" :args {}})",
                &[][..],
            ),
            ("(tool/call {:server \"crm\" :tool \"get\"})", &[]),
            (
                "(tool/call {:server \"crm\" :tol \"get\" :args {}})",
                &["missing-argument: :tol"],
            ),
            (
                "(tool/call {:server \"crm\" :tool \"get\" :arg {}})",
                &["unknown-argument: :arg"],
            ),
            (
                "(tool/call {:server 1 :tool \"get\" :args {}})",
                &["value-type: 1"],
            ),
            ("(tool/call 'crm/get {:id 1})", &[]),
            ("(tool/call 'crm/get)", &[]),
            ("(tool/servers)", &[]),
            ("(map :name (tool/servers))", &[]),
            ("(tool/call {:number \"555\"})", &[]),
            ("(tool/llm-query {:prompt \"Is {{x}} new?\" :x 1})", &[]),
            (
                "(tool/llm-query {:promt \"Is {{x}} new?\" :x 1})",
                &["missing-argument: :promt"],
            ),
            ("(tool/llm-query options)", &[]),
            ("(tool/grep {:pattern \"a\"})", &[]),
        ] {
            for tools in ["", "{:tools {\"search\" \"(q :string) -> :any\"}}\n"] {
                let text = format!("{tools}{call}\n");
                let found = found_in(HostKind::Lisp, &text, Edition::V0_11);
                assert_eq!(found, expected, "{text}");
            }
        }
        let own = "{:tools {\"call\" \"(number :string) -> :any\"}}\n(tool/call {:server \"crm\" :tool \"get\" :number \"1\"})\n";
        let found = found_in(HostKind::Lisp, own, Edition::V0_11);
        assert_eq!(
            found,
            ["unknown-argument: :server", "unknown-argument: :tool"]
        );
    }
}
