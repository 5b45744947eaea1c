//! The functions that can be tools.

use std::sync::Arc;

use super::Scope;
use signature_ls_source::host::elixir::module::Module;

/// A function that can be a tool.
pub(crate) struct Offered {
    /// Its name in a capture, without the `&`.
    pub(crate) written: String,
    pub(crate) signature: String,
    pub(crate) doc: Option<String>,
}

impl Scope {
    /// The functions of one argument with a spec in the document and in `others`, in the notation of the module `here`: those that
    /// can be captured there and begin with `typed`, at most `most`.
    pub(crate) fn functions_with_spec(
        &self,
        others: &[Arc<Module>],
        here: Option<&str>,
        typed: &str,
        most: usize,
    ) -> Vec<Offered> {
        let own = self.own.modules.iter();
        let is_own = |name: &str| self.own.modules.iter().any(|it| it.name == name);
        let others = others.iter().filter(|it| !is_own(&it.name));
        let mut offered = Vec::new();
        for module in own.chain(others) {
            let is_here = here.is_some_and(|it| module.name == it);
            for function in module.functions() {
                let name = match is_here && !typed.contains('.') {
                    true => function.name.to_string(),
                    false => format!("{}.{}", self.short_name(&module.name), function.name),
                };
                let written = format!("{name}/1");
                let is_callable = function.arities.all().contains(&1)
                    && (!name.contains('.') || !function.head.starts_with("defp"));
                if offered.len() >= most || !is_callable || !written.starts_with(typed) {
                    continue;
                }
                // Most completions are never chosen.
                let Some(read) = self.specs.infer(module, &function.name, 1) else {
                    continue;
                };
                offered.push(Offered {
                    written,
                    signature: read.extracted.signature.to_string(),
                    doc: function.doc(),
                });
            }
        }
        offered
    }

    /// A module under the shortest name that the document has for it.
    fn short_name(&self, full: &str) -> String {
        let aliases = self.own.aliases();
        let shorter = aliases.filter_map(|(short, long)| {
            let rest = full.strip_prefix(long.as_str())?;
            (rest.is_empty() || rest.starts_with('.')).then(|| format!("{short}{rest}"))
        });
        shorter
            .min_by_key(String::len)
            .unwrap_or_else(|| full.to_owned())
    }
}
