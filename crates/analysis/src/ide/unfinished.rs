//! Closes an unclosed string in a copy of the document, so that its text can be analyzed.

use crate::ide::Document;
use signature_ls_source::text::{TextEdit, TextRange, TextSize};

/// A document with an unclosed string closed.
pub(super) struct Finished {
    pub(super) document: Document,
    /// The inserted text, in bytes of that document.
    inserted: TextRange,
}

/// The document with the string around `offset`, or at the end of the text, closed; `None` if neither is open.
///
/// A string ends with its first line, or with that of `offset`; a heredoc continues.
pub(super) fn finished(document: &Document, offset: TextSize) -> Option<Finished> {
    let open = document.host().unclosed_around(offset)?;
    let text = document.text();
    let edit = match open.is_heredoc {
        true => TextEdit::insert(open.range.end(), format!("\n{}", open.closing)),
        false => {
            let line = text.line_range(open.range.start().max(offset));
            let written = text.slice(line);
            let end = line.start() + TextSize::of(written.trim_end());
            TextEdit::insert(end.max(offset), open.closing)
        }
    };
    let inserted = edit.inserted_range();
    let document = document.unchecked_with(&edit);
    Some(Finished { document, inserted })
}

impl Finished {
    /// Maps a range of the finished document to the original one.
    pub(super) fn original(&self, range: TextRange) -> TextRange {
        let original = |offset: TextSize| match offset.checked_sub(self.inserted.end()) {
            Some(following) => self.inserted.start() + following,
            None => offset.min(self.inserted.start()),
        };
        TextRange::new(original(range.start()), original(range.end()))
    }
}

#[cfg(test)]
mod tests {
    use crate::ide::{definitions, hover, testing::document};
    use signature_ls_source::{host::HostKind, text::size};

    /// The name at `‸` refers to the parameter `topic`, in a text that ends in an open string.
    #[track_caller]
    fn check(text: &str) {
        let offset = size(text.find('‸').expect("a place"));
        let text = text.replace('‸', "");
        let document = document(HostKind::Elixir, &text);
        let hover = hover(&document, offset);
        let markdown = hover.as_ref().map(|it| it.markdown.as_str());
        assert!(
            markdown.is_some_and(|it| it.contains("topic :string")),
            "{markdown:?} in {text}"
        );
        let targets = definitions(&document, offset).into_iter();
        let targets: Vec<_> = targets
            .map(|it| document.text().slice(it.target).into_owned())
            .collect();
        assert_eq!(targets, ["topic"], "{text}");
    }

    #[test]
    fn names_have_a_meaning_in_strings_that_are_not_closed() {
        for text in [
            "SubAgent.run(\"Find {{to‸pic}}\", signature: \"(topic :string) -> :int\n",
            "SubAgent.run(\"Find {{topic}}\", signature: \"(to‸pic :string) -> :int\n  end\nend\n",
            "SubAgent.run(\"Find {{topic}}\", signature: ~S{(to‸pic :string) -> :int\n",
            "SubAgent.new(signature: \"(topic :string) -> :int\", prompt: \"Find {{to‸pic}} now\n  end\nend\n",
            "SubAgent.new(signature: \"(topic :string) -> :int\", prompt: \"\"\"\nFind\n{{to‸pic}} now\n\nlater\n",
            "SubAgent.new(signature: \"(topic :string) -> :int\", prompt: ~S|{{to‸pic}} now\n",
        ] {
            check(text);
        }
    }

    #[test]
    fn what_is_not_ours_stays_so() {
        let text = "def f(x) do\n  IO.puts(\"Find {{topic}} x\n  end\n";
        let document = document(HostKind::Elixir, text);
        for offset in 0..=text.len() {
            assert_eq!(hover(&document, size(offset)), None, "{offset}");
            assert_eq!(definitions(&document, size(offset)), [], "{offset}");
        }
    }
}
