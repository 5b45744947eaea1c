//! Tests of diagnostics while typing: few at the cursor, and none elsewhere.

mod documents;

use crate::ide::{Diagnostic, Document, Settings};
use signature_ls_source::{
    host::{HostKind, Role},
    text::{TextEdit, TextRange, size},
};

/// The typed text, with the text before and after it. None of the complete texts has a diagnostic.
#[derive(Clone, Copy)]
struct Typed {
    kind: HostKind,
    before: &'static str,
    typed: &'static str,
    after: &'static str,
}

const TYPED: &[Typed] = &[
    Typed {
        kind: HostKind::Elixir,
        before: "defmodule A do\n  def one do\n    SubAgent.new(prompt: \"About {{topic}}\", signature: \"(topic :string) -> :int\")\n  end\n\n",
        typed: "  def two(llm) do\n    SubAgent.run(\n      \"Find {{topic}} in {{#items}}{{id}} {{/items}}\",\n      \
                signature: \"(topic :string, items [{id :int}]) -> {n :int}\",\n      context: %{topic: \"a\", items: [%{id: 1}]},\n      \
                tools: %{\"search\" => {&Search.run/1, \"(q :string, limit :int?) -> [:map]\"}},\n      llm: llm\n    )\n  end\n",
        after: "\n  @doc \"Three.\"\n  def three do\n    SubAgent.new(prompt: \"Hi {{name}}\", signature: \"(name :string) -> :int\")\n  end\nend\n",
    },
    Typed {
        kind: HostKind::Lisp,
        before: "(def one {:signature \"(topic :string) -> :int\" :prompt \"About {{topic}}\"})\n\n",
        typed: "(def two\n  {:signature \"(topic :string, items [{id :int}]) -> {n :int}\"\n   :prompt \"Find {{topic}} {{#items}}{{id}}{{/items}}\"\n   \
                :tools {\"search\" \"(q :string, limit :int?) -> [:map]\"}})\n\n(defn run {:signature \"(a :int) -> :any\"} [a]\n  \
                (tool/search {:q \"x\" :limit 10}))\n",
        after: "\n(defn three {:signature \"(a :int, b :int) -> :int\"} [a b]\n  (+ a b))\n",
    },
    Typed {
        kind: HostKind::Json,
        before: "{\n  \"one\": {\"signature\": \"(topic :string) -> :int\", \"prompt\": \"About {{topic}}\"},\n",
        typed: "  \"two\": {\n    \"signature\": \"(topic :string, items [{id :int}]) -> {n :int}\",\n    \
                \"prompt\": \"Find {{topic}} {{#items}}{{id}}{{/items}}\",\n    \"input\": {\"topic\": \"a\", \"items\": [{\"id\": 1}]}\n  },\n",
        after: "  \"three\": {\"signature\": \"(name :string) -> :int\", \"prompt\": \"Hi {{name}}\"}\n}\n",
    },
    Typed {
        kind: HostKind::Yaml,
        before: "one:\n  signature: \"(topic :string) -> :int\"\n  prompt: \"About {{topic}}\"\n",
        typed: "two:\n  signature: (topic :string, items [{id :int}]) -> {n :int}\n  prompt: |\n    Find {{topic}}\n    {{#items}}{{id}}{{/items}}\n  \
                input: {topic: \"a\", items: [{id: 1}]}\n",
        after: "three:\n  signature: \"(name :string) -> :int\"\n  prompt: \"Hi {{name}}\"\n",
    },
    Typed {
        kind: HostKind::Markdown,
        before: "# A\n\n```signature\n(a :int) -> :int\n```\n\n",
        typed: "```elixir\nSubAgent.run(\"Find {{topic}} {{#items}}{{id}}{{/items}}\",\n  \
                signature: \"(topic :string, items [{id :int}]) -> {n :int}\",\n  output: :ptc_lisp\n)\n```\n\n\
                ```signature\n(topic :string, items [{id :int}]) -> {n :int}\n```\n",
        after: "\n# B\n\n```json\n{\"signature\": \"(name :string) -> :int\", \"prompt\": \"Hi {{name}}\"}\n```\n",
    },
    Typed {
        kind: HostKind::Prompt,
        before: "",
        typed: "---\nname: find\nsignature: \"(topic :string, items [{id :int}]) -> {n :int}\"\ninput: {topic: \"a\", items: [{id: 1}]}\n---\n\
                Find {{topic}} in:\n{{#items}}\n- {{id}}\n{{/items}}\n",
        after: "",
    },
    Typed {
        kind: HostKind::Catalog,
        before: "# Tools\nget(id :int) -> :map\n  Gets.\n\n",
        typed: "search(query :string, items [{id :int}]) -> [{id :int, title :string}]\n  Finds items.\n",
        after: "\nlast() -> :any\n  Last.\n",
    },
];

/// The documents of a host.
fn all(kind: HostKind) -> impl Iterator<Item = Typed> {
    let typed = TYPED.iter().chain(documents::DOCUMENTS).copied();
    let files = documents::FILES.iter();
    let files = files.map(|(kind, text)| Typed::from_file(*kind, text));
    typed.chain(files).filter(move |it| it.kind == kind)
}

impl Typed {
    /// The document in `text`, whose parts are separated by lines `%%%`; a single part is all typed.
    fn from_file(kind: HostKind, text: &'static str) -> Self {
        let parts: Vec<_> = text.split("%%%\n").collect();
        let (before, typed, after) = match parts.as_slice() {
            &[before, typed, after] => (before, typed, after),
            _ => ("", text, ""),
        };
        Self {
            kind,
            before,
            typed,
            after,
        }
    }
}

/// The brackets and quotes that an editor closes after the typed text.
fn closers(text: &str) -> String {
    let mut open = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let is_heredoc = rest.starts_with("\"\"\"");
        let token = &rest[..if is_heredoc { 3 } else { c.len_utf8() }];
        rest = &rest[token.len()..];
        if open.last() == Some(&token) {
            open.pop();
            continue;
        }
        match token {
            "\"" | "\"\"\"" => open.push(token),
            "(" => open.push(")"),
            "[" => open.push("]"),
            "{" => open.push("}"),
            _ => {}
        }
    }
    open.into_iter().rev().collect()
}

/// The literals in the last `len` bytes of a document, with their roles and places, counted from the end.
fn literals(document: &Document, len: usize) -> Vec<(Role, usize, usize)> {
    let text_len = usize::from(document.text().len());
    let sites = document.units().flat_map(|(placed, _)| {
        let ranges = placed.unit.sites.iter();
        ranges.map(|site| (site.role, site.content + placed.start))
    });
    let from_end = |(role, range): (Role, TextRange)| {
        let (start, end) = (usize::from(range.start()), usize::from(range.end()));
        (role, text_len - start, text_len - end)
    };
    let mut literals: Vec<_> = sites.map(from_end).filter(|it| it.1 <= len).collect();
    literals.sort_by_key(|it| std::cmp::Reverse(it.1));
    literals
}

/// A document that is being typed.
struct Typing<'a> {
    document: Document,
    it: &'a Typed,
    /// The cursor.
    end: usize,
    /// The literals after the typed text, once it is complete.
    after: Vec<(Role, usize, usize)>,
    wrong: &'a mut Vec<String>,
}

impl Typing<'_> {
    fn replace(&mut self, range: std::ops::Range<usize>, insert: &str) {
        let range = TextRange::new(size(range.start), size(range.end));
        self.document.edit(&TextEdit::replace(range, insert));
    }

    fn type_char(&mut self, c: char) {
        self.replace(self.end..self.end, c.encode_utf8(&mut [0; 4]));
        self.end += c.len_utf8();
    }

    /// Checks the text as it is, and with the brackets that an editor closes.
    fn check(&mut self) {
        let prefix = &self.it.typed[..self.end - self.it.before.len()];
        self.check_with("");
        let close = closers(prefix);
        if close.is_empty() {
            return;
        }
        self.replace(self.end..self.end, &close);
        self.check_with(&close);
        self.replace(self.end..self.end + close.len(), "");
    }

    /// Checks that the edited document has the same diagnostics as a new one.
    fn compare_with_new(&self) {
        let text = self.document.text();
        let text = text.whole();
        let new = Document::new(self.it.kind, &text, Settings::default());
        assert_eq!(self.document.diagnostics(), new.diagnostics(), "{text}");
    }

    fn check_with(&mut self, close: &str) {
        let typed = self.it.before.len()..=self.end + close.len();
        let found = self.document.diagnostics();
        let is_elsewhere = found
            .iter()
            .any(|it| !typed.contains(&usize::from(it.range.start())));
        let has_same_after =
            self.after.is_empty() || literals(&self.document, self.it.after.len()) == self.after;
        if found.len() > 2 || is_elsewhere || !has_same_after {
            let prefix = &self.it.typed[..self.end - self.it.before.len()];
            let found: Vec<_> = found.iter().map(|it| (it.rule.code, it.range)).collect();
            let taken = if has_same_after {
                ""
            } else {
                ", and what follows is read otherwise"
            };
            self.wrong.push(format!(
                "{:?} {prefix:?} + {close:?}: {found:?}{taken}",
                self.it.kind
            ));
        }
    }
}

/// Types each document of a host, once with nothing after it and once with the rest of the document. At line ends, the
/// document is compared with a new one.
fn check_prefixes(kind: HostKind) {
    let mut wrong = Vec::new();
    for it in all(kind) {
        let line_end = format!("\n{}", it.after);
        for after in ["", &line_end] {
            let text = format!("{}{after}", it.before);
            let whole = format!("{}{}{after}", it.before, it.typed);
            let whole = Document::new(kind, &whole, Settings::default());
            let literals_after = match after.is_empty() {
                true => Vec::new(),
                false => literals(&whole, it.after.len()),
            };
            let mut typing = Typing {
                document: Document::new(kind, &text, Settings::default()),
                it: &it,
                end: it.before.len(),
                after: literals_after,
                wrong: &mut wrong,
            };
            typing.check();
            for c in it.typed.chars() {
                typing.type_char(c);
                typing.check();
                if c != '\n' || after.is_empty() {
                    continue;
                }
                // The following text may also begin on the line of the cursor.
                let end = typing.end;
                typing.replace(end..end + 1, "");
                typing.check_with("");
                typing.compare_with_new();
                typing.replace(end..end, "\n");
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} texts\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
}

/// At most two diagnostics, and none outside of the typed text.
mod every_prefix_has_two_findings_at_most_and_none_elsewhere {
    use super::{HostKind, check_prefixes};

    #[test]
    fn in_elixir() {
        check_prefixes(HostKind::Elixir);
    }

    #[test]
    fn in_lisp() {
        check_prefixes(HostKind::Lisp);
    }

    #[test]
    fn in_json() {
        check_prefixes(HostKind::Json);
    }

    #[test]
    fn in_yaml() {
        check_prefixes(HostKind::Yaml);
    }

    #[test]
    fn in_markdown() {
        check_prefixes(HostKind::Markdown);
    }

    #[test]
    fn in_prompt_files() {
        check_prefixes(HostKind::Prompt);
    }

    #[test]
    fn in_catalogs() {
        check_prefixes(HostKind::Catalog);
    }
}

/// A missing quote causes at most two diagnostics, and the following text is read as before.
#[test]
fn a_missing_quote_is_one_mistake() {
    for &kind in HostKind::ALL {
        // One quote less turns the following text into another heredoc.
        for it in all(kind).filter(|it| !it.typed.contains("\"\"\"")) {
            let len = it.after.len();
            let whole = format!("{}{}{}", it.before, it.typed, it.after);
            let whole = Document::new(kind, &whole, Settings::default());
            for (at, quote) in it.typed.match_indices('"') {
                let (typed, rest) = it.typed.split_at(at);
                let rest = &rest[quote.len()..];
                let text = format!("{}{typed}{rest}{}", it.before, it.after);
                let document = Document::new(kind, &text, Settings::default());
                let found = document.diagnostics();
                let place = it.before.len()..=text.len() - len;
                assert!(found.len() <= 2, "{text}: {found:#?}");
                for it in &found {
                    assert!(
                        place.contains(&usize::from(it.range.start())),
                        "{text}: {it:#?}"
                    );
                }
                assert_eq!(literals(&document, len), literals(&whole, len), "{text}");
            }
        }
    }
}

/// The characters that open and close something in some host.
const DELIMITERS: [char; 9] = ['"', '\'', '(', ')', '[', ']', '{', '}', '`'];

/// Whether the quote at `at` is one of those that open a heredoc. Without them the quotes that close it open one.
fn opens_heredoc(text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let quotes = "\"\"\"";
    line.ends_with(quotes)
        && !line.trim_start().starts_with(quotes)
        && at >= start + line.len() - quotes.len()
}

/// Without one delimiter, or with one twice, what follows is read as before and has no finding.
mod a_wrong_delimiter_spoils_nothing_that_follows {
    use super::*;

    #[track_caller]
    fn check(kind: HostKind) {
        let mut wrong = Vec::new();
        for it in all(kind).filter(|it| !it.after.is_empty()) {
            let whole = format!("{}{}{}", it.before, it.typed, it.after);
            let len = it.after.len();
            let expected = literals(&Document::new(kind, &whole, Settings::default()), len);
            let delimiters = it.typed.match_indices(DELIMITERS);
            for (at, delimiter) in delimiters.filter(|(at, _)| !opens_heredoc(it.typed, *at)) {
                let (typed, rest) = it.typed.split_at(at);
                let missing = format!("{typed}{}", &rest[delimiter.len()..]);
                for typed in [missing, format!("{typed}{delimiter}{rest}")] {
                    let text = format!("{}{typed}{}", it.before, it.after);
                    let document = Document::new(kind, &text, Settings::default());
                    let found = document.diagnostics();
                    let place = it.before.len()..=text.len() - len;
                    let is_elsewhere =
                        |it: &Diagnostic| !place.contains(&usize::from(it.range.start()));
                    if found.iter().any(is_elsewhere) || literals(&document, len) != expected {
                        let found: Vec<_> =
                            found.iter().map(|it| (it.rule.code, it.range)).collect();
                        wrong.push(format!("{typed}\n  {found:?}"));
                    }
                }
            }
        }
        assert!(
            wrong.is_empty(),
            "{} texts\n{}",
            wrong.len(),
            wrong[..wrong.len().min(12)].join("\n\n")
        );
    }

    #[test]
    fn in_elixir() {
        check(HostKind::Elixir);
    }

    #[test]
    fn in_lisp() {
        check(HostKind::Lisp);
    }

    #[test]
    fn in_json() {
        check(HostKind::Json);
    }

    #[test]
    fn in_yaml() {
        check(HostKind::Yaml);
    }

    #[test]
    fn in_markdown() {
        check(HostKind::Markdown);
    }

    #[test]
    fn in_catalogs() {
        check(HostKind::Catalog);
    }
}

#[test]
fn whole_examples_have_no_findings() {
    for &kind in HostKind::ALL {
        for it in all(kind) {
            let text = format!("{}{}{}", it.before, it.typed, it.after);
            let found = Document::new(it.kind, &text, Settings::default()).diagnostics();
            assert_eq!(found, [], "{text}");
        }
    }
}
