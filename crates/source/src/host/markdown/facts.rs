//! The functions in all code of a Markdown document, updated block by block.

use std::sync::Arc;

use crate::{
    host::{
        HAS_SMALL_STEPS,
        elixir::{module::Facts, tools::Capture},
        markdown::blocks::CodeBlock,
    },
    shared_map::SharedMap,
};

/// The functions in all blocks.
#[derive(Debug, Clone, Default)]
pub(super) struct AllFacts {
    all: Arc<Facts>,
    /// The number of blocks that name each function as a tool.
    tools: SharedMap<Capture, usize>,
}

impl AllFacts {
    /// The functions in the blocks `code`.
    pub(super) fn of(code: &[CodeBlock]) -> Self {
        let mut all = Facts::default();
        let mut facts = Self::default();
        for block in facts_in(code) {
            all.add(block);
            for tool in block.tools().filter(|_| HAS_SMALL_STEPS) {
                facts.count(tool, true);
            }
        }
        facts.all = Arc::new(all);
        facts
    }

    /// All of them; the same `Arc` as before if an edit does not change them.
    pub(super) fn get(&self) -> &Arc<Facts> {
        &self.all
    }

    /// Replaces those of the blocks `gone`, which are between the blocks `before` and `after`, by those of `new` ones;
    /// `None` if all blocks have to be read again.
    pub(super) fn replace(
        &mut self,
        [before, after]: [&[CodeBlock]; 2],
        gone: &[CodeBlock],
        new: &[CodeBlock],
    ) -> Option<()> {
        if facts_in(gone).eq(facts_in(new)) {
            return Some(());
        }
        if !HAS_SMALL_STEPS {
            return None;
        }
        let mut all = Facts::clone(&self.all);
        all.replace(facts_in(before), facts_in(gone), facts_in(new));
        for (short, full) in facts_in(gone).flat_map(Facts::aliases) {
            let has = |it: &Facts| it.aliases_of(short).contains(full);
            let is_left = [before, new, after].iter().any(|it| facts_in(it).any(has));
            all.set_alias(short, full, is_left);
        }
        for (short, full) in facts_in(new).flat_map(Facts::aliases) {
            all.set_alias(short, full, true);
        }
        let gone = facts_in(gone).flat_map(Facts::tools);
        let new = facts_in(new).flat_map(Facts::tools);
        let changes = gone.map(|it| (it, false)).chain(new.map(|it| (it, true)));
        for (tool, is_new) in changes {
            all.set_tool(tool, self.count(tool, is_new));
        }
        if all != *self.all {
            self.all = Arc::new(all);
        }
        Some(())
    }

    /// Counts one more block that names `tool`, or one less; returns whether there is one.
    fn count(&mut self, tool: &Capture, is_new: bool) -> bool {
        let count = self.tools.get(tool).copied().unwrap_or_default();
        let count = if is_new { count + 1 } else { count - 1 };
        self.tools.set(tool, Some(count).filter(|it| *it > 0));
        count > 0
    }
}

fn facts_in(code: &[CodeBlock]) -> impl Iterator<Item = &Facts> + Clone {
    code.iter().filter_map(|block| block.facts.as_deref())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::host::markdown::{blocks, embedded};

    /// The code blocks of a page with these texts.
    fn blocks(codes: &[&str]) -> Vec<CodeBlock> {
        let blocks = codes.iter().map(|it| format!("```elixir\n{it}\n```\n\n"));
        let text: String = blocks.collect();
        let mut code = blocks::scan(&text).code;
        for block in &mut code {
            block.facts = embedded::facts(&text[block.range()], block);
        }
        code
    }

    fn any_codes() -> impl Strategy<Value = Vec<&'static str>> {
        let code = proptest::sample::select(vec![
            "1 + 1",
            "alias A.B",
            "alias A.C\nimport D",
            "defmodule A do\n  def f(a), do: a\nend",
            "defmodule B do\n  def g, do: 1\nend\nf(tools: %{\"a\" => &A.f/1})",
            "f(tools: %{\"a\" => &A.f/1, \"b\" => &B.f/1, \"c\" => &g/0})",
        ]);
        proptest::collection::vec(code, 0..6)
    }

    proptest! {
        #[test]
        fn replaced_blocks_leave_what_a_whole_page_has(
            (before, gone, new, after) in (any_codes(), any_codes(), any_codes(), any_codes()),
        ) {
            let [old, new] = [gone, new].map(|it| {
                let whole = [before.as_slice(), &it, &after].concat();
                (it.len(), blocks(&whole))
            });
            let of = |(len, code): &(usize, Vec<CodeBlock>)| code[before.len()..][..*len].to_vec();
            let mut facts = AllFacts::of(&old.1);
            let around = [&old.1[..before.len()], &old.1[before.len() + old.0..]];
            let replaced = facts.replace(around, &of(&old), &of(&new));
            prop_assert!(replaced.is_some());
            let expected = AllFacts::of(&new.1);
            prop_assert_eq!(facts.get(), expected.get());
            prop_assert_eq!(&facts.tools, &expected.tools);
        }
    }
}
