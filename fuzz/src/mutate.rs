//! Inputs: pieces of the repository's own files, cut, joined, repeated and disturbed.

use std::{fs, path::Path};

use crate::input::{Edit, Input};

/// The folders whose files are used.
const FOLDERS: [&str; 3] = ["../examples", "../tests/editors/fixtures", "../docs"];

/// Longer texts only take longer.
const LONGEST: usize = 3_000;

/// Texts that are inserted anywhere.
const TOKENS: [&str; 88] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "%{",
    "#{",
    "~S|",
    "~T\"",
    "{{",
    "}}",
    "{{{",
    "{{#",
    "{{/",
    "{{^",
    "{{.}}",
    "{{!",
    "{{a}}",
    "{{#a}}",
    "{{/a}}",
    "->",
    "→",
    "=>",
    ":",
    "::",
    ",",
    ";",
    "|",
    "\\",
    "\\\\",
    "\\\"",
    "\\u003e",
    "\\ud83d",
    "\\x41",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "`",
    "```",
    "~~~",
    "```elixir\n",
    "```signature\n",
    "---\n",
    "...",
    "- ",
    "? ",
    "& ",
    "*a",
    "!t ",
    "> ",
    "  ",
    "\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "\u{a0}",
    "\u{feff}",
    "\u{2028}",
    "\u{0}",
    "é",
    "字",
    "😀",
    "👩‍🚀",
    ":int",
    ":string",
    ":any?",
    ":strng",
    "[:",
    "list[string]",
    "(a :int) -> :int",
    "a :int",
    "@spec ",
    "@doc ",
    "def ",
    " do\n",
    "end\n",
    "SubAgent.new(",
    "signature: ",
    "prompt: ",
    "tools: ",
    "(tool/a {:b 1})",
    "# signature-ls: ignore ",
    "null",
];

/// Generates inputs.
pub struct Mutator {
    corpus: Vec<String>,
    state: u64,
}

impl Mutator {
    pub fn new(seed: u64) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut corpus = Vec::new();
        for folder in FOLDERS {
            let entries = fs::read_dir(root.join(folder))
                .into_iter()
                .flatten()
                .flatten();
            let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
            // The order of a folder is not defined.
            paths.sort();
            corpus.extend(
                paths
                    .iter()
                    .filter_map(|path| fs::read_to_string(path).ok()),
            );
        }
        // Also short texts, which become whole trees.
        let signatures = corpus
            .iter()
            .flat_map(|text| text.split('"'))
            .filter(|it| it.contains("->"));
        let signatures: Vec<_> = signatures.map(str::to_owned).collect();
        corpus.extend(signatures);
        Self {
            corpus,
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        }
    }

    pub fn input(&mut self, has_edits: bool) -> Input {
        let text = self.text();
        let mut edits = Vec::new();
        if has_edits {
            for _ in 0..=self.below(6) {
                let start = self.below(text.len() + 1);
                let len = if self.below(2) == 0 {
                    0
                } else {
                    self.below(20)
                };
                let insert = match self.below(4) {
                    0 => String::new(),
                    1 => self.piece(40),
                    _ => TOKENS[self.below(TOKENS.len())].to_owned(),
                };
                edits.push(Edit { start, len, insert });
            }
        }
        Input { text, edits }
    }

    fn text(&mut self) -> String {
        let longest = [60, 300, LONGEST][self.below(3)];
        let mut text = self.piece(longest);
        for _ in 0..self.below(8) {
            let start = text.floor_char_boundary(self.below(text.len() + 1));
            let end = text
                .floor_char_boundary((start + self.below(24)).min(text.len()))
                .max(start);
            let new = match self.below(6) {
                0 => String::new(),
                1 => self.piece(200),
                2 => text[start..end].repeat(1 + self.below(30)),
                3 => TOKENS[self.below(TOKENS.len())].repeat(1 + self.below(40)),
                _ => TOKENS[self.below(TOKENS.len())].to_owned(),
            };
            text.replace_range(start..end, &new);
        }
        let end = text.floor_char_boundary(LONGEST.min(text.len()));
        text.truncate(end);
        text
    }

    /// A part of a file.
    fn piece(&mut self, longest: usize) -> String {
        let index = self.below(self.corpus.len());
        let start = self.below(self.corpus[index].len() + 1);
        let len = self.below(longest);
        let is_whole_line = self.below(2) == 0;
        let file = &self.corpus[index];
        let mut start = file.floor_char_boundary(start);
        if is_whole_line {
            start = file[..start].rfind('\n').map_or(0, |at| at + 1);
        }
        let end = file
            .floor_char_boundary((start + len).min(file.len()))
            .max(start);
        file[start..end].to_owned()
    }

    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) as usize % limit.max(1)
    }
}
