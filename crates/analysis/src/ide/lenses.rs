//! Code lenses above tools and agents: the number of calls, and a preview.

use crate::ide::{Document, SymbolKind, names, symbols};
use signature_ls_source::text::{TextRange, TextSize};

/// A code lens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lens {
    /// Its place, in bytes of the document.
    pub range: TextRange,
    /// Its kind.
    pub kind: LensKind,
}

/// The kinds of code lenses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LensKind {
    /// The number of references of the tool, counted when the lens is shown.
    References,
    /// The preview of what a model sees.
    ModelView,
}

/// The lenses above the tools and agents of the document.
pub fn lenses(document: &Document) -> Vec<Lens> {
    let mut lenses = Vec::new();
    for (kind, range) in symbols::heads(document) {
        let mut add = |kind| lenses.push(Lens { range, kind });
        if kind == SymbolKind::Tool {
            add(LensKind::References);
        }
        add(LensKind::ModelView);
    }
    lenses
}

/// The place whose references the lens at `offset` counts: the name of its tool.
pub fn counted_at(document: &Document, offset: TextSize) -> TextSize {
    names::of_tool_at(document, offset).unwrap_or(offset)
}

#[cfg(test)]
mod tests {
    use super::LensKind;
    use crate::ide::{
        references,
        testing::{document, shown},
    };
    use signature_ls_source::host::HostKind;

    #[test]
    fn calls_of_a_tool_are_counted_in_every_host() {
        for (kind, text) in [
            (
                HostKind::Elixir,
                "Lisp.run(~S|(tool/get-it {:id (tool/get_it {:id 1})})|, tools: %{\"get_it\" => {&A.b/1, \"(id :int) -> :int\"}})\n",
            ),
            (
                HostKind::Elixir,
                "defmodule A do\n  @spec b(integer()) :: integer()\n  def b(id), do: id\n  def c, do: Lisp.run(~S|(+ (tool/get_it {:id 2}) (tool/get_it {:id 1}))|, tools: %{\"get_it\" => &b/1})\nend\n",
            ),
            (
                HostKind::Lisp,
                "{:tools {\"get_it\" \"(id :int) -> :int\"}}\n(tool/get-it {:id (tool/get-it {:id 1})})\n",
            ),
            (
                HostKind::Lisp,
                "{:tools {\"get_it\" {:signature \"(id :int) -> :int\"}}}\n(tool/get-it {:id (tool/get-it {:id 1})})\n",
            ),
            (
                HostKind::Prompt,
                "---\nsignature: '(a :int) -> :int'\ntools:\n  get_it: '(id :int) -> :int'\n---\n{{a}}\n\n```ptc-lisp\n(tool/get-it {:id (tool/get-it {:id 1})})\n```\n",
            ),
        ] {
            let document = document(kind, text);
            let lenses = super::lenses(&document).into_iter();
            let counts: Vec<_> = lenses
                .filter(|it| it.kind == LensKind::References)
                .map(|it| super::counted_at(&document, it.range.start()))
                .map(|at| references(&document, at, false).len())
                .collect();
            assert_eq!(counts, [2], "{text}");
        }
    }

    #[test]
    fn tools_and_agents_have_lenses() {
        let text = "signature: '(q :string) -> :int'\ntools:\n  find: '(q :string) -> :any'\n";
        let document = document(HostKind::Yaml, text);
        let lenses = super::lenses(&document).into_iter();
        let lenses: Vec<_> = lenses
            .map(|it| format!("{} {:?}", shown(&document, it.range), it.kind))
            .collect();
        assert_eq!(
            lenses,
            [
                "'(q :string) -> :int' ModelView",
                "'(q :string) -> :any' References",
                "'(q :string) -> :any' ModelView",
            ]
        );
    }
}
