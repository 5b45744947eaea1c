use proptest::prelude::*;

use super::*;
use crate::workspace::files::{Files, Origin};
use signature_ls_source::host::elixir::module::facts;

const NAMES: [&str; 3] = ["A", "B", "A.C"];

/// Modules with few names, so that some are defined several times, and tools in them.
fn content() -> impl Strategy<Value = String> {
    let name = proptest::sample::select(NAMES.to_vec());
    let body = proptest::sample::select(vec![
        "",
        "  def f(a), do: a\n",
        "  @spec f(integer()) :: integer()\n  def f(a), do: a\n",
        "  def g(%{a: a}), do: a\n",
        "  def t, do: SubAgent.new(prompt: \"Go.\", tools: %{\"f\" => &f/1, \"g\" => &B.g/1})\n",
        "  import A\n  import B\n  def u, do: SubAgent.new(prompt: \"Go.\", tools: %{\"f\" => &f/1, \"g\" => &g/1})\n",
    ]);
    let module = (name, body).prop_map(|(name, body)| format!("defmodule {name} do\n{body}end\n"));
    proptest::collection::vec(module, 0..5).prop_map(|it| it.concat())
}

fn files(count: usize) -> Vec<FileId> {
    let mut files = Files::default();
    (0..count).map(|_| files.add(Origin::Nowhere)).collect()
}

fn all_asks() -> Asks {
    let names = || NAMES.iter().map(|it| (*it).to_owned()).collect();
    Asks {
        modules: names(),
        own_modules: names(),
    }
}

proptest! {
    #[test]
    fn after_any_changes_an_index_answers_like_a_fresh_one(
        steps in proptest::collection::vec((0..3_usize, proptest::option::of(content())), 1..12),
    ) {
        let files = files(3);
        let mut index = Index::default();
        let mut texts: [Option<String>; 3] = [const { None }; 3];
        for (at, text) in steps {
            let before = index.clone();
            let touched = index.put(files[at], text.as_deref().map(|it| Arc::new(facts(it))));
            texts[at] = text;

            let mut fresh = Index::default();
            for (file, text) in files.iter().zip(&texts) {
                fresh.put(*file, text.as_deref().map(|it| Arc::new(facts(it))));
            }
            prop_assert_eq!(index.answers(&all_asks()), fresh.answers(&all_asks()));
            for name in NAMES {
                let all: Vec<_> = texts.iter().flatten().map(|it| facts(it)).collect();
                let mut defined = all.iter().flat_map(|it| &it.modules);
                let is_once = defined.by_ref().filter(|it| it.name == name).count() == 1;
                prop_assert_eq!(index.module(name).is_some(), is_once, "{}", name);

                let asks = |is_own: bool| Asks {
                    modules: [name.to_owned()].into_iter().filter(|_| !is_own).collect(),
                    own_modules: [name.to_owned()].into_iter().filter(|_| is_own).collect(),
                };
                for asks in [asks(false), asks(true)] {
                    let is_changed = before.answers(&asks) != index.answers(&asks);
                    prop_assert!(!is_changed || touched.concerns(&asks), "{}", name);
                }
            }
        }
    }
}

/// Takes many minutes if each module is compared with all others.
#[test]
fn many_modules_in_a_file_are_looked_up_by_name() {
    const COUNT: usize = 60_000;
    let [file] = files(1)[..] else {
        panic!("a file");
    };
    let text = |body: &str| -> String {
        let modules = (0..COUNT).map(|it| format!("defmodule A{it} do {body}end\n"));
        modules.collect()
    };
    let asks = Asks {
        modules: (0..COUNT).map(|it| format!("A{it}")).collect(),
        own_modules: BTreeSet::new(),
    };
    let mut index = Index::default();
    for text in [text(""), text("def f, do: 1 "), text("")] {
        let facts = facts(&text);
        assert_eq!(facts.modules.len(), COUNT);
        let touched = index.put(file, Some(Arc::new(facts)));
        assert_eq!(touched.modules.len(), COUNT);
        assert_eq!(index.answers(&asks).modules.len(), COUNT);
    }
    let same = "defmodule A do end\n".repeat(COUNT);
    index.put(file, Some(Arc::new(facts(&same))));
    assert!(index.module("A").is_none());
    index.put(file, None);
    assert_eq!(index.modules().count(), 0);
}

/// Takes many minutes if the list is copied for each function.
#[test]
fn many_tools_of_a_module_are_replaced_together() {
    const COUNT: usize = 20_000;
    let [file] = files(1)[..] else {
        panic!("a file");
    };
    let text = |from: usize| -> String {
        let tools = (from..from + COUNT).map(|it| format!("\"t{it}\" => &A.t{it}/1, "));
        let tools: String = tools.collect();
        format!("SubAgent.new(prompt: \"Go.\", tools: %{{{tools}}})\n")
    };
    let asks = Asks {
        own_modules: ["A".to_owned()].into(),
        ..Asks::default()
    };
    let mut index = Index::default();
    for from in [0, COUNT] {
        index.put(file, Some(Arc::new(facts(&text(from)))));
        let tools = index.answers(&asks).tools;
        assert_eq!(tools.len(), COUNT);
        assert!(tools.iter().any(|it| it.name == format!("t{from}")));
    }
}

/// Takes minutes if each tool is looked for in each import.
#[test]
fn many_tools_of_imported_modules_are_found_by_name() {
    const COUNT: usize = 20_000;
    let [file, other] = files(2)[..] else {
        panic!("files");
    };
    let all = |unit: &str| -> String {
        (0..COUNT)
            .map(|it| unit.replace('№', &it.to_string()))
            .collect()
    };
    let modules = all("defmodule A№ do\n  def f№(a), do: a\nend\n");
    let tools = all("\"t№\" => &f№/1, ");
    let tools = format!("SubAgent.new(prompt: \"Go.\", tools: %{{{tools}}})\n");
    let importing = all("import A№\n") + &tools;
    let asks = Asks {
        own_modules: (0..COUNT).map(|it| format!("A{it}")).collect(),
        ..Asks::default()
    };
    let mut index = Index::default();
    index.put(file, Some(Arc::new(facts(&modules))));
    index.put(other, Some(Arc::new(facts(&importing))));
    assert_eq!(index.answers(&asks).tools.len(), COUNT);
    index.put(other, None);
    assert!(index.answers(&asks).tools.is_empty() && !index.has_tools());
}
