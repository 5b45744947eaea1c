//! Directives in comments: `# signature-ls: ignore unknown-type` above a line or at its end, and
//! `# signature-ls: edition 0.5` on a line of its own anywhere.
//! A directive follows a comment mark of one of the hosts. Directives are found by a search for their first words; the
//! host decides whether one is in a comment.

use memchr::memmem;

use crate::model::Edition;
use signature_ls_source::{
    text::{Text, TextEdit, TextRange, TextSize, size},
    work,
};

/// The words at the start of a directive.
pub(super) const WORDS: &str = "signature-ls:";

/// The comment marks before a directive.
const COMMENT_MARKS: &[&str] = &["#", ";", "//", "/*", "<!--", "{{!", "--", "%"];

/// The ends of comments after a directive.
const COMMENT_ENDS: &[&str] = &["-->", "}}", "*/"];

const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// The directives of a document, in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Directives {
    list: Vec<Directive>,
}

/// One directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Directive {
    /// Its words without the comment mark, in bytes of the document.
    pub(super) range: TextRange,
    pub(super) kind: DirectiveKind,
    /// Whether something else precedes it on its line, to which it applies then instead of the next one.
    pub(super) is_trailing: bool,
}

/// The kinds of directives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DirectiveKind {
    /// Diagnostics with these codes are not reported on the line that it applies to.
    Ignore(Vec<String>),
    /// The rules of this edition apply to the document.
    Edition(Edition),
    /// An invalid directive.
    Unknown,
}

impl Directives {
    /// Finds the directives of a whole document.
    pub(super) fn find(text: &str) -> Self {
        Self {
            list: find_in(text, TextSize::default()),
        }
    }

    /// Applies `edit`, reading only the lines that it touches; `text` is the document after it.
    pub(super) fn edit(&mut self, text: &Text, edit: &TextEdit) {
        let inserted = edit.inserted_range();
        let touched = text
            .line_range(inserted.start())
            .cover(text.line_range(inserted.end()));
        let tail = text.len() - inserted.end();
        // Directives after the touched lines keep their distance from the document's end.
        let old_len = edit.range.end() + tail;
        let first = self
            .list
            .partition_point(|it| it.range.end() <= touched.start());
        let last = self
            .list
            .partition_point(|it| it.range.start() + text.len() < touched.end() + old_len);
        for directive in &mut self.list[last.max(first)..] {
            directive.range = directive.range + text.len() - old_len;
        }
        self.list.splice(
            first..last.max(first),
            find_in(&text.slice(touched), touched.start()),
        );
    }

    /// Those in comments; `is_comment` decides for a place.
    pub(super) fn in_comments(&self, mut is_comment: impl FnMut(TextSize) -> bool) -> Self {
        let list = self.list.iter().filter(|it| is_comment(it.range.start()));
        Self {
            list: list.cloned().collect(),
        }
    }

    /// The edition in a directive; the first one counts.
    pub(super) fn edition(&self, mut is_comment: impl FnMut(TextSize) -> bool) -> Option<Edition> {
        self.list.iter().find_map(|it| match it.kind {
            DirectiveKind::Edition(edition) => is_comment(it.range.start()).then_some(edition),
            DirectiveKind::Ignore(_) | DirectiveKind::Unknown => None,
        })
    }

    /// All of them, in the order of the text.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Directive> {
        self.list.iter()
    }

    /// The words in the place of rule codes, each with its place.
    pub(super) fn named_rules(&self, text: &Text) -> impl Iterator<Item = (TextRange, String)> {
        let ignoring = self.list.iter();
        let ignoring = ignoring.filter(|it| matches!(it.kind, DirectiveKind::Ignore(_)));
        ignoring.flat_map(|it| {
            let directive = text.slice(it.range);
            let codes = words(&directive).skip(1);
            let placed = codes.map(|(range, code)| (range + it.range.start(), code.to_owned()));
            placed.collect::<Vec<_>>()
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The indices of the directives that apply to the line at `offset`: the one at its end, and the one on a line of its
    /// own before it. Between them, lines that only open a code block of Markdown are skipped.
    pub(super) fn about_line(&self, text: &Text, offset: TextSize) -> [Option<usize>; 2] {
        let line = text.line_range(offset);
        let own = self.on(line).filter(|it| self.list[*it].is_trailing);
        let mut before = line_before(text, line);
        if before.is_some_and(|it| opens_code(&text.slice(it))) {
            before = before.and_then(|it| line_before(text, it));
        }
        let above = before.and_then(|it| self.on(it));
        [own, above.filter(|it| !self.list[*it].is_trailing)]
    }

    /// The words of a directive that ignores rules on the line at `offset`.
    pub(super) fn ignoring_on(&self, text: &Text, offset: TextSize) -> Option<TextRange> {
        let about = self.about_line(text, offset).into_iter().flatten();
        let mut about = about.map(|it| &self.list[it]);
        let ignoring = about.find(|it| matches!(it.kind, DirectiveKind::Ignore(_)))?;
        Some(ignoring.range)
    }

    /// The index of the directive on a line.
    fn on(&self, line: TextRange) -> Option<usize> {
        let index = self
            .list
            .partition_point(|it| it.range.end() <= line.start());
        let directive = self.list.get(index)?;
        line.contains_range(directive.range).then_some(index)
    }
}

fn line_before(text: &Text, line: TextRange) -> Option<TextRange> {
    Some(text.line_range(line.start().checked_sub(TextSize::from(1))?))
}

fn opens_code(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '>']);
    line.starts_with("```") || line.starts_with("~~~")
}

/// The directives of `text`, which begins at `start` of the document.
fn find_in(text: &str, start: TextSize) -> Vec<Directive> {
    // The rest of a line with a hit has no directive.
    let mut line = 0;
    memmem::find_iter(text.as_bytes(), WORDS.as_bytes())
        .filter_map(|at| {
            let before = text.get(line..at)?;
            let line_start = before.rfind(LINE_ENDS).map_or(line, |end| line + end + 1);
            let line_end = text[at..]
                .find(LINE_ENDS)
                .map_or(text.len(), |end| at + end);
            work::count(line_end - line);
            line = line_end;
            let mut found = directive_on(&text[line_start..line_end], at - line_start)?;
            found.range += size(line_start) + start;
            Some(found)
        })
        .collect()
}

/// The directive at the end of `line`, as far as it is written; it may be invalid.
pub(super) fn on_line(line: &str) -> Option<&str> {
    let at = line.find(WORDS)?;
    let before = line[..at].trim();
    (is_comment(before) || ends_in_mark(before)).then(|| &line[at..])
}

/// Whether `before` is exactly the start of a comment, after the margin of a quote in Markdown.
fn is_comment(before: &str) -> bool {
    let before = before.trim_start_matches([' ', '\t', '>']);
    COMMENT_MARKS.iter().any(|mark| {
        before
            .strip_prefix(mark)
            .is_some_and(|rest| rest.trim_matches(&['#', ';', '/', '!'][..]).is_empty())
    })
}

/// Whether `before` ends in a comment mark after something else and a blank.
fn ends_in_mark(before: &str) -> bool {
    let mark = before.rsplit_once([' ', '\t']).map(|(_, mark)| mark);
    mark.is_some_and(|it| !it.starts_with('>') && is_comment(it))
}

/// The directive whose words begin at `at` of `line`, if a comment mark precedes them.
fn directive_on(line: &str, at: usize) -> Option<Directive> {
    let before = line[..at].trim();
    let is_trailing = !is_comment(before);
    if is_trailing && !ends_in_mark(before) {
        return None;
    }
    let mut words = line[at..].trim_end();
    for end in COMMENT_ENDS {
        words = words.strip_suffix(end).unwrap_or(words).trim_end();
    }
    let range = TextRange::at(size(at), TextSize::of(words));
    let kind = kind_of(words);
    // What sets the edition of a document is easy to find. Text after the comment is not a list of codes.
    let is_ignored = matches!(kind, DirectiveKind::Ignore(_));
    if is_trailing && (!is_ignored || COMMENT_ENDS.iter().any(|end| words.contains(end))) {
        return None;
    }
    Some(Directive {
        range,
        kind,
        is_trailing,
    })
}

/// The words of a directive after `signature-ls:`, each with its place in the directive.
pub(super) fn words(directive: &str) -> impl Iterator<Item = (TextRange, &str)> {
    let rest = directive.strip_prefix(WORDS).unwrap_or_default();
    let mut at = TextSize::of(WORDS);
    let words = rest.split([' ', '\t', ',']).map(move |word| {
        let range = TextRange::at(at, TextSize::of(word));
        at = range.end() + TextSize::from(1);
        (range, word)
    });
    words.filter(|(_, word)| !word.is_empty())
}

fn kind_of(directive: &str) -> DirectiveKind {
    let mut words = words(directive).map(|(_, word)| word);
    match words.next() {
        Some("ignore") => {
            let codes: Vec<_> = words.map(str::to_owned).collect();
            if codes.is_empty() {
                DirectiveKind::Unknown
            } else {
                DirectiveKind::Ignore(codes)
            }
        }
        Some("edition") => words
            .next()
            .and_then(|name| name.parse().ok())
            .map_or(DirectiveKind::Unknown, DirectiveKind::Edition),
        _ => DirectiveKind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn twice_the_hits_are_twice_the_work() {
        for unit in [
            "signature-ls: ",
            "signature-ls:",
            "# signature-ls: ignore a\n",
            "a signature-ls:\r",
        ] {
            let read =
                |count| work::counted(|| Directives::find(&format!("# {}", unit.repeat(count))));
            let (few, many) = (read(500), read(1_000));
            assert!(
                few > 0 && many <= 2 * few + 64,
                "{unit:?}: {few} bytes, then {many}"
            );
        }
    }

    #[test]
    fn a_line_of_its_own_makes_a_directive() {
        let cases = [
            (
                "# signature-ls: ignore unknown-type",
                DirectiveKind::Ignore(vec!["unknown-type".to_owned()]),
            ),
            (
                "  ;; signature-ls: ignore a, b",
                DirectiveKind::Ignore(vec!["a".to_owned(), "b".to_owned()]),
            ),
            (
                "<!-- signature-ls: edition 0.5 -->",
                DirectiveKind::Edition(Edition::V0_5),
            ),
            (
                "{{! signature-ls: edition 0.11 }}",
                DirectiveKind::Edition(Edition::V0_11),
            ),
            ("// signature-ls: edition 7", DirectiveKind::Unknown),
            ("# signature-ls: ignore", DirectiveKind::Unknown),
        ];
        for (text, kind) in cases {
            let found = Directives::find(text);
            assert_eq!(
                found.list.iter().map(|it| &it.kind).collect::<Vec<_>>(),
                [&kind],
                "{text}"
            );
        }
        for text in [
            "signature-ls: ignore a",
            "\"signature-ls: ignore a\"",
            "x# signature-ls: ignore a",
        ] {
            assert!(Directives::find(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn what_ignores_rules_may_be_at_the_end_of_a_line() {
        for (text, is_directive) in [
            ("x = 1 # signature-ls: ignore a", true),
            ("(f) ;; signature-ls: ignore a b", true),
            ("{{x}} {{! signature-ls: ignore a }}", true),
            ("x = 1 # signature-ls: edition 0.5", false),
            ("x = 1 # signature-ls: igno", false),
            ("x = 1 signature-ls: ignore a", false),
            ("{{x}} {{! signature-ls: ignore a }} and more", false),
        ] {
            let found = Directives::find(text);
            let trailing: Vec<_> = found.list.iter().map(|it| it.is_trailing).collect();
            assert_eq!(trailing, vec![true; usize::from(is_directive)], "{text}");
        }
    }

    fn piece() -> impl Strategy<Value = &'static str> {
        proptest::sample::select(vec![
            "# signature-ls: ignore a",
            "\n",
            "\r\n",
            "x",
            "#",
            " ",
            "signature-ls:",
            "é",
            " edition 0.5",
            "x # signature-ls: ignore b",
        ])
    }

    proptest! {
        #[test]
        fn edits_are_followed(
            pieces in proptest::collection::vec(piece(), 0..12),
            edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..6_usize, piece()), 1..5),
        ) {
            let mut plain = pieces.concat();
            let mut text = Text::from(plain.as_str());
            let mut directives = Directives::find(&plain);
            for (at, len, insert) in edits {
                let boundaries: Vec<usize> = plain.char_indices().map(|(at, _)| at).chain([plain.len()]).collect();
                let start = at.index(boundaries.len());
                let end = (start + len).min(boundaries.len() - 1);
                let edit = TextEdit::replace(TextRange::new(size(boundaries[start]), size(boundaries[end])), insert);
                edit.apply(&mut plain);
                text.apply(&edit);
                directives.edit(&text, &edit);
                prop_assert_eq!(&directives, &Directives::find(&plain), "{:?}", plain);
            }
        }
    }
}
