//! In PTC-Lisp: keys that a program reads from inputs and results, as in `(:name user)`, `(get user :name)` and
//! `{:keys [name]}`.

use super::{Completion, CompletionKind};
use crate::{
    ide::{Document, scan::Scan},
    model::{
        Fields, TypeKind,
        program::{Fault, Ty},
        render::lisp_key,
    },
};
use signature_ls_source::text::{TextEdit, TextRange, TextSize};

/// Stands for the key: no field has this name.
const KEY: &str = ":0";

/// The fields of what is read with the key at `replaced`, which `scan` ends with.
///
/// A copy of the document reads a key that does not exist, which tells what lacks it.
pub(super) fn items(
    document: &Document,
    scan: &Scan,
    replaced: TextRange,
) -> Option<Vec<Completion>> {
    let is_key = scan.word.starts_with(':');
    if !is_key && !is_bound(scan) {
        return None;
    }
    let asked = document.unchecked_with(&TextEdit::replace(replaced, KEY));
    let fields = fields(&asked, replaced.start() + TextSize::of(':'))?;
    let items = fields.iter().map(|it| {
        let name = lisp_key(&it.name, document.edition());
        let mark = if is_key { ":" } else { "" };
        Completion::new(format!("{mark}{name}"), CompletionKind::Field).detail(&it.ty)
    });
    Some(items.collect())
}

/// Whether the place is in `{:keys […]}`.
fn is_bound(scan: &Scan) -> bool {
    let [.., map, names] = scan.open.as_slice() else {
        return false;
    };
    let key = map.items.last();
    map.bracket == '{' && names.bracket == '[' && key.is_some_and(|it| it == ":keys")
}

/// The fields of the record that lacks the key at `offset`.
fn fields(document: &Document, offset: TextSize) -> Option<Fields> {
    let mut units = document.units_at(offset);
    units.find_map(|(placed, analysis)| {
        document.with_view(placed, analysis, |view| {
            let mut fields = None;
            view.look_at_programs(|_, faults| {
                let lacking = faults.iter().find_map(|it| match it {
                    Fault::Key { range, of, .. } if range.start() + placed.start == offset => {
                        Some(of)
                    }
                    _ => None,
                });
                if let Some(Ty::Declared(it)) = lacking
                    && let TypeKind::Record(all) = &it.ty.kind
                {
                    fields.get_or_insert_with(|| all.clone());
                }
            });
            fields
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::ide::{completion, testing::marked};
    use signature_ls_source::host::HostKind;

    #[test]
    fn keys_of_records_are_offered() {
        const TOOL: &str = "get() -> {full_name :string, tags [{label :string}]}";
        for (program, expected) in [
            ("(let [u (tool/get)] (:$0 u))", &[":full-name", ":tags"][..]),
            ("(let [u (tool/get)] (:fu$0 u))", &[":full-name", ":tags"]),
            (
                "(let [u (tool/get)] (:full$0-name u))",
                &[":full-name", ":tags"],
            ),
            ("(-> (tool/get) :$0)", &[":full-name", ":tags"]),
            ("(get (tool/get) :t$0)", &[":full-name", ":tags"]),
            ("(map :$0 (:tags (tool/get)))", &[":label"]),
            ("(let [{:keys [f$0]} (tool/get)] 1)", &["full-name", "tags"]),
            ("(let [{:keys [$0]} (tool/get)] 1)", &["full-name", "tags"]),
            ("(let [u (tool/get)]\n  (:fu$0 u)", &[":full-name", ":tags"]),
            ("(->> (tool/get) :tags\n  (map :$0", &[":label"]),
            ("(get-in (tool/get) [:$0", &[":full-name", ":tags"]),
            ("(:$0 unknown)", &[]),
            ("(let [u (tool/get)] [:$0 u])", &[]),
        ] {
            let text = format!("```sig\n{TOOL}\n```\n\n```clojure\n{program}\n```\n");
            let (document, offset) = marked(HostKind::Markdown, &text);
            let found = completion(&document, &[], offset);
            let labels = found.iter().flat_map(|it| &it.items);
            let labels: Vec<_> = labels.map(|it| it.label.as_str()).collect();
            assert_eq!(labels, expected, "{program}");
        }
    }

    #[test]
    fn keys_of_inputs_are_offered_in_strings() {
        for text in [
            "Lisp.run(\"(:$0 data/user)\", signature: \"(user {name :string}) -> :any\")\n",
            "Lisp.run(\"(str \\\"a\\\" (:$0 data/user))\", signature: \"(user {name :string}) -> :any\")\n",
        ] {
            let (document, offset) = marked(HostKind::Elixir, text);
            let found = completion(&document, &[], offset).expect(text);
            assert_eq!(found.items[0].label, ":name", "{text}");
        }
    }
}
